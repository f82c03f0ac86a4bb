# SPDX-License-Identifier: GPL-2.0-or-later
# Description: bpftrace's maps have the same numbers as kcatch count of the same calls: by two keys,
# by the caller, sums, and a histogram at the return.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
command -v bpftrace >/dev/null || skip_all 'no bpftrace here'
head -c 70000 /dev/zero >count_me

cat >script <<'END'
kprobe:vfs_read /comm == "dd"/ {
	@keys[arg2] = count();
	@sums = sum(arg2);
}
kretprobe:vfs_read /comm == "dd"/ {
	@hist = hist(retval);
	@least = min(retval);
	@most = max(retval);
}
END
bpftrace -f json script >peer 2>peer.err &
peer=$!
attached() {
	[ "$(grep -c . /sys/kernel/debug/kprobes/list)" -ge 2 ] || ! kill -0 $peer 2>/dev/null
}
peer_gets_to $peer attached || peer_stands_still $peer 'does not attach'
kill -0 $peer 2>/dev/null || skip_all "bpftrace does not attach: $(head -n 1 peer.err)"

kcatch count vfs_read -c dd --by count --stats count --json >keys 2>keys.err &
keys=$!
kcatch count vfs_read -c dd --hist ret --json >hist 2>hist.err &
hist=$!
wait_for counts_or_ended $keys
wait_for counts_or_ended $hist
for size in 3 40 500 6000 70000; do
	dd if=count_me of=/dev/null bs=$size count=$((100000 / size + 3)) 2>/dev/null
done
kill -INT $keys $hist
wait $keys $hist
peer_ends $peer

# usage: of_peer MAP FILTER - what bpftrace has in a map
of_peer() {
	jq -r "select(.data | objects | has(\"$1\")) | .data[\"$1\"] | $2" peer
}
check 'there are keys, one of each size' \
	[ "$(jq -r 'select(.key) | .key.count' keys | grep -cxE '3|40|500|6000|70000')" -eq 5 ]
check_equal 'by a key: each has the same count' \
	"$(jq -r 'select(.key) | "\(.key.count) \(.count)"' keys | sort -n)" \
	"$(of_peer @keys 'to_entries[] | "\(.key) \(.value)"' | sort -n)"
check_equal 'the sum' "$(jq -s 'map(select(.key) | .sum) | add' keys)" "$(of_peer @sums .)"
check_equal 'the smallest' "$(jq 'select(.key) | .min' hist)" "$(of_peer @least .)"
check_equal 'the largest' "$(jq 'select(.key) | .max' hist)" "$(of_peer @most .)"
# Buckets of bpftrace are powers of two; each of ours lies in one of them.
check_equal 'the histogram' \
	"$(jq -r 'select(.key) | .hist[] | "\(.[0]) \(.[2])"' hist |
		awk '{ for (low = 1; 2 * low <= $1; low *= 2); sum[$1 ? low : 0] += $2 }
			END { for (low in sum) print low, sum[low] }' | sort -n)" \
	"$(of_peer @hist '.[] | "\(.min // 0) \(.count)"' | awk '$2' | sort -n)"
check_unhooked 'nothing is hooked any more'
