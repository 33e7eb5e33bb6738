# Firmware files compiled natively and tested on the host. They stand apart from the host
# program: own include path, no library of ours but zlib, whose CRC is the reference.
FW_TEST_SRC := $(wildcard tests/unit/firmware/test_*.c)
FW_TESTS    := $(patsubst %.c,$(BUILD)/%,$(FW_TEST_SRC))
FW_CPP      := -Iinclude -Ifirmware -Ifirmware/kernels/mini -D_GNU_SOURCE
FW_OBJ      := $(patsubst %,$(BUILD)/fwhost/%.o,core/stat.c core/frame_out.c core/command.c)

$(BUILD)/fwhost/%.c.o: firmware/%.c $(BUILD)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(FW_CPP) $(CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/tests/unit/firmware/%.c.o: tests/unit/firmware/%.c $(BUILD)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(FW_CPP) $(CFLAGS) -MMD -MP -c -o $@ $<
$(FW_TESTS): $(BUILD)/%: $(BUILD)/%.c.o $(FW_OBJ)
	$(call say,LD,$@)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lz

.PHONY: unit-firmware
unit-firmware: $(FW_TESTS)
	@fail=0; for t in $^; do $$t || fail=1; done; exit $$fail
TEST_TARGETS += unit-firmware
SAN_TARGETS  += unit-firmware
