#!/usr/bin/env bats
# What we hold for kernels of others: their configuration headers by themselves; and, where
# RTBENCH_TEST_KERNELS names a kernel directory, every kernel in it on the virtual board.

setup_file() {
	export SRC=${RTB_SRCDIR:-$PWD}
	RTBENCH=$(cd "${RTB_BUILDDIR:-$SRC/build}" && pwd)/rtbench
	export RTBENCH
}

@test "configuration headers compile on their own, plain and instrumented" {
	count=0
	for header in "$SRC"/firmware/ports/*/config/*.h; do
		for instr in 0 1; do
			echo "#include \"$header\"" | arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=gnu11 -Wall -Wextra -Werror \
				-DRTB_INSTR=$instr -DRTB_TICK_HZ=1000u -I"$SRC/firmware" -fsyntax-only -x c -
			count=$((count + 1))
		done
	done
	[ $count -gt 0 ]
}

@test "each port opens with its fairness decisions and names its handlers and what it offers" {
	for port in "$SRC"/firmware/ports/*/; do
		grep -q 'Fairness: ' "$port/port_impl.h"
		for key in PORT_VERSION PORT_SVC PORT_PENDSV PORT_SYSTICK PORT_OFFERS; do
			grep -q "^$key *:=" "$port/port.mk"
		done
	done
}

@test "mini as a library, through an entry, is the kernel it is as sources" {
	tree=$BATS_TEST_TMPDIR/mini
	mkdir -p "$tree/include" "$tree/lib" "$BATS_TEST_TMPDIR/o"
	cp "$SRC"/firmware/kernels/mini/*.h "$tree/include/"
	for f in "$SRC"/firmware/kernels/mini/*.c; do
		arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=gnu11 -O2 -ffreestanding -ffunction-sections -fdata-sections \
			-DMINI_DEBUG=0 -I"$SRC/firmware" -I"$SRC/include" -c "$f" -o "$BATS_TEST_TMPDIR/o/$(basename "$f").o"
	done
	arm-none-eabi-ar rcs "$tree/lib/libmini.a" "$BATS_TEST_TMPDIR"/o/*.o
	cd "$SRC"
	run "$RTBENCH" kernel add mini-lib "$tree" --port mini --define MINI_DEBUG=0 --kernel-dir "$BATS_TEST_TMPDIR/k"
	echo "$output"
	[ "$status" -eq 0 ]
	grep -q '"lib/libmini.a",' "$BATS_TEST_TMPDIR/k/mini-lib.toml"
	grep -q '^source = \[\]' "$BATS_TEST_TMPDIR/k/mini-lib.toml"
	# the name is the user's own, the board answers with the port's; the figures are mini's
	export RTBENCH_KERNEL_DIR=$BATS_TEST_TMPDIR/k RTBENCH_HOME=$SRC
	cd "$BATS_TEST_TMPDIR"
	declare -A figure
	for kernel in mini mini-lib; do
		run "$RTBENCH" run -t virtual-gd32f103 -k $kernel -O O2 -i no -s 200 --case yield
		echo "$output"
		[ "$status" -eq 0 ]
		[[ $output == *": trusted;"* ]]
		figure[$kernel]=$(echo "$output" | awk '$4 == "yield" { print $6, $7, $8, $9, $10 }')
		[ -n "${figure[$kernel]}" ]
	done
	[ "${figure[mini]}" = "${figure[mini-lib]}" ]
}

@test "every kernel of RTBENCH_TEST_KERNELS measures" {
	[ -n "$RTBENCH_TEST_KERNELS" ] || skip "RTBENCH_TEST_KERNELS names no kernel directory"
	export RTBENCH_KERNEL_DIR=$RTBENCH_TEST_KERNELS RTBENCH_HOME=$SRC
	cd "$BATS_TEST_TMPDIR"
	found=0
	for entry in "$RTBENCH_TEST_KERNELS"/*.toml; do
		name=$(basename "$entry" .toml)
		for instr in no yes; do
			run "$RTBENCH" run -t virtual-gd32f103 -k "$name" -O O2 -i $instr -s 200
			echo "$output"
			[ "$status" -eq 0 ]
			[[ $output == *": trusted;"* ]]
		done
		found=$((found + 1))
	done
	[ $found -gt 0 ]
}
