/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcatch_test - a module that puts the kernel into known states
 *
 * Functions with the prefix kt_ that are called in a known shape, in a context
 * the test chooses, so that a test can assert the exact stack. A write to
 * /proc/kcatch_test is one order, and it returns when the order is done:
 *
 *   CONTEXT SHAPE [NUMBER]   call SHAPE in CONTEXT (contexts.c, shapes.c)
 *   hammer NUMBER            call kt_hammered() NUMBER times on each online CPU
 *                            in a thread, and from interrupts on top (hammer.c)
 *   nest NUMBER              call kt_nest() and kt_leaf(), together about NUMBER
 *                            times on each of two CPUs (returns.c)
 *   late NUMBER              begin a call of kt_late(), which lasts until the order
 *                            "late 0"; this order is done when it is inside
 *   die NUMBER               so many threads that end inside kt_dies()
 *   warn NUMBER              NUMBER calls of kt_before_fault(), a WARN(), NUMBER calls of
 *                            kt_after_fault() (faults.c)
 *   oops NUMBER              the same with a null pointer followed in a thread
 *   panic NUMBER             the calls before, and the end
 *
 * A read gives `name value` lines: what the module itself counted.
 */
#ifndef KCATCH_TEST_H
#define KCATCH_TEST_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>

/* A function that stays what the source says: never inlined, cloned, or called
 * with less than a call instruction because the compiler looked inside. */
#define KT_FUNCTION __attribute__((__noipa__)) noinline

/* A caller adds to the result, or else its call would be a jump and the caller
 * would not be on the stack. */
#define KT_STAY 1

struct kt_shape {
	const char *name;
	int (*function)(int number);
};

struct kt_call {
	const struct kt_shape *shape;
	int number;
};

struct kt_context {
	const char *name;
	int (*run)(const struct kt_call *call);
};

const struct kt_shape *kt_shape_find(const char *name);
int kt_shape_call(const struct kt_call *call);
int kt_twin_one(int number);
int kt_twin_two(int number);

const struct kt_context *kt_context_find(const char *name);
int kt_contexts_init(void);
void kt_contexts_exit(void);

int kt_hammer(int calls);
void kt_hammer_nmi(void);
void kt_hammer_show(struct seq_file *file);

int kt_fault_warn(int number);
int kt_fault_oops(int number);
int kt_fault_panic(int number);
int kt_fault_before(int number);
int kt_fault_after(int number);
int kt_fault_lock(int cpu);
int kt_fault_hang(int unused);
int kt_fault_release(int unused);

int kt_returns_nest(int calls);
int kt_returns_late(int number);
int kt_returns_die(int threads);
void kt_returns_show(struct seq_file *file);
void kt_returns_exit(void);

int kt_property_init(void);
void kt_property_exit(void);

#endif
