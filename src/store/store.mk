# The SQL of schemas/ as C string literals, so that the program carries its own schema.
SQL_TO_C := sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/"&\\n"/'

$(BUILD)/gen/migrations.inc: $(sort $(wildcard schemas/[0-9]*_*.sql)) src/store/store.mk
	@mkdir -p $(@D)
	@for f in $(sort $(filter schemas/%,$^)); do \
		v=$${f#schemas/}; v=$$(expr $${v%%_*} + 0); \
		echo "{$$v,"; $(SQL_TO_C) $$f; echo "},"; done > $@
$(BUILD)/gen/views.inc: schemas/views.sql src/store/store.mk
	@mkdir -p $(@D)
	@$(SQL_TO_C) $< > $@
$(BUILD)/src/store/migrate.c.o: $(BUILD)/gen/migrations.inc
$(BUILD)/src/store/views.c.o: $(BUILD)/gen/views.inc
