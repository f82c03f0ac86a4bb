/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * fuse_waits.c - finds the FUSE server, and the request, that a thread waits for
 *
 * A waiting thread is woken through a queue in the request. The request leads to the connection,
 * and the connection's number to the mount. Servers are processes that have /dev/fuse open for
 * the same connection, according to the kernel's structures behind their files.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "stuck/open_files.h"
#include "stuck/wait_detail.h"

struct server {
	uint32_t at;		/* first thread of the process, a place in the list */
	uint64_t connection;	/* struct fuse_conn */
};

/* From a structure to its struct fuse_conn, by way of these members: pointers, one in the other. */
struct way {
	uint32_t offsets[2];
	uint32_t nr;
};

struct kcatch_stuck_fuse {
	bool known;		/* the places below are */
	uint32_t request_waitq, request_in, connection_device;
	struct way request_way, device_way;
	struct server *servers;
	uint32_t nr_servers;
};

/* enum fuse_opcode of linux/fuse.h */
static const char *const operations[] = {
	[1] = "LOOKUP", [3] = "GETATTR", [4] = "SETATTR", [5] = "READLINK", [6] = "SYMLINK",
	[8] = "MKNOD", [9] = "MKDIR", [10] = "UNLINK", [11] = "RMDIR", [12] = "RENAME",
	[13] = "LINK", [14] = "OPEN", [15] = "READ", [16] = "WRITE", [17] = "STATFS",
	[18] = "RELEASE", [20] = "FSYNC", [21] = "SETXATTR", [22] = "GETXATTR",
	[23] = "LISTXATTR", [24] = "REMOVEXATTR", [25] = "FLUSH", [26] = "INIT",
	[27] = "OPENDIR", [28] = "READDIR", [29] = "RELEASEDIR", [30] = "FSYNCDIR",
	[31] = "GETLK", [32] = "SETLK", [33] = "SETLKW", [34] = "ACCESS", [35] = "CREATE",
	[37] = "BMAP", [38] = "DESTROY", [39] = "IOCTL", [40] = "POLL", [43] = "FALLOCATE",
	[44] = "READDIRPLUS", [45] = "RENAME2", [46] = "LSEEK", [47] = "COPY_FILE_RANGE",
	[48] = "SETUPMAPPING", [50] = "SYNCFS", [51] = "TMPFILE", [52] = "STATX",
};

/* What a function's first argument points to: types of modules have no other way in. */
static bool argument_of(struct kcatch_types *types, const char *function, struct kcatch_type *type)
{
	struct kcatch_type proto;
	struct kcatch_member first;

	if ((kcatch_types_function(types, NULL, function, &proto) &&
	     kcatch_types_function(types, "fuse", function, &proto)) ||
	    kcatch_type_member(proto, 0, &first))
		return false;
	*type = kcatch_type_strip(kcatch_type_target(kcatch_type_strip(first.type)));
	return true;
}

static bool member_of(struct kcatch_type type, const char *name, uint32_t *offset,
		      struct kcatch_type *target)
{
	struct kcatch_member member;

	if (kcatch_type_find(type, name, &member))
		return false;
	*offset = member.bit_offset / 8;
	if (target)
		*target = kcatch_type_strip(kcatch_type_target(kcatch_type_strip(member.type)));
	return true;
}

static bool way_of(struct kcatch_type type, const char *first, const char *second,
		   struct way *way, struct kcatch_type *connection)
{
	way->nr = second ? 2 : 1;
	return member_of(type, first, &way->offsets[0], connection) &&
	       (!second || member_of(*connection, second, &way->offsets[1], connection));
}

