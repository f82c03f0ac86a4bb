// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes tables of counts and the programs that count in them, and hands rows to readers. Process
 * context, may sleep.
 *
 * Locks: session->lock for making tables and programs; no user memory is accessed inside it. A
 * table's own lock serialises its readers. That a CPU comes online is excluded by cpus_read_lock().
 */
#include <linux/cpu.h>
#include <linux/log2.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include "arm/session.h"
#include "core/cgroup.h"
#include "core/guard.h"
#include "hit/hit_count.h"
#include "hit/pair.h"
#include "ring/memory.h"

/* A stack as long as this one is expected where stacks are keys, in words. */
#define STACK_EXPECTED	16
#define SLOTS_MIN	128U	/* more than a hit searches */
#define ROWS_CHUNK	(64U << 10)	/* bytes copied to a reader in one go */
#define SLOTS_CHUNK	(64U << 10)	/* slots cleared in one go */

/* ---- logs --------------------------------------------------------------------------- */

static u32 values_of(const struct kcatch_count_table *table)
{
	return table->flags & KCATCH_TABLE_VALUES ? KCATCH_ROW_VALUES : 0;
}

static bool has_stacks(const struct kcatch_count_table *table)
{
	return table->flags & (KCATCH_TABLE_STACK | KCATCH_TABLE_USER_STACK);
}

/* Enough that no more than two of three are taken when the rows are. */
static u32 slots_of(const struct kcatch_count_table *table)
{
	u32 words = sizeof(struct kcatch_row) / sizeof(u64) + max(table->words, 1U) +
		    values_of(table), rows;

	if (has_stacks(table) && !table->words)
		words += STACK_EXPECTED;
	rows = table->size / (words * sizeof(u64) + sizeof(u32));
	return max_t(u32, roundup_pow_of_two(rows + rows / 2), SLOTS_MIN);
}

static struct kcatch_row *put_row(struct kcatch_count_log *log, u32 kind, u32 values)
{
	struct kcatch_row *row = kcatch_count_row(log, log->used);

	*row = (struct kcatch_row){ .kind = kind };
	if (values) {
		row->key[0] = 0;
		row->key[1] = S64_MAX;
		row->key[2] = S64_MIN;
	}
	log->used += sizeof(*row) / sizeof(u64) + values;
	return row;
}

/* The rows that are always there. The slots are zeros. */
static void begin_log(const struct kcatch_count_table *table, struct kcatch_count_log *log)
{
	log->used = log->first;
	log->other = put_row(log, KCATCH_ROW_IS_OTHER, values_of(table));
	log->whole = NULL;
	if (!table->words && !has_stacks(table) && !(table->flags & KCATCH_TABLE_BUCKETS))
		log->whole = put_row(log, KCATCH_ROW_IS_KEY, values_of(table));
}

/* Context: no hook uses it; may sleep. */
static void clear_log(const struct kcatch_count_table *table, struct kcatch_count_log *log)
{
	u32 at, part, nr = log->mask + 1;

	for (at = 0; at < nr; at += part) {
		part = min(nr - at, SLOTS_CHUNK);
		memset(log->slots + at, 0, part * sizeof(*log->slots));
		cond_resched();
	}
	begin_log(table, log);
}

static struct kcatch_count_log *make_log(const struct kcatch_count_table *table, int cpu)
{
	u32 slots = slots_of(table);
	struct kcatch_count_log *log;

	if (!kcatch_memory_charge(table->size))
		return NULL;
	log = vzalloc_node(table->size, cpu_to_node(cpu));
	if (!log) {
		kcatch_memory_uncharge(table->size);
		return NULL;
	}
	log->mask = slots - 1;
	log->seed = get_random_u32();
	/* A word behind the slots is nobody's: readers count from it. */
	log->first = DIV_ROUND_UP(struct_size(log, slots, slots), sizeof(u64)) + 1;
	log->end = table->size / sizeof(u64);
	begin_log(table, log);
	return log;
}

static int make_logs(const struct kcatch_count_table *table, int cpu)
{
	struct kcatch_count_cpu *of = per_cpu_ptr(table->cpu, cpu);
	int i;

	if (of->active)
		return 0;
	for (i = 0; i < ARRAY_SIZE(of->logs); i++) {
		if (!of->logs[i])
			of->logs[i] = make_log(table, cpu);
		if (!of->logs[i])
			return -ENOMEM;
	}
	smp_store_release(&of->active, of->logs[0]);
	return 0;
}

