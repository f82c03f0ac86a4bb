/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets up calls before they are hooked; call.h is the half that runs in hooks.
 */
#ifndef _KCATCH_CALL_SETUP_H
#define _KCATCH_CALL_SETUP_H

struct kcatch_group;
struct kcatch_session;

/**
 * kcatch_call_prepare() - slots for the returns of a group, before it goes live
 * @group: stopped, no arrival; its session's lock held, kcatch_sites_lock not
 *
 * Slots that are too small or too few are replaced: the session keeps them, as taking them out
 * waits for a grace period. In the public way (returns.h) this waits for one too.
 *
 * Context: may sleep. Return: 0, -ENOMEM, -EOPNOTSUPP
 */
int kcatch_call_prepare(struct kcatch_group *group);

/** kcatch_call_leave() - after a session's last return. Context: may sleep */
void kcatch_call_leave(struct kcatch_session *session);

/** kcatch_call_init() - memory that hooks work in. Return: 0 or -ENOMEM */
int kcatch_call_init(void);
void kcatch_call_exit(void);

#endif
