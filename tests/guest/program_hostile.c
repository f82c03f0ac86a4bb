// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: programs and bindings that are not as the header says are refused,
 * with the list and the item that is wrong, and change nothing; random ones that
 * are right run under traffic without harm.
 * Gate: older
 */
#include "guest.h"
#include "code.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT(type, ...) (sizeof((type[]){ __VA_ARGS__ }) / sizeof(type))
#define LIST(type, ...) { .at = (uintptr_t)(type[]){ __VA_ARGS__ }, \
			  .nr = COUNT(type, __VA_ARGS__) }
#define LIST_OF(...) LIST(struct kcatch_item, __VA_ARGS__)
#define HOPS(...) LIST(int32_t, __VA_ARGS__)
#define VALUE(...) ITEM(ARG, VALUE, __VA_ARGS__)
#define CODE(...) LIST(struct kcatch_op, __VA_ARGS__)
#define OP(what, ...) { .op = KCATCH_OP_##what, __VA_ARGS__ }
#define FROM(what) .from = KCATCH_FROM_##what
#define YES CODE_GO(KCATCH_EXIT_YES)
#define OP_EXIT(n) (KCATCH_EXIT_OP + (n))
#define NO_LIST (~0U)

enum { ENTRY, AT_RETURN, IN_FIELDS, ENTRY_CONDITION, RETURN_CONDITION, TEXTS, IN_HOPS };

static struct session session;

/* Refused with this errno, saying which list and item. */
static void refuse(struct kcatch_program program, int expected, uint32_t list, uint32_t item,
		   const char *text)
{
	long result = ioctl(session.fd, KCATCH_IOC_PROGRAM, &program);
	int error = errno;

	if (!check(result == -1 && error == expected && program.bad_list == list &&
		   program.bad_item == item, "PROGRAM: %s", text))
		note("result %ld, %s (expected %s), list %d (%d), item %u (%u)", result,
		     strerror(error), strerror(expected), (int)program.bad_list, (int)list,
		     program.bad_item, item);
}

#define REFUSE(expected, list, item, text, ...) \
	refuse((struct kcatch_program){ __VA_ARGS__ }, expected, list, item, text)

static uint32_t accept(struct kcatch_program program, const char *text)
{
	uint32_t item = program.bad_item;
	bool done = !ioctl(session.fd, KCATCH_IOC_PROGRAM, &program) && program.number;

	if (!check(done, "PROGRAM: %s is taken", text))
		note("%s, list %d, item %u (%u)", strerror(errno), (int)program.bad_list,
		     program.bad_item, item);
	return program.number;
}

#define ACCEPT(text, ...) accept((struct kcatch_program){ __VA_ARGS__ }, text)

static void too_many(void)
{
	static struct kcatch_item items[KCATCH_LIST_MAX + 1];
	static int32_t hops[KCATCH_HOPS_MAX + 1];
	const struct kcatch_item length = ITEM(ARG, LENGTH), bytes = ITEM(ARG, BYTES, .size = 1);
	int i;

	for (i = 0; i <= (int)KCATCH_LIST_MAX; i++)
		items[i] = i % 2 ? bytes : length;
	check_errno(ioctl(session.fd, KCATCH_IOC_PROGRAM, &(struct kcatch_program){
		.entry = { .at = (uintptr_t)items, .nr = KCATCH_LIST_MAX + 1 } }), E2BIG,
		"PROGRAM: too many items");
	check_errno(ioctl(session.fd, KCATCH_IOC_PROGRAM, &(struct kcatch_program){
		.at_return = { .at = (uintptr_t)items, .nr = ~0U } }), E2BIG,
		"PROGRAM: four thousand million items");
	check_errno(ioctl(session.fd, KCATCH_IOC_PROGRAM, &(struct kcatch_program){
		.hops = { .at = (uintptr_t)hops, .nr = KCATCH_HOPS_MAX + 1 } }), E2BIG,
		"PROGRAM: too many hops");
	ACCEPT("the largest number of items",
	       .entry = { .at = (uintptr_t)items, .nr = KCATCH_LIST_MAX });
	ACCEPT("the largest number of hops",
	       .hops = { .at = (uintptr_t)hops, .nr = KCATCH_HOPS_MAX });
	for (i = 0; i <= (int)KCATCH_ITEMS_MAX; i++)
		items[i] = (struct kcatch_item)VALUE();
	REFUSE(E2BIG, ENTRY, KCATCH_ITEMS_MAX, "too many items that put something",
	       .entry = { .at = (uintptr_t)items, .nr = KCATCH_ITEMS_MAX + 1 });
	ACCEPT("the largest number of these",
	       .entry = { .at = (uintptr_t)items, .nr = KCATCH_ITEMS_MAX });
}

static void wrong_lists(void)
{
	static const struct kcatch_item item = VALUE();

	check_errno(ioctl(session.fd, KCATCH_IOC_PROGRAM, NULL), EFAULT, "PROGRAM: no struct");
	check_errno(ioctl(session.fd, KCATCH_IOC_PROGRAM, 0xffff888000000000), EFAULT,
		    "PROGRAM: a struct in the kernel");
	REFUSE(EINVAL, NO_LIST, 0, "a task that is no argument", .tasks = 1U << 6);
	REFUSE(EINVAL, 3, 0, "a key without a condition", .flags = KCATCH_PROGRAM_KEYED);
	REFUSE(EINVAL, NO_LIST, 0, "an unknown flag", .flags = 1U << 31);
	REFUSE(EINVAL, NO_LIST, 0, "a user stack above the maximum",
	       .user_stack = KCATCH_USER_STACK_MAX + 8);
	REFUSE(EINVAL, NO_LIST, 0, "mappings without a user stack", .user_maps = 8);
	REFUSE(EINVAL, ENTRY, 0, "a pointer to no items", .entry = { .at = (uintptr_t)&item });
	REFUSE(EFAULT, ENTRY, 0, "items at NULL", .entry = { .nr = 1 });
	REFUSE(EFAULT, ENTRY, 0, "items at a bad pointer", .entry = { .at = 0xdead0000, .nr = 1 });
	REFUSE(EFAULT, IN_FIELDS, 0, "items in the kernel",
	       .fields = { .at = 0xffffffff81000000, .nr = 8 });
	check(ioctl(session.fd, KCATCH_IOC_PROGRAM, &(struct kcatch_program){
		.entry = { .nr = 0, .reserved = 1 } }) == -1, "PROGRAM: a list's reserved field");
	check(ioctl(session.fd, KCATCH_IOC_PROGRAM, &(struct kcatch_program){
		.hops = { .nr = 0, .reserved = 1 } }) == -1, "PROGRAM: that of the hops");
	REFUSE(E2BIG, ENTRY, 1, "more data than there may be",
	       .entry = LIST_OF(ITEM(ARG, MEMORY, .size = 1024), VALUE()));
	REFUSE(E2BIG, ENTRY, 0, "a text with its length above the maximum",
	       .entry = LIST_OF(ITEM(ARG, STRING, .size = 1017)));
	REFUSE(E2BIG, IN_FIELDS, 0, "more fields than there may be",
	       .fields = LIST_OF(ITEM(ARG, MEMORY, .size = 513)));
	REFUSE(EINVAL, IN_FIELDS, 0, "a string in the fields",
	       .fields = LIST_OF(ITEM(ARG, STRING, .size = 8)));
	REFUSE(EINVAL, IN_FIELDS, 0, "a path in the fields",
	       .fields = LIST_OF(ITEM(ARG, PATH, .size = 8)));
	REFUSE(EINVAL, IN_FIELDS, 0, "a length in the fields",
	       .fields = LIST_OF(ITEM(ARG, LENGTH), ITEM(ARG, BYTES, .size = 8)));
	REFUSE(EINVAL, IN_FIELDS, 0, "a return value in the fields",
	       .fields = LIST_OF(ITEM(RET, VALUE)));
}

