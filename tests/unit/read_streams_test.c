// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a stream file that its recorder still writes, or finishes, while it is read has no
 * damage; one that somebody cuts has.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>
#include <uapi/kcatch.h>

#include "recording/read_streams.h"
#include "recording/recorder_stream.h"

#define PACKET 65536U

static char directory[64];
static int fd = -1;
static uint64_t sequence;	/* of the next packet */
static struct kcatch_recorder_stream writer;
static struct kcatch_recording_streams *reader;
static const struct kcatch_recording_pieces no_pieces;
static unsigned int writes_left;	/* until the disk hangs; 0: it does not */

/* Takes the place of the C library's. */
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
	if (writes_left && !--writes_left) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_pwrite64, file, bytes, size, at);
}

/* A packet with one hit. */
static void write_packet(void)
{
	static _Alignas(8) unsigned char bytes[PACKET];
	struct kcatch_packet *head = (struct kcatch_packet *)bytes;
	struct kcatch_hit *hit = (struct kcatch_hit *)(head + 1);
	uint32_t length = sizeof(*head) + sizeof(*hit);

	memset(bytes, 0, sizeof(bytes));
	*head = (struct kcatch_packet){
		.magic = KCATCH_PACKET_MAGIC, .sequence = sequence,
		.content_size = length * 8, .packet_size = PACKET * 8,
		.timestamp_begin = 100 * sequence, .timestamp_end = 100 * sequence + 99,
	};
	hit->head.id = KCATCH_RECORD_ID(KCATCH_RECORD_HIT, 0);
	hit->head.size = sizeof(*hit);
	hit->head.time = 100 * sequence++;
	assert_int_equal(kcatch_recorder_stream_write(&writer, head, bytes, 1, length), 0);
}

static void begin(void)
{
	const struct kcatch_recording_shape shape = { .step = PACKET, .from_start = true };

	sequence = 0;
	writer = (struct kcatch_recorder_stream){ .fd = -1, .packet_size = PACKET };
	assert_int_equal(kcatch_recorder_stream_open(&writer, fd, 0), 0);
	write_packet();
	write_packet();
	assert_int_equal(kcatch_recording_streams_open(fd, 1, &shape, &no_pieces, &reader), 0);
}

/* Return: number of records up to the end. */
static unsigned int read_on(void)
{
	const struct kcatch_record *record;
	unsigned int count = 0;
	uint32_t cpu;

	for (;;) {
		assert_int_equal(kcatch_recording_streams_next(reader, &record, &cpu), 0);
		if (!record)
			return count;
		assert_int_equal(record->time, 100 * count++);
	}
}

static void check_whole(void)
{
	assert_string_equal(kcatch_recording_streams_damage(reader), "");
	assert_int_equal(kcatch_recording_streams_damaged(reader), 0);
	assert_int_equal(kcatch_recording_streams_done(reader),
			 kcatch_recording_streams_bytes(reader));
}

static void test_it_ends(void **state)
{
	(void)state;
	begin();
	write_packet();
	assert_int_equal(kcatch_recorder_stream_close(&writer, false), 0);
	assert_int_equal(read_on(), 3);
	check_whole();
}

/* The file has become larger for many packets, of which none is there yet. */
static void test_it_grows(void **state)
{
	static _Alignas(8) unsigned char many[8 * PACKET];
	struct kcatch_packet head = { .magic = KCATCH_PACKET_MAGIC };
	uint64_t size;

	(void)state;
	begin();
	size = writer.file_size;
	while (writer.end + 4 * PACKET < size)
		write_packet();
	writes_left = 2;
	assert_int_equal(kcatch_recorder_stream_write(&writer, &head, many, 8, PACKET), -EIO);
	assert_true(writer.file_size > size);
	assert_int_equal(read_on(), sequence);
	check_whole();
}

static void test_it_is_cut(void **state)
{
	(void)state;
	begin();
	assert_int_equal(ftruncate(writer.fd, PACKET + 10), 0);
	assert_int_equal(read_on(), 1);
	assert_int_equal(kcatch_recording_streams_damaged(reader), 1);
}

static int make(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/kcatch-streams-XXXXXX");
	if (!mkdtemp(directory))
		return -1;
	fd = open(directory, O_RDONLY | O_DIRECTORY);
	return fd < 0 ? -1 : 0;
}

static int destroy(void **state)
{
	(void)state;
	kcatch_recorder_stream_close(&writer, false);
	kcatch_recording_streams_close(reader);
	reader = NULL;
	unlinkat(fd, "cpu0", 0);
	close(fd);
	return rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_it_ends, make, destroy),
		cmocka_unit_test_setup_teardown(test_it_grows, make, destroy),
		cmocka_unit_test_setup_teardown(test_it_is_cut, make, destroy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
