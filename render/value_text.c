/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_text.c - arguments and return values as text
 *
 *	file=/etc/passwd buf="root:x:0:0"... count=4096 *pos=0 => 4096 res={type: 0 => 2}
 *
 * Texts come from untrusted memory, so all of them are escaped.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "put.h"
#include "row.h"
#include "stdout.h"
#include "value_text.h"

#define NESTED_MAX 3	/* levels of nested structs in one line */
#define ELEMENTS_MAX 16	/* elements of an array in one line */
#define BYTES_MAX 48	/* bytes shown of data that is no text */
#define SIDE_MAX 48	/* bytes shown of the value before a change, and of the one after it */
#define CHANGES_TO   " => " /* stands in no value: what was, and what is */
#define EACH 0x0101010101010101ULL	/* one in each byte */
#define WORD_MIN 40	/* least columns of a member, for any length of its struct's name */

static void print_value(FILE *out, const struct kcatch_value *value, unsigned int depth);

/* Bytes that are printed unchanged, inside quotes as well. */
static size_t plain_length(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length && text[at] >= ' ' && text[at] <= '~' && text[at] != '\\' &&
	       text[at] != '"')
		at++;
	return at;
}

static void print_escaped(FILE *out, const char *text, size_t length, bool quote)
{
	char *room = malloc(4 * length + 1);
	const char *at;

	if (!room) {
		put_text(out, "<out of memory>");
		return;
	}
	kcatch_text_escape(text, length, room, 4 * length + 1);
	for (at = room; *at; at++) {
		if (quote && *at == '"')
			put_char(out, '\\');
		put_char(out, *at);
	}
	free(room);
}

void value_text_escaped(FILE *out, const char *text, size_t length, bool quote)
{
	size_t plain = plain_length(text, length);

	if (quote)
		put_char(out, '"');
	put_bytes(out, text, plain);
	if (plain < length)
		print_escaped(out, text + plain, length - plain, quote);
	if (quote)
		put_char(out, '"');
}

/* Has one of eight bytes the highest bit, or is it below @least? */
static bool has_below(uint64_t bytes, unsigned char least)
{
	return ((bytes - EACH * least) & ~bytes & EACH * 0x80) || (bytes & EACH * 0x80);
}

static bool has_byte(uint64_t bytes, unsigned char byte)
{
	return has_below(bytes ^ EACH * byte, 1);
}

void value_text_in_line(struct line *line, const char *text)
{
	size_t length = strlen(text), i;
	bool plain = line_room(line, length + sizeof(uint64_t));

	if (plain) {
		memcpy(line->at, text, length);
		memset(line->at + length, ' ', sizeof(uint64_t));
	}
	for (i = 0; plain && i < length; i += sizeof(uint64_t)) {
		uint64_t bytes;

		memcpy(&bytes, line->at + i, sizeof(bytes));
		plain = !has_below(bytes, ' ') && !has_byte(bytes, '"') &&
			!has_byte(bytes, '\\') && !has_byte(bytes, 0x7f);
	}
	if (plain) {
		line->at += length;
		return;
	}
	line_flush(line);
	value_text_escaped(line->out, text, length, false);
}

static bool are_hidden(void)
{
	static __thread int restricted = -1;

	if (restricted < 0)
		restricted = kcatch_machine_hides_addresses();
	return restricted;
}

bool value_hides_bits(uint64_t number, bool is_signed)
{
	return are_hidden() && kcatch_number_may_be_address(number, is_signed);
}

bool value_is_hidden(uint64_t address)
{
	return value_hides_bits(address, false);
}

bool value_hides_number(const struct kcatch_value *value)
{
	return value->bytes == 8 && value_hides_bits(value->number, value->is_signed);
}

