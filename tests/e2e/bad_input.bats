#!/usr/bin/env bats
# What is wrong is said in one line that names the file and the line or the device, with the
# documented exit code, and before anything is built or stored.

bats_require_minimum_version 1.5.0
load run.bash

setup() { setup_project; }

# fails CODE TEXT ARGS...: rtbench ARGS ends with CODE, its first error line holds TEXT, and there
# is no database
fails() {
	local code=$1 text=$2
	shift 2
	run --separate-stderr "$rtbench" "$@"
	echo "exit $status: $stderr"
	[ "$status" -eq "$code" ]
	[[ "${stderr_lines[0]}" == *"$text"* ]]
	[ ! -e r.db ]
}

matrix='target = ["virtual-gd32f103"]
kernel = ["mini"]
opt = ["O2"]'

@test "unknown keys, wrong types and values, with file and line" {
	project "$matrix" 'smaples = 3'
	fails 3 'rtbench.toml:5:1: unknown key "smaples" in [matrix]; known are: target, kernel, opt,' run --matrix
	project "$matrix" 'samples = "many"'
	fails 3 'rtbench.toml:5:1: samples must be an integer, not a string' run --matrix
	project 'target = "virtual-gd32f103"'
	fails 3 'rtbench.toml:2:1: target must be an array of strings, not a string' run --matrix
	project "$matrix" 'repeat = 0'
	fails 3 'rtbench.toml:5:1: repeat must be 1 to 1000, not 0' run --matrix
	project 'opt = ["O9"]'
	fails 3 'rtbench.toml:2:8: opt cannot be "O9"; it is one of: O0 O1 O2 O3 Os Og' run --matrix
	echo '[matrix' > rtbench.toml
	fails 3 'rtbench.toml:1:' run --matrix
	fails 3 'nosuch.toml: No such file or directory' run --matrix --config nosuch.toml
}

@test "a matrix of nothing and one of thousands" {
	project
	fails 3 'rtbench.toml:1:1: the matrix expands to nothing: no target is named' run --matrix
	project "$matrix" '[[exclude]]' 'kernel = "mini"'
	fails 3 'rtbench.toml:1:1: the matrix expands to nothing: [[exclude]] leaves out every cell' run --matrix
	project "$matrix" 'repeat = 1000' 'instrumented = "both"' 'limit = 1999'
	fails 3 'the matrix expands to 2000 runs (2 cells x 1000), more than the limit of 1999' run --matrix
	run "$rtbench" run --matrix --limit 2000 --dry-run
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "2000 runs: 2 cells x 1000" ]]
	fails 3 'more than the limit of 10' run --matrix --limit 10
}

@test "no such kernel, target, case, level" {
	project 'target = ["virtual-gd32f103"]' 'opt = ["O2"]' 'kernel = ["mini",' '  "linux"]'
	fails 3 'rtbench.toml:5:3: no kernel "linux"' run --matrix
	project "$matrix"
	fails 2 'no kernel "linux"' run --kernel linux --opt O2
	fails 2 'no target "moon"' run --target moon --kernel mini --opt O2
	fails 2 'no case "sleep"; there are: calibrate, yield' run --kernel mini --opt O2 --case sleep
	fails 2 "--opt wants one of O0 O1 O2 O3 Os Og, not 'O9'" run --kernel mini --opt O9
	fails 2 "--samples wants a whole number" run --kernel mini --opt O2 --samples -5
	fails 2 "--instrumented wants yes, no or both, not 'perhaps'" run --kernel mini --opt O2 --instrumented perhaps
}

@test "without --matrix it is one cell" {
	project "$matrix"
	fails 2 "name one cell" run
	fails 2 "--opt is missing" run --kernel mini
	fails 2 "several values of --opt are a matrix" run --kernel mini --opt O2 --opt O3
	fails 2 "--instrumented both is a matrix" run --kernel mini --opt O2 --instrumented both
	fails 2 "takes no operand" run --kernel mini --opt O2 mini
	run "$rtbench" run --kernel mini --opt Os --dry-run
	[ "$status" -eq 0 ]
	[[ "$output" == *"virtual-gd32f103 mini Os, repeat 1"* ]]
}

@test "a target.toml that is wrong" {
	project "$matrix"
	board bad '[link]' 'spec = "unix:x"' 'bauds = 3'
	fails 3 'targets/bad/target.toml:4:1: unknown key "bauds" in [link]' run --kernel mini --opt O2 --target bad
	board bad '[[memory]]' 'name = "A"' 'kind = "rom"' 'base = 0' 'size = 1'
	fails 3 'targets/bad/target.toml:4:1: kind cannot be "rom"; it is one of: flash ram' run --kernel mini --opt O2 --target bad
}

