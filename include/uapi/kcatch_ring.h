/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Contents of the rings: the mapped pages, packets and records. Part of the contract in
 * uapi/kcatch.h, which includes this header.
 */
#ifndef _UAPI_KCATCH_RING_H
#define _UAPI_KCATCH_RING_H

#include <linux/types.h>

#define KCATCH_COMM_LEN		16	/* bytes, with the null byte, as in the kernel */

/* mmap offsets. The length is one page for the consumer page, and one page plus
 * ring_size bytes for the ring. ENXIO: the CPU has no ring (it is offline). */
#define KCATCH_MMAP_RING(cpu)		((__u64)(cpu) << 32)
#define KCATCH_MMAP_CONSUMER(cpu)	(((__u64)(cpu) << 32) | 0x80000000ULL)

/**
 * struct kcatch_ring_page - first page of the read-only mapping
 * @produced: position below which all records are complete
 * @overwritten: position below which data may have been overwritten, and the number of
 *	bytes overwritten so far; 0 in discard mode
 * @discarded: hits and returns that found no room, over all probes of the session
 * @ring_size: bytes of the data that follow this page
 * @packet_size: bytes of a packet
 * @cpu: CPU of this ring
 * @data_offset: offset of the data in this mapping, bytes: the size of a page
 * @mode: KCATCH_RING_*
 * @reserved: 0
 * @uuid: UUID of the session, as in the packets
 */
struct kcatch_ring_page {
	__u64 produced;
	__u64 overwritten;
	__u64 discarded;
	__u32 ring_size;
	__u32 packet_size;
	__u32 cpu;
	__u32 data_offset;
	__u32 mode;
	__u32 reserved;
	__u8  uuid[16];
};

/**
 * struct kcatch_consumer_page - the reader's page
 * @consumed: position below which the reader needs no data; the kernel checks it
 */
struct kcatch_consumer_page {
	__u64 consumed;
};

/* ---- packets and records ----------------------------------------------- */

#define KCATCH_PACKET_MAGIC	0xC1FC1FC1U	/* CTF 1.8 */

/**
 * struct kcatch_packet - CTF packet header and packet context
 * @magic: KCATCH_PACKET_MAGIC
 * @stream_id: 0
 * @uuid: one for each session
 * @timestamp_begin: the session's clock when the packet was begun
 * @timestamp_end: the session's clock when the writer left the packet; set then
 * @content_size: bits of header and records; set when the writer leaves the packet
 * @packet_size: bits of the packet
 * @discarded: events_discarded of CTF: hits and returns lost on this CPU so far; set
 *	when the writer leaves the packet
 * @sequence: packet_seq_num of CTF, from 0
 * @cpu: CPU of the ring
 * @reserved: 0
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

/*
 * struct kcatch_record.id: the kind of the record and the number of its probe. All
 * records of one id have the same fields, so it is the id of a CTF event class.
 */
#define KCATCH_RECORD_ID(kind, probe)	((kind) | (__u32)(probe) << 4)
#define KCATCH_RECORD_KIND(id)		((id) & 15)
#define KCATCH_RECORD_PROBE(id)		((id) >> 4)
#define KCATCH_PROBES_MAX	(1U << 28)	/* probe numbers of one session */

#define KCATCH_RECORD_HIT	1	/* struct kcatch_hit: a probe without a program or return */
#define KCATCH_RECORD_ENTRY	2	/* struct kcatch_hit, then struct kcatch_call_part */
#define KCATCH_RECORD_RETURN	3	/* struct kcatch_return */
#define KCATCH_RECORD_CALL	4	/* layout of ENTRY; entry and return in one record, made at
					 * the return */
#define KCATCH_RECORD_EVENT	5	/* struct kcatch_event_record: a tracepoint or DO_TRACE
					 * event without a stack. (An event with a stack is
					 * an ENTRY whose `call` is 0.) */
