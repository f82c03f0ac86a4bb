/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* syscall_event.c - system calls: their numbers, their arguments, and their functions */
#include "fetch/syscall_event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "arch/arch.h"
#include "base/machine.h"
#include "base/printable.h"
#include "base/syscall_name.h"

#define BODY "__do_sys_"	/* of that which has the arguments as its own */

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
	for (i = 0; i < KCATCH_SYSCALL_NUMBERS; i++) {
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

/* "field:const char * filename;	offset:24;	..." On newer kernels a field "__data_loc char[]
 * __filename_val" follows: the text that tracefs reads there, which is no argument. */
static void read_field(struct kcatch_syscall_event *event, char *line)
{
	char *type = strstr(line, "field:"), *end, *name;

	if (!type || event->nr_args == KCATCH_SYSCALL_ARGS)
		return;
	type += strlen("field:");
	if (!strncmp(type, "__data_loc ", strlen("__data_loc ")))
		return;
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

/* Read the arguments of a system call from the file of its entry. */
static int read_format(const char *name, struct kcatch_syscall_event *event)
{
	bool common = true;
	char *line = NULL, path[128];
	size_t size = 0;
	FILE *file;
	int ret;

	snprintf(path, sizeof(path), "events/syscalls/%.80s/format", name);
	ret = kcatch_machine_open_tracefs(path, "the arguments of system calls", &file);
	if (ret)
		return ret;
	while (getline(&line, &size, file) > 0) {
		/* The common fields and the number precede the arguments. */
		if (!common)
			read_field(event, line);
		else if (strstr(line, "__syscall_nr;"))
			common = false;
	}
	free(line);
	fclose(file);
	return 0;
}

int kcatch_syscall_event_read(const char *name, struct kcatch_syscall_event **result)
{
	struct kcatch_syscall_event *event = calloc(1, sizeof(*event));
	int ret = 0;

	if (!event)
		return kcatch_error_memory();
	if (!find_number(name, event))
		ret = kcatch_error_set(ENOENT, "syscalls:%s: 64-bit programs have no such system call",
				       SHOWN(name));
	else if (!event->is_exit)
		ret = read_format(name, event);
	if (ret) {
		free(event);
		return ret;
	}
	*result = event;
	return 0;
}

/* Read the arguments from the types of the function that has them as its own. */
static bool read_types(struct kcatch_types *types, const char *call,
		       struct kcatch_syscall_event *event)
{
	struct kcatch_member member;
	struct kcatch_type proto;
	char function[128];
	uint32_t i, nr;

	snprintf(function, sizeof(function), BODY "%s", call);
	if (kcatch_types_function(types, NULL, function, &proto))
		return false;
	nr = kcatch_type_nr_members(proto);
	for (i = 0; i < nr && i < KCATCH_SYSCALL_ARGS; i++) {
		if (kcatch_type_member(proto, i, &member) || !*member.name)
			return false;
		snprintf(event->args[i].name, sizeof(event->args[0].name), "%.31s", member.name);
		if (kcatch_type_text(member.type, event->args[i].type,
				     sizeof(event->args[0].type)) >= sizeof(event->args[0].type))
			return false;
	}
	event->nr_args = i;
	return true;
}

int kcatch_syscall_of_function(struct kcatch_types *types, const char *function,
			       struct kcatch_syscall_event **result)
{
	const char *begin = kcatch_arch_running()->syscall.function;
	const char *call = function + strlen(begin);
	struct kcatch_syscall_event *event;
	char name[128];

	*result = NULL;
	if (strncmp(function, begin, strlen(begin)) != 0)
		return 0;
	event = calloc(1, sizeof(*event));
	if (!event)
		return kcatch_error_memory();
	event->is_function = true;
	snprintf(name, sizeof(name), "sys_enter_%.80s", call);
	if (!read_format(name, event) || read_types(types, call, event))
		*result = event;
	else
		free(event);
	return 0;
}

static bool is_call(const char *name)
{
	const char *other;
	uint32_t i;

	for (i = 0; i < KCATCH_SYSCALL_NUMBERS; i++) {
		other = kcatch_syscall_name(i);
		if (other && !strcmp(other, name))
			return true;
	}
	return false;
}

bool kcatch_syscall_function(const char *call, char *function, size_t room)
{
	const char *name = call;
	size_t i;

	if (!is_call(call))
		return false;
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(others[i].call, call))
			name = others[i].event;
	snprintf(function, room, "%s%s", kcatch_arch_running()->syscall.function, name);
	return true;
}

int32_t kcatch_syscall_event_register(uint32_t index)
{
	return kcatch_arch_running()->syscall.args[index];
}
