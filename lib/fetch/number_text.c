/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* number_text.c - what a number means, in words: an enumerator, a mode, a device */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/btf.h>

#include "fetch/number_text.h"

#define MINOR_BITS 20 /* MINORBITS, include/linux/kdev_t.h */

enum kcatch_number_kind kcatch_number_kind(struct kcatch_type type)
{
	int kind = kcatch_type_kind(type);

	if (kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64)
		return KCATCH_NUMBER_ENUM;
	if (kind != BTF_KIND_INT)
		return KCATCH_NUMBER_PLAIN;
	if (kcatch_type_has_name(type, "umode_t"))
		return KCATCH_NUMBER_MODE;
	if (kcatch_type_has_name(type, "dev_t"))
		return KCATCH_NUMBER_DEVICE;
	if (kcatch_type_has_name(type, "ktime_t"))
		return KCATCH_NUMBER_TIME;
	if (kcatch_type_has_name(type, "size_t") || kcatch_type_has_name(type, "ssize_t") ||
	    kcatch_type_has_name(type, "loff_t"))
		return KCATCH_NUMBER_SIZE;
	return kcatch_type_is_network(type) && kcatch_type_size(type) == 4 ? KCATCH_NUMBER_NETWORK :
									     KCATCH_NUMBER_PLAIN;
}

static const char *enumerator(struct kcatch_type type, uint64_t number)
{
	uint32_t i, nr = kcatch_type_nr_members(type);
	struct kcatch_member member;

	for (i = 0; i < nr; i++)
		if (!kcatch_type_member(type, i, &member) && (uint64_t)member.value == number)
			return member.name;
	return "";
}

/* Not every number of network order is an address: a sequence number of TCP is none. */
static bool names_address(const char *name)
{
	return name && (strstr(name, "addr") || strstr(name, "local") || strstr(name, "broadcast"));
}

static size_t written(int length, size_t room)
{
	if (length < 0)
		return 0;
	return (size_t)length < room ? (size_t)length : room - 1;
}

static size_t put_task_state(uint64_t number, char *text, size_t room)
{
	static const char letters[] = "SDTtXZPI";
	size_t used = 0, i;

	if (number & 512)
		return written(snprintf(text, room, "X or Z"), room);
	for (i = 0; i < sizeof(letters) - 1; i++)
		if (number >> i & 1)
			used += written(snprintf(text + used, room - used, "%s%c", used ? "|" : "",
						 letters[i]),
					room - used);
	if (!used)
		used = written(snprintf(text, room, "R"), room);
	return number & 256 ? used + written(snprintf(text + used, room - used, "+"), room - used) :
			      used;
}

/* Of operations that are rare the letters differ between releases: they are shown as numbers. */
static size_t put_block_op(uint64_t number, char *text, size_t room)
{
	static const char *const operations[] = { "R", "W", "F", "D", NULL, "DE" };
	uint64_t operation = number & 0xff;

	if (operation >= sizeof(operations) / sizeof(operations[0]) || !operations[operation])
		return 0;
	return written(snprintf(text, room, "%s%s%s%s%s%s%s", number >> 18 & 1 ? "F" : "",
				operations[operation], number >> 17 & 1 ? "F" : "",
				number >> 19 & 1 ? "A" : "", number >> 11 & 1 ? "S" : "",
				number >> 12 & 1 ? "M" : "", number >> 20 & 1 ? "U" : ""),
		       room);
}

size_t kcatch_number_text(const struct kcatch_number_form *form, uint64_t number, char *text,
			  size_t room)
{
	uint32_t low = (uint32_t)number;

	*text = '\0';
	if (form->constants)
		return kcatch_constants_text(form->constants, number, text, room);
	switch (form->kind) {
	case KCATCH_NUMBER_ENUM:
		return written(snprintf(text, room, "%s", enumerator(form->type, number)), room);
	case KCATCH_NUMBER_MODE:
		return written(snprintf(text, room, "0%o", low), room);
	case KCATCH_NUMBER_DEVICE:
		return written(snprintf(text, room, "%u:%u", low >> MINOR_BITS,
					low & ((1U << MINOR_BITS) - 1)),
			       room);
	case KCATCH_NUMBER_NETWORK:
		if (!names_address(form->name))
			return 0;
		/* fall through */
	case KCATCH_NUMBER_IPV4:
		return written(snprintf(text, room, "%u.%u.%u.%u", low >> 24, low >> 16 & 255,
					low >> 8 & 255, low & 255),
			       room);
	case KCATCH_NUMBER_HEX:
		return written(snprintf(text, room, "0x%" PRIx64, number), room);
	case KCATCH_NUMBER_TASK_STATE:
		return put_task_state(number, text, room);
	case KCATCH_NUMBER_BLOCK_OP:
		return put_block_op(number, text, room);
	case KCATCH_NUMBER_PLAIN:
	case KCATCH_NUMBER_TIME:
	case KCATCH_NUMBER_SIZE:
	case KCATCH_NUMBER_SYMBOL:
	case KCATCH_NUMBER_IPV6:
	case KCATCH_NUMBER_IP:
		break;
	}
	return 0;
}

size_t kcatch_ip_text(enum kcatch_number_kind kind, uint64_t high, uint64_t low, char *text,
		      size_t room)
{
	const uint64_t halves[] = { high, low };
	struct in6_addr address;
	bool is_four;

	memcpy(&address, halves, sizeof(address));
	is_four = kind == KCATCH_NUMBER_IP && IN6_IS_ADDR_V4MAPPED(&address);
	if (!inet_ntop(is_four ? AF_INET : AF_INET6,
		       is_four ? (const void *)&address.s6_addr[12] : &address, text,
		       (socklen_t)room))
		*text = '\0';
	return strlen(text);
}

/* The number whose bits, all in @mask, are those of one of 0..511, that is shown so. */
static bool find_number(const struct kcatch_number_form *form, const char *text, uint64_t mask,
			uint64_t *number)
{
	char other[KCATCH_NUMBER_TEXT];
	uint64_t i, bit, rest;

	for (i = 0; i < 512; i++) {
		*number = 0;
		for (bit = 1, rest = i; rest; bit <<= 1) {
			if (!(mask & bit))
				continue;
			*number |= rest & 1 ? bit : 0;
			rest >>= 1;
		}
		if (kcatch_number_text(form, *number, other, sizeof(other)) && !strcmp(other, text))
			return true;
	}
	return false;
}

bool kcatch_number_of_text(const struct kcatch_number_form *form, const char *text,
			   uint64_t *number)
{
	unsigned int major, minor;
	uint32_t address;
	char end;

	if (form->constants)
		return kcatch_constants_number(form->constants, text, (int64_t *)number);
	switch (form->kind) {
	case KCATCH_NUMBER_DEVICE:
		if (sscanf(text, "%u:%u%c", &major, &minor, &end) != 2 || minor >> MINOR_BITS)
			return false;
		*number = (uint64_t)major << MINOR_BITS | minor;
		return true;
	case KCATCH_NUMBER_IPV4:
		if (inet_pton(AF_INET, text, &address) != 1)
			return false;
		*number = ntohl(address);
		return true;
	case KCATCH_NUMBER_TASK_STATE:
		return find_number(form, text, 0x1ff, number);
	case KCATCH_NUMBER_BLOCK_OP: /* the operation, and six flags */
		return find_number(form, text, 0x1e1807, number);
	default:
		return false;
	}
}
