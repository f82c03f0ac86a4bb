/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * ir.h - intermediate representation of the condition compiler: a tree of simple operations
 *
 * Private to the compiler and to the evaluator of recordings. Numbers have 32 or 64 bits (@wide)
 * and are signed or unsigned; both operands of an operation have the operation's type. Truth
 * values are comparisons and the results of && || !. Nodes live as long as the compilation
 * (@pieces of struct condition) and do not change once they are used as operands.
 */
#ifndef LIB_CONDITION_IR_H
#define LIB_CONDITION_IR_H

#include "condition/condition.h"
#include "condition/count_parts.h"

enum ir_op {
	IR_CONST,   /* @number */
	IR_LOAD,    /* 32 or 64 bits of an item or of struct kcatch_condition: see
				 * @item */
	IR_CONVERT, /* left in another width or signedness; sign-extended if left
				 * is signed */
	IR_EXTEND,  /* the low @bits (below 32) of left, extended to 32 bits, with
				 * the sign if @is_signed */
	IR_NEGATE,
	IR_INVERT,
	IR_MUL,
	IR_DIV,
	IR_MOD,
	IR_ADD,
	IR_SUB,
	IR_SHL, /* right has 32 bits */
	IR_SHR,
	IR_AND,
	IR_XOR,
	IR_OR,
	IR_SWAP,   /* left, a number of @bits, with its bytes in the other order, which
				 * third computes */
	IR_VALUE,  /* 1 if the truth value left holds, else 0; 32 bits */
	IR_CHOOSE, /* the number right if the truth value left holds, else third */
	/* truth values */
	IR_EQ,
	IR_GT, /* a signed comparison if left is signed */
	IR_GE,
	IR_TEXT, /* the text at @item and @offset equals @text, @length bytes */
	IR_NOT,
	IR_ALL,    /* && */
	IR_ANY,    /* || */
	IR_EITHER, /* the truth value right if left holds, else third */
};

#define IR_NO_ITEM (-1)

/* What a condition looks at, besides items: where IR_LOAD says that its number is. */
struct kcatch_condition {
	uint64_t args[6];
	uint64_t ret;
	uint64_t latency;
	uint64_t oncpu;
	uint64_t runnable;
	uint64_t blocked;
	uint64_t switches;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint32_t uid;
};

/**
 * struct ir - one operation
 * @op: IR_*
 * @wide: the result has 64 bits; else 32
 * @is_signed: the result is signed
 * @at_return: the result is known only at the return
 * @prefix: IR_TEXT: compare only the first @length bytes
 * @glob: IR_TEXT: @text is a pattern of * ? []; only in conditions over recordings
 * @bits: IR_EXTEND, IR_SWAP: number of bits
 * @at: offset in the condition for error messages, bytes; 0: that of the parent
 * @item: IR_LOAD, IR_TEXT: index of the item to read; IR_NO_ITEM: none
 * @offset: offset in the item, or without an item in struct kcatch_condition, bytes
 * @number: IR_CONST: the value, extended to 64 bits
 * @text: IR_TEXT: the text
 * @length: length of @text, bytes
 * @left: first operand, or NULL
 * @right: second operand, or NULL
 * @third: third operand of IR_CHOOSE and IR_EITHER; of IR_SWAP the result; else NULL
 */
struct ir {
	enum ir_op op;
	bool wide;
	bool is_signed;
	bool at_return;
	bool prefix;
	bool glob;
	uint8_t bits;
	uint32_t at;
	int32_t item;
	uint32_t offset;
	uint64_t number;
	const char *text;
	size_t length;
	const struct ir *left;
	const struct ir *right;
	const struct ir *third;
};

/* The first link of a chain: where its value is, see KCATCH_ITEM_* (include/uapi/kcatch.h). Those
 * of recordings follow in typing.h. The others lead from a value to the next one. */
enum link_kind {
	LINK_ARG = 1,		/* register argument @index */
	LINK_STACK,		/* word at @offset above the return address */
	LINK_TASK,		/* the current task's address */
	LINK_CGROUP,		/* its cgroup's id; @index 1: of the ancestor at level @offset */
	LINK_LOAD,		/* @size bytes at @offset behind the value */
	LINK_ADD,		/* the value plus @offset */
	LINK_RECORDED = 128,
};

struct link {
	uint8_t kind;
	uint8_t index;
	uint16_t size;
	int32_t offset;
};

/* The links that lead to a value, as a list from the last to the first. */
struct chain {
	const struct chain *before;	/* NULL: @link is the first */
	struct link link;
	uint32_t length;		/* number of links up to and including @link */
};

#define CHAIN_MAX 100U	/* links */

/**
 * struct way - what links behind the first one come to
 * @hops: pointers that are followed: @nr_hops of them
 * @offset: added to the last one, bytes
 * @size: of a number: bytes that are loaded there; 0: it is the address itself
 */
