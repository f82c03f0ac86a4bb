/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* suggest.h - the names nearest to a name that does not exist */
#ifndef LIB_BASE_SUGGEST_H
#define LIB_BASE_SUGGEST_H

#include <kcatch_text.h>

/**
 * kcatch_suggest_distance - count the letters to insert, delete, replace or swap with the next
 * @a: a name
 * @a_length: length of @a, bytes
 * @b: another name
 * @b_length: length of @b, bytes
 * @limit: largest distance of interest; a smaller limit is faster
 *
 * Return: the distance; @limit + 1: it exceeds @limit, or a name exceeds
 * KCATCH_SUGGEST_LENGTH.
 */
unsigned int kcatch_suggest_distance(const char *a, size_t a_length,
				     const char *b, size_t b_length, unsigned int limit);

#endif
