/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * other_ends.c - finds the processes that have the other end of the pipe or socket, or the eventfd,
 * that a thread waits for, also where it polls
 */
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "stuck/open_files.h"
#include "stuck/wait_detail.h"

#define NAMES_MAX 4	/* processes that are named */

/* struct sock.sk_state of the kernel: also of unix sockets */
enum { CONNECTED = 1, HAS_FINISHED = 4, HAS_FINISHED_2 = 5, PEER_HAS_FINISHED = 8, LISTENS = 10 };

#define TO_READ (EPOLLIN | EPOLLRDNORM)
#define TO_WRITE (EPOLLOUT | EPOLLWRNORM)

/* What a file is waited for. */
struct awaited {
	const struct kcatch_task *task;
	struct kcatch_open_file file;
	enum kcatch_stuck_what what;
	bool to_write;
	bool neither;	/* it polls for something else than to read or to write */
	int fd;
	uint64_t end;	/* of a socket: the struct socket, or of TCP the inode, of the other end */
};

/* Does its system call write to what it is about? */
static bool writes(const struct kcatch_task *task)
{
	switch (kcatch_task_call(task)) {
	case SYS_write:
	case SYS_writev:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
		return true;
	default:
		return false;
	}
}

/* A message may be for another socket than the one that its own is connected with. */
static bool may_have_addressee(const struct kcatch_task *task)
{
	switch (kcatch_task_call(task)) {
	case SYS_sendto:
		return kcatch_task_arg(task, 4);
	case SYS_sendmsg:
	case SYS_sendmmsg:
		return true;
	default:
		return false;
	}
}

static uint32_t mode_of(struct kcatch_stuck_details *details, uint64_t inode)
{
	struct kcatch_stuck_place mode[] = { { "struct inode", "i_mode", 0 } };

	return kcatch_stuck_learn(details, mode, 1) ?
	       (uint16_t)kcatch_stuck_word(details, inode + mode[0].offset) : 0;
}

/* ---- sockets ---------------------------------------------------------------------------- */

/*
 * The struct socket that the unix socket @sock is connected with. Others than a connected one may
 * send datagrams to one with a name; to one without only one that is connected with it.
 */
static uint64_t find_unix_peer(struct kcatch_stuck_details *details, uint64_t sock, uint32_t type,
			       bool to_write)
{
	enum { PEER, NAME, OF };
	struct kcatch_stuck_place places[] = {
		[PEER] = { "struct unix_sock", "peer", 0 },
		[NAME] = { "struct unix_sock", "addr", 0 },
		[OF] = { "struct sock", "sk_socket", 0 },
	};
	uint64_t peer;

	if (!kcatch_stuck_learn(details, places, sizeof(places) / sizeof(places[0])))
		return 0;
	peer = kcatch_stuck_word(details, sock + places[PEER].offset);
	if (!peer)
		return 0;
	if (type == SOCK_DGRAM && !to_write &&
	    (kcatch_stuck_word(details, sock + places[NAME].offset) ||
	     kcatch_stuck_word(details, peer + places[PEER].offset) != sock))
		return 0;
	return kcatch_stuck_word(details, peer + places[OF].offset);
}

/* The struct socket of the unix socket in whose queue a thread waits for room: it may be another
 * one than that which its own is connected with. */
static uint64_t find_unix_queue(struct kcatch_stuck_details *details,
				const struct kcatch_task *task)
{
	enum { WAITERS, QUEUE, OF, COMMON, FAMILY };
	struct kcatch_stuck_place p[] = {
		[WAITERS] = { "struct unix_sock", "peer_wq", 0 },
		[QUEUE] = { "struct socket_wq", "wait", 0 },
		[OF] = { "struct sock", "sk_socket", 0 },
		[COMMON] = { "struct sock", "__sk_common", 0 },
		[FAMILY] = { "struct sock_common", "skc_family", 0 },
	};
	uint64_t sock = kcatch_stuck_queue_find(details, task, "autoremove_wake_function");

	if (!sock || !kcatch_stuck_learn(details, p, sizeof(p) / sizeof(p[0])))
		return 0;
	sock -= p[WAITERS].offset + p[QUEUE].offset;
	if ((uint16_t)kcatch_stuck_word(details, sock + p[COMMON].offset + p[FAMILY].offset) !=
	    AF_UNIX)
		return 0;
	return kcatch_stuck_word(details, sock + p[OF].offset);
}

