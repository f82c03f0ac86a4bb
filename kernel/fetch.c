// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of steps: checked once, run at each hit.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include "fetch.h"
#include "fetch_memory.h"
#include "fetch_path.h"

/* Words of the stack that may be asked for, in bytes: more arguments than any
 * function has. */
#define STACK_MAX	1024

/* What a text or bytes item puts before its bytes. */
struct item_head {
	u32 length;
	u32 zero;
};

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
		return !at_return || step->arg > 1 || step->size || step->offset ? -EINVAL : 0;
	case KCATCH_STEP_SAVED:
		if (!at_return || step->arg || step->size)
			return -EINVAL;
		/* Words before the first item of another kind, where offsets
		 * are known. */
		for (i = 0; i < entry->nr; i++) {
			if (needs_size(entry->steps[i].op))
				return -EINVAL;
			if (entry->steps[i].op != KCATCH_STEP_PUT)
				continue;
			if (offset == step->offset) {
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
		return step->arg || !step->size || (step->size & 7) ||
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
		return sizeof(struct item_head) + ALIGN(step->size, 8);
	}
	return 0;
}

/* Those that kcatch_fetch_words() knows. */
#define WORD_STEPS                                                                  \
	(1U << KCATCH_STEP_ARG | 1U << KCATCH_STEP_STACK | 1U << KCATCH_STEP_TASK | \
	 1U << KCATCH_STEP_LOAD | 1U << KCATCH_STEP_ADD | 1U << KCATCH_STEP_PUT |   \
	 1U << KCATCH_STEP_PUT_MEMORY)

/* Is the list plain up to this step? Pairs of ARG and PUT are. */
static void note_plain(struct kcatch_steps *steps, u32 nr)
{
	const struct kcatch_step *step = &steps->steps[nr];

	if (step->op != KCATCH_STEP_ARG && step->op != KCATCH_STEP_TASK &&
	    step->op != KCATCH_STEP_ADD && step->op != KCATCH_STEP_PUT)
		steps->pure = false;
	if (!(1U << step->op & WORD_STEPS) ||
	    (step->op == KCATCH_STEP_PUT_MEMORY && (step->size & 7)))
		steps->words = false;
	if (nr / 2 >= KCATCH_PLAIN_MAX || (nr & 1) != (step->op == KCATCH_STEP_PUT) ||
	    (!(nr & 1) && step->op != KCATCH_STEP_ARG))
		steps->plain = false;
	else if (step->op == KCATCH_STEP_ARG)
		steps->places[nr / 2] = step->arg;
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
		for (j = 0; j < nr; j++) {
			if (items[j].how == KCATCH_DIRECT_ARG || items[j].place != items[i].place)
				continue;
			first &= j >= i;
			low = min_t(s64, low, items[j].offset);
			end = max_t(s64, end, (s64)items[j].offset + items[j].size);
		}
		items[i].low = low;
		items[i].span = first ? end - low : 0;
	}
}

/* One after the other: an argument, or what lies where one points to. */
static void note_direct(struct kcatch_steps *steps)
{
	const struct kcatch_step *step = steps->steps, *end = step + steps->nr;
	struct kcatch_direct *item = steps->direct;

	steps->nr_direct = 0;
	if (!steps->words || !steps->items || steps->items > KCATCH_DIRECT_MAX)
		return;
	for (; step < end; item++) {
		u32 left = end - step;

		if (left < 2 || step[0].op != KCATCH_STEP_ARG)
			return;
		*item = (struct kcatch_direct) { .place = step[0].arg };
		if (step[1].op == KCATCH_STEP_PUT) {
			step += 2;
		} else if (step[1].op == KCATCH_STEP_PUT_MEMORY) {
			item->how = KCATCH_DIRECT_WORDS;
			item->size = step[1].size;
			item->offset = step[1].offset;
			step += 2;
		} else if (left > 2 && step[1].op == KCATCH_STEP_LOAD &&
			   step[2].op == KCATCH_STEP_PUT) {
			item->how = step[1].size == 8 ? KCATCH_DIRECT_WORDS : KCATCH_DIRECT_VALUE;
			item->size = step[1].size;
			item->offset = step[1].offset;
			step += 3;
		} else {
			return;
		}
	}
	note_spans(steps->direct, steps->items);
	/* An object that is larger than what is looked at by the page: nearly never. */
	for (item = steps->direct; item < steps->direct + steps->items; item++)
		if (item->span > PAGE_SIZE)
			return;
	steps->nr_direct = steps->items;
}

