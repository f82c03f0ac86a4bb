# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch count counts a workload of known size by commands, texts, computed keys,
# return values and stacks, as ftrace's hist triggers do; shows a table, JSON or folded stacks;
# explains wrong keys; and its exit status says when keys found no room.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
head -c 4200 /dev/zero >count_me

# usage: counted WORKLOAD ARGUMENT... - counts while WORKLOAD runs; the output is in out and err
counted() {
	local workload=$1 counter
	shift
	kcatch count "$@" >out 2>err &
	counter=$!
	wait_for counts_or_ended $counter
	$workload
	kill -INT $counter 2>/dev/null
	wait $counter
}

# 300 reads of 7 bytes, 40 of 100 bytes
reads() {
	dd if=count_me of=/dev/null bs=7 count=300 2>/dev/null
	dd if=count_me of=/dev/null bs=100 count=40 2>/dev/null
}

# usage: has TEXT LINE... - the lines are in out
has() {
	local text=$1 line
	shift
	for line; do
		grep -qF -- "$line" out && continue
		fail "$text" "missing: $line" "$(cat out err)"
		return
	done
	pass "$text"
}

name=file-\>f_path.dentry-\>d_name.name
counted reads vfs_read "$name == \"count_me\"" --by "comm,$name,ret" --json
check_equal 'texts and return values: status 0' $? 0
has 'texts and return values: each key has its count' \
	'{"key":{"comm":"dd","'"$name"'":"count_me","ret":7},"count":300}' \
	'{"key":{"comm":"dd","'"$name"'":"count_me","ret":100},"count":40}' '"counted":340,'
check_match 'the equation is in the summary' "$(tail -n 1 out)" \
	'"hits":[0-9]+,"counted":340,"filtered":[0-9]+,"over_budget":0,"undecided":0,"missed":0,"overflowed":0'

# Several functions: a row for each, and their sum; of one function there is nothing to add up.
writes() {
	dd if=/dev/zero of=/dev/null bs=7 count=11 status=none
}
counted writes vfs_read vfs_write -c dd --json
has 'two functions: a row for each' '{"key":{"function":"vfs_write"},"count":11}'
check_equal 'two functions: no other row' "$(grep -c '^{"key":{"function":' out)" 2
counted writes vfs_read vfs_write -c dd
check_match 'a table of two functions: their sum is the last line' "$(tail -n 1 out)" \
	'^ +[0-9]+ in all$'
check_equal 'a table of two functions: the sum is theirs' \
	"$(awk '/ vfs_/ { sum += $1 } / in all$/ { all = $1 } END { print all - sum }' out)" 0
counted writes 'vfs_writ[e]' -c dd --json
has 'a pattern: its functions by name' '{"key":{"function":"vfs_write"},"count":11}'
counted writes vfs_write -e sched:sched_process_exit -c dd --json
has 'a function and an event: a row for each' '{"key":{"function":"vfs_write"},"count":11}' \
	'{"key":{"function":"sched:sched_process_exit"},'
counted writes vfs_write vfs_read --by comm -c dd --json
check_equal 'a key that is given is the only one' "$(jq -c '.key // empty' out)" '{"comm":"dd"}'
counted writes vfs_write -c dd
check_no_match 'one function: no sum' "$(cat out)" 'in all|vfs_write'

# One of them returns a char *, several nothing.
counted reads 'vfs_*' --by function,ret --json
has 'returned texts are addresses, and what returns nothing is left out' '{"key":{"function":"vfs_read","ret":7},'
check_match 'what is left out is said' "$(cat err)" \
	'^kcatch: [1-9][0-9]* that match were left out: the condition, a key or a value does not apply'

counted reads vfs_read "$name == \"count_me\"" --by 'count / 8' --json
has 'a key that is computed' '{"key":{"count / 8":12},"count":40}' \
	'{"key":{"count / 8":0},"count":300}'

counted reads vfs_read "$name == \"count_me\"" --stats ret --hist ret --json
has 'values: sum, minimum, maximum, and each bucket' \
	'"sum":6100,"min":7,"max":100' '"hist":[[7,7,300],[96,103,40]]'

counted reads vfs_read "$name == \"count_me\"" --stats latency --hist ret
has 'a histogram has no unit because other values are times' \
	'  4 .. 7                   300 |####################' '  64 .. 127                  40 |###'
check_equal 'a histogram: powers of two, also those without values' \
	"$(sed -nE 's/^ +([0-9]+) \.\. ([0-9]+) +([0-9]+) \|#*$/\1-\2:\3/p' out | xargs)" \
	'4-7:300 8-15:0 16-31:0 32-63:0 64-127:40'
