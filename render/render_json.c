/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render_json.c - an event as JSON: one object per line, as kcatch(1) describes
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "render.h"
#include "value_json.h"

#define FORM (JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

static struct json_object *string_of(const char *text)
{
	return value_json_string(text, strlen(text));
}

static void add_address(struct json_object *object, uint64_t address)
{
	static int restricted = -1;
	char text[24];

	if (restricted < 0)
		restricted = kcatch_machine_hides_addresses();
	if (restricted)
		return;
	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json_object_object_add(object, "address", json_object_new_string(text));
}

struct json_object *render_json_frame(const struct kcatch_frame *frame)
{
	struct json_object *object = json_object_new_object();

	if (frame->self) {
		json_object_object_add(object, "symbol", json_object_new_string("[kcatch]"));
		json_object_object_add(object, "offset", json_object_new_int(0));
		return object;
	}
	json_object_object_add(object, "symbol", frame->symbol ? string_of(frame->symbol) : NULL);
	json_object_object_add(object, "offset", json_object_new_int64(frame->offset));
	add_address(object, frame->address);
	if (frame->module)
		json_object_object_add(object, "module", string_of(frame->module));
	if (frame->file)
		json_object_object_add(object, "file", string_of(frame->file));
	if (frame->file && frame->line)
		json_object_object_add(object, "line", json_object_new_int64(frame->line));
	if (frame->inlined)
		json_object_object_add(object, "inlined", json_object_new_boolean(1));
	if (frame->interrupted)
		json_object_object_add(object, "interrupted", json_object_new_boolean(1));
	return object;
}

static int add_stack(struct json_object *object, struct kcatch_session *session,
		     const struct kcatch_event *event)
{
	static const char *const ends[] = {
		[KCATCH_STACK_WHOLE] = "complete", [KCATCH_STACK_CUT] = "depth",
		[KCATCH_STACK_LOST_TRACK] = "broken", [KCATCH_STACK_ABSENT] = "none",
	};
	struct json_object *stack = json_object_new_array();
	struct json_object *caller = NULL;
	struct kcatch_frame frame;
	uint32_t i;
	int ret;

	for (i = 0; i < event->nr_frames; i++) {
		ret = kcatch_session_frame(session, i, &frame);
		if (ret) {
			json_object_put(stack);
			json_object_put(caller);
			return ret;
		}
		if (!i && (frame.symbol || frame.self))
			caller = string_of(frame.self ? "[kcatch]" : frame.symbol);
		json_object_array_add(stack, render_json_frame(&frame));
	}
	json_object_object_add(object, "caller", caller);
	json_object_object_add(object, "stack", stack);
	json_object_object_add(object, "stack_complete",
			       json_object_new_boolean(event->stack == KCATCH_STACK_WHOLE));
	json_object_object_add(object, "stack_end", json_object_new_string(ends[event->stack & 3]));
	return 0;
}

static void print(FILE *out, struct json_object *object)
{
	fputs(json_object_to_json_string_ext(object, FORM), out);
	fputc('\n', out);
	json_object_put(object);
}

/* An argument that differed at the return, or whose pointee did. */
static void add_at_return(struct json_object *changes, const struct kcatch_value *value)
{
	if (value->at_return)
		value_json_add(changes, value->name, value_json(value->at_return));
}

/* Add an array of names unless it is empty; takes the array over. */
static void add_names(struct json_object *object, const char *name, struct json_object *array)
{
	if (json_object_array_length(array))
		json_object_object_add(object, name, array);
	else
		json_object_put(array);
}

static int add_args(struct json_object *object, struct kcatch_session *session,
		    const struct kcatch_event *event)
{
	struct json_object *args = json_object_new_object(), *changes = json_object_new_object();
	struct json_object *cut = json_object_new_array(), *faults = json_object_new_array();
	const struct kcatch_value *value;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < event->nr_args && !ret; i++) {
		char number[16];
		const char *name;

		ret = kcatch_session_arg(session, i, &value);
		if (ret)
			break;
		snprintf(number, sizeof(number), "arg%u", i);
		name = value->name && value->name[0] ? value->name : number;
		value_json_add(args, name, value_json(value));
		if (value->name)
			add_at_return(changes, value);
		value_json_marks(cut, value, true);
		value_json_marks(faults, value, false);
	}
	json_object_object_add(object, "args", args);
	if (!event->typed)
		json_object_object_add(object, "typed", json_object_new_boolean(0));
	add_names(object, "args_cut", cut);
	add_names(object, "args_unreadable", faults);
	if (json_object_object_length(changes))
		json_object_object_add(object, "args_at_return", changes);
	else
		json_object_put(changes);
	return ret;
}

