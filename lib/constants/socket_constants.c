/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * socket_constants.c - names of sockets, and of what access() asks for
 *
 * The kernel's headers for programs do not have them. The numbers are those of the C library's
 * headers, which equal the kernel's.
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include "constants/constant_sets.h"

#define N(name) { #name, (int64_t)(name) }
#define LIST(...) ((const struct kcatch_constant[]){ __VA_ARGS__, { NULL, 0 } })

const struct kcatch_constants kcatch_constants_access = {
	.flags = LIST(N(R_OK), N(W_OK), N(X_OK)),
	.zero = "F_OK",
};

const struct kcatch_constants kcatch_constants_family = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(AF_UNSPEC), N(AF_UNIX), N(AF_INET), N(AF_AX25), N(AF_IPX), N(AF_APPLETALK),
		       N(AF_NETROM), N(AF_BRIDGE), N(AF_ATMPVC), N(AF_X25), N(AF_INET6), N(AF_ROSE),
		       N(AF_KEY), N(AF_NETLINK), N(AF_PACKET), N(AF_RDS), N(AF_PPPOX), N(AF_IB),
		       N(AF_MPLS), N(AF_CAN), N(AF_TIPC), N(AF_BLUETOOTH), N(AF_RXRPC),
		       N(AF_PHONET), N(AF_IEEE802154), N(AF_ALG), N(AF_NFC), N(AF_VSOCK), N(AF_KCM),
		       N(AF_QIPCRTR), N(AF_SMC), N(AF_XDP)),
};

const struct kcatch_constants kcatch_constants_ip_protocol = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(IPPROTO_IP), N(IPPROTO_ICMP), N(IPPROTO_IGMP), N(IPPROTO_IPIP),
		       N(IPPROTO_TCP), N(IPPROTO_EGP), N(IPPROTO_PUP), N(IPPROTO_UDP),
		       N(IPPROTO_IDP), N(IPPROTO_TP), N(IPPROTO_DCCP), N(IPPROTO_IPV6),
		       N(IPPROTO_RSVP), N(IPPROTO_GRE), N(IPPROTO_ESP), N(IPPROTO_AH),
		       N(IPPROTO_ICMPV6), N(IPPROTO_MTP), N(IPPROTO_BEETPH), N(IPPROTO_ENCAP),
		       N(IPPROTO_PIM), N(IPPROTO_COMP), N(IPPROTO_SCTP), N(IPPROTO_UDPLITE),
		       N(IPPROTO_MPLS), N(IPPROTO_ETHERNET), N(IPPROTO_RAW), N(IPPROTO_MPTCP)),
};

/* By the names of ip(7), and the type of the frame of what is no IP. */
const struct kcatch_constants kcatch_constants_packet = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST({ "icmp", 1 }, { "igmp", 2 }, { "tcp", 6 }, { "udp", 17 }, { "dccp", 33 },
		       { "gre", 47 }, { "esp", 50 }, { "ah", 51 }, { "icmp6", 58 }, { "sctp", 132 },
		       { "udplite", 136 }, { "arp", 0x0806 }, { "lldp", 0x88cc }),
};

/* By the names of tcpdump. */
const struct kcatch_constants kcatch_constants_tcp_flags = {
	.flags = LIST({ "FIN", 1 }, { "SYN", 2 }, { "RST", 4 }, { "PSH", 8 }, { "ACK", 16 },
		      { "URG", 32 }, { "ECE", 64 }, { "CWR", 128 }),
};

#define SOCKET_FLAGS N(SOCK_CLOEXEC), N(SOCK_NONBLOCK)

/* The kernel's SOCK_TYPE_MASK is that of all types but the flags. */
const struct kcatch_constants kcatch_constants_socket_type = {
	.field = KCATCH_CONSTANT_VALUES & ~(uint64_t)(SOCK_CLOEXEC | SOCK_NONBLOCK),
	.values = LIST(N(SOCK_STREAM), N(SOCK_DGRAM), N(SOCK_RAW), N(SOCK_RDM), N(SOCK_SEQPACKET),
		       N(SOCK_DCCP), N(SOCK_PACKET)),
	.flags = LIST(SOCKET_FLAGS),
};

const struct kcatch_constants kcatch_constants_socket_flags = {
	.flags = LIST(SOCKET_FLAGS),
};

const struct kcatch_constants kcatch_constants_message = {
	.flags = LIST(N(MSG_OOB), N(MSG_PEEK), N(MSG_DONTROUTE), N(MSG_CTRUNC), N(MSG_TRUNC),
		      N(MSG_DONTWAIT), N(MSG_EOR), N(MSG_WAITALL), N(MSG_CONFIRM),
		      N(MSG_ERRQUEUE), N(MSG_NOSIGNAL), N(MSG_MORE), N(MSG_WAITFORONE),
		      N(MSG_FASTOPEN), N(MSG_CMSG_CLOEXEC)),
};

const struct kcatch_constants kcatch_constants_shut = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(SHUT_RD), N(SHUT_WR), N(SHUT_RDWR)),
};

const struct kcatch_constants kcatch_constants_tcp_state = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(TCP_ESTABLISHED), N(TCP_SYN_SENT), N(TCP_SYN_RECV), N(TCP_FIN_WAIT1),
		       N(TCP_FIN_WAIT2), N(TCP_TIME_WAIT), N(TCP_CLOSE), N(TCP_CLOSE_WAIT),
		       N(TCP_LAST_ACK), N(TCP_LISTEN), N(TCP_CLOSING),
		       { "TCP_NEW_SYN_RECV", 12 }), /* include/net/tcp_states.h */
};
