/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch.h - libkcatch: catch calls of kernel functions from a program
 *
 * A session is one open file of the kcatch module. Closing it, or the end of the program,
 * removes everything armed through it.
 *
 *	struct kcatch_session *session;
 *	const char *names[] = { "vfs_read" };
 *	struct kcatch_request request = { .size = sizeof(request),
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
 * Functions return a non-negative number or -errno; kcatch_error_text() is the text of the
 * last failure in the calling thread. The library does not print, exit, or install signal
 * handlers. One thread at a time may use a session; different threads may use different
 * sessions.
 *
 * The library is a static one, of the command and of programs that are built with it. It may
 * change: names, structures and meanings of another release may differ, and nothing is promised
 * to a program that was built against another one. Build a program against the headers of the
 * library that it is linked with. Structures that the caller fills in begin with their own size,
 * by which the library refuses those of other headers: initialize them with
 * { .size = sizeof(x) } or with their function kcatch_..._init().
 */
#ifndef KCATCH_H
#define KCATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <uapi/kcatch_counters.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KCATCH_API	/* what programs may call: libkcatch(3) */

struct kcatch_session;

/* ---- sessions ------------------------------------------------------------- */

/**
 * struct kcatch_own_field - a field that the user has added to a record
 * @name: its name
 * @expression: its value, in the language of conditions, over the arguments and the thread
 */
struct kcatch_own_field {
	const char *name;
	const char *expression;
};

/**
 * struct kcatch_request - what to catch
 * @size: size of the struct as the caller knows it: sizeof(), bytes
 * @functions: names: [module:]function, [module:]function+OFFSET (decimal or
 *	hexadecimal), or patterns with * ? [abc]
 * @nr_functions: number of entries in @functions; the same function twice is armed once
 * @budget: maximum number of events of the whole request; 0: no limit
 * @depth: maximum frames of a stack; 0: KCATCH_DEPTH_DEFAULT (64)
 * @no_stack: record no kernel stack
 * @pid: record only this process (all its threads); 0: every process
 * @children: with @pid: also record all its descendants, existing or future
 * @comm: record only threads of this name, at most 15 bytes; NULL: every thread
 * @others_only: leave out calls of the calling process, for a tracer that writes what it caught
 * @returns: catch the return as well: value, latency
 * @arguments: fetch arguments and return values by their types
 * @condition: record only calls for which this is true, kcatch-condition(7); NULL: all calls
 * @errors: record only calls that fail: a negative errno, an error pointer, NULL
 *	where a pointer is returned; needs @returns
 * @false_fails: with @errors: a returned bool that is false is a failure, too
 * @under: patterns of functions to record as well, while a call of @functions is
 *	under way in the same thread (a call tree); needs @returns
 * @nr_under: number of entries in @under
 * @levels: with @under: maximum levels below the call; 0: any number
 * @user_stack: bytes of the user stack to take with each call of @functions; 0: none
 * @string_size: maximum bytes of a fetched string; 0: 128
 * @struct_size: maximum bytes fetched of a struct behind a pointer; 0: 128
 * @only_forms: of a struct with a readable form, as a file has its path, fetch nothing but that;
 *	not with @deep
 * @deep: pointers inside structs to follow; 0: one level, the struct itself
 * @pending: accept a function (MODULE:FUNCTION) of a module that is not loaded: it is
 *	caught from the module's init on, each time the module is loaded
 * @events: tracepoints as SYSTEM:NAME or NAME, DO_TRACE events as ktrace:NAME, or patterns
 *	of these; "core": the built-in set. @functions may be set as well
 * @nr_events: number of entries in @events
 * @event_stacks: take the stack with each event as well
 * @overwrite: flight recorder: new packets overwrite the oldest (read by kcatch_session_setup())
 * @freeze: the first record of this request freezes the session
 * @freeze_on: KCATCH_FREEZE_* bits: what else freezes it (read by kcatch_session_setup())
 * @count: count calls instead of recording them (kcatch_counts.h); NULL: record
 * @pair: record or count a pair of events, instead of @functions and @events; NULL: these
 * @cgroup: record only threads in this cgroup or one below it, existing or future: a path in
 *	the default hierarchy, such as "/system.slice"; NULL: every thread
 * @with_cgroup: record the thread's cgroup with each call (kcatch_event.cgroup)
 * @with: more fields of records: they follow the arguments, kcatch_session_arg(), where they apply.
 *	One that applies to nothing is refused
 * @nr_with: number of entries in @with, at most 16
 * @in_flight: most calls under way at once whose return is caught, 1 to 65536; 0: 4096, or 1024
 *	where calls are counted. Further ones are in no_slot of struct kcatch_totals
 * @in_call: of the scheduler's events (sched:*) only those of a thread inside a call whose return
 *	is caught, those about such a thread, and all while one waits for a CPU; the budget is 0
 */
struct kcatch_request {
	size_t size;
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
	bool only_forms;
	unsigned int deep;
	bool pending;
	const char *const *events;
	size_t nr_events;
	bool event_stacks;
	bool overwrite;
	bool freeze;
	unsigned int freeze_on;
	const struct kcatch_count_request *count;
	const struct kcatch_pair_request *pair;
	const char *cgroup;
	bool with_cgroup;
	const struct kcatch_own_field *with;
	size_t nr_with;
	uint32_t in_flight;
	bool in_call;
};

/**
 * kcatch_request_init - initialize an empty request
 * @request: its size is set; every other member becomes zero
 */
static inline void kcatch_request_init(struct kcatch_request *request)
{
	memset(request, 0, sizeof(*request));
	request->size = sizeof(*request);
}

/* struct kcatch_request.freeze_on */
#define KCATCH_FREEZE_OOPS	(1U << 0)
#define KCATCH_FREEZE_WARN	(1U << 1)
#define KCATCH_FREEZE_PANIC	(1U << 2)
#define KCATCH_FREEZE_LOG	(1U << 3)	/* freezing logs the last records to dmesg */
#define KCATCH_FREEZE_LOCKUP	(1U << 4)	/* soft lockup */
#define KCATCH_FREEZE_HUNG	(1U << 5)	/* hung task */

/**
 * kcatch_session_open - open the module's device
 * @session: the new session
 *
 * Return: 0; -ENOENT when the module is not loaded (see kcatch_module_load());
 * -EACCES or -EPERM without the right to trace or under lockdown; -EPROTO when
 * the releases of module and library are incompatible; another -errno.
 */
KCATCH_API int kcatch_session_open(struct kcatch_session **session);

/**
 * kcatch_session_close - disarm all probes and free the session
 * @session: the session, or NULL
 */
KCATCH_API void kcatch_session_close(struct kcatch_session *session);

/**
 * kcatch_session_setup - allocate the ring buffers
 * @session: the session
 * @ring_size: bytes per CPU, rounded up to a power of two; 0: what @request needs
 * @request: the request that will be added; NULL: not known yet
 *
 * Return: 0, -EINVAL when @ring_size is out of range or too small for @request, -ENOMEM,
 * or another -errno.
 */
KCATCH_API int kcatch_session_setup(struct kcatch_session *session, uint64_t ring_size,
				    const struct kcatch_request *request);

/**
 * kcatch_session_add - arm the probes of a request
 * @session: the session, after kcatch_session_setup()
 * @request: what to catch
 *
 * Either all probes are armed or none. The error text names the function at fault,
 * says why it cannot be caught and what to try instead.
 *
 * Return: 0; -ENOENT no such function; -EADDRNOTAVAIL or -EOVERFLOW the function cannot be
 * hooked; -EPERM the function must not be hooked; -EBUSY tracing is switched off, or the
 * session runs: then only functions without returns and without anything to fetch, to compare or
 * to count can be added; -ESRCH no such process; -EINVAL the request is invalid; -ETIMEDOUT a
 * CPU takes no interrupts; another -errno.
 */
KCATCH_API int kcatch_session_add(struct kcatch_session *session,
				  const struct kcatch_request *request);

/**
 * kcatch_session_start - start recording
 * kcatch_session_stop - stop recording; recorded events can still be read
 * @session: the session
 *
 * Return: 0; -ETIMEDOUT a CPU takes no interrupts; another -errno.
 */
KCATCH_API int kcatch_session_start(struct kcatch_session *session);
KCATCH_API int kcatch_session_stop(struct kcatch_session *session);

/** enum kcatch_frozen - what froze a session; numbers as in the uapi */
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
 * kcatch_session_frozen - whether a session is frozen, and by what
 * @session: the session
 * @probe: with KCATCH_FROZEN_BY_PROBE: number of the probe; NULL: not wanted
 * @time_ns: time of freezing, CLOCK_MONOTONIC, ns; NULL: not wanted
 *
 * kcatch_session_start() thaws the session. poll() on the descriptor reports POLLPRI while
 * the session is frozen.
 *
 * Return: enum kcatch_frozen or -errno.
 */
KCATCH_API int kcatch_session_frozen(struct kcatch_session *session, uint32_t *probe,
				     uint64_t *time_ns);

/**
 * kcatch_session_fd - descriptor to poll() for POLLIN and POLLHUP
 * @session: the session
 *
 * POLLIN: many events can be read, or a budget is spent. A few events do not wake
 * poll(): call kcatch_session_next() ten times a second to see them soon.
 * POLLHUP: no probe is attached any more. POLLERR: the session is broken.
 *
 * Return: the file descriptor, owned by the session.
 */
KCATCH_API int kcatch_session_fd(const struct kcatch_session *session);

/**
 * kcatch_session_wait - poll() the descriptor
 * @session: the session
 * @timeout_ms: maximum wait, milliseconds; -1: no limit
 *
 * Return: poll events (POLLIN and others), 0 when the time is up, -errno (-EINTR).
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
	KCATCH_STACK_WHOLE,		/* complete: to user mode or to the thread's start */
	KCATCH_STACK_CUT,		/* cut at the requested depth */
	KCATCH_STACK_LOST_TRACK,	/* the unwinder gave up after the last frame */
	KCATCH_STACK_ABSENT,		/* not requested */
};

