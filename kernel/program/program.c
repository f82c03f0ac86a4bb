// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking programs from user space. Process context.
 */
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "program/program.h"
#include "ring/memory.h"

const struct kcatch_program_code kcatch_no_program = {
	.entry = { .plain = true, .pure = true },
	.event_kind = KCATCH_RECORD_EVENT,
	.simple = true,
};

static u64 code_bytes(u32 nr)
{
	return sizeof(struct kcatch_code) + (u64)nr * sizeof(struct kcatch_op);
}

int kcatch_code_take(const struct kcatch_list *list, const struct kcatch_code_limits *limits,
		     const char *texts, struct kcatch_code **result, u32 *bad)
{
	struct kcatch_code *code;
	int error = -EINVAL;
	u32 i;

	*bad = 0;
	if (!list->nr)
		return list->at ? -EINVAL : 0;
	if (list->nr > KCATCH_OPS_MAX)
		return -E2BIG;
	code = kmalloc(code_bytes(list->nr), GFP_KERNEL);
	if (!code)
		return -ENOMEM;
	code->texts = texts;
	code->texts_size = limits->texts;
	code->nr = list->nr;
	if (copy_from_user(code->ops, u64_to_user_ptr(list->at), list->nr * sizeof(*code->ops)))
		error = -EFAULT;
	else if (kcatch_code_check(code->ops, list->nr, limits, &code->sources, bad))
		error = 0;
	if (error) {
		kfree(code);
		return error;
	}
	for (i = 0; i < code->nr; i++) {
		struct kcatch_op *op = &code->ops[i];

		if (op->from >= KCATCH_FROM_ARG)
			op->offset = kcatch_code_place(op->from, op->index, op->offset);
	}
	*result = code;
	return 0;
}

static int take_steps(const struct kcatch_list *list, enum kcatch_steps_kind kind,
		      const struct kcatch_steps *entry, struct kcatch_steps *steps, u32 *bad)
{
	*bad = 0;
	if (!list->nr)
		return list->at ? -EINVAL : 0;
	if (list->nr > KCATCH_STEPS_MAX)
		return -E2BIG;
	steps->steps = memdup_user(u64_to_user_ptr(list->at),
				   array_size(list->nr, sizeof(*steps->steps)));
	if (IS_ERR(steps->steps)) {
		int error = PTR_ERR(steps->steps);

		steps->steps = NULL;
		return error;
	}
	steps->nr = list->nr;
	return kcatch_steps_check(steps, kind, entry, bad);
}

static u64 bytes_of(const struct kcatch_program *user)
{
	return sizeof(struct kcatch_program_code) +
	       ((u64)user->entry.nr + user->at_return.nr + user->fields.nr) *
	       sizeof(struct kcatch_step) + user->texts.nr +
	       code_bytes(user->entry_condition.nr) + code_bytes(user->return_condition.nr);
}

/* ---- what the first operations of a condition say ----------------------------------- */

/* Is the condition one comparison of an argument? */
static void note_range(struct kcatch_program_code *code)
{
	const struct kcatch_op *op = code->entry_condition->ops;
	struct kcatch_range *range = &code->range;

	if (code->entry_condition->nr != 1 || op->op != KCATCH_OP_RANGE ||
	    op->from != KCATCH_FROM_ARG || op->yes + op->no != KCATCH_EXIT_YES || op->b == U64_MAX)
		return;
	range->place = kcatch_args_place(op->index);
	range->scale = 1ULL << op->left;
	range->low = op->a;
	range->span = op->b;
	/* What is not between two numbers is between the other one and the one. */
	if (op->no == KCATCH_EXIT_YES) {
		range->low = op->a + op->b + 1;
		range->span = U64_MAX - op->b - 1;
	}
}

