/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * lookup.c - looks up the names of a condition: arguments, members, types, constants
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/errno_name.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "condition/language.h"
#include "condition/typing.h"
#include "fetch/gfp_names.h"
#include "fetch/plan.h"
#include "fetch/plan_data.h"

#define LISTED_MAX 8U	/* most names that an error message lists */

typedef const struct kcatch_expression_node node;

static const struct builtin {
	const char *name;
	uint32_t offset;
	bool wide, is_signed, at_return;
} builtins[] = {
#define BUILTIN(name, member, wide, is_signed, at_return) \
	{ name, offsetof(struct kcatch_condition, member), wide, is_signed, at_return },
	KCATCH_LANGUAGE_NAMES(BUILTIN)
#undef BUILTIN
};

void note_enum(struct condition *c, struct kcatch_type type)
{
	uint32_t i;

	type = kcatch_type_strip(type);
	for (i = 0; i < c->nr_enums; i++) {
		if (c->enums[i].btf == type.btf && c->enums[i].id == type.id)
			return;
	}
	if (c->nr_enums < sizeof(c->enums) / sizeof(c->enums[0]))
		c->enums[c->nr_enums++] = type;
}

/* ---- arguments -------------------------------------------------------------------- */

static bool is_aggregate(struct kcatch_type type)
{
	int kind = kcatch_type_kind(type);

	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION || kind == BTF_KIND_ARRAY;
}

bool lookup_find_argument(struct condition *c, const char *name, struct term *term)
{
	uint32_t i, first = 0, nr = kcatch_type_nr_members(c->proto);
	struct kcatch_member member;
	struct kcatch_abi abi;
	uint64_t size;

	if (c->recorded)
		return recorded_argument(c, name, term);
	kcatch_abi_begin(&abi, kcatch_arch_running(), kcatch_type_target(c->proto));
	for (i = c->tracepoint; i < nr && !kcatch_type_member(c->proto, i, &member); i++) {
		enum kcatch_abi_place place = kcatch_abi_next(&abi, member.type, &first, &size);

		if (!name || strcmp(member.name, name))
			continue;
		/* What is nowhere cannot be compared, which its type says. */
		if (place == KCATCH_ABI_NOWHERE && abi.unknown)
			return false;
		/* Its members are behind an address, which no term of this kind is. */
		if (place == KCATCH_ABI_ADDRESS || place == KCATCH_ABI_STACK_ADDRESS)
			return false;
		term->kind = TERM_PLACE;
		term->type = member.type;
		term->place.kind = place == KCATCH_ABI_STACK ? PLACE_STACK : PLACE_REGISTERS;
		term->place.first = first;
		return true;
	}
	return false;
}

/* Look up a name among the arguments. Returns whether it is one; then *ret is 0 or -errno. */
static bool find_argument(struct condition *c, node *it, struct term *term, int *ret)
{
	bool found;

	*ret = 0;
	found = (c->syscall && lookup_syscall(c, it, term)) ||
		((c->proto.id || c->recorded) && lookup_find_argument(c, it->text, term)) ||
		((c->tracepoint || c->info) && lookup_event(c, it, term, ret));
	term->name = found ? it->text : NULL;
	term->constants = found ? kcatch_constants_of_argument(c->named, it->text) : NULL;
	return found;
}

/* As the fields of a ktrace event are called that have no name: arg0, arg1 and so on. */
static bool is_number_of_argument(const char *name)
{
	return !strncmp(name, "arg", 3) && strspn(name + 3, "0123456789") == strlen(name + 3) &&
	       name[3];
}

/* An event does not return: its ret is an argument. It is no member: counts rely on it that ret
 * can always be read. */
static bool find_own_argument(struct condition *c, node *it, struct term *term, int *ret)
{
	*ret = 0;
	if (c->info && is_number_of_argument(it->text))
		return lookup_event(c, it, term, ret);
	if (!kcatch_expression_is_return(it->text))
		return false;
	if (c->info)
		return lookup_event(c, it, term, ret);
	return c->tracepoint && (c->proto.id || c->recorded) &&
	       lookup_find_argument(c, it->text, term);
}

static void note_argument_enums(struct condition *c)
{
	uint32_t i, nr = kcatch_type_nr_members(c->proto);
	struct kcatch_member member;

	for (i = 0; i < nr && !kcatch_type_member(c->proto, i, &member); i++) {
		int kind = kcatch_type_kind(member.type);

		if (kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64)
			note_enum(c, member.type);
	}
}

