// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: two CPUs hammer one function from threads, softirqs, hard interrupts
 * and NMIs, each call with its number. In both modes of the ring, with a reader that is fast, slow,
 * dead or a liar: what is read is what was called, in order, and what is not read is what
 * the figures say was lost or overwritten.
 * Gate: older
 */
#include "guest.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CALLS 60000
#define CONTEXTS 4
#define RING (1 << 16)
#define PACKET 4096

static struct session session;
static int finished;
static uint64_t nmis_seen;

/* What one CPU's reader knows. */
struct view {
	uint64_t next[CONTEXTS];	/* number that comes next in a context */
	uint64_t read, missing;
	uint64_t overtaken, bytes;
	uint64_t time;
	bool jumped;			/* something was overtaken since the last record */
	uint64_t wild;			/* missing, with neither jump nor loss to explain it */
};

#define CPUS 8
static struct view views[CPUS];

static void see(struct view *view, const struct kcatch_record *record, bool discards)
{
	const struct kcatch_call_part *part = call_part((const void *)record);
	uint64_t value, number;
	unsigned int context;

	if (KCATCH_RECORD_KIND(record->id) != KCATCH_RECORD_ENTRY || part->size[0] != 8)
		bail("a record is an entry with one argument");
	if (record->time < view->time)
		bail("time does not go back");
	view->time = record->time;
	memcpy(&value, part->data, sizeof(value));
	number = value & ((1 << 28) - 1);
	context = (uint32_t)value >> 28;
	if (context >= CONTEXTS || number < view->next[context])
		bail("a number is new: %llx", (unsigned long long)value);
	view->missing += number - view->next[context];
	/* The first of a context after a jump may have a gap, whenever it comes. */
	if (number != view->next[context] && !view->jumped && !discards)
		view->wild++;
	view->next[context] = number + 1;
	view->read++;
}

/* By the book: include/uapi/kcatch.h, Rings. At most MOST packets. */
static void read_cpu(int cpu, unsigned int most, bool overwrites)
{
	const struct kcatch_ring_page *page = session.ring[cpu];
	struct view *view = &views[cpu];
	static _Alignas(8) char copy[PACKET];
	uint64_t produced = __atomic_load_n(&page->produced, __ATOMIC_ACQUIRE);
	uint64_t *position = &session.position[cpu];

	while (most-- && *position < produced) {
		uint64_t base = *position & ~(uint64_t)(PACKET - 1), end, over;
		const struct kcatch_packet *packet = (const void *)copy;
		const char *at;

		over = __atomic_load_n(&page->overwritten, __ATOMIC_RELAXED);
		if (*position < over) {
			view->overtaken += (over - base) / PACKET;
			view->bytes += over - *position;
			view->jumped = true;
			*position = over;
			continue;
		}
		memcpy(copy, (const char *)page + page->data_offset + (base & (RING - 1)), PACKET);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&page->overwritten, __ATOMIC_RELAXED) > base)
			continue;
		end = produced > base + PACKET ? base + packet->content_size / 8 : produced;
		if (packet->magic != KCATCH_PACKET_MAGIC || packet->sequence != base / PACKET ||
		    end - base > PACKET)
			bail("a packet is sound");
		at = copy + (*position - base);
		if (*position == base)
			at += sizeof(*packet);
		while (at < copy + (end - base)) {
			const struct kcatch_record *record = (const void *)at;

			if (record->size < sizeof(*record) || record->size % 8 ||
			    record->size > (uint64_t)(copy + (end - base) - at))
				bail("a record lies in its packet");
			see(view, record, !overwrites);
			at += record->size;
		}
		*position = produced > base + PACKET ? base + PACKET : produced;
		if (!overwrites)
			__atomic_store_n(&session.consumer[cpu]->consumed, *position,
					 __ATOMIC_RELEASE);
	}
}

struct reader {
	const char *name;
	unsigned int packets;	/* a time; 0: dead */
	unsigned int pause_us;
	bool lies;
};

static void *run(void *arg)
{
	const struct reader *reader = arg;
	const struct timespec pause = { .tv_nsec = reader->pause_us * 1000L };
	const bool overwrites = session.ring[0]->mode == KCATCH_RING_OVERWRITE;
	unsigned int seed = 5;

	while (!__atomic_load_n(&finished, __ATOMIC_ACQUIRE)) {
		int cpu;

		for (cpu = 0; cpu < online_cpus(); cpu++) {
			read_cpu(cpu, reader->packets, overwrites);
			if (reader->lies)
				__atomic_store_n(&session.consumer[cpu]->consumed,
						 (uint64_t)rand_r(&seed) << rand_r(&seed) % 33,
						 __ATOMIC_RELAXED);
		}
		nanosleep(&pause, NULL);
	}
	return NULL;
}

/* Each record has the argument of its call. */
static void take_argument(void)
{
	const struct kcatch_item items[] = { ITEM(ARG, VALUE) };
	struct kcatch_program program = {
		.entry = { .at = (uintptr_t)items, .nr = 1 },
	};

	session_bind(&session, 0, &program);
}

