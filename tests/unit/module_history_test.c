/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * module_history_test.c - what a flight recorder remembers of modules, as a reader takes it
 *
 * Description: frames of a module that has gone have its names; of what was forgotten nothing is
 * known, and no other module lends it a name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <kcatch_history.h>
#include "recording/module_history.h"
#include "symbols/symbol_list.h"

#define SWAPPED 0xffffffffc0000000ULL	/* where modules take each other's place */
#define STAYS 0xffffffffc0100000ULL	/* where one is from the beginning to the end */
#define LATE 0xffffffffc0200000ULL	/* where one comes some time after the beginning */
#define SIZE 0x1000U
#define SECOND 1000000000ULL

static struct kcatch_module_history *history;
static struct kcatch_symbol_list *names;

static int set_up(void **state)
{
	(void)state;
	history = calloc(1, sizeof(*history));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	kcatch_module_history_destroy(history);
	kcatch_symbol_list_destroy(names);
	names = NULL;
	return 0;
}

/* ---- a history, and its files ---------------------------------------------------------- */

static struct kcatch_loaded_module module_at(const char *name, uint64_t base, uint64_t instance)
{
	struct kcatch_loaded_module module = { .base = base, .size = 2 * SIZE, .code = SIZE,
					       .instance = instance };

	snprintf(module.name, sizeof(module.name), "%s", name);
	return module;
}

/* A new list; each module that is new has a function of its name, and @padding bytes of others. */
static void take(struct kcatch_loaded_module *modules, size_t nr, uint64_t now, size_t padding)
{
	struct kcatch_loaded_modules list = { .list = modules, .nr = nr };
	struct kcatch_function_text texts[4] = { { .text = NULL } };
	size_t i;

	for (i = 0; i < nr; i++) {
		FILE *out;

		if (kcatch_module_history_entry(history, &modules[i]))
			continue;
		out = open_memstream(&texts[i].text, &texts[i].size);
		fprintf(out, "%llx in_%s\n", (unsigned long long)modules[i].base, modules[i].name);
		if (padding)
			fprintf(out, "10 %0*d\n", (int)padding, 0);
		fclose(out);
	}
	assert_int_equal(kcatch_module_history_take(history, &list, texts, now), 0);
	for (i = 0; i < nr; i++)
		assert_null(texts[i].text);
}

static void seen(uint64_t time)
{
	history->lists[history->nr_lists - 1].seen = time;
}

static void read_back(void)
{
	const struct kcatch_loaded_modules none = { .nr = 0 };
	char *lists, *functions;
	size_t size, length;
	FILE *file = open_memstream(&functions, &length);

	kcatch_module_history_print_functions(history, &none, file);
	fclose(file);
	assert_int_equal(kcatch_symbol_list_create(functions, length, &names), 0);
	file = open_memstream(&lists, &size);
	kcatch_module_history_print_lists(history, file);
	fclose(file);
	assert_int_equal(kcatch_symbol_list_modules(names, lists), 0);
}

/* "in_a [a]", "? [module gone]" */
static const char *name_at(uint64_t address, uint64_t time)
{
	static char text[200];
	struct kcatch_name name;

	kcatch_symbol_list_time(names, time);
	kcatch_symbol_list_find(names, address + 8, &name);
	snprintf(text, sizeof(text), "%s [%s]", name.symbol ? name.symbol : "?",
		 name.module ? name.module : "");
	return text;
}

/* ---- tests ------------------------------------------------------------------------------ */

static void each_has_its_own_time(void **state)
{
	struct kcatch_loaded_module a = module_at("a", SWAPPED, 1), b = module_at("b", SWAPPED, 2);

	(void)state;
	take(&a, 1, 10 * SECOND, 0);
	seen(12 * SECOND);
	take(&b, 1, 13 * SECOND, 0);
	seen(14 * SECOND);
	take(NULL, 0, 15 * SECOND, 0);
	seen(16 * SECOND);
	read_back();
	assert_string_equal(name_at(SWAPPED, 11 * SECOND), "in_a [a]");
	assert_string_equal(name_at(SWAPPED, 12 * SECOND), "in_a [a]");
	/* Between two looks it is one or the other. */
	assert_string_equal(name_at(SWAPPED, 12 * SECOND + 1), "? [module gone]");
	assert_string_equal(name_at(SWAPPED, 13 * SECOND), "in_b [b]");
	assert_string_equal(name_at(SWAPPED, 14 * SECOND), "in_b [b]");
	assert_string_equal(name_at(SWAPPED, 16 * SECOND), "? [module gone]");
}

static void another_build_has_names_of_its_own(void **state)
{
	struct kcatch_loaded_module a = module_at("a", SWAPPED, 1), again = a;

	(void)state;
	again.instance = 2;
	again.code += 8;
	take(&a, 1, 10 * SECOND, 0);
	seen(11 * SECOND);
	take(&again, 1, 12 * SECOND, 0);
	assert_int_equal(history->nr_gone, 1);
	free(history->loaded[0].functions.text);
	history->loaded[0].functions.text = strdup("ffffffffc0000000 anew\n");
	read_back();
	assert_string_equal(name_at(SWAPPED, 11 * SECOND), "in_a [a]");
	assert_string_equal(name_at(SWAPPED, 12 * SECOND), "anew [a]");
}

