/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * programs.c - makes the programs that tell probes what to fetch and when to record
 *
 * A function's types determine what is fetched and what a condition means. Thousands of
 * functions share a few types, so plans are cached by type.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/filter.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "base/array.h"
#include "base/printable.h"
#include "condition/condition.h"
#include "condition/expression.h"
#include "fetch/syscall_event.h"
#include "session/awaited.h"
#include "session/counts.h"
#include "session/programs.h"
#include "session/handle.h"
#include "session/late_plan.h"
#include "session/program_load.h"

/* What was made for one type of functions. */
struct prepared {
	struct kcatch_type proto;	/* the key in the table of types */
	const struct kcatch_plan *plan;
	struct kcatch_late_plan *late;	/* in place of @plan */
	const struct kcatch_event_info *info;	/* of a DO_TRACE event: there is no other */
	const struct kcatch_syscall_event *syscall;	/* of a system call or its function */
	uint32_t number;
	bool left_out;			/* the condition does not apply */
	bool needs_return;		/* it looks at the return */
	bool entry_only;		/* a count: what needs the return is 0 */
};

struct kcatch_programs {
	struct kcatch_session *session;
	const struct kcatch_programs_add *add;
	struct kcatch_table types;	/* struct kcatch_type: struct prepared * */
	struct kcatch_table calls;	/* name of a system call's function: the same */
	struct kcatch_table classes;	/* struct kcatch_plan_class: the first of them */
	struct kcatch_arena keys;	/* of @classes */
	struct kcatch_plan_types *known;	/* NULL: there are no classes yet */
	struct kcatch_plan_options *options;	/* of late plans; NULL: there are none yet */
	struct prepared **all;
	size_t nr_all;
	struct kcatch_loaded_programs loaded;
	struct kcatch_table roots;	/* addresses, of an ADD under them */
	uint32_t never;			/* number of the program that records nothing */
	struct kcatch_plan *bare, *raw;	/* of this request; NULL: not made yet */
	struct kcatch_binding *bindings;
	uint32_t nr_bindings;
	char **names;			/* of the bindings by name */
	size_t nr_names;
	uint32_t left_out;
	char why[2048];			/* of the first that was left out */
};

bool kcatch_programs_needed(const struct kcatch_request *request)
{
	return request->arguments || request->condition || request->errors ||
	       request->user_stack || request->count || request->with_cgroup;
}

int kcatch_programs_keep(struct kcatch_session *session, struct kcatch_plan *plan)
{
	struct kcatch_plan **plans = kcatch_array_grow(session->plans, session->nr_plans,
						       sizeof(*plans));

	if (!plans) {
		kcatch_plan_destroy(plan);
		return kcatch_error_memory();
	}
	session->plans = plans;
	plans[session->nr_plans++] = plan;
	return 0;
}

struct kcatch_types *kcatch_programs_types(struct kcatch_session *session)
{
	/* Without types there are registers, and few conditions: no error by itself. */
	if (!session->types_tried && kcatch_types_open(&session->types))
		session->types = NULL;
	session->types_tried = true;
	return session->types;
}

/* ---- loading ------------------------------------------------------------------- */

static int load_never(struct kcatch_programs *binder, uint32_t *number)
{
	static const struct sock_filter no[] = { { .code = BPF_RET | BPF_K } };
	struct kcatch_program_image image = { .program.flags = KCATCH_PROGRAM_ENTRY_ONLY };
	int ret = 0;

	kcatch_program_image_add(&image, KCATCH_LIST_ENTRY_CONDITION, no, 1, sizeof(no[0]));
	if (!binder->never)
		ret = kcatch_program_load(binder->session, &binder->loaded, &image, &binder->never);
	*number = binder->never;
	return ret;
}

