/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * where.c - an expression over what was recorded
 *
 * The same language as the conditions the kernel runs, read by the same parser, but
 * worked out here over decoded values: all that was recorded can be asked for. What an
 * event does not have makes a comparison neither true nor false: not even its negation
 * lets the event through.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "condition_ir.h"
#include "error.h"
#include "expression.h"
#include "glob.h"
#include "suggest.h"
#include "where.h"

#define NAMES 64
#define PROBES (1U << 16)	/* of which it is remembered what names they have */

enum { UNKNOWN, HAS, LACKS };

enum kind { ABSENT, NUMBER, TEXT, PART };

/* What a part of the expression comes to. */
struct result {
	enum kind kind;
	bool is_signed;
	uint64_t number;
	const char *text;
	size_t length;
	const struct kcatch_value *part;	/* of a struct or a pointer to one */
};

struct where {
	struct kcatch_expression *expression;
	const char *names[NAMES];
	bool seen[NAMES];
	struct kcatch_suggest near[NAMES];	/* of arguments' names, for those not seen */
	size_t nr_names;
	uint8_t *lacks;		/* by probe and name: is it an argument? */
	size_t nr_lacks;	/* probes */
	struct report *report;
	const struct kcatch_event *event;
	char event_name[600];
	int error;
};

static struct result absent(void)
{
	return (struct result){ .kind = ABSENT };
}

static struct result number(uint64_t value, bool is_signed)
{
	return (struct result){ .kind = NUMBER, .number = value, .is_signed = is_signed };
}

static struct result text(const char *bytes, size_t length)
{
	if (!bytes)
		return absent();
	return (struct result){ .kind = TEXT, .text = bytes, .length = length };
}

static struct result of_value(const struct kcatch_value *value)
{
	struct result result = { .kind = PART, .part = value };

	if (value->fault && !value->length && !value->nr_children)
		return absent();
	switch (value->kind) {
	case KCATCH_VALUE_STRING:
	case KCATCH_VALUE_BYTES:
		return text(value->text, value->length);
	case KCATCH_VALUE_VOID:
	case KCATCH_VALUE_UNKNOWN:
		return absent();
	case KCATCH_VALUE_STRUCT:
	case KCATCH_VALUE_ARRAY:
		return result;
	default:
		result.number = value->number;
		result.is_signed = value->is_signed || value->is_error;
		return result;
	}
}

static struct result argument(struct where *where, const char *name)
{
	const struct kcatch_value *value;
	uint32_t i;

	for (i = 0; i < where->event->nr_args; i++) {
		if (kcatch_session_arg(where->report->session, i, &value))
			break;
		if (value->name && !strcmp(value->name, name))
			return of_value(value);
	}
	return absent();
}

static bool has_argument(struct where *where, size_t name)
{
	const struct kcatch_value *value;
	uint32_t i;

	for (i = 0; i < where->event->nr_args; i++) {
		if (kcatch_session_arg(where->report->session, i, &value) ||
		    (value->name && !strcmp(value->name, where->names[name])))
			return true;	/* or not known */
		if (value->name)
			kcatch_suggest_offer(&where->near[name], value->name, strlen(value->name));
	}
	return false;
}

static size_t number_of(const struct where *where, const char *name)
{
	size_t i;

	for (i = 0; i < where->nr_names; i++) {
		if (where->names[i] == name || !strcmp(where->names[i], name))
			break;
	}
	return i;
}

/* A probe's arguments are always called the same: to look for one that is none takes long. */
static uint8_t *memory_of(struct where *where, size_t name)
{
	uint32_t probe = where->event->probe;

	if (probe >= where->nr_lacks) {
		size_t nr = 2 * (size_t)probe + 64;
		uint8_t *lacks = probe < PROBES ? realloc(where->lacks, nr * NAMES) : NULL;

		if (!lacks)
			return NULL;
		memset(lacks + where->nr_lacks * NAMES, UNKNOWN, (nr - where->nr_lacks) * NAMES);
		where->lacks = lacks;
		where->nr_lacks = nr;
	}
	return &where->lacks[probe * NAMES + name];
}

