/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * What is in the rings: the mapped pages, packets and records of the contract in
 * uapi/kcatch.h, which includes this.
 */
#ifndef _UAPI_KCATCH_RING_H
#define _UAPI_KCATCH_RING_H

#include <linux/types.h>

#define KCATCH_COMM_LEN		16	/* with the end mark, as in the kernel */

/* mmap offsets. The length is one page for the consumer, and one page and
 * ring_size bytes for the ring. ENXIO: that CPU has no ring (it is offline). */
#define KCATCH_MMAP_RING(cpu)		((__u64)(cpu) << 32)
#define KCATCH_MMAP_CONSUMER(cpu)	(((__u64)(cpu) << 32) | 0x80000000ULL)

/**
 * struct kcatch_ring_page - first page of the read-only mapping
 * @produced: position below which all records are complete
 * @overwritten: position below which data may have been overwritten: also the bytes
 *	of all packets that were (0 in discard mode)
 * @discarded: hits that found no room, of all probes of the session
 * @ring_size: bytes of the data that follows this page
 * @packet_size: bytes of a packet
 * @cpu: whose ring
 * @data_offset: where the data starts in this mapping: the size of a page
 * @mode: KCATCH_RING_*
 * @reserved: 0
 * @uuid: as in the packets
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

/*
 * struct kcatch_record.id: what kind of record, of which probe. In one number, as all
 * records of one id have the same fields: so it is the id of a CTF event class.
 */
#define KCATCH_RECORD_ID(kind, probe)	((kind) | (__u32)(probe) << 4)
#define KCATCH_RECORD_KIND(id)		((id) & 15)
#define KCATCH_RECORD_PROBE(id)		((id) >> 4)
#define KCATCH_PROBES_MAX	(1U << 28)	/* numbers of one session */

#define KCATCH_RECORD_HIT	1	/* struct kcatch_hit: a probe without a program or return */
#define KCATCH_RECORD_ENTRY	2	/* struct kcatch_hit, then struct kcatch_call_part */
#define KCATCH_RECORD_RETURN	3	/* struct kcatch_return */
#define KCATCH_RECORD_CALL	4	/* as ENTRY: entry and return in one, made at the return */
#define KCATCH_RECORD_EVENT	5	/* struct kcatch_event_record: a tracepoint or DO_TRACE
					 * event without a stack. With one it is an ENTRY
					 * whose `call` is 0 */
#define KCATCH_RECORD_MARKED	6	/* the same; the data begins with __u64 faults, __u64 cut,
					 * as its program's entry list has other steps than
					 * ARG, TASK, ADD and PUT */

/**
 * struct kcatch_record - what every record starts with
 * @id: KCATCH_RECORD_ID()
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
 * @pid: process (thread group) number in the first pid namespace; 0: idle
 * @tid: thread number
 * @comm: command, padded with zeros
 * @context: KCATCH_CONTEXT_*
 * @stack_flags: KCATCH_STACK_*
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
	__u32 pid;
	__u32 tid;
	char  comm[KCATCH_COMM_LEN];
	__u8  context;
	__u8  stack_flags;
	__u16 nr_frames;
	__u8  interrupted[4];
	__u64 frames[];
};

/**
 * struct kcatch_call_part - what follows the frames of an ENTRY or CALL
 * @call: ENTRY: the RETURN of the same number belongs to it (never used twice in a
 *	session); 0: none will come
 * @latency: CALL: nanoseconds between entry and return. (The head's time is that of
 *	the return: entry time is found by subtracting.)
 * @ret: CALL: return value, the whole register
 * @faults: items that could not be read: [0] of the entry, [1] of the return
 * @cut: items that are longer than what was fetched, alike
 * @size: bytes of the data, alike
 * @user_size: bytes of what follows the data: 0, or struct kcatch_user
 * @data: items of the entry, then of the return, then struct kcatch_user
 */
struct kcatch_call_part {
	__u64 call;
	__u64 latency;
	__u64 ret;
	__u64 faults[2];
	__u64 cut[2];
	__u16 size[2];
	__u32 user_size;
	__u8  data[];
};

/**
 * struct kcatch_return - a call that was recorded has returned
 * @pid: process
 * @tid: thread
 * @call: of the ENTRY
 * @latency: nanoseconds
 * @ret: return value, the whole register
 * @faults: items that could not be read
 * @cut: items that are longer
 * @size: bytes of @data
 * @reserved: 0
 * @data: items of the return
 */
struct kcatch_return {
	struct kcatch_record head;
	__u32 pid;
	__u32 tid;
	__u64 call;
	__u64 latency;
	__u64 ret;
	__u64 faults;
	__u64 cut;
	__u32 size;
	__u32 reserved;
	__u8  data[];
};

/**
 * struct kcatch_event_record - an event
 * @pid: process (thread group) number in the first pid namespace; 0: idle
 * @tid: thread number
 * @data: of a tracepoint: items of its program's entry list. Of a DO_TRACE event: the
 *	arguments' own bytes one after the other, nothing between them; texts with
 *	their end mark; zeros up to a multiple of 8
 */
struct kcatch_event_record {
	struct kcatch_record head;
	__u32 pid;
	__u32 tid;
	__u8  data[];
};

/**
 * struct kcatch_watch_data - data of a record of a WATCH
 * @old: what the last hit left there, at first what stood there when it was armed
 * @now: what stands there now; both zero-extended
 * @ip: address behind the instruction that did it
 * @address: of the memory
 * @size: bytes
 * @kind: KCATCH_WATCH_*
 *
 * An ENTRY whose `call` is 0, its stack from the caller of the function at @ip on; without
 * a stack an EVENT. Conditions see these as args[0] to args[5].
 */
struct kcatch_watch_data {
	__u64 old;
	__u64 now;
	__u64 ip;
	__u64 address;
	__u64 size;
	__u64 kind;
};

#define KCATCH_USER_STACK_MAX	65536U

/**
 * struct kcatch_user - where the thread was in user mode
 * @regs: its registers when it entered the kernel, in the order of struct
 *	pt_regs: r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs
 *	flags sp ss
 * @size: bytes of @stack: what could be read from @sp on
 * @flags: KCATCH_USER_*
 * @stack: the memory at sp
 */
struct kcatch_user {
	__u64 regs[21];
	__u32 size;
	__u32 flags;
	__u8  stack[];
};

#define KCATCH_USER_KERNEL_THREAD 1	/* there is no user mode: regs are 0 */

/* ---- memory dumps --------------------------------------------------------------- */

#define KCATCH_DUMP_MAP_MAGIC	"kcatch ring map"	/* with its end mark: 16 bytes */
#define KCATCH_DUMP_MAP_PAGES	500

/**
 * struct kcatch_dump_map - at the start of a page of memory: where a ring's pages are
 * @magic: KCATCH_DUMP_MAP_MAGIC
 * @uuid: of the session
 * @self: physical address of this page: a copy of it elsewhere is none
 * @next: the kernel's own
 * @ring_page: physical address of the page with struct kcatch_ring_page
 * @ring_size: bytes of the ring
 * @packet_size: bytes of its packets
 * @cpu: whose it is
 * @first: which page of the ring (of 4 KiB) comes first in @pages
 * @nr: how many of @pages are used; other pages of the ring are in other maps
 * @reserved: 0
 * @pages: physical addresses
 *
 * Who looks through all pages of a dump for the magic finds every ring of every session.
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
