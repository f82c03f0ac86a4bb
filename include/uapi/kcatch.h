/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The contract between the kcatch module and user space.
 *
 * Sessions
 *   One open file of /dev/kcatch is one session. Probes, rings and counters belong
 *   to it. They are released when the last descriptor and the last mapping of a
 *   ring are closed, for whatever reason (a forked child inherits descriptors, not
 *   mappings). Opening needs CAP_SYS_ADMIN, or CAP_PERFMON together with
 *   CAP_SYSLOG because records hold kernel addresses, and a lockdown level that
 *   allows tracing; otherwise it fails with EPERM.
 *
 *   A descriptor may be passed to a process without these rights. It can read what
 *   was armed: mapping rings, poll, INFO, STOP, STATUS, PROBES, COUNTERS, EVENTS, SWAP,
 *   ROWS, PAIRED. What one reader takes from a ring or a table, another one does not get. All other
 *   calls ask for the rights of their caller anew (EPERM). After a lockdown they, ROWS and new
 *   mappings are refused; a session that runs goes on, and so do mappings.
 *
 *   The order of calls is INFO (any time), SETUP (once), ADD (any number of times),
 *   START, reading, STOP, COUNTERS. START and STOP may be repeated. A call that
 *   fails changes nothing, but for BIND, which says how many bindings it has done.
 *
 * Probes and groups
 *   Each ADD makes one group: a list of targets that share a gate (process,
 *   command), a stack depth and a budget. A target is a name, a pattern, or an
 *   address. Each address that a target resolves to becomes one probe. Probe
 *   numbers count up from 0 within a session and are never reused. The kernel
 *   resolves names itself, so user space need not read all of /proc/kallsyms
 *   first. Names are not unique in a kernel: every function of the name is armed.
 *
 * Programs: arguments, return values and conditions
 *   A program selects the calls to record and the values to fetch at entry and
 *   return. PROGRAM checks and numbers a program, BIND assigns it to probes; both
 *   need a stopped session. The kernel knows no types: user space compiles types
 *   into lists of items (struct kcatch_item), and only the author of the program can
 *   decode the data that these put. Conditions are code, which uapi/kcatch_code.h
 *   describes.
 *
 *   A group with KCATCH_ADD_RETURN also hooks the returns of its function entries.
 *   Without a condition on the return a call makes two records with the same
 *   `call` number: KCATCH_RECORD_ENTRY at the entry (stack and arguments) and
 *   KCATCH_RECORD_RETURN at the return. A call that never returns is therefore
 *   seen. With a condition on the return a call makes one record,
 *   KCATCH_RECORD_CALL, at the return if the condition holds. The first record of
 *   a call spends the budget.
 *
 *   Calls that began before START are no hits. struct kcatch_counters also counts
 *   the hits whose return was not seen, by cause.
 *
 * Counters
 *   For each probe and CPU
 *       hits = recorded + filtered + over_budget + undecided + missed + lost
 *   holds whenever the session is stopped. (With a condition on the return it holds
 *   only for the sum over all CPUs, because a call may return on another CPU.)
 *   Each term is counted where it happens. A hit is a call of an armed function
 *   while the session runs.
 *       recorded     it made a record
 *       filtered     the gate or the condition refused it
 *       over_budget  the budget was spent, or the session frozen
 *       undecided    whether the condition holds is not known: memory that it needs
 *                    could not be read, or the return that it needs was not seen (no
 *                    slot was free, or the call had not returned when the session
 *                    stopped; then, if the budget was spent, it is over_budget)
 *       missed       the hook could not examine it: it was entered from kcatch's own
 *                    work
 *       lost         the ring had no room for its record
 *   Calls that the kernel's own tracing passes to no tracer (made while ftrace or
 *   kprobes work, or while another tracer's hook runs) are no hits, because kcatch
 *   does not learn of them. The misses of a kprobe itself are the kernel's count,
 *   which concurrent CPUs may make too small.
 *
 * Rings
 *   Each CPU has one ring (ring buffer), which the reader maps in two pieces:
 *       KCATCH_MMAP_RING(cpu)      read-only: one page struct kcatch_ring_page,
 *                                  then the data, ring_size bytes
 *       KCATCH_MMAP_CONSUMER(cpu)  read and write: one page
 *                                  struct kcatch_consumer_page
 *   Positions are byte counts that only grow; a position modulo ring_size is the
 *   offset in the data. The data is a sequence of packets of packet_size bytes.
 *   No record straddles two packets. All records below `produced` are complete:
 *   the reader loads it with acquire, reads, and stores `consumed` with release.
 *   The kernel ignores a consumed position that goes back or past produced.
 *
 *   Let P be the reader's position and B the start of its packet (P rounded down).
 *   If P == B, the reader skips the packet header. Records follow one another
 *   until the packet's content ends:
 *       produced > B + packet_size   after content_size bits from B
 *       produced == B + packet_size  at the end of the packet
 *       produced < B + packet_size   at produced
 *
 *   Overwrite mode: the newest packet replaces the oldest. The kernel does not look
 *   at `consumed`, except for poll(). All data below `overwritten`, the start of a
 *   packet, may have been overwritten. `overwritten` moves before the packet is
 *   touched, so a reader works like this:
 *     1. Load `produced` with acquire; load `overwritten`. If P < overwritten, the
 *        packets between were overwritten unread: continue at P = overwritten.
 *     2. Copy the packet, or a record and the header that gives the content's end.
 *     3. Issue a read barrier (on x86 a compiler barrier), load `overwritten` again.
 *        If it is above B, the copy is invalid: go back to 1.
 *   `sequence` counts packets without gaps as they are made, so a gap gives the
 *   number of packets a reader missed. An overwritten record had been recorded: the
 *   counters do not change. The packet that contains `produced`, or ends there, is
 *   never overwritten. If interrupts fill a whole ring while they interrupt a
 *   writer, their further records are lost and counted in `discarded`.
 *
 *   Frozen: no record begins and nothing is overwritten from then on; records in
 *   progress on other CPUs are completed. STATUS reports the state, poll() POLLPRI.
 *
 *   poll() reports POLLIN when a packet is full or when a group spent its budget,
 *   never for each record. A reader that wants records sooner checks `produced` at
 *   its own interval. poll() reports POLLHUP when every probe of the session has
 *   spent its budget or lost its module, and the session waits for no module.
 *
 *   A packet is a CTF 1.8 packet and a record a CTF event: recording means writing
 *   packets to a file unchanged.
 *
 * All integers are in the machine's byte order. Reserved fields are 0; the kernel
 * checks them (EINVAL), so that they can get a meaning later.
 */
