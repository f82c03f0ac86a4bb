/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * ctf_types.h - what a plan fetches, as types of CTF
 *
 * The text goes into a recording's metadata (TSDL, the Common Trace Format 1.8). Names get
 * an underscore in front, which readers take off again: a member may be called "event".
 */
#ifndef LIB_CTF_TYPES_H
#define LIB_CTF_TYPES_H

#include <stdio.h>

#include "plan.h"
#include "table.h"

/**
 * struct kcatch_ctf - a metadata text that grows
 * @out: where it goes
 * @enums: numbers of enums that were declared, by struct kcatch_type and alignment
 * @nr_enums: how many
 */
struct kcatch_ctf {
	FILE *out;
	struct kcatch_table enums;
	uint32_t nr_enums;
};

/**
 * kcatch_ctf_deinit - forget what was declared
 * @ctf: the text; @out is left open
 */
void kcatch_ctf_deinit(struct kcatch_ctf *ctf);

/**
 * kcatch_ctf_prelude - the integers that all else is made of
 * @ctf: the text
 */
void kcatch_ctf_prelude(struct kcatch_ctf *ctf);

/**
 * kcatch_ctf_name - a field's name: an underscore, and only what TSDL takes
 * @out: where to
 * @name: any bytes
 */
void kcatch_ctf_name(FILE *out, const char *name);

/**
 * kcatch_ctf_plan - declare struct entry_N and struct return_N
 * @ctf: the text
 * @plan: the plan
 * @number: N
 *
 * Return: 0 or -ENOMEM. What could not be written @out tells.
 */
int kcatch_ctf_plan(struct kcatch_ctf *ctf, const struct kcatch_plan *plan, uint32_t number);

/**
 * kcatch_ctf_return - the type of what a function returns, as it lies in a register
 * @ctf: the text; an enum is declared there
 * @plan: NULL: not known
 * @text: the type's name
 * @room: bytes there
 */
void kcatch_ctf_return(struct kcatch_ctf *ctf, const struct kcatch_plan *plan, char *text,
		       size_t room);

#endif