#define KCATCH_RECORD_MARKED	6	/* as EVENT; the data begin with __u64 faults, __u64 cut,
					 * because the program's entry list has other items
					 * than VALUEs of ARG, TASK, CGROUP and LATENCY without a
					 * hop */

/**
 * struct kcatch_record - start of every record
 * @id: KCATCH_RECORD_ID()
 * @size: bytes of the whole record, a multiple of 8
 * @time: the session's clock; never goes back within a ring
 */
struct kcatch_record {
	__u32 id;
	__u32 size;
	__u64 time;
};

/* struct kcatch_hit.context: context of the call */
#define KCATCH_CONTEXT_TASK	0
#define KCATCH_CONTEXT_SOFTIRQ	1
#define KCATCH_CONTEXT_HARDIRQ	2
#define KCATCH_CONTEXT_NMI	3
#define KCATCH_CONTEXT_MASK	3
#define KCATCH_CONTEXT_IRQS_OFF	4	/* interrupts were off at the call */

/* struct kcatch_hit.stack_flags: how a stack ends */
#define KCATCH_STACK_COMPLETE	1	/* it reaches user mode or the thread's start */
#define KCATCH_STACK_DEPTH	2	/* cut at the requested depth */
#define KCATCH_STACK_BROKEN	4	/* the unwinder gave up after the last frame */
#define KCATCH_STACK_NONE	8	/* no stack was requested */

/* A frame that stands for one or more of kcatch's own frames: an interrupt arrived in a
 * hook and hit a probe, and the interrupted frames follow; or the module's ioctl code
 * called the function. No address is this small. */
#define KCATCH_FRAME_SELF	1ULL
/* A frame whose return another tracer has hooked, where the true return address could not be found:
 * who called is not known. It is the last frame of a stack that is BROKEN. */
#define KCATCH_FRAME_HOOKED	2ULL

/**
 * struct kcatch_hit - a caught call
 * @head: kind HIT, ENTRY or CALL
 * @pid: process (thread group) ID in the initial PID namespace; 0: idle
 * @tid: thread ID in the initial PID namespace
 * @comm: command, padded with zeros
 * @context: KCATCH_CONTEXT_*
 * @stack_flags: KCATCH_STACK_*
 * @nr_frames: number of @frames, 0..KCATCH_DEPTH_MAX
 * @interrupted: index + 1 of up to 4 interrupted frames, innermost first; 0 where there
 *	are no more (indices above 254 are not noted). The symbol of an interrupted frame
 *	is looked up at the address itself, that of any other frame at address - 1,
 *	because a return address may already belong to the next function.
 * @frames: innermost first, starting with the true caller: return addresses, addresses
 *	of interrupted instructions, KCATCH_FRAME_SELF, or KCATCH_FRAME_HOOKED
 */
struct kcatch_hit {
	struct kcatch_record head;
	__u32 pid;
	__u32 tid;
	char  comm[KCATCH_COMM_LEN];
	__u8  context;
	__u8  stack_flags;
	__u16 nr_frames;
	__u8  interrupted[4];
	__u64 frames[];
};

/* switches of struct kcatch_call_part and struct kcatch_return: the kernel does not let the module
 * see switches of tasks, or returns are hooked in the public way. */
#define KCATCH_SWITCHES_UNKNOWN	(~0U)

