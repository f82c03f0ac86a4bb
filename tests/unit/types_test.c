// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: types out of type information made by hand are what they were made
 * to be: sizes, offsets, bitfields of both styles, enums, texts as C writes them; and
 * damaged type information is refused or read without harm.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <kcatch_text.h>
#include "btf_fixture.h"

/* The numbers of the types that make() adds. */
enum {
	INT = 1, CHAR, LONG, BOOL, U8, INT_5, NAMELESS, OUTER, ENUM, ENUM64, POINTER, CONST_OUTER,
	CONST_POINTER, ARRAY, MATRIX, PROTO, CALLBACK, FUNCTION_PROTO, FUNCTION, ENDLESS, FLOAT,
};

static void make(struct btf_fixture *f)
{
	btf_fixture_init(f);
	btf_fixture_int(f, "int", 4, BTF_INT_SIGNED, 32);
	btf_fixture_int(f, "char", 1, BTF_INT_SIGNED, 8);
	btf_fixture_int(f, "long unsigned int", 8, 0, 64);
	btf_fixture_int(f, "_Bool", 1, BTF_INT_BOOL, 8);
	btf_fixture_type(f, "u8", BTF_KIND_TYPEDEF, false, 0, CHAR);
	btf_fixture_int(f, "int", 4, 0, 5);			/* old style bitfield */
	btf_fixture_type(f, NULL, BTF_KIND_UNION, false, 2, 8);
	btf_fixture_member(f, "word", LONG, 0, 0);
	btf_fixture_member(f, "five", INT_5, 32, 0);
	btf_fixture_type(f, "outer", BTF_KIND_STRUCT, true, 5, 32);
	btf_fixture_member(f, "first", INT, 0, 0);
	btf_fixture_member(f, "three", INT, 33, 3);
	btf_fixture_member(f, NULL, NAMELESS, 64, 0);
	btf_fixture_member(f, "name", ARRAY, 128, 0);
	btf_fixture_member(f, "self", POINTER, 192, 0);
	btf_fixture_type(f, "color", BTF_KIND_ENUM, true, 2, 4);
	btf_fixture_word(f, btf_fixture_name(f, "RED"));
	btf_fixture_word(f, 7);
	btf_fixture_word(f, btf_fixture_name(f, "BLUE"));
	btf_fixture_word(f, (uint32_t)-2);
	btf_fixture_type(f, "large", BTF_KIND_ENUM64, false, 1, 8);
	btf_fixture_word(f, btf_fixture_name(f, "HIGH"));
	btf_fixture_word(f, 1);
	btf_fixture_word(f, 0x80000000);
	btf_fixture_pointer(f, CONST_OUTER);
	btf_fixture_const(f, OUTER);
	btf_fixture_const(f, POINTER);
	btf_fixture_array(f, CHAR, 6);
	btf_fixture_array(f, ARRAY, 3);
	btf_fixture_type(f, NULL, BTF_KIND_FUNC_PROTO, false, 2, INT);
	btf_fixture_word(f, 0);
	btf_fixture_word(f, CONST_POINTER);
	btf_fixture_word(f, 0);
	btf_fixture_word(f, 0);
	btf_fixture_pointer(f, PROTO);
	btf_fixture_function(f, "outer_call", 0, (struct btf_fixture_parameter[]){
		{ "self", POINTER }, { "done", CALLBACK }, BTF_FIXTURE_END });
	btf_fixture_type(f, "endless", BTF_KIND_TYPEDEF, false, 0, ENDLESS);
	btf_fixture_type(f, "float", BTF_KIND_FLOAT, false, 0, 4);
}

static int open_types(void **state)
{
	struct btf_fixture fixture;
	struct kcatch_types *types;

	make(&fixture);
	if (btf_fixture_open(&fixture, &types))
		return -1;
	*state = types;
	return 0;
}

static int close_types(void **state)
{
	kcatch_types_close(*state);
	return 0;
}

static struct kcatch_type type_of(void **state, uint32_t id)
{
	struct kcatch_type type;

	assert_int_equal(kcatch_types_struct(*state, "struct outer", &type), 0);
	type.id = id;
	return type;
}

static void assert_text(void **state, uint32_t id, const char *expected)
{
	char text[128];

	assert_int_equal(kcatch_type_text(type_of(state, id), text, sizeof(text)),
			 strlen(expected));
	assert_string_equal(text, expected);
}

