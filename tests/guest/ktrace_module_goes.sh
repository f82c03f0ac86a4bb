# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a module whose events are recorded is unloaded while a write to one of its
# parameters emits them: each is accounted for, and the module comes back with its events.
. "$KT_TOP/tests/guest/support/lib.bash"
order=/sys/module/kcatch_trace/parameters/order

cleanup() { rmmod kcatch_trace; }

for round in 1 2 3; do
	insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko"
	catch_begin --json -n 0 -t 200 -e ktrace:kt_count
	echo 'count 300000' >$order &
	writer=$!
	wait_for test -s out
	check "round $round: the module is unloaded while it emits" rmmod kcatch_trace
	wait $writer
	kill -INT $kcatch
	catch_end
	check_equal "round $round: the counters add up" "$(exact '(e["summary"]["hits"] > 1000 and
		e["summary"]["hits"] == sum(e["summary"][term] for term in ("recorded", "filtered",
		"over_budget", "missed", "lost"))) if "summary" in e else None')" True
done
insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko"
catch_begin --json -n 2 -t 200 -e ktrace:kt_count
echo 'count 1' >$order
catch_end
check_equal 'it comes back with its events' \
	"$(exact 'e["summary"]["recorded"] if "summary" in e else None')" 2
