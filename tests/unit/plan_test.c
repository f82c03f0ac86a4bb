// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a plan fetches arguments from where the calling convention puts them,
 * what they point to as far as there is room, and decoding gives back what was
 * there, whatever the bytes are.
 */
#include <kcatch_json.h>
#include "arch/arch.h"
#include "plan_fixture.h"

static void convention(void **state)
{
	struct world world;

	(void)state;
	/* A struct of one word has one register, of two words two. */
	PLAN(&world, INT, { "a", ONE_WORD }, { "b", TWO_WORDS }, { "c", BOOL });
	assert_words(&world, (int[]){ 0, 1, 2, 3 }, 4);
	forget(&world);
	/* Larger and packed ones lie on the stack; an empty one is nowhere. */
	PLAN(&world, INT, { "a", THREE_WORDS }, { "b", PACKED }, { "e", EMPTY }, { "c", INT });
	assert_words(&world, (int[]){ 100, 108, 116, 124, 132, 0 }, 6);
	forget(&world);
	/* A union's bit-field that is not aligned as an integer makes it memory. */
	PLAN(&world, INT, { "even", EVEN }, { "odd", ODD }, { "c", INT });
	assert_words(&world, (int[]){ 0, 1, 100, 108, 2 }, 5);
	forget(&world);
	/* Two words find one register left: the stack; a later single word takes it. */
	PLAN(&world, INT, { "a", INT }, { "b", INT }, { "c", INT }, { "d", INT }, { "e", INT },
	     { "two", TWO_WORDS }, { "last", INT }, { "more", INT });
	assert_words(&world, (int[]){ 0, 1, 2, 3, 4, 100, 108, 5, 116 }, 9);
	forget(&world);
	/* 128 bits are aligned on the stack. */
	PLAN(&world, INT, { "a", INT }, { "b", INT }, { "c", INT }, { "d", INT }, { "e", INT },
	     { "f", INT }, { "g", INT }, { "wide", INT128 });
	assert_words(&world, (int[]){ 0, 1, 2, 3, 4, 5, 100, 116, 124 }, 9);
	forget(&world);
	/* A struct that is returned in memory takes the first register. */
	PLAN(&world, THREE_WORDS, { "a", INT });
	assert_words(&world, (int[]){ 1 }, 1);
	forget(&world);
	/* The dots are no argument; one without a name gets one. */
	PLAN(&world, INT, { NULL, INT }, { NULL, 0 });
	assert_words(&world, (int[]){ 0 }, 1);
	forget(&world);
}

static void narrow(void **state)
{
	uint64_t words[] = { 0xdeadbeef80000000, 0xffffff00, 0x7700000041, 0x123400000001, 5, 6 };
	struct kcatch_fetched fetched = { .entry = (const void *)words,
					  .entry_size = sizeof(words) };
	const struct kcatch_value *values;
	struct world world;

	(void)state;
	PLAN(&world, INT, { "a", INT }, { "b", BOOL }, { "c", CHAR }, { "d", ONE_WORD },
	     { "e", TWO_WORDS });
	values = decode(&world, &fetched);
	assert_int_equal(values[0].number, 0xffffffff80000000);
	assert_true(values[0].is_signed);
	assert_int_equal(values[1].kind, KCATCH_VALUE_BOOL);
	assert_int_equal(values[1].number, 0);
	assert_int_equal(values[2].number, 0x41);
	assert_int_equal(values[3].kind, KCATCH_VALUE_STRUCT);
	assert_int_equal(values[3].children[0].number, 1);
	assert_int_equal(values[4].children[1].number, 6);
	assert_string_equal(values[4].children[1].name, "b");
	/* Less than the arguments: what is not there is not known. */
	fetched.entry_size = 20;
	values = decode(&world, &fetched);
	assert_int_equal(values[1].number, 0);
	assert_int_equal(values[2].kind, KCATCH_VALUE_UNKNOWN);
	assert_int_equal(values[4].kind, KCATCH_VALUE_UNKNOWN);
	forget(&world);
}

