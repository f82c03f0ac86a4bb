/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * types.h - the types of a kernel and its modules: functions, structs, members
 *
 * A struct kcatch_types holds the BTF (type information) of one kernel, live or recorded, and
 * of the modules whose functions were looked up. A struct kcatch_type names one type in it by
 * value. Reading BTF blocks on files; all other calls work in memory.
 *
 * No locks: one thread at a time uses a struct kcatch_types and its types. Lookups of module
 * functions and texts of types add to it.
 */
#ifndef LIB_TYPES_TYPES_H
#define LIB_TYPES_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/btf.h>		/* BTF_KIND_* */
#include <kcatch_text.h>

struct kcatch_types;
struct kcatch_btf;

/**
 * struct kcatch_type - one type; copied by value, valid as long as its struct kcatch_types
 * @btf: the BTF that describes the type
 * @id: number of the type in @btf; 0: void, or no type
 */
struct kcatch_type {
	const struct kcatch_btf *btf;
	uint32_t id;
};

/**
 * struct kcatch_member - member of a struct or union, parameter, or enumerator
 * @name: null-terminated, valid as long as the types; "" if it has none
 * @type: type of the member or parameter (id 0 for the parameter "..."); for an
 *	enumerator, its enum
 * @bit_offset: offset of a member from the start of the struct or union, bits; else 0
 * @bit_size: width of a bit-field, bits; 0: not a bit-field
 * @value: value of an enumerator; else 0
 */
struct kcatch_member {
	const char *name;
	struct kcatch_type type;
	uint32_t bit_offset;
	uint32_t bit_size;
	int64_t value;
};

/**
 * kcatch_types_open - read the types of the running kernel
 * @types: receives the new object; free it with kcatch_types_close()
 *
 * Reads /sys/kernel/btf/vmlinux. A module's types are read when one of its functions is
 * looked up: from /sys/kernel/btf, or from the module's file if it is not loaded.
 *
 * Return: 0; -ENOENT the kernel has no BTF; -EINVAL it is damaged; another -errno of
 * reading it. The error text is set.
 */
int kcatch_types_open(struct kcatch_types **types);

/**
 * kcatch_types_open_directory - read the types from a copy of /sys/kernel/btf
 * @types: receives the new object; free it with kcatch_types_close()
 * @directory: has a file "vmlinux", and one file for each module, named after it
 *
 * A module's types are read when one of its functions is looked up, only from @directory.
 *
 * Return: 0; -ENOENT the directory has no vmlinux, or that has no BTF; -EINVAL it is
 * damaged; another -errno of reading it. The error text is set.
 */
int kcatch_types_open_directory(struct kcatch_types **types, const char *directory);

/**
 * kcatch_types_close - free the types; every struct kcatch_type of them becomes invalid
 * @types: may be NULL
 */
void kcatch_types_close(struct kcatch_types *types);

/**
 * kcatch_types_unknown - get the first kind of the kernel's types that this release does not know
 * @types: the types
 * @ends_early: set to whether the types behind the first of that kind are not known either
 *
 * Return: the kind, BTF_KIND_* of a newer kernel; 0: all are known.
 */
int kcatch_types_unknown(const struct kcatch_types *types, bool *ends_early);

/**
 * kcatch_types_bytes - get the BTF of the kernel or of a module as it was read
 * @types: the types
 * @name: "vmlinux", or a module one of whose functions was looked up
 * @size: receives its size, bytes
 *
 * A copy of it has the types by the same numbers, even if the module is gone or was never loaded.
 *
 * Return: its bytes, valid as long as @types; NULL: it was not read.
 */
const void *kcatch_types_bytes(const struct kcatch_types *types, const char *name, size_t *size);

/**
 * kcatch_types_expect_many - get ready for the lookup of thousands of functions
 * @types: the types
 */
void kcatch_types_expect_many(struct kcatch_types *types);

/**
 * kcatch_types_next_function - iterate over the functions of the kernel, without those of modules
 * @types: the types
 * @at: 0 before the first call; where it stands
 * @name: receives the function's name, valid as long as @types
 * @proto: receives its prototype
 *
 * Return: false: no more.
 */
bool kcatch_types_next_function(struct kcatch_types *types, uint32_t *at, const char **name,
				struct kcatch_type *proto);

/**
 * kcatch_types_unsure - may the types of a function be those of another one of its name?
 * @types: the types
 * @module: the module that contains the function; NULL: the kernel itself
 *
 * Newer kernels have their BTF made without the functions of a name that differ (pahole 1.25,
 * --skip_encoding_btf_inconsistent_proto). Older BTF has some of them: a name that is there once
 * may be of one of several functions all the same.
 *
 * Return: true where the BTF is such.
 */
