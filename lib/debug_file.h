/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* debug_file.h - one file with debug information: a vmlinux, a module, any ELF file */
#ifndef LIB_DEBUG_FILE_H
#define LIB_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libdw.h"
#include "source.h"

#define KCATCH_BUILD_ID_MAX 64

/** struct kcatch_build_id - what tells builds apart; @size 0: not known */
struct kcatch_build_id {
	size_t size;
	uint8_t bytes[KCATCH_BUILD_ID_MAX];
};

struct kcatch_debug_file;

/**
 * kcatch_build_id_read - find it among ELF notes
 * @path: a file of notes and nothing else, as sysfs has them
 * @id: the build-id
 *
 * Return: 0, -ENOENT when there is none, another -errno.
 */
int kcatch_build_id_read(const char *path, struct kcatch_build_id *id);

/**
 * kcatch_debug_file_is_useful - is that an ELF file with debug information
 * @path: the file
 *
 * Answers without libdw.
 *
 * Return: whether it has a section .debug_info.
 */
bool kcatch_debug_file_is_useful(const char *path);

/**
 * kcatch_debug_file_open - open one
 * @dw: libdw, stays open as long as the file
 * @path: the file
 * @id: the build-id it must have; size 0: nothing is known to be right, so it is refused
 * @file: the file
 *
 * Return: 0, -ESTALE another build-id, -ENODATA no debug information, -ENOMEM, -EIO it
 * cannot be read.
 */
int kcatch_debug_file_open(const struct kcatch_libdw *dw, const char *path,
			   const struct kcatch_build_id *id, struct kcatch_debug_file **file);

/**
 * kcatch_debug_file_close - close it
 * @file: may be NULL
 */
void kcatch_debug_file_close(struct kcatch_debug_file *file);

/**
 * kcatch_debug_file_symbol - a symbol's address as the linker gave it
 * @file: the file
 * @name: the symbol
 * @address: its address
 *
 * Return: whether there is one.
 */
bool kcatch_debug_file_symbol(struct kcatch_debug_file *file, const char *name,
			      uint64_t *address);

/**
 * kcatch_debug_file_section - a section's place
 * @file: the file. If it is not linked (a module) it gets places of our own choice
 * @name: the section
 * @address: its start
 * @size: its bytes
 *
 * Return: whether there is one.
 */
bool kcatch_debug_file_section(struct kcatch_debug_file *file, const char *name,
			       uint64_t *address, uint64_t *size);

/**
 * kcatch_debug_file_lines - in which functions and lines is an address
 * @file: the file
 * @address: as of kcatch_debug_file_symbol() and kcatch_debug_file_section()
 * @lines: innermost first; strings live as long as @file
 * @room: most of them
 * @directory: where it was compiled; NULL when not known
 *
 * Return: how many; 0 when the address is not known.
 */
uint32_t kcatch_debug_file_lines(struct kcatch_debug_file *file, uint64_t address,
				 struct kcatch_source_line *lines, uint32_t room,
				 const char **directory);

#endif
