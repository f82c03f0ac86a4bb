/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* plan.c - makes the plan of the values to fetch from a call, out of the function's types */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "fetch/plan_data.h"

uint8_t kcatch_plan_put(struct kcatch_plan_list *list, struct kcatch_item read,
			struct kcatch_plan_item item)
{
	list->reads[list->nr_reads++] = read;
	list->items[list->nr_items] = item;
	list->size += (item.is_text ? 8U : 0U) + (item.size + 7U) / 8U * 8U;
	return list->nr_items++;
}

uint8_t kcatch_plan_word(struct kcatch_plan_list *list, struct kcatch_item read)
{
	return kcatch_plan_put(list, read, (struct kcatch_plan_item){ .size = 8 });
}

struct kcatch_item kcatch_plan_reach(struct kcatch_plan *plan, const struct kcatch_reach *reach)
{
	struct kcatch_item item = reach->item;
	uint32_t i, nr = item.nr_hops;

	if (!nr)
		return item;
	/* Many lead through the same pointers. */
	for (i = 0; i + nr <= plan->nr_hops; i++) {
		if (!memcmp(plan->hops + i, reach->hops, nr * sizeof(*plan->hops)))
			break;
	}
	if (i + nr > plan->nr_hops) {
		i = plan->nr_hops;
		memcpy(plan->hops + i, reach->hops, nr * sizeof(*plan->hops));
		plan->nr_hops += nr;
	}
	item.first_hop = (uint16_t)i;
	return item;
}

static void deinit_list(struct kcatch_plan_list *list)
{
	free(list->reads);
	free(list->items);
}

struct kcatch_plan *kcatch_plan_alloc(uint32_t nr_args, struct kcatch_plan_room *room)
{
	struct kcatch_plan *plan = calloc(1, sizeof(*plan) + nr_args * sizeof(plan->args[0]));

	if (!plan)
		return NULL;
	plan->arch = kcatch_arch_running();
	plan->nr_args = nr_args;
	plan->cgroup = plan->latency = KCATCH_NO_ITEM;
	plan->entry.reads = room->reads[0];
	plan->entry.items = room->items[0];
	plan->at_return.reads = room->reads[1];
	plan->at_return.items = room->items[1];
	plan->hops = room->hops;
	return plan;
}

/* Memory of its own for an array in the room, as much as is used. */
static void *own(const void *room, uint32_t nr, size_t size)
{
	void *memory = malloc((nr + 1) * size);

	return memory ? memcpy(memory, room, nr * size) : NULL;
}

static bool own_list(struct kcatch_plan_list *list)
{
	list->reads = own(list->reads, list->nr_reads, sizeof(*list->reads));
	list->items = own(list->items, list->nr_items, sizeof(*list->items));
	return list->reads && list->items;
}

int kcatch_plan_finish(struct kcatch_plan *plan, int error, struct kcatch_plan **result)
{
	bool entry = own_list(&plan->entry), at_return = own_list(&plan->at_return);

	plan->hops = own(plan->hops, plan->nr_hops, sizeof(*plan->hops));
	if (!error && (!entry || !at_return || !plan->hops))
		error = kcatch_error_memory();
	if (error)
		kcatch_plan_destroy(plan);
	*result = error ? NULL : plan;
	return error;
}

void kcatch_plan_no_return(struct kcatch_plan *plan)
{
	plan->at_return.nr_reads = plan->at_return.nr_items = plan->at_return.size = 0;
	plan->ret.words = KCATCH_NO_ITEM;
}

static void add_word(struct kcatch_plan *plan, uint8_t from, uint8_t *item)
{
	struct kcatch_plan_list *list = &plan->entry;

	if (list->nr_items == KCATCH_ITEMS_MAX || list->size + 8 > KCATCH_DATA_MAX)
		return;
	*item = kcatch_plan_word(list,
				 (struct kcatch_item){ .from = from, .put = KCATCH_ITEM_VALUE });
	plan->shape = KCATCH_SHAPE_NONE;
}

