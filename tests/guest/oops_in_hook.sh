# SPDX-License-Identifier: GPL-2.0-or-later
# Description: another module's hook, on a function that kcatch's hook calls, ends the thread: by
# an oops, by BUG(), by the end of the thread. As in ftrace's own probe that costs one thread:
# modules are loaded, CPUs come and go, sessions are opened and closed as before, kcatch says that
# a thread died in its hook, and it can be unloaded.
# Faults: ^BUG: kernel NULL|^Oops|^kernel BUG at|^invalid opcode|scheduling while atomic|cut here
# Faults: ^note: |^WARNING: .*(do_exit|kthread|rcu_note_context_switch|rethook|irqentry)
# Faults: Voluntary context switch within RCU|^RIP|^Modules linked in|^Call Trace
. "$KT_TOP/tests/guest/support/lib.bash"
module=$(dirname "$(dirname "$KT_TEST_MODULE")")/kcatch_dies/kcatch_dies.ko
parameters=/sys/module/kcatch_dies/parameters
echo 0 >/proc/sys/kernel/panic_on_oops
echo 0 >/proc/sys/kernel/panic_on_warn

# In a process called dier: opens a file that is not there.
dier_opens() {
	(
		printf dier >/proc/$BASHPID/comm
		: </nosuch/kt_file
	) 2>/dev/null
}

# In a thread of the kernel called dier, as a process that dies in there keeps a lock of its module.
thread_calls() {
	echo 1 >$parameters/call_in_thread
}

# A thread of the kernel runs by itself: the session goes on until it has called.
no_dier_left() {
	! grep -qsx dier /proc/[0-9]*/comm
}

has_died() {
	[ "$(<$parameters/times)" = 0 ]
}

another_catches() {
	catch_begin --json -n 1 -t 120 memory_read_from_buffer || return
	echo 1 >$parameters/call
	wait $kcatch
}

# All that waits for hooks to leave. Each has a limit, after which it would never end.
# usage: goes_on TEXT
goes_on() {
	check "$1: another session catches" another_catches
	check "$1: a module is loaded" timeout 120 modprobe dummy
	check "$1: it is unloaded" timeout 120 rmmod dummy
	check "$1: a CPU goes" timeout 120 sh -c 'echo 0 >/sys/devices/system/cpu/cpu1/online'
	check "$1: it comes back" timeout 120 sh -c 'echo 1 >/sys/devices/system/cpu/cpu1/online'
}

# usage: dies WHAT CALL PARAMETER-OF-KCATCH_DIES... -- WORD-OF-KCATCH...
dies() {
	local what=$1 call=$2
	local -a parameter=()
	shift 2
	for (( ; $# ; )); do
		[ "$1" != -- ] || break
		parameter+=("$1")
		shift
	done
	shift
	if ! insmod "$module" "${parameter[@]}"; then
		fail "$what: the other module is loaded"
		return
	fi
	if ! catch_begin --json "$@"; then
		rmmod kcatch_dies
		return
	fi
	$call
	check "$what: the thread dies there" wait_for has_died
	# The next one lives.
	$call
	wait_for no_dier_left
	kill -INT "$kcatch"
	catch_end
	check_equal "$what: the session ends with the status of an incomplete one" "$status" 3
	check_match "$what: and says why" "$err" 'died in (a|the) hook'
	check_match "$what: its summary says how many" \
		"$(jq -c 'select(.summary) | .summary.died' out)" '^[1-9]'
	check_equal "$what: the counters add up" "$(jq -r 'select(.summary) | .summary | .hits ==
		.recorded + .filtered + .over_budget + .undecided + .missed + .lost' out)" true
	check_equal "$what: each call that was recorded is shown, and no other" \
		"$(jq -s 'map(select(.function)) | length' out)" \
		"$(jq 'select(.summary) | .summary.recorded' out)"
	goes_on "$what"
	if [[ " ${parameter[*]}" == *' with=kprobe'* ]]; then
		echo 1 >$parameters/withdraw	# its module must stay
	else
		check "$what: the other module goes" timeout 120 rmmod kcatch_dies
	fi
}

entry=(--entry -n 0 -c dier do_sys_openat2)
dies 'an oops at the entry' dier_opens at=copy_from_user_nofault -- "${entry[@]}"
dies 'an oops in a condition' dier_opens at=copy_from_user_nofault -- "${entry[@]}" \
	'filename ~ "/nosuch/*"'
dies 'BUG() at the return' thread_calls how=bug at=copy_from_kernel_nofault \
	below=rethook_trampoline_handler -- -n 0 -c dier memory_read_from_buffer
# kthread_complete_and_exit() in a thread of the kernel. No notifier tells of it.
dies 'the end of a thread' thread_calls how=exit at=copy_from_kernel_nofault -- \
	--entry -n 0 -c dier memory_read_from_buffer

# The handler of a kprobe dies: its module cannot go after that.
dies "an oops in a kprobe's handler" dier_opens with=kprobe at=copy_from_user_nofault -- "${entry[@]}"

check 'kcatch is unloaded' eval 'wait_for timeout 120 rmmod kcatch'
check 'and loaded again' insmod "$KCATCH_MODULE"
