# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch top counts calls by function and caller, ends after the pictures asked
# for, tells of losses, and gives the terminal back as it was.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

kcatch top kt_c -d 0.2 >out 2>err &
top=$!
wait_for grep -q . out	# the first picture: it has begun
for _ in 1 2 3; do order 'process chain'; done
check 'the function, its caller and how often' \
	wait_for grep -q ' 3 .* kt_c \[kcatch_test\] < kt_b \[kcatch_test\]' out
kill -INT $top
wait $top
check_equal 'Ctrl-C: status 0' $? 0
check_match 'a heading with the whole' "$(cat out)" 'kcatch top: 1 function, [^,]*, 3 in all, undecided 0, missed 0'
check_equal 'no terminal: no escapes' "$(grep -c $'\x1b' out)" 0

# Numbers are exact however many calls there are, and failures have their error's name.
open_file=$(either do_filp_open do_file_open)
rm -f out
kcatch top "$open_file" vfs_read -e sched:sched_process_exit -c cat -d 0.2 -s total >out 2>err &
top=$!
wait_for grep -q . out
for _ in 1 2 3 4 5; do cat missing_file 2>/dev/null; done
check 'pointers that are errors: how many, and which' \
	wait_for grep -qE "^ +[0-9]+ +[0-9]+ 5 -ENOENT .* $open_file < " out
check 'events beside functions: counted without latency' \
	wait_for grep -qE '^ +[0-9]+ +5 - +- +- +- sched:sched_process_exit < ' out
kill -INT $top
wait $top
check_equal 'functions and events together: status 0' $? 0
check_match 'latencies of calls that return' "$(cat out)" \
	$'\n +[0-9]+ +[0-9]+ -( +[0-9.]+ ?[nmu]?s){3} vfs_read < '

# No ring can be too small for them.
rm -f out
kcatch top vfs_write -c dd -d 0.2 --size 8K >out 2>err &
top=$!
wait_for grep -q . out
dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none
check 'many calls: each is counted' \
	wait_for grep -q 'kcatch top: 1 function, [^,]*, 20000 in all, undecided 0, missed 0' out
kill -INT $top
wait $top

# What is longer than its column is there as well.
rm -f out
kcatch top __sys_connect -c python3 -d 0.2 >out 2>err &
top=$!
wait_for grep -q . out
ip link set lo up
python3 -c '
import socket
for _ in range(200):
    socket.socket().connect_ex(("127.0.0.1", 1))'
check 'failures: the whole name of the error' \
	wait_for grep -qE '^ +[0-9]+ +200 200 -ECONNREFUSED +[0-9.]+ ?[nmu]?s ' out
kill -INT $top
wait $top

kcatch top kt_c -n 1 -d 0.2 >out 2>err
check_equal 'nothing called: status 2' $? 2
kcatch top >out 2>err
check_match 'no function: says how' "$(cat err)" "top of what"
kcatch top kt_c 'ret < 0' -n 1 -d 0.2 >out 2>err
check_equal 'a condition: status 1' $? 1
check_match 'a condition: what takes one' "$(cat err)" 'top takes no condition.*kcatch count'
kcatch top kt_c -d 0.0001 >out 2>err
check_match 'too short an interval: how long it may be' "$(cat err)" 'at least 0.001'
kcatch top kt_c -s size >out 2>err
check_match 'no such order: those there are' "$(cat err)" 'calls, total, failed'

# On a terminal: the screen is left, the cursor comes back, the modes are as before.
script -qec 'stty -g >before; kcatch top kt_c -d 0.2 -n 2; stty -g >after' \
	screen >/dev/null </dev/null
