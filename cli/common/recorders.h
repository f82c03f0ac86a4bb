/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorders.h - ask recorders that run, for kcatch sessions and kcatch snapshot */
#ifndef CLI_COMMON_RECORDERS_H
#define CLI_COMMON_RECORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control.h"

#define RECORDER_SILENT "does not answer"	/* state of a recorder that did not in time */

/**
 * recorder_question - what a recorder is to do
 * @what: "status", "stop", "snapshot"
 *
 * Return: the question, taken over by recorder_command().
 */
struct json_object *recorder_question(const char *what);

/**
 * recorder_text - a member of an answer
 * recorder_number - the same for a number
 * @object: the answer
 * @name: of the member
 *
 * Return: it; "" and 0 where there is none.
 */
const char *recorder_text(struct json_object *object, const char *name);
uint64_t recorder_number(struct json_object *object, const char *name);

/**
 * recorders_ask - all recorders' answers to "status"; who does not answer has that state,
 *	a name and a process, no more
 * @answers: to be given to recorders_forget()
 * @nr: how many
 *
 * Return: 0 or -errno, it was said.
 */
int recorders_ask(struct json_object ***answers, size_t *nr);

/**
 * recorders_forget - free the answers
 * @answers: of recorders_ask()
 * @nr: how many
 */
void recorders_forget(struct json_object **answers, size_t nr);

/**
 * recorder_find - the recorder of a name or process; without one the only one there is
 * @wanted: the name or process; NULL: none was named
 * @flight: flight recorders only, where none was named
 * @name: room for CONTROL_NAME_MAX + 1 bytes
 *
 * Return: -1 to go on; otherwise exit with this status, all was said.
 */
int recorder_find(const char *wanted, bool flight, char *name);

/**
 * recorder_command - ask, and say what went wrong
 * @name: of the recorder
 * @question: taken over
 * @answer: to be freed with json_object_put()
 *
 * Return: -1 to go on; otherwise exit with this status, all was said.
 */
int recorder_command(const char *name, struct json_object *question, struct json_object **answer);

#endif
