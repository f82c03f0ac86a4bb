// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resolves the targets of an ADD to addresses that can be hooked, without duplicates. Process
 * context; kcatch_sites_lock for events alone. Memory: 40 bytes an address until the group
 * is made.
 *
 * Names and patterns are looked up in the tables of symbols (ftrace_match.c, function_match.c);
 * what ftrace does not know a kprobe tells (symbol.c).
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <uapi/kcatch.h>
#include "compat/compat.h"
#include "core/ftrace_match.h"
#include "core/guard.h"
#include "core/modules.h"
#include "core/site.h"
#include "core/symbol.h"
#include "core/tracepoint_list.h"
#include "find/deny.h"
#include "find/function_match.h"
#include "find/named.h"
#include "find/resolve.h"
#include "ktrace/ktrace_event.h"
#include "program/fetch_memory.h"
#include "returns/returns.h"
#include "ring/memory.h"

/* Do both stand for one probe? Watchpoints of one address may differ in size and kind. */
static bool is_same(const struct kcatch_resolved *one, const struct kcatch_resolved *other)
{
	return one->ip == other->ip && one->ops == other->ops &&
	       (one->ops != &kcatch_hook_watch || one->offset == other->offset);
}

static bool index_find(struct kcatch_resolution *resolution, const struct kcatch_resolved *resolved,
		       u32 **place)
{
	u32 mask = resolution->index_room - 1;
	u32 i = hash_64(resolved->ip, 32) & mask;

	for (; resolution->index[i]; i = (i + 1) & mask)
		if (is_same(&resolution->found[resolution->index[i] - 1], resolved))
			return true;
	*place = &resolution->index[i];
	return false;
}

/* With what function_match.c hands over: an address and a byte of each. */
static u64 room_bytes(u32 room, u32 index_room)
{
	return room * (sizeof(struct kcatch_resolved) + sizeof(unsigned long) + 1ULL) +
	       index_room * sizeof(u32);
}

/* Make room for @nr addresses at least. */
static int resolve_grow(struct kcatch_resolution *resolution, u32 nr)
{
	u32 room = max3(resolution->room * 2, nr, 64U), i, *place;
	u32 index_room = roundup_pow_of_two(room * 2);
	u64 bytes = room_bytes(room, index_room);
	struct kcatch_resolved *found;
	u32 *index;

	if (!kcatch_memory_charge(bytes))
		return -ENOMEM;
	found = kvmalloc_array(room, sizeof(*found), GFP_KERNEL);
	index = kvcalloc(index_room, sizeof(*index), GFP_KERNEL);
	if (!found || !index) {
		kvfree(found);
		kvfree(index);
		kcatch_memory_uncharge(bytes);
		return -ENOMEM;
	}
	if (resolution->nr)
		memcpy(found, resolution->found, resolution->nr * sizeof(*found));
	kvfree(resolution->found);
	kvfree(resolution->index);
	kcatch_memory_uncharge(room_bytes(resolution->room, resolution->index_room));
	resolution->found = found;
	resolution->room = room;
	resolution->index = index;
	resolution->index_room = index_room;
	for (i = 0; i < resolution->nr; i++)
		if (!index_find(resolution, &found[i], &place))
			*place = i + 1;
	return 0;
}

/* Does its module go, or has its init run? Then nothing is hooked there any more. */
static bool is_gone(unsigned long address)
{
	return kcatch_module_range(address) && !kcatch_module_has(address, NULL);
}

static int resolve_note(struct kcatch_resolution *resolution, struct kcatch_want *want,
			unsigned long ip, const struct kcatch_hook_ops *ops, u32 kinds)
{
	const struct kcatch_resolved resolved = {
		.ip = ip, .ops = ops, .offset = want->offset,
		.own_tool = kinds & KCATCH_NAME_OWN_TOOL,
		.text_tool = kinds & KCATCH_NAME_TEXT_TOOL,
		.target = resolution->target, .entry_only = resolution->entry_only,
		.generation = resolution->generation,
		.module_percpu = ops == &kcatch_hook_watch &&
				 (want->offset & KCATCH_WATCH_PERCPU) &&
				 kcatch_modules_have_percpu(ip),
	};
	u32 *place;
	int error;

	if (is_gone(ip))
		return -ENOENT;
	if (resolution->nr == resolution->room) {
		error = resolve_grow(resolution, 0);
		if (error)
			return error;
	}
	if (index_find(resolution, &resolved, &place))
		return 0;
	if (resolution->nr >= KCATCH_TARGETS_MAX)
		return -E2BIG;
	resolution->found[resolution->nr] = resolved;
	*place = ++resolution->nr;
	want->nr_probes++;
	return 0;
}

