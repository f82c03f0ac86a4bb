/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reports_test.c - reports of made-up events: figures, filters, names from hell, and what
 * independent readers make of the binary ones
 *
 * Description: every format says what happened, names cannot break out of any, and what is
 * too much is counted.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "fake_session.h"
#include "histogram.h"
#include "perfetto.pb-c.h"
#include "pprof.pb-c.h"
#include "report.h"
#include "stacks.h"

/* ---- six calls of two functions, an event, and hostile names ------------------ */

#define HOSTILE "</script>]]><b>\"'&;\n\x1b[31m\xff\xc3"

static const struct kcatch_probe probes[] = {
	{ .function = "vfs_open", .mechanism = KCATCH_BY_FTRACE, .address = 0x1000 },
	{ .function = "ovl_open", .module = "overlay", .mechanism = KCATCH_BY_FTRACE },
	{ .function = "sched_switch", .module = "sched", .mechanism = KCATCH_BY_TRACEPOINT },
};

static bool make_few(uint64_t number, struct fake_event *made)
{
	struct kcatch_event *event = &made->event;

	if (number >= 7)
		return false;
	event->time_ns = 1000000000 + number * 1000000;
	event->cpu = number % 2;
	event->pid = FAKE_PID;
	event->tid = FAKE_PID + 1 + (uint32_t)number / 4;
	event->call = number + 1;
	event->typed = true;
	event->probe = number == 6 ? 2 : number % 3 == 2;
	strcpy(event->comm, number == 5 ? "a;b\n<i>" : "cat");
	if (number == 6) {
		event->is_event = true;
		event->stack = KCATCH_STACK_ABSENT;
		made->args[0] = fake_string("next", HOSTILE "(3000103)");
		made->args[1] = fake_integer("next_pid", FAKE_PID + 3);
		event->nr_args = 2;
		return true;
	}
	event->returned = KCATCH_RETURN_SEEN;
	event->latency_ns = 1000 * (number + 1);
	made->args[0] = fake_string("path", number == 4 ? HOSTILE : "/etc/passwd");
	made->args[1] = fake_integer("flags", (int64_t)number - 3);
	event->nr_args = 2;
	made->ret = number == 3 ? fake_error("ENOENT", -2) : fake_integer(NULL, (int64_t)number);
	fake_frame(made, number == 1 ? HOSTILE : "do_open", NULL);
	fake_frame(made, "path_openat", NULL);
	if (number == 2)
		event->stack = KCATCH_STACK_CUT;
	if (number == 0)
		fake_user_frame(made, "main", "/bin/cat");
	return true;
}

static struct fake_source few = {
	.make = make_few, .probes = probes, .nr_probes = 3,
	.totals = { .hits = 7, .recorded = 7 },
};

static struct report_options options;
static struct report report;

static void set_up(const char *format)
{
	options = (struct report_options){ .format = report_format_find(format),
					   .rows = 100,
					   .directory = "/tmp/r",
					   .title = "a <title>",
					   .view = { .arguments = true } };
	assert_non_null(options.format);
}

/* A report of @source; to be freed, @length bytes and an end mark. */
static char *make_report(const struct fake_source *source, size_t *length)
{
	struct kcatch_session *session = fake_open(source);
	FILE *file = tmpfile();
	char *text;
	long size;

	report = (struct report){ .options = &options, .session = session, .out = file };
	assert_int_equal(report_filter_init(&report), 0);
	assert_int_equal(report_run(&report), 0);
	kcatch_filter_destroy(report.condition);
	/* pprof writes through a descriptor of its own. */
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	rewind(file);
	text = malloc((size_t)size + 1);
	assert_int_equal(fread(text, 1, (size_t)size, file), size);
	text[size] = '\0';
	if (length)
		*length = (size_t)size;
	fclose(file);
	free(session);
	return text;
}

static void expect_report(const char *format, const char *expected)
{
	char *text;

	if (format)
		set_up(format);
	text = make_report(&few, NULL);
	assert_string_equal(text, expected);
	free(text);
}

