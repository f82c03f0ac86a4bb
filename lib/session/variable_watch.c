/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * variable_watch.c - reports changes of a variable, by hardware watchpoints
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/kcatch.h>

#include <kcatch_kallsyms.h>
#include <kcatch_text.h>
#include "base/machine.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "condition/condition.h"
#include "condition/expression.h"
#include "ring/calls.h"
#include "session/handle.h"
#include "session/watch_condition.h"

/**
 * struct place - what is to be watched
 * @name: of the variable; "" for an address
 * @module: it must be of this; "": any
 * @offset: into it
 * @address: of the memory; of a per-CPU variable what kallsyms says
 * @next: of a per-CPU variable: where the next one begins
 * @size: bytes; 0: not said
 */
struct place {
	char name[KCATCH_NAME_LEN];
	char module[64];
	uint64_t offset;
	uint64_t address;
	uint64_t next;
	bool per_cpu;
	unsigned int size;
};

/* Decimal, or hexadecimal with 0x, and nothing behind it. */
static bool number(const char *text, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, &end, text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10);
	return !errno && !*end;
}

static int refuse_form(const char *what)
{
	return kcatch_error_set(EINVAL, "%s: give a kernel variable or an address: "
				"[MODULE:]NAME[+OFFSET][:SIZE] or 0xADDRESS[:SIZE]; try: kcatch "
				"watch panic_timeout:4", SHOWN(what));
}

/* [MODULE:]NAME[+OFFSET][:SIZE] or ADDRESS[:SIZE] */
static int parse(const char *what, struct place *place)
{
	char text[sizeof(place->name) + sizeof(place->module)], *at, *dash;
	uint64_t value;

	memset(place, 0, sizeof(*place));
	if (!*what || strlen(what) >= sizeof(place->name))
		return refuse_form(what);
	strcpy(text, what);
	at = strrchr(text, ':');
	if (at && isdigit((unsigned char)at[1])) {
		if (!number(at + 1, &value) ||
		    (value != 1 && value != 2 && value != 4 && value != 8))
			return kcatch_error_set(EINVAL, "%s: a size is 1, 2, 4 or 8 bytes",
						SHOWN(what));
		place->size = (unsigned int)value;
		*at = '\0';
	}
	/* Modules may begin with a digit: 8021q. */
	if (isdigit((unsigned char)*text) && !strchr(text, ':'))
		return number(text, &place->address) ? 0 : refuse_form(what);
	at = strchr(text, '+');
	if (at) {
		if (!number(at + 1, &place->offset))
			return refuse_form(what);
		*at = '\0';
	}
	at = strchr(text, ':');
	if (at) {
		*at = '\0';
		if (strlen(text) >= sizeof(place->module))
			return refuse_form(what);
		strcpy(place->module, text);
		for (dash = place->module; *dash; dash++)
			if (*dash == '-')	/* modprobe takes both, the kernel's name has _ */
				*dash = '_';
	}
	strcpy(place->name, at ? at + 1 : text);
	return *place->name ? 0 : refuse_form(what);
}

/* ---- the variable of a name -------------------------------------------------------- */

/**
 * struct search - looking for the variable among all symbols
 * @place: where it is noted
 * @found: variables of that name
 * @of_module: it is a module's
 * @percpu_begin, @percpu_end: the kernel's per-CPU variables
 * @image_end: the end of the kernel's image
 */
struct search {
	struct place *place;
	unsigned int found;
	bool of_module;
	uint64_t percpu_begin, percpu_end, image_end;
	bool hidden;		/* the kernel hides addresses from us */
	bool is_function;
	struct kcatch_suggest nearest;
};

static bool is_data(char type)
{
	return strchr("bBdDrRsSgGvVaA", type);
}

/* The symbols that tell where per-CPU variables are. */
static void note_bounds(struct search *search, const struct kcatch_kallsym *symbol)
{
	if (*symbol->module || symbol->name[0] != '_')
		return;
	if (!strcmp(symbol->name, "__per_cpu_start"))
		search->percpu_begin = symbol->address;
	else if (!strcmp(symbol->name, "__per_cpu_end"))
		search->percpu_end = symbol->address;
	else if (!strcmp(symbol->name, "_end"))
		search->image_end = symbol->address;
}

/*
 * Per-CPU variables are numbered from 0, and from __per_cpu_start since Linux 6.15. A module's
 * come behind the kernel's: inside the kernel's image, where no other variable of a module is.
 */
static bool is_per_cpu(const struct search *search)
{
	uint64_t address = search->place->address;

	if (address < kcatch_arch_running()->kernel)
		return true;
	if (search->percpu_begin < kcatch_arch_running()->kernel || address < search->percpu_begin)
		return false;
	return address < (search->of_module ? search->image_end : search->percpu_end);
}

