// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resolving names in the kernel, without the symbol lookup that is no longer
 * exported.
 *
 * ftrace matches names and patterns against all it can trace when a filter is
 * set, duplicates and modules included, faster than anybody can read the
 * symbol table. A filter that is set on an ops that is never registered traces
 * nothing; what matched stands in the ops' hash. Its layout is private to
 * ftrace, so it is read with care and tried at load.
 *
 * A kprobe that is registered disabled tells a symbol's address; one on data
 * is refused, after the address was looked up.
 */
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/uaccess.h>
#include <uapi/kcatch.h>
#include "deny.h"
#include "event.h"
#include "modules.h"
#include "probe.h"
#include "resolve.h"

/* What ftrace keeps privately, as far as it is read here: 6.1 and 6.12 have it
 * so, and kcatch_resolve_init() asks any other. */
struct filter_hash {
	unsigned long size_bits;
	struct hlist_head *buckets;
	unsigned long count;
};

struct filter_entry {
	struct hlist_node hlist;
	unsigned long ip;
};

/* More functions than any kernel has: a sign that we read the wrong thing. */
#define FILTER_MAX	(1U << 20)

static void never_called(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			 struct ftrace_regs *regs)
{
}

static struct ftrace_ops scratch = { .func = never_called };
static DEFINE_MUTEX(scratch_lock);
static bool can_match;

static bool peek(void *to, const void *from, size_t size)
{
	return !copy_from_kernel_nofault(to, from, size);
}

/*
 * The addresses in the scratch ops' filter, in no order. Return: how many, or
 * -errno; they are in a kvmalloc'ed *@ips.
 */
static int read_filter(unsigned long **ips)
{
	struct filter_hash hash;
	struct filter_entry entry;
	const void *at = NULL;
	unsigned long *list;
	unsigned long i, nr = 0;

	lockdep_assert_held(&scratch_lock);
	*ips = NULL;
	if (!scratch.func_hash || !peek(&at, &scratch.func_hash->filter_hash, sizeof(at)) ||
	    !peek(&hash, at, sizeof(hash)))
		return -EOPNOTSUPP;
	if (hash.size_bits > 30 || hash.count > FILTER_MAX)
		return -EOPNOTSUPP;
	if (!hash.count)
		return 0;
	list = kvmalloc_array(hash.count, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	for (i = 0; i < 1UL << hash.size_bits; i++) {
		if (!peek(&at, &hash.buckets[i].first, sizeof(at)))
			goto bad;
		for (; at; at = entry.hlist.next) {
			if (nr == hash.count || !peek(&entry, at, sizeof(entry)))
				goto bad;
			list[nr++] = entry.ip;
		}
	}
	if (nr != hash.count)
		goto bad;
	*ips = list;
	return nr;
bad:
	kvfree(list);
	return -EOPNOTSUPP;
}

static void scratch_reset(void)
{
	lockdep_assert_held(&scratch_lock);
	ftrace_set_filter(&scratch, NULL, 0, 1);
}

unsigned long kcatch_resolve_ftrace_place(unsigned long address)
{
	unsigned long *ips, place = 0;

	mutex_lock(&scratch_lock);
	if (!ftrace_set_filter_ip(&scratch, address, 0, 1)) {
		if (read_filter(&ips) == 1)
			place = ips[0];
		kvfree(ips);
	}
	scratch_reset();
	mutex_unlock(&scratch_lock);
	return place;
}

void kcatch_resolve_init(void)
{
	unsigned long known = (unsigned long)&kthread_stop;

	can_match = kcatch_resolve_ftrace_place(known) - known < 16;
	if (!can_match)
		pr_info("kcatch: cannot match names in this kernel, user space does it\n");
}

bool kcatch_resolve_can_match(void)
{
	return can_match;
}

/* A pre-handler that is never reached: such a probe is never armed. */
static int no_handler(struct kprobe *kprobe, struct pt_regs *regs)
{
	return 0;
}

/* Address of @name (where not NULL) or check of @address. Return: 0 when a
 * kprobe can stand there, or why not; *@address is set whenever it is known. */
static int kprobe_place(const char *name, unsigned long *address)
{
	struct kprobe kprobe = { .flags = KPROBE_FLAG_DISABLED, .pre_handler = no_handler };
	int error;

	if (name)
		kprobe.symbol_name = name;
	else
		kprobe.addr = (void *)*address;
	error = register_kprobe(&kprobe);
	*address = (unsigned long)kprobe.addr;
	if (!error)
		unregister_kprobe(&kprobe);
	return error;
}

void kcatch_resolve_name(struct kcatch_symbol *symbol)
{
	char *text = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL), *at, *end;
	unsigned long offset = 0, size = 0;

	symbol->offset = 0;
	symbol->size = 0;
	memset(symbol->name, 0, sizeof(symbol->name));
	memset(symbol->module, 0, sizeof(symbol->module));
	if (!text)
		return;
	/* name+0xOFFSET/0xSIZE [module], or the bare address */
	sprint_symbol(text, symbol->address);
	at = strrchr(text, '+');
	if (!at || !strncmp(text, "0x", 2))
		goto out;
	*at++ = 0;
	end = strchr(at, '/');
	if (end) {
		*end++ = 0;
		if (kstrtoul(at, 0, &offset))
			goto out;
		at = strchr(end, ' ');
		if (at)
			*at++ = 0;
		if (kstrtoul(end, 0, &size))
			goto out;
		end = at && *at == '[' ? strpbrk(at, "] ") : NULL;
		if (end) {
			*end = 0;
			strscpy(symbol->module, at + 1, sizeof(symbol->module));
		}
	}
	symbol->offset = offset;
	symbol->size = size;
	strscpy(symbol->name, text, sizeof(symbol->name));
out:
	kfree(text);
}

