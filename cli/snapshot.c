/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.c - kcatch snapshot: copy a flight recorder's current records */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "options.h"
#include "record_options.h"
#include "recorders.h"

/* The recorder's working directory may differ: make the path absolute. */
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
	int status = recorder_find(wanted, true, name);

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
	question = recorder_question("snapshot");
	json_object_object_add(question, "directory", json_object_new_string(path));
	status = recorder_command(name, question, &answer, NULL);
	if (status >= 0)
		return status;
	if (access(path, F_OK) && errno == ENOENT)
		say("%" PRIu64 " KB in %s where the recorder looks: here, perhaps, below "
		    "/proc/%" PRIu64 "/root", recorder_number(answer, "bytes") / 1024, quoted(path),
		    recorder_number(answer, "pid"));
	else
		say("%" PRIu64 " KB in %s", recorder_number(answer, "bytes") / 1024,
		    quoted(directory));
	json_object_put(answer);
	return STATUS_CAUGHT;
}

static int snapshot_main(int argc, char **argv)
{
	struct options options = { .output = NULL };
	int status = options_parse(&command_snapshot, argc, argv, &options);

	if (status < 0 && argc - optind > 1) {
		say("unexpected %s; see kcatch help snapshot", quoted(argv[optind + 1]));
		return STATUS_ERROR;
	}
	return command_end(status < 0 ? snapshot(argv[optind], options.output) : status);
}

static const struct option_use uses[] = {
	{ &option_output, "the directory to create (default: kcatch-DATE-TIME)" },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static const char help[] =
"kcatch snapshot - copy a flight recorder's current records\n"
"\n"
"  kcatch record --flight --detach -f 'tcp_*'   begins one in the background\n"
"  kcatch snapshot                              its last events, to kcatch-DATE-TIME\n"
"\n"
"usage: kcatch snapshot [NAME|PID] [options]\n"
"  The recorder goes on. NAME is one of kcatch sessions; it may be left out when there\n"
"  is only one.\n"
"\n";

const struct command command_snapshot = {
	.name = "snapshot",
	.run = snapshot_main,
	.description = "copy a flight recorder's current records",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"Exit status: 0; 1 for an error; 2 when there is no such recorder.\n",
	.shows_nothing = true,
};
