/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Handles modules that are loaded and unloaded while kcatch is loaded.
 */
#ifndef _KCATCH_MODULE_NOTIFIER_H
#define _KCATCH_MODULE_NOTIFIER_H

/**
 * kcatch_module_notifier_init() - register the notifiers, and note the modules that are loaded
 *
 * Context: may sleep; after kcatch_ktrace_event_init(). Return: 0 or -errno
 */
int kcatch_module_notifier_init(void);
/** kcatch_module_notifier_exit() - unregister them. Context: may sleep */
void kcatch_module_notifier_exit(void);

#endif
