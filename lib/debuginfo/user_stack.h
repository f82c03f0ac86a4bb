/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * user_stack.h - unwinds user stacks from registers and a copy of stack memory
 *
 * The kernel copies the memory at the stack pointer, and the list of the files that the process had
 * mapped; only the programs' own unwind tables (.eh_frame) tell the frames. libdw reads them from
 * these files. Where the kernel could not read the list without waiting, it is that of /proc: the
 * process must then still exist, or must have been unwound shortly before.
 *
 * Limits: frames beyond the copied bytes are not seen (a deep stack, or the stack below a
 * signal's alternate one). Code without a file (a JIT's) and files without unwind tables are
 * walked by frame pointers, which may be wrong; code without a file has the names that the process
 * wrote to /tmp/perf-PID.map. 32-bit code without unwind tables has the innermost frame alone.
 */
#ifndef LIB_DEBUGINFO_USER_STACK_H
#define LIB_DEBUGINFO_USER_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include <kcatch.h>

/* The module of a frame in a file that was mapped, but not recorded: the list was cut. */
#define KCATCH_USER_UNMAPPED  "[file not recorded]"
#define KCATCH_USER_DEPTH_MAX 128	/* return addresses; inlined functions come on top */

struct kcatch_arch;
struct kcatch_user_stacks;

/**
 * kcatch_user_stacks_create - create an object that unwinds user stacks of all processes
 * @here: the processes are this machine's, and may live; false: they are those of a recording
 * @arch: of what machine they are
 * @stacks: the new object
 *
 * libdw is loaded at the first unwind.
 * Memory: libdw's data of up to 32 processes.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_user_stacks_create(bool here, const struct kcatch_arch *arch,
			      struct kcatch_user_stacks **stacks);

/**
 * kcatch_user_stacks_destroy - free the object and all strings it returned
 * @stacks: may be NULL
 */
void kcatch_user_stacks_destroy(struct kcatch_user_stacks *stacks);

/**
 * kcatch_user_stacks_add_map - take names of code that a recorded process made at run time
 * @stacks: the object, of a recording
 * @pid: process ID; what was taken of it before is replaced
 * @fd: its file, as of kcatch_perf_map_open(); stays the caller's. One that cannot be read has no
 *	names
 * @number: the process ID in the file's name
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_user_stacks_add_map(struct kcatch_user_stacks *stacks, uint32_t pid, int fd,
			       uint32_t number);

/**
 * kcatch_user_stack_prepare - read the mappings of a process while it lives
 * @stacks: the object
 * @pid: process ID; a process that has ended is no error
 */
void kcatch_user_stack_prepare(struct kcatch_user_stacks *stacks, uint32_t pid);

/**
 * kcatch_user_stack_unwind - unwind one user stack
 * @stacks: the object
 * @pid: process ID
 * @user: registers, followed by @user->size bytes of stack memory, and the mappings if the kernel
 *	took them: without them the process must live
 * @size: bytes at @user
 * @frames: the frames, innermost first: the first is the thread's instruction pointer, the others
 *	are return addresses; module is the file, or "[vdso]". Strings live until the next call.
 *	The last one's end is set
 * @room: number of entries that fit in @frames
 *
 * Return: number of frames; 0 for a kernel thread; -ESRCH the process has ended; -EOPNOTSUPP
 * libdw is not installed; -ENOMEM; another -errno.
 */
int kcatch_user_stack_unwind(struct kcatch_user_stacks *stacks, uint32_t pid,
			     const struct kcatch_user *user, size_t size,
			     struct kcatch_frame *frames, uint32_t room);

/**
 * kcatch_user_stack_name - name the frames of a user stack that was walked elsewhere
 * @stacks: the object
 * @pid: process ID
 * @addresses: the frames, as in kcatch_user_stack_unwind()
 * @nr: number of entries in @addresses and @frames
 * @frames: receives symbol, module and offset; without a symbol, the offset in the module; without
 *	both, the address is in no file. Strings live until the next call
 *
 * Return: 0; -ESRCH the process has ended; -EOPNOTSUPP libdw is not installed; -ENOMEM; another
 * -errno. On failure @frames has the addresses alone.
 */
int kcatch_user_stack_name(struct kcatch_user_stacks *stacks, uint32_t pid,
			   const uint64_t *addresses, uint32_t nr, struct kcatch_frame *frames);

#endif
