/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arming.h - says how far it is, where arming takes more than a second
 *
 * On a terminal it is a line that is rewritten each second and is gone when all is armed; elsewhere
 * nothing is said: what programs read of kcatch does not depend on the machine's speed.
 */
#ifndef CLI_COMMON_ARMING_H
#define CLI_COMMON_ARMING_H

#include <pthread.h>
#include <stdbool.h>

struct kcatch_request;
struct kcatch_session;

/**
 * struct arming - what is being armed
 * @session: its session
 * @thread: says how far it is
 * @lock: of @ended
 * @wake: it was set
 * @ended: all is armed
 * @runs: there is a thread
 */
struct arming {
	const struct kcatch_session *session;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool ended;
	bool runs;
};

/**
 * arming_begin - begin to look at the clock
 * @arming: is initialized
 * @session: the session
 * @request: what is to be armed: functions and events that are all named are soon
 */
void arming_begin(struct arming *arming, const struct kcatch_session *session,
		  const struct kcatch_request *request);

/** arming_end - all is armed, or an error is to be told. @arming: as it was begun */
void arming_end(struct arming *arming);

#endif
