/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of freed functions: those of a module's init part, which the kernel frees with its
 * symbols as soon as it has run, and those of an unloaded module. Readers of a session's
 * records need the names later than that.
 */
#ifndef _KCATCH_FREED_SYMBOLS_H
#define _KCATCH_FREED_SYMBOLS_H

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
