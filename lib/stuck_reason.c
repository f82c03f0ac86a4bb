/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
#include "stuck_reason.h"

#include <stddef.h>
#include <string.h>

/* Beginnings of names; the first that fits, from the innermost frame outwards. Compilers
 * append .isra.0 and the like. */
static const struct {
	const char *function;
	const char *reason;
} known[] = {
	{ "request_wait_answer", "the answer of a FUSE server (a process of this machine)" },
	{ "percpu_rwsem_wait", "a percpu rwsem: until a file system is thawed, or the like" },
	{ "__percpu_down_read", "a percpu rwsem: until a file system is thawed, or the like" },
	{ "jbd2_log_wait_commit", "a commit of the file system's journal (jbd2)" },
	{ "rpc_wait_bit_killable", "the answer of an NFS or another RPC server" },
	{ "folio_wait_bit", "a page of the page cache (the kernel does not know who has it)" },
	{ "folio_wait_writeback", "a page being written back" },
	{ "__folio_lock", "a page of the page cache (the kernel does not know who has it)" },
	{ "wait_on_page_bit", "a page of the page cache (the kernel does not know who has it)" },
	{ "__wait_on_buffer", "a buffer of a block device" },
	{ "__lock_buffer", "a buffer of a block device" },
	{ "blk_mq_get_tag", "a free tag of a block device: its queue is full" },
	{ "submit_bio_wait", "a block device" },
	{ "blkdev_", "a block device" },
	{ "wait_for_completion", "a completion (the kernel does not know who brings it)" },
	{ "synchronize_", "a grace period: for all CPUs to have done something else" },
	{ "wait_rcu_gp", "a grace period: for all CPUs to have done something else" },
	{ "flush_work", "work that another thread does for it" },
	{ "kthread_stop", "a kernel thread to end" },
	{ "refrigerator", "being thawed: it is frozen" },
	{ "__refrigerator", "being thawed: it is frozen" },
	{ "do_freezer_trap", "being thawed: its cgroup is frozen" },
	{ "vfork", "its child, made by vfork(), to exec or to end" },
	{ "wait_for_vfork_done", "its child, made by vfork(), to exec or to end" },
	{ "do_wait", "a child to end" },
	{ "do_epoll_wait", "an event (epoll)" },
	{ "ep_poll", "an event (epoll)" },
	{ "do_select", "an event (select)" },
	{ "do_sys_poll", "an event (poll)" },
	{ "pipe_read", "data in a pipe" },
	{ "pipe_write", "room in a pipe" },
	{ "anon_pipe_read", "data in a pipe" },
	{ "anon_pipe_write", "room in a pipe" },
	{ "unix_stream_", "its peer on a unix socket" },
	{ "inet_csk_accept", "a connection" },
	{ "tcp_recvmsg", "data from its TCP peer" },
	{ "tcp_sendmsg", "room at its TCP peer" },
	{ "__skb_wait_for_more_packets", "a datagram" },
	{ "n_tty_read", "input from a terminal" },
	{ "hrtimer_nanosleep", "a timer: it sleeps" },
	{ "do_nanosleep", "a timer: it sleeps" },
	{ "msleep", "a timer: it sleeps" },
	{ "do_sigtimedwait", "a signal" },
	{ "sigsuspend", "a signal" },
	{ "ptrace_stop", "its tracer (ptrace)" },
	{ "do_signal_stop", "SIGCONT: it is stopped" },
	{ "flock_lock_inode_wait", "a lock on a file (flock)" },
	{ "fcntl_setlk", "a lock on a file (fcntl)" },
	{ "posix_lock_inode_wait", "a lock on a file (fcntl)" },
	{ "do_semtimedop", "a System V semaphore" },
	{ "__do_semtimedop", "a System V semaphore" },
	{ "do_msgrcv", "a System V message" },
	{ "futex_wait", "a futex" },
	{ "futex_lock_pi", "a futex" },
	{ "io_schedule", "input or output" },
};

const char *kcatch_stuck_reason(const char *function)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strncmp(function, known[i].function, strlen(known[i].function)))
			return known[i].reason;
	}
	return NULL;
}
