// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: where many probes of one tracepoint ask for a constant each, as system calls do, a
 * hit is looked up, and all counters are as if each probe had been asked: exact for what was
 * called, the same number of hits for all, through starts, stops, budgets and other sessions.
 * Gate: older
 */
#include "guest.h"
#include "code.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUMBER_AT 120	/* of orig_ax in struct pt_regs */
#define STATUS_AT 16	/* of thread_info.status in struct task_struct */
#define COMPAT 2	/* bit of it: a system call of 32-bit programs */
#define PROBES_MAX 64

/* What is called, and how often: as often as its index + 1. Of others there are none. */
static const uint32_t called[] = { SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid };
#define NR_CALLED (sizeof(called) / sizeof(called[0]))
static const uint32_t others[] = { SYS_acct, SYS_swapoff, SYS_pivot_root, SYS_vhangup, 5000 };
#define NR_OTHERS (sizeof(others) / sizeof(others[0]))

enum how { ENTRY, ENTRY_UNSEEN, ENTRY_64, ENTRY_FAR, EXIT };

static int32_t far;	/* of ENTRY_FAR: a word from the task's address on */

struct armed {
	struct session session;
	uint32_t nr;
	uint32_t numbers[PROBES_MAX];
	enum how how[PROBES_MAX];
};

static uint32_t program(struct session *session, uint32_t number, enum how how)
{
	const struct kcatch_item items[] = { ITEM(ARG, WORD, .size = 8, .offset = NUMBER_AT) };
	const struct kcatch_op seen[] = {
		CODE_IS(ARG, number, .index = 1, .yes = KCATCH_EXIT_YES),
	};
	const struct kcatch_op exits[] = {
		CODE_IS(FIELD, number, .yes = KCATCH_EXIT_YES, .unknown = KCATCH_EXIT_UNKNOWN),
	};
	/* The same, behind a multiplication: nobody sees what it asks for. */
	const struct kcatch_op unseen[] = {
		{ .op = KCATCH_OP_SET, .from = KCATCH_FROM_ARG, .index = 1 },
		{ .op = KCATCH_OP_MUL, .from = KCATCH_FROM_CONST, .a = 3 },
		CODE_IS(ACC, 3 * number, .yes = KCATCH_EXIT_YES),
	};
	/* As the library asks for system calls: without those of 32-bit programs. */
	const struct kcatch_item status[] = {
		ITEM(TASK, WORD, .size = 4, .offset = how == ENTRY_FAR ? far : STATUS_AT),
	};
	const struct kcatch_op native[] = {
		CODE_IS(ARG, number, .index = 1, .yes = KCATCH_EXIT_OP + 1),
		{ .op = KCATCH_OP_BITS, .from = KCATCH_FROM_FIELD, .yes = KCATCH_EXIT_YES,
		  .a = how == ENTRY_FAR ? 0 : COMPAT, .unknown = KCATCH_EXIT_UNKNOWN },
	};
	struct kcatch_program program = {
		.entry_condition = { .at = (uintptr_t)seen, .nr = 1 },
	};

	if (how == EXIT) {
		program.fields = (struct kcatch_list){ .at = (uintptr_t)items, .nr = 1 };
		program.entry_condition = (struct kcatch_list){ .at = (uintptr_t)exits, .nr = 1 };
	}
	if (how == ENTRY_64 || how == ENTRY_FAR) {
		program.fields = (struct kcatch_list){ .at = (uintptr_t)status, .nr = 1 };
		program.entry_condition = (struct kcatch_list){ .at = (uintptr_t)native, .nr = 2 };
	}
	if (how == ENTRY_UNSEEN)
		program.entry_condition = (struct kcatch_list){ .at = (uintptr_t)unseen, .nr = 3 };
	if (ioctl(session->fd, KCATCH_IOC_PROGRAM, &program))
		bail("a condition on system call %u is taken", number);
	return program.number;
}

static void arm(struct armed *armed, uint32_t number, enum how how, uint64_t budget)
{
	const struct add_options options = {
		.flags = KCATCH_ADD_NO_STACK | KCATCH_ADD_PID, .pid = (uint32_t)getpid(),
		.kind = KCATCH_TARGET_TRACEPOINT, .budget = budget,
	};
	struct kcatch_binding binding = { .group = 0 };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };
	struct kcatch_add add;

	if (session_add(&armed->session, how == EXIT ? "sys_exit" : "sys_enter", &options, &add))
		bail("a tracepoint of system calls is armed");
	binding.probe = add.first_probe;
	binding.program = program(&armed->session, number, how);
	if (ioctl(armed->session.fd, KCATCH_IOC_BIND, &bind))
		bail("its condition is bound");
	armed->numbers[armed->nr] = number;
	armed->how[armed->nr++] = how;
}

