/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * evaluate.c - evaluates a condition over one record
 *
 * Computes the operations for which codegen.c emits instructions, with the arithmetic that folds
 * constants (ir_compute()). A number has a value and a state. If it is UNREADABLE (the memory
 * could not be read at the hit) or MISSING from the record, its comparison is OPEN, as in the
 * kernel. a || b and a && b may still be decided by the other operand; otherwise the result is
 * undecided.
 *
 * Records are untrusted: all offsets and lengths are checked. Allocates nothing.
 */
#include <errno.h>
#include <string.h>

#include <kcatch_text.h>
#include "condition/recorded_place.h"
#include "fetch/item_view.h"

#define GLOB_TEXT 1100	/* bytes of a text that can be compared with a pattern, and a null byte */

enum state { KNOWN, MISSING, UNREADABLE };	/* a result has the largest of its operands' */

struct number {
	uint64_t value;
	enum state state;
};

struct text {
	const char *bytes;
	size_t length;
	bool ended;		/* the text ends there; else more may have followed */
	enum state state;
};

enum truth { NO, YES, OPEN };

struct evaluation {
	const struct kcatch_recorded_condition *condition;
	const struct kcatch_recorded_event *event;
	struct kcatch_item_view view;
};

static enum truth truth(const struct evaluation *e, const struct ir *ir);

static const struct number missing = { .state = MISSING };

/* ---- the record ------------------------------------------------------------------ */

static bool is_faulty(const struct evaluation *e, uint8_t item)
{
	return e->view.faults >> item & 1;
}

/* Argument @index in a DO_TRACE event's payload, *size bytes. NULL, *size 0: not there. */
static const uint8_t *payload(const struct evaluation *e, uint32_t index, size_t *size)
{
	const struct kcatch_event_info *info = e->condition->info;
	const uint8_t *data = e->event->fetched->entry;
	size_t left = data ? e->event->fetched->entry_size : 0, bytes = 0;
	uint32_t i;

	for (i = 0; i <= index; i++) {
		data += bytes;
		left -= bytes;
		bytes = info->args[i] & KCATCH_EVENT_ARG_SIZE;
		if (info->args[i] & KCATCH_EVENT_ARG_STRING) {
			bytes = left ? strnlen((const char *)data, left) : 0;
			bytes += bytes < left;
		}
		if (bytes > left || !bytes) {
			*size = 0;
			return NULL;
		}
	}
	*size = bytes;
	return data;
}

static struct number load_bytes(const struct evaluation *e, const struct recorded_place *place)
{
	struct number number = { .state = KNOWN };
	const uint8_t *bytes = e->view.bytes[place->item];
	size_t length = e->view.length[place->item];
	bool is_text, ended;

	if (!bytes)
		return missing;
	is_text = e->view.list->items[place->item].is_text;
	/* A text was recorded without its null byte: the byte behind it is known to be 0. */
	ended = is_text && !place->counted && !(e->view.cut >> place->item & 1);
	if (is_faulty(e, place->item) &&
	    (!is_text || length < (uint64_t)place->offset + place->size))
		return (struct number){ .state = UNREADABLE };
	if ((uint64_t)place->offset + place->size > length + ended)
		return missing;
	if ((uint64_t)place->offset < length)
		memcpy(&number.value, bytes + place->offset,
		       length - (uint64_t)place->offset < place->size ?
		       length - (uint64_t)place->offset : place->size);
	number.value += (uint64_t)place->add;
	return number;
}

static struct number load_item(const struct evaluation *e, const struct recorded_place *place)
{
	struct number number = { .state = KNOWN };
	const uint8_t *bytes;
	size_t size;

	switch (place->kind) {
	case RECORDED_NUMBER:
		return load_bytes(e, place);
	case RECORDED_TIMESTAMP:
		number.value = e->event->event->time_ns;
		return number;
	case RECORDED_PAYLOAD:
		bytes = payload(e, place->index, &size);
		if (!bytes || size > 8)
			return missing;
		memcpy(&number.value, bytes, size);
		return number;
	default:
		return missing;
	}
}

/* A member of struct kcatch_condition, out of the event. */
static struct number load_own(const struct evaluation *e, uint32_t offset)
{
	const struct kcatch_event *event = e->event->event;
	struct number number = { .state = KNOWN };
	bool returned = event->returned == KCATCH_RETURN_SEEN;

	switch (offset) {
	case offsetof(struct kcatch_condition, pid):
		number.value = event->pid;
		return number;
	case offsetof(struct kcatch_condition, tid):
		number.value = event->tid;
		return number;
	case offsetof(struct kcatch_condition, cpu):
		number.value = event->cpu;
		return number;
	case offsetof(struct kcatch_condition, ret):
		number.value = event->ret;
		break;
	case offsetof(struct kcatch_condition, ret) + 4:
		number.value = event->ret >> 32;
		break;
	case offsetof(struct kcatch_condition, latency):
		number.value = event->latency_ns;
		break;
	default:
		return missing;
	}
	return returned ? number : missing;
}

static struct number load(const struct evaluation *e, const struct ir *ir)
{
	struct number number;

