/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* shapes.h - structs that have a readable form: a file its path, a task its name */
#ifndef LIB_SHAPES_H
#define LIB_SHAPES_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "types.h"

#define KCATCH_SHAPE_PARTS 2
#define KCATCH_SHAPE_STEPS 8

enum kcatch_shape_how {
	KCATCH_SHAPE_END,
	KCATCH_SHAPE_NUMBER,	/* an integer */
	KCATCH_SHAPE_STRING,	/* a char pointer or array */
	KCATCH_SHAPE_COUNTED,	/* a char pointer, and the member "len" beside it */
	KCATCH_SHAPE_PATH,	/* a struct path; "" is the struct itself */
	KCATCH_SHAPE_DENTRY,	/* a struct dentry: the struct itself */
	KCATCH_SHAPE_ADDRESS,	/* a struct sockaddr: the struct itself */
	KCATCH_SHAPE_SOCK,	/* the beginning of a struct sock */
};

/**
 * struct kcatch_shape - how one struct is said
 * @type: its name
 * @format: %1 and %2 are the parts
 * @parts: where they are, as in C: "dev->name"; and what
 */
struct kcatch_shape {
	const char *type;
	const char *format;
	struct {
		const char *member;
		enum kcatch_shape_how how;
	} parts[KCATCH_SHAPE_PARTS];
};

/**
 * struct kcatch_shape_part - how a part is fetched
 * @nr: steps before the one that puts it, which begin at the struct's address
 * @steps: those
 * @length: before them: load the length at this offset, of 4 bytes, when it is not -1
 * @put: the step that puts it
 * @fixed: most bytes it has; 0: as long as texts may be
 */
struct kcatch_shape_part {
	uint32_t nr;
	struct kcatch_step steps[KCATCH_SHAPE_STEPS];
	int64_t length;
	struct kcatch_step put;
	uint32_t fixed;
};

/**
 * kcatch_shape_find - the shape of a type
 * @type: a struct
 *
 * Return: the shape; NULL: it has none.
 */
const struct kcatch_shape *kcatch_shape_find(struct kcatch_type type);

/**
 * kcatch_shape_plan - how a part is fetched from this kernel's struct
 * @shape: the shape
 * @index: the part
 * @type: the struct
 * @part: how
 *
 * Return: 0; -ENOENT there is no such part, or this kernel's struct has no such member.
 */
int kcatch_shape_plan(const struct kcatch_shape *shape, uint32_t index, struct kcatch_type type,
		      struct kcatch_shape_part *part);

/**
 * kcatch_shape_address - a socket address in words
 * kcatch_shape_sock - the ends of a socket in words
 * @bytes: struct sockaddr, or struct sock
 * @size: how many of it
 * @text: the text, with an end mark
 * @room: bytes there
 *
 * Return: bytes written without the end mark; 0: of no kind that is known.
 */
size_t kcatch_shape_address(const uint8_t *bytes, size_t size, char *text, size_t room);
size_t kcatch_shape_sock(const uint8_t *bytes, size_t size, char *text, size_t room);

#endif