/* Trying a kprobe takes a grace period, which no signal ends: so the CPUs are asked first. Whoever
 * holds locks has asked without. */
static int resolve_wait_for_cpus(const struct kcatch_resolution *resolution)
{
	return resolution->asked ? resolution->answer :
				   kcatch_cpus_schedule(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);
}

/* A place inside a function, or one that ftrace does not know. */
static int note_kprobe(struct kcatch_resolution *resolution, struct kcatch_want *want,
		       unsigned long address, u32 kinds)
{
	int error = is_gone(address) ? -ENOENT : resolve_wait_for_cpus(resolution);

	if (error)
		return error;
	error = kcatch_kprobe_place(NULL, &address);
	/* Refused: blacklisted, or between two instructions, or not text. */
	if (error)
		return error == -ENOMEM || error == -EOVERFLOW || error == -ENOENT ? error :
										     -EADDRNOTAVAIL;
	return resolve_note(resolution, want, address, &kcatch_hook_kprobe, kinds);
}

/* It exists and cannot be hooked: a pattern leaves it out. */
static bool is_refused(int error)
{
	return error == -EADDRNOTAVAIL || error == -EOVERFLOW || error == -EPERM;
}

/* The kinds of a function's name: KCATCH_NAME_*. */
static u32 kinds_of(const struct kcatch_symbol *symbol)
{
	u32 kinds = kcatch_name_kinds(symbol->name);

	if (within_module(symbol->address - symbol->offset, THIS_MODULE))
		kinds |= KCATCH_NAME_OURS;
	return kinds;
}

/* Must a function of these kinds not be hooked? Return: why not, or 0 */
static int resolve_refusal(u32 kinds, bool pattern)
{
	if (kinds & KCATCH_NAME_OURS)
		return -EADDRNOTAVAIL;
	if ((kinds & KCATCH_NAME_DEADLY) || (pattern && (kinds & KCATCH_NAME_OWN_TOOL)))
		return -EPERM;
	return 0;
}

static bool is_entry(const struct kcatch_want *want, unsigned long start, unsigned long address)
{
	return address == start || (want->kind == KCATCH_TARGET_NAME && !want->offset &&
				    address == start + KCATCH_MARK_SIZE);
}

/* The function @symbol of a target. @ip: where ftrace hooks it, or 0. */
static int note_symbol(struct kcatch_resolution *resolution, struct kcatch_want *want,
		       const struct kcatch_symbol *symbol, unsigned long ip, unsigned long address,
		       u32 kinds)
{
	bool pattern = want->kind == KCATCH_TARGET_PATTERN;
	unsigned long start = symbol->address - symbol->offset;
	int error = resolve_refusal(kinds, pattern);

	/* A return is not hooked either where SP does not point to the return address:
	 * the address that the user gave may lie inside a function. */
	resolution->entry_only = (kinds & KCATCH_NAME_DEADLY_RETURN) ||
				 (!ip && !is_entry(want, start, address));
	if (error)
		;
	else if (want->offset && ip && start + want->offset == ip)
		error = resolve_note(resolution, want, ip, &kcatch_hook_ftrace, kinds);
	else if (want->offset)
		error = want->offset < symbol->size ?
			note_kprobe(resolution, want, start + want->offset, kinds) : -ERANGE;
	else if (ip)
		error = resolve_note(resolution, want, ip, &kcatch_hook_ftrace, kinds);
	else
		error = note_kprobe(resolution, want, address, kinds);
	if (pattern && is_refused(error)) {
		want->nr_skipped++;
		error = 0;
	}
	return error;
}