static bool index_find(struct kcatch_resolution *resolution, unsigned long ip, u32 **place)
{
	u32 mask = resolution->index_room - 1;
	u32 i = hash_64(ip, 32) & mask;

	for (; resolution->index[i]; i = (i + 1) & mask)
		if (resolution->found[resolution->index[i] - 1].ip == ip)
			return true;
	*place = &resolution->index[i];
	return false;
}

static int grow(struct kcatch_resolution *resolution)
{
	u32 room = max(resolution->room * 2, 64U), i, *place;
	struct kcatch_resolved *found = kvmalloc_array(room, sizeof(*found), GFP_KERNEL);
	u32 *index = kvcalloc(room * 2, sizeof(*index), GFP_KERNEL);

	if (!found || !index) {
		kvfree(found);
		kvfree(index);
		return -ENOMEM;
	}
	if (resolution->nr)
		memcpy(found, resolution->found, resolution->nr * sizeof(*found));
	kvfree(resolution->found);
	kvfree(resolution->index);
	resolution->found = found;
	resolution->room = room;
	resolution->index = index;
	resolution->index_room = room * 2;
	for (i = 0; i < resolution->nr; i++)
		if (!index_find(resolution, found[i].ip, &place))
			*place = i + 1;
	return 0;
}

static int note(struct kcatch_resolution *resolution, struct kcatch_want *want,
		unsigned long ip, const struct kcatch_hook_ops *ops, bool own_tool)
{
	u32 *place;
	int error;

	if (resolution->nr == resolution->room) {
		error = grow(resolution);
		if (error)
			return error;
	}
	if (index_find(resolution, ip, &place))
		return 0;
	if (resolution->nr >= KCATCH_TARGETS_MAX)
		return -E2BIG;
	resolution->found[resolution->nr] = (struct kcatch_resolved) {
		.ip = ip, .ops = ops, .offset = want->offset, .own_tool = own_tool,
		.target = resolution->target, .entry_only = resolution->entry_only,
	};
	*place = ++resolution->nr;
	want->nr_probes++;
	return 0;
}

/* A place inside a function, or one that ftrace does not know. */
static int note_kprobe(struct kcatch_resolution *resolution, struct kcatch_want *want,
		       unsigned long address, bool own_tool)
{
	int error = kprobe_place(NULL, &address);

	/* Refused: blacklisted, or between two instructions, or not text. */
	if (error)
		return error == -ENOMEM ? error : -EADDRNOTAVAIL;
	return note(resolution, want, address, &kcatch_hook_kprobe, own_tool);
}

static struct kcatch_symbol *symbol_of(unsigned long address)
{
	struct kcatch_symbol *symbol = kzalloc(sizeof(*symbol), GFP_KERNEL);

	if (symbol) {
		symbol->address = address;
		kcatch_resolve_name(symbol);
	}
	return symbol;
}

