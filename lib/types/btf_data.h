/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * btf_data.h - reads the BTF (type information) of the kernel or of one module
 *
 * The format is that of <linux/btf.h> and of the kernel's Documentation/bpf/btf.rst. Modules
 * have split BTF: it continues the numbers and string offsets of a base, the kernel's BTF.
 *
 * Threads may use one object at the same time, until it is closed.
 */
#ifndef LIB_TYPES_BTF_DATA_H
#define LIB_TYPES_BTF_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/btf.h>

struct kcatch_btf;

/**
 * kcatch_btf_open - read a file with BTF and check it
 * @btf: receives the new object; free it with kcatch_btf_close()
 * @path: raw BTF (/sys/kernel/btf/...), or an ELF file with a section .BTF
 * @file: descriptor of it, as for kcatch_image_read()
 * @base: the BTF that the file continues; must outlive @btf. NULL: the file has no base
 *
 * Return: 0; -ENOENT there is no such file, or it has no BTF that continues @base;
 * -EINVAL the file is damaged; -EOPNOTSUPP its first type, or one of @base, is of a kind that
 * is not known; another -errno of reading the file. The error text is set.
 */
int kcatch_btf_open(struct kcatch_btf **btf, const char *path, int file,
		    const struct kcatch_btf *base);

/**
 * kcatch_btf_close - free the object and every type description it returned
 * @btf: may be NULL
 */
void kcatch_btf_close(struct kcatch_btf *btf);

/**
 * kcatch_btf_unknown - get the first kind of types that this release does not know
 * @btf: the BTF
 * @ends_early: set to whether types behind the first of that kind are not known either: newer
 *	kernels say how large the description of each kind is, so that others can be read
 *
 * Return: the kind; 0: all are known.
 */
int kcatch_btf_unknown(const struct kcatch_btf *btf, bool *ends_early);

/**
 * kcatch_btf_bytes - get the BTF as it was read, without the ELF file around it
 * @btf: the BTF
 * @size: receives its size, bytes
 *
 * Return: its bytes, valid as long as the object.
 */
const void *kcatch_btf_bytes(const struct kcatch_btf *btf, size_t *size);

/** kcatch_btf_kernel - the BTF that a module's continues. @btf: a module's, or the kernel's own */
const struct kcatch_btf *kcatch_btf_kernel(const struct kcatch_btf *btf);

/**
 * kcatch_btf_memory - get how much memory an object takes at most, with all indexes
 * @btf: the BTF
 *
 * Return: bytes.
 */
size_t kcatch_btf_memory(const struct kcatch_btf *btf);

/**
 * kcatch_btf_type - get the description of a type
 * @btf: searched together with its bases
 * @id: number of the type
 *
 * Return: the description and the data behind it (members, parameters, values), checked to
 * lie in the file, valid as long as the BTF; NULL: @id is 0 (void) or there is no such type.
 */
const struct btf_type *kcatch_btf_type(const struct kcatch_btf *btf, uint32_t id);

/**
 * kcatch_btf_string - get a name
 * @btf: searched together with its bases
 * @offset: offset of the name in the string section, bytes
 *
 * Return: the name, null-terminated, valid as long as the BTF; "" if @offset is out of range.
 */
const char *kcatch_btf_string(const struct kcatch_btf *btf, uint32_t offset);

/**
 * kcatch_btf_find - find a type by kind and name
 * @btf: searched without its base
 * @kind: BTF_KIND_*
 * @name: name of the type
 *
 * The first two calls search linearly. The third builds an index (8 to 16 bytes a type that can be
 * looked up so), which later calls use; without memory for it they go on searching linearly.
 * Functions have an index of their own.
 *
 * Return: number of the first such type; 0: none.
 */
uint32_t kcatch_btf_find(const struct kcatch_btf *btf, int kind, const char *name);

/**
 * kcatch_btf_tells_signs - do the flags of the enums tell which of them are signed?
 * @btf: asked with its bases
 *
 * Since pahole 1.24 signed enums have the flag, and there is BTF_KIND_ENUM64. Before, none had it:
 * then a negative value means signed.
 *
 * Return: whether any enum has the flag, or 64 bits.
 */
bool kcatch_btf_tells_signs(const struct kcatch_btf *btf);

/**
 * kcatch_btf_has_namesakes - are there several functions of one name?
 * @btf: searched with its bases
 *
 * Whoever made it (pahole) has left out no function then because others of its name differ. Makes
 * the index of functions.
 *
 * Return: whether there are, or memory for the index is short.
 */
bool kcatch_btf_has_namesakes(const struct kcatch_btf *btf);

/**
 * kcatch_btf_find_other - find another function of the same name
 * @btf: searched without its base
 * @id: what kcatch_btf_find() or this function returned, of BTF_KIND_FUNC
 *
 * Static functions of different files may have one name. Indexed as kcatch_btf_find() is.
 *
 * Return: number of the next one; 0: no more.
 */
uint32_t kcatch_btf_find_other(const struct kcatch_btf *btf, uint32_t id);

/**
 * kcatch_btf_pointer - find the type of pointers to a type
 * @btf: searched together with its bases, and indexed as for kcatch_btf_find()
 * @target: number of the type; 0: void
 * @is_const: to a const type
 *
 * Return: number of the first such type; 0: none.
 */
uint32_t kcatch_btf_pointer(const struct kcatch_btf *btf, uint32_t target, bool is_const);

/**
 * kcatch_btf_next - iterate over the types of one kind
 * @btf: searched without its base
 * @kind: BTF_KIND_*
 * @id: number that the previous call returned; 0: start at the first type
 *
 * Return: number of the next type of that kind; 0: no more.
 */
uint32_t kcatch_btf_next(const struct kcatch_btf *btf, int kind, uint32_t id);

/**
 * kcatch_btf_expect_many - build the index of functions now
 * @btf: its own functions
 */
void kcatch_btf_expect_many(struct kcatch_btf *btf);

#endif
