/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* handle.h - internals of a session, live or of a recording */
#ifndef LIB_SESSION_HANDLE_H
#define LIB_SESSION_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "arch/arch.h"
#include "fetch/decode.h"
#include "ring/calls.h"
#include <kcatch.h>
#include "debuginfo/source.h"
#include "debuginfo/user_stack.h"
#include "constants/constant_names.h"
#include "fetch/plan.h"
#include "ring/reader.h"
#include "session/awaited.h"
#include "session/cgroup_names.h"
#include "session/clock_anchors.h"
#include "session/lost_returns.h"
#include "session/namesakes.h"
#include "session/programs.h"
#include "symbols/symbols.h"
#include "types/types.h"

struct kcatch_count_state;
struct kcatch_pair_state;
struct kcatch_own_origin;
struct kcatch_session_note;
struct kcatch_stack_numbers;

/**
 * struct kcatch_probe_slot - what the library knows of one probe so far
 * @probe: the description handed to the caller
 * @which: memory of @probe.which
 * @which_known: it was looked for
 * @asked: name that the request gave, allocated; NULL: the request gave a pattern
 * @system: system of a tracepoint, allocated
 * @info: description of a DO_TRACE event, allocated; NULL: not a DO_TRACE event
 * @syscall: description of the event of one system call, allocated; NULL: no such event
 * @informed: @probe has address, offset and mechanism; a recording without them has the probe's
 *	number alone
 * @named: @probe has function and module
 * @returns: the function's return is hooked
 * @inner: its calls are under one that may be decided at its return
 * @counted: @totals are the final counters
 * @group: group number of the probe's ADD
 * @target: index of the probe's target in that ADD
 * @program: number of the probe's program; 0: none
 * @plan: plan of the values to fetch, owned by the session; NULL: nothing is fetched, or @late says
 * @fields: the fields of the tracepoint, kcatch_session_fields(); NULL: it has none
 * @fields_known: they were looked for
 * @constants: arguments whose numbers have names; NULL: none
 * @constants_known: they were looked for
 * @calls: KCATCH_PLAN_* of @plan, if it is known
 * @calls_known: it is
 * @late: its plan is made when it is needed, kcatch_session_make_plan(); NULL: it is @plan
 * @return_tried: the type of what it returns was looked for, as arguments were not asked for
 * @totals: the probe's counters of hits, missed hits and returns
 * @unreturned: number of calls that were handed out before their return came
 */
struct kcatch_probe_slot {
	struct kcatch_probe probe;
	char *which;
	bool which_known;
	char *asked;
	char *system;
	struct kcatch_event_info *info;
	struct kcatch_syscall_event *syscall;
	bool informed;
	bool named;
	bool returns;
	bool inner;
	bool counted;
	uint32_t group;
	uint32_t target;
	uint32_t program;
	const struct kcatch_plan *plan;
	struct kcatch_slot_fields *fields;
	bool fields_known;
	const struct kcatch_named_argument *constants;
	bool constants_known;
	enum kcatch_plan_calls calls;
	bool calls_known;
	struct kcatch_late_plan *late;
	bool return_tried;
	struct kcatch_totals totals;
	uint64_t unreturned;
};

/**
 * struct kcatch_slot_block - memory of slots that were added together
 * @next: those that were added before
 * @slots: thousands of them become memory only where they are written
 */
struct kcatch_slot_block {
	struct kcatch_slot_block *next;
	struct kcatch_probe_slot slots[];
};

/**
 * struct kcatch_shown_frame - a frame with its source line
 * @index: index of the frame in the record
 * @inlined: the function was inlined into the next one; both share the frame at @index
 * @line: function, file and line; zeroed: not known
 */
struct kcatch_shown_frame {
	uint32_t index;
	bool inlined;
	struct kcatch_source_line line;
};

struct kcatch_session;

/* Bytes of a record for the files that a process has mapped, beside what its stack leaves free:
 * some sixty libraries. */
#define KCATCH_USER_MAPS 8192

