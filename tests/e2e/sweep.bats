#!/usr/bin/env bats
# Whole sweeps: real compiler, real OpenOCD, the virtual board, the real database.

bats_require_minimum_version 1.5.0
load run.bash

setup() { setup_project; }

# status of run N (in the order in which they were done)
status_of() { query "select status from v_run order by run limit 1 offset $(( $1 - 1 ))"; }
error_of() { query "select error from v_run order by run limit 1 offset $(( $1 - 1 ))"; }
# Neither board nor OpenOCD of this test is left: they carry its environment.
no_children() {
	local p
	for p in /proc/[0-9]*; do
		case $(cat "$p/comm" 2> /dev/null) in rtbench*|openocd|ocd|vboard)
			! grep -qs "RTBENCH_LOCK_DIR=$BATS_TEST_TMPDIR" "$p/environ" || return 1 ;;
		esac
	done
}

@test "the committed matrix, twice: every run trusted, every figure the same" {
	cp "$RTB_SRCDIR/rtbench.toml" .
	sed -i "s|^work *=.*|work = \"$BATS_FILE_TMPDIR/work\"|; s|^db *=.*|db = \"r.db\"|; s|^samples *=.*|samples = 1000|; s|^repeat *=.*|repeat = 2|" rtbench.toml
	run "$rtbench" run --matrix
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"24 of 24 runs, 24 good, 0 failed"* ]]
	[ "$(query "select count(*) from v_run where status = 'ok' and verdict = 'trusted'")" = 24 ]
	# five cases, calibrate with three series; bare can do all of them
	[ "$(query "select count(*) from v_record")" = $(( 24 * 7 )) ]
	[ "$(query "select count(*) from (select kernel, opt, instrumented, \"case\", series from v_record
		group by 1, 2, 3, 4, 5 having count(*) = 2 and count(distinct min||' '||max||' '||mean||' '||p99||' '||imax) = 1)")" = $(( 12 * 7 )) ]
	# instrumentation costs mini something at every level
	[ "$(query "select count(*) from v_record a join v_record b using (kernel, opt, \"case\", series, repeat)
		where kernel = 'mini' and \"case\" = 'yield' and a.instrumented = 0 and b.instrumented = 1 and a.min < b.min")" = 6 ]
	# the image that ran is the one that was built, and no debugger was there
	[ "$(query "select count(*) from v_provenance where build_id <> build_id_board or debugger <> 'no'")" = 0 ]
	no_children
}

@test "one bad run of nine: it fails, hangs, or dies, and the others are stored" {
	script ocd <<- EOF
		[ "\$1" = --version ] && exec openocd --version
		next
		case \$n in
		3) echo "Error: error writing to flash at address 0x08000000 at offset 0x00000000"; exit 1;;
		5) sleep 600;;
		7) kill -ABRT \$\$;;
		esac
		exec openocd "\$@"
	EOF
	virtual_board v "" "$PWD/ocd" 'flash_timeout_ms = 15000'
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O0", "O2", "Os"]' 'repeat = 3' 'samples = 100' 'case = ["yield"]'
	run "$rtbench" run --matrix
	echo "$output"
	[ "$status" -eq 6 ]
	[[ "$output" == *"9 of 9 runs, 6 good, 3 failed"* ]]
	[ "$(status_of 3)" = "flash failed" ]
	[[ "$(error_of 3)" == *"error writing to flash"* ]]
	[ "$(status_of 5)" = "flash timeout" ]
	[[ "$(error_of 5)" == *"did not end within 15000 ms"* ]]
	[ "$(status_of 7)" = "flash failed" ]
	[[ "$(error_of 7)" == *"ended by signal 6"* ]]
	[ "$(query "select count(*) from v_run where status = 'ok'")" = 6 ]
	# the port was not read where programming failed: no figures, no silence blamed
	[ "$(query "select count(*) from v_record")" = 6 ]
	# logs of the failed ones are kept, those of the good ones are in the database alone
	[ "$(ls "$BATS_FILE_TMPDIR"/work/logs/sweep-1 | wc -l)" = 3 ]
	grep -q "error writing" "$BATS_FILE_TMPDIR"/work/logs/sweep-1/v-mini-Os-plain-r1/openocd.log
	rm -r "$BATS_FILE_TMPDIR"/work/logs
	no_children
}

