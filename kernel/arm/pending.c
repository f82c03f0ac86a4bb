// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pending targets of groups; pending.h describes the locks.
 *
 * A module that comes is resolved as ADD would do it: ftrace has made its functions
 * ready before the notifiers are told (ftrace_module_enable() in load_module()), and
 * kprobes may stand in init functions while a module is coming.
 */
#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include <uapi/kcatch.h>
#include "arm/freed_symbols.h"
#include "arm/pending.h"
#include "arm/probe.h"
#include "arm/session.h"
#include "core/guard.h"
#include "core/modules.h"
#include "core/robust.h"
#include "core/symbol.h"
#include "find/resolve.h"
#include "program/program.h"
#include "ring/clock.h"
#include "ring/memory.h"

#define BINDINGS_BITS 8

/* A target. */
struct waiting {
	u32 kind;
	u32 offset;
	u32 target;		/* number of it */
	char *name;		/* module:symbol */
};

/* A program for a name. */
struct binding {
	struct hlist_node node;
	const struct kcatch_program_code *code;
	char name[];
};

struct kcatch_pending {
	DECLARE_HASHTABLE(bindings, BINDINGS_BITS);
	u64 charged;
	u32 nr;
	struct waiting waiting[];
};

static LIST_HEAD(sessions);		/* struct kcatch_session.waiting */
static DEFINE_MUTEX(sessions_lock);	/* the list, and the life of those in it */
static atomic_t arrivals;

void kcatch_pending_init(void)
{
	kcatch_robust_add(&sessions_lock);
}

u32 kcatch_pending_watch(struct kcatch_session *session)
{
	mutex_lock(&sessions_lock);
	if (list_empty(&session->waiting))
		list_add_tail(&session->waiting, &sessions);
	mutex_unlock(&sessions_lock);
	return kcatch_pending_arrivals();
}

u32 kcatch_pending_arrivals(void)
{
	return atomic_read(&arrivals);
}

void kcatch_pending_unwatch(struct kcatch_session *session)
{
	mutex_lock(&sessions_lock);
	list_del_init(&session->waiting);
	mutex_unlock(&sessions_lock);
}

int kcatch_pending_create(const struct kcatch_want *wants, u32 nr,
			  struct kcatch_pending **result)
{
	struct kcatch_pending *pending;
	u64 bytes = sizeof(*pending);
	u32 i, count = 0;

	*result = NULL;
	for (i = 0; i < nr; i++) {
		if (!wants[i].pending)
			continue;
		count++;
		bytes += sizeof(struct waiting) + strlen(wants[i].name) + 1;
	}
	if (!count)
		return 0;
	if (!kcatch_memory_charge(bytes))
		return -ENOMEM;
	pending = kvzalloc(struct_size(pending, waiting, count), GFP_KERNEL);
	if (!pending) {
		kcatch_memory_uncharge(bytes);
		return -ENOMEM;
	}
	pending->charged = bytes;
	hash_init(pending->bindings);
	for (i = 0; i < nr; i++) {
		struct waiting *waiting = &pending->waiting[pending->nr];

		if (!wants[i].pending)
			continue;
		*waiting = (struct waiting) {
			.kind = wants[i].kind, .offset = wants[i].offset, .target = i,
			.name = kstrdup(wants[i].name, GFP_KERNEL),
		};
		if (!waiting->name) {
			kcatch_pending_destroy(pending);
			return -ENOMEM;
		}
		pending->nr++;
	}
	*result = pending;
	return 0;
}

void kcatch_pending_destroy(struct kcatch_pending *pending)
{
	struct hlist_node *next;
	struct binding *binding;
	u32 i;

	if (!pending)
		return;
	hash_for_each_safe(pending->bindings, i, next, binding, node)
		kfree(binding);
	for (i = 0; i < pending->nr; i++)
		kfree(pending->waiting[i].name);
	kcatch_memory_uncharge(pending->charged);
	kvfree(pending);
}

/* ---- programs ---------------------------------------------------------- */

