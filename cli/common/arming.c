/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arming.c - says how far it is, where arming takes more than a second */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <kcatch.h>

#include "arming.h"
#include "command.h"

static void step_text(const struct arming *arming, char *text, size_t room)
{
	size_t ready, found;

	kcatch_session_arming(arming->session, &ready, &found);
	if (found)
		snprintf(text, room, "%zu of %zu hooks know their arguments", ready, found);
	else
		snprintf(text, room, "looks for what matches, and hooks it");
}

/* Return: it has ended before that time. */
static bool has_ended(struct arming *arming, const struct timespec *until)
{
	bool ended;
	int ret = 0;

	pthread_mutex_lock(&arming->lock);
	while (!arming->ended && !ret)
		ret = pthread_cond_timedwait(&arming->wake, &arming->lock, until);
	ended = arming->ended;
	pthread_mutex_unlock(&arming->lock);
	return ended;
}

static void *tell(void *arg)
{
	struct arming *arming = arg;
	unsigned int seconds;
	struct timespec until;
	char text[64];

	clock_gettime(CLOCK_MONOTONIC, &until);
	for (seconds = 1;; seconds++) {
		until.tv_sec++;
		if (has_ended(arming, &until))
			break;
		step_text(arming, text, sizeof(text));
		dprintf(STDERR_FILENO, "\r\033[Kkcatch: arming, %u s: %s", seconds, text);
	}
	if (seconds > 1)
		dprintf(STDERR_FILENO, "\r\033[K");
	return NULL;
}

static bool has_pattern(const char *const *names, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (strpbrk(names[i], "*?["))
			return true;
	return false;
}

void arming_begin(struct arming *arming, const struct kcatch_session *session,
		  const struct kcatch_request *request)
{
	pthread_condattr_t clock;
	sigset_t all, before;

	memset(arming, 0, sizeof(*arming));
	arming->session = session;
	if (!isatty(STDERR_FILENO) ||
	    (!has_pattern(request->functions, request->nr_functions) &&
	     !has_pattern(request->under, request->nr_under) &&
	     !has_pattern(request->events, request->nr_events)))
		return;
	pthread_mutex_init(&arming->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&arming->wake, &clock);
	pthread_condattr_destroy(&clock);
	/* Signals are the main thread's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	arming->runs = !pthread_create(&arming->thread, NULL, tell, arming);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void arming_end(struct arming *arming)
{
	if (!arming->runs)
		return;
	pthread_mutex_lock(&arming->lock);
	arming->ended = true;
	pthread_cond_signal(&arming->wake);
	pthread_mutex_unlock(&arming->lock);
	pthread_join(arming->thread, NULL);
	arming->runs = false;
}
