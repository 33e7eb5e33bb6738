# Documentation that is taken from tables in the code; tests fail when it is out of date.
.PHONY: docs
docs: $(BUILD)/rtbench
	@sed '/^| check/,$$d' docs/checks.md > $(BUILD)/checks.md
	@$(BUILD)/rtbench list checks --format md >> $(BUILD)/checks.md
	@mv $(BUILD)/checks.md docs/checks.md
