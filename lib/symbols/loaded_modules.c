/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * loaded_modules.c - find the module and section that an address belongs to
 *
 * /proc/modules has the start of a module's code and the total size of the module. Since
 * Linux 6.4 a module lies in several places, so such ranges can overlap; an address belongs to
 * the module with the highest start at or below it. Init code lies elsewhere and is freed
 * once the module has started, but sysfs still has its address. So init code is considered
 * only if no module contains the address.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/printable.h"
#include "symbols/loaded_modules.h"

#define INIT_MAX (16U << 20)	/* bytes: no module has more init code */

static bool is_init(const char *section)
{
	return !strncmp(section, ".init", 5);
}

static int add_section(struct kcatch_loaded_module *module, const char *name)
{
	struct kcatch_module_section *more, *section;
	char path[512], text[32];

	snprintf(path, sizeof(path), "/sys/module/%s/sections/%s", module->name, name);
	if (kcatch_text_read_file(path, text, sizeof(text)) <= 0)
		return 0;
	more = kcatch_array_grow(module->sections, module->nr_sections, sizeof(*more));
	if (!more)
		return -ENOMEM;
	module->sections = more;
	section = &more[module->nr_sections];
	section->address = strtoull(text, NULL, 16);
	if (section->address && (size_t)snprintf(section->name, sizeof(section->name), "%s", name) <
				sizeof(section->name))
		module->nr_sections++;
	return 0;
}

static void read_sections(struct kcatch_loaded_module *module)
{
	char path[128];
	struct dirent *entry;
	DIR *directory;
	int ret = 0;

	snprintf(path, sizeof(path), "/sys/module/%s/sections", module->name);
	if (module->has_sections)
		return;
	module->has_sections = true;
	directory = opendir(path);
	if (!directory)
		return;
	while (!ret && (entry = readdir(directory))) {
		if (entry->d_name[0] == '.' && strstr(entry->d_name, "text"))
			ret = add_section(module, entry->d_name);
	}
	closedir(directory);
}

/* Parse "name 16384 1 user,user, Live 0xffffffffc0000000 (OE)". */
static bool parse_line(const char *line, struct kcatch_loaded_module *module)
{
	char state[16], taint[16] = "";
	unsigned long long size, base;

	memset(module, 0, sizeof(*module));
	if (sscanf(line, "%63s %llu %*s %*s %15s %llx %15s", module->name, &size, state, &base,
		   taint) < 4)
		return false;
	module->loading = !strcmp(state, "Loading");
	module->base = base;
	module->size = size;
	module->out_of_tree = strchr(taint, 'O') != NULL;
	return !strchr(module->name, '/') && base;
}

/* sysfs numbers what it shows as it comes; numbers are not used twice. */
static void read_instances(struct kcatch_loaded_modules *modules)
{
	int directory = open("/sys/module", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat status;
	size_t i;

	for (i = 0; directory >= 0 && i < modules->nr; i++) {
		if (!fstatat(directory, modules->list[i].name, &status, AT_SYMLINK_NOFOLLOW))
			modules->list[i].instance = status.st_ino;
	}
	if (directory >= 0)
		close(directory);
}

int kcatch_loaded_modules_read(struct kcatch_loaded_modules *modules)
{
	FILE *file = fopen("/proc/modules", "re");
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	if (!file)
		return -errno;
	while (!ret && getline(&line, &size, file) > 0) {
		struct kcatch_loaded_module module, *more;

		if (!parse_line(line, &module))
			continue;
		more = kcatch_array_grow(modules->list, modules->nr, sizeof(*more));
		if (!more) {
			ret = -ENOMEM;
			break;
		}
		modules->list = more;
		more[modules->nr++] = module;
	}
	free(line);
	fclose(file);
	if (ret)
		kcatch_loaded_modules_deinit(modules);
	else
		read_instances(modules);
	return ret;
}

bool kcatch_loaded_module_is(const struct kcatch_loaded_module *a,
			     const struct kcatch_loaded_module *b)
{
	return a->base == b->base && a->size == b->size && a->instance == b->instance &&
	       a->loading == b->loading && !strcmp(a->name, b->name);
}

bool kcatch_loaded_modules_stayed(const struct kcatch_loaded_modules *modules)
{
	struct kcatch_loaded_modules now = { 0 };
	bool stayed = !kcatch_loaded_modules_read(&now) && now.nr == modules->nr;
	size_t i;

	for (i = 0; stayed && i < now.nr; i++)
		stayed = kcatch_loaded_module_is(&now.list[i], &modules->list[i]);
	kcatch_loaded_modules_deinit(&now);
	return stayed;
}

bool kcatch_loaded_modules_keep(struct kcatch_loaded_modules *modules,
				struct kcatch_loaded_modules *old)
{
	bool same = modules->nr == old->nr;
	size_t i, j;

	for (i = 0; i < modules->nr; i++) {
		struct kcatch_loaded_module *to = &modules->list[i];

		for (j = 0; j < old->nr; j++) {
			struct kcatch_loaded_module *from = &old->list[j];

			if (!kcatch_loaded_module_is(from, to))
				continue;
			*to = *from;
			from->sections = NULL;
			from->nr_sections = 0;
			from->file = NULL;
			break;
		}
		same &= j < old->nr;
	}
	return same;
}

void kcatch_loaded_modules_deinit(struct kcatch_loaded_modules *modules)
{
	size_t i;

	for (i = 0; i < modules->nr; i++)
		free(modules->list[i].sections);
	free(modules->list);
	memset(modules, 0, sizeof(*modules));
}

/* The section with the highest start at or below the address: of init code, or of other code. */
static const struct kcatch_module_section *nearest(const struct kcatch_loaded_module *module,
						   uint64_t address, bool init)
{
	const struct kcatch_module_section *best = NULL;
	size_t i;

	for (i = 0; i < module->nr_sections; i++) {
		const struct kcatch_module_section *section = &module->sections[i];

		if (section->address <= address && is_init(section->name) == init &&
		    (!best || section->address > best->address))
			best = section;
	}
	return best;
}

static struct kcatch_loaded_module *find_init(const struct kcatch_loaded_modules *modules,
					      uint64_t address,
					      const struct kcatch_module_section **section)
{
	struct kcatch_loaded_module *best = NULL;
	size_t i;

	for (i = 0; i < modules->nr; i++) {
		const struct kcatch_module_section *near;

		read_sections(&modules->list[i]);
		near = nearest(&modules->list[i], address, true);
		if (near && address - near->address < INIT_MAX &&
		    (!best || near->address > (*section)->address)) {
			best = &modules->list[i];
			*section = near;
		}
	}
	return best;
}

struct kcatch_loaded_module *
kcatch_loaded_modules_find(const struct kcatch_loaded_modules *modules, uint64_t address,
			   const struct kcatch_module_section **section)
{
	struct kcatch_loaded_module *best = NULL;
	size_t i;

	for (i = 0; i < modules->nr; i++) {
		struct kcatch_loaded_module *module = &modules->list[i];

		if (address >= module->base && address - module->base < module->size &&
		    (!best || module->base > best->base))
			best = module;
	}
	if (best) {
		read_sections(best);
		*section = nearest(best, address, false);
		if (*section)
			return best;
	}
	return find_init(modules, address, section);
}
