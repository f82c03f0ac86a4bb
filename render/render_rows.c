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

#include <kcatch_text.h>

#include "event_json.h"
#include "json_writer.h"
#include "put.h"
#include "render.h"
#include "render_rows.h"
#include "stack_texts.h"
#include "value_json.h"
#include "value_text.h"

#define NAME_ROOM 700	/* bytes: a symbol has up to 511, a module 63, an offset 11 */

static void put_word(struct json_writer *json, const char *text)
{
	json_put_string(json, text, strlen(text));
}

static void put_word_or_null(struct json_writer *json, const char *text)
{
	if (text && *text)
		put_word(json, text);
	else
		json_put_null(json);
}

/* What tells a row from all others, and when it was. */
static int put_origin(struct json_writer *json, struct kcatch_session *session, const char *row,
		      uint64_t unix_ns, uint64_t sequence)
{
	const struct kcatch_origin *origin;
	int ret = kcatch_session_origin(session, &origin);

	if (ret)
		return ret;
	JSON_PUT_NAME(json, "row");
	put_word(json, row);
	JSON_PUT_NAME(json, "time_unix_ns");
	if (unix_ns)
		json_put_number(json, unix_ns);
	else
		json_put_null(json);
	JSON_PUT_NAME(json, "host");
	put_word_or_null(json, origin->host);
	JSON_PUT_NAME(json, "boot_id");
	put_word_or_null(json, origin->boot_id);
	JSON_PUT_NAME(json, "session");
	put_word_or_null(json, origin->session);
	JSON_PUT_NAME(json, "sequence");
	json_put_number(json, sequence);
	JSON_PUT_NAME(json, "kernel");
	put_word_or_null(json, origin->release);
	return 0;
}

/* "function", "module" and "event": a call has the first, an event the last. */
static void put_probe(struct json_writer *json, const struct kcatch_probe *probe)
{
	bool event = probe && (probe->mechanism == KCATCH_BY_TRACEPOINT ||
			       probe->mechanism == KCATCH_BY_EVENT);
	const char *function = probe && !event ? probe->function : NULL;
	char name[NAME_ROOM];

	JSON_PUT_NAME(json, "function");
	if (function && probe->offset) {
		snprintf(name, sizeof(name), "%s+0x%x", function, probe->offset);
		function = name;
	}
	if (function && probe->which) {
		snprintf(name, sizeof(name), "%s%s", probe->function, probe->which);
		function = name;
	}
	put_word_or_null(json, function);
	JSON_PUT_NAME(json, "module");
	put_word_or_null(json, probe && !event ? probe->module : NULL);
	JSON_PUT_NAME(json, "event");
	if (event)
		snprintf(name, sizeof(name), "%s%s%s", probe->module ? probe->module : "",
			 probe->module ? ":" : "", probe->function ? probe->function : "?");
	put_word_or_null(json, event ? name : NULL);
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
	put_word(json, symbol);
}

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
	if (event->nr_frames)
		put_frame(json, &frame);
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
	if (value_text_stack_mark(event->stack))
		put_word(json, value_text_stack_mark(event->stack));
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

/* "ret", "ret_text", "latency_ns": null if the return was not seen. */
static int put_return(struct json_writer *json, struct kcatch_session *session,
		      const struct kcatch_event *event)
{
	const struct kcatch_value *value = NULL;
	bool seen = event->returned == KCATCH_RETURN_SEEN;
	int ret = seen ? kcatch_session_return_value(session, &value) : 0;

	if (ret)
		return ret;
	JSON_PUT_NAME(json, "ret");
	if (value && is_number(value))
		json_put_signed(json, (int64_t)value->number);
	else
		json_put_null(json);
	if (!value || !event_json_return_text(json, value)) {
		JSON_PUT_NAME(json, "ret_text");
		json_put_null(json);
	}
	JSON_PUT_NAME(json, "latency_ns");
	if (seen)
		json_put_number(json, event->latency_ns);
	else
		json_put_null(json);
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
	JSON_PUT_NAME(json, "args");
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
	JSON_PUT_NAME(json, "pid");
	json_put_number(json, event->pid);
	JSON_PUT_NAME(json, "tid");
	json_put_number(json, event->tid);
	JSON_PUT_NAME(json, "comm");
	put_word(json, event->comm);
	JSON_PUT_NAME(json, "cpu");
	json_put_number(json, event->cpu);
	JSON_PUT_NAME(json, "context");
	/* A tracepoint's record has no context without a stack. */
	put_word_or_null(json, event->is_event && event->stack == KCATCH_STACK_ABSENT ?
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

static int write_row(FILE *out, const struct json_writer *json, int ret)
{
	if (!ret && json->failed)
		ret = kcatch_error_memory();
	if (ret)
		return ret;
	put_bytes(out, json->text, json->length);
	put_char(out, '\n');
	return 0;
}

int rows_event(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
	       uint64_t sequence)
{
	json_writer_reset(&line);
	return write_row(out, &line, put_event(&line, session, event, sequence));
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
#define TERM(term, words, help) { #term, totals->term },
	const struct { const char *name; uint64_t number; } terms[] = {
		{ "hits", totals->hits }, KCATCH_COUNTERS(TERM)
		{ "damaged", about->damaged }, { "forgotten", about->forgotten },
		{ "unarmed", about->unarmed }, { "disarmed", about->disarmed },
		{ "died", about->died },
		{ "missing", about->missing }, { "discarded", about->discarded },
	};
#undef TERM
	size_t i;

	for (i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		json_put_name(json, terms[i].name, strlen(terms[i].name));
		json_put_number(json, terms[i].number);
	}
	JSON_PUT_NAME(json, "final");
	json_put_bool(json, about->final);
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
	JSON_PUT_NAME(&json, "scope");
	put_word(&json, about->scope);
	JSON_PUT_NAME(&json, "cpu");
	if (about->cpu < 0)
		json_put_null(&json);
	else
		json_put_signed(&json, about->cpu);
	put_probe(&json, about->probe);
	put_counters(&json, totals, about);
	json_put_end(&json);
	return write_row(rows->out, &json, 0);
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
