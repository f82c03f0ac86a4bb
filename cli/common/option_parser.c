/* SPDX-License-Identifier: GPL-2.0-or-later */
/* option_parser.c - parse options and print their help, from a command's option rules */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "option_parser.h"

#define USES_MAX 48	/* options of a command */
#define WORD 1		/* what getopt_long() returns for a word, after a '-' */
#define LONG_FIRST 256	/* what getopt_long() returns for the first rule's long name */
#define HELP_COLUMN 20	/* where the help's second column begins */

/* ---- values -------------------------------------------------------------------------- */

bool option_number(const char *text, uint64_t most, uint64_t *number)
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

bool option_seconds(const char *text, uint64_t *ns)
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
	*ns = seconds * 1000000000 + fraction;
	return !*text && digits;
}

bool option_duration(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "s", 1000000000 },
		{ "m", 60000000000 },
		{ "h", 3600000000000 },
		{ "d", 86400000000000 },
	};
	size_t digits = strspn(text, "0123456789"), i;
	char number[24];

	if (digits >= sizeof(number))
		return false;
	memcpy(number, text, digits);
	number[digits] = '\0';
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(text + digits, units[i].name))
			return option_number(number, INT64_MAX / units[i].ns, ns) &&
			       (*ns *= units[i].ns) > 0;
	return false;
}

bool option_bytes(const char *text, uint64_t *bytes)
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
	if (!option_number(digits, UINT64_MAX >> 31, bytes))
		return false;
	*bytes <<= shift;
	return true;
}

int option_refuse(const struct option_rule *rule, const char *value)
{
	const char letter[2] = { rule->letter, '\0' };

	say("%s%s %s: %s", rule->letter ? "-" : "--", rule->letter ? letter : rule->name,
	    quoted(value), rule->wanted);
	return STATUS_ERROR;
}

static void store(const struct option_rule *rule, void *target, uint64_t number)
{
	char *at = (char *)target + rule->offset;
	uint32_t small = (uint32_t)number;

	if (rule->size == sizeof(number))
		memcpy(at, &number, sizeof(number));
	else
		memcpy(at, &small, sizeof(small));
}

static int take(const struct option_rule *rule, const char *value, void *target)
{
	uint64_t number = 0;
	bool good = true;

	switch (rule->kind) {
	case OPTION_ON:
	case OPTION_OFF:
		*(bool *)((char *)target + rule->offset) = rule->kind == OPTION_ON;
		return -1;
	case OPTION_CALL:
		return rule->take(rule, value, target);
	case OPTION_TEXT:
		if (!*value)
			return option_refuse(rule, value);
		memcpy((char *)target + rule->offset, &value, sizeof(value));
		return -1;
	case OPTION_NUMBER:
		good = option_number(value, rule->most, &number);
		break;
	case OPTION_SECONDS:
		good = option_seconds(value, &number);
		break;
	case OPTION_BYTES:
		good = option_bytes(value, &number);
		break;
	}
	if (!good || number < rule->least || number > rule->most)
		return option_refuse(rule, value);
	store(rule, target, number);
	return -1;
}

/* ---- the command line ------------------------------------------------------------------- */

static bool takes_value(const struct option_rule *rule)
{
	return rule->value && rule->value[0] != '[';
}

/* Make the tables of getopt_long(): a long name's value is LONG_FIRST plus its index. */
static void make_tables(const struct command *command, struct option *names, char *letters)
{
	const struct option_use *use;
	size_t i = 0;

	/* '-': words come one by one, up to --; behind it is a command to run. */
	if (command->take_word)
		*letters++ = '-';
	*letters++ = ':';
	for (use = command->options; use->rule && i < USES_MAX; use++, i++) {
		names[i] = (struct option){ use->rule->name,
					    takes_value(use->rule) ? required_argument
					    : use->rule->value     ? optional_argument
								   : no_argument,
					    NULL, LONG_FIRST + (int)i };
		if (!use->rule->letter)
			continue;
		*letters++ = use->rule->letter;
		if (takes_value(use->rule))
			*letters++ = ':';
	}
	names[i] = (struct option){ NULL, 0, NULL, 0 };
	*letters = '\0';
}