static int visit(const struct kcatch_kallsym *symbol, void *arg)
{
	struct search *search = arg;
	struct place *place = search->place;

	note_bounds(search, symbol);
	if (strcmp(symbol->name, place->name)) {
		if (is_data(symbol->type))
			kcatch_suggest_offer(&search->nearest, symbol->name, symbol->length);
		return 0;
	}
	if (*place->module && strcmp(symbol->module, place->module))
		return 0;
	if (!is_data(symbol->type)) {
		search->is_function |= kcatch_kallsyms_is_function(symbol);
		return 0;
	}
	search->found++;
	search->hidden |= !symbol->address;
	search->of_module = *symbol->module;
	place->address = symbol->address;
	return 0;
}

/* The table of symbols by address leaves per-CPU variables out where they are numbered from 0. */
static int visit_next(const struct kcatch_kallsym *symbol, void *arg)
{
	struct place *place = arg;

	if (symbol->address > place->address && symbol->address < place->next)
		place->next = symbol->address;
	return 0;
}

static int find(struct place *place)
{
	struct search search = { .place = place };
	char near[512];
	int ret;

	kcatch_suggest_init(&search.nearest, place->name);
	ret = kcatch_kallsyms_read_all(visit, &search);
	if (ret)
		return ret;
	if (search.found == 1 && !search.hidden) {
		place->per_cpu = is_per_cpu(&search);
		place->next = UINT64_MAX;
		ret = place->per_cpu ? kcatch_kallsyms_read_all(visit_next, place) : 0;
		place->address += place->offset;
		return ret;
	}
	if (search.found > 1 && !search.hidden)
		return kcatch_error_set(EINVAL,
					"%u variables are called %s; watch one by its address: "
					"grep -w %s /proc/kallsyms",
					search.found, SHOWN(place->name), SHOWN(place->name));
	if (search.found)
		return kcatch_error_set(EACCES, "the kernel hides the addresses of variables %s",
					kcatch_machine_hidden_text());
	if (search.is_function)
		return kcatch_error_set(EINVAL, "%s is a function: its calls are caught by kcatch %s",
					SHOWN(place->name), SHOWN(place->name));
	if (*place->module)
		ret = kcatch_error_set(ENOENT, "no variable %s in module %s", SHOWN(place->name),
				       SHOWN(place->module));
	else
		ret = kcatch_error_set(ENOENT, "no variable %s in this kernel", SHOWN(place->name));
	kcatch_suggest_format(&search.nearest, near, sizeof(near));
	if (*near)
		kcatch_error_append("; did you mean %s?", near);
	kcatch_error_append("\n  (static variables that the compiler took apart, and local ones, have no name)");
	return ret;
}

/* How much is left of the variable, or of that at an address; 8 bytes if that is not known. */
static int find_left(struct kcatch_session *session, const struct place *place, uint64_t *left)
{
	struct kcatch_name name;
	bool other = place->per_cpu && place->next <= place->address;
	int ret = 0;

	*left = place->next - place->address;
	if (!place->per_cpu) {
		ret = kcatch_symbols_find(session->symbols, place->address, &name);
		if (ret)
			return ret;
		*left = name.symbol && name.size > name.offset ? name.size - name.offset : 8;
		other = *place->name && name.symbol && name.offset < place->offset;
	}
	if (other)
		ret = kcatch_error_set(EINVAL,
				       "%s: at %llu bytes from its beginning there is another variable",
				       SHOWN(place->name), (unsigned long long)place->offset);
	return ret;
}

/* As large as what is left of the variable, and as its address allows. */
static int choose_size(struct kcatch_session *session, struct place *place)
{
	unsigned int size = 8;
	uint64_t left;
	int ret;

	if (place->size && place->address % place->size)
		return kcatch_error_set(EINVAL, "0x%llx is no multiple of %u: the processor can only watch what is",
					(unsigned long long)place->address, place->size);
	ret = find_left(session, place, &left);
	if (ret || place->size)
		return ret;
	while (size > left || place->address % size)
		size /= 2;
	place->size = size;
	return 0;
}

/* ---- the condition ------------------------------------------------------------------ */

static int bind_condition(struct kcatch_session *session, const char *condition, uint32_t probe)
{
	struct kcatch_expression *expression = NULL;
	struct kcatch_condition_code code = { 0 };
	struct kcatch_program program = { 0 };
	struct kcatch_binding binding = { .probe = probe };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };
	const struct kcatch_type none = { .id = 0 };
	char *text = kcatch_watch_condition(condition);
	int ret = text ? kcatch_expression_parse(text, &expression) : kcatch_error_memory();

	if (!ret)
		ret = kcatch_condition_compile(expression, NULL, none, false, 0, &code);
	if (ret) {
		if (text && strcmp(text, condition))
			kcatch_error_append("\n  (arg0 stands for old, arg1 for new)");
		goto out;
	}
	program.fields = (struct kcatch_list){ .at = (uintptr_t)code.fields, .nr = code.nr_fields };
	program.entry_condition = (struct kcatch_list){ .at = (uintptr_t)code.entry,
							.nr = code.nr_entry };
	program.texts = (struct kcatch_list){ .at = (uintptr_t)code.texts, .nr = code.nr_texts };
	ret = kcatch_session_ioctl(session, KCATCH_IOC_PROGRAM, &program);
	binding.program = program.number;
	if (!ret)
		ret = kcatch_session_ioctl(session, KCATCH_IOC_BIND, &bind);
	if (ret)
		ret = kcatch_error_system(ret, "give the condition to the kcatch module");
