/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * read_streams.c - merges the stream files of a recording into one sequence of records
 *
 * Packets are read into private memory, in parts if there are many CPUs. They are not mapped:
 * another process may truncate a mapped file, which kills its reader. A heap holds the CPUs by
 * the time of their next record.
 *
 * Damage is counted; place and kind of the first damage are kept for messages, as a count alone
 * does not help to find it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "recording/read_streams.h"
#include "ring/reader.h"

#define WINDOWS (32U << 20)	/* bytes of packets in memory, of all CPUs together */
#define WINDOW_MOST (64U << 10)
#define WINDOW_LEAST 512U
#define FILE_NAME 40		/* "piece-00000001/cpu0" */
#define OPEN_FILES 200U		/* with more CPUs each is opened for every read */

struct stream {
	int fd;			/* -1: opened for each read */
	uint32_t cpu;
	size_t piece;		/* index of the one that has the file */
	bool continues;		/* no packet of this piece was read, but of one before */
	uint64_t before;	/* bytes of the files of the pieces before */
	uint64_t size;		/* of the file */
	uint64_t at;		/* of the next packet */
	uint64_t packet;	/* of the one that is being read */
	size_t content;		/* bytes of it */
	size_t position;	/* in it: of the record behind @record */
	unsigned char *window;	/* bytes of it */
	size_t room;
	size_t from, to;	/* which */
	uint64_t sequence;	/* of the packet before */
	uint64_t end;		/* its last time */
	bool begun;		/* there was one */
	uint64_t discarded;	/* records that found no room, as packets tell */
	const struct kcatch_record *record;	/* NULL: there is none */
};

struct kcatch_recording_streams {
	struct stream *streams;
	struct stream **heap;	/* those with a record, the oldest first */
	uint32_t nr;
	uint32_t nr_heap;
	uint32_t nr_cpus;
	size_t window;
	int directory;
	const struct kcatch_recording_pieces *pieces;
	uint64_t *sizes;	/* of the files, by piece and CPU; 0: there is none */
	uint64_t bytes;		/* of all files */
	struct kcatch_recording_shape shape;
	bool given;		/* the first of the heap was handed out */
	uint64_t damaged;
	char damage[200];	/* the first */
};

/* Below the recording's directory. */
static void file_name(const struct kcatch_recording_streams *streams, size_t piece, uint32_t cpu,
		      char name[FILE_NAME])
{
	char hidden[KCATCH_PIECE_NAME];

	if (streams->pieces->nr)
		snprintf(name, FILE_NAME, "%s/cpu%" PRIu32,
			 kcatch_piece_name(streams->pieces->numbers[piece], hidden), cpu);
	else
		snprintf(name, FILE_NAME, "cpu%" PRIu32, cpu);
}

