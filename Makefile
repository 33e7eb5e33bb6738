# rtbench: `make` builds, `make demo` shows, `make test` proves, `make bench` measures.
# Rooms are found by their directories; a new .c file needs no line here.

BUILD  ?= build
CC     ?= cc
CXX    ?= c++
VERSION := $(shell cat VERSION)

WARN   := -Wall -Wextra -Wshadow -Wpointer-arith -Wcast-align=strict -Wundef -Werror
OPT    ?= -O2 -g
PKGS   := libserialport libftdi1 libcjson sqlite3 zlib
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS   := $(shell pkg-config --libs $(PKGS) 2>/dev/null)

CPPFLAGS += -Isrc -Iinclude -I$(BUILD)/gen -D_GNU_SOURCE -DRTBENCH_VERSION='"$(VERSION)"' $(PKG_CFLAGS)
CFLAGS   += -std=gnu11 $(OPT) $(WARN) -Wstrict-prototypes -Wmissing-prototypes -pthread $(SAN)
CXXFLAGS += -std=c++17 $(OPT) -Wall -Wextra -Werror -fno-rtti -pthread $(SAN)
LDFLAGS  += -pthread $(SAN)

ROOMS := cli sweep report config build kernel flash link adapter check store stats base
HOST_SRC   := $(filter-out src/cli/main.c,$(foreach r,$(ROOMS),$(wildcard src/$(r)/*.c src/$(r)/*.cc)))
VBOARD_SRC := $(filter-out src/vboard/main.c,$(wildcard src/vboard/*.c))
BASE_SRC   := $(wildcard src/base/*.c)

obj = $(patsubst %,$(BUILD)/%.o,$(1))
HOST_OBJ   := $(call obj,$(HOST_SRC))
VBOARD_OBJ := $(call obj,$(VBOARD_SRC))

.DEFAULT_GOAL := all
.PHONY: all
all: $(BUILD)/rtbench $(BUILD)/rtbench-vboard

$(BUILD)/rtbench: $(BUILD)/src/cli/main.c.o $(BUILD)/librtbench.a
	$(CXX) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm

$(BUILD)/rtbench-vboard: $(BUILD)/src/vboard/main.c.o $(BUILD)/libvboard.a $(BUILD)/libbase.a
	$(CC) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/librtbench.a: $(HOST_OBJ)
$(BUILD)/libvboard.a: $(VBOARD_OBJ)
$(BUILD)/libbase.a: $(call obj,$(BASE_SRC))
$(BUILD)/%.a:
	@rm -f $@
	ar rcs $@ $^

# What the flags were, so that a change of flags rebuilds (and nothing else does).
$(BUILD)/flags.stamp: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(CXXFLAGS)' | cmp -s - $@ || echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(CXXFLAGS)' > $@
FORCE:
.PHONY: FORCE

$(BUILD)/%.c.o: %.c $(BUILD)/flags.stamp
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/%.cc.o: %.cc $(BUILD)/flags.stamp
	@mkdir -p $(@D)
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c -o $@ $<
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

include tests/tests.mk

.PHONY: clean
clean:
	rm -rf $(BUILD)
