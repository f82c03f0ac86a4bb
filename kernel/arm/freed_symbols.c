// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols of functions that may be freed; see freed_symbols.h. Process context, session->lock held.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <uapi/kcatch.h>
#include "arm/freed_symbols.h"
#include "arm/session.h"
#include "compat/compat.h"
#include "core/module_names.h"
#include "ring/clock.h"
#include "ring/memory.h"

#define NAMED_MAX 16		/* modules of a session whose names are kept */
#define REMEMBERED_MAX 1024	/* modules of which is known where they were, and when */

/* A part: false: the code that stays, true: the init part. */
struct remembered {
	struct list_head list;
	struct kcatch_module_names *names;	/* NULL: others came later */
	const struct module *module;	/* NULL: it was unloaded; to be compared alone */
	u64 since;			/* before that nothing of it was hit */
	u64 until[2];			/* when each part was freed; or U64_MAX */
	unsigned long base[2], size[2];	/* of each part */
	char name[MODULE_NAME_LEN];
};

/* Copies and charges them. NULL: no memory */
static struct remembered *freed_remember(const struct module *module)
{
	struct remembered *remembered = kzalloc(sizeof(*remembered), GFP_KERNEL);
	struct kcatch_module_names *names = kcatch_module_names_read(module);
	int part;

	if (!remembered || !names || !kcatch_memory_charge(sizeof(*remembered) + names->bytes)) {
		kvfree(names);
		kfree(remembered);
		return NULL;
	}
	remembered->names = names;
	remembered->module = module;
	strscpy(remembered->name, module->name, sizeof(remembered->name));
	for (part = 0; part < 2; part++) {
		remembered->until[part] = U64_MAX;
		remembered->size[part] = kcatch_module_text(module, part, &remembered->base[part]);
	}
	return remembered;
}

static void forget_names(struct remembered *remembered)
{
	if (!remembered->names)
		return;
	kcatch_memory_uncharge(remembered->names->bytes);
	kvfree(remembered->names);
	remembered->names = NULL;
}

static void freed_forget(struct remembered *remembered)
{
	list_del(&remembered->list);
	forget_names(remembered);
	kcatch_memory_uncharge(sizeof(*remembered));
	kfree(remembered);
}

static bool is_in(const struct remembered *remembered, int part, unsigned long address)
{
	return address - remembered->base[part] < remembered->size[part];
}

static bool freed_overlap(const struct remembered *one, int part, const struct remembered *two,
			  int other)
{
	return one->size[part] && two->size[other] &&
	       (is_in(one, part, two->base[other]) || is_in(two, other, one->base[part]));
}

/* When it can have come at the earliest: something else was at its place until then. */
static u64 place_was_free(const struct kcatch_session *session, const struct remembered *new)
{
	const struct remembered *old;
	u64 free = 0;
	int i;

	list_for_each_entry(old, &session->names, list)
		for (i = 0; i < 4; i++)
			if (old->until[i / 2] != U64_MAX && freed_overlap(old, i / 2, new, i % 2))
				free = max(free, old->until[i / 2]);
	return free;
}

static struct remembered *freed_loaded(const struct kcatch_session *session,
				       const struct module *module)
{
	struct remembered *remembered;

	lockdep_assert_held(&session->lock);
	list_for_each_entry(remembered, &session->names, list)
		if (remembered->module == module)
			return remembered;
	return NULL;
}

/* The oldest that was unloaded, or the oldest of all; @named: of those whose names are kept. */
static struct remembered *least_useful(const struct kcatch_session *session, bool named)
{
	struct remembered *remembered, *oldest = NULL;

	list_for_each_entry_reverse(remembered, &session->names, list) {
		if (named && !remembered->names)
			continue;
		if (!remembered->module)
			return remembered;
		oldest = oldest ?: remembered;
	}
	return oldest;
}

void kcatch_names_remember(struct kcatch_session *session, const struct module *module, u64 since)
{
	struct remembered *new, *old;
	u32 nr = 0, named = 0;

	if (freed_loaded(session, module))
		return;
	new = freed_remember(module);
	if (!new)
		return;
	new->since = since ?: place_was_free(session, new);
	session->changed = max(session->changed, since);
	/* Newest first: of two modules at one address, the last one is found. */
	list_add(&new->list, &session->names);
	list_for_each_entry(old, &session->names, list) {
		nr++;
		named += !!old->names;
	}
	if (named > NAMED_MAX)
		forget_names(least_useful(session, true));
	if (nr <= REMEMBERED_MAX)
		return;
	old = least_useful(session, false);
	/* U64_MAX for one that is loaded: nobody would learn when it goes. */
	session->names_unknown = max(session->names_unknown, old->until[false]);
	freed_forget(old);
}

void kcatch_names_freed(struct kcatch_session *session, const struct module *module, bool init)
{
	struct remembered *remembered = freed_loaded(session, module);
	u64 now = kcatch_clock_read();

	if (!remembered)
		return;
	session->changed = now;
	remembered->until[true] = min(remembered->until[true], now);
	if (init)
		return;
	remembered->until[false] = now;
	remembered->module = NULL;
}

void kcatch_names_find(const struct kcatch_session *session, struct kcatch_symbol *symbol)
{
	const struct remembered *remembered;

	lockdep_assert_held(&session->lock);
	list_for_each_entry(remembered, &session->names, list)
		if (remembered->names && kcatch_module_names_find(remembered->names, symbol))
			return;
}

bool kcatch_names_find_then(const struct kcatch_session *session, struct kcatch_symbol *symbol,
			    u64 time)
{
	const struct remembered *remembered;

	lockdep_assert_held(&session->lock);
	list_for_each_entry(remembered, &session->names, list) {
		bool init = is_in(remembered, true, symbol->address);

		if (remembered->names && time >= remembered->since &&
		    time <= remembered->until[init] &&
		    kcatch_module_names_find(remembered->names, symbol))
			return true;
	}
	return false;
}

/* Was the address in a part of it that has been freed since? */
static bool was_at(const struct remembered *remembered, unsigned long address, u64 time)
{
	int part;

	for (part = 0; part < 2; part++)
		if (is_in(remembered, part, address) && remembered->until[part] != U64_MAX)
			return time >= remembered->since && time <= remembered->until[part];
	return false;
}

bool kcatch_names_came_later(const struct kcatch_session *session,
			     const struct kcatch_symbol *symbol, u64 time)
{
	const struct remembered *remembered;

	lockdep_assert_held(&session->lock);
	if (session->names_unknown && time <= session->names_unknown)
		return true;
	list_for_each_entry(remembered, &session->names, list) {
		if (remembered->module && time < remembered->since &&
		    !strcmp(remembered->name, symbol->module))
			return true;
		if (!remembered->names && was_at(remembered, symbol->address, time))
			return true;
	}
	return false;
}

void kcatch_names_forget(struct kcatch_session *session)
{
	struct remembered *remembered, *next;

	list_for_each_entry_safe(remembered, next, &session->names, list)
		freed_forget(remembered);
}
