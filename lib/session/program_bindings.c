/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * program_bindings.c - finds for each probe the types of its function, and gives it its program
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "base/array.h"
#include "base/printable.h"
#include "condition/event_fields.h"
#include "fetch/syscall_event.h"
#include "session/awaited.h"
#include "session/counts.h"
#include "session/field_values.h"
#include "session/handle.h"
#include "session/session_notes.h"
#include "session/programs.h"
#include "session/programs_data.h"

/* ---- probes ------------------------------------------------------------------------- */

static int add_binding(struct kcatch_programs *binder, const struct kcatch_binding *binding)
{
	struct kcatch_binding *bindings = kcatch_array_grow(binder->bindings, binder->nr_bindings,
							    sizeof(*bindings));

	if (!bindings)
		return kcatch_error_memory();
	binder->bindings = bindings;
	bindings[binder->nr_bindings++] = *binding;
	return 0;
}

static int bind(struct kcatch_programs *binder, uint32_t probe, uint32_t program)
{
	return add_binding(binder, &(struct kcatch_binding){ .probe = probe, .program = program });
}

/* Roots may be hundreds, and the functions under them tens of thousands. Nothing may have asked for
 * their addresses yet. */
static int note_roots(struct kcatch_programs *binder)
{
	const struct kcatch_programs_add *add = binder->add;
	uint32_t i;
	int ret;

	if (!add->under)
		return 0;
	ret = kcatch_session_learn_names(binder->session, add->roots, add->nr_roots);
	if (ret)
		return ret;
	for (i = 0; i < add->nr_roots; i++) {
		const uint64_t *address = &binder->session->slots[add->roots + i]->probe.address;

		if (kcatch_table_add(&binder->roots, (const char *)address, sizeof(*address), i) <
		    0)
			return kcatch_error_memory();
	}
	return 0;
}

static bool is_root(const struct kcatch_programs *binder, uint64_t address)
{
	return kcatch_table_find(&binder->roots, (const char *)&address, sizeof(address));
}

/* All functions of system calls are called alike. BTF may lack those that use no argument. */
static void borrow_proto(struct kcatch_types *types, const char *function,
			 struct kcatch_type *proto)
{
	static const char *const others[] = { "read", "openat", "close" };
	const char *begin = kcatch_arch_running()->syscall.function;
	char other[64];
	size_t i;

	if (strncmp(function, begin, strlen(begin)) != 0)
		return;
	for (i = 0; i < sizeof(others) / sizeof(others[0]) && !proto->id; i++) {
		snprintf(other, sizeof(other), "%s%s", begin, others[i]);
		if (kcatch_types_function(types, NULL, other, proto))
			memset(proto, 0, sizeof(*proto));
	}
}

/* BTF does not tell at which address the function is that it has. */
static bool is_of_another(struct kcatch_session *session, struct kcatch_types *types,
			  const struct kcatch_probe *probe)
{
	/* Without memory nobody knows. */
	return session->nr_slots > 1 && kcatch_types_unsure(types, probe->module) &&
	       kcatch_namesakes_of(session, probe);
}

static void find_proto(struct kcatch_session *session, struct kcatch_types *types,
		       const struct kcatch_probe *probe, struct kcatch_type *proto)
{
	struct kcatch_name name;

	if (!kcatch_types_function(types, probe->module, probe->function, proto)) {
		if (is_of_another(session, types, probe))
			memset(proto, 0, sizeof(*proto));
		return;
	}
	/* Asked for by another of its names: the kernel's own may have types. */
	if (kcatch_symbols_find(session->symbols, probe->address, &name) || !name.symbol ||
	    name.offset || !strcmp(name.symbol, probe->function) ||
	    kcatch_types_function(types, name.module, name.symbol, proto))
		memset(proto, 0, sizeof(*proto));
}

void kcatch_programs_proto(struct kcatch_session *session, const struct kcatch_probe *probe,
			   struct kcatch_type *proto)
{
	struct kcatch_types *types = kcatch_programs_types(session);

	memset(proto, 0, sizeof(*proto));	/* it is a key: no byte of it is left to chance */
	if (!types || !probe->function)
		return;
	find_proto(session, types, probe, proto);
	if (!proto->id && !probe->module)
		borrow_proto(types, probe->function, proto);
}

