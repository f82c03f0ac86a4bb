# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the programs of libkcatch(3), as a reader would copy them, do what the page says:
# three calls with their callers; arguments and returns through a recording; what a process
# waits for. What they cannot do they say.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
examples=$KT_OUT/examples
test_module
cleanup() { kill "$load" "$sleeper"; }
sleeper=

busy() {
	while :; do order 'hammer 10'; sleep 0.1; done
}
busy &
load=$!

out=$("$examples/callers" kt_hammered 2>err)
check_equal 'callers: status 0' "$?" 0
check_equal 'three calls, and no more' \
	"$(grep -c '^kt_hammered by [^ ]*, process [0-9]*$' <<<"$out")" 3
check_equal 'each with its caller, by name' \
	"$(grep -A 1 '^kt_hammered by' <<<"$out" | grep -c '^    [a-z_0-9.]*+0x[0-9a-f]*$')" 3
check_match 'and how many there were' "$(tail -n 1 <<<"$out")" '^[0-9]+ calls, 3 recorded, 0 lost$'
out=$("$examples/callers" kt_no_such_function 2>err)
check_equal 'a function that does not exist: status 1' "$?" 1
check_match 'and it is named' "$(cat err)" '^callers: .*kt_no_such_function'

# It records for a second: again where the machine stood still as long.
# usage: recorded FUNCTION DIRECTORY
recorded() {
	for _ in 1 2 3 4 5; do
		rm -rf "$2"
		out=$("$examples/recorded" "$1" "$2" 2>err)
		status=$?
		[ $status -ne 0 ] || [[ $out != *'->'* ]] || break
	done
}

recorded kt_hammered recording
check_equal 'recorded: status 0' $status 0
check 'calls were recorded' [ "$(wc -l <<<"$out")" -gt 0 ]
# Where the test module has no types, its arguments are registers. kt_hammered() returns its
# argument; the last calls may not have returned when the recording ended.
right='\(rdi\|number\)=\([0-9a-fx]*\) \(.* \)\{0,1\}-> \2 after [0-9]* ns'
check_equal 'each has its argument' "$(grep -cv '^\(rdi=0x\|number=\)' <<<"$out")" 0
check 'and its return value' grep -qx "$right" <<<"$out"
check_equal 'which is right each time' "$(grep -e '->' <<<"$out" | grep -vx "$right")" ''
check_equal 'kcatch reads as many out of it' \
	"$(kcatch report recording --format json | jq -s 'map(select(.function)) | length')" \
	"$(wc -l <<<"$out")"
out=$("$examples/recorded" kt_hammered recording 2>&1)
check_equal 'a recording that is there is not overwritten: status 1' "$?" 1
check_match 'and it is named' "$out" '^record: .*recording'
kill $load
wait $load 2>/dev/null

while :; do cat /proc/version; sleep 0.1; done >/dev/null &
load=$!
recorded vfs_read typed
check_equal 'a function of the kernel: status 0' $status 0
check 'arguments by name, and the return value as a number' \
	grep -q '^file=.* count=0x[0-9a-f]* .* -> [0-9]* after [0-9]* ns$' <<<"$out"
kill $load
wait $load 2>/dev/null

sleep 1000 &
sleeper=$!
sleeps_in $sleeper nanosleep
out=$("$examples/waits" $sleeper 2>&1)
check_equal 'waits: status 0' "$?" 0
check_match 'the thread, its system call, and what it waits for' "$out" \
	"^$sleeper for [0-9]+ ms in clock_nanosleep\(.*\), waits for "
check_equal 'and no other thread' "$(wc -l <<<"$out")" 1
out=$("$examples/waits" 4194303 2>&1)
check_equal 'no such process: status 1' "$?" 1
check_match 'and its number is told' "$out" '^waits: there is no process 4194303'
