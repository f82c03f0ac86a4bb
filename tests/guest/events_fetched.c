// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: what an event fetches is the same whichever way it is recorded: alone at its
 * tracepoint, chosen by its number, with a stack, beside the probe of another session. It is what
 * the call was given, and zeros with a mark where there is nothing.
 * Gate: newest
 */
#include "guest.h"
#include "code.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR_ITEMS(list) (sizeof(list) / sizeof((list)[0]))
#define WORDS 6			/* arguments of a system call */
#define ADDRESS 28		/* bytes of a socket address */
#define ADDRESS_WORDS 4
#define DATA_MAX 24		/* words of any list here, marks included */
#define NEAR_END 20		/* bytes from an address to the end of what is mapped */

/* An argument of the system call, from the struct pt_regs that argument 0 points to. */
#define REGISTER(at) ITEM(ARG, WORD, .size = 8, .offset = at)
#define DI 112
#define SI 104
#define DX 96
#define R10 56
#define R8 72
#define R9 64
#define ALL_WORDS \
	REGISTER(DI), REGISTER(SI), REGISTER(DX), REGISTER(R10), REGISTER(R8), REGISTER(R9)

/* The pointers that are followed. */
enum { HOP_DI, HOP_SI, HOP_R8, HOP_TASK, NR_HOPS };
static int32_t hops[NR_HOPS] = { DI, SI, R8 };
#define FOLLOWED(hop, what, ...) \
	ITEM(ARG, what, .nr_hops = 1, .first_hop = HOP_##hop, __VA_ARGS__)

/* As for recvfrom(2) and sendto(2). */
static const struct kcatch_item address[] = {
	ALL_WORDS, FOLLOWED(R8, MEMORY, .size = ADDRESS),
};
/* The same, where the pointer is none of the words. */
static const struct kcatch_item no_word[] = {
	REGISTER(DI), ITEM(ARG, VALUE, .index = 1), FOLLOWED(R8, MEMORY, .size = ADDRESS),
};
/* Two, of which the first is shorter. */
static const struct kcatch_item two[] = {
	ALL_WORDS, FOLLOWED(R8, MEMORY, .size = 12, .offset = 4),
	FOLLOWED(DI, MEMORY, .size = ADDRESS),
};
/* Behind its pointer, but not all words in front of that. */
static const struct kcatch_item onward[] = {
	REGISTER(DI), REGISTER(R8), FOLLOWED(R8, MEMORY, .size = ADDRESS),
};
/* A text of as many bytes as there are. */
static const struct kcatch_item text[] = {
	ALL_WORDS, FOLLOWED(R8, STRING, .size = 64),
};
/* What lies behind a pointer that is none of the words, in each size. */
static const struct kcatch_item behind[] = {
	REGISTER(DI), FOLLOWED(R8, MEMORY, .size = 16),
	FOLLOWED(R8, WORD, .size = 8, .offset = 8), FOLLOWED(R8, WORD, .size = 4, .offset = 4),
	FOLLOWED(R8, WORD, .size = 2, .offset = 2), FOLLOWED(R8, WORD, .size = 1, .offset = 1),
};
static const struct kcatch_item words[] = { ALL_WORDS };
/* As for connect(2): fewer words, and the pointer is another. */
static const struct kcatch_item second[] = {
	REGISTER(DI), REGISTER(SI), REGISTER(DX), FOLLOWED(SI, MEMORY, .size = ADDRESS),
};
/* Not in the order of a call's arguments. */
static const struct kcatch_item disordered[] = { REGISTER(DI), REGISTER(DX), REGISTER(SI) };

static const struct list {
	const char *name;
	const struct kcatch_item *items;
	uint32_t nr, shape;
} lists[] = {
	{ "words", words, NR_ITEMS(words), KCATCH_SHAPE_CALL },
	{ "words, of no shape", words, NR_ITEMS(words), KCATCH_SHAPE_NONE },
	{ "one word", words, 1, KCATCH_SHAPE_CALL },
	{ "two words", words, 2, KCATCH_SHAPE_CALL },
	{ "three words", words, 3, KCATCH_SHAPE_CALL },
	{ "four words", words, 4, KCATCH_SHAPE_CALL },
	{ "five words", words, 5, KCATCH_SHAPE_CALL },
	{ "words in another order", disordered, NR_ITEMS(disordered), KCATCH_SHAPE_NONE },
	{ "fewer words and an address", second, NR_ITEMS(second), KCATCH_SHAPE_CALL },
	{ "words and an address", address, NR_ITEMS(address), KCATCH_SHAPE_CALL },
	{ "these, of no shape", address, NR_ITEMS(address), KCATCH_SHAPE_NONE },
	{ "an address that no word points to", no_word, NR_ITEMS(no_word), KCATCH_SHAPE_NONE },
	{ "two addresses", two, NR_ITEMS(two), KCATCH_SHAPE_NONE },
	{ "an address behind its pointer", onward, NR_ITEMS(onward), KCATCH_SHAPE_NONE },
	{ "words and a text", text, NR_ITEMS(text), KCATCH_SHAPE_NONE },
	{ "memory behind a pointer", behind, NR_ITEMS(behind), KCATCH_SHAPE_NONE },
};

static uint64_t given[WORDS];

/* What is at an address: false and zeros, if not all of it is there. */
static bool bytes_at(uint64_t at, uint32_t size, uint64_t *to, const char *mapped)
{
	memset(to, 0, (size + 7) / 8 * 8);
	if (at < (uintptr_t)mapped || at > (uintptr_t)mapped + 4096 - size)
		return false;
	memcpy(to, (const void *)at, size);
	return true;
}

/* Puts what is expected of a list. Return: its words, with the two of the marks */
static uint32_t expect(const struct list *list, const char *mapped, uint64_t *to)
{
	uint64_t *first = to;
	uint32_t length;

	*to++ = 0;
	*to++ = 0;
	if (list->items == no_word || list->items == onward) {
		*to++ = given[0];
		*to++ = list->items == onward ? given[4] : SYS_getppid;
		first[0] = bytes_at(given[4], ADDRESS, to, mapped) ? 0 : 1 << 2;
		return to + ADDRESS_WORDS - first;
	}
	if (list->items == disordered) {
		*to++ = given[0];
		*to++ = given[2];
		*to++ = given[1];
		return to - first;
	}
	if (list->items == behind) {
		static const struct { uint32_t at, size; } items[] = {
			{ 0, 16 }, { 8, 8 }, { 4, 4 }, { 2, 2 }, { 1, 1 },
		};

		*to++ = given[0];
		for (length = 0; length < 5; length++) {
			if (!bytes_at(given[4] + items[length].at, items[length].size, to, mapped))
				first[0] |= 2 << length;
			to += (items[length].size + 7) / 8;
		}
		return to - first;
	}
	memcpy(to, given, sizeof(given));
	if (list->items == words)
		return to + list->nr - first;
	if (list->items == second) {
		to += 3;
		first[0] = bytes_at(given[1], ADDRESS, to, mapped) ? 0 : 1 << 3;
		return to + ADDRESS_WORDS - first;
	}
	to += WORDS;
	if (list->items == address) {
		first[0] = bytes_at(given[4], ADDRESS, to, mapped) ? 0 : 1 << WORDS;
		to += ADDRESS_WORDS;
	} else if (list->items == two) {
		first[0] = bytes_at(given[4] + 4, 12, to, mapped) ? 0 : 1 << WORDS;
		to += 2;
		first[0] |= bytes_at(given[0], ADDRESS, to, mapped) ? 0 : 2 << WORDS;
		to += ADDRESS_WORDS;
	} else if (list->items == text) {
		length = 0;
		while (given[4] >= (uintptr_t)mapped && length < 64 &&
		       given[4] + length < (uintptr_t)mapped + 4096 &&
		       ((const char *)given[4])[length])
			length++;
		if (given[4] + length >= (uintptr_t)mapped + 4096 || !length)
			first[0] = 1 << WORDS;
		else if (length == 64)
			first[1] = 1 << WORDS;
		*to++ = length;
		memset(to, 0, (length + 7) / 8 * 8);
		memcpy(to, (const void *)given[4], length);
		to += (length + 7) / 8;
	}
	return to - first;
}

struct seen {
	unsigned int records;
	uint32_t size;			/* words */
	uint64_t data[DATA_MAX];
};

static void see(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	const struct kcatch_event_record *event = (const void *)record;
	const struct kcatch_call_part *part;
	struct seen *seen = context;
	uint32_t kind = KCATCH_RECORD_KIND(record->id);

	(void)cpu;
	seen->records++;
	seen->size = 0;
	if (kind == KCATCH_RECORD_MARKED) {
		seen->size = (record->size - sizeof(*event)) / 8;
		if (seen->size <= DATA_MAX)
			memcpy(seen->data, event->data, seen->size * 8);
	} else if (kind == KCATCH_RECORD_EVENT) {
		/* A list whose items can always be read: without the marks. */
		seen->data[0] = seen->data[1] = 0;
		seen->size = 2 + (record->size - sizeof(*event)) / 8;
		if (seen->size <= DATA_MAX)
			memcpy(seen->data + 2, event->data, record->size - sizeof(*event));
	} else if (kind == KCATCH_RECORD_ENTRY) {
		part = call_part((const void *)record);
		seen->data[0] = part->faults[0];
		seen->data[1] = part->cut[0];
		seen->size = 2 + part->size[0] / 8;
		if (seen->size <= DATA_MAX)
			memcpy(seen->data + 2, part->data, part->size[0]);
	} else {
		note("a record of kind %u", kind);
	}
}

static uint32_t give_program(struct session *session, const struct list *list, bool number)
{
	const struct kcatch_op asked[] = {
		CODE_IS(ARG, SYS_getppid, .index = 1, .yes = KCATCH_EXIT_YES),
	};
	struct kcatch_program program = {
		.entry = { .at = (uintptr_t)list->items, .nr = list->nr },
		.hops = { .at = (uintptr_t)hops, .nr = NR_HOPS },
		.shape = list->shape,
		.entry_condition = { .at = number ? (uintptr_t)asked : 0, .nr = number },
	};

	if (ioctl(session->fd, KCATCH_IOC_PROGRAM, &program))
		bail("%s: the list is taken", list->name);
	return program.number;
}

enum how { ALONE, CHOSEN, CHOSEN_STACK, STACK, BESIDE, NR_HOW };
static const char *const hows[NR_HOW] = {
	"alone", "chosen", "chosen, with a stack", "with a stack", "beside another",
};

static void arm(struct session *session, const struct list *list, enum how how)
{
	const bool stack = how == STACK || how == CHOSEN_STACK;
	const struct add_options options = {
		.flags = stack ? 0 : KCATCH_ADD_NO_STACK, .depth = stack ? 8 : 0,
		.kind = KCATCH_TARGET_TRACEPOINT,
	};
	struct kcatch_binding binding = { .group = 0 };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };
	struct kcatch_add add;

	session_open(session, KCATCH_RING_SIZE_MIN * 16, KCATCH_PACKET_SIZE_MIN);
	session_map(session);
	if (session_add(session, "sys_enter", &options, &add))
		bail("system calls are armed");
	binding.probe = add.first_probe;
	/* Without a condition other programs' calls are in the ring, too: what counts is ours. */
	binding.program = give_program(session, list, how != ALONE && how != STACK);
	if (ioctl(session->fd, KCATCH_IOC_BIND, &bind))
		bail("its list is bound");
}

