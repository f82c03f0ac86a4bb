# SPDX-License-Identifier: GPL-2.0-or-later
# Description: ktrace's built-in events: they are there without a module, say what tracefs
# says in the same order, count exactly what a program does, do not see their reader, and
# can be switched and unloaded under load.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

ktrace=/sys/kernel/debug/ktrace
reader=$KT_TOP/build/tests/samples/ktrace_reader
names='irq_entry irq_exit process_exit process_fork process_free process_wait sched_switch'
names="$names syscall_entry syscall_exit trap_entry trap_exit"
tracefs_events='raw_syscalls irq/irq_handler_entry irq/irq_handler_exit irq_vectors exceptions
	sched/sched_switch sched/sched_process_fork sched/sched_process_wait
	sched/sched_process_free sched/sched_process_exit'
load=

cleanup() {
	[ ! "$load" ] || kill $load
	[ ! -e $ktrace/enabled ] || echo 0 >$ktrace/enabled
	tracefs_switch 0
}

tracefs_switch() {
	local event
	for event in $tracefs_events; do
		echo "$1" >"$tracefs/events/$event/enable"
	done
}

# What processes do for a living.
live() {
	local i
	for ((i = 0; i < 8; i++)); do
		(exit $i) &
		/bin/true | cat >/dev/null
	done
	wait
}

# usage: count WORDS: lines of the reader's output with them
count() {
	grep -c " $1 " seen
}

[ -d $ktrace ] || skip_all 'there is no debugfs'
check_equal 'the set is there without a module' "$(cd $ktrace/events && printf '%s ' *)" "$names "
check_equal 'and in info' "$(sed -n "s/^name '\(.*\)' format '.*' id [0-9]* disabled$/\1/p" \
	$ktrace/info | sort | tr '\n' ' ')" "$names "
check_equal 'nothing is switched on' "$(cat $ktrace/enabled)" 0

# Exact counts of what one program does.
cat >program.py <<'END'
import ctypes, mmap, os
pages = mmap.mmap(-1, 1000 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
try:
    pages.madvise(15)   # no huge pages
except OSError:
    pass                # a kernel that has none, as one for real time
base = ctypes.addressof(ctypes.c_char.from_buffer(pages))
system_call = ctypes.CDLL(None).syscall
print(os.getpid(), base)
for i in range(1000):
    pages[i * 4096] = 1
    system_call(*map(ctypes.c_long, (99999, i, -2, 3, 4, 5, 6)))
for i in range(10):
    child = os.fork()
    if not child:
        os._exit(i)
    os.waitpid(child, 0)
    print(child)
END
cat >count_traps.py <<'END'
import re, sys
base = int(sys.argv[1])
seen = {'trap_entry': [], 'trap_exit': []}
for line in sys.stdin:
    found = re.search(r' (trap_\w+) .*address=0x(\w+)', line)
    page = (int(found.group(2), 16) - base) // 4096 if found else -1
    if 0 <= page < 1000:
        seen[found.group(1)].append(page)
print(*(len(pages) if pages == list(range(1000)) else pages for pages in seen.values()))
END
echo 16777216 >/sys/module/kcatch/parameters/ktrace_size
for name in syscall_entry syscall_exit trap_entry trap_exit process_fork process_exit; do
	echo 1 >$ktrace/events/$name
done
check_equal 'enabled says: some' "$(cat $ktrace/enabled)" X
python3 program.py >said
echo 0 >$ktrace/enabled
read -r pid base <said
children=$(tail -n 10 said)
$reader >seen
check_equal 'nothing is lost' "$(cat $ktrace/overflow)" 0
grep " tid $pid " seen | sort -n >of_program
check_equal 'each system call is an entry, with its six arguments' "$(sed -n \
	's/.* syscall_entry nr=99999 a0=\(0x[0-9a-f]*\) a1=0xfffffffffffffffe a2=0x3 a3=0x4 a4=0x5 a5=0x6$/\1/p' \
	of_program | while read -r value; do echo $((value)); done | cksum)" "$(seq 0 999 | cksum)"
check_equal 'and an exit, with what it returned' \
	"$(grep -c ' syscall_exit nr=99999 ret=-38$' of_program)" 1000
check_equal 'each page is a fault that begins and ends' \
	"$(python3 count_traps.py "$base" <of_program)" '1000 1000'
check_equal 'each fork, with parent and child' "$(for child in $children; do
	grep -c " process_fork parent_pid=$pid child_pid=$child child_tgid=$child$" of_program
done | tr '\n' ' ')" '1 1 1 1 1 1 1 1 1 1 '
check_equal 'each exit, with its status' "$(for child in $children; do
	grep " tid $child process_exit pid=$child tgid=$child " seen
done | sed 's/.*code=//' | tr '\n' ' ')" \
	'0x0 0x100 0x200 0x300 0x400 0x500 0x600 0x700 0x800 0x900 '

