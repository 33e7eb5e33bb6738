#!/usr/bin/env bats
# compare over databases that mkdb makes: what it opens with, what it claims, its exit codes.

setup() {
	rtbench=$RTB_BUILDDIR/rtbench
	mkdb=$RTB_BUILDDIR/tests/tools/mkdb
	cd "$BATS_TEST_TMPDIR" || exit 1
	db=r.db
}

@test "a repeat: equal, exit 0" {
	"$mkdb" $db repeats=3
	"$mkdb" $db repeats=3
	run "$rtbench" compare s1 s2 --db $db
	[ "$status" -eq 0 ]
	[[ "$output" == *"=> repeat: all five factors are equal"* ]]
	[[ "$output" == *"0 of 8 figures differ"* ]]
}

@test "an experiment: one cycle is real, exit 10" {
	"$mkdb" $db repeats=3
	"$mkdb" $db repeats=3 add=1 fact.kernel_version=1.1 fact.image_hash=other
	run "$rtbench" compare latest~1 latest --db $db
	[ "$status" -eq 10 ]
	[[ "$output" == *"kernel_version: 1.0 -> 1.1"* ]]
	[[ "$output" == *"=> experiment on version (kernel_version)"* ]]
	[[ "$output" == *"higher, exact"* ]]
	run "$rtbench" compare s1 s2 --db $db --threshold 1%
	[ "$status" -eq 0 ]
	[[ "$output" == *"below threshold"* ]]
}

@test "confounded: no figures, exit 11; --force shows them" {
	"$mkdb" $db repeats=3
	"$mkdb" $db repeats=3 add=1 fact.kernel_version=1.1 fact.tick_hz=500 fact.image_hash=other
	run "$rtbench" compare s1 s2 --db $db
	[ "$status" -eq 11 ]
	[[ "$output" == *"confounded by version (kernel_version) and config (tick_hz)"* ]]
	[[ "$output" != *exact* ]]
	run "$rtbench" compare s1 s2 --db $db --force
	[ "$status" -eq 10 ]
	[[ "$output" == *"higher, exact"* ]]
}

@test "missing: noise, exit 11" {
	"$mkdb" $db repeats=3
	"$mkdb" $db repeats=3 fact.kernel_version=
	run "$rtbench" compare s1 s2 --db $db
	[ "$status" -eq 11 ]
	[[ "$output" == *"noise, not data: not known on both sides: version (kernel_version)"* ]]
}

@test "selections inside one sweep" {
	"$mkdb" $db kernel=bare,mini opt=O0,O2 repeats=3
	run "$rtbench" compare opt=O0 opt=O2 --db $db
	[ "$status" -eq 10 ]
	[[ "$output" == *"experiment on config (opt)"*"cells in common: 2"* || "$output" == *"cells in common: 2"*"experiment on config (opt)"* ]]
	run "$rtbench" compare kernel=bare kernel=mini --db $db
	[ "$status" -eq 10 ]
	[[ "$output" == *"experiment on version (kernel)"* ]]
}

@test "a kernel that has no switch for tickless is one that does not stop its tick" {
	"$mkdb" $db kernel=bare repeats=3 fact.kernel=bare fact.tickless=
	"$mkdb" $db kernel=mini repeats=3 fact.kernel=mini fact.tickless=no fact.image_hash=other
	"$mkdb" $db kernel=mini repeats=3 fact.kernel=mini fact.tickless=yes fact.image_hash=third
	run "$rtbench" compare s1 s2 --db $db
	[[ "$output" == *"=> experiment on version (kernel)"* ]]
	run "$rtbench" compare s1 s3 --db $db
	[ "$status" -eq 11 ]
	[[ "$output" == *"noise, not data"*tickless* ]]
}

@test "--filter narrows both sides" {
	"$mkdb" $db kernel=bare,mini opt=O0,O2 repeats=3
	"$mkdb" $db kernel=bare,mini opt=O0,O2 repeats=3
	run "$rtbench" compare s1 s2 --db $db
	[[ "$output" == *"cells in common: 4"* ]]
	run "$rtbench" compare s1 s2 --filter kernel=mini --db $db
	[[ "$output" == *"cells in common: 2"* ]]
	run "$rtbench" compare --by opt --filter kernel=bare s1 --db $db
	[[ "$output" != *mini* ]]
	run "$rtbench" compare s1 s2 --filter colour=red --db $db
	[ "$status" -eq 2 ]
	[[ "$output" == *"no such key 'colour'"* ]]
}

