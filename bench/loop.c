// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * getppid: a system call that does nothing, 3 frames deep.
 * udp: one datagram over loopback, __netif_rx is 14 frames deep.
 * zero: one byte of /dev/zero by read(2).
 * switch: a byte to another process, which sends it back: two switches, on one processor.
 */
#include "loop.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int nothing(void)
{
	return 0;
}

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

static int sender, receiver;

static int prepare_udp(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t length = sizeof(address);

	receiver = socket(AF_INET, SOCK_DGRAM, 0);
	sender = socket(AF_INET, SOCK_DGRAM, 0);
	if (receiver < 0 || sender < 0 ||
	    bind(receiver, (struct sockaddr *)&address, sizeof(address)) ||
	    getsockname(receiver, (struct sockaddr *)&address, &length))
		return -1;
	return connect(sender, (struct sockaddr *)&address, sizeof(address));
}

static void send_datagram(void)
{
	char byte = 0;

	if (send(sender, &byte, 1, 0) == 1)
		recv(receiver, &byte, 1, 0);
}

static int zero;

static int prepare_zero(void)
{
	zero = open("/dev/zero", O_RDONLY);
	return zero < 0 ? -1 : 0;
}

static void read_zero(void)
{
	char byte;

	if (read(zero, &byte, 1) != 1)
		_exit(1);
}

static int there[2], back[2];

static int prepare_switch(void)
{
	char byte;
	pid_t pid;

	if (pipe(there) || pipe(back))
		return -1;
	pid = fork();
	if (pid)
		return pid < 0 ? -1 : 0;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
		;
	_exit(1);
}

static void ask_other(void)
{
	char byte = 0;

	if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
		_exit(1);
}

const struct loop loops[] = {
	{ "getppid", "__x64_sys_getppid", nothing, call_getppid, 1 },
	{ "udp", "__netif_rx", prepare_udp, send_datagram, 1 },
	{ "zero", "vfs_read", prepare_zero, read_zero, 1 },
	{ "switch", "schedule", prepare_switch, ask_other, 2 },
	{ NULL, NULL, NULL, NULL, 0 },
};

const struct loop *loop_find(const char *name)
{
	const struct loop *loop;

	for (loop = loops; loop->name; loop++)
		if (!strcmp(loop->name, name))
			return loop;
	return NULL;
}

double loop_run(const struct loop *loop, unsigned long n)
{
	struct timespec from, to;
	unsigned long i;

	clock_gettime(CLOCK_MONOTONIC, &from);
	for (i = 0; i < n; i++)
		loop->once();
	clock_gettime(CLOCK_MONOTONIC, &to);
	return ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / n;
}
