# SPDX-License-Identifier: GPL-2.0-or-later
# Description: well-known structs are shown by what the kernel itself says of them: mapped memory as
# /proc/PID/maps, namespaces as /proc/PID/ns, timers and work by their functions, messages and
# buffers by what the program passed, pages by their file.
. "$KT_TOP/tests/guest/support/lib.bash"
python=$(command -v python3) || skip_all 'no python3 here'
ip link set lo up
cat >calls.py <<'END'
import ctypes, mmap, os, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
say = open('said', 'w')
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind(('127.0.0.1', 7777))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.sendto(b'x' * 33, socket.MSG_DONTWAIT, ('127.0.0.1', 7777))
sender.connect(('127.0.0.1', 7777))
sender.send(b'x' * 44)
receiver.recv(100)
listener = socket.socket()
listener.bind(('127.0.0.1', 8888))
listener.listen()
client = socket.create_connection(('127.0.0.1', 8888))
fd = os.open('data', os.O_RDWR | os.O_CREAT)
for i in range(2):
    os.pwrite(fd, b'y' * 4321, 5 * 4096)
os.writev(fd, [b'a' * 100, b'b' * 11])
say.write('ino %d\n' % os.fstat(fd).st_ino)
at = libc.mmap
at.restype = ctypes.c_void_p
at.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
for address, prot, flags, file in ((0x2000000000, 7, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1),
                                   (0x2000100000, 3, mmap.MAP_SHARED, fd),
                                   (0x2000200000, 1, mmap.MAP_PRIVATE, fd)):
    at(address, 8192, prot, flags | 0x10, file, 0)
    if prot & 2:
        ctypes.memset(address, 0, 1)
    else:
        ctypes.string_at(address, 1)
for line in open('/proc/self/maps'):
    if line.startswith('2000'):
        fields = line.split()
        begin, end = fields[0].split('-')
        say.write('vma 0x%s-0x%s %s\n' % (begin, end, ' '.join([fields[1]] + fields[5:])))
master, slave = os.openpty()
os.write(master, b'x')
signal.setitimer(signal.ITIMER_REAL, 100)
libc.unshare(0x04000000)
say.write('new %s\n' % ' '.join('%s:%s' % (kind, os.readlink('/proc/self/ns/' + kind).split(':')[1])
    for kind in ('net', 'mnt', 'pid_for_children', 'ipc', 'uts', 'cgroup')))
END
kcatch record -o faults -f handle_mm_fault --filter 'address >> 28 == 0x200' \
	-- "$python" -IS calls.py >out 2>err
kcatch record -o pages -f folio_mark_accessed --filter 'folio->index == 5' \
	-- "$python" -IS calls.py >out 2>>err
kcatch record -o calls -f inet_sendmsg -f udp_recvmsg -f generic_write_checks -f queue_work_on \
	-f mod_timer -f hrtimer_start_range_ns -f create_new_namespaces -- "$python" -IS calls.py \
	>out 2>>err
check_equal 'the calls are recorded: status 0' "$? $(grep -c Error err)" '0 0'
for recording in faults pages calls; do
	kcatch report $recording --format json
done >all

# Each form of an argument once.
cat >forms.py <<'END'
import json
forms = set()
for line in open('all'):
    event = json.loads(line)
    for name, value in event.get('args', {}).items():
        if isinstance(value, dict) and 'text' in value:
            forms.add('%s %s %s' % (event['function'], name, value['text']))
    if event.get('function') == 'create_new_namespaces':
        forms.add('create_new_namespaces ret %s' % event.get('ret_text'))
print('\n'.join(sorted(forms)))
END
"$python" forms.py >forms
# usage: shown FUNCTION ARGUMENT
shown() {
	sed -n "s/^$1 $2 //p" forms
}
# usage: has WHAT FORM FUNCTION ARGUMENT
has() {
	check_equal "$1" "$(shown "$3" "$4" | grep -xF -- "$2")" "$2"
}
has 'a message: to whom' 'left=33 to 127.0.0.1:7777 flags=MSG_DONTWAIT' inet_sendmsg msg
has 'a message of a socket that is connected' 'left=44' inet_sendmsg msg
has 'a message that is received' 'left=100' udp_recvmsg msg
buffer=$(shown generic_write_checks from)
check_equal 'a buffer, and one of several parts' \
	"$(grep -cx -e 'ITER_[A-Z]* left=4321' -e 'ITER_IOVEC left=111' <<<"$buffer")" 2
check_equal 'mapped memory is what /proc says' \
	"$(shown handle_mm_fault vma)" \
	"$(sed -n 's/^vma //p' said | sort)"
check_equal 'there were three of them' "$(grep -c '^vma' said)" 3
check_equal 'the page of a file' "$(shown folio_mark_accessed folio |
	grep -cE "^ino=$(sed -n 's/^ino //p' said) on tmpfs index=5 refs=[1-9]")" 1
has 'work: its function' flush_to_ldisc queue_work_on work
has 'a timer of high resolution: its function' it_real_fn hrtimer_start_range_ns timer
shown mod_timer timer >timers
check 'there are timers' [ -s timers ]
awk '$2 ~ /[tT]/ { print $3 }' /proc/kallsyms >functions
check_equal 'timers are named by functions' "$(grep -vxFf functions timers)" ''
new=$(sed -n 's/^new //p' said)
check_equal 'namespaces, as /proc has them' "$(shown create_new_namespaces ret)" "$new"