static bool learn(struct kcatch_types *types, struct kcatch_stuck_fuse *fuse)
{
	struct kcatch_type request, device, connection;

	/* 7.3 has a struct fuse_chan between connections and devices; before, there was none. */
	return types && argument_of(types, "fuse_request_end", &request) &&
	       (argument_of(types, "fuse_dev_free", &device) ||
		argument_of(types, "fuse_dev_put", &device)) &&
	       member_of(request, "waitq", &fuse->request_waitq, NULL) &&
	       member_of(request, "in", &fuse->request_in, NULL) &&
	       (way_of(device, "fc", NULL, &fuse->device_way, &connection) ||
		way_of(device, "chan", "conn", &fuse->device_way, &connection)) &&
	       (way_of(request, "fm", "fc", &fuse->request_way, &connection) ||
		way_of(request, "chan", "conn", &fuse->request_way, &connection)) &&
	       member_of(connection, "dev", &fuse->connection_device, NULL);
}

/* Return: the address of the struct fuse_conn, 0 if there is none */
static uint64_t follow(struct kcatch_stuck_details *details, uint64_t at, const struct way *way)
{
	uint32_t i;

	for (i = 0; at && i < way->nr; i++)
		at = kcatch_stuck_word(details, at + way->offsets[i]);
	return at;
}

static void add_server(struct kcatch_stuck_details *details, uint32_t at, uint32_t fd)
{
	struct kcatch_stuck_fuse *fuse = details->fuse;
	struct kcatch_open_file file;
	struct server *servers;
	uint64_t connection;
	uint32_t i;

	if (!kcatch_stuck_file_read(details, kcatch_stuck_file_at(details,
						   &details->list->tasks[at], (int)fd), &file))
		return;
	/* The lowest bits of some say how far it has come. */
	connection = follow(details, file.private & ~7ULL, &fuse->device_way);
	if (!connection)
		return;
	for (i = 0; i < fuse->nr_servers; i++)
		if (fuse->servers[i].connection == connection &&
		    details->list->tasks[fuse->servers[i].at].pid == details->list->tasks[at].pid)
			return;
	servers = kcatch_array_grow(fuse->servers, fuse->nr_servers, sizeof(*servers));
	if (!servers)
		return;
	fuse->servers = servers;
	servers[fuse->nr_servers++] = (struct server){ at, connection };
}

/* A first thread that has ended has no files any more, and the others do. */
static bool has_leader(const struct kcatch_task_list *list, const struct kcatch_task *task)
{
	const struct kcatch_task *leader = kcatch_task_list_of(list, task->pid);

	return leader && (leader->flags & KCATCH_TASK_REGS || leader->mm);
}

static void find_servers(struct kcatch_stuck_details *details)
{
	uint32_t i;

	for (i = 0; i < details->list->nr; i++) {
		const struct kcatch_task *task = &details->list->tasks[i];
		char path[320], name[32];
		struct dirent *entry;
		ssize_t length;
		DIR *files;

		if (!(task->flags & KCATCH_TASK_REGS || task->mm) ||
		    (task->tid != task->pid && has_leader(details->list, task)))
			continue;
		snprintf(path, sizeof(path), "/proc/%u/fd", task->tid);
		files = opendir(path);
		while (files && (entry = readdir(files))) {
			length = readlinkat(dirfd(files), entry->d_name, name, sizeof(name));
			if (length == 9 && !memcmp(name, "/dev/fuse", 9))
				add_server(details, i, (uint32_t)atoi(entry->d_name));
		}
		if (files)
			closedir(files);
	}
}

/*
 * A field of mountinfo, in which blanks, line breaks and backslashes are octal numbers, and all
 * other bytes are as the one who mounted it chose them.
 */
