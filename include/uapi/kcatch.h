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
 * Counters
 *   For each probe and CPU
 *       hits = recorded + filtered + over_budget + missed + lost
 *   holds whenever the session is stopped. Each term is counted where it
 *   happens. A hit is a call of an armed function while the session runs.
 *       recorded     a record of it is in the ring
 *       filtered     the gate (or a filter) did not want it
 *       over_budget  it came after the last of the N that were asked for
 *       missed       the hook could not look at it (it hit our own work)
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
 *   poll() says POLLIN when a packet is full or when a group spent its budget,
 *   never once a record. A reader that wants records sooner looks at
 *   `produced` by its own clock. POLLHUP is said when every probe of the
 *   session has spent its budget or its module has gone.
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

#define KCATCH_DEVICE		"/dev/kcatch"
#define KCATCH_ABI		1

#define KCATCH_COMM_LEN		16	/* with the end mark, as in the kernel */
#define KCATCH_NAME_LEN		512	/* the kernel's KSYM_NAME_LEN, 128 before 6.1 */
#define KCATCH_DEPTH_DEFAULT	64
#define KCATCH_DEPTH_MAX	256	/* frames */
#define KCATCH_TARGETS_MAX	(1U << 20)

/* ---- INFO ------------------------------------------------------------- */

/* struct kcatch_info.features */
#define KCATCH_FEATURE_FTRACE	(1ULL << 0)	/* ftrace hooks are built in */
#define KCATCH_FEATURE_KPROBE	(1ULL << 1)	/* kprobes are built in */
#define KCATCH_FEATURE_MATCH	(1ULL << 2)	/* names and patterns are resolved in the kernel */
#define KCATCH_FEATURE_ORC	(1ULL << 3)	/* own stack walker passed its self-test */

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
#define KCATCH_RING_OVERWRITE	1	/* flight recorder: not yet, EOPNOTSUPP */

#define KCATCH_RING_SIZE_MIN	8192U
#define KCATCH_RING_SIZE_MAX	(256U << 20)
#define KCATCH_PACKET_SIZE_MIN	4096U
#define KCATCH_PACKET_SIZE_MAX	(1U << 20)

/**
 * struct kcatch_setup - the rings of a session; once, before the first ADD
 * @ring_size: bytes a CPU, a power of two, at least two packets
 * @packet_size: bytes, a power of two
 * @mode: KCATCH_RING_*
 * @flags: 0
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
/* Or'ed into the kind: when it exists and cannot be traced (EADDRNOTAVAIL,
 * EPERM), leave it alone, with nr_skipped 1 and the reason in error, and go on. */
#define KCATCH_TARGET_OPTIONAL	(1U << 8)

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
						 * that writes what it caught would catch itself */

/**
 * struct kcatch_add - arm one group of probes
 * @flags: KCATCH_ADD_*
 * @depth: most frames of a stack, 1..KCATCH_DEPTH_MAX; 0: the default
 * @budget: records the whole group may make; 0: without limit
 * @pid: process number in the caller's pid namespace
 * @comm: whole command name, padded with zeros
 * @nr_targets: how many
 * @targets: user pointer to that many struct kcatch_target
 * @first_probe: out: number of the first new probe
 * @nr_probes: out: how many; they are numbered one after the other, in the
 *	order of the targets
 * @group: out: number of the group
 * @bad_target: out: which target made ADD fail (~0: none of them)
 *
 * Errors, besides EFAULT, EINVAL and ENOMEM: ENOENT no such function, EBUSY
 * the tracing it needs is switched off (sysctl kernel.ftrace_enabled),
 * EADDRNOTAVAIL it exists and has no place to hook (notrace, blacklisted,
 * not at an instruction), ERANGE the offset lies behind its end, EPERM it is on the list of functions that bring the
 * machine down, ESRCH no such process, E2BIG more than KCATCH_TARGETS_MAX,
 * ENAMETOOLONG a name nothing can have, EOPNOTSUPP a pattern where INFO lacks
 * KCATCH_FEATURE_MATCH, EINTR a signal came.
 */
struct kcatch_add {
	__u32 flags;
	__u32 depth;
	__u64 budget;
	__u32 pid;
	__u32 nr_targets;
	char  comm[KCATCH_COMM_LEN];
	__u64 targets;
	__u32 first_probe;
	__u32 nr_probes;
	__u32 group;
	__u32 bad_target;
};

/* ---- PROBES: what is armed, and the counters --------------------------- */

#define KCATCH_MECHANISM_FTRACE	0
#define KCATCH_MECHANISM_KPROBE	1

/* struct kcatch_probe_info.flags */
#define KCATCH_PROBE_DETACHED	(1U << 0)	/* budget spent or module gone */
#define KCATCH_PROBE_GONE	(1U << 1)	/* its module has gone */

/**
 * struct kcatch_probe_info - one probe
 * @address: where it stands
 * @group: its group
 * @offset: bytes from the start of the function asked for
 * @mechanism: KCATCH_MECHANISM_*
 * @flags: KCATCH_PROBE_*
 */
struct kcatch_probe_info {
	__u64 address;
	__u32 group;
	__u32 offset;
	__u16 mechanism;
	__u16 flags;
	__u32 reserved;
};

/**
 * struct kcatch_counters - the terms of the equation, and a spare pair
 */
