# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch record --at arms at once and records from that time of the wall clock on,
# can be interrupted while it waits, and refuses times that are none.
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
# In bursts, so that a recorder that waits for its turn loses none.
(while sleep 0.05; do for _ in {1..20}; do echo 'process chain'; done; done >$orders) 2>/dev/null &
noise=$!
cleanup() { kill $noise; }

at_full_second() {
	rm -rf rec
	kcatch record -o rec -f kt_c --at /5s -t 1 2>log
}
until_found at_full_second
check_equal 'a full second: status 0' $? 0
start=$(date -d "$(sed -n 's/.*recording starts at //p' log)" +%s)
check_equal 'a full second: as asked' $((start % 5)) 0
kcatch report rec --format rows >all
check_equal 'a full second: nothing before it' \
	"$(jq "select(.row == \"event\") | .time_unix_ns / 1e9 >= $start" all | sort -u)" true

# Armed at once: the time comes in some minutes, and a signal ends the waiting.
at=$(date -d '+10 minutes' +%H:%M:%S)
rm -f log
kcatch record -o later -f kt_c --at "$at" 2>log &
recorder=$!
wait_for grep -q 'recording starts at' log
check_match 'a time of the day: as asked' "$(cat log)" "starts at .* $at "
check 'a time of the day: it is armed' grep -q kt_c $tracefs/enabled_functions
kill -INT $recorder
wait $recorder
kcatch report later --format rows >all
check_equal 'interrupted while it waits: nothing was recorded' \
	"$? $(jq -c 'select(.row == "event" or .final and .scope == "session") | .recorded' all)" '2 0'
check_unhooked 'interrupted while it waits: nothing is hooked'

for time in 25:00 12 12:00:60 /0s /10 noon; do
	kcatch record -f kt_c --at $time 2>log
	check_equal "$time: status 1" $? 1
	check_match "$time: says what to give" "$(cat log)" "--at '$time': give a time"
done
