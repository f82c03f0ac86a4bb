/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of modules that are not loaded: groups wait for them, and they are armed when
 * the module is loaded, before its init runs.
 *
 * Lock order: the list of waiting sessions (here), session->lock, kcatch_sites_lock. The
 * first is held while the functions of a module are armed. Therefore ADD, which may take
 * long, resolves names before it takes session->lock, and nothing waits for user memory
 * under that lock.
 */
#ifndef _KCATCH_PENDING_H
#define _KCATCH_PENDING_H

#include <linux/types.h>

struct kcatch_group;
struct kcatch_pending;
struct kcatch_program_code;
struct kcatch_session;
struct kcatch_symbol;
struct kcatch_want;
struct module;

/**
 * kcatch_pending_watch() - search this session whenever a module is loaded
 * @session: before its first ADD with such a target is resolved; more than once is fine
 *
 * Context: may sleep, session->lock not held. Return: kcatch_pending_arrivals() now
 */
u32 kcatch_pending_watch(struct kcatch_session *session);

/** kcatch_pending_arrivals() - changes before a module that came looks into sessions */
u32 kcatch_pending_arrivals(void);

/**
 * kcatch_pending_unwatch() - stop searching the session when modules are loaded
 * @session: about to go
 *
 * Context: may sleep, no lock held.
 */
void kcatch_pending_unwatch(struct kcatch_session *session);

/**
 * kcatch_pending_create() - copy the targets that a group waits for
 * @wants: targets of an ADD; those with @pending set are copied
 * @nr: number of @wants
 * @pending: result; NULL when no target is pending
 *
 * Return: 0 or -ENOMEM
 */
int kcatch_pending_create(const struct kcatch_want *wants, u32 nr,
			  struct kcatch_pending **pending);
void kcatch_pending_destroy(struct kcatch_pending *pending);

/**
 * kcatch_pending_bind() - bind a program to functions that are pending
 * @group: group that waits; session->lock held
 * @name: [module:]symbol, or a target's very text
 * @code: the program; NULL: none. It stays as long as the session
 *
 * Return: 0; -EINVAL it does not wait, or the program looks at a return that the group
 * does not hook; -E2BIG the records would be too large; -ENOMEM
 */
int kcatch_pending_bind(struct kcatch_group *group, const char *name,
			const struct kcatch_program_code *code);

/**
 * kcatch_pending_each_program() - the programs given so far
 * @pending: NULL: none
 * @each: called for each of them, not NULL
 */
void kcatch_pending_each_program(const struct kcatch_pending *pending,
				 void (*each)(const struct kcatch_program_code *code, void *data),
				 void *data);

/**
 * kcatch_pending_start() - give programs to functions that came while it was stopped
 * @session: about to run; session->lock held
 *
 * They may have come before BIND had said which.
 *
 * Return: 0; -ENOMEM: not all have theirs, it must not start
 */
int kcatch_pending_start(struct kcatch_session *session);

/**
 * kcatch_pending_module_coming() - arm the targets that wait for a module
 * @module: ftrace and kprobes know its functions, none has run
 *
 * Context: module notifier, may sleep, no lock of ours held.
 */
void kcatch_pending_module_coming(struct module *module);

/**
 * kcatch_pending_module_freed() - note when functions of a module are freed
 * @module: the module: no probe is left in what is freed
 * @init: its init part alone
 *
 * Context: module notifier, may sleep, no lock of ours held.
 */
void kcatch_pending_module_freed(const struct module *module, bool init);

/** kcatch_pending_init() - before a module is noted. Context: while kcatch is loaded */
void kcatch_pending_init(void);

/**
 * kcatch_pending_remember() - copy the names in modules that are waited for and are loaded already
 * @session: session that keeps them; its lock held
 * @pending: what a new group waits for, or NULL
 *
 * Context: may sleep.
 */
void kcatch_pending_remember(struct kcatch_session *session, const struct kcatch_pending *pending);

#endif
