/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html.c - one self-contained page: where the time of slow calls went, timeline, flame graph,
 * caller tree, events
 *
 * The page (report/assets/page.html) draws the JSON that is inserted into it. The JSON is
 * limited: about NODES nodes, the busiest TASKS tasks and at most --rows events, chosen over the
 * whole time. The page says what was left out.
 *
 * Where the recording has what that takes, the slowest calls are drawn as --format why describes
 * them. The scheduler's records are kept for it, up to some hundred MB.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "report.h"
#include "stacks.h"
#include "table_rows.h"
#include "timeline.h"
#include "value_text.h"
#include "why.h"

#define NODES 30000U		/* nodes of the tree, besides those of the rows */
#define TASKS 60U		/* tasks of the timeline */
#define CPUS 512U		/* CPUs of the timeline */
#define CALLS 5U		/* slow calls that are drawn */
#define RECORDS 4000000U	/* of the scheduler and of block devices, of 64 and 112 bytes */
#define ARGS_LENGTH 400		/* bytes of an event's arguments */
#define DATA "\"@DATA@\""	/* the page's place for the JSON */

struct html {
	struct stacks *stacks;
	struct timeline all, cpus, tasks;
	struct table_rows table;
	struct why *why; /* NULL: where time went is not known */
	bool crowded;    /* because of too many records */
};

static int html_begin(struct report *report)
{
	const struct stacks_shape shape = { .comm = !report->options->no_comm };
	struct html *html = calloc(1, sizeof(*html));

	report->state = html;
	if (!html)
		return kcatch_error_memory();
	html->stacks = stacks_create(&shape);
	html->table.most = report->options->rows;
	if (!html->stacks)
		return kcatch_error_memory();
	if (!why_missing(report)) {
		html->why = why_create(CALLS);
		return html->why ? 0 : -ENOMEM;
	}
	return 0;
}

static int html_every(struct report *report, const struct kcatch_event *event)
{
	struct html *html = report->state;

	if (!html->why)
		return 0;
	if (html->why->states.nr + html->why->blocks.nr >= RECORDS) {
		why_destroy(html->why);
		html->why = NULL;
		html->crowded = true;
		return 0;
	}
	return why_take(html->why, report, event);
}

static void write_string(FILE *out, const char *text, size_t length)
{
	putc('"', out);
	report_write_json(out, text, length);
	putc('"', out);
}

static void write_word(FILE *out, const char *text)
{
	write_string(out, text, strlen(text));
}

/* Write the output of @print as a JSON string of at most ARGS_LENGTH bytes. */
static int write_printed(FILE *out, struct report *report, const struct kcatch_event *event,
			 int (*print)(FILE *out, struct report *report,
				      const struct kcatch_event *event))
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);
	int ret;

	if (!memory)
		return kcatch_error_memory();
	ret = print(memory, report, event);
	if (fclose(memory) && !ret)
		ret = kcatch_error_memory();
	if (!ret && length > ARGS_LENGTH) {
		for (length = ARGS_LENGTH; length && ((unsigned char)text[length] & 0xc0) == 0x80;
		     length--)
			;
		text[length] = '\0';
		putc('"', out);
		report_write_json(out, text, length);
		fputs("...\"", out);
	} else if (!ret) {
		write_string(out, text, length);
	}
	free(text);
	return ret;
}

/* Times count from the first event, because JavaScript's numbers are exact only to 2^53. */
static int64_t since_first(const struct report *report, uint64_t time_ns)
{
	return (int64_t)(time_ns - report->first_ns);
}

/* [time, cpu, pid, tid, comm, event, args, ret, latency, failed, where the time went] */
static int write_row(FILE *out, struct report *report, const struct kcatch_event *event)
{
	char name[600], spent[128];
	int ret;

	fprintf(out, "[%" PRId64 ",%u,%u,%u,", since_first(report, event->time_ns), event->cpu,
		event->pid, event->tid);
	write_word(out, event->comm);
	putc(',', out);
	write_word(out, report_event_name(report, event->probe, name, sizeof(name)));
	putc(',', out);
	ret = write_printed(out, report, event, report_print_args);
	putc(',', out);
	if (!ret)
		ret = write_printed(out, report, event, report_print_return);
	if (event->returned == KCATCH_RETURN_SEEN)
		fprintf(out, ",%" PRIu64, event->latency_ns);
	else
		fputs(",null", out);
	fprintf(out, ",%d", report_event_failed(report, event));
	if (event->returned == KCATCH_RETURN_SEEN &&
	    value_text_spent(event, spent, sizeof(spent))) {
		putc(',', out);
		write_word(out, spent);
	}
	putc(']', out);
	return ret;
}

