/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * uapi_constants.c - names of the kernel's interface
 *
 * The numbers are those of the kernel's own headers for programs (include/uapi), which the
 * compiler finds as <linux/...> and <asm/...>: no number is written here. The C library's headers
 * cannot be included beside them.
 */
#include <stddef.h>

#include <asm/mman.h>
#include <asm/poll.h>
#include <asm/resource.h>
#include <asm/signal.h>
#include <linux/eventpoll.h>
#include <linux/falloc.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/inotify.h>
#include <linux/memfd.h>
#include <linux/mman.h>
#include <linux/mount.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/stat.h>
#include <linux/time.h>
#include <linux/wait.h>

#include "constants/constant_sets.h"

#define N(name) { #name, (int64_t)(name) }
#define LIST(...) ((const struct kcatch_constant[]){ __VA_ARGS__, { NULL, 0 } })

/* ---- files ------------------------------------------------------------------------- */

const struct kcatch_constants kcatch_constants_descriptor = {
	.field = KCATCH_CONSTANT_VALUES, .values = LIST(N(AT_FDCWD)),
};

/* FASYNC is what programs call O_ASYNC. O_SYNC and O_TMPFILE have a bit of another flag. */
const struct kcatch_constants kcatch_constants_open = {
	.field = O_ACCMODE,
	.values = LIST(N(O_RDONLY), N(O_WRONLY), N(O_RDWR)),
	.flags = LIST(N(O_SYNC), N(O_TMPFILE), N(O_CREAT), N(O_EXCL), N(O_NOCTTY), N(O_TRUNC),
		      N(O_APPEND), N(O_NONBLOCK), N(O_DSYNC), { "O_ASYNC", FASYNC }, N(O_DIRECT),
		      N(O_LARGEFILE), N(O_DIRECTORY), N(O_NOFOLLOW), N(O_NOATIME), N(O_CLOEXEC),
		      N(O_PATH)),
};

const struct kcatch_constants kcatch_constants_pipe = {
	.flags = LIST(N(O_CLOEXEC), N(O_DIRECT), N(O_NONBLOCK)),
};

const struct kcatch_constants kcatch_constants_resolve = {
	.flags = LIST(N(RESOLVE_NO_XDEV), N(RESOLVE_NO_MAGICLINKS), N(RESOLVE_NO_SYMLINKS),
		      N(RESOLVE_BENEATH), N(RESOLVE_IN_ROOT), N(RESOLVE_CACHED)),
	.wide = true,
};

const struct kcatch_constants kcatch_constants_at = {
	.flags = LIST(N(AT_SYMLINK_NOFOLLOW), N(AT_SYMLINK_FOLLOW), N(AT_NO_AUTOMOUNT),
		      N(AT_EMPTY_PATH), N(AT_STATX_FORCE_SYNC), N(AT_STATX_DONT_SYNC),
		      N(AT_RECURSIVE)),
};

const struct kcatch_constants kcatch_constants_at_access = {
	.flags = LIST(N(AT_SYMLINK_NOFOLLOW), N(AT_EACCESS), N(AT_EMPTY_PATH)),
};

const struct kcatch_constants kcatch_constants_at_remove = {
	.flags = LIST(N(AT_REMOVEDIR)),
};

const struct kcatch_constants kcatch_constants_fcntl = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(F_DUPFD), N(F_GETFD), N(F_SETFD), N(F_GETFL), N(F_SETFL), N(F_GETLK),
		       N(F_SETLK), N(F_SETLKW), N(F_SETOWN), N(F_GETOWN), N(F_SETSIG), N(F_GETSIG),
		       N(F_SETOWN_EX), N(F_GETOWN_EX), N(F_GETOWNER_UIDS), N(F_OFD_GETLK),
		       N(F_OFD_SETLK), N(F_OFD_SETLKW), N(F_SETLEASE), N(F_GETLEASE), N(F_NOTIFY),
		       N(F_CANCELLK), N(F_DUPFD_CLOEXEC), N(F_SETPIPE_SZ), N(F_GETPIPE_SZ),
		       N(F_ADD_SEALS), N(F_GET_SEALS), N(F_GET_RW_HINT), N(F_SET_RW_HINT),
		       N(F_GET_FILE_RW_HINT), N(F_SET_FILE_RW_HINT)),
};

