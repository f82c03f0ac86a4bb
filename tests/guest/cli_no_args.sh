# SPDX-License-Identifier: GPL-2.0-or-later
# Description: --no-args shows no arguments, and return values by their types all the same: a
# function that returns nothing has none. Live and in recordings, with and without a program in the
# module (--user, --with-cgroup, conditions).
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

# chroot asks for a capability, which is true or false, and sets a root, which returns nothing.
functions=(ns_capable set_fs_root)
act() { (chroot / true); }
shown='["ns_capable",1,"true"]
["set_fs_root",null,null]'

# usage: check_shown TEXT FILE
check_shown() {
	check_equal "$1: returns by their types" "$(jq -c 'select(.function) |
		[.function, .ret, .ret_text]' "$2" | sort -u)" "$shown"
	check_equal "$1: no arguments" \
		"$(jq -c 'select(.function) | [.args, .typed]' "$2" | sort -u)" '[{},false]'
}

for option in '' --user --with-cgroup; do
	# shellcheck disable=SC2086
	catch_begin --json --no-args $option -n 0 -t 300 -c chroot "${functions[@]}"
	act
	kill -INT $kcatch
	catch_end
	check_shown "live $option" out
	[ "$option" != --user ] || continue

	# shellcheck disable=SC2086
	record_begin -o "rec$option" --no-args $option -c chroot -f "${functions[0]}" \
		-f "${functions[1]}"
	act
	kill -INT $recorder
	record_end
	kcatch report "rec$option" --format json >"report$option"
	check_shown "recorded $option" "report$option"
	check_same_in_babeltrace "rec$option"
done

catch_begin --no-args -n 1 -t 300 -c chroot set_fs_root
act
catch_end
check_match 'as text: nothing is returned' "$(cat out)" 'returned after '
check_no_match 'as text: and it is not said to have no arguments' "$(cat out)" 'without arguments'

check_equal 'a condition over the recording knows the type' \
	"$(kcatch report rec --filter 'ret == true' --fields event | sort -u)" ns_capable
kcatch report rec --filter 'cap == 1' >out 2>err
check_equal 'and has no arguments' $? 1
check_match 'which it says' "$(cat err)" 'no arguments were recorded \(--no-args\)'
