#!/usr/bin/env bats
# Every check of check.def on a fault that the virtual board or the image really has, and all of
# them silent on a board and an image that have none. Images that are wrong come from copies of
# the firmware with a few lines changed; one image holds several faults where each shows in a
# case of its own, for it is building that takes the time.

bats_require_minimum_version 1.5.0
load run.bash

setup() { setup_project; }

# doctored NAME: a copy of the firmware, in which `patched` then changes lines; it is what the
# project builds from now on
doctored() {
	export RTBENCH_HOME=$BATS_FILE_TMPDIR/$1
	mkdir -p "$RTBENCH_HOME"
	cp -r "$RTB_SRCDIR/firmware" "$RTB_SRCDIR/include" "$RTB_SRCDIR/targets" "$RTBENCH_HOME/"
}

# patched FILE SED-SCRIPT: fails when nothing has changed
patched() {
	sed -i.orig -E "$2" "$RTBENCH_HOME/$1"
	! cmp -s "$RTBENCH_HOME/$1" "$RTBENCH_HOME/$1.orig" || { echo "$1: nothing to change"; return 1; }
	rm "$RTBENCH_HOME/$1.orig"
}

# measure VERDICT-EXIT-CODE ARGUMENTS...: one cell of mini at O2, unless they say something else
measure() {
	local want=$1
	shift
	run "$rtbench" run --matrix "$@"
	echo "$output"
	query 'select * from v_finding'
	[ "$status" -eq "$want" ]
}

