/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render_text.c - an event as text
 *
 *	vfs_read  cat  pid 4711  cpu 1  time 123.456789012  returned 1024 after 12.31 us
 *	  called by ksys_read
 *	  with file=/etc/passwd buf=0x7ffd count=4096 *pos=0
 *	  changed buf: "root:x:0:0"... *pos: 0 => 1024
 *	    ksys_read+0x5f  fs/read_write.c:612
 *	    do_syscall_64+0x58
 *	    ext4_readdir+0x12 [ext4]
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <kcatch_text.h>

#include "message.h"
#include "line.h"
#include "losses.h"
#include "put.h"
#include "row.h"
#include "stack_texts.h"
#include "stdout.h"
#include "render.h"
#include "value_text.h"

#define PROBES_LISTED 60	/* with more probes, -v lists only those that were hit */
#define STRUCT_LINES 2	/* lines of one struct, without -v and --deep */
#define ARGUMENTS_MIN 16	/* least columns of a call's arguments, on any terminal */

const struct colours *render_colours(void)
{
	static const struct colours none = { "", "", "", "", "" };
	static const struct colours some = { "\x1b[1;36m", "\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[0m" };
	static __thread const struct colours *chosen;

	if (!chosen)
		chosen = stdout_has_colours() ? &some : &none;
	return chosen;
}

static void print_escaped(FILE *out, const char *text)
{
	value_text_escaped(out, text, strlen(text), false);
}

static void line_function(struct line *line, const struct kcatch_probe *probe)
{
	char address[VALUE_ADDRESS_ROOM];

	if (probe->function)
		value_text_in_line(line, probe->function);
	else
		line_text(line, value_text_address(probe->address, address, sizeof(address)));
	if (probe->which)
		line_text(line, probe->which);
	if (probe->offset) {
		line_flush(line);
		fprintf(line->out, "+0x%x", probe->offset);
	}
	if (probe->module) {
		line_text(line, " [");
		value_text_in_line(line, probe->module);
		line_text(line, "]");
	}
}

void render_function(FILE *out, const struct kcatch_probe *probe)
{
	struct line line;

	line_begin(&line, out);
	line_function(&line, probe);
	line_flush(&line);
}

static void line_time(struct line *line, const struct kcatch_session *session, uint64_t ns,
		      const struct render_options *options)
{
	uint64_t wall = options->wall ? kcatch_session_realtime(session, ns) : 0;
	time_t seconds = (time_t)(wall / 1000000000);
	char text[32];
	struct tm date;

	if (!wall || !gmtime_r(&seconds, &date)) {
		line_seconds(line, ns);
		return;
	}
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S.", &date);
	line_text(line, text);
	line_flush(line);
	put_padded(line->out, wall % 1000000000, 9);
	line_text(line, "Z");
}

void render_time(FILE *out, const struct kcatch_session *session, uint64_t ns,
		 const struct render_options *options)
{
	struct line line;

	line_begin(&line, out);
	line_time(&line, session, ns, options);
	line_flush(&line);
}

static void line_head(struct line *line, struct kcatch_session *session,
		      const struct kcatch_event *event, const struct kcatch_probe *probe,
		      const struct render_options *options)
{
	static const char *const contexts[] = {
		[KCATCH_IN_TASK] = "", [KCATCH_IN_SOFTIRQ] = "  in softirq",
		[KCATCH_IN_HARDIRQ] = "  in irq", [KCATCH_IN_NMI] = "  in NMI",
	};
	const struct colours *c = render_colours();
	const char *path;

	line_text(line, c->head);
	line_function(line, probe);
	line_text(line, c->off);
	line_text(line, "  ");
	line_text(line, c->name);
	value_text_in_line(line, event->comm);
	line_text(line, c->off);
	line_text(line, "  pid ");
	line_number(line, event->pid);
	if (event->tid != event->pid) {
		line_text(line, "/");
		line_number(line, event->tid);
	}
	if (event->cgroup && !kcatch_session_cgroup(session, event->cgroup, &path)) {
		line_text(line, "  cgroup ");
		value_text_in_line(line, path);
	}
	line_text(line, "  cpu ");
	line_number(line, event->cpu);
	line_text(line, "  time ");
	line_time(line, session, event->time_ns, options);
	line_text(line, contexts[event->context & 3]);
	line_text(line, event->irqs_off ? "  irqs off" : "");
}

