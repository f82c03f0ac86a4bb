/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * type_text.c - writes a type as C does
 *
 * C writes a type around the declared name: '*' to its left, dimensions and parameters to its
 * right, the base type in front of all. The text is therefore built from the inside: the
 * declarator grows on both sides while the chain of types is followed to the base type.
 */
#include <stdio.h>
#include <string.h>

#include "types/btf_data.h"
#include "types/types.h"

#define TEXT_MAX 256
#define CHAIN_MAX 32
#define NESTED_MAX 2	/* depth of parameter lists within parameter lists */
#define TYPES_MAX 256	/* types followed for one text: more than fit into it */

struct declarator {
	char text[TEXT_MAX];
	size_t length;
	unsigned int *left;	/* number of types that may still be followed */
};

static void put_before(struct declarator *d, const char *text)
{
	size_t length = strlen(text);

	if (d->length + length >= sizeof(d->text))
		return;
	memmove(d->text + length, d->text, d->length + 1);
	memcpy(d->text, text, length);
	d->length += length;
}

static void put_behind(struct declarator *d, const char *text)
{
	size_t length = strlen(text);

	if (d->length + length >= sizeof(d->text))
		return;
	memcpy(d->text + d->length, text, length + 1);
	d->length += length;
}

static void build(struct kcatch_type type, struct declarator *d, int depth);

static void put_parameters(struct kcatch_type proto, struct declarator *d, int depth)
{
	uint32_t i, nr = kcatch_type_nr_members(proto);

	put_behind(d, "(");
	for (i = 0; i < nr && *d->left; i++) {
		struct declarator parameter = { .left = d->left };
		struct kcatch_member member;

		(*d->left)--;
		kcatch_type_member(proto, i, &member);
		if (!member.type.id)
			put_behind(&parameter, "...");
		else if (depth && *d->left)
			build(member.type, &parameter, depth - 1);
		if (i)
			put_behind(d, ", ");
		put_behind(d, parameter.text);
	}
	if (i < nr)
		put_behind(d, i ? ", ..." : "...");
	put_behind(d, nr ? ")" : "void)");
}

/* The base type: behind all pointers, arrays and functions. */
static void put_base(struct kcatch_type type, int kind, const char *qualifiers,
		     struct declarator *d)
{
	const char *word = "", *name = kcatch_type_name(type);

	if (kind == BTF_KIND_STRUCT)
		word = "struct ";
	else if (kind == BTF_KIND_UNION)
		word = "union ";
	else if (kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64)
		word = "enum ";
	else if (kind == BTF_KIND_FWD)
		word = BTF_INFO_KFLAG(kcatch_btf_type(type.btf, type.id)->info) ? "union " : "struct ";
	else if (kind == BTF_KIND_UNKN)
		name = "void";
	if (d->length && d->text[0] != '[')
		put_before(d, " ");
	put_before(d, *name ? name : "{...}");
	put_before(d, word);
	put_before(d, qualifiers);
}

static void build(struct kcatch_type type, struct declarator *d, int depth)
{
	char qualifiers[64] = "", number[24];
	bool points = false;	/* the declarator's outermost operator is a '*' */
	int i;

	for (i = 0; i < CHAIN_MAX && *d->left; i++) {
		const struct btf_type *t = type.id ? kcatch_btf_type(type.btf, type.id) : NULL;
		int kind = t ? BTF_INFO_KIND(t->info) : BTF_KIND_UNKN;

		(*d->left)--;
		switch (kind) {
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
			if (strlen(qualifiers) < sizeof(qualifiers) - 12)
				strcat(qualifiers, kind == BTF_KIND_CONST ? "const " : "volatile ");
			break;
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			break;
		case BTF_KIND_PTR:
			if (*qualifiers && d->length && d->text[0] == '*') {
				put_before(d, qualifiers);
			} else if (*qualifiers) {
				qualifiers[strlen(qualifiers) - 1] = '\0';
				put_before(d, qualifiers);
			}
			qualifiers[0] = '\0';
			put_before(d, "*");
			points = true;
			break;
		case BTF_KIND_ARRAY:
		case BTF_KIND_FUNC_PROTO:
			if (points) {
				put_before(d, "(");
				put_behind(d, ")");
			}
			points = false;
			if (kind == BTF_KIND_ARRAY) {
				snprintf(number, sizeof(number), "[%u]",
					 kcatch_type_nr_elements(type));
				put_behind(d, number);
			} else {
				put_parameters(type, d, depth);
			}
			type = kcatch_type_target(type);
			continue;
		default:
			put_base(type, kind, qualifiers, d);
			return;
		}
		type.id = t->type;
	}
}

size_t kcatch_type_text(struct kcatch_type type, char *text, size_t room)
{
	unsigned int left = TYPES_MAX;
	struct declarator d = { .left = &left };

	build(type, &d, NESTED_MAX);
	if (room)
		snprintf(text, room, "%s", d.text);
	return room ? strlen(text) : 0;
}
