// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads memory that may be absent, or be a device. Any context, inside a hook.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include "compat/regs.h"
#include "program/fetch.h"
#include "program/fetch_maps.h"
#include "program/fetch_memory.h"
#include "program/mapped.h"

unsigned long kcatch_direct_start __read_mostly, kcatch_direct_size __read_mostly;

/* Bytes of a text that are read at once: most are no longer. */
#define TEXT_PIECE	32U

bool kcatch_copy_user(void *to, unsigned long from, u32 size)
{
	unsigned long flags, last = from + size - 1;
	bool copied;

	raw_local_irq_save(flags);
	copied = kcatch_is_user_memory(from) &&
		 ((from ^ last) < PAGE_SIZE || kcatch_is_user_memory(last)) &&
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
	return kcatch_is_memory(from, size) && !copy_from_kernel_nofault(to, (void *)from, size);
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

	if (!regs) {
		memset(user, 0, sizeof(*user));
		user->flags = KCATCH_USER_KERNEL_THREAD;
		return;
	}
	kcatch_regs_keep(user->regs, regs);
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
