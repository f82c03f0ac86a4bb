/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions made of a few types, planned, and records of theirs that are decoded. */
#ifndef TESTS_UNIT_PLAN_FIXTURE_H
#define TESTS_UNIT_PLAN_FIXTURE_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "btf_fixture.h"
#include "condition/recorded.h"
#include "fetch/decode.h"
#include "fetch/plan_data.h"
#include "fetch/plan.h"
#include "fetch/plan_json.h"

#define UNUSED __attribute__((unused))

struct world {
	struct kcatch_types *types;
	struct kcatch_decoder *decoder;
	struct kcatch_plan *plan;
};

/* Types that functions are made of. */
enum {
	INT = 1, CHAR, LONG, BOOL, INT128, ONE_WORD, TWO_WORDS, THREE_WORDS, PACKED, EMPTY, BITS,
	CONST_CHAR,
	TEXT, OUT_TEXT, INT_POINTER, BITS_POINTER, VOID_POINTER, SSIZE, LARGE, LARGE_ARRAY,
	LARGE_POINTER,
	QSTR, QSTR_POINTER, CONST_BITS, CONST_BITS_POINTER, LINK, LINK_POINTER, NEST,
	FLAGS, FLAGS_2, FLAGS_3, OVERLAP, DENTRY, DENTRY_POINTER,
	EITHER_UNION, EITHER, EITHER_POINTER,
	OCTET, CONST_OCTET, OCTETS, SIX, EIGHT, ROOM, STATION, STATION_POINTER, DEVICE,
	DEVICE_POINTER,
	SOCKADDR, SOCKADDR_POINTER, SOCK, SOCK_POINTER, CALLBACK, CALLBACK_POINTER,
	EVEN_UNION, ODD_UNION, EVEN, ODD, FOUR,
	TYPES_END,
};

static UNUSED void make_structs(struct btf_fixture *f)
{
	btf_fixture_type(f, "one", BTF_KIND_STRUCT, false, 1, 4);
	btf_fixture_member(f, "val", INT, 0, 0);
	btf_fixture_type(f, "two", BTF_KIND_STRUCT, false, 2, 16);
	btf_fixture_member(f, "a", LONG, 0, 0);
	btf_fixture_member(f, "b", LONG, 64, 0);
	btf_fixture_type(f, "three", BTF_KIND_STRUCT, false, 2, 24);
	btf_fixture_member(f, "a", TWO_WORDS, 0, 0);
	btf_fixture_member(f, "c", LONG, 128, 0);
	btf_fixture_type(f, "packed", BTF_KIND_STRUCT, false, 2, 9);
	btf_fixture_member(f, "a", CHAR, 0, 0);
	btf_fixture_member(f, "b", LONG, 8, 0);
	btf_fixture_type(f, "empty", BTF_KIND_STRUCT, false, 0, 0);
	btf_fixture_type(f, "bits", BTF_KIND_STRUCT, true, 4, 16);
	btf_fixture_member(f, "low", INT, 0, 3);
	btf_fixture_member(f, "mid", INT, 3, 7);
	btf_fixture_member(f, "name", CONST_CHAR, 64, 0);
	btf_fixture_member(f, "flag", BOOL, 32, 0);
}