/**
 * struct kcatch_call_part - second part of an ENTRY or CALL, after the frames
 * @call: ENTRY: number of the call, which its RETURN has too (never used twice in a
 *	session); 0: no RETURN will follow. CALL: the session's clock at the entry (0 in
 *	recordings of releases before it was written)
 * @latency: CALL: nanoseconds between entry and return. (The head's time is that of
 *	the record: an interrupt can have come between it and the return.)
 * @runnable: CALL: of it the nanoseconds that the thread waited for a CPU
 * @blocked: CALL: of it the nanoseconds that it was blocked: neither on a CPU nor waiting for one
 * @ret: CALL: return value, the whole register
 * @faults: one bit for each item that could not be read, lowest bit first: [0] of the
 *	entry, [1] of the return
 * @cut: one bit for each item that is longer than what was fetched: [0], [1] as in @faults.
 *	CALL: an item of the entry with its bit in both was user memory that could not be read at
 *	the entry; it was read at the return
 * @size: bytes of the items: [0], [1] as in @faults
 * @user_size: bytes that follow the items: 0, or struct kcatch_user
 * @switches: CALL: how often the thread was switched out between entry and return;
 *	KCATCH_SWITCHES_UNKNOWN: @runnable and @blocked are not known, and are 0
 * @reserved: 0
 * @data: items of the entry, items of the return, struct kcatch_user
 */
struct kcatch_call_part {
	__u64 call;
	__u64 latency;
	__u64 runnable;
	__u64 blocked;
	__u64 ret;
	__u64 faults[2];
	__u64 cut[2];
	__u16 size[2];
	__u32 user_size;
	__u32 switches;
	__u32 reserved;
	__u8  data[];
};

/**
 * struct kcatch_return - the return of a recorded call
 * @head: kind RETURN
 * @pid: process ID in the initial PID namespace
 * @tid: thread ID in the initial PID namespace
 * @call: number of the call, as in its ENTRY
 * @latency: nanoseconds between entry and return
 * @runnable: of it the nanoseconds that the thread waited for a CPU
 * @blocked: of it the nanoseconds that it was blocked: neither on a CPU nor waiting for one
 * @ret: return value, the whole register
 * @faults: one bit for each item that could not be read, lowest bit first
 * @cut: one bit for each item that is longer than what was fetched
 * @size: bytes of the items
 * @switches: how often the thread was switched out between entry and return;
 *	KCATCH_SWITCHES_UNKNOWN: @runnable and @blocked are not known, and are 0
 * @data: items of the return
 */
struct kcatch_return {
	struct kcatch_record head;
	__u32 pid;
	__u32 tid;
	__u64 call;
	__u64 latency;
	__u64 runnable;
	__u64 blocked;
	__u64 ret;
	__u64 faults;
	__u64 cut;
	__u32 size;
	__u32 switches;
	__u8  data[];
};

/**
 * struct kcatch_event_record - an event without a stack
 * @head: kind EVENT or MARKED
 * @pid: process (thread group) ID in the initial PID namespace; 0: idle
 * @tid: thread ID in the initial PID namespace
 * @comm: command, padded with zeros
 * @data: tracepoint: items of its program's entry list. DO_TRACE event: the bytes of the
 *	arguments without gaps, strings with their null byte, then zeros up to a multiple
 *	of 8
 */
struct kcatch_event_record {
	struct kcatch_record head;
	__u32 pid;
	__u32 tid;
	char  comm[KCATCH_COMM_LEN];
	__u8  data[];
};

/**
 * struct kcatch_watch_data - data of the record of a WATCH
 * @old: value that the last hit left, zero-extended; at the first hit, the value when
 *	the watchpoint was armed
 * @now: value after the access, zero-extended
 * @ip: address after the accessing instruction
 * @address: address of the memory
 * @size: size of the memory, bytes
 * @kind: KCATCH_WATCH_*
 *
 * The record is an ENTRY whose `call` is 0 and whose stack starts with the caller of the
 * function at @ip; without a stack it is an EVENT. Conditions see the six members as
 * args[0] to args[5].
 */
struct kcatch_watch_data {
	__u64 old;
	__u64 now;
	__u64 ip;
	__u64 address;
	__u64 size;
	__u64 kind;
};

#define KCATCH_USER_STACK_MAX	65536U	/* bytes */

/* Registers of user mode: as many as a program of the machine has. */
#ifdef __aarch64__
#define KCATCH_USER_REGS	35
#else
#define KCATCH_USER_REGS	21
#endif

