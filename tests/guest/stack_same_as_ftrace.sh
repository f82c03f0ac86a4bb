# SPDX-License-Identifier: GPL-2.0-or-later
# Description: for one and the same call, kcatch and the kernel's own tracer name
# the same return addresses, in process, softirq, hard interrupt and NMI context
# and through frames of every kind.
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

cleanup() {
	echo 0 >$tracefs/tracing_on
	echo nop >$tracefs/current_tracer
	: >$tracefs/set_ftrace_filter
	echo nofunc_stack_trace >$tracefs/trace_options
	echo nosym-addr >$tracefs/trace_options
	echo 1 >$tracefs/tracing_on
	: >$tracefs/trace
}

[ -w $tracefs/set_ftrace_filter ] || skip_all 'no function tracer here'
grep -qw function $tracefs/available_tracers || skip_all 'no function tracer here'

echo 0 >$tracefs/tracing_on
echo kt_c >$tracefs/set_ftrace_filter
echo function >$tracefs/current_tracer
echo func_stack_trace >$tracefs/trace_options
echo sym-addr >$tracefs/trace_options

# The addresses above kt_c itself, in the kernel tracer's words.
ftrace_addresses() {
	sed -n '/<stack trace>/,$p' $tracefs/trace |
		sed -n 's/^ => .*<\([0-9a-f]*\)>$/0x\1/p'
}

compare() {
	local name=$1 kernel ours first
	catch_begin -n 1 -t 300 --json --depth 256 kt_c || return
	: >$tracefs/trace
	echo 1 >$tracefs/tracing_on
	order "$name"
	echo 0 >$tracefs/tracing_on
	catch_end
	ours=$(stack_addresses 0)
	kernel=$(ftrace_addresses)
	# The kernel's list begins at its own frames and kt_c: from our caller on.
	first=$(echo "$ours" | head -n 1)
	kernel=$(echo "$kernel" | sed -n "/^$first\$/,\$p")
	if [ "$kernel" ] && [ "$kernel" = "$ours" ]; then
		pass "$name: the same addresses as the kernel's"
	else
		fail "$name: the same addresses as the kernel's" "kcatch:" "$(stack_symbols 0)" "$ours" \
			"kernel:" "$(sed -n '/stack trace/,$p' $tracefs/trace)"
	fi
}

compare 'process chain'
compare 'process many'
compare 'process alloca 77'
compare 'process realigned 99'
compare 'process recursion 30'
compare 'process jump'
compare 'process pointer'
compare 'irqs-off chain'
compare 'softirq realigned 9'
compare 'kthread chain'
compare 'workqueue chain'
compare 'hardirq chain'
[ "$(nproc)" -lt 2 ] || compare 'nmi chain'
