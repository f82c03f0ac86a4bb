# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a live session names the functions of a module that was loaded in another one's
# place, with its code at the same addresses, not those that were there before.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
swap=$KT_MODULES/kcatch_swap/kcatch_swap_a.ko
cleanup() { rmmod kcatch_swap_a kcatch_swap_x; }

base_of() {
	awk -v name="$1" '$1 == name { print $6 }' /proc/modules
}

# usage: in_place FILE NAME - loads the module at $base
in_place() {
	insmod "$1" && [ "$(base_of "$2")" = "$base" ] && return
	rmmod "$2"
	return 1
}

# The same module under other names of the same length.
sed 's/swap_a/swap_x/g' "$swap" >kcatch_swap_x.ko
insmod "$swap" || exit 1
base=$(base_of kcatch_swap_a)
catch_begin --json -n 0 -t 300 int_sqrt 'x == 1111'
kcatch -n 0 -t 300 int_sqrt 'x == 1111' >text 2>text.err &
text=$!
wait_for grep -q 'waiting for' text.err
echo 1 >/sys/module/kcatch_swap_a/parameters/call
wait_for grep -q swap_a_outer out
wait_for grep -q swap_a_outer text
rmmod kcatch_swap_a
wait_for in_place kcatch_swap_x.ko kcatch_swap_x
echo 1 >/sys/module/kcatch_swap_x/parameters/call
wait_for eval '[ "$(grep -c int_sqrt out)" -ge 2 ]'
wait_for grep -q swap_x_outer text
kill -INT $kcatch $text
wait $text
catch_end
frames() {
	jq -r 'select(.function) | [.stack[:2][] | "\(.symbol)[\(.module)]"] | join(" ")' out
}
check_equal 'each call has the names of its module' "$(frames)" \
	$'swap_a_inner[kcatch_swap_a] swap_a_outer[kcatch_swap_a]
swap_x_inner[kcatch_swap_x] swap_x_outer[kcatch_swap_x]'
check_equal 'as text, too' "$(grep -oE '^    swap_[ax]_(inner|outer)' text)" \
	$'    swap_a_inner\n    swap_a_outer\n    swap_x_inner\n    swap_x_outer'
