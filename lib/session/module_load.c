/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * module_load.c - loads the kernel module with modprobe
 *
 * modprobe's messages name no remedy, so they are captured and explained.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "base/machine.h"
#include "base/printable.h"
#include "session/module_remedy.h"

static const char *find_modprobe(void)
{
	static const char *const places[] = { "/sbin/modprobe", "/usr/sbin/modprobe",
					      "/bin/modprobe", "/usr/bin/modprobe" };
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!access(places[i], X_OK))
			return places[i];
	}
	return NULL;
}

/* In the child, between fork and exec: async-signal-safe calls only. */
static void become_modprobe(const char *modprobe, int out)
{
	static char *const environment[] = { (char *)"PATH=/usr/sbin:/usr/bin:/sbin:/bin",
					     (char *)"LC_ALL=C", NULL };
	char *const arguments[] = { (char *)"modprobe", (char *)"kcatch", NULL };
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	/* Ignored and blocked signals would go on into modprobe. */
	sigaction(SIGPIPE, &action, NULL);
	sigaction(SIGCHLD, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	execve(modprobe, arguments, environment);
	_exit(127);
}

/*
 * Status of modprobe (as wait() gives it) or -errno; @said is what it printed. If our caller
 * ignores its children there is no status: it failed if it said something.
 */
static int run_modprobe(const char *modprobe, char *said, size_t room)
{
	char waste[256];
	size_t length = 0;
	int ends[2], status;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	child = fork();
	if (child < 0) {
		int error = errno;

		close(ends[0]);
		close(ends[1]);
		return -error;
	}
	if (!child)
		become_modprobe(modprobe, ends[1]);
	close(ends[1]);
	for (;;) {
		bool full = length + 1 >= room;
		ssize_t more = read(ends[0], full ? waste : said + length,
				    full ? sizeof(waste) : room - 1 - length);

		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			break;
		if (!full)
			length += (size_t)more;
	}
	said[length] = '\0';
	close(ends[0]);
	while (waitpid(child, &status, 0) < 0) {
		if (errno == ECHILD)
			return length ? W_EXITCODE(1, 0) : 0;
		if (errno != EINTR)
			return -errno;
	}
	return status;
}

/* The kernel wants a signature that it trusts; @clean: modprobe's words. */
static int explain_signature(const char *clean, const char *lockdown)
{
	char remedy[640];

	kcatch_signing_remedy(remedy, sizeof(remedy), "    ");
	return kcatch_error_set(ENOKEY,
		"the kernel refused the kcatch module: it is not signed with a key that this "
		"machine trusts (%s%s)\n"
		"  to make it trusted:\n%s\n"
		"  modprobe said: %s", *lockdown ? "lockdown: " : "Secure Boot is on",
		lockdown, remedy, clean);
}

static int explain_permission(const char *clean)
{
	char lockdown[32];

	kcatch_machine_lockdown(lockdown, sizeof(lockdown));
	if (lockdown[0] && strcmp(lockdown, "none"))
		return explain_signature(clean, lockdown);
	if (geteuid() == 0)
		return kcatch_error_set(EPERM, "this root may not load modules, as in a container: outside "
					"of it, modprobe kcatch");
	return kcatch_error_set(EPERM, "loading the kcatch module needs root: try sudo");
}

static int explain(const char *said)
{
	char clean[1024], remedy[256];
	struct utsname uts;
	size_t length = strcspn(said, "\n");

	uname(&uts);
	kcatch_text_escape(said, length, clean, sizeof(clean));
	kcatch_module_remedy(remedy, sizeof(remedy));
	if (strstr(said, "not found in directory") || strstr(said, "modules.dep"))
		return kcatch_error_set(ENOENT,
			"the kcatch module is not installed for this kernel (%s)\n"
			"  to build and install it: %s\n"
			"  to try kcatch in a throwaway kernel instead, in its source directory: "
			"make try", uts.release, remedy);
	if (strstr(said, "Key was rejected") || strstr(said, "Required key not available"))
		return explain_signature(clean, "");
	if (strstr(said, "Operation not permitted"))
		return explain_permission(clean);
	if (strstr(said, "Exec format error") || strstr(said, "Invalid module format") ||
	    strstr(said, "Unknown symbol") || strstr(said, "Invalid argument") || strstr(said, "disagrees about version"))
		return kcatch_error_set(ENOEXEC,
			"the installed kcatch module does not fit this kernel (%s): it was built for another "
			"one, or is damaged\n"
			"  to build it again: %s\n"
			"  or a parameter in /etc/modprobe.d is wrong, which the kernel's log says: dmesg | grep kcatch\n"
			"  modprobe said: %s", uts.release, remedy, clean);
	return kcatch_error_set(EIO, "the kcatch module could not be loaded; modprobe said: %s",
				length ? clean : "nothing");
}

int kcatch_module_load(void)
{
	const char *modprobe = find_modprobe();
	char said[4096];
	int status;

	if (!modprobe)
		return kcatch_error_set(ENOENT,
			"the kcatch module is not loaded, and there is no modprobe to load it (package kmod)");
	status = run_modprobe(modprobe, said, sizeof(said));
	if (status < 0)
		return kcatch_error_system(status, "run modprobe");
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return explain(said);
}
