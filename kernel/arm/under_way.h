/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls of a session that have not returned. A hit leaves nothing for this: the kernel has a list
 * of hooked returns for each task, and our slots are in it.
 */
#ifndef _KCATCH_UNDER_WAY_H
#define _KCATCH_UNDER_WAY_H

#include <uapi/kcatch.h>

struct kcatch_session;

/** kcatch_under_way() - as the uapi says. Context: may sleep. Return: 0 or -errno */
int kcatch_under_way(struct kcatch_session *session, struct kcatch_under_way *calls);

#endif