/* The last record of the calls of this thread, between nothing else of it. */
static uint32_t own_tid;
static struct seen last;

static void see_own(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	const struct kcatch_event_record *event = (const void *)record;
	const struct kcatch_hit *hit = (const void *)record;
	struct seen one = { .records = 0 };
	bool is_event = KCATCH_RECORD_KIND(record->id) != KCATCH_RECORD_ENTRY;
	const uint64_t *wanted = context;

	if ((is_event ? event->tid : hit->tid) != own_tid)
		return;
	see(&one, cpu, record);
	/* Of all lists here the third word is the first argument, which nobody else has. */
	if (one.size > 2 && one.data[2] == *wanted) {
		one.records = last.records + 1;
		last = one;
	}
}

static void try(const struct list *list, enum how how, const char *mapped)
{
	/* In the middle of a page, from an odd place, up to its end, across it; no memory. */
	const uint64_t places[] = {
		(uintptr_t)mapped + 64, (uintptr_t)mapped + 1029,
		(uintptr_t)mapped + 4096 - ADDRESS, (uintptr_t)mapped + 4096 - NEAR_END,
		0, 8, 4095, (uintptr_t)mapped + 4096, 0x8000000000000000, ~0ULL - 8,
	};
	struct session session, other;
	uint64_t expected[DATA_MAX];
	unsigned int wrong = 0, i;
	uint32_t size;

	arm(&session, list, how);
	if (how == BESIDE)
		arm(&other, &lists[0], ALONE);
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		for (size = 0; size < WORDS; size++)
			given[size] = 0x1111111111111111 * (size + 1) + i;
		given[0] = (uintptr_t)mapped + 256 + i;
		given[list->items == second ? 1 : 4] = places[i];
		size = expect(list, mapped, expected);
		memset(&last, 0, sizeof(last));
		session_start(&session);
		if (how == BESIDE)
			session_start(&other);
		syscall(SYS_getppid, given[0], given[1], given[2], given[3], given[4], given[5]);
		session_stop(&session);
		if (how == BESIDE)
			session_stop(&other);
		session_read_records(&session, false, see_own, &given[0]);
		if (last.records == 1 && last.size == size &&
		    !memcmp(last.data, expected, 8 * size))
			continue;
		wrong++;
		note("%s, %s, address %llx: %u records, %u words (expected %u), faults %llx "
		     "(%llx), cut %llx (%llx)", list->name, hows[how],
		     (unsigned long long)given[4], last.records, last.size, size,
		     (unsigned long long)last.data[0], (unsigned long long)expected[0],
		     (unsigned long long)last.data[1], (unsigned long long)expected[1]);
	}
	check_equal(wrong, 0, "%s, %s: what the call was given", list->name, hows[how]);
	session_close(&session);
	if (how == BESIDE)
		session_close(&other);
}

