/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * evaluate.c - evaluates a condition over one record
 *
 * The code of a condition is run by the interpreter that the module runs (kernel/code/run.h); this
 * file reads the values and texts that it asks for. A value is not known if it is UNREADABLE (the
 * memory could not be read at the hit) or MISSING from the record.
 *
 * Records are untrusted: all offsets and lengths are checked. Allocates nothing.
 */
#include <errno.h>
#include <string.h>

#include <kcatch_text.h>
#include "code/run.h"
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

struct kcatch_code_run {
	const struct kcatch_recorded_condition *condition;
	const struct kcatch_recorded_event *event;
	struct kcatch_item_view view;
	struct number *loaded;  /* by the code, of KCATCH_ITEMS_MAX items */
	enum state *unknown;	/* receives why what was asked for is not known */
};

static const struct number missing = { .state = MISSING };

/* ---- the record ------------------------------------------------------------------ */

static bool is_faulty(const struct kcatch_code_run *e, uint8_t item)
{
	return e->view.faults >> item & 1;
}

/* Argument @index in a DO_TRACE event's payload, *size bytes. NULL, *size 0: not there. */
static const uint8_t *payload(const struct kcatch_code_run *e, uint32_t index, size_t *size)
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

static struct number load_bytes(const struct kcatch_code_run *e, const struct recorded_place *place)
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

static struct number load_header(const struct kcatch_code_run *e,
				 const struct recorded_place *place)
{
	const struct kcatch_plan_pointee *pointee = e->condition->plan->args[place->index].pointee;
	struct number number = { .state = KNOWN };
	struct kcatch_packet_headers packet;

	if (!pointee || !kcatch_item_view_packet(&e->view, pointee, &packet))
		return missing;
	/* What a packet does not have is at an address of 0, live. */
	if (!kcatch_packet_field(&packet, (enum kcatch_packet_field)place->offset, &number.value))
		number.state = UNREADABLE;
	return number;
}

static struct number load_item(const struct kcatch_code_run *e, const struct recorded_place *place)
{
	struct number number = { .state = KNOWN };
	const uint8_t *bytes;
	size_t size;

