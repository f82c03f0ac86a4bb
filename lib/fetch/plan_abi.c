/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * plan_abi.c - locates arguments and return value
 *
 * As far as kernels use it: without vectors. Integers, pointers, and structs of up to 16 bytes made
 * of them take the next free registers. A value of two words takes two registers or none. All
 * other arguments are on the stack in the order of their declaration. struct kcatch_arch_call has
 * what differs between machines.
 *
 * x86-64: System V ABI, section 3.2.3. A value of whose second word nothing but padding is takes
 * one register or none. If a struct is returned in memory, its address is an additional first
 * argument. arm64: AAPCS64, section 6.8.2, stages B and C. Structs of floats, which take vector
 * registers there, are not told apart: nobody knows where such an argument is.
 */
#include "fetch/plan_data.h"

#define WORDS_MAX 16	/* words of one value; longer values are cut */
#define NESTED_MAX 16	/* levels of structs that are examined */
#define MEMBERS_MAX 4096	/* examined of one type: damaged unions may nest many times over */

enum place { IN_REGISTERS, ON_STACK, IN_NOTHING, NOT_KNOWN, BY_ADDRESS };

/*
 * Is a bit-field of a union where an integer of its width would be aligned? The compiler passes a
 * packed struct in memory for it; of a struct's own bit-fields it does not ask.
 */
static bool is_aligned_bits(uint64_t bit_offset, uint32_t bits)
{
	return !(bit_offset % (bits > 32 ? 64 : bits > 16 ? 32 : bits > 8 ? 16 : 8));
}

/* What is examined of a value: the members that may still be, and a bit for each word in use. */
struct parts {
	uint32_t left, used;
};

static void use_words(struct parts *parts, uint64_t bit_offset, uint64_t bits)
{
	uint64_t word, end = (bit_offset + bits + 63) / 64;

	for (word = bit_offset / 64; bits && word < 2 && word < end; word++)
		parts->used |= 1U << word;
}

/* Whether a value can be in integer registers: all its parts are aligned integers or pointers. */
static bool is_integers(struct kcatch_type type, uint64_t bit_offset, int depth,
			struct parts *parts)
{
	uint32_t i, nr = kcatch_type_nr_members(type);
	int64_t size;

	switch (kcatch_type_kind(type)) {
	case BTF_KIND_INT:
	case BTF_KIND_PTR:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		size = kcatch_type_size(type);
		use_words(parts, bit_offset, size > 0 ? 8 * (uint64_t)size : 0);
		return size > 0 && !(bit_offset % (8 * (size > 8 ? 16 : size)));
	case BTF_KIND_ARRAY:
		size = kcatch_type_size(type);
		use_words(parts, bit_offset, size > 0 ? 8 * (uint64_t)size : 0);
		return depth && is_integers(kcatch_type_target(type), bit_offset, depth - 1, parts);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (i = 0; i < nr && depth; i++) {
			struct kcatch_member member;

			kcatch_type_member(type, i, &member);
			if (!parts->left)
				return false;
			parts->left--;
			use_words(parts, bit_offset + member.bit_offset, member.bit_size);
			if (member.bit_size && kcatch_type_kind(type) == BTF_KIND_UNION &&
			    !is_aligned_bits(bit_offset + member.bit_offset, member.bit_size))
				return false;
			if (!member.bit_size &&
			    !is_integers(member.type, bit_offset + member.bit_offset, depth - 1,
					 parts))
				return false;
		}
		return depth;
	}
	return false;
}

/* Has a struct a float in it, or may it? */
static bool has_floats(struct kcatch_type type, int depth, uint32_t *left)
{
	uint32_t i, nr;

	switch (kcatch_type_kind(type)) {
	case BTF_KIND_FLOAT:
		return true;
	case BTF_KIND_ARRAY:
		return !depth || has_floats(kcatch_type_target(type), depth - 1, left);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		nr = kcatch_type_nr_members(type);
		for (i = 0; i < nr; i++) {
			struct kcatch_member member;

			if (!depth || !*left)
				return true;
			(*left)--;
			kcatch_type_member(type, i, &member);
			if (has_floats(member.type, depth - 1, left))
				return true;
		}
	}
	return false;
}