/* Offer the names of a function's arguments, a struct's members or an enum's enumerators. */
static void offer_members(struct kcatch_type type, struct kcatch_suggest *suggest,
			  unsigned int depth)
{
	uint32_t i, nr = kcatch_type_nr_members(type);
	struct kcatch_member member;

	for (i = 0; i < nr && !kcatch_type_member(type, i, &member); i++) {
		if (*member.name && strcmp(member.name, "__data"))
			kcatch_suggest_offer(suggest, member.name, strlen(member.name));
		else if (depth && is_aggregate(member.type))
			offer_members(member.type, suggest, depth - 1);
	}
}

static void list_members(struct kcatch_type type, char *text, size_t room)
{
	uint32_t i, nr = kcatch_type_nr_members(type);
	struct kcatch_member member;
	size_t used = 0;

	text[0] = '\0';
	if (nr > LISTED_MAX)
		return;
	for (i = 0; i < nr && !kcatch_type_member(type, i, &member) && used + 80 < room; i++) {
		if (*member.name && strcmp(member.name, "__data"))
			used += (size_t)snprintf(text + used, room - used, "%s%.60s",
						 used ? ", " : "", member.name);
	}
}

static void offer(void *arg, const char *name)
{
	kcatch_suggest_offer(arg, name, strlen(name));
}

/* Words that are keys of a count, but no expressions. */
static const char *const key_words[] = { "caller", "function", "event", "stack", "user_stack" };

static int no_argument(struct condition *c, node *it, bool constants)
{
	bool is_key = c->wants && kcatch_expression_is(c->expression, "key");
	struct kcatch_suggest suggest;
	char near[600], list[600], fields[600];
	uint32_t i;

	if (c->info)
		return lookup_no_event(c, it);
	if (c->recorded && (!c->plan || !kcatch_plan_is_typed(c->plan)))
		return recorded_no_argument(c, it);
	if (!c->proto.id)
		return term_error(c, ENOENT, it->at,
			"this function's types are not known, so %s is not a name here; its "
			"arguments are arg0 to arg5", SHOWN(it->text));
	kcatch_suggest_init(&suggest, it->text);
	if (c->syscall)
		offer_syscall(c, &suggest, list, sizeof(list));
	else
		offer_members(c->proto, &suggest, 0);
	offer_fields(c, &suggest, fields, sizeof(fields));
	if (c->wants_call)
		syscall_offer(&suggest);
	if (constants) {
		for (i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++)
			offer(&suggest, builtins[i].name);
		offer(&suggest, "comm");
		offer(&suggest, "cgroup");
		offer(&suggest, "current");
		offer(&suggest, "ret");
		offer(&suggest, "failure");
		constant_offer_all(offer, &suggest);
		for (i = 0; i < c->nr_enums; i++)
			offer_members(c->enums[i], &suggest, 0);
		for (i = 0; is_key && i < sizeof(key_words) / sizeof(key_words[0]); i++)
			offer(&suggest, key_words[i]);
	}
	kcatch_suggest_format(&suggest, near, sizeof(near));
	if (*near)
		return term_error(c, ENOENT, it->at, "there is no %s here; did you mean %s?",
				  it->text, near);
	if (!c->syscall)
		list_members(c->proto, list, sizeof(list));
	if (*fields)
		return term_error(c, ENOENT, it->at,
				  "there is no %s here; the event's fields are %s%s%s", it->text,
				  fields, *list ? "; its arguments are " : "", list);
	if (!*list)
		return term_error(c, ENOENT, it->at, "there is no %s here%s", it->text,
				  kcatch_type_nr_members(c->proto) ? "" :
				  "; it has no arguments");
	return term_error(
		c, ENOENT, it->at, "there is no %s here; the arguments are %s%s", it->text, list,
		is_key ? "; other keys are comm, cgroup, pid, tid, cpu, uid, "
			 "ret, failure, latency, oncpu, runnable, blocked, switches, caller, "
			 "function, stack and user_stack" :
			 "");
}

int lookup_argument(struct condition *c, node *it, struct term *term)
{
	int ret;

	return find_argument(c, it, term, &ret) || lookup_field(c, it, term, &ret) ?
		       ret :
		       no_argument(c, it, false);
}

/* ---- names ----------------------------------------------------------------------- */

/* What a pair has of a call that returns. */
static bool pair_has(const struct condition *c, const char *name)
{
	return !strcmp(name, "latency") ||
	       (c->off_cpu && (!strcmp(name, "runnable") || !strcmp(name, "blocked")));
}

