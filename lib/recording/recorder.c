/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder.c - writes a session's packets to files unchanged
 *
 * Nothing is decoded: a packet is written from the mapped ring buffer, then its space is returned
 * to the kernel. recorder_stream.h explains why a file can be read at any moment.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "base/struct_size.h"
#include "recording/module_history.h"
#include "recording/recorder.h"

/* ---- the rings ----------------------------------------------------------------- */

#define DESCRIBE_NR 16U			/* probes described between two looks at the rings */
#define HELD_MAX (256U << 20)		/* bytes of packets that are held meanwhile, of all CPUs */

static int find_rings(struct kcatch_recorder *recorder)
{
	struct kcatch_session *session = recorder->session;
	uint32_t cpu;
	int ret = 0;

	if (!session->reader)
		ret = kcatch_ring_reader_create(session->fd, session->info.nr_cpus,
						session->ring_size, session->packet_size,
						&session->reader);
	if (!ret)
		ret = kcatch_ring_reader_map(session->reader);
	for (cpu = 0; !ret && cpu < session->info.nr_cpus; cpu++)
		recorder->cpus[cpu].ring = kcatch_ring_reader_ring(session->reader, cpu);
	return ret;
}

static int fail_write(const struct kcatch_recorder *recorder, int error)
{
	return kcatch_error_set(error, "cannot write to %s: %s", SHOWN(recorder->path),
				strerror(-error));
}

static int open_stream(struct kcatch_recorder *recorder, uint32_t number)
{
	struct kcatch_recorder_cpu *cpu = &recorder->cpus[number];
	int ret;

	if (cpu->stream.fd >= 0)
		return 0;
	ret = kcatch_recorder_stream_open(&cpu->stream, recorder->directory, number);
	cpu->made = !ret;
	return ret ? fail_write(recorder, ret) : 0;
}

static const unsigned char *packet_at(const struct kcatch_mapped_ring *ring, uint64_t position)
{
	return ring->data + (position & (ring->ring_size - 1));
}

/* Gives each of @count packets to @note. */
static int note_each(struct kcatch_recorder *recorder, const unsigned char *bytes, uint64_t count,
		     int (*note)(struct kcatch_recorder *recorder, const void *packet, size_t size))
{
	const uint32_t size = recorder->session->packet_size;
	struct kcatch_packet head;
	int ret = 0;

	for (; count && !ret; count--, bytes += size) {
		memcpy(&head, bytes, sizeof(head));
		ret = note(recorder, bytes, head.content_size / 8 < size ? head.content_size / 8 :
									  size);
	}
	return ret;
}

/*
 * The rest of the packet in use, or of one that was left since, whose beginning is in an earlier
 * piece. Return: 0; -EAGAIN: there is no more in it; another -errno with an error text.
 */
static int copy_rest(const struct kcatch_recorder_cpu *cpu, uint32_t number, uint64_t produced,
		     void *room)
{
	struct kcatch_packet *packet = room;
	int ret = kcatch_mapped_ring_copy(cpu->ring, produced, cpu->cut, packet);

	if (ret == -EAGAIN)
		return ret;
	if (ret)
		return kcatch_error_set(ret, "the ring of CPU %u is damaged", number);
	packet->timestamp_begin = cpu->cut_time;
	return 0;
}

static uint32_t number_of(const struct kcatch_recorder *recorder,
			  const struct kcatch_recorder_cpu *cpu)
{
	return (uint32_t)(cpu - recorder->cpus);
}

/* How many bytes of the packet in use are in the file, with its header. */
static uint64_t part_in_file(const struct kcatch_recorder_cpu *cpu)
{
	uint64_t position = cpu->ring->position;

	if (cpu->flushed <= position || cpu->flushed <= cpu->cut)
		return 0;
	return cpu->cut > position ? sizeof(struct kcatch_packet) + cpu->flushed - cpu->cut :
				     cpu->flushed - position;
}