bool kcatch_types_unsure(struct kcatch_types *types, const char *module);

/**
 * kcatch_types_function - look up the prototype of a function
 * @types: the types
 * @module: the module that contains the function; NULL: the kernel itself
 * @name: the function
 * @proto: receives its prototype, a BTF_KIND_FUNC_PROTO
 *
 * Return: 0; -ENOENT, with an error text: the BTF has no such function, or several of that name
 * with different types, the module has no BTF, or @name contains a dot (foo.isra.0): the compiler
 * changed the arguments of such a function.
 */
int kcatch_types_function(struct kcatch_types *types, const char *module, const char *name,
			  struct kcatch_type *proto);

/**
 * kcatch_types_struct - look up a type by name
 * kcatch_types_struct_near - look it up where another type is from, and then elsewhere
 * @types: searched: the kernel, then the modules whose types were read
 * @near: a type whose BTF is searched first: a module may have a struct of its own that is called
 *	like one of the kernel's
 * @name: "struct x", "union x", "enum x", the name of a typedef, or of an integer as BTF
 *	spells it ("long unsigned int")
 * @type: receives the type
 *
 * Return: 0; -ENOENT there is no such type (the error text is set).
 */
int kcatch_types_struct(struct kcatch_types *types, const char *name, struct kcatch_type *type);
int kcatch_types_struct_near(struct kcatch_types *types, struct kcatch_type near,
			     const char *name, struct kcatch_type *type);

/**
 * kcatch_types_has_other - is there another struct or union of that name, with other members?
 * @type: a type of kcatch_types_struct()
 *
 * Files of the kernel may each have a struct of the same name. Looks through all types of the BTF
 * that @type is from.
 *
 * Return: whether there is; false for types of other kinds.
 */
bool kcatch_types_has_other(struct kcatch_type type);

/**
 * kcatch_types_offset - get the offset of a member of a struct
 * @types: as for kcatch_types_struct()
 * @type: "struct NAME"
 * @member: name of the member
 * @offset: receives its offset, bytes
 *
 * Return: 0; -ENOENT no such struct or member (the error text is set).
 */
int kcatch_types_offset(struct kcatch_types *types, const char *type, const char *member,
			uint32_t *offset);

struct kcatch_suggest;

/**
 * kcatch_types_suggest - find the type names nearest to one that does not exist
 * @types: searched: the kernel, then the modules whose types were read
 * @name: as for kcatch_types_struct(); must stay as long as @suggest
 * @suggest: initialized here; receives the names, of the same kind (struct, union, ...)
 */
void kcatch_types_suggest(struct kcatch_types *types, const char *name,
			  struct kcatch_suggest *suggest);

/**
 * kcatch_types_enumerator - look up an enumerator by name, in every enum
 * @types: searched: the kernel, then the modules whose types were read
 * @name: name of the enumerator
 * @member: receives its value and its enum
 *
 * Examines all types.
 *
 * Return: 0; -ENOENT (no error text) no enum has it, or enums have it with different values.
 */
int kcatch_types_enumerator(struct kcatch_types *types, const char *name,
			    struct kcatch_member *member);

/**
 * kcatch_types_written - look up a type as C writes it, and remember the answer
 * kcatch_types_find_written - look it up without remembering the answer
 * @types: searched as kcatch_types_struct() does
 * @text: "unsigned long", "size_t", "const char *"; __user and const are accepted
 * @type: receives the type; for a pointer to a pointer, or to a type that is not known,
 *	that of "void *"
 *
 * A lookup examines all types of the kernel. A pointer that the kernel has only with or only
 * without const is found either way.
 *
 * Return: 0 or -ENOENT.
 */
int kcatch_types_written(struct kcatch_types *types, const char *text, struct kcatch_type *type);
int kcatch_types_find_written(struct kcatch_types *types, const char *text,
			      struct kcatch_type *type);

/**
 * kcatch_types_where - name the kernel or module that a BTF describes
 * @types: the types
 * @btf: the BTF of a struct kcatch_type
 *
 * Return: "vmlinux" or a module's name, valid as long as @types; NULL: @btf is not part of
 * @types.
 */
const char *kcatch_types_where(const struct kcatch_types *types, const struct kcatch_btf *btf);

/**
 * kcatch_types_at - get a type by its number
 * @types: the types
 * @where: name that kcatch_types_where() returned; a module's types are read if necessary
 * @id: number of the type; 0: void
 * @type: receives the type
 *
 * Return: 0; -ENOENT there is no such BTF or no such type (the error text is set).
 */
int kcatch_types_at(struct kcatch_types *types, const char *where, uint32_t id,
		    struct kcatch_type *type);

