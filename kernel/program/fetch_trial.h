/* SPDX-License-Identifier: GPL-2.0-only */
/* The trial of the quick ways to fetch, when the module is loaded. */
#ifndef _KCATCH_FETCH_TRIAL_H
#define _KCATCH_FETCH_TRIAL_H

#include <linux/types.h>

/**
 * kcatch_fetch_try() - try whether the quick ways to fetch give what the full one gives
 *
 * Context: may sleep; while the module is loaded, once. Return: true; false: they may not be used
 */
bool kcatch_fetch_try(void);

#endif