/* The function at an address, likewise. */
static int note_function(struct kcatch_resolution *resolution, struct kcatch_want *want,
			 unsigned long ip, unsigned long address)
{
	struct kcatch_symbol *symbol = kcatch_symbol_of(ip ?: address);
	int error;

	if (!symbol)
		return -ENOMEM;
	error = note_symbol(resolution, want, symbol, ip, address, kinds_of(symbol));
	kfree(symbol);
	return error;
}

/* Names that mean something else to ftrace's filter, or nothing at all. */
static bool resolve_plausible(const char *name, bool pattern)
{
	const char *at;

	if (!*name || *name == '!' || (*name >= '0' && *name <= '9') ||
	    strlen(name) >= KSYM_NAME_LEN)
		return false;
	for (at = name; *at; at++)
		if (*at <= ' ' || *at >= 127 || (!pattern && strchr("*?[", *at)))
			return false;
	return true;
}

/* Functions that ftrace's own search found. */
static int note_found(struct kcatch_resolution *resolution, struct kcatch_want *want,
		      const unsigned long *ips, int nr, const char *module)
{
	struct kcatch_naming *naming = kzalloc(sizeof(*naming), GFP_KERNEL);
	int i, noted, error = -ENOENT;

	if (!naming)
		return -ENOMEM;
	for (i = 0; i < nr && (!error || error == -ENOENT); i++) {
		if (module && !kcatch_module_has(ips[i], module))
			continue;
		naming->symbol.address = ips[i];
		kcatch_symbol_read(naming);
		noted = note_symbol(resolution, want, &naming->symbol, ips[i], 0,
				    kinds_of(&naming->symbol));
		if (noted != -ENOENT)
			error = noted;
		cond_resched();
	}
	kfree(naming);
	return error;
}

/* Functions whose names are known to match, by their KCATCH_NAME_*. */
static int note_kinds(struct kcatch_resolution *resolution, struct kcatch_want *want,
		      const unsigned long *ips, const u8 *kinds, int nr)
{
	int i, noted, error = -ENOENT;

	if (resolution->nr + nr > resolution->room && resolve_grow(resolution, resolution->nr + nr))
		return -ENOMEM;
	for (i = 0; i < nr && (!error || error == -ENOENT); i++) {
		noted = 0;
		resolution->entry_only = kinds[i] & KCATCH_NAME_DEADLY_RETURN;
		if (resolve_refusal(kinds[i], true))
			want->nr_skipped++;
		else
			noted = resolve_note(resolution, want, ips[i], &kcatch_hook_ftrace,
					     kinds[i]);
		if (noted != -ENOENT)
			error = noted;
		cond_resched();
	}
	return error;
}

/* Functions of a name that ftrace does not know. @any: others of the name were noted. If no kprobe
 * can stand at one it is left out, unless there is no other. */
static int note_others(struct kcatch_resolution *resolution, struct kcatch_want *want,
		       const struct kcatch_named *named, bool any)
{
	int noted, refused = -ENOENT;
	u32 i, skipped = 0;

	for (i = 0; i < named->nr_others; i++) {
		noted = note_function(resolution, want, 0, named->others[i]);
		if (noted && noted != -ENOENT && !is_refused(noted))
			return noted;
		any |= !noted;
		if (is_refused(noted)) {
			refused = noted;
			skipped++;
		}
	}
	if (!any)
		return refused;
	want->nr_skipped += skipped;
	return 0;
}

/* All functions of a name. */
static int resolve_by_table(struct kcatch_want *want, const char *module, const char *name,
			    struct kcatch_resolution *resolution)
{
	struct kcatch_named named = {};
	int error = kcatch_named_find(module, name, &named);

	if (!error)
		error = note_found(resolution, want, named.ips, named.nr_ips, module);
	if (!error || error == -ENOENT)
		error = note_others(resolution, want, &named, !error);
	kcatch_named_deinit(&named);
	return error;
}

static int resolve_by_match(struct kcatch_want *want, const char *module, const char *name,
			    struct kcatch_resolution *resolution)
{
	unsigned long *ips = NULL;
	u8 *kinds = NULL;
	int nr, error = -ENOENT;

