/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording_seed.c - a sound recording to begin with
 *
 * Its plans are made and written by the library. Records are filled by these plans: words with
 * small numbers and addresses, texts with a text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>
#include <kcatch_json.h>
#include <uapi/kcatch.h>

#include "btf_fixture.h"
#include "fetch/plan.h"
#include "fetch/plan_data.h"
#include "fetch/plan_json.h"
#include "fuzz.h"
#include "recording_image.h"

#define KERNEL 0xffffffff81000000ULL

enum { PLAN_MADE, PLAN_TRACEPOINT, PLAN_RAW, PLAN_SYSCALL, PLANS };

struct seed {
	struct kcatch_types *types;
	struct kcatch_plan *plans[PLANS];
	uint64_t time;
	uint64_t call;
};

static void put_text(struct image *image, int which, const char *text)
{
	struct image_file *file = &image->files[which];

	file->there = true;
	file->size = strlen(text);
	memcpy(file->bytes, text, file->size);
}

/* ---- types and plans ----------------------------------------------------------------- */

struct numbers {
	uint32_t number, word, letter, text, color, sockaddr, sock, task, regs;
};

static void add_numbers(struct btf_fixture *f, struct numbers *n)
{
	n->number = btf_fixture_int(f, "int", 4, BTF_INT_SIGNED, 32);
	n->word = btf_fixture_int(f, "long unsigned int", 8, 0, 64);
	n->letter = btf_fixture_int(f, "char", 1, BTF_INT_SIGNED, 8);
	n->text = btf_fixture_pointer(f, btf_fixture_const(f, n->letter));
	n->color = btf_fixture_type(f, "color", BTF_KIND_ENUM, true, 2, 4);
	btf_fixture_word(f, btf_fixture_name(f, "RED"));
	btf_fixture_word(f, (uint32_t)-7);
	btf_fixture_word(f, btf_fixture_name(f, "BLUE"));
	btf_fixture_word(f, 5);
}

static void add_summarized(struct btf_fixture *f, struct numbers *n)
{
	uint32_t array = btf_fixture_array(f, n->letter, 16), type;

	type = btf_fixture_type(f, "sockaddr", BTF_KIND_STRUCT, false, 1, 16);
	btf_fixture_member(f, "sa_data", array, 0, 0);
	n->sockaddr = btf_fixture_pointer(f, type);
	type = btf_fixture_type(f, "sock", BTF_KIND_STRUCT, false, 1, 96);
	btf_fixture_member(f, "__sk_common", type + 2, 0, 0);
	n->sock = btf_fixture_pointer(f, type);
	btf_fixture_array(f, n->word, 12);
	type = btf_fixture_type(f, "pt_regs", BTF_KIND_STRUCT, false, 0, 168);
	n->regs = btf_fixture_pointer(f, type);
	type = btf_fixture_type(f, "task_struct", BTF_KIND_STRUCT, false, 2, 24);
	btf_fixture_member(f, "pid", n->number, 0, 0);
	btf_fixture_member(f, "comm", array, 64, 0);
	n->task = btf_fixture_pointer(f, type);
}

/* A struct with a bit-field, an array, a union without a name, and pointers to itself. */
static uint32_t add_thing(struct btf_fixture *f, const struct numbers *n)
{
	uint32_t array = btf_fixture_array(f, n->number, 3), either, self, thing;

	either = btf_fixture_type(f, NULL, BTF_KIND_UNION, false, 2, 8);
	btf_fixture_member(f, "number", n->number, 0, 0);
	btf_fixture_member(f, "word", n->word, 0, 0);
	self = btf_fixture_pointer(f, either + 2);
	thing = btf_fixture_type(f, "thing", BTF_KIND_STRUCT, true, 6, 48);
	btf_fixture_member(f, "three", n->number, 0, 3);
	btf_fixture_member(f, "color", n->color, 32, 0);
	btf_fixture_member(f, "array", array, 64, 0);
	btf_fixture_member(f, NULL, either, 192, 0);
	btf_fixture_member(f, "next", self, 256, 0);
	btf_fixture_member(f, "text", n->text, 320, 0);
	return btf_fixture_pointer(f, thing);
}