static void destroy_table(struct kcatch_count_table *table)
{
	int cpu, i;

	for_each_possible_cpu(cpu) {
		struct kcatch_count_cpu *of = per_cpu_ptr(table->cpu, cpu);

		for (i = 0; i < ARRAY_SIZE(of->logs); i++) {
			if (!of->logs[i])
				continue;
			vfree(of->logs[i]);
			kcatch_memory_uncharge(table->size);
		}
	}
	free_percpu(table->cpu);
	kfree(table);
}

/* ---- tables ------------------------------------------------------------------------- */

static struct kcatch_count_table *new_table(const struct kcatch_new_table *user)
{
	struct kcatch_count_table *table = kzalloc(sizeof(*table), GFP_KERNEL);

	if (!table)
		return NULL;
	table->cpu = alloc_percpu(struct kcatch_count_cpu);
	if (!table->cpu) {
		kfree(table);
		return NULL;
	}
	mutex_init(&table->lock);
	table->size = round_down(user->size, sizeof(u64));
	table->words = user->words;
	table->flags = user->flags;
	return table;
}

static int make_online_logs(const struct kcatch_count_table *table)
{
	int cpu, error = 0;

	for_each_online_cpu(cpu) {
		error = make_logs(table, cpu);
		if (error)
			break;
	}
	return error;
}

static int publish_table(struct kcatch_session *session, struct kcatch_count_table *table)
{
	int error;

	lockdep_assert_held(&session->lock);
	if (session->nr_tables == KCATCH_TABLES_MAX)
		return -E2BIG;
	cpus_read_lock();
	error = make_online_logs(table);
	if (!error) {
		session->tables[session->nr_tables] = table;
		table->number = session->nr_tables + 1;
		smp_store_release(&session->nr_tables, table->number);
	}
	cpus_read_unlock();
	return error;
}

int kcatch_count_table_create(struct kcatch_session *session, struct kcatch_new_table *user)
{
	const u32 flags = KCATCH_TABLE_VALUES | KCATCH_TABLE_BUCKETS | KCATCH_TABLE_STACK |
			  KCATCH_TABLE_USER_STACK;
	struct kcatch_count_table *table;
	int error;

	if (user->reserved || user->flags & ~flags || user->words > KCATCH_KEY_WORDS_MAX ||
	    user->size < KCATCH_TABLE_SIZE_MIN || user->size > KCATCH_TABLE_SIZE_MAX ||
	    !smp_load_acquire(&session->ready))
		return -EINVAL;
	table = new_table(user);
	if (!table)
		return -ENOMEM;
	/* Zeroing much memory takes long: without locks. A CPU that comes meanwhile is rare. */
	error = make_online_logs(table);
	if (!error) {
		mutex_lock(&session->lock);
		error = publish_table(session, table);
		mutex_unlock(&session->lock);
	}
	if (error)
		destroy_table(table);
	else
		user->number = table->number;
	return error;
}

int kcatch_count_cpu_comes(struct kcatch_session *session, unsigned int cpu)
{
	u32 i, nr = smp_load_acquire(&session->nr_tables);
	int error = 0;

	for (i = 0; i < nr; i++)
		error = make_logs(session->tables[i], cpu) ?: error;
	return error;
}

static void destroy_counting(struct kcatch_counting *counting)
{
	if (!counting)
		return;
	kfree(counting->code);
	kcatch_memory_uncharge(counting->charged);
	kfree(counting);
}

void kcatch_counts_destroy(struct kcatch_session *session)
{
	u32 i;

	for (i = 0; i < session->nr_programs; i++) {
		destroy_counting(session->programs[i]->counting);
		session->programs[i]->counting = NULL;
	}
	kcatch_pairs_destroy(session);
	while (session->nr_tables)
		destroy_table(session->tables[--session->nr_tables]);
}

static struct kcatch_count_table *counts_find_table(struct kcatch_session *session, u32 number)
{
	if (!number || number > smp_load_acquire(&session->nr_tables))
		return NULL;
	return session->tables[number - 1];
}

