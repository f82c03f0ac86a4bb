/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * request.c - arms the functions and events of a request
 *
 * The names are parsed and duplicates removed; then one ADD call arms them all. The kernel
 * resolves patterns and a small number of names; many names are resolved here to addresses, in
 * one reading of kallsyms.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "base/cgroups.h"
#include "base/machine.h"
#include "base/printable.h"
#include "base/struct_size.h"
#include "condition/expression.h"
#include "fetch/syscall_event.h"
#include "session/awaited.h"
#include "session/counts.h"
#include "session/programs.h"
#include "session/handle.h"
#include "session/pairs.h"
#include "session/trace_events.h"
#include "target/diagnose.h"
#include "target/name_match.h"
#include "target/target.h"

/* The kernel looks through all its symbols for each name; for so many that is
 * quicker than to read them. */
#define KERNEL_RESOLVES 4
#define WITH_MAX        16U /* fields that the user adds, as kcatch.h says */

struct arming {
	struct kcatch_target_spec *specs;
	size_t nr_specs;
	struct kcatch_target *targets;	/* what ADD gets */
	uint32_t *spec_of;		/* target: its spec */
	size_t nr_targets;
	bool pending;			/* wait for modules that are not loaded */
};

static void arming_deinit(struct arming *arming)
{
	size_t i;

	for (i = 0; i < arming->nr_specs; i++)
		kcatch_target_deinit(&arming->specs[i]);
	free(arming->specs);
	free(arming->targets);
	free(arming->spec_of);
}

/* Parse all names; the same one twice is one. */
static int arming_parse(struct arming *arming, const char *const *names, size_t nr)
{
	struct kcatch_table seen = { 0 };
	char **keys;
	size_t i;
	int ret = 0;

	arming->specs = calloc(nr, sizeof(*arming->specs));
	keys = calloc(nr, sizeof(*keys));
	if (!arming->specs || !keys) {
		free(keys);
		return kcatch_error_memory();
	}
	for (i = 0; i < nr; i++) {
		struct kcatch_target_spec *spec = &arming->specs[arming->nr_specs];

		ret = kcatch_target_parse(names[i], spec);
		if (ret)
			break;
		spec->order = arming->nr_specs++;
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
			arming->nr_specs--;
			ret = 0;
		}
	}
	for (i = 0; i < nr; i++)
		free(keys[i]);
	free(keys);
	kcatch_table_deinit(&seen);
	return ret;
}

static int arming_room(struct arming *arming, size_t room)
{
	arming->targets = calloc(room ? room : 1, sizeof(*arming->targets));
	arming->spec_of = calloc(room ? room : 1, sizeof(*arming->spec_of));
	return arming->targets && arming->spec_of ? 0 : kcatch_error_memory();
}

/* Specs from @from on, as names and patterns that the kernel resolves. */
static void arming_names(struct arming *arming, size_t from)
{
	size_t i;

	for (i = from; i < arming->nr_specs; i++) {
		const struct kcatch_target_spec *spec = &arming->specs[i];
		struct kcatch_target *target = &arming->targets[arming->nr_targets];

		target->kind = spec->is_pattern ? KCATCH_TARGET_PATTERN : KCATCH_TARGET_NAME;
		target->name = (uintptr_t)spec->name;
		target->name_len = (uint32_t)strlen(spec->name);
		target->offset = spec->offset;
		if (arming->pending && spec->module)
			target->kind |= KCATCH_TARGET_PENDING;
		arming->spec_of[arming->nr_targets++] = (uint32_t)i;
	}
}

