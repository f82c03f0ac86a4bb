/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record_options.c - parse the command line of kcatch record */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "control.h"
#include "record_options.h"
#include "words.h"

#define ROTATE_LEAST_BYTES (256ULL << 10) /* some packets */
#define ROTATE_MOST_BYTES (1ULL << 40)
#define ROTATE_LEAST_NS    1000000000ULL
#define ROTATE_MOST_NS     (366 * 86400 * 1000000000ULL)

static struct record_trigger *add_trigger(struct record_options *options, const char *name,
					  size_t length)
{
	struct record_trigger *more =
		realloc(options->triggers, (options->nr_triggers + 1) * sizeof(*more));
	struct record_trigger *trigger;

	if (!more)
		return NULL;
	options->triggers = more;
	trigger = &more[options->nr_triggers];
	*trigger = (struct record_trigger){ .name = strndup(name, length) };
	options->nr_triggers += trigger->name != NULL;
	return trigger->name ? trigger : NULL;
}

/* --freeze-on: oops, warn, lockup, hung, panic; or EVENT|FUNCTION [CONDITION] */
static int take_trigger(const struct option_rule *rule, const char *text, void *target)
{
	static const struct { const char *word; unsigned int flag; } words[] = {
		{ "oops", KCATCH_FREEZE_OOPS }, { "warn", KCATCH_FREEZE_WARN },
		{ "warning", KCATCH_FREEZE_WARN }, { "panic", KCATCH_FREEZE_PANIC },
		{ "lockup", KCATCH_FREEZE_LOCKUP }, { "hung", KCATCH_FREEZE_HUNG } };
	struct record_options *options = target;
	size_t length = strcspn(text, " \t"), i;
	struct record_trigger *trigger;

	options->flight = true;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(text, words[i].word)) {
			options->shared.request.freeze_on |= words[i].flag;
			return -1;
		}
	}
	if (!length)
		return option_refuse(rule, text);
	trigger = add_trigger(options, text, length);
	if (!trigger) {
		say("out of memory");
		return STATUS_ERROR;
	}
	kcatch_request_init(&trigger->request);
	trigger->request.freeze = true;
	/* The recorder makes directories and looks at the modules: that is no trigger. */
	trigger->request.others_only = true;
	trigger->request.arguments = true;
	trigger->request.no_stack = true;
	text += length + strspn(text + length, " \t");
	if (*text)
		trigger->request.condition = text;
	/* A colon makes it an event, "system:event": functions are named without a module. */
	if (strchr(trigger->name, ':')) {
		trigger->request.nr_events = 1;
	} else {
		trigger->request.nr_functions = 1;
		trigger->request.returns = true;
	}
	return -1;
}

#define INTO(member) OPTION_INTO(struct record_options, member)

static int take_function(const struct option_rule *rule, const char *value, void *target)
{
	struct record_options *options = target;

	(void)rule;
	return options_add_name(&options->functions, &options->shared.request.nr_functions, value);
}

int record_take_word(const char *word, void *target)
{
	struct record_options *options = target;

	if (word_is_condition(word))
		return option_filter.take(&option_filter, word, target);
	if (!options->word)
		options->word = word;
	return take_function(NULL, word, target);
}

static int take_name(const struct option_rule *rule, const char *value, void *target)
{
	if (!control_name_is_good(value))
		return option_refuse(rule, value);
	((struct record_options *)target)->name = value;
	return -1;
}

static int take_freeze_log(const struct option_rule *rule, const char *value, void *target)
{
	(void)rule;
	(void)value;
	((struct record_options *)target)->shared.request.freeze_on |= KCATCH_FREEZE_LOG;
	return -1;
}

static const struct option_rule option_function = {
	.name = "function", .letter = 'f', .value = "FUNCTION",
	.help = "a function or pattern, as a word alone is (again: more of them)",
	.kind = OPTION_CALL, .again = true, .take = take_function,
};

/* --children, --no-children: one of them. */
static int take_children(const struct option_rule *rule, const char *value, void *target)
{
	struct record_options *options = target;

	(void)value;
	if (options->children || options->no_children) {
		if (options->children != !strcmp(rule->name, "children")) {
			say("--children and --no-children: choose one");
			return STATUS_ERROR;
		}
	}
	options->children = !strcmp(rule->name, "children");
	options->no_children = !options->children;
	return -1;
}

static const struct option_rule option_children = {
	.name = "children", .help = "and all processes it has started or starts",
	.kind = OPTION_CALL, .take = take_children,
};