	switch (place->kind) {
	case RECORDED_NUMBER:
		return load_bytes(e, place);
	case RECORDED_HEADER:
		return load_header(e, place);
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

/* What every record has, or each that has its return. */
static struct number load_own(const struct kcatch_code_run *e, uint8_t from)
{
	const struct kcatch_event *event = e->event->event;
	struct number number = { .state = KNOWN };

	if ((from == KCATCH_FROM_RET || from == KCATCH_FROM_LATENCY) &&
	    event->returned != KCATCH_RETURN_SEEN)
		return missing;
	if (KCATCH_FROM_IS_OFF_CPU(from) && !event->off_cpu_known)
		return missing;
	switch (from) {
	case KCATCH_FROM_PID:
		number.value = event->pid;
		return number;
	case KCATCH_FROM_TID:
		number.value = event->tid;
		return number;
	case KCATCH_FROM_CPU:
		number.value = event->cpu;
		return number;
	case KCATCH_FROM_RET:
		number.value = event->ret;
		return number;
	case KCATCH_FROM_LATENCY:
		number.value = event->latency_ns;
		return number;
	case KCATCH_FROM_ONCPU:
		number.value = event->oncpu_ns;
		return number;
	case KCATCH_FROM_RUNNABLE:
		number.value = event->runnable_ns;
		return number;
	case KCATCH_FROM_BLOCKED:
		number.value = event->blocked_ns;
		return number;
	case KCATCH_FROM_SWITCHES:
		number.value = event->switches;
		return number;
	default:
		return missing;
	}
}

static __always_inline bool code_value(const struct kcatch_code_run *e, const struct kcatch_op *op,
				       __u64 *value)
{
	const struct recorded_place *place = &e->condition->places[op->index];
	struct number number = op->from != KCATCH_FROM_FIELD  ? load_own(e, op->from) :
			       place->kind == RECORDED_LOADED ? e->loaded[op->index] :
								load_item(e, place);

	*value = number.value;
	*e->unknown = number.state;
	return number.state == KNOWN;
}

/* ---- memory -------------------------------------------------------------------------- */

/* Takes @size bytes at an address out of what was fetched of a pointee at @start. */
static bool load_object(const struct kcatch_code_run *e, const struct kcatch_plan_pointee *pointee,
			uint64_t start, uint64_t from, uint8_t size, struct number *number)
{
	const struct recorded_place place = {
		.kind = RECORDED_NUMBER,
		.item = pointee->object,
		.size = size,
		.offset = (int64_t)(from - start),
		.counted = pointee->kind == KCATCH_POINTEE_BYTES,
	};

	if (pointee->object >= e->view.list->nr_items || from - start >= KCATCH_DATA_MAX)
		return false;
	*number = load_bytes(e, &place);
	return number->state != MISSING;
}

/* The same, and of the pointers in it. */
static bool load_pointee(const struct kcatch_code_run *e, const struct kcatch_plan_pointee *pointee,
			 uint64_t start, uint64_t from, uint8_t size, struct number *number)
{
	const struct kcatch_plan_pointee *inside;
	struct number pointer;

	if (load_object(e, pointee, start, from, size, number))
		return true;
	for (inside = pointee->inside; inside; inside = inside->next)
		if (load_object(e, pointee, start, start + inside->offset, 8, &pointer) &&
		    pointer.state == KNOWN &&
		    load_pointee(e, inside, pointer.value, from, size, number))
			return true;
	return false;
}

/* The memory of a record is what its pointers lead to, as far as it was fetched. */
static void code_load(const struct kcatch_code_run *e, const struct kcatch_op *op, __u64 from)
{
	const struct kcatch_plan *plan = e->condition->plan;
	struct number *number = &e->loaded[op->index % KCATCH_ITEMS_MAX];
	uint64_t start;
	uint32_t i;

	if (!op->a) {
		*number = (struct number){ .value = from, .state = KNOWN };
		return;
	}
	for (i = 0; plan && from && i < plan->nr_args; i++) {
		const struct kcatch_plan_value *arg = &plan->args[i];

		if (!arg->pointee || arg->words >= e->view.list->nr_items ||
		    !e->view.bytes[arg->words] || e->view.length[arg->words] < sizeof(start))
			continue;
		memcpy(&start, e->view.bytes[arg->words], sizeof(start));
		if (load_pointee(e, arg->pointee, start, from, (uint8_t)op->a, number))
			return;
	}
	*number = missing;
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
static struct text item_text(const struct kcatch_code_run *e, const struct recorded_place *place)
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

static struct text summary_text(const struct kcatch_code_run *e, uint32_t index)
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

/* @item: IR_NO_ITEM: the command */
static struct text find_text(const struct kcatch_code_run *e, int item)
{
	const struct kcatch_event *event = e->event->event;
	const struct recorded_place *place;
	const uint8_t *bytes;
	struct text text;
	size_t size;

	if (item == IR_NO_ITEM) {
		/* A small event record has no command; the thread's may be unknown. */
		return text_of(event->is_event && !event->comm[0] ? NULL : event->comm);
	}
	place = &e->condition->places[item];
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

static int compare_pattern(const char *pattern, const struct text *text)
{
	char subject[GLOB_TEXT];

	if (!text->ended || text->length >= sizeof(subject))
		return KCATCH_EXIT_UNKNOWN;
	memcpy(subject, text->bytes, text->length);
	subject[text->length] = '\0';
	return kcatch_glob_match(pattern, subject) ? KCATCH_EXIT_YES : KCATCH_EXIT_NO;
}

static __always_inline int code_text(const struct kcatch_code_run *e, const struct kcatch_op *op)
{
	const char *wanted = e->condition->texts + op->a;
	struct text text = find_text(e, op->from == KCATCH_FROM_COMM ? IR_NO_ITEM : op->index);

	*e->unknown = text.state;
	if (text.state != KNOWN)
		return KCATCH_EXIT_UNKNOWN;
	if (op->fit == KCATCH_TEXT_PATTERN)
		return compare_pattern(wanted, &text);
	return kcatch_code_compare(op, wanted, text.bytes, text.length, text.ended);
}

/* ---- conditions and values --------------------------------------------------------- */

static void begin(struct kcatch_code_run *e, const struct kcatch_recorded_condition *condition,
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
	enum state unknown = KNOWN;
	struct number loaded[KCATCH_ITEMS_MAX];
	struct kcatch_code_run e = { .unknown = &unknown, .loaded = loaded };

	begin(&e, condition, event);
	switch (kcatch_code_run(&e, condition->code, NULL)) {
	case KCATCH_EXIT_YES:
		return KCATCH_ANSWER_YES;
	case KCATCH_EXIT_UNKNOWN:
		return KCATCH_ANSWER_UNDECIDED;
	default:
		return KCATCH_ANSWER_NO;
	}
}

/* The kernel keeps the first bytes of a text, so that one that is cut here may be whole there. */
static enum state text_value(const struct kcatch_code_run *e, int item,
			     struct kcatch_recorded_value *value)
{
	struct text text = find_text(e, item);

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
	const struct kcatch_recorded_condition *condition = &expression->condition;
	enum state state = KNOWN;
	struct number loaded[KCATCH_ITEMS_MAX];
	struct kcatch_code_run e = { .unknown = &state, .loaded = loaded };
	__u64 words[2] = { 0 };

	memset(value, 0, sizeof(*value));
	begin(&e, condition, event);
	if (expression->is_text) {
		state = text_value(&e, expression->item, value);
	} else if (kcatch_code_run(&e, condition->code, words) == KCATCH_EXIT_YES) {
		value->number = words[0];
		value->low = words[1];
		state = KNOWN;
	} else if (state == KNOWN) {
		state = UNREADABLE;	/* a division by zero has no result either */
	}
	value->missing = state == MISSING;
	value->unreadable = state == UNREADABLE;
}
