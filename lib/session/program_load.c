/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * program_load.c - loads programs into the module, those with identical bytes once
 *
 * Thousands of functions share a few types, so most of the programs of a pattern are the same.
 * A program is known by its bytes. Memory: those of each program that was loaded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/array.h"
#include "session/program_load.h"

void kcatch_program_image_add(struct kcatch_program_image *image, enum kcatch_program_list which,
			      const void *at, uint32_t nr, size_t size)
{
	struct kcatch_list *const lists[KCATCH_LISTS] = {
		[KCATCH_LIST_ENTRY] = &image->program.entry,
		[KCATCH_LIST_RETURN] = &image->program.at_return,
		[KCATCH_LIST_FIELDS] = &image->program.fields,
		[KCATCH_LIST_ENTRY_CONDITION] = &image->program.entry_condition,
		[KCATCH_LIST_RETURN_CONDITION] = &image->program.return_condition,
		[KCATCH_LIST_TEXTS] = &image->program.texts,
		[KCATCH_LIST_HOPS] = &image->program.hops,
	};

	lists[which]->at = nr ? (uintptr_t)at : 0;
	lists[which]->nr = nr;
	image->lists[which] = at;
	image->sizes[which] = nr * size;
}

void kcatch_program_image_hops(struct kcatch_program_image *image, const int32_t *hops, uint32_t nr)
{
	const uint32_t used = image->program.hops.nr;

	if (nr > KCATCH_HOPS_MAX - used)
		nr = KCATCH_HOPS_MAX - used;
	if (nr)
		memcpy(image->hops + used, hops, nr * sizeof(*hops));
	kcatch_program_image_add(image, KCATCH_LIST_HOPS, image->hops, used + nr, sizeof(*hops));
}

void kcatch_program_image_fields(struct kcatch_program_image *image,
				 const struct kcatch_item *fields, uint32_t nr,
				 const int32_t *hops, uint32_t nr_hops)
{
	const uint32_t behind = image->program.hops.nr;
	uint32_t i;

	for (i = 0; i < nr; i++) {
		image->fields[i] = fields[i];
		if (fields[i].nr_hops)
			image->fields[i].first_hop += (uint16_t)behind;
	}
	kcatch_program_image_add(image, KCATCH_LIST_FIELDS, image->fields, nr, sizeof(*fields));
	kcatch_program_image_hops(image, hops, nr_hops);
}

/* The bytes by which a program is known: its sizes, flags, lists, and whose it is. */
static char *bytes_of(const struct kcatch_program_image *image, size_t *size)
{
	struct {
		uint32_t sizes[KCATCH_LISTS], flags, user_stack, user_maps, tasks, shape;
		const void *owner;
	} head = { .flags = image->program.flags, .user_stack = image->program.user_stack,
		   .user_maps = image->program.user_maps,
		   .tasks = image->program.tasks, .shape = image->program.shape,
		   .owner = image->owner };
	size_t i, at = sizeof(head);
	char *bytes;

	*size = sizeof(head);
	for (i = 0; i < KCATCH_LISTS; i++) {
		head.sizes[i] = (uint32_t)image->sizes[i];
		*size += image->sizes[i];
	}
	bytes = malloc(*size);
	if (!bytes)
		return NULL;
	memcpy(bytes, &head, sizeof(head));
	for (i = 0; i < KCATCH_LISTS; at += image->sizes[i], i++) {
		if (image->sizes[i])
			memcpy(bytes + at, image->lists[i], image->sizes[i]);
	}
	return bytes;
}

static int explain(const struct kcatch_program *program, int error)
{
	static const char *const lists[KCATCH_LISTS] = {
		[KCATCH_LIST_ENTRY] = "items of the entry",
		[KCATCH_LIST_RETURN] = "items of the return",
		[KCATCH_LIST_FIELDS] = "items of the condition",
		[KCATCH_LIST_ENTRY_CONDITION] = "condition at the entry",
		[KCATCH_LIST_RETURN_CONDITION] = "condition at the return",
		[KCATCH_LIST_TEXTS] = "texts of the condition",
		[KCATCH_LIST_HOPS] = "pointers to follow",
	};

	if (error == -E2BIG && program->bad_list < KCATCH_LISTS)
		return kcatch_error_set(E2BIG, "that is more than the kcatch module takes at once (%s)",
					lists[program->bad_list]);
	if (program->bad_list < KCATCH_LISTS)
		return kcatch_error_set(error, "the kcatch module refused the %s, number %u: %s",
					lists[program->bad_list], program->bad_item,
					strerror(-error));
	return kcatch_error_system(error, "tell the kcatch module what to fetch");
}

int kcatch_program_load_new(struct kcatch_session *session, struct kcatch_program_image *image)
{
	int ret = kcatch_session_ioctl(session, KCATCH_IOC_PROGRAM, &image->program);

	/* The offsets that this kernel was built with may be others: then it is a list like any. */
	if (ret == -EINVAL && image->program.shape && !image->program.bad_list) {
		image->program.shape = KCATCH_SHAPE_NONE;
		ret = kcatch_session_ioctl(session, KCATCH_IOC_PROGRAM, &image->program);
	}
	return ret ? explain(&image->program, ret) : 0;
}

/* Takes over the bytes. */
static int keep(struct kcatch_loaded_programs *loaded, char *bytes, size_t size, uint32_t number)
{
	char **all = kcatch_array_grow(loaded->bytes, loaded->nr, sizeof(*all));

	if (!all) {
		free(bytes);
		return kcatch_error_memory();
	}
	loaded->bytes = all;
	all[loaded->nr++] = bytes;
	return kcatch_table_add(&loaded->numbers, bytes, size, number) < 0 ?
	       kcatch_error_memory() : 0;
}

int kcatch_program_load(struct kcatch_session *session, struct kcatch_loaded_programs *loaded,
			struct kcatch_program_image *image, uint32_t *number)
{
	size_t size, *found;
	char *bytes = bytes_of(image, &size);
	int ret;

	if (!bytes)
		return kcatch_error_memory();
	found = kcatch_table_find(&loaded->numbers, bytes, size);
	ret = found ? 0 : kcatch_program_load_new(session, image);
	if (found || ret) {
		free(bytes);
		if (found)
			*number = (uint32_t)*found;
		return ret;
	}
	*number = image->program.number;
	return keep(loaded, bytes, size, *number);
}

void kcatch_loaded_programs_deinit(struct kcatch_loaded_programs *loaded)
{
	size_t i;

	for (i = 0; i < loaded->nr; i++)
		free(loaded->bytes[i]);
	free(loaded->bytes);
	kcatch_table_deinit(&loaded->numbers);
}