static void bitfields(void **state)
{
	/* The word; then low 5 (-3), mid 0x41 (-63), flag, and a char. */
	uint64_t data[] = { 0xffff888000000000, 0x5 | 0x41 << 3 | 1ULL << 32, 'x' };
	struct kcatch_fetched fetched = { .entry = (const void *)data, .entry_size = sizeof(data) };
	const struct kcatch_value *values, *bits;
	struct world world;

	(void)state;
	PLAN(&world, INT, { "bits", CONST_BITS_POINTER });
	values = decode(&world, &fetched);
	assert_int_equal(values[0].nr_children, 1);
	bits = values[0].children;
	assert_string_equal(bits->type, "const struct bits");
	assert_int_equal(bits->nr_children, 4);
	assert_int_equal(bits->children[0].number, -3);
	assert_int_equal(bits->children[1].number, -63);
	assert_int_equal(bits->children[2].number, 'x');
	assert_int_equal(bits->children[3].number, 1);
	assert_false(bits->cut);
	fetched.entry_faults = 2;
	values = decode(&world, &fetched);
	assert_true(values[0].fault);
	assert_int_equal(values[0].nr_children, 0);
	forget(&world);
}

static void changed(void **state)
{
	uint64_t before[] = { 0xffff888000000000, 0x5, 'x' }, after[] = { 0x5, 'y' };
	struct kcatch_fetched fetched = { .entry = (const void *)before,
					  .entry_size = sizeof(before),
					  .at_return = (const void *)after,
					  .return_size = sizeof(after),
					  .returned = true };
	const struct kcatch_value *values;
	struct world world;

	(void)state;
	PLAN(&world, INT, { "bits", BITS_POINTER });
	values = decode(&world, &fetched);
	assert_non_null(values[0].at_return);
	assert_true(values[0].at_return->changed);
	assert_false(values[0].at_return->children[0].changed);
	assert_true(values[0].at_return->children[2].changed);
	assert_int_equal(values[0].at_return->children[2].number, 'y');
	after[1] = 'x';
	assert_null(decode(&world, &fetched)[0].at_return);
	after[1] = 'y';
	fetched.return_faults = 1;
	assert_null(decode(&world, &fetched)[0].at_return);
	forget(&world);
}

/* Of fewer bytes at the return, the long of the union is missing, and nothing has changed. */
static void changed_in_a_union(void **state)
{
	uint64_t before[] = { 0xffff888000000000, 5, 0x100000007 }, after[] = { 5, 7 };
	struct kcatch_fetched fetched = { .entry = (const void *)before,
					  .entry_size = sizeof(before),
					  .at_return = (const void *)after,
					  .return_size = sizeof(after),
					  .returned = true };
	const struct kcatch_value *value;
	struct world world;

	(void)state;
	PLAN(&world, INT, { "either", EITHER_POINTER });
	assert_int_equal(world.plan->at_return.nr_items, 1);
	world.plan->at_return.items[0].size = 12;
	assert_null(decode(&world, &fetched)->at_return);
	after[1] = 8;
	value = decode(&world, &fetched)->at_return;
	assert_non_null(value);
	assert_int_equal(value->nr_children, 2);
	assert_false(value->children[0].changed);
	assert_true(value->children[1].changed);
	forget(&world);
}

static void strings(void **state)
{
	struct { uint64_t word; uint32_t length, zero; char text[16]; } data = {
		.word = 0xffff888000000000, .length = 11, .text = "hello world" };
	struct kcatch_fetched fetched = { .entry = (const void *)&data,
					  .entry_size = sizeof(data) };
	const struct kcatch_value *value;
	struct world world;

	(void)state;
	PLAN(&world, INT, { "name", TEXT });
	value = decode(&world, &fetched);
	assert_int_equal(value->kind, KCATCH_VALUE_STRING);
	assert_int_equal(value->length, 11);
	assert_memory_equal(value->text, "hello world", 11);
	fetched.entry_cut = 2;
	assert_true(decode(&world, &fetched)->cut);
	/* A length that is a lie, and one that is more than the plan asked for. */
	data.length = 17;
	assert_null(decode(&world, &fetched)->text);
	data.length = 0xfffffff9;
	assert_null(decode(&world, &fetched)->text);
	data.word = 0;
	assert_int_equal(decode(&world, &fetched)->kind, KCATCH_VALUE_POINTER);
	forget(&world);
}