static const struct option_rule option_no_children = {
	.name = "no-children", .help = "COMMAND alone, without its children",
	.kind = OPTION_CALL, .take = take_children,
};

static const struct option_rule option_flight = {
	.name = "flight",
	.help = "flight recorder: keep the last --size bytes a CPU in memory, write\n"
		"nothing; kcatch snapshot takes copies (and -o DIR one at the end)",
	.kind = OPTION_ON, INTO(flight),
};

static const struct option_rule option_freeze_on = {
	.name = "freeze-on", .value = "WHAT",
	.help = "flight recorder that freezes and writes its records on this trigger:\n"
		"oops, warn, lockup, hung, panic, or a function or event with an optional\n"
		"condition: 'vfs_open ret < 0'",
	.wanted = "give oops, warn, lockup, hung, panic, or an event or function and "
		  "a condition: 'sched:sched_process_exit code != 0'",
	.kind = OPTION_CALL, .again = true, .take = take_trigger,
};

static const struct option_rule option_again = {
	.name = "again",
	.help = "and goes on when that is written: of each freeze a directory of its\n"
		"own: DIR, DIR.1, DIR.2",
	.kind = OPTION_ON, INTO(again),
};

static const struct option_rule option_freeze_log = {
	.name = "freeze-log", .help = "when frozen, print the last records to the kernel log",
	.kind = OPTION_CALL, .take = take_freeze_log,
};

static const struct option_rule option_standby = {
	.name = "standby", .value = "DIR",
	.help = "flight recorder: write here what kcatch report --vmcore needs",
	.wanted = "give a directory to create",
	.kind = OPTION_TEXT, INTO(standby),
};

static const struct option_rule option_detach = {
	.name = "detach", .help = "record in the background: see kcatch sessions",
	.kind = OPTION_ON, INTO(detach),
};

static const struct option_rule option_name = {
	.name = "name", .value = "NAME", .help = "the recorder's name in kcatch sessions",
	.wanted = "letters, digits, dots, - and _, at most 60",
	.kind = OPTION_CALL, .take = take_name,
};

/* --at 12:00:00, 12:00, 12:00:00Z, /10s */
static int take_at(const struct option_rule *rule, const char *value, void *target)
{
	struct record_options *options = target;
	const char *text = value;
	unsigned int hour, minute, second = 0;
	int length = 0;
	uint64_t every;
	char digits[16];

	options->at = -1;
	options->at_every = 0;
	if (*value == '/') {
		snprintf(digits, sizeof(digits), "%.*s", (int)strcspn(value + 1, "s"), value + 1);
		if (strlen(value) != strlen(digits) + 2 || !option_number(digits, 86400, &every) ||
		    !every)
			return option_refuse(rule, value);
		options->at_every = every;
		return -1;
	}
	if (sscanf(value, "%2u:%2u%n", &hour, &minute, &length) != 2)
		return option_refuse(rule, value);
	value += length;
	if (*value == ':' && sscanf(value, ":%2u%n", &second, &length) == 1)
		value += length;
	options->at_utc = *value == 'Z';
	if (value[options->at_utc] || hour > 23 || minute > 59 || second > 59)
		return option_refuse(rule, text);
	options->at = (int)(hour * 3600 + minute * 60 + second);
	return -1;
}

static const struct option_rule option_at = {
	.name = "at", .value = "TIME",
	.help = "arm now and start at 12:00:00 (12:00:00Z: of UTC), or at the next full\n"
		"ten seconds (/10s), so that many machines start together",
	.wanted = "give a time of the day, 12:00:00 or 12:00:00Z, or /10s: the next full ten "
		  "seconds, at most /86400s",
	.kind = OPTION_CALL, .take = take_at,
};

static int refuse_second(const char *what)
{
	say("--rotate: %s is given twice; see kcatch help record", what);
	return STATUS_ERROR;
}

/* --rotate 100M, --rotate 1h, or both, one after the other. */
static int take_rotate(const struct option_rule *rule, const char *value, void *target)
{
	struct record_options *options = target;
	bool size_given = options->piece_bytes, time_given = options->piece_ns;
	size_t length = strlen(value);
	char unit = length ? value[length - 1] : '\0';
	uint64_t number;

	if (unit >= '0' && unit <= '9') {
		say("--rotate %s: a size or a time? Write %sM or %ss", quoted(value), value, value);
		return STATUS_ERROR;
	}
	if (unit == 'K' || unit == 'M' || unit == 'G') {
		if (!option_bytes(value, &number) || number < ROTATE_LEAST_BYTES ||
		    number > ROTATE_MOST_BYTES)
			return option_refuse(rule, value);
		options->piece_bytes = number;
		return size_given ? refuse_second("a size") : -1;
	}
	if (!option_duration(value, &number) || number < ROTATE_LEAST_NS || number > ROTATE_MOST_NS)
		return option_refuse(rule, value);
	options->piece_ns = number;
	return time_given ? refuse_second("a time") : -1;
}

