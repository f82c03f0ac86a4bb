# SPDX-License-Identifier: GPL-2.0-or-later
# Description: packets that rules of nft drop are counted by flow and reason as nft counts them: at
# both ends, by port, of IPv4 and IPv6. What is dropped for another reason is told apart.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
python=$(command -v python3) || skip_all 'no python3 here'
nft list ruleset || skip_all 'no nft here, or no nf_tables'
. "$KT_TOP/tests/guest/support/network.bash"
cleanup() {
	kill $count
	nft delete table inet kt
	network_gone
}
count=

# usage: rules HOOK PORT... - of the family inet, on standard output
rules() {
	printf 'table inet kt {\nchain %s {\ntype filter hook %s priority 0\n' "$1" "$1"
	printf 'udp dport %s counter drop\n' "${@:2}"
	printf '}\n}\n'
}
rules output 7203 | nft -f -
rules input 7200 7201 | peer nft -f -

# usage: counters - standard input: what nft lists. Each port and the packets that were dropped
counters() {
	jq -r '.nftables[].rule | select(.) | .expr | map(add) | "\(.[0].right) \(.[1].packets)"'
}

kcatch count --json -e skb:kfree_skb --by reason,skb.saddr,skb.daddr,skb.dport \
	'skb.proto == udp && skb.dport >= 7200 && skb.dport < 7300' >out 2>err &
count=$!
wait_for counts_or_ended $count
"$python" -IS - <<'END'
import socket
for to, port, times in (('10.9.0.2', 7200, 7), ('fd09::2', 7200, 2), ('10.9.0.2', 7201, 4),
                        ('10.9.0.2', 7202, 3), ('10.9.0.2', 7203, 5)):
    s = socket.socket(socket.AF_INET6 if ':' in to else socket.AF_INET, socket.SOCK_DGRAM)
    for _ in range(times):
        try:
            s.sendto(b'x' * 100, (to, port))
        except OSError:
            pass    # dropped here, or nobody listens, as was said of the one before
END
pause 1
kill -INT $count
wait $count
count=
jq -r 'select(.key) | [(.key | map(. // "-"))[], .count] | join(" ")' out | sort >drops
check_equal 'packets that rules drop, as nft counts them' \
	"$(awk '$1 == "SKB_DROP_REASON_NETFILTER_DROP" { of[$4] += $5 }
		END { for (port in of) print port, of[port] }' drops | sort)" \
	"$({ peer nft -j list ruleset; nft -j list ruleset; } | counters | sort)"
check_equal 'by flow, and those without a rule by their reason' "$(cat drops)" \
	'SKB_DROP_REASON_NETFILTER_DROP 10.9.0.1 10.9.0.2 7200 7
SKB_DROP_REASON_NETFILTER_DROP 10.9.0.1 10.9.0.2 7201 4
SKB_DROP_REASON_NETFILTER_DROP 10.9.0.1 10.9.0.2 7203 5
SKB_DROP_REASON_NETFILTER_DROP fd09::1 fd09::2 7200 2
SKB_DROP_REASON_NO_SOCKET 10.9.0.1 10.9.0.2 7202 3'
