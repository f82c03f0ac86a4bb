/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * helper_process.h - work that may never return, done by a process that is given up then
 *
 * Who opens a file of a server that does not answer, or reads memory that is mapped from there,
 * may be blocked for ever, and not even SIGKILL ends it then. A thread would keep the whole process
 * from ending. A helper is a forked process: it sees memory as it was when it began, and has
 * no files of its maker open, which no one then has to wait for. It serves many requests, until one
 * of them blocks. The next request begins another helper; after three no more are begun.
 *
 * Request and answer are in memory that both share, at the same address.
 */
#ifndef LIB_BASE_HELPER_PROCESS_H
#define LIB_BASE_HELPER_PROCESS_H

#include <stdint.h>
#include <stddef.h>

struct kcatch_helper;

/**
 * typedef kcatch_helper_work - serve one request; runs in the helper
 * @arg: argument of kcatch_helper_create()
 * @memory: the shared memory: the request, and place for its answer
 */
typedef void kcatch_helper_work(void *arg, void *memory);

/**
 * kcatch_helper_create - create an object that runs work in a helper; begins no process yet
 * @work: serves a request
 * @arg: passed to @work; what it points to is, in the helper, a copy from when the helper began
 * @size: bytes of shared memory
 * @limit_ms: a helper that used no processor for this time is given up, and any that has worked at
 *	one request for six times as long
 * @helper: the new object
 *
 * Context: the helper is a child of this process: a caller that waits for any child may see its
 * end.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_helper_create(kcatch_helper_work *work, void *arg, size_t size, uint32_t limit_ms,
			 struct kcatch_helper **helper);

/**
 * kcatch_helper_memory - get the shared memory, to write a request
 * @helper: the helper
 *
 * Return: the memory, zeroed when a helper has yet to begin. Valid until the call after a
 * failed kcatch_helper_run(), so what the helper had done can still be read; NULL: no memory.
 */
void *kcatch_helper_memory(struct kcatch_helper *helper);

/**
 * kcatch_helper_run - let the helper serve the request that is in the shared memory
 * @helper: the helper, after kcatch_helper_memory()
 *
 * Return: 0; -ETIMEDOUT given up, now or three times before; -ECHILD it ended; another -errno no
 * process could be made.
 */
int kcatch_helper_run(struct kcatch_helper *helper);

/**
 * kcatch_helper_renew - let the next request be served with memory as it is then
 * @helper: the helper
 */
void kcatch_helper_renew(struct kcatch_helper *helper);

/**
 * kcatch_helper_destroy - end the helper; one that is blocked is not waited for
 * @helper: may be NULL
 */
void kcatch_helper_destroy(struct kcatch_helper *helper);

#endif
