// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: octets are a text, bytes, or a hardware address, by what they and their names are;
 * an address of a socket is one by whom it is for; what a callback is handed is no buffer.
 */
#include "plan_fixture.h"

/*
 * QEMU's addresses begin with two letters and a null byte. Octets are a text where there is nothing
 * else in their array; a hardware address is readable as one.
 */
static void octets(void **state)
{
	struct {
		uint64_t word;
		uint8_t hardware[6], name[8], key[8], room[32], pad[2];
	} data = { .word = 0xffff888000000000, .hardware = "RT\0\xab\xcd\xef", .name = "eth0",
		   .key = "RT\0\x12", .room = "RT\0\xab\xcd\xef" };
	struct { uint64_t word; uint8_t hardware[8]; } pointed = {
		.word = 0xffff888000000000, .hardware = "RT\0\xab\xcd\xef" };
	struct { uint64_t word; uint32_t length, zero; char text[8]; } text = {
		.word = 0xffff888000000000, .length = 2, .text = "R\x81" };
	struct kcatch_fetched fetched = { .entry = (const void *)&data,
					  .entry_size = sizeof(data) };
	const struct kcatch_value *value, *members;
	struct world world;

	(void)state;
	PLAN(&world, INT, { "station", STATION_POINTER });
	value = decode(&world, &fetched);
	members = value->children[0].children;
	assert_string_equal(members[0].text, "52:54:00:ab:cd:ef");
	assert_true(members[0].is_hardware);
	assert_int_equal(members[1].kind, KCATCH_VALUE_STRING);
	assert_string_equal(members[1].text, "eth0");
	assert_true(members[2].kind == KCATCH_VALUE_BYTES && members[2].length == 8);
	assert_string_equal(members[3].text, "52:54:00:ab:cd:ef");
	forget(&world);

	fetched = (struct kcatch_fetched){ .entry = (const void *)&pointed,
					   .entry_size = sizeof(pointed) };
	PLAN(&world, INT, { "src_hw", OCTETS });
	value = decode(&world, &fetched);
	assert_int_equal(value->kind, KCATCH_VALUE_POINTER);
	assert_string_equal(value->text, "52:54:00:ab:cd:ef");
	fetched.entry_faults = 2;
	value = decode(&world, &fetched);
	assert_true(value->fault && !value->text);
	forget(&world);
	fetched.entry_faults = 0;
	PLAN(&world, INT, { "addr", OCTETS }, { "dev", DEVICE_POINTER });
	assert_int_equal(decode(&world, &fetched)->kind, KCATCH_VALUE_POINTER);
	forget(&world);

	/* Up to a null byte, behind which nobody has looked. */
	fetched = (struct kcatch_fetched){ .entry = (const void *)&text,
					   .entry_size = sizeof(text) };
	PLAN(&world, INT, { "name", OCTETS });
	value = decode(&world, &fetched);
	assert_true(value->kind == KCATCH_VALUE_BYTES && value->cut);
	memcpy(text.text, "lo", 2);
	value = decode(&world, &fetched);
	assert_true(value->kind == KCATCH_VALUE_STRING && !value->cut);
	forget(&world);
}

/* What a struct sockaddr of the family 1 says is known by whom it is for, or not known. */
static void whose_address(void **state)
{
	struct {
		uint64_t words[2];
		uint16_t family;
		uint8_t hardware[14];
		uint16_t again[8];
	} data = { .words = { 0xffff888000000000, 0xffff888000000000 }, .family = 1,
		   .hardware = "RT\0\xab\xcd\xef" };
	struct kcatch_fetched fetched = { .entry = (const void *)&data,
					  .entry_size = sizeof(data) };
	struct world world;

	(void)state;
	PLAN(&world, INT, { "sa", SOCKADDR_POINTER }, { "dev", DEVICE_POINTER });
	assert_string_equal(decode(&world, &fetched)->text, "52:54:00:ab:cd:ef");
	forget(&world);
	PLAN(&world, INT, { "sa", SOCKADDR_POINTER }, { "sk", SOCK_POINTER });
	assert_string_equal(decode(&world, &fetched)->text, "unix:RT");
	forget(&world);
	PLAN(&world, INT, { "sa", SOCKADDR_POINTER }, { "x", LONG });
	assert_null(decode(&world, &fetched)->text);
	forget(&world);
}

/* What a callback is handed is not as many bytes as the next argument says. */
static void callback(void **state)
{
	struct world world;

	(void)state;
	PLAN(&world, INT, { "from", VOID_POINTER }, { "length", INT });
	assert_non_null(world.plan->args[0].pointee);
	forget(&world);
	PLAN(&world, INT, { "getfrag", CALLBACK_POINTER }, { "from", VOID_POINTER },
	     { "length", INT });
	assert_null(world.plan->args[1].pointee);
	forget(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(octets),
		cmocka_unit_test(whose_address),
		cmocka_unit_test(callback),
	};

	return cmocka_run_group_tests_name("octets", tests, NULL, NULL);
}
