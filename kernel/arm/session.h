/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: the probes that one user armed, and their rings. The device makes one session
 * for each open file; the text interfaces (otst, module parameters) make theirs through the
 * same functions.
 */
#ifndef _KCATCH_SESSION_H
#define _KCATCH_SESSION_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include "arm/probe.h"
#include "core/output.h"
#include "find/symbol_reader.h"

struct kcatch_count_table;
struct kcatch_pairs;
struct kcatch_want;

/**
 * struct kcatch_session - one session
 * @output: its rings and its readers
 * @wake_each: wake the reader after each record (few records, text frontends)
 * @notify: called in process context after new records; or NULL
 * @all: in kcatch_sessions, once the session is set up
 * @lock: serialises the calls on a session
 * @groups: struct kcatch_group.list
 * @running: the session runs: started and not stopped
 * @nr_groups: group numbers used so far
 * @programs: programs, indexed by number - 1; @lock
 * @nr_programs: number of entries in @programs
 * @programs_room: allocated entries of @programs
 * @tables: tables of counts, by number - 1; @lock
 * @nr_tables: entries in @tables; never removed while the session is open
 * @pairs: the table of pairs; NULL: there is none; @lock
 * @nr_probes: probe numbers used so far
 * @nr_ftrace: those of probes that ftrace hooks
 * @nr_attached: probes in place; kcatch_sites_lock
 * @was_armed: probes were in place; kcatch_sites_lock
 * @nr_ended: those of them whose group is spent, and which stay until a CPU schedules again
 * @nr_waiting: groups that may receive more probes; kcatch_sites_lock
 * @nr_unarmed: functions of modules that came, which could not be armed
 * @nr_disarmed: probes with KCATCH_PROBE_DISARMED; kcatch_sites_lock
 * @waiting: in the list of sessions searched when a module is loaded; pending.c
 * @names: symbols of functions that may be freed; freed_symbols.c, @lock, as the next three
 * @names_unknown: of modules that were there up to this time of the clock is not known any more
 *	where they were; 0: of all it is
 * @came: time of the clock at which the last module that is waited for came
 * @changed: time of the clock at which one of them last came, had run its init, or went
 * @reader: where the last SYMBOLS call of many names ended; @lock
 * @adder_changes: its groups leave out whoever reads now, by the number of the process (ktracefs.c)
 * @off_cpu: of kcatch_off_cpu_hold(); @lock
 * @counts_waiting: of kcatch_waiting_hold(); @lock
 * @replaced: slots that other ones have replaced, and which are to be freed; @lock
 * @replaced_lock: held while they are freed; @lock is taken inside
 * @setup: sizes; ring_size is 0 until kcatch_session_setup()
 * @ends_by_tracepoints: to take out what it armed waits for what is called at tracepoints
 * @ends_by_rcu: to take out what it armed takes a grace period: not only ftrace's hooks
 * @hooks_returns: a group hooks returns
 * @freezes: an event or a record freezes it
 * @ready: all rings exist, and stay until the session is destroyed
 * @nr_rings: number of CPUs with a ring
 * @cpus: entry in the CPU hotplug callbacks
 * @closing: work of kcatch_session_close()
 * @detaching: work that removes the hooks of a spent budget when a CPU schedules again
 * @to_log: just frozen, and its last records are to be logged; freeze.c
 * @nr_died: contexts that died in a hook while the session ran; death.h
 * @uuid: goes into every packet
 */
struct kcatch_session {
	struct kcatch_output output;
	bool wake_each;
	void (*notify)(struct kcatch_session *session);
	struct list_head all;
	struct mutex lock;
	struct list_head groups;
	bool running;
	u32 nr_groups;
	struct kcatch_program_code **programs;
	u32 nr_programs;
	u32 programs_room;
	struct kcatch_count_table *tables[KCATCH_TABLES_MAX];
	u32 nr_tables;
	struct kcatch_pairs *pairs;
	u32 nr_probes;
	u32 nr_ftrace;
	u32 nr_attached;
	bool was_armed;
	u32 nr_ended;
	u32 nr_waiting;
	u32 nr_unarmed;
	u32 nr_disarmed;
	struct list_head waiting;
	struct list_head names;
	u64 names_unknown;
	u64 came;
	u64 changed;
	struct kcatch_symbol_reader reader;
	bool off_cpu;
	bool counts_waiting;
	struct kcatch_returns *replaced;
	struct mutex replaced_lock;
	struct kcatch_setup setup;
	bool ends_by_tracepoints;
	bool ends_by_rcu;
	bool hooks_returns;
	bool adder_changes;
	bool freezes;
	bool ready;
	u32 nr_rings;
	struct hlist_node cpus;
	struct work_struct closing;
	struct work_struct detaching;
	bool to_log;
	atomic_t nr_died;
	u8 uuid[16];
};

