/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * ctf_types.c - declares the values that a plan fetches as CTF types
 *
 * CTF has no offsets: a field begins where the previous one ends, aligned. A gap between members
 * that alignment does not explain becomes a field of its own. CTF unions need a tag, so C unions
 * are declared as bytes. Types may come from a malicious module: the size of the output is
 * bounded by the bytes fetched.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "fetch/plan_data.h"
#include "recording/ctf_types.h"

#define NAME_MAX_BYTES 120
#define NESTED_MAX 12
#define ENUM_VALUES_MAX 1024

void kcatch_ctf_deinit(struct kcatch_ctf *ctf)
{
	size_t i;

	for (i = 0; i < ctf->enums.count; i++)
		free((void *)ctf->enums.entries[i].key);
	kcatch_table_deinit(&ctf->enums);
}

/* s32, u32, x32 (shown as hexadecimal), be32 (network byte order) with their own alignment; s32_w
 * aligned to a word, s32_b to a byte. */
void kcatch_ctf_prelude(struct kcatch_ctf *ctf)
{
	static const struct { const char *end; int align; } aligns[] = {
		{ "", 0 }, { "_w", 64 }, { "_b", 8 } };
	int size, i;

	for (size = 8; size <= 64; size *= 2) {
		for (i = 0; i < 3; i++) {
			int align = aligns[i].align ? aligns[i].align : size;

			fprintf(ctf->out, "typealias integer { size = %d; align = %d; signed = false; } := u%d%s;\n",
				size, align, size, aligns[i].end);
			fprintf(ctf->out, "typealias integer { size = %d; align = %d; signed = true; } := s%d%s;\n",
				size, align, size, aligns[i].end);
			fprintf(ctf->out, "typealias integer { size = %d; align = %d; signed = false; base = 16; } "
				":= x%d%s;\n", size, align, size, aligns[i].end);
			fprintf(ctf->out,
				"typealias integer { size = %d; align = %d; signed = false; byte_order = be; } "
				":= be%d%s;\n",
				size, align, size, aligns[i].end);
		}
	}
	fputs("typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := text8;\n\n",
	      ctf->out);
}

/* ---- names -------------------------------------------------------------------- */

/* Only what TSDL takes as an identifier. */
static void put_plain(FILE *out, const char *name)
{
	size_t i;

	for (i = 0; name[i] && i < NAME_MAX_BYTES; i++) {
		char c = name[i];
		bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9') || c == '_';

		fputc(good ? c : '_', out);
	}
}

static const char *bare(const char *name)
{
	return name + strspn(name, "_");
}

bool kcatch_ctf_same_name(const char *name, const char *other)
{
	return !strcmp(bare(name), bare(other));
}

void kcatch_ctf_name(FILE *out, const char *name)
{
	fputc('_', out);
	put_plain(out, name);
}

/*
 * The field that says how long another one is. Babeltrace 2.0.4 does not find such a one in
 * a struct with a name when it begins with an underscore; no keyword ends like this.
 */
static void put_length_name(FILE *out, const char *name)
{
	if (*name == '_')
		fputs("text", out);
	put_plain(out, name);
	fputs("_length", out);
}

static void indent(FILE *out, int depth)
{
	while (depth-- > 0)
		fputc('\t', out);
}

/* ---- integers and enums --------------------------------------------------------- */

static bool is_integer(struct kcatch_type type, uint32_t *bits)
{
	int64_t size = kcatch_type_size(type);

	switch (kcatch_type_kind(type)) {
	case BTF_KIND_INT:
	case BTF_KIND_PTR:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		*bits = (uint32_t)size * 8;
		return size == 1 || size == 2 || size == 4 || size == 8;
	}
	return false;
}

static const char *sign_of(struct kcatch_type type)
{
	if (kcatch_type_kind(type) == BTF_KIND_PTR)
		return "x";
	if (kcatch_type_is_network(type))
		return "be";
	return kcatch_type_is_signed(type) ? "s" : "u";
}

