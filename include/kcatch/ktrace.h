/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DO_TRACE: typed events for any kernel module.
 *
 *	#include <kcatch/ktrace.h>
 *
 *	DO_TRACE(queue_full, "queue=%s length=%u", queue->name, queue->length);
 *
 * This line declares and emits the event. It may stand in any function and run in any
 * context, including NMI. The same name may be used at many sites, in several files and
 * modules, as long as the format is the same: a site whose format differs is refused with
 * a warning in the kernel log, and emits nothing. The event appears when its module loads
 * and disappears when it unloads; kcatch(1) records it as ktrace:queue_full. The names of
 * built-in events (syscall_entry and others, see kcatch_ktrace(9)) are taken.
 *
 * While nobody records the event, the line is a patched-out jump, and its arguments are
 * not evaluated. A record holds each argument in the size of its conversion (%hhd one
 * byte, %hd two, %d four, %ld eight, ...), and the bytes of strings. The compiler checks
 * the format against the arguments; a mismatch is an error.
 *
 *	Conversions: %d %i %u %x %X %o with hh h (none) l ll z t j; %c; %p; %s. Flags,
 *	width and precision stay in the format for readers. * and a precision of %s are
 *	refused. The kernel's extensions of %p do not change the record: it holds the
 *	pointer.
 *
 * A %s is recorded by value, up to KCATCH_EVENT_TEXT_MAX bytes with the null byte; a
 * longer string ends with "...". NULL is recorded as "(null)", a pointer to unreadable
 * memory as "(bad)". A bit-field must be cast to a type.
 *
 * The module needs this header and the symbols that kcatch exports (its
 * Module.symvers: KBUILD_EXTRA_SYMBOLS), so it loads after kcatch. samples/ktrace is a
 * complete example.
 */
#ifndef _KCATCH_KTRACE_H
#define _KCATCH_KTRACE_H

#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/types.h>

#define KCATCH_TRACE_ARGS_MAX	10	/* arguments of one event */
#define KCATCH_EVENT_TEXT_MAX	256	/* bytes of one %s, with its null byte */

/**
 * struct kcatch_event_site - one DO_TRACE; the macro fills it in, kcatch owns it then
 * @key: enabled while the event is recorded
 * @magic: KCATCH_EVENT_SITE_MAGIC
 * @self: address of this struct; @magic and @self identify a site
 * @name: name of the event
 * @format: as for printf()
 * @nr_args: number of arguments, 0..KCATCH_TRACE_ARGS_MAX
 * @args: for each argument its size in bytes, or'ed with 16 if it is signed
 * @size: bytes of the payload, rounded up to a multiple of 8, if it is recorded
 *	unchanged; else KCATCH_EVENT_INEXACT
 * @event: kcatch's own, without its type, on which the checksum of kcatch_event_emit() would
 *	depend; NULL: the site was refused
 * @list: entry in the event's list of sites
 */
struct kcatch_event_site {
	struct static_key_false key;
	u64 magic;
	const struct kcatch_event_site *self;
	const char *name;
	const char *format;
	u32 nr_args;
	u8 args[KCATCH_TRACE_ARGS_MAX];
	u32 size;
	void *event;
	struct list_head list;
};

#define KCATCH_EVENT_INEXACT	(~0U)
#define KCATCH_EVENT_SITE_MAGIC	0x6b636174636845f5ULL

/**
 * kcatch_event_emit() - emit an event; called by DO_TRACE() only
 * @site: the site, whose key is enabled
 * @payload: the arguments without gaps, padded to a multiple of 8 bytes
 *
 * Context: any, including NMI. Takes no lock.
 */
void kcatch_event_emit(const struct kcatch_event_site *site, const void *payload);

/* Never called; the compiler checks the format against the arguments. */
static inline __attribute__((format(printf, 1, 2))) void kcatch_event_check(const char *format, ...)
{
}

