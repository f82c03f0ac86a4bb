/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of loaded modules, readable by hooks in any context.
 *
 * The kernel's own list is read under RCU, which hooks cannot rely on, and its lookup by
 * address is not exported. This is a copy of the list, maintained by module_notifier.c and
 * protected by kcatch_quiesce().
 */
#ifndef _KCATCH_MODULES_H
#define _KCATCH_MODULES_H

#include <linux/module.h>
#include "core/text.h"

struct kcatch_module_names;

/**
 * kcatch_modules_init() - copy the list of loaded modules
 *
 * The module notifier is registered before, so that none comes or goes unseen, and is
 * unregistered before kcatch_modules_exit().
 *
 * Context: may sleep. Return: 0 or -ENOMEM
 */
int kcatch_modules_init(void);
void kcatch_modules_exit(void);

/**
 * kcatch_module_comes() - add a module with its present memory
 * kcatch_module_goes() - remove it: no hook reads it when this returns
 *
 * Context: the module notifier, may sleep.
 */
void kcatch_module_comes(struct module *module);
void kcatch_module_goes(struct module *module);

/**
 * kcatch_module_at() - the module an address belongs to
 * @address: any
 *
 * Context: inside a hook, that is between kcatch_guard_enter() and
 * kcatch_guard_leave(), or between kcatch_outside_enter() and kcatch_outside_leave();
 * the result is valid until then.
 * Return: the module, or NULL
 */
struct module *kcatch_module_at(unsigned long address);

/**
 * kcatch_module_has() - does an address belong to a module, and will it go on to
 * @address: any
 * @name: of the module; NULL: any module
 *
 * The init part of a module that is live is about to be freed, and is no more.
 *
 * Context: process.
 */
bool kcatch_module_has(unsigned long address, const char *name);

/**
 * kcatch_modules_have_percpu() - does a per-CPU variable belong to a module
 * @address: as symbols have it
 *
 * Context: process.
 */
bool kcatch_modules_have_percpu(unsigned long address);

/**
 * kcatch_modules_symbol() - address of a symbol of a loaded module's code
 * @name: [module:]symbol
 * @nth: 0 for the first symbol of this name, 1 for the next, ...
 *
 * Reads the symbol tables of all modules: milliseconds.
 *
 * Context: may sleep. Return: the address; 0: there are no more
 */
unsigned long kcatch_modules_symbol(const char *name, unsigned int nth);

/**
 * kcatch_modules_each() - visit all modules, in order of their code's address
 * @visit: may sleep; what it returns other than 0 ends it
 * @data: for @visit
 *
 * No module comes or goes meanwhile.
 *
 * Context: may sleep. Return: 0, -ENOMEM, or what @visit returned
 */
int kcatch_modules_each(int (*visit)(struct module *module, void *data), void *data);

/**
 * kcatch_modules_names_at() - the names of the module that an address belongs to
 * @address: any
 *
 * Context: may sleep. Return: as kcatch_module_names_read(); NULL too: no module is there
 */
struct kcatch_module_names *kcatch_modules_names_at(unsigned long address);

/**
 * kcatch_modules_changes() - changes whenever a module has come, has run its init, or goes
 *
 * What was found by kcatch_modules_each() and its like is what there is, as long as this is what it
 * was before.
 *
 * Context: any.
 */
u32 kcatch_modules_changes(void);

/**
 * kcatch_modules_generation() - changes whenever a module goes
 *
 * An address in a module that was looked up under the same generation is still that
 * module's: nothing else has taken its place.
 *
 * Context: any.
 */
u32 kcatch_modules_generation(void);

#endif
