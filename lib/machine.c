/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * machine.c - facts about this machine
 *
 * Reads small files only, never changes anything. A fact that cannot be had is
 * "unknown", not a failure.
 */
#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <uapi/kcatch.h>

#include "error.h"
#include "kcatch.h"
#include "machine.h"
#include "module_file.h"
#include "text.h"

/* First byte after four of attributes: 1 when Secure Boot is on. */
#define SECURE_BOOT_FILE \
	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

void kcatch_machine_lockdown(char *level, size_t room)
{
	char text[128], *open_bracket, *close_bracket;

	level[0] = '\0';
	/* "none [integrity] confidentiality" */
	if (kcatch_text_read_file("/sys/kernel/security/lockdown", text, sizeof(text)) < 0)
		return;
	open_bracket = strchr(text, '[');
	close_bracket = open_bracket ? strchr(open_bracket, ']') : NULL;
	if (!close_bracket)
		return;
	*close_bracket = '\0';
	snprintf(level, room, "%s", open_bracket + 1);
}

const char *kcatch_machine_tracefs(void)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	struct statfs fs;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!statfs(places[i], &fs) && fs.f_type == TRACEFS_MAGIC)
			return places[i];
	}
	return NULL;
}

int kcatch_machine_number(const char *path)
{
	uint64_t value;
	char text[32];
	int length = kcatch_text_read_file(path, text, sizeof(text));

	if (length <= 0 || !kcatch_text_number(text, (size_t)length, &value) || value > INT32_MAX)
		return -1;
	return (int)value;
}

int kcatch_machine_kprobes(void)
{
	return kcatch_machine_number("/sys/kernel/debug/kprobes/enabled");
}

bool kcatch_machine_hides_addresses(void)
{
	return kcatch_machine_number("/proc/sys/kernel/kptr_restrict") == 2;
}

bool kcatch_machine_find_module(const char *name, char *path, size_t room)
{
	char file[PATH_MAX / 2];
	struct utsname uts;
	int length;

	path[0] = '\0';
	if (uname(&uts) || !kcatch_module_file(uts.release, name, file, sizeof(file)))
		return false;
	length = file[0] == '/' ? snprintf(path, room, "%s", file) :
				  snprintf(path, room, "/lib/modules/%s/%s", uts.release, file);
	/* The list is made by depmod; the file may have gone since. */
	if ((size_t)length >= room || access(path, F_OK))
		path[0] = '\0';
	return path[0];
}

bool kcatch_machine_module_loaded(const char *name)
{
	char path[128];

	if (strchr(name, '/') || name[0] == '.')
		return false;
	snprintf(path, sizeof(path), "/sys/module/%s/initstate", name);
	return !access(path, F_OK);
}

/* Capabilities in a user namespace of its own are for that namespace. */
static bool in_other_users(void)
{
	char text[64];
	unsigned int inside, outside, nr;

	return kcatch_text_read_file("/proc/self/uid_map", text, sizeof(text)) > 0 &&
	       sscanf(text, "%u %u %u", &inside, &outside, &nr) == 3 &&
	       (inside || outside || nr != UINT32_MAX);
}

static bool has_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	uint64_t effective;

	if (in_other_users() || syscall(SYS_capget, &header, data))
		return false;
	effective = (uint64_t)data[1].effective << 32 | data[0].effective;
	if (effective >> CAP_SYS_ADMIN & 1)
		return true;
	return (effective >> 38 & 1) /* CAP_PERFMON */ && (effective >> CAP_SYSLOG & 1);
}

static enum kcatch_tristate read_secure_boot(void)
{
	char data[8];
	int length;

	if (access("/sys/firmware/efi", F_OK))
		return KCATCH_NO;	/* booted without EFI: nothing checks signatures */
	length = kcatch_text_read_file(SECURE_BOOT_FILE, data, sizeof(data));
	/* A last byte of 0x0a would be taken for a newline, but it is 0 or 1. */
	if (length < 5)
		return length == -ENOENT ? KCATCH_NO : KCATCH_UNKNOWN;
	return data[4] == 1 ? KCATCH_YES : KCATCH_NO;
}

int kcatch_machine_create(const struct kcatch_machine **out)
{
	struct kcatch_machine *machine = calloc(1, sizeof(*machine));
	const char *tracefs = kcatch_machine_tracefs();
	struct utsname uts;

	*out = NULL;
	if (!machine)
		return kcatch_error_memory();
	if (!uname(&uts))
		snprintf(machine->release, sizeof(machine->release), "%s", uts.release);
	machine->is_root = geteuid() == 0;
	machine->can_trace = has_capabilities();
	machine->module_loaded = kcatch_machine_module_loaded("kcatch") ||
				 !access(KCATCH_DEVICE, F_OK);
	kcatch_machine_find_module("kcatch", machine->module_file, sizeof(machine->module_file));
	snprintf(machine->headers, sizeof(machine->headers), "/lib/modules/%s/build",
		 machine->release);
	if (access(machine->headers, F_OK))
		machine->headers[0] = '\0';
	machine->secure_boot = read_secure_boot();
	kcatch_machine_lockdown(machine->lockdown, sizeof(machine->lockdown));
	machine->kptr_restrict = kcatch_machine_number("/proc/sys/kernel/kptr_restrict");
	machine->ftrace_enabled = kcatch_machine_number("/proc/sys/kernel/ftrace_enabled");
	machine->kprobes_enabled = kcatch_machine_kprobes();
	snprintf(machine->tracefs, sizeof(machine->tracefs), "%s", tracefs ? tracefs : "");
	machine->btf = !access("/sys/kernel/btf/vmlinux", R_OK);
	machine->has_kprobe_blacklist = !access("/sys/kernel/debug/kprobes/blacklist", R_OK);
	*out = machine;
	return 0;
}

void kcatch_machine_destroy(const struct kcatch_machine *machine)
{
	free((void *)machine);
}

int kcatch_machine_open_tracefs(const char *name, const char *knows, FILE **file)
{
	const char *tracefs = kcatch_machine_tracefs();
	char path[96];

	if (!tracefs)
		return kcatch_error_set(ENODEV, "tracefs is not mounted, it knows %s; mount it: "
					"mount -t tracefs nodev /sys/kernel/tracing", knows);
	snprintf(path, sizeof(path), "%s/%s", tracefs, name);
	*file = fopen(path, "re");
	if (!*file)
		return errno == EACCES || errno == EPERM ?
		       kcatch_error_set(EACCES, "%s: only root may read what can be traced: try sudo", path) :
		       kcatch_error_system(errno, path);
	setvbuf(*file, NULL, _IOFBF, 65536);
	return 0;
}
