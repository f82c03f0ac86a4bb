/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz.h - what the fuzzers of tests/fuzz share: input, a directory, random choices */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's side of the contract. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
				 size_t two_size, uint8_t *out, size_t most, unsigned int seed);

/* Ends the run as a finding. */
#define FUZZ_CHECK(condition, ...)                            \
	do {                                                  \
		if (!(condition))                             \
			fuzz_fail(__FILE__, __LINE__, __VA_ARGS__); \
	} while (0)
void fuzz_fail(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4), noreturn));

/**
 * struct fuzz_input - bytes that are taken from the front
 * @at: the next
 * @left: how many
 */
struct fuzz_input {
	const uint8_t *at;
	size_t left;
};

/**
 * fuzz_number - take a little-endian number
 * @input: the input; behind its end are zeros
 * @bytes: 1 to 8
 *
 * Return: the number.
 */
uint64_t fuzz_number(struct fuzz_input *input, unsigned int bytes);

/**
 * fuzz_take - take bytes
 * @input: the input
 * @size: how many; becomes less when the input ends before
 *
 * Return: the bytes.
 */
const uint8_t *fuzz_take(struct fuzz_input *input, size_t *size);

/* ---- files ------------------------------------------------------------------------- */

/**
 * fuzz_directory - a directory of this process in $TMPDIR, removed at its end
 *
 * Return: its path.
 */
const char *fuzz_directory(void);

/**
 * fuzz_path - a path in fuzz_directory()
 * @name: name of a file in it
 *
 * Return: the path, until the next call.
 */
const char *fuzz_path(const char *name);

/**
 * fuzz_write - write a file in fuzz_directory(); its folders are made
 * fuzz_remove - remove it, if it is there
 * @name: its name, with folders
 * @bytes: its new contents
 * @size: bytes there
 */
void fuzz_write(const char *name, const void *bytes, size_t size);
void fuzz_remove(const char *name);

/* ---- choices of a mutator ------------------------------------------------------------ */

/** fuzz_seed - begin a row of choices */
void fuzz_seed(unsigned int seed);

/** fuzz_choose - a number from 0 to @nr - 1 */
size_t fuzz_choose(size_t nr);

/** fuzz_interesting - a number at which code tends to break, or any */
uint64_t fuzz_interesting(void);

/**
 * fuzz_change_word - change an aligned number in a structure
 * @bytes: the structure
 * @size: bytes of it
 */
void fuzz_change_word(uint8_t *bytes, size_t size);

#endif