unsigned long kcatch_resolve_symbol(const char *name)
{
	struct kcatch_symbol *symbol;
	unsigned long address = 0;

	if (kprobe_place(name, &address) == -ENOENT || !address)
		return 0;
	/* Where a function starts with ENDBR, kprobes point behind it. */
	symbol = symbol_of(address);
	if (!symbol)
		return 0;
	if (symbol->offset < 16)
		address -= symbol->offset;
	kfree(symbol);
	return address;
}

/* One function of a target. @ip: where ftrace hooks it, or 0. */
static int note_function(struct kcatch_resolution *resolution, struct kcatch_want *want,
			 unsigned long ip, unsigned long address)
{
	struct kcatch_symbol *symbol = symbol_of(ip ?: address);
	bool pattern = want->kind == KCATCH_TARGET_PATTERN, own_tool;
	unsigned long start;
	int error;

	if (!symbol)
		return -ENOMEM;
	start = (ip ?: address) - symbol->offset;
	own_tool = kcatch_is_own_tool(symbol->name);
	/* Nor where the return address does not stand at SP: an address that was
	 * given as it is may lie inside a function. */
	resolution->entry_only = kcatch_is_deadly_return(symbol->name) ||
				 (!ip && address != start);
	if (within_module(start, THIS_MODULE))
		error = -EADDRNOTAVAIL;
	else if (kcatch_is_deadly(symbol->name) || (pattern && own_tool))
		error = -EPERM;
	else if (want->offset && ip && start + want->offset == ip)
		error = note(resolution, want, ip, &kcatch_hook_ftrace, own_tool);
	else if (want->offset)
		error = want->offset < symbol->size ?
			note_kprobe(resolution, want, start + want->offset, own_tool) : -ERANGE;
	else if (ip)
		error = note(resolution, want, ip, &kcatch_hook_ftrace, own_tool);
	else
		error = note_kprobe(resolution, want, address, own_tool);
	if (pattern && (error == -EADDRNOTAVAIL || error == -EPERM)) {
		want->nr_skipped++;
		error = 0;
	}
	kfree(symbol);
	return error;
}

