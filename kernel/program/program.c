// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking programs from user space. Process context.
 */
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "program/program.h"
#include "program/syscall_regs.h"
#include "ring/memory.h"

const struct kcatch_program_code kcatch_no_program = {
	.entry = { .pure = true, .fixed = true, .words = true },
	.event_kind = KCATCH_RECORD_EVENT,
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

		if (op->op == KCATCH_OP_LOAD)
			op->offset = kcatch_code_place(KCATCH_FROM_FIELD, op->index, op->offset);
		else if (op->from >= KCATCH_FROM_ARG)
			op->offset = kcatch_code_place(op->from, op->index, op->offset);
	}
	*result = code;
	return 0;
}

static int take_hops(const struct kcatch_program *user, struct kcatch_program_code *code)
{
	s32 *hops;

	if (!user->hops.nr)
		return user->hops.at ? -EINVAL : 0;
	hops = memdup_user(u64_to_user_ptr(user->hops.at),
			   array_size(user->hops.nr, sizeof(*hops)));
	if (IS_ERR(hops))
		return PTR_ERR(hops);
	code->hops = hops;
	return 0;
}

/* ---- lists that have hooks of their own ------------------------------------------- */

#define ARGUMENT(nr)	{ .from = KCATCH_ITEM_ARG, .put = KCATCH_ITEM_VALUE, .index = nr }
#define BEHIND(nr, kind, bytes, at)							\
	{ .from = KCATCH_ITEM_ARG, .put = KCATCH_ITEM_##kind, .index = nr,		\
	  .size = bytes, .offset = at }
#define CALL_WORD(at)	BEHIND(0, WORD, sizeof(u64), at)
#define TASK(nr)									\
	BEHIND(nr, MEMORY, sizeof_field(struct task_struct, comm),			\
	       offsetof(struct task_struct, comm)),					\
	BEHIND(nr, WORD, sizeof_field(struct task_struct, pid), offsetof(struct task_struct, pid))

static const struct kcatch_item of_arg[] = { ARGUMENT(0) };
static const struct kcatch_item of_enter[] = {
	ARGUMENT(1),
	BEHIND(0, MEMORY, KCATCH_SHAPE_WORDS * sizeof(u64), KCATCH_CALL_BEGIN),
};
static const struct kcatch_item of_exit[] = { CALL_WORD(KCATCH_CALL_NUMBER), ARGUMENT(1) };
static const struct kcatch_item of_call[KCATCH_CALL_WORDS_MAX] = {
	KCATCH_CALL_EACH(CALL_WORD)
};
static const struct kcatch_item of_ret[] = { ARGUMENT(1) };
static const struct kcatch_item of_switch[] = {
	ARGUMENT(0), ARGUMENT(1), ARGUMENT(2), ARGUMENT(3), TASK(1), TASK(2),
};

static const struct {
	const struct kcatch_item *items;
	u32 nr;
} shapes[] = {
	[KCATCH_SHAPE_ARG] = { of_arg, ARRAY_SIZE(of_arg) },
	[KCATCH_SHAPE_ENTER] = { of_enter, ARRAY_SIZE(of_enter) },
	[KCATCH_SHAPE_EXIT] = { of_exit, ARRAY_SIZE(of_exit) },
	[KCATCH_SHAPE_RET] = { of_ret, ARRAY_SIZE(of_ret) },
	[KCATCH_SHAPE_SWITCH] = { of_switch, ARRAY_SIZE(of_switch) },
};

/* Words of a system call, and memory that one of them points to? */
static bool program_is_call(struct kcatch_program_code *code, const struct kcatch_item *items,
			    u32 nr)
{
	const struct kcatch_item *tail = items;
	u32 i = 0;

	while (i < nr && i < KCATCH_CALL_WORDS_MAX && !memcmp(tail, &of_call[i], sizeof(*tail)))
		i++, tail++;
	code->call_words = i;
	if (i == nr)
		return true;
	if (nr != i + 1 || tail->from != KCATCH_ITEM_ARG || tail->index || tail->nr_hops != 1 ||
	    tail->put != KCATCH_ITEM_MEMORY)
		return false;
	while (i && code->hops[tail->first_hop] != of_call[i - 1].offset)
		i--;
	code->call_pointer = i - 1;
	return i;
}

/* Is a checked list of the shape that it is said to be of? */
static bool has_shape(struct kcatch_program_code *code, u32 shape, const struct kcatch_item *items,
		      u32 nr)
{
	if (shape == KCATCH_SHAPE_NONE)
		return true;
	if (shape == KCATCH_SHAPE_CALL)
		return program_is_call(code, items, nr);
	return nr == shapes[shape].nr && !memcmp(items, shapes[shape].items, nr * sizeof(*items));
}