/* ---- text ------------------------------------------------------------------------- */

static void text_has_a_line_and_a_stack(void **state)
{
	(void)state;
	set_up("text");
	options.filter.pid = FAKE_PID;
	options.filter.since_ns = 2000000;
	options.filter.since_relative = true;
	options.filter.until_ns = 1004000000;
	expect_report(NULL,
		"1.002000000 [000] cat 3000100/3000101  ovl_open [overlay](path=\"/etc/passwd\", flags=-1) = 2  3.00 us\n"
		"    do_open+0x1f\n"
		"    path_openat+0x1f\n"
		"    ... cut at --depth 2\n"
		"1.003000000 [001] cat 3000100/3000101  vfs_open(path=\"/etc/passwd\", flags=0) = -ENOENT  4.00 us\n"
		"    do_open+0x1f\n"
		"    path_openat+0x1f\n");
}

static void fields_are_chosen(void **state)
{
	(void)state;
	set_up("text");
	options.fields[0] = FIELD_EVENT;
	options.fields[1] = FIELD_RET;
	options.fields[2] = FIELD_CALLER;
	options.fields[3] = FIELD_LATENCY;
	options.nr_fields = 4;
	options.filter.cpus = "1";
	expect_report(NULL, "vfs_open\t1\t</script>]]><b>\"'&;\\n\\x1b[31m\\xff\\xc3\t2.00 us\n"
		      "vfs_open\t-ENOENT\tdo_open\t4.00 us\n"
		      "ovl_open [overlay]\t5\tdo_open\t6.00 us\n");
	/* The last one is an event, whose record has no context. */
	options.fields[1] = FIELD_CONTEXT;
	options.nr_fields = 2;
	options.filter.cpus = "0";
	expect_report(NULL, "vfs_open\ttask\novl_open [overlay]\ttask\nvfs_open\ttask\n"
		      "sched:sched_switch\t\n");
}

/* ---- filters ---------------------------------------------------------------------- */

static uint64_t count_of(void)
{
	char *text = make_report(&few, NULL);

	free(text);
	return report.reported;
}

static void filters_let_through(void **state)
{
	const char *patterns[] = { "vfs_*" }, *events[] = { "sched:*", "overlay:ovl_open" };

	(void)state;
	set_up("folded");
	options.filter.patterns = patterns;
	options.filter.nr_patterns = 1;
	assert_int_equal(count_of(), 4);
	options.filter.patterns = events;
	options.filter.nr_patterns = 2;
	assert_int_equal(count_of(), 3);
	set_up("folded");
	options.filter.failing = true;
	assert_int_equal(count_of(), 1);
	set_up("folded");
	options.filter.slower_ns = 4000;
	assert_int_equal(count_of(), 3);
	set_up("folded");
	options.filter.comm = "c?t";
	assert_int_equal(count_of(), 6);
	set_up("folded");
	options.filter.cpus = "0,7-9";
	assert_int_equal(count_of(), 4);
	set_up("folded");
	options.filter.pid = 4;
	assert_int_equal(count_of(), 0);
	assert_int_equal(report.events, 7);
}

/* What conditions mean is tests/unit/recorded_condition_test.c's. */
static void conditions_let_through(void **state)
{
	const char *patterns[] = { "no_such_function" };

	(void)state;
	set_up("folded");
	options.filter.condition = "odd";
	assert_int_equal(count_of(), 2);
	assert_int_equal(report.undecided, 1);
	options.filter.cpus = "0";
	assert_int_equal(count_of(), 0);
	assert_int_equal(report.undecided, 0);
	/* Of probes that -e leaves out nothing is asked. */
	options.filter.patterns = patterns;
	options.filter.nr_patterns = 1;
	report = (struct report){ .options = &options, .session = fake_open(&few) };
	assert_int_equal(report_filter_init(&report), -EINVAL);
	free(report.session);
}

