/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * live.c - a session that is an open file of the module
 *
 * Records come from the ring buffers, names and counters from ioctl(). Data that a record lacks
 * is looked up in the current state of this machine. The other kind of session is a recording.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/machine.h"
#include "base/printable.h"
#include "base/timing.h"
#include "session/counts.h"
#include "session/handle.h"
#include "session/pairs.h"
#include "session/trace_events.h"

#define CLOCK_TRIES 3U

static int permit(const struct kcatch_session *session, const char *what)
{
	(void)session;
	(void)what;
	return 0;
}

static int ask(const struct kcatch_session *session, unsigned long request, void *argument)
{
	int ret;

	do {
		ret = ioctl(session->fd, request, argument);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : 0;
}

/* ---- records ------------------------------------------------------------------------ */

static void take_anchor(struct kcatch_session *session, const struct kcatch_info *info)
{
	session->anchors.first = (struct kcatch_anchor){ .clock = info->clock_now,
							 .monotonic = info->monotonic_now,
							 .realtime = info->realtime_now };
}

/*
 * The module reads the clocks one after the other, and in a virtual machine much time may pass
 * between them: the shortest of some tries is the best.
 */
int kcatch_session_read_clock(struct kcatch_session *session, struct kcatch_anchor *now)
{
	uint64_t shortest = UINT64_MAX;
	struct kcatch_info info;
	unsigned int i;

	memset(&info, 0, sizeof(info));
	for (i = 0; i < CLOCK_TRIES; i++) {
		uint64_t before = kcatch_timing_now_ns(), took;
		int ret = ask(session, KCATCH_IOC_INFO, &info);

		if (ret)
			return kcatch_error_system(ret, "ask the kcatch module for the time");
		took = kcatch_timing_now_ns() - before;
		if (took < shortest)
			take_anchor(session, &info);
		shortest = took < shortest ? took : shortest;
	}
	*now = session->anchors.first;
	return 0;
}

static int begin(struct kcatch_session *session)
{
	int ret = 0;

	if (!session->reader) {
		if (!session->ring_size)
			return kcatch_error_set(EINVAL, "this session has no rings yet");
		ret = kcatch_ring_reader_create(session->fd, session->info.nr_cpus,
						session->ring_size, session->packet_size,
						&session->reader);
	}
	session->passes++;
	session->until = UINT64_MAX;
	if (!ret && session->running) {
		struct kcatch_anchor now = { .clock = UINT64_MAX };
		bool ended = kcatch_calls_begin(session->calls);

		kcatch_lost_returns_begin(session, ended);
		ret = kcatch_session_read_clock(session, &now);
		session->until = now.clock;
	}
	if (!ret && session->armed.pending)
		session->changed = kcatch_symbols_changed(session->symbols);
	return ret ? ret : kcatch_ring_reader_begin(session->reader, session->until);
}

/* A reader that is behind does not wait for more: it begins the next pass at once. */
static int next(struct kcatch_session *session, const struct kcatch_record **record, uint32_t *cpu)
{
	int ret = 0;

	*record = kcatch_ring_reader_next(session->reader, cpu);
	if (!*record && kcatch_ring_reader_is_behind(session->reader)) {
		kcatch_symbols_forget_modules(session->symbols);
		ret = begin(session);
		if (!ret)
			*record = kcatch_ring_reader_next(session->reader, cpu);
	}
	return ret;
}

/* Calls that wait in vain are found when a pass ends. */
static void passed(struct kcatch_session *session, uint64_t time)
{
	(void)session;
	(void)time;
}

/* A module may have come, and its functions with it. */
static bool find_probe(struct kcatch_session *session, uint32_t number)
{
	if (!kcatch_session_learn(session) && number < session->nr_slots)
		return true;
	session->damaged++;
	return false;
}

/* Lines are found for what is at the address now: another module, if the reader came late. (A text
 * of a name is there once.) */
static bool same_code(struct kcatch_session *session, uint64_t address, bool exact)
{
	struct kcatch_name then, now;

	if (!session->armed.pending)
		return true;
	return !kcatch_session_name_then(session, address - !exact, &then) &&
	       !kcatch_symbols_find(session->symbols, address - !exact, &now) &&
	       then.symbol == now.symbol && then.module == now.module && then.offset == now.offset;
}

/* What was looked up is asked again when the next pass begins. */
static uint64_t names(const struct kcatch_session *session)
{
	return session->passes;
}

static int complete(struct kcatch_session *session)
{
	return kcatch_session_show_user(session);
}

static uint64_t damaged(const struct kcatch_session *session)
{
	return kcatch_ring_reader_damaged(session->reader);
}

/* ---- counters ----------------------------------------------------------------------- */

static int sum(struct kcatch_session *session, uint32_t cpu, uint32_t first, size_t count,
	       struct kcatch_totals *totals)
{
	struct kcatch_counters counters = { .hits = 0 };
	struct kcatch_query query = { .first = first, .cpu = cpu, .count = (uint32_t)count,
				      .flags = KCATCH_QUERY_SUM,
				      .buffer = (uintptr_t)&counters };
	int ret = ask(session, KCATCH_IOC_COUNTERS, &query);

	if (ret)
		return kcatch_error_system(ret, "ask the kcatch module for its counters");
	if (query.count != count)
		return kcatch_error_set(EPROTO, "the kcatch module has no counters of probe %u",
					first + query.count);
	totals->hits += counters.hits;
#define ADD(name, words, help) totals->name += counters.name;
	KCATCH_COUNTERS(ADD)
#undef ADD
	return 0;
}

/* Of pairs the second events. Else all. */
static int sum_seconds(struct kcatch_session *session, uint32_t cpu, struct kcatch_totals *totals)
{
	size_t first = kcatch_pairs_nr_first(session->pair);

	return sum(session, cpu, (uint32_t)first, session->nr_slots - first, totals);
}

static int totals_of_all(struct kcatch_session *session, struct kcatch_totals *totals)
{
	int ret = kcatch_session_learn(session);

	return ret ? ret : sum_seconds(session, KCATCH_CPU_ALL, totals);
}

static int totals_of_probe(struct kcatch_session *session, uint32_t number,
			   struct kcatch_totals *totals)
{
	return sum(session, KCATCH_CPU_ALL, number, 1, totals);
}

static int totals_of_cpu(struct kcatch_session *session, uint32_t cpu,
			 struct kcatch_totals *totals)
{
	int ret = kcatch_session_learn(session);

	return ret ? ret : sum_seconds(session, cpu, totals);
}

/* ---- opening and closing -------------------------------------------------------------- */

static void close_live(struct kcatch_session *session)
{
	kcatch_ring_reader_destroy(session->reader);
	close(session->fd);
}

static const struct kcatch_session_kind live_kind = {
	.is_here = true,
	.permit = permit,
	.ioctl = ask,
	.begin = begin,
	.next = next,
	.prepare = kcatch_session_prepare_user,
	.passed = passed,
	.find_probe = find_probe,
	.same_code = same_code,
	.names = names,
	.complete = complete,
	.totals = totals_of_all,
	.probe_totals = totals_of_probe,
	.cpu_totals = totals_of_cpu,
	.damaged = damaged,
	.close = close_live,
};

/* The module is there and its device is not: a container has devices of its own. */
static int explain_no_device(void)
{
	char number[32], *colon;

	if (kcatch_text_read_file("/sys/class/misc/kcatch/dev", number, sizeof(number)) <= 0)
		number[0] = '\0';
	colon = strchr(number, ':');
	if (colon)
		*colon = ' ';
	return kcatch_error_set(ENODEV,
				"the kcatch module is loaded, but there is no " KCATCH_DEVICE " here, as in a "
				"container without it: docker run --device " KCATCH_DEVICE "%s%s",
				*number ? ", or mknod -m 600 " KCATCH_DEVICE " c " : "", number);
}

static int explain_open(int error)
{
	bool root = geteuid() == 0;
	char lockdown[32];

	switch (error) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		/* While another kcatch loads it, modprobe waits for that. */
		if (kcatch_machine_module_ready("kcatch"))
			return explain_no_device();
		return kcatch_error_set(ENOENT,
					"the kcatch module is not loaded (no " KCATCH_DEVICE "); "
					"load it: modprobe kcatch");
	case EIO:
		return kcatch_error_set(EIO, "a task died while it changed what kcatch does, by a fault in "
			"another's code (dmesg tells): the module takes no changes any more; restart the machine");
	case EACCES:
		if (root)
			return kcatch_error_set(EACCES, KCATCH_DEVICE " may not be opened, though by "
				"root, as in a container: docker run --device " KCATCH_DEVICE);
		return kcatch_error_set(EACCES, "catching kernel functions needs root: try sudo; or, "
			"with CAP_PERFMON and CAP_SYSLOG, the group of " KCATCH_DEVICE);
	case EPERM:
		kcatch_machine_lockdown(lockdown, sizeof(lockdown));
		if (lockdown[0] && strcmp(lockdown, "none"))
			return kcatch_error_set(EPERM,
				"the kernel is locked down (%s), which forbids tracing; it is Secure Boot or "
				"the boot parameter lockdown= that does so", lockdown);
		if (root)
			return kcatch_error_set(EPERM,
				"root without CAP_SYS_ADMIN, or CAP_PERFMON and CAP_SYSLOG, or without the "
				"device, as in a container: docker run --device " KCATCH_DEVICE
				" --cap-add PERFMON --cap-add SYSLOG");
		return kcatch_error_set(EPERM, "catching kernel functions needs root "
					"(CAP_SYS_ADMIN, or CAP_PERFMON and CAP_SYSLOG): try sudo");
	default:
		return kcatch_error_system(error, "open " KCATCH_DEVICE);
	}
}

