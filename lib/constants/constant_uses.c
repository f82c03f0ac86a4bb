/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * constant_uses.c - which argument of which system call or function has which names
 *
 * The names of arguments are those of the kernel's source. A function is here only if it is passed
 * what the system call was passed: do_filp_open() has dfd, and of path_openat() flags are others
 * (LOOKUP_*), so it is not here. In a row, an argument that one of the functions lacks is not
 * looked for there.
 */
#include "constants/constant_sets.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

#include <kcatch_text.h>

#define ARGS(...) ((const struct kcatch_named_argument[]){ __VA_ARGS__, { NULL, NULL, NULL, 0 } })
#define A(name, set)                                    \
	{                                               \
#name, &kcatch_constants_##set, NULL, 0 \
	}
/* It has them where another argument has that number. */
#define B(other, number, of, set)                              \
	{                                                      \
#of, &kcatch_constants_##set, #other, (number) \
	}

/*
 * @calls: system calls, as tracefs names them, separated by blanks
 * @functions: functions of the kernel and tracepoints
 * @arguments: those whose numbers have names
 */
static const struct taker {
	const char *calls;
	const char *functions;
	const struct kcatch_named_argument *arguments;
} takers[] = {
	/* files */
	{ "open openat open_by_handle_at mq_open",
	  "do_sys_open file_open_name filp_open file_open_root dentry_open",
	  ARGS(A(dfd, descriptor), A(mountdirfd, descriptor), A(flags, open), A(oflag, open)) },
	{ "openat2 mkdirat mknodat symlinkat readlinkat renameat futimesat fanotify_mark "
	  "open_tree open_tree_attr move_mount fspick",
	  "do_sys_openat2 do_filp_open do_file_open filename_lookup filename_create user_path_at "
	  "user_path_at_empty do_mkdirat do_mknodat do_symlinkat do_readlinkat "
	  "do_fanotify_mark filename_parentat __filename_parentat",
	  ARGS(A(dfd, descriptor), A(olddfd, descriptor), A(newdfd, descriptor),
	       A(from_dfd, descriptor), A(to_dfd, descriptor)) },
	{ "newfstatat fchownat linkat utimensat name_to_handle_at fchmodat fchmodat2 execveat "
	  "mount_setattr",
	  "vfs_fstatat do_fchownat do_linkat do_fchmodat do_utimes",
	  ARGS(A(dfd, descriptor), A(fd, descriptor), A(olddfd, descriptor), A(newdfd, descriptor),
	       A(flags, at), A(flag, at)) },
	{ "statx", "vfs_statx do_statx",
	  ARGS(A(dfd, descriptor), A(flags, at), A(mask, statx_mask),
	       A(request_mask, statx_mask)) },
	{ "access faccessat faccessat2", "do_faccessat",
	  ARGS(A(dfd, descriptor), A(mode, access), A(flags, at_access)) },
	{ "unlinkat", "", ARGS(A(dfd, descriptor), A(flag, at_remove)) },
	{ "", "do_unlinkat do_rmdir", ARGS(A(dfd, descriptor)) },
	{ "renameat2", "do_renameat2",
	  ARGS(A(olddfd, descriptor), A(newdfd, descriptor), A(flags, rename)) },
	{ "pipe2 dup3", "do_pipe2 do_pipe_flags ksys_dup3", ARGS(A(flags, pipe)) },
	{ "fcntl", "do_fcntl security_file_fcntl",
	  ARGS(A(cmd, fcntl), B(cmd, F_SETFL, arg, open), B(cmd, F_SETFD, arg, descriptor_flags),
	       B(cmd, F_ADD_SEALS, arg, seal), B(cmd, F_SETLEASE, arg, lease),
	       B(cmd, F_SETSIG, arg, signal)) },
	{ "ioctl",
	  "security_file_ioctl vfs_ioctl do_vfs_ioctl sock_ioctl sock_do_ioctl inet_ioctl "
	  "inet6_ioctl tcp_ioctl udp_ioctl raw_ioctl packet_ioctl unix_ioctl tty_ioctl pty_unix98_ioctl "
	  "n_tty_ioctl n_tty_ioctl_helper tty_mode_ioctl pipe_ioctl blkdev_ioctl blkdev_common_ioctl "
	  "lo_ioctl dm_ctl_ioctl ext4_ioctl xfs_file_ioctl btrfs_ioctl random_ioctl perf_ioctl "
	  "tun_chr_ioctl kvm_dev_ioctl kvm_vm_ioctl kvm_vcpu_ioctl drm_ioctl vt_ioctl",
	  ARGS(A(cmd, ioctl), A(ioctl, ioctl)) },
	{ "lseek",
	  "vfs_llseek ksys_lseek default_llseek fixed_size_llseek generic_file_llseek "
	  "generic_file_llseek_size noop_llseek no_seek_end_llseek seq_lseek dcache_dir_lseek "
	  "ext4_llseek xfs_file_llseek btrfs_file_llseek shmem_file_llseek nfs_file_llseek "
	  "fuse_file_llseek ovl_llseek kernfs_fop_llseek proc_reg_llseek blkdev_llseek",
	  ARGS(A(whence, whence)) },
	{ "fallocate", "vfs_fallocate ksys_fallocate", ARGS(A(mode, fallocate)) },
	{ "mount", "do_mount path_mount security_sb_mount", ARGS(A(flags, mount)) },
	{ "inotify_add_watch", "", ARGS(A(mask, watch)) },
	/* memory */
	{ "mmap", "ksys_mmap_pgoff vm_mmap_pgoff vm_mmap do_mmap security_mmap_file",
	  ARGS(A(prot, protection), A(flags, map), A(flag, map)) },
	{ "mprotect pkey_mprotect", "do_mprotect_pkey security_file_mprotect",
	  ARGS(A(prot, protection), A(reqprot, protection)) },
	{ "mremap", "", ARGS(A(flags, mremap)) },
	{ "msync", "", ARGS(A(flags, msync)) },
	{ "mlockall", "", ARGS(A(flags, mlock_all)) },
	{ "madvise process_madvise", "do_madvise vector_madvise", ARGS(A(behavior, advice)) },
	{ "memfd_create", "", ARGS(A(flags, memfd)) },
	/* tasks */
	{ "clone", "", ARGS(A(clone_flags, clone)) },
	{ "", "task_newtask", ARGS(A(clone_flags, clone3)) },
	{ "unshare setns", "ksys_unshare",
	  ARGS(A(unshare_flags, unshare), A(flags, unshare), A(nstype, unshare)) },
	{ "kill tkill tgkill rt_sigaction rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal",
	  "signal_generate signal_deliver send_signal_locked __send_signal_locked "
	  "do_send_sig_info group_send_sig_info kill_pid_info kill_pid kill_pgrp send_sig "
	  "send_sig_info force_sig force_fatal_sig force_sig_fault force_sig_fault_to_task "
	  "force_exit_sig security_task_kill check_kill_permission complete_signal "
	  "prepare_signal do_send_specific do_tkill do_sigaction kill_something_info "
	  "do_notify_parent",
	  ARGS(A(sig, signal)) },
	{ "rt_sigprocmask", "sigprocmask", ARGS(A(how, signal_mask)) },
	{ "wait4 waitid", "kernel_wait4", ARGS(A(options, wait)) },
	{ "sched_setscheduler", "", ARGS(A(policy, policy)) },
	{ "prlimit64 getrlimit setrlimit", "do_prlimit", ARGS(A(resource, resource)) },
	/* waiting, time */
	{ "futex", "do_futex", ARGS(A(op, futex)) },
	{ "epoll_ctl", "do_epoll_ctl", ARGS(A(op, epoll_control)) },
	{ "epoll_create1", "do_epoll_create", ARGS(A(flags, epoll_create)) },
	{ "clock_gettime clock_settime clock_getres clock_nanosleep clock_adjtime timer_create "
	  "timerfd_create",
	  "do_timer_create", ARGS(A(which_clock, clock), A(clockid, clock)) },
	{ "getrandom", "", ARGS(A(flags, random)) },
	/* sockets */
	{ "socket socketpair",
	  "__sys_socket __sys_socketpair __sock_create sock_create sock_create_kern "
	  "sock_create_lite security_socket_create",
	  ARGS(A(family, family), A(type, socket_type), B(family, AF_INET, protocol, ip_protocol),
	       B(family, AF_INET6, protocol, ip_protocol),
	       B(family, AF_NETLINK, protocol, netlink)) },
	{ "accept4", "__sys_accept4", ARGS(A(flags, socket_flags)) },
	{ "sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg",
	  "__sys_sendto __sys_sendmsg __sys_recvfrom __sys_recvmsg ___sys_sendmsg "
	  "___sys_recvmsg sock_recvmsg security_socket_recvmsg inet_recvmsg inet6_recvmsg "
	  "tcp_recvmsg udp_recvmsg udpv6_recvmsg unix_stream_recvmsg unix_dgram_recvmsg",
	  ARGS(A(flags, message)) },
	{ "shutdown", "__sys_shutdown security_socket_shutdown inet_shutdown", ARGS(A(how, shut)) },
};

