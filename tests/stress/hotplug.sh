# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a CPU goes and comes 100 times while sessions catch and record on it.
. "$KT_TOP/tests/stress/support.bash"
online=/sys/devices/system/cpu/cpu1/online
[ -w $online ] || skip_all 'no CPU that can be taken away'
cleanup() {
	echo 1 >$online
	traffic_end
}

nr=$(rounds 100)
failures=0
traffic_begin
kcatch --json -n 0 --no-stack --size 1M vfs_statx do_sys_openat2 >caught 2>caught.err &
catcher=$!
wait_for grep -q '^kcatch: waiting' caught.err
record_begin -o recording --size 1M -f ksys_write
for ((round = 1; round <= nr; round++)); do
	echo 0 >$online || failures=$((failures + 1))
	stat /proc >/dev/null
	echo 1 >$online || failures=$((failures + 1))
	taskset -c 1 stat /proc >/dev/null
	progress 'the CPU went and came' $round "$nr"
done
check_equal "a CPU goes and comes $nr times" $failures 0
kill -INT $catcher $recorder
wait $catcher
check 'the command ends without an error' ended_well $?
check_equal 'the equation of what was caught holds' "$(equation caught)" ''
record_end
check 'the recorder ends without an error' ended_well "$status"
kcatch report recording --format stats >stats.out 2>&1
check 'and its recording can be read' ended_well $?
rm -rf recording
traffic_end
check_nothing_left
