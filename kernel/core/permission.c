// SPDX-License-Identifier: GPL-2.0-only
/*
 * The permission to trace. Process context; takes no lock, allocates nothing.
 */
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/security.h>
#include "core/permission.h"
#include "core/robust.h"

int kcatch_may_trace(void)
{
	/* Records hold addresses and memory of the kernel. */
	if (!capable(CAP_SYS_ADMIN) && !(capable(CAP_PERFMON) && capable(CAP_SYSLOG)))
		return -EPERM;
	if (kcatch_robust_is_hurt())
		return -EIO;
	return kcatch_may_read();
}

int kcatch_may_read(void)
{
	return security_locked_down(LOCKDOWN_KPROBES);
}
