/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * trace_events.c - arms tracepoints and DO_TRACE events
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/timing.h"
#include "base/machine.h"
#include "base/printable.h"
#include "fetch/syscall_event.h"
#include "session/programs.h"
#include "session/handle.h"
#include "session/pairs.h"
#include "session/trace_events.h"
#include "target/tracepoints.h"

/* ---- the registry of DO_TRACE events ------------------------------------------ */

static int event_info(struct kcatch_session *session, uint32_t id, struct kcatch_event_info *info)
{
	struct kcatch_query query = { .first = id, .count = 1, .buffer = (uintptr_t)info };
	int ret = kcatch_session_ioctl(session, KCATCH_IOC_EVENTS, &query);

	if (ret)
		return ret;
	info->name[sizeof(info->name) - 1] = '\0';
	info->format[sizeof(info->format) - 1] = '\0';
	if (info->nr_args > KCATCH_EVENT_ARGS_MAX)
		info->nr_args = KCATCH_EVENT_ARGS_MAX;
	return query.count ? 0 : -ENOENT;
}

static bool is_event(void *arg, const char *name)
{
	struct kcatch_event_info info;
	uint32_t id;

	for (id = 0; !event_info(arg, id, &info); id++)
		if (info.nr_sites && kcatch_glob_match(name, info.name))
			return true;
	return false;
}

int kcatch_events_inform(struct kcatch_session *session, struct kcatch_probe_slot *slot)
{
	struct kcatch_event_info *info;
	int ret;

	if (slot->info)
		return 0;
	info = calloc(1, sizeof(*info));
	if (!info)
		return kcatch_error_memory();
	ret = event_info(session, (uint32_t)slot->probe.address, info);
	if (ret) {
		free(info);
		return kcatch_error_system(ret, "ask the kcatch module for its events");
	}
	slot->info = info;
	return 0;
}

bool kcatch_event_slot(const struct kcatch_probe_slot *slot)
{
	return slot->probe.mechanism == KCATCH_BY_TRACEPOINT ||
	       slot->probe.mechanism == KCATCH_BY_EVENT;
}

/* ---- arming -------------------------------------------------------------------- */

static int explain(const struct kcatch_event_name *names, size_t nr, const struct kcatch_add *add,
		   int error)
{
	const struct kcatch_event_name *name = add->bad_target < nr ? &names[add->bad_target] :
								      NULL;

	if (error == -ESRCH)
		return kcatch_error_set(ESRCH, "there is no process %u", add->pid);
	if (error == -ENOMEM)
		return kcatch_error_set(ENOMEM, "no memory to arm %zu events", nr);
	if (error == -ETIMEDOUT)
		return kcatch_error_set(ETIMEDOUT, "a CPU takes no interrupts, so nothing can be armed: "
					"'kcatch stuck' names it");
	if (error == -EINVAL)
		return kcatch_error_set(EOPNOTSUPP, "the loaded kcatch module is too old to trace events: "
					"rmmod kcatch; modprobe kcatch");
	if (error == -ENOENT && name)
		return kcatch_error_set(ENOENT, "%s:%s is no tracepoint that other modules can use",
					name->system, name->name);
	if (error == -EOPNOTSUPP && (add->flags & KCATCH_ADD_IN_CALL))
		return kcatch_error_set(EOPNOTSUPP,
					"this kernel does not tell which threads are inside calls "
					"(kcatch: --in-call)");
	if (error == -EOPNOTSUPP && name)
		return kcatch_error_set(EOPNOTSUPP, "%s:%s cannot be traced on this kernel: dmesg tells why",
					name->system, name->name);
	if (name)
		return kcatch_error_set(error, "%s:%s cannot be traced: %s", name->system,
					name->name, strerror(-error));
	if (error == -EOPNOTSUPP)
		return kcatch_error_set(EOPNOTSUPP, "these events cannot be traced on this kernel: dmesg tells why");
	return kcatch_error_system(error, "arm the events");
}

static int name_slot(struct kcatch_probe_slot *slot, const struct kcatch_event_name *name)
{
	if (name->is_ktrace)
		return 0;
	slot->asked = strdup(name->name);
	slot->system = strdup(name->system);
	if (!slot->asked || !slot->system)
		return kcatch_error_memory();
	return name->is_syscall ? kcatch_syscall_event_read(name->name, &slot->syscall) : 0;
}

static int remember(struct kcatch_session *session, const struct kcatch_event_name *names,
		    size_t nr, const struct kcatch_target *targets, const struct kcatch_add *add)
{
	size_t total = (size_t)add->first_probe + add->nr_probes, number = add->first_probe, i;
	const struct kcatch_probe *probe;
	int ret;

	if (total < session->nr_slots || add->nr_probes > (1U << 24))
		return kcatch_error_set(EPROTO, "the kcatch module numbers its probes "
					"unexpectedly");
	ret = kcatch_session_grow(session, total);
	for (i = 0; i < nr && !ret; i++) {
		uint32_t probes = targets[i].nr_probes;

		session->armed.skipped += targets[i].nr_skipped;
		for (; probes && number < total && !ret; probes--, number++) {
			session->slots[number]->probe.in_call = add->flags & KCATCH_ADD_IN_CALL;
			ret = name_slot(session->slots[number], &names[i]);
			if (!ret)
				ret = kcatch_session_probe(session, (uint32_t)number, &probe);
		}
	}
	return ret;
}

