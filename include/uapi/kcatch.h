/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The contract between the kcatch module and user space.
 *
 * Sessions
 *   One open file of /dev/kcatch is one session. Everything armed through it
 *   (probes, rings, counters) belongs to it and is gone when the last
 *   descriptor and the last mapping of a ring are closed, however that happens
 *   (a forked child inherits descriptors, not mappings). Opening needs CAP_SYS_ADMIN,
 *   or CAP_PERFMON together with CAP_SYSLOG (records hold kernel addresses),
 *   and a kernel whose lockdown level still allows tracing (EPERM otherwise).
 *
 *   The order of calls is INFO (any time), SETUP (once), ADD (as often as
 *   wanted), START, then reading, STOP, COUNTERS. START and STOP may be
 *   repeated. A call that fails changes nothing.
 *
 * Probes and groups
 *   Each ADD makes one group: a list of targets that share a gate (process,
 *   command), a stack depth and a budget. Each address the targets resolve to
 *   becomes one probe with a number of its own; numbers count up from 0 in a
 *   session and are never used twice. A target is a name, a pattern, or an
 *   address. The kernel resolves names itself, so that nobody has to read all
 *   of /proc/kallsyms first; every function of that name is taken, for names
 *   are not unique in a kernel.
 *
 * Programs: with what, and what came back
 *   A program says what to fetch at a function's entry and at its return, and
 *   which calls to record at all. PROGRAM checks one and numbers it, BIND gives it
 *   to probes; both while the session is stopped. The kernel knows no types: a
 *   program is a list of steps made from the types by who wrote it, and what
 *   it fetched is a row of items only that one can read (struct kcatch_step).
 *   Conditions are classic BPF over struct kcatch_condition (below).
 *
 *   A probe in a group with KCATCH_ADD_RETURN, at a function's entry, is told of
 *   the return as well. Without a condition on the return a call makes two
 *   records: KCATCH_RECORD_ENTRY when it begins (stack and arguments) and
 *   KCATCH_RECORD_RETURN when it ends, of the same `call`. So a call that never
 *   returns is seen all the same. With one it makes one, KCATCH_RECORD_CALL, when
 *   it ends and the condition holds. The budget is spent by the first record.
 *
 *   Calls that had begun before START are no hits. Of a hit whose return was
 *   hooked, what came of the return is counted in struct kcatch_counters.
 *
 * Counters
 *   For each probe and CPU
 *       hits = recorded + filtered + over_budget + missed + lost
 *   holds whenever the session is stopped (with a condition on the return for the sum
 *   over all CPUs alone: a call may return on another CPU than it began). Each term is counted where it
 *   happens. A hit is a call of an armed function while the session runs.
 *       recorded     a record of it is in the ring
 *       filtered     the gate (or a filter) did not want it
 *       over_budget  it came after the last of the N that were asked for
 *       missed       the hook could not look at it (it hit our own work; with a
 *                    condition on the return: its return was not seen)
 *       lost         it was wanted, and there was no room in the ring
 *   Calls that the kernel's own tracing does not pass on to anybody (a function
 *   called while ftrace or kprobes work, where another tracer's hook runs) are
 *   no hits: nobody learns of them. What a kprobe itself missed is the kernel's
 *   figure, which racing CPUs may make too small.
 *
 * Rings
 *   One ring a CPU, mapped by the reader in two pieces:
 *       KCATCH_MMAP_RING(cpu)      read only: one page struct kcatch_ring_page,
 *                                  then the data, ring_size bytes
 *       KCATCH_MMAP_CONSUMER(cpu)  read and write: one page
 *                                  struct kcatch_consumer_page
 *   Positions are byte counts that only grow; a position modulo ring_size is
 *   the place in the data. The data is a row of packets of packet_size bytes.
 *   A record never straddles two packets. All below `produced` is complete:
 *   the reader loads it with acquire, reads, and stores `consumed` with
 *   release. A consumed position that goes backwards or past produced is
 *   ignored by the kernel.
 *
 *   A reader at position P, in the packet that starts at B = P rounded down:
 *   when P == B it skips the packet header; records follow each other until
 *   the packet's content ends. The content of a packet that lies wholly
 *   below `produced` is content_size bits long when produced > B +
 *   packet_size, and the whole packet when produced == B + packet_size. In
 *   the packet in which `produced` lies the content ends at `produced`.
 *
 *   Overwrite mode: room is always made for a newcomer, by the oldest packet; the
 *   kernel does not look at `consumed` (poll() does). All below `overwritten`,
 *   the start of a packet, may have been written over. It moves before the
 *   packet is touched, so a reader works like this:
 *     1. load `produced` with acquire; load `overwritten`. When P < overwritten,
 *        the bytes between (that many packets) were overtaken unread: go on at
 *        P = overwritten;
 *     2. copy the packet, or a record and the header that says where content ends;
 *     3. read barrier (on x86: of the compiler), load `overwritten` again. When it
 *        is above B, the copy is worthless: back to 1.
 *   Packets count in `sequence` without a gap as they are made: where a reader
 *   finds a gap, as many were overtaken. Of what was overtaken each record had
 *   been recorded: the counters do not change. The packet in which `produced`
 *   lies, or that ends there, is never overtaken: a newcomer that interrupted a
 *   writer and came round to what that one has not finished is lost and counted
 *   in `discarded` (interrupts would have to write a whole ring for that).
 *
 *   Frozen: from then on no record begins and nothing is overwritten; what was
 *   being recorded on other CPUs at that moment is completed. STATUS says so, and
 *   poll() POLLPRI.
 *
 *   poll() says POLLIN when a packet is full or when a group spent its budget,
 *   never once a record. A reader that wants records sooner looks at
 *   `produced` by its own clock. POLLHUP is said when every probe of the
 *   session has spent its budget or its module has gone, and no module is waited for.
 *
 *   A packet is a CTF 1.8 packet and each record a CTF event: recording is
 *   writing packets to a file as they are.
 *
 * All integers are in the machine's byte order. Reserved fields are 0 and are
 * checked (EINVAL), so that they can get a meaning.
 */
