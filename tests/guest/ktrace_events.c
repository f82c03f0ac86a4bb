// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: DO_TRACE events hold what was emitted, whatever their size; those of two
 * files and two modules are one; they come and go with modules while tracing is on; of
 * two million from nested contexts on two CPUs none is wrong or uncounted.
 * Gate: newest
 */
#include "guest.h"

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define EACH 1000000UL	/* on each of two CPUs */

static void command(const char *format, const char *what)
{
	char text[4096];

	snprintf(text, sizeof(text), format, getenv("KT_MODULES"), what, what);
	if (system(text))
		bail("%s", text);
}

static void load(const char *module)
{
	command("insmod '%1$s/%2$s/%3$s.ko'", module);
}

static void unload(const char *module)
{
	command("rmmod %2$s", module);
}

static void write_order(const char *module, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/%s/parameters/order", module);
	file = fopen(path, "w");
	if (!file || fprintf(file, "%s\n", text) < 0 || fclose(file))
		bail("%s takes the order %s", module, text);
}

static uint64_t emitted(void)
{
	FILE *file = fopen("/sys/module/kcatch_trace/parameters/emitted", "r");
	uint64_t value;

	if (!file || fscanf(file, "%" SCNu64, &value) != 1)
		bail("the module's own count");
	fclose(file);
	return value;
}

static bool find_event(struct session *session, const char *name, struct kcatch_event_info *info)
{
	struct kcatch_query query = { .count = 1, .buffer = (uintptr_t)info };

	for (;; query.first++) {
		if (ioctl(session->fd, KCATCH_IOC_EVENTS, &query))
			bail("EVENTS");
		if (!query.count)
			return false;
		if (!strcmp(info->name, name))
			return true;
	}
}

static uint32_t sites(struct session *session, const char *name)
{
	struct kcatch_event_info info;

	return find_event(session, name, &info) ? info.nr_sites : 0;
}

static uint32_t add(struct session *session, const char *name)
{
	const struct add_options options = {
		.kind = KCATCH_TARGET_EVENT, .flags = KCATCH_ADD_NO_STACK,
	};
	struct kcatch_add added;

	if (session_add(session, name, &options, &added))
		bail("ADD of %s: %m", name);
	return added.first_probe;
}

/* The payloads of one probe, one after the other. */
struct payloads {
	uint32_t probe;
	uint32_t nr;
	uint32_t size[16];
	uint8_t data[16][1200];
};

static void take_payload(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	const struct kcatch_event_record *event = (const void *)record;
	struct payloads *payloads = context;
	uint32_t size = record->size - sizeof(*event);

	(void)cpu;
	if (record->id != KCATCH_RECORD_ID(KCATCH_RECORD_EVENT, payloads->probe))
		return;
	if (payloads->nr == 16 || size > sizeof(payloads->data[0]))
		bail("as many events as expected");
	memcpy(payloads->data[payloads->nr], event->data, size);
	payloads->size[payloads->nr++] = size;
}

static struct payloads *read_payloads(struct session *session, uint32_t probe)
{
	static struct payloads payloads;

	memset(&payloads, 0, sizeof(payloads));
	payloads.probe = probe;
	session_read_records(session, true, take_payload, &payloads);
	/* The next look begins where this one began. */
	memcpy(session->position, (uint64_t[CPUS_MAX]){ 0 }, sizeof(session->position));
	return &payloads;
}