static int bind_programs(struct kcatch_session *session, const struct kcatch_request *request,
			 const struct kcatch_add *add, const struct kcatch_expression *expression,
			 const struct kcatch_event_name *names, size_t nr, bool all)
{
	struct kcatch_programs_add programs = {
		.request = request,
		.expression = expression,
		.events = true,
		.all_events = all,
		.group = add->group,
		.first = add->first_probe,
		.nr = add->nr_probes,
	};
	const char **pending = calloc(nr, sizeof(*pending));
	size_t i;
	int ret;

	if (!pending)
		return kcatch_error_memory();
	for (i = 0; i < nr; i++) {
		if (!names[i].is_ktrace)
			continue;
		pending[programs.nr_pending++] = names[i].name;
		session->armed.pending = true;
	}
	programs.pending = pending;
	ret = kcatch_programs_bind(session, &programs);
	free(pending);
	return ret;
}

/* One ADD. */
static int arm_batch(struct kcatch_session *session, const struct kcatch_request *request,
		     struct kcatch_add *add, const struct kcatch_expression *expression,
		     const struct kcatch_event_name *names, size_t nr, bool all)
{
	struct kcatch_target *targets = calloc(nr + 1, sizeof(*targets));
	size_t i;
	int ret;

	if (!targets)
		return kcatch_error_memory();
	for (i = 0; i < nr; i++) {
		const char *name = names[i].name;

		if (names[i].is_syscall)
			name = strncmp(name, "sys_exit_", 9) ? "sys_enter" : "sys_exit";
		targets[i].kind = names[i].is_ktrace ? KCATCH_TARGET_EVENT :
						       KCATCH_TARGET_TRACEPOINT;
		if (names[i].by_pattern)
			targets[i].kind |= KCATCH_TARGET_OPTIONAL;
		targets[i].name = (uintptr_t)name;
		targets[i].name_len = (uint32_t)strlen(name);
	}
	add->bad_target = ~0U;
	add->nr_targets = (uint32_t)nr;
	add->targets = (uintptr_t)targets;
	ret = kcatch_session_ioctl(session, KCATCH_IOC_ADD, add);
	if (ret) {
		ret = explain(names, nr, add, ret);
		goto out;
	}
	ret = remember(session, names, nr, targets, add);
	if (!ret)
		ret = bind_programs(session, request, add, expression, names, nr, all);
	if (ret)
		session->armed.broken = true;
out:
	free(targets);
	return ret;
}

/*
 * What is to be in an ADD of its own: each system call, for their addresses are the same;
 * who runs, which is not known of a CPU when the tracer's own turns are left out; and the
 * scheduler's other events, whose gate may be closed outside of calls.
 */
enum batch { TOGETHER, SCHEDULER, SWITCHES, SYSCALL };

static enum batch batch_of(const struct kcatch_event_name *name)
{
	if (name->is_syscall)
		return SYSCALL;
	if (!strcmp(name->name, "sched_switch"))
		return SWITCHES;
	return strncmp(name->name, "sched_", 6) ? TOGETHER : SCHEDULER;
}

static int by_batch(const void *left, const void *right)
{
	const struct kcatch_event_name *a = left, *b = right;

	if (batch_of(a) != batch_of(b))
		return batch_of(a) < batch_of(b) ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

int kcatch_events_arm(struct kcatch_session *session, const struct kcatch_request *request,
		      struct kcatch_add *add, const struct kcatch_expression *expression)
{
	uint64_t left_out = session->armed.left_out;
	struct kcatch_event_name *names;
	size_t nr, first, end, probes = 0, unknown;
	int ret;

	ret = kcatch_tracepoints_find(request->events, request->nr_events, is_event, session,
				      &names, &nr, &unknown);
	if (ret)
		return ret;
	session->armed.skipped += unknown;
	qsort(names, nr, sizeof(*names), by_batch);
	add->flags &= ~(KCATCH_ADD_RETURN | KCATCH_ADD_NO_STACK);
	if (!request->event_stacks)
		add->flags |= KCATCH_ADD_NO_STACK;
	for (first = 0; first < nr && !ret; first = end) {
		struct kcatch_add batch = *add;

		end = first + 1;
		/* A budget is of all of them, as far as they can be one group. */
		while (end < nr && batch_of(&names[first]) != SYSCALL &&
		       batch_of(&names[end]) != SYSCALL &&
		       (request->budget || batch_of(&names[end]) == batch_of(&names[first])))
			end++;
		if (batch_of(&names[first]) == SWITCHES && !kcatch_pairs_sleeps(session->pair))
			batch.flags &= ~KCATCH_ADD_OTHERS;
		if (request->in_call && (batch_of(&names[first]) == SCHEDULER ||
					 batch_of(&names[first]) == SWITCHES))
			batch.flags |= KCATCH_ADD_IN_CALL;
		ret = arm_batch(session, request, &batch, expression, names + first, end - first,
				end - first == nr);
		if (ret && first)
			session->armed.broken = true;
		probes += ret ? 0 : batch.nr_probes;
	}
	/* Functions may take it: the caller looks at both. */
	if (!ret && probes && !request->nr_functions &&
	    session->armed.left_out - left_out == probes) {
		ret = kcatch_error_set(ENOENT, "the condition applies to none of the %zu events",
				       probes);
		session->armed.broken = true;
	}
	kcatch_tracepoints_free(names, nr);
	return ret;
}
