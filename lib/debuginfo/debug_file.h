/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* debug_file.h - reads an ELF file with debug information: a vmlinux, a module, or another */
#ifndef LIB_DEBUGINFO_DEBUG_FILE_H
#define LIB_DEBUGINFO_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "debuginfo/dwarf_inlined.h"
#include "debuginfo/libdw.h"
#include "debuginfo/source.h"

#define KCATCH_BUILD_ID_MAX 64

/** struct kcatch_build_id - build-id of an ELF file; @size in bytes, 0: not known */
struct kcatch_build_id {
	size_t size;
	uint8_t bytes[KCATCH_BUILD_ID_MAX];
};

struct kcatch_debug_file;

/**
 * kcatch_build_id_read - read the build-id from ELF notes
 * @path: a file that consists of notes only, as in sysfs
 * @id: the build-id
 *
 * Return: 0; -ENOENT no build-id; another -errno.
 */
int kcatch_build_id_read(const char *path, struct kcatch_build_id *id);

/**
 * kcatch_debug_file_is_useful - check that a file is an ELF file with debug information
 * @path: the file
 *
 * Does not need libdw.
 *
 * Return: true if the file has a section .debug_info.
 */
bool kcatch_debug_file_is_useful(const char *path);

/**
 * kcatch_debug_file_open - open a file with debug information
 * @dw: libdw, must stay open as long as @file
 * @path: path of the file
 * @id: the build-id that the file must have; with size 0 every file is refused
 * @file: the new object
 *
 * Return: 0; -ESTALE another build-id; -ENODATA no debug information; -ENOMEM; -EIO the file
 * cannot be read.
 */
int kcatch_debug_file_open(const struct kcatch_libdw *dw, const char *path,
			   const struct kcatch_build_id *id, struct kcatch_debug_file **file);

/**
 * kcatch_debug_file_close - close a file
 * @file: may be NULL
 */
void kcatch_debug_file_close(struct kcatch_debug_file *file);

/**
 * kcatch_debug_file_symbol - get a symbol's link-time address
 * @file: the file
 * @name: name of the symbol
 * @address: address of the symbol
 *
 * Return: true if the file has the symbol.
 */
bool kcatch_debug_file_symbol(struct kcatch_debug_file *file, const char *name,
			      uint64_t *address);

/**
 * kcatch_debug_file_section - get a section's address and size
 * @file: the file; sections of an unlinked file (a module) have addresses that libdw chose
 * @name: name of the section
 * @address: address of the section's first byte
 * @size: bytes of the section
 *
 * Return: true if the file has the section.
 */
bool kcatch_debug_file_section(struct kcatch_debug_file *file, const char *name,
			       uint64_t *address, uint64_t *size);

/**
 * kcatch_debug_file_lines - find the source lines and inlined functions of an address
 * @file: the file
 * @address: in the address space of kcatch_debug_file_symbol() and kcatch_debug_file_section()
 * @lines: the functions, innermost first; strings live as long as @file
 * @room: number of entries that fit in @lines
 * @directory: directory of compilation; NULL if not known
 *
 * Return: number of entries in @lines; 0 if the address is not known.
 */
uint32_t kcatch_debug_file_lines(struct kcatch_debug_file *file, uint64_t address,
				 struct kcatch_source_line *lines, uint32_t room,
				 const char **directory);

/** kcatch_debug_file_inlined - as kcatch_dwarf_inlined(), of a file */
int kcatch_debug_file_inlined(struct kcatch_debug_file *file, const char *name,
			      kcatch_inlined_copy *visit, void *arg);

#endif
