/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * plan_pointers.c - makes the items that fetch the pointees of arguments and return value
 *
 * First, the wants of all pointers of one level are collected. Then texts and parts of summaries
 * share the room left in the list: if not all fit, each gets the same number of bytes. Then the
 * bytes of structs share the rest. Deeper levels follow. A want that gets no room marks its
 * pointee as left out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "fetch/plan_data.h"

#define STRING_SIZE 128		/* default, bytes of a text */
#define STRUCT_SIZE 128		/* default, bytes of a struct */
#define TEXT_HEAD 8		/* bytes of the length in front of a text */
#define DEEP_MAX 6		/* levels of pointers in structs */
#define INSIDE_MAX  8             /* levels of structs in a struct that are searched for pointers */
#define WANTS_MAX 160		/* wants of one level: more than a list has items */

/* One item to fetch from a pointee. */
struct want {
	struct kcatch_plan_pointee *pointee;
	uint8_t *slot;			/* receives the item's index */
	struct kcatch_reach reach;	/* from the pointer's source to the item */
	struct kcatch_reach count;	/* to the number of bytes; @item.from 0: none */
	struct kcatch_reach skip;       /* to those that are left out; @item.from 0: none */
	uint16_t size;			/* most bytes */
	bool is_fixed;			/* never gets fewer bytes than @size */
	bool is_text;
	bool is_object;			/* the bytes of a struct or union */
	bool is_spare;			/* it may be left out without a word */
};

/* A struct that is fetched, so that its pointers can be followed. */
struct opened {
	struct kcatch_plan_pointee *pointee;
	struct kcatch_reach reach;
};

struct follower {
	struct kcatch_plan *plan;
	uint32_t string_size;
	uint32_t struct_size;
	bool brief; /* texts and summaries alone */
	bool only_forms; /* of a struct with a summary that alone */
	bool forms; /* summaries alone */
	struct kcatch_plan_list *list;
	struct want wants[WANTS_MAX];
	uint32_t nr_wants;
	struct opened opened[WANTS_MAX];
	uint32_t nr_opened;
};

static uint32_t clamp(uint32_t value, uint32_t standard, uint32_t most)
{
	value = value ? value : standard;
	return value < most ? value : most;
}

/* ---- collecting the wants -------------------------------------------------- */

static struct want *add_want(struct follower *f, struct kcatch_plan_pointee *pointee,
			     const struct kcatch_reach *reach, uint8_t *slot)
{
	struct want *want;

	if (f->nr_wants == WANTS_MAX) {
		pointee->left_out = !f->forms;
		return NULL;
	}
	want = &f->wants[f->nr_wants++];
	want->pointee = pointee;
	want->slot = slot;
	want->reach = *reach;
	want->count.item.from = want->skip.item.from = 0;
	want->is_fixed = want->is_text = want->is_object = false;
	want->is_spare = f->forms;
	return want;
}

static void want_text(struct follower *f, struct kcatch_plan_pointee *pointee,
		      const struct kcatch_reach *reach, uint8_t *slot,
		      const struct kcatch_reach *count)
{
	struct want *want = add_want(f, pointee, reach, slot);

	if (!want)
		return;
	want->reach.item.put = count ? KCATCH_ITEM_BYTES : KCATCH_ITEM_STRING;
	if (count)
		want->count = *count;
	want->size = f->string_size;
	want->is_text = true;
}

static void want_object(struct follower *f, struct kcatch_plan_pointee *pointee,
			const struct kcatch_reach *reach, uint8_t *slot, uint32_t size)
{
	struct want *want = add_want(f, pointee, reach, slot);
	int kind = kcatch_type_kind(pointee->type);

	if (!want)
		return;
	want->reach.item.put = KCATCH_ITEM_MEMORY;
	want->size = size;
	want->is_object = kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
	want->is_fixed = !want->is_object;
}

/* From the pointee to a part of it. */
static void reach_part(struct kcatch_reach *reach, const struct kcatch_summary_part *part)
{
	memcpy(reach->hops + reach->item.nr_hops, part->hops,
	       part->item.nr_hops * sizeof(part->hops[0]));
	reach->item.nr_hops += part->item.nr_hops;
	reach->item.put = part->item.put;
	reach->item.size = part->item.size;
	reach->item.offset = part->item.offset;
}

