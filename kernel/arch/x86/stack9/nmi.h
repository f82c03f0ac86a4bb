/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NMIs to other CPUs.
 */
#ifndef _KCATCH_STACK9_NMI_H
#define _KCATCH_STACK9_NMI_H

#include <linux/cpumask.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include "compat/private.h"

/* Can NMIs be sent to other CPUs? By the function that the kernel's interrupt controller has, which
 * stack_api_running.c tries. */
#if defined(CONFIG_X86_LOCAL_APIC) && defined(KCATCH_HAVE_SEND_IPI_MASK)
extern typeof(apic) apic __weak;

static inline bool kcatch_nmi_possible(void)
{
	return kcatch_private_has(apic) && boot_cpu_has(X86_FEATURE_APIC) && apic &&
	       apic->send_IPI_mask &&
	       __builtin_types_compatible_p(typeof(apic->send_IPI_mask),
					    void (*)(const struct cpumask *, int));
}

/* Preemption off; @cpu is another one. */
static inline void kcatch_nmi_send(unsigned int cpu)
{
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}
#else
static inline bool kcatch_nmi_possible(void)
{
	return false;
}

static inline void kcatch_nmi_send(unsigned int cpu)
{
}
#endif

/* The handler is an int (unsigned int type, struct pt_regs *regs), which returns NMI_HANDLED or
 * NMI_DONE. Context: may sleep. Return: 0, -errno */
#define kcatch_nmi_register(handler)	register_nmi_handler(NMI_LOCAL, handler, 0, "kcatch")
#define kcatch_nmi_unregister()		unregister_nmi_handler(NMI_LOCAL, "kcatch")

#endif
