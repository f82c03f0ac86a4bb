# SPDX-License-Identifier: GPL-2.0-or-later
# Description: ftrace is asked for all functions once. Afterwards each pattern finds what it found
# before, functions of a module that comes are found, and those of one that goes are not.
. "$KT_TOP/tests/guest/support/lib.bash"

patterns=('tcp_*' '*_read' '[ac]*_get' 'vf?_*' '*alloc*page*' 'ext4_*' 'no_such_function_*')

# usage: functions_of PATTERN: their number, or why there are none
functions_of() {
	timeout 300 kcatch "$1" -n 0 -t 0.01 -p 1 --no-args --entry --no-stack 2>&1 >/dev/null |
		sed -n '1s/.* of \([0-9]*\) functions.*/\1/p; 1s/^kcatch: waiting for calls of [^ ]* (.*/1/p; 1s/^kcatch: .no_such.*/none/p'
}

modprobe ext4 2>/dev/null
rmmod kcatch_test 2>/dev/null	# of a test before this one
before=() after=()
for pattern in "${patterns[@]}"; do
	before+=("$(functions_of "$pattern")")
done
check_match 'each pattern is answered' "${before[*]}" '^([0-9]+ ){5}([0-9]+|none)? ?none$'

all=$(functions_of '*')
check "all functions are armed: $all" test "$all" -gt 10000
for pattern in "${patterns[@]}"; do
	after+=("$(functions_of "$pattern")")
done
check_equal 'then each pattern finds the same' "${after[*]}" "${before[*]}"
check_equal 'and all are as many' "$(functions_of '*')" "$all"

insmod "$KT_TEST_MODULE"
check_match "a module that comes: its functions are found" "$(functions_of 'kcatch_test:*')" \
	'^[0-9]+$'
more=$(functions_of '*')
check "and are among all: $all, $more" test "$more" -gt "$all"
own=$(functions_of 'kcatch_test:*')
check_match "its functions are found again" "$own" '^[0-9]+$'
check_equal 'they are what has come' "$more" $((all + own))
rmmod kcatch_test
check_equal 'when it has gone they are as many as before' "$(functions_of '*')" "$all"
timeout 300 kcatch 'kcatch_test:*' -n 0 -t 0.01 --no-args >out 2>&1
check_equal 'and a pattern of its own waits for it' $? 2
check_unhooked 'nothing stays hooked'
