/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_counts.h - libkcatch: calls counted in the kernel by a key, instead of caught one by one
 *
 * A session whose request has @count set has no events. Its calls are counted in rows:
 *
 *	const char *names[] = { "vfs_read" }, *keys[] = { "comm" };
 *	struct kcatch_count_request count = { .size = sizeof(count), .keys = keys, .nr_keys = 1 };
 *	struct kcatch_request request = { .size = sizeof(request), .functions = names,
 *		.nr_functions = 1, .count = &count };
 *	...
 *	kcatch_session_stop(session);
 *	kcatch_session_count(session, &counts);
 *	for (i = 0; i < counts->nr_rows; i++)
 *		printf("%s %llu\n", counts->rows[i].keys[0].text, ...);
 *
 * Included by kcatch.h.
 */
#ifndef KCATCH_COUNTS_H
#define KCATCH_COUNTS_H

#include <string.h>

#include <kcatch.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef KCATCH_API
#define KCATCH_API __attribute__((visibility("default")))
#endif

struct kcatch_frame;
struct kcatch_session;

/**
 * struct kcatch_count_request - what calls are counted by
 * @size: size of the struct as the caller knows it: sizeof(), bytes
 * @keys: expressions of the condition language (kcatch-condition(7)), "caller", "function",
 *	"stack" and "user_stack"
 * @nr_keys: number of entries in @keys, at most 15
 * @stats: expression whose sum, minimum and maximum are kept; NULL: that of @hist
 * @hist: expression of which a histogram is made; NULL: none
 * @table_size: bytes of memory for the counts of each CPU, taken twice, 8K to 256M; 0: 1M
 * @entries: events, and functions whose return cannot be hooked, count as well if a key or value
 *	uses ret, failure or latency: it is 0 for them
 * @by_sum: rows are in the order of their sum of @stats; false: of their number of calls
 *
 * One request of a session may count. A key or value that uses ret, failure or latency needs
 * @returns.
 */
struct kcatch_count_request {
	size_t size;
	const char *const *keys;
	size_t nr_keys;
	const char *stats;
	const char *hist;
	uint64_t table_size;
	bool entries;
	bool by_sum;
};

/**
 * kcatch_count_request_init - initialize an empty request
 * @request: its size is set; every other member becomes zero
 */
static inline void kcatch_count_request_init(struct kcatch_count_request *request)
{
	memset(request, 0, sizeof(*request));
	request->size = sizeof(*request);
}

enum kcatch_key_kind {
	KCATCH_KEY_NUMBER,	/* @number; signed if @is_signed */
	KCATCH_KEY_ADDRESS,	/* @number; kcatch_session_name() names it. Also a caller or a
				 * function that has no name */
	KCATCH_KEY_TEXT,	/* @text, @length: comm, a function's name, a string */
	KCATCH_KEY_STACK,	/* @frames, @nr_frames: kernel addresses, innermost first */
	KCATCH_KEY_USER_STACK,	/* @frames, @nr_frames: of process @number */
};

/**
 * struct kcatch_count_key - one part of a row's key
 * @kind: KCATCH_KEY_*
 * @is_signed: the number is signed
 * @is_narrow: the number has at most 32 bits, so it is no address, below 0 either
 * @unreadable: the key needs memory that could not be read, or divides by zero; nothing else
 *	is set
 * @end: of a stack, how it ends: KCATCH_STACK_CUT where it goes on behind the last of its frames,
 *	KCATCH_STACK_LOST_TRACK where the others are not known
 * @number: by @kind
 * @text: by @kind; NUL-terminated, but may hold any byte; NULL: none
 * @length: length of @text, bytes
 * @frames: by @kind
 * @nr_frames: number of entries in @frames
 * @interrupted: of KCATCH_KEY_STACK: index + 1 of up to 4 frames that are addresses of interrupted
 *	instructions, 0 where there are no more; all others are return addresses
 * @user_frames: of KCATCH_KEY_USER_STACK what is known of the @frames: the symbol in the file
 *	(@module) that the process had mapped when its row was first read, or the offset in that
 *	file, or neither: the process had ended
 */
struct kcatch_count_key {
	enum kcatch_key_kind kind;
	bool is_signed;
	bool is_narrow;
	bool unreadable;
	enum kcatch_event_stack end;
	uint64_t number;
	const char *text;
	size_t length;
	const uint64_t *frames;
	uint32_t nr_frames;
	uint8_t interrupted[4];
	const struct kcatch_frame *user_frames;
};