# The same as tracefs sees at the same time, which is on for longer.
echo 16384 >$tracefs/buffer_size_kb
echo >$tracefs/trace
echo 1 >$ktrace/reset
tracefs_switch 1
echo 1 >$ktrace/enabled
check_equal 'all are on' "$(cat $ktrace/enabled)" 1
live
echo 0 >$ktrace/enabled
tracefs_switch 0
cat $tracefs/trace >trace
$reader >seen
check_equal 'nothing is lost with all of them on' "$(cat $ktrace/overflow)" 0
python3 "$KT_TOP/tests/guest/support/compare_ktrace.py" trace seen -v >compared
for name in $names; do
	[ $name != trap_exit ] || continue	# has no tracepoint
	read -r _ nr same < <(grep "^$name " compared)
	echo "# $name: $nr"
	check "$name: there are some" [ "$nr" -gt 0 ]
	check_equal "$name: the same as tracefs" "$same" same
	[ "$same" = same ] || grep -A 2 "('$name'" compared | cut -c1-2000 | sed 's/^/# /'
done
echo 1408 >$tracefs/buffer_size_kb

# Reading makes system calls, page faults and more.
echo 1 >$ktrace/events/syscall_entry
echo 1 >$ktrace/events/trap_entry
live
timeout 300 "$reader" >seen
check_equal 'the reader finds an end' $? 0
check 'it has read others' [ "$(count syscall_entry)" -gt 100 ]
"$reader" >seen &
last=$!
wait $last
check 'and of itself what it did before' [ "$(count "tid $last syscall_entry nr=257")" -gt 0 ]
check 'and not itself, once it reads' [ "$(count "tid $last syscall_entry nr=0")" -lt 20 ]
echo 0 >$ktrace/enabled
echo 1 >$ktrace/reset

# Sessions have them too.
kcatch record -o record -e ktrace:syscall_entry -e ktrace:syscall_exit -e ktrace:process_fork \
	-- python3 program.py >said 2>messages
kcatch report record >seen
check_equal 'a recording has them' "$(grep -c 'ktrace:syscall_entry(nr=99999,' seen)" 1000
check_equal 'and their forks' "$(for child in $(tail -n 10 said); do
	grep "ktrace:process_fork(.* child_pid=$child," seen
done | wc -l)" 10
rm -f messages
kcatch --json -n 1 -e ktrace:process_exit 'code == 0x700' >caught 2>messages &
catching=$!
wait_for grep -q 'waiting for' messages
(exit 7)
(exit 6)
wait $catching
check_match 'a condition reads their fields' "$(cat caught)" '"code": ?1792'
rm -f messages
kcatch --json -n 1 -t 300 -e process_exit >caught 2>messages &
catching=$!
wait_for eval 'grep -q "waiting for" messages || ! kill -0 $catching'
(exit 7)
wait $catching
check_match 'a name without its system is one of theirs' "$? $(cat caught)" '^0 .*ktrace:process_exit'
check_equal 'their ret is an argument, of what was recorded, too' "$(kcatch report record \
	--filter 'nr == 99999 && ret == -38' | grep -c 'ktrace:syscall_exit(')" 1000

# A pattern is as many events as it has, not one: those that lack a name are left out. Modules of
# tests before had some, too, and may come back.
kcatch -n 0 -t 0.1 -e 'ktrace:*' >caught 2>messages
all=$(sed -n 's/.*waiting for events of \([0-9]*\) ktrace events.*/\1/p' messages)
check 'there are all of the set' [ "${all:-0}" -ge 11 ]
kcatch -n 0 -t 1 -e 'ktrace:*' 'child_pid > 0' >caught 2>messages
check_match 'a condition on one of a pattern' "$? $(cat messages)" "^[02] .* $((all - 1)) more that match were left out"
kcatch count -t 1 -e 'ktrace:*' --by child_pid >caught 2>messages
check_match 'a key of one of a pattern' "$? $(cat messages)" "^[02] .*$((all - 1)) that match were left out"
kcatch -n 5 -t 300 -e 'ktrace:process_w*' -e 'ktrace:process_f*' -e sched:sched_switch 'prev_pid >= 0' \
	>caught 2>messages
check_match 'as many are left out as there are names' "$? $(cat messages)" '^0 .* 3 more that match'
kcatch -n 0 -t 300 -e 'ktrace:*' 'nonsense == 1' >caught 2>messages
check_match 'all of a pattern: refused' "$? $(cat messages)" "^1 .*no nonsense here.* all $all events"
kcatch -n 0 -t 300 -e 'ktrace:process_*' -e sched:sched_switch 'nonsense == 1' >caught 2>messages
check_match 'all of a pattern, and another: refused' "$? $(cat messages)" '^1 .*none of the 5 events'
kcatch -n 1 -e ktrace:sched_switch --stack >caught 2>messages
check_match 'a stack begins at the scheduler' "$(grep -v ktrace: caught | head -n 1)" schedule

# On and off, and unloaded, while all goes on.
(while :; do live; done) 2>/dev/null &
load=$!
for ((i = 0; i < 5; i++)); do
	echo 1 >$ktrace/enabled
	echo 0 >$ktrace/enabled
done
check_equal 'switched under load' "$(cat $ktrace/enabled)" 0
echo 1 >$ktrace/enabled
check 'unloaded while they are on' rmmod kcatch
insmod "$KCATCH_MODULE"
check_equal 'loaded again' "$(cd $ktrace/events && printf '%s ' *)" "$names "
kill $load
load=
