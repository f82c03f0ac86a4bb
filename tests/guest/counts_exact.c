// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: two CPUs hammer one function from threads, softirqs and hard interrupts while its
 * calls are counted in tables that are read and emptied all the time: no call is lost, counted
 * twice or counted under another key; what finds no room is in the row (other). KT_CALLS, if set,
 * is the number of calls of a thread, more than ever: for tests/stress/counts.sh.
 * Gate: older
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "guest.h"
#include "code.h"

#define CONTEXTS 4
#define NUMBERS (1U << 16)	/* calls of one context on one CPU are fewer */

/* What came out of a table. */
struct result {
	uint64_t count;		/* of rows with a key */
	uint64_t other;
	uint64_t rows;
	int64_t sum, least, most;
	uint64_t *by_number;	/* CONTEXTS * NUMBERS */
	uint64_t buckets[64 * 8];
	uint64_t stacks_wrong;
	uint64_t others;	/* in rows of across_members() that have not this task */
	unsigned int swaps;
};

struct counter {
	struct session session;
	struct kcatch_new_table table;
	struct result result;
	uint8_t *log;
	volatile bool ends;
};

static int calls = 1000;	/* of each thread */

static const struct kcatch_op always[] = { CODE_GO(KCATCH_EXIT_YES) };

/* Puts the context, from the upper bits of the number. */
static const struct kcatch_op context[] = {
	{ .op = KCATCH_OP_SET, .from = KCATCH_FROM_ARG, .left = 32, .right = 60 },
	{ .op = KCATCH_OP_OUT, .index = 31 },
	CODE_GO(KCATCH_EXIT_NO),
};

static bool is_direct(const struct kcatch_new_table *table)
{
	return !table->words && table->flags & KCATCH_TABLE_STACK &&
	       !(table->flags & KCATCH_TABLE_BUCKETS);
}

static void add_row(struct counter *counter, const struct kcatch_row *row)
{
	struct result *result = &counter->result;
	const int64_t *values = (const void *)(row->key + row->words);

	if (row->kind == KCATCH_ROW_IS_STACK)
		return;
	if (row->kind == KCATCH_ROW_IS_OTHER)
		result->other += row->count;
	else
		result->count += row->count;
	if (!row->count)
		return;
	result->rows += row->kind == KCATCH_ROW_IS_KEY;
	if (counter->table.flags & KCATCH_TABLE_VALUES) {
		result->sum += values[0];
		if (values[1] < result->least)
			result->least = values[1];
		if (values[2] > result->most)
			result->most = values[2];
	}
	if (row->kind != KCATCH_ROW_IS_KEY)
		return;
	if (is_direct(&counter->table)) {
		result->stacks_wrong += row->words < 2;
		return;
	}
	if (counter->table.words == 1 && result->by_number &&
	    (row->key[0] & (NUMBERS - 1)) + NUMBERS * (row->key[0] >> 28) < CONTEXTS * NUMBERS)
		result->by_number[(row->key[0] >> 28) * NUMBERS + (row->key[0] & (NUMBERS - 1))] +=
			row->count;
	if (counter->table.words == 2 && row->key[1] != ((uint64_t)gettid() << 32 | getpid()))
		result->others += row->count;
	if (counter->table.flags & KCATCH_TABLE_BUCKETS && row->key[counter->table.words] < 512)
		result->buckets[row->key[counter->table.words]] += row->count;
	if (counter->table.flags & KCATCH_TABLE_STACK) {
		const struct kcatch_row *stack =
			(const void *)(counter->log + row->key[row->words - 1]);

		result->stacks_wrong += stack->kind != KCATCH_ROW_IS_STACK || stack->words < 2;
	}
}

/* Empties the table into the result. */
static void take(struct counter *counter)
{
	struct kcatch_swap swap = { .table = counter->table.number };
	int cpu;

	if (ioctl(counter->session.fd, KCATCH_IOC_SWAP, &swap))
		bail("SWAP");
	for (cpu = 0; cpu < online_cpus(); cpu++) {
		struct kcatch_rows rows = { .table = counter->table.number, .cpu = cpu,
					    .size = counter->table.size,
					    .buffer = (uintptr_t)counter->log };
		uint32_t at;

		if (ioctl(counter->session.fd, KCATCH_IOC_ROWS, &rows))
			bail("ROWS");
		for (at = KCATCH_ROW_OTHER; at < rows.size;) {
			const struct kcatch_row *row = (const void *)(counter->log + at);

			at += kcatch_row_size(row, counter->table.flags);
			if (at > rows.size)
				bail("a row ends behind the log");
			add_row(counter, row);
		}
	}
	counter->result.swaps++;
}