static void arming_places(struct arming *arming, const struct kcatch_place *places,
			  size_t nr_places)
{
	size_t i;

	for (i = 0; i < nr_places; i++) {
		const struct kcatch_target_spec *spec = &arming->specs[places[i].spec];
		struct kcatch_target *target = &arming->targets[arming->nr_targets];
		bool alone = (!i || places[i - 1].spec != places[i].spec) &&
			     (i + 1 == nr_places || places[i + 1].spec != places[i].spec);

		/* The only function of a name must be armed, or all is refused. */
		target->kind = KCATCH_TARGET_ADDRESS;
		if (spec->is_pattern || !alone)
			target->kind |= KCATCH_TARGET_OPTIONAL;
		target->address = places[i].address;
		target->offset = spec->offset;
		arming->spec_of[arming->nr_targets++] = places[i].spec;
	}
}

/* Names before patterns: a function that both mean is the name's. What may be waited for
 * is for the kernel: it comes last of the names. */
static int names_first(const void *left, const void *right)
{
	const struct kcatch_target_spec *a = left, *b = right;

	if (a->is_pattern != b->is_pattern)
		return a->is_pattern ? 1 : -1;
	if (!a->module != !b->module)
		return a->module ? 1 : -1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* A name that no function has may be a system call's: then its function is meant. */
static bool may_be_syscall(const struct kcatch_target_spec *spec, char *function, size_t room)
{
	return !spec->module && !spec->is_pattern && !spec->offset &&
	       kcatch_syscall_function(spec->symbol, function, room);
}

/* @no_function: receives the index of a system call's name, with -ENOENT; else unchanged */
static int arming_targets(struct arming *arming, bool kernel_matches, size_t *no_function)
{
	struct kcatch_place *places = NULL;
	size_t nr_names = 0, nr_places = 0, nr_mine = 0, missing, nr_missing;
	char function[64];
	int ret = 0;

	qsort(arming->specs, arming->nr_specs, sizeof(*arming->specs), names_first);
	while (nr_names < arming->nr_specs && !arming->specs[nr_names].is_pattern &&
	       !(arming->pending && arming->specs[nr_names].module))
		nr_names++;
	/* How many of the specs are resolved here? The kernel's patterns are better. */
	if (!kernel_matches)
		nr_mine = arming->nr_specs;
	else if (nr_names > KERNEL_RESOLVES)
		nr_mine = nr_names;
	if (nr_mine)
		ret = kcatch_resolve(arming->specs, nr_mine, &places, &nr_places, &missing,
				     &nr_missing);
	if (ret == -EACCES && kernel_matches) {
		/* Addresses are hidden from us, but not from the module. */
		nr_mine = 0;
		ret = 0;
	} else if (!ret && nr_mine && missing < nr_mine &&
		   may_be_syscall(&arming->specs[missing], function, sizeof(function))) {
		*no_function = missing;
		ret = -ENOENT;
	} else if (!ret && nr_mine && missing < nr_mine) {
		ret = kcatch_diagnose(&arming->specs[missing], ENOENT, NULL);
		if (nr_missing > 1)
			kcatch_error_append("\n  %zu more of the %zu names were not found either",
					    nr_missing - 1, arming->nr_specs);
	}
	if (!ret)
		ret = arming_room(arming, nr_places + arming->nr_specs - nr_mine);
	if (!ret) {
		arming_places(arming, places, nr_places);
		arming_names(arming, nr_mine);
	}
	free(places);
	return ret;
}

static int explain_add(const struct arming *arming, const struct kcatch_add *add, int error,
		       const struct kcatch_session *session)
{
	switch (error) {
	case -ENOMEM:
		return kcatch_error_set(ENOMEM, "no memory to arm %zu functions",
					arming->nr_targets);
	case -ETIMEDOUT:
		return kcatch_error_set(ETIMEDOUT, "a CPU takes no interrupts or does not schedule, so nothing "
					"can be armed: 'kcatch stuck' names it");
	case -ESRCH:
		return kcatch_error_set(ESRCH, "there is no process %u", add->pid);
	case -E2BIG:
		return kcatch_error_set(E2BIG, "%zu functions are more than can be armed at once (%u)",
					arming->nr_targets, KCATCH_TARGETS_MAX);
	}
	if (add->bad_target < arming->nr_targets)
		return kcatch_diagnose(&arming->specs[arming->spec_of[add->bad_target]], error,
				       session->symbols);
	if (arming->nr_specs == 1)
		return kcatch_diagnose(&arming->specs[0], error, session->symbols);
	return kcatch_error_system(error, "arm the requested functions");
}

/* Note which probe came from which name. */
static int remember(struct kcatch_session *session, const struct arming *arming,
		    const struct kcatch_add *add, const struct kcatch_programs_add *programs)
{
	bool decides_late = programs->under &&
			    (programs->request->condition || programs->request->errors);
	size_t total = (size_t)add->first_probe + add->nr_probes, number = add->first_probe, i;
	int ret;

	if (total < session->nr_slots || add->nr_probes > (1U << 24))
		return kcatch_error_set(EPROTO, "the kcatch module numbers its probes "
					"unexpectedly");
	ret = kcatch_session_grow(session, total);
	if (ret)
		return ret;
	for (; decides_late && number < total; number++)
		session->slots[number]->inner = true;
	number = add->first_probe;
	for (i = 0; i < arming->nr_targets; i++) {
		const struct kcatch_target_spec *spec = &arming->specs[arming->spec_of[i]];
		uint32_t probes = arming->targets[i].nr_probes;

		session->armed.skipped += arming->targets[i].nr_skipped;
		/* Those of a pattern are left alone where nothing is to be noted: they may be
		 * megabytes. */
		if (spec->is_pattern && !(add->flags & KCATCH_ADD_RETURN)) {
			number += probes;
			continue;
		}
		for (; probes && number < total; probes--, number++) {
			session->slots[number]->returns = add->flags & KCATCH_ADD_RETURN &&
							  !spec->offset;
			if (spec->is_pattern)
				continue;
			session->slots[number]->asked = strdup(spec->symbol);
			if (!session->slots[number]->asked)
				return kcatch_error_memory();
		}
	}
	return 0;
}

/* A name of which every function was left alone is an error, too. */
static int check_names(struct kcatch_session *session, const struct arming *arming)
{
	size_t i = 0;

	while (i < arming->nr_targets) {
		size_t spec = arming->spec_of[i], probes = 0, skipped = 0;
		int error = 0;

		for (; i < arming->nr_targets && arming->spec_of[i] == spec; i++) {
			probes += arming->targets[i].nr_probes;
			skipped += arming->targets[i].nr_skipped;
			if (arming->targets[i].error)
				error = arming->targets[i].error;
		}
		if (!probes && skipped) {
			session->armed.broken = true;
			return kcatch_diagnose(&arming->specs[spec], error ? error : -EADDRNOTAVAIL,
					       session->symbols);
		}
	}
	return 0;
}

static int check_request(const struct kcatch_session *session, const struct kcatch_request *request)
{
	bool conditional = request->condition || request->errors;
	int ret;

	if (!session->ring_size)
		return kcatch_error_set(EINVAL, "this session has no rings yet");
	if (request->returns || request->nr_events || kcatch_programs_needed(request)) {
		ret = kcatch_session_refuse_running(session);
		if (ret)
			return ret;
	}
	if (session->pair)
		return kcatch_error_set(EBUSY,
					"this session has a pair of events, and nothing else");
	if (!request->nr_functions && !request->nr_events)
		return kcatch_error_set(EINVAL, "no function was named; try: kcatch vfs_read");
	if (request->nr_functions > KCATCH_TARGETS_MAX || request->nr_under > KCATCH_TARGETS_MAX)
		return kcatch_error_set(E2BIG, "%zu functions are more than can be armed at once (%u)",
					request->nr_functions, KCATCH_TARGETS_MAX);
	if (request->user_stack > KCATCH_USER_STACK_MAX)
		return kcatch_error_set(EINVAL, "a user stack of %u bytes is too much: at most %u",
					request->user_stack, KCATCH_USER_STACK_MAX);
	if (request->user_stack && !request->nr_functions)
		return kcatch_error_set(EINVAL, "user stacks are taken with calls of functions; "
					"events have none (kcatch: --user)");
	if (request->in_call && (!request->nr_events || request->budget))
		return kcatch_error_set(EINVAL, "only events without a limit of their number can be "
					"those inside calls (kcatch: --in-call)");
	if (request->count && session->count)
		return kcatch_error_set(EBUSY, "this session counts already");
	if (request->nr_with > WITH_MAX ||
	    (request->nr_with && (!request->arguments || request->count || !request->with)))
		return kcatch_error_set(
			EINVAL, "fields are added to recorded arguments, at most %u", WITH_MAX);
	if (request->count && (request->arguments || request->user_stack || request->nr_under))
		return kcatch_error_set(EINVAL, "calls are counted or recorded, not both");
	if ((request->errors || request->nr_under) && !request->returns)
		return kcatch_error_set(EINVAL, "errors and call trees are seen at the return: "
					"it must be caught as well");
	if (request->returns && !(session->info.features & KCATCH_FEATURE_RETURN))
		return kcatch_error_set(EOPNOTSUPP, "the kcatch module cannot catch returns on this kernel, "
					"only entries (kcatch: --entry)");
	if (conditional && !(session->info.features & KCATCH_FEATURE_CONDITION))
		return kcatch_error_set(EOPNOTSUPP, "the kcatch module cannot run conditions on this kernel");
	return 0;
}

int kcatch_request_copy(struct kcatch_request *own, const struct kcatch_request *given)
{
	int ret = kcatch_struct_copy(own, sizeof(*own), given, "kcatch_request");

	if (ret)
		return ret;
	if (own->depth > KCATCH_DEPTH_MAX)
		return kcatch_error_set(EINVAL, "a depth of %u frames is too much: at most %u",
					own->depth, KCATCH_DEPTH_MAX);
	if (own->comm && strlen(own->comm) >= KCATCH_COMM_LEN)
		return kcatch_error_set(EINVAL, "%s: a command's name has at most %u bytes in the kernel",
					SHOWN(own->comm), KCATCH_COMM_LEN - 1);
	return 0;
}

int kcatch_request_gate(struct kcatch_add *add, const struct kcatch_request *request)
{
	uint64_t cgroup;
	unsigned int level;
	int ret;

	add->budget = request->budget;
	if (request->no_stack)
		add->flags |= KCATCH_ADD_NO_STACK;
	if (request->pid) {
		add->flags |= KCATCH_ADD_PID;
		add->pid = request->pid;
		if (request->children)
			add->flags |= KCATCH_ADD_CHILDREN;
	}
	if (request->comm) {
		add->flags |= KCATCH_ADD_COMM;
		memcpy(add->comm, request->comm, strlen(request->comm));
	}
	if (request->others_only)
		add->flags |= KCATCH_ADD_OTHERS;
	if (request->cgroup) {
		ret = kcatch_cgroup_find(request->cgroup, &cgroup, &level);
		if (ret)
			return ret;
		add->flags |= KCATCH_ADD_CGROUP;
		add->cgroup = cgroup;
		add->cgroup_level = level;
	}
	return 0;
}

static bool waits_for_any(const struct arming *arming)
{
	bool any = false;
	size_t i;

	for (i = 0; i < arming->nr_targets; i++)
		any |= arming->targets[i].kind & KCATCH_TARGET_PENDING;
	return any;
}

/* What may be waited for: can it ever come? */
static int check_pending(struct kcatch_session *session, const struct arming *arming)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < arming->nr_targets; i++)
		if (arming->targets[i].kind & KCATCH_TARGET_PENDING)
			ret = kcatch_awaited_check(&session->armed.awaited,
						   &arming->specs[arming->spec_of[i]]);
	return ret;
}