static void test_kinds(void)
{
	static const struct __attribute__((packed)) {
		int8_t i8;
		uint8_t u8;
		int16_t i16;
		uint16_t u16;
		int32_t i32;
		uint32_t u32;
		int64_t i64;
		uint64_t u64;
		char c;
		uint64_t p;
		uint8_t zeros[1];
	} kinds = { -8, 200, -1600, 61600, -320000, 4000000000U, -64000000000,
		    18446744073709551000ULL, 'x', 0x1234, { 0 } };
	static const struct __attribute__((packed)) {
		int32_t small, minus;
		char letter;
		uint64_t size;
		uint8_t zeros[7];
	} promoted = { -8, -1600, 'n', 9, { 0 } };
	static const char mixed[] = "an array\0\7\0\0\0const\0\377\377\377\377\377\377\377\377";
	struct kcatch_event_info info;
	uint32_t probe[4];
	struct session session;
	struct payloads *got;

	session_open(&session, 65536, 4096);
	check(find_event(&session, "kt_kinds", &info) && info.nr_args == 10 && info.nr_sites == 1 &&
	      !info.enabled && info.args[0] == (1 | KCATCH_EVENT_ARG_SIGNED) && info.args[3] == 2 &&
	      info.args[6] == (8 | KCATCH_EVENT_ARG_SIGNED) &&
	      info.args[9] == (8 | KCATCH_EVENT_ARG_POINTER) &&
	      !strncmp(info.format, "i8=%hhd u8=%hhu ", 16),
	      "an event is listed with its format and its arguments' sizes");
	probe[0] = add(&session, "kt_kinds");
	probe[1] = add(&session, "kt_promoted");
	probe[2] = add(&session, "kt_nothing");
	probe[3] = add(&session, "kt_mixed");
	check(find_event(&session, "kt_kinds", &info) && info.enabled, "it is listed as enabled");
	session_map(&session);
	session_start(&session);
	write_order("kcatch_trace", "kinds");
	session_stop(&session);
	got = read_payloads(&session, probe[0]);
	check(got->nr == 1 && got->size[0] == 40 && !memcmp(got->data[0], &kinds, 40),
	      "integers of all sizes, a character and a pointer are recorded as they are");
	got = read_payloads(&session, probe[1]);
	check(got->nr == 1 && got->size[0] == 24 && !memcmp(got->data[0], &promoted, 24),
	      "what is promoted is recorded as the conversion says; a name may be a text");
	got = read_payloads(&session, probe[2]);
	check(got->nr == 1 && !got->size[0], "an event needs no arguments");
	got = read_payloads(&session, probe[3]);
	check(got->nr == 1 && got->size[0] == 32 && !memcmp(got->data[0], mixed, 27),
	      "texts and integers follow each other without gaps");
	session_close(&session);
	session_open(&session, 65536, 4096);
	check(find_event(&session, "kt_kinds", &info) && !info.enabled,
	      "without its session it is off");
	session_close(&session);
}

static void test_texts(void)
{
	struct session session;
	struct payloads *got;
	uint32_t probe;

	session_open(&session, 65536, 4096);
	probe = add(&session, "kt_text");
	session_map(&session);
	session_start(&session);
	write_order("kcatch_trace", "texts");
	session_stop(&session);
	got = read_payloads(&session, probe);
	check_equal(got->nr, 6, "each text is recorded");
	check(!strcmp((char *)got->data[0], "good") && got->size[0] == 8, "a text by value");
	check(!got->data[1][0] && got->size[1] == 8, "an empty one");
	check(got->size[2] == 256 && got->data[2][0] == 'x' && got->data[2][251] == 'x' &&
	      !memcmp(got->data[2] + 252, "...", 4), "a long one is cut, marked by three dots");
	check(!strcmp((char *)got->data[3], "(null)"), "NULL");
	check(!strcmp((char *)got->data[4], "(bad)") && !strcmp((char *)got->data[5], "(bad)"),
	      "pointers to nothing");
	session_close(&session);
}

