// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the table of pairs of a session, and the parts that programs have in it. Process context,
 * may sleep.
 *
 * Locks: session->lock; no user memory is accessed inside it. A table is made once, and stays as
 * long as its session.
 */
#include <linux/log2.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "arm/session.h"
#include "hit/hit_count.h"
#include "hit/pair.h"
#include "hit/pair_exchange.h"
#include "ring/memory.h"

#define PART_BYTES(nr)                                                  \
	(sizeof(struct kcatch_pair_part) + sizeof(struct kcatch_code) + \
	 (u64)(nr) * sizeof(struct kcatch_op))

static u64 pairs_bytes(u32 buckets, bool noted)
{
	return (u64)buckets * KCATCH_PAIR_BUCKET *
		       (sizeof(struct kcatch_pair_slot) +
			(noted ? sizeof(struct kcatch_pair_note) : 0)) +
	       sizeof(struct kcatch_pairs) +
	       (u64)num_possible_cpus() * sizeof(struct kcatch_pair_counts);
}

static void pair_table_destroy(struct kcatch_pairs *pairs)
{
	if (!pairs)
		return;
	kcatch_memory_uncharge(pairs_bytes(pairs->mask + 1, pairs->noted));
	vfree(pairs->notes);
	vfree(pairs->slots);
	free_percpu(pairs->counts);
	kfree(pairs);
}

static struct kcatch_pairs *pair_table_create(u32 buckets, bool noted)
{
	struct kcatch_pairs *pairs;

	if (!kcatch_memory_charge(pairs_bytes(buckets, noted)))
		return NULL;
	pairs = kzalloc(sizeof(*pairs), GFP_KERNEL);
	if (!pairs) {
		kcatch_memory_uncharge(pairs_bytes(buckets, noted));
		return NULL;
	}
	pairs->noted = noted;
	pairs->mask = buckets - 1;
	pairs->seed = get_random_u32();
	pairs->counts = alloc_percpu(struct kcatch_pair_counts);
	pairs->slots = vzalloc(array3_size(buckets, KCATCH_PAIR_BUCKET, sizeof(*pairs->slots)));
	if (noted)
		pairs->notes = vzalloc(
			array3_size(buckets, KCATCH_PAIR_BUCKET, sizeof(*pairs->notes)));
	if (pairs->counts && pairs->slots && (pairs->notes || !noted))
		return pairs;
	pair_table_destroy(pairs);
	return NULL;
}

int kcatch_pairs_create(struct kcatch_session *session, const struct kcatch_new_pairs *user)
{
	const bool noted = user->flags & KCATCH_PAIRS_OFF_CPU;
	struct kcatch_pairs *pairs;
	int error = -EBUSY;

	if (user->flags & ~KCATCH_PAIRS_OFF_CPU || user->room < KCATCH_PAIRS_ROOM_MIN ||
	    user->room > KCATCH_PAIRS_ROOM_MAX || !smp_load_acquire(&session->ready))
		return -EINVAL;
	if (!kcatch_pair_exchange_possible() || (noted && !IS_ENABLED(CONFIG_SCHED_INFO)))
		return -EOPNOTSUPP;
	pairs = pair_table_create(roundup_pow_of_two(user->room) / KCATCH_PAIR_BUCKET, noted);
	if (!pairs)
		return -ENOMEM;
	mutex_lock(&session->lock);
	if (!session->pairs) {
		session->pairs = pairs;
		error = 0;
	}
	mutex_unlock(&session->lock);
	if (error)
		pair_table_destroy(pairs);
	return error;
}

void kcatch_pair_part_destroy(struct kcatch_pair_part *part)
{
	if (!part)
		return;
	kcatch_memory_uncharge(PART_BYTES(part->key ? part->key->nr : 0));
	kfree(part->key);
	kfree(part);
}

void kcatch_pairs_destroy(struct kcatch_session *session)
{
	u32 i;

	for (i = 0; i < session->nr_programs; i++) {
		kcatch_pair_part_destroy(session->programs[i]->pair);
		session->programs[i]->pair = NULL;
	}
	pair_table_destroy(session->pairs);
	session->pairs = NULL;
}

