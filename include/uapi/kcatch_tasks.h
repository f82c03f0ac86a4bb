/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * State of all threads: the calls TASKS and READ. Part of the contract in uapi/kcatch.h,
 * which includes this header.
 */
#ifndef _UAPI_KCATCH_TASKS_H
#define _UAPI_KCATCH_TASKS_H

#include <linux/types.h>

/* struct kcatch_tasks.flags */
#define KCATCH_TASKS_STACKS	(1U << 0)	/* return kernel stacks */
#define KCATCH_TASKS_RUNNING	(1U << 1)	/* also of running threads; interrupts their CPUs */

/* struct kcatch_task.flags */
#define KCATCH_TASK_KERNEL	(1U << 0)	/* a kernel thread */
#define KCATCH_TASK_ON_CPU	(1U << 1)	/* running */
#define KCATCH_TASK_FROZEN	(1U << 2)	/* frozen by the freezer (suspend, cgroup v1) */
#define KCATCH_TASK_IO		(1U << 3)	/* in io_schedule() */
#define KCATCH_TASK_REGS	(1U << 4)	/* @regs are valid; not those of threads of
						 * the kernel, io_uring and vhost */
#define KCATCH_TASK_MOVED	(1U << 5)	/* it ran while it was read: the members may be of
						 * different moments */

/**
 * struct kcatch_task - a thread
 * @pid: process ID in the initial PID namespace
 * @tid: thread ID in the initial PID namespace
 * @ppid: process ID of the parent in the initial PID namespace
 * @uid: real user ID in the initial user namespace
 * @state: the letter that ps shows: R S D T t X Z P I
 * @flags: KCATCH_TASK_*
 * @cpu: CPU on which it runs or last ran
 * @stack_error: 0: the stack is valid; -EBUSY it runs, or ran meanwhile; -EAGAIN it is in
 *	user mode; -ETIMEDOUT its CPU does not answer; -ESRCH it has ended; -EDEADLK it is
 *	the caller
 * @comm: command, null-terminated
 * @switches: number of context switches away from it
 * @ran_at: time when it last got a CPU, nanoseconds on the clock of kcatch_tasks.now
 * @address: address of its struct task_struct
 * @mm: address of its struct mm_struct, equal for threads that share memory
 * @stack: lowest address of its kernel stack; 0: it has ended
 * @stack_end: end of its kernel stack
 * @sp: stack pointer, the lower end of the used part; 0 while it runs
 * @regs: registers as in struct kcatch_user.regs. x86-64: the system call is orig_ax, its
 *	arguments di si dx r10 r8 r9
 * @clear_tid: user address at which the kernel writes 0 and wakes futex waiters when it
 *	ends; 0: none
 * @ns_tid: thread ID in its own PID namespace; 0: it has ended
 * @nr_threads: number of threads of its process
 * @stack_flags: KCATCH_STACK_*
 * @nr_frames: number of @frames, 0..64
 * @interrupted: bit N: frame N is an interrupted instruction, not a return address
 * @frames: innermost first
 */
struct kcatch_task {
	__u32 pid;
	__u32 tid;
	__u32 ppid;
	__u32 uid;
	__u32 state;
	__u32 flags;
	__u32 cpu;
	__s32 stack_error;
	char  comm[16];
	__u64 switches;
	__u64 ran_at;
	__u64 address;
	__u64 mm;
	__u64 stack;
	__u64 stack_end;
	__u64 sp;
	__u64 regs[KCATCH_USER_REGS];
	__u64 clear_tid;
	__u32 ns_tid;
	__u32 nr_threads;
	__u32 stack_flags;
	__u32 nr_frames;
	__u64 interrupted;
	__u64 frames[64];
};

/**
 * struct kcatch_tasks - threads of the machine
 * @flags: KCATCH_TASKS_*
 * @pid: only this process, by its ID in the initial PID namespace; 0: all
 * @count: in: entries that fit into @buffer; out: entries written
 * @total: out: number of threads; if larger than @count, try again with more room
 * @reserved: 0
 * @now: out: the current time on the clock of ran_at, nanoseconds
 * @buffer: user pointer to @count struct kcatch_task; frames past nr_frames are not written
 *
 * Errors: EINVAL, EFAULT, ENOMEM, EINTR.
 */
struct kcatch_tasks {
	__u32 flags;
	__u32 pid;
	__u32 count;
	__u32 total;
	__u64 reserved;
	__u64 now;
	__u64 buffer;
};

#define KCATCH_READ_MAX		65536U	/* bytes */

/**
 * struct kcatch_read - copy kernel memory
 * @address: address in the kernel's half
 * @buffer: user pointer to @size bytes
 * @size: bytes, up to KCATCH_READ_MAX
 * @reserved: 0
 *
 * Errors: EINVAL a value out of range; ENOMEM memory is short; EFAULT a part of the memory
 * cannot be read, or @buffer cannot be written.
 */
struct kcatch_read {
	__u64 address;
	__u64 buffer;
	__u32 size;
	__u32 reserved;
};

#endif