@test "compiler missing, too old, broken" {
	project "$matrix"
	echo 'cross = "no-such-"' >> rtbench.toml
	fails 4 'the compiler no-such-gcc is not installed' run --matrix
	script old-gcc <<< 'case $1 in --version) echo "old-gcc 4.8.1";; *) echo 4.8.1;; esac'
	project "$matrix"
	echo "cross = \"$PWD/old-\"" >> rtbench.toml
	fails 4 "old-gcc is version 4.8.1; 11 or newer is needed" run --matrix
}

@test "OpenOCD missing, too old, unknown" {
	virtual_board v "" /nonexistent/openocd
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O2"]'
	fails 4 '/nonexistent/openocd is not installed' run --matrix
	script ocd <<< 'echo "Open On-Chip Debugger 0.10.0" >&2'
	virtual_board v "" "$PWD/ocd"
	fails 4 'is "Open On-Chip Debugger 0.10.0"; 0.12 or newer is needed' run --matrix
}

@test "a database that is none" {
	project "$matrix"
	echo "this is a letter, not a database, and long enough to be looked at" > letter.db
	run --separate-stderr "$rtbench" run --kernel mini --opt O2 --db letter.db
	[ "$status" -eq 9 ]
	[[ "${stderr_lines[0]}" == *"letter.db"* ]]
	[ "$(cat letter.db)" = "this is a letter, not a database, and long enough to be looked at" ]
	run --separate-stderr "$rtbench" run --kernel mini --opt O2 --db /proc/none/r.db
	[ "$status" -eq 9 ]
}

@test "a port that is not there, and a board that is in use" {
	script ocd <<< 'echo "Open On-Chip Debugger 0.12.0" >&2'
	board real '[link]' 'spec = "serial:/dev/nosuchtty"' 'open_wait_ms = 50' '[openocd]' "program = \"$PWD/ocd\"" 'probe_usb = ""'
	project 'target = ["real"]' 'kernel = ["mini"]' 'opt = ["O2"]'
	run "$rtbench" run --matrix
	echo "$output"
	[ "$status" -eq 7 ]
	[ "$(query 'select status from v_run')" = "port absent" ]
	[[ "$(query 'select error from v_run')" == *"/dev/nosuchtty"* ]]
	# the way on leads to the same database
	run "$rtbench" run --matrix --db own.db
	[[ "$output" == *$'\n'"go on with: rtbench run --resume=1 --db own.db"$'\n'* ]]
	[[ "$output" == *"; rtbench show 1 --db own.db"* ]]
	# the lock file is the kernel's lock with a name in it
	local lock=$(grep -l 'link:/dev/nosuchtty' "$RTBENCH_LOCK_DIR"/rtbench-*.lock)
	echo "pid 4711 since 2026-01-01T00:00:00.000Z" > "$lock"
	run flock "$lock" "$rtbench" run --matrix
	[ "$status" -eq 12 ]
	[[ "$output" == *"real is in use by pid 4711 since 2026-01-01"* ]]
	run flock "$lock" "$rtbench" run --matrix --wait=1
	[ "$status" -eq 12 ]
	[[ "$output" == *"waiting: real is in use by pid 4711"* ]]
	# once its holder is gone the board is taken: what follows is the missing port again
	flock "$lock" sleep 1 3>&- &
	run "$rtbench" run --matrix --wait
	[ "$status" -eq 7 ]
	run "$rtbench" run --matrix --wait=never
	[ "$status" -eq 2 ]
}

teardown() { umount small 2> /dev/null || true; }

@test "a disk that is full: before the sweep, and in the midst of storing" {
	mkdir small
	mount -t tmpfs -o size=440k rtbench-test small || skip "tmpfs cannot be mounted here"
	project "$matrix" 'samples = 50' 'case = ["yield"]'
	run --separate-stderr "$rtbench" run --matrix --db small/r.db
	echo "$output $stderr"
	[ "$status" -eq 9 ]
	[[ "$stderr" == *"KiB are left where "*"small/r.db is; stopping before the next cell"*"disk full: make room"* ]]
	[[ "$output" == *"go on with: rtbench run --resume=1 --db small/r.db"* ]]
	[ "$(sqlite3 small/r.db "select count(*) from run")" = 0 ]
	# more than fits, at once: nothing of it is there, all that was is
	local mkdb=$RTB_BUILDDIR/tests/tools/mkdb
	"$mkdb" small/r.db repeats=3
	"$mkdb" big.db repeats=600
	for words in "merge big.db --into small/r.db" "db backup small/copy.db --db big.db" "export --db big.db -o small/x.csv"; do
		run "$rtbench" $words
		echo "$words: $status: $output"
		[ "$status" -eq 9 ]
		[[ "$output" == *"disk full: make room"* ]]
	done
	[ "$(ls small)" = r.db ]
	run "$rtbench" db check --db small/r.db
	[ "$status" -eq 0 ]
	[ "$(sqlite3 small/r.db "select count(*) from run")" = 3 ]
	mount -o remount,size=16m small
	"$rtbench" merge big.db --into small/r.db
	[ "$(sqlite3 small/r.db "select count(*) from run")" = 603 ]
}
