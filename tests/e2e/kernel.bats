#!/usr/bin/env bats
# rtbench kernel add|list|check|remove on small made-up trees. The bench beside them is small
# too (one port "toy", a main that calls it), so that an image takes a fraction of a second;
# Makefile, linker script, start-up code and compiler are the real ones.

bats_require_minimum_version 1.5.0

setup_file() {
	export SRC=${RTB_SRCDIR:-$PWD}
	RTBENCH=$(cd "${RTB_BUILDDIR:-$SRC/build}" && pwd)/rtbench
	export RTBENCH
}

setup() {
	HOME_DIR=$BATS_TEST_TMPDIR/home
	export RTBENCH_KERNEL_DIR=$BATS_TEST_TMPDIR/entries
	TREE=$BATS_TEST_TMPDIR/tree
	mkdir -p "$TREE"
	make_home
	cd "$HOME_DIR"
}

put() { # file: text from stdin
	mkdir -p "$(dirname "$1")"
	cat > "$1"
}

make_home() {
	mkdir -p "$HOME_DIR"/firmware/{core,cases,ports/toy/config} "$HOME_DIR/targets" "$HOME_DIR/include"
	cp "$SRC/firmware/Makefile" "$HOME_DIR/firmware/"
	cp "$SRC"/firmware/core/*.h "$HOME_DIR/firmware/core/"
	cp -r "$SRC/include/rtbench" "$HOME_DIR/include/"
	cp -r "$SRC/targets/gd32f103cbt6" "$HOME_DIR/targets/"
	sed -i 's/^BOARD_SRCS.*/BOARD_SRCS := startup.c/' "$HOME_DIR/targets/gd32f103cbt6/board.mk"
	put "$HOME_DIR/firmware/core/main.c" <<-'EOF'
		#include "core/vectors.h"
		void toy_run(void);
		int main(void);
		int main(void) { toy_run(); return 0; }
		void rtb_fault_handler(void) { for (;;); }
	EOF
	put "$HOME_DIR/firmware/ports/toy/port.mk" <<-'EOF'
		# Toy
		PORT_VERSION := 1
		PORT_SVC     := toy_svc
		PORT_PENDSV  := toy_pendsv
		PORT_SYSTICK := toy_tick
		PORT_OFFERS  := TASKS
	EOF
	put "$HOME_DIR/firmware/ports/toy/port_impl.h" <<-'EOF'
		#include "toy.h"
	EOF
	put "$HOME_DIR/firmware/ports/toy/port.c" <<-'EOF'
		#include "port_impl.h"
		void toy_run(void);
		void toy_run(void) { toy_init(); toy_start(); }
	EOF
	put "$HOME_DIR/firmware/ports/toy/config/toyconfig.h" <<-'EOF'
		#define TOY_TASKS 4
	EOF
}

# A kernel whose parts lie where kernels have them. $1: the tree, $2: what the names begin with.
make_toy() {
	local t=$1 n=${2:-toy}
	put "$t/include/$n.h" <<-EOF
		#include "${n}core.h"
		#define ${n^^}_KERNEL_VERSION "V2.5.1"
		void ${n}_init(void);
		void ${n}_start(void);
		void ${n}_svc(void); void ${n}_pendsv(void); void ${n}_tick(void);
	EOF
	put "$t/port/gcc/cm3/${n}core.h" <<-EOF
		#define ${n^^}_CORE 3
	EOF
	put "$t/port/gcc/cm3/switch.S" <<-EOF
		.syntax unified
		.thumb
		.global ${n}_pendsv, ${n}_svc
		.section .text.${n}_pendsv
		.thumb_func
		${n}_pendsv: bx lr
		.thumb_func
		${n}_svc: bx lr
	EOF
	put "$t/src/kernel.c" <<-EOF
		#include "$n.h"
		#include "${n}config.h"
		#if ${n^^}_CORE != 3
		#error "wrong core"
		#endif
		int ${n}_tasks[${n^^}_TASKS];
		void ${n}_ready(int);
		void ${n}_init(void) { ${n}_ready(1); }
		void ${n}_start(void) { for (;;) ${n}_tasks[0]++; }
		void ${n}_tick(void) { ${n}_tasks[1]++; }
	EOF
	put "$t/src/list.c" <<-EOF
		extern int ${n}_tasks[];
		void ${n}_ready(int i);
		void ${n}_ready(int i) { ${n}_tasks[i] = i; }
	EOF
	printf 'Permission is hereby granted, free of charge, to whom it concerns,\nwithout restriction\n' > "$t/LICENSE"
}

