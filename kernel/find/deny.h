/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that the kernel would let us hook and that must not be hooked, or with care.
 */
#ifndef _KCATCH_DENY_H
#define _KCATCH_DENY_H

#include <linux/types.h>

/** kcatch_deny_init() - makes the lists ready. Context: before anything is armed */
void kcatch_deny_init(void);

/* Hooking the function brings the machine down. */
#define KCATCH_NAME_DEADLY		(1U << 0)
/* Hooking its return does. */
#define KCATCH_NAME_DEADLY_RETURN	(1U << 1)
/* A hit calls it itself. If it is requested by name it is hooked, and our own calls of it count as
 * missed; patterns skip it. */
#define KCATCH_NAME_OWN_TOOL		(1U << 2)
/* The kernel calls it for each place that it hooks or unhooks. */
#define KCATCH_NAME_TEXT_TOOL		(1U << 3)

/* Not of the name: it is one of kcatch's own. */
#define KCATCH_NAME_OURS		(1U << 7)

#define KCATCH_NAME_KINDS	(KCATCH_NAME_DEADLY | KCATCH_NAME_DEADLY_RETURN |		\
				 KCATCH_NAME_OWN_TOOL | KCATCH_NAME_TEXT_TOOL | KCATCH_NAME_OURS)

/* Letters that kcatch_name_may_have_kinds() reads. */
#define KCATCH_NAME_BEGINNING	4

/** kcatch_name_may_have_kinds() - is there a name with kinds that begins alike? Context: any */
bool kcatch_name_may_have_kinds(const char *name);

/** kcatch_name_kinds() - KCATCH_NAME_* of a function. Context: any */
u32 kcatch_name_kinds(const char *name);

#endif
