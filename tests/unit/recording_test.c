// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a recording is read back as it was written; stream files are good traces
 * at every step of being written; whatever a directory holds instead, it is read to an
 * end or refused with a reason, and damage is counted.
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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <uapi/kcatch.h>

#include <kcatch.h>
#include "recording/recorder_stream.h"
#include "session/handle.h"
#include "recording_fixture.h"

#define FUZZ 1500

static void test_read_back(void **state)
{
	const struct kcatch_event *event;
	const struct kcatch_value *value;
	struct kcatch_session *session;
	struct kcatch_totals totals;
	struct kcatch_frame frame;
	uint64_t last = 0, done, all;
	uint32_t nr = 0;

	(void)state;
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_string_equal(kcatch_session_recording(session)->command, "record -f x");
	assert_true(kcatch_session_recording(session)->finished);
	while (kcatch_session_next(session, &event) > 0) {
		assert_true(event->time_ns >= last);
		last = event->time_ns;
		assert_int_equal(event->tid, 200 + event->cpu);
		assert_string_equal(event->comm, "maker");
		assert_int_equal(event->returned, KCATCH_RETURN_SEEN);
		assert_int_equal(event->latency_ns, 5);
		assert_int_equal(event->ret, nr / 2 * 2);
		assert_int_equal(kcatch_session_arg(session, 0, &value), 0);
		assert_int_equal(value->number, nr / 2);
		assert_int_equal(kcatch_session_frame(session, 0, &frame), 0);
		assert_string_equal(frame.symbol, "second");
		assert_int_equal(frame.offset, 0x10);
		nr++;
	}
	assert_int_equal(nr, 2 * CALLS);
	assert_int_equal(kcatch_session_nr_damaged(session), 0);
	kcatch_session_totals(session, &totals);
	assert_int_equal(totals.recorded, 2 * CALLS);
	assert_int_equal(totals.lost, 1);
	assert_int_equal(kcatch_session_cpu_totals(session, 1, &totals), 0);
	assert_int_equal(totals.lost, 1);
	kcatch_recording_progress(session, &done, &all);
	assert_int_equal(done, all);
	kcatch_session_close(session);
}

static void test_refuses_to_arm(void **state)
{
	const char *names[] = { "vfs_read" };
	const struct kcatch_request request = { .size = sizeof(request), .functions = names,
						.nr_functions = 1 };
	struct kcatch_session *session;

	(void)state;
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_int_equal(kcatch_session_setup(session, 0, &request), -EROFS);
	assert_int_equal(kcatch_session_add(session, &request), -EROFS);
	assert_int_equal(kcatch_session_start(session), -EROFS);
	assert_int_equal(kcatch_session_wait(session, 0), -EROFS);
	kcatch_session_close(session);
}

/* Packets and their empty end explain every byte of a file, at each step. */
static void check_explained(const struct kcatch_recorder_stream *stream)
{
	struct kcatch_packet packet;
	uint64_t at = 0;
	int fd;
	char path[64];
	struct stat status;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", stream->fd);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &status), 0);
	while (at < (uint64_t)status.st_size) {
		assert_int_equal(pread(fd, &packet, sizeof(packet), (off_t)at), sizeof(packet));
		assert_int_equal(packet.magic, KCATCH_PACKET_MAGIC);
		assert_true(packet.packet_size >= packet.content_size);
		at += packet.packet_size / 8;
	}
	assert_int_equal(at, status.st_size);
	close(fd);
}

static void test_always_a_trace(void **state)
{
	struct kcatch_recorder_stream stream = { .fd = -1, .packet_size = PACKET };
	_Alignas(8) unsigned char bytes[4 * PACKET];
	int fd = open(directory, O_RDONLY | O_DIRECTORY);
	uint32_t i, length;

	(void)state;
	assert_int_equal(kcatch_recorder_stream_open(&stream, fd, 99), 0);
	for (i = 0; i < 2000; i += 4) {
		length = fill_packet(bytes, 0, i, 3);
		assert_int_equal(
			kcatch_recorder_stream_partial(&stream, (void *)bytes, bytes, length), 0);
		check_explained(&stream);
		for (length = 0; length < 4; length++)
			fill_packet(bytes + length * PACKET, 0, i + length, 9);
		assert_int_equal(
			kcatch_recorder_stream_write(&stream, (void *)bytes, bytes, 4, PACKET), 0);
		check_explained(&stream);
	}
	length = fill_packet(bytes, 0, i, 1);
	assert_int_equal(kcatch_recorder_stream_partial(&stream, (void *)bytes, bytes, length), 0);
	assert_int_equal(kcatch_recorder_stream_close(&stream, true), 0);
	close(fd);
}