void render_head(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		 const struct kcatch_probe *probe, const struct render_options *options)
{
	struct line line;

	line_begin(&line, out);
	line_head(&line, session, event, probe, options);
	line_text(&line, "\n");
	line_flush(&line);
}

static void print_place(FILE *out, const struct kcatch_frame *frame)
{
	if (!frame->file)
		return;
	put_text(out, "  ");
	print_escaped(out, frame->file);
	if (frame->line)
		fprintf(out, ":%u", frame->line);
}

void render_frame(FILE *out, const struct kcatch_frame *frame)
{
	const struct colours *c = render_colours();

	put_text(out, "    ");
	if (frame->self) {
		fprintf(out, "%s[kcatch]%s  (kcatch's own work was interrupted here)\n", c->dim,
			c->off);
		return;
	}
	if (frame->symbol) {
		print_escaped(out, frame->symbol);
		if (!frame->inlined && !frame->hooked) {
			put_text(out, c->dim);
			put_char(out, '+');
			put_hex(out, frame->offset);
			put_text(out, c->off);
		}
	} else if (value_is_hidden(frame->address)) {
		put_text(out, "<hidden>");
	} else {
		fprintf(out, "0x%016" PRIx64, frame->address);
	}
	if (frame->module) {
		fprintf(out, " %s[", c->dim);
		print_escaped(out, frame->module);
		/* The address is another one each time that a program runs. */
		if (!frame->symbol && frame->offset)
			fprintf(out, "+0x%" PRIx32, frame->offset);
		fprintf(out, "]%s", c->off);
	}
	put_text(out, c->dim);
	print_place(out, frame);
	put_text(out, c->off);
	if (frame->inlined)
		fprintf(out, "  %s(inlined)%s", c->dim, c->off);
	if (frame->interrupted)
		fprintf(out, "  %s(interrupted)%s", c->dim, c->off);
	put_char(out, '\n');
}

void render_user_end(FILE *out, const struct kcatch_frame *last)
{
	const struct colours *c = render_colours();

	if (last->end == KCATCH_STACK_CUT)
		fprintf(out, "    %s... cut: deeper than the bytes that were taken, or 128 calls%s\n",
			c->warn, c->off);
	else if (last->end == KCATCH_STACK_LOST_TRACK)
		fprintf(out, "    %s... the unwinder gave up here%s\n", c->warn, c->off);
}

static int print_user_stack(FILE *out, struct kcatch_session *session,
			    const struct kcatch_event *event)
{
	const struct colours *c = render_colours();
	struct kcatch_frame frame;
	bool strange = false;
	int32_t i;
	int ret;

	if (event->nr_user_frames < 0)
		return 0;
	fprintf(out, "  %suser stack:%s\n", c->dim, c->off);
	if (!event->nr_user_frames)
		fprintf(out, "    %snone: no user code, or its stack could not be read%s\n",
			c->warn, c->off);
	for (i = 0; i < event->nr_user_frames; i++) {
		ret = kcatch_session_user_frame(session, (uint32_t)i, &frame);
		if (ret)
			return ret;
		strange |= !frame.symbol && !frame.module;
		render_frame(out, &frame);
	}
	if (strange && event->nr_user_frames > 1)
		fprintf(out,
			"    %s... frames without a file: code made at run time (JIT), whose names "
			"the process has not written to /tmp/perf-PID.map%s\n",
			c->warn, c->off);
	if (event->nr_user_frames == 1 && !frame.symbol && !frame.module)
		fprintf(out, "    %s... frames without names: what the process had mapped could not be "
			"read at the hit, and it has ended, or is not seen from here%s\n",
			c->warn, c->off);
	else if (event->nr_user_frames)
		render_user_end(out, &frame);
	return 0;
}

static int print_frames(FILE *out, struct kcatch_session *session,
			const struct kcatch_event *event)
{
	struct kcatch_frame frame;
	uint32_t i;
	int ret;

	for (i = 0; i < event->nr_frames; i++) {
		ret = kcatch_session_frame(session, i, &frame);
		if (ret)
			return ret;
		render_frame(out, &frame);
	}
	return 0;
}

