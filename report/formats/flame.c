/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flame.c - a flame graph as one SVG file
 *
 * The picture can be read without its script; with it, the picture fills the window, a click zooms
 * and words can be searched. Nothing is loaded from elsewhere. Frames narrower than a tenth of a
 * pixel are left out and counted, so the picture's width and the depth of stacks limit the file's
 * size for any recording.
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

/* Sizes in pixels. */
#define WIDTH 1200.0
#define MARGIN 10.0
#define HEAD 58
#define FOOT 34
#define ROW 18
#define LETTER 6.6	/* width of a letter */
#define NARROWEST 0.1	/* width below which a frame is left out */
#define TITLE 100	/* bytes of the title that fit into a line */
#define DEPTH 1100	/* limit of levels; stacks have at most 1024 frames */

struct painter {
	struct report *report;
	const struct stacks_node *nodes;
	uint64_t all;		/* weight of the root */
	unsigned int levels;	/* level of the deepest frame that is shown */
	unsigned int head;	/* height above the frames */
	uint64_t left_out;
	bool draws;		/* false: measure only */
};

static int flame_begin(struct report *report)
{
	const struct stacks_shape shape = { .comm = !report->options->no_comm };

	report->state = stacks_create(&shape);
	return report->state ? 0 : kcatch_error_memory();
}

static int flame_event(struct report *report, const struct kcatch_event *event)
{
	int64_t node = stacks_add(report->state, report, event);

	return node < 0 ? (int)node : 0;
}

static uint64_t weight_of(const struct painter *painter, uint32_t node)
{
	return painter->report->options->by_time ? (uint64_t)painter->nodes[node].time :
		painter->nodes[node].count;
}

static bool is_time(const struct report_options *options)
{
	return !options->sum_of || options->sum_unit == KCATCH_UNIT_NANOSECONDS;
}

/* A name always gets the same colour, by its FNV-1a hash; the kind gives the base colour. */
static void colour_of(const struct stacks_frame *frame, char *colour, size_t room)
{
	static const int base[][3] = {
		[STACKS_KERNEL] = { 22, 82, 62 }, [STACKS_MODULE] = { 190, 52, 60 },
		[STACKS_USER] = { 100, 42, 60 }, [STACKS_COMM] = { 222, 36, 72 },
		[STACKS_MARK] = { 0, 0, 76 }, [STACKS_EVENT] = { 335, 66, 64 },
	};
	uint32_t hash = 2166136261U;
	const int *hsl = base[frame->kind];
	size_t i;

	for (i = 0; i < frame->length; i++)
		hash = (hash ^ (unsigned char)frame->name[i]) * 16777619U;
	snprintf(colour, room, "hsl(%d,%d%%,%d%%)",
		 frame->kind == STACKS_MARK ? 0 : hsl[0] + (int)(hash % 24),
		 hsl[1], hsl[2] + (int)(hash / 24 % 10));
}

static void write_label(FILE *out, const struct stacks_frame *frame, double x, double y,
			double width)
{
	size_t fits = width > 8 ? (size_t)((width - 6) / LETTER) : 0, length = frame->length;

	fprintf(out, "<text x=\"%.2f\" y=\"%.0f\">", x + 3, y + 13);
	if (fits >= 3) {
		if (length > fits) {
			length = fits - 2;
			/* Do not cut inside a UTF-8 character. */
			while (length && ((unsigned char)frame->name[length] & 0xc0) == 0x80)
				length--;
		}
		report_write_xml(out, frame->name, length);
		if (length < frame->length)
			fputs("..", out);
	}
	fputs("</text>", out);
}

