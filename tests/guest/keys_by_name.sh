# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a key of a count says what its number means: an enumerator, flags, a mode, a device,
# the state of a task; live and over a recording alike.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

mkdir disk
mount -t tmpfs none disk
cleanup() { umount "$KT_TMP/disk"; }
echo text >disk/file
chmod 640 disk/file
device=$(stat -c %Hd:%Ld disk/file)

cat >reader <<'END'
import ctypes, os, time
ctypes.CDLL(None).prctl(15, b"kt_reader", 0, 0, 0)	# PR_SET_NAME
at = os.open("disk", os.O_RDONLY | os.O_DIRECTORY)
os.close(os.open("disk/file", os.O_RDWR | os.O_APPEND))
os.close(os.open("file", os.O_RDONLY, dir_fd=at))
time.sleep(0.01)
END

# usage: keys EXPRESSION FUNCTION... - keys of what the reader calls
keys() {
	rm -f out
	kcatch count --json -c kt_reader --by "$@" >out 2>err &
	local counter=$!
	wait_for counts_or_ended $counter
	python3 reader
	kill -INT $counter
	wait $counter
	jq -r 'select(.key) | .key[]' out | sort | xargs
}

inode='path->dentry->d_inode'
regular="($inode->i_mode & 0170000) == 0100000"
check_equal 'a mode' "$(keys "$inode->i_mode" vfs_open "$regular")" 0100640
check_equal 'a device' "$(keys "$inode->i_sb->s_dev" vfs_open "$regular")" "$device"
flags='O_RDONLY|O_LARGEFILE|O_CLOEXEC O_RDONLY|O_LARGEFILE|O_DIRECTORY|O_CLOEXEC O_RDWR|O_APPEND|O_LARGEFILE|O_CLOEXEC'
check_equal 'flags in a struct' "$(keys 'how->flags' do_sys_openat2)" "$flags"
check_match 'an argument of a function' "$(keys dfd do_sys_openat2)" '^[0-9]+ AT_FDCWD$'
check_match 'of the function of a system call' "$(keys dfd,flags openat)" \
	'O_RDONLY[|]O_CLOEXEC .*O_RDWR[|]O_APPEND[|]O_CLOEXEC'
check_equal 'by the name of its function' "$(keys dfd,flags ${kt_sys}openat)" \
	"$(keys dfd,flags openat)"
check_match 'an enumerator' "$(keys mode hrtimer_start_range_ns)" '^HRTIMER_MODE_[A-Z]+$'
check_match 'the argument of a system call' "$(keys dfd -e syscalls:sys_enter_openat)" \
	'^[0-9]+ AT_FDCWD$'
check_equal 'what is computed is a number' "$(keys "$inode->i_mode & 0777" vfs_open "$regular")" \
	$((0640))

# usage: letters MEMBER PID - the state of a thread as /proc has it, and as a key
letters() {
	rm -f out
	kcatch count --json -c kt_status --by "$1" proc_pid_status >out 2>err &
	local counter=$!
	wait_for counts_or_ended $counter
	(exec -a kt_status ./kt_status -n 's/^State:.\(.\).*/\1/p' "/proc/$2/status")
	kill -INT $counter
	wait $counter
	jq -r 'select(.key) | .key[]' out
}
cp "$(command -v sed)" kt_status
in_state() { grep -q "^State:.$1" "/proc/$sleeper/status"; }
sleep 1000 &
sleeper=$!
wait_for in_state S
check_equal 'a thread that sleeps' "$(letters 'task->__state' $sleeper | xargs)" 'S S'
kill -STOP $sleeper
wait_for in_state T
check_equal 'one that is stopped' "$(letters 'task->__state' $sleeper | xargs)" 'T T'
"$(command -v python3)" -IS -c 'import os, time
if os.fork():
    time.sleep(1000)' &
parent=$!
kill -KILL $sleeper
zombie() { sleeper=$(tr -d ' ' <"/proc/$parent/task/$parent/children") && in_state Z; }
wait_for zombie
check_equal 'one that has ended' "$(letters 'task->exit_state' $sleeper | xargs)" 'Z Z'
kill -KILL $parent
idle=$(grep -l '^State:.I' /proc/[0-9]*/status | head -n 1)
idle=${idle//[!0-9]/}
check_equal 'a thread of the kernel that is idle' "$(letters 'task->__state' "$idle" | xargs)" 'I I'

record_begin -o rec -f do_sys_openat2 -c kt_reader
python3 reader
kill -INT $recorder
record_end
check_equal 'over a recording' "$(kcatch count -i rec --by 'how->flags' --json 2>err |
	jq -r 'select(.key) | .key[]' | sort | xargs)" "$flags"
check_match 'in a table' "$(kcatch count -i rec --by dfd 2>err)" ' AT_FDCWD *'
