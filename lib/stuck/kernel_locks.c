/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* kernel_locks.c - finds waiters and owners of mutexes and rwsems in copied kernel memory */
#include "stuck/kernel_locks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>

#include "stuck/real_time_locks.h"

/* Waiters of one lock that are followed. */
#define WAITERS_MAX 65536U
/* Most bytes of a kernel stack. */
#define STACK_MAX 65536U

/* Low bits of struct mutex.owner and struct rw_semaphore.owner that are no address
 * (kernel/locking/mutex.c and rwsem.c). */
#define MUTEX_FLAGS 7ULL
#define MUTEX_PICKUP 4ULL	/* handed over to the owner, who has not run since */
#define RWSEM_FLAGS 3ULL
#define RWSEM_READER_OWNED 1ULL
#define RWSEM_WRITER_LOCKED 1ULL	/* of struct rw_semaphore.count */
#define RWSEM_WAITERS 2ULL
#define RWSEM_READER_SHIFT 8
#define RWSEM_READFAIL (1ULL << 63)
#define RWSEM_WAITS_TO_WRITE 0U		/* of struct rwsem_waiter.type */

/* A lock and its waiters: bytes from the start. */
struct layout {
	uint32_t waiter_list;
	uint32_t waiter_task;
	uint32_t waiter_size;
	uint32_t lock_list;
	bool headless;		/* since 7.x the list has no head: the lock has a pointer into it */
	uint32_t lock_owner;
	uint32_t lock_count;	/* rwsem */
	uint32_t waiter_type;	/* rwsem */
	bool typed;
};

struct kcatch_kernel_locks {
	struct kcatch_session *session;
	struct layout mutex;
	struct layout rwsem;
	bool real_time;				/* then only: */
	struct kcatch_real_time_layout real_time_layout;
	uint32_t mmap_lock;			/* of struct mm_struct */
	const struct kcatch_task_list *list;	/* that @heads is of */
	struct kcatch_table heads;		/* head of the list that a node is in */
	struct kcatch_arena nodes;
	uint64_t owned;				/* lock whose words these are; 0: none */
	uint64_t owner, count;
	uint64_t writer;			/* first in the queue of an rwsem, if it writes */
	uint64_t way[WAITERS_MAX];		/* nodes of the list that is walked */
	uint8_t stack[STACK_MAX];
};

struct links {
	uint64_t next;
	uint64_t prev;
};

/* Keys of the table of heads: they must stay where they are. */
struct node {
	uint64_t address;
};

static void forget(struct kcatch_kernel_locks *locks)
{
	kcatch_table_deinit(&locks->heads);
	kcatch_arena_deinit(&locks->nodes);
	memset(&locks->heads, 0, sizeof(locks->heads));
	memset(&locks->nodes, 0, sizeof(locks->nodes));
	locks->owned = 0;
}

/* Without memory for it, the list is walked again. */
static void remember(struct kcatch_kernel_locks *locks, const uint64_t *nodes, size_t nr,
		     uint64_t head)
{
	struct node *node = kcatch_arena_take(&locks->nodes, nr * sizeof(*node));
	size_t i;

	for (i = 0; node && i < nr; i++) {
		node[i].address = nodes[i];
		if (kcatch_table_add(&locks->heads, (const char *)&node[i].address,
				     sizeof(node[i].address), head) < 0)
			return;
	}
}

static int learn(struct kcatch_types *types, const char *lock, const char *waiter,
		 struct layout *layout)
{
	struct kcatch_type type;
	int ret = kcatch_types_offset(types, waiter, "list", &layout->waiter_list);

	if (!ret)
		ret = kcatch_types_offset(types, waiter, "task", &layout->waiter_task);
	if (!ret)
		ret = kcatch_types_offset(types, lock, "wait_list", &layout->lock_list);
	if (ret && !kcatch_types_offset(types, lock, "first_waiter", &layout->lock_list)) {
		layout->headless = true;
		ret = 0;
	}
	if (!ret)
		ret = kcatch_types_offset(types, lock, "owner", &layout->lock_owner);
	if (!ret)
		ret = kcatch_types_struct(types, waiter, &type);
	if (!ret)
		layout->waiter_size = (uint32_t)kcatch_type_size(type);
	return ret;
}

