// SPDX-License-Identifier: GPL-2.0-only
/*
 * The copy of the list of modules. It is replaced as a whole when a module is loaded or unloaded;
 * table_lock serialises the replacements, which sleep. Hooks read it in any context, under the
 * guard, without a lock. Memory: 8 bytes a module.
 */
#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include "compat/compat.h"
#include "core/assert.h"
#include "core/guard.h"
#include "core/module_names.h"
#include "core/modules.h"
#include "core/robust.h"

struct table {
	unsigned int nr;
	struct module *modules[];
};

static struct table *table;		/* read by hooks */
static DEFINE_MUTEX(table_lock);	/* serialises its replacement */
static atomic_t generation;
static atomic_t changes;

u32 kcatch_modules_generation(void)
{
	return atomic_read_acquire(&generation);
}

u32 kcatch_modules_changes(void)
{
	return atomic_read_acquire(&changes);
}

struct module *kcatch_module_at(unsigned long address)
{
	struct table *now = READ_ONCE(table);
	unsigned int i;

	kcatch_assert(kcatch_guard_held());
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

	/* modules_replace() frees the table only when no guard is held. */
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

bool kcatch_modules_have_percpu(unsigned long address)
{
	/* modules_replace() frees the table only when nobody is outside. */
	u32 busy = kcatch_outside_enter();
	const struct table *now = READ_ONCE(table);
	unsigned int i;
	bool has = false;

	for (i = 0; now && i < now->nr && !has; i++)
		has = kcatch_module_owns_percpu(now->modules[i], address);
	kcatch_outside_leave(busy);
	return has;
}

static bool modules_is_code(const struct module *module, unsigned long address)
{
	unsigned long begin, bytes = kcatch_module_text(module, false, &begin);

	if (address - begin < bytes)
		return true;
	bytes = kcatch_module_text(module, true, &begin);
	return address - begin < bytes;
}

/* The @nth symbol of a module's code with this name, or 0; @nth goes down by those that were
 * found. */
static unsigned long symbol_of(struct module *module, const char *name, unsigned int *nth)
{
	const struct mod_kallsyms *symbols;
	unsigned long address = 0, at;
	unsigned int i;

	/* While the module initialises it has more of them, freed after a grace period. */
	rcu_read_lock_sched();
	symbols = rcu_dereference_sched(module->kallsyms);
	for (i = 1; symbols && i < symbols->num_symtab && !address; i++) {
		if (symbols->symtab[i].st_shndx == SHN_UNDEF ||
		    strcmp(symbols->strtab + symbols->symtab[i].st_name, name) != 0)
			continue;
		at = kallsyms_symbol_value(&symbols->symtab[i]);
		if (modules_is_code(module, at) && !(*nth)--)
			address = at;
	}
	rcu_read_unlock_sched();
	return address;
}

unsigned long kcatch_modules_symbol(const char *name, unsigned int nth)
{
	const char *colon = strchr(name, ':');
	unsigned long address = 0;
	unsigned int i;

	mutex_lock(&table_lock);	/* none of them goes meanwhile */
	for (i = 0; table && i < table->nr && !address; i++) {
		struct module *module = table->modules[i];

		if (!colon)
			address = symbol_of(module, name, &nth);
		else if (!strncmp(module->name, name, colon - name) &&
			 !module->name[colon - name])
			address = symbol_of(module, colon + 1, &nth);
	}
	mutex_unlock(&table_lock);
	return address;
}

static int modules_by_address(const void *a, const void *b)
{
	const struct module *x = *(struct module *const *)a, *y = *(struct module *const *)b;
	unsigned long begin, other;

	kcatch_module_text(x, false, &begin);
	kcatch_module_text(y, false, &other);
	return begin < other ? -1 : begin > other;
}

int kcatch_modules_each(int (*visit)(struct module *module, void *data), void *data)
{
	struct module **sorted;
	unsigned int i, nr;
	int error = 0;

	mutex_lock(&table_lock);	/* none of them goes meanwhile */
	nr = table ? table->nr : 0;
	sorted = kvmalloc_array(nr + 1, sizeof(*sorted), GFP_KERNEL);
	if (!sorted)
		error = -ENOMEM;
	if (!error && nr) {
		memcpy(sorted, table->modules, nr * sizeof(*sorted));
		sort(sorted, nr, sizeof(*sorted), modules_by_address, NULL);
	}
	for (i = 0; !error && i < nr; i++)
		if (!i || sorted[i] != sorted[i - 1])
			error = visit(sorted[i], data);
	mutex_unlock(&table_lock);
	kvfree(sorted);
	return error;
}

struct kcatch_module_names *kcatch_modules_names_at(unsigned long address)
{
	struct kcatch_module_names *names = NULL;
	unsigned int i;

	mutex_lock(&table_lock);	/* it does not go meanwhile */
	for (i = 0; table && i < table->nr; i++) {
		if (within_module(address, table->modules[i])) {
			names = kcatch_module_names_read(table->modules[i]);
			break;
		}
	}
	mutex_unlock(&table_lock);
	return names;
}

static int modules_replace(struct module *without, struct module *with)
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

/* Removes a module. Without memory for a shorter table, its entry is overwritten with our own
 * module, which may then stand in the table twice. */
static void modules_forget(struct module *module)
{
	unsigned int i;

	if (!modules_replace(module, NULL) || !table)
		return;
	for (i = 0; i < table->nr; i++)
		if (table->modules[i] == module)
			WRITE_ONCE(table->modules[i], THIS_MODULE);
	kcatch_quiesce();
}

void kcatch_module_comes(struct module *module)
{
	mutex_lock(&table_lock);
	if (modules_replace(NULL, module))
		pr_warn("kcatch: no memory to note module %s: stacks through it take the slow path\n",
			module->name);
	atomic_inc(&changes);
	mutex_unlock(&table_lock);
}

void kcatch_module_goes(struct module *module)
{
	atomic_inc(&generation);
	mutex_lock(&table_lock);
	modules_forget(module);
	atomic_inc(&changes);
	mutex_unlock(&table_lock);
}

static void modules_note(struct table *new, struct module *module)
{
	unsigned int i;

	for (i = 0; i < new->nr; i++)
		if (new->modules[i] == module)
			return;
	new->modules[new->nr++] = module;
}

/*
 * Adds the modules that were loaded before kcatch to those that the notifier has added already. The
 * kernel's list is not exported, but it is a ring, and our own struct module is a member of it. Its
 * head is the only member that is not in the memory of modules.
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
		modules_note(new, old->modules[i]);
	modules_note(new, THIS_MODULE);
	rcu_read_lock_sched();
	for (at = READ_ONCE(THIS_MODULE->list.next); at != &THIS_MODULE->list && new->nr < room;
	     at = READ_ONCE(at->next)) {
		struct module *module = list_entry(at, struct module, list);

		if (kcatch_module_range((unsigned long)at) &&
		    READ_ONCE(module->state) == MODULE_STATE_LIVE)
			modules_note(new, module);
	}
	rcu_read_unlock_sched();
	smp_store_release(&table, new);
	kcatch_quiesce();
	kfree(old);
	return 0;
}

int kcatch_modules_init(void)
{
	int error;

	kcatch_text_init();
	kcatch_robust_add(&table_lock);
	/* A module that is unloaded meanwhile is not LIVE, or its notifier waits for the lock. */
	mutex_lock(&table_lock);
	error = note_loaded();
	mutex_unlock(&table_lock);
	return error;
}

void kcatch_modules_exit(void)
{
	kfree(table);
	table = NULL;
}