enum kcatch_event_return {
	KCATCH_RETURN_NOT_ASKED,
	KCATCH_RETURN_SEEN,
	KCATCH_RETURN_PENDING,	/* tracing or the thread ended before the call returned */
	KCATCH_RETURN_NO_SLOT,	/* too many calls were under way to hook the return */
	KCATCH_RETURN_LOST,	/* the call returned, but the ring buffer had no room */
	KCATCH_RETURN_FORGOTTEN,	/* more calls were under way than the library keeps */
	KCATCH_RETURN_UNDER_WAY,	/* kcatch_session_lasting(): it has not returned yet */
};

/**
 * struct kcatch_event - one caught call
 * @time_ns: time of the entry, CLOCK_MONOTONIC, ns
 * @probe: number of the probe, for kcatch_session_probe()
 * @cpu: CPU number of the entry
 * @pid: process number
 * @tid: thread number
 * @comm: thread name, NUL-terminated; may hold any other byte
 * @context: KCATCH_IN_*
 * @irqs_off: interrupts were off at the call
 * @stack: KCATCH_STACK_*
 * @nr_frames: number of kernel frames, for kcatch_session_frame()
 * @returned: KCATCH_RETURN_*
 * @ret: with KCATCH_RETURN_SEEN: return value, the whole register
 * @latency_ns: with KCATCH_RETURN_SEEN: time from entry to return, ns; with KCATCH_RETURN_UNDER_WAY
 *	since the entry; with @first since that one
 * @off_cpu_known: the next four are known: of a call whose return was seen or that is under way,
 *	with its switches
 * @switches: how often the thread was switched out during the call
 * @oncpu_ns: time of the call on a CPU, interrupts included, ns. The three add up to @latency_ns
 * @runnable_ns: time that it waited for a CPU, ns
 * @blocked_ns: time that it was blocked, ns
 * @away_ns: with KCATCH_RETURN_UNDER_WAY: time since the thread was switched out last, which is in
 *	none of the three, ns; 0: it is on a CPU
 * @typed: arguments have types; false: they are raw registers, or were not asked for
 * @nr_args: number of arguments, for kcatch_session_arg()
 * @call: number of the call, unique in the session; with KCATCH_RETURN_UNDER_WAY another one, which
 *	its thread has for no other call
 * @parent: @call of the innermost caught call of the same thread that encloses this
 *	call; 0: none. The parent's event may come later
 * @level: number of caught calls that enclose this call
 * @nr_user_frames: number of user frames, for kcatch_session_user_frame(); -1: no user
 *	stack was taken
 * @is_event: a tracepoint or a DO_TRACE event, not a call: its fields are the arguments.
 *	Without a stack @comm is "" when the name is unknown
 * @first: of the second event of a pair kcatch_pair_request.first, valid as the session; or NULL
 * @cgroup: with kcatch_request.with_cgroup: number of the thread's cgroup, for
 *	kcatch_session_cgroup(); 0: it was not recorded, as with DO_TRACE events
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
	bool off_cpu_known;
	uint32_t switches;
	uint64_t oncpu_ns;
	uint64_t runnable_ns;
	uint64_t blocked_ns;
	uint64_t away_ns;
	bool typed;
	uint32_t nr_args;
	uint64_t call;
	uint64_t parent;
	uint32_t level;
	int32_t nr_user_frames;
	bool is_event;
	const char *first;
	uint64_t cgroup;
};

/**
 * struct kcatch_frame - one frame of a stack, innermost is number 0
 * @address: return address, or address of the interrupted instruction
 * @symbol: symbol name; NULL: unknown
 * @module: module name; NULL: the kernel itself
 * @offset: offset of @address in @symbol, bytes; of a user frame without a symbol: in its file, as
 *	addr2line(1) takes it
 * @build_id: of a user frame without a symbol: the build ID of its file
 * @build_id_size: bytes of it; 0: none, or one that is longer
 * @interrupted: the frame was left by an interrupt, not by a call
 * @inlined: this function was inlined into that of the next frame: both frames have the
 *	same address
 * @file: source file; NULL without debug information
 * @line: line number in @file
 * @self: placeholder for kcatch's own code that was interrupted; no other member is set
 * @hooked: another tracer has hooked the return, and who called is not known; @symbol says so, no
 *	other member is set
 * @end: of the last user frame: how the stack ends, KCATCH_STACK_CUT where it goes on beyond the
 *	bytes that were taken, 128 calls or the caller's room. 0 (KCATCH_STACK_WHOLE) of all others
 */
