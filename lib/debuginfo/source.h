/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* source.h - finds source lines and inlined functions of kernel addresses */
#ifndef LIB_DEBUGINFO_SOURCE_H
#define LIB_DEBUGINFO_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "debuginfo/dwarf_inlined.h"

struct kcatch_source;

/**
 * struct kcatch_source_line - a function, inlined or not, that contains an address
 * @function: name in the source; NULL if it has none
 * @file: path of the source file: relative to the kernel's tree ("fs/read_write.c"), absolute
 *	for out-of-tree modules; NULL if not known
 * @line: line number in @file; 0: not known
 */
struct kcatch_source_line {
	const char *function;
	const char *file;
	uint32_t line;
};

/**
 * struct kcatch_source_code - the code that an address belonged to
 * @base: address of the module; 0: the kernel's own code
 * @build_id: hexadecimal; "-": not known
 */
struct kcatch_source_code {
	uint64_t base;
	const char *build_id;
};

/**
 * kcatch_source_open - create an object that finds the running kernel's source lines
 * @source: the new object
 *
 * Opens no file: files are searched at the first address, and libdw is loaded only if a file
 * has debug information. The files for the kernel are (RELEASE as printed by uname -r):
 *	vmlinux-RELEASE in the directories of $KCATCH_DEBUG_PATH, separated by colons
 *	/usr/lib/debug/.build-id/..., by the kernel's build-id
 *	/usr/lib/debug/boot/vmlinux-RELEASE
 *	/usr/lib/debug/lib/modules/RELEASE/vmlinux
 *	/lib/modules/RELEASE/build/vmlinux
 * and for a module: NAME.ko.debug and NAME.ko in the directories of
 * $KCATCH_DEBUG_PATH, .build-id, below /usr/lib/debug/lib/modules/RELEASE, and the
 * module's own file, if it was not stripped (for kcatch: $KCATCH_MODULE).
 * A file of another build (by build-id) is passed by.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_source_open(struct kcatch_source **source);

/**
 * kcatch_source_close - free the object and all strings it returned
 * @source: may be NULL
 */
void kcatch_source_close(struct kcatch_source *source);

/**
 * kcatch_source_lines - find the source lines and inlined functions of an address
 * @source: the object
 * @address: address in the kernel or a module
 * @exact: false: @address is a return address, and the call before it is looked up
 * @lines: [0] the innermost inlined function, the last one the real function; the
 *	strings live as long as @source
 * @room: number of entries that fit in @lines; outer functions beyond it are left out
 *
 * An address of a module is known only while the module is loaded.
 *
 * Return: number of entries in @lines; 0 without debug information.
 */
int kcatch_source_lines(struct kcatch_source *source, uint64_t address, bool exact,
			struct kcatch_source_line *lines, uint32_t room);

/**
 * kcatch_source_is - whether the lines of an address are those of certain code
 * @source: the object
 * @address, @exact: as given to the last kcatch_source_lines()
 * @code: the code that the address belonged to at some time
 *
 * Return: true if @code has a build-id and is still loaded at its place.
 */
bool kcatch_source_is(struct kcatch_source *source, uint64_t address, bool exact,
		      const struct kcatch_source_code *code);

/**
 * kcatch_source_inlined - find the inlined copies of a function
 * @source: the object
 * @module: the loaded module that is searched; NULL: the kernel itself
 * @name: the function, as the source calls it
 * @visit: called with NULL before the debug information is read, and then for each copy
 * @arg: passed to @visit
 *
 * Return: 0; the value from @visit that ended the search; -ENODATA (no error text) without debug
 * information.
 */
int kcatch_source_inlined(struct kcatch_source *source, const char *module, const char *name,
			  kcatch_inlined_copy *visit, void *arg);

#endif
