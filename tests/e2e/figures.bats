#!/usr/bin/env bats
# What is shown and exported, held against what others make of the same: every figure worked out
# again by SQL from the samples one by one, every size by the toolchain's own programs.

bats_require_minimum_version 1.5.0
load run.bash

setup() { setup_project; }

@test "figures are those of the samples, which were kept one by one" {
	virtual_board v "" ""
	project 'target = ["v"]' 'kernel = ["mini"]' 'opt = ["O0"]' 'instrumented = "yes"' 'samples = 1000' 'raw = 1000' \
		'case = ["yield", "sem_pair", "isr_latency", "isr_to_task_busy", "task_jitter"]'
	run "$rtbench" run --matrix
	echo "$output"
	[ "$status" -eq 0 ]
	"$rtbench" export -o figures.csv
	sqlite3 again.db <<- 'EOF2'
		.import --csv figures.csv export
		ATTACH 'r.db' AS r;
		CREATE TABLE x AS SELECT w."case", w.series, d.div, w.i, w.sample,
		  row_number() OVER (PARTITION BY w.record ORDER BY w.sample) AS rank
		  FROM r.v_raw w JOIN r.record d ON d.id = w.record;
		CREATE TABLE a AS SELECT "case", series, count(*) AS n, div,
		  min(sample) * 1.0 / div AS min, max(sample) * 1.0 / div AS max, avg(sample) / div AS mean,
		  avg(sample) AS m FROM x GROUP BY 1, 2;
		CREATE TABLE b AS SELECT a."case", a.series, sqrt(sum((sample - m) * (sample - m)) / (n - 1)) / a.div AS stddev,
		  avg(abs(sample - m)) / a.div AS mad,
		  avg(CASE WHEN rank > n / 20 AND rank <= n - n / 20 THEN sample END) / a.div AS tmean5,
		  max(CASE WHEN rank = (n * 500 + 999) / 1000 THEN sample END) * 1.0 / a.div AS p50,
		  max(CASE WHEN rank = (n * 900 + 999) / 1000 THEN sample END) * 1.0 / a.div AS p90,
		  max(CASE WHEN rank = (n * 990 + 999) / 1000 THEN sample END) * 1.0 / a.div AS p99,
		  max(CASE WHEN rank = (n * 999 + 999) / 1000 THEN sample END) * 1.0 / a.div AS p999,
		  min(CASE WHEN sample = a.max * a.div THEN i END) AS imax
		  FROM a JOIN x ON x."case" = a."case" AND x.series IS a.series GROUP BY 1, 2;
		CREATE TABLE w AS SELECT h."case", h.series, sum(h.count * (h.hi - h.lo)) / 2.0 / (sum(h.count) * 0.9) / d.div AS slack
		  FROM r.v_histogram h JOIN r.record d ON d.id = h.record GROUP BY 1, 2;
	EOF2
	records() { sqlite3 again.db "select count(*) from export e join a on a.\"case\" = e.\"case\" and coalesce(a.series, '') = e.series
		join b on b.\"case\" = e.\"case\" and coalesce(b.series, '') = e.series
		join w on w.\"case\" = e.\"case\" and coalesce(w.series, '') = e.series where e.status = 'ok' and $1"; }
	[ "$(records 1)" = 9 ]
	[ "$(records 'a.n = 1000 and e.n = 1000')" = 9 ]
	[ "$(records 'e.min + 0 = a.min and e.max + 0 = a.max and e.imax + 0 = b.imax')" = 9 ]
	[ "$(records 'abs(e.mean - a.mean) < 1e-9 * (1 + abs(a.mean)) and abs(e.stddev - b.stddev) < 1e-9 * (1 + b.stddev)')" = 9 ]
	for p in p50 p90 p99 p999; do
		[ "$(records "abs(e.$p - b.$p) <= e.${p}_err + 0")" = 9 ]
	done
	# exact where the histogram is; else no further off than half a bucket, on the average
	[ "$(records 'w.slack = 0')" -ge 4 ]
	[ "$(records 'abs(e.mad - b.mad) <= w.slack + 1e-9 * (1 + b.mad) and abs(e.tmean5 - b.tmean5) <= w.slack + 1e-9 * (1 + abs(b.tmean5))')" = 9 ]
	# some were not so simple
	[ "$(records 'e.p999_err + 0 > 0')" -ge 1 ]
	[ "$(records 'e.min + 0 < 0')" -ge 1 ]
	# and show says the same
	"$rtbench" show latest --json > run.json
	[ "$(sqlite3 again.db "select count(*) from json_each(readfile('run.json'), '\$.records') j join export e
		on e.\"case\" = j.value ->> 'case' and e.series = j.value ->> 'series' where
		abs(e.mean - (j.value ->> '\$.figures.avg.value')) < 1e-6 and e.max + 0 = j.value ->> '\$.figures.max.value' and
		abs(e.tmean5 - (j.value ->> '\$.figures.tmean5.value')) < 1e-6")" = 9 ]
}

@test "sizes are those of the toolchain's own programs" {
	virtual_board v "" ""
	project 'target = ["v"]' 'kernel = ["mini", "bare"]' 'opt = ["Os"]' 'samples = 100' 'case = ["yield"]'
	run "$rtbench" run --matrix
	[ "$status" -eq 0 ]
	part() { query "select $3 from footprint where run_id = $1 and part = '$2'"; }
	for r in 1 2; do
		kernel=$(query "select kernel from v_run where run = $r")
		dir=$(echo "$BATS_FILE_TMPDIR"/work/cells/*-"$kernel"-Os-plain-*)
		elf=$dir/footprint.elf
		read -r text data bss <<< "$(arm-none-eabi-size -B "$elf" | awk 'NR == 2 { print $1, $2, $3 }')"
		# between sections there may be a few bytes for alignment
		[ $(($(part $r total flash) - text - data)) -ge 0 ]
		[ $(($(part $r total flash) - text - data)) -lt 16 ]
		arm-none-eabi-objcopy -O binary "$elf" image.bin
		[ "$(part $r total flash)" = "$(stat -c %s image.bin)" ]
		[ "$(part $r total ram)" = $((data + bss)) ]
		[ "$(query "select sum(flash)||' '||sum(ram) from footprint where run_id = $r and part not in ('total', 'measured image')")" = \
			"$(part $r total flash) $(part $r total ram)" ]
		# three stacks of 1024 bytes and two words of state; the handlers' stack and what outlives a reset
		[ "$(part $r stacks ram)" = "$(arm-none-eabi-size -A "$elf" | awk '/^\.(arena|mainstack) / { n += $2 } END { print n }')" ]
		[ "$(part $r stacks ram)" -lt 8000 ]
		# the kernel: every function and object whose name is its own, and its objects in the application
		own=$(arm-none-eabi-nm -S -t d "$elf" | awk -v k="^${kernel}_" '$3 ~ /[tT]/ && $4 ~ k { n += $2 } END { print n + 0 }')
		[ "$own" -gt 100 ]
		[ "$(part $r kernel flash)" -ge "$own" ]
		[ "$(part $r kernel flash)" -lt $((2 * own)) ]
		objects=$(arm-none-eabi-nm -S -t d "$elf" | awk '$4 ~ /^(high_task|middle_task|low_task|request|answer|queue)$/ { n += $2 } END { print n + 0 }')
		[ "$objects" -gt 0 ]
		[ "$(part $r kernel ram)" -ge "$objects" ]
		arm-none-eabi-objcopy -O binary "$dir/rtbench.elf" image.bin
		[ "$(part $r "measured image" flash)" = "$(stat -c %s image.bin)" ]
	done
}