/* Are they characters that somebody meant to be read, in UTF-8? */
static bool is_text(const char *text, size_t length)
{
	size_t room = 3 * length + 1, i;
	char *valid;
	bool same;

	for (i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ' && text[i] != '\n' && text[i] != '\t')
			return false;
	valid = malloc(room);
	same = valid && kcatch_text_utf8(text, length, valid, room) == length;
	free(valid);
	return same;
}

bool value_hides_string(const char *text, size_t length)
{
	return are_hidden() && !is_text(text, length);
}

bool value_hides_bytes(const struct kcatch_value *value)
{
	uint64_t address;
	size_t i;

	if (!are_hidden())
		return false;
	if (value->kind == KCATCH_VALUE_STRING)
		return value_hides_string(value->text, value->length);
	for (i = 0; i + sizeof(address) <= value->length; i++) {
		memcpy(&address, value->text + i, sizeof(address));
		if (kcatch_number_may_be_address(address, true))
			return true;
	}
	return false;
}

const char *value_text_address(uint64_t address, char *text, size_t room)
{
	if (value_is_hidden(address))
		snprintf(text, room, "<hidden>");
	else
		snprintf(text, room, "0x%" PRIx64, address);
	return text;
}

/* "12.34": @ns in units of 10^@exponent ns, with @digits decimals, rounded as printf() does. */
static size_t print_decimals(char *text, size_t room, uint64_t ns, unsigned int exponent,
			     unsigned int digits)
{
	static const uint64_t tens[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
					 100000000, 1000000000 };
	uint64_t last = tens[exponent - digits], number = (ns + last / 2) / last;
	char made[PUT_DIGITS + 1], *end = made + sizeof(made), *at = end;
	unsigned int i;

	/* In the middle between two, and if there is no such double, the nearest one decides. */
	if (ns % last == last / 2 || ns >> 50 || room <= sizeof(made))
		return (size_t)snprintf(text, room, "%.*f", (int)digits,
					(double)ns / (double)tens[exponent]);
	for (i = 0; i < digits; i++, number /= 10)
		*--at = (char)('0' + number % 10);
	*--at = '.';
	at = put_digits(at, number);
	memcpy(text, at, (size_t)(end - at));
	text[end - at] = '\0';
	return (size_t)(end - at);
}

const char *value_text_latency(uint64_t ns, char *text, size_t room)
{
	const char *unit = " s";
	size_t length;

	if (ns < 1000) {
		char digits[PUT_DIGITS], *end = digits + sizeof(digits),
		     *first = put_digits(end, ns);

		length = (size_t)(end - first);
		if (length >= room)
			length = 0;
		memcpy(text, first, length);
		text[length] = '\0';
		unit = " ns";
	} else if (ns < 1000000) {
		length = print_decimals(text, room, ns, 3, ns < 100000 ? 2 : 1);
		unit = " us";
	} else if (ns < 1000000000) {
		length = print_decimals(text, room, ns, 6, ns < 100000000 ? 2 : 1);
		unit = " ms";
	} else {
		length = print_decimals(text, room, ns, 9, 3);
	}
	if (length + strlen(unit) < room)
		strcpy(text + length, unit);
	return text;
}

bool value_text_spent(const struct kcatch_event *event, char *text, size_t room)
{
	const struct {
		uint64_t ns;
		const char *where;
	} parts[] = {
		{ event->oncpu_ns, "on the CPU" },
		{ event->runnable_ns, "waiting for one" },
		{ event->blocked_ns, "blocked" },
		{ event->away_ns, "off the CPU by now" },
	};
	char time[24];
	size_t i, length = 0;

	*text = '\0';
	if (!event->off_cpu_known || !event->switches)
		return false;
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].ns)
			length += (size_t)snprintf(
				text + length, room - length, "%s %s, ",
				value_text_latency(parts[i].ns, time, sizeof(time)),
				parts[i].where);
	if (event->switches == 1)
		snprintf(text + length, room - length, "switched out once");
	else
		snprintf(text + length, room - length, "switched out %u times", event->switches);
	return true;
}

const char *value_text_stack_mark(enum kcatch_event_stack end)
{
	return end == KCATCH_STACK_CUT ? "[cut]" :
	       end == KCATCH_STACK_LOST_TRACK ? "[lost track]" : NULL;
}

bool value_is_failure(const struct kcatch_value *value)
{
	return value->is_error || (value->kind == KCATCH_VALUE_POINTER && !value->number);
}

