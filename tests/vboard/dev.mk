# Tests of the virtual board around its core: small programs that check the devices from the
# inside, the debug port with the real OpenOCD and gdb, and the serial line.

FW_CC      ?= arm-none-eabi-gcc
FW_DIR     := tests/vboard/fw
FW_NAMES   := clock flash_self interrupts reset echo tasks big undeclared failing
FW_OUT     := $(BUILD)/$(FW_DIR)
FW_FLAGS   := -mcpu=cortex-m3 -mthumb -ffreestanding -nostdlib -g -Wall -Wextra -Werror \
	-ffunction-sections -Wl,-T,$(FW_DIR)/fw.ld -Wl,--no-warn-rwx-segments
FW_ELVES   := $(foreach n,$(FW_NAMES),$(FW_OUT)/$(n).O0.elf $(FW_OUT)/$(n).O2.elf)
# These say by themselves whether they succeeded.
FW_JUDGES  := clock flash_self interrupts reset big

$(FW_OUT)/%.O0.elf: $(FW_DIR)/%.c $(FW_DIR)/start.c $(FW_DIR)/fw.h $(FW_DIR)/fw.ld
	@mkdir -p $(@D)
	$(call say,FW,$@)$(FW_CC) $(FW_FLAGS) -O0 -o $@ $(FW_DIR)/$*.c $(FW_DIR)/start.c
$(FW_OUT)/%.O2.elf: $(FW_DIR)/%.c $(FW_DIR)/start.c $(FW_DIR)/fw.h $(FW_DIR)/fw.ld
	@mkdir -p $(@D)
	$(call say,FW,$@)$(FW_CC) $(FW_FLAGS) -O2 -o $@ $(FW_DIR)/$*.c $(FW_DIR)/start.c

.PHONY: vboard-fw vboard-fw-test vboard-debug-test
vboard-fw: $(FW_ELVES)

vboard-fw-test: $(BUILD)/rtbench-vboard vboard-fw
	@BUILD=$(BUILD) tests/vboard/fw_test.sh $(FW_JUDGES)

vboard-debug-test: $(BUILD)/rtbench-vboard vboard-fw
	@RTB_SRCDIR=$(CURDIR) RTB_BUILDDIR=$(abspath $(BUILD)) bats tests/vboard/debug.bats tests/vboard/serial.bats

TEST_TARGETS += vboard-fw-test vboard-debug-test
SAN_TARGETS  += vboard-fw-test
