# SPDX-License-Identifier: GPL-2.0-or-later
# Description: who writes on a full disk says which file and why, and what stood there stays as it
# was, with its mode; what is no regular file is written as it is.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
cleanup() { umount small; }
kcatch record -f kt_c -o rec -- \
	bash -c "for i in {1..300}; do echo process chain >$orders; done" 2>err
check_equal 'a recording' $? 0

mkdir small
mount -t tmpfs -o size=64k none small
fill() { dd if=/dev/zero of=small/filler bs=1k 2>/dev/null; truncate -s -4096 small/filler; }
echo 'a good report' >small/report
chmod 640 small/report
fill

for format in text json rows stats tree folded flame html perfetto pprof; do
	kcatch report rec --format $format -o small/report >out 2>err
	status=$?
	# What is smaller than the page that is left is written, and then it is all there.
	if [ $status = 0 ]; then
		cmp -s small/report <(kcatch report rec --format $format 2>/dev/null)
		check_equal "$format: it was small enough, and is whole" $? 0
		rm small/report
		truncate -s 0 small/filler
		echo 'a good report' >small/report
		chmod 640 small/report
		fill
		continue
	fi
	check_match "$format: the file and the reason" "$status $(cat err)" \
		"^1 kcatch: cannot write '.*small/report': No space left on device\$"
	check_equal "$format: the old one is there, with its mode" \
		"$(cat small/report) $(stat -c %a small/report)" 'a good report 640'
	check_equal "$format: and nothing else" "$(ls -A small)" $'filler\nreport'
done
(ulimit -f 1; kcatch report rec --format json -o limited >out 2>err; echo $? >status)
check_match 'a limit of the file size' "$(cat status err)" \
	"^1.kcatch: cannot write '.*limited': File too large"
check 'and no file is left' [ ! -e limited ]

umount small
mount -t tmpfs -o size=8m none small
echo 'an older report' >small/report
chmod 604 small/report
ln -s report small/link
kcatch report rec -o small/link >out 2>err
check_equal 'with room: status' $? 0
check_equal 'a link stays one, and what it points to keeps its mode' \
	"$(readlink small/link) $(stat -c %a small/report)" 'report 604'
cmp small/report <(kcatch report rec 2>/dev/null)
check_equal 'and has the report' $? 0
kcatch report rec -o small/new >out 2>err
check_equal 'a new one is private' "$(stat -c %a small/new)" 600
check_equal 'nothing is left beside them' "$(ls -A small)" $'link\nnew\nreport'
kcatch report nothing -o small/new >out 2>err
check 'no recording: the old report stays' [ -s small/new ]
mkfifo pipe
cat pipe >piped &
kcatch report rec -o pipe 2>err
wait
cmp piped <(kcatch report rec 2>/dev/null)
check_equal 'a pipe is written, and is still one' "$? $(stat -c %F pipe)" '0 fifo'
kcatch report rec -o /dev/full >out 2>err
check_match 'a device is written: its error' "$? $(cat err)" \
	"^1 kcatch: cannot write '/dev/full': No space left on device"
check 'and is still one' [ -c /dev/full ]
kcatch report rec -o small/nowhere/file >out 2>err
check_match 'no such directory' "$? $(cat err)" "^1 kcatch: cannot write 'small/nowhere/file': No such file"

# What others print. Each is more than a page, so that stdio writes a part itself.
# usage: full WHAT ARG...
full() {
	local what=$1
	shift
	timeout 300 kcatch "$@" >/dev/full 2>err
	check_match "$what: the reason" "$? $(cat err)" '^1 .*cannot write to standard output: No space left on device'
}
full list list '*'
full check check
full 'count' count -i rec --by 'tid,time' --json
full 'count, the table' count -i rec --by 'time' --top 300
full 'report' report rec
full 'sessions' help record
full complete complete functions vfs_

# A directory that was to be made: what is there says what it is, and nothing else is touched.
umount small
mount -t tmpfs -o size=64k none small
fill
kcatch record -f kt_c -t 2 -o small/rec >out 2>err
check_match 'record: the place and the reason' "$? $(cat err)" '^[13] .*small/rec.*No space left on device'
record_begin --flight --name kt_full -f kt_c
kcatch snapshot kt_full -o small/snap >out 2>err
check_match 'snapshot: the place and the reason' "$? $(cat err)" '^1 .*small/snap.*No space left on device'
check 'snapshot: nothing is left' [ ! -e small/snap ]
kill -INT $recorder
record_end
cat >rules.conf <<END
kt_calls kt_c
END
echo 'old metrics' >small/kcatch.prom
rm -f err
kcatch metrics --rules rules.conf --textfile small/kcatch.prom -d 1 2>err &
metrics=$!
wait_for grep -q 'cannot write' err
check_match 'metrics: the file and the reason' "$(cat err)" "cannot write '.*small/kcatch.prom': No space left on device"
check_equal 'metrics: the old one is there' "$(cat small/kcatch.prom)" 'old metrics'
kill -INT $metrics
wait $metrics
check_unhooked 'nothing stays hooked'
