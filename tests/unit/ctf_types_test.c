// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a struct in a recording's metadata has all of its bits: what lies between its
 * fields, within a byte too, so that each field is read where it is; each field has a name of its
 * own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "btf_fixture.h"
#include "recording/ctf_metadata.h"

struct field {
	const char *name;
	uint32_t at, size;	/* bits */
};

/* The metadata of a function that takes a pointer to a struct of these bit-fields. */
static char *metadata_of(const struct field *fields, uint32_t nr, uint32_t size)
{
	struct btf_fixture_parameter parameters[] = { { "p", 0 }, BTF_FIXTURE_END };
	const struct kcatch_plan_options options = { .deep = 0 };
	struct kcatch_ctf ctf = { .out = NULL };
	static struct btf_fixture f;
	struct kcatch_types *types;
	struct kcatch_type proto;
	struct kcatch_plan *plan;
	uint32_t number, type, i;
	size_t length;
	char *text;

	btf_fixture_init(&f);
	number = btf_fixture_int(&f, "unsigned int", 4, 0, 32);
	type = btf_fixture_type(&f, "bits", BTF_KIND_STRUCT, true, nr, size);
	for (i = 0; i < nr; i++)
		btf_fixture_member(&f, fields[i].name, number, fields[i].at, fields[i].size);
	parameters[0].type = btf_fixture_pointer(&f, type);
	btf_fixture_function(&f, "function", number, parameters);
	assert_int_equal(btf_fixture_open(&f, &types), 0);
	assert_int_equal(kcatch_types_function(types, NULL, "function", &proto), 0);
	assert_int_equal(kcatch_plan_create(types, proto, &options, &plan), 0);
	ctf.out = open_memstream(&text, &length);
	assert_int_equal(kcatch_ctf_plan(&ctf, plan, 0), 0);
	fclose(ctf.out);
	kcatch_ctf_deinit(&ctf);
	kcatch_plan_destroy(plan);
	kcatch_types_close(types);
	return text;
}

/* The fields of @text are where @fields says, and end where the struct does. */
static void check_layout(const struct field *fields, uint32_t nr, uint32_t size)
{
	char *text = metadata_of(fields, nr, size), *line, *save = NULL;
	uint64_t at = 0, first = 0;
	uint32_t found = 0;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned int bits = 0;
		char name[40] = "";

		if (sscanf(line, " integer { size = %u; %*[^}]} %39[^;];", &bits, name) != 2 &&
		    sscanf(line, " x8 %39[^[][%u]", name, &bits) == 2)
			bits *= 8;
		if (found < nr && name[0] == '_' && !strcmp(name + 1, fields[found].name)) {
			if (!found)
				first = at;
			assert_int_equal(at - first, fields[found].at);
			assert_int_equal(bits, fields[found].size);
			found++;
		} else if (!found) {
			continue;	/* it is before the struct */
		}
		at += bits;
		if (strchr(line, '}') && !strchr(line, '{'))
			break;
	}
	assert_int_equal(found, nr);
	assert_int_equal(at - first, 8 * size);
	free(text);
}

static void gaps(void **state)
{
	static const struct field in_a_byte[] = { { "a", 0, 1 }, { "b", 3, 2 }, { "c", 6, 26 } };
	static const struct field to_the_next[] = { { "a", 0, 3 }, { "b", 8, 5 }, { "c", 19, 13 } };
	static const struct field over_bytes[] = { { "a", 0, 5 }, { "b", 30, 1 }, { "c", 31, 1 } };
	static const struct field none[] = { { "a", 0, 7 }, { "b", 7, 9 }, { "c", 16, 16 } };

	(void)state;
	check_layout(in_a_byte, 3, 4);
	check_layout(to_the_next, 3, 4);
	check_layout(over_bytes, 3, 4);
	check_layout(none, 3, 4);
}

/* babeltrace2 takes the underscores off, and aborts if two fields are called the same then. */
static void underscores(void **state)
{
	static const struct field fields[] = { { "one", 0, 8 }, { "__one", 8, 8 },
					       { "_one", 16, 8 }, { "__two", 24, 8 } };
	static const char *const names[] = { "} _one;\n", "} _one__;\n", "} _one_;\n",
					     "} ___two;\n" };
	char *text = metadata_of(fields, 4, 4), *at = text;
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		at = strstr(at, names[i]);
		assert_non_null(at);
		at++;
	}
	free(text);
}

/* Fields of a DO_TRACE event stand beside those of its record, which have names, too. */
static void names_of_records(void **state)
{
	const struct kcatch_event_info info = {
		.name = "event", .nr_args = 8,
		.args = { 4, 4, 4, 4, 4, 4, 4, KCATCH_EVENT_ARG_STRING },
		.format = "_pid=%d pid=%d pid_0=%d pid_1=%d pid=%d end_of_record=%d args=%d comm=%s",
	};
	static const char *const names[] = {
		" _pid_0;\n", " _pid_1;\n", " _pid_0_2;\n", " _pid_1_3;\n", " _arg4;\n",
		" _end_of_record_5;\n", " _args;\n", " _comm_7;\n", " _end_of_record;\n",
	};
	const struct kcatch_ctf_event event = {
		.name = "ktrace:event", .plan = ~0U, .ret = "x64_w", .info = &info,
		.kinds = 1U << KCATCH_RECORD_ENTRY,
	};
	struct kcatch_ctf ctf = { .out = NULL };
	char *text, *at;
	size_t length, i;

	(void)state;
	ctf.out = open_memstream(&text, &length);
	kcatch_ctf_event(&ctf, &event);
	fclose(ctf.out);
	kcatch_ctf_deinit(&ctf);
	at = text;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		at = strstr(at, names[i]);
		if (!at)
			fail_msg("no \"%s\" in \"%s\"", names[i], text);
		at++;
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(gaps), cmocka_unit_test(underscores),
					    cmocka_unit_test(names_of_records) };

	return cmocka_run_group_tests_name("types of CTF", tests, NULL, NULL);
}