@test "--fail-fast stops at the first" {
	script ocd <<- EOF
		[ "\$1" = --version ] && exec openocd --version
		next
		[ \$n = 2 ] && exit 1
		exec openocd "\$@"
	EOF
	virtual_board v "" "$PWD/ocd"
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O2"]' 'repeat = 5' 'samples = 100' 'case = ["yield"]'
	run "$rtbench" run --matrix --fail-fast
	echo "$output"
	[ "$status" -eq 6 ]
	[[ "$output" == *"2 of 5 runs, 1 good, 1 failed; stopped early"* ]]
	# the same for programs: each line an object, progress and warnings alike
	rm ocd.count
	printf '[retry]\nattempts = 2\nbackoff_ms = 1\n' >> rtbench.toml
	"$rtbench" run --matrix --repeat 2 --log-format json > out 2> log
	python3 - <<- 'EOF'
		import json
		lines = [json.loads(line) for line in open("log")]
		assert [(x["level"], x["room"]) for x in lines] == [("note", "sweep"), ("warning", "sweep"), ("warning", "sweep"), ("note", "sweep")], lines
		assert lines[1]["cell"] == "v mini O2" and "attempt 1: flash failed" in lines[1]["message"], lines[1]
		assert lines[2]["cell"] == "v mini O2" and "v: recovery: link and probe, " in lines[2]["message"], lines[2]
		assert lines[3]["status"] == "ok" and lines[3]["board"] == "v" and lines[3]["repeat"] == 2, lines[3]
		assert all(x["time"].endswith("Z") for x in lines)
	EOF
	rm -r "$BATS_FILE_TMPDIR"/work/logs
}

@test "a board that hangs, a line that flips bits, an OpenOCD that is killed" {
	# The board is started anew after a failure, so session=2 is the run after the next one; the
	# first restart after programming is the second case.
	script vboard <<- EOF
		next
		case \$n in
		1) exec $RTB_BUILDDIR/rtbench-vboard "\$@" --fault hang@500000,session=2,restart=3;;
		2) exec $RTB_BUILDDIR/rtbench-vboard "\$@" --fault serial-flip:700,session=2;;
		*) exec $RTB_BUILDDIR/rtbench-vboard "\$@";;
		esac
	EOF
	script ocd <<- EOF
		[ "\$1" = --version ] && exec openocd --version
		next
		[ \$n = 6 ] && { openocd "\$@" & sleep 0.3; kill -9 \$!; wait \$!; kill -9 \$\$; }
		exec openocd "\$@"
	EOF
	virtual_board v "$PWD/vboard" "$PWD/ocd" '[limits]' 'heartbeat_ms = 4000' 'case_ms = 20000'
	project 'target = ["v"]' 'kernel = ["bare", "mini"]' 'opt = ["O0", "O2", "Os"]' 'samples = 1000' 'case = ["yield", "sem_wake", "queue_wake", "isr_to_task"]'
	run "$rtbench" run --matrix
	echo "$output"
	[ "$status" -eq 8 ]
	[[ "$output" == *"6 of 6 runs, 3 good, 3 failed"* ]]
	[ "$(status_of 2)" = "board hung" ]
	[ "$(status_of 4)" = "incomplete" ]
	[ "$(status_of 6)" = "flash failed" ]
	[[ "$(error_of 6)" == *"ended by signal 9"* ]]
	[[ "$(error_of 2)" == "isr_to_task: "* ]]
	for n in 1 3 5; do [ "$(status_of $n)" = ok ]; done
	[ "$(query "select count(*) from v_record where status = 'ok'")" = 12 ]
	# figures of a case that was whole before another one failed are kept beside the failure
	[ "$(query "select count(*) from v_record where status = 'board hung'")" = 3 ]
	rm -r "$BATS_FILE_TMPDIR"/work/logs
	no_children
}

# The last of them in the midst of a case, which takes 276 M cycles.
@test "a board that lies, fails to be written or restarts is told apart" {
	while read -r fault code text; do
		script vboard <<< "exec $RTB_BUILDDIR/rtbench-vboard \"\$@\" --fault $fault"
		virtual_board v "$PWD/vboard" "" '[limits]' 'ready_ms = 3000' 'heartbeat_ms = 20000'
		project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O2"]' 'samples = 500000' 'case = ["yield"]'
		run "$rtbench" run --matrix
		echo "$fault: $status: $output"
		[ "$status" -eq "$code" ]
		[[ "$(query "select status || ': ' || error from v_run order by run desc limit 1")" == *"${text//_/ }"* ]]
	done <<- EOF
		idcode:2ba00477 6 target_id_mismatch:
		flash-protected 6 flash_protected:
		flash-ignored 6 verify_mismatch:
		serial-silent 8 board_silent:
		reset@100000000,restart=2 8 unexpected_reset:
	EOF
	rm -r "$BATS_FILE_TMPDIR"/work/logs
}

