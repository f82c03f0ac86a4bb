/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * tcp_peers.c - finds the other end of a TCP connection inside the machine, by /proc/PID/net
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "stuck/wait_detail.h"

/* "0100007F:1F90", or of IPv6 32 digits before the colon */
#define ADDRESS_ROOM 40

struct connection {
	uint64_t inode;
	char local[ADDRESS_ROOM], remote[ADDRESS_ROOM];
};

/* Of one network namespace, the one that was asked for last. */
struct kcatch_stuck_tcp {
	char space[64];
	struct connection *connections;
	size_t nr;
};

static void read_connections(struct kcatch_stuck_tcp *tcp, uint32_t tid, const char *protocol)
{
	char path[64], line[512];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/net/%s", tid, protocol);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		struct connection connection, *more;

		if (sscanf(line, "%*s %39s %39s %*s %*s %*s %*s %*s %*s %" SCNu64,
			   connection.local, connection.remote, &connection.inode) != 3 ||
		    !connection.inode)
			continue;
		more = kcatch_array_grow(tcp->connections, tcp->nr, sizeof(*more));
		if (!more)
			break;
		tcp->connections = more;
		more[tcp->nr++] = connection;
	}
	if (file)
		fclose(file);
}

/* The connections of the thread's network namespace. Return: NULL, they cannot be read. */
static const struct kcatch_stuck_tcp *get(struct kcatch_stuck_details *details, uint32_t tid)
{
	char path[64], space[64];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%u/ns/net", tid);
	length = readlink(path, space, sizeof(space) - 1);
	if (length <= 0)
		return NULL;
	space[length] = '\0';
	if (!details->tcp)
		details->tcp = calloc(1, sizeof(*details->tcp));
	if (details->tcp && strcmp(details->tcp->space, space) != 0) {
		free(details->tcp->connections);
		memset(details->tcp, 0, sizeof(*details->tcp));
		strcpy(details->tcp->space, space);
		read_connections(details->tcp, tid, "tcp");
		read_connections(details->tcp, tid, "tcp6");
	}
	return details->tcp;
}

uint64_t kcatch_stuck_tcp_peer(struct kcatch_stuck_details *details, const struct kcatch_task *task,
			       uint64_t inode)
{
	const struct kcatch_stuck_tcp *tcp = get(details, task->tid);
	const struct connection *own = NULL, *at;
	size_t nr = tcp ? tcp->nr : 0, i;

	for (i = 0; i < nr && !own; i++) {
		if (tcp->connections[i].inode == inode)
			own = &tcp->connections[i];
	}
	for (i = 0; own && i < nr; i++) {
		at = &tcp->connections[i];
		if (!strcmp(at->local, own->remote) && !strcmp(at->remote, own->local))
			return at->inode;
	}
	return 0;
}

void kcatch_stuck_tcp_destroy(struct kcatch_stuck_tcp *tcp)
{
	if (tcp)
		free(tcp->connections);
	free(tcp);
}
