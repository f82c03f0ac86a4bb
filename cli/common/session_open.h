/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session_open.h - a session, and the module for it */
#ifndef CLI_COMMON_SESSION_OPEN_H
#define CLI_COMMON_SESSION_OPEN_H

#include <stdint.h>

struct kcatch_request;
struct kcatch_session;

/**
 * session_open - open a session; load the module when it is there and nobody has
 * @session: the new session
 *
 * Says when it loads the module, and who could.
 *
 * Return: 0 or -errno, it was said.
 */
int session_open(struct kcatch_session **session);

/**
 * session_arm - rings and probes
 * @session: the new session
 * @ring_size: bytes a CPU, 0: by itself
 * @request: what is asked for
 *
 * Return: 0 or -errno, it was said.
 */
int session_arm(struct kcatch_session *session, uint64_t ring_size,
		const struct kcatch_request *request);

/**
 * session_check - is there anything to wait for
 * @session: the session, armed
 * @request: what was asked for
 * @ret: what arming returned
 *
 * Return: 0; -ENOENT when there is no probe and none may come with a module; @ret when it
 * failed. It was said.
 */
int session_check(struct kcatch_session *session, const struct kcatch_request *request, int ret);

#endif