static void texts(void **state)
{
	char text[5];

	assert_text(state, 0, "void");
	assert_text(state, INT, "int");
	assert_text(state, POINTER, "const struct outer *");
	assert_text(state, CONST_POINTER, "const struct outer *const");
	assert_text(state, MATRIX, "char[3][6]");
	assert_text(state, CALLBACK, "int (*)(const struct outer *const, ...)");
	assert_text(state, NAMELESS, "union {...}");
	assert_text(state, ENUM, "enum color");
	assert_text(state, U8, "u8");
	assert_int_equal(kcatch_type_text(type_of(state, POINTER), text, sizeof(text)), 4);
	assert_string_equal(text, "cons");
}

static void sizes_and_kinds(void **state)
{
	assert_int_equal(kcatch_type_size(type_of(state, OUTER)), 32);
	assert_int_equal(kcatch_type_size(type_of(state, MATRIX)), 18);
	assert_int_equal(kcatch_type_size(type_of(state, CONST_POINTER)), 8);
	assert_int_equal(kcatch_type_size(type_of(state, ENUM64)), 8);
	assert_int_equal(kcatch_type_size(type_of(state, 0)), -EINVAL);
	assert_int_equal(kcatch_type_size(type_of(state, PROTO)), -EINVAL);
	assert_int_equal(kcatch_type_size(type_of(state, ENDLESS)), -EINVAL);
	assert_int_equal(kcatch_type_size(type_of(state, 10000)), -EINVAL);
	assert_int_equal(kcatch_type_kind(type_of(state, CONST_POINTER)), BTF_KIND_PTR);
	assert_int_equal(kcatch_type_kind(type_of(state, 0)), BTF_KIND_UNKN);
	assert_true(kcatch_type_is_signed(type_of(state, INT)));
	assert_false(kcatch_type_is_signed(type_of(state, LONG)));
	assert_true(kcatch_type_is_signed(type_of(state, ENUM)));
	assert_true(kcatch_type_is_bool(type_of(state, BOOL)));
	assert_true(kcatch_type_is_char(type_of(state, CHAR)));
	assert_false(kcatch_type_is_char(type_of(state, U8)));
	assert_false(kcatch_type_is_char(type_of(state, BOOL)));
	assert_true(kcatch_type_is_const(kcatch_type_target(type_of(state, POINTER))));
	assert_int_equal(kcatch_type_target(type_of(state, ARRAY)).id, CHAR);
	assert_int_equal(kcatch_type_nr_elements(type_of(state, ARRAY)), 6);
}

static void members(void **state)
{
	struct kcatch_type outer = type_of(state, CONST_OUTER);
	struct kcatch_member member;

	assert_int_equal(kcatch_type_nr_members(outer), 5);
	assert_int_equal(kcatch_type_find(outer, "three", &member), 0);
	assert_int_equal(member.bit_offset, 33);
	assert_int_equal(member.bit_size, 3);
	assert_int_equal(kcatch_type_find(outer, "word", &member), 0);
	assert_int_equal(member.bit_offset, 64);
	assert_int_equal(member.bit_size, 0);
	assert_int_equal(kcatch_type_find(outer, "five", &member), 0);
	assert_int_equal(member.bit_offset, 96);
	assert_int_equal(member.bit_size, 5);
	assert_int_equal(kcatch_type_find(outer, "nothing", &member), -ENOENT);
	assert_int_equal(kcatch_type_find(outer, "", &member), -ENOENT);
	assert_int_equal(kcatch_type_member(outer, 5, &member), -ERANGE);
	assert_int_equal(kcatch_type_find(type_of(state, ENUM), "BLUE", &member), 0);
	assert_int_equal(member.value, -2);
	assert_int_equal(kcatch_type_member(type_of(state, ENUM64), 0, &member), 0);
	assert_int_equal((uint64_t)member.value, 0x8000000000000001);
	assert_int_equal(kcatch_type_find(type_of(state, FUNCTION_PROTO), "done", &member), 0);
	assert_int_equal(member.type.id, CALLBACK);
}

