/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.c - the sockets by which running recorders are found and asked
 *
 * The socket of a killed recorder stays and refuses connections; so does a new socket until
 * it listens. So whoever creates or removes a socket holds the directory's lock. Every wait
 * for the other side has a time limit, because that process may be stopped or hostile; and a
 * recorder, which has rings to read, does not wait for a question at all.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "control.h"

#define QUESTION_MAX 8192	/* bytes, with the end mark */
#define ANSWER_MAX (1 << 20)	/* bytes, with the end mark */
#define SUFFIX ".sock"
#define AT_ONCE (2 * CONTROL_ASKING)	/* of those who connect and ask without end */
#define SEND_MS 1000	/* who asked reads the answer at once */
#define LOCK_TRIES 50		/* one each 100 ms; the lock is held for a few system calls */

bool control_name_is_good(const char *name)
{
	size_t length = strlen(name);

	return length && length <= CONTROL_NAME_MAX && *name != '.' && *name != '-' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
		       length;
}

static void make_address(const char *name, struct sockaddr_un *address)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	snprintf(address->sun_path, sizeof(address->sun_path), CONTROL_DIRECTORY "/%.*s" SUFFIX,
		 CONTROL_NAME_MAX, name);
}

/* Make connect() and send() fail with EAGAIN after @ms milliseconds. */
static void limit_time(int fd, int ms)
{
	struct timeval limit = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };

	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

/*
 * Return: a descriptor; -ECONNREFUSED: nobody listens; -ETIMEDOUT: the listener accepted
 * nothing in time; another -errno.
 */
static int connect_to(const struct sockaddr_un *address, int timeout_ms)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), error;

	if (fd < 0)
		return -errno;
	limit_time(fd, timeout_ms);
	if (!connect(fd, (const struct sockaddr *)address, sizeof(*address)))
		return fd;
	error = errno == EAGAIN ? ETIMEDOUT : errno;
	close(fd);
	return -error;
}

/* Return: a descriptor, whose close unlocks; -EWOULDBLOCK: already locked; another -errno. */
static int lock_directory(void)
{
	int fd = open(CONTROL_DIRECTORY, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), error;

	if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
		return fd < 0 ? -errno : fd;
	error = errno;
	close(fd);
	return -error;
}

/* Remove the socket of a killed recorder, unless somebody holds the lock to make a new one. */
static void remove_dead(const struct sockaddr_un *address)
{
	int lock = lock_directory(), fd;

	if (lock < 0)
		return;
	fd = connect_to(address, SEND_MS);
	if (fd == -ECONNREFUSED)
		unlink(address->sun_path);
	if (fd >= 0)
		close(fd);
	close(lock);
}

/* Recorders are ours, or root's. */
static bool is_trusted(uid_t owner)
{
	return !owner || owner == geteuid();
}

/* No one else may own the directory, or write to it. Return: 0 or -errno. */
static int check_directory(void)
{
	struct stat status;

	if (lstat(CONTROL_DIRECTORY, &status))
		return -errno;
	if (!S_ISDIR(status.st_mode) || !is_trusted(status.st_uid) || status.st_mode & 022)
		return -EPERM;
	return 0;
}

static int make_directory(void)
{
	return mkdir(CONTROL_DIRECTORY, 0700) && errno != EEXIST ? -errno : check_directory();
}