/* ---- memory so far apart that the distance needs 33 bits -------------------- */

#define NO_CALL 0x2340		/* no system call, as a pointer below all memory */
#define FARTHEST(above) \
	ITEM(ARG, VALUE, .index = 1), \
	ITEM(ARG, WORD, .index = 1, .size = 8, .offset = INT32_MIN), \
	ITEM(ARG, WORD, .index = 1, .size = 8, .offset = above)

/* What is in front of the number is the kernel's image; what is behind it, this process's. */
static const struct kcatch_item farthest[] = { FARTHEST(0x7ffffff8) };
static const struct kcatch_item across[] = { FARTHEST(0x7ffffffc) };
static const struct list far_lists[] = {
	{ "two words 4 GB apart", farthest, NR_ITEMS(farthest), KCATCH_SHAPE_NONE },
	{ "two words 4 GB and a little apart", across, NR_ITEMS(across), KCATCH_SHAPE_NONE },
};

static void far_apart(const struct list *list, enum how how)
{
	const uint64_t at = NO_CALL + (uint64_t)list->items[2].offset, word = 0x1122334455667788;
	uint64_t wanted = NO_CALL;
	char *page = mmap((void *)(at & ~0xfffULL), 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	struct session session;

	if (page != (void *)(at & ~0xfffULL))
		bail("memory at %llx", (unsigned long long)at);
	memcpy((void *)at, &word, sizeof(word));
	arm(&session, list, how);
	memset(&last, 0, sizeof(last));
	session_start(&session);
	syscall(NO_CALL);
	session_stop(&session);
	session_read_records(&session, false, see_own, &wanted);
	session_close(&session);
	/* In the image there may be something. */
	check(last.records == 1 && last.size == 5 && !(last.data[0] & ~2ULL) && !last.data[1] &&
	      last.data[4] == word, "%s, %s: each is looked up", list->name, hows[how]);
	munmap(page, 4096);
}

/* ---- a switch of tasks ----------------------------------------------------- */

#define FAR (-0x7fffff00)	/* from a task: in front of all memory */
#define ARGUMENT(nr, what, ...) ITEM(ARG, what, .index = nr, __VA_ARGS__)
#define TASK(nr, words, number) \
	ARGUMENT(nr, MEMORY, .size = 16, .offset = words), \
	ARGUMENT(nr, WORD, .size = 4, .offset = number)
#define TASKS(words, number) \
	ARGUMENT(0, VALUE), ARGUMENT(1, VALUE), ARGUMENT(2, VALUE), ARGUMENT(3, VALUE), \
	TASK(1, words, number), TASK(2, words, number)
#define TASK_WORDS 12		/* marks, arguments, three words of each task */

static const struct kcatch_item near_tasks[] = { TASKS(32, 24) };
static const struct kcatch_item far_tasks[] = { TASKS(FAR, FAR + 16) };
static const struct kcatch_item other_tasks[] = {	/* in another order */
	ARGUMENT(3, VALUE), ARGUMENT(2, VALUE), ARGUMENT(1, VALUE), ARGUMENT(0, VALUE),
	ARGUMENT(2, WORD, .size = 4, .offset = 24), ARGUMENT(2, MEMORY, .size = 16, .offset = 32),
	ARGUMENT(1, WORD, .size = 4, .offset = 24), ARGUMENT(1, MEMORY, .size = 16, .offset = 32),
};

#define SWITCHES_MAX 256

struct switches {
	unsigned int nr, wrong_size;
	uint64_t data[SWITCHES_MAX][TASK_WORDS];
};

static struct switches switches[2];

static void see_switch(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	struct switches *to = context;
	struct seen one = { .records = 0 };

	if (((const struct kcatch_event_record *)record)->tid != own_tid ||
	    to->nr == SWITCHES_MAX)
		return;
	see(&one, cpu, record);
	to->wrong_size += one.size != TASK_WORDS;
	memcpy(to->data[to->nr++], one.data, sizeof(to->data[0]));
}

static void arm_shape(struct session *session, const struct kcatch_item *items, uint32_t nr,
		      bool stack, uint32_t shape)
{
	const struct list list = { "a switch", items, nr, shape };
	const struct add_options options = {
		.flags = stack ? 0 : KCATCH_ADD_NO_STACK, .depth = stack ? 8 : 0,
		.kind = KCATCH_TARGET_TRACEPOINT,
	};
	struct kcatch_binding binding = { .group = 0 };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };
	struct kcatch_add add;

	session_open(session, KCATCH_RING_SIZE_MIN * 16, KCATCH_PACKET_SIZE_MIN);
	session_map(session);
	if (session_add(session, "sched_switch", &options, &add))
		bail("switches are armed");
	binding.probe = add.first_probe;
	binding.program = give_program(session, &list, false);
	if (ioctl(session->fd, KCATCH_IOC_BIND, &bind))
		bail("its list is bound");
}

