/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.c - a tree with counts, shares and times: from each function up through its callers,
 * or from the outermost function down (--callees)
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "report.h"
#include "stacks.h"
#include "value_text.h"

#define DEPTH 1024	/* limit of levels */

struct printer {
	struct report *report;
	unsigned int indent[DEPTH];	/* by level: the column; an only child has its parent's */
	bool lone[DEPTH];		/* by level: the node is an only child */
	bool last[DEPTH];		/* by column: no sibling follows on that branch */
	uint64_t left_out;
};

static int tree_begin(struct report *report)
{
	const struct stacks_shape shape = { .upward = !report->options->callees };

	report->state = stacks_create(&shape);
	return report->state ? 0 : kcatch_error_memory();
}

static int tree_event(struct report *report, const struct kcatch_event *event)
{
	int64_t node = stacks_add(report->state, report, event);

	return node < 0 ? (int)node : 0;
}

static uint64_t weight_of(const struct report *report, const struct stacks_node *node)
{
	return report->options->by_time ? (uint64_t)node->time : node->count;
}

static double share_of(const struct report *report, const struct stacks_node *node)
{
	uint64_t all = weight_of(report, stacks_nodes(report->state));

	return all ? 100.0 * (double)weight_of(report, node) / (double)all : 0;
}

static void print_figures(struct report *report, const struct stacks_node *node)
{
	char time[24];

	if (node->time)
		value_text_latency((uint64_t)node->time, time, sizeof(time));
	fprintf(report->out, "%10" PRIu64 " %6.1f%% %12s  ", node->count, share_of(report, node),
		node->time ? time : "-");
}

static void print_line(struct printer *printer, const struct stacks_node *node, unsigned int level)
{
	FILE *out = printer->report->out;
	const struct stacks_frame *frame = stacks_frame(printer->report->state, node->frame);
	unsigned int indent = printer->indent[level], lone = printer->lone[level], i;
	uint64_t failed;

	print_figures(printer->report, node);
	for (i = 1; i < indent + lone; i++)
		fputs(printer->last[i] ? "   " : "│  ", out);
	if (indent && !lone)
		fputs(printer->last[indent] ? "└─ " : "├─ ", out);
	value_text_escaped(out, frame->name, frame->length, false);
	failed = printer->report->options->callees ? node->self_failed : level ? 0 : node->failed;
	if (failed)
		fprintf(out, "  (%" PRIu64 " failed)", failed);
	fputc('\n', out);
}

static bool is_shown(const struct printer *printer, const struct stacks_node *node)
{
	return share_of(printer->report, node) * 100 >= printer->report->options->min_share;
}

/* Begin the children of a node: an only child continues in its parent's column. */
static void enter(struct printer *printer, uint32_t parent, unsigned int level)
{
	const struct stacks_node *nodes = stacks_nodes(printer->report->state);
	uint32_t second = nodes[nodes[parent].child].next;

	printer->lone[level] = level > 1 && (!second || !is_shown(printer, &nodes[second]));
	printer->indent[level] = printer->indent[level - 1] + !printer->lone[level];
}

static void tell_last(struct printer *printer, uint32_t at, unsigned int level)
{
	const struct stacks_node *nodes = stacks_nodes(printer->report->state);
	uint32_t next = nodes[at].next;

	/* Siblings are sorted: if the next one is not shown, no later one is. */
	if (level && !printer->lone[level])
		printer->last[printer->indent[level]] = !next || !is_shown(printer, &nodes[next]);
}

/* Print in preorder, without recursion, because stacks may be deep. */
static void print_tree(struct printer *printer, uint32_t top)
{
	const struct stacks_node *nodes = stacks_nodes(printer->report->state);
	uint32_t at = top;
	unsigned int level = 0;

	for (;;) {
		tell_last(printer, at, level);
		if (!is_shown(printer, &nodes[at])) {
			printer->left_out++;
		} else {
			print_line(printer, &nodes[at], level);
			if (nodes[at].child && level + 1 < DEPTH) {
				enter(printer, at, ++level);
				at = nodes[at].child;
				continue;
			}
		}
		while (at != top && !nodes[at].next) {
			at = nodes[at].parent;
			level--;
		}
		if (at == top)
			return;
		at = nodes[at].next;
	}
}

static int tree_end(struct report *report)
{
	struct printer printer = { .report = report };
	const struct stacks_node *nodes;
	char losses[LOSSES_TEXT];
	uint32_t at;
	int ret;

	stacks_finish(report->state);
	ret = stacks_sort(report->state, report->options->by_time);
	if (ret)
		return ret;
	nodes = stacks_nodes(report->state);
	fprintf(report->out, "# %" PRIu64 " event%s in %.3f s; %s\n", report->reported,
		report->reported == 1 ? "" : "s", (double)(report->to_ns - report->from_ns) / 1e9,
		report_losses(report, losses, sizeof(losses)));
	fprintf(report->out, "#%9s %7s %12s  %s\n", "count", "share", "time",
		report->options->callees ? "outermost function, and what it called" :
		"function, and its callers");
	for (at = nodes[0].child; at; at = nodes[at].next)
		print_tree(&printer, at);
	if (printer.left_out)
		fprintf(report->out, "# %" PRIu64 " branches below %.2f %% were left out (--min)\n",
			printer.left_out, report->options->min_share / 100.0);
	if (stacks_other(report->state))
		fprintf(report->out, "# %" PRIu64 " events stand under [other]: there were too many different "
			"stacks\n", stacks_other(report->state));
	return 0;
}

static void tree_destroy(struct report *report)
{
	stacks_destroy(report->state);
}

const struct report_format report_tree = {
	.name = "tree",
	.description = "callers upward, or with --callees callees downward: counts, shares, times",
	.user_stacks = true,
	.begin = tree_begin,
	.event = tree_event,
	.end = tree_end,
	.destroy = tree_destroy,
};
