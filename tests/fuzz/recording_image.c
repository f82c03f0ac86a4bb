/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recording_image.c - the directory of a recording as one input, and its mutations */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>
#include <json-c/json_visit.h>
#include <linux/btf.h>
#include <uapi/kcatch.h>

#include "fuzz.h"
#include "recording_image.h"

#define HEAD 4U			/* bytes before a file in an input */
#define RECORDS_MAX 512U

const struct image_name image_names[IMAGE_NR] = {
	[IMAGE_OPTIONS_FILE] = { NULL, IMAGE_OPTIONS },
	[IMAGE_CONDITION] = { NULL, IMAGE_WORDS },
	[IMAGE_SESSION] = { "kcatch/session.json", IMAGE_JSON },
	[IMAGE_PLANS] = { "kcatch/plans.json", IMAGE_JSON },
	[IMAGE_PROBES] = { "kcatch/probes.json", IMAGE_JSON },
	[IMAGE_SYMBOLS] = { "kcatch/symbols", IMAGE_TEXT },
	[IMAGE_MODULES] = { "kcatch/modules", IMAGE_TEXT },
	[IMAGE_COUNTERS] = { "kcatch/counters", IMAGE_TEXT },
	[IMAGE_VMLINUX] = { "kcatch/btf/vmlinux", IMAGE_BTF },
	[IMAGE_MODULE_BTF] = { "kcatch/btf/mod", IMAGE_BTF },
	[IMAGE_CPU0] = { "cpu0", IMAGE_STREAM },
	[IMAGE_CPU1] = { "cpu1", IMAGE_STREAM },
	[IMAGE_CPU9] = { "cpu9", IMAGE_STREAM },
	[IMAGE_PARTIAL] = { "kcatch/vmcore.partial", IMAGE_TEXT },
	[IMAGE_METADATA] = { "metadata", IMAGE_TEXT },
	[IMAGE_INDEX] = { "kcatch/index", IMAGE_STREAM },
	[IMAGE_CGROUPS] = { "kcatch/cgroups", IMAGE_TEXT },
};

/* ---- input and directory ------------------------------------------------------------- */

static const struct image *sound(void)
{
	static struct image image;
	static bool made;

	if (!made)
		image_seed(&image);
	made = true;
	return &image;
}

static void take_file(struct fuzz_input *input, struct image_file *file)
{
	size_t size = fuzz_number(input, 3);
	const uint8_t *from;

	file->there = size != IMAGE_GONE;
	if (!file->there)
		return;
	from = fuzz_take(input, &size);
	file->size = size < sizeof(file->bytes) ? size : sizeof(file->bytes);
	memcpy(file->bytes, from, file->size);
}

void image_unpack(struct image *image, const uint8_t *bytes, size_t size)
{
	struct fuzz_input input = { bytes, size };

	*image = *sound();
	while (input.left >= HEAD)
		take_file(&input, &image->files[fuzz_number(&input, 1) % IMAGE_NR]);
}

static bool is_sound(const struct image_file *file, const struct image_file *as)
{
	return file->there == as->there &&
	       (!file->there ||
		(file->size == as->size && !memcmp(file->bytes, as->bytes, file->size)));
}

size_t image_pack(const struct image *image, uint8_t *bytes, size_t room)
{
	size_t i, at = 0;

	for (i = 0; i < IMAGE_NR; i++) {
		const struct image_file *file = &image->files[i];
		size_t size = file->there ? file->size : 0;
		size_t length = file->there ? size : IMAGE_GONE;

		if (is_sound(file, &sound()->files[i]) || room - at < HEAD ||
		    size > room - at - HEAD)
			continue;
		bytes[at] = (uint8_t)i;
		memcpy(bytes + at + 1, &length, 3);
		memcpy(bytes + at + HEAD, file->bytes, size);
		at += HEAD + size;
	}
	return at;
}

