/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_stuck.h - libkcatch: blocked threads, the objects they wait for, and the owners
 *
 * The machine keeps running while it is examined. A deadlock is reported only if none of its
 * threads ran between a first and a second look at all of them. The result is used by one thread
 * at a time, and destroyed before its session is closed.
 *
 * Memory and files of processes may lie on a server that does not answer. A forked process reads
 * them; it is given up when it makes no progress for 5 s, and after three no other is begun. A
 * caller that waits for any child may see their ends.
 */
#ifndef KCATCH_STUCK_H
#define KCATCH_STUCK_H

#include <kcatch.h>

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"	/* records end in arrays without a size */
#endif
#include <uapi/kcatch.h>
#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define KCATCH_WAITS_FOR_NONE UINT32_MAX

enum kcatch_lock_kind {
	KCATCH_LOCK_NONE,	/* the thread does not wait for a known lock */
	KCATCH_LOCK_MUTEX,
	KCATCH_LOCK_RWSEM_READ,	/* the thread wants to read */
	KCATCH_LOCK_RWSEM_WRITE,
};

enum kcatch_lock_owner {
	KCATCH_OWNER_UNKNOWN,	/* the lock names no owner, or an impossible one */
	KCATCH_OWNER_THREAD,
	KCATCH_OWNER_READERS,	/* readers hold the lock: the kernel knows the last one at most */
	KCATCH_OWNER_NONE,	/* no thread holds the lock at this moment */
};

/**
 * struct kcatch_lock - a kernel lock that a thread waits for
 * @kind: KCATCH_LOCK_*
 * @address: kernel address of the lock
 * @state: KCATCH_OWNER_*
 * @owner: with KCATCH_OWNER_THREAD: address of the owner's struct task_struct; with
 *	KCATCH_OWNER_READERS: that of the reader that was the last to take the lock, which may have
 *	released it since; 0: unknown
 * @readers: with KCATCH_OWNER_READERS: their number; 0: unknown
 * @writer: address of the struct task_struct of a thread that wants to write and is the first in
 *	the queue, ahead of this one, which wants to read; 0: there is none
 */
struct kcatch_lock {
	enum kcatch_lock_kind kind;
	uint64_t address;
	enum kcatch_lock_owner state;
	uint64_t owner;
	uint32_t readers;
	uint64_t writer;
};

/**
 * struct kcatch_lock_waiter - a thread in the queue of a kernel lock
 * @thread: the thread, an index into kcatch_stuck.tasks
 * @to_write: of an rwsem: it wants to write
 */
struct kcatch_lock_waiter {
	uint32_t thread;
	bool to_write;
};

enum kcatch_user_lock_kind {
	KCATCH_USER_LOCK_NONE,		/* the thread does not wait in futex() */
	KCATCH_USER_LOCK_MUTEX,
	KCATCH_USER_LOCK_ROBUST,	/* mutex with PTHREAD_MUTEX_ROBUST */
	KCATCH_USER_LOCK_PI,		/* mutex with PTHREAD_PRIO_INHERIT */
	KCATCH_USER_LOCK_REFUSED,	/* the kernel refused a PI mutex: glibc sleeps for ever */
	KCATCH_USER_LOCK_END,		/* the end of a thread: pthread_join() */
	KCATCH_USER_LOCK_FUTEX,		/* something else */
	KCATCH_USER_LOCK_RWLOCK,	/* pthread_rwlock_t */
	KCATCH_USER_LOCK_CONDITION,	/* pthread_cond_t: has no owner, nor have the next ones */
	KCATCH_USER_LOCK_BARRIER,	/* pthread_barrier_t */
	KCATCH_USER_LOCK_SEMAPHORE,	/* sem_t */
};

/**
 * struct kcatch_user_lock - a user-space lock that a thread seems to wait for
 * @kind: KCATCH_USER_LOCK_*
 * @proven: @kind is certain; else kcatch_stuck_prove() examines the user stack
 * @shared: the owner may belong to another process
 * @gives_up: the wait has a timeout
 * @owner_ended: the owner has ended without releasing the lock
 * @to_write: of KCATCH_USER_LOCK_RWLOCK: the thread wants to write
 * @readers: of KCATCH_USER_LOCK_RWLOCK: number of readers that hold the lock, which says of none
 *	who it is
 * @arrived: of KCATCH_USER_LOCK_BARRIER: number of threads that have come
 * @wanted: of KCATCH_USER_LOCK_BARRIER: number of threads that have to come
 * @owner: thread number of the owner (or of the joined thread), as in kcatch_task.tid; 0:
 *	unknown
 * @address: address of the lock in the thread's process; with KCATCH_USER_LOCK_REFUSED, _FUTEX and
 *	_CONDITION, of the word that the thread waits for
 */