static void cpu_lists(void **state)
{
	(void)state;
	assert_true(report_cpus_valid("0"));
	assert_true(report_cpus_valid("0,2-3,17"));
	assert_false(report_cpus_valid(""));
	assert_false(report_cpus_valid("0,"));
	assert_false(report_cpus_valid("3-2"));
	assert_false(report_cpus_valid("-1"));
	assert_false(report_cpus_valid("1x"));
}

/* ---- stacks ------------------------------------------------------------------------ */

static void folded_has_a_line_for_each_stack(void **state)
{
	(void)state;
	expect_report("folded",
		"cat;main (cat);path_openat;do_open;vfs_open 1\n"
		"cat;path_openat;</script>]]><b>\"'&:\\n\\x1b[31m\\xff\\xc3;vfs_open 1\n"
		"cat;[cut];path_openat;do_open;ovl_open [overlay] 1\n"
		"cat;path_openat;do_open;vfs_open 2\n"
		"a:b\\n<i>;path_openat;do_open;ovl_open [overlay] 1\n"
		"cat;sched:sched_switch 1\n");
	set_up("folded");
	options.no_comm = true;
	options.by_time = true;
	expect_report(NULL,
		"main (cat);path_openat;do_open;vfs_open 1000\n"
		"path_openat;</script>]]><b>\"'&:\\n\\x1b[31m\\xff\\xc3;vfs_open 2000\n"
		"[cut];path_openat;do_open;ovl_open [overlay] 3000\n"
		"path_openat;do_open;vfs_open 9000\n"
		"path_openat;do_open;ovl_open [overlay] 6000\n");
}

static void tree_goes_up_and_down(void **state)
{
	(void)state;
	expect_report("tree",
		"# 7 events in 0.006 s; nothing was lost\n"
		"#    count   share         time  function, and its callers\n"
		"         4   57.1%     12.00 us  vfs_open  (1 failed)\n"
		"         3   42.9%     10.00 us  ├─ do_open\n"
		"         3   42.9%     10.00 us  │  path_openat\n"
		"         1   14.3%      1.00 us  │  main (cat)\n"
		"         1   14.3%      2.00 us  └─ </script>]]><b>\"'&;\\n\\x1b[31m\\xff\\xc3\n"
		"         1   14.3%      2.00 us     path_openat\n"
		"         2   28.6%      9.00 us  ovl_open [overlay]\n"
		"         2   28.6%      9.00 us  └─ do_open\n"
		"         2   28.6%      9.00 us     path_openat\n"
		"         1   14.3%      3.00 us     [cut]\n"
		"         1   14.3%            -  sched:sched_switch\n");
	set_up("tree");
	options.callees = true;
	options.filter.pid = FAKE_PID;
	options.min_share = 2000;
	expect_report(NULL,
		"# 7 events in 0.006 s; nothing was lost\n"
		"#    count   share         time  outermost function, and what it called\n"
		"         4   57.1%     17.00 us  path_openat\n"
		"         3   42.9%     15.00 us  └─ do_open\n"
		"         2   28.6%      9.00 us     vfs_open  (1 failed)\n"
		"# 5 branches below 20.00 % were left out (--min)\n");
}

/* Time in a caught call below is not its caller's. */
static bool make_nested(uint64_t number, struct fake_event *made)
{
	if (number >= 2)
		return false;
	made->event.time_ns = 1000 + number;
	made->event.call = number + 1;
	made->event.parent = number;
	made->event.probe = (uint32_t)number;
	made->event.returned = KCATCH_RETURN_SEEN;
	made->event.latency_ns = number ? 300 : 1000;
	made->ret = fake_integer(NULL, 0);
	if (number)
		fake_frame(made, "vfs_open", NULL);
	return true;
}

static void time_counts_once(void **state)
{
	const struct fake_source nested = { .make = make_nested, .probes = probes, .nr_probes = 3 };
	char *text;

	(void)state;
	set_up("folded");
	options.by_time = options.no_comm = true;
	text = make_report(&nested, NULL);
	assert_string_equal(text, "vfs_open 700\nvfs_open;ovl_open [overlay] 300\n");
	free(text);
}

