/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guest.h - what guest tests in C have in common: TAP, sessions by the bare
 * ioctls of include/uapi/kcatch.h, the test module, a ring reader
 */
#ifndef GUEST_H
#define GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "uapi/kcatch.h"

/* What the kernel's functions of system calls begin with. */
#ifdef __aarch64__
#define KT_SYS "__arm64_sys_"
#else
#define KT_SYS "__x64_sys_"
#endif

/* ---- TAP ---- */

/* Passes when CONDITION is true; FORMAT names the behaviour. */
bool check(bool condition, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool check_equal(uint64_t got, uint64_t expected, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* CALL must return -1 with this errno: check_errno(ioctl(...), EINVAL, "...") */
bool check_errno(long result, int expected, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void skip_all(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends at once: without this nothing after it makes sense. */
_Noreturn void bail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the plan; return it from main(). */
int finish(void);

/* ---- sessions ---- */

/* One item of a program. */
#define ITEM(source, what, ...) \
	{ .from = KCATCH_ITEM_##source, .put = KCATCH_ITEM_##what, __VA_ARGS__ }

#define CPUS_MAX 64

struct session {
	int fd;
	uint32_t ring_size, packet_size;
	struct kcatch_ring_page *ring[CPUS_MAX];
	struct kcatch_consumer_page *consumer[CPUS_MAX];
	uint64_t position[CPUS_MAX];
};

struct add_options {
	uint32_t flags, depth;
	uint64_t budget;
	uint32_t pid;
	const char *comm;
	uint32_t kind;		/* of the target */
	uint32_t max_active;
};

int device_open(void);
/* Open and SETUP; ends the test when that does not work. */
void session_open(struct session *session, uint32_t ring_size, uint32_t packet_size);
/* The same with KCATCH_RING_* and KCATCH_SETUP_*. */
void session_open_mode(struct session *session, uint32_t ring_size, uint32_t packet_size,
		       uint32_t mode, uint32_t flags);
void session_close(struct session *session);
/* One target by name; returns 0 or -1 with errno, result to ADD if not NULL. */
int session_add(struct session *session, const char *name, const struct add_options *options,
		struct kcatch_add *add);
/* Gives the session a program, and binds it to a probe; ends the test when that does not work. */
void session_bind(struct session *session, uint32_t probe, struct kcatch_program *program);
void session_start(struct session *session);
void session_stop(struct session *session);
void session_counters(struct session *session, uint32_t probe, uint32_t cpu,
		      struct kcatch_counters *counters);
/* Of all CPUs, between two calls: ends the test when the equation does not hold. */
struct kcatch_counters session_sums(struct session *session, uint32_t probe);
struct kcatch_status session_status(struct session *session);
bool equation_holds(const struct kcatch_counters *counters);

/* Maps the rings of all CPUs that have one. */
void session_map(struct session *session);
/* Walks what is new in all rings, checking each packet and record, and consumes
 * it unless KEEP. Each hit goes to SEEN (may be NULL). Returns how many, or ends
 * the test when a ring is damaged. */
uint64_t session_read(struct session *session, bool keep,
		      void (*seen)(void *context, uint32_t cpu, const struct kcatch_hit *hit),
		      void *context);
/* The same for sessions with programs or returns: each record, checked, whatever its
 * kind, goes to SEEN. */
uint64_t session_read_records(struct session *session, bool keep,
			      void (*seen)(void *context, uint32_t cpu,
					   const struct kcatch_record *record),
			      void *context);
/* What follows the frames of an ENTRY or CALL. */
const struct kcatch_call_part *call_part(const struct kcatch_hit *hit);

/* ---- the test module ---- */

void test_module_load(void);
void order(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint64_t module_value(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- the machine ---- */

int online_cpus(void);

/** need_cpus() - skips the test on a machine with fewer, or more, processors online */
void need_cpus(int least, int most);
/* Lines of FILE that contain TEXT. */
int lines_with(const char *file, const char *text);
/* Address of a symbol of the kernel or a module; ends the test when there is none. */
uint64_t kernel_symbol(const char *name);
/* Who touches the pages of MEMORY, which nobody has touched, waits (userfaultfd) until
 * give_memory() fills them with 0. Returns a descriptor that is readable while somebody waits;
 * skips the test where the kernel cannot. */
int hold_memory_back(void *memory, size_t size);
void give_memory(int faults, void *memory, size_t size);
/* What every stress test ends with: nothing is hooked, kcatch stuck works, the module can be
 * unloaded and loaded and then holds BEFORE pieces of memory, see module_memory(). */
void check_nothing_left(int before);
/* Pieces of kernel memory that the module's functions allocated by vmalloc. */
int module_memory(void);

#endif
