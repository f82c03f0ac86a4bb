/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* user_locks.c - finds glibc's locks behind futexes, and their owners, in process memory */
#include "stuck/user_locks.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

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

/* pthread_rwlock_t of glibc since 2.25 on x86-64 (sysdeps/nptl/bits/struct_rwlock.h). */
struct rwlock {
	uint32_t readers;	/* how many, above the flags */
	uint32_t writers;
	uint32_t phase;		/* waited for: that the writer has done, or all readers have */
	uint32_t writer;	/* waited for: that another writer has done */
	uint32_t pads[2];
	uint32_t owner;		/* thread ID of the writer that has it */
	int32_t shared;
	uint8_t elision;
	uint8_t pad[7];
	uint64_t pad_long;
	uint32_t flags;		/* 0..2: who is preferred */
};

/* pthread_barrier_t of glibc (nptl/pthreadP.h). */
struct barrier {
	uint32_t in;		/* threads that have come, in all rounds */
	uint32_t round;		/* waited for: threads that the rounds before let go on */
	uint32_t count;		/* threads of a round */
};

/* Flags of its readers, and the words that threads wait for (nptl/pthread_rwlock_common.c). */
#define RWLOCK_WRITE_PHASE	1U
#define RWLOCK_HAS_WRITER	2U
#define RWLOCK_READERS_WAIT	4U
#define RWLOCK_READER_SHIFT	3
#define RWLOCK_READ_PHASE_USED	2U	/* a writer waits for the last reader */
#define RWLOCK_WRITE_USED	3U	/* who waits for a writer */

/* futex_wait(), Linux 6.7 */
#define CALL_FUTEX_WAIT 455

/* Of a user stack, in which the mutex that was refused is looked for. */
#define REFUSED_WORDS 48

int kcatch_user_read(uint32_t tid, uint64_t address, void *to, size_t size)
{
	struct iovec local = { to, size }, remote = { (void *)(uintptr_t)address, size };
	ssize_t got = process_vm_readv((pid_t)tid, &local, 1, &remote, 1, 0);

	return got < 0 ? -errno : (size_t)got == size ? 0 : -EFAULT;
}

/* ---- who has it --------------------------------------------------------------------- */

/* What is mapped at an address: a file, or memory that processes share. */
struct place {
	char object[64];	/* device and inode, as in /proc/PID/maps */
	uint64_t offset;
};

/* Reads the next line of /proc/PID/maps; places without an inode are nobody else's. */
static bool next_place(FILE *maps, uint64_t *begin, uint64_t *end, struct place *place)
{
	char line[512], device[32];
	unsigned long inode;

	while (fgets(line, sizeof(line), maps)) {
		bool whole = strchr(line, '\n');

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %31s %lu", begin, end,
			   &place->offset, device, &inode) == 5) {
			snprintf(place->object, sizeof(place->object), "%s %lu", device, inode);
			if (!inode)
				place->object[0] = '\0';
			while (!whole && fgets(line, sizeof(line), maps))
				whole = strchr(line, '\n');
			return true;
		}
	}
	return false;
}

static FILE *open_maps(const struct kcatch_task *task)
{
	char path[64];

	if (task->flags & KCATCH_TASK_UNREAD)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%u/maps", task->tid);
	return fopen(path, "re");
}

/* Is what @task has at @address memory of @other as well? */
static bool share(const struct kcatch_task *task, uint64_t address, const struct kcatch_task *other)
{
	struct place place, here = { .object = "" };
	uint64_t begin, end;
	bool shared = false;
	FILE *maps;

	if (other->mm == task->mm)
		return true;
	maps = open_maps(task);
	while (maps && !here.object[0] && next_place(maps, &begin, &end, &place)) {
		if (address < begin || address >= end)
			continue;
		here = place;
		here.offset += address - begin;
		break;
	}
	if (maps)
		fclose(maps);
	if (!here.object[0])
		return false;
	maps = open_maps(other);
	while (maps && !shared && next_place(maps, &begin, &end, &place))
		shared = !strcmp(place.object, here.object) && here.offset >= place.offset &&
			 here.offset - place.offset < end - begin;
	if (maps)
		fclose(maps);
	return shared;
}

/*
 * The thread that has that number in its own namespace. In two namespaces two may have it:
 * then it is the one that can have the lock at all.
 */
