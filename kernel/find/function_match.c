// SPDX-License-Identifier: GPL-2.0-only
/*
 * Matches patterns against the names of functions; see function_match.h. Process context;
 * all_lock. Memory: 9 bytes a function that matched; once all functions were asked for, 9 bytes
 * for each until the module is unloaded.
 *
 * A function that ftrace can hook begins with an instruction that does nothing or calls a
 * trampoline, behind a mark of branches' targets if it has one. Others may begin so: ftrace is
 * asked about those that do.
 */
#include <linux/glob.h>
#include <linux/kallsyms.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "core/ftrace_match.h"
#include "core/module_names.h"
#include "core/modules.h"
#include "core/robust.h"
#include "core/text.h"
#include "find/deny.h"
#include "find/function_match.h"
#include "find/symbol_table.h"

/* First room for matches; doubled each time. */
#define FIRST_ROOM	64U

static bool can_match;
static bool with_mark;	/* functions whose address is taken begin with it */

static DEFINE_MUTEX(all_lock);

/* All functions, as they were when they were last asked for. */
static struct {
	unsigned long *ips;
	u8 *kinds;
	u32 nr;
	u32 changes;	/* of modules, by then */
} all;			/* all_lock */

/* Functions that match. */
struct matches {
	const char *module;
	const char *pattern;
	unsigned long *ips;
	u8 *kinds;
	u32 nr;
	u32 room;
};

/* May ftrace hook a function? Then *@address becomes the place. */
static enum kcatch_site_kind functions_site_of(unsigned long *address)
{
	u8 code[KCATCH_MARK_SIZE + KCATCH_SITE_SIZE];
	bool longer = with_mark && !copy_from_kernel_nofault(code, (void *)*address, sizeof(code));
	enum kcatch_site_kind site;

	/* The last function of a page may be as short as its site. */
	if (!longer && copy_from_kernel_nofault(code, (void *)*address, KCATCH_SITE_SIZE))
		return KCATCH_SITE_NONE;
	site = kcatch_site_by(code, *address);
	if (!site && longer) {
		site = kcatch_site_by(code + KCATCH_MARK_SIZE, *address + KCATCH_MARK_SIZE);
		*address += KCATCH_MARK_SIZE;
	}
	return site;
}

void kcatch_function_match_init(void)
{
	unsigned long begin = (unsigned long)&kthread_stop, place = kcatch_ftrace_place(begin);

	/* They share a byte. */
	BUILD_BUG_ON(KCATCH_FTRACE_DOUBTFUL & KCATCH_NAME_KINDS);
	kcatch_robust_add(&all_lock);
	with_mark = place == begin + KCATCH_MARK_SIZE;
	can_match = kcatch_ftrace_can_match() && kcatch_symbol_table_exact() &&
		    functions_site_of(&begin) && begin == place;
}

bool kcatch_function_can_match(void)
{
	return can_match;
}

void kcatch_function_match_exit(void)
{
	kvfree(all.ips);
	kvfree(all.kinds);
	all.ips = NULL;
	all.kinds = NULL;
}

static bool functions_make_room(struct matches *matches)
{
	u32 room = max(matches->room * 2, FIRST_ROOM);
	unsigned long *ips = kvmalloc_array(room, sizeof(*ips), GFP_KERNEL);
	u8 *kinds = kvmalloc(room, GFP_KERNEL);

	if (!ips || !kinds) {
		kvfree(ips);
		kvfree(kinds);
		return false;
	}
	if (matches->nr) {
		memcpy(ips, matches->ips, matches->nr * sizeof(*ips));
		memcpy(kinds, matches->kinds, matches->nr);
	}
	kvfree(matches->ips);
	kvfree(matches->kinds);
	matches->ips = ips;
	matches->kinds = kinds;
	matches->room = room;
	return true;
}

static int functions_note(struct matches *matches, unsigned long place, enum kcatch_site_kind site,
			  u32 kinds)
{
	if (matches->nr == matches->room && !functions_make_room(matches))
		return -ENOMEM;
	matches->ips[matches->nr] = place;
	if (site == KCATCH_SITE_DOUBTFUL)
		kinds |= KCATCH_FTRACE_DOUBTFUL;
	matches->kinds[matches->nr++] = kinds;
	return 0;
}

static bool is_everything(const char *pattern)
{
	return !strcmp(pattern, "*");
}

