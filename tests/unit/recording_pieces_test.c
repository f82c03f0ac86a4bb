// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: pieces of a recording are read as one: each event once, with the sums of their
 * counters; what was removed, is missing or is not complete is told.
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
#include "recording/pieces.h"
#include "recording/recorder_stream.h"
#include "recording_fixture.h"

static char whole[64];

static void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void shell(const char *format, ...)
{
	char command[400];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	assert_int_equal(system(command), 0);
}

/* The calls @from to @to of a CPU, in packets that end where those of write_stream() do. */
static void write_calls(const char *piece, uint32_t cpu, uint32_t from, uint32_t to)
{
	struct kcatch_recorder_stream stream = { .fd = -1, .packet_size = PACKET };
	_Alignas(8) unsigned char bytes[PACKET];
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", whole, piece);
	fd = open(path, O_RDONLY | O_DIRECTORY);
	assert_true(fd >= 0);
	assert_int_equal(kcatch_recorder_stream_open(&stream, fd, cpu), 0);
	while (from < to) {
		uint32_t end = from / 10 * 10 + 10 < to ? from / 10 * 10 + 10 : to;
		uint32_t length = fill_packet(bytes, cpu, from, end - from);

		assert_int_equal(
			kcatch_recorder_stream_write(&stream, (void *)bytes, bytes, 1, length), 0);
		from = end;
	}
	assert_int_equal(kcatch_recorder_stream_close(&stream, false), 0);
	close(fd);
}

/* Piece 2 has the calls up to 25 of CPU 0, in the midst of a packet, and all of CPU 1; piece 3 has
 * the others. Piece 1 was removed. */
static int make_pieces(void **state)
{
	assert_int_equal(make_recording(state), 0);
	strcpy(whole, directory);
	shell("cd %s && mkdir piece-00000002 && mv kcatch piece-00000002 && rm cpu0 cpu1 && "
	      "cp -r piece-00000002 piece-00000003 && mkdir .piece-00000004", whole);
	shell("cd %s && for i in 2 3; do sed -i 's/\"pairs\"/\"piece\":'$i',\"names_since\":1,&/' "
	      "piece-0000000$i/kcatch/session.json || exit 1; done", whole);
	write_text("piece-00000002/kcatch/clock", "500 500 7\n3000 3000 8\n");
	write_text("piece-00000002/kcatch/counters", "counters final 1.0\ncounters continued\n"
		   "counters earlier 0 1000 3\ncounters earlier 1 234 0\n"
		   COLUMNS "0 0 27 25 2 0 0 0 0 0 7 0\n1 0 60 60 0 0 0 0 0 0 0 0\nend\n");
	write_text("piece-00000003/kcatch/counters", "counters final 1.0\n"
		   "counters earlier 0 1025 3\ncounters earlier 1 294 0\n"
		   COLUMNS "0 0 39 35 4 0 0 0 0 0 1 0\nend\n");
	write_text("piece-00000003/kcatch/clock", "4000 4000 8\n7000 7000 9\n");
	write_calls("piece-00000002", 0, 0, 25);
	write_calls("piece-00000002", 1, 0, CALLS);
	write_calls("piece-00000003", 0, 25, CALLS);
	return 0;
}

static int destroy_pieces(void **state)
{
	strcpy(directory, whole);
	return destroy_recording(state);
}

static void read_as_one(struct kcatch_totals *totals, struct kcatch_recording_info *info)
{
	struct kcatch_session *session;

	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_int_equal(kcatch_session_totals(session, totals), 0);
	*info = *kcatch_session_recording(session);
	info->command = kcatch_session_note(session, 0) ? "noted" : NULL;
	if (info->command)
		snprintf(damage, sizeof(damage), "%s", kcatch_session_note(session, 0));
	kcatch_session_close(session);
}

