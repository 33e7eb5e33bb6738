# For tests that run cells: a project of its own in the test's directory, with the committed
# board and firmware, images shared between the tests of a file.

setup_project() {
	rtbench=$RTB_BUILDDIR/rtbench
	export RTBENCH_HOME=$RTB_SRCDIR RTBENCH_LOCK_DIR=$BATS_TEST_TMPDIR
	cd "$BATS_TEST_TMPDIR" || exit 1
}

# project KEY=VALUE-LINES...: writes rtbench.toml with these lines in [matrix]
project() {
	{
		echo "[matrix]"
		printf '%s\n' "$@"
		printf '[store]\ndb = "r.db"\nwork = "%s"\n[build]\njobs = 1\n' "$BATS_FILE_TMPDIR/work"
	} > rtbench.toml
}

# board NAME LINES...: a variant of the committed board made of these lines
board() {
	local name=$1
	shift
	mkdir -p "targets/$name"
	{ echo 'base = "gd32f103cbt6"'; printf '%s\n' "$@"; } > "targets/$name/target.toml"
}

# virtual_board NAME SERVICE OPENOCD LINES...: the virtual board, with other programs in the place
# of rtbench-vboard or openocd unless they are empty
virtual_board() {
	local name=$1 service=${2:-rtbench-vboard} openocd=${3:-openocd}
	shift 3
	board "$name" 'time_base = "virtual"' \
		'[link]' 'spec = "unix:{serial}"' \
		'[service]' "command = [\"$service\", \"--mcu\", \"gd32f103cb\", \"--buspirate\", \"pty:{debug}\", \"--serial\", \"unix:{serial}\"]" \
		'[openocd]' "program = \"$openocd\"" 'probe_usb = ""' \
		"config = [\"$RTB_SRCDIR/targets/virtual-gd32f103/openocd.cfg\"]" \
		'before = ["set RTBENCH_BUSPIRATE {debug}"]' "$@"
}

# script NAME: an executable in the test's directory, from standard input. `next` in it counts
# its calls and sets n.
script() {
	{
		echo '#!/bin/bash'
		echo 'next() { n=$(( $(cat "$0.count" 2>/dev/null || echo 0) + 1 )); echo $n > "$0.count"; }'
		cat
	} > "$1"
	chmod +x "$1"
}

query() { sqlite3 r.db "$1"; }
