// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: of a million nested calls on two CPUs each has its own return, once;
 * what a condition, a lack of slots, STOP or the thread's end make of a return is
 * counted.
 */
#include "guest.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* On each of two CPUs, and so often: what is read of one time is worked out before the
 * next, for which an emulated machine is too slow while the calls are made. KT_CALLS
 * says how many. */
#define CALLS 100000
#define TIMES 5
#define FEW 5000

#define RING (32 << 20)
#define PACKET 65536
#define TABLE (1U << 21)	/* twice the calls there may be, at least */
#define NESTING 64
#define CPUS 8

enum { NEST, LEAF, FUNCTIONS };
static const char *const functions[FUNCTIONS] = { "kt_nest", "kt_leaf" };
static const char *const names[FUNCTIONS] = { "nest", "leaf" };

struct call {
	uint64_t number, depth, value, longest_inside;
	uint32_t probe, tid;
	bool returned;
};

struct sums {
	uint64_t entries, without_return, returns, whole, args, values;
};

/* What the rings held. */
struct seen {
	struct call *calls;	/* hashed by number */
	struct call *under_way[CPUS][NESTING];
	int nesting[CPUS];
	struct sums sums[FUNCTIONS];
	uint64_t double_entries, double_returns, unknown, wrong_value, wrong_order, too_long;
	uint64_t wrong_shape, even, broken_stacks;
};

static uint64_t leaf(uint64_t depth, uint64_t value)
{
	return (depth * 7 + 13) ^ value;
}

static uint64_t nest(uint64_t depth, uint64_t value)
{
	return depth ? nest(depth - 1, value * 5 + 1) + leaf(depth, value) : value ^ 0x5a;
}

static uint64_t result_of(uint32_t probe, uint64_t depth, uint64_t value)
{
	return probe == NEST ? nest(depth, value) : leaf(depth, value);
}

static struct call *call_find(struct seen *seen, uint64_t number)
{
	uint32_t at = (number * 0x9e3779b97f4a7c15ULL) >> 40;

	for (at &= TABLE - 1; seen->calls[at].number; at = (at + 1) & (TABLE - 1))
		if (seen->calls[at].number == number)
			break;
	return &seen->calls[at];
}

static void see_entry(struct seen *seen, uint32_t cpu, const struct kcatch_hit *hit)
{
	const struct kcatch_call_part *part = call_part(hit);
	const uint64_t *args = (const void *)part->data;
	struct sums *sums = &seen->sums[KCATCH_RECORD_PROBE(hit->head.id)];
	struct call *call;

	if (part->size[0] != 16 || part->size[1] || part->user_size || part->faults[0] ||
	    part->cut[0]) {
		seen->wrong_shape++;
		return;
	}
	sums->entries++;
	sums->args += args[0] + args[1];
	if (!part->call) {
		sums->without_return++;
		return;
	}
	call = call_find(seen, part->call);
	if (call->number) {
		seen->double_entries++;
		return;
	}
	*call = (struct call){
		.number = part->call, .depth = args[0], .value = args[1],
		.probe = KCATCH_RECORD_PROBE(hit->head.id), .tid = hit->tid,
	};
	if (seen->nesting[cpu] < NESTING)
		seen->under_way[cpu][seen->nesting[cpu]++] = call;
	else
		seen->wrong_order++;
}

static void see_return(struct seen *seen, uint32_t cpu, const struct kcatch_return *record)
{
	struct sums *sums = &seen->sums[KCATCH_RECORD_PROBE(record->head.id)];
	struct call *call = call_find(seen, record->call);
	int nesting;

	if (record->size || record->faults || record->cut)
		seen->wrong_shape++;
	if (!call->number) {
		seen->unknown++;
		return;
	}
	seen->double_returns += call->returned;
	call->returned = true;
	sums->returns++;
	sums->values += record->ret;
	seen->wrong_value += KCATCH_RECORD_PROBE(record->head.id) != call->probe ||
			     record->tid != call->tid ||
			     record->ret != result_of(call->probe, call->depth, call->value);
	seen->too_long += call->longest_inside > record->latency;
	nesting = seen->nesting[cpu];
	if (!nesting || seen->under_way[cpu][nesting - 1] != call) {
		seen->wrong_order++;
		return;
	}
	seen->nesting[cpu] = --nesting;
	if (nesting && seen->under_way[cpu][nesting - 1]->longest_inside < record->latency)
		seen->under_way[cpu][nesting - 1]->longest_inside = record->latency;
}