static int take_items(const struct kcatch_list *from, enum kcatch_items_kind kind,
		      struct kcatch_program *user, struct kcatch_program_code *code,
		      struct kcatch_items *list)
{
	const struct kcatch_hops hops = { .hops = code->hops, .nr = user->hops.nr };
	struct kcatch_item *items = NULL;
	int error;

	user->bad_item = 0;
	if (!from->nr && from->at)
		return -EINVAL;
	if (from->nr) {
		items = memdup_user(u64_to_user_ptr(from->at),
				    array_size(from->nr, sizeof(*items)));
		if (IS_ERR(items))
			return PTR_ERR(items);
		list->items = kcalloc(from->nr, sizeof(*list->items), GFP_KERNEL);
		if (!list->items) {
			kfree(items);
			return -ENOMEM;
		}
	}
	error = kcatch_items_check(list, items, from->nr, &hops, kind, &code->entry,
				   &user->bad_item);
	if (!error && kind == KCATCH_ITEMS_ENTRY &&
	    !has_shape(code, user->shape, items, from->nr)) {
		user->bad_item = 0;
		error = -EINVAL;
	}
	kfree(items);
	return error;
}

static int take_lists(struct kcatch_program *user, struct kcatch_program_code *code)
{
	int error;

	user->bad_list = 6;
	error = take_hops(user, code);
	if (error)
		return error;
	user->bad_list = 0;
	error = take_items(&user->entry, KCATCH_ITEMS_ENTRY, user, code, &code->entry);
	if (error)
		return error;
	user->bad_list = 1;
	error = take_items(&user->at_return, KCATCH_ITEMS_RETURN, user, code, &code->at_return);
	if (error)
		return error;
	user->bad_list = 2;
	return take_items(&user->fields, KCATCH_ITEMS_FIELDS, user, code, &code->fields);
}

/* What the allocator holds for so many items, at most. */
static u64 items_bytes(u32 nr)
{
	return nr ? roundup_pow_of_two(nr * sizeof(struct kcatch_read_item)) : 0;
}

static u64 bytes_of(const struct kcatch_program *user)
{
	return roundup_pow_of_two(sizeof(struct kcatch_program_code)) +
	       items_bytes(user->entry.nr) + items_bytes(user->at_return.nr) +
	       items_bytes(user->fields.nr) + user->texts.nr + user->hops.nr * sizeof(s32) +
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
	    code->fields.one)
		code->field = op;
}

/* Does no way from an exit accept? */
static bool program_refuses(const struct kcatch_code *code, u32 exit)
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

/* The WORD of @size bytes that an operation's value is, without a hop; else NULL. */
static const struct kcatch_read_item *word_of(const struct kcatch_items *fields,
					      const struct kcatch_op *op, u32 size)
{
	const struct kcatch_read_item *item = fields->items;
	u32 i, at = 0;

	if (op->from != KCATCH_FROM_FIELD)
		return NULL;
	for (i = 0; i < op->index; i++, item++)
		at += kcatch_item_most(item->put, item->size);
	return op->offset == kcatch_code_place(op->from, 0, at) &&
	       item->put == KCATCH_ITEM_WORD && item->size == size && !item->nr_hops ? item : NULL;
}

/* Is the condition true then, or if a word of the task has none of some bits? At the end of the
 * struct are the registers of the processor: before 6.16 the struct is declared with the most that
 * there may be, and allocated with those that there are. */
static bool program_is_whole(const struct kcatch_code *code, const struct kcatch_items *fields,
			     struct kcatch_key *key)
{
	const struct kcatch_op *op = &code->ops[1];
	const struct kcatch_read_item *item;

	if (code->ops[0].yes == KCATCH_EXIT_YES)
		return true;
	if (code->nr < 2 || code->ops[0].yes != KCATCH_EXIT_OP + 1 || op->op != KCATCH_OP_BITS ||
	    op->left || op->b || op->a > U32_MAX || op->yes != KCATCH_EXIT_YES ||
	    op->no != KCATCH_EXIT_NO)
		return false;
	item = word_of(fields, op, sizeof(u32));
	if (!item || item->from != KCATCH_ITEM_TASK || item->offset < 0 || item->offset & 3 ||
	    item->offset >= offsetof(struct task_struct, thread))
		return false;
	key->task_offset = item->offset;
	key->task_mask = op->a;
	return true;
}

