# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a module that is being unloaded is none any more: what its names and patterns mean
# elsewhere is caught, its own functions are waited for, and its name alone is refused.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
module=$KT_MODULES/kcatch_leaver/kcatch_leaver.ko
parameters=/sys/module/kcatch_leaver/parameters
cleanup() {
	echo 0 >$parameters/hold
	rmmod kcatch_trace kcatch_leaver
}

# Its exit runs, and does not end.
goes() {
	echo 1 >$parameters/hold
	rmmod kcatch_leaver &
	rmmod=$!
	wait_for grep -q '^kcatch_leaver .* Unloading ' /proc/modules
}

gone() {
	echo 0 >$parameters/hold
	wait $rmmod
}

functions() {
	jq -r 'select(.function) | "\(.function) \(.module)"' out
}

insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko" || exit 1
insmod "$module" || exit 1
goes
for name in set_order 'set_orde*'; do
	catch_begin --json -n 1 -t 300 "$name" || exit 1
	echo 'count 1' >/sys/module/kcatch_trace/parameters/order
	catch_end
	check_equal "$name: the call in a module that stays" "$status $(functions)" \
		'0 set_order kcatch_trace'
	check_equal "$name: it alone has a probe" "$(jq 'select(.summary) | .summary.probes' out)" 1
done
kcatch -t 1 leaver_exit >out 2>err
check_equal 'its function: refused' $? 1
check_match 'and why' "$(cat err)" 'it is in module kcatch_leaver, which is being unloaded'

catch_begin --json -n 1 -t 300 'kcatch_leaver:set_*' || exit 1
check_match 'what is asked of it is waited for' "$(cat err)" 'waiting for module kcatch_leaver'
gone
insmod "$module" || exit 1
echo 1 >$parameters/order
catch_end
check_equal 'and caught when it is there again' "$status $(functions)" '0 set_order kcatch_leaver'
check_unhooked 'nothing stays hooked'
