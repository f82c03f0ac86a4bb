# SPDX-License-Identifier: GPL-2.0-or-later
# Description: '*', all functions, is caught for 60 seconds under load.
. "$KT_TOP/tests/stress/support.bash"
cleanup() { traffic_end; }

seconds=$(rounds 60)
traffic_begin
kcatch --json -n 0 --entry --no-stack --no-args --size 1M -c nobody '*' >out 2>err &
catcher=$!
wait_for eval "grep -q '^kcatch: waiting' err || ! kill -0 $catcher"
sleep "$seconds"
kill -INT $catcher
wait $catcher
status=$?
echo "# $(grep -i -o '[0-9]* functions*' err | head -n 1), $(exact 'e["summary"]["hits"] if "summary" in e else None') hits"
check_equal "all functions for $seconds s: the equation holds" "$(equation out)" ''
check 'the command ends without an error' ended_well $status

kcatch record -o recording --entry --no-args --stack --size 1M -f '*' >/dev/null 2>err &
recorder=$!
wait_for eval "grep -q '^kcatch: recording' err || ! kill -0 $recorder"
sleep "$seconds"
kill -INT $recorder
record_end
check "all functions with stacks are recorded for $seconds s" ended_well "$status"
echo "# $(tail -n 2 err | tr '\n' ' ')"
rm -rf recording
traffic_end
check_nothing_left
