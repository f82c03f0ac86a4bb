/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session_open.h - a session, and the module for it */
#ifndef CLI_SESSION_OPEN_H
#define CLI_SESSION_OPEN_H

#include <stdbool.h>

struct kcatch_request;
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

/**
 * request_may_get_probes - can probes come while it runs
 * @request: what was asked for
 *
 * Return: whether modules that come may bring some: then none is no reason to end.
 */
bool request_may_get_probes(const struct kcatch_request *request);

#endif