static int needs_return(struct condition *c, node *it)
{
	if (c->returns || (c->second && pair_has(c, it->text)))
		return 0;
	if (c->in_field)
		return term_error(c, EINVAL, it->at,
				  "%s is known when the call returns, and a field "
				  "is read when it begins",
				  it->text);
	if (c->second && c->off_cpu)
		return term_error(c, EINVAL, it->at,
				  "a time off the CPU has latency, runnable and blocked, but no %s",
				  it->text);
	if (c->second)
		return term_error(c, EINVAL, it->at, "a pair has a latency, but no %s", it->text);
	/* Of a pattern, those that have no such argument are left out. */
	if (c->tracepoint || c->info)
		return term_error(c, ENOENT, it->at, "an event does not return, so it has no %s",
				  it->text);
	if (c->recorded)
		return term_error(c, ENOENT, it->at, "%s is not in the recording: returns were not recorded; "
				  "record without --entry", it->text);
	return term_error(c, EINVAL, it->at,
			  "%s is known when the call returns, and returns are not caught",
			  it->text);
}

static const struct ir *return_half(struct condition *c, uint32_t byte, bool wide, bool is_signed)
{
	return ir_make(c, (struct ir){ .op = IR_LOAD, .wide = wide, .is_signed = is_signed,
				       .at_return = true, .item = IR_NO_ITEM,
				       .offset = offsetof(struct kcatch_condition, ret) + byte });
}

/* kcatch_errno_untyped() as operations: sign-extends an int's errno, whose upper half is 0. */
const struct ir *condition_untyped_return(struct condition *c)
{
	const struct ir *small, *zero = ir_const(c, 0, false, false);

	small = ir_truth(c, IR_ALL,
			 ir_compare(c, KCATCH_EX_EQ, return_half(c, 4, false, false), zero),
			 ir_compare(c, KCATCH_EX_GE, return_half(c, 0, false, false),
				    ir_const(c, (uint32_t)-KCATCH_ERRNO_MAX, false, false)));
	return ir_choose(c, IR_CHOOSE, small,
			 ir_convert(c, return_half(c, 0, false, true), true, true),
			 return_half(c, 0, true, true));
}

static int lookup_ret(struct condition *c, node *it, struct term *term)
{
	int ret = needs_return(c, it);

	if (ret)
		return ret;
	if (!c->proto.id) {
		term->kind = TERM_NUMBER;
		term->is_untyped = true;
		term->ir = condition_untyped_return(c);
		return term->ir ? 0 : -ENOMEM;
	}
	term->kind = TERM_PLACE;
	term->place.kind = PLACE_RETURN;
	term->type = kcatch_type_target(c->proto);
	if (kcatch_type_kind(term->type) == BTF_KIND_UNKN)
		return term_error(c, ENOENT, it->at, "the function returns nothing (void)");
	if (is_aggregate(term->type))
		return term_error(c, ENOENT, it->at, "a returned struct cannot be looked into");
	return 0;
}

static int lookup_failure(struct condition *c, node *it, struct term *term)
{
	int ret = needs_return(c, it);

	term->kind = TERM_NUMBER;
	return ret ? ret : condition_failure(c, &term->ir);
}

static int lookup_builtin(struct condition *c, node *it, const struct builtin *builtin,
			  struct term *term)
{
	int ret = builtin->at_return ? needs_return(c, it) : 0;

	if (ret)
		return ret;
	if (c->recorded && !strncmp(builtin->name, "arg", 3))
		return recorded_register(c, it, (unsigned int)(builtin->name[3] - '0'), term);
	if (c->recorded && !strcmp(builtin->name, "uid"))
		return term_error(c, EINVAL, it->at, "the user is not in a recording; give this condition "
				  "when recording");
	term->kind = TERM_NUMBER;
	term->ir = ir_make(c, (struct ir){ .op = IR_LOAD, .wide = builtin->wide,
					   .is_signed = builtin->is_signed,
					   .at_return = builtin->at_return, .item = IR_NO_ITEM,
					   .offset = builtin->offset });
	if (!strncmp(builtin->name, "arg", 3)) {	/* a cast can make it a pointer */
		term->chain = chain_link(c, NULL, LINK_ARG,
					 (uint8_t)(builtin->name[3] - '0'), 0, 0);
		if (!term->chain)
			return -ENOMEM;
	}
	return term->ir ? 0 : -ENOMEM;
}

