# SPDX-License-Identifier: GPL-2.0-or-later
# Description: what a flight recorder caught is not lost: what stands in its way is said at the
# start; what comes in its way later makes it write elsewhere, or stay until it can write.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
command -v babeltrace2 >/dev/null || skip_all 'no babeltrace2'
test_module
trigger='kt_hammered arg0 == 200'
cleanup() { umount small; [ ! "${listener-}" ] || kill "$listener"; }

# Is the call with this argument in report.json? Other CPUs may have made later ones.
frozen_by() {
	jq -s "map(select(.function) | .args | to_entries[0].value) | any(. == $1)" report.json
}

# usage: refused TEXT DIRECTORY MESSAGE
refused() {
	kcatch record --freeze-on "$trigger" -o "$2" -f kt_hammered -t 1 2>err
	check_equal "$1: status 1" $? 1
	check_match 'and says why' "$(cat err)" "$3"
	check_no_match 'before anything is armed' "$(cat err)" 'kcatch: recording'
}

mkdir full other open link
touch full/file
chown 1234 other
chmod 777 open
ln -s /nowhere/else link/cpu0
ln -s nowhere dangling
touch file
refused 'a directory with something in it' full 'full. is there and not empty'
refused 'no directory to hold it' no/such 'No such file'
refused 'a file' file 'Not a directory'
refused 'a directory of another user' other 'belongs to another user .1234'
refused 'one that all can write to' open 'other users can write'
refused 'one with a link in it' link 'not empty'
refused 'a link to nothing' dangling 'No such file'
check_equal 'nothing was changed' "$(ls full other open) $(readlink link/cpu0) $(ls -A link)" \
	"$(printf 'full:\nfile\n\nopen:\n\nother:') /nowhere/else cpu0"
mkdir small
mount -t tmpfs -o size=64M,mode=755 none small
mount -o remount,ro small
refused 'a disk that is read-only' small/rec 'Read-only'
umount small
kcatch record -o other -f kt_hammered -t 1 2>err
check_match 'a recorder that is none of a flight refuses alike' "$? $(cat err)" '^1 .*another user'
kcatch record --freeze-on "$trigger" -o none -f kt_no_such -t 1 2>err
check_equal 'it could not begin: nothing is left behind' "$? $([ -e none ]; echo $?)" '1 1'

# Something comes in its way meanwhile.
record_begin --freeze-on "$trigger" -f kt_hammered -o busy --size 64K
check_equal 'the directory is there from the start' "$(stat -c '%a %U' busy)" '700 root'
touch busy/file
order 'hammer 400'
record_end
check_match 'something came into it: the next name is taken' "$status $err" '^[03] .*in .busy.1.'
check_equal 'and what came is let alone' "$(ls busy)" file
check_same_in_babeltrace busy.1
check_equal 'the call that froze it is in it' "$(frozen_by 200)" true

record_begin --freeze-on "$trigger" -f kt_hammered -o gone --size 64K
rmdir gone
order 'hammer 400'
record_end
check_match 'it was removed: it is made again' "$status $err" '^[03] .*in .gone.'
check_equal 'and is whole' "$(head -n 1 gone/kcatch/counters | cut -d ' ' -f 2)" final

# Freeze after freeze; in make check, which sets the rounds of other tests, fewer.
last=.9
[ ! "${KT_ROUNDS-}" ] || last=.3
# The slash is no part of the name.
kcatch record --again --detach --name box --freeze-on "$trigger" \
	-f kt_hammered -o again/ --size 64K 2>err
check_equal '--again: status 0' $? 0
for number in '' .1 .2 .3 .4 .5 .6 .7 .8 .9; do
	directory=again$number
	order 'hammer 400'
	wait_for grep -qs final $directory/kcatch/counters
	wait_for eval '[ "$(kcatch sessions --json | jq -r .state)" = flight ]'
	case $number in
	'' | "$last")
		check_same_in_babeltrace $directory
		check "$directory: a freeze has a directory of its own" [ "$events" -gt 100 ]
		;;
	esac
	[ "$number" != $last ] || break