/* Has the packet in use, or the first that is held, a part in the file? */
static bool is_in_part(const struct kcatch_recorder_cpu *cpu)
{
	if (!cpu->ring)
		return false;
	return cpu->held_size ? cpu->held_flushed != 0 : part_in_file(cpu) != 0;
}

/* Takes the packets that the kernel has left out of a ring, as many as may be held. */
static int hold(struct kcatch_recorder *recorder, struct kcatch_recorder_cpu *cpu)
{
	struct kcatch_mapped_ring *ring = cpu->ring;
	uint64_t produced = kcatch_mapped_ring_produced(ring);
	size_t most = HELD_MAX / recorder->session->info.nr_cpus;
	int ret = 0;

	while (!ret && produced > ring->position + ring->packet_size && cpu->held_size < most) {
		if (cpu->held_size + ring->packet_size > cpu->held_room) {
			size_t room = cpu->held_room ? 2 * cpu->held_room : 16 * ring->packet_size;
			unsigned char *held = realloc(cpu->held, room);

			if (!held)
				return kcatch_error_memory();
			cpu->held = held;
			cpu->held_room = room;
		}
		if (cpu->cut > ring->position)
			ret = copy_rest(cpu, number_of(recorder, cpu), produced,
					cpu->held + cpu->held_size);
		else
			memcpy(cpu->held + cpu->held_size, packet_at(ring, ring->position),
			       ring->packet_size);
		if (ret && ret != -EAGAIN)
			return ret;
		if (!cpu->held_size)
			cpu->held_flushed = part_in_file(cpu);
		if (!ret) {
			ret = note_each(recorder, cpu->held + cpu->held_size, 1,
					kcatch_recorder_note_probes);
			cpu->held_size += ring->packet_size;
		}
		ret = ret == -EAGAIN ? 0 : ret;
		ring->position += ring->packet_size;
		if (cpu->flushed < ring->position)
			cpu->flushed = ring->position;
		kcatch_mapped_ring_consume(ring);
	}
	return ret;
}

/* Which probes have records in the packets that write_full() will write. */
static int note_full(struct kcatch_recorder *recorder, struct kcatch_recorder_cpu *cpu)
{
	const struct kcatch_mapped_ring *ring = cpu->ring;
	uint64_t position = ring->position;
	int ret = 0;

	while (!ret && cpu->produced > position + ring->packet_size) {
		ret = note_each(recorder, packet_at(ring, position), 1,
				kcatch_recorder_note_probes);
		position += ring->packet_size;
	}
	return ret;
}

static int each_ring(struct kcatch_recorder *recorder,
		     int (*visit)(struct kcatch_recorder *recorder,
				  struct kcatch_recorder_cpu *cpu))
{
	uint32_t cpu;
	int ret = 0;

	for (cpu = 0; !ret && cpu < recorder->session->info.nr_cpus; cpu++)
		if (recorder->cpus[cpu].ring)
			ret = visit(recorder, &recorder->cpus[cpu]);
	return ret;
}

/*
 * Describes the probes that have records. That takes a while for a thousand of them, in which the
 * rings would fill up: so packets are taken out meanwhile.
 */
static int describe(struct kcatch_recorder *recorder)
{
	int ret = recorder->when_hit ? each_ring(recorder, note_full) : 0;

	if (ret || !recorder->noted)
		return ret;
	while (!ret && recorder->noted) {
		ret = each_ring(recorder, hold);
		if (!ret)
			ret = kcatch_recorder_write_some(recorder, DESCRIBE_NR);
	}
	return ret ? ret : kcatch_recorder_write_probes(recorder);
}

/* Bytes of a packet that are written; one that says what cannot be is written as it is. */
static uint64_t content_length(const struct kcatch_packet *head, uint64_t size)
{
	uint64_t length = head->content_size / 8;

	return length < sizeof(*head) || length > size ? size : length;
}

