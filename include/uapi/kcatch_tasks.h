/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * What every thread is at: the calls TASKS and READ of the contract in uapi/kcatch.h,
 * which includes this.
 */
#ifndef _UAPI_KCATCH_TASKS_H
#define _UAPI_KCATCH_TASKS_H

#include <linux/types.h>

/* struct kcatch_tasks.flags */
#define KCATCH_TASKS_STACKS	(1U << 0)	/* with kernel stacks */
#define KCATCH_TASKS_RUNNING	(1U << 1)	/* of running threads too: interrupts their CPUs */

/* struct kcatch_task.flags */
#define KCATCH_TASK_KERNEL	(1U << 0)	/* a kernel thread */
#define KCATCH_TASK_ON_CPU	(1U << 1)	/* running */
#define KCATCH_TASK_FROZEN	(1U << 2)	/* by the freezer (suspend, cgroup v1) */
#define KCATCH_TASK_IO		(1U << 3)	/* in io_schedule() */
#define KCATCH_TASK_REGS	(1U << 4)	/* @regs are there */
#define KCATCH_TASK_MOVED	(1U << 5)	/* it ran while it was looked at: the parts do not
						 * belong together */

/**
 * struct kcatch_task - a thread
 * @pid: process, @tid: thread, @ppid: parent process; in the first pid namespace
 * @uid: real, in the first user namespace
 * @state: as ps shows it: R S D T t X Z P I
 * @flags: KCATCH_TASK_*
 * @cpu: where it runs or ran last
 * @stack_error: 0: a stack is there; -EBUSY it runs or ran meanwhile, -EAGAIN user mode,
 *	-ETIMEDOUT its CPU does not answer, -ESRCH it has ended, -EDEADLK the caller itself
 * @comm: command, with an end mark
 * @switches: how often it was switched away from
 * @ran_at: when it last got a CPU, ns of kcatch_tasks.now
 * @address: its struct task_struct
 * @mm: its struct mm_struct: the same where memory is shared
 * @stack: its kernel stack, up to @stack_end; 0 when it has ended
 * @sp: how far the stack is in use; 0 while it runs
 * @regs: as struct kcatch_user.regs: the system call is orig_ax, its arguments di si dx
 *	r10 r8 r9
 * @clear_tid: of its process's memory: where the kernel writes 0, and wakes who waits in
 *	futex(), when it ends; 0: nowhere
 * @ns_tid: its number in its own pid namespace, as it sees itself; 0: it has ended
 * @nr_threads: of its process
 * @stack_flags: KCATCH_STACK_*
 * @nr_frames: of @frames
 * @interrupted: bit N: frame N was interrupted there, and did not call
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
	__u64 regs[21];
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
 * @pid: only this process, as the first pid namespace numbers it; 0: all
 * @count: in: room; out: how many were written
 * @total: out: how many there are: more than @count, try again with more room
 * @reserved: 0
 * @now: out: the clock of ran_at
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

#define KCATCH_READ_MAX		65536U

/**
 * struct kcatch_read - copy kernel memory
 * @address: in the kernel's half
 * @buffer: user pointer
 * @size: bytes, up to KCATCH_READ_MAX
 * @reserved: 0
 *
 * Errors: EINVAL, ENOMEM, EFAULT not all of it is memory that can be read.
 */
struct kcatch_read {
	__u64 address;
	__u64 buffer;
	__u32 size;
	__u32 reserved;
};

#endif
