// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kcatch_cost LOOP MODE [N]: what a hit costs, over the untraced call.
 *
 * MODE: no-stack, stack, filtered (another process is asked for), spent (one
 * record was asked for and came half a second ago). Talks to the module
 * directly, with rings that hold all records, so that nothing but the hook is
 * in the figure.
 */
#include <fcntl.h>
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

int main(int argc, char **argv)
{
	const struct loop *loop = argc > 2 ? loop_find(argv[1]) : NULL;
	unsigned long n = argc > 3 ? strtoul(argv[3], NULL, 0) : 10000;
	struct kcatch_setup setup = { .ring_size = 16 << 20, .packet_size = 1 << 16 };
	struct kcatch_target target = { .kind = KCATCH_TARGET_NAME };
	struct kcatch_add add = { .nr_targets = 1 };
	struct kcatch_counters counters;
	struct kcatch_query query = { .count = 1, .cpu = KCATCH_CPU_ALL };
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
