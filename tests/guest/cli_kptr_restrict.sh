# SPDX-License-Identifier: GPL-2.0-or-later
# Description: with kernel.kptr_restrict=2 no kernel address is shown: none of a frame, pointers
# are hidden, in text and in JSON; with 1, root sees them.
. "$KT_TOP/tests/guest/support/lib.bash"
before=$(sysctl -n kernel.kptr_restrict)
cleanup() { sysctl -q kernel.kptr_restrict=$before; }
# hexadecimal; decimal from 0xfe... on
addresses='0x?ff[0-9a-f]{14}|1844[0-9]{16}|183[0-9]{17}'

# usage: opened OPTION... - one open is caught, with a stack
opened() {
	catch_begin -n 1 -t 300 -c kt_hidden_one "$@" vfs_open
	(printf kt_hidden_one >/proc/self/comm; : </proc/version)
	catch_end
}
sysctl -q kernel.kptr_restrict=1
opened --json
check_equal '1: a frame has its address' \
	"$(jq -r 'select(.stack) | .stack | map(has("address")) | unique[]' out)" true
check_match '1: a pointer is a number' "$out" "$addresses"
opened -v
check_match '1: as text, too' "$out" "$addresses"

sysctl -q kernel.kptr_restrict=2
opened --json
check_equal '2: it is caught all the same' "$status" 0
check_equal '2: no frame has an address' \
	"$(jq -r 'select(.stack) | .stack | map(has("address")) | unique[]' out)" false
check_equal '2: but its name' \
	"$(jq -r 'select(.stack) | .stack[-1].symbol' out)" entry_SYSCALL_64_after_hwframe
check_no_match '2: no pointer is a number' "$out" "$addresses"
opened -v
check_match '2: as text: hidden' "$out" 'mnt=<hidden> dentry=<hidden>'
check_no_match '2: and no address' "$out" "$addresses"
