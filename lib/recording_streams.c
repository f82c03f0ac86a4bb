/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recording_streams.c - the stream files of a recording as one row of records
 *
 * A packet is read as a whole into memory of our own: a file that is mapped may be cut off
 * by others, which kills who reads it. A heap holds the CPUs by the time of their next
 * record.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "recording_streams.h"
#include "ring_reader.h"

struct stream {
	int fd;
	uint32_t cpu;
	uint64_t size;		/* of the file */
	uint64_t at;		/* of the next packet */
	unsigned char *packet;
	size_t room;
	size_t content;		/* bytes of @packet */
	size_t position;	/* of the record behind @record */
	const struct kcatch_record *record;	/* NULL: there is none */
	uint64_t damaged;
};

struct kcatch_recording_streams {
	struct stream *streams;
	struct stream **heap;	/* those with a record, the oldest first */
	uint32_t nr;
	uint32_t nr_heap;
	uint32_t step;
	bool given;		/* the first of the heap was handed out */
};

/* As many bytes as there are. */
static ssize_t read_at(int fd, void *bytes, size_t size, uint64_t at)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = pread(fd, (char *)bytes + done, size - done, (off_t)(at + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return kcatch_error_system(errno, "read a stream of the recording");
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

static bool is_good_head(const struct kcatch_packet *head)
{
	uint64_t content = head->content_size / 8, size = head->packet_size / 8;

	/* The empty one at the end of a file ends before what is reserved in its header. */
	return head->magic == KCATCH_PACKET_MAGIC && head->content_size % 32 == 0 &&
	       head->packet_size % 64 == 0 && size >= sizeof(*head) && content <= size &&
	       content >= offsetof(struct kcatch_packet, reserved) && content <= KCATCH_PACKET_SIZE_MAX;
}

static int have_room(struct stream *stream, size_t room)
{
	unsigned char *packet;

	if (room <= stream->room)
		return 0;
	packet = realloc(stream->packet, room);
	if (!packet)
		return kcatch_error_memory();
	stream->packet = packet;
	stream->room = room;
	return 0;
}

/* Read the next packet that has records. 1: there is one; 0: no more. */
static int read_packet(const struct kcatch_recording_streams *streams, struct stream *stream)
{
	bool lost = false;	/* what was damaged goes on: it was counted */

	while (stream->at < stream->size) {
		uint64_t left = stream->size - stream->at, size;
		struct kcatch_packet head;
		ssize_t got = read_at(stream->fd, &head, sizeof(head), stream->at);
		int ret;

		if (got < 0)
			return (int)got;
		if ((size_t)got < sizeof(head) || !is_good_head(&head)) {
			stream->damaged += !lost;
			lost = true;
			stream->at = (stream->at / streams->step + 1) * streams->step;
			continue;
		}
		lost = false;
		size = head.packet_size / 8;
		stream->content = head.content_size / 8 & ~7ULL;
		if (size > left) {
			/* The file was cut off. */
			stream->damaged++;
			size = left;
			if (stream->content > left)
				stream->content = left & ~7ULL;
		}
		if (stream->content > sizeof(head)) {
			ret = have_room(stream, stream->content);
			if (ret)
				return ret;
			got = read_at(stream->fd, stream->packet, stream->content, stream->at);
			if (got < 0)
				return (int)got;
			if ((size_t)got < stream->content) {
				stream->damaged++;
				stream->content = (size_t)got & ~(size_t)7;
			}
		}
		stream->at += size;
		stream->position = sizeof(head);
		if (stream->content > sizeof(head))
			return 1;
		stream->content = stream->position;
	}
	return 0;
}

/* Go to the next good record. */
static int advance(const struct kcatch_recording_streams *streams, struct stream *stream)
{
	stream->record = NULL;
	for (;;) {
		const struct kcatch_record *record = (const void *)(stream->packet + stream->position);
		size_t left = stream->content - stream->position;
		int ret;

		if (!left) {
			ret = read_packet(streams, stream);
			if (ret <= 0)
				return ret;
			continue;
		}
		if (left < sizeof(*record) || record->size < sizeof(*record) || record->size % 8 ||
		    record->size > left) {
			stream->damaged++;
			stream->position = stream->content;
			continue;
		}
		stream->position += record->size;
		if (kcatch_record_is_good(record, record->size)) {
			stream->record = record;
			return 0;
		}
		stream->damaged++;
	}
}

/* ---- the heap ------------------------------------------------------------------ */

static bool is_before(const struct stream *a, const struct stream *b)
{
	if (a->record->time != b->record->time)
		return a->record->time < b->record->time;
	return a->cpu < b->cpu;
}

static void sift_down(struct kcatch_recording_streams *streams, uint32_t at)
{
	struct stream **heap = streams->heap, *moved = heap[at];

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= streams->nr_heap)
			break;
		if (child + 1 < streams->nr_heap && is_before(heap[child + 1], heap[child]))
			child++;
		if (!is_before(heap[child], moved))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

int kcatch_recording_streams_next(struct kcatch_recording_streams *streams,
				  const struct kcatch_record **record, uint32_t *cpu)
{
	*record = NULL;
	if (streams->given) {
		int ret = advance(streams, streams->heap[0]);

		streams->given = false;
		if (!streams->heap[0]->record)
			streams->heap[0] = streams->heap[--streams->nr_heap];
		if (streams->nr_heap)
			sift_down(streams, 0);
		if (ret < 0)
			return ret;
	}
	if (!streams->nr_heap)
		return 0;
	streams->given = true;
	*record = streams->heap[0]->record;
	*cpu = streams->heap[0]->cpu;
	return 0;
}

/* ---- the object ------------------------------------------------------------------- */

static int open_stream(struct kcatch_recording_streams *streams, int directory, uint32_t cpu)
{
	struct stream *stream = &streams->streams[streams->nr];
	struct stat status;
	char name[24];
	int fd, ret;

	snprintf(name, sizeof(name), "cpu%u", cpu);
	/* A pipe or a device of that name is none. */
	fd = openat(directory, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : kcatch_error_set(errno, "open %s of the recording: %s", name,
							      strerror(errno));
	if (fstat(fd, &status) || !S_ISREG(status.st_mode)) {
		close(fd);
		return kcatch_error_set(EINVAL, "%s of the recording is no file", name);
	}
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	*stream = (struct stream){ .fd = fd, .cpu = cpu, .size = (uint64_t)status.st_size };
	streams->nr++;
	ret = advance(streams, stream);
	if (stream->record)
		streams->heap[streams->nr_heap++] = stream;
	return ret;
}

int kcatch_recording_streams_open(int directory, uint32_t nr_cpus, uint32_t step,
				  struct kcatch_recording_streams **out)
{
	struct kcatch_recording_streams *streams = calloc(1, sizeof(*streams));
	uint32_t cpu, at;
	int ret = 0;

	*out = NULL;
	if (!streams)
		return kcatch_error_memory();
	streams->step = step;
	streams->streams = calloc(nr_cpus, sizeof(*streams->streams));
	streams->heap = calloc(nr_cpus, sizeof(struct stream *));
	if (!streams->streams || !streams->heap)
		ret = kcatch_error_memory();
	for (cpu = 0; !ret && cpu < nr_cpus; cpu++)
		ret = open_stream(streams, directory, cpu);
	if (ret) {
		kcatch_recording_streams_close(streams);
		return ret;
	}
	for (at = streams->nr_heap / 2; at-- > 0; )
		sift_down(streams, at);
	*out = streams;
	return 0;
}

void kcatch_recording_streams_close(struct kcatch_recording_streams *streams)
{
	uint32_t i;

	if (!streams)
		return;
	for (i = 0; i < streams->nr; i++) {
		close(streams->streams[i].fd);
		free(streams->streams[i].packet);
	}
	free(streams->heap);
	free(streams->streams);
	free(streams);
}

uint64_t kcatch_recording_streams_damaged(const struct kcatch_recording_streams *streams)
{
	uint64_t damaged = 0;
	uint32_t i;

	for (i = 0; i < streams->nr; i++)
		damaged += streams->streams[i].damaged;
	return damaged;
}

uint64_t kcatch_recording_streams_bytes(const struct kcatch_recording_streams *streams)
{
	uint64_t bytes = 0;
	uint32_t i;

	for (i = 0; i < streams->nr; i++)
		bytes += streams->streams[i].size;
	return bytes;
}

uint64_t kcatch_recording_streams_done(const struct kcatch_recording_streams *streams)
{
	uint64_t bytes = 0;
	uint32_t i;

	for (i = 0; i < streams->nr; i++) {
		const struct stream *stream = &streams->streams[i];

		bytes += stream->at < stream->size ? stream->at : stream->size;
	}
	return bytes;
}
