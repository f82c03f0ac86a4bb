// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: what is beside the streams of a recording, its probes, counters, modules, clock and
 * names, is read as it was written, also where the recorder was killed; what cannot be is told.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <uapi/kcatch.h>

#include <kcatch.h>
#include "recording/recording.h"
#include "session/handle.h"
#include "recording_fixture.h"

static void test_lines_are_lost(void **state)
{
	uint64_t damaged;

	(void)state;
	write_text("kcatch/probes.json", "{\"probe\":0,\"function\":\"made\"?\n"
		   "{\"probe\":1,\"function\":\"said\",\"mechanism\":0}\n{\"probe\":2");
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_int_equal(damaged, 2);
	assert_string_equal(damage, "probes.json, line 1: damaged");
}

#define MADE "{\"probe\":0,\"function\":\"made\",\"mechanism\":0,\"returns\":true,\"plan\":0}\n"
#define SAID "{\"probe\":39999,\"function\":\"said\",\"mechanism\":0}\n"

/* How many probes there are; those that were hit are described, in any order. */
static void test_described_when_hit(void **state)
{
	const struct kcatch_probe *probe;
	struct kcatch_session *session;
	uint64_t damaged;

	(void)state;
	write_text("kcatch/probes.json", "{\"probes\":30000}\n" MADE "{\"probes\":1000000}\n" SAID);
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_int_equal(damaged, 0);
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_int_equal(kcatch_session_nr_probes(session), 1000000);
	assert_int_equal(kcatch_session_probe(session, 0, &probe), 0);
	assert_string_equal(probe->function, "made");
	assert_int_equal(kcatch_session_probe(session, 39999, &probe), 0);
	assert_string_equal(probe->function, "said");
	assert_int_equal(kcatch_session_probe(session, 1, &probe), -ENOENT);
	assert_int_equal(kcatch_session_probe(session, 1000000, &probe), -ERANGE);
	kcatch_session_close(session);

	write_text("kcatch/probes.json", "{\"probes\":40000}\n" SAID);
	assert_int_equal(read_all(&damaged), 0);
	assert_true(damaged > 0);
	assert_non_null(strstr(damage, "a record is of probe 0, which probes.json does not have"));

	write_text("kcatch/probes.json", "{\"probes\":40000}\n" MADE MADE "{\"probes\":30000}\n");
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_string_equal(damage, "probes.json, line 3: damaged");
	write_text("kcatch/probes.json", "{\"probes\":4194304}\n" MADE);
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_string_equal(damage, "probes.json, line 1: damaged");
}

/* The recorder was killed while it described a probe, whose records it had not written. */
static void test_killed_within_a_line(void **state)
{
	uint64_t damaged;

	(void)state;
	write_text("kcatch/probes.json", "{\"probes\":40000}\n" MADE "{\"probe\":399");
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_int_equal(damaged, 1);
	assert_string_equal(damage, "probes.json ends within line 3");
	write_text("kcatch/plans.json",
		   "{\"entry\":[8,8,8,8,8,8],\"return\":[],\"args\":[{\"name\":\"rdi\",\"words\":0,\"nr\":1,"
		   "\"bytes\":8}],\"ret\":{\"words\":255,\"nr\":1,\"bytes\":8}}\n{\"ent");
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_int_equal(damaged, 2);
	write_text("kcatch/counters", "counters running 1.0\n" COLUMNS "0 0 60 60 0 0 0 0 0 0 0 0\n"
		   "1 0 61 60 0 0 0 1 0 0 0 0\nend\n");
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_int_equal(damaged, 0);
}

/* What was lost after the counters were written is told by the packets. */
static void check_discarded(const char *counters, uint64_t of_cpu_0, uint64_t of_cpu_1)
{
	const struct kcatch_event *event;
	struct kcatch_session *session;

	write_text("kcatch/counters", counters);
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	while (kcatch_session_next(session, &event) > 0)
		;
	assert_int_equal(kcatch_recording_cpu_discarded(session, 0), of_cpu_0);
	assert_int_equal(kcatch_recording_cpu_discarded(session, 1), of_cpu_1);
	assert_int_equal(kcatch_recording_cpu_discarded(session, 2), 0);
	kcatch_session_close(session);
}

