# Hundreds of runs on two virtual boards with faults at random, against an undisturbed sweep. Takes
# half an hour and is no part of `make test`. SOAK_SEED=N repeats the draws of a run.
.PHONY: soak
soak: all
	@RTB_SRCDIR=$(CURDIR) RTB_BUILDDIR=$(abspath $(BUILD)) tests/soak/soak.py
