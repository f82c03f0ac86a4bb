/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kernel/hit/pair.c has of the kernel's headers, in user space. The compiler includes it
 * before that file.
 */
#ifndef TESTS_UNIT_PAIR_TABLE_FIXTURE_H
#define TESTS_UNIT_PAIR_TABLE_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#define _KCATCH_CALL_PARTS_H

typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
#define __percpu
#define __aligned(bytes) __attribute__((aligned(bytes)))
#undef __always_inline
#define __always_inline       inline __attribute__((always_inline))
#define ARRAY_SIZE(array)     (sizeof(array) / sizeof(*(array)))
#define this_cpu_inc(counter) __atomic_fetch_add(&(counter), 1, __ATOMIC_RELAXED)
#define unlikely(x)           (x)
#define READ_ONCE(word)       (pair_table_look(), __atomic_load_n(&(word), __ATOMIC_RELAXED))
#define WRITE_ONCE(word, value) \
	(pair_table_look(), __atomic_store_n(&(word), (value), __ATOMIC_RELAXED))

/* Of the test: what happens before each look at a slot, and the clock. */
void pair_table_look(void);
u64 kcatch_clock_read(void);

struct kcatch_condition_input {
	u64 key, latency;
	bool is_bad; /* the key is not known */
};

struct kcatch_inflight;

struct kcatch_code {
	int unused;
};

struct kcatch_program_code {
	const struct kcatch_pair_part *pair;
	const struct kcatch_code *entry_condition, *return_condition;
};

static inline u64 kcatch_call_ns(u64 ticks)
{
	return ticks;
}

static inline bool kcatch_answer_holds(u32 answer)
{
	return answer == KCATCH_EXIT_YES;
}

static inline u32 kcatch_condition_answer(const struct kcatch_code *condition,
					  const struct kcatch_condition_input *input)
{
	(void)condition;
	(void)input;
	return KCATCH_EXIT_YES;
}

static inline void kcatch_code_put(const struct kcatch_code *code,
				   const struct kcatch_condition_input *input, u64 *out, u32 room)
{
	(void)code;
	while (room)
		out[--room] = 1; /* a first event of notes sleeps */
	out[0] = input->key;
	out[1] = input->is_bad;
}

#include "hit/pair.h"

#endif