static void wrong_hops(void)
{
	REFUSE(EINVAL, IN_HOPS, 0, "a pointer to no hops", .hops = { .at = 8 });
	REFUSE(EFAULT, IN_HOPS, 0, "hops at NULL", .hops = { .nr = 1 });
	REFUSE(EFAULT, IN_HOPS, 0, "hops at a bad pointer", .hops = { .at = 0xdead0000, .nr = 1 });
	REFUSE(EFAULT, IN_HOPS, 0, "hops in the kernel",
	       .hops = { .at = 0xffffffff81000000, .nr = 8 });
	REFUSE(EINVAL, ENTRY, 0, "a hop where there are none",
	       .entry = LIST_OF(VALUE(.nr_hops = 1)));
	REFUSE(EINVAL, ENTRY, 1, "a hop behind the last", .hops = HOPS(0, 0),
	       .entry = LIST_OF(VALUE(.nr_hops = 2), VALUE(.nr_hops = 1, .first_hop = 2)));
	REFUSE(EINVAL, IN_FIELDS, 0, "hops that reach behind it", .hops = HOPS(0, 0),
	       .fields = LIST_OF(VALUE(.nr_hops = 2, .first_hop = 1)));
	REFUSE(EINVAL, AT_RETURN, 0, "more hops than there are", .hops = HOPS(0, 0),
	       .at_return = LIST_OF(ITEM(RET, VALUE, .nr_hops = 255)));
	REFUSE(EINVAL, ENTRY, 0, "the last hop that a number says", .hops = HOPS(0, 0),
	       .entry = LIST_OF(VALUE(.nr_hops = 1, .first_hop = 65535)));
	REFUSE(EINVAL, ENTRY, 0, "the place of no hops", .hops = HOPS(0, 0),
	       .entry = LIST_OF(VALUE(.first_hop = 1)));
	REFUSE(EINVAL, ENTRY, 0, "an item's reserved field",
	       .entry = LIST_OF(VALUE(.reserved = 1)));
	ACCEPT("hops that all lists share", .hops = HOPS(0, 8, -8),
	       .entry = LIST_OF(VALUE(.nr_hops = 3), VALUE(.nr_hops = 1, .first_hop = 2)),
	       .at_return = LIST_OF(ITEM(RET, VALUE, .nr_hops = 2, .first_hop = 1)),
	       .fields = LIST_OF(VALUE(.nr_hops = 3)));
}

static void wrong_lengths(void)
{
	REFUSE(EINVAL, ENTRY, 0, "bytes alone", .entry = LIST_OF(ITEM(ARG, BYTES, .size = 8)));
	REFUSE(EINVAL, ENTRY, 0, "a length without bytes", .entry = LIST_OF(ITEM(ARG, LENGTH)));
	REFUSE(EINVAL, ENTRY, 1, "a length of something else",
	       .entry = LIST_OF(ITEM(ARG, LENGTH), ITEM(ARG, MEMORY, .size = 8)));
	REFUSE(EINVAL, ENTRY, 1, "a length of a length",
	       .entry = LIST_OF(ITEM(ARG, LENGTH), ITEM(ARG, LENGTH), ITEM(ARG, BYTES, .size = 8)));
	REFUSE(EINVAL, ENTRY, 2, "a length for two", .entry = LIST_OF(ITEM(ARG, LENGTH),
	       ITEM(ARG, BYTES, .size = 8), ITEM(ARG, BYTES, .size = 8)));
	REFUSE(EINVAL, ENTRY, 0, "a skip alone", .entry = LIST_OF(ITEM(ARG, SKIP, .size = 2)));
	REFUSE(EINVAL, ENTRY, 1, "a skip without memory",
	       .entry = LIST_OF(ITEM(ARG, LENGTH), ITEM(ARG, SKIP, .size = 2)));
	REFUSE(EINVAL, ENTRY, 2, "a skip in bytes",
	       .entry = LIST_OF(ITEM(ARG, LENGTH), ITEM(ARG, SKIP, .size = 2),
				ITEM(ARG, BYTES, .size = 8)));
	REFUSE(EINVAL, AT_RETURN, 3, "a length at the end",
	       .at_return = LIST_OF(ITEM(RET, LENGTH), ITEM(RET, BYTES, .size = 8),
				    ITEM(RET, VALUE), ITEM(RET, LENGTH)));
}

static void wrong_saved(void)
{
	REFUSE(EINVAL, AT_RETURN, 0, "SAVED of nothing", .at_return = LIST_OF(ITEM(SAVED, VALUE)));
	REFUSE(EINVAL, AT_RETURN, 0, "MISSED of an item that there is not",
	       .entry = LIST_OF(VALUE()), .at_return = LIST_OF(ITEM(MISSED, VALUE, .index = 1)));
	REFUSE(EINVAL, AT_RETURN, 0, "SAVED of an item",
	       .entry = LIST_OF(VALUE()), .at_return = LIST_OF(ITEM(SAVED, VALUE, .index = 1)));
	REFUSE(EINVAL, AT_RETURN, 0, "SAVED of half a word",
	       .entry = LIST_OF(VALUE()), .at_return = LIST_OF(ITEM(SAVED, VALUE, .start = 4)));
	REFUSE(EINVAL, AT_RETURN, 1, "SAVED of a word behind the last",
	       .entry = LIST_OF(VALUE()),
	       .at_return = LIST_OF(ITEM(RET, VALUE), ITEM(SAVED, VALUE, .start = 8)));
	REFUSE(EINVAL, AT_RETURN, 0, "SAVED of a place before the first",
	       .entry = LIST_OF(VALUE()), .at_return = LIST_OF(ITEM(SAVED, VALUE, .start = -8)));
	REFUSE(EINVAL, AT_RETURN, 0, "SAVED of memory",
	       .entry = LIST_OF(ITEM(ARG, MEMORY, .size = 8)),
	       .at_return = LIST_OF(ITEM(SAVED, VALUE)));
	REFUSE(EINVAL, AT_RETURN, 0, "SAVED of a word behind a string",
	       .entry = LIST_OF(ITEM(ARG, STRING, .size = 8), VALUE()),
	       .at_return = LIST_OF(ITEM(SAVED, VALUE, .start = 16)));
	ACCEPT("SAVED of the second word",
	       .entry = LIST_OF(VALUE(), ITEM(ARG, WORD, .size = 8)),
	       .at_return = LIST_OF(ITEM(SAVED, VALUE, .start = 8)));
}

