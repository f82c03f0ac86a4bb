# SPDX-License-Identifier: GPL-2.0-or-later
# Description: --tree with a condition that the return decides: the slow call is shown as the root
# of its tree and counts for -n; what ran inside of calls that were not slow is not shown, as a root
# or otherwise; in JSON each inner call has the root as its parent.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
quick() {
	local i
	for ((i = 0; i < 5; i++)); do sleep 0.01; done
}

# usage: slow ARG... - five quick calls, a slow one, five quick ones
slow() {
	catch_begin "$@"
	quick
	sleep 1
	quick
	kill -0 "$kcatch" 2>/dev/null && kill -INT "$kcatch"
	catch_end
}

slow --json -n 1 -c sleep --tree hrtimer_nanosleep schedule 'latency > 500ms'
check_equal 'exit status' "$status" 0
check_equal 'one root, the slow call' \
	"$(jq -r 'select(.function and .parent == 0) | .function' out)" hrtimer_nanosleep
root=$(jq 'select(.function == "hrtimer_nanosleep") | .call' out)
check_equal 'what ran inside has it as its parent' \
	"$(jq -r 'select(.function and .parent != 0) | "\(.function) \(.parent)"' out | sort -u)" \
	"schedule $root"
check_equal 'it is slow' "$(jq 'select(.parent == 0).latency_ns >= 500000000' out)" true
check_equal 'one is counted' "$(jq 'select(.summary).summary.caught' out)" 1

slow -n 0 -c sleep --tree hrtimer_nanosleep schedule 'ret == 12345'
check_equal 'nothing met it: nothing is shown' "$out" ''
check_equal 'nothing met it: exit status' "$status" 2

slow -n 0 --json -c sleep --tree hrtimer_nanosleep schedule 'ret == 0'
check_equal 'all met it: as many roots' \
	"$(jq -c 'select(.function and .parent == 0) | .function' out | wc -l)" 11
check_equal 'all met it: each inner call has one of them' \
	"$(jq -s '[.[] | select(.function and .parent == 0) | .call] as $roots |
		[.[] | select(.function == "schedule") | .parent] | map(IN($roots[])) | all' out)" true