#ifndef _UAPI_KCATCH_H
#define _UAPI_KCATCH_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include <uapi/kcatch_ring.h>
#include <uapi/kcatch_tasks.h>

#define KCATCH_DEVICE		"/dev/kcatch"
#define KCATCH_ABI		4

#define KCATCH_NAME_LEN		512	/* the kernel's KSYM_NAME_LEN, 128 before 6.1 */
#define KCATCH_DEPTH_DEFAULT	64
#define KCATCH_DEPTH_MAX	256	/* frames */
#define KCATCH_TARGETS_MAX	(1U << 20)
#define KCATCH_ACTIVE_MAX	65536U

/* ---- INFO ------------------------------------------------------------- */

/* struct kcatch_info.features */
#define KCATCH_FEATURE_FTRACE	(1ULL << 0)	/* ftrace hooks are built in */
#define KCATCH_FEATURE_KPROBE	(1ULL << 1)	/* kprobes are built in */
#define KCATCH_FEATURE_MATCH	(1ULL << 2)	/* names and patterns are resolved in the kernel */
#define KCATCH_FEATURE_ORC	(1ULL << 3)	/* own stack walker passed its self-test */
#define KCATCH_FEATURE_RETURN	(1ULL << 4)	/* returns can be hooked */
#define KCATCH_FEATURE_CONDITION (1ULL << 5)	/* the kernel can run conditions */

/* struct kcatch_info.clock */
#define KCATCH_CLOCK_MONOTONIC	0	/* CLOCK_MONOTONIC, nanoseconds */
#define KCATCH_CLOCK_TSC	1	/* time stamp counter, clock_khz * 1000 a second */

/**
 * struct kcatch_info - what this module is and what it can do here
 * @abi: KCATCH_ABI of the module
 * @clock: KCATCH_CLOCK_*, the clock of all records
 * @features: KCATCH_FEATURE_*
 * @clock_khz: rate of the clock in kHz (1000000 for nanoseconds)
 * @nr_cpus: CPUs that can ever be here (ring numbers are below it)
 * @clock_now: the clock, read between two reads of CLOCK_MONOTONIC
 * @monotonic_now: CLOCK_MONOTONIC in nanoseconds at that moment
 * @realtime_now: CLOCK_REALTIME in nanoseconds at that moment
 * @version: the module's VERSION, with an end mark
 */
