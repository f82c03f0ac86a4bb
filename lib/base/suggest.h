/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* suggest.h - the names nearest to one that does not exist */
#ifndef LIB_BASE_SUGGEST_H
#define LIB_BASE_SUGGEST_H

#include <kcatch_text.h>

/**
 * kcatch_suggest_distance - letters to insert, delete, replace, or swap with the next
 * @a: a name
 * @a_length: its length, at most KCATCH_SUGGEST_LENGTH
 * @b: another
 * @b_length: its length, at most KCATCH_SUGGEST_LENGTH
 * @limit: do not care for more
 *
 * Return: the distance, or @limit + 1 when it is more than @limit.
 */
unsigned int kcatch_suggest_distance(const char *a, size_t a_length,
				     const char *b, size_t b_length, unsigned int limit);

#endif