static enum place place_of_struct(const struct kcatch_arch *arch, struct kcatch_type type,
				  uint64_t size, uint32_t *words)
{
	struct parts parts = { .left = MEMBERS_MAX };

	if (!size)
		return IN_NOTHING;
	if (!arch->call.by_members) {
		if (has_floats(type, NESTED_MAX, &parts.left))
			return NOT_KNOWN;
		return size <= 16 ? IN_REGISTERS : arch->call.large_by_address ? BY_ADDRESS :
										 ON_STACK;
	}
	if (size > 16 || !is_integers(type, 0, NESTED_MAX, &parts))
		return ON_STACK;
	if (!(parts.used & 1))	/* who knows what compilers make of it */
		return NOT_KNOWN;
	*words = parts.used & 2 ? 2 : 1;
	return IN_REGISTERS;
}

/* @words: of registers that it takes; on the stack it takes all of its words */
static enum place place_of(const struct kcatch_arch *arch, struct kcatch_type type,
			   uint64_t *size, uint32_t *words)
{
	int64_t bytes = kcatch_type_size(type);

	*size = bytes < 0 ? 0 : bytes;
	*words = (uint32_t)((*size + 7) / 8);
	switch (kcatch_type_kind(type)) {
	case BTF_KIND_INT:
	case BTF_KIND_PTR:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return *size && *size <= 16 ? IN_REGISTERS : NOT_KNOWN;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return place_of_struct(arch, type, *size, words);
	}
	return NOT_KNOWN;
}

/* Alignment on the stack, bytes: 8, or 16 for 128-bit integers and structs that have one. */
static uint64_t align_of(struct kcatch_type type, int depth, uint32_t *left)
{
	uint32_t i, nr;

	switch (kcatch_type_kind(type)) {
	case BTF_KIND_INT:
		return kcatch_type_size(type) > 8 ? 16 : 8;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		nr = kcatch_type_nr_members(type);
		for (i = 0; i < nr && depth && *left; i++) {
			struct kcatch_member member;

			(*left)--;
			kcatch_type_member(type, i, &member);
			if (align_of(member.type, depth - 1, left) > 8)
				return 16;
		}
	}
	return 8;
}

static uint64_t stack_align(struct kcatch_type type)
{
	uint32_t left = MEMBERS_MAX;

	return align_of(type, NESTED_MAX, &left);
}

static bool is_float(struct kcatch_type type)
{
	return kcatch_type_kind(type) == BTF_KIND_FLOAT;
}

uint64_t kcatch_plan_abi_class(struct kcatch_type type)
{
	uint64_t size;
	uint32_t words;
	enum place place = place_of(kcatch_arch_running(), type, &size, &words);

	return (uint64_t)place | (uint64_t)is_float(type) << 3 |
	       (uint64_t)(stack_align(type) > 8) << 4 |
	       (uint64_t)(uint32_t)((size + 7) / 8) << 5 |
	       (uint64_t)(place == IN_REGISTERS && words == 1) << 37;
}

static bool has_room(const struct kcatch_plan_list *list, uint32_t words)
{
	return list->nr_items + words <= KCATCH_ITEMS_MAX;
}

/* @registers: of those words that registers hold; what follows is padding, and read of the last */
static void put_words(struct kcatch_plan_value *value, struct kcatch_plan_list *list,
		      struct kcatch_item first, uint64_t size, uint32_t registers)
{
	uint32_t i, words = (size + 7) / 8;

	if (words > WORDS_MAX)
		words = WORDS_MAX;
	if (!has_room(list, words) || (first.from == KCATCH_ITEM_STACK &&
				       first.start + 8 * words > KCATCH_STACK_MAX))
		return;
	first.put = KCATCH_ITEM_VALUE;
	for (i = 0; i < words; i++) {
		uint8_t item = kcatch_plan_word(list, first);

		if (!i)
			value->words = item;
		if (first.from == KCATCH_ITEM_STACK)
			first.start += 8;
		else if (i + 1 < registers)
			first.index++;
	}
	value->nr_words = words;
	value->bytes = size > 8 * words ? 8 * words : size;
}

/* A value whose address is in register @nr: each word of it is an item of its own. The last one may
 * have bytes behind the value, which lie in the same word of memory. */
static void put_copy(struct kcatch_plan_value *value, struct kcatch_plan_list *list, uint8_t nr,
		     uint64_t size)
{
	uint32_t i, words = (uint32_t)((size + 7) / 8);

	if (words > WORDS_MAX)
		words = WORDS_MAX;
	if (!has_room(list, words))
		return;
	value->nr_words = words;
	value->bytes = size > 8 * words ? 8 * words : size;
	for (i = 0; i < words; i++) {
		uint8_t item = kcatch_plan_word(
			list, (struct kcatch_item){ .from = KCATCH_ITEM_ARG,
						    .put = KCATCH_ITEM_WORD,
						    .size = 8,
						    .index = nr,
						    .offset = (int32_t)(8 * i) });

		if (!i)
			value->words = item;
	}
}

