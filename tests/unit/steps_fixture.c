/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps, run as the module runs them, over this process's own memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "steps_fixture.h"

struct run {
	const struct steps_input *input;
	struct steps_output *output;
	uint64_t value, length;
	bool fault;
	unsigned int item;
};

/* Return: bytes up to the first that is not mapped. */
static size_t read_memory(void *to, uint64_t from, size_t size)
{
	const struct iovec local = { to, size };
	const struct iovec remote = { (void *)(uintptr_t)from, size };
	ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);

	return got < 0 ? 0 : (size_t)got;
}

static void load(struct run *run, const struct kcatch_step *step)
{
	uint64_t from = run->value + (uint64_t)(int64_t)step->offset;

	run->value = 0;
	if (!run->fault)
		run->fault = read_memory(&run->value, from, step->size) != step->size;
	if (run->fault)
		run->value = 0;
}

/* Up to the end mark; whether it was met. */
static bool put_text(struct run *run, const struct kcatch_step *step, uint8_t *to, size_t most,
		     uint32_t *length)
{
	uint64_t from = run->value + (uint64_t)(int64_t)step->offset;
	size_t got = run->fault ? 0 : read_memory(to, from, most);

	*length = (uint32_t)strnlen((const char *)to, got);
	memset(to + *length, 0, got - *length);
	return *length < got;
}

static void put(struct run *run, const struct kcatch_step *step)
{
	struct steps_output *out = run->output;
	uint8_t *to = out->data + out->size;
	uint64_t from = run->value + (uint64_t)(int64_t)step->offset, bit = 1ULL << run->item++;
	uint32_t length = 8, most, size = (step->size + 7U) & ~7U;
	bool ended;

	switch (step->op) {
	case KCATCH_STEP_PUT:
		if (run->fault)
			out->faults |= bit;
		else
			memcpy(to, &run->value, 8);
		out->size += 8;
		break;
	case KCATCH_STEP_PUT_MEMORY:
		if (run->fault || read_memory(to, from, step->size) != step->size) {
			out->faults |= bit;
			memset(to, 0, size);
		}
		out->size += size;
		break;
	case KCATCH_STEP_PUT_CHARS:
		most = step->arg ? step->arg : step->size;
		ended = put_text(run, step, to, most, &length);
		if (!ended && length < most)
			out->faults |= bit;
		out->size += size;
		break;
	case KCATCH_STEP_PUT_STRING:
		ended = put_text(run, step, to + 8, step->size, &length);
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
		case KCATCH_STEP_CGROUP:
			run.value = STEPS_CGROUP;
			run.fault = false;
			break;
		default:
			put(&run, &steps[i]);
		}
	}
}
