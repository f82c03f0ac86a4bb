# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a condition means the same when it is given to the kernel and when a recording
# is asked later: beside one recording of all calls there is one for each condition, and both
# have the same calls. What the recording cannot answer is refused, with what is missing.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
python=$(command -v python3) || skip_all 'no python3 here'
cat >calls.py <<'END'
import os, socket
open('/proc/self/comm', 'w').write('kt_conditions')
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
os.mkdir('dir')
for n in (1, 5, 4096, 70000):
    with open('dir/file%d' % n, 'wb') as f:
        f.write(b'x' * n)
    open('dir/file%d' % n, 'rb').read()
for name in ('/etc/passwd', '/no/such/file', 'dir/none', '/proc/self/limits'):
    try:
        open(name).read()
    except OSError:
        pass
END

# function|condition
cat >conditions <<'END'
vfs_read|count > 4096
vfs_read|count > 4K && ret > 0
vfs_read|(int)count < 0 || ret == 0
vfs_read|ret < 0 ? 1 : ret == 4096
vfs_read|file->f_flags & O_DIRECTORY || !(file->f_mode & FMODE_WRITE)
vfs_read|current->comm ~ "kt_c*" && current->pid == tid && latency > 0
vfs_write|count % 4096 == 0 || (u8)count == 0x70
vfs_write|buf != NULL && ~count < 0xffffffffffffff00
do_sys_openat2|filename ~ "dir/*" && ret >= 0
do_sys_openat2|ret == -ENOENT
do_sys_openat2|!(filename == "/etc/passwd")
vfs_read|arg2 > 4K && (u32)arg2 != 0
END

recordings=()
# usage: begin DIR ARG... - a recording of what calls.py does
begin() {
	kcatch record -o "$1" -c kt_conditions "${@:2}" 2>"err.$1" &
	recordings+=($!)
}
begin all -f vfs_read -f vfs_write -f do_sys_openat2
begin more --deep 1 --string 4 -f vfs_read -f do_sys_openat2
i=0
while IFS='|' read -r function condition; do
	begin "c$i" -f "$function" --filter "$condition"
	i=$((i + 1))
done <conditions
for file in err.all err.more err.c{0..11}; do
	wait_for grep -q recording "$file" || fail "$file: it records" "$(cat "$file")"
done
"$python" -IS calls.py
kill -INT "${recordings[@]}"
wait "${recordings[@]}"

# usage: calls DIR [OPTION...] - function, arguments and what came back of each call, sorted
calls() {
	kcatch report "$@" --format json 2>err | jq -c 'select(.function) |
		[.function, .args.count, .args.filename, .ret, .tid]' | sort
}

i=0
none=
while IFS='|' read -r function condition; do
	calls all -e "$function" --filter "$condition" >of_all
	check_equal "the same by the kernel and later: $condition" "$(cat of_all)" "$(calls "c$i")"
	[ -s of_all ] || none+="$condition; "
	i=$((i + 1))
done <conditions
check_equal 'each of them holds for some' "$none" ''
check_equal 'and there were as many as conditions' $i "$(wc -l <conditions)"
check_equal 'with --deep 1 in the recording: one pointer further' \
	"$(calls more -e vfs_read --filter '(file->f_inode->i_mode & 0170000) == 0100000' | grep -c .)" \
	"$(calls more -e vfs_read | grep -c .)"
check_equal 'and --string 4: four bytes of a text' \
	"$(calls more -e do_sys_openat2 | jq '.[2] | length' | sort -n | tail -n 1)" 4
kcatch report all --filter 'file->f_inode->i_ino == 1' 2>err
check_equal 'a member behind a pointer that was not followed: refused' $? 1
check_match 'with what is missing' "$(cat err)" 'this is not in the recording: .*--deep'
kcatch report all -e vfs_read --filter 'file->f_op == &proc_single_file_operations' 2>err
check_equal 'a name of data, which a recording does not keep' $? 1
check_match 'which is said' "$(cat err)" 'no function of the recorded kernel is called'
kcatch report all --filter 'uid == 0' 2>err
check_equal 'the user' $? 1
check_match 'is in no recording' "$(cat err)" 'the user is not in a recording'
kcatch report all --filter 'cuont == 1' 2>err
check_equal 'a name that nothing has' $? 1
check_match 'the nearest is offered' "$(cat err)" 'there is no cuont here; did you mean count'

# A name that was fetched behind a pointer, for the summary of a packet: net_device.name.
ip link set lo up
kcatch record -o packets -e net:netif_rx -- "$python" -IS -c 'import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for n in range(3): s.sendto(b"x", ("127.0.0.1", 9))' 2>err
packets() { kcatch report packets --filter "$1" --format json 2>err | grep -c netif_rx; }
check 'packets were recorded' [ "$(packets 'skb->len > 0')" -ge 3 ]
check_equal 'the name of their device is in the recording' \
	"$(packets 'skb->dev->name == "lo"') $(packets 'skb->dev->name ~ "e*"')" \
	"$(packets 'skb->len > 0') 0"