/* ---- where arguments are ------------------------------------------------------ */

void kcatch_abi_begin(struct kcatch_abi *abi, const struct kcatch_arch *arch,
		      struct kcatch_type returned)
{
	uint64_t size;
	uint32_t words;

	*abi = (struct kcatch_abi){ .arch = arch };
	abi->next = arch->call.result_is_argument &&
		    place_of(arch, returned, &size, &words) == ON_STACK;
}

/* On the stack, behind what is there. False: so far up nothing is read, nor is what is behind it */
static bool put_on_stack(struct kcatch_abi *abi, bool aligned, uint32_t words, uint32_t *first)
{
	if (aligned)
		abi->stack = (abi->stack + 15) / 16 * 16;
	if (abi->stack + 8 * (uint64_t)words > KCATCH_STACK_MAX) {
		abi->unknown = true;
		return false;
	}
	*first = (uint32_t)abi->stack;
	abi->stack += 8 * (uint64_t)words;
	return true;
}

enum kcatch_abi_place kcatch_abi_next(struct kcatch_abi *abi, struct kcatch_type type,
				      uint32_t *first, uint64_t *size)
{
	const struct kcatch_arch_call *rules = &abi->arch->call;
	uint32_t words, registers, next;
	enum place place = place_of(abi->arch, type, size, &registers);
	bool aligned = stack_align(type) > 8, by_address = place == BY_ADDRESS;

	words = (uint32_t)((*size + 7) / 8);
	if (is_float(type)) {
		/* It does not move those in integer registers. */
		if (abi->floats++ >= rules->vector_registers)
			abi->stack += 8;
		return KCATCH_ABI_NOWHERE;
	}
	abi->unknown |= place == NOT_KNOWN;
	if (abi->unknown || place == IN_NOTHING)
		return KCATCH_ABI_NOWHERE;
	if (by_address) {	/* it is the address that is passed */
		words = registers = 1;
		aligned = false;
		place = IN_REGISTERS;
	}
	next = abi->next;
	if (rules->even && aligned)
		next = (next + 1) / 2 * 2;
	if (place == IN_REGISTERS && next + registers <= rules->registers) {
		*first = next;
		abi->next = next + registers;
		abi->registers = registers;
		return by_address ? KCATCH_ABI_ADDRESS : KCATCH_ABI_REGISTERS;
	}
	if (rules->closes)
		abi->next = rules->registers;
	if (!put_on_stack(abi, aligned, words, first))
		return KCATCH_ABI_NOWHERE;
	return by_address ? KCATCH_ABI_STACK_ADDRESS : KCATCH_ABI_STACK;
}

static void place_return(struct kcatch_plan *plan)
{
	uint64_t size;
	uint32_t words;

	plan->ret.words = KCATCH_NO_ITEM;
	if (place_of(plan->arch, plan->ret.type, &size, &words) != IN_REGISTERS)
		return;
	plan->ret.nr_words = (size + 7) / 8;
	plan->ret.bytes = size;
	if (size > 8)
		put_words(&plan->ret, &plan->at_return,
			  (struct kcatch_item){ .from = KCATCH_ITEM_RET }, size, words);
}

void kcatch_plan_abi(struct kcatch_plan *plan)
{
	struct kcatch_abi abi;
	uint32_t i, first;
	uint64_t size;

	place_return(plan);
	kcatch_abi_begin(&abi, plan->arch, plan->ret.type);
	for (i = 0; i < plan->nr_args; i++) {
		struct kcatch_plan_value *arg = &plan->args[i];

		arg->words = KCATCH_NO_ITEM;
		switch (kcatch_abi_next(&abi, arg->type, &first, &size)) {
		case KCATCH_ABI_REGISTERS:
			put_words(arg, &plan->entry,
				  (struct kcatch_item){ .from = KCATCH_ITEM_ARG,
							.index = (uint8_t)first },
				  size, abi.registers);
			break;
		case KCATCH_ABI_STACK:
			put_words(arg, &plan->entry,
				  (struct kcatch_item){ .from = KCATCH_ITEM_STACK,
							.start = (int32_t)first },
				  size, 0);
			break;
		case KCATCH_ABI_ADDRESS:
			put_copy(arg, &plan->entry, (uint8_t)first, size);
			break;
		case KCATCH_ABI_STACK_ADDRESS:	/* an item has one source, and no hop from there */
		case KCATCH_ABI_NOWHERE:
			break;
		}
	}
}