@test "figures that cannot be trusted do not pass as good ones" {
	script vboard <<< "exec $RTB_BUILDDIR/rtbench-vboard \"\$@\" --fault dwt-stuck"
	virtual_board v "$PWD/vboard" openocd
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O2"]' 'samples = 100' 'case = ["yield"]'
	run "$rtbench" run --matrix
	echo "$output"
	[ "$status" -eq 8 ]
	[ "$(query "select count(*) from v_run where status = 'ok' and verdict = 'trusted'")" = 0 ]
}

@test "SIGINT ends after storing; nothing is left behind" {
	virtual_board v rtbench-vboard openocd
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O2"]' 'repeat = 50' 'samples = 100' 'case = ["yield"]'
	"$rtbench" run --matrix --json > events &
	pid=$!
	until grep -q '"event":"done"' events; do kill -0 $pid; sleep 0.05; done
	kill -INT $pid
	wait $pid && false || status=$?
	[ "$status" -eq 130 ]
	n=$(grep -c '"event":"done"' events)
	[ "$(query "select count(*) from v_run")" = "$n" ]
	[ "$(query "select status from v_sweep")" = interrupted ]
	[ "$(query "pragma integrity_check")" = ok ]
	tail -1 events | grep -q '"event":"end"'
	no_children
}

@test "--json is one object a line, from plan to end" {
	virtual_board v rtbench-vboard openocd
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O2"]' 'samples = 100' 'case = ["yield"]'
	"$rtbench" run --matrix --json > events
	while read -r line; do
		[ "$(sqlite3 :memory: "select json_valid('${line//\'/\'\'}')")" = 1 ]
	done < events
	[ "$(sqlite3 :memory: "select json_extract('$(sed -n 1p events)', '\$.event', '\$.runs')")" = '["plan",1]' ]
	[ "$(sqlite3 :memory: "select json_extract('$(grep '"done"' events)', '\$.status', '\$.verdict')")" = '["ok","trusted"]' ]
	grep -q '"phase":"measure","case":"yield"' events
}

@test "two sweeps build the same image at once" {
	virtual_board v rtbench-vboard openocd
	project 'target = ["v"]' 'kernel = ["bare"]' 'opt = ["O1"]' 'samples = 100' 'case = ["yield"]'
	sed -i "s|^work.*|work = \"$PWD/own\"|" rtbench.toml
	"$rtbench" run --matrix --db a.db > a.out 2>&1 &
	a=$!
	run "$rtbench" run --matrix --db b.db
	[ "$status" -eq 0 ]
	wait $a
}

@test "an image that the board holds is not written again, unless told to" {
	script ocd <<- 'EOF'
		[ "$1" = --version ] && exec openocd --version
		for a; do script=$a; done
		grep -q write_image "$script" && echo write >> "$0.did" || echo reset >> "$0.did"
		exec openocd "$@"
	EOF
	virtual_board v "" "$PWD/ocd"
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O2"]' 'instrumented = "no"' 'repeat = 3' 'samples = 100' 'case = ["yield"]'
	run "$rtbench" run --matrix
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(tr '\n' ' ' < ocd.did)" = "write reset reset " ]
	[ "$(query "select count(*) from v_provenance where build_id <> build_id_board")" = 0 ]
	[ "$(query "select count(*) from run where store_ms > 0")" = 3 ]
	rm ocd.did
	run "$rtbench" run --matrix --always-flash
	[ "$status" -eq 0 ]
	[ "$(tr '\n' ' ' < ocd.did)" = "write write write " ]
}

