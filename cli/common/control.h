/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.h - the sockets by which running recorders are found and asked
 *
 * Each recorder listens on /run/kcatch/NAME.sock, which only root can open. A connection
 * carries one question and one answer, each one line of JSON. Who asks for the end gets another
 * line when that has come.
 */
#ifndef CLI_COMMON_CONTROL_H
#define CLI_COMMON_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <json-c/json.h>

#ifndef CONTROL_DIRECTORY	/* tests define their own */
#define CONTROL_DIRECTORY "/run/kcatch"
#endif
#define CONTROL_NAME_MAX 60		/* bytes of a recorder's name */
#define CONTROL_STATUS_MS 5000		/* a running recorder answers at once */
#define CONTROL_SNAPSHOT_MS 120000	/* a snapshot, or the end, waits for the disk */
#define CONTROL_KEPT 4			/* those who wait for the end */
#define CONTROL_ASKING 16		/* connections whose question is not there yet */

/**
 * struct control - a recorder's listening socket
 * @fd: poll() reports POLLIN when a connection or a question waits; -1: not open
 * @listener: the socket; -1: not open
 * @spare: a descriptor that is given up to accept a connection when there is no other; -1: none
 * @keeps: set by who answers: the connection stays, for control_tell()
 * @asking: connections whose question is not there yet, the oldest first
 * @nr_asking: number of entries in @asking
 * @kept: connections that stay
 * @nr_kept: number of entries in @kept
 * @name: the recorder's name
 */
struct control {
	int fd;
	int listener;
	int spare;
	int asking[CONTROL_ASKING];
	size_t nr_asking;
	bool keeps;
	int kept[CONTROL_KEPT];
	size_t nr_kept;
	char name[CONTROL_NAME_MAX + 1];
};

/**
 * control_name_is_good - check a recorder's name
 * @name: the name
 *
 * Return: whether it has 1 to CONTROL_NAME_MAX letters, digits, dots, underscores and dashes,
 * and does not begin with a dot or a dash.
 */
bool control_name_is_good(const char *name);

/**
 * control_open - create the socket and listen
 * @control: its @name is set
 *
 * Replaces the socket of a recorder that has ended. Waits up to 5 seconds for the directory's
 * lock. Prints nothing.
 *
 * Return: 0; -EADDRINUSE: a recorder of that name runs; -EPERM: the directory belongs to
 * somebody else, or others can write to it; another -errno.
 */
int control_open(struct control *control);

/**
 * control_close - stop listening and remove the socket
 * @control: with @fd -1, does nothing; connections that stay do so
 */
void control_close(struct control *control);

/**
 * control_answer - accept connections and answer questions that wait, some 16 at a time
 * @control: the socket; does nothing if none waits
 * @answer: makes the answer, which is released here; NULL: send none. @question may be any
 *	JSON, or NULL for text that is not JSON: read it with control_word()
 * @arg: passed to @answer
 *
 * Waits for no question: who connects and is silent keeps a place until CONTROL_ASKING others
 * have connected. Besides the time of @answer, blocks for at most a second to send an answer; for
 * a twentieth of a second if a connection cannot be accepted.
 */
void control_answer(struct control *control,
		    struct json_object *(*answer)(void *arg, struct json_object *question),
		    void *arg);

/**
 * control_tell - send a last line on the connections that stay, and close them
 * @control: the socket; none may stay
 * @object: what is sent, released here; NULL: nothing
 *
 * Blocks for at most a second for each.
 */
void control_tell(struct control *control, struct json_object *object);

/**
 * control_word - the text of a member of untrusted JSON
 * @question: any JSON value, or NULL
 * @name: the member's name
 *
 * Return: the text, valid as long as @question; "" if there is no such member, it is not text
 * or it contains '\0'.
 */
const char *control_word(struct json_object *question, const char *name);

/**
 * control_ask - send a question to a recorder and wait for the answer
 * @name: the recorder's name
 * @question: the question; released here
 * @timeout_ms: limit, in milliseconds, of connecting, of sending and of the answer each
 * @answer: set to a JSON object, to be released with json_object_put(); NULL on error
 * @pid: set to the recorder's process, 0 if not known; may be NULL
 * @connection: after success, set to the connection, for control_last(); NULL: it is closed
 *
 * Return: 0; -ENOENT: no such recorder; -EPERM: directory or recorder is neither ours nor
 * root's, or others can write to the directory; -ECONNREFUSED: it has ended, and its socket is
 * removed now; -ETIMEDOUT: no answer in time; -EPROTO: the answer is not a JSON object; another
 * -errno.
 */
int control_ask(const char *name, struct json_object *question, int timeout_ms,
		struct json_object **answer, pid_t *pid, int *connection);

/**
 * control_last - wait for what control_tell() sends
 * @connection: of control_ask(); closed here
 * @timeout_ms: limit, in milliseconds
 * @object: set to a JSON object, to be released with json_object_put(); NULL on error
 *
 * Return: 0; -ETIMEDOUT; -ECONNRESET: the recorder has ended without it, or is of another release;
 * -EPROTO: no JSON object; another -errno.
 */
int control_last(int connection, int timeout_ms, struct json_object **object);

/**
 * control_list - list the names of all recorders that have a socket
 * @names: set to an array sorted by name, to be freed with control_list_free()
 * @nr: set to the number of names
 *
 * A recorder that was killed is listed until control_ask() has removed its socket.
 *
 * Return: 0; -EACCES: not root; -EPERM: the directory is neither ours nor root's, or others can
 * write to it; another -errno.
 */
int control_list(char ***names, size_t *nr);

/**
 * control_list_free - free the result of control_list()
 * @names: the names
 * @nr: number of names
 */
void control_list_free(char **names, size_t nr);

#endif