static void lookups(void **state)
{
	struct kcatch_type type;
	int i;

	/* The first go through all types, the later ones have an index. */
	for (i = 0; i < 5; i++) {
		assert_int_equal(kcatch_types_function(*state, NULL, "outer_call", &type), 0);
		assert_int_equal(type.id, FUNCTION_PROTO);
		assert_int_equal(kcatch_types_function(*state, NULL, "outer", &type), -ENOENT);
	}
	assert_int_equal(kcatch_types_function(*state, NULL, "outer_call.isra.0", &type), -ENOENT);
	assert_int_equal(kcatch_types_function(*state, "module", "outer_call", &type), -ENOENT);
	assert_int_equal(kcatch_types_struct(*state, "enum color", &type), 0);
	assert_int_equal(type.id, ENUM);
	assert_int_equal(kcatch_types_struct(*state, "enum large", &type), 0);
	assert_int_equal(type.id, ENUM64);
	assert_int_equal(kcatch_types_struct(*state, "u8", &type), 0);
	assert_int_equal(type.id, U8);
	assert_int_equal(kcatch_types_struct(*state, "long unsigned int", &type), 0);
	assert_int_equal(type.id, LONG);
	assert_int_equal(kcatch_types_struct(*state, "outer", &type), -ENOENT);
	assert_int_equal(kcatch_types_struct(*state, "struct ", &type), -ENOENT);
}

/* Static functions of one name in different files: BTF does not tell which is at which address. */
static void namesakes(void **state)
{
	struct btf_fixture f;
	struct kcatch_types *types;
	struct kcatch_type type;
	uint32_t number, text, i;

	(void)state;
	btf_fixture_init(&f);
	number = btf_fixture_int(&f, "int", 4, BTF_INT_SIGNED, 32);
	text = btf_fixture_pointer(&f, number);
	btf_fixture_function(&f, "stores", number, (struct btf_fixture_parameter[]){
		{ "drv", text }, { "buf", text }, { "count", number }, BTF_FIXTURE_END });
	btf_fixture_function(&f, "shows", number, (struct btf_fixture_parameter[]){
		{ "file", text }, BTF_FIXTURE_END });
	btf_fixture_function(&f, "sizes", number, (struct btf_fixture_parameter[]){
		{ "of", text }, BTF_FIXTURE_END });
	btf_fixture_function(&f, "stores", number, (struct btf_fixture_parameter[]){
		{ "dev", text }, { "attr", text }, { "buf", text }, { "count", number },
		BTF_FIXTURE_END });
	btf_fixture_function(&f, "shows", number, (struct btf_fixture_parameter[]){
		{ "other", text }, BTF_FIXTURE_END });
	btf_fixture_function(&f, "sizes", text, (struct btf_fixture_parameter[]){
		{ "of", text }, BTF_FIXTURE_END });
	btf_fixture_function(&f, "shows", number, (struct btf_fixture_parameter[]){
		{ "f", text }, BTF_FIXTURE_END });
	btf_fixture_function(&f, "takes", number, (struct btf_fixture_parameter[]){
		{ "a", number }, BTF_FIXTURE_END });
	btf_fixture_function(&f, "takes", number, (struct btf_fixture_parameter[]){
		{ "a", text }, BTF_FIXTURE_END });
	assert_int_equal(btf_fixture_open(&f, &types), 0);
	/* Without an index, then with one. */
	for (i = 0; i < 5; i++) {
		assert_int_equal(kcatch_types_function(types, NULL, "stores", &type), -ENOENT);
		assert_non_null(strstr(kcatch_error_text(), "several functions are called 'stores'"));
		assert_int_equal(kcatch_types_function(types, NULL, "sizes", &type), -ENOENT);
		assert_int_equal(kcatch_types_function(types, NULL, "takes", &type), -ENOENT);
		/* The names of arguments alone differ. */
		assert_int_equal(kcatch_types_function(types, NULL, "shows", &type), 0);
		assert_int_equal(kcatch_type_nr_members(type), 1);
	}
	/* A name that is there once may be of one of several functions. */
	assert_true(kcatch_types_unsure(types, NULL));
	kcatch_types_close(types);

	btf_fixture_init(&f);
	number = btf_fixture_int(&f, "int", 4, BTF_INT_SIGNED, 32);
	btf_fixture_function(&f, "stores", number, (struct btf_fixture_parameter[]){
		{ "count", number }, BTF_FIXTURE_END });
	btf_fixture_function(&f, "shows", number, (struct btf_fixture_parameter[]){
		{ "count", number }, BTF_FIXTURE_END });
	assert_int_equal(btf_fixture_open(&f, &types), 0);
	assert_false(kcatch_types_unsure(types, NULL));
	kcatch_types_close(types);
}

static void *look_up(void *types)
{
	struct kcatch_type type;
	uintptr_t i, found = 0;

	for (i = 0; i < 1000; i++)
		found += !kcatch_types_function(types, NULL, "outer_call", &type) &&
			 type.id == FUNCTION_PROTO;
	return (void *)found;
}

