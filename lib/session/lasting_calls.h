/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* lasting_calls.h - calls of a live session that have not returned */
#ifndef LIB_SESSION_LASTING_CALLS_H
#define LIB_SESSION_LASTING_CALLS_H

struct kcatch_lasting_calls;

/** kcatch_lasting_calls_destroy - free what kcatch_session_lasting() found. @calls: may be NULL */
void kcatch_lasting_calls_destroy(struct kcatch_lasting_calls *calls);

#endif