/**
 * kcatch_count_key_is_return - whether a frame is a return address, for kcatch_session_name()
 * @key: of KCATCH_KEY_STACK
 * @index: index in @key->frames
 *
 * Return: false: it is the address of an interrupted instruction.
 */
static inline bool kcatch_count_key_is_return(const struct kcatch_count_key *key, uint32_t index)
{
	size_t i;

	for (i = 0; i < sizeof(key->interrupted); i++)
		if (key->interrupted[i] == index + 1)
			return false;
	return true;
}

/**
 * struct kcatch_count_bucket - calls whose value was in a range
 * @least: lowest value of the bucket
 * @most: highest value of the bucket
 * @count: number of calls
 */
struct kcatch_count_bucket {
	int64_t least;
	int64_t most;
	uint64_t count;
};

/**
 * struct kcatch_count_row - calls with the same key
 * @keys: the key, a part for each entry of kcatch_count_request.keys
 * @is_other: the row of all calls whose key found no room; @keys is NULL and there are no buckets
 * @count: number of calls
 * @nr_values: number of calls whose value is in @sum, @min and @max; of the row @is_other 0 if
 *	values may be unreadable
 * @sum: sum of the values of @stats (without: of @hist); wraps around
 * @min: smallest value
 * @max: largest value
 * @buckets: histogram of the values of @hist, lowest first; only buckets with calls
 * @nr_buckets: number of entries in @buckets
 */
struct kcatch_count_row {
	const struct kcatch_count_key *keys;
	bool is_other;
	uint64_t count;
	uint64_t nr_values;
	int64_t sum;
	int64_t min;
	int64_t max;
	const struct kcatch_count_bucket *buckets;
	size_t nr_buckets;
};

/* What is known of numbers: of all functions that are counted the same. */
enum kcatch_count_unit {
	KCATCH_UNIT_NONE,
	KCATCH_UNIT_NANOSECONDS, /* latency, ktime_t, and times of events */
	KCATCH_UNIT_BYTES,       /* size_t, ssize_t, loff_t, and sizes of events */
};

/**
 * struct kcatch_counts - all rows
 * @rows: the rows, largest count first, (other) last
 * @nr_rows: number of entries in @rows
 * @nr_keys: number of parts of each key
 * @has_values: rows have @sum, @min and @max
 * @has_buckets: rows have @buckets
 * @total: sum of the rows' counts
 * @unit: of @sum, @min and @max
 * @bucket_unit: of @buckets
 */
struct kcatch_counts {
	const struct kcatch_count_row *rows;
	size_t nr_rows;
	size_t nr_keys;
	bool has_values;
	bool has_buckets;
	uint64_t total;
	enum kcatch_count_unit unit;
	enum kcatch_count_unit bucket_unit;
};

/**
 * kcatch_session_count - take the counts out of the kernel and add them to those taken before
 * @session: a session that counts; it may be running
 * @counts: all counts since kcatch_session_start(), valid until the next call
 *
 * Empties the tables in the kernel; calls go on being counted meanwhile and none is lost. Takes
 * the time of an interrupt to all CPUs, and of copying the tables.
 *
 * Return: 0; -EINVAL the session does not count; -ENOMEM: the next call takes the rest; -ETIMEDOUT
 *	after ten seconds: a CPU takes no interrupts, @counts is what was taken before, and the
 *	rest stays in the kernel for the next call; another -errno.
 */
KCATCH_API int kcatch_session_count(struct kcatch_session *session,
				    const struct kcatch_counts **counts);

/**
 * kcatch_session_count_reset - forget the counts taken so far
 * @session: the session
 */
KCATCH_API void kcatch_session_count_reset(struct kcatch_session *session);

/**
 * struct kcatch_pair_request - a pair of events: one, and the next other one with the same key
 * @size: size of the struct as the caller knows it: sizeof(), bytes
 * @first: a function, or an event (SYSTEM:NAME); it makes no record. The request's process, command
 *	and cgroup choose first events
 * @second: the other function or event, which may be the same. It is recorded or counted, with the
 *	time since the first one as "latency" of the request's condition. All other names of that
 *	are the second event's
 * @first_key: expression of a number, by which a first event is found
 * @second_key: the same for the second event
 * @events: both are events, whose SYSTEM may be left out; else what has one is, if there is such an
 *	event
 * @room: first events that may wait for their second one, at most 16777216; 0: 65536. Rounded up to
 *	a power of two, 64 at least
 *
 * @off_cpu: a pair is a time that a thread is off the CPU: it begins when the scheduler leaves the
 *	thread, and ends in the thread itself, whose names, stack and memory a key means. latency is
 *	that time, and runnable and blocked are its parts. What is named above is left NULL. The
 *	request counts
 *
 * A session has one request with a pair, and no other. It names no functions and no events, and
 * catches no return. kcatch_session_pairs() tells what became of first events.
 */
