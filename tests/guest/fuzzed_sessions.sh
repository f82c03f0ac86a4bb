# SPDX-License-Identifier: GPL-2.0-or-later
# Description: 60,000 random operations of several threads on sessions, control files and modules
# leave rings, counters and the machine sound; half of them in make check, and `make stress` has
# the long run.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

vmalloc_before=$(grep -c '\[kcatch\]' /proc/vmallocinfo)
# The gate takes the same seed each time, on each kernel another; `make stress` takes others
# (operations).
seed=${KT_SEED:-$(uname -r | cut -d . -f 1,2 | tr -d .)}
# Each half minute it says how far it is: on a slow machine it goes on for longer than a test may
# be silent.
operations=60000
[ ! "${KT_ROUNDS-}" ] || operations=30000
"$KT_OUT/stress/fuzz_ioctl" --seed $seed --operations $operations 2>&1 | tee out |
	grep --line-buffered '^#'
status=${PIPESTATUS[0]}
check_equal "seed $seed: all operations end, each request succeeds at times" \
	"$status $(grep '^not ok' out)" '0 '
for module in kcatch_test kcatch_trace kcatch_trace_twin kcatch_locks; do
	rmmod $module 2>/dev/null
done
check_unhooked 'no function stays hooked'
check_equal 'no kprobe is left' "$(cat /sys/kernel/debug/kprobes/list)" ''
check_equal 'nothing holds the module' "$(awk '$1 == "kcatch" { print $3 }' /proc/modules)" 0
check 'it can be unloaded and loaded' module_reload
check_equal 'it holds as much memory as before' \
	"$(grep -c '\[kcatch\]' /proc/vmallocinfo)" "$vmalloc_before"
