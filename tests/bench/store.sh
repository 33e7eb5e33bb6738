#!/bin/bash
# Times list, compare and export over 100 000 runs against the sqlite3 shell doing the same work
# in the same minute. Fails when export is slower than `sqlite3 -csv`, compare or list slower than
# twice the bare queries, or memory grows with the database.
set -eu
rtbench=$RTB_BUILDDIR/rtbench
mkdb=$RTB_BUILDDIR/tests/tools/mkdb
sql=$(dirname "$0")/grow.sql
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
db=$dir/r.db

# ten kernels by five levels, ten repeats: a sweep of 500 runs, three records each
kernels=$(seq -s, -f 'k%g' 10)
n=0
for s in 1 2 3; do
	"$mkdb" "$db" kernel="$kernels" opt=O0,O1,O2,O3,Os repeats=10 noise=1 cases=yield,sem_wake,queue_wake \
		add=$s fact.kernel_version=$s fact.image_hash=$s > /dev/null
done
while n=$(sqlite3 "$db" 'SELECT count(*) FROM run') && [ "$n" -lt 100000 ]; do
	sqlite3 -cmd 'CREATE TEMP TABLE wanted AS SELECT 100000 AS n' "$db" < "$sql"
done
cp "$db" "$dir/small.db"
sqlite3 "$dir/small.db" 'DELETE FROM record WHERE run_id > 1500; DELETE FROM run WHERE id > 1500;
	DELETE FROM sweep WHERE id > 3; VACUUM'
echo "database: $n runs, $(sqlite3 "$db" 'SELECT count(*) FROM record') records, $(($(stat -c %s "$db") / 1048576)) MiB"

# best of N, in us; a difference found (10) is a success here
best() {
	local least= times=$1
	shift
	for _ in $(seq "$times"); do
		local t0=$(date +%s%N)
		"$@" > "$dir/out" || [ $? -eq 10 ]
		local t=$((($(date +%s%N) - t0) / 1000))
		if [ -z "$least" ] || [ "$t" -lt "$least" ]; then least=$t; fi
	done
	echo "$least"
}
peak() { /usr/bin/env bash -c 'exec "$@" > /dev/null' _ "$@" & local pid=$!; local kib=0 v
	while v=$(awk '/VmHWM/{print $2}' "/proc/$pid/status" 2> /dev/null) && [ -n "$v" ]; do kib=$v; sleep 0.02; done
	wait "$pid" || true; echo "$kib"; }

bad=0
# name, ours, theirs, limit in percent of theirs
hold() {
	local ratio=$(($2 * 100 / $3)) word=ok
	if [ "$ratio" -gt "$4" ]; then word="TOO SLOW (limit $4 %)"; bad=1; fi
	printf '%-28s rtbench %9d us   sqlite3 %9d us   %4d %%  %s\n' "$1" "$2" "$3" "$ratio" "$word"
}

ours=$(best 5 "$rtbench" list sweeps --db "$db")
theirs=$(best 5 sqlite3 "$db" 'SELECT * FROM v_sweep')
hold "list sweeps" "$ours" "$theirs" 200
ours=$(best 5 "$rtbench" list runs --db "$db")
theirs=$(best 5 sqlite3 "$db" 'SELECT run, sweep, target, kernel, opt, instrumented, repeat, status, verdict, started FROM v_run ORDER BY run')
hold "list runs (all)" "$ours" "$theirs" 200
# the bare queries of a comparison: every fact and every record of both sweeps
ours=$(best 5 "$rtbench" compare s1 s2 --db "$db" --force)
theirs=$(best 5 sqlite3 "$db" 'SELECT f.* FROM v_fact f JOIN run r ON r.id = f.run WHERE r.sweep_id IN (1, 2);
	SELECT d.* FROM record d JOIN run r ON r.id = d.run_id WHERE r.sweep_id IN (1, 2)')
hold "compare 500 with 500 runs" "$ours" "$theirs" 200
ours=$(best 1 "$rtbench" export --db "$db" -o "$dir/ours.csv" -q)
theirs=$(best 1 sqlite3 -csv -header "$db" 'SELECT * FROM v_export ORDER BY run')
hold "export csv (all)" "$ours" "$theirs" 100
lines=$(wc -l < "$dir/ours.csv")
[ "$lines" -eq "$(wc -l < "$dir/out")" ] || { echo "export wrote $lines lines, sqlite3 another number"; bad=1; }
printf 'export json (all)            rtbench %9d us\n' "$(best 1 "$rtbench" export --db "$db" --format json -o "$dir/ours.json" -q)"

small=$(peak "$rtbench" export --db "$dir/small.db")
large=$(peak "$rtbench" export --db "$db")
runs=$(peak "$rtbench" list runs --db "$db")
printf 'peak memory: export of 1500 runs %d KiB, of %d runs %d KiB, list runs %d KiB\n' "$small" "$n" "$large" "$runs"
[ "$large" -le $((small + 4096)) ] && [ "$runs" -le $((small + 4096)) ] || { echo "memory grows with the database"; bad=1; }
exit $bad
