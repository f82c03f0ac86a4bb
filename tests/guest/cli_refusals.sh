# SPDX-License-Identifier: GPL-2.0-or-later
# Description: wrong input is refused with status 1, one clear message on standard
# error that says what to do, nothing on standard output, and nothing armed.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

# usage: refused TEXT REGEX ARG...
refused() {
	local text=$1 regex=$2
	shift 2
	timeout 300 kcatch "$@" >out 2>err
	check_equal "$text: status" $? 1
	check_match "$text: the message" "$(cat err)" "$regex"
	check_equal "$text: standard output" "$(cat out)" ''
	check_no_match "$text: no control character reaches the terminal" \
		"$(tr -d '\n\t' <err)" $'[\001-\037\177]'
	check "$text: a message one can read" [ "$(wc -c <err)" -lt 2000 ]
}

refused 'no function' 'usage: kcatch FUNCTION'
refused 'an empty name' "^kcatch: a function's name is empty" ''
refused 'a space' "^kcatch: which function\? ' ' cannot be a function's name" ' '
refused '100,000 characters' \
	'^kcatch: .k{40,}\.\.\.. \(100000 characters\): longer than any function' \
	"$(printf 'k%.0s' {1..100000})"
refused 'control characters' \
	'^kcatch: .kt\\x01\\x1b\[2Jc.: no kernel function.s name holds such a character \(character 3\)' \
	$'kt\001\033[2Jc'
refused 'a newline' '^kcatch: which function\? .kt_a\\nkt_c. cannot be' $'kt_a\nkt_c'
refused 'bytes that are no UTF-8' \
	'^kcatch: .kt\\xff\\xfe.: no kernel function.s name holds such a character \(character 3\)' \
	$'kt\377\376'
refused 'a pattern that is not closed' '^kcatch: .kt_\[abc.: no function matches.*did you mean kt_' 'kt_[abc'
refused 'an empty module' '^kcatch: .:kt_c.: write module:function' ':kt_c'
refused 'an empty function' '^kcatch: .kcatch_test:.: write module:function' 'kcatch_test:'
refused 'a bad offset' \
	'^kcatch: .kt_c\+0xzz.: the offset after .\+. is not a number: give bytes' kt_c+0xzz
refused 'a pattern with an offset' 'an offset does not go with a pattern' 'kt_*+4'
refused 'an unknown option' 'unknown option.*--help' --nonsense kt_c
refused 'an option without its value' 'needs a value' kt_c -n
refused '-n that is no number' '-n.*number' -n abc kt_c
refused '-n negative' '-n.*number' -n -5 kt_c
refused '-n beyond all numbers' '-n.*number' -n 99999999999999999999999 kt_c
refused '-t that is no number' '-t.*seconds' -t soon kt_c
refused '-t of nothing' '-t.*seconds' -t 0 kt_c
refused '-t that never ends' '-t.*seconds' -t nan kt_c
refused '-p of nobody' 'there is no process 4194300' -p 4194300 kt_c
refused '-p 0' '-p.*process' -p 0 kt_c
refused '-c empty' "-c '': give the command's name" -c '' kt_c
refused '--depth 0' "--depth '0': give the most frames" --depth 0 kt_c
refused '--depth too deep' '--depth.*256' --depth 257 kt_c
refused '--size too small' 'too small.*8K' --size 1 kt_c
refused '--size too big' 'too large.*256M' --size 900G kt_c
refused 'a condition without a function' 'which function.*condition' 'count > 5'
refused 'two conditions' 'two conditions.*&&' kt_c 'pid > 5' 'tid > 5'
refused 'a condition that is none' 'expected a name, a number or a text.*pid >' kt_c 'pid >'
refused 'a condition with an unknown name' 'kt_no_argument' kt_c 'kt_no_argument > 5'
refused 'a condition on the return with --entry' \
	'the condition uses the return: it must be caught' --entry kt_c 'ret < 0'
refused '--tree with --entry' '--tree and --entry: ' --tree --entry kt_c
refused '--tree with --errors' '--tree and --errors: ' --tree --errors kt_c
refused '--errors with --entry' '--errors and --entry: ' --errors --entry kt_c
refused '--errors of something' '--errors.*false' --errors=true kt_c
refused '--levels without --tree' '--levels is for --tree' --levels 2 kt_c
refused '--levels 0' "--levels '0': give a number" --tree --levels 0 kt_c
refused '--deep too deep' '--deep .99.: give a number of pointers.*1 to 6' --deep 99 kt_c
refused '--string too long' '--string.*1000' --string 1001 kt_c
refused '--user with rows' '--format rows has no user stacks' --user --format rows kt_c
refused '--time wall with JSON' '--time wall is for text' --time wall --json kt_c
refused '--time wall with rows' '--time wall is for text' --time wall --format rows kt_c
refused '--no-args of events' '--no-args is for functions' --no-args -e sched:sched_switch
refused 'record: --no-args of events' '--no-args is for functions' \
	record --no-args -e sched:sched_switch
refused '--no-stack with --depth' '--no-stack does not go with' --no-stack --depth 4 kt_c
refused '--no-stack with --stack' '--no-stack does not go with' \
	--no-stack --stack -e sched:sched_switch
refused '--entry of events' '--entry is for functions' --entry -e sched:sched_switch
refused 'record: --entry of events' '--entry is for functions' record --entry -e sched:sched_switch
refused '--deep 7' '--deep .7.: give a number of pointers.*1 to 6' --deep 7 kt_c
refused '--deep of events' '--deep is for functions' --deep 2 -e sched:sched_switch
refused 'record: --deep of events' '--deep is for functions' record --deep 2 -e sched:sched_switch
refused '--deep of no arguments' '--deep and --string are about arguments' --deep 2 --no-args kt_c
refused 'record: --string of no arguments' '--deep and --string are about arguments' \
	record --string 2 --no-args -f kt_c