/* Is the condition one comparison of the only item that is fetched, behind an argument? */
static void note_field(struct kcatch_program_code *code)
{
	const struct kcatch_op *op = code->entry_condition->ops;

	if (code->entry_condition->nr == 1 && op->op <= KCATCH_OP_BITS && op->op != KCATCH_OP_GO &&
	    op->from == KCATCH_FROM_FIELD && op->yes + op->no == KCATCH_EXIT_YES &&
	    op->offset == kcatch_code_place(KCATCH_FROM_FIELD, 0, 0) &&
	    code->fields.nr_direct == 1)
		code->field = op;
}

/* Does no way from an exit accept? */
static bool refuses(const struct kcatch_code *code, u32 exit)
{
	DECLARE_BITMAP(reached, KCATCH_EXIT_OP + KCATCH_OPS_MAX + 1) = { 0 };
	u32 i;

	__set_bit(exit, reached);
	for (i = 0; i < code->nr; i++) {
		const struct kcatch_op *op = &code->ops[i];

		if (!test_bit(KCATCH_EXIT_OP + i, reached))
			continue;
		__set_bit(op->yes, reached);
		__set_bit(op->no, reached);
		__set_bit(op->unknown, reached);
		if (op->op >= KCATCH_OP_SET)
			__set_bit(KCATCH_EXIT_OP + i + 1, reached);
	}
	return !test_bit(KCATCH_EXIT_YES, reached);
}

static bool is_simple(u8 op)
{
	return op <= KCATCH_STEP_PUT || op == KCATCH_STEP_CGROUP;
}

/* The steps that put the item of an operation's value, if there are @nr of them and those of all
 * items before are as simple; else NULL. */
static const struct kcatch_step *steps_of(const struct kcatch_steps *fields,
					  const struct kcatch_op *op, u32 nr)
{
	u32 i, first = 0, item = 0;

	if (op->from != KCATCH_FROM_FIELD)
		return NULL;
	for (i = 0; i < fields->nr && is_simple(fields->steps[i].op); i++) {
		if (fields->steps[i].op != KCATCH_STEP_PUT)
			continue;
		/* Its offset is that of the item: each before has 8 bytes. */
		if (item == op->index && i - first == nr &&
		    op->offset == kcatch_code_place(op->from, 0, item * sizeof(u64)))
			return &fields->steps[first];
		item++;
		first = i + 1;
	}
	return NULL;
}

/* Is the condition true then, or if a word of the task has none of some bits? At the end of the
 * struct are the registers of the processor: before 6.16 the struct is declared with the most that
 * there may be, and allocated with those that there are. */
static bool is_whole(const struct kcatch_code *code, const struct kcatch_steps *fields,
		     struct kcatch_key *key)
{
	const struct kcatch_op *op = &code->ops[1];
	const struct kcatch_step *step;

	if (code->ops[0].yes == KCATCH_EXIT_YES)
		return true;
	if (code->nr < 2 || code->ops[0].yes != KCATCH_EXIT_OP + 1 || op->op != KCATCH_OP_BITS ||
	    op->left || op->b || op->a > U32_MAX || op->yes != KCATCH_EXIT_YES ||
	    op->no != KCATCH_EXIT_NO)
		return false;
	step = steps_of(fields, op, 2);
	if (!step || step[0].op != KCATCH_STEP_TASK || step[1].op != KCATCH_STEP_LOAD ||
	    step[1].size != sizeof(u32) || step[1].offset < 0 || step[1].offset & 3 ||
	    step[1].offset >= offsetof(struct task_struct, thread))
		return false;
	key->task_offset = step[1].offset;
	key->task_mask = op->a;
	return true;
}

static void note_key(struct kcatch_program_code *program)
{
	const struct kcatch_code *code = program->entry_condition;
	const struct kcatch_op *op = code->ops;
	struct kcatch_key *key = &program->key;
	const struct kcatch_step *step;

	if (op->op != KCATCH_OP_RANGE || op->left || op->b || !refuses(code, op->no) ||
	    !refuses(code, op->unknown))
		return;
	key->value = op->a;
	if (op->from == KCATCH_FROM_ARG) {
		key->place = kcatch_args_place(op->index);
	} else {
		step = steps_of(&program->fields, op, 2);
		if (!step || step[0].op != KCATCH_STEP_ARG || step[1].op != KCATCH_STEP_LOAD ||
		    step[1].size != sizeof(u64))
			return;
		key->behind = true;
		key->place = step[0].arg;
		key->offset = step[1].offset;
	}
	key->known = true;
	key->whole = is_whole(code, &program->fields, key);
}