static UNUSED void make(struct btf_fixture *f)
{
	int i;

	btf_fixture_init(f);
	btf_fixture_int(f, "int", 4, BTF_INT_SIGNED, 32);
	btf_fixture_int(f, "char", 1, BTF_INT_SIGNED, 8);
	btf_fixture_int(f, "long unsigned int", 8, 0, 64);
	btf_fixture_int(f, "_Bool", 1, BTF_INT_BOOL, 8);
	btf_fixture_int(f, "__int128", 16, BTF_INT_SIGNED, 128);
	make_structs(f);
	btf_fixture_const(f, CHAR);
	btf_fixture_pointer(f, CONST_CHAR);		/* TEXT */
	btf_fixture_pointer(f, CHAR);			/* OUT_TEXT */
	btf_fixture_pointer(f, INT);
	btf_fixture_pointer(f, BITS);
	btf_fixture_pointer(f, 0);
	btf_fixture_int(f, "long int", 8, BTF_INT_SIGNED, 64);
	btf_fixture_type(f, "large", BTF_KIND_STRUCT, false, 1, 4096);
	btf_fixture_member(f, "bytes", LARGE_ARRAY, 0, 0);
	btf_fixture_array(f, LONG, 512);
	btf_fixture_pointer(f, LARGE);
	btf_fixture_type(f, "qstr", BTF_KIND_STRUCT, false, 2, 16);
	btf_fixture_member(f, "len", INT, 0, 0);
	btf_fixture_member(f, "name", TEXT, 64, 0);
	btf_fixture_pointer(f, QSTR);
	btf_fixture_const(f, BITS);
	btf_fixture_pointer(f, CONST_BITS);
	btf_fixture_type(f, "link", BTF_KIND_STRUCT, false, 2, 16);
	btf_fixture_member(f, "next", LINK_POINTER, 0, 0);
	btf_fixture_member(f, "value", LONG, 64, 0);
	btf_fixture_pointer(f, LINK);
	btf_fixture_type(f, "nest", BTF_KIND_UNION, false, 16, 16);
	for (i = 0; i < 16; i++)
		btf_fixture_member(f, i % 2 ? "n" : NULL, NEST, 0, 0);
	btf_fixture_array(f, BOOL, 16);			/* FLAGS */
	btf_fixture_array(f, FLAGS, 16);
	btf_fixture_array(f, FLAGS_2, 4);
	btf_fixture_type(f, "overlap", BTF_KIND_UNION, false, 1000, 1024);
	for (i = 0; i < 1000; i++)
		btf_fixture_member(f, "m", FLAGS_3, 0, 0);
	btf_fixture_type(f, "dentry", BTF_KIND_STRUCT, false, 1, 8);
	btf_fixture_member(f, "d", LONG, 0, 0);
	btf_fixture_pointer(f, DENTRY);
	btf_fixture_type(f, NULL, BTF_KIND_UNION, false, 2, 8);
	btf_fixture_member(f, "l", LONG, 0, 0);
	btf_fixture_member(f, "i", INT, 0, 0);
	btf_fixture_type(f, "either", BTF_KIND_STRUCT, false, 2, 16);
	btf_fixture_member(f, "a", LONG, 0, 0);
	btf_fixture_member(f, NULL, EITHER_UNION, 64, 0);
	btf_fixture_pointer(f, EITHER);
	btf_fixture_int(f, "unsigned char", 1, 0, 8);
	btf_fixture_const(f, OCTET);
	btf_fixture_pointer(f, CONST_OCTET);
	btf_fixture_array(f, OCTET, 6);
	btf_fixture_array(f, OCTET, 8);
	btf_fixture_array(f, OCTET, 32);
	btf_fixture_type(f, "station", BTF_KIND_STRUCT, false, 4, 54);
	btf_fixture_member(f, "hardware", SIX, 0, 0);
	btf_fixture_member(f, "name", EIGHT, 48, 0);
	btf_fixture_member(f, "key", EIGHT, 112, 0);
	btf_fixture_member(f, "perm_addr", ROOM, 176, 0);
	btf_fixture_pointer(f, STATION);
	btf_fixture_type(f, "net_device", BTF_KIND_FWD, false, 0, 0);
	btf_fixture_pointer(f, DEVICE);
	btf_fixture_type(f, "sockaddr", BTF_KIND_STRUCT, false, 2, 16);
	btf_fixture_member(f, "a", LONG, 0, 0);
	btf_fixture_member(f, "b", LONG, 64, 0);
	btf_fixture_pointer(f, SOCKADDR);
	btf_fixture_type(f, "sock", BTF_KIND_FWD, false, 0, 0);
	btf_fixture_pointer(f, SOCK);
	btf_fixture_type(f, NULL, BTF_KIND_FUNC_PROTO, false, 0, INT);
	btf_fixture_pointer(f, CALLBACK);
	btf_fixture_type(f, NULL, BTF_KIND_UNION, true, 2, 4);	/* EVEN_UNION */
	btf_fixture_member(f, "bits", INT, 0, 8);
	btf_fixture_member(f, "bytes", FOUR, 0, 0);
	btf_fixture_type(f, NULL, BTF_KIND_UNION, true, 2, 4);	/* ODD_UNION */
	btf_fixture_member(f, "bits", INT, 0, 24);
	btf_fixture_member(f, "bytes", FOUR, 0, 0);
	btf_fixture_type(f, "even", BTF_KIND_STRUCT, false, 2, 11);
	btf_fixture_member(f, "a", INT, 0, 0);
	btf_fixture_member(f, NULL, EVEN_UNION, 56, 0);
	btf_fixture_type(f, "odd", BTF_KIND_STRUCT, false, 2, 11);
	btf_fixture_member(f, "a", INT, 0, 0);
	btf_fixture_member(f, NULL, ODD_UNION, 56, 0);
	btf_fixture_array(f, CHAR, 4);				/* FOUR */
}

