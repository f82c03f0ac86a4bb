/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorded.c - locates the values of a condition in the records of one probe
 *
 * A condition describes a value by a chain of links, from an argument through memory. The plan
 * fetched arguments, their pointees and parts of those. The chain is followed through the plan's
 * items, once for each probe. If it leaves what was fetched, the condition is refused.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "base/suggest.h"
#include "code/code.h"
#include "condition/recorded_place.h"
#include "condition/typing.h"
#include "fetch/plan_data.h"

/* ---- names ---------------------------------------------------------------------- */

static int item_number(struct condition *c, const struct chain *chain, bool is_signed,
		       struct term *term)
{
	int item = item_find(c, chain);

	if (item == -E2BIG)
		return term_error(c, EINVAL, term->at, "it reads too many values; make the condition smaller");
	if (item < 0)
		return item;
	term->kind = TERM_NUMBER;
	term->chain = chain;
	term->ir = ir_make(c, (struct ir){ .op = IR_LOAD, .wide = true, .is_signed = is_signed,
					   .at = term->at, .item = item });
	return term->ir ? 0 : -ENOMEM;
}

static const struct chain *begin(struct condition *c, enum recorded_op op, uint32_t index,
				 int32_t offset)
{
	return chain_link(c, NULL, (uint8_t)op, 0, (uint16_t)index, offset);
}

bool recorded_argument(struct condition *c, const char *name, struct term *term)
{
	uint32_t i;

	for (i = 0; c->plan && i < c->plan->nr_args; i++) {
		const struct kcatch_plan_value *arg = &c->plan->args[i];

		if (name && (!arg->name || strcmp(arg->name, name)))
			continue;
		if (!c->plan->proto.id)
			return !item_number(c, begin(c, RECORDED_ARG, i, 0), false, term);
		term->kind = TERM_PLACE;
		term->type = arg->type;
		term->place = (struct place){ .kind = PLACE_RECORDED, .first = i };
		return true;
	}
	return false;
}

/* Find the argument that is in register @number, and the byte in it. */
static bool find_register(const struct condition *c, unsigned int number, uint32_t *index,
			  int32_t *byte)
{
	struct kcatch_abi abi = { .arch = c->plan->arch };
	uint32_t i, first;
	uint64_t size;

	if (c->proto.id && !c->tracepoint)
		kcatch_abi_begin(&abi, c->plan->arch, kcatch_type_target(c->proto));
	for (i = 0; i < c->plan->nr_args; i++) {
		if (!c->proto.id) {	/* registers, as they are */
			first = i;
			abi.registers = 1;
		} else if (kcatch_abi_next(&abi, c->plan->args[i].type, &first, &size) !=
			   KCATCH_ABI_REGISTERS) {
			continue;
		}
		if (number >= first && number < first + abi.registers) {
			*index = i;
			*byte = (int32_t)(8 * (number - first));
			return true;
		}
	}
	return false;
}

/*
 * Whether the plan's arguments are the function's parameters, or the registers of a plan without
 * types. Those of system calls and of tracepoints that are passed struct pt_regs are neither.
 */
static bool has_parameters(const struct condition *c)
{
	struct kcatch_member parameter;
	uint32_t i;

	for (i = 0; c->proto.id && i < c->plan->nr_args; i++) {
		if (kcatch_type_member(c->proto, i + c->tracepoint, &parameter) ||
		    (*parameter.name && strcmp(parameter.name, c->plan->args[i].name)))
			return false;
	}
	return true;
}

int recorded_register(struct condition *c, const struct kcatch_expression_node *it,
		      unsigned int number, struct term *term)
{
	uint32_t index;
	int32_t byte;

	term->at = it->at;
	if (!c->plan || !has_parameters(c) || !find_register(c, number, &index, &byte))
		return term_error(c, ENOENT, it->at, "register %s is not in the recording: it "
				  "holds no argument of this function, or no arguments were "
				  "recorded", it->text);
	return item_number(c, begin(c, RECORDED_ARG, index, byte), false, term);
}

