// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a number has the names that its system call, function or struct gives it, bits
 * without a name stay a number, and no other argument has names. Every name that is shown is the
 * number that it is of, and is what the C library's headers say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include "constants/constant_sets.h"

static const struct kcatch_constants *taken(const char *function, const char *argument)
{
	return kcatch_constants_of_argument(kcatch_constants_of_function(function), argument);
}

static void assert_shown(const char *function, const char *argument, uint64_t number,
			 const char *expected)
{
	const struct kcatch_constants *constants = taken(function, argument);
	char text[KCATCH_CONSTANTS_TEXT];

	assert_non_null(constants);
	assert_int_equal(kcatch_constants_text(constants, number, text, sizeof(text)),
			 strlen(expected));
	assert_string_equal(text, expected);
}

struct other {
	const char *name;
	uint64_t number;
};

static bool number_of(void *arg, const char *name, uint64_t *number)
{
	const struct other *other = arg;

	*number = other->number;
	return !strcmp(other->name, name);
}

static void assert_beside(const char *function, const char *argument, struct other other,
			  uint64_t number, const char *expected)
{
	const struct kcatch_constants *constants = kcatch_constants_of_call(
		kcatch_constants_of_function(function), argument, number_of, &other);
	char text[KCATCH_CONSTANTS_TEXT] = "";

	if (constants)
		kcatch_constants_text(constants, number, text, sizeof(text));
	assert_string_equal(text, expected);
}

/* What an argument is, another one may tell. */
static void arguments_beside(void **state)
{
	(void)state;
	assert_beside("sys_enter_fcntl", "arg", (struct other){ "cmd", F_SETFL },
		      O_NONBLOCK | O_APPEND, "O_RDONLY|O_APPEND|O_NONBLOCK");
	assert_beside("do_fcntl", "arg", (struct other){ "cmd", F_SETFD }, FD_CLOEXEC,
		      "FD_CLOEXEC");
	assert_beside("do_fcntl", "arg", (struct other){ "cmd", F_SETSIG }, SIGUSR1, "SIGUSR1");
	assert_beside("do_fcntl", "arg", (struct other){ "cmd", F_DUPFD }, 1, "");
	assert_beside("do_fcntl", "arg", (struct other){ "fd", F_SETFD }, 1, "");
	assert_null(taken("do_fcntl", "arg"));
	assert_beside("sys_enter_socket", "protocol", (struct other){ "family", AF_INET }, 17,
		      "IPPROTO_UDP");
	assert_beside("sys_enter_socket", "protocol", (struct other){ "family", AF_NETLINK }, 16,
		      "NETLINK_GENERIC");
	assert_beside("sys_enter_socket", "protocol", (struct other){ "family", AF_UNIX }, 16, "");
}

static void ioctl_commands(void **state)
{
	(void)state;
	assert_shown("sys_enter_ioctl", "cmd", 0x541b, "FIONREAD");
	assert_shown("vfs_ioctl", "cmd", 0x80081272, "BLKGETSIZE64");
	assert_shown("sys_enter_ioctl", "cmd", 0xc0107f01, "_IOWR(0x7f, 1, 16)");
	assert_shown("sys_enter_ioctl", "cmd", 0x80086677, "_IOR('f', 119, 8)");
	assert_shown("sys_enter_ioctl", "cmd", 0x40047a05, "_IOW('z', 5, 4)");
	assert_shown("sys_enter_ioctl", "cmd", 0x2705, "_IO(0x27, 5)");
	assert_shown("sys_enter_ioctl", "cmd", 0x00087a05, "_IOC(_IOC_NONE, 'z', 5, 8)");
	assert_shown("sys_enter_ioctl", "cmd", 9, "");
}

