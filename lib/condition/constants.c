/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * constants.c - well-known constants: errnos, file modes, flags, signals
 *
 * What numbers are shown by, O_CREAT and the like, is in lib/constants/. The values here are those
 * of the C library's headers on x86-64, which equal the kernel's.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "condition/ir.h"
#include "constants/constant_names.h"

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
	/* names that a number is not shown by */
	N(O_ACCMODE), N(O_FSYNC), N(O_NDELAY), N(O_RSYNC), N(AF_LOCAL), N(SIGPOLL),
	N(SCHED_OTHER),
	/* sys/stat.h */
	N(S_IFBLK), N(S_IFCHR), N(S_IFDIR), N(S_IFIFO), N(S_IFLNK), N(S_IFMT), N(S_IFREG),
	N(S_IFSOCK), N(S_IRGRP), N(S_IROTH), N(S_IRUSR), N(S_IRWXG), N(S_IRWXO), N(S_IRWXU),
	N(S_ISGID), N(S_ISUID), N(S_ISVTX), N(S_IWGRP), N(S_IWOTH), N(S_IWUSR), N(S_IXGRP),
	N(S_IXOTH), N(S_IXUSR),
	/* netinet/in.h, netinet/tcp.h */
	N(IPPROTO_ICMP), N(IPPROTO_TCP), N(IPPROTO_UDP), N(IPPROTO_IP), N(IPPROTO_IPV6),
	N(IPPROTO_ICMPV6), N(IPPROTO_SCTP), N(IPPROTO_RAW), N(TCP_CLOSE), N(TCP_CLOSE_WAIT),
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
	return kcatch_constants_find(name, value);
}

void constant_offer_all(void (*offer)(void *arg, const char *name), void *arg)
{
	size_t i;

	for (i = 0; i < sizeof(constants) / sizeof(constants[0]); i++)
		offer(arg, constants[i].name);
	kcatch_constants_offer(offer, arg);
}
