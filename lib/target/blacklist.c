/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * blacklist.c - functions that kprobes must not touch
 *
 * Functions are compared by name, as addresses may be hidden. If one of two functions with the
 * same name is blacklisted, both are refused, which errs on the safe side.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/blacklist.h"

#define BLACKLIST "/sys/kernel/debug/kprobes/blacklist"

static int read_all(char **text, size_t *length)
{
	int fd = open(BLACKLIST, O_RDONLY | O_CLOEXEC);
	size_t room = 0;
	int ret = 0;

	if (fd < 0)
		return -errno;
	*length = 0;
	for (;;) {
		ssize_t more;

		if (room - *length < 65536) {
			char *larger = realloc(*text, room + 262144);

			if (!larger) {
				ret = -ENOMEM;
				break;
			}
			*text = larger;
			room += 262144;
		}
		more = read(fd, *text + *length, room - *length);
		if (more < 0 && errno == EINTR)
			continue;
		if (more < 0)
			ret = -errno;
		if (more <= 0)
			break;
		*length += (size_t)more;
	}
	close(fd);
	return ret;
}

int kcatch_blacklist_init(struct kcatch_blacklist *blacklist)
{
	size_t length = 0;
	char *line, *end, *newline;
	int ret;

	memset(blacklist, 0, sizeof(*blacklist));
	ret = read_all(&blacklist->text, &length);
	/* "0xffffffff81000000-0xffffffff81000100\tname" */
	line = blacklist->text;
	end = line ? line + length : NULL;
	while (!ret && line < end && (newline = memchr(line, '\n', (size_t)(end - line)))) {
		char *tab = memchr(line, '\t', (size_t)(newline - line));

		if (tab) {
			size_t name_length = (size_t)(newline - tab) - 1;
			char *space = memchr(tab + 1, ' ', name_length);

			if (space)	/* " [module]" */
				name_length = (size_t)(space - tab) - 1;
			if (kcatch_table_add(&blacklist->names, tab + 1, name_length, 1) < 0)
				ret = -ENOMEM;
		}
		line = newline + 1;
	}
	if (ret)
		kcatch_blacklist_deinit(blacklist);
	return ret;
}

void kcatch_blacklist_deinit(struct kcatch_blacklist *blacklist)
{
	kcatch_table_deinit(&blacklist->names);
	free(blacklist->text);
	memset(blacklist, 0, sizeof(*blacklist));
}

bool kcatch_blacklist_has(const struct kcatch_blacklist *blacklist, const char *name,
			  size_t length)
{
	return kcatch_table_find(&blacklist->names, name, length) != NULL;
}
