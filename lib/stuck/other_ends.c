/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * other_ends.c - finds the processes that have the other end of the pipe or socket that a thread
 * waits for
 *
 * Links in /proc/PID/fd are read, which asks no file system for anything.
 */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "stuck/wait_detail.h"

#define NAMES_MAX 4	/* processes that are named */

struct end {
	bool socket;
	bool reads, writes;
	uint64_t inode;
	uint32_t thread;	/* of the process, in the list */
};

struct kcatch_stuck_ends {
	struct end *ends;	/* sorted by number */
	size_t nr;
};

static int by_number(const void *a, const void *b)
{
	const struct end *first = a, *second = b;

	if (first->socket != second->socket)
		return first->socket ? 1 : -1;
	if (first->inode != second->inode)
		return first->inode < second->inode ? -1 : 1;
	return (first->thread > second->thread) - (first->thread < second->thread);
}

/* Is that descriptor a pipe or a socket? */
static bool read_link(uint32_t tid, const char *fd, struct end *end)
{
	char path[64], link[64];
	struct stat status;
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%u/fd/%.20s", tid, fd);
	length = readlink(path, link, sizeof(link) - 1);
	if (length < 0)
		return false;
	link[length] = '\0';
	end->socket = !strncmp(link, "socket:[", 8);
	if (!end->socket && strncmp(link, "pipe:[", 6) != 0)
		return false;
	end->inode = strtoull(strchr(link, '[') + 1, NULL, 10);
	/* The link's own mode says how it was opened. */
	if (lstat(path, &status))
		return false;
	end->reads = status.st_mode & S_IRUSR;
	end->writes = status.st_mode & S_IWUSR;
	return true;
}

static void add_process(struct kcatch_stuck_ends *ends, uint32_t tid, uint32_t thread)
{
	struct dirent *entry;
	char path[32];
	DIR *directory;

	snprintf(path, sizeof(path), "/proc/%u/fd", tid);
	directory = opendir(path);
	while (directory && (entry = readdir(directory))) {
		struct end end = { .thread = thread }, *more;

		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    !read_link(tid, entry->d_name, &end))
			continue;
		more = kcatch_array_grow(ends->ends, ends->nr, sizeof(*more));
		if (!more)
			break;
		ends->ends = more;
		more[ends->nr++] = end;
	}
	if (directory)
		closedir(directory);
}

/* Once for all threads that are shown. */
static struct kcatch_stuck_ends *find_all(struct kcatch_stuck_details *details)
{
	const struct kcatch_task_list *list = details->list;
	uint64_t *seen;
	size_t i, nr = 0;

	if (details->ends)
		return details->ends;
	details->ends = calloc(1, sizeof(*details->ends));
	seen = calloc(list->nr, sizeof(*seen));
	for (i = 0; details->ends && seen && i < list->nr; i++) {
		const struct kcatch_task *task = &list->tasks[i];

		/* The first thread of a process may have ended, and has no files then. */
		if (!task->mm || (nr && seen[nr - 1] == task->pid))
			continue;
		seen[nr++] = task->pid;
		add_process(details->ends, task->tid, (uint32_t)i);
	}
	if (details->ends && details->ends->nr)
		qsort(details->ends->ends, details->ends->nr, sizeof(*details->ends->ends),
		      by_number);
	free(seen);
	return details->ends;
}

void kcatch_stuck_ends_destroy(struct kcatch_stuck_ends *ends)
{
	if (ends)
		free(ends->ends);
	free(ends);
}

/* The descriptor that the thread's system call is about, and whether it writes; -1: another call */
static int descriptor_of(const struct kcatch_task *task, bool *writes)
{
	if (!(task->flags & KCATCH_TASK_REGS) || task->regs[KCATCH_REG_CS] != KCATCH_CODE_64)
		return -1;
	*writes = false;
	switch (task->regs[KCATCH_REG_ORIG_AX]) {
	case SYS_write:
	case SYS_writev:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
		*writes = true;
		break;
	case SYS_read:
	case SYS_readv:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_recvmmsg:
		break;
	default:
		return -1;
	}
	return (int)task->regs[KCATCH_REG_DI];
}

/* ---- sockets ---------------------------------------------------------------------------- */