/* All CPUs are asked for a backtrace by NMI; the kernel prints it, which takes its time. */
static void *send_nmis(void *unused)
{
	const struct timespec pause = { .tv_nsec = 60000000 };
	FILE *trigger = fopen("/proc/sysrq-trigger", "w");

	(void)unused;
	while (trigger && !__atomic_load_n(&finished, __ATOMIC_ACQUIRE)) {
		fputs("l", trigger);
		fflush(trigger);
		nanosleep(&pause, NULL);
	}
	if (trigger)
		fclose(trigger);
	return NULL;
}

static void check_cpu(int cpu, const char *mode, const struct reader *reader, bool overwrites)
{
	static const char *const contexts[] = { "process", "softirq", "hardirq", "nmi" };
	const struct view *view = &views[cpu];
	struct kcatch_counters counters;
	uint64_t calls = 0, missing = view->missing, here;
	int i;

	session_counters(&session, 0, cpu, &counters);
	/* Numbers after the last one that was read are missing as well. */
	for (i = 0; i < CONTEXTS; i++) {
		here = module_value("hammer.cpu%d.%s", cpu, contexts[i]);
		missing += here - view->next[i];
		nmis_seen += i == 3 ? here : 0;
		calls += here;
	}
	check(counters.hits == calls && equation_holds(&counters) && !counters.missed,
	      "%s, %s reader, CPU %d: each call is a hit", mode, reader->name, cpu);
	check_equal(counters.lost, session.ring[cpu]->discarded,
		    "%s, %s reader, CPU %d: lost is what the ring says", mode, reader->name, cpu);
	check_equal(view->read + missing, calls, "%s, %s reader, CPU %d: read and missing are all",
		    mode, reader->name, cpu);
	check_equal(view->wild, 0, "%s, %s reader, CPU %d: what is missing was noticed", mode,
		    reader->name, cpu);
	if (!overwrites) {
		check_equal(view->read, counters.recorded, "%s, %s reader, CPU %d: all recorded is read",
			    mode, reader->name, cpu);
		check_equal(missing, counters.lost, "%s, %s reader, CPU %d: exactly what was lost is missing",
			    mode, reader->name, cpu);
		return;
	}
	check_equal(view->read + missing - counters.lost, counters.recorded,
		    "%s, %s reader, CPU %d: recorded is what was read and what was overwritten",
		    mode, reader->name, cpu);
	check_equal(missing > counters.lost, view->overtaken > 0,
		    "%s, %s reader, CPU %d: overwritten unread only where packets were overtaken",
		    mode, reader->name, cpu);
	check_equal(session.position[cpu], session.ring[cpu]->produced,
		    "%s, %s reader, CPU %d: the newest is there", mode, reader->name, cpu);
	note("%s, %s reader, CPU %d: %llu calls, %llu read, %llu lost, %llu packets overtaken",
	     mode, reader->name, cpu, (unsigned long long)calls, (unsigned long long)view->read,
	     (unsigned long long)counters.lost, (unsigned long long)view->overtaken);
}

static void with(const struct reader *reader, uint32_t mode)
{
	const bool overwrites = mode == KCATCH_RING_OVERWRITE;
	const char *name = overwrites ? "overwrite" : "discard";
	const struct add_options options = { .flags = KCATCH_ADD_NO_STACK };
	pthread_t thread, nmis;
	int cpu;

	memset(views, 0, sizeof(views));
	finished = 0;
	session_open_mode(&session, RING, PACKET, mode, 0);
	if (session_add(&session, "kt_hammered", &options, NULL))
		bail("kt_hammered is armed");
	take_argument();
	session_map(&session);
	session_start(&session);
	if (reader->packets)
		pthread_create(&thread, NULL, run, (void *)reader);
	pthread_create(&nmis, NULL, send_nmis, NULL);
	order("hammer %d", CALLS);
	__atomic_store_n(&finished, 1, __ATOMIC_RELEASE);
	if (reader->packets)
		pthread_join(thread, NULL);
	pthread_join(nmis, NULL);
	session_stop(&session);
	for (cpu = 0; cpu < online_cpus(); cpu++) {
		read_cpu(cpu, ~0U, overwrites);
		check_cpu(cpu, name, reader, overwrites);
	}
	session_close(&session);
}

int main(void)
{
	static const struct reader fast = { "fast", 64, 200, false };
	static const struct reader slow = { "slow", 1, 3000, false };
	static const struct reader dead = { "dead", 0, 0, false };
	static const struct reader liar = { "lying", 4, 1000, true };

	need_cpus(2, CPUS);
	test_module_load();
	with(&fast, KCATCH_RING_DISCARD);
	with(&slow, KCATCH_RING_DISCARD);
	with(&dead, KCATCH_RING_DISCARD);
	with(&fast, KCATCH_RING_OVERWRITE);
	with(&slow, KCATCH_RING_OVERWRITE);
	with(&dead, KCATCH_RING_OVERWRITE);
	with(&liar, KCATCH_RING_OVERWRITE);
	check(nmis_seen > 0, "NMIs have come, too");
	return finish();
}