void kcatch_plan_add_own(struct kcatch_plan *plan, const struct kcatch_plan_options *options)
{
	if (options && options->cgroup)
		add_word(plan, KCATCH_ITEM_CGROUP, &plan->cgroup);
	if (options && options->latency)
		add_word(plan, KCATCH_ITEM_LATENCY, &plan->latency);
}

static bool find_word(uint8_t item, const uint8_t *data, size_t size, uint64_t *number)
{
	if (item == KCATCH_NO_ITEM || !data || size < 8 * (item + 1U))
		return false;
	memcpy(number, data + 8 * item, sizeof(*number));
	return true;
}

uint64_t kcatch_plan_cgroup(const struct kcatch_plan *plan, const uint8_t *data, size_t size)
{
	uint64_t number;

	return plan && find_word(plan->cgroup, data, size, &number) ? number : 0;
}

bool kcatch_plan_latency(const struct kcatch_plan *plan, const uint8_t *data, size_t size,
			 uint64_t *latency)
{
	return plan && find_word(plan->latency, data, size, latency);
}

/* Number of parameters without "...", which is the last. */
static uint32_t count_args(struct kcatch_type proto)
{
	uint32_t nr = kcatch_type_nr_members(proto);
	struct kcatch_member last;

	if (nr && !kcatch_type_member(proto, nr - 1, &last) && !last.type.id)
		nr--;
	return nr;
}

static void name_arg(struct kcatch_plan_value *arg, uint32_t index,
		     const struct kcatch_member *member)
{
	arg->type = member->type;
	arg->name = member->name;
	if (!*arg->name) {
		snprintf(arg->unnamed, sizeof(arg->unnamed), "arg%u", (index + 1) % 1000);
		arg->name = arg->unnamed;
	}
}

/* What follows the words of a tracepoint's arguments. */
static int plan_event(struct kcatch_plan *plan, const struct kcatch_plan_options *options)
{
	const struct kcatch_item *read = plan->entry.reads;
	bool done;
	int ret = kcatch_plan_switch(plan, &done);

	if (!ret && !done && !options->leaves_only)
		ret = kcatch_plan_pointers(plan, options);
	else if (!done)
		kcatch_plan_no_return(plan);
	if (!ret)
		ret = kcatch_plan_leaves(plan, options);
	if (plan->entry.nr_reads == 1 && read->from == KCATCH_ITEM_ARG && !read->index &&
	    read->put == KCATCH_ITEM_VALUE)
		plan->shape = KCATCH_SHAPE_ARG;
	return ret;
}

/* What the user has asked for comes first: pointees take all room that there is. */
static int plan_function(struct kcatch_plan *plan, const struct kcatch_plan_options *options)
{
	int ret = kcatch_plan_leaves(plan, options);

	return ret ? ret : kcatch_plan_pointers(plan, options);
}

int kcatch_plan_create(struct kcatch_types *types, struct kcatch_type proto,
		       const struct kcatch_plan_options *options, struct kcatch_plan **plan)
{
	struct kcatch_plan_room room;
	struct kcatch_plan *new;
	uint32_t i, skip;
	int ret;

	if (kcatch_type_kind(proto) != BTF_KIND_FUNC_PROTO)
		return kcatch_error_set(EINVAL, "not the type of a function");
	if (options->tracepoint && kcatch_plan_create_special(types, proto, &room, &new)) {
		if (!new)
			return kcatch_error_memory();
		kcatch_plan_add_own(new, options);
		return kcatch_plan_finish(new, 0, plan);
	}
	skip = options->tracepoint && count_args(proto);
	new = kcatch_plan_alloc(count_args(proto) - skip, &room);
	if (!new)
		return kcatch_error_memory();
	new->proto = proto;
	for (i = 0; i < new->nr_args; i++) {
		struct kcatch_member member = { .name = "" };

		kcatch_type_member(proto, i + skip, &member);
		name_arg(&new->args[i], i, &member);
	}
	new->ret.type = kcatch_type_target(proto);
	kcatch_plan_abi(new);
	kcatch_plan_add_own(new, options);
	ret = kcatch_plan_keep_own(new, options->own, options->nr_own);
	if (!ret)
		ret = options->tracepoint ? plan_event(new, options) : plan_function(new, options);
	return kcatch_plan_finish(new, ret, plan);
}

