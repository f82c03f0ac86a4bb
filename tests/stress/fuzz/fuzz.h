/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz.h - what the parts of the session fuzzer share
 *
 * Each operation draws its random numbers from (seed, thread, number of the operation), so a
 * thread asks for the same operations each time. What it gets depends on the other threads.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/kcatch.h"

#define FUZZ_CPUS	8	/* rings that are mapped */
#define FUZZ_RING_MAX	65536U	/* bytes; larger rings are not mapped */
#define FUZZ_MEMORY	65536U	/* bytes of a worker's memory for requests */
#define FUZZ_KTRACE	2	/* open ktrace buffers of a worker */

/**
 * struct ring_view - where one ring is mapped, or memory of our own in its place
 * @ring: 4096 + FUZZ_RING_MAX bytes that can always be read
 * @consumer: 4096 bytes that can always be written
 * @mapped: the kernel's ring is there
 */
struct ring_view {
	unsigned char *ring;
	unsigned char *consumer;
	bool mapped;
};

/**
 * struct slot - a session, or room for one
 * @fd: -1: none
 * @own: only one thread uses it, so its counters can be checked
 * @setup: what SETUP was given
 * @nr_probes: as far as ADD said
 * @nr_programs: as far as PROGRAM said
 * @nr_tables: as far as TABLE said
 */
struct slot {
	int fd;
	bool own;
	struct kcatch_setup setup;
	uint32_t nr_probes, nr_programs, nr_groups, nr_tables;
	struct ring_view views[FUZZ_CPUS];
};

/**
 * struct worker - one thread
 * @memory: FUZZ_MEMORY bytes below 4 GB, then a page that is not there
 * @read_only: a page of zeros that cannot be written, below 4 GB
 * @used: bytes of @memory that the current request takes
 * @done: operations
 * @doing: name of the current one
 */
struct worker {
	pthread_t thread;
	unsigned int number;
	uint64_t random;
	unsigned char *memory, *read_only;
	size_t used;
	struct slot own;
	int ktrace[FUZZ_KTRACE];
	void *ktrace_ring[FUZZ_KTRACE];
	uint64_t done;
	const char *doing;
	int tid;
};

/* ---- random.c ---- */

void random_begin(struct worker *worker, uint64_t seed, uint64_t operation);
uint64_t draw(struct worker *worker);
/* 0 .. limit - 1 */
uint32_t below(struct worker *worker, uint32_t limit);
/* once in N */
bool once_in(struct worker *worker, uint32_t n);
#define one_of(worker, array) ((array)[below(worker, sizeof(array) / sizeof(*(array)))])
/* A number that programs stumble over. */
uint64_t odd_number(struct worker *worker);
/* Changes one field, or a few, of a valid structure; RARITY: the others stay valid. */
void mutate(struct worker *worker, void *at, size_t size, uint32_t rarity);
/* SIZE zero bytes of the worker's memory for this request. */
void *take(struct worker *worker, size_t size);
/* A copy of TEXT there; its address as the contract wants it. */
uint64_t take_text(struct worker *worker, const char *text);

/* ---- requests.c: 0, or -1 with errno ---- */

int request(struct worker *worker, struct slot *slot, unsigned long number, void *argument,
	    size_t size);
int fuzz_open(struct worker *worker, struct slot *slot);
int fuzz_setup(struct worker *worker, struct slot *slot);
int fuzz_add(struct worker *worker, struct slot *slot);
int fuzz_start(struct worker *worker, struct slot *slot);
int fuzz_stop(struct worker *worker, struct slot *slot);
int fuzz_program(struct worker *worker, struct slot *slot);
int fuzz_bind(struct worker *worker, struct slot *slot);
int fuzz_bytes(struct worker *worker, struct slot *slot);
void symbols_read(void);
uint64_t symbol_address(const char *name);

/* Instructions of a condition, mostly right. */
void make_condition(struct worker *worker, struct kcatch_list *list);

/* ---- tables.c ---- */

int fuzz_table(struct worker *worker, struct slot *slot);
int fuzz_count(struct worker *worker, struct slot *slot);
int fuzz_swap(struct worker *worker, struct slot *slot);
int fuzz_rows(struct worker *worker, struct slot *slot);

/* ---- queries.c ---- */

int fuzz_info(struct worker *worker, struct slot *slot);
int fuzz_probes(struct worker *worker, struct slot *slot);
int fuzz_counters(struct worker *worker, struct slot *slot);
int fuzz_events(struct worker *worker, struct slot *slot);
int fuzz_status(struct worker *worker, struct slot *slot);
int fuzz_symbol(struct worker *worker, struct slot *slot);
int fuzz_tasks(struct worker *worker, struct slot *slot);
int fuzz_read(struct worker *worker, struct slot *slot);
int fuzz_poll(struct worker *worker, struct slot *slot);

/* ---- rings.c ---- */

void slot_init(struct slot *slot, bool own);
void slot_unmap(struct slot *slot);
int fuzz_map(struct worker *worker, struct slot *slot);
int fuzz_unmap(struct worker *worker, struct slot *slot);
int fuzz_map_oddly(struct worker *worker, struct slot *slot);
int fuzz_consume(struct worker *worker, struct slot *slot);
/* What is wrong with the rings of a stopped session, or NULL. */
const char *rings_damage(const struct slot *slot);

/* ---- control.c ---- */

void modules_read(const char *directory);
int fuzz_calls(struct worker *worker, struct slot *slot);
int fuzz_order(struct worker *worker, struct slot *slot);
int fuzz_otst(struct worker *worker, struct slot *slot);
int fuzz_ktrace_file(struct worker *worker, struct slot *slot);
int fuzz_ktrace_buffer(struct worker *worker, struct slot *slot);
int fuzz_parameter(struct worker *worker, struct slot *slot);
int fuzz_module(struct worker *worker, struct slot *slot);
int fuzz_affinity(struct worker *worker, struct slot *slot);
int fuzz_fork(struct worker *worker, struct slot *slot);
int fuzz_dup(struct worker *worker, struct slot *slot);
void control_finish(struct worker *worker);

#endif