/* Lists that have hooks of their own. The offsets of struct pt_regs are those of x86-64. */
#define REGISTER(at) ITEM(ARG, WORD, .size = 8, .offset = at)

static void wrong_shapes(void)
{
	REFUSE(EINVAL, NO_LIST, 0, "an unknown shape", .shape = KCATCH_SHAPE_SWITCH + 1);
	REFUSE(EINVAL, ENTRY, 0, "an argument that is not there", .shape = KCATCH_SHAPE_ARG);
	REFUSE(EINVAL, ENTRY, 0, "another argument", .shape = KCATCH_SHAPE_ARG,
	       .entry = LIST_OF(VALUE(.index = 1)));
	REFUSE(EINVAL, ENTRY, 0, "an argument and more", .shape = KCATCH_SHAPE_ARG,
	       .entry = LIST_OF(VALUE(), VALUE()));
	REFUSE(EINVAL, ENTRY, 0, "an argument behind a hop", .shape = KCATCH_SHAPE_ARG,
	       .entry = LIST_OF(VALUE(.nr_hops = 1)), .hops = HOPS(0));
	REFUSE(EINVAL, ENTRY, 0, "an argument and an offset", .shape = KCATCH_SHAPE_RET,
	       .entry = LIST_OF(VALUE(.index = 1, .offset = 1)));
	REFUSE(EINVAL, ENTRY, 0, "an entry of fewer words", .shape = KCATCH_SHAPE_ENTER,
	       .entry = LIST_OF(VALUE(.index = 1), ITEM(ARG, MEMORY, .size = 56, .offset = 56)));
	REFUSE(EINVAL, ENTRY, 0, "an entry of other words", .shape = KCATCH_SHAPE_ENTER,
	       .entry = LIST_OF(VALUE(.index = 1), ITEM(ARG, MEMORY, .size = 64, .offset = 48)));
	REFUSE(EINVAL, ENTRY, 0, "an exit of another register", .shape = KCATCH_SHAPE_EXIT,
	       .entry = LIST_OF(REGISTER(112), VALUE(.index = 1)));
	REFUSE(EINVAL, ENTRY, 0, "a call's registers in another order", .shape = KCATCH_SHAPE_CALL,
	       .entry = LIST_OF(REGISTER(104), REGISTER(112)));
	REFUSE(EINVAL, ENTRY, 0, "half a register", .shape = KCATCH_SHAPE_CALL,
	       .entry = LIST_OF(ITEM(ARG, WORD, .size = 4, .offset = 112)));
	REFUSE(EINVAL, ENTRY, 0, "memory that no word points to", .shape = KCATCH_SHAPE_CALL,
	       .entry = LIST_OF(REGISTER(112), ITEM(ARG, MEMORY, .size = 28, .nr_hops = 1)),
	       .hops = HOPS(104));
	REFUSE(EINVAL, ENTRY, 0, "memory of two hops", .shape = KCATCH_SHAPE_CALL,
	       .entry = LIST_OF(REGISTER(112), ITEM(ARG, MEMORY, .size = 28, .nr_hops = 2)),
	       .hops = HOPS(112, 0));
	REFUSE(EINVAL, ENTRY, 0, "memory behind another argument", .shape = KCATCH_SHAPE_CALL,
	       .entry = LIST_OF(REGISTER(112),
				ITEM(ARG, MEMORY, .index = 1, .size = 28, .nr_hops = 1)),
	       .hops = HOPS(112));
	REFUSE(EINVAL, ENTRY, 0, "two memories", .shape = KCATCH_SHAPE_CALL,
	       .entry = LIST_OF(REGISTER(112), ITEM(ARG, MEMORY, .size = 28, .nr_hops = 1),
				ITEM(ARG, MEMORY, .size = 28, .nr_hops = 1)), .hops = HOPS(112));
	REFUSE(EINVAL, ENTRY, 0, "a text behind the words", .shape = KCATCH_SHAPE_CALL,
	       .entry = LIST_OF(REGISTER(112), ITEM(ARG, STRING, .size = 28, .nr_hops = 1)),
	       .hops = HOPS(112));
	REFUSE(EINVAL, ENTRY, 0, "a switch without names", .shape = KCATCH_SHAPE_SWITCH,
	       .entry = LIST_OF(VALUE(), VALUE(.index = 1), VALUE(.index = 2), VALUE(.index = 3)));
	REFUSE(EINVAL, ENTRY, 0, "a switch at other offsets", .shape = KCATCH_SHAPE_SWITCH,
	       .entry = LIST_OF(VALUE(), VALUE(.index = 1), VALUE(.index = 2), VALUE(.index = 3),
				ITEM(ARG, MEMORY, .index = 1, .size = 16),
				ITEM(ARG, WORD, .index = 1, .size = 4),
				ITEM(ARG, MEMORY, .index = 2, .size = 16),
				ITEM(ARG, WORD, .index = 2, .size = 4)));
	ACCEPT("argument 0", .shape = KCATCH_SHAPE_ARG, .entry = LIST_OF(VALUE()));
	ACCEPT("argument 1", .shape = KCATCH_SHAPE_RET, .entry = LIST_OF(VALUE(.index = 1)));
	ACCEPT("an entry of a system call", .shape = KCATCH_SHAPE_ENTER,
	       .entry = LIST_OF(VALUE(.index = 1), ITEM(ARG, MEMORY, .size = 64, .offset = 56)));
	ACCEPT("an exit", .shape = KCATCH_SHAPE_EXIT,
	       .entry = LIST_OF(REGISTER(120), VALUE(.index = 1)));
	ACCEPT("a call without arguments", .shape = KCATCH_SHAPE_CALL);
	ACCEPT("a call with six", .shape = KCATCH_SHAPE_CALL,
	       .entry = LIST_OF(REGISTER(112), REGISTER(104), REGISTER(96), REGISTER(56),
				REGISTER(72), REGISTER(64)));
	ACCEPT("a call with memory", .shape = KCATCH_SHAPE_CALL,
	       .entry = LIST_OF(REGISTER(112), REGISTER(104),
				ITEM(ARG, MEMORY, .size = 28, .nr_hops = 1)),
	       .hops = HOPS(112));
}