/* Declares the enum when it is new. Number of the enum; ~0: it is none, or too much. */
static uint32_t enum_number(struct kcatch_ctf *ctf, struct kcatch_type type, uint32_t bits,
			    const char *align)
{
	struct kcatch_type plain = kcatch_type_strip(type);
	struct { const void *btf; uint64_t id; char align[8]; } key = { plain.btf, plain.id, "" };
	uint32_t nr = kcatch_type_nr_members(plain), i;
	size_t *found;
	void *kept;

	if (!nr || nr > ENUM_VALUES_MAX)
		return ~0U;
	strncpy(key.align, align, sizeof(key.align) - 1);
	found = kcatch_table_find(&ctf->enums, (const char *)&key, sizeof(key));
	if (found)
		return (uint32_t)*found;
	kept = malloc(sizeof(key));
	if (!kept)
		return ~0U;
	memcpy(kept, &key, sizeof(key));
	if (kcatch_table_add(&ctf->enums, kept, sizeof(key), ctf->nr_enums)) {
		free(kept);
		return ~0U;
	}
	fprintf(ctf->out, "enum enum_%u : %s%u%s {\n", ctf->nr_enums, sign_of(type), bits, align);
	for (i = 0; i < nr; i++) {
		struct kcatch_member member;

		kcatch_type_member(plain, i, &member);
		fputs("\t\"", ctf->out);
		kcatch_ctf_name(ctf->out, member.name);
		if (kcatch_type_is_signed(type))
			fprintf(ctf->out, "\" = %lld,\n", (long long)member.value);
		else
			fprintf(ctf->out, "\" = %llu,\n", (unsigned long long)member.value &
				(bits == 64 ? ~0ULL : (1ULL << bits) - 1));
	}
	fputs("};\n", ctf->out);
	return ctf->nr_enums++;
}

static bool is_enum(struct kcatch_type type)
{
	int kind = kcatch_type_kind(type);

	return kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64;
}

/* Enums stand before the struct that uses them: go through it once for them alone. */
struct pass {
	struct kcatch_ctf *ctf;
	FILE *out;		/* NULL: only declare enums */
};

static void put_scalar(const struct pass *pass, int depth, struct kcatch_type type, uint32_t bits,
		       const char *align, const char *name)
{
	uint32_t number = is_enum(type) ? enum_number(pass->ctf, type, bits, align) : ~0U;

	if (!pass->out)
		return;
	indent(pass->out, depth);
	if (number != ~0U)
		fprintf(pass->out, "enum enum_%u ", number);
	else
		fprintf(pass->out, "%s%u%s ", sign_of(type), bits, align);
	kcatch_ctf_name(pass->out, name);
	fputs(";\n", pass->out);
}

/* ---- structs --------------------------------------------------------------------- */

/* A struct being written: where its bits end, and where we are, both from its start. */
struct layout {
	const struct pass *pass;
	struct kcatch_type of;	/* the struct */
	uint64_t size;
	uint64_t at;
	uint64_t base;		/* of the whole item, in bits */
	uint32_t pads;
	bool packed;		/* in an array: alignment would move elements */
};

static void put_pad(struct layout *layout, int depth, uint64_t to)
{
	FILE *out = layout->pass->out;
	uint64_t bits = to - layout->at;

	if (to <= layout->at)
		return;
	layout->at = to;
	if (!out)
		return;
	/* Bits up to the byte's end, whole bytes, bits. */
	if ((to - bits) % 8) {
		uint64_t head = 8 - (to - bits) % 8;

		head = head < bits ? head : bits;
		indent(out, depth);
		fprintf(out, "integer { size = %u; align = 1; signed = false; base = 16; } __between%u;\n",
			(unsigned int)head, layout->pads++);
		bits -= head;
	}
	if (bits / 8) {
		indent(out, depth);
		fprintf(out, "x8 __between%u[%llu];\n", layout->pads++,
			(unsigned long long)(bits / 8));
	}
	if (bits % 8) {
		indent(out, depth);
		fprintf(out, "integer { size = %u; align = 1; signed = false; base = 16; } __between%u;\n",
			(unsigned int)(bits % 8), layout->pads++);
	}
}

