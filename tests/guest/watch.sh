# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch watch (R8): each write of a variable in process, interrupt and NMI
# context with old and new value, the function that did it and its stack; N exact;
# conditions; neighbours are not watched; debug registers that are taken, names that are
# wrong; nothing stays behind, also when it is killed or the module of the variable goes.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

# usage: watch_begin ARG... - as catch_begin
watch_begin() {
	catch_begin watch --json "$@"
}
hits() {
	jq -r "select(.stack) | $1" out
}
held='' number=0
variable=kcatch_test:kt_watched+4:4

watch_begin -n 6 -t 300 $variable
for context in process irqs-off softirq timer hardirq workqueue; do
	order "$context writes $((++number))"
done
catch_end
check_equal 'six writes are caught' "$status" 0
check_equal 'the values before' "$(hits .old | tr '\n' ' ')" '0 1 2 3 4 5 '
check_equal 'the values behind' "$(hits .new | tr '\n' ' ')" '1 2 3 4 5 6 '
check_equal 'by whom' "$(hits .by.symbol | sort -u)" kt_writes
check_equal 'called by' "$(hits .caller | sort -u)" kt_shape_call
check_equal 'in which context' "$(hits .context | tr '\n' ' ')" 'task task softirq softirq hardirq task '
check_equal 'interrupts off' "$(hits .irqs_off | tr '\n' ' ')" 'false true false false true false '
check_match 'from process context: the whole stack' "$(stack_symbols 0)" \
	'^kt_shape_call kt_in_process .*kt_write .*vfs_write ksys_write .*entry_SYSCALL_64_after_hwframe$'
check_match 'from an interrupt: the handler, and what it interrupted' "$(stack_symbols 4)" \
	'^kt_shape_call kt_in_hardirq (irq_work_single )?.*asm_sysvec_irq_work .*entry_SYSCALL_64_after_hwframe$'
check_equal 'all stacks are whole' "$(hits .stack_complete | sort -u)" true
check_equal 'the equation' "$(jq -r 'select(.summary) | .summary |
	.hits > 0 and .hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost and .recorded == 6' out)" true

# N is N on all CPUs; what comes after is over budget.
watch_begin -n 3 -t 300 $variable
for i in 1 2 3 4 5 6; do
	taskset $((1 << i % $(nproc))) bash -c "echo 'process writes 1$i' >$orders"
done
catch_end
check_equal 'N exact' "$(jq -r 'select(.summary) | .summary.recorded' out) $(hits .new | wc -l)" '3 3'
check_equal 'on which CPUs' "$(hits .cpu | sort -u | wc -l)" "$(($(nproc) < 2 ? 1 : 2))"

watch_begin -t 300 $variable 'new > 100 && old != new'
order 'process writes 50'; order 'process writes 101'; order 'process writes 102'
catch_end
check_equal 'a condition on the value' "$(hits '"\(.old) \(.new)"')" '50 101'
check_match 'others were filtered' "$(jq -r 'select(.summary) | .summary.filtered' out)" '^[1-9]'

watch_begin -t 300 ${variable/_/-}	# modprobe takes both
order 'process reads 0'
kill -INT $kcatch
catch_end
check_equal 'a read is no write' "$status" 2
watch_begin -t 300 -n 2 --access $variable
order 'process reads 0'; order 'process writes 7'
catch_end
check_equal 'a read is an access' "$(hits '"\(.by.symbol) \(.old) \(.new)"' | tr '\n' ' ')" \
	'kt_reads 102 102 kt_writes 102 7 '

# The list of symbols of Linux 7.3 calls variables that have a value from the start code.
watch_begin -t 300 -n 1 jiffies_64
catch_end
check_equal 'a variable with a first value: status' "$status" 0
check_equal 'a variable with a first value: it counts up' \
	"$(exact 'e["new"] > e["old"] if "stack" in e else None')" True

# Each CPU watches its own of a per-CPU variable: processes begin and end. A process that begins
# on one CPU and is buried on another leaves the count of the second below zero, as every machine
# has it after a while: here it is so on purpose, before and while it is watched.
astray() {
	python3 -c 'import os
for _ in range(int(os.sys.argv[1])):
	os.sched_setaffinity(0, {0})
	child = os.fork()
	if not child:
		os._exit(0)
	os.sched_setaffinity(0, {os.cpu_count() - 1})
	os.waitpid(child, 0)' "$1"
}
for round in 1 2; do	# all CPUs together have as many as there are processes: once more suffices
	astray 500
	watch_begin -t 300 -n 0 process_counts
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" bash -c '(:); (:)'
	done
	astray 2
	kill -INT $kcatch
	catch_end
	! grep -q '"new":"184467440737095' out || break
