/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * demangle.c - readable names by GCC's libiberty
 *
 * A symbol of 400 bytes may stand for a name of terabytes, and whoever runs a program chooses its
 * symbols. libiberty has no limit but gives the name out in pieces, and holds no memory of the heap
 * meanwhile: so a name that gets too long is left by a jump.
 */
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include "debuginfo/demangle.h"

#define NAME_MAX_BYTES 4000
#define SYMBOL_MAX_BYTES 4000
#define NAMES_MAX 65536
#define OPTIONS (DMGL_PARAMS | DMGL_ANSI)

struct output {
	char text[NAME_MAX_BYTES];
	size_t length;
	jmp_buf too_long;
};

static void add(const char *piece, size_t length, void *arg)
{
	struct output *output = arg;

	if (length >= sizeof(output->text) - output->length)
		longjmp(output->too_long, 1);
	memcpy(output->text + output->length, piece, length);
	output->length += length;
}

/* Rust's older symbols are valid ones of C++, too. Return: whether @output has the name. */
static bool demangle(const char *symbol, struct output *output)
{
	if (setjmp(output->too_long))
		return false;
	output->length = 0;
	if (rust_demangle_callback(symbol, OPTIONS, add, output) && output->length)
		return true;
	output->length = 0;
	return cplus_demangle_v3_callback(symbol, OPTIONS, add, output) && output->length;
}

static const char *keep(struct kcatch_demangled *demangled, const char *symbol, const char *name,
			size_t length, const char *version)
{
	size_t size = strlen(symbol) + 1, behind = strlen(version) + 1;
	char *own = kcatch_arena_take(&demangled->arena, size + length + behind);

	if (!own)
		return symbol;
	memcpy(own, symbol, size);
	memcpy(own + size, name, length);
	memcpy(own + size + length, version, behind);
	if (kcatch_table_add(&demangled->names, own, size - 1, (size_t)(own + size)) < 0)
		return symbol;
	return own + size;
}

const char *kcatch_demangle(struct kcatch_demangled *demangled, const char *symbol)
{
	size_t length = strnlen(symbol, SYMBOL_MAX_BYTES), plain = strcspn(symbol, "@"), *known;
	char bare[SYMBOL_MAX_BYTES];
	struct output output;

	if (symbol[0] != '_' || (symbol[1] != 'Z' && symbol[1] != 'R') ||
	    length == SYMBOL_MAX_BYTES)
		return symbol;
	known = kcatch_table_find(&demangled->names, symbol, length);
	if (known)
		return (const char *)*known;
	memcpy(bare, symbol, plain);
	bare[plain] = '\0';
	if (!demangle(bare, &output))
		return keep(demangled, symbol, symbol, length, "");
	return keep(demangled, symbol, output.text, output.length, symbol + plain);
}

void kcatch_demangle_forget_many(struct kcatch_demangled *demangled)
{
	if (demangled->names.count > NAMES_MAX)
		kcatch_demangle_forget(demangled);
}

void kcatch_demangle_forget(struct kcatch_demangled *demangled)
{
	kcatch_table_deinit(&demangled->names);
	kcatch_arena_deinit(&demangled->arena);
}
