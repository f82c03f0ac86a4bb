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
 * Context: any, inside a hook (kcatch_guard_enter()), or with a reference that
 * keeps the module.
 * Return: the module, or NULL
 */
struct module *kcatch_module_at(unsigned long address);

#endif