# The figures of a sweep, one line a record, whatever way it came about.
figures() { query "select kernel, opt, instrumented, repeat, \"case\", series, min, max, mean, p99 from v_record
	join (select id from run where sweep_id = $1 and status = 'ok') on id = run order by 1, 2, 3, 4, 5, 6"; }

@test "killed at 20 points and resumed each time: one run at most is lost, and nothing differs" {
	project 'target = ["virtual-gd32f103"]' 'kernel = ["bare", "mini"]' 'opt = ["O2"]' 'repeat = 4' 'samples = 50' 'case = ["yield"]'
	run "$rtbench" run --matrix -q
	[ "$status" -eq 0 ]
	local kills=0 rounds=0 done=0 before=0 pid delay rc how=--matrix
	until [ $kills -ge 20 ] && [ "$rc" -eq 0 ]; do
		"$rtbench" run $how -q > out 2>&1 3>&- &
		pid=$!
		# up to a run's length; when all are done, within what comes before and after them
		delay=$(( RANDOM % (done == 8 ? 500 : 3000) ))
		[ $kills -ge 20 ] || { sleep "$(printf '%d.%03d' $(( delay / 1000 )) $(( delay % 1000 )))"; kill -9 $pid 2> /dev/null || true; }
		rc=0
		wait $pid || rc=$?
		[ $rc -ne 137 ] || kills=$(( kills + 1 ))
		[ $rc -eq 137 ] || [ $rc -eq 0 ]
		[ "$(query "pragma integrity_check")" = ok ]
		[ -z "$(query "select id from sweep where id = 2")" ] || how=--resume=2
		done=$(query "select count(*) from run where sweep_id = 2 and status = 'ok'")
		[ "$done" -ge "$before" ]
		before=$done
		rounds=$(( rounds + 1 ))
		[ $rounds -lt 100 ]
	done
	cat out
	echo "$kills kills"
	[ "$kills" -ge 20 ]
	[ "$(query "select count(*), count(distinct cell_id || ' ' || repeat) from run where sweep_id = 2")" = "8|8" ]
	[ "$(query "select count(*) from run where sweep_id > 2")" = 0 ]
	[ -n "$(figures 1)" ]
	[ "$(figures 1)" = "$(figures 2)" ]
	no_children
}

@test "resume does failed runs again, and those that would be others now" {
	script ocd <<- 'EOF'
		[ "$1" = --version ] && exec openocd --version
		next
		[ $n = 2 ] && { echo "Error: error writing to flash at address 0x08000000 at offset 0x00000000"; exit 1; }
		exec openocd "$@"
	EOF
	virtual_board v "" "$PWD/ocd"
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O0", "O2", "Os"]' 'repeat = 1' 'samples = 100' 'case = ["yield"]'
	run "$rtbench" run --matrix
	[ "$status" -eq 6 ]
	[[ "$output" == *"go on with: rtbench run --resume=1"* ]]
	run "$rtbench" run --resume
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"sweep 1 in"*"3 of 3 runs, 3 good, 0 failed, 2 kept"* ]]
	[ "$(cat ocd.count)" = 4 ]
	[ "$(query "select group_concat(attempt || ' ' || status, ', ') from (select * from run where sweep_id = 1 order by id)")" \
		= "1 ok, 1 flash failed, 1 ok, 2 ok" ]
	sed -i 's/^samples = 100/samples = 200/' rtbench.toml
	run "$rtbench" run --resume=1
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"rtbench.toml is not what it was when sweep 1 began"* ]]
	[[ "$output" == *"is done again: another number of samples is wanted now"* ]]
	[[ "$output" == *"3 good, 0 failed"* ]]
	# of all attempts the last count, and it is said
	run "$rtbench" compare --by opt --db r.db
	[ "$status" -eq 10 ]
	[[ "$output" == *"latest, 3 runs, left out: 0 failed, 0 rejected, 4 replaced by other attempts"* ]]
	"$rtbench" list sweeps --db r.db --format csv | grep -q ',3,0,4,' # runs, failed, retried
	run "$rtbench" run --resume --kernel bare
	[ "$status" -eq 2 ]
	[[ "$output" == *"--kernel cannot be given with it"* ]]
	run "$rtbench" run --resume=9
	[ "$status" -eq 2 ]
}

@test "inputs that become what they were: the run that fits them is kept, and tables go by it" {
	project 'target = ["virtual-gd32f103"]' 'kernel = ["mini"]' 'opt = ["O1", "O2"]' 'samples = 100' 'case = ["yield"]'
	counts() { query "select group_concat(run) from (select run from v_run where counts order by run)"; }
	says() {
		"$rtbench" compare --by opt --db r.db > said || [ $? -eq 10 ]
		cat said
		grep -qF "$1" said
	}
	run "$rtbench" run --matrix -q
	[ "$status" -eq 0 ]
	sed -i 's/^samples = 100/samples = 200/' rtbench.toml
	run "$rtbench" run --resume
	[ "$status" -eq 0 ]
	[ "$(counts)" = 3,4 ]
	sed -i 's/^samples = 200/samples = 100/' rtbench.toml
	run "$rtbench" run --resume
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"mini O1, repeat 1: run 1 counts again"* ]]
	[[ "$output" == *"2 of 2 runs, 2 good, 0 failed, 2 kept"* ]]
	[ "$(query "select count(*) from run")" = 4 ]
	[ "$(counts)" = 1,2 ]
	says "latest, 2 runs, left out: 0 failed, 0 rejected, 2 replaced by other attempts"
	[ "$("$rtbench" export --db r.db | tr -d '\r' | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["counts"] == "yes" { print $at["run"], $at["n"] }')" = "$(printf '1 100\n2 100')" ]
	# nothing is said or written where it counts already
	run "$rtbench" run --resume
	[ "$status" -eq 0 ]
	[[ "$output" != *"counts again"* ]]
	[ "$(query "select group_concat(standing) from run")" = 1,1,0,0 ]
	# and what is measured after that counts before it, whatever comes of it
	sed -i 's/^samples = 100/samples = 300/' rtbench.toml
	run "$rtbench" run --resume
	[ "$status" -eq 0 ]
	[ "$(counts)" = 5,6 ]
}