static int left_out_event(struct kcatch_programs *binder, const struct kcatch_probe *probe)
{
	if (binder->add->all_events && binder->add->nr == 1 &&
	    !binder->add->request->nr_functions)
		return kcatch_error_set(ENOENT, "%s:%s: %s", probe->module, probe->function,
					binder->why);
	binder->left_out++;
	return 0;
}

/* Its arguments are named by its format, and recorded without being asked for. */
static int bind_ktrace(struct kcatch_programs *binder, uint32_t number,
		       const struct kcatch_probe *probe)
{
	struct kcatch_prepared prepared = { .info = binder->session->slots[number]->info };
	int ret;

	if (!binder->add->expression && !binder->add->request->count && !binder->session->pair)
		return 0;
	ret = kcatch_programs_prepare(binder, &prepared);
	if (!ret && prepared.left_out)
		ret = left_out_event(binder, probe);
	return ret ? ret : bind(binder, number, prepared.number);
}

/* The condition that it is this one, and its arguments: without types there are neither. */
static int bind_syscall(struct kcatch_programs *binder, uint32_t number,
			const struct kcatch_probe *probe,
			struct kcatch_type proto)
{
	struct kcatch_prepared prepared = { .proto = proto,
					    .syscall = binder->session->slots[number]->syscall };
	int ret;

	if (!proto.id)
		return kcatch_error_set(
			EOPNOTSUPP,
			"%s:%s needs the kernel's types (/sys/kernel/btf/vmlinux); without "
			"them there is raw_syscalls:sys_%s",
			probe->module, probe->function,
			prepared.syscall->is_exit ? "exit" : "enter");
	ret = kcatch_programs_plan_syscall(binder, &prepared);
	if (!ret)
		ret = kcatch_programs_prepare(binder, &prepared);
	if (!ret && prepared.left_out)
		ret = left_out_event(binder, probe);
	if (ret)
		return ret;
	binder->session->slots[number]->plan = prepared.plan;
	return bind(binder, number, prepared.number);
}

/* It has a program of its own: others of the same types have other fields. */
static int bind_fields(struct kcatch_programs *binder, uint32_t number,
		       const struct kcatch_probe *probe, struct kcatch_type proto,
		       const char *event)
{
	struct kcatch_probe_slot *slot = binder->session->slots[number];
	struct kcatch_prepared prepared = { .proto = proto, .event = event };
	int ret = kcatch_session_fields(binder->session, number, proto, &prepared.fields);

	if (!ret)
		ret = kcatch_programs_prepare(binder, &prepared);
	if (!ret && prepared.left_out)
		ret = left_out_event(binder, probe);
	if (ret)
		return ret;
	slot->plan = prepared.plan;
	return bind(binder, number, prepared.number);
}

/* The function by which the kernel calls a tracepoint's probes has its arguments, behind
 * one of its own. */
static int bind_tracepoint(struct kcatch_programs *binder, uint32_t number,
			   const struct kcatch_probe *probe)
{
	const struct kcatch_syscall_event *syscall = binder->session->slots[number]->syscall;
	struct kcatch_types *types = kcatch_programs_types(binder->session);
	struct kcatch_prepared *prepared;
	struct kcatch_type proto;
	struct kcatch_name name;
	char function[128], event[200];
	int ret;

	memset(&proto, 0, sizeof(proto));
	snprintf(function, sizeof(function), "__traceiter_%s",
		 !syscall ? probe->function : syscall->is_exit ? "sys_exit" : "sys_enter");
	if (kcatch_symbols_find(binder->session->symbols, probe->address, &name))
		name.module = NULL;
	if (types && kcatch_types_function(types, name.module, function, &proto))
		memset(&proto, 0, sizeof(proto));
	if (syscall)
		return bind_syscall(binder, number, probe, proto);
	snprintf(event, sizeof(event), "%s:%s", probe->module ? probe->module : "",
		 probe->function);
	if (kcatch_event_rows(event))
		return bind_fields(binder, number, probe, proto, event);
	ret = kcatch_programs_for(binder, proto, &prepared);
	if (!ret && prepared->left_out)
		ret = left_out_event(binder, probe);
	if (ret)
		return ret;
	binder->session->slots[number]->plan = prepared->plan;
	return bind(binder, number, prepared->number);
}

static int prepare_call(struct kcatch_programs *binder, const struct kcatch_probe *probe,
			struct kcatch_type proto, struct kcatch_prepared **prepared)
{
	int ret = 0;

