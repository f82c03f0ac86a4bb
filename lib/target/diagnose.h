/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* diagnose.h - why a function cannot be caught, and the remedy */
#ifndef LIB_TARGET_DIAGNOSE_H
#define LIB_TARGET_DIAGNOSE_H

#include "symbols/symbols.h"
#include "target/target.h"

/**
 * kcatch_diagnose - set the error text for a target that was refused
 * @spec: the target
 * @error: errno, positive or negative
 * @symbols: used to look up function sizes; may be NULL
 *
 * Reads kallsyms, the kprobe blacklist, type information and module lists as needed. This is
 * slow and meant for interactive use.
 *
 * Return: -@error.
 */
int kcatch_diagnose(const struct kcatch_target_spec *spec, int error,
		    struct kcatch_symbols *symbols);

#endif
