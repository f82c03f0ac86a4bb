/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * decode.c - decodes the items that were fetched from a call into values
 *
 * Records may be damaged: items are located by the plan and by the lengths in the data, which
 * are all checked (item_view.c). Items behind a damaged one are missing.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <kcatch_text.h>
#include "base/errno_name.h"
#include "constants/constant_sets.h"
#include "fetch/decode_data.h"
#include "fetch/item_view.h"

#define MEMBERS_MAX 16384	/* visits of members, elements and pointees: for the arguments,
				 * and for the return */
#define TEXT_MAX 2304	/* bytes of a summary: all data of a list twice, and the format */

#define VM_MAYSHARE 0x80 /* include/linux/mm.h, as VM_READ 1, VM_WRITE 2, VM_EXEC 4 */

struct decoding {
	struct kcatch_decoder *decoder;
	const struct kcatch_plan *plan;
	const struct kcatch_fetched *fetched;
	struct kcatch_item_view entry;
	struct kcatch_item_view at_return;
};

/* ---- items ------------------------------------------------------------------ */

static bool is_there(const struct kcatch_item_view *view, uint8_t item)
{
	return item < KCATCH_ITEMS_MAX && view->bytes[item];
}

static bool is_faulty(const struct kcatch_item_view *view, uint8_t item)
{
	return view->faults >> item & 1;
}

static bool is_cut(const struct kcatch_item_view *view, uint8_t item)
{
	return view->cut >> item & 1;
}

static bool is_late(const struct kcatch_item_view *view, uint8_t item)
{
	return view->late >> item & 1;
}

static uint64_t word_of(const struct kcatch_item_view *view, uint8_t item)
{
	uint64_t word = 0;

	memcpy(&word, view->bytes[item], view->length[item] < 8 ? view->length[item] : 8);
	return word;
}

/*
 * Locate the bytes of an argument or return value: its words follow each other. Returns how many
 * there are. The plan may come from a recording and is not trusted.
 */
static size_t words_of(const struct kcatch_item_view *view, const struct kcatch_plan_value *value,
		       const uint8_t **bytes)
{
	size_t last = (size_t)value->words + value->nr_words - 1, size;

	*bytes = NULL;
	if (value->words == KCATCH_NO_ITEM || !value->nr_words || last >= KCATCH_ITEMS_MAX ||
	    !view->bytes[value->words] || !view->bytes[last])
		return 0;
	*bytes = view->bytes[value->words];
	size = view->bytes[last] - *bytes + view->length[last];
	return size < value->bytes ? size : value->bytes;
}

/* ---- summaries ------------------------------------------------------------------- */

/* Write a number; as snprintf() does, return the length that it has even if it is cut. */
static size_t number_text(uint64_t number, char *text, size_t room)
{
	char digits[20], *end = digits + sizeof(digits), *at = end;

	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	memcpy(text, at, (size_t)(end - at) < room ? (size_t)(end - at) : room);
	return (size_t)(end - at);
}

static bool is_word_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(word, *words))
			return true;
	return false;
}

/* Does a function have an argument that points to one of these structs, or that is called so? */
static bool takes(const struct kcatch_plan *plan, const char *const *structs,
		  const char *const *names)
{
	uint32_t i;

	for (i = 0; i < plan->nr_args; i++) {
		const struct kcatch_plan_value *arg = &plan->args[i];
		struct kcatch_type to = kcatch_type_strip(kcatch_type_target(arg->type));

		if ((kcatch_type_is_pointer(arg->type) &&
		     is_word_of(kcatch_type_name(to), structs)) || is_word_of(arg->name, names))
			return true;
	}
	return false;
}

/*
 * Write a socket address. The family 1 of a struct sockaddr is AF_UNIX, and it is ARPHRD_ETHER
 * where the function is about a device: dev_set_mac_address(). Where nothing tells, nothing is
 * written.
 */
