// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kdump_init - process 1 of a machine that is to die, and of the kernel that looks at it
 * afterwards (tests/kdump): loads what the host's root needs, mounts it read-only, lays
 * its own /test over /tmp/test there, and runs the script in it.
 *
 *	kdump_init load KERNEL INITRD WORDS
 *
 * makes KERNEL the crash kernel, as kexec -p -s does (whose package would also change how
 * the machine it is installed on reboots).
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/kexec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_module(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void mount_or_say(const char *what, const char *where, const char *type,
			 unsigned long flags, const char *options)
{
	if (mount(what, where, type, flags, options))
		perror(where);
}

static int load(const char *kernel, const char *initrd, const char *words)
{
	int kernel_fd = open(kernel, O_RDONLY), initrd_fd = open(initrd, O_RDONLY);

	if (kernel_fd < 0 || initrd_fd < 0 ||
	    syscall(SYS_kexec_file_load, kernel_fd, initrd_fd, strlen(words) + 1, words,
		    KEXEC_FILE_ON_CRASH)) {
		perror("kexec_file_load");
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct dirent **names;
	char path[512];
	int fd, i, nr;

	if (argc == 5)
		return load(argv[2], argv[3], argv[4]);
	mkdir("/dev", 0755);
	mkdir("/host", 0755);
	mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
	fd = open("/dev/ttyS0", O_RDWR | O_NOCTTY);
	dup2(fd, 0);
	dup2(fd, 1);
	dup2(fd, 2);
	nr = scandir("/modules", &names, is_module, alphasort);
	for (i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "/modules/%s", names[i]->d_name);
		fd = open(path, O_RDONLY);
		if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
			perror(path);
		close(fd);
	}
	mount_or_say("kcatch-root", "/host", "9p", MS_RDONLY,
		     "trans=virtio,version=9p2000.L,msize=512000,cache=loose");
	mount_or_say("proc", "/host/proc", "proc", 0, NULL);
	mount_or_say("sysfs", "/host/sys", "sysfs", 0, NULL);
	mount_or_say("tracefs", "/host/sys/kernel/tracing", "tracefs", 0, NULL);
	mount_or_say("/dev", "/host/dev", NULL, MS_BIND, NULL);
	mount_or_say("tmpfs", "/host/tmp", "tmpfs", 0, NULL);
	mount_or_say("tmpfs", "/host/run", "tmpfs", 0, NULL);
	mkdir("/host/tmp/test", 0755);
	mount_or_say("/test", "/host/tmp/test", NULL, MS_BIND, NULL);
	if (chroot("/host") || chdir("/tmp/test"))
		perror("chroot");
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	if (!fork()) {
		execl("/bin/bash", "bash", "./script", (char *)NULL);
		perror("bash");
		_exit(1);
	}
	wait(NULL);
	reboot(RB_AUTOBOOT);
}
