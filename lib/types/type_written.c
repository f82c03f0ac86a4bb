/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* type_written.c - finds the type that a C text names: "const char *" */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "types/btf_data.h"
#include "types/types.h"

/* BTF has the compiler's names of integers, which differ from those that people write. */
static const struct { const char *written, *name; } integers[] = {
	{ "unsigned long", "long unsigned int" }, { "long", "long int" }, { "unsigned", "unsigned int" },
	{ "unsigned char", "unsigned char" }, { "short", "short int" }, { "unsigned short", "short unsigned int" },
	{ "long long", "long long int" }, { "unsigned long long", "long long unsigned int" },
};

int kcatch_types_find_written(struct kcatch_types *types, const char *text,
			      struct kcatch_type *type)
{
	bool is_const = !strncmp(text, "const ", 6), is_pointer;
	char name[80];
	size_t length, i;
	uint32_t id;

	text += is_const ? 6 : 0;
	length = strcspn(text, "*");
	is_pointer = text[length];
	/* A pointer to a pointer becomes void *. */
	if (is_pointer && strchr(text + length + 1, '*'))
		length = 0;
	while (length && text[length - 1] == ' ')
		length--;
	snprintf(name, sizeof(name), "%.*s", (int)length, text);
	if (length > 7 && !strcmp(name + length - 7, " __user"))
		name[length - 7] = '\0';
	for (i = 0; i < sizeof(integers) / sizeof(integers[0]); i++)
		if (!strcmp(integers[i].written, name))
			snprintf(name, sizeof(name), "%s", integers[i].name);
	*type = (struct kcatch_type){ .id = 0 };
	if (length && strcmp(name, "void") && kcatch_types_struct(types, name, type) && !is_pointer)
		return -ENOENT;
	if (!is_pointer)
		return type->id ? 0 : -ENOENT;
	/* A pointer to void: any type of the kernel gives the BTF to search. */
	if (!type->id) {
		is_const = false;
		if (kcatch_types_struct(types, "int", type))
			return -ENOENT;
		type->id = 0;
	}
	id = kcatch_btf_pointer(type->btf, type->id, is_const);
	if (!id)
		id = kcatch_btf_pointer(type->btf, type->id, !is_const);
	if (!id)
		id = kcatch_btf_pointer(type->btf, 0, false);
	type->id = id;
	return id ? 0 : -ENOENT;
}
