/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c - a line for each event with its stack below, or the columns of --fields
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "render.h"
#include "report.h"
#include "value_text.h"

static void print_text(FILE *out, const char *text)
{
	value_text_escaped(out, text, strlen(text), false);
}

static void print_time(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
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
			fputc('<', report->out);
		if (frame.self)
			fputs("[kcatch]", report->out);
		else if (frame.symbol)
			print_text(report->out, frame.symbol);
		else if (!value_is_hidden(frame.address))
			fprintf(report->out, "0x%" PRIx64, frame.address);
		else
			fputs("[unknown]", report->out);
	}
	if (most > 1 && event->stack == KCATCH_STACK_CUT)
		fputs("<[cut]", report->out);
	else if (most > 1 && event->stack == KCATCH_STACK_LOST_TRACK)
		fputs("<[lost track]", report->out);
	return 0;
}

static int print_field(struct report *report, const struct kcatch_event *event,
		       enum report_field field)
{
	static const char *const contexts[] = {
		[KCATCH_IN_TASK] = "task", [KCATCH_IN_SOFTIRQ] = "softirq",
		[KCATCH_IN_HARDIRQ] = "hardirq", [KCATCH_IN_NMI] = "nmi",
	};
	FILE *out = report->out;
	char room[24];

	switch (field) {
	case FIELD_TIME:
		print_time(out, event->time_ns);
		return 0;
	case FIELD_CPU:
		fprintf(out, "%u", event->cpu);
		return 0;
	case FIELD_PID:
		fprintf(out, "%u", event->pid);
		return 0;
	case FIELD_TID:
		fprintf(out, "%u", event->tid);
		return 0;
	case FIELD_COMM:
		print_text(out, event->comm);
		return 0;
	case FIELD_CONTEXT:
		fputs(contexts[event->context & 3], out);
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
			fputs(value_text_latency(event->latency_ns, room, sizeof(room)), out);
		return 0;
	case FIELD_CALLER:
		return print_frames(report, event, 1);
	case FIELD_STACK:
		return print_frames(report, event, UINT32_MAX);
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
			fputc('\t', report->out);
		ret = print_field(report, event, report->options->fields[i]);
		if (ret)
			return ret;
	}
	fputc('\n', report->out);
	return 0;
}

static int show_line(struct report *report, const struct kcatch_event *event)
{
	FILE *out = report->out;
	char room[24];
	int ret;

	print_time(out, event->time_ns);
	fprintf(out, " [%03u] ", event->cpu);
	print_text(out, event->comm[0] ? event->comm : "?");
	fprintf(out, " %u", event->pid);
	if (event->tid != event->pid)
		fprintf(out, "/%u", event->tid);
	fputs("  ", out);
	print_event_name(report, event);
	fputc('(', out);
	ret = report_print_args(out, report, event);
	if (ret)
		return ret;
	fputc(')', out);
	if (event->returned != KCATCH_RETURN_NOT_ASKED) {
		fputs(" = ", out);
		ret = report_print_return(out, report, event);
		if (ret)
			return ret;
	}
	if (event->returned == KCATCH_RETURN_SEEN)
		fprintf(out, "  %s", value_text_latency(event->latency_ns, room, sizeof(room)));
	fputc('\n', out);
	if (!report->options->no_stack)
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
	.event = text_event,
};
