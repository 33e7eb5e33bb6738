# Tests of the firmware on the virtual board: mini's promises from the inside, every case of
# every kernel of ours from the outside, and the firmware's Makefile.

MINI_HOME  := tests/vboard/fw
MINI_FLAGS := -mcpu=cortex-m3 -mthumb -std=gnu11 -ffreestanding -nostdlib -g -Wall -Wextra -Werror \
	-Wl,-T,$(MINI_HOME)/fw.ld -Wl,--no-warn-rwx-segments -Ifirmware -Ifirmware/kernels/mini -I$(MINI_HOME)
MINI_SRC   := $(wildcard firmware/kernels/mini/*.c)
MINI_TESTS := $(foreach o,O0 O1 O2 O3 Os Og,$(foreach i,0 1,$(BUILD)/tests/firmware/mini.$(o).$(i).elf))
mini_level  = $(subst ., ,$(basename $(notdir $(1))))

# Named mini.<level>.<instrumented>.elf.
$(MINI_TESTS): tests/firmware/mini_semantics.c firmware/core/mem.c $(MINI_SRC) \
		$(wildcard firmware/kernels/mini/*.h) $(MINI_HOME)/fw.h $(MINI_HOME)/fw.ld
	@mkdir -p $(@D)
	$(call say,FW,$@)arm-none-eabi-gcc $(MINI_FLAGS) -$(word 2,$(call mini_level,$@)) \
		-DMINI_DEBUG=$(word 3,$(call mini_level,$@)) \
		-o $@ tests/firmware/mini_semantics.c firmware/core/mem.c $(MINI_SRC) -lgcc

.PHONY: firmware-mini-test firmware-make-test firmware-test
firmware-mini-test: $(BUILD)/rtbench-vboard $(MINI_TESTS)
	@fail=0; for t in $(MINI_TESTS); do \
		timeout 60 $(BUILD)/rtbench-vboard --load $$t --semihosting --cycles 200000000 || \
		{ echo "$$t: exit $$?"; fail=1; }; done; \
	[ $$fail = 0 ] && echo "mini: $(words $(MINI_TESTS)) builds keep the kernel's promises"; exit $$fail

# Every case of bare and mini, plain and instrumented, run at three levels; the largest image of
# the other levels is only linked, for the linker says whether it fits.
CASES_LEVELS ?= O0 O2 Os
CASES_RUN    := $(foreach k,bare mini,$(foreach o,$(CASES_LEVELS),$(k)-$(o)-0 $(k)-$(o)-1))
CASES_CELLS  := $(CASES_RUN) $(filter-out $(CASES_RUN),$(foreach o,O0 O1 O2 O3 Os Og,mini-$(o)-1))
cases_elf     = $(BUILD)/tests/firmware/$(1)/rtbench.elf
cases_word    = $(word $(1),$(subst -, ,$(2)))

.PHONY: firmware-images firmware-cases-test $(CASES_CELLS:%=firmware-image-%)
firmware-images: $(CASES_CELLS:%=firmware-image-%)
$(CASES_CELLS:%=firmware-image-%): firmware-image-%:
	@mkdir -p $(BUILD)/tests/firmware
	$(call say,FW,$*)$(MAKE) -s --no-print-directory -C firmware KERNEL=$(call cases_word,1,$*) \
		OPT=$(call cases_word,2,$*) INSTR=$(call cases_word,3,$*) \
		OUT=$(abspath $(BUILD))/tests/firmware/$* > $(BUILD)/tests/firmware/$*.log || \
		{ cat $(BUILD)/tests/firmware/$*.log; exit 1; }

$(BUILD)/tests/firmware/run_cases: $(BUILD)/tests/firmware/run_cases.c.o $(BUILD)/librtbench.a
	$(call say,LD,$@)$(CXX) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm
firmware-cases-test: $(BUILD)/rtbench-vboard $(BUILD)/tests/firmware/run_cases firmware-images
	@$(BUILD)/tests/firmware/run_cases $(BUILD)/rtbench-vboard $(BUILD)/tests/firmware \
		$(foreach c,$(CASES_RUN),$(call cases_elf,$(c)))

firmware-make-test:
	@RTB_SRCDIR=$(CURDIR) bats tests/firmware/makefile.bats

firmware-test: firmware-mini-test firmware-make-test firmware-cases-test
TEST_TARGETS += firmware-test
