/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top_table.c - the table of kcatch top: functions and their callers, with counts
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_containers.h>
#include "histogram.h"
#include "top_table.h"
#include "report.h"
#include "value_text.h"

struct top_row {
	char *key;		/* function, '\0', caller, '\0' */
	uint64_t recent;	/* events since the last picture */
	uint64_t recent_ns;	/* time in calls since the last picture */
	uint64_t total;
	uint64_t failed;
	char error[20];		/* the last error */
	struct histogram latency;
};

struct top_table {
	struct top_row **rows;
	size_t count;
	struct kcatch_table index;
	uint64_t recent;
	uint64_t total;
};

static const char *const orders[TOP_ORDERS] = {
	[TOP_BY_CALLS] = "calls", [TOP_BY_TOTAL] = "total", [TOP_BY_FAILED] = "failed",
	[TOP_BY_TIME] = "latency", [TOP_BY_P99] = "p99", [TOP_BY_MAX] = "max",
};

bool top_table_order_find(const char *name, enum top_order *order)
{
	size_t i;

	for (i = 0; i < TOP_ORDERS; i++) {
		if (!strcmp(name, orders[i]) || (name[0] == orders[i][0] && !name[1])) {
			*order = (enum top_order)i;
			return true;
		}
	}
	return false;
}

struct top_table *top_table_create(void)
{
	struct top_table *table = calloc(1, sizeof(*table));

	if (table)
		table->rows = calloc(TOP_ROWS + 1, sizeof(*table->rows));
	if (table && !table->rows) {
		free(table);
		return NULL;
	}
	return table;
}

void top_table_reset(struct top_table *table)
{
	size_t i;

	for (i = 0; i < table->count; i++) {
		histogram_deinit(&table->rows[i]->latency);
		free(table->rows[i]->key);
		free(table->rows[i]);
	}
	kcatch_table_deinit(&table->index);
	memset(&table->index, 0, sizeof(table->index));
	table->count = 0;
	table->recent = table->total = 0;
}

void top_table_destroy(struct top_table *table)
{
	if (!table)
		return;
	top_table_reset(table);
	free(table->rows);
	free(table);
}

static struct top_row *row_of(struct top_table *table, const char *key, size_t length)
{
	static const char other[] = "[other]\0";
	size_t *known = kcatch_table_find(&table->index, key, length);
	struct top_row *row;

	if (known)
		return table->rows[*known];
	if (table->count >= TOP_ROWS && memcmp(key, other, sizeof(other)))
		return row_of(table, other, sizeof(other));
	row = calloc(1, sizeof(*row));
	if (row)
		row->key = malloc(length);
	if (!row || !row->key) {
		free(row);
		return NULL;
	}
	memcpy(row->key, key, length);
	if (kcatch_table_add(&table->index, row->key, length, table->count) < 0) {
		free(row->key);
		free(row);
		return NULL;
	}
	table->rows[table->count++] = row;
	return row;
}

/* Make the key of an event's row. Return: its length in bytes. */
static size_t make_key(struct kcatch_session *session, const struct kcatch_event *event, char *key,
		       size_t room)
{
	struct report report = { .session = session };
	struct kcatch_frame frame;
	size_t at;

	report_event_name(&report, event->probe, key, room / 2);
	at = strlen(key) + 1;
	key[at] = '\0';
	if (event->nr_frames && !kcatch_session_frame(session, 0, &frame)) {
		if (frame.symbol)
			snprintf(key + at, room - at, frame.module ? "%s [%s]" : "%s", frame.symbol,
				 frame.module);
		else
			snprintf(key + at, room - at, "%s", frame.self ? "[kcatch]" : "[unknown]");
	}
	return at + strlen(key + at) + 1;
}

static int count_return(struct kcatch_session *session, const struct kcatch_event *event,
			struct top_row *row)
{
	const struct kcatch_value *value;

	row->recent_ns += event->latency_ns;
	if (!kcatch_session_return_value(session, &value) && value_is_failure(value)) {
		row->failed++;
		if (value->is_error && value->text)
			snprintf(row->error, sizeof(row->error), "%s%.*s",
				 value->text[0] == '-' ? "" : "-", (int)value->length, value->text);
		else
			snprintf(row->error, sizeof(row->error),
				 value->is_error ? "error" : "NULL");
	}
	return histogram_add(&row->latency, event->latency_ns);
}

int top_table_add(struct top_table *table, struct kcatch_session *session,
		  const struct kcatch_event *event)
{
	char key[600];
	size_t length = make_key(session, event, key, sizeof(key));
	struct top_row *row = row_of(table, key, length);

	if (!row)
		return kcatch_error_memory();
	table->recent++;
	table->total++;
	row->recent++;
	row->total++;
	return event->returned == KCATCH_RETURN_SEEN ? count_return(session, event, row) : 0;
}

