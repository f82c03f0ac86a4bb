# SPDX-License-Identifier: GPL-2.0-or-later
# Description: A1: symbol=NAME count=3 at load logs the stacks of the first three
# calls and then stays silent. Calls that come too fast for the log are told of.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
cleanup() { module_reload; }

traces() { log_since | grep -c "allie: ${1-kt_c} called"; }
has_three() { [ "$(traces)" -ge 3 ]; }
# What is to be logged is in the log when the module has gone, and no sooner.
all_is_logged() { rmmod kcatch; }

log_mark
module_reload symbol=kt_c count=3
check_equal 'it loads' $? 0
order 'process chain'
wait_for eval '[ "$(traces)" -eq 1 ]'
check_equal 'the first call is logged' "$(traces)" 1
for i in 2 3 4 5 6 7 8; do order 'process chain'; done
wait_for has_three
order 'process chain'
all_is_logged
check_equal 'three in all, of nine' "$(traces)" 3
check_equal 'three stacks' "$(log_since | grep -c 'kt_b+0x.*\[kcatch_test\]')" 3

log_mark
module_reload symbol=kt_c
order 'process chain'
order 'process chain'
all_is_logged
check_equal 'without count: one' "$(traces)" 1

log_mark
module_reload symbol=kt_hammered count=5
order 'hammer 3000'
check_unhooked 'called on all CPUs at once: then it is off'
all_is_logged
check_equal 'called on all CPUs at once: exactly count' "$(traces kt_hammered)" 5

# Until the log was slower than the calls.
for action in 2 1; do
	log_mark
	module_reload symbol=kt_hammered count=1000000 action=$action
	order "hammer $((300 * action))"
	all_is_logged
	left_out=$(log_since | sed -n 's/^allie: kt_hammered: \([0-9]*\) calls were not logged, .*/\1/p' |
		awk '{ sum += $1 } END { print sum + 0 }')
	[ "$left_out" -eq 0 ] || break
done
check 'calls that come too fast: some are not logged' [ "$left_out" -gt 0 ]
check_equal 'and each of them is told of' $(($(traces kt_hammered) + left_out)) \
	"$(module_value hammer.total)"
