/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * image_file.c - read a module's file or type information into memory, unpacked
 *
 * A packed file does not always say how large its contents are. So the buffer is enlarged
 * until they fit.
 *
 * The unpackers are opened with dlopen() when a file needs one: linked, they would be loaded
 * at every start. libkmod cannot replace them, because it does not give access to a module's
 * contents.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <kcatch_text.h>
#include "symbols/image_file.h"

#define FILE_MAX (512U << 20)	/* bytes of a file, packed or unpacked */

/* ISO C has no cast from a data pointer to a function pointer; this way is POSIX's. */
#define TAKE(function, library, name) (*(void **)&(function) = dlsym(library, name))

static int read_packed(const char *path, uint8_t **bytes, size_t *size)
{
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat status;
	size_t done = 0;
	ssize_t got = 1;
	int ret = 0;

	if (file < 0)
		return kcatch_error_system(errno, path);
	if (fstat(file, &status) || !S_ISREG(status.st_mode) || status.st_size <= 0 ||
	    status.st_size > FILE_MAX) {
		close(file);
		return kcatch_error_set(EINVAL, "%s: nothing in it, or far too much", path);
	}
	*size = status.st_size;
	*bytes = malloc(*size);
	if (!*bytes)
		ret = kcatch_error_memory();
	while (!ret && done < *size && got) {
		got = read(file, *bytes + done, *size - done);
		if (got < 0 && errno != EINTR)
			ret = kcatch_error_system(errno, path);
		else if (got > 0)
			done += got;
	}
	*size = done;
	close(file);
	if (ret)
		free(*bytes);
	return ret;
}

/* Unpack into @room bytes at @out. Return: number of bytes; -ENOSPC: too little room; -EINVAL. */
static ssize_t unpack_xz(void *library, const uint8_t *in, size_t size, uint8_t *out, size_t room)
{
	size_t in_at = 0, out_at = 0;
	uint64_t memory = FILE_MAX;
	__typeof__(lzma_stream_buffer_decode) *decode;
	lzma_ret ret;

	if (!TAKE(decode, library, "lzma_stream_buffer_decode"))
		return -EINVAL;
	ret = decode(&memory, 0, NULL, in, &in_at, size, out, &out_at, room);
	if (ret == LZMA_OK)
		return (ssize_t)out_at;
	return ret == LZMA_BUF_ERROR ? -ENOSPC : -EINVAL;
}

static ssize_t unpack_zstd(void *library, const uint8_t *in, size_t size, uint8_t *out, size_t room)
{
	__typeof__(ZSTD_decompress) *decode;
	__typeof__(ZSTD_getErrorCode) *error;
	size_t ret;

	if (!TAKE(decode, library, "ZSTD_decompress") || !TAKE(error, library, "ZSTD_getErrorCode"))
		return -EINVAL;
	ret = decode(out, room, in, size);
	if (error(ret) == ZSTD_error_no_error)
		return (ssize_t)ret;
	return error(ret) == ZSTD_error_dstSize_tooSmall ? -ENOSPC : -EINVAL;
}

static const struct packer {
	const char *mark, *library, *package;
	size_t length;
	ssize_t (*unpack)(void *library, const uint8_t *in, size_t size, uint8_t *out, size_t room);
} packers[] = {
	{ "\xfd" "7zXZ", "liblzma.so.5", "liblzma5", 6, unpack_xz },
	{ "\x28\xb5\x2f\xfd", "libzstd.so.1", "libzstd1", 4, unpack_zstd },
};

static int unpack(const struct packer *packer, const char *path, uint8_t **bytes, size_t *size)
{
	void *library = dlopen(packer->library, RTLD_NOW | RTLD_LOCAL);
	uint8_t *out = NULL, *more;
	ssize_t got = -ENOSPC;
	size_t room = *size;

	if (!library)
		return kcatch_error_set(EOPNOTSUPP, "%s: to unpack it, %s is needed (Debian package %s)",
					path, packer->library, packer->package);
	while (got == -ENOSPC && room < FILE_MAX) {
		room *= 4;
		more = realloc(out, room);
		if (!more) {
			got = -ENOMEM;
			break;
		}
		out = more;
		got = packer->unpack(library, *bytes, *size, out, room);
	}
	dlclose(library);
	if (got <= 0) {
		free(out);
		return got == -ENOMEM ? kcatch_error_memory() :
		       kcatch_error_set(EINVAL, "%s: it cannot be unpacked", path);
	}
	free(*bytes);
	*bytes = out;
	*size = (size_t)got;
	return 0;
}

int kcatch_image_read(const char *path, uint8_t **bytes, size_t *size)
{
	int ret = read_packed(path, bytes, size);
	size_t i;

	for (i = 0; !ret && i < sizeof(packers) / sizeof(packers[0]); i++) {
		if (*size < packers[i].length ||
		    memcmp(*bytes, packers[i].mark, packers[i].length) != 0)
			continue;
		ret = unpack(&packers[i], path, bytes, size);
		if (ret)
			free(*bytes);
		break;
	}
	return ret;
}
