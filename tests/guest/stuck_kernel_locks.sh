# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch stuck finds deadlocks of kernel locks, two and three threads long, who
# has what others wait for, and never a circle where there is none; a frozen file system
# is named, and a machine where nothing is stuck, too.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
insmod "$KT_MODULES/kcatch_locks/kcatch_locks.ko"

declare -A thread=()
# usage: hold NAME FIRST SECOND [PARTIES]: a thread that takes the first, waits until so many
# hold theirs (1), and takes the second
hold() {
	bash -c 'printf "%s %s %s" "$1" "$2" "$3" >/proc/kcatch_locks' "$1" "$2" "$3" "${4:-1}" &
	thread[$1]=$!
}

# usage: settled N: so many have gone on to their second lock
settled() {
	wait_for grep -qx "$1" /sys/module/kcatch_locks/parameters/going
	local name
	for name in "${!thread[@]}"; do
		asleep "$name"
	done
}

# usage: asleep NAME: waits until it sleeps in the module, for a lock or to be killed
asleep() {
	sleeps_in "${thread[$1]}" "$lock_waits"
	wait_for grep -q 'State:.[SD]' "/proc/${thread[$1]}/status"
}

let_go() {
	kill -KILL "${thread[@]}" 2>/dev/null
	wait "${thread[@]}" 2>/dev/null
	wait_for grep -qx 0 /sys/module/kcatch_locks/parameters/going
	thread=()
}

# usage: stuck OPTION...: runs it; $first is the verdict, $status what it returned
stuck() {
	kcatch stuck "$@" >out 2>err
	status=$?
	first=$(head -n 1 out)
}

# Where the machine stood still a moment ago, who waits for a disk or runs has done so for seconds.
nothing_is_stuck() {
	for _ in 1 2 3 4 5; do
		stuck
		[ "$first" != 'nothing is stuck' ] || break
	done
}

nothing_is_stuck
check_equal 'nothing is stuck: it says so' "$first" 'nothing is stuck'
check_equal 'and returns 2' "$status" 2

hold a m1 m2 2
hold b m2 m1 2
settled 2
stuck --no-user
a=${thread[a]} b=${thread[b]}
check_match 'two threads, two mutexes: the verdict is the circle' "$first" \
	"^2 tasks deadlocked: .*\($a\) waits for mutex kt_m2 held by .*\($b\).*\($b\) waits for mutex kt_m1 held by .*\($a\)"
check_equal 'and returns 0' "$status" 0
check_match 'the stack starts where the thread sleeps' "$(cat out)" '(__|rt_)mutex_(slow)?lock.*kt_lock_both'
check_match 'the system call is decoded, with its file' "$(cat out)" 'in write\(fd=1 </proc/kcatch_locks>'
# That file leaves out what belongs to the scheduler and to locks: on a kernel for real time
# here and there.
ours=$(kcatch stuck --json --no-user | jq -r --argjson t "$a" 'select(.tid == $t) | .stack[].symbol')
proc=$(sed 's/.*\] //; s/+.*//' "/proc/$a/stack" | grep -v '^0x')
[[ $(uname -r) != *-rt-* ]] || ours=$(grep -xFf <(echo "$proc") <<<"$ours")
check_equal 'its frames are those of /proc/PID/stack' "$(tail -n "$(wc -l <<<"$proc")" <<<"$ours")" "$proc"

# (Some are of this line.)
check 'as many threads were examined as there are' \
	[ "$(kcatch stuck --json | jq 'select(.summary).summary.threads_examined')" -gt \
		$(($(ps -e | wc -l) - 10)) ]
stuck -p "$a" --no-user
check_match 'with -p of one of them: the same' "$status $first" "^0 2 tasks deadlocked: .*\($a\)"
stuck -p $$ --no-user
check_match 'with -p of another process: about that one' "$status $first" "^2 process $$[: ]"
stuck -p $$ --no-user --json
check_equal 'and no deadlock in JSON' "$(jq -c 'select(.summary) | .summary.deadlocks' out)" 0

hold c m1 -
asleep c
stuck --limit 0 --no-user
check_match 'who waits for a deadlocked thread is no part of the circle' "$first" '^2 tasks deadlocked'
check_match 'and its owner is named' "$(cat out)" "waits for mutex kt_m1 held by .*\($a\)"
let_go
nothing_is_stuck
check_equal 'when they are killed nothing is stuck any more' "$first" 'nothing is stuck'

hold a m1 m2 3
hold b m2 m3 3
hold c m3 m1 3
settled 3
stuck --json --no-user
check_equal 'three threads, three mutexes' "$(jq -r 'select(.summary) | .summary.deadlocks' out)" 1
check_equal 'all three are in it' "$(jq -r 'select(.deadlock == 1) | .tid' out | sort -n | tr '\n' ' ')" \
	"$(printf '%s\n' "${thread[@]}" | sort -n | tr '\n' ' ')"
let_go

hold a w1 w2 2
hold b w2 w1 2
settled 2
stuck --no-user
check_match 'rwsems held to write' "$first" '^2 tasks deadlocked: .*rwsem kt_s[12] \(to write\) held by'
let_go