struct kcatch_frame {
	uint64_t address;
	const char *symbol;
	const char *module;
	uint32_t offset;
	uint32_t build_id_size;
	uint8_t build_id[32];
	bool interrupted;
	bool self;
	bool hooked;
	bool inlined;
	const char *file;
	uint32_t line;
	enum kcatch_event_stack end;
};

/**
 * kcatch_session_lasting - look at the calls that have lasted long and have not returned
 * @session: it runs, and its condition needs the return, so that entries have no record yet
 * @least_ns: nanoseconds that a call has lasted at least
 * @wait_ns: receives after how many nanoseconds there may be another one
 * @left_out: receives how many calls that have lasted so long are left out: there was no room, or
 *	they changed each time they were looked at
 *
 * Looks at all threads of the machine; nothing is kept for it at a hit. Calls in interrupts are not
 * looked at.
 *
 * Return: the number of calls, for kcatch_session_lasting_call(); -EOPNOTSUPP this kernel keeps no
 * list of hooked returns; another -errno.
 */
KCATCH_API int kcatch_session_lasting(struct kcatch_session *session, uint64_t least_ns,
				      uint64_t *wait_ns, uint32_t *left_out);

/**
 * kcatch_session_lasting_call - one of these calls as an event
 * @session: the session
 * @index: 0 up to what kcatch_session_lasting() returned
 * @event: receives the event, with KCATCH_RETURN_UNDER_WAY; valid until the next one. Its stack is
 *	that of the thread now, from the innermost frame on; KCATCH_STACK_ABSENT: it is on a CPU
 *	or has ended
 *
 * Return: 0; -ERANGE there is no such call; another -errno.
 */