/* The three words of a type. */
static const uint64_t *words_of(struct kcatch_plan_types *types, struct kcatch_type type,
				const struct kcatch_plan_options *options)
{
	uint32_t at = type.id & (KCATCH_CLASS_TYPES - 1);
	struct kcatch_type *known = &types->recent[at].type;
	uint64_t *words = types->recent[at].words;

	if (known->btf != type.btf || known->id != type.id) {
		*known = type;
		words[0] = kcatch_plan_abi_class(type);
		kcatch_plan_pointer_class(type, options->struct_size, words + 1);
	}
	return words;
}

bool kcatch_plan_classify(struct kcatch_plan_types *types, struct kcatch_type proto,
			  const struct kcatch_plan_options *options,
			  struct kcatch_plan_class *class)
{
	uint32_t i, nr = count_args(proto);
	uint64_t *words = class->words;
	const char *before = "";

	if (kcatch_type_kind(proto) != BTF_KIND_FUNC_PROTO || options->tracepoint ||
	    options->deep || nr > KCATCH_CLASS_ARGS)
		return false;
	memcpy(words, words_of(types, kcatch_type_target(proto), options), 3 * sizeof(*words));
	for (i = 0; i < nr; i++) {
		struct kcatch_member member = { .name = "" };

		words += 3;
		kcatch_type_member(proto, i, &member);
		memcpy(words, words_of(types, member.type, options), 3 * sizeof(*words));
		kcatch_plan_name_class(proto, member.name, &words[1]);
		if (i)
			kcatch_plan_count_class(before, words - 2, member.name, words[1]);
		before = member.name;
	}
	class->size = 3 * (nr + 1) * sizeof(*words);
	return true;
}

static bool same_list(const struct kcatch_plan_list *one, const struct kcatch_plan_list *other)
{
	return one->nr_reads == other->nr_reads && one->nr_items == other->nr_items &&
	       one->size == other->size &&
	       !memcmp(one->reads, other->reads, one->nr_reads * sizeof(*one->reads));
}

bool kcatch_plan_same_items(const struct kcatch_plan *one, const struct kcatch_plan *other)
{
	return one->shape == other->shape && one->nr_hops == other->nr_hops &&
	       !memcmp(one->hops, other->hops, one->nr_hops * sizeof(*one->hops)) &&
	       same_list(&one->entry, &other->entry) &&
	       same_list(&one->at_return, &other->at_return);
}

/* What plans without types have besides arguments. */
static int finish_raw(struct kcatch_plan *plan, const struct kcatch_plan_options *options,
		      struct kcatch_plan **result)
{
	plan->ret.words = KCATCH_NO_ITEM;
	plan->ret.nr_words = 1;
	plan->ret.bytes = 8;
	kcatch_plan_add_own(plan, options);
	return kcatch_plan_finish(plan, 0, result);
}

int kcatch_plan_create_raw(const struct kcatch_plan_options *options, struct kcatch_plan **plan)
{
	const struct kcatch_arch_call *call = &kcatch_arch_running()->call;
	struct kcatch_plan_room room;
	struct kcatch_plan *new = kcatch_plan_alloc(call->registers, &room);
	uint8_t i;

	if (!new)
		return kcatch_error_memory();
	for (i = 0; i < call->registers; i++) {
		struct kcatch_plan_value *arg = &new->args[i];

		arg->name = call->names[i];
		arg->words = kcatch_plan_word(&new->entry, (struct kcatch_item){
			.from = KCATCH_ITEM_ARG, .put = KCATCH_ITEM_VALUE, .index = i });
		arg->nr_words = 1;
		arg->bytes = 8;
	}
	return finish_raw(new, options, plan);
}

