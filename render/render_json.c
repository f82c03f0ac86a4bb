/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render_json.c - an event as JSON: one object per line, as kcatch(1) describes
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_json.h>
#include <kcatch_text.h>

#include "event_json.h"
#include "render.h"
#include "stack_texts.h"
#include "value_json.h"
#include "value_text.h"

#define NAME_ROOM 700	/* bytes of SYSTEM:NAME in any recording */

/* What a thread keeps from event to event: the room for one, and the stacks. */
static __thread struct json_writer line;
static __thread struct stack_texts stacks;

void render_json_forget(void)
{
	json_writer_deinit(&line);
	stack_texts_deinit(&stacks);
}

static void put_address(struct json_writer *json, uint64_t address)
{
	static __thread int restricted = -1;

	if (restricted < 0)
		restricted = kcatch_machine_hides_addresses();
	if (restricted)
		return;
	json_add(json, "address");
	value_json_address(json, address);
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
	json_add(json, "build_id");
	json_put_string(json, text, 2 * frame->build_id_size);
}

void render_json_frame(struct json_writer *json, const struct kcatch_frame *frame)
{
	json_put_begin(json, true);
	json_add_word(json, "symbol", frame->self ? "[kcatch]" : frame->symbol);
	json_add_number(json, "offset", frame->self ? 0 : frame->offset);
	if (frame->self || frame->hooked) {
		json_put_end(json);
		return;
	}
	put_address(json, frame->address);
	if (frame->module)
		json_add_word(json, "module", frame->module);
	put_build_id(json, frame);
	if (frame->file)
		json_add_word(json, "file", frame->file);
	if (frame->file && frame->line)
		json_add_number(json, "line", frame->line);
	if (frame->inlined)
		json_add_bool(json, "inlined", true);
	if (frame->interrupted)
		json_add_bool(json, "interrupted", true);
	json_put_end(json);
}

/* The members that say of the stack. */
static int put_frames(struct json_writer *json, struct kcatch_session *session,
		      const struct kcatch_event *event)
{
	struct kcatch_frame frame;
	uint32_t i;
	int ret = 0;

	if (event->nr_frames)
		ret = kcatch_session_frame(session, 0, &frame);
	if (ret)
		return ret;
	if (event->returned != KCATCH_RETURN_UNDER_WAY)
		json_add_word(json, "caller",
			      !event->nr_frames ? NULL :
			      frame.self        ? "[kcatch]" :
						  frame.symbol);
	json_add_begin(json, "stack", false);
	for (i = 0; i < event->nr_frames; i++) {
		ret = kcatch_session_frame(session, i, &frame);
		if (ret)
			return ret;
		render_json_frame(json, &frame);
	}
	json_put_end(json);
	json_add_bool(json, "stack_complete", event->stack == KCATCH_STACK_WHOLE);
	json_add_word(json, "stack_end", value_json_stack_end(event->stack));
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
		if (!any)
			json_add_begin(json, "args_at_return", true);
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

	json_add(json, "args");
	ret = event_json_args(json, session, event);
	if (ret)
		return ret;
	if (!event->typed)
		json_add_bool(json, "typed", false);
	ret = event_json_names(json, session, event);
	if (!ret)
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
		json_add(json, "ret_value");
		value_json(json, value);
	}
}

static void put_lasting(struct json_writer *json, const struct kcatch_event *event,
			const struct render_options *options)
{
	json_add_number(json, "lasted_ns", event->latency_ns);
	event_json_off_cpu(json, event);
	if (event->off_cpu_known)
		json_add_number(json, "away_ns", event->away_ns);
	if (options->waits)
		json_add_word(json, "waits_for", options->waits);
}

static int put_return(struct json_writer *json, struct kcatch_session *session,
		      const struct kcatch_event *event, const struct render_options *options)
{
	static const char *const states[] = {
		[KCATCH_RETURN_PENDING] = "pending", [KCATCH_RETURN_NO_SLOT] = "no_slot",
		[KCATCH_RETURN_LOST] = "lost", [KCATCH_RETURN_FORGOTTEN] = "forgotten",
		[KCATCH_RETURN_UNDER_WAY] = "under_way",
	};
	const struct kcatch_value *value;
	int ret;

	if (event->first) {
		json_add_word(json, "first", event->first);
		json_add_number(json, "latency_ns", event->latency_ns);
	}
	if (event->returned == KCATCH_RETURN_NOT_ASKED)
		return 0;
	if (event->returned != KCATCH_RETURN_SEEN) {
		json_add_word(json, "returned", states[event->returned]);
		if (event->returned == KCATCH_RETURN_UNDER_WAY)
			put_lasting(json, event, options);
		return 0;
	}
	ret = kcatch_session_return_value(session, &value);
	if (ret)
		return ret;
	if (value->kind != KCATCH_VALUE_VOID) {
		json_add(json, "ret");
		value_json_return(json, value);
		put_return_text(json, value);
	}
	json_add_number(json, "latency_ns", event->latency_ns);
	event_json_off_cpu(json, event);
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
	json_add_begin(json, "user_stack", false);
	for (i = 0; i < event->nr_user_frames; i++) {
		ret = kcatch_session_user_frame(session, (uint32_t)i, &frame);
		if (ret)
			return ret;
		render_json_frame(json, &frame);
	}
	json_put_end(json);
	if (event->nr_user_frames)
		json_add_word(json, "user_stack_end", value_json_stack_end(frame.end));
	return 0;
}

static void put_place_in_tree(struct json_writer *json, const struct kcatch_event *event)
{
	json_add_number(json, "call", event->call);
	json_add_number(json, "parent", event->parent);
	json_add_number(json, "level", event->level);
}