int recorded_field(struct condition *c, uint32_t index, struct term *term)
{
	uint8_t arg = c->info->args[index];
	uint32_t size = arg & KCATCH_EVENT_ARG_SIZE;
	const struct chain *chain = begin(c, RECORDED_FIELD, index, 0);
	bool is_signed = arg & KCATCH_EVENT_ARG_SIGNED;
	int ret;

	if (!chain)
		return -ENOMEM;
	if (arg & KCATCH_EVENT_ARG_STRING) {
		term->kind = TERM_RECORDED;
		term->chain = chain;
		return 0;
	}
	ret = item_number(c, chain, is_signed, term);
	if (ret)
		return ret;
	/* The type of the event's argument after C's integer promotion. */
	if (size < 4)
		term->ir = ir_convert(c, ir_extend(c, term->ir, 8 * size, is_signed), false, true);
	else
		term->ir = ir_convert(c, term->ir, size == 8, is_signed);
	term->chain = NULL;
	return term->ir ? 0 : -ENOMEM;
}

int recorded_current(struct condition *c, const struct kcatch_expression_node *it,
		     struct term *term)
{
	struct kcatch_expression_node own = *it;

	*term = (struct term){ .at = it->at };
	own.op = KCATCH_EX_NAME;
	own.text = !strcmp(it->text, "comm") ? "comm" : !strcmp(it->text, "pid") ? "tid" :
		   !strcmp(it->text, "tgid") ? "pid" : NULL;
	if (!own.text)
		return term_error(c, EINVAL, it->at, "a recording has only comm, pid and tgid of the thread; "
				  "give this condition when recording");
	return lookup_name(c, &own, term);
}

bool recorded_name(struct condition *c, const char *name, struct term *term, int *ret)
{
	static const struct {
		const char *name;
		enum recorded_op op;
	} names[] = {
		{ "time", RECORDED_TIME }, { "event", RECORDED_EVENT },
		{ "function", RECORDED_FUNCTION }, { "caller", RECORDED_CALLER },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i].name, name))
			continue;
		term->chain = begin(c, names[i].op, 0, 0);
		*ret = term->chain ? 0 : -ENOMEM;
		term->kind = TERM_RECORDED;
		if (!*ret && names[i].op == RECORDED_TIME) {
			*ret = item_number(c, term->chain, false, term);
			term->chain = NULL;
		}
		return true;
	}
	return false;
}

int recorded_packet(struct condition *c, const struct kcatch_expression_node *it,
		    enum kcatch_packet_field field, struct term *term)
{
	const struct kcatch_plan_pointee *pointee = NULL;
	uint32_t i, index = term->place.first, nr = 0;

	if (term->kind == TERM_PLACE && term->place.kind == PLACE_RECORDED &&
	    !term->place.bit_offset)
		pointee = c->plan->args[index].pointee;
	for (i = 0; pointee && pointee->summary && i < KCATCH_SUMMARY_PARTS; i++) {
		enum kcatch_summary_kind kind = pointee->summary->parts[i].kind;

		nr += pointee->parts[i] != KCATCH_NO_ITEM &&
		      kind == (field == KCATCH_PACKET_VLAN ? KCATCH_SUMMARY_VLAN :
							     KCATCH_SUMMARY_PACKET);
	}
	if (!nr)
		return term_error(c, EINVAL, it->at,
				  "this is not in the recording, which has the "
				  "headers of packets that are arguments; give this condition "
				  "when recording");
	term->at = it->at;
	return item_number(c, begin(c, RECORDED_PACKET, index, (int32_t)field), false, term);
}

int recorded_cgroup(struct condition *c, const struct kcatch_expression_node *it, struct term *term)
{
	if (!c->plan || c->plan->cgroup == KCATCH_NO_ITEM)
		return term_error(c, ENOENT, it->at, "the cgroup is not in this recording; record "
				  "with --with-cgroup, or give this condition when recording");
	term->at = it->at;
	return item_number(c, begin(c, RECORDED_CGROUP, 0, 0), false, term);
}

int recorded_cgroup_path(struct condition *c, uint32_t at, struct term *term)
{
	*term = (struct term){ .kind = TERM_RECORDED, .at = at,
			       .chain = begin(c, RECORDED_CGROUP_PATH, 0, 0) };
	return term->chain ? 0 : -ENOMEM;
}