static size_t address_text(const struct decoding *d, const struct kcatch_plan_pointee *pointee,
			   const uint8_t *bytes, size_t size, char *text, size_t room)
{
	static const char *const any[] = { "sockaddr", "sockaddr_unsized",
					   "__kernel_sockaddr_storage", NULL };
	static const char *const sockets[] = { "socket", "sock", "file", "msghdr", NULL };
	static const char *const devices[] = { "net_device", NULL }, *const none[] = { NULL };
	static const char *const names[] = { "fd", "sockfd", "addrlen", "addr_len", NULL };
	struct kcatch_value value = { .name = NULL };
	uint16_t family = 0;

	if (size >= sizeof(family))
		memcpy(&family, bytes, sizeof(family));
	if (family != AF_UNIX || !is_word_of(pointee->summary->type, any) ||
	    takes(d->plan, sockets, names))
		return kcatch_summary_address(bytes, size, text, room);
	if (!takes(d->plan, devices, none) || size < sizeof(family) + KCATCH_HARDWARE_ETHERNET)
		return 0;
	kcatch_decode_hardware(d->decoder, &value, bytes + sizeof(family),
			       KCATCH_HARDWARE_ETHERNET);
	if (!value.text || value.length > room)
		return 0;
	memcpy(text, value.text, value.length);
	return value.length;
}

/* Write a number as its part is shown. Returns the length; 0: it is not known, or nothing. */
static size_t word_text(const struct decoding *d, const struct kcatch_item_view *view,
			const struct kcatch_plan_pointee *pointee, uint32_t index, char *text,
			size_t room)
{
	uint64_t number = word_of(view, pointee->parts[index]);
	const char *name;

	switch (pointee->summary->parts[index].kind) {
	case KCATCH_SUMMARY_NUMBER:
		return number_text(number, text, room);
	case KCATCH_SUMMARY_VLAN: /* its __be16 protocol and __u16 tag */
		return number ? number_text(number >> 16 & 0xfff, text, room) : 0;
	case KCATCH_SUMMARY_SYMBOL:
		if (!number || !d->decoder->symbol ||
		    d->decoder->symbol(d->decoder->symbol_arg, number, text, room) ||
		    memchr(text, '+', strnlen(text, room)))
			return 0;
		return strnlen(text, room);
	case KCATCH_SUMMARY_MAPPED:
		return (size_t)snprintf(text, room, "%c%c%c%c", number & 1 ? 'r' : '-',
					number & 2 ? 'w' : '-', number & 4 ? 'x' : '-',
					number & VM_MAYSHARE ? 's' : 'p');
	case KCATCH_SUMMARY_MESSAGE:
		if (!number)
			return 0;
		return kcatch_constants_text(&kcatch_constants_message, number, text, room);
	case KCATCH_SUMMARY_ITER:
		name = kcatch_decode_enumerator(d->decoder, pointee->type, "iter_type", number);
		return name ? (size_t)snprintf(text, room, "%s", name) : 0;
	default:
		return (size_t)snprintf(text, room, "0x%" PRIx64, number);
	}
}

/* Does a part that is not shown leave out the others of its braces? */
static bool leaves_out(const struct kcatch_item_view *view,
		       const struct kcatch_plan_pointee *pointee, uint32_t index)
{
	uint8_t item = pointee->parts[index], other;

	if (!is_there(view, item) || is_faulty(view, item))
		return true;
	if (pointee->summary->parts[index].kind == KCATCH_SUMMARY_IF)
		return !word_of(view, item);
	if (pointee->summary->parts[index].kind == KCATCH_SUMMARY_BIT)
		return !(word_of(view, item) & 1);
	other = index + 1 < KCATCH_SUMMARY_PARTS ? pointee->parts[index + 1] : KCATCH_NO_ITEM;
	return !is_there(view, other) || is_faulty(view, other) ||
	       word_of(view, item) != word_of(view, other);
}