/* The inode of the unix socket that the one at descriptor @fd is connected with; 0: none. */
static uint64_t find_unix_peer(struct kcatch_stuck_details *details,
			       const struct kcatch_task *task, int fd)
{
	enum { FILES, TABLE, ARRAY, SOCKET, SOCK, PEER, OF, INODE, NUMBER };
	struct kcatch_stuck_place places[] = {
		[FILES] = { "struct task_struct", "files", 0 },
		[TABLE] = { "struct files_struct", "fdt", 0 },
		[ARRAY] = { "struct fdtable", "fd", 0 },
		[SOCKET] = { "struct file", "private_data", 0 },
		[SOCK] = { "struct socket", "sk", 0 },
		[PEER] = { "struct unix_sock", "peer", 0 },
		[OF] = { "struct sock", "sk_socket", 0 },
		[INODE] = { "struct socket_alloc", "vfs_inode", 0 },
		[NUMBER] = { "struct inode", "i_ino", 0 },
	};
	uint64_t at = task->address;
	size_t i;

	if (!kcatch_stuck_learn(details, places, sizeof(places) / sizeof(places[0])))
		return 0;
	for (i = FILES; i <= ARRAY && at; i++)
		at = kcatch_stuck_word(details, at + places[i].offset);
	at = at ? kcatch_stuck_word(details, at + (uint64_t)fd * 8) : 0;
	for (i = SOCKET; i <= OF && at; i++)
		at = kcatch_stuck_word(details, at + places[i].offset);
	at += at ? places[INODE].offset + places[NUMBER].offset : 0;
	return at ? kcatch_stuck_word(details, at) : 0;
}

/* The inode of the TCP socket of the thread's network whose addresses are these, exchanged. */
static uint64_t find_tcp(uint32_t tid, const char *protocol, uint64_t inode)
{
	char path[64], line[512], local[64], remote[64], from[64] = "", to[64] = "";
	uint64_t number, found = 0;
	FILE *file;
	int pass;

	snprintf(path, sizeof(path), "/proc/%u/net/%s", tid, protocol);
	for (pass = 0; pass < 2 && (!pass || from[0]); pass++) {
		file = fopen(path, "re");
		while (file && fgets(line, sizeof(line), file)) {
			if (sscanf(line, "%*s %63s %63s %*s %*s %*s %*s %*s %*s %" SCNu64, local,
				   remote, &number) != 3)
				continue;
			if (!pass && number == inode) {
				strcpy(from, local);
				strcpy(to, remote);
			} else if (pass && !strcmp(local, to) && !strcmp(remote, from)) {
				found = number;
			}
		}
		if (file)
			fclose(file);
	}
	return found;
}

/* ---- all -------------------------------------------------------------------------------- */

void kcatch_stuck_end_find(struct kcatch_stuck_details *details, uint32_t at,
			   enum kcatch_stuck_what what, struct kcatch_stuck_thread *thread)
{
	const struct kcatch_task *task = &details->list->tasks[at], *owner = NULL;
	char names[NAMES_MAX * (KCATCH_STUCK_NAME_ROOM + 2)] = "", fd_name[16], more[24];
	const struct kcatch_stuck_ends *ends;
	uint32_t nr = 0, last = UINT32_MAX;
	struct end end = { .socket = false };
	size_t used = 0, i;
	bool writes;
	int fd = descriptor_of(task, &writes);

	if (fd < 0)
		return;
	snprintf(fd_name, sizeof(fd_name), "%d", fd);
	if (!read_link(task->tid, fd_name, &end) || end.socket != (what != KCATCH_STUCK_PIPE))
		return;
	if (what == KCATCH_STUCK_UNIX)
		end.inode = find_unix_peer(details, task, fd);
	else if (what == KCATCH_STUCK_TCP)
		end.inode = find_tcp(task->tid, "tcp", end.inode) ?:
			    find_tcp(task->tid, "tcp6", end.inode);
	ends = end.inode ? find_all(details) : NULL;
	for (i = 0; ends && i < ends->nr; i++) {
		const struct end *other = &ends->ends[i];
		char name[KCATCH_STUCK_NAME_ROOM];

		if (other->socket != end.socket || other->inode != end.inode ||
		    other->thread == last ||
		    (!end.socket && (writes ? !other->reads : !other->writes)))
			continue;
		last = other->thread;
		owner = &details->list->tasks[last];
		kcatch_stuck_task_name(owner, name, sizeof(name));
		if (nr++ < NAMES_MAX)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
						 nr > 1 ? ", " : "", name);
	}
	if (!nr)
		return;
	if (nr == 1 && owner->pid == task->pid) {
		thread->reason = kcatch_stuck_say(details, "%s, whose other end only its own process has",
						  thread->reason) ?: thread->reason;
		return;
	}
	snprintf(more, sizeof(more), " and %u more", nr - NAMES_MAX);
	thread->reason = kcatch_stuck_say(details, "%s, whose other end %s%s ha%s", thread->reason,
					  names, nr > NAMES_MAX ? more : "", nr > 1 ? "ve" : "s") ?:
			 thread->reason;
	if (nr == 1) {
		thread->waits_for = last;
		thread->named = true;
	}
}
