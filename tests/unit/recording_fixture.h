/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording_fixture.h - a recording of two CPUs, as a recorder leaves it
 *
 * Each CPU has 60 calls, i from 0 on, at clock 1000 + 100 * i (CPU 1 ten later). Each has a frame
 * at 0xffffffff81000110, returns 2 * i after 5 ns, and has i as its first argument.
 */
#ifndef RECORDING_FIXTURE_H
#define RECORDING_FIXTURE_H

#include <stdint.h>

#define PACKET 4096U		/* bytes */
#define CALLS 60U		/* on each of two CPUs */

/* Where it is. */
/* Of a recording's counters; a recorder writes them in another order. */
#define COLUMNS \
	"# cpu probe hits recorded filtered over_budget missed lost no_slot return_lost in_flight " \
	"undecided\n"

extern char directory[64];
/* What the next packets say. */
extern uint64_t discarded;
/* What read_all() was told. */
extern char damage[420];
extern uint64_t missing;

/* Set up and tear down a test of cmocka's. */
int make_recording(void **state);
int destroy_recording(void **state);

/* Replaces a file; NAME begins at the directory. */
void write_text(const char *name, const char *text);

/* A packet of calls: entries with one frame and six registers, each with its return.
 * Return: bytes */
uint32_t fill_packet(unsigned char *bytes, uint32_t cpu, uint32_t first, uint32_t count);

/* Writes all calls of a CPU. */
void write_stream(uint32_t cpu);

/* Reads everything of every event. Return: events, or -errno of the opening */
int read_all(uint64_t *damaged);

#endif
