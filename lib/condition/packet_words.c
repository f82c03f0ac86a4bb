/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * packet_words.c - words for what is in the headers of a packet: skb.dport
 *
 * A word is an expression of the language, in which skb is the pointer before the dot. What it
 * reads lies between the packet's header offsets and the end of its linear part; where the offsets
 * are not set, or the packet has no such field, an address is 0, from which nothing is known.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "condition/typing.h"
#include "constants/constant_sets.h"

typedef const struct kcatch_expression_node node;

/* clang-format off */
#define BYTE(bytes)	"*(u8 *)(at + " bytes ")"
#define OPTIONS		"(" BYTE("0") " & 15) * 4"
#define NOT_KNOWN	"*(u8 *)0"
/* The protocol of the link's header is that of IP, or not set yet. */
#define MAY_BE(frame)	"(skb->protocol == " frame " || skb->protocol == 0)"

/*
 * Numbers that the words have in common: each is computed once. ?: is shorter than &&, which asks
 * for what is behind something that is not known.
 */
static const struct packet_part {
	const char *name, *text;
} packet_parts[] = {
	/* the address of the network header */
	{ "at", "(u64)skb->head + skb->network_header" },
	/* Bytes from there on. Of a packet that nobody looked at yet the header is ~0, or 0 with
	 * none or a later one of the link. */
	{ "there",
	  "skb->network_header == 0xffff ? 0 : "
	  "(skb->mac_header == 0xffff ? skb->network_header == 0 : "
	  "skb->network_header < skb->mac_header) ? 0 : (int)skb->tail - skb->network_header" },
	/* 4, 6; 0: it is no IP, or its header is not there */
	{ "version",
	  "there < 20 ? 0 : "
	  BYTE("0") " >> 4 == 4 ? " MAY_BE("0x0800") " ? (" BYTE("0") " & 15) >= 5 ? 4 : 0 : 0 : "
	  BYTE("0") " >> 4 == 6 ? " MAY_BE("0x86dd") " ? there >= 40 ? 6 : 0 : 0 : 0" },
	/* the address of a header of IPv6; 0: it is none, and nothing is known from there on */
	{ "at6", "version == 6 ? at : 0" },
	/* the protocol behind the header of IP, or the type of the frame */
	{ "next",
	  "version == 4 ? " BYTE("9") " : version == 6 ? " BYTE("6") " : "
	  "skb->protocol == 0 || skb->protocol == 0x0800 || skb->protocol == 0x86dd ? "
	  NOT_KNOWN " : skb->protocol" },
	/* The address of both; 0: there are none. TCP, UDP, DCCP, SCTP and UDP-Lite begin with
	 * them, and a later fragment does not. */
	{ "ports",
	  "next == 6 || next == 17 || next == 33 || next == 132 || next == 136 ? "
	  "version == 6 ? there >= 44 ? at + 40 : 0 : (*(__be16 *)(at + 6) & 0x1fff) != 0 ? 0 : "
	  "there >= " OPTIONS " + 4 ? at + " OPTIONS " : 0 : 0" },
};

#define ADDRESS		{ .kind = KCATCH_NUMBER_IPV4 }
#define LAST(six, four)	"*(u64 *)(version == 4 ? at + " four " : at6 + " six ")"
#define LOW(six, four)                                                        \
	"version == 4 ? " LAST(six, four) " >> 32 << 32 | 0xffff0000 : "      \
	LAST(six, four)

/* In the order of KCATCH_PACKET_*, which are what recordings have. */
static const struct packet_word {
	const char *name;
	struct kcatch_number_form form;
	const char *text, *old;		/* @old: where the kernel has a bit vlan_present */
} packet_words[] = {
	{ "saddr", ADDRESS, "*(__be32 *)(version == 4 ? at + 12 : 0)", NULL },
	{ "daddr", ADDRESS, "*(__be32 *)(version == 4 ? at + 16 : 0)", NULL },
	{ "sport", { 0 }, "*(__be16 *)ports", NULL },
	{ "dport", { 0 }, "*(__be16 *)(ports + 2)", NULL },
	/* Headers of IPv6 before that of the protocol: hop-by-hop, routing, fragment, AH,
	 * destination, mobility. */
	{ "proto", { .constants = &kcatch_constants_packet },
	  "version == 6 && (next == 0 || next == 43 || next == 44 || next == 51 || next == 60 || "
	  "next == 135) ? " NOT_KNOWN " : (int)next", NULL },
	{ "flags", { .constants = &kcatch_constants_tcp_flags },
	  "*(u8 *)(next == 6 ? there >= ports - at + 14 ? ports + 13 : 0 : 0)", NULL },
	{ "vlan", { 0 },
	  "skb->vlan_all ? skb->vlan_tci & 0xfff : " NOT_KNOWN,
	  "skb->vlan_present ? skb->vlan_tci & 0xfff : " NOT_KNOWN },
	/* Halves of the address of IPv6, and of that which one of IPv4 is mapped to. */
	{ "saddr.high", { 0 }, "version == 4 ? 0 : *(u64 *)(at6 + 8)", NULL },
	{ "saddr.low", { 0 }, LOW("16", "8"), NULL },
	{ "daddr.high", { 0 }, "version == 4 ? 0 : *(u64 *)(at6 + 24)", NULL },
	{ "daddr.low", { 0 }, LOW("32", "12"), NULL },
};