static void want_summary(struct follower *f, struct kcatch_plan_pointee *pointee,
			 const struct kcatch_reach *reach)
{
	uint32_t i;

	for (i = 0; i < KCATCH_SUMMARY_PARTS; i++) {
		struct kcatch_summary_part part;
		struct want *want;

		if (kcatch_summary_plan(pointee->summary, i, pointee->type, &part))
			continue;
		want = add_want(f, pointee, reach, &pointee->parts[i]);
		if (!want)
			return;
		if (part.length >= 0) {
			want->count = *reach;
			want->count.item.put = KCATCH_ITEM_LENGTH;
			want->count.item.size = 4;
			want->count.item.offset = (int32_t)part.length;
		}
		if (part.skip >= 0) {
			want->skip = *reach;
			want->skip.item.put = KCATCH_ITEM_SKIP;
			want->skip.item.size = 2;
			want->skip.item.offset = (int32_t)part.skip;
		}
		reach_part(&want->reach, &part);
		want->size = part.fixed ? part.fixed : f->string_size;
		/* Half a name or address would look like a whole one. */
		want->is_fixed = part.item.put == KCATCH_ITEM_WORD ||
				 part.item.put == KCATCH_ITEM_MEMORY;
		want->is_text = !want->is_fixed;
	}
}

struct kcatch_plan_pointee *kcatch_plan_pointee_create(struct kcatch_type pointer)
{
	struct kcatch_plan_pointee *pointee = calloc(1, sizeof(*pointee));

	if (!pointee)
		return NULL;
	pointee->type = kcatch_type_target(pointer);
	pointee->kind = KCATCH_POINTEE_NOTHING;
	memset(pointee->parts, KCATCH_NO_ITEM, sizeof(pointee->parts));
	pointee->object = KCATCH_NO_ITEM;
	pointee->again = KCATCH_NO_ITEM;
	pointee->form = KCATCH_NO_ITEM;
	pointee->count = -1;
	return pointee;
}

