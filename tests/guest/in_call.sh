# SPDX-License-Identifier: GPL-2.0-or-later
# Description: record --in-call leaves out what threads do outside of calls, and still tells of each
# call what a recording of all switches and wakings tells: how long it slept, who ended that, how
# long it waited for a CPU and who had that. Two recorders watch the same calls.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

# Calls that sleep 5 ms on CPU 0, where two others never stop; on CPU 1 two play ping-pong.
cat >crowd.py <<'PYTHON'
import os, time
def child(name, cpu):
    if os.fork():
        return False
    os.sched_setaffinity(0, {cpu})
    open('/proc/self/comm', 'w').write(name)
    return True
for name in 'burner_a', 'burner_b':
    if child(name, 0):
        while True:
            pass
there, back = os.pipe(), os.pipe()
if child('ping', 1):
    while os.write(there[1], b'x') and os.read(back[0], 1):
        time.sleep(0.002)
if child('pong', 1):
    while os.read(there[0], 1) and os.write(back[1], b'x'):
        pass
os.sched_setaffinity(0, {0})
open('/proc/self/comm', 'w').write('sleeper')
while True:
    time.sleep(0.005)
PYTHON
python3 crowd.py & crowd=$!
cleanup() { pkill -9 -P "$crowd"; kill -9 "$crowd"; }
wait_for grep -qx sleeper /proc/$crowd/comm

events=(-e sched:sched_switch -e sched:sched_waking -e sched:sched_wakeup)
kcatch record -f hrtimer_nanosleep "${events[@]}" --stack --size 32M -o all -t 60 2>all.err & all=$!
wait_for grep -q recording all.err
kcatch record -f hrtimer_nanosleep "${events[@]}" --stack --size 32M -o few -t 60 --in-call \
	2>few.err & few=$!
wait_for grep -q recording few.err
read -r before <"/proc/$crowd/schedstat"
slept() { [ "$(($(cut -d ' ' -f 3 "/proc/$crowd/schedstat") - ${before##* }))" -ge 20 ]; }
wait_for slept
kill -INT $few
wait $few
kill -INT $all
wait $all

report() { kcatch report "$1" --format why --json -n 1000 -c sleeper 2>"$1.report"; }
report all >all.json
report few >few.json
check_equal 'calls that both have seen' "$(($(grep -c . few.json) > 5))" 1

python3 - >compared <<'PYTHON'
import json
def calls(name):
    return [json.loads(line) for line in open(name)]
# Until when a call sleeps, CLOCK_MONOTONIC: no two are the same.
def key(call):
    return call['call']['tid'], json.dumps(call['call']['args'])
def all_near(a, b):
    return max((abs(a.get(part, 0) - b.get(part, 0)) for part in {*a, *b})) < 300000
every = {key(call): call for call in calls('all.json')}
pairs = [(few, every[key(few)]) for few in calls('few.json') if key(few) in every]
# The machine may stand still between the two recorders of one switch: their times are compared in
# most calls, what they name in all.
wrong, waited, near = [], 0, 0
for few, all in pairs:
    sleeps = [[(s['function'], s.get('waits_for'), s['times'], s['woken_by']['context'],
                s['woken_by'].get('handler')) for s in c['sleeps']] for c in (few, all)]
    if sleeps[0] != sleeps[1]:
        wrong.append(('sleeps', *sleeps))
    ran = [{s.get('comm'): s['ns'] for s in c['ran_meanwhile']} for c in (few, all)]
    if ran[0].keys() != ran[1].keys():
        wrong.append(('ran', *ran))
    times = [{part: c[part] for part in c if part.endswith('_ns')} | r
             for c, r in zip((few, all), ran)]
    near += all_near(*times)
    waited += any(name and name.startswith('burner') for name in ran[0])
print(len(pairs), len(wrong), waited, near, wrong[:3])
PYTHON
read -r pairs wrong waited near rest <compared
check_equal "calls that were found in both: $pairs" "$((pairs > 5))" 1
check_equal "what the two say of them: no difference, $rest" "$wrong" 0
check_equal "times are the same in most: $near of $pairs" "$((near * 4 > pairs * 3))" 1
check_equal "calls that waited for one of the burners: $waited" "$((waited > 3))" 1

switches() { kcatch report "$1" --format stats | awk '$NF == "sched:sched_switch" { print $1 }'; }
nr_all=$(switches all)
nr_few=$(switches few)
check_equal "switches of calls are few ($nr_few of $nr_all)" "$((nr_all > 2 * nr_few))" 1
check_match 'each hit has a fate' "$(kcatch report few --format stats)" \
	'hits [0-9]+ = recorded [0-9]+ \+ filtered [0-9]+'

check_match 'no chain of such a recording' "$(kcatch report few --format why --chain 2>&1)" \
	'--chain: .* record without --in-call'
# usage: tracks FILE: how many packets are for the tracks of CPUs: ftrace_events, field 1
tracks() {
	python3 - "$1" <<'PYTHON'
import sys
data, at, found = open(sys.argv[1], 'rb').read(), 0, 0
def number():
    global at
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value
while at < len(data):
    assert number() == 10
    end = number()
    end += at
    while at < end:
        field = number()
        found += field == 10
        if field & 7 == 2:
            size = number()
            at += size
        elif field & 7 == 0:
            number()
        else:
            at += {1: 8, 5: 4}[field & 7]
print(found)
PYTHON
}
for each in all few; do
	kcatch report $each --format perfetto >$each.perfetto
done
check_equal 'Perfetto gets tracks of CPUs' "$(($(tracks all.perfetto) > 20))" 1
check_equal 'but not of such a recording' "$(tracks few.perfetto)" 0
kcatch record -e sched:sched_switch --in-call -o none 2>err
check_equal 'without a function: status 1' $? 1
check_match 'it says why' "$(cat err)" '--in-call: inside which calls'
kcatch record -f vfs_fsync --entry -e sched:sched_switch --in-call -o none 2>err
check_match 'without returns: it says why' "$(cat err)" '--in-call: inside which calls'

# Where returns are hooked in the public way no thread has a list of its calls.
check 'a module without that' module_reload distrust=returns
check_match 'it is refused' \
	"$(kcatch record -f vfs_fsync -e sched:sched_switch --in-call -o none 2>&1)" \
	'this kernel does not tell which threads are inside calls'
kcatch why hrtimer_nanosleep 'latency > 4ms' -c sleeper >out 2>err
check_match 'why records all switches there' "$(head -n 1 out)" '^hrtimer_nanosleep  sleeper '
module_reload
