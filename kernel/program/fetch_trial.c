// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tries at load that the quick ways to run a list of steps give what the full one gives: each kind
 * of step that they know, on constant words. Two ways of one step may not differ, and what a record
 * has shall not depend on what else is in its list. Process context.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "core/trial.h"
#include "program/fetch.h"
#include "program/fetch_memory.h"
#include "program/fetch_trial.h"

#define ROOM	64U	/* words that a list here puts, at most */
#define STEPS	40U

#define STEP(kind, ...)		{ .op = KCATCH_STEP_##kind, __VA_ARGS__ }
#define TAKE(nr)		STEP(ARG, .arg = nr)
#define ABOVE(bytes)		STEP(STACK, .offset = bytes)
#define LOAD(bytes, at)		STEP(LOAD, .size = bytes, .offset = at)
#define MEMORY(bytes, at)	STEP(PUT_MEMORY, .size = bytes, .offset = at)
#define PUT			STEP(PUT)

/* Argument 2 and the third word of the stack point to @memory, whose word 1 does so, too. */
static const struct kcatch_step mixed[] = {
	TAKE(0), PUT, TAKE(5), PUT, ABOVE(0), PUT, ABOVE(8), PUT, TAKE(2), LOAD(8, 16), PUT,
	TAKE(2), LOAD(4, 20), PUT, TAKE(2), LOAD(2, 30), PUT, TAKE(2), LOAD(1, 33), PUT,
	TAKE(2), MEMORY(24, 16), TAKE(2), LOAD(8, 8), LOAD(4, 44), PUT,
	ABOVE(16), LOAD(8, 40), PUT, ABOVE(16), MEMORY(16, 0),
	TAKE(1), STEP(ADD, .offset = -5), PUT, STEP(TASK), PUT, STEP(CGROUP), PUT,
};

static const struct kcatch_step direct[] = {
	TAKE(3), PUT, TAKE(2), LOAD(4, 20), PUT, TAKE(2), LOAD(2, 30), PUT,
	TAKE(2), LOAD(1, 33), PUT, TAKE(2), LOAD(8, 40), PUT, TAKE(2), LOAD(8, 48), PUT,
	TAKE(2), MEMORY(16, 16),
	TAKE(2), LOAD(8, 8), LOAD(8, 56), PUT, TAKE(2), MEMORY(32, 24),
};

static const struct kcatch_step tailed[] = {
	TAKE(4), PUT, TAKE(2), LOAD(8, 8), PUT, TAKE(2), LOAD(8, 8), MEMORY(20, 18),
};

static const struct kcatch_step words[] = { TAKE(0), PUT, TAKE(2), PUT, ABOVE(0), PUT };

static const struct kcatch_step at_return[] = {
	STEP(RET), PUT, STEP(RET, .arg = 1), PUT, STEP(SAVED), PUT, STEP(SAVED, .offset = 16), PUT,
	STEP(SAVED, .offset = 8), MEMORY(16, 24), STEP(SAVED, .offset = 8), LOAD(2, 30), PUT,
	STEP(SAVED, .offset = 8), LOAD(8, 8), LOAD(1, 33), PUT, STEP(TASK), PUT,
};

/* Known to differ in each byte, with the highest bit and without. */
struct input {
	u64 memory[16];
	u64 stack[4];
	u64 args[KCATCH_ARGS];
	struct pt_regs regs;
	struct kcatch_step copies[2][STEPS];
	struct kcatch_steps lists[2];
	u64 quick[ROOM], full[ROOM];
};

/* Once in the kernel's map of all memory, and once in the module's, which goes another way. One
 * thread loads the module. */
static struct input in_module, *input;

static void fill(void)
{
	u64 *word = (u64 *)input;
	u32 i;

	memset(input, 0, sizeof(*input));
	for (i = 0; i < offsetof(struct input, copies) / sizeof(*word); i++)
		word[i] = 0x9e3779b97f4a7c15ULL * (i + 1);
	input->args[kcatch_args_place(2)] = (unsigned long)input->memory;
	input->memory[1] = (unsigned long)input->memory;
	input->stack[2] = (unsigned long)input->memory;
}

