# SPDX-License-Identifier: GPL-2.0-or-later
# Description: --with-cgroup: each call with the cgroup of its thread, of functions with and without
# arguments and of tracepoints, live and in recordings: by path, of later cgroups and of one that
# has gone, in every text, as a condition over a recording, and for babeltrace2.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

root=/sys/fs/cgroup
[ -e $root/cgroup.procs ] || skip_all 'no cgroup2 file system'
mkdir -p $root/kt_rec/inner
cleanup() { rmdir $root/kt_rec/later $root/kt_rec/inner $root/kt_rec; }
head -c 4200 /dev/zero >cgroup_me
mine='file->f_path.dentry->d_name.name == "cgroup_me"'

# usage: reads_in CGROUP NUMBER - reads of 10 bytes by a process in that cgroup
reads_in() {
	sh -c 'echo $$ >"$1/cgroup.procs" && exec dd if=cgroup_me of=/dev/null bs=10 count="$2"' \
		sh "$root$1" "$2" 2>/dev/null
}

# usage: paths EXPRESSION FILE - how many objects have which path
paths() {
	jq -r "select($1) | .cgroup" "$2" | sort | uniq -c | awk '{ print $2 $3 "=" $1 }' | xargs
}

# usage: recorded NAME ARGUMENT... - a recording of reads, also in a cgroup that has gone before
# they are written
recorded() {
	record_begin -o "$@"
	reads_in / 1
	reads_in /kt_rec 2
	reads_in /kt_rec/inner 4
	stand_still $recorder
	mkdir $root/kt_rec/later $root/kt_rec/gone
	reads_in /kt_rec/later 8
	gone=$(stat -c %i $root/kt_rec/gone)
	reads_in /kt_rec/gone 16
	wait_for rmdir $root/kt_rec/gone
	kill -CONT $recorder
	kill -INT $recorder
	record_end
	check_equal "$1: status 0" "$status" 0
	rmdir $root/kt_rec/later
}

expected() {
	echo "(cgroup$gone)=16 /=1 /kt_rec=2 /kt_rec/inner=4 /kt_rec/later=8"
}

recorded rec --with-cgroup -f vfs_read --filter "$mine"
kcatch report rec --format json >out.json
check_equal 'json: each call with its path' "$(paths .function out.json)" "$(expected)"
kcatch report rec --format rows >out.rows
check_equal 'rows: the same' "$(paths '.row == "event"' out.rows)" "$(expected)"
check_equal 'text: the path behind the process' \
	"$(kcatch report rec | grep -c ' dd [0-9]* /kt_rec/inner  vfs_read(')" 4
check_equal 'a column' "$(kcatch report rec --fields cgroup,event | sort | uniq -c | tr -s ' \t' ' ' |
	grep later)" ' 8 /kt_rec/later vfs_read'
check_equal 'arguments are as ever' \
	"$(jq -c 'select(.function) | .args | [keys_unsorted, .count]' out.json | sort -u)" \
	'[["file","buf","count","pos"],10]'
check_same_in_babeltrace rec
check_equal 'babeltrace2 has its number' \
	"$(grep -a -c " args = {.*cgroup = $(stat -c %i $root/kt_rec/inner)[,} ]" bt)" 4

# usage: filtered NUMBER FILTER
filtered() {
	check_equal "a condition: $2" \
		"$(kcatch report rec --filter "$2" --fields event 2>/dev/null | grep -c .)" "$1"
}
filtered 2 'cgroup == "/kt_rec"'
# Of one that has gone it is not known.
filtered 13 'cgroup != "/kt_rec"'
check_match 'how many were left out is said' \
	"$(kcatch report rec --filter 'cgroup != "/kt_rec"' --fields event 2>&1 >/dev/null)" '16'
filtered 14 'cgroup ~ "/*"'
filtered 12 'cgroup ~ "/kt_rec/*"'
filtered 2 'cgroup == "/kt_rec/"'
filtered 4 'cgroup == "/sys/fs/cgroup//kt_rec/inner"'
filtered 12 'cgroup ~ "/sys/fs/cgroup/kt_rec/*"'
check_equal 'what is no path is refused' \
	"$(kcatch report rec --filter 'cgroup == "kt_rec"' 2>&1 | grep -c 'begins at the root')" 1
filtered 16 "cgroup == $gone"

