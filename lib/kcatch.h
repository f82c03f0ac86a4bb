/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch.h - libkcatch: catch calls of kernel functions from a program
 *
 * A session is one open file of the kcatch module. Everything armed through it
 * is gone when it is closed, or when the program ends, however it ends.
 *
 *	struct kcatch_session *session;
 *	const char *names[] = { "vfs_read" };
 *	struct kcatch_request request = {
 *		.functions = names, .nr_functions = 1, .budget = 1,
 *	};
 *	const struct kcatch_event *event;
 *
 *	if (kcatch_session_open(&session) || kcatch_session_setup(session, 0, &request) ||
 *	    kcatch_session_add(session, &request) || kcatch_session_start(session))
 *		errx(1, "%s", kcatch_error_text());
 *	kcatch_session_wait(session, -1);
 *	while (kcatch_session_next(session, &event) > 0)
 *		...
 *	kcatch_session_close(session);
 *
 * Functions return 0 (or a number that is not negative) or -errno; the text of
 * the last failure of the calling thread is kcatch_error_text(). Nothing here
 * prints, exits, or installs signal handlers. A session is used by one thread
 * at a time; different sessions by as many threads as there are.
 *
 * Structures that the library hands out by pointer to const grow at their end
 * in later releases; those that the caller provides do not change.
 */
#ifndef KCATCH_H
#define KCATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KCATCH_API __attribute__((visibility("default")))

struct kcatch_session;

/* ---- errors and text ---------------------------------------------------- */

/**
 * kcatch_error_text - what went wrong last in this thread, and what to try
 *
 * One or more lines without a newline at the end. Control characters in names
 * that came from outside are escaped. Valid until the next failure.
 *
 * Return: the text, "" when nothing has failed yet.
 */
KCATCH_API const char *kcatch_error_text(void);

/**
 * kcatch_text_escape - make bytes from anywhere fit for a terminal
 * @in: bytes
 * @length: how many
 * @out: the text: control characters, backslashes and what is not UTF-8
 *	become \n, \x1b and the like
 * @room: bytes at @out; four times @length and one always suffice
 *
 * Return: bytes written without the end mark. What does not fit is left out
 * whole: no escape is cut in two.
 */
KCATCH_API size_t kcatch_text_escape(const char *in, size_t length, char *out, size_t room);

/**
 * kcatch_text_utf8 - make bytes from anywhere valid UTF-8
 * @in: bytes
 * @length: how many
 * @out: the text: what is not UTF-8 becomes U+FFFD, all else stays
 * @room: bytes at @out; three times @length and one always suffice
 *
 * Return: bytes written without the end mark.
 */
KCATCH_API size_t kcatch_text_utf8(const char *in, size_t length, char *out, size_t room);

/* ---- sessions ------------------------------------------------------------- */

/**
 * struct kcatch_request - what to catch
 * @functions: names: [module:]function, [module:]function+OFFSET (decimal or
 *	hexadecimal), or patterns with * ? [abc]
 * @nr_functions: how many; the same function twice is armed once
 * @budget: events the whole request may make; 0: without limit
 * @depth: most frames of a stack; 0: KCATCH_DEPTH_DEFAULT (64)
 * @no_stack: no stack at all
 * @pid: only this process (all its threads); 0: every one
 * @children: with @pid: and all processes that descend from it, now or later
 * @comm: only threads of this name, at most 15 bytes; NULL: every one
 * @others_only: leave out calls that this very process makes, as a tracer
 *	does that writes what it caught
 * @returns: catch the return as well: value, latency
 * @arguments: fetch arguments and return values by their types
 * @condition: record only calls of which this expression holds; NULL: all. See
 *	kcatch(1), CONDITIONS
 * @errors: record only calls that fail: a negative errno, an error pointer, NULL
 *	where a pointer is returned; needs @returns
 * @false_fails: with @errors: false is a failure where a bool is returned
 * @under: patterns of functions to record as well, while a call of @functions is
 *	under way in the same thread (a call tree); needs @returns
 * @nr_under: how many
 * @levels: how deep under the call; 0: any
 * @user_stack: bytes of the user stack to take with each call; 0: none
 * @string_size: longest text to fetch, bytes; 0: 128
 * @struct_size: most bytes of a struct behind a pointer; 0: 128
 * @deep: pointers inside structs to follow; 0: one level, the struct itself
 * @pending: a function of a module (MODULE:FUNCTION) that is not loaded waits for it: it
 *	is caught from the module's init on; and again each time the module comes back
 * @events: tracepoints as SYSTEM:NAME or NAME, DO_TRACE events as ktrace:NAME, with
 *	patterns; "core": the built-in set. With @functions or without
 * @nr_events: how many
 * @event_stacks: take the stack with each event as well
 * @overwrite: flight recorder: the oldest packets make room for new ones (in setup)
 * @freeze: the first record of this request freezes the session
 * @freeze_on: KCATCH_FREEZE_*: what else freezes it (in setup)
 */
