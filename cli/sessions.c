/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sessions.c - kcatch sessions: list the running recorders, and stop one */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <kcatch.h>
#include <kcatch_json.h>

#include "command.h"
#include "ended.h"
#include "options.h"
#include "recorders.h"

struct sessions {
	struct options shared;
	const char *stop;
};

static void since_text(uint64_t since, char *text, size_t room)
{
	time_t seconds = (time_t)since;
	struct tm local;

	if (!localtime_r(&seconds, &local) ||
	    !strftime(text, room, "%Y-%m-%d %H:%M:%S", &local))
		snprintf(text, room, "?");
}

static void put_escaped(const char *text)
{
	size_t length = strlen(text);
	char *shown = malloc(4 * length + 1);

	if (!shown)
		return;
	kcatch_text_escape(text, length, shown, 4 * length + 1);
	fputs(shown, stdout);
	free(shown);
}

/* A member of an answer, escaped and perhaps cut. */
static const char *shown_text(struct json_object *answer, const char *member, char *shown,
			      size_t room)
{
	const char *text = recorder_text(answer, member);

	kcatch_text_escape(text, strlen(text), shown, room);
	return shown;
}

/* An answer of a recorder: what a terminal obeys is escaped. */
static void put_tree(struct json_writer *json, struct json_object *value)
{
	struct json_object_iter member;

	switch (json_object_get_type(value)) {
	case json_type_object:
		json_put_begin(json, true);
		json_object_object_foreachC(value, member) {
			json_put_name(json, member.key, strlen(member.key));
			put_tree(json, member.val);
		}
		json_put_end(json);
		break;
	case json_type_string:
		json_put_string(json, json_object_get_string(value),
				(size_t)json_object_get_string_len(value));
		break;
	case json_type_int:
		json_put_signed(json, json_object_get_int64(value));
		break;
	case json_type_boolean:
		json_put_bool(json, json_object_get_boolean(value));
		break;
	default:
		json_put_null(json);	/* none has others */
	}
}

static void put_json(struct json_object *answer)
{
	struct json_writer json = { .length = 0 };

	put_tree(&json, answer);
	json_print(&json, stdout, "\n");
	json_writer_deinit(&json);
}

static void print_line(struct json_object *answer)
{
	char name[4 * CONTROL_NAME_MAX + 1], since[32], state[400];

	since_text(recorder_number(answer, "since"), since, sizeof(since));
	printf("%-16s %7" PRIu64 "  %-19s  %-16s %10" PRIu64 " %8" PRIu64 "  ",
	       shown_text(answer, "name", name, sizeof(name)), recorder_number(answer, "pid"),
	       since, shown_text(answer, "state", state, sizeof(state)),
	       recorder_number(answer, "bytes") / 1024, recorder_number(answer, "lost"));
	put_escaped(recorder_text(answer, "what"));
	putchar('\n');
	if (!*recorder_text(answer, "reason"))
		return;
	printf("%-16s not written: ", "");
	put_escaped(recorder_text(answer, "reason"));
	putchar('\n');
}

static void print_ended(struct json_object **ended, size_t nr)
{
	char when[32];
	size_t i;

	for (i = 0; i < nr; i++) {
		print_line(ended[i]);
		since_text(recorder_number(ended[i], "ended"), when, sizeof(when));
		printf("%-16s at %s", "", when);
		if (*recorder_text(ended[i], "frozen")) {
			printf(", frozen by ");
			put_escaped(recorder_text(ended[i], "frozen"));
		}
		if (*recorder_text(ended[i], "directory")) {
			printf(", written to ");
			put_escaped(recorder_text(ended[i], "directory"));
		} else {
			printf(", nothing was written");
		}
		putchar('\n');
	}
}

static int list(bool json)
{
	struct json_object **answers, **ended = NULL;
	size_t nr, nr_ended = 0, i;

	if (recorders_ask(&answers, &nr))
		return STATUS_ERROR;
	if (!json)
		ended_list(&ended, &nr_ended);
	if (nr + nr_ended && !json)
		printf("%-16s %7s  %-19s  %-16s %10s %8s  %s\n", "NAME", "PID", "SINCE", "STATE",
		       "KB", "LOST", "WHAT");
	for (i = 0; i < nr; i++) {
		char name[4 * CONTROL_NAME_MAX + 1];

		if (json)
			put_json(answers[i]);
		else if (strcmp(recorder_text(answers[i], "state"), RECORDER_SILENT) != 0)
			print_line(answers[i]);
		else
			printf("%-16s %7" PRIu64 "  %-19s  " RECORDER_SILENT "\n",
			       shown_text(answers[i], "name", name, sizeof(name)),
			       recorder_number(answers[i], "pid"), "-");
	}
	print_ended(ended, nr_ended);
	ended_forget(ended, nr_ended);
	recorders_forget(answers, nr);
	if (!nr && !json)
		say("no recorder is running");
	return nr ? STATUS_CAUGHT : STATUS_NOTHING;
}