static void *take_on(void *arg)
{
	struct counter *counter = arg;

	while (!counter->ends) {
		take(counter);
		usleep(10000);
	}
	return NULL;
}

static uint32_t words_of(const struct kcatch_part *parts, uint32_t nr)
{
	uint32_t words = 0, i;

	for (i = 0; i < nr; i++)
		words += parts[i].size > 8 ? parts[i].size / 8 : 1;
	return words;
}

static uint32_t more_flags;	/* of the group of begin() */

static void begin(struct counter *counter, uint32_t size, uint32_t flags,
		  const struct kcatch_part *parts, uint32_t nr_parts, bool at_return)
{
	const struct add_options options = {
		.flags = (at_return ? KCATCH_ADD_RETURN : 0) | KCATCH_ADD_NO_STACK | more_flags,
		.max_active = at_return ? 4096 : 0,
	};
	struct kcatch_program program;
	struct kcatch_binding binding;
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };
	struct kcatch_count count = { .nr_parts = nr_parts };

	if (nr_parts || flags & (KCATCH_TABLE_VALUES | KCATCH_TABLE_BUCKETS))
		count.parts = (uintptr_t)parts;
	if (nr_parts && parts->kind == KCATCH_PART_CODE)
		count.code = (struct kcatch_list){ .at = (uintptr_t)context, .nr = 3 };
	memset(counter, 0, sizeof(*counter));
	memset(&program, 0, sizeof(program));
	memset(&binding, 0, sizeof(binding));
	counter->result.least = INT64_MAX;
	counter->result.most = INT64_MIN;
	counter->log = malloc(size);
	counter->table = (struct kcatch_new_table){ .size = size, .flags = flags,
						    .words = words_of(parts, nr_parts) };
	session_open(&counter->session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	if (session_add(&counter->session, "kt_hammered", &options, NULL))
		bail("kt_hammered is armed");
	if (at_return) {
		program.return_condition.at = (uintptr_t)always;
		program.return_condition.nr = 1;
	}
	if (ioctl(counter->session.fd, KCATCH_IOC_TABLE, &counter->table))
		bail("TABLE");
	if (ioctl(counter->session.fd, KCATCH_IOC_PROGRAM, &program))
		bail("PROGRAM");
	count.program = binding.program = program.number;
	count.table = counter->table.number;
	count.flags = at_return ? KCATCH_COUNT_ALWAYS : 0;
	if (ioctl(counter->session.fd, KCATCH_IOC_COUNT, &count))
		bail("COUNT");
	if (ioctl(counter->session.fd, KCATCH_IOC_BIND, &bind))
		bail("BIND");
}

/* Hammers while the table is emptied again and again, and checks the sums. */
static void run(struct counter *counter, struct kcatch_counters *counters, const char *what)
{
	pthread_t thread;

	session_start(&counter->session);
	if (pthread_create(&thread, NULL, take_on, counter))
		bail("a thread");
	order("hammer %d", calls);
	session_stop(&counter->session);
	counter->ends = true;
	pthread_join(thread, NULL);
	take(counter);
	session_counters(&counter->session, 0, KCATCH_CPU_ALL, counters);
	check_equal(counters->hits, module_value("hammer.total"), "%s: all calls are hits", what);
	check(equation_holds(counters), "%s: the equation holds", what);
	check_equal(counter->result.count, counters->recorded, "%s: the rows are the recorded hits",
		    what);
	check_equal(counter->result.other, counters->lost, "%s: the row (other) is the lost ones",
		    what);
	note("%s: %llu calls, %u swaps, %llu rows, %llu other", what,
	     (unsigned long long)counters->hits, counter->result.swaps,
	     (unsigned long long)counter->result.rows, (unsigned long long)counter->result.other);
}

static void end(struct counter *counter)
{
	session_close(&counter->session);
	free(counter->log);
	free(counter->result.by_number);
}

static void by_nothing(void)
{
	struct kcatch_counters counters;
	struct counter counter;

	begin(&counter, 1 << 16, 0, NULL, 0, false);
	run(&counter, &counters, "by nothing");
	check_equal(counters.recorded, counters.hits, "by nothing: each hit is counted");
	end(&counter);
}

