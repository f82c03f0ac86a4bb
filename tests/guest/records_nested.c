// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: while the data of a record are fetched, whose size is not known before, another
 * record is made: both are whole, and neither has room that it does not use.
 */
#include "guest.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FUNCTION KT_SYS "getppid"
/* What the kernel calls when a fetch faults. */
#define CALLED "search_exception_tables"
#define CALLS 400
#define TEXT_SIZE 200
/* Of the kernel's, below its text: nothing is mapped there, and to read it faults. */
#define NOWHERE 0xffffffff80001000UL

/* The first argument of the system call, and the string it points to: its registers are
 * argument 0. */
static const struct kcatch_item items[] = {
	ITEM(ARG, WORD, .size = 8, .offset = 14 * 8),
	ITEM(ARG, STRING, .size = TEXT_SIZE, .nr_hops = 1),
};
static const int32_t hops[] = { 14 * 8 };
static const struct kcatch_item again[] = { ITEM(SAVED, VALUE) };

static const char *const texts[] = { "", "short", "a text that is of more than a few words" };

static struct seen {
	uint32_t probe;
	bool stack;
	uint64_t entries, nested, returns, last;
	const char *wrong;
} seen;

static bool is_text(const struct kcatch_call_part *part)
{
	uint64_t address, length;
	const char *text;

	memcpy(&address, part->data, 8);
	memcpy(&length, part->data + 8, 8);
	if (address == NOWHERE)
		return !length && part->faults[0] == 2 && part->size[0] == 16;
	text = (const char *)address;
	return part->faults[0] == 0 && length == strlen(text) &&
	       part->size[0] == 16 + (length + 7) / 8 * 8 && !memcmp(part->data + 16, text, length);
}

static void see_entry(const struct kcatch_hit *hit)
{
	const struct kcatch_call_part *part = call_part(hit);
	uint32_t nr = hit->nr_frames, i;

	for (i = 0; i < nr; i++)
		if (!hit->frames[i])
			seen.wrong = "a frame that there is not";
	if (seen.stack ? nr < 2 || hit->stack_flags != KCATCH_STACK_COMPLETE :
			 nr || hit->stack_flags != KCATCH_STACK_NONE)
		seen.wrong = "the stack";
	if (hit->head.size != part->data + part->size[0] - (const unsigned char *)hit)
		seen.wrong = "the size";
	if (!part->call)
		seen.wrong = "the number of the call";
	if (!is_text(part))
		seen.wrong = "the items";
	seen.entries++;
}

static void see(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	const struct kcatch_return *back = (const void *)record;
	uint64_t address;

	(void)context;
	(void)cpu;
	if (record->time < seen.last)
		seen.wrong = "time goes back";
	seen.last = record->time;
	if (record->id == KCATCH_RECORD_ID(KCATCH_RECORD_ENTRY, seen.probe)) {
		see_entry((const void *)record);
	} else if (record->id == KCATCH_RECORD_ID(KCATCH_RECORD_RETURN, seen.probe)) {
		memcpy(&address, back->data, 8);
		if (back->size != 8 || (address != NOWHERE && address < 65536))
			seen.wrong = "what the return saw of the entry";
		seen.returns++;
	} else {
		seen.nested++;
	}
}

static void arm(struct session *session, uint32_t flags)
{
	struct kcatch_program program = { .entry = { (uintptr_t)items, 2, 0 },
					  .at_return = { (uintptr_t)again, 1, 0 },
					  .hops = { (uintptr_t)hops, 1, 0 } };
	const struct add_options mine = { .flags = flags | KCATCH_ADD_RETURN };
	const struct add_options theirs = { .flags = KCATCH_ADD_NO_STACK };
	struct kcatch_add add;

	session_open(session, 4 << 20, 65536);
	if (session_add(session, CALLED, &theirs, &add))
		bail(CALLED " is armed: %m");
	seen = (struct seen){ .stack = !(flags & KCATCH_ADD_NO_STACK) };
	if (session_add(session, FUNCTION, &mine, &add))
		bail(FUNCTION " is armed: %m");
	seen.probe = add.first_probe;
	session_bind(session, seen.probe, &program);
	session_map(session);
}

static void run(uint32_t flags, const char *how)
{
	struct kcatch_counters counters;
	struct session session;
	int i;

	arm(&session, flags);
	session_start(&session);
	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid, i & 1 ? NOWHERE : (uintptr_t)texts[i / 2 % 3]);
	session_stop(&session);
	session_read_records(&session, false, see, NULL);
	check(!seen.wrong, "%s: %s", how, seen.wrong ? seen.wrong : "all records are whole");
	check_equal(seen.entries, CALLS, "%s: entries", how);
	check_equal(seen.returns, CALLS, "%s: returns", how);
	check(seen.nested >= CALLS / 2, "%s: records were made meanwhile", how);
	session_counters(&session, seen.probe, KCATCH_CPU_ALL, &counters);
	check(counters.recorded == CALLS && equation_holds(&counters), "%s: the equation holds",
	      how);
	session_close(&session);
}

int main(void)
{
	uint32_t i;

	/* Their pages are there. */
	for (i = 0; i < 3; i++)
		note("a text of %zu", strlen(texts[i]));
	run(0, "with stacks");
	run(KCATCH_ADD_NO_STACK, "without");
	return finish();
}
