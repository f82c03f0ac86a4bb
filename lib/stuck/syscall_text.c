/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* syscall_text.c - formats a system call and its arguments like strace */
#include "stuck/syscall_text.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <kcatch.h>
#include "stuck/user_locks.h"

/* Of a text that an argument points to. */
#define TEXT_MAX 128

struct output {
	char *text;
	size_t room;
	size_t used;
	bool full;
};

__attribute__((format(printf, 2, 3)))
static void add(struct output *output, const char *format, ...)
{
	va_list args;
	int length;

	if (output->full)
		return;
	va_start(args, format);
	length = vsnprintf(output->text + output->used, output->room - output->used, format, args);
	va_end(args);
	if (length >= 0 && output->used + (size_t)length < output->room - sizeof("...")) {
		output->used += (size_t)length;
		return;
	}
	output->full = true;
	strcpy(output->text + output->used, "...");
	output->used += 3;
}

static uint64_t argument(const struct kcatch_task *task, unsigned int nr)
{
	return kcatch_task_arg(task, nr);
}

/* "0100007F:1F90" of /proc/net: words of the network's bytes as numbers of this machine. */
static void show_address(char *text, size_t room, const char *hex)
{
	size_t digits = strcspn(hex, ":"), i;
	unsigned int port = 0;
	char address[INET6_ADDRSTRLEN];
	uint32_t words[4];

	if (digits != 8 && digits != 32) {
		snprintf(text, room, "?");
		return;
	}
	for (i = 0; i < digits / 8; i++)
		sscanf(hex + i * 8, "%8" SCNx32, &words[i]);
	sscanf(hex + digits, ":%x", &port);
	inet_ntop(digits == 8 ? AF_INET : AF_INET6, words, address, sizeof(address));
	snprintf(text, room, digits == 8 ? "%s:%u" : "[%s]:%u", address, port);
}

static bool find_internet(uint32_t tid, const char *protocol, unsigned long inode,
			  char *text, size_t room)
{
	char path[64], line[512];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/net/%s", tid, protocol);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		char local[64], remote[64], from[64], to[64];
		unsigned long number;

		if (sscanf(line, "%*s %63s %63s %*s %*s %*s %*s %*s %*s %lu", local, remote,
			   &number) != 3 || number != inode)
			continue;
		show_address(from, sizeof(from), local);
		show_address(to, sizeof(to), remote);
		snprintf(text, room, "%s %s -> %s", protocol, from, to);
		found = true;
	}
	fclose(file);
	return found;
}

/*
 * Is the socket that the link @path in /proc/PID/fd is said to be one of this machine? The kernel
 * names the protocol: "UNIX", "UNIX-STREAM", "TCP". The descriptor may be another file by now,
 * whose file system would be asked: it is held, and looked at once more. (NFS may be asked for it
 * all the same.)
 */
static bool is_unix(const char *path, unsigned long inode)
{
	int held = open(path, O_PATH | O_CLOEXEC);
	char link[32], file[64], expected[64], protocol[32];
	bool result = false;
	ssize_t length;

	if (held < 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", held);
	snprintf(expected, sizeof(expected), "socket:[%lu]", inode);
	length = readlink(link, file, sizeof(file));
	if (length == (ssize_t)strlen(expected) && !memcmp(file, expected, (size_t)length))
		result = getxattr(link, "system.sockprotoname", protocol, sizeof(protocol)) >= 4 &&
			 !memcmp(protocol, "UNIX", 4);
	close(held);
	return result;
}

/*
 * Names of sockets are in the file as they are, line breaks too, so anybody can make a line that
 * says anything of any inode. A name is shown only if one line has the inode: it is the socket's
 * own, if that is of the thread's network namespace.
 */
static bool find_unix(uint32_t tid, unsigned long inode, char *text, size_t room)
{
	char path[64], line[512];
	unsigned int found = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/net/unix", tid);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		char name[256] = "";
		unsigned long number;

		if (sscanf(line, "%*s %*s %*s %*s %*s %*s %lu %255s", &number, name) < 1 ||
		    number != inode)
			continue;
		snprintf(text, room, "unix socket %s", name[0] ? name : "without a name");
		found++;
	}
	fclose(file);
	if (found > 1)
		snprintf(text, room, "unix socket");
	return found;
}

static void add_file(struct output *output, const struct kcatch_task *task, int fd)
{
	static const char *const protocols[] = { "tcp", "tcp6", "udp", "udp6" };
	char path[64], file[512], shown[4 * sizeof(file) + 1];
	unsigned long inode;
	ssize_t length;
	size_t i;

	snprintf(path, sizeof(path), "/proc/%u/fd/%d", task->tid, fd);
	length = readlink(path, file, sizeof(file) - 1);
	if (length < 0)
		return;
	file[length] = '\0';
	if (sscanf(file, "socket:[%lu]", &inode) == 1) {
		bool found = is_unix(path, inode) &&
			     find_unix(task->tid, inode, file, sizeof(file));

		for (i = 0; !found && i < sizeof(protocols) / sizeof(protocols[0]); i++)
			found = find_internet(task->tid, protocols[i], inode, file, sizeof(file));
	}
	kcatch_text_escape(file, strlen(file), shown, sizeof(shown));
	add(output, " <%s>", shown);
}

