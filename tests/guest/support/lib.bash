# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What guest tests in bash have in common; source it first. A test is a series of
# `check` calls; the plan is printed at the end by itself.
#
# KT_TMP is a directory of the test's own, KT_TEST_MODULE the test module's file,
# KCATCH_MODULE kcatch's.
set -u
export LC_ALL=C
. "$KT_TOP/tests/pause.bash"
tracefs=/sys/kernel/tracing
orders=/proc/kcatch_test
otst=/proc/driver/otst
device=/dev/kcatch
# what the kernel's functions of system calls begin with
case $(uname -m) in
aarch64) kt_sys=__arm64_sys_ ;;
*) kt_sys=__x64_sys_ ;;
esac
# the function that runs softirqs, by its names and the compiler's suffixes
softirqs='(__do_softirq|handle_softirqs)(\.(constprop|isra)\.0)?'
# what a thread sleeps in that waits for a lock of the module kcatch_locks: on a kernel for real
# time not all functions of locks are left out
lock_waits='kt_lock\|rt_mutex\|rwbase\|rwsem'
kt_count=0
kt_failed=0
cd "$KT_TMP" || exit 1

# usage: pass TEXT / fail TEXT [DETAIL...]
pass() {
	kt_count=$((kt_count + 1))
	echo "ok $kt_count - $1"
}

fail() {
	kt_count=$((kt_count + 1))
	kt_failed=$((kt_failed + 1))
	echo "not ok $kt_count - $1"
	shift
	local detail
	for detail; do
		printf '%s\n' "$detail" | head -n 60 | sed 's/^/#   /'
	done
}

skip() {
	kt_count=$((kt_count + 1))
	echo "ok $kt_count - $1 # SKIP $2"
}

# usage: check TEXT COMMAND... - passes when COMMAND succeeds
check() {
	local text=$1
	shift
	if "$@"; then pass "$text"; else fail "$text" "not true: $*"; fi
}

# usage: check_equal TEXT GOT EXPECTED
check_equal() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "got:" "$2" "expected:" "$3"
	fi
}

# usage: check_match TEXT GOT REGEX
check_match() {
	if [[ $2 =~ $3 ]]; then
		pass "$1"
	else
		fail "$1" "got:" "$2" "expected to match:" "$3"
	fi
}

# usage: check_no_match TEXT GOT REGEX
check_no_match() {
	if [[ $2 =~ $3 ]]; then
		fail "$1" "got:" "$2" "expected not to match:" "$3"
	else
		pass "$1"
	fi
}

# No function stays hooked for longer than a moment.
check_unhooked() {
	wait_for eval '! grep -q . $tracefs/enabled_functions'
	check_equal "$1" "$(cat $tracefs/enabled_functions)" ''
}

at_exit() {
	kt_status=$?
	echo "1..$kt_count"
	cleanup >/dev/null 2>&1
	[ $kt_status -ne 0 ] || [ $kt_failed -eq 0 ] || kt_status=1
	exit $kt_status
}
trap at_exit EXIT
cleanup() { :; }	# a test may define its own

# Ends the test here: it cannot run on this machine.
skip_all() {
	trap - EXIT
	echo "1..0 # SKIP $1"
	exit 0
}