static void test_they_are_one(void **state)
{
	struct kcatch_recording_info info;
	struct kcatch_totals totals;
	uint64_t damaged;

	(void)state;
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_string_equal(damage, "");
	assert_int_equal(damaged, 0);
	assert_int_equal(missing, 0);
	read_as_one(&totals, &info);
	assert_int_equal(totals.hits, 126);
	assert_int_equal(totals.recorded, 120);
	assert_int_equal(totals.filtered, 6);
	assert_int_equal(totals.in_flight, 1);
	assert_true(info.finished);
	assert_int_equal(info.pieces, 2);
	assert_int_equal(info.removed, 1);
	assert_int_equal(info.removed_events, 1234);
	assert_string_equal(damage, "1 earlier piece was removed, with 1234 recorded events");
}

static void test_each_is_one(void **state)
{
	struct kcatch_recording_info info;
	struct kcatch_totals totals;
	uint64_t damaged;

	(void)state;
	strcat(directory, "/piece-00000003");
	assert_int_equal(read_all(&damaged), CALLS - 25);
	assert_string_equal(damage, "");
	assert_int_equal(missing, 0);
	read_as_one(&totals, &info);
	assert_int_equal(totals.hits, 39);
	assert_int_equal(info.removed, 0);
	assert_true(info.finished);
}

/* The recorder was killed when it had ended a piece. */
static void test_none_follows(void **state)
{
	struct kcatch_recording_info info;
	struct kcatch_totals totals;

	(void)state;
	shell("mv %s/piece-00000003 %s/.piece-00000003", whole, whole);
	assert_int_equal(read_all(NULL), CALLS + 25);
	read_as_one(&totals, &info);
	assert_false(info.finished);
}

static void test_one_is_missing(void **state)
{
	uint64_t damaged;

	(void)state;
	shell("mv %s/piece-00000003 %s/piece-00000005", whole, whole);
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_int_equal(damaged, 1);
	assert_string_equal(damage, "piece-00000003 is missing");
}

static void test_records_are_missing(void **state)
{
	(void)state;
	shell("rm %s/piece-00000003/cpu0", whole);
	assert_int_equal(read_all(NULL), CALLS + 25);
	assert_int_equal(missing, CALLS - 25);
}

/* A packet of the piece before, with all its records. */
static void test_one_twice(void **state)
{
	uint64_t damaged;

	(void)state;
	shell("rm %s/piece-00000003/cpu0", whole);
	write_calls("piece-00000003", 0, 20, CALLS);
	assert_int_equal(read_all(&damaged), 2 * CALLS - 5);
	assert_int_equal(damaged, 1);
	assert_non_null(strstr(damage, "piece-00000003/cpu0, byte 0: the packet was there before"));
}

/* The machine lost its power when a piece had just begun. */
static void test_not_on_the_disk(void **state)
{
	uint64_t damaged;

	(void)state;
	shell("cd %s && cp -r piece-00000003 piece-00000004 && : >piece-00000004/kcatch/session.json",
	      whole);
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_string_equal(damage, "piece-00000004 was not read: its description is not there");
}

static void test_names(void **state)
{
	struct kcatch_recording_pieces pieces;
	char name[KCATCH_PIECE_NAME];
	int fd = open(whole, O_RDONLY | O_DIRECTORY);

	(void)state;
	assert_true(fd >= 0);
	assert_string_equal(kcatch_piece_name(12, name), "piece-00000012");
	assert_string_equal(name, ".piece-00000012");
	assert_string_equal(kcatch_piece_name(KCATCH_PIECES_MAX, name), "piece-99999999");
	shell("cd %s && mkdir piece-00000010 piece-00000000 piece-9 piece-000000011 xpiece-00000011",
	      whole);
	assert_int_equal(kcatch_pieces_list(fd, &pieces), 0);
	assert_int_equal(pieces.nr, 3);
	assert_int_equal(pieces.numbers[0], 2);
	assert_int_equal(pieces.numbers[1], 3);
	assert_int_equal(pieces.numbers[2], 10);
	free(pieces.numbers);
	close(fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_pieces, destroy_pieces)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_they_are_one), TEST(test_each_is_one), TEST(test_none_follows),
		TEST(test_one_is_missing), TEST(test_records_are_missing), TEST(test_one_twice),
		TEST(test_not_on_the_disk), TEST(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
