# SPDX-License-Identifier: GPL-2.0-or-later
# Description: O5: the kernel's log tells what happened in otst's own phrases, with
# pid, command, CPU, interrupt state and the call trace.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
log_mark
module_reload
check_match 'the load' "$(log_since)" 'otst: one-time stacktrace driver loaded!'
log_mark
echo kt_c >$otst
check_match 'armed' "$(log_since)" 'otst: symbol kt_c registered!'
taskset -c 0 bash -c "echo \$\$ >pid; echo 'irqs-off chain' >$orders"
wait_for eval '! grep -q . $otst'
log=$(log_since)
check_match 'triggered, with the address' "$log" \
	'otst: triggered stacktrace for symbol kt_c at [0-9a-fx]+:'
check_match 'the process' "$log" "pid:? $(cat pid)( |,|$)"
check_match 'the command' "$log" 'comm:? "?bash'
check_match 'the CPU' "$log" '(cpu|CPU):? 0( |,|$)'
check_match 'the interrupt state' "$log" 'interrupts:? off'
check_match 'the trace' "$log" $'Call Trace:\n *kt_b\+0x[0-9a-f]+/0x[0-9a-f]+ \[kcatch_test\]\n *kt_a\+0x'
check_match 'withdrawn by itself' "$log" 'otst: symbol kt_c unregistered!'
log_mark
echo kt_c >$otst
order 'process chain'
wait_for eval '! grep -q . $otst'
check_match 'interrupts on, when they are' "$(log_since)" 'interrupts:? on'

# A process chooses its name. As the kernel's log has it, without dmesg's own escapes.
echo kt_c >$otst
python3 -c 'import ctypes, sys
ctypes.CDLL(None).prctl(15, b"x\notst: gone!", 0, 0, 0)
open(sys.argv[1], "w").write("process chain\n")' $orders
wait_for eval '! grep -q . $otst'
check_match 'a line break in the name of the process: escaped' "$(dmesg -S | tail -n 50)" \
	'comm x\\x0aotst: gone! cpu'