KCATCH_API int kcatch_session_lasting_call(struct kcatch_session *session, uint32_t index,
					   const struct kcatch_event **event);

/**
 * kcatch_session_next - read the next event, in order of time
 * @session: the session
 * @event: the event, valid until the next kcatch_session_next()
 *
 * While the session runs, the newest events are held back until every CPU has been
 * read, so that events come in order; after kcatch_session_stop() all events come.
 *
 * With @returns, a call comes after its return. In one thread an outer call comes
 * before the calls it encloses; calls of different threads come as they end. A call
 * waits for a long enclosing call for at most 200 ms.
 *
 * Return: 1; 0 when there is no event now; -errno.
 */
KCATCH_API int kcatch_session_next(struct kcatch_session *session,
				   const struct kcatch_event **event);

/**
 * kcatch_session_frame - a kernel frame of the current event (last kcatch_session_next())
 * @session: the session
 * @index: frame number, 0..nr_frames - 1
 * @frame: the frame; its strings live as long as the session
 *
 * Return: 0, -ERANGE when there is no such frame, -ENOMEM.
 */
KCATCH_API int kcatch_session_frame(struct kcatch_session *session, uint32_t index,
				    struct kcatch_frame *frame);

/* ---- values -------------------------------------------------------------------- */

enum kcatch_value_kind {
	KCATCH_VALUE_INTEGER,	/* @number; signed if @is_signed; its names in @text when it has
				 * any: "O_WRONLY|O_CREAT" */
	KCATCH_VALUE_BOOL,	/* @number */
	KCATCH_VALUE_ENUM,	/* @number, the enumerator's name in @text when it has one */
	KCATCH_VALUE_POINTER,	/* @number; the pointee in @children[0] when followed, and
				 * its readable form in @text */
	KCATCH_VALUE_FUNCTION,	/* @number: an address of code; @text its symbol when known */
	KCATCH_VALUE_STRING,	/* @text, @length; @number the pointer (0 for an array) */
	KCATCH_VALUE_BYTES,	/* @text, @length and @number like a string, but no text */
	KCATCH_VALUE_STRUCT,	/* @children by member name; unions too */
	KCATCH_VALUE_ARRAY,	/* @children without names */
	KCATCH_VALUE_VOID,	/* a function without a return value */
	KCATCH_VALUE_UNKNOWN,	/* not fetched: the type is not supported */
};

