/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* packet.c - what the headers of a packet say */
#include <arpa/inet.h>
#include <net/ethernet.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "constants/constant_sets.h"
#include "fetch/packet.h"

#define UNSET 0xffff /* an offset that is not set */
#define LINK  14     /* bytes of Ethernet's header */
#define TAG   4      /* bytes of the tag of a VLAN in it */

static uint16_t net16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

/* ---- reading --------------------------------------------------------------------- */

/* Of a packet that nobody looked at yet the header is ~0, or 0 with none or a later one of the
 * link. */
static bool is_set(uint16_t network, uint16_t mac)
{
	if (network == UNSET)
		return false;
	return mac == UNSET ? network != 0 : network >= mac;
}

static bool is_tag(uint16_t frame)
{
	return frame == ETHERTYPE_VLAN || frame == 0x88a8;
}

/* The type of a frame whose header has none, or is not there. */
static uint16_t frame_of(const uint8_t *bytes, size_t size)
{
	uint8_t version = size ? bytes[0] >> 4 : 0;

	return version == 4 ? ETHERTYPE_IP : version == 6 ? ETHERTYPE_IPV6 : 0;
}

/* Go from the tag of a VLAN to what is behind it. A packet that is sent may have it before the
 * network header already. @link: bytes from the link's header to that one */
static void skip_tag(const uint8_t **bytes, size_t *size, unsigned int link, uint16_t *frame)
{
	if (link == LINK + TAG) {
		*frame = frame_of(*bytes, *size);
	} else if (link == LINK && *size >= TAG) {
		*frame = net16(*bytes + 2);
		*bytes += TAG;
		*size -= TAG;
	} else {
		*size = 0;
	}
}

static void read_ip4(const uint8_t *bytes, size_t size, struct kcatch_packet_headers *packet)
{
	size_t header = size ? (bytes[0] & 15U) * 4 : 0;

	if (size < 20 || bytes[0] >> 4 != 4 || header < 20)
		return;
	packet->version = 4;
	packet->proto = bytes[9];
	packet->fragment = (net16(bytes + 6) & 0x1fffU) * 8;
	packet->saddr = bytes + 12;
	packet->daddr = bytes + 16;
	if (size >= header) {
		packet->behind = bytes + header;
		packet->left = size - header;
	}
}

/* Is it a header of IPv6 before that of the protocol? *length: its bytes, at least 8 */
static bool is_option(int next, const uint8_t *bytes, size_t *length)
{
	switch (next) {
	case IPPROTO_HOPOPTS:
	case IPPROTO_ROUTING:
	case IPPROTO_DSTOPTS:
	case IPPROTO_MH:
		*length = 8 + bytes[1] * 8U;
		return true;
	case IPPROTO_AH:
		*length = 8 + bytes[1] * 4U;
		return true;
	case IPPROTO_FRAGMENT:
		*length = 8;
		return true;
	}
	return false;
}

static void read_ip6(const uint8_t *bytes, size_t size, struct kcatch_packet_headers *packet)
{
	static const uint8_t none[8];
	size_t at = 40, length;
	int next;

	if (size < 40 || bytes[0] >> 4 != 6)
		return;
	packet->version = 6;
	packet->saddr = bytes + 8;
	packet->daddr = bytes + 24;
	next = bytes[6];
	while (is_option(next, size >= at + 8 ? bytes + at : none, &length)) {
		if (size < at + 8)
			return;
		if (next == IPPROTO_FRAGMENT)
			packet->fragment = net16(bytes + at + 2) & 0xfff8U;
		next = bytes[at];
		/* What is behind a later fragment's header is no header. */
		if (packet->fragment)
			break;
		at += length;
	}
	packet->proto = next;
	if (size >= at) {
		packet->behind = bytes + at;
		packet->left = size - at;
	}
}

void kcatch_packet_read(const uint8_t *bytes, size_t size, uint16_t network, uint16_t mac,
			uint16_t frame, struct kcatch_packet_headers *packet)
{
	*packet = (struct kcatch_packet_headers){ .proto = -1, .vlan = -1, .frame = ntohs(frame) };
	if (!is_set(network, mac))
		return;
	if (is_tag(packet->frame))
		skip_tag(&bytes, &size, mac == UNSET ? 0 : network - mac, &packet->frame);
	else if (!packet->frame)
		packet->frame = frame_of(bytes, size);
	if (packet->frame == ETHERTYPE_IP)
		read_ip4(bytes, size, packet);
	else if (packet->frame == ETHERTYPE_IPV6)
		read_ip6(bytes, size, packet);
	if (!packet->version) {
		packet->behind = packet->frame ? bytes : NULL;
		packet->left = packet->frame ? size : 0;
	} else if (packet->fragment) {
		packet->behind = NULL;
		packet->left = 0;
	}
}

