/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DO_TRACE: typed events for any kernel module.
 *
 *	#include <kcatch/ktrace.h>
 *
 *	DO_TRACE(queue_full, "queue=%s length=%u", queue->name, queue->length);
 *
 * That one line declares the event and emits it. It may stand in any function, in any
 * context (NMI too), under the same name in as many files and modules as one likes, as
 * long as the format is the same: one that differs is refused with a warning in the
 * kernel log, and emits nothing. The event appears when its module loads and goes when
 * it unloads; kcatch(1) records it as ktrace:queue_full.
 *
 * While nobody records it, it is a patched-out jump, and its arguments are not
 * evaluated. A record holds the arguments' values as the conversions of the format name
 * them (%hhd one byte, %hd two, %d four, %ld eight, ...), and the bytes of texts. The
 * format is checked by the compiler: what does not fit is an error.
 *
 *	%d %i %u %x %X %o with hh h (none) l ll z t j; %c; %p; %s. Flags, width and
 *	precision are kept for the reader; a precision of %s and * are not to be had, nor
 *	are the kernel's own extensions of %p: the pointer is recorded.
 *
 * A %s is recorded by value, up to KCATCH_EVENT_TEXT_MAX bytes with the end mark; what
 * is longer ends with "...". NULL is recorded as "(null)", a pointer to no readable
 * memory as "(bad)". A bit-field must be cast to a type.
 *
 * The module needs this header and the symbols that kcatch exports (its
 * Module.symvers: KBUILD_EXTRA_SYMBOLS), so it loads after kcatch. samples/ktrace is a
 * complete one.
 */
#ifndef _KCATCH_KTRACE_H
#define _KCATCH_KTRACE_H

#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/types.h>

#define KCATCH_TRACE_ARGS_MAX	10
#define KCATCH_EVENT_TEXT_MAX	256	/* bytes of one %s, with its end mark */

struct kcatch_event;

/**
 * struct kcatch_event_site - one DO_TRACE; filled in by the macro, kcatch's from then on
 * @key: on while the event is recorded
 * @magic: KCATCH_EVENT_SITE_MAGIC
 * @self: this struct: by both kcatch knows a site when it sees one
 * @name: of the event
 * @format: as printf()
 * @nr_args: arguments
 * @args: of each: size in bytes, with 16 when it is signed
 * @event: kcatch's; NULL: refused
 * @list: sites of the event
 * @size: bytes of the payload, rounded up to 8, when it is recorded as it is; else
 *	KCATCH_EVENT_INEXACT
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
	struct kcatch_event *event;
	struct list_head list;
};

#define KCATCH_EVENT_INEXACT	(~0U)
#define KCATCH_EVENT_SITE_MAGIC	0x6b636174636845f5ULL

/**
 * kcatch_event_emit() - of DO_TRACE
 * @site: whose key is on
 * @payload: the arguments one after the other, with zeros up to a multiple of 8
 *
 * Context: any.
 */
void kcatch_event_emit(const struct kcatch_event_site *site, const void *payload);

/* Never called: the compiler compares format and arguments. */
static inline __attribute__((format(printf, 1, 2))) void kcatch_event_check(const char *format, ...)
{
}

/* As many as there are arguments; more than ten do not compile. */
#define __KCATCH_NTH(e, a, b, c, d, f, g, h, i, j, k, n, ...) n
#define __KCATCH_COUNT(...) \
	__KCATCH_NTH(0, ##__VA_ARGS__, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define __KCATCH_PASTE2(a, b)	a##b
#define __KCATCH_PASTE(a, b)	__KCATCH_PASTE2(a, b)

/* Arrays are pointers here, and nothing is promoted. */
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
 * @event_name: of letters, digits, _ . and -, at most 63
 * @event_format: a string literal as for printf(), at most 255 bytes
 *
 * Up to ten arguments: integers, pointers, texts.
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
