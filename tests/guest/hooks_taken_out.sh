# SPDX-License-Identifier: GPL-2.0-or-later
# Description: somebody takes the hooks of a session out while it runs, by debugfs kprobes/enabled:
# the session says that an unknown number of calls was not seen, in words, in JSON and by its exit
# status, also of what it counts and records; and nothing of the kind where nothing was taken out.
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

switch=/sys/kernel/debug/kprobes/enabled
[ -w $switch ] || skip_all 'no debugfs kprobes/enabled'
cleanup() { echo 1 >$switch; }
words='1 probe was out of place for some of the time, so an unknown number of calls was not seen'

# A place inside of a function is hooked by a kprobe. Half of the calls are made while it is off.
for at in 0x5 0x9; do	# behind the call of ftrace, which ENDBR may precede
	kcatch -n 0 -t 0.1 kt_b+$at >out 2>err
	[ $? -eq 1 ] || break
done
# usage: half OPTION... - sets status, out, err
half() {
	catch_begin -n 0 "$@" kt_b+$at
	order 'process chain'
	echo 0 >$switch
	order 'process chain'
	kill -INT "$kcatch"
	catch_end
	echo 1 >$switch
}

half --json
check_equal 'switched off until the end: status 3' $status 3
check_match 'in words' "$err" "$words"
check_equal 'in JSON: what was seen, and that there was more' "$(jq -r 'select(.summary) | .summary |
	"\(.recorded) \(.missed) \(.disarmed)"' out)" '1 0 1'
check_no_match 'no number of calls is made up' "$err" '[0-9]+ calls? (was|were) missed'

kcatch record -o rec -f kt_b+$at -- sh -c "
	echo process chain >$orders
	echo 0 >$switch
	echo process chain >$orders" >out 2>err
check_equal 'a recorder: status 3' $? 3
check_match 'in words' "$(cat err)" "$words"
echo 1 >$switch
kcatch report rec --format json >report.json 2>err
check_equal 'in the report' "$(jq -r 'select(.summary) | .summary.disarmed' report.json)" 1

kcatch count --json kt_b+$at >out 2>err & kcatch=$!
wait_for counts_or_ended $kcatch
order 'process chain'
echo 0 >$switch
kill -INT $kcatch
wait $kcatch
check_equal 'what counts: status 3' $? 3
check_match 'in words' "$(cat err)" "$words"
echo 1 >$switch

# Who starts while they are off is refused, as before.
echo 0 >$switch
kcatch -n 0 -t 1 kt_b+$at >out 2>err
check_match 'while they are off nothing begins' "$? $(cat err)" '^1 .*switched off'
echo 1 >$switch

# Without anything taken out nothing is said; a function's entry does not hang on that switch.
catch_begin --json -n 0 kt_b+$at
order 'process chain'
kill -INT "$kcatch"
catch_end
check_equal 'nothing was taken out: status 0' $status 0
check_no_match 'and nothing is said' "$err" 'out of place'
catch_begin --json -n 0 kt_b
order 'process chain'
echo 0 >$switch
order 'process chain'
kill -INT "$kcatch"
catch_end
echo 1 >$switch
check_equal 'ftrace goes on without kprobes: all is seen' "$status $(jq -r 'select(.summary) | .summary |
	"\(.recorded) \(.disarmed)"' out)" '0 2 0'

# Nobody switches ftrace off meanwhile: the kernel refuses.
catch_begin --json -n 0 kt_b
check 'ftrace cannot be switched off under a session' \
	eval '! sysctl -q kernel.ftrace_enabled=0 2>/dev/null'
order 'process chain'
kill -INT "$kcatch"
catch_end
check_equal 'and it saw its call' "$status $(jq -r 'select(.summary) | .summary.recorded' out)" '0 1'
sysctl -q kernel.ftrace_enabled=1
