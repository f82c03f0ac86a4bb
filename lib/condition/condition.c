/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * condition.c - compiles a condition for one function, split into entry and return
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "condition/ir.h"
#include "fetch/syscall_event.h"

/* ---- failed calls (KCATCH_FAILS_*) ---------------------------------------------------- */

static const struct ir *return_word(struct condition *c, bool wide)
{
	return ir_make(c, (struct ir){ .op = IR_LOAD, .item = IR_NO_ITEM, .at_return = true,
				       .wide = wide,
				       .offset = offsetof(struct kcatch_condition, ret) });
}

/* As unsigned numbers, errnos and error pointers are those from -4095 on. */
static const struct ir *is_errno(struct condition *c, bool wide)
{
	return ir_compare(c, KCATCH_EX_GE, return_word(c, wide),
			  ir_const(c, (uint64_t)-4095, wide, false));
}

static const struct ir *fails_unknown(struct condition *c)
{
	const struct ir *small, *high = return_word(c, false);

	if (high)
		((struct ir *)high)->offset += 4;
	small = ir_truth(c, IR_ALL, is_errno(c, false),
			 ir_compare(c, KCATCH_EX_EQ, high, ir_const(c, 0, false, false)));
	return ir_truth(c, IR_ANY, small, is_errno(c, true));
}

int condition_fails(struct condition *c, unsigned int fails, const struct ir **truth)
{
	struct kcatch_type type = kcatch_type_target(c->proto);
	int kind = c->proto.id ? kcatch_type_kind(type) : BTF_KIND_UNKN;
	int64_t size = kind == BTF_KIND_INT ? kcatch_type_size(type) : 0;
	const struct ir *zero = NULL;
	bool supported = true;

	if (!c->proto.id && fails & KCATCH_FAILS_ERRNO) {
		*truth = fails_unknown(c);
	} else if (kind == BTF_KIND_PTR && fails & KCATCH_FAILS_ERRNO) {
		zero = ir_compare(c, KCATCH_EX_EQ, return_word(c, true),
				  ir_const(c, 0, true, false));
		*truth = ir_truth(c, IR_ANY, zero, is_errno(c, true));
	} else if (kind == BTF_KIND_INT && kcatch_type_is_bool(type) &&
		   fails & KCATCH_FAILS_FALSE) {
		zero = ir_extend(c, return_word(c, false), 8, false);
		*truth = ir_compare(c, KCATCH_EX_EQ, zero, ir_const(c, 0, false, false));
	} else if (kcatch_type_is_signed(type) && (size == 4 || size == 8) &&
		   fails & KCATCH_FAILS_ERRNO) {
		*truth = is_errno(c, size == 8);
	} else {
		supported = false;
	}
	if (supported)
		return *truth ? 0 : -ENOMEM;
	return kcatch_error_set(EOPNOTSUPP, "the function's return type cannot report a failure: "
				"failures are a signed int or long of -4095 to -1, and pointers%s",
				kind == BTF_KIND_INT && kcatch_type_is_bool(type) ?
				"; false of a bool only on request" : "");
}

int condition_failure(struct condition *c, const struct ir **number)
{
	struct kcatch_type type = kcatch_type_target(c->proto);
	int kind = c->proto.id ? kcatch_type_kind(type) : BTF_KIND_UNKN;
	bool wide = kind != BTF_KIND_INT || kcatch_type_size(type) == 8;
	const struct ir *truth, *none = ir_const(c, 0, true, true), *word;
	int64_t size = kind == BTF_KIND_INT ? kcatch_type_size(type) : 0;

	*number = none;
	if (c->proto.id && kind != BTF_KIND_PTR &&
	    !(kcatch_type_is_signed(type) && (size == 4 || size == 8)))
		return none ? 0 : -ENOMEM;
	if (!c->proto.id) {
		word = condition_untyped_return(c);
		truth = fails_unknown(c);
	} else {
		word = return_word(c, wide);
		word = ir_convert(c, ir_convert(c, word, wide, true), true, true);
		truth = is_errno(c, wide);
	}
	if (kind == BTF_KIND_PTR)
		none = ir_choose(c, IR_CHOOSE,
				 ir_compare(c, KCATCH_EX_EQ, return_word(c, true),
					    ir_const(c, 0, true, false)),
				 ir_const(c, 1, true, true), none);
	*number = ir_choose(c, IR_CHOOSE, truth, word, none);
	return *number ? 0 : -ENOMEM;
}