int recorded_symbol(struct condition *c, const struct kcatch_expression_node *it, bool functions,
		    struct term *term)
{
	const struct kcatch_recorded_probe *probe = c->recorded;
	uint64_t address = 0;
	unsigned int count = probe->symbol ? probe->symbol(probe->arg, it->text, &address) : 0;

	if (!count && functions)
		return -ENOENT;
	if (!count)
		return term_error(c, EINVAL, it->at, "no function of the recorded kernel is called %s, and "
				  "a recording has no names of data; compare with the address, or give this "
				  "condition when recording", SHOWN(it->text));
	if (count > 1)
		return term_error(c, EINVAL, it->at, "the recorded kernel has %u symbols called %s",
				  count, SHOWN(it->text));
	if (!address)
		return term_error(c, EINVAL, it->at, "the recorded kernel hid its addresses "
				  "(sysctl kernel.kptr_restrict); record with kptr_restrict 0 or "
				  "1");
	*term = (struct term){ .kind = TERM_POINTER, .at = it->at,
			       .ir = ir_const(c, address, true, false) };
	return term->ir ? 0 : -ENOMEM;
}

bool recorded_summary(struct condition *c, struct term *term)
{
	const struct kcatch_plan_pointee *pointee;

	if (!c->recorded || term->kind != TERM_PLACE || term->place.kind != PLACE_RECORDED ||
	    term->place.bit_offset)
		return false;
	pointee = c->plan->args[term->place.first].pointee;
	if (!pointee || !pointee->summary)
		return false;
	term->chain = begin(c, RECORDED_SUMMARY, term->place.first, 0);
	term->kind = TERM_RECORDED;
	return term->chain;
}

int recorded_no_argument(struct condition *c, const struct kcatch_expression_node *it)
{
	if (!c->plan || kcatch_plan_has_no_args(c->plan))
		return term_error(c, ENOENT, it->at,
				  "there is no %s here: no arguments were recorded "
				  "(--no-args); there are ret, latency, oncpu, runnable, blocked, "
				  "switches, pid, tid, cpu, comm, time, event, function and caller",
				  SHOWN(it->text));
	return term_error(c, ENOENT, it->at, "this function's types are not known, so %s is not a "
			  "name here; its arguments are arg0 to arg5", SHOWN(it->text));
}

/* ---- from a chain to a place of the record ----------------------------------------- */

/* The state while a chain is followed. */
struct walk {
	struct condition *c;
	uint32_t at;		/* offset in the condition, for error messages */
	const struct link *links[CHAIN_MAX];
	uint32_t nr, next;	/* number of links; index of the next one */
	const struct kcatch_plan_pointee *pointee;	/* of the pointer reached; NULL: none */
	int64_t delta;		/* added to the pointer, bytes */
	struct recorded_place place;	/* of the value reached */
};

static int refuse(struct walk *walk, const char *reason)
{
	return term_error(walk->c, EINVAL, walk->at, "this is not in the recording: %s; give this "
			  "condition when recording", reason);
}

static bool has_item(const struct condition *c, uint8_t item)
{
	return item < c->plan->entry.nr_items;
}

/* Does a way lead to what a part of a summary is? */
static bool leads_to(const struct way *way, const struct kcatch_summary_part *part, bool is_text)
{
	const struct kcatch_item *item = &part->item;

	if (way->nr_hops != item->nr_hops || way->offset != item->offset ||
	    memcmp(way->hops, part->hops, way->nr_hops * sizeof(way->hops[0])))
		return false;
	if (is_text)
		return item->put == KCATCH_ITEM_STRING || item->put == KCATCH_ITEM_MEMORY;
	return item->put == KCATCH_ITEM_WORD && item->size == way->size;
}

/* Use a part of the pointee's summary, if the rest of the chain leads to it. */
static bool try_parts(struct walk *walk, bool is_text)
{
	const struct kcatch_plan_pointee *pointee = walk->pointee;
	struct kcatch_summary_part part;
	struct way way;
	uint32_t i;

	if (!pointee->summary || way_find(walk->links + walk->next, walk->nr - walk->next,
					  walk->delta, is_text, &way))
		return false;
	for (i = 0; i < KCATCH_SUMMARY_PARTS; i++) {
		if (!has_item(walk->c, pointee->parts[i]) ||
		    kcatch_summary_plan(pointee->summary, i, pointee->type, &part) ||
		    !leads_to(&way, &part, is_text))
			continue;
		walk->place = (struct recorded_place){
			.kind = is_text ? RECORDED_BYTES : RECORDED_NUMBER,
			.size = is_text ? 0 : 8, .item = pointee->parts[i]
		};
		walk->next = walk->nr;
		return true;
	}
	return false;
}