struct way {
	int32_t hops[CHAIN_MAX];
	uint32_t nr_hops;
	int64_t offset;
	uint16_t size;
};

/* A value that is fetched. */
struct item {
	const struct chain *chain; /* NULL: the code loads it, from @address */
	const struct ir *address;
	uint16_t bytes;         /* that are loaded there; 0: @address itself is kept */
	uint32_t size;		/* of a text, bytes, a multiple of 8; 0: a number of 8 bytes */
	uint32_t room;		/* of the array that a text is in, bytes: it ends there; 0: none */
	uint16_t place;		/* where it is put, bytes; set by items_finish(). Of a
				 * recording 0 */
};

/* A key or value of a count (count_parts.c). */
struct count_part_ir {
	struct kcatch_part_type type;
	int item;                       /* of a text */
	const struct ir *number;	/* 64 bits */
	const struct ir *low;           /* of an address of IPv6 the rest; else NULL */
};

/* A word that code puts. */
struct word_ir {
	const struct ir *number;	/* NULL: none, but the item of a text may be unreadable */
	bool is_put;			/* else it is only looked whether it is known */
	int item;			/* of a text; IR_NO_ITEM: none */
	uint8_t out;                    /* the word that it becomes */
	uint8_t mark;                   /* the bit that says that it is not known */
};

struct term;

/* The state of one compilation. */
struct condition {
	const struct kcatch_expression *expression;
	struct kcatch_types *types;	/* NULL: there are none */
	struct kcatch_type proto;	/* id 0: not known */
	bool returns;			/* ret and latency are available */
	bool second;                    /* of a pair: latency is available */
	bool off_cpu;                   /* and runnable and blocked are */
	bool entry_only;		/* of a count: what uses them is 0 */
	const struct kcatch_named_argument *named; /* of the function; NULL: none */
	bool tracepoint;		/* the first parameter of @proto is no argument */
	const struct kcatch_event_info *info;	/* the DO_TRACE event; else NULL */
	const char *event; /* the tracepoint, whose fields are names; NULL: none are */
	bool in_field;     /* what is typed is a field's expression */
	const struct kcatch_syscall_event *syscall;	/* the system call's event; else NULL */
	const struct kcatch_plan *plan;	/* of a system call or a recording; else NULL */
	/* Contents of the records, if the condition is for a recording; else NULL. */
	const struct kcatch_recorded_probe *recorded;
	struct kcatch_count_wants *wants;	/* keys and values of a count; else NULL */
	struct count_part_ir parts[KCATCH_COUNT_WANTS_MAX];	/* what became of them */
	struct kcatch_pieces pieces;	/* memory of all nodes and chains */
	struct item items[KCATCH_ITEMS_MAX];
	uint32_t nr_items;
	char texts[KCATCH_TEXTS_MAX];	/* that its code compares with */
	uint32_t nr_texts;
	/*
	 * Enums of values in the condition: their enumerators are names. An enumerator may
	 * stand to the left of the value, so a pass that meets an unknown name sets
	 * @unknown_name, and a last pass follows.
	 */
	struct kcatch_type enums[32];
	uint32_t nr_enums;
	bool last_pass;
	bool wants_function;	/* the other side of the comparison points to a function */
	bool wants_call;	/* the other side is the number of any system call */
	bool wants_protocol;    /* the other side is a packet's protocol */
	const struct term *packet; /* what skb means in a word of packets; else NULL */
	bool unknown_name;
	struct kcatch_condition_notes notes;	/* what is to be told of it */
};

/*
 * ir.c: arithmetic of constants. A number is passed as its type holds it, sign- or zero-extended to
 * 64 bits.
 */
uint64_t ir_fit(uint64_t number, bool wide, bool is_signed);	/* truncate to the type, extend */
uint64_t ir_low_bits(uint64_t number, unsigned int bits, bool is_signed);	/* IR_EXTEND */
uint8_t ir_code(const struct ir *ir);	/* KCATCH_OP_* of an operation with two operands */
/* ir.c: make an operation. NULL: no memory (the error text is set), or an operand is NULL. */
const struct ir *ir_make(struct condition *c, struct ir ir);
const struct ir *ir_const(struct condition *c, uint64_t number, bool wide, bool is_signed);
const struct ir *ir_convert(struct condition *c, const struct ir *left, bool wide,
			    bool is_signed);
const struct ir *ir_extend(struct condition *c, const struct ir *left, unsigned int bits,
			   bool is_signed);
const struct ir *ir_unary(struct condition *c, enum ir_op op, const struct ir *left);
/* The number of @bits (16, 32, 64) from bit @shift of a word on, with its bytes in the other
 * order: unsigned, as wide as it is. */
