/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* types.h - the kernel's types: functions, structs and their members */
#ifndef LIB_TYPES_TYPES_H
#define LIB_TYPES_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/btf.h>		/* BTF_KIND_* */

struct kcatch_types;
struct kcatch_btf;

/**
 * struct kcatch_type - one type; copied at will, valid as long as its struct kcatch_types
 * @btf: where it is described
 * @id: its number there; 0: void
 */
struct kcatch_type {
	const struct kcatch_btf *btf;
	uint32_t id;
};

/**
 * struct kcatch_member - of a struct or union, a parameter, or a value of an enum
 * @name: "" when it has none
 * @type: its type; id 0 of a parameter: "..." ; of an enum: the enum
 * @bit_offset: from the start of the struct
 * @bit_size: of a bitfield; 0: it is none
 * @value: of an enum
 */
struct kcatch_member {
	const char *name;
	struct kcatch_type type;
	uint32_t bit_offset;
	uint32_t bit_size;
	int64_t value;
};

/**
 * kcatch_types_open - the types of the running kernel
 * @types: the new object
 *
 * Those of modules are read when a function of theirs is asked for.
 *
 * Return: 0; -ENOENT when the kernel has no type information; another -errno.
 */
int kcatch_types_open(struct kcatch_types **types);

/**
 * kcatch_types_open_directory - types out of a copy of /sys/kernel/btf
 * @types: the new object
 * @directory: with a file vmlinux, and files of modules by their names
 *
 * Return: 0; -ENOENT no such file or nothing in it; -EINVAL it is damaged; another -errno.
 */
int kcatch_types_open_directory(struct kcatch_types **types, const char *directory);

/**
 * kcatch_types_close - forget them
 * @types: may be NULL
 */
void kcatch_types_close(struct kcatch_types *types);

/**
 * kcatch_types_function - arguments and return type of a function
 * @types: the types
 * @module: where it lies; NULL: in the kernel itself
 * @name: its name
 * @proto: a BTF_KIND_FUNC_PROTO
 *
 * Return: 0; -ENOENT when no types are known of it, as of a name with a dot in it, whose
 * arguments the compiler changed.
 */
int kcatch_types_function(struct kcatch_types *types, const char *module, const char *name,
			  struct kcatch_type *proto);

/**
 * kcatch_types_struct - a type by its name
 * @types: the types
 * @name: "struct x", "union x", "enum x", a typedef's name, "unsigned int"
 * @type: the type
 *
 * Return: 0 or -ENOENT.
 */
int kcatch_types_struct(struct kcatch_types *types, const char *name, struct kcatch_type *type);

struct kcatch_suggest;

/**
 * kcatch_types_suggest - the names of types that are near to one that there is not
 * @types: the types
 * @name: as for kcatch_types_struct()
 * @suggest: to be filled
 */
void kcatch_types_suggest(struct kcatch_types *types, const char *name,
			  struct kcatch_suggest *suggest);

/**
 * kcatch_types_enumerator - a value of some enum, by its name
 * @types: the types
 * @name: the name
 * @member: its value and the enum
 *
 * Goes through all types.
 *
 * Return: 0; -ENOENT when there is none, or several with different values.
 */
int kcatch_types_enumerator(struct kcatch_types *types, const char *name,
			    struct kcatch_member *member);

/**
 * kcatch_types_written - a type as C writes it, with at most one pointer
 * kcatch_types_find_written - the same
 * @types: the types
 * @text: "unsigned long", "size_t", "const char *"; of more pointers than one it is "void *"
 * @type: the type
 *
 * The second goes through all types, each time.
 *
 * Return: 0 or -ENOENT.
 */
int kcatch_types_written(struct kcatch_types *types, const char *text, struct kcatch_type *type);
int kcatch_types_find_written(struct kcatch_types *types, const char *text,
			      struct kcatch_type *type);

/**
 * kcatch_types_where - whose types are those
 * @types: the types
 * @btf: of a struct kcatch_type
 *
 * Return: "vmlinux" or a module's name; NULL: they are not of @types.
 */
const char *kcatch_types_where(const struct kcatch_types *types, const struct kcatch_btf *btf);

/**
 * kcatch_types_at - a type by its number
 * @types: the types
 * @where: as kcatch_types_where() said
 * @id: its number; 0: void
 * @type: the type
 *
 * Return: 0 or -ENOENT.
 */
int kcatch_types_at(struct kcatch_types *types, const char *where, uint32_t id,
		    struct kcatch_type *type);

/**
 * kcatch_type_strip - past typedef, const, volatile, restrict and tags
 * @type: a type
 *
 * Return: what it is in the end.
 */
struct kcatch_type kcatch_type_strip(struct kcatch_type type);

/**
 * kcatch_type_kind - what a type is in the end
 * @type: a type
 *
 * Return: BTF_KIND_*; BTF_KIND_UNKN for void.
 */
int kcatch_type_kind(struct kcatch_type type);

/**
 * kcatch_type_name - the type's own name
 * @type: a type, which is not stripped
 *
 * Return: the name, "" when it has none.
 */
const char *kcatch_type_name(struct kcatch_type type);

/**
 * kcatch_type_text - the type as in C: "const struct file *"
 * @type: a type
 * @text: the text, with an end mark
 * @room: bytes at @text; what does not fit is left out
 *
 * Return: bytes written without the end mark.
 */
size_t kcatch_type_text(struct kcatch_type type, char *text, size_t room);

/**
 * kcatch_type_size - bytes
 * @type: a type
 *
 * Return: the size; -EINVAL when it has none, as void and functions, or is not known.
 */
int64_t kcatch_type_size(struct kcatch_type type);

/**
 * kcatch_type_is_signed - a signed integer or enum
 * kcatch_type_is_bool - a bool
 * kcatch_type_is_char - an integer of one byte that is a character: char, but not u8
 * kcatch_type_is_pointer - a pointer
 * kcatch_type_is_const - const, before any pointer is followed
 * @type: a type
 *
 * Return: whether it is.
 */
bool kcatch_type_is_signed(struct kcatch_type type);
bool kcatch_type_is_bool(struct kcatch_type type);
bool kcatch_type_is_char(struct kcatch_type type);
bool kcatch_type_is_pointer(struct kcatch_type type);
bool kcatch_type_is_const(struct kcatch_type type);

/**
 * kcatch_type_target - one step down
 * @type: a pointer, an array, or a function
 *
 * Return: what it points to, its element, or what it returns; void for all else.
 */
struct kcatch_type kcatch_type_target(struct kcatch_type type);

/**
 * kcatch_type_nr_elements - of an array
 * kcatch_type_nr_members - of a struct or union; parameters of a function ("..." is one);
 *	values of an enum
 * @type: a type
 *
 * Return: how many; 0 for all else.
 */
uint32_t kcatch_type_nr_elements(struct kcatch_type type);
uint32_t kcatch_type_nr_members(struct kcatch_type type);

/**
 * kcatch_type_member - one of them
 * @type: a struct, union, function or enum
 * @index: which
 * @member: what it is
 *
 * Return: 0 or -ERANGE.
 */
int kcatch_type_member(struct kcatch_type type, uint32_t index, struct kcatch_member *member);

/**
 * kcatch_type_find - one of them by name, inside members without a name as well
 * @type: a struct, union, function or enum
 * @name: which
 * @member: what it is; bit_offset counts from the start of @type
 *
 * Return: 0 or -ENOENT.
 */
int kcatch_type_find(struct kcatch_type type, const char *name, struct kcatch_member *member);

#endif