out:
	kcatch_condition_code_deinit(&code);
	kcatch_expression_destroy(expression);
	free(text);
	return ret;
}

/* ---- arming ---------------------------------------------------------------------------- */

static int explain(const char *what, const struct place *place, int error)
{
	switch (error) {
	case -ENOSPC:
		return kcatch_error_set(
			ENOSPC,
			"%s: all debug registers of a processor are taken: it has four, and "
			"debuggers, perf and other watches use them too",
			SHOWN(what));
	case -EADDRNOTAVAIL:
		return kcatch_error_set(EADDRNOTAVAIL, "%s: there is no memory at 0x%llx",
					SHOWN(what), (unsigned long long)place->address);
	case -EINVAL:
		if (place->address < kcatch_arch_running()->kernel && !place->per_cpu)
			return kcatch_error_set(EINVAL, "%s: 0x%llx is an address of processes, not of the kernel",
						SHOWN(what), (unsigned long long)place->address);
		return kcatch_error_set(
			EINVAL,
			"%s: the kernel does not let 0x%llx be watched (or the kcatch module "
			"is too old to)",
			SHOWN(what), (unsigned long long)place->address);
	case -EPERM:
		return kcatch_error_set(EPERM, "%s: the kernel lets nobody watch its memory without "
					"CAP_SYS_ADMIN", SHOWN(what));
	case -ETIMEDOUT:
		return kcatch_error_set(ETIMEDOUT, "a CPU takes no interrupts or does not schedule, so nothing "
					"can be watched: 'kcatch stuck' names it");
	default:
		return kcatch_error_system(error, "watch that");
	}
}

static int watch(struct kcatch_session *session, const char *what, bool access,
		 const struct kcatch_request *request)
{
	struct kcatch_target target = { .kind = KCATCH_TARGET_WATCH };
	struct kcatch_add add = { .depth = request->depth, .nr_targets = 1,
				  .targets = (uintptr_t)&target };
	struct place place;
	int ret = parse(what, &place);

	if (!ret && !session->ring_size)
		ret = kcatch_error_set(EINVAL, "this session has no rings yet");
	if (!ret && request->condition)
		ret = kcatch_session_refuse_running(session);
	if (!ret && *place.name)
		ret = find(&place);
	if (!ret)
		ret = choose_size(session, &place);
	if (!ret)
		ret = kcatch_request_gate(&add, request);
	if (ret)
		return ret;
	add.flags &= ~(__u32)KCATCH_ADD_NO_STACK;
	target.address = place.address;
	target.offset = place.size | (place.per_cpu ? KCATCH_WATCH_PERCPU : 0) |
			(access ? KCATCH_WATCH_ACCESS : KCATCH_WATCH_WRITE);
	ret = kcatch_session_ioctl(session, KCATCH_IOC_ADD, &add);
	if (ret)
		return explain(what, &place, ret);
	ret = kcatch_session_grow(session, (size_t)add.first_probe + 1);
	if (!ret && *place.name) {
		session->slots[add.first_probe]->asked = strdup(place.name);
		if (!session->slots[add.first_probe]->asked)
			ret = kcatch_error_memory();
	}
	if (!ret && request->condition)
		ret = bind_condition(session, request->condition, add.first_probe);
	if (ret)
		session->armed.broken = true;
	return ret;
}

int kcatch_session_watch(struct kcatch_session *session, const char *what, bool access,
			 const struct kcatch_request *request)
{
	struct kcatch_request own;
	int ret = kcatch_request_copy(&own, request);

	return ret ? ret : watch(session, what, access, &own);
}

int kcatch_session_watch_hit(struct kcatch_session *session, struct kcatch_watch_hit *hit)
{
	const struct kcatch_hit *record = session->view.hit;
	const struct kcatch_call_part *part = record ? kcatch_call_part(record) : NULL;
	struct kcatch_watch_data data;
	struct kcatch_name name;
	int ret;

	memset(hit, 0, sizeof(*hit));
	if (!part || part->size[0] != sizeof(data))
		return kcatch_error_set(ENODATA, "this event is of no watchpoint");
	memcpy(&data, part->data, sizeof(data));
	/* The instruction lies before the address; that may be another function's first. */
	ret = kcatch_symbols_find(session->symbols, data.ip - 1, &name);
	if (ret)
		return ret;
	hit->old_value = data.old;
	hit->new_value = data.now;
	hit->address = data.address;
	hit->size = (uint32_t)data.size;
	hit->access = data.kind & KCATCH_WATCH_ACCESS;
	hit->by.address = data.ip;
	hit->by.symbol = name.symbol;
	hit->by.module = name.module;
	hit->by.offset = name.symbol ? name.offset + 1 : 0;
	return 0;
}
