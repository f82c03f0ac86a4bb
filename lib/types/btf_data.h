/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* btf_data.h - type information of the kernel or a module, loaded into memory */
#ifndef LIB_TYPES_BTF_DATA_H
#define LIB_TYPES_BTF_DATA_H

#include <stddef.h>
#include <stdint.h>

#include <linux/btf.h>

struct kcatch_btf;

/**
 * kcatch_btf_open - read and check a file
 * @btf: the new object
 * @path: BTF as it is, or an ELF file with a section .BTF
 * @base: what it continues, which must stay; NULL: nothing
 *
 * Return: 0; -ENOENT no such file or nothing in it; -EINVAL it is damaged; another -errno.
 */
int kcatch_btf_open(struct kcatch_btf **btf, const char *path, const struct kcatch_btf *base);

/**
 * kcatch_btf_close - forget it
 * @btf: may be NULL
 */
void kcatch_btf_close(struct kcatch_btf *btf);

/**
 * kcatch_btf_type - the description of a type
 * @btf: where
 * @id: its number
 *
 * Return: the description, all of which is there; NULL: void, or no such type.
 */
const struct btf_type *kcatch_btf_type(const struct kcatch_btf *btf, uint32_t id);

/**
 * kcatch_btf_string - a name in it
 * @btf: where
 * @offset: of the name
 *
 * Return: the name, "" when there is none.
 */
const char *kcatch_btf_string(const struct kcatch_btf *btf, uint32_t offset);

/**
 * kcatch_btf_find - a type by kind and name, in @btf itself and not in its base
 * @btf: where
 * @kind: BTF_KIND_*
 * @name: its name
 *
 * Goes through all types: for functions see kcatch_btf_function().
 *
 * Return: its number; 0: there is none.
 */
uint32_t kcatch_btf_find(const struct kcatch_btf *btf, int kind, const char *name);

/**
 * kcatch_btf_next - the next type of a kind, in @btf itself and not in its base
 * @btf: where
 * @kind: BTF_KIND_*
 * @id: the one before; 0: the first is wanted
 *
 * Return: its number; 0: there is none.
 */
uint32_t kcatch_btf_next(const struct kcatch_btf *btf, int kind, uint32_t id);

/**
 * kcatch_btf_function - a function by name, in @btf itself and not in its base
 * @btf: where
 * @name: its name
 *
 * Fast from the third on: then an index is made.
 *
 * Return: the number of its BTF_KIND_FUNC; 0: there is none.
 */
uint32_t kcatch_btf_function(struct kcatch_btf *btf, const char *name);

#endif
