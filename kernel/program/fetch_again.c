// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads items of a list again. Any context, NMI too, inside a hook. It is rarely needed: nothing in
 * it is made to be quick.
 */
#include <linux/kernel.h>
#include "core/cgroup.h"
#include "program/fetch_again.h"
#include "program/fetch_memory.h"

/* The accumulator, and where its last bytes came from. */
struct value {
	u64 word;
	unsigned long at;	/* of the last load; 0: none */
	bool led;		/* all before the last load could be read */
	bool bad;
};

static void load(struct value *value, s32 offset, u32 size)
{
	value->led = !value->bad;
	value->at = value->word + offset;
	value->bad |= !kcatch_read_word(&value->word, value->at, size);
}

/* One that is not followed any more. */
static void lose(struct value *value)
{
	*value = (struct value){ .bad = true };
}

/* A step without an item, or the part without one of a joined step. */
static void step_on(const struct kcatch_step *step, const u64 *args, struct value *value,
		    u64 *length)
{
	switch (step->op) {
	case KCATCH_JOINED_ARG_VALUE:
	case KCATCH_JOINED_ARG_LOAD:
		*value = (struct value){ .word = args[step->arg & 7] };
		load(value, step->offset, step->size);
		break;
	case KCATCH_JOINED_ARG_MEMORY:
	case KCATCH_JOINED_ARG_PATH:
	case KCATCH_STEP_ARG:
		*value = (struct value){ .word = args[step->arg & 7] };
		break;
	case KCATCH_STEP_LOAD:
		load(value, step->offset, step->size);
		break;
	case KCATCH_STEP_ADD:
		value->word += step->offset;
		break;
	case KCATCH_STEP_TASK:
		*value = (struct value){ .word = (unsigned long)current };
		break;
	case KCATCH_STEP_CGROUP:
		*value = (struct value){ .word = kcatch_cgroup_current(step->offset) };
		break;
	case KCATCH_STEP_LENGTH:
		*length = value->bad ? 0 : value->word;
		break;
	case KCATCH_STEP_STACK:
		lose(value);
		break;
	}
}

/* What puts an item; 0: nothing does. */
static u8 put_of(const struct kcatch_step *step)
{
	switch (step->op) {
	case KCATCH_JOINED_ARG_VALUE:
		return KCATCH_STEP_PUT;
	case KCATCH_JOINED_ARG_MEMORY:
		return KCATCH_STEP_PUT_MEMORY;
	case KCATCH_JOINED_ARG_PATH:
		return KCATCH_STEP_PUT_PATH;
	case KCATCH_STEP_PUT:
	case KCATCH_STEP_PUT_MEMORY:
	case KCATCH_STEP_PUT_STRING:
	case KCATCH_STEP_PUT_BYTES:
	case KCATCH_STEP_PUT_PATH:
	case KCATCH_STEP_PUT_CHARS:
		return step->op;
	}
	return 0;
}

static bool is_counted(u8 put)
{
	return put == KCATCH_STEP_PUT_STRING || put == KCATCH_STEP_PUT_BYTES ||
	       put == KCATCH_STEP_PUT_PATH;
}

/* Bytes of an item that is there. */
static u32 size_of(u8 put, u32 size, const u8 *item)
{
	if (is_counted(put))
		return KCATCH_ITEM_HEAD + ALIGN(*(const u32 *)item, 8);
	return put == KCATCH_STEP_PUT ? sizeof(u64) : ALIGN(size, 8);
}

/* Reads an item of user memory to @to. Return: false: it cannot be read */
static bool read_item(u8 put, u32 size, unsigned long at, u64 length, u8 *to)
{
	u8 *text = is_counted(put) ? to + KCATCH_ITEM_HEAD : to;
	bool ended = true;
	u32 there = size;

	if (!kcatch_is_user(at) || at < PAGE_SIZE)
		return false;
	switch (put) {
	case KCATCH_STEP_PUT_CHARS:
	case KCATCH_STEP_PUT_STRING:
		there = kcatch_read_text(text, at, size, &ended);
		if (!ended && there < size)
			return false;
		break;
	case KCATCH_STEP_PUT_BYTES:
		there = min_t(u64, length, size);
		fallthrough;
	case KCATCH_STEP_PUT_MEMORY:
		if (!kcatch_read(text, at, there))
			return false;
		break;
	default:
		return false;
	}
	if (is_counted(put))
		*(u64 *)to = there;
	/* Zeros up to the end: of texts for conditions, of the last word of all others. */
	size = put == KCATCH_STEP_PUT_CHARS ? size : ALIGN(there, 8);
	memset(text + there, 0, size - there);
	return true;
}

void kcatch_fetch_again_user(const struct kcatch_steps *steps, struct kcatch_again *again)
{
	u64 item = 1ULL << steps->nr_plain, read = 0, length = 0;
	u32 from = steps->nr_plain * sizeof(u64), to = from, i;
	struct value value = { .bad = true };

	memcpy(again->to, again->from, from);
	for (i = 0; i < steps->nr; i++) {
		const struct kcatch_step *step = &steps->steps[i];
		const u8 put = put_of(step);
		u32 old;
		bool done = false;

		step_on(step, again->args, &value, &length);
		if (!put)
			continue;
		old = size_of(put, step->size, again->from + from);
		if (again->items & item && put == KCATCH_STEP_PUT) {
			done = value.at && value.led && !value.bad &&
			       kcatch_is_user(value.at) && value.at >= PAGE_SIZE;
			if (done)
				*(u64 *)(again->to + to) = value.word;
		} else if (again->items & item && !value.bad) {
			done = read_item(put, step->size, value.word + step->offset, length,
					 again->to + to);
		}
		if (!done)
			memcpy(again->to + to, again->from + from, old);
		to += size_of(put, step->size, again->to + to);
		from += old;
		read |= done ? item : 0;
		item <<= 1;
	}
	again->items = read;
	again->size = to;
}
