/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* wait_reason.c - maps functions on a stack to the objects that they wait for */
#include "stuck/wait_reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <kcatch_waits.h>

/*
 * Beginnings of names, or with $ at the end the whole name; the first that fits, from the innermost
 * frame outwards. Compilers append .isra.0 and the like.
 */
struct reason {
	const char *function;
	const char *reason;
	enum kcatch_stuck_what what;
};

static const struct reason known[] = {
	{ "request_wait_answer", "the answer of a FUSE server (a process of this machine)",
	  KCATCH_STUCK_FUSE },
	{ "percpu_rwsem_wait", "a percpu rwsem: until a file system is thawed, or the like",
	  KCATCH_STUCK_THAW },
	{ "__percpu_down_read", "a percpu rwsem: until a file system is thawed, or the like",
	  KCATCH_STUCK_THAW },
	{ "rtlock_slowlock", "a spinlock or an rwlock (threads sleep for them on this kernel)", 0 },
	{ "jbd2_log_wait_commit", "a commit of the file system's journal (jbd2)", 0 },
	{ "rpc_wait_bit_killable", "the answer of an NFS or another RPC server", 0 },
	{ "folio_wait_bit", "a page of the page cache (the kernel does not know who has it)",
	  KCATCH_STUCK_PAGE },
	{ "folio_wait_writeback", "a page being written back",
	  KCATCH_STUCK_PAGE },
	{ "__folio_lock", "a page of the page cache (the kernel does not know who has it)",
	  KCATCH_STUCK_PAGE },
	{ "wait_on_page_bit", "a page of the page cache (the kernel does not know who has it)",
	  KCATCH_STUCK_PAGE },
	{ "__wait_on_buffer", "a buffer of a block device", KCATCH_STUCK_BUFFER },
	{ "__lock_buffer", "a buffer of a block device", KCATCH_STUCK_BUFFER },
	{ "blk_mq_get_tag", "a free tag of a block device: its queue is full", 0 },
	{ "__blkdev_direct_IO", "direct input or output", KCATCH_STUCK_DIRECT },
	{ "__iomap_dio_rw", "direct input or output", KCATCH_STUCK_DIRECT },
	{ "blkdev_", "a block device", 0 },
	{ "wait_for_completion", "a completion (the kernel does not know who completes it)",
	  KCATCH_STUCK_COMPLETION },
	{ "synchronize_irq", "the handlers of an interrupt to return", 0 },
	{ "synchronize_", "an RCU grace period: for all CPUs to pass a quiescent state", 0 },
	{ "refrigerator", "being thawed: it is frozen", 0 },
	{ "__refrigerator", "being thawed: it is frozen", 0 },
	{ "do_freezer_trap", "being thawed: its cgroup is frozen", KCATCH_STUCK_STOPPED },
	{ "do_wait$", "a child to end",
	  KCATCH_STUCK_CHILD },
	{ "eventfd_read", "a write to an eventfd", KCATCH_STUCK_EVENTFD },
	{ "eventfd_write", "a read of an eventfd", KCATCH_STUCK_EVENTFD },
	{ "inotify_read", "a change of a file (inotify)", 0 },
	{ "fanotify_read", "an event of a file (fanotify)", 0 },
	{ "signalfd_read", "a signal (signalfd)", 0 },
	{ "signalfd_dequeue", "a signal (signalfd)", 0 },
	{ "handle_userfault", "a page that another thread has to provide (userfaultfd)", 0 },
	{ "devkmsg_read", "a line of the kernel's log", 0 },
	{ "io_cqring_wait", "a request to end (io_uring)", 0 },
	{ "__do_sys_io_uring_enter", "a request to end (io_uring)", 0 },
	{ "read_events", "a request to end (aio)", 0 },
	{ "wait_for_partner", "another process to open the other end of a named pipe", 0 },
	{ "__break_lease", "a lease on a file to be given up", 0 },
	{ "mem_cgroup_handle_over_high", "a timer: its cgroup is above memory.high", 0 },
	{ "balance_dirty_pages", "written pages to reach their device: there are too many", 0 },
	{ "timerfd_read", "a timer (timerfd)", 0 },
	{ "do_epoll_wait", "an event (epoll)", KCATCH_STUCK_EPOLL },
	{ "ep_poll", "an event (epoll)", KCATCH_STUCK_EPOLL },
	{ "do_select", "an event (select)", KCATCH_STUCK_POLL },
	{ "do_sys_poll", "an event (poll)", KCATCH_STUCK_POLL },
	{ "pipe_read", "data in a pipe", KCATCH_STUCK_PIPE_DATA },
	{ "pipe_write", "room in a pipe", KCATCH_STUCK_PIPE_ROOM },
	{ "anon_pipe_read", "data in a pipe", KCATCH_STUCK_PIPE_DATA },
	{ "anon_pipe_write", "room in a pipe", KCATCH_STUCK_PIPE_ROOM },
	{ "pipe_wait_readable", "data in a pipe", KCATCH_STUCK_PIPE_DATA },
	{ "pipe_wait_writable", "room in a pipe", KCATCH_STUCK_PIPE_ROOM },
	{ "unix_stream_connect", "a server to accept its connection (a unix socket)",
	  KCATCH_STUCK_UNIX_QUEUE },
	{ "unix_accept", "a connection", 0 },
	{ "netlink_recvmsg", "a message of netlink", 0 },
	{ "packet_recvmsg", "a packet", 0 },
	{ "unix_stream_sendmsg", "room at its peer on a unix socket", KCATCH_STUCK_UNIX },
	{ "unix_stream_", "its peer on a unix socket", KCATCH_STUCK_UNIX },
	{ "unix_dgram_sendmsg", "room at a unix socket", KCATCH_STUCK_UNIX_QUEUE },
	{ "__unix_dgram_recvmsg", "a datagram on a unix socket", KCATCH_STUCK_UNIX },
	{ "unix_dgram_recvmsg", "a datagram on a unix socket", KCATCH_STUCK_UNIX },
	{ "inet_csk_accept", "a connection", 0 },
	{ "tcp_recvmsg", "data from its TCP peer", KCATCH_STUCK_TCP },
	{ "tcp_sendmsg", "room at its TCP peer", KCATCH_STUCK_TCP },
	{ "__skb_wait_for_more_packets", "a datagram", KCATCH_STUCK_WEAK },
	{ "sock_alloc_send_pskb", "room at a socket: what was sent is not received",
	  KCATCH_STUCK_WEAK },
	{ "n_tty_read", "data from a terminal", 0 },
	{ "n_tty_write", "room at a terminal", 0 },
	{ "hrtimer_nanosleep", "a timer: it sleeps", 0 },
	{ "do_nanosleep", "a timer: it sleeps", 0 },
	{ "msleep", "a timer: it sleeps", 0 },
	{ "do_sigtimedwait", "a signal", 0 },
	{ "sigsuspend", "a signal", 0 },
	{ "__do_sys_pause", "a signal", 0 },
	{ "__x64_sys_pause", "a signal", 0 },
	{ "ptrace_stop", "its tracer (ptrace)", KCATCH_STUCK_STOPPED },
	{ "do_signal_stop", "SIGCONT: it is stopped", 0 },
	/* Functions that stop in it may be part of it. */
	{ "get_signal$", "being continued: it is stopped or frozen", KCATCH_STUCK_STOPPED },
	{ "locks_lock_inode_wait", "a lock on a file",
	  KCATCH_STUCK_FILE_LOCK },
	{ "flock_lock_inode_wait", "a lock on a file (flock)",
	  KCATCH_STUCK_FILE_LOCK },
	{ "fcntl_setlk", "a lock on a file (fcntl)",
	  KCATCH_STUCK_FILE_LOCK },
	{ "posix_lock_inode_wait", "a lock on a file (fcntl)",
	  KCATCH_STUCK_FILE_LOCK },
	{ "do_semtimedop", "a System V semaphore", 0 },
	{ "__do_semtimedop", "a System V semaphore", 0 },
	{ "do_msgrcv", "a System V message", 0 },
	{ "do_msgsnd", "room for a System V message", 0 },
	{ "do_mq_timedreceive", "a message of a POSIX queue", 0 },
	{ "do_mq_timedsend", "room in a POSIX queue of messages", 0 },
	{ "futex_wait", "a futex", 0 },
	{ "futex_lock_pi", "a futex", 0 },
	{ "bit_wait_io", "input or output", KCATCH_STUCK_BUFFER },
	{ "io_schedule", "input or output", KCATCH_STUCK_WEAK },
};