/* Sessions of different threads have the kernel's types in common. */
static void put_enum(struct btf_fixture *f, const char *name, bool is_signed,
		     const char *value_name, uint32_t value)
{
	btf_fixture_type(f, name, BTF_KIND_ENUM, is_signed, 1, 4);
	btf_fixture_word(f, btf_fixture_name(f, value_name));
	btf_fixture_word(f, value);
}

/* The flag says which enums are signed, but of old compilers, that set it nowhere. */
static void signs_of_enums(void **state)
{
	struct btf_fixture f;
	struct kcatch_member member;
	struct kcatch_types *types;
	struct kcatch_type type;
	int flags;

	(void)state;
	for (flags = 0; flags < 2; flags++) {
		btf_fixture_init(&f);
		put_enum(&f, "bits", false, "HIGH_BIT", 0x80000001);
		put_enum(&f, "kinds", false, "KIND", 5);
		put_enum(&f, "errors", flags, "ERROR", (uint32_t)-3);
		assert_int_equal(btf_fixture_open(&f, &types), 0);
		assert_int_equal(kcatch_types_struct(types, "enum bits", &type), 0);
		assert_int_equal(kcatch_type_is_signed(type), !flags);
		assert_int_equal(kcatch_type_member(type, 0, &member), 0);
		assert_true(member.value == (flags ? 0x80000001LL : (int32_t)0x80000001));
		assert_int_equal(kcatch_types_struct(types, "enum kinds", &type), 0);
		assert_false(kcatch_type_is_signed(type));
		assert_int_equal(kcatch_types_struct(types, "enum errors", &type), 0);
		assert_true(kcatch_type_is_signed(type));
		assert_int_equal(kcatch_types_enumerator(types, "ERROR", &member), 0);
		assert_int_equal(member.value, -3);
		kcatch_types_close(types);
	}
}

static void threads_look_up(void **state)
{
	pthread_t threads[4];
	void *found;
	int i;

	for (i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, look_up, *state), 0);
	for (i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(threads[i], &found), 0);
		assert_int_equal((uintptr_t)found, 1000);
	}
}

/* Everything that can be asked of every type. */
static void ask_all(struct kcatch_types *types, const struct btf_fixture *fixture)
{
	struct kcatch_member member;
	struct kcatch_type type;
	char text[64];
	uint32_t i;

	if (kcatch_types_struct(types, "struct outer", &type))
		return;
	for (type.id = 0; type.id < fixture->nr_types + 3; type.id++) {
		kcatch_type_text(type, text, sizeof(text));
		kcatch_type_size(type);
		kcatch_type_name(type);
		kcatch_type_is_signed(type);
		kcatch_type_is_char(type);
		kcatch_type_find(type, "five", &member);
		for (i = 0; i < 6; i++)
			kcatch_type_member(type, i, &member);
	}
	kcatch_types_function(types, NULL, "outer_call", &type);
}

static void damaged(void **state)
{
	struct btf_fixture good, bad;
	int i, opened = 0;

	(void)state;
	make(&good);
	srandom(11);
	for (i = 0; i < 3000; i++) {
		struct kcatch_types *types;
		int changes = 1 + random() % 3;

		bad = good;
		while (changes--)
			bad.types[random() % bad.nr_words] = random() % 4 ? random() % 64 :
							     (uint32_t)random();
		if (random() % 8 == 0)
			bad.nr_words -= random() % 4;
		if (btf_fixture_open(&bad, &types))
			continue;
		opened++;
		ask_all(types, &bad);
		kcatch_types_close(types);
	}
	assert_true(opened > 100);
}

/* Modules come packed on some distributions. */
static void packed(void **state)
{
	static const char *const packers[] = { "xz", "zstd -q", "zstd -q --no-content-size",
					       "gzip", "gzip -1 -n", "bzip2" };
	static const char *const damage[] = { "xz | head -c -7", "xz | head -c 40", "zstd -q | head -c -3",
					      "gzip | head -c -9", "gzip | head -c 20" };
	struct btf_fixture fixture;
	struct kcatch_types *types;
	struct kcatch_type type;
	size_t i;

	(void)state;
	make(&fixture);
	for (i = 0; i < 5; i++) {
		assert_int_equal(btf_fixture_open_packed(&fixture, packers[i], &types), 0);
		assert_int_equal(kcatch_types_struct(types, "struct outer", &type), 0);
		assert_int_equal(kcatch_type_size(type), 32);
		kcatch_types_close(types);
	}
	/* One that is not known is no type information. */
	assert_int_equal(btf_fixture_open_packed(&fixture, packers[i], &types), -EINVAL);
	for (i = 0; i < sizeof(damage) / sizeof(damage[0]); i++)
		assert_int_equal(btf_fixture_open_packed(&fixture, damage[i], &types), -EINVAL);
}

