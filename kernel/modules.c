// SPDX-License-Identifier: GPL-2.0-only
/*
 * A copy of the list of modules, replaced as a whole whenever one comes or
 * goes. The notifier runs in process context and may sleep.
 */
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "context.h"
#include "event.h"
#include "ktrace.h"
#include "modules.h"
#include "orc.h"
#include "pending.h"
#include "probe.h"

struct table {
	unsigned int nr;
	struct module *modules[];
};

static struct table *table;		/* read by hooks */
static DEFINE_MUTEX(table_lock);	/* serialises its replacement */

struct module *kcatch_module_at(unsigned long address)
{
	struct table *now = READ_ONCE(table);
	unsigned int i;

	if (!now)
		return NULL;
	for (i = 0; i < now->nr; i++)
		if (within_module(address, now->modules[i]))
			return now->modules[i];
	return NULL;
}

bool kcatch_module_has(unsigned long address, const char *name)
{
	struct kcatch_guard guard;
	struct module *module;
	bool has;

	/* The guard is what a new table waits for. */
	kcatch_guard_enter(&guard);
	module = kcatch_module_at(address);
	has = module && (!name || !strcmp(module->name, name)) &&
	      READ_ONCE(module->state) != MODULE_STATE_GOING &&
	      !(READ_ONCE(module->state) == MODULE_STATE_LIVE &&
		within_module_init(address, module));
	if (guard.level != KCATCH_LEVEL_REFUSED)
		kcatch_guard_leave(&guard);
	else
		preempt_enable_notrace();
	return has;
}

static int replace(struct module *without, struct module *with)
{
	struct table *old = table, *new;
	unsigned int i, nr = 0;

	lockdep_assert_held(&table_lock);
	new = kmalloc(struct_size(new, modules, (old ? old->nr : 0) + 1), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	for (i = 0; old && i < old->nr; i++)
		if (old->modules[i] != without && old->modules[i] != with)
			new->modules[nr++] = old->modules[i];
	if (with)
		new->modules[nr++] = with;
	new->nr = nr;
	smp_store_release(&table, new);
	kcatch_quiesce();
	kfree(old);
	return 0;
}

/* Without memory to build a shorter table, the entry is taken out in place:
 * a reader may then miss one module for a moment, but never sees a dead one. */
static void forget(struct module *module)
{
	unsigned int i;

	if (!replace(module, NULL))
		return;
	for (i = 0; i < table->nr; i++)
		if (table->modules[i] == module)
			WRITE_ONCE(table->modules[i], THIS_MODULE);
	kcatch_quiesce();
}

static int module_changed(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *module = data;

	switch (state) {
	case MODULE_STATE_LIVE:
		/* Its init text is about to be freed. */
		kcatch_probes_text_gone(module, true);
		fallthrough;
	case MODULE_STATE_COMING:
		/* Its addresses may have been another module's. */
		mutex_lock(&table_lock);
		kcatch_orc_forget(module);
		if (replace(NULL, module))
			pr_warn("kcatch: no memory to note module %s: stacks through it take the slow way\n",
				module->name);
		mutex_unlock(&table_lock);
		if (state == MODULE_STATE_COMING) {
			kcatch_event_module_comes(module);
			kcatch_pending_module_coming(module);
			kcatch_ktracefs_update();
		}
		break;
	case MODULE_STATE_GOING:
		/* First out of the table: a probe that is being placed looks
		 * there, under the lock that letting go takes. */
		mutex_lock(&table_lock);
		forget(module);
		kcatch_orc_forget(module);
		mutex_unlock(&table_lock);
		kcatch_probes_text_gone(module, false);
		kcatch_event_module_goes(module);
		kcatch_ktracefs_update();
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block notifier = { .notifier_call = module_changed };

static void note(struct table *new, struct module *module)
{
	unsigned int i;

	for (i = 0; i < new->nr; i++)
		if (new->modules[i] == module)
			return;
	new->modules[new->nr++] = module;
}

/*
 * The modules that were here before us, beside those the notifier has noted
 * already. The kernel's list is a ring of which our own struct module is a
 * member; its head is the one member that does not lie in a module's memory.
 */
static int note_loaded(void)
{
	struct table *old = table, *new;
	unsigned int i, room = 16 + (old ? old->nr : 0);
	struct list_head *at;

	lockdep_assert_held(&table_lock);
	rcu_read_lock_sched();
	for (at = READ_ONCE(THIS_MODULE->list.next); at != &THIS_MODULE->list;
	     at = READ_ONCE(at->next))
		room++;
	rcu_read_unlock_sched();
	new = kzalloc(struct_size(new, modules, room), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	for (i = 0; old && i < old->nr; i++)
		note(new, old->modules[i]);
	note(new, THIS_MODULE);
	rcu_read_lock_sched();
	for (at = READ_ONCE(THIS_MODULE->list.next); at != &THIS_MODULE->list && new->nr < room;
	     at = READ_ONCE(at->next)) {
		struct module *module = list_entry(at, struct module, list);

		if (kcatch_module_range((unsigned long)at) &&
		    READ_ONCE(module->state) == MODULE_STATE_LIVE)
			note(new, module);
	}
	rcu_read_unlock_sched();
	smp_store_release(&table, new);
	kcatch_quiesce();
	kfree(old);
	return 0;
}

int kcatch_modules_init(void)
{
	int error = register_module_notifier(&notifier);

	if (error)
		return error;
	/* One that goes meanwhile is seen as going, or waits for the lock. */
	mutex_lock(&table_lock);
	error = note_loaded();
	mutex_unlock(&table_lock);
	if (error)
		unregister_module_notifier(&notifier);
	return error;
}

void kcatch_modules_exit(void)
{
	unregister_module_notifier(&notifier);
	kfree(table);
	table = NULL;
}