static void put_struct(struct layout *layout, struct kcatch_type type, uint64_t at, int depth,
		       int nested);

/* Go to @at, where a field of this natural alignment comes. Which alignment to say. */
static const char *go_to(struct layout *layout, int depth, uint64_t at, uint32_t natural)
{
	uint64_t reached = (layout->at + natural - 1) / natural * natural;

	if (!layout->packed && reached == at && (layout->base + at) % natural == 0) {
		layout->at = at;
		return "";
	}
	put_pad(layout, depth, at);
	return "_b";
}

static void put_bitfield(struct layout *layout, int depth, const struct kcatch_member *member,
			 uint64_t at)
{
	FILE *out = layout->pass->out;

	put_pad(layout, depth, at);
	layout->at = at + member->bit_size;
	if (!out)
		return;
	indent(out, depth);
	fprintf(out, "integer { size = %u; align = 1; signed = %s; } ", member->bit_size,
		kcatch_type_is_signed(member->type) ? "true" : "false");
	kcatch_ctf_name(out, member->name);
	fputs(";\n", out);
}

static void put_bytes(struct layout *layout, int depth, const char *type, const char *name,
		      uint64_t bytes)
{
	FILE *out = layout->pass->out;

	layout->at += bytes * 8;
	if (!out)
		return;
	indent(out, depth);
	fprintf(out, "%s ", type);
	kcatch_ctf_name(out, name);
	fprintf(out, "[%llu];\n", (unsigned long long)bytes);
}

static void put_member(struct layout *layout, struct kcatch_type type, const char *name,
		       uint64_t at, int depth, int nested);

static void put_array(struct layout *layout, struct kcatch_type type, const char *name,
		      uint64_t at, uint64_t bytes, int depth, int nested)
{
	struct kcatch_type element = kcatch_type_target(type);
	int64_t size = kcatch_type_size(element);
	uint32_t bits, number;
	uint64_t nr;
	FILE *out = layout->pass->out;

	put_pad(layout, depth, at);
	nr = size > 0 ? bytes / (uint64_t)size : 0;
	if (size == 1 && kcatch_type_kind(element) == BTF_KIND_INT &&
	    !kcatch_type_is_bool(element)) {
		put_bytes(layout, depth,
			  kcatch_type_is_char(element) && !kcatch_type_is_octet(element) ?
			  "text8" : "x8", name, bytes);
	} else if (nr && is_integer(element, &bits)) {
		number = is_enum(element) ? enum_number(layout->pass->ctf, element, bits, "_b") :
					    ~0U;
		layout->at = at + nr * bits;
		if (!out)
			return;
		indent(out, depth);
		if (number != ~0U)
			fprintf(out, "enum enum_%u ", number);
		else
			fprintf(out, "%s%u_b ", sign_of(element), bits);
		kcatch_ctf_name(out, name);
		fprintf(out, "[%llu];\n", (unsigned long long)nr);
	} else if (nr && kcatch_type_kind(element) == BTF_KIND_STRUCT && nested > 0) {
		struct layout inner = { .pass = layout->pass,
					.of = element,
					.size = (uint64_t)size * 8,
					.packed = true };

		if (out) {
			indent(out, depth);
			fputs("struct {\n", out);
		}
		put_struct(&inner, element, 0, depth + 1, nested - 1);
		put_pad(&inner, depth + 1, inner.size);
		layout->at = at + nr * (uint64_t)size * 8;
		if (!out)
			return;
		indent(out, depth);
		fputs("} ", out);
		kcatch_ctf_name(out, name);
		fprintf(out, "[%llu];\n", (unsigned long long)nr);
	} else if (bytes) {
		put_bytes(layout, depth, "x8", name, bytes);
	}
}

