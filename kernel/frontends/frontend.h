/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text frontends that write to the kernel log: otst (a file of /proc) and allie (module
 * parameters). Each has a session of its own.
 */
#ifndef _KCATCH_FRONTENDS_FRONTEND_H
#define _KCATCH_FRONTENDS_FRONTEND_H

#include "ring/ring.h"

struct kcatch_session;

int kcatch_otst_init(void);
void kcatch_otst_exit(void);

int kcatch_allie_init(void);
void kcatch_allie_exit(void);

/**
 * kcatch_frontend_session() - create a session with small rings, which the kernel itself reads
 * @notify: called in process context when there are new records
 * @session: result
 *
 * The rings discard new records when they are full. Memory: 16 KB a CPU.
 *
 * Context: may sleep. Return: 0 or -errno, as kcatch_session_setup()
 */
int kcatch_frontend_session(void (*notify)(struct kcatch_session *session),
			struct kcatch_session **session);

/**
 * kcatch_session_address() - the address of a probe
 * @session: session of the probe
 * @probe: number of the probe
 *
 * Context: may sleep; takes session->lock. Return: the address; 0: no such probe
 */
unsigned long kcatch_session_address(struct kcatch_session *session, u32 probe);

/**
 * kcatch_session_is_gone() - were the modules of all these probes unloaded?
 * @session: session of the probes
 * @first: number of the first probe
 * @nr: number of probes; with 0 the answer is true
 *
 * Context: may sleep; takes session->lock.
 */
bool kcatch_session_is_gone(struct kcatch_session *session, u32 first, u32 nr);

/**
 * kcatch_session_drain() - read the rings from inside the kernel
 * @session: its rings are not mapped by user space
 * @take: called for each record, CPU by CPU
 * @data: for @take
 *
 * Context: may sleep; one caller at a time.
 */
void kcatch_session_drain(struct kcatch_session *session,
			  void (*take)(const struct kcatch_record *record, void *data),
			  void *data);

/**
 * kcatch_session_lost() - hits of all probes for which there was no room in a ring
 *
 * Context: may sleep; takes session->lock. Return: those so far, since the session was created
 */
u64 kcatch_session_lost(struct kcatch_session *session);

/** kcatch_record_cpu() - the CPU of a record that is still in the ring of a
 * kcatch_frontend_session(). Context: any */
u32 kcatch_record_cpu(const struct kcatch_record *record);

#endif