static struct result own_name(struct where *where, const char *name)
{
	const struct kcatch_event *event = where->event;
	const struct kcatch_probe *probe;
	const struct kcatch_value *value;
	struct kcatch_frame frame;
	int64_t constant;

	if (!strcmp(name, "pid"))
		return number(event->pid, false);
	if (!strcmp(name, "tid"))
		return number(event->tid, false);
	if (!strcmp(name, "cpu"))
		return number(event->cpu, false);
	if (!strcmp(name, "time"))
		return number(event->time_ns, false);
	if (!strcmp(name, "comm"))
		return text(event->comm, strlen(event->comm));
	if (!strcmp(name, "event"))
		return text(report_event_name(where->report, event->probe, where->event_name,
					      sizeof(where->event_name)), strlen(where->event_name));
	if (!strcmp(name, "function")) {
		if (kcatch_session_probe(where->report->session, event->probe, &probe) || !probe->function)
			return absent();
		return text(probe->function, strlen(probe->function));
	}
	if (!strcmp(name, "caller")) {
		if (!event->nr_frames || kcatch_session_frame(where->report->session, 0, &frame) ||
		    !frame.symbol)
			return absent();
		return text(frame.symbol, strlen(frame.symbol));
	}
	if (!strcmp(name, "latency"))
		return event->returned == KCATCH_RETURN_SEEN ? number(event->latency_ns, false) : absent();
	if (!strcmp(name, "ret")) {
		if (event->returned != KCATCH_RETURN_SEEN ||
		    kcatch_session_return_value(where->report->session, &value))
			return absent();
		return of_value(value);
	}
	return constant_find(name, &constant) ? number((uint64_t)constant, true) : absent();
}

static struct result named(struct where *where, const char *name)
{
	struct result result = absent();
	uint8_t *memory = NULL;
	size_t i;

	i = number_of(where, name);
	if (i < where->nr_names && where->event->nr_args)
		memory = memory_of(where, i);
	if (!memory || *memory != LACKS)
		result = argument(where, name);
	if (memory && *memory == UNKNOWN)
		*memory = has_argument(where, i) ? HAS : LACKS;
	if (result.kind == ABSENT)
		result = own_name(where, name);
	if (i < where->nr_names && result.kind != ABSENT)
		where->seen[i] = true;
	return result;
}

/* Past the pointer, to what was fetched behind it. */
static const struct kcatch_value *target(const struct result *result)
{
	const struct kcatch_value *value = result->kind == PART ? result->part : NULL;

	if (value && value->kind == KCATCH_VALUE_POINTER)
		return value->nr_children ? &value->children[0] : NULL;
	return value;
}

static const struct kcatch_value *find_member(const struct kcatch_value *value, const char *name)
{
	const struct kcatch_value *found;
	size_t i;

	for (i = 0; i < value->nr_children; i++) {
		const struct kcatch_value *child = &value->children[i];

		if (child->name && !strcmp(child->name, name))
			return child;
		if ((!child->name || !child->name[0]) && child->kind == KCATCH_VALUE_STRUCT) {
			found = find_member(child, name);
			if (found)
				return found;
		}
	}
	return NULL;
}

static struct result member(const struct result *of, const char *name)
{
	const struct kcatch_value *value = target(of), *found;

	found = value && value->kind == KCATCH_VALUE_STRUCT ? find_member(value, name) : NULL;
	return found ? of_value(found) : absent();
}

static struct result element(const struct result *of, const struct result *index)
{
	const struct kcatch_value *value = target(of);

	if (!value || value->kind != KCATCH_VALUE_ARRAY || index->kind == ABSENT ||
	    index->number >= value->nr_children)
		return absent();
	return of_value(&value->children[index->number]);
}

static bool is_number(const struct result *result)
{
	return result->kind == NUMBER ||
	       (result->kind == PART && result->part->kind != KCATCH_VALUE_STRUCT &&
		result->part->kind != KCATCH_VALUE_ARRAY);
}

/* An enumerator's name, a path, a symbol: what a number is called. */
static struct result as_text(const struct result *result)
{
	if (result->kind == PART && result->part->text)
		return text(result->part->text, result->part->length);
	return result->kind == TEXT ? *result : absent();
}

