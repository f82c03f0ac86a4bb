// SPDX-License-Identifier: GPL-2.0-only
/*
 * ktrace's events: finding the places of DO_TRACE when modules come, switching them, and
 * what they call. ktrace_builtin.c has what the kernel's own places call.
 *
 * A place of DO_TRACE is found by its static key, because modules do not register their places. The
 * kernel keeps a table of each module's jump labels, with the key of each; a key of DO_TRACE is the
 * first member of a struct kcatch_event_site.
 *
 * Locks: kcatch_sites_lock protects the registry. An event and its site are never freed, so a place
 * reads them without a lock; kcatch_quiesce() waits before the site's probes are freed.
 *
 * A place may be in any context, NMI too. All else is process context and sleeps.
 * Memory: 5 KB a CPU for payloads.
 */
#include <linux/glob.h>
#include <linux/hashtable.h>
#include <linux/jump_label.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include <linux/uaccess.h>
#include <kcatch/ktrace.h>
#include "core/hook.h"
#include "core/site.h"
#include "hit/emit.h"
#include "ktrace/ktrace_builtin.h"
#include "ktrace/ktrace_event.h"
#include "ktrace/ktrace_format.h"
#include "program/fetch_memory.h"

static struct kcatch_ktrace_event *events[KCATCH_EVENTS_MAX];
static u32 nr_events;
/* By name, those of one name with the newest first. */
static DEFINE_HASHTABLE(by_name, 8);

/* One payload for each hook that can be under way on a CPU. */
struct workspace {
	u8 payload[KCATCH_LEVELS][KCATCH_PAYLOAD_MAX];
};

static struct workspace __percpu *workspaces;

static struct kcatch_ktrace_event *event_of(const struct kcatch_event_site *place)
{
	return place->event;
}

/* ---- what a place calls ------------------------------------------------ */

static u64 take_value(const u8 **from, u8 own)
{
	u32 size = own & KCATCH_EVENT_ARG_SIZE;
	u64 value = 0;

	memcpy(&value, *from, size);
	*from += size;
	if ((own & KCATCH_EVENT_ARG_SIGNED) && size < 8)
		value = sign_extend64(value, size * 8 - 1);
	return value;
}

/* A text with its end mark; return: bytes. @room: at least 8, a multiple of 8 */
static u32 event_put_text(u8 *to, u64 from, u32 room)
{
	bool ended = false;
	u32 length;

	if (!from)
		return strscpy((char *)to, "(null)", room) + 1;
	length = kcatch_read_text(to, from, room, &ended);
	if (ended) {
		to[length] = 0;
		return length + 1;
	}
	if (length < room)
		return strscpy((char *)to, "(bad)", room) + 1;
	memcpy(to + room - 4, "...", 4);
	return room;
}

/*
 * Put a payload together that is not recorded as it is. Each text leaves room for what
 * follows. @room: KCATCH_PAYLOAD_MAX, or so little that texts are not read. Return: bytes
 */
static u32 put_together(const struct kcatch_event_site *site, const u8 *from, u8 *to, u32 room)
{
	const struct kcatch_ktrace_event *event = event_of(site);
	u32 size = 0, i;

	for (i = 0; i < event->nr_args; i++) {
		u64 value = take_value(&from, site->args[i]);
		u32 rest = (event->nr_args - 1 - i) * 8;

		if (!(event->args[i] & KCATCH_EVENT_ARG_STRING)) {
			memcpy(to + size, &value, 8);
			size += event->args[i] & KCATCH_EVENT_ARG_SIZE;
		} else if (room < KCATCH_PAYLOAD_MAX) {
			memcpy(to + size, "...", 4);
			size += 4;
		} else {
			size += event_put_text(
				to + size, value,
				min(round_down(room - size - rest, 8), (u32)KCATCH_EVENT_TEXT_MAX));
		}
	}
	memset(to + size, 0, ALIGN(size, 8) - size);
	return ALIGN(size, 8);
}

/* The guard is entered first: to read a text may fault, and the fault is our own work. A hook that
 * is refused puts together only the size. */
static noinline void emit_put_together(const struct kcatch_event_site *site,
				       const void *payload, const unsigned long *frame)
{
	u64 few[KCATCH_EVENT_ARGS_MAX + 1];
	struct kcatch_guard guard;
	u32 size, room = sizeof(few);
	void *to = few;

	kcatch_guard_enter(&guard);
	if (likely(guard.level != KCATCH_LEVEL_REFUSED)) {
		to = this_cpu_ptr(workspaces)->payload[guard.level];
		room = KCATCH_PAYLOAD_MAX;
	}
	size = put_together(site, payload, to, room);
	kcatch_emit_slow(&event_of(site)->site, to, size, frame,
			 kcatch_where_pack(&guard, false));
}

