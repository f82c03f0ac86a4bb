/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control_fuzz.c - fuzzes both ends of a recorder's socket
 *
 * The first byte says which end is hostile. A hostile question goes to the recorder's own
 * answers (cli/record_control.c), and gets one; a hostile answer goes to who asked.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "fuzz.h"
#include "record.h"
#include "recorders.h"

#define SOCKET CONTROL_DIRECTORY "/box.sock"
#define ANSWER_MAX 65536

static struct record record;
static struct control box = { .fd = -1, .name = "box" };

/* Nothing is written where a question says: see build.mk. */
int __wrap_kcatch_recorder_snapshot(struct kcatch_session *session,
				    const struct kcatch_recorder_options *options,
				    struct kcatch_recorder_stats *stats);
int __wrap_kcatch_recorder_snapshot(struct kcatch_session *session,
				    const struct kcatch_recorder_options *options,
				    struct kcatch_recorder_stats *stats)
{
	(void)session;
	FUZZ_CHECK(*options->directory == '/', "no whole path: %s", options->directory);
	memset(stats, 0, sizeof(*stats));
	return strlen(options->directory) % 2 ? -EROFS : 0;
}

/* What a recorder says of itself is of a session: of a recording here. */
static void open_session(void)
{
	static const char session[] =
		"{\"format\":3,\"nr_cpus\":1,\"clock\":0,\"clock_khz\":1000000,\"clock_at\":500,"
		"\"monotonic_at\":500,\"packet_size\":4096,\"frozen\":1,\"frozen_probe\":0}\n";
	static const char probe[] = "{\"probe\":0,\"function\":\"made\",\"mechanism\":0}\n";

	fuzz_write("kcatch/session.json", session, sizeof(session) - 1);
	fuzz_write("kcatch/probes.json", probe, sizeof(probe) - 1);
	FUZZ_CHECK(!kcatch_recording_open(fuzz_directory(), &record.follow.session), "%s",
		   kcatch_error_text());
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static char *words[] = { "record", "made" };

	(void)argc;
	(void)argv;
	open_session();
	/* Sockets have short paths: CONTROL_DIRECTORY is in the working directory. */
	FUZZ_CHECK(!chdir(fuzz_directory()), "chdir: %s", strerror(errno));
	FUZZ_CHECK(!control_open(&box), "no socket");
	record.control = box;
	record.options.words = words;
	record.options.nr_words = 2;
	record.options.flight = true;
	return 0;
}

/* ---- a hostile question -------------------------------------------------------------- */

static int connect_box(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = SOCKET };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	FUZZ_CHECK(!connect(fd, (struct sockaddr *)&address, sizeof(address)), "connect");
	return fd;
}

static void send_all(int fd, const uint8_t *bytes, size_t size)
{
	while (size) {
		ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);

		if (sent <= 0)
			return;		/* they have heard enough */
		bytes += sent;
		size -= (size_t)sent;
	}
}

static void ask_recorder(const struct fuzz_input *input)
{
	static char reply[ANSWER_MAX];
	struct json_object *object;
	size_t have = 0;
	ssize_t got;
	int fd = connect_box();

	send_all(fd, input->at, input->left);
	shutdown(fd, SHUT_WR);
	record_control_answer(&record);
	control_tell(&record.control, NULL);
	while ((got = read(fd, reply + have, sizeof(reply) - 1 - have)) > 0)
		have += (size_t)got;
	close(fd);
	reply[have] = '\0';
	object = json_tokener_parse(reply);
	FUZZ_CHECK(!have || json_object_is_type(object, json_type_object), "no answer: %s", reply);
	json_object_put(object);
}

/* ---- a hostile answer ---------------------------------------------------------------- */

static const struct fuzz_input *hostile;
static bool asking;	/* atomic */
static sem_t begin, end;

/* libFuzzer's clock sends signals. */
static void await(sem_t *what)
{
	while (sem_wait(what))
		;
}

static void answer_one(int fd)
{
	uint8_t question[1000];

	if (read(fd, question, sizeof(question)) > 0)
		send_all(fd, hostile->at, hostile->left);
	close(fd);
}

/* One thread for all inputs: the sanitizer remembers each that ever was. Who gets no answer may
 * ask again. */
static void *answer_all(void *arg)
{
	bool last;
	int fd;

	for (;;) {
		await(&begin);
		do {
			last = !__atomic_load_n(&asking, __ATOMIC_ACQUIRE);
			while ((fd = accept(box.fd, NULL, NULL)) >= 0)
				answer_one(fd);
			usleep(100);
		} while (!last);
		sem_post(&end);
	}
	return arg;
}

static void begin_thread(void)
{
	static bool begun;
	pthread_t thread;

	if (begun)
		return;
	begun = true;
	FUZZ_CHECK(!sem_init(&begin, 0, 0) && !sem_init(&end, 0, 0) &&
		   !pthread_create(&thread, NULL, answer_all, NULL), "no thread");
}

static void ask_hostile(const struct fuzz_input *input, bool find)
{
	struct json_object *answer = NULL;
	char name[CONTROL_NAME_MAX + 1];

	begin_thread();
	hostile = input;
	__atomic_store_n(&asking, true, __ATOMIC_RELEASE);
	sem_post(&begin);
	if (find) {
		recorder_find(NULL, true, name);
	} else if (recorder_command("box", recorder_question("status"), &answer, NULL) < 0) {
		recorder_text(answer, "name");
		recorder_number(answer, "bytes");
		json_object_put(answer);
	}
	__atomic_store_n(&asking, false, __ATOMIC_RELEASE);
	await(&end);
}

/* ---- an input: which end, then what it says ------------------------------------------ */

/* Parsing is json-c's, which says nothing of what it covers: pieces are put together here. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	static const char *const pieces[] = {
		"{", "}", "[", "]", ":", ",", "\n", "\"do\":", "\"status\"", "\"snapshot\"", "\"stop\"",
		"\"directory\":", "\"/x\"", "\"x\"", "null", "1", "-1", "1e999", "18446744073709551616",
		"\\u0000", "\"flight\":", "\"name\":", "\"pid\":", "\"error\":", "\"state\":", "true",
		"{\"do\":\"status\"}\n", "{\"do\":\"snapshot\",\"directory\":\"/d\"}\n",
		"{\"name\":\"box\",\"flight\":1,\"pid\":7}\n",
	};
	const char *piece;
	size_t at, length;

	fuzz_seed(seed);
	piece = pieces[fuzz_choose(sizeof(pieces) / sizeof(pieces[0]))];
	length = strlen(piece);
	if (!size || size + length > most || !fuzz_choose(3))
		return LLVMFuzzerMutate(data, size, most);
	at = 1 + fuzz_choose(size);
	memmove(data + at + length, data + at, size - at);
	memcpy(data + at, piece, length);
	return size + length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = { data, size };
	unsigned int which = fuzz_number(&input, 1) % 4;

	if (which < 2)
		ask_recorder(&input);
	else
		ask_hostile(&input, which == 3);
	return 0;
}