static void add_functions(struct btf_fixture *f)
{
	struct btf_fixture_parameter made[] = { { "p", 0 }, { "name", 0 }, { "buf", 0 },
		{ "count", 0 }, { "address", 0 }, { "sk", 0 }, { "color", 0 }, BTF_FIXTURE_END };
	struct btf_fixture_parameter traced[] = { { NULL, 0 }, { "preempt", 0 }, { "prev", 0 },
		{ "next", 0 }, { "name", 0 }, BTF_FIXTURE_END };
	struct btf_fixture_parameter enter[] = { { NULL, 0 }, { "regs", 0 }, { "id", 0 },
		BTF_FIXTURE_END };
	struct numbers n;

	add_numbers(f, &n);
	add_summarized(f, &n);
	made[0].type = add_thing(f, &n);
	made[1].type = n.text;
	made[2].type = btf_fixture_pointer(f, n.letter);
	made[3].type = n.word;
	made[4].type = n.sockaddr;
	made[5].type = n.sock;
	made[6].type = n.color;
	btf_fixture_function(f, "made", n.number, made);
	traced[0].type = btf_fixture_pointer(f, 0);
	traced[1].type = n.number;
	traced[2].type = traced[3].type = n.task;
	traced[4].type = n.text;
	btf_fixture_function(f, "switch", 0, traced);
	enter[0].type = traced[0].type;
	enter[1].type = n.regs;
	enter[2].type = n.word;
	btf_fixture_function(f, "enter", 0, enter);
}

static void make_plan(struct seed *seed, int which, const char *function,
		      const struct kcatch_plan_options *options)
{
	struct kcatch_type proto;

	FUZZ_CHECK(!kcatch_types_function(seed->types, NULL, function, &proto) &&
		   !kcatch_plan_create(seed->types, proto, options, &seed->plans[which]),
		   "no plan of %s", function);
}

static void make_plans(struct image *image, struct seed *seed)
{
	const struct kcatch_plan_options deep = { .deep = 1, .returns = true, .cgroup = true },
					 traced = { .tracepoint = true };
	struct image_file *file = &image->files[IMAGE_VMLINUX];
	struct btf_fixture fixture;
	char text[IMAGE_FILE_MAX] = "";
	int i;

	btf_fixture_init(&fixture);
	add_functions(&fixture);
	file->there = true;
	file->size = btf_fixture_bytes(&fixture, file->bytes, sizeof(file->bytes));
	image->files[IMAGE_MODULE_BTF] = *file;
	FUZZ_CHECK(!btf_fixture_open(&fixture, &seed->types), "the types are damaged");
	make_plan(seed, PLAN_MADE, "made", &deep);
	make_plan(seed, PLAN_TRACEPOINT, "switch", &traced);
	make_plan(seed, PLAN_SYSCALL, "enter", &traced);
	FUZZ_CHECK(!kcatch_plan_create_raw(NULL, &seed->plans[PLAN_RAW]), "no plan");
	for (i = 0; i < PLANS; i++) {
		struct json_writer json = { .length = 0 };
		size_t at = strlen(text);
		const char *where;

		FUZZ_CHECK(!kcatch_plan_to_json(seed->plans[i], seed->types, &json, &where),
			   "plan %d", i);
		snprintf(text + at, sizeof(text) - at, "%.*s\n", (int)json.length, json.text);
		json_writer_deinit(&json);
	}
	put_text(image, IMAGE_PLANS, text);
}

/* ---- records ------------------------------------------------------------------------- */

/* What a list fetched. Return: bytes. */
static size_t put_items(const struct kcatch_plan_list *list, uint8_t *to)
{
	static const char text[] = "/some/text";
	size_t at = 0;
	uint32_t i;

	for (i = 0; i < list->nr_items; i++) {
		uint32_t size = list->items[i].size, length = sizeof(text) - 1;
		uint64_t word = !i || i % 3 ? 0xffff888000000000 + i : i;

		if (list->items[i].is_text) {
			length = length < size ? length : size;
			memcpy(to + at, &length, sizeof(length));
			memcpy(to + at + 8, text, length);
			at += 8 + ((length + 7) & ~7U);
		} else {
			memset(to + at, (int)i, size);
			memcpy(to + at, &word, size < 8 ? size : 8);
			at += (size + 7) & ~7U;
		}
	}
	return at;
}

static void set_head(struct seed *seed, struct kcatch_record *head, unsigned int kind,
		     unsigned int probe, const uint8_t *end)
{
	head->id = KCATCH_RECORD_ID(kind, probe);
	head->size = (uint32_t)(end - (uint8_t *)head);
	head->time = seed->time += 100;
}