void image_write(const struct image *image)
{
	size_t i;

	fuzz_write("kcatch/btf/.keep", "", 0);
	for (i = 0; i < IMAGE_NR; i++) {
		if (!image_names[i].name)
			continue;
		if (image->files[i].there)
			fuzz_write(image_names[i].name, image->files[i].bytes,
				   image->files[i].size);
		else
			fuzz_remove(image_names[i].name);
	}
}

/* ---- lines --------------------------------------------------------------------------- */

/* Replaces @old bytes at @at by @new ones. Return: whether there was room. */
static bool replace(struct image_file *file, size_t at, size_t old, const void *bytes, size_t new)
{
	uint8_t copy[IMAGE_FILE_MAX];

	if (file->size - old + new > sizeof(file->bytes))
		return false;
	memcpy(copy, bytes, new);	/* it may be of this file */
	memmove(file->bytes + at + new, file->bytes + at + old, file->size - at - old);
	memcpy(file->bytes + at, copy, new);
	file->size += new;
	file->size -= old;
	return true;
}

/* Some line. Return: bytes of it, with its newline. */
static size_t choose_line(const struct image_file *file, size_t *at)
{
	size_t i, nr = 1, begin = 0, end;

	for (i = 0; i < file->size; i++)
		nr += file->bytes[i] == '\n';
	nr = fuzz_choose(nr);
	for (i = 0; nr && i < file->size; i++) {
		if (file->bytes[i] == '\n' && i + 1 < file->size) {
			begin = i + 1;
			nr--;
		}
	}
	for (end = begin; end < file->size && file->bytes[end] != '\n'; end++)
		;
	*at = begin;
	return end + (end < file->size) - begin;
}

static void mutate_lines(struct image_file *file)
{
	size_t at, to, length = choose_line(file, &at);
	char word[40];

	switch (fuzz_choose(5)) {
	case 0:
		replace(file, at, length, "", 0);
		break;
	case 1:
		choose_line(file, &to);
		replace(file, to, 0, file->bytes + at, length);
		break;
	default:	/* another number for one of its words */
		to = at + fuzz_choose(length);
		for (at = to; at > 0 && file->bytes[at - 1] > ' '; at--)
			;
		while (to < file->size && file->bytes[to] > ' ')
			to++;
		snprintf(word, sizeof(word), fuzz_choose(2) ? "%llu" : "%llx",
			 (unsigned long long)fuzz_interesting());
		replace(file, at, to - at, word, strlen(word));
	}
}

/* ---- JSON ---------------------------------------------------------------------------- */

struct place {
	struct json_object *parent, *value;
	const char *key;
	size_t index;
};

struct places {
	struct place places[400];
	size_t nr;
};

static int note_place(struct json_object *value, int flags, struct json_object *parent,
		      const char *key, size_t *index, void *arg)
{
	struct places *places = arg;

	if (flags != JSON_C_VISIT_SECOND && parent && places->nr < 400)
		places->places[places->nr++] = (struct place){ parent, value, key,
							       index ? *index : 0 };
	return JSON_C_VISIT_RETURN_CONTINUE;
}

static struct json_object *copy_of(struct json_object *value)
{
	struct json_object *copy = NULL;

	if (value)
		json_object_deep_copy(value, &copy, NULL);
	return copy;
}

static struct json_object *other_text(const char *text)
{
	uint8_t bytes[300];
	size_t size = strnlen(text, 200);

	memcpy(bytes, text, size);
	size = LLVMFuzzerMutate(bytes, size, sizeof(bytes));
	return json_object_new_string_len((const char *)bytes, (int)size);
}

static struct json_object *other_value(const struct places *places, const struct place *place)
{
	if (!fuzz_choose(5))
		return copy_of(places->places[fuzz_choose(places->nr)].value);
	switch (json_object_get_type(place->value)) {
	case json_type_int:
		return fuzz_choose(2) ? json_object_new_uint64(fuzz_interesting()) :
		       json_object_new_int64((int64_t)fuzz_choose(70) - 3);
	case json_type_string:
		return other_text(json_object_get_string(place->value));
	case json_type_boolean:
		return json_object_new_boolean(!json_object_get_boolean(place->value));
	case json_type_array:
		return fuzz_choose(3) ? json_object_new_array() : NULL;
	default:
		return json_object_new_uint64(fuzz_interesting());
	}
}

