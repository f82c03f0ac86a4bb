/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block_requests.h - requests and bios of block devices in a recording, and which one's end woke a
 * thread
 *
 * A driver tells of a request's end by block_rq_complete, in blk_update_request(), which then calls
 * who waits for it; bio_endio() does so with block_bio_complete. So the last one of these on the
 * CPU, in the same interrupt, softirq or task, is what woke the thread if both stacks are the same
 * from that function outwards. Otherwise nothing is known.
 *
 * Memory: 112 bytes a record.
 */
#ifndef REPORT_BLOCK_REQUESTS_H
#define REPORT_BLOCK_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorded_stacks.h"
#include "report.h"
#include "thread_states.h"
#include "wakers.h"

enum block_event {
	BLOCK_OTHER, /* it is none of these */
	BLOCK_RQ_ISSUE,
	BLOCK_RQ_COMPLETE,
	BLOCK_BIO_QUEUE,
	BLOCK_BIO_COMPLETE,
};

/**
 * struct block_record - a request or a bio begins or ends
 * @time_ns: when, CLOCK_MONOTONIC
 * @object: address of the request or of the bio
 * @sector: its first sector, of 512 bytes
 * @sectors: their number; 0: of a flush
 * @cpu: where
 * @tid: the thread that was running there
 * @stack: number of the stack; THREAD_STATES_NONE: it was not recorded
 * @kind: BLOCK_*
 * @context: what the CPU was doing
 * @disk: name of the device, untrusted bytes: "dm-0"; or its number, "254:0"
 * @operation: as tracefs has it: "WS"
 */
struct block_record {
	uint64_t time_ns;
	uint64_t object;
	uint64_t sector;
	uint64_t sectors;
	uint32_t cpu;
	uint32_t tid;
	uint32_t stack;
	enum block_event kind : 8;
	enum kcatch_event_context context : 8;
	char disk[40];
	char operation[12];
};

/** struct block_requests - zeroed: none. The members are private */
struct block_requests {
	struct block_record *of;
	size_t nr;
	size_t room;
};

/**
 * struct block_end - the end of a request or a bio
 * @done: NULL: there is none
 * @begun: that it was issued, or queued; NULL: it is not in the recording
 */
struct block_end {
	const struct block_record *done;
	const struct block_record *begun;
};

/**
 * block_event_of_probe - which event of block devices a probe catches
 * @probe: the probe
 *
 * Return: BLOCK_*
 */
enum block_event block_event_of_probe(const struct kcatch_probe *probe);

/**
 * block_requests_take - keep an event of block devices
 * @requests: the requests
 * @report: the report
 * @event: the session's current event, in the order of time; another one is not kept
 * @stacks: gets its stack
 *
 * Return: 0, or -errno with an error text.
 */
int block_requests_take(struct block_requests *requests, struct report *report,
			const struct kcatch_event *event, struct recorded_stacks *stacks);

/**
 * block_requests_find - find out the ends of what woke a thread
 * @requests: the requests
 * @waking: the waking, with a stack
 * @waker: what woke it
 * @stacks: the stacks of the records
 * @request: set to the request of a driver; none: @done is NULL
 * @bio: set to the bio that ended last, of a device on top of others, or without requests; none:
 *	@done is NULL
 */
void block_requests_find(const struct block_requests *requests, const struct sched_record *waking,
			 const struct waker *waker, const struct recorded_stacks *stacks,
			 struct block_end *request, struct block_end *bio);

/** block_requests_deinit - free the memory */
void block_requests_deinit(struct block_requests *requests);

#endif
