# SPDX-License-Identifier: GPL-2.0-or-later
# Description: while a CPU spins without scheduling, but takes interrupts, catches of each kind end,
# and later ones begin: none of them waits under a lock for the grace period that does not end. A
# module that is loaded then does not wait for it either, not even if it is awaited by many names.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
if [ "$(nproc)" -lt 2 ]; then
	skip 'all' 'needs two CPUs'
	exit
fi
stalls_are_expected
interrupts_to_first_cpu
test_module
catch_begin -n 1 --json kt_c
order 'process chain'
catch_end
# Where kt_c returns to: the place of a kprobe.
inside=kt_b+$(jq -r 'select(.stack) | .stack[0].offset' out)
cat >beside <<'END'
. "$KT_TOP/tests/pause.bash"
spinning=1
# Of these the module has none, and each is looked for when it is loaded.
kcatch -n 1 kcatch_leaver:kt_nosuch_{1..20} >waits.out 2>waits.err &
waiter=$!
until grep -q 'waiting for' waits.err; do
	kill -0 $waiter || exit
	pause 0.1
done
# Ends a catch while the CPU spins. usage: catch NAME COMMAND...
catch() {
	local name=$1 catcher
	[ "$spinning" = 1 ] || return
	shift
	"$@" >"$name.out" 2>"$name.err" &
	catcher=$!
	while kill -0 $catcher 2>/dev/null && [ "$spinning" = 1 ]; do
		echo process chain >"$orders"
		pause 0.1
		read -r spinning </sys/module/lockup/parameters/spinning
	done
	kill $catcher 2>/dev/null
	[ "$spinning" = 0 ] || wait $catcher
	echo "$name $? $spinning"	# whether it still spins
}
insmod "$KT_MODULES/lockup/lockup.ko" cpus=1 step_ms=20 hold=1 stop_after=120
echo 0 >/sys/module/lockup/parameters/hold
while read -r begun </sys/module/lockup/parameters/begun && [ "$begun" = 0 ]; do
	pause 0.1
done
{
	catch entry kcatch -n 1 --entry --no-args kt_c
	catch load insmod "$KT_MODULES/kcatch_leaver/kcatch_leaver.ko"
	catch event kcatch -n 1 -e sched:sched_switch
	catch watch kcatch watch -n 1 panic_timeout
	catch again kcatch -n 1 --entry --no-args kt_b
	catch inside kcatch -n 1 $inside
	catch return kcatch -n 1 kt_c
	catch last kcatch -n 1 --entry --no-args kt_b
} >ended
echo 1 >/sys/module/lockup/parameters/stop
kill -INT $waiter
wait
END
# A machine that is too slow for it gets another try.
for try in 1 2 3; do
	echo "# try $try"
	# What is being unhooked as the CPU begins to spin waits for it.
	wait_for eval '! grep -q . $tracefs/enabled_functions'
	inside=$inside orders=$orders taskset -c 0 bash beside
	wait_for grep -qx 0 /sys/module/lockup/parameters/spinning
	wait_for rmmod lockup
	[ ! -e /sys/module/kcatch_leaver ] || rmmod kcatch_leaver
	! grep -q last ended || break
done
check_equal 'each ends while the CPU spins' "$(cat ended)" \
	$'entry 0 1\nload 0 1\nevent 0 1\nwatch 1 1\nagain 0 1\ninside 1 1\nreturn 0 1\nlast 0 1'
check_match 'a kprobe cannot be tried then, and that is said' "$(cat inside.err)" \
	'^kcatch: a CPU takes no interrupts or does not schedule, so nothing can be armed'
check_match 'nor a watchpoint placed' "$(cat watch.err)" 'a CPU takes no interrupts or does not schedule'
check_unhooked 'nothing stays hooked'
check_equal 'nor a probe armed' "$(cat /sys/kernel/debug/kprobes/list)" ''
check_match 'what could not be armed of the module that came is no silent loss' "$(cat waits.err)" \
	'20 functions of modules that were loaded meanwhile could not be armed: .*dmesg'
