// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: whichever write to a stream file fails, what was flushed before stays in it, and the
 * file is a good trace. Before its first packet is whole there is no file that a reader looks at.
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>
#include <uapi/kcatch.h>

#include "recording/recorder_stream.h"

#define PACKET 65536U
#define FLUSHED 30000U		/* bytes of the packet in use */
#define MANY 8U

static char directory[64];
static unsigned int writes_left;	/* until one fails; 0: none does */

/* Takes the place of the C library's. */
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	if (writes_left && !--writes_left) {
		errno = ENOSPC;
		return -1;
	}
	return syscall(SYS_pwrite64, fd, bytes, size, at);
}

static void fill(unsigned char *bytes, uint64_t sequence, uint32_t content)
{
	struct kcatch_packet head = {
		.magic = KCATCH_PACKET_MAGIC, .sequence = sequence,
		.content_size = content * 8, .packet_size = PACKET * 8,
		.timestamp_begin = 100 * sequence, .timestamp_end = 100 * sequence + 99,
	};

	memset(bytes, 0x11, PACKET);
	memcpy(bytes, &head, sizeof(head));
}

static int write_one(struct kcatch_recorder_stream *stream, uint64_t sequence)
{
	static _Alignas(8) unsigned char bytes[PACKET];

	fill(bytes, sequence, PACKET);
	return kcatch_recorder_stream_write(stream, (const void *)bytes, bytes, 1, PACKET);
}

/* All packets follow each other up to the end of the file, and that of the last number is whole. */
static void check_file(uint64_t last, uint32_t content)
{
	struct kcatch_packet head;
	uint64_t at = 0, next = 0;
	struct stat status;
	char path[80];
	int fd;

	snprintf(path, sizeof(path), "%s/cpu0", directory);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &status), 0);
	while (at < (uint64_t)status.st_size) {
		assert_int_equal(pread(fd, &head, sizeof(head), (off_t)at), sizeof(head));
		assert_int_equal(head.magic, KCATCH_PACKET_MAGIC);
		assert_int_equal(head.sequence, next++);
		if (head.sequence == last)
			assert_int_equal(head.content_size / 8, content);
		at += head.packet_size / 8;
	}
	assert_int_equal(at, status.st_size);
	assert_in_range(next, last + 1, last + 2);
	close(fd);
}

/* A packet in use is flushed where many more do not fit any more: the file has to grow for them. */
static uint64_t begin(struct kcatch_recorder_stream *stream)
{
	static _Alignas(8) unsigned char bytes[PACKET];
	int fd = open(directory, O_RDONLY | O_DIRECTORY);
	uint64_t sequence = 0;

	*stream = (struct kcatch_recorder_stream){ .fd = -1, .packet_size = PACKET };
	assert_true(fd >= 0);
	assert_int_equal(unlinkat(fd, "cpu0", 0) && errno != ENOENT, 0);
	assert_int_equal(kcatch_recorder_stream_open(stream, fd, 0), 0);
	do {
		assert_int_equal(write_one(stream, sequence++), 0);
	} while (stream->end + MANY / 2 * PACKET < stream->file_size);
	close(fd);
	fill(bytes, sequence, FLUSHED);
	assert_int_equal(
		kcatch_recorder_stream_partial(stream, (const void *)bytes, bytes, FLUSHED), 0);
	check_file(sequence, FLUSHED);
	return sequence;
}

static void test_flushed_stays(void **state)
{
	static _Alignas(8) unsigned char bytes[MANY * PACKET];
	struct kcatch_recorder_stream stream;
	unsigned int failing;
	uint32_t i;
	int ret;

	(void)state;
	for (failing = 1, ret = -1; ret; failing++) {
		uint64_t sequence = begin(&stream);

		for (i = 0; i < MANY; i++)
			fill(bytes + i * PACKET, sequence + i, PACKET);
		writes_left = failing;
		ret = kcatch_recorder_stream_write(&stream, (const void *)bytes, bytes, MANY,
						   PACKET);
		writes_left = 0;
		assert_true(!ret || ret == -ENOSPC);
		if (!ret)
			check_file(sequence + MANY - 1, PACKET);
		assert_int_equal(kcatch_recorder_stream_close(&stream, ret != 0), 0);
		check_file(ret ? sequence : sequence + MANY - 1, ret ? FLUSHED : PACKET);
	}
	/* Each of the four steps has failed once. */
	assert_int_equal(failing, 6);
}

/* One that is completed alone: the file is a good trace at any moment. */
static void test_completed_alone(void **state)
{
	struct kcatch_recorder_stream stream;
	unsigned int failing;
	int ret;

	(void)state;
	for (failing = 1, ret = -1; ret; failing++) {
		uint64_t sequence = begin(&stream);

		writes_left = failing;
		ret = write_one(&stream, sequence);
		writes_left = 0;
		check_file(sequence, ret ? FLUSHED : PACKET);
		assert_int_equal(kcatch_recorder_stream_close(&stream, ret != 0), 0);
	}
}

/* A writer that is killed before its first packet is whole leaves no file of that name. */
static void test_first_packet(void **state)
{
	struct kcatch_recorder_stream stream = { .fd = -1, .packet_size = PACKET };
	int fd = open(directory, O_RDONLY | O_DIRECTORY), ret;
	unsigned int failing;

	(void)state;
	for (failing = 1, ret = -1; ret; failing++) {
		assert_int_equal(unlinkat(fd, "cpu0", 0) && errno != ENOENT, 0);
		assert_int_equal(kcatch_recorder_stream_open(&stream, fd, 0), 0);
		writes_left = failing;
		ret = write_one(&stream, 0);
		writes_left = 0;
		assert_int_equal(faccessat(fd, "cpu0", F_OK, 0), ret ? -1 : 0);
		if (!ret)
			check_file(0, PACKET);
		assert_int_equal(kcatch_recorder_stream_close(&stream, false), 0);
		assert_int_equal(faccessat(fd, ".cpu0", F_OK, 0), -1);
		stream = (struct kcatch_recorder_stream){ .fd = -1, .packet_size = PACKET };
	}
	assert_int_equal(failing, 6);
	assert_int_equal(kcatch_recorder_stream_open(&stream, fd, 0), -EEXIST);
	close(fd);
}

static int make(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/kcatch-stream-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int destroy(void **state)
{
	char path[80];

	(void)state;
	snprintf(path, sizeof(path), "%s/cpu0", directory);
	unlink(path);
	return rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flushed_stays),
		cmocka_unit_test(test_completed_alone),
		cmocka_unit_test(test_first_packet),
	};

	return cmocka_run_group_tests(tests, make, destroy);
}
