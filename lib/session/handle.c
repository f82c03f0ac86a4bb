/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * handle.c - sets up, starts, stops and closes a session
 *
 * To keep the time to the first stack short, this code reads only files and makes only system
 * calls that arming the first probe needs.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "session/counts.h"
#include "session/lasting_calls.h"
#include "session/pairs.h"
#include "session/field_values.h"
#include "session/handle.h"
#include "session/session_notes.h"
#include "session/stack_numbers.h"

#define RING_DEFAULT		(1U << 20)	/* bytes a CPU, for many events */
#define RING_USER		(4U << 20)	/* the same, with user stacks */
#define RING_ALL_CPUS		(64U << 20)	/* bytes, all CPUs together */
#define PACKET_SMALL		4096U
#define PACKET_LARGE		65536U

int kcatch_session_ioctl(const struct kcatch_session *session, unsigned long request,
			void *argument)
{
	return session->kind->ioctl(session, request, argument);
}

void kcatch_session_close(struct kcatch_session *session)
{
	size_t i;

	if (!session)
		return;
	kcatch_call_destroy(session->view.call);
	kcatch_calls_destroy(session->calls);
	/* Plans hold types, and what was decoded holds plans. */
	kcatch_decoder_destroy(session->decoder);
	for (i = 0; i < session->nr_plans; i++)
		kcatch_plan_destroy(session->plans[i]);
	free(session->plans);
	kcatch_table_deinit(&session->armed.only_returns);
	kcatch_namesakes_deinit(&session->armed.namesakes);
	kcatch_arena_deinit(&session->armed.late_plans);
	kcatch_types_close(session->types);
	kcatch_stack_numbers_destroy(session->stacks);
	kcatch_user_stacks_destroy(session->user_stacks);
	free(session->view.user_frames);
	kcatch_source_close(session->source);
	free(session->view.frames);
	kcatch_symbols_destroy(session->symbols);
	for (i = 0; i < session->nr_slots; i++) {
		free(session->slots[i]->asked);
		free(session->slots[i]->which);
		free(session->slots[i]->system);
		free(session->slots[i]->info);
		free(session->slots[i]->syscall);
		kcatch_slot_fields_destroy(session->slots[i]->fields);
	}
	free(session->slots);
	while (session->slot_blocks) {
		struct kcatch_slot_block *block = session->slot_blocks;

		session->slot_blocks = block->next;
		free(block);
	}
	kcatch_awaited_deinit(&session->armed.awaited);
	kcatch_session_notes_deinit(session);
	free(session->wide_calls);
	kcatch_count_destroy(session->count);
	kcatch_pairs_destroy(session->pair);
	kcatch_lasting_calls_destroy(session->lasting);
	free(session->origin);
	kcatch_cgroup_names_deinit(&session->cgroups);
	kcatch_anchors_deinit(&session->anchors);
	session->kind->close(session);
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
	if (request->arguments || request->returns || request->condition || request->user_stack ||
	    request->with_cgroup)
		need->record += sizeof(struct kcatch_call_part);
	need->record += request->arguments ? KCATCH_DATA_MAX : request->with_cgroup ? 8 : 0;
	if (request->user_stack)
		need->record += sizeof(struct kcatch_user) + request->user_stack +
				KCATCH_USER_MAPS;
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
	uint64_t size = request && request->user_stack ? RING_USER : RING_DEFAULT;
	uint64_t a_packet, packets, most;

	while (size > PACKET_LARGE && size * session->info.nr_cpus > RING_ALL_CPUS)
		size >>= 1;
	while (size < need->packet * 2)
		size <<= 1;
	if (!request || !request->budget || request->nr_under)
		return size;
	/* Each packet has room for one record at least; two records a call at most. The budget may
	 * be any number. */
	a_packet = (need->packet - sizeof(struct kcatch_packet)) / need->event;
	packets = a_packet ? request->budget / a_packet : request->budget;
	most = size / need->packet;
	if (packets < most)
		packets = (a_packet ? packets : packets * 2) + 2;
	if (packets < most)
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

static int make_rings(struct kcatch_session *session, uint64_t ring_size,
		      const struct kcatch_request *request)
{
	bool given = ring_size != 0;
	struct kcatch_setup setup = { .mode = KCATCH_RING_DISCARD };
	struct ring_need need;
	int ret = session->kind->permit(session, "make rings");

	if (ret)
		return ret;
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
		ret = kcatch_session_ioctl(session, KCATCH_IOC_SETUP, &setup);
		/* Nobody asked for that size: take what there is. */
		if (ret != -ENOMEM || given || ring_size <= KCATCH_RING_SIZE_MIN)
			break;
		ring_size >>= 1;
	}
	if (ret == -ENOMEM)
		return kcatch_error_set(ENOMEM,
			"no memory for rings of %llu bytes for each of %u CPUs; try a smaller --size",
			(unsigned long long)ring_size, session->info.nr_cpus);
	if (ret == -EBUSY && session->ring_size)
		return kcatch_error_set(EBUSY, "this session has its rings already");
	if (ret == -EBUSY)
		return kcatch_error_set(EBUSY, "ftrace is switched off, so no soft lockup can freeze the "
					"recorder; switch it on with: sysctl kernel.ftrace_enabled=1");
	if (ret == -ETIMEDOUT)
		return kcatch_error_set(ETIMEDOUT, "a CPU takes no interrupts, so no soft lockup can freeze "
					"the recorder: 'kcatch stuck' names it");
	if (ret == -EOPNOTSUPP)
		return kcatch_error_set(EOPNOTSUPP, "this kernel does not report the trigger that "
					"shall freeze the recorder (warnings, soft lockups or hung "
					"tasks)");
	if (ret)
		return kcatch_error_system(ret, "make rings");
	session->ring_size = setup.ring_size;
	session->packet_size = setup.packet_size;
	return 0;
}