/* Links of lists and trees lead to neighbours: following them costs much and says little. */
static bool is_link(struct kcatch_type type)
{
	static const char *const links[] = { "list_head", "hlist_head", "hlist_node", "rb_node" };
	const char *name = kcatch_type_name(kcatch_type_strip(type));
	size_t i;

	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (!strcmp(name, links[i]))
			return true;
	return false;
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

static bool is_device(struct kcatch_type type)
{
	return !strcmp(kcatch_type_name(kcatch_type_strip(kcatch_type_target(type))), "net_device");
}

static bool is_callback(struct kcatch_type type)
{
	return kcatch_type_kind(kcatch_type_target(type)) == BTF_KIND_FUNC_PROTO;
}

/* Has a function such a pointer as an argument? */
static bool takes(struct kcatch_type proto, bool (*is_it)(struct kcatch_type type))
{
	uint32_t i, nr = kcatch_type_nr_members(proto);
	struct kcatch_member member;

	for (i = 0; i < nr; i++)
		if (!kcatch_type_member(proto, i, &member) && member.type.id &&
		    kcatch_type_is_pointer(member.type) && is_it(member.type))
			return true;
	return false;
}

/* Is what octets are called a hardware address? @proto: of the function that is given it */
static bool names_hardware(struct kcatch_type proto, const char *name)
{
	static const char *const names[] = { "dev_addr", "hwaddr", "hw_addr", "mac", "mac_addr",
					     "macaddr", "lladdr", "perm_addr", NULL };
	static const char *const ends[] = { "_hw", "_mac", "_ha", "_hwaddr", "_lladdr" };
	size_t length = strlen(name), i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (length > strlen(ends[i]) &&
		    !strcmp(name + length - strlen(ends[i]), ends[i]))
			return true;
	return is_one_of(name, names) || (!strcmp(name, "addr") && takes(proto, is_device));
}

/* What a pointer leads to, as far as what is fetched depends on it. */
struct target {
	bool is_char;
	bool is_octet;
	bool is_struct;		/* or a union */
	uint32_t size;		/* bytes to fetch of an object; 0: none */
	const struct kcatch_summary *summary;
};

/* Return: false: nothing is fetched. */
static bool look_at(struct kcatch_type pointer, uint32_t struct_size, struct target *target)
{
	struct kcatch_type type = kcatch_type_target(pointer);
	int64_t size = kcatch_type_size(type);
	int kind = kcatch_type_kind(type);

	target->is_struct = kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
	if (!kcatch_type_is_pointer(pointer) || size < 0 ||
	    (!target->is_struct && kind != BTF_KIND_INT && kind != BTF_KIND_ENUM &&
	     kind != BTF_KIND_ENUM64))
		return false;
	target->size = size < struct_size ? (uint32_t)size : struct_size;
	target->is_char = kcatch_type_is_char(type);
	target->is_octet = kcatch_type_is_octet(type);
	target->summary = kcatch_summary_find(type);
	return true;
}

/* Is a form made of the first bytes of the struct itself? */
static bool is_made_of_struct(const struct kcatch_summary *summary)
{
	return (summary->parts[0].kind == KCATCH_SUMMARY_SOCK ||
		summary->parts[0].kind == KCATCH_SUMMARY_ADDRESS) &&
	       !*summary->parts[0].member;
}

/* Add the wants of a pointer's pointee. Without a pointee that can be fetched *to stays NULL. */
static int follow(struct follower *f, struct kcatch_type pointer, const char *name,
		  const struct kcatch_reach *reach, struct kcatch_plan_pointee **to)
{
	struct kcatch_plan_pointee *pointee;
	struct target target;

	if (!look_at(pointer, f->struct_size, &target) ||
	    (f->brief && !target.is_char && !target.summary) || (f->forms && !target.summary))
		return 0;
	pointee = kcatch_plan_pointee_create(pointer);
	if (!pointee)
		return kcatch_error_memory();
	*to = pointee;
	if (target.is_octet && names_hardware(f->plan->proto, name)) {
		pointee->kind = KCATCH_POINTEE_HARDWARE;
		want_object(f, pointee, reach, &pointee->object, KCATCH_HARDWARE_ETHERNET);
		return 0;
	}
	if (target.is_char) {
		pointee->kind = KCATCH_POINTEE_STRING;
		want_text(f, pointee, reach, &pointee->object, NULL);
		return 0;
	}
	pointee->summary = target.summary;
	if (pointee->summary)
		want_summary(f, pointee, reach);
	/* The form is made of the struct itself, which is fetched for nothing else here. */
	if (f->forms && pointee->summary->parts[0].kind == KCATCH_SUMMARY_SOCK &&
	    !*pointee->summary->parts[0].member)
		want_object(f, pointee, reach, &pointee->object, KCATCH_SUMMARY_SOCK_SIZE);
	if (f->only_forms && pointee->summary && !is_made_of_struct(pointee->summary))
		return 0;
	if (target.size && !f->brief && !f->forms) {
		pointee->kind = KCATCH_POINTEE_OBJECT;
		want_object(f, pointee, reach, &pointee->object, target.size);
	}
	return 0;
}

/* ---- sharing the room ------------------------------------------------------- */

static uint32_t granted(const struct want *want, uint32_t limit)
{
	return want->is_fixed || want->size < limit ? want->size : limit;
}

static uint32_t bytes_of(const struct want *want, uint32_t limit)
{
	return (want->is_text ? TEXT_HEAD : 0) + (granted(want, limit) + 7) / 8 * 8;
}

static uint32_t hops_of(const struct want *want)
{
	return want->reach.item.nr_hops + (want->count.item.from ? want->count.item.nr_hops : 0) +
	       (want->skip.item.from ? want->skip.item.nr_hops : 0);
}

static void emit(struct follower *f, const struct want *want, uint32_t limit)
{
	const struct kcatch_plan_item item = { .size = granted(want, limit),
					       .is_text = want->is_text };
	struct kcatch_item read = kcatch_plan_reach(f->plan, &want->reach);
	struct kcatch_plan_list *list = f->list;

	if (want->count.item.from)
		list->reads[list->nr_reads++] = kcatch_plan_reach(f->plan, &want->count);
	if (want->skip.item.from)
		list->reads[list->nr_reads++] = kcatch_plan_reach(f->plan, &want->skip);
	if (read.put != KCATCH_ITEM_WORD)
		read.size = item.size;
	/* The same bytes, for less. */
	if (read.put == KCATCH_ITEM_MEMORY &&
	    (read.size == 1 || read.size == 2 || read.size == 4 || read.size == 8))
		read.put = KCATCH_ITEM_WORD;
	*want->slot = kcatch_plan_put(list, read, item);
}

/*
 * Add items for the wants that are objects, or for those that are not. All get the
 * largest limit, in bytes, with which they fit into the list.
 */
static void share(struct follower *f, bool objects)
{
	struct kcatch_plan_list *list = f->list;
	uint32_t items = list->nr_items, hops = f->plan->nr_hops, limit, size, i, last = 0;

	for (i = 0; i < f->nr_wants; i++) {
		const struct want *want = &f->wants[i];

		if (want->is_object != objects)
			continue;
		if (items + 1 > KCATCH_ITEMS_MAX || hops + hops_of(want) > KCATCH_PLAN_HOPS)
			break;
		items++;
		hops += hops_of(want);
	}
	last = i;
	for (limit = KCATCH_DATA_MAX; ; limit -= 8) {
		size = list->size;
		for (i = 0; i < last; i++)
			if (f->wants[i].is_object == objects)
				size += bytes_of(&f->wants[i], limit);
		if (size <= KCATCH_DATA_MAX)
			break;
		if (limit == 8) {
			/* Not even 8 bytes for each: drop the last want. */
			last--;
			limit += 8;
		}
	}
	for (i = 0; i < f->nr_wants; i++) {
		if (f->wants[i].is_object != objects)
			continue;
		if (i < last)
			emit(f, &f->wants[i], limit);
		else
			f->wants[i].pointee->left_out |= !f->wants[i].is_spare;
	}
}

static void share_all(struct follower *f)
{
	uint32_t i;

	share(f, false);
	share(f, true);
	f->nr_opened = 0;
	for (i = 0; i < f->nr_wants; i++)
		if (f->wants[i].is_object && *f->wants[i].slot != KCATCH_NO_ITEM)
			f->opened[f->nr_opened++] = (struct opened){ f->wants[i].pointee,
								     f->wants[i].reach };
	f->nr_wants = 0;
}

/* ---- deeper ------------------------------------------------------------------- */

static int follow_member(struct follower *f, const struct opened *outer, struct kcatch_type type,
			 const char *name, uint32_t offset)
{
	struct kcatch_plan_pointee *pointee = NULL;
	struct kcatch_reach reach = outer->reach;
	int ret;

	if (is_link(kcatch_type_target(type)))
		return 0;
	reach.hops[reach.item.nr_hops++] = (int32_t)offset;
	ret = follow(f, type, name, &reach, &pointee);
	if (pointee) {
		pointee->offset = offset;
		pointee->next = outer->pointee->inside;
		outer->pointee->inside = pointee;
	}
	return ret;
}

/* Follow the pointers in the first @size bytes of a struct, also in embedded structs. */
static int follow_inside(struct follower *f, const struct opened *outer, struct kcatch_type type,
			 uint32_t offset, uint32_t size, int depth)
{
	uint32_t i, nr = kcatch_type_nr_members(type);
	int ret = 0;

	for (i = 0; i < nr && !ret; i++) {
		struct kcatch_member member;
		uint64_t at;
		int kind;

		kcatch_type_member(type, i, &member);
		at = offset + member.bit_offset / 8;
		kind = kcatch_type_kind(member.type);
		if (member.bit_size || at >= size)
			continue;
		/* Which member of a union is valid is unknown: its pointers are not followed. */
		if (kind == BTF_KIND_STRUCT && depth)
			ret = follow_inside(f, outer, member.type, at, size, depth - 1);
		else if (kind == BTF_KIND_PTR && at + 8 <= size)
			ret = follow_member(f, outer, member.type, member.name, at);
	}
	return ret;
}

/* Do the first @size bytes of a struct have pointers to structs with a readable form? */
static bool has_forms(struct kcatch_type type, uint32_t offset, uint32_t size, int depth)
{
	uint32_t i, nr = kcatch_type_nr_members(type);

	for (i = 0; i < nr; i++) {
		struct kcatch_member member;
		uint64_t at;
		int kind;

		kcatch_type_member(type, i, &member);
		at = offset + member.bit_offset / 8;
		kind = kcatch_type_kind(member.type);
		if (member.bit_size || at >= size)
			continue;
		if (kind == BTF_KIND_STRUCT ?
			    depth && has_forms(member.type, (uint32_t)at, size, depth - 1) :
			    kind == BTF_KIND_PTR &&
				    kcatch_summary_find(kcatch_type_target(member.type)))
			return true;
	}
	return false;
}

/* Pointers in structs: of @levels all, and without any level those that lead to a struct with a
 * readable form, in structs that have none. */
static int follow_deeper(struct follower *f, unsigned int levels)
{
	struct opened *outer;
	uint32_t i, nr;
	int ret = 0;

	f->forms = !levels;
	for (levels += f->forms; levels && f->nr_opened && !ret; levels--) {
		nr = f->nr_opened;
		outer = malloc(nr * sizeof(*outer));
		if (!outer)
			return kcatch_error_memory();
		memcpy(outer, f->opened, nr * sizeof(*outer));
		for (i = 0; i < nr && !ret; i++)
			if (kcatch_type_kind(outer[i].pointee->type) == BTF_KIND_STRUCT &&
			    !(f->forms && outer[i].pointee->summary))
				ret = follow_inside(f, &outer[i], outer[i].pointee->type, 0,
						    f->list->items[outer[i].pointee->object].size,
						    INSIDE_MAX);
		free(outer);
		share_all(f);
	}
	f->forms = false;
	return ret;
}

/* ---- arguments and return value --------------------------------------------------- */

static bool names_buffer(const char *name)
{
	static const char *const names[] = { "buf", "buffer", "ubuf", "data", "kbuf", "ptr", "src",
					     "dst", "buff", "from", "to", "addr", "page", "value",
					     NULL };

	return is_one_of(name, names);
}

static bool names_count(const char *name)
{
	static const char *const names[] = { "count",    "len",    "size",    "n",        "nbytes",
					     "buflen",   "length", "bytes",   "nr_bytes", "bufsize",
					     "buf_size", "bufsiz", "nbyte",   "buf_len",  "lbuf",
					     "cnt",      "sz",     "datalen", NULL };

	return is_one_of(name, names);
}

static bool leads_to_void(struct kcatch_type pointer)
{
	return kcatch_type_kind(kcatch_type_target(pointer)) == BTF_KIND_UNKN;
}

/* Does a pointer lead to void or bytes? */
static bool leads_to_bytes(struct kcatch_type pointer)
{
	struct kcatch_type type = kcatch_type_target(pointer);
	int kind = kcatch_type_kind(type);

	return kind == BTF_KIND_UNKN || (kind == BTF_KIND_INT && kcatch_type_size(type) == 1);
}

static bool is_number(struct kcatch_type type)
{
	return kcatch_type_kind(type) == BTF_KIND_INT;
}

/*
 * Index of the argument that has a buffer's length: the next one, if the names of both suggest it;
 * -1: none. A void pointer beside a callback may be what that alone understands, as the struct
 * msghdr that ip_make_skb() is given.
 */
static int8_t find_count(const struct kcatch_plan *plan, uint32_t index)
{
	const struct kcatch_plan_value *arg = &plan->args[index], *next = arg + 1;

	if (index + 1 >= plan->nr_args || index > 100 || !leads_to_bytes(arg->type) ||
	    !names_buffer(arg->name) || next->nr_words != 1 || !is_number(next->type) ||
	    !names_count(next->name) ||
	    (leads_to_void(arg->type) && takes(plan->proto, is_callback)))
		return -1;
	return index + 1;
}

#define CLASS_NUMBER	(1U << 0)
#define CLASS_POINTER	(1U << 1)
#define CLASS_BYTES	(1U << 2)
#define CLASS_CONST	(1U << 3)
#define CLASS_OBJECT	(1U << 4)
#define CLASS_CHAR	(1U << 5)
#define CLASS_STRUCT	(1U << 6)
#define CLASS_COUNTED	(1U << 7)
/* behind the size of an object */
#define CLASS_OCTET	(1U << 24)
#define CLASS_HARDWARE	(1U << 25)
#define CLASS_VOID	(1U << 26)

void kcatch_plan_pointer_class(struct kcatch_type type, uint32_t struct_size, uint64_t words[2])
{
	struct kcatch_type to = kcatch_type_target(type), plain = kcatch_type_strip(to);
	struct target target;

	words[0] = is_number(type) ? CLASS_NUMBER : 0;
	words[1] = 0;
	if (!kcatch_type_is_pointer(type))
		return;
	words[0] |= CLASS_POINTER | (leads_to_bytes(type) ? CLASS_BYTES : 0) |
		    (kcatch_type_is_const(to) ? CLASS_CONST : 0) |
		    (leads_to_void(type) ? CLASS_VOID : 0);
	if (!look_at(type, clamp(struct_size, STRUCT_SIZE, KCATCH_DATA_MAX), &target))
		return;
	words[0] |= CLASS_OBJECT | (target.is_char ? CLASS_CHAR : 0) |
		    (target.is_octet ? CLASS_OCTET : 0) |
		    (target.is_struct ? CLASS_STRUCT : 0) | (uint64_t)target.size << 8;
	/* The parts are where this struct has them, and so are its pointers. */
	if (target.summary || (target.is_struct && has_forms(to, 0, target.size, INSIDE_MAX))) {
		words[0] |= (uint64_t)plain.id << 32;
		words[1] = (uintptr_t)plain.btf;
	}
}

void kcatch_plan_name_class(struct kcatch_type proto, const char *name, uint64_t *word)
{
	if (*word & CLASS_OCTET && names_hardware(proto, name))
		*word |= CLASS_HARDWARE;
	if (*word & CLASS_VOID && takes(proto, is_callback))
		*word &= ~(uint64_t)CLASS_BYTES;
}

void kcatch_plan_count_class(const char *name, uint64_t *word, const char *next_name,
			     uint64_t next_word)
{
	if (*word & CLASS_BYTES && next_word & CLASS_NUMBER && names_buffer(name) &&
	    names_count(next_name))
		*word |= CLASS_COUNTED;
}

/* The item that puts an argument's word: the list begins with those. */
static const struct kcatch_item *word_of(const struct follower *f,
					 const struct kcatch_plan_value *value)
{
	return &f->plan->entry.reads[value->words];
}

/* Behind an argument's word. */
static struct kcatch_reach word_reach(const struct follower *f,
				      const struct kcatch_plan_value *value)
{
	const struct kcatch_item *word = word_of(f, value);
	struct kcatch_reach reach = { .item = { .from = word->from, .index = word->index,
						.start = word->start } };

	if (word->put == KCATCH_ITEM_WORD)
		reach.hops[reach.item.nr_hops++] = word->offset;
	return reach;
}

/* An argument's word is a length. */
static struct kcatch_reach word_length(const struct follower *f,
				       const struct kcatch_plan_value *value)
{
	struct kcatch_reach reach = { .item = *word_of(f, value) };

	reach.item.put = KCATCH_ITEM_LENGTH;
	return reach;
}

static struct kcatch_reach saved_reach(const struct kcatch_plan_value *value)
{
	return (struct kcatch_reach){ .item = { .from = KCATCH_ITEM_SAVED,
						.start = 8 * value->words } };
}

static struct kcatch_reach saved_length(const struct kcatch_plan_value *value)
{
	struct kcatch_reach reach = saved_reach(value);

	reach.item.put = KCATCH_ITEM_LENGTH;
	return reach;
}

static int follow_arg(struct follower *f, struct kcatch_plan *plan, uint32_t index)
{
	struct kcatch_plan_value *arg = &plan->args[index];
	struct kcatch_reach reach, length;
	int8_t count;

	if (!kcatch_type_is_pointer(arg->type) || arg->words == KCATCH_NO_ITEM)
		return 0;
	reach = word_reach(f, arg);
	count = find_count(plan, index);
	if (count < 0)
		return follow(f, arg->type, arg->name, &reach, &arg->pointee);
	arg->pointee = kcatch_plan_pointee_create(arg->type);
	if (!arg->pointee)
		return kcatch_error_memory();
	arg->pointee->kind = KCATCH_POINTEE_BYTES;
	arg->pointee->count = count;
	arg->pointee->is_output = !kcatch_type_is_const(arg->pointee->type);
	/* The contents of a buffer that the function fills are fetched only at the return. */
	length = word_length(f, &plan->args[(int)count]);
	if (!arg->pointee->is_output)
		want_text(f, arg->pointee, &reach, &arg->pointee->object, &length);
	return 0;
}

/* Fetch the path of a file that had none at the entry: the function may be what opens it. */
static void follow_form(struct follower *f, struct kcatch_plan_pointee *pointee,
			const struct kcatch_reach *reach)
{
	struct kcatch_summary_part part;
	struct want *want;

	if (!pointee->summary || pointee->parts[0] == KCATCH_NO_ITEM ||
	    kcatch_summary_plan(pointee->summary, 0, pointee->type, &part) ||
	    (part.item.put != KCATCH_ITEM_PATH && part.item.put != KCATCH_ITEM_DENTRY))
		return;
	want = add_want(f, pointee, reach, &pointee->form);
	if (!want)
		return;
	want->reach.item.from = KCATCH_ITEM_MISSED;
	want->reach.item.index = pointee->parts[0];
	reach_part(&want->reach, &part);
	want->size = f->string_size;
	want->is_text = want->is_spare = true;
}

/* Fetch an argument's pointee again at the return, if the function may have written to it. */
static void follow_again(struct follower *f, struct kcatch_plan *plan, uint32_t index)
{
	struct kcatch_plan_value *arg = &plan->args[index];
	struct kcatch_plan_pointee *pointee = arg->pointee;
	struct kcatch_reach reach, length;

	if (!pointee || kcatch_type_is_const(pointee->type))
		return;
	reach = saved_reach(arg);
	follow_form(f, pointee, &reach);
	if (pointee->is_output) {
		length = saved_length(&plan->args[(int)pointee->count]);
		want_text(f, pointee, &reach, &pointee->again, &length);
	} else if (pointee->object == KCATCH_NO_ITEM) {
		return;
	} else if (pointee->kind == KCATCH_POINTEE_STRING) {
		want_text(f, pointee, &reach, &pointee->again, NULL);
	} else if (pointee->kind == KCATCH_POINTEE_OBJECT ||
		   pointee->kind == KCATCH_POINTEE_HARDWARE) {
		want_object(f, pointee, &reach, &pointee->again,
			    plan->entry.items[pointee->object].size);
	}
}

/*
 * Fetch a text that the function only reads at the return, where it could not be read at the entry:
 * a page of a program that nobody had touched, until the function did.
 */
static void follow_missed(struct follower *f, struct kcatch_plan *plan, uint32_t index)
{
	struct kcatch_plan_value *arg = &plan->args[index];
	struct kcatch_plan_pointee *pointee = arg->pointee;
	struct kcatch_reach reach, length;

	if (!pointee || !kcatch_type_is_const(pointee->type) || pointee->object == KCATCH_NO_ITEM ||
	    (pointee->kind != KCATCH_POINTEE_STRING && pointee->kind != KCATCH_POINTEE_BYTES) ||
	    f->nr_wants == WANTS_MAX)
		return;
	reach = saved_reach(arg);
	reach.item.from = KCATCH_ITEM_MISSED;
	reach.item.index = pointee->object;
	if (pointee->kind == KCATCH_POINTEE_BYTES)
		length = saved_length(&plan->args[(int)pointee->count]);
	want_text(f, pointee, &reach, &pointee->again,
		  pointee->kind == KCATCH_POINTEE_BYTES ? &length : NULL);
	f->wants[f->nr_wants - 1].is_spare = true;
}

static int follow_return(struct follower *f, struct kcatch_plan *plan, unsigned int deep)
{
	struct kcatch_reach reach = { .item.from = KCATCH_ITEM_RET };
	uint32_t i;
	int ret;

	f->list = &plan->at_return;
	ret = follow(f, plan->ret.type, "", &reach, &plan->ret.pointee);
	share_all(f);
	if (!ret)
		ret = follow_deeper(f, deep);
	for (i = 0; i < plan->nr_args && !ret; i++)
		follow_again(f, plan, i);
	share_all(f);
	/* In the room that is left. */
	for (i = 0; i < plan->nr_args && !ret; i++)
		follow_missed(f, plan, i);
	share_all(f);
	return ret;
}

int kcatch_plan_pointers(struct kcatch_plan *plan, const struct kcatch_plan_options *options)
{
	struct follower on_stack, *f = &on_stack;
	unsigned int deep = options->deep < DEEP_MAX ? options->deep : DEEP_MAX;
	uint32_t i;
	int ret = 0;

	/*
	 * add_want() initializes each want. Zeroing the whole array, for each type of functions,
	 * would take longer than everything else here.
	 */
	f->nr_wants = 0;
	f->nr_opened = 0;
	f->plan = plan;
	f->list = &plan->entry;
	f->brief = options->tracepoint;
	f->only_forms = options->only_forms;
	f->forms = false;
	f->string_size = clamp(options->string_size, STRING_SIZE, KCATCH_DATA_MAX - TEXT_HEAD);
	f->struct_size = clamp(options->struct_size, STRUCT_SIZE, KCATCH_DATA_MAX);
	for (i = 0; i < plan->nr_args && !ret; i++)
		ret = follow_arg(f, plan, i);
	share_all(f);
	if (!ret)
		ret = follow_deeper(f, deep);
	if (!ret && options->returns)
		return follow_return(f, plan, deep);
	kcatch_plan_no_return(plan);
	return ret;
}
