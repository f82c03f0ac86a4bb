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
	# Of two quotas the one that is used up: the inner one, then the outer one.
	echo '500000 1000000' >$cgroups/th/cpu.max
	echo '2000 1000000' >$cgroups/th/in/cpu.max
	stuck_says 'throttled by cpu.max of /th/in' -p $waits
	check_match 'of two cgroups with a quota the inner one' "$(cat out)" \
		'throttled by cpu.max of /th/in
'
	echo '5000 1000000' >$cgroups/th/in/cpu.max
	echo '2000 1000000' >$cgroups/th/cpu.max
	stuck_says 'throttled by cpu.max of /th
' -p $waits
	check_match 'or the outer one' "$(cat out)" 'throttled by cpu.max of /th
'
	kill -KILL $waits
	wait 2>/dev/null
	rmdir $cgroups/th/in $cgroups/th
else
	skip 'throttled by cpu.max: of which cgroup' 'no cpu controller'
	skip 'the verdict' 'no cpu controller'
	skip 'of two cgroups with a quota the inner one' 'no cpu controller'
	skip 'or the outer one' 'no cpu controller'
fi
echo -cpu >$cgroups/cgroup.subtree_control
mkdir old
if mount -t cgroup -o cpu none old; then
	mkdir old/th
	echo 1000000 >old/th/cpu.cfs_period_us
	echo 2000 >old/th/cpu.cfs_quota_us
	sh -c "echo \$\$ >$PWD/old/th/cgroup.procs; $spin" & waits=$!
	stuck_says 'throttled by' -p $waits
	check_match 'cgroup v1 has another name for it' "$(cat out)" \
		'throttled by cpu.cfs_quota_us of /th
'
	kill -KILL $waits
	wait 2>/dev/null
	rmdir old/th
	umount old
else
	skip 'cgroup v1 has another name for it' 'no cgroup v1'
fi

if chrt -d -T 20000000 -D 900000000 -P 1000000000 0 true; then
	chrt -d -T 20000000 -D 900000000 -P 1000000000 0 sh -c "$spin" & waits=$!
	stuck_says 'SCHED_DEADLINE runtime' -p $waits
	check_match 'a SCHED_DEADLINE thread that had its runtime' "$(cat out)" \
		'  runnable, no CPU for [0-9.]+ s: its SCHED_DEADLINE runtime is used up
'
	kill -KILL $waits
	wait 2>/dev/null
else
	skip 'a SCHED_DEADLINE thread that had its runtime' 'no SCHED_DEADLINE here'
fi

# Older kernels let real-time threads have a part of each second, newer ones have a server for the
# others.
if [[ $(uname -r) = 6.1.* ]]; then
	echo 100000 >/proc/sys/kernel/sched_rt_runtime_us
	taskset -c 1 chrt -f 10 sh -c "$spin" & waits=$!
	stuck_says 'sched_rt_runtime_us' -p $waits
	check_match 'a real-time thread that had its share' "$(cat out)" \
		'runnable, no CPU for [0-9.]+ s: throttled by kernel.sched_rt_runtime_us
'
	kill -KILL $waits
	wait 2>/dev/null
	echo 950000 >/proc/sys/kernel/sched_rt_runtime_us
fi

mkdir -p $cgroups/cold/in
sleep 1000 & frozen=$!
echo $frozen >$cgroups/cold/in/cgroup.procs
echo 1 >$cgroups/cold/cgroup.freeze
wait_for grep -q 'frozen 1' $cgroups/cold/cgroup.events
stuck -p $frozen
check_match 'frozen: with which cgroup' "$(cat out)" \
	'waits for being thawed: frozen by cgroup.freeze of /cold
'
check_equal 'the verdict' "$first" \
	"process $frozen does not run: it is frozen by cgroup.freeze of /cold"
echo 0 >$cgroups/cold/cgroup.freeze
stuck_says 'waits for a timer' -p $frozen
check_match 'thawed: no longer' "$(cat out)" 'waits for a timer'
kill -STOP $frozen
wait_for grep -q 'State:.T' /proc/$frozen/status
stuck -p $frozen
check_match 'stopped is not frozen' "$(cat out)" 'waits for SIGCONT: it is stopped'
kill -KILL $frozen
wait 2>/dev/null
rmdir $cgroups/cold/in $cgroups/cold
