// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * queries.c - requests that only ask
 */
#include "fuzz.h"

#include <poll.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <unistd.h>

int fuzz_info(struct worker *worker, struct slot *slot)
{
	return request(worker, slot, KCATCH_IOC_INFO, take(worker, sizeof(struct kcatch_info)),
		       sizeof(struct kcatch_info));
}

static int query(struct worker *worker, struct slot *slot, unsigned long number, size_t size)
{
	struct kcatch_query *query = take(worker, sizeof(*query));

	query->first = below(worker, slot->nr_probes + 1);
	query->count = 1 + below(worker, 80);
	query->buffer = (uintptr_t)take(worker, query->count * size);
	if (number == KCATCH_IOC_COUNTERS)
		query->cpu = once_in(worker, 2) ? KCATCH_CPU_ALL : below(worker, 2);
	if (number == KCATCH_IOC_SYMBOLS)
		query->first = 0;
	if (number == KCATCH_IOC_EVENTS)
		query->first = below(worker, 8);
	mutate(worker, query, sizeof(*query), 10);
	return request(worker, slot, number, query, sizeof(*query));
}

int fuzz_probes(struct worker *worker, struct slot *slot)
{
	return query(worker, slot, KCATCH_IOC_PROBES, sizeof(struct kcatch_probe_info));
}

int fuzz_counters(struct worker *worker, struct slot *slot)
{
	return query(worker, slot, KCATCH_IOC_COUNTERS, sizeof(struct kcatch_counters));
}

int fuzz_events(struct worker *worker, struct slot *slot)
{
	return query(worker, slot, KCATCH_IOC_EVENTS, sizeof(struct kcatch_event_info));
}

int fuzz_status(struct worker *worker, struct slot *slot)
{
	return request(worker, slot, KCATCH_IOC_STATUS, take(worker, sizeof(struct kcatch_status)),
		       sizeof(struct kcatch_status));
}

int fuzz_symbol(struct worker *worker, struct slot *slot)
{
	static const char *const names[] = { "vfs_read", "kt_c", "kcatch_ioctl", "jiffies" };
	struct kcatch_symbol *symbol = take(worker, sizeof(*symbol));
	struct kcatch_symbol_then *then = take(worker, sizeof(*then));

	symbol->address = symbol_address(one_of(worker, names)) + below(worker, 64);
	mutate(worker, &symbol->address, sizeof(symbol->address), 4);
	if (once_in(worker, 3)) {
		then->symbol.address = symbol->address;
		then->time = draw(worker);
		then->probe = below(worker, 8);
		then->flags = once_in(worker, 2) ? KCATCH_SYMBOL_OF_PROBE : 0;
		mutate(worker, then, offsetof(struct kcatch_symbol_then, symbol), 10);
		return request(worker, slot, KCATCH_IOC_SYMBOL_THEN, then, sizeof(*then));
	}
	if (once_in(worker, 2))
		return query(worker, slot, KCATCH_IOC_SYMBOLS, sizeof(*symbol));
	return request(worker, slot, KCATCH_IOC_SYMBOL, symbol, sizeof(*symbol));
}

int fuzz_tasks(struct worker *worker, struct slot *slot)
{
	struct kcatch_tasks *tasks = take(worker, sizeof(*tasks));

	tasks->flags = below(worker, 4);
	tasks->pid = getpid();
	if (once_in(worker, 4))
		tasks->pid = once_in(worker, 4) ? 0 : 1 + below(worker, 60);
	tasks->count = below(worker, 30);
	tasks->buffer = (uintptr_t)take(worker, tasks->count * sizeof(struct kcatch_task));
	mutate(worker, tasks, sizeof(*tasks), 10);
	return request(worker, slot, KCATCH_IOC_TASKS, tasks, sizeof(*tasks));
}

int fuzz_read(struct worker *worker, struct slot *slot)
{
	static const char *const names[] = { "vfs_read", "kt_c", "jiffies", "system_state" };
	struct kcatch_read *read = take(worker, sizeof(*read));

	read->address = symbol_address(one_of(worker, names));
	read->size = 1 + below(worker, 4096);
	read->buffer = (uintptr_t)take(worker, read->size);
	mutate(worker, read, sizeof(*read), 3);
	return request(worker, slot, KCATCH_IOC_READ, read, sizeof(*read));
}

int fuzz_poll(struct worker *worker, struct slot *slot)
{
	struct pollfd poll_one = {
		.fd = __atomic_load_n(&slot->fd, __ATOMIC_RELAXED),
		.events = POLLIN | POLLPRI | POLLHUP,
	};

	return poll(&poll_one, 1, once_in(worker, 64)) < 0 ? -1 : 0;
}
