/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record encoder: a caught call becomes one record of a ring. Compiles in
 * user space too, as the ring does.
 */
#ifndef _KCATCH_RECORD_H
#define _KCATCH_RECORD_H

#include "ring_platform.h"

struct kcatch_ring;

/**
 * struct kcatch_stack - a stack as the walker leaves it
 * @nr: frames
 * @flags: KCATCH_STACK_*
 * @nr_interrupted: entries used of @interrupted
 * @interrupted: as in struct kcatch_hit
 * @frames: room for KCATCH_DEPTH_MAX
 */
struct kcatch_stack {
	u32 nr;
	u16 flags;
	u16 nr_interrupted;
	u8 interrupted[4];
	u64 *frames;
};

/**
 * struct kcatch_call - what is known of a caught call
 * @probe: number of the probe in its session
 * @context: KCATCH_CONTEXT_*
 * @pid: process
 * @tid: thread
 * @comm: KCATCH_COMM_LEN bytes
 * @stack: its stack
 */
struct kcatch_call {
	u32 probe;
	u16 context;
	u32 pid;
	u32 tid;
	const char *comm;
	const struct kcatch_stack *stack;
};

/** enum kcatch_record_result - what became of a record */
enum kcatch_record_result {
	KCATCH_RECORD_LOST,	/* no room; the ring counted it */
	KCATCH_RECORD_DONE,
	KCATCH_RECORD_WAKE,	/* done, and a packet is full: wake the reader */
};

/**
 * kcatch_record_call() - write one struct kcatch_hit
 * @ring: this CPU's
 * @call: what to write
 *
 * Context: any, preemption off.
 * Return: enum kcatch_record_result
 */
enum kcatch_record_result kcatch_record_call(struct kcatch_ring *ring,
					     const struct kcatch_call *call);

#endif
