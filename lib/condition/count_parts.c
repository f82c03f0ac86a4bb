/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * count_parts.c - compiles keys and values of counts into the parts that the module takes
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "condition/count_parts.h"
#include "condition/language.h"
#include "condition/typing.h"
#include "fetch/gfp_names.h"

/* ---- types ---------------------------------------------------------------------------- */

static int type_text(struct condition *c, struct term *term, struct count_part_ir *part)
{
	int item, ret;

	if (term->kind == TERM_COMM)
		return 0;
	if (term->kind == TERM_PLACE && kcatch_type_kind(term->type) == BTF_KIND_ARRAY &&
	    term->place.kind != PLACE_MEMORY)
		return term_error(c, EINVAL, term->at, "texts in registers cannot be keys");
	ret = term_text_item(c, term, KCATCH_PART_TEXT_MAX, &item);
	if (ret)
		return ret;
	part->item = item;
	return 0;
}

static const struct kcatch_constants *constants_of(const struct term *term)
{
	return term->constants ? term->constants : kcatch_gfp_names(term->type);
}

/* Of a packet the words are numbers, but as keys addresses of any kind. */
static int root_term(struct condition *c, const struct kcatch_expression_node *root,
		     struct kcatch_part_type *type, struct term *term)
{
	const bool is_key = kcatch_expression_is(c->expression, "key");
	int ret;

	*term = (struct term){ .at = root->at };
	type->form.kind = KCATCH_NUMBER_IP;
	if (is_key && packet_address(c, root, term, &ret))
		return ret;
	type->form.kind = KCATCH_NUMBER_PLAIN;
	ret = condition_term(c, root, term);
	if (ret || !ip_is_address(term))
		return ret;
	type->form.kind = term->form ? term->form->kind : KCATCH_NUMBER_IPV6;
	if (!is_key && !kcatch_expression_is(c->expression, "field"))
		return term_error(c, EINVAL, root->at,
				  "an address of IPv6 can be a key of counts, but no value of them "
				  "and no key of a pair");
	return ip_read(c, root, term);
}

int count_part_term(struct condition *c, struct kcatch_part_type *type, struct term *term)
{
	const struct kcatch_expression_node *root = kcatch_expression_root(c->expression);
	int ret = root_term(c, root, type, term);

	if (ret)
		return ret;
	type->is_ip = term->kind == TERM_IP;
	if (type->is_ip)
		return 0;
	if (term->kind == TERM_TEXT)
		return term_error(c, EINVAL, term->at, "a text that is always the same is no key");
	type->is_comm = term->kind == TERM_COMM;
	/* A returned text cannot be read: its address is the key. */
	type->is_text = !type->is_comm && term_is_text(term) &&
			!(term->kind == TERM_PLACE && term->place.kind == PLACE_RETURN);
	if (type->is_comm || type->is_text)
		return 0;
	type->is_cgroup = term->is_cgroup;
	type->is_pointer = term->kind == TERM_POINTER ||
			   (term->kind == TERM_PLACE &&
			    kcatch_type_kind(term->type) == BTF_KIND_PTR);
	type->may_be_address = type->is_pointer || term->is_untyped;
	if (term->form)
		type->form = *term->form;
	else if (term->kind == TERM_PLACE && !type->is_pointer)
		type->form = (struct kcatch_number_form){ .kind = kcatch_number_kind(term->type),
							  .type = term->type,
							  .name = term->name,
							  .constants = constants_of(term) };
	ret = condition_number(c, root, term);
	if (ret)
		return ret;
	type->is_signed = term->ir->is_signed;
	type->may_be_address |= term->ir->wide && !term->ir->is_signed;
	type->is_narrow = !term->ir->wide;
	return 0;
}

static bool means_the_same(const struct kcatch_number_form *a, const struct kcatch_number_form *b)
{
	return a->kind == b->kind && a->constants == b->constants &&
	       (a->kind != KCATCH_NUMBER_ENUM ||
		(a->type.btf == b->type.btf && a->type.id == b->type.id)) &&
	       !strcmp(a->name ? a->name : "", b->name ? b->name : "");
}

