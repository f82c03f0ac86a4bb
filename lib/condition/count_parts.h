/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * count_parts.h - compiles keys and values of counts into the parts that the module takes
 *
 * A key or value is an expression of the condition language whose result is a number or a text.
 * It shares the fetched items with the condition of the same function. What is only read is a
 * part WORD or TEXT; what is computed becomes one code for all of them. All functions set the error
 * text when they fail.
 */
#ifndef LIB_CONDITION_COUNT_PARTS_H
#define LIB_CONDITION_COUNT_PARTS_H

#include "condition/condition.h"
#include "fetch/number_text.h"

#define KCATCH_COUNT_WANTS_MAX 18U	/* KCATCH_PARTS_MAX keys, and two values */

/**
 * struct kcatch_part_type - what the value of a key is
 * @is_comm: the thread's command
 * @is_text: a text of up to 64 bytes
 * @is_signed: else a number: it is signed
 * @is_pointer: the number is an address
 * @may_be_address: it may be one: a pointer, an unsigned number of 64 bits, the return of a
 *	function without types
 * @is_narrow: the number has at most 32 bits, so it is no address, below 0 either
 * @is_call: the number is that of a system call, syscall_key()
 * @is_cgroup: the number is a cgroup's id
 * @is_ip: it is an address of IPv6, two numbers
 * @form: what the number means, if that is known; its types live as long as those of the
 *	condition's source
 */
struct kcatch_part_type {
	bool is_comm;
	bool is_text;
	bool is_signed;
	bool is_pointer;
	bool may_be_address;
	bool is_narrow;
	bool is_call;
	bool is_cgroup;
	bool is_ip;
	struct kcatch_number_form form;
};

/**
 * kcatch_part_type_join - let a key be of another function's type, too
 * @type: the key's type so far
 * @other: its type in another function
 *
 * If one of the numbers is signed, negative ones are possible; if all are pointers, all numbers are
 * addresses, and if one may be, those that look like one. What a number means counts if it means
 * the same in all.
 *
 * Return: 0, or -EINVAL with an error text: one is a text or an address of IPv6, the other is not.
 */
int kcatch_part_type_join(struct kcatch_part_type *type, const struct kcatch_part_type *other);

/**
 * struct kcatch_count_code - a part, and what it is
 * @part: as the module takes it
 * @low: of an address of IPv6 the part behind it
 * @type: its type
 */
struct kcatch_count_code {
	struct kcatch_part part, low;
	struct kcatch_part_type type;
};

/**
 * struct kcatch_count_wants - the keys and values of one function
 * @expressions: the expressions; NULL: this part is made elsewhere
 * @words: of a key without an expression the word of the language that it is; else NULL
 * @nr: number of entries in @expressions, at most KCATCH_COUNT_WANTS_MAX
 * @codes: receives @nr parts
 * @marks: receives a part: bit i is set if expression i needs memory that cannot be read, or
 *	divides by zero
 * @code: receives the code of parts of kind CODE, allocated
 * @nr_code: receives the number of its operations
 * @pair: the key of an event of a pair, a number; NULL: there are no pairs
 * @sleeps: of a first event whose pair is a time off the CPU: whether the thread sleeps; or NULL
 * @pair_code: receives the code of it (struct kcatch_pair.key), allocated
 * @nr_pair_code: receives the number of its operations
 */
struct kcatch_count_wants {
	const struct kcatch_expression *const *expressions;
	const char *words[KCATCH_COUNT_WANTS_MAX];
	uint32_t nr;
	struct kcatch_count_code codes[KCATCH_COUNT_WANTS_MAX];
	struct kcatch_part marks;
	struct kcatch_op *code;
	uint32_t nr_code;
	const struct kcatch_expression *pair, *sleeps;
	struct kcatch_op *pair_code;
	uint32_t nr_pair_code;
};

/**
 * kcatch_count_may_fail - can an expression meet unreadable memory, whatever its function is?
 * @expression: the expression
 *
 * Return: false if it has only numbers that are always known (pid, ret, arg0, ...).
 */
bool kcatch_count_may_fail(const struct kcatch_expression *expression);

/**
 * struct kcatch_count_source - what is counted
 * @expression: the condition; NULL: none
 * @types: types for casts, current and enumerators; NULL: there are none
 * @proto: prototype of the function, or of the one that calls a tracepoint's probes; id 0: not
 *	known
 * @returns: the function's returns are caught
 * @second: it is the second one of a pair: it has a latency, and the condition is one on the return
 * @off_cpu: the pair is a time off the CPU: it has the parts of that, too
 * @entry_only: keys and values that use ret, failure or latency are 0
 * @fails: KCATCH_FAILS_*
 * @event: a tracepoint or DO_TRACE event
 * @event_name: the tracepoint, "SYSTEM:NAME", whose fields are names; NULL: none are
 * @is_field: the expressions are those of fields, so that names are arguments
 * @info: the DO_TRACE event; else NULL
 * @syscall: the event of one system call; else NULL
 * @plan: the plan of @syscall; else NULL
 * @named: arguments whose numbers have names; NULL: none
 */
struct kcatch_count_source {
	const struct kcatch_expression *expression;
	struct kcatch_types *types;
	struct kcatch_type proto;
	bool returns;
	bool second;
	bool off_cpu;
	bool entry_only;
	unsigned int fails;
	bool event;
	const char *event_name;
	bool is_field;
	const struct kcatch_event_info *info;
	const struct kcatch_syscall_event *syscall;
	const struct kcatch_plan *plan;
	const struct kcatch_named_argument *named;
};

/**
 * kcatch_condition_compile_count - compile a condition together with keys and values
 * @source: the condition and its function
 * @wants: its expressions; receives the parts. Free them with kcatch_count_wants_deinit(). They
 *	are zeros on failure
 * @code: receives the condition; free it with kcatch_condition_code_deinit(). Zeros on failure
 *
 * Return: as kcatch_condition_compile().
 */
int kcatch_condition_compile_count(const struct kcatch_count_source *source,
				   struct kcatch_count_wants *wants,
				   struct kcatch_condition_code *code);

/** kcatch_count_wants_deinit - free the code. @wants: compiled, or zeros */
void kcatch_count_wants_deinit(struct kcatch_count_wants *wants);

struct condition;
struct term;

/*
 * The root of an expression as a key: its type, and the term, which is a text or a number that was
 * computed. Returns 0 or -errno.
 */
int count_part_term(struct condition *c, struct kcatch_part_type *type, struct term *term);
/* Give the expressions types; before the items are finished. Returns 0 or -errno. */
int count_parts_type(struct condition *c);
/* Make the parts; after that. Returns 0 or -errno. */
int count_parts_code(struct condition *c);
/* The first expression, for messages that are about all of them. NULL: there is none. */
const struct kcatch_expression *count_parts_first(const struct condition *c);

#endif