/* The number of arguments; more than ten do not compile. */
#define __KCATCH_NTH(e, a, b, c, d, f, g, h, i, j, k, n, ...) n
#define __KCATCH_COUNT(...) \
	__KCATCH_NTH(0, ##__VA_ARGS__, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define __KCATCH_PASTE2(a, b)	a##b
#define __KCATCH_PASTE(a, b)	__KCATCH_PASTE2(a, b)

/* The type of an argument: arrays decay to pointers, and no integer is promoted. */
#define __KCATCH_TYPE(arg)	__typeof__(((void)0, (arg)))

#define __KCATCH_EACH_0(m)
#define __KCATCH_EACH_1(m, a)		m(0, a)
#define __KCATCH_EACH_2(m, a, b)	__KCATCH_EACH_1(m, a) m(1, b)
#define __KCATCH_EACH_3(m, a, b, c)	__KCATCH_EACH_2(m, a, b) m(2, c)
#define __KCATCH_EACH_4(m, a, b, c, d)	__KCATCH_EACH_3(m, a, b, c) m(3, d)
#define __KCATCH_EACH_5(m, a, b, c, d, e) \
	__KCATCH_EACH_4(m, a, b, c, d) m(4, e)
#define __KCATCH_EACH_6(m, a, b, c, d, e, f) \
	__KCATCH_EACH_5(m, a, b, c, d, e) m(5, f)
#define __KCATCH_EACH_7(m, a, b, c, d, e, f, g) \
	__KCATCH_EACH_6(m, a, b, c, d, e, f) m(6, g)
#define __KCATCH_EACH_8(m, a, b, c, d, e, f, g, h) \
	__KCATCH_EACH_7(m, a, b, c, d, e, f, g) m(7, h)
#define __KCATCH_EACH_9(m, a, b, c, d, e, f, g, h, i) \
	__KCATCH_EACH_8(m, a, b, c, d, e, f, g, h) m(8, i)
#define __KCATCH_EACH_10(m, a, b, c, d, e, f, g, h, i, j) \
	__KCATCH_EACH_9(m, a, b, c, d, e, f, g, h, i) m(9, j)
#define __KCATCH_EACH(m, ...) \
	__KCATCH_PASTE(__KCATCH_EACH_, __KCATCH_COUNT(__VA_ARGS__))(m, ##__VA_ARGS__)

#define __KCATCH_FIELD(n, arg)	__KCATCH_TYPE(arg) __KCATCH_PASTE(value, n);
#define __KCATCH_VALUE(n, arg)	(arg),
#define __KCATCH_DESCRIBE(n, arg) \
	sizeof(__KCATCH_TYPE(arg)) | \
	((__KCATCH_TYPE(arg))-1 < (__KCATCH_TYPE(arg))1 ? 16 : 0),

/**
 * DO_TRACE() - declare an event and emit it
 * @event_name: 1 to 63 letters, digits, _ . and -
 * @event_format: a string literal as for printf(), at most 255 bytes
 *
 * Up to ten arguments follow: integers, pointers, strings.
 *
 * Context: any, including NMI. Takes no lock.
 */
#define DO_TRACE(event_name, event_format, ...) do {					\
	static struct kcatch_event_site __kcatch_site = {				\
		.key = STATIC_KEY_FALSE_INIT,						\
		.magic = KCATCH_EVENT_SITE_MAGIC,					\
		.self = &__kcatch_site,							\
		.name = #event_name,							\
		.format = "" event_format,						\
		.nr_args = __KCATCH_COUNT(__VA_ARGS__),					\
		.args = { __KCATCH_EACH(__KCATCH_DESCRIBE, ##__VA_ARGS__) },		\
	};										\
	_Pragma("GCC diagnostic push")							\
	_Pragma("GCC diagnostic error \"-Wformat\"")					\
	_Pragma("GCC diagnostic error \"-Wformat-extra-args\"")				\
	if (0)										\
		kcatch_event_check("" event_format, ##__VA_ARGS__);			\
	_Pragma("GCC diagnostic pop")							\
	if (static_branch_unlikely(&__kcatch_site.key)) {				\
		struct __kcatch_values {						\
			__KCATCH_EACH(__KCATCH_FIELD, ##__VA_ARGS__)			\
		} __attribute__((packed));						\
		union {									\
			u64 words[(sizeof(struct __kcatch_values) + 7) / 8 ? : 1];	\
			struct __kcatch_values values;					\
		} __kcatch_payload;							\
											\
		__kcatch_payload.words[ARRAY_SIZE(__kcatch_payload.words) - 1] = 0;	\
		__kcatch_payload.values = (struct __kcatch_values) {			\
			__KCATCH_EACH(__KCATCH_VALUE, ##__VA_ARGS__)			\
		};									\
		kcatch_event_emit(&__kcatch_site, &__kcatch_payload);			\
	}										\
} while (0)

#endif
