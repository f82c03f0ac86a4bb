// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a module's tracepoint with the name of one of the kernel's, which has a hook of its
 * own, is recorded with all its arguments.
 */
#include "guest.h"

#include <stdlib.h>

#define ORDER	"/sys/module/kcatch_namesake/parameters/order"
#define ARGS	6

struct seen {
	uint32_t first;		/* probe */
	uint32_t records, wrong;
};

static void see(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	const struct kcatch_event_record *event = (const void *)record;
	const uint64_t *data = (const void *)event->data;
	struct seen *seen = context;
	uint32_t i;

	(void)cpu;
	if (KCATCH_RECORD_PROBE(record->id) != seen->first + 1)
		return;
	seen->records++;
	for (i = 0; i < ARGS; i++)
		seen->wrong += data[i] != 11 + i;
}

/* All its arguments; the sixth is on the stack. */
static void bind_arguments(struct session *session, uint32_t probe)
{
	struct kcatch_item items[ARGS];
	struct kcatch_program program = { .entry = { (uintptr_t)items, ARGS, 0 } };
	uint32_t i;

	for (i = 0; i < ARGS; i++)
		items[i] = (struct kcatch_item)ITEM(ARG, VALUE, .index = (uint8_t)i);
	session_bind(session, probe, &program);
}

int main(void)
{
	const struct add_options options = {
		.flags = KCATCH_ADD_NO_STACK, .kind = KCATCH_TARGET_TRACEPOINT,
	};
	struct session session;
	struct kcatch_add add;
	struct seen seen = { .records = 0 };

	if (system("insmod \"$KT_MODULES/kcatch_namesake/kcatch_namesake.ko\""))
		bail("kcatch_namesake is loaded");
	session_open(&session, 1 << 20, 65536);
	if (session_add(&session, "sys_enter", &options, &add))
		bail("sys_enter is armed");
	check_equal(add.nr_probes, 2, "two tracepoints have the name");
	seen.first = add.first_probe;
	bind_arguments(&session, add.first_probe + 1);
	session_map(&session);
	session_start(&session);
	if (system("echo 1 >" ORDER))
		bail("the tracepoint is hit");
	session_stop(&session);
	session_read_records(&session, false, see, &seen);
	check_equal(seen.records, 1, "the module's is recorded");
	check_equal(seen.wrong, 0, "with its arguments");
	session_close(&session);
	check(!system("rmmod kcatch_namesake"), "the module goes");
	return finish();
}
