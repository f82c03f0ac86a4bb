# SPDX-License-Identifier: GPL-2.0-or-later
# Description: where the time of a call went (on a CPU, waiting for one, blocked) is what the
# kernel's own accounts of its thread say, live and in a recording, in each output.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
script=$KT_TOP/tests/guest/support/off_cpu.py

ask='count > 1M && count < 20M && comm == "python3"'
kcatch -n 0 --json --no-stack vfs_read ksys_read "$ask" >live 2>live.err &
live=$!
kcatch record -o rec -f vfs_read -f ksys_read "$ask" >rec.out 2>rec.err &
recorder=$!
kcatch count vfs_read "$ask" --by switches --stats blocked --json >counted 2>count.err &
counter=$!
wait_for grep -q waiting live.err
wait_for grep -q recording rec.err
wait_for counts_or_ended $counter
python3 "$script" calls 12 >made
kill -INT $live $recorder $counter
wait $live $recorder $counter
check_equal 'each call is compared' "$(wc -l <made)" 48
differ=$(python3 "$script" compare made live)
check_equal 'live' "$differ" ''
kcatch report rec --format json >recorded 2>/dev/null
differ=$(python3 "$script" compare made recorded)
check_equal 'in a recording' "$differ" ''
# Both sessions have hooked the same calls: the switches of each are the same.
switches() {
	jq -r 'select(.args) | "\(.function // .event) \(.args.count) \(.switches)"' "$1" | sort
}
check_equal 'two sessions tell the same switches' "$(switches live)" "$(switches recorded)"
check_equal 'counted by switches' \
	"$(jq -r 'select(.key) | "\(.key.switches) \(.count)"' counted | sort -n)" \
	"$(jq -r 'select(.function == "vfs_read").switches' live | sort -n | uniq -c |
		awk '{ print $2, $1 }')"
slept=$(jq -r 'select(.args and .blocked_ns > 5000000) | .args.count' recorded | sort -u)
check_equal 'a condition over a recording' \
	"$(kcatch report rec --filter 'blocked > 5ms && switches' --format json 2>/dev/null |
		jq -r 'select(.args) | .args.count' | sort -u)" "$slept"
check_equal 'its rows' "$(kcatch report rec --format rows 2>/dev/null |
	jq -r 'select((.blocked_ns // 0) > 5000000) | .args | fromjson.count' | sort -u)" "$slept"
check_match 'its text' "$(kcatch report rec 2>/dev/null)" \
	'vfs_read\(.*: [0-9.]+ [mu]s on the CPU, .*blocked, switched out (once|[0-9]+ times)'
check_match 'its sums' "$(kcatch report rec --format stats 2>/dev/null)" \
	'spent [0-9.]+ m?s on the CPU \([0-9.]+ %\), [0-9.]+ m?s waiting for one .*, [0-9.]+ m?s blocked'
check_match 'its page' "$(kcatch report rec --format html 2>/dev/null)" \
	'"[0-9.]+ [mu]s on the CPU, [^"]*blocked, switched out'

python3 "$script" calls 1 >/dev/null &
work=$!
kcatch -n 1 vfs_read "$ask && blocked > 5ms && runnable < latency" >out 2>err
check_match 'a condition of a call, and its text' "$? $(cat out)" \
	'^0 .*  spent [0-9.]+ [mu]s on the CPU, .*[0-9.]+ m?s blocked, switched out'
wait $work
kcatch vfs_read..vfs_write --key tid 'blocked > 1ms' >out 2>err
check_match 'of a pair it is refused' "$? $(cat err)" '^1 .*a pair has a latency, but no blocked'
kcatch --entry vfs_read 'blocked > 1ms' >out 2>err
check_match 'and where no return is caught' "$? $(cat err)" '^1 .*the condition uses the return'