/* read(buf, count): what was read is there at the return, as many bytes as it says. */
static void buffers(void **state)
{
	uint64_t words[] = { 0xffff888000000000, 8 };
	struct { uint32_t length, zero; char text[8]; } out = { .length = 8, .text = "abcdefg!" };
	struct kcatch_fetched fetched = { .entry = (const void *)words,
					  .entry_size = sizeof(words),
					  .at_return = (const void *)&out,
					  .return_size = sizeof(out),
					  .returned = true,
					  .ret = 3 };
	const struct kcatch_value *value;
	const struct kcatch_item *items;
	struct world world;
	uint32_t nr;

	(void)state;
	PLAN(&world, SSIZE, { "buf", OUT_TEXT }, { "count", LONG });
	items = kcatch_plan_return(world.plan, &nr);
	assert_int_equal(nr, 2);
	assert_item(&items[0], KCATCH_ITEM_SAVED, 8, KCATCH_ITEM_LENGTH, 0);
	assert_item(&items[1], KCATCH_ITEM_SAVED, 0, KCATCH_ITEM_BYTES, 128);
	value = decode(&world, &fetched);
	assert_non_null(value->at_return);
	assert_int_equal(value->at_return->length, 3);
	fetched.ret = (uint64_t)-EINTR;
	assert_null(decode(&world, &fetched)->at_return);
	forget(&world);
	/* Of a constant one the bytes are there before. */
	PLAN(&world, SSIZE, { "buf", TEXT }, { "count", LONG });
	items = kcatch_plan_entry(world.plan, &nr);
	assert_int_equal(nr, 4);
	assert_item(&items[2], KCATCH_ITEM_ARG, 1, KCATCH_ITEM_LENGTH, 0);
	assert_item(&items[3], KCATCH_ITEM_ARG, 0, KCATCH_ITEM_BYTES, 128);
	/* At the return where they could not be read then. */
	items = kcatch_plan_return(world.plan, &nr);
	assert_int_equal(nr, 2);
	assert_item(&items[0], KCATCH_ITEM_SAVED, 8, KCATCH_ITEM_LENGTH, 0);
	assert_item(&items[1], KCATCH_ITEM_MISSED, 2, KCATCH_ITEM_BYTES, 128);
	forget(&world);
}

/* A text that the function only reads: unreadable at the entry, it is what it was at the return. */
static void missed_texts(void **state)
{
	struct { uint64_t word; uint32_t length, zero; } in = { .word = 0x401000 };
	struct { uint32_t length, zero; char text[8]; } out = { .length = 4, .text = "/etc" };
	struct kcatch_fetched fetched = { .entry = (const void *)&in,
					  .entry_size = sizeof(in),
					  .entry_faults = 2,
					  .at_return = (const void *)&out,
					  .return_size = sizeof(out),
					  .returned = true };
	const struct kcatch_value *value;
	const struct kcatch_item *items;
	struct world world;
	uint32_t nr;

	(void)state;
	PLAN(&world, SSIZE, { "name", TEXT });
	items = kcatch_plan_return(world.plan, &nr);
	assert_int_equal(nr, 1);
	assert_item(&items[0], KCATCH_ITEM_MISSED, 1, KCATCH_ITEM_STRING, 128);
	value = decode(&world, &fetched);
	assert_true(value->is_late && !value->fault && !value->cut && !value->at_return);
	assert_int_equal(value->length, 4);
	assert_memory_equal(value->text, "/etc", 4);
	fetched.return_cut = 1;
	value = decode(&world, &fetched);
	assert_true(value->is_late && value->cut);
	/* Neither then. */
	fetched.return_cut = 0;
	fetched.return_faults = 1;
	value = decode(&world, &fetched);
	assert_true(value->fault && !value->is_late && !value->text);
	fetched.returned = false;
	assert_true(decode(&world, &fetched)->fault);
	/* It was read at the entry: the return has nothing to say. */
	fetched.returned = true;
	fetched.entry_faults = fetched.return_faults = 0;
	value = decode(&world, &fetched);
	assert_true(!value->fault && !value->is_late && !value->length && !value->at_return);
	forget(&world);
}

static void shapes(void **state)
{
	struct { uint64_t word; uint32_t length, zero; char text[8]; uint64_t qstr[2]; } data = {
		.word = 0xffff888000000000, .length = 3, .text = "usr", .qstr = { 3, 1 } };
	struct kcatch_fetched fetched = { .entry = (const void *)&data,
					  .entry_size = sizeof(data) };
	const struct kcatch_value *value;
	struct world world;

	(void)state;
	PLAN(&world, INT, { "name", QSTR_POINTER });
	value = decode(&world, &fetched);
	assert_int_equal(value->kind, KCATCH_VALUE_POINTER);
	assert_int_equal(value->length, 3);
	assert_memory_equal(value->text, "usr", 3);
	assert_int_equal(value->children[0].children[0].number, 3);
	forget(&world);
}