static void see_whole(struct seen *seen, const struct kcatch_hit *hit)
{
	const struct kcatch_call_part *part = call_part(hit);
	const uint64_t *args = (const void *)part->data;
	struct sums *sums = &seen->sums[KCATCH_RECORD_PROBE(hit->head.id)];

	/* A call tells when it was entered, whatever came between its return and its record. */
	if (part->size[0] != 16 || part->size[1] || part->faults[0] || part->cut[0] ||
	    !part->call || part->call >= hit->head.time) {
		seen->wrong_shape++;
		return;
	}
	sums->whole++;
	sums->args += args[0] + args[1];
	sums->values += part->ret;
	seen->even += !(part->ret & 1);
	seen->broken_stacks += hit->stack_flags != KCATCH_STACK_COMPLETE;
	seen->wrong_value += part->ret !=
			     result_of(KCATCH_RECORD_PROBE(hit->head.id), args[0], args[1]);
}

static void see(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	const struct kcatch_hit *hit = (const void *)record;
	struct seen *seen = context;

	/* The probe's number is at the same place in all. */
	if (cpu >= CPUS || KCATCH_RECORD_PROBE(hit->head.id) >= FUNCTIONS)
		seen->wrong_shape++;
	else if (KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_ENTRY)
		see_entry(seen, cpu, hit);
	else if (KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_RETURN)
		see_return(seen, cpu, (const void *)record);
	else if (KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_CALL)
		see_whole(seen, hit);
	else
		seen->wrong_shape++;
}

static struct seen seen_new(void)
{
	struct seen seen = { .calls = calloc(TABLE, sizeof(struct call)) };

	if (!seen.calls)
		bail("there is memory for the calls");
	return seen;
}

/* ---- sessions ---- */

/* Puts the first two arguments; with @odd only calls that return an odd number. */
static void bind(struct session *session, uint32_t probe, bool odd)
{
	static const struct kcatch_item items[] = {
		ITEM(ARG, VALUE), ITEM(ARG, VALUE, .index = 1),
	};
	static const struct kcatch_op code[] = {
		{ .op = KCATCH_OP_BITS, .from = KCATCH_FROM_RET, .a = 1, .b = 1,
		  .yes = KCATCH_EXIT_YES },
	};
	struct kcatch_program program = { .entry = { (uintptr_t)items, 2, 0 } };

	if (odd)
		program.return_condition = (struct kcatch_list){ (uintptr_t)code, 1, 0 };
	session_bind(session, probe, &program);
}

static void arm(struct session *session, const char *name, uint32_t max_active, uint32_t flags,
		bool odd)
{
	const struct add_options options = {
		.flags = KCATCH_ADD_RETURN | flags, .max_active = max_active,
	};
	struct kcatch_add add;

	if (session_add(session, name, &options, &add))
		bail("%s is armed with its return", name);
	bind(session, add.first_probe, odd);
}

struct run {
	int calls;
	bool done;
};

static void *run_order(void *data)
{
	struct run *run = data;

	order("nest %d", run->calls);
	__atomic_store_n(&run->done, true, __ATOMIC_RELEASE);
	return NULL;
}

/* The calls are made, and read while they are; then the session is stopped. */
static void run(struct session *session, int calls, struct seen *seen)
{
	struct run run = { .calls = calls };
	pthread_t thread;

	session_start(session);
	if (pthread_create(&thread, NULL, run_order, &run))
		bail("there is a second thread");
	while (!__atomic_load_n(&run.done, __ATOMIC_ACQUIRE)) {
		session_read_records(session, false, see, seen);
		usleep(10000);
	}
	pthread_join(thread, NULL);
	session_stop(session);
	session_read_records(session, false, see, seen);
}

