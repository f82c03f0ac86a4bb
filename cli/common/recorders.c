/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorders.c - find and ask running recorders, for kcatch sessions and kcatch snapshot */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "recorders.h"

struct json_object *recorder_question(const char *what)
{
	struct json_object *question = json_object_new_object();

	json_object_object_add(question, "do", json_object_new_string(what));
	return question;
}

const char *recorder_text(struct json_object *object, const char *name)
{
	return control_word(object, name);
}

uint64_t recorder_number(struct json_object *object, const char *name)
{
	struct json_object *member;

	return json_object_object_get_ex(object, name, &member) ? json_object_get_uint64(member)
								: 0;
}

/* The entry of a recorder that does not answer, as when it is stopped or writes a snapshot. */
static struct json_object *silent_one(const char *name, pid_t pid)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "name", json_object_new_string(name));
	json_object_object_add(object, "pid", json_object_new_int((int)pid));
	json_object_object_add(object, "state", json_object_new_string(RECORDER_SILENT));
	return object;
}

static bool is_silent(struct json_object *answer)
{
	return !strcmp(recorder_text(answer, "state"), RECORDER_SILENT);
}

int recorders_ask(struct json_object ***answers, size_t *nr)
{
	size_t count, i;
	char **names;
	int ret = control_list(&names, &count);

	*nr = 0;
	*answers = NULL;
	if (ret) {
		if (ret == -EPERM)
			say("no recorder is looked for in " CONTROL_DIRECTORY ": it is no directory "
			    "of root's to which only root can write");
		else
			say("cannot look for recorders in " CONTROL_DIRECTORY ": %s%s",
			    strerror(-ret), ret == -EACCES ? "; try sudo" : "");
		return ret;
	}
	*answers = calloc(count + 1, sizeof(struct json_object *));
	for (i = 0; *answers && i < count; i++) {
		struct json_object *answer;
		pid_t pid;

		ret = control_ask(names[i], recorder_question("status"), CONTROL_STATUS_MS,
				  &answer, &pid, NULL);
		/* One that has ended meanwhile is none; any other one is there. */
		if (ret && ret != -ETIMEDOUT && ret != -ECONNREFUSED && ret != -ENOENT)
			say("cannot ask the recorder %s: %s", quoted(names[i]), strerror(-ret));
		if (ret && ret != -ECONNREFUSED && ret != -ENOENT)
			answer = silent_one(names[i], pid);
		if (answer)
			(*answers)[(*nr)++] = answer;
	}
	control_list_free(names, count);
	return *answers ? 0 : -ENOMEM;
}

void recorders_forget(struct json_object **answers, size_t nr)
{
	while (nr--)
		json_object_put(answers[nr]);
	free(answers);
}

int recorder_find(const char *wanted, bool flight, char *name)
{
	struct json_object **answers;
	size_t nr, i, found = 0, silent = 0;
	char first[CONTROL_NAME_MAX + 1];

	if (recorders_ask(&answers, &nr))
		return STATUS_ERROR;
	for (i = 0; i < nr; i++) {
		char pid[24];

		/* It may be what is looked for: only its answer would tell. */
		if (!wanted && flight && is_silent(answers[i]) && !silent++)
			snprintf(first, sizeof(first), "%s", recorder_text(answers[i], "name"));
		snprintf(pid, sizeof(pid), "%" PRIu64, recorder_number(answers[i], "pid"));
		if (wanted ? strcmp(wanted, recorder_text(answers[i], "name")) &&
				     strcmp(wanted, pid)
			   : flight && !recorder_number(answers[i], "flight"))
			continue;
		found++;
		snprintf(name, CONTROL_NAME_MAX + 1, "%s", recorder_text(answers[i], "name"));
	}
	recorders_forget(answers, nr);
	if (found == 1)
		return -1;
	if (found)
		say("%zu %s run: which? See kcatch sessions", found, flight ? "flight recorders" : "recorders");
	else if (wanted)
		say("there is no recorder %s; see kcatch sessions", quoted(wanted));
	else if (silent == 1)
		say("recorder %s does not answer", quoted(first));
	else if (silent)
		say("recorder %s and %zu more do not answer; see kcatch sessions", quoted(first),
		    silent - 1);
	else
		say("no flight recorder is running; start one: kcatch record --flight --detach -f "
		    "FUNCTION");
	return found || silent ? STATUS_ERROR : STATUS_NOTHING;
}

int recorder_command(const char *name, struct json_object *question, struct json_object **answer,
		     int *connection)
{
	bool takes_time = !strcmp(control_word(question, "do"), "snapshot");
	int ret = control_ask(name, question, takes_time ? CONTROL_SNAPSHOT_MS : CONTROL_STATUS_MS,
			      answer, NULL, connection);

	if (ret == -ETIMEDOUT && takes_time) {
		say("recorder %s has not answered for %d s: it may still be writing; kcatch sessions "
		    "tells", quoted(name), CONTROL_SNAPSHOT_MS / 1000);
		return STATUS_ERROR;
	}
	if (ret) {
		say("recorder %s does not answer: %s", quoted(name), strerror(-ret));
		return STATUS_ERROR;
	}
	if (*recorder_text(*answer, "error")) {
		say("%s", recorder_text(*answer, "error"));
		json_object_put(*answer);
		*answer = NULL;
		if (connection)
			close(*connection);
		return STATUS_ERROR;
	}
	return -1;
}
