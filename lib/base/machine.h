/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* machine.h - facts about this machine, read from procfs, sysfs, debugfs and tracefs */
#ifndef LIB_BASE_MACHINE_H
#define LIB_BASE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * kcatch_machine_lockdown - read the kernel's lockdown level
 * @level: set to "none", "integrity" or "confidentiality"; "": not known
 * @room: size of @level, bytes; 16 suffice
 */
void kcatch_machine_lockdown(char *level, size_t room);

/**
 * kcatch_machine_tracefs - find the mount point of tracefs
 *
 * Return: its path, a constant; NULL: not mounted at one of the two usual places.
 */
const char *kcatch_machine_tracefs(void);

/**
 * kcatch_machine_shares_numbers - are processes numbered here as the kernel numbers them?
 *
 * Records have the numbers of the first PID namespace. In another one, as in a container without
 * --pid=host, /proc shows other processes by these numbers.
 *
 * Return: whether /proc and records mean the same. Asked once; any thread may call this.
 */
bool kcatch_machine_shares_numbers(void);

/**
 * kcatch_machine_number - read a number from a file of procfs or sysfs
 * @path: the file
 *
 * Return: the number, 0 to INT32_MAX; -1: the file cannot be read or holds no such number.
 */
int kcatch_machine_number(const char *path);

/**
 * kcatch_machine_module_goes - check whether a module is being unloaded
 * @name: the module's name, with underscores
 *
 * Return: whether its exit has begun; false when it has gone.
 */
bool kcatch_machine_module_goes(const char *name);

/**
 * kcatch_machine_module_ready - check whether a module is loaded, and its init has ended
 * @name: the module's name, with underscores
 *
 * Return: whether it is; false too while it comes or goes.
 */
bool kcatch_machine_module_ready(const char *name);

/**
 * kcatch_machine_module_loaded - check whether a module is loaded
 * @name: the module's name, with underscores
 *
 * Return: whether it is; false for code that is built into the kernel, and for a module that is
 * being unloaded.
 */
bool kcatch_machine_module_loaded(const char *name);

/**
 * kcatch_machine_open_tracefs - open a file of tracefs for reading
 * @name: the file's path below tracefs
 * @knows: what the file lists, for the error text: "what can be traced"
 * @file: set to the file, with a buffer of 64 KB, to be closed with fclose()
 *
 * Return: 0; with an error text: -ENODEV: tracefs is not mounted; -EACCES: not root; another
 * -errno.
 */
int kcatch_machine_open_tracefs(const char *name, const char *knows, FILE **file);

/**
 * kcatch_machine_hidden_text - why /proc/kallsyms has no addresses for this process
 *
 * Return: the end of an error text: the reason and what to do.
 */
const char *kcatch_machine_hidden_text(void);

/**
 * kcatch_machine_kprobes - check whether kprobes are switched on in debugfs
 *
 * Return: 1: on; 0: the administrator has switched all kprobes off, so none hits; -1: not
 * known, for example because debugfs is not mounted.
 */
int kcatch_machine_kprobes(void);

#endif