#define WORDS (sizeof(packet_words) / sizeof(packet_words[0]))
_Static_assert(WORDS == KCATCH_PACKET_DADDR_LOW + 1, "a word for each KCATCH_PACKET_*");
/* clang-format on */

bool packet_protocol(const char *name, int64_t *number)
{
	return kcatch_constants_number(&kcatch_constants_packet, name, number);
}

bool packet_is_protocol(const struct term *term)
{
	return term->form && term->form->constants == &kcatch_constants_packet;
}

/* The struct sk_buff that a term points to. Returns whether it does. */
static bool packet_of(const struct term *term, struct kcatch_type *type)
{
	if (term->kind == TERM_PLACE && kcatch_type_is_pointer(term->type))
		*type = kcatch_type_strip(kcatch_type_target(term->type));
	else if (term->kind == TERM_POINTER)
		*type = kcatch_type_strip(term->type);
	else
		return false;
	return !strcmp(kcatch_type_name(*type), "sk_buff");
}

static int no_word(struct condition *c, node *it)
{
	char names[100] = "";
	size_t i;

	for (i = 0; i <= KCATCH_PACKET_VLAN; i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s.%s",
			 i ? ", " : "", packet_words[i].name);
	return term_error(c, ENOENT, it->at,
			  "a packet has no .%s; there are %s, and its members behind ->", it->text,
			  names);
}

/* All of it stands where the word does. */
static void place_at(const struct kcatch_expression_node *it, uint32_t at)
{
	if (!it)
		return;
	((struct kcatch_expression_node *)it)->at = at;
	place_at(it->left, at);
	place_at(it->right, at);
	place_at(it->third, at);
}

static int type_truth(struct condition *c, node *it, const char *text, struct term *term)
{
	const struct term packet = *term, *outer = c->packet;
	uint32_t nr_notes = c->notes.nr;
	struct kcatch_expression *word;
	int ret = kcatch_expression_parse(text, &word);

	if (ret)
		return ret;
	place_at(word->root, it->at);
	c->packet = &packet;
	ret = condition_term(c, word->root, term);
	c->packet = outer;
	c->notes.nr = nr_notes;
	kcatch_expression_destroy(word);
	return ret;
}

static int type_word(struct condition *c, node *it, const char *text, struct term *term)
{
	int ret = type_truth(c, it, text, term);

	return ret ? ret : condition_number(c, it, term);
}

/* What it is becomes an item of its own, so that it is computed once, at the entry. */
static int type_kept(struct condition *c, node *it, const char *text, struct term *term)
{
	int ret = type_word(c, it, text, term), item;
	bool wide, is_signed;

	if (ret)
		return ret;
	wide = term->ir->wide;
	is_signed = term->ir->is_signed;
	item = item_find_computed(c, ir_convert(c, term->ir, true, is_signed), 0);
	if (item == -E2BIG)
		return term_error(c, EINVAL, it->at, "too much is computed; ask for less");
	if (item < 0)
		return item;
	*term = (struct term){ .kind = TERM_NUMBER, .at = it->at };
	term->ir = ir_make(c, (struct ir){ .op = IR_LOAD,
					   .wide = true,
					   .is_signed = is_signed,
					   .at = it->at,
					   .item = item });
	term->ir = ir_convert(c, term->ir, wide, is_signed);
	return term->ir ? 0 : -ENOMEM;
}

bool packet_name(struct condition *c, node *it, struct term *term, int *ret)
{
	size_t i;

	if (!c->packet)
		return false;
	*term = *c->packet;
	*ret = 0;
	if (!strcmp(it->text, "skb"))
		return true;
	for (i = 0; i < sizeof(packet_parts) / sizeof(packet_parts[0]); i++) {
		if (!strcmp(packet_parts[i].name, it->text)) {
			*ret = type_kept(c, it, packet_parts[i].text, term);
			return true;
		}
	}
	*term = (struct term){ .at = it->at };
	return false;
}