# As grep -qE; ^ is the pattern's first character or nowhere.
# usage: holds PATTERN FILE
holds() {
	local text newline=$'\n'
	{ text=$newline$(<"$2"); } 2>/dev/null && [[ $text =~ ${1/#^/$newline} ]]
}

# Repeats COMMAND until it succeeds. The limit is for what will never come, not for a slow
# machine; it ends before tests/guest/run takes the test for hung.
wait_for() {
	local end simple='^\^?[A-Za-z0-9_ :/,-]+$'
	[[ "$1 ${2-}" != 'grep -q' || $# -ne 4 || ! ${3-} =~ $simple ]] || set -- holds "$3" "$4"
	uptime_is
	end=$((kt_uptime + 300))
	until "$@"; do
		uptime_is
		if [ $kt_uptime -ge $end ]; then
			echo "# waited in vain: $*" >&2
			return 1
		fi
		pause 0.1
	done
}

# Runs COMMAND, which has a time limit, again while it finds nothing (status 2): a machine that
# stood still as long made no call meanwhile. Returns the last status.
# usage: until_found COMMAND...
until_found() {
	local try found
	for try in 1 2 3 4 5; do
		"$@"
		found=$?
		[ $found -eq 2 ] || break
		echo "# nothing was found, try $try: $*" >&2
	done
	return $found
}

# Stops a process, and returns when it stands still.
# usage: stand_still PID
stand_still() {
	kill -STOP "$1"
	wait_for grep -q '^State:.T' "/proc/$1/status"
}

# Repeats COMMAND until it succeeds, or until bpftrace, which compiles for long on a slow machine,
# has had less than a second of a processor in five minutes, or has gone on for half an hour.
# usage: peer_gets_to PID COMMAND...
peer_gets_to() {
	local begin=$SECONDS end=$((SECONDS + 300)) told=$SECONDS used before=0
	until "${@:2}"; do
		used=$(awk '{ print $14 + $15 }' "/proc/$1/stat" 2>/dev/null)
		if [ "${used:-0}" -ge $((before + 100)) ]; then
			before=$used
			end=$((SECONDS + 300))
		fi
		[ $SECONDS -lt $end ] && [ $((SECONDS - begin)) -lt 1800 ] || return 1
		if [ $((SECONDS - told)) -ge 60 ]; then
			told=$SECONDS
			echo "# bpftrace gets on: $used ticks"
		fi
		pause 0.5
	done
}

# Ends bpftrace: it prints its maps. 0.17 forgets an interrupt that comes while it does not wait
# for events, so it is told again for as long as it waits on.
# usage: peer_ends PID
peer_ends() {
	wait_for peer_is_told "$1" || peer_stands_still "$1" 'does not end'
	wait "$1"
}

peer_is_told() {
	local state
	state=$(ps -o stat= -p "$1") && [ "${state:0:1}" != Z ] || return 0
	! asleep_in "$1" 'ep_poll\|epoll' || kill -INT "$1"
	pause 0.5
	return 1
}

# bpftrace has stood still for five minutes: where, and the end, which tests/skips allows or not.
# usage: peer_stands_still PID WHAT-IT-DOES-NOT
peer_stands_still() {
	local probes=/sys/kernel/debug/kprobes
	echo "# kprobes: $(grep -c . $probes/list), enabled: $(cat $probes/enabled)"
	sed 's/^/# /' "/proc/$1/wchan" 2>/dev/null; echo
	ps -eo pid,stat,wchan:24,time,args --sort=-time | head -n 6 | cut -c 1-90 | sed 's/^/# /'
	kill -KILL "$1" ${kcatch:+"$kcatch"}
	wait
	skip_all "bpftrace $2"
}

# Does it sleep in a function that matches the pattern? The kernel keeps the thread asleep
# while it looks up wchan. It does not for /proc/PID/stack, and warns if it finds a hooked return
# on the stack of a thread that runs (rethook_find_ret_addr()): kcatch has hooked some.
# usage: asleep_in PID FUNCTION
asleep_in() {
	holds "${2//\\|/|}" "/proc/$1/wchan"
}

# usage: sleeps_in PID FUNCTION - waits until it does
sleeps_in() {
	wait_for asleep_in "$1" "$2"
}

# usage: sleeps_below PID FUNCTION - as sleeps_in, of any function on the stack: no return is hooked
sleeps_below() {
	wait_for holds "${2//\\|/|}" "/proc/$1/stack"
}

# Does a kcatch wait for calls, or has it ended?
# usage: counts_or_ended PID
counts_or_ended() {
	! kill -0 "$1" 2>/dev/null || asleep_in "$1" poll
}

# usage: either FUNCTION... - the first that this kernel has
either() {
	local name
	for name; do
		grep -qw "$name" $tracefs/available_filter_functions && echo "$name" && return
	done
	echo "$1"
}

test_module() {
	[ -e "$orders" ] || insmod "$KT_TEST_MODULE" || exit 1
}

# usage: order 'CONTEXT SHAPE [NUMBER]'
order() {
	echo "$1" >"$orders"
}

module_value() {
	awk -v name="$1" '$1 == name { print $2 }' "$orders"
}

# Runs `kcatch "$@"` in the background; returns when it is armed. Its output goes
# to out and err, its process is $kcatch. It is a failure that it ended without being armed.
catch_begin() {
	rm -f out err
	kcatch "$@" >out 2>err &
	kcatch=$!
	if ! wait_for catch_is_armed || ! holds '^kcatch: waiting' err; then
		fail "kcatch $* gets armed" "$(cat err)"
		kill $kcatch
		return 1
	fi
}

catch_is_armed() {
	holds '^kcatch: waiting' err || ! kill -0 "$kcatch" 2>/dev/null
}

# Waits for it; sets status, out, err and the JSON hits.
catch_end() {
	wait "$kcatch"
	status=$?
	out=$(cat out)
	err=$(cat err)
}

# One JSON line of a stack: "symbol symbol ...", of object number $1 (from 0).
stack_symbols() {
	jq -sr "map(select(.stack)) | .[$1].stack | map(.symbol) | join(\" \")" out
}

# What jq gets wrong: its numbers are doubles, to which 2^64-1 and 2^64-2 are the same.
# usage: exact EXPRESSION [FILE] - Python's value of it, unless None, for each JSON line e
exact() {
	PYTHONPATH=$KT_TOP/tests/guest/support python3 -c 'import json_numbers, sys
for line in open(sys.argv[2], encoding="utf8"):
	e = json_numbers.loads(line)
	value = eval(sys.argv[1])
	if value is not None:
		print(value)' "$1" "${2:-out}"
}

# The frames' addresses. A call that was inlined, which debug information tells, is no frame.
stack_addresses() {
	jq -sr "map(select(.stack)) | .[$1].stack
		| map(select(.inlined | not) | .address | tostring) | .[]" out
}

# KT_PARAMETERS: what kcatch is loaded with whenever a test loads it, see returns_public.sh.
insmod() {
	local more=
	[ "$1" != "$KCATCH_MODULE" ] || more=${KT_PARAMETERS-}
	command insmod "$@" ${more:+"$more"}
}

# Has each function whose return is hooked a kretprobe? Then a call in the work of a kprobe is
# missed by kprobes, and counted so.
returns_are_public() {
	kcatch check | grep -q '^note *returns .*kretprobe'
}

# A CPU that the test holds up, or that patches all functions in one loop of the kernel's on a slow
# machine, is no report of the kernel's then; nor is one that waits in an NMI. tests/guest/run puts
# this back when the test has ended, and what interrupts_to_first_cpu changes.
stalls_are_expected() {
	local longest=/sys/kernel/debug/x86/nmi_longest_ns
	sysctl -q kernel.watchdog_thresh=60
	echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
	[ ! -e $longest ] || echo 1000000000 >$longest
}

# Before another CPU than the first spins with interrupts off: those of disks must not go there.
interrupts_to_first_cpu() {
	local file
	for file in /proc/irq/*/smp_affinity_list; do
		echo 0 >"$file"
	done 2>/dev/null
}

# The otst and module parameter tests load the module themselves.
module_loaded() {
	holds '^kcatch ' /proc/modules
}

module_reload() {
	! module_loaded || rmmod kcatch || return 1
	insmod "$KCATCH_MODULE" "$@"
}

log_mark() {
	kt_mark="kcatch test mark $RANDOM$RANDOM"
	echo "$kt_mark" >/dev/kmsg
}

# The kernel's log since log_mark, without times.
log_since() {
	dmesg | sed -n "/$kt_mark/,\$p" | sed '1d; s/^\[[^]]*\] *//'
}

# Runs `kcatch record "$@"` in the background; returns when it records. Its messages go
# to err, its process is $recorder.
record_begin() {
	rm -f err
	kcatch record "$@" 2>err &
	recorder=$!
	wait_for eval "holds '^kcatch: recording' err || ! kill -0 $recorder 2>/dev/null"
	holds '^kcatch: recording' err || fail "kcatch record $* begins" "$(cat err)"
}

# Waits for it; sets status and err.
record_end() {
	wait "$recorder"
	status=$?
	err=$(cat err)
}

# Do babeltrace2 and kcatch report read the same out of recording $1? Sets events, as
# babeltrace2 counts entries and events; discarded, as it counts losses.
check_same_in_babeltrace() {
	local said
	babeltrace2 --clock-cycles --no-delta "$1" >bt 2>bt.err
	check_equal "$1: babeltrace2 reads it to the end" "$? $(grep -v -i 'discarded' bt.err)" '0 '
	kcatch report "$1" --format json >report.json 2>report.err
	said=$(python3 "$KT_TOP/tests/guest/support/compare_traces.py" "$1" bt report.json 2>&1) ||
		said+=" (python3 ended with $?)"
	check_match "$1: the same events with the same values ($said)" "$said" \
		'^[1-9][0-9]* events, .* 0 differ$'
	events=$(grep -a -c '^\[[0-9]\{20\}\]' bt)
	events=$((events - $(grep -a -c '^\[[0-9]\{20\}\] [^{]*:return: ' bt)))
	discarded=$(grep -i -o 'discarded [0-9]* event' bt.err | awk '{ n += $2 } END { print n + 0 }')
}
