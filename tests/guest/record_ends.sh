# SPDX-License-Identifier: GPL-2.0-or-later
# Description: however a recorder ends (kill -9, a signal, a time limit, a full disk, the
# command's end), what was written can be read by kcatch and by babeltrace2.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
command -v babeltrace2 >/dev/null || skip_all 'no babeltrace2'
test_module

busy() {
	while :; do order 'hammer 10'; sleep 0.1; done
}

busy &
load=$!
record_begin -o killed -f kt_hammered --size 256K
# Not within the first packets, which are 16 KB.
wait_for eval '[ "$(cat killed/cpu* | wc -c)" -gt 60000 ]' 2>/dev/null
kill -9 $recorder
wait $recorder 2>/dev/null
check_same_in_babeltrace killed
check 'kill -9: what was written can be read' [ "$events" -gt 20 ]
check_match 'and it is known that it was killed' \
	"$(kcatch report killed --format stats 2>&1 | tail -n 5)" 'did not end cleanly'

record_begin -o term -f kt_hammered
order 'hammer 10'
kill -TERM $recorder
record_end
check_equal 'SIGTERM: status 0' "$status" 0
check_same_in_babeltrace term

timed() {
	rm -rf timed
	kcatch record -o timed -f kt_hammered -t 3 2>err
}
until_found timed
check_equal 'a time limit: status 0' $? 0
check_equal 'its counters are final' "$(head -n 1 timed/kcatch/counters | cut -d ' ' -f 2)" final

# A line that goes on in the next one would not be rewritten.
script -qec 'stty cols 30; kcatch record -o narrow -f kt_hammered -t 3' screen >/dev/null </dev/null
check_equal 'a narrow terminal: what it has done so far fits' \
	"$(tr '\r' '\n' <screen | sed -n 's/^\x1b\[K\([0-9]* s \)/\1/p' | awk 'length > 29 { l++ } END { print (NR > 0) l + 0 }')" \
	10

# A little more space than what stands beside the streams.
kill $load
wait $load 2>/dev/null
mkdir small
mount -t tmpfs -o size=$(($(du -sk timed/kcatch | cut -f 1) + 500))k none small
record_begin -o small/rec -f kt_hammered --stack --size 1M
order 'hammer 2000'
wait $recorder
check_equal 'a full disk: status 3' $? 3
check_match 'and says so' "$(cat err)" 'No space left'
check_same_in_babeltrace small/rec
check 'what was written before can be read' [ "$events" -gt 100 ]
check_equal 'what is in it is what it says' \
	"$(jq '.summary.recorded // empty' report.json)" "$events"
check_match 'what was caught and not written is counted' "$(cat err)" '[1-9][0-9]* hits.*could not be written'
umount small

mount -t tmpfs -o size=4k none small
kcatch record -o small/rec -f kt_hammered -t 1 2>err
check_equal 'a disk of 4 KB: status 1' $? 1
check_match 'and says why' "$(cat err)" 'No space left'
check_equal 'nothing is left behind' "$(ls -A small)" ''
umount small

record_begin -o gone -f kt_hammered
wait_for eval 'rm -rf gone 2>/dev/null; [ ! -e gone ]'	# it may be writing there
kill -INT $recorder
record_end
check_match 'a directory that is removed meanwhile: status 3, and it is said' "$status $err" '^3 .*gone. was removed'

mkdir full
touch full/file
kcatch record -o full -f kt_hammered -t 1 2>err
check_equal 'a directory with something in it: status 1' "$? $(grep -c 'not empty' err) $(ls full)" '1 1 file'
kcatch record -o none -f kt_hammered -- /no/such/command 2>err
check_equal 'a command that is not there: status 1' "$? $([ -e none ]; echo $?)" '1 1'
kcatch record -o none -f kt_no_such -t 1 2>err
check_equal 'a function that is not there: status 1' "$? $([ -e none ]; echo $?)" '1 1'
kcatch record -o nothing -f kt_late -t 0.2 2>err
check_equal 'nothing recorded: status 2' $? 2
kcatch report nothing >out 2>&1
check_equal 'an empty recording is one' $? 2
babeltrace2 nothing >out 2>&1
check_equal 'for babeltrace2, too' "$? $(wc -c <out)" '0 0'

for bad in . /proc /etc/passwd /no/such; do
	kcatch report "$bad" >out 2>err
	check_equal "$bad is no recording: status 1" "$? $(wc -l <out)" '1 0'
done
