# Tests of the virtual board around its core: small programs that check the devices from the
# inside, the debug port with the real OpenOCD and gdb, and the serial line.

FW_CC      ?= arm-none-eabi-gcc
FW_DIR     := tests/vboard/fw
FW_NAMES   := clock flash_self interrupts reset echo tasks big undeclared failing swj_off
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

# libFuzzer over the loader, the debug port and the fault specifications: `make vboard-fuzz`
# looks for new trouble, the smoke run is part of `make test`. Seeds are the small programs.
FUZZ_CC      ?= clang
FUZZ_SECONDS ?= 30
VBOARD_FUZZ  := $(BUILD)/fuzz/vboard
VBOARD_SEEDS := $(BUILD)/fuzz/vboard-seeds
$(VBOARD_FUZZ): tests/fuzz/fuzz_elf_vboard.c $(VBOARD_SRC) $(BASE_SRC)
	@mkdir -p $(@D)
	$(call say,FUZZ,$@)$(FUZZ_CC) -Isrc -D_GNU_SOURCE -std=gnu11 -O1 -g -Wall -Wextra -Werror \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o $@ $^ -lm
$(VBOARD_SEEDS)/stamp: $(FW_ELVES)
	@mkdir -p $(@D)
	@for f in $^; do { printf '\000'; cat $$f; } > $(@D)/$$(basename $$f); done
	@printf '\003hang@5,boot=2,once' > $(@D)/fault
	@touch $@

vboard_fuzz_run = $(VBOARD_FUZZ) -max_len=65536 -timeout=10 -artifact_prefix=$(VBOARD_FUZZ)- $(1) \
	$(VBOARD_FUZZ).new $(VBOARD_SEEDS)

.PHONY: vboard-fuzz vboard-fuzz-smoke
vboard-fuzz: $(VBOARD_FUZZ) $(VBOARD_SEEDS)/stamp
	@mkdir -p $(VBOARD_FUZZ).new
	@$(call vboard_fuzz_run,-max_total_time=$(FUZZ_SECONDS) -print_final_stats=1)
vboard-fuzz-smoke: $(VBOARD_FUZZ) $(VBOARD_SEEDS)/stamp
	@rm -rf $(VBOARD_FUZZ).new && mkdir -p $(VBOARD_FUZZ).new
	@$(call vboard_fuzz_run,-seed=1 -runs=5000 -verbosity=0) 2> $(VBOARD_FUZZ).log || { cat $(VBOARD_FUZZ).log; exit 1; }
	@echo "fuzz vboard: 5000 runs"

.PHONY: vboard-fw vboard-fw-test vboard-debug-test
vboard-fw: $(FW_ELVES)
# A board whose debug port is off, for the sweeps.
e2e: $(FW_OUT)/swj_off.O2.elf

vboard-fw-test: $(BUILD)/rtbench-vboard vboard-fw
	@BUILD=$(BUILD) tests/vboard/fw_test.sh $(FW_JUDGES)

vboard-debug-test: $(BUILD)/rtbench-vboard vboard-fw
	@RTB_SRCDIR=$(CURDIR) RTB_BUILDDIR=$(abspath $(BUILD)) bats tests/vboard/debug.bats tests/vboard/serial.bats
	@RTB_ADAPTER=buspirate RTB_SRCDIR=$(CURDIR) RTB_BUILDDIR=$(abspath $(BUILD)) bats tests/vboard/debug.bats

TEST_TARGETS += vboard-fw-test vboard-debug-test vboard-fuzz-smoke
SAN_TARGETS  += vboard-fw-test
