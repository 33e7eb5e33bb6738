# rtbench monitor: a recording, bad operands, and a live link that is ended by Ctrl-C.
setup() {
	rtbench="$RTB_BUILDDIR/rtbench"
	corpus="$RTB_SRCDIR/tests/fuzz/corpus/decoder"
}

@test "monitor shows every frame of a recording, one line each" {
	run "$rtbench" monitor "file:$corpus/conversation"
	[ "$status" -eq 0 ]
	for word in ready hello mark record raw stack done; do
		grep -q " $word " <<<"$output"
	done
	grep -q 'yield: n 5, min 100, avg 320.40, max 1000 (sample 4) cycles, to be divided by 2' <<<"$output"
	grep -q -- '-- .* 8 frames (2 ready, 1 hello, 1 mark, 1 record, 1 raw, 1 stack, 1 done)' <<<"$output"
}

@test "monitor shows noise and damage with their bytes escaped" {
	run "$rtbench" monitor "file:$corpus/glued"
	[ "$status" -eq 0 ]
	grep -qF 'noise   "\x94\xff\x00AT\r\n"' <<<"$output"
	grep -qF 'damaged "{\"t\":\"record\"' <<<"$output"
	grep -q '3 cut or misshapen, 7 bytes outside frames' <<<"$output"
	if grep -qP '[^\x20-\x7e\n]' <<<"$output"; then false; fi
}

@test "monitor --json writes one JSON object a line" {
	run "$rtbench" monitor --json "file:$corpus/glued"
	[ "$status" -eq 0 ]
	n=0
	while read -r line; do
		printf '%s' "$line" >"$BATS_TEST_TMPDIR/line$n"
		[ "$(sqlite3 :memory: "select json_valid(cast(readfile('$BATS_TEST_TMPDIR/line$n') as text))")" = 1 ]
		n=$((n + 1))
	done <<<"$output"
	[ "$n" -eq 7 ]
	grep -q '"frame":{"t":"mark"' <<<"$output"
	grep -q '"summary":{.*"bad_frame":3,' <<<"$output"
}

@test "monitor refuses what cannot be a link, and no link at all" {
	run "$rtbench" monitor
	[ "$status" -eq 2 ]
	run "$rtbench" monitor tpc://localhost:1
	[ "$status" -eq 3 ]
	run "$rtbench" monitor /dev/null
	[ "$status" -eq 3 ]
	run "$rtbench" monitor a b
	[ "$status" -eq 2 ]
	run "$rtbench" monitor unix:/nonexistent/socket --case yield
	[ "$status" -eq 7 ]
}

@test "monitor ends with a summary on Ctrl-C" {
	mkfifo "$BATS_TEST_TMPDIR/line" "$BATS_TEST_TMPDIR/out"
	"$rtbench" monitor "file:$BATS_TEST_TMPDIR/line" >"$BATS_TEST_TMPDIR/out" 3>&- &
	pid=$!
	exec 8<"$BATS_TEST_TMPDIR/out" 9>"$BATS_TEST_TMPDIR/line"
	cat "$corpus/conversation" >&9
	until read -r -u 8 line && [[ $line == *" done "* ]]; do :; done
	kill -INT "$pid"
	rest=$(cat <&8)
	code=0; wait "$pid" || code=$?
	exec 8<&- 9>&-
	grep -q -- '-- .* frames' <<<"$rest"
	[ "$code" -eq 0 ]
}