static const struct kcatch_value *value_of(void *arg, uint32_t index)
{
	return (const struct kcatch_value *)arg + index;
}

/* What a filter says of the call: @values are its arguments. */
static enum kcatch_answer filtered(struct world *world, const struct kcatch_fetched *fetched,
				   const char *text, const struct kcatch_value *values)
{
	const struct kcatch_recorded_probe probe = { .types = world->types, .plan = world->plan };
	const struct kcatch_event event = { .nr_args = 1 };
	const struct kcatch_recorded_event at_hand = { .event = &event, .fetched = fetched,
						       .value = value_of, .arg = (void *)values };
	struct kcatch_recorded_condition *condition;
	struct kcatch_expression *expression;
	enum kcatch_answer answer;

	assert_int_equal(kcatch_expression_parse(text, &expression), 0);
	assert_int_equal(kcatch_recorded_condition_create(expression, &probe, &condition), 0);
	answer = kcatch_recorded_condition_evaluate(condition, &at_hand);
	kcatch_recorded_condition_destroy(condition);
	kcatch_expression_destroy(expression);
	return answer;
}

/* What is missing of a readable form is marked: of a path it is the beginning. */
static void cut_shapes(void **state)
{
	struct { uint64_t word; uint32_t length, zero; char text[8]; uint64_t dentry; } data = {
		.word = 0xffff888000000000, .length = 4, .text = "/a/b" };
	struct kcatch_fetched fetched = { .entry = (const void *)&data,
					  .entry_size = sizeof(data) };
	const struct kcatch_value *value;
	struct world world;

	(void)state;
	PLAN(&world, INT, { "dentry", DENTRY_POINTER });
	value = decode(&world, &fetched);
	assert_false(value->cut);
	assert_string_equal(value->text, "/a/b");
	assert_int_equal(filtered(&world, &fetched, "dentry == \"/a/b\"", value),
			 KCATCH_ANSWER_YES);
	assert_int_equal(filtered(&world, &fetched, "dentry ~ \"/b*\"", value), KCATCH_ANSWER_NO);
	fetched.entry_cut = 2;
	value = decode(&world, &fetched);
	assert_true(value->cut);
	assert_string_equal(value->text, ".../a/b");
	/* It may be /b/a/b. */
	assert_int_equal(filtered(&world, &fetched, "dentry == \"/a/b\"", value),
			 KCATCH_ANSWER_UNDECIDED);
	assert_int_equal(filtered(&world, &fetched, "dentry ~ \"/b*\"", value),
			 KCATCH_ANSWER_UNDECIDED);
	forget(&world);
	PLAN(&world, INT, { "name", QSTR_POINTER });
	value = decode(&world, &fetched);
	assert_true(value->cut);
	assert_string_equal(value->text, "/a/b");
	forget(&world);
}

/* A local socket's name is longer than what is fetched of most addresses. */
static void local_sockets(void **state)
{
	uint8_t address[110] = { 1, 0 };
	char text[160], whole[120] = "unix:";

	(void)state;
	memset(address + 2, 'n', 108);
	kcatch_summary_address(address, 28, text, sizeof(text));
	assert_string_equal(text, "unix:nnnnnnnnnnnnnnnnnnnnnnnnnn...");
	kcatch_summary_address(address, sizeof(address), text, sizeof(text));
	memset(whole + 5, 'n', 108);
	assert_string_equal(text, whole);
	address[27] = 0;
	kcatch_summary_address(address, 28, text, sizeof(text));
	assert_string_equal(text, "unix:nnnnnnnnnnnnnnnnnnnnnnnnn");
	address[2] = 0;
	kcatch_summary_address(address, 28, text, sizeof(text));
	assert_string_equal(text, "unix:@nnnnnnnnnnnnnnnnnnnnnnnn");
	address[27] = 'n';
	kcatch_summary_address(address, 28, text, sizeof(text));
	assert_string_equal(text, "unix:@nnnnnnnnnnnnnnnnnnnnnnnnn...");
	assert_int_equal(kcatch_summary_address(address, 2, text, sizeof(text)), 0);
}

