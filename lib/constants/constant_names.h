/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * constant_names.h - the names of the numbers that programs pass to the kernel: O_CREAT, AT_FDCWD
 *
 * A number has names only where it is known which ones: by the system call or function and its
 * argument, or by the struct and its member (constant_uses.c). A wrong name is worse than a
 * number.
 */
#ifndef LIB_CONSTANTS_CONSTANT_NAMES_H
#define LIB_CONSTANTS_CONSTANT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KCATCH_CONSTANTS_TEXT 512U	/* bytes; the names of all flags of a set are shorter */

/* The names that one kind of number has. */
struct kcatch_constants;

/**
 * struct kcatch_named_argument - an argument whose numbers have names
 * @name: name of the argument; NULL: the end of a list
 * @constants: the names
 * @beside: another argument that tells that they are these; NULL: they always are
 * @value: it tells so by this number
 */
struct kcatch_named_argument {
	const char *name;
	const struct kcatch_constants *constants;
	const char *beside;
	int64_t value;
};

/**
 * kcatch_constants_of_function - find the arguments of a function whose numbers have names
 * @function: name of the function, of a tracepoint, or of the event of a system call:
 *	"do_sys_open", "__x64_sys_openat", "signal_generate", "sys_enter_openat"
 *
 * Return: a list of arguments; NULL: none is known.
 */
const struct kcatch_named_argument *kcatch_constants_of_function(const char *function);

/**
 * kcatch_constants_of_argument - find the names of an argument's numbers
 * kcatch_constants_of_call - find them in a call, where other arguments may tell what it is
 * @arguments: kcatch_constants_of_function(); may be NULL
 * @argument: name of the argument; may be NULL
 * @number_of: gets the number of another argument of the call; returns whether it is known
 * @arg: passed to @number_of
 *
 * Return: the names; NULL: none is known.
 */
const struct kcatch_constants *
kcatch_constants_of_argument(const struct kcatch_named_argument *arguments, const char *argument);
const struct kcatch_constants *
kcatch_constants_of_call(const struct kcatch_named_argument *arguments, const char *argument,
			 bool (*number_of)(void *arg, const char *name, uint64_t *number),
			 void *arg);

/**
 * kcatch_constants_of_member - find the names of the numbers in a member of a struct
 * @structure: name of the struct, as "open_how"
 * @member: name of the member
 *
 * Return: the names; NULL: none is known.
 */
const struct kcatch_constants *kcatch_constants_of_member(const char *structure,
							  const char *member);

/* The names of system calls of 64-bit programs, by their numbers. Conditions know them only
 * where such a number is compared. */
extern const struct kcatch_constants kcatch_constants_call;

/* The letters of task_struct's __state and exit_state. They are no names for conditions. */
extern const struct kcatch_constants kcatch_constants_task_state;
extern const struct kcatch_constants kcatch_constants_exit_state;

/**
 * kcatch_constants_text - write the names of a number: "O_WRONLY|O_CREAT|0x40000000"
 * @constants: the names that it may have
 * @number: the number, sign- or zero-extended
 * @text: receives the names, null-terminated; what has no name is a hexadecimal number behind them
 * @room: size of @text, bytes; KCATCH_CONSTANTS_TEXT suffices
 *
 * Return: length of the text; 0: no part of the number has a name.
 */
size_t kcatch_constants_text(const struct kcatch_constants *constants, uint64_t number, char *text,
			     size_t room);

/**
 * kcatch_constants_number - find the number of a name of one set
 * @constants: the set; not kcatch_constants_call
 * @name: the name
 * @number: receives the number
 *
 * Return: whether the set has the name.
 */
bool kcatch_constants_number(const struct kcatch_constants *constants, const char *name,
			     int64_t *number);

/**
 * kcatch_constants_find - find the number of a name
 * @name: the name
 * @number: receives the number
 *
 * Return: whether any set has the name.
 */
bool kcatch_constants_find(const char *name, int64_t *number);

/**
 * kcatch_constants_offer - pass on all names, of all sets
 * @offer: is called with each name; more than once with one that several sets have
 * @arg: passed to @offer
 */
void kcatch_constants_offer(void (*offer)(void *arg, const char *name), void *arg);

#endif
