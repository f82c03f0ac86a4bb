/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.c - kcatch record: record calls and events into a directory, a CTF 1.8 trace
 *
 * The library writes the files. This file starts and stops the recording and reports its
 * progress and losses.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include <kcatch.h>
#include <kcatch_history.h>

#include "arming.h"
#include "command.h"
#include "ended.h"
#include "interrupt.h"
#include "judge.h"
#include "record.h"
#include "recorders.h"
#include "session_open.h"

#define RING_DEFAULT (4ULL << 20)	/* bytes per CPU */
#define RING_LEAST (64ULL << 10)	/* bytes per CPU: not made smaller without --size */
#define LOOK_BEFORE 3			/* seconds before --at: modules and clocks are looked at */

static uint64_t own_cpu_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * FOLLOW_SECOND + (uint64_t)used.tv_nsec;
}

/* ---- beginning ----------------------------------------------------------------- */

static int make_rings(struct record *record)
{
	uint64_t size =
		record->options.shared.ring_size ? record->options.shared.ring_size : RING_DEFAULT;
	int ret;

	for (;;) {
		ret = kcatch_session_setup(record->follow.session, size,
					   &record->options.shared.request);
		/* Only a size the user did not ask for is made smaller. */
		if (ret != -ENOMEM || record->options.shared.ring_size || size <= RING_LEAST)
			return ret;
		size /= 2;
	}
}

static int arm(struct record *record)
{
	struct kcatch_request *request = &record->options.shared.request;
	struct kcatch_session **session = &record->follow.session;
	int ret = session_open(session);
	struct arming arming;
	size_t i;

	if (ret)
		return ret;
	ret = make_rings(record);
	arming_begin(&arming, *session, request);
	if (!ret)
		ret = kcatch_session_add(*session, request);
	arming_end(&arming);
	for (i = 0; !ret && i < record->options.nr_triggers; i++)
		ret = kcatch_session_add(*session, &record->options.triggers[i].request);
	ret = session_check(*session, request, ret);
	if (ret == -ENOENT && record->options.word && !record->options.argv)
		say("a command to run comes after --: kcatch record ... -- COMMAND");
	return ret;
}

static bool awaits_time(const struct record_options *options)
{
	return options->at >= 0 || options->at_every;
}

static int prepare(struct record *record)
{
	struct kcatch_recorder_options options = {
		.size = sizeof(options),
		.directory = record->options.shared.output,
		.request = &record->options.shared.request,
		.command = (const char *const *)record->options.words,
		.nr_command = record->options.nr_words,
		.piece_bytes = record->options.piece_bytes,
		.piece_ns = record->options.piece_ns,
		.keep = record->options.keep,
	};
	int ret = 0;

	if (record->options.flight)
		ret = kcatch_module_history_create(record->follow.session, &record->modules);
	options.modules = record->modules;
	if (!ret && record->options.standby) {
		options.directory = record->options.standby;
		ret = kcatch_recorder_prepare(record->follow.session, &options);
	} else if (!ret && !record->options.flight) {
		ret = kcatch_recorder_create(record->follow.session, &options, &record->recorder);
	}
	if (ret)
		say("%s", kcatch_error_text());
	return ret;
}

/* A flight recorder writes when nobody may be there to see where. */
static void say_where_to(const struct record *record)
{
	const struct record_options *options = &record->options;
	bool freezes = options->shared.request.freeze_on || options->nr_triggers;
	const char *directory = options->shared.output;
	char path[PATH_MAX] = "";

	if (!options->flight || (!directory && !freezes))
		return;
	/* All names are those of the beginning: in the background the working directory is /. */
	if ((!directory || *directory != '/') && !getcwd(path, sizeof(path) / 2))
		return;
	if (*path)
		strcat(path, "/");
	strncat(path, directory ? directory : RECORD_OWN_NAME, sizeof(path) - strlen(path) - 1);
	say("%s it writes to %s", freezes ? "when it freezes" : "at its end", quoted(path));
}

static void size_text(uint64_t bytes, char *text, size_t room)
{
	if (bytes < 10 << 10)
		snprintf(text, room, "%" PRIu64 " B", bytes);
	else if (bytes < 10 << 20)
		snprintf(text, room, "%.0f KB", (double)bytes / 1024);
	else
		snprintf(text, room, "%.0f MB", (double)bytes / (1024 * 1024));
}

