/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf_fuzz.c - fuzzes type information: every question about every type, plans of every function,
 * plans out of JSON, and values of any bytes
 *
 * An input is the kernel's types, behind two bytes that say how long they are, then a module's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>
#include <linux/btf.h>

#include <kcatch_containers.h>
#include <kcatch_json.h>
#include <kcatch_text.h>
#include "arch/arch.h"
#include "base/suggest.h"
#include "btf_fixture.h"
#include "fetch/decode.h"
#include "fetch/plan.h"
#include "fetch/plan_json.h"
#include "fuzz.h"
#include "types/btf_data.h"
#include "types/types.h"

#define TYPES_MAX 300U		/* that are looked at, one by one */
#define MEMBERS_MAX 40U

/* ---- types --------------------------------------------------------------------------- */

static void ask_members(struct kcatch_type type)
{
	struct kcatch_member member, found;
	uint32_t i, nr = kcatch_type_nr_members(type);

	for (i = 0; i < nr && i < MEMBERS_MAX; i++) {
		FUZZ_CHECK(!kcatch_type_member(type, i, &member), "member %u of %u", i, nr);
		kcatch_type_size(member.type);
		if (*member.name)
			FUZZ_CHECK(!kcatch_type_find(type, member.name, &found), "%s is there",
				   member.name);
	}
	FUZZ_CHECK(kcatch_type_member(type, nr, &member), "a member too many");
	kcatch_type_find(type, "no such", &found);
}

static void ask_type(struct kcatch_types *types, struct kcatch_type type)
{
	struct kcatch_type other;
	char text[100];
	size_t room;

	for (room = 1; room <= sizeof(text); room += 33)
		FUZZ_CHECK(kcatch_type_text(type, text, room) < room, "a text too long");
	kcatch_type_size(type);
	kcatch_type_is_signed(type);
	kcatch_type_is_bool(type);
	kcatch_type_is_char(type);
	kcatch_type_is_const(type);
	kcatch_type_target(type);
	kcatch_type_nr_elements(type);
	ask_members(type);
	if (*kcatch_type_name(type))
		kcatch_types_struct(types, kcatch_type_name(type), &other);
}

static void ask_names(struct kcatch_types *types)
{
	static const char *const texts[] = { "unsigned long", "const char *", "struct thing *",
					     "enum color", "size_t", "void *", "struct ", "" };
	struct kcatch_suggest suggest;
	struct kcatch_member member;
	struct kcatch_type type;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		kcatch_types_written(types, texts[i], &type);
		kcatch_types_struct(types, texts[i], &type);
	}
	kcatch_types_suggest(types, "struct thinge", &suggest);
	kcatch_types_enumerator(types, "RED", &member);
}

/* ---- plans and values ---------------------------------------------------------------- */

static void decode(const struct kcatch_plan *plan, const uint8_t *bytes, size_t size)
{
	struct kcatch_fetched fetched = { .entry = bytes, .entry_size = size / 8 * 8,
		.at_return = bytes, .return_size = size / 8 * 8, .returned = true, .ret = size };
	const struct kcatch_value *values, *ret;
	struct kcatch_decoder *decoder;
	uint32_t nr;

	FUZZ_CHECK(!kcatch_decoder_create(NULL, NULL, &decoder), "no memory");
	FUZZ_CHECK(!kcatch_decode_args(decoder, plan, &fetched, &values, &nr), "no memory");
	FUZZ_CHECK(!kcatch_decode_return(decoder, plan, &fetched, &ret), "no memory");
	kcatch_decoder_destroy(decoder);
}

/* A plan goes with a recording, and is there again. */
static void keep_plan(struct kcatch_types *types, const struct kcatch_plan *plan,
		      const uint8_t *bytes, size_t size)
{
	struct json_writer json = { .length = 0 };
	struct json_object *object;
	struct kcatch_plan *again;
	const char *where;
	int ret;

	ret = kcatch_plan_to_json(plan, types, &json, &where);
	json_put_ready(&json, "", 1);
	object = ret ? NULL : json_tokener_parse(json.text);
	FUZZ_CHECK(ret || object, "no JSON: %s", json.text);
	ret = ret ? ret : kcatch_plan_from_json(object, kcatch_arch_running(), types, &again);
	/* Types may refer to one that is not there, or be of several modules. */
	FUZZ_CHECK(!object || !ret || ret == -ENOENT, "%s: %s", kcatch_error_text(), json.text);
	if (!ret) {
		decode(again, bytes, size);
		kcatch_plan_destroy(again);
	}
	json_object_put(object);
	json_writer_deinit(&json);
}

static void plan_type(struct kcatch_types *types, struct kcatch_type proto, const uint8_t *bytes,
		      size_t size)
{
	const struct kcatch_plan_options options[] = {
		{ .returns = true }, { .deep = 3, .returns = true, .struct_size = 512 },
		{ .tracepoint = true },
	};
	struct kcatch_plan *plan;
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (kcatch_plan_create(types, proto, &options[i], &plan))
			continue;
		decode(plan, bytes, size);
		keep_plan(types, plan, bytes, size);
		kcatch_plan_destroy(plan);
	}
}

