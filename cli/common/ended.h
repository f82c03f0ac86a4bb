/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ended.h - recorders that have ended, for kcatch sessions
 *
 * Who comes to look for a flight recorder that has written its records finds no socket any more. So
 * each one that ends leaves a line of JSON in /run/kcatch/.ended, for a day.
 */
#ifndef CLI_COMMON_ENDED_H
#define CLI_COMMON_ENDED_H

#include <stddef.h>

#include <json-c/json.h>

/**
 * ended_note - note that a recorder has ended
 * @object: its status, as kcatch sessions shows it, with the time of the end as "ended"; released
 *	here
 *
 * It is a help, and no promise: without the directory, on a full disk, or if somebody else owns the
 * file, nothing is noted and nothing is said.
 */
void ended_note(struct json_object *object);

/**
 * ended_list - list the recorders that have ended in the last day, the latest one last
 * @objects: set to the objects, to be released with ended_forget()
 * @nr: set to their number
 */
void ended_list(struct json_object ***objects, size_t *nr);

/**
 * ended_forget - free the objects of ended_list()
 * @objects: the objects
 * @nr: their number
 */
void ended_forget(struct json_object **objects, size_t nr);

#endif
