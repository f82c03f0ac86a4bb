/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* source.h - kernel addresses to source lines and inlined functions */
#ifndef LIB_SOURCE_H
#define LIB_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct kcatch_source;

/**
 * struct kcatch_source_line - one function of those that an address lies in
 * @function: as the source calls it; NULL when it has no name
 * @file: in the kernel's tree relative to it ("fs/read_write.c"), of other modules
 *	absolute; NULL when not known
 * @line: in @file; 0: not known
 */
struct kcatch_source_line {
	const char *function;
	const char *file;
	uint32_t line;
};

/**
 * kcatch_source_open - look up the running kernel's source lines
 * @source: the new object
 *
 * Costs nothing: files are looked for at the first address, and libdw is loaded only
 * when there is one with debug information. They are, for the kernel (RELEASE as
 * uname -r says it):
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
 * kcatch_source_close - forget everything, all strings too
 * @source: may be NULL
 */
void kcatch_source_close(struct kcatch_source *source);

/**
 * kcatch_source_lines - in which functions and lines is an address
 * @source: the object
 * @address: of the kernel or a module
 * @exact: false: a return address, the call before it is meant
 * @lines: [0] the innermost inlined function, the last one the real function; the
 *	strings live as long as @source
 * @room: most of them; outer ones are left out
 *
 * An address of a module is known only while the module is loaded.
 *
 * Return: how many; 0 without debug information.
 */
int kcatch_source_lines(struct kcatch_source *source, uint64_t address, bool exact,
			struct kcatch_source_line *lines, uint32_t room);

/**
 * kcatch_source_note - why there are no lines
 * @source: the object
 *
 * Return: a text about what was missing or refused last; "": nothing.
 */
const char *kcatch_source_note(const struct kcatch_source *source);

#endif
