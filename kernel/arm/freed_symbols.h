/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of functions that may be freed: those of a module's init part, which the kernel frees
 * with its symbols as soon as it has run, and those of a module that is unloaded. A reader of the
 * session's records needs the names afterwards, when something else may be at their addresses.
 */
#ifndef _KCATCH_FREED_SYMBOLS_H
#define _KCATCH_FREED_SYMBOLS_H

#include <linux/types.h>

struct kcatch_session;
struct kcatch_symbol;
struct module;

/**
 * kcatch_names_remember() - copy the symbols of a module's functions
 * @session: session that keeps them
 * @module: a loaded module, or one that is being loaded, before its init runs
 * @since: time on the session's clock before which none of its functions was hit; 0: the module
 *	was there when it was asked for, since it is not known when
 *
 * Memory: 16 bytes and the name for each function, for the last 16 modules, and about 200 bytes for
 * the last 1024; charged to the memory limit. Without memory nothing is copied. What is remembered
 * of @module already stays.
 *
 * Context: may sleep; session->lock held.
 */
void kcatch_names_remember(struct kcatch_session *session, const struct module *module, u64 since);

/**
 * kcatch_names_freed() - functions of a module are about to be freed
 * @session: session that may keep their symbols
 * @module: the module: no probe is left in what is freed
 * @init: its init part alone
 *
 * Context: may sleep; session->lock held.
 */
void kcatch_names_freed(struct kcatch_session *session, const struct module *module, bool init);

/**
 * kcatch_names_find() - find the symbol of an address for which the kernel has none
 * @session: session that keeps the symbols
 * @symbol: in: address; out: if the symbol is found, the other fields
 *
 * If two modules had a function at the address, the one loaded last is taken.
 *
 * Context: session->lock held.
 */
void kcatch_names_find(const struct kcatch_session *session, struct kcatch_symbol *symbol);

/**
 * kcatch_names_find_then() - find the symbol that an address had at some time
 * @session: session that keeps the symbols
 * @symbol: as in kcatch_names_find()
 * @time: the time, on the session's clock
 *
 * Context: session->lock held. Return: whether it was found
 */
bool kcatch_names_find_then(const struct kcatch_session *session, struct kcatch_symbol *symbol,
			    u64 time);

/**
 * kcatch_names_came_later() - is what the kernel has at an address younger than a record?
 * @session: session that keeps the symbols
 * @symbol: the kernel's symbol, of a module
 * @time: time of the record, on the session's clock
 *
 * Context: session->lock held. Return: true, also where a module was whose names are not kept any
 * more
 */
bool kcatch_names_came_later(const struct kcatch_session *session,
			     const struct kcatch_symbol *symbol, u64 time);

/** kcatch_names_forget() - free the symbols of a session that nobody else uses. Context: may
 * sleep */
void kcatch_names_forget(struct kcatch_session *session);

#endif