/* An outer call beyond a fifth of a second comes after the calls inside it: here more of them
 * than any table of recent calls holds, and calls of others between. */
#define LONG_INNER 200000U

static bool make_long(uint64_t number, struct fake_event *made)
{
	bool outer = number == LONG_INNER + 1, other = number == LONG_INNER / 2;

	if (number > LONG_INNER + 1)
		return false;
	made->event.time_ns = outer ? 1000 : 2000 + number;
	made->event.call = outer ? 1 : number + 2;
	made->event.parent = outer || other ? 0 : 1;
	made->event.probe = !outer && !other;
	made->event.tid = other ? 2 : 1;
	made->event.returned = KCATCH_RETURN_SEEN;
	made->event.latency_ns = outer ? 1000000000 : other ? 7 : 2500;
	made->ret = fake_integer(NULL, 0);
	if (!outer && !other)
		fake_frame(made, "vfs_open", NULL);
	if (other)
		fake_frame(made, "other", NULL);
	return true;
}

static void time_counts_once_when_the_outer_call_comes_last(void **state)
{
	const struct fake_source source = { .make = make_long, .probes = probes, .nr_probes = 3 };
	char *text;

	(void)state;
	set_up("folded");
	options.by_time = options.no_comm = true;
	text = make_report(&source, NULL);
	assert_string_equal(text, "vfs_open 500000000\n"
			    "vfs_open;ovl_open [overlay] 500000000\nother;vfs_open 7\n");
	free(text);
}

/* An outer call that has not returned has no time to give away. */
static bool make_pending(uint64_t number, struct fake_event *made)
{
	if (!make_nested(number % 2, made) || number >= 3)
		return false;
	made->event.call = number + 1;
	if (!number)
		made->event.returned = KCATCH_RETURN_PENDING;
	if (number == 1)
		made->event.parent = 1;
	if (number == 2)
		made->event.parent = 0;
	return true;
}

static void pending_calls_give_no_time_away(void **state)
{
	const struct fake_source source = { .make = make_pending,
					    .probes = probes,
					    .nr_probes = 3 };
	char *text;

	(void)state;
	set_up("folded");
	options.by_time = options.no_comm = true;
	text = make_report(&source, NULL);
	assert_string_equal(text, "vfs_open 1000\nvfs_open;ovl_open [overlay] 300\n");
	free(text);
}

/* More different functions than are told apart. */
static bool make_many(uint64_t number, struct fake_event *made)
{
	static char name[32];

	if (number >= STACKS_FRAMES + 1000)
		return false;
	made->event.time_ns = number;
	snprintf(name, sizeof(name), "f%llu", (unsigned long long)number);
	fake_frame(made, name, "m");
	made->frames[0].symbol = name;
	return true;
}

static void too_many_stacks_are_counted(void **state)
{
	const struct fake_source many = { .make = make_many, .probes = probes, .nr_probes = 1 };
	const struct stacks_shape shape = { .exact = true };
	struct stacks *stacks = stacks_create(&shape);
	struct kcatch_session *session = fake_open(&many);
	const struct kcatch_event *event;

	(void)state;
	set_up("folded");
	report = (struct report){ .options = &options, .session = session };
	while (kcatch_session_next(session, &event) > 0)
		assert_true(stacks_add(stacks, &report, event) > 0);
	stacks_finish(stacks);
	assert_int_equal(stacks_nodes(stacks)[0].count, STACKS_FRAMES + 1000);
	/* "all", "[other]" and the function itself are names, too. */
	assert_int_equal(stacks_other(stacks), 1003);
	assert_int_equal(stacks_nr_frames(stacks), STACKS_FRAMES);
	stacks_destroy(stacks);
	free(session);
}

/* ---- histogram and stats --------------------------------------------------------------- */

