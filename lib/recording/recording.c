/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recording.c - presents a recording as a stopped session
 *
 * Live sessions and recordings are read by the same code; only records, symbols and counters
 * come from files.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kcatch_history.h>
#include <kcatch_text.h>
#include "base/printable.h"
#include "recording/recorder.h"
#include "recording/recording.h"
#include "recording/vmcore.h"
#include "session/handle.h"

#define SETTLE_MS 50

void kcatch_recording_note(struct kcatch_session *session, const char *format, ...)
{
	struct kcatch_recording *recording = session->own;
	va_list args;

	session->damaged++;
	if (recording->damage[0])
		return;
	va_start(args, format);
	vsnprintf(recording->damage, sizeof(recording->damage), format, args);
	va_end(args);
}

/* ---- records ------------------------------------------------------------------------ */

static int permit(const struct kcatch_session *session, const char *what)
{
	(void)session;
	return kcatch_error_set(EROFS, "a recording can only be read: it is not possible to "
				"%s", what);
}

static int no_ioctl(const struct kcatch_session *session, unsigned long request, void *argument)
{
	(void)session;
	(void)request;
	(void)argument;
	return -EROFS;
}

/* One pass over all of it. */
static int begin(struct kcatch_session *session)
{
	session->until = UINT64_MAX;
	return 0;
}

static int next(struct kcatch_session *session, const struct kcatch_record **record, uint32_t *cpu)
{
	struct kcatch_recording *recording = session->own;
	int ret = kcatch_recording_streams_next(recording->streams, record, cpu);

	if (!ret && !*record)
		recording->complete = true;
	return ret;
}

/* What a process had mapped is in its record. */
static void prepare(struct kcatch_session *session, const struct kcatch_record *record)
{
	(void)session;
	(void)record;
}

/* It is one long pass: what waits in vain must not wait to its end. */
static void passed(struct kcatch_session *session, uint64_t time)
{
	struct kcatch_recording *recording = session->own;

	if (time - recording->settled < (uint64_t)session->info.clock_khz * SETTLE_MS)
		return;
	recording->settled = time;
	kcatch_calls_end(session->calls, time);
}

static bool find_probe(struct kcatch_session *session, uint32_t number)
{
	kcatch_recording_note(session, "a record is of probe %u, which probes.json does not have",
			      number);
	return false;
}

/* Without its build-id nobody knows whether the code that is loaded now is the same. */
static bool same_code(struct kcatch_session *session, uint64_t address, bool exact)
{
	struct kcatch_recording *recording = session->own;
	struct kcatch_source_code code = { .build_id = "-" };
	const struct kcatch_module_range *range;

	if (recording->symbols)
		kcatch_symbol_list_time(recording->symbols, session->view.event.time_ns);
	range = kcatch_symbol_list_range(recording->symbols, exact ? address : address - 1);
	if (range && *range->name)
		code.base = range->base;
	if (range)
		code.build_id = range->build_id;
	if (kcatch_source_is(session->source, address, exact, &code))
		return true;
	if (!recording->withheld)
		recording->withheld = range && *range->name ? range->name : "the kernel";
	return false;
}

static uint64_t names(const struct kcatch_session *session)
{
	const struct kcatch_recording *recording = session->own;

	return kcatch_symbol_list_era(recording->symbols);
}

static int complete(struct kcatch_session *session)
{
	struct kcatch_recording *recording = session->own;
	struct kcatch_event *event = &session->view.event;

	recording->taken[event->cpu]++;
	if (recording->symbols)
		kcatch_symbol_list_time(recording->symbols, event->time_ns);
	return recording->user_deferred ? 0 : kcatch_session_show_user(session);
}

void kcatch_recording_defer_user(struct kcatch_session *session)
{
	struct kcatch_recording *recording = kcatch_recording_of(session);

	if (recording)
		recording->user_deferred = true;
}

int kcatch_recording_unwind_user(struct kcatch_session *session)
{
	const struct kcatch_recording *recording = kcatch_recording_of(session);

	return recording && recording->user_deferred ? kcatch_session_show_user(session) : 0;
}

static uint64_t damaged(const struct kcatch_session *session)
{
	const struct kcatch_recording *recording = session->own;

	return kcatch_recording_streams_damaged(recording->streams);
}

/* ---- counters: all were read when it was opened --------------------------------------- */