static uint8_t *put_user(struct kcatch_call_part *part, uint8_t *at)
{
	struct kcatch_user *user = (void *)at;

	user->size = 32;
	user->regs[16] = 0x401000;
	user->regs[19] = 0x7ffe0000;
	part->user_size = sizeof(*user) + 32;
	return at + part->user_size;
}

/* A call: in one record, or its entry. */
static uint8_t *put_call(struct seed *seed, uint8_t *at, unsigned int kind, unsigned int probe,
			 const struct kcatch_plan *plan)
{
	static const uint64_t frames[] = { KERNEL + 0x110, KCATCH_FRAME_SELF, KERNEL + 0x2222,
					   0xffffffffc0000110 };
	struct kcatch_hit *hit = (void *)at;
	struct kcatch_call_part *part;

	hit->pid = 100;
	hit->tid = 200;
	strcpy(hit->comm, "maker");
	hit->stack_flags = KCATCH_STACK_COMPLETE;
	hit->nr_frames = 4;
	hit->interrupted[0] = 3;
	memcpy(hit->frames, frames, sizeof(frames));
	part = (void *)&hit->frames[4];
	at = (uint8_t *)part;
	if (kind != KCATCH_RECORD_HIT) {
		part->call = plan == seed->plans[PLAN_TRACEPOINT] ? 0 :
			     kind == KCATCH_RECORD_CALL ? seed->time + 50 : ++seed->call;
		part->latency = kind == KCATCH_RECORD_CALL ? 1500 : 0;
		part->ret = kind == KCATCH_RECORD_CALL ? (uint64_t)-2 : 0;
		part->size[0] = (uint16_t)put_items(&plan->entry, part->data);
		at = part->data + part->size[0];
		if (kind == KCATCH_RECORD_CALL) {
			part->size[1] = (uint16_t)put_items(&plan->at_return, at);
			at = put_user(part, at + part->size[1]);
		}
	}
	set_head(seed, &hit->head, kind, probe, at);
	return at;
}

static uint8_t *put_return(struct seed *seed, uint8_t *at, unsigned int probe,
			   const struct kcatch_plan *plan)
{
	struct kcatch_return *end = (void *)at;

	end->pid = 100;
	end->tid = 200;
	end->call = seed->call;
	end->latency = 100;
	end->ret = 7;
	end->size = (uint32_t)put_items(&plan->at_return, end->data);
	set_head(seed, &end->head, KCATCH_RECORD_RETURN, probe, end->data + end->size);
	return end->data + end->size;
}

static uint8_t *put_event(struct seed *seed, uint8_t *at, unsigned int kind, unsigned int probe,
			  const struct kcatch_plan *plan)
{
	struct kcatch_event_record *event = (void *)at;

	event->pid = 101;
	event->tid = 201;
	memcpy(event->comm, "an\tother", sizeof("an\tother"));
	at = event->data + (kind == KCATCH_RECORD_MARKED ? 16 : 0);
	if (plan) {
		at += put_items(&plan->entry, at);
	} else {	/* DO_TRACE: an int and a text */
		memcpy(at, "\x07\0\0\0text\0\0\0\0\0\0\0\0", 16);
		at += 16;
	}
	set_head(seed, &event->head, kind, probe, at);
	return at;
}

static uint8_t *put_records(struct seed *seed, uint8_t *at)
{
	const struct kcatch_plan *made = seed->plans[PLAN_MADE],
				 *traced = seed->plans[PLAN_TRACEPOINT],
				 *raw = seed->plans[PLAN_RAW];

	at = put_call(seed, at, KCATCH_RECORD_ENTRY, 0, made);
	at = put_event(seed, at, KCATCH_RECORD_MARKED, 1, traced);
	at = put_return(seed, at, 0, made);
	at = put_event(seed, at, KCATCH_RECORD_EVENT, 2, NULL);
	at = put_call(seed, at, KCATCH_RECORD_CALL, 0, made);
	at = put_call(seed, at, KCATCH_RECORD_ENTRY, 1, traced);
	at = put_call(seed, at, KCATCH_RECORD_HIT, 4, NULL);
	at = put_event(seed, at, KCATCH_RECORD_EVENT, 5, seed->plans[PLAN_SYSCALL]);
	at = put_call(seed, at, KCATCH_RECORD_ENTRY, 3, raw);
	return put_return(seed, at, 3, raw);
}

