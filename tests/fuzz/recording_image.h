/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording_image.h - the directory of a recording as one input
 *
 * An input says how it differs from a sound recording (recording_seed.c), as a row of files: a
 * byte that says which, three bytes of length, the contents; or IMAGE_GONE for a length, when it
 * is not in the directory. Of two with the same number the last one counts.
 */
#ifndef TESTS_FUZZ_RECORDING_IMAGE_H
#define TESTS_FUZZ_RECORDING_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMAGE_FILE_MAX 32768U
#define IMAGE_GONE 0xffffffU

enum image_file_kind {
	IMAGE_OPTIONS,		/* struct show_options, no file */
	IMAGE_WORDS,		/* a condition, no file */
	IMAGE_TEXT,		/* lines of words and numbers */
	IMAGE_JSON,		/* lines of objects */
	IMAGE_BTF,
	IMAGE_STREAM,
};

enum {
	IMAGE_OPTIONS_FILE, IMAGE_CONDITION, IMAGE_SESSION, IMAGE_PLANS, IMAGE_PROBES,
	IMAGE_SYMBOLS, IMAGE_MODULES, IMAGE_COUNTERS, IMAGE_VMLINUX,
	IMAGE_MODULE_BTF, IMAGE_CPU0, IMAGE_CPU1, IMAGE_CPU9, IMAGE_PARTIAL, IMAGE_METADATA,
	IMAGE_INDEX, IMAGE_CGROUPS, IMAGE_NR,
};

/* Their names, NULL: it is no file; and what is in them. */
struct image_name {
	const char *name;
	enum image_file_kind kind;
};
extern const struct image_name image_names[IMAGE_NR];

struct image_file {
	bool there;
	size_t size;
	uint8_t bytes[IMAGE_FILE_MAX];
};

struct image {
	struct image_file files[IMAGE_NR];
};

/**
 * image_unpack - an input becomes files
 * @image: the files
 * @bytes: the input
 * @size: bytes of it
 */
void image_unpack(struct image *image, const uint8_t *bytes, size_t size);

/**
 * image_pack - files become an input; those for which there is no room are left out
 * @image: the files
 * @bytes: the input
 * @room: bytes there
 *
 * Return: bytes written.
 */
size_t image_pack(const struct image *image, uint8_t *bytes, size_t room);

/**
 * image_write - make the directory of the recording in fuzz_directory()
 * @image: the files
 */
void image_write(const struct image *image);

/**
 * image_seed - a sound recording: all kinds of records, types, plans, modules that come and go
 * @image: the files
 */
void image_seed(struct image *image);

/**
 * image_mutate - change something that stays a recording in most respects
 * @image: the files
 */
void image_mutate(struct image *image);

#endif