static int compare(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

/* Names that mean something else to ftrace's filter, or nothing at all. */
static bool plausible(const char *name, bool pattern)
{
	const char *at;

	if (!*name || *name == '!' || (*name >= '0' && *name <= '9') ||
	    strlen(name) >= KSYM_NAME_LEN)
		return false;
	for (at = name; *at; at++)
		if (*at <= ' ' || *at >= 127 || (!pattern && strchr("*?[", *at)))
			return false;
	return true;
}

static int resolve_by_match(struct kcatch_want *want, const char *module, char *name,
			    struct kcatch_resolution *resolution)
{
	unsigned long *ips = NULL;
	char *copy;
	int i, nr, error;

	copy = kstrdup(name, GFP_KERNEL);	/* the parser cuts it up */
	if (!copy)
		return -ENOMEM;
	mutex_lock(&scratch_lock);
	error = ftrace_set_filter(&scratch, copy, strlen(copy), 1);
	nr = error ? 0 : read_filter(&ips);
	scratch_reset();
	mutex_unlock(&scratch_lock);
	kfree(copy);
	if (error && error != -EINVAL)	/* -EINVAL: nothing matched */
		return error;
	if (nr < 0)
		return nr;
	sort(ips, nr, sizeof(*ips), compare, NULL);
	error = -ENOENT;
	for (i = 0; i < nr; i++) {
		if (module && !kcatch_module_has(ips[i], module))
			continue;
		error = note_function(resolution, want, ips[i], 0);
		if (error)
			break;
		cond_resched();
	}
	kvfree(ips);
	return error;
}

static int resolve_name(struct kcatch_want *want, struct kcatch_resolution *resolution)
{
	char *module = NULL, *name = want->name, *colon = strchr(name, ':');
	unsigned long address = 0, ip;
	int error = -ENOENT;

	if (colon) {
		*colon = 0;
		module = name;
		name = colon + 1;
	}
	if (!plausible(name, want->kind == KCATCH_TARGET_PATTERN) || (module && !*module)) {
		error = -EINVAL;
		goto out;
	}
	if (can_match)
		error = resolve_by_match(want, module, name, resolution);
	if (error != -ENOENT || want->kind == KCATCH_TARGET_PATTERN)
		goto out;

	/* Not a name ftrace would print: an alias, or out of its reach. */
	if (colon)
		*colon = ':';
	error = kprobe_place(want->name, &address);
	if (error == -ENOENT || !address) {
		error = -ENOENT;
		goto out;
	}
	ip = kcatch_resolve_ftrace_place(address);
	error = note_function(resolution, want, ip, address);
out:
	if (colon)
		*colon = ':';
	return error;
}

struct noting {
	struct kcatch_want *want;
	struct kcatch_resolution *resolution;
};

static int note_tracepoint(struct tracepoint *tracepoint, void *data)
{
	const struct noting *noting = data;

	return note(noting->resolution, noting->want, (unsigned long)tracepoint,
		    &kcatch_hook_tracepoint, false);
}

/* None is no error: a module may bring it. */
static int resolve_event(struct kcatch_want *want, struct kcatch_resolution *resolution)
{
	u32 id, nr = kcatch_event_count();
	int error = 0;

	mutex_lock(&kcatch_sites_lock);
	for (id = 0; !error && id < nr; id++)
		if (kcatch_event_matches(kcatch_event_of(id), want->name))
			error = note(resolution, want, (unsigned long)kcatch_event_of(id),
				     &kcatch_hook_event, false);
	mutex_unlock(&kcatch_sites_lock);
	return error;
}

/* Kernel memory alone: a process's would be another in each. */
static int resolve_watch(struct kcatch_want *want, struct kcatch_resolution *resolution)
{
	u32 size = want->offset & KCATCH_WATCH_SIZE, kind = want->offset & ~KCATCH_WATCH_SIZE;
	bool percpu = kind & KCATCH_WATCH_PERCPU;
	unsigned int cpu;
	u64 value;

	kind &= ~KCATCH_WATCH_PERCPU;
	if ((size != 1 && size != 2 && size != 4 && size != 8) || want->address & (size - 1) ||
	    (kind != KCATCH_WATCH_WRITE && kind != KCATCH_WATCH_ACCESS) ||
	    (!percpu && want->address < PAGE_OFFSET) || (percpu && want->address >= PAGE_OFFSET))
		return -EINVAL;
	for_each_possible_cpu(cpu) {
		void *at = percpu ? per_cpu_ptr((void __percpu *)want->address, cpu) :
				    (void *)want->address;

		if ((unsigned long)at < PAGE_OFFSET || !peek(&value, at, size))
			return -EADDRNOTAVAIL;
	}
	return note(resolution, want, want->address, &kcatch_hook_watch, false);
}

int kcatch_resolve(struct kcatch_want *want, struct kcatch_resolution *resolution)
{
	bool optional = want->kind & KCATCH_TARGET_OPTIONAL;
	int error;

	want->kind &= ~KCATCH_TARGET_OPTIONAL;
	switch (want->kind) {
	case KCATCH_TARGET_PATTERN:
		if (!can_match)
			return -EOPNOTSUPP;
		fallthrough;
	case KCATCH_TARGET_NAME:
		error = resolve_name(want, resolution);
		break;
	case KCATCH_TARGET_ADDRESS:
		error = note_function(resolution, want,
				      kcatch_resolve_ftrace_place(want->address), want->address);
		break;
	case KCATCH_TARGET_TRACEPOINT:
		error = kcatch_hook_tracepoint_find(want->name, note_tracepoint,
						    &(struct noting) { want, resolution });
		break;
	case KCATCH_TARGET_EVENT:
		error = resolve_event(want, resolution);
		break;
	case KCATCH_TARGET_WATCH:
		error = resolve_watch(want, resolution);
		break;
	default:
		error = -EINVAL;
	}
	if (error == -ENOENT && want->pending)
		error = 0;
	want->error = error;
	if (optional && (error == -EADDRNOTAVAIL || error == -EPERM ||
			 (error == -ENOENT && want->kind == KCATCH_TARGET_TRACEPOINT))) {
		want->nr_skipped++;
		error = 0;
	}
	/* It may be resolved again. */
	if (optional)
		want->kind |= KCATCH_TARGET_OPTIONAL;
	return error;
}

void kcatch_resolution_deinit(struct kcatch_resolution *resolution)
{
	kvfree(resolution->found);
	kvfree(resolution->index);
	memset(resolution, 0, sizeof(*resolution));
}