static void percentiles_are_close(void **state)
{
	struct histogram histogram = { .count = 0 };
	uint64_t i;

	(void)state;
	assert_int_equal(histogram_percentile(&histogram, 50), 0);
	for (i = 1; i <= 10000; i++)
		assert_int_equal(histogram_add(&histogram, i * 100), 0);
	assert_in_range(histogram_percentile(&histogram, 50), 485000, 515000);
	assert_in_range(histogram_percentile(&histogram, 90), 873000, 927000);
	assert_in_range(histogram_percentile(&histogram, 99), 960300, 1000000);
	assert_int_equal(histogram_percentile(&histogram, 100), 1000000);
	assert_int_equal(histogram.least, 100);
	histogram_add(&histogram, 0);
	histogram_add(&histogram, 1);
	histogram_add(&histogram, 3);
	histogram_add(&histogram, UINT64_MAX);
	assert_int_equal(histogram_power(&histogram, 0), 2);
	assert_int_equal(histogram_power(&histogram, 1), 1);
	assert_int_equal(histogram_power(&histogram, 63), 1);
	for (i = 0, histogram.count = 0; i < 64; i++)
		histogram.count += histogram_power(&histogram, (unsigned int)i);
	assert_int_equal(histogram.count, 10004);
	histogram_deinit(&histogram);
}

/* Whatever was lost, the sentence has room: its end says what is not known. */
static void losses_are_told_to_the_end(void **state)
{
	static const char end[] = "is not known";
	const struct losses losses = {
		.totals = { .lost = UINT64_MAX, .missed = UINT64_MAX, .return_lost = UINT64_MAX,
			    .no_slot = UINT64_MAX / 2, .in_flight = UINT64_MAX / 4,
			    .undecided = UINT64_MAX },
		.forgotten = UINT64_MAX, .missing = UINT64_MAX, .discarded = UINT64_MAX,
		.damaged = UINT64_MAX,
	};
	char text[LOSSES_TEXT];

	(void)state;
	losses_text(&losses, UINT32_MAX, text, sizeof(text));
	assert_non_null(strstr(text, "65536 calls or 128 MB of records were under way"));
	assert_non_null(strstr(text, end));
	assert_string_equal(text + strlen(text) - strlen(end), end);
}

static void stats_tell_counts_failures_losses(void **state)
{
	struct fake_source lossy = few;
	char *text;

	(void)state;
	lossy.totals = (struct kcatch_totals){ .hits = 20, .recorded = 7, .filtered = 1, .lost = 12,
					       .return_lost = 3 };
	lossy.damaged = 1;
	set_up("stats");
	text = make_report(&lossy, NULL);
	assert_true(losses_any(&report.losses));
	assert_non_null(strstr(text, "7 events in 0.006000 s, of 7 in the recording; lost: 12 events (the ring "
			       "was full), 3 returns (the ring was full), 1 record (damaged)\n"));
	assert_non_null(strstr(text, "hits 20 = recorded 7 + filtered 1 + lost 12"));
	assert_non_null(strstr(text, "events by CPU: 0: 4 1: 3\n"));
	assert_non_null(strstr(text, "         4      666.7        1"));
	assert_non_null(strstr(text, "    failed: -ENOENT 1\n"));
	free(text);
}

/* ---- names cannot break out ----------------------------------------------------------------- */

static size_t occurrences(const char *text, const char *word)
{
	size_t count = 0;

	for (; (text = strstr(text, word)); text++)
		count++;
	return count;
}

static void json_is_whole(void **state)
{
	char *text, *line, *rest = NULL;
	size_t lines = 0;

	(void)state;
	set_up("json");
	fflush(stdout);
	/* The summary goes to standard output, which is the report's file in the command. */
	text = make_report(&few, NULL);
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest), lines++) {
		struct json_object *object = json_tokener_parse(line), *name;

		assert_non_null(object);
		assert_true(json_object_object_get_ex(object, "function", &name));
		json_object_put(object);
	}
	assert_int_equal(lines, 7);
	free(text);
}