static void arm_switches(struct session *session, const struct kcatch_item *items, uint32_t nr,
			 bool stack)
{
	arm_shape(session, items, nr, stack, KCATCH_SHAPE_NONE);
}

static void switch_often(struct session *session)
{
	int i;

	session_start(session);
	for (i = 0; i < 20; i++)
		usleep(1000);
	session_stop(session);
}

/* At 32 a task has its stack, which stays, and its state before; on 6.1 for real time at 40. */
static unsigned int stack_among(const uint64_t *words)
{
	return words[0] >> 63 && !(words[0] & 0xfff) ? 0 : 1;
}

static void compare_switches(void)
{
	struct session session;
	unsigned int wrong = 0, stack, i;
	const uint64_t *at;

	memset(switches, 0, sizeof(switches));
	arm_switches(&session, near_tasks, NR_ITEMS(near_tasks), false);
	switch_often(&session);
	session_read_records(&session, false, see_switch, &switches[0]);
	session_close(&session);
	arm_switches(&session, other_tasks, NR_ITEMS(other_tasks), false);
	switch_often(&session);
	session_read_records(&session, false, see_switch, &switches[1]);
	session_close(&session);
	check(switches[0].nr >= 10 && switches[1].nr >= 10 && !switches[0].wrong_size &&
	      !switches[1].wrong_size, "switches of tasks in two ways: %u, %u records",
	      switches[0].nr, switches[1].nr);
	at = switches[0].data[0];
	/* Behind the marks: preempt, prev, next, prev_state. */
	for (i = 0; i < switches[0].nr; i++)
		wrong += switches[0].data[i][0] || switches[0].data[i][1] ||
			 switches[0].data[i][3] != at[3] || (switches[0].data[i][2] & 0xff) > 1 ||
			 switches[0].data[i][3] == switches[0].data[i][4];
	for (i = 0; i < switches[1].nr; i++)
		wrong += switches[1].data[i][0] || switches[1].data[i][1] ||
			 switches[1].data[i][4] != at[3] || switches[1].data[i][9] >> 32 ||
			 (switches[1].data[i][5] & 0xff) > 1;
	check_equal(wrong, 0, "this thread is what is switched from, in both");
	stack = stack_among(at + 6);
	for (i = 0, wrong = 0; i < switches[0].nr && i < switches[1].nr; i++)
		wrong += !(at[6 + stack] >> 63) ||
			 switches[0].data[i][6 + stack] != at[6 + stack] ||
			 switches[1].data[i][10 + stack] != at[6 + stack];
	check_equal(wrong, 0, "its stack is the same in both");
}