/* What is waited for, and how it will be called. A module that is loaded and has nothing
 * of that name has it in its init, or it is a mistake. */
static int note_pending(struct kcatch_session *session, const struct arming *arming, uint32_t group)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < arming->nr_targets; i++) {
		const struct kcatch_target_spec *spec = &arming->specs[arming->spec_of[i]];

		if (!(arming->targets[i].kind & KCATCH_TARGET_PENDING))
			continue;
		session->armed.pending = true;
		if (!arming->targets[i].nr_probes && kcatch_machine_module_loaded(spec->module) &&
		    !kcatch_awaited_exists(spec))
			ret = kcatch_diagnose(spec, ENOENT, session->symbols);
		else if (!spec->is_pattern)
			ret = kcatch_awaited_name(&session->armed.awaited, group, (uint32_t)i,
						  spec->symbol);
	}
	return ret;
}

/* While the administrator has switched them off, kprobes are accepted and never hit. */
static int check_kprobes(struct kcatch_session *session, const struct kcatch_add *add)
{
	const struct kcatch_probe *probe;
	uint32_t i;

	if (kcatch_machine_kprobes() != 0)
		return 0;
	for (i = 0; i < add->nr_probes; i++) {
		if (!kcatch_session_probe(session, add->first_probe + i, &probe) &&
		    probe->mechanism == KCATCH_BY_KPROBE)
			return kcatch_error_set(EBUSY, "%s needs a kprobe, and those are switched off on this "
						"machine; switch them on: "
						"echo 1 > /sys/kernel/debug/kprobes/enabled",
						SHOWN(probe->function ? probe->function : "it"));
	}
	return 0;
}

