# libFuzzer over what comes off the wire. `make fuzz` looks for new trouble (FUZZ_SECONDS each);
# `make fuzz-smoke`, part of `make test`, repeats the checked-in seeds and a fixed number of runs.
FUZZ_CC      ?= clang
FUZZ_SECONDS ?= 30
FUZZ_RUNS    ?= 20000
FUZZ_NAMES   := decoder message
FUZZ_SRC     := src/link/decoder.c src/link/message.c src/link/fields.c src/link/record.c \
		src/stats/hist.c $(BASE_SRC)
FUZZ_BIN     := $(FUZZ_NAMES:%=$(BUILD)/fuzz/%)

# With sanitizers of its own, whatever the rest is built with.
$(FUZZ_BIN): $(BUILD)/fuzz/%: tests/fuzz/fuzz_%.c $(FUZZ_SRC) $(wildcard src/link/*.h src/base/*.h) include/rtbench/frame.h
	@mkdir -p $(@D)
	$(call say,FUZZ,$@)$(FUZZ_CC) $(CPPFLAGS) -std=gnu11 -O1 -g -Wall -Wextra -Werror \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o $@ $< $(FUZZ_SRC) -lcjson -lz

# Found inputs go to the build directory; those worth keeping are copied to the corpus by hand.
fuzz_run = mkdir -p $(BUILD)/fuzz/$(1).new && $(BUILD)/fuzz/$(1) -artifact_prefix=$(BUILD)/fuzz/$(1)- \
	-max_len=20000 -timeout=10 $(2) $(BUILD)/fuzz/$(1).new tests/fuzz/corpus/$(1)

.PHONY: fuzz fuzz-smoke
fuzz: $(FUZZ_BIN)
	@$(foreach n,$(FUZZ_NAMES),$(call fuzz_run,$(n),-max_total_time=$(FUZZ_SECONDS) -print_final_stats=1) &&) true
fuzz-smoke: $(FUZZ_BIN)
	@$(foreach n,$(FUZZ_NAMES),rm -rf $(BUILD)/fuzz/$(n).new && $(call fuzz_run,$(n),-seed=1 \
		-runs=$(FUZZ_RUNS) -verbosity=0) 2>$(BUILD)/fuzz/$(n).log || { cat $(BUILD)/fuzz/$(n).log; exit 1; } && echo "fuzz $(n): $(FUZZ_RUNS) runs" &&) true
TEST_TARGETS += fuzz-smoke
