# How much of a sweep's wall time the boards measure.
.PHONY: bench-sweep
bench-sweep: all
	@RTB_SRCDIR=$(CURDIR) RTB_BUILDDIR=$(abspath $(BUILD)) tests/bench/sweep.sh
BENCH_TARGETS += bench-sweep
