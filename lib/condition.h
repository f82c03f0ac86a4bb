/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * condition.h - conditions: which calls to record
 *
 * The language
 *   A condition is an expression of C. A call is recorded when it is true (not 0).
 *
 *   Operators, the closest first, as in C
 *	a.b  a->b  a[3]                 parts; an index is a constant
 *	!a  -a  ~a  *a  (type)a
 *	*  /  %
 *	+  -
 *	<<  >>
 *	<  <=  >  >=
 *	==  !=  a ~ "text*"
 *	&   then ^   then |
 *	&&
 *	||
 *     `flags & O_EXCL == 0` is refused, since C reads it as flags & (O_EXCL == 0):
 *     write (flags & O_EXCL) == 0. So are comparisons in a row (a < b < c).
 *
 *   Numbers
 *	42, 0x2a, 052, 'c' with C's escapes, and C's suffixes u l ul ll. Directly behind
 *	a number: ns us ms s (a time, in ns), B K M G (also KB KiB MB MiB GB GiB; sizes, each
 *	1024 of the one before). No fractions. true, false, NULL; errno names (ENOENT; a
 *	function returns -ENOENT); O_*, S_I*, AT_*, SEEK_*, the usual AF_*, SOCK_*, IPPROTO_*
 *	and SIG* constants; the values of the enums that the expression has to do with.
 *
 *   Names
 *	latency    nanoseconds between entry and return
 *	ret        what it returns, of the function's type (no types: 64 bits, signed)
 *	pid tid    process and thread number, as seen from the first pid namespace
 *	uid        user number, as seen from the first user namespace
 *	cpu        where the condition is decided: the CPU of the entry; beside ret or
 *	           latency in one condition part that of the return
 *	comm       name of the thread
 *	arg0..arg5 the argument registers as they are, unsigned 64 bits
 *	NAME       an argument of the function
 *	arg.NAME   the same. The names above mean what is said there in every function, also
 *	           in one with an argument of that name: that is arg.cpu and the like.
 *	           An argument's name comes before constants.
 *
 *   Texts
 *	a == "text", a != "text"   the whole text
 *	a ~ "text*"                its beginning. Without a * it is the same as ==; a * or ?
 *	                           elsewhere is refused (\* and \? have no meaning).
 *	a is a char pointer, a char array, or comm. Two pointers are compared as numbers.
 *	A text is compared as it is when the call begins.
 *
 *   Types
 *	Those of C: integer promotions, the usual conversions, signed and unsigned, 32 and
 *	64 bits, bitfields, enums. Shifts by more than the width use the count's low bits
 *	(5 of 32-bit numbers; of 64-bit ones only constants are taken). A pointer can be
 *	compared with NULL, pointers and numbers, and followed when it comes straight out of
 *	an argument or memory, also by way of a cast: ((struct file *)arg0)->f_flags.
 *	64-bit numbers cannot be divided but by powers of two. A function's types come from
 *	the kernel's BTF; where it has none there are arg0..arg5.
 *
 *   What cannot be read
 *	A comparison (or a test of truth) that needs memory which cannot be read (a NULL
 *	or bad pointer, memory that is paged out) is false, whichever comparison it is: ==,
 *	!= and < alike. `!` turns that into true: !(p->x == 1) holds when p is NULL, and
 *	p->x != 1 does not. The same goes for a division by zero. Memory is read when the
 *	call begins; what `ret` points to cannot be read.
 *
 *   When it is decided
 *	The parts between the outermost && that need neither ret nor latency are decided when
 *	the call begins, and a call that they reject costs least; the others when it returns.
 *
 * The implementation: condition.c splits an expression, condition_type.c gives it types
 * and makes a tree of simple operations (condition_ir.h), condition_place.c makes the
 * steps that fetch memory, condition_code.c and condition_math.c make classic BPF, which
 * has 32 bits, out of it.
 */
#ifndef LIB_CONDITION_H
#define LIB_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/filter.h>

