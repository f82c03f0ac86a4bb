/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* pieces.c - names of the pieces of a recording */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/array.h"
#include "recording/pieces.h"

#define PREFIX "piece-"
#define DIGITS 8U

const char *kcatch_piece_name(uint32_t number, char name[KCATCH_PIECE_NAME])
{
	snprintf(name, KCATCH_PIECE_NAME, "." PREFIX "%08u", number % (KCATCH_PIECES_MAX + 1));
	return name + 1;
}

/* 0: it is no piece. */
static uint32_t number_of(const char *name)
{
	const char *digits = name + strlen(PREFIX);

	if (strncmp(name, PREFIX, strlen(PREFIX)) || strspn(digits, "0123456789") != DIGITS ||
	    digits[DIGITS])
		return 0;
	return (uint32_t)strtoul(digits, NULL, 10);
}

static int by_number(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

int kcatch_pieces_list(int directory, struct kcatch_recording_pieces *pieces)
{
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	*pieces = (struct kcatch_recording_pieces){ .nr = 0 };
	if (!entries) {
		int error = errno;

		if (fd >= 0)
			close(fd);
		return kcatch_error_system(error, "list the recording's pieces");
	}
	while ((entry = readdir(entries))) {
		uint32_t number = number_of(entry->d_name), *more;

		if (!number)
			continue;
		more = kcatch_array_grow(pieces->numbers, pieces->nr, sizeof(*more));
		if (!more) {
			free(pieces->numbers);
			closedir(entries);
			return kcatch_error_memory();
		}
		pieces->numbers = more;
		more[pieces->nr++] = number;
	}
	closedir(entries);
	if (pieces->nr)
		qsort(pieces->numbers, pieces->nr, sizeof(*pieces->numbers), by_number);
	return 0;
}
