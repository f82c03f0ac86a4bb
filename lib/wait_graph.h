/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* wait_graph.h - who waits for whom, and the circles in that */
#ifndef LIB_WAIT_GRAPH_H
#define LIB_WAIT_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#define KCATCH_WAITS_FOR_NONE UINT32_MAX

/**
 * kcatch_wait_graph_circles - find every circle
 * @next: of each node the one that it waits for, or KCATCH_WAITS_FOR_NONE; numbers that are
 *	no node are none
 * @nr: nodes
 * @circle: out, @nr of them: the number of the circle that the node is in, from 1; 0: none
 *	(it may wait for one that is)
 *
 * Each node waits for one at most, so circles never touch each other.
 *
 * Return: how many circles.
 */
uint32_t kcatch_wait_graph_circles(const uint32_t *next, size_t nr, uint32_t *circle);

#endif
