/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * session.c - open, set up, start, stop, close
 *
 * Nothing here reads a file or asks the kernel anything that is not needed to
 * arm the first probe: the time to the first stack is short because of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "error.h"
#include "machine.h"
#include "session.h"

#define RING_DEFAULT		(1U << 20)	/* bytes a CPU, for many events */
#define RING_ALL_CPUS		(64U << 20)	/* bytes, all CPUs together */
#define PACKET_SMALL		4096U
#define PACKET_LARGE		65536U

int kcatch_session_call(const struct kcatch_session *session, unsigned long request,
			void *argument)
{
	int ret;

	if (session->recording)
		return -EROFS;
	do {
		ret = ioctl(session->fd, request, argument);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : 0;
}

static int explain_open(int error)
{
	char lockdown[32];

	switch (error) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		return kcatch_error_set(ENOENT, "the kcatch module is not loaded (no " KCATCH_DEVICE "); "
					"load it: modprobe kcatch");
	case EACCES:
		return kcatch_error_set(EACCES, "catching kernel functions needs root: try sudo");
	case EPERM:
		kcatch_machine_lockdown(lockdown, sizeof(lockdown));
		if (lockdown[0] && strcmp(lockdown, "none"))
			return kcatch_error_set(EPERM,
				"the kernel is locked down (%s), which forbids tracing; it is Secure Boot or "
				"the boot parameter lockdown= that does so", lockdown);
		return kcatch_error_set(EPERM, "catching kernel functions needs root "
					"(CAP_SYS_ADMIN, or CAP_PERFMON and CAP_SYSLOG): try sudo");
	default:
		return kcatch_error_system(error, "open " KCATCH_DEVICE);
	}
}