/* "ret_text" beside the number "ret": -ENOENT, true, an enumerator, a string, a path. */
static void add_return_text(struct json_object *object, const struct kcatch_value *value)
{
	const char *text = NULL;
	char name[64];

	if (value->is_error && value->text) {
		snprintf(name, sizeof(name), "%s%.*s", value->text[0] == '-' ? "" : "-",
			 (int)value->length, value->text);
		text = name;
	} else if (value->kind == KCATCH_VALUE_BOOL)
		text = value->number ? "true" : "false";
	else if (value->kind == KCATCH_VALUE_POINTER && !value->number)
		text = "NULL";
	if (text)
		json_object_object_add(object, "ret_text", json_object_new_string(text));
	else if (value->text && value->length)
		json_object_object_add(object, "ret_text",
				       value_json_string(value->text, value->length));
	if (value->kind == KCATCH_VALUE_STRUCT ||
	    (value->kind == KCATCH_VALUE_POINTER && value->nr_children && value->number &&
	     !value->is_error))
		json_object_object_add(object, "ret_value", value_json(value));
}

static int add_return(struct json_object *object, struct kcatch_session *session,
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
		json_object_object_add(object, "returned",
				       json_object_new_string(states[event->returned]));
		return 0;
	}
	ret = kcatch_session_return_value(session, &value);
	if (ret)
		return ret;
	if (value->kind != KCATCH_VALUE_VOID) {
		json_object_object_add(object, "ret", value_json_return(value));
		add_return_text(object, value);
	}
	json_object_object_add(object, "latency_ns", json_object_new_uint64(event->latency_ns));
	return 0;
}

static int add_user_stack(struct json_object *object, struct kcatch_session *session,
			  const struct kcatch_event *event)
{
	struct json_object *stack;
	struct kcatch_frame frame;
	int32_t i;
	int ret;

	if (event->nr_user_frames < 0)
		return 0;
	stack = json_object_new_array();
	for (i = 0; i < event->nr_user_frames; i++) {
		ret = kcatch_session_user_frame(session, (uint32_t)i, &frame);
		if (ret) {
			json_object_put(stack);
			return ret;
		}
		json_object_array_add(stack, render_json_frame(&frame));
	}
	json_object_object_add(object, "user_stack", stack);
	return 0;
}

static void add_place_in_tree(struct json_object *object, const struct kcatch_event *event)
{
	json_object_object_add(object, "call", json_object_new_uint64(event->call));
	json_object_object_add(object, "parent", json_object_new_uint64(event->parent));
	json_object_object_add(object, "level", json_object_new_int64(event->level));
}

/* The members of a watchpoint's hit. */
static int add_watch(struct json_object *object, struct kcatch_session *session)
{
	struct kcatch_watch_hit hit;
	int ret = kcatch_session_watch_hit(session, &hit);

	if (ret)
		return ret;
	json_object_object_add(object, "size", json_object_new_int64(hit.size));
	json_object_object_add(object, "access", json_object_new_boolean(hit.access));
	json_object_object_add(object, "old", json_object_new_uint64(hit.old_value));
	json_object_object_add(object, "new", json_object_new_uint64(hit.new_value));
	json_object_object_add(object, "by", render_json_frame(&hit.by));
	return 0;
}

static void add_probe(struct json_object *object, const struct kcatch_probe *probe)
{
	char name[200];

	if (probe->function && probe->module && (probe->mechanism == KCATCH_BY_TRACEPOINT ||
						 probe->mechanism == KCATCH_BY_EVENT)) {
		snprintf(name, sizeof(name), "%s:%s", probe->module, probe->function);
		json_object_object_add(object, "event", string_of(name));
	}
	json_object_object_add(object,
			       probe->mechanism == KCATCH_BY_WATCH ? "variable" : "function",
			       probe->function ? string_of(probe->function) : NULL);
	if (probe->module)
		json_object_object_add(object, "module", string_of(probe->module));
	if (probe->offset)
		json_object_object_add(object, "offset", json_object_new_int64(probe->offset));
}