/* Locate @size bytes at @offset behind the pointer that was reached. */
static int locate_bytes(struct walk *walk, int64_t offset, uint32_t size)
{
	const struct kcatch_plan_pointee *pointee = walk->pointee;
	char reason[200], type[120];
	uint32_t have;

	if (!pointee)
		return refuse(walk, "the memory that this points to was not fetched "
				    "(--deep follows pointers in structs)");
	if (!has_item(walk->c, pointee->object)) {
		kcatch_type_text(pointee->type, type, sizeof(type));
		snprintf(reason, sizeof(reason), pointee->is_output ?
			 "the %s buffer was fetched only at the return" :
			 "the bytes of %s were not fetched", type);
		return refuse(walk, reason);
	}
	have = walk->c->plan->entry.items[pointee->object].size;
	if (offset < 0 || (uint64_t)offset + size > have) {
		snprintf(reason, sizeof(reason), "only the first %u bytes of the memory that this "
			 "points to were fetched", have);
		return refuse(walk, reason);
	}
	walk->place = (struct recorded_place){ .kind = RECORDED_NUMBER, .item = pointee->object,
					       .size = (uint8_t)size, .offset = offset,
					       .counted = pointee->kind == KCATCH_POINTEE_BYTES };
	return 0;
}

static int load(struct walk *walk, const struct link *link)
{
	int64_t offset = walk->delta + link->offset;
	const struct kcatch_plan_pointee *inside = NULL;
	bool is_object = walk->pointee && walk->pointee->kind == KCATCH_POINTEE_OBJECT;
	int ret = locate_bytes(walk, offset, link->size);

	if (ret)
		return ret;
	for (inside = is_object ? walk->pointee->inside : NULL; inside; inside = inside->next) {
		if (inside->offset == offset && link->size == 8)
			break;
	}
	walk->pointee = inside;
	walk->delta = 0;
	return 0;
}

static int first_link(struct walk *walk, const struct link *link)
{
	const struct kcatch_plan_value *arg;

	walk->place = (struct recorded_place){ .index = link->size };
	switch (link->kind) {
	case RECORDED_ARG:
		break;
	case RECORDED_FIELD:
		walk->place.kind = RECORDED_PAYLOAD;
		return 0;
	case RECORDED_SUMMARY:
		walk->place.kind = RECORDED_SUMMARY_TEXT;
		return 0;
	case RECORDED_PACKET:
		walk->place.kind = RECORDED_HEADER;
		walk->place.offset = link->offset;
		return 0;
	case RECORDED_TIME:
		walk->place.kind = RECORDED_TIMESTAMP;
		return 0;
	case RECORDED_CGROUP:
		walk->place = (struct recorded_place){ .kind = RECORDED_NUMBER, .size = 8,
						       .item = walk->c->plan->cgroup };
		return 0;
	case RECORDED_EVENT:
	case RECORDED_FUNCTION:
	case RECORDED_CALLER:
	case RECORDED_CGROUP_PATH:
		walk->place.kind = RECORDED_EVENT_TEXT;
		walk->place.index = link->kind == RECORDED_EVENT ? KCATCH_RECORDED_EVENT :
				    link->kind == RECORDED_FUNCTION ? KCATCH_RECORDED_FUNCTION :
				    link->kind == RECORDED_CALLER ? KCATCH_RECORDED_CALLER :
				    KCATCH_RECORDED_CGROUP;
		return 0;
	default:
		return refuse(walk, "it was not an argument of the call");
	}
	arg = &walk->c->plan->args[link->size];
	if (arg->words == KCATCH_NO_ITEM || link->offset / 8 >= arg->nr_words ||
	    !has_item(walk->c, arg->words + (uint8_t)(link->offset / 8)))
		return refuse(walk, "this argument was not fetched");
	walk->place = (struct recorded_place){ .kind = RECORDED_NUMBER, .size = 8,
					       .index = link->size,
					       .item = (uint8_t)(arg->words + link->offset / 8) };
	walk->pointee = link->offset ? NULL : arg->pointee;
	return 0;
}