/* Write what the headers of a packet say. Returns the length; 0: nothing is known. */
static size_t packet_text(const struct kcatch_item_view *view,
			  const struct kcatch_plan_pointee *pointee, char *text, size_t room)
{
	struct kcatch_packet_headers packet;

	if (room < KCATCH_PACKET_TEXT || !kcatch_item_view_packet(view, pointee, &packet))
		return 0;
	return kcatch_packet_text(&packet, text, room);
}

/* Write one part of a summary. Returns its length. */
static size_t part_text(const struct decoding *d, const struct kcatch_item_view *view,
			const struct kcatch_plan_pointee *pointee, uint32_t index, char *text,
			size_t room)
{
	uint8_t item = pointee->parts[index];
	size_t length;

	if (!is_there(view, item) || (is_faulty(view, item) && !view->list->items[item].is_text))
		return 0;
	if (kcatch_summary_is_word(pointee->summary->parts[index].kind))
		return word_text(d, view, pointee, index, text, room);
	switch (pointee->summary->parts[index].kind) {
	case KCATCH_SUMMARY_ADDRESS:
	case KCATCH_SUMMARY_NAME:
		return address_text(d, pointee, view->bytes[item], view->length[item], text, room);
	case KCATCH_SUMMARY_SOCK:
		return kcatch_summary_sock(view->bytes[item], view->length[item], text, room);
	case KCATCH_SUMMARY_PACKET:
		return packet_text(view, pointee, text, room);
	default:
		length = view->length[item];
		/* An array of fixed size ends at its null byte. */
		if (!view->list->items[item].is_text)
			length = strnlen((const char *)view->bytes[item], length);
		length = length < room ? length : room;
		memcpy(text, view->bytes[item], length);
		return length;
	}
}

/*
 * Write the first part from the bytes of the struct itself. For a socket address they may be all
 * there is: the part has the size of the largest address, and could not be read if memory ended
 * before that. A struct sock begins with its addresses.
 */
static size_t object_text(const struct decoding *d, const struct kcatch_item_view *view,
			  const struct kcatch_plan_pointee *pointee, uint8_t item, char *text,
			  size_t room)
{
	if (!is_there(view, item) || is_faulty(view, item))
		return 0;
	switch (pointee->summary->parts[0].kind) {
	case KCATCH_SUMMARY_ADDRESS:
		return address_text(d, pointee, view->bytes[item], view->length[item], text, room);
	case KCATCH_SUMMARY_SOCK:
		/* In another struct the socket is not at the beginning. */
		if (*pointee->summary->parts[0].member)
			return 0;
		return kcatch_summary_sock(view->bytes[item], view->length[item], text, room);
	default:
		return 0;
	}
}

/*
 * Mark what is missing of a part. Of a path that is the beginning: without the dots, the end of
 * /srv/a/b would look like the whole path /b. Returns the length of the mark.
 */
static size_t mark_cut(const struct kcatch_item_view *view,
		       const struct kcatch_plan_pointee *pointee, uint32_t index, char *text,
		       size_t room, struct kcatch_value *value)
{
	enum kcatch_summary_kind kind = pointee->summary->parts[index].kind;
	uint8_t item = pointee->parts[index];

	if (!is_there(view, item) || !is_cut(view, item))
		return 0;
	value->cut = true;
	if ((kind != KCATCH_SUMMARY_PATH && kind != KCATCH_SUMMARY_DENTRY) || room <= 3)
		return 0;
	memcpy(text, "...", 3);
	return 3;
}

/* Whether a part is a text that could be read and is empty. */
static bool is_empty(const struct kcatch_item_view *view, const struct kcatch_plan_pointee *pointee,
		     uint32_t index)
{
	enum kcatch_summary_kind kind = pointee->summary->parts[index].kind;
	uint8_t item = pointee->parts[index];

	return (kind == KCATCH_SUMMARY_STRING || kind == KCATCH_SUMMARY_COUNTED) &&
	       is_there(view, item) && !is_faulty(view, item) && !view->length[item];
}

/*
 * Write a part where the format has it. Returns its length; *known: there is one, or it is a text
 * that is empty.
 */
