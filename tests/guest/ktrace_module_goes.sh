# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a module whose events are recorded is unloaded while writes to one of its
# parameters emit them: nothing breaks, and the module comes back with its events.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
order=/sys/module/kcatch_trace/parameters/order
ktrace=/sys/kernel/debug/ktrace

cleanup() {
	echo 0 >$ktrace/enabled
	rmmod kcatch_trace
}

# Emits until the module has gone.
emit() {
	while echo 'count 5000' >$order; do :; done 2>/dev/null
}

failures=0
echo 1 >$ktrace/enabled
for round in 1 2 3 4 5 6 7 8; do
	insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko" || failures=$((failures + 1))
	emit &
	emit &
	wait_for eval '[ "$(cat /sys/module/kcatch_trace/parameters/emitted)" -gt 5000 ]'
	sleep "0.0$((RANDOM % 10))"
	rmmod kcatch_trace || failures=$((failures + 1))
	wait
done
check_equal 'eight times the module is unloaded while it emits' $failures 0
echo 0 >$ktrace/enabled
check_match 'overflow can be read still' "$(cat $ktrace/overflow)" '^[0-9]+$'

insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko"
catch_begin --json -n 2 -t 300 -e ktrace:kt_count
echo 'count 1' >$order
catch_end
check_equal 'it comes back with its events' \
	"$(exact 'e["summary"]["recorded"] if "summary" in e else None')" 2
