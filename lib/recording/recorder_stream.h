/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_stream.h - writes the packets of one CPU to a file that is readable at any moment
 *
 * The file is a sequence of packets, each of full size. The writer may be killed, or the disk
 * may be full, at any moment, and every CTF reader must understand the file then. So the file
 * ends with an empty packet that takes all space up to its end, and a packet becomes part of
 * the trace by one write within one page:
 *
 * 	1. write everything after the packet's first page into the empty packet's space;
 * 	2. write the header of a new empty packet after it, which no reader sees yet;
 * 	3. write the first page with the header: the packet is now part of the trace.
 *
 * Until its first packet is in it the file has a hidden name, which no reader looks at.
 *
 * A packet that is not full yet may be written, and later written again with more records. Until
 * then the empty packet follows it, also when the file grows.
 * When the file is closed properly, the empty packet is cut off.
 */
#ifndef LIB_RECORDING_RECORDER_STREAM_H
#define LIB_RECORDING_RECORDER_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

/**
 * struct kcatch_recorder_stream - the stream file of one CPU
 * @fd: descriptor; -1: not opened yet
 * @directory: descriptor of the directory, the caller's; -1: the file has its name
 * @name: name of the file
 * @packet_size: bytes of a packet
 * @end: offset in bytes at which the next packet is written
 * @file_size: bytes of the file, with the empty packet
 * @last: header of the last packet that was written; magic 0: none
 * @partial: header of the packet at @end that is not full; magic 0: there is none
 */
struct kcatch_recorder_stream {
	int fd;
	int directory;
	char name[16];
	uint32_t packet_size;
	uint64_t end;
	uint64_t file_size;
	struct kcatch_packet last;
	struct kcatch_packet partial;
};

/**
 * kcatch_recorder_stream_open - create the file
 * @stream: the stream, with @packet_size
 * @directory: descriptor of the directory, which stays open until a packet was written
 * @cpu: number of the CPU: the file is "cpuN", which must not exist, and until a packet was written
 *	".cpuN"
 *
 * Return: 0 or -errno, without an error text.
 */
int kcatch_recorder_stream_open(struct kcatch_recorder_stream *stream, int directory, uint32_t cpu);

/**
 * kcatch_recorder_stream_write - append packets
 * @stream: the stream
 * @head: header of the first packet, as it shall be in the file
 * @bytes: @count packets one after the other; the first one's header is ignored
 * @count: number of packets; the headers of all but the first are complete. If the first one was
 *	written by kcatch_recorder_stream_partial(), more than 1 leave no empty packet at the end
 *	until all are written
 * @length: bytes of the last packet to write, with its header
 *
 * Return: 0 or -errno: then none of the packets is part of the trace, but for what
 *	kcatch_recorder_stream_partial() wrote.
 */
int kcatch_recorder_stream_write(struct kcatch_recorder_stream *stream,
				 const struct kcatch_packet *head, const unsigned char *bytes,
				 uint32_t count, uint32_t length);

/**
 * kcatch_recorder_stream_partial - write a packet that is not full
 * @stream: the stream; the next write goes to the same place
 * @head: header of the packet: packet_size as of a full one, content_size matching @length
 * @bytes: the packet; its header is ignored
 * @length: bytes of the packet, with its header
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_stream_partial(struct kcatch_recorder_stream *stream,
				   const struct kcatch_packet *head, const unsigned char *bytes,
				   uint32_t length);

/**
 * kcatch_recorder_stream_close - cut the empty packet off and close
 * @stream: the stream
 * @keep_partial: keep the packet last written by kcatch_recorder_stream_partial() as the
 *	file's last one
 *
 * Without a packet the file is removed. Return: 0 or -errno.
 */
int kcatch_recorder_stream_close(struct kcatch_recorder_stream *stream, bool keep_partial);

#endif