@test "mixed units, other case versions, no common case, nothing there" {
	"$mkdb" $db repeats=3
	"$mkdb" $db repeats=3 unit=ns
	"$mkdb" $db repeats=3 version=2
	"$mkdb" $db repeats=3 cases=queue_wake
	run "$rtbench" compare s1 s2 --db $db
	[ "$status" -eq 11 ]
	[[ "$output" == *"not comparable: cycles against ns"* ]]
	run "$rtbench" compare s1 s3 --db $db
	[ "$status" -eq 11 ]
	[[ "$output" == *"case version 1 against 2"* ]]
	run "$rtbench" compare s1 s4 --db $db
	[ "$status" -eq 11 ]
	[[ "$output" == *"no case in common"* ]]
	run "$rtbench" compare s1 kernel=nothing --db $db
	[ "$status" -eq 2 ]
	[[ "$output" == *"kernel=nothing: no runs"* ]]
	run "$rtbench" compare s1 --db $db
	[ "$status" -eq 2 ]
	run "$rtbench" compare s1 s77 --db $db
	[ "$status" -eq 2 ]
}

@test "rejected runs are left out and counted" {
	"$mkdb" $db repeats=3
	"$mkdb" $db repeats=3 find=stack:rejected
	run "$rtbench" compare s1 s2 --db $db
	[ "$status" -eq 11 ]
	[[ "$output" == *"s2: no usable runs: 0 failed, 3 rejected"* ]]
}

@test "json, csv and markdown hold the same rows" {
	"$mkdb" $db repeats=3
	"$mkdb" $db repeats=3 add=1 fact.kernel_version=1.1 fact.image_hash=other
	"$rtbench" compare s1 s2 --db $db --format json > c.json || [ $? -eq 10 ]
	[ "$(sqlite3 :memory: "select json_extract(readfile('c.json'), '\$.factors.version'), json_array_length(readfile('c.json'), '\$.rows')")" = "different|8" ]
	"$rtbench" compare s1 s2 --db $db --format csv > c.csv || [ $? -eq 10 ]
	[ "$(sqlite3 :memory: -cmd '.import --csv c.csv t' "select count(*), min(comparison), sum(diff) from t")" = "8|experiment on version (kernel_version)|6.0" ]
	"$rtbench" compare s1 s2 --db $db --format md > c.md || [ $? -eq 10 ]
	[ "$(grep -c '^| ' c.md)" -eq 9 ]
}

@test "--by: a column for each value, and rank reversals" {
	"$mkdb" $db kernel=bare,mini opt=O0,O2,Os instrumented=no,yes repeats=3
	run "$rtbench" compare --by instrumented --db $db --case yield
	[ "$status" -eq 10 ]
	[[ "$output" == *"yes against no: experiment on config (instrumented)"* ]]
	[[ "$output" == *"mini"*"O2"*"280.79"*"310.79"*"+10.7"* ]]
	run "$rtbench" compare --by kernel s1 --db $db
	[[ "$output" == *"rank reversals: none"* ]]
	run "$rtbench" compare --by opt s1 --db $db --format csv
	[ "${#lines[@]}" -eq 33 ]
	run "$rtbench" compare --by colour s1 --db $db
	[ "$status" -eq 2 ]
}