static void returns(void **state)
{
	const struct kcatch_value *value;
	struct world world;

	(void)state;
	PLAN(&world, INT, { "a", INT });
	value = decode_ret(&world, 0x12345678fffffffe);
	assert_int_equal(value->number, -2);
	assert_true(value->is_error);
	assert_string_equal(value->text, "ENOENT");
	assert_false(decode_ret(&world, 0xffffffff00000002)->is_error);
	assert_string_equal(decode_ret(&world, (uint32_t)-512)->text, "ERESTARTSYS");
	forget(&world);
	PLAN(&world, LONG, { "a", INT });
	assert_false(decode_ret(&world, (uint64_t)-2)->is_error);
	forget(&world);
	PLAN(&world, VOID_POINTER, { "a", INT });
	value = decode_ret(&world, (uint64_t)-12);
	assert_true(value->is_error);
	assert_string_equal(value->text, "ENOMEM");
	assert_false(decode_ret(&world, 0)->is_error);
	forget(&world);
	PLAN(&world, 0, { "a", INT });
	assert_int_equal(decode_ret(&world, 7)->kind, KCATCH_VALUE_VOID);
	forget(&world);
	PLAN(&world, BOOL, { "a", INT });
	assert_int_equal(decode_ret(&world, 0xff00)->number, 0);
	forget(&world);
	/* The second word of a struct is an item, which this record lacks. */
	PLAN(&world, TWO_WORDS, { "a", INT });
	value = decode_ret(&world, 5);
	assert_true(value->cut);
	assert_int_equal(value->nr_children, 1);
	assert_int_equal(value->children[0].number, 5);
	forget(&world);
}

/* Ten pointers to large structs share the room; words are always there. */
static void room(void **state)
{
	const struct kcatch_item *items;
	struct world world;
	uint32_t nr, i, bytes = 0, memories = 0, least = ~0U;

	(void)state;
	PLAN(&world, INT, { "a", LARGE_POINTER }, { "b", LARGE_POINTER }, { "c", LARGE_POINTER },
	     { "d", LARGE_POINTER }, { "e", LARGE_POINTER }, { "f", LARGE_POINTER },
	     { "g", LARGE_POINTER }, { "h", LARGE_POINTER }, { "i", LARGE_POINTER },
	     { "j", LARGE_POINTER });
	items = kcatch_plan_entry(world.plan, &nr);
	for (i = 0; i < nr; i++) {
		bytes += items[i].put == KCATCH_ITEM_VALUE ? 8 : 0;
		if (items[i].put != KCATCH_ITEM_MEMORY)
			continue;
		bytes += items[i].size;
		memories++;
		least = items[i].size < least ? items[i].size : least;
	}
	assert_int_equal(memories, 10);
	assert_true(bytes <= KCATCH_DATA_MAX);
	assert_int_equal(least, 88);
	forget(&world);
}

static void deep(void **state)
{
	struct btf_fixture_parameter parameters[] = { { "link", LINK_POINTER }, BTF_FIXTURE_END };
	uint64_t data[] = { 0xffff888000000000, 0xffff888000000010, 1, 0xffff888000000020, 2,
			    0xffff888000000030, 3 };
	struct kcatch_fetched fetched = { .entry = (const void *)data, .entry_size = sizeof(data) };
	const struct kcatch_value *value;
	struct world world;

	(void)state;
	plan_function(&world, INT, parameters, 2);
	value = decode(&world, &fetched)->children;
	assert_int_equal(value->children[1].number, 1);
	value = value->children[0].children;
	assert_int_equal(value->children[1].number, 2);
	value = value->children[0].children;
	assert_int_equal(value->children[1].number, 3);
	assert_int_equal(value->children[0].nr_children, 0);
	forget(&world);
}