static const struct {
	const char *structure;
	const char *member;
	const struct kcatch_constants *constants;
} members[] = {
#define MEMBER(structure, member, set) { #structure, #member, &kcatch_constants_##set }
	MEMBER(open_how, flags, open), MEMBER(open_how, resolve, resolve),
	MEMBER(open_flags, open_flag, open), MEMBER(file, f_flags, open),
	MEMBER(kernel_clone_args, flags, clone3), MEMBER(kernel_clone_args, exit_signal, signal),
	MEMBER(clone_args, flags, clone3), MEMBER(clone_args, exit_signal, signal),
	MEMBER(epoll_event, events, epoll), MEMBER(pollfd, events, poll),
	MEMBER(pollfd, revents, poll), MEMBER(sock_common, skc_family, family),
	MEMBER(sock, sk_type, socket_type), MEMBER(socket, type, socket_type),
	MEMBER(msghdr, msg_flags, message), MEMBER(ksignal, sig, signal),
	MEMBER(task_struct, __state, task_state), MEMBER(task_struct, exit_state, exit_state),
#undef MEMBER
};

/* The system call that a function or an event is of; NULL: of none. */
static const char *call_of(const char *function)
{
	static const char *const beginnings[] = { "sys_enter_", "__se_sys_", "__do_sys_" };
	const char *plain = kcatch_plain_syscall(function);
	size_t i, length;

	if (plain != function)
		return plain + strlen("sys_");
	for (i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		length = strlen(beginnings[i]);
		if (!strncmp(function, beginnings[i], length))
			return function + length;
	}
	return NULL;
}

