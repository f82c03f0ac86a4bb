/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs ktrace/: ktrace's events as files, for scripts and small readers.
 *
 * The files have one session of their own, whose rings overwrite. Each event that is switched on is
 * a group of one probe, whose number is the event's.
 *
 * 	frontends/ktracefs.c		the files
 * 	frontends/ktrace_buffer.c	one CPU's ring as a file: read, poll, mmap, ioctl
 */
#ifndef _KCATCH_FRONTENDS_KTRACE_H
#define _KCATCH_FRONTENDS_KTRACE_H

#include <linux/fs.h>
#include <linux/types.h>

struct kcatch_session;

/** kcatch_ktracefs_init() - create the files; without debugfs there are none. Context: may sleep */
void kcatch_ktracefs_init(void);
void kcatch_ktracefs_exit(void);

/**
 * kcatch_ktracefs_update() - create and remove the files of events
 *
 * Called after a module with events was loaded or unloaded.
 *
 * Context: may sleep; no lock of kcatch held.
 */
void kcatch_ktracefs_update(void);

/**
 * kcatch_ktracefs_hold() - get the session, and keep it until kcatch_ktracefs_drop()
 * @session: result; created if there is none
 *
 * Context: may sleep. Return: 0, -ENOMEM
 */
int kcatch_ktracefs_hold(struct kcatch_session **session);
/** kcatch_ktracefs_drop() - undo one kcatch_ktracefs_hold(). Context: may sleep */
void kcatch_ktracefs_drop(void);

/* The file of a CPU's ring; inode->i_private is the number of the CPU. */
extern const struct file_operations kcatch_ktrace_buffer_operations;

/** kcatch_ktrace_buffers_init() - call before any other kcatch_ktrace_buffers_*(). Context: any */
void kcatch_ktrace_buffers_init(void);

/** kcatch_ktrace_buffers_forget() - begin at the start of all rings, for a new session.
 * Context: may sleep */
void kcatch_ktrace_buffers_forget(void);

/** kcatch_ktrace_buffers_reset() - skip all records that were not read, on all CPUs.
 * Context: may sleep */
void kcatch_ktrace_buffers_reset(struct kcatch_session *session);

/**
 * kcatch_ktrace_buffers_count() - count the events that readers have read or can still read
 * @session: the session of the files
 * @nr: the sum over all CPUs since the last reset; approximate while events are recorded
 *
 * Context: may sleep. Return: 0; -ENOMEM: no memory for a packet
 */
int kcatch_ktrace_buffers_count(struct kcatch_session *session, u64 *nr);

#endif
