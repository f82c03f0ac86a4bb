/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - the command line of a catch
 *
 * Options of the design that this release does not have yet are known by name
 * and refused: what is not done must not look as if it were.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"

enum {
	OPTION_DEPTH = 256,
	OPTION_NO_STACK,
	OPTION_SIZE,
	OPTION_ENTRY,
	OPTION_JSON,
	OPTION_VERSION,
	OPTION_LATER,
};

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
	{ "errors", no_argument, NULL, OPTION_LATER },
	{ "tree", no_argument, NULL, OPTION_LATER },
	{ "user", no_argument, NULL, OPTION_LATER },
	{ NULL, 0, NULL, 0 }
};

static bool parse_number(const char *text, uint64_t most, uint64_t *number)
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
	if (!parse_number(digits, UINT64_MAX >> 31, size))
		return false;
	*size <<= shift;
	return *size > 0;
}

static int usage_error(const char *option, const char *value, const char *wanted)
{
	say("%s %s: %s", option, quoted(value), wanted);
	return STATUS_ERROR;
}

/* "count > 65536", 'len==3': conditions come with the arguments they look at. */
static bool is_condition(const char *word)
{
	return strpbrk(word, " <>=&|()\"") != NULL;
}

static int parse_comm(const char *value, struct options *options)
{
	size_t length = strlen(value);

	if (!length)
		return usage_error("-c", value, "give the command's name, as ps -o comm shows it");
	if (length >= sizeof(options->comm)) {
		length = sizeof(options->comm) - 1;
		say("the kernel keeps 15 bytes of a command's name: waiting for '%.15s'", value);
	}
	memcpy(options->comm, value, length);
	options->comm[length] = '\0';
	options->request.comm = options->comm;
	return -1;
}

static int parse_option(int option, const char *name, struct options *options)
{
	struct kcatch_request *request = &options->request;
	uint64_t number;

	switch (option) {
	case 'n':
		if (!parse_number(optarg, INT64_MAX, &request->budget))
			return usage_error("-n", optarg, "give the number of calls to catch, 0 for all "
					   "until Ctrl-C");
		return -1;
	case 't':
		if (!options_seconds(optarg, &options->time_ns))
			return usage_error("-t", optarg, "give seconds, more than 0, for example -t 2.5");
		return -1;
	case 'p':
		if (!parse_number(optarg, INT32_MAX, &number) || !number)
			return usage_error("-p", optarg, "give a process number, as ps shows it");
		request->pid = (uint32_t)number;
		return -1;
	case 'c':
		return parse_comm(optarg, options);
	case OPTION_DEPTH:
		if (!parse_number(optarg, 256, &number) || !number)
			return usage_error("--depth", optarg, "give the most frames of a stack, 1 to 256");
		request->depth = (unsigned int)number;
		return -1;
	case OPTION_NO_STACK:
		request->no_stack = true;
		return -1;
	case OPTION_SIZE:
		if (!options_size(optarg, &options->ring_size))
			return usage_error("--size", optarg, "give bytes a CPU, for example --size 256K");
		return -1;
	case OPTION_ENTRY:	/* what there is today */
		return -1;
	case OPTION_JSON:
		options->json = true;
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
	case OPTION_LATER:
		say("--%s is not in this release (%s); see kcatch --help for what is", name, KCATCH_VERSION);
		return STATUS_ERROR;
	}
	return STATUS_ERROR;
}

static int check_words(char **words, size_t count, bool literal)
{
	size_t i;

	if (!count) {
		say("which function? For example: kcatch vfs_read (more: kcatch --help)");
		return STATUS_ERROR;
	}
	if (!literal && is_later_command(words[0])) {
		say("the command %s is not in this release (%s); see kcatch --help for what is\n"
		    "  (to catch a function of that name: kcatch -- %s)", words[0], KCATCH_VERSION, words[0]);
		return STATUS_ERROR;
	}
	for (i = 0; i < count; i++) {
		if (!is_condition(words[i]))
			continue;
		say("%s: conditions are not in this release (%s); -p and -c choose by process and command",
		    quoted(words[i]), KCATCH_VERSION);
		return STATUS_ERROR;
	}
	return -1;
}

int options_parse(int argc, char **argv, struct options *options)
{
	int option, index = 0, status;

	memset(options, 0, sizeof(*options));
	options->request.budget = 1;
	options->request.others_only = true;
	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":n:t:p:c:vh", long_options, &index)) != -1) {
		if (option == ':') {
			say("%s needs a value; see kcatch --help", quoted(argv[optind - 1]));
			return STATUS_ERROR;
		}
		if (option == '?') {
			char letter[3] = { '-', (char)optopt, '\0' };

			say("unknown option %s; see kcatch --help (a function's name never begins with '-')",
			    quoted(optopt > 0 && optopt < 256 ? letter : argv[optind - 1]));
			return STATUS_ERROR;
		}
		status = parse_option(option, long_options[index].name, options);
		if (status >= 0)
			return status;
	}
	options->request.functions = (const char *const *)(argv + optind);
	options->request.nr_functions = (size_t)(argc - optind);
	return check_words(argv + optind, (size_t)(argc - optind),
			   optind > 0 && !strcmp(argv[optind - 1], "--"));
}
