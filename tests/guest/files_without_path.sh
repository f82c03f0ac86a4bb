# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a file that is in no directory is shown as /proc/PID/fd shows it: a pipe, a socket,
# an anonymous file by its kind, a namespace; and a condition compares that.
. "$KT_TOP/tests/guest/support/lib.bash"
python=$(command -v python3) || skip_all 'no python3 here'
cat >files.py <<'END'
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
r, w = os.pipe()
a, b = socket.socketpair()
t = socket.socket()
fds = [r, w, a.fileno(), t.fileno(), libc.eventfd(0, 0), libc.epoll_create1(0),
       libc.timerfd_create(1, 0), libc.inotify_init1(0), libc.syscall(434, os.getpid(), 0)]
fds += [os.open('/proc/self/ns/' + kind, os.O_RDONLY)
        for kind in ('net', 'mnt', 'pid_for_children', 'user')]
fds.append(os.open('/dev/null', os.O_RDONLY))
with open('links', 'w') as links:
    for fd in fds:
        links.write(os.readlink('/proc/self/fd/%d' % fd) + '\n')
for fd in fds:
    libc.ioctl(fd, 0x7f7f, 0)
END
# Every file is asked, and then none knows such a command.
kcatch record -o all -f security_file_ioctl -- "$python" -IS files.py >out 2>err
check_equal 'files are used: status 0' "$? $(grep -c Error err)" '0 0'
kcatch report all --filter 'cmd == 0x7f7f' --format json | jq -r '.args.file.text // empty' >shown
check_equal 'each is shown as /proc shows it, in this order' "$(cat shown)" "$(cat links)"
check_equal 'there are 14 of them' "$(wc -l <shown)" 14
check_equal 'a condition over a recording compares it' "$(kcatch report all --format json \
	--filter 'cmd == 0x7f7f && file ~ "anon_inode:*"' | jq -r '.args.file.text // empty')" \
	"$(grep '^anon_inode:' links)"
