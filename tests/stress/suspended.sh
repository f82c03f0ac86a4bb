# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a reader is suspended 50 times while hits come: what finds no room is counted, the
# rest is shown, and the recorder goes on.
. "$KT_TOP/tests/stress/support.bash"
cleanup() { traffic_end; }

nr=$(rounds 50)
traffic_begin
kcatch --json -n 0 --size 64K vfs_read ksys_write >out 2>err &
catcher=$!
wait_for grep -q '^kcatch: waiting' err
record_begin -o recording --size 64K -f vfs_read
for ((round = 1; round <= nr; round++)); do
	kill -STOP $catcher $recorder
	sleep "0.$((RANDOM % 10))"
	kill -CONT $catcher $recorder
	sleep "0.0$((RANDOM % 10))"
	progress 'suspended' $round "$nr"
done
kill -INT $catcher $recorder
wait $catcher
check_equal "suspended $nr times: the equation holds" "$(equation out)" ''
check 'some hits were lost' [ "$(exact 'e["summary"]["lost"] if "summary" in e else None')" -gt 0 ]
check_equal 'all that was recorded is shown' \
	"$(grep -c '"function"' out)" "$(exact 'e["summary"]["recorded"] if "summary" in e else None')"
record_end
check 'the recorder ends without an error' ended_well "$status"
kcatch report recording --format stats >stats.out 2>&1
check 'the recording can be read' ended_well $?
rm -rf recording out
traffic_end
check_nothing_left
