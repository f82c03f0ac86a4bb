# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch stuck does not take a thread that could run for one that runs: it says for how
# long it has had no CPU, and who has that one, or which cgroup's cpu.max keeps it from running; and
# which cgroup a frozen thread is frozen with.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
cgroups=/sys/fs/cgroup
# shellcheck disable=SC2046 # a list of words
cleanup() {
	[ ! -e $cgroups/cold ] || echo 0 >$cgroups/cold/cgroup.freeze
	kill -KILL $(jobs -p)
}

# usage: stuck OPTION...: $first is the verdict. On the first CPU: the other one is taken.
stuck() {
	taskset -c 0 kcatch stuck --no-user "$@" >out 2>err
	status=$?
	first=$(head -n 1 out)
}

# usage: stuck_says REGEX OPTION...: until it does
stuck_says() {
	local regex=$1
	shift
	for _ in {1..50}; do
		stuck "$@"
		[[ ! $(<out) =~ $regex ]] || return 0
		sleep 0.2
	done
	return 1
}
spin='while :; do :; done'

# Real time takes all of a CPU. (Newer kernels leave others 50 ms of each second all the same.)
# RCU waits for that CPU as well, which is no fault here.
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
taskset -c 1 sh -c "$spin" & waits=$!
taskset -c 1 chrt -f 10 sh -c "$spin" & spins=$!
since=$(cut -d' ' -f2 /proc/$waits/schedstat)
stuck_says "  runnable, no CPU for [0-9.]+ s: CPU 1 runs sh\\($spins\\), SCHED_FIFO 10" -p $waits
check_match 'behind a SCHED_FIFO spinner: for how long, and who runs' "$(cat out)" \
	"  runnable, no CPU for [0-9.]+ s: CPU 1 runs sh\\($spins\\), SCHED_FIFO 10"
check_match 'the verdict does not say that it runs' "$first" \
	"^process $waits does not run: its only thread is runnable, and has had no CPU for [0-9.]+ s\$"
# Newer kernels take the CPU away from it for 50 ms of each second: then it is said not to run.
stuck_says "^process $spins moves: its only thread runs" -p $spins
check_equal 'who runs is said to' "$first" "process $spins moves: its only thread runs"
told=
until [ "$told" ]; do
	stuck -p $waits --json
	told=$(jq -r 'select((.waits_for // "") | startswith("runnable")) | .blocked_ns' out)
done
kill -KILL $spins
wait $spins 2>/dev/null
wait_for eval '[ "$(cut -d" " -f2 /proc/$waits/schedstat)" -gt "$since" ]'
check 'the time is that of the kernel: no more than what it counts once it is over' \
	[ "$told" -gt 0 -a "$told" -le $(($(cut -d' ' -f2 /proc/$waits/schedstat) - since)) ]
kill -KILL $waits
wait 2>/dev/null

taskset -c 1 sh -c "$spin" & waits=$!
wait_for grep -qx sh /proc/$waits/comm
taskset -c 1 chrt -f 10 sh -c "$spin" & spins=$!
starves="sh\\($waits\\)  process $waits, state R, for "
stuck_says "$starves" --limit 0.2
check_match 'without -p who starves is shown when the limit is over' "$(cat out err)" "$starves"
check_match 'and counted' "$first" 'task(s have| has) had no CPU, for up to '
kill -KILL $spins $waits
wait 2>/dev/null
echo 950000 >/proc/sys/kernel/sched_rt_runtime_us
echo 0 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress

if echo +cpu >$cgroups/cgroup.subtree_control; then
	mkdir -p $cgroups/th/in
	echo +cpu >$cgroups/th/cgroup.subtree_control
	echo '2000 1000000' >$cgroups/th/cpu.max
	sh -c "echo \$\$ >$cgroups/th/in/cgroup.procs; $spin" & waits=$!
	wait_for eval '[ "$(sed -n "s/nr_throttled //p" $cgroups/th/cpu.stat)" -gt 0 ]'
	stuck_says 'throttled by' -p $waits
	check_match 'throttled by cpu.max: of which cgroup' "$(cat out)" \
		'  runnable, no CPU for [0-9.]+ s: throttled by cpu.max of /th
'
	check_match 'the verdict' "$first" "^process $waits does not run: "
	kill -KILL $waits
	wait 2>/dev/null
	rmdir $cgroups/th/in $cgroups/th
else
	skip 'throttled by cpu.max: of which cgroup' 'no cpu controller'
	skip 'the verdict' 'no cpu controller'
fi

mkdir -p $cgroups/cold/in
sleep 1000 & frozen=$!
echo $frozen >$cgroups/cold/in/cgroup.procs
echo 1 >$cgroups/cold/cgroup.freeze
wait_for grep -q 'frozen 1' $cgroups/cold/cgroup.events
stuck -p $frozen
check_match 'frozen: with which cgroup' "$(cat out)" \
	'waits for being thawed: cgroup /cold is frozen \(cgroup.freeze\)'
echo 0 >$cgroups/cold/cgroup.freeze
sleeps_in $frozen nanosleep
stuck -p $frozen
check_match 'thawed: no longer' "$(cat out)" 'waits for a timer'
kill -STOP $frozen
wait_for grep -q 'State:.T' /proc/$frozen/status
stuck -p $frozen
check_match 'stopped is not frozen' "$(cat out)" 'waits for SIGCONT: it is stopped'
kill -KILL $frozen
wait 2>/dev/null
rmdir $cgroups/cold/in $cgroups/cold
