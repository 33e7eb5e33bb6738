# How the tests are built and run. tests/unit/<room>/test_*.c is one cmocka program each.

UNIT_HOST_SRC   := $(filter-out tests/unit/vboard/%,$(wildcard tests/unit/*/test_*.c))
UNIT_VBOARD_SRC := $(wildcard tests/unit/vboard/test_*.c)
UNIT_HOST   := $(patsubst %.c,$(BUILD)/%,$(UNIT_HOST_SRC))
UNIT_VBOARD := $(patsubst %.c,$(BUILD)/%,$(UNIT_VBOARD_SRC))

$(UNIT_HOST): $(BUILD)/%: $(BUILD)/%.c.o $(BUILD)/librtbench.a
	$(CXX) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lcmocka -lm
$(UNIT_VBOARD): $(BUILD)/%: $(BUILD)/%.c.o $(BUILD)/libvboard.a $(BUILD)/libbase.a
	$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lm

.PHONY: unit layers
# Each program is run even after one has failed, so that one look shows all.
unit: $(UNIT_HOST) $(UNIT_VBOARD)
	@fail=0; for t in $^; do RTB_SRCDIR=$(CURDIR) RTB_BUILDDIR=$(abspath $(BUILD)) $$t || fail=1; done; exit $$fail
layers:
	@tests/layers.sh

-include $(wildcard tests/*/*.mk)
