# SPDX-License-Identifier: GPL-2.0-or-later
# Description: O6: a symbol can be withdrawn (-NAME); what does not exist or cannot be
# traced is refused with the right errno, and nothing else changes.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
module_reload

# usage: refused TEXT BYTES ERROR
refused() {
	check_match "$1: refused" "$({ printf '%b' "$2" >$otst; } 2>&1)" "$3"
	check_equal "$1: what was armed still is" "$(awk '{ print $1 }' $otst)" kt_a
}

log_mark
echo kt_a >$otst
echo kt_c >$otst
check "withdrawing works" eval "echo -kt_c >$otst"
check_match 'and is in the log' "$(log_since)" 'otst: symbol kt_c unregistered!'
check_equal 'the other stays' "$(awk '{ print $1 }' $otst)" kt_a
log_mark
refused 'no such symbol' 'kt_nothing\n' 'No such file'
refused 'one that cannot be traced' 'kt_hidden\n' 'Cannot assign|not available|Invalid'
refused 'one that is not armed withdrawn' '-kt_b\n' 'No such file'
refused 'an empty line' '\n' 'Invalid argument'
refused 'control characters' 'kt\\001\\002c\n' 'No such file|Invalid argument'
refused 'a name of 100,000 characters' "$(printf 'k%.0s' {1..100000})" 'too long|Invalid|No such'
check_no_match 'the log does not speak of them as registered' "$(log_since)" 'registered!'
order 'process leaf'	# calls kt_c
order 'process chain'
wait_for eval '! grep -q . $otst'
check_equal 'nothing triggers that was withdrawn' \
	"$(log_since | sed -n 's/.*triggered stacktrace for symbol \([^ ]*\) .*/\1/p')" kt_a
check_match 'what was armed works' "$(log_since)" 'otst: triggered stacktrace for symbol kt_a '
check_match 'nobody else may write' \
	"$(setpriv --reuid 65534 --regid 65534 --clear-groups bash -c "echo kt_c >$otst" 2>&1)" \
	'Permission denied|not permitted'
check_match 'nor read' "$(setpriv --reuid 65534 --regid 65534 --clear-groups cat $otst 2>&1)" \
	'Permission denied|not permitted'
