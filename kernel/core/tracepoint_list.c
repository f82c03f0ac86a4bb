// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which tracepoints there are: the kernel's, and those of loaded modules, which the
 * tracepoint module notifier tells of. Process context; owners_lock. Memory: 32 bytes a
 * module that has any.
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include "compat/private.h"
#include "core/robust.h"
#include "core/tracepoint_list.h"

/* Modules that have tracepoints. */
struct owner {
	struct list_head list;
	struct module *module;
};

static LIST_HEAD(owners);
static DEFINE_MUTEX(owners_lock);

struct search {
	const char *name;
	int (*found)(struct tracepoint *tracepoint, void *data);
	void *data;
	int result;
};

static void tracepoints_look_at(struct tracepoint *tracepoint, void *data)
{
	struct search *search = data;
	int result;

	if ((search->result && search->result != -ENOENT && search->result != -EOPNOTSUPP) ||
	    strcmp(tracepoint->name, search->name))
		return;
	result = search->found(tracepoint, search->data);
	/* One whose module goes does not undo another that was found. */
	if (result != -ENOENT)
		search->result = result;
}

/* An export that nothing in the kernel's own tree needs. */
extern typeof(for_each_kernel_tracepoint) for_each_kernel_tracepoint __weak;

bool kcatch_tracepoints_each(void (*look)(struct tracepoint *tracepoint, void *data), void *data)
{
	if (!kcatch_private_has(for_each_kernel_tracepoint))
		return false;
	for_each_kernel_tracepoint(look, data);
	return true;
}

int kcatch_tracepoint_find(const char *name,
			   int (*found)(struct tracepoint *tracepoint, void *data), void *data)
{
	struct search search = {
		.name = name, .found = found, .data = data, .result = -ENOENT,
	};
	struct owner *owner;
	int i;

	/* It may be the kernel's, so that it is not known whether there is one. */
	if (!kcatch_tracepoints_each(tracepoints_look_at, &search))
		search.result = -EOPNOTSUPP;
	mutex_lock(&owners_lock);
	list_for_each_entry(owner, &owners, list)
		for (i = 0; i < owner->module->num_tracepoints; i++)
			tracepoints_look_at(
				tracepoint_ptr_deref(&owner->module->tracepoints_ptrs[i]), &search);
	mutex_unlock(&owners_lock);
	return search.result;
}

void kcatch_tracepoints_module_goes(struct module *module)
{
	struct owner *owner, *next;

	mutex_lock(&owners_lock);
	list_for_each_entry_safe(owner, next, &owners, list)
		if (owner->module == module) {
			list_del(&owner->list);
			kfree(owner);
		}
	mutex_unlock(&owners_lock);
}

void kcatch_tracepoints_module_comes(struct module *module)
{
	struct owner *owner = kmalloc(sizeof(*owner), GFP_KERNEL);

	if (!owner) {
		pr_warn("kcatch: no memory to note the tracepoints of module %s\n", module->name);
		return;
	}
	owner->module = module;
	mutex_lock(&owners_lock);
	list_add_tail(&owner->list, &owners);
	mutex_unlock(&owners_lock);
}

void kcatch_tracepoint_list_init(void)
{
	kcatch_robust_add(&owners_lock);
	if (!kcatch_private_has(for_each_kernel_tracepoint))
		pr_notice("kcatch: this kernel does not tell which tracepoints it has: events (-e), --children and what freezes a recorder by one are refused\n");
}
