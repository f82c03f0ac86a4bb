/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* condition_notes.c - tells of conditions that are right, and perhaps not what was meant */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "condition/condition_notes.h"
#include "condition/typing.h"
#include "fetch/decode_event.h"
#include "fetch/plan_data.h"

/* What the names of the language are; those of keys come last. */
static const struct {
	const char *name, *meaning;
} meanings[] = {
	{ "pid", "the number of the process" },
	{ "tid", "the number of the thread" },
	{ "cpu", "the number of the CPU" },
	{ "uid", "the number of the user" },
	{ "latency", "the time that the call took" },
	{ "oncpu", "the time of the call on a CPU" },
	{ "runnable", "the time that the call waited for a CPU" },
	{ "blocked", "the time that the call was blocked" },
	{ "switches", "how often the call was switched out" },
	{ "ret", "what the call returned" },
	{ "failure", "the errno of a call that failed" },
	{ "comm", "the name of the thread" },
	{ "cgroup", "the cgroup of the thread" },
	{ "current", "the thread" },
	{ "caller", "who made the call" },
	{ "function", "the function that was called" },
	{ "event", "the event" },
	{ "stack", "the stack" },
	{ "user_stack", "the stack of the program" },
};

static const char *meaning_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (!strcmp(meanings[i].name, name))
			return meanings[i].meaning;
	return "a register";
}

int kcatch_condition_note_same(const struct kcatch_condition_note *a,
			       const struct kcatch_condition_note *b)
{
	return a->kind == b->kind && !strcmp(a->name, b->name) && a->number == b->number;
}

void note_once(struct condition *c, const struct kcatch_condition_note *it)
{
	uint32_t i;

	for (i = 0; i < c->notes.nr; i++)
		if (kcatch_condition_note_same(&c->notes.of[i], it))
			return;
	if (c->notes.nr < KCATCH_CONDITION_NOTES)
		c->notes.of[c->notes.nr++] = *it;
}

/* Those of a recording, or of a system call. */
static bool plan_has(const struct kcatch_plan *plan, const char *name)
{
	uint32_t i;

	for (i = 0; i < plan->nr_args; i++)
		if (plan->args[i].name && !strcmp(plan->args[i].name, name))
			return true;
	return false;
}

static bool event_has(const struct kcatch_event_info *info, const char *name)
{
	char own[64];
	uint32_t i;

	for (i = 0; i < info->nr_args; i++) {
		kcatch_event_field_name(info->format, i, own, sizeof(own));
		if (!strcmp(own, name))
			return true;
	}
	return false;
}

static bool has_argument(struct condition *c, const char *name)
{
	struct term term;

	if (c->info)
		return event_has(c->info, name);
	if (c->plan && (c->syscall || c->recorded) && plan_has(c->plan, name))
		return true;
	if (!c->proto.id)
		return false;
	if (!c->recorded && lookup_find_argument(c, name, &term))
		return true;
	/* What tracefs calls so is an argument's member. */
	return c->tracepoint && event_has_member(c, name);
}

void note_hidden(struct condition *c, const char *name)
{
	if (has_argument(c, name))
		note_once(c, &(struct kcatch_condition_note){ .kind = KCATCH_NOTE_HIDES,
							      .name = name });
}

void kcatch_condition_note_text(const struct kcatch_condition_note *it, const char *function,
				char *text, size_t room)
{
	switch (it->kind) {
	case KCATCH_NOTE_HIDES:
		snprintf(text, room, "%s is %s here, not what %s calls so: that is arg.%s",
			 it->name, meaning_of(it->name), SHOWN(function), it->name);
		break;
	case KCATCH_NOTE_POSITIVE:
		snprintf(text, room, "%s is compared with %s, which is positive; functions return "
			 "negative errnos: -%s", it->other, it->name, it->name);
		break;
	case KCATCH_NOTE_NEVER:
		snprintf(text, room, "comparing %s with %" PRId64 " says nothing: in %s it is a number of "
			 "%" PRId64 " to %" PRId64, SHOWN(it->name), it->number, SHOWN(function),
			 it->least, it->most);
		break;
	}
}

/* ret == EAGAIN: nothing returns it. A cast changes nothing. */
void note_errno(struct condition *c, const struct kcatch_expression_node *value,
		const struct kcatch_expression_node *constant)
{
	int64_t number;

	while (value->op == KCATCH_EX_CAST && !value->number)
		value = value->left;
	if (value->op != KCATCH_EX_NAME || constant->op != KCATCH_EX_NAME ||
	    (strcmp(value->text, "ret") && strcmp(value->text, "failure")))
		return;
	if (strncmp(constant->text, "EPOLL", 5) && constant->text[0] == 'E' &&
	    constant_find(constant->text, &number) && number > 0)
		note_once(c, &(struct kcatch_condition_note){ .kind = KCATCH_NOTE_POSITIVE,
							      .name = constant->text,
							      .other = value->text });
}

/* What a number can be before C's conversions. Returns whether that is less than 64 bits. */
static bool range_of(const struct ir *ir, int64_t *least, int64_t *most)
{
	const struct ir *small = ir;
	unsigned int bits = 32;
	bool is_signed;

	/* What is made wider, or of a type that holds all its values, stays what it is. */
	while (small->op == IR_CONVERT && !small->left->wide &&
	       (small->wide || small->is_signed == small->left->is_signed ||
		(small->left->op == IR_EXTEND && !small->left->is_signed)))
		small = small->left;
	is_signed = small->is_signed;
	if (small->op == IR_EXTEND)
		bits = small->bits;
	else if (small->wide)
		return false;
	if (is_signed && !ir->is_signed)
		return false;
	*least = is_signed ? -(1LL << (bits - 1)) : 0;
	*most = (1LL << (is_signed ? bits - 1 : bits)) - 1;
	return true;
}

/* Does a comparison with a constant hold for all numbers, or for none? */
static bool says_nothing(enum kcatch_expression_op op, int64_t least, int64_t most, int64_t number)
{
	switch (op) {
	case KCATCH_EX_EQ:
	case KCATCH_EX_NE:
		return number < least || number > most;
	case KCATCH_EX_LT:
	case KCATCH_EX_GE:
		return number <= least || number > most;
	case KCATCH_EX_LE:
	case KCATCH_EX_GT:
		return number < least || number >= most;
	default:
		return false;
	}
}

/* A number of few bits, and a constant that it cannot be: u8 == 300. */
void note_range(struct condition *c, enum kcatch_expression_op op,
		const struct kcatch_expression_node *named, const struct term *number,
		const struct term *constant)
{
	bool wide = number->ir->wide || constant->ir->wide;
	bool is_signed = (number->ir->is_signed || number->ir->wide < wide) &&
			 (constant->ir->is_signed || constant->ir->wide < wide);
	int64_t least, most, value;

	if (number->kind != TERM_NUMBER || constant->kind != TERM_NUMBER || number->is_cgroup ||
	    constant->ir->op != IR_CONST || number->ir->op == IR_CONST ||
	    !range_of(number->ir, &least, &most))
		return;
	value = (int64_t)ir_fit(constant->ir->number, wide, is_signed);
	/* A negative number becomes a large one; the largest are not told. */
	if ((!is_signed && (least < 0 || value < 0)) || !says_nothing(op, least, most, value))
		return;
	note_once(c,
		  &(struct kcatch_condition_note){ .kind = KCATCH_NOTE_NEVER,
						   .name = named->text ? named->text : "a number",
						   .number = value,
						   .least = least,
						   .most = most });
}