/**
 * struct kcatch_session_kind - operations that differ between a live session and a recording
 * @is_here: its processes are this machine's, and may live
 * @permit: checks whether the session may be changed (@what: "start it"); 0, or -EROFS with an
 *	error text
 * @ioctl: calls the module, restarted after signals; 0 or -errno, without an error text
 * @begin: begins a pass over the records present now and sets @until; 0 or -errno
 * @next: gets the next record of the pass, consistent in itself and valid until the next call;
 *	NULL: the pass is over
 * @prepare: called for a record that has to wait for its return
 * @passed: called when all records before @time have been read
 * @find_probe: gives a slot to a record's probe that has none; false: there is no such probe,
 *	and the record counts as damaged
 * @same_code: whether the source lines that were found for an address (@exact: it is no return
 *	address) are those of the code that was there at the time of @event
 * @names: gets a number for the names of addresses at the time of @event: while it is the same,
 *	so is the name of each address
 * @complete: fills in what @event needs beyond its record; 0 or -ENOMEM
 * @totals: gets the counters of all probes together; 0 or -errno
 * @probe_totals: gets the counters of one probe that has a slot; 0 or -errno
 * @cpu_totals: gets the counters of one CPU, of all probes; 0 or -errno
 * @damaged: number of records and packets that @next could not read so far
 * @close: releases @fd, @reader and @own; all other members are released before
 */
struct kcatch_session_kind {
	bool is_here;
	int (*permit)(const struct kcatch_session *session, const char *what);
	int (*ioctl)(const struct kcatch_session *session, unsigned long request, void *argument);
	int (*begin)(struct kcatch_session *session);
	int (*next)(struct kcatch_session *session, const struct kcatch_record **record,
		    uint32_t *cpu);
	void (*prepare)(struct kcatch_session *session, const struct kcatch_record *record);
	void (*passed)(struct kcatch_session *session, uint64_t time);
	bool (*find_probe)(struct kcatch_session *session, uint32_t number);
	bool (*same_code)(struct kcatch_session *session, uint64_t address, bool exact);
	uint64_t (*names)(const struct kcatch_session *session);
	int (*complete)(struct kcatch_session *session);
	int (*totals)(struct kcatch_session *session, struct kcatch_totals *totals);
	int (*probe_totals)(struct kcatch_session *session, uint32_t number,
			    struct kcatch_totals *totals);
	int (*cpu_totals)(struct kcatch_session *session, uint32_t cpu,
			  struct kcatch_totals *totals);
	uint64_t (*damaged)(const struct kcatch_session *session);
	void (*close)(struct kcatch_session *session);
};

/**
 * struct kcatch_event_view - the event handed to the caller, its record, and what was made of it
 * @event: the event
 * @record: record of an @event that is not a call, in the reader's memory; else NULL
 * @is_wide_call: @event is of a system call of a 64-bit program
 * @hit: record of @event, in the reader's memory; NULL: @event has no stack
 * @then: time of @event on the session's clock; 0: there is no event
 * @call: call of @event; NULL: @event is a plain hit
 * @args: arguments of @event; NULL: not decoded
 * @nr_args: number of entries in @args
 * @frames: frames of @event with their source lines
 * @nr_frames: number of entries in @frames; 0: frames are as recorded
 * @user_frames: user frames of @event, room for KCATCH_USER_FRAMES entries
 */
struct kcatch_event_view {
	struct kcatch_event event;
	const struct kcatch_record *record;
	bool is_wide_call;
	const struct kcatch_hit *hit;
	uint64_t then;
	struct kcatch_call *call;
	const struct kcatch_value *args;
	uint32_t nr_args;
	struct kcatch_shown_frame *frames;
	uint32_t nr_frames;
	struct kcatch_frame *user_frames;
};