static struct binding *find_binding(const struct kcatch_pending *pending, const char *name,
				    u32 hash)
{
	struct binding *binding;

	hash_for_each_possible(pending->bindings, binding, node, hash)
		if (!strcmp(binding->name, name))
			return binding;
	return NULL;
}

static u32 pending_hash_of(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

static bool is_event(const struct waiting *waiting)
{
	return (waiting->kind & ~KCATCH_TARGET_OPTIONAL) == KCATCH_TARGET_EVENT;
}

/* The mechanism of a group's probes that has the largest records. */
static u16 mechanism_of(const struct kcatch_pending *pending)
{
	u32 i;

	for (i = 0; i < pending->nr; i++)
		if (is_event(&pending->waiting[i]))
			return KCATCH_MECHANISM_EVENT;
	return KCATCH_MECHANISM_FTRACE;
}

int kcatch_pending_bind(struct kcatch_group *group, const char *name,
			const struct kcatch_program_code *code)
{
	/* A place inside a function, as program_inside() has it, has no return. */
	struct kcatch_probe like = { .group = group,
				     .returnable = (group->flags & KCATCH_ADD_RETURN) &&
						   !strchr(name, '+') };
	struct kcatch_pending *pending = group->pending;
	size_t bytes = sizeof(struct binding) + strlen(name) + 1;
	struct binding *binding;
	u32 hash = pending_hash_of(name);
	int error;

	lockdep_assert_held(&group->session->lock);
	if (!pending)
		return -EINVAL;
	like.mechanism = mechanism_of(pending);
	error = kcatch_probe_bind(&like, code);
	if (error)
		return error;
	binding = find_binding(pending, name, hash);
	if (!binding) {
		if (!kcatch_memory_charge(bytes))
			return -ENOMEM;
		binding = kmalloc(bytes, GFP_KERNEL);
		if (!binding) {
			kcatch_memory_uncharge(bytes);
			return -ENOMEM;
		}
		pending->charged += bytes;
		strcpy(binding->name, name);
		hash_add(pending->bindings, &binding->node, hash);
	}
	binding->code = code;
	return 0;
}

void kcatch_pending_each_program(const struct kcatch_pending *pending,
				 void (*each)(const struct kcatch_program_code *code, void *data),
				 void *data)
{
	const struct binding *binding;
	u32 i;

	if (!pending)
		return;
	hash_for_each(pending->bindings, i, binding, node)
		if (binding->code)
			each(binding->code, data);
}

/* They stand in the order of their targets. */
static const struct waiting *waiting_of(const struct kcatch_pending *pending, u32 target)
{
	u32 from = 0, to = pending->nr;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (pending->waiting[middle].target == target)
			return &pending->waiting[middle];
		if (pending->waiting[middle].target < target)
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}

/* Inside a function something else is to be fetched than at its entry: bound as name+0xOFFSET. */
static int program_inside(const struct kcatch_pending *pending, const struct waiting *waiting,
			  const struct kcatch_program_code **code)
{
	char *name = kasprintf(GFP_KERNEL, "%s+0x%x", waiting->name, waiting->offset);
	const struct binding *binding;

	if (!name)
		return -ENOMEM;
	binding = find_binding(pending, name, pending_hash_of(name));
	*code = binding ? binding->code : NULL;
	kfree(name);
	return 0;
}

/* The program of a function: by its own name, with its module and without, or by the
 * text of the target that found it. NULL: none. Return: 0 or -ENOMEM, when nobody knows. */
static int program_of(const struct kcatch_pending *pending, unsigned long address, u32 target,
		      const struct kcatch_program_code **code)
{
	const struct waiting *waiting = waiting_of(pending, target);
	const struct binding *binding;
	struct kcatch_symbol *symbol;
	char *name = NULL;

	if (waiting && waiting->offset)
		return program_inside(pending, waiting, code);
	symbol = kcatch_symbol_of(address);
	if (symbol)
		name = kasprintf(GFP_KERNEL, "%s:%s", symbol->module, symbol->name);
	if (!name) {
		kfree(symbol);
		return -ENOMEM;
	}
	binding = find_binding(pending, name, pending_hash_of(name));
	if (!binding)
		binding = find_binding(pending, symbol->name, pending_hash_of(symbol->name));
	if (!binding && waiting)
		binding = find_binding(pending, waiting->name, pending_hash_of(waiting->name));
	kfree(name);
	kfree(symbol);
	*code = binding ? binding->code : NULL;
	return 0;
}

/* Gives a probe its program, if it has none yet. */
static int start_probe(struct kcatch_group *group, struct kcatch_probe *probe)
{
	const struct kcatch_program_code *code;
	int error;

	if (!probe->site || (probe->program && probe->program != &kcatch_no_program))
		return 0;
	error = program_of(group->parent->pending, probe->address, probe->target, &code);
	/* Its condition cannot be tried: it must not record without. */
	if (!error && kcatch_probe_bind(probe, code)) {
		pr_info("kcatch: a function or event of a module cannot be caught: its record is too large, or its return cannot be hooked\n");
		kcatch_probe_detach(group, probe);
		group->session->nr_unarmed++;
	}
	return error;
}

int kcatch_pending_start(struct kcatch_session *session)
{
	struct kcatch_group *group;
	int error = 0;
	u32 i;

	lockdep_assert_held(&session->lock);
	list_for_each_entry(group, &session->groups, list)
		for (i = 0; !error && group->parent && i < group->nr; i++) {
			error = start_probe(group, &group->probes[i]);
			cond_resched();
		}
	return error;
}

/* ---- a module comes ----------------------------------------------------- */

/* (Any module may bring an event.) */
static bool pending_is_of(const struct waiting *waiting, const struct module *module)
{
	size_t length = strlen(module->name);

	if (is_event(waiting))
		return true;
	return !strncmp(waiting->name, module->name, length) && waiting->name[length] == ':';
}

/* Give the functions that were found their programs. Whose return should decide and cannot be
 * hooked is left out, told, and counted in @unarmed. Return: 0 or -ENOMEM */
static int choose_programs(const struct kcatch_group *group, struct kcatch_resolution *resolution,
			   u32 *unarmed)
{
	u32 i, kept = 0;

	for (i = 0; i < resolution->nr; i++) {
		struct kcatch_resolved *resolved = &resolution->found[i];
		int error = program_of(group->pending, resolved->ip, resolved->target,
				       &resolved->program);

		if (error)
			return error;
	}
	for (i = 0; i < resolution->nr; i++) {
		const struct kcatch_resolved *resolved = &resolution->found[i];

		if (resolved->program && resolved->program->return_condition &&
		    !resolved->program->pair && (resolved->offset || resolved->entry_only))
			pr_info("kcatch: %ps was loaded, but its return cannot be hooked\n",
				(void *)resolved->ip);
		else
			resolution->found[kept++] = *resolved;
	}
	*unarmed += resolution->nr - kept;
	resolution->nr = kept;
	return 0;
}

/* Once. @answer: of kcatch_cpus_schedule(); NULL: not asked. @unarmed: functions that are there and
 * cannot be caught. Return: as kcatch_group_extend() */
static int resolve_and_extend(struct kcatch_group *group, const struct module *module,
			      const int *answer, u32 *unarmed)
{
	const struct kcatch_pending *pending = group->pending;
	struct kcatch_resolution resolution = { .returns = group->flags & KCATCH_ADD_RETURN,
						.asked = answer, .answer = answer ? *answer : 0 };
	int error = 0;
	u32 i;

	*unarmed = 0;
	for (i = 0; i < pending->nr; i++) {
		const struct waiting *waiting = &pending->waiting[i];
		struct kcatch_want want = {
			.kind = waiting->kind, .offset = waiting->offset, .name = waiting->name,
		};

		if (!pending_is_of(waiting, module))
			continue;
		resolution.target = waiting->target;
		error = kcatch_resolve(&want, &resolution);
		if (error)
			pr_info("kcatch: module %s was loaded, but %s in it cannot be caught (%d)\n",
				module->name, waiting->name, error);
		*unarmed += error && error != -ENOENT;
	}
	error = kcatch_resolution_hook_returns(&resolution) ?:
		choose_programs(group, &resolution, unarmed);
	if (!error && resolution.nr)
		error = kcatch_group_extend(group, resolution.found, resolution.nr);
	if (error)
		*unarmed += resolution.nr;
	kcatch_resolution_deinit(&resolution);
	return error;
}

/* Return: whether something of it is in place now. */
static bool pending_arm(struct kcatch_group *group, const struct module *module, const int *answer)
{
	u32 before = group->session->nr_probes, unarmed;
	int error;

	do
		error = resolve_and_extend(group, module, answer, &unarmed);
	while (error == -EAGAIN);	/* another module went meanwhile */
	if (error)
		pr_warn("kcatch: module %s was loaded, but its functions could not be caught (%d)\n",
			module->name, error);
	group->session->nr_unarmed += unarmed;
	return group->session->nr_probes != before;
}

static bool waits_for(const struct kcatch_pending *pending, const struct module *module)
{
	u32 i;

	for (i = 0; i < pending->nr; i++)
		if (!is_event(&pending->waiting[i]) && pending_is_of(&pending->waiting[i], module))
			return true;
	return false;
}

/* Is a function of it awaited, which may need a kprobe? */
static bool anybody_waits(const struct module *module)
{
	const struct kcatch_group *group;
	struct kcatch_session *session;
	bool any = false;

	mutex_lock(&sessions_lock);
	list_for_each_entry(session, &sessions, waiting) {
		mutex_lock(&session->lock);
		list_for_each_entry(group, &session->groups, list)
			any |= group->pending && waits_for(group->pending, module);
		mutex_unlock(&session->lock);
	}
	mutex_unlock(&sessions_lock);
	return any;
}

void kcatch_pending_module_coming(struct module *module)
{
	struct kcatch_session *session;
	int answer = 0;
	bool asks = anybody_waits(module);

	/* Once for all targets, and without the locks: each would wait beside a CPU that spins. */
	if (asks)
		answer = kcatch_cpus_schedule(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);
	mutex_lock(&sessions_lock);
	atomic_inc(&arrivals);
	list_for_each_entry(session, &sessions, waiting) {
		struct kcatch_group *group;
		bool armed = false;

		mutex_lock(&session->lock);
		session->came = kcatch_clock_read();
		/* Groups added at its end meanwhile are arrivals, which wait for nothing. */
		list_for_each_entry(group, &session->groups, list)
			if (group->pending)
				armed |= pending_arm(group, module, asks ? &answer : NULL);
		if (armed)
			kcatch_names_remember(session, module, session->came);
		mutex_unlock(&session->lock);
	}
	mutex_unlock(&sessions_lock);
}

void kcatch_pending_module_freed(const struct module *module, bool init)
{
	struct kcatch_session *session;

	mutex_lock(&sessions_lock);
	list_for_each_entry(session, &sessions, waiting) {
		mutex_lock(&session->lock);
		kcatch_names_freed(session, module, init);
		mutex_unlock(&session->lock);
	}
	mutex_unlock(&sessions_lock);
}

/* ---- a module is there --------------------------------------------------- */

struct asker {
	struct kcatch_session *session;
	const struct kcatch_pending *pending;
};

static int remember_if_wanted(struct module *module, void *data)
{
	const struct asker *asker = data;
	u32 i;

	for (i = 0; i < asker->pending->nr; i++) {
		const struct waiting *waiting = &asker->pending->waiting[i];

		if (!is_event(waiting) && pending_is_of(waiting, module)) {
			kcatch_names_remember(asker->session, module, 0);
			break;
		}
	}
	return 0;
}

void kcatch_pending_remember(struct kcatch_session *session, const struct kcatch_pending *pending)
{
	struct asker asker = { .session = session, .pending = pending };

	/* Without memory the names go with the module. */
	if (pending)
		kcatch_modules_each(remember_if_wanted, &asker);
}
