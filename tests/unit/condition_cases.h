/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * condition_cases.h - conditions, what they are tried with, and what they come to
 *
 * The cases are in tests/condition_cases.inc. A C compiler reads those that are C, and so
 * says itself what they mean.
 */
#ifndef TESTS_UNIT_CONDITION_CASES_H
#define TESTS_UNIT_CONDITION_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONDITION_RAW_ENVS 6U
#define CONDITION_TYPED_ENVS 6U
#define CONDITION_TYPED_C_ENVS 4U	/* of them those that C survives */

enum condition_case_kind {
	CASE_RAW,		/* of a function without types: arguments are registers */
	CASE_HOST,		/* the same; about who calls, and how long */
	CASE_TYPED,		/* of condition_case_function */
	CASE_RAW_OURS,		/* not C, or C leaves it open */
	CASE_HOST_OURS,
	CASE_TYPED_OURS,
};

/**
 * struct condition_case - one condition
 * @kind: CASE_*
 * @text: the condition
 * @answers: '1' or '0' for each environment
 */
struct condition_case {
	enum condition_case_kind kind;
	const char *text;
	const char *answers;
};

extern const struct condition_case condition_cases[];
extern const size_t condition_cases_nr;

/* What a function without types is given. pid 4321, tid 4322, cpu 1, comm "dd". */
struct condition_raw_env {
	uint64_t args[6];
	uint64_t ret, latency;
};

extern const struct condition_raw_env condition_raw_envs[CONDITION_RAW_ENVS];

enum color { RED = -7, GREEN = 0, BLUE = 5 };

struct thing {
	int x;
	unsigned int u;
	short s;
	unsigned char b;
	signed char sc;
	long l;
	unsigned long ul;
	int three : 3;
	unsigned int seven : 7;
	unsigned int one : 1;
	unsigned int thirty : 30;
	enum color color;
	bool flag;
	char tag[8];
	int arr[4];
	struct {
		int a, b;
	} in;
	union {
		uint32_t either;
		uint8_t bytes[4];
	};
	struct thing *next, *self;
	const char *text;
};

/* int function(struct thing *p, const char *name, int i, unsigned int u, long l,
 * unsigned short h, signed char c): the last one is on the stack. */
struct condition_typed_env {
	struct thing *p;
	const char *name;
	int i;
	unsigned int u;
	long l;
	unsigned short h;
	signed char c;
	int ret;
};

extern const struct condition_typed_env condition_typed_envs[CONDITION_TYPED_ENVS];

/**
 * condition_case_c - what C says
 * @index: of the case; not one of ours
 * @env: number of the environment
 *
 * Return: '1' or '0'.
 */
char condition_case_c(size_t index, unsigned int env);

/**
 * condition_case_envs - how many environments a case has answers for
 * @it: the case
 */
unsigned int condition_case_envs(const struct condition_case *it);

#endif
