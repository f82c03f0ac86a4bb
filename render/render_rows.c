/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render_rows.c - an event, and the counters, as flat rows for databases: kcatch-rows(5)
 *
 * Every row has every member of its kind, so a table needs no schema that grows with the data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <kcatch_json.h>
#include <kcatch_text.h>

#include "event_json.h"
#include "render.h"
#include "render_rows.h"
#include "stack_texts.h"
#include "value_json.h"
#include "value_text.h"

#define NAME_ROOM 700	/* bytes: a symbol has up to 511, a module 63, an offset 11 */

/* Null if there is none, or an empty one. */
static void add_word(struct json_writer *json, const char *name, const char *text)
{
	json_add_word(json, name, text && *text ? text : NULL);
}

/* What tells a row from all others, and when it was. */
static int put_origin(struct json_writer *json, struct kcatch_session *session, const char *row,
		      uint64_t unix_ns, uint64_t sequence)
{
	const struct kcatch_origin *origin;
	int ret = kcatch_session_origin(session, &origin);

	if (ret)
		return ret;
	json_add_word(json, "row", row);
	if (unix_ns)
		json_add_number(json, "time_unix_ns", unix_ns);
	else
		json_add_null(json, "time_unix_ns");
	add_word(json, "host", origin->host);
	add_word(json, "boot_id", origin->boot_id);
	add_word(json, "session", origin->session);
	json_add_number(json, "sequence", sequence);
	add_word(json, "kernel", origin->release);
	add_word(json, "arch", origin->arch);
	return 0;
}

/* "function", "module" and "event": a call has the first, an event the last. */
static void put_probe(struct json_writer *json, const struct kcatch_probe *probe)
{
	bool event = probe && (probe->mechanism == KCATCH_BY_TRACEPOINT ||
			       probe->mechanism == KCATCH_BY_EVENT);
	const char *function = probe && !event ? probe->function : NULL;
	char name[NAME_ROOM];

	if (function && probe->offset) {
		snprintf(name, sizeof(name), "%s+0x%x", function, probe->offset);
		function = name;
	}
	if (function && probe->which) {
		snprintf(name, sizeof(name), "%s%s", probe->function, probe->which);
		function = name;
	}
	add_word(json, "function", function);
	add_word(json, "module", probe && !event ? probe->module : NULL);
	if (event)
		snprintf(name, sizeof(name), "%s%s%s", probe->module ? probe->module : "",
			 probe->module ? ":" : "", probe->function ? probe->function : "?");
	add_word(json, "event", event ? name : NULL);
}

/* ---- events ------------------------------------------------------------------------ */

static void put_frame(struct json_writer *json, const struct kcatch_frame *frame)
{
	const char *symbol = frame->self ? "[kcatch]" : frame->symbol ? frame->symbol : "[unknown]";
	char name[NAME_ROOM];

	if (frame->module && !frame->self) {
		snprintf(name, sizeof(name), "%s [%s]", symbol, frame->module);
		symbol = name;
	}
	json_put_word(json, symbol);
}

static int put_frames(struct json_writer *json, struct kcatch_session *session,
		      const struct kcatch_event *event)
{
	struct kcatch_frame frame;
	uint32_t i;
	int ret = 0;

	json_add(json, "caller");
	if (event->nr_frames)
		ret = kcatch_session_frame(session, 0, &frame);
	if (ret)
		return ret;
	if (event->nr_frames)
		put_frame(json, &frame);
	else
		json_put_null(json);
	json_add_begin(json, "stack", false);
	for (i = 0; i < event->nr_frames; i++) {
		ret = kcatch_session_frame(session, i, &frame);
		if (ret)
			return ret;
		put_frame(json, &frame);
	}
	if (value_text_stack_mark(event->stack))
		json_put_word(json, value_text_stack_mark(event->stack));
	json_put_end(json);
	return 0;
}

static bool is_number(const struct kcatch_value *value)
{
	if (value_hides_number(value))
		return false;
	return value->is_error || value->kind == KCATCH_VALUE_INTEGER ||
	       value->kind == KCATCH_VALUE_BOOL || value->kind == KCATCH_VALUE_ENUM ||
	       (value->kind == KCATCH_VALUE_POINTER && !value->number);
}