static void put_value(const struct place *place, struct json_object *value)
{
	if (!json_object_is_type(place->parent, json_type_array)) {
		json_object_object_add(place->parent, place->key, value);
		return;
	}
	switch (fuzz_choose(4)) {
	case 0:
		json_object_array_add(place->parent, value);
		break;
	case 1:
		json_object_put(value);
		json_object_array_del_idx(place->parent, place->index, 1);
		break;
	default:
		json_object_array_put_idx(place->parent, place->index, value);
	}
}

static void mutate_object(struct image_file *file, size_t at, size_t length)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *line = json_tokener_parse_ex(tokener, (char *)file->bytes + at,
							 (int)length);
	struct places places = { .nr = 0 };
	const struct place *place;
	const char *text;

	json_tokener_free(tokener);
	json_c_visit(line, 0, note_place, &places);
	if (places.nr) {
		place = &places.places[fuzz_choose(places.nr)];
		if (place->key && !fuzz_choose(8))
			json_object_object_del(place->parent, place->key);
		else
			put_value(place, other_value(&places, place));
		text = json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN);
		length -= file->bytes[at + length - 1] == '\n';
		replace(file, at, length, text, strlen(text));
	}
	json_object_put(line);
}

static void mutate_json(struct image_file *file)
{
	size_t at, length = choose_line(file, &at);

	if (!length || !fuzz_choose(10))
		mutate_lines(file);
	else
		mutate_object(file, at, length);
}

/* ---- streams ------------------------------------------------------------------------- */

struct record_place {
	size_t packet, at, size;
};

/* The records of good packets. Return: how many. */
static size_t find_records(const struct image_file *file, struct record_place *places)
{
	size_t packet = 0, nr = 0;

	while (file->size - packet >= sizeof(struct kcatch_packet)) {
		struct kcatch_packet head;
		size_t at = packet + sizeof(head), end;

		memcpy(&head, file->bytes + packet, sizeof(head));
		if (head.magic != KCATCH_PACKET_MAGIC || head.packet_size / 8 < sizeof(head) ||
		    head.packet_size / 8 > file->size - packet)
			break;
		if (head.content_size > head.packet_size)
			head.content_size = head.packet_size;
		end = packet + head.content_size / 8;
		while (nr < RECORDS_MAX && at + sizeof(struct kcatch_record) <= end) {
			struct kcatch_record record;

			memcpy(&record, file->bytes + at, sizeof(record));
			if (record.size < sizeof(record) || record.size % 8 ||
			    record.size > end - at)
				break;
			places[nr++] = (struct record_place){ packet, at, record.size };
			at += record.size;
		}
		packet += head.packet_size / 8;
	}
	return nr;
}

/* The packet of @place is @more bytes longer. */
static void grow_packet(struct image_file *file, size_t at, int64_t more)
{
	struct kcatch_packet head;

	memcpy(&head, file->bytes + at, sizeof(head));
	head.content_size += (uint64_t)(8 * more);
	head.packet_size += (uint64_t)(8 * more);
	memcpy(file->bytes + at, &head, sizeof(head));
}

/* Eight bytes more, or less, in a record: what is behind them moves. */
static void resize_record(struct image_file *file, const struct record_place *place)
{
	uint64_t word = fuzz_interesting();
	bool more = fuzz_choose(2);
	struct kcatch_record head;
	size_t at;

	if (place->size < 24)
		return;
	at = place->at + 16 + 8 * fuzz_choose(place->size / 8 - 2);
	if (!replace(file, at, more ? 0 : 8, &word, more ? 8 : 0))
		return;
	memcpy(&head, file->bytes + place->at, sizeof(head));
	head.size += more ? 8 : -8U;
	memcpy(file->bytes + place->at, &head, sizeof(head));
	grow_packet(file, place->packet, more ? 8 : -8);
}

