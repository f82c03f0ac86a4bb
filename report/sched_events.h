/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_events.h - events of the scheduler in a recording: which it is, and whose tasks it names
 *
 * Names of arguments are tracefs', or those that the kernel's declaration of the tracepoint has.
 */
#ifndef REPORT_SCHED_EVENTS_H
#define REPORT_SCHED_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "report.h"

#define SCHED_COMM 64	/* bytes of a thread's name, with the end mark */

enum sched_event {
	SCHED_OTHER,	/* it is none of these */
	SCHED_SWITCH,
	SCHED_WAKING,
	SCHED_WAKEUP,
	SCHED_WAKEUP_NEW,
	SCHED_FORK,
};

/**
 * sched_event_of_probe - which event of the scheduler a probe catches
 * @probe: the probe
 *
 * Return: SCHED_*
 */
enum sched_event sched_event_of_probe(const struct kcatch_probe *probe);

/**
 * sched_events_in_call - whether there are only those about threads inside calls
 * @report: the report
 */
bool sched_events_in_call(struct report *report);

/**
 * sched_event_of - which event of the scheduler an event is
 * @report: the report
 * @event: the session's current event
 *
 * Return: SCHED_*
 */
enum sched_event sched_event_of(struct report *report, const struct kcatch_event *event);

/**
 * sched_event_arg - an argument of an event
 * @report: the report
 * @event: the session's current event
 * @name: its name
 *
 * Return: the argument; NULL: there is none of this name.
 */
const struct kcatch_value *sched_event_arg(struct report *report, const struct kcatch_event *event,
					   const char *name);

/**
 * sched_event_task - a task that an event names
 * @report: the report
 * @event: the session's current event
 * @name: "next", "child", ...; "": the only one
 * @comm: set to its name, SCHED_COMM bytes, untrusted; "" if the record has none
 * @tid: set to its number
 *
 * Return: whether the record has it.
 */
bool sched_event_task(struct report *report, const struct kcatch_event *event, const char *name,
		      char *comm, uint32_t *tid);

/**
 * sched_event_preempted - whether a thread that was switched out could have run on
 * @report: the report
 * @event: the session's current event, a SCHED_SWITCH
 */
bool sched_event_preempted(struct report *report, const struct kcatch_event *event);

#endif