refused 'count: --depth without stacks' '--depth is of stacks: --by stack' \
	count --depth 4 --by comm kt_c
refused 'record: --no-children' '--no-children is for a command' record --no-children -f kt_c
refused 'metrics: -d' '-d is for --textfile' metrics -d 5
refused '--format text with another' '--format text and another format' --json --format text kt_c
refused 'count: pictures of values' '--format folded has no histograms' \
	count --by stack --format folded --hist ret kt_c
refused 'sessions: --stop with JSON' '--json is for the list' sessions --stop none --json
refused 'stuck: -p with --limit' '--limit is for the whole machine' stuck -p 1 --limit 60
refused 'a place with a wrong size' 'offset 0x100000: the function is only' kt_b+0x100000/0x200000
refused '--user too large' '--user.*64K' --user=1M kt_c
refused 'an unknown name of many words' 'kt_nothing' kt_a kt_b kt_nothing
# The same limits and the same words in every command.
for command in 'catch kt_c' 'watch panic_timeout' signals 'top kt_c' 'record -f kt_c'; do
	refused "$command: -p 0" '-p .0.: give a process number' $command -p 0
	refused "$command: -c empty" "-c '': give the command's name" $command -c ''
	refused "$command: --size of nothing" '--size .0.: give bytes per CPU' $command --size 0
	refused "$command: an unknown option" \
		'unknown option .--nonsense.; see kcatch' $command --nonsense
	refused "$command: a value is missing" '.-p. needs a value; see kcatch' $command -p
done
refused 'stuck: -p 0' '-p .0.: give a process number' stuck -p 0
refused 'report: -p 0' '-p .0.: give a process number' report -p 0 rec
check_unhooked 'nothing stays armed'

kcatch -t 5 kt_c >&- 2>err
check_equal 'standard output closed: status' $? 1
check_match 'standard output closed: says so' "$(cat err)" 'standard output is closed'
kcatch record -t 0.1 -f kt_c -o unseen >&- 2>err
check_match 'a recorder needs none' "$? $(cat err)" '^2 .*nothing was recorded'
catch_begin -n 1 -t 300 kt_c
kill $kcatch && wait $kcatch
rm -f err
(kcatch -n 1 -t 300 --json kt_c >/dev/full 2>err; echo $? >status) &
wait_for grep -q waiting err
order 'process chain'
wait
check_equal 'a full disk: status' "$(cat status)" 1
check_match 'a full disk: says so' "$(cat err)" 'cannot write.*No space'
kcatch --help >/dev/full 2>err
check_equal 'a full disk, help: status' $? 1
check_match 'a full disk, help: says so' "$(cat err)" 'cannot write.*No space'
rm -f err
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
noise=$!
(kcatch -n 0 -t 300 --json vfs_write 2>err; echo $? >status) | head -n 1 >/dev/null
check_equal 'a reader that has gone: ends as by SIGPIPE' "$(cat status)" 141
check_no_match 'a reader that has gone: without a message' "$(cat err)" 'cannot write|gone|summary|caught'
(trap '' PIPE; kcatch -n 0 -t 300 --json vfs_write 2>err; echo $? >status) | head -n 1 >/dev/null
kill $noise
check_equal 'a reader that has gone, and SIGPIPE is ignored: status' "$(cat status)" 1
check_match 'a reader that has gone, and SIGPIPE is ignored: says so' "$(cat err)" \
	'cannot write: the reader of the output has gone'
for words in "list '*'" "count 'vfs_*' -t 0.5 --top 100" 'help catch' check; do
	(eval "kcatch $words" 2>err; echo $? >status) | head -c 1 >/dev/null
	check_match "kcatch $words | head: says nothing of it" "$(cat status) $(cat err)" '^(141|0) $'
done
# Of a socket, poll() tells that nobody reads by another bit, and nothing is written here.
cat >unread.py <<'END'
import socket, subprocess
reads, writes = socket.socketpair()
with open("err", "w") as err:
    kcatch = subprocess.Popen(["kcatch", "-n", "0", "kt_c"], stdout=writes, stderr=err)
writes.close()
while "waiting" not in open("err").read():
    assert kcatch.poll() is None
reads.close()
print(kcatch.wait())
END
check_equal 'nobody reads the socket any more: it ends' "$(python3 unread.py) $(grep -c gone err)" '-13 0'

# 1,000 functions at once, by name
grep -E '^(vfs|tcp|ip|skb|blk|sched|inet|sock|ext4|do|sys|mm|get|set)_[a-z_]*$' \
	$tracefs/available_filter_functions | sort | uniq -u |
	# Those are refused.
	grep -vE '^(do_kern_addr_fault|do_trap|get_(kprobe|stack_info|optimized_kprobe).*)$' |
		head -n 1000 >names
mapfile -t names <names
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
noise=$!
kcatch --json -n 1 -t 300 "${names[@]}" vfs_read >out 2>err
check_equal "${#names[@]} names at once: caught" $? 0
kill $noise
check '1,000 names it was' [ "${#names[@]}" -eq 1000 ]
check_match '1,000 names, one of them unknown: refused, and which' \
	"$(kcatch -t 1 "${names[@]}" kt_nothing 2>&1)" 'kt_nothing'
