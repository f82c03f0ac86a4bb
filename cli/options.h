/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - the command line of a catch */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

/**
 * struct options - what the command line asks for
 * @request: for the library
 * @comm: room for the shortened command name
 * @events: room for the names of -e
 * @ring_size: bytes a CPU, 0: by itself
 * @time_ns: time limit, 0: none
 * @count: calls to catch, or (@groups) trees or chains; 0: until interrupted
 * @entry: the entry only
 * @tree: show what a call did underneath
 * @groups: calls that belong together are shown together: --tree, --errors
 * @json: one object a line
 * @verbose: figures of each probe at the end
 */
struct options {
	struct kcatch_request request;
	char comm[16];
	const char **events;
	uint64_t ring_size;
	uint64_t time_ns;
	uint64_t count;
	bool entry;
	bool tree;
	bool groups;
	bool json;
	bool verbose;
};

/**
 * options_parse - understand the command line
 * @argc: of it
 * @argv: of it, from the program's or the command's name; may be reordered
 * @options: what is asked for
 *
 * Return: -1 to go on; otherwise exit with this status, all was said.
 */
int options_parse(int argc, char **argv, struct options *options);

/* What getopt_long() returns for the options that several commands have; their own begin
 * at OPTIONS_OWN. */
enum {
	OPTION_DEPTH = 256,
	OPTION_SIZE,
	OPTION_JSON,
	OPTIONS_OWN,
};

#define OPTIONS_OTHER (-2)

/**
 * options_take_shared - -n -t -p -c --depth --size --json, the same in every command
 * @option: what getopt_long() returned; its value is optarg
 * @options: gets it
 *
 * Return: -1 to go on; OPTIONS_OTHER it is none of them; otherwise exit with this
 * status, all was said.
 */
int options_take_shared(int option, struct options *options);

/**
 * options_take_pid - a process number
 * @option: as it was written; its value is optarg
 * @pid: gets it
 *
 * Return: -1 to go on; otherwise exit with this status, all was said.
 */
int options_take_pid(const char *option, uint32_t *pid);

/**
 * options_usage_error - a value that an option cannot have
 * @option: as it was written
 * @value: the value
 * @wanted: what to give instead
 *
 * Return: the exit status.
 */
int options_usage_error(const char *option, const char *value, const char *wanted);

/**
 * options_number - a decimal number and nothing else
 * @text: digits
 * @most: the largest
 * @number: it
 *
 * Return: whether it is one.
 */
bool options_number(const char *text, uint64_t most, uint64_t *number);

/**
 * options_comm - the value of -c
 * @value: a command's name; a long one is shortened, which is said
 * @comm: room for it, 16 bytes
 * @request: gets it
 *
 * Return: -1 to go on; otherwise exit with this status, all was said.
 */
int options_comm(const char *value, char *comm, struct kcatch_request *request);

/**
 * options_refuse - an option that getopt_long() does not know, or without its value
 * @option: what it returned: ':' or '?'
 * @argv: the command line
 *
 * Return: the exit status; all was said.
 */
int options_refuse(int option, char **argv);

/**
 * options_seconds - "1.5" to nanoseconds
 * @text: decimal digits with at most one point
 * @ns: the time
 *
 * Return: whether it is a time of more than 0 and less than 30 years.
 */
bool options_seconds(const char *text, uint64_t *ns);

/**
 * options_size - "64K" to bytes
 * @text: decimal digits, then K, M or G or nothing
 * @size: bytes
 *
 * Return: whether it is a size.
 */
bool options_size(const char *text, uint64_t *size);

#endif