/* The thread that makes the call, named as in the kernel's code. */
static int lookup_current(struct condition *c, node *it, struct term *term)
{
	struct kcatch_type task;

	if (c->recorded && !c->in_field)
		return term_error(c, EINVAL, it->at, "a recording has only current->comm, ->pid and ->tgid "
				  "of the thread");
	if (!c->types || kcatch_types_struct(c->types, "struct task_struct", &task))
		return term_error(c, EINVAL, it->at, "the kernel's types are not known here, so "
				  "current has no members; pid, tid, uid and comm work");
	term->kind = TERM_POINTER;
	term->type = task;
	term->chain = chain_link(c, NULL, c->recorded ? RECORDED_TASK : LINK_TASK, 0, 0, 0);
	return term->chain ? 0 : -ENOMEM;
}

static int constant(struct condition *c, int64_t value, bool is_signed, struct term *term)
{
	bool wide = is_signed ? value != (int32_t)value : (uint64_t)value > UINT32_MAX;

	/* In C, an enumerator that fits an int is an int. */
	if (!is_signed && (uint64_t)value <= INT32_MAX)
		is_signed = true;
	term->kind = TERM_NUMBER;
	term->ir = ir_const(c, (uint64_t)value, wide, is_signed);
	return term->ir ? 0 : -ENOMEM;
}

/* GFP_ATOMIC, __GFP_ZERO */
static bool find_gfp(struct condition *c, const char *name, int64_t *value)
{
	const struct kcatch_constants *names;
	struct kcatch_type type;

	if ((strncmp(name, "GFP_", 4) && strncmp(name, "__GFP_", 6)) || !c->types ||
	    kcatch_types_struct(c->types, "gfp_t", &type))
		return false;
	names = kcatch_gfp_names(type);
	return names && kcatch_constants_number(names, name, value);
}

/* Names that come before those of arguments. */
static bool is_of_language(const char *name)
{
	static const char *const others[] = { "ret", "failure", "comm", "cgroup", "current" };
	size_t i;

	for (i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++)
		if (!strcmp(builtins[i].name, name))
			return true;
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(others[i], name))
			return true;
	return false;
}

int lookup_name(struct condition *c, node *it, struct term *term)
{
	struct kcatch_member member;
	int64_t value;
	uint32_t i;
	int ret;

	if (c->wants_call && syscall_find(it->text, &value)) {
		term->is_call = true;
		return constant(c, value, true, term);
	}
	if (packet_name(c, it, term, &ret))
		return ret;
	if (c->wants_protocol && packet_protocol(it->text, &value))
		return constant(c, value, true, term);
	if (find_own_argument(c, it, term, &ret))
		return ret;
	if (is_of_language(it->text))
		note_hidden(c, it->text);
	for (i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++) {
		if (!strcmp(builtins[i].name, it->text))
			return lookup_builtin(c, it, &builtins[i], term);
	}
	if (!strcmp(it->text, "ret"))
		return lookup_ret(c, it, term);
	if (!strcmp(it->text, "failure"))
		return lookup_failure(c, it, term);
	if (!strcmp(it->text, "comm")) {
		term->kind = TERM_COMM;
		return 0;
	}
	if (!strcmp(it->text, "cgroup"))
		return cgroup_lookup(c, it, term);
	if (!strcmp(it->text, "current"))
		return lookup_current(c, it, term);
	if (lookup_field(c, it, term, &ret) || find_argument(c, it, term, &ret))
		return ret;
	if (c->recorded && recorded_name(c, it->text, term, &ret))
		return ret;
	if (!strcmp(it->text, "NULL")) {
		term->kind = TERM_POINTER;
		term->ir = ir_const(c, 0, true, false);
		return term->ir ? 0 : -ENOMEM;
	}
	if (constant_find(it->text, &value) || find_gfp(c, it->text, &value))
		return constant(c, value, true, term);
	if (c->proto.id)
		note_argument_enums(c);
	for (i = 0; i < c->nr_enums; i++) {
		if (!kcatch_type_find(c->enums[i], it->text, &member))
			return constant(c, member.value, kcatch_type_is_signed(c->enums[i]), term);
	}
	if (c->wants_function && !c->info) {
		ret = condition_symbol(c, it, true, term);
		if (ret != -ENOENT)
			return ret;
	}
	if ((c->last_pass || c->in_field) && condition_enumerator(c, it->text, &member))
		return constant(c, member.value, kcatch_type_is_signed(member.type), term);
	/* Its enum may still follow: the last pass decides. Until then any number will do. */
	c->unknown_name = true;
	if (!c->last_pass && !c->in_field && c->proto.id)
		return constant(c, 1, true, term);
	return no_argument(c, it, true);
}