/* ---- all fields of an item ---- */

static bool source_is_right(const struct kcatch_item *item, int list)
{
	bool at_return = list == AT_RETURN;

	switch (item->from) {
	case KCATCH_ITEM_ARG:
		return !at_return && item->index < 6 && !item->start;
	case KCATCH_ITEM_RET:
		return at_return && item->index < 2 && !item->start;
	case KCATCH_ITEM_SAVED:
		return at_return && !item->index && (item->start == 0 || item->start == 8);
	case KCATCH_ITEM_MISSED:
		return at_return && item->index < 2 && (item->start == 0 || item->start == 8);
	case KCATCH_ITEM_STACK:
		return !at_return && !item->index && item->start >= 0 && item->start <= 1024;
	case KCATCH_ITEM_TASK:
		return !item->index && !item->start;
	case KCATCH_ITEM_CGROUP:
		return item->index ? item->index == 1 && item->start >= 0 : !item->start;
	case KCATCH_ITEM_LATENCY:
		return list == ENTRY && item->put == KCATCH_ITEM_VALUE && !item->nr_hops &&
		       !item->index && !item->start;
	}
	return false;
}

/* What the header says of one item, in its list alone or with the other half of a length (SAVED:
 * two words were put). */
static bool is_right(const struct kcatch_item *item, int list)
{
	uint32_t most = list == IN_FIELDS ? KCATCH_FIELDS_MAX : KCATCH_DATA_MAX, size = item->size;

	if (!source_is_right(item, list) || item->reserved ||
	    (item->limit && item->put != KCATCH_ITEM_CHARS))
		return false;
	switch (item->put) {
	case KCATCH_ITEM_VALUE:
		return !size;
	case KCATCH_ITEM_SKIP:
		return list != IN_FIELDS && (size == 1 || size == 2 || size == 4 || size == 8);
	case KCATCH_ITEM_WORD:
		return size == 1 || size == 2 || size == 4 || size == 8;
	case KCATCH_ITEM_MEMORY:
		return size && size <= most;
	case KCATCH_ITEM_LENGTH:
		return list != IN_FIELDS && (!size || size == 4 || size == 8);
	case KCATCH_ITEM_STRING:
	case KCATCH_ITEM_BYTES:
	case KCATCH_ITEM_PATH:
	case KCATCH_ITEM_DENTRY:
		return list != IN_FIELDS && size && size <= most - 8;
	case KCATCH_ITEM_CHARS:
		return size && size % 8 == 0 && size <= most && item->limit <= size;
	}
	return false;
}

static bool is_judged_right(const struct kcatch_item *item, int list)
{
	struct kcatch_item words[] = { VALUE(), ITEM(ARG, WORD, .size = 8) }, three[3];
	const uint8_t from = list == AT_RETURN ? KCATCH_ITEM_RET : KCATCH_ITEM_ARG;
	bool is_bytes = item->put == KCATCH_ITEM_BYTES && list != IN_FIELDS;
	bool is_length = item->put == KCATCH_ITEM_LENGTH;
	bool is_skip = item->put == KCATCH_ITEM_SKIP && list != IN_FIELDS;
	struct kcatch_list one = { .at = (uintptr_t)three,
				   .nr = 1 + (is_bytes || is_length) + 2 * is_skip };
	struct kcatch_program program = { .entry = { .at = (uintptr_t)words, .nr = 2 } };
	bool expected = is_right(item, list), done;
	int error;

	three[0] = three[1] = *item;
	three[2] = (struct kcatch_item){ .from = from, .size = 1,
					 .put = is_skip ? KCATCH_ITEM_MEMORY : KCATCH_ITEM_BYTES };
	if (is_bytes || is_skip)
		three[0] = (struct kcatch_item){ .from = from, .put = KCATCH_ITEM_LENGTH };
	if (is_length)
		three[1] = three[2];
	if (list == ENTRY)
		program.entry = one;
	else if (list == AT_RETURN)
		program.at_return = one;
	else
		program.fields = one;
	done = !ioctl(session.fd, KCATCH_IOC_PROGRAM, &program);
	error = errno;
	if (done == expected &&
	    (done || ((error == EINVAL || error == E2BIG) && program.bad_list == (uint32_t)list &&
		      program.bad_item == (is_bytes || is_skip))))
		return true;
	note("from %u put %u index %u size %u limit %u start %d in list %d: %s, item %u",
	     item->from, item->put, item->index, item->size, item->limit, item->start, list,
	     done ? "taken" : strerror(error), program.bad_item);
	return false;
}

/* Each source with each put, with each value of one that is right for some and wrong for others:
 * first of the fields of the source, then of those of what is put. */
static void all_items(void)
{
	static const uint8_t indexes[] = { 0, 1, 2, 5, 6, 255 };
	static const int32_t starts[] = { 0, 4, 8, -8, 1024, 1025, INT_MIN, INT_MAX };
	static const uint16_t sizes[] = { 0, 1, 3, 4, 8, 512, 1016, 1024, 1025, 65535 };
	static const uint16_t limits[] = { 0, 1, 8, 9, 512, 1025, 65535 };
	static const uint16_t some_size[] = {
		[KCATCH_ITEM_WORD] = 4,  [KCATCH_ITEM_MEMORY] = 8, [KCATCH_ITEM_STRING] = 8,
		[KCATCH_ITEM_BYTES] = 8, [KCATCH_ITEM_PATH] = 8,   [KCATCH_ITEM_DENTRY] = 8,
		[KCATCH_ITEM_CHARS] = 8, [KCATCH_ITEM_SKIP] = 2,   [12] = 0
	};
	int from, put, list, bad = 0, tried = 0;
	size_t a, b;

	for (from = 0; from < 256; from += from < 9 ? 1 : 82) {
		session_close(&session);
		session_open(&session, 16384, 4096);
		for (put = 0; put < 256; put += put < 11 ? 1 : 61)
		for (list = ENTRY; list <= IN_FIELDS && bad < 10; list++) {
			struct kcatch_item item = { .from = from, .put = put };

			item.size = put < 12 ? some_size[put] : 0;
			for (a = 0; a < sizeof(indexes); a++)
			for (b = 0; b < sizeof(starts) / sizeof(*starts); b++) {
				item.index = indexes[a];
				item.start = starts[b];
				bad += !is_judged_right(&item, list);
				tried++;
			}
			item.index = item.start = 0;
			for (a = 0; a < sizeof(sizes) / sizeof(*sizes); a++)
			for (b = 0; b < sizeof(limits) / sizeof(*limits); b++) {
				item.size = sizes[a];
				item.limit = limits[b];
				bad += !is_judged_right(&item, list);
				tried++;
			}
		}
	}
	check(!bad, "each item takes exactly the fields the header says (%d items)", tried);
}