static void test_killed_with_old_counters(void **state)
{
	struct kcatch_session *session;
	uint64_t damaged;
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/cpu0", directory);
	assert_int_equal(unlink(path), 0);
	discarded = 51000;
	write_stream(0);
	discarded = 0;
	check_discarded("counters running 1.0 31\nend\n", 51000, 0);
	check_discarded("counters running 1.0 1\n" COLUMNS "0 0 1100 60 0 0 0 1000 0 40 0 0\n"
			"1 0 61 60 0 0 0 1 0 0 0 0\nend\n", 49960, 0);
	check_discarded("counters running 1.0\n" COLUMNS "0 0 51060 60 0 0 0 51000 0 40 0 0\n"
			"end\n", 0, 0);
	check_discarded("counters final 1.0\n" COLUMNS "0 0 60 60 0 0 0 0 0 0 0 0\nend\n", 0, 0);
	write_text("kcatch/counters", "counters running 1.0 31\nend\n");
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_false(kcatch_session_recording(session)->finished);
	assert_int_equal(kcatch_session_recording(session)->counted_s, 31);
	kcatch_session_close(session);
	/* The first record of a CPU is counted before the CPU has a file. */
	write_text("kcatch/counters", "counters running 1.0 1\n" COLUMNS "1 0 1 1 0 0 0 0 0 0 0 0\nend\n");
	snprintf(path, sizeof(path), "%s/cpu1", directory);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(read_all(&damaged), CALLS);
	assert_int_equal(damaged, 0);
}

/* Numbers that leave out others do not take more memory than a real recording would. */
static void test_numbers_leap(void **state)
{
	struct kcatch_session *session;
	char path[128];
	FILE *file;
	int i;

	(void)state;
	snprintf(path, sizeof(path), "%s/kcatch/probes.json", directory);
	file = fopen(path, "w");
	assert_non_null(file);
	for (i = 1; i <= 4000; i++)
		fprintf(file, "{\"probe\":%d,\"function\":\"f\",\"mechanism\":0}\n", 64 * i - 1);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_in_range(kcatch_session_nr_probes(session), 4000, 70000);
	assert_non_null(strstr(kcatch_recording_damage(session), "probes.json, line 1"));
	kcatch_session_close(session);
}

/* "symbol module" of the frame of the calls from number @first on, of one name each. */
static void check_frames(uint32_t first, uint32_t last, const char *symbol, const char *module)
{
	const struct kcatch_event *event;
	struct kcatch_session *session;
	struct kcatch_frame frame;

	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	while (kcatch_session_next(session, &event) > 0) {
		uint32_t number = (uint32_t)(event->ret / 2);

		if (number < first || number > last)
			continue;
		assert_int_equal(kcatch_session_frame(session, 0, &frame), 0);
		assert_int_equal(frame.address, 0xffffffff81000110);
		assert_string_equal(frame.symbol ? frame.symbol : "", symbol);
		assert_string_equal(frame.module ? frame.module : "", module);
	}
	kcatch_session_close(session);
}

/* The frame is at ...110; call i is at 1000 + 100 * i ns. */
static void test_modules_come_and_go(void **state)
{
	(void)state;
	/* One is there from the beginning to 3000, another in its place from 5000 on. */
	write_text("kcatch/symbols", "=500\nffffffff80000000 kernel\n[a]\n1000100 a_last\n"
		   "=5000\n[b]\nffffffff81000000 b_first\n");
	write_text("kcatch/modules",
		   "=500\n[kernel] ffffffff80000000 1000 aa\na ffffffff81000000 1000 -\n~3000\n"
		   "=5000\nb ffffffff81000000 2000 bb\n");
	check_frames(0, 19, "a_last", "a");
	check_frames(21, 39, "", "module gone");
	check_frames(41, 59, "b_first", "b");
	/* Who else should it have been? */
	write_text("kcatch/modules",
		   "=500\n[kernel] ffffffff80000000 1000 aa\n~3000\n=5000\nb ffffffff81000000 2000 bb\n");
	check_frames(0, 19, "", "module gone");
	check_frames(21, 59, "b_first", "b");
	/* Unloaded, and nothing is in its place. */
	write_text("kcatch/modules",
		   "=500\n[kernel] ffffffff80000000 1000 aa\na ffffffff81000000 1000 -\n~3000\n=5000\n");
	check_frames(0, 39, "a_last", "a");
	check_frames(41, 59, "", "module gone");
	/* A module below whose size counts data that lies elsewhere, as since Linux 6.4. */
	write_text("kcatch/modules",
		   "=500\nlow ffffffff80fff000 100000 03\na ffffffff81000000 1000 -\n");
	check_frames(0, 59, "a_last", "a");
	/* Behind the last of a module, and of the kernel. */
	write_text("kcatch/modules",
		   "=500\n[kernel] ffffffff80000000 1000 aa\na ffffffff81000000 10f -\n");
	check_frames(0, 59, "", "");
	/* Another build of it at the same place has other symbols. */
	write_text("kcatch/symbols", "=500\n[a]\nffffffff81000100 old\n=3000\n[a]\nffffffff810000f0 new\n");
	write_text("kcatch/modules", "=500\na ffffffff81000000 1000 01\n~2500\n=3000\n"
		   "a ffffffff81000000 1000 02\n");
	check_frames(0, 14, "old", "a");
	check_frames(16, 19, "", "module gone");
	check_frames(21, 59, "new", "a");
}

