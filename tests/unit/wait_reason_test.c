// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: what a thread waits for, by the functions on its stack: the innermost that says it,
 * a completion by who waits for it, and no function for one whose name begins as its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <kcatch_waits.h>

#include "stuck/wait_reason.h"

/* As the list of threads asks, from the innermost frame outwards. */
static const char *reason_of(const char *stack, enum kcatch_stuck_what *what)
{
	struct kcatch_wait wait = { .reason = NULL };
	char names[400], *save, *name;

	assert_true(strlen(stack) < sizeof(names));
	strcpy(names, stack);
	for (name = strtok_r(names, " ", &save); name; name = strtok_r(NULL, " ", &save))
		kcatch_wait_look(&wait, name);
	*what = wait.what;
	return wait.reason;
}

#define COMPLETION "__schedule schedule schedule_timeout __wait_for_common "
#define IO "__schedule schedule io_schedule_timeout __wait_for_common wait_for_completion_io "
#define VFORK "its child, made by vfork(), to exec or to end"
#define RCU "an RCU grace period: for all CPUs to pass a quiescent state"
#define ANY "a completion (the kernel does not know who completes it)"

static void reasons(void **state)
{
	static const struct {
		const char *stack, *reason;
		enum kcatch_stuck_what what;
	} table[] = {
		{ "__schedule schedule do_wait kernel_wait4 __do_sys_wait4", "a child to end",
		  KCATCH_STUCK_CHILD },
		{ "__schedule schedule do_wait.isra.0 kernel_waitid", "a child to end",
		  KCATCH_STUCK_CHILD },
		{ "__schedule schedule do_wait_intr_irq eventfd_read vfs_read ksys_read",
		  "a write to an eventfd", KCATCH_STUCK_EVENTFD },
		{ "__schedule schedule do_wait_intr_irq timerfd_read_iter vfs_read",
		  "a timer (timerfd)", 0 },
		{ "__schedule schedule do_wait_intr_irq autofs_wait", NULL, 0 },
		{ COMPLETION "wait_for_completion_state kernel_clone __do_sys_vfork", VFORK,
		  KCATCH_STUCK_VFORK },
		{ COMPLETION "wait_for_completion_state wait_for_vfork_done kernel_clone", VFORK,
		  KCATCH_STUCK_VFORK },
		{ "__schedule schedule rwsem_down_write_slowpath dup_mmap copy_process kernel_clone",
		  NULL, 0 },
		{ "__schedule schedule io_schedule folio_wait_bit_common copy_process kernel_clone",
		  "a page of the page cache (the kernel does not know who has it)",
		  KCATCH_STUCK_PAGE },
		{ "__schedule io_schedule blk_throttle copy_process kernel_clone",
		  "input or output", KCATCH_STUCK_WEAK },
		{ COMPLETION "wait_for_completion __wait_rcu_gp synchronize_rcu", RCU, 0 },
		{ COMPLETION "wait_for_completion __synchronize_srcu synchronize_srcu", RCU, 0 },
		{ "__schedule schedule synchronize_rcu_expedited", RCU, 0 },
		{ "__schedule schedule synchronize_irq free_irq",
		  "the handlers of an interrupt to return", 0 },
		{ COMPLETION "wait_for_completion __flush_work cancel_work_sync",
		  "work that another thread does for it", 0 },
		{ COMPLETION "wait_for_completion __flush_workqueue",
		  "work that another thread does for it", 0 },
		{ COMPLETION "wait_for_completion kthread_stop", "a kernel thread to end", 0 },
		{ IO "submit_bio_wait blkdev_issue_flush", "a block device", 0 },
		{ IO "bio_await submit_bio_wait __blkdev_direct_IO_simple blkdev_write_iter",
		  "direct input or output", KCATCH_STUCK_DIRECT },
		{ IO "submit_bio_wait ext4_zeroout", "a block device", KCATCH_STUCK_WEAK },
		/* Whoever called that waits for nothing of its own. */
		{ COMPLETION "wait_for_completion driver_sync pipe_read vfs_read", ANY,
		  KCATCH_STUCK_COMPLETION },
		{ IO "blk_execute_rq", ANY, KCATCH_STUCK_COMPLETION },
		{ "__schedule schedule pipe_read vfs_read", "data in a pipe",
		  KCATCH_STUCK_PIPE_DATA },
		{ "__schedule schedule get_signal arch_do_signal_or_restart",
		  "being continued: it is stopped or frozen", KCATCH_STUCK_STOPPED },
		{ "__schedule schedule ptrace_stop get_signal", "its tracer (ptrace)",
		  KCATCH_STUCK_STOPPED },
		/* Any socket that has a queue of packets waits in one function. */
		{ "schedule_timeout __skb_wait_for_more_packets __skb_recv_datagram unix_accept",
		  "a connection", 0 },
		{ "schedule_timeout __skb_wait_for_more_packets __skb_recv_udp udp_recvmsg",
		  "a datagram", KCATCH_STUCK_WEAK },
		{ "schedule pipe_wait_readable ipipe_prep do_splice", "data in a pipe",
		  KCATCH_STUCK_PIPE_DATA },
		/* Whose socket it is that has no room. */
		{ "schedule_timeout sock_alloc_send_pskb unix_stream_sendmsg __sys_sendto",
		  "room at its peer on a unix socket", KCATCH_STUCK_UNIX },
		{ "schedule_timeout sock_alloc_send_pskb packet_sendmsg __sys_sendto",
		  "room at a socket: what was sent is not received", KCATCH_STUCK_WEAK },
		{ "schedule_timeout unix_wait_for_peer unix_dgram_sendmsg __sys_sendto",
		  "room at a unix socket", KCATCH_STUCK_UNIX_QUEUE },
		{ "schedule_timeout unix_wait_for_peer unix_stream_connect __sys_connect",
		  "a server to accept its connection (a unix socket)", KCATCH_STUCK_UNIX_QUEUE },
		{ "__skb_wait_for_more_packets __unix_dgram_recvmsg sock_recvmsg __sys_recvfrom",
		  "a datagram on a unix socket", KCATCH_STUCK_UNIX },
		{ "schedule_timeout wait_woken inotify_read vfs_read",
		  "a change of a file (inotify)", 0 },
		{ "schedule handle_userfault __handle_mm_fault handle_mm_fault",
		  "a page that another thread has to provide (userfaultfd)", 0 },
	};
	enum kcatch_stuck_what what;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char *reason = reason_of(table[i].stack, &what);

		if (!reason != !table[i].reason || (reason && strcmp(reason, table[i].reason) != 0))
			fail_msg("%s: %s", table[i].stack, reason ? reason : "no reason");
		if (what != table[i].what)
			fail_msg("%s: kind %d", table[i].stack, what);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reasons),
	};

	return cmocka_run_group_tests_name("reasons to wait", tests, NULL, NULL);
}
