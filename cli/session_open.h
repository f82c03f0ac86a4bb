/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session_open.h - a session, and the module for it */
#ifndef CLI_SESSION_OPEN_H
#define CLI_SESSION_OPEN_H

struct kcatch_session;

/**
 * session_open - open a session; load the module when it is there and nobody has
 * @session: the new session
 *
 * Says when it loads the module, and who could.
 *
 * Return: 0 or -errno with an error text.
 */
int session_open(struct kcatch_session **session);

#endif