static void add_condition(struct kcatch_program_image *image,
			  const struct kcatch_condition_code *code)
{
	kcatch_program_image_add(image, KCATCH_LIST_FIELDS, code->fields, code->nr_fields,
				 sizeof(*code->fields));
	kcatch_program_image_add(image, KCATCH_LIST_ENTRY_CONDITION, code->entry, code->nr_entry,
				 sizeof(*code->entry));
	kcatch_program_image_add(image, KCATCH_LIST_RETURN_CONDITION, code->at_return,
				 code->nr_return, sizeof(*code->at_return));
}

static int load_prepared(struct kcatch_programs *binder, struct prepared *prepared,
			 const struct kcatch_condition_code *code)
{
	const struct kcatch_programs_add *add = binder->add;
	const struct kcatch_step *steps;
	struct kcatch_program_image image = { 0 };
	uint32_t nr;

	if (prepared->plan) {
		steps = kcatch_plan_entry(prepared->plan, &nr);
		kcatch_program_image_add(&image, KCATCH_LIST_ENTRY, steps, nr, sizeof(*steps));
		steps = kcatch_plan_return(prepared->plan, &nr);
		if (add->returns)
			kcatch_program_image_add(&image, KCATCH_LIST_RETURN, steps, nr,
						 sizeof(*steps));
	}
	add_condition(&image, code);
	if (!add->under && !add->events)
		image.program.user_stack = add->request->user_stack;
	if (add->nr_specs)
		image.owner = prepared->plan;
	return kcatch_program_load(binder->session, &binder->loaded, &image, &prepared->number);
}

/* ---- one type of functions -------------------------------------------------------- */

static struct kcatch_plan_options plan_options(const struct kcatch_programs *binder)
{
	const struct kcatch_request *request = binder->add->request;

	return (struct kcatch_plan_options){
		.string_size = request->string_size, .struct_size = request->struct_size,
		.deep = request->deep, .returns = binder->add->returns,
		.tracepoint = binder->add->events, .cgroup = request->with_cgroup,
	};
}

/* A plan that does not depend on types, made once. */
static int plan_without_types(struct kcatch_programs *binder, struct kcatch_plan **made,
			      int (*create)(bool cgroup, struct kcatch_plan **plan),
			      const struct kcatch_plan **plan)
{
	int ret = 0;

	if (!*made) {
		ret = create(binder->add->request->with_cgroup, made);
		if (!ret)
			ret = kcatch_programs_keep(binder->session, *made);
		if (ret)
			*made = NULL;
	}
	*plan = *made;
	return ret;
}

static int raw_plan(struct kcatch_programs *binder, const struct kcatch_plan **plan)
{
	return plan_without_types(binder, &binder->raw, kcatch_plan_create_raw, plan);
}

static int make_plan(struct kcatch_programs *binder, struct prepared *prepared)
{
	const struct kcatch_plan_options options = plan_options(binder);
	const struct kcatch_request *request = binder->add->request;
	struct kcatch_plan *plan;
	int ret;

	if (prepared->info || request->count)
		return 0;
	/* An event is nothing without its arguments. */
	if (!request->arguments && !binder->add->events)
		return request->with_cgroup ? plan_without_types(binder, &binder->bare,
								 kcatch_plan_create_bare,
								 &prepared->plan) : 0;
	if (prepared->syscall)
		return 0;
	if (!prepared->proto.id)
		return raw_plan(binder, &prepared->plan);
	ret = kcatch_plan_create(binder->session->types, prepared->proto, &options, &plan);
	if (ret == -ENOMEM)
		return ret;
	if (ret)
		return raw_plan(binder, &prepared->plan);
	prepared->plan = plan;
	return kcatch_programs_keep(binder->session, plan);
}

static int compile(struct kcatch_programs *binder, const struct prepared *prepared,
		   struct kcatch_condition_code *code)
{
	const struct kcatch_request *request = binder->add->request;
	unsigned int fails = 0;