static size_t put_part(const struct decoding *d, const struct kcatch_item_view *view,
		       const struct kcatch_plan_pointee *pointee, uint32_t index, char *text,
		       size_t room, struct kcatch_value *value, bool *known)
{
	enum kcatch_summary_kind kind = pointee->summary->parts[index].kind;
	size_t cut, put;

	*known = true;
	if (kind >= KCATCH_SUMMARY_IF && kind <= KCATCH_SUMMARY_BIT) {
		*known = !leaves_out(view, pointee, index);
		return 0;
	}
	cut = mark_cut(view, pointee, index, text, room, value);
	put = part_text(d, view, pointee, index, text + cut, room - cut);
	if (!put && !index)
		put = object_text(d, view, pointee, pointee->object, text + cut, room - cut);
	*known = put || is_empty(view, pointee, index);
	return cut + put;
}

static void set_summary(const struct decoding *d, const struct kcatch_item_view *view,
			const struct kcatch_plan_pointee *pointee, struct kcatch_value *value)
{
	const char *format = pointee->summary->format;
	size_t length = 0, braces = 0;
	char text[TEXT_MAX];
	bool any = false, optional = false, all = true, known;

	for (; *format && length + 1 < sizeof(text); format++) {
		switch (*format) {
		case '{':
			optional = all = true;
			braces = length;
			continue;
		case '}':
			optional = false;
			length = all ? length : braces;
			continue;
		case '%':
			break;
		default:
			text[length++] = *format;
			continue;
		}
		format++;
		length += put_part(d, view, pointee, *format - '1', text + length,
				   sizeof(text) - length, value, &known);
		any |= known && !optional;
		all &= known;
		if (!known && !optional && length < sizeof(text))
			text[length++] = '?';
		if (length > sizeof(text))
			length = sizeof(text);
	}
	if (any) {
		value->is_late = is_there(view, pointee->parts[0]) &&
				 is_late(view, pointee->parts[0]);
		kcatch_decode_text(d->decoder, value, text, length);
		value->is_symbol = false;
	}
}

/* ---- pointees ---------------------------------------------------------------------- */

struct pointees {
	struct kcatch_pointees base;
	const struct decoding *d;
	const struct kcatch_item_view *view;
	const struct kcatch_plan_pointee *inside;
};

static void decode_pointee(const struct decoding *d, const struct kcatch_item_view *view,
			   const struct kcatch_plan_pointee *pointee, struct kcatch_value *value);

static void decode_pointee_at(const struct kcatch_pointees *base, uint32_t offset,
			      struct kcatch_value *value)
{
	const struct pointees *pointees = (const struct pointees *)base;
	const struct kcatch_plan_pointee *pointee;

	for (pointee = pointees->inside; pointee; pointee = pointee->next) {
		if (pointee->offset != offset)
			continue;
		/* A damaged recording may have thousands at one offset. */
		if (!pointees->d->decoder->left) {
			value->cut = true;
			return;
		}
		pointees->d->decoder->left--;
		decode_pointee(pointees->d, pointees->view, pointee, value);
	}
}

/* Set a value to the text in an item, which is there. */
static void decode_text(const struct decoding *d, const struct kcatch_item_view *view, uint8_t item,
			uint64_t limit, struct kcatch_value *value)
{
	bool all = view->length[item] >= limit;

	value->fault = is_faulty(view, item);
	value->cut = is_cut(view, item) && !all;
	value->is_late = is_late(view, item);
	if (!value->fault || view->length[item])
		kcatch_decode_text(d->decoder, value, view->bytes[item],
				   all ? limit : view->length[item]);
}

/* A text of octets that has others than characters is none, and what is behind it is not known. */
static void decode_string(const struct decoding *d, const struct kcatch_item_view *view,
			  uint8_t item, const struct kcatch_plan_pointee *pointee,
			  struct kcatch_value *value)
{
	value->kind = KCATCH_VALUE_STRING;
	decode_text(d, view, item, UINT64_MAX, value);
	if (!value->text || !kcatch_type_is_octet(pointee->type) ||
	    kcatch_decode_is_text(view->bytes[item], value->length))
		return;
	value->kind = KCATCH_VALUE_BYTES;
	value->cut |= !value->fault;
}