/* What the hammer called: numbers from 0 on a CPU and context, each once. */
struct numbers {
	uint64_t called[CPUS_MAX][CONTEXTS];
	int64_t sum, most;
};

static void numbers_read(struct numbers *numbers)
{
	static const char *const contexts[CONTEXTS] = { "process", "softirq", "hardirq", "nmi" };
	unsigned int context;
	int cpu;

	memset(numbers, 0, sizeof(*numbers));
	for (cpu = 0; cpu < online_cpus(); cpu++) {
		for (context = 0; context < CONTEXTS; context++) {
			int64_t base = (int64_t)context << 28;
			int64_t nr = (int64_t)module_value("hammer.cpu%d.%s", cpu,
							   contexts[context]);

			numbers->called[cpu][context] = (uint64_t)nr;
			numbers->sum += nr * base + nr * (nr - 1) / 2;
			if (nr && base + nr - 1 > numbers->most)
				numbers->most = base + nr - 1;
		}
	}
}

static const struct kcatch_part number = {
	.kind = KCATCH_PART_WORD, .from = KCATCH_FROM_ARG, .left = 32, .right = 32,
};

/* Number n of a context was called on each CPU that called more than n. */
static void by_number(uint32_t size, bool fits)
{
	const char *what = fits ? "by number" : "by number, no room";
	uint64_t too_many = 0, too_few = 0, i;
	struct kcatch_counters counters;
	struct numbers numbers;
	struct counter counter;
	int cpu, cpus = online_cpus(); /* a file is read for it */

	begin(&counter, size, 0, &number, 1, false);
	counter.result.by_number = calloc(CONTEXTS * NUMBERS, sizeof(uint64_t));
	run(&counter, &counters, what);
	numbers_read(&numbers);
	for (i = 0; i < CONTEXTS * NUMBERS; i++) {
		uint64_t here = counter.result.by_number[i], called = 0;

		for (cpu = 0; cpu < cpus; cpu++)
			called += numbers.called[cpu][i / NUMBERS] > i % NUMBERS;
		too_many += here > called ? here - called : 0;
		too_few += here < called ? called - here : 0;
	}
	check_equal(too_many, 0, "%s: no number is counted too often", what);
	check_equal(too_few, counters.hits - counters.recorded,
		    "%s: of those that lack each is in another counter", what);
	check(fits ? !counters.lost : counters.lost > 0, "%s: %s", what,
	      fits ? "all keys find room" : "keys that find no room are (other)");
	end(&counter);
}

