/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf_fixture.h - type information made by hand
 *
 * Types are numbered from 1 in the order they are added. A type's parts are added
 * right after it. Names that are NULL are none.
 */
#ifndef TESTS_UNIT_BTF_FIXTURE_H
#define TESTS_UNIT_BTF_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "types/types.h"

struct btf_fixture {
	uint32_t types[8192];
	uint32_t nr_words;
	char strings[8192];
	uint32_t strings_size;
	uint32_t strings_before;	/* size of those of the kernel, for a module's types */
	uint32_t nr_types;
	uint32_t layouts[32];		/* of newer kernels: sizes of each kind's description */
	uint32_t nr_layouts;
};

void btf_fixture_init(struct btf_fixture *fixture);
/* Types of a module, whose numbers and names go on behind the kernel's. */
void btf_fixture_init_module(struct btf_fixture *fixture, const struct btf_fixture *kernel);

/* Any type: @value is its size or what it refers to. */
uint32_t btf_fixture_type(struct btf_fixture *fixture, const char *name, int kind, bool flag,
			  uint32_t nr_parts, uint32_t value);
/* A word more of the type that was added last. */
void btf_fixture_word(struct btf_fixture *fixture, uint32_t word);
uint32_t btf_fixture_name(struct btf_fixture *fixture, const char *name);

uint32_t btf_fixture_int(struct btf_fixture *fixture, const char *name, uint32_t size,
			 uint32_t encoding, uint32_t bits);
uint32_t btf_fixture_pointer(struct btf_fixture *fixture, uint32_t to);
uint32_t btf_fixture_const(struct btf_fixture *fixture, uint32_t of);
uint32_t btf_fixture_array(struct btf_fixture *fixture, uint32_t element, uint32_t nr);
/* A member of a struct or union, in the new style when the struct has the flag. */
void btf_fixture_member(struct btf_fixture *fixture, const char *name, uint32_t type,
			uint32_t bit_offset, uint32_t bit_size);
/* A function with its parameters: names and types, ended by a NULL name and type ~0. */
struct btf_fixture_parameter {
	const char *name;
	uint32_t type;
};
#define BTF_FIXTURE_END { NULL, ~0U }
uint32_t btf_fixture_function(struct btf_fixture *fixture, const char *name, uint32_t ret,
			      const struct btf_fixture_parameter *parameters);

/* As it is in a file; at most BTF_FIXTURE_SIZE bytes. Return: how many. */
#define BTF_FIXTURE_SIZE (64U << 10)
size_t btf_fixture_bytes(const struct btf_fixture *fixture, uint8_t *bytes, size_t room);

/* Write it to a file of its own, open that, and remove it. */
int btf_fixture_open(const struct btf_fixture *fixture, struct kcatch_types **types);
/* The same with a module that is called "module". */
int btf_fixture_open_with_module(const struct btf_fixture *fixture,
				 const struct btf_fixture *module, struct kcatch_types **types);
/* The same out of a file that went through the command @packer. */
int btf_fixture_open_packed(const struct btf_fixture *fixture, const char *packer,
			    struct kcatch_types **types);
/* Any file as the kernel's types. */
int btf_fixture_open_file(const char *file, struct kcatch_types **types);

#endif