static void pictures_hold_hostile_names(void **state)
{
	char *text;

	(void)state;
	set_up("flame");
	text = make_report(&few, NULL);
	assert_int_equal(occurrences(text, "]]>"), 1);
	assert_int_equal(occurrences(text, "<b>"), 0);
	assert_int_equal(occurrences(text, "<i>"), 0);
	assert_int_equal(occurrences(text, "\x1b"), 0);
	assert_non_null(strstr(text, "&lt;/script&gt;]]&gt;&lt;b&gt;&quot;&#39;&amp;;"));
	assert_non_null(strstr(text, "a &lt;title&gt;"));
	assert_int_equal(occurrences(text, "http"), 2);	/* the names of SVG and XHTML */
	free(text);
	set_up("html");
	text = make_report(&few, NULL);
	assert_int_equal(occurrences(text, "</script"), 1);
	assert_int_equal(occurrences(text, "<b>"), 0);
	assert_int_equal(occurrences(text, "\x1b"), 0);
	assert_int_equal(occurrences(text, "http:"), 0);
	assert_int_equal(occurrences(text, "https:"), 0);
	free(text);
}

static void pages_are_bounded(void **state)
{
	char *text;

	(void)state;
	set_up("html");
	options.rows = 3;
	text = make_report(&few, NULL);
	assert_non_null(strstr(text, "\"reported\":7"));
	assert_in_range(occurrences(text, ",3000100,"), 1, 3);
	assert_non_null(strstr(text, "\"command\":\"kcatch report /tmp/r\",\"limited\":false"));
	assert_non_null(strstr(text, "\"rows\":[[0,0,3000100,3000101,\"cat\","));
	free(text);
}

/* ---- what other programs read ---------------------------------------------------- */

