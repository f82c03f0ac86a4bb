// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of steps, when they are taken from user space: checked, and what is often met made
 * quicker to run. Process context.
 */
#include <linux/kernel.h>
#include "core/cgroup.h"
#include "program/fetch.h"

/* Words of the stack that may be asked for, in bytes: more arguments than any function has. */
#define STACK_MAX	1024

/* The quick ways to run a list are not used: the trial of them has failed. */
static bool distrusted;

static bool needs_size(u8 op)
{
	return op >= KCATCH_STEP_PUT_MEMORY && op <= KCATCH_STEP_PUT_CHARS;
}

/* @fixed: items so far have offsets that are known */
static int check_step(struct kcatch_step *step, enum kcatch_steps_kind kind,
		      const struct kcatch_steps *entry, struct kcatch_steps *steps)
{
	bool at_return = kind == KCATCH_STEPS_RETURN;
	u32 i, offset = 0, item = 0;

	switch (step->op) {
	case KCATCH_STEP_ARG:
		if (at_return || step->arg > 5 || step->size || step->offset)
			return -EINVAL;
		step->arg = kcatch_args_place(step->arg);
		return 0;
	case KCATCH_STEP_STACK:
		return at_return || step->arg || step->size || step->offset < 0 ||
		       step->offset > STACK_MAX ? -EINVAL : 0;
	case KCATCH_STEP_RET:
		if (!at_return || step->arg > 1 || step->size || step->offset)
			return -EINVAL;
		if (step->arg)
			step->arg = (offsetof(struct pt_regs, dx) -
				     offsetof(struct pt_regs, ax)) / sizeof(long);
		return 0;
	case KCATCH_STEP_SAVED:
	case KCATCH_STEP_MISSED:
		if (!at_return || step->size || step->arg >= (step->op == KCATCH_STEP_MISSED ?
							      entry->items : 1))
			return -EINVAL;
		/* Words before the first item of another kind, where offsets
		 * are known. */
		for (i = 0; i < entry->nr; i++) {
			if (needs_size(entry->steps[i].op))
				return -EINVAL;
			if (entry->steps[i].op != KCATCH_STEP_PUT)
				continue;
			if (offset == step->offset) {
				if (step->op == KCATCH_STEP_MISSED)
					step->size = item;
				else
					step->arg = item;
				steps->saved = max(steps->saved, offset + 8);
				return 0;
			}
			offset += 8;
			item++;
		}
		return -EINVAL;
	case KCATCH_STEP_TASK:
	case KCATCH_STEP_LENGTH:
	case KCATCH_STEP_PUT:
		return step->arg || step->size || step->offset ? -EINVAL : 0;
	case KCATCH_STEP_CGROUP:
		if (step->arg > 1 || step->size || step->offset < 0 ||
		    (!step->arg && step->offset))
			return -EINVAL;
		if (!step->arg)
			step->offset = KCATCH_CGROUP_OWN;
		return 0;
	case KCATCH_STEP_LOAD:
		return step->arg || (step->size != 1 && step->size != 2 && step->size != 4 &&
				     step->size != 8) ? -EINVAL : 0;
	case KCATCH_STEP_ADD:
		return step->arg || step->size ? -EINVAL : 0;
	case KCATCH_STEP_PUT_MEMORY:
	case KCATCH_STEP_PUT_STRING:
	case KCATCH_STEP_PUT_BYTES:
		return step->arg || !step->size || step->size > KCATCH_DATA_MAX ? -EINVAL : 0;
	case KCATCH_STEP_PUT_PATH:
		return step->arg > 1 || !step->size || step->size > KCATCH_DATA_MAX ||
		       step->offset ? -EINVAL : 0;
	case KCATCH_STEP_PUT_CHARS:
		return !step->size || (step->size & 7) || step->arg > step->size ||
		       step->size > KCATCH_DATA_MAX ? -EINVAL : 0;
	}
	return -EINVAL;
}

static u32 most_put(const struct kcatch_step *step)
{
	switch (step->op) {
	case KCATCH_STEP_PUT:
		return 8;
	case KCATCH_STEP_PUT_MEMORY:
	case KCATCH_STEP_PUT_CHARS:
		return ALIGN(step->size, 8);
	case KCATCH_STEP_PUT_STRING:
	case KCATCH_STEP_PUT_BYTES:
	case KCATCH_STEP_PUT_PATH:
		return KCATCH_ITEM_HEAD + ALIGN(step->size, 8);
	}
	return 0;
}

