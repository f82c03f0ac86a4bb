/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* origin.h - internals of where records were made */
#ifndef LIB_SESSION_ORIGIN_H
#define LIB_SESSION_ORIGIN_H

#include <stddef.h>

#include <kcatch.h>

#define KCATCH_ORIGIN_NUMBER 33		/* bytes of a session's number as text */

/**
 * struct kcatch_own_origin - the texts of an origin
 * @shown: what the caller gets; points to the others
 * @host: name of the machine
 * @release: release of the kernel
 * @boot: boot id
 * @session: number of the session
 */
struct kcatch_own_origin {
	struct kcatch_origin shown;
	char host[256], release[256];
	char boot[64], session[64];
};

/**
 * kcatch_origin_number - make a number that no other session has
 * @text: receives KCATCH_ORIGIN_NUMBER bytes: 32 hexadecimal digits, random
 *
 * Return: 0 or -errno.
 */
int kcatch_origin_number(char *text);

/**
 * kcatch_origin_boot - read the id of this boot
 * @text: receives it, without a newline; "": unknown
 * @room: size of @text, bytes
 */
void kcatch_origin_boot(char *text, size_t room);

/**
 * kcatch_origin_set - set the origin of a recording
 * @session: the session
 * @host: name of the machine; NULL, as with all of these: unknown
 * @release: release of the kernel
 * @boot: boot id
 * @number: number of the session
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_origin_set(struct kcatch_session *session, const char *host, const char *release,
		      const char *boot, const char *number);

#endif
