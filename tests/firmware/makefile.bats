# firmware/Makefile: what is rebuilt when, and that nothing but sources and flags shows in the image.

setup() {
	cd "$RTB_SRCDIR/firmware"
	out=$BATS_TEST_TMPDIR/out
}

# Quiet but for what is compiled.
fw() {
	make --no-print-directory OUT="$out" "$@"
}

# The image has no such text, debug data included.
holds_no() {
	run grep -aFc "$1" "$out/rtbench.elf"
	[ "$output" -eq 0 ]
}

compiled() {
	printf '%s\n' "${lines[@]}" | grep -c '^  CC ' || true
}

@test "an unchanged cell compiles and links nothing" {
	fw KERNEL=mini OPT=O2
	run fw KERNEL=mini OPT=O2
	[ "$status" -eq 0 ]
	[[ "$output" == *"Nothing to be done"* ]]
}

@test "other flags rebuild everything, and the level reaches the compiler" {
	run fw KERNEL=mini OPT=O0
	all=$(compiled)
	[ "$all" -gt 30 ]
	run fw KERNEL=mini OPT=Os
	[ "$(compiled)" -eq "$all" ]
	run readelf -p .GCC.command.line "$out/rtbench.elf"
	[[ "$output" == *" -Os"* && "$output" != *" -O0"* ]]
	run fw KERNEL=mini OPT=Os INSTR=1
	[ "$(compiled)" -eq "$all" ]
}

@test "a touched source recompiles itself, a touched header its users" {
	cp -r "$RTB_SRCDIR"/{firmware,include,targets} "$BATS_TEST_TMPDIR/"
	cd "$BATS_TEST_TMPDIR/firmware"
	run fw
	all=$(compiled)
	touch core/stat.c
	run fw
	[ "$(compiled)" -eq 1 ]
	touch core/frame_out.h
	run fw
	[ "$(compiled)" -gt 1 ]
	[ "$(compiled)" -lt "$all" ]
	touch cases/yield.c && mv cases/yield.c cases/other.c
	run fw
	[ "$(compiled)" -gt 0 ] # the list of files is an input too
}

@test "the same bytes in another directory, and no directory's name in them" {
	fw KERNEL=mini OPT=O2
	cp -r "$RTB_SRCDIR"/{firmware,include,targets} "$BATS_TEST_TMPDIR/"
	make -s -C "$BATS_TEST_TMPDIR/firmware" OUT="$BATS_TEST_TMPDIR/elsewhere/out" KERNEL=mini OPT=O2
	cmp "$out/rtbench.elf" "$BATS_TEST_TMPDIR/elsewhere/out/rtbench.elf"
	cmp "$out/footprint.elf" "$BATS_TEST_TMPDIR/elsewhere/out/footprint.elf"
	holds_no "$RTB_SRCDIR"
	holds_no "$BATS_TEST_TMPDIR"
}

@test "nothing is written outside OUT" {
	cp -r "$RTB_SRCDIR"/{firmware,include,targets} "$BATS_TEST_TMPDIR/"
	find "$BATS_TEST_TMPDIR"/{firmware,include,targets} | sort > "$BATS_TEST_TMPDIR/before"
	make -s -C "$BATS_TEST_TMPDIR/firmware" OUT="$out"
	find "$BATS_TEST_TMPDIR"/{firmware,include,targets} | sort | cmp - "$BATS_TEST_TMPDIR/before"
}

@test "what cannot be is said in one line" {
	run fw OPT=O9
	[ "$status" -ne 0 ]
	[[ "$output" == *"OPT=O9: want one of"* ]]
	run fw KERNEL=nosuch
	[ "$status" -ne 0 ]
	[[ "$output" == *"KERNEL=nosuch: not a kernel of this repository"* ]]
	run fw TARGET=nosuch
	[ "$status" -ne 0 ]
	[[ "$output" == *"TARGET=nosuch: no "* ]]
	run fw INSTR=yes
	[ "$status" -ne 0 ]
	[[ "$output" == *"INSTR=yes: want 0 or 1"* ]]
}

@test "an image too large for a memory says for which and by how much" {
	cp -r "$RTB_SRCDIR"/{firmware,include,targets} "$BATS_TEST_TMPDIR/"
	cd "$BATS_TEST_TMPDIR/firmware"
	echo 'const char ballast[200000] = { 1 }; const char *load(void); const char *load(void) { return ballast; }' > core/ballast.c
	sed -i 's/^int main(void)$/const char *load(void);\n&/; s/^	boot_init();$/&\n	__asm volatile("" : : "r"(load()));/' core/bench.c
	run fw
	[ "$status" -ne 0 ]
	[[ "$output" == *"region \`FLASH' overflowed by "*" bytes"* ]]
	rm core/ballast.c && cp "$RTB_SRCDIR/firmware/core/bench.c" core/bench.c
	sed -i 's/RTB_ARENA_MIN 10240/RTB_ARENA_MIN 20480/' core/bench.h
	run fw
	[ "$status" -ne 0 ]
	[[ "$output" == *"region \`RAM' overflowed by "*" bytes"* ]]
}

# mini, taken for a kernel of someone else's: sources and warnings that are not ours.
@test "a kernel from outside the repository, as sources and as a library" {
	tree=$BATS_TEST_TMPDIR/tree
	cp -r kernels/mini "$tree"
	rm "$tree/kernel.mk"
	echo 'static int sloppy(x) { return 1; }' >> "$tree/mini_sync.c"
	cat > "$BATS_TEST_TMPDIR/entry.mk" <<-EOF
		KERNEL_ROOT := $tree
		KERNEL_SRCS := $(echo "$tree"/*.c)
		KERNEL_INCS := $tree
		KERNEL_DEFS := MINI_DEBUG=\$(INSTR)
		PORT := mini
	EOF
	fw KERNEL=theirs KERNEL_MK="$BATS_TEST_TMPDIR/entry.mk"
	holds_no "$BATS_TEST_TMPDIR"
	arm-none-eabi-nm "$out/rtbench.elf" | grep -q ' T mini_yield$'

	mv "$out/kernel.a" "$tree/libtheirs.a"
	sed -i "s|^KERNEL_SRCS.*|KERNEL_LIBS := $tree/libtheirs.a|" "$BATS_TEST_TMPDIR/entry.mk"
	fw KERNEL=theirs KERNEL_MK="$BATS_TEST_TMPDIR/entry.mk"
	arm-none-eabi-nm "$out/rtbench.elf" | grep -q ' T mini_yield$'
}