struct kcatch_counters {
	__u64 hits;
	__u64 recorded;
	__u64 filtered;
	__u64 over_budget;
	__u64 missed;
	__u64 lost;
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
 */
struct kcatch_status {
	__u32 running;
	__u32 nr_probes;
	__u32 nr_attached;
	__u32 nr_rings;
	__u64 ring_bytes;
	__u64 reserved[3];
};

/* ---- SYMBOL: addresses to names --------------------------------------- */

/**
 * struct kcatch_symbol - name of a kernel address
 * @address: in
 * @offset: out: bytes from the start of @name
 * @size: out: bytes of the symbol
 * @name: out: with an end mark; empty when nobody knows it
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

/* mmap offsets. The length is one page for the consumer, and one page and
 * ring_size bytes for the ring. ENXIO: that CPU has no ring (it is offline). */
#define KCATCH_MMAP_RING(cpu)		((__u64)(cpu) << 32)
#define KCATCH_MMAP_CONSUMER(cpu)	(((__u64)(cpu) << 32) | 0x80000000ULL)

/**
 * struct kcatch_ring_page - first page of the read-only mapping
 * @produced: position below which all records are complete
 * @overwritten: position below which data may have been overwritten (0 in
 *	discard mode)
 * @discarded: hits that found no room, of all probes of the session
 * @ring_size: bytes of the data that follows this page
 * @packet_size: bytes of a packet
 * @cpu: whose ring
 * @data_offset: where the data starts in this mapping: the size of a page
 */
struct kcatch_ring_page {
	__u64 produced;
	__u64 overwritten;
	__u64 discarded;
	__u32 ring_size;
	__u32 packet_size;
	__u32 cpu;
	__u32 data_offset;
};

/** struct kcatch_consumer_page - written by the reader, believed by nobody */
struct kcatch_consumer_page {
	__u64 consumed;
};

/* ---- packets and records ----------------------------------------------- */

#define KCATCH_PACKET_MAGIC	0xC1FC1FC1U	/* CTF 1.8 */

/**
 * struct kcatch_packet - CTF packet header and packet context
 * @content_size: bits of header and records; set when the packet is left
 * @discarded: events_discarded of CTF: all lost so far on this CPU
 * @sequence: packet_seq_num, from 0
 */
struct kcatch_packet {
	__u32 magic;
	__u32 stream_id;		/* 0 */
	__u8  uuid[16];			/* one a session */
	__u64 timestamp_begin;
	__u64 timestamp_end;
	__u64 content_size;
	__u64 packet_size;		/* bits */
	__u64 discarded;
	__u64 sequence;
	__u32 cpu;
	__u32 reserved;
};

/* struct kcatch_record.id */
#define KCATCH_RECORD_HIT	1

/**
 * struct kcatch_record - what every record starts with
 * @id: KCATCH_RECORD_*
 * @size: bytes of the whole record, a multiple of 8
 * @time: the session's clock; never goes back within a ring
 */
struct kcatch_record {
	__u32 id;
	__u32 size;
	__u64 time;
};

/* struct kcatch_hit.context: where the call came from */
#define KCATCH_CONTEXT_TASK	0
#define KCATCH_CONTEXT_SOFTIRQ	1
#define KCATCH_CONTEXT_HARDIRQ	2
#define KCATCH_CONTEXT_NMI	3
#define KCATCH_CONTEXT_MASK	3
#define KCATCH_CONTEXT_IRQS_OFF	4	/* interrupts were off at the call */

/* struct kcatch_hit.stack_flags: why a stack is not the whole truth */
#define KCATCH_STACK_COMPLETE	1	/* reached user mode or the thread's start */
#define KCATCH_STACK_DEPTH	2	/* cut at the depth asked for */
#define KCATCH_STACK_BROKEN	4	/* the unwinder gave up after the last frame */
#define KCATCH_STACK_NONE	8	/* not asked for */

/* A frame that stands for one or more of kcatch's own: an interrupt landed in
 * a hook and met a probe, and what was interrupted follows; or the module's
 * ioctl code called the function. No address is this small. */
#define KCATCH_FRAME_SELF	1ULL

/**
 * struct kcatch_hit - a caught call
 * @probe: number of the probe
 * @context: KCATCH_CONTEXT_*
 * @stack_flags: KCATCH_STACK_*
 * @pid: process (thread group) number in the first pid namespace; 0: idle
 * @tid: thread number
 * @comm: command, padded with zeros
 * @nr_frames: frames that follow
 * @interrupted: index + 1 of up to 4 frames that were interrupted rather than
 *	left by a call, innermost first, 0 where there are no more (indices
 *	above 254 are not noted). A symbol is looked up at the frame's address
 *	itself there, and at address - 1 everywhere else: a return address may
 *	already belong to the next function.
 * @frames: innermost first, the true caller foremost; return addresses, or
 *	where the code was interrupted, or KCATCH_FRAME_SELF
 */
struct kcatch_hit {
	struct kcatch_record head;
	__u32 probe;
	__u16 context;
	__u16 stack_flags;
	__u32 pid;
	__u32 tid;
	char  comm[KCATCH_COMM_LEN];
	__u32 nr_frames;
	__u8  interrupted[4];
	__u64 frames[];
};

#endif
