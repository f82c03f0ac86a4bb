/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_files.c - writes the files that a reader on another machine needs besides the streams
 *
 * All of them are written before the first event, so that they exist if the recorder is killed.
 * Counters and metadata are replaced by renaming. kcatch-recording(5) describes the files.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/machine.h"
#include "base/printable.h"
#include "recording/ctf_metadata.h"
#include "recording/recorder.h"
#include "session/origin.h"

#define CHUNK 256		/* probes in one call */
#define RUNNING_MAX 65536U	/* counters that are read in a second, on average */
#define COMMAND_BYTES (100U << 10)	/* of a command line: a reader takes 1 MB of JSON */

/* ---- session.json and the beginning of the metadata ------------------------------- */

/* A session that was frozen, and why. */
static void add_frozen(struct json_writer *json, struct kcatch_session *session)
{
	uint32_t probe = 0;
	uint64_t at = 0;
	int why = kcatch_session_frozen(session, &probe, &at);

	if (why <= 0)
		return;
	json_add_number(json, "frozen", (uint64_t)why);
	json_add_number(json, "frozen_probe", probe);
	json_add_number(json, "frozen_at", at);
}

/* By it the rings are found in a memory dump. */
static void add_uuid(struct json_writer *json, const struct kcatch_recorder *recorder)
{
	char text[33] = "";
	uint32_t cpu;
	size_t i;

	for (cpu = 0; cpu < recorder->session->info.nr_cpus; cpu++) {
		const struct kcatch_mapped_ring *ring = recorder->cpus[cpu].ring;

		for (i = 0; ring && i < sizeof(ring->page->uuid); i++)
			snprintf(text + 2 * i, 3, "%02x", ring->page->uuid[i]);
		if (ring)
			break;
	}
	json_add_word(json, "uuid", text);
}

/* Its place among the others, and since which one symbols and modules are continued. */
static void add_piece(struct json_writer *json, const struct kcatch_rotation *rotation)
{
	json_add_number(json, "piece", rotation->number);
	json_add_number(json, "names_since", rotation->names_since);
}

static void put_session(struct json_writer *json, const struct kcatch_recorder *recorder,
			const struct utsname *machine)
{
	struct kcatch_session *session = recorder->session;
	const struct kcatch_info *info = &session->info;
	struct kcatch_anchor begin = { .clock = info->clock_now,
				       .monotonic = info->monotonic_now,
				       .realtime = info->realtime_now };
	size_t bytes = 0, i;
	char boot[64];

	if (recorder->rotation.number > 1)
		begin = recorder->clock.begin;

	kcatch_origin_boot(boot, sizeof(boot));
	json_put_begin(json, true);
	json_add_number(json, "format", KCATCH_RECORDING_FORMAT);
	json_add_word(json, "version", KCATCH_VERSION);
	json_add_word(json, "release", machine->release);
	json_add_word(json, "build", machine->version);
	json_add_word(json, "machine", machine->machine);
	json_add_word(json, "host", machine->nodename);
	json_add_word(json, "boot", boot);
	json_add_word(json, "id", recorder->id);
	json_add_number(json, "features", info->features);
	json_add_number(json, "nr_cpus", info->nr_cpus);
	json_add_number(json, "clock", info->clock);
	json_add_number(json, "clock_khz", info->clock_khz);
	json_add_number(json, "clock_at", begin.clock);
	json_add_number(json, "monotonic_at", begin.monotonic);
	json_add_number(json, "realtime_at", begin.realtime);
	json_add_number(json, "ring_size", session->ring_size);
	json_add_number(json, "packet_size", session->packet_size);
	json_add_bool(json, "snapshot", recorder->snapshot);
	add_uuid(json, recorder);
	if (recorder->rotation.number)
		add_piece(json, &recorder->rotation);
	add_frozen(json, session);
	json_add_bool(json, "pairs", session->pairs);
	json_add_number(json, "skipped", session->armed.skipped);
	json_add_number(json, "left_out", session->armed.left_out);
	json_add_begin(json, "command", false);
	for (i = 0; i < recorder->nr_command && bytes < COMMAND_BYTES; i++) {
		bytes += strlen(recorder->command[i]) + 1;
		json_put_word(json, bytes < COMMAND_BYTES ? recorder->command[i] : "...");
	}
	json_put_end(json);
	json_put_end(json);
}

