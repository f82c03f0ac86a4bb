/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render_json.c - for programs: one object a line, as kcatch(1) describes
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "command.h"
#include "output.h"
#include "render.h"

#define FORM (JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

/* Any bytes become a JSON string; json-c escapes control characters itself. */
static struct json_object *string_of(const char *text)
{
	char out[2100];

	kcatch_text_utf8(text, strlen(text), out, sizeof(out));
	return json_object_new_string(out);
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

static struct json_object *frame_object(const struct kcatch_frame *frame)
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
		json_object_array_add(stack, frame_object(&frame));
	}
	json_object_object_add(object, "caller", caller);
	json_object_object_add(object, "stack", stack);
	json_object_object_add(object, "stack_complete",
			       json_object_new_boolean(event->stack == KCATCH_STACK_WHOLE));
	json_object_object_add(object, "stack_end", json_object_new_string(ends[event->stack & 3]));
	return 0;
}

static void print(struct json_object *object)
{
	fputs(json_object_to_json_string_ext(object, FORM), stdout);
	putchar('\n');
	json_object_put(object);
}

static void add_probe(struct json_object *object, const struct kcatch_probe *probe)
{
	json_object_object_add(object, "function", probe->function ? string_of(probe->function) : NULL);
	if (probe->module)
		json_object_object_add(object, "module", string_of(probe->module));
	if (probe->offset)
		json_object_object_add(object, "offset", json_object_new_int64(probe->offset));
}

static int show_event(struct kcatch_session *session, const struct kcatch_event *event,
		      const struct options *options)
{
	static const char *const contexts[] = {
		[KCATCH_IN_TASK] = "task", [KCATCH_IN_SOFTIRQ] = "softirq",
		[KCATCH_IN_HARDIRQ] = "hardirq", [KCATCH_IN_NMI] = "nmi",
	};
	const struct kcatch_probe *probe;
	struct json_object *object;
	int ret = kcatch_session_probe(session, event->probe, &probe);

	(void)options;
	if (ret)
		return ret;
	object = json_object_new_object();
	add_probe(object, probe);
	json_object_object_add(object, "time_ns", json_object_new_int64((int64_t)event->time_ns));
	json_object_object_add(object, "cpu", json_object_new_int64(event->cpu));
	json_object_object_add(object, "pid", json_object_new_int64(event->pid));
	json_object_object_add(object, "tid", json_object_new_int64(event->tid));
	json_object_object_add(object, "comm", string_of(event->comm));
	json_object_object_add(object, "context", json_object_new_string(contexts[event->context & 3]));
	json_object_object_add(object, "irqs_off", json_object_new_boolean(event->irqs_off));
	if (event->stack != KCATCH_STACK_ABSENT)
		ret = add_stack(object, session, event);
	if (ret) {
		json_object_put(object);
		return ret;
	}
	print(object);
	return 0;
}

static void add_totals(struct json_object *object, const struct kcatch_totals *totals)
{
	json_object_object_add(object, "hits", json_object_new_int64((int64_t)totals->hits));
	json_object_object_add(object, "recorded", json_object_new_int64((int64_t)totals->recorded));
	json_object_object_add(object, "filtered", json_object_new_int64((int64_t)totals->filtered));
	json_object_object_add(object, "over_budget", json_object_new_int64((int64_t)totals->over_budget));
	json_object_object_add(object, "missed", json_object_new_int64((int64_t)totals->missed));
	json_object_object_add(object, "lost", json_object_new_int64((int64_t)totals->lost));
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
			const struct options *options)
{
	struct json_object *top = json_object_new_object(), *summary = json_object_new_object();

	add_totals(summary, &outcome->totals);
	json_object_object_add(summary, "caught", json_object_new_int64((int64_t)outcome->shown));
	json_object_object_add(summary, "asked", json_object_new_int64((int64_t)options->request.budget));
	json_object_object_add(summary, "probes",
			       json_object_new_int64((int64_t)kcatch_session_nr_probes(session)));
	json_object_object_add(summary, "skipped",
			       json_object_new_int64((int64_t)kcatch_session_nr_skipped(session)));
	json_object_object_add(summary, "damaged",
			       json_object_new_int64((int64_t)kcatch_session_nr_damaged(session)));
	json_object_object_add(summary, "elapsed_ns", json_object_new_int64((int64_t)outcome->elapsed_ns));
	json_object_object_add(summary, "end", json_object_new_string(outcome->end));
	if (options->verbose)
		json_object_object_add(summary, "per_probe", per_probe(session));
	json_object_object_add(top, "summary", summary);
	print(top);
	return 0;
}

const struct renderer render_json = { show_event, show_summary };
