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
#include "record.h"
#include "session_open.h"
#include "signals.h"

#define SECOND ((uint64_t)1000000000)
#define RING_DEFAULT (4ULL << 20)	/* bytes a CPU */
#define RING_LEAST (64ULL << 10)

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
	size_t i;

	if (ret == -ENOENT && geteuid() != 0)
		return ret;	/* it was said */
	if (!ret)
		ret = make_rings(record);
	if (!ret)
		ret = kcatch_session_add(record->session, request);
	for (i = 0; !ret && i < record->options.nr_triggers; i++)
		ret = kcatch_session_add(record->session, &record->options.triggers[i].request);
	if (!ret && !kcatch_session_nr_probes(record->session) && !request_may_get_probes(request)) {
		say("nothing of what was asked for can be traced");
		return -ENOENT;
	}
	if (ret)
		say("%s", kcatch_error_text());
	return ret;
}

static int begin(struct record *record)
{
	struct kcatch_recorder_options options = {
		.directory = record->options.directory, .request = &record->options.request,
		.command = (const char *const *)record->options.words,
		.nr_command = record->options.nr_words,
	};
	int ret = 0;

	if (record->options.standby) {
		options.directory = record->options.standby;
		ret = kcatch_recorder_prepare(record->session, &options);
	} else if (!record->options.request.overwrite) {
		ret = kcatch_recorder_create(record->session, &options, &record->recorder);
	}
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
	const struct record_options *options = &record->options;
	size_t count = kcatch_session_nr_probes(record->session);
	char limit[64] = "", whom[64] = "", where[512];

	if (options->time_ns)
		snprintf(limit, sizeof(limit), ", for %.10g s", (double)options->time_ns / 1e9);
	else if (options->argv)
		snprintf(limit, sizeof(limit), ", until the command ends");
	else if (options->request.pid)
		snprintf(limit, sizeof(limit), ", until the process ends%s", options->detach ? "" : " or Ctrl-C");
	else if (!options->detach)
		snprintf(limit, sizeof(limit), ", until Ctrl-C");
	if (options->request.pid)
		snprintf(whom, sizeof(whom), " of process %u%s", options->request.pid,
			 options->request.children ? " and its children" : "");
	if (options->request.overwrite)
		snprintf(where, sizeof(where), "in memory, the last %" PRIu64 " KB",
			 kcatch_session_ring_bytes(record->session) >> 10);
	else
		snprintf(where, sizeof(where), "to %s", quoted(options->directory));
	say("recording %zu probe%s%s %s%s", count, count == 1 ? "" : "s", whom, where, limit);
	if (options->detach)
		say("in the background, as %s (process %d): see kcatch sessions", quoted(record->control.name),
		    (int)getpid());
	else if (options->request.overwrite && record->control.fd >= 0)
		say("to get them: kcatch snapshot %s", record->control.name);
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

	if (!record->recorder || !isatty(STDERR_FILENO) || kcatch_session_totals(record->session, &totals) || !since)
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

/* Why is there an end? NULL: there is none. */
static const char *end_of(struct record *record, uint64_t now)
{
	const struct pollfd *fds = record->fds;

	if (signals_came())
		return "interrupt";
	if (record->stopped)
		return "stopped";
	if (time_is_up(record, now))
		return "time";
	if (fds[FD_SESSION].revents & (POLLERR | POLLNVAL)) {
		say("the kcatch session broke");
		record->failed = true;
		return "broken";
	}
	if (fds[FD_SESSION].revents & POLLPRI)
		return "frozen";
	if (fds[FD_PROCESS].revents)
		return "exit";
	return fds[FD_SESSION].revents & POLLHUP ? "gone" : NULL;
}

/* Write until something ends it. What is full is written at once, all else each second. */
static const char *follow(struct record *record)
{
	uint64_t now = now_ns(), flush = now + SECOND;
	const char *end;

	for (;;) {
		int ret = poll(record->fds, FD_COUNT, wait_ms(record, now, flush));

		if (ret < 0 && errno != EINTR) {
			say("poll: %s", strerror(errno));
			record->failed = true;
			return "broken";
		}
		now = now_ns();
		ret = record->recorder ? kcatch_recorder_write(record->recorder, now >= flush) : 0;
		if (ret) {
			end_progress(record);
			say("%s", kcatch_error_text());
			record->failed = true;
			return "disk";
		}
		if (now >= flush) {
			show_progress(record, now);
			flush = now + SECOND;
		}
		if (record->fds[FD_CONTROL].revents)
			record_control_answer(record);
		end = end_of(record, now);
		if (end)
			return end;
	}
}

/* ---- the end -------------------------------------------------------------------------- */

static void make_directory_name(struct record *record)
{
	char name[64];

	record_name_directory(name, sizeof(name));
	snprintf(record->directory, sizeof(record->directory), "%s%s", record->base ? record->base : "",
		 name);
	record->options.directory = record->directory;
}

/* A flight recorder writes at its end only when it was told where to, or when it froze. */
static int finish_flight(struct record *record, struct kcatch_recorder_stats *stats)
{
	char why[300];
	int ret;

	record_frozen_text(record, why, sizeof(why));
	if (*why)
		say("frozen by %s", why);
	memset(stats, 0, sizeof(*stats));
	if (!record->options.directory && *why) {
		make_directory_name(record);
	}
	if (!record->options.directory)
		return 0;
	ret = record_snapshot(record, record->options.directory, stats);
	if (ret) {
		say("%s", kcatch_error_text());
		record->failed = true;
	}
	return ret;
}

/* What the figures mean. Return: exit status. */
static int judge(struct record *record, const struct kcatch_recorder_stats *stats)
{
	struct kcatch_totals totals;
	bool losses;
	char bytes[32];

	if (kcatch_session_totals(record->session, &totals)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	if (!strcmp(record->end, "gone"))
		say("no probe is in place any more: the module they stood in was unloaded");
	/* Calls under way when it froze return later: that is no loss. */
	if (!strcmp(record->end, "frozen"))
		totals.return_lost = 0;
	losses = losses_say(record->session, &totals);
	if (stats->unwritten || stats->unwritten_returns) {
		say("%" PRIu64 " hits and %" PRIu64 " returns could not be written any more: they are lost",
		    stats->unwritten, stats->unwritten_returns);
		losses = true;
	}
	size_text(stats->bytes, bytes, sizeof(bytes));
	if (!record->options.directory)
		say("%" PRIu64 " recorded, nothing of it was written", totals.recorded);
	else if (access(record->options.directory, F_OK))
		say("%" PRIu64 " recorded, and lost: %s was removed meanwhile", totals.recorded,
		    quoted(record->options.directory));
	else
		say("%" PRIu64 " recorded, %s in %s", totals.recorded - stats->unwritten, bytes,
		    quoted(record->options.directory));
	if (record->failed || losses)
		return STATUS_LOSSES;
	if (!totals.recorded) {
		say("nothing was recorded%s", totals.filtered ? ": no call met what was asked for" : "");
		return STATUS_NOTHING;
	}
	return STATUS_CAUGHT;
}

static int finish(struct record *record)
{
	struct kcatch_recorder_stats stats;

	end_progress(record);
	if (kcatch_session_stop(record->session)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	if (!record->recorder) {
		if (finish_flight(record, &stats))
			return STATUS_ERROR;
		return judge(record, &stats);
	}
	if (kcatch_recorder_finish(record->recorder) && !record->failed) {
		say("%s", kcatch_error_text());
		record->failed = true;
	}
	kcatch_recorder_stats(record->recorder, &stats);
	return judge(record, &stats);
}

static int record_all(struct record *record)
{
	struct kcatch_request *request = &record->options.request;
	int status;

	if (record->options.detach) {
		status = record_detach(record);
		if (status >= 0)
			return status;
	}
	/* From here on what was begun is ended in order. */
	record->fds[FD_SIGNALS] = (struct pollfd){ signals_init(), POLLIN, 0 };
	/* The command waits until it is traced. */
	if (record->options.argv && run_prepare(&record->run, record->options.argv))
		return STATUS_ERROR;
	if (record->options.argv)
		request->pid = (uint32_t)record->run.pid;
	if (!record->options.directory && !request->overwrite) {
		make_directory_name(record);
	}
	if (record_control_open(record) || arm(record) || begin(record))
		return STATUS_ERROR;
	record->started_ns = now_ns();
	record->started = (uint64_t)time(NULL);
	record->shown_ns = record->started_ns;
	record->shown_cpu_ns = own_cpu_ns();
	record->fds[FD_SESSION] = (struct pollfd){
		kcatch_session_fd(record->session), request->overwrite ? POLLPRI : POLLIN, 0 };
	record->fds[FD_CONTROL] = (struct pollfd){ record->control.fd, POLLIN, 0 };
	watch_process(record);
	announce(record);
	if (record->options.detach)
		record_detached(record);
	if (record->options.argv && run_start(&record->run))
		return STATUS_ERROR;
	record->end = follow(record);
	return finish(record);
}

int record_main(int argc, char **argv)
{
	struct record record;
	int status;

	memset(&record, 0, sizeof(record));
	record.end = "";
	record.control.fd = -1;
	record.ready = -1;
	status = record_options_parse(argc, argv, &record.options);
	if (status < 0)
		status = record_all(&record);
	run_end(&record.run);
	control_close(&record.control);
	kcatch_recorder_destroy(record.recorder);
	kcatch_session_close(record.session);
	record_options_deinit(&record.options);
	free(record.base);
	return output_finish(status);
}
