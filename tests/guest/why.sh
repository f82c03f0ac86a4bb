# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch why waits for a slow call and says where its time went, or of some seconds the
# slowest calls; it leaves no directory behind, also when it is interrupted or refuses.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
export TMPDIR=$KT_TMP/temporary
mkdir "$TMPDIR"

# usage: check_clean WHEN
check_clean() { check_equal "$1: no directory is left" "$(ls "$TMPDIR")" ''; }

# A reader of a pipe that waits again and again, until it is killed.
cat >waits.py <<'PYTHON'
import os, time
out, into = os.pipe()
if not os.fork():
    open('/proc/self/comm', 'w').write('why_writer')
    while True:
        time.sleep(0.2)
        os.write(into, b'x')
open('/proc/self/comm', 'w').write('why_reader')
while os.read(out, 1):
    pass
PYTHON
python3 waits.py & reader=$!
wait_for grep -qx why_reader /proc/$reader/comm
kcatch why read 'latency > 100ms' -c why_reader >out 2>err
# The next call may be under way when the recorder ends.
check_match 'the next slow call: status' "$? $(cat err)" '^(0 |3 .*undecided: the call had not returned)'
check_match 'it was said what is waited for' "$(cat err)" \
	'waiting for a call with \(latency > 100ms\) && comm == "why_reader"'
check_match 'the call' "$(head -n 1 out)" '^'"$kt_sys"'read  why_reader  pid [0-9]+  returned 1 after '
check_match 'what it waited for' "$(cat out)" ': data in a pipe'
check_match 'who ended it' "$(cat out)" 'until woken by why_writer\([0-9]+\) in '
check_clean 'the next slow call'
kcatch why ksys_read 'comm == "why_reader"' >out 2>err
check_match 'a condition that the entry decides: the call has returned' "$(head -n 1 out)" \
	'^ksys_read  why_reader  pid [0-9]+  returned 1 after '
kcatch why ksys_read -t 2 -n 3 -c why_reader --json >out 2>err
check_equal 'of two seconds: status 0' $? 0
check_equal 'of two seconds: the three slowest, whose parts add up' \
	"$(jq -s 'length == 3 and (map(.latency_ns) | . == (sort | reverse)) and
		all(.[]; .latency_ns == .blocked_ns + .runnable_ns + .oncpu_ns + .unknown_ns)' out)" true
check_clean 'of two seconds'
kcatch why ksys_read -t 1 -p $reader >out 2>err
check_equal 'of a process: nothing else is said' "$(cat err)" 'kcatch: recording, for 1 s'
check_match 'of a process: its call' "$(head -n 1 out)" "^ksys_read  why_reader  pid $reader  "
kcatch why ksys_read -t 1 -p $((reader + 100000)) >out 2>err
check_equal 'of a process that is not there: status 2' $? 2

# ---- a cgroup ----------------------------------------------------------------------------
groups=/sys/fs/cgroup
if [ -e $groups/cgroup.procs ]; then
	mkdir -p $groups/kt_why/inner $groups/kt_why.not
	echo $reader >$groups/kt_why/inner/cgroup.procs
	for options in '-t 1' ''; do
		# shellcheck disable=SC2086 # a list of words
		kcatch why ksys_read 'latency > 50ms' --cgroup /kt_why $options >out 2>err
		check_match "a cgroup $options: a call in one below it" "$(head -n 1 out)" \
			"^ksys_read  why_reader  pid $reader  "
	done
	kcatch why ksys_read -t 1 --cgroup /kt_why.not >out 2>err
	check_equal 'no call in the cgroup: status 2' $? 2
	kcatch why ksys_read --cgroup /kt_why.none >out 2>err
	check_match 'no such cgroup' "$? $(cat err)" "^1 .*there is no cgroup '/kt_why.none'"
	kcatch why ksys_read --cgroup kt_why >out 2>err
	check_match 'not a path' "$? $(cat err)" '^1 kcatch: --cgroup: .kt_why.: give the path'
	check_clean 'a cgroup'
	echo $reader >$groups/cgroup.procs
	rmdir $groups/kt_why/inner $groups/kt_why $groups/kt_why.not
else
	skip 1 'no cgroup2 file system'
fi
children=$(cat /proc/$reader/task/$reader/children)
# shellcheck disable=SC2086 # a list of words
kill -KILL $reader $children
wait $reader 2>/dev/null

kcatch why do_nanosleep 'latency > 1000s' >out 2>err & why=$!
wait_for eval '[ -e "$TMPDIR"/*/messages ] && grep -q "recording" "$TMPDIR"/*/messages'
kill -TERM $why
wait $why
check_equal 'interrupted: status 2' $? 2
check_match 'interrupted: says so' "$(cat err)" 'no such call came'
check_clean 'interrupted'

kcatch why vfs_read 'nonsense > 1' >out 2>err
check_equal 'a condition of no argument: status 1' $? 1
check_match 'a condition of no argument: says so' "$(cat err)" 'there is no nonsense here'
check_no_match 'a condition of no argument: nothing was waited for' "$(cat err)" 'waiting'
check_clean 'a condition of no argument'
kcatch why vfs_read -n 3 >out 2>err
check_match '-n without a time: status 1' "$? $(cat err)" '^1 kcatch: -n is for -t'
kcatch why >out 2>err
check_match 'of nothing: status 1' "$? $(cat err)" '^1 kcatch: why was which call slow'
