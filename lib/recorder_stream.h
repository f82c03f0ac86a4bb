/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_stream.h - one CPU's packets, written to a file that can be read at any moment
 *
 * The file is a row of packets, each of its full size. The writer may be killed or the disk
 * be full at any moment, and every reader of CTF must understand what is there then. So the
 * file ends with an empty packet that takes all space up to its end, and a packet becomes a
 * part of the trace by one write that lies within one page:
 *
 *	1. what follows the packet's first page is written, into the empty packet's space;
 *	2. behind it a new empty packet's header, which no reader sees yet;
 *	3. the first page with the header. From now on it is there.
 *
 * A packet that is not full yet may be written, and later again, with what came since.
 * When the file is closed in order the empty packet is cut off.
 */
#ifndef LIB_RECORDER_STREAM_H
#define LIB_RECORDER_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

/**
 * struct kcatch_recorder_stream - one file
 * @fd: -1: not opened yet
 * @packet_size: bytes of a packet
 * @end: where the next packet goes
 * @file_size: of all of it, with the empty packet
 * @last: header of the last packet that was written; magic 0: none
 * @packets: full ones that were written
 */
struct kcatch_recorder_stream {
	int fd;
	uint32_t packet_size;
	uint64_t end;
	uint64_t file_size;
	struct kcatch_packet last;
	uint64_t packets;
};

/**
 * kcatch_recorder_stream_open - create the file
 * @stream: the stream, with @packet_size
 * @directory: descriptor
 * @name: of the file, which must not exist
 *
 * Return: 0 or -errno, without an error text.
 */
int kcatch_recorder_stream_open(struct kcatch_recorder_stream *stream, int directory,
				const char *name);

/**
 * kcatch_recorder_stream_write - append packets
 * @stream: the stream
 * @head: header of the first, as it is to be in the file
 * @bytes: @count packets one after the other; the first one's header is not looked at
 * @count: how many, whose headers are complete
 * @length: of the last one, with its header: what lies behind is not written
 *
 * Return: 0 or -errno: nothing of it is in the trace then.
 */
int kcatch_recorder_stream_write(struct kcatch_recorder_stream *stream,
				 const struct kcatch_packet *head, const unsigned char *bytes,
				 uint32_t count, uint32_t length);

/**
 * kcatch_recorder_stream_partial - write a packet that is not full
 * @stream: the stream; the next write goes to the same place
 * @head: its header: packet_size is that of full ones, content_size that of @length
 * @bytes: the packet; its header is not looked at
 * @length: bytes of it, with its header
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_stream_partial(struct kcatch_recorder_stream *stream,
				   const struct kcatch_packet *head, const unsigned char *bytes,
				   uint32_t length);

/**
 * kcatch_recorder_stream_close - cut the empty packet off and close
 * @stream: the stream
 * @keep_partial: the packet that was written with kcatch_recorder_stream_partial() last
 *	is the last one
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_stream_close(struct kcatch_recorder_stream *stream, bool keep_partial);

#endif
