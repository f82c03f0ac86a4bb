/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NMIs to other CPUs: there are none here.
 */
#ifndef _KCATCH_STACK9_NMI_H
#define _KCATCH_STACK9_NMI_H

#include <linux/types.h>

static inline bool kcatch_nmi_possible(void)
{
	return false;
}

static inline void kcatch_nmi_send(unsigned int cpu)
{
}

/* What a handler returns. */
enum { NMI_DONE, NMI_HANDLED };

#define kcatch_nmi_register(handler)	((void)(handler), -EOPNOTSUPP)
#define kcatch_nmi_unregister()		do { } while (0)

#endif
