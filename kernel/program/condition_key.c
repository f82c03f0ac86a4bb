// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds in what a condition demands a value of 64 bits, and where a hit has it. Process context; no
 * memory.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <uapi/kcatch.h>
#include "program/condition_key.h"

/* Where an item of the fields comes from. */
struct source {
	bool known;
	bool is_task;
	u8 place;
	u16 size;		/* 0: the argument itself */
	s32 offset;
};

/* The source of item @wanted, if it and all before it are 8 bytes each. */
static struct source source_of(const struct kcatch_steps *fields, u32 wanted)
{
	struct source source = { .known = false };
	u32 i, item = 0;

	for (i = 0; i < fields->nr; i++) {
		const struct kcatch_step *step = &fields->steps[i];

		switch (step->op) {
		case KCATCH_STEP_ARG:
			source = (struct source){ .known = true, .place = step->arg };
			continue;
		case KCATCH_STEP_TASK:
			source = (struct source){ .known = true, .is_task = true };
			continue;
		case KCATCH_STEP_LOAD:
			source.known &= !source.size;
			source.size = step->size;
			source.offset = step->offset;
			continue;
		case KCATCH_STEP_PUT:
			if (item++ == wanted)
				return source;
			continue;
		case KCATCH_STEP_ADD:
		case KCATCH_STEP_CGROUP:
		case KCATCH_STEP_STACK:
			source.known = false;
			continue;
		}
		break;
	}
	return (struct source){ .known = false };
}

/*
 * Is it all of a word of the task? That can be read without further ado. At the end of the struct
 * are the registers of the processor: before 6.16 the struct is declared with the most that there
 * may be, and allocated with those that there are.
 */
static bool is_task_word(const struct source *source)
{
	return source->known && source->is_task && source->size == sizeof(u32) &&
	       source->offset >= 0 && !(source->offset & 3) &&
	       source->offset < offsetof(struct task_struct, thread);
}

/* The two halves of one value of 64 bits, one behind the other. Return: index of the first; or
 * @demands->nr */
static u32 find_value(const struct kcatch_demands *demands, u32 *at, u64 *value)
{
	u32 i;

	for (i = 0; i + 1 < demands->nr; i++) {
		u32 low = demands->of[i].at & 7 ? i + 1 : i, high = low == i ? i + 1 : i;

		if (demands->of[i].mask != U32_MAX || demands->of[i + 1].mask != U32_MAX ||
		    demands->of[low].at & 7 || demands->of[high].at != demands->of[low].at + 4)
			continue;
		*at = demands->of[low].at;
		*value = (u64)demands->of[high].value << 32 | demands->of[low].value;
		return i;
	}
	return demands->nr;
}

static const u32 fields_at = offsetof(struct kcatch_condition, fields);

static bool is_field(u32 at)
{
	return at >= fields_at && at < sizeof(struct kcatch_condition);
}

/* The bit of an item among the faults. */
static u64 fault_of(u32 at)
{
	return 1ULL << (at - fields_at) / 8;
}

/* Is there nothing but the value, and a word of the task? */
static bool is_whole(const struct kcatch_demands *demands, u32 value,
		     const struct kcatch_steps *fields, struct kcatch_key *key)
{
	u64 read = key->behind ? fault_of(demands->of[value].at) : 0;
	struct source source;
	u32 i;

	for (i = 0; i < demands->nr; i++) {
		const u32 at = demands->of[i].at;

		if (i == value || i == value + 1 || !is_field(at))
			continue;
		source = source_of(fields, (at - fields_at) / 8);
		if (at & 7 || !is_task_word(&source) || demands->of[i].value || key->task_mask)
			return false;
		key->task_offset = source.offset;
		key->task_mask = demands->of[i].mask;
		read |= fault_of(at);
	}
	for (i = 0; i < demands->nr; i++) {
		if (i == value || i == value + 1 || is_field(demands->of[i].at))
			continue;
		/* Faults of what is read, which is read without any. */
		if (demands->of[i].at != offsetof(struct kcatch_condition, faults) ||
		    demands->of[i].value || demands->of[i].mask & ~read)
			return false;
	}
	return demands->all;
}

void kcatch_key_of(const struct kcatch_demands *demands, const struct kcatch_steps *fields,
		   struct kcatch_key *key)
{
	u32 at = 0, value;
	struct source source;

	*key = (struct kcatch_key){ .known = false };
	value = find_value(demands, &at, &key->value);
	if (value == demands->nr)
		return;
	if (at < sizeof_field(struct kcatch_condition, args)) {
		key->place = kcatch_args_place(at / 8);
	} else if (is_field(at)) {
		source = source_of(fields, (at - fields_at) / 8);
		if (!source.known || source.is_task || source.size != sizeof(u64))
			return;
		key->behind = true;
		key->place = source.place;
		key->offset = source.offset;
	} else {
		return;
	}
	key->known = true;
	key->whole = is_whole(demands, value, fields, key);
}
