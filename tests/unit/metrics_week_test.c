/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The series of kcatch metrics over a simulated week: new keys all the time, constant memory,
 * numbers that add up, also where memory is short; labels of hostile keys; buckets and sums that
 * are exact.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "metrics_text.h"

#define SCRAPES (7 * 24 * 3600 / 15)	/* of a week */
#define ROWS 40				/* new keys between two scrapes */

static char *label = (char *)"comm";
static struct metrics_rule rule = { .name = "reads", .help = "reads \\ of \"x\xff\"" };
static struct metrics_state state = { .version = "1", .reload_good = true };

static struct metrics_source set_up(struct metrics_store *store, uint64_t max, bool histogram)
{
	memset(store, 0, sizeof(*store));
	store->labels = &label;
	store->nr_labels = 1;
	store->max = max;
	store->seconds = histogram;
	store->has_buckets = histogram;
	assert_int_equal(metrics_store_init(store), 0);
	rule.kind = histogram ? METRICS_HISTOGRAM : METRICS_COUNTER;
	rule.unit = histogram ? METRICS_SECONDS : METRICS_NO_UNIT;
	rule.name = histogram ? "reads_seconds" : "reads";
	return (struct metrics_source){ .rule = &rule, .store = store, .created_ns = 1500000000 };
}

static void add_key(struct metrics_store *store, const struct kcatch_count_key *key,
		    uint64_t count, int64_t value)
{
	const struct kcatch_count_bucket bucket = { value, value, count };
	const struct kcatch_count_row row = { .keys = key, .count = count, .nr_values = count,
					      .sum = value * (int64_t)count, .buckets = &bucket,
					      .nr_buckets = 1 };
	const struct kcatch_counts counts = { .rows = &row, .nr_rows = 1, .nr_keys = 1 };

	assert_int_equal(metrics_store_add(store, NULL, &counts), 0);
}

static void add_text(struct metrics_store *store, const char *text, size_t length, uint64_t count,
		     int64_t value)
{
	const struct kcatch_count_key key = { .kind = KCATCH_KEY_TEXT, .text = text,
					      .length = length };

	add_key(store, &key, count, value);
}

static void add_number(struct metrics_store *store, enum kcatch_key_kind kind, bool is_signed,
		       uint64_t number)
{
	const struct kcatch_count_key key = { .kind = kind, .is_signed = is_signed,
					      .number = number };

	add_key(store, &key, 1, 0);
}

/* An int: none of its values below 0 is an address. */
static void add_int(struct metrics_store *store, int number)
{
	const struct kcatch_count_key key = { .kind = KCATCH_KEY_NUMBER, .is_signed = true,
					      .is_narrow = true, .number = (uint64_t)number };

	add_key(store, &key, 1, 0);
}

static char *print(const struct metrics_source *source, bool open)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	metrics_print(out, open, source, 1, &state);
	assert_int_equal(fclose(out), 0);
	return text;
}

static uint64_t number_of(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	assert_non_null(at);
	return strtoull(at + strlen(name), NULL, 10);
}

static uint64_t term(const char *text, const char *name)
{
	char sample[120];

	snprintf(sample, sizeof(sample), "\nkcatch_%s_total{rule=\"%s\"} ", name, rule.name);
	return number_of(text, sample);
}

/* Programs with names that never come again, for a week. */
static void week(bool histogram)
{
	struct metrics_store store;
	struct metrics_source source = set_up(&store, 100, histogram);
	size_t scrape, i, used = 0;
	uint64_t calls = 0;
	char *text;

	for (scrape = 0; scrape < SCRAPES; scrape++) {
		for (i = 0; i < ROWS; i++) {
			char name[32];
			int length = snprintf(name, sizeof(name), "job-%zu", scrape * ROWS + i);

			add_text(&store, name, (size_t)length, 3, 1000);
			calls += 3;
		}
		add_text(&store, "cron", 4, 1, 5000);
		calls++;
		if (scrape % 1000)
			continue;
		text = print(&source, true);
		free(text);
		if (scrape < 2000)
			used = mallinfo2().uordblks;
		else
			assert_in_range(mallinfo2().uordblks, 0, used + 65536);
	}
	assert_int_equal(store.nr, 100);
	text = print(&source, false);
	assert_int_equal(term(text, "counted") + term(text, "overflowed_series"), calls);
	/* 40 in the first portion, "cron" after them, 59 of the second. */
	assert_int_equal(term(text, "counted"), 99 * 3 + SCRAPES);
	free(text);
	metrics_store_deinit(&store);
}