/**
 * struct kcatch_value - an argument, a return value, or a part of one
 * @name: name of the argument or member; NULL for array elements
 * @type: type name as in C: "struct file *"
 * @kind: KCATCH_VALUE_*
 * @is_signed: an integer is signed
 * @fault: the memory could not be read (bad pointer, paged out)
 * @cut: only the first part of the value was fetched; of a path in @text, which then begins with
 *	"...", only the last part
 * @changed: the value was fetched at the return and differs from the entry
 * @is_error: a pointer is an error pointer, or a returned integer is a negative errno;
 *	@text is the errno's name
 * @is_symbol: @text is the kernel symbol that a pointer points to (a table of operations,
 *	a static struct)
 * @is_late: it is user memory that could not be read at the entry, as it was at the return
 * @is_hardware: @text is a hardware address, made readable: 52:54:00:ab:cd:ef
 * @is_raw: of a tracepoint whose fields follow: an argument that they tell of
 * @number: the value, sign- or zero-extended
 * @text: bytes as described at the kinds; NULL: none; may hold any byte
 * @length: length of @text, bytes
 * @children: pointee, members or elements
 * @nr_children: number of entries in @children
 * @bytes: size of the type, bytes; 0: unknown
 * @at_return: the pointee at the return, if it was fetched and differs from the entry;
 *	else NULL
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
	bool is_hardware;
	bool is_late;
	bool is_raw;
	uint64_t number;
	const char *text;
	size_t length;
	const struct kcatch_value *children;
	size_t nr_children;
	size_t bytes;
	const struct kcatch_value *at_return;
};

/**
 * kcatch_session_arg - an argument of the current event (last kcatch_session_next())
 * @session: the session
 * @index: argument number, 0..nr_args - 1
 * @value: the value, valid until the next kcatch_session_next(). If the event is not
 *	@typed: an argument register, under the processor's name
 *
 * Return: 0, -ERANGE when there is no such argument, -ENOMEM.
 */
