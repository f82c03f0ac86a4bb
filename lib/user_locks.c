/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
#include "user_locks.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* pthread_mutex_t of glibc on x86-64 (sysdeps/nptl/bits/struct_mutex.h). */
struct mutex {
	uint32_t lock;
	uint32_t count;
	uint32_t owner;
	uint32_t nusers;
	uint32_t kind;
};

/* Its kind: PTHREAD_MUTEX_TIMED_NP..ADAPTIVE_NP, and bits (nptl/pthreadP.h). */
#define KIND_TYPE	3U
#define KIND_ROBUST	16U
#define KIND_PI		32U
#define KIND_PROTECT	64U
#define KIND_SHARED	128U
#define KIND_ELISION	(256U | 512U)
#define KIND_ALL (KIND_TYPE | KIND_ROBUST | KIND_PI | KIND_PROTECT | KIND_SHARED | KIND_ELISION)

/* Of a plain mutex that threads wait for. */
#define LOCKED_AND_WAITED_FOR 2U

int kcatch_user_read(uint32_t pid, uint64_t address, void *to, size_t size)
{
	struct iovec local = { to, size }, remote = { (void *)(uintptr_t)address, size };
	ssize_t got = process_vm_readv((pid_t)pid, &local, 1, &remote, 1, 0);

	return got < 0 ? -errno : (size_t)got == size ? 0 : -EFAULT;
}

/* Do the numbers that a process sees of threads mean the same here? */
static bool sees_our_numbers(uint32_t pid)
{
	char path[64], line[256];
	bool same = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		unsigned int outer, inner;

		if (!strncmp(line, "NSpid:", 6)) {
			same = sscanf(line + 6, "%u %u", &outer, &inner) == 1;
			break;
		}
	}
	fclose(file);
	return same;
}

/* @shared: the owner may be of another process. */
static void set_owner(const struct kcatch_task_list *list, const struct kcatch_task *task,
		      uint32_t tid, bool shared, struct kcatch_user_lock *lock)
{
	const struct kcatch_task *owner;

	if (!tid || !sees_our_numbers(task->pid))
		return;
	owner = kcatch_task_list_of(list, tid);
	if (owner && (shared || owner->mm == task->mm) && owner->state != 'Z' && owner->state != 'X')
		lock->owner = tid;
	else if (!owner)
		lock->owner_ended = true;
}

static void find_pi(const struct kcatch_task_list *list, const struct kcatch_task *task,
		    bool shared, struct kcatch_user_lock *lock)
{
	uint32_t word;

	lock->kind = KCATCH_USER_LOCK_PI;
	lock->proven = true;
	/* The word's format is the kernel's: nothing to be proven. */
	if (!kcatch_user_read(task->pid, lock->address, &word, sizeof(word)))
		set_owner(list, task, word & FUTEX_TID_MASK, shared, lock);
}

static void find_mutex(const struct kcatch_task_list *list, const struct kcatch_task *task,
		       struct kcatch_user_lock *lock)
{
	struct mutex mutex;

	if (kcatch_user_read(task->pid, lock->address, &mutex, sizeof(mutex)) ||
	    (mutex.kind & ~KIND_ALL))
		return;
	if (mutex.kind & KIND_ROBUST) {
		if (!(mutex.lock & FUTEX_WAITERS))
			return;
		lock->kind = KCATCH_USER_LOCK_ROBUST;
		set_owner(list, task, mutex.lock & FUTEX_TID_MASK, mutex.kind & KIND_SHARED, lock);
	} else if (mutex.lock == LOCKED_AND_WAITED_FOR && mutex.nusers) {
		lock->kind = KCATCH_USER_LOCK_MUTEX;
		set_owner(list, task, mutex.owner, mutex.kind & KIND_SHARED, lock);
	}
}

static void find_end(const struct kcatch_task_list *list, const struct kcatch_task *task,
		     uint32_t tid, struct kcatch_user_lock *lock)
{
	uint32_t word;

	if (kcatch_user_read(task->pid, lock->address, &word, sizeof(word)) || word != tid ||
	    tid <= LOCKED_AND_WAITED_FOR)
		return;
	lock->kind = KCATCH_USER_LOCK_END;
	set_owner(list, task, tid, false, lock);
	/* Between its last word and its end it is gone for us, not for who waits. */
	lock->owner_ended = false;
}

void kcatch_user_lock_find(const struct kcatch_task_list *list, const struct kcatch_task *task,
			   struct kcatch_user_lock *lock)
{
	uint64_t op = task->regs[KCATCH_REG_SI];

	memset(lock, 0, sizeof(*lock));
	if (!(task->flags & KCATCH_TASK_REGS) || !kcatch_task_stands(task) ||
	    task->regs[KCATCH_REG_ORIG_AX] != SYS_futex || task->regs[KCATCH_REG_CS] != KCATCH_CODE_64)
		return;
	lock->address = task->regs[KCATCH_REG_DI];
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_LOCK_PI:
	case 13:	/* FUTEX_LOCK_PI2, Linux 5.14 */
		find_pi(list, task, !(op & FUTEX_PRIVATE_FLAG), lock);
		break;
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		lock->kind = KCATCH_USER_LOCK_FUTEX;
		find_end(list, task, (uint32_t)task->regs[KCATCH_REG_DX], lock);
		if (lock->kind == KCATCH_USER_LOCK_FUTEX || !lock->owner)
			find_mutex(list, task, lock);
		break;
	}
}

void kcatch_user_lock_prove(struct kcatch_user_lock *lock, const struct kcatch_frame *frames,
			    uint32_t nr_frames)
{
	const char *part = lock->kind == KCATCH_USER_LOCK_END ? "join" : "pthread_mutex_";
	uint32_t i;

	if (lock->proven || lock->kind == KCATCH_USER_LOCK_NONE ||
	    lock->kind == KCATCH_USER_LOCK_FUTEX)
		return;
	for (i = 0; i < nr_frames && !lock->proven; i++)
		lock->proven = frames[i].symbol && strstr(frames[i].symbol, part);
	if (!lock->proven) {
		lock->kind = KCATCH_USER_LOCK_FUTEX;
		lock->owner = 0;
		lock->owner_ended = false;
	}
}
