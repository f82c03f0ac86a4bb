/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render_json.c - an event as JSON: one object per line, as kcatch(1) describes
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>
#include <kcatch_text.h>

#include "event_json.h"
#include "json_writer.h"
#include "put.h"
#include "render.h"
#include "stack_texts.h"
#include "value_json.h"
#include "value_text.h"

#define NAME_ROOM 700	/* bytes of SYSTEM:NAME in any recording */
#define FORM (JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

/* What a thread keeps from event to event: the room for one, and the stacks. */
static __thread struct json_writer line;
static __thread struct stack_texts stacks;

void render_json_forget(void)
{
	json_writer_deinit(&line);
	stack_texts_deinit(&stacks);
}

static void put_word(struct json_writer *json, const char *text)
{
	json_put_string(json, text, strlen(text));
}

static void put_address(struct json_writer *json, uint64_t address)
{
	static __thread int restricted = -1;
	char digits[19], *end = digits + sizeof(digits), *at = end;

	if (restricted < 0)
		restricted = kcatch_machine_hides_addresses();
	if (restricted)
		return;
	do {
		*--at = "0123456789abcdef"[address & 15];
		address >>= 4;
	} while (address);
	*--at = 'x';
	*--at = '0';
	JSON_PUT_NAME(json, "address");
	json_put_string(json, at, (size_t)(end - at));
}

