// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols of functions that may be freed; see freed_symbols.h. Process context, session->lock held.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <uapi/kcatch.h>
#include "ring/memory.h"
#include "freed_symbols.h"
#include "module_names.h"
#include "session.h"

#define REMEMBERED_MAX 16	/* modules of a session */

struct remembered {
	struct list_head list;
	struct kcatch_module_names *names;
};

/* Copies and charges them. NULL: no memory */
static struct remembered *remember(const struct module *module)
{
	struct remembered *remembered = kmalloc(sizeof(*remembered), GFP_KERNEL);
	struct kcatch_module_names *names = kcatch_module_names_read(module);

	if (!remembered || !names || !kcatch_memory_charge(names->bytes)) {
		kvfree(names);
		kfree(remembered);
		return NULL;
	}
	remembered->names = names;
	return remembered;
}

static void forget(struct remembered *remembered)
{
	list_del(&remembered->list);
	kcatch_memory_uncharge(remembered->names->bytes);
	kvfree(remembered->names);
	kfree(remembered);
}

void kcatch_names_remember(struct kcatch_session *session, const struct module *module)
{
	struct remembered *new = remember(module), *old, *next;
	u32 nr = 0;

	lockdep_assert_held(&session->lock);
	if (!new)
		return;
	/* Newest first: of two modules at one address, the last one is found. */
	list_add(&new->list, &session->names);
	list_for_each_entry_safe(old, next, &session->names, list)
		if (++nr > REMEMBERED_MAX)
			forget(old);
}

void kcatch_names_find(const struct kcatch_session *session, struct kcatch_symbol *symbol)
{
	const struct remembered *remembered;

	lockdep_assert_held(&session->lock);
	list_for_each_entry(remembered, &session->names, list)
		if (kcatch_module_names_find(remembered->names, symbol))
			return;
}

void kcatch_names_forget(struct kcatch_session *session)
{
	struct remembered *remembered, *next;

	list_for_each_entry_safe(remembered, next, &session->names, list)
		forget(remembered);
}