static struct kcatch_steps *prepare(u32 number, const struct kcatch_step *steps, u32 nr,
				    const struct kcatch_steps *entry)
{
	struct kcatch_steps *list = &input->lists[number];
	enum kcatch_steps_kind kind = entry ? KCATCH_STEPS_RETURN : KCATCH_STEPS_ENTRY;
	u32 bad;

	memset(list, 0, sizeof(*list));
	memcpy(input->copies[number], steps, nr * sizeof(*steps));
	list->steps = input->copies[number];
	list->nr = nr;
	if (kcatch_steps_check(list, kind, entry, &bad) || list->size_max > sizeof(input->quick))
		return NULL;
	if (!entry)
		kcatch_steps_join(list);
	memset(input->quick, 0x55, sizeof(input->quick));
	memset(input->full, 0xaa, sizeof(input->full));
	return list;
}

static bool agree(const struct kcatch_steps *list)
{
	return !memcmp(input->quick, input->full, list->size_max);
}

static bool run_full(const struct kcatch_steps *list)
{
	return !kcatch_fetch_marked(list, input->args, (unsigned long)input->stack, input->full);
}

static bool words_agree(const struct kcatch_step *steps, u32 nr)
{
	struct kcatch_steps *list = prepare(0, steps, nr, NULL);

	return list && list->words &&
	       !kcatch_fetch_quick(list, input->args, (unsigned long)input->stack, input->quick) &&
	       run_full(list) && agree(list);
}

static bool direct_agree(void)
{
	struct kcatch_steps *list = prepare(0, direct, ARRAY_SIZE(direct), NULL);

	return list && list->nr_direct &&
	       kcatch_fetch_items(list, list->nr_direct, input->args, input->quick) &&
	       run_full(list) && agree(list);
}

static bool tail_agrees(void)
{
	struct kcatch_steps *list = prepare(0, tailed, ARRAY_SIZE(tailed), NULL);
	u64 *tail;

	if (!list || !list->tail_size)
		return false;
	tail = kcatch_fetch_items(list, list->nr_front, input->args, input->quick);
	return tail && kcatch_fetch_tail(list, input->quick, tail) && run_full(list) && agree(list);
}

static bool returns_agree(void)
{
	struct kcatch_steps *entry = prepare(0, words, ARRAY_SIZE(words), NULL), *list;
	struct kcatch_fetch fetch = { .to = (u8 *)input->full };
	u64 saved[ARRAY_SIZE(words) / 2];

	if (!entry || kcatch_fetch_marked(entry, input->args, (unsigned long)input->stack, saved))
		return false;
	/* A list of the return is checked against one that nobody has joined yet. */
	memset(entry, 0, sizeof(*entry));
	memcpy(input->copies[0], words, sizeof(words));
	entry->steps = input->copies[0];
	entry->nr = ARRAY_SIZE(words);
	list = prepare(1, at_return, ARRAY_SIZE(at_return), entry);
	if (!list || !list->words)
		return false;
	kcatch_steps_join(list);
	fetch.ret = (const u64 *)&input->regs.ax;
	fetch.saved = (const u8 *)saved;
	kcatch_fetch_return(list, &fetch);
	return !fetch.faults &&
	       !kcatch_fetch_return_words(list, fetch.ret, saved, 0, input->quick) && agree(list);
}

static bool all_agree(struct input *memory)
{
	input = memory;
	fill();
	return words_agree(mixed, ARRAY_SIZE(mixed)) && words_agree(words, ARRAY_SIZE(words)) &&
	       direct_agree() && tail_agrees() && returns_agree();
}

bool kcatch_fetch_try(void)
{
	struct input *mapped = kmalloc(sizeof(*mapped), GFP_KERNEL);
	bool passed = mapped && all_agree(mapped) && all_agree(&in_module);

	kfree(mapped);
	return kcatch_trial_end(KCATCH_TRIAL_FETCH, passed);
}