static const struct option_rule option_rotate = {
	.name = "rotate", .value = "SIZE|TIME",
	.help = "write the recording in pieces, each a recording of its own: a new one\n"
		"after 100M (K M G), or after 1h (s m h d); both: whichever comes first",
	.wanted = "give the size of a piece, 256K to 1024G (K, M, G), or its time, 1s to 366d (s, m, "
		  "h, d)",
	.kind = OPTION_CALL, .again = true, .take = take_rotate,
};

static const struct option_rule option_keep = {
	.name = "keep", .value = "N",
	.help = "with --rotate: keep the last N pieces, with the one that is written",
	.wanted = "give a number of pieces, 2 to 1000000: the one that is being written is one of them",
	.kind = OPTION_NUMBER, .least = 2, .most = 1000000, INTO(keep),
};

static const struct option_rule option_in_call = {
	.name = "in-call",
	.help = "of events sched:* only those about a thread inside a call of the\n"
		"functions, and who has the CPUs while such a thread waits for one",
	.kind = OPTION_ON, INTO(shared.request.in_call),
};

const struct option_use record_option_uses[] = {
	{ &option_function, NULL },
	{ &option_event, "a tracepoint (sched:sched_switch), a ktrace event (ktrace:NAME), a\n"
			 "pattern of them, or core, the built-in set" },
	{ &option_filter, "only calls for which this condition holds, as CONDITION" },
	{ &option_output, "the directory to create (default: kcatch-DATE-TIME)" },
	{ &option_stack, "the stack of each call" },
	{ &option_depth, "the stack of each call, at most N frames (default 64, up to 256)" },
	{ &option_user, NULL },
	{ &option_entry, "entries only: no return value, no latency: cheaper" },
	{ &option_no_args, NULL },
	{ &option_deep, NULL },
	{ &option_string, NULL },
	{ &option_pid, "only this process, all its threads; it ends when the process does" },
	{ &option_children, NULL },
	{ &option_no_children, NULL },
	{ &option_comm, NULL },
	{ &option_cgroup, NULL },
	{ &option_with_cgroup, NULL },
	{ &option_with, NULL },
	{ &option_in_flight, NULL },
	{ &option_in_call, NULL },
	{ &option_size, "ring buffer of each CPU, 8K to 256M (default 4M)" },
	{ &option_time, NULL },
	{ &option_at, NULL },
	{ &option_rotate, NULL },
	{ &option_keep, NULL },
	{ &option_flight, NULL },
	{ &option_freeze_on, NULL },
	{ &option_again, NULL },
	{ &option_freeze_log, NULL },
	{ &option_standby, NULL },
	{ &option_detach, NULL },
	{ &option_name, NULL },
	{ &option_help, NULL },
	{ NULL, NULL }
};

/* Point each request at its own name: after parsing, the array no longer moves. */
static void settle_triggers(struct record_options *options)
{
	size_t i;

	for (i = 0; i < options->nr_triggers; i++) {
		struct record_trigger *trigger = &options->triggers[i];

		trigger->names[0] = trigger->name;
		/* Whose event it was has a name then; it may be gone when that is looked up. */
		trigger->request.event_stacks = true;
		if (trigger->request.nr_events)
			trigger->request.events = trigger->names;
		else
			trigger->request.functions = trigger->names;
	}
}

/* Refuse what contradicts --rotate and --keep. Return: -1, or the exit status. */
static int settle_pieces(const struct record_options *options)
{
	const uint64_t time_ns = options->shared.time_ns;

	if (!options->piece_bytes && !options->piece_ns) {
		if (!options->keep)
			return -1;
		say("--keep is for pieces: say with --rotate SIZE or --rotate TIME when one ends");
	} else if (options->flight) {
		say("--rotate is not for a flight recorder, which writes nothing while it waits and "
		    "forgets the oldest records by itself");
	} else if (!options->piece_bytes && time_ns && options->piece_ns >= time_ns) {
		say("--rotate and -t: the recording ends before its first piece does");
	} else {
		return -1;
	}
	return STATUS_ERROR;
}

