# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch record --at arms at once and records from that time of the wall clock on,
# in the background, too; while it waits it answers, can be interrupted and stopped, and it
# refuses times that are none.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
# In bursts, so that a recorder that waits for its turn loses none.
(while sleep 0.05; do for _ in {1..20}; do echo 'process chain'; done; done >$orders) 2>/dev/null &
noise=$!
cleanup() { kill $noise; }

at_full_second() {
	rm -rf rec
	kcatch record -o rec -f kt_c --at /5s -t 1 2>log
}
until_found at_full_second
check_equal 'a full second: status 0' $? 0
start=$(date -d "$(sed -n 's/.*recording starts at //p' log)" +%s)
check_equal 'a full second: as asked' $((start % 5)) 0
kcatch report rec --format rows >all
check_equal 'a full second: nothing before it' \
	"$(jq "select(.row == \"event\") | .time_unix_ns / 1e9 >= $start" all | sort -u)" true

# usage: recorded DIR - the status of its report, and the number of events that were recorded
recorded() {
	kcatch report "$1" --format rows >all
	echo "$? $(jq -c 'select(.row == "event" or .final and .scope == "session") | .recorded' all)"
}

# Armed at once: the time comes in some minutes, and a signal ends the waiting.
at=$(date -d '+10 minutes' +%H:%M:%S)
rm -f log
kcatch record -o later -f kt_c --at "$at" 2>log &
recorder=$!
wait_for grep -q 'recording starts at' log
check_match 'a time of the day: as asked' "$(cat log)" "starts at .* $at "
check 'a time of the day: it is armed' grep -q kt_c $tracefs/enabled_functions
kill -INT $recorder
wait $recorder
check_equal 'interrupted while it waits: nothing was recorded' "$(recorded later)" '2 0'
check_unhooked 'interrupted while it waits: nothing is hooked'

# The process ends first; whoever has its number by then is another one.
start=$(date -d '+1 hour' +%s)
at=$(date -d @$start +%H:%M:%S)
sleep 1000 &
other=$!
rm -f log
kcatch record -o gone -f kt_c -p $other --at "$at" 2>log &
recorder=$!
wait_for grep -q 'recording starts at' log
kill $other
wait $recorder
check_equal 'its process ends while it waits: status 2' $? 2
check_match 'its process ends while it waits: that is said' "$(cat log)" "process $other has ended"
check_equal 'its process ends while it waits: nothing was recorded' "$(recorded gone)" '2 0'

# A time of the day is that of the user's zone, and one with a Z of UTC.
# usage: starts ZONE TIME
starts() {
	local text="in the zone $1, $2"
	rm -f log
	TZ=$1 kcatch record -o zone --name zone -f kt_c --at "$2" 2>log &
	recorder=$!
	wait_for grep -q 'recording starts at' log
	check_equal "$text: it waits for that" "$(kcatch sessions --json |
		jq 'select(.name == "zone") | .since')" "$start"
	check_match "$text: so it says" "$(cat log)" "starts at $(TZ=$1 date -d @$start '+%F %T') "
	kill -INT $recorder
	wait $recorder
	rm -rf zone
}
for zone in KTA-5:30 KTB+9 UTC; do
	starts $zone "$(TZ=$zone date -d @$start +%H:%M:%S)"
	starts $zone "$(date -u -d @$start +%H:%M:%SZ)"
done

# It answers while it waits, and a command that waits with it never runs.
status_of() {
	kcatch sessions --json | jq -c "select(.name == \"$1\") | [.state, .since, .events]"
}
rm -f log
kcatch record -o shown --name shown -f kt_c --at "$at" -- touch "$PWD/ran" 2>log &
recorder=$!
wait_for grep -q 'recording starts at' log
check_equal 'it waits: so kcatch sessions says, and when it starts' "$(status_of shown)" \
	"[\"waiting\",$start,0]"
check_match 'it waits: for people, too' "$(kcatch sessions)" \
	"shown +$recorder  $(date -d @$start '+%F %T')  waiting "
check 'it waits: kcatch sessions --stop ends it' kcatch sessions --stop shown
wait $recorder
check_equal 'stopped while it waits: status 2' $? 2
check_equal 'stopped while it waits: nothing was recorded' "$(recorded shown)" '2 0'
check 'stopped while it waits: the command did not run' [ ! -e ran ]
check_unhooked 'stopped while it waits: nothing is hooked'

# Somebody ends the process that is to become the command.
rm -f log
kcatch record -o ended -f kt_c --at "$at" -- touch "$PWD/ran" 2>log &
recorder=$!
wait_for grep -q 'recording starts at' log
command=$(pgrep -P $recorder)
kill "$command"
check 'its command is ended while it waits: that ends the waiting' \
	wait_for eval '! kill -0 $recorder 2>/dev/null'
kill $recorder 2>/dev/null
wait $recorder
check_match 'its command is ended while it waits: status 2, and it is said' "$? $(cat log)" \
	"^2 .*process $command has ended"
check_equal 'its command is ended while it waits: nothing was recorded' "$(recorded ended)" '2 0'
check_unhooked 'its command is ended while it waits: nothing is hooked'

# In the background: kcatch returns when all is armed, not an hour later.
# usage: detach DIR OPTION... - its name is that of the directory
detach() {
	timeout 300 kcatch record --detach -o "$1" --name "$1" -f kt_c "${@:2}" 2>log
}
is_gone() {
	[ -z "$(status_of "$1")" ]
}
detach away --at "$at"
check_equal 'in the background: it returns' $? 0
check_match 'in the background: it says when it starts, and what it will do' "$(tr '\n' ' ' <log)" \
	"starts at .* $at .*will record 1 probe to .*in the background, as 'away'"
check_equal 'in the background: it waits' "$(status_of away)" "[\"waiting\",$start,0]"
check 'in the background: it is armed' grep -q kt_c $tracefs/enabled_functions
kcatch sessions --stop away 2>log
check_equal 'in the background: kcatch sessions --stop ends it' $? 0
wait_for is_gone away
check_equal 'in the background, stopped: nothing was recorded' "$(recorded away)" '2 0'
detach killed --at "$at"
kill "$(kcatch sessions --json | jq 'select(.name == "killed") | .pid')"
wait_for is_gone killed
check_equal 'in the background, SIGTERM: nothing was recorded' "$(recorded killed)" '2 0'
check_unhooked 'in the background, ended: nothing is hooked'

detach flight --flight --at "$at"
check_equal 'a flight recorder: it waits' "$(status_of flight)" "[\"waiting\",$start,0]"
kcatch snapshot flight -o copy 2>log
check_equal 'a flight recorder that waits has nothing to copy' \
	"$? $(grep -c 'waits for the time' log) $(ls -d copy 2>/dev/null)" '1 1 '
kcatch sessions --stop flight 2>log
wait_for is_gone flight
check_unhooked 'a flight recorder, stopped: nothing is hooked'

at_full_second_away() {
	rm -rf away
	detach away --at /5s -t 1
	wait_for is_gone away
	[ "$(recorded away)" != '2 0' ] || return 2
}
until_found at_full_second_away
start=$(date -d "$(sed -n 's/.*recording starts at //p' log)" +%s)
check_equal 'in the background: it records from its time on' \
	"$(jq "select(.row == \"event\") | .time_unix_ns / 1e9 >= $start" all | sort -u)" true

for time in 25:00 12 12:00:60 /0s /10 noon; do
	kcatch record -f kt_c --at $time 2>log
	check_equal "$time: status 1" $? 1
	check_match "$time: says what to give" "$(cat log)" "--at '$time': give a time"
done
