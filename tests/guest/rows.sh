# SPDX-License-Identifier: GPL-2.0-or-later
# Description: --format rows, live and of a recording: flat objects with the members that
# kcatch-rows(5) lists, numbers that stay the same, wall-clock times, and rows of what was lost.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

both='["row","time_unix_ns","host","boot_id","session","sequence","kernel","arch"]'
events='["cgroup","pid","tid","comm","cpu","context","function","module","event","caller","stack",
	"ret","ret_text","latency_ns","oncpu_ns","runnable_ns","blocked_ns","switches","args",
	"args_cut","args_unreadable","args_read_at_return","args_bytes"]'
losses='["scope","cpu","function","module","event","hits","recorded","filtered","over_budget",
	"undecided","missed","lost","no_slot","return_lost","in_flight","damaged","forgotten",
	"unarmed","disarmed","died","missing","discarded","final"]'

# usage: members KIND MEMBERS FILE - whether each row of KIND has just these, and no object
members() {
	jq -c "select(.row == \"$1\") |
		[keys == ($both + $2 | sort), any(type == \"object\")]" "$3" | sort -u
}

# usage: check_members TEXT FILE - all rows of FILE have just the members of the manual page
check_members() {
	check_equal "$1: the members of events" "$(members event "$events" "$2")" '[true,false]'
	check_equal "$1: the members of losses" "$(members losses "$losses" "$2")" '[true,false]'
}

# usage: columns TABLE - the columns of the table for ClickHouse, as members
columns() {
	sed -n "/kcatch\.$1_local (/,/^)/s/^\t\([a-z_]*\) .*/\1/p" \
		"$KT_TOP/share/fleet/clickhouse.sql" | jq -Rsc 'split("\n") | map(select(. != "")) | sort'
}

check_equal 'the table of events for ClickHouse has all members but the kind' \
	"$(columns events)" "$(jq -nc "$both + $events - [\"row\"] | sort")"
check_equal 'so has the table of losses' \
	"$(columns losses)" "$(jq -nc "$both + $losses - [\"row\"] | sort")"

# usage: of_events EXPRESSION FILE / final EXPRESSION FILE - of each event, each last counter
of_events() {
	jq -c "select(.row == \"event\") | $1" "$2"
}
final() {
	jq -c "select(.row == \"losses\" and .final) | $1" "$2"
}

before=$(date +%s)
catch_begin --format rows -n 3 -t 300 kt_c
for _ in 1 2 3; do order 'process chain'; done
catch_end
after=$(date +%s)
check_equal 'live: status 0' "$status" 0
check_members live out
whole='"kt_c","kcatch_test",null,"kt_b [kcatch_test]",'
whole+='["kt_b [kcatch_test]","kt_a [kcatch_test]"],"task","object"'
check_equal 'live: numbered rows with the whole call' "$(of_events '[.sequence, .function, .module,
	.event, .caller, .stack[0:2], .context, (.args | fromjson | type)]' out)" \
	"[1,$whole]"$'\n'"[2,$whole]"$'\n'"[3,$whole]"
check_equal 'live: where from' \
	"$(of_events '[.host, .boot_id, .kernel, .arch] | join(" ")' out | sort -u)" \
	"\"$(uname -n) $(cat /proc/sys/kernel/random/boot_id) $(uname -r) $(uname -m)\""
by_clock=".time_unix_ns / 1e9 | . >= $before and . <="
check_equal 'live: by the wall clock' "$(of_events "$by_clock $after + 1" out | sort -u)" true
check_equal 'live: one session' \
	"$(jq -r 'select(.session | test("^[0-9a-f]{32}$")) | .session' out | sort -u | wc -l)" 1
check_equal 'live: the counters at the end, from each side' "$(final '[.scope, .recorded]' out |
	jq -s -c 'group_by(.[0]) | map([.[0][0], (map(.[1]) | add)])')" \
	'[["cpu",3],["probe",3],["session",3]]'
check_equal 'live: they add up' "$(final \
	'.hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost' out | sort -u)" true
check 'live: and are there at the beginning' \
	jq -e -s 'map(select(.row == "losses"))[0].final == false' out

opens=$(either do_filp_open do_file_open)
kcatch -n 2 -t 300 --format rows "$opens" 'ret == -ENOENT' >out 2>/dev/null &
catcher=$!
wait_for sh -c "cat missing_file 2>/dev/null; ! kill -0 $catcher 2>/dev/null"
wait $catcher
check_equal 'an error: number and name' "$(of_events '[.ret, .ret_text]' out | sort -u)" \
	'[-2,"-ENOENT"]'

