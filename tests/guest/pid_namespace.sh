# SPDX-License-Identifier: GPL-2.0-or-later
# Description: in a PID namespace of its own, as in a container, kcatch gives no task the name and
# no process the stack of another that has its number there: records have their names.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

cleanup() { kill "$reader"; }
cp "$(command -v sleep)" kt_sleeper
# Numbers that are in use on both sides.
apart() { unshare --pid --fork --mount-proc "$@"; }
(printf kt_reader >/proc/self/comm; while :; do read -r _ </proc/version; done) &
reader=$!

# Threads 1 to 30 of the namespace are called so; outside they are the kernel's.
cat >inside <<'END'
for _ in {1..30}; do
	./kt_sleeper 1000 &
done
timeout 300 kcatch "$@"
status=$?
kill %{1..30} 2>/dev/null
exit $status
END
apart bash inside -n 400 --json -e sched:sched_switch >out 2>err
check_equal 'events: caught' $? 0
check_equal 'each event has the name of its thread' \
	"$(jq -c 'select(.args) | select(.args.prev.text | startswith(.comm + "[") | not)' out)" ''
check 'but what an event tells of its tasks is right' \
	[ "$(jq -r 'select(.args) | .args.prev.text' out | grep -c kt_reader)" -ge 1 ]
apart timeout 300 kcatch -n 1 --json -c kt_reader vfs_read >out 2>err
check_equal 'calls: caught' $? 0
check_equal 'a record of a call has its own name' "$(jq -r 'select(.comm) | .comm' out)" kt_reader
apart timeout 300 kcatch -n 1 --user -c kt_reader vfs_read >out 2>err
check_match 'a user stack has the files that the process itself has mapped' "$(cat out err)" \
	'read\+0x[0-9a-f]+ \[[^ ]*/libc\.so.* main\+0x[0-9a-f]+ \[[^ ]*/bash\]'
check_match 'and what helps is said' "$(apart kcatch check)" 'note +processes .*other numbers'
check_no_match 'outside there is no such note' "$(kcatch check)" 'other numbers'
apart timeout 300 kcatch signals --to 1 >out 2>err
check_match 'signals to a process of the namespace: refused, and what helps' "$? $(cat err)" \
	'^1 kcatch: process 1 may be another one .*docker run --pid=host'
apart timeout 300 kcatch stuck -p 1 >out 2>err
check_match 'stuck threads of a process of the namespace: refused' "$? $(cat err)" \
	'^1 kcatch: process 1 may be another one'
cat >own_calls <<'END'
bash -c 'echo $$ >own; while read -r -n1 _ </dev/zero; do sleep 0.05; done' &
until [ -s own ]; do sleep 0.1; done
timeout 300 kcatch -n 1 -t 200 --json -p "$(cat own)" vfs_read
status=$?
kill %1
exit $status
END
apart bash own_calls >out 2>err
check_equal '-p of calls is the number in the namespace' "$? $(jq -r 'select(.comm).comm' out)" '0 bash'
apart timeout 300 kcatch record -o rec -t 1 -e sched:sched_switch -f vfs_read -c kt_reader 2>err
check_equal 'a recording: status 0' $? 0
kcatch report rec --format json >out 2>err
check_equal 'a recorded call has its own name' \
	"$(jq -r 'select(.function == "vfs_read").comm' out | sort -u)" kt_reader