static void make_stream(struct image *image, struct seed *seed, int which, uint32_t cpu,
			uint32_t packets)
{
	struct image_file *file = &image->files[which];
	uint32_t sequence;

	file->there = true;
	file->size = 0;
	memset(file->bytes, 0, sizeof(file->bytes));
	for (sequence = 0; sequence < packets; sequence++) {
		uint8_t *begin = file->bytes + file->size, *end;
		struct kcatch_packet *packet = (void *)begin;

		packet->magic = KCATCH_PACKET_MAGIC;
		packet->timestamp_begin = seed->time;
		packet->sequence = sequence;
		packet->cpu = cpu;
		end = put_records(seed, (uint8_t *)(packet + 1));
		packet->timestamp_end = seed->time;
		packet->content_size = packet->packet_size = (uint64_t)(end - begin) * 8;
		file->size += (size_t)(end - begin);
	}
}

/* ---- the rest ------------------------------------------------------------------------ */

static void put_texts(struct image *image)
{
	put_text(image, IMAGE_OPTIONS_FILE, "aaa");
	put_text(image, IMAGE_CONDITION, "ret < 0 || p->color == RED || name ~ \"/s*\"");
	put_text(image, IMAGE_SESSION,
		 "{\"format\":3,\"version\":\"9\",\"release\":\"6.1\",\"host\":\"h\",\"boot\":\"b\",\"nr_cpus\":2,"
		 "\"clock\":0,\"clock_khz\":1000000,\"clock_at\":500,\"monotonic_at\":500,\"realtime_at\":7,"
		 "\"packet_size\":4096,\"ring_size\":65536,\"features\":63,\"snapshot\":false,\"frozen\":1,"
		 "\"frozen_probe\":0,\"frozen_at\":900,\"uuid\":\"00000000000000000000000000000000\","
		 "\"pairs\":true,\"skipped\":1,\"left_out\":2,\"command\":[\"record\",\"-f\",\"made\"]}\n");
	put_text(image, IMAGE_PROBES,
		 "{\"probe\":0,\"function\":\"made\",\"address\":18446744071578845184,\"mechanism\":0,"
		 "\"returns\":true,\"plan\":0}\n"
		 "{\"probe\":1,\"function\":\"sched_switch\",\"module\":\"sched\",\"address\":2,\"mechanism\":2,\"plan\":1}\n"
		 "{\"probe\":2,\"function\":\"said\",\"module\":\"ktrace\",\"address\":1,\"mechanism\":3,"
		 "\"event\":{\"name\":\"said\",\"format\":\"n=%d t=%s\",\"args\":[20,32]}}\n"
		 "{\"probe\":3,\"function\":\"plain\",\"module\":\"mod\",\"address\":18446744072635809792,"
		 "\"mechanism\":1,\"offset\":4,\"returns\":true,\"plan\":2}\n"
		 "{\"probe\":4,\"function\":\"hit\",\"address\":18446744071578845440,\"mechanism\":0}\n"
		 "{\"probe\":5,\"function\":\"sys_enter\",\"module\":\"raw_syscalls\",\"address\":3,"
		 "\"mechanism\":2,\"plan\":3}\n");
	put_text(image, IMAGE_SYMBOLS,
		 "=500\nffffffff81000000 first\n100 second\n2000 made\n[mod]\nffffffffc0000100 third\n");
	put_text(image, IMAGE_MODULES,
		 "=500\n[kernel] ffffffff81000000 10000 aa\nmod ffffffffc0000000 1000 bb\n~900\n"
		 "=1000\n[kernel] ffffffff81000000 10000 aa\n");
	put_text(image, IMAGE_CGROUPS, "1 /\n77 /a.slice/b\\x20c.service\n");
	put_text(image, IMAGE_COUNTERS,
		 "counters final 1.0\n# cpu probe hits recorded filtered no_slot\n0 0 6 4 1 1\n0 1 4 4 0 0\n"
		 "1 0 3 2 0 1\nend\n");
}

void image_seed(struct image *image)
{
	struct seed seed = { .time = 1000 };
	size_t i;

	for (i = 0; i < IMAGE_NR; i++)
		image->files[i].there = false;
	put_texts(image);
	make_plans(image, &seed);
	make_stream(image, &seed, IMAGE_CPU0, 0, 2);
	make_stream(image, &seed, IMAGE_CPU1, 1, 1);
	for (i = 0; i < PLANS; i++)
		kcatch_plan_destroy(seed.plans[i]);
	kcatch_types_close(seed.types);
}
