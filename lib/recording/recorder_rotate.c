/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_rotate.c - ends a piece of a recording and begins the next one
 *
 * Each piece is a directory with all that a recording has. What the next one needs is made in a
 * directory whose name begins with a dot, from the files of the piece that ends: those of types and
 * names are shared (a hard link), the others are short. Then that piece gets its last counters, the
 * new directory its name, and the files are closed. Whenever the recorder is killed, each piece is
 * whole.
 *
 * The packet in use is in both: its first records in one piece, the others, under a header of their
 * own with the same sequence number, in the next.
 *
 * The kernel's counters go on. A piece has the records that were written to it, and of the other
 * counters what was added since the piece before: the sum of all pieces is what the kernel counted.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "base/timing.h"
#include "recording/recorder.h"

#define LOOK_NS      1000000000ULL /* between two looks of the caller, at most */
#define COPY_BYTES   (64U << 10)
#define NAMES_GROWTH (1U << 20) /* bytes of names that are not needed any more, at least */

/* ---- counters ------------------------------------------------------------------------ */

/* NULL: no memory. What was never written to takes none. */
static struct kcatch_piece_account *account_of(struct kcatch_recorder *recorder, uint32_t cpu,
					       uint32_t probe)
{
	struct kcatch_recorder_cpu *own = &recorder->cpus[cpu];
	size_t nr = recorder->session->nr_slots;
	struct kcatch_piece_account *account;

	if (probe >= nr)
		nr = (size_t)probe + 1;
	if (probe < own->nr_account)
		return &own->account[probe];
	account = own->account ? realloc(own->account, nr * sizeof(*account)) :
				 calloc(nr, sizeof(*account));
	if (!account) {
		kcatch_error_memory();
		return NULL;
	}
	if (own->account)
		memset(account + own->nr_account, 0, (nr - own->nr_account) * sizeof(*account));
	own->account = account;
	own->nr_account = nr;
	return &account[probe];
}

int kcatch_recorder_count_written(struct kcatch_recorder *recorder, const void *packet, size_t size)
{
	const struct kcatch_packet *head = packet;
	const struct kcatch_record *record;
	size_t at = sizeof(*head);

	if (!recorder->rotation.number || head->cpu >= recorder->session->info.nr_cpus)
		return 0;
	while ((record = kcatch_recorder_next_record(packet, size, &at))) {
		uint32_t kind = KCATCH_RECORD_KIND(record->id);
		uint32_t probe = KCATCH_RECORD_PROBE(record->id);
		struct kcatch_piece_account *account;

		if (kind < KCATCH_RECORD_HIT || kind > KCATCH_RECORD_MARKED ||
		    kind == KCATCH_RECORD_RETURN || probe >= KCATCH_RECORDING_PROBES)
			continue;
		account = account_of(recorder, head->cpu, probe);
		if (!account)
			return -ENOMEM;
		account->written++;
	}
	return 0;
}

int kcatch_recorder_piece_counters(struct kcatch_recorder *recorder, uint32_t cpu, uint32_t probe,
				   struct kcatch_counters *counters)
{
	const uint64_t in_flight = counters->in_flight;
	struct kcatch_piece_account *account;

	if (!recorder->rotation.number || (!counters->hits && !counters->missed))
		return 0;
	account = account_of(recorder, cpu, probe);
	if (!account)
		return -ENOMEM;
#define LESS(name, words, help)                                                     \
	counters->name -= counters->name < account->earlier.name ? counters->name : \
								   account->earlier.name;
	KCATCH_COUNTERS(LESS)
#undef LESS
	/* Some calls are going on: that is no sum. */
	counters->in_flight = in_flight;
	if (recorder->rotation.ends)
		counters->recorded = account->written;
#define ADD(name, words, help) +counters->name
	counters->hits = 0 KCATCH_COUNTERS_TERMS(ADD);
#undef ADD
	if (recorder->rotation.ends)
		account->ended = *counters;
	return 0;
}

/* What a piece had belongs to the earlier ones; @undo: the next one could not begin. */
static void settle(struct kcatch_recorder *recorder, bool undo)
{
	uint32_t cpu;
	size_t i;

	for (cpu = 0; cpu < recorder->session->info.nr_cpus; cpu++) {
		struct kcatch_recorder_cpu *own = &recorder->cpus[cpu];

		for (i = 0; i < own->nr_account; i++) {
			struct kcatch_piece_account *account = &own->account[i];
			struct kcatch_counters *ended = &account->ended;
			const uint64_t sign = undo ? (uint64_t)-1 : 1;

			/* Reading alone takes no memory. */
			if (!ended->hits && !ended->no_slot && !ended->return_lost &&
			    !account->written)
				continue;
#define ADD(name, words, help) account->earlier.name += sign * ended->name;
			KCATCH_COUNTERS(ADD)
#undef ADD
			own->earlier_recorded += sign * ended->recorded;
			own->earlier_lost += sign * (ended->lost + ended->return_lost);
			account->written = undo ? ended->recorded : 0;
		}
	}
}

