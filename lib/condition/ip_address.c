/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * ip_address.c - addresses of IPv6 in conditions and keys: two numbers of 64 bits
 *
 * A struct in6_addr is one. Where the other operand of a comparison or of ?: is one, so is a number
 * of 32 bits, which is an address of IPv4 in the order of this machine (::ffff:10.0.0.1).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "base/printable.h"
#include "condition/typing.h"

#define MAPPED 0xffff0000ULL /* bytes 8 to 11 of an address that is one of IPv4 */

static bool is_place(const struct term *term)
{
	return term->kind == TERM_PLACE && term->place.kind == PLACE_MEMORY &&
	       kcatch_type_kind(term->type) == BTF_KIND_STRUCT &&
	       !strcmp(kcatch_type_name(kcatch_type_strip(term->type)), "in6_addr");
}

bool ip_is_address(const struct term *term)
{
	return term->kind == TERM_IP || is_place(term);
}

int ip_term(const struct ir *high, const struct ir *low, struct term *term)
{
	*term = (struct term){ .kind = TERM_IP, .at = term->at, .ir = high, .low = low };
	return high && low ? 0 : -ENOMEM;
}

const struct ir *ip_mapped(struct condition *c, const struct ir *bytes)
{
	bytes = ir_convert(c, ir_convert(c, bytes, false, false), true, false);
	bytes = ir_binary(c, IR_SHL, bytes, ir_const(c, 32, false, true));
	return ir_binary(c, IR_OR, bytes, ir_const(c, MAPPED, true, false));
}

static int of_number(struct condition *c, const struct ir *number, struct term *term)
{
	const struct ir *bytes = number;

	if (number->wide || (number->op == IR_CONST && number->is_signed))
		return term_error(c, EINVAL, term->at,
				  "the other side is an address of IPv6, and this is none");
	while (bytes->op == IR_CONVERT)
		bytes = bytes->left;
	/* As it is in memory. */
	if (bytes->op == IR_SWAP && bytes->bits == 32)
		bytes = bytes->left;
	else if (number->op == IR_CONST)
		bytes = ir_const(c, htonl((uint32_t)number->number), false, false);
	else
		bytes = ir_swap(c, ir_convert(c, number, true, false), 0, 32);
	return ip_term(ir_const(c, 0, true, false), ip_mapped(c, bytes), term);
}

static int of_text(struct condition *c, struct term *term)
{
	uint8_t bytes[16] = { [10] = 0xff, [11] = 0xff };
	uint64_t halves[2];

	if (inet_pton(AF_INET6, term->text, bytes) != 1 &&
	    inet_pton(AF_INET, term->text, bytes + 12) != 1)
		return term_error(c, EINVAL, term->at,
				  "%s is no address; write it like \"2001:db8::1\"",
				  SHOWN(term->text));
	memcpy(halves, bytes, sizeof(halves));
	return ip_term(ir_const(c, halves[0], true, false), ir_const(c, halves[1], true, false),
		       term);
}

int ip_read(struct condition *c, const struct kcatch_expression_node *it, struct term *term)
{
	struct term high = *term, low = *term;
	int ret;

	if (term->kind == TERM_IP)
		return 0;
	if (term->kind == TERM_TEXT)
		return of_text(c, term);
	if (!is_place(term)) {
		ret = condition_number(c, it, term);
		return ret ? ret : of_number(c, term->ir, term);
	}
	low.place.bit_offset += 64;
	ret = term_read_word(c, &high);
	if (!ret)
		ret = term_read_word(c, &low);
	return ret ? ret : ip_term(high.ir, low.ir, term);
}

int ip_compare(struct condition *c, const struct kcatch_expression_node *it, struct term *a,
	       struct term *b, const struct ir **truth)
{
	int ret;

	if (it->op != KCATCH_EX_EQ && it->op != KCATCH_EX_NE)
		return term_error(c, EINVAL, it->at, "addresses of IPv6 are compared by == and !=");
	ret = ip_read(c, it->left, a);
	if (!ret)
		ret = ip_read(c, it->right, b);
	if (ret)
		return ret;
	*truth = ir_truth(c, it->op == KCATCH_EX_EQ ? IR_ALL : IR_ANY,
			  ir_compare(c, it->op, a->ir, b->ir),
			  ir_compare(c, it->op, a->low, b->low));
	return *truth ? 0 : -ENOMEM;
}

int ip_choose(struct condition *c, const struct kcatch_expression_node *it, const struct ir *truth,
	      struct term *a, struct term *b)
{
	int ret = ip_read(c, it->right, a);

	if (!ret)
		ret = ip_read(c, it->third, b);
	return ret ? ret :
		     ip_term(ir_choose(c, IR_CHOOSE, truth, a->ir, b->ir),
			     ir_choose(c, IR_CHOOSE, truth, a->low, b->low), a);
}
