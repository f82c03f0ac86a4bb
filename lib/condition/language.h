/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * language.h - the language of conditions: its grammar and what it means, in one place
 *
 * Everything that takes a condition obeys this: the kernel's conditions (condition.c
 * compiles them to classic BPF), filters of recordings (recorded.c finds what they ask for
 * in records, evaluate.c evaluates them), --errors (condition_fails() in condition.c). For
 * users it stands in kcatch-condition(7). The tables below are what the code reads;
 * tests/condition_cases.inc has cases of all of it, whose answers a C compiler gives.
 *
 * Grammar
 *	condition  = choice
 *	choice     = binary [ "?" choice ":" choice ]
 *	binary     = unary { OPERATOR unary }		KCATCH_LANGUAGE_OPERATORS
 *	unary      = { "!" | "-" | "~" | "*" | "(" TYPE { "*" } ")" } postfix
 *	postfix    = primary { "." NAME | "->" NAME | "[" choice "]" }
 *	primary    = NUMBER [ UNIT ] | CHARACTER | TEXT | NAME | "&" NAME | "(" choice ")"
 *     As in C, but: a & b == c, which C reads as a & (b == c), and comparisons in a row are
 *     refused. An index is a constant. Nothing is called and nothing is assigned.
 *
 * Numbers
 *	42 0x2a 052 'c' with C's escapes, and C's suffixes u l ul ll: of the type that C gives
 *	them. Directly behind a number a unit (KCATCH_LANGUAGE_UNITS). No fractions.
 *
 * Names, the first that has it
 *	1. KCATCH_LANGUAGE_NAMES, ret, comm, current. arg.NAME is an argument in any case.
 *	2. arguments; of an event also ARGUMENT_MEMBER and MEMBER (condition.h); of a system
 *	   call its arguments; of a DO_TRACE event what stands before the conversions
 *	3. of a recording: time, event, function, caller
 *	4. NULL true false, errnos, O_* and the like (constants.c)
 *	5. values of the enums that the condition has to do with
 *	6. beside a pointer to a function: a function of the kernel
 *	7. values of any enum, where the name has a capital letter
 *	&NAME is the address of a function or of data of the kernel that no other shares
 *	its name with.
 *
 * Types: C's on LP64
 *	bool is 8, char short int long 8 16 32 64 bits, char is signed, pointers 64 bits. What
 *	is smaller than int, a bit-field that int can hold among it, becomes int. Of two
 *	numbers the wider one's type is taken; of two of one width unsigned, if one is. A
 *	comparison, &&, || and ! are the int 1 or 0. A pointer compares with pointers, NULL and
 *	numbers as an unsigned number of 64 bits, and moves by elements when a constant is
 *	added. It is followed when it comes straight out of an argument or memory, also by way
 *	of a cast. a ? b : c has the type that b + c would have.
 *	Left open by C: numbers wrap around; a shift takes the low 5 bits of its count, 6 of
 *	64-bit numbers; >> of a negative number is arithmetic; -2147483648 / -1 wraps around.
 *
 * Texts
 *	a == "text" and a != "text" compare the whole text, a ~ "begin*" its beginning; without
 *	a star ~ is ==. a is a char pointer, a char array, or comm. Two pointers are numbers.
 *	A text is what it is when the call begins.
 *
 * ret
 *	Of the function's type. Where no type is known: 64 bits, signed, but an int's errno,
 *	which leaves the upper 32 bits 0, is that errno (kcatch_errno_untyped()).
 *
 * What cannot be read
 *	A comparison (or a number as a truth) that needs memory which cannot be read is false,
 *	whichever it is; ! of it is true. So is one that divides by zero. Of a ? b : c only
 *	the one that is chosen has to be readable.
 *
 * When
 *	Memory is read when the call begins; what ret points to cannot be read. The parts
 *	between the outermost && that need neither ret nor latency are decided then.
 *
 * Kernel alone cannot		divide 64 bits but by powers of two, shift 64 bits by what is
 *				no constant, match patterns but "begin*", compare a DO_TRACE text
 * Recordings alone cannot	know uid, current but for comm pid tgid, memory that was not
 *				fetched, cpu of the return: refused when the filter is made. A
 *				text that was cut, a call that has not returned: undecided,
 *				unless the rest of the condition decides
 * Recordings can besides	name time event function caller, and compare an argument's
 *				readable form: file ~ "/etc/?*"
 */