/* Forget how the names were resolved. */
static void arming_again(struct arming *arming)
{
	free(arming->targets);
	free(arming->spec_of);
	arming->targets = NULL;
	arming->spec_of = NULL;
	arming->nr_targets = 0;
}

static int take_syscall(struct kcatch_target_spec *spec)
{
	char function[64], *name;

	if (!may_be_syscall(spec, function, sizeof(function)))
		return -ENOENT;
	name = strdup(function);
	if (!name)
		return kcatch_error_memory();
	free(spec->name);
	spec->name = name;
	spec->symbol = name;
	return 0;
}

/* Ask the module. @no_function as of arming_targets() */
static int add_targets(struct kcatch_session *session, const struct arming *arming,
		       struct kcatch_add *add, size_t *no_function)
{
	char function[64];
	size_t spec;
	int ret;

	add->bad_target = ~0U;
	add->nr_targets = (uint32_t)arming->nr_targets;
	add->targets = (uintptr_t)arming->targets;
	ret = kcatch_session_ioctl(session, KCATCH_IOC_ADD, add);
	if (!ret)
		return 0;
	spec = add->bad_target < arming->nr_targets ? arming->spec_of[add->bad_target] :
						      arming->nr_specs;
	if (ret != -ENOENT || spec == arming->nr_specs ||
	    !may_be_syscall(&arming->specs[spec], function, sizeof(function)))
		return explain_add(arming, add, ret, session);
	*no_function = spec;
	return ret;
}