/* @at: byte of the file. */
static void note_damage(struct kcatch_recording_streams *streams, const struct stream *stream,
			uint64_t at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void note_damage(struct kcatch_recording_streams *streams, const struct stream *stream,
			uint64_t at, const char *format, ...)
{
	char name[FILE_NAME];
	va_list args;
	int length;

	if (streams->damaged++)
		return;
	file_name(streams, stream->piece, stream->cpu, name);
	length = snprintf(streams->damage, sizeof(streams->damage), "%s, byte %" PRIu64 ": ", name,
			  at);
	va_start(args, format);
	vsnprintf(streams->damage + length, sizeof(streams->damage) - (size_t)length, format, args);
	va_end(args);
}

static int open_file(const struct kcatch_recording_streams *streams, const struct stream *stream)
{
	char name[FILE_NAME];

	file_name(streams, stream->piece, stream->cpu, name);
	/* A pipe, a device or a link of that name is none. */
	return openat(streams->directory, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
}

/* As many bytes as there are. */
static ssize_t read_at(const struct kcatch_recording_streams *streams, const struct stream *stream,
		       void *bytes, size_t size, uint64_t at)
{
	int fd = stream->fd < 0 ? open_file(streams, stream) : stream->fd,
	    error = 0;
	size_t done = 0;

	while (fd >= 0 && done < size) {
		ssize_t got = pread(fd, (char *)bytes + done, size - done, (off_t)(at + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			error = errno;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	if (fd < 0)
		error = errno;
	else if (stream->fd < 0)
		close(fd);
	return error ? kcatch_error_system(error, "read a stream of the recording") : (ssize_t)done;
}

/* The file's size now. A recorder may be at work: it lets the file grow, and cuts it at its end. */
static uint64_t size_now(const struct kcatch_recording_streams *streams,
			 const struct stream *stream)
{
	int fd = stream->fd < 0 ? open_file(streams, stream) : stream->fd;
	struct stat status;
	bool known = fd >= 0 && !fstat(fd, &status);

	if (fd >= 0 && stream->fd < 0)
		close(fd);
	return known ? (uint64_t)status.st_size : stream->size;
}

static bool is_good_head(const struct kcatch_packet *head)
{
	uint64_t content = head->content_size / 8, size = head->packet_size / 8;

	/* The empty one at the end of a file ends before what is reserved in its header. */
	return head->magic == KCATCH_PACKET_MAGIC && head->content_size % 32 == 0 &&
	       head->packet_size % 64 == 0 && size >= sizeof(*head) && content <= size &&
	       content >= offsetof(struct kcatch_packet, reserved) &&
	       content <= KCATCH_PACKET_SIZE_MAX;
}

/* Where to look on, behind damage. Holes, of which a file may have terabytes, hold nothing. */
static uint64_t behind_damage(const struct kcatch_recording_streams *streams,
			      const struct stream *stream)
{
	uint64_t step = streams->shape.step, next = (stream->at / step + 1) * step;
	int fd = stream->fd < 0 ? open_file(streams, stream) : stream->fd;
	off_t data = fd < 0 ? -1 : lseek(fd, (off_t)next, SEEK_DATA);
	bool at_end = fd >= 0 && data < 0 && errno == ENXIO;

	if (fd >= 0 && stream->fd < 0)
		close(fd);
	if (data < 0)
		return at_end ? stream->size : next;
	return (uint64_t)data / step * step > next ? (uint64_t)data / step * step : next;
}

/* A good packet, but is it one of this stream, and the next? Else it is left out. */
static bool is_wanted(struct kcatch_recording_streams *streams, struct stream *stream,
		      const struct kcatch_packet *head)
{
	const struct kcatch_recording_shape *shape = &streams->shape;

	if (shape->has_uuid && memcmp(head->uuid, shape->uuid, sizeof(shape->uuid)) != 0) {
		note_damage(streams, stream, stream->at, "the packet is another recording's");
		return false;
	}
	if (head->cpu != stream->cpu) {
		note_damage(streams, stream, stream->at, "the packet is of CPU %" PRIu32,
			    head->cpu);
		return false;
	}
	/* The empty one at the end: a piece may follow. */
	if (head->content_size / 8 < sizeof(*head))
		return false;
	/* The rest of a packet that begins in the piece before has its number. */
	if (stream->begun && stream->continues && head->sequence == stream->sequence &&
	    head->timestamp_begin >= stream->end)
		stream->sequence--;
	if (stream->begun && head->sequence <= stream->sequence &&
	    head->timestamp_begin < stream->end) {
		note_damage(streams, stream, stream->at, "the packet was there before");
		return false;
	}
	/* What was overwritten while a running ring was copied is no damage. */
	if (stream->begun && head->sequence != stream->sequence + 1 && shape->from_start)
		note_damage(streams, stream, stream->at,
			    "packet %" PRIu64 " follows packet %" PRIu64, (uint64_t)head->sequence,
			    stream->sequence);
	else if (!stream->begun && head->sequence && shape->from_start && !shape->follows)
		note_damage(streams, stream, stream->at, "the first packet is number %" PRIu64,
			    (uint64_t)head->sequence);
	stream->begun = true;
	stream->continues = false;
	stream->sequence = head->sequence;
	if (head->discarded > stream->discarded)
		stream->discarded = head->discarded;
	stream->end = head->timestamp_end;
	return true;
}

/* Go to the file of the next piece that has one. false: there is none */
static bool next_file(struct kcatch_recording_streams *streams, struct stream *stream)
{
	const size_t nr = streams->pieces->nr;

	while (stream->piece + 1 < nr) {
		stream->before += stream->size;
		stream->at = 0;
		stream->size = streams->sizes[++stream->piece * streams->nr_cpus + stream->cpu];
		if (!stream->size)
			continue;
		stream->continues = true;
		if (streams->nr_cpus > OPEN_FILES)
			return true;
		if (stream->fd >= 0)
			close(stream->fd);
		stream->fd = open_file(streams, stream);
		if (stream->fd >= 0)
			return true;
		note_damage(streams, stream, 0, "%s", errno == ENOENT ?
			    "the file was removed while the recording was read" : strerror(errno));
		stream->at = stream->size;
	}
	return false;
}

/* Go to the next packet that has records. 1: there is one; 0: no more. */
static int read_packet(struct kcatch_recording_streams *streams, struct stream *stream)
{
	bool lost = false;	/* what was damaged goes on: it was counted */

	while (stream->at < stream->size || next_file(streams, stream)) {
		uint64_t left = stream->size - stream->at, size;
		struct kcatch_packet head;
		ssize_t got = read_at(streams, stream, &head, sizeof(head), stream->at);
		bool wanted;

		if (got < 0)
			return (int)got;
		/* The recorder has ended, and has cut the empty packet off. */
		if (!got && size_now(streams, stream) == stream->at) {
			stream->at = stream->size;
			continue;
		}
		if ((size_t)got < sizeof(head) || !is_good_head(&head)) {
			if (!lost)
				note_damage(streams, stream, stream->at, "no packet begins there");
			lost = true;
			stream->at = behind_damage(streams, stream);
			continue;
		}
		lost = false;
		size = head.packet_size / 8;
		stream->content = head.content_size / 8 & ~7ULL;
		if (size > left && stream->at + size > size_now(streams, stream)) {
			note_damage(streams, stream, stream->at, "the file ends within a packet");
			size = left;
			if (stream->content > left)
				stream->content = left & ~7ULL;
		}
		wanted = is_wanted(streams, stream, &head);
		stream->packet = stream->at;
		stream->at += size;
		stream->position = sizeof(head);
		stream->from = stream->to = 0;
		if (wanted && stream->content > sizeof(head))
			return 1;
		stream->content = stream->position;
	}
	return 0;
}

/* What the packet has at @position: 1: @size bytes at @bytes; 0: the file ends before. */
static int look_at(struct kcatch_recording_streams *streams, struct stream *stream, size_t size,
		   const void **bytes)
{
	size_t wanted = stream->content - stream->position;
	ssize_t got;

	if (stream->position < stream->from || stream->position + size > stream->to) {
		size_t room = size > streams->window ? size : streams->window;

		if (room > stream->room) {
			unsigned char *window = realloc(stream->window, room);

			if (!window)
				return kcatch_error_memory();
			stream->window = window;
			stream->room = room;
		}
		wanted = wanted < stream->room ? wanted : stream->room;
		got = read_at(streams, stream, stream->window, wanted,
			      stream->packet + stream->position);
		if (got < 0)
			return (int)got;
		stream->from = stream->position;
		stream->to = stream->position + (size_t)got;
		if ((size_t)got < size)
			return 0;
	}
	*bytes = stream->window + (stream->position - stream->from);
	return 1;
}

/* Go to the next good record. */
static int advance(struct kcatch_recording_streams *streams, struct stream *stream)
{
	stream->record = NULL;
	for (;;) {
		size_t left = stream->content - stream->position;
		uint64_t at = stream->packet + stream->position;
		const struct kcatch_record *record;
		const void *bytes = NULL;
		uint32_t size;
		int ret;

		if (!left) {
			ret = read_packet(streams, stream);
			if (ret <= 0)
				return ret;
			continue;
		}
		ret = left < sizeof(*record) ? 0 :
					       look_at(streams, stream, sizeof(*record), &bytes);
		if (ret < 0)
			return ret;
		record = bytes;
		size = record ? record->size : 0;
		if (!record || size < sizeof(*record) || size % 8 || size > left) {
			note_damage(streams, stream, at,
				    record ? "no record has the size %" PRIu32 :
					     "no record begins there",
				    size);
			stream->position = stream->content;
			continue;
		}
		ret = look_at(streams, stream, size, &bytes);
		if (ret < 0)
			return ret;
		record = bytes;
		stream->position = ret ? stream->position + size : stream->content;
		if (ret && kcatch_record_is_good(record, size)) {
			stream->record = record;
			return 0;
		}
		note_damage(streams, stream, at, ret ? "the record contradicts itself" :
			    "the file ends within a record");
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

static int open_stream(struct kcatch_recording_streams *streams, uint32_t cpu, size_t piece)
{
	struct stream *stream = &streams->streams[streams->nr];
	int fd, ret;
	struct stat status;

	*stream = (struct stream){ .fd = -1, .cpu = cpu, .piece = piece };
	fd = open_file(streams, stream);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 && errno != ELOOP)
		return kcatch_error_set(errno, "open cpu%" PRIu32 " of the recording: %s", cpu,
					strerror(errno));
	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode)) {
		if (fd >= 0)
			close(fd);
		return kcatch_error_set(EINVAL, "cpu%" PRIu32 " of the recording is no file", cpu);
	}
	if (streams->nr_cpus > OPEN_FILES) {
		close(fd);
		fd = -1;
	} else {
		posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	}
	stream->fd = fd;
	stream->size = (uint64_t)status.st_size;
	if (streams->pieces->nr && stream->size > streams->sizes[piece * streams->nr_cpus + cpu])
		stream->size = streams->sizes[piece * streams->nr_cpus + cpu];
	else if (!streams->pieces->nr)
		streams->bytes += stream->size;
	streams->nr++;
	ret = advance(streams, stream);
	if (stream->record)
		streams->heap[streams->nr_heap++] = stream;
	return ret;
}

/* How much there is now: of a recording that is being written a reader reads no more. */
static int find_sizes(struct kcatch_recording_streams *streams)
{
	const struct kcatch_recording_pieces *pieces = streams->pieces;
	struct stat status;
	uint32_t cpu;
	size_t i;

	streams->sizes = calloc(pieces->nr * streams->nr_cpus, sizeof(*streams->sizes));
	if (!streams->sizes)
		return kcatch_error_memory();
	for (i = 0; i < pieces->nr * streams->nr_cpus; i++) {
		char name[FILE_NAME];

		cpu = (uint32_t)(i % streams->nr_cpus);
		file_name(streams, i / streams->nr_cpus, cpu, name);
		if (fstatat(streams->directory, name, &status, AT_SYMLINK_NOFOLLOW))
			continue;
		if (!S_ISREG(status.st_mode))
			return kcatch_error_set(EINVAL, "%s of the recording is no file", name);
		streams->sizes[i] = (uint64_t)status.st_size;
		streams->bytes += streams->sizes[i];
	}
	return 0;
}

/* Index of the first piece that has a file of the CPU; 0 of a recording without pieces. */
static size_t first_piece(const struct kcatch_recording_streams *streams, uint32_t cpu)
{
	size_t piece = 0;

	while (piece + 1 < streams->pieces->nr &&
	       !streams->sizes[piece * streams->nr_cpus + cpu])
		piece++;
	return piece;
}

/* Files of CPUs that the machine is said not to have. */
static void look_for_others(struct kcatch_recording_streams *streams)
{
	int fd = openat(streams->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (fd >= 0 && !directory)
		close(fd);
	while (directory && (entry = readdir(directory))) {
		size_t digits = !strncmp(entry->d_name, "cpu", 3) ?
					strspn(entry->d_name + 3, "0123456789") :
					0;

		if (!digits || digits > 9 || entry->d_name[3 + digits] ||
		    strtoul(entry->d_name + 3, NULL, 10) < streams->nr_cpus)
			continue;
		if (!streams->damaged++)
			snprintf(streams->damage, sizeof(streams->damage), "%.16s was not read: "
				 "session.json lists %" PRIu32 " CPU%s", entry->d_name,
				 streams->nr_cpus, streams->nr_cpus == 1 ? "" : "s");
	}
	if (directory)
		closedir(directory);
}

int kcatch_recording_streams_open(int directory, uint32_t nr_cpus,
				  const struct kcatch_recording_shape *shape,
				  const struct kcatch_recording_pieces *pieces,
				  struct kcatch_recording_streams **out)
{
	struct kcatch_recording_streams *streams = calloc(1, sizeof(*streams));
	uint32_t cpu, at;
	int ret = 0;

	*out = NULL;
	if (!streams)
		return kcatch_error_memory();
	streams->directory = directory;
	streams->nr_cpus = nr_cpus;
	streams->shape = *shape;
	streams->pieces = pieces;
	streams->window = WINDOWS / nr_cpus;
	if (streams->window < WINDOW_LEAST)
		streams->window = WINDOW_LEAST;
	if (streams->window > WINDOW_MOST)
		streams->window = WINDOW_MOST;
	streams->streams = calloc(nr_cpus, sizeof(*streams->streams));
	streams->heap = calloc(nr_cpus, sizeof(struct stream *));
	if (!streams->streams || !streams->heap)
		ret = kcatch_error_memory();
	if (!ret && pieces->nr)
		ret = find_sizes(streams);
	for (cpu = 0; !ret && cpu < nr_cpus; cpu++)
		ret = open_stream(streams, cpu, first_piece(streams, cpu));
	if (ret) {
		kcatch_recording_streams_close(streams);
		return ret;
	}
	if (!pieces->nr)
		look_for_others(streams);
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
		if (streams->streams[i].fd >= 0)
			close(streams->streams[i].fd);
		free(streams->streams[i].window);
	}
	free(streams->sizes);
	free(streams->heap);
	free(streams->streams);
	free(streams);
}

uint64_t kcatch_recording_streams_discarded(const struct kcatch_recording_streams *streams,
					    uint32_t cpu)
{
	uint32_t i;

	for (i = 0; i < streams->nr; i++)
		if (streams->streams[i].cpu == cpu)
			return streams->streams[i].discarded;
	return 0;
}

uint64_t kcatch_recording_streams_damaged(const struct kcatch_recording_streams *streams)
{
	return streams->damaged;
}

const char *kcatch_recording_streams_damage(const struct kcatch_recording_streams *streams)
{
	return streams->damage;
}

uint64_t kcatch_recording_streams_bytes(const struct kcatch_recording_streams *streams)
{
	return streams->bytes;
}

uint64_t kcatch_recording_streams_done(const struct kcatch_recording_streams *streams)
{
	uint64_t bytes = 0;
	uint32_t i;

	for (i = 0; i < streams->nr; i++) {
		const struct stream *stream = &streams->streams[i];

		bytes += stream->before +
			 (stream->at < stream->size ? stream->at : stream->size);
	}
	return bytes;
}
