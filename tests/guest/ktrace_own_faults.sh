# SPDX-License-Identifier: GPL-2.0-or-later
# Description: page faults of kcatch's own reads are no trap_entry; the stacks of built-in events
# begin in the code that was interrupted or traced, without the kernel's or our own hooks.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
ktrace=/sys/kernel/debug/ktrace
reader=$KT_TOP/build/tests/samples/ktrace_reader
[ -d $ktrace ] || skip_all 'there is no debugfs'
insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko"

# A text that DO_TRACE is given and that cannot be read.
echo 1 >$ktrace/events/kt_text
echo 1 >$ktrace/events/trap_entry
echo texts >/sys/module/kcatch_trace/parameters/order
/bin/true
echo 0 >$ktrace/enabled
$reader >seen
check_match 'a text that cannot be read is said to be bad' "$(grep kt_text seen)" 'text=\(bad\)'
check 'faults of others are in trap_entry' grep -q ' trap_entry .*address=0x' seen
check_equal 'its fault is not' \
	"$(grep -c 'trap_entry.*address=0xffffffff00000000' seen)" 0
rmmod kcatch_trace

# A file name that cannot be read: the kernel faults once for each call, and kcatch too.
cat >open.py <<'END'
import ctypes
with open('/proc/self/comm', 'w') as comm:
    comm.write('kt_faults')
call = ctypes.CDLL(None).syscall
for i in range(10):
    call(257, -100, ctypes.c_void_p(0x12345000), 0)
END
# usage: faults: those of the program at the address
faults() {
	echo 1 >$ktrace/events/trap_entry
	python3 open.py
	echo 0 >$ktrace/enabled
	$reader | grep -c 'trap_entry.* address=0x12345000'
}
alone=$(faults)
check 'a program faults at the name of a file' [ "$alone" -ge 10 ]
catch_begin --json --no-stack -n 10 -t 300 -c kt_faults do_sys_openat2
with=$(faults)
catch_end
check_equal 'kcatch looked at the name' "$(jq -c 'select(.function).args.filename' out | wc -l)" 10
check_equal 'a tracer beside it adds no fault' "$with" "$alone"

# What calls kcatch's functions of files.
of_files=''"$kt_sys"'\|do_sys_poll\|do_poll\|misc_open\|do_dentry_open\|__fput\|.*mmap_region'

# usage: first_frames EVENT: where the stacks of an event begin, while a program runs
first_frames() {
	catch_begin --json -n 20 -t 300 -e "ktrace:$1" --stack
	while kill -0 $kcatch 2>/dev/null; do
		(exit 0)
		/bin/true
	done
	catch_end
	jq -r 'select(.stack) | [.stack[].symbol] | join(" ")' out
}
for event in syscall_entry trap_entry trap_exit sched_switch process_fork process_exit irq_entry; do
	# An interrupt may come while a kcatch opens, asks, polls, maps or closes its device; and
	# kcatch's workers sleep.
	frames=$(first_frames $event | grep -v "\[kcatch\] \($of_files\|process_one_work\)")
	check "$event: there are stacks" [ "$frames" ]
	check_no_match "$event: none of the hooks is in them" "$frames" \
		'__traceiter_|rethook|kretprobe|kprobe|trampoline|\[?kcatch'
done
check_equal 'trap_exit: they begin where the fault is served' \
	"$(first_frames trap_exit | cut -d' ' -f1 | sort -u)" do_user_addr_fault
