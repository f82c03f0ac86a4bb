/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of functions that are no more: of a module's init part, which the kernel frees
 * (symbols and all) as soon as it has run, and of a module that has gone. Who reads a
 * session's records comes later than that.
 */
#ifndef _KCATCH_NAMES_H
#define _KCATCH_NAMES_H

#include <linux/types.h>

struct kcatch_session;
struct kcatch_symbol;
struct module;

/**
 * kcatch_names_remember() - note the functions of a module
 * @session: whose reader may ask; its lock held
 * @module: coming, with all its symbols
 *
 * Memory: name, 16 bytes a function; of the last 16 modules that came.
 *
 * Context: may sleep. Without memory nothing is noted.
 */
void kcatch_names_remember(struct kcatch_session *session, const struct module *module);

/**
 * kcatch_names_find() - name an address that the kernel has no name for
 * @session: its lock held
 * @symbol: address in; all else is set when it is known
 */
void kcatch_names_find(const struct kcatch_session *session, struct kcatch_symbol *symbol);

/** kcatch_names_forget() - free what was noted; nobody else uses the session */
void kcatch_names_forget(struct kcatch_session *session);

#endif