static void set_owner(const struct kcatch_task_list *list, const struct kcatch_task *task,
		      uint32_t tid, struct kcatch_user_lock *lock)
{
	const struct kcatch_task *owner, *only = NULL;
	uint32_t candidates = 0, same, i;

	if (!tid)
		return;
	for (i = 0; (owner = kcatch_task_list_of_ns(list, tid, i)); i++) {
		if (!owner->mm || (!lock->shared && owner->mm != task->mm))
			continue;
		candidates++;
		only = owner;
	}
	if (candidates > 1) {
		for (i = same = 0; (owner = kcatch_task_list_of_ns(list, tid, i)); i++) {
			if (!owner->mm || (!lock->shared && owner->mm != task->mm) ||
			    !share(task, lock->address, owner))
				continue;
			only = owner;
			same++;
		}
		candidates = same;
	}
	if (candidates == 1)
		lock->owner = only->tid;
	/* A zombie has no memory any more, and no number when it is nobody's. */
	else if (!candidates && (!lock->shared || !kcatch_task_list_of_ns(list, tid, 0)))
		lock->owner_ended = true;
}

/* ---- the kinds ---------------------------------------------------------------------- */

static void find_pi(const struct kcatch_task_list *list, const struct kcatch_task *task,
		    struct kcatch_user_lock *lock)
{
	uint32_t word;

	lock->kind = KCATCH_USER_LOCK_PI;
	lock->proven = true;
	/* The word's format is the kernel's: nothing to be proven. */
	if (!kcatch_user_read(task->tid, lock->address, &word, sizeof(word)))
		set_owner(list, task, word & FUTEX_TID_MASK, lock);
}

/* The robust mutex that the thread wants, by its list of those; 0: none. */
static uint64_t pending_lock(const struct kcatch_task *task)
{
	struct {
		uint64_t next;
		int64_t futex_offset;
		uint64_t pending;	/* bit 0: with priority inheritance */
	} head;
	size_t size;
	void *at;

	if (syscall(SYS_get_robust_list, (int)task->tid, &at, &size) ||
	    kcatch_user_read(task->tid, (uintptr_t)at, &head, sizeof(head)) || !head.pending)
		return 0;
	return (head.pending & ~1ULL) + (uint64_t)head.futex_offset;
}

static bool is_pi_mutex(const struct kcatch_task *task, uint64_t address, struct mutex *mutex)
{
	return address >= 4096 && !(address % 8) && address < 1ULL << 56 &&
	       !kcatch_user_read(task->tid, address, mutex, sizeof(*mutex)) &&
	       !(mutex->kind & ~KIND_ALL) && (mutex->kind & KIND_PI) &&
	       (mutex->lock & FUTEX_TID_MASK);
}

/*
 * A PI mutex that would close a circle the kernel refuses; glibc then waits for ever on a
 * word of its own stack that is 0 and that nobody knows. Which mutex it was says the list
 * of robust ones, or a register that calls leave alone and that holds its address or that
 * of a field, or was put on the stack.
 */
static bool find_refused(const struct kcatch_task_list *list, const struct kcatch_task *task,
			 struct kcatch_user_lock *lock)
{
	static const uint32_t fields[] = { 0, offsetof(struct mutex, kind) };
	const struct kcatch_arch_user *known = &kcatch_arch_running()->user;
	uint64_t sp = kcatch_task_sp(task), own = 0;
	uint64_t words[REFUSED_WORDS + 1 + KCATCH_ARCH_SAVED_MAX] = { 0 };
	uint32_t word, i, nr = 1 + known->nr_saved;

	if (lock->gives_up || lock->address < sp || lock->address - sp >= REFUSED_WORDS * 8 ||
	    kcatch_task_arg(task, 2) ||
	    kcatch_user_read(task->tid, lock->address, &word, sizeof(word)) || word)
		return false;
	words[0] = pending_lock(task);
	memcpy(words + 1, task->regs + known->saved, known->nr_saved * sizeof(words[0]));
	if (!kcatch_user_read(task->tid, sp, words + nr, REFUSED_WORDS * sizeof(words[0])))
		nr += REFUSED_WORDS;
	lock->kind = KCATCH_USER_LOCK_REFUSED;
	for (i = 0; i < 2 * nr; i++) {
		uint64_t address = words[i / 2] - fields[i % 2];
		struct mutex mutex;

		if (!is_pi_mutex(task, address, &mutex))
			continue;
		if ((mutex.lock & FUTEX_TID_MASK) == task->ns_tid) {
			own = own ? own : address;
			continue;
		}
		lock->kind = KCATCH_USER_LOCK_PI;
		lock->address = address;
		/* The list's format is the kernel's. Nobody but glibc's functions for mutexes has
		 * the address of a mutex's kind in a register, and they leave none behind. */
		lock->proven = i == 0 || (i > 1 && i < 2 * 7 && i % 2);
		lock->shared = mutex.kind & KIND_SHARED;
		set_owner(list, task, mutex.lock & FUTEX_TID_MASK, lock);
		return true;
	}
	/* It wanted what it has. */
	if (own) {
		lock->kind = KCATCH_USER_LOCK_PI;
		lock->address = own;
		lock->owner = task->tid;
	}
	return true;
}

