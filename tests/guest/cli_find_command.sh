# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a word that is no function leads to what was meant: a command, a tracepoint, a module
# that is not loaded, kcatch's own way to say what another tool says; and kcatch tells its commands.
# Gate: newest
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
if modinfo btrfs >/dev/null 2>&1 && [ ! -d /sys/module/btrfs ]; then
	says 'a pattern of a module that is not loaded' \
		"module btrfs is not loaded: modprobe btrfs, or wait for it: kcatch 'btrfs:btrfs_\*'" \
		'btrfs_*'
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