/* M may have been meant for minutes, or m for megabytes. */
static void say_pieces(const struct record_options *options)
{
	char size[32] = "", time[32] = "", keep[64] = "";

	if (!options->piece_bytes && !options->piece_ns)
		return;
	if (options->piece_bytes)
		size_text(options->piece_bytes, size, sizeof(size));
	if (options->piece_ns)
		snprintf(time, sizeof(time), "%" PRIu64 " s", options->piece_ns / FOLLOW_SECOND);
	if (options->keep)
		snprintf(keep, sizeof(keep), "; the last %" PRIu32 " are kept", options->keep);
	say("a new piece begins after %s%s%s%s", size, *size && *time ? " or " : "", time, keep);
}

static void announce(const struct record *record)
{
	const struct record_options *options = &record->options;
	const struct kcatch_request *request = &options->shared.request;
	size_t count = kcatch_session_nr_probes(record->follow.session);
	char limit[64] = "", whom[64] = "", where[512];

	if (options->shared.time_ns)
		snprintf(limit, sizeof(limit), ", for %.10g s",
			 (double)options->shared.time_ns / 1e9);
	else if (options->argv)
		snprintf(limit, sizeof(limit), ", until the command ends");
	else if (request->pid)
		snprintf(limit, sizeof(limit), ", until the process ends%s", options->detach ? "" : " or Ctrl-C");
	else if (!options->detach)
		snprintf(limit, sizeof(limit), ", until Ctrl-C");
	if (request->pid)
		snprintf(whom, sizeof(whom), " of process %u%s", request->pid,
			 request->children ? " and its children" : "");
	if (options->flight)
		snprintf(where, sizeof(where), "in memory, the last %" PRIu64 " KB",
			 kcatch_session_ring_bytes(record->follow.session) >> 10);
	else
		snprintf(where, sizeof(where), "to %s", quoted(options->shared.output));
	session_say_modules(record->follow.session);
	say("%s %zu probe%s%s %s%s", record->awaits ? "will record" : "recording", count,
	    count == 1 ? "" : "s", whom, where, limit);
	say_pieces(options);
	say_where_to(record);
	if (options->detach)
		say("in the background, as %s (process %d): see kcatch sessions",
		    quoted(record->control.name), (int)getpid());
	else if (options->flight && record->control.fd >= 0)
		say("to get them: kcatch snapshot %s", record->control.name);
	if (kcatch_session_nr_left_out(record->follow.session))
		say("%" PRIu64 " functions that match were left out: the filter does not apply to them",
		    kcatch_session_nr_left_out(record->follow.session));
}

/* Somebody has ended the recording, perhaps before it began. */
static bool is_ended(const struct record *record)
{
	return record->stopped || record->exited || signals_came();
}

/* Sleep until that time of the wall clock, even if the clock is set meanwhile, and answer. */
static void sleep_until(struct record *record, time_t time_of_day)
{
	const struct follow *follow = &record->follow;
	struct pollfd fds[3] = { { record->control.fd, POLLIN, 0 }, { signals_init(), POLLIN, 0 },
				 { -1, POLLIN, 0 } };

	if (follow->nr_processes)
		fds[2].fd = follow->processes[0].fd;
	while (!is_ended(record) && time(NULL) < time_of_day) {
		if (poll(fds, 3, 500) <= 0)
			continue;
		if (fds[0].revents)
			record_control_answer(record);
		record->exited = follow_process_ended(follow) != 0;
	}
}

/* In the last second nothing is answered, so that the start is exact. */
static void sleep_until_start(struct record *record)
{
	const struct timespec start = { .tv_sec = (time_t)record->started };

	sleep_until(record, start.tv_sec - LOOK_BEFORE);
	/* All was armed hours ago perhaps. What fails now fails again when records are written. */
	if (!is_ended(record) && record->recorder)
		kcatch_recorder_write(record->recorder, true);
	else if (!is_ended(record))
		record_look_modules(record);
	sleep_until(record, start.tv_sec - 1);
	while (!is_ended(record) &&
	       clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &start, NULL) == EINTR)
		;
}