	memset(code, 0, sizeof(*code));
	if (prepared->syscall && !prepared->syscall->is_function)
		return kcatch_condition_compile_syscall(binder->add->expression,
							binder->session->types, prepared->proto,
							prepared->syscall, prepared->plan, code);
	if (binder->add->events)
		return binder->add->expression ?
			       kcatch_condition_compile_event(
				       binder->add->expression, binder->session->types,
				       prepared->proto, prepared->info, code) :
			       0;
	if (request->errors)
		fails = KCATCH_FAILS_ERRNO | (request->false_fails ? KCATCH_FAILS_FALSE : 0);
	if (binder->add->under || (!binder->add->expression && !fails))
		return 0;
	if (prepared->syscall)
		return kcatch_condition_compile_call(binder->add->expression,
						     binder->session->types, prepared->proto,
						     prepared->syscall, prepared->plan,
						     binder->add->returns, fails, code);
	return kcatch_condition_compile(binder->add->expression, binder->session->types,
					prepared->proto, binder->add->returns, fails, code);
}

/* Counts at the return need a condition on it, if only one that always holds. */
static int load_count(struct kcatch_programs *binder, struct prepared *prepared,
		      const struct kcatch_count_wants *wants,
		      const struct kcatch_condition_code *code)
{
	static const struct sock_filter yes[] = { { .code = BPF_RET | BPF_K, .k = 1 } };
	bool at_return = !binder->add->events && !prepared->entry_only &&
			 kcatch_count_at_return(binder->session->count);
	bool always = at_return && !code->nr_return;
	struct kcatch_program_image image = { .program.flags = at_return || code->nr_return ?
						0 : KCATCH_PROGRAM_ENTRY_ONLY };
	int ret;

	add_condition(&image, code);
	if (always)
		kcatch_program_image_add(&image, KCATCH_LIST_RETURN_CONDITION, yes, 1,
					 sizeof(yes[0]));
	prepared->needs_return = at_return || code->nr_return;
	ret = kcatch_program_load_new(binder->session, &image);
	if (ret)
		return ret;
	prepared->number = image.program.number;
	return kcatch_count_program(binder->session, prepared->number, wants, always);
}

static int compile_count(struct kcatch_programs *binder, const struct prepared *prepared,
			 struct kcatch_count_wants *wants, struct kcatch_condition_code *code)
{
	const struct kcatch_request *request = binder->add->request;
	const struct kcatch_count_source source = {
		.expression = binder->add->expression, .types = binder->session->types,
		.proto = prepared->proto, .returns = binder->add->returns,
		.entry_only = prepared->entry_only || (binder->add->events &&
			      kcatch_count_entries(binder->session->count)),
		.event = binder->add->events, .info = prepared->info,
		.syscall = prepared->syscall, .plan = prepared->plan,
		.fails = !request->errors ? 0 :
			 KCATCH_FAILS_ERRNO | (request->false_fails ? KCATCH_FAILS_FALSE : 0),
	};

	kcatch_count_wants(binder->session->count, wants);
	return kcatch_condition_compile_count(&source, wants, code);
}

/* Its condition or keys did not compile: if they do not apply to it, it is left out. */
static int prepare_without(struct kcatch_programs *binder, struct prepared *prepared, int ret)
{
	if (ret != -ENOENT && ret != -EOPNOTSUPP)
		return ret;
	prepared->left_out = true;
	if (!binder->why[0])
		snprintf(binder->why, sizeof(binder->why), "%s", kcatch_error_text());
	return load_never(binder, &prepared->number);
}

static int prepare_count(struct kcatch_programs *binder, struct prepared *prepared)
{
	struct kcatch_condition_code code;
	struct kcatch_count_wants wants;
	int ret = compile_count(binder, prepared, &wants, &code);

	if (ret)
		return prepare_without(binder, prepared, ret);
	ret = load_count(binder, prepared, &wants, &code);
	kcatch_count_wants_deinit(&wants);
	kcatch_condition_code_deinit(&code);
	return ret;
}

