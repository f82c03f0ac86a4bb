/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * machine.c - facts about this machine, read from procfs, sysfs, debugfs and tracefs
 *
 * Reads files and changes nothing. A fact that cannot be read is "unknown", not an error.
 */
#include <errno.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "base/machine.h"
#include "base/printable.h"

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

const char *kcatch_machine_hidden_text(void)
{
	return kcatch_machine_hides_addresses() ?
	       "(kernel.kptr_restrict is 2); show them to root: sysctl kernel.kptr_restrict=1" :
	       "from you: that takes root's rights (CAP_SYSLOG)";
}

/* As the kernel calls it: coming, live or going; "" if there is no such module. */
static void read_module_state(const char *name, char *state, size_t size)
{
	char path[128];
	FILE *file;

	state[0] = '\0';
	if (strchr(name, '/') || name[0] == '.')
		return;
	snprintf(path, sizeof(path), "/sys/module/%s/initstate", name);
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(state, (int)size, file))
		state[0] = '\0';
	fclose(file);
	state[strcspn(state, "\n")] = '\0';
}

bool kcatch_machine_module_loaded(const char *name)
{
	char state[16];

	read_module_state(name, state, sizeof(state));
	return state[0] && strcmp(state, "going") != 0;
}

bool kcatch_machine_module_ready(const char *name)
{
	char state[16];

	read_module_state(name, state, sizeof(state));
	return !strcmp(state, "live");
}

bool kcatch_machine_shares_numbers(void)
{
	static const char first[] = "pid:[4026531836]";	/* PROC_PID_INIT_INO of the kernel */
	static int answer;	/* 1: no, 2: yes; atomic */
	char space[64];

	if (!__atomic_load_n(&answer, __ATOMIC_RELAXED)) {
		ssize_t length = readlink("/proc/self/ns/pid", space, sizeof(space));
		bool same = length == sizeof(first) - 1 && !memcmp(space, first, sizeof(first) - 1);

		__atomic_store_n(&answer, 1 + same, __ATOMIC_RELAXED);
	}
	return __atomic_load_n(&answer, __ATOMIC_RELAXED) == 2;
}

bool kcatch_machine_module_goes(const char *name)
{
	char state[16];

	read_module_state(name, state, sizeof(state));
	return !strcmp(state, "going");
}

int kcatch_machine_open_tracefs(const char *name, const char *knows, FILE **file)
{
	const char *tracefs = kcatch_machine_tracefs();
	char path[96];

	if (!tracefs)
		return kcatch_error_set(ENODEV, "tracefs, which lists %s, is not mounted; mount "
					"it: mount -t tracefs nodev /sys/kernel/tracing", knows);
	snprintf(path, sizeof(path), "%s/%s", tracefs, name);
	*file = fopen(path, "re");
	if (!*file)
		return errno == EACCES || errno == EPERM ?
			       kcatch_error_set(
				       EACCES,
				       "%s: only root may read what can be traced: try sudo",
				       path) :
			       kcatch_error_system(errno, path);
	setvbuf(*file, NULL, _IOFBF, 65536);
	return 0;
}
