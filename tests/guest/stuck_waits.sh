# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch stuck says which FUSE server does not answer, which page and which
# block are waited for, who took a lock of a file, which child is to end, also after vfork(); a
# server that waits for itself is deadlocked; and a process whose memory is locked, or whose program
# or memory is on a server that does not answer, does not make it wait.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
server=$KT_TOP/tests/guest/support/fuse_server.py
cleanup() {
	# shellcheck disable=SC2046 # a list of words
	kill -KILL $(jobs -p)
}

# usage: stuck OPTION...: runs it; $first is the verdict
stuck() {
	timeout 300 kcatch stuck "$@" >out 2>err
	status=$?
	first=$(head -n 1 out)
}

# The same through a pipe, but nobody can end a process that such a server blocks: then status is
# "blocked". Whoever reads the pipe waits for all who may write to it.
# usage: stuck_in_time OPTION...
stuck_in_time() {
	local try
	(
		set -o pipefail
		kcatch stuck "$@" 2>err | cat >out
	) &
	status=blocked first=
	for try in {1..120}; do
		if ! kill -0 $! 2>/dev/null; then
			wait $!
			status=$?
			first=$(head -n 1 out)
			break
		fi
		sleep 0.5
	done
}

# usage: serve MOUNT [HOW]: $serves is the server
serve() {
	mkdir -p "$1"
	rm -f ready	# of the one before
	python3 "$server" "$1" ${2:-} >ready &
	serves=$!
	wait_for grep -q ready ready
}

modprobe -q fuse
if [ -e /dev/fuse ] || mknod /dev/fuse c 10 229; then
	serve stopped stop
	wait_for grep -q 'State:.T' "/proc/$serves/status"
	cat stopped/file &
	client=$!
	sleeps_in $client request_wait_answer
	stuck --limit 0 --sleeping -p $client --no-user
	check_match 'a stopped FUSE server: its name, that it is stopped, what was asked, the mount' \
		"$(cat out)" "waits for the answer to [A-Z]+ of the FUSE server of [^ ]*/stopped \(fuse\): kt_server\($serves\), which is stopped"
	check_match 'and its own stack' "$(cat out)" "waited for by others:
kt_server\($serves\)  process $serves, state T"
	check_no_match 'which is no deadlock' "$first" deadlocked
	kill -KILL $serves $client
	wait $serves $client 2>/dev/null
	umount -l stopped

	# Who may mount chooses the directory's name.
	own=$'own \x1b[31m'
	serve "$own" self
	sleeps_in $serves request_wait_answer
	stuck --limit 0 --no-user
	check_match 'a server that asks itself is deadlocked' "$first" \
		"^1 task deadlocked: kt_server\($serves\) waits for the answer to [A-Z]+ of the FUSE server of [^ ]*/own \\\\x1b\[31m \(fuse\): kt_server\($serves\)"
	check_equal 'its name is escaped' "$(LC_ALL=C tr -d '\n\t\040-\377' <out | wc -c)" 0
	kill -KILL $serves
	wait $serves 2>/dev/null
	umount -l "$own"

	serve silent
	long=$(printf 'f%.0s' {1..200})
	cat "silent/$long" >/dev/null &
	client=$!
	sleeps_below $client folio_wait
	stuck -p $client --no-user
	check_match 'a page: its offset, its file, its file system' "$(cat out err)" \
		"waits for a page of the page cache .*: offset 0 of file $long, inode 2 of fuse on 0:[0-9]+"
	kill -KILL $client $serves
	wait 2>/dev/null
	umount -l silent

	# Who opens the file of a program that was run from there, or reads memory that is mapped
	# from there, is blocked as well.
	serve programs "$(realpath "$(command -v cat)")"
	cat programs/program >/dev/null	# its pages stay
	mkfifo fifo
	programs/program fifo programs/file >/dev/null &
	client=$!
	sleeps_below $client wait_for_partner
	kill -USR1 $serves
	: >fifo
	sleeps_below $client folio_wait
	cat programs/file >/dev/null &
	other=$!
	sleeps_below $other folio_wait
	stuck_in_time --limit 0
	check_equal 'a program from a server that does not answer: found in time' "$status" 0
	check_match 'the verdict' "$first" '^[0-9]+ tasks are blocked, for up to '
	check_match 'what it waits for' "$(cat out err)" \
		'waits for a page of the page cache .*: offset 0 of file file, inode 2 of fuse'
	stuck_in_time -p $client
	check_match 'that it was not read is told' "$(cat out err)" \
		"-- memory and files of process $client were not read --.*
