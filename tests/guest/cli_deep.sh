# SPDX-License-Identifier: GPL-2.0-or-later
# Description: what a struct of an argument points to is a number, and with --deep N an object,
# N pointers far.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

# usage: kinds OPTION... - what vfs_open's path, its mount and the mount's root are
kinds() {
	catch_begin --json --no-stack -n 1 -t 300 -c kt_deep "$@" vfs_open
	(printf kt_deep >/proc/self/comm; : </proc/version)
	catch_end
	kinds=$(jq -r 'select(.function).args.path | [., .mnt, (.mnt | objects | .mnt_root)] |
		map(type) | join(" ")' out)
}
kinds
check_equal 'without: an address where it points on' "$kinds" 'object string'
kinds --deep 1
check_equal '--deep 1: one pointer further' "$kinds" 'object object string'
check_equal 'with its address' \
	"$(jq -r 'select(.function).args.path.mnt.address | type' out)" string
kinds --deep 2
check_equal '--deep 2: two' "$kinds" 'object object object'