#ifndef _UAPI_KCATCH_H
#define _UAPI_KCATCH_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include <uapi/kcatch_code.h>
#include <uapi/kcatch_counters.h>
#include <uapi/kcatch_ring.h>
#include <uapi/kcatch_tasks.h>

#define KCATCH_DEVICE		"/dev/kcatch"
#define KCATCH_ABI		1

#define KCATCH_NAME_LEN		512	/* bytes; the kernel's KSYM_NAME_LEN (128 before 6.1) */
#define KCATCH_DEPTH_DEFAULT	64	/* frames */
#define KCATCH_DEPTH_MAX	256	/* frames */
#define KCATCH_TARGETS_MAX	(1U << 20)	/* targets, and functions, of one ADD */
#define KCATCH_ACTIVE_MAX	65536U	/* calls under way, of one group */

/* ---- INFO ------------------------------------------------------------- */

/* struct kcatch_info.features */
#define KCATCH_FEATURE_FTRACE	(1ULL << 0)	/* ftrace hooks are built in */
#define KCATCH_FEATURE_KPROBE	(1ULL << 1)	/* kprobes are built in */
#define KCATCH_FEATURE_MATCH	(1ULL << 2)	/* the kernel resolves names and patterns */
#define KCATCH_FEATURE_ORC	(1ULL << 3)	/* kcatch's own stack walker passed its self-test */
#define KCATCH_FEATURE_RETURN	(1ULL << 4)	/* returns can be hooked */
#define KCATCH_FEATURE_CONDITION (1ULL << 5)	/* the kernel can run conditions */
#define KCATCH_FEATURE_COUNT	(1ULL << 6)	/* hits can be counted instead of recorded */
#define KCATCH_FEATURE_PATH	(1ULL << 7)	/* paths of files do not end at their mount */
#define KCATCH_FEATURE_NMI	(1ULL << 8)	/* stack(9) of threads that run on another CPU */
#define KCATCH_FEATURE_TABLE	(1ULL << 9)	/* functions are looked up in the kernel's table */
#define KCATCH_FEATURE_RETURN_SHARED (1ULL << 10) /* no kretprobe for each function is needed */

/* struct kcatch_info.clock */
#define KCATCH_CLOCK_MONOTONIC	0	/* CLOCK_MONOTONIC, nanoseconds */
#define KCATCH_CLOCK_TSC	1	/* time stamp counter, clock_khz * 1000 ticks a second */

/**
 * struct kcatch_info - release, features and clock of the module
 * @abi: KCATCH_ABI of the module
 * @clock: KCATCH_CLOCK_*, the clock of all records
 * @features: KCATCH_FEATURE_*
 * @clock_khz: rate of the clock in kHz (1000000 for nanoseconds)
 * @nr_cpus: number of possible CPUs; ring numbers are below it
 * @clock_now: the clock, read between two reads of CLOCK_MONOTONIC
 * @monotonic_now: CLOCK_MONOTONIC at that moment, nanoseconds
 * @realtime_now: CLOCK_REALTIME at that moment, nanoseconds
 * @version: the module's VERSION, null-terminated
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

#define KCATCH_RING_DISCARD	0	/* records stay; new ones that find no room are lost */
#define KCATCH_RING_OVERWRITE	1	/* flight recorder: the newest packet replaces the oldest */

#define KCATCH_RING_SIZE_MIN	8192U		/* bytes */
#define KCATCH_RING_SIZE_MAX	(256U << 20)
#define KCATCH_PACKET_SIZE_MIN	4096U		/* bytes */
#define KCATCH_PACKET_SIZE_MAX	(1U << 20)

/* struct kcatch_setup.flags: events that freeze the session. The rings of a frozen session
 * do not change, and hits count as over_budget. START thaws it. */
#define KCATCH_SETUP_FREEZE_OOPS	(1U << 0)	/* die notifier: an oops */
#define KCATCH_SETUP_FREEZE_WARN	(1U << 1)	/* WARN() or BUG in the kernel log, a report
							 * of KASAN or KFENCE */