static void mutate_stream(struct image_file *file)
{
	static struct record_place places[RECORDS_MAX];
	size_t nr = find_records(file, places), size;
	const struct record_place *place = &places[fuzz_choose(nr)], *other;

	if (!nr) {
		fuzz_change_word(file->bytes, file->size);
		return;
	}
	switch (fuzz_choose(8)) {
	case 0:
		fuzz_change_word(file->bytes + place->packet, sizeof(struct kcatch_packet));
		break;
	case 1:
		if (replace(file, place->at, place->size, "", 0))
			grow_packet(file, place->packet, -(int64_t)place->size);
		break;
	case 2:
		other = &places[fuzz_choose(nr)];
		size = other->size;
		if (replace(file, place->at, 0, file->bytes + other->at, size))
			grow_packet(file, place->packet, (int64_t)size);
		break;
	case 3:
		resize_record(file, place);
		break;
	case 4:
		fuzz_change_word(file->bytes + place->at, sizeof(struct kcatch_record));
		break;
	case 5:
		if (place->size > 16)
			LLVMFuzzerMutate(file->bytes + place->at + 16, place->size - 16,
					 place->size - 16);
		break;
	default:
		fuzz_change_word(file->bytes + place->at + 16, place->size - 16);
	}
}

/* ---- all kinds ----------------------------------------------------------------------- */

/* A word behind the header: numbers of types, sizes, kinds. */
static void mutate_btf(struct image_file *file)
{
	size_t head = sizeof(struct btf_header);

	if (file->size < 2 * head || !fuzz_choose(8))
		fuzz_change_word(file->bytes, file->size);
	else
		fuzz_change_word(file->bytes + head, (file->size - head) / 4 * 4);
}

static void mutate_bytes(struct image_file *file)
{
	size_t room = file->size + 200 < sizeof(file->bytes) ? file->size + 200 :
							       sizeof(file->bytes);

	file->size = LLVMFuzzerMutate(file->bytes, file->size, room);
}

/* Conditions have a fuzzer of their own: here some that ask for all that a record has. */
static void mutate_condition(struct image_file *file)
{
	static const char *const texts[] = {
		"event == \"made\"", "caller ~ \"s*\" && cpu", "function ~ \"*\"", "latency > 1us",
		"p->next == &first", "p->next->color == BLUE", "p->array[1] < 3", "arg0 == 1",
		"t ~ \"text*\"", "prev->pid == next->pid", "comm == \"maker\"", "n > 3", "id == 7",
		"current->pid == tid", "name + 1 == \"some/text\"", "name[3] == 'm' || !p",
		"next_comm == \"x\"", "rdi || rsi", "buf == NULL", "time > 0", "ret == -ENOENT",
		"p->text != name",
	};
	const char *text = texts[fuzz_choose(sizeof(texts) / sizeof(texts[0]))];
	size_t length = strlen(text);

	if (!fuzz_choose(3))
		mutate_bytes(file);
	else if (fuzz_choose(2) || !replace(file, file->size, 0, " || ", 4) ||
		 !replace(file, file->size, 0, text, length))
		replace(file, 0, file->size, text, length);
}

static void mutate_file(struct image_file *file, enum image_file_kind kind)
{
	if (kind == IMAGE_OPTIONS || !file->size || !fuzz_choose(12)) {
		mutate_bytes(file);
		return;
	}
	switch (kind) {
	case IMAGE_WORDS:
		mutate_condition(file);
		break;
	case IMAGE_JSON:
		mutate_json(file);
		break;
	case IMAGE_STREAM:
		mutate_stream(file);
		break;
	case IMAGE_BTF:
		mutate_btf(file);
		break;
	default:
		mutate_lines(file);
	}
}

void image_mutate(struct image *image)
{
	size_t i, nr = 1 + fuzz_choose(4);

	while (nr--) {
		struct image_file *file = &image->files[i = fuzz_choose(IMAGE_NR)];

		if (!fuzz_choose(60))
			file->there = !file->there;
		else if (!fuzz_choose(8))
			*file = sound()->files[i];	/* inputs become smaller */
		else if (file->there)
			mutate_file(file, image_names[i].kind);
	}
}