struct kcatch_info {
	__u32 abi;
	__u32 clock;
	__u64 features;
	__u32 clock_khz;
	__u32 nr_cpus;
	__u64 clock_now;
	__u64 monotonic_now;
	__u64 realtime_now;
	char  version[32];
};

/* ---- SETUP ------------------------------------------------------------ */

#define KCATCH_RING_DISCARD	0	/* what is in the ring stays; newcomers are lost */
#define KCATCH_RING_OVERWRITE	1	/* flight recorder: the oldest packets make room */

#define KCATCH_RING_SIZE_MIN	8192U
#define KCATCH_RING_SIZE_MAX	(256U << 20)
#define KCATCH_PACKET_SIZE_MIN	4096U
#define KCATCH_PACKET_SIZE_MAX	(1U << 20)

/* struct kcatch_setup.flags: what freezes the session: from then on all rings stay as
 * they are, and hits count as over_budget. START thaws it. */
#define KCATCH_SETUP_FREEZE_OOPS	(1U << 0)	/* die notifier: an oops */
#define KCATCH_SETUP_FREEZE_WARN	(1U << 1)	/* a WARN(), WARN_ON() or BUG of the kernel log */
#define KCATCH_SETUP_FREEZE_PANIC	(1U << 2)	/* panic notifier */
#define KCATCH_SETUP_LOG		(1U << 3)	/* when frozen by these: the last records of
						 * each CPU go to the kernel log */
#define KCATCH_SETUP_FREEZE_LOCKUP	(1U << 4)	/* the watchdog finds a soft lockup */
#define KCATCH_SETUP_FREEZE_HUNG	(1U << 5)	/* khungtaskd finds a hung task */

/**
 * struct kcatch_setup - the rings of a session; once, before the first ADD
 * @ring_size: bytes a CPU, a power of two, at least two packets
 * @packet_size: bytes, a power of two
 * @mode: KCATCH_RING_*
 * @flags: KCATCH_SETUP_*
 *
 * Errors: EINVAL for a size out of range, EBUSY when it was done already,
 * ENOMEM when memory is short or all sessions together would hold more than
 * a quarter of it.
 */
struct kcatch_setup {
	__u32 ring_size;
	__u32 packet_size;
	__u32 mode;
	__u32 flags;
};

/* ---- ADD -------------------------------------------------------------- */

#define KCATCH_TARGET_NAME	0	/* every function of exactly this name */
#define KCATCH_TARGET_PATTERN	1	/* glob: * ? [abc] */
#define KCATCH_TARGET_ADDRESS	2	/* a function's first byte, from kallsyms */
#define KCATCH_TARGET_TRACEPOINT 3	/* a tracepoint of the kernel or a module, by its name
					 * without the system: sched_switch. ADD_RETURN,
					 * ADD_UNDER and offsets are refused (EINVAL) */
#define KCATCH_TARGET_EVENT	4	/* DO_TRACE events, by name or glob; those of that
					 * name that modules bring later, too (nr_probes may
					 * be 0) */
#define KCATCH_TARGET_WATCH	5	/* kernel memory at @address, by a debug register of each
					 * CPU: @offset is its size, 1, 2, 4
					 * or 8, or'ed with one of KCATCH_WATCH_*; @address is
					 * a multiple of it. ADD_RETURN and ADD_UNDER are
					 * refused (EINVAL) */
#define KCATCH_WATCH_WRITE	0x100U	/* hit by writes */
#define KCATCH_WATCH_ACCESS	0x200U	/* by reads as well */
#define KCATCH_WATCH_PERCPU	0x400U	/* or'ed to these: @address is that of a per-CPU
					 * variable; each CPU watches its own */
#define KCATCH_WATCH_SIZE	0xffU
/* Or'ed into the kind: when it exists and cannot be traced (EADDRNOTAVAIL,
 * EPERM; of a TRACEPOINT ENOENT as well), leave it alone, with nr_skipped 1 and the reason in error, and go on. */
