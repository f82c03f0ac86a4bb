/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_words.c - names of this kernel's functions and events, for the shell's completion
 *
 * A key press waits for this, so the kernel's symbols are read once from front to back, without
 * the library's knowledge of what can be hooked. ftrace's list of it takes the kernel seconds where
 * large modules are loaded. Memory: the names that match.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>
#include <kcatch_kallsyms.h>

#include "kernel_words.h"

#define TRACEFS "/sys/kernel/tracing"

/* ---- functions ---------------------------------------------------------------------------- */

/* Functions that begin with @prefix; "MODULE:" restricts them to those of a module. */
struct wanted {
	const char *prefix;
	struct kcatch_table printed;	/* names in @names */
	struct kcatch_arena names;
};

/* Print the name if it begins with the prefix and was not printed before. */
static void offer(struct wanted *wanted, const char *name, const char *module)
{
	const char *prefix = wanted->prefix, *colon = strchr(prefix, ':');
	size_t length = colon ? (size_t)(colon - prefix) : 0;
	char *kept;

	if (colon && (strlen(module) != length || memcmp(module, prefix, length) != 0))
		return;
	prefix = colon ? colon + 1 : prefix;
	length = strlen(name);
	if (strncmp(name, prefix, strlen(prefix)) != 0 ||
	    kcatch_table_find(&wanted->printed, name, length))
		return;
	/* Without memory a name may be printed twice, which does no harm. */
	kept = kcatch_arena_take(&wanted->names, length + 1);
	if (kept)
		kcatch_table_add(&wanted->printed, memcpy(kept, name, length), length, 0);
	if (colon)
		printf("%s:", module);
	puts(name);
}

static int visit(const struct kcatch_kallsym *symbol, void *arg)
{
	if (kcatch_kallsyms_is_function(symbol) && !kcatch_kallsyms_is_label(symbol) &&
	    !symbol->in_init)
		offer(arg, symbol->name, symbol->module);
	return 0;
}

void kernel_functions_print(const char *prefix)
{
	struct wanted wanted = { .prefix = prefix };

	kcatch_kallsyms_read_all(visit, &wanted);
	kcatch_table_deinit(&wanted.printed);
	kcatch_arena_deinit(&wanted.names);
}

/* ---- events ------------------------------------------------------------------------------- */

/* Print "system:NAME" for each entry of a directory that begins with the prefix. */
static void print_system(const char *path, const char *system, const char *prefix, int type)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;
	char name[600];

	while (directory && (entry = readdir(directory))) {
		if (entry->d_name[0] == '.' || entry->d_type != type)
			continue;
		snprintf(name, sizeof(name), "%.255s:%.255s", system, entry->d_name);
		if (!strncmp(name, prefix, strlen(prefix)))
			puts(name);
	}
	if (directory)
		closedir(directory);
}

/* Can names of this system begin with the prefix? */
static bool may_begin(const char *system, const char *prefix)
{
	size_t length = strcspn(prefix, ":");

	return prefix[length] ? strlen(system) == length && !memcmp(system, prefix, length)
			      : !strncmp(system, prefix, length);
}

void kernel_events_print(const char *prefix)
{
	DIR *systems = opendir(TRACEFS "/events");
	const struct dirent *system;
	char path[400];

	if (!strncmp("core", prefix, strlen(prefix)))
		puts("core");
	if (may_begin("ktrace", prefix))
		print_system("/sys/kernel/debug/ktrace/events", "ktrace", prefix, DT_REG);
	while (systems && (system = readdir(systems))) {
		if (system->d_name[0] == '.' || system->d_type != DT_DIR ||
		    !may_begin(system->d_name, prefix))
			continue;
		snprintf(path, sizeof(path), TRACEFS "/events/%.255s", system->d_name);
		print_system(path, system->d_name, prefix, DT_DIR);
	}
	if (systems)
		closedir(systems);
}