/* ---- readers ------------------------------------------------------------------------ */

static struct kcatch_count_log *readers_log(struct kcatch_count_cpu *of)
{
	const struct kcatch_count_log *active = smp_load_acquire(&of->active);

	return active ? of->logs[active == of->logs[0]] : NULL;
}

int kcatch_count_swap(struct kcatch_session *session, u32 number)
{
	struct kcatch_count_table *table = counts_find_table(session, number);
	int cpu, error;

	if (!table)
		return -EINVAL;
	error = kcatch_cpus_answer(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);
	if (error)
		return error;
	if (mutex_lock_killable(&table->lock))
		return -EINTR;
	for_each_possible_cpu(cpu) {
		struct kcatch_count_cpu *of = per_cpu_ptr(table->cpu, cpu);
		struct kcatch_count_log *log = readers_log(of);

		if (!log)
			continue;
		clear_log(table, log);
		smp_store_release(&of->active, log);
	}
	kcatch_quiesce();
	table->turn++;
	mutex_unlock(&table->lock);
	return 0;
}

/* Copies a part of a log that nobody swaps meanwhile. Return: bytes; -EINTR */
static int copy_part(struct kcatch_count_table *table, const struct kcatch_rows *rows, u32 done,
		     void *part, u32 *turn)
{
	const struct kcatch_count_log *log;
	u64 end, from = (u64)rows->offset + done;
	int size = 0;

	if (mutex_lock_killable(&table->lock))
		return -EINTR;
	log = readers_log(per_cpu_ptr(table->cpu, rows->cpu));
	end = log ? (u64)(log->used - log->first) * sizeof(u64) + KCATCH_ROW_OTHER : 0;
	if (from < end) {
		size = min3(end - from, (u64)rows->size - done, (u64)ROWS_CHUNK);
		memcpy(part, kcatch_count_base(log) + from, size);
	}
	*turn = table->turn;
	mutex_unlock(&table->lock);
	return size;
}

/* The reader's memory may wait for ever, so it is written to without the table's lock. */
static int copy_rows(struct kcatch_count_table *table, struct kcatch_rows *rows, void *part)
{
	u32 done = 0, first_turn = 0, turn;
	int size;

	for (;;) {
		size = copy_part(table, rows, done, part, &turn);
		if (!done)
			first_turn = turn;
		if (size < 0)
			return size;
		if (turn != first_turn)
			return -EAGAIN;
		if (!size)
			break;
		if (copy_to_user(u64_to_user_ptr(rows->buffer + done), part, size))
			return -EFAULT;
		if (fatal_signal_pending(current))
			return -EINTR;
		done += size;
		cond_resched();
	}
	rows->size = done;
	return 0;
}

int kcatch_count_rows(struct kcatch_session *session, struct kcatch_rows *rows)
{
	struct kcatch_count_table *table = counts_find_table(session, rows->table);
	void *part;
	int error;

	if (!table || rows->offset & 7 || rows->cpu >= nr_cpu_ids || !cpu_possible(rows->cpu))
		return -EINVAL;
	part = kvmalloc(clamp(rows->size, 1U, ROWS_CHUNK), GFP_KERNEL);
	if (!part)
		return -ENOMEM;
	error = copy_rows(table, rows, part);
	kvfree(part);
	return error;
}

/* ---- programs that count ------------------------------------------------------------- */

/* A value as an operation takes it: the checker of code tells whether it is sound. */
static bool check_word(const struct kcatch_part *user, const struct kcatch_code_limits *limits,
		       struct kcatch_counting *counting)
{
	const struct kcatch_op ops[] = {
		{ .op = KCATCH_OP_SET, .from = user->from, .index = user->index,
		  .left = user->left, .right = user->right, .offset = user->offset },
		{ .op = KCATCH_OP_GO },
	};
	u32 sources, bad;

	if (user->from < KCATCH_FROM_ARG || user->offset > KCATCH_FIELDS_MAX ||
	    !kcatch_code_check(ops, ARRAY_SIZE(ops), limits, &sources, &bad))
		return false;
	counting->sources |= sources;
	return true;
}

