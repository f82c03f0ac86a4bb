/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* debuginfod.h - files by build ID from a server, if the environment names one */
#ifndef LIB_DEBUGINFO_DEBUGINFOD_H
#define LIB_DEBUGINFO_DEBUGINFOD_H

#include <stdbool.h>
#include <stddef.h>

/**
 * kcatch_debuginfod_fetch - get a file by its build ID
 * @debug: debug information; false: the program or library
 * @id: the build ID
 * @size: bytes of it
 *
 * elfutils' libdebuginfod is loaded at the first call, keeps the files below the user's home, and
 * waits for the server as long as its own variables say. Nothing is asked for, and nothing loaded,
 * unless DEBUGINFOD_URLS names a server. Any thread may call it.
 *
 * Return: a descriptor for reading; -1: there is none. Whether the file has the build ID is for the
 * caller to check.
 */
int kcatch_debuginfod_fetch(bool debug, const void *id, size_t size);

#endif