const struct ir *ir_swap(struct condition *c, const struct ir *word, unsigned int shift,
			 unsigned int bits);
const struct ir *ir_binary(struct condition *c, enum ir_op op, const struct ir *left,
			   const struct ir *right);
/* @op: KCATCH_EX_LT..KCATCH_EX_NE. False if an operand could not be read. */
const struct ir *ir_compare(struct condition *c, enum kcatch_expression_op op,
			    const struct ir *left, const struct ir *right);
const struct ir *ir_truth(struct condition *c, enum ir_op op, const struct ir *left,
			  const struct ir *right);
/* @op: IR_CHOOSE (@right and @third are numbers of one type) or IR_EITHER (truth values). */
const struct ir *ir_choose(struct condition *c, enum ir_op op, const struct ir *truth,
			   const struct ir *right, const struct ir *third);

/* place.c: append a link to a chain. NULL: no memory (the error text is set). */
const struct chain *chain_link(struct condition *c, const struct chain *before, uint8_t kind,
			       uint8_t index, uint16_t size, int32_t offset);
/*
 * What @nr links lead to from a value plus @delta: a number, or a text. Returns 0; -E2BIG (no error
 * text) an offset is too large, or a number of less than 8 bytes is used as an address.
 */
int way_find(const struct link *const *links, uint32_t nr, int64_t delta, bool is_text,
	     struct way *way);
/*
 * Find or add the item that @chain leads to: a number, or a text; @size and @room as in struct
 * item. Returns its index; -E2BIG (no error text) there are KCATCH_ITEMS_MAX items or CHAIN_MAX
 * links in @chain; -ENOMEM, also for a NULL @chain.
 */
int item_find(struct condition *c, const struct chain *chain);
int item_find_text(struct condition *c, const struct chain *chain, uint32_t size, uint32_t room);
/* The same of @bytes bytes (1, 2, 4, 8) at an address that is computed, of 64 bits; 0: of that. */
int item_find_computed(struct condition *c, const struct ir *address, uint16_t bytes);
bool items_are_computed(const struct condition *c); /* any of them */
/*
 * Set the items' offsets and make what the module fetches (allocated with malloc(), NULL without
 * items). Returns 0; -E2BIG (no error text) they exceed KCATCH_FIELDS_MAX or KCATCH_CONDITION_HOPS,
 * or as way_find(); -ENOMEM.
 */
int items_finish(struct condition *c, struct kcatch_condition_code *code);

/*
 * typing.c, syscall_number.c, condition.c: make a truth value. They return 0 or -errno, with an
 * error text.
 */
/* The expression's root, in one pass. */
int condition_type(struct condition *c, const struct kcatch_expression_node *root,
		   const struct ir **truth);
/* Whether an event of raw_syscalls is of c->syscall, by a 64-bit program. */
int condition_syscall(struct condition *c, const struct ir **truth);
/* The expression, in two passes if it has names that were unknown in the first. */
int condition_type_twice(struct condition *c, const struct ir **truth);
/* Whether the call failed; @fails: KCATCH_FAILS_*. -EOPNOTSUPP: see condition.h. */
int condition_fails(struct condition *c, unsigned int fails, const struct ir **truth);
/* The name "failure", a signed number of 64 bits: see language.h. */
int condition_failure(struct condition *c, const struct ir **number);
/* lookup.c: ret of a function without types. NULL: no memory (the error text is set). */
const struct ir *condition_untyped_return(struct condition *c);

/* constants.c: well-known constants. Look one up by name; pass all names to @offer. */
bool constant_find(const char *name, int64_t *value);
void constant_offer_all(void (*offer)(void *arg, const char *name), void *arg);

/*
 * encode.c: the code of a truth value, on the entry behind the loads of items that are computed.
 * @first: a truth value that is asked for before them, and without which nothing holds; NULL: none.
 * @truth: NULL: there are only the loads. @code: allocated with malloc(). Returns 0; -EINVAL it is
 * too large; -ENOMEM; with an error text.
 */
int condition_encode(struct condition *c, const struct ir *truth, struct kcatch_op **code,
		     uint32_t *nr);
int condition_encode_entry(struct condition *c, const struct ir *first, const struct ir *truth,
			   struct kcatch_op **code, uint32_t *nr);

/*
 * Code that puts numbers of 64 bits as words. Which of them are not known it marks by bits of one
 * more word, @marks; with KCATCH_OUTS_MAX there is only one value, and the code ends by
 * KCATCH_EXIT_UNKNOWN then.
 */
int condition_encode_words(struct condition *c, const struct word_ir *words, uint32_t nr_words,
			   uint32_t marks, struct kcatch_op **code, uint32_t *nr);
/* Whether a number is only read: then @part is a KCATCH_PART_WORD. */
bool condition_is_word(struct condition *c, const struct ir *number, struct kcatch_part *part);

#endif
