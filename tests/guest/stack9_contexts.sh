# SPDX-License-Identifier: GPL-2.0-or-later
# Description: stack(9) where it is hard: in NMI, with interrupts off, with a spinlock held;
# of threads in user mode, in system calls, that have ended, that spin with interrupts off
# (the lockup module, R7), and of threads that come and go all the time; many in one buffer.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
orders=/proc/kcatch_stack_test
stalls_are_expected
insmod "$KT_MODULES/kcatch_stack_test/kcatch_stack_test.ko" || exit 1
cleanup() {
	kill $pids
	rmmod lockup kcatch_stack_test
}
pids=

symbols() {
	sed -n '/^#/p' |
		sed 's/^#[0-9]* //; s/+0x[0-9a-f]*\/0x[0-9a-f]*//g; s/ \[[a-z_]*\]//g' | tr '\n' ' '
}
sleeps='__schedule schedule schedule_timeout kst_sleeper kthread ret_from_fork (ret_from_fork_asm )?$'

# usage: in_context CONTEXT RUNNING HEAD - RUNNING: what stack_save_td_running() says of a
# thread that sleeps; HEAD: between the handler and the interrupted code
in_context() {
	check "$1: everything may be called" order "in $1"
	got=$(cat $orders)
	own=$(sed -n '/^own/,/^sleeper/p' <<<"$got" | symbols)
	check_match "$1: its own stack is whole" "$got" '^own [0-9]+ 1'
	check_match "$1: its own stack" "$own" "^kst_calls $3.*vfs_write ksys_write .*entry_SYSCALL_64_after_hwframe \$"
	check_match "$1: stack_save_td of one that sleeps" \
		"$(sed -n '/^sleeper 0/,/^sleeper as/p' <<<"$got" | symbols)" "^$sleeps"
	check_match "$1: stack_save_td_running of one that sleeps" "$got" "sleeper as running $2"
	check_match "$1: stack_save_td of the current thread" "$got" 'current 0 kst_calls'
	check_match "$1: stack_put" "$got" 'put 0 64, then -28'
}
log_mark
in_context process '0 [1-9]' '(order_run )?order_write '
in_context irqs-off '0 [1-9]' '(order_run )?order_write '
in_context spinlock '0 [1-9]' '(order_run )?order_write '
in_context hardirq '0 [1-9]' 'kst_hardirq (irq_work_single )?.*asm_sysvec_irq_work '
in_context nmi '-95 0' 'kst_nmi nmi_handle'
check_equal 'the _ddb prints came to the log from all of them' \
	"$(log_since | grep -c '^#0 kst_calls')" 5
check_equal 'and the short ones' "$(log_since | grep -c '^kst_calls')" 5
order 'grow 100'
check_equal 'stack_sbuf_print_growing: a hundred whole traces go into one buffer' \
	"$(head -n 1 $orders)" 'grow 100: 0, beyond 88 KB 1'

sleep 1000 & sleeping=$!
bash -c 'while :; do :; done' & spins_in_user=$!
pids="$sleeping $spins_in_user"
taskset -p 2 $spins_in_user >/dev/null 2>&1
sleeps_in $sleeping nanosleep
# What /proc says leaves the scheduler's own functions out.
expected=$(sed 's/^\[<0>\] //; s/+.*//' /proc/$sleeping/stack | tr '\n' ' ')
order "td $sleeping"
check_match 'td: the same as /proc/PID/stack' \
	"$(symbols <$orders | sed 's/^\(__schedule\|schedule\|do_nanosleep\| \)*//')" \
	"^$(sed 's/^do_nanosleep //' <<<"$expected" | sed 's/[.]/[.]/g')\$"
order "running $sleeping"
check_match 'running: a thread that sleeps is saved as such' "$(cat $orders)" '^running 0 1'

# A return that is hooked is a trampoline on the stack; the trace has what it stands for.
echo 'r:kst_return do_nanosleep' >$tracefs/kprobe_events
echo 1 >$tracefs/events/kprobes/kst_return/enable
sleep 1000 & hooked=$!
pids+=" $hooked"
sleeps_in $hooked nanosleep
order "td $hooked"
check_match 'td: a hooked return is seen through' "$(cat $orders | sed -n 1p) $(symbols <$orders)" \
	'^td 0 1 .*do_nanosleep hrtimer_nanosleep .*entry_SYSCALL_64_after_hwframe $'
kill $hooked
wait $hooked
echo 0 >$tracefs/events/kprobes/kst_return/enable
echo >$tracefs/kprobe_events