static int totals_of_all(struct kcatch_session *session, struct kcatch_totals *totals)
{
	const struct kcatch_recording *recording = session->own;
	uint32_t cpu;

	for (cpu = 0; cpu < session->info.nr_cpus; cpu++)
		kcatch_totals_add(totals, &recording->cpus[cpu]);
	return 0;
}

static int totals_of_probe(struct kcatch_session *session, uint32_t number,
			   struct kcatch_totals *totals)
{
	*totals = session->slots[number]->totals;
	return 0;
}

static int totals_of_cpu(struct kcatch_session *session, uint32_t cpu,
			 struct kcatch_totals *totals)
{
	const struct kcatch_recording *recording = session->own;

	*totals = recording->cpus[cpu];
	return 0;
}

/* ---- opening and closing -------------------------------------------------------------- */

static void close_recording(struct kcatch_session *session)
{
	struct kcatch_recording *recording = session->own;
	size_t i;

	kcatch_recording_streams_close(recording->streams);
	kcatch_symbol_list_destroy(recording->symbols);
	kcatch_recorded_counts_destroy(recording->counts);
	for (i = 0; i < recording->nr_names; i++)
		free(recording->names[i]);
	free(recording->names);
	free(recording->cpus);
	free(recording->taken);
	free(recording->earlier_lost);
	free(recording->pieces.numbers);
	free((void *)recording->info.version);
	free((void *)recording->info.release);
	free((void *)recording->info.host);
	free((void *)recording->info.command);
	if (recording->side >= 0)
		close(recording->side);
	if (recording->directory >= 0)
		close(recording->directory);
	free(recording);
}

static const struct kcatch_session_kind recording_kind = {
	.permit = permit,
	.ioctl = no_ioctl,
	.begin = begin,
	.next = next,
	.prepare = prepare,
	.passed = passed,
	.find_probe = find_probe,
	.same_code = same_code,
	.names = names,
	.complete = complete,
	.totals = totals_of_all,
	.probe_totals = totals_of_probe,
	.cpu_totals = totals_of_cpu,
	.damaged = damaged,
	.close = close_recording,
};

int kcatch_recording_foreign(const char *what)
{
	return kcatch_error_set(ENOENT, "%s is a trace that was written by another program: what kcatch "
				"record writes beside its streams is not there; babeltrace2 can read it",
				what);
}

