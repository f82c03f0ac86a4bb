/* SPDX-License-Identifier: GPL-2.0-or-later */
/* condition_fixture.c - a condition as instructions of the kernel, and over a record */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "btf_fixture.h"
#include "code_fixture.h"
#include "condition/condition.h"
#include "condition/recorded.h"
#include "condition_fixture.h"

#define FUNCTION "function"

/* ---- types ----------------------------------------------------------------------- */

struct numbers {
	uint32_t i, u, s, h, b, sc, c, l, ul, flag, word;
};

static void add_numbers(struct btf_fixture *f, struct numbers *n)
{
	n->i = btf_fixture_int(f, "int", 4, BTF_INT_SIGNED, 32);
	n->u = btf_fixture_int(f, "unsigned int", 4, 0, 32);
	n->s = btf_fixture_int(f, "short", 2, BTF_INT_SIGNED, 16);
	n->h = btf_fixture_int(f, "unsigned short", 2, 0, 16);
	n->b = btf_fixture_int(f, "unsigned char", 1, 0, 8);
	n->sc = btf_fixture_int(f, "signed char", 1, BTF_INT_SIGNED, 8);
	n->c = btf_fixture_int(f, "char", 1, BTF_INT_SIGNED, 8);
	n->l = btf_fixture_int(f, "long int", 8, BTF_INT_SIGNED, 64);
	n->ul = btf_fixture_int(f, "long unsigned int", 8, 0, 64);
	n->flag = btf_fixture_int(f, "_Bool", 1, BTF_INT_BOOL, 8);
}

#define AT(name) (8 * (uint32_t)offsetof(struct thing, name))

/* struct thing; its number is known before: pointers to it come first. */
static uint32_t add_thing(struct btf_fixture *f, const struct numbers *n)
{
	uint32_t color, tag, arr, in, bytes, either, self, text, thing, be16, be32, be64;

	be16 = btf_fixture_type(f, "__be16", BTF_KIND_TYPEDEF, false, 0, n->h);
	be32 = btf_fixture_type(f, "__be32", BTF_KIND_TYPEDEF, false, 0, n->u);
	be64 = btf_fixture_type(f, "__be64", BTF_KIND_TYPEDEF, false, 0, n->ul);
	color = btf_fixture_type(f, "color", BTF_KIND_ENUM, true, 3, 4);
	btf_fixture_word(f, btf_fixture_name(f, "RED"));
	btf_fixture_word(f, (uint32_t)RED);
	btf_fixture_word(f, btf_fixture_name(f, "GREEN"));
	btf_fixture_word(f, GREEN);
	btf_fixture_word(f, btf_fixture_name(f, "BLUE"));
	btf_fixture_word(f, BLUE);
	tag = btf_fixture_array(f, n->c, 8);
	arr = btf_fixture_array(f, n->i, 4);
	bytes = btf_fixture_array(f, n->b, 4);
	in = btf_fixture_type(f, NULL, BTF_KIND_STRUCT, false, 2, 8);
	btf_fixture_member(f, "a", n->i, 0, 0);
	btf_fixture_member(f, "b", n->i, 32, 0);
	either = btf_fixture_type(f, NULL, BTF_KIND_UNION, false, 2, 4);
	btf_fixture_member(f, "either", n->u, 0, 0);
	btf_fixture_member(f, "bytes", bytes, 0, 0);
	text = btf_fixture_pointer(f, btf_fixture_const(f, n->c));
	self = btf_fixture_pointer(f, text + 2);
	thing = btf_fixture_type(f, "thing", BTF_KIND_STRUCT, true, 23, sizeof(struct thing));
	assert_int_equal(thing, text + 2);
	btf_fixture_member(f, "x", n->i, AT(x), 0);
	btf_fixture_member(f, "u", n->u, AT(u), 0);
	btf_fixture_member(f, "s", n->s, AT(s), 0);
	btf_fixture_member(f, "b", n->b, AT(b), 0);
	btf_fixture_member(f, "sc", n->sc, AT(sc), 0);
	btf_fixture_member(f, "l", n->l, AT(l), 0);
	btf_fixture_member(f, "ul", n->ul, AT(ul), 0);
	btf_fixture_member(f, "three", n->i, 256, 3);
	btf_fixture_member(f, "seven", n->u, 259, 7);
	btf_fixture_member(f, "one", n->u, 266, 1);
	btf_fixture_member(f, "thirty", n->u, 288, 30);
	btf_fixture_member(f, "color", color, AT(color), 0);
	btf_fixture_member(f, "flag", n->flag, AT(flag), 0);
	btf_fixture_member(f, "tag", tag, AT(tag), 0);
	btf_fixture_member(f, "arr", arr, AT(arr), 0);
	btf_fixture_member(f, "in", in, AT(in), 0);
	btf_fixture_member(f, NULL, either, AT(either), 0);
	btf_fixture_member(f, "next", self, AT(next), 0);
	btf_fixture_member(f, "self", self, AT(self), 0);
	btf_fixture_member(f, "text", text, AT(text), 0);
	/* The same bytes in network order. */
	btf_fixture_member(f, "port", be16, AT(s), 0);
	btf_fixture_member(f, "daddr", be32, AT(u), 0);
	btf_fixture_member(f, "cookie", be64, AT(ul), 0);
	return self;
}

