# SPDX-License-Identifier: GPL-2.0-or-later
# Description: numbers that a program passes to system calls have the names that the program called
# them by, in text and beside the numbers in JSON; so have they in the kernel's functions behind,
# and in members of structs. What has no name stays a number.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
python=$(command -v python3) || skip_all 'no python3 here'
cat >calls.py <<'END'
import ctypes, fcntl, mmap, os, select, signal, socket
libc = ctypes.CDLL(None, use_errno=True)
fd = os.open('new', os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
libc.open(b'odd', os.O_WRONLY | os.O_CREAT | 0x40000000, 0o600)
os.lseek(fd, 7, os.SEEK_END)
fcntl.fcntl(fd, fcntl.F_GETFL)
libc.fcntl(fd, 1999, 0)
fcntl.fcntl(fd, fcntl.F_SETFL, os.O_APPEND | os.O_NONBLOCK)
fcntl.fcntl(fd, fcntl.F_DUPFD, 1)
libc.ioctl(fd, 0x541b, 0)
libc.ioctl(fd, 0x80087a77, 0)
socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP)
m = mmap.mmap(-1, 4 << 12, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
libc.madvise(ctypes.c_void_p(0x1000), ctypes.c_size_t(4096), 4)
libc.mprotect(ctypes.c_void_p(0x1000), ctypes.c_size_t(4096), 0)
s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
p = select.epoll()
p.register(s, select.EPOLLIN | select.EPOLLET)
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
os.kill(os.getpid(), signal.SIGUSR1)
os.mkdir('directory')
os.rmdir('directory')
libc.unshare(0)
END
kcatch record -o calls -f openat -f lseek -f fcntl -f mmap -f madvise -f mprotect -f ioctl \
	-f socket -f epoll_ctl -f kill -f do_sys_openat2 -f vm_mmap_pgoff -f unshare \
	-f path_openat -- "$python" -IS calls.py >out 2>err
check_equal 'the calls are recorded: status 0' "$? $(grep -c Error err)" '0 0'
kcatch report calls >text

# usage: shown WHAT PATTERN
shown() {
	check_equal "$1" "$(grep -cE "$2" text | sed 's/^[1-9][0-9]*$/there/')" there
}
shown 'opening' \
	''"$kt_sys"'openat\(dfd=AT_FDCWD, filename="new", flags=O_RDWR[|]O_CREAT[|]O_EXCL[|]O_CLOEXEC, mode=0600\)'
shown 'a bit without a name' 'filename="odd", flags=O_WRONLY[|]O_CREAT[|]0x40000000, '
shown 'where a file ends' ''"$kt_sys"'lseek\(.*offset=7, whence=SEEK_END\)'
shown 'a command' ''"$kt_sys"'fcntl\(.*cmd=F_GETFL,'
shown 'a command that there is not' ''"$kt_sys"'fcntl\(.*cmd=1999,'
shown 'flags that a command has' \
	''"$kt_sys"'fcntl\(.*cmd=F_SETFL, arg=O_RDONLY[|]O_APPEND[|]O_NONBLOCK'
shown 'a number that a command has' ''"$kt_sys"'fcntl\(.*cmd=F_DUPFD, arg=(1|0x1)\)'
shown 'a command of files' ''"$kt_sys"'ioctl\(.*cmd=FIONREAD,'
shown 'a command of nobody' "${kt_sys}ioctl\\(.*cmd=_IOR\\('z', 119, 8\\),"
shown 'a protocol' ''"$kt_sys"'socket\(family=AF_INET, .*protocol=IPPROTO_UDP\)'
check_equal 'a condition has the name of a command' \
	"$(kcatch report calls --filter 'cmd == FIONREAD' | grep -c 'cmd=FIONREAD,')" 1
shown 'memory' \
	''"$kt_sys"'mmap\(.*len=16384, prot=PROT_READ, flags=MAP_PRIVATE[|]MAP_ANONYMOUS, '
shown 'the function behind, whose argument has another name' \
	'vm_mmap_pgoff\(.*len=16384, prot=PROT_READ, flag=MAP_PRIVATE[|]MAP_ANONYMOUS, '
shown 'advice' ''"$kt_sys"'madvise\(.*behavior=MADV_DONTNEED\)'
shown 'a number without a bit' ''"$kt_sys"'mprotect\(start=0x1000, len=4096, prot=PROT_NONE\)'
shown 'a socket' ''"$kt_sys"'socket\(family=AF_INET6, type=SOCK_DGRAM[|]SOCK_CLOEXEC, '
shown 'an operation' ''"$kt_sys"'epoll_ctl\(.*op=EPOLL_CTL_ADD, '
shown 'a signal' ''"$kt_sys"'kill\(.*sig=SIGUSR1\)'
check_equal 'flags of another kind have no such names' \
	"$(grep -cE 'path_openat\(.*[ (]flags=O_' text)" 0


kcatch report calls --format json >all.json
# usage: args FUNCTION FILE - the arguments of a call, and their names
args() {
	jq -c "select(.function == \"$1\" and .args.filename == $2) | .args, .args_text" all.json |
		tr '\n' ' '
}
check_equal 'JSON has the number, and its names beside it' "$(args ${kt_sys}openat '"new"')" \
	'{"dfd":-100,"filename":"new","flags":524482,"mode":384} {"dfd":"AT_FDCWD","flags":"O_RDWR|O_CREAT|O_EXCL|O_CLOEXEC","mode":"0600"} '
check_match 'a member of a struct by its path' "$(args do_sys_openat2 '"new"')" \
	'"how.flags":"O_RDWR[|]O_CREAT[|]O_EXCL[|](O_LARGEFILE[|])?O_CLOEXEC"'
check_equal 'without a name there is nothing beside it' "$(args ${kt_sys}unshare null)" \
	'{"unshare_flags":0} null '

kcatch record -o events -e syscalls:sys_enter_openat -e signal:signal_generate \
	-e task:task_newtask -- bash -c 'cat /etc/hostname & wait; kill -USR1 $$' >out 2>err
kcatch report events >text
shown 'the event of a system call' \
	'sys_enter_openat\(dfd=AT_FDCWD, filename="/etc/hostname", flags=O_RDONLY, '
shown 'a signal that is sent' 'signal_generate\(sig=SIGUSR1, '
shown 'how a thread is made' 'task_newtask\(.*clone_flags=CLONE_CHILD_CLEARTID[|]CLONE_CHILD_SETTID[,)]'

# usage: those CONDITION - the functions of the recording that it holds for
those() {
	kcatch report calls --filter "$1" --fields event | sort -u | tr '\n' ' '
}
check_equal 'a condition of a recording knows the names' \
	"$(those 'cmd == F_GETFL'),$(those 'op == EPOLL_CTL_ADD && fd > 2'),$(those 'flags & O_EXCL')" \
	''"$kt_sys"'fcntl ,'"$kt_sys"'epoll_ctl ,'"$kt_sys"'openat '
catch_begin -n 1 -t 300 openat 'filename ~ "trunc*" && dfd == AT_FDCWD && flags & O_TRUNC && !(flags & O_EXCL)'
echo x >truncated
catch_end
check_match 'one of the kernel, too' "$status $out" '^0 .*filename="truncated"'
for wrong in 'flags & O_DIRCT' 'flags & O_CRET'; do
	kcatch -t 1 openat "$wrong" >out 2>err
	check_match "$wrong" "$? $(cat err)" '^1 .*there is no O_.*did you mean O_(DIRECT|CREAT)'
done