static void decode_hardware(const struct decoding *d, const struct kcatch_item_view *view,
			    uint8_t item, struct kcatch_value *value)
{
	kcatch_decode_hardware(d->decoder, value, view->bytes[item], view->length[item]);
}

/* The argument with a buffer's length, bytes; UINT64_MAX: unknown; a negative one counts as 0. */
static uint64_t count_of(const struct decoding *d, const struct kcatch_plan_pointee *pointee)
{
	const struct kcatch_plan_value *count = &d->plan->args[(int)pointee->count];
	struct kcatch_value value = { .name = NULL };
	const uint8_t *bytes;
	size_t size = words_of(&d->entry, count, &bytes);

	if (!bytes)
		return UINT64_MAX;
	kcatch_decode_type(d->decoder, count->type, bytes, size, NULL, &value);
	if (value.kind != KCATCH_VALUE_INTEGER && value.kind != KCATCH_VALUE_ENUM)
		return UINT64_MAX;
	return value.is_signed && (int64_t)value.number < 0 ? 0 : value.number;
}

static void decode_struct(const struct decoding *d, const struct kcatch_item_view *view,
			  const struct kcatch_plan_pointee *pointee, uint8_t item,
			  struct kcatch_value *value)
{
	struct pointees pointees = { .base.decode = decode_pointee_at, .d = d, .view = view,
				     .inside = pointee->inside };

	kcatch_decode_type(d->decoder, pointee->type, view->bytes[item], view->length[item],
			   view == &d->at_return && item == pointee->again ? NULL : &pointees.base,
			   value);
}

static void decode_object(const struct decoding *d, const struct kcatch_item_view *view,
			  const struct kcatch_plan_pointee *pointee, struct kcatch_value *value)
{
	struct kcatch_value *child;

	if (is_faulty(view, pointee->object)) {
		value->fault = true;
		return;
	}
	value->is_late = is_late(view, pointee->object);
	child = kcatch_decode_take(d->decoder, sizeof(*child));
	if (!child)
		return;
	decode_struct(d, view, pointee, pointee->object, child);
	value->children = child;
	value->nr_children = 1;
}

/* Add the pointee to @value, a pointer with its number. */
static void decode_pointee(const struct decoding *d, const struct kcatch_item_view *view,
			   const struct kcatch_plan_pointee *pointee, struct kcatch_value *value)
{
	if (!value->number || value->is_error)
		return;
	value->cut |= pointee->left_out;
	if (pointee->summary)
		set_summary(d, view, pointee, value);
	if (!is_there(view, pointee->object))
		return;
	if (value->is_symbol && pointee->kind != KCATCH_POINTEE_OBJECT) {
		value->is_symbol = false;	/* the text or bytes say more */
		value->text = NULL;
		value->length = 0;
	}
	switch (pointee->kind) {
	case KCATCH_POINTEE_STRING:
		decode_string(d, view, pointee->object, pointee, value);
		break;
	case KCATCH_POINTEE_BYTES:
		value->kind = KCATCH_VALUE_BYTES;
		decode_text(d, view, pointee->object, count_of(d, pointee), value);
		break;
	case KCATCH_POINTEE_OBJECT:
		decode_object(d, view, pointee, value);
		break;
	case KCATCH_POINTEE_HARDWARE:
		value->fault = is_faulty(view, pointee->object);
		if (!value->fault)
			decode_hardware(d, view, pointee->object, value);
		break;
	case KCATCH_POINTEE_NOTHING:
		break;
	}
}

/* ---- at the return ------------------------------------------------------------------- */

