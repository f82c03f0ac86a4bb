/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Assertions of a debug build (KCATCH_DEBUG=y for Kbuild), for what no test can provoke. They
 * print, which a hook never does otherwise; in any other build they are nothing.
 */
#ifndef _KCATCH_ASSERT_H
#define _KCATCH_ASSERT_H

#include <linux/bug.h>
#include <linux/build_bug.h>

#ifdef KCATCH_DEBUG
#define kcatch_assert(condition)	WARN_ON_ONCE(!(condition))
#else
#define kcatch_assert(condition)	BUILD_BUG_ON_INVALID(condition)
#endif

#endif