memory and files of 1 process were not read"
	stuck_in_time -p $client --json
	check_equal 'also in JSON' \
		"$(jq -sc '[.[0].tid, .[0].unread, .[-1].summary.unread]' out)" "[$client,true,1]"
	stuck_in_time -p $other
	check_match 'a program from elsewhere that waits for the same is read' "$(cat out err)" \
		"waits for a page .*-- user stack of $other --"
	kill -KILL $other
	cat >futex.py <<'END'
import ctypes, sys
READ, SHARED, FUTEX, WAIT = 1, 1, 202, 0
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
file = open(sys.argv[1], "rb")
word = libc.mmap(None, ctypes.c_size_t(4096), READ, SHARED, file.fileno(), ctypes.c_long(0))
libc.syscall(FUTEX, ctypes.c_void_p(word), WAIT, 0, None)
END
	python3 futex.py programs/file &
	other=$!
	sleeps_below $other folio_wait
	stuck_in_time --limit 0 --no-user
	check_equal 'memory from a server that does not answer: found in time' "$status" 0
	check_match 'what was not read is told' "$(cat out err)" \
		"memory and files of [12] process(es)? were not read"
	kill -KILL $client $other $serves
	wait 2>/dev/null
	umount -l programs
	check 'nothing of kcatch stays when the server is gone' wait_for eval '! pgrep -x kcatch'

	serve disk
	modprobe -q loop
	losetup /dev/loop0 disk/file &	# which may wait as well
	if wait_for test -e /sys/block/loop0/loop/backing_file; then
		modprobe -q ext4
		mkdir -p there
		mount -t ext4 /dev/loop0 there 2>/dev/null &
		sleeps_below $! 'read_bh\|bread'
		dd if=/dev/loop0 of=/dev/null bs=4096 count=1 skip=8 2>/dev/null &
		sleeps_below $! filemap_read
		stuck --limit 0 --no-user
		check_match 'a block of a block device' "$(cat out)" \
			'waits for a buffer of a block device: block [0-9]+ \(of [0-9]+ bytes\) of loop0 \(7:0\)'
		check_match 'a page of a block device' "$(cat out)" \
			'waits for a page of the page cache .*: offset [0-9]+ of block device loop0 \(7:0\)'
	else
		skip 'a block of a block device' 'no loop device here'
		skip 'a page of a block device' 'no loop device here'
	fi
	kill -KILL $serves
	wait 2>/dev/null
	losetup -d /dev/loop0
	umount -l disk
else
	skip 'FUSE servers' 'no FUSE here'
fi

flock locked sleep 1000 &
holder=$!
wait_for grep -q FLOCK /proc/locks
flock locked true &
sleeps_below $! lock_inode_wait
stuck -p $! --no-user
check_match 'who took a lock of a file' "$(cat out)" "waits for a lock on a file \(flock\), which flock\($holder\) took"
stuck -p $holder --no-user
check_match 'the one child to end' "$(cat out)" "waits for its child sleep\([0-9]+\) to end"
kill -KILL $! $holder $(pgrep -P $holder)
wait 2>/dev/null

# Two threads wait for two parts of a file, which as many processes hold as there are arguments.
cat >parts.py <<'END'
import fcntl, os, signal, sys, threading
open("parts", "w").close()
told, tell = os.pipe()
for parts in sys.argv[1:]:
    if os.fork() == 0:
        file = open("parts", "r+")
        for part in parts.split(","):
            fcntl.lockf(file, fcntl.LOCK_EX, 10, int(part))
        os.write(tell, b".")
        signal.pause()
    os.read(told, 1)
file = open("parts", "r+")
for part in 0, 100:
    threading.Thread(target=fcntl.lockf, args=(file, fcntl.LOCK_EX, 10, part)).start()
END
# usage: parts_wait PARTS...: the output in out tells of the process that waits, $!
parts_wait() {
	python3 parts.py "$@" &
	wait_for eval '[ "$(grep -c -e "-> POSIX .* $! " /proc/locks)" = 2 ]'
	stuck -p $! --no-user
	holders=$(pgrep -P $!)
	kill -KILL $! $holders
	wait 2>/dev/null
}
parts_wait 0,100
check_match 'who took all parts that threads of a process wait for' "$(cat out)" \
	"waits for a lock on a file \(fcntl\), which python3\($holders\) took"
