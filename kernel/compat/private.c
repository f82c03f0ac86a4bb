// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols of the kernel that may be missing; private.h. The parameter is read-only.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include "compat/private.h"

MODULE_INFO(private, KCATCH_PRIVATE_NAMES);

static const char names[] = KCATCH_PRIVATE_NAMES;

static char *without[32];
static unsigned int nr_without;
module_param_array(without, charp, &nr_without, 0400);
MODULE_PARM_DESC(without, "for tests: as if the kernel had no such symbol, of those that modinfo -F private tells");

static bool is_private(const char *name)
{
	size_t length = strlen(name);
	const char *at = names;

	for (; (at = strstr(at, name)); at += length)
		if ((at == names || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

int kcatch_private_init(void)
{
	unsigned int i;

	for (i = 0; i < nr_without; i++) {
		if (*without[i] && is_private(without[i]))
			continue;
		pr_err("kcatch: without: kcatch looks for no symbol called '%s'\n", without[i]);
		return -EINVAL;
	}
	return 0;
}

bool kcatch_private_wanted(const char *name)
{
	unsigned int i;

	WARN_ON_ONCE(!is_private(name));
	for (i = 0; i < nr_without; i++)
		if (!strcmp(without[i], name))
			return false;
	return true;
}
