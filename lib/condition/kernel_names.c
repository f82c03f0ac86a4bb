/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kernel_names.c - looks up kernel symbols and the enumerators of all enums
 *
 *	file->f_op == &ext4_file_operations    timer->function == delayed_work_timer_fn
 *	sk->__sk_common.skc_state == TCP_CLOSE_WAIT
 *
 * Both searches are slow (all of /proc/kallsyms, all types) and come last. The answers from
 * /proc/kallsyms are kept with the expression, which serves many functions.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include <kcatch_kallsyms.h>
#include "base/machine.h"
#include "base/printable.h"
#include "condition/typing.h"

struct kcatch_expression_symbol {
	struct kcatch_expression_symbol *next;
	const char *name;
	uint64_t address;	/* of the last symbol of that name */
	unsigned int count;	/* symbols of that name */
	bool is_function;	/* the last one is */
};

static int visit(const struct kcatch_kallsym *symbol, void *arg)
{
	struct kcatch_expression_symbol *known = arg;

	if (strcmp(symbol->name, known->name) != 0)
		return 0;
	known->count++;
	known->address = symbol->address;
	known->is_function = kcatch_kallsyms_is_function(symbol);
	return 0;
}

/* Count the symbols of a name. Returns 0, -ENOMEM, or -errno of reading /proc/kallsyms. */
static int find(struct condition *c, const char *name, const struct kcatch_expression_symbol **out)
{
	struct kcatch_expression_symbols *all = c->expression->symbols;
	struct kcatch_expression_symbol *known;
	int ret;

	for (known = all->first; known; known = known->next) {
		if (!strcmp(known->name, name))
			break;
	}
	*out = known;
	if (known)
		return 0;
	known = kcatch_pieces_take(&all->pieces, sizeof(*known));
	if (!known)
		return -ENOMEM;
	known->name = name;	/* belongs to the expression, which outlives it */
	ret = kcatch_kallsyms_read_all(visit, known);
	if (ret)
		return ret;
	known->next = all->first;
	all->first = known;
	*out = known;
	return 0;
}

int condition_symbol(struct condition *c, const struct kcatch_expression_node *it, bool functions,
		     struct term *term)
{
	const struct kcatch_expression_symbol *known;
	int ret;

	if (c->recorded)
		return recorded_symbol(c, it, functions, term);
	if (!c->types)
		return term_error(c, EINVAL, it->at,
				  "without types, kernel symbols cannot be compared");
	ret = find(c, it->text, &known);
	if (ret)
		return ret;
	if (!known->count || (functions && !known->is_function))
		return functions ? -ENOENT :
		       term_error(c, ENOENT, it->at, "this kernel has no symbol %s",
				  SHOWN(it->text));
	if (known->count > 1)
		return term_error(c, EINVAL, it->at, "this kernel has %u symbols called %s",
				  known->count, SHOWN(it->text));
	if (!known->address)
		return term_error(c, EINVAL, it->at, "the kernel hides its addresses %s",
				  kcatch_machine_hidden_text());
	*term = (struct term){ .kind = TERM_POINTER, .at = it->at,
			       .ir = ir_const(c, known->address, true, false) };
	return term->ir ? 0 : -ENOMEM;
}

bool condition_enumerator(struct condition *c, const char *name, struct kcatch_member *member)
{
	const char *at = name;

	/* Some enum has almost any lower-case name, but the user means an argument. */
	while (*at && !isupper((unsigned char)*at))
		at++;
	return *at && c->types && !kcatch_types_enumerator(c->types, name, member);
}