struct kcatch_request {
	const char *const *functions;
	size_t nr_functions;
	uint64_t budget;
	unsigned int depth;
	bool no_stack;
	uint32_t pid;
	bool children;
	const char *comm;
	bool others_only;
	bool returns;
	bool arguments;
	const char *condition;
	bool errors;
	bool false_fails;
	const char *const *under;
	size_t nr_under;
	unsigned int levels;
	uint32_t user_stack;
	uint32_t string_size;
	uint32_t struct_size;
	unsigned int deep;
	bool pending;
	const char *const *events;
	size_t nr_events;
	bool event_stacks;
	bool overwrite;
	bool freeze;
	unsigned int freeze_on;
};

/* struct kcatch_request.freeze_on */
#define KCATCH_FREEZE_OOPS	(1U << 0)
#define KCATCH_FREEZE_WARN	(1U << 1)
#define KCATCH_FREEZE_PANIC	(1U << 2)
#define KCATCH_FREEZE_LOG	(1U << 3)	/* the last records go to the kernel log then */
#define KCATCH_FREEZE_LOCKUP	(1U << 4)	/* soft */
#define KCATCH_FREEZE_HUNG	(1U << 5)

/**
 * kcatch_session_open - open the module's device
 * @session: the new session
 *
 * Return: 0; -ENOENT when the module is not loaded (see kcatch_module_load());
 * -EACCES, -EPERM without the right to trace or under lockdown; -EPROTO when
 * module and library are of different releases that do not fit; another
 * -errno.
 */
KCATCH_API int kcatch_session_open(struct kcatch_session **session);

/**
 * kcatch_session_close - disarm everything and forget it
 * @session: may be NULL
 */
KCATCH_API void kcatch_session_close(struct kcatch_session *session);

/**
 * kcatch_session_setup - make the rings
 * @session: the session
 * @ring_size: bytes a CPU, rounded up to a power of two; 0: what @request needs
 * @request: what will be added; NULL: nothing known of it yet
 *
 * Return: 0, -EINVAL for a size out of range, -ENOMEM, or another -errno.
 */
KCATCH_API int kcatch_session_setup(struct kcatch_session *session, uint64_t ring_size,
				    const struct kcatch_request *request);

/**
 * kcatch_session_add - arm what a request names
 * @session: the session, set up
 * @request: what to catch
 *
 * All of it or nothing is armed. The error text names the function at fault,
 * says why it cannot be caught and what to try instead.
 *
 * Return: 0, or -errno: -ENOENT no such function, -EADDRNOTAVAIL it cannot be
 * hooked, -EPERM it must not be, -EBUSY tracing is switched off, -ESRCH no
 * such process, -EINVAL what was asked makes no sense.
 */
KCATCH_API int kcatch_session_add(struct kcatch_session *session,
				  const struct kcatch_request *request);

/**
 * kcatch_session_start - begin to catch
 * kcatch_session_stop - end it; what was caught can still be read
 * @session: the session
 *
 * Return: 0 or -errno.
 */
KCATCH_API int kcatch_session_start(struct kcatch_session *session);
KCATCH_API int kcatch_session_stop(struct kcatch_session *session);

