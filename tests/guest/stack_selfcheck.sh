# SPDX-License-Identifier: GPL-2.0-or-later
# Description: with selfcheck=1 each stack of processes, interrupts and returns is compared with
# the kernel's own walk; none differs, and the fast walker stays in use.
. "$KT_TOP/tests/guest/support/lib.bash"
parameters=/sys/module/kcatch/parameters

cleanup() { echo 0 >$parameters/selfcheck; }

test_module
log_mark
echo 1 >$parameters/selfcheck
catch_begin --json --entry -n 3000 -t 300 vfs_read vfs_write ksys_read schedule try_to_wake_up \
	hrtimer_interrupt kmem_cache_free 'mutex_lock*' do_sys_openat2 'kt_[a-c]' kt_recurse
for context in process irqs-off softirq hardirq timer workqueue kthread; do
	order "$context chain"
	order "$context recursion 20"
done
while kill -0 $kcatch 2>/dev/null; do
	cat /proc/version >/dev/null
	order 'timer chain'
done
catch_end
catch_begin --json -n 300 -t 300 vfs_read vfs_open kt_recurse
while kill -0 $kcatch 2>/dev/null; do
	cat /proc/version >/dev/null
	order 'process recursion 20'
done
catch_end
# Without a limit and without arguments hits take a path of their own.
before=$(cat $parameters/selfchecked)
catch_begin --json --entry --no-args -n 0 --size 1M vfs_read
for ((i = 0; i < 100; i++)); do cat /proc/version >/dev/null; done
kill -INT $kcatch
catch_end
compared=$(cat $parameters/selfchecked)
hits=$(exact 'e["summary"]["hits"] if "summary" in e else None')
check "of $hits hits on the fast path, $((compared - before)) are compared" \
	[ $((hits > 100 ? compared - before : -1)) -ge $((hits / 2)) ]
check "$compared stacks are compared" [ "$compared" -gt 2000 ]
check_no_match 'none differs' "$(log_since)" 'stack walker differs'
check_match 'the fast walker is in use' "$(kcatch check)" 'own stack walker'
echo 0 >$parameters/selfcheck
kcatch --json -n 20 -t 300 vfs_read >out 2>err &
kcatch=$!
while kill -0 $kcatch 2>/dev/null; do cat /proc/version >/dev/null; done
wait $kcatch
check_equal 'switched off: stacks are caught' \
	"$? $(jq -r 'select(.stack) | .function' out | wc -l)" '0 20'
check_equal 'switched off, no stack is compared any more' "$(cat $parameters/selfchecked)" "$compared"
check 'it can be asked for at load' module_reload selfcheck=5
check_equal 'and says so' "$(cat $parameters/selfcheck)" 5
