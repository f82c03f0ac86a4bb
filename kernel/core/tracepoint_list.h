/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints by name.
 */
#ifndef _KCATCH_TRACEPOINT_LIST_H
#define _KCATCH_TRACEPOINT_LIST_H

struct module;
struct tracepoint;

/**
 * kcatch_tracepoints_each() - call a function for each of the kernel's, without those of modules
 * @look: the function
 * @data: its second argument
 *
 * Context: may sleep. Return: false: this kernel does not tell which it has
 */
bool kcatch_tracepoints_each(void (*look)(struct tracepoint *tracepoint, void *data), void *data);

/**
 * kcatch_tracepoint_find() - find the tracepoints with a name
 * @name: without the system
 * @found: called for each; ends the search when it does not return 0
 * @data: argument of @found
 *
 * Context: may sleep. Return: 0, what @found returned, -ENOENT
 */
int kcatch_tracepoint_find(const char *name,
			   int (*found)(struct tracepoint *tracepoint, void *data), void *data);

/** kcatch_tracepoint_list_init() - before modules are noted. Context: while kcatch is loaded */
void kcatch_tracepoint_list_init(void);

/**
 * kcatch_tracepoints_module_comes() - add the tracepoints of a module
 * kcatch_tracepoints_module_goes() - remove them
 *
 * Context: the tracepoint module notifier, may sleep.
 */
void kcatch_tracepoints_module_comes(struct module *module);
void kcatch_tracepoints_module_goes(struct module *module);

#endif
