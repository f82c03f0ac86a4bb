// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: functions, offsets, tracepoints, watchpoints and returns are attached and detached
 * 10,000 times under traffic; each session that was hit has an equation that holds.
 */
#include "guest.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t jiffies_at;
static uint64_t offset;		/* of an instruction of kt_c's behind the one that is patched */
static uint64_t hits, unequal, refused;

static const struct {
	const char *name;
	struct add_options options;
} ways[] = {
	{ "kt_c", { .flags = KCATCH_ADD_NO_STACK } },
	{ "vfs_read", { .depth = 16 } },
	{ "vfs_write", { .flags = KCATCH_ADD_RETURN } },
	{ "sched_switch", { .kind = KCATCH_TARGET_TRACEPOINT, .flags = KCATCH_ADD_NO_STACK } },
	{ "kt_*", { .kind = KCATCH_TARGET_PATTERN } },
	{ "kmalloc", { .kind = KCATCH_TARGET_TRACEPOINT } },
	{ "schedule", { .depth = 8 } },
	{ "vfs_r*", { .kind = KCATCH_TARGET_PATTERN, .flags = KCATCH_ADD_RETURN } },
};
#define WAYS (sizeof(ways) / sizeof(*ways))

static int add_watch(struct session *session)
{
	struct kcatch_target target = {
		.kind = KCATCH_TARGET_WATCH, .address = jiffies_at,
		.offset = 8 | KCATCH_WATCH_WRITE,
	};
	struct kcatch_add add = { .nr_targets = 1, .targets = (uintptr_t)&target };

	return ioctl(session->fd, KCATCH_IOC_ADD, &add);
}

static int add_offset(struct session *session)
{
	const char *name = "kt_c";
	struct kcatch_target target = {
		.name = (uintptr_t)name, .name_len = strlen(name), .offset = offset,
	};
	struct kcatch_add add = { .nr_targets = 1, .targets = (uintptr_t)&target };

	return ioctl(session->fd, KCATCH_IOC_ADD, &add);
}

/* What is patched has 5 bytes; 4 of endbr64 are before it where the kernel has IBT. */
static void offset_find(void)
{
	struct session session;
	int error;

	for (offset = 5; offset <= 9; offset += 4) {
		session_open(&session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
		error = add_offset(&session);
		session_close(&session);
		if (!error)
			return;
	}
	bail("an offset of kt_c can be attached to");
}

static void round_run(int round)
{
	uint32_t way = round % (WAYS + 2), i;
	struct kcatch_counters counters;
	struct session session;
	int error;

	session_open(&session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	if (way < WAYS)
		error = session_add(&session, ways[way].name, &ways[way].options, NULL);
	else
		error = way == WAYS ? add_watch(&session) : add_offset(&session);
	if (error && !refused++)
		note("%s is refused: %s", way < WAYS ? ways[way].name : way == WAYS ? "jiffies" :
		     "an offset of kt_c", strerror(errno));
	if (!error) {
		session_start(&session);
		order("process chain");
		session_stop(&session);
		for (i = 0; i < session_status(&session).nr_probes; i++) {
			session_counters(&session, i, KCATCH_CPU_ALL, &counters);
			unequal += !equation_holds(&counters);
			hits += counters.hits;
		}
	}
	session_close(&session);
}

static uint64_t jiffies_address(void)
{
	FILE *file = popen("awk '$3 == \"jiffies\" { print $1 }' /proc/kallsyms", "r");
	unsigned long long address = 0;

	if (!file || fscanf(file, "%llx", &address) != 1)
		bail("the address of jiffies is known");
	pclose(file);
	return address;
}

static pid_t traffic_begin(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;)
		if (access("/proc/self/status", R_OK) || system("dd if=/dev/zero of=/dev/null "
								"bs=64 count=2000 2>/dev/null"))
			_exit(1);
}

int main(void)
{
	const char *scale = getenv("KT_SCALE");
	int rounds = 100 * (scale ? atoi(scale) : 100), memory = module_memory(), round;
	pid_t traffic;

	test_module_load();
	jiffies_at = jiffies_address();
	offset_find();
	traffic = traffic_begin();
	for (round = 0; round < rounds; round++) {
		round_run(round);
		if (!((round + 1) % (rounds / 10 + 1)))
			note("%d of %d rounds, %llu hits", round + 1, rounds,
			     (unsigned long long)hits);
	}
	kill(traffic, SIGTERM);
	waitpid(traffic, NULL, 0);
	check_equal(refused, 0, "%d attachments", rounds);
	check_equal(unequal, 0, "all equations hold");
	check(hits > 0, "with %llu hits", (unsigned long long)hits);
	check_nothing_left(memory);
	return finish();
}
