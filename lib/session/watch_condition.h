/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* watch_condition.h - turns a condition about a watchpoint's values into one about arguments */
#ifndef LIB_SESSION_WATCH_CONDITION_H
#define LIB_SESSION_WATCH_CONDITION_H

/**
 * kcatch_watch_condition - replace the names `old` and `new` by `arg0` and `arg1`
 * @condition: the condition, any text
 *
 * The module hands the values of a watchpoint over as arguments. Texts and characters in quotes
 * stay as they are.
 *
 * Return: the condition, allocated; NULL: no memory.
 */
char *kcatch_watch_condition(const char *condition);

#endif
