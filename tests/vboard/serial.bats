# The serial line, the faults that hit it, and the board as a process.

load board.bash

teardown() { exec 6>&- 7>&-; board_stop || true; }

line() { IFS= read -r -t 20 -u 6 LINE; }
# Reads up to a line; whether "boot 1" was still heard depends on how soon the client came.
until_line() { LINE=; until [ "$LINE" = "$1" ]; do line; done; }

# A board with the echo program; the line is descriptor 6.
echo_board() {
	board_start --load $FW/echo.O2.elf --serial tcp:0 "$@"
	exec 6<> /dev/tcp/127.0.0.1/$(port_of serial)
}

# What comes before the program listens is lost, as on the chip: knock until it answers.
knock() {
	until IFS= read -r -t 1 -u 6 LINE; do echo '~' >&6; done
}

@test "bytes both ways over TCP" {
	echo_board
	knock
	echo hello >&6
	until_line HELLO
	printf R >&6
	line
	[ "$LINE" = "boot 2" ]
}

@test "bytes both ways over a pty, and the link goes away" {
	board_start --load $FW/echo.O2.elf --serial pty:$BATS_TEST_TMPDIR/tty
	[ -L $BATS_TEST_TMPDIR/tty ]
	exec 6<> $BATS_TEST_TMPDIR/tty
	knock
	echo hello >&6
	until_line HELLO
	exec 6>&-
	exec 6<> $BATS_TEST_TMPDIR/tty # who comes back finds the board as it was
	printf R >&6
	line
	[ "$LINE" = "boot 2" ]
	board_stop
	[ ! -L $BATS_TEST_TMPDIR/tty ]
}

@test "a client that comes back hears nothing of what it missed" {
	echo_board
	knock
	printf 'Rx\n' >&6
	exec 6>&-
	exec 6<> /dev/tcp/127.0.0.1/$(port_of serial)
	echo again >&6
	until_line AGAIN
	! IFS= read -r -t 0 -u 6
}

@test "a flood arrives whole through a pty" {
	board_start --load $FW/echo.O2.elf --serial pty:$BATS_TEST_TMPDIR/tty
	exec 6<> $BATS_TEST_TMPDIR/tty
	knock
	printf 'Q\n' >&6
	until_line Q
	printf F >&6
	timeout 60 head -n 20000 <&6 > $BATS_TEST_TMPDIR/got
	for ((n = 0; n < 20000; n++)); do printf '%05x abcdefgh\n' $n; done > $BATS_TEST_TMPDIR/want
	cmp $BATS_TEST_TMPDIR/want $BATS_TEST_TMPDIR/got
}

@test "fault: every fifth character is lost" {
	echo_board --fault serial-drop:5,boot=2
	knock
	printf R >&6
	until_line boot2 # the fifth, a space, is missing
	echo abcdefgh >&6 # counted on from 8: C and H are the tenth and the fifteenth
	line
	[ "$LINE" = ABDEFG ]
}