static void find_mutex(const struct kcatch_task_list *list, const struct kcatch_task *task,
		       struct kcatch_user_lock *lock)
{
	struct mutex mutex;
	uint32_t owner;

	if (kcatch_user_read(task->tid, lock->address, &mutex, sizeof(mutex)) ||
	    (mutex.kind & ~KIND_ALL))
		return;
	if (mutex.kind & KIND_ROBUST) {
		if (!(mutex.lock & FUTEX_WAITERS))
			return;
		lock->kind = KCATCH_USER_LOCK_ROBUST;
		owner = mutex.lock & FUTEX_TID_MASK;
	} else if (mutex.lock == LOCKED_AND_WAITED_FOR && mutex.nusers) {
		lock->kind = KCATCH_USER_LOCK_MUTEX;
		owner = mutex.owner;
	} else {
		return;
	}
	lock->shared = mutex.kind & KIND_SHARED;
	set_owner(list, task, owner, lock);
}

/*
 * The word that is waited for, and the value that it shall lose, tell which member it is and
 * whether a reader or a writer waits. The lock's address is a multiple of 8.
 */
static void find_rwlock(const struct kcatch_task_list *list, const struct kcatch_task *task,
			struct kcatch_user_lock *lock)
{
	uint32_t value = (uint32_t)kcatch_task_arg(task, 2), word;
	struct rwlock rwlock;
	size_t member;

	if (lock->address % 8 == offsetof(struct rwlock, writer) % 8)
		member = offsetof(struct rwlock, writer);
	else if (value == RWLOCK_WRITE_USED || value == RWLOCK_READ_PHASE_USED)
		member = offsetof(struct rwlock, phase);
	else
		member = offsetof(struct rwlock, readers);
	if (lock->address % 4 || lock->address < member ||
	    (member == offsetof(struct rwlock, writer) && value != RWLOCK_WRITE_USED) ||
	    (member == offsetof(struct rwlock, readers) && !(value & RWLOCK_READERS_WAIT)) ||
	    kcatch_user_read(task->tid, lock->address - member, &rwlock, sizeof(rwlock)))
		return;
	memcpy(&word, (const char *)&rwlock + member, sizeof(word));
	/* Each wait sees to it that its word and the lock's state fit each other. */
	if (word != value || rwlock.pads[0] || rwlock.pads[1] || rwlock.flags > 2 ||
	    rwlock.shared < 0 || rwlock.shared > 1 || !!rwlock.shared != lock->shared ||
	    !(rwlock.readers & (RWLOCK_HAS_WRITER | RWLOCK_READERS_WAIT)))
		return;
	lock->kind = KCATCH_USER_LOCK_RWLOCK;
	lock->address -= member;
	lock->to_write = member == offsetof(struct rwlock, writer) ||
			 (member == offsetof(struct rwlock, phase) &&
			  value == RWLOCK_READ_PHASE_USED);
	/* In a write phase those who wait to read are counted, too. */
	if (!(rwlock.readers & RWLOCK_WRITE_PHASE))
		lock->readers = rwlock.readers >> RWLOCK_READER_SHIFT;
	else if (rwlock.readers & RWLOCK_HAS_WRITER)
		set_owner(list, task, rwlock.owner, lock);
}

static void find_end(const struct kcatch_task_list *list, const struct kcatch_task *task,
		     uint32_t tid, struct kcatch_user_lock *lock)
{
	const struct kcatch_task *thread;
	uint32_t word, i;

	if (kcatch_user_read(task->tid, lock->address, &word, sizeof(word)) || word != tid ||
	    tid <= LOCKED_AND_WAITED_FOR)
		return;
	/* The kernel itself will write and wake there. */
	for (i = 0; (thread = kcatch_task_list_of_ns(list, tid, i)); i++) {
		if (thread->mm != task->mm || thread->clear_tid != lock->address)
			continue;
		lock->kind = KCATCH_USER_LOCK_END;
		lock->proven = true;
		lock->shared = false;
		lock->owner = thread->tid;
	}
}

bool kcatch_user_lock_is_wait(const struct kcatch_task *task)
{
	uint64_t call = kcatch_task_call(task);

	return kcatch_task_is_wide(task) && kcatch_task_stands(task) &&
	       !(task->flags & KCATCH_TASK_UNREAD) &&
	       (call == SYS_futex || call == CALL_FUTEX_WAIT);
}

void kcatch_user_lock_find(const struct kcatch_task_list *list, const struct kcatch_task *task,
			   struct kcatch_user_lock *lock)
{
	uint64_t op = kcatch_task_arg(task, 1), call = kcatch_task_call(task);