#define KCATCH_TARGET_OPTIONAL	(1U << 8)
/* Or'ed into the kind of a NAME or PATTERN with a module part: when no such module is
 * loaded, or has no such function now (those of its init are freed), wait for it
 * (nr_probes 0); and arm it again each time it comes back, before its init runs. Its
 * probes get new numbers each time, and share the group's budget. */
#define KCATCH_TARGET_PENDING	(1U << 9)

/**
 * struct kcatch_target - one thing to catch
 * @kind: KCATCH_TARGET_*
 * @name_len: bytes at @name, without an end mark; 0 for an address
 * @name: user pointer to the name, which is [module:]symbol
 * @address: KCATCH_TARGET_ADDRESS: where; else 0
 * @offset: bytes into the function: 0 is its entry; not for patterns
 * @error: out: -errno of this target when ADD fails because of it, else 0
 * @nr_probes: out: probes it became
 * @nr_skipped: out: functions a pattern met and left alone, as they cannot or
 *		must not be traced
 */
struct kcatch_target {
	__u32 kind;
	__u32 name_len;
	__u64 name;
	__u64 address;
	__u32 offset;
	__s32 error;
	__u32 nr_probes;
	__u32 nr_skipped;
};

/* struct kcatch_add.flags */
#define KCATCH_ADD_NO_STACK	(1U << 0)	/* records without a stack */
#define KCATCH_ADD_PID		(1U << 1)	/* gate: only process @pid (a thread group) */
#define KCATCH_ADD_COMM		(1U << 2)	/* gate: only command @comm */
#define KCATCH_ADD_OTHERS	(1U << 3)	/* gate: not the process that adds: a tracer
						 * that writes what it caught would catch itself.
						 * Interrupts on top of it are nobody's, and pass */
#define KCATCH_ADD_RETURN	(1U << 4)	/* hook the return as well, of those whose return can be:
						 * they have KCATCH_PROBE_RETURN */
#define KCATCH_ADD_FREEZE	(1U << 6)	/* a record of this group freezes the session */
#define KCATCH_ADD_CHILDREN	(1U << 7)	/* gate: of @pid and of all processes that descend
						 * from it, now and later. Needs PID. EOPNOTSUPP:
						 * the kernel has no tracepoint sched_process_fork */
#define KCATCH_ADD_UNDER	(1U << 5)	/* gate: only while this thread is in a call
						 * that a probe of group @root recorded, in
						 * the same context, at most @levels below it
						 * (counted in calls whose return this session
						 * hooked; 0: any number). Needs RETURN. */

/**
 * struct kcatch_add - arm one group of probes
 * @flags: KCATCH_ADD_*
 * @depth: most frames of a stack, 1..KCATCH_DEPTH_MAX; 0: the default
 * @budget: records the whole group may make; 0: without limit
 * @pid: process number in the caller's pid namespace
 * @comm: whole command name, padded with zeros
 * @root: with KCATCH_ADD_UNDER: an earlier group, with KCATCH_ADD_RETURN; else 0
 * @levels: with KCATCH_ADD_UNDER; else 0
 * @max_active: with KCATCH_ADD_RETURN: calls that may be under way at once,
 *	1..KCATCH_ACTIVE_MAX; 0: the kernel chooses. One more is recorded without
 *	its return, or with a condition on the return counted as missed
 * @reserved: 0
 * @nr_targets: how many
 * @targets: user pointer to that many struct kcatch_target
 * @first_probe: out: number of the first new probe
 * @nr_probes: out: how many; they are numbered one after the other, in the
 *	order of the targets
 * @group: out: number of the group
 * @bad_target: out: which target made ADD fail (~0: none of them)
 *
 * Errors, besides EFAULT, EINVAL and ENOMEM: ENOENT no such function, EBUSY
 * KCATCH_ADD_RETURN while the session runs, or
 * the tracing it needs is switched off (sysctl kernel.ftrace_enabled),
 * EADDRNOTAVAIL it exists and has no place to hook (notrace, blacklisted,
 * not at an instruction), ERANGE the offset lies behind its end, EPERM it is on the list of functions that bring the
 * machine down, ESRCH no such process, E2BIG more than KCATCH_TARGETS_MAX,
 * ENAMETOOLONG a name nothing can have, ENOSPC all debug registers are taken
 * (a WATCH; EADDRNOTAVAIL: that memory cannot be read), EOPNOTSUPP a pattern where INFO lacks
 * KCATCH_FEATURE_MATCH, EINTR a signal came.
 */
