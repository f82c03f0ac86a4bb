/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_helper_test.c - reports by two threads are those by one
 *
 * Description: the bytes and the figures are the same, whatever the number of events, also when
 * the report is interrupted, an event cannot be read, or the output is full.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_session.h"
#include "report.h"

static const char *const formats[] = { "text", "json", "rows" };

static struct report_options options;

/* What a report wrote, and what it counted. */
struct outcome_of {
	char *text;
	size_t length;
	int ret;
	struct report report;
};

static bool interrupt(const struct report *report)
{
	return report->events >= 8192;
}

/* @second: NULL: by one thread. */
static struct outcome_of make_report(const struct fake_source *source,
				     const struct fake_source *second, bool interrupted)
{
	struct outcome_of made = { .ret = 0 };
	FILE *out = open_memstream(&made.text, &made.length);
	struct report report = {
		.options = &options, .session = fake_open(source), .out = out,
		.second = second ? fake_open(second) : NULL,
		.progress = interrupted ? interrupt : NULL,
	};

	assert_non_null(out);
	assert_int_equal(report_filter_init(&report), 0);
	made.ret = report_run(&report);
	kcatch_filter_destroy(report.condition);
	fclose(out);
	free(report.session);
	free(report.second);
	made.report = report;
	return made;
}

static void set_up(const char *format)
{
	options = (struct report_options){ .format = report_format_find(format),
					   .rows = 100,
					   .directory = "r",
					   .title = "title",
					   .view = { .arguments = true } };
	assert_non_null(options.format);
}

static void expect_same(const struct fake_source *source, bool interrupted)
{
	struct outcome_of one = make_report(source, NULL, interrupted),
			  two = make_report(source, source, interrupted);

	assert_int_equal(one.ret, two.ret);
	assert_int_equal(one.length, two.length);
	assert_memory_equal(one.text, two.text, one.length);
	assert_int_equal(one.report.events, two.report.events);
	assert_int_equal(one.report.reported, two.report.reported);
	assert_int_equal(one.report.undecided, two.report.undecided);
	assert_int_equal(one.report.first_ns, two.report.first_ns);
	assert_int_equal(one.report.last_ns, two.report.last_ns);
	assert_int_equal(one.report.from_ns, two.report.from_ns);
	assert_int_equal(one.report.to_ns, two.report.to_ns);
	assert_int_equal(one.report.interrupted, two.report.interrupted);
	free(one.text);
	free(two.text);
}

static void any_number_of_events_gives_the_same(void **state)
{
	static const uint64_t counts[] = { 0, 1, 511, 512, 513, 1023, 1024, 1025, 5000 };
	struct fake_source numbered = fake_busy;
	size_t i, at;

	(void)state;
	numbered.numbers = true;
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		set_up(formats[i]);
		for (at = 0; at < sizeof(counts) / sizeof(counts[0]); at++) {
			fake_busy_count = counts[at];
			expect_same(&fake_busy, false);
			expect_same(&numbered, false);
		}
	}
}

static void filters_leave_the_same(void **state)
{
	(void)state;
	fake_busy_count = 3000;
	set_up("text");
	options.filter.condition = "odd";
	expect_same(&fake_busy, false);
	options.filter.pid = FAKE_PID + 3;
	expect_same(&fake_busy, false);
	options.filter.pid = 4711;
	expect_same(&fake_busy, false);
	set_up("text");
	options.fields[options.nr_fields++] = FIELD_ARGS;
	expect_same(&fake_busy, false);
}

static void an_interrupted_report_is_the_same(void **state)
{
	size_t i;

	(void)state;
	fake_busy_count = 20000;
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		set_up(formats[i]);
		expect_same(&fake_busy, true);
	}
}

/* Pictures depend on all events: they are made by one thread. */
static void other_formats_have_one_thread(void **state)
{
	size_t i;

	(void)state;
	fake_busy_count = 3000;
	for (i = 0; report_formats[i]; i++) {
		set_up(report_formats[i]->name);
		if (!options.format->forget && !options.format->every &&
		    options.format != &report_pprof)
			expect_same(&fake_busy, false);
	}
}

/* ---- what goes wrong ----------------------------------------------------------------- */

static void what_precedes_an_error_is_written(void **state)
{
	static const uint64_t places[] = { 1, 100, 512, 600, 1024, 1500, 2600 };
	struct fake_source source = fake_busy;
	size_t i;

	(void)state;
	fake_busy_count = 3000;
	set_up("text");
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		source.fails_at = places[i];
		expect_same(&source, false);
		assert_string_equal(kcatch_error_text(), "event cannot be read");
	}
}

static void the_second_thread_alone_fails(void **state)
{
	static const uint64_t places[] = { 100, 512, 600, 1023, 1024, 1500, 1536 };
	struct fake_source source = fake_busy;
	struct outcome_of made;
	size_t i;

	(void)state;
	fake_busy_count = 5000;
	set_up("json");
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		source.fails_at = places[i];
		made = make_report(&fake_busy, &source, false);
		assert_int_equal(made.ret, -EIO);
		assert_string_equal(kcatch_error_text(), "event cannot be read");
		free(made.text);
	}
}

static bool make_fewer(uint64_t number, struct fake_event *made)
{
	return number < 700 && fake_busy.make(number, made);
}

static void a_recording_that_changes_is_refused(void **state)
{
	struct fake_source fewer = fake_busy;
	struct outcome_of made;

	(void)state;
	fewer.make = make_fewer;
	fake_busy_count = 5000;
	set_up("text");
	made = make_report(&fake_busy, &fewer, false);
	assert_int_equal(made.ret, -EAGAIN);
	free(made.text);
	made = make_report(&fewer, &fake_busy, false);
	assert_int_equal(made.ret, -EAGAIN);
	free(made.text);
}

static void a_full_output_ends_it(void **state)
{
	struct report report = { .options = &options, .out = fopen("/dev/full", "w") };

	(void)state;
	fake_busy_count = 1000000;
	set_up("json");
	report.session = fake_open(&fake_busy);
	report.second = fake_open(&fake_busy);
	assert_int_equal(report_run(&report), 0);
	assert_true(ferror(report.out));
	assert_true(report.events < 10000);
	fclose(report.out);
	free(report.session);
	free(report.second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_events_gives_the_same),
		cmocka_unit_test(filters_leave_the_same),
		cmocka_unit_test(an_interrupted_report_is_the_same),
		cmocka_unit_test(other_formats_have_one_thread),
		cmocka_unit_test(what_precedes_an_error_is_written),
		cmocka_unit_test(the_second_thread_alone_fails),
		cmocka_unit_test(a_recording_that_changes_is_refused),
		cmocka_unit_test(a_full_output_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
