/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * namesakes.h - functions of a session that share their name with another one
 *
 * The kernel arms every function of a name. BTF may have the types of one of them alone.
 */
#ifndef LIB_SESSION_NAMESAKES_H
#define LIB_SESSION_NAMESAKES_H

#include <stdint.h>

#include <kcatch_containers.h>

struct kcatch_probe;
struct kcatch_session;

/**
 * struct kcatch_namesakes - zeroed is empty
 * @functions: address of the function of each "module:name", or that there are several
 * @names: memory of the keys
 * @nr: number of the session's probes that are in @functions
 */
struct kcatch_namesakes {
	struct kcatch_table functions;
	struct kcatch_arena names;
	uint32_t nr;
};

/** kcatch_namesakes_deinit - free the memory */
void kcatch_namesakes_deinit(struct kcatch_namesakes *namesakes);

/**
 * kcatch_namesakes_add - note a function
 * @module: its module; NULL: the kernel
 * @name: its name
 * @address: its address
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int kcatch_namesakes_add(struct kcatch_namesakes *namesakes, const char *module, const char *name,
			 uint64_t address);

/** kcatch_namesakes_have - are there several functions of that module and name? Return: 1 or 0 */
int kcatch_namesakes_have(const struct kcatch_namesakes *namesakes, const char *module,
			  const char *name);

/**
 * kcatch_namesakes_of - are several functions of a session called as this probe's is?
 * @session: the session; all its probes get their names
 * @probe: one of its probes, of a function
 *
 * Return: 1 or 0; -ENOMEM or -EIO with an error text.
 */
int kcatch_namesakes_of(struct kcatch_session *session, const struct kcatch_probe *probe);

#endif
