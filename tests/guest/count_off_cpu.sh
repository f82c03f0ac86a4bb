# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the time that threads are off the CPU, its sum and what of it they waited for one or
# slept, is what the kernel's own accounts say; by stack it is where they sleep; filters choose the
# threads that wait; sums of values are weights of flame graphs.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
script=$KT_TOP/tests/guest/support/off_cpu_threads.py

counters=()
for value in latency runnable blocked; do
	kcatch count --off-cpu --by tid --stats $value -d 0.1 --json >sum_of_$value 2>$value.err &
	counters+=($!)
	wait_for counts_or_ended $!
done
python3 "$script" run >made
kill -INT "${counters[@]}"
for counter in "${counters[@]}"; do
	wait "$counter"
	check_equal 'status of a count' $? 0
done
check_equal 'sums of each thread' "$(python3 "$script" compare made sum_of_latency sum_of_runnable \
	sum_of_blocked)" ''
check_equal 'the kernel'\''s idle threads are in no row' \
	"$(jq 'select(.key.tid == 0)' sum_of_latency)" ''
check_match 'who has not come back is told' "$(cat latency.err)" \
	'^kcatch: [0-9]+ threads? (is|are) still off the CPU: the time since is in no row$'
check_equal 'switches of idle threads are in no pair' "$(jq -s '.[-1].summary |
	.first.hits - .first.paired - .first.restarted - .first.open - .first.filtered' sum_of_latency)" 0

# By stack, of one process alone; the present wait ends it.
sleep 30 &
sleeper=$!
wait_for grep -q sleep /proc/$sleeper/wchan
bash -c 'while :; do read -t 0.02 <>/dev/tty1 || read -t 0.02 <><(:); done' 2>/dev/null &
waiter=$!
kcatch count --off-cpu 'blocked > 5ms' -p $waiter --by comm,pid,stack -n 5 --json >out 2>err
check_equal 'the process alone' "$? $(jq -c 'select(.key) | [.key.comm, .key.pid]' out | sort -u)" \
	"0 [\"bash\",$waiter]"
check_equal 'its stack begins in the scheduler and leads to the system call' \
	"$(jq -r 'select(.key) | [.key.stack[] | if type == "object" then .symbol else . end] |
		join(" ")' out | grep -vcE 'schedule.*(select|poll).*entry_SYSCALL_64')" 0
check_equal 'a pair is counted once' "$(jq -s 'map(select(.key).count) | add' out)" 5
kcatch count --off-cpu -p $waiter --by stack --format folded -n 5 >out 2>err
check_match 'folded, by time' "$(cat out)" '^entry_SYSCALL_64.*;schedule;__schedule [0-9]{6,}'
kcatch count --off-cpu -p $waiter --by comm,stack --format flame -n 5 >svg 2>err
check_match 'a flame graph of time' "$(cat svg)" 'width is latency'
kill $waiter $sleeper

# Sums of another value.
kcatch count vfs_write --by comm,stack --stats count --format folded -c dd -n 7 >lines 2>err &
counter=$!
wait_for counts_or_ended $counter
dd if=/dev/zero of=/dev/null bs=3000 count=7 2>/dev/null
wait $counter
check_equal 'bytes are weights' "$(sed 's/.* //' lines)" 21000
kcatch count vfs_write --by comm,stack --stats 'count - 5000' --format folded -c dd -n 7 \
	>out 2>err &
counter=$!
wait_for counts_or_ended $counter
dd if=/dev/zero of=/dev/null bs=3000 count=7 2>/dev/null
wait $counter
check_match 'a negative sum is no weight' "$? $(cat err)" '^1 .*negative'

refused() {
	kcatch count --off-cpu "${@:2}" >out 2>err
	check_match "refused: ${*:2}" "$? $(cat out err)" "^1 .*$1"
}
refused 'not about functions and events' vfs_read
refused 'not about functions and events' -e sched_switch
refused 'a pair of its own' sched:sched_waking..sched:sched_switch
refused 'needs none' --key tid
refused 'leave -i away' -i /tmp
refused 'but no oncpu' --stats oncpu
refused 'but no switches' 'switches > 1'
refused 'no return is caught' --in-flight 5
