/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list.c - kcatch list: the functions and events that can be caught, the mechanism of each, and
 * what is known of their arguments
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_json.h>

#include "command.h"
#include "options.h"
#include "stdout.h"

struct list {
	bool json;
	bool verbose;
	bool one;                               /* not a pattern, but a name */
	struct kcatch_signatures *signatures;	/* NULL: the kernel has no types */
	uint64_t functions;
	uint64_t events;
};

/* What is printed for a line of the list: a function, or an event of a system. */
struct line {
	enum kcatch_mechanism mechanism;
	const char *module;	/* or system; NULL: of the kernel itself */
	const char *name;
	unsigned int instances;	/* functions of this name; 0: an event */
};

/* ---- arguments --------------------------------------------------------------------------- */

static int show_argument(const char *name, const char *type, void *arg)
{
	(void)arg;
	printf("    %s%s%s\n", name ? name : "returns", *type ? ": " : "", type);
	return 0;
}

struct arguments_json {
	struct json_writer *json;
	bool ended;	/* the list of arguments; what is returned stands behind it */
};

static void end_arguments(struct arguments_json *arguments)
{
	if (!arguments->ended)
		json_put_end(arguments->json);
	arguments->ended = true;
}

static int add_argument(const char *name, const char *type, void *arg)
{
	struct arguments_json *arguments = arg;

	if (!name) {
		end_arguments(arguments);
		json_add_word(arguments->json, "returns", type);
		return 0;
	}
	json_put_begin(arguments->json, true);
	json_add_word(arguments->json, "name", name);
	json_add_word(arguments->json, "type", type);
	json_put_end(arguments->json);
	return 0;
}

static int read_arguments(const struct list *list, const struct line *line,
			  kcatch_signature_visit *visit, void *arg)
{
	return !list->signatures && line->mechanism != KCATCH_BY_EVENT ?
		       -ENOENT :
		       kcatch_signature_read(list->signatures, line->mechanism, line->module,
					     line->name, visit, arg);
}

static int show_field(const char *name, const char *expression, void *arg)
{
	(void)arg;
	printf("    %s = %s\n", name, expression);
	return 0;
}

static int add_field(const char *name, const char *expression, void *arg)
{
	struct json_writer *json = arg;

	json_put_begin(json, true);
	json_add_word(json, "name", name);
	json_add_word(json, "expression", expression);
	json_put_end(json);
	return 0;
}

/* Of an event, what tracefs calls its fields. */
static void read_fields(const struct list *list, const struct line *line,
			kcatch_signature_visit *visit, void *arg)
{
	if (list->signatures && line->mechanism == KCATCH_BY_TRACEPOINT)
		kcatch_signature_fields(list->signatures, line->module, line->name, visit, arg);
}

static void show_arguments(const struct list *list, const struct line *line)
{
	if (read_arguments(list, line, show_argument, NULL))
		puts(line->mechanism == KCATCH_BY_EVENT ?
			     "    its arguments are what its DO_TRACE says: kcatch_ktrace(9)" :
			     "    no types are known: its arguments are arg0, arg1, ...");
	read_fields(list, line, show_field, NULL);
}

/* ---- inlined copies ---------------------------------------------------------------------- */

#define INLINED_SHOWN 16

struct inlined {
	bool of_kernel;
	unsigned int nr; /* functions with copies */
};

static int show_copies(const char *function, unsigned int copies, void *arg)
{
	struct inlined *inlined = arg;

	if (!function && inlined->of_kernel)
		say("reading the kernel's debug information, which takes about ten seconds");
	if (!function || ++inlined->nr > INLINED_SHOWN)
		return 0;
	printf("%s%s", inlined->nr == 1 ? "    inlined in: " : ", ", function);
	if (copies > 1)
		printf(" (%u copies)", copies);
	return 0;
}

/* @there: whether the function has code of its own */
static void show_inlined(const char *module, const char *name, bool there)
{
	struct inlined inlined = { .of_kernel = !module };
	int ret;

	fflush(stdout);
	ret = kcatch_inlined_list(module, name, show_copies, &inlined);
	if (ret && (there || !module))
		say("%s", kcatch_error_text());
	else if (inlined.nr > INLINED_SHOWN)
		printf(", and %u more\n", inlined.nr - INLINED_SHOWN);
	else if (inlined.nr)
		putchar('\n');
	else if (there)
		puts("    inlined in: no function");
}