/* Locate the text behind the pointer that was reached. */
static int locate_text(struct walk *walk, const struct item *item)
{
	int ret;

	if (walk->place.kind != RECORDED_NUMBER)
		return 0;	/* the value is a text itself */
	if (!walk->pointee || !try_parts(walk, true)) {
		ret = locate_bytes(walk, walk->delta, 1);
		if (ret)
			return ret;
	}
	walk->place.kind = RECORDED_BYTES;
	walk->place.room = item->room;
	walk->place.need = item->room && item->room < item->size ? item->room : item->size;
	return 0;
}

/* Was what the chain leads to fetched by itself, for a field of the event? */
static bool find_leaf(struct walk *walk, const struct item *item)
{
	const struct link *first = walk->links[0];
	const struct kcatch_plan_leaf *leaf;
	struct way way;
	uint32_t i;

	if ((first->kind != RECORDED_ARG && first->kind != RECORDED_TASK) ||
	    (first->kind == RECORDED_ARG && first->offset) || !walk->c->plan->nr_leaves ||
	    way_find(walk->links + 1, walk->nr - 1, 0, item->size, &way))
		return false;
	for (i = 0; i < walk->c->plan->nr_leaves; i++) {
		leaf = &walk->c->plan->leaves[i];
		if (leaf->arg != (first->kind == RECORDED_TASK ? KCATCH_LEAF_TASK : first->size) ||
		    leaf->is_text != !!item->size || leaf->nr_hops != way.nr_hops ||
		    leaf->offset != way.offset || (!item->size && leaf->size != way.size) ||
		    memcmp(leaf->hops, way.hops, way.nr_hops * sizeof(*way.hops)) ||
		    !has_item(walk->c, leaf->item))
			continue;
		walk->place = (struct recorded_place){
			.kind = item->size ? RECORDED_BYTES : RECORDED_NUMBER,
			.size = item->size ? 0 : 8,
			.item = leaf->item,
			.room = item->room,
			.need = item->room && item->room < item->size ? item->room : item->size
		};
		return true;
	}
	return false;
}

static int follow(struct condition *c, const struct item *item, uint32_t at,
		  struct recorded_place *place)
{
	struct walk walk = { .c = c, .at = at, .nr = item->chain->length, .next = 1 };
	const struct chain *chain = item->chain;
	uint32_t i;
	int ret;

	for (i = walk.nr; i--; chain = chain->before)
		walk.links[i] = &chain->link;
	if (find_leaf(&walk, item)) {
		*place = walk.place;
		return 0;
	}
	ret = first_link(&walk, walk.links[0]);
	while (!ret && walk.next < walk.nr) {
		const struct link *link = walk.links[walk.next];

		/* Prefer the object: a part of the summary may be cut. */
		if (link->kind == LINK_LOAD && walk.pointee &&
		    (walk.pointee->kind != KCATCH_POINTEE_OBJECT ||
		     !has_item(c, walk.pointee->object)) && try_parts(&walk, item->size != 0))
			break;
		walk.next++;
		if (link->kind == LINK_ADD)
			walk.delta += link->offset;
		else
			ret = load(&walk, link);
	}
	if (!ret && item->size)
		ret = locate_text(&walk, item);
	else if (!ret)
		walk.place.add = walk.delta;
	*place = walk.place;
	return ret;
}

/* ---- the whole condition -------------------------------------------------------------- */

/* Offset in the condition where an item is used, plus 1; 0: it is not used. */
static uint32_t position_of(const struct condition *c, const struct ir *ir, int32_t item)
{
	uint32_t at;

	if (!ir)
		return 0;
	if (ir->op == IR_LOAD || ir->op == IR_TEXT) {
		if (ir->item == item)
			return ir->at + 1;
		return ir->item == IR_NO_ITEM ? 0 :
						position_of(c, c->items[ir->item].address, item);
	}
	at = position_of(c, ir->left, item);
	at = at ? at : position_of(c, ir->right, item);
	return at ? at : position_of(c, ir->third, item);
}

