# The debug port, driven by the OpenOCD and the gdb that people use; run once for each adapter that
# OpenOCD can take it for (RTB_ADAPTER).

load board.bash

teardown() { board_stop || true; }

@test "examine: both TAPs, core, device id and flash size" {
	board_start $PORT --load $FW/tasks.O2.elf
	ocd 'init; halt' 'flash probe 0; shutdown'
	[ $status -eq 0 ]
	has 'tap/device found: 0x3ba00477'
	has 'tap/device found: 0x790007a3'
	has 'Cortex-M3 r2p1 processor detected'
	has 'target has 6 breakpoints, 4 watchpoints'
	has 'device id = 0x20036410'
	has 'flash size = 128 KiB'
	lacks Error
}

@test "dap info walks the ROM table" {
	board_start $PORT --load $FW/tasks.O2.elf
	ocd 'init; echo [dap info]; shutdown'
	has 'AP ID register 0x14770011'
	has 'MEM-AP BASE 0xe00ff003'
	has 'Cortex-M3 SCS'
	has 'Cortex-M3 DWT'
	has 'Cortex-M3 FPB'
}

@test "registers are read and written" {
	board_start $PORT --load $FW/tasks.O2.elf
	ocd 'init; halt' \
	    'for {set i 0} {$i < 13} {incr i} { reg r$i [expr {0x11111111 * $i}] }' \
	    'reg psp 0x20001000; reg primask 1; reg basepri 0x50; reg lr 0x0800abcd' \
	    'targets; step; reg' \
	    'for {set i 5} {$i < 13} {incr i} { echo [reg r$i force] }' \
	    'echo [reg psp force]; echo [reg primask force]; echo [reg basepri force]; echo [reg lr force]' \
	    'shutdown'
	[ $status -eq 0 ]
	has 'r7 (/32): 0x77777777'
	has 'r12 (/32): 0xcccccccc'
	has 'psp (/32): 0x20001000'
	has 'primask (/1): 0x01'
	has 'basepri (/8): 0x50'
	has 'lr (/32): 0x0800abcd'
}

@test "memory is read and written in every width" {
	board_start $PORT --load $FW/tasks.O2.elf
	head -c 5000 /dev/urandom > $BATS_TEST_TMPDIR/data
	ocd 'init; halt; mww 0x20000100 0x11223344 3; mwh 0x20000102 0xbeef; mwb 0x20000107 0x77' \
	    'echo [mdw 0x20000100 3]; echo [mdh 0x20000106 1]; echo [mdb 0x20000103 2]' \
	    "load_image $BATS_TEST_TMPDIR/data 0x20000801 bin" \
	    "dump_image $BATS_TEST_TMPDIR/back 0x20000801 5000" \
	    "verify_image $BATS_TEST_TMPDIR/data 0x20000801 bin" 'shutdown'
	[ $status -eq 0 ]
	has '0x20000100: beef3344 77223344 11223344'
	has '0x20000106: 7722'
	has '0x20000103: be 44'
	cmp $BATS_TEST_TMPDIR/data $BATS_TEST_TMPDIR/back
}

@test "an address where nothing is gives an error and no more" {
	board_start $PORT --load $FW/tasks.O2.elf
	ocd 'init; halt; catch {mdw 0x50000000}; echo "still [mdw 0x1ffff7e0]"; shutdown'
	[ $status -eq 0 ]
	has 'Failed to read memory at 0x50000000'
	has 'still 0x1ffff7e0:'
}

@test "step executes one instruction" {
	board_start $PORT --load $FW/tasks.O2.elf
	# adds r0,#1; adds r0,#3; adds r0,r0,r5; nop in RAM
	ocd 'init; halt; mww 0x20000100 0x30033001; mww 0x20000104 0xbf001940' \
	    'reg r0 0x10; reg r5 0x500; reg pc 0x20000100' \
	    'step; echo "one [reg r0] [reg pc]"; step; echo "two [reg r0]"; step; echo "three [reg r0] [reg pc]"; shutdown'
	has 'one r0 (/32): 0x00000011'
	has 'pc (/32): 0x20000102'
	has 'two r0 (/32): 0x00000014'
	has 'three r0 (/32): 0x00000514'
	has 'pc (/32): 0x20000106'
}

@test "hardware breakpoint in flash, software breakpoint in RAM, watchpoint" {
	local elf=$FW/tasks.O2.elf
	local work=$(sym work $elf) total=$(sym total $elf)
	board_start $PORT --load $elf
	ocd "init; reset halt; bp $work 2 hw; resume; wait_halt 5000; echo \"hw [reg pc]\"; rbp $work" \
	    "wp $total 4 w; resume; wait_halt 5000; echo \"wp [reg pc]\"; rwp $total" \
	    'mww 0x20000200 0xbf00bf00; mww 0x20000204 0xe7fcbf00' \
	    'bp 0x20000204 2; reg pc 0x20000200; resume; wait_halt 5000; echo "sw [reg pc]"; echo "armed [mdh 0x20000204]"' \
	    'rbp 0x20000204; echo "gone [mdh 0x20000204]"; shutdown'
	[ $status -eq 0 ]
	has "hw pc (/32): $work"
	has 'sw pc (/32): 0x20000204'
	has 'armed 0x20000204: be' # the bkpt that OpenOCD put there
	has 'gone 0x20000204: bf00'
	has 'halted due to watchpoint'
}

