/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* real_time_locks.c - waiters and owners of locks that are made of an rt_mutex */
#include "stuck/real_time_locks.h"

#include <errno.h>
#include <string.h>

#include "stuck/kernel_locks.h"

/* Of struct rt_mutex_base.owner: it has waiters (kernel/locking/rtmutex_common.h). */
#define OWNER_FLAGS 1ULL
/* Of struct rb_node: the colour, beside the parent's address (linux/rbtree.h). */
#define COLOUR_FLAGS 3ULL
/* Of struct rwbase_rt.readers (linux/rwbase_rt.h): none writes or waits to; one writes. */
#define READER_BIAS (1U << 31)
#define WRITER_BIAS (1U << 30)
/* Nodes from a leaf of a red-black tree of 2^32 waiters to its root, at most. */
#define DEPTH_MAX 66

int kcatch_real_time_locks_learn(struct kcatch_types *types,
				 struct kcatch_real_time_layout *layout)
{
	const struct {
		const char *type;
		const char *member;
		uint32_t *offset;
	} members[] = {
		{ "struct task_struct", "pi_blocked_on", &layout->task_blocked_on },
		{ "struct rt_mutex_waiter", "task", &layout->waiter_task },
		{ "struct rt_mutex_waiter", "lock", &layout->waiter_lock },
		{ "struct rt_mutex_base", "waiters", &layout->lock_tree },
		{ "struct rt_mutex_base", "owner", &layout->lock_owner },
		{ "struct mutex", "rtmutex", &layout->mutex_base },
		{ "struct rw_semaphore", "rwbase", &layout->rwsem_readers },
		{ "struct rwbase_rt", "rtmutex", &layout->rwsem_base },
	};
	struct kcatch_type waiter;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(members) / sizeof(members[0]); i++)
		ret = kcatch_types_offset(types, members[i].type, members[i].member,
					  members[i].offset);
	/* Its name until 6.5; struct rt_waiter_node begins with the node. */
	if (!ret && kcatch_types_offset(types, "struct rt_mutex_waiter", "tree_entry",
					&layout->waiter_node))
		ret = kcatch_types_offset(types, "struct rt_mutex_waiter", "tree",
					  &layout->waiter_node);
	if (!ret)
		ret = kcatch_types_struct(types, "struct rt_mutex_waiter", &waiter);
	if (ret)
		return -ENOENT;
	layout->waiter_size = (uint32_t)kcatch_type_size(waiter);
	/* The first member of struct rwbase_rt is the number of readers. */
	layout->rwsem_base += layout->rwsem_readers;
	return 0;
}

/* Does the node, on a stack as all waiters are, lie in the tree of the lock at @base? */
static bool is_in_tree(struct kcatch_session *session, const struct kcatch_real_time_layout *layout,
		       const struct kcatch_task_list *list, uint64_t base, uint64_t node)
{
	uint64_t root, parent;
	int depth;

	if (kcatch_kernel_read(session, base + layout->lock_tree, &root, sizeof(root)))
		return false;
	for (depth = 0; depth < DEPTH_MAX && kcatch_task_list_on_stack(list, node); depth++) {
		if (kcatch_kernel_read(session, node, &parent, sizeof(parent)))
			return false;
		parent &= ~COLOUR_FLAGS;
		if (!parent)
			return node == root;
		node = parent;
	}
	return false;
}

/* The owner of a rt_mutex; 0: none, or it cannot be read. */
static uint64_t read_owner(struct kcatch_session *session,
			   const struct kcatch_real_time_layout *layout, uint64_t base)
{
	uint64_t owner;

	if (kcatch_kernel_read(session, base + layout->lock_owner, &owner, sizeof(owner)))
		return 0;
	return owner & ~OWNER_FLAGS;
}

static bool read_readers(struct kcatch_session *session,
			 const struct kcatch_real_time_layout *layout, uint64_t rwsem,
			 uint32_t *readers)
{
	return !kcatch_kernel_read(session, rwsem + layout->rwsem_readers, readers,
				   sizeof(*readers));
}

/*
 * A writer that has the rt_mutex waits for the readers that came before it, without a waiter. The
 * rwsem is one of the words on its stack: nobody else's rt_mutex is its own.
 */
static void find_readers(struct kcatch_session *session,
			 const struct kcatch_real_time_layout *layout,
			 const struct kcatch_task *task, const uint8_t *stack, uint64_t size,
			 struct kcatch_lock *lock)
{
	uint64_t at, word;
	uint32_t readers;

	for (at = 0; at + sizeof(word) <= size; at += sizeof(word)) {
		memcpy(&word, stack + at, sizeof(word));
		if (word < KCATCH_KERNEL_MIN || word % 8 ||
		    (word >= task->stack && word < task->stack_end) ||
		    read_owner(session, layout, word + layout->rwsem_base) != task->address ||
		    !read_readers(session, layout, word, &readers) || !readers ||
		    (readers & (READER_BIAS | WRITER_BIAS)))
			continue;
		lock->kind = KCATCH_LOCK_RWSEM_WRITE;
		lock->address = word;
		lock->state = KCATCH_OWNER_READERS;
		return;
	}
}

void kcatch_real_time_lock_find(struct kcatch_session *session,
				const struct kcatch_real_time_layout *layout,
				const struct kcatch_task_list *list,
				const struct kcatch_task *task, const uint8_t *stack,
				uint64_t size, enum kcatch_lock_kind kind,
				struct kcatch_lock *lock)
{
	bool rwsem = kind == KCATCH_LOCK_RWSEM_READ || kind == KCATCH_LOCK_RWSEM_WRITE;
	uint64_t waiter, of, base;
	uint32_t readers;

	if ((!rwsem && kind != KCATCH_LOCK_MUTEX) ||
	    kcatch_kernel_read(session, task->address + layout->task_blocked_on, &waiter,
			       sizeof(waiter)))
		return;
	if (!waiter) {
		if (kind == KCATCH_LOCK_RWSEM_WRITE)
			find_readers(session, layout, task, stack, size, lock);
		return;
	}
	if (waiter % 8 || waiter < task->sp || waiter - task->sp + layout->waiter_size > size)
		return;
	memcpy(&of, stack + (waiter - task->sp) + layout->waiter_task, sizeof(of));
	memcpy(&base, stack + (waiter - task->sp) + layout->waiter_lock, sizeof(base));
	if (of != task->address || base < KCATCH_KERNEL_MIN ||
	    !is_in_tree(session, layout, list, base, waiter + layout->waiter_node))
		return;
	lock->kind = kind;
	lock->address = base - (rwsem ? layout->rwsem_base : layout->mutex_base);
	lock->state = KCATCH_OWNER_UNKNOWN;
	if (rwsem && (!read_readers(session, layout, lock->address, &readers) ||
		      !(readers & WRITER_BIAS))) {
		/* The owner of the rt_mutex waits for them, too. */
		lock->state = KCATCH_OWNER_READERS;
		return;
	}
	lock->owner = read_owner(session, layout, base);
	if (!lock->owner)
		lock->state = KCATCH_OWNER_NONE;
	else if (kcatch_task_list_at(list, lock->owner))
		lock->state = KCATCH_OWNER_THREAD;
}

bool kcatch_real_time_rwsem_is_locked(struct kcatch_session *session,
				      const struct kcatch_real_time_layout *layout, uint64_t rwsem)
{
	uint32_t readers;

	return read_readers(session, layout, rwsem, &readers) && !(readers & READER_BIAS);
}