struct kcatch_add {
	__u32 flags;
	__u32 depth;
	__u64 budget;
	__u32 pid;
	__u32 nr_targets;
	char  comm[KCATCH_COMM_LEN];
	__u32 root;
	__u32 levels;
	__u32 max_active;
	__u32 reserved;
	__u64 targets;
	__u32 first_probe;
	__u32 nr_probes;
	__u32 group;
	__u32 bad_target;
};

/* ---- PROBES: what is armed, and the counters --------------------------- */

#define KCATCH_MECHANISM_FTRACE	0
#define KCATCH_MECHANISM_KPROBE	1
#define KCATCH_MECHANISM_TRACEPOINT 2
#define KCATCH_MECHANISM_EVENT	3	/* DO_TRACE */
#define KCATCH_MECHANISM_WATCH	4	/* a hardware watchpoint */

/* struct kcatch_probe_info.flags */
#define KCATCH_PROBE_DETACHED	(1U << 0)	/* budget spent or module gone */
#define KCATCH_PROBE_GONE	(1U << 1)	/* its module has gone */
#define KCATCH_PROBE_RETURN	(1U << 2)	/* its return is hooked as well */

/**
 * struct kcatch_probe_info - one probe
 * @address: where it stands; of a TRACEPOINT that of its struct tracepoint; of an EVENT
 *	its struct kcatch_event_info.id
 * @group: its group
 * @offset: bytes from the start of the function asked for; of a WATCH as in its target
 * @mechanism: KCATCH_MECHANISM_*
 * @flags: KCATCH_PROBE_*
 * @target: which target of its ADD made it
 * @program: number of its program; 0: none
 * @reserved: 0
 */
struct kcatch_probe_info {
	__u64 address;
	__u32 group;
	__u32 offset;
	__u16 mechanism;
	__u16 flags;
	__u32 target;
	__u32 program;
	__u32 reserved;
};

/**
 * struct kcatch_counters - the terms of the equation, and what came of returns
 * @hits: recorded + filtered + over_budget + missed + lost
 * @no_slot: of the recorded or (with a condition on the return) missed:
 *	max_active calls were under way, or RCU was not watching (idle), so that the
 *	return was not hooked
 * @return_lost: of the recorded: the return found no room in the ring
 * @in_flight: of the recorded or (...) missed: had not returned when the session
 *	was stopped, or their thread ended inside. While it runs: under way now
 * @undecided: of the missed: those whose condition on the return was never tried, as
 *	they were in flight or had no slot
 */
struct kcatch_counters {
	__u64 hits;
	__u64 recorded;
	__u64 filtered;
	__u64 over_budget;
	__u64 missed;
	__u64 lost;
	__u64 no_slot;
	__u64 return_lost;
	__u64 in_flight;
	__u64 undecided;
	__u64 reserved[2];
};

#define KCATCH_CPU_ALL		(~0U)

/**
 * struct kcatch_query - a range of probes of the session
 * @first: first probe
 * @count: in: room; out: how many were written (0 past the end)
 * @cpu: COUNTERS: one CPU, or KCATCH_CPU_ALL for the sum
 * @reserved: 0
 * @buffer: user pointer to @count struct kcatch_probe_info or kcatch_counters
 *
 * What a kprobe itself missed is known for all CPUs together only: it is in
 * the sum, and in the figures of CPU 0.
 */
struct kcatch_query {
	__u32 first;
	__u32 count;
	__u32 cpu;
	__u32 reserved;
	__u64 buffer;
};

/**
 * struct kcatch_status - the session at a glance
 * @running: between START and STOP
 * @nr_probes: numbers used so far
 * @nr_attached: probes that are still in place
 * @nr_rings: rings there are; grows when a CPU comes
 * @ring_bytes: memory of all rings of this session
 * @frozen: why its rings stay as they are: KCATCH_FROZEN_*
 * @frozen_probe: KCATCH_FROZEN_PROBE: which
 * @frozen_at: the session's clock then
 */
