#!/bin/sh
# `make demo`: the main job on the virtual board, then one comparison and a CSV.
set -e
cd "$(dirname "$0")/.."
rtbench=${BUILD:-build}/rtbench
out=rtbench-out/demo
mkdir -p "$out"
show() { echo; echo "\$ rtbench $*"; "$rtbench" "$@"; }
rm -f "$out/demo.db" "$out/demo.db-wal" "$out/demo.db-shm"
show run --matrix --db "$out/demo.db"
status=0
show compare kernel=mini,opt=O2,instrumented=no kernel=mini,opt=O2,instrumented=yes --db "$out/demo.db" || status=$?
# 10 says "a difference was found", which is what instrumentation is expected to make.
[ $status = 0 ] || [ $status = 10 ] || exit $status
show export --db "$out/demo.db" -o "$out/demo.csv"
echo
echo "database: $out/demo.db   CSV: $out/demo.csv ($(wc -l <"$out/demo.csv") lines)"
