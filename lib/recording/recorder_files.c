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
#include "base/json_object.h"
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
static bool add_frozen(struct kcatch_session *session, struct json_object *object)
{
	uint32_t probe = 0;
	uint64_t at = 0;
	int why = kcatch_session_frozen(session, &probe, &at);

	if (why <= 0)
		return true;
	return kcatch_json_add(object, "frozen", json_object_new_int(why)) &&
	       kcatch_json_add(object, "frozen_probe", json_object_new_uint64(probe)) &&
	       kcatch_json_add(object, "frozen_at", json_object_new_uint64(at));
}

/* By it the rings are found in a memory dump. */
static bool add_uuid(const struct kcatch_recorder *recorder, struct json_object *object)
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
	return kcatch_json_add(object, "uuid", kcatch_json_any_text(text));
}

static struct json_object *session_json(const struct kcatch_recorder *recorder,
					const struct kcatch_recorder_options *options,
					const struct utsname *machine, bool *good)
{
	struct json_object *object = json_object_new_object(), *words = json_object_new_array();
	struct kcatch_session *session = recorder->session;
	const struct kcatch_info *info = &session->info;
	char boot[64], number[KCATCH_ORIGIN_NUMBER];
	const char *word;
	size_t bytes = 0, i;

	kcatch_origin_boot(boot, sizeof(boot));
	*good = object && words && !kcatch_origin_number(number);
	*good &= kcatch_json_add(object, "format", json_object_new_int(KCATCH_RECORDING_FORMAT));
	*good &= kcatch_json_add(object, "version", kcatch_json_any_text(KCATCH_VERSION));
	*good &= kcatch_json_add(object, "release", kcatch_json_any_text(machine->release));
	*good &= kcatch_json_add(object, "build", kcatch_json_any_text(machine->version));
	*good &= kcatch_json_add(object, "machine", kcatch_json_any_text(machine->machine));
	*good &= kcatch_json_add(object, "host", kcatch_json_any_text(machine->nodename));
	*good &= kcatch_json_add(object, "boot", kcatch_json_any_text(boot));
	*good &= kcatch_json_add(object, "id", kcatch_json_any_text(number));
	*good &= kcatch_json_add(object, "features", json_object_new_uint64(info->features));
	*good &= kcatch_json_add(object, "nr_cpus", json_object_new_uint64(info->nr_cpus));
	*good &= kcatch_json_add(object, "clock", json_object_new_uint64(info->clock));
	*good &= kcatch_json_add(object, "clock_khz", json_object_new_uint64(info->clock_khz));
	*good &= kcatch_json_add(object, "clock_at", json_object_new_uint64(info->clock_now));
	*good &= kcatch_json_add(object, "monotonic_at",
				 json_object_new_uint64(info->monotonic_now));
	*good &= kcatch_json_add(object, "realtime_at", json_object_new_uint64(info->realtime_now));
	*good &= kcatch_json_add(object, "ring_size", json_object_new_uint64(session->ring_size));
	*good &= kcatch_json_add(object, "packet_size",
				 json_object_new_uint64(session->packet_size));
	*good &= kcatch_json_add(object, "snapshot", json_object_new_boolean(recorder->snapshot));
	*good &= add_uuid(recorder, object);
	*good &= add_frozen(session, object);
	*good &= kcatch_json_add(object, "pairs", json_object_new_boolean(session->pairs));
	*good &= kcatch_json_add(object, "skipped", json_object_new_uint64(session->armed.skipped));
	*good &= kcatch_json_add(object, "left_out",
				 json_object_new_uint64(session->armed.left_out));
	for (i = 0; i < options->nr_command && bytes < COMMAND_BYTES; i++) {
		bytes += strlen(options->command[i]) + 1;
		word = bytes < COMMAND_BYTES ? options->command[i] : "...";
		*good &= kcatch_json_append(words, kcatch_json_any_text(word));
	}
	*good &= kcatch_json_add(object, "command", words);
	return object;
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
	char *env = NULL;
	size_t size;
	FILE *text = open_memstream(&env, &size);

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
	kcatch_ctf_begin(&recorder->ctf, &clock, env);
	free(env);
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

int kcatch_recorder_write_session(struct kcatch_recorder *recorder,
				  const struct kcatch_recorder_options *options)
{
	FILE *file = kcatch_recorder_file(recorder->side, "session.json");
	struct json_object *object;
	struct utsname machine;
	bool good;
	int ret;

	if (!file)
		return kcatch_recorder_fail_file(recorder, "session.json", errno);
	memset(&machine, 0, sizeof(machine));
	uname(&machine);
	object = session_json(recorder, options, &machine, &good);
	if (good)
		kcatch_json_put_line(file, object);
	json_object_put(object);
	ret = kcatch_recorder_close_file(recorder, file, "session.json");
	if (!good)
		return kcatch_error_memory();
	return ret ? ret : write_metadata(recorder, &machine);
}

/* ---- tasks ------------------------------------------------------------------------------- */

static void write_thread(FILE *file, const char *pid, const char *tid)
{
	char path[600], comm[64], shown[256];
	int length;

	snprintf(path, sizeof(path), "/proc/%.255s/task/%.255s/comm", pid, tid);
	length = kcatch_text_read_file(path, comm, sizeof(comm));
	if (length <= 0)
		return;
	kcatch_text_escape(comm, (size_t)length, shown, sizeof(shown));
	fprintf(file, "%s %s %s\n", pid, tid, shown);
}

static void write_process(FILE *file, const char *pid)
{
	char path[300];
	struct dirent *entry;
	DIR *directory;

	snprintf(path, sizeof(path), "/proc/%.255s/task", pid);
	directory = opendir(path);
	if (!directory)
		return;
	while ((entry = readdir(directory))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			write_thread(file, pid, entry->d_name);
	}
	closedir(directory);
}

int kcatch_recorder_write_tasks(struct kcatch_recorder *recorder)
{
	FILE *file = kcatch_recorder_append_file(recorder->side, "tasks");
	struct dirent *entry;
	DIR *directory;

	if (!file)
		return kcatch_recorder_fail_file(recorder, "tasks", errno);
	directory = kcatch_machine_shares_numbers() ? opendir("/proc") : NULL;
	while (directory && (entry = readdir(directory))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			write_process(file, entry->d_name);
	}
	if (directory)
		closedir(directory);
	return kcatch_recorder_close_file(recorder, file, "tasks");
}

/* ---- counters ------------------------------------------------------------------------------ */

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
	/* Modules that came have functions of their own. */
	return ret ? ret : kcatch_recorder_write_symbols(recorder);
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