/* ---- splitting -------------------------------------------------------------------------- */

static int add(struct condition *c, const struct ir **all, const struct ir *part)
{
	*all = *all ? ir_truth(c, IR_ALL, *all, part) : part;
	return *all ? 0 : -ENOMEM;
}

/* Sort the operands of a && b && c into those decided at the entry and at the return. */
static int split(struct condition *c, const struct ir *ir, const struct ir **entry,
		 const struct ir **at_return)
{
	int ret;

	if (ir->op == IR_ALL && ir->at_return) {
		ret = split(c, ir->left, entry, at_return);
		return ret ? ret : split(c, ir->right, entry, at_return);
	}
	return add(c, ir->at_return ? at_return : entry, ir);
}

/* An enumerator may stand to the left of the value whose enum has it: the second pass finds it. */
int condition_type_twice(struct condition *c, const struct ir **truth)
{
	const struct kcatch_expression_node *root = kcatch_expression_root(c->expression);
	int ret = condition_type(c, root, truth);

	if (!c->unknown_name || ret == -ENOMEM)
		return ret;
	c->last_pass = true;
	c->nr_items = 0;
	c->notes.nr = 0;
	return condition_type(c, root, truth);
}

/* The condition, then the keys and values of a count. */
static int type_all(struct condition *c, const struct ir **truth)
{
	const struct kcatch_expression_node *root;
	int ret = 0;

	if (c->expression) {
		root = kcatch_expression_root(c->expression);
		ret = condition_type(c, root, truth);
	}
	return ret ? ret : count_parts_type(c);
}

/* condition_type_twice() for all of them. */
static int type_all_twice(struct condition *c, const struct ir **truth)
{
	int ret = type_all(c, truth);

	if (!c->unknown_name || ret == -ENOMEM)
		return ret;
	c->last_pass = true;
	c->nr_items = 0;
	c->notes.nr = 0;
	return type_all(c, truth);
}

static int keep_texts(const struct condition *c, struct kcatch_condition_code *code)
{
	if (!c->nr_texts)
		return 0;
	code->texts = malloc(c->nr_texts);
	if (!code->texts)
		return kcatch_error_memory();
	memcpy(code->texts, c->texts, c->nr_texts);
	code->nr_texts = c->nr_texts;
	return 0;
}

static int compile(struct condition *c, unsigned int fails, struct kcatch_condition_code *code)
{
	const struct ir *truth = NULL, *entry = NULL, *at_return = NULL, *call = NULL;
	int ret = 0;

	if (c->wants)
		ret = type_all_twice(c, &truth);
	else if (c->expression)
		ret = condition_type_twice(c, &truth);
	/* A condition is on the pair: each second event ends one. */
	if (!ret && c->expression)
		ret = c->second ? add(c, &at_return, truth) : split(c, truth, &entry, &at_return);
	if (!ret && c->syscall && !c->syscall->is_function) {
		ret = condition_syscall(c, &call);
		if (!ret && !items_are_computed(c)) {
			entry = entry ? ir_truth(c, IR_ALL, call, entry) : call;
			call = NULL;
			ret = entry ? 0 : -ENOMEM;
		}
	}
	if (!ret && fails) {
		ret = condition_fails(c, fails, &truth);
		if (!ret)
			ret = add(c, &at_return, truth);
	}
	if (!ret)
		ret = items_finish(c, code);
	if (ret == -E2BIG)
		ret = kcatch_expression_error(c->expression ? c->expression : count_parts_first(c),
					      EINVAL, 0,
			"too much has to be read from memory; ask for less");
	if (!ret && (entry || items_are_computed(c)))
		ret = condition_encode_entry(c, call, entry, &code->entry, &code->nr_entry);
	if (!ret && at_return)
		ret = condition_encode(c, at_return, &code->at_return, &code->nr_return);
	if (!ret)
		ret = keep_texts(c, code);
	if (!ret && c->wants)
		ret = count_parts_code(c);
	return ret;
}