parts_wait 0 100
check_match 'two took them: none is named' "$(cat out)" $'waits for a lock on a file \\(fcntl\\)\n'

# What the innermost functions of these stacks are called says little.
# usage: waits_for TEXT REGEX - process $! does
waits_for() {
	stuck --limit 0 --sleeping --no-user -p $!
	check_match "$1" "$(cat out)" "waits for $2"
	kill -KILL $! $(pgrep -P $!)
	wait 2>/dev/null
}
mkfifo until
# The child of vfork() opens the pipe before it executes anything, and waits for its writer.
python3 -c 'import ctypes, os
libc = ctypes.CDLL(None)
actions = ctypes.create_string_buffer(1024)
libc.posix_spawn_file_actions_init(actions)
libc.posix_spawn_file_actions_addopen(actions, 5, b"until", os.O_RDONLY, 0)
libc.posix_spawn(ctypes.byref(ctypes.c_int()), b"/bin/true", actions, None,
                 (ctypes.c_char_p * 2)(b"true", None), (ctypes.c_char_p * 1)(None))' &
sleeps_below $! kernel_clone
waits_for 'a parent after vfork()' \
	"its child python3\([0-9]+\), made by vfork\(\), to exec or to end"
python3 -c 'import ctypes, os
os.read(ctypes.CDLL(None).eventfd(0, 0), 8)' &
sleeps_below $! eventfd_read
waits_for 'a reader of an eventfd: no child' 'a write to an eventfd'
python3 -c 'import ctypes, os
os.read(ctypes.CDLL(None).timerfd_create(1, 0), 8)' &
sleeps_below $! timerfd_read
waits_for 'a reader of a timerfd: no child' 'a timer \(timerfd\)'

# Four processes that wait for a socket each; their processes and ports are in the file sockets.
cat >sockets.py <<'END'
import os, signal, socket
def waiter(waits_for):
    child = os.fork()
    if child == 0:
        waits_for.recv(1)
        os._exit(0)
    return child
signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
os.setpgid(0, 0)
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
six = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
six.bind(("::1", 0))
named = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
named.bind("named")
pair = socket.socketpair()
print(waiter(client), client.getsockname()[1], server.getsockname()[1],
      waiter(six), six.getsockname()[1], waiter(named), waiter(pair[0]), flush=True)
os.wait()
END
ip link set lo up
python3 sockets.py >sockets &
waiters=$!
wait_for grep -q . sockets
read -r tcp here there udp port unix nameless <sockets
# usage: socket_of PROCESS TEXT REGEX
socket_of() {
	sleeps_below "$1" 'wait_for_more\|wait_data\|stream_data_wait\|stream_read_generic'
	stuck --limit 0 --sleeping --no-user -p "$1"
	check_match "a socket: $2" "$(cat out)" "in recvfrom\\(fd=[0-9]+ <$3>, "
}
socket_of "$tcp" 'the addresses of both ends' \
	"tcp 127\\.0\\.0\\.1:$here -> 127\\.0\\.0\\.1:$there"