static void note_key(struct kcatch_program_code *program)
{
	const struct kcatch_code *code = program->entry_condition;
	const struct kcatch_op *op = code->ops;
	struct kcatch_key *key = &program->key;
	const struct kcatch_read_item *item;

	if (op->op != KCATCH_OP_RANGE || op->left || op->b || !program_refuses(code, op->no) ||
	    !program_refuses(code, op->unknown))
		return;
	key->value = op->a;
	if (op->from == KCATCH_FROM_ARG) {
		key->place = kcatch_args_place(op->index);
	} else {
		item = word_of(&program->fields, op, sizeof(u64));
		if (!item || item->from != KCATCH_ITEM_ARG)
			return;
		key->behind = true;
		key->place = item->place;
		key->offset = item->offset;
	}
	key->known = true;
	key->whole = program_is_whole(code, &program->fields, key);
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
		.fields = code->fields.size_max, .items = code->fields.nr_puts,
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
			      (sources & KCATCH_CODE_OFF_CPU ? KCATCH_NEEDS_OFF_CPU : 0) |
			      (sources & ~KCATCH_CODE_ARGS_ALONE || code->fields.nr ||
					       !code->entry_condition || code->return_condition ?
				       KCATCH_NEEDS_MORE :
				       0);
	return 0;
}

/* How the fast path makes a record of an event of it. */
static void prepare_event(struct kcatch_program_code *code, u32 shape)
{
	const struct kcatch_items *list = &code->entry;

	code->event_kind = list->pure ? KCATCH_RECORD_EVENT : KCATCH_RECORD_MARKED;
	if (!list->fixed)
		return;
	code->record_size = sizeof(struct kcatch_event_record) + list->size_max +
			    (list->pure ? 0 : KCATCH_MARKS * sizeof(u64));
	code->event_shape = shape;
	/* Their hooks pass on no more arguments to the gate than they record. */
	if (code->tasks & (shape == KCATCH_SHAPE_SWITCH ? ~0xfU :
			   shape == KCATCH_SHAPE_ARG ? ~0x1U : ~0x3U))
		code->event_shape = KCATCH_SHAPE_NONE;
	if (!code->needs)
		code->event_size = code->record_size;
	else if (!code->key.whole || (shape != KCATCH_SHAPE_CALL && shape != KCATCH_SHAPE_RET))
		code->event_shape = KCATCH_SHAPE_NONE;
}

void kcatch_program_set_path(struct kcatch_program_code *code)
{
	if (code->needs & KCATCH_NEEDS_COUNT)
		code->path = KCATCH_CALL_COUNT;
	else if (code->needs == KCATCH_NEEDS_ANY)
		code->path = KCATCH_CALL_CONDITION;
	else if (code->needs || code->user_stack || !code->entry.words)
		code->path = KCATCH_CALL_MORE;
	else
		code->path = KCATCH_CALL_WORDS;
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
	    user->user_maps > KCATCH_USER_MAPS_MAX || user->user_maps & 7 ||
	    (user->user_maps && !user->user_stack) ||
	    user->entry.reserved || user->at_return.reserved || user->fields.reserved ||
	    user->entry_condition.reserved || user->return_condition.reserved ||
	    user->texts.reserved || user->hops.reserved ||
	    user->shape > KCATCH_SHAPE_SWITCH)
		return -EINVAL;
	if (user->flags & KCATCH_PROGRAM_ENTRY_ONLY &&
	    (user->at_return.nr || user->return_condition.nr))
		return -EINVAL;
	/* Before anything is multiplied by them. */
	if (user->entry.nr > KCATCH_LIST_MAX || user->at_return.nr > KCATCH_LIST_MAX ||
	    user->fields.nr > KCATCH_LIST_MAX || user->entry_condition.nr > KCATCH_OPS_MAX ||
	    user->return_condition.nr > KCATCH_OPS_MAX || user->texts.nr > KCATCH_TEXTS_MAX ||
	    user->hops.nr > KCATCH_HOPS_MAX)
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
	code->user_maps = user->user_maps;
	error = take_lists(user, code);
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
	prepare_event(code, user->shape);
	if (code->return_condition && !code->entry_condition && !code->fields.nr &&
	    code->entry.words && !code->user_stack)
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
	kfree(code->entry.items);
	kfree(code->at_return.items);
	kfree(code->fields.items);
	kfree(code->hops);
	kcatch_memory_uncharge(code->charged);
	kfree(code);
}

u32 kcatch_program_record_max(const struct kcatch_program_code *code, u32 payload)
{
	return sizeof(struct kcatch_hit) + sizeof(struct kcatch_call_part) +
	       max(code->entry.size_max, payload) + code->at_return.size_max +
	       kcatch_program_user_size(code);
}
