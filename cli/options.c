/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - the command line of a catch
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "words.h"

enum {
	OPTION_NO_STACK = OPTIONS_OWN,
	OPTION_ENTRY,
	OPTION_VERSION,
	OPTION_ERRORS,
	OPTION_TREE,
	OPTION_LEVELS,
	OPTION_USER,
	OPTION_DEEP,
	OPTION_STRING,
	OPTION_NO_ARGS,
	OPTION_STACK,
};

#define USER_STACK_DEFAULT 16384
#define USER_STACK_MAX 65536
#define STRING_MAX 1000	/* of the KCATCH_DATA_MAX bytes a call may fetch */

static const struct option long_options[] = {
	{ "count", required_argument, NULL, 'n' },
	{ "time", required_argument, NULL, 't' },
	{ "pid", required_argument, NULL, 'p' },
	{ "comm", required_argument, NULL, 'c' },
	{ "depth", required_argument, NULL, OPTION_DEPTH },
	{ "no-stack", no_argument, NULL, OPTION_NO_STACK },
	{ "size", required_argument, NULL, OPTION_SIZE },
	{ "entry", no_argument, NULL, OPTION_ENTRY },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ "errors", optional_argument, NULL, OPTION_ERRORS },
	{ "tree", no_argument, NULL, OPTION_TREE },
	{ "levels", required_argument, NULL, OPTION_LEVELS },
	{ "user", optional_argument, NULL, OPTION_USER },
	{ "deep", required_argument, NULL, OPTION_DEEP },
	{ "string", required_argument, NULL, OPTION_STRING },
	{ "no-args", no_argument, NULL, OPTION_NO_ARGS },
	{ "event", required_argument, NULL, 'e' },
	{ "stack", no_argument, NULL, OPTION_STACK },
	{ NULL, 0, NULL, 0 }
};

bool options_number(const char *text, uint64_t most, uint64_t *number)
{
	uint64_t value = 0;
	const char *at;

	if (!*text)
		return false;
	for (at = text; *at; at++) {
		if (*at < '0' || *at > '9' || value > (UINT64_MAX - 9) / 10)
			return false;
		value = value * 10 + (uint64_t)(*at - '0');
	}
	*number = value;
	return value <= most;
}

bool options_seconds(const char *text, uint64_t *ns)
{
	uint64_t seconds = 0, fraction = 0, unit = 1000000000;
	bool digits = false;

	for (; *text >= '0' && *text <= '9'; text++, digits = true) {
		seconds = seconds * 10 + (uint64_t)(*text - '0');
		if (seconds > 1000000000)
			return false;
	}
	if (*text == '.') {
		for (text++; *text >= '0' && *text <= '9'; text++, digits = true) {
			unit /= 10;
			fraction += unit * (uint64_t)(*text - '0');
		}
	}
	if (*text || !digits)
		return false;
	*ns = seconds * 1000000000 + fraction;
	return *ns > 0;
}

bool options_size(const char *text, uint64_t *size)
{
	size_t length = strlen(text), shift = 0;
	char digits[24];

	if (!length || length >= sizeof(digits))
		return false;
	memcpy(digits, text, length + 1);
	switch (digits[length - 1]) {
	case 'k': case 'K': shift = 10; break;
	case 'm': case 'M': shift = 20; break;
	case 'g': case 'G': shift = 30; break;
	}
	if (shift)
		digits[length - 1] = '\0';
	if (!options_number(digits, UINT64_MAX >> 31, size))
		return false;
	*size <<= shift;
	return *size > 0;
}

int options_usage_error(const char *option, const char *value, const char *wanted)
{
	say("%s %s: %s", option, quoted(value), wanted);
	return STATUS_ERROR;
}

int options_comm(const char *value, char *comm, struct kcatch_request *request)
{
	size_t length = strlen(value);

	if (!length)
		return options_usage_error("-c", value, "give the command's name, as ps -o comm shows it");
	if (length > 15) {
		length = 15;
		say("the kernel keeps 15 bytes of a command's name: waiting for '%.15s'", value);
	}
	memcpy(comm, value, length);
	comm[length] = '\0';
	request->comm = comm;
	return -1;
}

/* --errors, --errors=false */
static int parse_errors(const char *value, struct options *options)
{
	options->request.errors = true;
	if (!value)
		return -1;
	if (strcmp(value, "false") != 0)
		return options_usage_error("--errors", value, "the only value is false: --errors=false takes "
				   "false for a failure, too, where a function returns bool");
	options->request.false_fails = true;
	return -1;
}

/* --user, --user=32K */
static int parse_user(const char *value, struct options *options)
{
	uint64_t size = USER_STACK_DEFAULT;

	if (value && (!options_size(value, &size) || size > USER_STACK_MAX))
		return options_usage_error("--user", value, "give bytes of the user stack to take with each "
				   "call, at most 64K, for example --user=32K");
	options->request.user_stack = (uint32_t)size;
	return -1;
}

static int add_event(const char *name, struct options *options)
{
	const char **events = realloc(options->events, (options->request.nr_events + 1) * sizeof(*events));

	if (!events) {
		say("out of memory");
		return STATUS_ERROR;
	}
	options->events = events;
	events[options->request.nr_events++] = name;
	options->request.events = events;
	return -1;
}