static void cut_file(const char *name, off_t size)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	assert_int_equal(truncate(path, size), 0);
}

static void test_cut_off(void **state)
{
	uint64_t damaged;
	int before = 2 * CALLS, nr;
	off_t size;

	(void)state;
	for (size = 6 * PACKET; size >= 0; size -= 56) {
		cut_file("cpu0", size);
		nr = read_all(&damaged);
		assert_true(nr >= (int)CALLS && nr <= before);
		/* Also where it was cut between two packets. */
		assert_int_equal(missing, 2 * CALLS - (unsigned int)nr);
		before = nr;
	}
	assert_int_equal(before, CALLS);
	/* A hole of a terabyte is not looked through. */
	cut_file("cpu1", 1LL << 40);
	assert_int_equal(read_all(&damaged), CALLS);
	assert_int_equal(damaged, 2);
	cut_file("kcatch/symbols", 300 << 20);
	assert_int_equal(read_all(&damaged), CALLS);
	assert_non_null(strstr(damage, "symbols is too large: functions of modules that came late"));
}

/* In a file, @old by @new of the same length. */
static void replace_text(const char *name, const char *old, const char *new)
{
	char path[128], text[8192] = "", *at;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "r+");
	assert_non_null(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	at = strstr(text, old);
	assert_non_null(at);
	assert_int_equal(fseek(file, at - text, SEEK_SET), 0);
	assert_int_equal(fwrite(new, 1, strlen(new), file), strlen(old));
	assert_int_equal(fclose(file), 0);
}

static void test_missing(void **state)
{
	static const char *const needed[] = { "session.json", "probes.json" };
	static const char *const wanted[] = { "symbols", "counters", "plans.json" };
	char path[128], away[128];
	uint64_t damaged;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		snprintf(away, sizeof(away), "%s/away", directory);
		snprintf(path, sizeof(path), "%s/kcatch/%s", directory, needed[i % 2]);
		rename(path, away);
		assert_int_equal(read_all(&damaged), -EINVAL);
		assert_non_null(strstr(kcatch_error_text(), needed[i % 2]));
		rename(away, path);
		snprintf(path, sizeof(path), "%s/kcatch/%s", directory, wanted[i]);
		rename(path, away);
		assert_int_equal(read_all(&damaged), 2 * CALLS);
		assert_int_equal(damaged, 1);
		assert_non_null(strstr(damage, wanted[i]));
		rename(away, path);
	}
	/* Of a machine that nobody knows not even the numbers could be shown. */
	replace_text("kcatch/session.json", "\"x86_64\"", "\"vax_11\"");
	assert_int_equal(read_all(&damaged), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "not one that this release knows: 'vax_11'"));
	write_text("kcatch/session.json", "{\"format\":99,\"version\":\"2030\"}");
	assert_int_equal(read_all(&damaged), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "format is 99, that of a later release ('2030')"));
	write_text("kcatch/session.json", "{\"format\":1,\"version\":\"0.1\"}");
	assert_int_equal(read_all(&damaged), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "format is 1, that of an earlier release ('0.1')"));
}

/* Copies @length bytes from @from to @to in place of what is there. */
static void copy_bytes(const char *name, off_t from, off_t to, size_t length)
{
	unsigned char bytes[2 * PACKET];
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0 && length <= sizeof(bytes));
	assert_int_equal(pread(fd, bytes, length, from), length);
	assert_int_equal(pwrite(fd, bytes, length, to), length);
	close(fd);
}

static void test_not_its_own(void **state)
{
	char path[128], other[128];
	uint64_t damaged;

	(void)state;
	/* The third packet stands where the second was. */
	copy_bytes("cpu0", 2 * PACKET, PACKET, PACKET);
	assert_int_equal(read_all(&damaged), 2 * CALLS - 10);
	assert_int_equal(missing, 10);
	assert_string_equal(damage, "cpu0, byte 4096: packet 2 follows packet 0");
	/* The file of one CPU in place of another's. */
	snprintf(path, sizeof(path), "%s/cpu0", directory);
	snprintf(other, sizeof(other), "%s/cpu1", directory);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(read_all(&damaged), CALLS);
	assert_string_equal(damage, "cpu0 is missing");
	assert_int_equal(missing, CALLS);
	assert_int_equal(link(other, path), 0);
	assert_int_equal(read_all(&damaged), CALLS);
	assert_string_equal(damage, "cpu0, byte 0: the packet is of CPU 1");
	assert_int_equal(unlink(path), 0);
	snprintf(path, sizeof(path), "%s/cpu12", directory);
	assert_int_equal(rename(other, path), 0);
	assert_int_equal(read_all(&damaged), 0);
	assert_int_equal(damaged, 3);
	assert_non_null(strstr(damage, "cpu12 was not read"));
}