/* ---- the name and the number of both tasks, as everybody records them -------- */

#define OWN_NAME "kt_switches_now"	/* as long as a name can be */
#define PART 1016			/* bytes of a task that are fetched at a time */

static uint8_t part[PART];

static void see_part(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	const struct kcatch_event_record *event = (const void *)record;

	(void)context;
	(void)cpu;
	/* Behind the marks. */
	if (event->tid == own_tid && record->size == sizeof(*event) + 16 + PART)
		memcpy(part, event->data + 16, PART);
}

/* Where the kernel has something in a task, found by what it is for this thread; -1: nowhere. */
static int32_t find_in_task(const void *bytes, size_t size)
{
	struct session session;
	int32_t at, i;

	for (at = 0; at < 16384; at += PART - 16) {
		const struct kcatch_item items[] = {
			ARGUMENT(1, MEMORY, .size = PART, .offset = at),
		};

		memset(part, 0, sizeof(part));
		arm_switches(&session, items, NR_ITEMS(items), false);
		switch_often(&session);
		session_read_records(&session, false, see_part, NULL);
		session_close(&session);
		for (i = 0; i + 16 <= PART; i += 4)
			if (!memcmp(part + i, bytes, size))
				return at + i;
	}
	return -1;
}

/* ---- what lies behind a pointer in a task: the task itself, whose leader it is ---- */