#define KCATCH_SETUP_FREEZE_PANIC	(1U << 2)	/* panic notifier */
#define KCATCH_SETUP_LOG		(1U << 3)	/* when one of these freezes the session,
						 * write the last eight records of each
						 * CPU to the kernel log */
#define KCATCH_SETUP_FREEZE_LOCKUP	(1U << 4)	/* the watchdog finds a soft lockup */
#define KCATCH_SETUP_FREEZE_HUNG	(1U << 5)	/* khungtaskd finds a hung task */

/**
 * struct kcatch_setup - create the rings of a session; once, before the first ADD
 * @ring_size: bytes for each CPU, a power of two, at least two packets,
 *	KCATCH_RING_SIZE_MIN..KCATCH_RING_SIZE_MAX
 * @packet_size: bytes, a power of two,
 *	KCATCH_PACKET_SIZE_MIN..KCATCH_PACKET_SIZE_MAX
 * @mode: KCATCH_RING_*
 * @flags: KCATCH_SETUP_*
 *
 * Errors: EINVAL a size out of range, an unknown mode or flag, or SETUP_LOG without a
 * flag that freezes; EBUSY SETUP was done before, or FREEZE_LOCKUP while ftrace is switched
 * off (sysctl kernel.ftrace_enabled); EOPNOTSUPP the kernel does not report that event to
 * modules; ENOMEM memory is short, or all sessions together would hold more than a quarter
 * of it. With FREEZE_LOCKUP: ETIMEDOUT a CPU took no interrupts for ten seconds; EINTR killed.
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
#define KCATCH_TARGET_EVENT	4	/* ktrace's events, by name or glob, including DO_TRACE
					 * events of modules that are loaded later (nr_probes
					 * may be 0) */
#define KCATCH_TARGET_WATCH	5	/* kernel memory at @address, by a debug register of each
					 * CPU. @offset is its size, 1, 2, 4 or 8 bytes, or'ed
					 * with one of KCATCH_WATCH_*; @address is a multiple
					 * of the size. ADD_RETURN and ADD_UNDER are refused
					 * (EINVAL) */
#define KCATCH_WATCH_WRITE	0x100U	/* writes are hits */
#define KCATCH_WATCH_ACCESS	0x200U	/* reads and writes are hits */
#define KCATCH_WATCH_PERCPU	0x400U	/* or'ed with these: @address is that of a per-CPU
					 * variable; each CPU watches its own instance */
#define KCATCH_WATCH_SIZE	0xffU	/* mask of the size */
/* Or'ed into the kind: if the target exists but cannot be traced (EADDRNOTAVAIL, EOVERFLOW,
 * EPERM; for a TRACEPOINT also ENOENT, and for an ADDRESS in a module that is being unloaded),
 * skip it: nr_skipped is 1, error holds the reason, ADD continues. */
#define KCATCH_TARGET_OPTIONAL	(1U << 8)
/* Or'ed into the kind of a NAME or PATTERN with a module part: if the module is not loaded, or
 * lacks the function now (init functions are freed), wait for it (nr_probes 0), and arm it
 * again each time the module is loaded, before its init runs. Its probes get new numbers
 * each time and share the group's budget. */
#define KCATCH_TARGET_PENDING	(1U << 9)

/**
 * struct kcatch_target - one thing to catch
 * @kind: KCATCH_TARGET_*
 * @name_len: bytes at @name, without a null byte; 0 for an address
 * @name: user pointer to the name, which is [module:]symbol
 * @address: KCATCH_TARGET_ADDRESS, KCATCH_TARGET_WATCH: the address; else 0
 * @offset: bytes into the function: 0 is its entry; not for patterns
 * @error: out: -errno if ADD fails because of this target, or skipped it; else 0
 * @nr_probes: out: number of probes of this target
 * @nr_skipped: out: number of functions that matched a pattern and were skipped
 *	because they cannot or must not be traced; functions of a name that neither ftrace
 *	nor a kprobe reaches, beside others of the name that one of them does
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
#define KCATCH_ADD_NO_STACK	(1U << 0)	/* records without a stack; keys of counts may
						 * have it all the same */
#define KCATCH_ADD_PID		(1U << 1)	/* gate: only process @pid (a thread group) */
#define KCATCH_ADD_COMM		(1U << 2)	/* gate: only command @comm */
#define KCATCH_ADD_OTHERS	(1U << 3)	/* gate: not the process that adds, as a tracer
						 * that writes its records would catch itself.
						 * Interrupts during it belong to no process
						 * and pass */
#define KCATCH_ADD_RETURN	(1U << 4)	/* also hook the returns that can be hooked;
						 * their probes have KCATCH_PROBE_RETURN */
#define KCATCH_ADD_FREEZE	(1U << 6)	/* a record of this group freezes the session */
#define KCATCH_ADD_CHILDREN	(1U << 7)	/* gate: only @pid and its descendants, present
						 * and future. Needs PID. EOPNOTSUPP: the kernel
						 * has no tracepoint sched_process_fork */
#define KCATCH_ADD_UNDER	(1U << 5)	/* gate: only calls inside a call that a probe of
						 * group @root recorded in the same thread and
						 * context, at most @levels below it (counted
						 * in calls whose return this group hooked;
						 * 0: any number). Needs RETURN. START fails
						 * with EINVAL if a program of @root counts at
						 * the entry, which hooks no return */