int kcatch_steps_check(struct kcatch_steps *steps, enum kcatch_steps_kind kind,
		       const struct kcatch_steps *entry, u32 *bad)
{
	u32 most = kind == KCATCH_STEPS_FIELDS ? KCATCH_FIELDS_MAX : KCATCH_DATA_MAX, put;

	steps->plain = true;
	steps->pure = true;
	steps->words = kind != KCATCH_STEPS_RETURN;
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
	if (kind == KCATCH_STEPS_ENTRY)
		note_direct(steps);
	return 0;
}

/* The accumulator and what goes with it. */
struct state {
	u64 value;
	u64 length;
	bool fault;
	u32 item;
};

static void zero_tail(u8 *to, u32 length)
{
	while (length & 7)
		to[length++] = 0;
}

/* An item with a length before it. @there: bytes already at to + 8 */
static void put_counted(struct kcatch_fetch *fetch, u32 there, bool fault, bool cut,
			u32 item)
{
	struct item_head *head = (void *)(fetch->to + fetch->size);

	head->length = there;
	head->zero = 0;
	zero_tail((u8 *)(head + 1), there);
	fetch->size += sizeof(*head) + ALIGN(there, 8);
	fetch->faults |= (u64)fault << item;
	fetch->cut |= (u64)cut << item;
}

static void put_memory(struct kcatch_fetch *fetch, const struct kcatch_step *step,
		       const struct state *state)
{
	u8 *to = fetch->to + fetch->size;

	if (state->fault || !kcatch_read(to, state->value + step->offset, step->size)) {
		memset(to, 0, step->size);
		fetch->faults |= 1ULL << state->item;
	}
	zero_tail(to, step->size);
	fetch->size += ALIGN(step->size, 8);
}

static void put_string(struct kcatch_fetch *fetch, const struct kcatch_step *step,
		       const struct state *state)
{
	u32 length = 0;
	bool ended = false;

	if (!state->fault)
		length = kcatch_read_text(fetch->to + fetch->size + sizeof(struct item_head),
					  state->value + step->offset, step->size, &ended);
	put_counted(fetch, length, !ended && length < step->size,
		    !ended && length == step->size, state->item);
}

static void put_bytes(struct kcatch_fetch *fetch, const struct kcatch_step *step,
		      const struct state *state)
{
	u32 length = min_t(u64, state->length, step->size);
	bool fault = state->fault || (length &&
		     !kcatch_read(fetch->to + fetch->size + sizeof(struct item_head),
				  state->value + step->offset, length));

	put_counted(fetch, fault ? 0 : length, fault, !fault && state->length > length,
		    state->item);
}

static void put_path(struct kcatch_fetch *fetch, const struct kcatch_step *step,
		     const struct state *state)
{
	bool complete = false;
	u32 length = 0;

	if (!state->fault)
		length = kcatch_read_path(fetch->to + fetch->size + sizeof(struct item_head),
					  state->value, step->arg, step->size, &complete);
	put_counted(fetch, length, !length, length && !complete, state->item);
}

static void put_chars(struct kcatch_fetch *fetch, const struct kcatch_step *step,
		      const struct state *state)
{
	u8 *to = fetch->to + fetch->size;
	bool ended = false;
	u32 length = 0;

	if (!state->fault)
		length = kcatch_read_text(to, state->value + step->offset, step->size, &ended);
	if (!ended && length < step->size)
		fetch->faults |= 1ULL << state->item;
	memset(to + length, 0, step->size - length);
	fetch->size += step->size;
}

static void load(const struct kcatch_step *step, struct state *state)
{
	unsigned long from = state->value + step->offset;
	u64 value = 0;

	if (!state->fault && !kcatch_read_word(&value, from, step->size))
		state->fault = true;
	state->value = value;
}

static void take(struct state *state, u64 value)
{
	state->value = value;
	state->fault = false;
}