/* Which socket it is, and its other end. Return: what is waited for, in words; NULL: not known */
static const char *look_at_socket(struct kcatch_stuck_details *details, struct awaited *awaited)
{
	enum { SOCK, COMMON, FAMILY, STATE, TYPE, PROTOCOL };
	struct kcatch_stuck_place p[] = {
		[SOCK] = { "struct socket", "sk", 0 },
		[COMMON] = { "struct sock", "__sk_common", 0 },
		[FAMILY] = { "struct sock_common", "skc_family", 0 },
		[STATE] = { "struct sock_common", "skc_state", 0 },
		[TYPE] = { "struct sock", "sk_type", 0 },
		[PROTOCOL] = { "struct sock", "sk_protocol", 0 },
	};
	uint32_t family, state, type, protocol;
	uint64_t sock;

	if (!kcatch_stuck_learn(details, p, sizeof(p) / sizeof(p[0])))
		return NULL;
	sock = kcatch_stuck_word(details, awaited->file.private + p[SOCK].offset);
	if (!sock)
		return NULL;
	family = (uint16_t)kcatch_stuck_word(details, sock + p[COMMON].offset + p[FAMILY].offset);
	state = (uint8_t)kcatch_stuck_word(details, sock + p[COMMON].offset + p[STATE].offset);
	type = (uint16_t)kcatch_stuck_word(details, sock + p[TYPE].offset);
	protocol = (uint16_t)kcatch_stuck_word(details, sock + p[PROTOCOL].offset);
	if (family == AF_UNIX) {
		awaited->what = KCATCH_STUCK_UNIX;
		if (type != SOCK_DGRAM || !may_have_addressee(awaited->task))
			awaited->end = find_unix_peer(details, sock, type, awaited->to_write);
		return type != SOCK_DGRAM && state == LISTENS ? "a connection" :
		       type == SOCK_DGRAM && !awaited->to_write ? "a datagram on a unix socket" :
		       type == SOCK_DGRAM ? "room at a unix socket" : "its peer on a unix socket";
	}
	if ((family != AF_INET && family != AF_INET6) || type != SOCK_STREAM || protocol != 6)
		return NULL;
	awaited->what = KCATCH_STUCK_TCP;
	if (state == LISTENS)
		return "a connection";
	/* One direction may be at its end, and the other not. */
	if (state != CONNECTED && state != HAS_FINISHED && state != HAS_FINISHED_2 &&
	    state != PEER_HAS_FINISHED)
		return NULL;
	awaited->end = kcatch_stuck_tcp_peer(details, awaited->task,
					     kcatch_stuck_file_number(details, &awaited->file));
	return awaited->to_write ? "room at its TCP peer" : "data from its TCP peer";
}

/* ---- what is waited for ------------------------------------------------------------------- */

/* Which kind of file it is. Return: what is waited for, in words; NULL: not known */
static const char *look_at(struct kcatch_stuck_details *details, struct awaited *awaited)
{
	uint32_t mode = mode_of(details, awaited->file.inode);

	if (S_ISFIFO(mode)) {
		awaited->what = awaited->to_write ? KCATCH_STUCK_PIPE_ROOM : KCATCH_STUCK_PIPE_DATA;
		return awaited->to_write ? "room in a pipe" : "data in a pipe";
	}
	if (S_ISSOCK(mode))
		return look_at_socket(details, awaited);
	if (!kcatch_stuck_is_named(details, awaited->file.operations, "eventfd_fops"))
		return NULL;
	awaited->what = KCATCH_STUCK_EVENTFD;
	return awaited->to_write ? "a read of an eventfd" : "a write to an eventfd";
}

/* The struct eventpoll that a thread in epoll_wait() asks; 0: not known. */
static uint64_t find_eventpoll(struct kcatch_stuck_details *details,
			       const struct kcatch_task *task)
{
	uint64_t at = kcatch_stuck_file_at(details, task, kcatch_stuck_descriptor(task, false));
	struct kcatch_open_file file;

	return kcatch_stuck_file_read(details, at, &file) &&
	       kcatch_stuck_is_named(details, file.operations, "eventpoll_fops") ? file.private : 0;
}