/** enum kcatch_frozen - why a session's rings stay as they are; numbers as in the uapi */
enum kcatch_frozen {
	KCATCH_NOT_FROZEN,
	KCATCH_FROZEN_BY_PROBE,	/* a record of a request with @freeze */
	KCATCH_FROZEN_BY_OOPS,
	KCATCH_FROZEN_BY_WARNING,
	KCATCH_FROZEN_BY_PANIC,
	KCATCH_FROZEN_BY_LOCKUP,
	KCATCH_FROZEN_BY_HUNG_TASK,
};

/**
 * kcatch_session_frozen - is it frozen, and why
 * @session: the session
 * @probe: number of the probe with KCATCH_FROZEN_BY_PROBE; NULL: not wanted
 * @time_ns: since when, CLOCK_MONOTONIC; NULL: not wanted
 *
 * kcatch_session_start() thaws it. poll() on the descriptor says POLLPRI while it is
 * frozen.
 *
 * Return: enum kcatch_frozen or -errno.
 */
KCATCH_API int kcatch_session_frozen(struct kcatch_session *session, uint32_t *probe,
				     uint64_t *time_ns);

/**
 * kcatch_session_fd - descriptor to poll() for POLLIN and POLLHUP
 * @session: the session
 *
 * POLLIN: much is there to read, or a budget is spent. Few events make no
 * noise: call kcatch_session_next() ten times a second to see them soon.
 * POLLHUP: no probe is in place any more. POLLERR: the session is broken.
 *
 * Return: the descriptor.
 */
KCATCH_API int kcatch_session_fd(const struct kcatch_session *session);

/**
 * kcatch_session_wait - poll() the descriptor
 * @session: the session
 * @timeout_ms: milliseconds, -1: for ever
 *
 * Return: poll events (POLLIN and others), 0 at the time limit, -errno (-EINTR).
 */
KCATCH_API int kcatch_session_wait(struct kcatch_session *session, int timeout_ms);

/* ---- events ------------------------------------------------------------------ */

enum kcatch_event_context {
	KCATCH_IN_TASK,
	KCATCH_IN_SOFTIRQ,
	KCATCH_IN_HARDIRQ,
	KCATCH_IN_NMI,
};

enum kcatch_event_stack {
	KCATCH_STACK_WHOLE,		/* to user mode or to the thread's start */
	KCATCH_STACK_CUT,		/* at the depth asked for */
	KCATCH_STACK_LOST_TRACK,	/* the unwinder gave up after the last frame */
	KCATCH_STACK_ABSENT,		/* not asked for */
};

enum kcatch_event_return {
	KCATCH_RETURN_NOT_ASKED,
	KCATCH_RETURN_SEEN,
	KCATCH_RETURN_PENDING,	/* has not returned: when tracing ended, or its thread ended */
	KCATCH_RETURN_NO_SLOT,	/* too many calls were under way to catch its return */
	KCATCH_RETURN_LOST,	/* it returned, and the ring had no room */
};

/**
 * struct kcatch_event - one caught call
 * @time_ns: CLOCK_MONOTONIC, at the entry
 * @probe: number of the probe, for kcatch_session_probe()
 * @cpu: where
 * @pid: process
 * @tid: thread
 * @comm: command, with an end mark; any bytes else
 * @context: KCATCH_IN_*
 * @irqs_off: interrupts were off at the call
 * @stack: KCATCH_STACK_*
 * @nr_frames: frames, for kcatch_session_frame()
 * @returned: KCATCH_RETURN_*
 * @ret: return value, the whole register; where KCATCH_RETURN_SEEN
 * @latency_ns: from entry to return, ns; where KCATCH_RETURN_SEEN
 * @typed: arguments and return value are by type; else registers as they were
 * @nr_args: arguments, for kcatch_session_arg()
 * @call: number that no other event of the session has
 * @parent: @call of the event of the same thread that it was called under, among
 *	those caught; 0: none. Its event may come later.
 * @level: how many such calls above it
 * @nr_user_frames: for kcatch_session_user_frame(); -1: no user stack was taken
 * @is_event: of a tracepoint or a DO_TRACE event, no call: its fields are the args. Without
 *	a stack @comm is "" where nobody knows it
 */
