/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * typing.h - the terms of a condition while types are assigned to them
 *
 * Private to typing.c, term.c and the files that look up names. Functions that return int return
 * 0 or -errno with an error text, unless a comment says otherwise.
 */
#ifndef LIB_CONDITION_TYPING_H
#define LIB_CONDITION_TYPING_H

#include <kcatch_text.h>
#include "condition/event_fields.h"
#include "condition/ir.h"
#include "fetch/packet.h"

struct kcatch_suggest;

enum term_kind {
	TERM_NUMBER,   /* the number @ir; @chain loads it, or NULL */
	TERM_POINTER,  /* a pointer to @type: the number @ir, or NULL until term_value();
			 * @chain loads it, or NULL: it is computed */
	TERM_PLACE,    /* a value of @type at @place, not read yet */
	TERM_TEXT,     /* the literal @text, @length bytes */
	TERM_COMM,     /* the thread's command */
	TERM_TRUTH,    /* the truth value @ir */
	TERM_IP,       /* an address of IPv6, the numbers @ir and @low in the order of memory */
	TERM_RECORDED, /* a text of a record; @chain has the one link that selects it */
};

enum place_kind {
	PLACE_MEMORY,	/* memory at the address that @chain loads */
	PLACE_REGISTERS,	/* argument registers, starting at number @first */
	PLACE_STACK,	/* the caller's stack, @first bytes above the return address */
	PLACE_RETURN,	/* the return register */
	PLACE_RECORDED,	/* the recorded words of argument @first of the plan */
};

/**
 * struct place - where a value is
 * @kind: PLACE_*
 * @chain: PLACE_MEMORY: it leads to the address; NULL: that is computed
 * @address: PLACE_MEMORY without a chain: the address
 * @first: register number, byte or argument, by @kind
 * @bit_offset: offset of the value from there, bits
 * @bit_size: width of a bit-field, bits; 0: not a bit-field
 */
struct place {
	enum place_kind kind;
	const struct chain *chain;
	const struct ir *address;
	uint32_t first;
	int64_t bit_offset;
	uint32_t bit_size;
};

/* One operand with its type; @kind says which members are valid. */
struct term {
	enum term_kind kind;
	uint32_t at;	/* offset in the condition for error messages, bytes */
	const struct ir *ir, *low;
	struct kcatch_type type;
	struct place place;
	const struct chain *chain;
	const char *text;
	size_t length;
	bool glob;	/* @text is a pattern, for a recording */
	bool is_cgroup;	/* the number is a cgroup's id: it is compared with paths */
	/* What the number of an event's field or of a word about packets means; else NULL. */
	const struct kcatch_number_form *form;
	bool is_call;	/* the number is that of a system call, by its name */
	const char *name; /* TERM_PLACE: of the argument or member that it is; or NULL */
	const struct kcatch_constants *constants; /* names of its numbers; or NULL */
	bool is_untyped; /* what a function without types returned: it may be a pointer */
};

/*
 * The kind of the first link of a chain that is followed in a record. The link's @size is the index
 * of the argument or field, @offset the byte in it.
 */
enum recorded_op {
	RECORDED_ARG = LINK_RECORDED, /* argument of the plan */
	RECORDED_FIELD,               /* argument of a DO_TRACE event */
	RECORDED_SUMMARY,             /* summary of an argument: a file's path */
	RECORDED_TIME,                /* time of the event */
	RECORDED_EVENT,               /* name of the event */
	RECORDED_FUNCTION,            /* name of the function */
	RECORDED_CALLER,              /* symbol of the innermost frame */
	RECORDED_CGROUP,              /* number of the thread's cgroup */
	RECORDED_CGROUP_PATH,         /* path of the thread's cgroup */
	RECORDED_PACKET,              /* field of a packet, an argument, @offset KCATCH_PACKET_* */
	RECORDED_TASK,                /* the thread, of which fields of the event were fetched */
};