struct kcatch_user_lock {
	enum kcatch_user_lock_kind kind;
	bool proven;
	bool shared;
	bool gives_up;
	bool owner_ended;
	bool to_write;
	uint32_t readers;
	uint32_t arrived, wanted;
	uint32_t owner;
	uint64_t address;
};

/**
 * struct kcatch_stuck_options - which threads to report
 * @size: size of the struct: sizeof(), bytes
 * @pid: report all threads of this process, blocked or not; 0: blocked threads of every
 *	process
 * @limit_ns: minimum time blocked, ns
 * @sleeping: include threads in interruptible sleep
 */
struct kcatch_stuck_options {
	size_t size;
	uint32_t pid;
	uint64_t limit_ns;
	bool sleeping;
};

/**
 * kcatch_stuck_options_init - initialize empty options
 * @options: its size is set; every other member becomes zero
 */
static inline void kcatch_stuck_options_init(struct kcatch_stuck_options *options)
{
	memset(options, 0, sizeof(*options));
	options->size = sizeof(*options);
}

/**
 * struct kcatch_stuck_thread - the state of a thread
 * @syscall: name of the current system call; NULL: none, or unknown
 * @reason: text that says what the thread waits for; NULL: unknown
 * @lock: kernel lock that the thread waits for
 * @user_lock: user-space lock that the thread waits for
 * @runnable_ns: it waits for nothing but a CPU, for this time, and @reason says why; 0: it does not
 * @frozen_by: what keeps it frozen, which is why it does not run: "cgroup.freeze of /x"; NULL: it
 *	is not known to be frozen
 * @waits_for: the thread it waits for, an index into kcatch_stuck.tasks; or
 *	KCATCH_WAITS_FOR_NONE
 * @named: @reason names @waits_for already
 * @certain: only @waits_for can end the wait: the thread can be part of a deadlock
 * @circle: number of the deadlock that the thread is part of; 0: none, or none of its threads is
 *	shown
 * @shown: the options select this thread
 * @unread: memory and files of its process were not read, because who reads them would be blocked:
 *	there is no user stack, and what it waits for in user mode is not known
 */
struct kcatch_stuck_thread {
	const char *syscall;
	const char *reason;
	struct kcatch_lock lock;
	struct kcatch_user_lock user_lock;
	uint64_t runnable_ns;
	const char *frozen_by;
	uint32_t waits_for;
	uint32_t circle;
	bool named;
	bool certain;
	bool shown;
	bool unread;
};

/**
 * struct kcatch_stuck_group - threads with the same kernel stack; each thread of a deadlock alone
 * @members: indices into kcatch_stuck.tasks, longest blocked first
 * @nr: number of entries in @members
 */
struct kcatch_stuck_group {
	const uint32_t *members;
	uint32_t nr;
};

/**
 * struct kcatch_stuck_cpu - a CPU that has not scheduled for long
 * @cpu: CPU number
 * @thread: the running thread, an index into kcatch_stuck.tasks
 * @interrupts_off: the CPU takes no interrupts either
 */
struct kcatch_stuck_cpu {
	uint32_t cpu;
	uint32_t thread;
	bool interrupts_off;
};

/**
 * struct kcatch_stuck - the result of kcatch_stuck_create()
 * @tasks: all threads of the machine
 * @nr_tasks: number of entries in @tasks and in @threads
 * @threads: state of each thread, indexed like @tasks
 * @groups: groups of the shown threads, largest first
 * @nr_groups: number of entries in @groups
 * @nr_shown: number of threads in all groups
 * @nr_circles: number of deadlocks of which a thread is shown
 * @cpus: CPUs that do not schedule
 * @nr_cpus: number of entries in @cpus
 * @apart: the caller is in another pid namespace: no process memory was read
 * @suspended: block devices of the device mapper that are suspended, "dm-0 (data)"; NULL: there is
 *	none, or no thread is shown that might wait for one
 * @nr_unread: number of processes with kcatch_stuck_thread.unread; more may come with each user
 *	stack, proof and system call
 */
struct kcatch_stuck {
	const struct kcatch_task *tasks;
	uint32_t nr_tasks;
	struct kcatch_stuck_thread *threads;
	struct kcatch_stuck_group *groups;
	uint32_t nr_groups;
	uint32_t nr_shown;
	uint32_t nr_circles;
	struct kcatch_stuck_cpu *cpus;
	uint32_t nr_cpus;
	bool apart;
	const char *suspended;
	uint32_t nr_unread;
};

