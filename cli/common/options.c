/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.c - the options shared by several commands, in one table */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "event_pair.h"

#define USER_STACK_DEFAULT 16384
#define USER_STACK_MAX 65536
#define STRING_MAX 1000	/* bytes; a call fetches at most KCATCH_DATA_MAX (1024) in all */

#define INTO(member) OPTION_INTO(struct options, member)

int options_add_name(const char ***names, size_t *nr, const char *name)
{
	const char **more = realloc(*names, (*nr + 1) * sizeof(*more));

	if (!more) {
		say("out of memory");
		return STATUS_ERROR;
	}
	*names = more;
	more[(*nr)++] = name;
	return -1;
}

static int take_event(const struct option_rule *rule, const char *value, void *target)
{
	struct options *options = target;
	int status = options_add_name(&options->events, &options->request.nr_events, value);

	(void)rule;
	options->request.events = options->events;
	return status;
}

static int take_comm(const struct option_rule *rule, const char *value, void *target)
{
	struct options *options = target;

	if (!*value)
		return option_refuse(rule, value);
	snprintf(options->comm, sizeof(options->comm), "%s", value);
	if (strlen(value) >= sizeof(options->comm))
		say("the kernel keeps 15 bytes of a command's name: waiting for %s",
		    quoted(options->comm));
	options->request.comm = options->comm;
	return -1;
}

static int take_filter(const struct option_rule *rule, const char *value, void *target)
{
	struct options *options = target;

	if (options->request.condition)
		return option_refuse(rule, value);
	options->request.condition = value;
	return -1;
}

/* NAME=EXPRESSION, or an expression that is its own name. */
static int take_with(const struct option_rule *rule, const char *value, void *target)
{
	struct options *options = target;
	size_t nr = options->request.nr_with;
	size_t name = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_");
	bool named = name && value[name] == '=' && value[name + 1] != '=';

	if (!*value || nr == OPTIONS_WITH_MAX || (named && !value[name + 1]))
		return option_refuse(rule, value);
	options->with[nr] = (struct kcatch_own_field){ value, value };
	if (named) {
		options->with_names[nr] = strndup(value, name);
		if (!options->with_names[nr]) {
			say("out of memory");
			return STATUS_ERROR;
		}
		options->with[nr] = (struct kcatch_own_field){ options->with_names[nr],
							       value + name + 1 };
	}
	options->request.with = options->with;
	options->request.nr_with++;
	return -1;
}

/* ---- the table ------------------------------------------------------------------------- */

const struct option_rule option_count = {
	.name = "count", .letter = 'n', .value = "N", .help = "catch N, then end (0: until Ctrl-C)",
	.wanted = "give the number to catch, 0 for all until Ctrl-C",
	.kind = OPTION_NUMBER, .most = INT64_MAX, INTO(count),
};

const struct option_rule option_time = {
	.name = "time", .letter = 't', .value = "SEC",
	.help = "end after SEC seconds at the latest (0.5 is half a second)",
	.wanted = "give seconds, more than 0, for example -t 2.5",
	.kind = OPTION_SECONDS, .least = 1, .most = UINT64_MAX, INTO(time_ns),
};

const struct option_rule option_pid = {
	.name = "pid", .letter = 'p', .value = "PID", .help = "only this process, all its threads",
	.wanted = "give a process number, as ps shows it",
	.kind = OPTION_NUMBER, .least = 1, .most = INT32_MAX, INTO(request.pid),
};

const struct option_rule option_comm = {
	.name = "comm", .letter = 'c', .value = "NAME", .help = "only threads of this name",
	.wanted = "give the command's name, as ps -o comm shows it",
	.kind = OPTION_CALL, .take = take_comm,
};

const struct option_rule option_cgroup = {
	.name = "cgroup", .value = "PATH",
	.help = "only threads in this cgroup or below it: /system.slice",
	.wanted = "give the path of a cgroup, for example --cgroup /system.slice/ssh.service",
	.kind = OPTION_TEXT, INTO(request.cgroup),
};

const struct option_rule option_with_cgroup = {
	.name = "with-cgroup", .help = "the cgroup of the calling thread, too",
	.kind = OPTION_ON, INTO(request.with_cgroup),
};

const struct option_rule option_with = {
	.name = "with",
	.value = "NAME=EXPR",
	.help = "the value of an expression, too: parent=current->real_parent->comm\n"
		"(again: more of them)",
	.wanted = "give an expression over arguments or the thread, as conditions have it, with or "
		  "without a name for it: --with parent=current->real_parent->comm; at most 16",
	.kind = OPTION_CALL,
	.again = true,
	.take = take_with,
};

const struct option_rule option_event = {
	.name = "event", .letter = 'e', .value = "EVENT",
	.help = "a tracepoint (SYSTEM:NAME, NAME, patterns), ktrace's events\n"
		"(ktrace:NAME), or core: system calls, interrupts, traps, scheduling",
	.wanted = "give an event's name",
	.kind = OPTION_CALL, .again = true, .take = take_event,
};

