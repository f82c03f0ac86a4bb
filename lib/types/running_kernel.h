/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * running_kernel.h - the BTF of the running kernel, once for all sessions of a process
 *
 * It takes some 7 MB and never changes, and a process may have many sessions: `kcatch metrics`
 * has one for each rule.
 */
#ifndef LIB_TYPES_RUNNING_KERNEL_H
#define LIB_TYPES_RUNNING_KERNEL_H

#include <stdbool.h>

#include "types/btf_data.h"

#define KCATCH_BTF_DIRECTORY "/sys/kernel/btf"	/* types of the running kernel and its modules */
#define KCATCH_BTF_KERNEL "vmlinux"		/* the kernel's own file in such a directory */

/**
 * kcatch_running_kernel_get - get the types of the running kernel
 * @btf: receives them; give them back with kcatch_running_kernel_put()
 *
 * The first user reads them. Any thread may call this at any time.
 *
 * Return: as kcatch_btf_open().
 */
int kcatch_running_kernel_get(struct kcatch_btf **btf);

/**
 * kcatch_running_kernel_has - are types those of the running kernel, each of them?
 * @btf: the types, or those of a module
 *
 * Any thread may call this at any time.
 *
 * Return: true if they are; false: they are not, or it is not known.
 */
bool kcatch_running_kernel_has(const struct kcatch_btf *btf);

/** kcatch_running_kernel_put - the last user frees them. Any thread may call this. */
void kcatch_running_kernel_put(void);

#endif