@test "what can heal is tried again; a board that stays sick is set aside" {
	script ocd <<- 'EOF'
		[ "$1" = --version ] && exec openocd --version
		next
		[ $n = 1 ] || [ $n -gt 2 ] && { echo "Error: error writing to flash at address 0x08000000 at offset 0x00000000"; exit 1; }
		exec openocd "$@"
	EOF
	virtual_board v "" "$PWD/ocd"
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O0", "O2", "Os"]' 'repeat = 2' 'samples = 100' 'case = ["yield"]'
	printf '[retry]\nattempts = 2\nbackoff_ms = 1\nset_aside = 2\n' >> rtbench.toml
	run "$rtbench" run --matrix --junit out.xml
	echo "$output"
	[ "$status" -eq 8 ]
	[[ "$output" == *"attempt 1: flash failed"* ]]
	[[ "$output" == *"v is set aside: 2 runs in a row failed"* ]]
	[ "$(cat ocd.count)" = 6 ]
	[ "$(query "select group_concat(attempt || ' ' || status, ', ') from (select * from run order by id)")" = \
		"1 flash failed, 2 ok, 1 flash failed, 2 flash failed, 1 flash failed, 2 flash failed, 1 not run, 1 not run, 1 not run" ]
	[[ "$(query "select distinct error from run where status = 'not run'")" == *"set aside after 2 failed runs in a row"* ]]
	# as a CI server reads it
	python3 - <<- 'EOF'
		import xml.etree.ElementTree as x
		suite = x.parse("out.xml").getroot()[0]
		assert [suite.get(k) for k in ("tests", "errors", "failures", "skipped")] == ["6", "2", "0", "3"], suite.attrib
		cases = suite.findall("testcase")
		assert (cases[0].get("classname"), cases[0].get("name")) == ("v.mini", "O0 repeat 1"), cases[0].attrib
		assert "error writing to flash" in cases[1].find("error").get("message")
		assert cases[1].find("error").get("type") == "flash failed"
		assert "set aside" in cases[5].find("skipped").get("message")
	EOF
}

