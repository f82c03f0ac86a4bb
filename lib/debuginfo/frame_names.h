/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* frame_names.h - names of places in programs' files, for all processes that run them */
#ifndef LIB_DEBUGINFO_FRAME_NAMES_H
#define LIB_DEBUGINFO_FRAME_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include <kcatch.h>
#include <kcatch_containers.h>

/**
 * struct kcatch_frame_place - a place in a file; its bytes are compared, so zero it first
 * @device: the file's st_dev. (A build ID would not do: whoever makes a program chooses its own.)
 * @inode: st_ino
 * @size: st_size
 * @changed: st_ctim, ns
 * @address: the address in the file, as addr2line(1) takes it
 * @exact: it is an instruction, not a return address
 */
struct kcatch_frame_place {
	uint64_t device, inode, size, changed, address, exact;
};

/**
 * struct kcatch_frame_names - zeroed is empty
 * @arena: places, frames and their strings
 * @known: frames by place
 */
struct kcatch_frame_names {
	struct kcatch_arena arena;
	struct kcatch_table known;
};

/** kcatch_frame_place_file - fill in the file of a place; its status is @status */
void kcatch_frame_place_file(struct kcatch_frame_place *place, const struct stat *status);

/**
 * kcatch_frame_names_find - the frames of a place: functions that were inlined there, then the call
 * @names: the names
 * @place: the place
 * @nr: set to the number of frames
 *
 * Return: them, whose address, module and interrupted are not set, until
 * kcatch_frame_names_forget_many(); NULL: not known.
 */
const struct kcatch_frame *kcatch_frame_names_find(const struct kcatch_frame_names *names,
						   const struct kcatch_frame_place *place,
						   uint32_t *nr);

/**
 * kcatch_frame_names_keep - keep the frames of a place
 * @names: the names
 * @place: the place
 * @frames: the frames; their strings are copied
 * @nr: number of them, 1 at least
 *
 * Without memory they are not kept.
 */
void kcatch_frame_names_keep(struct kcatch_frame_names *names,
			     const struct kcatch_frame_place *place,
			     const struct kcatch_frame *frames, uint32_t nr);

/** kcatch_frame_names_forget_many - free all if there are more than 65536 places */
void kcatch_frame_names_forget_many(struct kcatch_frame_names *names);

/** kcatch_frame_names_deinit - free all */
void kcatch_frame_names_deinit(struct kcatch_frame_names *names);

#endif