/* The same code in both conditions; the operation at @item is wrong. */
#define REFUSE_CODE(expected, item, text, ...) do { \
	REFUSE(expected, ENTRY_CONDITION, item, text, .entry_condition = __VA_ARGS__); \
	REFUSE(expected, RETURN_CONDITION, item, text " (return)", \
	       .return_condition = __VA_ARGS__); \
} while (0)

static void wrong_exits(void)
{
	REFUSE_CODE(EINVAL, 0, "no end", CODE(OP(SET, FROM(ARG))));
	REFUSE_CODE(EINVAL, 1, "a test that goes on behind the end",
		    CODE(OP(SET, FROM(ARG)), OP(RANGE, FROM(ARG), .yes = OP_EXIT(2))));
	REFUSE_CODE(EINVAL, 0, "an exit behind the end", CODE(CODE_GO(OP_EXIT(1))));
	REFUSE_CODE(EINVAL, 0, "an exit far behind it", CODE(CODE_GO(255)));
	REFUSE_CODE(EINVAL, 0, "an exit to itself", CODE(CODE_GO(OP_EXIT(0)), YES));
	REFUSE_CODE(EINVAL, 1, "an exit back",
		    CODE(OP(SET, FROM(ARG)), OP(RANGE, FROM(ARG), .no = OP_EXIT(0))));
	REFUSE_CODE(EINVAL, 1, "a division's exit back",
		    CODE(OP(SET, FROM(ARG)), OP(DIV, FROM(ARG), .unknown = OP_EXIT(0)), YES));
	REFUSE_CODE(EINVAL, 0, "an exit of what is always known",
		    CODE(OP(SET, FROM(ARG), .unknown = KCATCH_EXIT_UNKNOWN), YES));
	REFUSE_CODE(EINVAL, 2, "a second way on", CODE(CODE_GO(1), YES, OP(GO, .no = 1)));
}

static void wrong_sources(void)
{
	REFUSE_CODE(EINVAL, 0, "no source", CODE(OP(SET), YES));
	REFUSE_CODE(EINVAL, 0, "an unknown source", CODE(OP(SET, .from = KCATCH_FROMS), YES));
	REFUSE_CODE(EINVAL, 0, "the last source", CODE(OP(SET, .from = 255), YES));
	REFUSE_CODE(EINVAL, 0, "a seventh argument", CODE(OP(SET, FROM(ARG), .index = 6), YES));
	REFUSE_CODE(EINVAL, 0, "a second return", CODE(OP(SET, FROM(RET), .index = 1), YES));
	REFUSE_CODE(EINVAL, 0, "the command as a number", CODE(OP(SET, FROM(COMM)), YES));
	REFUSE_CODE(EINVAL, 0, "acc that was never set", CODE(OP(SAVE), YES));
	REFUSE_CODE(EINVAL, 0, "a sum of nothing", CODE(OP(ADD, FROM(ARG)), YES));
	REFUSE_CODE(EINVAL, 0, "a saved word that was never written",
		    CODE(OP(SET, FROM(SAVED)), YES));
	REFUSE_CODE(EINVAL, 3, "a saved word that one way did not write",
		    CODE(OP(SET, FROM(ARG)), OP(RANGE, FROM(ARG), .yes = OP_EXIT(2),
						.no = OP_EXIT(3)),
			 OP(SAVE, .index = 3), OP(SET, FROM(SAVED), .index = 3), YES));
	REFUSE_CODE(EINVAL, 1, "a saved word beyond the last",
		    CODE(OP(SET, FROM(ARG)), OP(SAVE, .index = KCATCH_SAVED_MAX), YES));
	REFUSE_CODE(EINVAL, 0, "a field where none is put",
		    CODE(OP(RANGE, FROM(FIELD), .yes = KCATCH_EXIT_YES)));
	REFUSE(EINVAL, ENTRY_CONDITION, 0, "a field behind those that are put",
	       .fields = LIST_OF(VALUE()),
	       .entry_condition = CODE(OP(RANGE, FROM(FIELD), .offset = 8)));
	REFUSE(EINVAL, RETURN_CONDITION, 0, "the last field where one is put",
	       .fields = LIST_OF(VALUE()),
	       .return_condition = CODE(OP(RANGE, FROM(FIELD), .offset = KCATCH_FIELDS_MAX - 8)));
	REFUSE(EINVAL, ENTRY_CONDITION, 0, "half a field", .fields = LIST_OF(VALUE()),
	       .entry_condition = CODE(OP(RANGE, FROM(FIELD), .offset = 4)));
	REFUSE(EINVAL, ENTRY_CONDITION, 0, "the mark of an item that there is not",
	       .fields = LIST_OF(VALUE()),
	       .entry_condition = CODE(OP(RANGE, FROM(FIELD), .index = 1)));
	ACCEPT("the field that is put", .fields = LIST_OF(VALUE()),
	       .entry_condition = CODE(OP(RANGE, FROM(FIELD), .unknown = KCATCH_EXIT_UNKNOWN)));
}

static void wrong_operations(void)
{
	REFUSE_CODE(EINVAL, 0, "an unknown operation", CODE({ .op = KCATCH_OPS }, YES));
	REFUSE_CODE(EINVAL, 0, "the last operation", CODE({ .op = 255 }, YES));
	REFUSE_CODE(EINVAL, 0, "a reserved field", CODE(OP(GO, .reserved = 1)));
	REFUSE_CODE(EINVAL, 0, "another reserved field", CODE(OP(GO, .reserved2 = 1)));
	REFUSE_CODE(EINVAL, 0, "a shift by 64", CODE(OP(RANGE, FROM(ARG), .left = 64)));
	REFUSE_CODE(EINVAL, 0, "a right shift of a range", CODE(OP(RANGE, FROM(ARG), .right = 1)));
	REFUSE_CODE(EINVAL, 0, "an unknown flag of a shift",
		    CODE(OP(SET, FROM(ARG), .right = 64), YES));
	REFUSE_CODE(EINVAL, 0, "the same of the result",
		    CODE(OP(SET, FROM(ARG), .fit = 64), YES));
	REFUSE_CODE(EINVAL, 0, "an offset without a field",
		    CODE(OP(RANGE, FROM(ARG), .offset = 8)));
	REFUSE_CODE(EINVAL, 0, "a range of a constant", CODE(OP(RANGE, FROM(CONST), .a = 1)));
	REFUSE_CODE(EINVAL, 1, "a word that nobody takes",
		    CODE(OP(SET, FROM(ARG)), OP(OUT), YES));
	REFUSE_CODE(EINVAL, 0, "a mark that nobody takes", CODE(OP(MARK, .a = 1), YES));
}