#define KCATCH_ADD_CGROUP	(1U << 8)	/* gate: only threads in cgroup @cgroup or a
						 * descendant of it, present or future */
#define KCATCH_ADD_IN_CALL	(1U << 9)	/* gate: only threads inside a call whose return
						 * is hooked, by whomever; and every thread while
						 * one inside a call that a session catches is
						 * ready to run and has no CPU, as START sees them
						 * from then on. Not with RETURN (EINVAL).
						 * EOPNOTSUPP, of START too: this kernel does not
						 * tell of threads what they are inside, or of
						 * wakeups and switches */

/**
 * struct kcatch_add - arm one group of probes
 * @flags: KCATCH_ADD_*
 * @depth: maximum frames of a stack, 1..KCATCH_DEPTH_MAX; 0: KCATCH_DEPTH_DEFAULT
 * @budget: maximum records of the whole group, up to 2^63 - 1; 0: no limit
 * @pid: process ID in the caller's PID namespace
 * @comm: with KCATCH_ADD_COMM: the whole command name, padded with zeros; else zeros
 * @root: with KCATCH_ADD_UNDER: an earlier group with KCATCH_ADD_RETURN; else 0
 * @levels: with KCATCH_ADD_UNDER: maximum levels, 0: any number; else 0
 * @max_active: with KCATCH_ADD_RETURN: maximum calls under way at once,
 *	1..KCATCH_ACTIVE_MAX; 0: the kernel chooses. Further calls are recorded without
 *	their return or, with a condition on the return, count as undecided
 * @cgroup_level: with KCATCH_ADD_CGROUP: level of @cgroup, 0 for the root; else 0
 * @nr_targets: number of targets, 1..KCATCH_TARGETS_MAX
 * @targets: user pointer to @nr_targets struct kcatch_target
 * @first_probe: out: number of the first new probe
 * @nr_probes: out: number of new probes; they are numbered consecutively, in the
 *	order of the targets
 * @group: out: number of the group
 * @bad_target: out: index of the target that made ADD fail (~0: none of them)
 * @cgroup: with KCATCH_ADD_CGROUP: id of the cgroup, not 0: the inode number of its
 *	directory in the default hierarchy (cgroup2); else 0
 *
 * Errors, besides EFAULT, EINVAL and ENOMEM:
 *	ENOENT		no such function
 *	EADDRNOTAVAIL	no place to hook: notrace, blacklisted, not at an instruction;
 *			WATCH: the memory cannot be read
 *	EOVERFLOW	no kprobe can stand there, as it is the last function of its module
 *			and the kernel would decode instructions beyond its end
 *	ERANGE		the offset lies beyond the function's end
 *	EPERM		hooking the function would bring the machine down; WATCH: the kernel
 *			wants CAP_SYS_ADMIN for its debug registers
 *	EBUSY		KCATCH_ADD_RETURN while the session runs, or the kernel tracing
 *			it needs is switched off (sysctl kernel.ftrace_enabled)
 *	ESRCH		no such process
 *	E2BIG		more than KCATCH_TARGETS_MAX
 *	ENAMETOOLONG	a name longer than any function name
 *	ENOSPC		WATCH: all debug registers are taken
 *	EOPNOTSUPP	a pattern, and INFO lacks KCATCH_FEATURE_MATCH
 *	ETIMEDOUT	a CPU took no interrupts for ten seconds or, where a kprobe has to be
 *			tried, did not schedule for so long
 *	EINTR		interrupted by a signal
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
	__u32 cgroup_level;
	__u64 targets;
	__u32 first_probe;
	__u32 nr_probes;
	__u32 group;
	__u32 bad_target;
	__u64 cgroup;
};

/* ---- PROBES and COUNTERS ----------------------------------------------- */

#define KCATCH_MECHANISM_FTRACE	0
#define KCATCH_MECHANISM_KPROBE	1
#define KCATCH_MECHANISM_TRACEPOINT 2
#define KCATCH_MECHANISM_EVENT	3	/* DO_TRACE */
#define KCATCH_MECHANISM_WATCH	4	/* a hardware watchpoint */

/* struct kcatch_probe_info.flags */
#define KCATCH_PROBE_DETACHED	(1U << 0)	/* budget spent, or module unloaded */
#define KCATCH_PROBE_GONE	(1U << 1)	/* its module was unloaded */
#define KCATCH_PROBE_RETURN	(1U << 2)	/* its return is hooked as well */
#define KCATCH_PROBE_DISARMED	(1U << 3)	/* while the session ran its hook was found to be
						 * taken out by somebody else (debugfs
						 * kprobes/enabled), or a CPU had no watchpoint:
						 * an unknown number of calls was not seen */

