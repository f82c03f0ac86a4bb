# SPDX-License-Identifier: GPL-2.0-or-later
# Description: --time wall shows times as dates in UTC, of a catch, of an event and in reports, at
# the moment at which the call was made.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
date='20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]\.[0-9]{9}Z'

# usage: is_between TEXT BEFORE TIME AFTER - dates of this form sort as texts
is_between() {
	check_equal "$1" "$(printf '%s\n' "$2" "$3" "$4" | LC_ALL=C sort | tr '\n' ' ')" "$2 $3 $4 "
}

now() {
	date -u +%Y-%m-%dT%H:%M:%S.%NZ
}

test_module
catch_begin --time wall -t 300 kt_c
before=$(now)
echo 'process chain' >$orders
after=$(now)
catch_end
check_match 'a catch: a date' "$(cat out)" "time $date"
is_between 'a catch: when it was made' "$before" "$(grep -oE "$date" out)" "$after"

record_begin -o rec -f kt_c
before=$(now)
echo 'process chain' >$orders
after=$(now)
kill -INT "$recorder"
record_end
is_between 'a report: when it was made' "$before" \
	"$(kcatch report rec --time wall | grep -oE "^$date")" "$after"
is_between 'a report: a column' "$before" \
	"$(kcatch report rec --time wall --fields time)" "$after"
check_match 'a report without it: seconds since boot' "$(kcatch report rec --fields time)" \
	'^[0-9]+\.[0-9]{9}$'
kcatch report rec --time sidereal >out 2>err
check_equal 'another kind of time: status 1' $? 1
check_match 'another kind of time: says which there are' "$(cat err)" 'wall and boot'
kcatch -t late kt_c >out 2>err
check_equal 'a limit that is none: status 1' $? 1
check_match 'a limit that is none: says what to give' "$(cat err)" 'seconds, more than 0'
