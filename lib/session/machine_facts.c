/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * machine_facts.c - collects whether this machine can be traced, for `kcatch check`
 *
 * Reads small files only and changes nothing. A fact that cannot be read is "unknown", not a
 * failure.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <uapi/kcatch.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "base/machine.h"
#include "base/printable.h"
#include "session/module_remedy.h"
#include "symbols/module_file.h"
#include "types/types.h"

/* First byte after four of attributes: 1 when Secure Boot is on. */
#define SECURE_BOOT_FILE \
	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

/* Capabilities in a user namespace of its own are for that namespace. */
static bool in_other_users(void)
{
	char text[64];
	unsigned int inside, outside, nr;

	return kcatch_text_read_file("/proc/self/uid_map", text, sizeof(text)) > 0 &&
	       sscanf(text, "%u %u %u", &inside, &outside, &nr) == 3 &&
	       (inside || outside || nr != UINT32_MAX);
}

/* The effective ones, as bits. */
static uint64_t capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (in_other_users() || syscall(SYS_capget, &header, data))
		return 0;
	return (uint64_t)data[1].effective << 32 | data[0].effective;
}

static bool can_trace(void)
{
	uint64_t effective = capabilities();

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
	struct kcatch_types *types;
	const char *tracefs = kcatch_machine_tracefs();
	struct utsname uts;

	*out = NULL;
	if (!machine)
		return kcatch_error_memory();
	if (!uname(&uts))
		snprintf(machine->release, sizeof(machine->release), "%s", uts.release);
	machine->is_root = geteuid() == 0;
	machine->can_trace = can_trace();
	machine->can_load = machine->is_root && capabilities() >> CAP_SYS_MODULE & 1;
	machine->module_loaded = kcatch_machine_module_loaded("kcatch") ||
				 !access(KCATCH_DEVICE, F_OK);
	kcatch_module_file_installed("kcatch", machine->module_file, sizeof(machine->module_file));
	snprintf(machine->headers, sizeof(machine->headers), "/lib/modules/%s/build",
		 machine->release);
	if (access(machine->headers, F_OK))
		machine->headers[0] = '\0';
	machine->secure_boot = read_secure_boot();
	kcatch_machine_lockdown(machine->lockdown, sizeof(machine->lockdown));
	machine->shares_numbers = kcatch_machine_shares_numbers();
	machine->kptr_restrict = kcatch_machine_number("/proc/sys/kernel/kptr_restrict");
	machine->ftrace_enabled = kcatch_machine_number("/proc/sys/kernel/ftrace_enabled");
	machine->kprobes_enabled = kcatch_machine_kprobes();
	snprintf(machine->tracefs, sizeof(machine->tracefs), "%s", tracefs ? tracefs : "");
	machine->btf = !access("/sys/kernel/btf/vmlinux", R_OK);
	if (machine->btf && !kcatch_types_open(&types)) {
		machine->btf_unknown = kcatch_types_unknown(types, &machine->btf_ends);
		kcatch_types_close(types);
	}
	machine->has_kprobe_blacklist = !access("/sys/kernel/debug/kprobes/blacklist", R_OK);
	if (kcatch_text_read_file("/sys/module/kcatch/version", machine->module_version,
				  sizeof(machine->module_version)) < 0)
		machine->module_version[0] = '\0';
	kcatch_module_remedy(machine->module_remedy, sizeof(machine->module_remedy));
	kcatch_signing_remedy(machine->signing_remedy, sizeof(machine->signing_remedy), "");
	*out = machine;
	return 0;
}

void kcatch_machine_destroy(const struct kcatch_machine *machine)
{
	free((void *)machine);
}
