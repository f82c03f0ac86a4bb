/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Description: the sockets of recorders: hostile questions get an answer, one that is stopped
 * is not waited for without limit, and only the socket of a dead one is removed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "control.h"

#define SOCKET CONTROL_DIRECTORY "/box.sock"

static struct json_object *answer_words(void *arg, struct json_object *question)
{
	struct json_object *object = json_object_new_object();

	(void)arg;
	json_object_object_add(object, "do", json_object_new_string(control_word(question, "do")));
	json_object_object_add(object, "directory",
			       json_object_new_string(control_word(question, "directory")));
	return object;
}

/* As the command does: it polls, and answers what there is. */
static void answer_some(struct control *control,
			struct json_object *(*answer)(void *arg, struct json_object *question),
			void *arg)
{
	struct pollfd waits = { control->fd, POLLIN, 0 };

	if (poll(&waits, 1, -1) == 1)
		control_answer(control, answer, arg);
}

static bool fills_descriptors;

static void fill_descriptors(void)
{
	const struct rlimit limit = { 64, 64 };

	setrlimit(RLIMIT_NOFILE, &limit);
	while (dup(0) >= 0)
		;
}

/* A process that listens as "box"; it answers, or it never does. */
static pid_t begin(bool answers)
{
	struct control control = { .fd = -1, .name = "box" };
	int ready[2];
	pid_t child;
	char byte;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child) {
		close(ready[1]);
		assert_int_equal(read(ready[0], &byte, 1), 1);
		close(ready[0]);
		return child;
	}
	if (control_open(&control))
		_exit(1);
	if (fills_descriptors)
		fill_descriptors();
	if (write(ready[1], "", 1) != 1)
		_exit(1);
	while (answers)
		answer_some(&control, answer_words, NULL);
	for (;;)
		pause();
}

static void end(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static int connect_box(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = SOCKET };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

static void hostile_questions(void **state)
{
	static const char *const lines[] = {
		"{\"do\":null}", "{\"do\":1}", "{\"do\":{}}", "{\"do\":[\"stop\"]}",
		"{\"do\":true}",
		"{\"do\":\"stop\\u0000x\"}", "{\"do\":\"snapshot\",\"directory\":null}", "{}", "[]",
		"null", "1", "\"do\"", "true", "", "{", "}", "{\"do\":", "\xff\xfe", "NaN", "-",
		"{\"do\":\"a\",\"do\":null}", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
		"{\"directory\":[],\"do\":{\"do\":\"stop\"}}" };
	pid_t child = begin(true);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		int fd = connect_box();
		char line[300] = "";

		assert_true(write(fd, lines[i], strlen(lines[i])) >= 0);
		assert_int_equal(write(fd, "\n", 1), 1);
		assert_true(read(fd, line, sizeof(line) - 1) > 0);
		/* No word of it is taken for one. */
		assert_non_null(strstr(line, i == 6 ? "\"snapshot\"" : "\"do\":\"\""));
		assert_non_null(strstr(line, "\"directory\":\"\""));
		close(fd);
	}
	assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
	end(child);
}

static int ask(int timeout_ms, struct json_object **answer, pid_t *pid)
{
	return control_ask("box", json_object_new_object(), timeout_ms, answer, pid, NULL);
}

/* It takes no question, and soon there is no room for more. */
static void one_that_is_stopped(void **state)
{
	pid_t child = begin(false), pid = 0;
	struct control second = { .fd = -1, .name = "box" };
	struct json_object *answer;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		assert_int_equal(ask(50, &answer, &pid),
				 -ETIMEDOUT);
		assert_int_equal(pid, child);
		assert_null(answer);
	}
	for (i = 0; i < 20; i++)
		assert_int_equal(ask(50, &answer, NULL),
				 -ETIMEDOUT);
	assert_int_equal(control_open(&second), -EADDRINUSE);
	assert_int_equal(access(SOCKET, F_OK), 0);
	end(child);
}

static void socket_that_does_not_listen_yet(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = SOCKET };
	struct json_object *answer;
	int lock, fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)state;
	unlink(SOCKET);
	mkdir(CONTROL_DIRECTORY, 0700);
	lock = open(CONTROL_DIRECTORY, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(ask(50, &answer, NULL),
			 -ECONNREFUSED);
	assert_int_equal(access(SOCKET, F_OK), 0);
	assert_int_equal(listen(fd, 1), 0);
	close(lock);
	assert_int_equal(ask(50, &answer, NULL),
			 -ETIMEDOUT);
	/* And one that died is removed. */
	close(fd);
	assert_int_equal(ask(50, &answer, NULL),
			 -ECONNREFUSED);
	assert_int_not_equal(access(SOCKET, F_OK), 0);
}

/* A recorder that hangs up has not got the question in time: it is asked once more, no oftener. */
static void one_that_hangs_up(void **state)
{
	struct control control = { .fd = -1, .name = "box" };
	struct json_object *question, *answer;
	int times, i;
	pid_t child;

	(void)state;
	for (times = 1; times <= 2; times++) {
		unlink(SOCKET);
		assert_int_equal(control_open(&control), 0);
		child = fork();
		if (!child) {
			fcntl(control.listener, F_SETFL, 0);
			for (i = 0; i < times; i++)
				close(accept(control.listener, NULL, NULL));
			for (;;)
				answer_some(&control, answer_words, NULL);
		}
		question = json_object_new_object();
		json_object_object_add(question, "do", json_object_new_string("status"));
		i = control_ask("box", question, 60000, &answer, NULL, NULL);
		if (times == 1) {
			assert_int_equal(i, 0);
			assert_string_equal(control_word(answer, "do"), "status");
			json_object_put(answer);
		} else {
			assert_true(i == -ECONNRESET || i == -EPIPE);
			assert_null(answer);
		}
		end(child);
		control_close(&control);
	}
}