/* "ret", "ret_text", "latency_ns" and its parts: null if the return was not seen. The second event
 * of a pair has a latency. */
static int put_return(struct json_writer *json, struct kcatch_session *session,
		      const struct kcatch_event *event)
{
	const struct kcatch_value *value = NULL;
	bool seen = event->returned == KCATCH_RETURN_SEEN;
	int ret = seen ? kcatch_session_return_value(session, &value) : 0;

	if (ret)
		return ret;
	if (value && is_number(value))
		json_add_signed(json, "ret", (int64_t)value->number);
	else
		json_add_null(json, "ret");
	if (!value || !event_json_return_text(json, value))
		json_add_null(json, "ret_text");
	if (seen || event->first)
		json_add_number(json, "latency_ns", event->latency_ns);
	else
		json_add_null(json, "latency_ns");
	event_json_off_cpu(json, event);
	return 0;
}

/* What a thread keeps from event to event: the room for one, and the stacks. */
static __thread struct json_writer line, arguments;
static __thread struct stack_texts stacks;

void render_rows_forget(void)
{
	json_writer_deinit(&line);
	json_writer_deinit(&arguments);
	stack_texts_deinit(&stacks);
}

/* The arguments as a text that is JSON: their names differ from function to function. */
static int put_args(struct json_writer *json, struct kcatch_session *session,
		    const struct kcatch_event *event)
{
	int ret;

	json_writer_reset(&arguments);
	ret = event_json_args(&arguments, session, event);
	if (!ret && arguments.failed)
		ret = kcatch_error_memory();
	if (ret)
		return ret;
	json_add(json, "args");
	json_put_string(json, arguments.text, arguments.length);
	ret = event_json_marks(json, session, event, VALUE_CUT, true);
	if (!ret)
		ret = event_json_marks(json, session, event, VALUE_UNREADABLE, true);
	if (!ret)
		ret = event_json_marks(json, session, event, VALUE_LATE, true);
	return ret ? ret : event_json_marks(json, session, event, VALUE_BYTES, true);
}

static int put_event(struct json_writer *json, struct kcatch_session *session,
		     const struct kcatch_event *event, uint64_t sequence)
{
	const struct kcatch_probe *probe;
	int ret = kcatch_session_probe(session, event->probe, &probe);

	if (ret)
		return ret;
	json_put_begin(json, true);
	ret = put_origin(json, session, "event", kcatch_session_realtime(session, event->time_ns),
			 sequence);
	if (ret)
		return ret;
	ret = event_json_cgroup(json, session, event);
	if (ret)
		return ret;
	json_add_number(json, "pid", event->pid);
	json_add_number(json, "tid", event->tid);
	json_add_word(json, "comm", event->comm);
	json_add_number(json, "cpu", event->cpu);
	/* A tracepoint's record has no context without a stack. */
	json_add_word(json, "context", event->is_event && event->stack == KCATCH_STACK_ABSENT ?
		      NULL : event_json_context(event));
	put_probe(json, probe);
	ret = event_json_stack(json, session, event, &stacks, put_frames);
	if (!ret)
		ret = put_return(json, session, event);
	if (!ret)
		ret = put_args(json, session, event);
	json_put_end(json);
	return ret;
}

int rows_event(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
	       uint64_t sequence)
{
	int ret;

	json_writer_reset(&line);
	ret = put_event(&line, session, event, sequence);
	return ret ? ret : json_print(&line, out, "\n");
}

/* ---- counters ------------------------------------------------------------------------ */

/* What a row of counters is about: @probe, @cpu if it is not negative, or all. */
struct about {
	const char *scope;
	const struct kcatch_probe *probe;
	int64_t cpu;
	uint64_t damaged, forgotten, unarmed, disarmed, died, missing, discarded;
	bool final;
};

static void put_counters(struct json_writer *json, const struct kcatch_totals *totals,
			 const struct about *about)
{
	json_add_number(json, "hits", totals->hits);
#define PUT(name, words, help) json_add_number(json, #name, totals->name);
	KCATCH_COUNTERS(PUT)
#undef PUT
	json_add_number(json, "damaged", about->damaged);
	json_add_number(json, "forgotten", about->forgotten);
	json_add_number(json, "unarmed", about->unarmed);
	json_add_number(json, "disarmed", about->disarmed);
	json_add_number(json, "died", about->died);
	json_add_number(json, "missing", about->missing);
	json_add_number(json, "discarded", about->discarded);
	json_add_bool(json, "final", about->final);
}

