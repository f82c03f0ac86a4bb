// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: debugfs ktrace/buffers/cpuN by its four calls, mmap and poll: bad
 * positions, pointers and mappings are refused; a mapping outlives its descriptor and its
 * owner's death harms nobody; readers are woken for a packet, not for an event.
 * Gate: older
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define KTRACE	"/sys/kernel/debug/ktrace"
#define SIZE	"/sys/module/kcatch/parameters/ktrace_size"
#define ORDER	"/sys/module/kcatch_trace/parameters/order"

static bool put(const char *path, const char *text)
{
	int file = open(path, O_WRONLY);
	bool good = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);

	close(file);
	return good;
}

static uint64_t position(int file, unsigned long call)
{
	uint64_t value;

	if (ioctl(file, call, &value))
		bail("the calls work");
	return value;
}

static int polled(int file)
{
	struct pollfd poll_file = { .fd = file, .events = POLLIN };

	return poll(&poll_file, 1, 0) > 0 ? poll_file.revents : 0;
}

/* Complete records between two positions, as a reader of the mapping sees them. */
static uint64_t count(const char *map, uint64_t from, uint64_t to)
{
	const struct kcatch_ring_page *page = (const void *)map;
	uint64_t nr = 0;

	while (from < to) {
		uint64_t begin = from / page->packet_size * page->packet_size;
		const struct kcatch_packet *packet =
			(const void *)(map + page->data_offset + begin % page->ring_size);
		const struct kcatch_record *record = (const void *)((const char *)packet +
								    from % page->packet_size);

		if (from == begin) {
			from += sizeof(*packet);
		} else if (to > begin + page->packet_size &&
			   from >= begin + packet->content_size / 8) {
			from = begin + page->packet_size;
		} else {
			if (KCATCH_RECORD_KIND(record->id) != KCATCH_RECORD_EVENT ||
			    record->size % 8 || record->size < sizeof(struct kcatch_event_record))
				bail("records are whole");
			from += record->size;
			nr++;
		}
	}
	return nr;
}

/* What read() returns: packets of their own, whose times are those of their records. */
static void times(int file, unsigned int emitted)
{
	static char bytes[65536];
	unsigned int records = 0, wrong = 0;
	ssize_t size = read(file, bytes, sizeof(bytes)), at = 0, end;

	while (at + (ssize_t)sizeof(struct kcatch_packet) <= size) {
		const struct kcatch_packet *packet = (const void *)(bytes + at);
		const struct kcatch_record *record = NULL;

		end = at + (ssize_t)packet->content_size / 8;
		if (end > size || packet->content_size != packet->packet_size)
			bail("packets are whole");
		for (at += sizeof(*packet); at < end; at += record->size) {
			record = (const void *)(bytes + at);
			wrong += record->time < packet->timestamp_begin ||
				 record->time > packet->timestamp_end;
			records++;
		}
		wrong += !record || record->time != packet->timestamp_end;
	}
	check_equal(records, emitted, "read() returns all events");
	check_equal(wrong, 0, "packets that are read end with their last event");
}

static void calls(int file, uint64_t size)
{
	uint64_t value, produced = position(file, KCATCH_KTRACE_GET_PRODUCED);
	char small[32];

	check_equal(position(file, KCATCH_KTRACE_GET_SIZE), size, "get size");
	check_equal(position(file, KCATCH_KTRACE_GET_CONSUMED), 0, "nothing is consumed");
	value = produced + 8;
	check_errno(ioctl(file, KCATCH_KTRACE_PUT_CONSUMED, &value), EINVAL, "beyond what was produced");
	value = UINT64_MAX;
	check_errno(ioctl(file, KCATCH_KTRACE_PUT_CONSUMED, &value), EINVAL, "far beyond it");
	value = produced - 1;
	check_errno(ioctl(file, KCATCH_KTRACE_PUT_CONSUMED, &value), EINVAL, "between two words");
	value = produced - 8;
	check_errno(ioctl(file, KCATCH_KTRACE_PUT_CONSUMED, &value), EINVAL, "inside a record");
	value = 8;
	check_errno(ioctl(file, KCATCH_KTRACE_PUT_CONSUMED, &value), EINVAL,
		    "inside the header of a packet");
	check_errno(ioctl(file, KCATCH_KTRACE_PUT_CONSUMED, NULL), EFAULT, "no position");
	check_errno(ioctl(file, KCATCH_KTRACE_GET_PRODUCED, (void *)-4096L), EFAULT, "a kernel address");
	check_errno(ioctl(file, KCATCH_IOC_START), ENOTTY, "another file's call");
	check_errno(read(file, small, sizeof(small)), EINVAL, "a read without room for an event");
	check_equal(read(file, small, 0), 0, "a read of nothing");
	check_errno(lseek(file, 0, SEEK_SET), ESPIPE, "no seeking");
}