/* A world in which there is this function only, planned. */
static UNUSED void plan_function(struct world *world, uint32_t ret,
			  const struct btf_fixture_parameter *parameters, unsigned int deep)
{
	struct kcatch_plan_options options = { .deep = deep, .returns = true };
	struct btf_fixture fixture;
	struct kcatch_type proto;

	make(&fixture);
	btf_fixture_function(&fixture, "f", ret, parameters);
	assert_int_equal(btf_fixture_open(&fixture, &world->types), 0);
	assert_int_equal(kcatch_types_function(world->types, NULL, "f", &proto), 0);
	assert_int_equal(kcatch_plan_create(world->types, proto, &options, &world->plan), 0);
	assert_int_equal(kcatch_decoder_create(NULL, NULL, &world->decoder), 0);
}

#define PLAN(world, ret, ...)         \
	plan_function((world), (ret), \
		      (struct btf_fixture_parameter[]){ __VA_ARGS__, BTF_FIXTURE_END }, 0)

static UNUSED void forget(struct world *world)
{
	kcatch_plan_destroy(world->plan);
	kcatch_decoder_destroy(world->decoder);
	kcatch_types_close(world->types);
}

static UNUSED const struct kcatch_value *decode(struct world *world,
						const struct kcatch_fetched *fetched)
{
	const struct kcatch_value *values = NULL;
	uint32_t nr;

	assert_int_equal(kcatch_decode_args(world->decoder, world->plan, fetched, &values, &nr), 0);
	assert_int_equal(nr, kcatch_plan_nr_args(world->plan));
	return values;
}

static UNUSED const struct kcatch_value *decode_ret(struct world *world, uint64_t ret)
{
	struct kcatch_fetched fetched = { .returned = true, .ret = ret };
	const struct kcatch_value *value = NULL;

	assert_int_equal(kcatch_decode_return(world->decoder, world->plan, &fetched, &value), 0);
	return value;
}

/* An item without hops or offset; @at: its index or start. */
static UNUSED void assert_item(const struct kcatch_item *item, int from, int at, int put, int size)
{
	bool has_start = from == KCATCH_ITEM_STACK || from == KCATCH_ITEM_SAVED;
	const struct kcatch_item expected = {
		.from = (uint8_t)from, .put = (uint8_t)put, .size = (uint16_t)size,
		.index = (uint8_t)(has_start ? 0 : at), .start = has_start ? at : 0,
	};

	assert_memory_equal(item, &expected, sizeof(expected));
}

/* The words that are taken, in order: 0..5 registers, 100 and more the stack. */
static UNUSED void assert_words(const struct world *world, const int *places, uint32_t nr)
{
	const struct kcatch_item *items;
	uint32_t i, nr_items;

	items = kcatch_plan_entry(world->plan, &nr_items);
	assert_int_equal(nr_items, nr);
	for (i = 0; i < nr; i++) {
		if (places[i] < 100)
			assert_item(&items[i], KCATCH_ITEM_ARG, places[i], KCATCH_ITEM_VALUE, 0);
		else
			assert_item(&items[i], KCATCH_ITEM_STACK, places[i] - 100,
				    KCATCH_ITEM_VALUE, 0);
	}
}

#endif