/**
 * struct kcatch_probe_info - one probe
 * @address: hooked address; TRACEPOINT: address of its struct tracepoint; EVENT:
 *	struct kcatch_event_info.id
 * @group: number of its group
 * @offset: bytes from the start of the requested function; WATCH: as in its target
 * @mechanism: KCATCH_MECHANISM_*
 * @flags: KCATCH_PROBE_*
 * @target: index of its target in its ADD
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
 * struct kcatch_counters - the terms of the equation, and the returns not seen, in calls
 * @hits: recorded + filtered + over_budget + undecided + missed + lost
 * @recorded: made a record
 * @filtered: refused by the gate or by the condition
 * @over_budget: made after the budget was spent, or while the session was frozen
 * @undecided: whether the condition holds is not known; see "Counters" above
 * @missed: not examined by the hook; see "Counters" above
 * @lost: found no room in the ring
 * @no_slot: calls whose return was not hooked, because max_active calls were under way,
 *	RCU was not watching (idle), or the call was made in an NMI or in the handler of a
 *	breakpoint. Part of @recorded or, with a condition on the
 *	return, of @missed
 * @return_lost: calls whose return found no room in the ring; part of @recorded
 * @in_flight: calls that had not returned when the session was stopped, or whose thread
 *	ended inside, or that returned while the session was frozen (with a condition on the
 *	return, those are in @over_budget); while it runs, calls under way. Part of @recorded
 *	or, with a condition on the return, of @missed. A call that returns on another CPU than it
 *	began on is counted up there and down here: of one CPU this is a difference, modulo
 *	2^64, and so are the hits of a probe with a condition on the return
 *
 * kcatch_counters.h has the list of its members.
 */
struct kcatch_counters {
	__u64 hits;
#define KCATCH_COUNTER_MEMBER(name, words, help) __u64 name;
	KCATCH_COUNTERS(KCATCH_COUNTER_MEMBER)
#undef KCATCH_COUNTER_MEMBER
};

#define KCATCH_CPU_ALL		(~0U)

/**
 * struct kcatch_query - a range of probes of the session
 * @first: number of the first probe (EVENTS: of the first event; SYMBOLS: 0)
 * @count: in: entries that fit into @buffer; out: entries written, 0 past the end
 * @cpu: COUNTERS: one CPU, or KCATCH_CPU_ALL for the sum
 * @flags: COUNTERS: KCATCH_QUERY_SUM or 0; others: 0
 * @buffer: user pointer to @count struct kcatch_probe_info (PROBES), kcatch_counters
 *	(COUNTERS; with KCATCH_QUERY_SUM one, the sum of @count probes), kcatch_event_info (EVENTS)
 *	or kcatch_symbol (SYMBOLS: in: the addresses)
 *
 * The misses of a kprobe itself are known only for all CPUs together: they are in
 * the sum, and in the counters of CPU 0.
 */
struct kcatch_query {
	__u32 first;
	__u32 count;
	__u32 cpu;
	__u32 flags;
	__u64 buffer;
};

#define KCATCH_QUERY_SUM	(1U << 0)

/**
 * struct kcatch_status - state of the session
 * @running: 1 between START and STOP, else 0
 * @nr_probes: probe numbers used so far
 * @nr_attached: probes that are still attached
 * @nr_rings: number of rings; grows when a CPU comes online
 * @ring_bytes: memory of all rings of this session, bytes
 * @frozen: cause of the freeze, KCATCH_FROZEN_*
 * @frozen_probe: KCATCH_FROZEN_PROBE: number of that probe
 * @frozen_at: the session's clock at the freeze
 * @nr_ftrace: probes among @nr_probes that are hooked by ftrace
 * @nr_unarmed: functions of modules that were loaded, which match a KCATCH_TARGET_PENDING and could
 *	not be armed; the kernel's log says why
 * @nr_disarmed: probes with KCATCH_PROBE_DISARMED. Hooks are looked at by START, STATUS, COUNTERS
 *	and STOP (those of ftrace, which the kernel does not let others take out, by START and STOP
 *	alone): one that was out of place in between only is not noticed
 * @nr_died: contexts that died in a hook while the session ran (an oops in another's code that the
 *	hook's work called, or a thread that ended there): their hits are in no counter
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
	__u32 nr_ftrace;
	__u32 nr_unarmed;
	__u32 nr_disarmed;
	__u32 nr_died;
};

#define KCATCH_FROZEN_NOT	0
#define KCATCH_FROZEN_PROBE	1	/* a record of a group with KCATCH_ADD_FREEZE */
#define KCATCH_FROZEN_OOPS	2
#define KCATCH_FROZEN_WARN	3
#define KCATCH_FROZEN_PANIC	4
#define KCATCH_FROZEN_LOCKUP	5
#define KCATCH_FROZEN_HUNG	6

/* ---- EVENTS: ktrace's events, built in and of DO_TRACE in loaded modules --- */

#define KCATCH_EVENT_NAME_LEN	64	/* bytes, with the null byte */
#define KCATCH_EVENT_FORMAT_LEN	256	/* bytes, with the null byte */
#define KCATCH_EVENT_ARGS_MAX	10

/* struct kcatch_event_info.args: the kind of an argument, and in the low bits its size */
#define KCATCH_EVENT_ARG_SIZE	15	/* mask: 1, 2, 4, 8 bytes */
#define KCATCH_EVENT_ARG_SIGNED	(1U << 4)
#define KCATCH_EVENT_ARG_STRING	(1U << 5)	/* bytes up to a null byte, which is included */
#define KCATCH_EVENT_ARG_POINTER (1U << 6)

/**
 * struct kcatch_event_info - a built-in event of ktrace, or one that DO_TRACE declares
 * @id: counts up from 0; an event that reappears keeps its id
 * @nr_sites: number of sites in the kernel and loaded modules that emit it; 0: gone
 * @enabled: 1 if any session records it, else 0
 * @nr_args: number of arguments, 0..KCATCH_EVENT_ARGS_MAX
 * @args: KCATCH_EVENT_ARG_* of each argument
 * @name: null-terminated
 * @format: as for printf(), null-terminated
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

/* ---- PROGRAM and BIND: values to fetch, and conditions ------------------- */