add() { run "$RTBENCH" kernel add "$@"; echo "$output"; }
entry() { cat "$RTBENCH_KERNEL_DIR/${1:-toy}.toml"; }
listed() { grep -qF "\"$1\"," "$RTBENCH_KERNEL_DIR/${2:-toy}.toml"; }
fingerprint() { (cd "$1" && find . -printf '%p %T@ %s\n' | sort | sha256sum); }

@test "a plain tree is found whole, and left as it was" {
	make_toy "$TREE"
	before=$(fingerprint "$TREE")
	add toy "$TREE"
	[ "$status" -eq 0 ]
	listed include && listed port/gcc/cm3 && listed port/gcc/cm3/switch.S
	listed src/kernel.c && listed src/list.c
	[[ $output == *"version: V2.5.1 (TOY_KERNEL_VERSION in include/toy.h)"* ]]
	[[ $output == *"licence: MIT"* ]]
	entry | grep -q '^complete = true'
	[ "$before" = "$(fingerprint "$TREE")" ]
}

@test "several cores and compilers side by side: this core and this compiler are taken" {
	make_toy "$TREE"
	for other in gcc/cm4 gcc/cm33 gcc/risc-v iar/cm3 armclang/cm3 gcc/cm3_mpu; do
		mkdir -p "$TREE/port/$other"
		sed 's/3$/9/' "$TREE/port/gcc/cm3/toycore.h" > "$TREE/port/$other/toycore.h"
		cp "$TREE/port/gcc/cm3/switch.S" "$TREE/port/$other/"
	done
	mkdir -p "$TREE/test" "$TREE/examples/demo"
	cp "$TREE"/src/*.c "$TREE/test/"
	cp "$TREE"/src/*.c "$TREE/examples/demo/"
	add toy "$TREE"
	[ "$status" -eq 0 ]
	listed port/gcc/cm3/switch.S && listed src/kernel.c
	! entry | grep -qE 'cm4|cm33|risc|iar|armclang|mpu|"test|examples'
	[[ $output == *"not port/iar/cm3/switch.S"* || $output == *"more (-v names them)"* ]]
}

@test "a tree for other cores only is a question, not a guess" {
	make_toy "$TREE"
	mv "$TREE/port/gcc/cm3" "$TREE/port/gcc/cm7"
	add toy "$TREE"
	[ "$status" -eq 5 ]
	[[ $output == *"header toycore.h"*"only files for other cores or compilers"* ]]
	[[ $output == *"port/gcc/cm7/toycore.h (names this compiler, names another core)"* ]]
	entry | grep -q '^complete = false'
	add toy "$TREE" --use 'port/gcc/cm7/*'
	[ "$status" -eq 0 ]
	listed port/gcc/cm7/switch.S
}

@test "a kernel split over three trees" {
	make_toy "$TREE"
	mkdir -p "$BATS_TEST_TMPDIR/b" "$BATS_TEST_TMPDIR/c"
	mv "$TREE/include" "$BATS_TEST_TMPDIR/b/"
	mv "$TREE/port" "$BATS_TEST_TMPDIR/c/"
	add toy "$TREE"
	[ "$status" -eq 5 ]
	[[ $output == *"header toy.h"*"no file of this name"* ]]
	add toy "$TREE" "$BATS_TEST_TMPDIR/b" "$BATS_TEST_TMPDIR/c"
	[ "$status" -eq 0 ]
	[ "$(entry | grep -c '^\[\[tree\]\]')" -eq 3 ]
}

@test "version from a text file, major and minor macros, none at all" {
	make_toy "$TREE"
	sed -i '/VERSION/d' "$TREE/include/toy.h"
	add toy "$TREE"
	[[ $output == *"version: not found"* ]]
	echo 4.1.7 > "$TREE/VERSION"
	add toy "$TREE"
	[[ $output == *"version: 4.1.7 (text in VERSION)"* ]]
	printf '#define TOY_VERSION_MAJOR 6\n#define TOY_VERSION_MINOR 2\n#define TOY_VERSION_PATCH 9\n' >> "$TREE/include/toy.h"
	add toy "$TREE"
	[[ $output == *"version: 6.2.9 "* ]]
}

@test "a symbol defined by two files of equal claim is a question that --skip or --use answers" {
	make_toy "$TREE"
	echo 'extern int toy_tasks[]; void toy_ready(int); void toy_ready(int i) { toy_tasks[i] = 7; }' > "$TREE/src/list2.c"
	add toy "$TREE"
	[ "$status" -eq 5 ]
	[[ $output == *"symbol toy_ready"*"several files define it with equal claim"*src/list.c*src/list2.c* ]]
	add toy "$TREE" --skip 'src/list2.c'
	[ "$status" -eq 0 ]
	listed src/list.c
	add toy "$TREE" --use '*/list2.c'
	[ "$status" -eq 0 ]
	listed src/list2.c && ! listed src/list.c
	cp "$TREE/src/list.c" "$TREE/src/list2.c"
	add toy "$TREE"
	[ "$status" -eq 0 ]
	[[ $output == *"several of the same contents"* ]]
}

