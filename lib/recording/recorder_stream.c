/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* recorder_stream.c - one CPU's packets, written to a file that can be read at any moment */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recording/recorder_stream.h"

#define PAGE 4096U		/* a write within one is whole or not there */
#define GROW (4U << 20)		/* bytes the file grows by: they take no space on the disk */

static int write_at(int fd, const void *bytes, size_t size, uint64_t at)
{
	while (size) {
		ssize_t done = pwrite(fd, bytes, size, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done ? -errno : -ENOSPC;
		bytes = (const char *)bytes + done;
		size -= (size_t)done;
		at += (uint64_t)done;
	}
	return 0;
}

/* The empty packet at @at, which follows @before and goes up to the end of the file. */
static int write_empty(const struct kcatch_recorder_stream *stream, uint64_t at,
		       const struct kcatch_packet *before)
{
	struct kcatch_packet packet = *before;

	packet.magic = KCATCH_PACKET_MAGIC;
	packet.timestamp_begin = before->timestamp_end;
	/* Nothing is left that a reader would take for an event. */
	packet.content_size = offsetof(struct kcatch_packet, reserved) * 8;
	packet.packet_size = (stream->file_size - at) * 8;
	if (before->magic)
		packet.sequence = before->sequence + 1;
	return write_at(stream->fd, &packet, sizeof(packet), at);
}

/*
 * Have room for @size bytes of packets and an empty one behind. Between the two steps the
 * file ends with zeros that no packet explains: for the time of one system call.
 */
static int grow(struct kcatch_recorder_stream *stream, uint64_t size,
		const struct kcatch_packet *last)
{
	/* What was written of the packet in use stays: the empty packet is the one behind it. */
	bool partial = stream->partial.magic;
	uint64_t before = stream->file_size;
	int ret;

	if (stream->end + size + PAGE <= stream->file_size)
		return 0;
	stream->file_size = stream->end + size + GROW;
	if (ftruncate(stream->fd, (off_t)stream->file_size)) {
		stream->file_size = before;
		return -errno;
	}
	ret = write_empty(stream, stream->end + (partial ? stream->packet_size : 0),
			  partial ? &stream->partial : last);
	if (!ret)
		return 0;
	if (!ftruncate(stream->fd, (off_t)before))
		stream->file_size = before;
	return ret;
}

int kcatch_recorder_stream_open(struct kcatch_recorder_stream *stream, int directory, uint32_t cpu)
{
	snprintf(stream->name, sizeof(stream->name), ".cpu%u", cpu);
	if (!faccessat(directory, stream->name + 1, F_OK, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	stream->fd = openat(directory, stream->name,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (stream->fd < 0)
		return -errno;
	stream->directory = directory;
	return 0;
}

/* A file that begins with a packet gets its name. */
static int show(struct kcatch_recorder_stream *stream)
{
	if (stream->directory < 0)
		return 0;
	if (renameat(stream->directory, stream->name, stream->directory, stream->name + 1))
		return -errno;
	stream->directory = -1;
	return 0;
}

/* The three steps. @size: of the packets in the file, @length: bytes of them that are written. */
static int put(struct kcatch_recorder_stream *stream, const struct kcatch_packet *head,
	       const struct kcatch_packet *last, const unsigned char *bytes, uint64_t size,
	       uint64_t length)
{
	unsigned char first[PAGE];
	size_t part = length < PAGE ? (size_t)length : PAGE;
	struct kcatch_packet before = stream->last;
	int ret;

	/* At the beginning there is no packet yet: an empty one stands where the first will be. */
	if (!before.magic) {
		before = *head;
		before.magic = 0;
		before.timestamp_end = head->timestamp_begin;
	}
	ret = grow(stream, size, &before);

	if (!ret && length > PAGE)
		ret = write_at(stream->fd, bytes + PAGE, length - PAGE, stream->end + PAGE);
	if (!ret)
		ret = write_empty(stream, stream->end + size, last);
	if (ret)
		return ret;
	memcpy(first, head, sizeof(*head));
	memcpy(first + sizeof(*head), bytes + sizeof(*head), part - sizeof(*head));
	ret = write_at(stream->fd, first, part, stream->end);
	return ret ? ret : show(stream);
}

int kcatch_recorder_stream_write(struct kcatch_recorder_stream *stream,
				 const struct kcatch_packet *head, const unsigned char *bytes,
				 uint32_t count, uint32_t length)
{
	uint64_t size = (uint64_t)count * stream->packet_size;
	struct kcatch_packet last = *head;
	int ret;

	if (count > 1)
		memcpy(&last, bytes + size - stream->packet_size, sizeof(last));
	ret = put(stream, head, &last, bytes, size, size - stream->packet_size + length);
	if (ret)
		return ret;
	stream->end += size;
	stream->last = last;
	stream->partial.magic = 0;
	return 0;
}

int kcatch_recorder_stream_partial(struct kcatch_recorder_stream *stream,
				   const struct kcatch_packet *head, const unsigned char *bytes,
				   uint32_t length)
{
	int ret = put(stream, head, head, bytes, stream->packet_size, length);

	if (!ret)
		stream->partial = *head;
	return ret;
}

int kcatch_recorder_stream_close(struct kcatch_recorder_stream *stream, bool keep_partial)
{
	uint64_t size = stream->end + (keep_partial ? stream->packet_size : 0);
	int ret = 0;

	if (stream->fd < 0)
		return 0;
	if (stream->directory >= 0 && unlinkat(stream->directory, stream->name, 0))
		ret = -errno;
	if (ftruncate(stream->fd, (off_t)size))
		ret = -errno;
	if (close(stream->fd) && !ret)
		ret = -errno;
	stream->fd = -1;
	return ret;
}