static void week_of_counters(void **unused)
{
	(void)unused;
	week(false);
}

static void week_of_histograms(void **unused)
{
	(void)unused;
	week(true);
}

static void expect(const char *text, const char *line)
{
	if (!strstr(text, line))
		fail_msg("missing: %s in:\n%s", line, text);
}

static void labels_are_escaped(void **unused)
{
	struct metrics_store store;
	struct metrics_source source = set_up(&store, 10, false);
	char *text;

	(void)unused;
	add_text(&store, "a\"b\\c\nd", 7, 1, 0);
	add_text(&store, "\xff\xfe", 2, 2, 0);
	add_text(&store, "(other)", 7, 3, 0);
	add_text(&store, "", 0, 4, 0);
	text = print(&source, true);
	expect(text, "reads_total{comm=\"a\\\"b\\\\c?d\"} 1\n");
	expect(text, "reads_total{comm=\"\xef\xbf\xbd\xef\xbf\xbd\"} 2\n");
	expect(text, "reads_total{comm=\"\\\\(other)\"} 3\n");
	expect(text, "reads_total{comm=\"\"} 4\n");
	expect(text, "# HELP reads reads \\\\ of \\\"x\xef\xbf\xbd\\\"\n");
	expect(text, "reads_created{comm=\"\"} 1.5\n");
	assert_null(strstr(text, "{comm=\"(other)\"}"));
	assert_string_equal(text + strlen(text) - 6, "# EOF\n");
	free(text);
	/* The older format has no escape for quotes there. */
	text = print(&source, false);
	expect(text, "# HELP reads_total reads \\\\ of \"x\xef\xbf\xbd\"\n");
	free(text);
	metrics_store_deinit(&store);
}

/* Who scrapes is not root. All that are hidden are in one series: two of the same labels are an
 * error to Prometheus. */
static void addresses_are_hidden(void **unused)
{
	struct metrics_store store;
	struct metrics_source source = set_up(&store, 10, false);
	char *text;

	(void)unused;
	add_number(&store, KCATCH_KEY_NUMBER, false, 0xffff888123456000);
	add_number(&store, KCATCH_KEY_NUMBER, false, 0x8000000000000000);
	add_number(&store, KCATCH_KEY_NUMBER, false, -4096ULL);
	add_number(&store, KCATCH_KEY_ADDRESS, false, 0xffffffffc0123456);
	add_number(&store, KCATCH_KEY_NUMBER, false, 0x7fffffffffffffff);
	add_number(&store, KCATCH_KEY_NUMBER, false, -4095ULL);
	add_number(&store, KCATCH_KEY_NUMBER, true, -5000ULL);
	add_number(&store, KCATCH_KEY_NUMBER, true, -2000000000ULL);
	add_int(&store, -2000000000);
	text = print(&source, true);
	expect(text, "reads_total{comm=\"(address)\"} 5\n");
	expect(text, "reads_total{comm=\"-2000000000\"} 1\n");
	expect(text, "reads_total{comm=\"9223372036854775807\"} 1\n");
	expect(text, "reads_total{comm=\"18446744073709547521\"} 1\n");
	expect(text, "reads_total{comm=\"-5000\"} 1\n");
	assert_int_equal(store.nr, 5);
	free(text);
	metrics_store_deinit(&store);
}

