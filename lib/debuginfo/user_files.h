/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* user_files.h - gives libdw the files that a process has mapped */
#ifndef LIB_DEBUGINFO_USER_FILES_H
#define LIB_DEBUGINFO_USER_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include <uapi/kcatch.h>

#include "debuginfo/libdw.h"

/**
 * struct kcatch_user_file - a file that was opened
 * @start: where its module begins
 * @status: what it was like then
 */
struct kcatch_user_file {
	uint64_t start;
	struct stat status;
};

/**
 * struct kcatch_user_files - mapped files of a process, as libdw modules
 * @dw: libdw
 * @callbacks: argument of dwfl_begin()
 * @dwfl: the modules
 * @pid: process ID; 0: nothing can be asked about the process
 * @nr: number of modules
 * @opened: those that were opened, allocated
 * @nr_opened: number of entries in @opened
 * @elf_class: of its files: ELFCLASS32, ELFCLASS64; ELFCLASSNONE: none can be read
 * @ask: a server may be asked for files by build ID
 * @here: the process sees the same file system as this process
 * @maps: what was mapped, as the kernel recorded it; NULL: the modules are what /proc tells
 */
struct kcatch_user_files {
	const struct kcatch_libdw *dw;
	Dwfl_Callbacks callbacks;
	Dwfl *dwfl;
	uint32_t pid;
	uint32_t nr;
	struct kcatch_user_file *opened;
	uint32_t nr_opened;
	int elf_class;
	bool ask;
	bool here;
	struct kcatch_user_maps *maps;
};

/**
 * kcatch_user_files_create - read a process's maps
 * @dw: libdw, must stay open as long as @files
 * @pid: process ID
 * @files: the new object; ELF files are opened at first use
 *
 * Return: 0; -ESRCH no such process, or it has ended; -ENOMEM; another -errno.
 */
int kcatch_user_files_create(const struct kcatch_libdw *dw, uint32_t pid,
			     struct kcatch_user_files **files);

/**
 * kcatch_user_files_of_maps - take the mapped files from a record
 * @dw: libdw, must stay open as long as @files
 * @maps: of kcatch_user_maps_find(); copied
 * @pid: process ID, for the paths of a process in a container while it lives; 0: look for files
 *	here alone
 * @ask: ask the servers of DEBUGINFOD_URLS for what is not here, which may take minutes
 * @files: the new object
 *
 * A file is opened at first use, if it is the one that was mapped: it has the same build ID, or, if
 * there is none, the same number. Of others the name and the build ID are known, and no symbol.
 *
 * Return: 0; -ENOMEM; another -errno.
 */
int kcatch_user_files_of_maps(const struct kcatch_libdw *dw, const struct kcatch_user_maps *maps,
			      uint32_t pid, bool ask, struct kcatch_user_files **files);

/**
 * kcatch_user_files_map - the recorded mapping of a module
 * @files: the process
 * @start: where the module begins
 *
 * Return: it; NULL: there is none.
 */
const struct kcatch_user_map *kcatch_user_files_map(const struct kcatch_user_files *files,
						    uint64_t start);

/**
 * kcatch_user_files_status - which file a module was read from
 * @files: the process
 * @start: where the module begins
 *
 * Return: its status; NULL: it is not a file, or not open.
 */
const struct stat *kcatch_user_files_status(const struct kcatch_user_files *files, uint64_t start);

/**
 * kcatch_user_files_dwarf - DWARF of a module
 * @files: the process
 * @module: one of its modules
 * @bias: receives what to subtract from addresses
 *
 * Return: the module's DWARF. NULL: it has none, or reading it could open a path that the file
 * names.
 */
Dwarf *kcatch_user_files_dwarf(const struct kcatch_user_files *files, Dwfl_Module *module,
			       Dwarf_Addr *bias);

/**
 * kcatch_user_files_destroy - free the object and close its files
 * @files: may be NULL
 */
void kcatch_user_files_destroy(struct kcatch_user_files *files);

#endif