static bool counts_check_text(const struct kcatch_part *user,
			      const struct kcatch_code_limits *limits,
			      struct kcatch_counting *counting)
{
	counting->sources |= 1U << KCATCH_FROM_FIELD;
	return user->size && !(user->size & 7) && user->size <= KCATCH_PART_TEXT_MAX &&
	       !(user->offset & 7) && user->size <= limits->fields &&
	       user->offset <= limits->fields - user->size;
}

static bool check_part(const struct kcatch_part *user, const struct kcatch_code_limits *limits,
		       struct kcatch_counting *counting, struct kcatch_count_part *part)
{
	bool is_word = user->kind == KCATCH_PART_WORD, is_text = user->kind == KCATCH_PART_TEXT;

	if (user->reserved || (!is_text && user->size) || (!is_word && !is_text && user->offset) ||
	    (!is_word && (user->from || user->left || user->right)) ||
	    (!is_word && user->kind != KCATCH_PART_CODE && user->index))
		return false;
	part->kind = user->kind;
	part->size = user->size;
	part->left = user->left;
	part->right = user->right;
	part->index = user->index;
	if (is_word || is_text)
		part->offset = kcatch_code_place(is_text ? KCATCH_FROM_FIELD : user->from,
						 user->index, user->offset);
	switch (user->kind) {
	case KCATCH_PART_WORD:
		return check_word(user, limits, counting);
	case KCATCH_PART_TEXT:
		return counts_check_text(user, limits, counting);
	case KCATCH_PART_CODE:
		counting->outs = max(counting->outs, user->index + 1U);
		return counting->code && user->index < KCATCH_OUTS_MAX;
	case KCATCH_PART_CALLER:
		counting->caller = true;
		fallthrough;
	case KCATCH_PART_COMM:
	case KCATCH_PART_PROBE:
	case KCATCH_PART_SAME:
		return true;
	}
	return false;
}

static u32 words_of(const struct kcatch_count_part *part)
{
	if (part->kind == KCATCH_PART_COMM)
		return KCATCH_COMM_LEN / sizeof(u64);
	return part->kind == KCATCH_PART_TEXT ? part->size / sizeof(u64) : 1;
}

static bool is_number(const struct kcatch_count_part *part)
{
	return part->kind == KCATCH_PART_CODE || part->kind == KCATCH_PART_WORD;
}

/* Checks the parts behind those of the key. */
static int check_values(struct kcatch_counting *counting)
{
	const struct kcatch_count_part *part = counting->parts + counting->nr_parts;

	if (counting->table->flags & KCATCH_TABLE_VALUES) {
		if (!is_number(part))
			return -EINVAL;
		counting->value = part++;
	}
	if (counting->table->flags & KCATCH_TABLE_BUCKETS) {
		counting->bucket = part->kind == KCATCH_PART_SAME ? counting->value : part;
		if (!counting->bucket || !is_number(counting->bucket))
			return -EINVAL;
	}
	return 0;
}

static int check_parts(const struct kcatch_part *user, u32 nr,
		       const struct kcatch_code_limits *limits, struct kcatch_counting *counting)
{
	const struct kcatch_count_table *table = counting->table;
	u32 i, words = 0;

	for (i = 0; i < nr; i++) {
		if (!check_part(&user[i], limits, counting, &counting->parts[i]))
			return -EINVAL;
		if (i >= counting->nr_parts)
			continue;
		if (counting->parts[i].kind == KCATCH_PART_SAME)
			return -EINVAL;
		words += words_of(&counting->parts[i]);
	}
	if (words != table->words)
		return -EINVAL;
	counting->stack = table->flags & KCATCH_TABLE_STACK;
	counting->user_stack = table->flags & KCATCH_TABLE_USER_STACK;
	counting->direct = !words && !(table->flags & KCATCH_TABLE_BUCKETS) &&
			   counting->stack != counting->user_stack;
	return check_values(counting);
}

static void note_code(struct kcatch_counting *counting)
{
	const struct kcatch_code *code = counting->code;
	u32 i;

	counting->sources = code->sources;
	for (i = 0; i < code->nr; i++)
		if (code->ops[i].op == KCATCH_OP_OUT || code->ops[i].op == KCATCH_OP_MARK)
			counting->outs = max(counting->outs, code->ops[i].index + 1U);
}

