# SPDX-License-Identifier: GPL-2.0-or-later
# Description: what is right by the rules of the language and perhaps not meant is told: a name
# that hides an argument, a positive errno, a number that a value cannot be; and a function to
# which the condition does not apply is left out, by its name.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

# usage: told TEXT REGEX ARG...; silent TEXT REGEX ARG...
told() {
	local text=$1 regex=$2
	shift 2
	timeout 300 kcatch "$@" >out 2>err
	check_match "$text" "$(cat err)" "$regex"
}
silent() {
	local text=$1 regex=$2
	shift 2
	timeout 300 kcatch "$@" >out 2>err
	check_no_match "$text" "$(cat err)" "$regex"
}

hides="cpu is the number of the CPU here, not what .__queue_work. calls so: that is arg\.cpu"
told 'a condition: cpu' "$hides" -t 0.2 __queue_work 'cpu == 8192'
check_equal 'once' "$(grep -c 'arg.cpu' err)" 1
silent 'arg.cpu is what was meant' 'that is arg' -t 0.2 __queue_work 'arg.cpu >= 0'
silent 'a function without such an argument' 'that is arg' -t 0.2 vfs_read 'cpu >= 0 && pid > 0'
told 'a key' "$hides" count -t 0.2 __queue_work --by cpu
told 'a value' "$hides" count -t 0.2 __queue_work --hist cpu
told 'a pattern: the first function is named' 'cpu is .* what .[a-z_]*. calls so' \
	-t 0.2 '*queue_work*' 'cpu == 1'
told 'record --filter' "$hides" record -t 0.2 -f __queue_work --filter 'cpu == 1' -o filtered
told 'a word that is a key: caller' 'caller is who made the call here, not what .__vmalloc_node_range[a-z_]*. calls so' \
	count -t 0.2 '__vmalloc_node_range*' --by caller
told 'what tracefs calls so' 'pid is the number of the process here, not what .sched_process_exit. calls so: that is arg\.pid' \
	-t 0.2 -e sched:sched_process_exit 'pid == 1'

until_found kcatch record -t 2 -f __queue_work -o rec 2>err
check_equal 'a recording' $? 0
told 'report --filter' 'cpu is .* what .__queue_work.* calls so: that is arg\.cpu' \
	report rec --filter 'cpu == 8192'
check_equal 'report: once' "$(grep -c 'arg.cpu' err)" 1
told 'count -i' 'cpu is .* what .__queue_work.* calls so: that is arg\.cpu' count -i rec --by cpu
cat >rules.conf <<END
kt_calls __queue_work 'cpu == 8192'
END
told 'a rule of metrics' "rules.conf:1:10: $hides" metrics --rules rules.conf --check

told 'ret == EAGAIN' 'ret is compared with EAGAIN, which is positive; functions return negative errnos: -EAGAIN' \
	-t 0.2 vfs_read 'ret == EAGAIN'
told 'the other way round, with a cast' 'ret is compared with ENOENT' -t 0.2 vfs_read 'ENOENT == (int)ret'
silent 'ret == -EAGAIN' 'is compared with' -t 0.2 vfs_read 'ret == -EAGAIN'
told 'count' 'ret is compared with EINTR' count -t 0.2 vfs_read 'ret == EINTR'
told 'a number of 16 bits' 'comparing .i_mode. with 70000 says nothing: in .vfs_read. it is a number of 0 to 65535' \
	-t 0.2 vfs_read 'file->f_inode->i_mode == 70000'
silent 'a number that it can be' 'says nothing' -t 0.2 vfs_read 'file->f_inode->i_mode == 65535'
silent 'an unsigned number and -1' 'says nothing' -t 0.2 vfs_read 'uid == -1'

# ---- left out ------------------------------------------------------------------------------

noise() { while :; do cat /etc/hostname; done >noise; }
noise &
load=$!
caught=$(timeout 300 kcatch --json -t 100 filename_lookup vfs_read 'count > 0' 2>err | jq -r 'select(.function) | .function')
check_equal 'the function that has the argument is caught' "$caught" vfs_read
check_match 'the other one is named, and what it lacks' "$(cat err)" \
	'filename_lookup. is left out: there is no count here'
told 'an argument of another type' 'kern_path. is left out: .* has no members' \
	-t 0.2 filename_lookup kern_path 'name->name == 0'
check_no_match 'is no error' "$?" '^1$'
told 'count' 'filename_lookup. is left out: there is no count here' \
	count -t 1 filename_lookup vfs_read 'count > 0'
check 'count: the other one is counted' \
	[ "$(awk '$1 ~ /^[0-9]+$/ { n += $1 } END { print n + 0 }' out)" -gt 0 ]
told 'a key' 'filename_lookup. is left out: there is no count here' \
	count -t 1 filename_lookup vfs_read --by count
told 'record' 'filename_lookup. is left out: there is no count here' \
	record -t 1 -f filename_lookup -f vfs_read --filter 'count > 0' -o some
printf '%s\n' "kt_some filename_lookup vfs_read 'count > 0'" >rules.conf
told 'metrics' 'filename_lookup. is left out: there is no count here' \
	metrics --rules rules.conf --check
told 'functions and events' '1 .*left out' -t 1 vfs_read -e sched:sched_switch 'count > 0'
kill $load
kcatch -t 1 filename_lookup kern_path 'count > 0' >out 2>err
check_match 'no function takes it: an error' "$? $(cat err)" '^1 .*there is no count here'
kcatch -t 1 filename_lookup 'count > 0' >out 2>err
check_match 'nor the only one' "$? $(cat err)" '^1 kcatch: filename_lookup: .*there is no count here'
kcatch -t 1 'vfs_*' 'file->f_flagz & 1' >out 2>err
check_match 'a wrong member of a pattern: the name that is near' "$? $(cat err)" '^1 .*did you mean f_flags'
check_unhooked 'nothing stays hooked'