static int write_metadata(struct kcatch_recorder *recorder, const struct utsname *machine)
{
	const struct kcatch_info *info = &recorder->session->info;
	const struct kcatch_ctf_clock clock = {
		.frequency = info->clock == KCATCH_CLOCK_TSC ? (uint64_t)info->clock_khz * 1000 :
							       1000000000U,
		.at = recorder->clock.begin.clock,
		.realtime = recorder->clock.begin.realtime,
	};
	struct kcatch_ctf head = { .out = NULL };
	char *env = NULL;
	size_t size;
	FILE *text = open_memstream(&env, &size);
	int failed;

	if (!text)
		return kcatch_error_memory();
	fputs("\ttracer_name = \"kcatch\";\n\ttracer_version = ", text);
	kcatch_ctf_string(text, KCATCH_VERSION);
	fputs(";\n\thostname = ", text);
	kcatch_ctf_string(text, machine->nodename);
	fputs(";\n\tsysname = ", text);
	kcatch_ctf_string(text, machine->sysname);
	fputs(";\n\tkernel_release = ", text);
	kcatch_ctf_string(text, machine->release);
	fputs(";\n", text);
	if (fclose(text)) {
		free(env);
		return kcatch_error_memory();
	}
	free(recorder->head);
	recorder->head = NULL;
	head.out = open_memstream(&recorder->head, &recorder->head_size);
	if (head.out)
		kcatch_ctf_begin(&head, &clock, env);
	free(env);
	failed = !head.out || fclose(head.out);
	kcatch_ctf_deinit(&head);
	if (failed)
		return kcatch_error_memory();
	recorder->metadata_written = SIZE_MAX;
	return kcatch_recorder_write_metadata(recorder);
}

int kcatch_recorder_write_metadata(struct kcatch_recorder *recorder)
{
	FILE *file;
	int ret;

	if (fflush(recorder->ctf.out) || ferror(recorder->ctf.out))
		return kcatch_error_memory();
	if (recorder->metadata_size == recorder->metadata_written)
		return 0;
	/* Not beside the streams: a reader of CTF would take it for one. */
	unlinkat(recorder->side, "metadata.new", 0);
	file = kcatch_recorder_file(recorder->side, "metadata.new");
	if (!file)
		return kcatch_recorder_fail_file(recorder, "metadata", errno);
	fwrite(recorder->head, 1, recorder->head_size, file);
	fwrite(recorder->metadata, 1, recorder->metadata_size, file);
	ret = kcatch_recorder_close_file(recorder, file, "metadata");
	if (!ret && renameat(recorder->side, "metadata.new", recorder->directory, "metadata"))
		ret = kcatch_recorder_fail_file(recorder, "metadata", errno);
	if (ret)
		unlinkat(recorder->side, "metadata.new", 0);
	else
		recorder->metadata_written = recorder->metadata_size;
	return ret;
}

int kcatch_recorder_write_session(struct kcatch_recorder *recorder)
{
	FILE *file = kcatch_recorder_file(recorder->side, "session.json");
	struct utsname machine;
	int ret, other;

	if (!file)
		return kcatch_recorder_fail_file(recorder, "session.json", errno);
	memset(&machine, 0, sizeof(machine));
	uname(&machine);
	json_writer_reset(&recorder->json);
	put_session(&recorder->json, recorder, &machine);
	ret = json_print(&recorder->json, file, "\n");
	other = kcatch_recorder_close_file(recorder, file, "session.json");
	ret = ret ? ret : other;
	return ret ? ret : write_metadata(recorder, &machine);
}

/* ---- counters ------------------------------------------------------------------------------ */

/* Of a piece: that another one follows, and what earlier ones have. */
static void write_pieces(const struct kcatch_recorder *recorder, FILE *file)
{
	uint32_t cpu;

	if (recorder->rotation.ends)
		fputs("counters continued\n", file);
	for (cpu = 0; cpu < recorder->session->info.nr_cpus; cpu++) {
		const struct kcatch_recorder_cpu *at = &recorder->cpus[cpu];

		if (at->earlier_recorded || at->earlier_lost)
			fprintf(file, "counters earlier %u %" PRIu64 " %" PRIu64 "\n", cpu,
				at->earlier_recorded, at->earlier_lost);
	}
}

