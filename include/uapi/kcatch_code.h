/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The code of conditions, and of the keys and values of counts. Part of the contract in
 * uapi/kcatch.h, which includes this header.
 *
 * A code is a list of operations. It has an accumulator (acc below) of 64 bits and KCATCH_SAVED_MAX
 * saved words. An operation goes on at the next one, or leaves by one of its exits. All exits go
 * forward, so a code ends after at most as many steps as it has operations.
 *
 * Most operations take a value from a source, cut to some of its bits:
 *     value << left >> right     `right` with KCATCH_RIGHT_SIGNED: an arithmetic shift
 * The low 32 bits as a signed number are therefore left 32, right 32 | KCATCH_RIGHT_SIGNED. With
 * left and right 0 the value is as it is.
 *
 * A value that is not known (memory that could not be read, a division by 0) leaves by the exit
 * `unknown`. What it means for the whole is the code's own matter: the library makes code by
 * Kleene's logic, in which false && unknown is false.
 *
 * The module checks a code when it is loaded (EINVAL); the library checks its own with the same
 * function, and runs it over recordings with the same interpreter.
 */
#ifndef _UAPI_KCATCH_CODE_H
#define _UAPI_KCATCH_CODE_H

#include <linux/types.h>

#define KCATCH_OPS_MAX		252U	/* operations of one code */
#define KCATCH_TEXTS_MAX	8192U	/* bytes of the texts of one program */
#define KCATCH_SAVED_MAX	8U	/* saved words */
#define KCATCH_OUTS_MAX		32U	/* words that a code puts */

/* Exits: the result of a condition, or an operation. A code whose result is of no interest ends by
 * any of the first three. */
#define KCATCH_EXIT_NO		0	/* it does not hold */
#define KCATCH_EXIT_YES		1	/* it holds */
#define KCATCH_EXIT_UNKNOWN	2	/* whether it holds is not known */
#define KCATCH_EXIT_OP		3	/* + n: goes on at operation n, which is behind this one */

/* struct kcatch_op.from */
#define KCATCH_FROM_NONE	0
#define KCATCH_FROM_CONST	1	/* @a */
#define KCATCH_FROM_ACC		2	/* acc */
#define KCATCH_FROM_SAVED	3	/* saved word @index */
#define KCATCH_FROM_ARG		4	/* register argument @index, 0..5, at the entry */
#define KCATCH_FROM_FIELD	5	/* 8 bytes at byte @offset of what the program's `fields`
					 * put, a part of item @index; unknown if that item could
					 * not be read. TEXT: the text there */
#define KCATCH_FROM_RET		6	/* return value; 0 at the entry */
#define KCATCH_FROM_LATENCY	7	/* nanoseconds; 0 at the entry */
#define KCATCH_FROM_PID		8	/* process ID in the initial PID namespace */
#define KCATCH_FROM_TID		9	/* thread ID in the initial PID namespace */
#define KCATCH_FROM_CPU		10	/* the CPU: of the entry for a code of the entry, of the
					 * return for one of the return */
#define KCATCH_FROM_UID		11	/* user ID of the thread in the initial user namespace */
#define KCATCH_FROM_COMM	12	/* TEXT: the command at the entry */
#define KCATCH_FROM_ONCPU	13	/* nanoseconds of the call on a CPU */
#define KCATCH_FROM_RUNNABLE	14	/* nanoseconds that it waited for a CPU */
#define KCATCH_FROM_BLOCKED	15	/* nanoseconds that it was blocked */
#define KCATCH_FROM_SWITCHES	16	/* how often it was switched out */
#define KCATCH_FROMS		17

/* About a call's time off the CPU, which is 0 at the entry, and not known where switches are not
 * seen. */
#define KCATCH_FROM_IS_OFF_CPU(from)	((from) >= KCATCH_FROM_ONCPU)

/* struct kcatch_op.op. What an operation does not name is 0. Tests leave by @yes or @no, those of a
 * FIELD or of what KCATCH_FROM_IS_OFF_CPU() tells also by @unknown. */
#define KCATCH_OP_GO		0	/* leave by @yes */
#define KCATCH_OP_RANGE		1	/* test (value << @left) - @a <= @b, unsigned */
#define KCATCH_OP_BITS		2	/* test (value & @a) == @b */
#define KCATCH_OP_EQUAL		3	/* test acc == value */
#define KCATCH_OP_LESS		4	/* test acc < value, unsigned */
#define KCATCH_OP_LESS_S	5	/* test acc < value, signed */
#define KCATCH_OP_TEXT		6	/* test whether the text is that of @b bytes at byte @a of
					 * the program's texts; @fit: KCATCH_TEXT_* */
#define KCATCH_OP_SET		7	/* acc = value; from here to SAR the result is cut: see
					 * @fit */
#define KCATCH_OP_ADD		8	/* acc += value, modulo 2^64 */
#define KCATCH_OP_SUB		9
#define KCATCH_OP_MUL		10
#define KCATCH_OP_DIV		11	/* unsigned; by 0: leave by @unknown */
#define KCATCH_OP_DIV_S		12	/* signed, towards 0; -2^63 / -1 is -2^63 */
#define KCATCH_OP_MOD		13
#define KCATCH_OP_MOD_S		14
#define KCATCH_OP_AND		15
#define KCATCH_OP_OR		16
#define KCATCH_OP_XOR		17
#define KCATCH_OP_SHL		18	/* by the low 6 bits of the value */
#define KCATCH_OP_SHR		19	/* zeros come from above */
#define KCATCH_OP_SAR		20	/* the sign does */
#define KCATCH_OP_SAVE		21	/* saved word @index = acc */
#define KCATCH_OP_OUT		22	/* put acc as word @index; of a count's code alone */
#define KCATCH_OP_MARK		23	/* or @a into word @index, which begins as 0; likewise */
#define KCATCH_OP_LOAD		24	/* the FIELD at byte @offset, a part of item @index, becomes
					 * the @a bytes (1, 2, 4, 8) at the address acc, extended
					 * with zeros; it is unknown if they cannot be read. With
					 * @a 0 it becomes acc itself. Not of a count's code. A
					 * code that is run again, at the return, reads only user
					 * memory that was unknown */
#define KCATCH_OPS		25

#define KCATCH_RIGHT_SIGNED	0x80	/* struct kcatch_op.right and .fit */

/* struct kcatch_op.fit of TEXT */
#define KCATCH_TEXT_PREFIX	1	/* only the first @b bytes are compared */
#define KCATCH_TEXT_PATTERN	2	/* it is a pattern of * ? []. The module refuses it */

/**
 * struct kcatch_op - one operation
 * @op: KCATCH_OP_*
 * @from: KCATCH_FROM_*, the source of the value
 * @index: number of what the source has several of, or as @op says
 * @left: left shift of the value, 0..63
 * @right: right shift of the value, 0..63, with KCATCH_RIGHT_SIGNED or without. Of RANGE 0
 * @fit: bits that the result is shifted left and then right again, as @right; of TEXT its kind
 * @yes: exit
 * @no: exit
 * @unknown: exit
 * @reserved: 0
 * @offset: FIELD, LOAD: bytes
 * @reserved2: 0
 * @a: as @op says
 * @b: likewise
 */
struct kcatch_op {
	__u8  op;
	__u8  from;
	__u8  index;
	__u8  left;
	__u8  right;
	__u8  fit;
	__u8  yes;
	__u8  no;
	__u8  unknown;
	__u8  reserved;
	__u16 offset;
	__u32 reserved2;
	__u64 a;
	__u64 b;
};

#endif