/* @noted: there are notes. No lock is held while user memory is read, which may take for ever. */
static int take_part(const struct kcatch_pair *user, const struct kcatch_program_code *program,
		     bool noted, struct kcatch_pair_part **result)
{
	const struct kcatch_code_limits limits = {
		.fields = program->fields.size_max,
		.items = program->fields.nr_puts,
		.outs = noted && user->role == KCATCH_PAIR_FIRST ? 3 : 2,
	};
	struct kcatch_pair_part *part;
	int error = -ENOMEM;
	u32 bad;

	if (!kcatch_memory_charge(PART_BYTES(user->key.nr)))
		return -ENOMEM;
	part = kzalloc(sizeof(*part), GFP_KERNEL);
	if (part)
		error = kcatch_code_take(&user->key, &limits, NULL, &part->key, &bad);
	if (!error) {
		part->is_first = user->role == KCATCH_PAIR_FIRST;
		*result = part;
		return 0;
	}
	kcatch_memory_uncharge(PART_BYTES(user->key.nr));
	kfree(part);
	return error;
}

static struct kcatch_program_code *pair_table_find(struct kcatch_session *session, u32 number)
{
	lockdep_assert_held(&session->lock);
	return number && number <= session->nr_programs ? session->programs[number - 1] : NULL;
}

/* All of its hits are decided by kcatch_pair_answer(), and need the whole input: none takes a way
 * that knows the answer before. */
static int pair_table_attach(struct kcatch_session *session, struct kcatch_program_code *program,
			     struct kcatch_pair_part *part)
{
	lockdep_assert_held(&session->lock);
	if (!session->pairs || (part->is_first && !program->counting))
		return -EINVAL;
	if (session->running || program->bound || program->pair)
		return -EBUSY;
	part->pairs = session->pairs;
	program->pair = part;
	if (program->counting) {
		program->counting->shape = KCATCH_COUNT_OTHER;
		program->counting->args_only = false;
		program->needs |= KCATCH_NEEDS_COUNT;
	}
	program->field = NULL;
	program->key.whole = false;
	program->event_size = 0;
	program->event_shape = KCATCH_SHAPE_NONE;
	program->needs &= ~KCATCH_NEEDS_KEEP;
	program->needs |= KCATCH_NEEDS_ANY | KCATCH_NEEDS_MORE |
			  (part->key->sources & KCATCH_CODE_TASK ? KCATCH_NEEDS_TASK : 0);
	kcatch_program_set_path(program);
	return 0;
}

int kcatch_pairs_program(struct kcatch_session *session, const struct kcatch_pair *user)
{
	struct kcatch_program_code *program;
	struct kcatch_pair_part *part;
	bool noted;
	int error;

	if ((user->role != KCATCH_PAIR_FIRST && user->role != KCATCH_PAIR_SECOND) ||
	    user->key.reserved || !user->key.nr)
		return -EINVAL;
	/* Before it is multiplied. */
	if (user->key.nr > KCATCH_OPS_MAX)
		return -E2BIG;
	mutex_lock(&session->lock);
	/* It stays as long as the session; what is looked at here never changes. */
	program = pair_table_find(session, user->program);
	noted = session->pairs && session->pairs->noted;
	mutex_unlock(&session->lock);
	if (!program)
		return -EINVAL;
	error = take_part(user, program, noted, &part);
	if (error)
		return error;
	mutex_lock(&session->lock);
	error = pair_table_attach(session, program, part);
	mutex_unlock(&session->lock);
	if (error)
		kcatch_pair_part_destroy(part);
	return error;
}

int kcatch_pairs_count(struct kcatch_session *session, struct kcatch_pair_counts *counts)
{
	const struct kcatch_pairs *pairs;
	u32 i, nr;
	int cpu;

	mutex_lock(&session->lock);
	pairs = session->pairs;
	mutex_unlock(&session->lock);
	if (!pairs)
		return -EINVAL;
	memset(counts, 0, sizeof(*counts));
	for_each_possible_cpu(cpu) {
		const struct kcatch_pair_counts *of = per_cpu_ptr(pairs->counts, cpu);

		counts->paired += READ_ONCE(of->paired);
		counts->unmatched += READ_ONCE(of->unmatched);
		counts->restarted += READ_ONCE(of->restarted);
		counts->overflow += READ_ONCE(of->overflow);
		counts->undecided_first += READ_ONCE(of->undecided_first);
		counts->undecided_second += READ_ONCE(of->undecided_second);
	}
	nr = (pairs->mask + 1) * KCATCH_PAIR_BUCKET;
	for (i = 0; i < nr; i++) {
		counts->open += READ_ONCE(pairs->slots[i].time) != 0;
		if (!(i % 65536))
			cond_resched();
	}
	return 0;
}
