/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option_parser.h - what options a command takes, and their values
 *
 * A rule says all there is of an option: how it is written, its value and its limits, what it
 * does, its line of the help. getopt's tables, refusals and help are made from the rules.
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
	OPTION_SECONDS,	/* "1.5" into nanoseconds, the same limits */
	OPTION_BYTES,	/* "64K", the same limits */
	OPTION_TEXT,	/* not empty */
	OPTION_CALL,	/* @take decides */
};

/**
 * struct option_rule - an option
 * @name: its long name, without dashes
 * @letter: its short name; 0: none
 * @value: what the help calls its value; NULL: it takes none; "[=X]": it may
 * @help: what it does; lines are parted by newlines
 * @wanted: what to give instead of a value that is refused
 * @kind: what its value is
 * @least: the smallest value
 * @most: the largest value
 * @offset: where the value goes, from the target's beginning
 * @size: bytes there
 * @take: of OPTION_CALL; gets the value (NULL: none was given) and the target.
 *	Return: -1 to go on; otherwise exit with this status, all was said
 */
struct option_rule {
	const char *name;
	char letter;
	const char *value;
	const char *help;
	const char *wanted;
	enum option_kind kind;
	uint64_t least, most;
	size_t offset, size;
	int (*take)(const struct option_rule *rule, const char *value, void *target);
};

/* Where a value goes: a member of the command's own struct. */
#define OPTION_INTO(type, member) \
	.offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/**
 * struct option_use - an option that a command takes
 * @rule: the option; NULL ends a list
 * @help: what it does here; NULL: as the rule says
 */
struct option_use {
	const struct option_rule *rule;
	const char *help;
};

/**
 * options_parse - understand a command line
 * @command: whose
 * @argc: of it
 * @argv: of it, from the command's name; the words that are no options come last then
 * @target: struct that begins with the struct options of the shared ones
 *
 * --help prints the command's help.
 *
 * Return: -1 to go on, optind is the first word; otherwise exit with this status, all was said.
 */
int options_parse(const struct command *command, int argc, char **argv, void *target);

/**
 * options_help - the lines of the help on a command's options
 * @command: the command
 */
void options_help(const struct command *command);

/**
 * option_refuse - a value that an option cannot have
 * @rule: the option
 * @value: the value
 *
 * Return: the exit status.
 */
int option_refuse(const struct option_rule *rule, const char *value);

/**
 * option_number - a decimal number and nothing else
 * @text: digits
 * @most: the largest
 * @number: it
 *
 * Return: whether it is one.
 */
bool option_number(const char *text, uint64_t most, uint64_t *number);

/**
 * option_seconds - "1.5" to nanoseconds
 * @text: decimal digits with at most one point
 * @ns: the time, below 31 years
 *
 * Return: whether it is one.
 */
bool option_seconds(const char *text, uint64_t *ns);

/**
 * option_bytes - "64K" to bytes
 * @text: decimal digits, then K, M or G or nothing
 * @bytes: how many
 *
 * Return: whether it is a size.
 */
bool option_bytes(const char *text, uint64_t *bytes);

#endif