static void decode_returned(const struct decoding *d, struct kcatch_value *value)
{
	const struct kcatch_plan_value *ret = &d->plan->ret;
	uint8_t bytes[16] = { 0 };
	const uint8_t *words;
	size_t size = words_of(&d->at_return, ret, &words), known;

	memcpy(bytes, &d->fetched->ret, 8);
	if (ret->nr_words == 2 && size)
		memcpy(bytes, words, size < sizeof(bytes) ? size : sizeof(bytes));
	/* Without the items of the return, only the first word is known. */
	known = ret->nr_words == 2 && size ? sizeof(bytes) : 8;
	kcatch_decode_type(d->decoder, ret->type, bytes, ret->bytes < known ? ret->bytes : known,
			   NULL, value);
}

/*
 * Number of bytes that the function wrote to a buffer: its return value, if that is an integer
 * and can be the number; 0 if the function failed; else the length of the buffer.
 */
static uint64_t answer_size(const struct decoding *d, const struct kcatch_plan_pointee *pointee)
{
	uint64_t count = count_of(d, pointee);
	struct kcatch_value ret = { .name = NULL };

	decode_returned(d, &ret);
	if (ret.kind != KCATCH_VALUE_INTEGER || ret.bytes < 4)
		return count;
	if (ret.is_signed && (int64_t)ret.number < 0)
		return 0;
	/* An int of 0 means "success" as often as "no bytes". */
	if (ret.number > count || (!ret.number && ret.bytes < 8))
		return count;
	return ret.number;
}

static uint64_t member_number(const struct kcatch_value *value, const char *name)
{
	size_t i;

	for (i = 0; i < value->nr_children; i++)
		if (value->children[i].name && !strcmp(value->children[i].name, name))
			return value->children[i].number;
	return 0;
}

/*
 * Many functions free the packet (sk_buff) that they are given. The kernel's allocator then
 * overwrites its lengths with an encoded pointer: implausible lengths mean a freed packet.
 */
static bool is_freed_packet(struct kcatch_type type, const struct kcatch_value *again)
{
	uint64_t length = member_number(again, "len");

	return !strcmp(kcatch_type_name(kcatch_type_strip(type)), "sk_buff") &&
	       (length >> 24 || member_number(again, "data_len") > length);
}

/* The same bytes twice, none of which was followed, have the same values. */
static bool is_unchanged(const struct decoding *d, const struct kcatch_plan_pointee *pointee,
			 const struct kcatch_value *value)
{
	const struct kcatch_item_view *entry = &d->entry, *at_return = &d->at_return;
	size_t length = at_return->length[pointee->again];

	return pointee->kind == KCATCH_POINTEE_OBJECT && value->nr_children && !pointee->inside &&
	       is_there(entry, pointee->object) && entry->length[pointee->object] == length &&
	       !memcmp(entry->bytes[pointee->object], at_return->bytes[pointee->again], length);
}

/* The summary of a struct at the return, where its own bytes are all that it is made of. */
static void set_summary_again(const struct decoding *d, const struct kcatch_item_view *view,
			      const struct kcatch_plan_pointee *pointee, struct kcatch_value *again)
{
	char text[TEXT_MAX];
	size_t length;

	if (!pointee->summary || strcmp(pointee->summary->format, "%1") != 0)
		return;
	length = object_text(d, view, pointee, pointee->again, text, sizeof(text));
	if (length)
		kcatch_decode_text(d->decoder, again, text, length);
}

/* Add the pointee at the return, if it differs from the one at the entry. */
static void decode_again(const struct decoding *d, const struct kcatch_plan_pointee *pointee,
			 struct kcatch_value *value)
{
	const struct kcatch_item_view *view = &d->at_return;
	struct kcatch_value *again;
	uint64_t limit = UINT64_MAX;

