# SPDX-License-Identifier: GPL-2.0-or-later
# Description: an event about two threads passes a filter by process when one of them does: of two
# programs that take turns on a processor, a recording of one has each switch to it and each away
# from it, by command line, process, command and cgroup; and of a thread that is woken each wakeup.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

cat >spin.c <<'C'
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	clock_t end = atof(argv[1]) * CLOCKS_PER_SEC;

	while (argc == 2 && clock() < end)
		;
	return 0;
}
C
gcc -O1 -o spin spin.c || skip_all 'no C compiler'
cp spin other
taskset -c 0 ./other 100000 & other=$!
cleanup() { kill $other; }

# Between a switch to the program and the next one away from it there is none: it ran all the while.
# So of the program, each that comes is the next one that goes.
# usage: check_turns TEXT RECORDING NAME [0: other names are fine]
check_turns() {
	kcatch report "$2" --format json 2>>err |
		jq -r --arg name "$3(" 'select(.event == "sched:sched_switch" and .cpu == 0) | .args |
			"\(.prev.text | startswith($name)) \(.next.text | startswith($name))"' >turns
	check "$1: there are switches to it" [ "$(grep -c 'true$' turns)" -gt 2 ]
	check "$1: and away from it" [ "$(grep -c '^true' turns)" -gt 2 ]
	check_equal "$1: in turn" "$(awk '
		{ if ($1 == "true") { if (!on && seen) bad++; on = 0; seen = 1 }
		  if ($2 == "true") { if (on) bad++; on = 1; seen = 1 }
		  if ($1 == "false" && $2 == "false") neither++ }
		END { print bad + 0, '"${4:-neither}"' + 0 }' turns)" '0 0'
}

kcatch record -o command -e sched:sched_switch -- taskset -c 0 ./spin 0.5 >out 2>err
check_equal 'a command: status 0' $? 0
# Before it is started the program has other names.
check_turns 'with -- COMMAND' command spin 0

taskset -c 0 ./spin 100000 & spin=$!
kcatch record -o process -p $spin -e sched:sched_switch -t 1 >out 2>>err
check_turns 'with -p' process spin
kill $spin
taskset -c 0 ./spin 100000 & spin=$!
kcatch record -o named -c spin -e sched:sched_switch -t 1 >out 2>>err
check_turns 'with -c' named spin
kill $spin
if mkdir /sys/fs/cgroup/kt_turns 2>/dev/null; then
	taskset -c 0 ./spin 100000 & spin=$!
	echo $spin >/sys/fs/cgroup/kt_turns/cgroup.procs
	kcatch record -o grouped --cgroup /sys/fs/cgroup/kt_turns -e sched:sched_switch -t 1 \
		>out 2>>err
	check_turns 'with --cgroup' grouped spin
	kill $spin
	wait $spin
	rmdir /sys/fs/cgroup/kt_turns
else
	skip 'with --cgroup' 'no cgroup2'
fi

# A sleeper is woken by others: its own calls have nothing of it.
sleep 1000 & sleeper=$!
while kill -0 $sleeper; do
	kill -STOP $sleeper
	kill -CONT $sleeper
	pause 0.05
done 2>/dev/null &
kcatch record -o woken -p $sleeper -e sched:sched_waking -e sched:sched_wakeup -t 1 >out 2>>err
kill $sleeper
kcatch report woken --format json 2>>err | jq -r 'select(.event) | .args.p.text' |
	sort -u >whom
check 'it is woken by others, which is seen' grep -qxF "sleep($sleeper)" whom
