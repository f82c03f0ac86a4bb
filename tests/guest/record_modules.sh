# SPDX-License-Identifier: GPL-2.0-or-later
# Description: modules take each other's place while kcatch record runs, or a flight recorder waits:
# no frame has the name of a neighbour; and what is loaded there when the recording is read lends it
# no source lines.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
swap=$KT_MODULES/kcatch_swap
cleanup() { rmmod kcatch_swap_a kcatch_swap_b; }

base_of() {
	awk -v name="$1" '$1 == name { print $6 }' /proc/modules
}

# usage: call a|b - makes that module call int_sqrt()
call() {
	echo 1 >/sys/module/kcatch_swap_$1/parameters/call
}

# usage: in_place FILE NAME - loads the module at $base
in_place() {
	insmod "$1" && [ "$(base_of "$2")" = "$base" ] && return
	rmmod "$2"
	return 1
}

# The recorder has seen these modules: its last list has NAME at $base, or has it no more.
seen() {
	tac rec/kcatch/modules | sed '/^=/q' | grep -q "^$1 ${base#0x} "
}

unseen() {
	! seen "$1"
}

# It looks for modules after it has written the counters, which is a new file each time.
look() {
	local time before
	for time in 1 2; do
		before=$(stat -c %i rec/kcatch/counters)
		wait_for eval '[ "$(stat -c %i rec/kcatch/counters 2>/dev/null)" != '"$before ]"
	done
}

# Who may not read which modules are loaded gets the kernel's functions, once.
mkdir nodev
mount -t tmpfs -o nodev none nodev
mknod nodev/modules c 1 3
rm -f err
unshare -m bash -c 'mount --bind nodev/modules /proc/modules &&
	exec kcatch record -o rec -f int_sqrt -p $$' 2>err &
recorder=$!
wait_for holds '^kcatch: recording' err
look
look
kill -INT $recorder
record_end
check_equal 'without a list of modules the kernel has its functions once' \
	"$(grep -c ' vfs_read$' rec/kcatch/symbols) $(ls rec/kcatch/modules 2>/dev/null)" '1 '
rm -rf rec
umount nodev

# What is built anew: the other module under the name of the first. Its build-id is another.
mkdir anew old
python3 - "$swap/kcatch_swap_b.ko" anew/kcatch_swap_a.ko <<'END'
import subprocess
import sys
notes = subprocess.run(['readelf', '-n', sys.argv[1]], capture_output=True, text=True).stdout
build_id = bytes.fromhex(notes.split('Build ID: ')[1].split()[0])
data = open(sys.argv[1], 'rb').read().replace(b'kcatch_swap_b', b'kcatch_swap_a')
open(sys.argv[2], 'wb').write(data.replace(build_id, build_id[::-1]))
END
cp "$swap/kcatch_swap_a.ko" old

insmod old/kcatch_swap_a.ko || exit 1
base=$(base_of kcatch_swap_a)
record_begin -o rec -f int_sqrt --filter 'x == 1111 || x == 2222' --stack
call a
call a
look
rmmod kcatch_swap_a
wait_for in_place "$swap/kcatch_swap_b.ko" kcatch_swap_b
call b
wait_for seen kcatch_swap_b
call b
rmmod kcatch_swap_b
wait_for unseen kcatch_swap_b
# Within a second another build of the first: same name, same size, same place?
wait_for in_place old/kcatch_swap_a.ko kcatch_swap_a
wait_for seen kcatch_swap_a
call a
lists=$(grep -c '^=' rec/kcatch/modules)
rmmod kcatch_swap_a
wait_for in_place anew/kcatch_swap_a.ko kcatch_swap_a
wait_for eval '[ "$(grep -c "^=" rec/kcatch/modules)" -gt '"$lists ]"
call a
sizes=$(awk '/^kcatch_swap_a / { print $2, $3 }' rec/kcatch/modules | sort -u | wc -l)
kill -INT $recorder
record_end
check_equal 'status 0' "$status" 0
check_equal 'a later list has the functions of modules that came, not of those that stayed' \
	"$(awk '/^=/ { list++ } list > 1 && /^\[kcatch/ { print $1 }' rec/kcatch/symbols |
		sort -u | xargs)" '[kcatch_swap_a] [kcatch_swap_b]'