/**
 * struct kcatch_armed - what was asked for, and what came of it
 * @broken: a failed ADD left probes behind: the session must not be started
 * @skipped: number of functions that patterns matched but did not arm
 * @left_out: number of functions that matched a pattern but to which the condition does not apply
 * @with: fields of the request that apply to a function or event, a bit each
 * @with_cut: it was told that there was no room for one
 * @why_without: why one did not apply to the last function that lacks one
 * @notes: what is to be told of the requests, kcatch_session_note()
 * @nr_notes: number of entries in @notes
 * @pending: the session waits for modules: probes may be added while it runs
 * @awaited: modules that the session waits for, with their functions' names and plans
 * @late_plans: memory of all struct kcatch_late_plan and their options
 * @only_returns: plans that know the return value's type alone, by the function's type
 * @namesakes: functions that share their name, as far as it was asked for
 * @which_later: probes are asked for while they are armed, or while namesakes are looked for
 * @untyped: module that was found to have no types last; NULL: none
 * @raw_plan: the plan (one of the session's @plans) for functions without types; NULL: not made yet
 * @ready, @found: kcatch_session_arming()
 */
struct kcatch_armed {
	bool broken;
	uint64_t skipped;
	uint64_t left_out;
	uint32_t with;
	bool with_cut;
	char why_without[1024];
	struct kcatch_session_note *notes;
	size_t nr_notes;
	bool pending;
	struct kcatch_awaited awaited;
	struct kcatch_arena late_plans;
	struct kcatch_table only_returns;
	struct kcatch_namesakes namesakes;
	bool which_later;
	const char *untyped;
	const struct kcatch_plan *raw_plan;
	size_t ready, found;
};

/**
 * struct kcatch_session - an open file of the module, or a recording
 * @kind: operations of a live session or of a recording
 * @own: private data of @kind
 * @fd: descriptor of the module's device; -1: a recording
 * @info: the module's description of itself, read at open
 * @ring_size: bytes of a CPU's ring buffer; 0 before setup
 * @packet_size: bytes of a packet
 * @running: true between start and stop
 * @in_pass: a pass has begun, and records of it are still unread
 * @passes: number of passes of a live session: in one, the name of an address stays the same
 * @partial: the recording is incomplete: a return may come without its entry
 * @foreign: addresses are those of another boot or machine
 * @reader: reader of the ring buffers; NULL before the first read
 * @symbols: maps addresses to symbols
 * @slots: probes by number, in @slot_blocks
 * @slot_blocks: their memory
 * @nr_slots: number of entries in @slots
 * @nr_counted: number of them that are in @nr_by
 * @nr_by: number of probes by enum kcatch_mechanism
 * @changed: modules that the session waits for are the same from this time of its clock to @until
 * @damaged: number of records whose probe does not exist
 * @unarmed: of a recording: kcatch_session_nr_unarmed()
 * @disarmed: of a recording: kcatch_session_nr_disarmed()
 * @died: of a recording: kcatch_session_nr_died()
 * @types: the kernel's types; NULL: not needed yet, or not available
 * @types_tried: loading @types was tried; if @types is NULL then, none are available
 * @plans: all plans of the session
 * @nr_plans: number of entries in @plans
 * @decoder: decodes values; NULL before the first value
 * @source: finds source lines; NULL before the first frame
 * @stacks: numbers of stacks; NULL before the first
 * @user_stacks: unwinds user stacks; NULL before the first user stack
 * @calls: pairs entries with returns; NULL before the first call that needs pairing
 * @lost_returns: finds those whose return was lost
 * @pairs: calls have returns or programs: all records go through @calls
 * @drains: the pass has ended, and the calls that it completed are being handed out
 * @until: end of the pass, session clock: records of this time or later belong to the next
 * @anchors: moments that are known on the session's clock and on CLOCK_MONOTONIC; a live
 *	session has one, the latest
 * @last_ns: time of the last event in ns: re-anchoring must not make time go back
 * @wide_calls: which threads are in a system call of a 64-bit program; NULL before the first
 * @cgroups: paths of cgroups, as far as they were looked up or are in the recording
 * @count: what a session counts instead of recording; NULL: it records
 * @pair: the pair of events that it records or counts; NULL: there is none
 * @origin: machine, boot and number of the session, allocated; NULL: not known yet
 * @armed: what was asked for, and what came of it
 * @view: the event handed to the caller
 */
