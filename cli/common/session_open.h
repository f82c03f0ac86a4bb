/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session_open.h - open and arm a session; load the module if needed */
#ifndef CLI_COMMON_SESSION_OPEN_H
#define CLI_COMMON_SESSION_OPEN_H

#include <stdint.h>

struct kcatch_request;
struct kcatch_session;

/**
 * session_open - open a session, after loading the module if it is not loaded
 * @session: set to the new session, to be closed with kcatch_session_close()
 *
 * Only root can load the module; the attempt is announced. Blocks while modprobe runs.
 *
 * Return: 0, or -errno after a message.
 */
int session_open(struct kcatch_session **session);

/**
 * session_say_notes - print what is to be told of the requests, beside errors
 * @session: the armed session, or a recording whose events are filtered or counted
 */
void session_say_notes(const struct kcatch_session *session);

/**
 * session_say_modules - print which modules that are not loaded are waited for
 * @session: the armed session
 */
void session_say_modules(const struct kcatch_session *session);

/**
 * session_arm - create the rings and arm the probes of a request
 * @session: the new session
 * @ring_size: ring buffer of each CPU, bytes; 0: automatic
 * @request: the functions and events
 *
 * Return: as session_check().
 */
int session_arm(struct kcatch_session *session, uint64_t ring_size,
		const struct kcatch_request *request);

/**
 * session_begin - open a session, arm the probes of a request and start it
 * @session: set to the new session, to be closed with kcatch_session_close()
 * @ring_size: ring buffer of each CPU, bytes; 0: automatic
 * @request: the functions and events
 *
 * Return: 0, or -errno after a message; *@session may be open then, too.
 */
int session_begin(struct kcatch_session **session, uint64_t ring_size,
		  const struct kcatch_request *request);

/**
 * session_check - check that armed probes can ever be hit
 * @session: the armed session
 * @request: the functions and events
 * @ret: result of arming: 0 or -errno
 *
 * Return: 0; @ret if arming failed; -ENOENT if there is no probe and no module can bring one.
 * Errors are after a message.
 */
int session_check(struct kcatch_session *session, const struct kcatch_request *request, int ret);

#endif
