// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: rows of counts are read once each, also where memory is short between the first and
 * the last of them.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <kcatch_counts.h>
#include "session/count_state.h"
#include "session/counts.h"
#include "session/handle.h"
#include "symbols/symbol_list.h"

#define CPUS 2U
#define PROBES 3U
#define LOG 256U

struct log {
	uint32_t size;
	uint8_t bytes[LOG];
};

/* A kernel module whose table has the number of the probe as its key. */
static struct {
	struct log hits[CPUS], reader[CPUS];
	unsigned int swaps;
	int rows_error, probes_error;	/* of the request for rows of CPU 1; for probe 1; once */
} module;

static int permit(const struct kcatch_session *session, const char *what)
{
	(void)session;
	(void)what;
	return 0;
}

static void add_hits(unsigned int cpu, uint64_t probe, uint64_t count)
{
	const struct kcatch_row row = { .words = 1, .kind = KCATCH_ROW_IS_KEY, .count = count };
	struct log *log = &module.hits[cpu];

	if (!log->size)
		log->size = KCATCH_ROW_OTHER;
	memcpy(log->bytes + log->size, &row, sizeof(row));
	memcpy(log->bytes + log->size + sizeof(row), &probe, sizeof(probe));
	log->size += sizeof(row) + sizeof(probe);
}

static int once(int *error)
{
	int ret = *error;

	*error = 0;
	return ret;
}

static int answer_rows(struct kcatch_rows *rows)
{
	const struct log *log = &module.reader[rows->cpu];
	int ret = rows->cpu == 1 ? once(&module.rows_error) : 0;

	if (ret)
		return ret;
	assert_int_equal(rows->offset, 0);
	memcpy((void *)(uintptr_t)rows->buffer, log->bytes, log->size);
	rows->size = log->size;
	return 0;
}

static int answer_probes(struct kcatch_query *query)
{
	struct kcatch_probe_info info = { .mechanism = KCATCH_MECHANISM_TRACEPOINT };
	int ret = query->first == 1 ? once(&module.probes_error) : 0;

	if (ret)
		return ret;
	memcpy((void *)(uintptr_t)query->buffer, &info, sizeof(info));
	query->count = 1;
	return 0;
}

static int answer(const struct kcatch_session *session, unsigned long request, void *argument)
{
	(void)session;
	switch (request) {
	case KCATCH_IOC_SWAP:
		module.swaps++;
		memcpy(module.reader, module.hits, sizeof(module.reader));
		memset(module.hits, 0, sizeof(module.hits));
		return 0;
	case KCATCH_IOC_ROWS:
		return answer_rows(argument);
	case KCATCH_IOC_PROBES:
		return answer_probes(argument);
	}
	return -ENOTTY;
}

static const struct kcatch_session_kind kind = { .permit = permit, .ioctl = answer };

struct world {
	struct kcatch_session session;
	struct kcatch_symbol_list *list;
};

static int set_up(void **state)
{
	static const char symbols[] = "ffffffff81000000 before\n";
	const char *const keys[] = { "function" };
	const struct kcatch_count_request request = { .size = sizeof(request), .keys = keys,
						      .nr_keys = 1 };
	struct world *world = calloc(1, sizeof(*world));
	struct kcatch_session *session;
	size_t i;

	assert_non_null(world);
	session = &world->session;
	session->kind = &kind;
	session->fd = 0;	/* live; nothing reads it */
	session->info.nr_cpus = CPUS;
	memset(&module, 0, sizeof(module));
	assert_int_equal(kcatch_symbol_list_create(strdup(symbols), sizeof(symbols) - 1,
						   &world->list), 0);
	assert_int_equal(kcatch_symbols_create_list(world->list, &session->symbols), 0);
	assert_int_equal(kcatch_session_grow(session, PROBES), 0);
	for (i = 0; i < PROBES; i++)
		assert_true(asprintf(&session->slots[i]->asked, "event_%zu", i) > 0);
	assert_int_equal(kcatch_count_create(&request, &session->count), 0);
	session->count->fields[0].words = 1;
	session->count->table.number = 1;
	session->count->table.words = 1;
	session->count->table.size = LOG;
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;
	size_t i;

	for (i = 0; i < PROBES; i++)
		free(world->session.slots[i]->asked);
	free(world->session.slots);
	free(world->session.slot_blocks);
	kcatch_count_destroy(world->session.count);
	kcatch_symbols_destroy(world->session.symbols);
	kcatch_symbol_list_destroy(world->list);
	free(world);
	return 0;
}

