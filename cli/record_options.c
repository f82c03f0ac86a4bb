/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record_options.c - the command line of kcatch record */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "control.h"
#include "options.h"
#include "record_options.h"

enum {
	OPTION_STACK = OPTIONS_OWN,
	OPTION_FILTER,
	OPTION_ENTRY,
	OPTION_NO_ARGS,
	OPTION_FLIGHT,
	OPTION_FREEZE_ON,
	OPTION_FREEZE_LOG,
	OPTION_DETACH,
	OPTION_NAME,
	OPTION_STANDBY,
	OPTION_CHILDREN,
	OPTION_NO_CHILDREN,
	OPTION_USER,
};

static const struct option long_options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "event", required_argument, NULL, 'e' },
	{ "function", required_argument, NULL, 'f' },
	{ "stack", no_argument, NULL, OPTION_STACK },
	{ "filter", required_argument, NULL, OPTION_FILTER },
	{ "pid", required_argument, NULL, 'p' },
	{ "comm", required_argument, NULL, 'c' },
	{ "size", required_argument, NULL, OPTION_SIZE },
	{ "time", required_argument, NULL, 't' },
	{ "entry", no_argument, NULL, OPTION_ENTRY },
	{ "no-args", no_argument, NULL, OPTION_NO_ARGS },
	{ "depth", required_argument, NULL, OPTION_DEPTH },
	{ "flight", no_argument, NULL, OPTION_FLIGHT },
	{ "freeze-on", required_argument, NULL, OPTION_FREEZE_ON },
	{ "freeze-log", no_argument, NULL, OPTION_FREEZE_LOG },
	{ "detach", no_argument, NULL, OPTION_DETACH },
	{ "name", required_argument, NULL, OPTION_NAME },
	{ "standby", required_argument, NULL, OPTION_STANDBY },
	{ "children", no_argument, NULL, OPTION_CHILDREN },
	{ "no-children", no_argument, NULL, OPTION_NO_CHILDREN },
	{ "user", no_argument, NULL, OPTION_USER },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

/* oops, warn, lockup, hung, panic; or an event or a function, then perhaps a condition. */
static int parse_trigger(const char *text, struct record_options *options)
{
	static const struct { const char *word; unsigned int flag; } words[] = {
		{ "oops", KCATCH_FREEZE_OOPS }, { "warn", KCATCH_FREEZE_WARN },
		{ "warning", KCATCH_FREEZE_WARN }, { "panic", KCATCH_FREEZE_PANIC },
		{ "lockup", KCATCH_FREEZE_LOCKUP }, { "hung", KCATCH_FREEZE_HUNG } };
	struct record_trigger *trigger = &options->triggers[options->nr_triggers];
	size_t length = strcspn(text, " \t"), i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(text, words[i].word)) {
			options->request.freeze_on |= words[i].flag;
			return -1;
		}
	}
	if (!length)
		return options_usage_error("--freeze-on", text, "give oops, warn, lockup, hung, panic, or an event or function and "
				   "a condition: 'sched:sched_process_exit code != 0'");
	trigger->name = strndup(text, length);
	if (!trigger->name) {
		say("out of memory");
		return STATUS_ERROR;
	}
	options->nr_triggers++;
	trigger->names[0] = trigger->name;
	trigger->request.freeze = true;
	trigger->request.arguments = true;
	trigger->request.no_stack = true;
	text += length + strspn(text + length, " \t");
	if (*text)
		trigger->request.condition = text;
	/* "system:event": functions of modules are written with their module, too. */
	if (strchr(trigger->name, ':')) {
		trigger->request.events = trigger->names;
		trigger->request.nr_events = 1;
	} else {
		trigger->request.functions = trigger->names;
		trigger->request.nr_functions = 1;
		trigger->request.returns = true;
	}
	return -1;
}

