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
#include <kcatch_text.h>
#include "histogram.h"
#include "top_table.h"
#include "value_text.h"

#define NULL_RETURNED 1	/* the failure of a function that returned NULL */

/* Calls that failed with an error. */
struct top_error {
	int error;		/* -errno, or NULL_RETURNED */
	uint64_t count;
	uint64_t before;	/* count at the update before */
};

struct top_row {
	char *key;		/* function, '\0', caller, '\0' */
	uint64_t total;
	uint64_t failed;
	uint64_t time_ns;	/* in calls */
	uint64_t recent;	/* calls between the last two updates */
	uint64_t recent_ns;	/* time in them */
	uint64_t before, before_ns;	/* of the update before */
	struct top_error *errors;
	size_t nr_errors;
	int error;		/* what most of the latest failed calls failed with */
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
		free(table->rows[i]->errors);
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

/* The parts of a key, in the order of top_table_request(). */
enum { KEY_FUNCTION, KEY_CALLER, KEY_FAILURE, KEYS };

void top_table_request(struct kcatch_count_request *request)
{
	static const char *const keys[KEYS] = {
		[KEY_FUNCTION] = "function", [KEY_CALLER] = "caller", [KEY_FAILURE] = "failure",
	};

	request->size = sizeof(*request);
	request->keys = keys;
	request->nr_keys = KEYS;
	request->hist = "latency";
	request->entries = true;
}

static size_t put_text(char *key, size_t at, size_t room, const struct kcatch_count_key *part)
{
	size_t length = part->text ? part->length : 0;

	length = length < room ? length : room - 1;
	if (length)
		memcpy(key + at, part->text, length);
	key[at + length] = '\0';
	return at + length + 1;
}

/* The row that the calls of a counted row belong to; NULL: no memory. */
static struct top_row *row_of_counted(struct top_table *table,
				      const struct kcatch_count_row *counted)
{
	static const char other[] = "[other]\0";
	char key[1200];
	size_t length;

	if (counted->is_other)
		return row_of(table, other, sizeof(other));
	length = put_text(key, 0, sizeof(key) / 2, &counted->keys[KEY_FUNCTION]);
	length = put_text(key, length, sizeof(key) / 2, &counted->keys[KEY_CALLER]);
	return row_of(table, key, length);
}

static int add_error(struct top_row *row, int error, uint64_t count)
{
	struct top_error *errors;
	size_t i;

	for (i = 0; i < row->nr_errors && row->errors[i].error != error; i++)
		;
	if (i == row->nr_errors) {
		errors = realloc(row->errors, (i + 1) * sizeof(*errors));
		if (!errors)
			return kcatch_error_memory();
		row->errors = errors;
		errors[row->nr_errors++] = (struct top_error){ .error = error };
	}
	row->errors[i].count += count;
	row->failed += count;
	return 0;
}

/* The histogram has the middles of the kernel's buckets; least, most and sum are exact. */
static int add_latency(struct histogram *latency, const struct kcatch_count_row *counted)
{
	uint64_t least = latency->count ? latency->least : UINT64_MAX, most = latency->most;
	double sum = latency->sum;
	size_t i;
	int ret = 0;

	for (i = 0; i < counted->nr_buckets && !ret; i++) {
		const struct kcatch_count_bucket *bucket = &counted->buckets[i];

		ret = histogram_add_many(latency, (uint64_t)bucket->least +
					 (uint64_t)(bucket->most - bucket->least) / 2,
					 bucket->count);
	}
	if (!counted->nr_values)
		return ret;
	latency->least = (uint64_t)counted->min < least ? (uint64_t)counted->min : least;
	latency->most = (uint64_t)counted->max > most ? (uint64_t)counted->max : most;
	latency->sum = sum + (double)counted->sum;
	return ret;
}

static int add_counted(struct top_row *row, const struct kcatch_count_row *counted)
{
	int ret = 0;

	row->total += counted->count;
	row->time_ns += (uint64_t)counted->sum;
	if (!counted->is_other && counted->keys[KEY_FAILURE].number)
		ret = add_error(row, (int)counted->keys[KEY_FAILURE].number, counted->count);
	return ret ? ret : add_latency(&row->latency, counted);
}

/* Set what is counted anew from the beginning to 0. */
static void begin_update(struct top_row *row)
{
	size_t i;

	row->before = row->total;
	row->before_ns = row->time_ns;
	row->total = row->time_ns = row->failed = 0;
	histogram_deinit(&row->latency);
	memset(&row->latency, 0, sizeof(row->latency));
	for (i = 0; i < row->nr_errors; i++) {
		row->errors[i].before = row->errors[i].count;
		row->errors[i].count = 0;
	}
}

static void end_update(struct top_row *row)
{
	uint64_t grew = 0;
	size_t i;

	row->recent = row->total - row->before;
	row->recent_ns = row->time_ns - row->before_ns;
	for (i = 0; i < row->nr_errors; i++) {
		const struct top_error *error = &row->errors[i];

		if (error->count - error->before > grew) {
			grew = error->count - error->before;
			row->error = error->error;
		}
	}
}

int top_table_update(struct top_table *table, const struct kcatch_counts *counts)
{
	uint64_t before = table->total;
	size_t i;
	int ret = 0;

	for (i = 0; i < table->count; i++)
		begin_update(table->rows[i]);
	for (i = 0; i < counts->nr_rows && !ret; i++) {
		struct top_row *row = row_of_counted(table, &counts->rows[i]);

		ret = row ? add_counted(row, &counts->rows[i]) : kcatch_error_memory();
	}
	for (i = 0; i < table->count; i++)
		end_update(table->rows[i]);
	table->total = counts->total;
	table->recent = counts->total - before;
	return ret;
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

static const char *error_text(int error, char *text, size_t room)
{
	const char *name = error < 0 ? kcatch_errno_name(-error) : "NULL";

	if (error >= 0)
		return name;
	if (name)
		snprintf(text, room, "-%s", name);
	else
		snprintf(text, room, "%d", error);
	return text;
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

enum column { CALLS, TOTAL, FAILURES, AVERAGE, P99, MAX, COLUMNS };

static const struct {
	const char *head;
	int width;	/* negative: the text stands on the left */
} columns[COLUMNS] = {
	[CALLS] = { "calls/s", 8 }, [TOTAL] = { "total", 9 }, [FAILURES] = { "failed", -16 },
	[AVERAGE] = { "average", 9 }, [P99] = { "p99", 9 }, [MAX] = { "max", 9 },
};

/* A narrow terminal has room for few figures beside the names. */
static bool is_shown(const struct top_view *view, enum column column)
{
	static const enum column of_order[TOP_ORDERS] = {
		[TOP_BY_CALLS] = P99, [TOP_BY_TOTAL] = TOTAL, [TOP_BY_FAILED] = FAILURES,
		[TOP_BY_TIME] = AVERAGE, [TOP_BY_P99] = P99, [TOP_BY_MAX] = MAX,
	};

	if (!view->columns || view->columns >= 110)
		return true;
	if (view->columns >= 80)
		return column != TOTAL && column != AVERAGE;
	return column == CALLS || column == of_order[view->order];
}

static const char *figure(const struct top_row *row, const struct top_view *view,
			  enum column column, char *text, size_t room)
{
	const struct histogram *h = &row->latency;
	char error[24];

	switch (column) {
	case TOTAL:
		snprintf(text, room, "%" PRIu64, row->total);
		return text;
	case FAILURES:
		if (!row->failed)
			return "-";
		snprintf(text, room, "%" PRIu64 " %s", row->failed,
			 error_text(row->error, error, sizeof(error)));
		return text;
	case AVERAGE:
		return latency(h->count ? (uint64_t)(h->sum / (double)h->count) : 0, text, room);
	case P99:
		return latency(histogram_percentile(h, 99), text, room);
	case MAX:
		return latency(h->most, text, room);
	default:
		snprintf(text, room, "%.0f",
			 view->seconds > 0 ? (double)row->recent / view->seconds : 0);
		return text;
	}
}

static int print_row(FILE *out, const struct top_row *row, const struct top_view *view,
		     const char *end)
{
	unsigned int used = 0;
	enum column i;
	char text[48], *names;

	for (i = 0; i < COLUMNS; i++)
		if (is_shown(view, i))
			used += (unsigned int)fprintf(out, "%*s ", columns[i].width,
						      figure(row, view, i, text, sizeof(text)));
	names = names_of(row, view->columns > used ? view->columns - used :
			      view->columns        ? 1 :
						     0);
	if (!names)
		return kcatch_error_memory();
	fprintf(out, "%s%s", names, end);
	free(names);
	return 0;
}

static void print_columns(FILE *out, const struct top_view *view, const char *end)
{
	enum column i;

	for (i = 0; i < COLUMNS; i++)
		if (is_shown(view, i))
			fprintf(out, "%*s ", columns[i].width, columns[i].head);
	fprintf(out, "function < called by%s", end);
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
	return ret;
}