static int add_row(struct report *report, const struct kcatch_event *event, uint32_t node)
{
	struct html *html = report->state;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int ret;

	if (!out)
		return kcatch_error_memory();
	ret = write_row(out, report, event);
	if (fclose(out) && !ret)
		ret = kcatch_error_memory();
	if (!ret)
		return table_rows_add(&html->table, event->time_ns, node, text);
	free(text);
	return ret;
}

static int html_event(struct report *report, const struct kcatch_event *event)
{
	struct html *html = report->state;
	int64_t node = stacks_add(html->stacks, report, event);
	char label[32];
	int ret;

	if (node < 0)
		return (int)node;
	ret = html->why ? why_take_call(html->why, report, event) : 0;
	if (ret)
		return ret;
	snprintf(label, sizeof(label), "CPU %u", event->cpu);
	ret = timeline_add(&html->all, 0, "all", event->time_ns);
	if (!ret)
		ret = timeline_add(&html->cpus, event->cpu, label, event->time_ns);
	if (!ret) {
		/* Every CPU has an idle task, all with thread number 0. */
		if (event->tid)
			snprintf(label, sizeof(label), "%.15s %u", event->comm, event->tid);
		else
			snprintf(label, sizeof(label), "idle, CPU %u", event->cpu);
		ret = timeline_add(&html->tasks, event->tid ? event->tid : 1ULL << 32 | event->cpu,
				   label, event->time_ns);
	}
	if (!ret && table_rows_takes(&html->table, &html->all, event->time_ns))
		ret = add_row(report, event, (uint32_t)node);
	return ret;
}

/*
 * Choose the heaviest nodes, at most NODES, and the nodes on the rows' paths. Return: the
 * number of each node in the page, from 1; 0: left out. To be freed; NULL: out of memory.
 */
static uint32_t *choose_nodes(struct html *html, uint32_t *chosen, uint64_t *left_out)
{
	const struct stacks_node *nodes = stacks_nodes(html->stacks);
	uint32_t count = stacks_count(html->stacks), i, at,
		 *numbers = calloc(count, sizeof(*numbers));
	uint64_t least = 0, wanted;
	size_t row;

	if (!numbers)
		return NULL;
	do {
		least = least ? 2 * least : 1;
		for (wanted = 0, i = 0; i < count; i++)
			wanted += nodes[i].count >= least;
	} while (wanted > NODES);
	numbers[0] = 1;
	for (i = 0; i < count; i++)
		numbers[i] |= nodes[i].count >= least;
	for (row = 0; row < html->table.nr_rows; row++) {
		for (at = html->table.rows[row].node; at && !numbers[at]; at = nodes[at].parent)
			numbers[at] = 1;
	}
	/* Replace the marks by numbers. Parents come before their children. */
	for (*chosen = 0, *left_out = 0, i = 0; i < count; i++) {
		if (numbers[i])
			numbers[i] = ++*chosen;
		else
			++*left_out;
	}
	return numbers;
}

/*
 * Each node is [frame, parent, events, events that end here, time, failed, time and failed of those
 * that end here]; the root is 0.
 */
