/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * ftrace_list.c - the functions that ftrace reaches, as tracefs lists them
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "ftrace_list.h"
#include "machine.h"

int kcatch_ftrace_list_read(int (*visit)(const char *name, const char *module, void *arg),
			    void *arg)
{
	const char *tracefs = kcatch_machine_tracefs();
	char path[96], *line = NULL;
	size_t size = 0;
	int ret = 0;
	FILE *file;

	if (!tracefs)
		return kcatch_error_set(ENODEV, "tracefs is not mounted, it knows what can be traced; mount it: "
					"mount -t tracefs nodev /sys/kernel/tracing");
	snprintf(path, sizeof(path), "%s/available_filter_functions", tracefs);
	file = fopen(path, "re");
	if (!file)
		return errno == EACCES || errno == EPERM ?
		       kcatch_error_set(EACCES, "%s: only root may read what can be traced: try sudo", path) :
		       kcatch_error_system(errno, path);
	setvbuf(file, NULL, _IOFBF, 65536);
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