/* Find what the names mean, and arm it. */
static int arm_targets(struct kcatch_session *session, struct arming *arming,
		       struct kcatch_add *add)
{
	size_t no_function;
	int ret;

	do {
		no_function = arming->nr_specs;
		arming_again(arming);
		ret = arming_targets(arming, session->info.features & KCATCH_FEATURE_MATCH,
				     &no_function);
		if (!ret)
			ret = check_pending(session, arming);
		if (!ret)
			ret = add_targets(session, arming, add, &no_function);
		if (!ret || no_function == arming->nr_specs)
			return ret;
		ret = take_syscall(&arming->specs[no_function]);
	} while (!ret);
	return ret;
}

static bool has_pattern(const struct arming *arming)
{
	bool any = false;
	size_t i;

	for (i = 0; i < arming->nr_specs; i++)
		any |= arming->specs[i].is_pattern;
	return any;
}

/* All functions of the kernel, and of no module that may be waited for. */
static bool means_all(const struct arming *arming)
{
	bool all = false, of_module = false;
	size_t i;

	for (i = 0; i < arming->nr_specs; i++) {
		of_module |= arming->specs[i].module != NULL;
		all |= !strcmp(arming->specs[i].name, "*");
	}
	return all && !of_module;
}

/* Arm names as one group. @add says how, and then which probes they are. */
static int arm(struct kcatch_session *session, const char *const *names, size_t nr,
	       struct kcatch_add *add, struct kcatch_programs_add *programs)
{
	struct arming arming = { .pending = programs->request->pending };
	int ret = arming_parse(&arming, names, nr);

