$(BUILD)/tests/bench/bench_decoder: $(BUILD)/tests/bench/bench_decoder.c.o $(BUILD)/librtbench.a
	$(call say,LD,$@)$(CXX) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm

.PHONY: bench-decoder
bench-decoder: $(BUILD)/tests/bench/bench_decoder
	@$<
BENCH_TARGETS += bench-decoder
