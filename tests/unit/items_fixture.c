/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items, read as the module reads them, over this process's own memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "items_fixture.h"

/* The address that an item is about, and the one before it. */
struct run {
	const struct items_input *input;
	struct items_output *output;
	uint64_t value, length, skip;
	bool fault;
	unsigned int number;	/* of items that were put */
};

static uint64_t lowest, highest;

/* Return: bytes up to the first that is not mapped. */
static size_t read_memory(void *to, uint64_t from, size_t size)
{
	const struct iovec local = { to, size };
	const struct iovec remote = { (void *)(uintptr_t)from, size };
	ssize_t got = from < lowest || from >= highest ?
			      0 :
			      process_vm_readv(getpid(), &local, 1, &remote, 1, 0);

	return got < 0 ? 0 : (size_t)got;
}

static void load(struct run *run, uint32_t size)
{
	uint64_t from = run->value;

	run->value = 0;
	if (!run->fault)
		run->fault = read_memory(&run->value, from, size) != size;
	if (run->fault)
		run->value = 0;
}

/* The word of the entry's data, which begins with words alone. */
static void take_saved(struct run *run, const struct kcatch_item *item)
{
	run->value = run->input->saved[item->start / 8];
	run->fault = run->input->missed >> (item->start / 8) & 1;
}

static void take(struct run *run, const struct kcatch_item *item)
{
	const struct items_input *input = run->input;

	run->fault = false;
	switch (item->from) {
	case KCATCH_ITEM_ARG:
		run->value = input->args[item->index];
		break;
	case KCATCH_ITEM_STACK:
		run->value = input->stack[item->start / 8];
		break;
	case KCATCH_ITEM_RET:
		run->value = input->ret[item->index];
		break;
	case KCATCH_ITEM_SAVED:
		take_saved(run, item);
		break;
	case KCATCH_ITEM_MISSED:
		take_saved(run, item);
		run->fault |= !(input->missed >> item->index & 1);
		break;
	case KCATCH_ITEM_TASK:
		run->value = ITEMS_TASK;
		break;
	case KCATCH_ITEM_CGROUP:
		run->value = ITEMS_CGROUP;
		break;
	default:
		fail_msg("an item from %u", item->from);
	}
}

/* Up to the end mark; whether it was met. */
static bool put_text(struct run *run, uint8_t *to, size_t most, uint32_t *length)
{
	size_t got = run->fault ? 0 : read_memory(to, run->value, most);

	*length = (uint32_t)strnlen((const char *)to, got);
	memset(to + *length, 0, got - *length);
	return *length < got;
}

static void put_counted(struct run *run, uint8_t *to, uint32_t length)
{
	memcpy(to, &length, 4);
	run->output->size += 8 + ((length + 7) & ~7U);
}

static void put_bytes(struct run *run, uint8_t *to, uint32_t most, uint64_t bit)
{
	uint32_t length = run->length < most ? (uint32_t)run->length : most;

	if (run->fault || read_memory(to + 8, run->value, length) != length) {
		run->output->faults |= bit;
		memset(to + 8, 0, length);
		length = 0;
	} else if (run->length > most) {
		run->output->cut |= bit;
	}
	put_counted(run, to, length);
}

static void put(struct run *run, const struct kcatch_item *item)
{
	struct items_output *out = run->output;
	uint8_t *to = out->data + out->size;
	uint64_t bit = 1ULL << run->number++;
	uint32_t length, most, size = (item->size + 7U) & ~7U;
	bool ended;

	switch (item->put) {
	case KCATCH_ITEM_WORD:
		load(run, item->size);
		/* fallthrough */
	case KCATCH_ITEM_VALUE:
		if (run->fault)
			out->faults |= bit;
		else
			memcpy(to, &run->value, 8);
		out->size += 8;
		break;
	case KCATCH_ITEM_MEMORY:
		length = run->length < item->size ? (uint32_t)run->length : item->size;
		memset(to, 0, size);
		if (run->fault || read_memory(to, run->value + run->skip, length) != length) {
			out->faults |= bit;
			memset(to, 0, size);
		}
		out->size += size;
		break;
	case KCATCH_ITEM_CHARS:
		most = item->limit ? item->limit : item->size;
		ended = put_text(run, to, most, &length);
		if (!ended && length < most)
			out->faults |= bit;
		out->size += size;
		break;
	case KCATCH_ITEM_STRING:
		ended = put_text(run, to + 8, item->size, &length);
		if (!ended && length < item->size)
			out->faults |= bit;
		else if (!ended)
			out->cut |= bit;
		put_counted(run, to, length);
		break;
	case KCATCH_ITEM_BYTES:
		put_bytes(run, to, item->size, bit);
		break;
	case KCATCH_ITEM_PATH:	/* there are no files here */
	case KCATCH_ITEM_DENTRY:
		out->faults |= bit;
		put_counted(run, to, 0);
		break;
	default:
		fail_msg("an item puts %u", item->put);
	}
	assert_true(out->size <= sizeof(out->data) - 1100);
}

/* Without a known beginning there is nothing. */
static void leave_out(struct run *run)
{
	if (run->fault || run->value >= run->length) {
		run->length = 0;
	} else {
		run->skip = run->value;
		run->length -= run->skip;
	}
}

void items_run(const struct kcatch_item *items, uint32_t nr, const int32_t *hops,
	       const struct items_input *input, struct items_output *output)
{
	struct run run = { .input = input, .output = output, .length = UINT64_MAX };
	uint32_t i, j;

	lowest = input->lowest;
	highest = input->highest ? input->highest : UINT64_MAX;
	memset(output, 0, sizeof(*output));
	for (i = 0; i < nr; i++) {
		take(&run, &items[i]);
		for (j = 0; j < items[i].nr_hops; j++) {
			run.value += (uint64_t)(int64_t)hops[items[i].first_hop + j];
			load(&run, 8);
		}
		run.value += (uint64_t)(int64_t)items[i].offset;
		if (items[i].put == KCATCH_ITEM_SKIP) {
			load(&run, items[i].size);
			leave_out(&run);
			continue;
		}
		if (items[i].put != KCATCH_ITEM_LENGTH) {
			put(&run, &items[i]);
			run.length = UINT64_MAX;
			run.skip = 0;
			continue;
		}
		if (items[i].size)
			load(&run, items[i].size);
		run.length = run.fault ? 0 : run.value;
	}
}