static void print_address(FILE *out, uint64_t address)
{
	if (!address)
		put_text(out, "NULL");
	else if (value_is_hidden(address))
		put_text(out, "<hidden>");
	else
		put_hex(out, address);
}

static bool name_has(const struct kcatch_value *value, const char *part)
{
	return value->name && strstr(value->name, part);
}

/* Print an error as functions return it, "-ENOENT"; its name may lack the sign. */
static void print_errno(FILE *out, const struct kcatch_value *value)
{
	if (value->text[0] != '-')
		put_char(out, '-');
	value_text_escaped(out, value->text, value->length, false);
}

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

static bool has_bits(const struct kcatch_value *value)
{
	static const char *const types[] = { "gfp_t", "fmode_t", "vm_flags_t", "blk_opf_t",
					     "slab_flags_t", "vm_fault_t", NULL };

	return name_has(value, "flags") || name_has(value, "mask") ||
	       (value->type && is_one_of(value->type, types));
}

/* A 64-bit integer that holds an address: too large for a count, or named like an address. */
static bool is_address(const struct kcatch_value *value)
{
	static const char *const names[] = { "addr", "address", "start", "end", "ip", "sp", NULL };
	const char *tail;

	if (value->is_signed || value->bytes != 8)
		return false;
	if (value->number >> 47)
		return true;
	if (!value->type || !strstr(value->type, "long"))	/* not size_t, u64, sector_t */
		return false;
	if (value->number >> 40)
		return true;
	tail = value->name ? strrchr(value->name, '_') : NULL;
	return value->number > 4095 && value->name &&
	       is_one_of(tail ? tail + 1 : value->name, names);
}

/* Bits and addresses in hexadecimal, others in decimal. */
static void print_integer(FILE *out, const struct kcatch_value *value)
{
	if (value->is_error && value->text)
		print_errno(out, value);
	else if (value_hides_number(value))
		put_text(out, "<hidden>");
	else if (value->text)
		put_bytes(out, value->text, value->length);
	else if (value->is_signed && (int64_t)value->number < 0)
		put_signed(out, (int64_t)value->number);
	else if (value->number > 9 && has_bits(value))
		put_hex(out, value->number);
	else if (is_address(value))
		print_address(out, value->number);
	else
		put_number(out, value->number);
}

/* A path whose beginning is missing has the dots there. */
static bool is_marked(const struct kcatch_value *value)
{
	return value->kind == KCATCH_VALUE_POINTER && value->text && value->length >= 3 &&
	       !memcmp(value->text, "...", 3);
}

static void print_marks(FILE *out, const struct kcatch_value *value)
{
	if (value->cut && !is_marked(value))
		put_text(out, "...");
	if (value->fault)
		put_text(out, "<unreadable>");
	else if (value->is_late)
		put_text(out, " (read at return)");
}

/* At least 8 bytes, all the same. */
static bool is_monotonous(const struct kcatch_value *value)
{
	return value->length >= 8 && !memcmp(value->text, value->text + 1, value->length - 1);
}

/*
 * A string is quoted. The readable form of a struct, such as a path, is not, unless it is empty
 * or a path with a blank, whose end nobody could see.
 */
static void print_string(FILE *out, const struct kcatch_value *value)
{
	bool shorter = value->kind == KCATCH_VALUE_BYTES && value->length > BYTES_MAX;

	if (value->kind != KCATCH_VALUE_POINTER && value_hides_bytes(value)) {
		put_text(out, "<hidden>");
		return;
	}
	if (value->kind == KCATCH_VALUE_BYTES && is_monotonous(value)) {
		value_text_escaped(out, value->text, 1, true);
		fprintf(out, " x %zu", value->length);
		return;
	}
	if (value->is_hardware)
		put_bytes(out, value->text, value->length);
	else if (value->kind == KCATCH_VALUE_POINTER)
		value_text_escaped(out, value->text, value->length,
				   !value->length || ((value->text[0] == '/' || is_marked(value)) &&
						      memchr(value->text, ' ', value->length)));
	else
		value_text_escaped(out, value->text, shorter ? BYTES_MAX : value->length, true);
	if (shorter && !value->cut)
		put_text(out, "...");	/* if it was cut, print_marks() prints the dots */
}

