# SPDX-License-Identifier: GPL-2.0-or-later
# Description: another module's hook, on a function that kcatch's hook calls, ends the thread: by
# an oops, by BUG(), by the end of the thread. As in ftrace's own probe that costs one thread:
# modules are loaded, CPUs come and go, sessions are opened and closed as before, kcatch says that
# a thread died in its hook, and it can be unloaded.
# Leaves: copy_from_user_nofault
# Faults: ^BUG: kernel NULL|^Oops|^kernel BUG at|^invalid opcode|scheduling while atomic|cut here
# Faults: ^note: |^WARNING: .*(do_exit|kthread|rcu_note_context_switch|rethook|irqentry)
# Faults: Voluntary context switch within RCU|^RIP|^Modules linked in|^Call Trace
. "$KT_TOP/tests/guest/support/lib.bash"
module=$(dirname "$(dirname "$KT_TEST_MODULE")")/kcatch_dies/kcatch_dies.ko
parameters=/sys/module/kcatch_dies/parameters
echo 0 >/proc/sys/kernel/panic_on_oops
echo 0 >/proc/sys/kernel/panic_on_warn

# Opens a file that is not there, in a process called dier.
dier_opens() {
	(
		printf dier >/proc/$BASHPID/comm
		: </nosuch/kt_file
	) 2>/dev/null
}

# All that waits for hooks to leave. Each has a limit, after which it would never end.
# usage: goes_on TEXT
goes_on() {
	check "$1: a module is loaded" timeout 120 modprobe dummy
	check "$1: it is unloaded" timeout 120 rmmod dummy
	check "$1: a CPU goes" timeout 120 sh -c 'echo 0 >/sys/devices/system/cpu/cpu1/online'
	check "$1: it comes back" timeout 120 sh -c 'echo 1 >/sys/devices/system/cpu/cpu1/online'
	check "$1: another session catches" eval \
		"until_found timeout 120 kcatch --json -t 20 vfs_read >/dev/null 2>&1"
}

# usage: dies WHAT HOW AT CALL WORD-OF-KCATCH...
dies() {
	local what=$1 how=$2 at=$3 call=$4
	shift 4
	insmod "$module" at="$at" how="$how" comm=dier ${with:+with=$with} || return
	if ! catch_begin --json "$@"; then
		rmmod kcatch_dies
		return
	fi
	$call
	wait_for [ "$(<$parameters/times)" = 0 ]
	check_equal "$what: the thread died there" "$(<$parameters/times)" 0
	# The next one lives.
	$call
	kill -INT "$kcatch"
	catch_end
	check_equal "$what: the session ends with the status of an incomplete one" "$status" 3
	check_match "$what: and says why" "$err" 'died in (a|the) hook'
	check_match "$what: its summary says how many" \
		"$(jq -c 'select(.summary) | .summary.died' out)" '^[1-9]'
	check_equal "$what: the counters add up" "$(jq -r 'select(.summary) | .summary |
		.hits == .recorded + .filtered + .over_budget + .missed + .lost' out)" true
	check_equal "$what: each call that was recorded is shown, and no other" \
		"$(jq -s 'map(select(.function)) | length' out)" \
		"$(jq 'select(.summary) | .summary.recorded' out)"
	goes_on "$what"
	[ "${with-}" ] || check "$what: the other module goes" timeout 120 rmmod kcatch_dies
}

open=(-c dier do_sys_openat2)
dies 'an oops at the entry' null copy_from_user_nofault dier_opens --entry -n 0 "${open[@]}"
dies 'an oops in a condition' null copy_from_user_nofault dier_opens --entry -n 0 "${open[@]}" \
	'filename ~ "/nosuch/*"'
dies 'BUG() at the return' bug irq_work_queue dier_opens -n 1 "${open[@]}" 'ret == -ENOENT'

# kthread_exit() in a thread of the kernel. No notifier tells of it.
thread_calls() {
	echo 1 >$parameters/call_in_thread
}
dies 'the end of a thread' exit irq_work_queue thread_calls --entry -n 1 kcatch_dies_called

# The handler of a kprobe dies: its module cannot go after that.
with=kprobe
dies "an oops in a kprobe's handler" null copy_from_user_nofault dier_opens --entry -n 0 "${open[@]}"

check 'kcatch is unloaded' eval 'wait_for timeout 120 rmmod kcatch'
check 'and loaded again' insmod "$KCATCH_MODULE"
