#!/bin/sh
# Emulated speed: our core in cycles a second and against a 108 MHz board, and the same work on
# QEMU's Cortex-M3 counting instructions (-icount), in the same run. Times are processor time,
# so that other programs on the machine disturb little; the ratios are what can be compared
# between machines.
dir=$1
set -e

# user + system seconds of QEMU on one image
qemu() {
	/usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time qemu-system-arm -M mps2-an385 -display none \
		-monitor none -serial none -icount shift=0,sleep=off \
		-semihosting-config enable=on,target=native -kernel "$0" >/dev/null 2>&1' "$1" 2>&1 |
		awk '{ print $1 + $2 }'
}

for load in work switches; do
	set -- $("$dir/bench_vboard" "$dir/$load-many.bin")
	long=$(qemu "$dir/$load-many.elf")
	short=$(qemu "$dir/$load-none.elf")
	echo "$load $1 $2 $3 $long $short"
done | awk '
	{
		rate = $2 / $3 / 1e6; other = $5 - $6
		printf "  %-9s %7.1f M cycles/s, %5.2f x real time at 108 MHz; QEMU -icount takes %.2f x our time; %.1f MiB\n",
			$1, rate, rate / 108, other / $3, $4 / 1024
		if ($4 > 32 * 1024) { print "  over 32 MiB"; bad = 1 }
		if ($1 == "work" && rate < 108) { print "  slower than the board"; bad = 1 }
	}
	END { exit bad }'