	memset(lock, 0, sizeof(*lock));
	if (!kcatch_user_lock_is_wait(task))
		return;
	lock->address = kcatch_task_arg(task, 0);
	if (call == CALL_FUTEX_WAIT)
		lock->kind = KCATCH_USER_LOCK_FUTEX;
	if (call != SYS_futex)
		return;
	lock->shared = !(op & FUTEX_PRIVATE_FLAG);
	lock->gives_up = kcatch_task_arg(task, 3);
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_LOCK_PI:
	case 13:	/* FUTEX_LOCK_PI2, Linux 5.14 */
		find_pi(list, task, lock);
		break;
	case FUTEX_WAIT_REQUEUE_PI:
		lock->kind = KCATCH_USER_LOCK_FUTEX;
		break;
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		lock->kind = KCATCH_USER_LOCK_FUTEX;
		if (find_refused(list, task, lock))
			break;
		find_end(list, task, (uint32_t)kcatch_task_arg(task, 2), lock);
		if (lock->kind == KCATCH_USER_LOCK_FUTEX)
			find_mutex(list, task, lock);
		if (lock->kind == KCATCH_USER_LOCK_FUTEX)
			find_rwlock(list, task, lock);
		break;
	}
}

/* ---- proofs ------------------------------------------------------------------------- */

bool kcatch_user_lock_is_pending(const struct kcatch_task *task,
				 const struct kcatch_user_lock *lock)
{
	return lock->kind == KCATCH_USER_LOCK_ROBUST && pending_lock(task) == lock->address;
}

static bool is_on(const struct kcatch_frame *frames, uint32_t nr_frames, const char *part)
{
	uint32_t i;

	for (i = 0; i < nr_frames; i++) {
		if (frames[i].symbol && strstr(frames[i].symbol, part))
			return true;
	}
	return false;
}

/*
 * What has no owner is told by the function that waits. A function may wait for more than one word:
 * the word fits, too.
 */
static void name_futex(const struct kcatch_task *task, struct kcatch_user_lock *lock,
		       const struct kcatch_frame *frames, uint32_t nr_frames)
{
	uint32_t value = (uint32_t)kcatch_task_arg(task, 2);
	struct barrier barrier;
	uint32_t word;

	lock->proven = true;
	if (kcatch_task_call(task) != SYS_futex)
		return;
	if (is_on(frames, nr_frames, "pthread_barrier_wait")) {
		uint64_t address = lock->address - offsetof(struct barrier, round);

		if (kcatch_user_read(task->tid, address, &barrier, sizeof(barrier)) ||
		    barrier.round != value || barrier.in - barrier.round >= barrier.count ||
		    barrier.in == barrier.round)
			return;
		lock->kind = KCATCH_USER_LOCK_BARRIER;
		lock->address = address;
		lock->arrived = barrier.in - barrier.round;
		lock->wanted = barrier.count;
	} else if (is_on(frames, nr_frames, "sem_wait") ||
		   is_on(frames, nr_frames, "sem_timedwait") ||
		   is_on(frames, nr_frames, "sem_clockwait")) {
		if (!kcatch_user_read(task->tid, lock->address, &word, sizeof(word)) && !word &&
		    !value)
			lock->kind = KCATCH_USER_LOCK_SEMAPHORE;
	} else if (is_on(frames, nr_frames, "pthread_cond_") &&
		   !is_on(frames, nr_frames, "pthread_mutex_")) {
		lock->kind = KCATCH_USER_LOCK_CONDITION;
	}
}

void kcatch_user_lock_prove(const struct kcatch_task_list *list, const struct kcatch_task *task,
			    struct kcatch_user_lock *lock, const struct kcatch_frame *frames,
			    uint32_t nr_frames)
{
	const struct kcatch_task *owner;

	if (lock->kind == KCATCH_USER_LOCK_FUTEX && !lock->proven)
		name_futex(task, lock, frames, nr_frames);
	if (lock->kind == KCATCH_USER_LOCK_NONE || lock->kind == KCATCH_USER_LOCK_FUTEX)
		return;
	if (!lock->proven) {
		lock->proven = is_on(frames, nr_frames, lock->kind == KCATCH_USER_LOCK_RWLOCK ?
				     "pthread_rwlock_" : "pthread_mutex_") ||
			       kcatch_user_lock_is_pending(task, lock);
		/* What remains is what the system call says. */
		if (!lock->proven) {
			*lock = (struct kcatch_user_lock){
				.kind = KCATCH_USER_LOCK_FUTEX,
				.gives_up = lock->gives_up,
				.address = kcatch_task_arg(task, 0),
				.shared = !(kcatch_task_arg(task, 1) & FUTEX_PRIVATE_FLAG),
			};
			name_futex(task, lock, frames, nr_frames);
			return;
		}
	}
	/* Its number alone does not make it the owner. */
	owner = lock->owner ? kcatch_task_list_of(list, lock->owner) : NULL;
	if (lock->shared && owner && !share(task, lock->address, owner))
		lock->owner = 0;
}