static void nothing(int number)
{
	(void)number;
}

/* A signal that comes before the first packet was looked at, as some of these do. */
static void interrupted(int file)
{
	static char bytes[65536];
	unsigned int i, wrong = 0;

	signal(SIGALRM, nothing);
	for (i = 0; i < 20000; i++) {
		const struct itimerval soon = { .it_value = { .tv_usec = 1 + i % 200 } };
		ssize_t size;

		setitimer(ITIMER_REAL, &soon, NULL);
		size = read(file, bytes, sizeof(bytes));
		wrong += size > 0 && size < (ssize_t)sizeof(struct kcatch_packet);
	}
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	check_equal(wrong, 0, "a read that a signal interrupts returns packets or nothing");
}

static char *mappings(int file, uint64_t size)
{
	size_t length = size + getpagesize();
	char *map;

	check(mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED &&
	      errno == EPERM, "no mapping to write to");
	check(mmap(NULL, length * 2, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED &&
	      errno == EINVAL, "no mapping that is too long");
	check(mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, file, getpagesize()) == MAP_FAILED &&
	      errno == EINVAL, "none from the middle");
	map = mmap(NULL, length, PROT_READ, MAP_SHARED, file, 0);
	if (map == MAP_FAILED)
		bail("the buffer is mapped");
	check(mprotect(map, length, PROT_READ | PROT_WRITE) && errno == EACCES,
	      "it stays read-only");
	return map;
}

static void killed_reader(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		int file = open(KTRACE "/buffers/cpu0", O_RDWR);
		uint64_t size = position(file, KCATCH_KTRACE_GET_SIZE);

		if (mmap(NULL, size + getpagesize(), PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED)
			_exit(1);
		raise(SIGKILL);
	}
	waitpid(child, &status, 0);
	check(WIFSIGNALED(status), "a reader is killed");
}

int main(void)
{
	uint64_t consumed, produced, nr;
	char command[4096];
	cpu_set_t cpus;
	char *map;
	int file;

	if (access(KTRACE "/info", F_OK))
		skip_all("there is no debugfs");
	snprintf(command, sizeof(command), "insmod '%s/kcatch_trace/kcatch_trace.ko'", getenv("KT_MODULES"));
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || !put(SIZE, "65536") || system(command) ||
	    !put(KTRACE "/events/kt_pair", "1"))
		bail("an event is switched on");
	file = open(KTRACE "/buffers/cpu0", O_RDWR);
	if (file < 0)
		bail("the buffer opens");
	put(ORDER, "pair");
	check(!(polled(file) & POLLIN), "an event wakes nobody");
	calls(file, 65536);
	map = mappings(file, 65536);
	consumed = position(file, KCATCH_KTRACE_GET_CONSUMED);
	produced = position(file, KCATCH_KTRACE_GET_PRODUCED);
	nr = count(map, consumed, produced);
	check_equal(nr, 2, "the mapping has what was emitted");
	check(!ioctl(file, KCATCH_KTRACE_PUT_CONSUMED, &produced), "put consumed");
	check_equal(position(file, KCATCH_KTRACE_GET_CONSUMED), produced, "get consumed");
	consumed = 0;
	check_errno(ioctl(file, KCATCH_KTRACE_PUT_CONSUMED, &consumed), EINVAL, "never backwards");
	for (nr = 0; nr < 1000 && !(polled(file) & POLLIN); nr++)
		put(ORDER, "pair");
	check(nr > 10 && nr < 1000, "a full packet wakes (after %d)", (int)nr);
	times(file, (unsigned int)nr * 2);
	interrupted(file);

	check(!put(SIZE, "131072") && errno == EBUSY, "no new size while it is on");
	put(KTRACE "/events/kt_pair", "0");
	close(file);
	check(!put(SIZE, "131072"), "nor while it is mapped");
	check_equal(count(map, produced, ((struct kcatch_ring_page *)map)->produced), nr * 2,
		    "a mapping outlives its descriptor");
	munmap(map, 65536 + getpagesize());
	check(put(SIZE, "131072"), "a new size when all is closed");
	killed_reader();
	check(put(SIZE, "1048576"), "a killed reader holds nothing");
	system("rmmod kcatch_trace");
	return finish();
}
