/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs ktrace/: the DO_TRACE events as files, for scripts and small readers. A thin
 * client: a session of its own, in overwrite mode, with a group of one probe for each event
 * that is on. The number of the probe is that of the event.
 *
 * 	frontends/ktracefs.c		the files
 * 	frontends/ktrace_buffer.c	one CPU's ring as a file: read, poll, mmap, ioctl
 */
#ifndef _KCATCH_FRONTENDS_KTRACE_H
#define _KCATCH_FRONTENDS_KTRACE_H

#include <linux/fs.h>
#include <linux/types.h>

struct kcatch_session;

/* Without debugfs there are no files, and nothing fails. */
void kcatch_ktracefs_init(void);
void kcatch_ktracefs_exit(void);

/**
 * kcatch_ktracefs_update() - a module brought events, or took them away
 *
 * Context: module notifier, may sleep, no lock of ours held.
 */
void kcatch_ktracefs_update(void);

/**
 * kcatch_ktracefs_hold() - the session, which stays until kcatch_ktracefs_drop()
 * @session: it
 *
 * Context: may sleep. Return: 0, -ENOMEM
 */
int kcatch_ktracefs_hold(struct kcatch_session **session);
void kcatch_ktracefs_drop(void);

extern const struct file_operations kcatch_ktrace_buffer_operations;

/** kcatch_ktrace_buffers_init() - before any of the others */
void kcatch_ktrace_buffers_init(void);

/** kcatch_ktrace_buffers_forget() - a new session: nothing was read of it */
void kcatch_ktrace_buffers_forget(void);

/** kcatch_ktrace_buffers_reset() - throw away what was not read */
void kcatch_ktrace_buffers_reset(struct kcatch_session *session);

/**
 * kcatch_ktrace_buffers_count() - events that readers have had, and that they may have
 *
 * Of all CPUs, as far as it can be told while more come.
 */
u64 kcatch_ktrace_buffers_count(struct kcatch_session *session);

#endif
