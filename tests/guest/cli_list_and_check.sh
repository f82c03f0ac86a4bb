# SPDX-License-Identifier: GPL-2.0-or-later
# Description: `kcatch list` names what can be caught and how, `kcatch check` says
# whether the machine can trace and what is missing; both agree with a real catch.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

list=$(kcatch list 'kt_*')
check_equal 'list: status' $? 0
check_match 'list: by ftrace' "$list" $'(^|\n)ftrace +kt_c +\[?kcatch_test'
check_match 'list: by kprobe' "$list" $'(^|\n)kprobe +kt_blank +\[?kcatch_test'
check_no_match 'list: not what cannot be caught' "$list" 'kt_hidden'
check_no_match 'list: not what is gone' "$list" 'kt_initial'
check_match 'list: a name that two functions have' "$list" 'ftrace +kt_twin '
check_match 'list: module:pattern' "$(kcatch list 'kcatch_test:*')" 'kt_c'
check_equal 'list: --json is one valid object a line' \
	"$(kcatch list --json 'kt_[abc]' | jq -r 'type' | sort | uniq -c | tr -s ' ')" ' 3 object'
kcatch list 'vfs_*' | awk '{ print $2 }' >listed
check 'list: in the order of names' bash -c 'grep -q vfs_read listed && sort -c listed'
check 'list: the whole kernel' [ "$(kcatch list '*' 2>/dev/null | wc -l)" -gt 10000 ]
kcatch list 'jiffies*' >listed
check 'list: functions beside variables' grep -q ' jiffies.*_to_' listed
check_equal 'list: no variables' "$(awk '$2 ~ /^jiffies(_64)?$/' listed)" ''
kcatch list init_task >out 2>err
check_equal 'list: a variable alone: status 2' "$? $(cat out)" '2 '
kcatch list 'kt_nothing*' >out 2>err
check_equal 'list: nothing matches: status 2' $? 2
kcatch list kt_hamered >out 2>err
check_match 'list: a near miss: the real name' "$(cat err)" 'kt_hammered'
# Loaded or not, a module here and part of the image there: each kernel has one of each kind.
name=$(sed 's/.*\///; s/\.ko.*//' "/lib/modules/$(uname -r)/modules.builtin" | grep -x '[a-z0-9]*' |
	head -n 1)
kcatch list "$name:*" >out 2>err
check_equal "list: of what is built in ($name): status 2" $? 2
check_match 'list: of what is built in: says so' "$(cat err)" \
	"$name is built into this kernel, no module;.*'${name}_\*'"
kcatch list "$name:kt_nothing" >out 2>err
check_match 'list: one function of it' "$(cat err)" \
	"$name is built into this kernel, no module; try: 'kt_nothing'"
kcatch list 'kt_nonesuch:*' >out 2>err
check_match 'list: of no module at all' "$(cat err)" 'there is no module kt_nonesuch'
kcatch list >out 2>err
check_equal 'list: without a pattern: status 1' $? 1

# Events, by a pattern of tracefs; what a name is that no function has.
kcatch list 'sched:*' >listed 2>err
check_equal 'list: events: those of tracefs' "$(grep -c '^tracepoint  sched:' listed)" \
	"$(grep -c '^sched:' $tracefs/available_events)"
check_equal 'list: events: nothing else' "$(grep -vc '^tracepoint  sched:' listed)" 0
check_match 'list: events: their number' "$(cat err)" '[0-9]+ events can be caught'
check_equal 'list: the name of an event' "$(kcatch list sched_switch 2>/dev/null)" \
	'tracepoint  sched:sched_switch'
check_equal 'list: an event in JSON' "$(kcatch list --json sched_switch)" \
	'{"event":"sched_switch","system":"sched","mechanism":"tracepoint"}'
kcatch list 'sched:nosuch*' >out 2>err
check_match 'list: no such event: says so, and that there is no such module' "$? $(cat err)" \
	"^2 .*there is no module sched.*there is no event 'sched:nosuch\*'"
check_match 'list: functions and events of one name' "$(kcatch list 'kcatch_test:*' 2>&1)" \
	'functions? can be caught$'

# Arguments, as conditions call them.
check_equal 'list -v: a function' "$(kcatch list -v vfs_read 2>/dev/null)" \
	'ftrace  vfs_read
    file: struct file *
    buf: char *
    count: size_t
    pos: loff_t *
    returns: ssize_t'
check_equal 'list -v: an event, as the kernel calls who listens' \
	"$(kcatch list -v sched:sched_process_exit 2>/dev/null | sed -n 1,2p)" \
	'tracepoint  sched:sched_process_exit
    p: struct task_struct *'
check_match 'list -v: a system call' "$(kcatch list -v syscalls:sys_enter_openat 2>/dev/null)" \
	'    dfd: int
    filename: const char \*
    flags: int'
check_match 'list -v: the function of a system call' "$(kcatch list -v ${kt_sys}openat 2>/dev/null)" \
	'    filename: const char \*.*    returns: long'
check_equal 'list -v: an event of ktrace' "$(kcatch list -v ktrace:process_exit 2>/dev/null)" \
	'ktrace  ktrace:process_exit
    pid: int
    tgid: int
    code: unsigned int'
check_equal 'list -v: JSON' "$(kcatch list -v --json vfs_read | jq -c '[.args[].name, .args[2].type, .returns]')" \
	'["file","buf","count","pos","size_t","ssize_t"]'
# (A module has types where its kernel was built with a pahole that is at hand.)
typed='number: int.*returns: int'
[ -e /sys/kernel/btf/kcatch_test ] || typed='no types are known: .*arg0'
check_match 'list -v: of a module with its types, or without' \
	"$(kcatch list -v kcatch_test:kt_hammered 2>/dev/null)" "$typed"
