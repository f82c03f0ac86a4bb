# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the return of a function is hooked that runs while a kprobe of another tool steps
# over an instruction: the kernel still knows its kprobe, an expected fault of the instruction stays
# one, and each call is recorded with its return; or counted, where kretprobes hook returns.
. "$KT_TOP/tests/guest/support/lib.bash"
insmod "$KT_MODULES/kcatch_step/kcatch_step.ko" || exit 1
parameters=/sys/module/kcatch_step/parameters

echo 3 >$parameters/read
check_equal 'alone: each read faults, and the fault is expected' "$(cat $parameters/read)" 3
check_equal 'alone: in the step of the kprobe' "$(cat $parameters/stepped)" 3
budget=20
! returns_are_public || budget=0	# they are missed
catch_begin --json --no-stack -n $budget -t 300 kcatch_step:kt_step_called
echo 20 >$parameters/read
[ $budget -gt 0 ] || kill -INT $kcatch
catch_end
check_equal 'with its return hooked: each fault is expected' "$(cat $parameters/read)" 23
check_equal 'with its return hooked: in the step of the kprobe' "$(cat $parameters/stepped)" 23
if [ $budget -gt 0 ]; then
	check_equal 'each call is recorded with its return' \
		"$(jq -r 'select(.function) | .ret' out | tr '\n' ' ')" "$(seq -s ' ' 4 23) "
else
	check_equal 'each call is missed' \
		"$(jq -r 'select(.summary) | .summary | "\(.hits) \(.missed) \(.recorded)"' out)" '20 20 0'
	check_match 'and told' "$err" '20 calls were missed'
fi
check 'the module goes' wait_for rmmod kcatch_step
