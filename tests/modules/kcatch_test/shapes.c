// SPDX-License-Identifier: GPL-2.0-only
/*
 * shapes.c - functions in known call shapes
 *
 * Each shape ends in a call of kt_c(). May run in any context, NMI too: nothing
 * here takes a lock or sleeps.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "kcatch_test.h"

int kt_a(int number);
int kt_b(int number);
int kt_c(int number);
int kt_many(int a, int b, int c, int d, int e, int f, int g, int h);
int kt_recurse(int number);
int kt_alloca(int number);
int kt_realigned(int number);
int kt_pointed(int number);
int kt_jump(int number);
int kt_blank(int number);
int kt_hidden(int number);
int kt_nokprobe(int number);

KT_FUNCTION int kt_c(int number)
{
	barrier();
	return number;
}

EXPORT_SYMBOL_GPL(kt_c);	/* kcatch_livepatch calls it */

KT_FUNCTION int kt_b(int number)
{
	return kt_c(number) + KT_STAY;
}

KT_FUNCTION int kt_a(int number)
{
	return kt_b(number) + KT_STAY;
}

/* Two of the arguments travel on the stack. */
KT_FUNCTION int kt_many(int a, int b, int c, int d, int e, int f, int g, int h)
{
	return kt_c(a + b + c + d + e + f + g + h) + KT_STAY;
}

static int shape_many(int number)
{
	return kt_many(number, 2, 3, 4, 5, 6, 7, 8) + KT_STAY;
}

/* number frames of its own above kt_c() */
KT_FUNCTION int kt_recurse(int number)
{
	int result = number <= 1 ? kt_c(number) : kt_recurse(number - 1);

	barrier();	/* or the compiler makes it a loop */
	return result;
}

/* The size of this frame is known only at run time: the unwinder needs BP. */
KT_FUNCTION int kt_alloca(int number)
{
	char *room = __builtin_alloca((number & 255) + 16);

	memset(room, number, (number & 255) + 16);
	barrier_data(room);
	return kt_c(room[number & 7]) + KT_STAY;
}

/* A realigned stack and a frame of variable size: the caller's frame is found by
 * a pointer that is saved in this one. */
KT_FUNCTION int kt_realigned(int number)
{
	char aligned[128] __aligned(64);
	char *room = __builtin_alloca((number & 255) + 16);

	memset(aligned, number, sizeof(aligned));
	memset(room, number, (number & 255) + 16);
	barrier_data(aligned);
	barrier_data(room);
	return kt_c(aligned[number & 127] + room[number & 7]) + KT_STAY;
}

KT_FUNCTION int kt_pointed(int number)
{
	return kt_c(number) + KT_STAY;
}

static int (*kt_pointer)(int number) = kt_pointed;

static int shape_pointer(int number)
{
	return READ_ONCE(kt_pointer)(number) + KT_STAY;
}

/* A tail call: kt_jump() is left by a jump, so it is not on kt_c()'s stack. */
KT_FUNCTION int kt_jump(int number)
{
	return kt_c(number);
}

static int shape_jump(int number)
{
	return kt_jump(number) + KT_STAY;
}

/* No place for ftrace in this one; a kprobe reaches it. */
KT_FUNCTION notrace int kt_blank(int number)
{
	return kt_c(number) + KT_STAY;
}

/* Neither ftrace nor a kprobe. */
KT_FUNCTION notrace int kt_hidden(int number)
{
	return kt_c(number) + KT_STAY;
}
NOKPROBE_SYMBOL(kt_hidden);

/* ftrace, and no kprobe. */
KT_FUNCTION int kt_nokprobe(int number)
{
	return kt_c(number) + KT_STAY;
}
NOKPROBE_SYMBOL(kt_nokprobe);

static int shape_twins(int number)
{
	return kt_twin_one(number) + kt_twin_two(number);
}

/* Two calls of kt_c() from one caller: the return addresses differ. */
static int shape_twice(int number)
{
	int result = kt_c(number);

	barrier();
	return result + kt_c(number + 1) + KT_STAY;
}

/* A variable for watchpoints, beside others that are not watched. */
struct kt_counter {
	u32 before, value, behind;
};
struct kt_counter kt_watched;
DEFINE_PER_CPU(u32, kt_watched_percpu);
int kt_writes(int number);
int kt_reads(int number);

KT_FUNCTION int kt_writes(int number)
{
	WRITE_ONCE(kt_watched.before, number);
	WRITE_ONCE(kt_watched.value, number);
	WRITE_ONCE(kt_watched.behind, number);
	this_cpu_write(kt_watched_percpu, number);
	return number;
}

KT_FUNCTION int kt_reads(int number)
{
	return READ_ONCE(kt_watched.value) + number;
}

static const struct kt_shape shapes[] = {
	{ "chain", kt_a },
	{ "leaf", kt_c },
	{ "many", shape_many },
	{ "recursion", kt_recurse },
	{ "alloca", kt_alloca },
	{ "realigned", kt_realigned },
	{ "pointer", shape_pointer },
	{ "jump", shape_jump },
	{ "blank", kt_blank },
	{ "hidden", kt_hidden },
	{ "nokprobe", kt_nokprobe },
	{ "twins", shape_twins },
	{ "twice", shape_twice },
	{ "writes", kt_writes },
	{ "reads", kt_reads },
};

const struct kt_shape *kt_shape_find(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(shapes); i++)
		if (!strcmp(shapes[i].name, name))
			return &shapes[i];
	return NULL;
}

KT_FUNCTION int kt_shape_call(const struct kt_call *call)
{
	return call->shape->function(call->number) + KT_STAY;
}