static bool may_have_ports(int proto)
{
	return proto == IPPROTO_TCP || proto == IPPROTO_UDP || proto == IPPROTO_DCCP ||
	       proto == IPPROTO_SCTP || proto == IPPROTO_UDPLITE;
}

bool kcatch_packet_has_ports(const struct kcatch_packet_headers *packet)
{
	return packet->version && may_have_ports(packet->proto) && packet->left >= 4;
}

/* The type of a frame that is no IP, or the protocol in IP. */
static bool find_protocol(const struct kcatch_packet_headers *packet, uint64_t *value)
{
	if (!packet->version) {
		*value = packet->frame;
		return packet->frame && packet->frame != ETHERTYPE_IP &&
		       packet->frame != ETHERTYPE_IPV6;
	}
	*value = (uint64_t)packet->proto;
	return packet->proto >= 0;
}

bool kcatch_packet_field(const struct kcatch_packet_headers *packet, enum kcatch_packet_field field,
			 uint64_t *value)
{
	bool is_low = field == KCATCH_PACKET_SADDR_LOW || field == KCATCH_PACKET_DADDR_LOW;
	uint8_t mapped[16] = { [10] = 0xff, [11] = 0xff };
	const uint8_t *address;

	switch (field) {
	case KCATCH_PACKET_SADDR:
	case KCATCH_PACKET_DADDR:
		address = field == KCATCH_PACKET_SADDR ? packet->saddr : packet->daddr;
		if (packet->version != 4)
			return false;
		*value = (uint32_t)net16(address) << 16 | net16(address + 2);
		return true;
	case KCATCH_PACKET_SPORT:
	case KCATCH_PACKET_DPORT:
		if (!kcatch_packet_has_ports(packet))
			return false;
		*value = net16(packet->behind + (field == KCATCH_PACKET_DPORT ? 2 : 0));
		return true;
	case KCATCH_PACKET_PROTO:
		return find_protocol(packet, value);
	case KCATCH_PACKET_FLAGS:
		if (packet->proto != IPPROTO_TCP || packet->left < 14)
			return false;
		*value = packet->behind[13];
		return true;
	case KCATCH_PACKET_VLAN:
		*value = (uint64_t)packet->vlan;
		return packet->vlan >= 0;
	default:
		address = field < KCATCH_PACKET_DADDR_HIGH ? packet->saddr : packet->daddr;
		if (packet->version == 6) {
			memcpy(value, address + (is_low ? sizeof(*value) : 0), sizeof(*value));
		} else if (packet->version == 4) {
			memcpy(mapped + 12, address, 4);
			memcpy(value, mapped + (is_low ? sizeof(*value) : 0), sizeof(*value));
		}
		return packet->version;
	}
}

/* ---- writing ----------------------------------------------------------------------- */

struct text {
	char *text;
	size_t room, length;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *text, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text->text + text->length, text->room - text->length, format, args);
	va_end(args);
	if (length > 0)
		text->length += (size_t)length;
	if (text->length >= text->room)
		text->length = text->room - 1;
}

/* Where there could be a port that is not known, it is "?": 10.0.0.1:? */
static void add_end(struct text *text, const struct kcatch_packet_headers *packet,
		    const uint8_t *address, size_t port)
{
	bool six = packet->version == 6, ports = may_have_ports(packet->proto) && !packet->fragment;
	char name[INET6_ADDRSTRLEN];

	inet_ntop(six ? AF_INET6 : AF_INET, address, name, sizeof(name));
	add(text, six && ports ? "[%s]" : "%s", name);
	if (kcatch_packet_has_ports(packet))
		add(text, ":%u", net16(packet->behind + port));
	else if (ports)
		add(text, ":?");
}

/* "SYN,ACK" */
static void add_flags(struct text *text, const uint8_t *tcp)
{
	char names[KCATCH_CONSTANTS_TEXT], *bar;

	if (!kcatch_constants_text(&kcatch_constants_tcp_flags, tcp[13], names, sizeof(names)))
		snprintf(names, sizeof(names), "none");
	for (bar = strchr(names, '|'); bar; bar = strchr(bar, '|'))
		*bar = ',';
	add(text, " %s", names);
}

