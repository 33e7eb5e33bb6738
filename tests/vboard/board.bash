# Shared by the bats files: a board with sockets of its own, and OpenOCD at its debug port.

FW=$RTB_BUILDDIR/tests/vboard/fw
DBG=$BATS_TEST_TMPDIR/dbg

# The debug port as RTB_ADAPTER says (bitbang when nobody does): options of the board, and what
# OpenOCD has to know.
case ${RTB_ADAPTER:=bitbang} in
bitbang)   PORT="--bitbang unix:$DBG" ADAPTER="RTBENCH_BITBANG $DBG" ;;
buspirate) PORT="--buspirate pty:$DBG" ADAPTER="RTBENCH_BUSPIRATE $DBG" ;;
esac

# Starts the board and waits for its ready line, which is left in $READY.
board_start() {
	mkfifo "$BATS_TEST_TMPDIR/out"
	"$RTB_BUILDDIR/rtbench-vboard" "$@" > "$BATS_TEST_TMPDIR/out" 2> "$BATS_TEST_TMPDIR/err" 3>&- &
	BOARD=$!
	exec 8< "$BATS_TEST_TMPDIR/out"
	read -t 30 -r -u 8 READY || { cat "$BATS_TEST_TMPDIR/err"; return 1; }
}

# Ends it; its exit status is this function's.
board_stop() {
	[ -n "$BOARD" ] || return 0
	kill "$BOARD" 2> /dev/null
	local pid=$BOARD
	BOARD=
	exec 8<&-
	wait "$pid"
}

port_of() { # name in the ready line
	sed "s/.*$1=tcp:\([0-9]*\).*/\1/" <<< "$READY"
}

# OpenOCD with the target's own file; one command a parameter. Output in $output.
ocd() {
	local args=()
	for c in "$@"; do args+=(-c "$c"); done
	run timeout 60 openocd -c "set $ADAPTER" \
		-f "$RTB_SRCDIR/targets/virtual-gd32f103/openocd.cfg" \
		-c "gdb_port disabled; tcl_port disabled; telnet_port disabled" "${args[@]}" 3>&- 8<&-
	echo "$output"
}

has() { grep -qF -- "$1" <<< "$output" || { echo "not in the output: $1"; return 1; }; }
lacks() { ! grep -qF -- "$1" <<< "$output" || { echo "in the output: $1"; return 1; }; }

# Address of a symbol.
sym() { arm-none-eabi-nm "$2" | sed -n "s/^\([0-9a-f]*\) . $1\$/0x\1/p"; }
