/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded.c - lines "comm;outermost;...;caller;function COUNT", as flame graph tools read them
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "report.h"
#include "stacks.h"
#include "value_text.h"

static int folded_begin(struct report *report)
{
	const struct stacks_shape shape = { .comm = !report->options->no_comm };

	report->state = stacks_create(&shape);
	return report->state ? 0 : kcatch_error_memory();
}

static int folded_event(struct report *report, const struct kcatch_event *event)
{
	int64_t node = stacks_add(report->state, report, event);

	return node < 0 ? (int)node : 0;
}

/* Replace ';', which separates frames, and escape line breaks, which separate stacks. */
static void write_name(FILE *out, const struct stacks_frame *frame)
{
	size_t i, from = 0;

	for (i = 0; i <= frame->length; i++) {
		if (i < frame->length && frame->name[i] != ';')
			continue;
		value_text_escaped(out, frame->name + from, i - from, false);
		if (i < frame->length)
			fputc(':', out);
		from = i + 1;
	}
}

static void write_path(struct report *report, uint32_t node)
{
	const struct stacks_node *nodes = stacks_nodes(report->state);
	uint32_t path[1024 + 8], length = 0;

	for (; node && length < sizeof(path) / sizeof(path[0]); node = nodes[node].parent)
		path[length++] = node;
	while (length) {
		write_name(report->out, stacks_frame(report->state, nodes[path[--length]].frame));
		if (length)
			fputc(';', report->out);
	}
}

static int folded_end(struct report *report)
{
	const struct stacks_node *nodes;
	uint32_t i;

	stacks_finish(report->state);
	nodes = stacks_nodes(report->state);
	for (i = 1; i < stacks_count(report->state); i++) {
		uint64_t weight = report->options->by_time ? (uint64_t)nodes[i].self_time :
							     nodes[i].self;

		if (!weight)
			continue;
		write_path(report, i);
		fprintf(report->out, " %" PRIu64 "\n", weight);
	}
	return 0;
}

static void folded_destroy(struct report *report)
{
	stacks_destroy(report->state);
}

const struct report_format report_folded = {
	.name = "folded",
	.description = "stacks folded to lines, for flame graph tools",
	.user_stacks = true,
	.begin = folded_begin,
	.event = folded_event,
	.end = folded_end,
	.destroy = folded_destroy,
};
