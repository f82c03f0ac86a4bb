// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kcatch_cost LOOP MODE [N]: what a hit costs, over the untraced call.
 *
 * MODE: no-stack, stack, filtered (another process is asked for), spent (one
 * record was asked for and came half a second ago), return (entry, return value
 * and latency, no stack), return-stack (the same with the stack), condition (a
 * condition on an argument refuses the call), errors (a condition on the return
 * does). With the loop udp also: event (the tracepoint netif_rx, with its argument),
 * event-memory (with four words its argument points to), event-stack. With LOOP trace,
 * and the module of trace/ loaded: no-stack, stack, off: a DO_TRACE with two
 * integers, over a loop without it. Modes that count instead of recording: count
 * (by nothing), count-comm, count-caller, count-stack (three frames), count-hist
 * (the latency: buckets, sum, minimum, maximum). Talks to the module
 * directly, with rings that hold all records, so that nothing but the hook is
 * in the figure.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "loop.h"
#include "uapi/kcatch.h"

static int fail(const char *what)
{
	perror(what);
	return 1;
}

/* ARGUMENT 0 == 0x7ffffffffffffff7, as the library makes it for an unsigned long. */
static const struct kcatch_op argument[] = {
	{ .op = KCATCH_OP_RANGE, .from = KCATCH_FROM_ARG, .a = 0x7ffffffffffffff7,
	  .yes = KCATCH_EXIT_YES },
};

/* ret < 0 of an int */
static const struct kcatch_op negative[] = {
	{ .op = KCATCH_OP_RANGE, .from = KCATCH_FROM_RET, .left = 32, .a = 1ULL << 63,
	  .b = ~0ULL >> 1, .yes = KCATCH_EXIT_YES },
};

/* The argument itself, and what it points to. */
#define WORD(bytes, at) { .from = KCATCH_ITEM_ARG, .put = KCATCH_ITEM_WORD, .size = bytes, \
			  .offset = at }
static const struct kcatch_item one_argument[] = {
	{ .from = KCATCH_ITEM_ARG, .put = KCATCH_ITEM_VALUE },
};
static const struct kcatch_item four_words[] = {
	WORD(8, 0), WORD(8, 16), WORD(4, 112), WORD(2, 120),
};

/* Gives the first probe a program with these conditions and items. */
static int give_program(int fd, bool entry, bool at_return, const struct kcatch_item *items,
			unsigned int nr)
{
	struct kcatch_program program;
	struct kcatch_binding binding;
	struct kcatch_bind bind = { .nr = 1, .bindings = (unsigned long)&binding };

	memset(&program, 0, sizeof(program));
	memset(&binding, 0, sizeof(binding));
	program.entry.at = nr ? (unsigned long)items : 0;
	program.entry.nr = nr;
	if (entry) {
		program.entry_condition.at = (unsigned long)argument;
		program.entry_condition.nr = sizeof(argument) / sizeof(argument[0]);
	}
	if (at_return) {
		program.return_condition.at = (unsigned long)negative;
		program.return_condition.nr = sizeof(negative) / sizeof(negative[0]);
	}
	if (ioctl(fd, KCATCH_IOC_PROGRAM, &program))
		return -1;
	binding.program = program.number;
	return ioctl(fd, KCATCH_IOC_BIND, &bind);
}

/* Condition that every return passes. */
static const struct kcatch_op always[] = {
	{ .op = KCATCH_OP_GO, .yes = KCATCH_EXIT_YES },
};

/* Lets the first probe count, by @mode behind "count". */
static int give_count(int fd, const char *mode)
{
	struct kcatch_new_table table = { .size = 1 << 20 };
	struct kcatch_part parts[2] = { { .kind = KCATCH_PART_COMM },
					{ .kind = KCATCH_PART_SAME } };
	struct kcatch_program program;
	struct kcatch_count count = { .parts = (unsigned long)parts };
	struct kcatch_binding binding;
	struct kcatch_bind bind = { .nr = 1, .bindings = (unsigned long)&binding };

	memset(&program, 0, sizeof(program));
	memset(&binding, 0, sizeof(binding));
	if (!strcmp(mode, "-comm")) {
		table.words = 2;
		count.nr_parts = 1;
	} else if (!strcmp(mode, "-caller")) {
		table.words = 1;
		count.nr_parts = 1;
		parts[0].kind = KCATCH_PART_CALLER;
	} else if (!strcmp(mode, "-stack")) {
		table.flags = KCATCH_TABLE_STACK;
		count.parts = 0;
	} else if (!strcmp(mode, "-hist")) {
		table.flags = KCATCH_TABLE_VALUES | KCATCH_TABLE_BUCKETS;
		parts[0].kind = KCATCH_PART_WORD;
		parts[0].from = KCATCH_FROM_LATENCY;
		program.return_condition.at = (unsigned long)always;
		program.return_condition.nr = 1;
		count.flags = KCATCH_COUNT_ALWAYS;
	} else {
		count.parts = 0;
	}
	if (ioctl(fd, KCATCH_IOC_TABLE, &table) || ioctl(fd, KCATCH_IOC_PROGRAM, &program))
		return -1;
	count.program = binding.program = program.number;
	count.table = table.number;
	if (ioctl(fd, KCATCH_IOC_COUNT, &count))
		return -1;
	return ioctl(fd, KCATCH_IOC_BIND, &bind);
}

#define PARAMETERS "/sys/module/kcatch_bench_trace/parameters/"

