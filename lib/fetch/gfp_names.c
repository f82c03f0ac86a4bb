/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* gfp_names.c - reads the names of gfp_t's flags from the format of an event */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "constants/constant_sets.h"
#include "fetch/gfp_names.h"
#include "types/running_kernel.h"

#define EVENT      "events/kmem/mm_page_alloc/format"
#define FORMAT_MAX (64U << 10)
#define NAMES_MAX  96U
#define DEPTH_MAX  64

/* ---- a number as the preprocessor left it: (( gfp_t)(0x400u|0x800u)) & ~(1UL << (11)) ---- */

struct reader {
	const char *at;
	int depth;
	bool failed;
};

static uint64_t read_or(struct reader *reader);

static bool skip(struct reader *reader, const char *token)
{
	const size_t length = strlen(token);

	while (*reader->at == ' ')
		reader->at++;
	if (strncmp(reader->at, token, length) != 0)
		return false;
	reader->at += length;
	return true;
}

static uint64_t fail(struct reader *reader)
{
	reader->failed = true;
	return 0;
}

static uint64_t read_digits(struct reader *reader)
{
	char *end;
	uint64_t number = strtoull(reader->at, &end, 0);

	if (end == reader->at)
		return fail(reader);
	reader->at = end + strspn(end, "uUlL");
	return number;
}

static uint64_t read_one(struct reader *reader)
{
	uint64_t number;

	if (reader->failed || ++reader->depth > DEPTH_MAX)
		return fail(reader);
	if (skip(reader, "~")) {
		number = ~read_one(reader);
	} else if (skip(reader, "( gfp_t)") || skip(reader, "(gfp_t)")) {
		number = (uint32_t)read_one(reader);
	} else if (skip(reader, "( unsigned long)") || skip(reader, "(unsigned long)")) {
		number = read_one(reader);
	} else if (skip(reader, "(")) {
		number = read_or(reader);
		if (!skip(reader, ")"))
			fail(reader);
	} else {
		number = read_digits(reader);
	}
	reader->depth--;
	return number;
}

static uint64_t read_shift(struct reader *reader)
{
	uint64_t number = read_one(reader), bits;

	while (skip(reader, "<<")) {
		bits = read_one(reader);
		number = bits < 64 ? number << bits : fail(reader);
	}
	return number;
}

static uint64_t read_and(struct reader *reader)
{
	uint64_t number = read_shift(reader);

	while (skip(reader, "&"))
		number &= read_shift(reader);
	return number;
}

static uint64_t read_or(struct reader *reader)
{
	uint64_t number = read_and(reader);

	while (skip(reader, "|"))
		number |= read_and(reader);
	return number;
}

/* ---- the list of names ----------------------------------------------------------------- */

static struct kcatch_constant flags[NAMES_MAX + 1];
static char names[NAMES_MAX][32];
static const struct kcatch_constants set = { .flags = flags, .zero = "none" };

/* Read {NUMBER, "NAME"}. False: it is the end of the list, or written in another way. */
static bool read_name(struct reader *reader, struct kcatch_constant *flag, char name[32])
{
	size_t length;

	if (!skip(reader, "{"))
		return false;
	flag->number = (int64_t)read_or(reader);
	if (!skip(reader, ",") || !skip(reader, "\""))
		return false;
	length = strcspn(reader->at, "\"");
	if (reader->failed || !length || length >= 32)
		return false;
	memcpy(name, reader->at, length);
	name[length] = '\0';
	flag->name = name;
	reader->at += length;
	return skip(reader, "\"") && skip(reader, "}");
}

const struct kcatch_constants *kcatch_gfp_names_parse(const char *format)
{
	static const char begin[] = "__print_flags(REC->gfp_flags, \"|\",";
	const char *list = strstr(format, begin);
	struct reader reader = { .at = list ? list + sizeof(begin) - 1 : "" };
	uint32_t nr = 0;

	memset(flags, 0, sizeof(flags));
	while (nr < NAMES_MAX && read_name(&reader, &flags[nr], names[nr])) {
		/* Without a bit it is a flag that this kernel is built without. */
		nr += flags[nr].number != 0;
		if (!skip(&reader, ","))
			break;
	}
	/* Newer kernels end the list by one without a name. */
	flags[nr].name = NULL;
	return nr && !reader.failed ? &set : NULL;
}

static const struct kcatch_constants *of_kernel;

static void read_kernel(void)
{
	char *format;
	size_t size;
	FILE *file;

	if (kcatch_machine_open_tracefs(EVENT, "the names of flags", &file))
		return;
	format = malloc(FORMAT_MAX);
	size = format ? fread(format, 1, FORMAT_MAX - 1, file) : 0;
	fclose(file);
	if (format) {
		format[size] = '\0';
		of_kernel = kcatch_gfp_names_parse(format);
	}
	free(format);
}

const struct kcatch_constants *kcatch_gfp_names(struct kcatch_type type)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!kcatch_type_has_name(type, "gfp_t") || !kcatch_running_kernel_has(type.btf))
		return NULL;
	pthread_once(&once, read_kernel);
	return of_kernel;
}