#define KCATCH_LIST_MAX		128U	/* struct kcatch_item of one list */
#define KCATCH_ITEMS_MAX	64U	/* of these, that put something */
#define KCATCH_HOPS_MAX		2048U	/* hops of one program */
#define KCATCH_DATA_MAX		1024U	/* bytes put by one list */
#define KCATCH_FIELDS_MAX	512U	/* bytes put by `fields` */
#define KCATCH_STACK_MAX	1024	/* bytes of arguments on the stack that items reach */
#define KCATCH_PROGRAMS_MAX	65536U	/* programs of one session */

/* struct kcatch_item.from: the value that an item begins with */
#define KCATCH_ITEM_ARG		1	/* register argument @index, 0..5 (entry only); for a
					 * tracepoint its argument @index */
#define KCATCH_ITEM_RET		2	/* return value; @index 1: its second word (return only) */
#define KCATCH_ITEM_SAVED	3	/* word at @start bytes of the data that the entry put,
					 * where all items up to it are VALUE or WORD (return
					 * only); faulty if that item was */
#define KCATCH_ITEM_STACK	4	/* word at @start bytes above the return address (entry
					 * only; 0 is the seventh argument; up to
					 * KCATCH_STACK_MAX) */
#define KCATCH_ITEM_MISSED	5	/* as SAVED, where item @index of the entry could not be
					 * read; else faulty (return only) */
#define KCATCH_ITEM_TASK	6	/* address of the current struct task_struct */
#define KCATCH_ITEM_CGROUP	7	/* id of the current thread's cgroup: the inode number of
					 * its directory in the default hierarchy (cgroup2);
					 * @index 1: of its ancestor at level @start (0: the
					 * root), or 0 if it is not that deep */
#define KCATCH_ITEM_LATENCY	8	/* nanoseconds since the first event of a pair: a VALUE
					 * without hops (entry, of a program with the part
					 * KCATCH_PAIR_SECOND) */

/* struct kcatch_item.put: what is put of the address that the value and @offset give */
#define KCATCH_ITEM_VALUE	1	/* the address itself: 8 bytes */
#define KCATCH_ITEM_WORD	2	/* @size bytes (1, 2, 4, 8) there, zero-extended to 8 */
#define KCATCH_ITEM_MEMORY	3	/* @size bytes there, and zeros up to a multiple of 8.
					 * Behind a SKIP: at most as many as that leaves, then
					 * zeros up to the same size */
#define KCATCH_ITEM_STRING	4	/* a string: __u32 length, __u32 0, then the bytes before
					 * the null byte, at most @size, and zeros up to a
					 * multiple of 8. Bit in `cut`: no null byte within @size
					 * bytes. Bit in `faults`: memory ended first; the
					 * readable bytes are put */
#define KCATCH_ITEM_LENGTH	5	/* nothing: the address itself or, with a @size of 4 or
					 * 8, the word there is the length of the item behind it,
					 * which is BYTES or SKIP. It is 0 if it cannot be read */
#define KCATCH_ITEM_BYTES	6	/* as STRING, with min(length, @size) bytes of any value:
					 * all of them or (`faults`) none; `cut` if length was
					 * larger. Behind a LENGTH only */
#define KCATCH_ITEM_PATH	7	/* as STRING, with a path of at most @size bytes: there
					 * is a struct path, and the path starts at the root of
					 * all; pipes, sockets, namespaces and anonymous files as
					 * /proc/PID/fd shows them. `cut`: the beginning is
					 * missing */
#define KCATCH_ITEM_DENTRY	8	/* as PATH: there is a struct dentry, and the path starts
					 * at the root of its mount */
#define KCATCH_ITEM_CHARS	9	/* exactly @size bytes (a multiple of 8): the string
					 * there up to its null byte, at most @size or, unless it
					 * is 0, @limit bytes, then zeros. For conditions */
#define KCATCH_ITEM_SKIP	10	/* nothing: the word of @size bytes (1, 2, 4, 8) there is
					 * what the item behind it, which is MEMORY, leaves out at
					 * its beginning: its address is larger by it, and its
					 * length smaller. The length is 0 if it is not larger
					 * than that, or if this cannot be read. Behind a LENGTH
					 * only */

/**
 * struct kcatch_item - one item of the data that a list puts
 * @from: KCATCH_ITEM_ARG..LATENCY
 * @put: KCATCH_ITEM_VALUE..SKIP
 * @index: as @from describes it, else 0
 * @nr_hops: pointers that are followed
 * @size: bytes, as @put describes it, else 0
 * @limit: bytes, as @put describes it, else 0
 * @first_hop: index of the first one in the program's @hops; 0 without one
 * @reserved: 0
 * @start: bytes or level, as @from describes it, else 0
 * @offset: bytes, added to the value behind the last hop
 *
 * A hop replaces the value by the word at the value and the hop, bytes. Reading memory never faults
 * and never waits: unreadable memory (a bad address, paged out, or device memory) makes the item
 * faulty. A faulty item is zeros (or an empty string), and its bit in the `faults` word is set; an
 * item has the bit of its index among those that put something. An address below the kernel's half
 * is read as the current task's memory.
 */
