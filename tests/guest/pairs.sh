# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch count A..B pairs two events by a key, and kcatch A..B shows the second one of
# each pair: as many block requests as the disk has completed, as many wakeups as ftrace counted,
# with the time between them; each first and each second event is in one term, in all contexts at
# once; what has no first event, begins anew, finds no room or has no key is told; what cannot be
# paired is refused; and its memory is freed.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
cleanup() {
	[ -z "${loop-}" ] || losetup -d "$loop"
}

# usage: paired WORKLOAD ARGUMENT... - counts while WORKLOAD runs; the rows are in out, the summary
# in sum
paired() {
	local workload=$1 counter status
	shift
	kcatch count "$@" --json >out 2>err &
	counter=$!
	wait_for counts_or_ended $counter
	$workload
	kill -INT $counter 2>/dev/null
	wait $counter
	status=$?
	jq -c '.summary // empty' out >sum
	return $status
}

# usage: term [-c] PATH - a number of the summary
term() {
	jq "$@" sum
}

equations='(.first | .hits == .paired + .restarted + .open + .overflowed + .undecided + .filtered + .missed) and
	(.second | .hits == .paired + .unmatched + .undecided + .over_budget + .missed) and
	(.hits == .counted + .filtered + .over_budget + .undecided + .missed + .overflowed) and
	.hits == .first.paired and .hits == .second.paired'

# usage: adds_up TEXT
adds_up() {
	check_equal "$1: each event is in one term" "$(term "$equations")" true
	echo "# $1: $(term -c '[.first, .second]')"
}

# ---- requests of a disk ----------------------------------------------------------------
head -c 4M /dev/zero >image
modprobe loop
loop=$(losetup -f --show image)
requests() {
	dd if="$loop" of=/dev/null bs=4k count=300 iflag=direct
	dd if=/dev/zero of="$loop" bs=8k count=50 oflag=direct
} 2>/dev/null
completed() {
	awk '{ print $1 + $5 + $12 + $16 }' "/sys/block/${loop#/dev/}/stat"
}
dev=$(lsblk -no MAJ:MIN "$loop" | tr -d ' ')
before=$(completed)
paired requests block:block_rq_issue..block:block_rq_complete --key rq --by dev --hist latency
check_equal 'requests of a disk: status 0' $? 0
check_equal 'as many as the disk has completed' \
	"$(jq 'select(.key.dev == "'"$dev"'").count' out)" $(($(completed) - before))
check_equal 'each in a bucket of its latency' \
	"$(jq 'select(.key.dev == "'"$dev"'") | [.hist[][2]] | add' out)" $(($(completed) - before))
check_equal 'a request takes some time, and less than a minute' \
	"$(jq 'select(.key.dev == "'"$dev"'") | .min > 1000 and .max < 60000000000' out)" true
adds_up 'requests of a disk'

# ---- waiting for a CPU -----------------------------------------------------------------
cp "$(command -v sleep)" kt_sleeper
sleeps() {
	local i
	for ((i = 0; i < 60; i++)); do ./kt_sleeper 0.005; done
}
trigger=$tracefs/events/sched/sched_wakeup/trigger
echo 'hist:keys=comm if comm == "kt_sleeper"' >$trigger
# By pid: a task's address may be that of a later task.
paired sleeps sched:sched_wakeup..sched:sched_switch 'next_comm == "kt_sleeper"' --key 'p->pid..next_pid' \
	--by next_comm --stats latency
check_equal 'waiting for a CPU: status 0' $? 0
wakeups=$(sed -nE 's/^ *Hits: ([0-9]+)$/\1/p' ${trigger%trigger}hist)
echo '!hist:keys=comm if comm == "kt_sleeper"' >$trigger
count=$(jq 'select(.key.next_comm == "kt_sleeper").count' out)
# A thread that is woken before it has gone to sleep is not switched to.
unpaired=$(term '.first.restarted + .first.open')
check "as many as ftrace has wakeups: $count of $wakeups, $unpaired in no pair" \
	eval '((wakeups >= 60 && count <= wakeups && count >= wakeups - unpaired))'