counted reads vfs_read "$name == \"count_me\"" --hist ret --fine
check_equal 'a fine histogram: eighths, and where some have no values' \
	"$(sed -nE 's/^ +([0-9]+) \.\. ([0-9]+) +([0-9]+) \|#*$/\1-\2:\3/p; s/^ +\.\.\.$/.../p' out | xargs)" \
	'7-7:300 ... 96-103:40'
counted reads vfs_read "$name == \"count_me\"" --hist '(ret - 7) * 1000000'
check_equal 'many buckets without values are one line' \
	"$(sed -nE 's/^ +([0-9]+) \.\. ([0-9]+) +([0-9]+) \|#*$/\1-\2:\3/p; s/^ +\.\.\.$/.../p' out | xargs)" \
	'0-0:300 ... 67108864-134217727:40'

counted reads vfs_read "$name == \"count_me\"" --stats 'count + 9007199254740993'
check_match 'large values are shown with all digits' "$(cat out)" \
	' 9007199254741000 +9007199254741093 '

# Times and sizes have units: the type or the event says that they are such.
counted reads vfs_read "$name == \"count_me\"" --hist '(ret - 6) * 4096'
check_match 'what is computed has no unit' "$(cat out)" ' 4096 \.\. 8191 +300 '
large() {
	dd if=/dev/zero of=/dev/null bs=4k count=3 status=none
	dd if=/dev/zero of=/dev/null bs=3M count=2 status=none
}
counted large vfs_read -c dd 'count >= 4096 && count != 832' --hist count
check_match 'sizes' "$(cat out)" $' 4K \\.\\. 8K-1 +[0-9]+ \\|#+\n.* 2M \\.\\. 4M-1 +2 '
check_match 'sizes: their sum has all digits' "$(cat out)" $' 3145728 +[0-9]+\n'
counted large vfs_read -c dd 'count >= 4096' --hist count --fine
check_match 'sizes in fine buckets' "$(cat out)" ' 4K \.\. 4607 .* 3M \.\. 3328K-1 +2 '
counted large vfs_read -c dd 'count >= 4096' --hist count --json
check_match 'sizes in JSON are numbers' "$(cat out)" '\[3145728,3407871,2\]'
counted large vfs_read vfs_write -c dd --by comm --hist latency --stats count
check_match 'a time of several functions' "$(cat out)" ' [0-9.]+ [mnu]?s \.\. [0-9.]+ [mnu]?s +[0-9]+ \|'

opens() { cat missing_file 2>/dev/null; }
counted opens "$(either do_filp_open do_file_open)" -c cat --by ret
check_match 'a pointer that is an error' "$(cat out)" $' -ENOENT(\n|$)'
counted opens do_sys_openat2 -c cat --by ret
check_match 'a returned number that is one' "$(cat out)" $' -ENOENT(\n|$)'

counted reads vfs_read "$name == \"count_me\"" --by 'caller,stack' --format folded
check_match 'folded: the caller, then the outermost frame first' "$(cat out)" \
	$'^ksys_read;[^\n]*do_syscall_64;[^\n]*ksys_read 340$'

counted reads vfs_read "$name == \"count_me\"" --by 'comm,stack' --format flame
check_match 'a flame graph: each frame has its calls' "$(cat out)" \
	'^<\?xml .*>dd: 340 events, 100.00 %<.*>ksys_read: 340 events, 100.00 %<'
check_match 'a flame graph: what was lost' "$(cat out)" '340 events in .* nothing was lost'

counted reads vfs_read "$name == \"count_me\"" --by 'comm,stack' --format pprof
check 'a profile for pprof: its functions' eval 'gzip -dc out | grep -aq ksys_read'

counted reads vfs_read "$name == \"count_me\"" --by comm,cpu --top 1
check_match 'a table: counts, shares, bars' "$(cat out)" ' [0-9]+ +[0-9.]+% #+ +dd +[01]'

# The same calls by a tool that has nothing in common with kcatch.
trigger=$tracefs/events/syscalls/sys_enter_read/trigger
echo 'hist:keys=count if common_pid != 0' >$trigger
counted reads -e syscalls:sys_enter_read -c dd --by count --json
hist=$(cat ${trigger%trigger}hist)
echo '!hist:keys=count' >$trigger
for size in 7 100; do
	mine=$(sed -n "s/^{\"key\":{\"count\":$size},\"count\":\([0-9]*\)}$/\1/p" out)
	its=$(sed -nE "s/^\{ count: +$size \} hitcount: +([0-9]+)$/\1/p" <<<"$hist")
	check_equal "reads of $size bytes: as many as ftrace's hist trigger has" "$mine" "${its:-none}"
done

counted reads vfs_read -n 50 -c dd --json
has 'a budget: that many, no more' '"counted":50,' '"end":"count"'