@test "program, verify, reset run: OpenOCD's own flash algorithm, and the program then works" {
	local elf=$FW/big.O2.elf
	board_start $PORT
	ocd "program $elf verify reset" 'exit'
	[ $status -eq 0 ]
	has '** Programming Finished **'
	has '** Verified OK **'
	arm-none-eabi-objcopy -O binary $elf $BATS_TEST_TMPDIR/bin
	ocd 'init; halt' "dump_image $BATS_TEST_TMPDIR/back 0x08000000 $(stat -c %s $BATS_TEST_TMPDIR/bin)" "shutdown"
	cmp $BATS_TEST_TMPDIR/bin $BATS_TEST_TMPDIR/back
	# The program has summed up its table; it ends at a breakpoint instruction.
	ocd "init; reset run; wait_halt 5000; echo \"verdict [mdw $(sym verdict $elf)]\"; shutdown"
	has "verdict $(sym verdict $elf): 00000001"
}

@test "programming over an old image erases it first" {
	board_start $PORT --load $FW/tasks.O0.elf
	ocd "program $FW/big.O0.elf verify" "program $FW/echo.O2.elf verify" 'exit'
	[ $status -eq 0 ]
	[ $(grep -c 'Verified OK' <<< "$output") -eq 2 ]
}

@test "verify finds another image" {
	board_start $PORT --load $FW/tasks.O0.elf
	ocd "init; reset halt; verify_image $FW/big.O2.elf" 'shutdown'
	[ $status -ne 0 ]
	has 'diff 0 address'
}

@test "mass erase leaves every cell erased" {
	board_start $PORT --load $FW/big.O2.elf
	ocd 'init; reset halt; stm32f1x mass_erase 0; flash erase_check 0' \
	    'echo "first [mdw 0x08000000]"; echo "last [mdw 0x0801fffc]"; shutdown'
	has 'first 0x08000000: ffffffff'
	has 'last 0x0801fffc: ffffffff'
}

@test "option bytes: write protection by OpenOCD, in force after a reset" {
	board_start $PORT
	ocd 'init; reset halt; flash protect 0 0 0 on; echo "before [mdw 0x40022020]"' \
	    'reset halt; echo "after [mdw 0x40022020]"; shutdown'
	[ $status -eq 0 ]
	has 'before 0x40022020: ffffffff'
	has 'after 0x40022020: fffffffe'
	ocd 'init; reset halt' "flash write_image erase $FW/echo.O2.elf" 'shutdown'
	[ $status -ne 0 ]
	has 'stm32x device protected'
	ocd 'init; reset halt; flash protect 0 0 0 off; reset halt' "flash write_image erase $FW/echo.O2.elf" 'shutdown'
	[ $status -eq 0 ]
}

@test "gdb breaks in a task and unwinds" {
	local elf=$FW/tasks.O0.elf
	board_start $PORT --load $elf
	run timeout 60 gdb-multiarch -nx -batch $elf \
		-ex "target extended-remote | openocd -c 'gdb_port pipe; log_output $BATS_TEST_TMPDIR/ocd.log; tcl_port disabled; telnet_port disabled; set $ADAPTER' -f $RTB_SRCDIR/targets/virtual-gd32f103/openocd.cfg" \
		-ex 'monitor reset halt' -ex 'break work if n == 10' -ex 'continue' -ex 'backtrace' \
		-ex 'print n' -ex 'finish' -ex 'next' -ex 'watch rounds' -ex 'continue' 3>&- 8<&-
	echo "$output"; cat $BATS_TEST_TMPDIR/ocd.log
	has '#0  work (n=10)'
	grep -Eq '#1 .* in task_b \(n=5\)' <<< "$output"
	grep -Eq '#2 .* in main \(\)' <<< "$output"
	has '$1 = 10'
	has 'Value returned is'
	has 'New value = 6'
}

@test "gdb loads an image into flash" {
	local elf=$FW/big.O0.elf
	board_start $PORT
	run timeout 60 gdb-multiarch -nx -batch $elf \
		-ex "target extended-remote | openocd -c 'gdb_port pipe; log_output $BATS_TEST_TMPDIR/ocd.log; tcl_port disabled; telnet_port disabled; set $ADAPTER' -f $RTB_SRCDIR/targets/virtual-gd32f103/openocd.cfg" \
		-ex 'monitor reset halt' -ex 'load' -ex 'compare-sections' -ex 'break main' -ex 'continue' -ex 'info symbol $pc' 3>&- 8<&-
	echo "$output"; cat $BATS_TEST_TMPDIR/ocd.log
	has 'Section .text, range 0x8000000'
	has 'matched.'
	grep -q '^main' <<< "$output"
}

