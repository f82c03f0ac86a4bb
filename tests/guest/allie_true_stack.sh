# SPDX-License-Identifier: GPL-2.0-or-later
# Description: A3 and A4: the logged stack starts at the true caller, holds nothing of
# the tracer and nothing that was not called, with interrupts disabled too.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
cleanup() { module_reload; }

# Symbols of the trace in the log, in one line.
logged_stack() {
	log_since | sed -n '/Call Trace:/,$p' | sed -n 's/^ *\([a-zA-Z0-9_.]*\)+0x.*/\1/p' |
		tr '\n' ' '
}

# An unload waits until the trace that has begun is in the log to its end.
trace_ends() {
	wait_for eval 'log_since | grep -q "Call Trace:"'
	rmmod kcatch
}

for context in process irqs-off hardirq softirq; do
	log_mark
	module_reload symbol=kt_c count=1
	order "$context chain"
	trace_ends
	check_match "$context: starts at the caller" "$(logged_stack)" \
		"^kt_b kt_a kt_shape_call kt_in_${context//-/_} "
	check_no_match "$context: nothing of the tracer" "$(logged_stack)" 'ftrace|kprobe|kcatch_|unwind'
	case $context in
	irqs-off | hardirq) interrupts=off ;;
	*) interrupts=on ;;
	esac
	check_match "$context: whether interrupts are off is told" "$(log_since)" \
		"allie: pid [0-9]+ comm [^ ]+ cpu [0-9]+ interrupts $interrupts context "
done
log_mark
module_reload symbol=kt_c count=1
order 'process chain'
trace_ends
check_match 'down to user space' "$(logged_stack)" 'ksys_write .*do_syscall_64 entry_SYSCALL_64_after_hwframe $'