static int open_directories(struct kcatch_session *session, const char *path)
{
	struct kcatch_recording *recording = session->own;
	int ret;

	recording->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (recording->directory < 0)
		return kcatch_error_set(errno, "cannot read the recording %s: %s", SHOWN(path),
					strerror(errno));
	recording->side = openat(recording->directory, KCATCH_RECORDING_SIDE,
				 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (recording->side >= 0)
		return 0;
	if (errno != ENOENT && errno != ENOTDIR)
		return kcatch_error_set(errno, "cannot read the recording %s: %s", SHOWN(path),
					strerror(errno));
	if (!faccessat(recording->directory, "metadata", F_OK, 0))
		return kcatch_recording_foreign(SHOWN(path));
	ret = kcatch_recording_find_pieces(session, path);
	if (ret != -ENOENT)
		return ret;
	return kcatch_error_set(ENOENT, "%s is no recording: kcatch record makes them",
				SHOWN(path));
}

/* Worse than all that follows: so it is told first. */
static void look_for_mark(struct kcatch_session *session)
{
	const struct kcatch_recording *recording = session->own;

	if (!faccessat(recording->side, KCATCH_RECORDING_PARTIAL, F_OK, AT_SYMLINK_NOFOLLOW))
		kcatch_recording_note(session, "the memory dump was not read to its end: "
				      "give it with --vmcore again");
}

/*
 * A CPU that recorded something has a file. Counters that are not final may be newer than the
 * files: the first record of a CPU is counted up to a second before it is written.
 */
static void look_for_files(struct kcatch_session *session)
{
	struct kcatch_recording *recording = session->own;
	char name[24];
	uint32_t cpu;

	/* Of pieces, what is not there is missing by its number. */
	if (!recording->info.finished || recording->info.snapshot || recording->pieces.nr)
		return;
	for (cpu = 0; cpu < session->info.nr_cpus; cpu++) {
		snprintf(name, sizeof(name), "cpu%" PRIu32, cpu);
		if (recording->cpus[cpu].recorded && faccessat(recording->directory, name, F_OK, 0))
			kcatch_recording_note(session, "%s is missing", name);
	}
}

int kcatch_recording_open(const char *path, struct kcatch_session **out)
{
	struct kcatch_session *session = calloc(1, sizeof(*session));
	struct kcatch_recording *recording = calloc(1, sizeof(*recording));
	int ret;

	*out = NULL;
	if (!session || !recording) {
		free(session);
		free(recording);
		return kcatch_error_memory();
	}
	session->kind = &recording_kind;
	session->arch = kcatch_arch_running(); /* until the recording says it */
	session->own = recording;
	session->fd = -1;
	session->partial = true;
	session->foreign = true;
	recording->directory = -1;
	recording->side = -1;
	ret = open_directories(session, path);
	if (!ret) {
		look_for_mark(session);
		ret = kcatch_recording_load(session);
		if (ret == -EINVAL || ret == -ENOENT)
			kcatch_error_append("\n  (in the recording %s)", SHOWN(path));
	}
	if (!ret) {
		look_for_files(session);
		recording->shape.from_start = !recording->info.snapshot;
		recording->shape.follows = recording->info.removed || recording->info.piece > 1;
		ret = kcatch_recording_streams_open(recording->directory, session->info.nr_cpus,
						    &recording->shape, &recording->pieces,
						    &recording->streams);
	}
	if (!ret)
		ret = kcatch_recording_say_pieces(session);
	if (ret) {
		kcatch_session_close(session);
		return ret;
	}
	recording->info.bytes = kcatch_recording_streams_bytes(recording->streams);
	*out = session;
	return 0;
}

/* ---- what only a recording knows -------------------------------------------------------- */

/* NULL: it runs. */
struct kcatch_recording *kcatch_recording_of(const struct kcatch_session *session)
{
	return session->kind == &recording_kind ? session->own : NULL;
}

const struct kcatch_recording_info *kcatch_session_recording(const struct kcatch_session *session)
{
	const struct kcatch_recording *recording = kcatch_recording_of(session);

	return recording ? &recording->info : NULL;
}

uint64_t kcatch_recording_cpu_missing(const struct kcatch_session *session, uint32_t cpu)
{
	const struct kcatch_recording *recording = kcatch_recording_of(session);

	if (!recording || cpu >= session->info.nr_cpus || !recording->complete ||
	    !recording->info.finished || recording->info.snapshot ||
	    recording->cpus[cpu].recorded <= recording->taken[cpu])
		return 0;
	return recording->cpus[cpu].recorded - recording->taken[cpu];
}

uint64_t kcatch_recording_cpu_discarded(const struct kcatch_session *session, uint32_t cpu)
{
	const struct kcatch_recording *recording = kcatch_recording_of(session);
	const struct kcatch_totals *counted;
	uint64_t discarded;

	if (!recording || cpu >= session->info.nr_cpus || recording->info.finished)
		return 0;
	counted = &recording->cpus[cpu];
	discarded = kcatch_recording_streams_discarded(recording->streams, cpu);
	if (discarded <= recording->earlier_lost[cpu])
		return 0;
	discarded -= recording->earlier_lost[cpu];
	if (discarded <= counted->lost || discarded - counted->lost <= counted->return_lost)
		return 0;
	return discarded - counted->lost - counted->return_lost;
}

const char *kcatch_recording_damage(const struct kcatch_session *session)
{
	struct kcatch_recording *recording = kcatch_recording_of(session);
	const char *stream;

	if (!recording)
		return "";
	stream = kcatch_recording_streams_damage(recording->streams);
	snprintf(recording->told, sizeof(recording->told), "%s%s%s", recording->damage,
		 recording->damage[0] && *stream ? "; " : "", stream);
	return recording->told;
}

const char *kcatch_recording_withheld(const struct kcatch_session *session)
{
	struct kcatch_recording *recording = kcatch_recording_of(session);

	if (!recording || !recording->withheld)
		return "";
	snprintf(recording->reason, sizeof(recording->reason),
		 "frames of %s have no source lines: it was built anew or has moved since, or its "
		 "build-id is not known", SHOWN(recording->withheld));
	return recording->reason;
}

void kcatch_recording_progress(const struct kcatch_session *session, uint64_t *done, uint64_t *all)
{
	const struct kcatch_recording *recording = kcatch_recording_of(session);

	*done = recording ? kcatch_recording_streams_done(recording->streams) : 0;
	*all = recording ? recording->info.bytes : 0;
}
