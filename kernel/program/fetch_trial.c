// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tries at load that the quick reader gives what the full one gives: each source and each put that
 * it knows, on constant words. Two readers of one item may not differ, and what a record has shall
 * not depend on what else is in its list. Process context.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "core/trial.h"
#include "program/fetch.h"
#include "program/fetch_memory.h"
#include "program/fetch_trial.h"

#define ROOM	96U	/* words that a list here puts, at most */
#define ITEMS	32U

#define ITEM(source, kind, ...)								\
	{ .from = KCATCH_ITEM_##source, .put = KCATCH_ITEM_##kind, __VA_ARGS__ }
#define WORD(source, bytes, at, ...)							\
	ITEM(source, WORD, .size = bytes, .offset = at, __VA_ARGS__)
#define MEMORY(source, bytes, at, ...)							\
	ITEM(source, MEMORY, .size = bytes, .offset = at, __VA_ARGS__)

/* Memory of 58 bytes, and of none. */
#define LENGTH		61U
#define SKIPPED		3U
#define SKIPPED_ALL	90U
#define AT(value)	((value) == SKIPPED ? 108 : 110)
#define BOUNDED(skipped, bytes)								\
	ITEM(ARG, LENGTH, .size = 4, .offset = 104, .index = 2),			\
	ITEM(ARG, SKIP, .size = 2, .offset = AT(skipped), .index = 2),			\
	MEMORY(ARG, bytes, 0, .index = 2)

/* Argument 2 and the third word of the stack point to @memory, whose words 1 and 2 do so, too. */
static const struct kcatch_item at_entry[] = {
	ITEM(ARG, VALUE), ITEM(ARG, VALUE, .index = 2), ITEM(STACK, VALUE),
	ITEM(ARG, VALUE, .index = 5), ITEM(STACK, VALUE, .start = 8),
	WORD(ARG, 8, 24, .index = 2), WORD(ARG, 4, 28, .index = 2), WORD(ARG, 2, 38, .index = 2),
	WORD(ARG, 1, 41, .index = 2), MEMORY(ARG, 24, 16, .index = 2),
	MEMORY(ARG, 72, 32, .index = 2), WORD(ARG, 4, 44, .index = 2, .nr_hops = 1),
	ITEM(ARG, VALUE, .index = 2, .nr_hops = 1, .first_hop = 1, .offset = 3),
	MEMORY(ARG, 16, 8, .index = 2, .nr_hops = 2), WORD(STACK, 8, 40, .start = 16),
	MEMORY(STACK, 16, 0, .start = 16), WORD(STACK, 1, 33, .start = 16, .nr_hops = 2),
	ITEM(ARG, VALUE, .index = 1, .offset = -5), ITEM(TASK, VALUE), ITEM(CGROUP, VALUE),
	ITEM(CGROUP, VALUE, .index = 1),
	BOUNDED(SKIPPED, 24), BOUNDED(SKIPPED, 64), BOUNDED(SKIPPED_ALL, 64),
};

static const struct kcatch_item at_return[] = {
	ITEM(RET, VALUE), ITEM(RET, VALUE, .index = 1), ITEM(SAVED, VALUE),
	ITEM(SAVED, VALUE, .start = 16), MEMORY(SAVED, 16, 24, .start = 8),
	WORD(SAVED, 2, 30, .start = 8), WORD(SAVED, 1, 33, .start = 8, .nr_hops = 1),
	WORD(SAVED, 8, 48, .start = 8, .nr_hops = 2), ITEM(TASK, VALUE), ITEM(CGROUP, VALUE),
};

static const s32 offsets[] = { 8, 16 };
static const struct kcatch_hops hops = { .hops = offsets, .nr = ARRAY_SIZE(offsets) };

/* Known to differ in each byte, with the highest bit and without. */
struct input {
	u64 memory[16];
	u64 stack[4];
	u64 args[KCATCH_ARGS];
	struct pt_regs regs;
	struct kcatch_read_item items[2][ITEMS];
	struct kcatch_items lists[2];
	u64 quick[ROOM], full[ROOM];
};

/* Once in the kernel's map of all memory, and once in the module's, which goes another way where it
 * is at hand. One thread loads the module. */
static struct input in_module, *input;

static void trial_fill(void)
{
	u64 *word = (u64 *)input;
	u32 i;

	memset(input, 0, sizeof(*input));
	for (i = 0; i < offsetof(struct input, items) / sizeof(*word); i++)
		word[i] = 0x9e3779b97f4a7c15ULL * (i + 1);
	input->args[kcatch_args_place(2)] = (unsigned long)input->memory;
	input->memory[1] = (unsigned long)input->memory;
	input->memory[2] = (unsigned long)input->memory;
	input->memory[13] = LENGTH | (u64)SKIPPED << 32 | (u64)SKIPPED_ALL << 48;
	input->stack[2] = (unsigned long)input->memory;
}

static bool both_agree(u32 number, const struct kcatch_item *items, u32 nr, const u64 *words,
		       const void *more)
{
	struct kcatch_items *list = &input->lists[number];
	u32 bad;

	list->items = input->items[number];
	if (kcatch_items_check(list, items, nr, &hops,
			       number ? KCATCH_ITEMS_RETURN : KCATCH_ITEMS_ENTRY,
			       &input->lists[0], &bad) ||
	    !list->words || list->size_max > sizeof(input->quick))
		return false;
	memset(input->quick, 0x55, sizeof(input->quick));
	memset(input->full, 0xaa, sizeof(input->full));
	return !kcatch_fetch_quick(list, words, (unsigned long)more, input->quick) &&
	       !kcatch_fetch_marked(list, words, (unsigned long)more, input->full) &&
	       !memcmp(input->quick, input->full, list->size_max);
}

static bool all_agree(struct input *memory)
{
	u64 saved[3];

	BUILD_BUG_ON(ARRAY_SIZE(at_entry) > ITEMS || ARRAY_SIZE(at_return) > ITEMS);
	input = memory;
	trial_fill();
	if (!both_agree(0, at_entry, ARRAY_SIZE(at_entry), input->args, input->stack))
		return false;
	memcpy(saved, input->full, sizeof(saved));
	return both_agree(1, at_return, ARRAY_SIZE(at_return), kcatch_results_of(&input->regs),
			  saved);
}

bool kcatch_fetch_try(void)
{
	struct input *mapped = kmalloc(sizeof(*mapped), GFP_KERNEL);
	bool passed = mapped && all_agree(mapped);

	if (kcatch_at_hand((unsigned long)&in_module, sizeof(in_module)))
		passed = passed && all_agree(&in_module);

	kfree(mapped);
	return kcatch_trial_end(KCATCH_TRIAL_FETCH, passed);
}