/* All is armed: who detaches the recorder need not wait for the time of --at. */
static void await_start(struct record *record)
{
	time_t start = record_start_time(&record->options, time(NULL));
	char text[64];
	struct tm local;

	record->awaits = true;
	record->started = (uint64_t)start;
	localtime_r(&start, &local);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &local);
	say("all is armed; recording starts at %s", text);
	if (record->options.detach) {
		announce(record);
		record_detached(record);
	}
	sleep_until_start(record);
	record->awaits = false;
}

/* Start at its time. Who ends the waiting wants no record: the session is not started then. */
static int begin(struct record *record)
{
	int ret;

	if (awaits_time(&record->options))
		await_start(record);
	/* If it ended while all was armed, another process may have its number. */
	record->exited = follow_process_ended(&record->follow) != 0;
	if (record->exited)
		record_tell(record, LOG_WARNING, "process %u has ended",
			    follow_process_ended(&record->follow));
	if (is_ended(record))
		return 0;
	ret = kcatch_session_start(record->follow.session);
	if (ret)
		record_tell(record, LOG_ERR, "%s", kcatch_error_text());
	return ret;
}

/* ---- progress --------------------------------------------------------------------- */

/* One line, rewritten each second, and only when standard error is a terminal. */
static void show_progress(struct record *record, uint64_t now)
{
	uint64_t since = now - record->shown_ns, cpu = own_cpu_ns();
	struct kcatch_recorder_stats stats;
	struct kcatch_totals totals;
	char bytes[32], text[160];
	struct winsize size;
	int room = 80;

	if (!record->recorder || !isatty(STDERR_FILENO) ||
	    kcatch_session_totals(record->follow.session, &totals) || !since)
		return;
	kcatch_recorder_read_stats(record->recorder, &stats);
	size_text(stats.bytes, bytes, sizeof(bytes));
	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		room = size.ws_col;
	snprintf(text, sizeof(text),
		"%" PRIu64 " s  %" PRIu64 " events  lost %" PRIu64 "  %.0f/s  %s"
		"  kcatch uses %.1f %% of a CPU",
		(now - record->follow.started_ns) / FOLLOW_SECOND, totals.recorded,
		stats.lost, (double)(totals.recorded - record->shown_events) * 1e9 / (double)since,
		bytes, (double)(cpu - record->shown_cpu_ns) * 100 / (double)since);
	/* A line that goes on in the next one would not be rewritten. */
	dprintf(STDERR_FILENO, "\r\033[K%.*s", room - 1, text);
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

static int write_records(struct record *record, bool flush)
{
	int ret;

	record_writing_begin(record);
	ret = kcatch_recorder_write(record->recorder, flush);
	record_writing_end(record);
	if (flush)
		kcatch_recorder_read_stats(record->recorder, &record->writing.stats);
	return ret;
}

static int finish_records(struct record *record)
{
	int ret;

	record_writing_begin(record);
	ret = kcatch_recorder_finish(record->recorder);
	record_writing_end(record);
	return ret;
}

/* Something could not be written. */
static void give_reason(struct record *record)
{
	snprintf(record->reason, sizeof(record->reason), "%s", kcatch_error_text());
	record_tell(record, LOG_ERR, "%s", record->reason);
	record->failed = true;
}

/* Write full packets at each look, the partly filled ones each second. */
static int write_events(struct follow *follow, uint64_t now)
{
	struct record *record = follow->arg;
	bool flush = now >= follow->due_ns;
	int ret = record->recorder ? write_records(record, flush) : 0;

	if (ret) {
		end_progress(record);
		give_reason(record);
		follow->end = "disk";
		return 1;
	}
	if (flush && record->modules)
		record_look_modules(record);
	if (flush) {
		show_progress(record, now);
		follow->due_ns = now + FOLLOW_SECOND;
	}
	if (follow->other_came)
		record_control_answer(record);
	if (record->stopped)
		follow->end = "stopped";
	return record->stopped;
}

/* ---- the end -------------------------------------------------------------------------- */

/* ": the last 5 of 57 pieces"; "" without pieces */
static void pieces_text(const struct kcatch_recorder_stats *stats, char *text, size_t room)
{
	*text = '\0';
	if (stats->removed)
		snprintf(text, room, ": the last %" PRIu32 " of %" PRIu32 " pieces", stats->pieces,
			 stats->pieces + stats->removed);
	else if (stats->pieces)
		snprintf(text, room, ": %" PRIu32 " piece%s", stats->pieces,
			 stats->pieces == 1 ? "" : "s");
}

static void say_where(const struct record *record, const struct losses *losses,
		      const struct kcatch_recorder_stats *stats)
{
	const char *directory = *record->written ? record->written : record->options.shared.output;
	uint64_t recorded = losses->totals.recorded;
	char bytes[32], pieces[64];

	size_text(stats->bytes, bytes, sizeof(bytes));
	pieces_text(stats, pieces, sizeof(pieces));
	if (record->error && record->kept_one)
		say("%" PRIu64 " recorded; what the last freeze held was not written", recorded);
	else if (!directory || record->error)
		say("%" PRIu64 " recorded, nothing of it was written", recorded);
	else if (access(directory, F_OK))
		say("%" PRIu64 " recorded, and lost: %s was removed meanwhile", recorded,
		    quoted(directory));
	else
		say("%" PRIu64 " recorded, %s in %s%s", recorded - losses->unwritten, bytes,
		    quoted(directory), pieces);
}

/* For those who look for it afterwards; who sees a recording end in the foreground need not. */
static void note_end(struct record *record, const struct losses *losses, uint64_t bytes)
{
	bool written = !record->options.flight || (record->kept_one && !record->error);
	const char *directory = *record->written ? record->written : record->options.shared.output;
	struct json_object *object;
	char why[300];

	if (!record->options.flight && !record->options.detach)
		return;
	object = record_status_basic(record, RECORDER_ENDED, bytes, losses->totals.recorded,
				     losses->totals.lost);
	json_object_object_del(object, "directory");
	if (written && directory)
		json_object_object_add(object, "directory", json_object_new_string(directory));
	record_frozen_text(record, why, sizeof(why));
	if (*why)
		json_object_object_add(object, "frozen", json_object_new_string(why));
	if (*record->reason)
		json_object_object_add(object, "reason", json_object_new_string(record->reason));
	json_object_object_add(object, "ended", json_object_new_int64(time(NULL)));
	ended_note(object);
}

/* Report what was recorded and lost. Return: the exit status. */
static int sum_up(struct record *record, const struct kcatch_recorder_stats *stats)
{
	struct losses losses = { .unwritten = stats->unwritten,
				 .unwritten_returns = stats->unwritten_returns,
				 .unstopped = record->unstopped };
	uint64_t recorded;
	int status;

	if (losses_of_session(&losses, record->follow.session)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	if (!strcmp(record->follow.end, "gone"))
		judge_say_end(record->follow.end, 0);
	recorded = losses.totals.recorded;
	note_end(record, &losses, stats->bytes);
	status = judge(&losses, recorded);
	say_where(record, &losses, stats);
	if (record->failed || record->unstopped)
		return STATUS_LOSSES;
	if (!recorded)
		judge_say_nothing("recorded", &losses.totals);
	return status;
}

static int finish(struct record *record)
{
	struct kcatch_recorder_stats stats;

	end_progress(record);
	record_stop(record);
	if (!record->recorder) {
		record_keep(record);
		return sum_up(record, &record->stats);
	}
	if (finish_records(record) && !record->failed)
		give_reason(record);
	kcatch_recorder_read_stats(record->recorder, &stats);
	return sum_up(record, &stats);
}

/* Set up the loop: what ends it, and how often it looks. */
static void prepare_follow(struct record *record)
{
	const struct record_options *options = &record->options;
	struct follow *f = &record->follow;

	f->time_ns = options->shared.time_ns;
	f->look_ms = 1000;
	f->frozen_only = options->flight;
	f->other = record->control.fd;
	/* Without it an anchor is written within a second all the same. */
	follow_watch_clock(f);
	f->look = write_events;
	f->arg = record;
	f->started_ns = follow_clock();
	f->due_ns = f->started_ns + FOLLOW_SECOND;
	record->started = (uint64_t)time(NULL);
	record->shown_ns = f->started_ns;
	record->shown_cpu_ns = own_cpu_ns();
}

/* The recording does not begin: nothing is left behind. Return: the exit status. */
static int give_up(struct record *record)
{
	kcatch_recorder_discard(record->recorder);
	record->recorder = NULL;
	record_directory_release(record);
	return STATUS_ERROR;
}

/* As perf stat and strace have it, the command's status is ours. What was lost has been said. */
static int status_of_command(struct record *record, int status)
{
	bool interrupted = record->follow.end && !strcmp(record->follow.end, "interrupt");
	const struct timespec moment = { .tv_nsec = 10000000 };
	pid_t pid = record->run.pid;
	int looks, own = run_status(&record->run);

	/* Ctrl-C is for the command, too, and what it does then may take it a moment. */
	for (looks = 0; own < 0 && interrupted && looks < 100; looks++) {
		nanosleep(&moment, NULL);
		own = run_status(&record->run);
	}
	if (own < 0)
		say("the command goes on without being recorded: process %d", (int)pid);
	else if (own > 128)
		say("the command was ended by signal %d (%s)", own - 128, strsignal(own - 128));
	else if (own)
		say("the command ended with status %d", own);
	return own > 0 && status != STATUS_ERROR ? own : status;
}

static int record_all(struct record *record)
{
	struct record_options *options = &record->options;
	int status;

	if (options->detach) {
		status = record_detach(record);
		if (status >= 0)
			return status;
	}
	/* From here on, SIGINT, SIGTERM and SIGHUP end the recording in order. */
	signals_init();
	/* The command's process exists now, but runs nothing before run_start(). */
	if (options->argv && run_prepare(&record->run, options->argv))
		return STATUS_ERROR;
	if (options->argv)
		options->shared.request.pid = (uint32_t)record->run.pid;
	follow_process(&record->follow, options->shared.request.pid);
	if (!options->flight)
		record_directory_name(record);
	if (record_control_open(record) ||
	    (options->flight && record_directory_check(record)) || arm(record) ||
	    prepare(record) || begin(record))
		return give_up(record);
	if (!is_ended(record)) {
		prepare_follow(record);
		announce(record);
		if (options->detach && !record->in_background)
			record_detached(record);
	}
	if (options->argv && !is_ended(record) && run_start(&record->run))
		return give_up(record);
	if (is_ended(record))
		record->follow.end = record->stopped ? "stopped" :
				     record->exited ? "exit" : "interrupt";
	else
		record_follow(record);
	status = finish(record);
	return options->argv && !record->run.go ? status_of_command(record, status) : status;
}

static int record_main(int argc, char **argv)
{
	struct record record;
	int status;

	memset(&record, 0, sizeof(record));
	record.control.fd = -1;
	record.ready = -1;
	status = record_options_parse(argc, argv, &record.options);
	if (status < 0)
		status = record_all(&record);
	run_end(&record.run);
	record_writing_deinit(&record);
	control_close(&record.control);
	kcatch_recorder_destroy(record.recorder);
	kcatch_module_history_destroy(record.modules);
	kcatch_session_close(record.follow.session);
	/* Now the directory is whole, the name free, and the module may go. */
	record_control_tell(&record, RECORDER_ENDED);
	follow_deinit(&record.follow);
	record_options_deinit(&record.options);
	free(record.base);
	return command_end(status);
}

static const char help[] =
"kcatch record - record calls and events into a directory\n"
"\n"
"  kcatch record vfs_read -t 10            all reads of ten seconds: arguments, return values\n"
"  kcatch record 'tcp_*' --stack -- curl example.org\n"
"                                          one command, with the stack of each call\n"
"  kcatch record vfs_write 'count > 65536' -o big-writes\n"
"\n"
"  kcatch record --flight --detach 'ext4_*' --freeze-on oops\n"
"                                          the last calls, kept in memory until it happens\n"
"\n"
"usage: kcatch record FUNCTION|PATTERN... [CONDITION] [-e EVENT]... [options] [-- COMMAND...]\n";

const struct command command_record = {
	.name = "record",
	.run = record_main,
	.description = "record calls and events into a directory: a CTF trace",
	.help = help,
	.options = record_option_uses,
	.help_end =
	"\n"
	"COMMAND runs and is recorded with all processes it starts, until it ends.\n"
	"\n"
	"The directory is a CTF 1.8 trace for babeltrace2 and others. It also holds all that\n"
	"another machine needs to read it. It can be read at any moment, while it grows and\n"
	"after kill -9; then at most the last second is missing.\n"
	"\n"
	"Exit status: 0; 1 for an error; 2 nothing was recorded; 3 something was lost, or could\n"
	"not be written. That of COMMAND if it failed: 128 and the number of a signal that ended\n"
	"it. With -t it goes on when the recording has ended.\n",
	.take_word = record_take_word,
	.shows_nothing = true,
};
