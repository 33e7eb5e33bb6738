# The product's link and adapter on FTDI chips that are emulated at the level of USB requests.
FTDI_TEST := $(BUILD)/tests/ftdi/test_ftdi
# GLib's headers are not clean under our warnings.
$(BUILD)/tests/ftdi/%.c.o: tests/ftdi/%.c $(BUILD)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) $$(pkg-config --cflags umockdev-1.0 | sed 's/-I/-isystem /g') -MMD -MP -c -o $@ $<
FTDI_TESTS := $(FTDI_TEST) $(BUILD)/tests/ftdi/test_boards $(BUILD)/tests/ftdi/test_session
$(FTDI_TESTS): %: %.c.o $(BUILD)/tests/ftdi/chip.c.o $(BUILD)/librtbench.a
	$(call say,LD,$@)$(CXX) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $$(pkg-config --libs umockdev-1.0) -lcmocka -lm
# The image of the board behind the chip.
.PHONY: test-ftdi ftdi-image
ftdi-image:
	@mkdir -p $(BUILD)/tests/ftdi
	@$(MAKE) -s --no-print-directory -C firmware KERNEL=bare OPT=O2 OUT=$(abspath $(BUILD))/tests/ftdi/bare > $(BUILD)/tests/ftdi/bare.log || \
		{ cat $(BUILD)/tests/ftdi/bare.log; exit 1; }
test-ftdi: $(FTDI_TESTS) $(BUILD)/rtbench $(BUILD)/rtbench-vboard ftdi-image
	@for t in $(FTDI_TESTS); do RTB_SRCDIR=$(CURDIR) RTB_BUILDDIR=$(abspath $(BUILD)) umockdev-wrapper $$t || exit 1; done
test-programs: $(FTDI_TESTS)
TEST_TARGETS += test-ftdi