/* Those that kcatch_fetch_words() knows, and kcatch_fetch_return_words(). */
#define WORD_STEPS                                                                  \
	(1U << KCATCH_STEP_ARG | 1U << KCATCH_STEP_STACK | 1U << KCATCH_STEP_TASK | \
	 1U << KCATCH_STEP_RET | 1U << KCATCH_STEP_SAVED |                          \
	 1U << KCATCH_STEP_LOAD | 1U << KCATCH_STEP_ADD | 1U << KCATCH_STEP_PUT |   \
	 1U << KCATCH_STEP_PUT_MEMORY | 1U << KCATCH_STEP_CGROUP)

/* Those that put as many bytes as there are. */
#define COUNTED_STEPS                                                      \
	(1U << KCATCH_STEP_PUT_STRING | 1U << KCATCH_STEP_PUT_BYTES | \
	 1U << KCATCH_STEP_PUT_PATH)

/* Those that take a new value. */
#define TAKE_STEPS                                                                    \
	(1U << KCATCH_STEP_ARG | 1U << KCATCH_STEP_STACK | 1U << KCATCH_STEP_RET | \
	 1U << KCATCH_STEP_SAVED | 1U << KCATCH_STEP_MISSED |                              \
	 1U << KCATCH_STEP_TASK | 1U << KCATCH_STEP_CGROUP)

/* Is the list plain up to this step? Pairs of ARG and PUT are. */
static void note_plain(struct kcatch_steps *steps, u32 nr)
{
	const struct kcatch_step *step = &steps->steps[nr];

	if (step->op != KCATCH_STEP_ARG && step->op != KCATCH_STEP_TASK &&
	    step->op != KCATCH_STEP_CGROUP &&
	    step->op != KCATCH_STEP_ADD && step->op != KCATCH_STEP_PUT)
		steps->pure = false;
	if (1U << step->op & COUNTED_STEPS)
		steps->fixed = false;
	if (!(1U << step->op & WORD_STEPS) ||
	    (step->op == KCATCH_STEP_PUT_MEMORY && (step->size & 7)))
		steps->words = false;
	if (nr / 2 >= KCATCH_PLAIN_MAX || (nr & 1) != (step->op == KCATCH_STEP_PUT) ||
	    (!(nr & 1) && step->op != KCATCH_STEP_ARG))
		steps->plain = false;
	else if (step->op == KCATCH_STEP_ARG)
		steps->places[nr / 2] = step->arg;
}

/* Is it read from memory that argument @place points to? */
static bool is_read_at(const struct kcatch_direct *item, u8 place)
{
	return item->how != KCATCH_DIRECT_ARG && item->place == place;
}

/* What lies behind each argument is looked at once, as far as it is read. */
static void note_spans(struct kcatch_direct *items, u32 nr)
{
	u32 i, j;

	for (i = 0; i < nr; i++) {
		s64 low = items[i].offset, end = low + items[i].size;
		bool first = true;

		if (items[i].how == KCATCH_DIRECT_ARG)
			continue;
		/* Each behind a pointer of its own. */
		for (j = 0; items[i].place != KCATCH_DIRECT_BEHIND && j < nr; j++) {
			if (!is_read_at(&items[j], items[i].place))
				continue;
			first &= j >= i;
			low = min_t(s64, low, items[j].offset);
			end = max_t(s64, end, (s64)items[j].offset + items[j].size);
		}
		items[i].low = low;
		/* Two offsets may be 4 GB apart and more. */
		items[i].span = first ? min_t(s64, end - low, U32_MAX) : 0;
	}
}

/* Words one by one behind the same pointer are looked at once: the arguments of a system call. */
static void note_rows(struct kcatch_direct *items, u32 nr)
{
	u32 i, end;

	for (i = 0; i < nr; i = end) {
		for (end = i; end < nr && items[end].how == KCATCH_DIRECT_WORD &&
			      items[end].place == items[i].place;)
			end++;
		if (end - i > 1) {
			items[i].how = KCATCH_DIRECT_ROW;
			items[i].size = end - i;
		}
		end = max(end, i + 1);
	}
}

/* Does nothing after @nr steps need the accumulator as they leave it? */
static bool is_apart(const struct kcatch_step *step, u32 nr, u32 left)
{
	return left <= nr || (1U << step[nr].op & TAKE_STEPS);
}

/* Is all that is left of the list one item, which one of @nr direct items points to? Return: the
 * index of that one's word; -1: it is not */
