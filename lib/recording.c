/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recording.c - a recording as a session that was stopped
 *
 * All that reads a session goes through the same code for both: only records, symbols and
 * counters come from files.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "recorder.h"
#include "recording.h"
#include "session.h"
#include "text.h"

int kcatch_recording_refuse(const char *what)
{
	return kcatch_error_set(EROFS, "a recording can be read, and nothing else: it is not possible to %s",
				what);
}

static int open_directories(struct kcatch_recording *recording, const char *path)
{
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
		return kcatch_error_set(ENOENT, "%s is a trace, but not of kcatch: there is no directory "
					KCATCH_RECORDING_SIDE " in it", SHOWN(path));
	return kcatch_error_set(ENOENT, "%s is no recording: kcatch record makes them", SHOWN(path));
}

void kcatch_recording_note(struct kcatch_session *session, const char *format, ...)
{
	struct kcatch_recording *recording = session->recording;
	va_list args;

	session->damaged++;
	if (recording->damage[0])
		return;
	va_start(args, format);
	vsnprintf(recording->damage, sizeof(recording->damage), format, args);
	va_end(args);
}

/* A CPU that recorded something has a file. */
static void look_for_files(struct kcatch_session *session)
{
	struct kcatch_recording *recording = session->recording;
	char name[24];
	uint32_t cpu;

	for (cpu = 0; cpu < session->info.nr_cpus && !recording->info.snapshot; cpu++) {
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
	session->fd = -1;
	session->recording = recording;
	recording->directory = -1;
	recording->side = -1;
	ret = open_directories(recording, path);
	if (!ret) {
		ret = kcatch_recording_load(session);
		if (ret == -EINVAL || ret == -ENOENT)
			kcatch_error_append("\n  (in the recording %s)", SHOWN(path));
	}
	if (!ret) {
		look_for_files(session);
		recording->shape.from_start = !recording->info.snapshot;
		ret = kcatch_recording_streams_open(recording->directory, session->info.nr_cpus,
						    &recording->shape, &recording->streams);
	}
	if (ret) {
		kcatch_session_close(session);
		return ret;
	}
	recording->info.bytes = kcatch_recording_streams_bytes(recording->streams);
	*out = session;
	return 0;
}

void kcatch_recording_close(struct kcatch_recording *recording)
{
	if (!recording)
		return;
	kcatch_recording_streams_close(recording->streams);
	kcatch_symbol_list_destroy(recording->symbols);
	kcatch_task_names_deinit(&recording->tasks);
	free(recording->cpus);
	free(recording->taken);
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

void kcatch_recording_complete(struct kcatch_session *session)
{
	struct kcatch_task_names *tasks = &session->recording->tasks;
	struct kcatch_event *event = &session->event;

	session->recording->taken[event->cpu]++;
	/* Records with a name are never behind it; what was listed may be. */
	if (event->comm[0])
		kcatch_task_names_set(tasks, event->tid, event->comm);
	else if (!event->tid)
		snprintf(event->comm, sizeof(event->comm), "swapper/%u", event->cpu % 100000);
	else
		memcpy(event->comm, kcatch_task_names_find(tasks, event->tid), strnlen(
			kcatch_task_names_find(tasks, event->tid), sizeof(event->comm) - 1));
}

const struct kcatch_recording_info *kcatch_session_recording(const struct kcatch_session *session)
{
	return session->recording ? &session->recording->info : NULL;
}

int kcatch_recording_cpu_totals(struct kcatch_session *session, uint32_t cpu,
				struct kcatch_totals *totals)
{
	memset(totals, 0, sizeof(*totals));
	if (!session->recording)
		return kcatch_error_set(EINVAL, "the session is no recording");
	if (cpu >= session->info.nr_cpus)
		return kcatch_error_set(ERANGE, "there is no CPU %u in the recording", cpu);
	*totals = session->recording->cpus[cpu];
	return 0;
}

uint64_t kcatch_recording_cpu_missing(const struct kcatch_session *session, uint32_t cpu)
{
	const struct kcatch_recording *recording = session->recording;

	if (!recording || cpu >= session->info.nr_cpus || !recording->complete ||
	    !recording->info.finished || recording->info.snapshot ||
	    recording->cpus[cpu].recorded <= recording->taken[cpu])
		return 0;
	return recording->cpus[cpu].recorded - recording->taken[cpu];
}

const char *kcatch_recording_damage(const struct kcatch_session *session)
{
	struct kcatch_recording *recording = session->recording;
	const char *stream;

	if (!recording)
		return "";
	stream = kcatch_recording_streams_damage(recording->streams);
	snprintf(recording->told, sizeof(recording->told), "%s%s%s", recording->damage,
		 recording->damage[0] && *stream ? "; " : "", stream);
	return recording->told;
}

void kcatch_recording_progress(const struct kcatch_session *session, uint64_t *done, uint64_t *all)
{
	*done = 0;
	*all = 0;
	if (!session->recording)
		return;
	*done = kcatch_recording_streams_done(session->recording->streams);
	*all = session->recording->info.bytes;
}
