/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is memory, by the page tables of 64-bit Arm: reading a device has effects. Any context,
 * inside a hook. For program/fetch_memory.c alone.
 */
#ifndef _KCATCH_PROGRAM_MAPPED_H
#define _KCATCH_PROGRAM_MAPPED_H

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <asm/memory.h>
#include <asm/pgtable.h>
#include "program/fetch_memory.h"

/* Is the page of the kernel's image, of a module or of the vmalloc area there, and memory? The page
 * tables of that area are not taken away under us: the kernel only frees one when a large page
 * takes its place. */
static inline bool is_mapped_memory(unsigned long address)
{
	unsigned long pfn;

	pfn = vmalloc_to_pfn((const void *)address);
	return pfn && pfn_is_map_memory(pfn);
}

/** kcatch_is_memory() - kernel addresses that may be touched at all. @size: at most a page */
static inline bool kcatch_is_memory(unsigned long address, u32 size)
{
	unsigned long last = address + size - 1;

	if (last < address || address < PAGE_OFFSET)
		return false;
	if (address >= VMALLOC_START && last < VMALLOC_END)
		return kcatch_on_own_stack(address, size) ||
		       (is_mapped_memory(address) &&
			((address ^ last) < PAGE_SIZE || is_mapped_memory(last)));
	if (address >= MODULES_VADDR && last < MODULES_END)
		return is_mapped_memory(address) &&
		       ((address ^ last) < PAGE_SIZE || is_mapped_memory(last));
	/* The direct map has memory alone. Above lie the fixmap, devices, and struct pages. */
	return kcatch_in_direct_map(address);
}

/* Is what an entry of a page table leads to memory? The entry says how it is cached, as memory is
 * and devices are not. */
static inline bool is_memory_entry(u64 entry)
{
	u64 kind = entry & PTE_ATTRINDX_MASK;

	return kind == PTE_ATTRINDX(MT_NORMAL) || kind == PTE_ATTRINDX(MT_NORMAL_TAGGED);
}

/**
 * kcatch_is_user_memory() - is the page at an address of the current task there, and memory?
 *
 * It is looked up as the kernel does without a lock (mm/gup.c): with interrupts off the tables are
 * not freed, as that waits for RCU.
 */
static inline bool kcatch_is_user_memory(unsigned long address)
{
	pgd_t *pgdp = pgd_offset(current->mm, address), pgd = READ_ONCE(*pgdp);
	p4d_t *p4dp, p4d;
	pud_t *pudp, pud;
	pmd_t *pmdp, pmd;
	pte_t pte;

	if (pgd_none(pgd))
		return false;
	p4dp = p4d_offset(&pgd, address);
	p4d = READ_ONCE(*p4dp);
	if (p4d_none(p4d) || p4d_bad(p4d))
		return false;
	pudp = pud_offset(&p4d, address);
	pud = READ_ONCE(*pudp);
	if (!pud_present(pud))
		return false;
	if (!pud_table(pud))
		return is_memory_entry(pud_val(pud));
	pmdp = pmd_offset(&pud, address);
	pmd = READ_ONCE(*pmdp);
	if (!pmd_present(pmd))
		return false;
	if (!pmd_table(pmd))
		return is_memory_entry(pmd_val(pmd));
	pte = READ_ONCE(*pte_offset_kernel(&pmd, address));
	return pte_present(pte) && is_memory_entry(pte_val(pte));
}

#endif
