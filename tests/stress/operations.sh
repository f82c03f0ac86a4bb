# SPDX-License-Identifier: GPL-2.0-or-later
# Description: ten million random operations of several threads on sessions, control files and
# modules (tests/stress/fuzz/), with another seed each time, in rounds of 200,000.
. "$KT_TOP/tests/stress/support.bash"

nr=$(rounds 50)
for ((round = 1; round <= nr; round++)); do
	seed=${KT_SEED:-$((RANDOM * 32768 + RANDOM))}
	"$KT_OUT/stress/fuzz_ioctl" --seed "$seed" --operations 200000 2>&1 |
		tee out | grep --line-buffered '^#'
	status=${PIPESTATUS[0]}
	check_equal "seed $seed: all operations end, each request succeeds at times" \
		"$status $(grep '^not ok' out)" '0 '
	for module in kcatch_test kcatch_trace kcatch_trace_twin kcatch_locks; do
		rmmod $module 2>/dev/null
	done
	progress operations $round "$nr"
done
# The rings of ktrace/ stay until their size is set, when all its events are off.
echo 0 >/sys/kernel/debug/ktrace/enabled
size=$(</sys/module/kcatch/parameters/ktrace_size)
echo "$size" >/sys/module/kcatch/parameters/ktrace_size
check_nothing_left