check_equal 'one row' "$(term .rows)" 1
check 'the condition is on the pair' eval '(($(term .filtered) > 0))'
adds_up 'waiting for a CPU'
paired sleeps 'sched:sched_wakeup*..sched:sched_switch' --key 'p->pid..next_pid' --by next_pid -n 20
check_equal 'a pattern, up to a number of pairs' "$(term '[.hits, .counted, .end] | @text')" '"[20,20,\"count\"]"'
adds_up 'up to a number of pairs'

# ---- each term, exactly ------------------------------------------------------------------
test_module
n='(int)arg0'	# their number, also where the module has no types
# Two pairs with a known time between them, of which one begins anew; one second event alone; two
# first events that stay.
exactly() {
	order 'process many 9'
	order 'process chain 5'
	order 'irqs-off chain 6'
	order 'process chain 5'
	pause 0.2
	order 'hardirq many 5'
	order 'softirq many 6'
	order 'nmi chain 7'
	order 'nmi chain 8'
	order 'nmi many 8'
	order 'process chain 9'
}
paired exactly kt_a..kt_many --key $n --by $n --stats latency
check_equal 'each term: status 0' $? 0
check_equal 'first events' "$(term -c .first)" \
	'{"hits":6,"paired":3,"restarted":1,"open":2,"overflowed":0,"undecided":0,"filtered":0,"missed":0}'
check_equal 'second events' "$(term -c .second)" \
	'{"hits":4,"paired":3,"unmatched":1,"undecided":0,"over_budget":0,"missed":0}'
check_equal 'a pair for each key' "$(jq -c 'select(.key) | [.key[], .count]' out | sort | xargs)" \
	'[5,1] [6,1] [8,1]'
check_equal 'the time is that between the two' \
	"$(jq -s 'map(select(.key) | (.min > 200000000) == (.key[] < 8)) | all' out)" true
adds_up 'each term'
check_match 'what is in no pair is told' "$(cat err)" \
	$'first events: 6 = 3 paired \+ 1 restarted \+ 2 still open\n.*second events: 4 = 3 paired \+ 1 without a first one'
paired exactly kt_a..kt_many "latency > 100ms && $n != 6" --key $n --by $n
check_equal 'a condition with the latency' "$(jq -c .key out | head -n 1)" '{"(int)arg0":5}'
check_equal 'a condition chooses pairs' "$(term '[.hits, .counted, .filtered] | @text')" '"[3,1,2]"'
adds_up 'a condition with the latency'
paired exactly kt_a..kt_many --key '*(u64 *)arg0'
check_equal 'a key that cannot be read: status 3' $? 3
check_equal 'a key that cannot be read is undecided' "$(term .first.undecided)" 6
adds_up 'a key that cannot be read'
paired exactly kt_a..kt_many --key $n -c nobody_has_this
check_equal 'a filter by command is of first events' "$(term '[.first.filtered, .second.unmatched] | @text')" \
	'"[6,4]"'
adds_up 'a filter by command'

# ---- in all contexts at once --------------------------------------------------------------
hammer() {
	order 'hammer 3000'
}
for key in 0 'arg0 & 3' '(u64)cpu << 32 | (u32)arg0'; do
	# Room for each, wherever its key falls: a part of the room may be full before all of it is.
	paired hammer kt_hammered..kt_hammered --key "$key" --pairs 262144 --stats latency
	adds_up "all contexts at once, key $key"
	check_equal "all contexts at once, key $key: both are hit alike" \
		"$(term '.first.hits == .second.hits and .first.hits > 6000')" true
	check_equal "all contexts at once, key $key: rows have all pairs" \
		"$(jq -s 'map(.count // 0) | add' out)" "$(term .counted)"