int kcatch_plan_create_bare(const struct kcatch_plan_options *options, struct kcatch_plan **plan)
{
	struct kcatch_plan_room room;
	struct kcatch_plan *new = kcatch_plan_alloc(0, &room);

	if (!new)
		return kcatch_error_memory();
	return finish_raw(new, options, plan);
}

int kcatch_plan_create_only_return(struct kcatch_type proto, bool cgroup,
				   struct kcatch_plan **plan)
{
	struct kcatch_plan_room room;
	struct kcatch_plan *new;

	if (kcatch_type_kind(proto) != BTF_KIND_FUNC_PROTO)
		return kcatch_error_set(EINVAL, "not the type of a function");
	new = kcatch_plan_alloc(0, &room);
	if (!new)
		return kcatch_error_memory();
	new->proto = proto;
	new->only_return = true;
	new->ret.type = kcatch_type_target(proto);
	kcatch_plan_abi(new);
	kcatch_plan_no_return(new);
	kcatch_plan_add_own(new, &(struct kcatch_plan_options){ .cgroup = cgroup });
	return kcatch_plan_finish(new, 0, plan);
}

static void free_pointees(struct kcatch_plan_pointee *pointee)
{
	while (pointee) {
		struct kcatch_plan_pointee *next = pointee->next;

		free_pointees(pointee->inside);
		free(pointee);
		pointee = next;
	}
}

void kcatch_plan_destroy(struct kcatch_plan *plan)
{
	uint32_t i;

	if (!plan)
		return;
	for (i = 0; i < plan->nr_args; i++) {
		free_pointees(plan->args[i].pointee);
		if (plan->owns_names)
			free((void *)plan->args[i].name);
	}
	if (plan->owns_names)
		free((void *)plan->ret.name);
	free_pointees(plan->ret.pointee);
	deinit_list(&plan->entry);
	deinit_list(&plan->at_return);
	free(plan->hops);
	free(plan->leaves);
	for (i = 0; i < plan->nr_own; i++) {
		free((void *)plan->own[i].name);
		free((void *)plan->own[i].expression);
	}
	free(plan->own);
	free(plan);
}

const struct kcatch_item *kcatch_plan_entry(const struct kcatch_plan *plan, uint32_t *nr)
{
	*nr = plan->entry.nr_reads;
	return plan->entry.reads;
}

const struct kcatch_item *kcatch_plan_return(const struct kcatch_plan *plan, uint32_t *nr)
{
	*nr = plan->at_return.nr_reads;
	return plan->at_return.reads;
}

const int32_t *kcatch_plan_hops(const struct kcatch_plan *plan, uint32_t *nr)
{
	*nr = plan->nr_hops;
	return plan->hops;
}

uint32_t kcatch_plan_shape(const struct kcatch_plan *plan)
{
	return plan->shape;
}

bool kcatch_plan_own_cut(const struct kcatch_plan *plan)
{
	return plan->own_cut;
}

uint32_t kcatch_plan_nr_args(const struct kcatch_plan *plan)
{
	return plan->nr_args;
}

bool kcatch_plan_is_typed(const struct kcatch_plan *plan)
{
	return plan->proto.id && !plan->only_return;
}

bool kcatch_plan_has_no_args(const struct kcatch_plan *plan)
{
	return plan->only_return || (!plan->proto.id && !plan->nr_args);
}

bool kcatch_plan_has_cgroup(const struct kcatch_plan *plan)
{
	return plan->cgroup != KCATCH_NO_ITEM;
}

bool kcatch_plan_has_latency(const struct kcatch_plan *plan)
{
	return plan->latency != KCATCH_NO_ITEM;
}
