// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack(9): prints stacks as text.
 *
 * No function takes a lock to look up names. The functions without _ddb print by printk(), which
 * may write to consoles and take their locks: process context. The _ddb functions only store
 * their lines in the log (LOGLEVEL_SCHED, as the scheduler's own messages), and a console
 * prints them later: any context, NMI too, with any lock held.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/kern_levels.h>
#include <linux/printk.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include "stack9/stack_api.h"

/* Bytes. A line of the log holds about 1 KB; few symbols are too long for it. */
#define LINE_MAX_BYTES	900
#define LEFT_OUT_BYTES	40
#define FRAME_BYTES	700
/* Maximum bytes that one print adds to a buffer. */
#define SBUF_MAX	(STACK_MAX * FRAME_BYTES)

/* Lines being built where no memory can be allocated. If all four are in use, each frame is
 * printed on a line of its own. */
static char lines[4][LINE_MAX_BYTES + LEFT_OUT_BYTES];
static unsigned long lines_taken;

static __printf(2, 3) void log_line(bool ddb, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (ddb)
		vprintk_emit(0, LOGLEVEL_SCHED, NULL, format, args);
	else
		vprintk(format, args);
	va_end(args);
}

static bool is_interrupted(const struct stack *st, int frame)
{
	return frame < 64 && st->interrupted >> frame & 1;
}

static int depth_of(const struct stack *st)
{
	return clamp(st->depth, 0, STACK_MAX);
}

static const char *print_ending(const struct stack *st)
{
	if (st->flags & STACK_CUT)
		return "... cut here, there are more";
	if (st->flags & STACK_BROKEN)
		return "... the unwinder gave up here";
	return NULL;
}

#define HOOKED	"[return hooked by another tracer]"

static bool print_is_hooked(const struct stack *st, int frame)
{
	return st->pcs[frame] == STACK_HOOKED;
}

static void print_lines(const struct stack *st, bool ddb)
{
	int i, depth = depth_of(st);

	for (i = 0; i < depth; i++) {
		if (print_is_hooked(st, i))
			log_line(ddb, KERN_INFO "#%d %s\n", i, HOOKED);
		else if (is_interrupted(st, i))
			log_line(ddb, KERN_INFO "#%d %pS\n", i, (void *)st->pcs[i]);
		else
			log_line(ddb, KERN_INFO "#%d %pB\n", i, (void *)st->pcs[i]);
	}
	if (print_ending(st))
		log_line(ddb, KERN_INFO "%s\n", print_ending(st));
}

static int frame_text(const struct stack *st, int frame, char *to, size_t size)
{
	if (print_is_hooked(st, frame))
		return snprintf(to, size, " %s", HOOKED);
	return snprintf(to, size, is_interrupted(st, frame) ? " %pS" : " %pB",
			(void *)st->pcs[frame]);
}

static void print_one_line(const struct stack *st, bool ddb, char *line)
{
	int i, length, used = 0, depth = depth_of(st);

	line[0] = '\0';
	for (i = 0; i < depth; i++) {
		length = frame_text(st, i, line + used, LINE_MAX_BYTES - used);
		if (length >= LINE_MAX_BYTES - used) {
			line[used] = '\0';
			snprintf(line + used, LEFT_OUT_BYTES, " ... and %d more", depth - i);
			log_line(ddb, KERN_INFO "%s\n", line + 1);
			return;
		}
		used += length;
	}
	log_line(ddb, KERN_INFO "%s%s%s\n", used ? line + 1 : "",
		 used && print_ending(st) ? " " : "", print_ending(st) ?: "");
}

void kcatch_stack_print(const struct stack *st)
{
	might_sleep();
	print_lines(st, false);
}
EXPORT_SYMBOL_GPL(kcatch_stack_print);

void kcatch_stack_print_ddb(const struct stack *st)
{
	print_lines(st, true);
}
EXPORT_SYMBOL_GPL(kcatch_stack_print_ddb);

void kcatch_stack_print_short(const struct stack *st)
{
	char *line;

	might_sleep();
	line = kmalloc(sizeof(lines[0]), GFP_KERNEL);
	if (line)
		print_one_line(st, false, line);
	else
		print_lines(st, false);
	kfree(line);
}
EXPORT_SYMBOL_GPL(kcatch_stack_print_short);

void kcatch_stack_print_short_ddb(const struct stack *st)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		if (test_and_set_bit_lock(i, &lines_taken))
			continue;
		print_one_line(st, true, lines[i]);
		clear_bit_unlock(i, &lines_taken);
		return;
	}
	print_lines(st, true);
}
EXPORT_SYMBOL_GPL(kcatch_stack_print_short_ddb);

void kcatch_stack_sbuf_print_ddb(struct seq_buf *sb, const struct stack *st)
{
	int i, depth = depth_of(st);

	for (i = 0; i < depth; i++) {
		if (print_is_hooked(st, i))
			seq_buf_printf(sb, "#%d %s\n", i, HOOKED);
		else if (is_interrupted(st, i))
			seq_buf_printf(sb, "#%d %pS\n", i, (void *)st->pcs[i]);
		else
			seq_buf_printf(sb, "#%d %pB\n", i, (void *)st->pcs[i]);
	}
	if (print_ending(st))
		seq_buf_printf(sb, "%s\n", print_ending(st));
}
EXPORT_SYMBOL_GPL(kcatch_stack_sbuf_print_ddb);

void kcatch_stack_sbuf_print(struct seq_buf *sb, const struct stack *st)
{
	might_sleep();
	kcatch_stack_sbuf_print_ddb(sb, st);
}
EXPORT_SYMBOL_GPL(kcatch_stack_sbuf_print);

int kcatch_stack_sbuf_print_growing(struct seq_buf *sb, const struct stack *st)
{
	size_t before = sb->len, size = sb->size;
	char *larger;

	might_sleep();
	if (before > size)	/* it had overflowed before it came here */
		return -EINVAL;
	for (;;) {
		if (sb->buffer)
			kcatch_stack_sbuf_print_ddb(sb, st);
		/* Full to the last byte counts as overflown in some kernels. */
		if (sb->buffer && sb->len < sb->size)
			return 0;
		sb->len = before;
		/* A large buffer grows by less: what one print adds fits into it. */
		size = clamp_t(size_t, size * 2, before + 1024, before + 2 * SBUF_MAX);
		larger = size > sb->size ? krealloc(sb->buffer, size, GFP_KERNEL | __GFP_NOWARN) :
					   NULL;
		if (!larger)
			return -ENOMEM;
		sb->buffer = larger;
		sb->size = size;
	}
}
EXPORT_SYMBOL_GPL(kcatch_stack_sbuf_print_growing);
