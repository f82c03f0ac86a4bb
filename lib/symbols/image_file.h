/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* image_file.h - a module's file or type information, unpacked in memory */
#ifndef LIB_SYMBOLS_IMAGE_FILE_H
#define LIB_SYMBOLS_IMAGE_FILE_H

#include <stddef.h>
#include <stdint.h>

/**
 * kcatch_image_read - read a file; one packed by xz or zstd is unpacked
 * @path: the file: NAME.ko, NAME.ko.xz, NAME.ko.zst, or BTF
 * @bytes: its contents, to be freed
 * @size: length of @bytes, bytes
 *
 * The unpackers (liblzma, libzstd) are opened when a file needs them. At most 512 MB.
 *
 * Return: 0; -EOPNOTSUPP packed, and the unpacker is not installed; -EINVAL empty, too
 * large or damaged; another -errno; with an error text.
 */
int kcatch_image_read(const char *path, uint8_t **bytes, size_t *size);

#endif
