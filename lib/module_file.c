// SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1
#include "module_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file NAME.ko of "kernel/fs/NAME.ko.xz: ...", with - where the name has _. */
static bool is_file_of(const char *path, size_t length, const char *name)
{
	const char *file = memrchr(path, '/', length);
	size_t i;

	file = file ? file + 1 : path;
	length -= (size_t)(file - path);
	for (i = 0; name[i]; i++) {
		if (i >= length || name[i] != (file[i] == '-' ? '_' : file[i]))
			return false;
	}
	return length - i >= 3 && !memcmp(file + i, ".ko", 3) && (length - i == 3 || file[i + 3] == '.');
}

bool kcatch_module_file(const char *release, const char *name, char *path, size_t room)
{
	char list[PATH_MAX];
	char *line = NULL;
	bool found = false;
	size_t size = 0;
	FILE *file;

	snprintf(list, sizeof(list), "/lib/modules/%s/modules.dep", release);
	file = fopen(list, "re");
	if (!file)
		return false;
	while (!found && getline(&line, &size, file) > 0) {
		size_t length = strcspn(line, ":");

		if (!line[length] || !is_file_of(line, length, name))
			continue;
		line[length] = '\0';
		found = (size_t)snprintf(path, room, "%s", line) < room;
	}
	free(line);
	fclose(file);
	return found;
}