static int prepare(struct kcatch_programs *binder, struct prepared *prepared)
{
	struct kcatch_condition_code code;
	int ret;

	if (binder->add->request->count)
		return prepare_count(binder, prepared);
	ret = compile(binder, prepared, &code);
	if (ret)
		return prepare_without(binder, prepared, ret);
	prepared->needs_return = code.nr_return;
	/* Only its names were needed. */
	if (prepared->syscall && prepared->syscall->is_function &&
	    !binder->add->request->arguments)
		prepared->plan = NULL;
	ret = make_plan(binder, prepared);
	if (!ret)
		ret = load_prepared(binder, prepared, &code);
	kcatch_condition_code_deinit(&code);
	return ret;
}

/* Is a program made of a function's types alone, and the plan needed to read its records only? */
static bool has_classes(const struct kcatch_programs *binder)
{
	const struct kcatch_programs_add *add = binder->add;
	const struct kcatch_request *request = add->request;

	return request->arguments && !request->count && !request->with_cgroup && !add->events &&
	       !add->nr_specs && (add->under || (!add->expression && !request->errors));
}

static int add_class(struct kcatch_programs *binder, const struct kcatch_plan_class *class,
		     struct prepared *prepared)
{
	uint64_t *key = kcatch_arena_take(&binder->keys, class->size);

	if (!key)
		return kcatch_error_memory();
	memcpy(key, class->words, class->size);
	return kcatch_table_add(&binder->classes, (const char *)key, class->size,
				(size_t)prepared) < 0 ? kcatch_error_memory() : 0;
}

/* The program of another function is its own, and its plan is made when it is hit. */
static int prepare_late(struct kcatch_programs *binder, struct prepared *prepared,
			const struct prepared *like)
{
	struct kcatch_arena *memory = &binder->session->late_plans;

	if (!binder->options) {
		binder->options = kcatch_arena_take(memory, sizeof(*binder->options));
		if (!binder->options)
			return kcatch_error_memory();
		*binder->options = plan_options(binder);
	}
	prepared->late = kcatch_arena_take(memory, sizeof(*prepared->late));
	if (!prepared->late)
		return kcatch_error_memory();
	*prepared->late = (struct kcatch_late_plan){ .proto = prepared->proto,
						     .options = binder->options,
						     .like = like->plan };
	prepared->number = like->number;
	return 0;
}

static int prepare_by_class(struct kcatch_programs *binder, struct prepared *prepared)
{
	const struct kcatch_plan_options options = plan_options(binder);
	struct kcatch_plan_class class;
	size_t *found;
	int ret;

	if (!has_classes(binder) || !prepared->proto.id)
		return prepare(binder, prepared);
	if (!binder->known)
		binder->known = calloc(1, sizeof(*binder->known));
	if (!binder->known)
		return kcatch_error_memory();
	if (!kcatch_plan_classify(binder->known, prepared->proto, &options, &class))
		return prepare(binder, prepared);
	found = kcatch_table_find(&binder->classes, (const char *)class.words, class.size);
	if (found)
		return prepare_late(binder, prepared, (const struct prepared *)*found);
	ret = prepare(binder, prepared);
	return ret ? ret : add_class(binder, &class, prepared);
}

static int new_prepared(struct kcatch_programs *binder, struct kcatch_type proto,
			struct prepared **out)
{
	struct prepared *prepared = calloc(1, sizeof(*prepared)), **all;

	all = prepared ? kcatch_array_grow(binder->all, binder->nr_all, sizeof(*all)) : NULL;
	if (!all) {
		free(prepared);
		return kcatch_error_memory();
	}
	binder->all = all;
	all[binder->nr_all++] = prepared;
	memcpy(&prepared->proto, &proto, sizeof(proto));
	*out = prepared;
	return 0;
}