static int show_event(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		      const struct render_options *options)
{
	static const char *const contexts[] = {
		[KCATCH_IN_TASK] = "task", [KCATCH_IN_SOFTIRQ] = "softirq",
		[KCATCH_IN_HARDIRQ] = "hardirq", [KCATCH_IN_NMI] = "nmi",
	};
	const struct kcatch_probe *probe;
	struct json_object *object;
	int ret = kcatch_session_probe(session, event->probe, &probe);

	if (ret)
		return ret;
	object = json_object_new_object();
	add_probe(object, probe);
	json_object_object_add(object, "time_ns", json_object_new_int64((int64_t)event->time_ns));
	json_object_object_add(object, "cpu", json_object_new_int64(event->cpu));
	json_object_object_add(object, "pid", json_object_new_int64(event->pid));
	json_object_object_add(object, "tid", json_object_new_int64(event->tid));
	json_object_object_add(object, "comm", string_of(event->comm));
	/* A tracepoint's record has no context without a stack. */
	if (!event->is_event || event->stack != KCATCH_STACK_ABSENT) {
		json_object_object_add(object, "context",
				       json_object_new_string(contexts[event->context & 3]));
		json_object_object_add(object, "irqs_off",
				       json_object_new_boolean(event->irqs_off));
	}
	if (probe->mechanism == KCATCH_BY_WATCH)
		ret = add_watch(object, session);
	if (!ret && event->stack != KCATCH_STACK_ABSENT)
		ret = add_stack(object, session, event);
	if (!ret && (options->arguments || event->is_event))
		ret = add_args(object, session, event);
	if (!ret)
		ret = add_return(object, session, event);
	if (!ret)
		ret = add_user_stack(object, session, event);
	if (ret) {
		json_object_put(object);
		return ret;
	}
	if (options->groups)
		add_place_in_tree(object, event);
	print(out, object);
	return 0;
}

static void add_totals(struct json_object *object, const struct kcatch_totals *totals)
{
	json_object_object_add(object, "hits", json_object_new_int64((int64_t)totals->hits));
	json_object_object_add(object, "recorded",
			       json_object_new_int64((int64_t)totals->recorded));
	json_object_object_add(object, "filtered",
			       json_object_new_int64((int64_t)totals->filtered));
	json_object_object_add(object, "over_budget",
			       json_object_new_int64((int64_t)totals->over_budget));
	json_object_object_add(object, "missed", json_object_new_int64((int64_t)totals->missed));
	json_object_object_add(object, "lost", json_object_new_int64((int64_t)totals->lost));
	json_object_object_add(object, "no_slot", json_object_new_int64((int64_t)totals->no_slot));
	json_object_object_add(object, "return_lost",
			       json_object_new_int64((int64_t)totals->return_lost));
	json_object_object_add(object, "in_flight",
			       json_object_new_int64((int64_t)totals->in_flight));
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

static int show_summary(struct kcatch_session *session, const struct outcome *outcome,
			const struct render_options *options)
{
	struct json_object *top = json_object_new_object(), *summary = json_object_new_object();

	add_totals(summary, &outcome->totals);
	json_object_object_add(summary, "caught", json_object_new_int64((int64_t)outcome->shown));
	if (options->groups)
		json_object_object_add(summary, "calls",
				       json_object_new_int64((int64_t)outcome->events));
	json_object_object_add(summary, "asked", json_object_new_int64((int64_t)options->count));
	json_object_object_add(summary, "probes",
			       json_object_new_int64((int64_t)kcatch_session_nr_probes(session)));
	json_object_object_add(summary, "skipped",
			       json_object_new_int64((int64_t)kcatch_session_nr_skipped(session)));
	json_object_object_add(summary, "left_out",
			       json_object_new_int64((int64_t)kcatch_session_nr_left_out(session)));
	json_object_object_add(summary, "damaged",
			       json_object_new_int64((int64_t)kcatch_session_nr_damaged(session)));
	json_object_object_add(summary, "elapsed_ns",
			       json_object_new_int64((int64_t)outcome->elapsed_ns));
	json_object_object_add(summary, "end", json_object_new_string(outcome->end));
	if (options->verbose)
		json_object_object_add(summary, "per_probe", per_probe(session));
	json_object_object_add(top, "summary", summary);
	print(stdout, top);
	return 0;
}

const struct renderer render_json = { show_event, show_summary };