static int tail_word(const struct kcatch_steps *steps, u32 nr, const struct kcatch_step *step,
		     u32 left)
{
	u32 i, word = 0;

	if (left != 3 || step[0].op != KCATCH_STEP_ARG || step[1].op != KCATCH_STEP_LOAD ||
	    step[1].size != sizeof(u64) || step[2].op != KCATCH_STEP_PUT_MEMORY)
		return -1;
	for (i = 0; i < nr; i++) {
		const struct kcatch_direct *item = &steps->direct[i];

		if (item->how == KCATCH_DIRECT_WORD && item->place == step[0].arg &&
		    item->offset == step[1].offset)
			return word;
		word += max_t(u32, item->size / sizeof(u64), 1);
	}
	return -1;
}

static void note_tail(struct kcatch_steps *steps, u32 nr, const struct kcatch_step *step, u32 left)
{
	int word = tail_word(steps, nr, step, left);

	if (word < 0)
		return;
	steps->tail_word = word;
	steps->tail_size = step[2].size;
	steps->tail_offset = step[2].offset;
}

/* Takes what @step reads: words or a value. Return: the number of steps; 0: it is nothing direct */
static u32 take_read(struct kcatch_direct *item, const struct kcatch_step *step, u32 left)
{
	if (!left)
		return 0;
	item->offset = step[0].offset;
	item->size = step[0].size;
	item->how = kcatch_direct_how(step[0].size);
	if (step[0].op == KCATCH_STEP_PUT_MEMORY && !(step[0].size & 7))
		return 1;
	return left > 1 && step[0].op == KCATCH_STEP_LOAD && step[1].op == KCATCH_STEP_PUT ? 2 : 0;
}

/* Takes one item, which may be two in the list: a pointer is one. @room: for so many. Return: as
 * take_read() */
static u32 take_direct(struct kcatch_direct *item, u32 room, const struct kcatch_step *step,
		       u32 left)
{
	u32 nr;

	if (!room || left < 2 || step[0].op != KCATCH_STEP_ARG)
		return 0;
	*item = (struct kcatch_direct) { .place = step[0].arg };
	if (step[1].op == KCATCH_STEP_PUT)
		return 2;
	nr = take_read(item, step + 1, left - 1);
	if (nr)
		return 1 + nr;
	if (room < 2 || step[1].op != KCATCH_STEP_LOAD || step[1].size != sizeof(u64))
		return 0;
	item->how = KCATCH_DIRECT_POINTER;
	item[1] = (struct kcatch_direct) { .place = KCATCH_DIRECT_BEHIND };
	nr = take_read(item + 1, step + 2, left - 2);
	return nr ? 2 + nr : 0;
}

/* One after the other: an argument, or what lies where one points to, or behind a pointer there. So
 * may a list begin that goes on otherwise, but for pointers. */
static void note_direct(struct kcatch_steps *steps)
{
	const struct kcatch_step *step = steps->steps, *end = step + steps->nr, *front = NULL;
	struct kcatch_direct *item = steps->direct;
	u32 nr = 0, nr_front = 0, taken;
	bool pointer;

	steps->nr_direct = 0;
	while ((taken = take_direct(item, KCATCH_DIRECT_MAX - nr, step, end - step))) {
		pointer = item->how == KCATCH_DIRECT_POINTER;
		if (pointer && !front) {
			if (tail_word(steps, nr, step, end - step) >= 0)
				break;
			front = step;
			nr_front = nr;
		}
		nr += pointer ? 2 : 1;
		item = &steps->direct[nr];
		step += taken;
	}
	if (step < end && front) {
		step = front;
		nr = nr_front;
	}
	if (!is_apart(step, 0, end - step))
		return;
	note_spans(steps->direct, nr);
	/* An object that is larger than what is looked at by the page: nearly never. */
	for (item = steps->direct; item < steps->direct + nr; item++)
		if (item->span > PAGE_SIZE)
			return;
	if (step == end) {
		steps->nr_direct = nr;
	} else {
		note_tail(steps, nr, step, end - step);
		steps->nr_front = nr;
		/* kcatch_steps_join() knows how many they become. */
		steps->behind_front = step - steps->steps;
	}
	note_rows(steps->direct, nr);
}

