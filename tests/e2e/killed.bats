#!/usr/bin/env bats
# rtbench killed with SIGKILL in each phase by its name. What is in hand says itself that it has got
# there, over a pipe, so that nothing depends on how long anything takes.

bats_require_minimum_version 1.5.0
load run.bash

setup() {
	setup_project
	mkfifo phase
	exec 7<> phase
	export PHASE=$PWD/phase
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O1", "O2"]' 'samples = 200' 'case = ["yield", "sem_wake"]'
}

# once WORD: shell text that says the word the first time, since the one that goes on must not be killed
once() { echo '[ -e "$0.did" ] || { touch "$0.did"; echo '"$1"' > "$PHASE"; }'; }

# What carries this test's environment is gone, if not at once then without anybody's help.
no_process_left() {
	python3 - "$BATS_TEST_TMPDIR" <<- 'EOF'
		import os, select, sys, time
		mark, until = b"RTBENCH_LOCK_DIR=" + sys.argv[1].encode(), time.monotonic() + 20
		def ours(pid):
		    try:
		        with open(f"/proc/{pid}/environ", "rb") as f:
		            return pid != os.getpid() and mark in f.read().split(b"\0") and os.pidfd_open(pid)
		    except OSError:
		        return None  # gone, or somebody else's
		for pid in [int(p) for p in os.listdir("/proc") if p.isdigit()]:
		    fd = ours(pid)
		    if fd and not select.select([fd], [], [], max(0, until - time.monotonic()))[0]:
		        sys.exit(f"{open(f'/proc/{pid}/comm').read().strip()} is left")
	EOF
}

figures() { query "select opt, repeat, \"case\", series, n, min, max, mean, p99, imax from v_record
	join (select id from run where sweep_id = $1 and status = 'ok') on id = run order by 1, 2, 3, 4"; }

# killed_in PHASE RUNS: starts a sweep, kills it there, and sees that these many runs are stored
killed_in() {
	local word=
	"$rtbench" run --matrix --json > events 2> errors 7>&- &
	pid=$!
	read -r -t 120 -u 7 word || { cat events errors; return 1; }
	[ "$word" = "$1" ]
	kill -9 $pid
	wait $pid && false || [ $? -eq 137 ]
	[[ "$(grep -o '"phase":"[a-z]*"' events | tail -1)" == *"\"$1\""* ]]
	no_process_left
	side_log=$(stat -c %s r.db-wal 2> /dev/null || echo 0)
	"$rtbench" db check --db r.db
	[ "$(query "select count(*) from run")" = "$2" ]
}

# What was lost is done, what was there stays, and nothing differs from a sweep that was left alone.
goes_on() {
	run "$rtbench" run --resume
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"2 of 2 runs, 2 good, 0 failed"* ]]
	[ "$(query "select count(*), count(distinct opt) from v_run where sweep = 1 and status = 'ok'")" = "2|2" ]
	[ "$(query "select count(*) from v_run where sweep = 1 and status <> 'ok'")" = 0 ]
	run "$rtbench" run --matrix
	[ "$status" -eq 0 ]
	[ "$(figures 1 | wc -l)" = 4 ]
	[ "$(figures 1)" = "$(figures 2)" ]
	"$rtbench" db check --db r.db
	no_process_left
}

@test "killed while make builds" {
	mkdir bin
	script bin/make <<- EOF
		$(type -P make) "\$@" &
		$(once build)
		wait \$!
	EOF
	virtual_board v "" ""
	sed -i "s|^work.*|work = \"$PWD/own\"|" rtbench.toml
	PATH=$PWD/bin:$PATH killed_in build 0
	goes_on
}

@test "killed while OpenOCD writes the flash" {
	script ocd <<- EOF
		[ "\$1" = --version ] && exec openocd --version
		openocd "\$@" 2>&1 | while IFS= read -r line; do
			printf '%s\n' "\$line"
			[ "\$line" != RTB:step=write ] || { $(once flash); }
		done
		exit \${PIPESTATUS[0]}
	EOF
	virtual_board v "" "$PWD/ocd"
	killed_in flash 0
	goes_on
}

# The board stands still in the midst of a case when it says so: the kill comes before the limit.
@test "killed while the board measures" {
	script vboard <<- EOF
		[ -e "\$0.did" ] && exec $RTB_BUILDDIR/rtbench-vboard "\$@"
		exec $RTB_BUILDDIR/rtbench-vboard "\$@" --verbose --fault hang@3200000,restart=3 \\
			2> >(while read -r line; do [[ "\$line" != *strikes* ]] || { $(once measure); }; done)
	EOF
	virtual_board v "$PWD/vboard" "" '[limits]' 'heartbeat_ms = 60000'
	sed -i 's/"yield", "sem_wake"/"yield", "sem_wake", "queue_wake", "isr_to_task"/; s/^samples.*/samples = 10000/' rtbench.toml
	killed_in measure 0
	grep -q '"case":"isr_to_task"' events
	sed -i 's/, "queue_wake", "isr_to_task"//' rtbench.toml
	goes_on
}

@test "killed while it stores, in the midst of the transaction" {
	script ocd <<- EOF
		[ "\$1" = --version ] && exec openocd --version
		next
		[ \$n != 2 ] || touch arm
		exec openocd "\$@"
	EOF
	virtual_board v "" "$PWD/ocd"
	export STALL_ARM=$PWD/arm STALL_FIFO=$PHASE STALL_AT=3
	LD_PRELOAD=$RTB_BUILDDIR/tests/tools/stall.so killed_in store 1
	[ "$side_log" -gt 0 ]
	kept=$(query "select run, started, uid from v_run")
	goes_on
	[ "$(query "select run, started, uid from v_run where run = 1")" = "$kept" ]
}