static int make_counting(const struct kcatch_part *user, u32 nr, const struct kcatch_count *count,
			 const struct kcatch_code_limits *limits,
			 struct kcatch_count_table *table, struct kcatch_counting **result)
{
	u64 bytes = sizeof(struct kcatch_counting) + sizeof(struct kcatch_code) +
		    count->code.nr * sizeof(struct kcatch_op);
	struct kcatch_counting *counting;
	int error;
	u32 bad;

	if (!kcatch_memory_charge(bytes))
		return -ENOMEM;
	counting = kzalloc(sizeof(*counting), GFP_KERNEL);
	if (!counting) {
		kcatch_memory_uncharge(bytes);
		return -ENOMEM;
	}
	counting->charged = bytes;
	counting->table = table;
	counting->nr_parts = count->nr_parts;
	error = kcatch_code_take(&count->code, limits, NULL, &counting->code, &bad);
	if (!error && counting->code)
		note_code(counting);
	if (!error)
		error = check_parts(user, nr, limits, counting);
	if (error)
		destroy_counting(counting);
	else
		*result = counting;
	return error;
}

static bool is_word(const struct kcatch_count_part *part)
{
	return !part || (part->kind == KCATCH_PART_WORD && !part->left && !part->right);
}

/* The condition's only item is the id of the task's own cgroup. */
static bool has_only_cgroup(const struct kcatch_items *fields)
{
	const struct kcatch_read_item *item = fields->items;

	return fields->nr == 1 && item->from == KCATCH_ITEM_CGROUP &&
	       item->start == KCATCH_CGROUP_OWN && item->put == KCATCH_ITEM_VALUE &&
	       !item->nr_hops && !item->offset;
}

static u32 task_of(const struct kcatch_program_code *code, const struct kcatch_count_part *part)
{
	const bool low = part->left == 32 && (part->right & 63) == 32;

	if (part->kind != KCATCH_PART_WORD || (!is_word(part) && !low))
		return KCATCH_COUNT_NO_TASK;
	switch (part->offset) {
	case offsetof(struct kcatch_condition_input, pid):
		return KCATCH_COUNT_PID;
	case offsetof(struct kcatch_condition_input, tid):
		return KCATCH_COUNT_TID;
	case offsetof(struct kcatch_condition_input, cpu):
		return KCATCH_COUNT_CPU;
	case offsetof(struct kcatch_condition_input, fields):
		return !low && has_only_cgroup(&code->fields) ? KCATCH_COUNT_CGROUP :
								KCATCH_COUNT_NO_TASK;
	}
	return KCATCH_COUNT_NO_TASK;
}

/* The running task, the caller and the probe tell all parts. */
static bool is_task_key(const struct kcatch_program_code *code, struct kcatch_counting *counting)
{
	u32 i, words = 0;

	if (!counting->nr_parts || counting->stack)
		return false;
	for (i = 0; i < counting->nr_parts; i++) {
		struct kcatch_count_part *part = &counting->parts[i];

		part->task = task_of(code, part);
		if (part->task == KCATCH_COUNT_NO_TASK && part->kind != KCATCH_PART_COMM &&
		    part->kind != KCATCH_PART_CALLER && part->kind != KCATCH_PART_PROBE)
			return false;
		words += words_of(part);
	}
	return words <= KCATCH_COUNT_TASK_WORDS;
}

static u32 counts_shape_of(const struct kcatch_program_code *code, struct kcatch_counting *counting)
{
	bool stacks = counting->stack || counting->user_stack;

	if (code->return_condition)
		/* The CPU is that of the return, which only the general path looks up, as it does
		 * where the time went. */
		return counting->always && counting->bucket && !counting->nr_parts && !stacks &&
		       !(counting->sources & (KCATCH_CODE_TASK | KCATCH_CODE_OFF_CPU)) &&
		       is_word(counting->bucket) && is_word(counting->value) ?
		       KCATCH_COUNT_BUCKET : KCATCH_COUNT_OTHER;
	if (code->entry_condition || counting->bucket || counting->value || counting->user_stack ||
	    counting->code)
		return KCATCH_COUNT_OTHER;
	if (counting->nr_parts == 1 && !counting->stack && !code->fields.nr) {
		if (counting->parts[0].kind == KCATCH_PART_CALLER)
			return KCATCH_COUNT_CALLER;
		if (counting->parts[0].kind == KCATCH_PART_COMM)
			return KCATCH_COUNT_COMM;
	}
	if (is_task_key(code, counting))
		return KCATCH_COUNT_TASK;
	if (code->fields.nr)
		return KCATCH_COUNT_OTHER;
	if (counting->stack)
		return counting->direct ? KCATCH_COUNT_STACK : KCATCH_COUNT_OTHER;
	return counting->nr_parts ? KCATCH_COUNT_OTHER : KCATCH_COUNT_PLAIN;
}

