# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch count -i DIR gives the rows of the live command on the same calls, for every
# kind of key and value, conditions, events and formats; what the recording lacks is refused with
# what to do, and what single records lack is counted as undecided.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

head -c 4200 /dev/zero >count_me
mine='file->f_path.dentry->d_name.name == "count_me"'

workload() {
	local size
	for size in 1 7 8 100 1000; do
		dd if=count_me of=/dev/null bs=$size count=$((size % 9 + 2)) 2>/dev/null
		head -c $size count_me >/dev/null
	done
	tail -c 10 count_me >/dev/null
}

rows() {
	jq -c 'select(.count) | [.key, .count, .values, .sum, .min, .max, .mean, .hist]' "$1" | sort
}

# usage: counts TEXT ARGUMENT... - begins a live count
texts=() counters=()
counts() {
	local nr=${#counters[@]}
	texts+=("$1")
	declare -ga "arguments$nr=($([ $# -eq 1 ] || printf '%q ' "${@:2}"))"
	kcatch count vfs_read "$mine" "${@:2}" --json >"live$nr" 2>"err$nr" &
	counters+=($!)
}
counts 'by nothing'
counts 'by command and process' --by comm,pid,tid
counts 'by caller and function' --by caller,function
counts 'by stack' --by stack
counts 'by cgroup' --by cgroup
counts 'a number, at the return' --by 'ret,count / 16'
counts 'memory' --by 'file->f_flags,*pos'
counts 'a histogram' --by comm --hist ret
counts 'sums' --by comm --stats 'ret - 5'
counts 'two values' --by comm --hist count --stats '0 - ret'
counts 'what cannot be read' --by '100 / ((int)count - 7)'
record_begin -o rec --with-cgroup --stack -f vfs_read --filter "$mine"
for counter in "${counters[@]}"; do
	wait_for counts_or_ended "$counter"
done
workload
kill -INT "$recorder" "${counters[@]}"
record_end
wait "${counters[@]}"
for nr in "${!counters[@]}"; do
	declare -n arguments=arguments$nr
	kcatch count -i rec vfs_read "${arguments[@]}" --json >recorded 2>err.recorded
	check_equal "${texts[nr]}: status 0" $? 0
	check_equal "${texts[nr]}: the rows of the live count" "$(rows recorded)" "$(rows "live$nr")"
	check "${texts[nr]}: there are some" [ "$(rows "live$nr" | wc -l)" -ge 1 ]
done

kcatch count -i rec -c '[g-i][d-f][a-c][c-e]' --by comm --json >out 2>err
check_equal '-c is a pattern of any length' "$(jq -c 'select(.key).key.comm' out) $(cat err)" '"head" '
check_equal 'and the end is that of the recording' "$(jq -r '.summary.end // empty' out)" recording
kcatch count -i rec 'ret > 7 && comm == "head"' --by ret --json >out 2>err
check_equal 'a condition over the recording' "$(jq -c .key.ret out | sort -n | xargs) $(cat err)" \
	'null 8 100 1000 '

record_begin -o texts -f do_sys_openat2 -c head
kcatch count do_sys_openat2 'comm == "head"' --by filename,ret --json >live 2>/dev/null &
counter=$!
wait_for counts_or_ended $counter
head -c 1 count_me >/dev/null
head -c 1 nothing_that_has_a_name_longer_than_64_bytes_and_is_therefore_cut_by_the_kernel \
	2>/dev/null
kill -INT $counter
wait $counter
kill -INT $recorder
record_end
kcatch count -i texts --by filename,ret --json >recorded
check_equal 'texts: the rows of the live count' "$(rows recorded)" "$(rows live)"
check_match 'texts: there are some' "$(rows live)" 'nothing_that'
kcatch count -i rec --by comm,stack --format folded >out
check_match 'folded stacks' "$(cat out)" $'(^|\n)head;[^\n]*;ksys_read [1-9][0-9]*(\n|$)'
kcatch count -i rec --by comm,stack --format flame >out
check_match 'a flame graph' "$(cat out)" '<svg.*>head: [0-9]+ events.*>ksys_read: [0-9]+ events'
kcatch count -i rec vfs_read 'ret > 7' --by comm --json >out
check_equal 'the equation' "$(jq -c '.summary // empty |
	[.hits == .counted + .filtered + .over_budget + .undecided + .missed + .overflowed, .counted > 0]' out)" \
	'[true,true]'

record_begin -o events --entry --no-args -f vfs_read -e sched:sched_process_exit
/bin/true
/bin/true
kill -INT $recorder
record_end
kcatch count -i events sched_process_exit --by function --json >out 2>err
check_match 'an event' "$(cat out)" '"key":\{"function":"sched:sched_process_exit"\},"count":[2-9]'

# The caller of what a breakpoint reaches: a function that ftrace cannot hook, a place inside one.
test_module
rm -f err
kcatch -n 1 -t 300 --json kt_c >out 2>err &
wait_for grep -q waiting err
order 'process chain'
wait $!
inside=kt_b+$(jq -r 'select(.stack) | .stack[0].offset' out)
for place in kt_blank "$inside"; do
	record_begin -o "callers of $place" --stack -f "$place"
	kcatch count "$place" --by caller --json >live 2>err.live &
	counter=$!
	wait_for counts_or_ended $counter
	for _ in 1 2 3; do order 'process chain'; done
	for _ in 1 2; do order 'process blank'; done
	kill -INT $counter
	wait $counter
	kill -INT $recorder
	record_end
	kcatch count -i "callers of $place" --by caller --json >recorded 2>err.recorded
	check_equal "callers of $place: as in the recording" "$(rows live)" "$(rows recorded)"
	check_match "callers of $place: who called the function" "$(rows live)" \
		"^\\[\\{\"caller\":\"$([ "$place" = kt_blank ] && echo kt_shape_call || echo kt_a)[ \"].*\\},[23],"
done

# What a key does not apply to is left out, and no loss.
record_begin -o mixed -f vfs_read -e sched:sched_process_exit
head -c 7 count_me >/dev/null
/bin/true
kill -INT $recorder
record_end
kcatch count -i mixed --by count --json >out 2>err
check_equal 'a key that does not apply: status 0' $? 0
check_match 'a key that does not apply: says so' "$(cat err)" \
	'[0-9]+ events? (is|are) left out: a key or value does not apply'
check_equal 'a key that does not apply: the equation' "$(jq -c '.summary // empty |
	[.hits == .counted + .filtered + .over_budget + .undecided + .missed + .overflowed,
	.filtered > 0,
	.missed]' out)" '[true,true,0]'

# usage: refused PATTERN ARGUMENT...
refused() {
	kcatch count "${@:2}" >out 2>err
	check_equal "refused: ${*:2}: status 1" $? 1
	check_match "refused: ${*:2}: says why" "$(cat err)" "$1"
}
refused 'returns were not recorded' -i events vfs_read --by ret
refused 'no arguments were recorded' -i events vfs_read --by count
refused 'record with --stack' -i events vfs_read --by caller
refused 'record with --with-cgroup' -i events vfs_read --by cgroup
refused 'user stacks are not in recordings' -i events --by user_stack
refused 'read to its end' -i events -n 3
refused 'read to its end' -i events -d 1
refused "cgroup == \"/a\" || cgroup ~ \"/a/\*\"" -i events --cgroup /a/
refused "'cgroup ~ \"/\*\"'" -i events --cgroup /
refused 'no recording' -i /tmp
refused 'a text has no sum' -i rec --by pid --hist comm
kcatch count -i events vfs_raed --by comm >out 2>err
check_equal 'a name that is not there: status 2' $? 2
check_match 'a name that is not there: the nearest one' "$(cat err)" 'vfs_read'

# A call that has not returned has no value.
mkfifo fifo
record_begin -o open -f vfs_read --no-args -c cat
cat fifo >/dev/null &
reader=$!
exec 3>fifo
sleeps_in $reader pipe_read
kill -INT $recorder
record_end
exec 3>&-
wait $reader
kcatch count -i open --by ret --json >out 2>err
check_equal 'a call that has not returned: status 3' $? 3
check_match 'a call that has not returned: is undecided' "$(cat out)" '"undecided":1,'
check_match 'and that is said' "$(cat err)" '1 events? (is|are) not counted'

# What the ring had no room for is in the picture, too; a snapshot has only the last of its calls.
test_module
record_begin -o lossy --stack --entry --size 16K -f kt_hammered
stand_still $recorder
order 'hammer 5000'
kill -CONT $recorder
kill -INT $recorder
record_end
kcatch count -i lossy --by stack --format flame >out 2>err
check_equal 'a lossy recording: status 3' $? 3
check_match 'a picture of it says what was lost' "$(cat out)" 'lost [0-9]|[0-9]+ events? (was|were) lost|lost: '
check_no_match 'and not that nothing was' "$(cat out)" 'nothing was lost'
kcatch record --flight --detach --name box --size 16K --entry -f kt_hammered 2>err
order 'hammer 5000'
kcatch snapshot box -o snapshot 2>err
kcatch sessions --stop box 2>err
kcatch count -i snapshot --by pid --json >out 2>err
check_equal 'the counters of a snapshot are not those of its calls' \
	"$(jq -c 'select(.summary).summary | .final, .hits > .counted' out | xargs)" 'false true'