struct kcatch_event {
	uint64_t time_ns;
	uint32_t probe;
	uint32_t cpu;
	uint32_t pid;
	uint32_t tid;
	char comm[16];
	enum kcatch_event_context context;
	bool irqs_off;
	enum kcatch_event_stack stack;
	uint32_t nr_frames;
	enum kcatch_event_return returned;
	uint64_t ret;
	uint64_t latency_ns;
	bool typed;
	uint32_t nr_args;
	uint64_t call;
	uint64_t parent;
	uint32_t level;
	int32_t nr_user_frames;
	bool is_event;
};

/**
 * struct kcatch_frame - one frame of a stack, innermost is number 0
 * @address: return address, or where the code was interrupted
 * @symbol: NULL when nobody knows it
 * @module: NULL for the kernel itself
 * @offset: of @address in @symbol
 * @interrupted: left by an interrupt rather than by a call
 * @inlined: this frame and the next have the same address: it was inlined there
 * @file: source file; NULL without debug information
 * @line: in @file
 * @self: stands for kcatch's own work that was interrupted; nothing else is set
 */
struct kcatch_frame {
	uint64_t address;
	const char *symbol;
	const char *module;
	uint32_t offset;
	bool interrupted;
	bool self;
	bool inlined;
	const char *file;
	uint32_t line;
};

/**
 * kcatch_session_next - the next caught call, in the order of time
 * @session: the session
 * @event: the event, valid until the next call
 *
 * While the session runs, events of the last moment wait until every CPU has
 * been looked at, so that they come in order; after kcatch_session_stop()
 * everything comes.
 *
 * A call whose return is asked for comes when it has returned. In one thread an
 * outer call comes before those under it; calls of different threads come as they
 * end. A call under one that takes long waits for it a fifth of a second, no more.
 *
 * Return: 1, 0 when there is none now, -errno.
 */
KCATCH_API int kcatch_session_next(struct kcatch_session *session,
				   const struct kcatch_event **event);

/**
 * kcatch_session_frame - a frame of the event kcatch_session_next() gave last
 * @session: the session
 * @index: which, below nr_frames
 * @frame: the frame; its strings live as long as the session
 *
 * Return: 0, -ERANGE when there is no such frame, -ENOMEM.
 */
KCATCH_API int kcatch_session_frame(struct kcatch_session *session, uint32_t index,
				    struct kcatch_frame *frame);

/* ---- values -------------------------------------------------------------------- */

enum kcatch_value_kind {
	KCATCH_VALUE_INTEGER,	/* @number; signed where @is_signed */
	KCATCH_VALUE_BOOL,	/* @number */
	KCATCH_VALUE_ENUM,	/* @number, its name in @text when it has one */
	KCATCH_VALUE_POINTER,	/* @number; what it points to in @children[0] when followed;
				 * a readable form of that in @text */
	KCATCH_VALUE_FUNCTION,	/* @number: an address of code; @text its symbol when known */
	KCATCH_VALUE_STRING,	/* @text, @length; @number the pointer (0 for an array) */
	KCATCH_VALUE_BYTES,	/* the same for what is no text */
	KCATCH_VALUE_STRUCT,	/* @children by member name; unions too */
	KCATCH_VALUE_ARRAY,	/* @children without names */
	KCATCH_VALUE_VOID,	/* a function without a return value */
	KCATCH_VALUE_UNKNOWN,	/* not fetched: a type that is not understood */
};

/**
 * struct kcatch_value - an argument, a return value, or a part of one
 * @name: of the argument or member; NULL for elements
 * @type: as in C: "struct file *"
 * @kind: KCATCH_VALUE_*
 * @is_signed: of an integer
 * @fault: it could not be read (bad pointer, paged out)
 * @cut: there is more than was fetched
 * @changed: fetched at the return, and different from the entry
 * @is_error: of a pointer: it is an errno, named in @text; of an integer: as a return
 *	value it is a negative errno, named in @text
 * @is_symbol: of a pointer: @text is the kernel's name of what it points to (a table of
 *	operations, a static struct)
 * @number: the value, sign- or zero-extended
 * @text: see the kinds; NULL when there is none; any bytes
 * @length: bytes at @text
 * @children: parts
 * @nr_children: how many
 * @bytes: size of the type, 0 when not known
 * @at_return: what it pointed to when the call returned, where that was fetched and
 *	differs; NULL: nothing to say
 */
