/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu_turns.h - which thread has each CPU, by the sched_switch events of a recording
 *
 * A recording need not have every switch: those between other processes are filtered, some are
 * lost. A switch away from another thread than the one that had been switched to tells that there
 * was one between. Memory: 80 bytes a CPU.
 */
#ifndef REPORT_CPU_TURNS_H
#define REPORT_CPU_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPU_TURNS_COMM 64	/* bytes of a thread's name, with the end mark */

/**
 * struct cpu_turn - a thread that has a CPU
 * @known: it is known which one
 * @tid: the thread; 0: the idle task
 * @comm: its name
 * @seen_ns: when it last was seen to have the CPU
 */
struct cpu_turn {
	bool known;
	uint32_t tid;
	char comm[CPU_TURNS_COMM];
	uint64_t seen_ns;
};

/**
 * struct cpu_turns - zeroed: no CPU's thread is known
 * @of: for each CPU
 * @nr: number of entries in @of
 * @switches: number of switches
 * @wrong: how many of them were away from another thread than was known to have the CPU
 */
struct cpu_turns {
	struct cpu_turn *of;
	size_t nr;
	uint64_t switches;
	uint64_t wrong;
};

/**
 * cpu_turns_see - a thread has a CPU at this time: an event of its own was recorded there
 * @turns: the turns
 * @cpu: the CPU
 * @tid: the thread; another one than is known to have the CPU is not believed
 * @time_ns: the time
 */
void cpu_turns_see(struct cpu_turns *turns, uint32_t cpu, uint32_t tid, uint64_t time_ns);

/**
 * cpu_turns_switch - a CPU goes from one thread to another
 * @turns: the turns
 * @cpu: the CPU
 * @prev: the thread that has had it
 * @next: the thread that has it now
 * @comm: name of @next
 * @time_ns: the time
 * @ended: set where @prev is not known to have had it: the thread that was, until when at least
 *
 * Return: 1: @ended is set; 0; -ENOMEM with an error text.
 */
int cpu_turns_switch(struct cpu_turns *turns, uint32_t cpu, uint32_t prev, uint32_t next,
		     const char *comm, uint64_t time_ns, struct cpu_turn *ended);

/**
 * cpu_turns_deinit - free the turns
 * @turns: the turns
 */
void cpu_turns_deinit(struct cpu_turns *turns);

#endif
