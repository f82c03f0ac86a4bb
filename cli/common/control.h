/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.h - recorders that run can be found and spoken to
 *
 * Each has a socket in /run/kcatch, which only root can open: NAME.sock. A question is
 * one line of JSON, and so is the answer; then the connection ends.
 */
#ifndef CLI_COMMON_CONTROL_H
#define CLI_COMMON_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <json-c/json.h>

#ifndef CONTROL_DIRECTORY	/* a test has its own */
#define CONTROL_DIRECTORY "/run/kcatch"
#endif
#define CONTROL_NAME_MAX 60
#define CONTROL_STATUS_MS 5000		/* a recorder that runs answers at once */
#define CONTROL_SNAPSHOT_MS 120000	/* a snapshot takes as long as the disk does */

/**
 * struct control - a socket that listens
 * @fd: to poll() for POLLIN; -1: there is none
 * @name: of the recorder
 */
struct control {
	int fd;
	char name[CONTROL_NAME_MAX + 1];
};

/**
 * control_name_is_good - can a recorder have that name
 * @name: the name
 *
 * Return: letters, digits, . _ - and no more than CONTROL_NAME_MAX; not beginning with . or -
 */
bool control_name_is_good(const char *name);

/**
 * control_open - listen
 * @control: zeroed, with its @name
 *
 * A socket of one that has ended is replaced.
 *
 * Return: 0; -EADDRINUSE one of that name runs; another -errno. Nothing is said.
 */
int control_open(struct control *control);

/**
 * control_close - stop, and remove the socket
 * @control: may be one that was never opened, with fd -1
 */
void control_close(struct control *control);

/**
 * control_answer - take one question and answer it
 * @control: the socket; a question is there
 * @answer: makes the answer
 * @arg: for @answer
 *
 * @answer gets any JSON, or NULL for what is none: see control_word(). Waits a second for a
 * question that does not come or an answer that is not taken, no longer.
 */
void control_answer(struct control *control,
		    struct json_object *(*answer)(void *arg, struct json_object *question),
		    void *arg);

/**
 * control_word - a member that is text
 * @question: anything, or NULL
 * @name: of the member
 *
 * Return: the text; "" where there is none, or something else.
 */
const char *control_word(struct json_object *question, const char *name);

/**
 * control_ask - ask a recorder
 * @name: of it
 * @question: one line; taken over
 * @timeout_ms: wait no longer for the answer
 * @answer: to be given back with json_object_put()
 * @pid: its process, 0: not known; NULL: not wanted
 *
 * Return: 0; -ECONNREFUSED, -ENOENT there is none (its socket is removed); -ETIMEDOUT it does
 *	not answer; another -errno.
 */
int control_ask(const char *name, struct json_object *question, int timeout_ms,
		struct json_object **answer, pid_t *pid);

/**
 * control_list - names of all recorders that run
 * @names: to be freed, each and the array
 * @nr: how many
 *
 * Return: 0 or -errno; without the right to look: -EACCES.
 */
int control_list(char ***names, size_t *nr);

/**
 * control_list_free - forget them
 * @names: the names
 * @nr: how many
 */
void control_list_free(char **names, size_t nr);

#endif
