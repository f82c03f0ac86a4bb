/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording_fuzz.c - fuzzes the reader of recordings, from the directory to each form of output
 *
 * Inputs are directories (recording_image.h) that stay recordings in most respects: types,
 * plans, records and lists are changed part by part, and now and then byte by byte.
 */
#include <string.h>

#include "fuzz.h"
#include "recording_image.h"
#include "show_recording.h"

static struct image image, other;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct image_file *file = &image.files[IMAGE_CONDITION];
	struct show_options options = { 0 };
	char condition[1000] = "";

	image_unpack(&image, data, size);
	if (file->there)
		memcpy(condition, file->bytes,
		       file->size < sizeof(condition) ? file->size : sizeof(condition) - 1);
	file = &image.files[IMAGE_OPTIONS_FILE];
	if (file->there && file->size >= sizeof(options))
		memcpy(&options, file->bytes, sizeof(options));
	image_write(&image);
	show_recording(fuzz_directory(), *condition ? condition : NULL, &options);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	fuzz_seed(seed);
	image_unpack(&image, data, size);
	image_mutate(&image);
	return image_pack(&image, data, most);
}

/* Files of both. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
				 size_t two_size, uint8_t *out, size_t most, unsigned int seed)
{
	size_t i;

	fuzz_seed(seed);
	image_unpack(&image, one, one_size);
	image_unpack(&other, two, two_size);
	for (i = 0; i < IMAGE_NR; i++)
		if (!fuzz_choose(4))
			image.files[i] = other.files[i];
	return image_pack(&image, out, most);
}
