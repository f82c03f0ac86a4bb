/* SPDX-License-Identifier: GPL-2.0-or-later */
/* catch_options.c - parse the command line of kcatch catch: options, functions, condition */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "catch_options.h"
#include "command.h"
#include "event_pair.h"
#include "words.h"

#define INTO(member) OPTION_INTO(struct catch_options, member)

/* --errors, --errors=false */
static int take_errors(const struct option_rule *rule, const char *value, void *target)
{
	struct kcatch_request *request = &((struct catch_options *)target)->shared.request;

	request->errors = true;
	if (!value)
		return -1;
	if (strcmp(value, "false") != 0)
		return option_refuse(rule, value);
	request->false_fails = true;
	return -1;
}

static const struct option_rule option_errors = {
	.name = "errors", .value = "[=false]",
	.help = "only calls that fail: a negative errno, an error pointer, NULL\n"
		"(--errors=false: false as well)",
	.wanted = "the only value is false: --errors=false also counts false as a failure of a "
		  "bool function",
	.kind = OPTION_CALL, .take = take_errors,
};

static const struct option_rule option_tree = {
	.name = "tree", .help = "what the call does underneath: functions of the PATTERNs, or all",
	.kind = OPTION_ON, INTO(tree),
};

static const struct option_rule option_levels = {
	.name = "levels", .value = "N", .help = "at most N levels of the tree",
	.wanted = "give a number of levels, 1 to 1000",
	.kind = OPTION_NUMBER, .least = 1, .most = 1000, INTO(shared.request.levels),
};

static const struct option_rule option_no_stack = {
	.name = "no-stack", .help = "no stack", .kind = OPTION_ON, INTO(shared.request.no_stack),
};

/* --format rows; text and json, too, so that scripts can name what they mean */
static int take_format(const struct option_rule *rule, const char *value, void *target)
{
	struct options *shared = &((struct catch_options *)target)->shared;

	if (strcmp(value, "text") && strcmp(value, "json") && strcmp(value, "rows"))
		return option_refuse(rule, value);
	shared->json |= !strcmp(value, "json");
	shared->rows |= !strcmp(value, "rows");
	((struct catch_options *)target)->text |= !strcmp(value, "text");
	return -1;
}

static const struct option_rule option_format = {
	.name = "format", .value = "FORMAT",
	.help = "text, json, or rows: flat JSON objects for databases\n"
		"(man kcatch-rows)",
	.wanted = "there are text, json and rows",
	.kind = OPTION_CALL, .take = take_format,
};

/* -t SEC; --time wall is about the times that are shown */
static int take_time(const struct option_rule *rule, const char *value, void *target)
{
	struct options *shared = &((struct catch_options *)target)->shared;

	if ((!strcmp(value, "wall") && shared->wall) ||
	    (strcmp(value, "wall") && shared->time_ns)) {
		say("-t is given twice, the second time with %s: give it once", quoted(value));
		return STATUS_ERROR;
	}
	if (!strcmp(value, "wall"))
		shared->wall = true;
	else if (!option_seconds(value, &shared->time_ns) || !shared->time_ns)
		return option_refuse(rule, value);
	return -1;
}

static const struct option_rule option_time_or_wall = {
	.again = true,	/* a limit, and how times are shown */
	.name = "time", .letter = 't', .value = "SEC",
	.help = "end after SEC seconds at the latest (0.5 is half a second);\n"
		"wall: show times as dates in UTC, not as seconds since boot",
	.wanted = "give seconds, more than 0, for example -t 2.5, or wall",
	.kind = OPTION_CALL, .take = take_time,
};

static int take_after(const struct option_rule *rule, const char *value, void *target)
{
	return option_duration(value, &((struct catch_options *)target)->after_ns) ?
		       -1 :
		       option_refuse(rule, value);
}

static const struct option_rule option_after = {
	.name = "after",
	.value = "TIME",
	.help = "a call that lasts so long is shown while it lasts: its stack now, what\n"
		"it waits for; and again when it returns. Shorter calls are not shown",
	.wanted = "give a time with its unit, such as 500ms, 2s or 1m",
	.kind = OPTION_CALL,
	.take = take_after,
};

static const struct option_rule option_version = {
	.name = "version", .help = "the releases of command and module",
	.kind = OPTION_ON, INTO(version),
};

const struct option_use catch_option_uses[] = {
	{ &option_count, "catch N calls (trees, chains of failures), then end\n"
			 "(default 1; 0: until Ctrl-C)" },
	{ &option_time_or_wall, NULL },
	{ &option_pid, NULL },
	{ &option_comm, NULL },
	{ &option_cgroup, NULL },
	{ &option_with_cgroup, NULL },
	{ &option_with, NULL },
	{ &option_event, NULL },
	{ &option_stack, NULL },
	{ &option_pair_key, NULL },
	{ &option_pairs, NULL },
	{ &option_after, NULL },
	{ &option_errors, NULL },
	{ &option_tree, NULL },
	{ &option_levels, NULL },
	{ &option_entry, NULL },
	{ &option_no_args, NULL },
	{ &option_deep, NULL },
	{ &option_string, NULL },
	{ &option_user, NULL },
	{ &option_depth, NULL },
	{ &option_no_stack, NULL },
	{ &option_in_flight, NULL },
	{ &option_size, NULL },
	{ &option_json, "one JSON object a line, the last one a summary" },
	{ &option_format, NULL },
	{ &option_verbose, "whole structs, and statistics of each function at the end" },
	{ &option_help, NULL },
	{ &option_version, NULL },
	{ NULL, NULL }
};

static int conflict(const char *text)
{
	say("%s; see kcatch --help", text);
	return STATUS_ERROR;
}

