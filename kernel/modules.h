/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The loaded modules, as hooks may look at them in any context.
 *
 * The kernel's own list is walked under RCU, which hooks cannot rely on, and
 * its lookup by address is not exported. This is a copy of it, kept by the
 * module notifier and protected by kcatch_quiesce().
 */
#ifndef _KCATCH_MODULES_H
#define _KCATCH_MODULES_H

#include <linux/module.h>

int kcatch_modules_init(void);
void kcatch_modules_exit(void);

/**
 * kcatch_module_at() - the module an address belongs to
 * @address: any
 *
 * Context: inside a hook, that is between kcatch_guard_enter() and
 * kcatch_guard_leave(); what is returned is good until then.
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

/** kcatch_module_range() - does @address lie where modules are loaded */
static inline bool kcatch_module_range(unsigned long address)
{
	return address >= MODULES_VADDR && address < MODULES_END;
}

#endif