static int take_texts(const struct kcatch_program *user, struct kcatch_program_code *code)
{
	char *texts;

	if (!user->texts.nr)
		return user->texts.at ? -EINVAL : 0;
	texts = memdup_user(u64_to_user_ptr(user->texts.at), user->texts.nr);
	if (IS_ERR(texts))
		return PTR_ERR(texts);
	code->texts = texts;
	return 0;
}

static int take_conditions(struct kcatch_program *user, struct kcatch_program_code *code)
{
	const struct kcatch_code_limits limits = {
		.fields = code->fields.size_max, .items = code->fields.items,
		.texts = user->texts.nr,
	};
	u32 sources = 0;
	int error;

	user->bad_list = 5;
	error = take_texts(user, code);
	if (error)
		return error;
	user->bad_list = 3;
	error = kcatch_code_take(&user->entry_condition, &limits, code->texts,
				 &code->entry_condition, &user->bad_item);
	if (error)
		return error;
	user->bad_list = 4;
	error = kcatch_code_take(&user->return_condition, &limits, code->texts,
				 &code->return_condition, &user->bad_item);
	if (error)
		return error;
	if (code->entry_condition) {
		sources |= code->entry_condition->sources;
		note_range(code);
		note_field(code);
		note_key(code);
	}
	if (code->return_condition)
		sources |= code->return_condition->sources;
	if (code->entry_condition || code->return_condition)
		code->needs = KCATCH_NEEDS_ANY |
			      (sources & KCATCH_CODE_TASK ? KCATCH_NEEDS_TASK : 0) |
			      (sources & ~KCATCH_CODE_ARGS_ALONE || code->fields.nr ||
			       !code->entry_condition || code->return_condition ?
			       KCATCH_NEEDS_MORE : 0);
	return 0;
}

static bool is_arg(const struct kcatch_direct *item, u32 nr)
{
	return item->place == kcatch_args_place(nr) && item->how == KCATCH_DIRECT_ARG;
}

/* Does it read so many bytes at an offset behind argument @nr? */
static bool is_behind(const struct kcatch_direct *item, u32 nr, s32 offset, u32 size)
{
	return item->place == kcatch_args_place(nr) && item->how == kcatch_direct_how(size) &&
	       item->offset == offset && item->size == size;
}

/* Does it begin with so many words, one by one, at an offset behind argument @nr? */
static bool is_row(const struct kcatch_direct *item, u32 nr, s32 offset, u32 words)
{
	return item->place == kcatch_args_place(nr) && item->how == KCATCH_DIRECT_ROW &&
	       item->offset == offset && item->size == words;
}

/* The name and the number of the task that argument @nr is? */
static bool is_task(const struct kcatch_direct *item, u32 nr)
{
	return is_behind(item, nr, offsetof(struct task_struct, comm),
			 sizeof_field(struct task_struct, comm)) &&
	       is_behind(item + 1, nr, offsetof(struct task_struct, pid),
			 sizeof_field(struct task_struct, pid));
}

/* The number of words, if the list is as KCATCH_SHAPE_CALL says; else -1. */
static int call_words(const struct kcatch_steps *steps)
{
	static const u8 registers[KCATCH_CALL_WORDS_MAX] = {
		offsetof(struct pt_regs, di), offsetof(struct pt_regs, si),
		offsetof(struct pt_regs, dx), offsetof(struct pt_regs, r10),
		offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
	};
	u32 nr = steps->tail_size ? steps->nr_front : steps->nr_direct, i;

	if (nr > KCATCH_CALL_WORDS_MAX || (!nr && steps->items))
		return -1;
	for (i = 0; i < nr; i++) {
		const struct kcatch_direct *item = &steps->direct[i];

		if (!i && nr > 1 ? !is_row(item, 0, registers[i], nr) :
				   !is_behind(item, 0, registers[i], sizeof(u64)))
			return -1;
	}
	return nr;
}