# Readers are not known to the kernel but for the last one, which may have let go: whether this is a
# circle cannot be told.
hold a r1 w2 2
hold b r2 w1 2
settled 2
stuck --limit 0 --no-user
check_match 'rwsems held by readers: no circle is told' "$first" 'tasks are blocked'
if [[ $(uname -r) = *-rt-* ]]; then
	readers='held by readers \(the kernel does not know which\)'
else
	readers="rwsem kt_s1 \(to write\) held by 1 reader \(the last to take it: .*\(${thread[a]}\)\)"
fi
check_match 'but that readers have it, and which was the last' "$(cat out)" "$readers"
let_go

hold a r1 s
settled 1
for waiter in 'b m1 w1' 'c m2 r1' 'd m3 w1'; do
	# shellcheck disable=SC2086 # three words
	hold $waiter
	asleep "${waiter%% *}"
done
a=${thread[a]} b=${thread[b]} c=${thread[c]} d=${thread[d]}
stuck --limit 0 --no-user
if [[ $(uname -r) != *-rt-* ]]; then
	reader="held by 1 reader \(the last to take it: [^ ]*\($a\)\)"
	check_match 'a writer behind a reader' "$(cat out)" "rwsem kt_s1 \(to write\) $reader"
	check_match 'a reader behind that writer' "$(cat out)" \
		"rwsem kt_s1 \(to read\) $reader, behind [^ ]*\($b\), which wants to write"
	check_match 'the reader that has it is shown, though it sleeps in state S' "$(cat out)" \
		"waited for by others:
[^ ]*\($a\)  process $a, state S"
	check_match 'the order of the queue' "$(cat out)" \
		"queue of rwsem kt_s1, who gets it next first: [^ ]*\($b\) to write, [^ ]*\($c\) to read, [^ ]*\($d\) to write"
	stuck --limit 0 --no-user --json
	check_equal 'in JSON, too' "$(jq -rs --argjson a "$a" \
		'map(select(.last_reader_tid == $a and .owner_tid == null)) | sort_by(.place_in_queue) |
		map("\(.tid):\(.place_in_queue)") | join(" ")' out)" "$b:1 $c:2 $d:3"
	check_equal 'where the reader is told, and in no group' \
		"$(jq -c --argjson a "$a" 'select(.tid == $a) | [.state, .holder, .group]' out)" \
		'["S",true,null]'
else
	check_match 'a writer behind a reader' "$(cat out)" "rwsem kt_s1 \(to write\) $readers"
fi
let_go

hold a m1 -
settled 1
hold b m1 m2
hold c m1 m3
asleep b
asleep c
stuck --limit 0 --no-user
check_match 'a queue is no circle' "$first" 'tasks are blocked'
check_equal 'both who wait know the owner' "$(grep -c "kt_m1 held by .*(${thread[a]})" out)" 1
let_go

if modprobe -q ext4 && modprobe -q loop && truncate -s 16M disk && mkfs.ext4 -q disk; then
	mkdir -p mnt
	mount -o loop disk mnt
	fsfreeze -f mnt
	touch mnt/file &
	wait_for grep -q 'State:.D' "/proc/$!/status"
	stuck --limit 0 --no-user
	check_match 'a frozen file system is named' "$(cat out)" 'waits for file system ext4 to be thawed: it is frozen, on loop[0-9]+ \(7:[0-9]+\)'
	check_match 'with the file that could not be made' "$(cat out)" 'mnt/file'
	fsfreeze -u mnt
	wait $!
	umount mnt
else
	skip 'a frozen file system is named' 'no ext4 or no loop device here'
fi

stuck -p 999999
check_equal 'no such process: an error' "$status" 1
check_match 'and it says so' "$(cat err)" 'no process 999999'
sleep 1000 &
sleeps_in $! nanosleep
stuck -p $!
check_match 'a process that only sleeps: what it waits for' "$(cat out)" 'waits for a timer'
kill $!

# Of a chain each is shown: b, which keeps the lock, waits in state S for the other end of a pipe,
# which c has.
mkfifo chain
bash -c 'exec 8<>chain 9>chain; sleep 1000 8<&- 9>&- & exec 8<&-; wait' & c=$!
bash -c 'exec 9<chain; printf "k1 - 1" >/proc/kcatch_locks; read -r <&9' & b=$!
sleeps_in $b pipe_read
bash -c 'printf "m1 - 1" >/proc/kcatch_locks' & a=$!
sleeps_in $a "$lock_waits"
stuck --limit 0 --no-user
check_match 'who waits for a sleeper' "$(cat out)" "waits for mutex kt_m1 held by bash\($b\)"
check_match 'the sleeper, and who that waits for' "$(cat out)" "waited for by others:
bash\($b\)  process $b, state S.*waits for data in a pipe, whose other end bash\($c\) has.*
waited for by others:
bash\($c\)  process $c, state S"
stuck --limit 0 --no-user --json
check_equal 'in JSON, too' "$(jq -sc 'map(select(.holder).tid)[:2]' out)" "[$b,$c]"
kill -KILL $a $b $(pgrep -P $c) $c
wait 2>/dev/null
rmmod kcatch_locks