static int nr_answered;

static struct json_object *answer_and_keep(void *arg, struct json_object *question)
{
	struct control *control = arg;

	control->keeps = true;
	nr_answered++;
	return json_object_get(question);
}

/* Who waits for the end gets two lines, also where both came before the first was read. */
static void one_that_tells_its_end(void **state)
{
	struct control control = { .fd = -1, .name = "box" };
	struct json_object *question, *answer, *last;
	int kept[CONTROL_KEPT + 1], connection, ret, i;
	pid_t child;

	(void)state;
	unlink(SOCKET);
	assert_int_equal(control_open(&control), 0);
	child = fork();
	if (!child) {
		/* More than may wait. */
		while (nr_answered <= CONTROL_KEPT)
			answer_some(&control, answer_and_keep, &control);
		question = json_object_new_object();
		json_object_object_add(question, "state", json_object_new_string("ended"));
		control_tell(&control, question);
		/* One that ends without a word. */
		while (nr_answered <= CONTROL_KEPT + 1)
			answer_some(&control, answer_and_keep, &control);
		_exit(0);
	}
	for (i = 0; i <= CONTROL_KEPT; i++) {
		question = json_object_new_object();
		json_object_object_add(question, "do", json_object_new_string("stop"));
		assert_int_equal(
			control_ask("box", question, 60000, &answer, NULL, &kept[i]), 0);
		assert_string_equal(control_word(answer, "do"), "stop");
		json_object_put(answer);
	}
	for (i = 0; i < CONTROL_KEPT; i++) {
		assert_int_equal(control_last(kept[i], 60000, &last), 0);
		assert_string_equal(control_word(last, "state"), "ended");
		json_object_put(last);
	}
	assert_int_equal(control_last(kept[i], 60000, &last), -ECONNRESET);
	ret = control_ask("box", json_object_new_object(), 60000, &answer, NULL, &connection);
	assert_int_equal(ret, 0);
	json_object_put(answer);
	assert_int_equal(control_last(connection, 60000, &last), -ECONNRESET);
	assert_null(last);
	end(child);
	control_close(&control);
}

/* Who connects and says nothing, or half a question, is not waited for, however many there are. */
static void silent_clients(void **state)
{
	struct control control = { .fd = -1, .name = "box" };
	int silent[2 * CONTROL_ASKING], i, fd;
	struct json_object *answer;
	char line[300] = "";
	pid_t child;

	(void)state;
	unlink(SOCKET);
	assert_int_equal(control_open(&control), 0);
	for (i = 0; i < 2 * CONTROL_ASKING; i++) {
		silent[i] = connect_box();
		if (i & 1)
			assert_int_equal(write(silent[i], "{\"do\"", 5), 5);
		control_answer(&control, answer_words, NULL);
	}
	assert_int_equal(control.nr_asking, CONTROL_ASKING);
	/* The oldest were hung up on. */
	assert_int_equal(read(silent[0], line, 1), 0);
	/* One that has a place ends its question, in two pieces. */
	fd = silent[2 * CONTROL_ASKING - 1];
	assert_int_equal(write(fd, ":\"sta", 5), 5);
	control_answer(&control, answer_words, NULL);
	assert_int_equal(recv(fd, line, 1, MSG_DONTWAIT), -1);
	assert_int_equal(write(fd, "tus\"}\n", 6), 6);
	control_answer(&control, answer_words, NULL);
	assert_true(recv(fd, line, sizeof(line) - 1, MSG_DONTWAIT) > 0);
	assert_non_null(strstr(line, "\"do\":\"status\""));
	assert_int_equal(control.nr_asking, CONTROL_ASKING - 1);
	/* And others are answered at once. */
	child = fork();
	if (!child)
		for (;;)
			answer_some(&control, answer_words, NULL);
	for (i = 0; i < 20; i++) {
		assert_int_equal(ask(60000, &answer, NULL), 0);
		json_object_put(answer);
	}
	end(child);
	for (i = 0; i < 2 * CONTROL_ASKING; i++)
		close(silent[i]);
	control_close(&control);
}

/* One whose descriptors are all in use. */
static void without_descriptors(void **state)
{
	struct json_object *answer;
	pid_t child;
	int i;

	(void)state;
	fills_descriptors = true;
	child = begin(true);
	fills_descriptors = false;
	for (i = 0; i < 3; i++) {
		assert_int_equal(ask(5000, &answer, NULL),
				 0);
		json_object_put(answer);
	}
	end(child);
	unlink(SOCKET);
}

static void name_of_a_dead_one(void **state)
{
	pid_t child = begin(true);
	struct control control = { .fd = -1, .name = "box" };

	(void)state;
	assert_int_equal(control_open(&control), -EADDRINUSE);
	end(child);
	assert_int_equal(access(SOCKET, F_OK), 0);
	assert_int_equal(control_open(&control), 0);
	control_close(&control);
	assert_int_not_equal(access(SOCKET, F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_questions),
		cmocka_unit_test(one_that_is_stopped),
		cmocka_unit_test(socket_that_does_not_listen_yet),
		cmocka_unit_test(one_that_hangs_up),
		cmocka_unit_test(one_that_tells_its_end),
		cmocka_unit_test(silent_clients),
		cmocka_unit_test(without_descriptors),
		cmocka_unit_test(name_of_a_dead_one),
	};
	char directory[] = "/tmp/control_test.XXXXXX";
	int failed;

	if (!mkdtemp(directory) || chdir(directory))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(SOCKET);
	rmdir(CONTROL_DIRECTORY);
	rmdir(directory);
	return failed;
}
