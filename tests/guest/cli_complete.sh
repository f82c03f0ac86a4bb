# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch complete offers the functions, events and sessions of this machine.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

offers() { kcatch complete "$@" | cut -f 1; }
check_equal 'a function' "$(offers vfs_readlin)" vfs_readlink
check_equal 'a function of a module' "$(offers list kcatch_test:kt_hammere)" kcatch_test:kt_hammered
check_equal 'commands alone, where functions begin so, too' "$(offers re | sort | xargs)" 'record report'
check_match 'functions, where no command goes on so' "$(offers rea)" '^read_'
check_equal 'a function to record' "$(offers record vfs_readlin)" vfs_readlink
check_equal 'nothing of the command to run' "$(offers record vfs_read -- vfs_readlin)" ''
check_equal 'a function to count' "$(offers count vfs_readlin)" vfs_readlink
check_equal 'a key of counts' "$(offers count vfs_read --by cal)" caller
check_equal 'the formats of counts' \
	"$(offers count vfs_read --format '' | sort | tr '\n' ' ')" 'flame folded pprof '
for format in $(offers count vfs_read --format ''); do
	kcatch count -t 0.1 vfs_read --by stack --format "$format" >out 2>err
	check_no_match "format $format is one" "$? $(cat err)" '^1 '
done
check_equal 'the cgroup is a key of counts' "$(offers count vfs_read --by cg)" cgroup
# Who cannot read ftrace's list gets the functions of /proc/kallsyms. Since 7.3 that calls the
# kernel's variables functions, too.
nobody_is_offered() { setpriv --reuid 65534 --regid 65534 --clear-groups kcatch complete "$@"; }
check_equal 'a function, for nobody' "$(nobody_is_offered vfs_readlin)" vfs_readlink
check_equal 'no variable, for nobody' "$(nobody_is_offered init_tas)" ''
check 'functions of a module, for nobody' \
	[ "$(nobody_is_offered kcatch_test: | grep -c '^kcatch_test:kt_')" -gt 10 ]
check_equal 'no cold part, for nobody' "$(nobody_is_offered kcatch_test: | grep -F .cold)" ''
check_equal 'no function twice, for nobody' "$(nobody_is_offered vfs_ | sort | uniq -d)" ''
check_equal 'an event' "$(offers record -e sched:sched_switc)" sched:sched_switch
check_equal 'after a command of its own' "$(offers -e sched:sched_switc)" sched:sched_switch
check_equal 'an event to list' "$(offers list sched:sched_switc)" sched:sched_switch
check_match 'events of ktrace' "$(offers -e ktrace:)" '^ktrace:'
check_match 'a system of events' "$(offers record --event sched:)" 'sched:sched_wakeup'
check_equal 'and no other' "$(offers record --event sched: | grep -v '^sched:')" ''
check_equal 'no session' "$(offers snapshot '')" ''

kcatch record --flight --detach --name box --size 16K -f vfs_readlink --entry 2>err
check_equal 'a session' "$(offers snapshot '')" box
check_equal 'to be stopped, too' "$(offers sessions --stop b)" box
kcatch sessions --stop box 2>err
wait_for eval '! kcatch sessions 2>/dev/null'
check_equal 'a session that has ended is not offered' "$(offers snapshot '')" ''