/* Words; zeros and false: they are not there. */
static bool read_words(u64 *to, unsigned long from, u32 size)
{
	if (likely(size == 8 ? kcatch_read_word(to, from, 8) : kcatch_read(to, from, size)))
		return true;
	memset(to, 0, size);
	return false;
}

/* Most lists: all that goes from step to step stays in registers. */
u64 kcatch_fetch_words(const struct kcatch_steps *steps, const u64 *args, unsigned long stack,
		       void *to)
{
	const struct kcatch_step *step = steps->steps, *end = step + steps->nr;
	u64 value = 0, loaded, faults = 0, fault = 0, item = 1, *at = to;

	for (; step < end; step++) {
		if (step->op == KCATCH_STEP_LOAD) {
			loaded = 0;
			if (!fault && unlikely(!kcatch_read_word(&loaded, value + step->offset,
								 step->size)))
				fault = ~0ULL;
			value = loaded;
		} else if (step->op == KCATCH_STEP_PUT) {
			*at++ = value & ~fault;
			faults |= fault & item;
			item <<= 1;
		} else if (step->op == KCATCH_STEP_ARG) {
			value = args[step->arg];
			fault = 0;
		} else if (step->op == KCATCH_STEP_PUT_MEMORY) {
			if (fault)
				memset(at, 0, step->size);
			if (fault || !read_words(at, value + step->offset, step->size))
				faults |= item;
			at += step->size / sizeof(*at);
			item <<= 1;
		} else if (step->op == KCATCH_STEP_ADD) {
			value += step->offset;
		} else if (step->op == KCATCH_STEP_TASK) {
			value = (unsigned long)current;
			fault = 0;
		} else {
			loaded = 0;
			fault = kcatch_read_word(&loaded, stack + step->offset, 8) ? 0 : ~0ULL;
			value = loaded;
		}
	}
	return faults;
}

void kcatch_fetch_run(const struct kcatch_steps *steps, struct kcatch_fetch *fetch)
{
	const struct kcatch_step *step = steps->steps, *end = step + steps->nr;
	struct state state = { .value = 0 };

	if (steps->words) {
		fetch->faults = kcatch_fetch_words(steps, fetch->args, fetch->stack, fetch->to);
		fetch->size = steps->size_max;
		fetch->cut = 0;
		return;
	}
	fetch->size = 0;
	fetch->faults = 0;
	fetch->cut = 0;
	for (; step < end; step++) {
		switch (step->op) {
		case KCATCH_STEP_ARG:
			take(&state, fetch->args[step->arg]);
			continue;
		case KCATCH_STEP_STACK:
			take(&state, 0);
			state.fault = !kcatch_read_word(&state.value, fetch->stack + step->offset,
							8);
			continue;
		case KCATCH_STEP_RET:
			take(&state, fetch->ret[step->arg]);
			continue;
		case KCATCH_STEP_SAVED:
			take(&state, *(u64 *)(fetch->saved + step->offset));
			state.fault = fetch->saved_faults >> step->arg & 1;
			continue;
		case KCATCH_STEP_TASK:
			take(&state, (unsigned long)current);
			continue;
		case KCATCH_STEP_LOAD:
			load(step, &state);
			continue;
		case KCATCH_STEP_ADD:
			state.value += step->offset;
			continue;
		case KCATCH_STEP_LENGTH:
			state.length = state.fault ? 0 : state.value;
			continue;
		case KCATCH_STEP_PUT:
			*(u64 *)(fetch->to + fetch->size) = state.fault ? 0 : state.value;
			fetch->size += 8;
			fetch->faults |= (u64)state.fault << state.item;
			break;
		case KCATCH_STEP_PUT_MEMORY:
			put_memory(fetch, step, &state);
			break;
		case KCATCH_STEP_PUT_STRING:
			put_string(fetch, step, &state);
			break;
		case KCATCH_STEP_PUT_BYTES:
			put_bytes(fetch, step, &state);
			break;
		case KCATCH_STEP_PUT_PATH:
			put_path(fetch, step, &state);
			break;
		case KCATCH_STEP_PUT_CHARS:
			put_chars(fetch, step, &state);
			break;
		}
		state.item++;
	}
}

void kcatch_fetch_init(void)
{
	kcatch_path_init();
}
