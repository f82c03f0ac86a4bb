// SPDX-License-Identifier: GPL-2.0-or-later
/* program_fixture.c - compiles a small program, for tests that read one */
#include "program_fixture.h"

#include <stdio.h>
#include <stdlib.h>

int program_fixture_init(char *directory, const char *program)
{
	char path[256];
	FILE *file;

	if (!mkdtemp(directory))
		return -1;
	snprintf(path, sizeof(path), "%s/p.c", directory);
	file = fopen(path, "w");
	if (!file)
		return -1;
	fputs(program, file);
	return fclose(file);
}

int program_fixture_build(const char *directory, const char *flags, const char *out)
{
	char command[512];

	snprintf(command, sizeof(command), "cd %s && cc -O2 %s -o %s p.c", directory, flags, out);
	return system(command);
}

int program_fixture_deinit(const char *directory)
{
	char command[512];

	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command);
}
