/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto_tracks.c - the tracks of threads and processes in a trace for the Perfetto UI
 *
 * A thread is called what it was called last: "bash" becomes "make" when it executes that. A number
 * that another thread has afterwards has a track of its own.
 */
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "perfetto.h"

/* What a track is of; the others are in perfetto.h. */
#define PROCESS (1ULL << 40)
#define THREAD (2ULL << 40)
#define IDLE (3ULL << 40)
#define TRACKS (1U << 20)	/* limit of tracks with a description */

/* Which track it is: a number that is used again has another track. */
static uint64_t uuid_of(uint64_t key, const struct perfetto_track *track)
{
	return key | (uint64_t)(track ? track->turn : 0) << 44;
}

static struct perfetto_track *find_track(const struct perfetto *perfetto, uint64_t key)
{
	const size_t *number = kcatch_table_find(&perfetto->numbers, (const char *)&key,
						 sizeof(key));

	return number ? &perfetto->tracks[*number] : NULL;
}

/* The track of @key, made if there is none. Return: 1: it was made; 0: it was there, or TRACKS are
 * used, and @track is NULL; -ENOMEM. */
static int make_track(struct perfetto *perfetto, uint64_t key, struct perfetto_track **track)
{
	*track = find_track(perfetto, key);
	if (*track)
		return 0;
	if (perfetto->nr_tracks >= TRACKS) {
		perfetto->crowded = true;
		return 0;
	}
	if (!perfetto->tracks) {
		/* The table keeps pointers to the keys, so they must not move. */
		perfetto->tracks = malloc(TRACKS * sizeof(*perfetto->tracks));
		if (!perfetto->tracks)
			return kcatch_error_memory();
	}
	*track = &perfetto->tracks[perfetto->nr_tracks];
	memset(*track, 0, sizeof(**track));
	(*track)->key = key;
	if (kcatch_table_add(&perfetto->numbers, (const char *)&(*track)->key, sizeof(key),
			     perfetto->nr_tracks++) < 0)
		return kcatch_error_memory();
	return 1;
}

/* The number of a thread or process is another one's from here on. */
static void use_again(struct perfetto_track *track)
{
	track->turn++;
	track->ended = false;
	track->comm[0] = '\0';
}

static int describe_process(struct report *report, const struct kcatch_event *event,
			    const char *comm, uint64_t *uuid)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;
	uint64_t key = PROCESS | event->pid;
	struct perfetto_track *track;
	int ret = make_track(report->state, key, &track);
	bool named = event->pid == event->tid && *comm;

	*uuid = uuid_of(key, track);
	/* Once more for the first thread, which gives the name: another may have come first. */
	if (ret < 0 || (!ret && (!track || !named || !strcmp(track->comm, event->comm))))
		return ret < 0 ? ret : 0;
	if (named)
		memcpy(track->comm, event->comm, sizeof(track->comm));
	descriptor.has_uuid = 1;
	descriptor.uuid = *uuid;
	process.has_pid = 1;
	process.pid = (int32_t)event->pid;
	if (named)
		process.process_name = (char *)comm;
	descriptor.process = &process;
	packet.track_descriptor = &descriptor;
	return perfetto_emit(report, &packet);
}

/* Is the track of another thread that had the number before? Then Perfetto is told of its end. */
static int end_other(struct report *report, const struct kcatch_event *event,
		     struct perfetto_track *track)
{
	Perfetto__FtraceEvent made = PERFETTO__FTRACE_EVENT__INIT;
	Perfetto__SchedProcessFreeFtraceEvent end =
		PERFETTO__SCHED_PROCESS_FREE_FTRACE_EVENT__INIT;
	struct perfetto_track *process = find_track(report->state, PROCESS | event->tid);

	if (!track->ended && track->pid == event->pid)
		return 0;
	if (process && track->pid == event->tid)
		use_again(process);
	use_again(track);
	end.has_pid = end.has_prio = 1;
	end.pid = (int32_t)event->tid;
	end.prio = 120;	/* of nice 0 */
	end.comm = (char *)"";
	made.sched_process_free = &end;
	return perfetto_emit_scheduler(report, event->cpu, event->time_ns, &made);
}

/* The track of a thread. The idle tasks share thread number 0, and have a track per CPU. */
int perfetto_describe_track(struct report *report, const struct kcatch_event *event, uint64_t *uuid)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ThreadDescriptor thread = PERFETTO__THREAD_DESCRIPTOR__INIT;
	uint64_t key = event->tid ? THREAD | event->tid : IDLE | event->cpu;
	char comm[64], idle[32];
	struct perfetto_track *track;
	int ret = make_track(report->state, key, &track), made = ret;

	if (!ret && track && event->tid)
		ret = end_other(report, event, track);
	*uuid = uuid_of(key, track);
	if (ret < 0 || !track)
		return ret;
	/* A thread without a name has not lost the one it had. */
	if (!made && (!event->tid || !event->comm[0] || !strcmp(track->comm, event->comm)) &&
	    track->pid == event->pid)
		return 0;
	perfetto_utf8(event->comm, strlen(event->comm), comm, sizeof(comm));
	track->pid = event->pid;
	if (event->tid)
		memcpy(track->comm, event->comm, sizeof(track->comm));
	descriptor.has_uuid = 1;
	descriptor.uuid = *uuid;
	if (event->tid) {
		ret = describe_process(report, event, comm, &descriptor.parent_uuid);
		if (ret)
			return ret;
		thread.has_pid = thread.has_tid = 1;
		thread.pid = (int32_t)event->pid;
		thread.tid = (int32_t)event->tid;
		if (comm[0])
			thread.thread_name = comm;
		descriptor.thread = &thread;
		descriptor.has_parent_uuid = 1;
	} else {
		snprintf(idle, sizeof(idle), "idle, CPU %u", event->cpu);
		descriptor.name = idle;
	}
	packet.track_descriptor = &descriptor;
	return perfetto_emit(report, &packet);
}

void perfetto_thread_ended(struct perfetto *perfetto, uint32_t tid)
{
	struct perfetto_track *track = tid ? find_track(perfetto, THREAD | tid) : NULL;

	if (track)
		track->ended = true;
}