done
check_equal 'each with a key of its own: all wait' "$(term '.first | .open == .hits')" true
paired hammer kt_hammered..kt_hammered --key 0 --stats latency
check_equal 'one key: one waits, and what met on two CPUs began anew' \
	"$(term '.first.open == 1 and .first.paired + .first.restarted + 1 == .first.hits')" true
paired hammer kt_hammered..kt_many --key $n --pairs 64
check_equal 'no room: status 3' $? 3
check_equal 'no room: all that there is was used' "$(term .first.open)" 64
check_match 'no room: says what to do' "$(cat err)" 'found no room: --pairs gives more'
adds_up 'no room'

# ---- pairs that are caught -----------------------------------------------------------------
# usage: caught WORKLOAD ARGUMENT... - catches while WORKLOAD runs, as paired counts
caught() {
	local workload=$1 catcher status
	shift
	kcatch "$@" >out 2>err &
	catcher=$!
	wait_for eval "grep -q 'waiting for' err || ! kill -0 $catcher 2>/dev/null"
	$workload
	kill -INT $catcher 2>/dev/null
	wait $catcher
	status=$?
	grep summary out | jq -c .summary >sum
	return $status
}

caught_equations='(.first | .hits == .paired + .restarted + .open + .overflowed + .undecided + .filtered + .missed) and
	(.second | .hits == .paired + .unmatched + .undecided + .over_budget + .missed) and
	(.hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost)'
caught exactly kt_a..kt_many --key $n -n 0 --json
check_equal 'caught: status 0' $? 0
check_equal 'caught: each event is in one term' "$(term "$caught_equations")" true
check_equal 'caught: the account is that of the count' "$(term -c .first)" \
	'{"hits":6,"paired":3,"restarted":1,"open":2,"overflowed":0,"undecided":0,"filtered":0,"missed":0}'
check_equal 'caught: of second events too' "$(term -c .second)" \
	'{"hits":4,"paired":3,"unmatched":1,"undecided":0,"over_budget":0,"missed":0}'
check_equal 'caught: a record of each second event' \
	"$(jq -c 'select(.function) | [.function, .first]' out | uniq -c | xargs)" '3 [kt_many,kt_a]'
check_equal 'caught: in their contexts, with stacks' \
	"$(jq -c 'select(.function) | [.context, .stack_end == "complete"]' out | xargs)" \
	'[hardirq,true] [softirq,true] [nmi,true]'
check_equal 'caught: the time is that between the two' \
	"$(jq -s -c 'map(select(.function).latency_ns > 200000000)' out)" '[true,true,false]'
caught exactly kt_a..kt_many "latency > 100ms && $n != 6" --key $n -n 0 --no-args
check_match 'caught: a condition chooses pairs, and the text says after what' "$(cat out)" \
	'^kt_many .* [0-9.]+ ms after kt_a'
check_equal 'caught: one record' "$(grep -c ' after kt_a' out)" 1
check_match 'caught: the others are in the account' "$(cat err)" 'hits 3 = recorded 1 \+ filtered 2'
caught exactly kt_a..kt_many --key $n -n 1 --format rows
check_equal 'caught: a row has the latency' \
	"$(jq -c 'select(.row == "event") | .latency_ns > 200000000' out)" true

# Records and counts of the same requests.
caught requests -e block_rq_issue..block_rq_complete --key rq -n 0 --json --size 4M
check_equal 'caught: requests of a disk: status 0' $? 0
check_equal 'caught: requests of a disk: as many as of pairs' \
	"$(jq -c 'select(.latency_ns)' out | wc -l)" "$(term .first.paired)"
check_equal 'caught: requests of a disk: each of it' \
	"$(jq -c "select(.args.dev == \"$dev\" and .latency_ns > 1000)" out | wc -l)" 350