static double parameter(const char *path)
{
	FILE *file = fopen(path, "r");
	double value = 0;

	if (!file || fscanf(file, "%lf", &value) != 1)
		value = -1;
	if (file)
		fclose(file);
	return value;
}

/* Nanoseconds of one event more than of none, inside the module. */
static double trace_run(unsigned long n)
{
	FILE *file = fopen(PARAMETERS "run", "w");

	if (!file || fprintf(file, "%lu", n) < 0 || fclose(file)) {
		perror(PARAMETERS "run");
		exit(1);
	}
	return (parameter(PARAMETERS "with") - parameter(PARAMETERS "without")) / n;
}

static int nothing(void)
{
	return 0;
}

static const struct loop trace = { "trace", "bench_two", nothing, NULL, 1 };

static double run(const struct loop *loop, unsigned long n)
{
	return loop == &trace ? trace_run(n) : loop_run(loop, n);
}

int main(int argc, char **argv)
{
	const struct loop *loop = argc < 3 ? NULL : !strcmp(argv[1], "trace") ? &trace :
						    loop_find(argv[1]);
	unsigned long n = argc > 3 ? strtoul(argv[3], NULL, 0) : 10000;
	struct kcatch_setup setup = { .ring_size = 16 << 20, .packet_size = 1 << 16 };
	struct kcatch_target target = { .kind = KCATCH_TARGET_NAME };
	struct kcatch_add add = { .nr_targets = 1 };
	struct kcatch_counters counters;
	struct kcatch_query query = { .count = 1, .cpu = KCATCH_CPU_ALL };
	bool conditional = false, failing = false, counting = false;
	const struct kcatch_item *items = NULL;
	unsigned int nr_items = 0;
	const char *function;
	double bare, traced;
	int fd;

	if (!loop)
		return fprintf(stderr, "usage: kcatch_cost getppid|udp|trace MODE [N]\n"), 1;
	function = loop->function;
	if (!strcmp(argv[2], "no-stack"))
		add.flags = KCATCH_ADD_NO_STACK;
	else if (!strcmp(argv[2], "spent"))
		add.budget = 1;
	else if (!strcmp(argv[2], "filtered"))
		add.flags = KCATCH_ADD_PID, add.pid = getppid();
	else if (!strcmp(argv[2], "return"))
		add.flags = KCATCH_ADD_NO_STACK | KCATCH_ADD_RETURN;
	else if (!strcmp(argv[2], "return-stack"))
		add.flags = KCATCH_ADD_RETURN;
	else if (!strcmp(argv[2], "errors"))
		add.flags = KCATCH_ADD_RETURN, failing = true;
	else if (!strcmp(argv[2], "condition"))
		conditional = true;
	else if (!strncmp(argv[2], "count", 5)) {
		counting = true;
		if (strcmp(argv[2] + 5, "-stack"))
			add.flags = KCATCH_ADD_NO_STACK;
		else
			add.depth = 3;
		if (!strcmp(argv[2] + 5, "-hist"))
			add.flags |= KCATCH_ADD_RETURN;
	}
	else if (!strncmp(argv[2], "event", 5) && !strcmp(loop->name, "udp")) {
		target.kind = KCATCH_TARGET_TRACEPOINT;
		function = "netif_rx";
		items = argv[2][5] == '-' && argv[2][6] == 'm' ? four_words : one_argument;
		nr_items = items == four_words ? 4 : 1;
		if (strcmp(argv[2], "event-stack"))
			add.flags = KCATCH_ADD_NO_STACK;
	} else if (strcmp(argv[2], "stack") && (loop != &trace || strcmp(argv[2], "off")))
		return fprintf(stderr, "kcatch_cost: no mode %s\n", argv[2]), 1;

	if (loop->prepare())
		return fail("prepare");
	fd = open(KCATCH_DEVICE, O_RDWR);
	if (fd < 0)
		return fail(KCATCH_DEVICE);
	if (loop == &trace)
		target.kind = KCATCH_TARGET_EVENT;
	target.name = (unsigned long)function;
	target.name_len = strlen(function);
	add.targets = (unsigned long)&target;
	run(loop, 1000);
	bare = run(loop, n);
	if (!strcmp(argv[2], "off"))
		return printf("kcatch trace off %.1f 0 %lu\n", bare, n), 0;
	if (loop == &trace)
		bare = 0;
	if (ioctl(fd, KCATCH_IOC_SETUP, &setup) || ioctl(fd, KCATCH_IOC_ADD, &add) ||
	    ((conditional || failing || nr_items) &&
	     give_program(fd, conditional, failing, items, nr_items)) ||
	    (counting && give_count(fd, argv[2] + 5)) ||
	    ioctl(fd, KCATCH_IOC_START))
		return fail("arm");
	if (add.budget && loop->once) {
		loop->once();
		usleep(500000);
	}
	traced = run(loop, n);
	if (ioctl(fd, KCATCH_IOC_STOP))
		return fail("stop");
	query.buffer = (unsigned long)&counters;
	if (ioctl(fd, KCATCH_IOC_COUNTERS, &query))
		return fail("counters");
	printf("kcatch %s %s %.1f %llu %lu (untraced %.1f; %llu recorded + %llu filtered + %llu over budget + %llu undecided + %llu missed + %llu lost)\n",
	       loop->name, argv[2], traced - bare, counters.hits, n, bare, counters.recorded,
	       counters.filtered, counters.over_budget, counters.undecided,
	       counters.missed, counters.lost);
	return 0;
}
