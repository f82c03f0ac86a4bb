/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.c - record calls and events into a directory: a CTF 1.8 trace
 *
 * The library writes; here is what begins and ends it, and what is said of it.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <kcatch.h>

#include "command.h"
#include "losses.h"
#include "output.h"
#include "record_options.h"
#include "record_run.h"
#include "session_open.h"
#include "signals.h"

#define SECOND ((uint64_t)1000000000)
#define RING_DEFAULT (4ULL << 20)	/* bytes a CPU */
#define RING_LEAST (64ULL << 10)

enum { FD_SESSION, FD_SIGNALS, FD_PROCESS, FD_COUNT };

struct record {
	struct record_options options;
	char directory[64];		/* when none was named */
	struct kcatch_session *session;
	struct kcatch_recorder *recorder;
	struct run run;
	struct pollfd fds[FD_COUNT];
	uint64_t started_ns;
	uint64_t shown_ns;		/* when progress was shown last */
	uint64_t shown_events;
	uint64_t shown_cpu_ns;
	bool progress;			/* there is a line of it on the terminal */
	bool failed;			/* something could not be written */
	const char *end;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static uint64_t own_cpu_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * SECOND + (uint64_t)used.tv_nsec;
}

/* ---- beginning ----------------------------------------------------------------- */

/* A directory of its own for each recording, by the time of day. */
static void name_directory(struct record *record)
{
	time_t now = time(NULL);
	struct tm local;

	localtime_r(&now, &local);
	strftime(record->directory, sizeof(record->directory), "kcatch-%Y%m%d-%H%M%S", &local);
	record->options.directory = record->directory;
}

static int make_rings(struct record *record)
{
	uint64_t size = record->options.ring_size ? record->options.ring_size : RING_DEFAULT;
	int ret;

	for (;;) {
		ret = kcatch_session_setup(record->session, size, &record->options.request);
		/* Nobody asked for that size: take what there is. */
		if (ret != -ENOMEM || record->options.ring_size || size <= RING_LEAST)
			return ret;
		size /= 2;
	}
}

static int arm(struct record *record)
{
	struct kcatch_request *request = &record->options.request;
	int ret = session_open(&record->session);

	if (ret == -ENOENT && geteuid() != 0)
		return ret;	/* it was said */
	if (!ret)
		ret = make_rings(record);
	if (!ret)
		ret = kcatch_session_add(record->session, request);
	if (!ret && !kcatch_session_nr_probes(record->session)) {
		say("nothing of what was asked for can be traced");
		return -ENOENT;
	}
	if (ret)
		say("%s", kcatch_error_text());
	return ret;
}

static int begin(struct record *record)
{
	const struct kcatch_recorder_options options = {
		.directory = record->options.directory, .request = &record->options.request,
		.command = (const char *const *)record->options.words,
		.nr_command = record->options.nr_words,
	};
	int ret = kcatch_recorder_create(record->session, &options, &record->recorder);

	if (!ret)
		ret = kcatch_session_start(record->session);
	if (ret)
		say("%s", kcatch_error_text());
	return ret;
}

static void watch_process(struct record *record)
{
	record->fds[FD_PROCESS] = (struct pollfd){ -1, POLLIN, 0 };
#ifdef SYS_pidfd_open
	if (record->options.request.pid)
		record->fds[FD_PROCESS].fd = (int)syscall(SYS_pidfd_open,
							  (pid_t)record->options.request.pid, 0);
#endif
}

static void announce(const struct record *record)
{
	size_t count = kcatch_session_nr_probes(record->session);
	char limit[64] = "", whom[64] = "";

	if (record->options.time_ns)
		snprintf(limit, sizeof(limit), ", for %.10g s", (double)record->options.time_ns / 1e9);
	else if (record->options.argv)
		snprintf(limit, sizeof(limit), ", until the command ends");
	else if (record->options.request.pid)
		snprintf(limit, sizeof(limit), ", until the process ends or Ctrl-C");
	else
		snprintf(limit, sizeof(limit), ", until Ctrl-C");
	if (record->options.request.pid)
		snprintf(whom, sizeof(whom), " of process %u", record->options.request.pid);
	say("recording %zu probe%s%s to %s%s", count, count == 1 ? "" : "s", whom,
	    quoted(record->options.directory), limit);
	if (kcatch_session_nr_left_out(record->session))
		say("%" PRIu64 " functions that match were left out: the filter does not apply to them",
		    kcatch_session_nr_left_out(record->session));
}

/* ---- progress --------------------------------------------------------------------- */

static void size_text(uint64_t bytes, char *text, size_t room)
{
	if (bytes < 10 << 10)
		snprintf(text, room, "%" PRIu64 " B", bytes);
	else if (bytes < 10 << 20)
		snprintf(text, room, "%.0f KB", (double)bytes / 1024);
	else
		snprintf(text, room, "%.0f MB", (double)bytes / (1024 * 1024));
}