struct kcatch_item {
	__u8  from;
	__u8  put;
	__u8  index;
	__u8  nr_hops;
	__u16 size;
	__u16 limit;
	__u16 first_hop;
	__u16 reserved;
	__s32 start;
	__s32 offset;
};

/*
 * Lists of the most frequent tracepoints, which have hooks of their own in the module
 * (struct kcatch_program.shape). The entry's list is as it says, with the offsets of this kernel's
 * structs. WORD is one of 8 bytes.
 */
#define KCATCH_SHAPE_NONE	0	/* any list */
#define KCATCH_SHAPE_ARG	1	/* argument 0 (softirqs, interrupts) */
#define KCATCH_SHAPE_ENTER	2	/* the entry of a system call: argument 1; MEMORY, the 8
					 * words of struct pt_regs from r10 to di behind argument
					 * 0 */
#define KCATCH_SHAPE_EXIT	3	/* its exit: the WORD orig_ax behind argument 0; argument
					 * 1 */
#define KCATCH_SHAPE_CALL	4	/* the first arguments of one system call: 0 to 6 WORDs
					 * behind argument 0, of di, si, dx, r10, r8 and r9; then
					 * nothing or one MEMORY with a hop by one of these
					 * registers */
#define KCATCH_SHAPE_RET	5	/* what one system call returns: argument 1 */
#define KCATCH_SHAPE_SWITCH	6	/* a switch of tasks: arguments 0 to 3; MEMORY, comm of
					 * struct task_struct behind argument 1; its pid, a WORD
					 * of 4 bytes; the same behind argument 2 */

/*
 * A condition is code (uapi/kcatch_code.h). It does not hold if it ends by KCATCH_EXIT_NO; whether
 * it holds is not known if it ends by KCATCH_EXIT_UNKNOWN. A condition on the return sees
 * arguments, fields and the thread as they were at the entry, but for the CPU. Where it is
 * undecided and the return is hooked, items of user memory that could not be read at the entry are
 * read again at the return, and the condition is asked then; such a call makes one record at its
 * return, KCATCH_RECORD_CALL.
 */

/**
 * struct kcatch_list - an array of items, hops, operations or bytes in user memory
 * @at: user pointer; 0 if @nr is 0
 * @nr: number of items, 0..KCATCH_LIST_MAX, hops, 0..KCATCH_HOPS_MAX, operations,
 *	0..KCATCH_OPS_MAX, or bytes, 0..KCATCH_TEXTS_MAX
 * @reserved: 0
 */
struct kcatch_list {
	__u64 at;
	__u32 nr;
	__u32 reserved;
};

/* struct kcatch_program.flags */
#define KCATCH_PROGRAM_ENTRY_ONLY (1U << 0)	/* do not hook the returns of these probes,
						 * although their group does */
#define KCATCH_PROGRAM_KEYED	(1U << 1)	/* one event of many that share a tracepoint: what
						 * has another value than the constant that the
						 * entry condition asks for first is no hit of
						 * the probe, and no counter has it. For
						 * tracepoints alone. EINVAL: the condition does
						 * not begin so; BIND: another kind of probe */

/**
 * struct kcatch_program - values to fetch, and conditions on recording
 * @entry: struct kcatch_item, put into the record at the entry
 * @at_return: struct kcatch_item, put into the record at the return
 * @fields: struct kcatch_item, put at the entry for the conditions (KCATCH_FROM_FIELD),
 *	before the condition is evaluated. Of fixed size: VALUE, WORD, MEMORY and CHARS
 * @entry_condition: struct kcatch_op, evaluated at the entry; if it does not hold, the
 *	hit is filtered
 * @return_condition: struct kcatch_op, evaluated at the return, likewise
 * @texts: bytes that the conditions compare texts with
 * @hops: __s32, bytes: those of the items of all lists
 * @flags: KCATCH_PROGRAM_*
 * @user_stack: bytes of the thread's user stack to record at the entry, up to
 *	KCATCH_USER_STACK_MAX and the size of a packet, a multiple of 8; 0: none. BIND
 *	refuses it for a tracepoint, event or watchpoint of a group with
 *	KCATCH_ADD_NO_STACK (EINVAL)
 * @user_maps: with @user_stack: bytes for the mappings of the thread's process, up to
 *	KCATCH_USER_MAPS_MAX, a multiple of 8; what the stack leaves of its own is used, too. 0: no
 *	mappings. A record is without them where they could not be read without waiting
 * @number: out: the program's number for BIND, from 1
 * @bad_list: out: the refused list: 0 entry, 1 at_return, 2 fields,
 *	3 entry_condition, 4 return_condition, 5 texts, 6 hops; ~0: none of them
 * @bad_item: out: index of the refused item or operation in @bad_list
 * @tasks: for tracepoints alone: a bit for each register argument, 0..5, that points to a struct
 *	task_struct. The group's gate lets a hit pass when it lets the current thread pass or the
 *	process of one of these: so events about two threads (a switch, a wakeup) are whole. BIND
 *	refuses it for other probes (EINVAL)
 * @shape: KCATCH_SHAPE_*: what the entry's list is; EINVAL: it is not (@bad_list 0)
 *
 * Errors, besides EFAULT and ENOMEM: EINVAL a list does not conform to this page,
 * E2BIG a list is too long or puts too many bytes, EBUSY the session runs.
 */
