#!/bin/sh
# Runs the small programs on the virtual board. A program passes when it declares success; that
# this is not automatic is shown by two that do not.
vboard=$BUILD/rtbench-vboard
out=$BUILD/tests/vboard/fw
passed=0 failed=0

expect() { # exit code, program
	timeout 60 "$vboard" --load "$2" --semihosting --cycles 200000000 > "$out/last.txt" 2>&1
	got=$?
	if [ $got -eq "$1" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$2: exit $got instead of $1"
		cat "$out/last.txt"
	fi
}

for level in O0 O2; do
	for name in "$@"; do
		expect 0 "$out/$name.$level.elf"
	done
	expect 1 "$out/failing.$level.elf"
	expect 124 "$out/undeclared.$level.elf"
done

# The same cycles every time: two traces of one program are one file.
for n in 1 2; do
	timeout 60 "$vboard" --load "$out/interrupts.O2.elf" --semihosting --cycles 1000000 \
		--trace "$out/trace$n.txt" || failed=$((failed + 1))
done
if [ -s "$out/trace1.txt" ] && cmp -s "$out/trace1.txt" "$out/trace2.txt"; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	echo "two runs of one program differ"
fi

echo "vboard-programs: $passed passed, $failed failed"
[ $failed -eq 0 ]