static void print_members(FILE *out, const struct kcatch_value *value, unsigned int depth)
{
	size_t most = value->kind == KCATCH_VALUE_ARRAY ? ELEMENTS_MAX : SIZE_MAX, i;

	put_char(out, value->kind == KCATCH_VALUE_ARRAY ? '[' : '{');
	if (depth >= NESTED_MAX) {
		put_text(out, "...");
	} else {
		for (i = 0; i < value->nr_children && i < most; i++) {
			const struct kcatch_value *child = &value->children[i];

			if (i)
				put_char(out, ' ');
			if (child->name && child->name[0]) {
				value_text_escaped(out, child->name, strlen(child->name), false);
				put_char(out, '=');
			}
			print_value(out, child, depth + 1);
		}
		if (i < value->nr_children)
			put_text(out, " ...");
	}
	put_char(out, value->kind == KCATCH_VALUE_ARRAY ? ']' : '}');
}

static const struct kcatch_value *target_of(const struct kcatch_value *value)
{
	return value->kind == KCATCH_VALUE_POINTER && value->nr_children ? &value->children[0] :
									   NULL;
}

static bool is_scalar(const struct kcatch_value *value)
{
	return value->kind == KCATCH_VALUE_INTEGER || value->kind == KCATCH_VALUE_BOOL ||
	       value->kind == KCATCH_VALUE_ENUM || value->kind == KCATCH_VALUE_POINTER ||
	       value->kind == KCATCH_VALUE_FUNCTION;
}

static void print_pointer(FILE *out, const struct kcatch_value *value, unsigned int depth)
{
	const struct kcatch_value *target = target_of(value);

	if (value->is_error && value->text) {
		print_errno(out, value);
		return;
	}
	if (value->text) {
		print_string(out, value);
		return;
	}
	print_address(out, value->number);
	if (target && target->fault && !value->fault)
		put_text(out, "<unreadable>");
	else if (target && depth && !is_scalar(target) && value->number)
		print_value(out, target, depth);
}

static void print_value(FILE *out, const struct kcatch_value *value, unsigned int depth)
{
	switch (value->kind) {
	case KCATCH_VALUE_INTEGER:
		print_integer(out, value);
		break;
	case KCATCH_VALUE_BOOL:
		put_text(out, value->number ? "true" : "false");
		break;
	case KCATCH_VALUE_ENUM:
	case KCATCH_VALUE_FUNCTION:
		if (value->text && value->length)
			value_text_escaped(out, value->text, value->length, false);
		else if (value->kind == KCATCH_VALUE_FUNCTION)
			print_address(out, value->number);
		else
			print_integer(out, value);
		break;
	case KCATCH_VALUE_POINTER:
		print_pointer(out, value, depth);
		break;
	case KCATCH_VALUE_STRING:
	case KCATCH_VALUE_BYTES:
		if (value->text && (value->length || !value->fault))
			print_string(out, value);
		else if (value->fault && value->number && !value_is_hidden(value->number))
			put_hex(out, value->number);
		else if (!value->fault)
			put_text(out, "NULL");
		break;
	case KCATCH_VALUE_STRUCT:
	case KCATCH_VALUE_ARRAY:
		if (!value->fault || value->nr_children)
			print_members(out, value, depth);
		break;
	case KCATCH_VALUE_VOID:
		put_text(out, "nothing");
		break;
	case KCATCH_VALUE_UNKNOWN:
		if (!value->fault)
			put_char(out, '?');
		break;
	}
	print_marks(out, value);
}

/* Print at most SIDE_MAX bytes of a text, cut between two UTF-8 characters. */
static void print_shortened(FILE *out, const char *text, size_t length)
{
	size_t most = SIDE_MAX;

	if (length > most) {
		while (most && ((unsigned char)text[most] & 0xc0) == 0x80)
			most--;
		put_bytes(out, text, most);
		put_text(out, "...");
	} else {
		put_bytes(out, text, length);
	}
}