static bool uses_cpu(const struct ir *ir, uint32_t *at)
{
	if (!ir)
		return false;
	if (ir->op == IR_LOAD && ir->item == IR_NO_ITEM &&
	    ir->offset == offsetof(struct kcatch_condition, cpu)) {
		*at = ir->at;
		return true;
	}
	return uses_cpu(ir->left, at) || uses_cpu(ir->right, at) || uses_cpu(ir->third, at);
}

/* In an operand of && with ret or latency, cpu is the return's, which no record has. */
static int check_cpu(struct condition *c, const struct ir *ir)
{
	uint32_t at = 0;
	int ret;

	if (!ir->at_return)
		return 0;
	if (ir->op == IR_ALL) {
		ret = check_cpu(c, ir->left);
		return ret ? ret : check_cpu(c, ir->right);
	}
	if (!uses_cpu(ir, &at))
		return 0;
	return term_error(c, EINVAL, at, "next to ret or latency, cpu is that of the return, which "
			  "is not in a recording; joined by &&, cpu is that of the call");
}

static int find_places(struct condition *c, const struct ir *root, struct recorded_place *places)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < c->nr_items && !ret; i++) {
		uint32_t at = position_of(c, root, (int32_t)i);

		if (c->items[i].address)
			places[i].kind = RECORDED_LOADED;
		else
			ret = at ? follow(c, &c->items[i], at - 1, &places[i]) : 0;
	}
	return ret;
}

static int place(struct condition *c, const struct ir *root,
		 struct kcatch_recorded_condition *made)
{
	struct recorded_place *places;

	places = kcatch_pieces_take(&c->pieces, (c->nr_items + 1) * sizeof(*places));
	if (!places)
		return -ENOMEM;
	made->places = places;
	return find_places(c, root, places);
}

/* @nr: operations of the code that was made. */
static int keep_code(struct condition *c, struct kcatch_recorded_condition *made, uint32_t nr)
{
	const struct kcatch_code_limits limits = {
		.fields = 8,
		.items = c->nr_items,
		.texts = c->nr_texts,
		.outs = 2,
		.recorded = true,
	};
	uint32_t sources, bad;
	char *texts = kcatch_pieces_take(&c->pieces, c->nr_texts + 1);

	if (!texts)
		return -ENOMEM;
	memcpy(texts, c->texts, c->nr_texts);
	made->texts = texts;
	if (kcatch_code_check(made->code, nr, &limits, &sources, &bad))
		return 0;
	return kcatch_expression_error(c->expression, EINVAL, 0,
				       "operation %u of its code is not sound: that is a fault of kcatch",
				       bad);
}

static int create(struct condition *c, struct kcatch_recorded_condition *made)
{
	const struct ir *root = NULL;
	int ret = condition_type_twice(c, &root);
	uint32_t nr = 0;

	if (!ret)
		ret = check_cpu(c, root);
	if (!ret)
		ret = place(c, root, made);
	if (!ret)
		ret = condition_encode_entry(c, NULL, root, &made->code, &nr);
	return ret ? ret : keep_code(c, made, nr);
}

static void begin_condition(struct condition *c, const struct kcatch_expression *expression,
			    const struct kcatch_recorded_probe *probe,
			    struct kcatch_recorded_condition *made)
{
	c->expression = expression;
	c->types = probe->types;
	c->plan = probe->plan;
	if (probe->plan)
		c->proto = probe->plan->proto;
	c->info = probe->info;
	c->tracepoint = probe->tracepoint;
	c->event = probe->event;
	c->in_field = probe->is_field;
	c->returns = probe->returns;
	c->named = probe->named;
	c->recorded = probe;
	made->plan = probe->plan;
	made->info = probe->info;
}

static void give_notes(const struct condition *c)
{
	struct kcatch_condition_notes *notes = c->recorded->notes;
	uint32_t i;

	for (i = 0; notes && i < c->notes.nr && notes->nr < KCATCH_CONDITION_NOTES; i++)
		notes->of[notes->nr++] = c->notes.of[i];
}