/* It has no code of its own: it may be inlined everywhere. */
static void show_absent(const char *pattern)
{
	const char *colon = strchr(pattern, ':');
	char module[64];

	snprintf(module, sizeof(module), "%.*s", colon ? (int)(colon - pattern) : 0, pattern);
	show_inlined(colon ? module : NULL, colon ? colon + 1 : pattern, false);
}

/* ---- lines ------------------------------------------------------------------------------- */

static void show_json(const struct list *list, const struct line *line)
{
	static struct json_writer json;
	struct arguments_json arguments = { .json = &json };

	json_writer_reset(&json);
	json_put_begin(&json, true);
	json_add_word(&json, line->instances ? "function" : "event", line->name);
	if (line->module)
		json_add_word(&json, line->instances ? "module" : "system", line->module);
	json_add_word(&json, "mechanism", kcatch_mechanism_name(line->mechanism));
	if (line->instances)
		json_add_number(&json, "instances", line->instances);
	if (list->verbose) {
		json_add_begin(&json, "args", false);
		read_arguments(list, line, add_argument, &arguments);
		end_arguments(&arguments);
		if (line->mechanism == KCATCH_BY_TRACEPOINT) {
			json_add_begin(&json, "fields", false);
			read_fields(list, line, add_field, &json);
			json_put_end(&json);
		}
	}
	json_put_end(&json);
	json_print(&json, stdout, "\n");
}

static int show(const struct list *list, const struct line *line)
{
	if (list->json) {
		show_json(list, line);
	} else if (!line->instances) {
		printf("%s  %s:%s\n", kcatch_mechanism_name(line->mechanism), line->module,
		       line->name);
	} else {
		printf("%s  %s", kcatch_mechanism_name(line->mechanism), line->name);
		if (line->module)
			printf(" [%s]", line->module);
		if (line->instances > 1)
			printf("  (%u of this name)", line->instances);
		putchar('\n');
	}
	if (list->verbose && !list->json) {
		show_arguments(list, line);
		if (list->one && line->instances)
			show_inlined(line->module, line->name, true);
	}
	/* The reader of the output has gone: stop. */
	return ferror(stdout) ? -EPIPE : 0;
}

static int show_function(const struct kcatch_function *function, void *arg)
{
	struct list *list = arg;
	const struct line line = { function->mechanism, function->module, function->name,
				   function->instances };

	list->functions++;
	return show(list, &line);
}

static int show_event(const char *system, const char *name, void *arg)
{
	struct list *list = arg;
	const struct line line = { strcmp(system, "ktrace") ? KCATCH_BY_TRACEPOINT :
							      KCATCH_BY_EVENT,
				   system, name, 0 };

	list->events++;
	return show(list, &line);
}

/* Return: none of the patterns has an offset. */
static bool are_functions(char **patterns, int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		if (!strchr(patterns[i], '+'))
			continue;
		say("%s: list takes functions, not offsets; kcatch checks an offset when it "
		    "catches there", quoted(patterns[i]));
		return false;
	}
	return true;
}

/* Is a pattern that of events alone? No module's name is a pattern, and there is none ktrace. */
static bool is_of_events(const char *pattern)
{
	const char *colon = strchr(pattern, ':');

	return colon && (!strncmp(pattern, "ktrace:", colon + 1 - pattern) ||
			 pattern + strcspn(pattern, "*?[") < colon);
}

/* Does it end the lists? */
static bool is_end(int ret)
{
	return ret && ret != -ENOENT && ret != -EADDRNOTAVAIL;
}

/*
 * SYSTEM:NAME may be functions of a module, and events. A name alone is that of an event if no
 * function has it. Return: 0, or what ended the lists.
 */
static int show_pattern(const struct kcatch_functions *functions, unsigned int index,
			const char *pattern, struct list *list)
{
	int ret = kcatch_functions_list(functions, index, show_function, list);
	bool has_system = strchr(pattern, ':');
	char *why;

	if (ret == -EPIPE || (!ret && !has_system))
		return ret;
	if (is_end(ret)) {
		say("%s", kcatch_error_text());
		return ret;
	}
	why = ret ? strdup(kcatch_error_text()) : NULL;
	ret = kcatch_events_list(pattern, show_event, list);
	if (ret && ret != -EPIPE && why) {
		say("%s", why);
		if (has_system)
			say("%s", kcatch_error_text());
		if (list->one && list->verbose && !list->json)
			show_absent(pattern);
	}
	free(why);
	return ret == -EPIPE ? ret : 0;
}

