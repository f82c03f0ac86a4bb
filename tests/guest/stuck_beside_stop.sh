# SPDX-License-Identifier: GPL-2.0-or-later
# Description: while a CPU spins with interrupts off, a recorder that is told to stop says why
# it cannot and ends; kcatch stuck starts beside it, ends, and names the CPU; nothing can be
# armed. When the CPU is back, what the recorder left is taken out.
. "$KT_TOP/tests/guest/support/lib.bash"
if [ "$(nproc)" -lt 2 ]; then
	skip 'all' 'needs two CPUs'
	exit
fi

# As in stuck_waits: interrupts of disks must not go there, and a slow machine is no report.
for file in /proc/irq/*/smp_affinity_list; do
	echo 0 >"$file"
done 2>/dev/null
longest=/sys/kernel/debug/x86/nmi_longest_ns
[ ! -e $longest ] || echo 1000000000 >$longest
sysctl -q kernel.watchdog_thresh=60
echo 300 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout

cat >beside <<'END'
kcatch stuck --no-user >out	# all files are in memory then
kcatch --no-args -t 600 vfs_fallocate >caught 2>&1 &
recorder=$!
until grep -q waiting caught || ! kill -0 $recorder; do
	:
done
insmod "$KT_MODULES/lockup/lockup.ko" cpus=1 irqs_off=1 step_ms=200 hold=1 stop_after=120
echo 0 >/sys/module/lockup/parameters/hold
while read -r begun </sys/module/lockup/parameters/begun && [ "$begun" = 0 ]; do
	:
done
kill -INT $recorder
# Until it waits in the module, as far as that can be seen without waiting for it.
for ((i = 0; i < 20000; i++)); do
	:
done
first= spinning=1
until [[ $first == CPU* || $spinning = 0 ]]; do
	kcatch stuck --no-user >out 2>err
	echo $? >status
	read -r first <out
	read -r spinning </sys/module/lockup/parameters/spinning
done
echo "$spinning" >still
kcatch --no-args -t 1 vfs_fallocate >armed 2>&1
echo $? >armed_status
wait $recorder
echo $? >ended
read -r spinning </sys/module/lockup/parameters/spinning
echo "$spinning" >still_at_end
grep -c vfs_fallocate /sys/kernel/tracing/enabled_functions >left
echo 1 >/sys/module/lockup/parameters/stop
END
# Whatever waits for that CPU waits until it gives up: then once more.
for try in 1 2 3 4 5; do
	echo "# try $try"
	taskset -c 0 bash beside
	wait_for grep -qx 0 /sys/module/lockup/parameters/spinning
	wait_for rmmod lockup
	[ "$(cat still_at_end)" = 0 ] || break
done
check_equal 'kcatch stuck ends while the CPU still spins' "$(cat still)" 1
check_equal 'and has found it' "$(cat status)" 0
check_match 'by name' "$(head -n 1 out)" '^CPU [0-9]+ does not schedule: lockup/[0-9]+'
check_equal 'the recorder ends while the CPU still spins' "$(cat ended) $(cat still_at_end)" '1 1'
check_match 'and says why' "$(cat caught)" 'a CPU takes no interrupts, so the session cannot be stopped'
check_equal 'its function stays hooked until then' "$(cat left)" 1
check_match 'nothing is armed meanwhile' "$(cat armed_status) $(cat armed)" \
	'^1 kcatch: a CPU takes no interrupts, so nothing can be armed'
check_unhooked 'and when the CPU is back, nothing stays hooked'
check 'nor does the module stay' wait_for module_reload