/* ---- members and types ----------------------------------------------------------------- */

int lookup_member(struct condition *c, node *it, struct kcatch_type type,
		  struct kcatch_member *member)
{
	struct kcatch_suggest suggest;
	char name[200], near[600], list[600];

	if (!kcatch_type_find(type, it->text, member))
		return 0;
	kcatch_type_text(type, name, sizeof(name));
	if (!kcatch_type_nr_members(type))
		return term_error(c, ENOENT, it->at,
			"the members of %s are not known here; its type may be private to another "
			"module", name);
	kcatch_suggest_init(&suggest, it->text);
	offer_members(type, &suggest, 8);
	kcatch_suggest_format(&suggest, near, sizeof(near));
	if (*near)
		return term_error(c, ENOENT, it->at, "%s has no member %s; did you mean %s?", name,
				  it->text, near);
	list_members(type, list, sizeof(list));
	return term_error(c, ENOENT, it->at, "%s has no member %s%s%s", name, it->text,
			  *list ? "; it has " : "", list);
}

/* The struct of that name to which an argument points. False: none does. */
static bool find_pointee(const struct condition *c, struct kcatch_type *type)
{
	const char *name = kcatch_type_name(*type);
	int kind = kcatch_type_kind(*type);
	uint32_t i, nr = c->proto.id ? kcatch_type_nr_members(c->proto) : 0;
	struct kcatch_member argument;
	struct kcatch_type pointee;

	for (i = 0; i < nr; i++) {
		if (kcatch_type_member(c->proto, i, &argument) ||
		    !kcatch_type_is_pointer(argument.type))
			continue;
		pointee = kcatch_type_strip(kcatch_type_target(argument.type));
		if (kcatch_type_kind(pointee) == kind && !strcmp(kcatch_type_name(pointee), name)) {
			*type = pointee;
			return true;
		}
	}
	return false;
}

int lookup_char(struct condition *c, uint32_t at, bool *is_signed)
{
	struct kcatch_type type;

	if (!c->types || kcatch_types_struct_near(c->types, c->proto, "char", &type))
		return term_error(c, EINVAL, at, "the kernel's types are not known here, nor whether its "
				  "char has a sign; write the number, and cast to (u8) or (s8)");
	*is_signed = kcatch_type_is_signed(type);
	return 0;
}

/* Types that need no BTF come first; *bits is 0 for all others. */
int lookup_type(struct condition *c, node *it, struct kcatch_type *type, unsigned int *bits,
		bool *is_signed)
{
	static const struct {
		const char *name;
		unsigned int bits;
		bool is_signed;
	} known[] = {
#define TYPE(name, bits, is_signed) { name, bits, is_signed },
		KCATCH_LANGUAGE_TYPES(TYPE)
#undef TYPE
	};
	struct kcatch_suggest suggest;
	const char *name = it->text;
	char near[600];
	size_t i;

	*type = (struct kcatch_type){ .id = 0 };
	*bits = 0;
	*is_signed = false;
	if (!strncmp(name, "__", 2) && (name[2] == 'u' || name[2] == 's'))
		name += 2;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strcmp(known[i].name, name)) {
			*bits = known[i].bits;
			*is_signed = known[i].is_signed;
			if (c->types && it->number)	/* a pointer needs its pointee's type */
				kcatch_types_struct(c->types, name, type);
			return !strcmp(name, "char") && !it->number ?
			       lookup_char(c, it->at, is_signed) : 0;
		}
	}
	if (!c->types)
		return term_error(c, EINVAL, it->at, "the kernel's types are not known here");
	if (!kcatch_types_struct_near(c->types, c->proto, it->text, type)) {
		if (!kcatch_types_has_other(*type) || find_pointee(c, type))
			return 0;
		return term_error(c, EOPNOTSUPP, it->at, "several types of the kernel are called %s, "
				  "and they differ", SHOWN(it->text));
	}
	kcatch_types_suggest(c->types, it->text, &suggest);
	kcatch_suggest_format(&suggest, near, sizeof(near));
	return term_error(c, EINVAL, it->at, "the kernel has no type %s%s%s%s", SHOWN(it->text),
			  *near ? "; did you mean " : "", near, *near ? "?" : "");
}