int kcatch_recorded_word(const struct kcatch_recorded_probe *probe, const char *word)
{
	struct kcatch_recorded_condition made = { .code = NULL };
	struct condition *c = calloc(1, sizeof(*c));

	if (!c)
		return kcatch_error_memory();
	begin_condition(c, NULL, probe, &made);
	note_hidden(c, word);
	give_notes(c);
	kcatch_pieces_deinit(&c->pieces);
	free(c);
	return 0;
}

int kcatch_recorded_condition_create(const struct kcatch_expression *expression,
				     const struct kcatch_recorded_probe *probe,
				     struct kcatch_recorded_condition **condition)
{
	struct kcatch_recorded_condition *made = calloc(1, sizeof(*made));
	struct condition *c = calloc(1, sizeof(*c));
	int ret = made && c ? 0 : kcatch_error_memory();

	*condition = NULL;
	if (!ret) {
		begin_condition(c, expression, probe, made);
		ret = create(c, made);
		give_notes(c);
		made->pieces = c->pieces;
	}
	free(c);
	if (ret) {
		kcatch_recorded_condition_destroy(made);
		return ret;
	}
	*condition = made;
	return 0;
}

void kcatch_recorded_condition_destroy(struct kcatch_recorded_condition *condition)
{
	if (!condition)
		return;
	kcatch_pieces_deinit(&condition->pieces);
	free(condition->code);
	free(condition);
}

/* ---- keys and values of counts ---------------------------------------------------------- */

static int type_text(struct condition *c, struct term *term, const struct ir **root)
{
	int item = IR_NO_ITEM, ret;

	if (term->kind != TERM_COMM) {
		ret = term_text_item(c, term, KCATCH_PART_TEXT_MAX, &item);
		if (ret)
			return ret;
	}
	*root = ir_make(c, (struct ir){ .op = IR_TEXT, .at = term->at, .item = item });
	return *root ? 0 : -ENOMEM;
}

static int type_value(struct condition *c, struct kcatch_part_type *type, struct word_ir *words,
		      const struct ir **root)
{
	struct term term;
	int ret = count_part_term(c, type, &term);

	if (ret)
		return ret;
	if (type->is_comm || type->is_text)
		return type_text(c, &term, root);
	words[0].number = ir_convert(c, term.ir, true, term.ir->is_signed);
	words[1].number = term.low;
	/* For who asks what is read, both are one. */
	*root = term.low ? ir_binary(c, IR_OR, term.ir, term.low) : words[0].number;
	return *root ? 0 : -ENOMEM;
}

int kcatch_recorded_expression_create(const struct kcatch_expression *expression,
				      const struct kcatch_recorded_probe *probe,
				      struct kcatch_part_type *type,
				      struct kcatch_recorded_expression **result)
{
	struct kcatch_recorded_expression *made = calloc(1, sizeof(*made));
	struct condition *c = calloc(1, sizeof(*c));
	int ret = made && c ? 0 : kcatch_error_memory();
	struct word_ir words[] = { { .is_put = true, .item = IR_NO_ITEM },
				   { .is_put = true, .item = IR_NO_ITEM, .out = 1 } };
	const struct ir *root = NULL;
	uint32_t nr = 0;

	*result = NULL;
	memset(type, 0, sizeof(*type));
	if (!ret) {
		begin_condition(c, expression, probe, &made->condition);
		c->last_pass = true;
		ret = type_value(c, type, words, &root);
		if (!ret)
			ret = place(c, root, &made->condition);
		made->is_text = type->is_text || type->is_comm;
		if (!ret && made->is_text)
			made->item = root->item;
		if (!ret && !made->is_text)
			ret = condition_encode_words(c, words, 2, KCATCH_OUTS_MAX,
						     &made->condition.code, &nr);
		if (!ret && !made->is_text)
			ret = keep_code(c, &made->condition, nr);
		give_notes(c);
		made->condition.pieces = c->pieces;
	}
	free(c);
	if (ret)
		kcatch_recorded_expression_destroy(made);
	else
		*result = made;
	return ret;
}

void kcatch_recorded_expression_destroy(struct kcatch_recorded_expression *expression)
{
	if (!expression)
		return;
	kcatch_pieces_deinit(&expression->condition.pieces);
	free(expression->condition.code);
	free(expression);
}