struct kcatch_status {
	__u32 running;
	__u32 nr_probes;
	__u32 nr_attached;
	__u32 nr_rings;
	__u64 ring_bytes;
	__u32 frozen;
	__u32 frozen_probe;
	__u64 frozen_at;
	__u64 reserved[1];
};

#define KCATCH_FROZEN_NOT	0
#define KCATCH_FROZEN_PROBE	1	/* a record of a group with KCATCH_ADD_FREEZE */
#define KCATCH_FROZEN_OOPS	2
#define KCATCH_FROZEN_WARN	3
#define KCATCH_FROZEN_PANIC	4
#define KCATCH_FROZEN_LOCKUP	5
#define KCATCH_FROZEN_HUNG	6

/* ---- EVENTS: what DO_TRACE declared -------------------------------------- */

#define KCATCH_EVENT_NAME_LEN	64	/* with the end mark */
#define KCATCH_EVENT_FORMAT_LEN	256	/* with the end mark */
#define KCATCH_EVENT_ARGS_MAX	10

/* struct kcatch_event_info.args: what an argument is, in its low bits its size in bytes */
#define KCATCH_EVENT_ARG_SIZE	15	/* mask: 1, 2, 4, 8 */
#define KCATCH_EVENT_ARG_SIGNED	(1U << 4)
#define KCATCH_EVENT_ARG_STRING	(1U << 5)	/* bytes up to and with an end mark */
#define KCATCH_EVENT_ARG_POINTER (1U << 6)

/**
 * struct kcatch_event_info - an event that DO_TRACE declares
 * @id: counts up from 0; an event that comes back has its old one
 * @nr_sites: places in loaded modules that emit it; 0: gone
 * @enabled: some session records it
 * @nr_args: arguments
 * @args: KCATCH_EVENT_ARG_* of each
 * @name: with an end mark
 * @format: as printf(), with an end mark
 */
struct kcatch_event_info {
	__u32 id;
	__u32 nr_sites;
	__u32 enabled;
	__u32 nr_args;
	__u8  args[16];
	char  name[KCATCH_EVENT_NAME_LEN];
	char  format[KCATCH_EVENT_FORMAT_LEN];
};

/* ---- PROGRAM and BIND: what to fetch, and when --------------------------- */

#define KCATCH_STEPS_MAX	192U	/* steps of one list */
#define KCATCH_ITEMS_MAX	64U	/* items of one list */
#define KCATCH_DATA_MAX		1024U	/* bytes that a list may put */
#define KCATCH_FIELDS_MAX	512U	/* bytes of struct kcatch_condition.fields */
#define KCATCH_PROGRAMS_MAX	65536U	/* of one session */
#define KCATCH_BPF_MAX		4096U	/* instructions */

/*
 * A step works on one value, the accumulator, 64 bits wide. Reading memory
 * never faults and never waits: a place that cannot be read (bad, paged out,
 * or device memory) sets the accumulator's fault mark, which every step hands
 * on until the next one that takes a new value. An item put with the mark set
 * is zeros (or a text of no length), and its bit in the `faults` word is set.
 * An address below the kernel's half is read as the current task's memory.
 */
#define KCATCH_STEP_ARG		1	/* = register argument @arg, 0..5 (entry only); of a
					 * tracepoint its argument of that number */
#define KCATCH_STEP_STACK	2	/* = word at @offset bytes above the return address
					 * (entry only; 0 is the seventh argument;
					 * up to 1024) */
#define KCATCH_STEP_RET		3	/* = return value; @arg 1: its second word (return only) */
#define KCATCH_STEP_SAVED	4	/* = word at @offset of what the entry put (return only);
					 * faulty when that item was */
#define KCATCH_STEP_TASK	5	/* = address of the current struct task_struct */
#define KCATCH_STEP_LOAD	6	/* = @size (1, 2, 4, 8) bytes at itself + @offset,
					 * zero-extended */