/* Find the functions of all patterns that may have some. Return: 0 or -errno, which was said. */
static int find_functions(char **patterns, size_t nr, struct kcatch_functions **functions)
{
	const char **names = calloc(nr, sizeof(*names));
	unsigned int nr_names = 0;
	size_t i;
	int ret;

	for (i = 0; names && i < nr; i++)
		if (!is_of_events(patterns[i]))
			names[nr_names++] = patterns[i];
	ret = names ? kcatch_functions_create(names, nr_names, functions) : -ENOMEM;
	if (ret)
		say("%s", names ? kcatch_error_text() : "no memory");
	free(names);
	return ret;
}

static int show_events(const char *pattern, struct list *list)
{
	int ret = kcatch_events_list(pattern, show_event, list);

	if (ret && ret != -EPIPE)
		say("%s", kcatch_error_text());
	return ret == -EPIPE ? ret : 0;
}

/* Return: 0, or what ended the lists. */
static int show_all(const struct kcatch_functions *functions, char **patterns, int nr,
		    struct list *list)
{
	unsigned int index = 0;
	int ret, i;

	for (i = 0; i < nr; i++) {
		list->one = !strpbrk(patterns[i], "*?[");
		ret = is_of_events(patterns[i]) ?
			      show_events(patterns[i], list) :
			      show_pattern(functions, index++, patterns[i], list);
		if (ret == -EPIPE || ferror(stdout))
			return 0;
		if (ret)
			return ret;
	}
	return 0;
}

/* "3 functions can be caught", "5 events can be caught" */
static void say_numbers(const struct list *list)
{
	char functions[48] = "", events[48] = "";

	if (list->functions)
		snprintf(functions, sizeof(functions), "%" PRIu64 " function%s", list->functions,
			 list->functions == 1 ? "" : "s");
	if (list->events)
		snprintf(events, sizeof(events), "%" PRIu64 " event%s", list->events,
			 list->events == 1 ? "" : "s");
	say("%s%s%s can be caught%s", functions, *functions && *events ? " and " : "", events,
	    *events ? "; events with -e" : "");
}

static int list_main(int argc, char **argv)
{
	struct options options = { .json = false };
	struct list list = { .json = false };
	struct kcatch_functions *functions;
	int nr, ret, status = options_parse(&command_list, argc, argv, &options);

	if (status >= 0)
		return command_end(status);
	list.json = options.json;
	list.verbose = options.verbose;
	nr = argc - optind;
	if (!nr) {
		say("list what? For example: kcatch list 'tcp_*'; everything: kcatch list '*'");
		return STATUS_ERROR;
	}
	if (!are_functions(argv + optind, nr))
		return command_end(STATUS_ERROR);
	if (find_functions(argv + optind, (size_t)nr, &functions))
		return command_end(STATUS_ERROR);
	if (list.verbose && kcatch_signatures_create(&list.signatures))
		say("%s", kcatch_error_text());
	ret = show_all(functions, argv + optind, nr, &list);
	kcatch_signatures_destroy(list.signatures);
	kcatch_functions_destroy(functions);
	if (ret)
		return command_end(STATUS_ERROR);
	if (!list.json && list.functions + list.events && stdout_flush())
		say_numbers(&list);
	return command_end(list.functions + list.events ? STATUS_CAUGHT : STATUS_NOTHING);
}

static const struct option_use uses[] = {
	{ &option_verbose,
	  "the arguments of each, with their types; of one function also where it is inlined" },
	{ &option_json, NULL },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static const char help[] =
	"kcatch list - functions and events that can be caught, and how\n"
	"\n"
	"  kcatch list 'tcp_send*'         all that match\n"
	"  kcatch list 'ext4:*'            all of module ext4\n"
	"  kcatch list '*page_fault*'      search by a part of the name\n"
	"  kcatch list 'sched:*'           all events of system sched; 'irq*:*': of several\n"
	"  kcatch list 'ktrace:*'          the events of ktrace\n"
	"  kcatch list -v vfs_read         its arguments and what it returns\n"
	"\n"
	"usage: kcatch list PATTERN... [options]\n"
	"  Each line: mechanism, name, [module]. ftrace: an entry hook, the cheapest; kprobe:\n"
	"  a breakpoint or jump, for what ftrace does not reach; tracepoint: an event, for -e.\n"
	"  A pattern given to kcatch itself arms what ftrace reaches; name the others one by one.\n"
	"\n";

const struct command command_list = {
	.name = "list",
	.run = list_main,
	.description = "functions and events that can be caught, and how",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"Exit status: 0, 1 for an error, 2 when nothing matches (with suggestions).\n",
};