/* poll() of the control's descriptor tells of @fd, at each arrival if @events say so. */
static int watch(const struct control *control, int fd, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.fd = fd };

	return epoll_ctl(control->fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static void close_both(struct control *control)
{
	if (control->listener >= 0)
		close(control->listener);
	if (control->fd >= 0)
		close(control->fd);
	control->listener = -1;
	control->fd = -1;
}

static int bind_and_listen(struct control *control, const struct sockaddr_un *address)
{
	mode_t mask = umask(0177);
	int ret = bind(control->listener, (const struct sockaddr *)address, sizeof(*address)) ?
			  -errno : 0;

	umask(mask);
	if (ret)
		return ret;
	ret = listen(control->listener, 8) ? -errno : watch(control, control->listener, EPOLLIN);
	if (ret)
		unlink(address->sun_path);
	return ret;
}

/* With the directory's lock held. Return: 0 or -errno. */
static int listen_at(struct control *control, const struct sockaddr_un *address)
{
	int ret, other = connect_to(address, SEND_MS);

	if (other >= 0)
		close(other);
	if (other >= 0 || other == -ETIMEDOUT)
		return -EADDRINUSE;
	if (other == -ECONNREFUSED)
		unlink(address->sun_path);
	control->fd = epoll_create1(EPOLL_CLOEXEC);
	if (control->fd < 0)
		return -errno;
	control->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	ret = control->listener < 0 ? -errno : bind_and_listen(control, address);
	if (ret)
		close_both(control);
	return ret;
}

static int spare_descriptor(void)
{
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

int control_open(struct control *control)
{
	const struct timespec pause = { .tv_nsec = 100000000 };
	struct sockaddr_un address;
	int ret = make_directory(), lock, tries;

	control->fd = -1;
	control->listener = -1;
	control->spare = -1;
	control->nr_asking = 0;
	if (ret)
		return ret;
	lock = lock_directory();
	for (tries = 0; lock == -EWOULDBLOCK && tries < LOCK_TRIES; tries++) {
		nanosleep(&pause, NULL);
		lock = lock_directory();
	}
	if (lock < 0)
		return lock;
	make_address(control->name, &address);
	ret = listen_at(control, &address);
	close(lock);
	if (!ret)
		control->spare = spare_descriptor();
	return ret;
}

void control_close(struct control *control)
{
	struct sockaddr_un address;

	if (control->fd < 0)
		return;
	make_address(control->name, &address);
	unlink(address.sun_path);
	while (control->nr_asking)
		close(control->asking[--control->nr_asking]);
	close_both(control);
	if (control->spare >= 0)
		close(control->spare);
	control->spare = -1;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/*
 * Read a line of at most @room - 1 bytes, newline included; '\0' replaces the newline. What
 * follows it is left to be read.
 * Return: 0; -ETIMEDOUT: not complete in time; -EMSGSIZE: too long; -ECONNRESET; -errno.
 */
static int read_line(int fd, char *line, size_t room, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	int64_t end = now_ms() + timeout_ms, left;
	size_t have = 0;

	while (have + 1 < room) {
		ssize_t got;
		char *newline;

		left = end - now_ms();
		got = left > 0 ? poll(&poll_fd, 1, (int)left) : 0;
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -ETIMEDOUT;
		got = recv(fd, line + have, room - 1 - have, MSG_PEEK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -ECONNRESET;
		newline = memchr(line + have, '\n', (size_t)got);
		if (newline)
			got = newline + 1 - (line + have);
		if (recv(fd, line + have, (size_t)got, 0) != got)
			return -EIO;	/* it was there */
		have += (size_t)got;
		if (newline) {
			*newline = '\0';
			return 0;
		}
	}
	return -EMSGSIZE;
}

static int write_line(int fd, struct json_object *object)
{
	const char *text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
	struct iovec parts[2] = { { (void *)text, strlen(text) }, { (void *)"\n", 1 } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
	ssize_t done;

	do {
		done = sendmsg(fd, &message, MSG_NOSIGNAL);
	} while (done < 0 && errno == EINTR);
	return done == (ssize_t)strlen(text) + 1 ? 0 : done < 0 ? -errno : -EIO;
}

/*
 * A connection that cannot be accepted keeps waiting, and poll() reports it again at once. So one
 * descriptor is kept for that case; if memory is short, or the machine has no descriptors left, it
 * is tried again a little later.
 */
static int accept_one(struct control *control)
{
	const struct timespec pause = { .tv_nsec = 50000000 };
	int fd = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0 && errno == EMFILE && control->spare >= 0) {
		close(control->spare);
		control->spare = -1;
		fd = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC);
	}
	if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS))
		nanosleep(&pause, NULL);
	return fd;
}

/* Whose question is not there yet is no longer waited for; @at: its place. */
static void forget(struct control *control, size_t at)
{
	control->nr_asking--;
	memmove(&control->asking[at], &control->asking[at + 1],
		(control->nr_asking - at) * sizeof(control->asking[0]));
}

/* A new connection. The one that has been silent for longest makes room for it. Return: is there
 * one that could be accepted? */
static bool take_connection(struct control *control)
{
	int fd = accept_one(control);

	if (fd < 0)
		return false;
	limit_time(fd, SEND_MS);
	if (control->nr_asking == CONTROL_ASKING) {
		close(control->asking[0]);
		forget(control, 0);
	}
	/* Told once for each arrival: what waits for the rest of a line is not told again. */
	if (watch(control, fd, EPOLLIN | EPOLLET))
		close(fd);
	else
		control->asking[control->nr_asking++] = fd;
	return true;
}

/* Return: as read_line(); -EAGAIN: the line has not ended yet. */
static int read_question(int fd, char *line, size_t room)
{
	ssize_t have = recv(fd, line, room - 1, MSG_PEEK | MSG_DONTWAIT);

	if (have > 0 && !memchr(line, '\n', (size_t)have))
		return have == (ssize_t)room - 1 ? -EMSGSIZE : -EAGAIN;
	return have > 0 ? read_line(fd, line, room, SEND_MS) : have ? -errno : -ECONNRESET;
}

static void take_question(struct control *control, int fd,
			  struct json_object *(*answer)(void *arg, struct json_object *question),
			  void *arg)
{
	struct json_object *question, *reply;
	char line[QUESTION_MAX];
	size_t at;
	int ret;

	for (at = 0; at < control->nr_asking && control->asking[at] != fd; at++)
		;
	if (at == control->nr_asking)	/* it made room for another */
		return;
	ret = read_question(fd, line, sizeof(line));
	if (ret == -EAGAIN)
		return;
	forget(control, at);
	if (!ret) {
		question = json_tokener_parse(line);
		reply = answer(arg, question);
		if (reply)
			write_line(fd, reply);
		json_object_put(reply);
		json_object_put(question);
	}
	if (control->keeps && control->nr_kept < CONTROL_KEPT) {
		epoll_ctl(control->fd, EPOLL_CTL_DEL, fd, NULL);
		control->kept[control->nr_kept++] = fd;
	} else {
		close(fd);
	}
	control->keeps = false;
}

void control_answer(struct control *control,
		    struct json_object *(*answer)(void *arg, struct json_object *question),
		    void *arg)
{
	struct epoll_event event;
	int i;

	/* One at a time: what is closed is told no more. */
	for (i = 0; i < AT_ONCE && epoll_wait(control->fd, &event, 1, 0) == 1; i++) {
		if (event.data.fd != control->listener)
			take_question(control, event.data.fd, answer, arg);
		else if (!take_connection(control))
			break;
	}
	if (control->spare < 0)
		control->spare = spare_descriptor();
}

void control_tell(struct control *control, struct json_object *object)
{
	while (control->nr_kept) {
		int fd = control->kept[--control->nr_kept];

		if (object)
			write_line(fd, object);
		close(fd);
	}
	json_object_put(object);
}

const char *control_word(struct json_object *question, const char *name)
{
	struct json_object *member;
	const char *text;

	/* Accept only text, and none with a '\0' inside, which would hide the rest. */
	if (!json_object_is_type(question, json_type_object) ||
	    !json_object_object_get_ex(question, name, &member) ||
	    !json_object_is_type(member, json_type_string))
		return "";
	text = json_object_get_string(member);
	return strlen(text) == (size_t)json_object_get_string_len(member) ? text : "";
}

static int read_object(int fd, int timeout_ms, struct json_object **object)
{
	char *line = malloc(ANSWER_MAX);
	int ret = line ? read_line(fd, line, ANSWER_MAX, timeout_ms) : -ENOMEM;

	*object = ret ? NULL : json_tokener_parse(line);
	if (!ret && !json_object_is_type(*object, json_type_object)) {
		json_object_put(*object);
		*object = NULL;
		ret = -EPROTO;
	}
	free(line);
	return ret;
}

static int ask(int fd, struct json_object *question, int timeout_ms, struct json_object **answer)
{
	int ret = question ? write_line(fd, question) : -ENOMEM;

	if (!ret)
		ret = read_object(fd, timeout_ms, answer);
	return ret == -EAGAIN ? -ETIMEDOUT : ret;
}

int control_last(int connection, int timeout_ms, struct json_object **object)
{
	int ret = read_object(connection, timeout_ms, object);

	close(connection);
	return ret;
}

static int connect_and_ask(const struct sockaddr_un *address, struct json_object *question,
			   int timeout_ms, struct json_object **answer, pid_t *pid, int *connection)
{
	struct ucred peer = { 0 };
	socklen_t size = sizeof(peer);
	int ret = check_directory(), fd = ret ? ret : connect_to(address, timeout_ms);

	if (fd == -ECONNREFUSED)
		remove_dead(address);
	if (fd < 0)
		ret = fd;
	else if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) || !is_trusted(peer.uid))
		ret = -EPERM;
	else
		ret = ask(fd, question, timeout_ms, answer);
	if (fd >= 0 && !ret && connection)
		*connection = fd;
	else if (fd >= 0)
		close(fd);
	if (pid)
		*pid = peer.pid;
	return ret;
}

