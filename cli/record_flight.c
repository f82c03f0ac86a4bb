/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_flight.c - write the records of a flight recorder, or keep them until that works
 *
 * The only copy of the records is in memory and is lost when the session is closed. So
 * obstacles to writing are looked for at the start. If writing fails nevertheless, the
 * recorder keeps running and tries again, and kcatch snapshot can name another directory.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <syslog.h>
#include <unistd.h>

#include <kcatch_history.h>
#include "command.h"
#include "interrupt.h"
#include "record.h"
#include "recorders.h"

#define NUMBERS 1000		/* DIR, DIR.1 to DIR.999 */
#define AGAIN_NS (10 * FOLLOW_SECOND)	/* between two attempts to write */
#define BESIDE (16U << 20)	/* bytes allowed for symbols and types, besides the records */

void record_tell(const struct record *record, int priority, const char *format, ...)
{
	char text[1200];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	say("%s", text);
	if (!record->in_background)
		return;
	openlog("kcatch", LOG_PID, LOG_DAEMON);
	syslog(LOG_DAEMON | priority, "recorder %s: %s", record->control.name, text);
	closelog();
}

void record_look_modules(struct record *record)
{
	int ret;

	/* It may be written to the directory of --standby. */
	if (record->options.standby)
		record_writing_begin(record);
	ret = kcatch_module_history_look(record->modules);
	if (record->options.standby)
		record_writing_end(record);
	if (!ret || record->modules_failed)
		return;
	record_tell(record, LOG_WARNING, "%s", kcatch_error_text());
	/* The next look may have memory, and another reason to be told. */
	record->modules_failed = ret != -ENOMEM;
}

static void make_name(struct record *record)
{
	char name[64];

	record_name_directory(name, sizeof(name));
	snprintf(record->directory, sizeof(record->directory), "%s%s",
		 record->base ? record->base : "", name);
	record->options.shared.output = record->directory;
}

void record_directory_name(struct record *record)
{
	record->own_name |= !record->options.shared.output;
	if (record->own_name)
		make_name(record);
}

/*
 * A number behind "DIR/" or "." would name something in the directory. The directory exists now,
 * so its own name is known.
 */
static int settle_name(struct record *record)
{
	const char *output = record->options.shared.output, *last = strrchr(output, '/');
	char path[PATH_MAX];

	last = last ? last + 1 : output;
	if (*last && strcmp(last, ".") && strcmp(last, ".."))
		return 0;
	if (!realpath(output, path)) {
		say("cannot find out the name of %s: %s", quoted(output), strerror(errno));
		return -EINVAL;
	}
	snprintf(record->directory, sizeof(record->directory), "%s", path);
	record->options.shared.output = record->directory;
	return 0;
}

int record_directory_check(struct record *record)
{
	const struct record_options *options = &record->options;
	const char *here = record->base ? record->base : ".";

	if (options->shared.output &&
	    kcatch_recorder_check_directory(options->shared.output, &record->claimed)) {
		say("%s", kcatch_error_text());
		return -EINVAL;
	}
	if (options->shared.output)
		return settle_name(record);
	if ((options->shared.request.freeze_on || options->nr_triggers) && access(here, W_OK)) {
		say("cannot write to %s, where the recording is to go: %s; name a directory with -o",
		    quoted(here), strerror(errno));
		return -EINVAL;
	}
	return 0;
}

void record_directory_release(struct record *record)
{
	if (record->claimed)
		rmdir(record->options.shared.output);	/* fails unless it is empty */
	record->claimed = false;
}

/* Errors that another directory name may avoid. */
static bool is_of_directory(int error)
{
	return error == -EEXIST || error == -ENOTDIR || error == -EPERM || error == -EACCES ||
	       error == -ELOOP;
}

/* Write to DIR, DIR.1, DIR.2, ...: the first name that works. Return: 0 or -errno. */
static int write_numbered(struct record *record)
{
	const char *directory = record->options.shared.output;
	unsigned int number;
	int ret = -EEXIST;

	for (number = 0; number < NUMBERS && is_of_directory(ret); number++) {
		if (number)
			snprintf(record->written, sizeof(record->written), "%s.%u", directory,
				 number);
		else
			snprintf(record->written, sizeof(record->written), "%s", directory);
		ret = record_snapshot(record, record->written, &record->stats);
		/* The parent directory refuses every name. */
		if (number && (ret == -EACCES || ret == -EPERM))
			break;
	}
	record->error = ret;
	if (ret)
		snprintf(record->reason, sizeof(record->reason), "%s", kcatch_error_text());
	else
		*record->reason = '\0';
	return ret;
}