static void buckets_are_exact(void **unused)
{
	struct metrics_store store;
	struct metrics_source source = set_up(&store, 10, true);
	char *text;

	(void)unused;
	add_text(&store, "dd", 2, 1, 1023);
	add_text(&store, "dd", 2, 2, 1024);
	add_text(&store, "dd", 2, 1, -5);
	add_text(&store, "dd", 2, 1, 100000000000);
	text = print(&source, true);
	expect(text, "# UNIT reads_seconds seconds\n");
	expect(text, "reads_seconds_bucket{comm=\"dd\",le=\"0.000000255\"} 1\n");
	expect(text, "reads_seconds_bucket{comm=\"dd\",le=\"0.000001023\"} 2\n");
	expect(text, "reads_seconds_bucket{comm=\"dd\",le=\"0.000002047\"} 4\n");
	expect(text, "reads_seconds_bucket{comm=\"dd\",le=\"68.719476735\"} 4\n");
	expect(text, "reads_seconds_bucket{comm=\"dd\",le=\"+Inf\"} 5\n");
	expect(text, "reads_seconds_count{comm=\"dd\"} 5\n");
	expect(text, "reads_seconds_sum{comm=\"dd\"} 100.000003066\n");
	free(text);
	metrics_store_deinit(&store);
}

/* The kernel's (other) has no histogram: its calls are in no series of one. */
static void other_of_the_kernel(void **unused)
{
	const struct kcatch_count_row row = { .is_other = true, .count = 7, .nr_values = 7,
					      .sum = 70 };
	const struct kcatch_counts counts = { .rows = &row, .nr_rows = 1, .nr_keys = 1 };
	struct metrics_store store;
	struct metrics_source source = set_up(&store, 10, true);
	char *text;

	(void)unused;
	assert_int_equal(metrics_store_add(&store, NULL, &counts), 0);
	text = print(&source, false);
	assert_int_equal(term(text, "overflowed_table"), 7);
	assert_int_equal(term(text, "overflowed_series"), 0);
	assert_null(strstr(text, "\"(other)\""));
	free(text);
	metrics_store_deinit(&store);
	source = set_up(&store, 10, false);
	assert_int_equal(metrics_store_add(&store, NULL, &counts), 0);
	text = print(&source, false);
	expect(text, "reads_total{comm=\"(other)\"} 7\n");
	assert_int_equal(term(text, "overflowed_table"), 7);
	assert_int_equal(term(text, "overflowed_series"), 0);
	free(text);
	metrics_store_deinit(&store);
}

static unsigned int until_short;	/* streams until there is no memory for one; 0: there is */

/* In place of the C library's: each row's labels are written into such a stream. */
FILE *open_memstream(char **text, size_t *length)
{
	FILE *(*real)(char **, size_t *);
	void *symbol = dlsym(RTLD_NEXT, "open_memstream");

	memcpy(&real, &symbol, sizeof(real));
	if (until_short && !--until_short) {
		errno = ENOMEM;
		return NULL;
	}
	return real(text, length);
}

/* After an error the same counts are given once more, with the next ones. */
static void memory_is_short(void **unused)
{
	const struct kcatch_count_key keys[] = {
		{ .kind = KCATCH_KEY_TEXT, .text = "cat", .length = 3 },
		{ .kind = KCATCH_KEY_TEXT, .text = "dd", .length = 2 },
	};
	const struct kcatch_count_row rows[] = {
		{ .keys = &keys[0], .count = 3 }, { .is_other = true, .count = 5 },
		{ .keys = &keys[1], .count = 4 },
	};
	const struct kcatch_counts counts = { .rows = rows, .nr_rows = 3, .nr_keys = 1 };
	struct metrics_store store;
	struct metrics_source source = set_up(&store, 10, false);
	char *text;

	(void)unused;
	until_short = 2;
	assert_int_equal(metrics_store_add(&store, NULL, &counts), -ENOMEM);
	assert_int_equal(until_short, 0);
	assert_int_equal(metrics_store_add(&store, NULL, &counts), 0);
	text = print(&source, false);
	expect(text, "reads_total{comm=\"cat\"} 3\n");
	expect(text, "reads_total{comm=\"dd\"} 4\n");
	assert_int_equal(term(text, "overflowed_table"), 5);
	free(text);
	metrics_store_deinit(&store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(week_of_counters),
		cmocka_unit_test(week_of_histograms),
		cmocka_unit_test(labels_are_escaped),
		cmocka_unit_test(addresses_are_hidden),
		cmocka_unit_test(buckets_are_exact),
		cmocka_unit_test(other_of_the_kernel),
		cmocka_unit_test(memory_is_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
