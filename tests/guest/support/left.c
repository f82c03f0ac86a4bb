// SPDX-License-Identifier: GPL-2.0-or-later
/* left.c - what is left when sessions have gone; see guest.h */
#include "guest.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOOKED "/sys/kernel/tracing/enabled_functions"
#define KPROBES "/sys/kernel/debug/kprobes/list"

int module_memory(void)
{
	return lines_with("/proc/vmallocinfo", "[kcatch]");
}

/* The kernel's own dispatchers are no hooks. */
static int hooked(void)
{
	return lines_with(HOOKED, "") - lines_with(HOOKED, "bpf_dispatcher");
}

void check_nothing_left(int before)
{
	int status, i;

	for (i = 0; i < 3000 && (hooked() || lines_with(KPROBES, "")); i++)
		usleep(100000);
	check_equal(hooked(), 0, "afterwards no function is hooked");
	check_equal(lines_with(KPROBES, ""), 0, "afterwards no kprobe is armed");
	status = system("kcatch stuck >/dev/null");
	check(WIFEXITED(status) && WEXITSTATUS(status) != 1, "afterwards kcatch stuck works");
	check(!system("rmmod kcatch && insmod \"$KCATCH_MODULE\" $KT_PARAMETERS"),
	      "afterwards the module can be unloaded and loaded");
	check_equal(module_memory(), before, "afterwards it holds no more memory");
}
