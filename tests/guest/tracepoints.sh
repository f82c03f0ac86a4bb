# SPDX-License-Identifier: GPL-2.0-or-later
# Description: tracepoints are caught by name, pattern and as `core`, with the same
# fields as tracefs prints for the same events; conditions, stacks, modules that go.
. "$KT_TOP/tests/guest/support/lib.bash"

# usage: trace_on EVENT - tracefs records it, too
trace_on() {
	echo >"$tracefs/trace"
	echo 1 >"$tracefs/events/${1/:/\/}/enable"
}

trace_off() {
	echo 0 >"$tracefs/events/${1/:/\/}/enable"
}
cleanup() { echo 0 >"$tracefs/events/enable"; }

# ---- forks: the same children in the same order
catch_begin -e sched:sched_process_fork --json -n 0
trace_on sched:sched_process_fork
for _ in 1 2 3 4 5; do /bin/true; done
trace_off sched:sched_process_fork
kill -INT $kcatch
catch_end
theirs=$(sed -n 's/.*sched_process_fork: comm=\(.*\) pid=\([0-9]*\) child_comm=\(.*\) child_pid=\([0-9]*\).*/\1(\2) \3(\4)/p' \
	"$tracefs/trace" | grep "^bash($$) ")
ours=$(jq -r 'select(.event) | .args | "\(.parent.text) \(.child.text)"' out | grep "^bash($$) ")
check 'there were forks' [ "$(grep -c . <<<"$theirs")" -ge 5 ]
# (The one of the two that was there first saw more.)
check_equal 'fork: parents and children as tracefs has them' \
	"$(tail -n 5 <<<"$ours")" "$(tail -n 5 <<<"$theirs")"
check_equal 'fork: the process and the thread of the event are the parent' \
	"$(jq -r "select(.event and .args.parent.text == \"bash($$)\") | \"\(.pid) \(.tid)\"" out |
		sort -u)" "$$ $$"

# ---- system calls: number and arguments
catch_begin -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit --json -n 0 -c kt_dd
cp "$(command -v dd)" ./kt_dd
trace_on raw_syscalls:sys_enter
trace_on raw_syscalls:sys_exit
./kt_dd if=/dev/zero of=/dev/null bs=512 count=20 2>/dev/null
trace_off raw_syscalls:sys_enter
trace_off raw_syscalls:sys_exit
kill -INT $kcatch
catch_end
theirs=$(sed -n 's/^ *kt_dd-.* sys_enter: NR \([0-9]*\) (\(.*\))$/\1 \2/p' "$tracefs/trace" | tr -d ',')
# (Not jq: its numbers have 53 bits.)
ours=$(PYTHONPATH=$KT_TOP/tests/guest/support python3 -c '
import json_numbers, sys
for line in sys.stdin:
    event = json_numbers.loads(line)
    if event.get("event") == "raw_syscalls:sys_enter":
        args = event["args"]
        print(args["id"], *("%x" % (args["a%d" % i] & (1 << 64) - 1) for i in range(6)))' <out)
check 'system calls were seen' [ "$(grep -c . <<<"$theirs")" -gt 40 ]
check_equal 'sys_enter: number and six arguments as tracefs has them' "$(tail -n 40 <<<"$ours")" \
	"$(tail -n 40 <<<"$theirs")"
theirs=$(sed -n 's/^ *kt_dd-.* sys_exit: NR \(-*[0-9]*\) = \(-*[0-9]*\)$/\1 \2/p' "$tracefs/trace")
ours=$(jq -r 'select(.event == "raw_syscalls:sys_exit") | .args | "\(.id) \(.ret)"' out)
check_equal 'sys_exit: number and result as tracefs has them' \
	"$(tail -n 25 <<<"$ours")" "$(tail -n 25 <<<"$theirs")"
check_equal 'the figures add up' "$(jq -c 'select(.summary) | .summary |
	.hits > 0 and .hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost' out)" true

# ---- conditions: what the issue asks for
catch_begin -e sched:sched_process_exit 'code != 0' -n 1 -t 300
/bin/true
sh -c 'exit 3'
catch_end
check_equal 'code != 0: a process that failed' "$status" 0
check_match 'code != 0: and no other' "$out" 'sched:sched_process_exit +(group_dead=true )?comm="sh" pid=[0-9]+ '
check_match 'those that did not are filtered' "$err" 'filtered [1-9]'
catch_begin -e sched:sched_switch 'next_comm == "kt_cond"' -n 1 -t 300
cp /bin/true ./kt_cond
for _ in 1 2 3 4 5; do ./kt_cond; done
catch_end
check_match 'next_comm: a member by the name that tracefs gives it' "$out" 'next_comm="kt_cond" '
kcatch -e sched:sched_switch 'nonsense == 1' >out 2>err
check_equal 'a name that it has not: status 1' $? 1
check_match 'a name that it has not: says which there are' "$(cat err)" 'preempt, prev, next, prev_state'

# ---- stacks, alone and with tracefs on the same tracepoint
catch_begin -e sched_switch --stack --json -n 1
catch_end
check_match 'a stack begins where the event is' "$(stack_symbols 0)" '^__schedule '
catch_begin -e sched_switch --depth 2 --json -n 1
catch_end
check_match '--depth is about stacks: there is one' "$(stack_symbols 0)" '^__schedule [^ ]+$'
trace_on sched:sched_switch
catch_begin -e sched_switch --stack --json -n 1
catch_end
trace_off sched:sched_switch
check_match 'also when another has a probe there' "$(stack_symbols 0)" '^__schedule '

# ---- names
catch_begin -e core -n 200 -t 300 -v
catch_end
check_equal 'core: status' "$status" 0
for name in sys_enter sys_exit irq_handler_entry softirq_exit local_timer_entry \
	page_fault_user page_fault_kernel \
	sched_switch sched_process_fork sched_process_wait sched_process_free sched_process_exit; do
	grep -q "tracepoint  $name " err || missing="$missing $name"
done
check_equal 'core: has all of the set' "${missing-}" ''
kcatch -e 'sched:*' -n 1 -v >out 2>err
check_equal 'a pattern: all of the system' "$(grep -c 'tracepoint .*\[sched\]' err)" \
	"$(grep -c '^sched:' "$tracefs/available_events")"
kcatch -e sched:sched_switc -n 1 >out 2>err
check_equal 'no such event: status 1' $? 1
check_match 'no such event: the nearest' "$(cat err)" 'sched:sched_switch'
kcatch -e 'sched:sched_switch prev_pid == 1' -n 1 >out 2>err
check_match 'a condition in the name: said' "$? $(cat err)" '^1 .*condition is given apart'
kcatch -e sched_switch --tree vfs_read >out 2>err
check_equal 'with --tree it makes no sense' $? 1

# ---- all there are, for a moment
stalls_are_expected
kcatch -e '*:*' -n 3000 -t 3 --json >out 2>err
check 'all tracepoints at once' [ $? -ne 1 ]
check_equal 'and the figures add up' "$(tail -n 1 out | jq -c '.summary |
	.hits > 0 and .hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost')" true

# ---- a module with tracepoints goes
if modprobe cachefiles 2>/dev/null; then
	catch_begin -e 'cachefiles:*' -n 1
	check 'a module goes while its tracepoints are traced' rmmod cachefiles
	catch_end
	check_equal 'and with it the wait ends' "$status" 2
else
	skip 'a module with tracepoints goes' 'there is no cachefiles'
fi