static void put_build_id(struct json_writer *json, const struct kcatch_frame *frame)
{
	char text[2 * sizeof(frame->build_id)];
	uint32_t i;

	if (!frame->build_id_size)
		return;
	for (i = 0; i < frame->build_id_size; i++) {
		text[2 * i] = "0123456789abcdef"[frame->build_id[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[frame->build_id[i] & 15];
	}
	JSON_PUT_NAME(json, "build_id");
	json_put_string(json, text, 2 * frame->build_id_size);
}

static void put_frame(struct json_writer *json, const struct kcatch_frame *frame)
{
	json_put_begin(json, true);
	JSON_PUT_NAME(json, "symbol");
	if (frame->self)
		put_word(json, "[kcatch]");
	else if (frame->symbol)
		put_word(json, frame->symbol);
	else
		json_put_null(json);
	JSON_PUT_NAME(json, "offset");
	json_put_number(json, frame->self ? 0 : frame->offset);
	if (frame->self || frame->hooked) {
		json_put_end(json);
		return;
	}
	put_address(json, frame->address);
	if (frame->module) {
		JSON_PUT_NAME(json, "module");
		put_word(json, frame->module);
	}
	put_build_id(json, frame);
	if (frame->file) {
		JSON_PUT_NAME(json, "file");
		put_word(json, frame->file);
	}
	if (frame->file && frame->line) {
		JSON_PUT_NAME(json, "line");
		json_put_number(json, frame->line);
	}
	if (frame->inlined) {
		JSON_PUT_NAME(json, "inlined");
		json_put_bool(json, true);
	}
	if (frame->interrupted) {
		JSON_PUT_NAME(json, "interrupted");
		json_put_bool(json, true);
	}
	json_put_end(json);
}

struct json_object *render_json_frame(const struct kcatch_frame *frame)
{
	struct json_writer json = { .length = 0 };
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *object = NULL;

	put_frame(&json, frame);
	if (tokener && !json.failed)
		object = json_tokener_parse_ex(tokener, json.text, (int)json.length);
	if (tokener)
		json_tokener_free(tokener);
	json_writer_deinit(&json);
	return object;
}

/* The members that say of the stack. */
static int put_frames(struct json_writer *json, struct kcatch_session *session,
		      const struct kcatch_event *event)
{
	struct kcatch_frame frame;
	uint32_t i;
	int ret = 0;

	JSON_PUT_NAME(json, "caller");
	if (event->nr_frames)
		ret = kcatch_session_frame(session, 0, &frame);
	if (ret)
		return ret;
	if (event->nr_frames && (frame.symbol || frame.self))
		put_word(json, frame.self ? "[kcatch]" : frame.symbol);
	else
		json_put_null(json);
	JSON_PUT_NAME(json, "stack");
	json_put_begin(json, false);
	for (i = 0; i < event->nr_frames; i++) {
		ret = kcatch_session_frame(session, i, &frame);
		if (ret)
			return ret;
		put_frame(json, &frame);
	}
	json_put_end(json);
	JSON_PUT_NAME(json, "stack_complete");
	json_put_bool(json, event->stack == KCATCH_STACK_WHOLE);
	JSON_PUT_NAME(json, "stack_end");
	put_word(json, value_json_stack_end(event->stack));
	return 0;
}

/* Arguments that differed at the return, or whose pointees did. */
static int put_changes(struct json_writer *json, struct kcatch_session *session,
		       const struct kcatch_event *event)
{
	const struct kcatch_value *value;
	bool any = false;
	uint32_t i;
	int ret;

	for (i = 0; i < event->nr_args; i++) {
		ret = kcatch_session_arg(session, i, &value);
		if (ret)
			return ret;
		if (!value->name || !value->at_return)
			continue;
		if (!any) {
			JSON_PUT_NAME(json, "args_at_return");
			json_put_begin(json, true);
		}
		any = true;
		json_put_name(json, value->name, strlen(value->name));
		value_json(json, value->at_return);
	}
	if (any)
		json_put_end(json);
	return 0;
}

static int put_args(struct json_writer *json, struct kcatch_session *session,
		    const struct kcatch_event *event)
{
	int ret;

	JSON_PUT_NAME(json, "args");
	ret = event_json_args(json, session, event);
	if (ret)
		return ret;
	if (!event->typed) {
		JSON_PUT_NAME(json, "typed");
		json_put_bool(json, false);
	}
	ret = event_json_marks(json, session, event, VALUE_CUT, false);
	if (!ret)
		ret = event_json_marks(json, session, event, VALUE_UNREADABLE, false);
	if (!ret)
		ret = event_json_marks(json, session, event, VALUE_LATE, false);
	if (!ret)
		ret = event_json_marks(json, session, event, VALUE_BYTES, false);
	return ret ? ret : put_changes(json, session, event);
}

/* "ret_text" beside the number "ret": -ENOENT, true, an enumerator, a string, a path. */
static void put_return_text(struct json_writer *json, const struct kcatch_value *value)
{
	event_json_return_text(json, value);
	if (value->kind == KCATCH_VALUE_STRUCT ||
	    (value->kind == KCATCH_VALUE_POINTER && value->nr_children && value->number &&
	     !value->is_error)) {
		JSON_PUT_NAME(json, "ret_value");
		value_json(json, value);
	}
}

static int put_return(struct json_writer *json, struct kcatch_session *session,
		      const struct kcatch_event *event)
{
	static const char *const states[] = {
		[KCATCH_RETURN_PENDING] = "pending", [KCATCH_RETURN_NO_SLOT] = "no_slot",
		[KCATCH_RETURN_LOST] = "lost", [KCATCH_RETURN_FORGOTTEN] = "forgotten",
	};
	const struct kcatch_value *value;
	int ret;

	if (event->returned == KCATCH_RETURN_NOT_ASKED)
		return 0;
	if (event->returned != KCATCH_RETURN_SEEN) {
		JSON_PUT_NAME(json, "returned");
		put_word(json, states[event->returned]);
		return 0;
	}
	ret = kcatch_session_return_value(session, &value);
	if (ret)
		return ret;
	if (value->kind != KCATCH_VALUE_VOID) {
		JSON_PUT_NAME(json, "ret");
		value_json_return(json, value);
		put_return_text(json, value);
	}
	JSON_PUT_NAME(json, "latency_ns");
	json_put_number(json, event->latency_ns);
	return 0;
}

static int put_user_stack(struct json_writer *json, struct kcatch_session *session,
			  const struct kcatch_event *event)
{
	struct kcatch_frame frame;
	int32_t i;
	int ret;

	if (event->nr_user_frames < 0)
		return 0;
	JSON_PUT_NAME(json, "user_stack");
	json_put_begin(json, false);
	for (i = 0; i < event->nr_user_frames; i++) {
		ret = kcatch_session_user_frame(session, (uint32_t)i, &frame);
		if (ret)
			return ret;
		put_frame(json, &frame);
	}
	json_put_end(json);
	if (event->nr_user_frames) {
		JSON_PUT_NAME(json, "user_stack_end");
		put_word(json, value_json_stack_end(frame.end));
	}
	return 0;
}

static void put_place_in_tree(struct json_writer *json, const struct kcatch_event *event)
{
	JSON_PUT_NAME(json, "call");
	json_put_number(json, event->call);
	JSON_PUT_NAME(json, "parent");
	json_put_number(json, event->parent);
	JSON_PUT_NAME(json, "level");
	json_put_number(json, event->level);
}

/* The value of a variable, which may be a pointer. */
static void put_watched(struct json_writer *json, uint64_t value)
{
	if (value_is_hidden(value))
		json_put_null(json);
	else
		json_put_number(json, value);
}

/* The members of a watchpoint's hit. */
static int put_watch(struct json_writer *json, struct kcatch_session *session)
{
	struct kcatch_watch_hit hit;
	int ret = kcatch_session_watch_hit(session, &hit);

	if (ret)
		return ret;
	JSON_PUT_NAME(json, "size");
	json_put_number(json, hit.size);
	JSON_PUT_NAME(json, "access");
	json_put_bool(json, hit.access);
	JSON_PUT_NAME(json, "old");
	put_watched(json, hit.old_value);
	JSON_PUT_NAME(json, "new");
	put_watched(json, hit.new_value);
	JSON_PUT_NAME(json, "by");
	put_frame(json, &hit.by);
	return 0;
}

static void put_probe(struct json_writer *json, const struct kcatch_probe *probe)
{
	char name[NAME_ROOM];

	if (probe->function && probe->module && (probe->mechanism == KCATCH_BY_TRACEPOINT ||
						 probe->mechanism == KCATCH_BY_EVENT)) {
		snprintf(name, sizeof(name), "%s:%s", probe->module, probe->function);
		JSON_PUT_NAME(json, "event");
		put_word(json, name);
	}
	if (probe->mechanism == KCATCH_BY_WATCH)
		JSON_PUT_NAME(json, "variable");
	else
		JSON_PUT_NAME(json, "function");
	if (probe->function)
		put_word(json, probe->function);
	else
		json_put_null(json);
	if (probe->which) {
		JSON_PUT_NAME(json, "which");
		put_word(json, probe->which + (*probe->which == '@'));
	}
	if (probe->module) {
		JSON_PUT_NAME(json, "module");
		put_word(json, probe->module);
	}
	if (probe->offset) {
		JSON_PUT_NAME(json, "offset");
		json_put_number(json, probe->offset);
	}
}

static void put_head(struct json_writer *json, const struct kcatch_event *event)
{
	JSON_PUT_NAME(json, "time_ns");
	json_put_signed(json, (int64_t)event->time_ns);
	JSON_PUT_NAME(json, "cpu");
	json_put_number(json, event->cpu);
	JSON_PUT_NAME(json, "pid");
	json_put_number(json, event->pid);
	JSON_PUT_NAME(json, "tid");
	json_put_number(json, event->tid);
	JSON_PUT_NAME(json, "comm");
	put_word(json, event->comm);
	/* A tracepoint's record has no context without a stack. */
	if (!event->is_event || event->stack != KCATCH_STACK_ABSENT) {
		JSON_PUT_NAME(json, "context");
		put_word(json, event_json_context(event));
		JSON_PUT_NAME(json, "irqs_off");
		json_put_bool(json, event->irqs_off);
	}
}

static int put_event(struct json_writer *json, struct kcatch_session *session,
		     const struct kcatch_event *event, const struct render_options *options)
{
	const struct kcatch_probe *probe;
	int ret = kcatch_session_probe(session, event->probe, &probe);

	if (ret)
		return ret;
	json_put_begin(json, true);
	put_probe(json, probe);
	put_head(json, event);
	if (probe->mechanism == KCATCH_BY_WATCH)
		ret = put_watch(json, session);
	if (!ret && event->cgroup)
		ret = event_json_cgroup(json, session, event);
	if (!ret && event->stack != KCATCH_STACK_ABSENT)
		ret = event_json_stack(json, session, event, &stacks, put_frames);
	if (!ret && probe->mechanism != KCATCH_BY_WATCH)
		ret = put_args(json, session, event);
	if (!ret)
		ret = put_return(json, session, event);
	if (!ret)
		ret = put_user_stack(json, session, event);
	if (options->groups)
		put_place_in_tree(json, event);
	json_put_end(json);
	return ret;
}

static int show_event(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		      const struct render_options *options)
{
	int ret;

	json_writer_reset(&line);
	ret = put_event(&line, session, event, options);
	if (!ret && line.failed)
		ret = kcatch_error_memory();
	if (ret)
		return ret;
	put_bytes(out, line.text, line.length);
	put_char(out, '\n');
	return 0;
}

/* ---- the summary ------------------------------------------------------------------- */

static void print(FILE *out, struct json_object *object)
{
	value_json_print(out, object, FORM);
	fputc('\n', out);
	json_object_put(object);
}

static struct json_object *string_of(const char *text)
{
	return value_json_string(text, strlen(text));
}

static void add_probe(struct json_object *object, const struct kcatch_probe *probe)
{
	char name[NAME_ROOM];

	if (probe->function && probe->module && (probe->mechanism == KCATCH_BY_TRACEPOINT ||
						 probe->mechanism == KCATCH_BY_EVENT)) {
		snprintf(name, sizeof(name), "%s:%s", probe->module, probe->function);
		json_object_object_add(object, "event", string_of(name));
	}
	json_object_object_add(object,
			       probe->mechanism == KCATCH_BY_WATCH ? "variable" : "function",
			       probe->function ? string_of(probe->function) : NULL);
	if (probe->which)
		json_object_object_add(object, "which",
				       string_of(probe->which + (*probe->which == '@')));
	if (probe->module)
		json_object_object_add(object, "module", string_of(probe->module));
	if (probe->offset)
		json_object_object_add(object, "offset", json_object_new_int64(probe->offset));
}

static void add_number(struct json_object *object, const char *name, uint64_t number)
{
	json_object_object_add(object, name, json_object_new_int64((int64_t)number));
}

static void add_totals(struct json_object *object, const struct kcatch_totals *totals)
{
	add_number(object, "hits", totals->hits);
#define ADD(name, words, help) add_number(object, #name, totals->name);
	KCATCH_COUNTERS(ADD)
#undef ADD
}

static struct json_object *per_probe(struct kcatch_session *session)
{
	struct json_object *array = json_object_new_array();
	size_t count = kcatch_session_nr_probes(session), i;

	for (i = 0; i < count; i++) {
		const struct kcatch_probe *probe;
		struct kcatch_totals totals;
		struct json_object *object;

		if (kcatch_session_probe(session, (uint32_t)i, &probe) ||
		    kcatch_session_probe_totals(session, (uint32_t)i, &totals))
			continue;
		object = json_object_new_object();
		add_probe(object, probe);
		json_object_object_add(object, "mechanism",
			json_object_new_string(kcatch_mechanism_name(probe->mechanism)));
		add_totals(object, &totals);
		json_object_array_add(array, object);
	}
	return array;
}

/* What came to the rings or files, and is not shown. */
static void add_losses(struct json_object *object, struct kcatch_session *session,
		       const struct outcome *outcome)
{
	add_number(object, "damaged", kcatch_session_nr_damaged(session));
	add_number(object, "forgotten", kcatch_session_nr_forgotten(session));
	add_number(object, "unarmed", kcatch_session_nr_unarmed(session));
	add_number(object, "disarmed", kcatch_session_nr_disarmed(session));
	add_number(object, "died", kcatch_session_nr_died(session));
	if (!kcatch_session_recording(session))
		return;
	add_number(object, "missing", outcome->missing);
	add_number(object, "discarded", outcome->discarded);
}

static int show_summary(struct kcatch_session *session, const struct outcome *outcome,
			const struct render_options *options)
{
	struct json_object *top = json_object_new_object(), *summary = json_object_new_object();

	add_totals(summary, &outcome->totals);
	add_number(summary, "caught", outcome->shown);
	if (options->groups)
		add_number(summary, "calls", outcome->events);
	add_number(summary, "asked", options->count);
	add_number(summary, "probes", kcatch_session_nr_probes(session));
	add_number(summary, "skipped", kcatch_session_nr_skipped(session));
	add_number(summary, "left_out", kcatch_session_nr_left_out(session));
	add_losses(summary, session, outcome);
	add_number(summary, "elapsed_ns", outcome->elapsed_ns);
	json_object_object_add(summary, "end", json_object_new_string(outcome->end));
	json_object_object_add(summary, "final", json_object_new_boolean(!outcome->unstopped));
	if (options->verbose)
		json_object_object_add(summary, "per_probe", per_probe(session));
	json_object_object_add(top, "summary", summary);
	print(stdout, top);
	return 0;
}

const struct renderer render_json = { show_event, show_summary, NULL };