static void raw(void **state)
{
	uint64_t words[] = { 1, 2, 3, 4, 5, 6 };
	struct kcatch_fetched fetched = { .entry = (const void *)words,
					  .entry_size = sizeof(words) };
	const struct kcatch_value *values;
	struct world world = { .types = NULL };

	(void)state;
	assert_int_equal(kcatch_plan_create_raw(NULL, &world.plan), 0);
	assert_int_equal(kcatch_decoder_create(NULL, NULL, &world.decoder), 0);
	assert_false(kcatch_plan_is_typed(world.plan));
	assert_words(&world, (int[]){ 0, 1, 2, 3, 4, 5 }, 6);
	values = decode(&world, &fetched);
	assert_string_equal(values[5].name, "r9");
	assert_int_equal(values[5].number, 6);
	assert_int_equal(decode_ret(&world, 9)->number, 9);
	/* An int leaves the upper half of the register 0: JSON and text say the same. */
	assert_int_equal((int64_t)decode_ret(&world, 0xfffffffe)->number, -2);
	assert_true(decode_ret(&world, 0xfffffffe)->is_signed);
	assert_memory_equal(decode_ret(&world, 0xfffffffe)->text, "ENOENT", 6);
	assert_int_equal((int64_t)decode_ret(&world, (uint64_t)-2)->number, -2);
	assert_int_equal(decode_ret(&world, 0xffffefff)->number, 0xffff0000 + 0xefff);
	assert_false(decode_ret(&world, 0xffffefff)->is_signed);
	forget(&world);
}

static uint64_t visit(const struct kcatch_value *value)
{
	uint64_t sum = value->number + strlen(value->type);
	size_t i;

	for (i = 0; i < value->length; i++)
		sum += value->text[i];
	for (i = 0; i < value->nr_children; i++)
		sum += visit(&value->children[i]);
	return sum + (value->at_return ? visit(value->at_return) : 0);
}

/* Any bytes, of any length, in memory of just that size. */
static void hostile(void **state)
{
	struct btf_fixture_parameter parameters[] = {
		{ "name", TEXT }, { "link", LINK_POINTER }, { "q", QSTR_POINTER },
		{ "buf", OUT_TEXT }, { "count", LONG }, { "large", LARGE_POINTER },
		{ "bits", BITS_POINTER }, { "three", THREE_WORDS }, BTF_FIXTURE_END };
	const struct kcatch_value *values;
	struct world world;
	int i;

	(void)state;
	srandom(3);
	plan_function(&world, SSIZE, parameters, 3);
	for (i = 0; i < 5000; i++) {
		size_t size = random() % 1025, return_size = random() % 1025, at;
		uint8_t *bytes = malloc(size), *at_return = malloc(return_size);
		struct kcatch_fetched fetched = {
			.entry = bytes, .entry_size = size, .entry_faults = random() & random(),
			.entry_cut = random(), .at_return = at_return, .return_size = return_size,
			.return_faults = random() & random(), .return_cut = random(),
			.returned = random() % 4, .ret = random() % 200 - 100,
		};

		for (at = 0; at < size; at++)
			bytes[at] = at % 8 > 0 && random() % 2 ? 0 : random();
		for (at = 0; at < return_size; at++)
			at_return[at] = at % 8 > 0 && random() % 2 ? 0 : random();
		values = decode(&world, &fetched);
		for (at = 0; at < kcatch_plan_nr_args(world.plan); at++)
			visit(&values[at]);
		if (!kcatch_decode_return(world.decoder, world.plan, &fetched, &values))
			visit(values);
		free(bytes);
		free(at_return);
	}
	forget(&world);
}

/*
 * A plan out of a recording may name any argument as the length of a buffer: here a struct
 * of two words, of which the record has one.
 */
static void length_is_a_struct(void **state)
{
	uint64_t *words = malloc(3 * sizeof(*words));
	struct kcatch_fetched fetched = { .entry = (const void *)words, .entry_size = 24 };
	const struct kcatch_value *values;
	struct world world;

	(void)state;
	words[0] = 0xffff888000000000;
	words[1] = words[2] = 1;
	PLAN(&world, SSIZE, { "buf", TEXT }, { "count", LONG });
	world.plan->args[1].type.id = TWO_WORDS;
	world.plan->args[1].bytes = 16;
	values = decode(&world, &fetched);
	assert_int_equal(values[0].number, 0xffff888000000000);
	visit(&values[1]);
	world.plan->args[1].nr_words = 2;	/* the second is the buffer's length */
	values = decode(&world, &fetched);
	visit(&values[0]);
	visit(&values[1]);
	free(words);
	forget(&world);
}