#define BEHIND(how, bytes, at) \
	FOLLOWED(TASK, how, .index = 1, .size = bytes, .offset = at)
#define BEHIND_ALL(name, number) \
	ARGUMENT(1, VALUE), BEHIND(MEMORY, 16, name), BEHIND(WORD, 8, number), \
	BEHIND(WORD, 4, number), BEHIND(WORD, 2, number), BEHIND(WORD, 1, number)
#define BEHIND_WORDS 9		/* marks, the task, its name, its number in each size */

struct behind {
	unsigned int nr, wrong_size;
	uint64_t data[BEHIND_WORDS];
};

static void see_behind(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	bool stacked = KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_ENTRY;
	struct seen one = { .records = 0 };
	struct behind *to = context;

	if ((stacked ? ((const struct kcatch_hit *)record)->tid :
		       ((const struct kcatch_event_record *)record)->tid) != own_tid)
		return;
	see(&one, cpu, record);
	to->nr++;
	to->wrong_size += one.size != BEHIND_WORDS;
	memcpy(to->data, one.data, sizeof(to->data));
}

static struct behind behind_of(const struct kcatch_item *items, uint32_t nr, bool stack,
			       int32_t pointer)
{
	struct behind behind = { .nr = 0 };
	struct session session;

	hops[HOP_TASK] = pointer;
	arm_switches(&session, items, nr, stack);
	switch_often(&session);
	session_read_records(&session, false, see_behind, &behind);
	session_close(&session);
	return behind;
}

static void behind_pointers(int32_t name, int32_t number, uint64_t task)
{
	const uint64_t ids = own_tid | (uint64_t)getpid() << 32;
	const int32_t leader = find_in_task(&task, sizeof(task));
	struct behind behind;
	unsigned int stack;

	if (!check(leader >= 0, "a task's pointer to itself is found"))
		return;
	for (stack = 0; stack < 2; stack++) {
		const struct kcatch_item items[] = { BEHIND_ALL(name, number) };
		const uint64_t *at = behind.data;

		behind = behind_of(items, NR_ITEMS(items), stack, leader);
		check(behind.nr >= 10 && !behind.wrong_size && !at[0] && !at[1] && at[2] == task &&
		      !memcmp(&at[3], OWN_NAME, sizeof(OWN_NAME)) && at[5] == ids &&
		      at[6] == own_tid && at[7] == (uint16_t)own_tid && at[8] == (uint8_t)own_tid,
		      "behind a pointer, %s a stack: name and number", stack ? "with" : "without");
		/* The name is no address. */
		behind = behind_of(items, NR_ITEMS(items), stack, name);
		check(behind.nr >= 10 && !behind.wrong_size && at[0] == 0x3e && !at[1] &&
		      at[2] == task && !at[3] && !at[4] && !at[5] && !at[6] && !at[7] && !at[8],
		      "behind none, %s a stack: zeros, and a mark for each item",
		      stack ? "with" : "without");
	}
}