static struct result compare_texts(const struct kcatch_expression_node *node,
				   const struct result *left, const struct result *right)
{
	struct result a = as_text(left), b = as_text(right);
	char pattern[256], subject[1024];
	bool equal;

	if (a.kind != TEXT || b.kind != TEXT)
		return absent();
	equal = a.length == b.length && !memcmp(a.text, b.text, a.length);
	switch (node->op) {
	case KCATCH_EX_EQ:
		return number(equal, true);
	case KCATCH_EX_NE:
		return number(!equal, true);
	case KCATCH_EX_MATCH:
		if (b.length >= sizeof(pattern) || a.length >= sizeof(subject))
			return absent();
		memcpy(pattern, b.text, b.length);
		pattern[b.length] = '\0';
		memcpy(subject, a.text, a.length);
		subject[a.length] = '\0';
		return number(kcatch_glob_match(pattern, subject), true);
	default:
		return absent();
	}
}

/* Of numbers as mathematics has them: -1 is less than any unsigned. */
static int compare_numbers(const struct result *left, const struct result *right)
{
	bool a = left->is_signed && (int64_t)left->number < 0;
	bool b = right->is_signed && (int64_t)right->number < 0;

	if (a != b)
		return a ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static struct result divide(enum kcatch_expression_op op, const struct result *left,
			    const struct result *right)
{
	bool is_signed = left->is_signed && right->is_signed;
	int64_t a = (int64_t)left->number, b = (int64_t)right->number;

	if (!right->number || (is_signed && b == -1))
		return !right->number ? absent() : number(op == KCATCH_EX_DIV ? -left->number : 0, true);
	if (is_signed)
		return number((uint64_t)(op == KCATCH_EX_DIV ? a / b : a % b), true);
	return number(op == KCATCH_EX_DIV ? left->number / right->number
		      : left->number % right->number, false);
}

static struct result combine(const struct kcatch_expression_node *node, const struct result *left,
			     const struct result *right)
{
	bool is_signed = left->is_signed && right->is_signed;
	uint64_t a = left->number, b = right->number;

	if (left->kind == ABSENT || right->kind == ABSENT)
		return absent();
	if (left->kind == TEXT || right->kind == TEXT)
		return compare_texts(node, left, right);
	if (!is_number(left) || !is_number(right))
		return absent();
	switch (node->op) {
	case KCATCH_EX_MUL:
		return number(a * b, is_signed);
	case KCATCH_EX_DIV:
	case KCATCH_EX_MOD:
		return divide(node->op, left, right);
	case KCATCH_EX_ADD:
		return number(a + b, is_signed);
	case KCATCH_EX_SUB:
		return number(a - b, true);
	case KCATCH_EX_SHL:
		return number(b < 64 ? a << b : 0, is_signed);
	case KCATCH_EX_SHR:
		return number(b < 64 ? a >> b : 0, is_signed);
	case KCATCH_EX_LT:
		return number(compare_numbers(left, right) < 0, true);
	case KCATCH_EX_LE:
		return number(compare_numbers(left, right) <= 0, true);
	case KCATCH_EX_GT:
		return number(compare_numbers(left, right) > 0, true);
	case KCATCH_EX_GE:
		return number(compare_numbers(left, right) >= 0, true);
	case KCATCH_EX_EQ:
		return number(a == b, true);
	case KCATCH_EX_NE:
		return number(a != b, true);
	case KCATCH_EX_AND:
		return number(a & b, is_signed);
	case KCATCH_EX_XOR:
		return number(a ^ b, is_signed);
	case KCATCH_EX_OR:
		return number(a | b, is_signed);
	default:
		return absent();
	}
}

static struct result evaluate(struct where *where, const struct kcatch_expression_node *node);

static bool is_true(const struct result *result)
{
	return result->kind == TEXT ? result->length != 0 : result->kind != ABSENT && result->number;
}

static struct result one_operand(struct where *where, const struct kcatch_expression_node *node)
{
	struct result left = evaluate(where, node->left);

	switch (node->op) {
	case KCATCH_EX_MEMBER:
	case KCATCH_EX_ARROW:
		return member(&left, node->text);
	case KCATCH_EX_DEREF: {
		const struct kcatch_value *value = left.kind == PART ? target(&left) : NULL;

		return value && value != left.part ? of_value(value) : absent();
	}
	case KCATCH_EX_NOT:
		return left.kind == ABSENT ? left : number(!is_true(&left), true);
	case KCATCH_EX_NEGATE:
		return is_number(&left) ? number(-left.number, true) : absent();
	case KCATCH_EX_INVERT:
		return is_number(&left) ? number(~left.number, left.is_signed) : absent();
	default:
		return left;
	}
}

static struct result evaluate(struct where *where, const struct kcatch_expression_node *node)
{
	struct result left, right;

	switch (node->op) {
	case KCATCH_EX_NUMBER:
		return number(node->number, node->is_signed);
	case KCATCH_EX_TEXT:
		return text(node->text, node->length);
	case KCATCH_EX_NAME:
		return named(where, node->text);
	case KCATCH_EX_ALL:
	case KCATCH_EX_ANY:
		left = evaluate(where, node->left);
		if (left.kind != ABSENT && is_true(&left) == (node->op == KCATCH_EX_ANY))
			return number(node->op == KCATCH_EX_ANY, true);
		right = evaluate(where, node->right);
		if (right.kind != ABSENT && is_true(&right) == (node->op == KCATCH_EX_ANY))
			return number(node->op == KCATCH_EX_ANY, true);
		if (left.kind == ABSENT || right.kind == ABSENT)
			return absent();
		return number(node->op == KCATCH_EX_ALL, true);
	default:
		break;
	}
	if (!node->right)
		return one_operand(where, node);
	left = evaluate(where, node->left);
	right = evaluate(where, node->right);
	return node->op == KCATCH_EX_INDEX ? element(&left, &right) : combine(node, &left, &right);
}

/* Which names it has, to tell of those that nothing ever had; and what cannot be worked out. */
static int survey(struct where *where, const struct kcatch_expression_node *node)
{
	int ret = 0;

	if (node->op == KCATCH_EX_CAST)
		return kcatch_expression_error(where->expression, EINVAL, node->at,
			"casts are not for reports: a recording has its types");
	if (node->op == KCATCH_EX_NAME && where->nr_names < NAMES &&
	    number_of(where, node->text) == where->nr_names) {
		kcatch_suggest_init(&where->near[where->nr_names], node->text);
		where->names[where->nr_names++] = node->text;
	}
	if (node->left)
		ret = survey(where, node->left);
	return ret || !node->right ? ret : survey(where, node->right);
}

int where_create(const char *words, struct where **result)
{
	struct where *where = calloc(1, sizeof(*where));
	int ret;

	if (!where)
		return kcatch_error_memory();
	ret = kcatch_expression_parse(words, &where->expression);
	if (!ret)
		ret = survey(where, kcatch_expression_root(where->expression));
	if (ret) {
		where_destroy(where);
		return ret;
	}
	*result = where;
	return 0;
}

void where_destroy(struct where *where)
{
	if (!where)
		return;
	kcatch_expression_destroy(where->expression);
	free(where->lacks);
	free(where);
}

int where_holds(struct where *where, struct report *report, const struct kcatch_event *event)
{
	struct result result;

	where->report = report;
	where->event = event;
	result = evaluate(where, kcatch_expression_root(where->expression));
	return is_true(&result);
}

const char *where_unknown(const struct where *where)
{
	size_t i;

	for (i = 0; i < where->nr_names; i++) {
		if (!where->seen[i])
			return where->names[i];
	}
	return NULL;
}

const char *where_nearest(struct where *where, const char *name, char *text, size_t room)
{
	static const char *const own[] = { "pid", "tid", "cpu", "comm", "time", "event", "function",
					   "caller", "ret", "latency" };
	size_t number = number_of(where, name), i;

	text[0] = '\0';
	if (number == where->nr_names)
		return text;
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		kcatch_suggest_offer(&where->near[number], own[i], strlen(own[i]));
	kcatch_suggest_format(&where->near[number], text, room);
	return text;
}
