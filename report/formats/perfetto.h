/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto.h - what the files that write a trace for the Perfetto UI share
 */
#ifndef REPORT_FORMATS_PERFETTO_H
#define REPORT_FORMATS_PERFETTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>
#include <kcatch_containers.h>
#include "cpu_turns.h"
#include "perfetto.pb-c.h"
#include "report.h"

#define PERFETTO_LOSSES (4ULL << 40)	/* the track of what was lost */

/* A thread's or process's track that is described. */
struct perfetto_track {
	uint64_t key;		/* which thread or process */
	uint32_t turn;		/* how many had this number before */
	uint32_t pid;		/* of a thread: its process */
	bool ended;		/* the next event is of another thread of this number */
	char comm[16];		/* the name that it was described with */
};

struct perfetto {
	struct stacks *stacks;
	uint8_t *frames, *callstacks;	/* by number: 1: written */
	size_t frames_room, callstacks_room;
	uint8_t *names;			/* by probe: 1: written */
	size_t names_room;
	FILE *texts;			/* of the current event's values, each with an end mark */
	char *text;
	size_t length;
	struct kcatch_table mappings;	/* names of kinds of code to their numbers */
	struct kcatch_table numbers;	/* keys of the described tracks */
	struct perfetto_track *tracks;		/* by the numbers in that table */
	size_t nr_tracks;
	struct cpu_turns turns;
	uint32_t switches;		/* probe of the last switch */
	bool crowded;			/* TRACKS exceeded: some tracks have no description */
};

/**
 * perfetto_emit - write a packet as a trace of its own: concatenated traces are one trace
 * @report: the report
 * @packet: the packet, without its sequence
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int perfetto_emit(struct report *report, Perfetto__TracePacket *packet);

/**
 * perfetto_utf8 - make text valid UTF-8
 * @text: any bytes
 * @length: their number
 * @room: set to the text with an end mark
 * @size: size of @room, bytes; 3 times @length suffice
 *
 * Return: @room.
 */
const char *perfetto_utf8(const char *text, size_t length, char *room, size_t size);

/* perfetto_tracks.c */

/**
 * perfetto_describe_track - describe the track of an event's thread, where it is not or has changed
 * @report: the report
 * @event: the session's current event
 * @uuid: set to the track's number
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int perfetto_describe_track(struct report *report, const struct kcatch_event *event,
			    uint64_t *uuid);

/**
 * perfetto_thread_ended - from here on, events of this number are another thread's
 * @perfetto: the trace
 * @tid: the number
 */
void perfetto_thread_ended(struct perfetto *perfetto, uint32_t tid);

/* perfetto_scheduler.c */

/**
 * perfetto_emit_scheduler - write an event as ftrace has it
 * @report: the report
 * @cpu: the CPU
 * @time_ns: the time
 * @event: the event, without its time
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int perfetto_emit_scheduler(struct report *report, uint32_t cpu, uint64_t time_ns,
			    Perfetto__FtraceEvent *event);

/**
 * perfetto_write_scheduling - write what tracks of CPUs and states of threads are made of
 * @report: the report
 * @event: the session's current event, whose track is described; others than of switches and
 *	wakings are only looked at
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int perfetto_write_scheduling(struct report *report, const struct kcatch_event *event);

/**
 * perfetto_end_turns - end the turns of threads that need not have had their CPUs to the end
 * @report: the report, after all events
 *
 * Return: 0, or -errno with an error text.
 */
int perfetto_end_turns(struct report *report);

#endif
