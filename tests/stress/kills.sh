# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch and kcatch record are killed with SIGKILL 1,000 times at random moments.
. "$KT_TOP/tests/stress/support.bash"
cleanup() { traffic_end; }

nr=$(rounds 1000)
armed=0
RANDOM=${KT_SEED:-1}
test_module
traffic_begin
for ((round = 1; round <= nr; round++)); do
	rm -rf recording err
	case $((round % 4)) in
	0) kcatch -n 0 vfs_read >/dev/null 2>err & ;;
	1) kcatch record -o recording -f vfs_read -f vfs_write >/dev/null 2>err & ;;
	2) kcatch -n 0 --entry 'kt_*' ksys_read >/dev/null 2>err & ;;
	3) kcatch record --flight -o recording --stack -f 'vfs_*' >/dev/null 2>err & ;;
	esac
	victim=$!
	# Half of the moments are in the start, half are later.
	if ((round % 8 < 4)); then
		sleep "0.$(printf '%03d' $((RANDOM % 400)))"
	else
		wait_for eval "grep -q '^kcatch: ' err || ! kill -0 $victim 2>/dev/null"
		sleep "0.$(printf '%03d' $((RANDOM % 200)))"
	fi
	! grep -q '^kcatch: \(waiting\|recording\)' err 2>/dev/null || armed=$((armed + 1))
	kill -KILL $victim 2>/dev/null
	wait $victim 2>/dev/null
	progress "killed, $armed of them armed" $round "$nr"
done
check "$nr kills, $armed of them when armed" [ $armed -gt $((nr / 8)) ]
traffic_end
check_nothing_left