/* Something with parts, of which the first @bytes are there. */
static void put_parts(struct layout *layout, struct kcatch_type type, const char *name,
		      uint64_t at, uint64_t bytes, int depth, int nested)
{
	FILE *out = layout->pass->out;
	struct layout inner = { .pass = layout->pass, .of = type, .size = bytes * 8,
				.packed = true };

	put_pad(layout, depth, at);
	if (kcatch_type_kind(type) != BTF_KIND_STRUCT || !*name || nested <= 0) {
		/* A union: the word that it is, or bytes. */
		if ((bytes == 8 || bytes == 4) && at % 8 == 0) {
			layout->at = at + bytes * 8;
			if (out) {
				indent(out, depth);
				fprintf(out, "x%u_b ", (unsigned int)bytes * 8);
				kcatch_ctf_name(out, name);
				fputs(";\n", out);
			}
			return;
		}
		put_bytes(layout, depth, "x8", name, bytes);
		return;
	}
	if (out) {
		indent(out, depth);
		fputs("struct {\n", out);
	}
	put_struct(&inner, type, 0, depth + 1, nested - 1);
	put_pad(&inner, depth + 1, inner.size);
	layout->at = at + bytes * 8;
	if (!out)
		return;
	indent(out, depth);
	fputs("} ", out);
	kcatch_ctf_name(out, name);
	fputs(";\n", out);
}

/* A member that begins at bit @at, as far as it is there. */
static void put_member(struct layout *layout, struct kcatch_type type, const char *name,
		       uint64_t at, int depth, int nested)
{
	int64_t size = kcatch_type_size(type);
	uint64_t left = (layout->size - at) / 8, bytes;
	int kind = kcatch_type_kind(type);
	uint32_t bits;

	if (size <= 0 || at % 8 || !left)
		return;
	bytes = (uint64_t)size < left ? (uint64_t)size : left;
	if (is_integer(type, &bits)) {
		if (bytes == (uint64_t)size) {
			const char *align = go_to(layout, depth, at, bits);

			put_scalar(layout->pass, depth, type, bits, align, name);
			layout->at = at + bits;
		}
	} else if (kind == BTF_KIND_ARRAY) {
		put_array(layout, type, name, at, bytes, depth, nested);
	} else {
		put_parts(layout, type, name, at, bytes, depth, nested);
	}
}

/* Of a union without a name the first member is described, as a report shows it. False: it has
 * none. */
static bool enter_union(struct kcatch_member *member)
{
	struct kcatch_member first;
	int nested = 0;

	while (!*member->name && kcatch_type_kind(member->type) == BTF_KIND_UNION) {
		if (nested++ == NESTED_MAX || kcatch_type_member(member->type, 0, &first))
			return false;
		first.bit_offset += member->bit_offset;
		*member = first;
	}
	return true;
}

/* How many members have that name, those of structs without a name among them. */
static uint32_t nr_called(struct kcatch_type type, const char *name, int nested)
{
	uint32_t i, nr = kcatch_type_nr_members(type), called = 0;
	struct kcatch_member member;

	for (i = 0; i < nr; i++) {
		if (kcatch_type_member(type, i, &member) || !enter_union(&member))
			continue;
		if (!*member.name && kcatch_type_kind(member.type) == BTF_KIND_STRUCT && nested > 0)
			called += nr_called(member.type, name, nested - 1);
		else
			called += kcatch_ctf_same_name(member.name, name);
	}
	return called;
}

/* "__fpstate", beside "fpstate", is "fpstate__". */
static const char *own_name(const struct layout *layout, const char *name, char *text)
{
	if (*name != '_' || nr_called(layout->of, name, NESTED_MAX) < 2)
		return name;
	snprintf(text, NAME_MAX_BYTES, "%.80s%.*s", bare(name), (int)(bare(name) - name), name);
	return text;
}

