/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option_parser.h - the rules of options, and a parser and help made from them
 *
 * A rule is all that kcatch knows of an option: its names, its value and limits, what it sets,
 * its help and the advice when a value is refused.
 */
#ifndef CLI_COMMON_OPTION_PARSER_H
#define CLI_COMMON_OPTION_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct command;

enum option_kind {
	OPTION_ON,	/* a bool becomes true */
	OPTION_OFF,	/* a bool becomes false */
	OPTION_NUMBER,	/* decimal, from @least to @most, into an integer of @size bytes */
	OPTION_SECONDS,	/* "1.5", stored in nanoseconds; @least and @most in nanoseconds */
	OPTION_BYTES,	/* "64K", stored in bytes; @least and @most in bytes */
	OPTION_TEXT,	/* a pointer to the value, which must not be empty */
	OPTION_CALL,	/* @take parses the value */
};

/**
 * struct option_rule - an option
 * @name: its long name, without dashes
 * @letter: its short name; 0: none
 * @value: name of its value in the help; NULL: takes no value; "[=X]": the value is optional
 * @help: what it does, lines separated by newlines; NULL: the help omits the option
 * @wanted: advice printed when the value is refused
 * @kind: how the value is parsed
 * @again: it may be given more than once: each value counts. Without it a second one is refused,
 *	for one of the two would do nothing
 * @least: smallest accepted value
 * @most: largest accepted value
 * @offset: offset of the member in the target, bytes
 * @size: size of the member, bytes: 4 or 8 for numbers
 * @take: for OPTION_CALL; gets the value (NULL: none was given) and the target.
 *	Return: -1 to continue; otherwise the exit status, after a message
 */
struct option_rule {
	const char *name;
	char letter;
	const char *value;
	const char *help;
	const char *wanted;
	enum option_kind kind;
	bool again;
	uint64_t least, most;
	size_t offset, size;
	int (*take)(const struct option_rule *rule, const char *value, void *target);
};

/* @offset and @size of an option_rule: the member of the target that is set. */
#define OPTION_INTO(type, member) \
	.offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/**
 * struct option_use - an option that a command takes
 * @rule: the option; NULL ends the list
 * @help: the command's own help; NULL: the rule's
 */
struct option_use {
	const struct option_rule *rule;
	const char *help;
};

/**
 * options_parse - parse the options on a command line
 * @command: the command
 * @argc: number of words in @argv
 * @argv: the words, beginning with the command's name; words that are no options are moved
 *	to the end, unless the command has @take_word
 * @target: the struct that the rules' offsets refer to. It begins with a struct options if
 *	@command takes shared options. Texts point into @argv
 *
 * --help prints the command's help.
 *
 * Return: -1 to continue, with optind at the first word that is no option, with @take_word at that
 * behind --; otherwise the exit
 * status, after a message or the help.
 */
int options_parse(const struct command *command, int argc, char **argv, void *target);

/**
 * options_given - whether the last options_parse() found an option, whatever its value
 * @command: the command that was parsed
 * @rule: the option
 *
 * Return: whether @rule is an option of @command and was on the command line.
 */
bool options_given(const struct command *command, const struct option_rule *rule);

/**
 * options_help - print the options' part of a command's help to standard output
 * @command: the command; its @options is not NULL
 */
void options_help(const struct command *command);

/**
 * option_refuse - print that a value is refused, with the rule's @wanted
 * @rule: the option
 * @value: the value
 *
 * Return: STATUS_ERROR.
 */
int option_refuse(const struct option_rule *rule, const char *value);

/**
 * option_number - parse a decimal number without a sign
 * @text: the digits
 * @most: largest accepted number
 * @number: set to the number
 *
 * Return: whether @text is such a number, and nothing follows it.
 */
bool option_number(const char *text, uint64_t most, uint64_t *number);

/**
 * option_seconds - parse seconds such as "1.5"
 * @text: decimal digits with at most one point
 * @ns: set to the time in nanoseconds; digits after the ninth decimal are ignored
 *
 * Return: whether @text is such a time, below 1000000001 seconds (31 years).
 */
bool option_seconds(const char *text, uint64_t *ns);

/**
 * option_duration - parse a time such as "500ms"
 * @text: decimal digits, then one of ns, us, ms, s, m, h and d
 * @ns: set to the nanoseconds
 *
 * Return: whether @text is a time, more than 0 and less than 2^63 ns.
 */
bool option_duration(const char *text, uint64_t *ns);

/**
 * option_bytes - parse a size such as "64K"
 * @text: decimal digits, then nothing or one of k, K, m, M, g, G (powers of 1024)
 * @bytes: set to the number of bytes
 *
 * Return: whether @text is a size, its digits a number below 2^33.
 */
bool option_bytes(const char *text, uint64_t *bytes);

#endif