static void system_calls(void **state)
{
	const uint64_t sign = UINT64_MAX << 32;

	(void)state;
	assert_shown("sys_enter_openat", "dfd", (uint64_t)AT_FDCWD, "AT_FDCWD");
	assert_shown("sys_enter_openat", "dfd", (uint32_t)AT_FDCWD, "AT_FDCWD");
	assert_shown("sys_enter_openat", "dfd", 3, "");
	assert_shown("__x64_sys_openat", "flags", O_WRONLY | O_CREAT | O_TRUNC,
		     "O_WRONLY|O_CREAT|O_TRUNC");
	assert_shown("__se_sys_open", "flags", O_RDONLY, "O_RDONLY");
	assert_shown("__do_sys_open", "flags", O_RDWR | O_CREAT | 0x40000000,
		     "O_RDWR|O_CREAT|0x40000000");
	assert_shown("sys_enter_open", "flags", O_ACCMODE, "");
	assert_shown("sys_enter_open", "flags", O_ACCMODE | O_CREAT, "O_CREAT|0x3");
	assert_shown("sys_enter_open", "flags", O_SYNC, "O_RDONLY|O_SYNC");
	assert_shown("sys_enter_open", "flags", O_DSYNC, "O_RDONLY|O_DSYNC");
	assert_shown("sys_enter_open", "flags", O_TMPFILE | O_RDWR, "O_RDWR|O_TMPFILE");
	assert_shown("sys_enter_open", "flags", 1ULL << 32, "");
	assert_shown("sys_enter_mmap", "prot", PROT_NONE, "PROT_NONE");
	assert_shown("sys_enter_mmap", "prot", PROT_READ | PROT_EXEC, "PROT_READ|PROT_EXEC");
	assert_shown("sys_enter_mmap", "flags", MAP_PRIVATE | MAP_ANONYMOUS,
		     "MAP_PRIVATE|MAP_ANONYMOUS");
	assert_shown("sys_enter_mmap", "flags", MAP_SHARED_VALIDATE | MAP_SYNC,
		     "MAP_SHARED_VALIDATE|MAP_SYNC");
	assert_shown("sys_enter_clone", "clone_flags", CLONE_VM | CLONE_VFORK | SIGCHLD,
		     "SIGCHLD|CLONE_VM|CLONE_VFORK");
	assert_shown("sys_enter_mount", "flags", MS_BIND | MS_REC, "MS_BIND|MS_REC");
	assert_shown("sys_enter_fcntl", "cmd", F_DUPFD_CLOEXEC, "F_DUPFD_CLOEXEC");
	assert_shown("sys_enter_fcntl", "cmd", 9999, "");
	assert_shown("sys_enter_socket", "family", AF_INET6, "AF_INET6");
	assert_shown("sys_enter_socket", "type", SOCK_DGRAM | SOCK_CLOEXEC,
		     "SOCK_DGRAM|SOCK_CLOEXEC");
	assert_shown("sys_enter_epoll_ctl", "op", EPOLL_CTL_MOD, "EPOLL_CTL_MOD");
	assert_shown("sys_enter_kill", "sig", SIGTERM, "SIGTERM");
	assert_shown("sys_enter_kill", "sig", 0, "");
	assert_shown("sys_enter_kill", "sig", 40, "");
	assert_shown("sys_enter_madvise", "behavior", MADV_DONTNEED, "MADV_DONTNEED");
	assert_shown("sys_enter_futex", "op", 128, "FUTEX_WAIT|FUTEX_PRIVATE_FLAG");
	assert_shown("sys_enter_futex", "op", sign | 0x80000081, "FUTEX_PRIVATE_FLAG|0x80000001");
	assert_shown("sys_enter_lseek", "whence", SEEK_HOLE, "SEEK_HOLE");
	assert_shown("sys_enter_unlinkat", "flag", AT_REMOVEDIR, "AT_REMOVEDIR");
	assert_shown("sys_enter_faccessat2", "flags", AT_EACCESS, "AT_EACCESS");
	assert_shown("sys_enter_access", "mode", R_OK | X_OK, "R_OK|X_OK");
	assert_shown("sys_enter_newfstatat", "flag", AT_SYMLINK_NOFOLLOW, "AT_SYMLINK_NOFOLLOW");
}

static void functions(void **state)
{
	(void)state;
	assert_shown("do_sys_openat2", "dfd", (uint64_t)AT_FDCWD, "AT_FDCWD");
	assert_shown("vm_mmap_pgoff", "flag", MAP_SHARED, "MAP_SHARED");
	assert_shown("do_mmap", "prot", PROT_WRITE, "PROT_WRITE");
	assert_shown("signal_generate", "sig", SIGKILL, "SIGKILL");
	assert_shown("task_newtask", "clone_flags", CLONE_NEWNET, "CLONE_NEWNET");
	/* Others of these names: LOOKUP_*, GFP_*, a function's own. */
	assert_null(taken("path_openat", "flags"));
	assert_null(taken("filename_lookup", "flags"));
	assert_null(taken("vfs_read", "count"));
	assert_null(taken("do_sys_open", NULL));
	/* A word that only begins, or ends, as one of the list. */
	assert_null(taken("do_sys", "flags"));
	assert_null(taken("sys_open", "flags"));
	assert_null(taken("sys_enter_", "flags"));
	assert_null(taken("openat", "flags"));
	assert_null(taken("sys_exit_openat", "ret"));
}

static void members(void **state)
{
	const struct kcatch_constants *constants = kcatch_constants_of_member("open_how", "flags");
	char text[KCATCH_CONSTANTS_TEXT];

	(void)state;
	assert_ptr_equal(constants, taken("sys_enter_open", "flags"));
	assert_ptr_equal(kcatch_constants_of_member("file", "f_flags"), constants);
	assert_null(kcatch_constants_of_member("file", "f_mode"));
	assert_null(kcatch_constants_of_member("inode", "flags"));
	constants = kcatch_constants_of_member("epoll_event", "events");
	assert_non_null(constants);
	kcatch_constants_text(constants, EPOLLIN | (uint32_t)EPOLLET, text, sizeof(text));
	assert_string_equal(text, "EPOLLIN|EPOLLET");
	constants = kcatch_constants_of_member("kernel_clone_args", "flags");
	kcatch_constants_text(constants, CLONE_VM | 1ULL << 33 | 1ULL << 40, text, sizeof(text));
	assert_string_equal(text, "CLONE_VM|CLONE_INTO_CGROUP|0x10000000000");
}

