/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * origin.c - tells where and when records were made, so that those of many machines can be told
 * apart
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>

#include <kcatch_recording.h>
#include <kcatch_text.h>
#include "base/printable.h"
#include "base/timing.h"
#include "session/handle.h"
#include "session/origin.h"

int kcatch_origin_number(char *text)
{
	unsigned char number[16];
	size_t i;

	if (getrandom(number, sizeof(number), 0) != (ssize_t)sizeof(number))
		return kcatch_error_system(errno, "get a random number for the session");
	for (i = 0; i < sizeof(number); i++)
		snprintf(text + 2 * i, 3, "%02x", number[i]);
	return 0;
}

void kcatch_origin_boot(char *text, size_t room)
{
	if (kcatch_text_read_file("/proc/sys/kernel/random/boot_id", text, room) <= 0)
		*text = '\0';
}

static void take(char *to, size_t room, const char *text)
{
	snprintf(to, room, "%s", text);
}

static int learn(struct kcatch_own_origin *own)
{
	struct utsname machine;

	if (uname(&machine))
		return kcatch_error_system(errno, "ask for this machine's name");
	take(own->host, sizeof(own->host), machine.nodename);
	take(own->release, sizeof(own->release), machine.release);
	kcatch_origin_boot(own->boot, sizeof(own->boot));
	return kcatch_origin_number(own->session);
}

int kcatch_origin_set(struct kcatch_session *session, const char *host, const char *release,
		      const char *boot, const char *number)
{
	struct kcatch_own_origin *own = session->origin;

	if (!own)
		own = session->origin = calloc(1, sizeof(*own));
	if (!own)
		return kcatch_error_memory();
	take(own->host, sizeof(own->host), host ? host : "");
	take(own->release, sizeof(own->release), release ? release : "");
	take(own->boot, sizeof(own->boot), boot ? boot : "");
	take(own->session, sizeof(own->session), number ? number : "");
	return 0;
}

int kcatch_session_origin(struct kcatch_session *session, const struct kcatch_origin **origin)
{
	struct kcatch_own_origin *own = session->origin;
	int ret = 0;

	if (!own) {
		own = calloc(1, sizeof(*own));
		ret = own ? learn(own) : kcatch_error_memory();
	}
	if (ret) {
		free(own);
		return ret;
	}
	session->origin = own;
	own->shown = (struct kcatch_origin){
		.host = own->host, .boot_id = own->boot, .release = own->release,
		.arch = session->arch->name, .session = own->session,
		.nr_cpus = session->info.nr_cpus,
	};
	*origin = &own->shown;
	return 0;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * From CLOCK_MONOTONIC to CLOCK_REALTIME. Who is preempted between two reads would take them for
 * one: the closest pair counts, for 50 ms.
 */
static uint64_t realtime_offset(void)
{
	static _Thread_local uint64_t read_ns, offset;
	uint64_t now = kcatch_timing_now_coarse_ns(), least = UINT64_MAX, before, after, real;
	int i;

	if (read_ns && now - read_ns < 50000000)
		return offset;
	for (i = 0; i < 10 && least > 1000; i++) {
		before = clock_ns(CLOCK_MONOTONIC);
		real = clock_ns(CLOCK_REALTIME);
		after = clock_ns(CLOCK_MONOTONIC);
		if (after - before >= least)
			continue;
		least = after - before;
		offset = real - before - least / 2;
	}
	read_ns = now;
	return offset;
}

uint64_t kcatch_session_realtime(const struct kcatch_session *session, uint64_t monotonic_ns)
{
	const struct kcatch_anchors *anchors = &session->anchors;
	const struct kcatch_anchor *anchor = &anchors->first;
	size_t low = 0, high = anchors->nr_later;

	if (session->fd >= 0)
		return realtime_offset() + monotonic_ns;
	/* The last anchor that is not later than the time; the first one if all are. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (anchors->later[middle].monotonic <= monotonic_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (low)
		anchor = &anchors->later[low - 1];
	if (!anchor->realtime)
		return 0;
	return anchor->realtime + (monotonic_ns - anchor->monotonic);
}

int kcatch_session_cpu_totals(struct kcatch_session *session, uint32_t cpu,
			      struct kcatch_totals *totals)
{
	memset(totals, 0, sizeof(*totals));
	if (cpu >= session->info.nr_cpus)
		return kcatch_error_set(ERANGE, "there is no CPU %u", cpu);
	return kcatch_totals_settled(session->kind->cpu_totals(session, cpu, totals), totals);
}
