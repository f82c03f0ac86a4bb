/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * image_file.c - read a module's file or type information into memory, unpacked
 *
 * A packed file does not always say how large its contents are, and is not believed when it
 * does: the buffer is enlarged as it fills.
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
#include <zlib.h>
#include <zstd.h>

#include <kcatch_text.h>
#include "symbols/image_file.h"

#define FILE_MAX (512U << 20)
/* A recording may come from anywhere: some kilobytes of it can unpack to anything. */
#define UNPACKED_MAX (128U << 20)
#define XZ_MEMORY_MAX (96ULL << 20)	/* xz -9 needs 65 MB */

/* ISO C has no cast from a data pointer to a function pointer; this way is POSIX's. */
#define TAKE(function, library, name) (*(void **)&(function) = dlsym(library, name))

static int read_open(const char *path, int file, uint8_t **bytes, size_t *size)
{
	struct stat status;
	size_t done = 0;
	ssize_t got = 1;
	int ret = 0;

	if (fstat(file, &status) || !S_ISREG(status.st_mode) || status.st_size <= 0 ||
	    status.st_size > FILE_MAX)
		return kcatch_error_set(EINVAL, "%s: nothing in it, or far too much", path);
	*size = status.st_size;
	*bytes = malloc(*size);
	if (!*bytes)
		ret = kcatch_error_memory();
	while (!ret && done < *size && got) {
		got = pread(file, *bytes + done, *size - done, (off_t)done);
		if (got < 0 && errno != EINTR)
			ret = kcatch_error_system(errno, path);
		else if (got > 0)
			done += got;
	}
	*size = done;
	if (ret)
		free(*bytes);
	return ret;
}

static int read_packed(const char *path, uint8_t **bytes, size_t *size)
{
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), ret;

	if (file < 0)
		return kcatch_error_system(errno, path);
	ret = read_open(path, file, bytes, size);
	close(file);
	return ret;
}

/* What has been unpacked so far. */
struct contents {
	uint8_t *bytes;
	size_t size, room;
};

/* More room behind the contents. Return: 0; -EINVAL there is far too much; -ENOMEM. */
static int grow(struct contents *contents, size_t least)
{
	size_t room = contents->room ? 2 * contents->room : least;
	uint8_t *more;

	if (contents->room >= UNPACKED_MAX)
		return -EINVAL;
	if (room > UNPACKED_MAX)
		room = UNPACKED_MAX;
	more = realloc(contents->bytes, room);
	if (!more)
		return -ENOMEM;
	contents->bytes = more;
	contents->room = room;
	return 0;
}

static int unpack_xz(void *library, const uint8_t *in, size_t size, struct contents *out)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	__typeof__(lzma_stream_decoder) *begin;
	__typeof__(lzma_code) *code;
	__typeof__(lzma_end) *end;
	lzma_ret got = LZMA_OK;
	int ret = 0;

	if (!TAKE(begin, library, "lzma_stream_decoder") || !TAKE(code, library, "lzma_code") ||
	    !TAKE(end, library, "lzma_end") || begin(&stream, XZ_MEMORY_MAX, 0) != LZMA_OK)
		return -EINVAL;
	stream.next_in = in;
	stream.avail_in = size;
	while (!ret && got == LZMA_OK) {
		if (out->size == out->room)
			ret = grow(out, 4 * size);
		stream.next_out = out->bytes + out->size;
		stream.avail_out = out->room - out->size;
		if (!ret)
			got = code(&stream, LZMA_FINISH);
		out->size = out->room - stream.avail_out;
	}
	end(&stream);
	return ret ? ret : got == LZMA_STREAM_END ? 0 : -EINVAL;
}

static int unpack_zstd(void *library, const uint8_t *in, size_t size, struct contents *out)
{
	ZSTD_inBuffer from = { in, size, 0 };
	__typeof__(ZSTD_createDStream) *create;
	__typeof__(ZSTD_decompressStream) *code;
	__typeof__(ZSTD_freeDStream) *destroy;
	__typeof__(ZSTD_isError) *is_error;
	ZSTD_DStream *stream;
	size_t left = 1;
	int ret = 0;

	if (!TAKE(create, library, "ZSTD_createDStream") ||
	    !TAKE(code, library, "ZSTD_decompressStream") ||
	    !TAKE(destroy, library, "ZSTD_freeDStream") || !TAKE(is_error, library, "ZSTD_isError"))
		return -EINVAL;
	stream = create();
	if (!stream)
		return -ENOMEM;
	while (!ret && left) {
		ZSTD_outBuffer to = { out->bytes, out->room, out->size };

		if (out->size == out->room) {
			ret = grow(out, 4 * size);
			continue;
		}
		left = code(stream, &to, &from);
		/* Nothing more comes of what is there. */
		if (is_error(left) || (left && to.pos == out->size && from.pos == size))
			ret = -EINVAL;
		out->size = to.pos;
	}
	destroy(stream);
	return ret;
}

static int unpack_gzip(void *library, const uint8_t *in, size_t size, struct contents *out)
{
	z_stream stream = { .next_in = (Bytef *)in, .avail_in = (uInt)size };
	__typeof__(inflateInit2_) *begin;
	__typeof__(inflate) *code;
	__typeof__(inflateEnd) *end;
	int ret = 0, got = Z_OK;

	/* 16: a gzip file; 15: of any window. */
	if (!TAKE(begin, library, "inflateInit2_") || !TAKE(code, library, "inflate") ||
	    !TAKE(end, library, "inflateEnd") ||
	    begin(&stream, 16 + 15, ZLIB_VERSION, (int)sizeof(stream)) != Z_OK)
		return -EINVAL;
	while (!ret && got == Z_OK) {
		if (out->size == out->room)
			ret = grow(out, 4 * size);
		stream.next_out = out->bytes + out->size;
		stream.avail_out = (uInt)(out->room - out->size);
		if (!ret)
			got = code(&stream, Z_NO_FLUSH);
		out->size = out->room - stream.avail_out;
	}
	end(&stream);
	return ret ? ret : got == Z_STREAM_END ? 0 : -EINVAL;
}

static const struct packer {
	const char *mark, *library, *package;
	size_t length;
	int (*unpack)(void *library, const uint8_t *in, size_t size, struct contents *out);
} packers[] = {
	{ "\xfd" "7zXZ", "liblzma.so.5", "liblzma5", 6, unpack_xz },
	{ "\x28\xb5\x2f\xfd", "libzstd.so.1", "libzstd1", 4, unpack_zstd },
	{ "\x1f\x8b\x08", "libz.so.1", "zlib1g", 3, unpack_gzip },
};

static int unpack(const struct packer *packer, const char *path, uint8_t **bytes, size_t *size)
{
	void *library = dlopen(packer->library, RTLD_NOW | RTLD_LOCAL);
	struct contents contents = { .bytes = NULL };
	int ret;

	if (!library)
		return kcatch_error_set(EOPNOTSUPP, "%s: to unpack it, %s is needed (Debian package %s)",
					path, packer->library, packer->package);
	ret = packer->unpack(library, *bytes, *size, &contents);
	dlclose(library);
	if (ret || !contents.size) {
		free(contents.bytes);
		return ret == -ENOMEM ? kcatch_error_memory() :
		       kcatch_error_set(EINVAL, "%s: it cannot be unpacked", path);
	}
	free(*bytes);
	*bytes = contents.bytes;
	*size = contents.size;
	return 0;
}

int kcatch_image_read(const char *path, int file, uint8_t **bytes, size_t *size)
{
	int ret = file < 0 ? read_packed(path, bytes, size) : read_open(path, file, bytes, size);
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
