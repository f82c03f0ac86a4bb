/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps, run as the module runs them, over this process's own memory. */
#ifndef TESTS_UNIT_STEPS_FIXTURE_H
#define TESTS_UNIT_STEPS_FIXTURE_H

#include <stdint.h>

#include <uapi/kcatch.h>

/**
 * struct steps_input - what a call was given
 * @args: registers
 * @stack: words above the return address
 *
 * Addresses are this process's; what is not mapped cannot be read.
 */
struct steps_input {
	uint64_t args[6];
	uint64_t stack[4];
};

#define STEPS_CGROUP	4242	/* id of the cgroup of each call, and of its ancestors */

struct steps_output {
	uint8_t data[2048];
	uint32_t size;
	uint64_t faults;
	uint64_t cut;
};

void steps_run(const struct kcatch_step *steps, uint32_t nr, const struct steps_input *input,
	       struct steps_output *output);

#endif