static int check_module(struct kcatch_session *session)
{
	int ret = kcatch_session_call(session, KCATCH_IOC_INFO, &session->info);

	if (ret == -ENOTTY)
		return kcatch_error_set(EPROTO, KCATCH_DEVICE " is not the kcatch module's, or of a release "
					"that is too different; build and load this one's: make install");
	if (ret)
		return kcatch_error_system(ret, "ask the kcatch module what it can do");
	session->info.version[sizeof(session->info.version) - 1] = '\0';
	if (session->info.abi != KCATCH_ABI)
		return kcatch_error_set(EPROTO,
			"the loaded kcatch module (release %s, interface %u) and this program (release "
			KCATCH_VERSION ", interface %u) do not fit; install both from one source: "
			"make install, then: rmmod kcatch; modprobe kcatch",
			session->info.version, session->info.abi, KCATCH_ABI);
	if (!session->info.nr_cpus || !session->info.clock_khz)
		return kcatch_error_set(EPROTO, "the kcatch module gives no sense: %u CPUs, clock of %u kHz",
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
	session->clock_anchor = session->info.clock_now;
	session->monotonic_anchor = session->info.monotonic_now;
	*out = session;
	return 0;
}

void kcatch_session_close(struct kcatch_session *session)
{
	size_t i;

	if (!session)
		return;
	kcatch_call_destroy(session->current);
	kcatch_calls_destroy(session->calls);
	kcatch_ring_reader_destroy(session->reader);
	/* Plans hold types, and what was decoded holds plans. */
	kcatch_decoder_destroy(session->decoder);
	for (i = 0; i < session->nr_plans; i++)
		kcatch_plan_destroy(session->plans[i]);
	free(session->plans);
	kcatch_types_close(session->types);
	kcatch_user_stacks_destroy(session->user_stacks);
	free(session->user_frames);
	kcatch_source_close(session->source);
	free(session->shown);
	kcatch_symbols_destroy(session->symbols);
	for (i = 0; i < session->nr_slots; i++) {
		free(session->slots[i]->asked);
		free(session->slots[i]->system);
		free(session->slots[i]->info);
		free(session->slots[i]->syscall);
		free(session->slots[i]);
	}
	free(session->slots);
	kcatch_awaited_deinit(&session->awaited);
	free(session->comms);
	for (i = 0; i < session->nr_names; i++)
		free(session->names[i]);
	free(session->names);
	kcatch_recording_close(session->recording);
	if (session->fd >= 0)
		close(session->fd);
	free(session);
}

static uint64_t round_up_power(uint64_t value)
{
	uint64_t power = 1;

	while (power < value)
		power <<= 1;
	return power;
}

struct ring_need {
	uint64_t record;	/* the longest record */
	uint64_t event;		/* all records of one call */
	uint64_t packet;	/* a packet that fits them */
};

static void ring_need(const struct kcatch_request *request, struct ring_need *need)
{
	unsigned int depth = !request || !request->depth ? KCATCH_DEPTH_DEFAULT : request->depth;

	need->record = sizeof(struct kcatch_hit);
	if (!request || !request->no_stack)
		need->record += depth * sizeof(uint64_t);
	need->packet = PACKET_SMALL;
	need->event = need->record;
	if (!request)
		return;
	if (request->arguments || request->returns || request->condition || request->user_stack)
		need->record += sizeof(struct kcatch_call_part);
	if (request->arguments)
		need->record += KCATCH_DATA_MAX;
	if (request->user_stack)
		need->record += sizeof(struct kcatch_user) + request->user_stack;
	need->event = need->record;
	if (request->returns)
		need->event += sizeof(struct kcatch_return) +
			       (request->arguments ? KCATCH_DATA_MAX : 0);
	/* What is left over at a packet's end is lost to records: it must not be much. */
	if (request->user_stack || need->record > PACKET_SMALL - sizeof(struct kcatch_packet))
		need->packet = round_up_power(need->record * 2 + sizeof(struct kcatch_packet));
}

/*
 * Rings that hold every record that a budget allows never lose one; without a
 * budget a megabyte holds what comes between two looks, if not on too many
 * CPUs.
 */
static uint64_t ring_size_for(const struct kcatch_session *session,
			      const struct kcatch_request *request, const struct ring_need *need)
{
	uint64_t size = RING_DEFAULT, a_packet, packets;

	while (size > PACKET_LARGE && size * session->info.nr_cpus > RING_ALL_CPUS)
		size >>= 1;
	while (size < need->packet * 2)
		size <<= 1;
	if (!request || !request->budget || request->nr_under)
		return size;
	/* Each packet has room for one record at least; two records a call at most. */
	a_packet = (need->packet - sizeof(struct kcatch_packet)) / need->event;
	packets = a_packet ? request->budget / a_packet + 2 : request->budget * 2 + 2;
	if (packets < size / need->packet)
		size = round_up_power(packets * need->packet);
	return size;
}

static uint32_t freeze_flags(unsigned int on)
{
	return (on & KCATCH_FREEZE_OOPS ? KCATCH_SETUP_FREEZE_OOPS : 0) |
	       (on & KCATCH_FREEZE_WARN ? KCATCH_SETUP_FREEZE_WARN : 0) |
	       (on & KCATCH_FREEZE_PANIC ? KCATCH_SETUP_FREEZE_PANIC : 0) |
	       (on & KCATCH_FREEZE_LOCKUP ? KCATCH_SETUP_FREEZE_LOCKUP : 0) |
	       (on & KCATCH_FREEZE_HUNG ? KCATCH_SETUP_FREEZE_HUNG : 0) |
	       (on & KCATCH_FREEZE_LOG ? KCATCH_SETUP_LOG : 0);
}

int kcatch_session_setup(struct kcatch_session *session, uint64_t ring_size,
			 const struct kcatch_request *request)
{
	bool given = ring_size != 0;
	struct kcatch_setup setup = { .mode = KCATCH_RING_DISCARD };
	struct ring_need need;
	int ret;

	if (session->recording)
		return kcatch_recording_refuse("make rings");
	if (given && (ring_size < KCATCH_RING_SIZE_MIN || ring_size > KCATCH_RING_SIZE_MAX))
		return kcatch_error_set(EINVAL,
			"a ring of %llu bytes is %s: it may have from %u bytes (8K) to %u (256M) a CPU",
			(unsigned long long)ring_size,
			ring_size < KCATCH_RING_SIZE_MIN ? "too small" : "too large",
			KCATCH_RING_SIZE_MIN, KCATCH_RING_SIZE_MAX);
	if (request && request->overwrite)
		setup.mode = KCATCH_RING_OVERWRITE;
	if (request)
		setup.flags = freeze_flags(request->freeze_on);
	ring_need(request, &need);
	ring_size = given ? round_up_power(ring_size) : ring_size_for(session, request, &need);
	if (ring_size < need.packet * 2 && request && request->user_stack)
		return kcatch_error_set(EINVAL,
			"a ring of %llu bytes has no room for user stacks of %u bytes: give it %llu or more",
			(unsigned long long)ring_size, request->user_stack,
			(unsigned long long)need.packet * 2);
	for (;;) {
		setup.ring_size = (uint32_t)ring_size;
		setup.packet_size = ring_size <= 65536 ? PACKET_SMALL : (uint32_t)(ring_size / 16);
		if (setup.packet_size > PACKET_LARGE)
			setup.packet_size = PACKET_LARGE;
		if (setup.packet_size < need.packet && need.packet * 2 <= ring_size)
			setup.packet_size = (uint32_t)need.packet;
		ret = kcatch_session_call(session, KCATCH_IOC_SETUP, &setup);
		/* Nobody asked for that size: take what there is. */
		if (ret != -ENOMEM || given || ring_size <= KCATCH_RING_SIZE_MIN)
			break;
		ring_size >>= 1;
	}
	if (ret == -ENOMEM)
		return kcatch_error_set(ENOMEM,
			"no memory for rings of %llu bytes for each of %u CPUs; try a smaller --size",
			(unsigned long long)ring_size, session->info.nr_cpus);
	if (ret == -EBUSY)
		return kcatch_error_set(EBUSY, "this session has its rings already");
	if (ret == -EOPNOTSUPP)
		return kcatch_error_set(EOPNOTSUPP, "this kernel does not tell of what shall freeze "
			"the recorder (warnings, soft lockups or hung tasks)");
	if (ret)
		return kcatch_error_system(ret, "make rings");
	session->ring_size = setup.ring_size;
	session->packet_size = setup.packet_size;
	return 0;
}

int kcatch_session_start(struct kcatch_session *session)
{
	int ret;

	if (session->recording)
		return kcatch_recording_refuse("start it");
	if (session->broken || (!session->nr_slots && !session->pending))
		return kcatch_error_set(EINVAL, "nothing is armed that could be started");
	ret = kcatch_session_call(session, KCATCH_IOC_START, NULL);
	if (ret)
		return kcatch_error_system(ret, "start the session");
	session->running = true;
	session->drains = false;
	session->in_pass = false;
	return 0;
}

int kcatch_session_stop(struct kcatch_session *session)
{
	int ret;

	if (session->recording)
		return kcatch_recording_refuse("stop it");
	ret = kcatch_session_call(session, KCATCH_IOC_STOP, NULL);
	if (ret)
		return kcatch_error_system(ret, "stop the session");
	session->running = false;
	session->in_pass = false;
	session->drains = false;
	return 0;
}

int kcatch_session_fd(const struct kcatch_session *session)
{
	return session->fd;
}

int kcatch_session_wait(struct kcatch_session *session, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = session->fd, .events = POLLIN };
	int ret;

	if (session->recording)
		return kcatch_recording_refuse("wait for it");
	ret = poll(&poll_fd, 1, timeout_ms);
	if (ret < 0)
		return kcatch_error_system(errno, "wait for the kcatch module");
	return ret ? poll_fd.revents : 0;
}

unsigned int kcatch_session_features(const struct kcatch_session *session)
{
	unsigned int features = 0;

	if (session->info.features & KCATCH_FEATURE_FTRACE)
		features |= KCATCH_CAN_FTRACE;
	if (session->info.features & KCATCH_FEATURE_KPROBE)
		features |= KCATCH_CAN_KPROBE;
	if (session->info.features & KCATCH_FEATURE_MATCH)
		features |= KCATCH_CAN_MATCH;
	if (session->info.features & KCATCH_FEATURE_ORC)
		features |= KCATCH_CAN_ORC;
	if (session->info.features & KCATCH_FEATURE_RETURN)
		features |= KCATCH_CAN_RETURN;
	if (session->info.features & KCATCH_FEATURE_CONDITION)
		features |= KCATCH_CAN_CONDITION;
	return features;
}

const char *kcatch_session_version(const struct kcatch_session *session)
{
	return session->info.version;
}

uint64_t kcatch_session_ring_bytes(const struct kcatch_session *session)
{
	struct kcatch_status status;

	memset(&status, 0, sizeof(status));
	kcatch_session_call(session, KCATCH_IOC_STATUS, &status);
	return status.ring_bytes;
}
