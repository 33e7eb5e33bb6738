# Documents that are taken from tables in the code; tests fail when one is out of date.
.PHONY: docs
docs: $(BUILD)/rtbench
	@sed '/^| check/,$$d' docs/checks.md > $(BUILD)/checks.md
	@$(BUILD)/rtbench list checks --format md >> $(BUILD)/checks.md
	@mv $(BUILD)/checks.md docs/checks.md
	@sed '/^| column/,$$d' docs/store.md > $(BUILD)/store.md
	@$(BUILD)/rtbench list columns --format md >> $(BUILD)/store.md
	@mv $(BUILD)/store.md docs/store.md
	@src/report/export_schema.sh $(BUILD)/rtbench > schemas/export.schema.json