/* Some kilobytes can unpack to anything: that ends at a size that memory has room for. */
static void unpacks_to_too_much(void **state)
{
	struct btf_fixture fixture;
	struct kcatch_types *types;

	(void)state;
	make(&fixture);
	assert_int_equal(btf_fixture_open_packed(&fixture, "head -c 200M /dev/zero | zstd -q",
						 &types), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "cannot be unpacked"));
	assert_int_equal(btf_fixture_open_packed(&fixture, "head -c 200M /dev/zero | gzip",
						 &types), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "cannot be unpacked"));
}

#define NEWER_KIND 23

/* A kind that came later stands between two structs; it has a word and two words a part. */
static void make_newer(struct btf_fixture *f)
{
	btf_fixture_init(f);
	btf_fixture_int(f, "int", 4, BTF_INT_SIGNED, 32);
	btf_fixture_type(f, "before", BTF_KIND_STRUCT, true, 1, 4);
	btf_fixture_member(f, "value", 1, 0, 0);
	btf_fixture_type(f, "later", NEWER_KIND, false, 2, 1);
	btf_fixture_word(f, 0);
	btf_fixture_word(f, 1);
	btf_fixture_word(f, 2);
	btf_fixture_word(f, 3);
	btf_fixture_word(f, 4);
	btf_fixture_type(f, "behind", BTF_KIND_STRUCT, true, 1, 8);
	btf_fixture_member(f, "value", 1, 32, 0);
}

/* What is known of a newer kernel is used, and one sentence names what is not. */
static void newer_kinds(void **state)
{
	struct btf_fixture fixture;
	struct kcatch_types *types;
	struct kcatch_type type;
	bool ends_early;

	(void)state;
	make_newer(&fixture);
	assert_int_equal(btf_fixture_open(&fixture, &types), 0);
	assert_int_equal(kcatch_types_unknown(types, &ends_early), NEWER_KIND);
	assert_true(ends_early);
	assert_int_equal(kcatch_types_struct(types, "struct before", &type), 0);
	assert_int_equal(kcatch_type_size(type), 4);
	assert_int_equal(kcatch_types_struct(types, "struct behind", &type), -ENOENT);
	assert_non_null(strstr(kcatch_error_text(), "kind 23"));
	kcatch_types_close(types);

	/* With the layouts of all kinds those behind it are known, too. */
	fixture.layouts[NEWER_KIND] = 4 | 8 << 8;
	fixture.nr_layouts = NEWER_KIND + 1;
	assert_int_equal(btf_fixture_open(&fixture, &types), 0);
	assert_int_equal(kcatch_types_unknown(types, &ends_early), NEWER_KIND);
	assert_false(ends_early);
	assert_int_equal(kcatch_types_struct(types, "struct behind", &type), 0);
	assert_int_equal(kcatch_type_size(type), 8);
	kcatch_types_close(types);

	/* A layout that leads out of the file is damage. */
	fixture.layouts[NEWER_KIND] = 4 | 252 << 8;
	assert_int_equal(btf_fixture_open(&fixture, &types), -EINVAL);

	/* Nothing is known of a file that begins with it, nor of a module behind such a kernel. */
	btf_fixture_init(&fixture);
	btf_fixture_type(&fixture, "later", NEWER_KIND, false, 0, 1);
	assert_int_equal(btf_fixture_open(&fixture, &types), -EOPNOTSUPP);
	assert_non_null(strstr(kcatch_error_text(), "kind 23"));
}

static void write_modules(const char *directory, unsigned int nr)
{
	const struct btf_header head = { .magic = BTF_MAGIC, .version = BTF_VERSION,
					 .hdr_len = sizeof(head), .str_len = 100U << 20 };
	char command[300], path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/head", directory);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(&head, sizeof(head), 1, file), 1);
	fclose(file);
	snprintf(command, sizeof(command), "cd %s && head -c 100M /dev/zero | cat head - | "
		 "zstd -q >m0 && for i in $(seq %u); do ln m0 m$i; done", directory, nr - 1);
	assert_int_equal(system(command), 0);
}