/* Types that are not there are told as that, and not as a damaged plan. */
static void test_no_types(void **state)
{
	uint64_t damaged;

	(void)state;
	write_text("kcatch/plans.json",
		   "{\"entry\":[8,8,8,8,8,8],\"return\":[],\"args\":[{\"name\":\"rdi\",\"words\":0,\"nr\":1,"
		   "\"bytes\":8,\"type\":5}],\"ret\":{\"words\":255,\"nr\":1,\"bytes\":8},"
		   "\"types\":\"vmlinux\"}\n");
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_int_equal(damaged, 1);
	assert_string_equal(damage, "'btf/vmlinux' is missing: arguments have no types");
}

/* Where files should be nobody waits for what never comes. */
static void test_pipes(void **state)
{
	static const char *const names[] = { "kcatch/btf/vmlinux", "kcatch/symbols",
					     "kcatch/counters", "cpu0" };
	char path[128];
	size_t i;

	(void)state;
	snprintf(path, sizeof(path), "%s/kcatch/btf", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	for (i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		unlink(path);
		assert_int_equal(mkfifo(path, 0600), 0);
		if (i < 3)
			assert_int_equal(read_all(NULL), 2 * CALLS);
		else
			assert_int_equal(read_all(NULL), -EINVAL);
	}
}

/* A link leads to files that who made the recording could not read. */
static void test_links(void **state)
{
	static const char *const names[] = { "kcatch/session.json", "kcatch/symbols",
					     "kcatch/counters", "kcatch/btf", "cpu0" };
	static const int results[] = { -ELOOP, 2 * CALLS, 2 * CALLS, 2 * CALLS, -EINVAL };
	char path[128], other[160];
	uint64_t damaged;
	size_t i;

	(void)state;
	snprintf(path, sizeof(path), "%s/kcatch/btf", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	for (i = 0; i < 5; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		snprintf(other, sizeof(other), "%s.other", path);
		assert_int_equal(rename(path, other), 0);
		assert_int_equal(symlink(strrchr(other, '/') + 1, path), 0);
		assert_int_equal(read_all(&damaged), results[i]);
		assert_int_equal(unlink(path), 0);
		assert_int_equal(rename(other, path), 0);
	}
	assert_int_equal(read_all(NULL), 2 * CALLS);
}

/* Types behind a link are not used. */
static void test_linked_types(void **state)
{
	char path[128];

	(void)state;
	test_no_types(NULL);
	snprintf(path, sizeof(path), "%s/kcatch/btf", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/kcatch/btf/vmlinux", directory);
	assert_int_equal(symlink("/sys/kernel/btf/vmlinux", path), 0);
	assert_int_equal(read_all(NULL), 2 * CALLS);
	assert_string_equal(damage, "'btf/vmlinux' cannot be used: arguments have no types");
}

/* Calls without a plan get one: behind those of the recording, however many there are. */
static void test_no_plan(void **state)
{
	uint64_t damaged;

	(void)state;
	write_text("kcatch/plans.json", "{}\n{}\n{}\n");
	write_text("kcatch/probes.json", "{\"probe\":0,\"function\":\"made\",\"mechanism\":0,\"returns\":true}\n");
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_int_equal(damaged, 3);
}

/* Change some bytes of a file, read, and put them back. */
static void change(const char *name, unsigned int seed)
{
	unsigned char kept[8], other[8];
	off_t places[8];
	struct stat status;
	char path[128];
	int fd, i, nr = 1 + (int)(seed % 8);

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &status), 0);
	srandom(seed);
	for (i = 0; i < nr; i++) {
		places[i] = random() % status.st_size;
		assert_int_equal(pread(fd, &kept[i], 1, places[i]), 1);
		other[i] = (unsigned char)(seed & 1 ? random() : kept[i] ^ 1 << random() % 8);
		assert_int_equal(pwrite(fd, &other[i], 1, places[i]), 1);
	}
	read_all(NULL);
	while (i--)
		assert_int_equal(pwrite(fd, &kept[i], 1, places[i]), 1);
	close(fd);
}

static void test_any_bytes(void **state)
{
	static const char *const names[] = { "cpu0", "cpu1", "kcatch/session.json", "kcatch/plans.json",
					     "kcatch/probes.json", "kcatch/symbols",
					     "kcatch/counters", "kcatch/modules", "kcatch/clock" };
	unsigned int i;

	(void)state;
	for (i = 0; i < FUZZ; i++)
		change(names[i % (sizeof(names) / sizeof(*names))], i);
	assert_int_equal(read_all(NULL), 2 * CALLS);
}

/* Some kilobytes unpack to any JSON. */
#define JSON_BYTES (32U << 20)

/* A file of @line again and again, each of @repeated parts between @begin and @end. */
static void write_much(const char *name, const char *begin, const char *part, size_t repeated,
		       const char *end)
{
	size_t written = 0, i;
	char path[128];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	out = fopen(path, "w");
	assert_non_null(out);
	while (written < JSON_BYTES) {
		written += (size_t)fprintf(out, "%s", begin);
		for (i = 0; i < repeated; i++)
			fputs(part, out);
		written += repeated * strlen(part) + (size_t)fprintf(out, "%s", end);
	}
	assert_int_equal(fclose(out), 0);
}

/* Opens the recording in a process of its own, which takes no more than 300 MB and 10 s. */
static void opens_cheaply(const char *expected)
{
	struct rusage used;
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		int ret = read_all(NULL);

		if (expected && (ret != -EINVAL || !strstr(kcatch_error_text(), expected))) {
			fprintf(stderr, "expected \"%s\", got %d: %s\n", expected, ret,
				kcatch_error_text());
			_exit(1);
		}
		_exit(0);
	}
	assert_int_equal(wait4(child, &status, 0, &used), child);
	assert_int_equal(status, 0);
#ifndef __SANITIZE_ADDRESS__
	assert_true(used.ru_maxrss < 300 << 10);
	assert_true(used.ru_utime.tv_sec < 10);
#endif
}