/* Return: the number of steps that become one, at @to; 0: it stays as it is */
static u32 join(const struct kcatch_step *step, u32 left, struct kcatch_step *to)
{
	struct kcatch_step joined = *step, last;
	u32 nr = 1;

	if ((step->op != KCATCH_STEP_ARG && step->op != KCATCH_STEP_SAVED) || left < 2)
		return 0;
	if (step[1].op == KCATCH_STEP_ADD && left > 2) {
		joined.offset = step[1].offset;
		nr++;
	}
	last = step[nr++];
	if (last.op == KCATCH_STEP_PUT_PATH && step->op == KCATCH_STEP_ARG) {
		joined.op = KCATCH_JOINED_ARG_PATH;
		joined.arg |= last.arg ? KCATCH_JOINED_WHOLE : 0;
	} else if (last.op == KCATCH_STEP_PUT_MEMORY && nr == 2 && !(last.size & 7)) {
		joined.op = KCATCH_JOINED_ARG_MEMORY;
		joined.offset = last.offset;
	} else if (last.op == KCATCH_STEP_LOAD && nr == 2 && left > 2 &&
		   step[2].op == KCATCH_STEP_PUT) {
		/* A value stays in the accumulator. */
		joined.op = last.size == 8 && is_apart(step, 3, left) ? KCATCH_JOINED_ARG_MEMORY :
									KCATCH_JOINED_ARG_VALUE;
		joined.offset = last.offset;
		nr++;
	} else if (last.op == KCATCH_STEP_LOAD && nr == 2 && last.size == 8) {
		joined.op = KCATCH_JOINED_ARG_LOAD;
		joined.offset = last.offset;
	} else {
		return 0;
	}
	if (step->op == KCATCH_STEP_SAVED && joined.op != KCATCH_JOINED_ARG_MEMORY)
		return 0;
	/* In front of what is saved there are words alone: its item is its word. */
	if (step->op == KCATCH_STEP_SAVED)
		joined.op = KCATCH_JOINED_SAVED_MEMORY;
	if (joined.op != KCATCH_JOINED_ARG_LOAD && joined.op != KCATCH_JOINED_ARG_VALUE &&
	    !is_apart(step, nr, left))
		return 0;
	joined.size = last.size;
	*to = joined;
	return nr;
}

void kcatch_steps_join(struct kcatch_steps *steps)
{
	struct kcatch_step *from = steps->steps, *end = from + steps->nr, *to = from;
	const struct kcatch_step *front = from + steps->behind_front;
	u32 nr;

	/* The arguments in front are fetched apart, so that the accumulator has none of them. */
	while (steps->nr_plain < KCATCH_PLAIN_MAX && 2 * steps->nr_plain + 1 < steps->nr &&
	       from[2 * steps->nr_plain].op == KCATCH_STEP_ARG &&
	       from[2 * steps->nr_plain + 1].op == KCATCH_STEP_PUT)
		steps->nr_plain++;
	if (steps->nr_plain && !is_apart(from, 2 * steps->nr_plain, steps->nr))
		steps->nr_plain--;
	from += 2 * steps->nr_plain;
	for (; from < end; to++) {
		if (from == front)
			steps->behind_front = to - steps->steps;
		nr = join(from, end - from, to);
		if (!nr)
			*to = *from;
		from += nr ?: 1;
	}
	steps->nr = to - steps->steps;
}

void kcatch_steps_distrust(void)
{
	distrusted = true;
}

int kcatch_steps_check(struct kcatch_steps *steps, enum kcatch_steps_kind kind,
		       const struct kcatch_steps *entry, u32 *bad)
{
	u32 most = kind == KCATCH_STEPS_FIELDS ? KCATCH_FIELDS_MAX : KCATCH_DATA_MAX, put;

	steps->plain = true;
	steps->pure = true;
	steps->fixed = true;
	steps->words = true;
	for (*bad = 0; *bad < steps->nr; (*bad)++) {
		struct kcatch_step *step = &steps->steps[*bad];
		int error = check_step(step, kind, entry, steps);

		if (error)
			return error;
		note_plain(steps, *bad);
		put = most_put(step);
		steps->items += put != 0;
		steps->size_max += put;
		/* Fields stand at fixed places. */
		if (kind == KCATCH_STEPS_FIELDS && put && step->op != KCATCH_STEP_PUT &&
		    step->op != KCATCH_STEP_PUT_MEMORY && step->op != KCATCH_STEP_PUT_CHARS)
			return -EINVAL;
		if (steps->items > KCATCH_ITEMS_MAX || steps->size_max > most)
			return -E2BIG;
	}
	if (distrusted)
		steps->words = false;
	else if (kind != KCATCH_STEPS_RETURN)
		note_direct(steps);
	return 0;
}
