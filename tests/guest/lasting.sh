# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a call that lasts long is shown while it lasts, once, with what it waits for, its
# stack as /proc has it and its arguments, and again when it returns; of many at once each; shorter
# calls and those of other kinds are not.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

# A reader that waits in a pipe for as long as nobody writes.
mkfifo pipe
cat >reader.py <<'PYTHON'
import os
open('/proc/self/comm', 'w').write('kt_reader')
out = os.open('pipe', os.O_RDWR)
os.read(out, 11)
PYTHON
python3 reader.py & reader=$!
wait_for grep -qx kt_reader /proc/$reader/comm
wait_for eval "grep -q pipe_read /proc/$reader/stack"
kill $reader
wait $reader 2>/dev/null

# usage: begin OPTION...: kcatch waits, and a reader waits in a pipe
begin() {
	catch_begin ksys_read 'count == 11' -c kt_reader "$@"
	python3 reader.py & reader=$!
	wait_for eval "grep -q pipe_read /proc/$reader/stack"
}
# usage: shown FUNCTION: has kcatch shown such a call?
shown() { grep -q "$1.*has not returned after" out; }

begin --after 200ms -n 1
wait_for shown ksys_read
echo hello >pipe
catch_end
check_equal 'status' $? 0
check_equal 'once while it lasts and once when it returns' \
	"$(grep -oE '^ksys_read  kt_reader|has not returned after|returned 6 after' out | xargs)" \
	'ksys_read kt_reader has not returned after ksys_read kt_reader returned 6 after'
check_match 'its arguments' "$(sed -n 2p out)" '^  with fd=[0-9]+ buf=.* count=11'
check_match 'the time so far' "$(cat out)" \
	'spent [0-9.]+ [mu]s on the CPU, .*[0-9.]+ m?s off the CPU by now, switched out'
check_equal 'what it waits for, and that nobody else can write there' \
	"$(grep -o 'waits for .*' out)" \
	'waits for data in a pipe, whose other end only its own process has'
check_no_match 'nobody is said to have called it from the scheduler' "$(cat out)" \
	'called by (__)?schedule'

# JSON, beside /proc.
begin --after 100ms -n 1 --json
wait_for grep -q under_way out
symbols=$(sed -E 's/^\[<0>\] ([^+]*)\+.*/\1/' /proc/$reader/stack | head -n 4 | xargs)
echo hello >pipe
catch_end
lasting='select(.returned == "under_way")'
check_equal 'JSON: the parts add up' "$(jq "$lasting |
	.lasted_ns == .oncpu_ns + .runnable_ns + .blocked_ns + .away_ns and .lasted_ns >= 100000000" \
	out)" true
check_match 'JSON: the stack is that of /proc' \
	"$(jq -r "$lasting | [.stack[].symbol] | join(\" \")" out)" " $symbols "
check_equal 'JSON: of a call under way no caller is said' \
	"$(jq "$lasting | has(\"caller\")" out)" false
check_equal 'JSON: it is the same call' "$(jq -s '[.[] | select(.tid) | .tid, .args.count] |
	unique | length' out)" 2
check_equal 'JSON: it lasted longer' "$(jq -s '.[1].latency_ns > .[0].lasted_ns' out)" true

begin --after 100ms -n 1 --depth 2 --json
wait_for grep -q under_way out
echo hello >pipe
catch_end
check_equal '--depth: the innermost frames, and that there are more' \
	"$(jq -c "$lasting | [(.stack | length), .stack_complete]" out)" '[2,false]'

# Many at once, each once, and those that end before are not shown.
mkfifo go
cat >many.py <<'PYTHON'
import os, threading
open('/proc/self/comm', 'w').write('kt_many')
pipes = [os.pipe() for _ in range(40)]
def wait(out):
    open('/proc/thread-self/comm', 'w').write('kt_many')
    os.read(out, 12)
threads = [threading.Thread(target=wait, args=(out,)) for out, _ in pipes]
for thread in threads:
    thread.start()
open('go').read()
for _, into in pipes:
    os.write(into, b'x')
for thread in threads:
    thread.join()
out, into = os.pipe()
for _ in range(1000):
    os.write(into, b'x')
    os.read(out, 12)
PYTHON
catch_begin ksys_read 'count == 12' -c kt_many --after 300ms -n 0 --json --no-stack
python3 many.py & many=$!
wait_for eval "[ \"\$(grep -c under_way out)\" -ge 40 ]"
echo >go
wait $many
kill -INT $kcatch
catch_end
check_equal 'each of 40 threads, and no other' "$(jq "$lasting | .tid" out | sort -u | wc -l) $(
	jq "$lasting | .tid" out | wc -l)" '40 40'
check_equal '--no-stack: no stack' "$(jq "$lasting | has(\"stack\")" out | sort -u)" false
check_equal 'each is there again when it has returned' \
	"$(jq 'select(.latency_ns and .latency_ns >= 300000000).tid' out | sort)" \
	"$(jq "$lasting | .tid" out | sort)"
# A short read may take longer on a machine that is busy.
check_equal 'the account is whole' "$(jq -s '([.[] | select(.latency_ns)] | length) as $shown |
	.[-1].summary | .recorded == $shown and .recorded + .filtered == .hits and
	.recorded < 100 and .filtered > 900' out)" true

# One that is on a CPU has no stack, and says so.
catch_begin ksys_read -c dd --after 200ms -n 1 --json
dd if=/dev/zero of=/dev/null bs=1G count=1 2>/dev/null & work=$!
wait_for eval "grep -q latency_ns out || ! kill -0 $kcatch"
catch_end
wait $work
check_equal 'of a call on a CPU the stack is not made up' \
	"$(jq "$lasting | select(.away_ns == 0 and .stack)" out)" ''

refused() {
	kcatch "${@:2}" >out 2>err
	check_match "refused: ${*:2}" "$? $(cat err)" "^1 .*$1"
}
refused 'give a time with its unit' --after 500 ksys_read
refused 'give a time with its unit' --after 0s ksys_read
refused 'give a time with its unit' --after -1s ksys_read
refused 'give a time with its unit' --after 99999999999999999999s ksys_read
refused 'does not go with' --after 1s --entry ksys_read
refused 'does not go with' --after 1s --tree ksys_read
refused 'does not go with' --after 1s --errors ksys_read
refused 'an event has no return' --after 1s -e sched:sched_switch
refused 'a row is of a call that has returned' --after 1s --format rows ksys_read