static int compile_new(const struct condition *input, unsigned int fails,
		       struct kcatch_condition_code *code)
{
	struct condition *c = calloc(1, sizeof(*c));
	int ret;

	memset(code, 0, sizeof(*code));
	if (!c)
		return kcatch_error_memory();
	c->expression = input->expression;
	c->types = input->types;
	c->proto = input->proto;
	c->returns = input->returns;
	c->second = input->second;
	c->off_cpu = input->off_cpu;
	c->entry_only = input->entry_only;
	c->tracepoint = input->tracepoint;
	c->info = input->info;
	c->event = input->event;
	c->in_field = input->in_field;
	c->syscall = input->syscall;
	c->plan = input->plan;
	c->wants = input->wants;
	c->named = input->named;
	ret = compile(c, fails, code);
	code->notes = c->notes;
	kcatch_pieces_deinit(&c->pieces);
	free(c);
	if (ret)
		kcatch_condition_code_deinit(code);
	return ret;
}

int kcatch_condition_compile(const struct kcatch_expression *expression,
			     struct kcatch_types *types, struct kcatch_type proto, bool returns,
			     unsigned int fails, struct kcatch_condition_code *code)
{
	const struct condition input = { .expression = expression, .types = types, .proto = proto,
					 .returns = returns };

	return compile_new(&input, fails, code);
}

int kcatch_condition_compile_event(const struct kcatch_expression *expression,
				   struct kcatch_types *types, struct kcatch_type proto,
				   const struct kcatch_event_info *info, const char *event,
				   struct kcatch_condition_code *code)
{
	const struct condition input = { .expression = expression,
					 .types = types,
					 .proto = proto,
					 .tracepoint = !info,
					 .info = info,
					 .event = event };

	return compile_new(&input, 0, code);
}

int kcatch_condition_compile_syscall(const struct kcatch_expression *expression,
				     struct kcatch_types *types, struct kcatch_type proto,
				     const struct kcatch_syscall_event *event,
				     const struct kcatch_plan *plan,
				     struct kcatch_condition_code *code)
{
	const struct condition input = { .expression = expression, .types = types, .proto = proto,
					 .tracepoint = true, .syscall = event, .plan = plan };

	return compile_new(&input, 0, code);
}

int kcatch_condition_compile_count(const struct kcatch_count_source *source,
				   struct kcatch_count_wants *wants,
				   struct kcatch_condition_code *code)
{
	const struct condition input = {
		.expression = source->expression,
		.types = source->types,
		.proto = source->proto,
		.returns = source->returns,
		.second = source->second,
		.off_cpu = source->off_cpu,
		.entry_only = source->entry_only,
		.tracepoint = source->event && !source->info,
		.info = source->info,
		.event = source->event_name,
		.in_field = source->is_field,
		.syscall = source->syscall,
		.plan = source->plan,
		.wants = wants,
		.named = source->named,
	};
	int ret = compile_new(&input, source->fails, code);

	if (ret)
		kcatch_count_wants_deinit(wants);
	return ret;
}

int kcatch_condition_compile_call(const struct kcatch_expression *expression,
				  struct kcatch_types *types, struct kcatch_type proto,
				  const struct kcatch_syscall_event *call,
				  const struct kcatch_plan *plan, bool returns,
				  unsigned int fails, struct kcatch_condition_code *code)
{
	const struct condition input = { .expression = expression, .types = types, .proto = proto,
					 .returns = returns, .syscall = call, .plan = plan };

	return compile_new(&input, fails, code);
}

void kcatch_condition_code_deinit(struct kcatch_condition_code *code)
{
	free(code->fields);
	free(code->hops);
	free(code->entry);
	free(code->at_return);
	free(code->texts);
	memset(code, 0, sizeof(*code));
}
