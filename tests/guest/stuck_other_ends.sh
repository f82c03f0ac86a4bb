# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch stuck names the processes that have the other end of the pipe, unix socket or
# TCP connection that a thread waits for; and block devices that are suspended.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
# shellcheck disable=SC2046 # a list of words
cleanup() {
	dmsetup resume kt_data 2>/dev/null
	kill -KILL $(jobs -p)
}

# Each line of the file ends: who waits, and who has the other end.
cat >ends.py <<'END'
import os, signal, socket
def child(does):
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        does()
        signal.pause()
        os._exit(0)
    return pid
def pair(name, ours, other, does):
    # Neither of the two has what is the other one's, and this process has nothing.
    def waits():
        other.close()
        does(ours)
    def holds():
        ours.close()
    print(name, child(waits), child(holds), flush=True)
    ours.close()
    other.close()
reader, writer = os.pipe()
pair("read", open(reader, "rb", 0), open(writer, "wb", 0), lambda f: f.read(1))
reader, writer = os.pipe()
pair("write", open(writer, "wb", 0), open(reader, "rb", 0), lambda f: f.write(b"x" * 200000))
ours, other = socket.socketpair()
pair("unix", ours, other, lambda s: s.recv(1))
server = socket.create_server(("127.0.0.1", 0))
ours = socket.create_connection(server.getsockname())
other = server.accept()[0]
server.close()
pair("tcp", ours, other, lambda s: s.recv(1))
reader, writer = os.pipe()
print("own", child(lambda: os.read(reader, 1)), 0, flush=True)
os.close(reader)
os.close(writer)
signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
os.wait()
END
ip link set lo up
setsid python3 ends.py >ends & all=$!
wait_for grep -q own ends
declare -A waits=() holds=()
while read -r name waiter holder; do
	waits[$name]=$waiter holds[$name]=$holder
done <ends
# usage: end_of NAME TEXT REGEX
end_of() {
	sleeps_in "${waits[$1]}" 'wait_woken\|wait_data\|stream_data_wait\|stream_read_generic\|pipe_read\|pipe_write'
	kcatch stuck --no-user -p "${waits[$1]}" >out 2>err
	check_match "$2" "$(cat out)" "$3"
}
end_of read 'a reader of a pipe: who could write' \
	"waits for data in a pipe, whose other end python3\\(${holds[read]}\\) has
"
check_match 'which is shown as well' "$(cat out)" \
	"waited for by others:
python3\\(${holds[read]}\\)  process ${holds[read]}"
check_no_match 'though it is no proven deadlock' "$(cat out)" deadlocked
end_of write 'a writer to a pipe: who could read' \
	"waits for room in a pipe, whose other end python3\\(${holds[write]}\\) has
"
end_of unix 'a unix socket' \
	"waits for its peer on a unix socket, whose other end python3\\(${holds[unix]}\\) has
"
end_of tcp 'a connection inside the machine' \
	"waits for data from its TCP peer, whose other end python3\\(${holds[tcp]}\\) has
"
end_of own 'a pipe whose other end the process has itself' \
	'waits for data in a pipe, whose other end only its own process has
'
kill $all $(pgrep -g $all)
wait 2>/dev/null

if modprobe -q dm-mod && command -v dmsetup >/dev/null && modprobe -q loop &&
	truncate -s 16M disk && device=$(losetup -f --show disk) &&
	dmsetup create --noudevsync kt_data --table "0 32768 linear $device 0"; then
	name=dm-$(dmsetup info -c --noheadings -o minor kt_data)
	dmsetup suspend --noudevsync kt_data
	dd if=/dev/$name of=/dev/null bs=4096 count=1 2>/dev/null & waiter=$!
	sleeps_in $waiter 'folio_wait_bit\|wait_on_page'
	kcatch stuck --no-user --limit 0 >out 2>err
	check_match 'a suspended device is named' "$(cat out)" \
		"suspended, so who reads or writes waits until dmsetup resume: $name \\(kt_data\\)"
	check_match 'where the device is known, there' "$(cat out)" \
		"of block device $name \\([0-9]+:[0-9]+\\), which is suspended"
	dmsetup resume --noudevsync kt_data
	wait $waiter
	dmsetup remove --noudevsync kt_data
	losetup -d "$device"
else
	skip 'a suspended device is named' 'no device mapper here'
	skip 'where the device is known, there' 'no device mapper here'
fi

# A named pipe that nobody else opens: the system call has its own arguments and no other.
mkfifo pipe
bash -c "exec 9<$PWD/pipe" & opens=$!
wait_for eval "[ \"\$(cat /proc/$opens/wchan)\" = wait_for_partner ]"
check_equal 'the system call and its arguments' \
	"$(kcatch stuck -p $opens --json | jq -r --argjson tid $opens 'select(.tid == $tid) | .syscall')" \
	"openat(dfd=AT_FDCWD, filename=\"$PWD/pipe\", flags=O_RDONLY, mode=0)"
kill -KILL $opens