/* @slow: another session's probe at the same function leaves only the slow path. */
static void by_stack(bool direct, bool slow)
{
	const struct kcatch_part part = { .kind = KCATCH_PART_CODE, .index = 31 };
	const char *what = slow ? "by stack, two sessions" :
			   direct ? "by stack" : "by context and stack";
	struct kcatch_counters counters;
	struct counter counter;
	struct session other;

	begin(&counter, 1 << 20, KCATCH_TABLE_STACK, &part, !direct, false);
	if (slow) {
		session_open(&other, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
		if (session_add(&other, "kt_hammered", NULL, NULL))
			bail("kt_hammered is armed twice");
		session_start(&other);
	}
	run(&counter, &counters, what);
	check_equal(counter.result.stacks_wrong, 0, "%s: every key has its stack", what);
	check_equal(counters.lost, 0, "%s: all keys find room", what);
	end(&counter);
	if (slow)
		session_close(&other);
}

static void at_return(void)
{
	const struct kcatch_part parts[2] = {
		{ .kind = KCATCH_PART_WORD, .from = KCATCH_FROM_RET },
		{ .kind = KCATCH_PART_SAME },
	};
	struct kcatch_counters counters;
	uint64_t sum = 0, bucket;
	struct numbers numbers;
	struct counter counter;
	int64_t missing;

	begin(&counter, 1 << 20, KCATCH_TABLE_VALUES | KCATCH_TABLE_BUCKETS, parts, 0, true);
	run(&counter, &counters, "at the return");
	for (bucket = 0; bucket < 512; bucket++)
		sum += counter.result.buckets[bucket];
	check_equal(sum, counters.recorded, "at the return: the buckets have all of them");
	/* All are known but those that were missed. */
	numbers_read(&numbers);
	missing = (int64_t)(counters.hits - counters.recorded);
	check(counter.result.sum <= numbers.sum &&
	      counter.result.sum >= numbers.sum - missing * numbers.most,
	      "at the return: the sum of what was returned (%lld of %lld, %lld missing)",
	      (long long)counter.result.sum, (long long)numbers.sum, (long long)missing);
	check(counter.result.least >= 0 && counter.result.least <= missing,
	      "at the return: the least (%lld)", (long long)counter.result.least);
	check(counter.result.most <= numbers.most && counter.result.most >= numbers.most - missing,
	      "at the return: the most (%lld of %lld)", (long long)counter.result.most,
	      (long long)numbers.most);
	end(&counter);
}

/* Calls under one that is counted at its entry: its return is not hooked, so none is under it. */
static void under_a_count(bool at_return)
{
	const struct add_options options = { .flags = KCATCH_ADD_RETURN | KCATCH_ADD_NO_STACK };
	struct kcatch_target target = { .name = (uintptr_t)"kt_c", .name_len = 4 };
	struct kcatch_add under = { .flags = KCATCH_ADD_UNDER | KCATCH_ADD_RETURN,
				    .nr_targets = 1, .targets = (uintptr_t)&target };
	const struct kcatch_new_table table = { .size = 1 << 16, .number = 1 };
	struct kcatch_new_table made = table;
	struct kcatch_count count = { .table = 1, .program = 1 };
	struct kcatch_binding binding = { .program = 1 };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };
	struct kcatch_program program = {};
	struct kcatch_counters counters;
	struct session session;

	if (at_return)
		program.return_condition = (struct kcatch_list){ .at = (uintptr_t)always, .nr = 1 };
	session_open(&session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	if (session_add(&session, "kt_a", &options, NULL) ||
	    ioctl(session.fd, KCATCH_IOC_TABLE, &made) ||
	    ioctl(session.fd, KCATCH_IOC_PROGRAM, &program) ||
	    ioctl(session.fd, KCATCH_IOC_COUNT, &count) ||
	    ioctl(session.fd, KCATCH_IOC_BIND, &bind) ||
	    ioctl(session.fd, KCATCH_IOC_ADD, &under))
		bail("kt_c is armed under kt_a");
	if (!at_return) {
		check_errno(ioctl(session.fd, KCATCH_IOC_START), EINVAL,
			    "calls under one that is counted at its entry");
		session_close(&session);
		return;
	}
	session_start(&session);
	order("process chain");
	session_stop(&session);
	session_counters(&session, 1, KCATCH_CPU_ALL, &counters);
	check(counters.recorded > 0 && equation_holds(&counters),
	      "calls under one that is counted at its return are recorded");
	session_close(&session);
}

/* The first hit that is counted freezes the session: but those that are under way on the other CPUs
 * and in the contexts that this one interrupted, none is counted behind it. */
static void until_frozen(bool at_return)
{
	const char *what = at_return ? "frozen, at the return" : "frozen";
	struct kcatch_counters counters;
	struct counter counter;

	more_flags = KCATCH_ADD_FREEZE;
	begin(&counter, 1 << 16, 0, NULL, 0, at_return);
	more_flags = 0;
	session_start(&counter.session);
	order("hammer %d", calls);
	session_stop(&counter.session);
	session_counters(&counter.session, 0, KCATCH_CPU_ALL, &counters);
	take(&counter);
	check(counters.recorded && counters.recorded <= (uint64_t)online_cpus() * CONTEXTS,
	      "%s: what comes later is not counted (%llu of %llu)", what,
	      (unsigned long long)counters.recorded, (unsigned long long)counters.hits);
	check(equation_holds(&counters) && counters.over_budget,
	      "%s: it is over budget, and the equation holds", what);
	check_equal(counter.result.count, counters.recorded, "%s: the rows have no more", what);
	end(&counter);
}

static void buckets(void)
{
	static const int64_t some[] = { 0, 1, 7, 8, 9, 15, 16, 17, 100, 1000, 1LL << 40,
					(1LL << 40) + 12345, INT64_MAX };
	bool fine = true;
	unsigned int i;

	for (i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		int32_t bucket = kcatch_bucket_of(some[i]);
		uint64_t low = kcatch_bucket_lowest((uint32_t)bucket);
		uint64_t next = kcatch_bucket_lowest((uint32_t)bucket + 1);

		fine &= low <= (uint64_t)some[i] && (uint64_t)some[i] < next &&
			(next - low) * 8 <= (low < 8 ? 8 : low) &&
			kcatch_bucket_of(~some[i]) == ~bucket;
	}
	check(fine, "a bucket is at most an eighth wide, also of negative numbers");
}

static void refusals(void)
{
	struct kcatch_new_table table = { .size = 1 << 16, .words = 1 };
	struct kcatch_part part = number;
	struct kcatch_program program;
	struct kcatch_count count = { .nr_parts = 1, .parts = (uintptr_t)&part };
	struct kcatch_swap swap = { .table = 7 };
	struct kcatch_binding binding = { .probe = 3 };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };
	struct session session;

	memset(&program, 0, sizeof(program));
	session_open(&session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	table.size = 100;
	check_errno(ioctl(session.fd, KCATCH_IOC_TABLE, &table), EINVAL, "a table too small");
	table.size = 1 << 16;
	table.flags = 1 << 8;
	check_errno(ioctl(session.fd, KCATCH_IOC_TABLE, &table), EINVAL, "an unknown flag");
	table.flags = 0;
	check_errno(ioctl(session.fd, KCATCH_IOC_SWAP, &swap), EINVAL, "SWAP of no table");
	if (ioctl(session.fd, KCATCH_IOC_TABLE, &table) ||
	    ioctl(session.fd, KCATCH_IOC_PROGRAM, &program))
		bail("TABLE and PROGRAM");
	count.program = program.number;
	count.table = table.number;
	part.size = 3;
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNT, &count), EINVAL, "a word with a size");
	part = (struct kcatch_part){ .kind = KCATCH_PART_TEXT, .size = 8 };
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNT, &count), EINVAL,
		    "a text that the program does not fetch");
	part = (struct kcatch_part){ .kind = KCATCH_PART_WORD, .from = KCATCH_FROM_FIELD };
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNT, &count), EINVAL,
		    "a field that the program does not fetch");
	part.from = KCATCH_FROM_CONST;
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNT, &count), EINVAL, "a constant");
	part.from = KCATCH_FROMS;
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNT, &count), EINVAL, "an unknown source");
	part = (struct kcatch_part){ .kind = KCATCH_PART_CODE };
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNT, &count), EINVAL, "a word of no code");
	count.code = (struct kcatch_list){ .at = (uintptr_t)always, .nr = 1 };
	part.index = KCATCH_OUTS_MAX;
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNT, &count), EINVAL, "a word behind the last");
	count.code.nr = ~0U;
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNT, &count), E2BIG, "too many operations");
	count.code = (struct kcatch_list){ .nr = 0 };
	part = number;
	count.nr_parts = 0;
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNT, &count), EINVAL,
		    "fewer words than the table has");
	count.nr_parts = 1;
	binding.program = program.number;
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, &bind), EINVAL, "BIND to no probe");
	check(!ioctl(session.fd, KCATCH_IOC_COUNT, &count), "then it counts");
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNT, &count), EBUSY, "it counts already");
	session_close(&session);
}

