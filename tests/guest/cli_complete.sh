# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch complete offers the functions, events and sessions of this machine.
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

offers() { kcatch complete "$@" | cut -f 1; }
check_equal 'a function' "$(offers vfs_readlin)" vfs_readlink
check_equal 'a function of a module' "$(offers list kcatch_test:kt_hammere)" kcatch_test:kt_hammered
check_equal 'a function to count' "$(offers count vfs_readlin)" vfs_readlink
check_equal 'a key of counts' "$(offers count vfs_read --by cal)" caller
check_equal 'the format of counts' "$(offers count vfs_read --format '')" folded
check_equal 'an event' "$(offers record -e sched:sched_switc)" sched:sched_switch
check_equal 'after a command of its own' "$(offers -e sched:sched_switc)" sched:sched_switch
check_match 'events of ktrace' "$(offers -e ktrace:)" '^ktrace:'
check_match 'a system of events' "$(offers record --event sched:)" 'sched:sched_wakeup'
check_no_match 'and no other' "$(offers record --event sched:)" '^irq:'
check_equal 'no session' "$(offers snapshot '')" ''

kcatch record --flight --detach --name box --size 16K -f vfs_readlink --entry 2>err
check_equal 'a session' "$(offers snapshot '')" box
check_equal 'to be stopped, too' "$(offers sessions --stop b)" box
kcatch sessions --stop box 2>err
wait_for eval '! kcatch sessions 2>/dev/null'
check_equal 'a session that has ended is not offered' "$(offers snapshot '')" ''