/* A plan out of a recording may name any item, up to 255, for what is read at the return. */
static void items_that_are_not_there(void **state)
{
	struct {
		uint64_t word;
		uint32_t length, zero;
	} in = { .word = 0x401000 };
	struct {
		uint32_t length, zero;
		char text[8];
	} out = { .length = 4, .text = "/etc" };
	struct kcatch_fetched fetched = { .entry = (const void *)&in,
					  .entry_size = sizeof(in),
					  .entry_faults = UINT64_MAX,
					  .at_return = (const void *)&out,
					  .return_size = sizeof(out),
					  .returned = true };
	struct kcatch_plan_pointee *pointee;
	struct world world;

	(void)state;
	PLAN(&world, SSIZE, { "name", TEXT });
	pointee = world.plan->args[0].pointee;
	assert_true(decode(&world, &fetched)->is_late);
	pointee->again = 200;
	assert_false(decode(&world, &fetched)->is_late);
	pointee->object = 200;
	assert_false(decode(&world, &fetched)->is_late);
	pointee->again = 0;
	assert_false(decode(&world, &fetched)->is_late);
	forget(&world);
	PLAN(&world, SSIZE, { "dentry", DENTRY_POINTER });
	pointee = world.plan->args[0].pointee;
	assert_int_equal(pointee->parts[0], 1);
	assert_int_equal(pointee->form, 0);
	assert_true(decode(&world, &fetched)->is_late);
	pointee->form = 200;
	assert_false(decode(&world, &fetched)->is_late);
	pointee->parts[0] = 200;
	assert_false(decode(&world, &fetched)->is_late);
	pointee->form = 0;
	assert_false(decode(&world, &fetched)->is_late);
	forget(&world);
}

/* Unions that nest in themselves, 16 deep and 16 wide: cut, and soon. */
static void endless_nest_is_cut(void **state)
{
	uint64_t words[2] = { 1, 2 };
	struct kcatch_fetched fetched = { .entry = (const void *)words, .entry_size = 16 };
	const struct kcatch_value *values;
	struct world world;

	(void)state;
	PLAN(&world, INT, { "nest", TWO_WORDS });
	world.plan->args[0].type.id = NEST;
	values = decode(&world, &fetched);
	assert_true(values[0].cut);
	visit(values);
	forget(&world);
}

static size_t count(const struct kcatch_value *value)
{
	size_t i, nr = 1;

	for (i = 0; i < value->nr_children; i++)
		nr += count(&value->children[i]);
	return nr;
}

/* A union of arrays over the same bytes: not all of a million values are made. */
static void overlapping_arrays_are_cut(void **state)
{
	const uint64_t words[128] = { 0xffff888000000000 };
	const struct kcatch_fetched fetched = { .entry = (const void *)words,
						.entry_size = sizeof(words) };
	const struct kcatch_value *values;
	struct world world;

	(void)state;
	PLAN(&world, INT, { "overlap", LARGE_POINTER });
	assert_non_null(world.plan->args[0].pointee);
	world.plan->args[0].pointee->type.id = OVERLAP;
	world.plan->args[0].pointee->kind = KCATCH_POINTEE_OBJECT;
	world.plan->args[0].pointee->object = 1;
	world.plan->entry.nr_items = 2;
	world.plan->entry.items[1] = (struct kcatch_plan_item){ .size = 1016 };
	values = decode(&world, &fetched);
	assert_int_equal(values[0].nr_children, 1);
	assert_in_range(count(values), 1000, 20000);
	forget(&world);
}

/* What a function returns in two registers is not fetched when returns are not caught. */
static void kept_without_return(void **state)
{
	const struct btf_fixture_parameter parameters[] = { { "a", INT }, BTF_FIXTURE_END };
	const struct kcatch_plan_options options = { .returns = false };
	struct json_tokener *tokener = json_tokener_new();
	struct json_writer json = { .length = 0 };
	struct json_object *object;
	struct btf_fixture fixture;
	struct kcatch_plan *again;
	struct kcatch_type proto;
	const char *where;
	struct world world;

	(void)state;
	make(&fixture);
	btf_fixture_function(&fixture, "f", TWO_WORDS, parameters);
	assert_int_equal(btf_fixture_open(&fixture, &world.types), 0);
	assert_int_equal(kcatch_types_function(world.types, NULL, "f", &proto), 0);
	assert_int_equal(kcatch_plan_create(world.types, proto, &options, &world.plan), 0);
	assert_int_equal(kcatch_plan_to_json(world.plan, world.types, &json, &where), 0);
	assert_string_equal(where, "vmlinux");
	object = json_tokener_parse_ex(tokener, json.text, (int)json.length);
	assert_non_null(object);
	assert_int_equal(kcatch_plan_from_json(object, kcatch_arch_running(), world.types, &again),
			 0);
	json_object_put(object);
	json_tokener_free(tokener);
	json_writer_deinit(&json);
	kcatch_plan_destroy(again);
	kcatch_plan_destroy(world.plan);
	kcatch_types_close(world.types);
}