static void refused_pairs(void)
{
	struct kcatch_new_pairs pairs = { .room = 64 };
	struct kcatch_new_table table = { .size = 1 << 16 };
	const struct kcatch_item latency = {
		.from = KCATCH_ITEM_LATENCY,
		.put = KCATCH_ITEM_VALUE,
	};
	struct kcatch_program program, returns, records;
	struct kcatch_count count = { .program = 0 };
	struct kcatch_pair pair = {
		.role = KCATCH_PAIR_FIRST,
		.key = { .at = (uintptr_t)always, .nr = 1 },
	};
	const struct kcatch_op behind[] = {
		{ .op = KCATCH_OP_OUT, .index = 2 },
		CODE_GO(KCATCH_EXIT_YES),
	};
	struct kcatch_pair_counts counts;
	struct kcatch_binding binding = { .probe = 0 };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };
	const struct add_options options = { .flags = KCATCH_ADD_RETURN };
	struct session session;

	memset(&program, 0, sizeof(program));
	records = returns = program;
	records.entry = (struct kcatch_list){ .at = (uintptr_t)&latency, .nr = 1 };
	returns.return_condition = (struct kcatch_list){ .at = (uintptr_t)always, .nr = 1 };
	session.fd = device_open();
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIRS, &pairs), EINVAL, "pairs before SETUP");
	close(session.fd);
	session_open(&session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	if (ioctl(session.fd, KCATCH_IOC_TABLE, &table) ||
	    ioctl(session.fd, KCATCH_IOC_PROGRAM, &program) ||
	    ioctl(session.fd, KCATCH_IOC_PROGRAM, &returns) ||
	    ioctl(session.fd, KCATCH_IOC_PROGRAM, &records) ||
	    session_add(&session, "kt_c", NULL, NULL) ||
	    session_add(&session, "kt_c", &options, NULL))
		bail("TABLE, PROGRAM and ADD");
	count.table = table.number;
	count.program = pair.program = program.number;
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIRED, &counts), EINVAL,
		    "PAIRED without a table");
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIR, &pair), EINVAL, "PAIR without a table");
	pairs.room = 63;
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIRS, &pairs), EINVAL, "too little room");
	pairs.room = ~0U;
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIRS, &pairs), EINVAL, "too much room");
	pairs.room = 64;
	pairs.flags = KCATCH_PAIRS_OFF_CPU << 1;
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIRS, &pairs), EINVAL, "pairs: an unknown flag");
	pairs.flags = 0;
	check(!ioctl(session.fd, KCATCH_IOC_PAIRS, &pairs), "a table of pairs");
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIRS, &pairs), EBUSY, "but only one");
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIR, &pair), EINVAL, "a program that records");
	if (ioctl(session.fd, KCATCH_IOC_COUNT, &count))
		bail("COUNT");
	count.program = returns.number;
	if (ioctl(session.fd, KCATCH_IOC_COUNT, &count))
		bail("COUNT at the return");
	pair.role = 3;
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIR, &pair), EINVAL, "an unknown role");
	pair.role = KCATCH_PAIR_FIRST;
	pair.key.nr = 0;
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIR, &pair), EINVAL, "no key");
	pair.key.nr = ~0U;
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIR, &pair), E2BIG,
		    "a key of too many operations");
	pair.key = (struct kcatch_list){ .at = (uintptr_t)behind, .nr = 2 };
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIR, &pair), EINVAL, "a word behind the key's");
	pair.key = (struct kcatch_list){ .at = 0xdead0000, .nr = 1 };
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIR, &pair), EFAULT, "a key at a bad pointer");
	pair.key = (struct kcatch_list){ .at = (uintptr_t)always, .nr = 1 };
	check(!ioctl(session.fd, KCATCH_IOC_PAIR, &pair), "then it is of first events");
	pair.role = KCATCH_PAIR_SECOND;
	check_errno(ioctl(session.fd, KCATCH_IOC_PAIR, &pair), EBUSY,
		    "and not of second ones, too");
	pair.program = returns.number;
	check(!ioctl(session.fd, KCATCH_IOC_PAIR, &pair), "another one is");
	binding = (struct kcatch_binding){ .probe = 1, .program = returns.number };
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, &bind), EINVAL,
		    "BIND: a pair's where the return is hooked");
	binding = (struct kcatch_binding){ .probe = 0, .program = records.number };
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, &bind), EINVAL,
		    "BIND: a record with the latency of no pair");
	pair.program = records.number;
	check(!ioctl(session.fd, KCATCH_IOC_PAIR, &pair), "one that records is of second events");
	check(!ioctl(session.fd, KCATCH_IOC_BIND, &bind), "then its record has a latency");
	binding.program = returns.number;
	binding.probe = 0;
	check(!ioctl(session.fd, KCATCH_IOC_BIND, &bind), "BIND: where it is not");
	check(!ioctl(session.fd, KCATCH_IOC_PAIRED, &counts) && !counts.open && !counts.paired,
	      "nothing is paired yet");
	session_close(&session);
}

int main(void)
{
	const char *many = getenv("KT_CALLS");

	need_cpus(2, CPUS_MAX);
	test_module_load();
	if (many) {
		calls = atoi(many);
		by_nothing();
		by_stack(true, false);
		at_return();
		return finish();
	}
	buckets();
	refusals();
	refused_pairs();
	by_nothing();
	by_number(4 << 20, true);
	by_number(KCATCH_TABLE_SIZE_MIN, false);
	by_stack(true, false);
	by_stack(false, false);
	by_stack(true, true);
	at_return();
	under_a_count(false);
	under_a_count(true);
	until_frozen(false);
	until_frozen(true);
	return finish();
}
