/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is memory, by the page tables of x86: reading a device has effects. Any context, inside a
 * hook. For program/fetch_memory.c alone.
 */
#ifndef _KCATCH_PROGRAM_MAPPED_H
#define _KCATCH_PROGRAM_MAPPED_H

#include <linux/mm.h>
#include <linux/sched.h>
#include <asm/pgtable.h>
#include "program/fetch_memory.h"

/* Mapped as memory is, that is with caches on? Registers of devices are not. */
static inline bool is_cached_memory(unsigned long address)
{
	unsigned int level;
	pte_t *pte = lookup_address(address, &level);

	/* The page tables of the vmalloc area are not taken away under us: the
	 * kernel only frees one when a large page takes its place. */
	return pte && (pte_flags(*pte) & _PAGE_PRESENT) &&
	       !(pte_flags(*pte) & (_PAGE_PCD | _PAGE_PWT));
}

/** kcatch_is_memory() - kernel addresses that may be touched at all. @size: at most a page */
static inline bool kcatch_is_memory(unsigned long address, u32 size)
{
	unsigned long last = address + size - 1;

	if (last < address || address < PAGE_OFFSET)
		return false;
	if (address >= VMALLOC_START && address <= VMALLOC_END)
		return kcatch_on_own_stack(address, size) ||
		       (is_cached_memory(address) &&
			((address ^ last) < PAGE_SIZE || is_cached_memory(last)));
	if (address < PAGE_OFFSET + KCATCH_ISA_END && last >= PAGE_OFFSET + KCATCH_ISA_START)
		return false;
	/* Above the modules lies the fixmap with the interrupt controllers. */
	return last < MODULES_END;
}

/*
 * Is what a page table's entry leads to memory? A device's registers are mapped without caches, and
 * by an entry that the kernel marks as special: it has no page of memory behind it. So is the page
 * of zeros, which lies in the direct map.
 */
static inline bool is_memory_entry(u64 entry, u64 flags, bool large)
{
	if (flags & (_PAGE_PCD | _PAGE_PWT))
		return false;
	return large || !(flags & _PAGE_SPECIAL) ||
	       kcatch_in_direct_map((unsigned long)__va(entry & PTE_PFN_MASK));
}

/**
 * kcatch_is_user_memory() - is the page at an address of the current task there, and memory?
 *
 * It is looked up as the kernel
 * does without a lock (mm/gup.c): with interrupts off neither the tables are freed, nor is the page
 * replaced by another before this processor has heard of it.
 */
static inline bool kcatch_is_user_memory(unsigned long address)
{
	pgd_t pgd = READ_ONCE(*pgd_offset(current->mm, address));
	p4d_t p4d;
	pud_t pud;
	pmd_t pmd;
	pte_t pte;

	if (!pgd_present(pgd))
		return false;
	p4d = READ_ONCE(*p4d_offset(&pgd, address));
	if (!p4d_present(p4d))
		return false;
	pud = READ_ONCE(*pud_offset(&p4d, address));
	if (!pud_present(pud))
		return false;
	if (pud_val(pud) & _PAGE_PSE)
		return is_memory_entry(pud_val(pud), pud_flags(pud), true);
	pmd = READ_ONCE(*pmd_offset(&pud, address));
	if (!pmd_present(pmd))
		return false;
	if (pmd_val(pmd) & _PAGE_PSE)
		return is_memory_entry(pmd_val(pmd), pmd_flags(pmd), true);
	pte = READ_ONCE(*pte_offset_kernel(&pmd, address));
	return pte_present(pte) && is_memory_entry(pte_val(pte), pte_flags(pte), false);
}

#endif