static int parse_option(int option, struct record_options *options)
{
	struct kcatch_request *request = &options->request;
	uint64_t number;

	switch (option) {
	case 'o':
		if (!*optarg)
			return options_usage_error("-o", optarg, "give a directory, which is made");
		options->directory = optarg;
		return -1;
	case 'e':
		options->events[request->nr_events++] = optarg;
		return -1;
	case 'f':
		options->functions[request->nr_functions++] = optarg;
		return -1;
	case OPTION_STACK:
		request->no_stack = false;
		request->event_stacks = true;
		return -1;
	case OPTION_FILTER:
		if (request->condition)
			return options_usage_error("--filter", optarg, "there is one already; join them with && or ||");
		request->condition = optarg;
		return -1;
	case 'p':
		return options_take_pid("-p", &request->pid);
	case 'c':
		return options_comm(optarg, options->comm, request);
	case OPTION_SIZE:
		if (!options_size(optarg, &options->ring_size))
			return options_usage_error("--size", optarg, "give bytes a CPU, for example --size 16M");
		return -1;
	case 't':
		if (!options_seconds(optarg, &options->time_ns))
			return options_usage_error("-t", optarg, "give seconds, more than 0, for example -t 2.5");
		return -1;
	case OPTION_ENTRY:
		request->returns = false;
		return -1;
	case OPTION_NO_ARGS:
		request->arguments = false;
		return -1;
	case OPTION_DEPTH:
		if (!options_number(optarg, 256, &number) || !number)
			return options_usage_error("--depth", optarg, "give the most frames of a stack, 1 to 256");
		request->depth = (unsigned int)number;
		request->no_stack = false;
		request->event_stacks = true;
		return -1;
	case OPTION_FLIGHT:
		request->overwrite = true;
		return -1;
	case OPTION_FREEZE_ON:
		request->overwrite = true;
		return parse_trigger(optarg, options);
	case OPTION_FREEZE_LOG:
		request->freeze_on |= KCATCH_FREEZE_LOG;
		return -1;
	case OPTION_DETACH:
		options->detach = true;
		return -1;
	case OPTION_NAME:
		if (!control_name_is_good(optarg))
			return options_usage_error("--name", optarg, "letters, digits, dots, - and _, at most 60");
		options->name = optarg;
		return -1;
	case OPTION_STANDBY:
		if (!*optarg)
			return options_usage_error("--standby", optarg, "give a directory, which is made");
		options->standby = optarg;
		return -1;
	case OPTION_CHILDREN:
		request->children = true;
		options->no_children = false;
		return -1;
	case OPTION_NO_CHILDREN:
		request->children = false;
		options->no_children = true;
		return -1;
	case OPTION_USER:
		say("--user: user stacks cannot be recorded, as they are found while the process lives; "
		    "kcatch FUNCTION --user shows them, and --stack records those of the kernel");
		return STATUS_ERROR;
	case 'h':
		help_print("record");
		return STATUS_CAUGHT;
	}
	return STATUS_ERROR;
}

/* What does not go together, and what follows from what was asked. */
static int settle(struct record_options *options, int argc, char **argv)
{
	struct kcatch_request *request = &options->request;

	request->functions = options->functions;
	request->events = options->events;
	if (argc)
		options->argv = argv;
	if (argc && request->pid) {
		say("-p and a command to run: which of the two is to be recorded?");
		return STATUS_ERROR;
	}
	if (request->children && !argc && !request->pid) {
		say("--children of which process? Give -p PID or a command to run");
		return STATUS_ERROR;
	}
	if (argc)
		request->children = !options->no_children;
	if (argc && options->detach) {
		say("--detach and a command to run: run it with & instead");
		return STATUS_ERROR;
	}
	if (options->standby && !request->overwrite) {
		say("--standby is for a flight recorder: without --flight the records are on the disk already");
		return STATUS_ERROR;
	}
	if (request->freeze_on == KCATCH_FREEZE_LOG) {
		say("--freeze-log is for --freeze-on oops, warn, lockup, hung or panic");
		return STATUS_ERROR;
	}
	if (!request->nr_functions && !request->nr_events) {
		say("what is to be recorded? For example: kcatch record -f vfs_read -t 10 "
		    "(more: kcatch record --help)");
		return STATUS_ERROR;
	}
	if (!request->nr_functions)
		request->returns = false;
	return -1;
}

int record_options_parse(int argc, char **argv, struct record_options *options)
{
	int option, status;

	memset(options, 0, sizeof(*options));
	options->words = argv;
	options->nr_words = (size_t)argc;
	options->functions = calloc((size_t)argc + 1, sizeof(char *));
	options->events = calloc((size_t)argc + 1, sizeof(char *));
	options->triggers = calloc((size_t)argc + 1, sizeof(*options->triggers));
	if (!options->functions || !options->events || !options->triggers) {
		say("out of memory");
		return STATUS_ERROR;
	}
	options->request.others_only = true;
	options->request.arguments = true;
	options->request.returns = true;
	options->request.pending = true;
	options->request.no_stack = true;
	opterr = 0;
	optind = 1;
	/* The first word that is no option begins the command. */
	while ((option = getopt_long(argc, argv, "+:o:e:f:p:c:t:h", long_options, NULL)) != -1) {
		if (option == ':' || option == '?')
			return options_refuse(option, argv);
		status = parse_option(option, options);
		if (status >= 0)
			return status;
	}
	return settle(options, argc - optind, argv + optind);
}

void record_name_directory(char *name, size_t room)
{
	time_t now = time(NULL);
	struct tm local;

	localtime_r(&now, &local);
	strftime(name, room, "kcatch-%Y%m%d-%H%M%S", &local);
}

void record_options_deinit(struct record_options *options)
{
	size_t i;

	for (i = 0; i < options->nr_triggers; i++)
		free(options->triggers[i].name);
	free(options->triggers);
	free(options->functions);
	free(options->events);
}