@test "fault: every sixth character has a wrong bit, always the same" {
	for try in 1 2; do
		rm -f $BATS_TEST_TMPDIR/out
		echo_board --fault serial-flip:6,boot=2
		knock
		echo go >&6
		until_line GO
		printf R >&6
		line
		got[$try]=$LINE
		exec 6>&-
		board_stop
	done
	[ "${got[1]}" = "${got[2]}" ]
	[ "${got[1]}" != "boot 2" ]
	[ ${#got[1]} -eq 6 ]
}

@test "fault: a reset on its own, in one boot" {
	echo_board --fault reset@50000000,boot=2
	knock
	printf R >&6
	until_line "boot 2"
	until_line "boot 3" # nobody asked for it
	echo alive >&6
	line
	[ "$LINE" = ALIVE ]
}

@test "fault: a hang ends with the next reset" {
	echo_board --bitbang unix:$DBG --fault hang@30000000,boot=1
	ocd 'init; shutdown'
	ocd 'init; halt' 'shutdown' # a core that does not fetch still answers its debug port
	ocd 'init; reset run; shutdown'
	echo x >&6
	until_line X
}

@test "fault: silent in one boot only" {
	echo_board --fault serial-silent,boot=2
	knock
	printf RR >&6
	line
	until [ "$LINE" = "boot 3" ]; do [ "$LINE" != "boot 2" ]; line; done
}

@test "a wrong clock is heard as a wrong rate" {
	echo_board --baud 115200 --fault clock:0.9,boot=2
	knock
	echo ok >&6
	until_line OK
	printf R >&6
	IFS= LC_ALL=C read -r -t 20 -N 7 -u 6 LINE
	[ -n "$LINE" ]
	[ "$LINE" != $'boot 2\n' ]
}

@test "a counter that stays 0" {
	run timeout 60 $RTB_BUILDDIR/rtbench-vboard --load $FW/clock.O2.elf --semihosting --cycles 200000000 --fault dwt-stuck
	[ $status -eq 1 ]
	[[ $output == *cycles* ]]
}

@test "a board that has nothing to do sleeps" {
	board_start --bitbang unix:$DBG
	for ((i = 0; i < 1000; i++)); do
		read -r _ _ state _ < /proc/$BOARD/stat
		[ $state = S ] && break
	done
	for ((i = 0; i < 300; i++)); do
		read -r _ _ state _ < /proc/$BOARD/stat
		[ $state = S ]
	done
}

@test "real time is not faster than the clock" {
	local t0=${EPOCHREALTIME/./}
	run timeout 60 $RTB_BUILDDIR/rtbench-vboard --load $FW/tasks.O2.elf --cycles 4000000 --realtime
	[ $status -eq 0 ]
	local us=$((${EPOCHREALTIME/./} - t0))
	[ $us -ge 490000 ] # 4 M cycles of 8 MHz
}

@test "ends on TERM, takes its socket files along" {
	board_start --bitbang unix:$DBG --serial unix:$BATS_TEST_TMPDIR/ser
	[ -S $DBG ] && [ -S $BATS_TEST_TMPDIR/ser ]
	[ "$READY" = "ready bitbang=unix:$DBG serial=unix:$BATS_TEST_TMPDIR/ser" ]
	board_stop
	[ ! -e $DBG ] && [ ! -e $BATS_TEST_TMPDIR/ser ]
}

@test "a socket in use is refused, a dead one replaced, another file kept" {
	board_start --bitbang unix:$DBG
	run timeout 20 $RTB_BUILDDIR/rtbench-vboard --bitbang unix:$DBG
	[ $status -eq 7 ]
	[[ $output == *"$DBG"* ]]
	kill -9 $BOARD
	wait $BOARD || true
	BOARD=
	[ -S $DBG ]
	rm $BATS_TEST_TMPDIR/out
	board_start --bitbang unix:$DBG
	board_stop
	echo precious > $DBG
	run timeout 20 $RTB_BUILDDIR/rtbench-vboard --bitbang unix:$DBG
	[ $status -eq 7 ]
	[ "$(cat $DBG)" = precious ]
}

@test "unusable files and options: one line and their own exit status" {
	run $RTB_BUILDDIR/rtbench-vboard --load /nonexistent.elf --cycles 5
	[ $status -eq 2 ] && [ ${#lines[@]} -eq 1 ] && [[ $output == *nonexistent* ]]
	run $RTB_BUILDDIR/rtbench-vboard --load $RTB_SRCDIR/VERSION --cycles 5
	[ $status -eq 5 ] && [ ${#lines[@]} -eq 1 ] && [[ $output == *VERSION* ]]
	run $RTB_BUILDDIR/rtbench-vboard --load $RTB_BUILDDIR/rtbench-vboard --cycles 5
	[ $status -eq 5 ] && [[ $output == *32-bit* ]]
	run $RTB_BUILDDIR/rtbench-vboard --wrong
	[ $status -eq 2 ] && [[ $output == *--wrong* ]]
	run $RTB_BUILDDIR/rtbench-vboard --load $FW/echo.O2.elf --cycles 5 --trace /nonexistent/t
	[ $status -eq 9 ] && [[ $output == */nonexistent/t* ]]
	run $RTB_BUILDDIR/rtbench-vboard --help
	[ $status -eq 0 ] && [[ $output == *brownout@flash:N* ]]
}
