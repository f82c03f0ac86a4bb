/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto_scheduler.c - switches and wakings in a trace for the Perfetto UI
 *
 * They are written as ftrace has them. The UI makes the tracks of CPUs and the states of threads of
 * them, and takes a thread for running until the next switch of its CPU: where that is not away
 * from this thread, switches between are not in the recording, and its turn is ended before. Those
 * of threads inside calls alone do not tell how long another thread had a CPU: none is written.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "perfetto.h"
#include "sched_events.h"

#define PRIORITY 120		/* of nice 0: the priority is not recorded, and not shown */
#define STATES_DEAD 0x70	/* a zombie, too */
#define STATE_UNKNOWN 0x1000	/* of a thread: more than Perfetto knows, so it shows none */

int perfetto_emit_scheduler(struct report *report, uint32_t cpu, uint64_t time_ns,
			  Perfetto__FtraceEvent *event)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__FtraceEventBundle bundle = PERFETTO__FTRACE_EVENT_BUNDLE__INIT;

	event->has_timestamp = event->has_pid = 1;
	event->timestamp = time_ns;
	bundle.has_cpu = 1;
	bundle.cpu = cpu;
	bundle.n_event = 1;
	bundle.event = &event;
	packet.ftrace_events = &bundle;
	return perfetto_emit(report, &packet);
}

/*
 * The state as Perfetto reads it where it knows no kernel's version: by the bits of Linux 4.4, some
 * of which moved with 4.14 (TASK_* of include/linux/sched.h in both).
 */
static int64_t state_of(struct report *report, const struct kcatch_event *event)
{
	static const struct { uint32_t bit, shown; } moved[] = {
		{ 0x40 /* PARKED */, 0x200 }, { 0x80 /* DEAD */, 0x40 },
		{ 0x100 /* WAKEKILL */, 0x80 }, { 0x400 /* NOLOAD */, 0x400 },
		/* As the kernel reports them. */
		{ 0x1000 /* RTLOCK_WAIT */, 0x2 }, { 0x8000 /* FROZEN */, 0x2 },
	};
	const struct kcatch_value *state = sched_event_arg(report, event, "prev_state");
	const struct kcatch_value *preempt = sched_event_arg(report, event, "preempt");
	int64_t shown;
	size_t i;

	if (preempt && preempt->number)
		return 0x800;	/* it runs on, whatever it was about to wait for */
	shown = state ? (int64_t)(state->number & 0x3f) : 0;
	for (i = 0; state && i < sizeof(moved) / sizeof(moved[0]); i++)
		if (state->number & moved[i].bit)
			shown |= moved[i].shown;
	return shown;
}

/* A task that the event names, as Perfetto takes it. */
static bool find_task(struct report *report, const struct kcatch_event *event, const char *name,
		      char *comm, int32_t *pid)
{
	char bytes[SCHED_COMM];
	uint32_t tid;

	if (!sched_event_task(report, event, name, bytes, &tid))
		return false;
	*pid = (int32_t)tid;
	perfetto_utf8(bytes, strlen(bytes), comm, SCHED_COMM);
	return true;
}

static int emit_switch(struct report *report, uint32_t cpu, uint64_t time_ns,
		       Perfetto__SchedSwitchFtraceEvent *sched)
{
	Perfetto__FtraceEvent made = PERFETTO__FTRACE_EVENT__INIT;

	sched->has_prev_pid = sched->has_prev_prio = sched->has_prev_state = 1;
	sched->has_next_pid = sched->has_next_prio = 1;
	sched->prev_prio = sched->next_prio = PRIORITY;
	made.pid = (uint32_t)sched->prev_pid;
	made.sched_switch = sched;
	return perfetto_emit_scheduler(report, cpu, time_ns, &made);
}

/* A thread has lost its CPU at some time behind the one when it last was seen there. */
static int end_turn(struct report *report, uint32_t cpu, struct cpu_turn *ended)
{
	Perfetto__SchedSwitchFtraceEvent sched = PERFETTO__SCHED_SWITCH_FTRACE_EVENT__INIT;

	if (!ended->tid)
		return 0;	/* nothing is shown of idle time */
	sched.prev_comm = ended->comm;
	sched.prev_pid = (int32_t)ended->tid;
	sched.prev_state = STATE_UNKNOWN;
	sched.next_comm = (char *)"swapper";
	return emit_switch(report, cpu, ended->seen_ns, &sched);
}

/* The thread that has a CPU now, and had not been seen to get it. */
static int begin_turn(struct report *report, const struct kcatch_event *event, char *comm)
{
	Perfetto__SchedSwitchFtraceEvent sched = PERFETTO__SCHED_SWITCH_FTRACE_EVENT__INIT;

	if (!event->tid)
		return 0;
	sched.prev_comm = (char *)"swapper";
	sched.next_comm = comm;
	sched.next_pid = (int32_t)event->tid;
	return emit_switch(report, event->cpu, event->time_ns, &sched);
}

