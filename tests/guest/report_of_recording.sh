# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a recording of known calls, in every form kcatch report has: the same number
# of events in each, losses told with status 3, and clear words for what is no recording.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

kcatch record -o rec -f kt_c --stack -t 300 >record.log 2>&1 &
recorder=$!
wait_for grep -q recording record.log
for _ in 1 2 3 4 5; do order 'process chain'; done
kill -INT $recorder
wait $recorder
calls=5

kcatch report rec >text 2>err
check_equal 'text: status 0' $? 0
check_equal 'text: a line for each call' "$(grep -c 'kt_c' text)" $calls
check_equal 'text: its stack below' "$(grep -c '^    kt_b+' text)" $calls
check_equal 'fields: those asked for' \
	"$(kcatch report rec --fields event,comm,caller | sort | uniq -c | tr -s ' ')" \
	" $calls kt_c [kcatch_test]	bash	kt_b"
check_equal 'json: whole objects' "$(kcatch report rec --format json | jq -r 'select(.function) | .function' | sort | uniq -c | tr -s ' ')" \
	" $calls kt_c"
check_equal 'json: a summary that adds up' "$(kcatch report rec --format json | jq -c 'select(.summary) | .summary |
	[.recorded, .lost, .hits > 0 and .hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost]')" "[$calls,0,true]"
check_match 'tree: callers upward' "$(kcatch report rec --format tree)" "kt_c \[kcatch_test\].*kt_b \[kcatch_test\].*kt_a"
check_match 'tree: callees downward' "$(kcatch report rec --format tree --callees)" "kt_a .*kt_b .*kt_c "
folded=$(kcatch report rec --format folded)
check_match 'folded: outermost first' "$folded" ';kt_a \[kcatch_test\];kt_b \[kcatch_test\];kt_c \[kcatch_test\] [0-9]'
check_equal 'folded: all calls' "$(awk '{ sum += $NF } END { print sum }' <<<"$folded")" $calls
check_match 'stats: the count' "$(kcatch report rec --format stats)" "$calls  .*kt_c \[kcatch_test\]"
kcatch report rec --format flame -o flame.svg
check_match 'flame: the function' "$(cat flame.svg)" "data-n=\"kt_c \[kcatch_test\]\".*kt_c \[kcatch_test\]: $calls events"
check_equal 'a file of a report is private' \
	"$(umask 0; kcatch report rec -o private; stat -c %a private)" 600
before=$(cat rec/metadata rec/kcatch/session.json | sha1sum)
ln -s rec/metadata link_into
for file in rec/metadata rec/new rec/kcatch/session.json ./rec/../rec/new link_into; do
	kcatch report rec -o $file >/dev/null 2>err
	check_equal "-o $file: status 1" $? 1
	check_match "-o $file: says why" "$(cat err)" 'cannot be a file of the recording'
done
check_equal 'refused: the recording is as it was' \
	"$(cat rec/metadata rec/kcatch/session.json | sha1sum) $(ls rec/new 2>/dev/null)" "$before "
kcatch report rec --format html -o page.html
check_match 'html: the events' "$(cat page.html)" "\"reported\":$calls,"
kcatch report rec --format pprof -o profile.gz
check 'pprof: gzip' gzip -t profile.gz
check_match 'pprof: the function' "$(zcat profile.gz | tr -d '\0')" 'kt_c'
kcatch report rec --format perfetto -o trace.pf
check_match 'perfetto: the function' "$(tr -d '\0' <trace.pf)" 'kt_c'

check_equal 'filter: an expression' \
	"$(kcatch report rec --format folded --filter 'cpu < 1000 && comm == "bash"' | wc -l)" 1
kcatch report rec -e 'nothing_*' >out 2>err
check_equal 'filter: nothing met: status 2' $? 2
check_match 'filter: and says so' "$(cat err)" "none of the $calls events"
kcatch report rec --format bmp >out 2>err
check_equal 'no such format: status 1' $? 1
check_match 'no such format: those there are' "$(cat err)" "no format 'bmp'.*perfetto.*stats"
kcatch report /proc >out 2>err
check_equal 'no recording: status 1' $? 1
check_match 'no recording: says so' "$(cat err)" 'no recording'
kcatch report rec --fields time,nonsense >out 2>err
check_match 'a wrong field: those there are' "$(cat err)" 'latency caller stack'
kcatch report rec --fields time,cpu,time >out 2>err
check_equal 'a field twice: status 1' $? 1
check_match 'a field twice: says so' "$(cat err)" 'give each column once'
kcatch report rec >/dev/full 2>err
check_equal 'a full disk: status 1' $? 1
check_match 'a full disk: says so' "$(cat err)" 'No space left'

# A ring that holds a few, and a recorder that stands still.
rm -f record.log
kcatch record -o lossy -f kt_hammered --size 8K -t 300 >record.log 2>&1 &
recorder=$!
wait_for grep -q recording record.log
stand_still $recorder
order 'hammer 3000'
kill -CONT $recorder
kill -INT $recorder
wait $recorder
kcatch report lossy --format stats >out 2>err
check_equal 'something lost: status 3' $? 3
check_match 'something lost: in the report' "$(cat out)" 'lost: [0-9]+ events \(the ring was full\)'
check_match 'something lost: by function' "$(cat out)" '  kt_hammered .*: hits'
lost=$(kcatch report lossy --format json 2>/dev/null | jq 'select(.summary) | .summary.lost')
check_equal 'lost and reported together are all calls' \
	"$((lost + $(kcatch report lossy --fields time 2>/dev/null | wc -l)))" "$(module_value hammer.total)"

# Interrupted while its reader stands still, before the 4,096th event.
rm -f record.log
kcatch record -o long -f kt_hammered -t 300 >record.log 2>&1 &
recorder=$!
wait_for grep -q recording record.log
order 'hammer 6000'
kill -INT $recorder
wait $recorder
mkfifo slow
kcatch report long >slow 2>err &
report=$!
exec 5<slow
read -r _ <&5
kill -INT $report
cat <&5 >rest
exec 5<&-
wait $report
check_equal 'interrupted: status 1' $? 1
check_match 'interrupted: says of how much it is' "$(cat err)" 'interrupted.*the first 4096 events'

# What a page says of the events that it has not, as its script does: tests/browser has the script.
kcatch report long --format html --rows 100 -e 'kt_*' --filter 'pid > 0' -o part.html
check_equal 'html: a table of less than all: status 0' $? 0
sed -n '/^var data = {/,/;$/{ s/^var data = //; s/;$//; p }' part.html >part.json
calls=$(kcatch report long --filter 'pid > 0' --fields time | wc -l)
check_equal 'html: all events are counted' \
	"$(jq -c '[.reported, (.all.rows[0].spans | add)]' part.json)" "[$calls,$calls]"
check_equal 'html: some are in the table' \
	"$(jq '.rows | length | . >= 50 and . <= 100' part.json)" true
command=$(jq -r .command part.json)
check_equal 'html: the command for the rest' "$command" "kcatch report long -e 'kt_*' --filter 'pid > 0'"
check_equal 'html: shows all events' "$(eval "$command --fields time" | wc -l)" "$calls"
until=$(jq -r '(.start | sub("\\."; "") | tonumber) - .from + .all.from + .all.span * 128 |
	"\(. / 1000000000 | floor).\(tostring | .[-9:])"' part.json)
since=$(jq -r .start part.json)
check_equal 'html: shows those of a span' \
	"$(eval "$command --since $since --until $until --fields time" | wc -l)" \
	"$(jq '.all.rows[0].spans[:128] | add' part.json)"