@test "--row and --col: one table, and nothing hidden in it" {
	"$mkdb" $db kernel=bare,mini opt=O0,O2 instrumented=no,yes repeats=3
	run "$rtbench" compare --row case --col kernel --filter opt=O2,instrumented=no --db $db --format csv
	[ "$status" -eq 0 ]
	[ "${lines[0]%$'\r'}" = "case,unit,bare,bare rank,mini,mini rank" ]
	[ "${#lines[@]}" -eq 3 ]
	# the figures are those that show has
	run_id=$("$rtbench" list runs --db $db | awk '$4 == "bare" && $5 == "O2" && $6 == "no" { print $1; exit }')
	yield=$("$rtbench" show "$run_id" --db $db | awk '$1 == "yield" { print $6 }')
	[ "$yield" -gt 0 ]
	[ "$(echo "${lines[1]%$'\r'}" | cut -d, -f3)" = "$yield" ]
	# and with the cost of the reading in them, both say so
	gross=$("$rtbench" show "$run_id" --as-measured --db $db | awk '$1 == "yield" { print $6 }')
	awk "BEGIN { exit !($gross > $yield) }"
	"$rtbench" show "$run_id" --as-measured --db $db | grep -q "^as measured: the counter's read cost is in"
	run "$rtbench" compare --row case --col kernel --filter opt=O2,instrumented=no --db $db --as-measured
	[[ "$output" == *"figures are as measured"* && "$output" == *" $gross"* ]]
	run "$rtbench" compare --row case,opt --col instrumented --filter kernel=mini --stat max --case yield --db $db --format csv
	[ "${#lines[@]}" -eq 3 ]
	run "$rtbench" compare --row case --col kernel --db $db
	[ "$status" -eq 2 ]
	[[ "$output" == *"opt differs (O0, O2 ...): name it in --row or --col, or choose one with --filter opt=O0"* ]]
	run "$rtbench" compare --row case --col case --db $db
	[ "$status" -eq 2 ]
	run "$rtbench" compare --row flavour --col case --db $db
	[[ "$output" == *'"flavour" is none of target, kernel, opt, instrumented, case'* ]]
	run "$rtbench" compare --row case --col opt --by kernel --db $db
	[ "$status" -eq 2 ]
	run "$rtbench" compare --row case --col kernel --filter kernel=none --db $db
	[ "$status" -eq 2 ]
}

@test "the gate: fine 0, regression 10, not comparable 11, broken 2 or 9; one line each" {
	"$mkdb" $db repeats=3
	"$mkdb" $db repeats=3 add=9 fact.kernel_version=1.1 fact.image_hash=other
	"$mkdb" $db repeats=3 version=2
	"$mkdb" $db repeats=1 add=90 fact.kernel_version=1.1 fact.image_hash=other
	run "$rtbench" compare --gate s1 s2 --max-regression 2% --db $db
	[ "$status" -eq 0 ]
	[ "$output" = "fine: no figure of 8 grew by more than 2.00 %" ]
	# the middle of a jitter counts for nothing, its tail does
	"$mkdb" j.db repeats=3 cases=task_jitter
	"$mkdb" j.db repeats=3 cases=task_jitter add=9 fact.kernel_version=1.1 fact.image_hash=other
	run "$rtbench" compare --gate s1 s2 --max-regression 1% --db j.db
	[ "$status" -eq 10 ]
	[[ "$output" == *"task_jitter p99"* || "$output" == *"task_jitter max"* ]]
	run "$rtbench" compare --gate s1 s2 --max-regression 1% --db $db
	[ "$status" -eq 10 ]
	[ "$output" = "rtbench compare: regression: mini yield avg: 280.79 -> 285.29 cycles (+1.60 %, allowed 1.00 %)" ] ||
	[ "$output" = "rtbench compare: regression: mini yield p50: 280.50 -> 285.00 cycles (+1.60 %, allowed 1.00 %)" ]
	run "$rtbench" compare --gate s2 s1 --db $db
	[ "$status" -eq 0 ]
	run "$rtbench" compare --gate s1 s3 --db $db
	[ "$status" -eq 11 ]
	run "$rtbench" compare --gate s1 s4 --db $db
	[ "$status" -eq 11 ]
	[[ "$output" == *"but no verdict (n=3+1; 4+4 would do)"* ]]
	run "$rtbench" compare --gate s1 s9 --db $db
	[ "$status" -eq 2 ]
	echo junk > junk.db
	run "$rtbench" compare --gate s1 s2 --db junk.db
	[ "$status" -eq 9 ]
}

@test "--config shows the lines of the headers that differ" {
	"$mkdb" $db
	"$mkdb" $db "fact.config_text=$(printf '#define TICK_HZ 500\n#define NAME "a, b"\n')"
	run "$rtbench" compare --config s1 s2 --db $db
	[ "$status" -eq 10 ]
	[[ "$output" == *"-#define TICK_HZ 1000"*"+#define TICK_HZ 500"* ]]
	[[ "$output" != *NAME* ]]
	run "$rtbench" compare --config s1 s1 --db $db
	[ "$status" -eq 0 ]
}
