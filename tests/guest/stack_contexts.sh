# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the stack of one known chain of calls is exact in process, softirq,
# timer, hard interrupt, NMI, work queue and kernel thread context, and with
# interrupts off (A4); it starts at the true caller and ends at a true end.
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

# usage: context NAME CONTEXT IRQS_OFF HEAD... - the first frames of the stack, in full
context() {
	local name=$1 expected=$2 irqs_off=$3 head
	shift 3
	head="kt_b kt_a kt_shape_call $*"
	# In an NMI no return is hooked, which is a loss where one was asked for.
	if [ "$name" = nmi ]; then
		catch_begin -n 1 -t 300 --json --entry kt_c || return
	else
		catch_begin -n 1 -t 300 --json kt_c || return
	fi
	order "$name chain"
	catch_end
	check_equal "$name: the call is caught" "$status" 0
	check_equal "$name: context" "$(jq -r 'select(.stack) | .context' out)" "$expected"
	check_equal "$name: interrupts off" "$(jq -r 'select(.stack) | .irqs_off' out)" "$irqs_off"
	check_equal "$name: the caller" "$(jq -r 'select(.stack) | .caller' out)" kt_b
	check_match "$name: the frames from the caller on" "$(stack_symbols 0)" "^$head "
	check_equal "$name: the stack is complete" \
		"$(jq -r 'select(.stack) | .stack_complete' out)" true
	check_no_match "$name: no frame of a tracer" "$(stack_symbols 0)" \
		'ftrace|kprobe|kcatch_|\[kcatch\]|unwind|trampoline'
	check_equal "$name: no frame without a name" \
		"$(jq -s 'map(select(.stack)) | .[0].stack | map(select(.symbol == null)) |
			length' out)" 0
}

# A task's stack ends where user space entered the kernel, a thread's at its birth.
ends_at() {
	check_match "$1: the outermost frame" "$(stack_symbols 0)" " $2\$"
}

context process task false kt_in_process
check_match 'process: from the system call' "$(stack_symbols 0)" \
	' kt_write .*vfs_write ksys_write .*do_syscall_64 entry_SYSCALL_64_after_hwframe$'
context irqs-off task true kt_in_irqs_off
ends_at irqs-off entry_SYSCALL_64_after_hwframe
context softirq softirq false kt_in_softirq
check_match 'softirq: down to the task that raised it' "$(stack_symbols 0)" \
	' __local_bh_enable_ip run_in_softirq .*kt_write .*entry_SYSCALL_64_after_hwframe$'
context timer softirq false kt_in_timer
check_match 'timer: from the timer softirq' "$(stack_symbols 0)" \
	" kt_in_timer call_timer_fn .*$softirqs "
context hardirq hardirq true kt_in_hardirq
check_match 'hardirq: from the interrupt' "$(stack_symbols 0)" \
	' kt_in_hardirq (irq_work_single )?irq_work_run_list irq_work_run .*asm_sysvec_irq_work '
context workqueue task false kt_in_workqueue
ends_at workqueue 'kthread ret_from_fork( ret_from_fork_asm)?'
context kthread task false kt_in_kthread
ends_at kthread 'kthread ret_from_fork( ret_from_fork_asm)?'
check_equal 'kthread: its name' "$(jq -r 'select(.stack) | .comm' out)" kt_thread
if [ "$(nproc)" -ge 2 ]; then
	context nmi nmi true kt_in_nmi "nmi_handle[a-z0-9.]*"
	check_match 'nmi: what it interrupted' "$(stack_symbols 0)" \
		' (end_repeat_nmi|asm_exc_nmi) kt_nmi_wait run_in_nmi .*kt_write '
	check_equal 'nmi: the interrupted frame is marked' \
		"$(jq -r 'select(.stack) | .stack[] | select(.interrupted) | .symbol' out)" \
		kt_nmi_wait
else
	skip 'nmi' 'needs two CPUs'
fi
