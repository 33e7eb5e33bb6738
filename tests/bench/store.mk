# list, compare and export over 100 000 runs, each against sqlite3 doing the same on its own.
.PHONY: bench-store
bench-store: $(BUILD)/rtbench $(BUILD)/tests/tools/mkdb
	@RTB_BUILDDIR=$(abspath $(BUILD)) tests/bench/store.sh
BENCH_TARGETS += bench-store