/* What is to be found out of the packet's processes and cgroups while they exist. */
static int note_written(struct kcatch_recorder *recorder, const void *packet, size_t size)
{
	int ret = kcatch_recorder_note_cgroups(recorder, packet, size);

	return ret ? ret : kcatch_recorder_note_jit(recorder, packet, size);
}

/* What was held, which is described by now. */
static int write_held(struct kcatch_recorder *recorder, uint32_t number)
{
	struct kcatch_recorder_cpu *cpu = &recorder->cpus[number];
	const uint32_t size = recorder->session->packet_size;
	size_t done = 0;
	int ret = cpu->held_size ? open_stream(recorder, number) : 0;

	while (!ret && done < cpu->held_size) {
		const unsigned char *bytes = cpu->held + done;
		struct kcatch_packet head;
		uint64_t length;

		memcpy(&head, bytes, sizeof(head));
		length = content_length(&head, size);
		ret = kcatch_recorder_stream_write(&cpu->stream, &head, bytes, 1,
						   (uint32_t)length);
		if (ret) {
			ret = fail_write(recorder, ret);
			break;
		}
		recorder->stats.bytes += size;
		done += size;
		cpu->held_flushed = 0;
		ret = note_each(recorder, bytes, 1, note_written);
		if (!ret)
			ret = note_each(recorder, bytes, 1, kcatch_recorder_count_written);
	}
	if (done && done < cpu->held_size)
		memmove(cpu->held, cpu->held + done, cpu->held_size - done);
	cpu->held_size -= done;
	if (!cpu->held_size) {
		free(cpu->held);
		cpu->held = NULL;
		cpu->held_room = 0;
	}
	return ret;
}

/* What is in the file is the kernel's to write again. */
static void leave(struct kcatch_recorder_cpu *cpu, uint64_t count)
{
	cpu->ring->position += count * cpu->ring->packet_size;
	cpu->flushed = cpu->ring->position;
	kcatch_mapped_ring_consume(cpu->ring);
}

/* Packets that were left by the kernel, from the reader's place on. */
static int write_full(struct kcatch_recorder *recorder, uint32_t number, uint64_t produced)
{
	struct kcatch_recorder_cpu *cpu = &recorder->cpus[number];
	struct kcatch_mapped_ring *ring = cpu->ring;
	uint64_t most = UINT64_MAX;
	int ret;

	/* A packet that is full to the last byte is left only when the next one begins. */
	while (produced > ring->position + ring->packet_size) {
		uint64_t count = (produced - 1 - ring->position) / ring->packet_size;
		uint64_t contiguous = (ring->ring_size - (ring->position & (ring->ring_size - 1))) /
				      ring->packet_size;
		const unsigned char *bytes = packet_at(ring, ring->position);
		struct kcatch_packet head, last;
		uint64_t length;

		count = count < contiguous ? count : contiguous;
		count = count < most ? count : most;
		/* One that is in the file in part is completed alone: an empty one follows it. */
		if (cpu->flushed > ring->position)
			count = 1;
		if (cpu->cut > ring->position) {
			ret = copy_rest(cpu, number, produced, recorder->packet);
			if (ret && ret != -EAGAIN)
				return ret;
			if (ret) {
				leave(cpu, 1);
				continue;
			}
			bytes = (const unsigned char *)recorder->packet;
		}
		memcpy(&head, bytes, sizeof(head));
		memcpy(&last, bytes + (count - 1) * ring->packet_size, sizeof(last));
		length = content_length(&last, ring->packet_size);
		ret = open_stream(recorder, number);
		if (ret)
			return ret;
		ret = kcatch_recorder_stream_write(&cpu->stream, &head, bytes, (uint32_t)count,
						   (uint32_t)length);
		/* There may be room for some of them. */
		if ((ret == -ENOSPC || ret == -EDQUOT) && count > 1) {
			most = count / 2;
			continue;
		}
		if (ret)
			return fail_write(recorder, ret);
		ret = note_each(recorder, bytes, count, note_written);
		if (!ret)
			ret = note_each(recorder, bytes, count, kcatch_recorder_count_written);
		recorder->stats.bytes += count * ring->packet_size;
		leave(cpu, count);
		if (ret)
			return ret;
	}
	return 0;
}