#ifndef LIB_CONDITION_LANGUAGE_H
#define LIB_CONDITION_LANGUAGE_H

/* sign, how strongly it binds (1: least), KCATCH_EX_* */
#define KCATCH_LANGUAGE_OPERATORS(_) \
	_("||", 1, ANY) _("&&", 2, ALL) _("|", 3, OR) _("^", 4, XOR) _("&", 5, AND) \
	_("==", 6, EQ) _("!=", 6, NE) _("~", 6, MATCH) _("<", 7, LT) _("<=", 7, LE) \
	_(">", 7, GT) _(">=", 7, GE) _("<<", 8, SHL) _(">>", 8, SHR) _("+", 9, ADD) \
	_("-", 9, SUB) _("*", 10, MUL) _("/", 10, DIV) _("%", 10, MOD)

/* behind a number: name, factor */
#define KCATCH_LANGUAGE_UNITS(_) \
	_("ns", 1) _("us", 1000) _("ms", 1000000) _("s", 1000000000) _("B", 1) \
	_("K", 1 << 10) _("KB", 1 << 10) _("KiB", 1 << 10) \
	_("M", 1 << 20) _("MB", 1 << 20) _("MiB", 1 << 20) \
	_("G", 1 << 30) _("GB", 1 << 30) _("GiB", 1 << 30)

/* name, member of struct kcatch_condition, 64 bits, signed, known at the return only */
#define KCATCH_LANGUAGE_NAMES(_) \
	_("pid", pid, false, true, false) _("tid", tid, false, true, false) \
	_("cpu", cpu, false, true, false) _("uid", uid, false, false, false) \
	_("latency", latency, true, false, true) \
	_("arg0", args[0], true, false, false) _("arg1", args[1], true, false, false) \
	_("arg2", args[2], true, false, false) _("arg3", args[3], true, false, false) \
	_("arg4", args[4], true, false, false) _("arg5", args[5], true, false, false)

/* types that need no BTF; of u and s also with __ before: name, bits, signed */
#define KCATCH_LANGUAGE_TYPES(_) \
	_("u8", 8, false) _("u16", 16, false) _("u32", 32, false) _("u64", 64, false) \
	_("s8", 8, true) _("s16", 16, true) _("s32", 32, true) _("s64", 64, true) \
	_("char", 8, true) _("signed char", 8, true) _("unsigned char", 8, false) \
	_("short", 16, true) _("short int", 16, true) _("unsigned short", 16, false) \
	_("unsigned short int", 16, false) _("int", 32, true) _("signed", 32, true) \
	_("signed int", 32, true) _("unsigned", 32, false) _("unsigned int", 32, false) \
	_("long", 64, true) _("long int", 64, true) _("long long", 64, true) \
	_("signed long", 64, true) _("long long int", 64, true) _("unsigned long", 64, false) \
	_("unsigned long int", 64, false) _("unsigned long long", 64, false) \
	_("unsigned long long int", 64, false) _("size_t", 64, false) _("ssize_t", 64, true) \
	_("loff_t", 64, true) _("uintptr_t", 64, false) _("pid_t", 32, true) \
	_("uint8_t", 8, false) _("uint16_t", 16, false) _("uint32_t", 32, false) \
	_("uint64_t", 64, false) _("int8_t", 8, true) _("int16_t", 16, true) \
	_("int32_t", 32, true) _("int64_t", 64, true) _("bool", 1, false) \
	_("_Bool", 1, false) _("void", 0, false)

#endif