check_match 'a terminal: a screen of its own' "$(cat screen)" $'\x1b\\[\\?1049h'
check_match 'a terminal: the cursor and the screen come back' "$(cat screen)" $'\x1b\\[\\?25h\x1b\\[\\?1049l'
check 'a terminal: its modes are known' [ -s before ]
check_equal 'a terminal: its modes as before' "$(cat after)" "$(cat before)"
# usage: drawn COLUMNS COMMAND... - what COMMAND shows of two calls on a terminal, each line as far
# as the terminal is wide
drawn() {
	local columns=$1
	shift
	rm -f screen
	script -qfec "stty rows 24 cols $columns; $*" screen >/dev/null </dev/null &
	local shown=$!
	wait_for grep -aqE 'kcatch (top|count):' screen
	order 'process chain'
	order 'process chain'
	wait $shown
	sed -E 's/\x1b\[[?0-9;]*[a-zA-Z]/\n/g; s/\r//g' screen | cut -c "1-$columns"
}
for order in calls failed max; do
	check_match "a terminal of 60 columns: top by $order has the function and who called it" \
		"$(drawn 60 kcatch top kt_c -d 0.5 -n 4 -s $order)" \
		' kt_c \[kcatch_test\] < kt_b'
done
check_match 'a terminal of 100 columns: as much as before' \
	"$(drawn 100 kcatch top kt_c -d 0.5 -n 4)" $'calls/s failed +p99 +max function'
check_match 'a terminal of 60 columns: count has the function' \
	"$(drawn 60 kcatch count kt_c kt_b -t 2 -d 0.5)" $'\n +2  kt_c \\[kcatch_test\\]\n'
check_match 'a terminal of 60 columns: and with values' \
	"$(drawn 60 kcatch count kt_c kt_b -t 2 -d 0.5 --hist latency)" \
	$'count       mean        max  function.*\n +2 +[0-9.]+ ?[nmu]?s +[0-9.]+ ?[nmu]?s  kt_c \\[kcatch_test\\]\n'
check_match 'a terminal of 130 columns: shares, bars, all values' \
	"$(drawn 130 kcatch count kt_c kt_b -t 2 -d 0.5 --hist latency)" \
	$'count  share +mean +min +max +sum  function'
# Nothing is drawn on a terminal that cannot, nor on that of another job.
TERM=dumb script -qec 'kcatch count kt_c -t 0.3; kcatch top kt_c -n 1 -d 0.2' \
	screen >/dev/null </dev/null
check_equal 'a dumb terminal: no control characters' "$(tr -cd '\033' <screen | wc -c)" 0
check_match 'a dumb terminal: top as with --batch' "$(cat screen)" 'kcatch top: '
script -qec 'set -m; kcatch count kt_c -t 0.3 & wait' screen >/dev/null </dev/null
check_equal 'in the background: no control characters' "$(tr -cd '\033' <screen | wc -c)" 0
script -qec 'setsid --wait kcatch top kt_c -n 1 -d 0.2' screen >/dev/null </dev/null
check_match 'a terminal that controls no jobs, as with su -c: it is drawn' "$(cat screen)" $'\x1b\\[\\?1049h'
# ^Z and ^\ would leave that screen to the shell.
for command in 'top kt_c -d 0.2 -n 20' 'count kt_c -t 20'; do
	rm -f screen ended
	(wait_for grep -aq "kcatch ${command%% *}:" screen; printf '\032\034') |
		timeout 300 script -qfec "kcatch $command; echo \$? >ended" screen >/dev/null
	check_equal "^Z and ^\\ do not end kcatch ${command%% *}" "$(cat ended)" 2
	check_match "and it leaves its screen" "$(cat screen)" $'\x1b\\[\\?25h\x1b\\[\\?1049l'
done
script -qfec 'kcatch top kt_c & top=$!; until grep -q "kcatch top:" screen; do
	sleep 0.1; done; kill -TERM $top; wait $top; echo "status $?"' screen >/dev/null </dev/null
check_match 'a signal: the cursor and the screen come back' "$(cat screen)" $'\x1b\\[\\?25h\x1b\\[\\?1049l'
check_match 'a signal: an end in order' "$(cat screen)" 'status 2'

kcatch top -e sched:sched_switch -n 4 -d 0.5 >out 2>err
check_match 'events: with where they come from' "$(cat out)" 'sched:sched_switch < __schedule'