static int write_counters(struct rows *rows, struct kcatch_session *session,
			  const struct kcatch_totals *totals, const struct about *about)
{
	static struct json_writer json;
	int ret;

	json_writer_reset(&json);
	json_put_begin(&json, true);
	ret = put_origin(&json, session, "losses", rows->unix_ns, ++rows->sequence);
	if (ret)
		return ret;
	json_add_word(&json, "scope", about->scope);
	if (about->cpu < 0)
		json_add_null(&json, "cpu");
	else
		json_add_signed(&json, "cpu", about->cpu);
	put_probe(&json, about->probe);
	put_counters(&json, totals, about);
	json_put_end(&json);
	return json_print(&json, rows->out, "\n");
}

/* @all: what the files lack of all CPUs is added to it */
static int write_cpus(struct rows *rows, struct kcatch_session *session, struct about *all)
{
	const struct kcatch_origin *origin;
	struct kcatch_totals totals;
	uint32_t cpu;
	int ret = kcatch_session_origin(session, &origin);

	for (cpu = 0; !ret && cpu < origin->nr_cpus; cpu++) {
		struct about about = { .scope = "cpu", .cpu = cpu, .final = rows->final };

		about.missing = kcatch_recording_cpu_missing(session, cpu);
		about.discarded = kcatch_recording_cpu_discarded(session, cpu);
		all->missing += about.missing;
		all->discarded += about.discarded;
		ret = kcatch_session_cpu_totals(session, cpu, &totals);
		if (!ret && (totals.hits || about.discarded))
			ret = write_counters(rows, session, &totals, &about);
	}
	return ret;
}

static int write_probes(struct rows *rows, struct kcatch_session *session)
{
	size_t i, count = kcatch_session_nr_probes(session);
	struct kcatch_totals totals;
	int ret = 0;

	for (i = 0; !ret && i < count; i++) {
		struct about about = { .scope = "probe", .cpu = -1, .final = rows->final };

		/* A recording may lack a probe's description: its CPUs have its counters. */
		if (kcatch_session_probe(session, (uint32_t)i, &about.probe))
			continue;
		ret = kcatch_session_probe_totals(session, (uint32_t)i, &totals);
		if (!ret && totals.hits)
			ret = write_counters(rows, session, &totals, &about);
	}
	return ret;
}

int rows_counters(struct rows *rows, struct kcatch_session *session)
{
	struct about about = { .scope = "session", .cpu = -1, .final = rows->final };
	struct kcatch_totals totals;
	int ret = kcatch_session_totals(session, &totals);

	if (!ret)
		ret = write_probes(rows, session);
	if (!ret)
		ret = write_cpus(rows, session, &about);
	about.damaged = kcatch_session_nr_damaged(session);
	about.forgotten = kcatch_session_nr_forgotten(session);
	about.unarmed = kcatch_session_nr_unarmed(session);
	about.disarmed = kcatch_session_nr_disarmed(session);
	about.died = kcatch_session_nr_died(session);
	return ret ? ret : write_counters(rows, session, &totals, &about);
}

/* ---- of a live session ---------------------------------------------------------------- */

static struct rows live = { .out = NULL };

static int show_event(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		      const struct render_options *options)
{
	static uint64_t sequence;

	(void)options;
	return rows_event(out, session, event, ++sequence);
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int show_counters(struct kcatch_session *session, bool final)
{
	live.out = stdout;
	live.unix_ns = now_ns(CLOCK_REALTIME);
	live.final = final;
	return rows_counters(&live, session);
}

static int show_summary(struct kcatch_session *session, const struct outcome *outcome,
			const struct render_options *options)
{
	(void)options;
	return show_counters(session, !outcome->unstopped);
}

static int show_progress(struct kcatch_session *session)
{
	static uint64_t due_ns;
	uint64_t now = now_ns(CLOCK_MONOTONIC);

	if (now < due_ns)
		return 0;
	due_ns = now + ROWS_COUNTERS_NS;
	return show_counters(session, false);
}

const struct renderer render_rows = { show_event, show_summary, show_progress };