struct kcatch_value {
	const char *name;
	const char *type;
	enum kcatch_value_kind kind;
	bool is_signed;
	bool fault;
	bool cut;
	bool changed;
	bool is_error;
	bool is_symbol;
	uint64_t number;
	const char *text;
	size_t length;
	const struct kcatch_value *children;
	size_t nr_children;
	size_t bytes;
	const struct kcatch_value *at_return;
};

/**
 * kcatch_session_arg - an argument of the event kcatch_session_next() gave last
 * @session: the session
 * @index: which, below nr_args
 * @value: the value, valid until the next kcatch_session_next(). Where the event is not
 *	@typed: the argument registers, named as the processor names them
 *
 * Return: 0, -ERANGE when there is no such argument, -ENOMEM.
 */
KCATCH_API int kcatch_session_arg(struct kcatch_session *session, uint32_t index,
				  const struct kcatch_value **value);

/**
 * kcatch_session_return_value - what that event returned, by its type
 * @session: the session
 * @value: the value, valid as above
 *
 * Return: 0, -ENODATA when its return was not seen, -ENOMEM.
 */
KCATCH_API int kcatch_session_return_value(struct kcatch_session *session,
					   const struct kcatch_value **value);

/**
 * kcatch_session_user_frame - a frame of that event's user stack
 * @session: the session
 * @index: which, below nr_user_frames
 * @frame: the frame: module is the file it lies in
 *
 * Return: 0, -ERANGE, -ENOMEM.
 */
KCATCH_API int kcatch_session_user_frame(struct kcatch_session *session, uint32_t index,
					 struct kcatch_frame *frame);

/* ---- watchpoints ---------------------------------------------------------------- */

/**
 * kcatch_session_watch - arm a hardware watchpoint: who changes this variable
 * @session: the session, set up
 * @what: [MODULE:]VARIABLE[+OFFSET][:SIZE], or 0xADDRESS[:SIZE]; SIZE is 1, 2, 4 or 8, and
 *	without one as large as the variable and its address allow
 * @access: reads as well as writes
 * @request: budget, depth, pid, comm, others_only; and condition, in which `old` and `new`
 *	are the values, unsigned. The rest does not matter
 *
 * Each hit is an event of its own, with a stack from the caller of the function that did it
 * on; kcatch_session_watch_hit() tells the rest. CPUs that come online later are not watched.
 *
 * Return: 0, or -errno: -ENOENT no such variable, -ENOSPC all debug registers are taken,
 * -EADDRNOTAVAIL there is no memory, -EINVAL what was asked makes no sense.
 */
KCATCH_API int kcatch_session_watch(struct kcatch_session *session, const char *what, bool access,
				    const struct kcatch_request *request);

/**
 * struct kcatch_watch_hit - what happened
 * @old_value: what the last hit left there, at first what stood there; zero-extended
 * @new_value: what stands there now
 * @address: of the memory
 * @size: bytes
 * @access: reads are caught as well: this may have been one
 * @by: who did it: the address behind the instruction. Its strings live as long as
 *	the session
 */
struct kcatch_watch_hit {
	uint64_t old_value;
	uint64_t new_value;
	uint64_t address;
	uint32_t size;
	bool access;
	struct kcatch_frame by;
};

/**
 * kcatch_session_watch_hit - of the event kcatch_session_next() gave last
 * @session: the session
 * @hit: the hit
 *
 * Return: 0, -ENODATA when the event is of no watchpoint, -ENOMEM.
 */
KCATCH_API int kcatch_session_watch_hit(struct kcatch_session *session,
					struct kcatch_watch_hit *hit);

/* ---- signals ------------------------------------------------------------------- */

#define KCATCH_SIGNAL_ANCESTORS 10