static u8 shape_of(const struct kcatch_steps *steps)
{
	const struct kcatch_direct *item = steps->direct;

	if (steps->nr_direct == 1 && is_arg(item, 0))
		return KCATCH_SHAPE_ARG;
	if (steps->nr_direct == 2 && is_arg(item, 1) &&
	    is_behind(item + 1, 0, offsetof(struct pt_regs, r10),
		      KCATCH_SHAPE_WORDS * sizeof(u64)))
		return KCATCH_SHAPE_ENTER;
	if (steps->nr_direct == 2 && is_arg(item + 1, 1) &&
	    is_behind(item, 0, offsetof(struct pt_regs, orig_ax), sizeof(u64)))
		return KCATCH_SHAPE_EXIT;
	if (steps->nr_direct == 8 && is_arg(item, 0) && is_arg(item + 1, 1) &&
	    is_arg(item + 2, 2) && is_arg(item + 3, 3) && is_task(item + 4, 1) &&
	    is_task(item + 6, 2))
		return KCATCH_SHAPE_SWITCH;
	if (steps->nr_direct == 1 && is_arg(item, 1))
		return KCATCH_SHAPE_RET;
	if (call_words(steps) >= 0)
		return KCATCH_SHAPE_CALL;
	return KCATCH_SHAPE_NONE;
}

/* How the fast path makes a record of an event of it. */
static void prepare_event(struct kcatch_program_code *code)
{
	const struct kcatch_steps *steps = &code->entry;

	code->event_kind = steps->pure ? KCATCH_RECORD_EVENT : KCATCH_RECORD_MARKED;
	code->own_kind = code->event_kind;
	if (!steps->fixed)
		return;
	code->record_size = sizeof(struct kcatch_event_record) + steps->size_max +
			    (steps->pure ? 0 : 2 * sizeof(u64));
	code->event_shape = shape_of(steps);
	/* Their hooks pass on no more arguments to the gate than they record. */
	if (code->tasks & (code->event_shape == KCATCH_SHAPE_SWITCH ? ~0xfU :
			   code->event_shape == KCATCH_SHAPE_ARG ? ~0x1U : ~0x3U))
		code->event_shape = KCATCH_SHAPE_NONE;
	if (code->event_shape == KCATCH_SHAPE_CALL)
		code->call_words = call_words(steps);
	code->own_size = code->record_size;
	/* Their hooks make a record only where all of it can be read: it needs no marks. */
	if (code->event_shape == KCATCH_SHAPE_ENTER || code->event_shape == KCATCH_SHAPE_EXIT ||
	    (code->event_shape == KCATCH_SHAPE_CALL && !steps->tail_size)) {
		code->own_kind = KCATCH_RECORD_EVENT;
		code->own_size = sizeof(struct kcatch_event_record) + steps->size_max;
	}
	if (!code->needs)
		code->event_size = code->record_size;
	else if (!code->key.whole || (code->event_shape != KCATCH_SHAPE_CALL &&
				      code->event_shape != KCATCH_SHAPE_RET))
		code->event_shape = KCATCH_SHAPE_NONE;
}

void kcatch_program_set_path(struct kcatch_program_code *code)
{
	if (code->needs & KCATCH_NEEDS_COUNT)
		code->path = KCATCH_CALL_COUNT;
	else if (code->needs == KCATCH_NEEDS_ANY)
		code->path = KCATCH_CALL_CONDITION;
	else if (code->needs || code->user_stack)
		code->path = KCATCH_CALL_MORE;
	else if (code->simple)
		code->path = KCATCH_CALL_PLAIN;
	else
		code->path = code->entry.words ? KCATCH_CALL_WORDS : KCATCH_CALL_MORE;
}