	if (ir->item == IR_NO_ITEM) {
		number = load_own(e, ir->offset);
	} else {
		number = load_item(e, &e->condition->places[ir->item]);
		number.value >>= 8 * ir->offset;
	}
	number.value = ir_fit(number.value, ir->wide, ir->is_signed);
	return number;
}

/* ---- numbers ---------------------------------------------------------------------- */

static struct number compute(const struct evaluation *e, const struct ir *ir);

static struct number choose(const struct evaluation *e, const struct ir *ir)
{
	switch (truth(e, ir->left)) {
	case YES:
		return compute(e, ir->right);
	case NO:
		return compute(e, ir->third);
	default:
		return missing;
	}
}

static struct number binary(const struct evaluation *e, const struct ir *ir)
{
	struct number a = compute(e, ir->left), b = compute(e, ir->right);

	if (b.state > a.state)
		a.state = b.state;
	if (b.state == KNOWN && (ir->op == IR_DIV || ir->op == IR_MOD) && !b.value)
		a.state = UNREADABLE;	/* a division by zero has no result either */
	if (a.state == KNOWN)
		a.value = ir_compute(ir, a.value, b.value);
	return a;
}

static struct number compute(const struct evaluation *e, const struct ir *ir)
{
	struct number number = { .state = KNOWN };
	enum truth value;

	switch (ir->op) {
	case IR_CONST:
		number.value = ir->number;
		return number;
	case IR_LOAD:
		return load(e, ir);
	case IR_VALUE:
		value = truth(e, ir->left);
		number.value = value == YES;
		number.state = value == OPEN ? MISSING : KNOWN;
		return number;
	case IR_CHOOSE:
		return choose(e, ir);
	case IR_CONVERT:
	case IR_NEGATE:
	case IR_INVERT:
		number = compute(e, ir->left);
		number.value = ir->op == IR_NEGATE ? -number.value :
			       ir->op == IR_INVERT ? ~number.value : number.value;
		number.value = ir_fit(number.value, ir->wide, ir->is_signed);
		return number;
	case IR_EXTEND:
		number = compute(e, ir->left);
		number.value = ir_low_bits(number.value, ir->bits, ir->is_signed);
		return number;
	default:
		return binary(e, ir);
	}
}

/* ---- texts ------------------------------------------------------------------------- */

static struct text text_of(const char *bytes)
{
	struct text text = { .bytes = bytes, .ended = true, .state = bytes ? KNOWN : MISSING };

	if (bytes)
		text.length = strlen(bytes);
	return text;
}

/* A text in an item: the bytes up to the null byte or to the item's end. */
static struct text item_text(const struct evaluation *e, const struct recorded_place *place)
{
	const uint8_t *bytes = e->view.bytes[place->item];
	size_t length = e->view.length[place->item], offset = (size_t)place->offset, most;
	bool is_text = bytes && e->view.list->items[place->item].is_text, fills;
	struct text text = { .state = MISSING };

	if (!bytes || offset > length) {
		text.state = bytes && is_faulty(e, place->item) ? UNREADABLE : MISSING;
		return text;
	}
	most = length - offset;
	fills = place->room && place->room <= most;	/* what is behind the array is none of it */
	if (fills)
		most = place->room;
	text.bytes = (const char *)bytes + offset;
	text.length = strnlen(text.bytes, most);
	text.ended = text.length < most || fills;
	text.state = KNOWN;
	if (is_faulty(e, place->item)) {
		/* A condition in the kernel reads @need bytes, or up to the null byte. */
		if (!is_text || (!text.ended && text.length < place->need))
			text.state = UNREADABLE;
	} else if (is_text && !place->counted && !(e->view.cut >> place->item & 1)) {
		text.ended = true;
	}
	return text;
}

static struct text summary_text(const struct evaluation *e, uint32_t index)
{
	const struct kcatch_value *value;
	struct text text = { .state = MISSING };

	value = e->event->value ? e->event->value(e->event->arg, index) : NULL;
	if (!value || !value->text)
		return text;
	/* The beginning of a path is missing: it may be any. */
	if (value->cut && value->length >= 3 && !memcmp(value->text, "...", 3))
		return text;
	return (struct text){ .bytes = value->text, .length = value->length, .ended = !value->cut };
}

static struct text find_text(const struct evaluation *e, const struct ir *ir)
{
	const struct kcatch_event *event = e->event->event;
	const struct recorded_place *place;
	const uint8_t *bytes;
	struct text text;
	size_t size;

	if (ir->item == IR_NO_ITEM) {
		/* A small event record has no command; the thread's may be unknown. */
		return text_of(event->is_event && !event->comm[0] ? NULL : event->comm);
	}
	place = &e->condition->places[ir->item];
	switch (place->kind) {
	case RECORDED_BYTES:
		return item_text(e, place);
	case RECORDED_PAYLOAD:
		bytes = payload(e, place->index, &size);
		text = (struct text){ .bytes = (const char *)bytes,
				      .state = bytes ? KNOWN : MISSING };
		text.length = bytes ? strnlen(text.bytes, size) : 0;
		text.ended = text.length < size;
		return text;
	case RECORDED_SUMMARY_TEXT:
		return summary_text(e, place->index);
	case RECORDED_EVENT_TEXT:
		return text_of(e->event->text ? e->event->text(e->event->arg, place->index) : NULL);
	default:
		return (struct text){ .state = MISSING };
	}
}