order "td 1"
check_match 'td: process 1' "$(cat $orders)" '^td 0 1'
# Its parent becomes another program, which does not wait for it.
bash -c 'sleep 0 & echo $! >zombie; exec sleep 1000' & pids+=" $!"
wait_for test -s zombie
zombie=$(cat zombie)
wait_for grep -q 'State:.*Z' "/proc/$zombie/status"
order "td $zombie"
check_match 'td: a thread that has ended has no stack' "$(cat $orders)" '^td -3 0'
order "running $zombie"
check_match 'running: nor here' "$(cat $orders)" '^running -3 0'

if [ "$(nproc)" -lt 2 ]; then
	skip 'threads that run' 'needs two CPUs'
	exit 0
fi

tried() {
	taskset 1 bash -c "echo '$1' >$orders"
	grep -Eq "$2" $orders
}
check 'running: in user mode: EAGAIN' wait_for tried "running $spins_in_user" '^running -11 0'
check 'masked: the same with interrupts off here' wait_for tried "masked $spins_in_user" '^running -11 0|^masked -11 0'
# It may have been preempted.
check 'td: a running thread is refused: EBUSY' wait_for tried "td $spins_in_user" '^td -16 0'
kill $spins_in_user

# It comes and goes: it waits for one child after the other.
bash -c 'while :; do (:); done' & busy=$!
pids+=" $busy"
wait_for grep -q . /proc/$busy/task/$busy/children
check 'storm: a thread that comes and goes' order "storm $busy 2000"
got=$(cat $orders)
check_match 'storm: no trace is a mixture' "$got" 'wrong 0'
check_match 'storm: and it was not all busy' "$got" 'saved [1-9]'
echo "# $(grep '^storm' <<<"$got")"
kill $busy

# Where an NMI comes in the middle of a call through a pointer the kernel's unwinder knows
# no further. A tracer walks the same stack in its own way.
catch_begin -n 0 --json kst_nmi
check 'thunk: a thread that calls by one all the time' taskset 1 bash -c "echo 'storm 0 100' >$orders"
kill -INT $kcatch
catch_end
got=$(cat $orders)
check_match 'thunk: an NMI in one hides nothing' "$got" 'saved [1-9].* wrong 0'
echo "# $(grep -E '^(in NMI|storm)' <<<"$got")"
if grep -q 'in NMI: right 0 wrong 0' <<<"$got"; then
	skip 'thunk: from inside the NMI as well' 'no NMI came in one: no retpolines here?'
else
	check_match 'thunk: from inside the NMI as well' "$got" 'in NMI: right [1-9][0-9]* wrong 0'
	check_match 'thunk: a tracer sees who called by it' \
		"$(jq -r 'select(.stack_complete) | [.stack[].symbol] | join(" ")' out |
			sed -n 's/.*\(__x86_indirect_thunk\)[a-z_]*/\1/p' | sort | uniq -c)" \
		'^ *[0-9]+ __x86_indirect_thunk kst_by_thunk kst_thunker kthread ret_from_fork( ret_from_fork_asm)?$'
fi

# A CPU that spins with interrupts off answers an NMI. The module counts to ten first;
# this test stays on the other CPU and does not sleep, for timers may be put to the busy one
# and whoever waits for that one waits until it gives up.
taskset -p 1 $$ >/dev/null
spins() {
	local value end=$((SECONDS + 120))
	while ((SECONDS < end)); do
		read -r value </sys/module/lockup/parameters/begun
		[ "$value" = 0 ] || return 0
	done
	return 1
}
for irqs_off in 0 1; do
	# Whatever waits for that CPU waits until it gives up, and may keep this one: once more.
	for try in 1 2 3 4 5; do
		echo "# try $try, irqs_off=$irqs_off"
		! grep -q '^lockup ' /proc/modules || rmmod lockup
		insmod "$KT_MODULES/lockup/lockup.ko" irqs_off=$irqs_off step_ms=200 hold=1 \
			stop_after=60
		read -r locked </sys/module/lockup/parameters/pid
		echo 0 >/sys/module/lockup/parameters/hold
		spins
		# Again where the machine stood still for the second that an answer may take, and
		# where the NMI came in an interrupt, as after such a second. No fork until the CPU
		# is back.
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			order "running $locked"
			IFS= read -r -d '' got <$orders
			[[ $got != *$'\n#0 lockup_spin+'* ]] || break
		done
		read -r spinning </sys/module/lockup/parameters/spinning
		echo 1 >/sys/module/lockup/parameters/stop
		wait_for grep -qx 0 /sys/module/lockup/parameters/spinning
		[ "$spinning" = 0 ] || break
	done
	check_equal "it spins, irqs_off=$irqs_off" "$spinning" 1
	check_match "a CPU that is locked up, irqs_off=$irqs_off" "$got" '^running 0 1'
	check_match "its stack, irqs_off=$irqs_off" "$(symbols <<<"$got")" \
		'^lockup_spin lockup_thread(\.cold)? kthread ret_from_fork (ret_from_fork_asm )?$'
	check "and it goes, irqs_off=$irqs_off" rmmod lockup
done