/* A program of the session. NULL: there is none of that number. */
static struct kcatch_program_code *find_program(struct kcatch_session *session, u32 number)
{
	lockdep_assert_held(&session->lock);
	return number && number <= session->nr_programs ? session->programs[number - 1] : NULL;
}

/* Gives the program what it counts by. */
static int counts_attach(struct kcatch_session *session, struct kcatch_program_code *code,
			 struct kcatch_counting *counting)
{
	lockdep_assert_held(&session->lock);
	if (session->running || code->counting || code->bound)
		return -EBUSY;
	if (code->entry.nr || code->at_return.nr || code->user_stack)
		return -EINVAL;
	counting->args_only = !(code->needs & KCATCH_NEEDS_MORE) && !code->fields.nr &&
			      !(counting->sources & ~KCATCH_CODE_ARGS_ALONE);
	counting->shape = counts_shape_of(code, counting);
	code->event_size = 0;
	code->event_shape = KCATCH_SHAPE_NONE;
	code->needs |= KCATCH_NEEDS_ANY |
		       (counting->sources & KCATCH_CODE_TASK ? KCATCH_NEEDS_TASK : 0) |
		       (counting->sources & KCATCH_CODE_OFF_CPU ? KCATCH_NEEDS_OFF_CPU : 0) |
		       (code->return_condition ? 0 : KCATCH_NEEDS_COUNT);
	code->counting = counting;
	kcatch_program_set_path(code);
	return 0;
}

/* No lock is held while user memory is read, which may take for ever. */
static int take_counting(struct kcatch_session *session, const struct kcatch_count *count,
			 const struct kcatch_part *parts, u32 nr, struct kcatch_count_table *table,
			 struct kcatch_program_code **code, struct kcatch_counting **counting)
{
	struct kcatch_code_limits limits = { .outs = KCATCH_OUTS_MAX };

	mutex_lock(&session->lock);
	*code = find_program(session, count->program);
	mutex_unlock(&session->lock);
	if (!*code)
		return -EINVAL;
	/* It stays as long as the session, and never changes. */
	limits.fields = (*code)->fields.size_max;
	limits.items = (*code)->fields.nr_puts;
	return make_counting(parts, nr, count, &limits, table, counting);
}

int kcatch_count_program(struct kcatch_session *session, const struct kcatch_count *count)
{
	struct kcatch_count_table *table = counts_find_table(session, count->table);
	struct kcatch_program_code *code;
	struct kcatch_counting *counting;
	struct kcatch_part *parts = NULL;
	u32 nr = count->nr_parts;
	int error;

	if (!table || count->flags & ~KCATCH_COUNT_ALWAYS || nr > KCATCH_PARTS_MAX ||
	    count->code.reserved)
		return -EINVAL;
	nr += !!(table->flags & KCATCH_TABLE_VALUES) + !!(table->flags & KCATCH_TABLE_BUCKETS);
	if (!nr && count->parts)
		return -EINVAL;
	/* Before it is multiplied. */
	if (count->code.nr > KCATCH_OPS_MAX)
		return -E2BIG;
	if (nr)
		parts = memdup_user(u64_to_user_ptr(count->parts), nr * sizeof(*parts));
	if (IS_ERR(parts))
		return PTR_ERR(parts);
	error = take_counting(session, count, parts, nr, table, &code, &counting);
	kfree(parts);
	if (error)
		return error;
	counting->always = count->flags & KCATCH_COUNT_ALWAYS;
	mutex_lock(&session->lock);
	error = counts_attach(session, code, counting);
	mutex_unlock(&session->lock);
	if (error)
		destroy_counting(counting);
	return error;
}