int kcatch_kernel_locks_create(struct kcatch_session *session, struct kcatch_types *types,
			       struct kcatch_kernel_locks **result)
{
	struct kcatch_kernel_locks *locks = calloc(1, sizeof(*locks));
	int ret;

	if (!locks)
		return kcatch_error_memory();
	locks->session = session;
	ret = learn(types, "struct mutex", "struct mutex_waiter", &locks->mutex);
	if (!ret)
		ret = learn(types, "struct rw_semaphore", "struct rwsem_waiter", &locks->rwsem);
	if (!ret)
		ret = kcatch_types_offset(types, "struct rw_semaphore", "count",
					  &locks->rwsem.lock_count);
	if (!ret)
		locks->rwsem.typed = !kcatch_types_offset(types, "struct rwsem_waiter", "type",
							  &locks->rwsem.waiter_type);
	if (ret == -ENOENT && !kcatch_real_time_locks_learn(types, &locks->real_time_layout)) {
		locks->real_time = true;
		ret = 0;
	}
	if (!ret)
		ret = kcatch_types_offset(types, "struct mm_struct", "mmap_lock",
					  &locks->mmap_lock);
	if (ret) {
		free(locks);
		return ret;
	}
	*result = locks;
	return 0;
}

void kcatch_kernel_locks_destroy(struct kcatch_kernel_locks *locks)
{
	if (!locks)
		return;
	forget(locks);
	free(locks);
}

/*
 * The head of the list that the node at @start, which was @here, is in; 0 when it is in
 * none: every node must lead back to the one before it, and all but one belong to waiters.
 * All its nodes are remembered: thousands may wait for one lock.
 */
static uint64_t find_head(struct kcatch_kernel_locks *locks, const struct kcatch_task_list *list,
			  uint64_t start, struct links here)
{
	size_t *known = kcatch_table_find(&locks->heads, (const char *)&start, sizeof(start));
	uint64_t at = start, head = 0, last = here.prev;
	uint32_t nr = 0;

	if (known)
		return *known;
	do {
		uint64_t before = at;

		if (nr == WAITERS_MAX)
			return 0;
		locks->way[nr++] = at;
		if (!kcatch_task_list_on_stack(list, at)) {
			if (head)
				return 0;
			head = at;
		}
		at = here.next;
		if (kcatch_kernel_read(locks->session, at, &here, sizeof(here)) ||
		    here.prev != before)
			return 0;
	} while (at != start);
	if (!head || here.prev != last)
		return 0;
	remember(locks, locks->way, nr, head);
	return head;
}

/* Collect in @way the list that a node of a headless list is in. Return: their number, or 0 */
static uint32_t walk_ring(struct kcatch_kernel_locks *locks, const struct kcatch_task_list *list,
			  uint64_t start, struct links here)
{
	uint64_t at = start, last = here.prev;
	uint32_t nr = 0;

	do {
		uint64_t before = at;

		if (nr == WAITERS_MAX || !kcatch_task_list_on_stack(list, at))
			return 0;
		locks->way[nr++] = at;
		at = here.next;
		if (kcatch_kernel_read(locks->session, at, &here, sizeof(here)) ||
		    here.prev != before)
			return 0;
	} while (at != start);
	return here.prev == last ? nr : 0;
}

static bool is_on_way(const struct kcatch_kernel_locks *locks, uint32_t nr, uint64_t node)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		if (locks->way[i] == node)
			return true;
	}
	return false;
}

/*
 * What find_head() is where the lock has a pointer to its first waiter instead of a head: that
 * pointer's address. The lock is one of the words on the waiter's stack, of @size bytes, because
 * its function goes on to use it.
 */
static uint64_t find_pointer(struct kcatch_kernel_locks *locks, const struct layout *layout,
			     const struct kcatch_task_list *list, uint64_t start,
			     struct links here, uint64_t size)
{
	size_t *known = kcatch_table_find(&locks->heads, (const char *)&start, sizeof(start));
	uint32_t nr;
	uint64_t at;

