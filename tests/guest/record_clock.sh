# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the times in a recording are those of CLOCK_MONOTONIC, from its first event to its
# last, in a snapshot too, and whatever rate the kernel gives for its counter.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
command -v babeltrace2 >/dev/null || skip_all 'no babeltrace2'

# Each call's time is between what its caller read before it and after it: within a millisecond,
# for the anchors themselves are read while a busy machine may interrupt it.
# usage: check_times TEXT RECORDING
check_times() {
	kcatch report "$2" --format json >report.json 2>report.err
	check_match "$1" "$(python3 - report.json calls <<'END'
import json
import sys
times = [json.loads(line) for line in open(sys.argv[1])]
times = sorted(e['time_ns'] for e in times if 'function' in e)
calls = [tuple(map(int, line.split())) for line in open(sys.argv[2])]
# A snapshot has the last ones.
calls = calls[len(calls) - len(times):]
off = [max(before - t, t - after, 0) for (before, after), t in zip(calls, times)]
print(f'{len(times)} calls, off by {max(off)} ns, {sum(o > 1000000 for o in off)} of them too far')
END
)" "^$3 calls, .*, 0 of them too far"
}

anchors() {
	wc -l <"$1/kcatch/clock"
}

record_begin -o rec -f __do_sys_getppid -c python3
: >calls
until [ -s calls ] && [ "$(anchors rec)" -ge 3 ]; do
	python3 "$KT_TOP/tests/guest/support/call_times.py" calls 10
done
kill -INT $recorder
record_end
check_equal 'nothing was lost' "$status" 0
total=$(wc -l <calls)
check "there is an anchor each ten seconds ($(anchors rec) in $total calls)" \
	[ "$(anchors rec)" -ge 3 ]
check_equal 'they rise' "$(sort -c -n rec/kcatch/clock 2>&1)" ''
check_times 'each event has the time of its call' rec "$total"
check_same_in_babeltrace rec

# The kernel rounds its rate to kHz. What if that were far off?
if [ "$(jq .clock rec/kcatch/session.json)" = 1 ]; then
	cp -r rec off
	jq -c '.clock_khz = (.clock_khz * 1.01 | floor)' rec/kcatch/session.json \
		>off/kcatch/session.json
	check_times 'the rate that the kernel gives does not matter' off "$total"
	rm off/kcatch/clock
	kcatch report off --format json >report.json 2>report.err
	check_equal 'without its clock a recording is read, and said to be damaged' \
		"$? $(grep -c function report.json) $(grep -c 'clock is missing' report.err)" \
		"3 $total 1"
else
	skip 'the rate that the kernel gives does not matter' 'the clock is CLOCK_MONOTONIC here'
	skip 'without its clock a recording is read, and said to be damaged' 'the clock is CLOCK_MONOTONIC here'
fi

kcatch record --flight --detach --name box -f __do_sys_getppid -c python3 2>err
rm calls
python3 "$KT_TOP/tests/guest/support/call_times.py" calls 30
kcatch snapshot box -o one 2>err
check_times 'a snapshot has the times of its calls' one 30
kcatch sessions --stop box 2>err

head -n 1 rec/kcatch/clock >first
sed -i '2s/.*/1 1 1/' rec/kcatch/clock
kcatch report rec --format json >report.json 2>report.err
check_match 'a damaged file: it is said where' "$? $(cat report.err)" '^3 .*clock, line 2: the clocks do not rise'
check_equal 'and the events are read' "$(grep -c function report.json)" "$total"
wait_for eval '! kcatch sessions >/dev/null 2>&1'