/* The kernel's list of symbols may lack those of a module whose symbols are being replaced. */
static void one_that_was_loading_is_read_again(void **state)
{
	struct kcatch_loaded_module a = module_at("a", SWAPPED, 1);

	(void)state;
	a.loading = true;
	take(&a, 1, 10 * SECOND, 0);
	free(history->loaded[0].functions.text);
	history->loaded[0].functions.text = NULL;
	a.loading = false;
	take(&a, 1, 12 * SECOND, 0);
	read_back();
	assert_string_equal(name_at(SWAPPED, 10 * SECOND), "in_a [a]");
	assert_string_equal(name_at(SWAPPED, 11 * SECOND), "in_a [a]");
	assert_string_equal(name_at(SWAPPED, 12 * SECOND), "in_a [a]");
}

static void functions_are_forgotten_first(void **state)
{
	const size_t padding = KCATCH_HISTORY_FUNCTIONS / 4;
	char name[] = "a";
	uint64_t i;

	(void)state;
	for (i = 0; i < 8; i++) {
		struct kcatch_loaded_module module;

		name[0] = (char)('a' + i);
		module = module_at(name, SWAPPED, i + 1);
		take(&module, 1, (10 + i) * SECOND, padding);
	}
	read_back();
	assert_string_equal(name_at(SWAPPED, 10 * SECOND), "? [a]");
	assert_string_equal(name_at(SWAPPED, 13 * SECOND), "? [d]");
	assert_string_equal(name_at(SWAPPED, 14 * SECOND), "in_e [e]");
	assert_string_equal(name_at(SWAPPED, 17 * SECOND), "in_h [h]");
}

/* Each second another module has the place, until many more came than are kept. */
static void what_is_forgotten_has_no_name(void **state)
{
	const uint64_t nr = 3 * KCATCH_HISTORY_LISTS, late_at = 10;
	uint64_t i, known = 0, late_known = 0;

	(void)state;
	for (i = 0; i < nr; i++) {
		char name[16];
		struct kcatch_loaded_module modules[3] = {
			module_at("stays", STAYS, 1), [2] = module_at("late", LATE, 2),
		};

		snprintf(name, sizeof(name), "m%u", (unsigned int)i);
		modules[1] = module_at(name, SWAPPED, 100 + i);
		take(modules, i < late_at ? 2 : 3, (1 + i) * SECOND, 0);
		seen((1 + i) * SECOND + SECOND / 2);
		assert_true(history->nr_lists <= KCATCH_HISTORY_LISTS);
		assert_true(history->nr_gone <= KCATCH_HISTORY_LISTS);
	}
	read_back();
	for (i = 0; i < nr; i++) {
		uint64_t time = (1 + i) * SECOND + SECOND / 4;
		char own[40];
		const char *name;

		snprintf(own, sizeof(own), "in_m%u [m%u]", (unsigned int)i, (unsigned int)i);
		name = name_at(SWAPPED, time);
		if (!strcmp(name, own))
			known++;
		else
			assert_string_equal(name, "? [module gone]");
		if (i >= nr - KCATCH_HISTORY_LISTS + 1)
			assert_string_equal(name, own);
		assert_string_equal(name_at(STAYS, time), "in_stays [stays]");
		name = name_at(LATE, time);
		if (!strcmp(name, "in_late [late]"))
			late_known++;
		else
			assert_string_equal(name, "? [module gone]");
		if (i < late_at)
			assert_string_equal(name, "? [module gone]");
	}
	assert_int_equal(known, KCATCH_HISTORY_LISTS - 1);
	assert_int_equal(late_known, KCATCH_HISTORY_LISTS - 1);
}

/* A year of anchors: those of the last days are all there, and the older ones are thinned out. */
static void clocks_of_a_year(void **state)
{
	const uint64_t nr = 365 * 24 * 360, apart = 10 * SECOND;
	const struct kcatch_clock_history *clock = &history->clock;
	struct kcatch_anchor anchor = { .realtime = 1 };
	uint64_t i;

	(void)state;
	for (i = 1; i <= nr; i++) {
		anchor.clock = 3 * i * apart;
		anchor.monotonic = i * apart;
		assert_int_equal(kcatch_clock_history_add(&history->clock, &anchor), 0);
		/* One that does not rise is left out. */
		assert_int_equal(kcatch_clock_history_add(&history->clock, &anchor), 0);
	}
	assert_in_range(clock->nr, 32768, 65536);
	for (i = 1; i < clock->nr; i++) {
		uint64_t step = clock->anchors[i].monotonic - clock->anchors[i - 1].monotonic;

		assert_true(clock->anchors[i].clock > clock->anchors[i - 1].clock);
		assert_true(step == apart || i < clock->nr - 32768);
	}
	assert_int_equal(clock->anchors[0].monotonic, apart);
	assert_int_equal(clock->anchors[clock->nr - 1].monotonic, nr * apart);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_has_its_own_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_build_has_names_of_its_own, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(one_that_was_loading_is_read_again, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(functions_are_forgotten_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_forgotten_has_no_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(clocks_of_a_year, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("history of modules", tests, NULL, NULL);
}