done
check_equal 'each freeze has a directory' "$(find . -maxdepth 1 -name 'again*' | wc -l)" \
	$((${last#.} + 1))
kcatch sessions --stop box 2>err
wait_for eval '! kcatch sessions >/dev/null 2>&1'
kcatch record --again -f kt_hammered 2>err
check_match '--again without --freeze-on is refused' "$? $(cat err)" '^1 .*--freeze-on'

# No file may grow as far as a recorder's do: what is written at the end is too large.
record_begin -f kt_hammered -o limited
prlimit --pid $recorder --fsize=3000000
order 'hammer 50'
record_end
check_match 'a limit of the size of files: status 3, and it is said' "$status $err" \
	'^3 .*limited.*File too large'
record_begin --freeze-on "$trigger" -f kt_hammered -o limited.flight --size 64K
prlimit --pid $recorder --fsize=3000000
order 'hammer 400'
wait_for grep -q 'kept in memory' err
prlimit --pid $recorder --fsize=unlimited
record_end
check_match 'a flight recorder keeps its records until the limit is raised' "$status $err" \
	'^[03] .*File too large.*[1-9][0-9]* recorded, .*in .limited.flight'
ignored=$(kcatch record -f kt_c -o command -- sed -n 's/^SigIgn:\t//p' /proc/self/status 2>err)
check 'a traced command does not ignore the signal' [ $((0x$ignored >> 24 & 1)) = 0 ]

# In the background, and the disk is full: room for all but the records, and for all.
beside=$(du -sk gone/kcatch | cut -f 1)
python3 "$KT_TOP/tests/guest/support/log_listener.py" >log &
listener=$!
wait_for grep -q ready log
mount -t tmpfs -o size=$((beside * 2 + 100))k,mode=755 none small
kcatch record --detach --name box --freeze-on "$trigger" -f kt_hammered -o small/rec 2>err
check_equal 'in the background: status 0' $? 0
dd if=/dev/zero of=small/fill bs=1k count=$((beside * 2 - 40)) 2>/dev/null
order 'hammer 400'
wait_for eval 'kcatch sessions --json | jq -e .reason >/dev/null'
check_match 'a full disk: it stays, and kcatch sessions has the reason' \
	"$(kcatch sessions --json | jq -r '.state + ": " + .reason')" \
	'^frozen by kcatch_test:kt_hammered: .*No space left'
check_match 'for people, too' "$(kcatch sessions)" 'not written: .*No space left'
check_match 'so has the system log' "$(grep box log)" '<27>.*kcatch.*recorder box: .*No space left'
check_equal 'of a recording without records nothing is left behind' "$(ls -A small/rec)" ''
kcatch snapshot box -o small/two 2>err
check_match 'a snapshot to the same disk fails, too' "$? $(cat err)" '^1 .*No space left'
kcatch snapshot box -o elsewhere 2>err
check_equal 'one to another is written: status 0' $? 0
wait_for eval '! kcatch sessions >/dev/null 2>&1'
check_same_in_babeltrace elsewhere
check_equal 'and is the whole capture' "$(frozen_by 200)" true
check_unhooked 'then it ends'
umount small

# The same in the foreground, and somebody ends it: its records are lost, and counted.
mount -t tmpfs -o size=$((beside * 2 + 100))k,mode=755 none small
dd if=/dev/zero of=small/fill bs=1k count=$((beside * 2 - 40)) 2>/dev/null
for again in '' --again; do
	record_begin $again --freeze-on "$trigger" -f kt_hammered -o small/rec
	order 'hammer 400'
	wait_for grep -q 'kept in memory' err
	kill -TERM $recorder
	record_end
	check_match "ended with a full disk${again:+, $again}: status 3, and what was lost" \
		"$status $err" '^3 .*given up: .*No space left.*[1-9][0-9]* recorded, nothing of it was written'
done
umount small

# Room for some of the records; and then for all.
mount -t tmpfs -o size=$((beside + 300))k,mode=755 none small
kcatch record --detach --name box --freeze-on 'kt_hammered arg0 == 9000' -f kt_hammered \
	--size 512K -o small/rec 2>err
order 'hammer 10000'
wait_for eval 'kcatch sessions --json | jq -e .reason >/dev/null'
kcatch report small/rec --format stats >out 2>&1
check_match 'what found room is kept, and it is said that it is not all' "$(cat out)" \
	'did not end cleanly'
check_same_in_babeltrace small/rec
check 'and can be read' [ "$events" -gt 50 ]
mount -o remount,size=96M small
wait_for eval '! kcatch sessions >/dev/null 2>&1'
check_same_in_babeltrace small/rec.1
check_equal 'room was made: by itself it writes all of it' "$(frozen_by 9000)" true
check_match 'and says so in the system log' "$(grep box log | tail -n 1)" 'written to .*small/rec.1'
umount small

# Killed while it writes, and not within the first packet. It goes on for milliseconds at a time
# from where it has begun to write, so that it cannot come to its end between two looks.
record_begin --freeze-on 'kt_hammered arg0 == 29000' -f kt_hammered -o killed --size 4M
order 'hammer 30000'
end=$((SECONDS + 300))
until compgen -G 'killed/cpu*' >/dev/null || [ $SECONDS -ge $end ]; do pause 0.002; done
until kill -STOP $recorder
	[ "$(find killed -name 'cpu*' -size +1000k)" ] || [ $SECONDS -ge $end ]; do
	kill -CONT $recorder
	pause 0.002
done
kill -9 $recorder
wait $recorder 2>/dev/null
check_match 'killed while it writes: it had not come to its end' \
	"$(cat killed/kcatch/counters)" running
check_same_in_babeltrace killed
check 'what was written can be read' [ "$events" -gt 10 ]

# Questions that no kcatch asks, and a recorder that is stopped.
kcatch record --flight --detach --name box -f kt_c 2>err
kcatch record --flight --detach --name other -f kt_c 2>err
pid=$(kcatch sessions --json | jq 'select(.name == "box").pid')
cat >lines <<'END'
{"do":null}
{"do":{}}
{"do":"snapshot"}
{"do":"snapshot","directory":null}
{"do":"snapshot","directory":{}}
{"do":"snapshot","directory":""}
{"do":"snapshot","directory":"here"}
{"do":"snapshot","directory":"/no/such/directory"}
{"do":"stop\u0000"}
[]
null

{"do":
END
python3 "$KT_TOP/tests/guest/support/ask_recorder.py" /run/kcatch/box.sock <lines >answers
check_equal 'each of them gets an error' "$(jq -r 'has("error")' answers | sort | uniq -c | tr -s ' ')" \
	" $(wc -l <lines) true"
check_equal 'and the recorder goes on' "$(kcatch sessions --json |
	jq -r 'select(.name == "box").state')" flight
stand_still "$pid"
kcatch sessions >out 2>err
check_equal 'one is stopped: the others are listed' "$? $(grep -c 'other .*flight' out)" '0 1'
check_match 'and it is said of which one' "$(grep '^box' out)" "^box *$pid .*does not answer"
kcatch sessions --stop other 2>err
wait_for eval '[ "$(kcatch sessions --json | jq -r .name)" = box ]'
kcatch snapshot 2>err
check_match 'it is the only one: a copy says that it does not answer' "$? $(cat err)" \
	"^1 .*recorder 'box' does not answer"
kill -CONT "$pid"
kcatch sessions --stop box 2>err
wait_for eval '! kcatch sessions >/dev/null 2>&1'
