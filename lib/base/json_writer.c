/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * json_writer.c - writes JSON as it comes, without a tree of objects
 */
#include <stdlib.h>
#include <string.h>

#include <kcatch_json.h>
#include <kcatch_text.h>

void json_writer_deinit(struct json_writer *json)
{
	free(json->text);
	free(json->members);
	memset(json, 0, sizeof(*json));
}

void json_writer_reset(struct json_writer *json)
{
	json->length = 0;
	json->nr_levels = 0;
	json->nr_members = 0;
	json->failed = false;
}

/* Room for @more bytes behind the text; NULL: no memory. */
static char *make_room(struct json_writer *json, size_t more)
{
	size_t room = json->room ? json->room : 4096;
	char *text;

	if (json->room - json->length >= more)
		return json->text + json->length;
	while (room - json->length < more)
		room *= 2;
	text = json->failed ? NULL : realloc(json->text, room);
	if (!text) {
		json->failed = true;
		return NULL;
	}
	json->text = text;
	json->room = room;
	return text + json->length;
}

static void append(struct json_writer *json, const char *text, size_t length)
{
	char *to = make_room(json, length);

	if (!to)
		return;
	memcpy(to, text, length);
	json->length += length;
}

static struct json_level *innermost(struct json_writer *json)
{
	return json->nr_levels ? &json->levels[json->nr_levels - 1] : NULL;
}

/* A comma between elements; between members json_put_name() writes it. */
static void begin_value(struct json_writer *json)
{
	struct json_level *level = innermost(json);

	if (!level || level->is_object)
		return;
	if (level->begun)
		append(json, ",", 1);
	level->begun = true;
}

/* ---- strings ---------------------------------------------------------------------- */

/* Bytes that are written as they are. */
static size_t plain_length(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length && text[at] >= ' ' && text[at] <= '~' && text[at] != '"' &&
	       text[at] != '\\')
		at++;
	return at;
}

/* The escape sequence of a byte, or of the control character of that number; 0: none is needed. */
static size_t escape(unsigned char byte, bool control, char *to)
{
	static const char plain[] = "\b\n\r\t\f\"\\", escaped[] = "bnrtf\"\\";
	const char *found = byte ? strchr(plain, byte) : NULL;

	to[0] = '\\';
	if (found) {
		to[1] = escaped[found - plain];
		return 2;
	}
	if (byte >= ' ' && byte != 0x7f && !control)
		return 0;
	memcpy(to + 1, "u00", 3);
	to[4] = "0123456789abcdef"[byte >> 4];
	to[5] = "0123456789abcdef"[byte & 15];
	return 6;
}

static void append_escaped(struct json_writer *json, const char *text, size_t length)
{
	char *good = malloc(3 * length + 1), sequence[6];
	size_t i, put, nr;
	bool control;

	if (!good) {
		json->failed = true;
		return;
	}
	nr = kcatch_text_utf8(text, length, good, 3 * length + 1);
	for (i = 0; i < nr; i++) {
		/* A terminal may obey U+0080 to U+009F, whose second byte is the number. */
		control = good[i] == '\xc2' && (unsigned char)good[i + 1] < 0xa0;
		i += control;
		put = escape((unsigned char)good[i], control, sequence);
		append(json, put ? sequence : &good[i], put ? put : 1);
	}
	free(good);
}

static void append_quoted(struct json_writer *json, const char *text, size_t length)
{
	size_t plain = plain_length(text, length);
	char *to = make_room(json, plain + 2);

	if (!to)
		return;
	*to++ = '"';
	memcpy(to, text, plain);
	json->length += plain + 1;
	if (plain < length)
		append_escaped(json, text + plain, length - plain);
	append(json, "\"", 1);
}

void json_put_string(struct json_writer *json, const char *text, size_t length)
{
	begin_value(json);
	append_quoted(json, text, length);
}

void json_put_word(struct json_writer *json, const char *text)
{
	if (text)
		json_put_string(json, text, strlen(text));
	else
		json_put_null(json);
}

