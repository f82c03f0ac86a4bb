// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads memory that may be absent, or be a device. Any context, inside a hook.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <asm/pgtable.h>
#include "compat/regs.h"
#include "program/fetch.h"
#include "program/fetch_maps.h"
#include "program/fetch_memory.h"

unsigned long kcatch_direct_start __read_mostly, kcatch_direct_size __read_mostly;

/* Bytes of a text that are read at once: most are no longer. */
#define TEXT_PIECE	32U

/* Mapped as memory is, that is with caches on? Registers of devices are not. */
static bool is_cached_memory(unsigned long address)
{
	unsigned int level;
	pte_t *pte = lookup_address(address, &level);

	/* The page tables of the vmalloc area are not taken away under us: the
	 * kernel only frees one when a large page takes its place. */
	return pte && (pte_flags(*pte) & _PAGE_PRESENT) &&
	       !(pte_flags(*pte) & (_PAGE_PCD | _PAGE_PWT));
}

/* Kernel addresses that may be touched at all. */
static bool is_memory(unsigned long address, u32 size)
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
static bool is_memory_entry(u64 entry, u64 flags, bool large)
{
	if (flags & (_PAGE_PCD | _PAGE_PWT))
		return false;
	return large || !(flags & _PAGE_SPECIAL) ||
	       kcatch_in_direct_map((unsigned long)__va(entry & PTE_PFN_MASK));
}

/*
 * Is the page at an address of the current task there, and memory? It is looked up as the kernel
 * does without a lock (mm/gup.c): with interrupts off neither the tables are freed, nor is the page
 * replaced by another before this processor has heard of it.
 */
static bool is_user_memory(unsigned long address)
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

bool kcatch_copy_user(void *to, unsigned long from, u32 size)
{
	unsigned long flags, last = from + size - 1;
	bool copied;

	raw_local_irq_save(flags);
	copied = is_user_memory(from) && ((from ^ last) < PAGE_SIZE || is_user_memory(last)) &&
		 !copy_from_user_nofault(to, (const void __user *)from, size);
	raw_local_irq_restore(flags);
	return copied;
}

static bool has_user_memory(void)
{
	return current->mm && !(current->flags & PF_KTHREAD);
}

bool kcatch_read(void *to, unsigned long from, u32 size)
{
	if (kcatch_is_user(from))
		return kcatch_read_user(to, from, size);
	return is_memory(from, size) && !copy_from_kernel_nofault(to, (void *)from, size);
}

/* The current task's memory, up to the first place that is not there. */
static u32 fetch_user(u8 *to, unsigned long from, u32 size)
{
	u32 done = 0;

	if (!has_user_memory())
		return 0;
	while (done < size) {
		u32 part = min_t(u32, size - done, PAGE_SIZE - offset_in_page(from + done));

		if (!kcatch_is_user(from + done) ||
		    !kcatch_copy_user(to + done, from + done, part))
			break;
		done += part;
	}
	return done;
}

/* Behind the stack, in what is left of @room. */
static void put_user_maps(struct kcatch_user *user, u32 room)
{
	const u32 behind = ALIGN(user->size, 8);

	if (room < behind + sizeof(struct kcatch_user_maps))
		return;
	if (kcatch_fetch_maps((void *)(user->stack + behind), room - behind))
		user->flags = KCATCH_USER_MAPPED;
}

void kcatch_fetch_user(struct kcatch_user *user, u32 stack_room, u32 maps_room)
{
	const struct pt_regs *regs = kcatch_user_registers();

	BUILD_BUG_ON(sizeof(user->regs) != sizeof(*regs));
	if (!regs) {
		memset(user, 0, sizeof(*user));
		user->flags = KCATCH_USER_KERNEL_THREAD;
		return;
	}
	memcpy(user->regs, regs, sizeof(user->regs));
	user->flags = 0;
	user->size = fetch_user(user->stack, kcatch_regs_sp(regs), stack_room);
	if (maps_room)
		put_user_maps(user, stack_room + maps_room);
}

/*
 * Pieces that do not cross a page: what is behind the end mark may not be there. They are read
 * to the stack: a hardened kernel checks where user memory is copied to, and of its stack it
 * knows without a lock that it is good.
 */
u32 kcatch_read_text(u8 *to, unsigned long from, u32 size, bool *ended)
{
	u8 piece[TEXT_PIECE];
	u32 done = 0;

	*ended = false;
	while (done < size) {
		unsigned long at = from + done;
		u32 part = min_t(u32, min_t(u32, size - done, TEXT_PIECE),
				 PAGE_SIZE - offset_in_page(at)), i;

		if (!kcatch_read(piece, at, part))
			return done;
		for (i = 0; i < part && piece[i]; i++)
			to[done + i] = piece[i];
		done += i;
		if (i < part) {
			*ended = true;
			return done;
		}
	}
	return done;
}
