# `make bench-vboard`: the core's speed (tests/bench/bench_vboard.sh says how).
BENCH_VBOARD := $(BUILD)/tests/bench/vboard
BENCH_ROUNDS_work := 1000
BENCH_ROUNDS_switches := 3000

$(BENCH_VBOARD)/bench_vboard: $(BUILD)/tests/bench/bench_vboard.c.o $(BUILD)/libvboard.a $(BUILD)/libbase.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(LDFLAGS) -o $@ $^

# load-amount: the image for us (flash at 0x08000000, 20 KiB SRAM), the ELF for QEMU (at 0).
define bench_load
$(BENCH_VBOARD)/$(1)-$(2).bin: tests/bench/vboard_load.c tests/vboard/programs/program.ld
	@mkdir -p $$(@D)
	$$(call say,FW,$$@)arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 -std=gnu11 -Wall -Wextra -Werror -ffreestanding \
		-nostdlib -DROUNDS=$(3) -DEXCEPTIONS=$(4) -T tests/vboard/programs/program.ld \
		-Wl,--defsym=program_base=0x08000000,--defsym=program_stack=0x20005000 $$< -o $$(@:.bin=.ours.elf) -lgcc
	@arm-none-eabi-objcopy -O binary $$(@:.bin=.ours.elf) $$@
$(BENCH_VBOARD)/$(1)-$(2).elf: tests/bench/vboard_load.c tests/vboard/programs/program.ld
	@mkdir -p $$(@D)
	$$(call say,FW,$$@)arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 -std=gnu11 -Wall -Wextra -Werror -ffreestanding \
		-nostdlib -DROUNDS=$(3) -DEXCEPTIONS=$(4) -T tests/vboard/programs/program.ld \
		-Wl,--defsym=program_base=0 $$< -o $$@ -lgcc
endef
$(foreach l,work switches,\
	$(eval $(call bench_load,$(l),many,$(BENCH_ROUNDS_$(l)),$(if $(filter switches,$(l)),1,0)))\
	$(eval $(call bench_load,$(l),none,0,$(if $(filter switches,$(l)),1,0))))

.PHONY: bench-vboard
bench-vboard: $(BENCH_VBOARD)/bench_vboard $(foreach l,work switches,$(BENCH_VBOARD)/$(l)-many.bin $(BENCH_VBOARD)/$(l)-many.elf $(BENCH_VBOARD)/$(l)-none.elf)
	@echo "virtual core:"
	@tests/bench/bench_vboard.sh $(BENCH_VBOARD)
BENCH_TARGETS += bench-vboard