	if (!ret && has_pattern(&arming))
		ret = kcatch_programs_expect(session, programs, means_all(&arming));
	if (!ret)
		ret = arm_targets(session, &arming, add);
	if (ret)
		goto out;
	ret = check_names(session, &arming);
	if (!ret)
		ret = remember(session, &arming, add, programs);
	if (!ret)
		ret = check_kprobes(session, add);
	programs->group = add->group;
	programs->first = add->first_probe;
	programs->nr = add->nr_probes;
	programs->specs = arming.specs;
	programs->nr_specs = waits_for_any(&arming) ? arming.nr_specs : 0;
	if (!ret)
		ret = note_pending(session, &arming, add->group);
	if (!ret)
		ret = kcatch_programs_bind(session, programs);
	programs->nr_specs = 0;
	if (ret)
		session->armed.broken = true;
out:
	kcatch_programs_forget(programs);
	arming_deinit(&arming);
	return ret;
}

/* The functions of a call tree: without stacks, for each call says what it is under. */
static int arm_under(struct kcatch_session *session, const struct kcatch_request *request,
		     const struct kcatch_programs_add *roots)
{
	struct kcatch_add add = { .flags = KCATCH_ADD_UNDER | KCATCH_ADD_RETURN |
					   KCATCH_ADD_NO_STACK,
				  .root = roots->group,
				  .levels = request->levels, .max_active = request->in_flight };
	struct kcatch_programs_add programs = { .request = request, .returns = true, .under = true,
						.roots = roots->first, .nr_roots = roots->nr };
	int ret = arm(session, request->under, request->nr_under, &add, &programs);

	if (ret)
		session->armed.broken = true;
	return ret;
}

/* Are returns to be hooked? What is counted may need none, and costs less then. */
static bool needs_returns(const struct kcatch_session *session,
			  const struct kcatch_request *request,
			  const struct kcatch_expression *expression)
{
	return request->returns && (!request->count || request->errors ||
				    kcatch_count_at_return(session->count) ||
				    kcatch_expression_uses_return(expression));
}

/* Arm the first events of pairs: none of them has a condition. */
static int arm_first(struct kcatch_session *session, const struct kcatch_request *request)
{
	struct kcatch_add add = { .flags = KCATCH_ADD_NO_STACK };
	struct kcatch_programs_add programs = { .request = request };
	int ret = kcatch_pairs_begin(session);

	if (!ret)
		ret = kcatch_request_gate(&add, request);
	if (!ret && request->nr_functions)
		ret = arm(session, request->functions, request->nr_functions, &add, &programs);
	else if (!ret)
		ret = kcatch_events_arm(session, request, &add, NULL);
	if (!ret)
		kcatch_pairs_go_on(session);
	return ret;
}