const struct kcatch_constants kcatch_constants_descriptor_flags = {
	.flags = LIST(N(FD_CLOEXEC)),
};

const struct kcatch_constants kcatch_constants_seal = {
	.flags = LIST(N(F_SEAL_SEAL), N(F_SEAL_SHRINK), N(F_SEAL_GROW), N(F_SEAL_WRITE),
		      N(F_SEAL_FUTURE_WRITE)),
};

const struct kcatch_constants kcatch_constants_lease = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(F_RDLCK), N(F_WRLCK), N(F_UNLCK)),
};

const struct kcatch_constants kcatch_constants_netlink = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(NETLINK_ROUTE), N(NETLINK_USERSOCK), N(NETLINK_FIREWALL),
		       N(NETLINK_SOCK_DIAG), N(NETLINK_NFLOG), N(NETLINK_XFRM), N(NETLINK_SELINUX),
		       N(NETLINK_ISCSI), N(NETLINK_AUDIT), N(NETLINK_FIB_LOOKUP),
		       N(NETLINK_CONNECTOR), N(NETLINK_NETFILTER), N(NETLINK_IP6_FW),
		       N(NETLINK_DNRTMSG), N(NETLINK_KOBJECT_UEVENT), N(NETLINK_GENERIC),
		       N(NETLINK_SCSITRANSPORT), N(NETLINK_ECRYPTFS), N(NETLINK_RDMA),
		       N(NETLINK_CRYPTO), N(NETLINK_SMC)),
};

const struct kcatch_constants kcatch_constants_whence = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(SEEK_SET), N(SEEK_CUR), N(SEEK_END), N(SEEK_DATA), N(SEEK_HOLE)),
};

const struct kcatch_constants kcatch_constants_rename = {
	.flags = LIST(N(RENAME_NOREPLACE), N(RENAME_EXCHANGE), N(RENAME_WHITEOUT)),
};

const struct kcatch_constants kcatch_constants_fallocate = {
	.flags = LIST(N(FALLOC_FL_KEEP_SIZE), N(FALLOC_FL_PUNCH_HOLE), N(FALLOC_FL_NO_HIDE_STALE),
		      N(FALLOC_FL_COLLAPSE_RANGE), N(FALLOC_FL_ZERO_RANGE),
		      N(FALLOC_FL_INSERT_RANGE), N(FALLOC_FL_UNSHARE_RANGE)),
};

const struct kcatch_constants kcatch_constants_statx_mask = {
	.flags = LIST(N(STATX_BASIC_STATS), N(STATX_TYPE), N(STATX_MODE), N(STATX_NLINK),
		      N(STATX_UID), N(STATX_GID), N(STATX_ATIME), N(STATX_MTIME), N(STATX_CTIME),
		      N(STATX_INO), N(STATX_SIZE), N(STATX_BLOCKS), N(STATX_BTIME),
		      N(STATX_MNT_ID)),
};

/* MS_MGC_VAL is what programs had to pass once; it has bits of the flags behind it. */
const struct kcatch_constants kcatch_constants_mount = {
	.flags = LIST(N(MS_MGC_VAL), N(MS_RDONLY), N(MS_NOSUID), N(MS_NODEV), N(MS_NOEXEC),
		      N(MS_SYNCHRONOUS), N(MS_REMOUNT), N(MS_MANDLOCK), N(MS_DIRSYNC),
		      N(MS_NOSYMFOLLOW), N(MS_NOATIME), N(MS_NODIRATIME), N(MS_BIND), N(MS_MOVE),
		      N(MS_REC), N(MS_SILENT), N(MS_POSIXACL), N(MS_UNBINDABLE), N(MS_PRIVATE),
		      N(MS_SLAVE), N(MS_SHARED), N(MS_RELATIME), N(MS_I_VERSION),
		      N(MS_STRICTATIME), N(MS_LAZYTIME)),
};