# fires CHECK SEVERITY [CASE [SERIES]]: there is such a finding; names it for the last test
fires() {
	echo "$1" >> "$BATS_FILE_TMPDIR/fired"
	[ "$(query "select count(*) > 0 from v_finding where \"check\" = '$1' and severity = '$2'
		and ('$3' = '' or \"case\" = '$3') and ('$4' = '' or series = '$4')")" = 1 ] ||
		{ echo "$1 did not fire as $2 in '$3' '$4'"; return 1; }
}

silent_in() { [ "$(query "select count(*) from v_finding where \"case\" = '$1'")" = 0 ]; }
verdict() { query "select group_concat(distinct verdict) from v_run"; }
says() { query "select reason from v_finding where \"check\" = '$1'" | grep -F "$2"; }

mini() { project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O2"]' "$@"; }

@test "nothing wrong: all checks are silent" {
	virtual_board v "" ""
	project 'target = ["v"]' 'kernel = ["bare", "mini"]' 'opt = ["O2"]' 'samples = 1000' 'repeat = 2' \
		'case = ["calibrate", "yield", "sem_wake", "queue_wake", "isr_to_task", "mutex_pair"]'
	measure 0
	[ "$(query 'select count(*) from v_finding')" = 0 ]
	[ "$(verdict)" = trusted ]
	"$rtbench" show latest --json > run.json
	[ "$(sqlite3 :memory: "select json_array_length(readfile('run.json'), '\$.findings')")" = 0 ]
}

@test "faults of the board: counter that stands still, debugger that stays" {
	virtual_board v "" "" '[limits]' 'case_ms = 60000'
	sed -i 's/"unix:{serial}"\]/"unix:{serial}", "--fault", "dwt-stuck"]/' targets/v/target.toml
	mini 'samples = 200' 'case = ["yield"]'
	measure 8
	[ "$(verdict)" = rejected ]
	fires counter_moves rejected
	fires counter_moves rejected yield
	fires below_cost rejected yield
	fires read_cost rejected
	# stored and exported, with its reasons; compared with nothing
	"$rtbench" export -o x.csv
	[ "$(sqlite3 :memory: -cmd '.import --csv x.csv t' 'select verdict, findings from t')" = \
		"rejected|counter_moves counter_runs read_cost below_cost" ]
	run "$rtbench" compare latest latest
	[ "$status" -eq 11 ]
	[[ "$output" == *"no usable runs: 0 failed, 1 rejected"* ]]
	rm r.db*
	virtual_board v "" ""
	sed -i 's/"unix:{serial}"\]/"unix:{serial}", "--fault", "debugger-attached"]/' targets/v/target.toml
	measure 0
	[ "$(verdict)" = suspect ]
	fires debugger suspect
	says debugger "halting debug is enabled"
}

@test "faults of the clock: the real one is slower than the registers say" {
	virtual_board v "" ""
	sed -i 's/"unix:{serial}"\]/"unix:{serial}", "--realtime", "--fault", "clock:0.8"]/; s/time_base = "virtual"/time_base = "real"/' \
		targets/v/target.toml
	mini 'samples = 20000' 'case = ["yield"]'
	measure 8
	fires clock_measured rejected
	says clock_measured "against 108000000 Hz set: -"
	[ "$(query "select count(*) from v_finding where \"check\" <> 'clock_measured'")" = 0 ]
}

@test "a chip whose clock registers nobody can read; too few samples" {
	virtual_board v "" "" '[mcu]' 'name = "GD32F103CBT6"' 'family = "other"' 'hclk_hz = 108_000_000'
	mini 'samples = 99' 'case = ["yield"]'
	measure 0
	fires complete suspect
	says complete "clock_set"
	fires few_samples suspect yield
	says few_samples "only 99 samples"
	[ "$(verdict)" = suspect ]
}

@test "another image than the one built: refused before there is a figure" {
	virtual_board v "" ""
	mini 'samples = 200' 'case = ["yield"]'
	doctored build_id
	patched firmware/core/report.c '/^static void hello/,/^}/s/board_build_id\(\)/(const uint8_t[20]){ 0 }/'
	measure 8
	[ "$(query "select count(*) from v_record")" = 0 ]
	[[ "$(query 'select error from v_run')" == *"the board runs build 0000000000000000000000000000000000000000"* ]]
}

@test "faults of cases: each is found in its own case, and nowhere else" {
	virtual_board v "" ""
	mini 'samples = 1000' 'case = ["yield", "sem_wake", "queue_wake", "sem_pair", "mutex_pair", "queue_pair"]'
	doctored cases
	# the measured call is gone
	patched firmware/cases/yield.c '/rtb_measured_yield\(void\)$/,/^}/s/rtb_yield\(\);//'
	# the wake-up waits for the next tick
	patched firmware/cases/sem_wake.c '/rtb_measured_sem_wake\(void\)$/,/^}/s/(rtb_sem_give)/rtb_delay(1); \1/'
	# somebody prints, once
	patched firmware/cases/queue_wake.c 's/^(.s\.start = cycles_now\(\);)/\1\n\tif (s.sends == 300)\n\t\tfor (const char *p = "\\nsomething to say\\n"; *p; p++)\n\t\t\tboard_put((uint8_t)*p);/'
	# the kernel's own use of the counter sets it
	patched firmware/cases/sem_pair.c '/rtb_measured_sem_pair_give/,/^}/s/(rtb_sem_give)/DWT_CYCCNT += 0xa0000000u; \1/'
	# a stack that is too small; what it runs over is not needed
	patched firmware/cases/mutex_pair.c 's/RTB_TASK\(worker\);/rtb_task worker; uint32_t below[64]; RTB_STACK(worker_stack, 64);/'
	measure 8
	fires calls_present rejected yield
	[ "$(query "select reason from v_finding where \"check\" = 'calls_present'")" = \
		"the measured call is not between the counter reads: yield: nothing is called between the reads" ]
	fires below_cost rejected yield
	fires tick_phase suspect sem_wake
	says tick_phase "samples lie near whole tick periods (108000 cycles)"
	fires outlier suspect queue_wake
	says outlier "at sample 2"
	fires counter_wrap rejected sem_pair give
	fires stack rejected
	says stack "stack of worker (64 bytes): the last word was overwritten"
	silent_in mutex_pair
	silent_in queue_pair
	[ "$(query "select count(distinct \"case\"||\"check\") from v_finding where \"case\" in ('yield', 'sem_wake', 'queue_wake')")" = 4 ]
	[ "$(verdict)" = rejected ]
}

@test "faults of the bench: sums, samples thrown out, another's name, bits left behind" {
	virtual_board v "" ""
	mini 'samples = 500' 'case = ["yield"]'
	doctored bench
	patched firmware/core/stat.c 's/s->sum \+= value;/s->sum += value + (s->n == 7);/'
	patched firmware/core/report.c 's/"discarded", 0\)/"discarded", 20)/'
	patched firmware/ports/mini/port.c 's/rtb_kernel_name\[\] = "mini"/rtb_kernel_name[] = "maxi"/'
	# the first ready is damaged on its way
	patched firmware/core/report.c '/^static void ready/,/^}/s/^(.frame_begin)/\tnoise();\n\1/'
	patched firmware/core/report.c 's/^(static void ready\(void\))/static void noise(void)\n{\n\tstatic bool done;\n\tfor (const char *p = "\\x1e{\\"t\\":\\"ready\\"}*00000000\\n"; *p \&\& !done; p++)\n\t\tboard_put((uint8_t)*p);\n\tdone = true;\n}\n\n\1/'
	# as a probe that was pulled out in the middle would leave it
	patched firmware/core/boot.c 's/^(.rtb_boot.demcr = )/\tDCB_DEMCR |= 0x401; \/* VC_HARDERR, VC_CORERESET *\/\n\tRTB_REG(0xE0042004) = 7;\n\1/'
	measure 8
	fires order rejected yield
	fires discarded suspect yield
	says discarded "20 of 520 samples were thrown out"
	fires identity rejected
	says identity "kernel: asked for mini, the board says maxi"
	fires line suspect
	fires debug_leftovers suspect
	says debug_leftovers "vector catch is on (DEMCR 0x"
	says debug_leftovers "clocks are kept alive in sleep (DBGMCU_CR 0x"
}

@test "faults of time: PLL, tick, a tick that is stopped, a core that sleeps" {
	virtual_board v "" ""
	mini 'samples = 300' 'case = ["yield", "task_jitter"]'
	doctored time
	patched targets/gd32f103cbt6/clock.c 's/PLLMUL\(27\)/PLLMUL(26)/'
	patched firmware/ports/mini/port.c 's/mini_start\(BOARD_HCLK, RTB_TICK_HZ\)/mini_start(BOARD_HCLK, 900)/'
	# idle stops the tick for half a period and sleeps until the next
	patched firmware/kernels/mini/mini_sched.c '/^static void idle/,/^}/s/^.*nop.*$/{ MINI_SYST_CSR \&= ~1u; for (volatile unsigned i = 0; i < 8000; i++) ; MINI_SYST_CSR |= 1u; __asm volatile("wfi"); }/'
	patched firmware/kernels/mini/mini_sched.c 's/^(#include "mini_internal.h")/\1\n#define MINI_SYST_CSR (*(volatile uint32_t *)0xE000E010)/'
	measure 8
	fires clock_set rejected
	says clock_set "declared 108000000 Hz, but the registers make 104000000 Hz"
	fires tick_rate rejected
	fires tickless suspect task_jitter
	fires counter_runs suspect task_jitter
	silent_in yield
}

@test "a counter that the compiler reads once" {
	virtual_board v "" ""
	mini 'samples = 200' 'case = ["yield"]'
	doctored merged
	patched firmware/core/cycles.h 's/__asm volatile\("ldr(.*) : "memory"\)/__asm("ldr\1)/'
	measure 8
	fires read_cost rejected
	says read_cost "reading the counter cost 0 cycles"
	fires below_cost rejected yield
	fires calls_present rejected
}

@test "a level that is overridden for one file; a level that reaches nobody" {
	virtual_board v "" ""
	mini 'samples = 200' 'case = ["yield"]'
	doctored level
	patched firmware/Makefile 's/^(.*eval .*call rule,.*TREE_FLAGS\))/\1 $(if $(findstring mini_sync,$(f)),-Os)/'
	measure 8
	fires opt_level rejected
	says opt_level "asked for -O2, the ELF records -Os (GNU C11"
	[ "$(query "select count(*) from v_finding where \"check\" <> 'opt_level'")" = 0 ]
	rm r.db*
	project 'target = ["v"]' 'kernel = ["bare"]' 'opt = ["O2", "O3"]' 'samples = 200' 'case = ["yield"]'
	doctored levels
	sed -i '1i override OPT := O2' "$RTBENCH_HOME/firmware/Makefile"
	measure 8
	fires same_image suspect
	says same_image "the image is byte for byte that of bare O3"
	fires opt_level rejected
	fires identity rejected
}

@test "faults between cells: other work, other wait states, what a reset leaves" {
	virtual_board v "" ""
	project 'target = ["v"]' 'kernel = ["bare", "mini"]' 'opt = ["O2"]' 'samples = 1000' 'case = ["yield", "queue_wake"]'
	doctored cells
	# a queue that loses a bit
	patched firmware/kernels/bare/bare.c '/^uint32_t bare_box_get/,/^}/s/return (.*);/return (\1) \& ~1u;/'
	# one kernel's start-up code asks for a wait state
	patched firmware/ports/bare/port.mk '$a PORT_DEFS := RTB_TEST_WAIT'
	patched targets/gd32f103cbt6/clock.c 's/^(.RCC_CR \|= RCC_CR_HSION;)/#ifdef RTB_TEST_WAIT\n\tRTB_REG(0x40022000) |= 1;\n#endif\n\1/'
	# the second repeat finds something else in RAM than the first
	patched firmware/cases/yield.c 's/^(#include "core\/bench.h")/\1\n#include "core\/boot.h"/;
		/rtb_measured_yield\(void\)$/,/^}/s/^(.rtb_yield\(\);)/\tif (rtb_boot.resets \& 2)\n\t\t__asm volatile(".rept 20\\n\\tnop\\n\\t.endr");\n\1/'
	measure 8
	fires work rejected queue_wake
	fires fairness suspect
	says fairness "flash_acr is"
	[ "$(query "select count(*) from v_finding where \"check\" not in ('work', 'fairness')")" = 0 ]
	rm r.db*
	measure 0 --kernel mini --case yield --repeat 2
	fires repeats suspect yield
	[ "$(query "select count(*) from v_finding")" = 1 ]
}

@test "no check of check.def was left out" {
	# build_id: the session refuses such an image before it is asked, as the test above shows
	"$rtbench" list checks --format csv | tr -d '\r' | tail -n +2 | cut -d, -f1 | grep -vx build_id | sort > all
	sort -u "$BATS_FILE_TMPDIR/fired" > fired
	diff all fired
}
