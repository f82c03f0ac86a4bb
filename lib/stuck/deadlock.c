/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* deadlock.c - circles in the wait-for graph, in which each thread waits for at most one other */
#include "stuck/deadlock.h"

#include <string.h>

/* A way that is being gone; below it are the numbers of circles. */
#define WAY (1U << 31)

uint32_t kcatch_deadlock_circles(const uint32_t *next, size_t nr, uint32_t *circle)
{
	uint32_t circles = 0;
	size_t start, at;

	memset(circle, 0, nr * sizeof(*circle));
	/* Every node is walked over twice: once marked with the way that came by first. */
	for (start = 0; start < nr; start++) {
		for (at = start; at < nr && !circle[at]; at = next[at])
			circle[at] = WAY | (uint32_t)start;
		if (at < nr && circle[at] == (WAY | (uint32_t)start)) {
			size_t first = at;

			circles++;
			do {
				circle[at] = circles;
				at = next[at];
			} while (at != first);
		}
	}
	for (at = 0; at < nr; at++) {
		if (circle[at] & WAY)
			circle[at] = 0;
	}
	return circles;
}