static void add_text(struct output *output, const struct kcatch_task *task, uint64_t address)
{
	char text[TEXT_MAX + 1], shown[4 * sizeof(text) + 1];
	size_t length = 0;

	/* Byte by byte: the next page may not be there. */
	while (length < TEXT_MAX && !(task->flags & KCATCH_TASK_UNREAD) &&
	       !kcatch_user_read(task->tid, address + length, text + length, 1) &&
	       text[length])
		length++;
	if (!length) {
		add(output, "%#" PRIx64, address);
		return;
	}
	kcatch_text_escape(text, length, shown, sizeof(shown));
	add(output, "\"%s\"%s", shown, length == TEXT_MAX ? "..." : "");
}

/* A text that the program passes: no list of texts, and no room for what comes back. */
static bool is_text(const char *type, const char *name)
{
	return strstr(type, "char *") && strchr(type, '*') == strrchr(type, '*') &&
	       !strstr(name, "buf") && strcmp(name, "list") != 0 &&
	       (!strstr(name, "msg_ptr") || strstr(type, "const"));
}

/* Types that are addresses, or numbers made of one, without saying so. */
static bool is_place(const char *type)
{
	return strstr(type, "aio_context_t") || strstr(type, "cap_user_header_t") ||
	       strstr(type, "cap_user_data_t");
}

/* Write the names of a number, if it has any. */
static bool add_names(struct output *output, const struct kcatch_constants *constants,
		      uint64_t value)
{
	char text[KCATCH_CONSTANTS_TEXT];

	if (!constants || !kcatch_constants_text(constants, value, text, sizeof(text)))
		return false;
	add(output, "%s", text);
	return true;
}

/* An argument of the call by its name, and whether it is there. */
struct asked {
	const struct kcatch_task *task;
	const struct kcatch_syscall_cache *last;
};

static bool number_of(void *arg, const char *name, uint64_t *number)
{
	const struct asked *asked = arg;
	unsigned int i;

	for (i = 0; i < asked->last->call.nr_args; i++) {
		if (strcmp(asked->last->call.args[i].name, name) != 0)
			continue;
		*number = argument(asked->task, i);
		return true;
	}
	return false;
}

static void add_argument(struct output *output, const struct kcatch_task *task,
			 const struct kcatch_syscall_cache *last, unsigned int nr)
{
	const char *type = last->call.args[nr].type, *name = last->call.args[nr].name;
	uint64_t value = argument(task, nr);
	struct asked asked = { task, last };

	add(output, "%s%s=", nr ? ", " : "", name);
	if (add_names(output, kcatch_constants_of_call(last->named, name, number_of, &asked),
		      strstr(type, "long") ? value : (uint32_t)value))
		return;
	if (is_text(type, name)) {
		add_text(output, task, value);
	} else if (strchr(type, '*') || is_place(type)) {
		add(output, value ? "%#" PRIx64 : "NULL", value);
	} else if (!strcmp(name, "fd") || !strcmp(name, "dfd") || strstr(name, "_fd") ||
		   !strcmp(name, "epfd") || !strcmp(name, "fildes")) {
		add(output, "%d", (int)value);
		add_file(output, task, (int)value);
	} else if (strstr(type, "unsigned") || strstr(type, "u32") || strstr(type, "u64") ||
		   strstr(type, "size_t")) {
		add(output, "%" PRIu64, strstr(type, "int") || strstr(type, "u32") ?
		    value & UINT32_MAX : value);
	} else if (strstr(type, "long") || strstr(type, "off_t")) {
		add(output, "%" PRId64, (int64_t)value);
	} else {
		add(output, "%d", (int)value);
	}
}

static void read_arguments(const char *name, struct kcatch_syscall_cache *last)
{
	struct kcatch_syscall_event *call;
	char event[96];

	memset(last, 0, sizeof(*last));
	snprintf(last->name, sizeof(last->name), "%s", name);
	snprintf(event, sizeof(event), "sys_enter_%s", name);
	if (kcatch_syscall_event_read(event, &call))
		return;
	last->known = true;
	last->named = kcatch_constants_of_function(event);
	last->call = *call;
	free(call);
}

void kcatch_syscall_text(const char *name, struct kcatch_syscall_cache *last,
			 const struct kcatch_task *task, char *text, size_t room)
{
	struct output output = { .text = text, .room = room };
	unsigned int i;

	text[0] = '\0';
	/* Nothing can be cut to that. */
	if (room < 2 * sizeof("..."))
		return;
	if (strcmp(name, last->name))
		read_arguments(name, last);
	add(&output, "%s(", name);
	if (!last->known)
		add(&output, "...");
	for (i = 0; i < last->call.nr_args; i++)
		add_argument(&output, task, last, i);
	add(&output, ")");
}