static void test_twins(void)
{
	static const int32_t pairs[][2] = {
		{ 1, 2 }, { 3, 4 }, { 5, 6 }, { 1, 2 }, { 3, 4 }, { 1, 2 }, { 3, 4 },
	};
	struct kcatch_event_info before, after;
	struct session session;
	struct payloads *got;
	uint32_t probe, text;
	bool same = true;
	unsigned int i;

	session_open(&session, 65536, 4096);
	check_equal(sites(&session, "kt_pair"), 2, "an event of two files is one with two places");
	probe = add(&session, "kt_pair");
	text = add(&session, "kt_text");
	session_map(&session);
	session_start(&session);
	write_order("kcatch_trace", "pair");
	load("kcatch_trace_twin");
	check_equal(sites(&session, "kt_pair"), 3, "another module adds a place while it is traced");
	check(sites(&session, "kt_text") == 6,
	      "a place with another format is refused");
	check(!system("dmesg | grep -q 'module kcatch_trace_twin: event kt_text left out: its format "
		      "\"text=%s and more=%d\" differs from \"text=%s\"'"),
	      "and the log names both formats");
	write_order("kcatch_trace_twin", "pair");
	unload("kcatch_trace_twin");
	check_equal(sites(&session, "kt_pair"), 2, "its places go with it");
	write_order("kcatch_trace", "pair");
	find_event(&session, "kt_pair", &before);
	unload("kcatch_trace");
	check(find_event(&session, "kt_pair", &after) && !after.nr_sites,
	      "an event without places stays known");
	load("kcatch_trace");
	check(find_event(&session, "kt_pair", &after) && after.id == before.id &&
	      after.nr_sites == 2 && after.enabled, "it comes back as the same, and on");
	write_order("kcatch_trace", "pair");
	session_stop(&session);
	got = read_payloads(&session, probe);
	for (i = 0; i < got->nr && i < 7; i++)
		same &= !memcmp(got->data[i], pairs[i], 8) && got->size[i] == 8;
	check(same && got->nr == 7, "all of them were recorded, in order");
	got = read_payloads(&session, text);
	check_equal(got->nr, 0, "of the refused place nothing is");
	session_close(&session);
}

/* Before the twin is loaded for the first time. */
static void test_arrival(void)
{
	const struct add_options options = {
		.kind = KCATCH_TARGET_EVENT, .flags = KCATCH_ADD_NO_STACK,
	};
	struct kcatch_add added;
	struct session session;
	struct payloads *got;

	session_open(&session, 65536, 4096);
	if (session_add(&session, "kt_twin_[k-m]*", &options, &added))
		bail("ADD of a pattern that nothing matches: %m");
	check_equal(added.nr_probes, 0, "a pattern of events may match none yet");
	session_map(&session);
	session_start(&session);
	load("kcatch_trace_twin");
	check_equal(session_status(&session).nr_probes, 1, "the module that brings one makes it a probe");
	session_stop(&session);
	got = read_payloads(&session, added.first_probe);
	check(got->nr == 1 && !strcmp((char *)got->data[0], "kcatch_trace_twin"),
	      "what its init function emits is recorded");
	unload("kcatch_trace_twin");
	session_close(&session);
}

struct counting {
	uint32_t probe;
	uint64_t next[4], wrong, nr;
};

static void count_payload(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	const struct kcatch_event_record *event = (const void *)record;
	struct counting *counting = context;
	uint64_t number;
	uint32_t who;

	(void)cpu;
	memcpy(&who, event->data, 4);
	memcpy(&number, event->data + 4, 8);
	if (record->id != KCATCH_RECORD_ID(KCATCH_RECORD_EVENT, counting->probe) || who > 3 ||
	    record->size != sizeof(*event) + 16 || number < counting->next[who]) {
		counting->wrong++;
		return;
	}
	counting->nr++;
	counting->wrong += number != counting->next[who];	/* a gap: lost */
	counting->next[who] = number + 1;
}

static void test_count(uint32_t ring, bool room)
{
	struct kcatch_counters counters;
	struct counting counting = { 0 };
	struct session session;
	char text[64];
	uint64_t before, sum;

	session_open(&session, ring, 65536);
	counting.probe = add(&session, "kt_count");
	session_map(&session);
	session_start(&session);
	before = emitted();
	snprintf(text, sizeof(text), "count %lu", room ? EACH : EACH / 4);
	write_order("kcatch_trace", text);
	session_stop(&session);
	session_read_records(&session, false, count_payload, &counting);
	session_counters(&session, counting.probe, KCATCH_CPU_ALL, &counters);
	sum = emitted() - before;
	note("%" PRIu64 " emitted, %llu recorded, %llu lost, %llu missed", sum, counters.recorded,
	     counters.lost, counters.missed);
	check(equation_holds(&counters), "the equation holds");
	check_equal(counters.hits, sum, "each event is a hit");
	check_equal(counting.nr, counters.recorded, "each that is recorded is read");
	if (room) {
		check_equal(counters.recorded, sum, "with room all are recorded");
		check_equal(counting.wrong, 0, "and each payload is the one that is due");
	} else {
		check(counters.lost > 0 && counters.recorded + counters.lost + counters.missed ==
		      sum, "without room those lost are counted");
	}
	session_close(&session);
}