static Pprof__Profile *unpack_profile(const char *bytes, size_t length)
{
	static uint8_t room[1 << 20];
	z_stream stream = { .next_in = (Bytef *)bytes, .avail_in = (unsigned int)length,
		.next_out = room, .avail_out = sizeof(room) };

	assert_int_equal(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	inflateEnd(&stream);
	return pprof__profile__unpack(NULL, stream.total_out, room);
}

static const Pprof__Location *location_of(const Pprof__Profile *profile, uint64_t id)
{
	size_t i;

	for (i = 0; i < profile->n_location; i++) {
		if (profile->location[i]->id == id)
			return profile->location[i];
	}
	fail_msg("no location %llu", (unsigned long long)id);
	return NULL;
}

static const char *function_name(const Pprof__Profile *profile, const Pprof__Location *location)
{
	size_t i;

	for (i = 0; i < profile->n_function; i++) {
		if (profile->function[i]->id == location->line[0]->function_id)
			return profile->string_table[profile->function[i]->name];
	}
	fail_msg("no such function");
	return NULL;
}

static void profiles_are_whole(void **state)
{
	int64_t sums[3] = { 0 };
	Pprof__Profile *profile;
	size_t length, i, j;
	char *bytes;

	(void)state;
	set_up("pprof");
	bytes = make_report(&few, &length);
	profile = unpack_profile(bytes, length);
	assert_non_null(profile);
	assert_string_equal(profile->string_table[0], "");
	assert_int_equal(profile->n_sample_type, 3);
	assert_int_equal(profile->duration_nanos, 6000000);
	for (i = 0; i < profile->n_sample; i++) {
		assert_int_equal(profile->sample[i]->n_value, 3);
		for (j = 0; j < 3; j++)
			sums[j] += profile->sample[i]->value[j];
		assert_int_equal(profile->sample[i]->n_label, 1);
		for (j = 0; j < profile->sample[i]->n_location_id; j++) {
			const Pprof__Location *location = location_of(
				profile, profile->sample[i]->location_id[j]);

			assert_true(strlen(function_name(profile, location)) > 0);
		}
	}
	assert_int_equal(sums[0], 7);
	assert_int_equal(sums[1], 1);
	assert_int_equal(sums[2], 21000);
	/* The innermost comes first. */
	assert_string_equal(
		function_name(profile, location_of(profile, profile->sample[0]->location_id[0])),
		"vfs_open");
	assert_int_equal(profile->n_comment, 1);
	assert_string_equal(profile->string_table[profile->comment[0]], "kcatch: nothing was lost");
	pprof__profile__free_unpacked(profile, NULL);
	free(bytes);
}

static bool make_namesakes(uint64_t number, struct fake_event *made)
{
	static const char *const files[] = { "fs/one.c", "fs/two.c" };

	if (number >= 2)
		return false;
	made->event.time_ns = 1000000;
	fake_frame(made, "show", NULL);
	made->frames[0].address += number * 4096;
	made->frames[0].file = files[number];
	made->frames[0].line = 7;
	return true;
}

/* Two static functions of one name are in the files where they are. */
static void profiles_tell_namesakes_apart(void **state)
{
	const struct fake_source two = { .make = make_namesakes, .probes = probes, .nr_probes = 1 };
	Pprof__Profile *profile;
	size_t length, i;
	unsigned int seen = 0;
	char *bytes;

	(void)state;
	set_up("pprof");
	bytes = make_report(&two, &length);
	profile = unpack_profile(bytes, length);
	assert_non_null(profile);
	for (i = 0; i < profile->n_function; i++) {
		const char *file = profile->string_table[profile->function[i]->filename];

		seen |= !strcmp(file, "fs/one.c") ? 1U : !strcmp(file, "fs/two.c") ? 2U : 0;
	}
	assert_int_equal(seen, 3);
	assert_string_equal(
		function_name(profile, location_of(profile, profile->sample[1]->location_id[1])),
		"show");
	pprof__profile__free_unpacked(profile, NULL);
	free(bytes);
}

static void traces_are_whole(void **state)
{
	uint64_t begins = 0, ends = 0, instants = 0, samples = 0, switches = 0, frames = 0, i, j;
	uint32_t tid = FAKE_PID, descriptions = 0;
	const Perfetto__SchedSwitchFtraceEvent *change;
	bool stacks[1000] = { false }, names[1000] = { false };
	Perfetto__Trace *trace;
	size_t length;
	char *bytes;

	(void)state;
	set_up("perfetto");
	bytes = make_report(&few, &length);
	trace = perfetto__trace__unpack(NULL, length, (const uint8_t *)bytes);
	assert_non_null(trace);
	assert_int_equal(trace->packet[0]->sequence_flags, 1);
	for (i = 0; i < trace->n_packet; i++) {
		const Perfetto__TracePacket *packet = trace->packet[i];
		const Perfetto__InternedData *data = packet->interned_data;

		for (j = 0; data && j < data->n_callstacks; j++)
			stacks[data->callstacks[j]->iid] = true;
		for (j = 0; data && j < data->n_event_names && data->event_names[j]->iid < 1000;
		     j++)
			names[data->event_names[j]->iid] = true;
		frames += data ? data->n_frames : 0;
		if (packet->track_descriptor && packet->track_descriptor->thread) {
			assert_int_equal(packet->track_descriptor->thread->pid, FAKE_PID);
			tid += descriptions++ < 2;	/* the second one changes its name */
			assert_int_equal(packet->track_descriptor->thread->tid, tid);
		}
		if (packet->perf_sample) {
			assert_true(stacks[packet->perf_sample->callstack_iid]);
			assert_int_equal(packet->perf_sample->pid, FAKE_PID);
			assert_int_equal(packet->perf_sample->tid, FAKE_PID + 1 + samples++ / 4);
		}
		if (packet->ftrace_events) {
			switches++;
			change = packet->ftrace_events->event[0]->sched_switch;
			assert_int_equal(change->prev_pid, tid);
			assert_int_equal(change->next_pid, tid + 1);
		}
		if (!packet->track_event)
			continue;
		begins += packet->track_event->type ==
			  PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN;
		ends += packet->track_event->type == PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END;
		instants += packet->track_event->type == PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT;
		if (packet->track_event->has_name_iid && packet->track_event->name_iid < 1000)
			assert_true(names[packet->track_event->name_iid]);
	}
	assert_int_equal(begins, 6);
	assert_int_equal(ends, 6);
	assert_int_equal(instants, 2);	/* the event, and what was lost */
	assert_int_equal(samples, 6);
	assert_true(switches == 1 && tid == FAKE_PID + 2 && descriptions == 4);
	assert_int_equal(frames, 7);
	perfetto__trace__free_unpacked(trace, NULL);
	free(bytes);
}

/* ---- much, and nothing ---------------------------------------------------------------- */

static void every_format_takes_nothing_and_much(void **state)
{
	const struct fake_source nothing = { .make = make_few, .probes = probes, .nr_probes = 0 };
	size_t i;

	(void)state;
	fake_busy_count = 3000;
	for (i = 0; report_formats[i]; i++) {
		char *text;

		if (report_formats[i]->every)
			continue;	/* it needs wakings: why_report_test.c */
		set_up(report_formats[i]->name);
		options.filter.pid = 4711;
		text = make_report(&nothing, NULL);
		free(text);
		set_up(report_formats[i]->name);
		text = make_report(&fake_busy, NULL);
		assert_int_equal(report.reported, 3000);
		free(text);
	}
}

/* ---- the same bytes both ways ---------------------------------------------------- */

static void set_up_busy(const char *format)
{
	set_up(format);
	fake_busy_count = 3000;
	options.title = "kcatch: a <machine> at work";
	options.rows = 5000;
	options.min_share = 10;
}

/* What is kept by a stack's number is what would be made of the stack again. */
static void numbers_change_nothing(void **state)
{
	struct fake_source numbered = fake_busy, numbered_few = few;
	size_t i, plain, kept;
	char *one, *other;

	(void)state;
	numbered.numbers = numbered_few.numbers = true;
	for (i = 0; report_formats[i]; i++) {
		if (report_formats[i]->every)
			continue;
		set_up_busy(report_formats[i]->name);
		one = make_report(&fake_busy, &plain);
		other = make_report(&numbered, &kept);
		assert_int_equal(plain, kept);
		assert_memory_equal(one, other, plain);
		free(one);
		free(other);
		one = make_report(&few, &plain);
		other = make_report(&numbered_few, &kept);
		assert_int_equal(plain, kept);
		assert_memory_equal(one, other, plain);
		free(one);
		free(other);
	}
}

/* Each line is what json-c makes of what it says. */
static void expect_json_c(const struct fake_source *source)
{
	char *text, *line, *rest = NULL;

	set_up_busy("json");
	text = make_report(source, NULL);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		struct json_object *object = json_tokener_parse(line);

		assert_non_null(object);
		assert_string_equal(line, json_object_to_json_string_ext(
			object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
		json_object_put(object);
	}
	free(text);
}

static void json_is_that_of_json_c(void **state)
{
	(void)state;
	expect_json_c(&few);
	expect_json_c(&fake_busy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_has_a_line_and_a_stack),
		cmocka_unit_test(fields_are_chosen),
		cmocka_unit_test(filters_let_through),
		cmocka_unit_test(conditions_let_through),

		cmocka_unit_test(cpu_lists),
		cmocka_unit_test(folded_has_a_line_for_each_stack),
		cmocka_unit_test(tree_goes_up_and_down),
		cmocka_unit_test(time_counts_once),
		cmocka_unit_test(time_counts_once_when_the_outer_call_comes_last),
		cmocka_unit_test(pending_calls_give_no_time_away),
		cmocka_unit_test(too_many_stacks_are_counted),
		cmocka_unit_test(percentiles_are_close),
		cmocka_unit_test(losses_are_told_to_the_end),
		cmocka_unit_test(stats_tell_counts_failures_losses),
		cmocka_unit_test(json_is_whole),
		cmocka_unit_test(pictures_hold_hostile_names),
		cmocka_unit_test(pages_are_bounded),
		cmocka_unit_test(profiles_are_whole),
		cmocka_unit_test(profiles_tell_namesakes_apart),
		cmocka_unit_test(traces_are_whole),
		cmocka_unit_test(every_format_takes_nothing_and_much),
		cmocka_unit_test(numbers_change_nothing),
		cmocka_unit_test(json_is_that_of_json_c),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