static void draw(struct painter *painter, uint32_t number, double x, double width,
		 unsigned int level)
{
	const struct stacks_node *node = &painter->nodes[number];
	const struct stacks_frame *frame = stacks_frame(painter->report->state, node->frame);
	double y = painter->head + (painter->levels - level) * ROW;
	FILE *out = painter->report->out;
	char colour[40], time[24];

	colour_of(frame, colour, sizeof(colour));
	fputs("<g class=\"f\" data-n=\"", out);
	report_write_xml(out, frame->name, frame->length);
	fputs("\"><title>", out);
	report_write_xml(out, frame->name, frame->length);
	fprintf(out, ": %" PRIu64 " event%s, %.2f %%", node->count, node->count == 1 ? "" : "s",
		painter->all ? 100.0 * (double)weight_of(painter, number) / (double)painter->all :
			       0);
	if (node->time && is_time(painter->report->options))
		fprintf(out, ", %s", value_text_latency((uint64_t)node->time, time, sizeof(time)));
	else if (node->time)
		fprintf(out, ", %" PRId64, node->time);
	if (node->failed)
		fprintf(out, ", %" PRIu64 " failed", node->failed);
	fprintf(out, "</title><rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>",
		x, y, width, ROW - 1, colour);
	write_label(out, frame, x, y, width);
	fputs("</g>\n", out);
}

/* Visit the tree in preorder, without recursion. The first pass measures, the second draws. */
static void paint(struct painter *painter)
{
	double lefts[DEPTH], scale = painter->all ? (WIDTH - 2 * MARGIN) / (double)painter->all : 0;
	unsigned int level = 0;
	uint32_t at = 0;

	lefts[0] = MARGIN;
	for (;;) {
		double width = at || painter->all ? (double)weight_of(painter, at) * scale :
						    WIDTH - 2 * MARGIN;
		bool shown = width >= NARROWEST || !at;

		if (shown && painter->draws)
			draw(painter, at, lefts[level], width, level);
		if (shown && level > painter->levels)
			painter->levels = level;
		if (!shown && weight_of(painter, at))
			painter->left_out++;
		if (shown && painter->nodes[at].child && level + 1 < DEPTH) {
			lefts[level + 1] = lefts[level];
			at = painter->nodes[at].child;
			level++;
			continue;
		}
		while (at && !painter->nodes[at].next) {
			at = painter->nodes[at].parent;
			level--;
		}
		if (!at)
			return;
		lefts[level] += (double)weight_of(painter, at) * scale;
		at = painter->nodes[at].next;
	}
}

/* Bytes of the first line of a title: as many words as fit, or what fits of a long one. */
static size_t title_line(const char *title)
{
	size_t length = strlen(title), fits = TITLE, space;

	if (length <= TITLE)
		return length;
	for (space = TITLE; space && title[space] != ' '; space--)
		;
	if (space)
		return space;
	/* Do not cut inside a UTF-8 character. */
	while (fits > 1 && ((unsigned char)title[fits] & 0xc0) == 0x80)
		fits--;
	return fits;
}

/* Write the lines of a title, unless @out is NULL. Return: how many there are */
static unsigned int write_title(FILE *out, const char *title)
{
	unsigned int lines = 0;

	do {
		size_t length = title_line(title);

		if (out) {
			fprintf(out, "<text class=\"h\" x=\"%.0f\" y=\"%u\">", MARGIN,
				24 + lines * ROW);
			report_write_xml(out, title, length);
			fputs("</text>\n", out);
		}
		title += length;
		title += *title == ' ';
		lines++;
	} while (*title);
	return lines;
}

