/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernels: only the files of this room know them. Each one is detected by a
 * feature of the headers or by compat/detect (KCATCH_HAVE_*), never by a version number, because
 * distributions backport patches. All functions: any context.
 */
#ifndef _KCATCH_COMPAT_COMPAT_H
#define _KCATCH_COMPAT_COMPAT_H

#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/workqueue.h>
#if __has_include(<linux/panic_notifier.h>)	/* until 5.13 in linux/kernel.h */
#include <linux/panic_notifier.h>
#endif
#if __has_include(<linux/vmcore_info.h>)	/* until 6.8 in linux/crash_core.h */
#include <linux/vmcore_info.h>
#else
#include <linux/crash_core.h>
#endif
#include "compat/private.h"

/* The code of a module, or of its init part. In one piece of memory of several kinds since 6.4
 * (commit ac3b43283923 "module: replace module_layout with module_memory"). Return: bytes */
static inline unsigned long kcatch_module_text(const struct module *module, bool init,
					       unsigned long *base)
{
#ifdef KCATCH_HAVE_MODULE_MEMORY
	const struct module_memory *memory = &module->mem[init ? MOD_INIT_TEXT : MOD_TEXT];

	*base = (unsigned long)memory->base;
	return memory->size;
#else
	const struct module_layout *layout = init ? &module->init_layout : &module->core_layout;

	*base = (unsigned long)layout->base;
	return layout->text_size;
#endif
}

/*
 * May @address be that of a per-CPU variable, as symbols have it? They are numbered from 0, and
 * since 6.15 they are addresses of the kernel's image. So is @own, a per-CPU variable of ours.
 */
static inline bool kcatch_percpu_possible(u64 address, const void __percpu *own)
{
	return (address >= PAGE_OFFSET) == ((__force unsigned long)own >= PAGE_OFFSET);
}

/* Is @address, as symbols have it, that of a per-CPU variable of @module? Without SMP these are
 * among the module's other variables. */
static inline bool kcatch_module_owns_percpu(const struct module *module, unsigned long address)
{
#ifdef CONFIG_SMP
	return address - (__force unsigned long)module->percpu < module->percpu_size;
#else
	return within_module(address, module);
#endif
}

/* Has the freezer stopped it? A flag of a private field since 6.1. */
static inline bool kcatch_task_is_frozen(const struct task_struct *task)
{
	return READ_ONCE(task->__state) & TASK_FROZEN;
}

#if defined(CONFIG_VMCORE_INFO) || defined(CONFIG_CRASH_CORE)
extern typeof(paddr_vmcoreinfo_note) paddr_vmcoreinfo_note __weak;
#endif

/* The kernel's note for debuggers of memory dumps: an ELF note of VMCOREINFO_NOTE_SIZE bytes, or
 * NULL. The address is not checked: in Xen PV guests it is another one. */
static inline const void *kcatch_vmcoreinfo_note(void)
{
#if defined(CONFIG_VMCORE_INFO) || defined(CONFIG_CRASH_CORE)	/* the latter until 6.8 */
	if (kcatch_private_has(paddr_vmcoreinfo_note))
		return __va(paddr_vmcoreinfo_note());
	return NULL;
#else
	return NULL;
#endif
}

/* Sets and clears vm_flags. Since 6.3 (commit bc292ab00f6c "mm: introduce vma->vm_flags wrapper
 * functions") only helpers may write them. */
static inline void kcatch_vma_flags(struct vm_area_struct *vma, unsigned long set,
				    unsigned long clear)
{
#ifdef KCATCH_HAVE_VM_FLAGS_CLEAR
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

/* Queue work on any CPU. The kernel warns of the workqueue's former name. Context: any but NMI */
static inline void kcatch_queue_work(struct work_struct *work)
{
#ifdef KCATCH_HAVE_SYSTEM_DFL_WQ
	queue_work(system_dfl_wq, work);
#else
	queue_work(system_unbound_wq, work);
#endif
}

#endif