/* The members of a struct that begins at bit @at of @layout. */
static void put_struct(struct layout *layout, struct kcatch_type type, uint64_t at, int depth,
		       int nested)
{
	uint32_t i, nr = kcatch_type_nr_members(type);

	for (i = 0; i < nr; i++) {
		char text[NAME_MAX_BYTES];
		struct kcatch_member member;
		uint64_t from;
		int kind;

		if (kcatch_type_member(type, i, &member) || !enter_union(&member))
			continue;
		from = at + member.bit_offset;
		kind = kcatch_type_kind(member.type);
		/* In order and inside: else it is no struct of C. */
		if (from < layout->at || from >= layout->size)
			continue;
		if (member.bit_size) {
			member.name = own_name(layout, member.name, text);
			if (member.bit_size <= 64 && from + member.bit_size <= layout->size &&
			    *member.name)
				put_bitfield(layout, depth, &member, from);
		} else if (!*member.name && kind == BTF_KIND_STRUCT && nested > 0) {
			put_struct(layout, member.type, from, depth, nested - 1);
		} else if (*member.name) {
			put_member(layout, member.type, own_name(layout, member.name, text), from,
				   depth, nested);
		}
	}
}

/* ---- items ------------------------------------------------------------------------- */

enum shape { RAW, COUNT, SCALAR, PARTS, CHARS, SKIP };

/* What one item of a list is. */
struct item {
	char name[NAME_MAX_BYTES];
	struct kcatch_type type;
	enum shape shape;
	uint32_t bytes;		/* PARTS: of it */
	bool is_bytes;		/* a text that is none */
};

struct items {
	const struct kcatch_plan_list *list;
	struct item items[KCATCH_ITEMS_MAX];
};

/* Does item @number have the name, or its length, which is a field of its own beside a text? */
static bool has_name(const struct items *items, uint32_t number, const char *name)
{
	const char *own = bare(items->items[number].name);
	size_t length = strlen(own);

	name = bare(name);
	if (!strcmp(own, name))
		return true;
	return items->list->items[number].is_text && !strncmp(own, name, length) &&
	       !strcmp(name + length, "_length");
}

/* Is the name of item @number, or of its length, that of another before it? */
static bool is_taken(const struct items *items, uint32_t number)
{
	char name[NAME_MAX_BYTES + 8];
	uint32_t i;

	snprintf(name, sizeof(name), "%s_length", items->items[number].name);
	for (i = 0; i < number; i++) {
		if (has_name(items, i, items->items[number].name) ||
		    (items->list->items[number].is_text && has_name(items, i, name)))
			return true;
	}
	return false;
}

static struct item *item_of(struct items *items, uint8_t number, const char *name, const char *what)
{
	struct item *item;

	if (number >= items->list->nr_items)
		return NULL;
	item = &items->items[number];
	snprintf(item->name, sizeof(item->name), "%.80s%s%.30s", name, *what ? "_" : "", what);
	return item;
}

static void name_value(struct items *items, const struct kcatch_plan_value *value, const char *name)
{
	struct item *item = item_of(items, value->words, name, "");
	uint32_t bits, i;

	if (!item)
		return;
	item->type = value->type;
	if (value->nr_words == 1 && is_integer(value->type, &bits) && bits / 8 <= value->bytes)
		item->shape = SCALAR;
	else if (kcatch_type_kind(value->type) == BTF_KIND_STRUCT)
		item->shape = PARTS;
	item->bytes = value->bytes;
	for (i = 1; i < value->nr_words && value->words + i < items->list->nr_items; i++) {
		struct item *more = &items->items[value->words + i];

		snprintf(more->name, sizeof(more->name), "%.80s_%u", name, i);
		if (item->shape == PARTS)
			more->shape = SKIP;
	}
}