struct kcatch_program {
	struct kcatch_list entry;
	struct kcatch_list at_return;
	struct kcatch_list fields;
	struct kcatch_list entry_condition;
	struct kcatch_list return_condition;
	struct kcatch_list texts;
	struct kcatch_list hops;
	__u32 flags;
	__u32 user_stack;
	__u32 number;
	__u32 bad_list;
	__u32 bad_item;
	__u32 tasks;
	__u32 shape;
	__u32 user_maps;
};

/**
 * struct kcatch_binding - assigns a program to one probe, or to future probes by name
 * @probe: number of the probe; ~0: by name
 * @group: by name: the group that waits for a module (KCATCH_TARGET_PENDING)
 * @program: number of the program; 0: none (a plain record)
 * @name_len: by name: bytes at @name, without a null byte; else 0
 * @name: by name: user pointer to [module:]symbol. Functions of this name get the
 *	program when the module is loaded, before their first call. If @name equals the
 *	text of a target, the program is for those functions of the target that have none
 *	by their own name; a target with an @offset has the program of its text, "+0x" and
 *	the offset in hexadecimal (lower case, no leading zeros), and no other. A function
 *	whose return cannot be hooked is not armed if the program has a condition on the
 *	return
 */
struct kcatch_binding {
	__u32 probe;
	__u32 group;
	__u32 program;
	__u32 name_len;
	__u64 name;
};

/**
 * struct kcatch_bind - assign programs to probes
 * @nr: number of bindings
 * @done: out: number of bindings done before the first bad one
 * @bindings: user pointer to @nr struct kcatch_binding
 *
 * Errors, besides EFAULT and ENOMEM: EINVAL no such probe, group or program, or a
 * condition on a return that is not hooked; E2BIG the records would not fit into a
 * packet; ENAMETOOLONG a name longer than any function name; EINTR interrupted by a signal;
 * EBUSY the session runs.
 */
struct kcatch_bind {
	__u32 nr;
	__u32 done;
	__u64 bindings;
};

/* ---- SYMBOL: addresses to names --------------------------------------- */

/**
 * struct kcatch_symbol - name of a kernel address
 * @address: in: the address
 * @offset: out: bytes from the start of the symbol
 * @size: out: bytes of the symbol
 * @name: out: null-terminated; empty if unknown. Functions of modules that this session
 *	waited for remain known after the module is unloaded
 * @module: out: null-terminated; empty for the kernel itself
 */
struct kcatch_symbol {
	__u64 address;
	__u32 offset;
	__u32 size;
	char  name[KCATCH_NAME_LEN];
	char  module[64];
};

#define KCATCH_SYMBOL_OF_PROBE	(1U << 0)

/**
 * struct kcatch_symbol_then - what was at a kernel address when a record was made
 * @time: in: the record's time, on the session's clock; out: when a module that the session waits
 *	for last came, had run its init, or went: since then each address has had the same name
 * @probe: in, with KCATCH_SYMBOL_OF_PROBE: a probe of the session, whose address and time count
 *	instead of @symbol.address and @time
 * @flags: KCATCH_SYMBOL_OF_PROBE or 0
 * @symbol: as in SYMBOL. A session that waits for functions of modules knows which of these modules
 *	was where and when, for the last 1024 that came, and the names of the functions of 16 of
 *	them. What is not known any more has no name; other modules are taken for what they are now
 *
 * Errors: EINVAL bad flags, or no such probe.
 */
struct kcatch_symbol_then {
	__u64 time;
	__u32 probe;
	__u32 flags;
	struct kcatch_symbol symbol;
};

#include <uapi/kcatch_count.h>
#include <uapi/kcatch_under_way.h>

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
#define KCATCH_IOC_TABLE	_IOWR('k', 0xce, struct kcatch_new_table)
#define KCATCH_IOC_COUNT	_IOW('k', 0xcf, struct kcatch_count)
#define KCATCH_IOC_SWAP		_IOW('k', 0xd0, struct kcatch_swap)
#define KCATCH_IOC_ROWS		_IOWR('k', 0xd1, struct kcatch_rows)
#define KCATCH_IOC_SYMBOLS	_IOWR('k', 0xd2, struct kcatch_query)
#define KCATCH_IOC_SYMBOL_THEN	_IOWR('k', 0xd3, struct kcatch_symbol_then)
#define KCATCH_IOC_PAIRS        _IOW('k', 0xd4, struct kcatch_new_pairs)
#define KCATCH_IOC_PAIR         _IOW('k', 0xd5, struct kcatch_pair)
#define KCATCH_IOC_PAIRED       _IOR('k', 0xd6, struct kcatch_pair_counts)
#define KCATCH_IOC_UNDER_WAY    _IOWR('k', 0xd7, struct kcatch_under_way)

/* ioctls on debugfs ktrace/buffers/cpuN, see kcatch(4). Positions are those of the ring. */
#define KCATCH_KTRACE_GET_SIZE		_IOR('k', 0xe0, __u64)	/* bytes of data */
#define KCATCH_KTRACE_GET_PRODUCED	_IOR('k', 0xe1, __u64)
#define KCATCH_KTRACE_GET_CONSUMED	_IOR('k', 0xe2, __u64)	/* at least the start of
								 * the oldest packet */
#define KCATCH_KTRACE_PUT_CONSUMED	_IOW('k', 0xe3, __u64)	/* EINVAL: goes back, past
								 * produced, or into a
								 * record */

#endif