/* Locks, list links and the like: omitted without -v. */
static bool is_plumbing(const struct kcatch_value *value)
{
	static const char *const types[] = {
		"struct list_head", "struct hlist_head", "struct hlist_node", "struct hlist_nulls_node",
		"struct llist_node", "struct callback_head", "struct rb_node", "struct rb_root",
		"struct rb_root_cached", "struct rcu_node", "struct mutex", "struct rw_semaphore",
		"struct semaphore", "spinlock_t", "raw_spinlock_t", "rwlock_t", "struct qspinlock",
		"seqcount_t", "seqlock_t", "wait_queue_head_t", "struct lockref", NULL };

	return value->type && (is_one_of(value->type, types) ||
			       !strncmp(value->type, "seqcount_", strlen("seqcount_")));
}

/* Links, which change when the struct is put into a list or taken out. */
static bool is_link(const struct kcatch_value *value)
{
	return is_plumbing(value) ||
	       (value->kind == KCATCH_VALUE_POINTER && value->name &&
		(!strcmp(value->name, "next") || !strcmp(value->name, "prev")));
}

/* A list of changes, as words. At most @most are written, none of links; 0: all changes. */
struct changes {
	struct row *row;
	unsigned int most;
	size_t count;
	size_t shown;
};

/* One side of a change. */
static void print_side(FILE *out, const struct kcatch_value *value, unsigned int most)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory;

	if (!most) {
		print_value(out, value, 1);
		return;
	}
	memory = open_memstream(&text, &length);
	if (!memory)
		return;
	print_value(memory, value, 1);
	fclose(memory);
	print_shortened(out, text, length);
	free(text);
}

/* Name the part of something that has the path @prefix: an element, or a member. */
static void make_path(char *path, size_t room, bool is_element, const char *prefix,
		      const char *name, size_t index)
{
	size_t length = strlen(name);

	if (is_element)
		snprintf(path, room, "%s[%zu]", prefix, index);
	else if (!*prefix && length < room)
		memcpy(path, name, length + 1);
	else
		snprintf(path, room, "%s%s%s", prefix, *prefix && *name ? "." : "", name);
}

/* "type: 0 => 2 table.id: 254 => 255 slots[3]: 0 => 1" */
static void print_changes(struct changes *changes, const struct kcatch_value *before,
			  const struct kcatch_value *after, const char *prefix)
{
	size_t i;

	for (i = 0; i < before->nr_children; i++) {
		const struct kcatch_value *a = &before->children[i], *b = &after->children[i];
		char path[200];
		FILE *out;

		if (!b->changed)
			continue;
		make_path(path, sizeof(path), before->kind == KCATCH_VALUE_ARRAY, prefix,
			  a->name ? a->name : "", i);
		if ((a->kind == KCATCH_VALUE_STRUCT || a->kind == KCATCH_VALUE_ARRAY) &&
		    b->kind == a->kind && a->nr_children == b->nr_children && a->nr_children &&
		    !(changes->most && is_plumbing(a))) {
			print_changes(changes, a, b, path);
			continue;
		}
		changes->count++;
		if (changes->most && (changes->shown == changes->most || is_link(a)))
			continue;
		changes->shown++;
		out = row_word(changes->row);
		value_text_escaped(out, path, strlen(path), false);
		put_text(out, ": ");
		print_side(out, a, changes->most);
		put_text(out, CHANGES_TO);
		print_side(out, b, changes->most);
		row_end(changes->row);
	}
}

/* Has a struct a readable form, as a file has its path? A symbol's name says nothing of it. */
static bool has_form(const struct kcatch_value *value)
{
	return value->text && !value->is_symbol;
}

/* Is the change one of members? */
static bool changes_members(const struct kcatch_value *value)
{
	const struct kcatch_value *before = target_of(value), *after = value->at_return;

	return before && before->kind == KCATCH_VALUE_STRUCT &&
	       after->kind == KCATCH_VALUE_STRUCT && before->nr_children == after->nr_children &&
	       !after->fault;
}

/* Each member that the call changed. Of a struct with a readable form none, if not all are asked
 * for. @prefix: of their names */