/**
 * kcatch_stuck_create - find blocked threads, and what they wait for
 * @session: an open session
 * @options: which threads to report
 * @stuck: the result; free it with kcatch_stuck_destroy()
 *
 * Memory: 2 KB per thread of the machine.
 *
 * Return: 0; -ESRCH no such process; -ENOMEM; another -errno.
 */
KCATCH_API int kcatch_stuck_create(struct kcatch_session *session,
				   const struct kcatch_stuck_options *options,
				   const struct kcatch_stuck **stuck);

/**
 * kcatch_stuck_destroy - free the result
 * @stuck: the result, or NULL
 */
KCATCH_API void kcatch_stuck_destroy(const struct kcatch_stuck *stuck);

/**
 * kcatch_stuck_age - time since a thread last got a CPU; of one that waits for a CPU, since when it
 *	does
 * @stuck: the result
 * @thread: index into kcatch_stuck.tasks
 *
 * Return: nanoseconds.
 */
KCATCH_API uint64_t kcatch_stuck_age(const struct kcatch_stuck *stuck, uint32_t thread);

/**
 * kcatch_stuck_frame - a frame of a thread's kernel stack
 * @stuck: the result
 * @thread: index into kcatch_stuck.tasks
 * @index: frame number, 0..kcatch_task.nr_frames - 1
 * @frame: the frame; its strings live as long as the session
 *
 * Return: 0, -ERANGE when there is no such frame.
 */
KCATCH_API int kcatch_stuck_frame(const struct kcatch_stuck *stuck, uint32_t thread,
				  uint32_t index, struct kcatch_frame *frame);

/**
 * kcatch_stuck_user_stack - the user stack of a thread, as it is now
 * @stuck: the result
 * @thread: index into kcatch_stuck.tasks
 * @frames: frames, innermost first; the strings live until the next call
 * @room: maximum number of frames
 *
 * Return: the number of frames; 0: no user stack, or it cannot be read.
 */
KCATCH_API uint32_t kcatch_stuck_user_stack(const struct kcatch_stuck *stuck, uint32_t thread,
					    struct kcatch_frame *frames, uint32_t room);

/**
 * kcatch_stuck_prove - find what takes longer to find, before a thread is shown
 * @stuck: the result
 * @thread: index into kcatch_stuck.tasks; updates the thread's user_lock, reason, waits_for and
 *	named
 *
 * Proves that the thread waits for a user-space lock: reads the thread's user stack, unless
 * another thread has proven the same lock. With hundreds of different locks some stay unproven.
 * Finds who has the other end of the pipe or socket that the thread waits for: reads the tables of
 * open files of all processes, once.
 */
KCATCH_API void kcatch_stuck_prove(const struct kcatch_stuck *stuck, uint32_t thread);

/**
 * kcatch_stuck_syscall - the system call a thread is in: read(fd=3 </tmp/x>, count=4096)
 * @stuck: the result
 * @thread: index into kcatch_stuck.tasks
 * @text: receives the text, NUL-terminated; "": none
 * @room: bytes at @text, at least 1; "..." replaces the part that does not fit
 *
 * Files, sockets and strings are read from the live process at this moment.
 *
 * Return: whether the thread is in a known system call.
 */
KCATCH_API bool kcatch_stuck_syscall(const struct kcatch_stuck *stuck, uint32_t thread,
				     char *text, size_t room);

/**
 * kcatch_stuck_queue - the threads that wait for a kernel lock, the one that gets it next first
 * @stuck: the result
 * @thread: one of them, an index into kcatch_stuck.tasks
 * @waiters: receives them
 * @room: number of entries that fit in @waiters
 *
 * Return: how many wait; 0: not known.
 */
KCATCH_API uint32_t kcatch_stuck_queue(const struct kcatch_stuck *stuck, uint32_t thread,
				       struct kcatch_lock_waiter *waiters, uint32_t room);

/**
 * kcatch_stuck_name - the kernel symbol that contains an address
 * @stuck: the result
 * @address: address of code or data
 * @offset: offset from the symbol's start, bytes; set only if there is a symbol
 *
 * Return: the symbol's name, valid as long as the session; NULL: unknown.
 */
KCATCH_API const char *kcatch_stuck_name(const struct kcatch_stuck *stuck, uint64_t address,
					 uint32_t *offset);

#ifdef __cplusplus
}
#endif

#endif