static int bind(struct session *session, uint32_t probe, struct kcatch_program *program)
{
	struct kcatch_binding binding = { .probe = probe };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };

	if (ioctl(session->fd, KCATCH_IOC_PROGRAM, program))
		bail("PROGRAM: %m");
	binding.program = program->number;
	return ioctl(session->fd, KCATCH_IOC_BIND, &bind);
}

/* A record is the same whether a budget is counted or not, and whatever a program fetches
 * that is not looked at. */
static void test_layout(void)
{
	static const struct kcatch_item items[] = { ITEM(ARG, WORD, .size = 8) };
	uint32_t size[2] = { 0 };
	uint8_t data[2][1200];
	int i;

	for (i = 0; i < 2; i++) {
		const struct add_options options = {
			.kind = KCATCH_TARGET_EVENT, .flags = KCATCH_ADD_NO_STACK,
			.budget = i ? 1000 : 0,
		};
		struct kcatch_program program = { .entry = { (uintptr_t)items, 1, 0 } };
		struct kcatch_add added;
		struct session session;
		struct payloads *got;

		session_open(&session, 65536, 4096);
		if (session_add(&session, "kt_kinds", &options, &added) ||
		    bind(&session, added.first_probe, &program))
			bail("kt_kinds is armed with a program: %m");
		session_map(&session);
		session_start(&session);
		write_order("kcatch_trace", "kinds");
		session_stop(&session);
		got = read_payloads(&session, added.first_probe);
		check_equal(got->nr, 1, "a program with fetches, %s budget: a record of an event",
			    i ? "with a" : "without a");
		size[i] = got->size[0];
		memcpy(data[i], got->data[0], sizeof(data[i]));
		session_close(&session);
	}
	check(size[0] && size[0] == size[1] && !memcmp(data[0], data[1], size[0]),
	      "with and without a budget it holds the same");
}

/* The most of its own stack that a record may hold is such that the payload fits too. */
static void test_largest(void)
{
	const struct add_options options = { .kind = KCATCH_TARGET_EVENT, .depth = 1 };
	struct kcatch_program program = { .user_stack = 4096 };
	struct kcatch_counters counters;
	struct session session;
	struct kcatch_add added;
	volatile char stack[8192];	/* so much of it there is */

	memset((char *)stack, 1, sizeof(stack));
	session_open(&session, 65536, 4096);
	if (session_add(&session, "kt_text", &options, &added))
		bail("kt_text is armed: %m");
	while (bind(&session, added.first_probe, &program))
		program.user_stack -= 8;
	note("%u bytes of the stack fit", program.user_stack);
	session_map(&session);
	session_start(&session);
	write_order("kcatch_trace", "texts");
	session_stop(&session);
	session_counters(&session, added.first_probe, KCATCH_CPU_ALL, &counters);
	check_equal(counters.recorded, 6, "the largest records fit into a packet");
	check_equal(session_read_records(&session, false, NULL, NULL), 6, "and are read whole");
	session_close(&session);
}

int main(void)
{
	cpu_set_t one;

	/* Orders are carried out by whoever writes them, into one ring. */
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	load("kcatch_trace");
	test_kinds();
	test_texts();
	test_layout();
	test_largest();
	test_arrival();
	test_twins();
	test_count(64 << 20, true);
	test_count(1 << 20, false);
	unload("kcatch_trace");
	return finish();
}