static __attribute__((unused)) void test_much_json(void **state)
{
	static const char *const names[] = { "plans.json", "probes.json" };
	char path[64], expected[64];
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "kcatch/%s", names[i]);
		/* One line. */
		write_much(path, "{\"args\":[", "{},", JSON_BYTES / 3, "0]}\n");
		snprintf(expected, sizeof(expected), "%s, line 1: it is longer than 1 MB",
			 names[i]);
		opens_cheaply(expected);
		/* Lines that are not too long, of as many parts as there is room for. */
		write_much(path, "{\"args\":[", "{},", 340000, "0]}\n");
		snprintf(expected, sizeof(expected), "%s, line 1: it has far more parts", names[i]);
		opens_cheaply(expected);
		write_much(path, "{\"args\":[", "1,", 500000, "0]}\n");
		opens_cheaply(NULL);
		/* Lines of a byte or two, and such as are kept. */
		write_much(path, "", "{}\n", 1000, "");
		opens_cheaply(names[i]);
		write_much(path, "", "\n", 1000, "");
		opens_cheaply(names[i]);
		write_much(path, "", "{\"probe\":0,\"mechanism\":0,\"function\":\"f\",\"args\":[],"
			   "\"ret\":{\"nr\":0,\"bytes\":0},\"event\":{\"name\":\"n\","
			   "\"format\":\"f\",\"args\":[]}}\n",
			   1000, "");
		opens_cheaply(names[i]);
		write_text(path, i ? "{\"probes\":1048576}\n" : "");
		opens_cheaply(NULL);
	}
	write_much("kcatch/session.json", "{\"command\":[", "{},", JSON_BYTES / 3, "0]}\n");
	opens_cheaply("session.json, line 1: it is longer than 1 MB");
}

/* A copy that another program made is no damaged recording. */
static void test_of_another_program(void **state)
{
	char path[128], away[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/kcatch/session.json", directory);
	snprintf(away, sizeof(away), "%s/away", directory);
	assert_int_equal(rename(path, away), 0);
	write_text("kcatch/metadata", "/* CTF 1.8 */");
	assert_int_equal(read_all(NULL), -ENOENT);
	assert_non_null(strstr(kcatch_error_text(), "written by another program"));
	snprintf(path, sizeof(path), "%s/kcatch/metadata", directory);
	unlink(path);
}

#define test(function) \
	cmocka_unit_test_setup_teardown(function, make_recording, destroy_recording)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(test_read_back),
		test(test_refuses_to_arm),
		test(test_always_a_trace),
		test(test_cut_off),
		test(test_missing),
		test(test_not_its_own),
		test(test_no_types),
		test(test_pipes),
		test(test_links),
		test(test_linked_types),
		test(test_no_plan),
		test(test_any_bytes),
#ifndef __SANITIZE_ADDRESS__	/* takes minutes there, and its limits are not of it */
		test(test_much_json),
#endif
		test(test_of_another_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
