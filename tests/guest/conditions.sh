# SPDX-License-Identifier: GPL-2.0-or-later
# Description: conditions on arguments that the kernel's own functions get: on the stack, in
# structs by value, functions and tables by name, enumerators of any enum; each catches the
# call that was made for it and no other. A call whose condition could not be tried any
# more is counted.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
python=$(command -v python3) || skip_all 'no python3 here'
cat >calls.py <<'END'
import os, socket, sys
open('/proc/self/comm', 'w').write('kt_conditions')
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(('127.0.0.1', 9))
for size, flags in (3, 0), (5, socket.MSG_DONTWAIT):
    try:
        s.send(b'x' * size, flags)
    except OSError:
        pass	# nobody listens: said at the second
s.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, 3)
s.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, 4)
open('file', 'w').write('x')
open('file').read()
open('/proc/self/limits').read()
os.utime('file', (1000, 2000))
END

# usage: begin NUMBER ARG... - catches those of the calls that calls.py makes that the condition
# wants
begin() {
	kcatch --json --no-stack -n 0 -c kt_conditions "${@:2}" >"out.$1" 2>"err.$1" &
	catches[$1]=$!
}

# usage: caught NUMBER TEXT FIELD EXPECTED - a field of all calls caught
caught() {
	check_equal "$2" "$(jq -r "select(.function) | $3" "out.$1" | sort | uniq | tr '\n' ' ')" "$4 "
}

catches=()
# The tenth argument of ip_make_skb is the fourth word on the stack.
begin 0 ip_make_skb 'flags & MSG_DONTWAIT'
begin 1 ip_make_skb 'flags < 0x100 && sk->__sk_common.skc_num'
begin 2 sk_setsockopt 'optlen == 4 && !optval.is_kernel && optval.user && optname == 12'
begin 3 vfs_read 'file->f_op == &proc_single_file_operations'
begin 4 vfs_read 'seq_read == file->f_op->read'
begin 5 sk_setsockopt 'sk->__sk_common.skc_state == TCP_ESTABLISHED && optname < 36'
for i in "${!catches[@]}"; do
	wait_for grep -q '^kcatch: waiting' "err.$i" || fail "catch $i gets armed" "$(cat "err.$i")"
done
"$python" -IS calls.py
kill -INT "${catches[@]}"
wait "${catches[@]}"
caught 0 'an argument on the stack' .args.length 13
caught 1 'beside one in a register' .args.length '11 13'
caught 2 'a struct by value, and what lies behind it' .args.optname 12
caught 3 'a table of operations by name' '.args.file.text | sub("[0-9]+"; "N")' /proc/N/limits
caught 4 'a function by name' '.args.file.text | sub("[0-9]+"; "N")' /proc/N/limits
caught 5 'an enumerator of a nameless enum' .args.optname 12
kcatch -t 1 vfs_read 'file->f_op->open == proc_single_open' 2>err
check_match 'a name of two functions' "$(cat err)" "this kernel has 2 symbols called 'proc_single_open'"
kcatch -t 1 vfs_read 'file->f_op == &no_such_operations' 2>err
check_match 'a name that the kernel has not' "$(cat err)" "this kernel has no symbol 'no_such_operations'"

sleeper=
cleanup() { kill $sleeper; }
catch_begin --json --no-stack -n 0 -c sleep hrtimer_nanosleep 'ret == 5'
sleep 1000 &
sleeper=$!
sleeps_in $sleeper hrtimer_nanosleep
kill -INT "$kcatch"
catch_end
check_equal 'under way at the end: undecided' \
	"$(jq -c 'select(.summary).summary | [.recorded, .undecided, .missed, .in_flight]' out)" '[0,1,0,1]'
check_equal 'under way at the end: it is not said that nothing met the condition' "$status" 3
check_match 'under way at the end: and it says so' "$err" 'whether it would have been caught is not known'