struct kcatch_session {
	const struct kcatch_session_kind *kind;
	const struct kcatch_arch *arch;
	void *own;
	int fd;
	struct kcatch_info info;
	uint32_t ring_size;
	uint32_t packet_size;
	bool running;
	bool in_pass;
	uint64_t passes;
	bool partial;
	bool foreign;
	struct kcatch_ring_reader *reader;
	struct kcatch_symbols *symbols;
	struct kcatch_probe_slot **slots;
	struct kcatch_slot_block *slot_blocks;
	size_t nr_slots;
	size_t nr_counted;
	size_t nr_by[KCATCH_BY_WATCH + 1];
	uint64_t changed;
	uint64_t damaged;
	uint64_t unarmed;
	uint64_t disarmed;
	uint64_t died;
	struct kcatch_types *types;
	bool types_tried;
	struct kcatch_plan **plans;
	size_t nr_plans;
	struct kcatch_decoder *decoder;
	struct kcatch_source *source;
	struct kcatch_stack_numbers *stacks;
	struct kcatch_user_stacks *user_stacks;
	struct kcatch_calls *calls;
	struct kcatch_lost_returns lost_returns;
	bool pairs;
	bool drains;
	uint64_t until;
	struct kcatch_anchors anchors;
	uint64_t last_ns;
	struct kcatch_wide_calls *wide_calls;
	struct kcatch_cgroup_names cgroups;
	struct kcatch_count_state *count;
	struct kcatch_pair_state *pair;
	struct kcatch_own_origin *origin;
	struct kcatch_armed armed;
	struct kcatch_event_view view;
	struct kcatch_lasting_calls *lasting;
};

/**
 * kcatch_session_ioctl - ioctl() on the module's device, restarted after signals
 * @session: the session
 * @request: KCATCH_IOC_*
 * @argument: its argument
 *
 * Return: 0 or -errno, without an error text.
 */
int kcatch_session_ioctl(const struct kcatch_session *session, unsigned long request,
			void *argument);

/**
 * kcatch_session_read_clock - read all clocks at one moment
 * @session: a live session; the moment becomes its anchor
 * @now: receives the moment
 *
 * Return: 0; -errno with an error text.
 */
int kcatch_session_read_clock(struct kcatch_session *session, struct kcatch_anchor *now);

/** kcatch_session_describes - whether a probe with a slot is more than a number of a recording */
static inline bool kcatch_session_describes(const struct kcatch_session *session, uint32_t number)
{
	return session->fd >= 0 || session->slots[number]->informed;
}

/**
 * kcatch_session_refuse_running - refuse what cannot be armed while a session runs
 * @session: the session
 *
 * The kernel takes programs and hooks returns only of a session that does not run, and what is
 * armed while it runs is live at once: it would record without its condition.
 *
 * Return: 0; -EBUSY with an error text: it runs.
 */
int kcatch_session_refuse_running(const struct kcatch_session *session);

/**
 * kcatch_session_grow - allocate slots for probes
 * @session: the session
 * @total: number of slots needed, from probe number 0
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_grow(struct kcatch_session *session, size_t total);

/**
 * kcatch_session_learn - allocate slots for the probes that were added while the session ran
 * @session: the session
 *
 * Return: 0 or -errno.
 */
int kcatch_session_learn(struct kcatch_session *session);

/**
 * kcatch_session_learn_names - look the names of probes up that are all asked for soon
 * @session: the session
 * @first: number of the first probe
 * @nr: how many
 *
 * In a few requests: while functions of a pattern are hooked already, each request is hit.
 *
 * Return: 0 or -errno.
 */
int kcatch_session_learn_names(struct kcatch_session *session, uint32_t first, uint32_t nr);