/* The text of a stack that may come again is kept, by each thread its own. */
static __thread struct stack_texts stacks;

void render_text_forget(void)
{
	stack_texts_deinit(&stacks);
}

static int print_kernel_stack(FILE *out, struct kcatch_session *session,
			      const struct kcatch_event *event)
{
	char *text = NULL;
	uint64_t number;
	size_t length;
	FILE *memory;
	const struct stack_text *kept;
	int ret = kcatch_session_stack_number(session, &number);

	if (ret)
		return ret;
	kept = stack_texts_find(&stacks, number);
	if (kept) {
		put_bytes(out, kept->text, kept->length);
		return 0;
	}
	memory = number ? open_memstream(&text, &length) : NULL;
	if (!memory)
		return print_frames(out, session, event);
	ret = print_frames(memory, session, event);
	if (fclose(memory) && !ret)
		ret = kcatch_error_memory();
	if (ret) {
		free(text);
		return ret;
	}
	put_bytes(out, text, length);
	stack_texts_keep(&stacks, number, text, length);
	return 0;
}

int render_stack(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		 const struct render_options *options)
{
	const struct colours *c = render_colours();
	int ret = event->nr_frames ? print_kernel_stack(out, session, event) : 0;

	if (ret)
		return ret;
	if (event->stack == KCATCH_STACK_CUT)
		fprintf(out, "    %s... cut at --depth %u%s\n", c->warn,
			options->depth ? options->depth : event->nr_frames, c->off);
	else if (event->stack == KCATCH_STACK_LOST_TRACK)
		fprintf(out, "    %s... the unwinder gave up here%s\n", c->warn, c->off);
	return print_user_stack(out, session, event);
}

/* Why the return is missing; NULL: it was caught, was not requested, or the call is under way. */
static const char *missing_return(const struct kcatch_event *event)
{
	switch (event->returned) {
	case KCATCH_RETURN_PENDING:
		return "has not returned";
	case KCATCH_RETURN_NO_SLOT:
		return "return not caught: too many calls were under way";
	case KCATCH_RETURN_LOST:
		return "return lost: the ring was full";
	case KCATCH_RETURN_FORGOTTEN:
		return "return not kept: " LOSSES_FORGOTTEN;
	default:
		return NULL;
	}
}

/* Tell once that arguments are shown as registers, because their types are not known. */
static void say_untyped(const struct kcatch_event *event, const struct kcatch_probe *probe)
{
	static bool said;

	if (event->typed || !event->nr_args || said)
		return;
	said = true;
	say("the types of %s are not known (no BTF, several functions of that name, or the compiler "
	    "changed its arguments): its arguments are shown as registers",
	    probe->function ? quoted(probe->function) : "it");
}

static int print_arguments(FILE *out, struct kcatch_session *session,
			   const struct kcatch_event *event, const struct render_options *options,
			   const char *between)
{
	unsigned int changes = options->verbose ? 0 : VALUE_CHANGES;
	const struct kcatch_value *value;
	bool any = false;
	uint32_t i;
	int ret;

	for (i = 0; i < event->nr_args; i++) {
		ret = kcatch_session_arg(session, i, &value);
		if (ret)
			return ret;
		if (value->is_raw && !options->verbose)
			continue;
		if (any)
			put_text(out, between);
		any = true;
		value_text_argument(out, value, changes);
	}
	return 0;
}

/* Ends the first line with what the answer is: "  returned 4096 after 12.31 us", of the second
 * event of a pair "  12.31 us after vfs_open". */