/* The number of a word, of the packet that @term is. */
static int type_header(struct condition *c, node *it, enum kcatch_packet_field field,
		       struct kcatch_type type, struct term *term)
{
	const struct packet_word *word = &packet_words[field];
	bool wide = field >= KCATCH_PACKET_SADDR_HIGH, is_address = field <= KCATCH_PACKET_DADDR;
	struct kcatch_member old;
	int ret;

	if (c->recorded) {
		ret = recorded_packet(c, it, field, term);
		if (!ret)
			term->ir = ir_convert(c, term->ir, wide, !wide && !is_address);
		term->chain = NULL;
	} else if (wide) {
		/* A key, which is put at once. */
		ret = type_word(c, it, word->text, term);
	} else {
		ret = type_kept(c, it,
				word->old && !kcatch_type_find(type, "vlan_present", &old) ?
					word->old :
					word->text,
				term);
	}
	if (!ret)
		term->form = kcatch_number_has_form(&word->form) ? &word->form : NULL;
	return ret ? ret : term->ir ? 0 : -ENOMEM;
}

bool packet_type(struct condition *c, node *it, struct term *term, int *ret)
{
	struct kcatch_type type;
	uint32_t i;

	if (!packet_of(term, &type))
		return false;
	for (i = 0; i <= KCATCH_PACKET_VLAN; i++)
		if (!strcmp(packet_words[i].name, it->text))
			break;
	*ret = i > KCATCH_PACKET_VLAN ? no_word(c, it) :
					type_header(c, it, (enum kcatch_packet_field)i, type, term);
	return true;
}

/* Whether it is a word for an address; the packet is @term then. */
static bool is_address(struct condition *c, node *it, struct term *term)
{
	struct kcatch_type type;

	*term = (struct term){ .at = it->at };
	return it->op == KCATCH_EX_MEMBER &&
	       (!strcmp(it->text, "saddr") || !strcmp(it->text, "daddr")) &&
	       (it->left->op != KCATCH_EX_NAME || strcmp(it->left->text, "arg")) &&
	       !condition_term(c, it->left, term) && packet_of(term, &type);
}

bool packet_address(struct condition *c, node *it, struct term *term, int *ret)
{
	enum kcatch_packet_field field;
	struct kcatch_type type;
	struct term high, low;

	if (!is_address(c, it, &high))
		return false;
	packet_of(&high, &type);
	low = high;
	field = *it->text == 's' ? KCATCH_PACKET_SADDR_HIGH : KCATCH_PACKET_DADDR_HIGH;
	*ret = type_header(c, it, field, type, &high);
	if (!*ret)
		*ret = type_header(c, it, field + 1, type, &low);
	if (!*ret)
		*ret = ip_term(high.ir, low.ir, term);
	return true;
}

/* The truth of a packet's address being the one of @bytes; the packet is @term. */
static int type_equal(struct condition *c, node *word, const uint8_t *bytes, struct term *term)
{
	const bool is_source = *word->text == 's';
	char text[240], four[80] = "1 == 0";
	uint64_t halves[2];

	memcpy(halves, bytes, sizeof(halves));
	if (IN6_IS_ADDR_V4MAPPED((const struct in6_addr *)bytes))
		snprintf(four, sizeof(four), "*(u32 *)(at + %d) == %#xu", is_source ? 12 : 16,
			 (unsigned int)(halves[1] >> 32));
	snprintf(text, sizeof(text),
		 "version == 4 ? %s : *(u64 *)(at6 + %d) == %#" PRIx64
		 "ul && *(u64 *)(at6 + %d) == %#" PRIx64 "ul",
		 four, is_source ? 8 : 24, halves[0], is_source ? 16 : 32, halves[1]);
	return type_truth(c, word, text, term);
}

bool packet_compare(struct condition *c, node *it, const struct term *literal, struct term *term,
		    int *ret)
{
	node *word = it->left->op == KCATCH_EX_MEMBER ? it->left : it->right;
	struct term packet, other = *literal;
	const struct ir *truth = NULL;
	_Alignas(8) uint8_t bytes[16];

	if ((it->op != KCATCH_EX_EQ && it->op != KCATCH_EX_NE) ||
	    inet_pton(AF_INET6, literal->text, bytes) != 1 || !is_address(c, word, &packet))
		return false;
	if (c->recorded) {
		packet_address(c, word, &packet, ret);
		if (!*ret)
			*ret = ip_compare(c, it, &packet, &other, &truth);
	} else {
		*ret = type_equal(c, word, bytes, &packet);
		truth = packet.ir;
		if (!*ret && it->op == KCATCH_EX_NE)
			truth = ir_truth(c, IR_NOT, truth, NULL);
	}
	*term = (struct term){ .kind = TERM_TRUTH, .at = it->at, .ir = truth };
	if (!*ret && !truth)
		*ret = -ENOMEM;
	return true;
}