/**
 * struct kcatch_signals_request - which signals
 * @numbers: of signals; NULL: all
 * @nr_numbers: how many
 * @target: only those to this process (as the first pid namespace numbers it); 0: to every one
 * @gate: budget and depth; pid and comm are the sender's
 */
struct kcatch_signals_request {
	const int *numbers;
	size_t nr_numbers;
	uint32_t target;
	const struct kcatch_request *gate;
};

/**
 * kcatch_session_signals - catch signals as they are sent
 * @session: the session, set up
 * @request: which
 *
 * Each is an event of its own, with the stack it was sent from; @pid and the like of it are
 * who was running: the sender, when it was sent from a task. kcatch_session_signal() tells
 * the rest.
 *
 * Return: 0, or -errno: -ENOENT the kernel has no type information, -EOPNOTSUPP it is too
 * different, -ESRCH no such sender.
 */
KCATCH_API int kcatch_session_signals(struct kcatch_session *session,
				      const struct kcatch_signals_request *request);

/**
 * struct kcatch_signal - a signal that was sent; process numbers of the first pid namespace
 * @number: of it
 * @to_process: to a process, not to one thread
 * @result: 0: sent, 1: ignored, 2: one is pending already, 3: no room, 4: sent without info
 * @by_kernel: sent by the kernel without more information
 * @has_info: @code, @address and @value are known
 * @code: si_code
 * @address: of a fault
 * @value: of sigqueue()
 * @target_pid: process
 * @target_tid: thread it was sent to
 * @target_comm: its name
 * @sender_uid: of who was running, in the first user namespace
 * @user_ip: the target's instruction in user mode; 0: not known
 * @blocked: the target blocked it
 * @ignored: it was thrown away, as the target ignores it
 * @has_handler: the target has a handler for it; not known of real time signals
 * @fatal: it ends the process; not known of real time signals
 * @nr_ancestors: parents of who was running, up to init
 */
struct kcatch_signal {
	int number;
	int to_process;
	int result;
	bool by_kernel;
	bool has_info;
	int code;
	uint64_t address;
	uint64_t value;
	uint32_t target_pid;
	uint32_t target_tid;
	char target_comm[16];
	uint32_t sender_uid;
	uint64_t user_ip;
	bool blocked;
	bool ignored;
	bool has_handler;
	bool fatal;
	uint32_t nr_ancestors;
	struct {
		uint32_t pid;
		char comm[16];
	} ancestors[KCATCH_SIGNAL_ANCESTORS];
};

/**
 * kcatch_session_signal - of the event kcatch_session_next() gave last
 * @session: the session
 * @signal: what was sent
 *
 * Return: 0, -ENODATA when the event is of no signal.
 */
KCATCH_API int kcatch_session_signal(struct kcatch_session *session, struct kcatch_signal *signal);

/* ---- probes and counters ------------------------------------------------------ */

enum kcatch_mechanism {
	KCATCH_BY_FTRACE,
	KCATCH_BY_KPROBE,
	KCATCH_BY_TRACEPOINT,
	KCATCH_BY_EVENT,	/* DO_TRACE */
	KCATCH_BY_WATCH,	/* a hardware watchpoint */
};

/**
 * kcatch_mechanism_name - "ftrace", "kprobe", "tracepoint", "ktrace"
 * @mechanism: which
 *
 * Return: its name.
 */
KCATCH_API const char *kcatch_mechanism_name(enum kcatch_mechanism mechanism);

/**
 * struct kcatch_probe - one armed address
 * @function: as it was asked for, or as the kernel calls it when by pattern;
 *	NULL when nobody knows its name; of an event its name
 * @module: NULL for the kernel itself; of a tracepoint its system ("sched"), of a DO_TRACE
 *	event "ktrace"
 * @offset: into the function
 * @address: where
 * @mechanism: KCATCH_BY_*
 */
struct kcatch_probe {
	const char *function;
	const char *module;
	uint32_t offset;
	uint64_t address;
	enum kcatch_mechanism mechanism;
};