static void show_field(char *field, char *shown, size_t room)
{
	char *from = field, *to = field;

	while (*from) {
		if (*from == '\\' && strspn(from + 1, "01234567") >= 3) {
			*to++ = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 |
				       (from[3] - '0'));
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	kcatch_text_escape(field, (size_t)(to - field), shown, room);
}

/* Where the file system of that number is mounted, as the one who waits sees it. */
static bool find_mount(uint32_t tid, uint32_t minor, char *mount, size_t room)
{
	char path[64], device[16], line[2048];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/mountinfo", tid);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file)) {
		char where[1024], *rest = strstr(line, " - "), type[64];
		char shown[201], shown_type[4 * sizeof(type) + 1];

		if (!rest || sscanf(line, "%*s %*s %15s %*s %1023s", device, where) != 2 ||
		    sscanf(rest, " - %63s", type) != 1 || strncmp(device, "0:", 2) ||
		    strtoul(device + 2, NULL, 10) != minor || strncmp(type, "fuse", 4))
			continue;
		show_field(where, shown, sizeof(shown));
		show_field(type, shown_type, sizeof(shown_type));
		snprintf(mount, room, "%s (%.80s)", shown, shown_type);
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

static struct kcatch_stuck_fuse *get_fuse(struct kcatch_stuck_details *details)
{
	if (!details->fuse) {
		details->fuse = calloc(1, sizeof(*details->fuse));
		if (!details->fuse)
			return NULL;
		details->fuse->known = learn(details->types, details->fuse);
		if (details->fuse->known)
			find_servers(details);
	}
	return details->fuse->known ? details->fuse : NULL;
}

/* "hello(123), which is stopped": the first server. */
static void show_server(const struct kcatch_task *task, uint32_t nr, char *text, size_t room)
{
	char comm[4 * sizeof(task->comm) + 1], more[64] = "";

	kcatch_text_escape(task->comm, strnlen(task->comm, sizeof(task->comm)), comm, sizeof(comm));
	if (nr > 1)
		snprintf(more, sizeof(more), " (or %u more with the same /dev/fuse)", nr - 1);
	snprintf(text, room, "%s(%u)%s%s", comm, task->tid, more,
		 task->state == 'T' ? ", which is stopped" :
		 task->state == 't' ? ", which is stopped by its tracer" : "");
}

void kcatch_stuck_fuse_find(struct kcatch_stuck_details *details, uint32_t at,
			    struct kcatch_stuck_thread *thread)
{
	struct kcatch_stuck_fuse *fuse = get_fuse(details);
	const struct kcatch_task *task = &details->list->tasks[at], *server = NULL;
	const char *whose = "no process has its /dev/fuse, it is of another machine or has ended";
	const char *operation = "a request", *text;
	char name[200] = "", mount[300] = "";
	uint64_t queue, request, connection;
	uint32_t opcode, device, i, nr = 0;

	queue = fuse ? kcatch_stuck_queue_find(details, task, "autoremove_wake_function") : 0;
	if (!queue)
		return;
	request = queue - fuse->request_waitq;
	connection = follow(details, request, &fuse->request_way);
	if (!connection)
		return;
	device = (uint32_t)kcatch_stuck_word(details, connection + fuse->connection_device);
	/* struct fuse_in_header: length, then the operation. */
	opcode = (uint32_t)(kcatch_stuck_word(details, request + fuse->request_in) >> 32);
	for (i = 0; i < fuse->nr_servers; i++) {
		if (fuse->servers[i].connection != connection)
			continue;
		if (!nr++)
			server = &details->list->tasks[fuse->servers[i].at];
	}
	if (server)
		show_server(server, nr, name, sizeof(name));
	/* The kernel's own numbers: 12 bits and 20. */
	if (device >> 20 || !find_mount(task->tid, device & 0xfffff, mount, sizeof(mount)))
		mount[0] = '\0';
	if (opcode < sizeof(operations) / sizeof(operations[0]) && operations[opcode])
		operation = operations[opcode];
	if (server)
		whose = name;
	text = kcatch_stuck_say(details, "the answer to %s of the FUSE server%s%s: %s", operation,
				mount[0] ? " of " : "", mount, whose);
	if (text)
		thread->reason = text;
	if (!server)
		return;
	thread->waits_for = (uint32_t)(server - details->list->tasks);
	thread->named = true;
	/* One that answers with several threads may still do so. */
	thread->certain = nr == 1 && server->nr_threads == 1 &&
			  (task->state == 'S' || task->state == 'D');
}

void kcatch_stuck_fuse_destroy(struct kcatch_stuck_fuse *fuse)
{
	if (!fuse)
		return;
	free(fuse->servers);
	free(fuse);
}