/* The packet in use. */
static int write_partial(struct kcatch_recorder *recorder, uint32_t number, uint64_t produced)
{
	struct kcatch_recorder_cpu *cpu = &recorder->cpus[number];
	const struct kcatch_packet *packet = recorder->packet;
	int ret;

	if (produced <= cpu->flushed)
		return 0;
	if (cpu->cut > cpu->ring->position)
		ret = copy_rest(cpu, number, produced, recorder->packet);
	else
		ret = kcatch_mapped_ring_copy(cpu->ring, produced, cpu->ring->position,
					      recorder->packet);
	if (ret)
		return ret == -EAGAIN ?
			       0 :
			       kcatch_error_set(ret, "the ring of CPU %u is damaged", number);
	ret = open_stream(recorder, number);
	if (!ret)
		ret = kcatch_recorder_note_probes(recorder, packet, packet->content_size / 8);
	if (!ret && recorder->noted)
		ret = kcatch_recorder_write_probes(recorder);
	if (ret)
		return ret;
	ret = kcatch_recorder_stream_partial(&cpu->stream, packet, (const unsigned char *)packet,
					     (uint32_t)(packet->content_size / 8));
	if (ret)
		return fail_write(recorder, ret);
	cpu->flushed = produced;
	return note_written(recorder, packet, packet->content_size / 8);
}

/*
 * How far all rings have come; then, which probes there are: all that made a record so far
 * are among them, and are described before it is written.
 */
static int look(struct kcatch_recorder *recorder)
{
	uint32_t cpu;
	int ret = find_rings(recorder);

	for (cpu = 0; !ret && cpu < recorder->session->info.nr_cpus; cpu++) {
		struct kcatch_recorder_cpu *at = &recorder->cpus[cpu];

		at->produced = at->ring ? kcatch_mapped_ring_produced(at->ring) : 0;
	}
	if (!ret)
		ret = kcatch_session_learn(recorder->session);
	return ret ? ret : kcatch_recorder_write_probes(recorder);
}

static int write_cpus(struct kcatch_recorder *recorder, bool flush)
{
	uint32_t cpu;
	int ret = look(recorder), failed;

	if (!ret)
		ret = describe(recorder);
	if (ret)
		return ret;
	for (cpu = 0; cpu < recorder->session->info.nr_cpus; cpu++) {
		uint64_t produced = recorder->cpus[cpu].produced;

		if (!recorder->cpus[cpu].ring)
			continue;
		failed = write_held(recorder, cpu);
		if (!failed)
			failed = write_full(recorder, cpu, produced);
		if (!failed && flush)
			failed = write_partial(recorder, cpu, produced);
		/* The others have a place on the disk perhaps: all are tried. */
		if (failed)
			ret = failed;
	}
	return ret;
}

int kcatch_recorder_write(struct kcatch_recorder *recorder, bool flush)
{
	int ret = write_cpus(recorder, flush);
	bool ends = !ret && kcatch_recorder_piece_is_due(recorder);

	if (ends)
		ret = write_cpus(recorder, true);
	if (!ret && ends)
		return kcatch_recorder_rotate(recorder);
	if (!ret && flush)
		ret = kcatch_recorder_update_counters(recorder);
	if (!ret && flush)
		ret = kcatch_recorder_update_cgroups(recorder);
	if (!ret && flush)
		ret = kcatch_recorder_update_jit(recorder);
	if (!ret && flush)
		ret = kcatch_recorder_write_clock(recorder, false);
	return ret;
}

