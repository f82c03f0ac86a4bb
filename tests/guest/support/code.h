/* SPDX-License-Identifier: GPL-2.0-or-later */
/* code.h - operations of the code of conditions, for tests that talk to the module themselves */
#ifndef TESTS_GUEST_SUPPORT_CODE_H
#define TESTS_GUEST_SUPPORT_CODE_H

#include <uapi/kcatch.h>

/* Ends, or goes on, by an exit. */
#define CODE_GO(exit)	{ .op = KCATCH_OP_GO, .yes = (exit) }

/* The low 32 bits of a source are a number. Exits follow. */
#define CODE_IS_INT(source, value, ...) \
	{ .op = KCATCH_OP_RANGE, .from = KCATCH_FROM_##source, .left = 32, \
	  .a = (__u64)(value) << 32, .b = 0xffffffff, __VA_ARGS__ }

/* A source of 64 bits is a number. Exits follow. */
#define CODE_IS(source, value, ...) \
	{ .op = KCATCH_OP_RANGE, .from = KCATCH_FROM_##source, .a = (value), __VA_ARGS__ }

#endif
