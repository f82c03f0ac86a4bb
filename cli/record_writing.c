/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_writing.c - a recorder that waits for its disk answers nevertheless
 *
 * A write to a disk that has gone, or to a server that does not answer, may never return. A
 * thread looks once a second whether the recorder is in such a write. Then it answers in its
 * place. It reads only what does not change meanwhile, and the lock keeps the write from ending
 * before the answer is given.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "record.h"
#include "recorders.h"

#define LONG_NS FOLLOW_SECOND	/* a write that takes longer is answered for */
#define LOOK_MS 200
#define BETWEEN_MS 10		/* between two answers: the write may want to end */

static struct json_object *answer(void *arg, struct json_object *question)
{
	struct record *record = arg;
	const struct record_writing *writing = &record->writing;
	uint64_t seconds = (follow_clock() - writing->since_ns) / FOLLOW_SECOND;
	const char *what = control_word(question, "do");
	bool stop = !strcmp(what, "stop");
	char text[160];

	if (stop)
		record->stopped = true;
	if (stop || !strcmp(what, "status")) {
		snprintf(text, sizeof(text), RECORDER_WRITING " %llu s",
			 (unsigned long long)seconds);
		return record_status_basic(record, text, writing->stats.bytes, writing->events,
					   writing->lost);
	}
	snprintf(text, sizeof(text), "it has been writing for %llu s and waits for the disk",
		 (unsigned long long)seconds);
	return record_error(text);
}

/* Up to a second, without the lock: a write that wants to end gets it. */
static void wait_ms(struct record_writing *writing, unsigned int ms)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += (long)ms * 1000000;
	if (end.tv_nsec >= (long)FOLLOW_SECOND) {
		end.tv_sec++;
		end.tv_nsec -= (long)FOLLOW_SECOND;
	}
	pthread_cond_timedwait(&writing->wake, &writing->lock, &end);
}

static void *answer_meanwhile(void *arg)
{
	struct record *record = arg;
	struct record_writing *writing = &record->writing;

	pthread_mutex_lock(&writing->lock);
	while (!writing->ends) {
		struct pollfd asked = { record->control.fd, POLLIN, 0 };

		if (!writing->since_ns || follow_clock() - writing->since_ns < LONG_NS) {
			wait_ms(writing, 1000);
		} else if (poll(&asked, 1, LOOK_MS) > 0) {
			control_answer(&record->control, answer, record);
			/* However many ask, and if none can be accepted. */
			wait_ms(writing, BETWEEN_MS);
		} else {
			wait_ms(writing, 1000);
		}
	}
	pthread_mutex_unlock(&writing->lock);
	return NULL;
}

void record_writing_init(struct record *record)
{
	struct record_writing *writing = &record->writing;
	pthread_condattr_t clock;
	sigset_t all, before;

	pthread_mutex_init(&writing->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&writing->wake, &clock);
	pthread_condattr_destroy(&clock);
	/* Signals are the recorder's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	writing->runs = !pthread_create(&writing->thread, NULL, answer_meanwhile, record);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void record_writing_deinit(struct record *record)
{
	struct record_writing *writing = &record->writing;

	if (!writing->runs)
		return;
	pthread_mutex_lock(&writing->lock);
	writing->ends = true;
	pthread_cond_signal(&writing->wake);
	pthread_mutex_unlock(&writing->lock);
	pthread_join(writing->thread, NULL);
	writing->runs = false;
}

/* With 50,000 functions counters take their time: one part in a hundred of it. */
static void look_at_counters(struct record *record)
{
	struct kcatch_session *session = record->follow.session;
	struct record_writing *writing = &record->writing;
	uint64_t now = follow_clock();
	struct kcatch_totals totals;

	if (now < writing->due_ns)
		return;
	if (!record->recorder)
		writing->stats.bytes = kcatch_session_ring_bytes(session);
	if (!kcatch_session_totals(session, &totals)) {
		writing->events = totals.recorded;
		writing->lost = totals.lost;
	}
	writing->due_ns = now + 100 * (follow_clock() - now);
}

void record_writing_begin(struct record *record)
{
	if (!record->writing.runs)
		return;
	/* The thread does not look at them before @since_ns is set. */
	look_at_counters(record);
	pthread_mutex_lock(&record->writing.lock);
	record->writing.since_ns = follow_clock();
	pthread_mutex_unlock(&record->writing.lock);
}

void record_writing_end(struct record *record)
{
	if (!record->writing.runs)
		return;
	pthread_mutex_lock(&record->writing.lock);
	record->writing.since_ns = 0;
	pthread_mutex_unlock(&record->writing.lock);
}
