/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* arch.c - the machines that are known */
#include "arch/arch.h"

#include <string.h>

#include <kcatch_text.h>

static const struct kcatch_arch *const machines[] = { &kcatch_arch_x86, &kcatch_arch_arm64 };

const struct kcatch_arch *kcatch_arch_running(void)
{
#if defined(__x86_64__)
	return &kcatch_arch_x86;
#elif defined(__aarch64__)
	return &kcatch_arch_arm64;
#else
#error "lib/arch/ does not know this machine"
#endif
}

const struct kcatch_arch *kcatch_arch_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (!strcmp(machines[i]->name, name))
			return machines[i];
	return NULL;
}

const char *kcatch_plain_syscall(const char *function)
{
	size_t i, length;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		length = strlen(machines[i]->syscall.function);
		if (!strncmp(function, machines[i]->syscall.function, length))
			return function + length - strlen("sys_");
	}
	return function;
}