/* Functions of one class are fetched alike. */
static void classify(struct kcatch_types *types, const char *where)
{
	const struct kcatch_plan_options options = { .returns = true };
	struct kcatch_plan_types *known = calloc(1, sizeof(*known));
	struct kcatch_table classes = { 0 };
	struct kcatch_arena memory = { 0 };
	struct kcatch_type proto;
	uint32_t id;
	size_t i;

	FUZZ_CHECK(known, "no memory");
	for (id = 0; id < TYPES_MAX && !kcatch_types_at(types, where, id, &proto); id++) {
		struct kcatch_plan_class class, *kept;
		struct kcatch_plan *plan;
		size_t *found;

		if (kcatch_type_kind(proto) != BTF_KIND_FUNC_PROTO ||
		    !kcatch_plan_classify(known, proto, &options, &class) ||
		    kcatch_plan_create(types, proto, &options, &plan))
			continue;
		found = kcatch_table_find(&classes, (const char *)class.words, class.size);
		if (found) {
			FUZZ_CHECK(kcatch_plan_same_items(plan, (struct kcatch_plan *)*found),
				   "type %u is of a class with other items", id);
			kcatch_plan_destroy(plan);
			continue;
		}
		kept = kcatch_arena_take(&memory, sizeof(*kept));
		FUZZ_CHECK(kept, "no memory");
		*kept = class;
		FUZZ_CHECK(!kcatch_table_add(&classes, (const char *)kept->words, kept->size,
					     (size_t)plan), "no memory");
	}
	for (i = 0; i < classes.count; i++)
		kcatch_plan_destroy((struct kcatch_plan *)classes.entries[i].value);
	kcatch_table_deinit(&classes);
	kcatch_arena_deinit(&memory);
	free(known);
}

/* ---- an input ------------------------------------------------------------------------ */

static void ask_all(struct kcatch_types *types, const char *where, const uint8_t *bytes,
		    size_t size)
{
	struct kcatch_type type;
	uint32_t id;

	for (id = 0; id < TYPES_MAX && !kcatch_types_at(types, where, id, &type); id++) {
		ask_type(types, type);
		if (kcatch_type_kind(type) == BTF_KIND_FUNC_PROTO)
			plan_type(types, type, bytes, size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = { data, size };
	struct kcatch_types *types;
	struct kcatch_type proto;
	size_t length;
	const uint8_t *bytes;

	length = fuzz_number(&input, 2);
	bytes = fuzz_take(&input, &length);
	fuzz_write("vmlinux", bytes, length);
	fuzz_write("mod", input.at, input.left);
	if (kcatch_types_open_directory(&types, fuzz_directory())) {
		FUZZ_CHECK(*kcatch_error_text(), "no word on what is wrong");
		return 0;
	}
	kcatch_types_function(types, "mod", "made", &proto);
	ask_all(types, "vmlinux", bytes, length);
	ask_all(types, "mod", bytes, length);
	classify(types, "vmlinux");
	classify(types, "mod");
	ask_names(types);
	kcatch_types_close(types);
	return 0;
}

/* ---- mutations ----------------------------------------------------------------------- */

static size_t make_seed(uint8_t *bytes, size_t room)
{
	struct btf_fixture_parameter made[] = { { "p", 0 }, { "name", 0 }, { "buf", 0 },
						{ "count", 0 }, BTF_FIXTURE_END };
	uint32_t number, word, letter, text, thing;
	struct btf_fixture f;
	size_t size;

	btf_fixture_init(&f);
	number = btf_fixture_int(&f, "int", 4, BTF_INT_SIGNED, 32);
	word = btf_fixture_int(&f, "long unsigned int", 8, 0, 64);
	letter = btf_fixture_int(&f, "char", 1, BTF_INT_SIGNED, 8);
	text = btf_fixture_pointer(&f, btf_fixture_const(&f, letter));
	thing = btf_fixture_type(&f, "thing", BTF_KIND_STRUCT, true, 3, 24);
	btf_fixture_member(&f, "three", number, 0, 3);
	btf_fixture_member(&f, "text", text, 64, 0);
	btf_fixture_member(&f, "next", thing + 1, 128, 0);
	made[0].type = btf_fixture_pointer(&f, thing);
	made[1].type = text;
	made[2].type = btf_fixture_pointer(&f, letter);
	made[3].type = word;
	btf_fixture_function(&f, "made", number, made);
	size = btf_fixture_bytes(&f, bytes + 2, room - 2);
	memcpy(bytes, &size, 2);
	memcpy(bytes + 2 + size, bytes + 2, size);
	return 2 + 2 * size;
}

/* Descriptions are words: numbers of types, sizes, kinds. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	size_t nr = 1;

	fuzz_seed(seed);
	if (size < 2 + 2 * sizeof(struct btf_header) || !fuzz_choose(2000))
		return most < 4096 ? LLVMFuzzerMutate(data, size, most) : make_seed(data, most);
	if (!fuzz_choose(4))
		return LLVMFuzzerMutate(data, size, most);
	for (nr += fuzz_choose(3); nr; nr--)
		fuzz_change_word(data + 2, (size - 2) / 4 * 4);
	return size;
}
