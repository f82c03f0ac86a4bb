# SPDX-License-Identifier: GPL-2.0-or-later
# Description: conditions and keys that look into packets tell those apart that were sent: a port
# behind a pointer that is computed, at the call and at its return; an address that cannot be read
# leaves them undecided.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
ip link set lo up || skip_all 'no loopback device here'
port='*(u16 *)(skb->head + skb->transport_header + 2)'
udp='((struct iphdr *)(skb->head + skb->network_header))->protocol == 17'

# usage: send PORT COUNT - sends datagrams, which nobody reads
send() {
	local i
	for ((i = 0; i < $2; i++)); do
		echo x >"/dev/udp/127.0.0.1/$1"
	done 2>send.errors
}

# usage: begin NUMBER ARG... - runs kcatch until the packets are sent
begin() {
	kcatch "${@:2}" >"out.$1" 2>"err.$1" &
	catches[$1]=$!
}

# usage: counted NUMBER - its rows: key count
counted() {
	jq -r 'select(.key) | "\(.key[]) \(.count)"' "out.$1" | sort -n | tr '\n' ' '
}

catches=()
begin 0 --json --no-stack -n 0 __netif_rx "$port == 0x0a1a && $udp"
begin 1 --json --no-stack -n 0 __netif_rx "skb->head[skb->transport_header + 3] == 11 && $udp && ret == 0"
begin 2 count --json __netif_rx --by "$port" "$udp"
begin 3 count --json __netif_rx --by "$port >> 8" --hist latency "$udp && latency > 0"
begin 4 --json --no-stack -n 0 __netif_rx "*(u16 *)(skb->head + ((u64)skb->len << 47)) == 1"
for i in "${!catches[@]}"; do
	wait_for counts_or_ended "${catches[$i]}"
done
send 6666 3
send 6667 5
kill -INT "${catches[@]}"
for i in "${!catches[@]}"; do
	wait "${catches[i]}"
	statuses[$i]=$?
done
check_equal 'a port by a computed pointer' "$(grep -c '"function":' out.0)" 3
check_equal 'decided at the return' "$(grep -c '"function":' out.1)" 5
check_equal 'a port as a key' "$(counted 2)" "$((0x0a1a)) 3 $((0x0b1a)) 5 "
check_equal 'kept until the return' "$(counted 3)" '10 3 11 5 '
check_equal 'what cannot be read is not known' "${statuses[4]} $(grep -c '"function":' out.4)" '3 0'
check_match 'and counts as undecided' "$(tail -n 1 err.4)" 'undecided'