	if (want->kind == KCATCH_TARGET_NAME)
		error = resolve_by_table(want, module, name, resolution);
	if (error != -ENOENT && !is_refused(error))
		return error;
	if (want->kind == KCATCH_TARGET_PATTERN && kcatch_function_can_match()) {
		nr = kcatch_function_match(module, name, &ips, &kinds);
		error = nr < 0 ? nr : note_kinds(resolution, want, ips, kinds, nr);
	} else {
		nr = kcatch_ftrace_match(name, &ips);
		error = nr < 0 ? nr : note_found(resolution, want, ips, nr, module);
	}
	kvfree(kinds);
	kvfree(ips);
	return error;
}

static int resolve_name(struct kcatch_want *want, struct kcatch_resolution *resolution)
{
	char *module = NULL, *name = want->name, *colon = strchr(name, ':');
	unsigned long address = 0, ip;
	int error = -ENOENT;

	if (colon) {
		*colon = 0;
		module = name;
		name = colon + 1;
	}
	if (!resolve_plausible(name, want->kind == KCATCH_TARGET_PATTERN) || (module && !*module)) {
		error = -EINVAL;
		goto out;
	}
	if (kcatch_ftrace_can_match())
		error = resolve_by_match(want, module, name, resolution);
	if (error != -ENOENT || want->kind == KCATCH_TARGET_PATTERN)
		goto out;

	/* Not a name ftrace would print: an alias, or out of its reach. */
	if (colon)
		*colon = ':';
	error = resolve_wait_for_cpus(resolution);
	if (error)
		goto out;
	error = kcatch_kprobe_place(want->name, &address);
	if (error == -ENOENT || !address) {
		error = -ENOENT;
		goto out;
	}
	ip = kcatch_ftrace_place(address);
	error = note_function(resolution, want, ip, address);
out:
	if (colon)
		*colon = ':';
	return error;
}

struct noting {
	struct kcatch_want *want;
	struct kcatch_resolution *resolution;
};

static int note_tracepoint(struct tracepoint *tracepoint, void *data)
{
	const struct noting *noting = data;

	return resolve_note(noting->resolution, noting->want, (unsigned long)tracepoint,
			    &kcatch_hook_tracepoint, 0);
}

/* None is no error: a module may bring it. */
static int resolve_event(struct kcatch_want *want, struct kcatch_resolution *resolution)
{
	u32 id, nr = kcatch_ktrace_event_count(), noted = 0, missing = 0;
	int error = 0;

	mutex_lock(&kcatch_sites_lock);
	for (id = 0; !error && id < nr; id++) {
		struct kcatch_ktrace_event *event = kcatch_ktrace_event_of(id);

		if (!kcatch_ktrace_event_matches(event, want->name))
			continue;
		if (!kcatch_ktrace_event_occurs(event)) {
			missing++;
			continue;
		}
		noted++;
		error = resolve_note(resolution, want, (unsigned long)event, &kcatch_hook_event, 0);
		if (error == -ENOENT)
			error = 0;
	}
	mutex_unlock(&kcatch_sites_lock);
	want->nr_skipped += missing;
	return !error && missing && !noted ? -EOPNOTSUPP : error;
}

/* Kernel memory alone: a process's would be another in each. */
static int resolve_watch(struct kcatch_want *want, struct kcatch_resolution *resolution)
{
	u32 size = want->offset & KCATCH_WATCH_SIZE, kind = want->offset & ~KCATCH_WATCH_SIZE;
	bool percpu = kind & KCATCH_WATCH_PERCPU;
	unsigned int cpu;
	u64 value;

	kind &= ~KCATCH_WATCH_PERCPU;
	if ((size != 1 && size != 2 && size != 4 && size != 8) || want->address & (size - 1) ||
	    (kind != KCATCH_WATCH_WRITE && kind != KCATCH_WATCH_ACCESS) ||
	    (!percpu && want->address < PAGE_OFFSET) ||
	    (percpu && !kcatch_percpu_possible(want->address, &kcatch_busy)))
		return -EINVAL;
	for_each_possible_cpu(cpu) {
		void *at = percpu ? per_cpu_ptr((void __percpu *)want->address, cpu) :
				    (void *)want->address;

		/* Memory alone: to read a device's register may change the device. */
		if ((unsigned long)at < PAGE_OFFSET ||
		    !kcatch_read(&value, (unsigned long)at, size))
			return -EADDRNOTAVAIL;
	}
	return resolve_note(resolution, want, want->address, &kcatch_hook_watch, 0);
}

