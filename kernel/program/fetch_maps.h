/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads which files the current process has mapped as code: a stack of addresses means nothing
 * without them, and the process may end before anybody else can look.
 */
#ifndef _KCATCH_FETCH_MAPS_H
#define _KCATCH_FETCH_MAPS_H

#include <uapi/kcatch.h>

/**
 * kcatch_fetch_maps() - the mappings of the current task's process
 * @maps: result
 * @room: its bytes, at least those of its head
 *
 * It waits for nobody: while the process changes its mappings there are none. Holds the process's
 * lock for reading meanwhile, for a few microseconds.
 *
 * Context: any, inside a hook, of a task that has memory. Return: whether they could be read
 */
bool kcatch_fetch_maps(struct kcatch_user_maps *maps, u32 room);

/** kcatch_fetch_maps_init() - once, before the first hook. Context: any */
void kcatch_fetch_maps_init(void);

/** kcatch_fetch_maps_exit() - wait until no process's lock is held any more. Context: may sleep; no
 * hook runs any more */
void kcatch_fetch_maps_exit(void);

#endif