	if (known)
		return *known;
	nr = walk_ring(locks, list, start, here);
	for (at = 0; nr && at + 8 <= size; at += 8) {
		uint64_t word, first;

		memcpy(&word, locks->stack + at, sizeof(word));
		if (word < KCATCH_KERNEL_MIN || word % 8 || kcatch_task_list_on_stack(list, word) ||
		    kcatch_kernel_read(locks->session, word + layout->lock_list, &first,
				       sizeof(first)) ||
		    !is_on_way(locks, nr, first + layout->waiter_list))
			continue;
		remember(locks, locks->way, nr, word + layout->lock_list);
		return word + layout->lock_list;
	}
	return 0;
}

/* The node behind @at in the queue of a lock, 0 for the first one. Return: the node; 0: no other */
static uint64_t next_waiter(struct kcatch_kernel_locks *locks, const struct layout *layout,
			    uint64_t lock, uint64_t at)
{
	uint64_t list = lock + layout->lock_list, first, next;

	if (kcatch_kernel_read(locks->session, list, &first, sizeof(first)))
		return 0;
	if (layout->headless)
		first += first ? layout->waiter_list : 0;
	if (!at)
		return first == list ? 0 : first;
	if (kcatch_kernel_read(locks->session, at, &next, sizeof(next)))
		return 0;
	return next == (layout->headless ? first : list) ? 0 : next;
}

static bool wants_to_write(struct kcatch_kernel_locks *locks, const struct layout *layout,
			   uint64_t node)
{
	uint32_t type;

	return layout->typed &&
	       !kcatch_kernel_read(locks->session, node - layout->waiter_list + layout->waiter_type,
				   &type, sizeof(type)) && type == RWSEM_WAITS_TO_WRITE;
}

uint32_t kcatch_kernel_lock_queue(struct kcatch_kernel_locks *locks,
				  const struct kcatch_task_list *list,
				  const struct kcatch_lock *lock,
				  struct kcatch_lock_waiter *waiters, uint32_t room)
{
	const struct layout *layout = lock->kind == KCATCH_LOCK_MUTEX ? &locks->mutex :
									&locks->rwsem;
	const struct kcatch_task *task;
	uint32_t nr = 0;
	uint64_t at;

	if (lock->kind == KCATCH_LOCK_NONE || locks->real_time)
		return 0;
	for (at = next_waiter(locks, layout, lock->address, 0); at && nr < WAITERS_MAX;
	     at = next_waiter(locks, layout, lock->address, at)) {
		task = kcatch_task_list_on_stack(list, at);
		if (!task)
			return 0;	/* it has changed meanwhile */
		if (nr < room)
			waiters[nr] = (struct kcatch_lock_waiter){
				.thread = (uint32_t)(task - list->tasks),
				.to_write = wants_to_write(locks, layout, at),
			};
		nr++;
	}
	return nr;
}

/* Once for all that wait for it one after the other: thousands may. */
static bool read_owner(struct kcatch_kernel_locks *locks, const struct layout *layout,
		       uint64_t address, bool rwsem)
{
	if (locks->owned == address)
		return true;
	locks->owned = 0;
	locks->count = RWSEM_WRITER_LOCKED;
	if (kcatch_kernel_read(locks->session, address + layout->lock_owner, &locks->owner,
			       sizeof(locks->owner)) ||
	    (rwsem && kcatch_kernel_read(locks->session, address + layout->lock_count,
					 &locks->count, sizeof(locks->count))))
		return false;
	locks->writer = 0;
	if (rwsem) {
		uint64_t first = next_waiter(locks, layout, address, 0);

		if (first && wants_to_write(locks, layout, first))
			locks->writer = first;
	}
	locks->owned = address;
	return true;
}

static void find_owner(struct kcatch_kernel_locks *locks, const struct layout *layout,
		       const struct kcatch_task_list *list, const struct kcatch_task *task,
		       struct kcatch_lock *lock)
{
	bool rwsem = lock->kind != KCATCH_LOCK_MUTEX;
	const struct kcatch_task *writer;
	uint64_t owner, count;