/* Refuse contradicting options, then complete the request. Return: -1, or the exit status. */
static int settle(struct catch_options *options)
{
	struct kcatch_request *request = &options->shared.request;
	bool entry = options->shared.entry;

	if (options->tree && entry)
		return conflict("--tree and --entry: a tree is made of calls and their returns");
	if (request->errors && entry)
		return conflict("--errors and --entry: whether a call fails is known when it returns");
	if (options->tree && request->errors)
		return conflict("--tree and --errors: a tree marks the calls that fail");
	if (options->after_ns && (entry || options->tree || request->errors || request->pair))
		return conflict("--after is for calls whose return is caught: it does not go with "
				"--entry, --tree, --errors and pairs");
	if (options->after_ns && options->shared.rows)
		return conflict("--after and --format rows: a row is of a call that has returned");
	if (request->levels && !options->tree)
		return conflict("--levels is for --tree");
	if (request->nr_events && (options->tree || request->errors))
		return conflict("--tree and --errors are about calls: they do not go with -e");
	if (request->pair && (options->tree || request->errors || entry))
		return conflict(
			"a pair's events are entries of functions, and tracepoints: it does "
			"not go with --tree, --errors and --entry");
	if (options->shared.stack && !request->nr_events && !request->pair)
		return conflict("--stack is for the events of -e: calls always have their stacks");
	if (request->no_stack && (options->shared.stack || request->depth))
		return conflict("--no-stack does not go with --stack and --depth");
	if (options->shared.rows && options->shared.json)
		return conflict("--json and --format rows: choose one");
	if (options->text && (options->shared.json || options->shared.rows))
		return conflict("--format text and another format: choose one");
	if (options->shared.rows && (options->tree || request->errors))
		return conflict("--format rows has a row for each call, and no trees or chains");
	if (options->shared.rows && request->user_stack)
		return conflict("--format rows has no user stacks");
	if (options->shared.rows && options->shared.verbose)
		return conflict("-v is for text and JSON: rows have the same members always");
	if (options->shared.wall && (options->shared.rows || options->shared.json))
		return conflict("--time wall is for text");
	request->event_stacks =
		options->shared.stack || (request->depth && !request->no_stack);
	request->returns = !entry && !request->pair;
	request->pending = !request->pair;
	request->with_cgroup |= options->shared.rows;
	/* What is not shown is not read. */
	request->only_forms = !options->shared.json && !options->shared.rows &&
			      !options->shared.verbose && !request->deep;
	/* --errors has no budget: the innermost call of a chain comes first and would spend it. */
	options->groups = options->tree || request->errors;
	request->budget = request->errors ? 0 : options->shared.count;
	return -1;
}

/* The module is not loaded to be asked. */
static int print_version(void)
{
	const struct kcatch_machine *machine;

	printf("kcatch %s\n", KCATCH_VERSION);
	if (kcatch_machine_create(&machine))
		return STATUS_CAUGHT;
	if (machine->module_version[0])
		printf("module %s, loaded\n", machine->module_version);
	else
		printf("module not loaded; %s\n", machine->module_file[0] ?
		       machine->module_file : "not installed for this kernel");
	kcatch_machine_destroy(machine);
	return STATUS_CAUGHT;
}

/* A call that was shown while it lasted passes when it returns, and a shorter one does not. */
static int add_after(struct catch_options *options)
{
	struct kcatch_request *request = &options->shared.request;
	const char *given = request->condition;
	int length;

	if (!options->after_ns)
		return -1;
	if (!request->nr_functions || request->nr_events)
		return conflict("--after is for functions: an event has no return");
	length = asprintf(&options->condition, "%s%s%slatency >= %" PRIu64, given ? "(" : "",
			  given ? given : "", given ? ") && " : "", options->after_ns);
	if (length < 0) {
		options->condition = NULL;
		say("out of memory");
		return STATUS_ERROR;
	}
	request->condition = options->condition;
	return -1;
}

int catch_options_parse(int argc, char **argv, struct catch_options *options)
{
	struct kcatch_request *request = &options->shared.request;
	bool is_function;
	size_t nr;
	int status;

	memset(options, 0, sizeof(*options));
	options->shared.count = 1;
	kcatch_request_init(request);
	request->others_only = true;
	request->arguments = true;
	status = options_parse(&command_catch, argc, argv, options);
	if (status < 0 && options->version)
		return print_version();
	nr = (size_t)(argc - optind);
	if (status < 0)
		status = pair_parse(&options->shared, argv + optind, &nr);
	if (status < 0)
		status = settle(options);
	if (status >= 0)
		return status;
	status = request->pair ? words_condition(argv + optind, nr, request) :
				 words_parse(argv + optind, nr, request, options->tree);
	if (status < 0)
		status = add_after(options);
	is_function = request->nr_functions || pair_is_of_function(&options->shared);
	if (status < 0 && !is_function && !request->arguments)
		return conflict("--no-args is for functions: of an event all is shown");
	if (status < 0 && !is_function && options->shared.entry)
		return conflict("--entry is for functions: an event has no return");
	if (status < 0 && !is_function && request->no_stack)
		return conflict("--no-stack is for functions: an event has no stack without --stack");
	if (status < 0 && !is_function && request->user_stack)
		return conflict("--user is for functions: events have no user stack");
	if (status < 0 && !is_function && request->deep)
		return conflict("--deep is for functions: of an event's structs only names are shown");
	if (status < 0 && request->nr_with && (!request->arguments || options->tree))
		return conflict("--with is beside the arguments: it does not go with --no-args and "
				"--tree");
	if (status < 0 && (request->deep || request->string_size) && !request->arguments)
		return conflict("--deep and --string are about arguments: they do not go with --no-args");
	return status;
}
