# SPDX-License-Identifier: GPL-2.0-or-later
# Description: names of processes, files and mounts, and texts, that hold escape sequences and
# line breaks reach no terminal as they are: in no command, no format of a report.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
pid=

cleanup() {
	[ ! "$pid" ] || kill -KILL $pid
	rmmod ktrace_sample
}

# usage: is_clean TEXT FILE...: no control characters but ends of lines and tabs
is_clean() {
	local text=$1
	shift
	check "$text: something is shown" [ -s "$1" ]
	check_equal "$text: no control characters" \
		"$(cat "$@" | LC_ALL=C tr -d '\n\t\040-\377' | wc -c)" 0
}

# A process, a file and a directory of hostile names, and what it does with them.
cat >hostile.py <<'END'
import ctypes, os, time
name = b'\x1b[31m\n"\\x\x07<b>'
ctypes.CDLL(None).prctl(15, name, 0, 0, 0)
os.makedirs(name + b'/' + name, exist_ok=True)
print('ready', flush=True)
while True:
    with open(name + b'/file' + name, 'w') as file:
        file.write('x')
    os.stat(name + b'/' + name)
    if not os.fork():
        os._exit(3)
    os.wait()
    time.sleep(0.05)
END
python3 hostile.py >ready &
pid=$!
wait_for grep -q ready ready
check 'the process has its name' grep -q $'\x1b' "/proc/$pid/comm"

kcatch -p $pid -n 2 vfs_open >out 2>err
check_equal 'catch: caught' $? 0
check_match 'catch: the name, escaped' "$(cat out)" '\\x1b\[31m'
is_clean 'catch' out err
kcatch -p $pid -n 2 --json vfs_open >out 2>err
is_clean 'catch --json' out err
check_equal 'catch --json: the name is the name' \
	"$(jq -s 'any(.[]; .comm? // "" | startswith("\u001b[31m\n"))' out)" true
kcatch -p $pid -n 3 -e sched:sched_process_fork -e sched:sched_process_exit >out 2>err
is_clean 'catch of events' out err
kcatch -p $pid -n 1 --user vfs_open >out 2>err
is_clean 'catch --user' out err
kcatch -p $pid -n 1 --tree vfs_open 'security_*' >out 2>err
is_clean 'catch --tree' out err
kcatch signals --to $pid -n 1 -t 300 CHLD >out 2>err
check_match 'signals: the name, escaped' "$(cat out)" '\\x1b\[31m'
is_clean 'signals' out err
kcatch top -p $pid -n 2 -d 1 vfs_open >out 2>err
is_clean 'top' out err
stand_still $pid
kcatch stuck --limit 0 --sleeping -p $pid >out 2>err
is_clean 'stuck' out err
kcatch stuck --limit 0 --sleeping -p $pid --json >out 2>err
is_clean 'stuck --json' out err
kill -CONT $pid

recorded() {
	rm -rf rec
	kcatch record -o rec -p $pid -f vfs_open -e sched:sched_process_fork --stack -t 2 >out 2>err
}
until_found recorded
is_clean 'record' err
for format in text json tree folded stats html flame; do
	kcatch report rec --format $format >out 2>err
	check_equal "report $format: status 0" $? 0
	is_clean "report $format" out err
done

# Symbols of a recording that somebody else made: the address of an argument has such a name.
kcatch count -i rec vfs_open --by '(void *)path' >out 2>err
address=$(grep -o '0x[0-9a-f]*$' out | head -n 1)
check 'count of a recording: an address' [ "$address" ]
{
	printf '[generated]\n%s \033]0;owned\a\033[31mevil\n=0\n' "${address#0x}"
	cat rec/kcatch/symbols
} >symbols
mv symbols rec/kcatch/symbols
kcatch count -i rec vfs_open --by '(void *)path' >out 2>err
check_match 'count of a recording: the name of the address, escaped' "$(cat out)" '\\x1b\[31mevil'
is_clean 'count of a recording' out err
kcatch count -i rec vfs_open --by '(void *)path,stack' --format folded >out 2>err
is_clean 'count of a recording, folded' out err

# The directory of a recorder, and its command line.
kcatch record --detach --name box -f vfs_open -o $'box\x1b[31m\n\xff' >out 2>err
is_clean 'record --detach' err
kcatch sessions >out 2>err
is_clean 'sessions' out
kcatch sessions --json >out 2>err
is_clean 'sessions --json' out
check 'sessions --json: valid UTF-8' iconv -f UTF-8 -t UTF-16 -o /dev/null out
kcatch sessions --stop box >out 2>err
is_clean 'sessions --stop' err
wait_for eval '! kcatch sessions >/dev/null 2>&1'

# A text that came from a user through a module's event.
insmod "$KT_MODULES/ktrace/ktrace_sample.ko"
rm -f err
kcatch -n 1 -e ktrace:sample_said >out 2>err &
catching=$!
wait_for grep -q 'waiting for' err
printf '\033[31mtext\a\n' >/sys/module/ktrace_sample/parameters/say
wait $catching
check_match 'a text, escaped' "$(cat out)" '\\x1b\[31mtext'
is_clean 'a text of an event' out err

# What a user writes on the command line comes back in messages.
kcatch -t 1 $'\033[31mno_function' >out 2>err
is_clean 'a function that is not there' err
kcatch report $'\033[31mrec' >out 2>err
is_clean 'a recording that is not there' err
