# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch stuck names the processes that have the other end of the pipe, unix socket or
# TCP connection, or the eventfd, that a thread waits for, also where it polls one descriptor; and
# block devices that are suspended.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
# shellcheck disable=SC2046 # a list of words
cleanup() {
	dmsetup resume kt_data 2>/dev/null
	kill -KILL $(jobs -p)
}

# Each line of the file ends: who waits, and who has the other end.
cat >ends.py <<'END'
import ctypes, os, select, signal, socket, time
libc = ctypes.CDLL(None)
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
def pipe():
    reader, writer = os.pipe()
    return open(reader, "rb", 0), open(writer, "wb", 0)
def tcp():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return socket.create_connection(server.getsockname()), server.accept()[0]
def poll(*files, poll=select.poll, events=select.POLLIN):
    polls = poll()
    for file in files:
        polls.register(file, events)
    polls.poll()
def fill(socket):
    while True:
        socket.send(b"x" * 4096)
pair("read", *pipe(), lambda f: f.read(1))
pair("write", *reversed(pipe()), lambda f: f.write(b"x" * 200000))
null = os.open("/dev/null", os.O_WRONLY)
pair("splice", *pipe(), lambda f: os.splice(f.fileno(), null, 10))
pair("poll", *pipe(), poll)
pair("epoll", *pipe(), lambda f: poll(f, poll=select.epoll))
pair("select", *pipe(), lambda f: select.select([f], [], []))
pair("hangup", *pipe(), lambda f: poll(f, events=0))
pair("two", *pipe(), lambda f: poll(f, os.pipe()[0]))
pair("unix", *socket.socketpair(), lambda s: s.recv(1))
pair("unix_send", *socket.socketpair(), fill)
pair("unix_poll", *socket.socketpair(), poll)
pair("datagram", *socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM), lambda s: s.recv(1))
pair("tcp", *tcp(), lambda s: s.recv(1))
pair("tcp_poll", *tcp(), poll)
def half(socket):
    socket.shutdown(1)
    socket.recv(1)
pair("tcp_half", *tcp(), half)
# Sockets that have no room: for another connection, and for another datagram, each with a name.
def listener():
    server = socket.socket(socket.AF_UNIX)
    server.bind("listener")
    server.listen(0)
    signal.pause()
def connects():
    clients = []
    while True:
        clients.append(socket.socket(socket.AF_UNIX))
        until_there(lambda: clients[-1].connect("listener"))
def until_there(does):
    while True:
        try:
            return does()
        except (FileNotFoundError, ConnectionRefusedError):
            time.sleep(0.01)
print("connect", child(connects), child(listener), flush=True)
def mailbox():
    box = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    box.bind("mailbox")
    signal.pause()
def posts():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        while True:
            until_there(lambda: sender.sendto(b"x", "mailbox"))
print("addressee", child(posts), child(mailbox), flush=True)
os.mkfifo("named")
print("named", child(lambda: os.read(os.open("named", os.O_RDONLY), 1)),
      child(lambda: os.open("named", os.O_WRONLY)), flush=True)
number = libc.eventfd(0, 0)
print("eventfd", child(lambda: os.read(number, 8)), child(lambda: None), flush=True)
os.close(number)
number = libc.eventfd(0, 0)
print("eventfd_poll", child(lambda: poll(number)), child(lambda: None), flush=True)
os.close(number)
number = libc.eventfd(0, 0)
print("eventfd_own", child(lambda: os.read(number, 8)), 0, flush=True)
os.close(number)
# Who has sent it has closed it: it is in a message.
reader, writer = os.pipe()
ours, other = socket.socketpair()
socket.send_fds(ours, [b"x"], [writer])
os.close(writer)
print("sent", child(lambda: os.read(reader, 1)), 0, flush=True)
os.close(reader)
reader, writer = os.pipe()
print("own", child(lambda: os.read(reader, 1)), 0, flush=True)
os.close(reader)
os.close(writer)
signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
os.wait()
END
ip link set lo up
setsid python3 ends.py >ends & all=$!
wait_for grep -q '^own ' ends
declare -A waits=() holds=()
while read -r name waiter holder; do
	waits[$name]=$waiter holds[$name]=$holder