static int write_tree(struct html *html, FILE *out)
{
	const struct stacks_node *nodes = stacks_nodes(html->stacks);
	uint32_t nr_frames = stacks_nr_frames(html->stacks), chosen, i, used = 0;
	uint32_t *frames = calloc(nr_frames, sizeof(*frames));
	uint64_t left_out;
	uint32_t *numbers = frames ? choose_nodes(html, &chosen, &left_out) : NULL;
	const char *between = "";
	size_t row;

	if (!numbers) {
		free(frames);
		return kcatch_error_memory();
	}
	fputs("\"nodes\":[", out);
	for (i = 0; i < stacks_count(html->stacks); i++) {
		const struct stacks_node *node = &nodes[i];

		if (!numbers[i])
			continue;
		if (!frames[node->frame])
			frames[node->frame] = ++used;
		fprintf(out, "%s[%u,%d,%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%" PRIu64 ",%" PRId64
			",%" PRIu64 "]", between, frames[node->frame] - 1,
			i ? (int)numbers[node->parent] - 1 : -1, node->count, node->self,
			node->time, node->failed, node->self_time, node->self_failed);
		between = ",";
	}
	fprintf(out, "],\n\"leftOut\":%" PRIu64 ",\"other\":%" PRIu64 ",\n\"stacks\":[", left_out,
		stacks_other(html->stacks));
	for (row = 0; row < html->table.nr_rows; row++)
		fprintf(out, "%s%u", row ? "," : "", numbers[html->table.rows[row].node] - 1);
	fputs("],\n\"frames\":[", out);
	/* The frames in the order of their numbers in the page. */
	for (i = 0; i < nr_frames; i++) {
		if (frames[i])
			numbers[frames[i] - 1] = i;	/* fits: no more frames than nodes */
	}
	for (i = 0; i < used; i++) {
		const struct stacks_frame *frame = stacks_frame(html->stacks, numbers[i]);

		fputs(i ? ",[" : "[", out);
		write_string(out, frame->name, frame->length);
		fprintf(out, ",%d]", frame->kind);
	}
	fputs("],\n", out);
	free(numbers);
	free(frames);
	return 0;
}

static void write_timeline(struct report *report, const char *name, struct timeline *timeline,
			   size_t most)
{
	uint64_t others = timeline->other;
	FILE *out = report->out;
	size_t i, j;

	for (i = most; i < timeline->nr_rows; i++)
		others += timeline->rows[i]->count;
	fprintf(out, "\"%s\":{\"from\":%" PRId64 ",\"span\":%" PRIu64 ",\"rows\":[", name,
		since_first(report, timeline->from_ns), timeline->span_ns);
	for (i = 0; i < timeline->nr_rows && i < most; i++) {
		const struct timeline_row *row = timeline->rows[i];

		fputs(i ? ",\n{\"name\":" : "{\"name\":", out);
		write_word(out, row->label);
		fprintf(out, ",\"count\":%" PRIu64 ",\"spans\":[", row->count);
		for (j = 0; j < TIMELINE_SPANS; j++) {
			if (j)
				putc(',', out);
			if (row->spans[j])
				fprintf(out, "%u", row->spans[j]);
			else
				putc('0', out);
		}
		fputs("]}", out);
	}
	fprintf(out, "],\"more\":%zu,\"others\":%" PRIu64 "},\n",
		timeline->nr_rows > most ? timeline->nr_rows - most : 0, others);
}

static void write_losses(struct report *report)
{
	size_t count = kcatch_session_nr_probes(report->session), i;
	const struct kcatch_recording_info *info = kcatch_session_recording(report->session);
	const struct kcatch_totals *all = &report->losses.totals;
	const char *between = "";
	FILE *out = report->out;
	struct kcatch_totals t;
	char text[LOSSES_TEXT];
	uint32_t cpu;

	fprintf(out, "\"lossy\":%s,\"losses\":", losses_any(&report->losses) ? "true" : "false");
	write_word(out, report_losses(report, text, sizeof(text)));
	fprintf(out, ",\"totals\":{\"hits\":%" PRIu64, all->hits);
#define PUT(name, words, help) fprintf(out, ",\"" words "\":%" PRIu64, all->name);
	KCATCH_COUNTERS_TERMS(PUT)
#undef PUT
	fputs("},\n\"lost\":[", out);
	for (i = 0; i < count; i++) {
		if (kcatch_session_probe_totals(report->session, (uint32_t)i, &t) ||
		    !losses_in_totals(&t))
			continue;
		fprintf(out, "%s[", between);
		write_word(out, report_event_name(report, (uint32_t)i, text, sizeof(text)));
		fprintf(out, ",\"%s\"]", losses_equation(&t, false, text, sizeof(text)));
		between = ",";
	}
	for (cpu = 0; info && cpu < info->nr_cpus; cpu++) {
		if (kcatch_session_cpu_totals(report->session, cpu, &t) ||
		    !losses_in_totals(&t))
			continue;
		fprintf(out, "%s[\"CPU %u\",\"%s\"]", between, cpu,
			losses_equation(&t, false, text, sizeof(text)));
		between = ",";
	}
	fputs("],\n", out);
}