	*prepared = NULL;
	if (proto.id && probe->function && !probe->module)
		ret = kcatch_programs_for_syscall(binder, probe->function, proto, prepared);
	return ret || *prepared ? ret : kcatch_programs_for(binder, proto, prepared);
}

static int bind_name(struct kcatch_programs *binder, uint32_t program, char *name)
{
	char **names = kcatch_array_grow(binder->names, binder->nr_names, sizeof(*names));

	if (!names || !name) {
		free(name);
		return kcatch_error_memory();
	}
	binder->names = names;
	names[binder->nr_names++] = name;
	return add_binding(binder, &(struct kcatch_binding){
		.probe = ~0U, .group = binder->add->group, .program = program,
		.name = (uintptr_t)name, .name_len = (uint32_t)strlen(name) });
}

/* At an instruction inside a function: the thread's cgroup and user stack, but no arguments. */
static bool has_inside(const struct kcatch_programs *binder)
{
	const struct kcatch_request *request = binder->add->request;

	return request->with_cgroup || (request->user_stack && !binder->add->under);
}

static int bind_inside(struct kcatch_programs *binder, uint32_t number)
{
	struct kcatch_prepared prepared = { .inside = true };
	int ret;

	if (!has_inside(binder))
		return 0;
	ret = kcatch_programs_prepare(binder, &prepared);
	if (ret)
		return ret;
	binder->session->slots[number]->plan = prepared.plan;
	return bind(binder, number, prepared.number);
}

/* The same before its module is there. */
static int bind_coming_inside(struct kcatch_programs *binder, const struct kcatch_target_spec *spec)
{
	struct kcatch_prepared prepared = { .inside = true };
	char *name;
	int ret;

	if (!has_inside(binder))
		return 0;
	ret = kcatch_programs_prepare(binder, &prepared);
	if (!ret)
		ret = kcatch_awaited_plan(&binder->session->armed.awaited, prepared.number,
					  prepared.plan);
	if (ret)
		return ret;
	if (asprintf(&name, "%s+0x%x", spec->name, spec->offset) < 0)
		return kcatch_error_memory();
	return bind_name(binder, prepared.number, name);
}

/* The others are armed without it, and who asked for it by name is told. */
static int leave_out(struct kcatch_programs *binder, const struct kcatch_probe_slot *slot,
		     const char *why)
{
	binder->left_out++;
	if (!binder->why[0])
		snprintf(binder->why, sizeof(binder->why), "%s", why);
	return slot->asked ? kcatch_session_note_left_out(binder->session, slot->asked, why) : 0;
}

static int bind_probe(struct kcatch_programs *binder, uint32_t number)
{
	struct kcatch_probe_slot *slot = binder->session->slots[number];
	const struct kcatch_request *request = binder->add->request;
	const struct kcatch_probe *probe;
	struct kcatch_prepared *prepared, made = { .plan = NULL };
	struct kcatch_type proto;
	uint32_t never;
	int ret = kcatch_session_probe(binder->session, number, &probe);

	if (ret)
		return ret;
	binder->function = probe->function;
	if (probe->mechanism == KCATCH_BY_TRACEPOINT)
		return bind_tracepoint(binder, number, probe);
	if (probe->mechanism == KCATCH_BY_EVENT)
		return bind_ktrace(binder, number, probe);
	if (is_root(binder, probe->address)) {
		ret = kcatch_programs_never(binder, &never);
		return ret ? ret : bind(binder, number, never);
	}
	if (probe->offset) {
		if (!binder->add->under && (binder->add->expression || request->errors))
			return kcatch_error_set(EINVAL,
						"%s+0x%x: a condition needs a function's entry, "
						"where its arguments are",
						SHOWN(probe->function ? probe->function : "?"),
						probe->offset);
		if (!request->count && !request->pair)
			return bind_inside(binder, number);
	}
	if (!kcatch_programs_needed(request))
		return 0;
	memset(&proto, 0, sizeof(proto));
	if (!probe->offset)
		kcatch_programs_proto(binder->session, probe, &proto);
	ret = prepare_call(binder, probe, proto, &prepared);
	if (ret)
		return ret;
	if (prepared->needs_return && !slot->returns && request->count &&
	    kcatch_count_entries(binder->session->count)) {
		made = (struct kcatch_prepared){ .proto = proto, .entry_only = true };
		prepared = &made;
		ret = kcatch_programs_prepare(binder, prepared);
		if (ret)
			return ret;
	}
	if (prepared->needs_return && !slot->returns) {
		ret = leave_out(binder, slot, "its return cannot be hooked: catch it without ret, "
				"latency or --errors");
		if (!ret)
			ret = kcatch_programs_never(binder, &never);
		return ret ? ret : bind(binder, number, never);
	}
	if (prepared->left_out)
		ret = leave_out(binder, slot, prepared->why);
	if (ret)
		return ret;
	slot->plan = prepared->plan;
	slot->late = prepared->late;
	return bind(binder, number, prepared->number);
}

