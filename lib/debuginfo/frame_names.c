/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * frame_names.c - what was found out of places in programs' files
 *
 * A hundred processes of one program have their files at a hundred addresses, and libdw reads
 * symbols and DWARF anew for each.
 */
#include <string.h>

#include "debuginfo/frame_names.h"

#define PLACES_MAX 65536

struct known {
	struct kcatch_frame_place place;
	uint32_t nr;
	struct kcatch_frame frames[];
};

void kcatch_frame_place_file(struct kcatch_frame_place *place, const struct stat *status)
{
	place->device = status->st_dev;
	place->inode = status->st_ino;
	place->size = (uint64_t)status->st_size;
	place->changed = (uint64_t)status->st_ctim.tv_sec * 1000000000 +
			 (uint64_t)status->st_ctim.tv_nsec;
}

const struct kcatch_frame *kcatch_frame_names_find(const struct kcatch_frame_names *names,
						   const struct kcatch_frame_place *place,
						   uint32_t *nr)
{
	const size_t *found = kcatch_table_find(&names->known, (const char *)place, sizeof(*place));
	const struct known *known = found ? (const struct known *)*found : NULL;

	if (!known)
		return NULL;
	*nr = known->nr;
	return known->frames;
}

/* Return: false: no memory */
static bool keep_text(struct kcatch_frame_names *names, const char **text)
{
	size_t size = *text ? strlen(*text) + 1 : 0;
	char *own = size ? kcatch_arena_take(&names->arena, size) : NULL;

	if (own)
		*text = memcpy(own, *text, size);
	return own || !size;
}

void kcatch_frame_names_keep(struct kcatch_frame_names *names,
			     const struct kcatch_frame_place *place,
			     const struct kcatch_frame *frames, uint32_t nr)
{
	struct known *known = kcatch_arena_take(&names->arena,
						sizeof(*known) + nr * sizeof(*frames));
	uint32_t i;

	if (!known)
		return;
	known->place = *place;
	known->nr = nr;
	for (i = 0; i < nr; i++) {
		struct kcatch_frame *frame = &known->frames[i];

		*frame = frames[i];
		frame->address = 0;
		frame->module = NULL;
		frame->interrupted = false;
		if (!keep_text(names, &frame->symbol) || !keep_text(names, &frame->file))
			return;
	}
	kcatch_table_add(&names->known, (const char *)&known->place, sizeof(known->place),
			 (size_t)known);
}

void kcatch_frame_names_forget_many(struct kcatch_frame_names *names)
{
	if (names->known.count > PLACES_MAX)
		kcatch_frame_names_deinit(names);
}

void kcatch_frame_names_deinit(struct kcatch_frame_names *names)
{
	kcatch_table_deinit(&names->known);
	kcatch_arena_deinit(&names->arena);
}