done <ends
# usage: end_of NAME TEXT REGEX
end_of() {
	sleeps_in "${waits[$1]}" "${4:-wait_woken\|wait_data\|stream_data_wait\|stream_read_generic\|pipe\|poll\|select}"
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
end_of splice 'a pipe of splice()' \
	"waits for data in a pipe, whose other end python3\\(${holds[splice]}\\) has
"
for call in poll select epoll; do
	end_of $call "$call() of one pipe" \
		"waits for an event \\($call\\) of descriptor [0-9]+: data in a pipe, whose other end python3\\(${holds[$call]}\\) has
"
done
end_of hangup 'poll() for neither data nor room: the descriptor alone' \
	'waits for an event \(poll\) of descriptor [0-9]+
'
end_of two 'poll() of two: no guess' 'waits for an event \(poll\)
'
end_of named 'a named pipe' \
	"waits for data in a pipe, whose other end python3\\(${holds[named]}\\) has
"
end_of unix_send 'a sender to a unix socket' \
	"waits for room at its peer on a unix socket, whose other end python3\\(${holds[unix_send]}\\) has
" sock_alloc_send_pskb
end_of unix_poll 'poll() of a unix socket' \
	"of descriptor [0-9]+: its peer on a unix socket, whose other end python3\\(${holds[unix_poll]}\\) has
"
end_of datagram 'a unix socket of datagrams' \
	"waits for a datagram on a unix socket, whose other end python3\\(${holds[datagram]}\\) has
" wait_for_more
end_of connect 'a client that is not accepted: who listens' \
	"waits for a server to accept its connection \\(a unix socket\\), which python3\\(${holds[connect]}\\) has open
" 'unix_wait_for_peer\|unix_stream_connect'
end_of addressee 'a sender to a full socket that it names' \
	"waits for room at a unix socket, which python3\\(${holds[addressee]}\\) has open
" 'unix_wait_for_peer\|unix_dgram_sendmsg'
end_of tcp_poll 'poll() of a TCP connection' \
	"of descriptor [0-9]+: data from its TCP peer, whose other end python3\\(${holds[tcp_poll]}\\) has
"
end_of tcp_half 'a connection that is closed in one direction' \
	"waits for data from its TCP peer, whose other end python3\\(${holds[tcp_half]}\\) has
"
end_of eventfd 'an eventfd: who has it as well' \
	"waits for a write to an eventfd, which python3\\(${holds[eventfd]}\\) has open as well
" 'do_wait_intr_irq\|eventfd'
end_of eventfd_poll 'poll() of an eventfd' \
	"of descriptor [0-9]+: a write to an eventfd, which python3\\(${holds[eventfd_poll]}\\) has open as well
"
end_of eventfd_own 'an eventfd that nobody else has' \
	'waits for a write to an eventfd, which only its own process has open
' 'do_wait_intr_irq\|eventfd'
end_of sent 'a pipe whose other end is in a message' \
	'waits for data in a pipe, whose other end no process has at a descriptor
'
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
	# A writer past the page cache.
	dmsetup suspend --noudevsync kt_data
	dd if=/dev/zero of=/dev/$name bs=4096 count=1 oflag=direct 2>/dev/null & waiter=$!
	wait_for grep -q 'State:.D' /proc/$waiter/status
	kcatch stuck --no-user -p $waiter >out 2>err
	check_match 'a direct writer: of which device' "$(cat out)" \
		"waits for direct input or output: block device $name \([0-9]+:[0-9]+\), which is suspended
"
	dmsetup resume --noudevsync kt_data
	wait $waiter
	# Of one with a file system it freezes that.
	if modprobe -q ext4 && mkfs.ext4 -q /dev/$name && mkdir mnt && mount /dev/$name mnt; then
		dmsetup suspend --noudevsync kt_data
		touch mnt/file & waiter=$!
		wait_for grep -q 'State:.D' /proc/$waiter/status
		kcatch stuck --no-user -p $waiter >out 2>err
		check_match 'a file system that is frozen meanwhile' "$(cat out)" \
			"waits for file system ext4 to be thawed: it is frozen, on $name \([0-9]+:[0-9]+\), which is suspended
"
		dmsetup resume --noudevsync kt_data
		wait $waiter
		umount mnt
	else
		skip 'a file system that is frozen meanwhile' 'no ext4 here'
	fi
	dmsetup remove --noudevsync kt_data
	losetup -d "$device"
else
	skip 'a suspended device is named' 'no device mapper here'
	skip 'where the device is known, there' 'no device mapper here'
	skip 'a direct writer: of which device' 'no device mapper here'
	skip 'a file system that is frozen meanwhile' 'no device mapper here'
fi

# A named pipe that nobody else opens: the system call has its own arguments and no other.
mkfifo pipe
bash -c "exec 9<$PWD/pipe" & opens=$!
wait_for eval "[ \"\$(cat /proc/$opens/wchan)\" = wait_for_partner ]"
check_equal 'the system call and its arguments' \
	"$(kcatch stuck -p $opens --json | jq -r --argjson tid $opens 'select(.tid == $tid) | .syscall')" \
	"openat(dfd=AT_FDCWD, filename=\"$PWD/pipe\", flags=O_RDONLY, mode=0)"
kill -KILL $opens
