# Programs that tests use. mkdb makes databases through the store's own functions.
$(BUILD)/tests/tools/mkdb: $(BUILD)/tests/tools/mkdb.c.o $(BUILD)/librtbench.a
	$(CXX) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm
e2e: $(BUILD)/tests/tools/mkdb
$(BUILD)/tests/tools/stall.so: tests/tools/stall.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -shared -fPIC -o $@ $<
e2e: $(BUILD)/tests/tools/stall.so
