#!/bin/sh
# Installs the Debian packages named that are not there yet; says what it does in one line.
set -e
missing=
for p in "$@"; do
	dpkg-query -W -f='${Status}\n' "$p" 2>/dev/null | grep -q '^install ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null; then
	echo "rtbench needs (Debian names):$missing - please install them" >&2
	exit 4
fi
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
line="$sudo apt-get update -q && $sudo DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends$missing"
echo "+ $line"
sh -c "$line" </dev/null >/tmp/rtbench-apt.$$ 2>&1 || { cat /tmp/rtbench-apt.$$; rm -f /tmp/rtbench-apt.$$; exit 4; }
rm -f /tmp/rtbench-apt.$$
