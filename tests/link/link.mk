# The libserialport link on a port of umockdev's. Not under the sanitizers: their run-time wants
# to be the first preload. The shim stands before umockdev's library, which asks libc directly.
UMOCKDEV_CFLAGS = $(shell pkg-config --cflags umockdev-1.0)
UMOCKDEV_LIBS   = $(shell pkg-config --libs umockdev-1.0)

LINK_TESTS := $(BUILD)/tests/link/serial_port $(BUILD)/tests/link/usb_port
$(LINK_TESTS:%=%.c.o): CPPFLAGS += $(UMOCKDEV_CFLAGS) -Itests/link
$(LINK_TESTS): %: %.c.o $(BUILD)/librtbench.a
	$(call say,LD,$@)$(CXX) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(UMOCKDEV_LIBS) -lcmocka -ldl -lm
$(BUILD)/tests/link/modem_shim.so: tests/link/modem_shim.c $(BUILD)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) -D_GNU_SOURCE -std=gnu11 -O1 -g -Wall -Wextra -Werror -fPIC -shared -o $@ $< -ldl

.PHONY: link-serial
link-serial: $(LINK_TESTS) $(BUILD)/tests/link/modem_shim.so
	@for t in $(LINK_TESTS); do \
		LD_PRELOAD="$(abspath $(BUILD))/tests/link/modem_shim.so libumockdev-preload.so.0" $$t || exit 1; done
TEST_TARGETS += link-serial
