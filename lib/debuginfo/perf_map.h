/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * perf_map.h - names of code that a program made at run time, as it wrote them for perf(1)
 *
 * A program with a JIT compiler writes /tmp/perf-PID.map: a line for each function, with its
 * address and size (hexadecimal) and its name. PID and /tmp are those of the process's namespaces.
 */
#ifndef LIB_DEBUGINFO_PERF_MAP_H
#define LIB_DEBUGINFO_PERF_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#define KCATCH_PERF_MAP_MAX (64U << 20) /* bytes; a larger file is not used */

/**
 * struct kcatch_perf_map_file - the file of a living process
 * @fd: its descriptor, for reading
 * @status: of the file when it was opened; its size is 1 to KCATCH_PERF_MAP_MAX
 * @number: the process's number in its own namespace, which the file's name has
 */
struct kcatch_perf_map_file {
	int fd;
	struct stat status;
	uint32_t number;
};

/**
 * kcatch_perf_map_open - open the file of a living process
 * @pid: the process, or one of its threads
 * @file: set
 *
 * No link is followed, and no other file than a regular one is opened. It must be the user's whom
 * the process runs as, or root's, and have been written since the process began: one that is older
 * is of another process, which had the number before.
 *
 * Return: whether there is such a file; @file->fd is the caller's to close.
 */
bool kcatch_perf_map_open(uint32_t pid, struct kcatch_perf_map_file *file);

/**
 * kcatch_perf_map_read - read a file's lines
 * @fd: the file, from its beginning
 * @number: the process's number, for kcatch_perf_map_path()
 *
 * Lines that are no such lines, and a last one without its end, are skipped.
 *
 * Return: the map; NULL: it cannot be read, is larger than KCATCH_PERF_MAP_MAX, or there is no
 * memory.
 */
struct kcatch_perf_map *kcatch_perf_map_read(int fd, uint32_t number);

/**
 * kcatch_perf_map_find - the function at an address
 * @map: the map; NULL: nothing is found
 * @address: the address
 * @offset: set to the address's place in the function, bytes
 *
 * Code is thrown away, and other code has its place: of lines whose addresses overlap the last one
 * counts.
 *
 * Return: its name, of any bytes but '\n' and '\0', as long as the map exists; NULL: none.
 */
const char *kcatch_perf_map_find(const struct kcatch_perf_map *map, uint64_t address,
				 uint32_t *offset);

/** kcatch_perf_map_path - the file's path, as the process sees it; as long as the map exists */
const char *kcatch_perf_map_path(const struct kcatch_perf_map *map);

/** kcatch_perf_map_destroy - free a map; NULL is fine */
void kcatch_perf_map_destroy(struct kcatch_perf_map *map);

#endif