static void task_states(void **state)
{
	static const struct {
		const char *member;
		uint64_t number;
		const char *text;
	} known[] = {
		{ "__state", 0, "R" },       { "__state", 1, "S" },
		{ "__state", 2, "D" },       { "__state", 0x102, "D" },
		{ "__state", 0x104, "T" },   { "__state", 8, "t" },
		{ "__state", 0x402, "I" },   { "__state", 0x2001, "S" },
		{ "__state", 0x8000, "D" },  { "__state", 0x40, "P" },
		{ "__state", 0x200, "R" },   { "__state", 0x80, "X or Z" },
		{ "exit_state", 0, "" },     { "exit_state", 16, "X" },
		{ "exit_state", 0x20, "Z" }, { "exit_state", 0x30, "Z" },
	};
	char text[KCATCH_CONSTANTS_TEXT];
	int64_t number;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		kcatch_constants_text(kcatch_constants_of_member("task_struct", known[i].member),
				      known[i].number, text, sizeof(text));
		assert_string_equal(text, known[i].text);
	}
	assert_false(kcatch_constants_find("D", &number));
}

static void little_room(void **state)
{
	const struct kcatch_constants *constants = taken("sys_enter_open", "flags");
	char text[8];

	(void)state;
	assert_int_equal(kcatch_constants_text(constants, O_WRONLY | O_CREAT, text, sizeof(text)),
			 7);
	assert_string_equal(text, "O_WRONL");
}

/* Each name is the number that it is shown for, and no two names of a set hide each other. */
static void every_name(void **state)
{
	static const struct {
		const char *name;
		const struct kcatch_constants *set;
	} sets[] = {
#define SET(name) { #name, &kcatch_constants_##name },
		KCATCH_CONSTANT_SETS(SET)
#undef SET
	};
	char text[KCATCH_CONSTANTS_TEXT], all[KCATCH_CONSTANTS_TEXT], part[64];
	const struct kcatch_constant *it;
	uint64_t bits;
	int64_t found;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		for (it = sets[i].set->values; it && it->name; it++) {
			assert_true(kcatch_constants_find(it->name, &found));
			assert_int_equal(found, it->number);
			kcatch_constants_text(sets[i].set, (uint64_t)it->number, text,
					      sizeof(text));
			assert_string_equal(text, it->name);
		}
		for (bits = 0, it = sets[i].set->flags; it && it->name; it++) {
			assert_true(kcatch_constants_find(it->name, &found));
			assert_int_equal(found, it->number);
			assert_int_equal((uint64_t)it->number & sets[i].set->field &
						 (sets[i].set->wide ? UINT64_MAX : UINT32_MAX),
					 0);
			bits |= (uint64_t)it->number;
			kcatch_constants_text(sets[i].set, (uint64_t)it->number, text,
					      sizeof(text));
			snprintf(part, sizeof(part), "|%s", it->name);
			if (strcmp(text, it->name) &&
			    (strlen(text) < strlen(part) ||
			     strcmp(text + strlen(text) - strlen(part), part)))
				fail_msg("%s of %s is shown as %s", it->name, sets[i].name, text);
		}
		/* The longest text has room. */
		assert_true(kcatch_constants_text(sets[i].set, UINT64_MAX, all, sizeof(all)) <
			    sizeof(all) - 1);
		assert_true(kcatch_constants_text(sets[i].set, bits, all, sizeof(all)) <
			    sizeof(all) - 1);
	}
	assert_false(kcatch_constants_find("O_NO_SUCH", &found));
}

/* Against the C library's headers, which the sets of the kernel are not made of. */
static void same_as_libc(void **state)
{
	static const struct kcatch_constant known[] = {
#define N(name) { #name, (int64_t)(name) }
		N(O_CREAT),       N(O_DIRECT),      N(O_DIRECTORY),  N(O_NOFOLLOW),
		N(O_PATH),        N(O_TMPFILE),     N(O_ASYNC),      N(AT_FDCWD),
		N(AT_EMPTY_PATH), N(F_SETLKW),      N(F_GETPIPE_SZ), N(SEEK_DATA),
		N(PROT_EXEC),     N(MAP_FIXED),     N(MAP_HUGETLB),  N(MADV_FREE),
		N(CLONE_NEWUSER), N(CLONE_IO),      N(SIGSYS),       N(SIGSTKFLT),
		N(MS_RELATIME),   N(POLLRDHUP),     N(EPOLLERR),     N(EPOLL_CTL_DEL),
		N(AF_VSOCK),      N(SOCK_NONBLOCK), N(MSG_PEEK),     N(F_OK),
#undef N
	};
	int64_t number;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_true(kcatch_constants_find(known[i].name, &number));
		assert_int_equal(number, known[i].number);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_beside), cmocka_unit_test(ioctl_commands),
		cmocka_unit_test(system_calls),     cmocka_unit_test(functions),
		cmocka_unit_test(members),          cmocka_unit_test(task_states),
		cmocka_unit_test(little_room),      cmocka_unit_test(every_name),
		cmocka_unit_test(same_as_libc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
