/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* image_file.h - read a module's file or type information into memory, unpacked */
#ifndef LIB_SYMBOLS_IMAGE_FILE_H
#define LIB_SYMBOLS_IMAGE_FILE_H

#include <stddef.h>
#include <stdint.h>

/**
 * kcatch_image_read - read a file; a file packed by xz, zstd or gzip is unpacked
 * @path: the file: NAME.ko, NAME.ko.xz, NAME.ko.zst, NAME.ko.gz, or BTF
 * @file: descriptor of it, which stays open; -1: @path is opened, else it is for messages alone
 * @bytes: set to the contents, to be freed with free(); on error, the value is undefined
 * @size: set to the size of the contents, bytes; at most 512 MB
 *
 * The unpackers (liblzma, libzstd, zlib) are opened when a file needs them. The contents of a
 * packed file are at most 128 MB. Blocks for the disk.
 *
 * Return: 0; with an error text: -EOPNOTSUPP: the file is packed, and its unpacker is not
 * installed; -EINVAL: not a regular file, empty, too large or damaged; another -errno.
 */
int kcatch_image_read(const char *path, int file, uint8_t **bytes, size_t *size);

#endif
