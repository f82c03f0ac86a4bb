/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* deadlock.h - finds deadlocks: circles of threads that wait for each other */
#ifndef LIB_STUCK_DEADLOCK_H
#define LIB_STUCK_DEADLOCK_H

#include <stddef.h>
#include <stdint.h>

#include <kcatch_stuck.h>

/**
 * kcatch_deadlock_circles - find every circle in a wait-for graph
 * @next: by node, the node that it waits for, or KCATCH_WAITS_FOR_NONE; values of @nr and above
 *	count as none
 * @nr: number of nodes
 * @circle: out, @nr entries: by node, the number of its circle, from 1; 0: the node is in no
 *	circle (but may wait for a node that is)
 *
 * Each node waits for at most one other node, so no two circles share a node.
 *
 * Return: number of circles.
 */
uint32_t kcatch_deadlock_circles(const uint32_t *next, size_t nr, uint32_t *circle);

#endif
