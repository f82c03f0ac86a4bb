// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: functions whose returns are hooked run in the handler of a breakpoint: the
 * machine goes on, each such call is recorded, and counted as one without its return. Where
 * returns are hooked by kretprobes, it is counted as missed.
 */
#include "guest.h"

#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FUNCTION KT_SYS "getppid"
/* What the kernel calls when a fetch faults. */
#define CALLED "search_exception_tables"

/* What the first argument of the system call points to: its registers are argument 0. */
static const struct kcatch_item items[] = { ITEM(ARG, WORD, .size = 8, .nr_hops = 1) };
static const int32_t hops[] = { 14 * 8 };

/* The first instruction behind ftrace's: a breakpoint. */
static uint32_t arm_inside(struct session *session)
{
	struct kcatch_target target = {
		.kind = KCATCH_TARGET_NAME, .offset = 4,
		.name_len = strlen(FUNCTION), .name = (uintptr_t)FUNCTION,
	};
	struct kcatch_program program = { .entry = { (uintptr_t)items, 1, 0 },
					  .hops = { (uintptr_t)hops, 1, 0 } };
	struct kcatch_add add;

	do {
		target.offset++;
		add = (struct kcatch_add){ .nr_targets = 1, .targets = (uintptr_t)&target };
	} while (ioctl(session->fd, KCATCH_IOC_ADD, &add) && target.offset < 64);
	if (target.offset == 64)
		bail("a place inside %s is armed", FUNCTION);
	session_bind(session, add.first_probe, &program);
	return add.first_probe;
}

static uint64_t faults;

static void see(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	const uint32_t *probe = context;

	(void)cpu;
	if (record->id == KCATCH_RECORD_ID(KCATCH_RECORD_ENTRY, *probe))
		faults += call_part((const void *)record)->faults[0];
}

/* Returns how many calls it made. */
static uint64_t call_with(uint64_t from, uint64_t to, uint64_t step)
{
	uint64_t calls = 0;

	for (; from < to; from += step, calls++)
		syscall(SYS_getppid, from);
	return calls;
}

/* Each has a kprobe of its own, and the kernel calls none in the work of another. */
static bool returns_are_public(const struct session *session)
{
	struct kcatch_info info = { 0 };

	if (ioctl(session->fd, KCATCH_IOC_INFO, &info))
		bail("INFO: %m");
	return !(info.features & KCATCH_FEATURE_RETURN_SHARED);
}

int main(void)
{
	const struct add_options options = { .flags = KCATCH_ADD_RETURN };
	struct kcatch_counters counters;
	uint32_t inside;
	struct session session;
	struct kcatch_add add;
	uint64_t calls = 0;

	session_open(&session, 4 << 20, 65536);
	if (session_add(&session, CALLED, &options, &add))
		bail(CALLED " is armed with its return: %m");
	inside = arm_inside(&session);
	session_map(&session);
	session_start(&session);
	/* Wherever the direct map was put: most of it is behind the end of the memory. With five
	 * levels of page tables it is another one, and the first may be KASAN's shadow. */
	calls += call_with(0xffff880000000000, 0xffffe00000000000, 1ULL << 38);
	calls += call_with(0xff11000000000000, 0xff91000000000000, 1ULL << 47);
	session_stop(&session);
	session_read_records(&session, false, see, &inside);
	session_counters(&session, inside, KCATCH_CPU_ALL, &counters);
	check(counters.recorded >= calls, "all calls are recorded");
	check(faults > 0, "some of the fetches could not be done");
	session_counters(&session, add.first_probe, KCATCH_CPU_ALL, &counters);
	if (returns_are_public(&session)) {
		note("%llu missed, %llu recorded", (unsigned long long)counters.missed,
		     (unsigned long long)counters.recorded);
		check(counters.missed > 0, CALLED ": calls in the handler are missed");
	} else {
		check(counters.recorded > 0, CALLED ": calls in the handler are recorded");
		check(counters.no_slot > 0, CALLED ": without their returns");
	}
	check(equation_holds(&counters), CALLED ": the equation holds");
	session_close(&session);
	return finish();
}
