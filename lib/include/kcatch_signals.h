/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_signals.h - libkcatch: signals as they are sent, with the stack of the sender
 *
 * Included by kcatch.h.
 */
#ifndef KCATCH_SIGNALS_H
#define KCATCH_SIGNALS_H

#include <string.h>

#include <kcatch.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KCATCH_SIGNAL_ANCESTORS 10

/**
 * struct kcatch_signals_request - which signals to catch
 * @size: size of the struct: sizeof(), bytes
 * @numbers: signal numbers; NULL: all signals
 * @nr_numbers: number of entries in @numbers
 * @target: catch only signals to this process (number in the first pid namespace); 0: to
 *	every process
 * @gate: budget and depth; pid and comm of the sender
 */
struct kcatch_signals_request {
	size_t size;
	const int *numbers;
	size_t nr_numbers;
	uint32_t target;
	const struct kcatch_request *gate;
};

/**
 * kcatch_signals_request_init - initialize an empty request
 * @request: its size is set; every other member becomes zero
 */
static inline void kcatch_signals_request_init(struct kcatch_signals_request *request)
{
	memset(request, 0, sizeof(*request));
	request->size = sizeof(*request);
}

/**
 * kcatch_session_signals - catch signals as they are sent
 * @session: the session, after kcatch_session_setup()
 * @request: which signals to catch
 *
 * Each signal is an event with the stack of its sender. The event's pid, tid and comm are
 * those of the running task: the sender, if a task sent the signal.
 * kcatch_session_signal() reads the other data of the signal.
 *
 * Return: 0; -ENOENT the kernel has no type information; -EOPNOTSUPP this kernel is not
 * supported; -ESRCH no such sender; -EBUSY the session runs; another -errno.
 */
KCATCH_API int kcatch_session_signals(struct kcatch_session *session,
				      const struct kcatch_signals_request *request);

/**
 * struct kcatch_signal - a signal that was sent; process numbers of the first pid namespace
 * @number: signal number
 * @to_process: sent to a process, not to one thread
 * @result: 0: sent, 1: dropped, 2: already pending, 3: no room, 4: sent without info
 * @by_kernel: sent by the kernel without more information
 * @has_info: @code, @address and @value are known
 * @code: si_code
 * @address: address of a fault
 * @value: value passed to sigqueue()
 * @target_pid: process number of the target
 * @target_tid: thread number of the target
 * @target_comm: name of the target thread
 * @sender_uid: user of the running task, in the first user namespace
 * @user_ip: the target's instruction pointer in user mode; 0: unknown
 * @blocked: the target blocked the signal
 * @ignored: the signal was dropped because the target ignores it
 * @ending: the signal was dropped because the target process ends already
 * @has_handler: the target has a handler for the signal
 * @fatal: the signal ends the process
 * @unknown: whether there is a handler, and whether the signal is fatal, is not known: real-time
 *	signals, and handlers that could not be read
 * @nr_ancestors: number of entries in ancestors: parents of the running task, up to init
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
	bool unknown;
	bool ending;
	uint32_t nr_ancestors;
	struct {
		uint32_t pid;
		char comm[16];
	} ancestors[KCATCH_SIGNAL_ANCESTORS];
};

/**
 * kcatch_session_signal - the signal of the current event (last kcatch_session_next())
 * @session: the session
 * @signal: the signal
 *
 * Return: 0, -ENODATA when the event is not a signal.
 */
KCATCH_API int kcatch_session_signal(struct kcatch_session *session, struct kcatch_signal *signal);

#ifdef __cplusplus
}
#endif

#endif
