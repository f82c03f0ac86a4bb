# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the module of a caught function is unloaded while the probe is armed
# and while hits arrive: what was caught is shown, the command ends, and the
# module can come back and be caught again.
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

catch_begin --json -n 0 -t 300 kt_c kt_blank
order 'process chain'
order 'process chain'
# A busy machine shows them too late for names; here it is about kretprobes whose module goes.
! returns_are_public || wait_for eval '[ "$(grep -c "\"function\"" out)" -ge 2 ]'
rmmod kcatch_test
check_equal 'the module unloads while it is caught' $? 0
catch_end
check_equal 'its two calls are shown' "$(jq -r 'select(.function) | .function' out | tr '\n' ' ')" 'kt_c kt_c '
check_equal 'frames in it have names, though it has gone' \
	"$(jq -r 'select(.stack) | .stack[0].symbol' out | head -n 1)" kt_b
check_match 'the command says why it ends' "$err" 'unloaded'
check_equal 'the status is that of a catch' "$status" 0

for round in 1 2 3 4 5; do
	test_module
	catch_begin --json -n 0 -t 300 'kt_[abc]' vfs_read kt_blank
	(while echo 'process chain' >$orders; do :; done) 2>/dev/null &
	caller=$!
	wait_for test -s out
	wait_for rmmod kcatch_test 2>/dev/null
	check "round $round: it unloads while hits arrive" [ ! -e $orders ]
	wait $caller
	kill -INT $kcatch
	catch_end
	check_match "round $round: the counters add up" "$(jq -r 'select(.summary) | .summary |
		.hits > 0 and .hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost' out)" true
done
test_module
catch_begin --json -t 300 kt_c
order 'process chain'
catch_end
check_equal 'loaded again, it is caught again' "$(stack_symbols 0 | cut -d' ' -f1-2)" 'kt_b kt_a'