int kcatch_part_type_join(struct kcatch_part_type *type, const struct kcatch_part_type *other)
{
	if (type->is_text != other->is_text || type->is_comm != other->is_comm)
		return kcatch_error_set(EINVAL, "a key is a text in one function and a "
						"number in another: count them one by one");
	if (type->is_ip != other->is_ip)
		return kcatch_error_set(EINVAL, "a key is an address of IPv6 in one function and a "
						"number in another: count them one by one");
	if (!means_the_same(&type->form, &other->form))
		memset(&type->form, 0, sizeof(type->form));
	type->is_signed |= other->is_signed;
	type->is_pointer &= other->is_pointer;
	type->may_be_address |= other->may_be_address;
	type->is_narrow &= other->is_narrow;
	type->is_call &= other->is_call;
	return 0;
}

static int type_part(struct condition *c, struct count_part_ir *part)
{
	const struct kcatch_expression_node *root = kcatch_expression_root(c->expression);
	struct term term;
	int ret;

	memset(part, 0, sizeof(*part));
	if (c->entry_only && kcatch_expression_uses_return(c->expression)) {
		part->type.is_signed = true;
		part->type.is_narrow = true;
		part->number = ir_const(c, 0, true, true);
		return part->number ? 0 : -ENOMEM;
	}
	ret = count_part_term(c, &part->type, &term);
	if (ret)
		return ret;
	if (part->type.is_comm || part->type.is_text)
		return type_text(c, &term, part);
	part->number = ir_convert(c, term.ir, true, term.ir->is_signed);
	part->low = term.low;
	if (!c->recorded && kcatch_expression_is(c->expression, "key") &&
	    syscall_is_number(c, root)) {
		part->type.is_call = true;
		part->number = syscall_key(c, part->number);
	}
	return part->number ? 0 : -ENOMEM;
}

const struct kcatch_expression *count_parts_first(const struct condition *c)
{
	uint32_t i;

	for (i = 0; i < c->wants->nr; i++)
		if (c->wants->expressions[i])
			return c->wants->expressions[i];
	return c->wants->pair;
}

static int type_number(struct condition *c, const struct kcatch_expression *expression,
		       struct count_part_ir *part)
{
	int ret;

	c->expression = expression;
	ret = type_part(c, part);
	if (!ret && (part->type.is_comm || part->type.is_text))
		return term_error(c, EINVAL, kcatch_expression_root(c->expression)->at,
				  "a pair has a number as its key, not a text");
	return ret;
}

/* Behind the keys and values, which leave room for it. */
static int type_pair(struct condition *c)
{
	struct count_part_ir *parts = c->parts + c->wants->nr;
	int ret = type_number(c, c->wants->pair, &parts[0]);

	return !ret && c->wants->sleeps ? type_number(c, c->wants->sleeps, &parts[1]) : ret;
}

/* Words 0 and 1 of struct kcatch_pair.key, and 2 if there is one. */
static int encode_pair(struct condition *c)
{
	struct kcatch_count_wants *wants = c->wants;
	const struct count_part_ir *parts = c->parts + wants->nr;
	const struct word_ir words[] = {
		{ .number = parts[0].number, .is_put = true, .item = IR_NO_ITEM },
		{ .number = parts[1].number, .is_put = true, .item = IR_NO_ITEM, .out = 2 },
	};

	c->expression = wants->pair;
	return condition_encode_words(c, words, wants->sleeps ? 2 : 1, 1, &wants->pair_code,
				      &wants->nr_pair_code);
}

int count_parts_type(struct condition *c)
{
	const struct kcatch_expression *own = c->expression;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < c->wants->nr && !ret; i++) {
		c->expression = c->wants->expressions[i];
		if (c->expression)
			ret = type_part(c, &c->parts[i]);
		else if (c->wants->words[i])
			note_hidden(c, c->wants->words[i]);
	}
	if (!ret && c->wants->pair)
		ret = type_pair(c);
	c->expression = own;
	return ret;
}

/* ---- parts ------------------------------------------------------------------------------ */

/* The part of a number, and what the code has to do for it. */
static void make_word(struct condition *c, struct word_ir *word, struct kcatch_part *part)
{
	word->is_put = !condition_is_word(c, word->number, part);
	if (word->is_put)
		*part = (struct kcatch_part){ .kind = KCATCH_PART_CODE, .index = word->out };
}

