/* SPDX-License-Identifier: GPL-2.0-or-later */
/* follow.c - the loop in which commands read a session until something ends it */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "follow.h"
#include "interrupt.h"
#include "stdout.h"

enum {
	FOLLOW_SESSION, FOLLOW_SIGNALS, FOLLOW_OUTPUT, FOLLOW_OTHER, FOLLOW_CLOCK, FOLLOW_PROCESS,
	FOLLOW_COUNT = FOLLOW_PROCESS + FOLLOW_PROCESSES,
};

#define EVENTS_BETWEEN 256	/* events between two checks for a signal or the time limit */

uint64_t follow_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * FOLLOW_SECOND + (uint64_t)now.tv_nsec;
}

static bool time_is_up(const struct follow *f, uint64_t now)
{
	return f->time_ns && now >= f->started_ns + f->time_ns;
}

static bool is_enough(const struct follow *f)
{
	return f->count && f->shown >= f->count;
}

static uint64_t look_ns(const struct follow *f)
{
	return (uint64_t)(f->look_ms ? f->look_ms : FOLLOW_LOOK_MS) * 1000000;
}

/* Must the reading of events be interrupted? */
static bool is_due(const struct follow *f, uint64_t begun, uint64_t now)
{
	return signals_came() || time_is_up(f, now) || (f->due_ns && now >= f->due_ns) ||
	       (f->look && now >= begun + look_ns(f));
}

/*
 * Read the events that are there. While tracing goes on, new events may come as fast as they
 * are read, so a signal, the time limit and the next look end the reading as well.
 */
static int take_events(struct follow *f, bool stops, uint64_t until_ns)
{
	const struct kcatch_event *event;
	uint64_t since = 0, begun = stops ? follow_clock() : 0;
	int ret = 0;

	f->more = false;
	while (f->event && !is_enough(f) && (ret = kcatch_session_next(f->session, &event)) > 0) {
		if (event->time_ns >= until_ns) {
			ret = 0;
			break;
		}
		ret = f->event(f, event);
		if (ret < 0)
			break;
		f->shown += (uint64_t)ret;
		if (++since % EVENTS_BETWEEN)
			continue;
		if (f->shows && ferror(stdout))
			break;
		if (!stops)
			continue;
		f->more = is_due(f, begun, follow_clock());
		if (f->more)
			break;
	}
	if (ret < 0) {
		say("%s", kcatch_error_text());
		return ret;
	}
	return f->shows && !stdout_flush() ? -EPIPE : 0;
}

void follow_process(struct follow *f, uint32_t pid)
{
	struct followed_process *process = &f->processes[f->nr_processes];

	if (!pid || f->nr_processes == FOLLOW_PROCESSES)
		return;
	*process = (struct followed_process) { .pid = pid, .fd = -1 };
	f->nr_processes++;
#ifdef SYS_pidfd_open
	process->fd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	process->ended = process->fd < 0 && errno == ESRCH;
#endif
}

uint32_t follow_process_ended(const struct follow *f)
{
	size_t i;

	for (i = 0; i < f->nr_processes; i++) {
		struct pollfd fd = { f->processes[i].fd, POLLIN, 0 };

		if (f->processes[i].ended || poll(&fd, 1, 0) > 0)
			return f->processes[i].pid;
	}
	return 0;
}

void follow_deinit(struct follow *f)
{
	while (f->nr_processes)
		if (f->processes[--f->nr_processes].fd >= 0)
			close(f->processes[f->nr_processes].fd);
	if (f->clock)
		close(f->clock);
	f->clock = 0;
}

/* Did poll() report the end of a process, or could it not be watched? */
static uint32_t ended_process(const struct follow *f, const struct pollfd *fds)
{
	size_t i;

	for (i = 0; i < f->nr_processes; i++)
		if (f->processes[i].ended || fds[FOLLOW_PROCESS + i].revents)
			return f->processes[i].pid;
	return 0;
}

/* Milliseconds to the next look or the time limit, rounded up. */
static int wait_ms(const struct follow *f, uint64_t now)
{
	uint64_t until = now + look_ns(f), end = f->started_ns + f->time_ns;

	size_t i;

	for (i = 0; i < f->nr_processes; i++)
		if (f->processes[i].ended)
			return 0;
	if (f->more)
		return 0;
	if (f->due_ns && f->due_ns < until)
		until = f->due_ns;
	if (f->time_ns && end < until)
		until = end;
	return until <= now ? 0 : (int)((until - now + 999999) / 1000000);
}