int control_ask(const char *name, struct json_object *question, int timeout_ms,
		struct json_object **answer, pid_t *pid, int *connection)
{
	struct sockaddr_un address;
	int ret;

	*answer = NULL;
	make_address(name, &address);
	ret = connect_and_ask(&address, question, timeout_ms, answer, pid, connection);
	/* A recorder that others connect to hangs up on who is silent: this process may have been
	 * suspended, or the machine have stood still, between the connection and the question. */
	if (ret == -ECONNRESET || ret == -EPIPE)
		ret = connect_and_ask(&address, question, timeout_ms, answer, pid, connection);
	json_object_put(question);
	return ret;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

int control_list(char ***names, size_t *nr)
{
	int ret = check_directory();
	struct dirent *entry;
	DIR *directory;

	*names = NULL;
	*nr = 0;
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	directory = opendir(CONTROL_DIRECTORY);
	if (!directory)
		return errno == ENOENT ? 0 : -errno;
	while ((entry = readdir(directory))) {
		size_t length = strlen(entry->d_name);
		char **more, *name;

		if (length <= strlen(SUFFIX) ||
		    strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX))
			continue;
		name = strndup(entry->d_name, length - strlen(SUFFIX));
		if (name && !control_name_is_good(name)) {
			free(name);
			continue;
		}
		more = name ? realloc(*names, (*nr + 1) * sizeof(*more)) : NULL;
		if (!more) {
			free(name);
			control_list_free(*names, *nr);
			closedir(directory);
			return -ENOMEM;
		}
		*names = more;
		more[(*nr)++] = name;
	}
	closedir(directory);
	if (*nr)
		qsort(*names, *nr, sizeof(**names), by_name);
	return 0;
}

void control_list_free(char **names, size_t nr)
{
	while (nr--)
		free(names[nr]);
	free(names);
}