const struct option_rule option_pair_key = {
	.name = "key",
	.value = "EXPR",
	.help = "of a pair of events A..B: the number by which they belong together;\n"
		"EXPR..EXPR if it is another expression in each",
	.wanted = "give an expression, for example --key rq or --key 'p->pid..next_pid'",
	.kind = OPTION_TEXT,
	INTO(key),
};

const struct option_rule option_pairs = {
	.name = "pairs",
	.value = "N",
	.help = "room for N first events of pairs that wait (default 65536)",
	.wanted = "give a number of events, 1 to 16777216",
	.kind = OPTION_NUMBER,
	.least = 1,
	.most = 1U << 24,
	INTO(pair.room),
};

const struct option_rule option_filter = {
	.name = "filter", .value = "EXPR", .help = "only those for which this condition holds (man kcatch-condition)",
	.wanted = "there is one already; join them with && or ||",
	.kind = OPTION_CALL, .again = true, .take = take_filter,
};

const struct option_rule option_output = {
	.name = "output", .letter = 'o', .value = "PATH", .help = "the directory to create",
	.wanted = "give a name",
	.kind = OPTION_TEXT, INTO(output),
};

const struct option_rule option_entry = {
	.name = "entry", .help = "at the entry only: no return value, no latency",
	.kind = OPTION_ON, INTO(entry),
};

const struct option_rule option_no_args = {
	.name = "no-args", .help = "no arguments", .kind = OPTION_OFF, INTO(request.arguments),
};

const struct option_rule option_deep = {
	.name = "deep", .value = "N",
	.help = "follow N pointers inside structs as well (default: the struct itself)",
	.wanted = "give a number of pointers to follow, 1 to 6",
	.kind = OPTION_NUMBER, .least = 1, .most = 6, INTO(request.deep),
};

const struct option_rule option_string = {
	.name = "string", .value = "N", .help = "at most N bytes of a string, 1 to 1000 (default 128)",
	.wanted = "give a number of bytes, 1 to 1000",
	.kind = OPTION_NUMBER, .least = 1, .most = STRING_MAX, INTO(request.string_size),
};

const struct option_rule option_stack = {
	.name = "stack", .help = "the stack with each event of -e", .kind = OPTION_ON, INTO(stack),
};

/* --user, --user=32K */
static int take_user(const struct option_rule *rule, const char *value, void *target)
{
	uint64_t size = USER_STACK_DEFAULT;

	if (value && (!option_bytes(value, &size) || !size || size > USER_STACK_MAX))
		return option_refuse(rule, value);
	/* The module takes whole words. */
	((struct options *)target)->request.user_stack = (uint32_t)(size + 7) & ~7U;
	return -1;
}

const struct option_rule option_user = {
	.name = "user", .value = "[=SIZE]",
	.help = "the program's stack, of at most SIZE bytes (default 16K)",
	.wanted = "give bytes of the user stack to take with each call, at most 64K, for example "
		  "--user=32K",
	.kind = OPTION_CALL, .take = take_user,
};

const struct option_rule option_depth = {
	.name = "depth", .value = "N", .help = "at most N frames of a stack (default 64, up to 256)",
	.wanted = "give the most frames of a stack, 1 to 256",
	.kind = OPTION_NUMBER, .least = 1, .most = 256, INTO(request.depth),
};

const struct option_rule option_in_flight = {
	.name = "in-flight", .value = "N",
	.help = "most calls under way at once whose return is caught, up to 65536\n"
		"(default 4096, of calls that are counted 1024)",
	.wanted = "give the most calls that are under way at once, 1 to 65536",
	.kind = OPTION_NUMBER, .least = 1, .most = 65536, INTO(request.in_flight),
};

const struct option_rule option_size = {
	.name = "size", .value = "BYTES",
	.help = "ring buffer of each CPU, 8K to 256M (default: automatic)",
	.wanted = "give bytes per CPU, for example --size 256K",
	.kind = OPTION_BYTES, .least = 1, .most = UINT64_MAX, INTO(ring_size),
};

const struct option_rule option_json = {
	.name = "json", .help = "one JSON object a line", .kind = OPTION_ON, INTO(json),
};

const struct option_rule option_verbose = {
	.name = "verbose", .letter = 'v', .help = "whole structs", .kind = OPTION_ON, INTO(verbose),
};

const struct option_rule option_help = {
	.name = "help", .letter = 'h', .help = "this text", .kind = OPTION_CALL,
};

/* ---- what follows from them ---------------------------------------------------------------- */

struct render_options options_view(const struct options *options)
{
	return (struct render_options){
		.count = options->count, .depth = options->request.depth,
		.arguments = options->request.arguments, .deep = options->request.deep != 0,
		.verbose = options->verbose, .wall = options->wall,
	};
}

const char *options_limit_text(const struct options *options, char *text, size_t room)
{
	*text = '\0';
	if (options->time_ns)
		snprintf(text, room, ", for %.10g s", (double)options->time_ns / 1e9);
	else if (!options->count)
		snprintf(text, room, ", until Ctrl-C");
	return text;
}

void options_deinit(struct options *options)
{
	size_t i;

	free(options->events);
	for (i = 0; i < OPTIONS_WITH_MAX; i++)
		free(options->with_names[i]);
	pair_deinit(options);
}