static void print_members_changed(struct row *row, const struct kcatch_value *value,
				  unsigned int most, const char *prefix)
{
	struct changes changes = { .row = row, .most = most };

	if (most && has_form(value))
		return;
	print_changes(&changes, target_of(value), value->at_return, prefix);
	if (changes.count > changes.shown) {
		fprintf(row_word(row), "%s%s... (%zu more: -v)", prefix, *prefix ? ": " : "",
			changes.count - changes.shown);
		row_end(row);
	}
}

/* Has the struct another readable form at the return? */
static bool changes_form(const struct kcatch_value *value)
{
	const struct kcatch_value *after = value->at_return;

	return has_form(value) && after->text && after->kind == KCATCH_VALUE_STRUCT &&
	       (value->length != after->length || memcmp(value->text, after->text, after->length));
}

static void print_form(FILE *out, const struct kcatch_value *value)
{
	value_text_escaped(out, value->text, value->length, false);
}

/* What the call changed in the pointee: each member before and after, or both values. */
static void print_change(FILE *out, const struct kcatch_value *value, unsigned int most)
{
	const struct kcatch_value *before = target_of(value), *after = value->at_return;
	struct row row;

	if (!changes_members(value)) {
		print_value(out, before && is_scalar(before) ? before : value,
			    before && is_scalar(before));
		put_text(out, CHANGES_TO);
		print_value(out, after, 1);
		return;
	}
	if (value->text)
		print_string(out, value);
	if (changes_form(value)) {
		put_text(out, CHANGES_TO);
		print_form(out, after);
	}
	if (most && has_form(value))
		return;
	row_begin(&row, out, 0, SIZE_MAX, 0);
	put_char(out, '{');
	print_members_changed(&row, value, most, "");
	row_deinit(&row);
	put_char(out, '}');
}

/* Is what the pointer leads to shown, not the pointer? */
static bool shows_number(const struct kcatch_value *value)
{
	const struct kcatch_value *target = target_of(value);

	/* The change of a number is shown also where the pointer has a name. */
	return target && (!value->text || value->at_return) && !target->fault && value->number &&
	       is_scalar(target);
}

/* Does its change lead from a number to a number? What is read at the return alone has but one. */
static bool changes_number(const struct kcatch_value *value)
{
	return shows_number(value) || (!target_of(value) && value->kind == KCATCH_VALUE_POINTER &&
				       is_scalar(value->at_return));
}

/* "name", or "*name" of what the pointer leads to. */
static void print_name(FILE *out, const struct kcatch_value *value, bool is_target)
{
	if (!value->name || !value->name[0])
		return;
	if (is_target)
		put_char(out, '*');
	value_text_escaped(out, value->name, strlen(value->name), false);
}

void value_text_entry(FILE *out, const struct kcatch_value *value)
{
	print_name(out, value, shows_number(value));
	if (value->name && value->name[0])
		put_char(out, '=');
	if (shows_number(value))
		print_value(out, target_of(value), 1);
	else
		print_value(out, value, 0);
}

void value_text_argument(FILE *out, const struct kcatch_value *value, unsigned int changes)
{
	if (!value->at_return) {
		value_text_entry(out, value);
		return;
	}
	print_name(out, value, changes_number(value));
	if (value->name && value->name[0])
		put_char(out, '=');
	print_change(out, value, changes);
}

void value_text_changes(struct row *row, const struct kcatch_value *value, unsigned int most)
{
	const struct kcatch_value *before = target_of(value), *after = value->at_return;
	FILE *out;

	if (!after)
		return;
	if (changes_members(value) && !changes_form(value)) {
		print_members_changed(row, value, most, value->name ? value->name : "");
		return;
	}
	out = row_word(row);
	print_name(out, value, changes_number(value));
	put_text(out, ": ");
	if (changes_members(value)) {
		print_form(out, value);
		put_text(out, CHANGES_TO);
		print_form(out, after);
	} else {
		/* What is read at the return alone was not known at the entry. */
		if (before && is_scalar(before))
			print_value(out, before, 1);
		else if (value->text)
			print_value(out, value, 0);
		if ((before && is_scalar(before)) || value->text)
			put_text(out, CHANGES_TO);
		print_value(out, after, 1);
	}
	row_end(row);
	if (changes_members(value) && !most)
		print_members_changed(row, value, most, value->name ? value->name : "");
}