socket_of "$udp" 'an address of IPv6' "udp6 \\[::1\\]:$port -> \\[::\\]:0"
socket_of "$unix" 'the path of a unix socket' 'unix socket named'
socket_of "$nameless" 'a unix socket without a name' 'unix socket without a name'
# Names of sockets are in /proc/net/unix as they are: these make lines about other sockets.
cat >forger.py <<'END'
import os, signal, socket, sys
forged = []
for inode in sys.argv[1:]:
    forged.append(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
    forged[-1].bind("\0x\n0: 0 0 0 0 0 %s /run/forged\n" % inode)
print("ready", flush=True)
signal.pause()
END
# usage: inode_of PROCESS - the socket that it reads
inode_of() {
	stuck --limit 0 --sleeping --no-user -p "$1"
	readlink "/proc/$1/fd/$(sed -n 's/.*recvfrom(fd=\([0-9]*\) .*/\1/p' out)" | tr -dc 0-9
}
setpriv --reuid 65534 --regid 65534 --clear-groups python3 -c "$(cat forger.py)" \
	"$(inode_of "$unix")" "$(inode_of "$tcp")" >forged &
forger=$!
wait_for grep -q ready forged
check_match 'the lines are forged' "$(grep -c '/run/forged' /proc/net/unix)" 2
socket_of "$unix" 'one of which two lines speak has no name' 'unix socket'
socket_of "$tcp" 'one of another protocol is what it is' \
	"tcp 127\\.0\\.0\\.1:$here -> 127\\.0\\.0\\.1:$there"
kill $waiters $forger
wait 2>/dev/null

# Every reader of /proc/PID/maps and of its memory waits for this one.
insmod "$KT_MODULES/kcatch_locks/kcatch_locks.ko"
bash -c 'printf "x1 - 1" >/proc/kcatch_locks' &
sleeps_in $! kt_lock_both
stuck -p $!
check_equal 'a process whose memory is locked does not make it wait' "$status" 2
check_match 'its kernel stack is shown' "$(cat out)" kt_lock_both
kill -KILL $!
wait 2>/dev/null

# A lock of the kernel is held by who waits for one of a program, and that one for the first.
bash -c 'printf "k1 - 1" >/proc/kcatch_locks; printf "\e]0;a\tb\"\xff" >/proc/$$/comm; sleep 1000 & exec 3>&-; wait' &
keeper=$!
wait_for pgrep -P $keeper >children
bash -c 'printf "m1 - 1" >/proc/kcatch_locks' &
sleeps_in $! "$lock_waits"
stuck --limit 0 --no-user
check_match 'a lock that is held in user mode: by whom' "$(cat out)" "waits for mutex kt_m1 held by .*\($keeper\)"
check 'control characters of names do not get through' bash -c "! LC_ALL=C grep -q $'[\e\t\xff]' out"
stuck --limit 0 --json
check 'nor do they break JSON' bash -c 'jq -e . out >/dev/null'
kill -KILL $! $keeper $(pgrep -P $keeper)
wait 2>/dev/null
rmmod kcatch_locks

# One CPU of two spins. Who has never run there does not have to wait for it, even to fork.
interrupts_to_first_cpu
stalls_are_expected
cat >spin <<'END'
kcatch stuck --no-user >out	# all files are in memory then
insmod "$KT_MODULES/lockup/lockup.ko" irqs_off=$1 step_ms=200 hold=1 stop_after=$2
echo 0 >/sys/module/lockup/parameters/hold
while read -r begun </sys/module/lockup/parameters/begun && [ "$begun" = 0 ]; do
	:
done
first= spinning=1
until [[ $first == CPU* || $spinning = 0 ]]; do
	kcatch stuck --no-user >out 2>err
	read -r first <out
	read -r spinning </sys/module/lockup/parameters/spinning
done
# The machine may have stood still for the second that a CPU has to tell its stack, or for 100 ms,
# within which one that takes interrupts has a tick; or the CPU was asked in an interrupt.
for _ in 1 2 3 4 5; do
	IFS= read -r -d '' all <out
	[[ $all != *"interrupts $3"$'\n'"    lockup_spin+"* && $spinning != 0 ]] || break
	kcatch stuck --no-user >out 2>err
	read -r spinning </sys/module/lockup/parameters/spinning
done
echo "$spinning" >still
echo 1 >/sys/module/lockup/parameters/stop
END
for off in 0 1; do
	word=$([ $off = 1 ] && echo off || echo on)
	# Whatever waits for that CPU, interrupts off, waits until it gives up: then once more.
	for try in 1 2 3; do
		echo "# try $try, interrupts $word"
		taskset -c 0 bash spin $off $((off ? 40 : 100)) $word
		[ "$(cat still)" = 0 ] || break
		wait_for rmmod lockup
	done
	if [ "$(cat still)" = 0 ]; then
		skip "a CPU that spins, interrupts $word" 'this machine gave no program its turn meanwhile'
		continue
	fi
	check_match "a CPU that spins, interrupts $word: which, who, for how long" "$(head -n 1 out)" \
		"^CPU 1 does not schedule: lockup/1\([0-9]+\) has run in the kernel for [0-9.]+ s, interrupts $word"
	check_match 'its stack' "$(cat out)" "CPU 1: lockup/1\([0-9]+\)  process [0-9]+, runs, interrupts $word
    lockup_spin\+0x[0-9a-f]+ \[lockup\][^
]*
    lockup_thread"
	wait_for grep -qx 0 /sys/module/lockup/parameters/spinning
	wait_for rmmod lockup
done

check 'who is not root is told so' bash -c \
	'! setpriv --reuid 65534 --clear-groups -- kcatch stuck 2>err && grep -q "^kcatch: .*root" err'
