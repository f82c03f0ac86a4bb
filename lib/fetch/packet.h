/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * packet.h - what the headers of a packet say
 *
 * The bytes come from the network header of a struct sk_buff on, as far as its linear part has them
 * and they were fetched. Nothing is taken from beyond them: what they do not tell is not known.
 */
#ifndef LIB_FETCH_PACKET_H
#define LIB_FETCH_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KCATCH_PACKET_SIZE 80  /* bytes of headers that are fetched */
#define KCATCH_PACKET_TEXT 200 /* bytes that suffice for any text */

/**
 * struct kcatch_packet_headers - what is known of a packet
 * @version: 4, 6: of IP; 0: it is no IP, or its header is not there
 * @frame: type of the frame; 0: not known
 * @proto: number of the protocol in IP; -1: not known
 * @fragment: where it begins in a packet that was taken apart, bytes; 0 of others and the first one
 * @saddr: its source; NULL: not known
 * @daddr: its destination
 * @behind: what is behind all headers of IP; NULL: not known
 * @left: bytes there
 * @vlan: number of the VLAN that the kernel keeps beside the packet; -1: none is known
 */
struct kcatch_packet_headers {
	uint8_t version;
	uint16_t frame;
	int proto;
	uint32_t fragment;
	const uint8_t *saddr, *daddr, *behind;
	size_t left;
	int vlan;
};

/* What the words of conditions ask for, in their order (condition/packet_words.c). */
enum kcatch_packet_field {
	KCATCH_PACKET_SADDR, /* of IPv4 */
	KCATCH_PACKET_DADDR,
	KCATCH_PACKET_SPORT,
	KCATCH_PACKET_DPORT,
	KCATCH_PACKET_PROTO, /* or the type of the frame of what is no IP */
	KCATCH_PACKET_FLAGS, /* of TCP */
	KCATCH_PACKET_VLAN,
	/* Of IPv6, as two numbers in the order of memory; of IPv4 that which it is mapped to. */
	KCATCH_PACKET_SADDR_HIGH,
	KCATCH_PACKET_SADDR_LOW,
	KCATCH_PACKET_DADDR_HIGH,
	KCATCH_PACKET_DADDR_LOW,
};

/**
 * kcatch_packet_read - read the headers
 * @bytes: from the network header on
 * @size: number of bytes
 * @network: the network header's offset, as in struct sk_buff
 * @mac: the one of the link's header
 * @frame: protocol of the struct sk_buff, in network order
 * @packet: receives what is known
 */
void kcatch_packet_read(const uint8_t *bytes, size_t size, uint16_t network, uint16_t mac,
			uint16_t frame, struct kcatch_packet_headers *packet);

/** kcatch_packet_has_ports - whether what is behind the headers of IP begins with two ports */
bool kcatch_packet_has_ports(const struct kcatch_packet_headers *packet);

/** kcatch_packet_field - one number of it. Return: whether it is known */
bool kcatch_packet_field(const struct kcatch_packet_headers *packet, enum kcatch_packet_field field,
			 uint64_t *value);

/** kcatch_packet_text - write it: "10.0.0.1:443 > 10.0.0.2:55122 tcp SYN,ACK". @room: at least
 * KCATCH_PACKET_TEXT bytes. Return: length of the text; 0: nothing is known */
size_t kcatch_packet_text(const struct kcatch_packet_headers *packet, char *text, size_t room);

#endif
