# SPDX-License-Identifier: GPL-2.0-or-later
# Description: 128 bytes of a string are shown, or as many as --string says.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
long=/$(printf 'n%.0s' {1..400})	# too long for a file, not for a system call

# usage: shown OPTION...
shown() {
	catch_begin --json --no-stack -n 1 -t 300 -c kt_string "$@" do_sys_openat2
	(printf kt_string >/proc/self/comm; : <"$long") 2>/dev/null
	catch_end
	shown=$(jq -r 'select(.function).args.filename' out)
}
shown
check_equal 'without: 128 bytes' "$shown" "${long:0:128}"
shown --string 5
check_equal '--string 5: five' "$shown" "${long:0:5}"
shown --string 1000
check_equal '--string 1000: all of 401' "$shown" "$long"