static int line_answer(struct line *line, struct kcatch_session *session,
		       const struct kcatch_event *event)
{
	const struct colours *c = render_colours();
	const struct kcatch_value *value;
	const char *missing = missing_return(event);
	char latency[24];
	int ret;

	if (missing) {
		line_text(line, "  ");
		line_text(line, c->warn);
		line_text(line, missing);
		line_text(line, c->off);
	} else if (event->first) {
		line_text(line, "  ");
		line_text(line, value_text_latency(event->latency_ns, latency, sizeof(latency)));
		line_text(line, " after ");
		value_text_in_line(line, event->first);
	} else if (event->returned == KCATCH_RETURN_UNDER_WAY) {
		line_text(line, "  ");
		line_text(line, c->warn);
		line_text(line, "has not returned after ");
		line_text(line, value_text_latency(event->latency_ns, latency, sizeof(latency)));
		line_text(line, c->off);
	} else if (event->returned == KCATCH_RETURN_SEEN) {
		ret = kcatch_session_return_value(session, &value);
		if (ret)
			return ret;
		line_text(line, "  returned ");
		if (value->kind != KCATCH_VALUE_VOID) {
			line_text(line, value_is_failure(value) ? c->warn : c->name);
			line_flush(line);
			value_text_return(line->out, value);
			line_text(line, c->off);
			line_text(line, " ");
		}
		line_text(line, "after ");
		line_text(line, value_text_latency(event->latency_ns, latency, sizeof(latency)));
	}
	return 0;
}

#define WITH    "  with "
#define CHANGED "  changed "

/* "called by X", "with a=1 b=2" as it was at the entry. */
static int print_question(FILE *out, struct kcatch_session *session,
			  const struct kcatch_event *event, const struct render_options *options)
{
	const struct kcatch_value *value;
	struct kcatch_frame frame;
	struct row row;
	uint32_t i;
	int ret = 0;

	if (event->returned == KCATCH_RETURN_NOT_ASKED && !event->nr_args)
		return 0; /* the stack says it */
	/* Of a call that is under way the stack is what it does now. */
	if (event->returned != KCATCH_RETURN_UNDER_WAY && event->nr_frames &&
	    !kcatch_session_frame(session, 0, &frame) && frame.symbol) {
		put_text(out, "  called by ");
		print_escaped(out, frame.symbol);
		put_text(out, options->arguments && event->typed && !event->nr_args ?
				      " without arguments\n" :
				      "\n");
	}
	if (!event->nr_args)
		return 0;
	put_text(out, WITH);
	row_begin(&row, out, strlen(WITH), 0, 0);
	for (i = 0; i < event->nr_args && !ret; i++) {
		ret = kcatch_session_arg(session, i, &value);
		if (!ret && (!value->is_raw || options->verbose)) {
			value_text_entry(row_word(&row), value);
			row_end(&row);
		}
	}
	row_deinit(&row);
	put_char(out, '\n');
	return ret;
}

/* "changed *pos: 0 => 4096", if the call changed anything. */
static int print_changed(FILE *out, struct kcatch_session *session,
			 const struct kcatch_event *event, const struct render_options *options)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = NULL;
	const struct kcatch_value *value;
	struct row row;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < event->nr_args && !ret; i++) {
		ret = kcatch_session_arg(session, i, &value);
		if (ret || !value->at_return)
			continue;
		if (!memory) {
			memory = open_memstream(&text, &length);
			if (!memory)
				return kcatch_error_memory();
			row_begin(&row, memory, strlen(CHANGED), 0, 0);
		}
		value_text_changes(&row, value, options->verbose ? 0 : VALUE_CHANGES);
	}
	if (!memory)
		return ret;
	row_deinit(&row);
	fclose(memory);
	if (length) {
		put_text(out, CHANGED);
		put_bytes(out, text, length);
		put_char(out, '\n');
	}
	free(text);
	return ret;
}

/* "spent 3.1 ms on the CPU, 1.82 s blocked, switched out 4 times" */
static void print_spent(FILE *out, const struct kcatch_event *event)
{
	char spent[128];

	if (!value_text_spent(event, spent, sizeof(spent)))
		return;
	put_text(out, "  spent ");
	put_text(out, spent);
	put_char(out, '\n');
}

/* "waits for mutex m1 held by b(102)" */
static void print_waits(FILE *out, const struct render_options *options)
{
	if (!options->waits)
		return;
	put_text(out, "  waits for ");
	put_text(out, options->waits);
	put_char(out, '\n');
}

