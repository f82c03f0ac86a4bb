/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* diagnose.h - why a function cannot be caught, and what to try */
#ifndef LIB_DIAGNOSE_H
#define LIB_DIAGNOSE_H

#include "symbols.h"
#include "target.h"

/**
 * kcatch_diagnose - set the error text for a target that was refused
 * @spec: the target
 * @error: errno, positive or negative
 * @symbols: to look sizes up; may be NULL
 *
 * Reads what it needs (kallsyms, the kprobe blacklist, type information,
 * module lists): slow, for a person who waits.
 *
 * Return: -@error.
 */
int kcatch_diagnose(const struct kcatch_target_spec *spec, int error,
		    struct kcatch_symbols *symbols);

#endif