# (Of some events: a list takes seconds here.)
wrong=''
while read -r event name; do
	kcatch count -t 0.1 -e "$event" --by "arg.$name" >/dev/null 2>err
	[ $? -ne 1 ] || wrong="$wrong $event:$name"
done < <(kcatch list -v --json 'sched:sched_[p-w]*' 2>/dev/null |
	jq -r '"\(.system):\(.event) \(.args[].name)"' | head -n 16)
check_equal 'list -v: what it names are keys' "$wrong" ''

# What it lists can be caught, by the mechanism it names
kcatch list 'vfs_[r-u]*' | awk '{ print $1, $2 }' | sort -u | head -n 12 >listed
wrong=''
while read -r how name; do
	kcatch -t 0.1 --no-stack "$name" >/dev/null 2>err
	[ $? -ne 1 ] && grep -q "$how" err || wrong="$wrong $name"
done <listed
check_equal 'list: what it lists can be armed as it says' "$wrong" ''
check 'list: that was not nothing' [ "$(wc -l <listed)" -gt 5 ]

kcatch check >out 2>err
check_equal 'check: a machine that can trace: status 0' $? 0
check_match 'check: ftrace' "$(cat out)" '[fF]trace'
check_equal 'check: --json is valid' "$(kcatch check --json | jq -r type | sort -u)" object

cat >release.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

int uname(struct utsname *name)
{
	int ret = (int)syscall(SYS_uname, name);

	strcpy(name->release, getenv("RELEASE"));
	return ret;
}
END
gcc -shared -fPIC -o release.so release.c
# usage: kernel_line RELEASE: what check says of such a kernel
kernel_line() {
	RELEASE=$1 LD_PRELOAD=$PWD/release.so kcatch check | grep -w kernel | head -n 1
}
check_match 'check: the oldest kernel' "$(kernel_line 6.1.0-1-amd64)" '^ok +kernel +6\.1\.0-1-amd64$'
check_match 'check: a kernel newer than any tested' "$(kernel_line 99.1.2)" \
	'^note +kernel +99\.1\.2: newer than any that kcatch was tested on \([0-9]+\.[0-9]+\)$'

check_no_ftrace() {
	kcatch check >out 2>err
	check_equal 'check: ftrace switched off: status 1' $? 1
	check_match 'check: ftrace switched off: the command that mends it' \
		"$(cat out err)" 'ftrace_enabled'
}

if sysctl -q kernel.ftrace_enabled=0; then
	kcatch -t 1 kt_c >out 2>err
	check_equal 'ftrace switched off: status 1' $? 1
	check_match 'ftrace switched off: says what to do' "$(cat err)" 'ftrace_enabled=1'
	check_no_ftrace
	catch_begin --json -t 300 kt_blank
	order 'process blank'
	catch_end
	check_equal 'ftrace switched off: a kprobe still works' "$status" 0
	kcatch record --flight --freeze-on lockup -t 1 -f kt_blank >out 2>err
	check_equal 'ftrace switched off: no soft lockup can freeze: status 1' $? 1
	check_match 'ftrace switched off: says why no soft lockup can freeze' "$(cat err)" \
		'no soft lockup can freeze.*ftrace_enabled=1'
	sysctl -q kernel.ftrace_enabled=1
else
	skip 'ftrace switched off' 'the sysctl is not there, or switches nothing off'
fi
catch_begin --json -t 300 kt_c
if sysctl -q kernel.ftrace_enabled=0 2>/dev/null; then
	sysctl -q kernel.ftrace_enabled=1
	order 'process chain'
	catch_end
	check_equal 'switched off and on while armed: caught' "$status" 0
else
	order 'process chain'
	catch_end
	check_equal 'an armed probe cannot be silenced: caught' "$status" 0
fi

kprobes=/sys/kernel/debug/kprobes/enabled
echo 0 >$kprobes
kcatch -t 1 kt_blank >out 2>err
check_equal 'kprobes switched off: status 1' $? 1
check_match 'kprobes switched off: what needs one, and what to do' "$(cat err)" \
	"'kt_blank' needs a kprobe.*echo 1 > $kprobes"
check_match 'check: kprobes switched off: the command that mends it' "$(kcatch check)" \
	"echo 1 > $kprobes"
catch_begin --json -t 300 kt_c
order 'process chain'
catch_end
check_equal 'kprobes switched off: what needs none is caught' "$status" 0
echo 1 >$kprobes

kcatch list vfs_read kt_nosuch >out 2>err
check_equal 'list: one of two matches: status 0' "$? $(grep -c vfs_read out)" '0 1'
check_match 'list: and which does not is said' "$(cat err)" 'kt_nosuch'

# As in a container that does not have the device.
unshare --mount bash -c 'mount -t tmpfs none /dev
	kcatch -t 1 kt_c; echo "status $?"; kcatch check; echo "status $?"' >out 2>&1
check_match 'loaded, and no device here: said, and what helps' "$(head -n 1 out)" \
	'is loaded, but there is no /dev/kcatch here.*--device /dev/kcatch, or mknod .* c 10 [0-9]+'
check_equal 'and check does not contradict itself' \
	"$(grep '^status' out | xargs) $(grep -c 'not loaded' out)" 'status 1 status 1 0'

rmmod kcatch
kcatch check >out 2>err
check_equal 'check: module not loaded: status 1' $? 1
check_match 'check: module not loaded: says so' "$(cat out)" $'(^|\n)missing +module +not loaded'
kcatch -t 1 kt_c >out 2>err
check_equal 'catch: module not loaded and not installed: status 1' $? 1
check_match 'catch: module not loaded: what to do' "$(cat err)" '(make install|modprobe|insmod)'
insmod "$KCATCH_MODULE"