rm -f record.log
kcatch record -o rec -f kt_c -e sched:sched_process_exit --stack -t 300 >record.log 2>&1 &
recorder=$!
wait_for grep -q recording record.log
for _ in 1 2 3 4 5; do order 'process chain'; done
/bin/true
kill -INT $recorder
wait $recorder
kcatch report rec --format rows >all 2>err
check_equal 'a recording: status 0' $? 0
check_members 'a recording' all
check_equal 'a recording: where from' \
	"$(of_events '[.host, .boot_id, .kernel] | join(" ")' all | sort -u)" \
	"\"$(uname -n) $(cat /proc/sys/kernel/random/boot_id) $(uname -r)\""
check_equal 'a recording: all calls' \
	"$(of_events '.function // empty' all | sort | uniq -c | tr -s ' ')" ' 5 "kt_c"'
check_equal 'a recording: an event has its name' "$(of_events '.event // empty' all | sort -u)" \
	'"sched:sched_process_exit"'
kcatch report rec --format rows >again
check 'a recording: the same rows each time' cmp all again
kcatch report rec --format rows -e kt_c >some
grep '"row":"event"' some >chosen
check_equal 'a recording: filters change no row' "$(comm -12 <(sort all) <(sort chosen) | wc -l)" 5
check_equal 'a recording: final counters' "$(jq 'select(.scope == "session") | .final' all)" true
check_equal 'a recording: its wall clock' \
	"$(of_events "$by_clock $(date +%s) + 1" all | sort -u)" true
of_events '.comm + ";" + (.stack | reverse | join(";"))' all | tr -d '"' | grep kt_b >stacks
check_equal 'stacks are written as the report folds them' \
	"$(sort -u stacks | sed 's/$/;kt_c [kcatch_test] 5/')" "$(kcatch report rec --format folded -e kt_c)"

# A stack that goes on, and a text
record_begin -o cut --depth 1 -f kt_c
order 'process chain'
kill -INT $recorder
record_end
kcatch report cut --format rows >all
check_equal 'a stack that is cut says so behind its last frame' \
	"$(of_events '[.caller, .stack]' all)" '["kt_b [kcatch_test]",["kt_b [kcatch_test]","[cut]"]]'
check_equal 'a stack that is cut is folded as in the report' \
	"$(of_events '.comm + ";" + (.stack | reverse | join(";"))' all | tr -d '"');kt_c [kcatch_test] 1" \
	"$(kcatch report cut --format folded)"
check_equal 'nothing was cut of the arguments' \
	"$(of_events '[.args_cut, .args_unreadable, .args_bytes]' all)" '[[],[],[]]'

# Calls that have not returned: to read them changes no counter.
record_begin -o unreturned -f do_nanosleep
sleep 1000 &
sleeper=$!
sleeps_below $sleeper nanosleep
kill -INT $recorder
record_end
kill $sleeper
kcatch report unreturned --format rows >all
check_equal 'of a call that did not return: status 0' $? 0
check_equal 'of a call that did not return: the probe has the counters of the session' \
	"$(jq -c 'select(.scope == "probe") | [.hits, .recorded, .in_flight]' all)" \
	"$(jq -c 'select(.scope == "session") | [.hits, .recorded, .in_flight]' all)"

# A ring that holds a few and a reader that stands still
catch_begin --format rows -n 0 -t 300 --size 8K kt_hammered
stand_still $kcatch
order 'hammer 3000'
kill -CONT $kcatch
kill -INT $kcatch
catch_end
lost=$(final 'select(.scope == "session") | .lost' out)
check_equal 'something lost: status 3' "$status" 3
check_equal 'lost and shown together are all calls' \
	"$((lost + $(grep -c '"row":"event"' out)))" "$(module_value hammer.total)"
check_equal 'what the probe lost is what the CPUs lost' \
	"$(final 'select(.scope == "cpu") | .lost' out | jq -s add)" \
	"$(final 'select(.scope == "probe") | .lost' out)"

# usage: refused TEXT PATTERN ARGUMENT...
refused() {
	kcatch "${@:3}" kt_c >out 2>err
	check_equal "$1: status 1" $? 1
	check_match "$1: says why" "$(cat err)" "$2"
}
refused 'a tree' 'row for each call' --tree --format rows
refused 'JSON and rows' 'choose one' --json --format rows
refused 'another format' 'text, json and rows' --format csv
