/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics_series.c - the series of a rule: what was counted, by the labels */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>

#include "metrics_series.h"
#include "value_text.h"

#define LABEL_MAX 200U		/* bytes of a label's value, before escapes */
#define SECONDS_FIRST 8U	/* 255 ns */
#define SECONDS_LAST 36U	/* 68.7 s */

bool metrics_bucket_most(bool seconds, unsigned int number, uint64_t *most)
{
	unsigned int power = seconds ? number + SECONDS_FIRST : number;

	*most = (1ULL << power) - 1;
	return number < METRICS_BUCKETS && (!seconds || power <= SECONDS_LAST);
}

/* The kernel's buckets end where ours do, so each is in one of ours as a whole. */
static unsigned int bucket_of(bool seconds, int64_t most)
{
	unsigned int i;
	uint64_t end;

	for (i = 0; metrics_bucket_most(seconds, i, &end); i++)
		if (most <= (int64_t)end)
			return i;
	return METRICS_BUCKETS;
}

static void free_series(struct metrics_series *series)
{
	if (!series)
		return;
	free(series->labels);
	free(series->buckets);
	free(series);
}

static struct metrics_series *new_series(const struct metrics_store *store, const char *labels)
{
	struct metrics_series *series = calloc(1, sizeof(*series));

	if (!series)
		return NULL;
	series->labels = strdup(labels);
	if (store->has_buckets)
		series->buckets = calloc(METRICS_BUCKETS + 1, sizeof(*series->buckets));
	if (series->labels && (series->buckets || !store->has_buckets))
		return series;
	free_series(series);
	return NULL;
}

static int keep_series(struct metrics_store *store, struct metrics_series *series)
{
	struct metrics_series **more;

	if (!(store->nr & (store->nr - 1))) {
		more = realloc(store->series, (store->nr ? store->nr * 2 : 1) *
			       sizeof(struct metrics_series *));
		if (!more)
			return -ENOMEM;
		store->series = more;
	}
	if (kcatch_table_add(&store->index, series->labels, strlen(series->labels), store->nr) < 0)
		return -ENOMEM;
	store->series[store->nr++] = series;
	return 0;
}

static int make_series(struct metrics_store *store, const char *labels,
		       struct metrics_series **series)
{
	*series = new_series(store, labels);
	if (*series && !keep_series(store, *series))
		return 0;
	free_series(*series);
	return kcatch_error_memory();
}

/* comm="(other)",ret="(other)" */
static int make_other(struct metrics_store *store)
{
	char *text = NULL;
	size_t length, i;
	FILE *out = open_memstream(&text, &length);

	for (i = 0; out && i < store->nr_labels; i++)
		fprintf(out, "%s%s=\"(other)\"", i ? "," : "", store->labels[i]);
	if (out && !fclose(out))
		store->other = new_series(store, text);
	free(text);
	return store->other ? 0 : kcatch_error_memory();
}

int metrics_store_init(struct metrics_store *store)
{
	struct metrics_series *series;
	int ret = make_other(store);

	if (!ret && !store->nr_labels)
		ret = make_series(store, "", &series);
	return ret;
}

void metrics_store_deinit(struct metrics_store *store)
{
	size_t i;

	for (i = 0; i < store->nr; i++)
		free_series(store->series[i]);
	free(store->series);
	free_series(store->other);
	kcatch_table_deinit(&store->index);
}

/* ---- labels ----------------------------------------------------------------------------- */

/* Only UTF-8 may stand in a label. @length: at most LABEL_MAX */
static void put_escaped(FILE *out, const char *text, size_t length)
{
	char good[3 * LABEL_MAX + 1];
	size_t i;

	length = kcatch_text_utf8(text, length, good, sizeof(good));
	for (i = 0; i < length; i++) {
		if (good[i] == '\\' || good[i] == '"')
			fputc('\\', out);
		fputc((unsigned char)good[i] < ' ' ? '?' : good[i], out);
	}
}

/* A text that a key happens to have must not pass for one that kcatch made. */
static void put_text(FILE *out, const char *text, size_t length)
{
	if (value_hides_string(text, length)) {
		fputs("(address)", out);
		return;
	}
	if (length && text[0] == '(')
		fputs("\\\\", out);
	put_escaped(out, text, length < LABEL_MAX ? length : LABEL_MAX);
}