struct kcatch_pair_request {
	size_t size;
	const char *first;
	const char *second;
	const char *first_key;
	const char *second_key;
	bool events;
	bool off_cpu;
	uint32_t room;
};

/**
 * struct kcatch_pairs - what became of the events of pairs
 * @first: counters of the first events: hits = @paired + @restarted + @open + @overflow +
 *	@undecided_first + filtered + missed + lost, when the session is stopped
 * @second: counters of the second ones: hits = @paired + @unmatched + @undecided_second +
 *	@not_paired + missed; those without a first event are in its filtered
 * @paired: pairs
 * @unmatched: second events without a first one
 * @restarted: first events whose key waited already: the time of the pair begins with the later one
 * @overflow: first events that found no room
 * @undecided_first: first events whose key could not be read
 * @undecided_second: second events whose key could not be read
 * @not_paired: second events that came when the budget was spent, and ended no pair; part of
 *	over_budget
 * @open: first events that still wait
 */
struct kcatch_pairs {
	struct kcatch_totals first;
	struct kcatch_totals second;
	uint64_t paired;
	uint64_t unmatched;
	uint64_t restarted;
	uint64_t overflow;
	uint64_t undecided_first;
	uint64_t undecided_second;
	uint64_t not_paired;
	uint64_t open;
};

/**
 * kcatch_session_pairs - get the account of pairs
 * @session: a session with a kcatch_request.pair
 * @pairs: receives it
 *
 * The session's own counters, kcatch_session_totals(), are those of the second events.
 *
 * Return: 0; -EINVAL the session has no pairs; another -errno.
 */
KCATCH_API int kcatch_session_pairs(struct kcatch_session *session, struct kcatch_pairs *pairs);

/* What kcatch_recording_count_event() returns for an event whose probe lacks a name. */
#define KCATCH_COUNT_LEFT_OUT 2

/**
 * kcatch_recording_count - count events of a recording instead of calls of the kernel
 * kcatch_recording_count_event - count the event that kcatch_session_next() gave last
 * @session: a recording that does not count yet
 * @request: the keys and values; its @table_size is not used, and "user_stack" is refused
 * @name: returns the value of the name `event` for a probe; NULL: no event of the probe is
 *	counted
 * @arg: passed to @name
 *
 * kcatch_session_count() returns the rows of the events counted so far. An event is not counted if
 * its probe lacks a name that a key uses, or its record a value: that of a call which has not
 * returned, a text that is cut.
 *
 * Return: the first 0; -EINVAL or -ENOENT a key is wrong, or uses what the recording lacks;
 * -ENOMEM. The second 1 the event is counted; 0 its record lacks a value;
 * %KCATCH_COUNT_LEFT_OUT its probe lacks a name; -ENOENT the recording has no stacks; -ENOMEM.
 */
KCATCH_API int kcatch_recording_count(struct kcatch_session *session,
				      const struct kcatch_count_request *request,
				      const char *(*name)(void *arg, uint32_t probe), void *arg);
KCATCH_API int kcatch_recording_count_event(struct kcatch_session *session);

/**
 * kcatch_session_name - the function that a kernel address lies in
 * @session: the session
 * @address: address
 * @is_return: it is a return address, as in a stack
 * @frame: receives symbol, module and offset; its strings live as long as the session
 *
 * Return: 0 or -ENOMEM.
 */
KCATCH_API int kcatch_session_name(struct kcatch_session *session, uint64_t address,
				   bool is_return, struct kcatch_frame *frame);

/**
 * kcatch_session_cgroup - the path of a cgroup of the default hierarchy
 * @session: the session
 * @id: number of the cgroup, as the condition language's cgroup: the inode number of its directory
 * @path: receives the path, such as "/system.slice/ssh.service"; "(cgroup ID)" if it is gone, or
 *	not in the recording. Valid as long as the session
 *
 * Return: 0 or -ENOMEM.
 */
KCATCH_API int kcatch_session_cgroup(struct kcatch_session *session, uint64_t id,
				     const char **path);

#ifdef __cplusplus
}
#endif

#endif
