// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recording_fixture.c - a recording of two CPUs, as a recorder leaves it
 */
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
#include "recording_fixture.h"

char directory[64];
uint64_t discarded;

void write_text(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

uint32_t fill_packet(unsigned char *bytes, uint32_t cpu, uint32_t first, uint32_t count)
{
	struct kcatch_packet *packet = (struct kcatch_packet *)bytes;
	unsigned char *at = bytes + sizeof(*packet);
	uint32_t i;

	memset(bytes, 0, PACKET);
	for (i = first; i < first + count; i++) {
		struct kcatch_hit *hit = (struct kcatch_hit *)at;
		uint32_t nr = i % 3 ? 1 : 4, frame;
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
		for (frame = 0; frame < nr; frame++)
			hit->frames[frame] = 0xffffffff81000110;
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

void write_stream(uint32_t cpu)
{
	struct kcatch_recorder_stream stream = { .fd = -1, .packet_size = PACKET };
	_Alignas(8) unsigned char bytes[PACKET];
	int fd = open(directory, O_RDONLY | O_DIRECTORY);
	uint32_t i, length;

	assert_true(fd >= 0);
	assert_int_equal(kcatch_recorder_stream_open(&stream, fd, cpu), 0);
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

int make_recording(void **state)
{
	char path[128];

	(void)state;
	strcpy(directory, "/tmp/kcatch-recording-XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/kcatch", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	write_text("kcatch/session.json",
		   "{\"format\":3,\"machine\":\"x86_64\",\"version\":\"9\",\"release\":\"6.1\",\"host\":\"h\",\"nr_cpus\":2,\"clock\":0,"
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
	write_text("kcatch/counters", "counters final 1.0\n" COLUMNS "0 0 60 60 0 0 0 0 0 0 0 0\n"
		   "1 0 61 60 0 0 0 1 0 0 0 0\nend\n");
	write_stream(0);
	write_stream(1);
	return 0;
}

int destroy_recording(void **state)
{
	(void)state;
	remove_directory();
	return 0;
}

char damage[420];
uint64_t missing;

int read_all(uint64_t *damaged)
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
		for (i = 0; i < event->nr_frames; i++)
			assert_int_equal(kcatch_session_frame(session, i, &frame), 0);
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