int kcatch_session_setup(struct kcatch_session *session, uint64_t ring_size,
			 const struct kcatch_request *request)
{
	struct kcatch_request own;
	int ret = request ? kcatch_request_copy(&own, request) : 0;

	return ret ? ret : make_rings(session, ring_size, request ? &own : NULL);
}

int kcatch_session_start(struct kcatch_session *session)
{
	int ret = session->kind->permit(session, "start it");

	if (ret)
		return ret;
	if (session->armed.broken || (!session->nr_slots && !session->armed.pending))
		return kcatch_error_set(EINVAL, "nothing is armed, so nothing can be started");
	ret = kcatch_session_ioctl(session, KCATCH_IOC_START, NULL);
	if (ret == -ETIMEDOUT)
		return kcatch_error_set(ETIMEDOUT, "a CPU takes no interrupts, so the session cannot be "
					"started: 'kcatch stuck' names it");
	if (ret)
		return kcatch_error_system(ret, "start the session");
	session->running = true;
	session->drains = false;
	session->in_pass = false;
	return 0;
}

int kcatch_session_stop(struct kcatch_session *session)
{
	int ret = session->kind->permit(session, "stop it");

	if (ret)
		return ret;
	ret = kcatch_session_ioctl(session, KCATCH_IOC_STOP, NULL);
	if (ret == -ETIMEDOUT)
		return kcatch_error_set(ETIMEDOUT, "a CPU takes no interrupts, so the session cannot be "
					"stopped: 'kcatch stuck' names it; what was armed goes when "
					"the CPU is back");
	if (ret)
		return kcatch_error_system(ret, "stop the session");
	session->running = false;
	session->in_pass = false;
	session->drains = false;
	return 0;
}

int kcatch_session_refuse_running(const struct kcatch_session *session)
{
	return session->running ? kcatch_error_set(EBUSY, "the session runs, and only functions "
						   "without returns, conditions or arguments can "
						   "be added meanwhile: stop it first") : 0;
}

int kcatch_session_fd(const struct kcatch_session *session)
{
	return session->fd;
}

int kcatch_session_wait(struct kcatch_session *session, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = session->fd, .events = POLLIN };
	int ret = session->kind->permit(session, "wait for it");

	if (ret)
		return ret;
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
	if (session->info.features & KCATCH_FEATURE_RETURN_SHARED)
		features |= KCATCH_CAN_RETURN_SHARED;
	if (session->info.features & KCATCH_FEATURE_CONDITION)
		features |= KCATCH_CAN_CONDITION;
	if (session->info.features & KCATCH_FEATURE_PATH)
		features |= KCATCH_CAN_PATH;
	if (session->info.features & KCATCH_FEATURE_NMI)
		features |= KCATCH_CAN_NMI;
	if (session->info.features & KCATCH_FEATURE_TABLE)
		features |= KCATCH_CAN_TABLE;
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
	kcatch_session_ioctl(session, KCATCH_IOC_STATUS, &status);
	return status.ring_bytes;
}
