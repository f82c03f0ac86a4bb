// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kcatch_cost LOOP MODE [N]: what a hit costs, over the untraced call.
 *
 * MODE: no-stack, stack, filtered (another process is asked for), spent (one
 * record was asked for and came half a second ago), return (entry, return value
 * and latency, no stack), return-stack (the same with the stack), condition (a
 * condition on an argument refuses the call), errors (a condition on the return
 * does). Talks to the module
 * directly, with rings that hold all records, so that nothing but the hook is
 * in the figure.
 */
#include <fcntl.h>
#include <linux/filter.h>
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

/* ARGUMENT 0 > 65536, as the library compiles it for an unsigned long. */
static const struct sock_filter argument[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x7fffffff, 2, 0),
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xfffffff7, 1, 0),
	BPF_STMT(BPF_RET | BPF_K, 0),
	BPF_STMT(BPF_RET | BPF_K, 1),
};

/* ret < 0 of an int */
static const struct sock_filter negative[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct kcatch_condition, ret)),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x80000000, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, 1),
	BPF_STMT(BPF_RET | BPF_K, 0),
};

/* Gives the first probe a program with these conditions. */
static int give_program(int fd, bool entry, bool at_return)
{
	struct kcatch_program program;
	struct kcatch_binding binding;
	struct kcatch_bind bind = { .nr = 1, .bindings = (unsigned long)&binding };

	memset(&program, 0, sizeof(program));
	memset(&binding, 0, sizeof(binding));
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

int main(int argc, char **argv)
{
	const struct loop *loop = argc > 2 ? loop_find(argv[1]) : NULL;
	unsigned long n = argc > 3 ? strtoul(argv[3], NULL, 0) : 10000;
	struct kcatch_setup setup = { .ring_size = 16 << 20, .packet_size = 1 << 16 };
	struct kcatch_target target = { .kind = KCATCH_TARGET_NAME };
	struct kcatch_add add = { .nr_targets = 1 };
	struct kcatch_counters counters;
	struct kcatch_query query = { .count = 1, .cpu = KCATCH_CPU_ALL };
	bool conditional = false, failing = false;
	double bare, traced;
	int fd;

	if (!loop)
		return fprintf(stderr, "usage: kcatch_cost getppid|udp MODE [N]\n"), 1;
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
	else if (strcmp(argv[2], "stack"))
		return fprintf(stderr, "kcatch_cost: no mode %s\n", argv[2]), 1;

	if (loop->prepare())
		return fail("prepare");
	fd = open(KCATCH_DEVICE, O_RDWR);
	if (fd < 0)
		return fail(KCATCH_DEVICE);
	target.name = (unsigned long)loop->function;
	target.name_len = strlen(loop->function);
	add.targets = (unsigned long)&target;
	loop_run(loop, 1000);
	bare = loop_run(loop, n);
	if (ioctl(fd, KCATCH_IOC_SETUP, &setup) || ioctl(fd, KCATCH_IOC_ADD, &add) ||
	    ((conditional || failing) && give_program(fd, conditional, failing)) ||
	    ioctl(fd, KCATCH_IOC_START))
		return fail("arm");
	if (add.budget) {
		loop->once();
		usleep(500000);
	}
	traced = loop_run(loop, n);
	if (ioctl(fd, KCATCH_IOC_STOP))
		return fail("stop");
	query.buffer = (unsigned long)&counters;
	if (ioctl(fd, KCATCH_IOC_COUNTERS, &query))
		return fail("counters");
	printf("kcatch %s %s %.1f %llu %lu (untraced %.1f; %llu recorded + %llu filtered + %llu over budget + %llu missed + %llu lost)\n",
	       loop->name, argv[2], traced - bare, counters.hits, n, bare, counters.recorded,
	       counters.filtered, counters.over_budget, counters.missed, counters.lost);
	return 0;
}