/**
 * kcatch_type_strip - remove typedefs, qualifiers (const, volatile, restrict) and type tags
 * @type: a type
 *
 * Return: the type behind them; void if there is none, or after 64 of them.
 */
struct kcatch_type kcatch_type_strip(struct kcatch_type type);

/**
 * kcatch_type_kind - kind of a type, without typedefs and qualifiers
 * @type: a type
 *
 * Return: BTF_KIND_*; BTF_KIND_UNKN for void.
 */
int kcatch_type_kind(struct kcatch_type type);

/**
 * kcatch_type_name - name of the type itself; typedefs and qualifiers are not removed
 * @type: a type
 *
 * Return: the name without "struct" and the like, valid as long as the types; "" if the
 * type has none.
 */
const char *kcatch_type_name(struct kcatch_type type);

/**
 * kcatch_type_text - write a type as C writes it: "const struct file *"
 * @type: a type
 * @text: receives the text, null-terminated, at most 255 bytes
 * @room: size of @text, bytes; the text is cut there
 *
 * Parts that do not fit into 255 bytes are left out. An unnamed struct is "struct {...}".
 *
 * Return: length of @text, bytes.
 */
size_t kcatch_type_text(struct kcatch_type type, char *text, size_t room);

/**
 * kcatch_type_size - size of a type
 * @type: a type
 *
 * Return: bytes; -EINVAL the type has no size (void, functions) or an unknown one (a struct
 * that is only declared).
 */
int64_t kcatch_type_size(struct kcatch_type type);

/**
 * kcatch_type_has_name - whether a type is called so
 * @type: a type
 * @name: name of a typedef
 *
 * Return: whether the type, or one that it is another name of, is this typedef.
 */
bool kcatch_type_has_name(struct kcatch_type type, const char *name);

/**
 * kcatch_type_is_signed - whether it is a signed integer or enum
 * kcatch_type_is_bool - whether it is a bool
 * kcatch_type_is_char - whether it is an integer of one byte that holds a character: any
 *	char, but not a typedef with an 8 in its name (u8, int8_t), which holds a number
 * kcatch_type_is_octet - whether it is an integer of one byte without a sign, but not what is
 *	called char: unsigned char, u8. It may hold a character, a number, or a part of an address
 * kcatch_type_is_network - whether it is an integer in network byte order: __be16, __be32, __be64
 * kcatch_type_is_pointer - whether it is a pointer
 * kcatch_type_is_const - whether the type itself is const; that of a pointee does not count
 * @type: a type; typedefs are followed
 *
 * Return: whether it is.
 */
bool kcatch_type_is_signed(struct kcatch_type type);
bool kcatch_type_is_bool(struct kcatch_type type);
bool kcatch_type_is_char(struct kcatch_type type);
bool kcatch_type_is_octet(struct kcatch_type type);
bool kcatch_type_is_network(struct kcatch_type type);
bool kcatch_type_is_pointer(struct kcatch_type type);
bool kcatch_type_is_const(struct kcatch_type type);

/**
 * kcatch_type_target - the type that a pointer, array or function refers to
 * @type: a pointer, an array, a BTF_KIND_FUNC_PROTO or a BTF_KIND_FUNC
 *
 * Return: the pointee, the element, the return type or the prototype; void for other types.
 */
struct kcatch_type kcatch_type_target(struct kcatch_type type);

/**
 * kcatch_type_nr_elements - number of elements of an array
 * kcatch_type_nr_members - number of members of a struct or union, of parameters of a
 *	BTF_KIND_FUNC_PROTO ("..." counts as one), or of enumerators
 * @type: a type
 *
 * Return: the number; 0 for other types.
 */
uint32_t kcatch_type_nr_elements(struct kcatch_type type);
uint32_t kcatch_type_nr_members(struct kcatch_type type);

/**
 * kcatch_type_member - get a member, parameter or enumerator by its index
 * @type: a struct, union, BTF_KIND_FUNC_PROTO or enum
 * @index: 0 .. kcatch_type_nr_members() - 1
 * @member: receives it
 *
 * Return: 0; -ERANGE @index is too large (@member is unchanged).
 */
int kcatch_type_member(struct kcatch_type type, uint32_t index, struct kcatch_member *member);

/**
 * kcatch_type_find - get a member, parameter or enumerator by its name
 * @type: a struct, union, BTF_KIND_FUNC_PROTO or enum
 * @name: its name; members of unnamed structs and unions in @type are found too
 * @member: receives it, with @bit_offset from the start of @type; undefined after an error
 *
 * Examines at most 65536 members, 16 unnamed structs deep, so that damaged types cannot
 * take long.
 *
 * Return: 0 or -ENOENT.
 */
int kcatch_type_find(struct kcatch_type type, const char *name, struct kcatch_member *member);

#endif