static void count_record(struct kcatch_recorder *recorder, struct kcatch_recorder_cpu *cpu,
			 const struct kcatch_record *record)
{
	bool is_return = KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_RETURN;
	uint64_t *counts = is_return ? cpu->unwritten_returns : cpu->unwritten;

	if (is_return)
		recorder->stats.unwritten_returns++;
	else
		recorder->stats.unwritten++;
	if (counts && KCATCH_RECORD_PROBE(record->id) < recorder->session->nr_slots)
		counts[KCATCH_RECORD_PROBE(record->id)]++;
}

/* Packets that were taken out of the ring and found no room in the file. */
static void count_held(struct kcatch_recorder *recorder, struct kcatch_recorder_cpu *cpu)
{
	const size_t packet_size = recorder->session->packet_size;
	size_t done;

	for (done = 0; done < cpu->held_size; done += packet_size) {
		const unsigned char *bytes = cpu->held + done;
		const struct kcatch_record *record;
		size_t at = sizeof(struct kcatch_packet), begin;
		struct kcatch_packet head;

		memcpy(&head, bytes, sizeof(head));
		for (begin = at; (record = kcatch_recorder_next_record(
					  bytes, head.content_size / 8 < packet_size ?
							 head.content_size / 8 : packet_size,
					  &at)); begin = at)
			if (done || begin >= cpu->held_flushed)
				count_record(recorder, cpu, record);
	}
}

/* The disk is full: what is still in the rings is lost, and counted as such. */
static void count_unwritten(struct kcatch_recorder *recorder, struct kcatch_recorder_cpu *cpu)
{
	size_t nr = recorder->session->nr_slots;
	struct kcatch_record *record = (struct kcatch_record *)recorder->packet;
	uint64_t produced;
	size_t size;

	if (!cpu->ring)
		return;
	produced = kcatch_mapped_ring_produced(cpu->ring);
	if (!cpu->held_size && (produced <= cpu->ring->position || produced <= cpu->flushed))
		return;
	cpu->unwritten = calloc(nr, sizeof(*cpu->unwritten));
	cpu->unwritten_returns = calloc(nr, sizeof(*cpu->unwritten_returns));
	count_held(recorder, cpu);
	if (cpu->flushed > cpu->ring->position)
		cpu->ring->position = cpu->flushed;
	while ((size = kcatch_mapped_ring_peek(cpu->ring, produced, record,
					       cpu->ring->packet_size))) {
		count_record(recorder, cpu, record);
		cpu->ring->position += size;
	}
}

int kcatch_recorder_finish(struct kcatch_recorder *recorder)
{
	struct kcatch_session *session = recorder->session;
	uint32_t cpu;
	int ret = write_cpus(recorder, true), other;
	bool partial;

	for (cpu = 0; cpu < session->info.nr_cpus; cpu++) {
		struct kcatch_recorder_cpu *at = &recorder->cpus[cpu];

		partial = is_in_part(at);
		if (ret)
			count_unwritten(recorder, at);
		if (at->stream.fd < 0)
			continue;
		recorder->stats.bytes += partial ? at->stream.packet_size : 0;
		other = kcatch_recorder_stream_close(&at->stream, partial);
		if (other && !ret)
			ret = fail_write(recorder, other);
	}
	unlinkat(recorder->side, KCATCH_RECORDER_RESERVE, 0);
	other = kcatch_recorder_end_cgroups(recorder);
	ret = ret ? ret : other;
	other = kcatch_recorder_end_jit(recorder);
	ret = ret ? ret : other;
	/* Of a session that could not be stopped they are not. */
	other = kcatch_recorder_write_counters(recorder, !session->running);
	ret = ret ? ret : other;
	other = kcatch_recorder_write_clock(recorder, true);
	return ret ? ret : other;
}

void kcatch_recorder_read_stats(struct kcatch_recorder *recorder,
				struct kcatch_recorder_stats *stats)
{
	uint32_t cpu;