static enum truth compare_glob(const struct ir *ir, const struct text *text)
{
	char subject[GLOB_TEXT];

	if (!text->ended || text->length >= sizeof(subject))
		return OPEN;
	memcpy(subject, text->bytes, text->length);
	subject[text->length] = '\0';
	return kcatch_glob_match(ir->text, subject) ? YES : NO;
}

static enum truth compare_text(const struct evaluation *e, const struct ir *ir)
{
	struct text text = find_text(e, ir);
	size_t same;

	if (text.state != KNOWN)
		return OPEN;
	if (ir->glob)
		return compare_glob(ir, &text);
	same = text.length < ir->length ? text.length : ir->length;
	if (same && memcmp(text.bytes, ir->text, same))
		return NO;
	if (text.length < ir->length)
		return text.ended ? NO : OPEN;
	if (ir->prefix)
		return YES;
	if (text.length > ir->length)
		return NO;
	return text.ended ? YES : OPEN;
}

/* ---- truth values -------------------------------------------------------------------- */

static enum truth compare(const struct evaluation *e, const struct ir *ir)
{
	struct number a = compute(e, ir->left), b = compute(e, ir->right);
	bool less, equal = a.value == b.value;

	if (a.state != KNOWN || b.state != KNOWN)
		return OPEN;
	if (ir->op == IR_EQ)
		return equal ? YES : NO;
	less = ir->left->is_signed ? (int64_t)a.value < (int64_t)b.value : a.value < b.value;
	return !less && (ir->op == IR_GE || !equal) ? YES : NO;
}

static enum truth both(enum truth a, enum truth b)
{
	if (a == NO || b == NO)
		return NO;
	return a == YES && b == YES ? YES : OPEN;
}

static enum truth opposite(enum truth a)
{
	return a == YES ? NO : a == NO ? YES : a;
}

static enum truth either(const struct evaluation *e, const struct ir *ir)
{
	enum truth which = truth(e, ir->left);

	return which == OPEN ? OPEN : truth(e, which == YES ? ir->right : ir->third);
}

static enum truth truth(const struct evaluation *e, const struct ir *ir)
{
	enum truth left;

	switch (ir->op) {
	case IR_NOT:
		return opposite(truth(e, ir->left));
	case IR_ALL:
		left = truth(e, ir->left);
		return left == NO ? NO : both(left, truth(e, ir->right));
	case IR_ANY:
		left = truth(e, ir->left);
		if (left == YES)
			return YES;
		return opposite(both(opposite(left), opposite(truth(e, ir->right))));
	case IR_EITHER:
		return either(e, ir);
	case IR_TEXT:
		return compare_text(e, ir);
	case IR_COMPARED:
		return truth(e, ir->left);
	case IR_DECIDED:
		return truth(e, ir->left) == YES ? YES : NO;
	default:
		return compare(e, ir);
	}
}

static void begin(struct evaluation *e, const struct kcatch_recorded_condition *condition,
		  const struct kcatch_recorded_event *event)
{
	e->condition = condition;
	e->event = event;
	if (condition->plan)
		kcatch_item_view_init_entry(&e->view, condition->plan, event->fetched);
}

enum kcatch_answer
kcatch_recorded_condition_evaluate(const struct kcatch_recorded_condition *condition,
				   const struct kcatch_recorded_event *event)
{
	struct evaluation e = { .condition = NULL };

	begin(&e, condition, event);
	switch (truth(&e, condition->root)) {
	case YES:
		return KCATCH_ANSWER_YES;
	case OPEN:
		return KCATCH_ANSWER_UNDECIDED;
	default:
		return KCATCH_ANSWER_NO;
	}
}

/* The kernel keeps the first bytes of a text, so that one that is cut here may be whole there. */
static enum state text_value(const struct evaluation *e, const struct ir *ir,
			     struct kcatch_recorded_value *value)
{
	struct text text = find_text(e, ir);

	if (text.state != KNOWN)
		return text.state;
	value->text = text.bytes;
	value->length = text.length;
	if (value->length > KCATCH_PART_TEXT_MAX)
		value->length = KCATCH_PART_TEXT_MAX;
	return text.ended || text.length >= KCATCH_PART_TEXT_MAX ? KNOWN : MISSING;
}

void kcatch_recorded_expression_evaluate(const struct kcatch_recorded_expression *expression,
					 const struct kcatch_recorded_event *event,
					 struct kcatch_recorded_value *value)
{
	const struct ir *root = expression->condition.root;
	struct evaluation e = { .condition = NULL };
	struct number number;
	enum state state;

	memset(value, 0, sizeof(*value));
	begin(&e, &expression->condition, event);
	if (root->op == IR_TEXT) {
		state = text_value(&e, root, value);
	} else {
		number = compute(&e, root);
		value->number = number.value;
		state = number.state;
	}
	value->missing = state == MISSING;
	value->unreadable = state == UNREADABLE;
}
