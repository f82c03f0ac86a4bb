/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * ftrace_list.c - reads the functions that ftrace can hook from tracefs
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/machine.h"
#include "target/ftrace_list.h"

int kcatch_ftrace_list_read(int (*visit)(const char *name, const char *module, void *arg),
			    void *arg)
{
	char *line = NULL;
	size_t size = 0;
	int ret = 0;
	FILE *file;

	ret = kcatch_machine_open_tracefs("available_filter_functions", "what can be traced",
					  &file);
	if (ret)
		return ret;
	/* "name" or "name [module]" */
	while (!ret && getline(&line, &size, file) > 0) {
		char *space, *module = NULL;

		line[strcspn(line, "\n")] = '\0';
		space = strchr(line, ' ');
		if (space) {
			*space = '\0';
			module = strchr(space + 1, '[');
		}
		if (module)
			module[strcspn(module, "]")] = '\0';
		/* Weak functions that were replaced leave such names behind. */
		if (strncmp(line, "__ftrace_invalid_address__", 26))
			ret = visit(line, module ? module + 1 : "", arg);
	}
	free(line);
	fclose(file);
	return ret;
}