/* Those of the packets in use, of which the next piece has the rest. */
static int count_parts(struct kcatch_recorder *recorder)
{
	uint32_t number;
	int ret = 0;

	for (number = 0; !ret && number < recorder->session->info.nr_cpus; number++) {
		struct kcatch_recorder_cpu *cpu = &recorder->cpus[number];
		uint64_t from;

		if (!cpu->ring || cpu->flushed <= cpu->ring->position || cpu->flushed <= cpu->cut)
			continue;
		from = cpu->cut > cpu->ring->position ? cpu->cut : cpu->ring->position;
		ret = kcatch_mapped_ring_copy(cpu->ring, cpu->flushed, from, recorder->packet);
		if (ret)
			return kcatch_error_set(ret, "the ring of CPU %u is damaged", number);
		ret = kcatch_recorder_count_written(recorder, recorder->packet,
						    recorder->packet->content_size / 8);
	}
	return ret;
}

/* ---- files -------------------------------------------------------------------------- */

static int copy_bytes(int from, int to)
{
	char *bytes = malloc(COPY_BYTES);
	int error = bytes ? 0 : ENOMEM;

	while (!error) {
		ssize_t got = read(from, bytes, COPY_BYTES), done = 0;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			error = got ? errno : 0;
			break;
		}
		while (!error && done < got) {
			ssize_t written = write(to, bytes + done, (size_t)(got - done));

			if (written > 0)
				done += written;
			else if (!written || errno != EINTR)
				error = written ? errno : ENOSPC;
		}
	}
	free(bytes);
	return error;
}

