/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_words.c - names of this kernel's functions and events, for the shell's completion
 *
 * A key press waits for this, so lists are read once from front to back, without the library's
 * knowledge of what can be hooked. Memory: the names that match.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>

#include "kernel_words.h"

#define READ_SIZE (1 << 20)	/* bytes that are read at a time */
#define TRACEFS "/sys/kernel/tracing"

/* ---- functions ---------------------------------------------------------------------------- */

/* A line of a list of functions; its parts are terminated in place. */
struct line {
	const char *name;
	const char *module;	/* "": of the kernel itself */
};

/* What follows the name, "[module]" or nothing, without its brackets. */
static const char *module_of(char *text)
{
	char *open = text ? strchr(text, '[') : NULL;

	if (!open)
		return "";
	open[1 + strcspn(open + 1, "]")] = '\0';
	return open + 1;
}

/* "name [module]": ftrace's list. */
static bool read_ftrace_line(char *text, struct line *line)
{
	char *rest;

	line->name = strtok_r(text, " \t\n", &rest);
	line->module = module_of(rest);
	return line->name != NULL;
}

/* "address type name [module]", of which t, T, w and W are functions: /proc/kallsyms. */
static bool read_kallsyms_line(char *text, struct line *line)
{
	char *rest, *type;

	if (!strtok_r(text, " \t\n", &rest))
		return false;
	type = strtok_r(NULL, " \t\n", &rest);
	if (!type || !strchr("tTwW", *type))
		return false;
	line->name = strtok_r(NULL, " \t\n", &rest);
	line->module = module_of(rest);
	return line->name && strncmp(line->name, "__pfx_", 6) != 0 &&
	       strncmp(line->name, "__cfi_", 6) != 0;
}

/* Print the name if it begins with the prefix and was not printed before. */
static void offer(const struct line *line, const char *prefix, struct kcatch_table *printed)
{
	const char *colon = strchr(prefix, ':');
	size_t length = colon ? (size_t)(colon - prefix) : 0;

	if (colon && (strlen(line->module) != length || memcmp(line->module, prefix, length) != 0))
		return;
	prefix = colon ? colon + 1 : prefix;
	if (strncmp(line->name, prefix, strlen(prefix)) != 0 ||
	    kcatch_table_find(printed, line->name, strlen(line->name)))
		return;
	/* Without memory a name may be printed twice, which does no harm. */
	kcatch_table_add(printed, line->name, strlen(line->name), 0);
	if (colon)
		printf("%s:", line->module);
	puts(line->name);
}

void kernel_functions_print(const char *prefix)
{
	bool (*read_line)(char *, struct line *) = read_ftrace_line;
	FILE *file = fopen(TRACEFS "/available_filter_functions", "re");
	struct kcatch_table printed = { NULL };
	struct line line;
	char *text = NULL;
	size_t room = 0;

	if (!file) {
		file = fopen("/proc/kallsyms", "re");
		read_line = read_kallsyms_line;
	}
	if (!file)
		return;
	setvbuf(file, NULL, _IOFBF, READ_SIZE);
	while (getline(&text, &room, file) > 0) {
		if (read_line(text, &line))
			offer(&line, prefix, &printed);
	}
	free(text);
	fclose(file);
	kcatch_table_deinit(&printed);
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