recorded bare --with-cgroup --no-args --entry -f vfs_read --filter "$mine"
kcatch report bare --format json >out.json
check_equal 'without arguments: the same' "$(paths .function out.json)" "$(expected)"
check_same_in_babeltrace bare

for stack in '' --stack; do
	record_begin -o "event$stack" --with-cgroup $stack -e sched:sched_process_exit
	reads_in /kt_rec/inner 1
	kill -INT $recorder
	record_end
	kcatch report "event$stack" --format json >out.json
	check_match "a tracepoint${stack:+ with its stack}" \
		"$(jq -r 'select(.event) | "\(.comm // .args.p) \(.cgroup)"' out.json)" '/kt_rec/inner'
	check_same_in_babeltrace "event$stack"
done

recorded without -f vfs_read --filter "$mine"
check_equal 'without the option: rows say null' \
	"$(kcatch report without --format rows | paths '.row == "event"' /dev/stdin)" 'null=31'
check_equal 'and no other text has it' "$(kcatch report without | grep -c kt_rec)" 0
kcatch report without --filter 'cgroup == "/kt_rec"' >out 2>err
check_equal 'and a condition is refused' $? 1
check_match 'with what to do' "$(cat err)" 'record with --with-cgroup'

for format in 'rows' 'json --with-cgroup' 'text --with-cgroup'; do
	# shellcheck disable=SC2086
	kcatch -n 2 vfs_read "$mine" --format $format >out 2>err &
	catcher=$!
	wait_for counts_or_ended $catcher
	reads_in /kt_rec/inner 2
	wait $catcher
	check_equal "live, $format: status 0" $? 0
	check_equal "live, $format: its path" "$(grep -c '/kt_rec/inner' out)" 2
done

for option in '' --stack; do
	# shellcheck disable=SC2086
	kcatch -e sched:sched_process_exit $option --with-cgroup 'comm == "sh"' >out 2>err &
	catcher=$!
	wait_for counts_or_ended $catcher
	sh -c 'echo $$ >"$1/cgroup.procs"' sh $root/kt_rec/inner
	wait $catcher
	check_match "live, an event${option:+ with its stack}: the path behind the thread" \
		"$(cat out)" '/[0-9]+  cgroup /kt_rec/inner  sched:sched_process_exit  '
done

# Without CAP_DAC_READ_SEARCH, as in a service, all cgroups are looked at. Whoever makes many and
# deletes them again does not make the recorder do so for each. The watcher counts how often the
# directory of one is opened, until its input ends.
cat >watcher.py <<'EOF'
import ctypes, os, struct, sys
libc = ctypes.CDLL(None)
watch = libc.inotify_init1(os.O_NONBLOCK)
libc.inotify_add_watch(watch, sys.argv[1].encode(), 0x30)	# closes, too: equal events merge
print("ready", flush=True)
sys.stdin.read()
opened = 0
try:
    while True:
        events = os.read(watch, 65536)
        while events:
            _, mask, _, length = struct.unpack("iIII", events[:16])
            opened += mask & 0x40000020 == 0x40000020 and not length
            events = events[16 + length:]
except BlockingIOError:
    print(opened)
EOF
rm -f err
setpriv --bounding-set=-dac_read_search kcatch record -o bounded --with-cgroup -f vfs_read \
	--filter "$mine" 2>err &
recorder=$!
wait_for holds '^kcatch: recording' err
stand_still $recorder
for ((i = 0; i < 40; i++)); do
	mkdir $root/kt_rec/gone
	reads_in /kt_rec/gone 1
	wait_for rmdir $root/kt_rec/gone
done
mkdir $root/kt_rec/later
reads_in /kt_rec/later 8
mkfifo end
python3 watcher.py $root/kt_rec/inner <end >opens &
watcher=$!
exec 7>end
wait_for grep -q ready opens
kill -CONT $recorder
kill -INT $recorder
record_end
exec 7>&-
wait $watcher
check_equal 'without CAP_DAC_READ_SEARCH: status 0' "$status" 0
check_match 'without it: all cgroups are looked at a few times' "$(tail -n 1 opens)" '^[1-9]$'
kcatch report bounded --format json >out.json
check_match 'without it: each call with its path' "$(paths .function out.json)" '/kt_rec/later=8'
check_equal 'without it: those that have gone have none' "$(grep -c '"cgroup":"(cgroup ' out.json)" 40
rmdir $root/kt_rec/later
