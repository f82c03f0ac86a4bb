# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a word that is no function leads to what was meant: a command, a tracepoint, a module
# that is not loaded, kcatch's own way to say what another tool says; and kcatch tells its commands.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

# usage: says TEXT REGEX ARG...
says() {
	local text=$1 regex=$2
	shift 2
	kcatch -t 1 "$@" >out 2>err
	check_equal "$text: status" $? 1
	check_match "$text" "$(cat err)" "$regex"
}
says 'a misspelt command' 'did you mean the command record\?' recrod
says 'a misspelt command, with words behind it' 'did you mean the command count\?' cuont vfs_read
says 'a command behind options' 'a command comes first: kcatch watch' watch jiffies
says 'a function that is nearly another' 'did you mean vfs_read,' vfs_reda
check 'is not nearly a command' eval '! grep -q "the command" err'
says 'bpftrace: a kprobe' "'kprobe:' is another tool's word; try: kcatch 'vfs_read'" kprobe:vfs_read
says 'perf: a probe' "try: kcatch 'vfs_read'" p:vfs_read
says 'bpftrace: fexit' "try: kcatch 'vfs_read'" fexit:vfs_read
says 'bpftrace: a tracepoint' "try: kcatch -e 'sched:sched_switch'" tracepoint:sched:sched_switch
says 'a tracepoint as a function' "a tracepoint: kcatch -e 'sched_switch'" sched_switch
kcatch vfs_read count >'4096' 2>err
check_match 'a condition without quotes, of which the shell takes a part: quotes' "$(cat err)" \
	"it is no function|not a function.*if count begins .*in quotes.*kcatch vfs_read 'count > 0'"
kcatch list 'irq*:*' | sed -n 's/^tracepoint  //p' | sort >listed
check_equal 'a pattern of several systems: their events' "$(cat listed)" \
	"$(grep '^irq[^:]*:' "$tracefs/available_events" | sort)"
kcatch list vfs_read 'ktrace:syscall_e*' 'irq:irq_*_exit' >listed
check_equal 'functions, events of ktrace and tracepoints' "$(sort listed)" "ftrace  vfs_read
ktrace  ktrace:syscall_entry
ktrace  ktrace:syscall_exit
tracepoint  irq:irq_handler_exit"
kcatch list ktrace:no_such 2>err
check_match 'an event that ktrace has not' "$? $(cat err)" '^2 .*ktrace has no event .no_such.'
if modinfo btrfs >/dev/null 2>&1 && [ ! -d /sys/module/btrfs ]; then
	says 'a pattern of a module that is not loaded' \
		"btrfs, which is not loaded: modprobe btrfs, or wait for it: kcatch 'btrfs:btrfs_\*'" \
		'btrfs_*'
	check 'and no other pattern is offered' eval '! grep -q "did you mean" err'
	says 'a function of a module that is not loaded' \
		"it is in module btrfs, which is not loaded: .*kcatch 'btrfs:btrfs_file_llseek'" \
		btrfs_file_llseek
	says 'a function of it behind underscores' "kcatch 'btrfs:__btrfs_end_transaction'" \
		__btrfs_end_transaction
	says 'a name like those of a module, which has it not' 'no such function' btrfs_no_such
	check 'does not lead to the module' eval '! grep -q modprobe err'
	kcatch list 'btrfs_*' >out 2>err
	check_match 'a list of it: status 2' "$? $(cat err)" '^2 .*of module btrfs, which is not loaded'
fi
if modinfo nf_conntrack >/dev/null 2>&1 && [ ! -d /sys/module/nf_conntrack ]; then
	says 'a function of a module whose name is of two words' \
		"module nf_conntrack, which is not loaded" nf_conntrack_free
	says 'a pattern of a module whose name is of two words' \
		"kcatch 'nf_conntrack:nf_conntrack_h\*'" 'nf_conntrack_h*'
fi
catch_begin -t 1 -e sched:sched_process_exit nosuchmodule:function
catch_end
check_match 'an event, and a module that is not loaded: says what it waits for' "$err" \
	'waiting for module nosuchmodule: there is no file of it'
record_begin -o rec -t 1 nosuchmodule:function
record_end
check_match 'record: says what it waits for' "$err" 'waiting for module nosuchmodule'
says 'an event of no system' "there is no event 'nosuch:foo'" -e nosuch:foo

# What the kernel counts for nobody does not happen.
schedstats=/proc/sys/kernel/sched_schedstats
if [ -w $schedstats ]; then
	echo 0 >$schedstats
	kcatch -t 0.1 -e sched:sched_stat_wait >out 2>err
	check_match 'an event that needs a setting: the command that makes it' "$(cat err)" \
		'does not happen while .*: sysctl kernel.sched_schedstats=1'
	echo 1 >$schedstats
	kcatch -t 0.1 -e sched:sched_stat_wait >out 2>err
	check_no_match 'with the setting nothing is said of it' "$(cat err)" schedstats
	echo 0 >$schedstats
fi

for word in '' help --help; do
	# shellcheck disable=SC2086 # no word at all
	kcatch $word >out 2>&1
	for command in list check count top record report snapshot sessions stuck signals watch \
		metrics; do
		grep -q "^  kcatch $command " out || echo "kcatch $word: no $command"
	done
done >missing
check_equal 'kcatch, kcatch help and kcatch --help tell all commands' "$(cat missing)" ''