uint64_t top_table_recent(const struct top_table *table)
{
	return table->recent;
}

uint64_t top_table_total(const struct top_table *table)
{
	return table->total;
}

struct ordered {
	const struct top_row *row;
	uint64_t weight;
};

static int compare(const void *a, const void *b)
{
	const struct ordered *one = a, *two = b;

	if (one->weight != two->weight)
		return one->weight > two->weight ? -1 : 1;
	if (one->row->total != two->row->total)
		return one->row->total > two->row->total ? -1 : 1;
	return strcmp(one->row->key, two->row->key);
}

static uint64_t weight_of(const struct top_row *row, enum top_order order)
{
	switch (order) {
	case TOP_BY_TOTAL:
		return row->total;
	case TOP_BY_FAILED:
		return row->failed;
	case TOP_BY_TIME:
		return row->recent_ns;
	case TOP_BY_P99:
		return histogram_percentile(&row->latency, 99);
	case TOP_BY_MAX:
		return row->latency.most;
	default:
		return row->recent;
	}
}

static const char *latency(uint64_t ns, char *text, size_t room)
{
	return ns ? value_text_latency(ns, text, room) : "-";
}

/* "function < caller", escaped and cut to @columns (0: not cut), to be freed. */
static char *names_of(const struct top_row *row, unsigned int columns)
{
	const char *caller = row->key + strlen(row->key) + 1;
	size_t length, width = 0, i;
	char *text = NULL;
	FILE *memory = open_memstream(&text, &length);

	if (!memory)
		return NULL;
	value_text_escaped(memory, row->key, strlen(row->key), false);
	if (*caller) {
		fputs(" < ", memory);
		value_text_escaped(memory, caller, strlen(caller), false);
	}
	if (fclose(memory)) {
		free(text);
		return NULL;
	}
	for (i = 0; columns && i < length; i++) {
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
		if (width > columns) {
			text[i] = '\0';
			break;
		}
	}
	return text;
}

/* On a narrow terminal, the total and the average are left out in favour of the names. */
static bool is_narrow(const struct top_view *view)
{
	return view->columns && view->columns < 110;
}

static int print_row(FILE *out, const struct top_row *row, const struct top_view *view,
		     const char *end)
{
	char average[24], high[24], most[24], failed[48] = "-";
	const struct histogram *h = &row->latency;
	const unsigned int figures = is_narrow(view) ? 46 : 67;
	char *names = names_of(row, view->columns > figures ? view->columns - figures :
				    view->columns           ? 1 :
							      0);

	if (!names)
		return kcatch_error_memory();
	if (row->failed)
		snprintf(failed, sizeof(failed), "%" PRIu64 " %s", row->failed, row->error);
	fprintf(out, "%8.0f ", view->seconds > 0 ? (double)row->recent / view->seconds : 0);
	if (!is_narrow(view))
		fprintf(out, "%9" PRIu64 " ", row->total);
	fprintf(out, "%-16.16s ", failed);
	if (!is_narrow(view))
		fprintf(out, "%9s ",
			latency(h->count ? (uint64_t)(h->sum / (double)h->count) : 0, average,
				sizeof(average)));
	fprintf(out, "%9s %9s %s%s", latency(histogram_percentile(h, 99), high, sizeof(high)),
		latency(h->most, most, sizeof(most)), names, end);
	free(names);
	return 0;
}

static void print_columns(FILE *out, const struct top_view *view, const char *end)
{
	if (is_narrow(view))
		fprintf(out, "%8s %-16s %9s %9s %s%s", "calls/s", "failed", "p99", "max",
			"function < called by", end);
	else
		fprintf(out, "%8s %9s %-16s %9s %9s %9s %s%s", "calls/s", "total", "failed", "average",
			"p99", "max", "function < called by", end);
}

int top_table_print(struct top_table *table, FILE *out, const struct top_view *view,
		    const char *end)
{
	struct ordered *ordered = malloc((table->count + 1) * sizeof(*ordered));
	size_t i;
	int ret = 0;

	if (!ordered)
		return kcatch_error_memory();
	for (i = 0; i < table->count; i++) {
		ordered[i].row = table->rows[i];
		ordered[i].weight = weight_of(table->rows[i], view->order);
	}
	qsort(ordered, table->count, sizeof(*ordered), compare);
	print_columns(out, view, end);
	for (i = 0; i < table->count && i < view->rows && !ret; i++)
		ret = print_row(out, ordered[i].row, view, end);
	if (table->count > view->rows)
		fprintf(out, "%zu more%s", table->count - view->rows, end);
	free(ordered);
	for (i = 0; i < table->count; i++)
		table->rows[i]->recent = table->rows[i]->recent_ns = 0;
	table->recent = 0;
	return ret;
}
