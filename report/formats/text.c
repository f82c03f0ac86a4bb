/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c - a line for each event with its stack below, or the columns of --fields
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "put.h"
#include "render.h"
#include "report.h"
#include "value_text.h"

static void print_text(FILE *out, const char *text)
{
	value_text_escaped(out, text, strlen(text), false);
}

static void print_event_name(struct report *report, const struct kcatch_event *event)
{
	char name[600];

	print_text(report->out, report_event_name(report, event->probe, name, sizeof(name)));
}

/* At most @most frames: "ksys_read<do_syscall_64<..." */
static int print_frames(struct report *report, const struct kcatch_event *event, uint32_t most)
{
	struct kcatch_frame frame;
	uint32_t i;
	int ret;

	for (i = 0; i < event->nr_frames && i < most; i++) {
		ret = kcatch_session_frame(report->session, i, &frame);
		if (ret)
			return ret;
		if (i)
			put_char(report->out, '<');
		if (frame.self)
			put_text(report->out, "[kcatch]");
		else if (frame.symbol)
			print_text(report->out, frame.symbol);
		else if (!value_is_hidden(frame.address))
			put_hex(report->out, frame.address);
		else
			put_text(report->out, "[unknown]");
	}
	if (most > 1 && value_text_stack_mark(event->stack)) {
		put_char(report->out, '<');
		put_text(report->out, value_text_stack_mark(event->stack));
	}
	return 0;
}

/* Empty where it was not recorded. */
static int cgroup_path(struct report *report, const struct kcatch_event *event, const char **path)
{
	*path = "";
	return event->cgroup ? kcatch_session_cgroup(report->session, event->cgroup, path) : 0;
}

static int print_field(struct report *report, const struct kcatch_event *event,
		       enum report_field field)
{
	static const char *const contexts[] = {
		[KCATCH_IN_TASK] = "task", [KCATCH_IN_SOFTIRQ] = "softirq",
		[KCATCH_IN_HARDIRQ] = "hardirq", [KCATCH_IN_NMI] = "nmi",
	};
	FILE *out = report->out;
	const char *path;
	char room[24];
	int ret;

	switch (field) {
	case FIELD_TIME:
		render_time(out, report->session, event->time_ns, &report->options->view);
		return 0;
	case FIELD_CPU:
		put_number(out, event->cpu);
		return 0;
	case FIELD_PID:
		put_number(out, event->pid);
		return 0;
	case FIELD_TID:
		put_number(out, event->tid);
		return 0;
	case FIELD_COMM:
		print_text(out, event->comm);
		return 0;
	case FIELD_CONTEXT:
		/* A tracepoint's record has no context without a stack. */
		if (!event->is_event || event->stack != KCATCH_STACK_ABSENT)
			put_text(out, contexts[event->context & 3]);
		return 0;
	case FIELD_EVENT:
		print_event_name(report, event);
		return 0;
	case FIELD_ARGS:
		return report_print_args(out, report, event);
	case FIELD_RET:
		return report_print_return(out, report, event);
	case FIELD_LATENCY:
		if (event->returned == KCATCH_RETURN_SEEN)
			put_text(out, value_text_latency(event->latency_ns, room, sizeof(room)));
		return 0;
	case FIELD_CALLER:
		return print_frames(report, event, 1);
	case FIELD_STACK:
		return print_frames(report, event, UINT32_MAX);
	case FIELD_CGROUP:
		ret = cgroup_path(report, event, &path);
		print_text(out, path);
		return ret;
	case FIELD_COUNT:
		break;
	}
	return -EINVAL;
}

/* Fields are separated by tabs; a tab inside a field is escaped. */
static int show_fields(struct report *report, const struct kcatch_event *event)
{
	size_t i;
	int ret;

	for (i = 0; i < report->options->nr_fields; i++) {
		if (i)
			put_char(report->out, '\t');
		ret = print_field(report, event, report->options->fields[i]);
		if (ret)
			return ret;
	}
	put_char(report->out, '\n');
	return 0;
}

static int show_line(struct report *report, const struct kcatch_event *event)
{
	FILE *out = report->out;
	const char *path;
	char room[24], spent[128];
	int ret;

	render_time(out, report->session, event->time_ns, &report->options->view);
	put_text(out, " [");
	put_padded(out, event->cpu, 3);
	put_text(out, "] ");
	print_text(out, event->comm[0] ? event->comm : "?");
	put_char(out, ' ');
	put_number(out, event->pid);
	if (event->tid != event->pid) {
		put_char(out, '/');
		put_number(out, event->tid);
	}
	ret = cgroup_path(report, event, &path);
	if (ret)
		return ret;
	if (*path) {
		put_char(out, ' ');
		print_text(out, path);
	}
	put_text(out, "  ");
	print_event_name(report, event);
	put_char(out, '(');
	ret = report_print_args(out, report, event);
	if (ret)
		return ret;
	put_char(out, ')');
	if (event->returned != KCATCH_RETURN_NOT_ASKED) {
		put_text(out, " = ");
		ret = report_print_return(out, report, event);
		if (ret)
			return ret;
	}
	if (event->returned == KCATCH_RETURN_SEEN) {
		put_text(out, "  ");
		put_text(out, value_text_latency(event->latency_ns, room, sizeof(room)));
		if (value_text_spent(event, spent, sizeof(spent))) {
			put_text(out, ": ");
			put_text(out, spent);
		}
	}
	put_char(out, '\n');
	if (report->options->view.verbose)
		ret = render_structs(out, report->session, event, &report->options->view);
	if (!ret && !report->options->no_stack)
		ret = render_stack(out, report->session, event, &report->options->view);
	return ret;
}

static int text_event(struct report *report, const struct kcatch_event *event)
{
	return report->options->nr_fields ? show_fields(report, event) : show_line(report, event);
}

const struct report_format report_text = {
	.name = "text",
	.description = "a line for each event and its stack below; --fields chooses columns",
	.user_stacks = true,
	.event = text_event,
	.forget = render_text_forget,
};
