// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking programs from user space. Process context.
 */
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include "program/program.h"
#include "ring/memory.h"

const struct kcatch_program_code kcatch_no_program = {
	.entry = { .plain = true, .pure = true },
	.event_kind = KCATCH_RECORD_EVENT,
	.simple = true,
};

/*
 * Conditions that are being taken. The kernel calls check_condition() back without an argument of
 * ours, in the thread that takes. No lock is held over that: first the kernel copies the
 * instructions, and user memory may take for ever.
 */
struct taking {
	struct list_head list;
	const struct task_struct *thread;
	u32 end;	/* of what is read of struct kcatch_condition, bytes */
	bool task;	/* members about the task are read */
	struct kcatch_range range;
	struct kcatch_demands demands;
};

static LIST_HEAD(takings);
static DEFINE_SPINLOCK(takings_lock);

/* That of this thread, which is on the list. */
static struct taking *taking_of_thread(void)
{
	struct taking *taking;

	spin_lock(&takings_lock);
	list_for_each_entry(taking, &takings, list)
		if (taking->thread == current)
			break;
	spin_unlock(&takings_lock);
	return taking;
}

u32 kcatch_condition_place(u32 k)
{
	const u32 args = sizeof_field(struct kcatch_condition, args);

	BUILD_BUG_ON(offsetof(struct kcatch_condition_input, faults) !=
		     offsetof(struct kcatch_condition, faults) + 8 ||
		     offsetof(struct kcatch_condition_input, fields) !=
		     offsetof(struct kcatch_condition, fields) + 8);
	return k < args ? kcatch_args_place(k / 8) * 8 + k % 8 : k + 8;
}

/* In the manner of seccomp: loads of a packet's words become loads of ours. */
static int check_condition(struct sock_filter *code, unsigned int nr)
{
	struct taking *taking = taking_of_thread();
	unsigned int i;

	kcatch_range_of(code, nr, &taking->range);
	kcatch_demands_of(code, nr, &taking->demands);
	for (i = 0; i < nr; i++) {
		u32 k = code[i].k;

		switch (code[i].code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (k >= sizeof(struct kcatch_condition) || (k & 3))
				return -EINVAL;
			code[i].code = BPF_LDX | BPF_W | BPF_ABS;
			code[i].k = kcatch_condition_place(k);
			taking->end = max_t(u32, taking->end, k + 4);
			taking->task |= kcatch_condition_reads_task(k, 4);
			continue;
		case BPF_LD | BPF_IMM:
		case BPF_LD | BPF_MEM:
		case BPF_LDX | BPF_IMM:
		case BPF_LDX | BPF_MEM:
		case BPF_ST:
		case BPF_STX:
		case BPF_RET | BPF_K:
		case BPF_RET | BPF_A:
		case BPF_MISC | BPF_TAX:
		case BPF_MISC | BPF_TXA:
		case BPF_ALU | BPF_NEG:
		case BPF_JMP | BPF_JA:
			continue;
		}
		switch (code[i].code & ~BPF_X) {
		case BPF_ALU | BPF_ADD:
		case BPF_ALU | BPF_SUB:
		case BPF_ALU | BPF_MUL:
		case BPF_ALU | BPF_DIV:
		case BPF_ALU | BPF_MOD:
		case BPF_ALU | BPF_AND:
		case BPF_ALU | BPF_OR:
		case BPF_ALU | BPF_XOR:
		case BPF_ALU | BPF_LSH:
		case BPF_ALU | BPF_RSH:
		case BPF_JMP | BPF_JEQ:
		case BPF_JMP | BPF_JGT:
		case BPF_JMP | BPF_JGE:
		case BPF_JMP | BPF_JSET:
			continue;
		}
		return -EINVAL;
	}
	return 0;
}

int kcatch_condition_take(const struct kcatch_list *list, struct bpf_prog **prog, u32 *end,
			  bool *task, struct kcatch_range *range,
			  struct kcatch_demands *demands)
{
	struct sock_fprog fprog = { .len = list->nr, .filter = u64_to_user_ptr(list->at) };
	struct taking taking = { .thread = current };
	int error;

	if (!list->nr)
		return list->at ? -EINVAL : 0;
	if (list->nr > KCATCH_BPF_MAX)
		return -E2BIG;
	spin_lock(&takings_lock);
	list_add(&taking.list, &takings);
	spin_unlock(&takings_lock);
	error = bpf_prog_create_from_user(prog, &fprog, check_condition, false);
	spin_lock(&takings_lock);
	list_del(&taking.list);
	spin_unlock(&takings_lock);
	*end = max(*end, taking.end);
	*task |= taking.task;
	if (!error && range)
		*range = taking.range;
	if (!error && demands)
		*demands = taking.demands;
	/* What passed the check can be compiled. A kernel without an interpreter says so when the
	 * compiler had no memory; user space does not know this number. */
	return error == -ENOTSUPP ? -ENOMEM : error;
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
	/* A classic instruction becomes up to some ten of a machine's words. */
	return sizeof(struct kcatch_program_code) +
	       ((u64)user->entry.nr + user->at_return.nr + user->fields.nr) *
	       sizeof(struct kcatch_step) +
	       (user->entry_condition.nr || user->return_condition.nr ? 2 * PAGE_SIZE : 0) +
	       ((u64)user->entry_condition.nr + user->return_condition.nr) * 80;
}

static int take_conditions(struct kcatch_program *user, struct kcatch_program_code *code)
{
	struct kcatch_demands demands = { .nr = 0 };
	bool task = false;
	u32 end = 0;
	int error;

	user->bad_list = 3;
	error = kcatch_condition_take(&user->entry_condition, &code->entry_condition, &end, &task,
				      &code->range, &demands);
	if (!error) {
		user->bad_list = 4;
		error = kcatch_condition_take(&user->return_condition, &code->return_condition,
					      &end, &task, NULL, NULL);
	}
	kcatch_key_of(&demands, &code->fields, &code->key);
	if (code->entry_condition || code->return_condition)
		code->needs = KCATCH_NEEDS_ANY | (task ? KCATCH_NEEDS_TASK : 0) |
			      (end > sizeof_field(struct kcatch_condition, args) ||
			       code->fields.nr || !code->entry_condition ||
			       code->return_condition ? KCATCH_NEEDS_MORE : 0);
	/* It may only look at what its own steps put. */
	if (!error && end > offsetof(struct kcatch_condition, fields) + code->fields.size_max)
		error = -EINVAL;
	return error;
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
	    user->entry_condition.reserved || user->return_condition.reserved)
		return -EINVAL;
	if (user->flags & KCATCH_PROGRAM_ENTRY_ONLY &&
	    (user->at_return.nr || user->return_condition.nr))
		return -EINVAL;
	/* Before anything is multiplied by them. */
	if (user->entry.nr > KCATCH_STEPS_MAX || user->at_return.nr > KCATCH_STEPS_MAX ||
	    user->fields.nr > KCATCH_STEPS_MAX || user->entry_condition.nr > KCATCH_BPF_MAX ||
	    user->return_condition.nr > KCATCH_BPF_MAX)
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
	if (code->entry_condition)
		bpf_prog_destroy(code->entry_condition);
	if (code->return_condition)
		bpf_prog_destroy(code->return_condition);
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
