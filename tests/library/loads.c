// SPDX-License-Identifier: GPL-2.0-or-later
/* loads.c - a program that ignores SIGCHLD loads the module through the library */
#include <signal.h>
#include <stdio.h>

#include <kcatch.h>

int main(void)
{
	int ret;

	signal(SIGCHLD, SIG_IGN);
	ret = kcatch_module_load();
	printf("%d %s\n", ret, ret ? kcatch_error_text() : "");
	return ret != 0;
}
