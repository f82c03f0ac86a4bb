# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a flight recorder keeps the last events, gives copies while it goes on, and
# writes itself when it freezes; recorders are found, stopped, and forgotten when killed.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
command -v babeltrace2 >/dev/null || skip_all 'no babeltrace2'
test_module

kcatch sessions 2>err
check_equal 'no recorder is running: status 2' $? 2
kcatch snapshot 2>err
check_equal 'so there is nothing to copy: status 2' $? 2

kcatch record --flight --detach --name box --size 16K -f kt_hammered --entry 2>err
check_equal 'it goes into the background: status 0' $? 0
check_match 'and says how to find it' "$(cat err)" "background, as 'box'"
kcatch record --detach --name box -f kt_c -o other 2>err
check_equal 'no two of a name: status 1' "$? $([ -e other ]; echo $?)" '1 1'
check_match 'no two of a name: that is said' "$(cat err)" \
	"^kcatch: there is a recorder 'box' already; see kcatch sessions"
check_equal 'it is listed' "$(kcatch sessions --json | jq -r '[.name, .state, .lost] | join(" ")')" 'box flight 0'
check_match 'for people, too' "$(kcatch sessions)" 'box .*flight .*record --flight'
check_equal 'only root can speak to it' \
	"$(stat -c '%a %U' /run/kcatch /run/kcatch/box.sock | tr '\n' ' ')" \
	'700 root 600 root '
order 'hammer 300'
kcatch snapshot -o one 2>err
check_equal 'a copy: status 0' $? 0
order 'hammer 300'
kcatch snapshot box -o two 2>err
check_equal 'it goes on, and gives another' $? 0
check_same_in_babeltrace one
check_equal 'nothing is lost in a flight recorder' "$(jq '.summary.lost // empty' report.json)" 0
check_same_in_babeltrace two
calls=$(module_value hammer.total)
check 'it holds the last ones, not all' [ "$events" -lt "$calls" ]
check 'and as many as there is room for' [ "$events" -gt 100 ]
first=$(babeltrace2 --clock-cycles one | tail -n 1 | grep -o '^\[[0-9]*')
last=$(babeltrace2 --clock-cycles two | head -n 1 | grep -o '^\[[0-9]*')
check 'the second begins where the first ended, or later' [ "${last#[}" -ge "${first#[}" ]
kcatch sessions --stop box 2>err
check_equal 'it is stopped: status 0' $? 0
wait_for eval '! kcatch sessions 2>/dev/null'
check_unhooked 'and lets go of the function'
check_equal 'nothing was written but the copies' "$(ls -d kcatch-* 2>/dev/null)" ''

kcatch record --detach --name gone -f kt_hammered -o gone 2>err
kill -9 "$(kcatch sessions --json | jq .pid)"
wait_for eval 'kcatch sessions >/dev/null 2>&1; [ ! "$(ls /run/kcatch)" ]'
check_equal 'one that was killed is forgotten' "$(ls /run/kcatch)" ''
kcatch record --detach --name gone -f kt_hammered -o again 2>err
check_equal 'and its name is free' $? 0
kcatch sessions --stop gone 2>err
check_match 'stopped: it has ended when that returns' "$? $(kcatch sessions 2>&1 >/dev/null) $(cat err)" \
	"^0 kcatch: no recorder is running.* kcatch: recorder 'gone' has ended: see .*again"
check_match 'stopped: for a day it is told where it wrote' "$(kcatch sessions 2>/dev/null)" \
	"gone  .* ended  .*record --detach.* at 20[^,]*, written to $PWD/again"
check_equal 'stopped: it is no recorder to programs' "$(kcatch sessions --json)" ''
check_equal 'stopped: what it had is written' \
	"$(head -n 1 again/kcatch/counters | cut -d ' ' -f 2)" final