/*
 * A module that stays while another comes and goes 20,000 times: the first keeps its name, and it
 * is told that not all of the other's ranges are kept. A list that is said to go on a million
 * times ends within seconds.
 */
static void test_modules_without_end(void **state)
{
	struct kcatch_session *session;
	char *text = NULL;
	size_t size;
	unsigned int i;
	FILE *file;

	(void)state;
	write_text("kcatch/symbols", "=500\n[a]\nffffffff81000100 a_last\n");
	file = open_memstream(&text, &size);
	for (i = 0; i < 40000; i++)
		fprintf(file, "=%u\na ffffffff81000000 1000 01\n%s", 500 + i,
			i % 2 ? "b ffffffff82000000 1000 02\n" : "");
	fclose(file);
	write_text("kcatch/modules", text);
	free(text);
	check_frames(0, 59, "a_last", "a");
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_non_null(strstr(kcatch_recording_damage(session), "more changes than are read"));
	kcatch_session_close(session);

	file = open_memstream(&text, &size);
	fputs("=500\n", file);
	for (i = 0; i < 16000; i++)
		fprintf(file, "m%u ffffffff81000000 1000 01\n", i);
	for (i = 0; i < 1000000; i++)
		fputs("~\n", file);
	fclose(file);
	write_text("kcatch/modules", text);
	free(text);
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_non_null(strstr(kcatch_recording_damage(session), "more changes than are read"));
	kcatch_session_close(session);
}

/* Clock and monotonic time are the same in session.json's kHz; calls are 100 ns apart. */
static void check_times(const char *anchors, uint64_t first, uint64_t last, const char *told)
{
	const struct kcatch_event *event;
	struct kcatch_session *session;
	uint64_t nr = 0;

	write_text("kcatch/clock", anchors);
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_string_equal(kcatch_recording_damage(session), told);
	assert_int_equal(kcatch_session_nr_damaged(session), *told ? 1 : 0);
	while (kcatch_session_next(session, &event) > 0) {
		if (!nr)
			assert_int_equal(event->time_ns, first);
		if (++nr == 2 * CALLS)
			assert_int_equal(event->time_ns, last);
	}
	assert_int_equal(nr, 2 * CALLS);
	kcatch_session_close(session);
}

/* Calls are from clock 1000 to 6910, the anchor of session.json is 500 at 500. */
static void test_clock(void **state)
{
	static const struct {
		const char *line, *told;
	} bad[] = {
		{ "2500 5500 7\n", "the clocks do not rise" },
		{ "2499 5600 7\n", "the clocks do not rise" },
		{ "2600 5499 7\n", "the clocks do not rise" },
		{ "0 0 0\n", "the clocks do not rise" },
		{ "9000 9223372036854775808 7\n", "no three numbers of the clocks" },
		{ "99999999999999999999 7000 7\n", "no three numbers of the clocks" },
		{ "9000 7000\n", "no three numbers of the clocks" },
		{ "9000 7000 7 7\n", "no three numbers of the clocks" },
		{ "-9000 7000 7\n", "no three numbers of the clocks" },
		{ "9000 0x7000 7\n", "no three numbers of the clocks" },
		{ "\n", "no three numbers of the clocks" },
		{ "9000 700", "the file ends within it" },
		{ "back 7000 7\n", "the clock of the records was set back (was the machine "
		  "suspended?): times after it are wrong" },
	};
	char text[128], told[128];
	size_t i;

	(void)state;
	write_text("kcatch/session.json",
		   "{\"format\":3,\"nr_cpus\":2,\"clock\":1,\"clock_khz\":1000000,\"clock_at\":500,"
		   "\"monotonic_at\":500,\"realtime_at\":7,\"packet_size\":4096,\"pairs\":true}\n");
	check_times("", 1000, 6910, "");
	check_times("500 500 7\n", 1000, 6910, "");
	/* The rate is 5/2 up to 2500, 1 behind. */
	check_times("500 500 7\n2500 5500 7\n8500 11500 8\n", 1750, 9910, "");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "500 500 7\n2500 5500 7\n%s9900 9900 7\n",
			 bad[i].line);
		if (!strchr(bad[i].line, '\n'))
			text[strlen(text) - strlen("9900 9900 7\n")] = '\0';
		snprintf(told, sizeof(told), "clock, line 3: %s", bad[i].told);
		check_times(text, 1750, 9910, told);
	}
}