/*
 * Who waits by a completion, with wait_for_completion() further in. Other functions on such a stack
 * do not say what it waits for. Static ones may be inlined: wait_for_vfork_done() into
 * kernel_clone(), which waits for other things as well.
 */
static const struct reason by_completion[] = {
	{ "submit_bio_wait", "a block device", KCATCH_STUCK_WEAK },
	{ "synchronize_", "an RCU grace period: for all CPUs to pass a quiescent state", 0 },
	{ "wait_rcu_gp", "an RCU grace period: for all CPUs to pass a quiescent state", 0 },
	{ "__wait_rcu_gp", "an RCU grace period: for all CPUs to pass a quiescent state", 0 },
	{ "flush_work", "work that another thread does for it", 0 },
	{ "__flush_work", "work that another thread does for it", 0 },
	{ "kthread_stop", "a kernel thread to end", 0 },
	{ "wait_for_vfork_done", "its child, made by vfork(), to exec or to end",
	  KCATCH_STUCK_VFORK },
	{ "kernel_clone", "its child, made by vfork(), to exec or to end",
	  KCATCH_STUCK_VFORK },
};

static bool fits(const char *function, const char *name)
{
	size_t length = strcspn(name, "$");

	if (strncmp(function, name, length) != 0)
		return false;
	return !name[length] || strchr(".+", function[length]);	/* or at the end */
}

