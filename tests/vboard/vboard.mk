# The virtual core against QEMU's Cortex-M3: `make vboard-test`.
#   LOCKSTEP_SEED, LOCKSTEP_INSTRUCTIONS: another or a longer run of generated code.

LOCKSTEP_SEED         ?= 20250101
# The sanitized build sees fewer: it looks for other faults than wrong results.
LOCKSTEP_INSTRUCTIONS ?= $(if $(SAN),60000,400000)

LOCKSTEP_OBJ := $(call obj,$(wildcard tests/vboard/lockstep/*.c))
$(LOCKSTEP_OBJ): CPPFLAGS += -Itests/vboard/lockstep
$(BUILD)/lockstep: $(LOCKSTEP_OBJ) $(BUILD)/libvboard.a $(BUILD)/libbase.a
	$(call say,LD,$@)$(CC) $(LDFLAGS) -o $@ $^

# Every program at every level, as a flat image at 0x1000.
PROGRAM_CC    := arm-none-eabi-gcc
PROGRAM_FLAGS := -mcpu=cortex-m3 -mthumb -std=gnu11 -Wall -Wextra -Werror -ffreestanding -nostartfiles
PROGRAM_DIR   := tests/vboard/programs
PROGRAMS      := $(filter-out crt,$(basename $(notdir $(wildcard $(PROGRAM_DIR)/*.c))))
PROGRAM_BINS  := $(foreach o,O0 O2 O3 Os,$(PROGRAMS:%=$(BUILD)/programs/%-$(o).bin))

define program_rule
$(BUILD)/programs/%-$(1).elf: $(PROGRAM_DIR)/%.c $(PROGRAM_DIR)/crt.c $(PROGRAM_DIR)/program.ld
	@mkdir -p $$(@D)
	$$(call say,FW,$$@)$(PROGRAM_CC) $(PROGRAM_FLAGS) -$(1) -T $(PROGRAM_DIR)/program.ld $(PROGRAM_DIR)/crt.c $$< -o $$@
endef
$(foreach o,O0 O2 O3 Os,$(eval $(call program_rule,$(o))))
$(BUILD)/programs/%.bin: $(BUILD)/programs/%.elf
	@arm-none-eabi-objcopy -O binary $< $@
.SECONDARY: $(PROGRAM_BINS:.bin=.elf)

.PHONY: vboard-test
vboard-test: $(BUILD)/lockstep $(PROGRAM_BINS)
	@$(BUILD)/lockstep --seed $(LOCKSTEP_SEED) --instructions $(LOCKSTEP_INSTRUCTIONS)
	@$(BUILD)/lockstep --program $(PROGRAM_BINS)

TEST_TARGETS += vboard-test
SAN_TARGETS  += vboard-test