static void check_sound(const char *what, const struct seen *seen)
{
	check_equal(seen->wrong_shape, 0, "%s: records are as the header says", what);
	check_equal(seen->double_entries, 0, "%s: no call number twice", what);
	check_equal(seen->unknown, 0, "%s: no return without entry", what);
	check_equal(seen->double_returns, 0, "%s: no return twice", what);
	check_equal(seen->wrong_value, 0, "%s: each return is that of its own arguments", what);
	check_equal(seen->too_long, 0, "%s: no call takes longer than the one around it", what);
}

/* ---- each call and its return ---- */

static uint64_t pairs(int calls)
{
	struct seen seen = seen_new();
	struct kcatch_counters counters;
	struct session session;
	uint64_t total = 0;
	uint32_t i;

	session_open(&session, RING, PACKET);
	for (i = 0; i < FUNCTIONS; i++)
		arm(&session, functions[i], 0, KCATCH_ADD_NO_STACK, false);
	session_map(&session);
	run(&session, calls, &seen);
	check_sound("pairs", &seen);
	check_equal(seen.wrong_order, 0, "pairs: returns come in the order of nesting");
	for (i = 0; i < FUNCTIONS; i++) {
		const struct sums *sums = &seen.sums[i];
		const char *name = names[i];
		uint64_t made = module_value("%s.calls", name);

		total += made;
		session_counters(&session, i, KCATCH_CPU_ALL, &counters);
		check_equal(sums->entries, made, "%s: as many entries as calls", name);
		check_equal(sums->without_return, 0, "%s: each entry promises a return", name);
		check_equal(sums->returns, made, "%s: as many returns as calls", name);
		check_equal(sums->whole, 0, "%s: no records of whole calls", name);
		check_equal(sums->args, module_value("%s.args", name), "%s: sum of arguments",
			    name);
		check_equal(sums->values, module_value("%s.returns", name), "%s: sum of returns",
			    name);
		check_equal(counters.hits, made, "%s: hits are the calls", name);
		check_equal(counters.recorded, made, "%s: all are recorded", name);
		check(equation_holds(&counters), "%s: the equation holds", name);
		check_equal(counters.in_flight, 0, "%s: nothing under way", name);
		check_equal(counters.no_slot, 0, "%s: there was a slot for each", name);
		check_equal(counters.return_lost, 0, "%s: no return was lost", name);
	}
	session_close(&session);
	free(seen.calls);
	return total;
}

/* ---- with a condition on the return ---- */

static void odd_only(void)
{
	struct seen seen = seen_new();
	struct kcatch_counters counters;
	struct session session;
	uint32_t i;

	session_open(&session, RING, PACKET);
	for (i = 0; i < FUNCTIONS; i++)
		arm(&session, functions[i], 0, 0, true);
	session_map(&session);
	run(&session, FEW, &seen);
	check_sound("condition", &seen);
	check_equal(seen.even, 0, "condition: it holds for each record");
	check_equal(seen.broken_stacks, 0, "condition: all stacks are complete");
	for (i = 0; i < FUNCTIONS; i++) {
		const char *name = names[i];
		uint64_t made = module_value("%s.calls", name), odd = module_value("%s.odd", name);

		session_counters(&session, i, KCATCH_CPU_ALL, &counters);
		check_equal(seen.sums[i].whole, odd, "condition, %s: one record for each", name);
		check_equal(seen.sums[i].entries + seen.sums[i].returns, 0,
			    "condition, %s: and no others", name);
		check_equal(counters.hits, made, "condition, %s: hits are the calls", name);
		check_equal(counters.recorded, odd, "condition, %s: recorded", name);
		check_equal(counters.filtered, made - odd, "condition, %s: filtered", name);
		check_equal(counters.in_flight, 0, "condition, %s: nothing under way", name);
		check(equation_holds(&counters), "condition, %s: the equation holds", name);
	}
	session_close(&session);
	free(seen.calls);
}

/* ---- one slot for calls that nest ---- */

/* Of each CPU, added up. */
static struct kcatch_counters sum_of_cpus(struct session *session, uint32_t probe)
{
	struct kcatch_counters sum = { .hits = 0 }, counters;
	uint32_t cpu;

	for (cpu = 0; (int)cpu < online_cpus(); cpu++) {
		session_counters(session, probe, cpu, &counters);
		sum.no_slot += counters.no_slot;
		sum.undecided += counters.undecided;
	}
	return sum;
}

