# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch record --freeze-on with the words for faults of the kernel: a warning, again
# and again, a hung task and an oops each freeze the recorder, which writes what led to it and says
# what froze it; --freeze-log writes the last records to the kernel's log.
# Gate: newest
# Faults: on purpose|cut here|^WARNING: .*kt_fault_warn|^BUG: kernel NULL|^Oops
# Faults: ^INFO: task .* blocked for more than [0-9]{1,2} sec
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

# usage: calls DIRECTORY FUNCTION - how many the recording has
calls() { kcatch report "$1" --format json | jq -s "map(select(.function == \"$2\")) | length"; }

# usage: frozen TEXT REASON DIRECTORY - the recorder has ended, and what led to it is in DIRECTORY
frozen() {
	record_end
	check_match "$1: it writes itself, and says why" "$status $err" "^0 .*frozen by $2.*in .$3"
	check_equal "$1: the calls that led to it are there" "$(calls "$3" kt_before_fault)" 5
	check_equal "$1: none that came after it" "$(calls "$3" kt_after_fault)" 0
}

both=(-f kt_before_fault -f kt_after_fault)
log_mark
record_begin --freeze-on warn --freeze-log "${both[@]}" -o warned
order 'warn 5'
frozen 'a warning' 'a warning' warned
check_equal 'its last eight records of a CPU are in the log' \
	"$(log_since | grep -c 'kcatch: cpu [0-9]* -[0-9.]*s.* kt_before_fault')" 8

record_begin --freeze-on warn --again --name box "${both[@]}" -o each
order 'warn 5'
# Until what it had is written, it does not see another one.
wait_for eval "order 'warn 5'; [ -s each.1/kcatch/counters ]"
kcatch sessions --stop box 2>/dev/null
record_end
check_equal 'again: what led to the first one' "$(calls each kt_before_fault)" 5
check 'again: what led to a later one' [ "$(calls each.1 kt_before_fault)" -ge 5 ]

# (After an oops the kernel looks for hung tasks no more.)
if [ -e /proc/sys/kernel/hung_task_timeout_secs ]; then
	limit=$(</proc/sys/kernel/hung_task_timeout_secs)
	echo 1 >/proc/sys/kernel/hung_task_timeout_secs
	record_begin --freeze-on hung "${both[@]}" -o hung
	order 'before 5'
	order 'hang 1'
	wait_for [ -s hung/kcatch/counters ]
	echo "$limit" >/proc/sys/kernel/hung_task_timeout_secs
	order 'release 1'
	frozen 'a hung task' 'a hung task' hung
fi

record_begin --freeze-on oops "${both[@]}" -o oopsed
order 'oops 5'
frozen 'an oops' 'an oops' oopsed