/* What shows all events of the page; the page adds the times of a span. */
static int write_command(struct report *report)
{
	const struct report_filter *filter = &report->options->filter;
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);

	if (!memory)
		return kcatch_error_memory();
	fputs("kcatch report ", memory);
	report_write_shell(memory, report->options->directory);
	report_filter_print(filter, memory);
	if (fclose(memory))
		return kcatch_error_memory();
	fputs("\"command\":", report->out);
	write_string(report->out, text, length);
	fprintf(report->out, ",\"limited\":%s,\n",
		filter->since_ns || filter->until_ns ? "true" : "false");
	free(text);
	return 0;
}

static int write_calls(struct report *report)
{
	struct html *html = report->state;
	struct why *why = html->why;
	FILE *out = report->out;
	int ret = why ? why_finish(why, report) : 0;

	fprintf(out, "\"crowded\":%s,\"calls\":", html->crowded ? "true" : "false");
	if (!ret && why && why->switches != why->unreadable)
		ret = why_picture_write(out, why, report->first_ns);
	else
		fputs("[]", out);
	fputs(",\n", out);
	return ret;
}

static int write_data(struct report *report)
{
	struct html *html = report->state;
	FILE *out = report->out;
	size_t i;
	int ret;

	fputs("{\"title\":", out);
	write_word(out, report->options->title);
	fprintf(out,
		",\"version\":\"%s\",\"events\":%" PRIu64 ",\"reported\":%" PRIu64
		",\"from\":%" PRId64 ",\"to\":%" PRId64 ",\"start\":\"%" PRIu64 ".%09" PRIu64
		"\",\n",
		KCATCH_VERSION, report->events, report->reported,
		since_first(report, report->from_ns), since_first(report, report->to_ns),
		report->from_ns / 1000000000, report->from_ns % 1000000000);
	write_losses(report);
	ret = write_tree(html, out);
	if (!ret)
		ret = write_command(report);
	if (!ret)
		ret = write_calls(report);
	if (ret)
		return ret;
	write_timeline(report, "all", &html->all, 1);
	write_timeline(report, "cpus", &html->cpus, CPUS);
	write_timeline(report, "tasks", &html->tasks, TASKS);
	fputs("\"rows\":[", out);
	for (i = 0; i < html->table.nr_rows; i++)
		fprintf(out, "%s%s", i ? ",\n" : "", html->table.rows[i].text);
	fputs("]}", out);
	return 0;
}

static int html_end(struct report *report)
{
	struct html *html = report->state;
	const char *page = report_asset_page_html, *place = strstr(page, DATA);
	int ret;

	if (!place)
		return kcatch_error_memory();
	stacks_finish(html->stacks);
	timeline_sort(&html->cpus, 0);
	timeline_sort(&html->tasks, 1);
	fwrite(page, 1, (size_t)(place - page), report->out);
	ret = write_data(report);
	fputs(place + strlen(DATA), report->out);
	return ret;
}

static void html_destroy(struct report *report)
{
	struct html *html = report->state;

	if (!html)
		return;
	table_rows_deinit(&html->table);
	stacks_destroy(html->stacks);
	timeline_deinit(&html->all);
	timeline_deinit(&html->cpus);
	timeline_deinit(&html->tasks);
	why_destroy(html->why);
	free(html);
}

const struct report_format report_html = {
	.name = "html",
	.description = "one page, offline: slow calls, timeline, flame graph, caller tree, events",
	.user_stacks = true,
	.begin = html_begin,
	.every = html_every,
	.event = html_event,
	.end = html_end,
	.destroy = html_destroy,
};