static void name_object(struct items *items, const struct kcatch_plan_pointee *target,
			uint8_t number, const char *name, const char *what)
{
	struct item *item = item_of(items, number, name, what);
	uint32_t bits;

	if (!item)
		return;
	item->type = target->type;
	item->bytes = items->list->items[number].size;
	if (items->list->items[number].is_text)
		item->is_bytes = target->kind == KCATCH_POINTEE_BYTES;
	else if (target->kind == KCATCH_POINTEE_HARDWARE)
		item->shape = RAW;
	else if (is_integer(target->type, &bits) && bits / 8 <= item->bytes)
		item->shape = SCALAR;
	else
		item->shape = PARTS;
}

static void name_target(struct items *items, const struct kcatch_plan_pointee *target,
			const char *name)
{
	const struct kcatch_plan_pointee *inside;
	uint32_t i;

	for (i = 0; target->summary && i < KCATCH_SUMMARY_PARTS; i++) {
		enum kcatch_summary_kind kind = target->summary->parts[i].kind;
		const char *member = kind == KCATCH_SUMMARY_PACKET ?
					     "packet" :
					     target->summary->parts[i].member;
		struct item *item = item_of(items, target->parts[i], name,
					    member && *member ? member : "name");

		if (item && kind == KCATCH_SUMMARY_STRING)
			item->shape = CHARS;
		if (item && kind == KCATCH_SUMMARY_PACKET)
			item->shape = RAW;
	}
	name_object(items, target, target->object, name, "to");
	for (inside = target->inside; inside; inside = inside->next) {
		char inner[NAME_MAX_BYTES];

		snprintf(inner, sizeof(inner), "%.80s_at%u", name, inside->offset);
		name_target(items, inside, inner);
	}
}

/* What a field of an event is made of; another one, or an argument, may have it, too. */
static void name_leaf(struct items *items, const struct kcatch_plan_leaf *leaf)
{
	struct item *item;

	if (leaf->item >= items->list->nr_items || *items->items[leaf->item].name)
		return;
	item = item_of(items, leaf->item, leaf->name, "");
	if (leaf->is_text && !items->list->items[leaf->item].is_text)
		item->shape = CHARS;
	else if (!leaf->is_text && leaf->size)
		item->shape = COUNT;
}

/*
 * Records end at words, and what a packet holds does, too: behind its last event there must
 * be no byte left, or babeltrace2 looks for another one there.
 */
static bool ends_at_word(const struct items *items, uint32_t number)
{
	const struct kcatch_plan_item *size = &items->list->items[number];
	const struct item *item = &items->items[number];
	uint32_t bits;

	if (size->is_text || size->size % 8)
		return false;
	return item->shape != SCALAR || !is_integer(item->type, &bits) || bits == 64;
}

static void put_item(struct items *items, const struct pass *pass, uint32_t number)
{
	const struct kcatch_plan_item *size = &items->list->items[number];
	struct item *item = &items->items[number];
	struct layout layout = { .pass = pass };
	uint32_t bits;

	if (!pass->out) {
		if (!*item->name)
			snprintf(item->name, sizeof(item->name), "item%u", number);
		if (is_taken(items, number))
			snprintf(item->name + strnlen(item->name, 100), 16, "_%u", number);
	}
	if (size->is_text) {
		if (!pass->out)
			return;
		fputs("\tu64_w ", pass->out);
		put_length_name(pass->out, item->name);
		fprintf(pass->out, ";\n\t%s ", item->is_bytes ? "x8" : "text8");
		kcatch_ctf_name(pass->out, item->name);
		fputc('[', pass->out);
		put_length_name(pass->out, item->name);
		fputs("];\n", pass->out);
		return;
	}
	if (item->shape == SKIP)
		return;
	if (item->shape == CHARS) {
		if (!pass->out)
			return;
		/* An array is aligned as its elements are. */
		if (number && !ends_at_word(items, number - 1))
			fprintf(pass->out, "\tstruct { } align(64) __between%u;\n", number);
		fputs("\ttext8 ", pass->out);
		kcatch_ctf_name(pass->out, item->name);
		fprintf(pass->out, "[%u];\n", size->size);
		return;
	}
	if (item->shape == SCALAR) {
		is_integer(item->type, &bits);
		put_scalar(pass, 1, item->type, bits, "_w", item->name);
		return;
	}
	if (item->shape == PARTS && item->bytes) {
		bool is_struct = kcatch_type_kind(item->type) == BTF_KIND_STRUCT;

		layout.size = item->bytes * 8;
		if (is_struct) {
			layout.of = item->type;
			if (pass->out)
				fputs("\tstruct {\n", pass->out);
			put_struct(&layout, item->type, 0, 2, NESTED_MAX);
			put_pad(&layout, 2, layout.size);
			if (pass->out) {
				fputs("\t} align(64) ", pass->out);
				kcatch_ctf_name(pass->out, item->name);
				fputs(";\n", pass->out);
			}
			return;
		}
	}
	if (!pass->out)
		return;
	if (size->size == 8)
		fputs(item->shape == COUNT ? "\tu64_w " : "\tx64_w ", pass->out);
	else
		fputs("\tstruct { x8 _bytes", pass->out);
	if (size->size != 8)
		fprintf(pass->out, "[%u]; } align(64) ", size->size);
	kcatch_ctf_name(pass->out, item->name);
	fputs(";\n", pass->out);
}

