/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * request.c - arm what a request names
 *
 * The names are parsed, each is kept once, and one ADD call arms them all: as
 * names and patterns that the kernel resolves itself when they are few, as
 * addresses from one reading of kallsyms when they are many.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose.h"
#include "error.h"
#include "resolve.h"
#include "session.h"
#include "table.h"
#include "target.h"
#include "text.h"

/* The kernel looks through all its symbols for each target; up to here that is
 * quicker than to read them. */
#define KERNEL_RESOLVES 4

struct plan {
	struct kcatch_target_spec *specs;
	size_t nr_specs;
	struct kcatch_target *targets;	/* what ADD gets */
	uint32_t *spec_of;		/* target: its spec */
	size_t nr_targets;
};

static void plan_deinit(struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->nr_specs; i++)
		kcatch_target_deinit(&plan->specs[i]);
	free(plan->specs);
	free(plan->targets);
	free(plan->spec_of);
}

/* Parse all names; the same one twice is one. */
static int plan_parse(struct plan *plan, const struct kcatch_request *request)
{
	struct kcatch_table seen = { 0 };
	char **keys;
	size_t i;
	int ret = 0;

	plan->specs = calloc(request->nr_functions, sizeof(*plan->specs));
	keys = calloc(request->nr_functions, sizeof(*keys));
	if (!plan->specs || !keys) {
		free(keys);
		return kcatch_error_memory();
	}
	for (i = 0; i < request->nr_functions; i++) {
		struct kcatch_target_spec *spec = &plan->specs[plan->nr_specs];

		ret = kcatch_target_parse(request->functions[i], spec);
		if (ret)
			break;
		plan->nr_specs++;
		if (asprintf(&keys[i], "%s+%u", spec->name, spec->offset) < 0) {
			keys[i] = NULL;
			ret = kcatch_error_memory();
			break;
		}
		ret = kcatch_table_add(&seen, keys[i], strlen(keys[i]), i);
		if (ret < 0) {
			kcatch_error_memory();
			break;
		}
		if (ret) {
			kcatch_target_deinit(spec);
			plan->nr_specs--;
			ret = 0;
		}
	}
	for (i = 0; i < request->nr_functions; i++)
		free(keys[i]);
	free(keys);
	kcatch_table_deinit(&seen);
	return ret;
}

static int plan_room(struct plan *plan, size_t nr_targets)
{
	plan->targets = calloc(nr_targets ? nr_targets : 1, sizeof(*plan->targets));
	plan->spec_of = calloc(nr_targets ? nr_targets : 1, sizeof(*plan->spec_of));
	plan->nr_targets = nr_targets;
	return plan->targets && plan->spec_of ? 0 : kcatch_error_memory();
}

/* Names first: a function that a pattern means as well is the name's. */
static int plan_names(struct plan *plan)
{
	size_t i, at = 0;
	int ret, patterns;

	ret = plan_room(plan, plan->nr_specs);
	if (ret)
		return ret;
	for (patterns = 0; patterns < 2; patterns++) {
		for (i = 0; i < plan->nr_specs; i++) {
			const struct kcatch_target_spec *spec = &plan->specs[i];

			if (spec->is_pattern != (patterns == 1))
				continue;
			plan->targets[at].kind = spec->is_pattern ? KCATCH_TARGET_PATTERN :
						 KCATCH_TARGET_NAME;
			plan->targets[at].name = (uintptr_t)spec->name;
			plan->targets[at].name_len = (uint32_t)strlen(spec->name);
			plan->targets[at].offset = spec->offset;
			plan->spec_of[at++] = (uint32_t)i;
		}
	}
	return 0;
}

static int plan_addresses(struct plan *plan)
{
	struct kcatch_place *places;
	size_t nr_places, missing, nr_missing, i;
	int ret;

	ret = kcatch_resolve(plan->specs, plan->nr_specs, &places, &nr_places, &missing,
			     &nr_missing);
	if (ret)
		return ret;
	if (missing < plan->nr_specs) {
		free(places);
		ret = kcatch_diagnose(&plan->specs[missing], ENOENT, NULL);
		if (nr_missing > 1)
			kcatch_error_append("\n  %zu more of the %zu names were not found either",
					    nr_missing - 1, plan->nr_specs);
		return ret;
	}
	ret = plan_room(plan, nr_places);
	for (i = 0; !ret && i < nr_places; i++) {
		const struct kcatch_target_spec *spec = &plan->specs[places[i].spec];
		bool alone = (!i || places[i - 1].spec != places[i].spec) &&
			     (i + 1 == nr_places || places[i + 1].spec != places[i].spec);

		/* The only function of a name must be armed, or all is refused. */
		plan->targets[i].kind = KCATCH_TARGET_ADDRESS;
		if (spec->is_pattern || !alone)
			plan->targets[i].kind |= KCATCH_TARGET_OPTIONAL;
		plan->targets[i].address = places[i].address;
		plan->targets[i].offset = spec->offset;
		plan->spec_of[i] = places[i].spec;
	}
	free(places);
	return ret;
}

static int explain_add(const struct plan *plan, const struct kcatch_add *add, int error,
		       const struct kcatch_session *session)
{
	switch (error) {
	case -ENOMEM:
		return kcatch_error_set(ENOMEM, "no memory to arm %zu functions", plan->nr_targets);
	case -ESRCH:
		return kcatch_error_set(ESRCH, "there is no process %u", add->pid);
	case -E2BIG:
		return kcatch_error_set(E2BIG, "%zu functions are more than can be armed at once (%u)",
					plan->nr_targets, KCATCH_TARGETS_MAX);
	}
	if (add->bad_target < plan->nr_targets)
		return kcatch_diagnose(&plan->specs[plan->spec_of[add->bad_target]], error,
				       session->symbols);
	if (plan->nr_specs == 1)
		return kcatch_diagnose(&plan->specs[0], error, session->symbols);
	return kcatch_error_system(error, "arm what was asked for");
}

