/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * freed_init.c - is a symbol a function of a module's init part, whose memory is freed?
 *
 * sysfs has the start of each section of a module, also of those that are freed. Sections do
 * not overlap: what lies between .init.text and the next section is of .init.text.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "symbols/freed_init.h"

#define SYSFS_PATH_MAX 512	/* bytes; longer than any path of these */

/* Return: its start; 0: it has no such section, or the start is hidden. */
static uint64_t section_start(const char *module, const char *section)
{
	char path[SYSFS_PATH_MAX], text[32];

	snprintf(path, sizeof(path), "/sys/module/%s/sections/%s", module, section);
	if (kcatch_text_read_file(path, text, sizeof(text)) <= 0)
		return 0;
	return strtoull(text, NULL, 16);
}

/* While the init function runs, its part is there. */
static bool is_live(const char *module)
{
	char path[SYSFS_PATH_MAX], state[16];

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", module);
	return kcatch_text_read_file(path, state, sizeof(state)) > 0 && !strcmp(state, "live");
}

static void find_begin(struct kcatch_freed_init *freed)
{
	uint64_t start = 0;

	if (!strchr(freed->module, '/') && is_live(freed->module))
		start = section_start(freed->module, ".init.text");
	freed->from = start ? start : UINT64_MAX;
	freed->until = 0;
}

static void find_end(struct kcatch_freed_init *freed)
{
	char path[SYSFS_PATH_MAX];
	struct dirent *entry;
	DIR *sections;

	freed->until = freed->from;
	snprintf(path, sizeof(path), "/sys/module/%s/sections", freed->module);
	sections = opendir(path);
	if (!sections)
		return;
	freed->until = UINT64_MAX;
	while ((entry = readdir(sections))) {
		uint64_t start = section_start(freed->module, entry->d_name);

		if (start > freed->from && start < freed->until)
			freed->until = start;
	}
	closedir(sections);
}

bool kcatch_freed_init_has(struct kcatch_freed_init *freed, const char *module, uint64_t address)
{
	if (strcmp(freed->module, module) != 0) {
		snprintf(freed->module, sizeof(freed->module), "%s", module);
		find_begin(freed);
	}
	if (address < freed->from)
		return false;
	/* There are many sections, and mostly nobody has to know. */
	if (!freed->until)
		find_end(freed);
	return address < freed->until;
}
