/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorded_probes.c - the probes that an expression of a recording is for, and values of events
 *
 * Conditions and keys of counts are tried before any event is read, so that what the recording
 * cannot answer is refused at once.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "fetch/plan.h"
#include "recording/recorded_probes.h"
#include "recording/recording.h"
#include "session/field_values.h"
#include "session/handle.h"
#include "session/session_notes.h"

/* How much does the reason at hand, which is about this probe, tell? 1 or more. */
static int help_of_reason(const struct kcatch_probe_slot *slot)
{
	if (!slot->plan || kcatch_plan_has_no_args(slot->plan))
		return 1;
	if (strstr(kcatch_error_text(), "has no member"))
		return 4;
	return strstr(kcatch_error_text(), "did you mean") ? 3 : 2;
}

static int try_probe(struct kcatch_recorded_probes *probes, size_t number, const char *name,
		     int (*try_one)(void *arg, size_t number,
				    const struct kcatch_recorded_probe *probe), void *arg)
{
	struct kcatch_recorded_probe probe = kcatch_recorded_probes_get(probes, number);
	struct kcatch_condition_notes notes = { .nr = 0 };
	char *copy = strdup(name);
	int ret;

	if (!copy)
		return kcatch_error_memory();
	probe.notes = &notes;
	ret = try_one(arg, number, &probe);
	if (!ret)
		ret = kcatch_session_note_condition(probes->session, &notes, name);
	if (ret)
		free(copy);
	else
		probes->names[number] = copy;
	return ret;
}

int kcatch_recorded_probes_init(struct kcatch_recorded_probes *probes,
				struct kcatch_session *session,
				const char *(*name)(void *arg, uint32_t probe), void *name_arg,
				int (*try_one)(void *arg, size_t number,
					       const struct kcatch_recorded_probe *probe),
				void *arg)
{
	char why[1500] = "";
	int ret, help, best = 0;
	bool any = false;
	size_t i;

	probes->session = session;
	probes->names = calloc(session->nr_slots + 1, sizeof(*probes->names));
	if (!probes->names)
		return kcatch_error_memory();
	probes->nr = session->nr_slots;
	for (i = 0; i < probes->nr; i++) {
		const char *its = name(name_arg, (uint32_t)i);

		if (!its)
			continue;
		ret = try_probe(probes, i, its, try_one, arg);
		any |= !ret;
		if (ret == -ENOENT) {
			help = help_of_reason(session->slots[i]);
			if (help > best)
				snprintf(why, sizeof(why), "%s", kcatch_error_text());
			best = help > best ? help : best;
		} else if (ret) {
			if (ret != -ENOMEM)
				kcatch_error_append("\n  (of %s)", SHOWN(its));
			return ret;
		}
	}
	return *why && !any ? kcatch_error_set(ENOENT, "%s", why) : 0;
}

void kcatch_recorded_probes_deinit(struct kcatch_recorded_probes *probes)
{
	size_t i;

	for (i = 0; i < probes->nr; i++)
		free(probes->names[i]);
	free(probes->names);
}

bool kcatch_recorded_probes_has(const struct kcatch_recorded_probes *probes, uint32_t number)
{
	return number < probes->nr && probes->names[number];
}

static unsigned int find_symbol(void *arg, const char *name, uint64_t *address)
{
	const struct kcatch_recording *recording = kcatch_recording_of(arg);

	return kcatch_symbol_list_address(recording ? recording->symbols : NULL, name, address);
}

struct kcatch_recorded_probe
kcatch_recorded_probes_get(const struct kcatch_recorded_probes *probes, size_t number)
{
	const struct kcatch_probe_slot *slot = probes->session->slots[number];
	bool tracepoint = slot->probe.mechanism == KCATCH_BY_TRACEPOINT;

	return (struct kcatch_recorded_probe){
		.types = probes->session->types,
		.plan = slot->plan,
		.info = slot->info,
		.tracepoint = tracepoint,
		.event = tracepoint ? kcatch_session_event_of(probes->session, (uint32_t)number) :
				      NULL,
		.returns = slot->returns,
		.symbol = find_symbol,
		.arg = probes->session,
		.named = slot->probe.function ? kcatch_constants_of_function(slot->probe.function) :
						NULL,
	};
}

/* ---- the event at hand ---------------------------------------------------------------- */

static const char *event_text(void *arg, enum kcatch_recorded_text which)
{
	const struct kcatch_recorded_probes *probes = arg;
	struct kcatch_session *session = probes->session;
	uint32_t number = session->view.event.probe;
	const char *path;

	switch (which) {
	case KCATCH_RECORDED_EVENT:
		return probes->names[number];
	case KCATCH_RECORDED_FUNCTION:
		return session->slots[number]->probe.function;
	case KCATCH_RECORDED_CALLER:
		return kcatch_session_caller(session);
	case KCATCH_RECORDED_CGROUP:
		if (!session->view.event.cgroup ||
		    kcatch_session_cgroup(session, session->view.event.cgroup, &path))
			return NULL;
		/* "(cgroup 123)": which one it was is not known. */
		return *path == '/' ? path : NULL;
	}
	return NULL;
}

static const struct kcatch_value *event_value(void *arg, uint32_t index)
{
	const struct kcatch_recorded_probes *probes = arg;
	const struct kcatch_value *value;

	return kcatch_session_arg(probes->session, index, &value) ? NULL : value;
}

void kcatch_recorded_probes_event(struct kcatch_recorded_probes *probes,
				  struct kcatch_fetched *fetched,
				  struct kcatch_recorded_event *event)
{
	kcatch_session_fetched(probes->session, fetched);
	*event = (struct kcatch_recorded_event){
		.event = &probes->session->view.event, .fetched = fetched, .text = event_text,
		.value = event_value, .arg = probes,
	};
}