test_module
hammer() {
	order 'hammer 1000'
}
counted hammer kt_hammered --by arg0 --size 8K --json -d 1000
check_equal 'keys without room: status 3' $? 3
has 'keys without room are counted as (other)' '{"other":true,"count":'
check_match 'keys without room: says what to do' "$(cat err)" 'counted as \(other\).*--size'
total=$(sed -nE 's/.*"hits":([0-9]+),.*/\1/p' out)
sum=$(sed -nE 's/^\{.*"count":([0-9]+)\}$/\1/p' out | awk '{ sum += $1 } END { print sum }')
check_equal 'keys without room: the rows have all hits' "$sum" "$total"

counted hammer kt_hammered --by arg0 --size 8K --json -d 1000 -n 1000
has 'keys without room take nothing from the budget' '"over_budget":0,'

# Keys that the running task tells are counted without what a condition needs: with one that always
# holds, the other way counts the same.
chains() {
	local i
	for ((i = 0; i < 20; i++)); do order 'process chain'; done
}
taskset -c -p 1 $$ >/dev/null
cgroup=$(sed -n 's/^0:://p' /proc/self/cgroup)
whole='"pid":'$$',"tid":'$$',"cpu":1,"cgroup":"'$cgroup'","comm":"bash"'
for keys in pid tid cpu cgroup pid,comm cgroup,comm comm,pid,cpu tid,cpu,pid,cgroup caller,cpu \
	function,pid pid,tid,cpu,cgroup,comm; do
	counted chains kt_c --by $keys --json
	mv out quick
	counted chains kt_c 'pid > 0' --by $keys --json
	check_equal "$keys: one row, both ways" "$(grep '^{"key"' quick)" "$(grep '^{"key"' out)"
	check_match "$keys: all calls" "$(cat quick)" '"count":20\}.*"rows":1,'
done
check_match 'who and where it was' "$(cat quick)" "\"key\":\{$whole\},"
taskset -c -p 0-1 $$ >/dev/null

counted hammer kt_hammered --by cpu,cgroup --json
check_equal 'in all contexts at once: the rows have all hits' \
	"$(sed -nE 's/^\{.*"count":([0-9]+)\}$/\1/p' out | awk '{ sum += $1 } END { print sum }')" \
	"$(sed -nE 's/.*"hits":([0-9]+),.*/\1/p' out)"
check_match 'in all contexts at once: no more rows than CPUs' "$(tail -n 1 out)" '"rows":2,'

# usage: refused TEXT PATTERN ARGUMENT...
refused() {
	kcatch count "${@:3}" >out 2>err
	check_equal "$1: status 1" $? 1
	check_match "$1: says why" "$(cat err)" "$2"
}
refused 'an argument that does not exist' 'bad key: there is no nosuch here' vfs_read --by nosuch
refused 'an argument that does not exist: lists the other keys' 'buf, .*; other keys are comm, .* stack' \
	vfs_read --by nosuch
refused 'a key nearly right' 'did you mean caller' vfs_read --by callers
refused 'a return value of an event' 'an event does not return' -e sched_switch --by ret
refused 'a division in a key' 'a division by zero' vfs_read --by 'count / 0'
refused 'a value that is none' 'bad value: ' vfs_read --hist 'ret +'
many=caller parents=
for _ in {1..14}; do
	parents+='->d_parent'
	many+=",file->f_path.dentry$parents->d_name.name"
done
refused 'keys that need too much memory' 'bad key: too much' vfs_read --by "$many"
refused 'narrow buckets of nothing' 'histogram of --hist' vfs_read --fine
refused 'narrow buckets in JSON' '--json always has' vfs_read --hist ret --fine --json
refused 'a text as a value' 'no sum' vfs_read --stats comm
refused 'the same stack twice' 'twice' vfs_read --by stack,stack
refused 'folded without a stack' 'by stack' vfs_read --format folded
refused 'a format that has no stacks' 'folded, flame and pprof' vfs_read --by stack --format html
refused 'an arrow without quotes' "the shell takes a > for itself.*put 'file->...' in quotes" \
	vfs_read --by file-
refused 'an arrow without quotes, in a condition' 'the shell takes a >' vfs_read 'count > 5 && file-'
refused 'an empty key' 'commas' vfs_read --by 'comm,'
kcatch count vfs_read -t 0.1 -c nobody_has_this >out 2>err
check_equal 'nothing called: status 2' $? 2
( while :; do cat /etc/hostname; done >/dev/null ) &
caller=$!
for _ in 1 2 3 4 5; do	# again where the machine stood still for that second
	kcatch count vfs_read 'ret == 123456' -t 1 2>err
	status=$?
	[ $status -eq 2 ] && grep -q 'no call met' err && break
done
check_equal 'calls, and none that is asked for: status 2' $status 2
check_match 'and it does not say that there was none' "$(cat err)" 'no call met what was asked for'
kill $caller
wait $caller 2>/dev/null
check_unhooked 'nothing is hooked any more'