	recorder->stats.lost = 0;
	for (cpu = 0; cpu < recorder->session->info.nr_cpus; cpu++) {
		struct kcatch_mapped_ring *ring = recorder->cpus[cpu].ring;

		if (ring)
			recorder->stats.lost += __atomic_load_n(&ring->page->discarded,
								__ATOMIC_RELAXED);
	}
	*stats = recorder->stats;
	if (recorder->rotation.number) {
		stats->removed = recorder->rotation.oldest - 1;
		stats->pieces = recorder->rotation.number - stats->removed;
	}
	/* And the packets in use, as far as they were written. */
	for (cpu = 0; cpu < recorder->session->info.nr_cpus; cpu++) {
		const struct kcatch_recorder_cpu *at = &recorder->cpus[cpu];

		if (at->stream.fd >= 0 && is_in_part(at))
			stats->bytes += at->stream.packet_size;
	}
}

/* ---- the object ------------------------------------------------------------------ */

/* Those of the caller may be gone when the next piece begins. */
static int keep_command(struct kcatch_recorder *recorder,
			const struct kcatch_recorder_options *options)
{
	size_t i;

	recorder->command = calloc(options->nr_command + 1, sizeof(*recorder->command));
	for (i = 0; recorder->command && i < options->nr_command; i++) {
		recorder->command[i] = strdup(options->command[i]);
		if (!recorder->command[i])
			return kcatch_error_memory();
		recorder->nr_command++;
	}
	return recorder->command ? kcatch_origin_number(recorder->id) : kcatch_error_memory();
}

static int begin(struct kcatch_recorder *recorder)
{
	int ret = kcatch_recorder_directory_open(recorder);

	if (ret)
		return ret;
	recorder->ctf.out = open_memstream(&recorder->metadata, &recorder->metadata_size);
	if (!recorder->ctf.out)
		return kcatch_error_memory();
	recorder->plans = kcatch_recorder_file(recorder->side, "plans.json");
	recorder->probes = kcatch_recorder_file(recorder->side, "probes.json");
	if (!recorder->plans || !recorder->probes)
		return fail_write(recorder, -errno);
	ret = kcatch_recorder_begin_clock(recorder,
					  recorder->history ? &recorder->history->clock : NULL);
	if (!ret)
		ret = kcatch_recorder_write_session(recorder);
	if (!ret)
		ret = kcatch_recorder_write_probes(recorder);
	if (!ret)
		ret = kcatch_recorder_write_symbols(recorder);
	if (!ret)
		ret = kcatch_recorder_begin_cgroups(recorder);
	if (!ret)
		ret = kcatch_recorder_write_counters(recorder, false);
	if (!ret)
		ret = kcatch_recorder_write_reserve(recorder);
	/*
	 * If the machine dies, the records that the kernel has written since then can be read. A
	 * snapshot is synced when it is whole.
	 */
	if (!ret && !recorder->snapshot)
		ret = kcatch_recorder_directory_sync(recorder);
	if (!ret && recorder->rotation.number)
		ret = kcatch_recorder_piece_show(recorder);
	return ret;
}

/* What a recorder is made for: to record, to copy the rings, or for a dump of the machine's memory,
 * which has records of any probe. */
enum purpose { TO_RECORD, TO_COPY, FOR_DUMP };

/* With a directory and all that stands beside the streams; nothing is left of it on failure. */
static int make(struct kcatch_session *session, const struct kcatch_recorder_options *options,
		const struct kcatch_request *request, enum purpose purpose,
		struct kcatch_recorder **out)
{
	struct kcatch_recorder *recorder = calloc(1, sizeof(*recorder));
	uint32_t cpu;
	int ret;

