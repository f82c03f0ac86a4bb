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
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	execve(modprobe, arguments, environment);
	_exit(127);
}

/* Status of modprobe (as wait() gives it) or -errno; @said is what it printed. */
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
		if (errno != EINTR)
			return -errno;
	}
	return status;
}

static int explain(const char *said)
{
	char clean[1024], lockdown[32];
	struct utsname uts;
	size_t length = strcspn(said, "\n");

	uname(&uts);
	kcatch_text_escape(said, length, clean, sizeof(clean));
	if (strstr(said, "not found in directory") || strstr(said, "modules.dep"))
		return kcatch_error_set(ENOENT,
			"the kcatch module is not installed for this kernel (%s)\n"
			"  to build and install it, in kcatch's source directory: make install\n"
			"  to try kcatch in a throwaway kernel instead: make try", uts.release);
	if (strstr(said, "Key was rejected") || strstr(said, "Required key not available"))
		return kcatch_error_set(ENOKEY,
			"the kernel refused the kcatch module: it is not signed with a key that this "
			"machine trusts (Secure Boot is on)\n"
			"  sign it with a Machine Owner Key (MOK), once:\n"
			"    openssl req -new -x509 -newkey rsa:2048 -nodes -days 3650 -outform DER "
			"-subj '/CN=kcatch module key/' -keyout mok.key -out mok.der\n"
			"    mokutil --import mok.der      (then reboot, choose \"Enroll MOK\")\n"
			"  then, after each build:\n"
			"    /lib/modules/$(uname -r)/build/scripts/sign-file sha256 mok.key mok.der "
			"$(modinfo -n kcatch)\n"
			"  modprobe said: %s", clean);
	if (strstr(said, "Operation not permitted")) {
		kcatch_machine_lockdown(lockdown, sizeof(lockdown));
		if (lockdown[0] && strcmp(lockdown, "none"))
			return kcatch_error_set(EPERM,
				"the kernel is locked down (%s) and loads only signed modules: "
				"see Secure Boot in kcatch check", lockdown);
		return kcatch_error_set(EPERM, "loading the kcatch module needs root: try sudo");
	}
	if (strstr(said, "Exec format error") || strstr(said, "Invalid module format") ||
	    strstr(said, "Unknown symbol") || strstr(said, "Invalid argument") || strstr(said, "disagrees about version"))
		return kcatch_error_set(ENOEXEC,
			"the installed kcatch module does not fit this kernel (%s): it was built for another "
			"one, or is damaged\n"
			"  build it again, in kcatch's source directory: make install\n"
			"  modprobe said: %s", uts.release, clean);
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
