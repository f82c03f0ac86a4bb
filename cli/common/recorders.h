/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorders.h - find and ask running recorders, for kcatch sessions and kcatch snapshot */
#ifndef CLI_COMMON_RECORDERS_H
#define CLI_COMMON_RECORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control.h"

#define RECORDER_SILENT "does not answer"	/* state of a recorder without an answer in time */
#define RECORDER_WRITING "writing for"	/* so begins the state of one that waits for its disk */
#define RECORDER_UNWRITTEN "not written"	/* the records are kept until they can be written */
#define RECORDER_ENDED "ended"	/* what it had is written, or given up with a reason */

/**
 * recorder_question - make a question for a recorder
 * @what: "status", "stop" or "snapshot"
 *
 * Return: the question, to be given to recorder_command(), which releases it.
 */
struct json_object *recorder_question(const char *what);

/**
 * recorder_text - read a text member of an answer
 * @object: the answer
 * @name: the member's name
 *
 * Return: the text, valid as long as @object; "" if there is none.
 */
const char *recorder_text(struct json_object *object, const char *name);

/**
 * recorder_number - read a number member of an answer
 * @object: the answer
 * @name: the member's name
 *
 * Return: the number; 0 if there is none.
 */
uint64_t recorder_number(struct json_object *object, const char *name);

/**
 * recorders_ask - ask all recorders for their status
 * @answers: set to the answers in the order of the recorders' names, to be released with
 *	recorders_forget(). A recorder that does not answer has only a name, a pid and the
 *	state RECORDER_SILENT
 * @nr: set to the number of answers
 *
 * Asks one after the other and waits up to CONTROL_STATUS_MS for each.
 *
 * Return: 0; -ENOMEM; another -errno after a message.
 */
int recorders_ask(struct json_object ***answers, size_t *nr);

/**
 * recorders_forget - free the answers of recorders_ask()
 * @answers: the answers
 * @nr: number of answers
 */
void recorders_forget(struct json_object **answers, size_t nr);

/**
 * recorder_find - find a recorder by name or process number
 * @wanted: the name or number; NULL: the only recorder that runs
 * @flight: with @wanted NULL, look for flight recorders only
 * @name: set to the recorder's name; CONTROL_NAME_MAX + 1 bytes
 *
 * Return: -1 to continue; otherwise the exit status after a message: STATUS_NOTHING if there
 * is none, STATUS_ERROR if there are several, or only some that do not answer.
 */
int recorder_find(const char *wanted, bool flight, char *name);

/**
 * recorder_command - ask a recorder and print what went wrong
 * @name: the recorder's name
 * @question: made by recorder_question(); released here
 * @answer: set to the answer, to be released with json_object_put()
 * @connection: set to the connection, for control_last(); NULL: it is closed
 *
 * Waits up to CONTROL_STATUS_MS, or CONTROL_SNAPSHOT_MS for a snapshot.
 *
 * Return: -1 to continue; STATUS_ERROR after a message.
 */
int recorder_command(const char *name, struct json_object *question, struct json_object **answer,
		     int *connection);

#endif
