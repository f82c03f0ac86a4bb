# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the troubleshooting guide's arp_probe as one command: for an ARP request
# between two network namespaces, arp_process with what it does underneath:
# ip_route_input_slow, fib_validate_source and fib_table_lookup with arguments and
# results, nested in call order.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
modprobe veth || skip_all 'no veth here'
grep -q ' arp_process$' /proc/kallsyms || skip_all 'the compiler changed the arguments of arp_process'
cleanup() { ip netns del kt_one; ip netns del kt_two; }

check 'two namespaces and a pair' eval 'ip netns add kt_one && ip netns add kt_two &&
	ip link add kt_a netns kt_one type veth peer name kt_b netns kt_two'
ip -n kt_one address add 10.99.0.1/24 dev kt_a
ip -n kt_two address add 10.99.0.2/24 dev kt_b
ip -n kt_one link set lo up
ip -n kt_two link set lo up
ip -n kt_one link set kt_a up
ip -n kt_two link set kt_b up

# One datagram needs an answer to its ARP request first. The first arp_process is the one
# that gets the request; the answer makes a second.
probe() {
	catch_begin "$@" -t 300 --tree arp_process ip_route_input_slow \
		fib_validate_source fib_table_lookup || return
	ip -n kt_one neighbour flush all
	ip netns exec kt_one bash -c 'echo hello >/dev/udp/10.99.0.2/9'
	catch_end
}

probe --json
check_equal 'caught' "$status" 0
check_equal 'arp_process is the outermost' \
	"$(jq -rs 'map(select(.function))[0] | "\(.function) \(.level) \(.parent)"' out)" 'arp_process 0 0'
check_equal 'one call of it' "$(jq -rs 'map(select(.function == "arp_process")) | length' out)" 1
check_match 'the packet with its device' \
	"$(jq -c 'select(.function == "arp_process") | .args.skb' out)" 'kt_b'
check_equal 'it returned' \
	"$(jq -r 'select(.function == "arp_process") | .latency_ns > 0' out)" true
check_equal 'the route is looked for from inside of it' "$(jq -rs 'map(select(.function)) |
	(map(select(.function == "arp_process"))[0].call) as $root |
	map(select(.function == "ip_route_input_slow"))[0].parent == $root' out)" true
check_equal 'fib_validate_source is under ip_route_input_slow' "$(jq -rs 'map(select(.function)) |
	(map(select(.function == "ip_route_input_slow"))[0].call) as $slow |
	map(select(.function == "fib_validate_source"))[0].parent == $slow' out)" true
check_equal 'its result' \
	"$(jq -r 'select(.function == "fib_validate_source") | .ret' out | head -n 1)" 0
check_equal 'the addresses of the request, as numbers of this machine and as text' "$(jq -r '
	select(.function == "ip_route_input_slow") | "\(.args.saddr) \(.args_text.saddr) " +
	"\(.args.daddr) \(.args_text.daddr)"' out | head -n 1)" \
	"$(((10 << 24) + (99 << 16) + 1)) 10.99.0.1 $(((10 << 24) + (99 << 16) + 2)) 10.99.0.2"
check_equal 'the lookup says what kind of route: local is 2' "$(jq -rs '
	map(select(.function == "fib_table_lookup" and .ret == 0))[0].args_at_return.res.type' out)" 2
check_equal 'calls come in the order they were made' \
	"$(jq -rs 'map(select(.function).time_ns) | . == sort' out)" true

probe
check_equal 'as text: caught' "$status" 0
check_match 'as text: a tree' "$out" 'arp_process\(.*ip_route_input_slow\(.*fib_validate_source\('
check_match 'as text: indented' "$out" $'(us|ns|ms) *  ip_route_input_slow\\('
check_match 'as text: the result type' "$out" 'res=\{[^}]*type: [0-9]+ => 2'
