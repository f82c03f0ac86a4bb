/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* number_text.c - what a number of a type means, in words: an enumerator, a mode, a device */
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

size_t kcatch_number_text(const struct kcatch_number_form *form, uint64_t number, char *text,
			  size_t room)
{
	uint32_t low = (uint32_t)number;

	*text = '\0';
	if (form->constants)
		return kcatch_constants_text(form->constants, number, text, room);
	switch (form->kind) {
	case KCATCH_NUMBER_ENUM:
		snprintf(text, room, "%s", enumerator(form->type, number));
		break;
	case KCATCH_NUMBER_MODE:
		snprintf(text, room, "0%o", low);
		break;
	case KCATCH_NUMBER_DEVICE:
		snprintf(text, room, "%u:%u", low >> MINOR_BITS, low & ((1U << MINOR_BITS) - 1));
		break;
	case KCATCH_NUMBER_NETWORK:
		if (names_address(form->name))
			snprintf(text, room, "%u.%u.%u.%u", low >> 24, low >> 16 & 255,
				 low >> 8 & 255, low & 255);
		break;
	default:
		break;
	}
	return strlen(text);
}
