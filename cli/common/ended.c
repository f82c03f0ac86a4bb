/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ended.c - recorders that have ended, for kcatch sessions */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "ended.h"
#include "recorders.h"

#define FILE_NAME CONTROL_DIRECTORY "/.ended"
#define FILE_BYTES (1U << 20)	/* a larger one is not ours */
#define KEPT_S (24 * 60 * 60)
#define KEPT_MOST 50U

/* Return: the file, locked until it is closed; -1. */
static int open_file(int flags)
{
	struct stat status;
	int fd = open(FILE_NAME, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);

	if (fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    (!status.st_uid || status.st_uid == geteuid()) && !(status.st_mode & 022) &&
	    status.st_size < FILE_BYTES && !flock(fd, LOCK_EX))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void add_line(struct json_object ***objects, size_t *nr, const char *line)
{
	struct json_object *object = json_tokener_parse(line), **more;
	uint64_t now = (uint64_t)time(NULL), ended;

	if (!json_object_is_type(object, json_type_object)) {
		json_object_put(object);
		return;
	}
	ended = recorder_number(object, "ended");
	more = ended <= now && now - ended < KEPT_S ?
		       realloc(*objects, (*nr + 1) * sizeof(struct json_object *)) : NULL;
	if (!more) {
		json_object_put(object);
		return;
	}
	*objects = more;
	more[(*nr)++] = object;
}

static void read_all(int fd, struct json_object ***objects, size_t *nr)
{
	char *text = malloc(FILE_BYTES + 1), *line, *save = NULL;
	ssize_t got = text ? pread(fd, text, FILE_BYTES, 0) : -1;

	*objects = NULL;
	*nr = 0;
	if (got > 0) {
		text[got] = '\0';
		for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
			add_line(objects, nr, line);
	}
	free(text);
}

void ended_list(struct json_object ***objects, size_t *nr)
{
	int fd = open_file(O_RDONLY);

	*objects = NULL;
	*nr = 0;
	if (fd < 0)
		return;
	read_all(fd, objects, nr);
	close(fd);
}

void ended_forget(struct json_object **objects, size_t nr)
{
	while (nr--)
		json_object_put(objects[nr]);
	free(objects);
}

static void put_line(FILE *out, struct json_object *object)
{
	fputs(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN), out);
	fputc('\n', out);
}

void ended_note(struct json_object *object)
{
	struct json_object **others;
	int fd = object ? open_file(O_RDWR | O_CREAT) : -1;
	size_t nr, i;
	FILE *out;

	if (fd < 0) {
		json_object_put(object);
		return;
	}
	read_all(fd, &others, &nr);
	out = fdopen(fd, "r+");
	if (!out) {
		close(fd);
	} else {
		if (ftruncate(fd, 0))
			nr = 0;	/* then they stay, and this one is written over them */
		for (i = nr < KEPT_MOST ? 0 : nr - KEPT_MOST + 1; i < nr; i++)
			put_line(out, others[i]);
		put_line(out, object);
		fclose(out);
	}
	ended_forget(others, nr);
	json_object_put(object);
}