int render_structs(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		   const struct render_options *options)
{
	const struct colours *c = render_colours();
	unsigned int lines = options->verbose || options->deep ? 0 : STRUCT_LINES;
	const struct kcatch_value *value;
	uint32_t i;
	int ret;

	if (!event->nr_args && event->returned != KCATCH_RETURN_SEEN)
		return 0;
	put_text(out, c->dim);
	for (i = 0; i < event->nr_args; i++) {
		ret = kcatch_session_arg(session, i, &value);
		if (ret)
			return ret;
		if (!value->is_raw || options->verbose)
			value_text_struct(out, value, lines);
	}
	if (event->returned == KCATCH_RETURN_SEEN) {
		ret = kcatch_session_return_value(session, &value);
		if (ret)
			return ret;
		value_text_struct(out, value, lines);
	}
	put_text(out, c->off);
	return 0;
}

/* " = -ENOENT", "  has not returned". Return: 1: the call failed; 0; -errno. */
static int print_result(FILE *out, struct kcatch_session *session, const struct kcatch_event *event)
{
	const struct colours *c = render_colours();
	const struct kcatch_value *value;
	const char *missing = missing_return(event);
	bool failed;
	int ret;

	if (missing) {
		fprintf(out, "  %s%s%s", c->warn, missing, c->off);
		return 0;
	}
	if (event->returned != KCATCH_RETURN_SEEN)
		return 0;
	ret = kcatch_session_return_value(session, &value);
	if (ret)
		return ret;
	failed = value_is_failure(value);
	if (value->kind != KCATCH_VALUE_VOID) {
		fprintf(out, " = %s", failed ? c->warn : "");
		value_text_return(out, value);
		put_text(out, failed ? c->off : "");
	}
	return failed;
}

/* Print at most @columns characters of a UTF-8 text, then "..." if it was cut. */
static void print_columns(FILE *out, const char *text, size_t columns)
{
	const char *end = text;

	while (*end && columns--) {
		do {
			end++;
		} while (((unsigned char)*end & 0xc0) == 0x80);
	}
	put_bytes(out, text, (size_t)(end - text));
	if (*end)
		put_text(out, "...");
}

int render_call(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		const struct kcatch_probe *probe, const struct render_options *options,
		size_t indent)
{
	char *name = NULL, *args = NULL, *result = NULL;
	size_t width = options->verbose ? 0 : stdout_width(), size, taken, columns;
	int ret = 0, failed = 0, i;
	FILE *parts[3];

	parts[0] = open_memstream(&name, &size);
	parts[1] = open_memstream(&args, &size);
	parts[2] = open_memstream(&result, &size);
	if (!parts[0] || !parts[1] || !parts[2])
		ret = -ENOMEM;
	if (!ret) {
		say_untyped(event, probe);
		render_function(parts[0], probe);
		if (options->arguments)
			ret = print_arguments(parts[1], session, event, options, ", ");
		if (!ret)
			failed = print_result(parts[2], session, event);
	}
	for (i = 0; i < 3; i++) {
		if (parts[i])
			fclose(parts[i]);
	}
	if (!ret && failed >= 0) {
		taken = indent + row_columns(name, strlen(name)) +
			row_columns(result, strlen(result)) + 5;	/* (...) */
		columns = row_columns(args, strlen(args));
		put_text(out, name);
		if (options->arguments) {
			put_char(out, '(');
			print_columns(out, args,
				      !width || taken + columns < width + 3 ? SIZE_MAX :
				      taken + ARGUMENTS_MIN < width ? width - taken :
								      ARGUMENTS_MIN);
			put_char(out, ')');
		}
		put_text(out, result);
	}
	free(name);
	free(args);
	free(result);
	return ret ? ret : failed;
}