/**
 * kcatch_request_copy - copy a caller's request to this library's version of the structure
 * @own: the copy
 * @given: the caller's request
 *
 * Return: 0; -EINVAL its depth or comm is too long; -EINVAL as of kcatch_struct_copy().
 */
int kcatch_request_copy(struct kcatch_request *own, const struct kcatch_request *given);

/**
 * kcatch_request_gate - copy a request's filters and limits to an ADD
 * @add: receives them
 * @request: the request
 *
 * Return: 0; with an error text -ENOENT there is no such cgroup; another -errno.
 */
int kcatch_request_gate(struct kcatch_add *add, const struct kcatch_request *request);

/**
 * kcatch_session_fetched - get the values that were fetched with the current event
 * @session: the session
 * @fetched: the values, in the reader's memory; their sizes were checked, the items were not
 */
void kcatch_session_fetched(const struct kcatch_session *session, struct kcatch_fetched *fetched);

/**
 * kcatch_session_name_then - name an address of the current event, as it was at the event's time
 * @session: the session
 * @address: as of kcatch_symbols_find()
 * @name: as of kcatch_symbols_find()
 *
 * Return: 0 (also if the name is unknown), or -ENOMEM with an error text.
 */
int kcatch_session_name_then(struct kcatch_session *session, uint64_t address,
			     struct kcatch_name *name);

/**
 * kcatch_session_caller - name the innermost frame of the current event
 * @session: the session
 *
 * It is that of the record: source lines know which functions were inlined there, and are not
 * everywhere.
 *
 * Return: the function, valid as long as a name of kcatch_session_name_then(); NULL: none, or not
 * known.
 */
const char *kcatch_session_caller(struct kcatch_session *session);

#define KCATCH_USER_FRAMES 256U

/**
 * kcatch_session_show_call - make an event of a call that comes from elsewhere than the rings
 * @session: the session
 * @call: the call; the session frees it, also on failure
 * @event: receives the event, valid until the next one
 *
 * Return: 0 or -errno.
 */
int kcatch_session_show_call(struct kcatch_session *session, struct kcatch_call *call,
			     const struct kcatch_event **event);

/**
 * kcatch_session_show_frames - look up source lines of the new event's frames
 * @session: the session; inlined frames are added to @event.nr_frames
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_show_frames(struct kcatch_session *session);

/**
 * kcatch_stack_state - how a kernel stack ends
 * @flags: KCATCH_STACK_* of the kernel's interface
 */
enum kcatch_event_stack kcatch_stack_state(uint16_t flags);

/**
 * kcatch_session_prepare_user - read the mappings of a record's process while it lives
 * @session: the session
 * @record: a record of any kind, checked and just read
 */
void kcatch_session_prepare_user(struct kcatch_session *session,
				 const struct kcatch_record *record);

/**
 * kcatch_session_user_stacks - have session->user_stacks
 * @session: the session
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_user_stacks(struct kcatch_session *session);

/**
 * kcatch_session_show_user - unwind the new event's user stack
 * @session: the session; @event.nr_user_frames is set
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_show_user(struct kcatch_session *session);

/**
 * kcatch_totals_settled - no calls in flight below 0
 * @ret: what the reader of @totals returned
 * @totals: the counters
 *
 * On a CPU more calls may end than began there. And the CPUs of a session that runs are read one
 * after the other: a call that changes CPU meanwhile may be missing from one.
 *
 * Return: @ret.
 */
static inline int kcatch_totals_settled(int ret, struct kcatch_totals *totals)
{
	if ((int64_t)totals->in_flight < 0)
		totals->in_flight = 0;
	return ret;
}

/* What a frame is called whose return another tracer has hooked. */
#define KCATCH_HOOKED_TEXT "[return hooked by another tracer]"

/**
 * kcatch_frame_stands_for - fill in a frame that stands for something else than an address
 * @address: as recorded
 * @frame: all zero; filled in if it is such a frame
 *
 * Return: whether it is.
 */
bool kcatch_frame_stands_for(uint64_t address, struct kcatch_frame *frame);

#endif