int kcatch_resolve(struct kcatch_want *want, struct kcatch_resolution *resolution)
{
	bool optional = want->kind & KCATCH_TARGET_OPTIONAL;
	int error;

	want->kind &= ~KCATCH_TARGET_OPTIONAL;
	resolution->generation = kcatch_modules_generation();
	switch (want->kind) {
	case KCATCH_TARGET_PATTERN:
		error = kcatch_ftrace_can_match() ? resolve_name(want, resolution) : -EOPNOTSUPP;
		break;
	case KCATCH_TARGET_NAME:
		error = resolve_name(want, resolution);
		break;
	case KCATCH_TARGET_ADDRESS:
		error = note_function(resolution, want,
				      kcatch_ftrace_place(want->address), want->address);
		break;
	case KCATCH_TARGET_TRACEPOINT:
		error = kcatch_tracepoint_find(want->name, note_tracepoint,
						    &(struct noting) { want, resolution });
		break;
	case KCATCH_TARGET_EVENT:
		error = resolve_event(want, resolution);
		break;
	case KCATCH_TARGET_WATCH:
		error = resolve_watch(want, resolution);
		break;
	default:
		error = -EINVAL;
	}
	if (error == -ENOENT && want->pending)
		error = 0;
	want->error = error;
	if (optional && (is_refused(error) ||
			 (error == -ENOENT && (want->kind == KCATCH_TARGET_TRACEPOINT ||
					       want->kind == KCATCH_TARGET_ADDRESS)))) {
		want->nr_skipped++;
		error = 0;
	}
	/* It may be resolved again. */
	if (optional)
		want->kind |= KCATCH_TARGET_OPTIONAL;
	return error;
}

bool kcatch_resolution_has(const struct kcatch_resolution *resolution,
			   const struct kcatch_hook_ops *ops)
{
	u32 i;

	for (i = 0; i < resolution->nr; i++)
		if (resolution->found[i].ops == ops)
			return true;
	return false;
}

/* Where ftrace hooks the entry, and the return could be. */
static bool is_returning(const struct kcatch_resolved *resolved)
{
	return resolved->ops == &kcatch_hook_ftrace && !resolved->offset && !resolved->entry_only;
}

int kcatch_resolution_hook_returns(struct kcatch_resolution *resolution)
{
	unsigned long places[KCATCH_KPROBE_PLACES];
	struct kcatch_resolved *resolved;
	u32 begin, nr, i;
	int error = 0;

	if (!resolution->returns || !static_key_enabled(&kcatch_returns_public))
		return 0;
	for (begin = 0; !error && begin < resolution->nr; begin += nr) {
		resolved = resolution->found + begin;
		nr = min_t(u32, resolution->nr - begin, ARRAY_SIZE(places));
		for (i = 0; i < nr; i++)
			places[i] = is_returning(&resolved[i]) ? resolved[i].ip : 0;
		error = resolve_wait_for_cpus(resolution) ?: kcatch_kprobe_places(places, nr);
		for (i = 0; !error && i < nr; i++) {
			if (!is_returning(&resolved[i]))
				continue;
			if (places[i])
				resolved[i].ops = &kcatch_hook_kprobe;
			else
				resolved[i].entry_only = true;
		}
		/* Not at once: it may be who loads a module that is waited for. */
		if (!error && begin && fatal_signal_pending(current))
			error = -EINTR;
	}
	return error;
}

void kcatch_resolution_deinit(struct kcatch_resolution *resolution)
{
	kvfree(resolution->found);
	kvfree(resolution->index);
	kcatch_memory_uncharge(room_bytes(resolution->room, resolution->index_room));
	*resolution = (struct kcatch_resolution) { .returns = resolution->returns };
}