static void open_armed(struct armed *armed)
{
	armed->nr = 0;
	session_open(&armed->session, KCATCH_RING_SIZE_MIN * 8, KCATCH_PACKET_SIZE_MIN);
	session_map(&armed->session);
}

static void arm_all(struct armed *armed, enum how how)
{
	size_t i;

	for (i = 0; i < NR_CALLED; i++)
		arm(armed, called[i], how, 0);
	for (i = 0; i < NR_OTHERS; i++)
		arm(armed, others[i], how, 0);
}

static void call_all(unsigned int times)
{
	size_t i, n;

	while (times--)
		for (i = 0; i < NR_CALLED; i++)
			for (n = 0; n <= i; n++)
				syscall(called[i]);
}

static uint64_t expected(uint32_t number, unsigned int times)
{
	size_t i;

	for (i = 0; i < NR_CALLED; i++)
		if (called[i] == number)
			return (i + 1) * times;
	return 0;
}

/* This thread alone is on its CPU, whose counters are compared. */
static void check_counts(struct armed *armed, unsigned int times, uint32_t spent, const char *text)
{
	unsigned int wrong = 0, uneven = 0, broken = 0, i;
	struct kcatch_counters counters, witness[2] = { { 0 } };

	for (i = 0; i < armed->nr; i++) {
		struct kcatch_counters *first = &witness[armed->how[i] == EXIT];

		session_counters(&armed->session, i, 0, &counters);
		broken += !equation_holds(&counters) || counters.missed || counters.lost;
		if (i == spent)
			continue;
		if (!first->hits)
			*first = counters;
		wrong += counters.recorded != expected(armed->numbers[i], times);
		uneven += counters.hits != first->hits;
		if (counters.hits != first->hits ||
		    counters.recorded != expected(armed->numbers[i], times))
			note("system call %u: %llu hits (the first %llu), %llu recorded",
			     armed->numbers[i], (unsigned long long)counters.hits,
			     (unsigned long long)first->hits,
			     (unsigned long long)counters.recorded);
	}
	check_equal(wrong, 0, "%s: recorded what was called", text);
	check_equal(uneven, 0, "%s: all %u have the same hits", text, armed->nr);
	check_equal(broken, 0, "%s: it adds up, nothing missed or lost", text);
}

static void one_session(enum how how, const char *text)
{
	struct armed armed;

	open_armed(&armed);
	arm_all(&armed, how);
	session_start(&armed.session);
	call_all(10);
	session_stop(&armed.session);
	call_all(3);
	check_counts(&armed, 10, ~0U, text);
	session_start(&armed.session);
	call_all(5);
	session_stop(&armed.session);
	check_counts(&armed, 15, ~0U, "started again");
	session_close(&armed.session);
}

static void with_unseen(void)
{
	struct armed armed;

	open_armed(&armed);
	arm_all(&armed, ENTRY);
	arm(&armed, SYS_getuid, ENTRY_UNSEEN, 0);
	arm(&armed, SYS_acct, ENTRY_UNSEEN, 0);
	arm_all(&armed, EXIT);
	session_start(&armed.session);
	call_all(10);
	session_stop(&armed.session);
	check_counts(&armed, 10, ~0U, "beside conditions that are asked in turn");
	session_close(&armed.session);
}

static void two_sessions(void)
{
	struct armed one, two;

	open_armed(&one);
	arm_all(&one, ENTRY);
	open_armed(&two);
	arm_all(&two, ENTRY);
	arm(&two, SYS_getuid, ENTRY_UNSEEN, 0);
	session_start(&one.session);
	call_all(4);
	session_start(&two.session);
	call_all(4);
	session_stop(&one.session);
	call_all(4);
	session_start(&one.session);
	call_all(1);
	session_stop(&two.session);
	call_all(2);
	session_stop(&one.session);
	check_counts(&one, 11, ~0U, "two sessions, the first");
	check_counts(&two, 9, ~0U, "two sessions, the second");
	session_start(&one.session);
	session_start(&two.session);
	call_all(1);
	session_close(&two.session);
	call_all(1);
	session_stop(&one.session);
	check_counts(&one, 13, ~0U, "the other session closed");
	session_close(&one.session);
}

