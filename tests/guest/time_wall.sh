# SPDX-License-Identifier: GPL-2.0-or-later
# Description: --time wall shows times as dates in UTC, of a catch, of an event and in reports, at
# the moment at which the call was made.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
date='20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]\.[0-9]{9}Z'

# usage: is_between TEXT BEFORE TIME AFTER - dates of this form sort as texts
is_between() {
	check_equal "$1" "$(printf '%s\n' "$2" "$3" "$4" | LC_ALL=C sort | tr '\n' ' ')" "$2 $3 $4 "
}

now() {
	date -u +%Y-%m-%dT%H:%M:%S.%NZ
}

# usage: uptime_s - seconds since the machine started, whatever its clock is set to
uptime_s() {
	cut -d . -f 1 /proc/uptime
}

noise=
started=$(($(date +%s) - $(uptime_s)))
cleanup() {
	[ -z "$noise" ] || kill $noise
	date -s "@$((started + $(uptime_s)))" >/dev/null
}

test_module
catch_begin --time wall -t 300 kt_c
before=$(now)
echo 'process chain' >$orders
after=$(now)
catch_end
check_match 'a catch: a date' "$(cat out)" "time $date"
is_between 'a catch: when it was made' "$before" "$(grep -oE "$date" out)" "$after"

record_begin -o rec -f kt_c
before=$(now)
echo 'process chain' >$orders
after=$(now)
kill -INT "$recorder"
record_end
is_between 'a report: when it was made' "$before" \
	"$(kcatch report rec --time wall | grep -oE "^$date")" "$after"
is_between 'a report: a column' "$before" \
	"$(kcatch report rec --time wall --fields time)" "$after"
check_match 'a report without it: seconds since boot' "$(kcatch report rec --fields time)" \
	'^[0-9]+\.[0-9]{9}$'
kcatch report rec --time sidereal >out 2>err
check_equal 'another kind of time: status 1' $? 1
check_match 'another kind of time: says which there are' "$(cat err)" 'wall and boot'
kcatch -t late kt_c >out 2>err
check_equal 'a limit that is none: status 1' $? 1
check_match 'a limit that is none: says what to give' "$(cat err)" 'seconds, more than 0'

# The clock is set while a flight recorder waits. It keeps what it has read each ten seconds.
kept_two() {
	rm -rf copy
	kcatch snapshot box -o copy 2>err && [ "$(wc -l <copy/kcatch/clock)" -ge 4 ]
}
kcatch record --flight --detach --name box -f kt_c --standby standby 2>err
date -s '+100 seconds' >/dev/null
wait_for kept_two
before=$(now)
echo 'process chain' >$orders
after=$(now)
rm -rf copy
kcatch snapshot box -o copy 2>err
is_between 'a flight recorder: when it was made' "$before" \
	"$(kcatch report copy --time wall --fields time)" "$after"
cp copy/cpu* standby
is_between 'the directory of --standby: when it was made' "$before" \
	"$(kcatch report standby --time wall --fields time)" "$after"
kcatch sessions --stop box 2>err
wait_for eval '! kcatch sessions >/dev/null 2>&1'

# The clock is set while calls are recorded: by an hour, and by less than between two anchors.
for step in 3600 -3600 2; do
	rm -rf stepped
	record_begin -o stepped -f kt_c
	echo 'process chain' >$orders
	first=$(now)
	sleep 1.2
	date -s "$step seconds" >/dev/null
	wait_for eval '[ "$(wc -l <stepped/kcatch/clock)" -ge 3 ]'
	before=$(now)
	echo 'process chain' >$orders
	after=$(now)
	kill -INT "$recorder"
	record_end
	mapfile -t made < <(kcatch report stepped --time wall --fields time)
	check_equal "the clock is set by $step s: two calls" ${#made[@]} 2
	is_between "the clock is set by $step s: when the call behind it was made" "$before" \
		"${made[1]}" "$after"
	check "the clock is set by $step s: the call before it keeps its time" \
		[ ! "${made[0]}" \> "$first" ]
done

# The clock is set while --at waits.
rm -f log
kcatch record -o later -f kt_c --at "$(date -d '+150 seconds' +%T)" -t 5 2>log &
recorder=$!
wait_for grep -q 'recording starts at' log
start=$(date -d "$(sed -n 's/.*recording starts at //p' log)" +%s)
sleep 11
(while sleep 0.05; do echo 'process chain'; done >$orders) 2>/dev/null &
noise=$!
date -s "@$((start - 2))" >/dev/null
wait $recorder
check_equal 'a recording of --at: no call is of the time before it' \
	"$(kcatch report later --format rows |
		jq "select(.row == \"event\") | .time_unix_ns / 1e9 >= $start" | sort -u)" true