/* The output's reader has gone: a write fails, which is how standard output knows it. */
static int say_unread(void)
{
	fputc('\n', stdout);
	return stdout_flush() ? 0 : -EPIPE;
}

/* Evaluate what poll() reported. Return: why the loop ends, for @end; NULL: it goes on. */
static const char *end_of(struct follow *f, struct pollfd *fds, uint64_t now)
{
	struct pollfd *session = &fds[FOLLOW_SESSION];

	if (is_enough(f))
		return "count";
	if (session->revents & POLLPRI)
		return "frozen";
	if (session->revents & POLLHUP) {
		f->gone_ns = now;
		session->fd = -1;	/* poll() would report POLLHUP again and again */
		session->revents = 0;
	}
	if (f->stays && !f->stays(f, now) && f->gone_ns)
		return "gone";
	f->ended_pid = ended_process(f, fds);
	if (f->ended_pid)
		return "exit";
	return !f->stays && f->gone_ns ? "gone" : NULL;
}

/* What is due is due at once. A read takes the event: it fails with ECANCELED. */
static void clock_was_set(struct follow *f)
{
	uint64_t expired;

	if (read(f->clock, &expired, sizeof(expired)) < 0 && errno == ECANCELED && f->due_ns)
		f->due_ns = 1;
}

int follow_watch_clock(struct follow *f)
{
	/* It never expires. */
	const struct itimerspec end = { .it_value = { .tv_sec = INT32_MAX } };

	f->clock = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
	if (f->clock > 0 && !timerfd_settime(f->clock, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
					     &end, NULL))
		return 0;
	if (f->clock > 0)
		close(f->clock);
	f->clock = 0;
	return -errno;
}

/* Wait, read and look once. Return: 0 to go on; 1: the loop ends; -errno. */
static int step(struct follow *f, struct pollfd *fds, uint64_t now)
{
	int ret = poll(fds, FOLLOW_COUNT, wait_ms(f, now)), i;

	if (ret < 0 && errno != EINTR) {
		ret = -errno;
		say("poll: %s", strerror(-ret));
		return ret;
	}
	for (i = 0; ret < 0 && i < FOLLOW_COUNT; i++)
		fds[i].revents = 0;
	if (fds[FOLLOW_SESSION].revents & (POLLERR | POLLNVAL)) {
		say("the kcatch session broke");
		return -EIO;
	}
	f->other_came = ret > 0 ? fds[FOLLOW_OTHER].revents : 0;
	if (ret > 0 && fds[FOLLOW_CLOCK].revents)
		clock_was_set(f);
	/* Read before evaluating the end: a process that has ended left events behind. */
	ret = take_events(f, true, UINT64_MAX);
	now = follow_clock();
	if (!ret && f->look)
		ret = f->look(f, now);
	if (ret)
		return ret;
	f->end = end_of(f, fds, now);
	/* A socket that nobody reads says POLLHUP alone. */
	if (!f->end && fds[FOLLOW_OUTPUT].revents & (POLLERR | POLLHUP))
		return say_unread();
	return f->end != NULL;
}

int follow(struct follow *f)
{
	struct pollfd fds[FOLLOW_COUNT] = {
		[FOLLOW_SESSION] = { kcatch_session_fd(f->session),
				     f->frozen_only ? POLLPRI : POLLIN, 0 },
		[FOLLOW_SIGNALS] = { signals_init(), POLLIN, 0 },
		[FOLLOW_OUTPUT] = { f->shows ? STDOUT_FILENO : -1, 0, 0 },
		[FOLLOW_OTHER] = { f->other, POLLIN, 0 },
		[FOLLOW_CLOCK] = { f->clock ? f->clock : -1, POLLIN, 0 },
	};
	int ret = 0, i;

	for (i = 0; i < FOLLOW_PROCESSES; i++)
		fds[FOLLOW_PROCESS + i] = (struct pollfd) {
			(size_t)i < f->nr_processes ? f->processes[i].fd : -1, POLLIN, 0 };
	f->end = NULL;
	while (!ret) {
		uint64_t now = follow_clock();

		if (signals_came() || time_is_up(f, now)) {
			f->end = signals_came() ? "interrupt" : "time";
			break;
		}
		ret = step(f, fds, now);
	}
	return ret < 0 ? ret : 0;
}

/* Only a second signal, which kills kcatch, interrupts that. */
int follow_rest(struct follow *f, uint64_t until_ns)
{
	int ret;

	f->due_ns = 0;
	ret = take_events(f, false, until_ns ? until_ns : UINT64_MAX);
	if (!ret && is_enough(f))
		f->end = "count";
	return ret;
}