const struct kcatch_constants kcatch_constants_watch = {
	.flags = LIST(N(IN_ALL_EVENTS), N(IN_ACCESS), N(IN_MODIFY), N(IN_ATTRIB),
		      N(IN_CLOSE_WRITE), N(IN_CLOSE_NOWRITE), N(IN_OPEN), N(IN_MOVED_FROM),
		      N(IN_MOVED_TO), N(IN_CREATE), N(IN_DELETE), N(IN_DELETE_SELF),
		      N(IN_MOVE_SELF), N(IN_UNMOUNT), N(IN_Q_OVERFLOW), N(IN_IGNORED),
		      N(IN_ONLYDIR), N(IN_DONT_FOLLOW), N(IN_EXCL_UNLINK), N(IN_MASK_CREATE),
		      N(IN_MASK_ADD), N(IN_ISDIR), N(IN_ONESHOT)),
};

/* ---- memory ------------------------------------------------------------------------ */

const struct kcatch_constants kcatch_constants_protection = {
	.flags = LIST(N(PROT_READ), N(PROT_WRITE), N(PROT_EXEC), N(PROT_SEM), N(PROT_GROWSDOWN),
		      N(PROT_GROWSUP)),
	.zero = "PROT_NONE",
};

#ifdef MAP_32BIT
#define MAP_FLAGS_OF_MACHINE N(MAP_32BIT),
#else
#define MAP_FLAGS_OF_MACHINE
#endif

const struct kcatch_constants kcatch_constants_map = {
	.field = MAP_TYPE,
	.values = LIST(N(MAP_SHARED), N(MAP_PRIVATE), N(MAP_SHARED_VALIDATE)),
	.flags = LIST(N(MAP_HUGE_1GB), N(MAP_HUGE_2MB), N(MAP_FIXED), N(MAP_ANONYMOUS),
		      MAP_FLAGS_OF_MACHINE N(MAP_GROWSDOWN), N(MAP_DENYWRITE), N(MAP_EXECUTABLE),
		      N(MAP_LOCKED), N(MAP_NORESERVE), N(MAP_POPULATE), N(MAP_NONBLOCK),
		      N(MAP_STACK), N(MAP_HUGETLB), N(MAP_SYNC), N(MAP_FIXED_NOREPLACE)),
};

const struct kcatch_constants kcatch_constants_mremap = {
	.flags = LIST(N(MREMAP_MAYMOVE), N(MREMAP_FIXED), N(MREMAP_DONTUNMAP)),
};

const struct kcatch_constants kcatch_constants_msync = {
	.flags = LIST(N(MS_ASYNC), N(MS_INVALIDATE), N(MS_SYNC)),
};

const struct kcatch_constants kcatch_constants_mlock_all = {
	.flags = LIST(N(MCL_CURRENT), N(MCL_FUTURE), N(MCL_ONFAULT)),
};

const struct kcatch_constants kcatch_constants_advice = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(MADV_NORMAL), N(MADV_RANDOM), N(MADV_SEQUENTIAL), N(MADV_WILLNEED),
		       N(MADV_DONTNEED), N(MADV_FREE), N(MADV_REMOVE), N(MADV_DONTFORK),
		       N(MADV_DOFORK), N(MADV_HWPOISON), N(MADV_SOFT_OFFLINE), N(MADV_MERGEABLE),
		       N(MADV_UNMERGEABLE), N(MADV_HUGEPAGE), N(MADV_NOHUGEPAGE),
		       N(MADV_DONTDUMP), N(MADV_DODUMP), N(MADV_WIPEONFORK), N(MADV_KEEPONFORK),
		       N(MADV_COLD), N(MADV_PAGEOUT), N(MADV_POPULATE_READ),
		       N(MADV_POPULATE_WRITE)),
};

