/* SPDX-License-Identifier: GPL-2.0-or-later */
/* control.c - recorders that run can be found and spoken to */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "control.h"

#define QUESTION_MAX 8192
#define ANSWER_MAX (1 << 20)
#define SUFFIX ".sock"
#define QUESTION_MS 1000	/* a question comes at once */
#define ANSWER_MS 120000	/* a snapshot takes as long as the disk does */

bool control_name_is_good(const char *name)
{
	size_t length = strlen(name);

	return length && length <= CONTROL_NAME_MAX && *name != '.' && *name != '-' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == length;
}

static void make_address(const char *name, struct sockaddr_un *address)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	snprintf(address->sun_path, sizeof(address->sun_path), CONTROL_DIRECTORY "/%.*s" SUFFIX,
		 CONTROL_NAME_MAX, name);
}

/* A descriptor, or -errno: -ECONNREFUSED when nobody listens any more. */
static int connect_to(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), error;

	if (fd < 0)
		return -errno;
	if (!connect(fd, (const struct sockaddr *)address, sizeof(*address)))
		return fd;
	error = errno;
	close(fd);
	return -error;
}

/* Nobody but root may look in. */
static int make_directory(void)
{
	struct stat status;

	if (mkdir(CONTROL_DIRECTORY, 0700) && errno != EEXIST)
		return -errno;
	if (lstat(CONTROL_DIRECTORY, &status))
		return -errno;
	if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || status.st_mode & 022)
		return -EPERM;
	return 0;
}

int control_open(struct control *control)
{
	struct sockaddr_un address;
	mode_t mask;
	int ret = make_directory(), other;

	control->fd = -1;
	if (ret)
		return ret;
	make_address(control->name, &address);
	other = connect_to(&address);
	if (other >= 0) {
		close(other);
		return -EADDRINUSE;
	}
	if (other == -ECONNREFUSED)
		unlink(address.sun_path);
	control->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (control->fd < 0)
		return -errno;
	mask = umask(0177);
	if (bind(control->fd, (const struct sockaddr *)&address, sizeof(address)))
		ret = -errno;
	umask(mask);
	if (!ret && listen(control->fd, 8)) {
		ret = -errno;
		unlink(address.sun_path);
	}
	if (ret) {
		close(control->fd);
		control->fd = -1;
	}
	return ret;
}

void control_close(struct control *control)
{
	struct sockaddr_un address;

	if (control->fd < 0)
		return;
	make_address(control->name, &address);
	unlink(address.sun_path);
	close(control->fd);
	control->fd = -1;
}

/* A line of at most @room - 1 bytes, with an end mark for the newline. */
static int read_line(int fd, char *line, size_t room, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	size_t have = 0;

	while (have + 1 < room) {
		ssize_t got;
		char *newline;

		if (poll(&poll_fd, 1, timeout_ms) <= 0)
			return -ETIMEDOUT;
		got = read(fd, line + have, room - 1 - have);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -ECONNRESET;
		newline = memchr(line + have, '\n', (size_t)got);
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

void control_answer(struct control *control,
		    struct json_object *(*answer)(void *arg, struct json_object *question), void *arg)
{
	int fd = accept4(control->fd, NULL, NULL, SOCK_CLOEXEC);
	struct json_object *question, *reply;
	char line[QUESTION_MAX];

	if (fd < 0)
		return;
	if (!read_line(fd, line, sizeof(line), QUESTION_MS)) {
		question = json_tokener_parse(line);
		reply = answer(arg, question);
		if (reply)
			write_line(fd, reply);
		json_object_put(reply);
		json_object_put(question);
	}
	close(fd);
}

int control_ask(const char *name, struct json_object *question, struct json_object **answer)
{
	struct sockaddr_un address;
	char *line = malloc(ANSWER_MAX);
	int fd, ret;

	*answer = NULL;
	make_address(name, &address);
	fd = connect_to(&address);
	if (fd < 0 || !line || !question) {
		/* Killed: its socket stayed. */
		if (fd == -ECONNREFUSED)
			unlink(address.sun_path);
		if (fd >= 0)
			close(fd);
		json_object_put(question);
		free(line);
		return fd < 0 ? fd : -ENOMEM;
	}
	ret = write_line(fd, question);
	if (!ret)
		ret = read_line(fd, line, ANSWER_MAX, ANSWER_MS);
	if (!ret) {
		*answer = json_tokener_parse(line);
		if (!json_object_is_type(*answer, json_type_object)) {
			json_object_put(*answer);
			*answer = NULL;
			ret = -EPROTO;
		}
	}
	json_object_put(question);
	close(fd);
	free(line);
	return ret;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

int control_list(char ***names, size_t *nr)
{
	DIR *directory = opendir(CONTROL_DIRECTORY);
	struct dirent *entry;

	*names = NULL;
	*nr = 0;
	if (!directory)
		return errno == ENOENT ? 0 : -errno;
	while ((entry = readdir(directory))) {
		size_t length = strlen(entry->d_name);
		char **more, *name;

		if (length <= strlen(SUFFIX) || strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX))
			continue;
		name = strndup(entry->d_name, length - strlen(SUFFIX));
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