@test "an assembler dialect that GCC cannot read is passed over, or named when there is nothing else" {
	make_toy "$TREE"
	put "$TREE/port/cm3/switch.s" <<-'EOF'
		        AREA |.text|, CODE, READONLY
		        EXPORT toy_pendsv
		        EXPORT toy_svc
		toy_pendsv PROC
		        BX LR
		        ENDP
	EOF
	add toy "$TREE"
	[ "$status" -eq 0 ]
	listed port/gcc/cm3/switch.S
	rm "$TREE/port/gcc/cm3/switch.S"
	add toy "$TREE"
	[ "$status" -eq 5 ]
	[[ $output == *"symbol toy_pendsv"*"cannot be used"*"port/cm3/switch.s (GCC says: "* ]]
}

@test "symbols that only a macro spells out are found by compiling" {
	make_toy "$TREE"
	sed -i 's/^int toy_tasks.*/extern int toy_tasks[];/' "$TREE/src/kernel.c"
	printf '#ifdef TOY_HERE\n#define TOY_VAR\n#else\n#define TOY_VAR extern\n#endif\nTOY_VAR int toy_tasks[4];\n' > "$TREE/include/toyvars.h"
	printf '#define TOY_HERE\n#include "toyvars.h"\n' > "$TREE/src/vars.c"
	add toy "$TREE"
	[ "$status" -eq 0 ]
	listed src/vars.c
	[[ $output == *"defines it once compiled"* ]]
	# a second one for debuggers stands behind, and is named; one of equal claim is a question
	cp "$TREE/src/vars.c" "$TREE/src/__dbg_vars.c"
	"$RTBENCH" kernel remove toy
	add toy "$TREE"
	[ "$status" -eq 0 ]
	listed src/vars.c
	[[ $output == *__dbg_vars.c* ]]
	{ cat "$TREE/src/vars.c"; echo 'int more;'; } > "$TREE/src/more.c"
	"$RTBENCH" kernel remove toy
	add toy "$TREE"
	[ "$status" -ne 0 ]
	[[ $output == *"several files define it with equal claim"* ]]
}

@test "symlinks: loops, links out of the tree, linked files" {
	make_toy "$TREE"
	ln -s . "$TREE/loop"
	ln -s ../.. "$TREE/src/up"
	ln -s /usr/share "$TREE/outside"
	mv "$TREE/src/list.c" "$TREE/real_list.c"
	ln -s ../real_list.c "$TREE/src/list.c"
	mkdir "$BATS_TEST_TMPDIR/l" && ln -s "$TREE" "$BATS_TEST_TMPDIR/l/tree"
	add toy "$BATS_TEST_TMPDIR/l/tree"
	[ "$status" -eq 0 ]
	[[ $output == *"outside leads out of the trees and was not followed"* ]]
	entry | grep -qF "path = \"$TREE\""
}

@test "spaces and other letters in the path" {
	odd="$BATS_TEST_TMPDIR/My kernels (new) \$1 #2 it's"
	mkdir "$odd"
	make_toy "$odd"
	mkdir "$odd/more src" && mv "$odd/src/list.c" "$odd/more src/the list.c"
	mv "$odd/port/gcc/cm3/switch.S" "$odd/port/gcc/cm3/switch.asm"
	add toy "$odd"
	[ "$status" -eq 0 ]
	listed "more src/the list.c" && listed port/gcc/cm3/switch.asm
	run "$RTBENCH" kernel check toy; echo "$status $output"
	[ "$status" -eq 0 ]
}

