/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loops all figures are about: each iteration makes exactly one call of the traced function, of
 * the loop of switches two. With vm/run --icount, nanoseconds are instructions.
 */
#ifndef BENCH_LOOP_H
#define BENCH_LOOP_H

#include <stddef.h>

struct loop {
	const char *name;
	const char *function;	/* called once an iteration */
	int (*prepare)(void);
	void (*once)(void);
	unsigned int hits;	/* an iteration */
};

extern const struct loop loops[];

/** loop_find() - by name, or NULL */
const struct loop *loop_find(const char *name);

/** loop_run() - nanoseconds an iteration, over @n of them */
double loop_run(const struct loop *loop, unsigned long n);

#endif