/* All sessions that are set up; changed under kcatch_sites_lock; freeze.c walks it without. */
extern struct list_head kcatch_sessions;

int kcatch_session_init(void);
void kcatch_session_exit(void);

/**
 * kcatch_session_create() - create a session without rings or probes
 * @notify: see struct kcatch_session; NULL for one that is read by poll()
 * @session: result
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM
 */
int kcatch_session_create(void (*notify)(struct kcatch_session *session),
			  struct kcatch_session **session);

/**
 * kcatch_session_destroy() - remove all groups of a session and free it
 * @session: NULL is fine
 *
 * Context: may sleep. No mapping of its rings may be left.
 */
void kcatch_session_destroy(struct kcatch_session *session);

/**
 * kcatch_session_close() - kcatch_session_destroy() that leaves a session to a worker when a CPU
 * takes no interrupts, or does not schedule and a hook's end waits for that
 *
 * The session must not be used any more. The module stays until the worker is done.
 *
 * Context: may sleep, for three seconds and what kcatch_session_destroy() takes; on behalf of
 * an open file, so that the module cannot go meanwhile.
 */
void kcatch_session_close(struct kcatch_session *session);

/** kcatch_session_setup() - make the rings. Context: may sleep. Return: 0 or -errno, as the uapi
 * says */
int kcatch_session_setup(struct kcatch_session *session, const struct kcatch_setup *setup);

/**
 * kcatch_session_add() - arm a group
 * @session: set up
 * @add: as in the uapi, except for its user pointer, and with @pid in the first PID
 *	namespace; results are filled in
 * @targets: add->nr_targets of them; results are filled in
 *
 * Context: may sleep.
 * Return: 0 or -errno, as the uapi says
 */
int kcatch_session_add(struct kcatch_session *session, struct kcatch_add *add,
		       struct kcatch_want *targets);

/**
 * kcatch_session_remove() - remove a group for good
 * @session: session of the group
 * @number: number of the group
 *
 * Context: may sleep. Return: 0 or -ENOENT
 */
int kcatch_session_remove(struct kcatch_session *session, u32 number);

/**
 * kcatch_session_program() - check a program and assign its number
 * @program: as the uapi says; results are filled in
 *
 * Context: may sleep. Return: 0 or -errno, as the uapi says
 */
int kcatch_session_program(struct kcatch_session *session, struct kcatch_program *program);

/**
 * kcatch_session_bind() - bind a program to a probe, or to probes that are pending
 * @binding: as the uapi says
 * @name: for a binding by name: the name, in kernel memory
 *
 * Context: may sleep. Return: 0 or -errno, as the uapi says
 */
int kcatch_session_bind(struct kcatch_session *session, const struct kcatch_binding *binding,
			const char *name);

/**
 * kcatch_session_start() - start recording hits; thaw a session that runs
 *
 * Context: may sleep. Return: 0 or -errno; -EINVAL: before setup, or without a group;
 * -ETIMEDOUT: a CPU takes no interrupts, and the session does not run; -EINTR: killed while
 * it waited for one
 */
int kcatch_session_start(struct kcatch_session *session);

/**
 * kcatch_session_stop() - stop recording hits
 *
 * When it returns, the counters no longer change and all records are in the rings.
 *
 * Context: may sleep. Return: 0; -ETIMEDOUT: a CPU takes no interrupts, and the session
 * still runs; -EINTR: killed while it waited for one
 */
int kcatch_session_stop(struct kcatch_session *session);

/**
 * kcatch_session_ring() - a CPU's ring, once all rings have been made
 * @cpu: a possible CPU
 *
 * Context: any. Return: the ring, which stays until the session is destroyed; or NULL
 */
struct kcatch_ring *kcatch_session_ring(struct kcatch_session *session, int cpu);

/** kcatch_session_readable() - EPOLL* flags of the session for poll(). Context: any */
__poll_t kcatch_session_readable(struct kcatch_session *session);

/** kcatch_session_group() - the group with @number, or NULL; session lock held */
struct kcatch_group *kcatch_session_group(struct kcatch_session *session, u32 number);

/** kcatch_session_probe() - the probe with @number, or NULL; session lock held */
struct kcatch_probe *kcatch_session_probe(struct kcatch_session *session, u32 number);

/** kcatch_session_probe_since() - kcatch_group.since of a probe's group; session lock held */
u64 kcatch_session_probe_since(struct kcatch_session *session, u32 number);

#endif
