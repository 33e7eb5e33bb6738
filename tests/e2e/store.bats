#!/usr/bin/env bats
# list, show and export over databases that mkdb makes through the store's own functions.

setup() {
	rtbench=$RTB_BUILDDIR/rtbench
	mkdb=$RTB_BUILDDIR/tests/tools/mkdb
	cd "$BATS_TEST_TMPDIR" || exit 1
	db=r.db
}

# rows of a CSV file by sqlite3's own reader, so that our writer is not judged by our reader
csv_query() { sqlite3 :memory: -cmd ".import --csv $1 t" "$2"; }

@test "list sweeps and runs" {
	"$mkdb" $db kernel=bare,mini opt=O0,O2 repeats=2 fail=3
	"$mkdb" $db find=debugger:suspect
	run "$rtbench" list sweeps --db $db
	[ "$status" -eq 0 ]
	[[ "${lines[2]}" == s1*8*8*1*"board hung"* ]]
	[[ "${lines[3]}" == s2*1*1*0*ok* ]]
	run "$rtbench" list runs --db $db --sweep s1
	[ "${#lines[@]}" -eq 9 ]
	[[ "$output" == *"r3 "*"board hung"* ]]
	run "$rtbench" list runs --db $db --sweep latest --json
	[ "$(sqlite3 :memory: "select json_extract('$output', '\$[0].verdict'), json_array_length('$output')")" = "suspect|1" ]
}

@test "show tells everything and says what was declared" {
	"$mkdb" $db find=debugger:suspect
	run "$rtbench" show r1 --db $db
	[ "$status" -eq 0 ]
	[[ "$output" == *"suspect: debugger: made up"*"asked: was a debugger attached?"* ]]
	[[ "$output" == *"probe              cmsis-dap  (DECLARED)"* ]]
	"$rtbench" show latest --db $db --json > run.json
	[ "$(sqlite3 :memory: "select json_valid(readfile('run.json')), json_extract(readfile('run.json'), '\$.factors.note.probe.origin')")" = "1|declared" ]
}

