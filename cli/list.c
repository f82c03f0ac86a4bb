/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list.c - kcatch list: the functions that can be caught, and the mechanism of each
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_json.h>

#include "command.h"
#include "options.h"
#include "stdout.h"

struct list {
	bool json;
	uint64_t count;
};

static void show_json(const struct kcatch_function *function)
{
	static struct json_writer json;

	json_writer_reset(&json);
	json_put_begin(&json, true);
	json_add_word(&json, "function", function->name);
	if (function->module)
		json_add_word(&json, "module", function->module);
	json_add_word(&json, "mechanism", kcatch_mechanism_name(function->mechanism));
	json_add_number(&json, "instances", function->instances);
	json_put_end(&json);
	json_print(&json, stdout, "\n");
}

static int show(const struct kcatch_function *function, void *arg)
{
	struct list *list = arg;

	list->count++;
	if (list->json) {
		show_json(function);
	} else {
		printf("%s  %s", kcatch_mechanism_name(function->mechanism), function->name);
		if (function->module)
			printf(" [%s]", function->module);
		if (function->instances > 1)
			printf("  (%u of this name)", function->instances);
		putchar('\n');
	}
	/* The reader of the output has gone: stop. */
	return ferror(stdout) ? -EPIPE : 0;
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

/* Return: 0, or what ended the lists. */
static int show_all(const struct kcatch_functions *functions, int nr, struct list *list)
{
	int ret, i;

	for (i = 0; i < nr; i++) {
		ret = kcatch_functions_list(functions, i, show, list);
		if (ret == -EPIPE || ferror(stdout))
			return 0;
		if (ret)
			say("%s", kcatch_error_text());
		if (ret && ret != -ENOENT && ret != -EADDRNOTAVAIL)
			return ret;
	}
	return 0;
}

static int list_main(int argc, char **argv)
{
	struct options options = { .json = false };
	struct list list = { false, 0 };
	struct kcatch_functions *functions;
	int nr, ret, status = options_parse(&command_list, argc, argv, &options);

	if (status >= 0)
		return command_end(status);
	list.json = options.json;
	nr = argc - optind;
	if (!nr) {
		say("list what? For example: kcatch list 'tcp_*'; everything: kcatch list '*'");
		return STATUS_ERROR;
	}
	if (!are_functions(argv + optind, nr))
		return command_end(STATUS_ERROR);
	if (kcatch_functions_create((const char *const *)argv + optind, nr, &functions)) {
		say("%s", kcatch_error_text());
		return command_end(STATUS_ERROR);
	}
	ret = show_all(functions, nr, &list);
	kcatch_functions_destroy(functions);
	if (ret)
		return command_end(STATUS_ERROR);
	if (!list.json && list.count && stdout_flush())
		say("%" PRIu64 " function%s can be caught", list.count, list.count == 1 ? "" : "s");
	return command_end(list.count ? STATUS_CAUGHT : STATUS_NOTHING);
}

static const struct option_use uses[] = {
	{ &option_json, NULL },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static const char help[] =
"kcatch list - functions that can be caught, and how\n"
"\n"
"  kcatch list 'tcp_send*'         all that match\n"
"  kcatch list 'ext4:*'            all of module ext4\n"
"  kcatch list '*page_fault*'      search by a part of the name\n"
"\n"
"usage: kcatch list PATTERN... [options]\n"
"  Each line: mechanism, name, [module]. ftrace: an entry hook, the cheapest; kprobe:\n"
"  a breakpoint or jump, for what ftrace does not reach. A pattern given to kcatch\n"
"  itself arms what ftrace reaches; name the others one by one.\n"
"\n";

const struct command command_list = {
	.name = "list",
	.run = list_main,
	.description = "functions that can be caught, and how",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"Exit status: 0, 1 for an error, 2 when nothing matches (with suggestions).\n",
};
