/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* field_text.c - how the numbers of events' fields are shown, as the kernel prints them */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "condition/event_fields.h"
#include "fetch/number_text.h"

static size_t written(int length, size_t room)
{
	if (length < 0)
		return 0;
	return (size_t)length < room ? (size_t)length : room - 1;
}

static size_t put_state(uint64_t number, char *text, size_t room)
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
static size_t put_rwbs(uint64_t number, char *text, size_t room)
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

static size_t put_name(const char *const *names, size_t nr, uint64_t number, char *text,
		       size_t room)
{
	return number < nr && names[number] ?
		       written(snprintf(text, room, "%s", names[number]), room) :
		       0;
}

size_t kcatch_field_text(enum kcatch_field_show show, uint64_t number, char *text, size_t room)
{
	static const char *const softirqs[] = { "HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
						"IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };
	static const char *const states[] = { NULL,
					      "TCP_ESTABLISHED",
					      "TCP_SYN_SENT",
					      "TCP_SYN_RECV",
					      "TCP_FIN_WAIT1",
					      "TCP_FIN_WAIT2",
					      "TCP_TIME_WAIT",
					      "TCP_CLOSE",
					      "TCP_CLOSE_WAIT",
					      "TCP_LAST_ACK",
					      "TCP_LISTEN",
					      "TCP_CLOSING",
					      "TCP_NEW_SYN_RECV" };
	static const struct kcatch_number_form device = { .kind = KCATCH_NUMBER_DEVICE };
	static const struct kcatch_number_form address = { .kind = KCATCH_NUMBER_NETWORK,
							   .name = "addr" };

	switch (show) {
	case KCATCH_FIELD_PLAIN:
	case KCATCH_FIELD_SYMBOL:
		return 0;
	case KCATCH_FIELD_HEX:
		return written(snprintf(text, room, "0x%" PRIx64, number), room);
	case KCATCH_FIELD_DEVICE:
		return kcatch_number_text(&device, number, text, room);
	case KCATCH_FIELD_IPV4:
		return kcatch_number_text(&address, number, text, room);
	case KCATCH_FIELD_STATE:
		return put_state(number, text, room);
	case KCATCH_FIELD_SOFTIRQ:
		return put_name(softirqs, sizeof(softirqs) / sizeof(softirqs[0]), number, text,
				room);
	case KCATCH_FIELD_RWBS:
		return put_rwbs(number, text, room);
	case KCATCH_FIELD_FAMILY:
		return number == AF_INET || number == AF_INET6 ?
			       written(snprintf(text, room, "AF_INET%s",
						number == AF_INET6 ? "6" : ""),
				       room) :
			       0;
	case KCATCH_FIELD_TCP:
		return put_name(states, sizeof(states) / sizeof(states[0]), number, text, room);
	}
	return 0;
}

/* The number below @most, spread over the bits of @mask, that is shown so. */
static bool find_number(enum kcatch_field_show show, const char *text, uint64_t most, uint64_t mask,
			uint64_t *number)
{
	char other[KCATCH_FIELD_TEXT];
	uint64_t i, bit, rest;

	for (i = 0; i < most; i++) {
		*number = 0;
		for (bit = 1, rest = i; rest; bit <<= 1) {
			if (!(mask & bit))
				continue;
			*number |= rest & 1 ? bit : 0;
			rest >>= 1;
		}
		if (kcatch_field_text(show, *number, other, sizeof(other)) && !strcmp(other, text))
			return true;
	}
	return false;
}

bool kcatch_field_number(enum kcatch_field_show show, const char *text, uint64_t *number)
{
	unsigned int major, minor;
	uint32_t address;
	char end;

	switch (show) {
	case KCATCH_FIELD_DEVICE:
		if (sscanf(text, "%u:%u%c", &major, &minor, &end) != 2 || minor > 0xfffff)
			return false;
		*number = (uint64_t)major << 20 | minor;
		return true;
	case KCATCH_FIELD_IPV4:
		if (inet_pton(AF_INET, text, &address) != 1)
			return false;
		*number = ntohl(address);
		return true;
	case KCATCH_FIELD_STATE:
		return find_number(show, text, 512, UINT64_MAX, number);
	case KCATCH_FIELD_SOFTIRQ:
	case KCATCH_FIELD_FAMILY:
	case KCATCH_FIELD_TCP:
		return find_number(show, text, 64, UINT64_MAX, number);
	case KCATCH_FIELD_RWBS: /* the operation, and six flags */
		return find_number(show, text, 512, 0x1e1807, number);
	case KCATCH_FIELD_PLAIN:
	case KCATCH_FIELD_HEX:
	case KCATCH_FIELD_SYMBOL:
		break;
	}
	return false;
}