static void wrong_texts(void)
{
	static char texts[KCATCH_TEXTS_MAX + 1];

	REFUSE_CODE(EINVAL, 0, "a text of which there is nothing",
		    CODE(OP(TEXT, FROM(COMM), .b = 1)));
	REFUSE_CODE(EINVAL, 0, "a text behind all", CODE(OP(TEXT, FROM(COMM), .a = 1)));
	REFUSE_CODE(EINVAL, 0, "a text far behind all", CODE(OP(TEXT, FROM(COMM), .a = ~0ULL)));
	REFUSE_CODE(EINVAL, 0, "a text without an end", CODE(OP(TEXT, FROM(COMM), .b = ~0ULL)));
	REFUSE_CODE(EINVAL, 0, "a pattern", CODE(OP(TEXT, FROM(COMM), .fit = KCATCH_TEXT_PATTERN)));
	REFUSE_CODE(EINVAL, 0, "a text of an argument", CODE(OP(TEXT, FROM(ARG))));
	REFUSE(EINVAL, ENTRY_CONDITION, 0, "a command that is too long",
	       .texts = { .at = (uintptr_t)texts, .nr = 16 },
	       .entry_condition = CODE(OP(TEXT, FROM(COMM), .b = 16)));
	REFUSE(EINVAL, ENTRY_CONDITION, 0, "a text that reaches behind the fields",
	       .texts = { .at = (uintptr_t)texts, .nr = 16 },
	       .fields = LIST_OF(ITEM(ARG, CHARS, .size = 8)),
	       .entry_condition = CODE(OP(TEXT, FROM(FIELD), .b = 8)));
	REFUSE(EINVAL, TEXTS, 0, "a pointer to no texts", .texts = { .at = (uintptr_t)texts });
	REFUSE(EFAULT, TEXTS, 0, "texts at a bad pointer", .texts = { .at = 0xdead0000, .nr = 1 });
	check_errno(ioctl(session.fd, KCATCH_IOC_PROGRAM, &(struct kcatch_program){
		.texts = { .at = (uintptr_t)texts, .nr = KCATCH_TEXTS_MAX + 1 } }), E2BIG,
		"PROGRAM: too many texts");
	ACCEPT("as many as there may be",
	       .texts = { .at = (uintptr_t)texts, .nr = KCATCH_TEXTS_MAX },
	       .entry_condition = CODE(OP(TEXT, FROM(COMM), .a = KCATCH_TEXTS_MAX - 15, .b = 15)));
}

static void wrong_conditions(void)
{
	static struct kcatch_op many[KCATCH_OPS_MAX + 1];
	int i;

	wrong_exits();
	wrong_sources();
	wrong_operations();
	wrong_texts();
	REFUSE_CODE(EINVAL, 0, "a pointer to no code", { .at = (uintptr_t)many });
	check(ioctl(session.fd, KCATCH_IOC_PROGRAM, &(struct kcatch_program){
		.entry_condition = { .nr = 1 } }) == -1, "PROGRAM: code at NULL");
	REFUSE_CODE(EFAULT, 0, "code at a bad pointer", { .at = 0xdead0000, .nr = 1 });
	REFUSE_CODE(EFAULT, 0, "code in the kernel", { .at = 0xffffffff81000000, .nr = 1 });
	for (i = 0; i < (int)KCATCH_OPS_MAX; i++)
		many[i] = (struct kcatch_op)OP(SET, FROM(ARG));
	check_errno(ioctl(session.fd, KCATCH_IOC_PROGRAM, &(struct kcatch_program){
		.entry_condition = { .at = (uintptr_t)many, .nr = KCATCH_OPS_MAX + 1 } }), E2BIG,
		"PROGRAM: too many operations");
	check_errno(ioctl(session.fd, KCATCH_IOC_PROGRAM, &(struct kcatch_program){
		.return_condition = { .at = (uintptr_t)many, .nr = ~0U } }), E2BIG,
		"PROGRAM: four thousand million operations");
	REFUSE(EINVAL, ENTRY_CONDITION, KCATCH_OPS_MAX - 1, "the last one does not end",
	       .entry_condition = { .at = (uintptr_t)many, .nr = KCATCH_OPS_MAX });
	many[KCATCH_OPS_MAX - 1] = (struct kcatch_op)YES;
	ACCEPT("the largest number of operations",
	       .entry_condition = { .at = (uintptr_t)many, .nr = KCATCH_OPS_MAX });
}

static long bind_one(uint32_t probe, uint32_t program)
{
	struct kcatch_binding binding = { .probe = probe, .program = program };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };

	return ioctl(session.fd, KCATCH_IOC_BIND, &bind);
}

static void wrong_bindings(void)
{
	struct add_options returns = { .flags = KCATCH_ADD_RETURN };
	struct kcatch_binding three[3] = { { .probe = 0 }, { .probe = 77 }, { .probe = 0 } };
	struct kcatch_binding named = { .probe = ~0U, .name = (uintptr_t)"kt_c", .name_len = 4 };
	struct kcatch_bind bind = { .nr = 3, .bindings = (uintptr_t)three };
	struct kcatch_program empty = { .flags = 0 };
	uint32_t condition, result, large, plain;
	struct kcatch_counters counters;

	session_close(&session);
	session_open(&session, 65536, 4096);
	if (session_add(&session, "kt_c", NULL, NULL) ||
	    session_add(&session, "kt_b", &returns, NULL))
		bail("two probes are armed");
	condition = ACCEPT("a condition on the return", .return_condition = CODE(YES));
	result = ACCEPT("a fetch at the return", .at_return = LIST_OF(ITEM(RET, VALUE)));
	large = ACCEPT("a user stack of 64 KB", .user_stack = KCATCH_USER_STACK_MAX);
	plain = ACCEPT("an argument", .entry = LIST_OF(VALUE()));
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, NULL), EFAULT, "BIND: no struct");
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, &(struct kcatch_bind){ .nr = 1 }), EFAULT,
		    "BIND: bindings at NULL");
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, &(struct kcatch_bind){ .nr = ~0U,
		.bindings = 0xffffffffffffff00 }), EFAULT, "BIND: bindings in the kernel");
	check_errno(bind_one(2, plain), EINVAL, "BIND: a probe that is not there");
	check_errno(bind_one(0x80000000, plain), EINVAL, "BIND: a probe that cannot be");
	check_errno(bind_one(0, plain + 1), EINVAL, "BIND: a program that is not there");
	check_errno(bind_one(0, ~0U), EINVAL, "BIND: a program that cannot be");
	check_errno(bind_one(0, condition), EINVAL,
		    "BIND: a condition on the return where it is not hooked");
	check_equal(bind_one(0, result), 0,
		    "BIND: a fetch at the return where it is not hooked is left out");
	check_errno(bind_one(0, large), E2BIG, "BIND: a record that fits no packet");
	check_errno(bind_one(1, large), E2BIG, "BIND: nor one with its return");
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, &(struct kcatch_bind){ .nr = 1,
		.bindings = (uintptr_t)&named }), EINVAL, "BIND: by name is not there yet");
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, &bind), EINVAL,
		    "BIND: the second of three is wrong");
	check_equal(bind.done, 1, "BIND says how many were done");
	check_equal(bind_one(1, condition), 0, "after all these a right BIND works");
	check_equal(bind_one(0, plain), 0, "and another");
	session_start(&session);
	check_errno(ioctl(session.fd, KCATCH_IOC_PROGRAM, &empty), EBUSY, "PROGRAM while it runs");
	check_errno(bind_one(0, 0), EBUSY, "BIND while it runs");
	order("process chain");
	session_stop(&session);
	session_counters(&session, 0, KCATCH_CPU_ALL, &counters);
	check_equal(counters.recorded, 1, "the bound program records");
	check(equation_holds(&counters), "its equation holds");
	session_counters(&session, 1, KCATCH_CPU_ALL, &counters);
	check_equal(counters.recorded, 1, "so does that with a condition on the return");
	check(equation_holds(&counters), "its equation holds as well");
}

