# How the tests are built and run.
#   tests/unit/<room>/test_*.c   one cmocka program each, mirrors src/
#   tests/vboard, tests/link ... programs with a .mk of their own beside them
#   tests/e2e/*.bats             the built program with the real OpenOCD
# A .mk beside the tests adds its targets to TEST_TARGETS (and SAN_TARGETS when they are worth
# running under the sanitizers too).

UNIT_HOST_SRC   := $(filter-out tests/unit/vboard/% tests/unit/firmware/%,$(wildcard tests/unit/*/test_*.c))
UNIT_VBOARD_SRC := $(wildcard tests/unit/vboard/test_*.c)
UNIT_HOST   := $(patsubst %.c,$(BUILD)/%,$(UNIT_HOST_SRC))
UNIT_VBOARD := $(patsubst %.c,$(BUILD)/%,$(UNIT_VBOARD_SRC))

$(UNIT_HOST): $(BUILD)/%: $(BUILD)/%.c.o $(BUILD)/librtbench.a
	$(call say,LD,$@)$(CXX) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lcmocka -lm
$(UNIT_VBOARD): $(BUILD)/%: $(BUILD)/%.c.o $(BUILD)/libvboard.a $(BUILD)/libbase.a
	$(call say,LD,$@)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lm

.PHONY: unit layers e2e sanitize test test-all
# Each program is run even after one has failed, so that one look shows all.
unit: $(UNIT_HOST) $(UNIT_VBOARD)
	@fail=0; for t in $^; do RTB_SRCDIR=$(CURDIR) RTB_BUILDDIR=$(abspath $(BUILD)) $$t || fail=1; done; exit $$fail
layers:
	@tests/layers.sh
e2e: all
	@RTB_SRCDIR=$(CURDIR) RTB_BUILDDIR=$(abspath $(BUILD)) bats tests/e2e

TEST_TARGETS := layers unit
SAN_TARGETS  := unit
BENCH_TARGETS :=
-include $(wildcard tests/*/*.mk)
TEST_TARGETS += e2e

.PHONY: bench
bench: $(BENCH_TARGETS)

# The same programs under ASan and UBSan, in a build directory of their own. Building is done in
# parallel and beforehand, so that the tests' own output stays in order.
SAN_MAKE = ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 $(MAKE) --no-print-directory \
	BUILD=$(BUILD)/san OPT='-O1 -g' SAN='-fsanitize=address,undefined -fno-sanitize-recover=all'
sanitize:
	@$(SAN_MAKE) -j$(CPUS) test-programs
	@$(SAN_MAKE) $(SAN_TARGETS)

# What threads share: sweeps on two boards, one of them ended by a signal, and the rooms that they go
# through, under ThreadSanitizer. Some minutes, and no part of `make test`.
TSAN_MAKE = TSAN_OPTIONS=exitcode=66 $(MAKE) --no-print-directory BUILD=$(BUILD)/tsan OPT='-O1 -g' SAN=-fsanitize=thread
TSAN_UNIT := $(filter $(foreach r,base link store sweep,$(BUILD)/tests/unit/$(r)/%),$(UNIT_HOST))
.PHONY: tsan tsan-programs tsan-run
tsan:
	@$(TSAN_MAKE) -j$(CPUS) tsan-programs
	@$(TSAN_MAKE) tsan-run
tsan-programs: all $(TSAN_UNIT)
tsan-run: tsan-programs
	@for t in $(TSAN_UNIT); do RTB_SRCDIR=$(CURDIR) RTB_BUILDDIR=$(abspath $(BUILD)) $$t || exit 1; done
	@RTB_SRCDIR=$(CURDIR) RTB_BUILDDIR=$(abspath $(BUILD)) bats tests/e2e/sweep.bats -f 'two boards'

.PHONY: test-programs
test-programs: $(UNIT_HOST) $(UNIT_VBOARD)

test: deps-test
	@$(MAKE) --no-print-directory -j$(CPUS) all test-programs
	@$(MAKE) --no-print-directory test-all
test-all: all $(TEST_TARGETS) sanitize
	@echo "all tests passed"
