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

.PHONY: firmware-mini-test firmware-test
firmware-mini-test: $(BUILD)/rtbench-vboard $(MINI_TESTS)
	@fail=0; for t in $(MINI_TESTS); do \
		timeout 60 $(BUILD)/rtbench-vboard --load $$t --semihosting --cycles 200000000 || \
		{ echo "$$t: exit $$?"; fail=1; }; done; \
	[ $$fail = 0 ] && echo "mini: $(words $(MINI_TESTS)) builds keep the kernel's promises"; exit $$fail