static int prepared_for(struct kcatch_programs *binder, struct kcatch_type proto,
			struct prepared **out)
{
	struct prepared *prepared;
	size_t *found;
	int ret;

	found = kcatch_table_find(&binder->types, (const char *)&proto, sizeof(proto));
	if (found) {
		*out = (struct prepared *)*found;
		return 0;
	}
	ret = new_prepared(binder, proto, &prepared);
	if (ret)
		return ret;
	ret = prepare_by_class(binder, prepared);
	if (!ret && kcatch_table_add(&binder->types, (const char *)&prepared->proto, sizeof(proto),
				     (size_t)prepared) < 0)
		ret = kcatch_error_memory();
	*out = prepared;
	return ret;
}

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

/* Roots may be hundreds, and the functions under them tens of thousands. */
static int note_roots(struct kcatch_programs *binder)
{
	const struct kcatch_programs_add *add = binder->add;
	uint32_t i;

	for (i = 0; add->under && i < add->nr_roots; i++) {
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

static void find_proto(struct kcatch_programs *binder, const struct kcatch_probe *probe,
		       struct kcatch_type *proto)
{
	struct kcatch_types *types = kcatch_programs_types(binder->session);
	struct kcatch_name name;

	memset(proto, 0, sizeof(*proto));	/* it is a key: no byte of it is left to chance */
	if (!types || !probe->function ||
	    !kcatch_types_function(types, probe->module, probe->function, proto))
		return;
	/* Asked for by another of its names: the kernel's own may have types. */
	if (kcatch_symbols_find(binder->session->symbols, probe->address, &name) || !name.symbol ||
	    name.offset || !strcmp(name.symbol, probe->function) ||
	    kcatch_types_function(types, name.module, name.symbol, proto))
		memset(proto, 0, sizeof(*proto));
}

static int left_out_event(struct kcatch_programs *binder, const struct kcatch_probe *probe, bool asked)
{
	if (asked)
		return kcatch_error_set(ENOENT, "%s:%s: %s", probe->module, probe->function,
					binder->why);
	binder->left_out++;
	return 0;
}

/* Its arguments are named by its format, and recorded without being asked for. */
static int bind_ktrace(struct kcatch_programs *binder, uint32_t number, const struct kcatch_probe *probe)
{
	struct prepared prepared = { .info = binder->session->slots[number]->info };
	int ret;

	if (!binder->add->expression && !binder->add->request->count)
		return 0;
	ret = prepare(binder, &prepared);
	if (!ret && prepared.left_out)
		ret = left_out_event(binder, probe, binder->add->nr_events == 1);
	return ret ? ret : bind(binder, number, prepared.number);
}

/* The condition that it is this one, and its arguments: without types there are neither. */
static int bind_syscall(struct kcatch_programs *binder, uint32_t number, const struct kcatch_probe *probe,
			struct kcatch_type proto)
{
	const struct kcatch_plan_options options = plan_options(binder);
	struct prepared prepared = { .proto = proto,
				     .syscall = binder->session->slots[number]->syscall };
	struct kcatch_plan *plan;
	int ret;

	if (!proto.id)
		return kcatch_error_set(
			EOPNOTSUPP,
			"%s:%s needs the kernel's types (/sys/kernel/btf/vmlinux); without "
			"them there is raw_syscalls:sys_%s",
			probe->module, probe->function,
			prepared.syscall->is_exit ? "exit" : "enter");
	ret = kcatch_plan_create_syscall(binder->session->types, proto, prepared.syscall, &options,
					 &plan);
	if (!ret)
		ret = kcatch_programs_keep(binder->session, plan);
	if (ret)
		return ret;
	prepared.plan = plan;
	ret = prepare(binder, &prepared);
	if (!ret && prepared.left_out)
		ret = left_out_event(binder, probe, binder->add->nr_events == 1);
	if (ret)
		return ret;
	binder->session->slots[number]->plan = plan;
	return bind(binder, number, prepared.number);
}

/* The function by which the kernel calls a tracepoint's probes has its arguments, behind
 * one of its own. */
static int bind_tracepoint(struct kcatch_programs *binder, uint32_t number, const struct kcatch_probe *probe)
{
	const struct kcatch_syscall_event *syscall = binder->session->slots[number]->syscall;
	struct kcatch_types *types = kcatch_programs_types(binder->session);
	struct prepared *prepared;
	struct kcatch_type proto;
	struct kcatch_name name;
	char function[128];
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
	ret = prepared_for(binder, proto, &prepared);
	if (!ret && prepared->left_out)
		ret = left_out_event(binder, probe, binder->add->nr_events == 1);
	if (ret)
		return ret;
	binder->session->slots[number]->plan = prepared->plan;
	return bind(binder, number, prepared->number);
}

/* All functions of system calls are called alike. BTF may lack those that use no argument. */
static void borrow_proto(struct kcatch_types *types, const char *function,
			 struct kcatch_type *proto)
{
	static const char *const others[] = { "__x64_sys_read", "__x64_sys_openat",
					      "__x64_sys_close" };
	size_t i;

	if (!types || strncmp(function, "__x64_sys_", strlen("__x64_sys_")) != 0)
		return;
	for (i = 0; i < sizeof(others) / sizeof(others[0]) && !proto->id; i++)
		if (kcatch_types_function(types, NULL, others[i], proto))
			memset(proto, 0, sizeof(*proto));
}

/* The function of a system call, which has its own arguments although it is of the same type as
 * the others. *@prepared is NULL if it is none. */
static int prepare_syscall(struct kcatch_programs *binder, const char *function,
			   struct kcatch_type proto, struct prepared **prepared)
{
	const struct kcatch_plan_options options = plan_options(binder);
	size_t *found = kcatch_table_find(&binder->calls, function, strlen(function));
	struct kcatch_syscall_event *call;
	struct kcatch_plan *plan;
	int ret;

	*prepared = found ? (struct prepared *)*found : NULL;
	if (found)
		return 0;
	ret = kcatch_syscall_of_function(binder->session->types, function, &call);
	if (ret || !call)
		return ret;
	ret = kcatch_plan_create_syscall(binder->session->types, proto, call, &options, &plan);
	if (!ret)
		ret = kcatch_programs_keep(binder->session, plan);
	if (!ret)
		ret = new_prepared(binder, proto, prepared);
	if (!ret) {
		(*prepared)->plan = plan;
		(*prepared)->syscall = call;
		ret = prepare(binder, *prepared);
		(*prepared)->syscall = NULL;
	}
	free(call);
	return ret;
}

static int prepare_call(struct kcatch_programs *binder, const struct kcatch_probe *probe,
			struct kcatch_type proto, struct prepared **prepared)
{
	int ret = 0;

	*prepared = NULL;
	if (!proto.id && probe->function && !probe->module)
		borrow_proto(kcatch_programs_types(binder->session), probe->function, &proto);
	if (proto.id && probe->function && !probe->module)
		ret = prepare_syscall(binder, probe->function, proto, prepared);
	return ret || *prepared ? ret : prepared_for(binder, proto, prepared);
}

static int bind_probe(struct kcatch_programs *binder, uint32_t number)
{
	struct kcatch_probe_slot *slot = binder->session->slots[number];
	const struct kcatch_request *request = binder->add->request;
	const struct kcatch_probe *probe;
	struct prepared *prepared, made = { .plan = NULL };
	struct kcatch_type proto;
	uint32_t never;
	int ret = kcatch_session_probe(binder->session, number, &probe);

	if (ret)
		return ret;
	if (probe->mechanism == KCATCH_BY_TRACEPOINT)
		return bind_tracepoint(binder, number, probe);
	if (probe->mechanism == KCATCH_BY_EVENT)
		return bind_ktrace(binder, number, probe);
	if (is_root(binder, probe->address)) {
		ret = load_never(binder, &never);
		return ret ? ret : bind(binder, number, never);
	}
	if (probe->offset) {
		if (!binder->add->under && (binder->add->expression || request->errors))
			return kcatch_error_set(EINVAL,
						"%s+0x%x: a condition needs a function's entry, "
						"where its arguments are",
						SHOWN(probe->function ? probe->function : "?"),
						probe->offset);
		if (!request->count)
			return 0;
	}
	if (!kcatch_programs_needed(request))
		return 0;
	memset(&proto, 0, sizeof(proto));
	if (!probe->offset)
		find_proto(binder, probe, &proto);
	ret = prepare_call(binder, probe, proto, &prepared);
	if (ret)
		return ret;
	if (prepared->left_out && slot->asked)
		return kcatch_error_set(ENOENT, "%s: %s", slot->asked, binder->why);
	if (prepared->needs_return && !slot->returns && request->count &&
	    kcatch_count_entries(binder->session->count)) {
		made = (struct prepared){ .proto = proto, .entry_only = true };
		prepared = &made;
		ret = prepare(binder, prepared);
		if (ret)
			return ret;
	}
	if (prepared->needs_return && !slot->returns) {
		if (slot->asked)
			return kcatch_error_set(EOPNOTSUPP,
						"%s: its return cannot be hooked: catch it without "
						"ret, latency or --errors",
						slot->asked);
		binder->left_out++;
		ret = load_never(binder, &never);
		return ret ? ret : bind(binder, number, never);
	}
	if (prepared->left_out)
		binder->left_out++;
	slot->plan = prepared->plan;
	slot->late = prepared->late;
	return bind(binder, number, prepared->number);
}

/* ---- probes that are to come ---------------------------------------------------------- */

/* What is bound of one of the names. */
struct coming {
	struct kcatch_programs *binder;
	const struct kcatch_target_spec *spec;
	bool is_root;
	size_t nr_bound;
	size_t nr_left_out;
};

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

static int bind_coming(struct coming *coming, char *name, struct kcatch_type proto)
{
	struct kcatch_programs *binder = coming->binder;
	struct prepared *prepared;
	uint32_t never;
	int ret;

	if (coming->is_root) {
		ret = load_never(binder, &never);
		if (!ret)
			return bind_name(binder, never, name);
	} else {
		ret = prepared_for(binder, proto, &prepared);
	}
	if (!ret && !coming->is_root) {
		coming->nr_left_out += prepared->left_out;
		ret = kcatch_awaited_plan(&binder->session->awaited, prepared->number,
					  prepared->plan);
	}
	if (!ret)
		return bind_name(binder, prepared->number, name);
	free(name);
	return ret;
}

/* A function that the module's file has. */
static int bind_function(const char *function, void *arg)
{
	struct coming *coming = arg;
	struct kcatch_types *types = kcatch_programs_types(coming->binder->session);
	struct kcatch_type proto;
	char *name;

	memset(&proto, 0, sizeof(proto));
	if (types && kcatch_types_function(types, coming->spec->module, function, &proto))
		memset(&proto, 0, sizeof(proto));
	if (asprintf(&name, "%s:%s", coming->spec->module, function) < 0)
		return kcatch_error_memory();
	coming->nr_bound++;
	return bind_coming(coming, name, proto);
}

/* Is it one of the functions that the tree is of? */
static bool is_root_name(const struct kcatch_programs *binder, const struct kcatch_target_spec *spec)
{
	const struct kcatch_request *request = binder->add->request;
	struct kcatch_target_spec root;
	bool is = false;
	size_t i;

	for (i = 0; binder->add->under && !is && i < request->nr_functions; i++) {
		if (kcatch_target_parse(request->functions[i], &root))
			continue;
		is = !strcmp(root.name, spec->name);
		kcatch_target_deinit(&root);
	}
	return is;
}

static int bind_spec(struct kcatch_programs *binder, const struct kcatch_target_spec *spec)
{
	struct coming coming = { .binder = binder,
				 .spec = spec,
				 .is_root = is_root_name(binder, spec) };
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
			       0;
	ret = kcatch_awaited_functions(spec, bind_function, &coming);
	if (!ret && coming.nr_bound && coming.nr_left_out == coming.nr_bound)
		return kcatch_error_set(ENOENT, "%s: %s", SHOWN(spec->name), binder->why);
	/* What the file does not tell. Its functions have programs by their names. */
	if (!ret && (spec->is_pattern || !coming.nr_bound)) {
		coming.nr_left_out = 0;
		ret = bind_coming(&coming, strdup(spec->name), none);
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
	int ret = load_never(binder, &never);

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

static void binder_deinit(struct kcatch_programs *binder)
{
	size_t i;

	for (i = 0; i < binder->nr_all; i++)
		free(binder->all[i]);
	free(binder->all);
	kcatch_table_deinit(&binder->types);
	kcatch_table_deinit(&binder->calls);
	kcatch_table_deinit(&binder->classes);
	kcatch_arena_deinit(&binder->keys);
	free(binder->known);
	kcatch_loaded_programs_deinit(&binder->loaded);
	kcatch_table_deinit(&binder->roots);
	free(binder->bindings);
	for (i = 0; i < binder->nr_names; i++)
		free(binder->names[i]);
	free(binder->names);
}

/* ---- what is made ahead ----------------------------------------------------------------- */

static int make_ahead(struct kcatch_programs *binder)
{
	struct kcatch_types *types = binder->session->types;
	struct prepared *prepared;
	struct kcatch_type proto;
	const char *name;
	uint32_t at = 0;
	int ret = 0;

	memset(&proto, 0, sizeof(proto));
	while (!ret && kcatch_types_next_function(types, &at, &name, &proto)) {
		ret = prepare_syscall(binder, name, proto, &prepared);
		if (!ret && !prepared)
			ret = prepared_for(binder, proto, &prepared);
		else if (!ret && kcatch_table_add(&binder->calls, name, strlen(name),
						  (size_t)prepared) < 0)
			ret = kcatch_error_memory();
	}
	return ret;
}

int kcatch_programs_expect(struct kcatch_session *session, struct kcatch_programs_add *add,
			   bool all)
{
	struct kcatch_programs *binder;

	if ((!add->under && !kcatch_programs_needed(add->request)) ||
	    !kcatch_programs_types(session))
		return 0;
	kcatch_types_expect_many(session->types);
	if (!all)
		return 0;
	binder = calloc(1, sizeof(*binder));
	if (!binder)
		return kcatch_error_memory();
	binder->session = session;
	binder->add = add;
	add->ahead = binder;
	return has_classes(binder) ? make_ahead(binder) : 0;
}

void kcatch_programs_forget(struct kcatch_programs_add *add)
{
	if (add->ahead)
		binder_deinit(add->ahead);
	free(add->ahead);
	add->ahead = NULL;
}

/* ---- binding ----------------------------------------------------------------------------- */

static int bind_all(struct kcatch_programs *binder)
{
	const struct kcatch_programs_add *add = binder->add;
	uint32_t i;
	int ret = note_roots(binder);

	if (!ret)
		ret = kcatch_session_learn_names(binder->session, add->first, add->nr);
	for (i = 0; !ret && i < add->nr; i++)
		ret = bind_probe(binder, add->first + i);
	if (!ret)
		ret = bind_pending(binder);
	if (!ret && binder->left_out && binder->left_out == add->nr && !binder->nr_names &&
	    (!add->events || add->nr == add->nr_events)) {
		ret = kcatch_error_set(ENOENT, "%s", binder->why);
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
	ret = bind_all(binder);
	session->left_out += binder->left_out;
	binder_deinit(&own);
	return ret;
}