static void make_part(struct condition *c, const struct count_part_ir *ir,
		      struct kcatch_count_code *code, struct word_ir *word)
{
	code->type = ir->type;
	if (ir->type.is_comm) {
		code->part.kind = KCATCH_PART_COMM;
	} else if (ir->type.is_text) {
		code->part = (struct kcatch_part){ .kind = KCATCH_PART_TEXT,
						   .size = KCATCH_PART_TEXT_MAX,
						   .offset = c->items[ir->item].place };
		word->item = ir->item;
	} else {
		word->number = ir->number;
		make_word(c, word, &code->part);
	}
}

int count_parts_code(struct condition *c)
{
	const struct kcatch_expression *own = c->expression;
	struct kcatch_count_wants *wants = c->wants;
	struct word_ir words[KCATCH_OUTS_MAX];
	uint32_t i, nr = wants->nr;
	int ret;

	for (i = 0; i < wants->nr; i++) {
		words[i] = (struct word_ir){ .item = IR_NO_ITEM,
					     .out = (uint8_t)i,
					     .mark = (uint8_t)i };
		if (wants->expressions[i])
			make_part(c, &c->parts[i], &wants->codes[i], &words[i]);
	}
	/* Behind the word of marks, that of the first halves. */
	for (i = 0; i < wants->nr; i++) {
		if (!wants->expressions[i] || !c->parts[i].low)
			continue;
		if (nr + 1 == KCATCH_OUTS_MAX)
			return kcatch_error_set(EINVAL, "the key is too large: ask for less");
		words[nr] = (struct word_ir){ .number = c->parts[i].low,
					      .item = IR_NO_ITEM,
					      .out = (uint8_t)(nr + 1),
					      .mark = (uint8_t)i };
		make_word(c, &words[nr++], &wants->codes[i].low);
	}
	wants->marks = (struct kcatch_part){ .kind = KCATCH_PART_CODE,
					     .index = (uint8_t)wants->nr };
	/* For messages; without an expression there is no code that could need one. */
	c->expression = count_parts_first(c);
	ret = condition_encode_words(c, words, nr, wants->nr, &wants->code, &wants->nr_code);
	if (!ret && wants->pair)
		ret = encode_pair(c);
	c->expression = own;
	return ret;
}

void kcatch_count_wants_deinit(struct kcatch_count_wants *wants)
{
	free(wants->code);
	free(wants->pair_code);
	memset(wants->codes, 0, sizeof(wants->codes));
	memset(&wants->marks, 0, sizeof(wants->marks));
	wants->code = NULL;
	wants->nr_code = 0;
	wants->pair_code = NULL;
	wants->nr_pair_code = 0;
}

/* ---- what is always known ---------------------------------------------------------------- */

/* Where a call's time went is not, where switches are not seen. */
static bool is_known(const char *name)
{
#define NAME(text, member, wide, is_signed, at_return) text,
	static const char *const names[] = { KCATCH_LANGUAGE_NAMES(NAME) "ret", "failure", "comm",
									   "cgroup" };
#undef NAME
	static const char *const off_cpu[] = { "oncpu", "runnable", "blocked", "switches" };
	size_t i;

	for (i = 0; i < sizeof(off_cpu) / sizeof(off_cpu[0]); i++)
		if (!strcmp(off_cpu[i], name))
			return false;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static bool may_fail(const struct kcatch_expression_node *node)
{
	if (!node)
		return false;
	switch (node->op) {
	case KCATCH_EX_NAME:
		return !is_known(node->text);
	case KCATCH_EX_CAST:	/* to a pointer: what it points to is read */
		return node->number || may_fail(node->left);
	case KCATCH_EX_MEMBER:
	case KCATCH_EX_ARROW:
	case KCATCH_EX_INDEX:
	case KCATCH_EX_DEREF:
	case KCATCH_EX_DIV:
	case KCATCH_EX_MOD:
		return true;
	default:
		return may_fail(node->left) || may_fail(node->right) || may_fail(node->third);
	}
}

bool kcatch_count_may_fail(const struct kcatch_expression *expression)
{
	return may_fail(kcatch_expression_root(expression));
}