static int write_cpu_counters(struct kcatch_recorder *recorder, FILE *file, uint32_t cpu)
{
	const struct kcatch_recorder_cpu *own = &recorder->cpus[cpu];
	struct kcatch_session *session = recorder->session;
	struct kcatch_counters counters[CHUNK];
	uint32_t first = 0, i;

	while (first < session->nr_slots) {
		struct kcatch_query query = { .first = first, .count = CHUNK, .cpu = cpu,
					      .buffer = (uintptr_t)counters };
		int ret = kcatch_session_ioctl(session, KCATCH_IOC_COUNTERS, &query);

		if (ret)
			return kcatch_error_system(ret, "ask the kcatch module for its counters");
		if (!query.count || query.count > CHUNK)
			break;
		for (i = 0; i < query.count; i++) {
			struct kcatch_counters *c = &counters[i];
			size_t probe = first + i;

			ret = kcatch_recorder_piece_counters(recorder, cpu, first + i, c);
			if (ret)
				return ret;
			if (!c->hits && !c->missed && !c->in_flight)
				continue;
			if (probe < recorder->nr_probes && recorder->seen)
				recorder->seen[probe] |= KCATCH_SEEN_COUNTERS;
			if (own->unwritten && probe < session->nr_slots) {
				c->recorded -= own->unwritten[probe];
				c->lost += own->unwritten[probe];
			}
			if (own->unwritten_returns && probe < session->nr_slots)
				c->return_lost += own->unwritten_returns[probe];
			fprintf(file, "%u %u %llu", cpu, first + i, (unsigned long long)c->hits);
#define PUT(name, words, help) fprintf(file, " %llu", (unsigned long long)c->name);
			KCATCH_COUNTERS(PUT)
#undef PUT
			fputc('\n', file);
		}
		first += query.count;
	}
	return 0;
}

/* After how many seconds are they written again? This must cost next to nothing. */
static uint64_t counters_seconds(const struct kcatch_session *session)
{
	return 1 + (uint64_t)session->nr_slots * session->info.nr_cpus / RUNNING_MAX;
}

int kcatch_recorder_update_counters(struct kcatch_recorder *recorder)
{
	if (++recorder->counters_age < counters_seconds(recorder->session))
		return kcatch_recorder_write_symbols(recorder);
	recorder->counters_age = 0;
	return kcatch_recorder_write_counters(recorder, false);
}

int kcatch_recorder_write_counters(struct kcatch_recorder *recorder, bool final)
{
	struct kcatch_session *session = recorder->session;
	struct timespec now;
	uint32_t cpu;
	FILE *file;
	int ret = 0, other;

	unlinkat(recorder->side, "counters.new", 0);
	file = kcatch_recorder_file(recorder->side, "counters.new");
	if (!file)
		return kcatch_recorder_fail_file(recorder, "counters", errno);
	clock_gettime(CLOCK_REALTIME, &now);
	fprintf(file, "counters %s %lld.%09ld", final ? "final" : "running",
		(long long)now.tv_sec, now.tv_nsec);
	if (!final)
		fprintf(file, " %" PRIu64, counters_seconds(session));
	fprintf(file, "\ncounters unarmed %" PRIu64 "\ncounters disarmed %" PRIu64 "\n",
		kcatch_session_nr_unarmed(session), kcatch_session_nr_disarmed(session));
	fprintf(file, "counters died %" PRIu64 "\n", kcatch_session_nr_died(session));
	write_pieces(recorder, file);
#define NAME(name, words, help) " " #name
	fputs("# cpu probe hits" KCATCH_COUNTERS(NAME) "\n", file);
#undef NAME
	for (cpu = 0; !ret && cpu < session->info.nr_cpus; cpu++)
		ret = write_cpu_counters(recorder, file, cpu);
	if (!ret)
		fputs("end\n", file);
	other = kcatch_recorder_close_file(recorder, file, "counters");
	ret = ret ? ret : other;
	if (!ret && renameat(recorder->side, "counters.new", recorder->side, "counters"))
		ret = kcatch_recorder_fail_file(recorder, "counters", errno);
	if (ret)
		unlinkat(recorder->side, "counters.new", 0);
	/* Counters matter more on a full disk. */
	if (!ret && final)
		ret = kcatch_recorder_name_counted(recorder);
	/* Modules that came have functions of their own. Of a piece that ends they are written. */
	return ret || recorder->rotation.ends ? ret : kcatch_recorder_write_symbols(recorder);
}

int kcatch_recorder_write_reserve(struct kcatch_recorder *recorder)
{
	FILE *file = kcatch_recorder_file(recorder->side, KCATCH_RECORDER_RESERVE);
	static const char page[4096];
	size_t i, pages = 4 + recorder->session->nr_slots * 100 / sizeof(page);

	if (!file)
		return kcatch_recorder_fail_file(recorder, KCATCH_RECORDER_RESERVE, errno);
	for (i = 0; i < pages && i < 256; i++)
		fwrite(page, sizeof(page), 1, file);
	return kcatch_recorder_close_file(recorder, file, KCATCH_RECORDER_RESERVE);
}