KCATCH_API int kcatch_session_arg(struct kcatch_session *session, uint32_t index,
				  const struct kcatch_value **value);

/**
 * kcatch_session_return_value - the return value of the current event, by its type
 * @session: the session
 * @value: the value, valid until the next kcatch_session_next()
 *
 * Return: 0, -ENODATA when the return was not seen, -ENOMEM.
 */
KCATCH_API int kcatch_session_return_value(struct kcatch_session *session,
					   const struct kcatch_value **value);

/**
 * kcatch_session_user_frame - a user frame of the current event
 * @session: the session
 * @index: frame number, 0..nr_user_frames - 1
 * @frame: the frame; its module is the mapped file that holds the code
 *
 * Return: 0, -ERANGE when there is no such frame, -ENOMEM.
 */
KCATCH_API int kcatch_session_user_frame(struct kcatch_session *session, uint32_t index,
					 struct kcatch_frame *frame);

/* ---- watchpoints ---------------------------------------------------------------- */

/**
 * kcatch_session_watch - arm a hardware watchpoint: what changes this variable
 * @session: the session, after kcatch_session_setup()
 * @what: [MODULE:]VARIABLE[+OFFSET][:SIZE], or 0xADDRESS[:SIZE]; SIZE is 1, 2, 4 or 8
 *	bytes, by default as large as the variable and its address allow
 * @access: catch reads as well as writes
 * @request: budget, depth, pid, comm, others_only; and condition, in which `old` and `new`
 *	are the values, unsigned. Other members are not used
 *
 * Each hit is an event. Its stack begins at the caller of the function that accessed the
 * memory; kcatch_session_watch_hit() reads the other data of the hit. A CPU that comes online
 * later is watched as well; if its debug registers are taken, the kernel log says that it is
 * not.
 *
 * Return: 0; -ENOENT no such variable; -ENOSPC all debug registers are taken;
 * -EADDRNOTAVAIL no memory at the address; -EBUSY there is a condition, and the session runs;
 * -EINVAL @what or @request is invalid; another -errno.
 */
KCATCH_API int kcatch_session_watch(struct kcatch_session *session, const char *what, bool access,
				    const struct kcatch_request *request);

/**
 * struct kcatch_watch_hit - one hit of a watchpoint
 * @old_value: value after the previous hit, for the first hit the initial value;
 *	zero-extended
 * @new_value: value after this hit; zero-extended
 * @address: address of the watched memory
 * @size: size of the watched memory, bytes
 * @access: the watchpoint catches reads as well: this hit may be a read
 * @by: the code that accessed the memory: the address behind the instruction. Its strings
 *	live as long as the session
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
 * kcatch_session_watch_hit - the watchpoint hit of the current event
 * @session: the session
 * @hit: the hit
 *
 * Return: 0, -ENODATA when the event is not from a watchpoint, -ENOMEM.
 */
KCATCH_API int kcatch_session_watch_hit(struct kcatch_session *session,
					struct kcatch_watch_hit *hit);

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
 * @mechanism: KCATCH_BY_*
 *
 * Return: the mechanism's name.
 */
KCATCH_API const char *kcatch_mechanism_name(enum kcatch_mechanism mechanism);

/**
 * struct kcatch_probe - one armed address
 * @function: requested function name, or with a pattern the kernel's name; NULL: unknown;
 *	for an event the event's name
 * @module: module name; NULL: the kernel itself; for a tracepoint its system ("sched"), for
 *	a DO_TRACE event "ktrace"
 * @offset: offset in the function, bytes
 * @address: address of the probe
 * @mechanism: KCATCH_BY_*
 * @which: another function of the session has the same name and module: what tells them apart,
 *	"@0xffffffff81234560", or "#3", the number of the probe, for who may not see addresses.
 *	NULL: the name is enough
 * @in_call: kcatch_request.in_call: hits about threads outside of calls are left out
 */