void kcatch_event_emit(const struct kcatch_event_site *site, const void *payload)
{
	unsigned long size = site->size;

	if (likely((u32)size != KCATCH_EVENT_INEXACT))
		kcatch_emit_payload(&event_of(site)->site, payload, size);
	else
		emit_put_together(site, payload, __builtin_frame_address(0));
	barrier();	/* not the last call, for the frame is looked at */
}
EXPORT_SYMBOL_GPL(kcatch_event_emit);

/* ---- switching --------------------------------------------------------- */

static struct kcatch_ktrace_event *event_at(const struct kcatch_site *site)
{
	return container_of(site, struct kcatch_ktrace_event, site);
}

static int event_attach(struct list_head *batch)
{
	struct kcatch_ktrace_event *event;
	struct kcatch_event_site *place;
	struct kcatch_site *site;
	int error;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch) {
		event = event_at(site);
		error = event->builtin ? kcatch_ktrace_builtin_attach(event->builtin, site) : 0;
		if (error)
			return error;
		list_for_each_entry(place, &event->sites, list)
			static_key_enable(&place->key.key);
		site->attached = true;
	}
	return 0;
}

static void event_detach(struct list_head *batch)
{
	struct kcatch_ktrace_event *event;
	struct kcatch_event_site *place;
	struct kcatch_site *site;
	bool any = false;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch) {
		if (!site->attached)
			continue;
		event = event_at(site);
		if (event->builtin)
			kcatch_ktrace_builtin_detach(event->builtin, site);
		any = any || event->builtin;
		list_for_each_entry(place, &event->sites, list)
			static_key_disable(&place->key.key);
		site->attached = false;
	}
	/* A call may have found us and not be in our code yet. */
	if (any)
		kcatch_ktrace_builtin_synchronize();
}

static u64 event_missed(const struct kcatch_site *site)
{
	const struct kcatch_ktrace_event *event = event_at(site);

	return event->builtin ? kcatch_ktrace_builtin_missed(event->builtin) : 0;
}

static struct kcatch_site *event_site_of(unsigned long ip)
{
	return &((struct kcatch_ktrace_event *)ip)->site;
}

const struct kcatch_hook_ops kcatch_hook_event = {
	.mechanism = KCATCH_MECHANISM_EVENT,
	.payload_max = KCATCH_PAYLOAD_MAX,
	.attach = event_attach,
	.detach = event_detach,
	.missed = event_missed,
	.site = event_site_of,
};

/* ---- the registry ------------------------------------------------------ */

u32 kcatch_ktrace_event_count(void)
{
	return smp_load_acquire(&nr_events);
}

struct kcatch_ktrace_event *kcatch_ktrace_event_of(u32 id)
{
	return id < kcatch_ktrace_event_count() ? events[id] : NULL;
}