#define KCATCH_STEP_ADD		7	/* += @offset */
#define KCATCH_STEP_LENGTH	8	/* length = itself: limits the next PUT_BYTES */
#define KCATCH_STEP_PUT		9	/* put itself: 8 bytes */
#define KCATCH_STEP_PUT_MEMORY	10	/* put @size bytes at itself + @offset, and zeros up
					 * to a multiple of 8 */
#define KCATCH_STEP_PUT_STRING	11	/* put a text: __u32 length, __u32 0, then the bytes up
					 * to the end mark, without it, at most @size, zeros up
					 * to a multiple of 8. Bit in `cut`: no end mark in
					 * @size bytes. Bit in `faults`: memory ended first;
					 * what could be read is there */
#define KCATCH_STEP_PUT_BYTES	12	/* the same for min(length, @size) bytes, whatever they
					 * are, all or (`faults`) none; `cut` when length was larger */
#define KCATCH_STEP_PUT_PATH	13	/* the same for the path of the struct dentry itself
					 * points to, from the root of its mount or (@arg 1)
					 * itself points to a struct path: from the root of all.
					 * At most @size bytes; `cut`: the beginning is missing */
#define KCATCH_STEP_PUT_CHARS	14	/* put exactly @size bytes (a multiple of 8): the text
					 * at itself + @offset up to its end mark, at most
					 * @size, then zeros. For conditions */

/**
 * struct kcatch_step - one step
 * @op: KCATCH_STEP_*
 * @arg: see there, else 0
 * @size: see there, else 0
 * @offset: see there, else 0
 */
struct kcatch_step {
	__u8  op;
	__u8  arg;
	__u16 size;
	__s32 offset;
};

/**
 * struct kcatch_condition - what a condition sees
 * @args: register arguments of the entry
 * @faults: of the items in @fields
 * @ret: return value; 0 at the entry
 * @latency: nanoseconds; 0 at the entry
 * @pid: process; @tid: thread; @cpu: where the condition is run; @uid: of the
 *	thread, in the first user namespace
 * @comm: command
 * @fields: what the condition's own steps put
 *
 * A condition is classic BPF that may load 32-bit words of this at absolute
 * offsets that are multiples of 4 (BPF_LD | BPF_W | BPF_ABS, in the machine's
 * byte order, not the network's), compute, jump, use M[], and return: not 0 means
 * that it holds. The condition on the return sees @args and @fields as they were
 * at the entry. All else is refused.
 */
struct kcatch_condition {
	__u64 args[6];
	__u64 faults;
	__u64 ret;
	__u64 latency;
	__u32 pid;
	__u32 tid;
	__u32 cpu;
	__u32 uid;
	char  comm[KCATCH_COMM_LEN];
	__u8  fields[KCATCH_FIELDS_MAX];
};

/**
 * struct kcatch_list - steps or instructions of user space
 * @at: user pointer; 0 when there are none
 * @nr: how many
 * @reserved: 0
 */
struct kcatch_list {
	__u64 at;
	__u32 nr;
	__u32 reserved;
};

/* struct kcatch_program.flags */
#define KCATCH_PROGRAM_ENTRY_ONLY (1U << 0)	/* do not hook the return of these probes,
						 * though their group does */

/**
 * struct kcatch_program - what to fetch and when to record
 * @entry: struct kcatch_step, put into the record at the entry
 * @at_return: struct kcatch_step, put at the return
 * @fields: struct kcatch_step, put into struct kcatch_condition.fields at the entry,
 *	before the condition is run
 * @entry_condition: struct sock_filter; calls of which it does not hold are filtered
 * @return_condition: struct sock_filter, run at the return; the same
 * @flags: KCATCH_PROGRAM_*
 * @user_stack: bytes of the thread's user stack to record with the entry, up to
 *	KCATCH_USER_STACK_MAX and what a packet holds; 0: none
 * @number: out: for BIND, from 1 on
 * @bad_list: out: which list was refused: 0 entry, 1 at_return, 2 fields,
 *	3 entry_condition, 4 return_condition; ~0: none of them
 * @bad_item: out: which of its steps; 0 for instructions
 * @reserved: 0
 *
 * Errors, besides EFAULT and ENOMEM: EINVAL a list that is not as described here,
 * E2BIG one that is too long or puts too much, EBUSY the session runs.
 */
