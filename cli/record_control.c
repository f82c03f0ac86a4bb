/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record_control.c - answer other kcatch processes; continue in the background */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "record.h"
#include "recorders.h"

int record_snapshot(struct record *record, const char *directory,
		    struct kcatch_recorder_stats *stats)
{
	const struct kcatch_recorder_options options = {
		.size = sizeof(options),
		.directory = directory, .request = &record->options.shared.request,
		.command = (const char *const *)record->options.words,
		.nr_command = record->options.nr_words,
		.modules = record->modules,
	};
	int ret;

	record_writing_begin(record);
	ret = kcatch_recorder_snapshot(record->follow.session, &options, stats);
	record_writing_end(record);
	return ret;
}

void record_frozen_text(const struct record *record, char *text, size_t room)
{
	const struct kcatch_probe *probe;
	uint32_t number;

	switch (kcatch_session_frozen(record->follow.session, &number, NULL)) {
	case KCATCH_FROZEN_BY_PROBE:
		if (kcatch_session_probe(record->follow.session, number, &probe) ||
		    !probe->function)
			snprintf(text, room, "probe %u", number);
		else
			snprintf(text, room, "%s%s%s", probe->module ? probe->module : "",
				 probe->module ? ":" : "", probe->function);
		break;
	case KCATCH_FROZEN_BY_OOPS:
		snprintf(text, room, "an oops");
		break;
	case KCATCH_FROZEN_BY_WARNING:
		snprintf(text, room, "a warning of the kernel");
		break;
	case KCATCH_FROZEN_BY_PANIC:
		snprintf(text, room, "a panic");
		break;
	case KCATCH_FROZEN_BY_LOCKUP:
		snprintf(text, room, "a soft lockup");
		break;
	case KCATCH_FROZEN_BY_HUNG_TASK:
		snprintf(text, room, "a hung task");
		break;
	default:
		*text = '\0';
	}
}

/* ---- questions ------------------------------------------------------------------ */

/* The command line of the recorder. */

static struct json_object *what_text(const struct record *record)
{
	struct json_object *object;
	char *text = NULL;
	size_t length, i;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	for (i = 0; i < record->options.nr_words; i++)
		fprintf(out, "%s%s", i ? " " : "", record->options.words[i]);
	fclose(out);
	object = text ? json_object_new_string(text) : NULL;
	free(text);
	return object;
}

static void add(struct json_object *object, const char *name, struct json_object *value)
{
	if (value)
		json_object_object_add(object, name, value);
}

struct json_object *record_status_basic(const struct record *record, const char *state,
					uint64_t bytes, uint64_t events, uint64_t lost)
{
	struct json_object *object = json_object_new_object();

	add(object, "name", json_object_new_string(record->control.name));
	add(object, "pid", json_object_new_int((int)getpid()));
	add(object, "what", what_text(record));
	add(object, "since", json_object_new_uint64(record->started));
	add(object, "state", json_object_new_string(state));
	add(object, "flight", json_object_new_int(record->options.flight));
	add(object, "bytes", json_object_new_uint64(bytes));
	add(object, "events", json_object_new_uint64(events));
	add(object, "lost", json_object_new_uint64(lost));
	if (record->options.shared.output)
		add(object, "directory", json_object_new_string(record->options.shared.output));
	return object;
}

static struct json_object *status_of(const struct record *record)
{
	bool flight = record->options.flight;
	struct json_object *object;
	struct kcatch_recorder_stats stats = { 0 };
	struct kcatch_totals totals;
	char why[300], state[320];

	record_frozen_text(record, why, sizeof(why));
	snprintf(state, sizeof(state),
		 *why             ? "frozen by %s"
		 : record->waits  ? RECORDER_UNWRITTEN
		 : record->awaits ? "waiting"
		 : flight         ? "flight"
				  : "recording",
		 why);
	if (record->recorder)
		kcatch_recorder_read_stats(record->recorder, &stats);
	else
		stats.bytes = kcatch_session_ring_bytes(record->follow.session);
	if (kcatch_session_totals(record->follow.session, &totals))
		memset(&totals, 0, sizeof(totals));
	object = record_status_basic(record, state, stats.bytes, totals.recorded, totals.lost);
	if (*record->reason)
		add(object, "reason", json_object_new_string(record->reason));
	return object;
}

struct json_object *record_error(const char *text)
{
	struct json_object *object = json_object_new_object();

	add(object, "error", json_object_new_string(text));
	return object;
}

/* A service may write to few directories, which systemd.exec(5) names. */
static struct json_object *snapshot_error(void)
{
	const char *own = getenv("STATE_DIRECTORY");
	char text[800];

	snprintf(text, sizeof(text), "%s%s%s", kcatch_error_text(),
		 own ? "; the recorder is a service, which writes below " : "", own ? own : "");
	return record_error(text);
}

static struct json_object *take_snapshot(struct record *record, struct json_object *question)
{
	const char *directory = control_word(question, "directory");
	struct kcatch_recorder_stats stats;
	struct json_object *object;
	char text[600];