/* Is a word one of those that blanks separate? */
static bool is_one_of(const char *word, const char *words)
{
	size_t length = strlen(word);
	const char *at = words;

	while (length && (at = strstr(at, word))) {
		if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
		at += length;
	}
	return false;
}

const struct kcatch_named_argument *kcatch_constants_of_function(const char *function)
{
	const char *call = call_of(function);
	size_t i;

	for (i = 0; i < sizeof(takers) / sizeof(takers[0]); i++)
		if (call ? is_one_of(call, takers[i].calls) :
			   is_one_of(function, takers[i].functions))
			return takers[i].arguments;
	return NULL;
}

const struct kcatch_constants *
kcatch_constants_of_call(const struct kcatch_named_argument *arguments, const char *argument,
			 bool (*number_of)(void *arg, const char *name, uint64_t *number),
			 void *arg)
{
	uint64_t number;

	for (; arguments && argument && arguments->name; arguments++) {
		if (strcmp(arguments->name, argument) != 0)
			continue;
		/* The number may be wider than the argument that is passed it. */
		if (!arguments->beside ||
		    (number_of && number_of(arg, arguments->beside, &number) &&
		     (int32_t)number == arguments->value))
			return arguments->constants;
	}
	return NULL;
}

const struct kcatch_constants *
kcatch_constants_of_argument(const struct kcatch_named_argument *arguments, const char *argument)
{
	return kcatch_constants_of_call(arguments, argument, NULL, NULL);
}

const struct kcatch_constants *kcatch_constants_of_member(const char *structure,
							  const char *member)
{
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (!strcmp(members[i].member, member) &&
		    !strcmp(members[i].structure, structure))
			return members[i].constants;
	return NULL;
}
