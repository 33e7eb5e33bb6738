#!/bin/bash
# Where the wall time of a sweep goes, on one virtual board and on two: four cells with 100 000
# samples a case, images built beforehand so that the boards do not wait for a compiler that has
# other cells to share the machine with.
set -eu
rtbench=$RTB_BUILDDIR/rtbench
samples=${SAMPLES:-100000}
# all but those that sample once a tick, which would make any board look busy
cases=${CASES:-calibrate yield sem_wake queue_wake isr_to_task sem_pair queue_pair mutex_pair mutex_inherit
	isr_latency isr_to_task_mid isr_to_task_busy irq_load footprint}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export RTBENCH_HOME=$RTB_SRCDIR RTBENCH_LOCK_DIR=$dir

project() {
	printf '[matrix]\ntarget = ["virtual-gd32f103"]\nkernel = ["bare", "mini"]\nopt = ["O2", "Os"]\nsamples = %s\ncase = [%s]\n' \
		"$samples" "$(printf '"%s", ' $cases)" > rtbench.toml
	local b
	for b in "$@"; do printf '[[board]]\nname = "%s"\ntarget = "virtual-gd32f103"\n' "$b" >> rtbench.toml; done
}

# boards, then what one sweep on them says of its time
split() {
	local out
	out=$("$rtbench" run --matrix --db "$1.db" 2> log) || { cat log; echo "$out"; exit 1; }
	grep 'waiting for builds' <<< "$out"
	# of the time that the boards were there: the phases as stored, against the sweep's own length
	sqlite3 "$1.db" "select printf('  %d board(s): measuring %.3f, flash %.3f, boot %.3f, waiting for builds %.3f, store %.3f, else %.3f',
		$1, m / t, f / t, b / t, w / t, s / t, (t - m - f - b - w - s) / t) from (select sum(measure_ms) as m, sum(flash_ms) as f,
		sum(boot_ms) as b, sum(wait_ms) as w, sum(store_ms) as s,
		(select (ended_ns - started_ns) / 1e6 from sweep) * $1 as t from run)"
}

project
"$rtbench" run --matrix --samples 10 --case yield --db warm.db -q > /dev/null
echo "sweep of 4 cells, $samples samples of $(wc -w <<< "$cases") cases"
split 1
project left right
split 2
share=$(sqlite3 1.db "select sum(measure_ms) / ((select ended_ns - started_ns from sweep) / 1e6) from run")
awk -v s="$share" 'BEGIN { printf "on one board it measures %.3f of the time; wanted: 0.9\n", s }'
