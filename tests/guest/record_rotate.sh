# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a recording in pieces: each is a recording of its own, all of them together have
# each call once and the kernel's counters; the oldest are removed; neither memory nor descriptors
# grow; kill -9 and a full disk leave what can be read.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
command -v babeltrace2 >/dev/null || skip_all 'no babeltrace2'
test_module
cleanup() { umount small; }

# usage: report RECORDING - its events to report.json; sets status, events, said
report() {
	kcatch report "$1" --format json >report.json 2>report.err
	status=$?
	events=$(grep -c '"function"' report.json)
	said=$(<report.err)
}

# usage: pieces RECORDING - their names, in order
pieces() {
	find "$1" -mindepth 1 -maxdepth 1 -name 'piece-*' -printf '%f\n' | sort
}

# usage: summed NAME - of the report that was read last
summed() {
	jq "select(.summary) | .summary.$1" report.json
}

# How often each CPU's thread made its calls 0, 1, 2...: "CALLS times AT_LEAST AT_MOST", of
# report.json. Calls of interrupts have other numbers.
repeated() {
	python3 - report.json <<'END'
import collections
import json
import sys
times = collections.Counter()
for line in open(sys.argv[1]):
    event = json.loads(line)
    if 'function' in event:
        number = next(iter(event['args'].values()))
        if number < 1 << 28:
            times[event['cpu'], number] += 1
print(len(times), 'times', min(times.values()), max(times.values()))
END
}

# usage: hammer TIMES CALLS - calls are added to $made
hammer() {
	local i
	for ((i = 0; i < $1; i++)); do
		order "hammer $2"
		made=$((made + $(module_value hammer.total)))
	done
}

# usage: refused TEXT MESSAGE OPTION...
refused() {
	local text=$1 message=$2
	shift 2
	kcatch record -f kt_hammered -o refused "$@" 2>err
	check_equal "$text: status 1, and nothing is made" "$? $([ -e refused ]; echo $?)" '1 1'
	check_match "$text: it is said why" "$(<err)" "$message"
}

# ---- what makes no sense

refused 'a number without a unit' 'a size or a time.*10M or 10s' --rotate 10
refused 'two times' 'a time is given twice' --rotate 1h --rotate 1M --rotate 2h
refused 'no time' 'size of a piece' --rotate 0s
refused 'a size of which nothing fits' '256K' --rotate 1K
refused 'a fraction' 'size of a piece' --rotate 1.5h
refused 'another unit' 'size of a piece' --rotate 10x
refused 'a word' 'size of a piece' --rotate daily
refused 'a time of centuries' 'size of a piece' --rotate 99999d
refused 'pieces to keep, without pieces' '--rotate' --keep 3
refused 'the one that is written alone' 'one that is being written' --rotate 1M --keep 1
refused 'a flight recorder' 'flight recorder' --rotate 1M --flight
refused 'a recording that ends before' 'ends before' --rotate 1m -t 60

# ---- all of it, and each piece

cpus=$(nproc)
made=0
record_begin -o all -f kt_hammered --rotate 512K
hammer 10 1000
kill -INT $recorder
record_end
nr=$(pieces all | wc -l)
check_match 'it ends with status 0 and says how many pieces there are' "$status $err" \
	"^0 .*$made recorded, .* in .all.: $nr pieces"
check "there are many ($nr)" [ "$nr" -ge 6 ]
check_equal 'their names have an order' "$(pieces all | sed -n '1p;$p' | xargs)" \
	"piece-00000001 $(printf 'piece-%08u' "$nr")"
report all
check_equal 'read as one: status 0, and nothing is said' "$status $said" '0 '
check_equal 'all calls are in it' "$events" "$made"
check_equal 'each of them once' "$(repeated)" "$((1000 * cpus)) times 10 10"
check_equal 'and the counters are those of all' \
	"$(summed hits) $(summed recorded) $(summed lost) $(summed missing) $(summed damaged)" \
	"$made $made 0 0 0"
check_equal 'kcatch count -i counts as many' \
	"$(kcatch count -i all --json 2>/dev/null | jq -s 'map(select(.summary))[0].summary.hits')" \
	"$made"
for format in text rows tree folded flame html perfetto pprof stats; do
	kcatch report all --format $format -o out.$format 2>err
	check_equal "format $format: status 0" "$? $(<err)" '0 '
done

