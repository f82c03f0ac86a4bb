/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: what one user armed, and the rings it goes to. The device makes
 * one for each open file; the text doors (otst, module parameters) make theirs
 * through the same calls.
 */
#ifndef _KCATCH_SESSION_H
#define _KCATCH_SESSION_H

#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "probe.h"
#include "ring.h"

struct kcatch_want;

/**
 * struct kcatch_session - one session
 * @ring: one a CPU; without data where the CPU has not been online
 * @wake_each: wake the reader after each record (few records, text doors)
 * @irq_work: takes a wish to wake out of the context of a hit
 * @work: what irq_work hands on to process context
 * @spent: a group's budget was spent since @work last looked
 * @budgets_spent: changes whenever that happens
 * @budgets_seen: its value when a reader last found nothing to read
 * @wait: readers in poll()
 * @notify: called from @work in process context after new records; or NULL
 * @all: in kcatch_sessions
 * @lock: serialises the calls on a session
 * @ring_lock: serialises making rings; inside it nothing else is taken
 * @groups: struct kcatch_group.list
 * @running: between start and stop
 * @nr_groups: numbers used
 * @programs: by number - 1; @lock
 * @nr_programs: how many
 * @programs_room: room for them
 * @nr_probes: numbers used
 * @nr_attached: probes in place; kcatch_sites_lock
 * @nr_waiting: groups that more probes may come to; kcatch_sites_lock
 * @waiting: in the list of sessions that modules look into when they come; pending.c
 * @names: of functions that may be no more; names.c, @lock
 * @setup: sizes; ring_size 0 until kcatch_session_setup()
 * @ready: all rings are there and stay until the session goes
 * @nr_rings: CPUs with a ring
 * @cpus: for CPU hotplug
 * @frozen: KCATCH_FROZEN_*; freeze.c's
 * @frozen_probe: with KCATCH_FROZEN_PROBE
 * @frozen_at: the clock then
 * @to_log: frozen a moment ago, the kernel log is to be told; freeze.c's
 * @uuid: goes into every packet
 */
struct kcatch_session {
	struct kcatch_ring __percpu *ring;
	bool wake_each;
	struct irq_work irq_work;
	struct work_struct work;
	atomic_t spent;
	u32 budgets_spent;
	u32 budgets_seen;
	wait_queue_head_t wait;
	void (*notify)(struct kcatch_session *session);
	struct list_head all;
	struct mutex lock;
	struct mutex ring_lock;
	struct list_head groups;
	bool running;
	u32 nr_groups;
	struct kcatch_program_code **programs;
	u32 nr_programs;
	u32 programs_room;
	u32 nr_probes;
	u32 nr_attached;
	u32 nr_waiting;
	struct list_head waiting;
	struct list_head names;
	struct kcatch_setup setup;
	bool ready;
	u32 nr_rings;
	struct hlist_node cpus;
	u32 frozen;
	u32 frozen_probe;
	u64 frozen_at;
	bool to_log;
	u8 uuid[16];
};

/* All sessions; kcatch_sites_lock changes it, freeze.c walks it without. */
extern struct list_head kcatch_sessions;

int kcatch_session_init(void);
void kcatch_session_exit(void);

/**
 * kcatch_session_create() - a session without rings or probes
 * @notify: see struct kcatch_session; NULL for one that is read by poll()
 * @session: result
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM
 */
int kcatch_session_create(void (*notify)(struct kcatch_session *session),
			  struct kcatch_session **session);

/**
 * kcatch_session_destroy() - take everything out and free it
 * @session: NULL is fine
 *
 * Context: may sleep. No mapping of its rings may be left.
 */
void kcatch_session_destroy(struct kcatch_session *session);

/** kcatch_session_setup() - make the rings; errors as the uapi says */
int kcatch_session_setup(struct kcatch_session *session, const struct kcatch_setup *setup);

/**
 * kcatch_session_add() - arm a group
 * @session: set up
 * @add: as the uapi says, but for its user pointer, and @pid as the first pid
 *	namespace numbers it; results are filled in
 * @targets: add->nr_targets of them; results are filled in
 *
 * Context: may sleep.
 * Return: 0 or -errno, as the uapi says
 */
int kcatch_session_add(struct kcatch_session *session, struct kcatch_add *add,
		       struct kcatch_want *targets);

/**
 * kcatch_session_remove() - take a group out for good
 * @session: whose
 * @number: of the group
 *
 * Context: may sleep. Return: 0 or -ENOENT
 */
int kcatch_session_remove(struct kcatch_session *session, u32 number);

/**
 * kcatch_session_drain() - read the rings from inside the kernel
 * @session: whose rings nobody has mapped
 * @take: called for each record, CPU by CPU
 * @data: for @take
 *
 * Context: may sleep; one caller at a time.
 */
void kcatch_session_drain(struct kcatch_session *session,
			  void (*take)(const struct kcatch_record *record, void *data),
			  void *data);

/**
 * kcatch_session_program() - check a program and number it
 * @program: as the uapi says; results are filled in
 *
 * Context: may sleep. Return: 0 or -errno, as the uapi says
 */
int kcatch_session_program(struct kcatch_session *session, struct kcatch_program *program);

/**
 * kcatch_session_bind() - give a program to a probe, or to probes that are to come
 * @binding: as the uapi says
 * @name: where it is by name: the name, in kernel memory
 *
 * Return: -errno as the uapi says
 */
int kcatch_session_bind(struct kcatch_session *session, const struct kcatch_binding *binding,
			const char *name);

/** kcatch_session_start() - from now on hits count. -EINVAL before setup */
int kcatch_session_start(struct kcatch_session *session);

/**
 * kcatch_session_stop() - hits count no more
 *
 * When it returns the counters stand still and all records are in the rings.
 */
void kcatch_session_stop(struct kcatch_session *session);

/**
 * kcatch_session_wake() - tell the reader, and look after spent budgets
 * @session: whose
 * @spent: a group made its last record
 *
 * Context: any, NMI too.
 */
void kcatch_session_wake(struct kcatch_session *session, bool spent);

/**
 * kcatch_session_ring() - a CPU's ring, once all have been made
 * @cpu: possible
 *
 * Context: any; it stays until the session goes. Return: the ring, or NULL
 */
struct kcatch_ring *kcatch_session_ring(struct kcatch_session *session, int cpu);

/** kcatch_session_readable() - EPOLL* of the session. Context: any */
__poll_t kcatch_session_readable(struct kcatch_session *session);

/** kcatch_session_group() - the group of a number, or NULL; session lock held */
struct kcatch_group *kcatch_session_group(struct kcatch_session *session, u32 number);

/** kcatch_session_probe() - the probe of a number, or NULL; session lock held */
struct kcatch_probe *kcatch_session_probe(struct kcatch_session *session, u32 number);

#endif
