# SPDX-License-Identifier: GPL-2.0-or-later
# Description: without one of the symbols that the kernel keeps to itself, or may take back, each in
# turn, as in a kernel in which it has another name: what kcatch shows is the same, or it refuses in
# words, in its message and in the kernel's log.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
names=$(modinfo -F private "$KCATCH_MODULE")
check 'the module tells what it looks for' [ "$(wc -w <<<"$names")" -ge 20 ]

# What is refused, and what the log says.
declare -A refused=(
	[register_kretprobe]=return
	[print_modules]=lockup [watchdog_timer_fn]=lockup
	[handle_mm_fault]=trap
	[for_each_kernel_tracepoint]='event builtin'
)
declare -A logged=(
	[register_kretprobe]='returns are not caught'
	[print_modules]='a soft lockup freezes no recorder'
	[watchdog_timer_fn]='a soft lockup freezes no recorder'
	[handle_mm_fault]='ktrace:trap_exit is refused'
	[for_each_kernel_tracepoint]='does not tell which tracepoints it has'
	[apic]='no NMI can be sent'
	[paddr_vmcoreinfo_note]='table of symbols is not read'
	[return_to_handler]='return_to_handler is not known'
)
for name in __st{art,op}_orc_unwind{_ip,}; do
	logged[$name]='own stack walker not used'
done
for name in kallsyms_{num_syms,names,token_table,token_index,offsets}; do
	logged[$name]='table of symbols is not read'
done
# It is gone by 7.3, where addresses are relative to where they stand.
logged[kallsyms_relative_base]='^$|table of symbols is not read'

# One call with its caller, stack and return. usage: call [OPTION]
call() {
	rm -f out err
	kcatch -n 1 --json "$@" kt_c >out 2>err &
	kcatch=$!
	wait_for catch_is_armed
	order 'process chain'
	wait $kcatch || return
	jq -c 'select(.function) |
		[.function, .caller, .ret, [.stack[] | .symbol], .stack_complete]' out
}

# The same beside a tracer that has hooked that return before.
graph_call() {
	echo kt_c >$tracefs/set_ftrace_filter
	echo function_graph >$tracefs/current_tracer
	call
	echo nop >$tracefs/current_tracer
	echo >$tracefs/set_ftrace_filter
}

# A use of kcatch that may be refused. usage: use return|lockup|trap|event|builtin
use() {
	case $1 in
	return) call >/dev/null ;;
	lockup) kcatch record --flight --freeze-on lockup -t 0.1 -f kt_c -o recording 2>err ;;
	builtin) kcatch -n 1 -t 60 -e ktrace:syscall_entry >/dev/null 2>err ;;
	trap) kcatch -n 1 -t 60 -e ktrace:trap_exit >/dev/null 2>err ;;
	event) kcatch -n 1 -t 60 -e sched:sched_switch >/dev/null 2>err ;;
	esac
}

test_module
expected=$(call)
check_match 'with all: a call' "$expected" '^\["kt_c","kt_b",[0-9]+,\["kt_b","kt_a",.*true\]$'
graph=
if grep -qw function_graph $tracefs/available_tracers; then
	graph=$(graph_call)
	check_match 'with all: a call that another tracer hooks' "$graph" '^\["kt_c","kt_b",.*"kt_a"'
fi
for what in return lockup trap event builtin; do
	use $what
	check "with all: $what is not refused: $(<err)" [ $? -ne 1 ]
	rm -rf recording
done

for name in $names; do
	# A name of another kernel; those of the table of symbols are in no table.
	[[ ${logged[$name]-} ]] || grep -qw "$name" /proc/kallsyms || continue
	rmmod kcatch_test
	log_mark
	if ! module_reload without="$name"; then
		fail "$name: kcatch is loaded"
		continue
	fi
	test_module
	got=$(call)
	check_match "$name: the log" "$(log_since | grep '^kcatch: ')" "${logged[$name]-^$}"
	if [[ " ${refused[$name]-} " == *' return '* ]]; then
		check_equal "$name: no return is caught" "$got" ''
		check_match "$name: kcatch check" "$(kcatch check)" \
			$'\nnote *returns *are not caught: entries alone'
		check_equal "$name: the entry is" "$(call --entry)" \
			"$(jq -c '.[2] = null' <<<"$expected")"
	else
		check_equal "$name: a call" "$got" "$expected"
		[[ ! $graph || ! $name =~ trampoline|return_to_handler ]] ||
			check_equal "$name: a call that another tracer hooks" "$(graph_call)" "$graph"
	fi
	for what in ${refused[$name]-}; do
		use $what
		check_equal "$name: $what is refused" $? 1
		check_match "$name: $what: and why" "$(<err)" 'this kernel'
		rm -rf recording
	done
done
rmmod kcatch_test
check 'the public way of returns, without the name of what a kretprobe puts there' \
	module_reload distrust=returns \
	without=arch_rethook_trampoline,__kretprobe_trampoline,kretprobe_trampoline
test_module
check_equal 'it is learnt: a call' "$(call)" "$expected"
rmmod kcatch_test
log_mark
module_reload without=vfs_read 2>err
check 'a symbol that it does not look for: it is not loaded' [ ! -e /sys/module/kcatch ]
check_match 'and the log says why' "$(log_since)" "kcatch looks for no symbol called 'vfs_read'"
check 'and back' module_reload