/*
 * A failed attempt may leave a partial recording. So after a full disk, wait until there is
 * room for all of it; after another error, try again only if nothing was written.
 */
static bool may_try_again(const struct record *record)
{
	uint64_t needed = kcatch_session_ring_bytes(record->follow.session) + BESIDE;
	const char *output = record->options.shared.output;
	char path[sizeof(record->written)], *slash;
	struct statvfs status;

	if (record->error != -ENOSPC && record->error != -EDQUOT)
		return !record->stats.bytes;
	snprintf(path, sizeof(path), "%s", output);
	slash = strrchr(path, '/');
	if (slash)
		slash[1] = '\0';
	return !statvfs(slash ? path : ".", &status) &&
	       (uint64_t)status.f_bavail * status.f_frsize >= needed;
}

/* Block until the records are written somewhere. Return: 0; -errno: given up. */
static int wait_until_written(struct record *record)
{
	struct pollfd fds[2] = { { record->control.fd, POLLIN, 0 }, { signals_init(), POLLIN, 0 } };
	uint64_t due = follow_clock() + AGAIN_NS;

	record->waits = true;
	while (record->error && !record->stopped && !signals_came()) {
		uint64_t now = follow_clock();
		char before[sizeof(record->reason)];

		if (now < due) {
			fds[0].revents = 0;
			if (poll(fds, 2, (int)((due - now) / 1000000) + 1) > 0 && fds[0].revents)
				record_control_answer(record);
			continue;
		}
		due = now + AGAIN_NS;
		memcpy(before, record->reason, sizeof(before));
		if (may_try_again(record) && write_numbered(record) &&
		    strcmp(before, record->reason))
			record_tell(record, LOG_ERR, "%s", record->reason);
	}
	record->waits = false;
	return record->error;
}

static void say_written(struct record *record)
{
	/* In the foreground, the final message names the directory. */
	if (record->in_background || record->options.again)
		record_tell(record, LOG_NOTICE, "written to %s", quoted(record->written));
	record->kept_one = true;
}

void record_keep(struct record *record)
{
	char why[300];

	if (record->settled)
		return;
	record->settled = true;
	record_frozen_text(record, why, sizeof(why));
	if (*why)
		record_tell(record, LOG_NOTICE, "frozen by %s", why);
	/* Only a freeze is written without having been asked for. */
	if (*why)
		record_directory_name(record);
	if (!record->options.shared.output || (record->own_name && !*why))
		return;
	/* What ended the recording does not end the waiting; who asks from now on does. */
	record->stopped = false;
	/* Nobody looks while the records wait to be written. */
	record_look_modules(record);
	if (!write_numbered(record)) {
		say_written(record);
		return;
	}
	record_tell(record, LOG_ERR, "%s", record->reason);
	/* A user who sent a signal wants the recorder to end. */
	if (signals_came() || !strcmp(record->follow.end, "broken")) {
		record->failed = true;
		return;
	}
	if (record->control.fd < 0)
		record_tell(record, LOG_ERR, "the events are kept in memory until they are written: "
			    "make room; Ctrl-C drops them");
	else
		record_tell(record, LOG_ERR, "the events are kept in memory until they are written: "
			    "make room, or kcatch snapshot %s -o ELSEWHERE; kcatch sessions --stop %s "
			    "drops them", record->control.name, record->control.name);
	record_control_tell(record, RECORDER_UNWRITTEN);
	if (!wait_until_written(record)) {
		say_written(record);
		return;
	}
	record->failed = true;
	record_tell(record, LOG_ERR, "given up: %s", record->reason);
}

void record_stop(struct record *record)
{
	record->unstopped = kcatch_session_stop(record->follow.session) != 0;
	if (record->unstopped)
		record_tell(record, LOG_ERR, "%s", kcatch_error_text());
}

void record_follow(struct record *record)
{
	for (;;) {
		if (follow(&record->follow)) {
			record->failed = true;
			record->follow.end = "broken";
			return;
		}
		if (!record->options.again || strcmp(record->follow.end, "frozen"))
			return;
		record_stop(record);
		record_keep(record);
		if (record->failed || signals_came())
			return;
		/* Another process may have got its number while the records were written. */
		if (follow_process_ended(&record->follow)) {
			record->follow.end = "exit";
			return;
		}
		if (kcatch_session_start(record->follow.session)) {
			record_tell(record, LOG_ERR, "%s", kcatch_error_text());
			record->failed = true;
			return;
		}
		record->settled = false;
	}
}
