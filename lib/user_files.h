/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* user_files.h - the files that a process has mapped, for libdw */
#ifndef LIB_USER_FILES_H
#define LIB_USER_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "libdw.h"

/**
 * struct kcatch_user_files - a process, as libdw's modules know it
 * @dw: libdw
 * @callbacks: for dwfl_begin()
 * @dwfl: its modules
 * @pid: the process
 * @nr: how many modules
 * @here: it sees the same files as we do
 */
struct kcatch_user_files {
	const struct kcatch_libdw *dw;
	Dwfl_Callbacks callbacks;
	Dwfl *dwfl;
	uint32_t pid;
	uint32_t nr;
	bool here;
};

/**
 * kcatch_user_files_create - read a process's maps
 * @dw: libdw, stays open
 * @pid: the process
 * @files: its files; ELF files are opened when they are needed
 *
 * Return: 0, -ESRCH there is no such process or it has ended, -ENOMEM, another -errno.
 */
int kcatch_user_files_create(const struct kcatch_libdw *dw, uint32_t pid,
			     struct kcatch_user_files **files);

/**
 * kcatch_user_files_destroy - forget them
 * @files: may be NULL
 */
void kcatch_user_files_destroy(struct kcatch_user_files *files);

#endif