static int write_switch(struct report *report, const struct kcatch_event *event)
{
	struct perfetto *perfetto = report->state;
	Perfetto__SchedSwitchFtraceEvent sched = PERFETTO__SCHED_SWITCH_FTRACE_EVENT__INIT;
	char before[64], after[64] = "";
	struct cpu_turn ended;
	int ret;

	perfetto->switches = event->probe;
	if (!find_task(report, event, "next", after, &sched.next_pid))
		return 0;	/* the next task is not in the record */
	perfetto_utf8(event->comm, strlen(event->comm), before, sizeof(before));
	ret = cpu_turns_switch(&perfetto->turns, event->cpu, event->tid, (uint32_t)sched.next_pid,
			       after, event->time_ns, &ended);
	if (ret > 0) {
		ret = end_turn(report, event->cpu, &ended);
		if (!ret)
			ret = begin_turn(report, event, before);
	}
	if (ret)
		return ret;
	sched.prev_comm = before;
	sched.prev_pid = (int32_t)event->tid;
	sched.prev_state = state_of(report, event);
	sched.next_comm = after;
	return emit_switch(report, event->cpu, event->time_ns, &sched);
}

static int write_waking(struct report *report, const struct kcatch_event *event,
			enum sched_event which)
{
	Perfetto__FtraceEvent made = PERFETTO__FTRACE_EVENT__INIT;
	Perfetto__SchedWakingFtraceEvent waking = PERFETTO__SCHED_WAKING_FTRACE_EVENT__INIT;
	char comm[64] = "";

	if (!find_task(report, event, "", comm, &waking.pid))
		return 0;
	waking.comm = comm;
	waking.has_pid = waking.has_prio = waking.has_success = waking.has_target_cpu = 1;
	waking.prio = PRIORITY;
	waking.success = 1;
	waking.target_cpu = (int32_t)event->cpu;
	/* An interrupt or a softirq has interrupted that thread, which then woke nobody. */
	made.pid = event->stack != KCATCH_STACK_ABSENT && event->context != KCATCH_IN_TASK ?
			   0 :
			   event->tid;
	if (which == SCHED_WAKING)
		made.sched_waking = &waking;
	else if (which == SCHED_WAKEUP)
		made.sched_wakeup = &waking;
	else
		made.sched_wakeup_new = &waking;
	return perfetto_emit_scheduler(report, event->cpu, event->time_ns, &made);
}

/* A thread that has begun, or one that ends: whoever has its number next is another one. */
static void note_end(struct report *report, const struct kcatch_event *event,
		     enum sched_event which)
{
	uint32_t tid = event->tid;
	char comm[64];
	int32_t pid;

	if (which == SCHED_FORK) {
		if (!find_task(report, event, "child", comm, &pid))
			return;
		tid = (uint32_t)pid;
	} else if (!(state_of(report, event) & STATES_DEAD)) {
		return;
	}
	perfetto_thread_ended(report->state, tid);
}

int perfetto_write_scheduling(struct report *report, const struct kcatch_event *event)
{
	struct perfetto *perfetto = report->state;
	enum sched_event which = sched_event_of(report, event);
	const struct kcatch_probe *probe;

	if (which != SCHED_OTHER && !kcatch_session_probe(report->session, event->probe, &probe) &&
	    probe->in_call)
		return 0;
	/* Calls are read when they have returned: events alone are in the order of time. */
	if (event->is_event)
		cpu_turns_see(&perfetto->turns, event->cpu, event->tid, event->time_ns);
	switch (which) {
	case SCHED_SWITCH:
		note_end(report, event, which);
		return write_switch(report, event);
	case SCHED_FORK:
		note_end(report, event, which);
		return 0;
	case SCHED_WAKING:
	case SCHED_WAKEUP:
	case SCHED_WAKEUP_NEW:
		return write_waking(report, event, which);
	case SCHED_OTHER:
		break;
	}
	return 0;
}

/*
 * Where there are switches that were not recorded, a thread that got a CPU last need not have had
 * it to the end.
 */
int perfetto_end_turns(struct report *report)
{
	struct perfetto *perfetto = report->state;
	struct kcatch_totals t = { .hits = 0 };
	uint32_t cpu;
	int ret = 0;

	if (perfetto->turns.switches)
		ret = kcatch_session_probe_totals(report->session, perfetto->switches, &t);
	if (ret || (!perfetto->turns.wrong && t.hits == t.recorded))
		return ret;
	for (cpu = 0; cpu < perfetto->turns.nr && !ret; cpu++)
		if (perfetto->turns.of[cpu].known)
			ret = end_turn(report, cpu, &perfetto->turns.of[cpu]);
	return ret;
}
