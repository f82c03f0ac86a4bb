# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a CPU goes and comes while a session is open: calls on it are caught
# before and after, and every call stays accounted for.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
online=/sys/devices/system/cpu/cpu1/online
[ -w $online ] || skip_all 'no CPU that can be taken away'
test_module

cleanup() { echo 1 >$online; }

on_cpu1() {
	taskset -c 1 bash -c "echo 'process chain' >$orders"
}

catch_begin --json -n 0 -t 300 kt_c
on_cpu1
check 'the CPU goes while a session is open' eval "echo 0 >$online"
taskset -c 0 bash -c "echo 'process chain' >$orders"
check 'the CPU comes back' eval "echo 1 >$online"
on_cpu1
on_cpu1
kill -INT $kcatch
catch_end
check_equal 'all calls are caught' "$(jq -r 'select(.function) | .cpu' out | sort | uniq -c | tr -s ' \n' ' ')" \
	' 1 0 3 1 '
check_equal 'none is lost' \
	"$(jq -r 'select(.summary) | .summary | "\(.hits) \(.recorded) \(.lost)"' out)" '4 4 0'

# A session that was set up without the CPU gets a ring when it comes.
echo 0 >$online
catch_begin --json -n 0 -t 300 kt_c
echo 1 >$online
on_cpu1
kill -INT $kcatch
catch_end
check_equal 'a CPU that came later is recorded' "$(jq -r 'select(.function) | .cpu' out)" 1

# What was counted on a CPU stays when it goes; a CPU that comes gets a table.
kcatch count kt_c --by cpu --json -d 1000 >out 2>err &
counter=$!
sleeps_in $counter poll
on_cpu1
echo 0 >$online
taskset -c 0 bash -c "echo 'process chain' >$orders"
echo 1 >$online
on_cpu1
kill -INT $counter
wait $counter
check_equal 'counts of a CPU that went and came' "$(jq -c 'select(.count) | [.key.cpu, .count]' out |
	sort | tr '\n' ' ')" '[0,1] [1,2] '
echo 0 >$online
kcatch count kt_c --by cpu --json -d 1000 >out 2>err &
counter=$!
sleeps_in $counter poll
echo 1 >$online
on_cpu1
kill -INT $counter
wait $counter
check_equal 'counts of a CPU that came later' "$(jq -c 'select(.count) | [.key.cpu, .count]' out)" \
	'[1,1]'

# The same under fire.
(while :; do echo 'process chain'; done >$orders) 2>/dev/null &
noise=$!
catch_begin --json -n 0 -t 300 --size 4M vfs_write
for _ in 1 2 3; do
	echo 0 >$online
	echo 1 >$online
done
kill $noise
kill -INT $kcatch
catch_end
check_equal 'under fire: the counters add up' "$(jq -r 'select(.summary) | .summary |
	.hits > 0 and .hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost' out)" true
check_equal 'under fire: all that was recorded is shown' \
	"$(jq -s 'map(select(.function)) | length' out)" "$(jq 'select(.summary) | .summary.recorded' out)"