/* Names are any bytes. In the files they are escaped, in memory they are what they were. */
static void test_names(void **state)
{
	struct kcatch_session *session;
	const char *path;

	(void)state;
	write_text("kcatch/cgroups", "1 /\n77 /a.slice/b\\\\x2dc\\n.service\n");
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_int_equal(kcatch_session_cgroup(session, 77, &path), 0);
	assert_string_equal(path, "/a.slice/b\\x2dc\n.service");
	kcatch_session_close(session);
}

static void check_in_flight(const char *counters, uint64_t of_cpu_0, uint64_t of_cpu_1,
			    uint64_t of_all)
{
	const uint64_t expected[] = { of_cpu_0, of_cpu_1 };
	struct kcatch_session *session;
	struct kcatch_totals totals;
	uint32_t cpu;

	write_text("kcatch/counters", counters);
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	for (cpu = 0; cpu < 2; cpu++) {
		assert_int_equal(kcatch_session_cpu_totals(session, cpu, &totals), 0);
		assert_int_equal(totals.in_flight, expected[cpu]);
	}
	assert_int_equal(kcatch_session_totals(session, &totals), 0);
	assert_int_equal(totals.in_flight, of_all);
	assert_int_equal(kcatch_session_probe_totals(session, 0, &totals), 0);
	assert_int_equal(totals.in_flight, of_all);
	kcatch_session_close(session);
}

/* A call may return on another CPU than it began on, which may be read before. */
static void test_in_flight(void **state)
{
	(void)state;
	check_in_flight("counters final 1.0\n" COLUMNS "0 0 60 60 0 0 0 0 0 0 18446744073709551613 0\n"
			"1 0 60 60 0 0 0 0 0 0 5 0\nend\n", 0, 5, 2);
	check_in_flight("counters running 1.0\n" COLUMNS "0 0 60 60 0 0 0 0 0 0 1 0\n"
			"1 0 60 60 0 0 0 0 0 0 18446744073709551613 0\nend\n", 1, 0, 0);
}

/* Columns have names: a later recorder has more, and another may lack some. */
static void test_columns(void **state)
{
	struct kcatch_session *session;
	struct kcatch_totals totals;

	(void)state;
	write_text("kcatch/counters", "counters final 1.0\n# cpu probe lost more hits recorded\n"
		   "0 0 3 9 7 4\n1 0 1 9 2 1\nend\n");
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_int_equal(kcatch_session_totals(session, &totals), 0);
	assert_int_equal(totals.hits, 9);
	assert_int_equal(totals.recorded, 5);
	assert_int_equal(totals.lost, 4);
	assert_int_equal(totals.missed, 0);
	assert_string_equal(kcatch_recording_damage(session), "");
	kcatch_session_close(session);
	write_text("kcatch/counters", "counters final 1.0\n0 0 3 4 5\n# cpu probe hits\n0 0\nend\n");
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_int_equal(kcatch_session_nr_damaged(session), 2);
	kcatch_session_close(session);
}

/* Each line of probes.json that is none takes as much memory as a probe, up to a limit. */
static void test_no_probes_without_end(void **state)
{
	struct kcatch_session *session;
	char *text = NULL;
	size_t size;
	uint32_t i;
	FILE *file = open_memstream(&text, &size);

	(void)state;
	for (i = 0; i < 200000; i++)
		fputs("no\n", file);
	fclose(file);
	write_text("kcatch/probes.json", text);
	free(text);
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_in_range(kcatch_session_nr_probes(session), 0, 70000);
	assert_non_null(strstr(kcatch_recording_damage(session), "probes.json, line 1"));
	kcatch_session_close(session);
}

#define test(function) \
	cmocka_unit_test_setup_teardown(function, make_recording, destroy_recording)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(test_lines_are_lost),
		test(test_described_when_hit),
		test(test_killed_within_a_line),
		test(test_killed_with_old_counters),
		test(test_numbers_leap),
		test(test_modules_come_and_go),
		test(test_modules_without_end),
		test(test_clock),
		test(test_names),
		test(test_in_flight),
		test(test_columns),
		test(test_no_probes_without_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