/* Are there calls that threads can be inside of, of functions or of what freezes, and events? */
static bool catches_returns(const struct record_options *options)
{
	const struct kcatch_request *request = &options->shared.request;
	bool any = request->nr_functions && !options->shared.entry;
	size_t i;

	for (i = 0; i < options->nr_triggers; i++)
		any |= options->triggers[i].request.nr_functions &&
		       options->triggers[i].request.returns;
	return any && request->nr_events;
}

/* Refuse contradicting options, then complete the request. Return: -1, or the exit status. */
static int settle(struct record_options *options, int argc, char **argv)
{
	struct kcatch_request *request = &options->shared.request;

	request->functions = options->functions;
	request->overwrite = options->flight;
	request->children = options->children;
	request->returns = !options->shared.entry;
	request->no_stack = !options->shared.stack && !request->depth;
	request->event_stacks = !request->no_stack;
	settle_triggers(options);
	if (argc)
		options->argv = argv;
	if (argc && request->pid) {
		say("-p and a command to run: give one of the two");
		return STATUS_ERROR;
	}
	if (request->children && !argc && !request->pid) {
		say("--children of which process? Give -p PID or a command to run");
		return STATUS_ERROR;
	}
	if (options->no_children && !argc) {
		say("--no-children is for a command to run");
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
	if (options->again && !request->freeze_on && !options->nr_triggers) {
		say("--again is for --freeze-on: what is it to write again and again?");
		return STATUS_ERROR;
	}
	if (request->freeze_on == KCATCH_FREEZE_LOG) {
		say("--freeze-log is for --freeze-on oops, warn, lockup, hung or panic");
		return STATUS_ERROR;
	}
	if (!request->nr_functions && !request->nr_events) {
		say("what is to be recorded? For example: kcatch record vfs_read -t 10 "
		    "(more: kcatch record --help)");
		return STATUS_ERROR;
	}
	if (request->in_call && !catches_returns(options)) {
		say("--in-call: inside which calls? Give a function whose return is caught, and "
		    "events: -f vfs_fsync -e sched:sched_switch");
		return STATUS_ERROR;
	}
	if (!request->nr_functions && !request->arguments) {
		say("--no-args is for functions: of an event all is recorded");
		return STATUS_ERROR;
	}
	if (!request->nr_functions && request->user_stack) {
		say("--user is for functions: events have no user stack");
		return STATUS_ERROR;
	}
	if (!request->nr_functions && options->shared.entry) {
		say("--entry is for functions: an event has no return");
		return STATUS_ERROR;
	}
	if (!request->nr_functions && request->deep) {
		say("--deep is for functions: of an event's structs only names are recorded");
		return STATUS_ERROR;
	}
	if (request->nr_with && !request->arguments) {
		say("--with is beside the arguments: it does not go with --no-args");
		return STATUS_ERROR;
	}
	if ((request->deep || request->string_size) && !request->arguments) {
		say("--deep and --string are about arguments: they do not go with --no-args");
		return STATUS_ERROR;
	}
	if (!request->nr_functions)
		request->returns = false;
	return settle_pieces(options);
}

int record_options_parse(int argc, char **argv, struct record_options *options)
{
	int status;

	memset(options, 0, sizeof(*options));
	options->words = argv;
	options->at = -1;
	options->nr_words = (size_t)argc;
	kcatch_request_init(&options->shared.request);
	options->shared.request.others_only = true;
	options->shared.request.arguments = true;
	options->shared.request.pending = true;
	status = options_parse(&command_record, argc, argv, options);
	return status < 0 ? settle(options, argc - optind, argv + optind) : status;
}

time_t record_start_time(const struct record_options *options, time_t now)
{
	time_t start = now, day;
	struct tm tm;
	int days;

	if (options->at_every) {
		start = now - now % (time_t)options->at_every;
		return start + (time_t)options->at_every;
	}
	for (days = 0; days < 3 && start <= now; days++) {
		day = now + days * 86400;
		if (options->at_utc)
			gmtime_r(&day, &tm);
		else
			localtime_r(&day, &tm);
		tm.tm_hour = options->at / 3600;
		tm.tm_min = options->at / 60 % 60;
		tm.tm_sec = options->at % 60;
		tm.tm_isdst = -1;
		start = options->at_utc ? timegm(&tm) : mktime(&tm);
	}
	return start > now ? start : now;
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
	options_deinit(&options->shared);
}