static void write_head(struct painter *painter, unsigned int height)
{
	struct report *report = painter->report;
	const char *title = report->options->title;
	const char *weight = report->options->sum_of  ? report->options->sum_of :
			     report->options->by_time ? "time" :
							"events";
	FILE *out = report->out;
	char losses[LOSSES_TEXT];

	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%u\" "
		"viewBox=\"0 0 %.0f %u\" id=\"flame\">\n"
		"<style>text{font:11px ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:#222}"
		".h{font:600 15px system-ui,sans-serif}.s{font:12px system-ui,sans-serif;fill:#555}"
		".w{fill:#b00}.f{cursor:pointer}.f text{pointer-events:none}.f:hover rect{stroke:#000}"
		".b{font:12px system-ui,sans-serif;fill:#06c;cursor:pointer}.p rect{opacity:.45}"
		".m rect{fill:#e0f}.x{display:none}input{font:12px system-ui,sans-serif;width:190px;"
		"box-sizing:border-box;border:1px solid #bbb;border-radius:4px;padding:3px 6px}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		WIDTH, height, WIDTH, height);
	fputs("<title>", out);
	report_write_xml(out, title, strlen(title));
	fputs("</title>\n", out);
	write_title(out, title);
	fprintf(out,
		"<text class=\"s%s\" x=\"%.0f\" y=\"%u\">%" PRIu64 " events in %.3f s, width is ",
		losses_any(&report->losses) ? " w" : "", MARGIN, painter->head - 14,
		report->reported, (double)(report->to_ns - report->from_ns) / 1e9);
	report_write_xml(out, weight, strlen(weight));
	fputs("; ", out);
	report_losses(report, losses, sizeof(losses));
	report_write_xml(out, losses, strlen(losses));
	/* data-right: what the script keeps at that distance from the right */
	fprintf(out, "</text>\n"
		"<text class=\"b x\" id=\"reset\" x=\"880\" data-right=\"320\" y=\"24\">Reset zoom</text>\n"
		"<foreignObject x=\"1000\" data-right=\"200\" y=\"6\" width=\"192\" height=\"28\"><input "
		"xmlns=\"http://www.w3.org/1999/xhtml\" id=\"search\" type=\"search\" "
		"placeholder=\"Search (Ctrl-F)\" aria-label=\"Search\"/></foreignObject>\n"
		"<text class=\"s\" id=\"found\" x=\"1190\" data-right=\"10\" y=\"%u\" "
		"text-anchor=\"end\"/>\n", painter->head - 12);
}

static void write_foot(struct painter *painter, unsigned int height)
{
	FILE *out = painter->report->out;
	uint64_t other = stacks_other(painter->report->state);

	fprintf(out, "<text class=\"s\" id=\"detail\" x=\"%.0f\" y=\"%u\"> </text>\n", MARGIN,
		height - 12);
	if (painter->left_out || other) {
		fprintf(out, "<text class=\"s\" x=\"1190\" data-right=\"10\" y=\"%u\" "
			"text-anchor=\"end\">", height - 12);
		if (painter->left_out)
			fprintf(out, "%" PRIu64 " frames too narrow to see are left out",
				painter->left_out);
		if (other)
			fprintf(out, "%s%" PRIu64 " events of too many stacks are in [other]",
				painter->left_out ? "; " : "", other);
		fputs("</text>\n", out);
	}
	fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", report_asset_flame_js);
}

static int flame_end(struct report *report)
{
	struct painter painter = { .report = report };
	unsigned int height;
	int ret;

	stacks_finish(report->state);
	ret = stacks_sort(report->state, report->options->by_time);
	if (ret)
		return ret;
	painter.nodes = stacks_nodes(report->state);
	painter.all = weight_of(&painter, 0);
	paint(&painter);
	painter.head = HEAD + (write_title(NULL, report->options->title) - 1) * ROW;
	height = painter.head + (painter.levels + 1) * ROW + FOOT;
	write_head(&painter, height);
	painter.draws = true;
	painter.left_out = 0;
	paint(&painter);
	write_foot(&painter, height);
	return 0;
}

static struct stacks *flame_stacks(struct report *report)
{
	return report->state;
}

static void flame_destroy(struct report *report)
{
	stacks_destroy(report->state);
}

const struct report_format report_flame = {
	.name = "flame",
	.description = "a flame graph, one SVG file: click to zoom, search",
	.user_stacks = true,
	.begin = flame_begin,
	.event = flame_event,
	.end = flame_end,
	.destroy = flame_destroy,
	.stacks = flame_stacks,
};