/**
 * struct kcatch_totals - the terms of
 *	hits = recorded + filtered + over_budget + missed + lost
 * The equation holds when the session is stopped. Then what came of the returns of
 * those recorded (with a condition on the return: of those missed):
 * @no_slot: too many calls were under way to catch it
 * @return_lost: it found no room in the ring
 * @in_flight: it had not come when the session was stopped
 * @undecided: of the missed: in flight or without a slot, whose condition was never tried
 */
struct kcatch_totals {
	uint64_t hits;
	uint64_t recorded;
	uint64_t filtered;
	uint64_t over_budget;
	uint64_t missed;
	uint64_t lost;
	uint64_t no_slot;
	uint64_t return_lost;
	uint64_t in_flight;
	uint64_t undecided;
};

/**
 * kcatch_session_nr_probes - probes armed so far
 * kcatch_session_nr_attached - probes that are still in place
 * kcatch_session_nr_skipped - functions that patterns met and that cannot be traced
 * kcatch_session_nr_left_out - functions that patterns met and to which the condition
 *	does not apply: they lack an argument it names, or cannot fail
 * kcatch_session_nr_waiting - calls that were caught and whose return has not come: their
 *	events come with it, or after kcatch_session_stop()
 * kcatch_session_nr_damaged - records that could not be read (should be 0)
 * @session: the session
 *
 * Return: the number.
 */