static void put_list(struct kcatch_ctf *ctf, struct items *items, const char *kind, uint32_t number)
{
	struct pass pass = { .ctf = ctf };
	uint32_t i;

	for (i = 0; i < items->list->nr_items; i++)
		put_item(items, &pass, i);
	pass.out = ctf->out;
	fprintf(ctf->out, "struct %s_%u {\n", kind, number);
	for (i = 0; i < items->list->nr_items; i++)
		put_item(items, &pass, i);
	if (i && !ends_at_word(items, i - 1))
		fputs("\tstruct { } align(64) _end_of_record;\n", ctf->out);
	fputs("} align(64);\n", ctf->out);
}

int kcatch_ctf_plan(struct kcatch_ctf *ctf, const struct kcatch_plan *plan, uint32_t number)
{
	struct items *items = calloc(1, sizeof(*items));
	struct item *cgroup;
	uint32_t i;

	if (!items)
		return kcatch_error_memory();
	items->list = &plan->entry;
	cgroup = item_of(items, plan->cgroup, "cgroup", "");
	if (cgroup)
		cgroup->shape = COUNT;
	for (i = 0; i < plan->nr_args; i++) {
		name_value(items, &plan->args[i], plan->args[i].name);
		if (plan->args[i].pointee)
			name_target(items, plan->args[i].pointee, plan->args[i].name);
	}
	for (i = 0; i < plan->nr_leaves; i++)
		name_leaf(items, &plan->leaves[i]);
	put_list(ctf, items, "entry", number);

	memset(items, 0, sizeof(*items));
	items->list = &plan->at_return;
	name_value(items, &plan->ret, "value");
	if (plan->ret.pointee)
		name_target(items, plan->ret.pointee, "ret");
	for (i = 0; i < plan->nr_args; i++) {
		if (plan->args[i].pointee)
			name_object(items, plan->args[i].pointee, plan->args[i].pointee->again,
				    plan->args[i].name, "after");
	}
	put_list(ctf, items, "return", number);
	free(items);
	return 0;
}

void kcatch_ctf_return(struct kcatch_ctf *ctf, const struct kcatch_plan *plan, char *text,
		       size_t room)
{
	uint32_t bits, number;

	snprintf(text, room, "x64_w");
	if (!plan || !plan->proto.id || !is_integer(plan->ret.type, &bits))
		return;
	number = is_enum(plan->ret.type) ? enum_number(ctf, plan->ret.type, bits, "_w") : ~0U;
	if (number != ~0U)
		snprintf(text, room, "enum enum_%u", number);
	else
		snprintf(text, room, "%s%u_w", sign_of(plan->ret.type), bits);
}
