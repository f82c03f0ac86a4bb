/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text interfaces that write to the kernel log (otst, module parameters): thin clients of
 * sessions.
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
 * kcatch_frontend_session() - a small session that is read inside the kernel
 * @notify: called in process context when there are records
 * @session: result
 *
 * Memory: 16 KB a CPU. Return: 0 or -errno
 */
int kcatch_frontend_session(void (*notify)(struct kcatch_session *session),
			struct kcatch_session **session);

/** kcatch_session_address() - address of a probe, 0 when there is none */
unsigned long kcatch_session_address(struct kcatch_session *session, u32 probe);

/** kcatch_session_is_gone() - have all of these probes lost their module? */
bool kcatch_session_is_gone(struct kcatch_session *session, u32 first, u32 nr);

/** kcatch_record_cpu() - the CPU of a record that still lies in its ring */
u32 kcatch_record_cpu(const struct kcatch_record *record);

#endif