/* Scrapers are not root: an address is not theirs to see. */
static int put_address(FILE *out, struct kcatch_session *session, uint64_t address)
{
	struct kcatch_frame frame = { .symbol = NULL };
	const char *name = -address <= KCATCH_ERRNO_MAX ? kcatch_errno_name((int)-address) : NULL;
	int ret = 0;

	if (!address || name) {
		fprintf(out, "%s%s", name ? "-" : "", name ? name : "NULL");
		return 0;
	}
	if (session)
		ret = kcatch_session_name(session, address, false, &frame);
	if (frame.symbol)
		put_escaped(out, frame.symbol, strnlen(frame.symbol, LABEL_MAX));
	else
		fputs("(address)", out);
	return ret;
}

/* A number may hold an address: whether the sysctl lets root see it does not matter. */
static void put_number(FILE *out, const struct kcatch_count_key *key)
{
	if (!key->is_narrow && kcatch_number_may_be_address(key->number, key->is_signed))
		fputs("(address)", out);
	else if (key->is_signed)
		fprintf(out, "%" PRId64, (int64_t)key->number);
	else
		fprintf(out, "%" PRIu64, key->number);
}

static int put_key(FILE *out, struct kcatch_session *session, const struct kcatch_count_key *key)
{
	if (key->unreadable)
		fputs("(unreadable)", out);
	else if (key->kind == KCATCH_KEY_TEXT)
		put_text(out, key->text ? key->text : "", key->text ? key->length : 0);
	else if (key->kind == KCATCH_KEY_ADDRESS)
		return put_address(out, session, key->number);
	else
		put_number(out, key);
	return 0;
}

static int make_labels(const struct metrics_store *store, struct kcatch_session *session,
		       const struct kcatch_count_row *row, char **text)
{
	size_t length, i;
	FILE *out = open_memstream(text, &length);
	int ret = 0;

	if (!out)
		return kcatch_error_memory();
	for (i = 0; i < store->nr_labels && !ret; i++) {
		fprintf(out, "%s%s=\"", i ? "," : "", store->labels[i]);
		ret = put_key(out, session, &row->keys[i]);
		fputc('"', out);
	}
	if (fclose(out) && !ret)
		ret = kcatch_error_memory();
	return ret;
}

/* ---- counts ----------------------------------------------------------------------------- */

static void add(const struct metrics_store *store, struct metrics_series *series,
		const struct kcatch_count_row *row)
{
	size_t i;

	series->count += row->count;
	series->values += row->nr_values;
	series->sum += row->sum;
	for (i = 0; series->buckets && i < row->nr_buckets; i++)
		series->buckets[bucket_of(store->seconds, row->buckets[i].most)] +=
			row->buckets[i].count;
}

static int find_series(struct metrics_store *store, const char *labels,
		       struct metrics_series **series)
{
	const size_t *found = kcatch_table_find(&store->index, labels, strlen(labels));

	if (found) {
		*series = store->series[*found];
		return 0;
	}
	if (store->nr < store->max)
		return make_series(store, labels, series);
	*series = store->other;
	return 0;
}

static int find_series_of(struct metrics_store *store, struct kcatch_session *session,
			  const struct kcatch_count_row *row, struct metrics_series **series)
{
	char *labels = NULL;
	int ret = make_labels(store, session, row, &labels);

	if (!ret)
		ret = find_series(store, labels, series);
	free(labels);
	return ret;
}

static void add_other(struct metrics_store *store, const struct kcatch_count_row *row)
{
	store->table_other += row->count;
	/* Their values are in no bucket: a histogram must not have them. */
	if (!store->has_buckets)
		add(store, store->other, row);
}

int metrics_store_add(struct metrics_store *store, struct kcatch_session *session,
		      const struct kcatch_counts *counts)
{
	struct metrics_series **series = calloc(counts->nr_rows + 1, sizeof(*series));
	size_t i;
	int ret = series ? 0 : kcatch_error_memory();

	/* What may fail comes first. */
	for (i = 0; i < counts->nr_rows && !ret; i++)
		if (!counts->rows[i].is_other)
			ret = find_series_of(store, session, &counts->rows[i], &series[i]);
	for (i = 0; i < counts->nr_rows && !ret; i++) {
		if (series[i])
			add(store, series[i], &counts->rows[i]);
		else
			add_other(store, &counts->rows[i]);
	}
	free(series);
	return ret;
}