static int check_module(struct kcatch_session *session)
{
	int ret = kcatch_session_ioctl(session, KCATCH_IOC_INFO, &session->info);

	if (ret == -ENOTTY)
		return kcatch_error_set(EPROTO, KCATCH_DEVICE " is not the kcatch module's, or of "
					"an incompatible release; load the one that is installed: "
					"rmmod kcatch; modprobe kcatch");
	if (ret)
		return kcatch_error_system(ret, "ask the kcatch module what it can do");
	session->info.version[sizeof(session->info.version) - 1] = '\0';
	if (session->info.abi != KCATCH_ABI)
		return kcatch_error_set(EPROTO,
			"the loaded kcatch module (release %s, interface %u) and this program (release "
			KCATCH_VERSION ", interface %u) are incompatible\n"
			"  load the one that is installed: rmmod kcatch; modprobe kcatch\n"
			"  if it is not of this release, install both from one source",
			session->info.version, session->info.abi, KCATCH_ABI);
	if (!session->info.nr_cpus || !session->info.clock_khz)
		return kcatch_error_set(EPROTO, "the kcatch module's answer makes no sense: %u "
					"CPUs, clock of %u kHz",
					session->info.nr_cpus, session->info.clock_khz);
	return 0;
}

int kcatch_session_open(struct kcatch_session **out)
{
	struct kcatch_session *session = calloc(1, sizeof(*session));
	int ret;

	*out = NULL;
	if (!session)
		return kcatch_error_memory();
	session->kind = &live_kind;
	session->arch = kcatch_arch_running();
	session->fd = open(KCATCH_DEVICE, O_RDWR | O_CLOEXEC);
	if (session->fd < 0) {
		ret = explain_open(errno);
		free(session);
		return ret;
	}
	ret = check_module(session);
	if (!ret)
		ret = kcatch_symbols_create(session->fd, &session->symbols);
	if (ret) {
		kcatch_session_close(session);
		return ret;
	}
	take_anchor(session, &session->info);
	*out = session;
	return 0;
}
