/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz.c - what the fuzzers share: input, a directory, random choices */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

static int said;

/* libFuzzer may close standard error later: what the code under test says is not wanted. */
__attribute__((constructor)) static void keep_stderr(void)
{
	said = dup(STDERR_FILENO);
}

void fuzz_fail(const char *file, int line, const char *format, ...)
{
	va_list args;

	dprintf(said, "%s:%d: ", file, line);
	va_start(args, format);
	vdprintf(said, format, args);
	va_end(args);
	dprintf(said, "\n");
	abort();
}

uint64_t fuzz_number(struct fuzz_input *input, unsigned int bytes)
{
	uint64_t number = 0;
	size_t size = bytes;
	const uint8_t *from = fuzz_take(input, &size);

	memcpy(&number, from, size);
	return number;
}

const uint8_t *fuzz_take(struct fuzz_input *input, size_t *size)
{
	const uint8_t *at = input->at;

	if (*size > input->left)
		*size = input->left;
	input->at += *size;
	input->left -= *size;
	return at;
}

/* ---- files --------------------------------------------------------------------------- */

static char directory[64];
static int owner;

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static void remove_directory(void)
{
	if (getpid() == owner)
		nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_directory(void)
{
	if (*directory)
		return directory;
	snprintf(directory, sizeof(directory), "%.30s/kcatch-fuzz-XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	FUZZ_CHECK(mkdtemp(directory), "mkdtemp: %s", strerror(errno));
	owner = getpid();
	atexit(remove_directory);
	return directory;
}

const char *fuzz_path(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", fuzz_directory(), name);
	return path;
}

static void make_folders(const char *name)
{
	char folder[100];
	size_t length;

	for (length = strcspn(name, "/"); name[length];
	     length += 1 + strcspn(name + length + 1, "/")) {
		snprintf(folder, sizeof(folder), "%.*s", (int)length, name);
		mkdir(fuzz_path(folder), 0700);
	}
}

void fuzz_write(const char *name, const void *bytes, size_t size)
{
	int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
	int fd = open(fuzz_path(name), flags, 0600);

	if (fd < 0 && errno == ENOENT) {
		make_folders(name);
		fd = open(fuzz_path(name), flags, 0600);
	}
	FUZZ_CHECK(fd >= 0 && write(fd, bytes, size) == (ssize_t)size, "%s: %s", name,
		   strerror(errno));
	close(fd);
}

void fuzz_remove(const char *name)
{
	unlink(fuzz_path(name));
}

/* ---- choices of a mutator ------------------------------------------------------------ */

static uint64_t state = 1;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

void fuzz_seed(unsigned int seed)
{
	state = (seed + 1ULL) * 0x9e3779b97f4a7c15ULL;
	next_random();
}

size_t fuzz_choose(size_t nr)
{
	return nr ? (next_random() >> 11) % nr : 0;
}

uint64_t fuzz_interesting(void)
{
	uint64_t number = next_random();

	switch (fuzz_choose(6)) {
	case 0:
		return number % 20;
	case 1:
		return (uint64_t)0 - number % 5;
	case 2:
		return (1ULL << (number >> 8) % 64) - 1 + number % 3;
	case 3:
		return number % 5000;
	case 4:
		return 1ULL << number % 64;
	default:
		return number;
	}
}

void fuzz_change_word(uint8_t *bytes, size_t size)
{
	static const size_t widths[] = { 1, 2, 4, 4, 8, 8 };
	size_t width = widths[fuzz_choose(6)], at;
	uint64_t number;

	if (size < width)
		return;
	at = fuzz_choose(size / width) * width;
	memcpy(&number, bytes + at, width);
	switch (fuzz_choose(4)) {
	case 0:
		number += 1 + fuzz_choose(8);
		break;
	case 1:
		number -= 1 + fuzz_choose(8);
		break;
	case 2:
		number ^= 1ULL << fuzz_choose(8 * width);
		break;
	default:
		number = fuzz_interesting();
	}
	memcpy(bytes + at, &number, width);
}