	if (!record->options.flight) {
		snprintf(text, sizeof(text), "it is not a flight recorder: its records are in %s "
			 "already",
			 quoted(record->options.shared.output));
		return record_error(text);
	}
	if (record->awaits)
		return record_error("it has nothing yet: it waits for the time of --at");
	/* Our working directory may differ from the asking process's. */
	if (*directory != '/')
		return record_error("no directory was named, by its path from the root");
	if (record_snapshot(record, directory, &stats))
		return snapshot_error();
	if (record->waits) {
		snprintf(record->written, sizeof(record->written), "%s", directory);
		record->stats = stats;
		record->error = 0;
		*record->reason = '\0';
	}
	object = json_object_new_object();
	add(object, "bytes", json_object_new_uint64(stats.bytes));
	add(object, "pid", json_object_new_int((int)getpid()));
	return object;
}

static struct json_object *answer(void *arg, struct json_object *question)
{
	struct record *record = arg;
	const char *what = control_word(question, "do");

	if (!strcmp(what, "status"))
		return status_of(record);
	if (!strcmp(what, "snapshot"))
		return take_snapshot(record, question);
	if (strcmp(what, "stop"))
		return record_error("the recorder does not know this request: it is of another "
				"release");
	record->stopped = true;
	record->control.keeps = true;
	return status_of(record);
}

void record_control_tell(struct record *record, const char *state)
{
	struct json_object *object = json_object_new_object();
	const char *directory = !record->options.flight ? record->options.shared.output :
				record->kept_one && !record->error ? record->written : NULL;

	add(object, "state", json_object_new_string(state));
	if (directory)
		add(object, "directory", json_object_new_string(directory));
	if (*record->reason)
		add(object, "reason", json_object_new_string(record->reason));
	control_tell(&record->control, object);
}

void record_control_answer(struct record *record)
{
	control_answer(&record->control, answer, record);
}

/* Is what it has written only if somebody asks for it? */
static bool holds_for_askers(const struct record_options *options)
{
	return options->flight && !options->shared.output && !options->nr_triggers &&
	       !options->shared.request.freeze_on;
}

int record_control_open(struct record *record)
{
	const struct record_options *options = &record->options;
	bool needed;
	int ret;

	if (options->name)
		snprintf(record->control.name, sizeof(record->control.name), "%s", options->name);
	else
		snprintf(record->control.name, sizeof(record->control.name), "%s-%d",
			 options->flight ? "flight" : "record", (int)getpid());
	ret = control_open(&record->control);
	if (!ret)
		record_writing_init(record);
	if (!ret)
		return 0;
	needed = options->name || options->detach || holds_for_askers(options);
	if (ret == -EADDRINUSE)
		say("there is a recorder %s already; see kcatch sessions",
		    quoted(record->control.name));
	else if (needed)
		say("cannot be found in " CONTROL_DIRECTORY ": %s%s%s", strerror(-ret),
		    ret == -EACCES || ret == -EPERM ? "; try sudo" : "",
		    holds_for_askers(options) ? ", or name a directory with -o" : "");
	else
		say("kcatch sessions and kcatch snapshot will not find it: " CONTROL_DIRECTORY ": %s",
		    strerror(-ret));
	return needed ? ret : 0;
}

/* ---- in the background -------------------------------------------------------------- */

/* The background process changes to /: make the output path absolute. */
static bool make_absolute(struct record *record)
{
	const char *directory = record->options.shared.output;
	char here[PATH_MAX];

	if (!getcwd(here, sizeof(here)) || asprintf(&record->base, "%s/", here) < 0)
		return false;
	if (!directory || *directory == '/')
		return true;
	if ((size_t)snprintf(record->directory, sizeof(record->directory), "%s%s", record->base,
			     directory) >= sizeof(record->directory)) {
		errno = ENAMETOOLONG;
		return false;
	}
	record->options.shared.output = record->directory;
	return true;
}

int record_detach(struct record *record)
{
	int ends[2], status;
	pid_t child;
	ssize_t got;
	char byte;

	if (!make_absolute(record) || pipe2(ends, O_CLOEXEC)) {
		say("cannot go into the background: %s", strerror(errno));
		return STATUS_ERROR;
	}
	child = fork();
	if (child < 0) {
		say("fork: %s", strerror(errno));
		return STATUS_ERROR;
	}
	if (!child) {
		close(ends[0]);
		record->ready = ends[1];
		setsid();
		return -1;
	}
	close(ends[1]);
	do {
		got = read(ends[0], &byte, 1);
	} while (got < 0 && errno == EINTR);
	if (got == 1)
		return STATUS_CAUGHT;
	/* It ended before it was armed, after a message. */
	if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
		return STATUS_ERROR;
	return WEXITSTATUS(status);
}

void record_detached(struct record *record)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (chdir("/"))
		say("cannot go to /: %s", strerror(errno));
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		close(null);
	}
	if (write(record->ready, "", 1) != 1)
		record->stopped = true;
	close(record->ready);
	record->ready = -1;
	record->in_background = true;
}
