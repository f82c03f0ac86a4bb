/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * condition_cases.c - the cases, with the answers of the compiler that builds this
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errno_name.h"
#include "condition_cases.h"

#define RAW(expression, answers) { CASE_RAW, #expression, answers },
#define HOST(expression, answers) { CASE_HOST, #expression, answers },
#define TYPED(expression, answers) { CASE_TYPED, #expression, answers },
#define RAW_OURS(text, answers) { CASE_RAW_OURS, text, answers },
#define HOST_OURS(text, answers) { CASE_HOST_OURS, text, answers },
#define TYPED_OURS(text, answers) { CASE_TYPED_OURS, text, answers },

const struct condition_case condition_cases[] = {
#include "../condition_cases.inc"
};
const size_t condition_cases_nr = sizeof(condition_cases) / sizeof(condition_cases[0]);

#undef RAW
#undef HOST
#undef TYPED
#undef RAW_OURS
#undef HOST_OURS
#undef TYPED_OURS

/* ---- environments --------------------------------------------------------------- */

const struct condition_raw_env condition_raw_envs[CONDITION_RAW_ENVS] = {
	{ { 0, 1, 2, 3, 4, 5 }, 0, 1000 },
	{ { ~0ULL, 1, 0x80000000, 0xffffffff, 0x7fffffff, 1ULL << 63 }, (uint64_t)-2, 1500000 },
	{ { 0xff, 0xff80, 0x1ffffffff, (uint64_t)-4095, 0x100000000, 65537 }, 100, 5000000000 },
	{ { 0x8000, INT64_MAX, 42, 'A', 0100644, 0x12345678 }, (uint32_t)-1, 0 },
	{ { 2, 3, 1, 2, 0x123456789abcdef0, (uint64_t)-77 }, 0xffffffff00000001, UINT64_MAX },
	{ { (uint32_t)AT_FDCWD, 0, 0x7fff8001, 0x80000001, 1, AF_INET6 }, 0xfffff000, 0x80000000 },
};

static char nothing[8], over_long[] = "hello, world";

static struct thing things[] = {
	{ .x = -5, .u = (unsigned int)-5, .s = -2, .b = 200, .sc = -100, .l = -1, .ul = ~0UL,
	.three = -3,
	  .seven = 99, .one = 1, .thirty = 1U << 29, .color = RED, .flag = true, .tag = "kcatch",
	  .arr = { 10, 20, 30, 40 }, .in = { 7, -7 }, .either = 0x01020304, .next = &things[1],
	  .self = &things[0], .text = "hello" },
	{ .x = 77, .u = 1, .s = 300, .b = 1, .sc = 5, .l = 1, .ul = 2, .three = 2, .seven = 1,
	  .color = BLUE, .tag = "", .arr = { 1, 2, 3, 4 }, .self = &things[1], .text = nothing },
	{ .x = 0, .u = 0x80000000, .s = -32768, .b = 255, .sc = -128, .l = 1L << 40,
	.ul = 1UL << 63,
	  .three = -4, .seven = 127, .thirty = 1, .flag = true, .tag = { "kcatch12" }, .in = { 7,
	  0 },
	  .either = 4, .next = &things[2], .self = &things[2], .text = over_long },
};

#define BAD ((void *)0xdead000000000000)

const struct condition_typed_env condition_typed_envs[CONDITION_TYPED_ENVS] = {
	{ &things[0], "/etc/passwd", -1, ~0U, -5000000000, 65535, -1, -1 },
	{ &things[1], nothing, 0, 0, 0, 0, 0, 0 },
	{ &things[2], "/etc/passwdx", 5, 0x80000000, 1L << 33, 0x8000, 100, 7 },
	{ &things[0], "x/", -2147483647, 2147483649, -1, 101, -128, -4095 },
	{ NULL, NULL, -1, ~0U, -5000000000, 65535, -1, -1 },
	{ BAD, BAD, 0, 0, 0, 0, 0, 0 },
};

/* ---- C ---------------------------------------------------------------------------- */

#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Woverflow"

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef unsigned long u64;
typedef long s64;

#define SKIP(expression, answers) at++;
#define RAW_OURS SKIP
#define HOST_OURS SKIP
#define TYPED_OURS SKIP

/* What is undefined in C is not among the cases; the instructions to find that are large. */
#define PLAIN __attribute__((no_sanitize("undefined"), noinline))

static PLAIN bool raw_says(size_t index, const struct condition_raw_env *env)
{
	const unsigned long arg0 = env->args[0], arg1 = env->args[1], arg2 = env->args[2],
			    arg3 = env->args[3], arg4 = env->args[4], arg5 = env->args[5];
	const long ret = (long)kcatch_errno_untyped(env->ret);
	const unsigned long latency = env->latency;
	const int pid = 4321, tid = 4322, cpu = 1;
	size_t at = 0;

#define RAW(expression, answers) if (at++ == index) return expression;
#define HOST RAW
#define TYPED SKIP
#include "../condition_cases.inc"
#undef RAW
#undef HOST
#undef TYPED
	return false;
}

static PLAIN bool typed_says(size_t index, const struct condition_typed_env *env)
{
	struct thing *const p = env->p;
	const char *const name = env->name;
	const int i = env->i, ret = env->ret;
	const unsigned int u = env->u;
	const long l = env->l;
	const unsigned short h = env->h;
	const signed char c = env->c;
	const unsigned long arg0 = (unsigned long)p, arg2 = (unsigned int)i;
	const struct { int i; } arg = { i };
	size_t at = 0;

#define RAW SKIP
#define HOST SKIP
#define TYPED(expression, answers) if (at++ == index) return expression;
#include "../condition_cases.inc"
	return false;
}

char condition_case_c(size_t index, unsigned int env)
{
	bool yes = condition_cases[index].kind == CASE_TYPED ?
		   typed_says(index, &condition_typed_envs[env]) :
		   raw_says(index, &condition_raw_envs[env]);

	return yes ? '1' : '0';
}

unsigned int condition_case_envs(const struct condition_case *it)
{
	return it->kind == CASE_TYPED ? CONDITION_TYPED_C_ENVS :
	       it->kind == CASE_TYPED_OURS ? CONDITION_TYPED_ENVS : CONDITION_RAW_ENVS;
}