/* The file that a thread polls, if it is one. */
static bool find_polled(struct kcatch_stuck_details *details, struct awaited *awaited)
{
	struct kcatch_polled polled;
	uint64_t eventpoll;

	if (awaited->what == KCATCH_STUCK_POLL) {
		if (!kcatch_stuck_polled_find(details, awaited->task, &polled))
			return false;
	} else {
		eventpoll = find_eventpoll(details, awaited->task);
		if (!eventpoll || !kcatch_stuck_epolled_find(details, eventpoll, &polled))
			return false;
	}
	if (!kcatch_stuck_file_read(details, polled.file, &awaited->file))
		return false;
	awaited->fd = polled.fd;
	awaited->to_write = !(polled.events & TO_READ) && polled.events & TO_WRITE;
	awaited->neither = !(polled.events & (TO_READ | TO_WRITE));
	return true;
}

static bool is_other_end(struct kcatch_stuck_details *details, const struct awaited *awaited,
			 struct kcatch_open_file *file)
{
	if (file->operations != awaited->file.operations)
		return false;
	switch (awaited->what) {
	case KCATCH_STUCK_PIPE_DATA:
		return file->inode == awaited->file.inode && file->mode & KCATCH_FILE_WRITES;
	case KCATCH_STUCK_PIPE_ROOM:
		return file->inode == awaited->file.inode && file->mode & KCATCH_FILE_READS;
	case KCATCH_STUCK_UNIX:
	case KCATCH_STUCK_UNIX_QUEUE:
		return awaited->end && file->private == awaited->end;
	case KCATCH_STUCK_TCP:
		return awaited->end && kcatch_stuck_file_number(details, file) == awaited->end;
	case KCATCH_STUCK_EVENTFD:
		return file->private == awaited->file.private;
	default:
		return false;
	}
}

/* ---- who has it --------------------------------------------------------------------------- */

/* The processes that have the other end. */
struct holders {
	bool own;	/* the thread's own process has it */
	uint32_t nr;	/* of others */
	uint32_t last;	/* first thread of the last one */
	char names[NAMES_MAX * (KCATCH_STUCK_NAME_ROOM + 2)];
};

static bool find_holders(struct kcatch_stuck_details *details, struct awaited *awaited,
			 struct holders *holders)
{
	size_t nr = 0, used = 0, i;
	struct kcatch_open_file *files = kcatch_stuck_files(details, &nr);
	uint32_t last_pid = 0;

	*holders = (struct holders){ .nr = 0 };
	for (i = 0; files && i < nr; i++) {
		const struct kcatch_task *task = &details->list->tasks[files[i].thread];
		bool own = task->pid == awaited->task->pid;
		char name[KCATCH_STUCK_NAME_ROOM];

		if (own && awaited->fd < 0 && files[i].address == awaited->file.address)
			awaited->fd = files[i].fd;
		if (task->pid == last_pid || !is_other_end(details, awaited, &files[i]))
			continue;
		if (own) {
			holders->own = true;
			continue;
		}
		last_pid = task->pid;
		holders->last = files[i].thread;
		kcatch_stuck_task_name(task, name, sizeof(name));
		if (holders->nr++ < NAMES_MAX)
			used += (size_t)snprintf(holders->names + used,
						 sizeof(holders->names) - used, "%s%s",
						 holders->nr > 1 ? ", " : "", name);
	}
	return files;
}