	lock->state = KCATCH_OWNER_UNKNOWN;
	if (!read_owner(locks, layout, lock->address, rwsem))
		return;
	owner = locks->owner;
	count = locks->count;
	writer = locks->writer ? kcatch_task_list_on_stack(list, locks->writer) : NULL;
	if (lock->kind == KCATCH_LOCK_RWSEM_READ && writer && writer != task)
		lock->writer = writer->address;
	if (rwsem && !(count & RWSEM_WRITER_LOCKED)) {
		lock->readers = (uint32_t)((count & ~RWSEM_READFAIL) >> RWSEM_READER_SHIFT);
		lock->state = lock->readers ? KCATCH_OWNER_READERS : KCATCH_OWNER_NONE;
		/* Who is the last to take it stays there when it lets go, and when it ends. */
		if (lock->readers && (owner & RWSEM_READER_OWNED) &&
		    kcatch_task_list_at(list, owner & ~RWSEM_FLAGS))
			lock->owner = owner & ~RWSEM_FLAGS;
		return;
	}
	/* A writer has it that has not written itself down yet. */
	if (rwsem && (owner & RWSEM_READER_OWNED))
		return;
	lock->owner = owner & ~(rwsem ? RWSEM_FLAGS : MUTEX_FLAGS);
	if (!lock->owner ||
	    (!rwsem && (owner & MUTEX_PICKUP) && lock->owner == task->address))
		lock->state = KCATCH_OWNER_NONE;
	else if (kcatch_task_list_at(list, lock->owner))
		lock->state = KCATCH_OWNER_THREAD;
}

/* Can the links of a waiter look like this? All but one that it may lead to are on stacks;
 * one that waits alone has the same on both sides. */
static bool are_links(const struct kcatch_task_list *list, const struct links *links)
{
	return links->next >= KCATCH_KERNEL_MIN && links->prev >= KCATCH_KERNEL_MIN &&
	       !(links->next % 8) && !(links->prev % 8) &&
	       (links->next == links->prev || kcatch_task_list_on_stack(list, links->next) ||
		kcatch_task_list_on_stack(list, links->prev));
}

void kcatch_kernel_lock_find(struct kcatch_kernel_locks *locks,
			     const struct kcatch_task_list *list, const struct kcatch_task *task,
			     enum kcatch_lock_kind kind, struct kcatch_lock *lock)
{
	const struct layout *layout = kind == KCATCH_LOCK_MUTEX ? &locks->mutex : &locks->rwsem;
	uint64_t size = task->stack_end - task->sp, at, word, node, head;
	struct links links;

	memset(lock, 0, sizeof(*lock));
	if (locks->list != list) {
		forget(locks);
		locks->list = list;
	}
	if (kind == KCATCH_LOCK_NONE || !kcatch_task_stands(task) || task->sp % 8 ||
	    task->sp < task->stack || task->sp >= task->stack_end || size > STACK_MAX ||
	    kcatch_kernel_read(locks->session, task->sp, locks->stack, size))
		return;
	if (locks->real_time) {
		kcatch_real_time_lock_find(locks->session, &locks->real_time_layout, list, task,
					   locks->stack, size, kind, lock);
		return;
	}
	for (at = layout->waiter_task; at + 8 <= size; at += 8) {
		memcpy(&word, locks->stack + at, sizeof(word));
		if (word != task->address ||
		    at - layout->waiter_task + layout->waiter_size > size)
			continue;
		node = at - layout->waiter_task + layout->waiter_list;
		memcpy(&links, locks->stack + node, sizeof(links));
		if (!are_links(list, &links))
			continue;
		node += task->sp;
		head = layout->headless ? find_pointer(locks, layout, list, node, links, size) :
					  find_head(locks, list, node, links);
		if (!head)
			continue;
		lock->kind = kind;
		lock->address = head - layout->lock_list;
		find_owner(locks, layout, list, task, lock);
		return;
	}
}

bool kcatch_kernel_map_is_locked(struct kcatch_kernel_locks *locks, uint64_t mm)
{
	uint64_t count;

	if (locks->real_time)
		return kcatch_real_time_rwsem_is_locked(locks->session, &locks->real_time_layout,
							mm + locks->mmap_lock);
	return !kcatch_kernel_read(locks->session, mm + locks->mmap_lock + locks->rwsem.lock_count,
				   &count, sizeof(count)) &&
	       (count & (RWSEM_WRITER_LOCKED | RWSEM_WAITERS));
}