@test "connect under reset: the core stands at its reset vector" {
	local elf=$FW/tasks.O2.elf
	board_start $PORT --load $elf
	ocd 'reset_config srst_only srst_nogate connect_assert_srst' 'init; reset halt; echo [reg pc]' \
	    'echo "flags [mdw 0x40021024]"; shutdown'
	[ $status -eq 0 ]
	has "pc (/32): $(sym reset_handler $elf)"
	has 'flags 0x40021024: 0c000000'
}

@test "reset by software sets its flag and keeps DBGMCU_CR" {
	board_start $PORT --load $FW/tasks.O2.elf
	ocd 'init; reset halt; echo "flags [mdw 0x40021024]"; echo "dbg [mdw 0xe0042004]"; shutdown'
	has 'flags 0x40021024: 1c000000'
	has 'dbg 0xe0042004: 00000307'
}

@test "firmware that switches the debug port off: reached under a held reset alone" {
	board_start $PORT --load $FW/swj_off.O2.elf
	ocd 'init; reset halt; shutdown'
	[ $status -ne 0 ]
	has 'JTAG scan chain interrogation failed: all ones'
	lacks 'tap/device found'
	ocd 'reset_config srst_only srst_nogate connect_assert_srst' 'init; reset halt; echo [reg pc]' \
	    'mww 0xe000edfc 0; catch { mww 0xe000edf0 0xa05f0000 }; shutdown' # let go, it is gone in the midst
	[ $status -eq 0 ]
	has "pc (/32): $(sym reset_handler $FW/swj_off.O2.elf)"
	# left to run it is deaf again; programmed while held, it is cured
	ocd 'init; shutdown'
	[ $status -ne 0 ]
	ocd 'reset_config srst_only srst_nogate connect_assert_srst' "program $FW/tasks.O2.elf verify reset" 'exit'
	[ $status -eq 0 ]
	ocd 'init; halt; shutdown'
	[ $status -eq 0 ]
}

@test "a second debugger is turned away" {
	board_start --bitbang tcp:0 --load $FW/tasks.O2.elf
	local port=$(port_of bitbang)
	exec 6<> /dev/tcp/127.0.0.1/$port
	printf 'R' >&6
	read -r -N1 -t 10 -u 6 bit
	[ "$bit" = 0 ]
	exec 7<> /dev/tcp/127.0.0.1/$port
	run read -r -N1 -t 10 -u 7 bit
	[ $status -eq 1 ] # end of file, not the time limit
	exec 6>&- 7>&-
	# The first one's leaving makes room; the board notices before it serves the next.
	exec 6<> /dev/tcp/127.0.0.1/$port
	printf 'R' >&6 || true
	exec 6>&-
}

@test "fault: another debug port id" {
	board_start $PORT --load $FW/tasks.O2.elf --fault idcode:2ba00477
	ocd 'init; shutdown'
	has 'UNEXPECTED: 0x2ba00477'
}

@test "fault: protected flash" {
	board_start $PORT --fault flash-protected
	ocd "program $FW/echo.O2.elf verify reset" 'exit'
	[ $status -ne 0 ]
	has 'protected'
	lacks 'Verified OK'
}

@test "fault: programming that changes nothing is found by verify" {
	board_start $PORT --fault flash-ignored
	ocd "program $FW/echo.O2.elf verify reset" 'exit'
	[ $status -ne 0 ]
	has '** Verify Failed **'
}

@test "fault: a worn cell is found by verify" {
	board_start $PORT --fault flash-worn:08000004
	ocd "program $FW/echo.O2.elf verify reset" 'exit'
	[ $status -ne 0 ]
	has '** Verify Failed **'
}

@test "fault: power fails in the middle of programming, and the next try works" {
	board_start $PORT --fault brownout@flash:1000,once
	ocd "program $FW/big.O2.elf verify reset" 'exit'
	[ $status -ne 0 ]
	lacks 'Verified OK'
	ocd "program $FW/big.O2.elf verify reset" 'exit'
	[ $status -eq 0 ]
	has '** Verified OK **'
}

@test "fault: only the second session is hit" {
	board_start $PORT --fault flash-ignored,session=2
	ocd "program $FW/echo.O2.elf verify reset" 'exit'
	[ $status -eq 0 ]
	ocd "program $FW/echo.O0.elf verify reset" 'exit'
	[ $status -ne 0 ]
	ocd "program $FW/echo.O0.elf verify reset" 'exit'
	[ $status -eq 0 ]
}

@test "fault: a debugger that stays attached" {
	board_start $PORT --load $FW/tasks.O2.elf --fault debugger-attached
	ocd 'init; shutdown'
	ocd 'init; halt; shutdown' # it can still be used
	[ $status -eq 0 ]
}

@test "debug messages that make no sense do no harm" {
	board_start --bitbang tcp:0 --load $FW/tasks.O2.elf
	exec 6<> /dev/tcp/127.0.0.1/$(port_of bitbang)
	head -c 200000 /dev/urandom | tr -d 'QR' >&6
	printf 'R' >&6
	read -r -N1 -t 10 -u 6 bit
	[[ $bit = [01] ]]
	exec 6>&-
	board_stop
}