struct message {
	uint8_t type;
	const char *name;
};

/* The types and codes have no names in the kernel's data. What these are called is so in RFC 792,
 * 4443 and 4861. */
static void add_icmp(struct text *text, const struct kcatch_packet_headers *packet)
{
	static const struct message four[] = {
		{ 0, "echo-reply" }, { 3, "unreachable" },    { 5, "redirect" },
		{ 8, "echo" },       { 11, "time-exceeded" }, { 0, NULL },
	};
	static const struct message six[] = {
		{ 1, "unreachable" },
		{ 2, "packet-too-big" },
		{ 3, "time-exceeded" },
		{ 128, "echo" },
		{ 129, "echo-reply" },
		{ 133, "router-solicitation" },
		{ 134, "router-advertisement" },
		{ 135, "neighbor-solicitation" },
		{ 136, "neighbor-advertisement" },
		{ 137, "redirect" },
		{ 0, NULL },
	};
	const struct message *it = packet->proto == IPPROTO_ICMP ? four : six;

	for (; it->name; it++)
		if (it->type == packet->behind[0])
			break;
	if (it->name)
		add(text, " %s", it->name);
	else
		add(text, " type=%u", packet->behind[0]);
	if (packet->behind[1])
		add(text, " code=%u", packet->behind[1]);
}

static void add_protocol(struct text *text, const struct kcatch_packet_headers *packet)
{
	char name[KCATCH_CONSTANTS_TEXT];

	if (packet->proto < 0)
		return;
	if (kcatch_constants_text(&kcatch_constants_packet, (uint64_t)packet->proto, name,
				  sizeof(name)))
		add(text, " %s", name);
	else
		add(text, " proto=%d", packet->proto);
	if (packet->fragment)
		add(text, " fragment at %u", packet->fragment);
	else if (packet->proto == IPPROTO_TCP && packet->left >= 14)
		add_flags(text, packet->behind);
	else if ((packet->proto == IPPROTO_ICMP || packet->proto == IPPROTO_ICMPV6) &&
		 packet->left >= 2)
		add_icmp(text, packet);
}

/* Of Ethernet and IPv4: "arp who-has 10.0.0.2 tell 10.0.0.1" */
static void add_arp(struct text *text, const struct kcatch_packet_headers *packet)
{
	static const uint8_t kinds[] = { 0, 1, 8, 0, 6, 4 };
	const uint8_t *arp = packet->behind;
	char from[INET_ADDRSTRLEN], to[INET_ADDRSTRLEN];

	add(text, "arp");
	if (packet->left < 28 || memcmp(arp, kinds, sizeof(kinds)) != 0)
		return;
	inet_ntop(AF_INET, arp + 14, from, sizeof(from));
	inet_ntop(AF_INET, arp + 24, to, sizeof(to));
	if (net16(arp + 6) == 1)
		add(text, " who-has %s tell %s", to, from);
	else if (net16(arp + 6) == 2)
		add(text, " %s is-at %02x:%02x:%02x:%02x:%02x:%02x", from, arp[8], arp[9], arp[10],
		    arp[11], arp[12], arp[13]);
}

static void add_frame(struct text *text, const struct kcatch_packet_headers *packet)
{
	char name[KCATCH_CONSTANTS_TEXT];

	if (packet->frame == ETHERTYPE_ARP)
		add_arp(text, packet);
	else if (packet->frame == ETHERTYPE_IP)
		add(text, "ip");
	else if (packet->frame == ETHERTYPE_IPV6)
		add(text, "ip6");
	else if (is_tag(packet->frame))
		add(text, "vlan");
	else if (kcatch_constants_text(&kcatch_constants_packet, packet->frame, name, sizeof(name)))
		add(text, "%s", name);
	else if (packet->frame)
		add(text, "frame=0x%04x", packet->frame);
}

size_t kcatch_packet_text(const struct kcatch_packet_headers *packet, char *text, size_t room)
{
	struct text out = { .text = text, .room = room };

	if (packet->version) {
		add_end(&out, packet, packet->saddr, 0);
		add(&out, " > ");
		add_end(&out, packet, packet->daddr, 2);
		add_protocol(&out, packet);
	} else {
		add_frame(&out, packet);
	}
	return out.length;
}
