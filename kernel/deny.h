/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that the kernel would let us hook and that must not be hooked.
 */
#ifndef _KCATCH_DENY_H
#define _KCATCH_DENY_H

#include <linux/types.h>

/** kcatch_deny_init() - makes the lists ready. Context: before anything is armed */
void kcatch_deny_init(void);

/** kcatch_is_deadly() - hooking @name brings the machine down */
bool kcatch_is_deadly(const char *name);

/** kcatch_is_deadly_return() - hooking the return of @name brings the machine down */
bool kcatch_is_deadly_return(const char *name);

/**
 * kcatch_is_own_tool() - a hit calls @name itself
 *
 * If it is requested by name it is hooked, and our own calls of it count as missed; patterns
 * skip it.
 */
bool kcatch_is_own_tool(const char *name);

#endif
