/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * language.h - the language of conditions: grammar and meaning, in one place
 *
 * All code that takes a condition follows this page: conditions in the kernel (condition.c
 * compiles them), filters of recordings (recorded.c locates the values in a record, which
 * evaluate.c reads) and --errors (condition_fails() in condition.c). One interpreter runs both
 * (kernel/code/run.h).
 * kcatch-condition(7) describes the language for users. The tables below are the ones that the
 * code reads. tests/condition_cases.inc has cases for every rule; a C compiler gives the
 * expected results.
 *
 * Grammar
 *	condition  = choice
 *	choice     = binary [ "?" choice ":" choice ]
 *	binary     = unary { OPERATOR unary }		KCATCH_LANGUAGE_OPERATORS
 *	unary      = { "!" | "-" | "~" | "*" | "(" TYPE { "*" } ")" } postfix
 *	postfix    = primary { "." NAME | "->" NAME | "[" choice "]" }
 *	primary    = NUMBER [ UNIT ] | CHARACTER | TEXT | NAME | "&" NAME | "(" choice ")"
 *     Operators bind as in C. Two expressions that C accepts are refused: a & b == c, which C
 *     reads as a & (b == c), and chained comparisons (a < b < c). The index of an array is a
 *     constant.
 *     There are no function calls and no assignments.
 *
 * Numbers
 *	42, 0x2a, 052 and 'c', with C's escapes, C's suffixes u l ul ll, and the type that C
 *	gives them. A unit (KCATCH_LANGUAGE_UNITS) may follow a number without a space. There
 *	are no fractions. 10.0.0.1 is the unsigned int 0x0a000001.
 *
 * Names, looked up in this order
 *	0. compared with id of an event of all system calls: the name of a system call. No call
 *	   of a 32-bit program is equal to it (in a recording the numbers are compared)
 *	1. KCATCH_LANGUAGE_NAMES, ret, failure, comm, cgroup, current. arg.NAME always means an
 *	   argument. An event does not return: its ret, failure, latency, oncpu, runnable,
 *	   blocked and switches are arguments.
 *	2. the fields of a well-known tracepoint (event_fields.c), which are expressions over
 *	   its arguments; arguments of the function. For a tracepoint also ARGUMENT_MEMBER and
 *	   MEMBER
 *	   (condition.h); for a system call its arguments; for a DO_TRACE event the names in
 *	   front of its format's conversions
 *	3. in recordings: time, event, function, caller
 *	4. NULL, true, false, errnos and other well-known constants (constants.c), and all names
 *	   of numbers (constants/constant_names.h): O_CREAT, AT_FDCWD
 *	5. enumerators of the enums among the arguments, and of those that the condition reads
 *	   or casts to
 *	6. compared with a pointer to a function: a function of the kernel
 *	7. enumerators of any enum, if the name has a capital letter
 *	&NAME is the address of a function or variable of the kernel. A name that several
 *	symbols have is refused.
 *
 * Types: those of C on LP64
 *	bool has 8 bits; char, short, int and long have 8, 16, 32 and 64; char is signed;
 *	pointers have 64 bits. Types smaller than int, and bit-fields whose values fit an int,
 *	are promoted to int. The narrower of two operands takes the type of the wider one;
 *	operands of equal width become unsigned if one of them is. Comparisons, &&, || and !
 *	give the int 1 or 0. A pointer is compared with pointers, NULL and numbers as an
 *	unsigned 64-bit number; but by < <= > >= with a signed constant that is not positive,
 *	as its negative errno if it is an error pointer, as 0 if it is NULL, else as a positive
 *	number. Adding a number moves it by elements. A pointer can be dereferenced unless it
 *	depends on what is returned; behind one that is computed, as p + n, are no texts.
 *	a ? b : c has the type of b + c.
 *	Where C leaves the result open: numbers wrap around; a shift uses the low 5 bits of
 *	its count, or 6 for 64-bit numbers; >> of a negative number is arithmetic;
 *	-2147483648 / -1 wraps around.
 *
 * Packets
 *	A dot behind a pointer to struct sk_buff is followed by a word, packet_words.c, which is an
 *	expression of this language. Compared with its .proto, the name of a protocol is one.
 *
 * Texts
 *	a == "text" and a != "text" compare the whole text; a ~ "begin*" compares its
 *	beginning; ~ without a star is ==. a is a char pointer, a char array, or comm. Two
 *	pointers are compared as numbers. A text is compared as it is at the entry.
 *
 * Addresses of IPv6
 *	A struct in6_addr in memory is compared by == and != with another one, with a text, or with
 *	an unsigned int, which is an address of IPv4. a ? b : c chooses between such operands. It
 *	is a key of counts, and no number.
 *
 * cgroup
 *	is the number of the thread's cgroup in the default hierarchy (u64). Compared with a
 *	text it is the path: == and != of a cgroup that exists; ~ "PATH/" with a star of all
 *	cgroups below PATH, later ones too; ~ of any other pattern of those that match when the
 *	condition is compiled.
 *
 * ret
 *	has the function's return type. If that is unknown, ret is a signed 64-bit number;
 *	the errno of a function that returns an int, which leaves the upper 32 bits 0, is
 *	sign-extended (kcatch_errno_untyped()).
 *	ret < 0 and ret >= 0 do not apply to a function that returns an unsigned number.
 *
 * failure
 *	is a signed 64-bit number: the errno, -4095 to -1, of a function that returned one as a
 *	signed int or long or as an error pointer; 1 if a pointer was NULL; else 0. It has a
 *	meaning for functions of all types, so that several can be counted by it.
 *
 * Unreadable memory
 *	A comparison (or a number used as a truth value) is unknown if it needs memory that
 *	cannot be read, or divides by zero. ! of it is unknown; false && unknown is false, true ||
 *	unknown is true, else they are unknown; a ? b : c is if a is, or the operand that is
 *	chosen. A call whose condition is unknown is "undecided": it is neither recorded nor
 *	filtered. User memory that could not be read at the entry is read again at the return, if
 *	that is hooked, and the condition decided then.
 *
 * Time of evaluation
 *	Memory is read at the entry, but for user memory that cannot be read then; memory that ret
 *	points to cannot be read. The operands of
 *	the outermost && that need neither ret, failure nor latency are evaluated at the entry, the
 *	others at the return.
 *
 * Only the kernel		cannot match patterns other than "begin*", and cannot compare
 *				texts of DO_TRACE events.
 * Only recordings		do not have uid, current (except comm, pid and tgid), memory
 *				that was not fetched, addresses of variables, and the CPU of
 *				the return: such a filter is refused when it is created. What a
 *				text that was cut, a call that has not returned or the memory
 *				behind a computed pointer lacks is unknown as well.
 * Recordings also		have the names time, event, function and caller, and compare
 *				the summary of an argument: file ~ "/etc/?*"
 */
