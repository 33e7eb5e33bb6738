#!/usr/bin/env bats
# The command line as such: help, version, usage errors, and that the man page keeps up.

setup() {
	rtbench=$RTB_BUILDDIR/rtbench
	man=$RTB_SRCDIR/docs/rtbench.1
}

commands() { "$rtbench" help | awk '/^Commands:/{on=1;next} /^$/{on=0} on{print $1}' | grep -v '^help$'; }

@test "help lists commands, and every one of them explains itself" {
	[ -n "$(commands)" ]
	[ "$("$rtbench" help)" = "$("$rtbench" help help)" ]
	for c in $(commands); do
		run "$rtbench" help "$c"
		[ "$status" -eq 0 ]
		[[ "$output" == *"Usage: rtbench $c"* ]]
		[[ "$output" == *$'\n'Example*$'\n'"  rtbench "* ]]
		[ "$("$rtbench" "$c" --help)" = "$output" ]
	done
}

@test "the man page has every command and every exit code" {
	for c in $(commands); do grep -q "^\.B $c\$" "$man" || { echo "man page lacks $c"; false; }; done
	for code in $(sed -n 's/^X([A-Z_]*, *"[^"]*", *\([0-9]*\),.*/\1/p' "$RTB_SRCDIR/src/base/status.def" | sort -un); do
		grep -qP "^$code\t" "$man" || { echo "man page lacks exit code $code"; false; }
	done
}

@test "the man page is clean" {
	run man -l --warnings -E UTF-8 "$man"
	[ "$status" -eq 0 ]
	[[ "$output" != *warning* ]]
}

@test "version" {
	run "$rtbench" --version
	[ "$status" -eq 0 ]
	[ "$output" = "rtbench $(cat "$RTB_SRCDIR/VERSION")" ]
}

@test "no command and wrong commands are usage errors" {
	run "$rtbench"
	[ "$status" -eq 2 ]
	run "$rtbench" frobnicate
	[ "$status" -eq 2 ]
	[[ "$output" == *"no command 'frobnicate'"* ]]
	run "$rtbench" doctor --frobnicate
	[ "$status" -eq 2 ]
	[[ "$output" == *"--frobnicate"* ]]
}

@test "output that cannot be written is not success" {
	[ -e /dev/full ] || skip "no /dev/full"
	run sh -c "'$rtbench' help >/dev/full"
	[ "$status" -ne 0 ]
}

@test "every command that the documentation shows is one that the program takes" {
	cd "$RTB_SRCDIR" || exit 1
	python3 tests/tools/doc_commands.py "$rtbench" README.md docs/*.md > "$BATS_TEST_TMPDIR/commands"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/commands")" -gt 70 ]
	local where words failed=0
	while IFS=: read -r where words; do
		eval "set -- $words"
		"$rtbench" "$@" --help > /dev/null || { echo "$where: rtbench $words"; failed=1; }
	done < "$BATS_TEST_TMPDIR/commands"
	[ $failed = 0 ]
}