KCATCH_API size_t kcatch_session_nr_probes(const struct kcatch_session *session);
KCATCH_API size_t kcatch_session_nr_attached(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_nr_skipped(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_nr_left_out(const struct kcatch_session *session);
KCATCH_API size_t kcatch_session_nr_waiting(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_nr_damaged(const struct kcatch_session *session);

/**
 * kcatch_session_probe - what a probe is
 * @session: the session
 * @number: its number
 * @probe: the probe, valid as long as the session
 *
 * Return: 0, -ERANGE, -ENOMEM.
 */
KCATCH_API int kcatch_session_probe(struct kcatch_session *session, uint32_t number,
				    const struct kcatch_probe **probe);

/**
 * kcatch_session_nr_by - probes of one mechanism
 * @session: the session
 * @mechanism: which
 *
 * Return: how many.
 */
KCATCH_API size_t kcatch_session_nr_by(struct kcatch_session *session,
				       enum kcatch_mechanism mechanism);

/**
 * kcatch_session_totals - the counters of all probes
 * kcatch_session_probe_totals - the counters of one
 * @session: the session
 * @number: which probe
 * @totals: summed over all CPUs
 *
 * Return: 0 or -errno.
 */
KCATCH_API int kcatch_session_totals(struct kcatch_session *session,
				     struct kcatch_totals *totals);
KCATCH_API int kcatch_session_probe_totals(struct kcatch_session *session, uint32_t number,
					   struct kcatch_totals *totals);

/* ---- the module --------------------------------------------------------------- */

enum kcatch_feature {
	KCATCH_CAN_FTRACE = 1 << 0,
	KCATCH_CAN_KPROBE = 1 << 1,
	KCATCH_CAN_MATCH = 1 << 2,	/* the kernel resolves names and patterns */
	KCATCH_CAN_ORC = 1 << 3,	/* own stack walker in use */
	KCATCH_CAN_RETURN = 1 << 4,	/* returns can be caught */
	KCATCH_CAN_CONDITION = 1 << 5,	/* the kernel can run conditions */
};

/**
 * kcatch_session_features - what the module can do on this machine
 * kcatch_session_version - release of the module
 * kcatch_session_ring_bytes - memory of all rings of this session
 * @session: the session
 *
 * Return: KCATCH_CAN_* together; a string; bytes.
 */
KCATCH_API unsigned int kcatch_session_features(const struct kcatch_session *session);
KCATCH_API const char *kcatch_session_version(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_ring_bytes(const struct kcatch_session *session);

/**
 * kcatch_module_load - load the module with modprobe
 *
 * Runs /sbin/modprobe (or /usr/sbin/modprobe) and waits for it.
 *
 * Return: 0; -ENOENT when it is not installed for this kernel; -ENOKEY when
 * the kernel refuses its signature (Secure Boot); -EPERM without the right to
 * or under lockdown; -ENOEXEC when it was built for another kernel; another
 * -errno.
 */
KCATCH_API int kcatch_module_load(void);

/**
 * kcatch_session_nr_awaited - modules that were not loaded when their functions were asked for
 * @session: the session
 *
 * Return: how many.
 */
KCATCH_API size_t kcatch_session_nr_awaited(const struct kcatch_session *session);

/**
 * kcatch_session_awaited - one of them
 * @session: the session
 * @index: which
 * @module: its name
 * @file: what it would be loaded from; NULL: not known, and so no types of its functions
 *
 * Return: 0 or -ERANGE.
 */
KCATCH_API int kcatch_session_awaited(const struct kcatch_session *session, size_t index,
				      const char **module, const char **file);

/* ---- what can be caught ---------------------------------------------------------- */

/**
 * struct kcatch_function - a function that can be caught
 * @name: its name
 * @module: NULL for the kernel itself
 * @mechanism: how
 * @instances: functions of that name there; each is armed when it is asked for
 */
struct kcatch_function {
	const char *name;
	const char *module;
	enum kcatch_mechanism mechanism;
	unsigned int instances;
};

/**
 * kcatch_functions_list - all functions that match a pattern
 * @pattern: [module:]pattern or a plain name
 * @visit: is called for each, by module and name; ends the list when it does
 *	not return 0
 * @arg: for @visit
 *
 * Needs tracefs for functions that ftrace reaches and the kprobe blacklist
 * (debugfs) to leave out what kprobes must not touch.
 *
 * Return: 0; what @visit returned; -ENOENT when nothing matches (the error
 * text suggests); -EACCES; another -errno.
 */
KCATCH_API int kcatch_functions_list(const char *pattern,
				     int (*visit)(const struct kcatch_function *function, void *arg),
				     void *arg);

/* ---- the machine -------------------------------------------------------------------- */

enum kcatch_tristate {
	KCATCH_NO,
	KCATCH_YES,
	KCATCH_UNKNOWN,
};

/**
 * struct kcatch_machine - what matters for tracing on this machine
 * @release: of the running kernel
 * @is_root: effective user 0
 * @can_trace: CAP_SYS_ADMIN, or CAP_PERFMON and CAP_SYSLOG
 * @module_loaded: /dev/kcatch or /sys/module/kcatch is there
 * @module_file: where modprobe would find it; "" when not installed
 * @headers: directory of kernel headers to build with; "" when absent
 * @secure_boot: the firmware wants signatures
 * @lockdown: "none", "integrity", "confidentiality", "" when not known
 * @kptr_restrict: the sysctl, -1 unknown
 * @ftrace_enabled: the sysctl, -1 unknown
 * @kprobes_enabled: debugfs' kprobes/enabled, -1 unknown
 * @tracefs: where it is mounted; "" nowhere
 * @btf: types of the kernel are there
 * @has_kprobe_blacklist: debugfs shows it
 */
struct kcatch_machine {
	char release[65];
	bool is_root;
	bool can_trace;
	bool module_loaded;
	char module_file[512];
	char headers[512];
	enum kcatch_tristate secure_boot;
	char lockdown[32];
	int kptr_restrict;
	int ftrace_enabled;
	int kprobes_enabled;
	char tracefs[64];
	bool btf;
	bool has_kprobe_blacklist;
};

/**
 * kcatch_machine_create - examine the machine
 * @machine: the facts
 *
 * Return: 0 or -ENOMEM.
 */
KCATCH_API int kcatch_machine_create(const struct kcatch_machine **machine);

/**
 * kcatch_machine_destroy - forget the facts
 * @machine: may be NULL
 */
KCATCH_API void kcatch_machine_destroy(const struct kcatch_machine *machine);

/**
 * kcatch_machine_hides_addresses - must kernel addresses not be shown
 *
 * Return: whether the sysctl kernel.kptr_restrict is 2.
 */
KCATCH_API bool kcatch_machine_hides_addresses(void);

#ifdef __cplusplus
}
#endif

#include <kcatch_recording.h>

#endif
