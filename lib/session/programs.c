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
#include <linux/btf.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "base/array.h"
#include "base/printable.h"
#include "condition/condition.h"
#include "condition/event_fields.h"
#include "condition/expression.h"
#include "fetch/syscall_event.h"
#include "session/counts.h"
#include "session/handle.h"
#include "session/late_plan.h"
#include "session/pairs.h"
#include "session/session_notes.h"
#include "session/program_load.h"
#include "session/programs.h"
#include "session/programs_data.h"

#define EVENT_REGISTERS 6	/* arguments of an event that a gate can look at */

bool kcatch_programs_needed(const struct kcatch_request *request)
{
	return request->arguments || request->condition || request->errors || request->user_stack ||
	       request->count || request->pair || request->with_cgroup || request->nr_with;
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

int kcatch_programs_never(struct kcatch_programs *binder, uint32_t *number)
{
	static const struct kcatch_op no[] = { { .op = KCATCH_OP_GO, .yes = KCATCH_EXIT_NO } };
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
	kcatch_program_image_fields(image, code->fields, code->nr_fields, code->hops,
				    code->nr_hops);
	kcatch_program_image_add(image, KCATCH_LIST_ENTRY_CONDITION, code->entry, code->nr_entry,
				 sizeof(*code->entry));
	kcatch_program_image_add(image, KCATCH_LIST_RETURN_CONDITION, code->at_return,
				 code->nr_return, sizeof(*code->at_return));
	kcatch_program_image_add(image, KCATCH_LIST_TEXTS, code->texts, code->nr_texts,
				 sizeof(*code->texts));
}

/* Is it one event of many that share a tracepoint, whose condition asks which one it is? One that
 * never holds asks nothing. */
static bool is_keyed(const struct kcatch_prepared *prepared,
		     const struct kcatch_condition_code *code)
{
	return prepared->syscall && !prepared->syscall->is_function && code->nr_entry;
}

/*
 * The arguments of an event that are threads, a bit each: of a switch the one before and the one
 * behind, of a wakeup the one that is woken. A filter by process, cgroup or command lets such an
 * event pass when it lets one of them pass: it is about each of them.
 */
static uint32_t tasks_of(const struct kcatch_programs *binder,
			 const struct kcatch_prepared *prepared)
{
	uint32_t nr, i, tasks = 0;
	struct kcatch_member arg;
	struct kcatch_type type;

	if (!binder->add->events || prepared->info || prepared->syscall || !prepared->proto.id)
		return 0;
	/* The event that begins a time off the CPU is about the thread that leaves it alone. */
	if (kcatch_pairs_sleeps(binder->session->pair))
		return 0;
	/* The first one is the hook's own. */
	nr = kcatch_type_nr_members(prepared->proto);
	for (i = 1; i < nr && i <= EVENT_REGISTERS; i++) {
		if (kcatch_type_member(prepared->proto, i, &arg) ||
		    !kcatch_type_is_pointer(arg.type))
			continue;
		type = kcatch_type_strip(kcatch_type_target(kcatch_type_strip(arg.type)));
		if (kcatch_type_kind(type) == BTF_KIND_STRUCT &&
		    !strcmp(kcatch_type_name(type), "task_struct"))
			tasks |= 1U << (i - 1);
	}
	return tasks;
}

static int load_prepared(struct kcatch_programs *binder, struct kcatch_prepared *prepared,
			 const struct kcatch_count_wants *wants,
			 const struct kcatch_condition_code *code)
{
	const struct kcatch_programs_add *add = binder->add;
	const struct kcatch_item *items;
	struct kcatch_program_image image = { 0 };
	const int32_t *hops;
	uint32_t nr;
	int ret;

	if (prepared->plan) {
		items = kcatch_plan_entry(prepared->plan, &nr);
		kcatch_program_image_add(&image, KCATCH_LIST_ENTRY, items, nr, sizeof(*items));
		items = kcatch_plan_return(prepared->plan, &nr);
		if (add->returns)
			kcatch_program_image_add(&image, KCATCH_LIST_RETURN, items, nr,
						 sizeof(*items));
		hops = kcatch_plan_hops(prepared->plan, &nr);
		kcatch_program_image_hops(&image, hops, nr);
		image.program.shape = kcatch_plan_shape(prepared->plan);
	}
	add_condition(&image, code);
	if (is_keyed(prepared, code))
		image.program.flags |= KCATCH_PROGRAM_KEYED;
	image.program.tasks = tasks_of(binder, prepared);
	if (!add->under && !add->events)
		image.program.user_stack = add->request->user_stack;
	image.program.user_maps = image.program.user_stack ? KCATCH_USER_MAPS : 0;
	if (add->nr_specs)
		image.owner = prepared->plan;
	if (!wants->pair)
		return kcatch_program_load(binder->session, &binder->loaded, &image,
					   &prepared->number);
	ret = kcatch_program_load_new(binder->session, &image);
	prepared->number = image.program.number;
	return ret ? ret : kcatch_pairs_program(binder->session, prepared->number, wants);
}

/* ---- one type of functions -------------------------------------------------------- */

struct kcatch_plan_options kcatch_programs_options(const struct kcatch_programs *binder)
{
	const struct kcatch_request *request = binder->add->request;

	return (struct kcatch_plan_options){
		.string_size = request->string_size,
		.struct_size = request->struct_size,
		.deep = request->deep,
		.returns = binder->add->returns,
		.tracepoint = binder->add->events,
		.only_forms = request->only_forms,
		.cgroup = request->with_cgroup,
		.latency = kcatch_pairs_is_second(binder->session->pair),
		.own = request->with,
		.nr_own = (uint32_t)request->nr_with,
	};
}

/* A plan that does not depend on types, made once. */
static int plan_without_types(struct kcatch_programs *binder, struct kcatch_plan **made,
			      int (*create)(const struct kcatch_plan_options *options,
					    struct kcatch_plan **plan),
			      const struct kcatch_plan **plan)
{
	const struct kcatch_plan_options options = kcatch_programs_options(binder);
	int ret = 0;

	if (!*made) {
		ret = create(&options, made);
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

/* The user's own fields: each is added where it applies. */
static int find_own(struct kcatch_programs *binder, const struct kcatch_prepared *prepared,
		    struct kcatch_event_fields **own)
{
	const struct kcatch_programs_add *add = binder->add;
	const uint32_t nr = (uint32_t)add->request->nr_with;
	struct kcatch_armed *armed = &binder->session->armed;
	uint32_t applies = 0;
	int ret = 0;

	*own = NULL;
	if (!nr || add->under)
		return 0;
	/* Without types there is none. */
	if (prepared->info || prepared->inside || !prepared->proto.id ||
	    !kcatch_programs_types(binder->session))
		return 0;
	ret = kcatch_own_fields_create(binder->session->types, prepared->proto, add->events,
				       add->request->with, nr, &applies, own);
	armed->with |= applies;
	if (!ret && applies != (1U << nr) - 1)
		snprintf(armed->why_without, sizeof(armed->why_without), "%s", kcatch_error_text());
	return ret;
}

/* Some had no room beside the arguments: that is told, once. */
static int tell_cut(struct kcatch_programs *binder, const struct kcatch_plan *plan)
{
	if (!kcatch_plan_own_cut(plan) || binder->session->armed.with_cut)
		return 0;
	binder->session->armed.with_cut = true;
	return kcatch_session_note_text(binder->session,
					"beside the arguments of some functions "
					"there is no room for a field of --with, or "
					"it is of an argument that is in no register");
}

/* What is read of a record: for the fields of the event, and behind it for the user's own. */
static int add_leaves(struct kcatch_programs *binder, const struct kcatch_prepared *prepared,
		      struct kcatch_plan_options *options)
{
	const struct kcatch_event_fields *fields = prepared->fields, *own = prepared->own;
	uint32_t nr = fields ? fields->nr_leaves : 0;
	struct kcatch_leaf *all;

	if (fields) {
		options->leaves = fields->leaves;
		options->nr_leaves = nr;
		options->leaves_only = binder->add->request->only_forms && fields->is_whole;
	}
	if (!own)
		return 0;
	options->nr_own_leaves = own->nr_leaves;
	all = kcatch_arena_take(&binder->keys, (nr + own->nr_leaves + 1) * sizeof(*all));
	if (!all)
		return kcatch_error_memory();
	if (nr)
		memcpy(all, fields->leaves, nr * sizeof(*all));
	memcpy(all + nr, own->leaves, own->nr_leaves * sizeof(*all));
	options->leaves = all;
	options->nr_leaves = nr + own->nr_leaves;
	return 0;
}

static int make_plan(struct kcatch_programs *binder, struct kcatch_prepared *prepared)
{
	struct kcatch_plan_options options = kcatch_programs_options(binder);
	const struct kcatch_request *request = binder->add->request;
	struct kcatch_plan *plan;
	int ret = add_leaves(binder, prepared, &options);

	if (ret)
		return ret;
	if (prepared->info)
		return 0;
	/* An event is nothing without its arguments. */
	if (prepared->inside || (!request->arguments && !binder->add->events))
		return options.cgroup || options.latency ?
			       plan_without_types(binder, &binder->bare, kcatch_plan_create_bare,
						  &prepared->plan) :
			       0;
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
	ret = kcatch_programs_keep(binder->session, plan);
	return ret ? ret : tell_cut(binder, plan);
}

static int compile(struct kcatch_programs *binder, const struct kcatch_prepared *prepared,
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
				       prepared->proto, prepared->info, prepared->event, code) :
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
static int load_count(struct kcatch_programs *binder, struct kcatch_prepared *prepared,
		      const struct kcatch_count_wants *wants,
		      const struct kcatch_condition_code *code)
{
	static const struct kcatch_op yes[] = { { .op = KCATCH_OP_GO, .yes = KCATCH_EXIT_YES } };
	const struct kcatch_session *session = binder->session;
	bool at_return = !binder->add->events && !prepared->entry_only && !session->pair &&
			 kcatch_count_at_return(session->count);
	bool always = at_return && !code->nr_return;
	struct kcatch_program_image image = { .program.flags = at_return || code->nr_return ?
						0 : KCATCH_PROGRAM_ENTRY_ONLY };
	int ret;

	add_condition(&image, code);
	if (is_keyed(prepared, code))
		image.program.flags |= KCATCH_PROGRAM_KEYED;
	image.program.tasks = tasks_of(binder, prepared);
	if (always)
		kcatch_program_image_add(&image, KCATCH_LIST_RETURN_CONDITION, yes, 1,
					 sizeof(yes[0]));
	prepared->needs_return = at_return || (code->nr_return && !session->pair);
	ret = kcatch_program_load_new(binder->session, &image);
	if (ret)
		return ret;
	prepared->number = image.program.number;
	if (kcatch_pairs_is_first(session->pair)) {
		ret = kcatch_pairs_first_program(binder->session, prepared->number);
		return ret ? ret : kcatch_pairs_program(binder->session, prepared->number, wants);
	}
	return kcatch_count_program(binder->session, prepared->number, wants, always);
}

/* Arguments whose numbers have names. A program is that of all functions of a type: they are known
 * where one alone was asked for. */
static const struct kcatch_named_argument *named_of(const struct kcatch_request *request,
						    const struct kcatch_prepared *prepared)
{
	const char *only = request->nr_functions ? request->functions[0] : request->events[0];
	char call[128];

	if (request->nr_functions + request->nr_events != 1)
		return NULL;
	only = strchr(only, ':') ? strchr(only, ':') + 1 : only;
	if (!prepared->syscall || !prepared->syscall->is_function || !strncmp(only, "__", 2))
		return kcatch_constants_of_function(only);
	/* Its function has another name. */
	snprintf(call, sizeof(call), "sys_enter_%s", only);
	return kcatch_constants_of_function(call);
}

static int compile_count(struct kcatch_programs *binder, const struct kcatch_prepared *prepared,
			 struct kcatch_count_wants *wants, struct kcatch_condition_code *code)
{
	const struct kcatch_request *request = binder->add->request;
	const struct kcatch_session *session = binder->session;
	const struct kcatch_count_source source = {
		.expression = binder->add->expression,
		.types = binder->session->types,
		.proto = prepared->proto,
		.returns = binder->add->returns,
		.second = kcatch_pairs_is_second(session->pair),
		.off_cpu = kcatch_pairs_is_off_cpu(session->pair),
		.entry_only = prepared->entry_only || (binder->add->events && session->count &&
						       kcatch_count_entries(session->count)),
		.event = binder->add->events,
		.event_name = prepared->event,
		.info = prepared->info,
		.syscall = prepared->syscall,
		.plan = prepared->plan,
		.named = named_of(request, prepared),
		.fails = !request->errors ? 0 :
					    KCATCH_FAILS_ERRNO |
						    (request->false_fails ? KCATCH_FAILS_FALSE : 0),
	};

	memset(wants, 0, sizeof(*wants));
	wants->pair = kcatch_pairs_key(session->pair);
	wants->sleeps = kcatch_pairs_sleeps(session->pair);
	/* Of a first event nothing else is asked. */
	if (request->count)
		kcatch_count_wants(session->count, wants);
	return kcatch_condition_compile_count(&source, wants, code);
}

/* How much does a reason tell whoever wrote the condition? A wrong member is most likely meant for
 * the functions that have the struct. */
static int help_of(const char *why)
{
	return strstr(why, "has no member") ? 3 : strstr(why, "did you mean") ? 2 : 1;
}

static int tell(struct kcatch_programs *binder, const struct kcatch_condition_code *code)
{
	return kcatch_session_note_condition(binder->session, &code->notes,
					     binder->function ? binder->function : "it");
}

/* Its condition or keys did not compile: if they do not apply to it, it is left out. */
static int prepare_without(struct kcatch_programs *binder, struct kcatch_prepared *prepared,
			   int ret)
{
	char *why;
	int help;

	if (ret != -ENOENT && ret != -EOPNOTSUPP)
		return ret;
	prepared->left_out = true;
	why = (char *)kcatch_arena_take(&binder->keys, strlen(kcatch_error_text()) + 1);
	if (!why)
		return kcatch_error_memory();
	prepared->why = strcpy(why, kcatch_error_text());
	help = help_of(why);
	if (help > binder->help)
		snprintf(binder->why, sizeof(binder->why), "%s", why);
	binder->help = help > binder->help ? help : binder->help;
	return kcatch_programs_never(binder, &prepared->number);
}

/* Its arguments are recorded. */
static int load_record(struct kcatch_programs *binder, struct kcatch_prepared *prepared,
		       const struct kcatch_count_wants *wants,
		       const struct kcatch_condition_code *code)
{
	const struct kcatch_pair_state *pair = binder->session->pair;
	int ret;

	prepared->needs_return = code->nr_return && !pair;
	/* Only its names were needed. */
	if (prepared->syscall && prepared->syscall->is_function && !binder->add->request->arguments)
		prepared->plan = NULL;
	ret = make_plan(binder, prepared);
	if (!ret && pair && prepared->info)
		ret = kcatch_error_set(EOPNOTSUPP, "a DO_TRACE event is recorded as it is, without "
						   "a latency: count its pairs (kcatch count)");
	if (!ret && pair && !prepared->info && !kcatch_plan_has_latency(prepared->plan))
		ret = kcatch_error_set(E2BIG, "its arguments leave no room for a pair's latency");
	return ret ? ret : load_prepared(binder, prepared, wants, code);
}

static int prepare(struct kcatch_programs *binder, struct kcatch_prepared *prepared)
{
	const struct kcatch_session *session = binder->session;
	const bool counts = binder->add->request->count || kcatch_pairs_is_first(session->pair);
	struct kcatch_condition_code code;
	struct kcatch_count_wants wants = { .nr = 0 };
	int ret = counts || session->pair ? compile_count(binder, prepared, &wants, &code) :
					    compile(binder, prepared, &code);

	if (ret)
		return prepare_without(binder, prepared, ret);
	ret = tell(binder, &code);
	if (!ret)
		ret = counts ? load_count(binder, prepared, &wants, &code) :
			       load_record(binder, prepared, &wants, &code);
	kcatch_count_wants_deinit(&wants);
	kcatch_condition_code_deinit(&code);
	return ret;
}

int kcatch_programs_prepare(struct kcatch_programs *binder, struct kcatch_prepared *prepared)
{
	struct kcatch_event_fields *own = NULL;
	int ret = prepared->syscall ? 0 : find_own(binder, prepared, &own);

	if (ret)
		return ret;
	prepared->own = own;
	ret = prepare(binder, prepared);
	prepared->own = NULL;
	kcatch_event_fields_destroy(own);
	return ret;
}

/* Is a program made of a function's types alone, and the plan needed to read its records only? */
static bool has_classes(const struct kcatch_programs *binder)
{
	const struct kcatch_programs_add *add = binder->add;
	const struct kcatch_request *request = add->request;

	return request->arguments && !request->count && !request->pair && !request->with_cgroup &&
	       !request->nr_with && !add->events && !add->nr_specs &&
	       (add->under || (!add->expression && !request->errors));
}

static int add_class(struct kcatch_programs *binder, const struct kcatch_plan_class *class,
		     struct kcatch_prepared *prepared)
{
	uint64_t *key = kcatch_arena_take(&binder->keys, class->size);

	if (!key)
		return kcatch_error_memory();
	memcpy(key, class->words, class->size);
	return kcatch_table_add(&binder->classes, (const char *)key, class->size,
				(size_t)prepared) < 0 ? kcatch_error_memory() : 0;
}

/* The program of another function is its own, and its plan is made when it is hit. */
static int prepare_late(struct kcatch_programs *binder, struct kcatch_prepared *prepared,
			const struct kcatch_prepared *like)
{
	struct kcatch_arena *memory = &binder->session->armed.late_plans;

	if (!binder->options) {
		binder->options = kcatch_arena_take(memory, sizeof(*binder->options));
		if (!binder->options)
			return kcatch_error_memory();
		*binder->options = kcatch_programs_options(binder);
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

static int prepare_by_class(struct kcatch_programs *binder, struct kcatch_prepared *prepared)
{
	const struct kcatch_plan_options options = kcatch_programs_options(binder);
	struct kcatch_plan_class class;
	size_t *found;
	int ret;

	if (!has_classes(binder) || !prepared->proto.id)
		return kcatch_programs_prepare(binder, prepared);
	if (!binder->known)
		binder->known = calloc(1, sizeof(*binder->known));
	if (!binder->known)
		return kcatch_error_memory();
	if (!kcatch_plan_classify(binder->known, prepared->proto, &options, &class))
		return kcatch_programs_prepare(binder, prepared);
	found = kcatch_table_find(&binder->classes, (const char *)class.words, class.size);
	if (found)
		return prepare_late(binder, prepared, (const struct kcatch_prepared *)*found);
	ret = kcatch_programs_prepare(binder, prepared);
	return ret ? ret : add_class(binder, &class, prepared);
}

static int new_prepared(struct kcatch_programs *binder, struct kcatch_type proto,
			struct kcatch_prepared **out)
{
	struct kcatch_prepared *prepared = calloc(1, sizeof(*prepared)), **all;

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

int kcatch_programs_for(struct kcatch_programs *binder, struct kcatch_type proto,
			struct kcatch_prepared **out)
{
	struct kcatch_prepared *prepared;
	size_t *found;
	int ret;

	found = kcatch_table_find(&binder->types, (const char *)&proto, sizeof(proto));
	if (found) {
		*out = (struct kcatch_prepared *)*found;
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

int kcatch_programs_plan_syscall(struct kcatch_programs *binder, struct kcatch_prepared *prepared)
{
	struct kcatch_plan_options options = kcatch_programs_options(binder);
	struct kcatch_event_fields *own;
	struct kcatch_plan *plan;
	int ret = find_own(binder, prepared, &own);

	if (ret)
		return ret;
	prepared->own = own;
	ret = add_leaves(binder, prepared, &options);
	if (!ret)
		ret = kcatch_plan_create_syscall(binder->session->types, prepared->proto,
						 prepared->syscall, &options, &plan);
	if (!ret)
		ret = kcatch_programs_keep(binder->session, plan);
	if (!ret)
		ret = tell_cut(binder, plan);
	if (!ret)
		prepared->plan = plan;
	prepared->own = NULL;
	kcatch_event_fields_destroy(own);
	return ret;
}

/* The function of a system call, which has its own arguments although it is of the same type as
 * the others. *@prepared is NULL if it is none. */
int kcatch_programs_for_syscall(struct kcatch_programs *binder, const char *function,
				struct kcatch_type proto, struct kcatch_prepared **prepared)
{
	size_t *found = kcatch_table_find(&binder->calls, function, strlen(function));
	struct kcatch_syscall_event *call;
	int ret;

	*prepared = found ? (struct kcatch_prepared *)*found : NULL;
	if (found)
		return 0;
	ret = kcatch_syscall_of_function(binder->session->types, function, &call);
	if (ret || !call)
		return ret;
	ret = new_prepared(binder, proto, prepared);
	if (!ret) {
		(*prepared)->syscall = call;
		ret = kcatch_programs_plan_syscall(binder, *prepared);
		if (!ret)
			ret = kcatch_programs_prepare(binder, *prepared);
		(*prepared)->syscall = NULL;
	}
	free(call);
	return ret;
}

/* ---- what is made ahead ----------------------------------------------------------------- */

static int make_ahead(struct kcatch_programs *binder)
{
	struct kcatch_types *types = binder->session->types;
	struct kcatch_prepared *prepared;
	struct kcatch_type proto;
	const char *name;
	uint32_t at = 0;
	int ret = 0;

	memset(&proto, 0, sizeof(proto));
	while (!ret && kcatch_types_next_function(types, &at, &name, &proto)) {
		ret = kcatch_programs_for_syscall(binder, name, proto, &prepared);
		if (!ret && !prepared)
			ret = kcatch_programs_for(binder, proto, &prepared);
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
		kcatch_programs_deinit(add->ahead);
	free(add->ahead);
	add->ahead = NULL;
}

/* ---- freeing ---------------------------------------------------------------------------- */

void kcatch_programs_deinit(struct kcatch_programs *binder)
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
