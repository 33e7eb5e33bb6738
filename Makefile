# rtbench: `make` builds, `make demo` shows, `make test` proves, `make bench` measures.
# Rooms are found by their directories; a new .c file needs no line here.

BUILD  ?= build
CC     ?= cc
CXX    ?= c++
VERSION := $(shell cat VERSION)

WARN   := -Wall -Wextra -Wshadow -Wpointer-arith -Wcast-align=strict -Wundef -Werror
OPT    ?= -O2 -g
PKGS   := libserialport libftdi1 libcjson sqlite3 zlib libelf
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

CPUS := $(shell nproc)

# `make V=1` shows the commands; otherwise one short line a file.
ifeq ($(V),)
  say = @printf '  %-4s %s\n' $(1) $(2);
endif

.DEFAULT_GOAL := all
.PHONY: all
all: $(BUILD)/rtbench $(BUILD)/rtbench-vboard

$(BUILD)/rtbench: $(BUILD)/src/cli/main.c.o $(BUILD)/librtbench.a
	$(call say,LD,$@)$(CXX) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm

$(BUILD)/rtbench-vboard: $(BUILD)/src/vboard/main.c.o $(BUILD)/libvboard.a $(BUILD)/libbase.a
	$(call say,LD,$@)$(CC) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/librtbench.a: $(HOST_OBJ)
$(BUILD)/libvboard.a: $(VBOARD_OBJ)
$(BUILD)/libbase.a: $(call obj,$(BASE_SRC))
$(BUILD)/%.a:
	@rm -f $@
	$(call say,AR,$@)ar rcs $@ $^

# What the flags were, so that a change of flags rebuilds (and nothing else does).
$(BUILD)/flags.stamp: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(CXXFLAGS)' | cmp -s - $@ || echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(CXXFLAGS)' > $@
FORCE:
.PHONY: FORCE

$(BUILD)/%.c.o: %.c $(BUILD)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/%.cc.o: %.cc $(BUILD)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CXX,$<)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c -o $@ $<
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# What Debian 12 has to provide. `make deps` shows the one line it runs, and runs it only when
# something is missing, so that everything works offline afterwards.
DEPS_BUILD := gcc g++ make pkg-config libserialport-dev libftdi1-dev libcjson-dev libsqlite3-dev \
	zlib1g-dev libtomlplusplus-dev libelf-dev openocd gcc-arm-none-eabi libnewlib-arm-none-eabi
DEPS_TEST  := libcmocka-dev bats umockdev libumockdev-dev qemu-system-arm gdb-multiarch sqlite3 clang \
	libclang-rt-14-dev socat man-db groff python3
.PHONY: deps deps-test
deps: ; @tools/deps.sh $(DEPS_BUILD)
deps-test: ; @tools/deps.sh $(DEPS_BUILD) $(DEPS_TEST)

.PHONY: demo
demo: deps
	@$(MAKE) --no-print-directory -j$(CPUS) all
	@BUILD=$(BUILD) tools/demo.sh

include $(wildcard src/*/*.mk)
include tests/tests.mk

.PHONY: clean
clean:
	rm -rf $(BUILD)