# The board is the test's own, for a [service] would be started anew after a failure.
@test "the link goes away in the midst of a case and comes back under another name: a retry, and the same figures" {
	local kind vboard relay
	for kind in unix pty; do
		rm -rf targets r.db board dbg line* ready relay.log
		mkfifo ready
		"$RTB_BUILDDIR/rtbench-vboard" --buspirate "pty:$PWD/dbg" --serial "unix:$PWD/board" > ready 2> vboard.err 3>&- &
		vboard=$!
		read -r -t 30 < ready
		python3 "$RTB_SRCDIR/tests/e2e/relay.py" "$PWD/board" $kind "$PWD/line" 2 300 > ready 2> relay.err 3>&- &
		relay=$!
		exec 4< ready
		read -r -t 30 -u 4 first
		board v 'time_base = "virtual"' '[link]' "spec = \"$kind:$PWD/line\"" '[openocd]' 'probe_usb = ""' \
			"config = [\"$RTB_SRCDIR/targets/virtual-gd32f103/openocd.cfg\"]" "before = [\"set RTBENCH_BUSPIRATE $PWD/dbg\"]"
		project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O2"]' 'instrumented = "no"' 'repeat = 2' 'samples = 200' 'case = ["yield", "sem_wake"]'
		printf '[retry]\nattempts = 2\nbackoff_ms = 1\n' >> rtbench.toml
		run "$rtbench" run --matrix
		echo "$kind: $first: $output"
		kill $relay $vboard
		wait $relay $vboard || true
		[ "$status" -eq 0 ]
		[[ "$output" == *"2 of 2 runs, 2 good, 0 failed"* ]]
		[[ "$output" == *"attempt 1: port lost: sem_wake: "* ]]
		[[ "$output" =~ "v: recovery: link and probe, "[1-9][0-9]*" ms" ]]
		[ "$(query "select group_concat(repeat || ' ' || attempt || ' ' || status, ', ') from (select * from run order by id)")" = "1 1 port lost, 1 2 ok, 2 1 ok" ]
		# it was another port, and its run is like the one that nothing happened to
		read -r -t 30 -u 4 second
		[ "${first#*: }" != "${second#*: }" ]
		[ "$(query "select count(*) from (select \"case\" from v_record where status = 'ok'
			group by \"case\" having count(*) = 2 and count(distinct min||' '||max||' '||mean||' '||p99||' '||imax) = 1)")" = 2 ]
		exec 4<&-
	done
	rm -r "$BATS_FILE_TMPDIR"/work/logs
}

@test "firmware that switches the debug port off: the next attempt connects under a held reset" {
	# the image that the board comes with, at each start; the one programmed over it is ours
	script vboard <<< "exec $RTB_BUILDDIR/rtbench-vboard \"\$@\" --load $RTB_BUILDDIR/tests/vboard/fw/swj_off.O2.elf"
	virtual_board v "$PWD/vboard" "" 'reset_wired = true'
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O2"]' 'repeat = 1' 'samples = 100' 'case = ["yield"]'
	printf '[retry]\nattempts = 2\nbackoff_ms = 1\n' >> rtbench.toml
	run "$rtbench" run --matrix
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"attempt 1: target unreachable: the chip does not answer on the debug port"* ]]
	[[ "$output" =~ "v: recovery: reset under hold, "[1-9][0-9]*" ms" ]]
	[[ "$output" == *"1 of 1 runs, 1 good, 0 failed"* ]]
	[ "$(query "select group_concat(attempt || ' ' || status, ', ') from (select * from run order by id)")" = "1 target unreachable, 2 ok" ]
	[ "$(query "select build_id = build_id_board from v_provenance order by run desc limit 1")" = 1 ]
	# with one attempt a run, what the last one found out the next one knows
	sed -i 's/^attempts.*/attempts = 1/; s/^repeat = 1/repeat = 3/' rtbench.toml
	run "$rtbench" run --matrix
	echo "$output"
	[ "$status" -eq 6 ]
	[ "$(query "select group_concat(status, ', ') from (select * from run where sweep_id = 2 order by id)")" = "target unreachable, ok, ok" ]
	# without the wire nothing of the kind is tried
	sed -i 's/^reset_wired.*/reset_wired = false/' targets/v/target.toml
	sed -i 's/^attempts.*/attempts = 3/' rtbench.toml
	run "$rtbench" run --matrix --repeat 1
	echo "$output"
	[ "$status" -eq 6 ]
	[[ "$output" == *"v: recovery: link and probe failed after "*" ms: the chip does not answer"* ]]
	[[ "$output" != *"under hold"* ]]
	rm -r "$BATS_FILE_TMPDIR"/work/logs
}

two_boards() { printf '[[board]]\nname = "%s"\ntarget = "v"\n' left right >> rtbench.toml; }

@test "two boards share the cells; what a sick one fails and leaves the other one does" {
	script ocd <<- 'EOF'
		[ "$1" = --version ] && exec openocd --version
		[[ "$*" == *"set BOARD right"* ]] && { echo "Error: error writing to flash at address 0x08000000 at offset 0x00000000"; exit 1; }
		exec openocd "$@"
	EOF
	virtual_board v "" "$PWD/ocd"
	sed -i 's/^before = .*/before = ["set RTBENCH_BUSPIRATE {debug}", "set BOARD {board}"]/' targets/v/target.toml
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O0", "O1", "O2", "Os"]' 'repeat = 2' 'samples = 50' 'case = ["yield"]'
	printf '[retry]\nattempts = 2\nbackoff_ms = 1\nset_aside = 2\n' >> rtbench.toml
	two_boards
	run "$rtbench" run --matrix --junit out.xml
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"8 of 8 runs, 8 good, 0 failed"* ]]
	[[ "$output" == *"right is set aside: 2 runs in a row failed; its others, and the 2 that failed on it, are done by the other boards"* ]]
	[ "$(query "select count(*), count(distinct opt || repeat) from v_run where status = 'ok'")" = "8|8" ]
	[ "$(query "select runs, failed, retried, status from v_sweep")" = "8|0|4|ok" ]
	# the attempts that the sick board used up are there, and are not the cell's
	[ "$(query "select group_concat(opt || repeat || ' ' || attempt || ' ' || board || ' ' || status, ', ') from (select * from v_run
		join v_provenance using (run) where opt || repeat in (select opt || repeat from v_run where status <> 'ok') order by opt, run)")" = \
		"O11 1 right flash failed, O11 2 right flash failed, O11 3 left ok, Os1 1 right flash failed, Os1 2 right flash failed, Os1 3 left ok" ]
	[ "$(grep -c "attempt 3: rtbench list runs" out.xml)" = 2 ]
	[ "$(query "select distinct board from v_provenance join v_run using (run) where status = 'ok'")" = left ]
	run "$rtbench" run --matrix --repeat 1 --same-board
	[ "$status" -eq 0 ]
	[ "$(query "select count(*), group_concat(distinct board) from v_provenance join v_run using (run) where sweep = 2")" = "4|left" ]
	rm -r "$BATS_FILE_TMPDIR"/work/logs
	no_children
}