#include <uapi/kcatch.h>

#include "expression.h"
#include "types.h"

/* The call failed: signed int or long: -4095..-1; pointer: an error pointer or NULL.
 * Without types: a 32- or 64-bit -4095..-1. */
#define KCATCH_FAILS_ERRNO	(1U << 0)
#define KCATCH_FAILS_FALSE	(1U << 1)	/* bool: false */

/**
 * struct kcatch_condition_code - a condition for one function, as the module takes it
 * @fields: steps
 * @nr_fields: how many
 * @entry: decided at the entry
 * @nr_entry: instructions; 0: nothing is
 * @at_return: decided at the return
 * @nr_return: instructions; 0: nothing is, and the return is not needed for it
 */
struct kcatch_condition_code {
	struct kcatch_step *fields;
	uint32_t nr_fields;
	struct sock_filter *entry;
	uint32_t nr_entry;
	struct sock_filter *at_return;
	uint32_t nr_return;
};

/**
 * kcatch_condition_compile - make a condition for one function
 * @expression: the condition; NULL: none
 * @types: where casts find their types; NULL when there are none
 * @proto: the function; id 0: no types are known
 * @returns: returns are caught: ret and latency may be used
 * @fails: KCATCH_FAILS_*: and the call failed; 0: whether it did or not. Each type is
 *	looked at when its bit is set. Where the type cannot say so: EOPNOTSUPP
 * @code: the result, to be given to kcatch_condition_code_deinit(); zeros on failure
 *
 * Return: 0; -ENOENT when it names an argument that this function does not have;
 * -EOPNOTSUPP when @fails makes no sense for its type; -EINVAL for all else that is wrong
 * with the condition; -ENOMEM.
 */
int kcatch_condition_compile(const struct kcatch_expression *expression,
			     struct kcatch_types *types, struct kcatch_type proto, bool returns,
			     unsigned int fails, struct kcatch_condition_code *code);

struct kcatch_event_info;

/**
 * kcatch_condition_compile_event - the same for an event
 * @expression: the condition
 * @types: as above
 * @proto: of the function that calls a tracepoint's probes, whose first parameter is not
 *	the tracepoint's; id 0: no types are known, or a DO_TRACE event
 * @info: of a DO_TRACE event; else NULL
 * @code: as above
 *
 * There are more names, and no ret and latency:
 *	ARGUMENT_MEMBER	argument->member, where that is the name of no argument
 *	MEMBER		the same, where only one argument points to a struct that has it
 *	code		exit_code of a task, as tracefs calls it
 * Of a DO_TRACE event its numbers have the names that stand before the conversions, or
 * arg0, arg1, ...; those behind a text, or beyond 48 bytes, cannot be looked at.
 *
 * Return: as above.
 */
int kcatch_condition_compile_event(const struct kcatch_expression *expression,
				   struct kcatch_types *types, struct kcatch_type proto,
				   const struct kcatch_event_info *info,
				   struct kcatch_condition_code *code);

struct kcatch_plan;
struct kcatch_syscall_event;

/**
 * kcatch_condition_compile_syscall - the same for one system call
 * @expression: the condition; NULL: none but that it is this call
 * @types: as above, not NULL
 * @proto: of the function that calls the probes of raw_syscalls:sys_enter or sys_exit
 * @event: which
 * @plan: of it: its arguments are names, of sys_exit `ret`
 * @code: as above
 *
 * Return: as above.
 */
int kcatch_condition_compile_syscall(const struct kcatch_expression *expression,
				     struct kcatch_types *types, struct kcatch_type proto,
				     const struct kcatch_syscall_event *event,
				     const struct kcatch_plan *plan,
				     struct kcatch_condition_code *code);

/**
 * kcatch_condition_code_deinit - forget it
 * @code: from kcatch_condition_compile(), or zeros
 */
void kcatch_condition_code_deinit(struct kcatch_condition_code *code);

#endif