/* Each file has a size that memory has room for; all of them together have not. */
static void many_modules(void **state)
{
	char directory[] = "/tmp/kcatch-types-XXXXXX", command[300], name[16];
	struct btf_fixture fixture;
	uint8_t bytes[BTF_FIXTURE_SIZE];
	struct kcatch_types *types;
	struct kcatch_type type;
	unsigned int i, opened = 0;
	FILE *file;
	size_t size;

	(void)state;
	assert_non_null(mkdtemp(directory));
	make(&fixture);
	size = btf_fixture_bytes(&fixture, bytes, sizeof(bytes));
	snprintf(command, sizeof(command), "%s/vmlinux", directory);
	file = fopen(command, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
	write_modules(directory, 20);
	assert_int_equal(kcatch_types_open_directory(&types, directory), 0);
	for (i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "m%u", i);
		opened += !kcatch_types_at(types, name, 0, &type);
	}
	assert_int_equal(opened, 1);
	/* That one is there still, and so are the kernel's. */
	assert_int_equal(kcatch_types_at(types, "m0", 0, &type), 0);
	assert_int_equal(kcatch_types_struct(types, "struct outer", &type), 0);
	kcatch_types_close(types);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	assert_int_equal(system(command), 0);
}

/*
 * Types that nest in themselves many times over, which only a hostile recording has: all
 * that can be asked of them ends. (Without a bound each would take 16^16 steps.)
 */
static void endless_nests_end(void **state)
{
	enum { FIRST = 1, NEST, TAKER };
	struct btf_fixture fixture;
	struct kcatch_member member;
	struct kcatch_types *types;
	struct kcatch_type type;
	char text[256];
	int i;

	(void)state;
	btf_fixture_init(&fixture);
	btf_fixture_int(&fixture, "int", 4, BTF_INT_SIGNED, 32);
	btf_fixture_type(&fixture, NULL, BTF_KIND_UNION, false, 16, 4);
	for (i = 0; i < 16; i++)
		btf_fixture_member(&fixture, NULL, NEST, 0, 0);
	btf_fixture_type(&fixture, NULL, BTF_KIND_FUNC_PROTO, false, 300, TAKER);
	for (i = 0; i < 300; i++) {
		btf_fixture_word(&fixture, 0);
		btf_fixture_word(&fixture, TAKER);
	}
	btf_fixture_function(&fixture, "f", FIRST, (struct btf_fixture_parameter[]){
			     { "nest", NEST }, { "taker", TAKER }, BTF_FIXTURE_END });
	assert_int_equal(btf_fixture_open(&fixture, &types), 0);
	assert_int_equal(kcatch_types_function(types, NULL, "f", &type), 0);
	kcatch_type_member(type, 0, &member);
	assert_int_equal(kcatch_type_find(member.type, "nowhere", &member), -ENOENT);
	kcatch_type_member(type, 1, &member);
	assert_true(kcatch_type_text(member.type, text, sizeof(text)) < sizeof(text));
	kcatch_types_close(types);
}

static void no_file(void **state)
{
	struct kcatch_types *types;

	(void)state;
	assert_int_equal(btf_fixture_open_file("/nonexistent/btf", &types), -ENOENT);
	assert_int_equal(btf_fixture_open_file("/dev/null", &types), -EINVAL);
	assert_int_equal(btf_fixture_open_file("/etc/passwd", &types), -EINVAL);
	/* An ELF file without type information. */
	assert_int_equal(btf_fixture_open_file("/proc/self/exe", &types), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(texts, open_types, close_types),
		cmocka_unit_test_setup_teardown(sizes_and_kinds, open_types, close_types),
		cmocka_unit_test_setup_teardown(members, open_types, close_types),
		cmocka_unit_test_setup_teardown(lookups, open_types, close_types),
		cmocka_unit_test(namesakes),
		cmocka_unit_test(signs_of_enums),
		cmocka_unit_test_setup_teardown(threads_look_up, open_types, close_types),
		cmocka_unit_test(damaged),
		cmocka_unit_test(packed), cmocka_unit_test(unpacks_to_too_much),
		cmocka_unit_test(newer_kinds),
		cmocka_unit_test(many_modules),
		cmocka_unit_test(no_file),
		cmocka_unit_test(endless_nests_end),
	};

	return cmocka_run_group_tests_name("types", tests, NULL, NULL);
}
