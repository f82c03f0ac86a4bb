/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* stuck_reason.h - what the functions on a blocked thread's stack say it waits for */
#ifndef LIB_STUCK_REASON_H
#define LIB_STUCK_REASON_H

/**
 * kcatch_stuck_reason - what a thread with this function near the top waits for
 * @function: of its kernel stack
 *
 * Return: in words, to follow "waits for"; NULL: the function says nothing.
 */
const char *kcatch_stuck_reason(const char *function);

#endif