int kcatch_program_create(struct kcatch_program *user, struct kcatch_program_code **result)
{
	struct kcatch_program_code *code;
	int error;

	user->bad_list = ~0U;
	user->bad_item = 0;
	if (user->tasks >= 1U << KCATCH_TASK_ARGS ||
	    user->flags & ~(KCATCH_PROGRAM_ENTRY_ONLY | KCATCH_PROGRAM_KEYED) ||
	    user->user_stack > KCATCH_USER_STACK_MAX || user->user_stack & 7 ||
	    user->entry.reserved || user->at_return.reserved || user->fields.reserved ||
	    user->entry_condition.reserved || user->return_condition.reserved ||
	    user->texts.reserved)
		return -EINVAL;
	if (user->flags & KCATCH_PROGRAM_ENTRY_ONLY &&
	    (user->at_return.nr || user->return_condition.nr))
		return -EINVAL;
	/* Before anything is multiplied by them. */
	if (user->entry.nr > KCATCH_STEPS_MAX || user->at_return.nr > KCATCH_STEPS_MAX ||
	    user->fields.nr > KCATCH_STEPS_MAX || user->entry_condition.nr > KCATCH_OPS_MAX ||
	    user->return_condition.nr > KCATCH_OPS_MAX || user->texts.nr > KCATCH_TEXTS_MAX)
		return -E2BIG;
	if (!kcatch_memory_charge(bytes_of(user)))
		return -ENOMEM;
	code = kzalloc(sizeof(*code), GFP_KERNEL);
	if (!code) {
		kcatch_memory_uncharge(bytes_of(user));
		return -ENOMEM;
	}
	code->charged = bytes_of(user);
	code->flags = user->flags;
	code->tasks = user->tasks;
	code->user_stack = user->user_stack;
	code->entry.plain = true;
	code->entry.pure = true;
	code->entry.fixed = true;
	code->entry.words = true;
	user->bad_list = 0;
	error = take_steps(&user->entry, KCATCH_STEPS_ENTRY, NULL, &code->entry,
			   &user->bad_item);
	if (!error) {
		user->bad_list = 1;
		error = take_steps(&user->at_return, KCATCH_STEPS_RETURN, &code->entry,
				   &code->at_return, &user->bad_item);
	}
	if (!error) {
		user->bad_list = 2;
		error = take_steps(&user->fields, KCATCH_STEPS_FIELDS, NULL, &code->fields,
				   &user->bad_item);
	}
	if (!error) {
		user->bad_item = 0;
		error = take_conditions(user, code);
	}
	if (!error && user->flags & KCATCH_PROGRAM_KEYED && !code->key.known) {
		user->bad_list = 3;
		error = -EINVAL;
	}
	if (error) {
		kcatch_program_destroy(code);
		return error;
	}
	kcatch_steps_join(&code->entry);
	kcatch_steps_join(&code->at_return);
	kcatch_steps_join(&code->fields);
	prepare_event(code);
	code->simple = code->entry.plain && !code->user_stack;
	if (code->return_condition && !code->entry_condition && !code->fields.items &&
	    code->simple)
		code->needs |= KCATCH_NEEDS_KEEP;
	kcatch_program_set_path(code);
	user->bad_list = ~0U;
	*result = code;
	return 0;
}

void kcatch_program_destroy(struct kcatch_program_code *code)
{
	if (!code)
		return;
	kfree(code->entry_condition);
	kfree(code->return_condition);
	kfree(code->texts);
	kfree(code->entry.steps);
	kfree(code->at_return.steps);
	kfree(code->fields.steps);
	kcatch_memory_uncharge(code->charged);
	kfree(code);
}

u32 kcatch_program_record_max(const struct kcatch_program_code *code, u32 payload)
{
	return sizeof(struct kcatch_hit) + sizeof(struct kcatch_call_part) +
	       max(code->entry.size_max, payload) + code->at_return.size_max +
	       (code->user_stack ? sizeof(struct kcatch_user) + code->user_stack : 0);
}