/* ", whose other end sh(123) has"; "" if that is not known */
static void show_holders(const struct awaited *awaited, const struct holders *holders, char *text,
			 size_t room)
{
	bool itself = awaited->what == KCATCH_STUCK_EVENTFD ||
		      awaited->what == KCATCH_STUCK_UNIX_QUEUE;
	bool pipe = awaited->what == KCATCH_STUCK_PIPE_DATA ||
		    awaited->what == KCATCH_STUCK_PIPE_ROOM;
	char more[24] = "";

	text[0] = '\0';
	if (holders->nr > NAMES_MAX)
		snprintf(more, sizeof(more), " and %u more", holders->nr - NAMES_MAX);
	if (holders->nr && itself)
		snprintf(text, room, ", which %s%s ha%s open%s", holders->names, more,
			 holders->nr > 1 ? "ve" : "s", holders->own ? " as well" : "");
	else if (holders->nr)
		snprintf(text, room, ", whose other end %s%s ha%s%s", holders->names, more,
			 holders->nr > 1 ? "ve" : "s",
			 holders->own ? ", and its own process" : "");
	else if (holders->own)
		snprintf(text, room, itself ? ", which only its own process has open" :
					      ", whose other end only its own process has");
	/* What is on its way in a message, or registered with io_uring, has no descriptor. */
	else if (pipe || awaited->end)
		snprintf(text, room, ", wh%s no process has at a descriptor",
			 itself ? "ich" : "ose other end");
}

/* Who sends a datagram waits at the other one's queue, or for what its own has sent to be received:
 * then it is the one that its own is connected with. */
static void look_at_queue(struct kcatch_stuck_details *details, struct awaited *awaited)
{
	uint64_t socket = find_unix_queue(details, awaited->task);

	if (!socket)
		return;
	awaited->what = KCATCH_STUCK_UNIX_QUEUE;
	awaited->end = socket;
}

/* The file that a system call is about. */
static bool find_file(struct kcatch_stuck_details *details, struct awaited *awaited)
{
	awaited->to_write = awaited->what == KCATCH_STUCK_PIPE_ROOM ||
			    (awaited->what != KCATCH_STUCK_PIPE_DATA && writes(awaited->task));
	awaited->fd = kcatch_stuck_descriptor(awaited->task, awaited->to_write);
	return kcatch_stuck_file_read(details, kcatch_stuck_file_at(details, awaited->task,
								    awaited->fd),
				      &awaited->file);
}

void kcatch_stuck_end_find(struct kcatch_stuck_details *details, uint32_t at,
			   enum kcatch_stuck_what what, struct kcatch_stuck_thread *thread)
{
	struct awaited awaited = { .task = &details->list->tasks[at], .what = what, .fd = -1 };
	char whose[NAMES_MAX * (KCATCH_STUCK_NAME_ROOM + 2) + 128] = "", descriptor[40] = "";
	const char *words, *reason;
	struct holders holders;
	bool polls = false;

	switch (what) {
	case KCATCH_STUCK_PIPE_DATA:
	case KCATCH_STUCK_PIPE_ROOM:
	case KCATCH_STUCK_UNIX:
	case KCATCH_STUCK_UNIX_QUEUE:
	case KCATCH_STUCK_TCP:
	case KCATCH_STUCK_EVENTFD:
		if (!find_file(details, &awaited))
			return;
		break;
	case KCATCH_STUCK_POLL:
	case KCATCH_STUCK_EPOLL:
		polls = true;
		if (!find_polled(details, &awaited))
			return;
		break;
	default:
		return;
	}
	words = awaited.neither ? NULL : look_at(details, &awaited);
	if (what == KCATCH_STUCK_UNIX_QUEUE && awaited.what == KCATCH_STUCK_UNIX)
		look_at_queue(details, &awaited);
	/* A descriptor may have become another file meanwhile. */
	if ((!polls && (!words || (awaited.what != what && what != KCATCH_STUCK_UNIX_QUEUE))) ||
	    !find_holders(details, &awaited, &holders))
		return;
	if (words)
		show_holders(&awaited, &holders, whose, sizeof(whose));
	if (polls && awaited.fd >= 0)
		snprintf(descriptor, sizeof(descriptor), " of descriptor %d", awaited.fd);
	reason = kcatch_stuck_say(details, "%s%s%s%s%s", thread->reason, descriptor,
				  polls && words ? ": " : "", polls && words ? words : "", whose);
	thread->reason = reason ?: thread->reason;
	if (holders.nr == 1 && (!holders.own || awaited.what == KCATCH_STUCK_EVENTFD)) {
		thread->waits_for = holders.last;
		thread->named = true;
	}
}