/**
 * struct kcatch_user - user-mode state of the thread
 * @regs: registers at kernel entry, in the order of struct pt_regs. x86-64:
 *	r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs flags sp ss.
 *	64-bit Arm: x0 to x30, sp, pc, pstate, and the number of the system call
 * @size: bytes of @stack that could be read
 * @flags: KCATCH_USER_*
 * @stack: the memory from sp on; behind it the mappings, if @flags says so
 */
struct kcatch_user {
	__u64 regs[KCATCH_USER_REGS];
	__u32 size;
	__u32 flags;
	__u8  stack[];
};

#define KCATCH_USER_KERNEL_THREAD 1	/* a thread of the kernel, io_uring or vhost: regs are 0 */
#define KCATCH_USER_MAPPED	2	/* struct kcatch_user_maps follows, at the next multiple of
					 * 8 bytes from @stack on */

#define KCATCH_USER_MAPS_MAX	65536U	/* bytes */

/**
 * struct kcatch_user_maps - the files that a process had mapped as code
 * @size: bytes, with this head
 * @flags: KCATCH_MAPS_*
 * @data: struct kcatch_user_map, in the order of addresses; each begins at a multiple of 8 bytes
 *
 * Neighbours of one file are one mapping, with what lies between them; what has no code is left
 * out. The vDSO is a mapping whose path is "[vdso]".
 */
struct kcatch_user_maps {
	__u32 size;
	__u32 flags;
	__u8  data[];
};

#define KCATCH_MAPS_CUT		1	/* there are more: no room, or too many to look at */

/**
 * struct kcatch_user_map - a mapped file
 * @start: its first address
 * @end: the first address behind it
 * @offset: where @start is in the file, bytes
 * @inode: the file's number; 0: none
 * @size: bytes of this structure with the path, a multiple of 8
 * @path_size: bytes of the path, without a null byte; 0: not known
 * @id_size: bytes of @id that count; 0: the file has no build ID, or it was not in memory
 * @reserved: 0
 * @id: the file's GNU build ID, as the process has it in memory. (It may have written there.)
 * @path: up to the root of its mount namespace
 */
struct kcatch_user_map {
	__u64 start;
	__u64 end;
	__u64 offset;
	__u64 inode;
	__u16 size;
	__u16 path_size;
	__u8  id_size;
	__u8  reserved[3];
	__u8  id[24];
	char  path[];
};

/* ---- memory dumps --------------------------------------------------------------- */

#define KCATCH_DUMP_MAP_MAGIC	"kcatch ring map"	/* 16 bytes, with the null byte */
#define KCATCH_DUMP_MAP_PAGES	500			/* pages of 4 KiB in one map */

/**
 * struct kcatch_dump_map - a page of memory that locates the pages of a ring
 * @magic: KCATCH_DUMP_MAP_MAGIC
 * @uuid: UUID of the session
 * @self: physical address of this page; a page at another address is a copy to ignore
 * @next: for the kernel only
 * @ring_page: physical address of the page with struct kcatch_ring_page
 * @ring_size: bytes of the ring's data
 * @packet_size: bytes of a packet
 * @cpu: CPU of the ring
 * @first: index in the ring's data of the first of @pages, in pages of 4 KiB
 * @nr: number of @pages used, up to KCATCH_DUMP_MAP_PAGES; further pages of the ring are
 *	in other maps
 * @reserved: 0
 * @pages: physical addresses of pages of the ring's data
 *
 * A search of all pages of a memory dump for the magic finds every ring of every session.
 */
struct kcatch_dump_map {
	char  magic[16];
	__u8  uuid[16];
	__u64 self;
	__u64 next;
	__u64 ring_page;
	__u32 ring_size;
	__u32 packet_size;
	__u32 cpu;
	__u32 first;
	__u32 nr;
	__u32 reserved;
	__u64 pages[KCATCH_DUMP_MAP_PAGES];
};

#endif
