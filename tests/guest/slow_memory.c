// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a PROGRAM whose operations are in memory that takes for ever (a page that
 * userfaultfd holds back) stops nobody: other sessions make programs and count meanwhile; and
 * when the page is there, the two operations of zeros in it are taken. Nor does who reads rows
 * into such memory: another holder of the session swaps the table and reads, and the first is told
 * that it did.
 * Gate: older
 */
#include "guest.h"
#include "code.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct kcatch_op always[] = { CODE_GO(KCATCH_EXIT_YES) };

static struct kcatch_op *held;	/* the page that is not there */
static struct session slow, quick;
static int slow_error;
static volatile bool done;

static int hold_page_back(void)
{
	held = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	return hold_memory_back(held, getpagesize());
}

static void *make_slowly(void *unused)
{
	struct kcatch_program program;

	memset(&program, 0, sizeof(program));
	program.entry_condition.at = (uintptr_t)held;
	program.entry_condition.nr = 2;
	slow_error = ioctl(slow.fd, KCATCH_IOC_PROGRAM, &program) ? errno : 0;
	return unused;
}

/* A program with a condition that counts by a word of code. */
static void *make_quickly(void *unused)
{
	const struct kcatch_part part = { .kind = KCATCH_PART_CODE };
	struct kcatch_new_table table = { .size = 1 << 16, .words = 1 };
	struct kcatch_count count = { .nr_parts = 1, .parts = (uintptr_t)&part,
				      .code = { .at = (uintptr_t)always, .nr = 1 } };
	struct kcatch_program program;

	memset(&program, 0, sizeof(program));
	program.entry_condition.at = (uintptr_t)always;
	program.entry_condition.nr = 1;
	if (ioctl(quick.fd, KCATCH_IOC_TABLE, &table) ||
	    ioctl(quick.fd, KCATCH_IOC_PROGRAM, &program))
		bail("TABLE and PROGRAM");
	count.program = program.number;
	count.table = table.number;
	if (ioctl(quick.fd, KCATCH_IOC_COUNT, &count))
		bail("COUNT");
	done = true;
	return unused;
}

static struct kcatch_rows rows;

static void *read_slowly(void *unused)
{
	rows.buffer = (uintptr_t)held;
	slow_error = ioctl(quick.fd, KCATCH_IOC_ROWS, &rows) ? errno : 0;
	return unused;
}

static void *read_quickly(void *unused)
{
	static char log[1 << 16];
	struct kcatch_swap swap = { .table = rows.table };
	struct kcatch_rows own = { .table = rows.table, .size = sizeof(log),
				   .buffer = (uintptr_t)log };

	done = !ioctl(quick.fd, KCATCH_IOC_SWAP, &swap) && !ioctl(quick.fd, KCATCH_IOC_ROWS, &own);
	return unused;
}

/* While @slowly waits for the page, @quickly comes to its end. */
static void check_beside(void *(*slowly)(void *), void *(*quickly)(void *), const char *text)
{
	struct pollfd fault = { .fd = hold_page_back(), .events = POLLIN };
	pthread_t one, other;
	int i;

	done = false;
	if (pthread_create(&one, NULL, slowly, NULL) || poll(&fault, 1, -1) != 1 ||
	    pthread_create(&other, NULL, quickly, NULL))
		bail("one waits for its memory");
	for (i = 0; i < 30000 && !done; i++)	/* five minutes, where it takes a moment */
		usleep(10000);
	check(done, "%s", text);
	give_memory(fault.fd, held, getpagesize());
	pthread_join(one, NULL);
	pthread_join(other, NULL);
}

/* Rows of the table that make_quickly() made. */
static void check_rows(void)
{
	rows = (struct kcatch_rows) { .table = 1, .size = getpagesize() };
	check_beside(read_slowly, read_quickly,
		     "another holder of the session swaps the table and reads it");
	check_equal(slow_error, EAGAIN, "the slow reader is told that it was swapped");
	rows.size = getpagesize();
	read_slowly(NULL);
	check_equal(slow_error, 0, "and reads when it asks again");
	rows.offset = rows.size;
	read_slowly(NULL);
	check(!slow_error && !rows.size, "behind the last row there is nothing");
}

int main(void)
{
	session_open(&slow, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	session_open(&quick, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	check_beside(make_slowly, make_quickly, "another session makes a program and counts meanwhile");
	check_equal(slow_error, 0, "the slow one is taken when its memory is there");
	check_rows();
	session_close(&slow);
	session_close(&quick);
	return finish();
}