const struct kcatch_constants kcatch_constants_memfd = {
	.flags = LIST(N(MFD_CLOEXEC), N(MFD_ALLOW_SEALING), N(MFD_HUGETLB)),
};

/* ---- tasks ------------------------------------------------------------------------- */

#define CLONE_FLAGS \
	N(CLONE_VM), N(CLONE_FS), N(CLONE_FILES), N(CLONE_SIGHAND), N(CLONE_PIDFD), \
	N(CLONE_PTRACE), N(CLONE_VFORK), N(CLONE_PARENT), N(CLONE_THREAD), N(CLONE_NEWNS), \
	N(CLONE_SYSVSEM), N(CLONE_SETTLS), N(CLONE_PARENT_SETTID), N(CLONE_CHILD_CLEARTID), \
	N(CLONE_DETACHED), N(CLONE_UNTRACED), N(CLONE_CHILD_SETTID), N(CLONE_NEWCGROUP), \
	N(CLONE_NEWUTS), N(CLONE_NEWIPC), N(CLONE_NEWUSER), N(CLONE_NEWPID), N(CLONE_NEWNET), \
	N(CLONE_IO)

#define SIGNALS \
	LIST(N(SIGHUP), N(SIGINT), N(SIGQUIT), N(SIGILL), N(SIGTRAP), N(SIGABRT), N(SIGBUS), \
	     N(SIGFPE), N(SIGKILL), N(SIGUSR1), N(SIGSEGV), N(SIGUSR2), N(SIGPIPE), N(SIGALRM), \
	     N(SIGTERM), N(SIGSTKFLT), N(SIGCHLD), N(SIGCONT), N(SIGSTOP), N(SIGTSTP), \
	     N(SIGTTIN), N(SIGTTOU), N(SIGURG), N(SIGXCPU), N(SIGXFSZ), N(SIGVTALRM), N(SIGPROF), \
	     N(SIGWINCH), N(SIGIO), N(SIGPWR), N(SIGSYS))

/* clone() has the signal of the child's end in the lowest byte, CSIGNAL. */
const struct kcatch_constants kcatch_constants_clone = {
	.field = CSIGNAL, .values = SIGNALS, .flags = LIST(CLONE_FLAGS),
};

const struct kcatch_constants kcatch_constants_clone3 = {
	.flags = LIST(CLONE_FLAGS, N(CLONE_NEWTIME), N(CLONE_CLEAR_SIGHAND), N(CLONE_INTO_CGROUP)),
	.wide = true,
};

const struct kcatch_constants kcatch_constants_unshare = {
	.flags = LIST(CLONE_FLAGS, N(CLONE_NEWTIME)),
};

const struct kcatch_constants kcatch_constants_signal = {
	.field = KCATCH_CONSTANT_VALUES, .values = SIGNALS,
};

const struct kcatch_constants kcatch_constants_signal_mask = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(SIG_BLOCK), N(SIG_UNBLOCK), N(SIG_SETMASK)),
};

const struct kcatch_constants kcatch_constants_wait = {
	.flags = LIST(N(WNOHANG), N(WUNTRACED), N(WEXITED), N(WCONTINUED), N(WNOWAIT),
		      { "__WNOTHREAD", __WNOTHREAD }, { "__WALL", __WALL },
		      { "__WCLONE", __WCLONE }),
};

const struct kcatch_constants kcatch_constants_policy = {
	.field = KCATCH_CONSTANT_VALUES & ~(uint64_t)SCHED_RESET_ON_FORK,
	.values = LIST(N(SCHED_NORMAL), N(SCHED_FIFO), N(SCHED_RR), N(SCHED_BATCH), N(SCHED_IDLE),
		       N(SCHED_DEADLINE)),
	.flags = LIST(N(SCHED_RESET_ON_FORK)),
};