/* "123.456789012  cpu 1  cat/4711  cgroup /user.slice  sched:sched_switch  preempt=false ..." */
static int show_trace_event(FILE *out, struct kcatch_session *session,
			    const struct kcatch_event *event, const struct kcatch_probe *probe,
			    const struct render_options *options)
{
	const struct colours *c = render_colours();
	const char *path;
	char latency[24];
	int ret;

	render_time(out, session, event->time_ns, options);
	fprintf(out, "  cpu %u  %s", event->cpu, c->name);
	print_escaped(out, event->comm[0] ? event->comm : "?");
	fprintf(out, "%s/%u  ", c->off, event->tid);
	if (event->cgroup && !kcatch_session_cgroup(session, event->cgroup, &path)) {
		put_text(out, "cgroup ");
		print_escaped(out, path);
		put_text(out, "  ");
	}
	put_text(out, c->head);
	print_escaped(out, probe->module ? probe->module : "?");
	put_char(out, ':');
	print_escaped(out, probe->function ? probe->function : "?");
	put_text(out, c->off);
	if (event->first) {
		fprintf(out, "  %s after ",
			value_text_latency(event->latency_ns, latency, sizeof(latency)));
		print_escaped(out, event->first);
	}
	put_text(out, event->nr_args ? "  " : "");
	ret = print_arguments(out, session, event, options, " ");
	put_char(out, '\n');
	if (!ret && event->stack != KCATCH_STACK_ABSENT)
		ret = render_stack(out, session, event, options);
	return ret;
}

static int show_event(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		      const struct render_options *options)
{
	const struct kcatch_probe *probe;
	struct line line;
	int ret = kcatch_session_probe(session, event->probe, &probe);

	if (ret)
		return ret;
	say_untyped(event, probe);
	if (event->is_event)
		return show_trace_event(out, session, event, probe, options);
	line_begin(&line, out);
	line_head(&line, session, event, probe, options);
	ret = line_answer(&line, session, event);
	line_text(&line, "\n");
	line_flush(&line);
	if (!ret)
		ret = print_question(out, session, event, options);
	if (!ret)
		ret = render_structs(out, session, event, options);
	if (!ret)
		ret = print_changed(out, session, event, options);
	if (!ret) {
		print_spent(out, event);
		print_waits(out, options);
	}
	if (!ret)
		ret = render_stack(out, session, event, options);
	if (!ret && (event->stack != KCATCH_STACK_ABSENT || event->nr_user_frames >= 0))
		put_char(out, '\n');
	return ret;
}

static void print_probes(struct kcatch_session *session)
{
	size_t count = kcatch_session_nr_probes(session), idle = 0, i;

	fprintf(stderr, "%10s", "hits");
#define HEAD(name, words, help) fprintf(stderr, " %11s", words);
	KCATCH_COUNTERS_TERMS(HEAD)
#undef HEAD
	fprintf(stderr, "  %-6s  %s\n", "by", "function");
	for (i = 0; i < count; i++) {
		const struct kcatch_probe *probe;
		struct kcatch_totals t;

		if (kcatch_session_probe_totals(session, (uint32_t)i, &t))
			continue;
		if (!t.hits && count > PROBES_LISTED) {
			idle++;
			continue;
		}
		if (kcatch_session_probe(session, (uint32_t)i, &probe))
			continue;
		fprintf(stderr, "%10" PRIu64, t.hits);
#define PUT(name, words, help) fprintf(stderr, " %11" PRIu64, t.name);
		KCATCH_COUNTERS_TERMS(PUT)
#undef PUT
		fprintf(stderr, "  %-6s  ", kcatch_mechanism_name(probe->mechanism));
		render_function(stderr, probe);
		fputc('\n', stderr);
	}
	if (idle)
		fprintf(stderr, "%10d hits of %zu more\n", 0, idle);
}

static int show_summary(struct kcatch_session *session, const struct outcome *outcome,
			const struct render_options *options)
{
	char wanted[64] = "", text[LOSSES_EQUATION];
	size_t at = 0;

	fflush(stdout);
	if (options->verbose)
		print_probes(session);
	if (options->count && outcome->shown < options->count)
		at = (size_t)snprintf(wanted, sizeof(wanted), " of %" PRIu64, options->count);
	if (options->groups)
		snprintf(wanted + at, sizeof(wanted) - at, " (%" PRIu64 " call%s)", outcome->events,
			 outcome->events == 1 ? "" : "s");
	say("caught %" PRIu64 "%s in %.3f s; %s", outcome->shown, wanted,
	    (double)outcome->elapsed_ns / 1e9,
	    losses_equation(&outcome->totals, outcome->unstopped, text, sizeof(text)));
	return 0;
}

const struct renderer render_text = { show_event, show_summary, NULL };