struct kcatch_program {
	struct kcatch_list entry;
	struct kcatch_list at_return;
	struct kcatch_list fields;
	struct kcatch_list entry_condition;
	struct kcatch_list return_condition;
	__u32 flags;
	__u32 user_stack;
	__u32 number;
	__u32 bad_list;
	__u32 bad_item;
	__u32 reserved;
};

/**
 * struct kcatch_binding - one program for probes of one name, or one number
 * @probe: number; ~0: by name
 * @group: by name: the group that waits (KCATCH_TARGET_PENDING)
 * @program: its number; 0: none (a plain record)
 * @name_len: by name: bytes at @name, without an end mark; else 0
 * @name: by name: user pointer to [module:]symbol. Functions of this name that the
 *	group will get when the module comes have this program from their first call.
 *	Or to a target's very text: the program of those that have none by their own name.
 *	Where a condition on the return cannot be tried, the function is not armed
 */
struct kcatch_binding {
	__u32 probe;
	__u32 group;
	__u32 program;
	__u32 name_len;
	__u64 name;
};

/**
 * struct kcatch_bind - give programs to probes
 * @nr: how many
 * @done: out: how many were bound before the first bad one
 * @bindings: user pointer to that many struct kcatch_binding
 *
 * Errors, besides EFAULT and ENOMEM: EINVAL no such probe, group or program, a
 * return condition where the return is not hooked; E2BIG its records would not fit
 * into a packet; EBUSY the session runs.
 */
struct kcatch_bind {
	__u32 nr;
	__u32 done;
	__u64 bindings;
};

/* ---- SYMBOL: addresses to names --------------------------------------- */

/**
 * struct kcatch_symbol - name of a kernel address
 * @address: in
 * @offset: out: bytes from the start of @name
 * @size: out: bytes of the symbol
 * @name: out: with an end mark; empty when nobody knows it. Functions of modules that this
 *	session waited for are known when they are no more
 * @module: out: empty for the kernel itself
 */
struct kcatch_symbol {
	__u64 address;
	__u32 offset;
	__u32 size;
	char  name[KCATCH_NAME_LEN];
	char  module[64];
};

#define KCATCH_IOC_INFO		_IOR('k', 0xc0, struct kcatch_info)
#define KCATCH_IOC_SETUP	_IOW('k', 0xc1, struct kcatch_setup)
#define KCATCH_IOC_ADD		_IOWR('k', 0xc2, struct kcatch_add)
#define KCATCH_IOC_START	_IO('k', 0xc3)
#define KCATCH_IOC_STOP		_IO('k', 0xc4)
#define KCATCH_IOC_PROBES	_IOWR('k', 0xc5, struct kcatch_query)
#define KCATCH_IOC_COUNTERS	_IOWR('k', 0xc6, struct kcatch_query)
#define KCATCH_IOC_STATUS	_IOR('k', 0xc7, struct kcatch_status)
#define KCATCH_IOC_SYMBOL	_IOWR('k', 0xc8, struct kcatch_symbol)
#define KCATCH_IOC_PROGRAM	_IOWR('k', 0xc9, struct kcatch_program)
#define KCATCH_IOC_BIND		_IOWR('k', 0xca, struct kcatch_bind)
#define KCATCH_IOC_EVENTS	_IOWR('k', 0xcb, struct kcatch_query)
#define KCATCH_IOC_TASKS	_IOWR('k', 0xcc, struct kcatch_tasks)
#define KCATCH_IOC_READ		_IOW('k', 0xcd, struct kcatch_read)

/* Calls on debugfs ktrace/buffers/cpuN; kcatch(4). Positions are those of the ring. */
#define KCATCH_KTRACE_GET_SIZE		_IOR('k', 0xe0, __u64)	/* bytes of data */
#define KCATCH_KTRACE_GET_PRODUCED	_IOR('k', 0xe1, __u64)
#define KCATCH_KTRACE_GET_CONSUMED	_IOR('k', 0xe2, __u64)	/* or where the oldest begins */
#define KCATCH_KTRACE_PUT_CONSUMED	_IOW('k', 0xe3, __u64)	/* EINVAL: backwards, or
								 * beyond produced */

#endif