/* ---- probes that are to come ---------------------------------------------------------- */

/* What is bound of one of the names. */
struct coming {
	struct kcatch_programs *binder;
	const struct kcatch_target_spec *spec;
	struct kcatch_namesakes namesakes;	/* where types may be of another one */
	size_t nr_bound;
	size_t nr_left_out;
};

/* Is it one of the functions that the tree is of? @function: one of @spec; NULL: all of it */
static bool is_coming_root(const struct kcatch_programs *binder,
			   const struct kcatch_target_spec *spec, const char *function)
{
	const struct kcatch_request *request = binder->add->request;
	struct kcatch_target_spec root;
	bool is = false;
	size_t i;

	for (i = 0; binder->add->under && !is && i < request->nr_functions; i++) {
		if (kcatch_target_parse(request->functions[i], &root))
			continue;
		is = !strcmp(root.name, spec->name) ||
		     (root.module && function &&
		      kcatch_target_matches(&root, function, spec->module));
		kcatch_target_deinit(&root);
	}
	return is;
}

static int bind_coming(struct coming *coming, char *name, struct kcatch_type proto,
		       const char *function)
{
	struct kcatch_programs *binder = coming->binder;
	bool is_root = is_coming_root(binder, coming->spec, function);
	struct kcatch_prepared *prepared;
	uint32_t never;
	int ret;

	if (is_root) {
		ret = kcatch_programs_never(binder, &never);
		if (!ret)
			return bind_name(binder, never, name);
	} else {
		ret = kcatch_programs_for(binder, proto, &prepared);
	}
	if (!ret && !is_root) {
		coming->nr_left_out += prepared->left_out;
		ret = kcatch_awaited_plan(&binder->session->armed.awaited, prepared->number,
					  prepared->plan);
	}
	if (!ret)
		return bind_name(binder, prepared->number, name);
	free(name);
	return ret;
}

static int note_function(const char *function, void *arg)
{
	struct coming *coming = arg;

	/* The file has no addresses yet: each is another one. */
	return kcatch_namesakes_add(&coming->namesakes, NULL, function, ++coming->namesakes.nr + 1);
}

/* A function that the module's file has. */
static int bind_function(const char *function, void *arg)
{
	struct coming *coming = arg;
	struct kcatch_types *types = kcatch_programs_types(coming->binder->session);
	struct kcatch_type proto;
	char *name;

	memset(&proto, 0, sizeof(proto));
	if (types && (kcatch_types_function(types, coming->spec->module, function, &proto) ||
		      kcatch_namesakes_have(&coming->namesakes, NULL, function)))
		memset(&proto, 0, sizeof(proto));
	if (asprintf(&name, "%s:%s", coming->spec->module, function) < 0)
		return kcatch_error_memory();
	coming->nr_bound++;
	return bind_coming(coming, name, proto, function);
}

static int bind_functions(struct kcatch_programs *binder, const struct kcatch_target_spec *spec,
			  struct coming *coming)
{
	struct kcatch_types *types = kcatch_programs_types(binder->session);
	struct kcatch_target_spec each = *spec;
	int ret = 0;

	each.is_pattern = true;	/* all of that name, not one of them with its other names */
	if (types && kcatch_types_unsure(types, spec->module))
		ret = kcatch_awaited_functions(&each, note_function, coming);
	if (!ret)
		ret = kcatch_awaited_functions(spec, bind_function, coming);
	kcatch_namesakes_deinit(&coming->namesakes);
	return ret;
}

