/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time that calls under way are off the CPU. At each switch of tasks the slots of the calls
 * that the one task leaves and the other one goes on with are noted: when, and whether it slept.
 * What it then waited for a CPU is the scheduler's own number (sched_info.run_delay of the task, of
 * which /proc/PID/schedstat is the text); the rest of the time off the CPU it was blocked. A call
 * that was never switched out pays for one word of its slot.
 *
 * The task that is switched out is the only one that changes its list of hooked returns, and no
 * return is hooked in an NMI: so the list stands still at a switch.
 */
#ifndef _KCATCH_OFF_CPU_H
#define _KCATCH_OFF_CPU_H

#include "hit/call_parts.h"

struct task_struct;

/**
 * struct kcatch_off_cpu - where the time of a returned call went; the rest was on a CPU
 * @runnable: nanoseconds that it waited for a CPU
 * @blocked: nanoseconds that it was blocked
 * @switches: how often it was switched out; KCATCH_SWITCHES_UNKNOWN: the others are not known
 */
struct kcatch_off_cpu {
	u64 runnable;
	u64 blocked;
	u32 switches;
};

/* What struct kcatch_inflight.switches begins with: 0, or KCATCH_SWITCHES_UNKNOWN where switches
 * are not seen. */
extern u32 kcatch_off_cpu_begin;

/** kcatch_off_cpu_of() - of a call of the current task, at its return. @latency: nanoseconds of the
 * whole call, which no part exceeds. Context: as the return */
struct kcatch_off_cpu kcatch_off_cpu_of(const struct kcatch_inflight *call, u64 latency);

/** kcatch_off_cpu_put() - what a condition on the return sees. @input: its latency is filled in.
 * Context: as the return */
void kcatch_off_cpu_put(const struct kcatch_inflight *call, struct kcatch_condition_input *input);

/** kcatch_off_cpu_so_far() - of a call of any task that has not returned. @call: a copy. @now:
 * clock. @away: out: nanoseconds since it was switched out, which are in no part; 0: on a CPU.
 * Context: any */
struct kcatch_off_cpu kcatch_off_cpu_so_far(const struct kcatch_inflight *call,
					    const struct task_struct *task, u64 now, u64 *away);

/** kcatch_off_cpu_note() - of the current task, which is about to leave the CPU. @sleeps: it does
 * not want to run on. Context: any. Return: for kcatch_off_cpu_put_noted() */
u64 kcatch_off_cpu_note(bool sleeps);

/** kcatch_off_cpu_put_noted() - where the time of the current task off the CPU went, now that it
 * has come back. @is_known: there is a @note of when it left. @input: its latency is filled in.
 * Context: any */
void kcatch_off_cpu_put_noted(bool is_known, u64 note, struct kcatch_condition_input *input);

/**
 * kcatch_off_cpu_hold() - see switches, before the first call of a session is under way
 * @held: the session's: it holds already. Serialised by the caller
 *
 * If the kernel does not let us, its calls say that it is not known.
 *
 * Context: may sleep.
 */
void kcatch_off_cpu_hold(bool *held);

/** kcatch_off_cpu_release() - after the last return. @held: as above. Context: may sleep */
void kcatch_off_cpu_release(bool *held);

/** kcatch_off_cpu_exit() - after the last release. Context: may sleep */
void kcatch_off_cpu_exit(void);

#endif
