/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of functions that may be freed: those of a module's init part, which the kernel frees
 * with its symbols as soon as it has run, and those of a module that is unloaded. A reader of the
 * session's records needs the names afterwards.
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
 * @module: module that is being loaded, before its init runs
 *
 * Memory: 16 bytes and the name for each function, for the last 16 modules; charged to the
 * memory limit. Without memory nothing is copied.
 *
 * Context: may sleep; session->lock held.
 */
void kcatch_names_remember(struct kcatch_session *session, const struct module *module);

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

/** kcatch_names_forget() - free the symbols of a session that nobody else uses. Context: may
 * sleep */
void kcatch_names_forget(struct kcatch_session *session);

#endif