static void one_slot(bool odd)
{
	const char *what = odd ? "one slot and a condition" : "one slot";
	struct seen seen = seen_new();
	struct kcatch_counters counters, sum;
	struct session session;
	uint64_t made;

	session_open(&session, RING, PACKET);
	arm(&session, functions[NEST], 1, KCATCH_ADD_NO_STACK, odd);
	session_map(&session);
	run(&session, FEW, &seen);
	made = module_value("nest.calls");
	session_counters(&session, 0, KCATCH_CPU_ALL, &counters);
	seen.too_long = 0;	/* what is inside cannot be told */
	check_sound(what, &seen);
	check(counters.no_slot > 0, "%s: not enough", what);
	check_equal(counters.hits, made, "%s: hits are the calls", what);
	check(equation_holds(&counters), "%s: the equation holds", what);
	check_equal(counters.in_flight, 0, "%s: nothing under way", what);
	if (odd) {
		check_equal(counters.missed, 0, "%s: nothing is missed", what);
		sum = sum_of_cpus(&session, 0);
		check_equal(counters.undecided, counters.no_slot, "%s: the others are undecided",
			    what);
		check_equal(sum.undecided, sum.no_slot, "%s: undecided on each CPU", what);
		check_equal(seen.sums[NEST].whole, counters.recorded, "%s: the records", what);
	} else {
		check_equal(counters.recorded, made, "%s: all are recorded", what);
		check_equal(seen.sums[NEST].entries, made, "%s: with an entry", what);
		check_equal(seen.sums[NEST].without_return, counters.no_slot,
			    "%s: those without a slot promise no return", what);
		check_equal(seen.sums[NEST].returns, made - counters.no_slot,
			    "%s: all others return", what);
	}
	session_close(&session);
	free(seen.calls);
}

/* ---- another program after STOP ---- */

/* Calls of one run that found no slot, with each program. */
static void another_program(void)
{
	struct seen seen = seen_new();
	struct kcatch_counters plain, both;
	struct session session;

	session_open(&session, RING, PACKET);
	arm(&session, functions[NEST], 1, KCATCH_ADD_NO_STACK, false);
	session_map(&session);
	run(&session, FEW, &seen);
	session_counters(&session, 0, KCATCH_CPU_ALL, &plain);
	check(plain.no_slot > 0 && !plain.undecided,
	      "another program: without a condition a call that finds no slot is decided");
	bind(&session, 0, true);
	run(&session, FEW, &seen);
	session_counters(&session, 0, KCATCH_CPU_ALL, &both);
	check(both.no_slot > plain.no_slot, "another program: again not enough");
	check_equal(both.undecided, both.no_slot - plain.no_slot,
		    "another program: undecided are those of the run with the condition");
	check_equal(both.missed, 0, "another program: none is missed");
	check(equation_holds(&both), "another program: the equation holds");
	session_close(&session);
	free(seen.calls);
}

/* A program whose return reads so many words of the entry that a slot is as large as one with a
 * condition takes. */
static void bind_large(struct session *session)
{
	struct kcatch_item items[30], at_return[] = { ITEM(SAVED, VALUE, .start = 8 * 29) };
	struct kcatch_program program = {
		.entry = { (uintptr_t)items, 30, 0 },
		.at_return = { (uintptr_t)at_return, 1, 0 },
	};
	int i;

	for (i = 0; i < 30; i++)
		items[i] = (struct kcatch_item)ITEM(ARG, VALUE);
	session_bind(session, 0, &program);
}

/* One call is to be recorded, and for one there is a slot, as long as each call is recorded. */
static void more_slots(void)
{
	const struct add_options options = {
		.flags = KCATCH_ADD_RETURN | KCATCH_ADD_NO_STACK, .budget = 1,
	};
	struct kcatch_counters counters;
	struct session session;
	struct kcatch_add add;

	session_open(&session, RING, PACKET);
	if (session_add(&session, functions[NEST], &options, &add))
		bail("kt_nest is armed with its return");
	bind_large(&session);
	session_start(&session);
	session_stop(&session);
	bind(&session, 0, true);
	session_start(&session);
	order("nest %d", FEW);
	session_stop(&session);
	session_counters(&session, 0, KCATCH_CPU_ALL, &counters);
	check_equal(counters.recorded, 1, "more slots: one call is recorded");
	check_equal(counters.no_slot, 0,
		    "more slots: a condition has a slot for each call that may be the one");
	check(equation_holds(&counters), "more slots: the equation holds");
	session_close(&session);
}

