# SPDX-License-Identifier: GPL-2.0-or-later
# Description: babeltrace2 reads a recording and finds the same events, values and losses
# as kcatch report; both find every call that the test module counted, and fields of any name.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
command -v babeltrace2 >/dev/null || skip_all 'no babeltrace2'
test_module

# Structs behind pointers, texts, stacks, what came back.
kcatch record -o typed -f vfs_read -f do_sys_openat2 --stack -- cat /etc/passwd >out 2>err
check_equal 'a command is recorded: status 0' "$? $(grep -c recorded err)" '0 1'
check_same_in_babeltrace typed
check 'there is something in it' [ "$events" -gt 5 ]
check_equal 'only the command is in it' \
	"$(jq -r 'select(.function) | .pid' report.json | sort -u | wc -l)" 1
check_match 'a path behind a pointer is there' "$(cat bt)" 'file_f_path = "/etc/passwd"'

# Every call, from nested contexts on two CPUs.
record_begin -o all -f kt_hammered --entry --no-args --size 16M
order 'hammer 300'
kill -INT $recorder
record_end
calls=$(module_value hammer.total)
check_equal 'Ctrl-C: status 0' "$status" 0
check_same_in_babeltrace all
check_equal 'every call that was made is in it' "$events" "$calls"
check_equal 'kcatch report says so' "$(jq '.summary.recorded // empty' report.json)" "$calls"

# A file that ends before its time: what is not there is counted, also for who reads JSON.
cp -r all cut
largest=$(find cut -name 'cpu*' -size +8k | head -n 1)
truncate -s 8192 "$largest"
kcatch report cut --format json >cut.json 2>err
there=$(grep -c '"function"' cut.json)
check 'a file is cut: not all calls are there' [ "$there" -lt "$calls" ]
check_equal 'a file is cut: the others are missing' \
	"$(jq '.summary.missing // empty' cut.json)" $((calls - there))

# A ring that is too small, of a recorder that stands still.
record_begin -o lost -f kt_hammered --size 8K
stand_still $recorder
order 'hammer 400'
kill -CONT $recorder
kill -INT $recorder
record_end
calls=$(module_value hammer.total)
# usage: counted COLUMN: its sum
counted() {
	awk -v name="$1" '$1 == "#" { for (i = 2; i <= NF; i++) if ($i == name) column = i - 1 }
		$1 ~ /^[0-9]+$/ { n += $column } END { print n + 0 }' lost/kcatch/counters
}
missing=$(counted lost)
lost=$((missing + $(counted return_lost)))
check_equal 'something was lost: status 3' "$status" 3
check_match 'and it says so' "$err" 'lost.*--size'
check_same_in_babeltrace lost
check_equal 'read and lost are all calls' "$((events + missing))" "$calls"
check_equal 'the counters of report say the same' \
	"$(jq -c '.summary | [.recorded, .lost] | select(.[0] != null)' report.json)" \
	"[$events,$missing]"
check_equal 'babeltrace2 counts the same losses (calls and returns)' "$discarded" "$lost"

# Tracepoints, and a DO_TRACE event of a module that comes while it records.
kcatch record -o core -e core -- true 2>err
check_equal 'the built-in set of events: status 0' $? 0
check_same_in_babeltrace core
check 'there are events in it' [ "$events" -gt 10 ]
record_begin -o said -e 'ktrace:sample_*'
insmod "$KT_MODULES/ktrace/ktrace_sample.ko"
echo 'hello there' >/sys/module/ktrace_sample/parameters/say
kill -INT $recorder
record_end
rmmod ktrace_sample
check_equal 'events of a module that comes later: status 0' "$status" 0
check_same_in_babeltrace said
check_match 'what was said is in it' "$(cat bt)" 'sample_said: .*count = 1, length = 12, text = "hello there'
check_match 'for kcatch report, too' "$(kcatch report said 2>&1)" 'sample_said.*hello there'

# Fields may be called like those that each record has: of the built-in events some are.
insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko"
for stack in '' --stack; do
	kcatch record -o names$stack -e 'ktrace:*' $stack -- \
		bash -c 'echo names >/sys/module/kcatch_trace/parameters/order; (exit 3); :' 2>err
	check_equal "ktrace:* $stack: status 0" "$? $(grep -c recorded err)" '0 1'
	check_same_in_babeltrace names$stack
	check_match "$stack: a number behind a name that each record has" "$(grep -a kt_names bt)" \
		'kt_names_hit: .* pid_0 = 100001, tid_1 = 100002, comm_2 = "someone", context_3 = 3, stack_flags_4 = 4, nr_frames_5 = 5, interrupted_6 = 6, frames_7 = 7'
	check_match "$stack: and that records of calls have" "$(grep -a kt_names bt)" \
		'kt_names_call: .* call_0 = 11, entered_1 = 12, latency_2 = 13, ret_3 = -14, faults_4 = 15, cut_5 = 16, size_6 = 17, user_size_7 = 18, user_8 = "root", user_stack_9 = 19'
	check_match "$stack: each name once" "$(grep -a kt_names bt)" \
		'kt_names_twice: .* pid_0 = 21, pid_1 = 22, pid_0_2 = 23, pid_1_3 = 24, arg4 = 25, end_of_record_5 = 26, args = 27'
	check_match "$stack: what was called ret is there" "$(cat bt)" 'syscall_exit: .* ret_1 = '
done
rmmod kcatch_trace
