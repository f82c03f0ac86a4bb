/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* syscall_event.c - events of system calls: their numbers, and their arguments out of tracefs */
#include "fetch/syscall_event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/machine.h"
#include "base/printable.h"
#include "base/syscall_name.h"

#define NUMBERS 1024U	/* above every number of a system call */

/* System calls that tracefs names after their function in the kernel. */
static const struct { const char *event, *call; } others[] = {
	{ "newstat", "stat" }, { "newfstat", "fstat" }, { "newlstat", "lstat" },
	{ "newuname", "uname" }, { "umount", "umount2" }, { "sendfile64", "sendfile" },
};

static bool find_number(const char *name, struct kcatch_syscall_event *event)
{
	const char *call = name + strlen("sys_exit_"), *other;
	uint32_t i;

	event->is_exit = !strncmp(name, "sys_exit_", strlen("sys_exit_"));
	if (!event->is_exit) {
		if (strncmp(name, "sys_enter_", strlen("sys_enter_")))
			return false;
		call = name + strlen("sys_enter_");
	}
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(others[i].event, call))
			call = others[i].call;
	for (i = 0; i < NUMBERS; i++) {
		other = kcatch_syscall_name(i);
		if (other && !strcmp(other, call)) {
			event->number = i;
			return true;
		}
	}
	return false;
}

bool kcatch_syscall_event_is(const char *name)
{
	struct kcatch_syscall_event event;

	return find_number(name, &event);
}

/* "field:const char * filename;	offset:24;	..." */
static void read_field(struct kcatch_syscall_event *event, char *line)
{
	char *type = strstr(line, "field:"), *end, *name;

	if (!type || event->nr_args == KCATCH_SYSCALL_ARGS)
		return;
	type += strlen("field:");
	end = strchr(type, ';');
	if (!end)
		return;
	*end = '\0';
	name = end;
	while (name > type && name[-1] != ' ')
		name--;
	if (name == type || !*name)
		return;
	name[-1] = '\0';
	snprintf(event->args[event->nr_args].name, sizeof(event->args[0].name), "%.31s", name);
	snprintf(event->args[event->nr_args].type, sizeof(event->args[0].type), "%.63s", type);
	event->nr_args++;
}

int kcatch_syscall_event_read(const char *name, struct kcatch_syscall_event **result)
{
	struct kcatch_syscall_event *event = calloc(1, sizeof(*event));
	bool common = true;
	char *line = NULL, path[128];
	size_t size = 0;
	FILE *file;
	int ret;

	if (!event)
		return kcatch_error_memory();
	if (!find_number(name, event)) {
		free(event);
		return kcatch_error_set(ENOENT, "syscalls:%s: 64-bit programs have no such system call",
					SHOWN(name));
	}
	snprintf(path, sizeof(path), "events/syscalls/%.80s/format", name);
	ret = event->is_exit ?
		      0 :
		      kcatch_machine_open_tracefs(path, "the arguments of system calls", &file);
	if (ret) {
		free(event);
		return ret;
	}
	while (!event->is_exit && getline(&line, &size, file) > 0) {
		/* The common fields and the number precede the arguments. */
		if (!common)
			read_field(event, line);
		else if (strstr(line, "__syscall_nr;"))
			common = false;
	}
	free(line);
	if (!event->is_exit)
		fclose(file);
	*result = event;
	return 0;
}

int32_t kcatch_syscall_event_register(uint32_t index)
{
	/* offsets of di si dx r10 r8 r9 */
	static const uint8_t places[KCATCH_SYSCALL_ARGS] = { 112, 104, 96, 56, 72, 64 };

	return places[index];
}