	if (!d->fetched->returned || !value->number || value->is_error ||
	    !is_there(view, pointee->again) || is_faulty(view, pointee->again))
		return;
	if (is_unchanged(d, pointee, value) &&
	    kcatch_decode_skip(d->decoder, pointee->type, view->length[pointee->again]))
		return;
	again = kcatch_decode_take(d->decoder, sizeof(*again));
	if (!again)
		return;
	decode_struct(d, view, pointee, pointee->again, again);
	if (pointee->kind == KCATCH_POINTEE_OBJECT) {
		if (is_freed_packet(pointee->type, again))
			return;
		set_summary_again(d, view, pointee, again);
		if (!value->nr_children || kcatch_decode_changed(value->children, again))
			value->at_return = again;
		return;
	}
	again->kind = KCATCH_VALUE_BYTES;
	again->type = value->type;
	again->number = value->number;
	again->nr_children = 0;
	again->is_signed = false;
	again->bytes = value->bytes;
	again->text = NULL;
	again->length = 0;
	if (pointee->is_output)
		limit = answer_size(d, pointee);
	if (pointee->is_output && !limit)
		return;
	if (pointee->kind == KCATCH_POINTEE_BYTES) {
		decode_text(d, view, pointee->again, limit, again);
	} else if (pointee->kind == KCATCH_POINTEE_HARDWARE) {
		again->kind = KCATCH_VALUE_STRING;
		decode_hardware(d, view, pointee->again, again);
	} else {
		decode_string(d, view, pointee->again, pointee, again);
	}
	again->changed = !value->text || value->length != again->length ||
			 memcmp(value->text, again->text, again->length);
	if (again->text && again->changed)
		value->at_return = again;
}

/* ---- arguments -------------------------------------------------------------------------- */

static void decode_raw(uint64_t word, struct kcatch_value *value)
{
	value->type = "unsigned long";
	value->kind = KCATCH_VALUE_INTEGER;
	value->bytes = 8;
	value->number = word;
}

/* The number of an argument of the call. Returns whether it is known. */
static bool number_of(void *arg, const char *name, uint64_t *number)
{
	const struct decoding *d = arg;
	struct kcatch_value value = { .name = NULL };
	const uint8_t *bytes;
	size_t size;
	uint32_t i;

	for (i = 0; i < d->plan->nr_args && strcmp(d->plan->args[i].name, name); i++)
		;
	if (i == d->plan->nr_args)
		return false;
	size = words_of(&d->entry, &d->plan->args[i], &bytes);
	if (!bytes || is_faulty(&d->entry, d->plan->args[i].words))
		return false;
	kcatch_decode_type(d->decoder, d->plan->args[i].type, bytes, size, NULL, &value);
	*number = value.number;
	return value.kind == KCATCH_VALUE_INTEGER;
}

static void decode_arg(const struct decoding *d, const struct kcatch_plan_value *arg,
		       struct kcatch_value *value)
{
	const struct kcatch_item_view *view = &d->entry;
	const struct kcatch_constants *constants;
	const struct kcatch_shape *shape;
	const uint8_t *bytes;
	size_t size = words_of(view, arg, &bytes);
	bool there = bytes;
	bool is_typed = d->plan->proto.id;

	value->name = arg->name;
	if (there && is_faulty(view, arg->words))
		value->fault = true;
	if (!is_typed) {
		decode_raw(there ? word_of(view, arg->words) : 0, value);
		if (!there)
			value->kind = KCATCH_VALUE_UNKNOWN;
		return;
	}
	kcatch_decode_type(d->decoder, arg->type, bytes, size, NULL, value);
	if (!there)
		value->kind = KCATCH_VALUE_UNKNOWN;
	shape = kcatch_shape_of(&d->decoder->shapes, arg->type);
	constants = kcatch_constants_of_call(d->fetched->named, arg->name, number_of, (void *)d);
	if (!constants && shape)
		constants = shape->constants;
	kcatch_decode_meaning(d->decoder, shape ? shape->number_kind : KCATCH_NUMBER_PLAIN,
			      constants, value);
	if (!there || !arg->pointee)
		return;
	decode_pointee(d, view, arg->pointee, value);
	if (!kcatch_type_is_const(arg->pointee->type))
		decode_again(d, arg->pointee, value);
}