/* ---- calls that do not return in time, or at all ---- */

struct kinds {
	uint64_t of[KCATCH_RECORD_CALL + 1];
};

static void count_kind(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	struct kinds *kinds = context;

	(void)cpu;
	kinds->of[KCATCH_RECORD_KIND(record->id)]++;
}

static void check_unreturned(struct session *session, const char *what, uint64_t calls, bool odd)
{
	struct kcatch_counters counters;

	session_counters(session, 0, KCATCH_CPU_ALL, &counters);
	check_equal(counters.hits, calls, "%s: hits", what);
	check_equal(counters.recorded, odd ? 0 : calls, "%s: recorded", what);
	check_equal(counters.undecided, odd ? calls : 0, "%s: undecided", what);
	check_equal(counters.missed, 0, "%s: missed", what);
	check_equal(counters.in_flight, calls, "%s: in flight", what);
	check(equation_holds(&counters), "%s: the equation holds", what);
}

static void late(bool odd)
{
	const char *what = odd ? "late and a condition" : "late";
	struct kinds kinds = {};
	struct session session;

	session_open(&session, 1 << 20, PACKET);
	arm(&session, "kt_late", 0, 0, odd);
	session_map(&session);
	session_start(&session);
	order("late 1");
	session_stop(&session);
	check_unreturned(&session, what, 1, odd);
	session_start(&session);
	order("late 0");
	session_stop(&session);
	check_unreturned(&session, what, 1, odd);
	session_read_records(&session, false, count_kind, &kinds);
	check_equal(kinds.of[KCATCH_RECORD_ENTRY], !odd, "%s: its entry is recorded", what);
	check_equal(kinds.of[KCATCH_RECORD_RETURN] + kinds.of[KCATCH_RECORD_CALL], 0,
		    "%s: what returns after STOP and START makes no record", what);
	session_close(&session);

	/* The session closes while the call is under way. */
	session_open(&session, 1 << 20, PACKET);
	arm(&session, "kt_late", 0, 0, odd);
	session_map(&session);
	session_start(&session);
	order("late 1");
	session_close(&session);
	order("late 0");
	check_equal(module_value("late.returned"), 77,
		    "%s: it returns where nobody waits for it any more", what);
}

#define DEATHS 5

static void dies(bool odd)
{
	const char *what = odd ? "dies and a condition" : "dies";
	struct kinds kinds = {};
	struct session session;

	session_open(&session, 1 << 20, PACKET);
	/* Slots come back, or there would be too few. */
	arm(&session, "kt_dies", 1, 0, odd);
	session_map(&session);
	session_start(&session);
	order("die %d", DEATHS);
	session_stop(&session);
	check_unreturned(&session, what, DEATHS, odd);
	session_read_records(&session, false, count_kind, &kinds);
	check_equal(kinds.of[KCATCH_RECORD_ENTRY], odd ? 0 : DEATHS, "%s: entries", what);
	check_equal(kinds.of[KCATCH_RECORD_RETURN] + kinds.of[KCATCH_RECORD_CALL], 0,
		    "%s: and nothing else", what);
	session_close(&session);
}

int main(void)
{
	const char *calls = getenv("KT_CALLS");
	uint64_t total = 0;
	int i;

	need_cpus(2, CPUS);
	test_module_load();
	for (i = 0; i < TIMES; i++)
		total += pairs(calls ? atoi(calls) : CALLS);
	note("%llu calls", (unsigned long long)total);
	check(calls || total >= 2 * TIMES * CALLS, "a million calls");
	odd_only();
	one_slot(false);
	one_slot(true);
	another_program();
	more_slots();
	late(false);
	late(true);
	dies(false);
	dies(true);
	check(!system("rmmod kcatch_test"), "the functions' module unloads");
	check(!system("rmmod kcatch && insmod \"$KCATCH_MODULE\" $KT_PARAMETERS"),
	      "kcatch unloads: nothing of it is left");
	return finish();
}