#ifndef LIB_CONDITION_LANGUAGE_H
#define LIB_CONDITION_LANGUAGE_H

/* sign, precedence (1: binds least), KCATCH_EX_* */
#define KCATCH_LANGUAGE_OPERATORS(_) \
	_("||", 1, ANY) _("&&", 2, ALL) _("|", 3, OR) _("^", 4, XOR) _("&", 5, AND) \
	_("==", 6, EQ) _("!=", 6, NE) _("~", 6, MATCH) _("<", 7, LT) _("<=", 7, LE) \
	_(">", 7, GT) _(">=", 7, GE) _("<<", 8, SHL) _(">>", 8, SHR) _("+", 9, ADD) \
	_("-", 9, SUB) _("*", 10, MUL) _("/", 10, DIV) _("%", 10, MOD)

/* unit of a number: name, factor */
#define KCATCH_LANGUAGE_UNITS(_) \
	_("ns", 1) _("us", 1000) _("ms", 1000000) _("s", 1000000000) _("B", 1) \
	_("K", 1 << 10) _("KB", 1 << 10) _("KiB", 1 << 10) \
	_("M", 1 << 20) _("MB", 1 << 20) _("MiB", 1 << 20) \
	_("G", 1 << 30) _("GB", 1 << 30) _("GiB", 1 << 30)

/*
 * name, member of struct kcatch_condition (ir.h); flags: has 64 bits (else 32), is signed, is known
 * only at the return
 */
#define KCATCH_LANGUAGE_NAMES(_) \
	_("pid", pid, false, true, false) _("tid", tid, false, true, false) \
	_("cpu", cpu, false, true, false) _("uid", uid, false, false, false) \
	_("latency", latency, true, false, true) _("oncpu", oncpu, true, false, true) \
	_("runnable", runnable, true, false, true) _("blocked", blocked, true, false, true) \
	_("switches", switches, true, false, true) \
	_("arg0", args[0], true, false, false) _("arg1", args[1], true, false, false) \
	_("arg2", args[2], true, false, false) _("arg3", args[3], true, false, false) \
	_("arg4", args[4], true, false, false) _("arg5", args[5], true, false, false)

/* types that need no BTF: name, bits, is signed (of a char lookup_char() tells). Names in u and s
 * are also valid as __u8, ... */
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