/* ---- other values ------------------------------------------------------------------ */

static void put_digits(struct json_writer *json, uint64_t number, bool negative)
{
	char digits[21], *end = digits + sizeof(digits), *at = end;

	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	if (negative)
		*--at = '-';
	begin_value(json);
	append(json, at, (size_t)(end - at));
}

void json_put_number(struct json_writer *json, uint64_t number)
{
	put_digits(json, number, false);
}

void json_put_signed(struct json_writer *json, int64_t number)
{
	put_digits(json, number < 0 ? -(uint64_t)number : (uint64_t)number, number < 0);
}

void json_put_bool(struct json_writer *json, bool value)
{
	begin_value(json);
	append(json, value ? "true" : "false", value ? 4 : 5);
}

void json_put_null(struct json_writer *json)
{
	begin_value(json);
	append(json, "null", 4);
}

void json_put_double(struct json_writer *json, double number)
{
	char text[40];

	snprintf(text, sizeof(text), "%.17g", number);
	if (!strpbrk(text, ".en"))
		strcat(text, ".0");
	begin_value(json);
	append(json, text, strlen(text));
}

/* ---- objects and arrays -------------------------------------------------------------- */

void json_put_begin(struct json_writer *json, bool is_object)
{
	begin_value(json);
	if (json->nr_levels == JSON_LEVELS) {
		json->failed = true;
		return;
	}
	json->levels[json->nr_levels++] = (struct json_level){ .is_object = is_object,
							       .first = json->nr_members };
	append(json, is_object ? "{" : "[", 1);
}

static uint64_t bit_of(const char *name, size_t length)
{
	uint32_t hash = (uint32_t)length;
	size_t i;

	for (i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	return 1ULL << (hash >> 26);
}

void json_put_ready(struct json_writer *json, const char *text, size_t length)
{
	struct json_level *level = innermost(json);

	if (level && level->begun)
		append(json, ",", 1);
	if (level)
		level->begun = true;
	append(json, text, length);
}

void json_put_end(struct json_writer *json)
{
	struct json_level *level = innermost(json);

	if (json->failed || !level)
		return;
	append(json, level->is_object ? "}" : "]", 1);
	json->nr_members = level->first;
	json->nr_levels--;
}

static bool make_member_room(struct json_writer *json)
{
	size_t room = json->members_room ? 2 * json->members_room : 64;
	struct json_member *members;

	if (json->nr_members < json->members_room)
		return true;
	members = realloc(json->members, room * sizeof(*members));
	if (!members) {
		json->failed = true;
		return false;
	}
	json->members = members;
	json->members_room = room;
	return true;
}

void json_put_name(struct json_writer *json, const char *name, size_t length)
{
	struct json_level *level = innermost(json);
	struct json_member *member;

	if (json->failed || !level || !make_member_room(json))
		return;
	if (level->begun)
		append(json, ",", 1);
	level->begun = true;
	member = &json->members[json->nr_members++];
	member->at = json->length + 1;
	append_quoted(json, name, length);
	append(json, ":", 1);
	if (json->failed)
		return;
	member->length = json->length - 2 - member->at;
	level->names |= bit_of(json->text + member->at, member->length);
}

bool json_has(const struct json_writer *json, const char *name)
{
	const struct json_level *level = &json->levels[json->nr_levels - 1];
	size_t length = strlen(name), i;

	if (json->failed || !(level->names & bit_of(name, length)))
		return false;
	for (i = level->first; i < json->nr_members; i++) {
		const struct json_member *member = &json->members[i];

		if (member->length == length && !memcmp(json->text + member->at, name, length))
			return true;
	}
	return false;
}

int json_print(const struct json_writer *json, FILE *out, const char *end)
{
	if (json->failed)
		return kcatch_error_memory();
	fwrite_unlocked(json->text, 1, json->length, out);
	fputs_unlocked(end, out);
	return 0;
}