@test "20 000 unrelated files around it" {
	make_toy "$TREE/vendor/kernel"
	for d in {1..100}; do
		mkdir -p "$TREE/stuff/d$d"
		for i in {1..200}; do echo "int unrelated_${d}_$i(void) { return 0; }" > "$TREE/stuff/d$d/f$i.c"; done
	done
	add toy "$TREE"
	[ "$status" -eq 0 ]
	[[ $output == *"looked at: 2000"* ]]
	listed vendor/kernel/src/kernel.c
}

@test "not a kernel at all, not a directory, nothing there" {
	echo hello > "$TREE/readme.txt"
	add something "$TREE"
	[ "$status" -eq 5 ]
	[[ $output == *"no kernel that there is a port for"* ]]
	add toy "$TREE/readme.txt"
	[ "$status" -eq 2 ]
	add toy /nonexistent
	[ "$status" -eq 2 ]
	[ ! -e "$RTBENCH_KERNEL_DIR" ]
}

@test "two kernels in one tree: --port decides; the port of the entry's name needs no asking" {
	make_toy "$TREE/one"
	make_toy "$TREE/two" doll
	cp -r firmware/ports/toy firmware/ports/doll
	mv firmware/ports/doll/config/toyconfig.h firmware/ports/doll/config/dollconfig.h
	sed -i 's/toy_run/TOYRUN/; s/toy/doll/g; s/TOY_TASKS/DOLL_TASKS/; s/TOYRUN/toy_run/' firmware/ports/doll/*.* firmware/ports/doll/config/*
	sed -i 's/doll_run/toy_run/g' firmware/ports/doll/port.c
	add k "$TREE"
	[ "$status" -eq 5 ]
	[[ $output == *"several kernels seem to be in there: doll, toy"* ]]
	add k "$TREE" --port doll
	[ "$status" -eq 0 ]
	listed two/src/kernel.c k && ! listed one/src/kernel.c k
	add toy "$TREE"
	[ "$status" -eq 0 ]
	listed one/src/kernel.c
}

@test "a configuration that no source includes comes before all of them by PORT_CONFIG" {
	make_toy "$TREE"
	sed -i '/toyconfig\.h/d' "$TREE/src/kernel.c"
	add toy "$TREE"
	[ "$status" -ne 0 ]
	entry | grep -q '^complete = false'
	echo 'PORT_CONFIG := toyconfig.h' >> firmware/ports/toy/port.mk
	add toy "$TREE"
	[ "$status" -eq 0 ]
	entry | grep -q '^complete = true'
}

@test "a source is out of the question: what it lacks, and what to do" {
	make_toy "$TREE"
	sed -i '1i #include "chip.h"' "$TREE/src/list.c"
	put "$TREE/boards/a/chip.h" </dev/null
	put "$TREE/boards/b/chip.h" </dev/null
	echo '#define CHIP 1' > "$TREE/boards/b/chip.h"
	add toy "$TREE"
	[ "$status" -eq 5 ]
	[[ $output == *"src/list.c (needs chip.h, which several files are called: --include DIR, or one beside port_impl.h)"* ]]
	echo '#define CHIP 2' > firmware/ports/toy/chip.h
	add toy "$TREE"
	[ "$status" -eq 0 ]
	! entry | grep -q boards
	rm firmware/ports/toy/chip.h
	rm -r "$TREE/boards/b"
	mkdir -p "$TREE/port/gcc/cm7"
	mv "$TREE/boards/a/chip.h" "$TREE/port/gcc/cm7/"
	add toy "$TREE"
	[ "$status" -eq 5 ]
	[[ $output == *"src/list.c (needs chip.h, which is there for other cores or compilers only: one beside port_impl.h may stand for it)"* ]]
}

@test "the port is found by its headers" {
	make_toy "$TREE"
	add my-kernel "$TREE"
	[ "$status" -eq 0 ]
	[[ $output == *"port toy (the only one whose headers are all there)"* ]]
}

@test "a kernel that comes as a library" {
	make_toy "$TREE"
	(cd "$TREE" && mkdir lib o && for f in src/kernel.c src/list.c port/gcc/cm3/switch.S; do
		arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 -Iinclude -Iport/gcc/cm3 -I"$HOME_DIR/firmware/ports/toy/config" \
			-c "$f" -o "o/$(basename "$f").o"; done && arm-none-eabi-ar rcs lib/libtoy.a o/*.o)
	rm -r "$TREE/src" "$TREE/o" "$TREE/port/gcc/cm3/switch.S"
	add toy "$TREE"
	[ "$status" -eq 0 ]
	listed lib/libtoy.a
	entry | grep -q '^source = \[\]'
	run "$RTBENCH" kernel check toy; echo "$status $output"
	[ "$status" -eq 0 ]
}

@test "check: a file that went, a tree that moved, a symbol that is gone" {
	make_toy "$TREE"
	add toy "$TREE"
	sed -i 's/toy_ready(int i)/toy_readied(int i)/' "$TREE/src/list.c"
	run "$RTBENCH" kernel list; echo "$status $output"
	[[ $output == *"toy"*"changed since checked"* ]]
	run "$RTBENCH" kernel check toy; echo "$status $output"
	[ "$status" -eq 5 ]
	[[ $output == *"files in use have changed"* ]]
	[[ $output == *"symbol toy_ready"*"not defined by anything listed"* ]]
	mv "$TREE/src/list.c" "$TREE/src/other.c"
	sed -i 's/toy_readied/toy_ready/' "$TREE/src/other.c"
	run "$RTBENCH" kernel check toy; echo "$status $output"
	[ "$status" -eq 5 ]
	[[ $output == *"src/list.c: listed in the entry, but not there"* ]]
	sed -i 's/list\.c/other.c/' "$RTBENCH_KERNEL_DIR/toy.toml"
	run "$RTBENCH" kernel check toy; echo "$status $output"
	[ "$status" -eq 0 ]
	mv "$TREE" "$TREE-moved"
	run "$RTBENCH" kernel list; echo "$status $output"
	[[ $output == *"toy"*"tree is gone"* ]]
	run "$RTBENCH" kernel check toy; echo "$status $output"
	[ "$status" -eq 2 ]
	[[ $output == *"$TREE"* ]]
}

@test "git: commit, description and dirtiness; the index is not refreshed" {
	make_toy "$TREE"
	git -C "$TREE" init -q && git -C "$TREE" add -A
	git -C "$TREE" -c user.name=t -c user.email=t@t commit -qm x && git -C "$TREE" tag v2.5.1
	add toy "$TREE"
	[ "$status" -eq 0 ]
	entry | grep -qF "commit = \"$(git -C "$TREE" rev-parse HEAD)\""
	entry | grep -qF 'describe = "v2.5.1"'
	entry | grep -qF 'dirty = false'
	touch "$TREE/src/kernel.c"
	before=$(fingerprint "$TREE")
	echo >> "$TREE/src/list.c"
	touch -d @0 "$TREE/src/list.c"
	before=$(fingerprint "$TREE")
	add toy "$TREE"
	entry | grep -qF 'dirty = true'
	[ "$before" = "$(fingerprint "$TREE")" ]
}

@test "an entry that is not right says where" {
	make_toy "$TREE"
	add toy "$TREE"
	sed -i 's/^port = .*/port = 5/' "$RTBENCH_KERNEL_DIR/toy.toml"
	run "$RTBENCH" kernel check toy; echo "$status $output"
	[ "$status" -eq 3 ]
	[[ $output == *"toy.toml:3:1"* ]]
	run "$RTBENCH" kernel list; echo "$status $output"
	[ "$status" -eq 0 ]
	[[ $output == *"toy.toml:3:1"* ]]
}

@test "usage, names, remove" {
	run "$RTBENCH" kernel
	[ "$status" -eq 2 ]
	add toy
	[ "$status" -eq 2 ]
	add ../toy "$TREE"
	[ "$status" -eq 2 ]
	add toy "$TREE" --port nothing
	[ "$status" -eq 2 ]
	[[ $output == *'there is no port "nothing"'* ]]
	make_toy "$TREE"
	add toy "$TREE" --include nowhere
	[ "$status" -eq 2 ]
	add toy "$TREE"
	[ "$status" -eq 0 ]
	run "$RTBENCH" kernel remove toy
	[ "$status" -eq 0 ]
	run "$RTBENCH" kernel remove toy
	[ "$status" -eq 2 ]
	[ -e "$TREE/src/kernel.c" ]
}