int options_take_shared(int option, struct options *options)
{
	uint64_t number;

	switch (option) {
	case 'n':
		if (!options_number(optarg, INT64_MAX, &options->count))
			return options_usage_error("-n", optarg, "give the number to catch, 0 for all until "
						   "Ctrl-C");
		return -1;
	case 't':
		if (!options_seconds(optarg, &options->time_ns))
			return options_usage_error("-t", optarg, "give seconds, more than 0, for example "
						   "-t 2.5");
		return -1;
	case 'p':
		return options_take_pid("-p", &options->request.pid);
	case 'c':
		return options_comm(optarg, options->comm, &options->request);
	case OPTION_DEPTH:
		if (!options_number(optarg, 256, &number) || !number)
			return options_usage_error("--depth", optarg, "give the most frames of a stack, 1 to "
						   "256");
		options->request.depth = (unsigned int)number;
		return -1;
	case OPTION_SIZE:
		if (!options_size(optarg, &options->ring_size))
			return options_usage_error("--size", optarg, "give bytes a CPU, for example "
						   "--size 256K");
		return -1;
	case OPTION_JSON:
		options->json = true;
		return -1;
	}
	return OPTIONS_OTHER;
}

int options_take_pid(const char *option, uint32_t *pid)
{
	uint64_t number;

	if (!options_number(optarg, INT32_MAX, &number) || !number)
		return options_usage_error(option, optarg, "give a process number, as ps shows it");
	*pid = (uint32_t)number;
	return -1;
}

static int parse_option(int option, struct options *options)
{
	struct kcatch_request *request = &options->request;
	int status = options_take_shared(option, options);
	uint64_t number;

	if (status != OPTIONS_OTHER)
		return status;
	switch (option) {
	case OPTION_NO_STACK:
		request->no_stack = true;
		return -1;
	case OPTION_ENTRY:
		options->entry = true;
		return -1;
	case OPTION_ERRORS:
		return parse_errors(optarg, options);
	case OPTION_TREE:
		options->tree = true;
		return -1;
	case OPTION_LEVELS:
		if (!options_number(optarg, 1000, &number) || !number)
			return options_usage_error("--levels", optarg, "give how deep under the call, 1 to 1000");
		request->levels = (unsigned int)number;
		return -1;
	case OPTION_USER:
		return parse_user(optarg, options);
	case OPTION_DEEP:
		if (!options_number(optarg, 8, &number) || !number)
			return options_usage_error("--deep", optarg, "give how many pointers inside structs to "
					   "follow, 1 to 8");
		request->deep = (unsigned int)number;
		return -1;
	case OPTION_STRING:
		if (!options_number(optarg, STRING_MAX, &number) || !number)
			return options_usage_error("--string", optarg, "give the most bytes of a string, 1 to 1000");
		request->string_size = (uint32_t)number;
		return -1;
	case OPTION_NO_ARGS:
		request->arguments = false;
		return -1;
	case 'e':
		return add_event(optarg, options);
	case OPTION_STACK:
		request->event_stacks = true;
		return -1;
	case 'v':
		options->verbose = true;
		return -1;
	case 'h':
		help_print(NULL);
		return STATUS_CAUGHT;
	case OPTION_VERSION:
		printf("kcatch %s\n", KCATCH_VERSION);
		return STATUS_CAUGHT;
	}
	return STATUS_ERROR;
}

static int conflict(const char *text)
{
	say("%s; see kcatch --help", text);
	return STATUS_ERROR;
}

/* What does not go together, and what follows from what was asked. */
static int settle(struct options *options)
{
	struct kcatch_request *request = &options->request;

	if (options->tree && options->entry)
		return conflict("--tree and --entry: a tree is made of calls and their returns");
	if (request->errors && options->entry)
		return conflict("--errors and --entry: whether a call fails is known when it returns");
	if (options->tree && request->errors)
		return conflict("--tree and --errors: a tree marks the calls that fail");
	if (request->levels && !options->tree)
		return conflict("--levels says how deep a --tree is");
	if (request->nr_events && (options->tree || request->errors))
		return conflict("--tree and --errors are about calls: they do not go with -e");
	if (request->event_stacks && !request->nr_events)
		return conflict("--stack is about the events of -e: calls have their stacks by themselves");
	request->returns = !options->entry;
	/* Of a chain of failing calls the innermost comes first and would spend it all. */
	options->groups = options->tree || request->errors;
	request->budget = request->errors ? 0 : options->count;
	return -1;
}

int options_refuse(int option, char **argv)
{
	char letter[3] = { '-', (char)optopt, '\0' };

	if (option == ':')
		say("%s needs a value; see kcatch --help", quoted(argv[optind - 1]));
	else
		say("unknown option %s; see kcatch --help (a function's name never begins with '-')",
		    quoted(optopt > 0 && optopt < 256 ? letter : argv[optind - 1]));
	return STATUS_ERROR;
}

int options_parse(int argc, char **argv, struct options *options)
{
	int option, status;

	memset(options, 0, sizeof(*options));
	options->count = 1;
	options->request.others_only = true;
	options->request.arguments = true;
	options->request.pending = true;
	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":n:t:p:c:e:vh", long_options, NULL)) != -1) {
		if (option == ':' || option == '?')
			return options_refuse(option, argv);
		status = parse_option(option, options);
		if (status >= 0)
			return status;
	}
	status = settle(options);
	if (status >= 0)
		return status;
	return words_parse(argv + optind, (size_t)(argc - optind), options);
}