# Whose frames: of each event the argument, and symbol and module of all frames in the place.
report() {
	kcatch report "$1" --format json 2>report.err >report.json
	jq -r 'select(.function) | [.args.x, ([.stack[:3][]? | "\(.symbol // "?")[\(.module // "")]"] |
		join(" "))] | join(" ")' report.json >frames
}

report rec
a='swap_a_inner\[kcatch_swap_a\] swap_a_outer\[kcatch_swap_a\]'
b='swap_b_first\[kcatch_swap_.\] swap_b_second\[kcatch_swap_.\] swap_b_third\[kcatch_swap_.\]'
check_equal 'six calls were recorded' \
	"$(cut -d ' ' -f 1 frames | sort | uniq -c | xargs)" '3 1111 3 2222'
check_match 'calls of the first have its names' "$(sed -n 1p frames)" "^1111 $a"
check_equal 'no frame of the first has a name of the second' "$(grep '^1111.*swap_b' frames)" ''
check_equal 'no frame of the second has a name of the first' "$(grep '^2222.*swap_a_' frames)" ''
check_match 'calls of the second have its names' "$(grep ^2222 frames | sed -n 2p)" \
	"^2222 ${b//_./_b}"
check_match 'calls of the new build have the new names' "$(tail -n 1 frames)" "^2222 ${b//_./_a}"
check_equal "frames without a name say that nobody knows ($sizes size)" \
	"$(grep -v "$a" frames | grep -v "$b" | grep -v '?\[module gone\]')" ''

# Lines: of the code that is loaded now, if it is the code that was recorded.
lines() {
	jq -r 'select(.function) | [.args.x, (.stack[0].line | type)] | join(" ")' report.json
}

check_equal 'there is debug information of the new build' \
	"$(KCATCH_DEBUG_PATH=$PWD/anew kcatch int_sqrt 'x == 2222' --json -t 300 2>/dev/null >out &
	wait_for eval '! kill -0 $! 2>/dev/null || { call a; false; }'
	jq -r 'select(.function) | .stack[0].line | type' out)" number
export KCATCH_DEBUG_PATH=$PWD/anew
report rec
check_equal 'lines of the code that was recorded are shown, others are not' \
	"$(lines | sort | uniq -c | xargs)" '3 1111 null 2 2222 null 1 2222 number'
check_match 'the reason is said' "$(cat report.err)" 'frames of .kcatch_swap_.. have no source lines'
check_equal 'once' "$(grep -c 'source lines' report.err)" 1
rmmod kcatch_swap_a
wait_for in_place old/kcatch_swap_a.ko kcatch_swap_a
export KCATCH_DEBUG_PATH=$PWD/old
report rec
check 'the first is back: frames are shown' [ -s frames ]
check_equal 'the first is back: it has its lines' "$(lines | grep -c '^1111 number')" \
	"$(grep -c "^1111 $a" frames)"
check_equal 'and no other' "$(lines | grep -c '^2222 number')" 0

# A flight recorder writes nothing while it waits, but it looks as well. The first is loaded.
copy() {
	rm -rf "$1"
	kcatch snapshot box -o "$1" 2>snapshot.err || cat snapshot.err >&2
}

monotonic() {
	python3 -c 'import time; print(time.monotonic_ns())'
}

# usage: looked TIME - the recorder has looked at the modules since
looked() {
	copy now
	awk -F "~" -v since="$1" '/^~/ { at = $2 } END { exit !(at > since) }' now/kcatch/modules
}

unset KCATCH_DEBUG_PATH
kcatch record --flight --detach --name box --standby dead -f int_sqrt \
	--filter 'x == 1111 || x == 2222' --stack 2>err
check_equal 'a flight recorder begins' $? 0
call a
wait_for looked "$(monotonic)"
rmmod kcatch_swap_a
wait_for in_place "$swap/kcatch_swap_b.ko" kcatch_swap_b
wait_for looked "$(monotonic)"
call b
copy flight
report flight
check_match 'a flight recorder: calls of the first have its names' "$(sed -n 1p frames)" "^1111 $a"
check_match 'calls of the second have its names' "$(sed -n 2p frames)" "^2222 ${b//_./_b}"
check_equal 'and these are all' "$(wc -l <frames)" 2
wait_for looked "$(monotonic)"
rmmod kcatch_swap_b
copy gone
report gone
check_match 'nothing took its place: it has its names' "$(sed -n 2p frames)" "^2222 ${b//_./_b}"