/* @expected: of each probe */
static void expect_counts(struct kcatch_session *session, const uint64_t *expected)
{
	const struct kcatch_counts *counts;
	uint64_t got[PROBES] = { 0 };
	size_t i;

	assert_int_equal(kcatch_session_count(session, &counts), 0);
	for (i = 0; i < counts->nr_rows; i++) {
		assert_int_equal(counts->rows[i].keys[0].kind, KCATCH_KEY_TEXT);
		got[strrchr(counts->rows[i].keys[0].text, '_')[1] - '0'] += counts->rows[i].count;
	}
	assert_memory_equal(got, expected, sizeof(got));
}

static void add_some(void)
{
	add_hits(0, 0, 1);
	add_hits(0, 1, 10);
	add_hits(0, 2, 100);
	add_hits(1, 0, 1000);
	add_hits(1, 1, 10000);
}

static void rows_of_all_processors(void **state)
{
	struct world *world = *state;

	add_some();
	expect_counts(&world->session, (const uint64_t[PROBES]){ 1001, 10010, 100 });
	expect_counts(&world->session, (const uint64_t[PROBES]){ 1001, 10010, 100 });
	add_hits(1, 2, 5);
	expect_counts(&world->session, (const uint64_t[PROBES]){ 1001, 10010, 105 });
	assert_int_equal(module.swaps, 3);
}

static void fail_once(struct kcatch_session *session)
{
	const struct kcatch_counts *counts;

	add_some();
	assert_int_equal(kcatch_session_count(session, &counts), -ENOMEM);
	assert_int_equal(module.swaps, 1);
	add_hits(0, 2, 7);
	expect_counts(session, (const uint64_t[PROBES]){ 1001, 10010, 107 });
	assert_int_equal(module.swaps, 2);
}

static void short_of_memory_at_a_processor(void **state)
{
	struct world *world = *state;

	module.rows_error = -ENOMEM;
	fail_once(&world->session);
}

static void short_of_memory_at_a_row(void **state)
{
	struct world *world = *state;

	module.probes_error = -ENOMEM;
	fail_once(&world->session);
}

/* What was taken before the error may be reset: the rest is not. */
static void reset_between(void **state)
{
	struct world *world = *state;
	const struct kcatch_counts *counts;

	module.probes_error = -ENOMEM;
	add_some();
	assert_int_equal(kcatch_session_count(&world->session, &counts), -ENOMEM);
	kcatch_session_count_reset(&world->session);
	expect_counts(&world->session, (const uint64_t[PROBES]){ 1000, 10010, 100 });
}

/* A damaged log does not stand in the way of the next ones. */
static void damaged_rows(void **state)
{
	struct world *world = *state;
	const struct kcatch_counts *counts;

	add_some();
	module.hits[0].bytes[KCATCH_ROW_OTHER + offsetof(struct kcatch_row, words)] = 77;
	assert_int_equal(kcatch_session_count(&world->session, &counts), -EPROTO);
	add_hits(0, 1, 3);
	expect_counts(&world->session, (const uint64_t[PROBES]){ 0, 3, 0 });
}

/* A frame that was interrupted is named at its address, all others at the one before. */
static void interrupted_frames(void **state)
{
	static const uint64_t words[] = { KCATCH_STACK_COMPLETE | 2ULL << 32, 0xffffffff81000010,
					  0xffffffff81001000 };
	const struct kcatch_row row = { .words = 3, .kind = KCATCH_ROW_IS_KEY, .count = 4 };
	struct world *world = *state;
	struct kcatch_count_state *count = world->session.count;
	struct log *log = &module.hits[0];
	const struct kcatch_count_key *key;
	const struct kcatch_counts *counts;

	count->fields[0].kind = FIELD_STACK;
	count->table.words = 0;
	memcpy(log->bytes + KCATCH_ROW_OTHER, &row, sizeof(row));
	memcpy(log->bytes + KCATCH_ROW_OTHER + sizeof(row), words, sizeof(words));
	log->size = KCATCH_ROW_OTHER + sizeof(row) + sizeof(words);
	assert_int_equal(kcatch_session_count(&world->session, &counts), 0);
	assert_int_equal(counts->nr_rows, 1);
	key = &counts->rows[0].keys[0];
	assert_int_equal(key->nr_frames, 2);
	assert_true(kcatch_count_key_is_return(key, 0));
	assert_false(kcatch_count_key_is_return(key, 1));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rows_of_all_processors), TEST(short_of_memory_at_a_processor),
		TEST(short_of_memory_at_a_row), TEST(reset_between), TEST(damaged_rows),
		TEST(interrupted_frames),
	};

	return cmocka_run_group_tests_name("rows of counts", tests, NULL, NULL);
}