	if (!recorder)
		return kcatch_error_memory();
	recorder->session = session;
	recorder->request = *request;
	recorder->history = options->modules;
	recorder->snapshot = purpose != TO_RECORD;
	recorder->when_hit = purpose != FOR_DUMP && session->nr_slots > KCATCH_RECORDER_PROBES;
	recorder->parent = -1;
	recorder->directory = -1;
	recorder->side = -1;
	recorder->rotation = (struct kcatch_rotation){
		.bytes = options->piece_bytes, .ns = options->piece_ns, .keep = options->keep,
		.parent = -1 };
	if (purpose == TO_RECORD && (options->piece_bytes || options->piece_ns))
		recorder->rotation.number = recorder->rotation.oldest =
			recorder->rotation.names_since = 1;
	recorder->path = strdup(options->directory);
	recorder->cpus = calloc(session->info.nr_cpus, sizeof(*recorder->cpus));
	recorder->packet = malloc(session->packet_size ? session->packet_size : 1);
	if (!recorder->path || !recorder->cpus || !recorder->packet) {
		free(recorder->cpus);
		recorder->cpus = NULL;
		kcatch_recorder_destroy(recorder);
		return kcatch_error_memory();
	}
	for (cpu = 0; cpu < session->info.nr_cpus; cpu++)
		recorder->cpus[cpu].stream = (struct kcatch_recorder_stream){
			.fd = -1, .packet_size = session->packet_size };
	ret = session->ring_size ? find_rings(recorder) :
	      kcatch_error_set(EINVAL, "this session has no rings yet");
	if (!ret)
		ret = keep_command(recorder, options);
	if (!ret)
		ret = begin(recorder);
	if (ret) {
		kcatch_recorder_directory_remove(recorder);
		kcatch_recorder_destroy(recorder);
		return ret;
	}
	*out = recorder;
	return 0;
}

static int copy_and_make(struct kcatch_session *session,
			 const struct kcatch_recorder_options *given, enum purpose purpose,
			 struct kcatch_recorder **out)
{
	struct kcatch_recorder_options options;
	struct kcatch_request request;
	int ret = kcatch_struct_copy(&options, sizeof(options), given, "kcatch_recorder_options");

	*out = NULL;
	if (!ret)
		ret = kcatch_request_copy(&request, options.request);
	if (!ret && request.pair)
		ret = kcatch_error_set(EINVAL, "a pair of events is not recorded");
	return ret ? ret : make(session, &options, &request, purpose, out);
}

int kcatch_recorder_create(struct kcatch_session *session,
			   const struct kcatch_recorder_options *options,
			   struct kcatch_recorder **recorder)
{
	return copy_and_make(session, options, TO_RECORD, recorder);
}

/* ---- snapshots --------------------------------------------------------------------- */

static int write_copies(void *arg, uint32_t number, const void *packets, size_t size)
{
	struct kcatch_recorder *recorder = arg;
	struct kcatch_recorder_stream *stream = &recorder->cpus[number].stream;
	const unsigned char *bytes = packets;
	struct kcatch_packet head;
	int ret = open_stream(recorder, number);

	for (; !ret && size >= stream->packet_size; size -= stream->packet_size) {
		ret = note_each(recorder, bytes, 1, kcatch_recorder_note_probes);
		if (ret)
			break;
		memcpy(&head, bytes, sizeof(head));
		ret = kcatch_recorder_stream_write(stream, &head, bytes, 1,
						   (uint32_t)(head.content_size / 8));
		if (ret)
			return fail_write(recorder, ret);
		ret = note_each(recorder, bytes, 1, note_written);
		recorder->stats.bytes += stream->packet_size;
		bytes += stream->packet_size;
	}
	return ret;
}

/* The records are on the disk, or the part of them that found room. */
static int write_snapshot(struct kcatch_recorder *recorder)
{
	struct kcatch_session *session = recorder->session;
	int ret = kcatch_ring_reader_snapshot(session->reader, write_copies, recorder), other;
	uint32_t cpu;

	/* Probes are described when all is copied: the kernel does not wait with new records. */
	other = kcatch_session_learn(session);
	ret = ret ? ret : other;
	other = kcatch_recorder_write_probes(recorder);
	ret = ret ? ret : other;
	for (cpu = 0; cpu < session->info.nr_cpus; cpu++) {
		other = kcatch_recorder_stream_close(&recorder->cpus[cpu].stream, false);
		if (other && !ret)
			ret = fail_write(recorder, other);
	}
	unlinkat(recorder->side, KCATCH_RECORDER_RESERVE, 0);
	other = kcatch_recorder_end_cgroups(recorder);
	ret = ret ? ret : other;
	other = kcatch_recorder_end_jit(recorder);
	ret = ret ? ret : other;
	other = kcatch_recorder_write_clock(recorder, true);
	return ret ? ret : other;
}

