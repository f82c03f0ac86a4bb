// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: what users of /dev/kcatch make the kernel hold is on the account that is limited to
 * a quarter of memory, from the first open() on: descriptors, rings, groups and programs, each
 * against what /proc/meminfo says that the kernel holds; and all of it is taken off again.
 * Gate: older
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define FILES		20000
#define SESSIONS	200
#define GROUPS		2000
#define PROGRAMS	3000

static int files[FILES];
static struct session sessions[SESSIONS];

static uint64_t number_in(const char *path, const char *name)
{
	FILE *file = fopen(path, "r");
	unsigned long long number = 0;
	char line[256];

	if (!file)
		bail("%s cannot be read (%d)", path, errno);
	while (fgets(line, sizeof(line), file)) {
		if (!name)
			number = strtoull(line, NULL, 10);
		else if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			number = strtoull(line + strlen(name) + 1, NULL, 10) * 1024;
	}
	fclose(file);
	return number;
}

static uint64_t account(void)
{
	return number_in("/sys/module/kcatch/parameters/memory_held", NULL);
}

/* What the kernel holds for itself, bytes. */
static uint64_t kernel_holds(void)
{
	return number_in("/proc/meminfo", "Slab") + number_in("/proc/meminfo", "Percpu") +
	       number_in("/proc/meminfo", "VmallocUsed");
}

struct balance {
	uint64_t account, kernel;
};

static struct balance balance_now(void)
{
	return (struct balance){ .account = account(), .kernel = kernel_holds() };
}

/* Nine tenths: the kernel's own work goes on, and frees what it can. */
static void check_charged(struct balance before, const char *what)
{
	struct balance now = balance_now();
	uint64_t charged = now.account - before.account;
	int64_t held = (int64_t)(now.kernel - before.kernel);

	note("%s: %llu KB on the account, the kernel holds %lld KB more", what,
	     (unsigned long long)charged >> 10, (long long)held >> 10);
	check(held > 0 && charged * 10 >= (uint64_t)held * 9, "%s: on the account", what);
}

static void open_many(void)
{
	struct balance before = balance_now();
	int i, nr;

	for (nr = 0; nr < FILES; nr++) {
		files[nr] = open(KCATCH_DEVICE, O_RDWR | O_CLOEXEC);
		if (files[nr] < 0)
			break;
	}
	check_equal(nr, FILES, "descriptors are opened");
	check_charged(before, "20,000 descriptors");
	for (i = 0; i < nr; i++)
		close(files[i]);
	check_equal(account(), before.account, "closed: nothing is left on the account");
}

static void set_up_many(void)
{
	struct balance before = balance_now();
	int i;

	for (i = 0; i < SESSIONS; i++)
		session_open(&sessions[i], KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	check_charged(before, "200 sessions with rings");
	for (i = 0; i < SESSIONS; i++)
		session_close(&sessions[i]);
	check_equal(account(), before.account, "closed: nothing is left on the account");
}

static void add_many(void)
{
	const struct add_options options = { .flags = KCATCH_ADD_NO_STACK };
	struct balance first = balance_now(), before;
	struct session session;
	int i;

	session_open(&session, 65536, 4096);
	before = balance_now();
	for (i = 0; i < GROUPS; i++)
		if (session_add(&session, KT_SYS "getppid", &options, NULL))
			bail("group %d is added (%d)", i, errno);
	check_charged(before, "2,000 groups");
	session_close(&session);
	check_equal(account(), first.account, "closed: nothing is left on the account");
}

static void program_many(void)
{
	struct kcatch_item items[30];
	struct balance first = balance_now(), before;
	struct session session;
	int i;

	for (i = 0; i < 30; i++)
		items[i] = (struct kcatch_item)ITEM(ARG, VALUE);
	session_open(&session, 65536, 4096);
	before = balance_now();
	for (i = 0; i < PROGRAMS; i++) {
		struct kcatch_program program = {
			.entry = { .at = (uintptr_t)items, .nr = 30 },
		};

		if (ioctl(session.fd, KCATCH_IOC_PROGRAM, &program))
			bail("program %d is taken (%d)", i, errno);
	}
	check_charged(before, "3,000 programs");
	session_close(&session);
	check_equal(account(), first.account, "closed: nothing is left on the account");
}

int main(void)
{
	const struct rlimit many = { FILES + 100, FILES + 100 };

	if (setrlimit(RLIMIT_NOFILE, &many))
		bail("so many descriptors (%d)", errno);
	open_many();
	set_up_many();
	add_many();
	program_many();
	return finish();
}