static void budget(void)
{
	struct kcatch_counters counters;
	struct armed armed;
	uint32_t spent;

	open_armed(&armed);
	arm_all(&armed, ENTRY);
	spent = armed.nr;
	arm(&armed, SYS_getgid, ENTRY, 5);
	session_start(&armed.session);
	call_all(10);
	/* Its probe leaves meanwhile. */
	while (session_status(&armed.session).nr_attached == armed.nr)
		usleep(1000);
	call_all(10);
	session_stop(&armed.session);
	check_counts(&armed, 20, spent, "beside a budget that is spent");
	session_counters(&armed.session, spent, KCATCH_CPU_ALL, &counters);
	check_equal(counters.recorded, 5, "the budget is kept");
	check_equal(session_read_records(&armed.session, false, NULL, NULL),
		    5 + 20 * (1 + 2 + 3 + 4 + 5), "all records can be read");
	session_close(&armed.session);
}

/* A freeze refuses a hit before its condition is asked, whichever call it is. The probe that
 * freezes comes when the others are chosen among. */
static void freeze(void)
{
	const struct add_options options = {
		.flags = KCATCH_ADD_NO_STACK | KCATCH_ADD_PID | KCATCH_ADD_FREEZE,
		.pid = (uint32_t)getpid(),
	};
	struct kcatch_counters before[2], after;
	struct armed armed;
	uint32_t i;

	open_armed(&armed);
	arm(&armed, SYS_getppid, ENTRY, 0);
	arm(&armed, SYS_acct, ENTRY, 0);
	session_start(&armed.session);
	call_all(1);
	if (session_add(&armed.session, KT_SYS "getgid", &options, NULL))
		bail("a function that freezes is armed");
	call_all(1);
	usleep(200000);		/* groups are marked soon */
	for (i = 0; i < 2; i++)
		session_counters(&armed.session, i, KCATCH_CPU_ALL, &before[i]);
	call_all(10);
	for (i = 0; i < 2; i++) {
		session_counters(&armed.session, i, KCATCH_CPU_ALL, &after);
		check_equal(after.filtered, before[i].filtered, "frozen: none is filtered");
		check(after.over_budget - before[i].over_budget >= 10 * (1 + 2 + 3 + 4 + 5),
		      "frozen: all are over budget");
		check(equation_holds(&after), "frozen: it adds up");
	}
	session_close(&armed.session);
}

/* System call @number of 32-bit programs. Other machines than x86 have no such call in a 64-bit
 * program: there it does nothing. */
static void call_32(uint32_t number)
{
#ifdef __x86_64__
	long result = number;

	__asm__ volatile("int $0x80" : "+a"(result) : "b"(0), "c"(0), "d"(0)
			 : "memory", "r8", "r9", "r10", "r11");
#else
	(void)number;
	_exit(1);
#endif
}

static bool can_call_32(void)
{
	pid_t child = fork();
	int status = 1;

	if (!child) {
		call_32(SYS_getuid);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return !status;
}

/* The number of getuid is that of socketcall there, which refuses the arguments. */
static void of_32_bits(void)
{
	bool can = can_call_32();
	struct armed armed;
	int i;

	open_armed(&armed);
	arm_all(&armed, ENTRY_64);
	arm(&armed, SYS_acct, ENTRY_UNSEEN, 0);
	session_start(&armed.session);
	call_all(2);
	for (i = 0; can && i < 7; i++)
		call_32(SYS_getuid);
	call_all(2);
	session_stop(&armed.session);
	if (!can)
		note("this kernel has no system calls of 32-bit programs");
	check_counts(&armed, 4, ~0U, "without calls of 32-bit programs");
	session_close(&armed.session);
}

/* Whatever is behind the struct of a task, a debugging kernel says who reads it. */
static void far_words(void)
{
	struct armed armed;

	for (far = 4096; far < 16384; far += 512) {
		open_armed(&armed);
		arm(&armed, SYS_getppid, ENTRY_FAR, 0);
		arm(&armed, SYS_getuid, ENTRY_FAR, 0);
		session_start(&armed.session);
		call_all(1);
		session_stop(&armed.session);
		check_counts(&armed, 1, ~0U, "a word far from the task's first");
		session_close(&armed.session);
	}
}

int main(void)
{
	struct sched_param first = { .sched_priority = 1 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || sched_setscheduler(0, SCHED_FIFO, &first))
		bail("the test has a CPU for itself");
	one_session(ENTRY, "entries");
	one_session(EXIT, "exits");
	of_32_bits();
	far_words();
	with_unseen();
	two_sessions();
	budget();
	freeze();
	return finish();
}
