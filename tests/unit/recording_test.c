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
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <uapi/kcatch.h>

#include <kcatch.h>
#include "recording/recorder_stream.h"
#include "recording/recording.h"
#include "session/handle.h"

#define PACKET 4096U
#define CALLS 60U		/* on each of two CPUs */
#define FUZZ 1500

static char directory[64];
static uint64_t discarded;	/* what the next packets say */

static void write_text(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* A packet of calls: entries with one frame and six registers, each with its return. */
static uint32_t fill_packet(unsigned char *bytes, uint32_t cpu, uint32_t first, uint32_t count)
{
	struct kcatch_packet *packet = (struct kcatch_packet *)bytes;
	unsigned char *at = bytes + sizeof(*packet);
	uint32_t i;

	memset(bytes, 0, PACKET);
	for (i = first; i < first + count; i++) {
		struct kcatch_hit *hit = (struct kcatch_hit *)at;
		/* Some have room for more frames than there are. */
		uint32_t nr = i % 3 ? 1 : 4;
		struct kcatch_call_part *part = (struct kcatch_call_part *)&hit->frames[nr];
		struct kcatch_return *end = (struct kcatch_return *)(part->data + 48);
		uint64_t number = (uint64_t)(cpu + 1) << 32 | (i + 1), word = i;

		hit->head.id = KCATCH_RECORD_ID(KCATCH_RECORD_ENTRY, 0);
		hit->head.size = (uint32_t)((unsigned char *)end - at);
		hit->head.time = 1000 + i * 100 + cpu * 10;
		hit->pid = 100 + cpu;
		hit->tid = 200 + cpu;
		strcpy(hit->comm, "maker");
		hit->stack_flags = KCATCH_STACK_COMPLETE;
		hit->nr_frames = (uint16_t)nr;
		hit->frames[0] = 0xffffffff81000110;
		part->call = number;
		part->size[0] = 48;
		memcpy(part->data, &word, sizeof(word));
		memset(end, 0, sizeof(*end));
		end->head.id = KCATCH_RECORD_ID(KCATCH_RECORD_RETURN, 0);
		end->head.size = sizeof(*end);
		end->head.time = hit->head.time + 5;
		end->pid = hit->pid;
		end->tid = hit->tid;
		end->call = number;
		end->latency = 5;
		end->ret = i * 2;
		at = (unsigned char *)(end + 1);
	}
	packet->magic = KCATCH_PACKET_MAGIC;
	packet->timestamp_begin = 1000 + first * 100;
	packet->timestamp_end = 1000 + (first + count) * 100;
	packet->content_size = (uint64_t)(at - bytes) * 8;
	packet->packet_size = PACKET * 8;
	packet->sequence = first / 10;
	packet->cpu = cpu;
	packet->discarded = discarded;
	return (uint32_t)(at - bytes);
}

static void write_stream(uint32_t cpu)
{
	struct kcatch_recorder_stream stream = { .fd = -1, .packet_size = PACKET };
	_Alignas(8) unsigned char bytes[PACKET];
	int fd = open(directory, O_RDONLY | O_DIRECTORY);
	char name[16];
	uint32_t i, length;

	assert_true(fd >= 0);
	snprintf(name, sizeof(name), "cpu%u", cpu);
	assert_int_equal(kcatch_recorder_stream_open(&stream, fd, name), 0);
	for (i = 0; i < CALLS; i += 10) {
		length = fill_packet(bytes, cpu, i, 10);
		assert_int_equal(
			kcatch_recorder_stream_write(&stream, (void *)bytes, bytes, 1, length), 0);
	}
	assert_int_equal(kcatch_recorder_stream_close(&stream, false), 0);
	close(fd);
}

static void remove_directory(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	assert_int_equal(system(command), 0);
}

static int make(void **state)
{
	char path[128];

	(void)state;
	strcpy(directory, "/tmp/kcatch-recording-XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/kcatch", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	write_text("kcatch/session.json",
		   "{\"format\":1,\"version\":\"9\",\"release\":\"6.1\",\"host\":\"h\",\"nr_cpus\":2,\"clock\":0,"
		   "\"clock_khz\":1000000,\"clock_at\":500,\"monotonic_at\":500,\"realtime_at\":7,"
		   "\"packet_size\":4096,\"ring_size\":65536,\"pairs\":true,\"command\":[\"record\",\"-f\",\"x\"]}\n");
	write_text("kcatch/plans.json",
		   "{\"entry\":[8,8,8,8,8,8],\"return\":[],\"args\":[{\"name\":\"rdi\",\"words\":0,\"nr\":1,"
		   "\"bytes\":8}],\"ret\":{\"words\":255,\"nr\":1,\"bytes\":8}}\n");
	write_text("kcatch/probes.json",
		   "{\"probe\":0,\"function\":\"made\",\"address\":18446744071578845184,\"mechanism\":0,"
		   "\"returns\":true,\"plan\":0}\n"
		   "{\"probe\":1,\"function\":\"said\",\"module\":\"ktrace\",\"address\":1,\"mechanism\":3,"
		   "\"event\":{\"name\":\"said\",\"format\":\"n=%d t=%s\",\"args\":[20,32]}}\n");
	write_text("kcatch/symbols", "ffffffff81000000 first\n100 second\n[mod]\n100 third\n");
	write_text("kcatch/modules", "=400\n[kernel] ffffffff81000000 180 aa\n");
	write_text("kcatch/clock", "500 500 7\n3000 3000 8\n7000 7000 9\n");
	write_text("kcatch/tasks", "100 200 maker\n101 201 other\n");
	write_text("kcatch/counters", "counters final 1.0\n0 0 60 60 0 0 0 0 0 0 0 0\n"
		   "1 0 61 60 0 0 0 1 0 0 0 0\nend\n");
	write_stream(0);
	write_stream(1);
	return 0;
}

static int destroy(void **state)
{
	(void)state;
	remove_directory();
	return 0;
}

static char damage[420];
static uint64_t missing;

/* Read everything of every event. Return: events, or -errno of the opening. */
static int read_all(uint64_t *damaged)
{
	const struct kcatch_event *event;
	struct kcatch_session *session;
	int ret = kcatch_recording_open(directory, &session), nr = 0;
	struct kcatch_totals totals;

	if (ret) {
		assert_true(*kcatch_error_text());
		return ret;
	}
	while ((ret = kcatch_session_next(session, &event)) > 0) {
		const struct kcatch_value *value;
		const struct kcatch_probe *probe;
		struct kcatch_frame frame;
		uint32_t i;

		assert_int_equal(kcatch_session_probe(session, event->probe, &probe), 0);
		/* Frames of 0 are room, not frames. */
		for (i = 0; i < event->nr_frames; i++)
			assert_int_equal(kcatch_session_frame(session, i, &frame), 0);
		assert_true(!event->nr_frames || frame.address || frame.self);
		for (i = 0; i < event->nr_args; i++)
			kcatch_session_arg(session, i, &value);
		if (event->returned == KCATCH_RETURN_SEEN)
			assert_int_equal(kcatch_session_return_value(session, &value), 0);
		nr++;
	}
	assert_int_equal(ret, 0);
	assert_int_equal(kcatch_session_totals(session, &totals), 0);
	if (damaged)
		*damaged = kcatch_session_nr_damaged(session);
	snprintf(damage, sizeof(damage), "%s", kcatch_recording_damage(session));
	missing = kcatch_recording_cpu_missing(session, 0) +
		  kcatch_recording_cpu_missing(session, 1);
	kcatch_session_close(session);
	return nr;
}

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
	assert_int_equal(kcatch_recording_cpu_totals(session, 1, &totals), 0);
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
	assert_int_equal(kcatch_recorder_stream_open(&stream, fd, "other"), 0);
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

static void test_missing(void **state)
{
	static const char *const needed[] = { "session.json", "probes.json" };
	static const char *const wanted[] = { "symbols", "tasks", "counters", "plans.json" };
	char path[128], away[128];
	uint64_t damaged;
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
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
	write_text("kcatch/session.json", "{\"format\":99,\"version\":\"2030\"}");
	assert_int_equal(read_all(&damaged), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "2030"));
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
	write_text("kcatch/counters", "counters running 1.0\n0 0 60 60 0 0 0 0 0 0 0 0\n"
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
	check_discarded("counters running 1.0 1\n0 0 1100 60 0 0 0 1000 0 40 0 0\n"
			"1 0 61 60 0 0 0 1 0 0 0 0\nend\n", 49960, 0);
	check_discarded("counters running 1.0\n0 0 51060 60 0 0 0 51000 0 40 0 0\nend\n", 0, 0);
	check_discarded("counters final 1.0\n0 0 60 60 0 0 0 0 0 0 0 0\nend\n", 0, 0);
	write_text("kcatch/counters", "counters running 1.0 31\nend\n");
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	assert_false(kcatch_session_recording(session)->finished);
	assert_int_equal(kcatch_session_recording(session)->counted_s, 31);
	kcatch_session_close(session);
	/* The first record of a CPU is counted before the CPU has a file. */
	write_text("kcatch/counters", "counters running 1.0 1\n1 0 1 1 0 0 0 0 0 0 0 0\nend\n");
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
		   "{\"format\":1,\"nr_cpus\":2,\"clock\":1,\"clock_khz\":1000000,\"clock_at\":500,"
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

/* Names are any bytes. In the files they are escaped, in memory they are what they were. */
static void test_names(void **state)
{
	struct kcatch_session *session;
	const struct kcatch_task_names *tasks;
	const char *path;
	uint64_t damaged;

	(void)state;
	write_text("kcatch/tasks", "100 200 maker\n101 201  an\\\\x\\x1b\\t\\xff\n101 202 \\q\\x0\\x00\\\n");
	write_text("kcatch/cgroups", "1 /\n77 /a.slice/b\\\\x2dc\\n.service\n");
	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	tasks = &((const struct kcatch_recording *)session->own)->tasks;
	assert_string_equal(kcatch_task_names_find(tasks, 200), "maker");
	assert_string_equal(kcatch_task_names_find(tasks, 201), " an\\x\x1b\t\xff");
	assert_string_equal(kcatch_task_names_find(tasks, 202), "\\q\\x0\\x00\\");
	assert_int_equal(kcatch_session_cgroup(session, 77, &path), 0);
	assert_string_equal(path, "/a.slice/b\\x2dc\n.service");
	kcatch_session_close(session);
	write_text("kcatch/tasks", "100 200 maker\n101 201 oth");
	assert_int_equal(read_all(&damaged), 2 * CALLS);
	assert_int_equal(damaged, 1);
	assert_string_equal(damage, "tasks is damaged: some threads have no names");
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
					     "kcatch/probes.json", "kcatch/symbols", "kcatch/tasks",
					     "kcatch/counters", "kcatch/modules", "kcatch/clock" };
	unsigned int i;

	(void)state;
	for (i = 0; i < FUZZ; i++)
		change(names[i % 10], i);
	assert_int_equal(read_all(NULL), 2 * CALLS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_read_back, make, destroy),
		cmocka_unit_test_setup_teardown(test_refuses_to_arm, make, destroy),
		cmocka_unit_test_setup_teardown(test_always_a_trace, make, destroy),
		cmocka_unit_test_setup_teardown(test_cut_off, make, destroy),
		cmocka_unit_test_setup_teardown(test_missing, make, destroy),
		cmocka_unit_test_setup_teardown(test_not_its_own, make, destroy),
		cmocka_unit_test_setup_teardown(test_lines_are_lost, make, destroy),
		cmocka_unit_test_setup_teardown(test_described_when_hit, make, destroy),
		cmocka_unit_test_setup_teardown(test_killed_within_a_line, make, destroy),
		cmocka_unit_test_setup_teardown(test_killed_with_old_counters, make, destroy),
		cmocka_unit_test_setup_teardown(test_numbers_leap, make, destroy),
		cmocka_unit_test_setup_teardown(test_modules_come_and_go, make, destroy),
		cmocka_unit_test_setup_teardown(test_modules_without_end, make, destroy),
		cmocka_unit_test_setup_teardown(test_clock, make, destroy),
		cmocka_unit_test_setup_teardown(test_no_types, make, destroy),
		cmocka_unit_test_setup_teardown(test_pipes, make, destroy),
		cmocka_unit_test_setup_teardown(test_links, make, destroy),
		cmocka_unit_test_setup_teardown(test_linked_types, make, destroy),
		cmocka_unit_test_setup_teardown(test_names, make, destroy),
		cmocka_unit_test_setup_teardown(test_no_plan, make, destroy),
		cmocka_unit_test_setup_teardown(test_any_bytes, make, destroy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