/* By the index of a command's options: those that the last options_parse() has found. */
static bool given[USES_MAX];

static size_t index_of(const struct command *command, int option)
{
	size_t i = 0;

	if (option >= LONG_FIRST)
		return (size_t)(option - LONG_FIRST);
	while (command->options[i].rule->letter != option)
		i++;
	return i;
}

bool options_given(const struct command *command, const struct option_rule *rule)
{
	size_t i;

	for (i = 0; i < USES_MAX && command->options[i].rule; i++) {
		if (command->options[i].rule == rule)
			return given[i];
	}
	return false;
}

/* Refuse an unknown option, or one that lacks its value. Return: the exit status. */
static int refuse(const struct command *command, int option, char **argv)
{
	char letter[3] = { '-', (char)optopt, '\0' };
	bool bare = !strcmp(command->name, "catch");

	if (option == ':')
		say("%s needs a value; see kcatch %s%s", quoted(argv[optind - 1]),
		    bare ? "--help" : "help ", bare ? "" : command->name);
	else
		say("unknown option %s; see kcatch %s%s%s",
		    quoted(optopt > 0 && optopt < LONG_FIRST ? letter : argv[optind - 1]),
		    bare ? "--help (a function's name never begins with '-')" : "help ",
		    bare ? "" : command->name,
		    command->take_word ? "; -- comes before a command to run" : "");
	return STATUS_ERROR;
}

static int refuse_twice(const struct option_rule *rule, const char *value)
{
	const char letter[2] = { rule->letter, '\0' };

	say("%s%s is given twice, the second time%s%s: give it once",
	    rule->letter ? "-" : "--", rule->letter ? letter : rule->name,
	    value ? " with " : " without a value", value ? quoted(value) : "");
	return STATUS_ERROR;
}

int options_parse(const struct command *command, int argc, char **argv, void *target)
{
	struct option names[USES_MAX + 1];
	char letters[3 * USES_MAX];
	const struct option_rule *rule;
	int option, status;
	size_t i;

	make_tables(command, names, letters);
	memset(given, 0, sizeof(given));
	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		if (option == ':' || option == '?')
			return refuse(command, option, argv);
		if (option == WORD) {
			status = command->take_word(optarg, target);
			if (status >= 0)
				return status;
			continue;
		}
		i = index_of(command, option);
		rule = command->options[i].rule;
		if (!strcmp(rule->name, "help")) {
			command_print_help(command);
			return STATUS_CAUGHT;
		}
		if (given[i] && rule->value && !rule->again)
			return refuse_twice(rule, optarg);
		given[i] = true;
		status = take(rule, optarg, target);
		if (status >= 0)
			return status;
	}
	return -1;
}

/* ---- help ----------------------------------------------------------------------------------- */

/* "  -n, --count N     catch N, then end"; further lines are indented to the second column. */
static void print_option(const struct option_use *use)
{
	const char *help = use->help ? use->help : use->rule->help;
	int width;

	if (use->rule->letter)
		width = printf("  -%c, --%s", use->rule->letter, use->rule->name);
	else
		width = printf("      --%s", use->rule->name);
	if (use->rule->value)
		width += printf("%s%s", takes_value(use->rule) ? " " : "", use->rule->value);
	if (width >= HELP_COLUMN) {
		putchar('\n');
		width = 0;
	}
	for (; ; help++, width = 0) {
		printf("%*s%.*s\n", HELP_COLUMN - width, "", (int)strcspn(help, "\n"), help);
		help += strcspn(help, "\n");
		if (!*help)
			return;
	}
}

void options_help(const struct command *command)
{
	const struct option_use *use;

	for (use = command->options; use->rule; use++) {
		if (use->rule->help)
			print_option(use);
	}
}
