/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sessions.c - kcatch sessions and kcatch snapshot: speak to recorders that run */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "control.h"
#include "output.h"
#include "record_options.h"

const char help_sessions[] =
"kcatch sessions - recorders that run: kcatch record, in the background or not\n"
"\n"
"  kcatch sessions                 one line each\n"
"  kcatch sessions --stop NAME     end one, as Ctrl-C would\n"
"\n"
"usage: kcatch sessions [--json]\n"
"       kcatch sessions --stop NAME|PID\n"
"\n"
"Exit status: 0; 1 for an error; 2 when there are none, or none of that name.\n";

const char help_snapshot[] =
"kcatch snapshot - a copy of what a flight recorder has now\n"
"\n"
"  kcatch record --flight --detach -f 'tcp_*'   begins one in the background\n"
"  kcatch snapshot                              its last events, to kcatch-DATE-TIME\n"
"\n"
"usage: kcatch snapshot [NAME|PID] [-o DIR]\n"
"  The recorder goes on. NAME is as of kcatch sessions; it may be left out when there\n"
"  is only one.\n"
"\n"
"Exit status: 0; 1 for an error; 2 when there is no such recorder.\n";

static struct json_object *question_of(const char *what)
{
	struct json_object *question = json_object_new_object();

	json_object_object_add(question, "do", json_object_new_string(what));
	return question;
}

static const char *text_of(struct json_object *object, const char *name)
{
	struct json_object *member;

	return json_object_object_get_ex(object, name, &member) ? json_object_get_string(member) : "";
}

static uint64_t number_of(struct json_object *object, const char *name)
{
	struct json_object *member;

	return json_object_object_get_ex(object, name, &member) ? json_object_get_uint64(member) : 0;
}

/* The recorders' answers to "status". One that does not answer is left out. */
static int ask_all(struct json_object ***answers, size_t *nr)
{
	size_t count, i;
	char **names;
	int ret = control_list(&names, &count);

	*nr = 0;
	*answers = NULL;
	if (ret) {
		say("cannot look for recorders in " CONTROL_DIRECTORY ": %s%s", strerror(-ret),
		    ret == -EACCES ? "; try sudo" : "");
		return ret;
	}
	*answers = calloc(count + 1, sizeof(struct json_object *));
	for (i = 0; *answers && i < count; i++) {
		struct json_object *answer;

		if (!control_ask(names[i], question_of("status"), &answer))
			(*answers)[(*nr)++] = answer;
	}
	control_list_free(names, count);
	return *answers ? 0 : -ENOMEM;
}

static void forget_all(struct json_object **answers, size_t nr)
{
	while (nr--)
		json_object_put(answers[nr]);
	free(answers);
}