@test "two boards that are both sick: what failed keeps its cause, the rest was not run" {
	script ocd <<- 'EOF'
		[ "$1" = --version ] && exec openocd --version
		echo "Error: error writing to flash at address 0x08000000 at offset 0x00000000"; exit 1
	EOF
	virtual_board v "" "$PWD/ocd"
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O0", "O1", "O2", "Os"]' 'repeat = 2' 'samples = 50' 'case = ["yield"]'
	printf '[retry]\nset_aside = 2\n' >> rtbench.toml
	two_boards
	run "$rtbench" run --matrix
	echo "$output"
	[ "$status" -eq 8 ]
	[[ "$output" == *"8 of 8 runs, 0 good, 8 failed"* ]]
	[[ "$output" == *"its others are not run"* ]]
	[ "$(query "select runs, failed, status from v_sweep")" = "8|8|not run" ]
	# at most one of the board that went first was still done, and failed, on the other
	n=$(query "select count(*) from (select status, max(run) from v_run group by opt, repeat) where status = 'flash failed'")
	[ "$n" -ge 3 ] && [ "$n" -le 4 ]
	[ "$(query "select count(*) from v_run a join v_run b using (opt, repeat) where a.status = 'not run' and b.status <> 'not run'")" = 0 ]
	rm -r "$BATS_FILE_TMPDIR"/work/logs
	no_children
}

@test "a signal ends a sweep on two boards after both have stored; it goes on from there" {
	virtual_board v rtbench-vboard openocd
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O1", "O2"]' 'repeat = 3' 'samples = 50' 'case = ["yield"]'
	two_boards
	"$rtbench" run --matrix --json > events &
	pid=$!
	until grep -q '"event":"done"' events; do kill -0 $pid; sleep 0.05; done
	kill -TERM $pid
	wait $pid && false || status=$?
	[ "$status" -eq 130 ]
	n=$(grep -c '"event":"done"' events)
	[ "$(query "select count(*) from v_run")" = "$n" ]
	[ "$(query "pragma integrity_check")" = ok ]
	[ "$(grep -o '"board":"[a-z]*"' events | sort -u | wc -l)" = 2 ]
	no_children
	run "$rtbench" run --resume
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"6 of 6 runs, 6 good"* ]]
	[ "$(query "select count(*), count(distinct opt || repeat) from v_run where status = 'ok'")" = "6|6" ]
	# a cell is measured on one board
	[ "$(query "select count(distinct opt || board) from v_provenance join v_run using (run) where status = 'ok'")" = 2 ]
	rm -rf "$BATS_FILE_TMPDIR"/work/logs
}

@test "--baseline: fine 0, grown 10, not comparable 11; read before the sweep begins" {
	virtual_board v "" ""
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O2"]' 'samples = 50' 'case = ["yield"]'
	run "$rtbench" run --matrix --baseline latest
	[ "$status" -eq 2 ]
	[[ "$output" == *"r.db: no such database"* ]]
	run "$rtbench" run --matrix --max-regression 2
	[ "$status" -eq 2 ]
	"$rtbench" run --matrix -q
	run "$rtbench" run --matrix --baseline latest --max-regression 2% --junit out.xml -q
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"against latest: fine: no figure of "*" grew by more than 2.00 %"* ]]
	grep -q 'tests="2" errors="0" failures="0"' out.xml
	# the same kernel in another level is slower; another kernel as well is two differences
	run "$rtbench" run --matrix --opt O0 --baseline s1 --max-regression 2% --junit out.xml -q
	echo "$output"
	[ "$status" -eq 10 ]
	[[ "$output" == *"rtbench run: regression: mini yield "*", allowed 2.00 %)"* ]]
	grep -q 'tests="2" errors="0" failures="1"' out.xml
	run "$rtbench" run --matrix --opt O0 --kernel bare --baseline s1 --junit out.xml -q
	echo "$output"
	[ "$status" -eq 11 ]
	[[ "$output" == *"confounded"* ]]
	grep -q 'tests="2" errors="1" failures="0"' out.xml
	run "$rtbench" run --resume=2 --baseline s2 -q
	[ "$status" -eq 2 ]
	[[ "$output" == *"--baseline s2 is this sweep itself"* ]]
}