/* What an event's record has no room for is refused by name too, before any module brings it. */
static void bindings_by_name_of_events(void)
{
	static const char name[] = "kt_no_such_event";
	struct add_options shallow = { .kind = KCATCH_TARGET_EVENT, .depth = 16 };
	struct add_options bare = { .kind = KCATCH_TARGET_EVENT, .flags = KCATCH_ADD_NO_STACK };
	struct kcatch_binding named = { .probe = ~0U, .name = (uintptr_t)name,
					.name_len = sizeof(name) - 1 };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&named };
	struct kcatch_add with_stack, without;
	uint32_t small, large;

	session_close(&session);
	session_open(&session, 65536, 4096);
	if (session_add(&session, name, &shallow, &with_stack) ||
	    session_add(&session, name, &bare, &without))
		bail("two groups wait for an event");
	small = ACCEPT("a user stack of 1000 bytes", .user_stack = 1000);
	large = ACCEPT("1000 bytes, 2000 of mappings", .user_stack = 1000, .user_maps = 2000);
	named.group = with_stack.group;
	named.program = small;
	check_equal(ioctl(session.fd, KCATCH_IOC_BIND, &bind), 0, "BIND: by name of an event");
	named.program = large;
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, &bind), E2BIG,
		    "BIND: a record that fits no packet with the event's payload");
	named.group = without.group;
	named.program = small;
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, &bind), EINVAL,
		    "BIND: a user stack where events are recorded without a stack");
}

/* ---- random ones ---- */

static uint32_t below(uint32_t limit)
{
	return random() % limit;
}

#define HOPS_MAX 8	/* of a random program */

static struct kcatch_item random_item(void)
{
	static const uint16_t widths[] = { 1, 2, 4, 8 };
	struct kcatch_item item = { .from = 1 + below(KCATCH_ITEM_CGROUP),
				    .put = 1 + below(KCATCH_ITEM_SKIP) };

	if (!below(200))
		item.from = random();
	if (item.from == KCATCH_ITEM_ARG)
		item.index = below(6);
	else if (item.from == KCATCH_ITEM_STACK)
		item.start = below(128) * 8;
	if (item.put == KCATCH_ITEM_WORD || item.put == KCATCH_ITEM_SKIP)
		item.size = widths[below(4)];
	else if (item.put == KCATCH_ITEM_LENGTH)
		item.size = 4 * below(3);
	else if (item.put != KCATCH_ITEM_VALUE)
		item.size = item.put == KCATCH_ITEM_CHARS ? 8 + 8 * below(4) : 1 + below(70);
	if (!below(3)) {
		item.nr_hops = 1 + below(3);
		item.first_hop = below(HOPS_MAX - 2);
	}
	item.offset = below(3) ? (int)below(300) : (int)(random() << 1);
	return item;
}

static uint32_t random_items(struct kcatch_item *items, int list)
{
	uint32_t nr = below(16), i;

	for (i = 0; i < nr; i++) {
		bool skipped = i && items[i - 1].put == KCATCH_ITEM_SKIP;
		bool counted = skipped || (i && items[i - 1].put == KCATCH_ITEM_LENGTH);

		items[i] = random_item();
		if ((counted && (skipped || items[i].put != KCATCH_ITEM_SKIP)) ||
		    (!counted &&
		     (items[i].put == KCATCH_ITEM_BYTES || items[i].put == KCATCH_ITEM_SKIP))) {
			items[i].put = skipped ? KCATCH_ITEM_MEMORY :
				       counted ? KCATCH_ITEM_BYTES : KCATCH_ITEM_VALUE;
			items[i].size = counted ? 1 + below(70) : 0;
		}
		/* What cannot be here: take another. */
		if ((!is_right(&items[i], list) && below(200)) ||
		    (i + 1 == nr &&
		     (items[i].put == KCATCH_ITEM_LENGTH || items[i].put == KCATCH_ITEM_SKIP)))
			i--;
	}
	return nr;
}

/* An exit of operation @at of @nr: a result, or one that comes later. */
static uint8_t random_exit(uint32_t at, uint32_t nr)
{
	return below(3) || at + 1 == nr ? below(KCATCH_EXIT_OP) :
					  OP_EXIT(at + 1 + below(nr - at - 1));
}

static struct kcatch_op random_op(uint32_t at, uint32_t nr)
{
	static const uint8_t sources[] = {
		KCATCH_FROM_CONST, KCATCH_FROM_ACC, KCATCH_FROM_SAVED, KCATCH_FROM_ARG,
		KCATCH_FROM_RET, KCATCH_FROM_LATENCY, KCATCH_FROM_PID, KCATCH_FROM_CPU,
		KCATCH_FROM_UID, KCATCH_FROM_FIELD,
	};
	struct kcatch_op op = { .op = KCATCH_OP_RANGE + below(KCATCH_OP_SAVE - KCATCH_OP_RANGE) };
	bool test = op.op < KCATCH_OP_SET, divides = op.op >= KCATCH_OP_DIV &&
						     op.op <= KCATCH_OP_MOD_S;

