/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * constants.c - well-known constants: errnos, flags of open(), file modes, signals
 *
 * The values are those of the C library's headers on x86-64, which equal the kernel's. Constants
 * that the headers lack or define differently (O_LARGEFILE is 0 on x86-64) have the value of
 * the kernel's headers.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "condition/ir.h"

#define N(name) { #name, name }

static const struct constant {
	const char *name;
	int64_t value;
} constants[] = {
	{ "NULL", 0 }, { "true", 1 }, { "false", 0 },
	/* errno */
	N(E2BIG), N(EACCES), N(EADDRINUSE), N(EADDRNOTAVAIL), N(EADV), N(EAFNOSUPPORT),
	N(EAGAIN), N(EALREADY), N(EBADE), N(EBADF), N(EBADFD), N(EBADMSG), N(EBADR), N(EBADRQC),
	N(EBADSLT), N(EBFONT), N(EBUSY), N(ECANCELED), N(ECHILD), N(ECHRNG), N(ECOMM),
	N(ECONNABORTED), N(ECONNREFUSED), N(ECONNRESET), N(EDEADLK), N(EDEADLOCK),
	N(EDESTADDRREQ), N(EDOM), N(EDOTDOT), N(EDQUOT), N(EEXIST), N(EFAULT), N(EFBIG),
	N(EHOSTDOWN), N(EHOSTUNREACH), N(EHWPOISON), N(EIDRM), N(EILSEQ), N(EINPROGRESS),
	N(EINTR), N(EINVAL), N(EIO), N(EISCONN), N(EISDIR), N(EISNAM), N(EKEYEXPIRED),
	N(EKEYREJECTED), N(EKEYREVOKED), N(EL2HLT), N(EL2NSYNC), N(EL3HLT), N(EL3RST),
	N(ELIBACC), N(ELIBBAD), N(ELIBEXEC), N(ELIBMAX), N(ELIBSCN), N(ELNRNG), N(ELOOP),
	N(EMEDIUMTYPE), N(EMFILE), N(EMLINK), N(EMSGSIZE), N(EMULTIHOP), N(ENAMETOOLONG),
	N(ENAVAIL), N(ENETDOWN), N(ENETRESET), N(ENETUNREACH), N(ENFILE), N(ENOANO), N(ENOBUFS),
	N(ENOCSI), N(ENODATA), N(ENODEV), N(ENOENT), N(ENOEXEC), N(ENOKEY), N(ENOLCK),
	N(ENOLINK), N(ENOMEDIUM), N(ENOMEM), N(ENOMSG), N(ENONET), N(ENOPKG), N(ENOPROTOOPT),
	N(ENOSPC), N(ENOSR), N(ENOSTR), N(ENOSYS), N(ENOTBLK), N(ENOTCONN), N(ENOTDIR),
	N(ENOTEMPTY), N(ENOTNAM), N(ENOTRECOVERABLE), N(ENOTSOCK), N(ENOTSUP), N(ENOTTY),
	N(ENOTUNIQ), N(ENXIO), N(EOPNOTSUPP), N(EOVERFLOW), N(EOWNERDEAD), N(EPERM),
	N(EPFNOSUPPORT), N(EPIPE), N(EPROTO), N(EPROTONOSUPPORT), N(EPROTOTYPE), N(ERANGE),
	N(EREMCHG), N(EREMOTE), N(EREMOTEIO), N(ERESTART), N(ERFKILL), N(EROFS), N(ESHUTDOWN),
	N(ESOCKTNOSUPPORT), N(ESPIPE), N(ESRCH), N(ESRMNT), N(ESTALE), N(ESTRPIPE), N(ETIME),
	N(ETIMEDOUT), N(ETOOMANYREFS), N(ETXTBSY), N(EUCLEAN), N(EUNATCH), N(EUSERS),
	N(EWOULDBLOCK), N(EXDEV), N(EXFULL),
	/* include/linux/errno.h of the kernel */
	{ "ERESTARTSYS", 512 }, { "ERESTARTNOINTR", 513 }, { "ERESTARTNOHAND", 514 },
	{ "ENOIOCTLCMD", 515 }, { "ERESTART_RESTARTBLOCK", 516 }, { "EPROBE_DEFER", 517 },
	{ "EOPENSTALE", 518 }, { "ENOPARAM", 519 }, { "ENOTSUPP", 524 },
	{ "EIOCBQUEUED", 529 },
	/* fcntl.h, sys/stat.h */
	{ "O_LARGEFILE", 0100000 },
	N(AT_EMPTY_PATH), N(AT_FDCWD), N(AT_NO_AUTOMOUNT), N(AT_REMOVEDIR), N(AT_SYMLINK_FOLLOW),
	N(AT_SYMLINK_NOFOLLOW), N(F_OK), N(O_ACCMODE), N(O_APPEND), N(O_ASYNC), N(O_CLOEXEC),
	N(O_CREAT), N(O_DIRECT), N(O_DIRECTORY), N(O_DSYNC), N(O_EXCL), N(O_FSYNC), N(O_NDELAY),
	N(O_NOATIME), N(O_NOCTTY), N(O_NOFOLLOW), N(O_NONBLOCK), N(O_PATH), N(O_RDONLY),
	N(O_RDWR), N(O_RSYNC), N(O_SYNC), N(O_TMPFILE), N(O_TRUNC), N(O_WRONLY), N(R_OK),
	N(SEEK_CUR), N(SEEK_DATA), N(SEEK_END), N(SEEK_HOLE), N(SEEK_SET), N(S_IFBLK),
	N(S_IFCHR), N(S_IFDIR), N(S_IFIFO), N(S_IFLNK), N(S_IFMT), N(S_IFREG), N(S_IFSOCK),
	N(S_IRGRP), N(S_IROTH), N(S_IRUSR), N(S_IRWXG), N(S_IRWXO), N(S_IRWXU), N(S_ISGID),
	N(S_ISUID), N(S_ISVTX), N(S_IWGRP), N(S_IWOTH), N(S_IWUSR), N(S_IXGRP), N(S_IXOTH),
	N(S_IXUSR), N(W_OK), N(X_OK),
	/* sys/socket.h, netinet/in.h, signal.h */
	N(AF_INET), N(AF_INET6), N(AF_NETLINK), N(AF_PACKET), N(AF_UNIX), N(IPPROTO_ICMP),
	N(IPPROTO_TCP), N(IPPROTO_UDP), N(SOCK_DGRAM), N(SOCK_RAW), N(SOCK_STREAM), N(SIGABRT),
	N(SIGALRM), N(SIGBUS), N(SIGCHLD), N(SIGCONT), N(SIGFPE), N(SIGHUP), N(SIGILL),
	N(SIGINT), N(SIGKILL), N(SIGPIPE), N(SIGQUIT), N(SIGSEGV), N(SIGSTOP), N(SIGTERM),
	N(SIGTRAP), N(SIGUSR1), N(SIGUSR2),
	/* sys/mman.h, sched.h, netinet/tcp.h, sys/epoll.h */
	N(CLONE_FILES), N(CLONE_FS), N(CLONE_NEWCGROUP), N(CLONE_NEWIPC), N(CLONE_NEWNET),
	N(CLONE_NEWNS), N(CLONE_NEWPID), N(CLONE_NEWUSER), N(CLONE_NEWUTS), N(CLONE_SIGHAND),
	N(CLONE_THREAD), N(CLONE_VFORK), N(CLONE_VM), N(EPOLLERR), N(EPOLLHUP), N(EPOLLIN),
	N(EPOLLOUT),
	N(EPOLLRDHUP), N(MADV_DONTNEED), N(MADV_FREE), N(MADV_HUGEPAGE), N(MADV_WILLNEED),
	N(MAP_ANONYMOUS), N(MAP_FIXED), N(MAP_HUGETLB), N(MAP_LOCKED), N(MAP_POPULATE),
	N(MAP_PRIVATE),
	N(MAP_SHARED), N(MREMAP_FIXED), N(MREMAP_MAYMOVE), N(MSG_DONTWAIT), N(MSG_NOSIGNAL),
	N(MSG_PEEK),
	N(MSG_WAITALL), N(PROT_EXEC), N(PROT_NONE), N(PROT_READ), N(PROT_WRITE), N(SCHED_BATCH),
	N(SCHED_FIFO), N(SCHED_IDLE), N(SCHED_OTHER), N(SCHED_RR), N(TCP_CLOSE), N(TCP_CLOSE_WAIT),
	N(TCP_CLOSING), N(TCP_ESTABLISHED), N(TCP_FIN_WAIT1), N(TCP_FIN_WAIT2), N(TCP_LAST_ACK),
	N(TCP_LISTEN), N(TCP_SYN_RECV), N(TCP_SYN_SENT), N(TCP_TIME_WAIT),
	/* the kernel's own macros, unchanged since Linux 4.14 */
	{ "TASK_RUNNING", 0 }, { "TASK_INTERRUPTIBLE", 1 }, { "TASK_UNINTERRUPTIBLE", 2 },
	{ "TASK_NORMAL", 3 }, { "TASK_PARKED", 0x40 }, { "TASK_DEAD", 0x80 },
	{ "TASK_WAKEKILL", 0x100 },
	{ "TASK_KILLABLE", 0x102 }, { "TASK_NOLOAD", 0x400 }, { "TASK_IDLE", 0x402 },
	{ "TASK_NEW", 0x800 },
	{ "PF_EXITING", 4 }, { "PF_WQ_WORKER", 0x20 }, { "PF_MEMALLOC", 0x800 },
	{ "PF_KTHREAD", 0x200000 }, { "FMODE_READ", 1 }, { "FMODE_WRITE", 2 }, { "MAY_EXEC", 1 },
	{ "MAY_WRITE", 2 }, { "MAY_READ", 4 }, { "MAY_APPEND", 8 }, { "MAY_OPEN", 0x20 },
	{ "VM_READ", 1 }, { "VM_WRITE", 2 }, { "VM_EXEC", 4 }, { "VM_SHARED", 8 },
	{ "VM_GROWSDOWN", 0x100 },
	{ "VM_LOCKED", 0x2000 }, { "VM_IO", 0x4000 }, { "PAGE_SIZE", 4096 },
};

bool constant_find(const char *name, int64_t *value)
{
	size_t i;

	for (i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
		if (!strcmp(constants[i].name, name)) {
			*value = constants[i].value;
			return true;
		}
	}
	return false;
}

void constant_offer_all(void (*offer)(void *arg, const char *name), void *arg)
{
	size_t i;

	for (i = 0; i < sizeof(constants) / sizeof(constants[0]); i++)
		offer(arg, constants[i].name);
}
