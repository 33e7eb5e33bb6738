#!/bin/sh
# Fails when an #include climbs: a room may include itself and the rooms listed after it.
# src/vboard is a program of its own and may include src/base alone; include/rtbench stands
# below everything but is closed to vboard, which must not know the frames it carries.
cd "$(dirname "$0")/.." || exit 1
rooms="cli sweep report config build kernel flash link adapter check store stats base"
bad=0
for room in $rooms; do
	allowed=$(echo "$rooms" | sed "s/.*\b$room\b/$room/")
	for f in src/"$room"/*.[ch] src/"$room"/*.cc src/"$room"/*.def; do
		[ -f "$f" ] || continue
		for inc in $(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$f"); do
			top=${inc%%/*}
			case " $allowed rtbench " in *" $top "*) ;; *)
				echo "$f: includes $inc, which lies above $room"; bad=1 ;;
			esac
		done
	done
done
for f in src/vboard/*.[ch]; do
	for inc in $(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$f"); do
		case $inc in vboard/*|base/*) ;; *) echo "$f: includes $inc; vboard knows base alone"; bad=1 ;; esac
	done
done
[ $bad = 0 ] && echo "layers: every include runs downwards"
exit $bad