@test "export and the view v_export give the same rows" {
	"$mkdb" $db kernel=bare,mini opt=O0,O2 instrumented=no,yes repeats=2 fail=5 cases=yield,sem_wake,queue_wake
	"$mkdb" $db find=debugger:suspect noise=1 repeats=3
	"$rtbench" export --db $db -o all.csv
	sqlite3 -csv -header $db 'select * from v_export order by run' > view.csv
	[ "$(head -1 view.csv | tr -d '\r')" = "$(head -1 all.csv | tr -d '\r')" ]
	# numbers may be spelt differently: compared after both were read as SQL reads them
	sqlite3 :memory: -cmd '.import --csv all.csv a' -cmd '.import --csv view.csv b' \
		"select 'rows', (select count(*) from a), (select count(*) from b)" > counts
	[ "$(cat counts)" = "rows|52|52" ]
	columns=$(head -1 all.csv | tr -d '\r' | tr , '\n')
	for c in $columns; do
		different=$(sqlite3 :memory: -cmd '.import --csv all.csv a' -cmd '.import --csv view.csv b' \
			"select count(*) from a join b on a.rowid = b.rowid where a.\"$c\" <> b.\"$c\" and not
			 (a.\"$c\" not glob '*[^-0-9.e+]*' and abs(a.\"$c\" - b.\"$c\") <= 1e-9 * abs(a.\"$c\"))")
		[ "$different" = 0 ] || { echo "column $c differs in $different rows"; false; }
	done
}

@test "commas, quotes, newlines and leading = survive the way out and back" {
	"$mkdb" $db "fact.cc_flags=-Wl,--gc-sections,-Map=x.map" "fact.probe==1+1" \
		"fact.board_uid=$(printf 'say "hi";\nnext line, too')" "fact.link= padded "
	"$rtbench" export --db $db -o x.csv
	[ "$(csv_query x.csv "select cc_flags from t limit 1")" = "-Wl,--gc-sections,-Map=x.map" ]
	[ "$(csv_query x.csv "select probe from t limit 1")" = "=1+1" ]
	[ "$(csv_query x.csv "select board_uid from t limit 1")" = "$(printf 'say "hi";\nnext line, too')" ]
	[ "$(csv_query x.csv "select link from t limit 1")" = " padded " ]
	"$rtbench" export --db $db -o g.csv --guard-formulas
	[ "$(csv_query g.csv "select probe from t limit 1")" = "'=1+1" ]
	"$rtbench" export --db $db --format json -o x.json
	[ "$(sqlite3 :memory: "select json_extract(readfile('x.json'), '\$.rows[0].board_uid')")" = "$(printf 'say "hi";\nnext line, too')" ]
}

@test "numbers have a point whatever the locale; the mark comes on request only" {
	"$mkdb" $db
	"$rtbench" export --db $db > plain.csv
	for l in de_DE.UTF-8 tr_TR.UTF-8 C; do
		LC_ALL=$l "$rtbench" export --db $db | cmp - plain.csv
	done
	grep -q '282\.\|281\.' plain.csv
	[ "$(head -c 3 plain.csv | od -An -tx1 | tr -d ' ')" != efbbbf ]
	"$rtbench" export --db $db --bom > bom.csv
	[ "$(head -c 3 bom.csv | od -An -tx1 | tr -d ' ')" = efbbbf ]
	tail -c +4 bom.csv | cmp - plain.csv
}

@test "a failed export leaves nothing behind and does not touch what was there" {
	"$mkdb" $db
	echo old > x.csv
	run "$rtbench" export --db $db -o x.csv --sweep s1,kernel=none
	[ "$status" -eq 2 ]
	[[ "$output" == *"nothing to export"* ]]
	[ "$(cat x.csv)" = old ]
	run "$rtbench" export --db $db -o no/such/dir.csv
	[ "$status" -eq 2 ]
	[ "$(ls)" = "$(printf 'r.db\nx.csv')" ]
	run "$rtbench" export --db $db -o /dev/full
	[ "$status" -eq 9 ]
	[[ "$output" == *"disk full"* ]]
}

@test "references that name nothing" {
	"$mkdb" $db
	run "$rtbench" show r9 --db $db
	[ "$status" -eq 2 ]
	[[ "$output" == *"no run 9; the newest is 1"* ]]
	run "$rtbench" export --db $db --sweep latest~3
	[ "$status" -eq 2 ]
	run "$rtbench" export --db $db --sweep kernel
	[ "$status" -eq 2 ]
	[[ "$output" == *"is neither a run"* ]]
	run "$rtbench" export --db none.db
	[ "$status" -eq 2 ]
	[[ "$output" == *"none.db: no such database"* ]]
	[ ! -e none.db ]
	run "$rtbench" list nothing
	[ "$status" -eq 2 ]
}

@test "files that are not ours" {
	echo "this is not a database, but it is long enough to be looked at" > text.db
	run "$rtbench" list sweeps --db text.db
	[ "$status" -eq 9 ]
	[[ "$output" == *"not a database"* ]]
	sqlite3 other.db 'create table t (x); insert into t values (1)'
	run "$rtbench" list sweeps --db other.db
	[ "$status" -eq 9 ]
	[[ "$output" == *"database of another program"* ]]
	run "$mkdb" other.db
	[ "$status" -ne 0 ]
	[ "$(sqlite3 other.db '.tables')" = t ]
	"$mkdb" $db
	sqlite3 $db 'pragma user_version = 1000'
	run "$rtbench" list sweeps --db $db
	[ "$status" -eq 9 ]
	[[ "$output" == *"schema version 1000"*"upgrade the program"* ]]
	run "$rtbench" list sweeps --db .
	[ "$status" -eq 9 ]
}

@test "docs/checks.md is the table of checks" {
	"$rtbench" list checks --format md > checks.md
	sed -n '/^| check/,$p' "$RTB_SRCDIR/docs/checks.md" | cmp - checks.md
}

@test "docs/store.md and the schema of exports have the columns that there are" {
	"$rtbench" list columns --format md > columns.md
	sed -n '/^| column/,$p' "$RTB_SRCDIR/docs/store.md" | cmp - columns.md
	"$RTB_SRCDIR/src/report/export_schema.sh" "$rtbench" | cmp - "$RTB_SRCDIR/schemas/export.schema.json"
	"$mkdb" $db
	"$rtbench" export --db $db --format json -o x.json
	# the schema's required names are the keys of a row, in order
	[ "$(sqlite3 :memory: "select group_concat(key) from json_each(readfile('x.json'), '\$.rows[0]')")" = \
	  "$(sqlite3 :memory: "select group_concat(value) from json_each(readfile('$RTB_SRCDIR/schemas/export.schema.json'), '\$.properties.rows.items.required')")" ]
}

@test "the schemas of show and compare name what these write" {
	"$mkdb" $db repeats=3
	"$mkdb" $db repeats=3 add=1 fact.kernel_version=2 fact.image_hash=x find=line:suspect
	"$rtbench" show latest --db $db --json > run.json
	"$rtbench" compare s1 s2 --db $db --format json > compare.json || [ $? -eq 10 ]
	for doc in run compare; do
		[ "$(sqlite3 :memory: "select group_concat(key) from json_each(readfile('$doc.json'))")" = \
		  "$(sqlite3 :memory: "select group_concat(value) from json_each(readfile('$RTB_SRCDIR/schemas/$doc.schema.json'), '\$.required')")" ]
	done
	[ "$(sqlite3 :memory: "select group_concat(key) from json_each(readfile('compare.json'), '\$.rows[0]')")" = \
	  "$(sqlite3 :memory: "select group_concat(value) from json_each(readfile('$RTB_SRCDIR/schemas/compare.schema.json'), '\$.properties.rows.items.required')")" ]
}

@test "db: backup, verify, upgrade" {
	"$mkdb" $db repeats=2
	"$rtbench" db backup copy.db --db $db
	[ "$(sqlite3 copy.db 'select count(*) from run')" = 2 ]
	"$rtbench" db verify --db copy.db
	sqlite3 copy.db "create table x as select zeroblob(1000000) as b; drop table x"
	local big=$(stat -c %s copy.db)
	"$rtbench" db vacuum --db copy.db
	[ "$(stat -c %s copy.db)" -lt "$(( big - 900000 ))" ]
	"$rtbench" db upgrade --db copy.db
	[ "$("$rtbench" db check --db copy.db --json)" = '{"done": "check"}' ]
	sqlite3 copy.db 'pragma foreign_keys = off; delete from sweep_part; delete from sweep'
	run "$rtbench" db verify --db copy.db
	[ "$status" -eq 9 ]
	[[ "$output" == *"a reference leads nowhere, in table: run"* ]]
	dd if=/dev/zero of=$db bs=4096 seek=6 count=4 conv=notrunc 2> dd.log
	run "$rtbench" db verify --db $db
	[ "$status" -eq 9 ]
	[[ "$output" == *damaged* || "$output" == *malformed* ]]
	for what in upgrade vacuum; do
		run "$rtbench" db $what --db none.db
		[ "$status" -eq 2 ]
		[ ! -e none.db ]
	done
	run "$rtbench" db backup --db copy.db
	[ "$status" -eq 2 ]
	run "$rtbench" db backup no/such/dir.db --db copy.db
	[ "$status" -eq 9 ]
}

@test "a damaged file is said to be damaged, whoever reads it, and is not copied over a good one" {
	"$mkdb" $db repeats=20
	"$mkdb" $db repeats=20 add=1
	"$rtbench" db backup good.db --db $db
	local run_page=$(( $(sqlite3 $db "select rootpage from sqlite_master where name = 'run'") - 1 ))
	dd if=/dev/urandom of=$db bs=4096 seek=$run_page count=1 conv=notrunc 2> dd.log
	cp $db before.db
	for words in "list sweeps" "list runs" "show r3" "compare s1 s2" "export -o x.csv" "db check" "db backup good.db" "merge good.db"; do
		run "$rtbench" $words --db $db
		echo "$words: $status: $output"
		[ "$status" -eq 9 ]
		[[ "$output" == *"$db"*"store damaged: rtbench db check"* ]]
	done
	cmp $db before.db
	[ ! -e x.csv ]
	[ "$(sqlite3 good.db 'select count(*) from run')" = 40 ]
}

@test "a copy takes no other file's place" {
	"$mkdb" $db
	echo "my thesis" > thesis.txt
	run "$rtbench" db backup thesis.txt --db $db
	[ "$status" -eq 9 ]
	[[ "$output" == *"thesis.txt: is there, and is no database of rtbench"* ]]
	[ "$(cat thesis.txt)" = "my thesis" ]
	run "$rtbench" db backup ./$db --db $db
	[ "$status" -eq 2 ]
	[[ "$output" == *"is the database itself"* ]]
}