/* One line, written again each second; only for who looks at a terminal. */
static void show_progress(struct record *record, uint64_t now)
{
	uint64_t since = now - record->shown_ns, cpu = own_cpu_ns();
	struct kcatch_recorder_stats stats;
	struct kcatch_totals totals;
	char bytes[32];

	if (!isatty(STDERR_FILENO) || kcatch_session_totals(record->session, &totals) || !since)
		return;
	kcatch_recorder_stats(record->recorder, &stats);
	size_text(stats.bytes, bytes, sizeof(bytes));
	dprintf(STDERR_FILENO, "\r\033[K%" PRIu64 " s  %" PRIu64 " events  %.0f/s  %s  lost %" PRIu64
		"  kcatch uses %.1f %% of a CPU", (now - record->started_ns) / SECOND, totals.recorded,
		(double)(totals.recorded - record->shown_events) * 1e9 / (double)since, bytes, stats.lost,
		(double)(cpu - record->shown_cpu_ns) * 100 / (double)since);
	record->progress = true;
	record->shown_ns = now;
	record->shown_events = totals.recorded;
	record->shown_cpu_ns = cpu;
}

static void end_progress(struct record *record)
{
	if (record->progress)
		dprintf(STDERR_FILENO, "\r\033[K");
	record->progress = false;
}

/* ---- following ---------------------------------------------------------------------- */

static bool time_is_up(const struct record *record, uint64_t now)
{
	return record->options.time_ns && now >= record->started_ns + record->options.time_ns;
}

static int wait_ms(const struct record *record, uint64_t now, uint64_t flush)
{
	uint64_t end = record->options.time_ns ? record->started_ns + record->options.time_ns : flush;

	end = end < flush ? end : flush;
	return end <= now ? 0 : (int)((end - now + 999999) / 1000000);
}

/* Write until something ends it. What is full is written at once, all else each second. */
static void follow(struct record *record)
{
	uint64_t now = now_ns(), flush = now + SECOND;
	struct pollfd *fds = record->fds;

	for (;;) {
		int ret = poll(fds, FD_COUNT, wait_ms(record, now, flush));

		if (ret < 0 && errno != EINTR) {
			say("poll: %s", strerror(errno));
			record->failed = true;
			return;
		}
		now = now_ns();
		ret = kcatch_recorder_write(record->recorder, now >= flush);
		if (ret) {
			end_progress(record);
			say("%s", kcatch_error_text());
			record->failed = true;
			record->end = "disk";
			return;
		}
		if (now >= flush) {
			show_progress(record, now);
			flush = now + SECOND;
		}
		if (signals_came()) {
			record->end = "interrupt";
			return;
		}
		if (time_is_up(record, now)) {
			record->end = "time";
			return;
		}
		if (fds[FD_SESSION].revents & (POLLERR | POLLNVAL)) {
			say("the kcatch session broke");
			record->failed = true;
			return;
		}
		if (fds[FD_PROCESS].revents) {
			record->end = "exit";
			return;
		}
		if (fds[FD_SESSION].revents & POLLHUP) {
			record->end = "gone";
			return;
		}
	}
}

/* ---- the end -------------------------------------------------------------------------- */

static int finish(struct record *record)
{
	struct kcatch_recorder_stats stats;
	struct kcatch_totals totals;
	bool losses;
	char bytes[32];

	end_progress(record);
	if (kcatch_session_stop(record->session)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	if (kcatch_recorder_finish(record->recorder) && !record->failed) {
		say("%s", kcatch_error_text());
		record->failed = true;
	}
	if (kcatch_session_totals(record->session, &totals)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	kcatch_recorder_stats(record->recorder, &stats);
	size_text(stats.bytes, bytes, sizeof(bytes));
	if (!strcmp(record->end, "gone"))
		say("no probe is in place any more: the module they stood in was unloaded");
	losses = losses_say(record->session, &totals);
	if (stats.unwritten || stats.unwritten_returns) {
		say("%" PRIu64 " hits and %" PRIu64 " returns could not be written any more: they are lost",
		    stats.unwritten, stats.unwritten_returns);
		losses = true;
	}
	say("%" PRIu64 " recorded, %s in %s", totals.recorded - stats.unwritten, bytes, quoted(record->options.directory));
	if (record->failed || losses)
		return STATUS_LOSSES;
	if (!totals.recorded) {
		say("nothing was recorded%s", totals.filtered ? ": no call met what was asked for" : "");
		return STATUS_NOTHING;
	}
	return STATUS_CAUGHT;
}

static int record_all(struct record *record)
{
	int status;

	/* The command waits until it is traced. */
	if (record->options.argv && run_prepare(&record->run, record->options.argv))
		return STATUS_ERROR;
	if (record->options.argv)
		record->options.request.pid = (uint32_t)record->run.pid;
	if (!record->options.directory)
		name_directory(record);
	if (arm(record) || begin(record))
		return STATUS_ERROR;
	record->started_ns = now_ns();
	record->shown_ns = record->started_ns;
	record->fds[FD_SESSION] = (struct pollfd){ kcatch_session_fd(record->session), POLLIN, 0 };
	record->fds[FD_SIGNALS] = (struct pollfd){ signals_init(), POLLIN, 0 };
	watch_process(record);
	announce(record);
	if (record->options.argv && run_start(&record->run))
		return STATUS_ERROR;
	follow(record);
	status = finish(record);
	return status;
}

int record_main(int argc, char **argv)
{
	struct record record;
	int status;

	memset(&record, 0, sizeof(record));
	record.end = "";
	status = record_options_parse(argc, argv, &record.options);
	if (status >= 0)
		return output_finish(status);
	status = record_all(&record);
	run_end(&record.run);
	kcatch_recorder_destroy(record.recorder);
	kcatch_session_close(record.session);
	record_options_deinit(&record.options);
	return output_finish(status);
}