static int bind_spec(struct kcatch_programs *binder, const struct kcatch_target_spec *spec)
{
	struct coming coming = { .binder = binder, .spec = spec };
	const struct kcatch_request *request = binder->add->request;
	struct kcatch_type none;
	int ret;

	memset(&none, 0, sizeof(none));
	if (spec->offset)
		return !binder->add->under && (binder->add->expression || request->errors) ?
			       kcatch_error_set(EINVAL,
						"%s+0x%x: a condition needs a function's entry, "
						"where its arguments are",
						SHOWN(spec->name), spec->offset) :
			       bind_coming_inside(binder, spec);
	ret = bind_functions(binder, spec, &coming);
	if (!ret && coming.nr_bound && coming.nr_left_out == coming.nr_bound)
		return kcatch_error_set(ENOENT, "%s: %s", SHOWN(spec->name), binder->why);
	/* What the file does not tell. Its functions have programs by their names. */
	if (!ret && (spec->is_pattern || !coming.nr_bound)) {
		coming.nr_left_out = 0;
		ret = bind_coming(&coming, strdup(spec->name), none,
				  spec->is_pattern ? NULL : spec->symbol);
	}
	if (!ret && !coming.nr_bound && coming.nr_left_out)
		return kcatch_error_set(ENOENT, "%s: the types of its module are not known before it is "
					"loaded: %s", SHOWN(spec->name), binder->why);
	return ret;
}

static int bind_never(struct kcatch_programs *binder)
{
	uint32_t never;
	size_t i;
	int ret = kcatch_programs_never(binder, &never);

	for (i = 0; i < binder->add->nr_pending && !ret; i++)
		ret = bind_name(binder, never, strdup(binder->add->pending[i]));
	return ret;
}

static int bind_pending(struct kcatch_programs *binder)
{
	const struct kcatch_programs_add *add = binder->add;
	size_t i;
	int ret = 0;

	/* Of events nothing is known yet: under a condition none of them is recorded. */
	if (add->nr_pending && (add->expression || add->request->count))
		ret = bind_never(binder);
	for (i = 0; !ret && i < add->nr_specs; i++)
		if (add->specs[i].module)
			ret = bind_spec(binder, &add->specs[i]);
	return ret;
}

static int send_bindings(struct kcatch_programs *binder)
{
	struct kcatch_bind call = { .nr = binder->nr_bindings,
				    .bindings = (uintptr_t)binder->bindings };
	int ret;

	if (!call.nr)
		return 0;
	ret = kcatch_session_ioctl(binder->session, KCATCH_IOC_BIND, &call);
	return ret ? kcatch_error_system(ret,
					 "tell the kcatch module what to fetch for each function") :
		     0;
}

/* ---- binding ----------------------------------------------------------------------------- */

/* For kcatch_session_arming(). */
static void note_progress(struct kcatch_session *session, size_t ready, size_t found)
{
	__atomic_store_n(&session->armed.ready, ready, __ATOMIC_RELAXED);
	__atomic_store_n(&session->armed.found, found, __ATOMIC_RELAXED);
}

static int bind_all(struct kcatch_programs *binder)
{
	const struct kcatch_programs_add *add = binder->add;
	uint32_t i;
	int ret = note_roots(binder);

	if (!ret)
		ret = kcatch_session_learn_names(binder->session, add->first, add->nr);
	for (i = 0; !ret && i < add->nr; i++) {
		note_progress(binder->session, i, add->nr);
		ret = bind_probe(binder, add->first + i);
	}
	if (!ret)
		ret = bind_pending(binder);
	/* Events that are to come are never recorded under a condition: see bind_pending(). */
	if (!ret && binder->left_out && binder->left_out == add->nr &&
	    !(add->request->nr_functions && add->request->nr_events) &&
	    (add->events ? add->all_events : !binder->nr_names)) {
		ret = kcatch_error_set(ENOENT, "%s%s%s", add->nr == 1 && !add->events ?
				       binder->function ? binder->function : "it" : "",
				       add->nr == 1 && !add->events ? ": " : "", binder->why);
		if (add->nr > 1)
			kcatch_error_append("\n  (the same holds for all %u %s that match)",
					    add->nr, add->events ? "events" : "functions");
	}
	return ret ? ret : send_bindings(binder);
}

int kcatch_programs_bind(struct kcatch_session *session, const struct kcatch_programs_add *add)
{
	struct kcatch_programs own = { .session = session, .add = add };
	struct kcatch_programs *binder = add->ahead ? add->ahead : &own;
	int ret;

	if (!add->under && !add->events && !kcatch_programs_needed(add->request))
		return 0;
	session->armed.which_later = true;
	ret = bind_all(binder);
	note_progress(session, 0, 0);
	session->armed.which_later = false;
	session->armed.left_out += binder->left_out;
	kcatch_programs_deinit(&own);
	return ret;
}
