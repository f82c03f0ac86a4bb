# SPDX-License-Identifier: GPL-2.0-or-later
# Description: with kernel.kptr_restrict=2 no kernel address is shown: none of a frame, pointers and
# integers that hold one are hidden, in text, in JSON and in counts; with 1, root sees them. What
# needs one says so: variables to watch, and names in conditions.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
before=$(sysctl -n kernel.kptr_restrict)
cleanup() { sysctl -q kernel.kptr_restrict=$before; kill $opener $sender; }
sender=
# hexadecimal; decimal from 0xfe... on; as a negative number
addresses='0x?ff[0-9a-f]{14}|1844[0-9]{16}|183[0-9]{17}|-[0-9]{14,}'

# usage: opened OPTION... - one open is caught, with a stack
opened() {
	catch_begin -n 1 -t 300 -c kt_hidden_one "$@" vfs_open
	(printf kt_hidden_one >/proc/self/comm; : </proc/version)
	catch_end
}
# usage: freed OPTION... - a page is freed by its address, an unsigned long
freed() {
	catch_begin -n 1 -t 300 -c cat "$@" free_pages
	cat /proc/self/cmdline >/dev/null
	catch_end
}

# usage: unlocked OPTION... - a mutex is unlocked: its owner is a pointer in a signed number
unlocked() {
	catch_begin -n 1 -t 300 "$@" mutex_unlock
	echo | cat >/dev/null
	catch_end
}

# Datagrams of a socket that takes credentials: the pointer of the sender's struct pid is the first
# in the array of characters that their buffer has. Every other of these ends in a null byte, so it
# shows no character: sixteen processes that are there together have sixteen of them.
send='import os, socket
open("/proc/self/comm", "w").write("kt_sender")
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
b.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
for i in range(16):
    if not os.fork():
        a.send(b"hello")
        os._exit(0)
    b.recv(5)
for i in range(16):
    os.wait()'
# usage: passed [OPTION]... - such datagrams are caught
passed() {
	catch_begin -n 16 -t 300 -c kt_sender "$@" skb_queue_tail
	python3 -c "$send"
	catch_end
	jq -c 'select(.args) | .args.newsk.cb' out | sort -u
}

# usage: by KEY FUNCTION OPTION... - sixteen calls counted by a key
by() {
	local key=$1
	shift
	kcatch count "$@" -n 16 -t 300 --by "$key" 2>err
}

# usage: counted OPTION... - opens are counted by their file, a pointer
counted() { kcatch count vfs_open -c kt_opener -n 2 -t 300 --by file "$@" 2>err; }
(
	printf kt_opener >/proc/self/comm
	while :; do
		: </proc/version
		pause 0.02
	done
) &
opener=$!

sysctl -q kernel.kptr_restrict=1
# Without its address no variable is found then. A module that is loaded writes the list's pointer.
list=$(awk '$3 == "modules" && $1 !~ /^0*$/ { print "0x" $1 ":8"; exit }' /proc/kallsyms)
freed --json
check_match '1: an unsigned long is shown' "$(jq -c 'select(.args) | .args' out)" "$addresses"
unlocked --json
check_match '1: so is a signed one' "$(jq -c 'select(.args) | .args.lock.owner' out)" \
	'"counter":"-[0-9]{16,}"'
check_match '1: characters that are parts of a pointer are told' "$(passed --json)" '[^" ]{4}'
check_match '1: counted pointers' "$(counted)" "$addresses"
check_match '1: in JSON, too' "$(counted --json)" "$addresses"
opened --json
check_equal '1: a frame has its address' \
	"$(jq -r 'select(.stack) | .stack | map(has("address")) | unique[]' out)" true
check_match '1: a pointer is an address' "$out" "$addresses"
opened -v
check_match '1: as text, too' "$out" "$addresses"

sysctl -q kernel.kptr_restrict=2
opened --json
check_equal '2: it is caught all the same' "$status" 0
check_equal '2: no frame has an address' \
	"$(jq -r 'select(.stack) | .stack | map(has("address")) | unique[]' out)" false
check_equal '2: but its name' \
	"$(jq -r 'select(.stack) | .stack[-1].symbol' out)" entry_SYSCALL_64_after_hwframe
# -1 is the owner of a free spinlock, on debugging kernels.
check_no_match '2: no pointer is shown' "${out//18446744073709551615/}" "$addresses"
freed --json
check_equal '2: no unsigned long is one' "$(jq -c 'select(.args) | .args.addr' out)" null
freed
check_match '2: it is hidden' "$out" 'addr=<hidden>'
unlocked --json
check_equal '2: no signed one is' "$(jq -c 'select(.args) | .args.lock.owner' out)" '{"counter":null}'
check_no_match '2: nor is any other of a lock' "${out//18446744073709551615/}" "$addresses"
unlocked -v
check_match '2: it is hidden, too' "$out" 'owner=\{counter=<hidden>\}'
check_match '2: a counted owner is hidden' "$(by 'lock->owner.counter' mutex_unlock)" '<hidden>'
check_match '2: in JSON: null' "$(by 'lock->owner.counter' mutex_unlock --json)" \
	'"lock->owner.counter":null'
# (What ends at a byte of 0 in a pointer may be a text of two characters.)
check_match '2: nor characters that are parts of one' " $(passed --json | tr '\n' ' ')" \
	'^ ("[^" ]{0,2}" )*null $'
check_match '2: counted pointers are hidden' "$(counted)" '<hidden>'
check_equal '2: in JSON: null' "$(counted --json | jq -c 'select(.key) | .key.file' | sort -u)" null
remedy='kernel.kptr_restrict is 2.*sysctl kernel.kptr_restrict=1'
out=$(kcatch watch -t 1 panic_timeout 2>&1)
check_equal '2: a variable is not found' $? 1
check_match '2: and what to do is said' "$out" "$remedy"
out=$(kcatch -t 1 vfs_read 'file->f_op == &pipefifo_fops' 2>&1)
check_equal '2: nor is a name in a condition' $? 1
check_match '2: and what to do is said for it' "$out" "$remedy"
check_match '2: kcatch check tells' "$(kcatch check 2>&1)" 'kcatch watch finds no variable'
rmmod kcatch_test 2>/dev/null	# another test may have left it
catch_begin watch --json -n 1 -t 60 "$list"
test_module
catch_end
check_equal '2: nor is a pointer that is watched' "$(jq -c 'select(.by) | [.old, .new]' out)" '[null,null]'
rmmod kcatch_test
catch_begin watch -n 1 -t 60 "$list"
test_module
catch_end
check_match '2: it is hidden as well' "$out" 'was <hidden>, is <hidden>'
(
	while :; do
		python3 -c "$send"
		cat /proc/self/cmdline >/dev/null
	done
) &
sender=$!
check_match '2: counted characters are hidden' "$(by 'newsk->cb' skb_queue_tail -c kt_sender)" '<hidden>'
check_match '2: in JSON: null' "$(by 'newsk->cb' skb_queue_tail -c kt_sender --json)" '"newsk->cb":null'
check_no_match '2: and none are bytes' "$(by 'newsk->cb' skb_queue_tail -c kt_sender)" '\\x'
check_match '2: a counted unsigned long is hidden' "$(by addr free_pages -c cat)" '<hidden>'
check_no_match '2: in JSON, too' "$(by addr free_pages -c cat --json)" "$addresses"
kill $sender
opened -v
check_match '2: as text: hidden' "$out" 'mnt=<hidden> dentry=<hidden>'
check_no_match '2: and no address' "$out" "$addresses"