/* What became of what the recorder held. Return: the exit status. */
static int tell_end(const char *name, struct json_object *last, bool known)
{
	const char *directory = recorder_text(last, "directory");
	const char *reason = recorder_text(last, "reason");

	if (!strcmp(recorder_text(last, "state"), RECORDER_UNWRITTEN)) {
		say("recorder %s could not write, and keeps its records: %s; a second --stop drops "
		    "them", quoted(name), reason);
		return STATUS_ERROR;
	}
	if (*reason) {
		say("recorder %s has ended, and not all is written: %s", quoted(name), reason);
		return known ? STATUS_CAUGHT : STATUS_ERROR;
	}
	say("recorder %s has ended%s%s", quoted(name), *directory ? ": see " : "",
	    *directory ? quoted(directory) : "");
	return STATUS_CAUGHT;
}

static int stop(const char *wanted)
{
	struct json_object *answer, *last;
	char name[CONTROL_NAME_MAX + 1];
	int connection, ret, status = recorder_find(wanted, false, name);
	const char *directory;
	bool known;

	if (status < 0)
		status = recorder_command(name, recorder_question("stop"), &answer, &connection);
	if (status >= 0)
		return status;
	directory = recorder_text(answer, "directory");
	known = *recorder_text(answer, "reason") != '\0';
	if (!strncmp(recorder_text(answer, "state"), RECORDER_WRITING, strlen(RECORDER_WRITING))) {
		say("recorder %s ends when its disk answers%s%s", quoted(name),
		    *directory ? ": see " : "", *directory ? quoted(directory) : "");
		json_object_put(answer);
		close(connection);
		return STATUS_CAUGHT;
	}
	json_object_put(answer);
	ret = control_last(connection, CONTROL_SNAPSHOT_MS, &last);
	if (!ret) {
		status = tell_end(name, last, known);
		json_object_put(last);
		return status;
	}
	if (ret == -ETIMEDOUT)
		say("recorder %s has not ended for %d s: it may still be writing; kcatch sessions tells",
		    quoted(name), CONTROL_SNAPSHOT_MS / 1000);
	else
		say("recorder %s was told to end, and has not said how: %s", quoted(name),
		    strerror(-ret));
	return STATUS_ERROR;
}

static int sessions_main(int argc, char **argv)
{
	struct sessions sessions = { .stop = NULL };
	int status = options_parse(&command_sessions, argc, argv, &sessions);

	if (status < 0 && optind < argc) {
		say("unexpected %s; see kcatch help sessions", quoted(argv[optind]));
		return STATUS_ERROR;
	}
	if (status < 0 && sessions.stop && sessions.shared.json) {
		say("--json is for the list, and not for --stop");
		return STATUS_ERROR;
	}
	if (status < 0)
		status = sessions.stop ? stop(sessions.stop) : list(sessions.shared.json);
	return command_end(status);
}

static const struct option_rule option_stop = {
	.name = "stop", .value = "NAME|PID", .help = "end this recorder, as Ctrl-C would",
	.wanted = "give a name or process of kcatch sessions",
	.kind = OPTION_TEXT, OPTION_INTO(struct sessions, stop),
};

static const struct option_use uses[] = {
	{ &option_stop, NULL },
	{ &option_json, NULL },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static const char help[] =
"kcatch sessions - the running recorders: kcatch record, in the background or not\n"
"\n"
"  kcatch sessions                 one line each, and where those of the last day wrote\n"
"  kcatch sessions --stop NAME     end one, as Ctrl-C would\n"
"\n"
"usage: kcatch sessions [options]\n"
"\n";

const struct command command_sessions = {
	.name = "sessions",
	.run = sessions_main,
	.description = "running recorders: find them, stop them",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"Exit status: 0; 1 for an error; 2 when there are none, or none of that name.\n",
};
