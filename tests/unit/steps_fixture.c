/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps, run as the module runs them, over this process's own memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "steps_fixture.h"

struct run {
	const struct steps_input *input;
	struct steps_output *output;
	uint64_t value, length;
	bool fault;
	unsigned int item;
};

static bool readable(uint64_t address)
{
	return address >= 4096 && address < 1ULL << 47;
}

static void load(struct run *run, const struct kcatch_step *step)
{
	uint64_t from = run->value + (uint64_t)(int64_t)step->offset;

	run->value = 0;
	run->fault |= !readable(from);
	if (!run->fault)
		memcpy(&run->value, (const void *)(uintptr_t)from, step->size);
}

/* Up to the end mark; whether it was met. */
static bool put_text(struct run *run, const struct kcatch_step *step, uint8_t *to, uint32_t *length)
{
	uint64_t from = run->value + (uint64_t)(int64_t)step->offset;

	*length = 0;
	if (run->fault || !readable(from))
		return false;
	*length = (uint32_t)strnlen((const char *)(uintptr_t)from, step->size);
	memcpy(to, (const void *)(uintptr_t)from, *length);
	return *length < step->size;
}

static void put(struct run *run, const struct kcatch_step *step)
{
	struct steps_output *out = run->output;
	uint8_t *to = out->data + out->size;
	uint64_t from = run->value + (uint64_t)(int64_t)step->offset, bit = 1ULL << run->item++;
	uint32_t length = 8, size = (step->size + 7U) & ~7U;
	bool ended, bad = run->fault || !readable(from);

	switch (step->op) {
	case KCATCH_STEP_PUT:
		if (run->fault)
			out->faults |= bit;
		else
			memcpy(to, &run->value, 8);
		out->size += 8;
		break;
	case KCATCH_STEP_PUT_MEMORY:
		if (bad)
			out->faults |= bit;
		else
			memcpy(to, (const void *)(uintptr_t)from, step->size);
		out->size += size;
		break;
	case KCATCH_STEP_PUT_CHARS:
		ended = put_text(run, step, to, &length);
		if (!ended && length < step->size)
			out->faults |= bit;
		out->size += size;
		break;
	case KCATCH_STEP_PUT_STRING:
		ended = put_text(run, step, to + 8, &length);
		if (!ended && length < step->size)
			out->faults |= bit;
		else if (!ended)
			out->cut |= bit;
		memcpy(to, &length, 4);
		out->size += 8 + ((length + 7) & ~7U);
		break;
	default:
		fail_msg("step %u", step->op);
	}
	assert_true(out->size <= sizeof(out->data) - 1100);
}

void steps_run(const struct kcatch_step *steps, uint32_t nr, const struct steps_input *input,
	       struct steps_output *output)
{
	struct run run = { .input = input, .output = output };
	uint32_t i;

	memset(output, 0, sizeof(*output));
	for (i = 0; i < nr; i++) {
		switch (steps[i].op) {
		case KCATCH_STEP_ARG:
			run.value = input->args[steps[i].arg];
			run.fault = false;
			break;
		case KCATCH_STEP_STACK:
			run.value = input->stack[steps[i].offset / 8];
			run.fault = false;
			break;
		case KCATCH_STEP_ADD:
			run.value += (uint64_t)(int64_t)steps[i].offset;
			break;
		case KCATCH_STEP_LOAD:
			load(&run, &steps[i]);
			break;
		default:
			put(&run, &steps[i]);
		}
	}
}