@test "shards have every cell once" {
	project 'target = ["virtual-gd32f103"]' 'kernel = ["bare", "mini"]' 'opt = ["O0", "O2", "Os"]' 'repeat = 2'
	run "$rtbench" run --matrix --dry-run
	local whole=$(grep -oE "virtual-.*" <<< "$output" | grep repeat | sort) parts="" i
	[ "$(wc -l <<< "$whole")" = 12 ]
	for i in 1 2 3 4; do
		run "$rtbench" run --matrix --dry-run --shard $i/4
		[ "$status" -eq 0 ]
		parts+=$(grep -oE "virtual-.*" <<< "$output" | grep repeat)$'\n'
	done
	[ "$(sort <<< "${parts%$'\n'}")" = "$whole" ]
	for i in 0/4 5/4 1/0 x 1/2/3 1 7/7; do
		run "$rtbench" run --matrix --dry-run --shard $i
		[ "$status" -eq 2 ]
	done
}

@test "three shards at once, merged, are the sweep that was not divided" {
	project 'target = ["virtual-gd32f103"]' 'kernel = ["bare", "mini"]' 'opt = ["O1", "O2", "Os"]' 'samples = 50' 'case = ["yield"]'
	run "$rtbench" run --matrix -q --db whole.db
	[ "$status" -eq 0 ]
	local i pids=()
	for i in 1 2 3; do
		"$rtbench" run --matrix -q --shard $i/3 --sweep-key night-7 --db s$i.db > s$i.out 2>&1 &
		pids+=($!)
	done
	for i in "${pids[@]}"; do wait $i; done
	run "$rtbench" merge s1.db s2.db s3.db --into r.db
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$output" = "$(printf 's%d.db: 2 runs of 1 sweep taken, 0 there already\n' 1 2 3)" ]
	[ "$(query "select count(*), planned, parts, status from v_sweep")" = "1|6|3|ok" ]
	[ "$(query "select count(distinct kernel || opt) from v_run where sweep = 1")" = 6 ]
	local merged=$(figures 1)
	mv r.db all.db && cp whole.db r.db
	[ -n "$merged" ] && [ "$merged" = "$(figures 1)" ]
	sqlite3 all.db .dump > before
	run "$rtbench" merge s*.db --into all.db
	[ "$status" -eq 0 ]
	[[ "$output" == *"s3.db: 0 runs of 0 sweeps taken, 2 there already"* ]]
	[ "$("$rtbench" merge s1.db --into all.db --json)" = '{"file": "s1.db", "runs": 0, "sweeps": 0, "runs_there": 2, "judged": 0}' ]
	sqlite3 all.db .dump | cmp - before
	# of a shard that is missing, the cells are done where the others were merged
	rm r.db
	"$rtbench" merge s1.db s3.db
	run "$rtbench" run --resume
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"6 of 6 runs, 6 good, 0 failed, 4 kept"* ]]
	[ "$(query "select count(*), planned, parts from v_sweep")" = "1|6|3" ]
	[ "$(figures 1)" = "$merged" ]
	run "$rtbench" merge all.db --into all.db
	[ "$status" -eq 2 ]
	[[ "$output" == *"cannot be merged into itself"* ]]
	run "$rtbench" merge rtbench.toml
	[ "$status" -eq 9 ]
}

@test "what a killed one left in the temporary directory is removed, and nothing else" {
	export XDG_RUNTIME_DIR=$BATS_TEST_TMPDIR/t
	mkdir -p t/rtbench-run-aaaaaa t/rtbench-run-bbbbbb t/rtbench-run-cccccc t/rtbench-run-dddddd
	touch t/rtbench-run-aaaaaa/service.log t/rtbench-run-bbbbbb/thesis.txt t/rtbench-run-cccccc/serial
	touch -d "2 hours ago" t/rtbench-run-[abc]*
	project 'target = ["virtual-gd32f103"]' 'kernel = ["mini"]' 'opt = ["O2"]' 'samples = 50' 'case = ["yield"]'
	run flock -s t/rtbench-run-cccccc "$rtbench" run --matrix
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(cd t && echo *)" = "rtbench-run-bbbbbb rtbench-run-cccccc rtbench-run-dddddd" ]
	[ -e t/rtbench-run-bbbbbb/thesis.txt ] && [ -e t/rtbench-run-cccccc/serial ]
}