static u32 event_hash_of(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

/* The newest of a name: one whose format is not used any more is followed by another. */
static struct kcatch_ktrace_event *event_find(const char *name)
{
	struct kcatch_ktrace_event *event;

	lockdep_assert_held(&kcatch_sites_lock);
	hash_for_each_possible(by_name, event, same_hash,
			       event_hash_of(name)) if (!strcmp(event->name, name)) return event;
	return NULL;
}

static struct kcatch_ktrace_event *event_create(const char *name, const char *format)
{
	struct kcatch_ktrace_event *event;

	if (nr_events == KCATCH_EVENTS_MAX)
		return NULL;
	event = kzalloc(sizeof(*event), GFP_KERNEL);
	if (!event)
		return NULL;
	event->id = nr_events;
	INIT_LIST_HEAD(&event->sites);
	strscpy(event->name, name, sizeof(event->name));
	strscpy(event->format, format, sizeof(event->format));
	return event;
}

/* From now on it has its number. */
static void event_publish(struct kcatch_ktrace_event *event)
{
	hash_add(by_name, &event->same_hash, event_hash_of(event->name));
	events[nr_events] = event;
	smp_store_release(&nr_events, nr_events + 1);
}

/* An event is named as a file and on a command line. */
static bool event_is_name(const char *name)
{
	const char *at;

	for (at = name; *at; at++)
		if (!((*at | 32) >= 'a' && (*at | 32) <= 'z') && !(*at >= '0' && *at <= '9') &&
		    !strchr("_.-", *at))
			return false;
	return at > name && *name != '.' && *name != '-';
}

static bool take_text(char *to, const char *from, u32 room)
{
	bool ended = false;
	u32 length = kcatch_read_text((u8 *)to, (unsigned long)from, room, &ended);

	if (ended)
		to[length] = 0;
	else
		to[0] = 0;
	return ended;
}

/* Does each argument have a conversion that fits it? */
static const char *compare_args(const struct kcatch_event_site *site,
				struct kcatch_ktrace_event *event)
{
	const char *wrong = kcatch_ktrace_format_args(event->format, event->args, &event->nr_args);
	u32 i;

	if (wrong)
		return wrong;
	if (event->nr_args != site->nr_args)
		return "the numbers of conversions and arguments differ";
	event->size = 0;
	for (i = 0; i < event->nr_args; i++) {
		u32 own = site->args[i] & KCATCH_EVENT_ARG_SIZE;

		if (own != 1 && own != 2 && own != 4 && own != 8)
			return "an argument is not an integer, a pointer or a text";
		if (own != 8 && (event->args[i] & (KCATCH_EVENT_ARG_STRING |
						   KCATCH_EVENT_ARG_POINTER)))
			return "an argument is no pointer";
		event->size += event->args[i] & KCATCH_EVENT_ARG_SIZE;
	}
	return NULL;
}

static bool event_is_exact(const struct kcatch_event_site *site,
			   const struct kcatch_ktrace_event *event)
{
	u32 i;

	for (i = 0; i < event->nr_args; i++)
		if ((site->args[i] & KCATCH_EVENT_ARG_SIZE) !=
		    (event->args[i] & KCATCH_EVENT_ARG_SIZE))
			return false;
	return true;
}

/* Its name, without the quotes when it was given as a text. */
static bool take_name(const struct kcatch_event_site *site, char *name)
{
	char text[KCATCH_EVENT_NAME_LEN + 8];	/* quotes; a multiple of 8 */
	size_t length;

	BUILD_BUG_ON(sizeof(text) % 8);
	if (!take_text(text, site->name, sizeof(text)))
		return false;
	length = strlen(text);
	if (length > 2 && text[0] == '"' && text[length - 1] == '"') {
		text[length - 1] = 0;
		return strscpy(name, text + 1, KCATCH_EVENT_NAME_LEN) >= 0;
	}
	return strscpy(name, text, KCATCH_EVENT_NAME_LEN) >= 0;
}

static void add_place(struct module *module, struct kcatch_event_site *site)
{
	char name[KCATCH_EVENT_NAME_LEN], format[KCATCH_EVENT_FORMAT_LEN];
	struct kcatch_ktrace_event *event;
	const char *wrong;

	lockdep_assert_held(&kcatch_sites_lock);
	if (!take_name(site, name) || !event_is_name(name)) {
		pr_warn("kcatch: module %s: DO_TRACE left out: its name is not valid (letters, digits, _ . -, at most %d)\n",
			module->name, KCATCH_EVENT_NAME_LEN - 1);
		return;
	}
	if (!take_text(format, site->format, sizeof(format))) {
		pr_warn("kcatch: module %s: event %s left out: its format is longer than %d bytes\n",
			module->name, name, KCATCH_EVENT_FORMAT_LEN - 1);
		return;
	}
	event = event_find(name);
	if (event && strcmp(event->format, format)) {
		if (event->nr_sites) {
			pr_warn("kcatch: module %s: event %s left out: its format \"%s\" differs from \"%s\" of the same name\n",
				module->name, name, format, event->format);
			return;
		}
		event = NULL;	/* nobody uses it any more */
	}
	if (!event) {
		event = event_create(name, format);
		if (!event) {
			pr_warn("kcatch: module %s: event %s left out: %s\n", module->name, name,
				nr_events == KCATCH_EVENTS_MAX ? "too many events" : "no memory");
			return;
		}
		wrong = compare_args(site, event);
		if (wrong) {
			pr_warn("kcatch: module %s: event %s left out: format \"%s\": %s\n",
				module->name, name, format, wrong);
			kfree(event);
			return;
		}
		event_publish(event);
	} else if (site->nr_args != event->nr_args) {
		return;		/* the compiler has said so */
	}
	site->size = event_is_exact(site, event) ? ALIGN(event->size, 8) : KCATCH_EVENT_INEXACT;
	list_add_tail(&site->list, &event->sites);
	site->event = event;
	event->nr_sites++;
	if (event->site.attached)
		static_key_enable(&site->key.key);
}

/* Calls @what for each place of a module. */
static void each_place(struct module *module,
		       void (*what)(struct module *module, struct kcatch_event_site *site))
{
	struct kcatch_event_site *site, copy;
	unsigned int i;

	for (i = 0; i < module->num_jump_entries; i++) {
		BUILD_BUG_ON(offsetof(struct kcatch_event_site, key));
		site = (void *)jump_entry_key(&module->jump_entries[i]);
		if (within_module((unsigned long)site, module) &&
		    within_module((unsigned long)(site + 1) - 1, module) &&
		    !copy_from_kernel_nofault(&copy, site, sizeof(copy)) &&
		    copy.magic == KCATCH_EVENT_SITE_MAGIC && copy.self == site)
			what(module, site);
	}
}

static void place_comes(struct module *module, struct kcatch_event_site *site)
{
	/* Code that was copied jumps by the same key. */
	if (!site->event)
		add_place(module, site);
}

/*
 * The place keeps its event: a write to a parameter of the module may still run there, as the
 * kernel waits for it only when it frees the module. Events are freed later than that.
 */
static void place_goes(struct module *module, struct kcatch_event_site *site)
{
	if (!site->event || list_empty(&site->list))
		return;
	list_del_init(&site->list);
	event_of(site)->nr_sites--;
}

void kcatch_ktrace_event_module_comes(struct module *module)
{
	mutex_lock(&kcatch_sites_lock);
	each_place(module, place_comes);
	mutex_unlock(&kcatch_sites_lock);
}

void kcatch_ktrace_event_module_goes(struct module *module)
{
	mutex_lock(&kcatch_sites_lock);
	each_place(module, place_goes);
	mutex_unlock(&kcatch_sites_lock);
}

bool kcatch_ktrace_event_matches(const struct kcatch_ktrace_event *event, const char *pattern)
{
	if (strpbrk(pattern, "*?[") ? !glob_match(pattern, event->name) :
				      strcmp(pattern, event->name))
		return false;
	return event_find(event->name) == event;
}

bool kcatch_ktrace_event_occurs(const struct kcatch_ktrace_event *event)
{
	return !event->builtin || event->nr_sites;
}

void kcatch_ktrace_event_describe(struct kcatch_ktrace_event *event, struct kcatch_event_info *info)
{
	memset(info, 0, sizeof(*info));
	mutex_lock(&kcatch_sites_lock);
	info->id = event->id;
	info->nr_sites = event->nr_sites;
	info->enabled = event->site.attached;
	info->nr_args = event->nr_args;
	memcpy(info->args, event->args, sizeof(event->args));
	strscpy(info->name, event->name, sizeof(info->name));
	strscpy(info->format, event->format, sizeof(info->format));
	mutex_unlock(&kcatch_sites_lock);
}

static int add_builtin(const struct kcatch_ktrace_builtin *builtin)
{
	struct kcatch_ktrace_event *event = event_create(builtin->name, builtin->format);
	const char *wrong;
	u32 i;

	if (!event)
		return -ENOMEM;
	wrong = kcatch_ktrace_format_args(event->format, event->args, &event->nr_args);
	for (i = 0; i < event->nr_args; i++)
		event->size += event->args[i] & KCATCH_EVENT_ARG_SIZE;
	if (WARN_ON_ONCE(wrong || ALIGN(event->size, 8) != builtin->size)) {
		kfree(event);
		return -EINVAL;
	}
	event->builtin = builtin;
	event->nr_sites = kcatch_ktrace_builtin_count(builtin);
	event_publish(event);
	return 0;
}

static int add_builtins(void)
{
	const struct kcatch_ktrace_builtin *builtin;
	int error = 0;
	u32 i;

	kcatch_ktrace_builtin_init();
	for (i = 0; !error && (builtin = kcatch_ktrace_builtin_of(i)); i++)
		error = add_builtin(builtin);
	return error;
}

int kcatch_ktrace_event_init(void)
{
	int error;

	workspaces = alloc_percpu(struct workspace);
	if (!workspaces)
		return -ENOMEM;
	error = add_builtins();
	if (error)
		kcatch_ktrace_event_exit();
	return error;
}

void kcatch_ktrace_event_exit(void)
{
	/* A module that has an event uses our symbol, and sessions use us: both are gone. */
	while (nr_events)
		kfree(events[--nr_events]);
	free_percpu(workspaces);
}
