/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * program_load.h - loads programs into the module, those with identical bytes once
 */
#ifndef LIB_SESSION_PROGRAM_LOAD_H
#define LIB_SESSION_PROGRAM_LOAD_H

#include <kcatch_containers.h>
#include "session/handle.h"

/* The lists of a program, in the order in which the module numbers them (bad_list). */
enum kcatch_program_list {
	KCATCH_LIST_ENTRY,		/* items of the entry */
	KCATCH_LIST_RETURN,		/* items of the return */
	KCATCH_LIST_FIELDS,		/* items of the condition */
	KCATCH_LIST_ENTRY_CONDITION,
	KCATCH_LIST_RETURN_CONDITION,
	KCATCH_LIST_TEXTS,
	KCATCH_LIST_HOPS,
	KCATCH_LISTS
};

/**
 * struct kcatch_program_image - a program that is not loaded yet
 * @program: its flags and sizes of stacks; kcatch_program_image_add() fills in the lists
 * @owner: programs of different owners are different, though their bytes are the same
 * @fields: copy of the condition's items, whose hops stand behind those of the plan
 * @hops: those of all items
 */
struct kcatch_program_image {
	struct kcatch_program program;
	const void *lists[KCATCH_LISTS];
	size_t sizes[KCATCH_LISTS];
	const void *owner;
	struct kcatch_item fields[KCATCH_LIST_MAX];
	int32_t hops[KCATCH_HOPS_MAX];
};

/**
 * struct kcatch_loaded_programs - what was loaded for a session; {0}: nothing yet
 * @numbers: by all bytes of a program
 * @bytes: the keys of the table
 */
struct kcatch_loaded_programs {
	struct kcatch_table numbers;
	char **bytes;
	size_t nr;
};

/**
 * kcatch_program_image_add() - give a program one of its lists
 * @at: @nr elements of @size bytes, which stay the caller's; unused if @nr is 0
 */
void kcatch_program_image_add(struct kcatch_program_image *image, enum kcatch_program_list which,
			      const void *at, uint32_t nr, size_t size);

/**
 * kcatch_program_image_hops() - give a program hops; first those of the entry and the return
 * @hops: @nr of them; more than fit are left to the module to refuse
 */
void kcatch_program_image_hops(struct kcatch_program_image *image, const int32_t *hops,
			       uint32_t nr);

/** kcatch_program_image_fields() - give a program the items of its condition, and their hops */
void kcatch_program_image_fields(struct kcatch_program_image *image,
				 const struct kcatch_item *fields, uint32_t nr,
				 const int32_t *hops, uint32_t nr_hops);

/**
 * kcatch_program_load_new() - load a program, whatever is loaded already
 *
 * Return: 0, with the module's number of it in @image, or -errno with a text
 */
int kcatch_program_load_new(struct kcatch_session *session, struct kcatch_program_image *image);

/**
 * kcatch_program_load() - load a program, unless one with the same bytes is loaded
 * @number: result: the module's number of it
 *
 * Return: 0, or -errno with a text
 */
int kcatch_program_load(struct kcatch_session *session, struct kcatch_loaded_programs *loaded,
			struct kcatch_program_image *image, uint32_t *number);

/** kcatch_loaded_programs_deinit() - forget them; the module keeps its programs */
void kcatch_loaded_programs_deinit(struct kcatch_loaded_programs *loaded);

#endif