check_equal 'caught: requests of a disk: all in one term each' "$(term "$caught_equations")" true
caught requests block:block_rq_issue..block:block_rq_complete --key rq -n 3 --stack
check_match 'caught: as text, with fields and a stack' "$(cat out)" \
	"block:block_rq_complete  [0-9.]+ [a-z]+ after block:block_rq_issue  error=0 dev=$dev sector=[0-9]+ .*blk_"
check_equal 'caught: a number of pairs ends it' "$(grep -c after out)" 3

# ---- what is refused ----------------------------------------------------------------------
# usage: refused TEXT PATTERN ARGUMENT...
refused() {
	kcatch count "${@:3}" >out 2>err
	check_equal "$1: status 1" $? 1
	check_match "$1: says why" "$(cat err)" "$2"
}
refused 'no key' 'which events belong together' vfs_read..vfs_write
refused 'a key without a pair' '--key is of a pair' vfs_read --key tid
refused 'room without a pair' '--pairs is about pairs' vfs_read --pairs 100
refused 'no second event' 'two names' vfs_read.. --key tid
refused 'three events' 'two names' vfs_read..vfs_write..vfs_open --key tid
refused 'two pairs' 'a pair is alone' vfs_read..vfs_write vfs_open..vfs_read --key tid
refused 'another event' 'a pair is alone' vfs_read..vfs_write -e sched_switch --key tid
refused 'a function that does not exist' "'nosuch': no such function" vfs_read..nosuch --key tid
refused 'an event that does not exist' 'nosuch' sched:nosuch..vfs_read --key tid
refused 'a key that one of them lacks' 'vfs_read: bad pair.s key: there is no rq' \
	vfs_read..block:block_rq_complete --key rq
refused 'a text as a key' 'a number as its key' vfs_read..vfs_write --key comm
refused 'a key that is known later' 'cannot use ret' vfs_read..vfs_write --key latency
refused 'a return value' 'has a latency, but no ret' vfs_read..vfs_write --key tid --by ret
refused 'a recording' 'leave -i away' -i nosuch vfs_read..vfs_write --key tid

# usage: refused_catch TEXT PATTERN ARGUMENT...
refused_catch() {
	kcatch "${@:3}" >out 2>err
	check_equal "caught, $1: status 1" $? 1
	check_match "caught, $1: says why" "$(cat err)" "$2"
}
refused_catch 'no key' 'which events belong together' vfs_read..vfs_write
refused_catch 'another event' 'a pair is alone' -e vfs_read..vfs_write --key tid -e sched_switch
refused_catch 'a return' 'does not go with --tree' vfs_read..vfs_write --key tid --errors
refused_catch 'an entry' 'does not go with --tree' vfs_read..vfs_write --key tid --entry
refused_catch 'calls in flight' 'no return is caught' vfs_read..vfs_write --key tid --in-flight 5
refused_catch 'no arguments of an event' 'of an event all is shown' vfs_read..sched:sched_switch \
	--key tid --no-args
refused_catch 'a DO_TRACE event' 'count its pairs' vfs_read..ktrace:process_exit --key tid
refused_catch 'a recording of events' 'or counted' record -e vfs_read..vfs_write -o nowhere
refused_catch 'a recording of functions' 'or counted' record -f vfs_read..vfs_write -o nowhere

# ---- its memory is freed -------------------------------------------------------------------
largest=$(($(awk '/^MemTotal/ { print $2 }' /proc/meminfo) * 1024 / 4 / 16 / 2))
room=64
while ((room * 2 <= largest)); do ((room *= 2)); done
for end in KILL INT KILL INT; do
	kcatch count kt_a..kt_many --key $n --pairs $room >out 2>err &
	counter=$!
	wait_for counts_or_ended $counter
	order 'process chain 1'
	kill -$end $counter
	wait $counter
	status=$?
	wait_for eval '! grep -q kt_a $tracefs/enabled_functions'
	[ $end = KILL ] && status=$((status - 137)) || status=$((status - 2))
	check_equal "a table of half the limit, ended by SIG$end: there was room" $status 0
done
check_unhooked 'nothing is hooked any more'
