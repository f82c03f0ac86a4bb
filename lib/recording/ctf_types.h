/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * ctf_types.h - the items of a plan as CTF types
 *
 * The text becomes part of a recording's metadata (TSDL, the Common Trace Format 1.8). Names are
 * prefixed with an underscore, which readers remove: a member may be called "event".
 */
#ifndef LIB_RECORDING_CTF_TYPES_H
#define LIB_RECORDING_CTF_TYPES_H

#include <stdio.h>

#include <kcatch_containers.h>
#include "fetch/plan.h"

/**
 * struct kcatch_ctf - a metadata text that is being written
 * @out: output file
 * @enums: numbers of the declared enums, by struct kcatch_type and alignment
 * @nr_enums: number of entries in @enums
 */
struct kcatch_ctf {
	FILE *out;
	struct kcatch_table enums;
	uint32_t nr_enums;
};

/**
 * kcatch_ctf_deinit - free the table of declared enums
 * @ctf: the metadata text; @out is left open
 */
void kcatch_ctf_deinit(struct kcatch_ctf *ctf);

/**
 * kcatch_ctf_prelude - declare the integer types that all other types use
 * @ctf: the metadata text
 */
void kcatch_ctf_prelude(struct kcatch_ctf *ctf);

/**
 * kcatch_ctf_name - write a field's name: an underscore, then only characters valid in TSDL
 * @out: output file
 * @name: any bytes
 */
void kcatch_ctf_name(FILE *out, const char *name);

/**
 * kcatch_ctf_same_name - do readers take two names for the same?
 * @name: a name
 * @other: another
 *
 * babeltrace2 2.0 takes all underscores from the beginning of a name, and aborts if two fields of a
 * struct have the same name then.
 *
 * Return: true if so.
 */
bool kcatch_ctf_same_name(const char *name, const char *other);

/**
 * kcatch_ctf_plan - declare struct entry_N and struct return_N
 * @ctf: the metadata text
 * @plan: the plan
 * @number: N, the number of the plan
 *
 * Return: 0 or -ENOMEM. Write errors show in ferror() of @out.
 */
int kcatch_ctf_plan(struct kcatch_ctf *ctf, const struct kcatch_plan *plan, uint32_t number);

/**
 * kcatch_ctf_return - get the CTF type of a return value, as it lies in a register
 * @ctf: the metadata text; an enum type is declared in it
 * @plan: the function's plan; NULL: not known
 * @text: receives the type's name
 * @room: bytes at @text
 */
void kcatch_ctf_return(struct kcatch_ctf *ctf, const struct kcatch_plan *plan, char *text,
		       size_t room);

#endif