void condition_world_init(struct condition_world *world)
{
	struct btf_fixture_parameter parameters[] = { { "p", 0 }, { "name", 0 },  { "i", 0 },
						      { "u", 0 }, { "l", 0 },     { "h", 0 },
						      { "c", 0 }, BTF_FIXTURE_END };
	const struct kcatch_plan_options deep = { .deep = 1, .returns = true },
					 flat = { .struct_size = 48, .string_size = 8 };
	static struct btf_fixture f;
	struct numbers n;

	btf_fixture_init(&f);
	add_numbers(&f, &n);
	parameters[0].type = add_thing(&f, &n);
	parameters[1].type = parameters[0].type - 1;
	parameters[2].type = n.i;
	parameters[3].type = n.u;
	parameters[4].type = n.l;
	parameters[5].type = n.h;
	parameters[6].type = n.sc;
	btf_fixture_function(&f, FUNCTION, n.i, parameters);
	assert_int_equal(btf_fixture_open(&f, &world->types), 0);
	assert_int_equal(kcatch_types_function(world->types, NULL, FUNCTION, &world->proto), 0);
	assert_int_equal(kcatch_plan_create(world->types, world->proto, &deep, &world->plan), 0);
	assert_int_equal(kcatch_plan_create(world->types, world->proto, &flat, &world->flat), 0);
	assert_int_equal(kcatch_plan_create_raw(NULL, &world->raw), 0);
}

void condition_world_deinit(struct condition_world *world)
{
	kcatch_plan_destroy(world->plan);
	kcatch_plan_destroy(world->flat);
	kcatch_plan_destroy(world->raw);
	kcatch_types_close(world->types);
}

/* ---- both ways --------------------------------------------------------------------- */

void condition_call_raw(const struct condition_raw_env *env, struct condition_call *call)
{
	memset(call, 0, sizeof(*call));
	memcpy(call->input.args, env->args, sizeof(env->args));
	call->event = (struct kcatch_event){ .pid = 4321,
					     .tid = 4322,
					     .cpu = 1,
					     .comm = "dd",
					     .returned = KCATCH_RETURN_SEEN,
					     .ret = env->ret,
					     .latency_ns = env->latency,
					     .off_cpu_known = true,
					     .switches = 3,
					     .runnable_ns = env->latency / 4,
					     .blocked_ns = env->latency / 2,
					     .oncpu_ns = env->latency - env->latency / 4 -
							 env->latency / 2 };
}

void condition_call_typed(const struct condition_typed_env *env, struct condition_call *call)
{
	const struct condition_raw_env raw = {
		.args = { (uintptr_t)env->p, (uintptr_t)env->name, (uint32_t)env->i, env->u,
			  (uint64_t)env->l, 0xabcdef0000ULL | env->h },
		.ret = 0xabcd00000000ULL | (uint32_t)env->ret,
	};

	condition_call_raw(&raw, call);
	call->input.stack[0] = 0x777700 | (uint8_t)env->c;
}

char condition_kernel_says(const struct condition_world *world,
			   const struct kcatch_expression *expression, bool typed,
			   const struct condition_call *call)
{
	struct code_input data = { .pid = call->event.pid,
				   .tid = call->event.tid,
				   .cpu = call->event.cpu,
				   .ret = call->event.ret,
				   .latency = call->event.latency_ns,
				   .oncpu = call->event.oncpu_ns,
				   .runnable = call->event.runnable_ns,
				   .blocked = call->event.blocked_ns,
				   .switches = call->event.off_cpu_known ?
						       call->event.switches :
						       KCATCH_SWITCHES_UNKNOWN };
	static struct items_output fields;
	struct kcatch_condition_code code;
	struct kcatch_type none = { .id = 0 };
	char answer = '-';

	if (!kcatch_condition_compile(expression, typed ? world->types : NULL,
				      typed ? world->proto : none, true, 0, &code)) {
		memcpy(data.args, call->input.args, sizeof(data.args));
		memset(data.comm, 'x', sizeof(data.comm));
		strcpy(data.comm, call->event.comm);
		items_run(code.fields, code.nr_fields, code.hops, &call->input, &fields);
		memcpy(data.fields, fields.data, sizeof(data.fields));
		data.faults = fields.faults;
		answer = code_says(&code, &data);
		kcatch_condition_code_deinit(&code);
	}
	return answer;
}

char condition_record_says(const struct condition_world *world,
			   const struct kcatch_expression *expression,
			   const struct kcatch_plan *plan, const struct condition_call *call)
{
	static const char letters[] = { [KCATCH_ANSWER_NO] = '0', [KCATCH_ANSWER_YES] = '1',
					[KCATCH_ANSWER_UNDECIDED] = '?' };
	struct kcatch_recorded_probe probe = { .types = world->types,
					       .plan = plan,
					       .returns = true };
	struct kcatch_recorded_condition *condition;
	const struct kcatch_item *read;
	const int32_t *hops;
	struct kcatch_fetched fetched = { .returned = true };
	struct kcatch_recorded_event event = { .event = &call->event, .fetched = &fetched };
	static struct items_output items;
	uint8_t *copy;
	char answer = '-';
	uint32_t nr;

	if (!kcatch_recorded_condition_create(expression, &probe, &condition)) {
		hops = kcatch_plan_hops(plan, &nr);
		read = kcatch_plan_entry(plan, &nr);
		items_run(read, nr, hops, &call->input, &items);
		/* Of just that size: the sanitizer sees who reads beyond. */
		copy = malloc(items.size);
		memcpy(copy, items.data, items.size);
		fetched.entry = copy;
		fetched.entry_size = items.size;
		fetched.entry_faults = items.faults;
		fetched.entry_cut = items.cut;
		answer = letters[kcatch_recorded_condition_evaluate(condition, &event)];
		kcatch_recorded_condition_destroy(condition);
		free(copy);
	}
	return answer;
}