struct kcatch_probe {
	const char *function;
	const char *module;
	uint32_t offset;
	uint64_t address;
	enum kcatch_mechanism mechanism;
	const char *which;
	bool in_call;
};

/**
 * struct kcatch_totals - the terms of
 *	hits = recorded + filtered + over_budget + undecided + missed + lost
 * The equation holds when the session is stopped. All members are numbers of calls. The
 * last three count hits by the fate of their return; with a condition on the return these are
 * undecided, or over budget.
 * @hits: sum of the six terms
 * @recorded: made a record
 * @filtered: refused by the gate or by the condition
 * @over_budget: came after the budget was spent, or while the session was frozen
 * @undecided: whether the condition holds is not known: memory could not be read, or the return was
 *	not seen
 * @missed: not examined by the hook
 * @lost: found no room in the ring buffer
 * @no_slot: the return was not hooked, because too many calls were under way
 * @return_lost: the ring buffer had no room for the return
 * @in_flight: the call had not returned when the session was stopped or frozen
 *
 * uapi/kcatch_counters.h has the list of its members.
 */
struct kcatch_totals {
	uint64_t hits;
#define KCATCH_TOTALS_MEMBER(name, words, help) uint64_t name;
	KCATCH_COUNTERS(KCATCH_TOTALS_MEMBER)
#undef KCATCH_TOTALS_MEMBER
};

/**
 * kcatch_totals_add - add counters to a sum
 * @sum: the sum
 * @more: what is added
 */
static inline void kcatch_totals_add(struct kcatch_totals *sum, const struct kcatch_totals *more)
{
	sum->hits += more->hits;
#define KCATCH_TOTALS_ADD(name, words, help) sum->name += more->name;
	KCATCH_COUNTERS(KCATCH_TOTALS_ADD)
#undef KCATCH_TOTALS_ADD
}

/**
 * kcatch_session_note - something to tell the user of the requests, beside errors
 * @session: the session, armed; or a recording of which events are filtered or counted
 * @index: 0 for the first one
 *
 * A name that means another value than the argument of that name, a comparison that can never
 * hold, a function that was asked for and to which the condition does not apply.
 *
 * Return: a sentence without a point, valid as long as the session; NULL: there are no more.
 */
KCATCH_API const char *kcatch_session_note(const struct kcatch_session *session, size_t index);

/**
 * kcatch_session_arming - how far kcatch_session_add() is
 * @session: the session
 * @ready: receives the number of functions and events whose arguments were looked at
 * @found: receives the number of those that were found and hooked, in this step; 0: they are being
 *	looked for and hooked
 *
 * Context: any thread, while another one is in kcatch_session_add().
 */
KCATCH_API void kcatch_session_arming(const struct kcatch_session *session, size_t *ready,
				      size_t *found);

/**
 * kcatch_session_nr_probes - number of probes armed so far
 * kcatch_session_nr_attached - number of probes that are still attached
 * kcatch_session_nr_skipped - number of functions that match a pattern but cannot be traced
 * kcatch_session_nr_left_out - number of functions that match but to which the
 *	condition does not apply: they lack an argument it names, or cannot fail
 * kcatch_session_nr_waiting - number of caught calls that have not returned: their events
 *	come with the return, or after kcatch_session_stop()
 * kcatch_session_nr_forgotten - number of calls delivered without their return, because more
 *	than 65536 calls or 128 MB of records were under way (KCATCH_RETURN_FORGOTTEN)
 * kcatch_session_nr_unarmed - number of functions of modules that were loaded meanwhile, which were
 *	asked for and could not be armed; the kernel's log says why
 * kcatch_session_nr_disarmed - number of probes that were out of place for some of the time, as
 *	kprobes were switched off or a CPU had no watchpoint: how many calls were not seen is not
 *	known
 * kcatch_session_nr_died - number of threads that died in a hook while the session ran, by a fault
 *	in another's code: their calls are in no counter
 * kcatch_session_nr_damaged - number of records that could not be read (should be 0)
 * @session: the session
 *
 * Return: the number.
 */