static void since_text(uint64_t since, char *text, size_t room)
{
	time_t seconds = (time_t)since;
	struct tm local;

	localtime_r(&seconds, &local);
	strftime(text, room, "%Y-%m-%d %H:%M:%S", &local);
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

static int list(bool json)
{
	struct json_object **answers;
	size_t nr, i;

	if (ask_all(&answers, &nr))
		return STATUS_ERROR;
	if (nr && !json)
		printf("%-16s %7s  %-19s  %-16s %10s %8s  %s\n", "NAME", "PID", "SINCE", "STATE", "KB", "LOST",
		       "WHAT");
	for (i = 0; i < nr; i++) {
		char since[32];

		if (json) {
			puts(json_object_to_json_string_ext(answers[i], JSON_C_TO_STRING_PLAIN));
			continue;
		}
		since_text(number_of(answers[i], "since"), since, sizeof(since));
		printf("%-16s %7" PRIu64 "  %-19s  %-16s %10" PRIu64 " %8" PRIu64 "  ",
		       text_of(answers[i], "name"), number_of(answers[i], "pid"), since,
		       text_of(answers[i], "state"), number_of(answers[i], "bytes") / 1024,
		       number_of(answers[i], "lost"));
		put_escaped(text_of(answers[i], "what"));
		putchar('\n');
	}
	forget_all(answers, nr);
	if (!nr && !json)
		say("no recorder runs");
	return nr ? STATUS_CAUGHT : STATUS_NOTHING;
}

/* The recorder of a name or process; without one the only one there is. */
static int find(const char *wanted, bool flight, char *name)
{
	struct json_object **answers;
	size_t nr, i, found = 0;

	if (ask_all(&answers, &nr))
		return STATUS_ERROR;
	for (i = 0; i < nr; i++) {
		char pid[24];

		snprintf(pid, sizeof(pid), "%" PRIu64, number_of(answers[i], "pid"));
		if (wanted ? strcmp(wanted, text_of(answers[i], "name")) && strcmp(wanted, pid) :
			     flight && !number_of(answers[i], "flight"))
			continue;
		found++;
		snprintf(name, CONTROL_NAME_MAX + 1, "%s", text_of(answers[i], "name"));
	}
	forget_all(answers, nr);
	if (found == 1)
		return -1;
	if (found)
		say("%zu %s run: which? See kcatch sessions", found, flight ? "flight recorders" : "recorders");
	else if (wanted)
		say("there is no recorder %s; see kcatch sessions", quoted(wanted));
	else
		say("no flight recorder runs; begin one: kcatch record --flight --detach -f FUNCTION");
	return found ? STATUS_ERROR : STATUS_NOTHING;
}

/* Ask, and say what went wrong. */
static int command_one(const char *name, struct json_object *question, struct json_object **answer)
{
	int ret = control_ask(name, question, answer);

	if (ret) {
		say("recorder %s does not answer: %s", quoted(name), strerror(-ret));
		return STATUS_ERROR;
	}
	if (*text_of(*answer, "error")) {
		say("%s", text_of(*answer, "error"));
		json_object_put(*answer);
		*answer = NULL;
		return STATUS_ERROR;
	}
	return -1;
}

static int stop(const char *wanted)
{
	struct json_object *answer;
	char name[CONTROL_NAME_MAX + 1];
	int status = find(wanted, false, name);

	if (status < 0)
		status = command_one(name, question_of("stop"), &answer);
	if (status >= 0)
		return status;
	say("recorder %s ends%s%s", quoted(name), *text_of(answer, "directory") ? ": see " : "",
	    text_of(answer, "directory"));
	json_object_put(answer);
	return STATUS_CAUGHT;
}

int sessions_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' }, { "stop", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };
	const char *name = NULL;
	bool json = false;
	int option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		if (option == 'j') {
			json = true;
		} else if (option == 's') {
			name = optarg;
		} else if (option == 'h') {
			fputs(help_sessions, stdout);
			return output_finish(STATUS_CAUGHT);
		} else {
			say("unknown option, or its value is missing: %s; see kcatch help sessions",
			    quoted(argv[optind - 1]));
			return STATUS_ERROR;
		}
	}
	if (optind < argc) {
		say("unexpected %s; see kcatch help sessions", quoted(argv[optind]));
		return STATUS_ERROR;
	}
	return output_finish(name ? stop(name) : list(json));
}

/* The recorder may stand somewhere else: it gets a path from the root. */
static bool whole_path(const char *directory, char *path, size_t room)
{
	char here[PATH_MAX];
	int length;

	if (*directory == '/')
		length = snprintf(path, room, "%s", directory);
	else if (getcwd(here, sizeof(here)))
		length = snprintf(path, room, "%s/%s", here, directory);
	else
		return false;
	return length > 0 && (size_t)length < room;
}

static int snapshot(const char *wanted, const char *directory)
{
	struct json_object *question, *answer;
	char name[CONTROL_NAME_MAX + 1], path[PATH_MAX], own[64];
	int status = find(wanted, true, name);

	if (status >= 0)
		return status;
	if (!directory) {
		record_name_directory(own, sizeof(own));
		directory = own;
	}
	if (!whole_path(directory, path, sizeof(path))) {
		say("the name of the directory is too long");
		return STATUS_ERROR;
	}
	question = question_of("snapshot");
	json_object_object_add(question, "directory", json_object_new_string(path));
	status = command_one(name, question, &answer);
	if (status >= 0)
		return status;
	say("%" PRIu64 " KB in %s", number_of(answer, "bytes") / 1024, quoted(directory));
	json_object_put(answer);
	return STATUS_CAUGHT;
}

int snapshot_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' }, { "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 } };
	const char *directory = NULL;
	int option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
		if (option == 'o' && *optarg) {
			directory = optarg;
		} else if (option == 'h') {
			fputs(help_snapshot, stdout);
			return output_finish(STATUS_CAUGHT);
		} else {
			say("unknown option, or its value is missing: %s; see kcatch help snapshot",
			    quoted(argv[optind - 1]));
			return STATUS_ERROR;
		}
	}
	if (argc - optind > 1) {
		say("unexpected %s; see kcatch help snapshot", quoted(argv[optind + 1]));
		return STATUS_ERROR;
	}
	return output_finish(snapshot(argv[optind], directory));
}