const char *kcatch_stuck_reason(const char *function, enum kcatch_stuck_what *what)
{
	bool completion = *what == KCATCH_STUCK_COMPLETION;
	const struct reason *reasons = completion ? by_completion : known;
	size_t nr = completion ? sizeof(by_completion) / sizeof(by_completion[0]) :
				 sizeof(known) / sizeof(known[0]), i;

	for (i = 0; i < nr; i++) {
		if (fits(function, reasons[i].function)) {
			*what = reasons[i].what;
			return reasons[i].reason;
		}
	}
	return NULL;
}

/* What a function on a stack waits for. Of the functions on one stack the greatest counts: an rwsem
 * of a kernel for real time is waited for in the functions of its mutexes. */
enum kcatch_lock_wait {
	KCATCH_LOCK_WAIT_NONE,
	KCATCH_LOCK_WAIT_MUTEX,
	KCATCH_LOCK_WAIT_READ,	/* an rwsem */
	KCATCH_LOCK_WAIT_WRITE,
	KCATCH_LOCK_WAIT_OTHER,	/* a lock that is not looked for: a spinlock of a kernel for real
				 * time, for which threads sleep, and the rt_mutex of a PI futex,
				 * which user_locks.h finds */
};

static enum kcatch_lock_wait lock_wait_of(const char *function)
{
	static const struct {
		const char *prefix;
		enum kcatch_lock_wait wait;
	} locks[] = {
		{ "__mutex_lock", KCATCH_LOCK_WAIT_MUTEX },
		{ "__ww_mutex_lock", KCATCH_LOCK_WAIT_MUTEX },
		{ "rwsem_down_read", KCATCH_LOCK_WAIT_READ },
		{ "rwsem_down_write", KCATCH_LOCK_WAIT_WRITE },
		{ "rt_mutex_slowlock", KCATCH_LOCK_WAIT_MUTEX },
		{ "__rt_mutex_slowlock", KCATCH_LOCK_WAIT_MUTEX },
		{ "__rwbase_read_lock", KCATCH_LOCK_WAIT_READ },
		{ "rwbase_write_lock", KCATCH_LOCK_WAIT_WRITE },
		{ "rtlock_slowlock", KCATCH_LOCK_WAIT_OTHER },
		{ "rt_mutex_wait_proxy_lock", KCATCH_LOCK_WAIT_OTHER },
		{ "futex_lock_pi", KCATCH_LOCK_WAIT_OTHER },
	};
	size_t i;

	for (i = 0; i < sizeof(locks) / sizeof(locks[0]); i++) {
		if (!strncmp(function, locks[i].prefix, strlen(locks[i].prefix)))
			return locks[i].wait;
	}
	return KCATCH_LOCK_WAIT_NONE;
}

static enum kcatch_lock_kind kind_of(enum kcatch_lock_wait wait)
{
	switch (wait) {
	case KCATCH_LOCK_WAIT_MUTEX:
		return KCATCH_LOCK_MUTEX;
	case KCATCH_LOCK_WAIT_READ:
		return KCATCH_LOCK_RWSEM_READ;
	case KCATCH_LOCK_WAIT_WRITE:
		return KCATCH_LOCK_RWSEM_WRITE;
	case KCATCH_LOCK_WAIT_NONE:
	case KCATCH_LOCK_WAIT_OTHER:
		break;
	}
	return KCATCH_LOCK_NONE;
}

bool kcatch_wait_look(struct kcatch_wait *wait, const char *function)
{
	enum kcatch_lock_wait lock = lock_wait_of(function);
	enum kcatch_stuck_what what = wait->what;
	const char *reason = NULL;
	bool more = lock > wait->lock_wait;

	if (more) {
		wait->lock_wait = lock;
		wait->lock = kind_of(lock);
	}
	if (!wait->reason || what == KCATCH_STUCK_WEAK || what == KCATCH_STUCK_COMPLETION)
		reason = kcatch_stuck_reason(function, &what);
	if (reason) {
		wait->reason = reason;
		wait->what = what;
	}
	return more || reason;
}