/* @first: the request of the first events of pairs; NULL: there are none */
static int add_request(struct kcatch_session *session, const struct kcatch_request *request,
		       const struct kcatch_request *first)
{
	struct kcatch_add add = { .depth = request->depth }, events;
	struct kcatch_programs_add programs = { .request = request };
	struct kcatch_expression *expression = NULL;
	size_t probes = session->nr_slots;
	uint64_t left_out = session->armed.left_out;
	int ret = session->kind->permit(session, "arm anything");

	session->armed.with = 0;
	snprintf(session->armed.why_without, sizeof(session->armed.why_without),
		 "it needs the types of a function's entry, or of a tracepoint");
	if (!ret)
		ret = check_request(session, request);
	if (!ret && request->condition)
		ret = kcatch_expression_parse(request->condition, &expression);
	if (!ret && request->count)
		ret = kcatch_count_create(request->count, &session->count);
	if (!ret && first)
		ret = kcatch_pairs_create(first->pair, &session->pair);
	if (ret) {
		kcatch_expression_destroy(expression);
		return ret;
	}
	if (first) {
		ret = arm_first(session, first);
		if (ret)
			goto out;
	}
	if (request->count && kcatch_count_at_return(session->count) && !request->returns &&
	    request->nr_functions && !first) {
		ret = kcatch_error_set(EINVAL, "a key or value uses the return: it must be caught "
				       "as well");
		goto out;
	}
	/* Of an event it may be an argument. */
	if (expression && kcatch_expression_uses_return(expression) && !request->returns &&
	    request->nr_functions && !first) {
		ret = kcatch_error_set(EINVAL, "%s: the condition uses the return: it must be "
				       "caught as well", SHOWN(request->condition));
		goto out;
	}
	ret = kcatch_request_gate(&add, request);
	if (ret)
		goto out;
	if (request->freeze)
		add.flags |= KCATCH_ADD_FREEZE;
	programs.returns = needs_returns(session, request, expression);
	if (request->in_flight && !programs.returns) {
		ret = kcatch_error_set(EINVAL, "no return is caught: a number of calls in flight has "
				       "no meaning");
		goto out;
	}
	add.max_active = request->in_flight;
	if (programs.returns)
		add.flags |= KCATCH_ADD_RETURN;
	if (request->returns || kcatch_programs_needed(request))
		session->pairs = true;
	programs.expression = expression;
	events = add;
	if (request->nr_functions)
		ret = arm(session, request->functions, request->nr_functions, &add, &programs);
	if (!ret && request->nr_under)
		ret = arm_under(session, request, &programs);
	if (!ret && request->nr_events) {
		ret = kcatch_events_arm(session, request, &events, expression);
		if (ret && request->nr_functions)
			session->armed.broken = true;
	}
	if (!ret && request->nr_functions && request->nr_events && !session->armed.pending &&
	    session->armed.left_out - left_out == session->nr_slots - probes) {
		ret = kcatch_error_set(ENOENT, "the condition, a key or a value applies to none of the "
				       "%zu functions and events", session->nr_slots - probes);
		session->armed.broken = true;
	}
	if (!ret && !session->armed.pending &&
	    session->armed.with != (1U << request->nr_with) - 1) {
		ret = kcatch_error_set(ENOENT,
				       "a field of --with applies to nothing that is armed: %s",
				       session->armed.why_without);
		session->armed.broken = true;
	}
out:
	kcatch_expression_destroy(expression);
	if (ret && first && session->nr_slots)
		session->armed.broken = true;
	if (ret && request->count) {
		kcatch_count_destroy(session->count);
		session->count = NULL;
	}
	if (ret && first) {
		kcatch_pairs_destroy(session->pair);
		session->pair = NULL;
	}
	return ret;
}

int kcatch_session_add(struct kcatch_session *session, const struct kcatch_request *request)
{
	struct kcatch_request own, first, second;
	struct kcatch_pair_request pair;
	int ret = kcatch_request_copy(&own, request);

	if (!ret && own.pair)
		ret = kcatch_struct_copy(&pair, sizeof(pair), own.pair, "kcatch_pair_request");
	if (ret || !own.pair)
		return ret ? ret : add_request(session, &own, NULL);
	ret = kcatch_pairs_requests(&own, &pair, &first, &second);
	return ret ? ret : add_request(session, &second, &first);
}