sum=0 recorded=0 hits=0 bad=
for piece in all/*; do
	report "$piece"
	sum=$((sum + events))
	recorded=$((recorded + $(summed recorded)))
	hits=$((hits + $(summed hits)))
	# The last one may have begun when there were no more calls.
	[ "$status" = 0 ] || [ "$status $events" = '2 0' ] || bad+=" $piece: $status $said"
	[ "$events $(summed damaged)" = "$(summed recorded) 0" ] ||
		bad+=" $piece: $events events, $(summed recorded) counted"
	size=$(cat "$piece/cpu"* 2>/dev/null | wc -c)
	[ "$size" -le 3000000 ] || bad+=" $piece: $size bytes"
done
check_equal 'each piece can be read alone, and its counters are those of its records' "$bad" ''
check_equal 'together they are the whole' "$sum $recorded $hits" "$made $made $made"
check_same_in_babeltrace all/piece-00000002
check_match 'a piece says what it is' "$(kcatch report all/piece-00000002 2>&1 >/dev/null)" \
	'piece 2 of a recording: calls may begin or end in another one'
check_equal 'types and names are on the disk once' \
	"$(stat -c %h all/piece-00000001/kcatch/symbols)" "$nr"

cp -r all missing
rm -r missing/piece-00000003
report missing
check_match 'a piece is missing: status 3, and it is said' "$status $said" '^3 .*piece-00000003 is missing'
check_equal 'the others are read' "$events" \
	$((made - $(kcatch report all/piece-00000003 --format json 2>/dev/null | grep -c '"function"')))

# A call that is in two pieces.
record_begin -o long -f hrtimer_nanosleep --rotate 1s -- sleep 4.6
record_end
check "time makes pieces, too" [ "$(pieces long | wc -l)" -ge 3 ]
report long
check_equal 'a call that began in another piece than it returned in is whole' \
	"$(jq -c 'select(.function) | [.ret, .latency_ns >= 4600000000]' report.json)" '[0,true]'
report long/piece-00000001
check_equal 'in its piece alone it has not returned' \
	"$(jq -c 'select(.function) | has("ret")' report.json)" false
report long/piece-00000003
check_equal 'and what has its return alone has no call' \
	"$events $(summed damaged)" '0 0'

# ---- the last ones

# usage: held - memory in KB and descriptors of the recorder
held() {
	echo "$(awk '/VmRSS/ { print $2 }' /proc/$recorder/status) $(find "/proc/$recorder/fd" -type l | wc -l)"
}
newest() {
	pieces last | tail -n 1 | sed 's/.*-0*//'
}
has_come_to() {
	hammer 1 1000
	[ "$(newest)" -ge "$1" ]
}
made=0
record_begin -o last -f kt_hammered --rotate 512K --rotate 1d --keep 3
wait_for has_come_to 6
before=$(held)
wait_for has_come_to 24
after=$(held)
most=$(du -s -k last | cut -f 1)
kill -INT $recorder
record_end
number=$(newest)
check_match 'what it will do was said' "$err" \
	'a new piece begins after 512 KB or 86400 s; the last 3 are kept'
check_match 'the last are kept' "$status $err" \
	"^0 .*$made recorded, .* in .last.: the last 3 of $number pieces"
check_equal 'so many are there' "$(find last -mindepth 1 -maxdepth 1 | wc -l)" 3
check "and take no more than these ($most KB)" [ "$most" -le $((4 * 1024 + 20 * 1024)) ]
# It opens some files for a moment each second; one that a piece leaves open would be eighteen.
check "no descriptor is left open (${before#* }, ${after#* })" \
	[ "${after#* }" -le $((${before#* } + 4)) ]
check "memory does not grow (${before% *} KB, ${after% *} KB)" \
	[ "${after% *}" -le $((${before% *} + 512)) ]
report last
check_equal 'what is there can be read' "$status $(summed damaged) $(summed missing)" '0 0 0'
check_match 'how many were removed is said' "$said" \
	"$((number - 3)) earlier pieces were removed, with [0-9]+ recorded events"
removed=${said##*with }
check_equal 'with their calls: together they are all' $((events + ${removed%% *})) "$made"
check_equal 'of what is there the counters agree' "$(summed hits) $(summed recorded)" "$events $events"

# ---- what comes in between

# Pieces all the time, until it dies.
bad=
for ((round = 0; round < 2; round++)); do
	rm -rf killed
	made=0
	record_begin -o killed -f kt_hammered --rotate 256K --keep 4
	(while order 'hammer 400'; do :; done) 2>/dev/null &
	hammering=$!
	sleep 1.$((RANDOM % 1000))
	kill -KILL $recorder
	kill $hammering
	wait $recorder $hammering 2>/dev/null
	report killed
	[ "$events" -gt 0 ] && [ "$(summed damaged) $(summed missing)" = '0 0' ] ||
		bad+=" whole: $status $events $said"
	all=$events sum=0
	for piece in killed/*; do
		report "$piece"
		sum=$((sum + events))
		[ "$(summed damaged)" = 0 ] || bad+=" $piece: $said"
	done
	[ "$sum" = "$all" ] || bad+=" $sum in pieces, $all as one"
	[ "$(pieces killed | wc -l)" -le 5 ] || bad+=" $(pieces killed | wc -l) pieces"
done
check_equal 'killed at any moment: all is readable, as one and piece by piece' "$bad" ''

# A disk that is full when a piece is to begin.
mkdir small
mount -t tmpfs -o size=16M,mode=755 none small
made=0
record_begin -o small/full -f kt_hammered --rotate 1M
until ! kill -0 $recorder 2>/dev/null || [ "$made" -gt 1000000 ]; do
	hammer 1 1000
done
record_end
check_match 'a full disk: status 3, and it is said' "$status $err" '^3 .*No space left on device'
report small/full
check_match 'what was written can be read' "$status $(summed damaged) $(summed missing)" '^[03] 0 0'
check_equal 'and what was not is lost' "$events $(($(summed recorded) + $(summed lost)))" \
	"$(summed recorded) $(summed hits)"
check_equal 'nothing half is left' "$(find small/full -name '.*')" ''
