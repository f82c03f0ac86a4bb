# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two machines for tests of packets: the device kt_a here, and kt_b in the network namespace
# kt_peer, with the VLAN 7 (kt_v, kt_w) between them. Source it after lib.bash; the test's
# cleanup calls network_gone.
#
#            here         kt_peer
#   IPv4     10.9.0.1     10.9.0.2
#   IPv6     fd09::1      fd09::2
#   VLAN 7   10.8.0.1     10.8.0.2

ip netns add kt_peer 2>/dev/null || skip_all 'no network namespaces here'
network_gone() { ip netns del kt_peer; }
ip link add kt_a type veth peer name kt_b netns kt_peer || {
	network_gone
	skip_all 'no veth here'
}

# usage: peer COMMAND... - runs it on the other machine
peer() { ip netns exec kt_peer "$@"; }

ip link set lo up
ip addr add 10.9.0.1/24 dev kt_a
ip addr add fd09::1/64 dev kt_a nodad
ip link set kt_a up
peer ip addr add 10.9.0.2/24 dev kt_b
peer ip addr add fd09::2/64 dev kt_b nodad
peer ip link set kt_b up
ip link add link kt_a name kt_v type vlan id 7
ip addr add 10.8.0.1/24 dev kt_v
ip link set kt_v up
peer ip link add link kt_b name kt_w type vlan id 7
peer ip addr add 10.8.0.2/24 dev kt_w
peer ip link set kt_w up
