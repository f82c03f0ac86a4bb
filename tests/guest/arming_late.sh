# SPDX-License-Identifier: GPL-2.0-or-later
# Description: what the kernel calls while it hooks all functions is hooked behind the others. Each
# function has one hook, and another session of such a function counts all calls, before and after.
# Gate: none
. "$KT_TOP/tests/guest/support/lib.bash"
stalls_are_expected

enabled=/sys/kernel/tracing/enabled_functions
quiet='--no-args --entry --no-stack'

# usage: all SECONDS: arms all functions for so long
all() {
	# shellcheck disable=SC2086 # words
	timeout --foreground 300 kcatch '*' -n 0 -t "$1" -p 1 $quiet >all 2>all.error &
	all=$!
	wait_for grep -q '^kcatch: waiting for' all.error
	number=$(sed -n '/^kcatch: waiting/s/.* of \([0-9]*\) functions.*/\1/p' all.error)
}

all 1000
check "all functions are armed: $number" test "$number" -gt 10000
cat $enabled >list
check_equal 'each of them is hooked' "$(grep -c . list)" "$number"
check_equal 'and once' "$(grep -vc '(1)' list)" 0
check 'those too that the kernel calls to hook them' \
	grep -q '^perf_event_text_poke.*(1)' list
kill -INT "$all"
wait "$all"
check_unhooked 'nothing stays hooked'

# Now one of them is in another session before, and stays behind.
# shellcheck disable=SC2086 # words
timeout --foreground 300 kcatch perf_event_text_poke -n 0 -t 1000 -p 1 $quiet >one 2>one.error &
one=$!
wait_for grep -q '^kcatch: waiting for' one.error
all 0.01
wait "$all"
kill -INT "$one"
wait "$one"
hits=$(sed -n 's/.*hits \([0-9]*\) = .*/\1/p' one.error)
check "and has counted each change of the others: $hits" test "$hits" -ge $((2 * (number - 1)))
check_unhooked 'nothing stays hooked after it'