/* A copy of a file that may be missing. Return: 0 or errno */
static int copy_file(int from_directory, const char *name, int directory, const char *as)
{
	int from = openat(from_directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), to, error;

	if (from < 0)
		return errno == ENOENT ? 0 : errno;
	to = openat(directory, as, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	error = to < 0 ? errno : copy_bytes(from, to);
	close(from);
	if (to >= 0 && close(to) && !error)
		error = errno;
	return error;
}

/* The same file once more, or a copy where a file can have one name alone. */
static int share_file(int from_directory, const char *name, int directory)
{
	if (!linkat(from_directory, name, directory, name, 0))
		return 0;
	if (errno == ENOENT)
		return 0;
	return copy_file(from_directory, name, directory, name);
}

int kcatch_recorder_own_file(struct kcatch_recorder *recorder, const char *name)
{
	struct stat status;
	char copy[32];
	int error;

	if (recorder->rotation.number < 2 ||
	    fstatat(recorder->side, name, &status, AT_SYMLINK_NOFOLLOW) || status.st_nlink < 2)
		return 0;
	snprintf(copy, sizeof(copy), "%s.new", name);
	unlinkat(recorder->side, copy, 0);
	error = copy_file(recorder->side, name, recorder->side, copy);
	if (!error && renameat(recorder->side, copy, recorder->side, name))
		error = errno;
	if (error)
		unlinkat(recorder->side, copy, 0);
	return error ? kcatch_recorder_fail_file(recorder, name, error) : 0;
}

static int share_types(int from_side, int side)
{
	int from = openat(from_side, "btf", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int to = -1, error = 0;
	struct dirent *entry;
	DIR *entries;

	if (from < 0)
		return errno == ENOENT ? 0 : errno;
	entries = fdopendir(from);
	if (!entries || mkdirat(side, "btf", 0700) ||
	    (to = openat(side, "btf", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0)
		error = errno;
	while (!error && (entry = readdir(entries)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			error = share_file(from, entry->d_name, to);
	if (entries)
		closedir(entries);
	else
		close(from);
	if (to >= 0)
		close(to);
	return error;
}

static uint64_t size_of(int directory, const char *name)
{
	struct stat status;

	return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) ? 0 :
									(uint64_t)status.st_size;
}

static uint64_t names_bytes(int side)
{
	return size_of(side, "symbols") + size_of(side, "modules");
}

/* Names that were written before go on, unless most of them are of modules that have gone. */
static int begin_names(struct kcatch_recorder *recorder, int from_side)
{
	struct kcatch_rotation *rotation = &recorder->rotation;
	uint64_t bytes = names_bytes(from_side);
	FILE *file;
	int error;

	if (!rotation->names_bytes)
		rotation->names_bytes = bytes;
	if (bytes < 2 * rotation->names_bytes + NAMES_GROWTH) {
		error = share_file(from_side, "symbols", recorder->side);
		if (!error)
			error = share_file(from_side, "modules", recorder->side);
		return error ? kcatch_recorder_fail_file(recorder, "symbols", error) : 0;
	}
	/* Read as one, they follow the last list of the piece before: which was true up to here. */
	file = kcatch_recorder_append_file(recorder->side, "modules");
	if (!file)
		return kcatch_recorder_fail_file(recorder, "modules", errno);
	fprintf(file, "~%" PRIu64 "\n", recorder->modules_seen);
	error = kcatch_recorder_close_file(recorder, file, "modules");
	if (error)
		return error;
	recorder->kernel_written = false;
	recorder->modules_seen = 0;
	kcatch_loaded_modules_deinit(&recorder->modules);
	recorder->modules = (struct kcatch_loaded_modules){ .nr = 0 };
	rotation->names_since = rotation->number;
	rotation->names_bytes = 0;
	return kcatch_recorder_write_symbols(recorder);
}

/* ---- the next piece ----------------------------------------------------------------- */

/* What is of the piece that ends, while the next one is made. */
struct ending {
	int directory, side;
	FILE *plans, *probes;
	struct kcatch_rotation rotation;
};

static int begin_list(struct kcatch_recorder *recorder, int from_side, const char *name,
		      FILE **file)
{
	int error = copy_file(from_side, name, recorder->side, name);

	*file = error ? NULL : kcatch_recorder_append_file(recorder->side, name);
	if (!error && !*file)
		error = errno;
	return error ? kcatch_recorder_fail_file(recorder, name, error) : 0;
}

/* All that stands beside the streams, but for the counters. */
static int fill(struct kcatch_recorder *recorder, const struct ending *ending)
{
	int ret = share_types(ending->side, recorder->side);

	if (ret)
		return kcatch_recorder_fail_file(recorder, "btf", ret);
	ret = begin_list(recorder, ending->side, "plans.json", &recorder->plans);
	if (!ret)
		ret = begin_list(recorder, ending->side, "probes.json", &recorder->probes);
	if (!ret)
		ret = begin_names(recorder, ending->side);
	if (!ret)
		ret = kcatch_recorder_begin_clock(recorder, NULL);
	if (!ret)
		ret = kcatch_recorder_write_session(recorder);
	return ret ? ret : kcatch_recorder_write_reserve(recorder);
}

static void close_file(FILE *file)
{
	if (file)
		fclose(file);
}

static void use_files(struct kcatch_recorder *recorder, const struct ending *piece)
{
	recorder->directory = piece->directory;
	recorder->side = piece->side;
	recorder->plans = piece->plans;
	recorder->probes = piece->probes;
}

/* The piece goes on, as far as its disk lets it. */
static void go_back(struct kcatch_recorder *recorder, const struct ending *ending)
{
	char hidden[KCATCH_PIECE_NAME];

	kcatch_piece_name(recorder->rotation.number, hidden);
	close_file(recorder->plans);
	close_file(recorder->probes);
	if (recorder->side >= 0)
		close(recorder->side);
	if (recorder->directory >= 0)
		close(recorder->directory);
	kcatch_recorder_piece_remove(recorder->parent, hidden, NULL);
	use_files(recorder, ending);
	recorder->rotation = ending->rotation;
	recorder->name = recorder->rotation.piece + 1;
	recorder->metadata_written = SIZE_MAX;
}

/* The counters of the piece that ends. */
static int write_ended(struct kcatch_recorder *recorder, const struct ending *ending)
{
	const struct ending next = { .directory = recorder->directory,
				     .side = recorder->side,
				     .plans = recorder->plans,
				     .probes = recorder->probes };
	int ret;

	use_files(recorder, ending);
	recorder->rotation.ends = true;
	ret = kcatch_recorder_write_counters(recorder, true);
	recorder->rotation.ends = false;
	use_files(recorder, &next);
	return ret;
}

/* The streams of the piece are closed; what comes behind them is the next one's. */
static int cut_streams(struct kcatch_recorder *recorder)
{
	uint32_t number;
	int ret = 0;

	for (number = 0; number < recorder->session->info.nr_cpus; number++) {
		struct kcatch_recorder_cpu *cpu = &recorder->cpus[number];
		struct kcatch_recorder_stream *stream = &cpu->stream;
		const uint32_t packet_size = stream->packet_size;
		bool partial = cpu->ring && cpu->flushed > cpu->ring->position &&
			       cpu->flushed > cpu->cut;
		int error;

		if (partial) {
			cpu->cut = cpu->flushed;
			cpu->cut_time = stream->partial.timestamp_end;
			recorder->stats.bytes += packet_size;
		}
		error = kcatch_recorder_stream_close(stream, partial);
		if (error && !ret)
			ret = kcatch_error_set(error, "cannot write to %s: %s",
					       SHOWN(recorder->path), strerror(-error));
		*stream = (struct kcatch_recorder_stream){ .fd = -1, .packet_size = packet_size };
		cpu->made = false;
	}
	return ret;
}

static int end(struct kcatch_recorder *recorder, const struct ending *ending)
{
	int ret = cut_streams(recorder), other;

	unlinkat(ending->side, KCATCH_RECORDER_RESERVE, 0);
	close_file(ending->plans);
	close_file(ending->probes);
	close(ending->side);
	close(ending->directory);
	/* Those that are gone need no memory any more. */
	close_file(recorder->cgroups_file);
	recorder->cgroups_file = NULL;
	kcatch_cgroup_names_deinit(&recorder->cgroups);
	recorder->last_cgroup = 0;
	recorder->unsure_cgroups = false;
	kcatch_recorder_forget_jit(recorder);
	other = kcatch_recorder_begin_cgroups(recorder);
	return ret ? ret : other;
}

/* A piece that is removed in part has the name of one that is being made: no reader looks at it. */
static void remove_oldest(struct kcatch_recorder *recorder)
{
	struct kcatch_rotation *rotation = &recorder->rotation;
	char hidden[KCATCH_PIECE_NAME];
	const char *name;
	uint64_t bytes;

	while (rotation->keep && rotation->number - rotation->oldest >= rotation->keep) {
		name = kcatch_piece_name(rotation->oldest++, hidden);
		/* Somebody may have removed it, or moved it away. */
		if (renameat(recorder->parent, name, recorder->parent, hidden))
			continue;
		kcatch_recorder_piece_remove(recorder->parent, hidden, &bytes);
		recorder->stats.bytes -= bytes < recorder->stats.bytes ? bytes :
									 recorder->stats.bytes;
	}
}

/* The caller looks once a second: what is due nearer to this look than to the next is due. */
static bool is_time(const struct kcatch_rotation *rotation, uint64_t now)
{
	return rotation->ns && now + LOOK_NS / 2 - rotation->begun_ns >= rotation->ns;
}

bool kcatch_recorder_piece_is_due(struct kcatch_recorder *recorder)
{
	struct kcatch_rotation *rotation = &recorder->rotation;
	uint64_t now;

	if (!rotation->number || !recorder->session->running)
		return false;
	now = kcatch_timing_now_ns();
	if (!rotation->begun_ns)
		rotation->begun_ns = now;
	return (rotation->bytes &&
		recorder->stats.bytes - rotation->begun_bytes >= rotation->bytes) ||
	       is_time(rotation, now);
}

int kcatch_recorder_rotate(struct kcatch_recorder *recorder)
{
	struct kcatch_rotation *rotation = &recorder->rotation;
	const struct ending ending = { .directory = recorder->directory,
				       .side = recorder->side,
				       .plans = recorder->plans,
				       .probes = recorder->probes,
				       .rotation = *rotation };
	const uint64_t now = kcatch_timing_now_ns();
	bool settled = false;
	int ret;

	if (rotation->number == KCATCH_PIECES_MAX)
		return kcatch_error_set(E2BIG,
					"a recording has at most %u pieces: begin another one",
					KCATCH_PIECES_MAX);
	ret = kcatch_recorder_end_cgroups(recorder);
	if (!ret)
		ret = kcatch_recorder_end_jit(recorder);
	if (!ret)
		ret = kcatch_recorder_write_symbols(recorder);
	if (!ret)
		ret = kcatch_recorder_write_clock(recorder, true);
	if (!ret)
		ret = count_parts(recorder);
	if (ret)
		return ret;
	rotation->number++;
	recorder->plans = recorder->probes = NULL;
	ret = kcatch_recorder_piece_open(recorder);
	if (!ret)
		ret = fill(recorder, &ending);
	if (!ret)
		ret = write_ended(recorder, &ending);
	if (!ret) {
		settle(recorder, false);
		settled = true;
		ret = kcatch_recorder_write_counters(recorder, false);
	}
	if (!ret)
		ret = kcatch_recorder_piece_show(recorder);
	if (ret) {
		if (settled)
			settle(recorder, true);
		go_back(recorder, &ending);
		return ret;
	}
	ret = end(recorder, &ending);
	/* So that a piece of an hour begins at the same minute in a week. */
	if (is_time(rotation, now) && now - rotation->begun_ns < 2 * rotation->ns)
		rotation->begun_ns += rotation->ns;
	else
		rotation->begun_ns = now;
	recorder->counters_age = 0;
	if (!ret)
		remove_oldest(recorder);
	/* What was removed is not of this piece. */
	rotation->begun_bytes = recorder->stats.bytes;
	return ret;
}