void value_text_return(FILE *out, const struct kcatch_value *value)
{
	print_value(out, value, 0);
}

/*
 * Cut a text at a blank before @room bytes, append " ..." and close the open brackets.
 * Return: the result, to be freed; NULL: out of memory.
 */
static char *shorten(const char *text, size_t length, size_t room)
{
	char closing[NESTED_MAX + 2], *short_text;
	size_t at, end = 0, nr = 0, nr_end = 0;
	bool quoted = false;

	short_text = malloc(room + sizeof(" ...") + sizeof(closing));
	if (!short_text)
		return NULL;
	for (at = 0; at + 1 < length && at + 1 < room; at++) {
		if (text[at] == '\\' && quoted)
			at++;
		else if (text[at] == '"')
			quoted = !quoted;
		else if (quoted)
			continue;
		else if ((text[at] == '{' || text[at] == '[') && nr < sizeof(closing))
			closing[nr++] = text[at] == '{' ? '}' : ']';
		else if ((text[at] == '}' || text[at] == ']') && nr)
			nr--;
		else if (text[at] == ' ') {
			end = at;
			nr_end = nr;
		}
	}
	if (!end) {	/* one long word */
		end = at;
		nr_end = nr;
	}
	memcpy(short_text, text, end);
	memcpy(short_text + end, " ...", 4);
	end += 4;
	while (nr_end)
		short_text[end++] = closing[--nr_end];
	short_text[end] = '\0';
	return short_text;
}

/* A member as a word of at most @most bytes (0: no limit), to be freed; NULL: out of memory. */
static char *member_word(const struct kcatch_value *member, size_t most)
{
	char *word = NULL, *shorter;
	size_t length = 0;
	FILE *memory = open_memstream(&word, &length);

	if (!memory)
		return NULL;
	value_text_argument(memory, member, VALUE_CHANGES);
	fclose(memory);
	if (!most || length <= most)
		return word;
	/* Too long: leave out nested structs, and cut if it is still too long. */
	free(word);
	word = NULL;
	memory = open_memstream(&word, &length);
	if (!memory)
		return NULL;
	if (member->name && member->name[0]) {
		value_text_escaped(memory, member->name, strlen(member->name), false);
		put_char(memory, '=');
	}
	print_value(memory, member, NESTED_MAX - 1);
	fclose(memory);
	if (length <= most)
		return word;
	shorter = shorten(word, length, most - sizeof(" ...}]"));
	free(word);
	return shorter;
}

void value_text_struct(FILE *out, const struct kcatch_value *value, unsigned int lines)
{
	const struct kcatch_value *target = target_of(value);
	size_t shown = 0, most = 0, i;
	struct row row;
	const char *name = value->name && value->name[0] ? value->name : "it";

	if (!target || target->kind != KCATCH_VALUE_STRUCT || !target->nr_children ||
	    value->is_error || (lines && value->text))
		return;
	put_text(out, "      ");
	value_text_escaped(out, name, strlen(name), false);
	put_text(out, ": ");
	row_begin(&row, out, 6 + strlen(name) + 2, 0, lines);
	if (lines)
		most = row.indent + WORD_MIN < row.width ? row.width - row.indent : WORD_MIN;
	for (i = 0; i < target->nr_children; i++) {
		char *word;
		bool added;

		if (lines && is_plumbing(&target->children[i]))
			continue;
		word = member_word(&target->children[i], most);
		if (!word)
			break;
		added = row_add(&row, word, strlen(word));
		free(word);
		if (!added)
			break;
		shown++;
	}
	if (shown < target->nr_children)
		fprintf(out, "%s... (%zu more: -v)", shown ? " " : "", target->nr_children - shown);
	else if (target->cut)
		put_text(out, " ...");
	put_char(out, '\n');
	row_deinit(&row);
}