KCATCH_API size_t kcatch_session_nr_probes(const struct kcatch_session *session);
KCATCH_API size_t kcatch_session_nr_attached(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_nr_skipped(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_nr_left_out(const struct kcatch_session *session);
KCATCH_API size_t kcatch_session_nr_waiting(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_nr_forgotten(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_nr_unarmed(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_nr_disarmed(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_nr_died(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_nr_damaged(const struct kcatch_session *session);

/**
 * kcatch_session_probe - describe a probe
 * @session: the session
 * @number: number of the probe
 * @probe: the probe, valid as long as the session
 *
 * Return: 0; -ERANGE there is no such probe; -ENOENT a recording has the probe's number alone, as
 *	it has no record of it; -ENOMEM.
 */
KCATCH_API int kcatch_session_probe(struct kcatch_session *session, uint32_t number,
				    const struct kcatch_probe **probe);

/**
 * kcatch_session_nr_by - number of probes of one mechanism
 * @session: the session
 * @mechanism: KCATCH_BY_*
 *
 * Return: the number of probes.
 */
KCATCH_API size_t kcatch_session_nr_by(struct kcatch_session *session,
				       enum kcatch_mechanism mechanism);

/**
 * kcatch_session_totals - the counters of all probes
 * kcatch_session_probe_totals - the counters of one probe
 * @session: the session
 * @number: number of the probe
 * @totals: counters, summed over all CPUs; 0 at first, whatever is returned
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
	KCATCH_CAN_ORC = 1 << 3,	/* the module uses its own ORC stack walker */
	KCATCH_CAN_RETURN = 1 << 4,	/* returns can be caught */
	KCATCH_CAN_CONDITION = 1 << 5,	/* the kernel can run conditions */
	KCATCH_CAN_PATH = 1 << 6,	/* paths of files do not end at their mount */
	KCATCH_CAN_NMI = 1 << 7,	/* other modules can save the stack of a running thread */
	KCATCH_CAN_TABLE = 1 << 8,	/* functions are looked up in the kernel's symbol table */
	KCATCH_CAN_RETURN_SHARED = 1 << 9,	/* returns need no kretprobe for each function, and
						 * kcatch_request.in_call can be had */
};

/**
 * kcatch_session_features - features of the module on this machine
 * kcatch_session_version - release of the module
 * kcatch_session_ring_bytes - memory of all ring buffers of this session
 * @session: the session
 *
 * Return: KCATCH_CAN_* bits; the release as a string; bytes.
 */
KCATCH_API unsigned int kcatch_session_features(const struct kcatch_session *session);
KCATCH_API const char *kcatch_session_version(const struct kcatch_session *session);
KCATCH_API uint64_t kcatch_session_ring_bytes(const struct kcatch_session *session);

/**
 * kcatch_module_load - load the module with modprobe
 *
 * Runs /sbin/modprobe (or /usr/sbin/modprobe) and waits for it.
 *
 * Return: 0; -ENOENT when the module is not installed for this kernel; -ENOKEY when
 * the kernel refuses its signature (Secure Boot, lockdown); -EPERM without the right to load
 * modules; -ENOEXEC when it was built for another kernel or has a wrong parameter; another
 * -errno.
 */
KCATCH_API int kcatch_module_load(void);

/**
 * kcatch_session_nr_awaited - number of modules not loaded when their functions were requested
 * @session: the session
 *
 * Return: the number of modules.
 */
KCATCH_API size_t kcatch_session_nr_awaited(const struct kcatch_session *session);

/**
 * kcatch_session_awaited - a module that was not loaded when its functions were requested
 * @session: the session
 * @index: 0..kcatch_session_nr_awaited() - 1
 * @module: name of the module
 * @file: path of the module file; NULL: unknown, so its functions have no types
 *
 * Return: 0, -ERANGE when @index is too large.
 */
KCATCH_API int kcatch_session_awaited(const struct kcatch_session *session, size_t index,
				      const char **module, const char **file);

#ifdef __cplusplus
}
#endif

#include <kcatch_counts.h>
#include <kcatch_signals.h>
#include <kcatch_machine.h>
#include <kcatch_recording.h>
#include <kcatch_printable.h>

#endif