# What a memory dump is read with is kept up to date. The streams are those that a dump has.
wait_for eval '! tac dead/kcatch/modules | sed "/^=/q" | grep -q "^kcatch_swap_"'
places=$(awk '/^=/ { print at; at = "none" } /^kcatch_swap_/ { at = $1 } END { print at }' \
	dead/kcatch/modules | uniq | xargs)
check_match 'the directory of --standby has each change' "$places" \
	'^kcatch_swap_a (none )?kcatch_swap_b none$'
cp flight/cpu* dead
report dead
check_match 'with it, calls of the first have its names' "$(sed -n 1p frames)" "^1111 $a"
check_match 'and those of the second its own' "$(sed -n 2p frames)" "^2222 ${b//_./_b}"
kcatch sessions --stop box 2>err
wait_for eval '! kcatch sessions >/dev/null 2>&1'

# Functions of a module that comes later are described there, and again when it comes again.
described() {
	local nr
	nr=$(grep -c '"function":"swap_a_\(inner\|outer\)"' later/kcatch/probes.json)
	[ "$nr" = $((2 * $1)) ]
}

kcatch record --flight --detach --name box --standby later -f 'kcatch_swap_a:swap_a_*' 2>err
for time in 1 2; do
	insmod old/kcatch_swap_a.ko
	wait_for described $time
	call a
	rmmod kcatch_swap_a
done
copy last
cp last/cpu* later
report later
found=$(jq -r 'select(.function) | .function' report.json | sort | uniq -c | xargs)
check_equal 'calls of a module that came later have its names' "$found" \
	'2 swap_a_inner 2 swap_a_outer'
[ "$found" ] || head -c 2000 later/kcatch/probes.json later/kcatch/counters >&2
check_equal 'and nothing is damaged' "$(cat report.err)" \
	'kcatch: no known loss; the recording did not end cleanly: what was lost in its last second is not known'
kcatch sessions --stop box 2>err
wait_for eval '! kcatch sessions >/dev/null 2>&1'

# A module that came between two looks may be the one of the call, or not: nobody says which.
insmod old/kcatch_swap_a.ko
kcatch record --flight --detach --name box -f int_sqrt --filter 'x == 1111 || x == 2222' \
	--stack 2>err
base=$(base_of kcatch_swap_a)
pid=$(kcatch sessions --json | jq .pid)
stand_still "$pid"
call a
rmmod kcatch_swap_a
wait_for in_place "$swap/kcatch_swap_b.ko" kcatch_swap_b
call b
kill -CONT "$pid"
copy between
report between
check_equal 'two calls between two looks' "$(cut -d ' ' -f 1 frames | xargs)" '1111 2222'
check_equal 'the first has no name of the second' "$(grep '^1111.*swap_b' frames)" ''
check_equal 'the second has no name of the first' "$(grep '^2222.*swap_a_' frames)" ''
kcatch sessions --stop box 2>err
wait_for eval '! kcatch sessions >/dev/null 2>&1'

# So many functions come with a module that they are described when they are hit.
many_functions() {
	record_begin -o many -f 'xfs:*'
	modprobe xfs
	wait_for holds xfs_sysctl_register many/kcatch/probes.json
	kill -INT $recorder
	record_end
	modprobe -r xfs
	check_equal 'a module with many functions: status 0' "$status" 0
	check_equal 'all are counted, and those that were called are described' \
		"$(jq -s '(map(.probes // empty) | last) > 2048,
			(map(select(has("probe"))) | length < 1000)' many/kcatch/probes.json | xargs)" \
		'true true'
	report many
	check_equal 'their calls have names, and nothing is damaged' \
		"$(jq -r .function report.json | grep -E '^xfs_(mru_cache_init|sysctl_register)$' | sort |
			xargs) $(grep damaged report.err)" 'xfs_mru_cache_init xfs_sysctl_register '
}
if modinfo xfs >/dev/null 2>&1; then
	many_functions
else
	skip 'a module with many functions' 'no xfs here'
fi