static void switches_with_both(int32_t name, int32_t number, uint32_t shape)
{
	const struct kcatch_item items[] = { TASKS(name, number) };
	struct session session;
	unsigned int wrong = 0, i;

	memset(switches, 0, sizeof(switches));
	arm_shape(&session, items, NR_ITEMS(items), false, shape);
	switch_often(&session);
	session_read_records(&session, false, see_switch, &switches[0]);
	session_close(&session);
	check(switches[0].nr >= 10 && !switches[0].wrong_size,
	      "shape %u: switches with both: %u records", shape, switches[0].nr);
	for (i = 0; i < switches[0].nr; i++) {
		const uint64_t *at = switches[0].data[i];

		/* Who comes next has a name, and is another. */
		wrong += at[0] || at[1] || memcmp(&at[6], OWN_NAME, sizeof(OWN_NAME)) ||
			 at[8] != own_tid || at[3] != switches[0].data[0][3] || at[4] == at[3] ||
			 !(at[9] & 0xff) || at[11] == own_tid || at[11] >> 32;
	}
	check_equal(wrong, 0, "those of this thread, and of another one");
}

static void names_and_numbers(void)
{
	const uint32_t ids[2] = { own_tid, (uint32_t)getpid() };
	int32_t name, number;

	prctl(PR_SET_NAME, OWN_NAME);
	name = find_in_task(OWN_NAME, sizeof(OWN_NAME));
	number = find_in_task(ids, sizeof(ids));
	if (!check(name >= 0 && number >= 0, "name and number of a task are found"))
		return;
	switches_with_both(name, number, KCATCH_SHAPE_NONE);
	switches_with_both(name, number, KCATCH_SHAPE_SWITCH);
	behind_pointers(name, number, switches[0].data[0][3]);
}

static void switches_of_nothing(void)
{
	struct session session;
	unsigned int wrong = 0, i, j;

	memset(switches, 0, sizeof(switches));
	arm_switches(&session, far_tasks, NR_ITEMS(far_tasks), false);
	switch_often(&session);
	session_read_records(&session, false, see_switch, &switches[0]);
	session_close(&session);
	check(switches[0].nr >= 10 && !switches[0].wrong_size,
	      "switches whose tasks cannot be read: %u records", switches[0].nr);
	for (i = 0; i < switches[0].nr; i++) {
		wrong += switches[0].data[i][0] != 0xf0 || switches[0].data[i][1] ||
			 !switches[0].data[i][3] || !switches[0].data[i][4];
		for (j = 6; j < TASK_WORDS; j++)
			wrong += switches[0].data[i][j] != 0;
	}
	check_equal(wrong, 0, "their arguments, zeros, and a mark for each item");
}

int main(void)
{
	char *mapped = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int list, i;
	int how;

	if (mapped == MAP_FAILED || mprotect(mapped + 4096, 4096, PROT_NONE))
		bail("a page behind which nothing can be read");
	for (i = 0; i < 4096; i++)
		mapped[i] = i % 100 ? i % 251 + 1 : 0;
	own_tid = (uint32_t)syscall(SYS_gettid);
	for (list = 0; list < sizeof(lists) / sizeof(lists[0]); list++)
		for (how = 0; how < NR_HOW; how++)
			try(&lists[list], how, mapped);
	for (list = 0; list < sizeof(far_lists) / sizeof(far_lists[0]); list++) {
		far_apart(&far_lists[list], ALONE);
		far_apart(&far_lists[list], STACK);
	}
	compare_switches();
	names_and_numbers();
	switches_of_nothing();
	return finish();
}