/* Note which probe came from which name. */
static int remember(struct kcatch_session *session, const struct plan *plan,
		    const struct kcatch_add *add)
{
	size_t total = (size_t)add->first_probe + add->nr_probes, number = add->first_probe, i;
	struct kcatch_probe_slot *slots;

	if (total < session->nr_slots || add->nr_probes > (1U << 24))
		return kcatch_error_set(EPROTO, "the kcatch module numbers its probes in a strange way");
	slots = realloc(session->slots, (total ? total : 1) * sizeof(*slots));
	if (!slots)
		return kcatch_error_memory();
	memset(slots + session->nr_slots, 0, (total - session->nr_slots) * sizeof(*slots));
	session->slots = slots;
	session->nr_slots = total;
	for (i = 0; i < plan->nr_targets; i++) {
		const struct kcatch_target_spec *spec = &plan->specs[plan->spec_of[i]];
		uint32_t probes = plan->targets[i].nr_probes;

		session->skipped += plan->targets[i].nr_skipped;
		for (; probes && number < total; probes--, number++) {
			if (spec->is_pattern)
				continue;
			slots[number].asked = strdup(spec->symbol);
			if (!slots[number].asked)
				return kcatch_error_memory();
		}
	}
	return 0;
}

/* A name of which every function was left alone is an error, too. */
static int check_names(struct kcatch_session *session, const struct plan *plan)
{
	size_t i = 0;

	while (i < plan->nr_targets) {
		size_t spec = plan->spec_of[i], probes = 0, skipped = 0;
		int error = 0;

		for (; i < plan->nr_targets && plan->spec_of[i] == spec; i++) {
			probes += plan->targets[i].nr_probes;
			skipped += plan->targets[i].nr_skipped;
			if (plan->targets[i].error)
				error = plan->targets[i].error;
		}
		if (!probes && skipped) {
			session->broken = true;
			return kcatch_diagnose(&plan->specs[spec], error ? error : -EADDRNOTAVAIL,
					       session->symbols);
		}
	}
	return 0;
}

static int check_request(const struct kcatch_session *session, const struct kcatch_request *request)
{
	if (!session->ring_size)
		return kcatch_error_set(EINVAL, "this session has no rings yet");
	if (!request->nr_functions)
		return kcatch_error_set(EINVAL, "no function was named; try: kcatch vfs_read");
	if (request->nr_functions > KCATCH_TARGETS_MAX)
		return kcatch_error_set(E2BIG, "%zu functions are more than can be armed at once (%u)",
					request->nr_functions, KCATCH_TARGETS_MAX);
	if (request->depth > KCATCH_DEPTH_MAX)
		return kcatch_error_set(EINVAL, "a depth of %u frames is too much: at most %u",
					request->depth, KCATCH_DEPTH_MAX);
	if (request->comm && strlen(request->comm) >= KCATCH_COMM_LEN)
		return kcatch_error_set(EINVAL, "%s: a command's name has at most %u bytes in the kernel",
					SHOWN(request->comm), KCATCH_COMM_LEN - 1);
	return 0;
}

int kcatch_session_add(struct kcatch_session *session, const struct kcatch_request *request)
{
	struct kcatch_add add = { .depth = request->depth, .budget = request->budget,
				  .bad_target = ~0U };
	struct plan plan = { 0 };
	int ret = check_request(session, request);

	if (ret)
		return ret;
	ret = plan_parse(&plan, request);
	if (ret)
		goto out;
	if (plan.nr_specs <= KERNEL_RESOLVES && (session->info.features & KCATCH_FEATURE_MATCH)) {
		ret = plan_names(&plan);
	} else {
		ret = plan_addresses(&plan);
		/* Hidden from us, but not from the module. */
		if (ret == -EACCES && (session->info.features & KCATCH_FEATURE_MATCH))
			ret = plan_names(&plan);
		else if (ret == -EACCES)
			kcatch_error_set(EACCES, "the kernel hides its addresses (sysctl kernel.kptr_restrict)");
	}
	if (ret)
		goto out;

	if (request->no_stack)
		add.flags |= KCATCH_ADD_NO_STACK;
	if (request->pid) {
		add.flags |= KCATCH_ADD_PID;
		add.pid = request->pid;
	}
	if (request->comm) {
		add.flags |= KCATCH_ADD_COMM;
		memcpy(add.comm, request->comm, strlen(request->comm));
	}
	if (request->others_only)
		add.flags |= KCATCH_ADD_OTHERS;
	add.nr_targets = (uint32_t)plan.nr_targets;
	add.targets = (uintptr_t)plan.targets;
	ret = kcatch_session_call(session, KCATCH_IOC_ADD, &add);
	/* A module of the same interface that does not know this gate yet. */
	if (ret == -EINVAL && (add.flags & KCATCH_ADD_OTHERS) && add.bad_target == ~0U) {
		add.flags &= ~KCATCH_ADD_OTHERS;
		ret = kcatch_session_call(session, KCATCH_IOC_ADD, &add);
	}
	if (ret) {
		ret = explain_add(&plan, &add, ret, session);
		goto out;
	}
	ret = check_names(session, &plan);
	if (!ret)
		ret = remember(session, &plan, &add);
	if (ret)
		session->broken = true;
out:
	plan_deinit(&plan);
	return ret;
}
