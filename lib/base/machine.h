/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* machine.h - facts about this machine, each read where the kernel shows it */
#ifndef LIB_BASE_MACHINE_H
#define LIB_BASE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * kcatch_machine_lockdown - the kernel's lockdown level
 * @level: "none", "integrity", "confidentiality", "" when not known
 * @room: bytes at @level
 */
void kcatch_machine_lockdown(char *level, size_t room);

/**
 * kcatch_machine_tracefs - where tracefs is mounted
 *
 * Return: a path, NULL when nowhere.
 */
const char *kcatch_machine_tracefs(void);

/**
 * kcatch_machine_number - a number in a file of procfs or sysfs
 * @path: the file
 *
 * Return: the number, -1 when there is none.
 */
int kcatch_machine_number(const char *path);

/**
 * kcatch_machine_module_loaded - is a module in the kernel
 * @name: module name, underscores
 *
 * Return: whether it is.
 */
bool kcatch_machine_module_loaded(const char *name);

/**
 * kcatch_machine_open_tracefs - open a list that tracefs has
 * @name: of the file
 * @knows: what it knows, for the message: "what can be traced"
 * @file: the file, to be closed
 *
 * Return: 0; -ENODEV tracefs is not mounted; -EACCES; another -errno, with an error text.
 */
int kcatch_machine_open_tracefs(const char *name, const char *knows, FILE **file);

/**
 * kcatch_machine_kprobes - does a kprobe that is armed hit
 *
 * Return: 0: the administrator has switched all off, in debugfs; 1; -1: not known, as
 * without debugfs.
 */
int kcatch_machine_kprobes(void);

#endif