done
check_equal 'a per-CPU variable: that of each CPU' "$(hits .cpu | sort -u | wc -l)" "$(nproc)"
check_match 'a per-CPU variable: by whom' "$(hits .by.symbol | sort -u | tr '\n' ' ')" '^copy_process.* release_task'
check_equal 'a per-CPU variable: each from one to the next' \
	"$(exact '(e["new"] - e["old"] + 1) % 2**64 - 1 if "stack" in e else None' |
		sort -u | tr '\n' ' ')" '-1 1 '
[ "$(nproc)" -lt 2 ] ||
	check_match 'a per-CPU variable: below zero, too' \
		"$(grep -c '"new":"184467440737095' out)" '^[1-9]'

# usage: refused TEXT REGEX ARG...
refused() {
	local text=$1 regex=$2
	shift 2
	kcatch watch -t 1 "$@" >out 2>&1
	check_equal "$text: refused" $? 1
	check_match "$text: said" "$(cat out)" "$regex"
}
refused 'an unknown name' "no variable 'panic_timeot'.*did you mean.* panic_timeout" panic_timeot
refused 'a function' "is a function" vfs_read
refused 'behind a per-CPU variable' 'another variable' process_counts+4096
refused 'behind it, of a size' 'another variable' process_counts+4096:8
refused 'behind a variable' 'another variable' panic_timeout+65536:8
refused 'an address of processes' 'of processes' 0x1000
# A hole of all kernels, below their text (with KASAN, its shadow takes others).
refused 'no memory' 'there is no memory' 0xffffffff00000000:8
# A device's registers may change when they are read: those of the timer, or any above 3 GB.
restrict=$(sysctl -n kernel.kptr_restrict)
sysctl -q kernel.kptr_restrict=1	# 0 shows a hash instead
registers=$(sed -n '/phys=0x00000000f.*ioremap/{s/-.*//p;q}' /proc/vmallocinfo)
sysctl -q kernel.kptr_restrict="$restrict"
if [ "$registers" ]; then
	refused "a device's registers" 'there is no memory' "$registers:4"
else
	skip "a device's registers" 'none are mapped here'
fi
refused 'not aligned' 'no multiple of 4' panic_timeout+2:4
refused 'a size there is none of' '1, 2, 4 or 8' panic_timeout:3
refused 'a condition that is wrong' 'new|arg1' panic_timeout 'new =='
refused 'a module that is not there' 'in module' nosuch:panic_timeout
refused 'one whose name begins with a digit' "no variable 'panic_timeout' in module '9nosuch'" \
	9nosuch:panic_timeout+4:4

for i in 1 2 3 4; do
	kcatch watch -n 0 panic_timeout 2>held.$i & held="$held $!"
	wait_for grep -q waiting held.$i
done
refused 'a fifth' 'debug registers' $variable
kill -9 $held
wait $held 2>/dev/null
freed() { kcatch watch -t 0.1 panic_timeout 2>&1 | grep -q waiting; }
check 'killed: the registers are free again' wait_for freed

online=/sys/devices/system/cpu/cpu1/online
if [ -w $online ]; then
	watch_begin -n 0 -t 300 $variable
	echo 0 >$online
	order 'process writes 200'
	echo 1 >$online
	taskset -c 1 bash -c "echo 'process writes 201' >$orders"
	kill -INT $kcatch
	catch_end
	check_equal 'a CPU that went and came is watched' \
		"$(hits '"\(.cpu) \(.new)"' | tr '\n' ' ')" '0 200 1 201 '
	echo 0 >$online
	watch_begin -n 0 -t 300 $variable
	echo 1 >$online
	taskset -c 1 bash -c "echo 'process writes 202' >$orders"
	kill -INT $kcatch
	catch_end
	check_equal 'a CPU that comes later is watched' "$(hits '"\(.cpu) \(.new)"')" '1 202'
else
	skip 'a CPU that went and came is watched' 'no CPU that can be taken away'
fi

watch_begin -n 0 -t 300 $variable
rmmod kcatch_test
catch_end
check_equal 'the module of the variable goes: it ends' \
	"$(jq -r 'select(.summary) | .summary.end' out)" gone
test_module
watch_begin -n 0 -t 300 kcatch_test:kt_watched_percpu
order 'process writes 203'
rmmod kcatch_test
catch_end
check_equal 'a per-CPU variable of a module: a write' "$(hits .new)" 203
check_equal 'its module goes: it ends' "$(jq -r 'select(.summary) | .summary.end' out)" gone
