// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * client.c - a program of somebody else, in C: it knows the installed library only
 *
 * Says what it saw, one line each, and exits with 0 when all of it is as the headers promise.
 * Needs neither root nor the module.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_stuck.h>

static int failed;

static void expect(int good, const char *what)
{
	printf("%s: %s\n", what, good ? "yes" : "no");
	failed |= !good;
}

/* What a program of a later release has: one member more. */
struct later_request {
	struct kcatch_request request;
	uint64_t later;
};

/* Sizes are looked at first: there need be no session. */
static void check_sizes(void)
{
	const char *const names[] = { "vfs_read" };
	struct kcatch_count_request count;
	struct later_request later;

	memset(&count, 0xff, sizeof(count));
	kcatch_count_request_init(&count);
	expect(count.size == sizeof(count) && !count.nr_keys && !count.hist && !count.entries,
	       "a request to count begins empty");
	memset(&later, 0, sizeof(later));
	kcatch_request_init(&later.request);
	later.request.functions = names;
	later.request.nr_functions = 1;
	later.request.size = sizeof(later);
	later.later = 1;
	expect(kcatch_session_add(NULL, &later.request) == -EINVAL, "a request of another size is refused");
	later.request.size = 0;
	expect(kcatch_session_add(NULL, &later.request) == -EINVAL, "so is a request without a size");
	expect(strstr(kcatch_error_text(), "struct kcatch_request") != NULL,
	       "whose struct is named");
}

static void check_text(void)
{
	struct kcatch_shown shown;
	char text[64];

	kcatch_text_escape("a\n", 2, text, sizeof(text));
	expect(!strcmp(text, "a\\n"), "text is escaped");
	expect(strstr(kcatch_text_show(&shown, "\x1b"), "\\x1b") != NULL, "names are shown");
	expect(!strcmp(kcatch_errno_name(ENOENT), "ENOENT"), "errors have names");
}

static void check_recording(const char *directory)
{
	struct kcatch_stuck_options options = { .size = sizeof(options) };
	const struct kcatch_stuck *stuck = NULL;
	struct kcatch_session *session = NULL;

	expect(kcatch_recording_open(directory, &session) == -ENOENT, "no recording is there");
	expect(strstr(kcatch_error_text(), directory) != NULL, "and its name is told");
	options.size = 1;
	expect(kcatch_stuck_create(session, &options, &stuck) == -EINVAL,
	       "a wrong size is refused");
	kcatch_stuck_destroy(stuck);
	kcatch_recorder_destroy(NULL);
	kcatch_session_close(session);
}

int main(void)
{
	const struct kcatch_machine *machine;

	expect(!kcatch_machine_create(&machine) && machine->release[0], "the machine is known");
	kcatch_machine_destroy(machine);
	check_text();
	check_recording("/nonexistent/recording");
	check_sizes();
	return failed;
}