static int match_kernel(struct matches *matches)
{
	char *name = kmalloc(KSYM_NAME_LEN, GFP_KERNEL);
	bool everything = is_everything(matches->pattern);
	struct kcatch_symbol_walk walk;
	unsigned long address;
	enum kcatch_site_kind site;
	int error = 0;

	if (!name)
		return -ENOMEM;
	kcatch_symbol_table_begin(&walk);
	while (!error && kcatch_symbol_table_next_code(&walk, &address)) {
		cond_resched();
		if (!everything) {
			kcatch_symbol_table_name(&walk, name, KSYM_NAME_LEN);
			if (!glob_match(matches->pattern, name))
				continue;
		}
		site = functions_site_of(&address);
		if (!site)
			continue;
		/* The first letters of the name decide for nearly all functions. */
		if (everything) {
			kcatch_symbol_table_name(&walk, name, KCATCH_NAME_BEGINNING + 1);
			if (kcatch_name_may_have_kinds(name))
				kcatch_symbol_table_name(&walk, name, KSYM_NAME_LEN);
		}
		error = functions_note(matches, address, site, kcatch_name_kinds(name));
	}
	kfree(name);
	return error;
}

static int match_module(struct module *module, void *data)
{
	u32 ours = module == THIS_MODULE ? KCATCH_NAME_OURS : 0;
	const struct kcatch_module_name *each;
	struct kcatch_module_names *names;
	struct matches *matches = data;
	unsigned long address;
	enum kcatch_site_kind site;
	int error = 0;

	if (matches->module && strcmp(matches->module, module->name))
		return 0;
	names = kcatch_module_names_read(module);
	if (!names)
		return -ENOMEM;
	for (each = names->list; !error && each < names->list + names->nr; each++) {
		const char *name = names->texts + each->name;

		cond_resched();
		address = each->address;
		if (!glob_match(matches->pattern, name))
			continue;
		site = functions_site_of(&address);
		if (site)
			error = functions_note(matches, address, site,
					       ours | kcatch_name_kinds(name));
	}
	kvfree(names);
	return error;
}

/* ---- asking for all ------------------------------------------------------- */

/* A copy in memory of its own, or NULL. */
static void *copy_of(const void *from, size_t size)
{
	void *copy = kvmalloc(size, GFP_KERNEL);

	return copy ? memcpy(copy, from, size) : NULL;
}

/* Keep what was found by asking for all. @before: changes by then */
static void keep_all(const struct matches *matches, u32 before)
{
	mutex_lock(&all_lock);
	kcatch_function_match_exit();
	all.ips = copy_of(matches->ips, matches->nr * sizeof(*matches->ips));
	all.kinds = copy_of(matches->kinds, matches->nr);
	all.nr = matches->nr;
	all.changes = before;
	if (!all.ips || !all.kinds)
		kcatch_function_match_exit();
	mutex_unlock(&all_lock);
}

/* Return: their number; 0: they are not known; -ENOMEM */
static int recall_all(unsigned long **ips, u8 **kinds)
{
	int nr = 0;

	mutex_lock(&all_lock);
	if (all.ips && all.changes == kcatch_modules_changes()) {
		*ips = copy_of(all.ips, all.nr * sizeof(**ips));
		*kinds = copy_of(all.kinds, all.nr);
		nr = all.nr;
	}
	mutex_unlock(&all_lock);
	if (nr && (!*ips || !*kinds)) {
		kvfree(*ips);
		kvfree(*kinds);
		*ips = NULL;
		*kinds = NULL;
		nr = -ENOMEM;
	}
	return nr;
}

int kcatch_function_match(const char *module, const char *pattern, unsigned long **ips,
			  u8 **kinds)
{
	struct matches matches = { .module = module, .pattern = pattern };
	bool everything = !module && is_everything(pattern);
	u32 before = kcatch_modules_changes();
	int nr, error = 0;

	*ips = NULL;
	*kinds = NULL;
	nr = everything ? recall_all(ips, kinds) : 0;
	if (nr)
		return nr;
	if (!module)
		error = match_kernel(&matches);
	if (!error)
		error = kcatch_modules_each(match_module, &matches);
	nr = error ?: kcatch_ftrace_confirm(matches.ips, matches.kinds, matches.nr);
	if (nr <= 0) {
		kvfree(matches.ips);
		kvfree(matches.kinds);
		return nr;
	}
	matches.nr = nr;
	if (everything)
		keep_all(&matches, before);
	*ips = matches.ips;
	*kinds = matches.kinds;
	return nr;
}
