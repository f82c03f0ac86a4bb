/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list.c - functions that can be caught, and how
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include <kcatch.h>

#include "command.h"
#include "output.h"

struct list {
	bool json;
	uint64_t count;
};

static void show_json(const struct kcatch_function *function)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "function", json_object_new_string(function->name));
	if (function->module)
		json_object_object_add(object, "module", json_object_new_string(function->module));
	json_object_object_add(object, "mechanism",
			       json_object_new_string(kcatch_mechanism_name(function->mechanism)));
	json_object_object_add(object, "instances", json_object_new_int64(function->instances));
	printf("%s\n", json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
						      JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
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
	/* Nobody reads any more: no need to go on. */
	return ferror(stdout) ? -EPIPE : 0;
}

int list_main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	struct list list = { false, 0 };
	int option, ret, status = STATUS_CAUGHT;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		switch (option) {
		case 'j':
			list.json = true;
			break;
		case 'h':
			help_print("list");
			return output_finish(STATUS_CAUGHT);
		default:
			say("unknown option %s; see kcatch help list", quoted(argv[optind - 1]));
			return STATUS_ERROR;
		}
	}
	if (optind == argc) {
		say("list what? For example: kcatch list 'tcp_*'; everything: kcatch list '*'");
		return STATUS_ERROR;
	}
	for (; optind < argc; optind++) {
		if (strchr(argv[optind], '+')) {
			say("%s: list takes functions, not places inside them; kcatch tries an offset when it is asked to catch there",
			    quoted(argv[optind]));
			return output_finish(STATUS_ERROR);
		}
		ret = kcatch_functions_list(argv[optind], show, &list);
		if (ret == -EPIPE || ferror(stdout))
			break;
		if (ret) {
			say("%s", kcatch_error_text());
			if (ret != -ENOENT && ret != -EADDRNOTAVAIL)
				return output_finish(STATUS_ERROR);
			status = STATUS_NOTHING;
		}
	}
	if (!list.json && list.count && output_flush())
		say("%" PRIu64 " function%s can be caught", list.count, list.count == 1 ? "" : "s");
	return output_finish(status);
}