static void begin(struct decoding *d, struct kcatch_decoder *decoder,
		  const struct kcatch_plan *plan, const struct kcatch_fetched *fetched,
		  struct kcatch_arena *memory)
{
	*d = (struct decoding){ .decoder = decoder, .plan = plan, .fetched = fetched };
	kcatch_arena_reset(memory);
	decoder->arch = plan->arch;
	decoder->now = memory;
	decoder->left = MEMBERS_MAX;
	decoder->failed = false;
	kcatch_item_view_init_entry(&d->entry, plan, fetched);
	if (fetched->returned)
		kcatch_item_view_init(&d->at_return, &plan->at_return, fetched->at_return,
			   fetched->at_return ? fetched->return_size : 0, fetched->return_faults,
			   fetched->return_cut);
}

int kcatch_decode_args(struct kcatch_decoder *decoder, const struct kcatch_plan *plan,
		       const struct kcatch_fetched *fetched, const struct kcatch_value **values,
		       uint32_t *nr)
{
	struct kcatch_value *args;
	struct decoding d;
	uint32_t i;

	begin(&d, decoder, plan, fetched, &decoder->args);
	args = kcatch_decode_take(decoder, plan->nr_args * sizeof(*args));
	for (i = 0; args && i < plan->nr_args; i++)
		decode_arg(&d, &plan->args[i], &args[i]);
	if (decoder->failed)
		return kcatch_error_memory();
	*values = args;
	*nr = plan->nr_args;
	return 0;
}

/* Name a negative errno, if the type is a signed integer or unknown. */
static void name_error(struct kcatch_decoder *decoder, struct kcatch_value *value, bool is_typed)
{
	int64_t number;
	const char *name;

	if (!is_typed)
		value->number = kcatch_errno_untyped(value->number);
	number = (int64_t)value->number;
	if (value->kind != KCATCH_VALUE_INTEGER || (is_typed && !value->is_signed) ||
	    value->bytes < 4 || number >= 0 || number < -KCATCH_ERRNO_MAX)
		return;
	value->is_error = true;
	value->is_signed = true;
	name = kcatch_errno_name(-(int)number);
	if (name)
		kcatch_decode_text(decoder, value, name, strlen(name));
}

int kcatch_decode_return(struct kcatch_decoder *decoder, const struct kcatch_plan *plan,
			 const struct kcatch_fetched *fetched, const struct kcatch_value **value)
{
	struct kcatch_value *ret;
	struct decoding d;

	if (!fetched->returned)
		return -ENODATA;
	begin(&d, decoder, plan, fetched, &decoder->ret);
	ret = kcatch_decode_take(decoder, sizeof(*ret));
	if (!ret)
		return kcatch_error_memory();
	if (!plan->proto.id) {
		decode_raw(fetched->ret, ret);
		name_error(decoder, ret, false);
	} else {
		decode_returned(&d, ret);
		if (!plan->ret.type.id || kcatch_type_kind(plan->ret.type) == BTF_KIND_UNKN)
			ret->kind = KCATCH_VALUE_VOID;
		name_error(decoder, ret, true);
		if (plan->ret.pointee)
			decode_pointee(&d, &d.at_return, plan->ret.pointee, ret);
	}
	if (decoder->failed)
		return kcatch_error_memory();
	*value = ret;
	return 0;
}

int kcatch_decoder_create(int (*symbol)(void *arg, uint64_t address, char *text, size_t room),
			  void *arg, struct kcatch_decoder **decoder)
{
	struct kcatch_decoder *new = calloc(1, sizeof(*new));

	if (!new)
		return kcatch_error_memory();
	new->arch = kcatch_arch_running();
	new->symbol = symbol;
	new->symbol_arg = arg;
	*decoder = new;
	return 0;
}

void kcatch_decoder_destroy(struct kcatch_decoder *decoder)
{
	if (!decoder)
		return;
	kcatch_arena_deinit(&decoder->args);
	kcatch_arena_deinit(&decoder->ret);
	kcatch_shapes_deinit(&decoder->shapes);
	free(decoder);
}