/* term.c. Set the error text; EOPNOTSUPP becomes -EINVAL. Returns -errno. */
int term_error(struct condition *c, int error, uint32_t at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Read an integer, enum or pointer at a TERM_PLACE: it becomes a number or pointer. */
int term_read(struct condition *c, struct term *term);
/* Read 64 bits at a TERM_PLACE, whatever its type is, into @ir. */
int term_read_word(struct condition *c, struct term *term);
/* Load the number of a TERM_POINTER that has only a chain: current, or a cast array. */
int term_value(struct condition *c, struct term *term);
/* What leads to a pointer's value or the address of an array. NULL: it is only a number. */
int term_address(struct condition *c, struct term *term, const struct chain **chain);
/* The address of a pointee that no chain leads to: that of a computed pointer, or of what is in
 * computed memory. */
int term_computed(struct condition *c, struct term *term, const struct ir **address);
/* The same of a text's place, which has to be read: that it is only a number is an error. */
int term_followed(struct condition *c, struct term *term, const struct chain **chain);
/* The term as a truth value: a number is compared with 0. */
int term_truth(struct condition *c, struct term *term, const struct ir **ir);
/* Compare the text @term with @literal; @prefix: only the first literal->length bytes. */
int term_text(struct condition *c, struct term *term, const struct term *literal, bool prefix,
	      const struct ir **ir);
/* The item of a text's first @size bytes, a multiple of 8. A text in an array ends with it. */
int term_text_item(struct condition *c, struct term *term, uint32_t size, int *item);
bool term_is_text(struct term *term);

/* typing.c: the term that an expression is; and the same as a number. */
int condition_term(struct condition *c, const struct kcatch_expression_node *root,
		   struct term *term);
int condition_number(struct condition *c, const struct kcatch_expression_node *root,
		     struct term *term);

/* lookup.c: any name, in the order that language.h gives. -ENOENT: there is no such name. */
int lookup_name(struct condition *c, const struct kcatch_expression_node *node,
		struct term *term);
/* An argument (arg.NAME). -ENOENT: there is no such argument. */
int lookup_argument(struct condition *c, const struct kcatch_expression_node *node,
		    struct term *term);
/* The place of a parameter of @proto, or of a recorded argument. Returns whether it exists. */
bool lookup_find_argument(struct condition *c, const char *name, struct term *term);
/* packet_words.c: a word of the packet that @term points to, behind a dot. Returns whether it does;
 * then *ret is 0 or -errno. */
bool packet_type(struct condition *c, const struct kcatch_expression_node *node, struct term *term,
		 int *ret);
/* A name in such a word. Returns whether it is one; then *ret is 0 or -errno. */
bool packet_name(struct condition *c, const struct kcatch_expression_node *node, struct term *term,
		 int *ret);
/* An address of a packet as one of IPv6, and its comparison with one. Returns whether it is one;
 * then *ret is 0 or -errno. */
bool packet_address(struct condition *c, const struct kcatch_expression_node *node,
		    struct term *term, int *ret);
bool packet_compare(struct condition *c, const struct kcatch_expression_node *node,
		    const struct term *literal, struct term *term, int *ret);
/* Whether a number is that of a protocol; and the number of one, if there is one of that name. */
bool packet_is_protocol(const struct term *term);
bool packet_protocol(const char *name, int64_t *number);
/* cgroup.c: the id of the thread's cgroup; and the same compared with a path or pattern. */
int cgroup_lookup(struct condition *c, const struct kcatch_expression_node *node,
		  struct term *term);
int cgroup_compare(struct condition *c, const struct kcatch_expression_node *node,
		   const struct term *term, const struct term *path, struct term *result);
/* cgroup.c: bring a path that is compared with those of a recording into their form. */
int cgroup_plain_path(struct condition *c, struct term *path);
/*
 * ip_address.c: whether a term is an address of IPv6; make it TERM_IP; compare two terms, or choose
 * one of them, of which one is an address; make TERM_IP of two numbers; the low one of an address
 * of IPv4, whose bytes are read as a number.
 */
bool ip_is_address(const struct term *term);
int ip_read(struct condition *c, const struct kcatch_expression_node *node, struct term *term);
int ip_compare(struct condition *c, const struct kcatch_expression_node *node, struct term *a,
	       struct term *b, const struct ir **truth);
int ip_choose(struct condition *c, const struct kcatch_expression_node *node,
	      const struct ir *truth, struct term *a, struct term *b);
int ip_term(const struct ir *high, const struct ir *low, struct term *term);
const struct ir *ip_mapped(struct condition *c, const struct ir *bytes);
/* event_names.c: an event's name. Returns whether it is known; then *ret is 0 or -errno. */
bool lookup_event(struct condition *c, const struct kcatch_expression_node *node,
		  struct term *term, int *ret);
/* event_names.c: a field of the tracepoint. Returns whether the table has it; then *ret is 0 or
 * -errno, -ENOENT: this kernel lacks it. */
bool lookup_field(struct condition *c, const struct kcatch_expression_node *node, struct term *term,
		  int *ret);
/* event_names.c: offer the fields of the tracepoint, and list them in @list ("a, b"). */
void offer_fields(struct condition *c, struct kcatch_suggest *suggest, char *list, size_t room);
/* event_names.c: whether an argument of the tracepoint has a member of that name. */
bool event_has_member(struct condition *c, const char *name);
/* syscall_number.c: an argument of the system call. Returns whether it exists. */
bool lookup_syscall(struct condition *c, const struct kcatch_expression_node *node,
		    struct term *term);
/* syscall_number.c: whether a node is id, the number of any system call, of an event of all. */
bool syscall_is_number(const struct condition *c, const struct kcatch_expression_node *node);
/* The number of a system call of 64-bit programs. Returns whether there is one of that name. */
bool syscall_find(const char *name, int64_t *number);
/* The truth of a comparison with such a number, which those of 32-bit programs are none of. */
const struct ir *syscall_compare(struct condition *c, enum kcatch_expression_op op,
				 const struct ir *truth);
/* Such a number as a key: with KCATCH_SYSCALL_COMPAT_BIT if it is of a 32-bit program. */
const struct ir *syscall_key(struct condition *c, const struct ir *number);
struct kcatch_suggest;
void syscall_offer(struct kcatch_suggest *suggest);
/* Offer the system call's arguments, and list them in @list ("a, b"), @room bytes. */
void offer_syscall(const struct condition *c, struct kcatch_suggest *suggest, char *list,
		   size_t room);
/* event_names.c: -ENOENT, with an error text that lists the DO_TRACE event's arguments. */
int lookup_no_event(struct condition *c, const struct kcatch_expression_node *node);
/* lookup.c: a member of @type. */
int lookup_member(struct condition *c, const struct kcatch_expression_node *node,
		  struct kcatch_type type, struct kcatch_member *member);
/* Whether the kernel's char has a sign: on x86 until 6.1 it has, and has not since 6.2. */
int lookup_char(struct condition *c, uint32_t at, bool *is_signed);
/* The type of a cast: *bits and *is_signed if it is built in, else *bits is 0. */
int lookup_type(struct condition *c, const struct kcatch_expression_node *node,
		struct kcatch_type *type, unsigned int *bits, bool *is_signed);
/*
 * kernel_names.c: the address of a kernel symbol, as a TERM_POINTER. @functions: only functions
 * count; if there is none, -ENOENT without an error text.
 */
int condition_symbol(struct condition *c, const struct kcatch_expression_node *node,
		     bool functions, struct term *term);
/* recorded.c: the same lookups in the contents of a recording. */
bool recorded_argument(struct condition *c, const char *name, struct term *term);
int recorded_register(struct condition *c, const struct kcatch_expression_node *node,
		      unsigned int number, struct term *term);
int recorded_field(struct condition *c, uint32_t index, struct term *term);
int recorded_current(struct condition *c, const struct kcatch_expression_node *node,
		     struct term *term);
bool recorded_name(struct condition *c, const char *name, struct term *term, int *ret);
int recorded_symbol(struct condition *c, const struct kcatch_expression_node *node,
		    bool functions, struct term *term);
/* The number of the thread's cgroup; and its path, as a text. */
int recorded_packet(struct condition *c, const struct kcatch_expression_node *node,
		    enum kcatch_packet_field field, struct term *term);
int recorded_cgroup(struct condition *c, const struct kcatch_expression_node *node,
		    struct term *term);
int recorded_cgroup_path(struct condition *c, uint32_t at, struct term *term);
/* Replace an argument by the text of its summary. Returns whether it has one. */
bool recorded_summary(struct condition *c, struct term *term);
/* -ENOENT, with an error text that says which names there are. */
int recorded_no_argument(struct condition *c, const struct kcatch_expression_node *node);
/* kernel_names.c: an enumerator, with a capital letter, of any enum. Whether it exists. */
bool condition_enumerator(struct condition *c, const char *name, struct kcatch_member *member);
/* lookup.c: make the enumerators of an enum known as names of the condition. */
void note_enum(struct condition *c, struct kcatch_type type);
/*
 * condition_notes.c: tell of a comparison that is not what was meant: of ret with a positive errno;
 * of a number with one that it cannot be. @op: with @number on the left; @named: its node
 */
void note_errno(struct condition *c, const struct kcatch_expression_node *value,
		const struct kcatch_expression_node *constant);
void note_range(struct condition *c, enum kcatch_expression_op op,
		const struct kcatch_expression_node *named, const struct term *number,
		const struct term *constant);

#endif
