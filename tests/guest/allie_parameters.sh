# SPDX-License-Identifier: GPL-2.0-or-later
# Description: A2: action, flags and verbose exist, are logged at load as allie did,
# and select what they are documented to; a wrong one refuses the load.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
cleanup() { module_loaded || insmod "$KCATCH_MODULE"; }
shape=chain

# usage: with PARAMETER... - the log of a load and one call
with() {
	log_mark
	module_reload symbol=kt_c "$@" || return
	order "process $shape"
	wait_for eval 'log_since | grep -q "allie: kt_c called"'
	rmmod kcatch	# which waits until it has written to the end
	log=$(log_since)
}

with count=3
check_match 'logged at load, as allie did' "$log" \
	'allie_init: flags=00000000, action=1, count=3, verbose=0'
check_match 'and the symbol' "$log" 'allie_init: symbol=kt_c'
check_no_match 'flags=0: of the last nothing is said' "$log" 'that was the last'
check_no_match 'verbose=0: calls have no numbers' "$log" 'call 1'
with action=1 count=7 flags=1 verbose=1
check_match 'all four as given' "$log" 'allie_init: flags=00000001, action=1, count=7, verbose=1'
check_match 'verbose=1 numbers the calls' "$log" 'call 1 of 7'
with action=2
check_match 'action=2: the stack in one line' "$log" $'kt_b\\+0x[^\n]*kt_a\\+0x'
check_no_match 'action=2: no trace of many lines' "$log" 'Call Trace:'
shape='recursion 60'
with action=2
check_match 'action=2: a stack that is too long ends behind a whole frame, and says so' \
	"$(grep '^allie: <-' <<<"$log")" \
	'^allie:( <- [a-z_0-9]+\+0x[0-9a-f]+/0x[0-9a-f]+ \[kcatch_test\])+ \.\.\.$'
shape=chain
with action=3
check_match 'action=3: the call is logged' "$log" 'allie: kt_c'
check_no_match 'action=3: no stack' "$log" 'kt_b'
with flags=1 count=1
check_match 'flags bit 0: says that it was the last' "$log" 'allie: kt_c: that was the last of 1'

# usage: refused TEXT PARAMETER...
refused() {
	local text=$1
	shift
	! module_loaded || rmmod kcatch
	insmod "$KCATCH_MODULE" "$@" 2>/dev/null
	check_equal "$text: does not load" $? 1
	check "$text: nothing is left of it" [ ! -e $otst ]
	insmod "$KCATCH_MODULE"
}
refused 'action=9' symbol=kt_c action=9
refused 'count=0' symbol=kt_c count=0
refused 'an unknown flag' symbol=kt_c flags=0x80000000
refused 'an unknown symbol' symbol=kt_nothing
refused 'a symbol that cannot be traced' symbol=kt_hidden