#define CLASS_FUNCTIONS 300

/* Functions with random arguments of all types here. */
static void open_random_functions(struct world *world)
{
	static const char *const names[] = { "buf", "count", "mac", "len", "addr", "file" };
	uint32_t random = 4711, i, j;
	struct btf_fixture fixture;
	char name[16];

	make(&fixture);
	for (i = 0; i < CLASS_FUNCTIONS; i++) {
		struct btf_fixture_parameter parameters[5];

		for (j = 0; j < i % 5; j++) {
			random = random * 1664525 + 1013904223;
			parameters[j].name = names[(random >> 8) % 6];
			parameters[j].type = (random >> 16) % TYPES_END;
		}
		parameters[j] = (struct btf_fixture_parameter)BTF_FIXTURE_END;
		snprintf(name, sizeof(name), "f%u", i);
		random = random * 1664525 + 1013904223;
		btf_fixture_function(&fixture, name, (random >> 16) % TYPES_END,
				     parameters);
	}
	assert_int_equal(btf_fixture_open(&fixture, &world->types), 0);
}

/* Functions of one class have the same items; two classes have the same only by chance. */
static void classes_have_items(const struct kcatch_plan_options *options)
{
	static struct kcatch_plan_class classes[CLASS_FUNCTIONS];
	struct kcatch_plan_types *known = calloc(1, sizeof(*known));
	struct kcatch_plan *plans[CLASS_FUNCTIONS];
	uint32_t i, j, same = 0, different = 0;
	struct kcatch_type proto;
	struct world world;
	char name[16];

	open_random_functions(&world);
	assert_non_null(known);
	for (i = 0; i < CLASS_FUNCTIONS; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		assert_int_equal(kcatch_types_function(world.types, NULL, name, &proto), 0);
		assert_int_equal(kcatch_plan_create(world.types, proto, options, &plans[i]), 0);
		assert_true(kcatch_plan_classify(known, proto, options, &classes[i]));
		for (j = 0; j < i; j++) {
			if (classes[i].size == classes[j].size &&
			    !memcmp(classes[i].words, classes[j].words, classes[i].size)) {
				assert_true(kcatch_plan_same_items(plans[i], plans[j]));
				same++;
			} else {
				different += !kcatch_plan_same_items(plans[i], plans[j]);
			}
		}
	}
	assert_true(same > 100);
	assert_true(different > 10000);
	for (i = 0; i < CLASS_FUNCTIONS; i++)
		kcatch_plan_destroy(plans[i]);
	free(known);
	kcatch_types_close(world.types);
}

static void classes(void **state)
{
	const struct kcatch_plan_options options[] = { { .returns = true }, { .struct_size = 8 } };

	(void)state;
	classes_have_items(&options[0]);
	classes_have_items(&options[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(convention),
		cmocka_unit_test(narrow),
		cmocka_unit_test(bitfields),
		cmocka_unit_test(changed),
		cmocka_unit_test(changed_in_a_union),
		cmocka_unit_test(strings),
		cmocka_unit_test(buffers),
		cmocka_unit_test(missed_texts),
		cmocka_unit_test(shapes),
		cmocka_unit_test(cut_shapes),
		cmocka_unit_test(local_sockets),
		cmocka_unit_test(returns),
		cmocka_unit_test(room),
		cmocka_unit_test(deep),
		cmocka_unit_test(raw),
		cmocka_unit_test(hostile),
		cmocka_unit_test(length_is_a_struct),
		cmocka_unit_test(items_that_are_not_there),
		cmocka_unit_test(endless_nest_is_cut),
		cmocka_unit_test(overlapping_arrays_are_cut),
		cmocka_unit_test(kept_without_return),
		cmocka_unit_test(classes),
	};

	return cmocka_run_group_tests_name("plans", tests, NULL, NULL);
}
