/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items, read as the module reads them, over this process's own memory. */
#ifndef TESTS_UNIT_ITEMS_FIXTURE_H
#define TESTS_UNIT_ITEMS_FIXTURE_H

#include <stdint.h>

#include <uapi/kcatch.h>

/**
 * struct items_input - what a call was given and returns
 * @args: registers
 * @stack: words above the return address
 * @ret: what it returns
 * @saved: data of the entry
 * @missed: its faulty items
 * @lowest: what is below that address cannot be read: a sanitizer has its own there
 * @highest: nor from that one on; 0: there is none
 *
 * Addresses are this process's; what is not mapped cannot be read.
 */
struct items_input {
	uint64_t args[6];
	uint64_t stack[4];
	uint64_t ret[2];
	uint64_t saved[64];
	uint64_t missed;
	uint64_t lowest;
	uint64_t highest;
};

#define ITEMS_CGROUP	4242	/* id of the cgroup of each call, and of its ancestors */
#define ITEMS_TASK	0x7a5c000	/* address of the current task */

struct items_output {
	uint8_t data[2048];
	uint32_t size;
	uint64_t faults;
	uint64_t cut;
};

void items_run(const struct kcatch_item *items, uint32_t nr, const int32_t *hops,
	       const struct items_input *input, struct items_output *output);

#endif