int kcatch_recorder_snapshot(struct kcatch_session *session,
			     const struct kcatch_recorder_options *options,
			     struct kcatch_recorder_stats *stats)
{
	struct kcatch_recorder *recorder;
	int ret = copy_and_make(session, options, TO_COPY, &recorder), other;

	if (stats)
		memset(stats, 0, sizeof(*stats));
	if (ret)
		return ret;
	ret = write_snapshot(recorder);
	/* Of one that is not whole they are not final: a reader says so. */
	other = kcatch_recorder_write_counters(recorder, !ret);
	ret = ret ? ret : other;
	/* Who lets go of the rings relies on it; some file systems find out only now. */
	if (!ret && syncfs(recorder->side))
		ret = fail_write(recorder, -errno);
	if (stats)
		kcatch_recorder_read_stats(recorder, stats);
	if (ret && !recorder->stats.bytes)
		kcatch_recorder_directory_remove(recorder);
	kcatch_recorder_destroy(recorder);
	return ret;
}

int kcatch_recorder_prepare(struct kcatch_session *session,
			    const struct kcatch_recorder_options *options)
{
	struct kcatch_recorder *recorder;
	int ret = copy_and_make(session, options, FOR_DUMP, &recorder);

	if (ret)
		return ret;
	unlinkat(recorder->side, KCATCH_RECORDER_RESERVE, 0);
	/* A machine that dies does not write what it still holds. */
	if (syncfs(recorder->side))
		ret = fail_write(recorder, -errno);
	if (ret)
		kcatch_recorder_directory_remove(recorder);
	if (!ret && recorder->history)
		kcatch_module_history_continue(recorder->history, recorder);
	else
		kcatch_recorder_destroy(recorder);
	return ret;
}

static void close_file(FILE *file)
{
	if (file)
		fclose(file);
}

void kcatch_recorder_destroy(struct kcatch_recorder *recorder)
{
	uint32_t cpu;
	size_t i;

	if (!recorder)
		return;
	for (cpu = 0; recorder->cpus && cpu < recorder->session->info.nr_cpus; cpu++) {
		struct kcatch_recorder_cpu *at = &recorder->cpus[cpu];

		kcatch_recorder_stream_close(&at->stream, is_in_part(at));
		free(at->account);
		free(at->held);
		free(at->unwritten);
		free(at->unwritten_returns);
	}
	free(recorder->cpus);
	free(recorder->packet);
	free(recorder->seen);
	close_file(recorder->ctf.out);
	free(recorder->metadata);
	free(recorder->head);
	for (i = 0; i < recorder->nr_command; i++)
		free(recorder->command[i]);
	free(recorder->command);
	close_file(recorder->plans);
	close_file(recorder->probes);
	close_file(recorder->cgroups_file);
	kcatch_cgroup_names_deinit(&recorder->cgroups);
	kcatch_recorder_forget_jit(recorder);
	kcatch_ctf_deinit(&recorder->ctf);
	for (i = 0; i < recorder->numbers.count; i++)
		free((void *)recorder->numbers.entries[i].key);
	kcatch_table_deinit(&recorder->numbers);
	kcatch_loaded_modules_deinit(&recorder->modules);
	kcatch_recorder_directory_close(recorder);
	free(recorder->path);
	json_writer_deinit(&recorder->json);
	free(recorder);
}

void kcatch_recorder_discard(struct kcatch_recorder *recorder)
{
	if (recorder)
		kcatch_recorder_directory_remove(recorder);
	kcatch_recorder_destroy(recorder);
}
