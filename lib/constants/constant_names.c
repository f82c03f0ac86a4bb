/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* constant_names.c - a number as names, and a name as its number */
#include "base/syscall_name.h"
#include "constants/constant_sets.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct kcatch_constants kcatch_constants_call = {
	.name_of = kcatch_syscall_name,
	.wide = true,
};

struct names {
	char *text;
	size_t room, length;
};

static void add(struct names *names, const char *name)
{
	int length = snprintf(names->text + names->length, names->room - names->length, "%s%s",
			      names->length ? "|" : "", name);

	names->length += (size_t)length;
	if (names->length >= names->room)
		names->length = names->room - 1;
}

/* The low bits that a number of the set has; false: it has others, too. */
static bool narrow(const struct kcatch_constants *constants, uint64_t *number)
{
	if (constants->wide)
		return true;
	if (*number > UINT32_MAX && *number != (uint64_t)(int64_t)(int32_t)*number)
		return false;
	*number = (uint32_t)*number;
	return true;
}

size_t kcatch_constants_text(const struct kcatch_constants *constants, uint64_t number, char *text,
			     size_t room)
{
	struct names names = { .text = text, .room = room };
	uint64_t mask = constants->wide ? UINT64_MAX : UINT32_MAX, left, bits;
	const struct kcatch_constant *it;
	char rest[24];

	*text = '\0';
	if (!narrow(constants, &number))
		return 0;
	if (constants->name_of) {
		if (constants->name_of(number))
			add(&names, constants->name_of(number));
		return names.length;
	}
	if (!number && constants->zero)
		add(&names, constants->zero);
	left = number;
	for (it = constants->values; it && it->name; it++) {
		if ((number & constants->field & mask) != ((uint64_t)it->number & mask))
			continue;
		add(&names, it->name);
		left &= ~constants->field;
		break;
	}
	for (it = constants->flags; it && it->name; it++) {
		bits = (uint64_t)it->number & mask;
		if ((left & bits) != bits)
			continue;
		add(&names, it->name);
		left &= ~bits;
	}
	if (left && names.length) {
		snprintf(rest, sizeof(rest), "0x%" PRIx64, left);
		add(&names, rest);
	}
	if (!names.length && constants->put_other)
		constants->put_other((uint32_t)number, text, room);
	return strlen(text);
}

static const struct kcatch_constants *const sets[] = {
#define LIST(name) &kcatch_constants_##name,
	KCATCH_CONSTANT_SETS(LIST)
#undef LIST
};

static bool find(const struct kcatch_constant *list, const char *name, int64_t *number)
{
	for (; list && list->name; list++) {
		if (!strcmp(list->name, name)) {
			*number = list->number;
			return true;
		}
	}
	return false;
}

bool kcatch_constants_number(const struct kcatch_constants *constants, const char *name,
			     int64_t *number)
{
	if (constants->zero && !strcmp(constants->zero, name)) {
		*number = 0;
		return true;
	}
	return find(constants->values, name, number) || find(constants->flags, name, number);
}

bool kcatch_constants_find(const char *name, int64_t *number)
{
	size_t i;

	for (i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		if (kcatch_constants_number(sets[i], name, number))
			return true;
	return false;
}

static void offer_list(const struct kcatch_constant *list,
		       void (*offer)(void *arg, const char *name), void *arg)
{
	for (; list && list->name; list++)
		offer(arg, list->name);
}

void kcatch_constants_offer(void (*offer)(void *arg, const char *name), void *arg)
{
	size_t i;

	for (i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		if (sets[i]->zero)
			offer(arg, sets[i]->zero);
		offer_list(sets[i]->values, offer, arg);
		offer_list(sets[i]->flags, offer, arg);
	}
}
