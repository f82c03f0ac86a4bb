# SPDX-License-Identifier: GPL-2.0-or-later
# Description: while a CPU spins with interrupts off, a recorder that is told to stop waits
# for that CPU; kcatch stuck starts beside it, ends, and names the CPU; the recorder ends
# when the CPU is back.
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
kcatch --no-args -t 300 vfs_fallocate >caught 2>&1 &
recorder=$!
until grep -q waiting caught; do
	:
done
insmod "$KT_MODULES/lockup/lockup.ko" cpus=1 irqs_off=1 step_ms=300 stop_after=20
while read -r spinning </sys/module/lockup/parameters/spinning && [ "$spinning" = 0 ]; do
	:
done
kill -INT $recorder
# Until it waits in the module, as far as that can be seen without waiting for it.
for ((i = 0; i < 20000; i++)); do
	:
done
first=
until [[ $first == CPU* || $spinning = 0 ]]; do
	kcatch stuck --no-user >out 2>err
	echo $? >status
	read -r first <out
	read -r spinning </sys/module/lockup/parameters/spinning
done
echo "$spinning" >still
if kill -0 $recorder 2>/dev/null; then echo waits; else echo ended; fi >recorder
echo 1 >/sys/module/lockup/parameters/stop
wait $recorder
echo $? >ended
END
for try in 1 2 3; do
	taskset -c 0 bash beside
	wait_for grep -qx 0 /sys/module/lockup/parameters/spinning
	wait_for rmmod lockup
	[ "$(cat still)" = 0 ] || break
done
check_equal 'kcatch stuck ends while the CPU still spins' "$(cat still)" 1
check_equal 'while the recorder waits for it' "$(cat recorder)" waits
check_equal 'and has found it' "$(cat status)" 0
check_match 'by name' "$(head -n 1 out)" '^CPU [0-9]+ does not schedule: lockup/[0-9]+'
check_match 'the recorder ends with the spinning' "$(cat ended)" '^[02]$'
check_unhooked 'and nothing stays hooked'