	if (op.op == KCATCH_OP_TEXT)
		op.op = KCATCH_OP_SET, test = false;
	op.from = sources[(op.op <= KCATCH_OP_BITS) + below(10 - (op.op <= KCATCH_OP_BITS))];
	if (op.from == KCATCH_FROM_ARG || op.from == KCATCH_FROM_SAVED)
		op.index = below(2);
	if (op.from == KCATCH_FROM_CONST)
		op.a = below(3) ? below(100) : random();
	op.left = below(2) ? 0 : below(64);
	if (op.op != KCATCH_OP_RANGE)
		op.right = below(2) ? 0 : below(64) | (below(2) ? KCATCH_RIGHT_SIGNED : 0);
	if (!test && below(2))
		op.fit = 32 | KCATCH_RIGHT_SIGNED;
	if (op.op <= KCATCH_OP_BITS) {
		op.a = random();
		op.b = random();
	}
	if (test) {
		op.yes = random_exit(at, nr);
		op.no = random_exit(at, nr);
	}
	if (divides || op.from == KCATCH_FROM_FIELD)
		op.unknown = random_exit(at, nr);
	return op;
}

/* Two words are saved first, so that nearly all of it is right. */
static uint32_t random_code(struct kcatch_op *code)
{
	uint32_t nr = 6 + below(40), i;

	code[0] = (struct kcatch_op)OP(SET, FROM(ARG));
	code[1] = (struct kcatch_op)OP(SAVE);
	code[2] = (struct kcatch_op)OP(SET, FROM(ARG), .index = 2);
	code[3] = (struct kcatch_op)OP(SAVE, .index = 1);
	for (i = 4; i < nr - 1; i++)
		code[i] = random_op(i, nr);
	code[nr - 1] = (struct kcatch_op)CODE_GO(below(3));
	return nr;
}

static long random_program(struct kcatch_program *program)
{
	static struct kcatch_item items[3][64];
	static struct kcatch_op code[2][64];
	static int32_t hops[HOPS_MAX];
	int i;

	for (i = 0; i < HOPS_MAX; i++)
		hops[i] = below(3) ? 8 * (int)below(40) : (int)(random() << 1);

	*program = (struct kcatch_program){
		.entry = { .at = (uintptr_t)items[0], .nr = random_items(items[0], ENTRY) },
		.at_return = { .at = (uintptr_t)items[1], .nr = random_items(items[1], AT_RETURN) },
		.fields = { .at = (uintptr_t)items[2], .nr = random_items(items[2], IN_FIELDS) },
		.hops = { .at = (uintptr_t)hops, .nr = HOPS_MAX },
		.user_stack = below(4) ? 0 : below(64) * 8,
	};
	if (below(2))
		program->entry_condition = (struct kcatch_list){
			.at = (uintptr_t)code[0], .nr = random_code(code[0]) };
	if (below(2))
		program->return_condition = (struct kcatch_list){
			.at = (uintptr_t)code[1], .nr = random_code(code[1]) };
	if (!program->entry.nr)
		program->entry.at = 0;
	if (!program->at_return.nr)
		program->at_return.at = 0;
	if (!program->fields.nr)
		program->fields.at = 0;
	return ioctl(session.fd, KCATCH_IOC_PROGRAM, program);
}

/* Reads of memory, of a file and of nothing at all. */
static void traffic(void)
{
	int zero = open("/dev/zero", O_RDONLY), proc = open("/proc/self/stat", O_RDONLY), i;
	char bytes[256];

	for (i = 0; i < 20; i++)
		if (read(zero, bytes, sizeof(bytes)) < 0 || pread(proc, bytes, i + 1, 0) < 0 ||
		    read(zero, (void *)(random() * 4096UL), 1) > 1)
			bail("reads work");
	close(zero);
	close(proc);
}

static void random_programs(void)
{
	struct add_options returns = { .flags = KCATCH_ADD_RETURN };
	struct kcatch_counters counters;
	int rounds, i, taken = 0, unequal = 0;
	uint64_t hits = 0;

	session_close(&session);
	session_open(&session, 65536, 16384);
	if (session_add(&session, "vfs_read", &returns, NULL))
		bail("vfs_read is armed");
	session_map(&session);
	srandom(3);
	for (rounds = 0; rounds < 30; rounds++) {
		struct kcatch_program program;
		uint32_t last = 0;

		for (i = 0; i < 100; i++) {
			if (random_program(&program))
				continue;
			last = program.number;
			taken++;
		}
		if (last && bind_one(0, last))
			bail("a random program is bound");
		session_start(&session);
		traffic();
		session_stop(&session);
		/* Nothing is read: all that was produced is taken. */
		for (i = 0; i < CPUS_MAX; i++)
			if (session.ring[i])
				session.consumer[i]->consumed = session.ring[i]->produced;
		session_counters(&session, 0, KCATCH_CPU_ALL, &counters);
		unequal += !equation_holds(&counters);
		hits = counters.hits;
	}
	check(taken > 300, "of 3000 random programs many are right (%d)", taken);
	check(hits >= 30 * 40, "they run on traffic (%llu hits)", (unsigned long long)hits);
	check(!unequal, "and the equation holds after each of 30 rounds");
}

static void random_bytes(void)
{
	unsigned char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct kcatch_counters counters;
	int i, j;

	munmap(pages + 4096, 4096);
	for (i = 0; i < 10000; i++) {
		size_t size = below(8) ? sizeof(struct kcatch_program) : below(300);
		unsigned char *argument = pages + 4096 - size;
		uint64_t pointer = (uintptr_t)pages + below(4096);

		for (j = 0; j < (int)size; j++)
			argument[j] = below(6) ? 0 : random();
		/* Lists of the page itself. */
		for (j = 0; j < 7 && size == sizeof(struct kcatch_program); j++) {
			struct kcatch_list list = { .at = pointer, .nr = below(20) };

			if (below(3))
				memcpy(argument + j * sizeof(list), &list, sizeof(list));
		}
		ioctl(session.fd, below(4) ? KCATCH_IOC_PROGRAM : KCATCH_IOC_BIND,
		      below(30) ? argument : (void *)random());
	}
	if (bind_one(0, 0))
		bail("a probe is unbound");
	session_start(&session);
	traffic();
	session_stop(&session);
	session_counters(&session, 0, KCATCH_CPU_ALL, &counters);
	check(equation_holds(&counters), "10000 random calls do not disturb the session");
	session_close(&session);
}

int main(void)
{
	test_module_load();
	session_open(&session, 16384, 4096);
	too_many();
	wrong_lists();
	wrong_hops();
	wrong_lengths();
	wrong_saved();
	wrong_shapes();
	wrong_conditions();
	all_items();
	wrong_bindings();
	bindings_by_name_of_events();
	random_programs();
	random_bytes();
	return finish();
}