/* The value of a variable, which may be a pointer. */
static void put_watched(struct json_writer *json, uint64_t value)
{
	if (value_is_hidden(value))
		json_put_null(json);
	else
		value_json_number(json, value, false);
}

/* The members of a watchpoint's hit. */
static int put_watch(struct json_writer *json, struct kcatch_session *session)
{
	struct kcatch_watch_hit hit;
	int ret = kcatch_session_watch_hit(session, &hit);

	if (ret)
		return ret;
	json_add_number(json, "size", hit.size);
	json_add_bool(json, "access", hit.access);
	json_add(json, "old");
	put_watched(json, hit.old_value);
	json_add(json, "new");
	put_watched(json, hit.new_value);
	json_add(json, "by");
	render_json_frame(json, &hit.by);
	return 0;
}

static void put_probe(struct json_writer *json, const struct kcatch_probe *probe)
{
	char name[NAME_ROOM];

	if (probe->function && probe->module && (probe->mechanism == KCATCH_BY_TRACEPOINT ||
						 probe->mechanism == KCATCH_BY_EVENT)) {
		snprintf(name, sizeof(name), "%s:%s", probe->module, probe->function);
		json_add_word(json, "event", name);
	}
	json_add_word(json, probe->mechanism == KCATCH_BY_WATCH ? "variable" : "function",
		      probe->function);
	if (probe->which)
		json_add_word(json, "which", probe->which + (*probe->which == '@'));
	if (probe->module)
		json_add_word(json, "module", probe->module);
	if (probe->offset)
		json_add_number(json, "offset", probe->offset);
}

static void put_head(struct json_writer *json, const struct kcatch_event *event)
{
	json_add_signed(json, "time_ns", (int64_t)event->time_ns);
	json_add_number(json, "cpu", event->cpu);
	json_add_number(json, "pid", event->pid);
	json_add_number(json, "tid", event->tid);
	json_add_word(json, "comm", event->comm);
	/* A tracepoint's record has no context without a stack. */
	if (!event->is_event || event->stack != KCATCH_STACK_ABSENT) {
		json_add_word(json, "context", event_json_context(event));
		json_add_bool(json, "irqs_off", event->irqs_off);
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
	/* Of a call that is under way the stack is that of another moment, and of no caller. */
	if (!ret && event->returned == KCATCH_RETURN_UNDER_WAY)
		ret = event->nr_frames ? put_frames(json, session, event) : 0;
	else if (!ret && event->stack != KCATCH_STACK_ABSENT)
		ret = event_json_stack(json, session, event, &stacks, put_frames);
	if (!ret && probe->mechanism != KCATCH_BY_WATCH)
		ret = put_args(json, session, event);
	if (!ret)
		ret = put_return(json, session, event, options);
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
	return ret ? ret : json_print(&line, out, "\n");
}

/* ---- the summary ------------------------------------------------------------------- */

static void put_totals(struct json_writer *json, const struct kcatch_totals *totals)
{
	json_add_number(json, "hits", totals->hits);
#define PUT(name, words, help) json_add_number(json, #name, totals->name);
	KCATCH_COUNTERS(PUT)
#undef PUT
}

static void put_per_probe(struct json_writer *json, struct kcatch_session *session)
{
	size_t count = kcatch_session_nr_probes(session), i;

	json_add_begin(json, "per_probe", false);
	for (i = 0; i < count; i++) {
		const struct kcatch_probe *probe;
		struct kcatch_totals totals;

		if (kcatch_session_probe(session, (uint32_t)i, &probe) ||
		    kcatch_session_probe_totals(session, (uint32_t)i, &totals))
			continue;
		json_put_begin(json, true);
		put_probe(json, probe);
		json_add_word(json, "mechanism", kcatch_mechanism_name(probe->mechanism));
		put_totals(json, &totals);
		json_put_end(json);
	}
	json_put_end(json);
}

/* What came to the rings or files, and is not shown. */
static void put_losses(struct json_writer *json, struct kcatch_session *session,
		       const struct outcome *outcome)
{
	json_add_number(json, "damaged", kcatch_session_nr_damaged(session));
	json_add_number(json, "forgotten", kcatch_session_nr_forgotten(session));
	json_add_number(json, "unarmed", kcatch_session_nr_unarmed(session));
	json_add_number(json, "disarmed", kcatch_session_nr_disarmed(session));
	json_add_number(json, "died", kcatch_session_nr_died(session));
	if (!kcatch_session_recording(session))
		return;
	json_add_number(json, "missing", outcome->missing);
	json_add_number(json, "discarded", outcome->discarded);
}

static int show_summary(struct kcatch_session *session, const struct outcome *outcome,
			const struct render_options *options)
{
	json_writer_reset(&line);
	json_put_begin(&line, true);
	json_add_begin(&line, "summary", true);
	put_totals(&line, &outcome->totals);
	if (outcome->pairs)
		event_json_pairs(&line, outcome->pairs);
	json_add_number(&line, "caught", outcome->shown);
	if (options->groups)
		json_add_number(&line, "calls", outcome->events);
	json_add_number(&line, "asked", options->count);
	json_add_number(&line, "probes", kcatch_session_nr_probes(session));
	json_add_number(&line, "skipped", kcatch_session_nr_skipped(session));
	json_add_number(&line, "left_out", kcatch_session_nr_left_out(session));
	put_losses(&line, session, outcome);
	json_add_number(&line, "elapsed_ns", outcome->elapsed_ns);
	json_add_word(&line, "end", outcome->end);
	json_add_bool(&line, "final", !outcome->unstopped);
	if (options->verbose)
		put_per_probe(&line, session);
	json_put_end(&line);
	json_put_end(&line);
	return json_print(&line, stdout, "\n");
}

const struct renderer render_json = { show_event, show_summary, NULL };