const struct kcatch_constants kcatch_constants_resource = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(RLIMIT_CPU), N(RLIMIT_FSIZE), N(RLIMIT_DATA), N(RLIMIT_STACK),
		       N(RLIMIT_CORE), N(RLIMIT_RSS), N(RLIMIT_NPROC), N(RLIMIT_NOFILE),
		       N(RLIMIT_MEMLOCK), N(RLIMIT_AS), N(RLIMIT_LOCKS), N(RLIMIT_SIGPENDING),
		       N(RLIMIT_MSGQUEUE), N(RLIMIT_NICE), N(RLIMIT_RTPRIO), N(RLIMIT_RTTIME)),
};

/* ---- waiting ----------------------------------------------------------------------- */

const struct kcatch_constants kcatch_constants_poll = {
	.flags = LIST(N(POLLIN), N(POLLPRI), N(POLLOUT), N(POLLERR), N(POLLHUP), N(POLLNVAL),
		      N(POLLRDNORM), N(POLLRDBAND), N(POLLWRNORM), N(POLLWRBAND), N(POLLMSG),
		      N(POLLRDHUP)),
};

const struct kcatch_constants kcatch_constants_epoll = {
	.flags = LIST(N(EPOLLIN), N(EPOLLPRI), N(EPOLLOUT), N(EPOLLERR), N(EPOLLHUP),
		      N(EPOLLNVAL), N(EPOLLRDNORM), N(EPOLLRDBAND), N(EPOLLWRNORM),
		      N(EPOLLWRBAND), N(EPOLLMSG), N(EPOLLRDHUP), N(EPOLLEXCLUSIVE),
		      N(EPOLLWAKEUP), N(EPOLLONESHOT), N(EPOLLET)),
};

const struct kcatch_constants kcatch_constants_epoll_control = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(EPOLL_CTL_ADD), N(EPOLL_CTL_DEL), N(EPOLL_CTL_MOD)),
};

const struct kcatch_constants kcatch_constants_epoll_create = {
	.flags = LIST(N(EPOLL_CLOEXEC)),
};

const struct kcatch_constants kcatch_constants_futex = {
	.field = (uint32_t)FUTEX_CMD_MASK,
	.values = LIST(N(FUTEX_WAIT), N(FUTEX_WAKE), N(FUTEX_FD), N(FUTEX_REQUEUE),
		       N(FUTEX_CMP_REQUEUE), N(FUTEX_WAKE_OP), N(FUTEX_LOCK_PI),
		       N(FUTEX_UNLOCK_PI), N(FUTEX_TRYLOCK_PI), N(FUTEX_WAIT_BITSET),
		       N(FUTEX_WAKE_BITSET), N(FUTEX_WAIT_REQUEUE_PI), N(FUTEX_CMP_REQUEUE_PI),
		       N(FUTEX_LOCK_PI2)),
	.flags = LIST(N(FUTEX_PRIVATE_FLAG), N(FUTEX_CLOCK_REALTIME)),
};

const struct kcatch_constants kcatch_constants_clock = {
	.field = KCATCH_CONSTANT_VALUES,
	.values = LIST(N(CLOCK_REALTIME), N(CLOCK_MONOTONIC), N(CLOCK_PROCESS_CPUTIME_ID),
		       N(CLOCK_THREAD_CPUTIME_ID), N(CLOCK_MONOTONIC_RAW),
		       N(CLOCK_REALTIME_COARSE), N(CLOCK_MONOTONIC_COARSE), N(CLOCK_BOOTTIME),
		       N(CLOCK_REALTIME_ALARM), N(CLOCK_BOOTTIME_ALARM), N(CLOCK_TAI)),
};

const struct kcatch_constants kcatch_constants_random = {
	.flags = LIST(N(GRND_NONBLOCK), N(GRND_RANDOM), N(GRND_INSECURE)),
};