# A condition on a call.
record_begin --freeze-on 'kt_hammered arg0 == 200' -f kt_hammered -o frozen --size 64K
order 'hammer 400'
record_end
check_match 'frozen by a call: it writes itself' "$status $err" 'frozen by kcatch_test:kt_hammered.*in .frozen'
check_same_in_babeltrace frozen
# Other CPUs may have made later calls until their rings stood still, that one's interrupts too.
check_equal 'the last call of a thread is the one that froze it' \
	"$(jq -s 'map(select(.function) | {cpu, value: (.args | to_entries[0].value)}) |
		map(select(.value < 268435456)) | group_by(.cpu) | any(last.value == 200)' report.json)" true

# Who froze it may be gone when that is written.
kcatch record --flight --detach --name box --freeze-on 'sched:sched_process_exit p->exit_code == 0x2a00' \
	-f kt_c 2>err
check_match 'where it will write is told at its start' "$(cat err)" \
	"when it freezes it writes to '$PWD/kcatch-DATE-TIME'"
bash -c 'echo -n frozen-by-me >/proc/self/comm; exit 42'
wait_for eval '! kcatch sessions >/dev/null 2>&1'
written=$(kcatch sessions 2>/dev/null | sed -n 's/.*frozen by sched:sched_process_exit, written to //p')
check 'and where it has written at its end' [ -d "$written/kcatch" ]
check_match 'who froze it has a name' "$(kcatch report "$written" 2>&1)" 'frozen-by-me.*sched_process_exit'

# Calls that are under way when the rings freeze: kt_a at once, kt_late when the groups are marked.
record_begin --freeze-on kt_c -f kt_a -f kt_late -o inside
order 'late 1'
stand_still $recorder
order 'process chain'
order 'late 0'
kill -CONT $recorder
record_end
check_equal 'a freeze loses no return: status 0' "$status $(grep -c 'no room' err)" '0 0'
kcatch report inside --format json >out 2>err
check_equal 'nor does its report say so: status 0' "$? $(grep -c lost err)" '0 0'
check_equal 'the calls have not returned' \
	"$(jq -r 'select(.function) | .function + " " + .returned' out | sort | xargs)" \
	'kt_a pending kt_c pending kt_late pending'
record_begin --name box --again --freeze-on kt_c -f kt_a -o each
order 'process chain'
wait_for grep -q 'written to' err
kcatch sessions --stop box 2>/dev/null
record_end
check_equal 'nor is any lost with --again: status 0' "$status $(grep -c 'no room' err)" '0 0'

# What the recorder itself calls.
record_begin --name box --freeze-on vfs_mkdir -f kt_c
order 'process chain'
kcatch snapshot box -o copy 2>err.copy
check_equal 'the directory of a copy is made by the recorder' "$? $([ -d copy ]; echo $?)" '0 0'
check_equal 'which does not freeze for that' "$(kcatch sessions --json | jq -r .state)" flight
mkdir others
record_end
check_match 'but for what others call' "$status $err" '^0 .*frozen by vfs_mkdir'

# The process of -p ends while a freeze is to be written, and another one gets its number.
other_gets_its_number() {
	local other
	sleep 1000 &
	other=$!
	record_begin --again --freeze-on kt_c -f kt_a -p $other -o of
	stand_still $recorder
	order 'process chain'
	kill $other
	wait $other
	for _ in {1..100}; do
		echo $((other - 1)) >/proc/sys/kernel/ns_last_pid
		sleep 1000 &
		[ $! -ne $other ] || break
		kill $!
	done
	check_equal 'another process gets the number of one that is recorded' $! $other
	kill -CONT $recorder
	wait_for eval '! kill -0 $recorder 2>/dev/null' || kill $recorder
	record_end
	check_match 'the recorder ends, as its process has ended' "$status $(echo of*) $err" '^0 of .*written to .of.'
	kill $other
}
if [ -e /proc/sys/kernel/ns_last_pid ]; then
	other_gets_its_number
else
	skip 'another process gets the number of one that is recorded' \
		'nobody chooses the next number here'
fi
