/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * frames.c - the stacks of an event, with source lines if debug information has them
 *
 * Debug information names the functions that were inlined at a frame's address: each becomes
 * a frame of its own. Without debug information, frames stay as recorded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "session/handle.h"
#include "session/stack_numbers.h"

#define LINES_MAX 16U	/* functions inlined into each other at one address */

static bool is_interrupted(const struct kcatch_hit *hit, uint32_t index)
{
	size_t i;

	for (i = 0; i < sizeof(hit->interrupted); i++) {
		if (hit->interrupted[i] == index + 1)
			return true;
	}
	return false;
}

/* Return: number of entries in @lines. */
static uint32_t find_lines(struct kcatch_session *session, uint32_t index,
			   struct kcatch_source_line *lines)
{
	uint64_t address = session->view.hit->frames[index];
	bool exact = is_interrupted(session->view.hit, index);
	int found;

	if (address == KCATCH_FRAME_SELF || address == KCATCH_FRAME_HOOKED)
		return 0;
	found = kcatch_source_lines(session->source, address, exact, lines, LINES_MAX);
	if (found <= 0 || !session->kind->same_code(session, address, exact))
		return 0;
	return (uint32_t)found;
}

bool kcatch_frame_stands_for(uint64_t address, struct kcatch_frame *frame)
{
	frame->self = address == KCATCH_FRAME_SELF;
	frame->hooked = address == KCATCH_FRAME_HOOKED;
	if (frame->hooked)
		frame->symbol = KCATCH_HOOKED_TEXT;
	return frame->self || frame->hooked;
}

int kcatch_session_show_frames(struct kcatch_session *session)
{
	uint32_t nr = session->view.event.nr_frames, count = 0, i, at;
	bool known = false;
	int ret;

	session->view.nr_frames = 0;
	/* Sources are looked up in the kernel that runs. */
	if (!nr || session->foreign)
		return 0;
	if (!session->source) {
		ret = kcatch_source_open(&session->source);
		if (ret)
			return ret;
	}
	if (!session->view.frames) {
		session->view.frames = calloc(KCATCH_DEPTH_MAX * LINES_MAX,
					      sizeof(*session->view.frames));
		if (!session->view.frames)
			return kcatch_error_memory();
	}
	for (i = 0; i < nr && i < KCATCH_DEPTH_MAX; i++) {
		struct kcatch_source_line lines[LINES_MAX];
		uint32_t found = find_lines(session, i, lines);

		if (found)
			known = true;
		else
			memset(lines, 0, sizeof(lines[0]));
		for (at = 0; at < (found ? found : 1); at++) {
			struct kcatch_shown_frame *frame = &session->view.frames[count++];

			frame->index = i;
			frame->inlined = at + 1 < found;
			frame->line = lines[at];
		}
	}
	if (!known)
		return 0;
	session->view.nr_frames = count;
	session->view.event.nr_frames = count;
	return 0;
}

int kcatch_session_name_then(struct kcatch_session *session, uint64_t address,
			     struct kcatch_name *name)
{
	if (session->armed.pending && session->view.then)
		return kcatch_symbols_find_then(session->symbols, address, session->view.then,
						session->view.then >= session->changed, name);
	return kcatch_symbols_find(session->symbols, address, name);
}

const char *kcatch_session_caller(struct kcatch_session *session)
{
	const struct kcatch_hit *hit = session->view.hit;
	struct kcatch_name name;

	/* (A record without a stack may end where frames would stand.) */
	if (!hit || session->view.event.stack == KCATCH_STACK_ABSENT ||
	    !hit->nr_frames || hit->frames[0] == KCATCH_FRAME_SELF ||
	    hit->frames[0] == KCATCH_FRAME_HOOKED ||
	    kcatch_session_name_then(session, hit->frames[0] - !is_interrupted(hit, 0), &name))
		return NULL;
	return name.symbol;
}

int kcatch_session_frame(struct kcatch_session *session, uint32_t index,
			 struct kcatch_frame *frame)
{
	const struct kcatch_shown_frame *shown = NULL;
	struct kcatch_name name;
	uint64_t address;
	int ret;

	memset(frame, 0, sizeof(*frame));
	if (!session->view.hit || index >= session->view.event.nr_frames)
		return kcatch_error_set(ERANGE, "the event has no frame %u", index);
	if (session->view.nr_frames) {
		shown = &session->view.frames[index];
		index = shown->index;
	}
	address = session->view.hit->frames[index];
	if (kcatch_frame_stands_for(address, frame))
		return 0;
	frame->address = address;
	frame->interrupted = is_interrupted(session->view.hit, index);
	if (shown) {
		frame->file = shown->line.file;
		frame->line = shown->line.line;
		frame->inlined = shown->inlined;
	}
	/* A call may be a function's last instruction: what it returns to is then
	 * the next function. */
	ret = kcatch_session_name_then(session, address - !frame->interrupted, &name);
	if (ret)
		return ret;
	/* Also without a symbol: that nobody knows is said so. */
	frame->module = name.module;
	if (frame->inlined) {
		frame->symbol = shown->line.function;
	} else if (name.symbol) {
		frame->symbol = name.symbol;
		frame->offset = name.offset + !frame->interrupted;
	}
	return 0;
}

int kcatch_session_stack_number(struct kcatch_session *session, uint64_t *number)
{
	uint64_t words[KCATCH_DEPTH_MAX + 2];
	const struct kcatch_hit *hit = session->view.hit;
	uint32_t nr = session->view.event.nr_frames, interrupted;
	int ret;

	*number = 0;
	/* Source lines may come later, and names of modules may change until the pass ends. */
	if (!hit || session->view.then < session->changed || session->view.nr_frames || !nr ||
	    nr > KCATCH_DEPTH_MAX)
		return 0;
	if (!session->stacks) {
		ret = kcatch_stack_numbers_create(&session->stacks);
		if (ret)
			return ret;
	}
	words[0] = session->kind->names(session);
	memcpy(&interrupted, hit->interrupted, sizeof(interrupted));
	words[1] = interrupted | (uint64_t)session->view.event.stack << 32;
	memcpy(&words[2], hit->frames, nr * sizeof(hit->frames[0]));
	*number = kcatch_stack_numbers_find(session->stacks, words, nr + 2);
	return 0;
}

/* ---- user mode -------------------------------------------------------------------- */

/* NULL: none was taken, or the record's is not whole, or is of a machine with other registers.
 * @size: bytes there */
static const struct kcatch_user *user_of(const struct kcatch_session *session,
					 const struct kcatch_hit *hit, size_t *size)
{
	const struct kcatch_call_part *part = kcatch_call_part(hit);
	const struct kcatch_user *user;

	if (!part || part->user_size < sizeof(*user) ||
	    session->arch->user.words != KCATCH_USER_REGS)
		return NULL;
	user = (const struct kcatch_user *)(part->data + part->size[0] + part->size[1]);
	*size = part->user_size;
	return user->size <= part->user_size - sizeof(*user) ? user : NULL;
}

int kcatch_session_user_stacks(struct kcatch_session *session)
{
	return session->user_stacks ?
		       0 :
		       kcatch_user_stacks_create(session->kind->is_here, session->arch,
						 &session->user_stacks);
}

void kcatch_session_prepare_user(struct kcatch_session *session, const struct kcatch_record *record)
{
	const struct kcatch_hit *hit = (const struct kcatch_hit *)record;
	const struct kcatch_user *user;
	uint32_t kind = KCATCH_RECORD_KIND(record->id);
	size_t size;

	if (kind != KCATCH_RECORD_ENTRY && kind != KCATCH_RECORD_CALL)
		return;
	user = user_of(session, hit, &size);
	if (user && !(user->flags & (KCATCH_USER_KERNEL_THREAD | KCATCH_USER_MAPPED)) &&
	    !kcatch_session_user_stacks(session))
		kcatch_user_stack_prepare(session->user_stacks, hit->pid);
}

/* Of the process itself nothing is known any more. */
static int show_place(struct kcatch_session *session, const struct kcatch_user *user)
{
	session->view.user_frames[0] = (struct kcatch_frame){
		.address = user->regs[session->arch->user.ip], .end = KCATCH_STACK_LOST_TRACK
	};
	return 1;
}

int kcatch_session_show_user(struct kcatch_session *session)
{
	const struct kcatch_call *call = session->view.call;
	size_t size = 0;
	const struct kcatch_user *user = call ? user_of(session, call->hit, &size) : NULL;
	int ret = 0;

	if (!user)
		return 0;
	ret = kcatch_session_user_stacks(session);
	if (!ret && !session->view.user_frames) {
		session->view.user_frames = calloc(KCATCH_USER_FRAMES,
						   sizeof(*session->view.user_frames));
		if (!session->view.user_frames)
			ret = kcatch_error_memory();
	}
	if (ret)
		return ret;
	ret = kcatch_user_stack_unwind(session->user_stacks, session->view.event.pid, user, size,
				       session->view.user_frames, KCATCH_USER_FRAMES);
	if (ret == -ESRCH)
		ret = show_place(session, user);
	session->view.event.nr_user_frames = ret < 0 ? 0 : ret;
	return ret == -ENOMEM ? ret : 0;
}

int kcatch_session_user_frame(struct kcatch_session *session, uint32_t index,
			      struct kcatch_frame *frame)
{
	memset(frame, 0, sizeof(*frame));
	if (!session->view.hit || session->view.event.nr_user_frames < 0 ||
	    index >= (uint32_t)session->view.event.nr_user_frames)
		return kcatch_error_set(ERANGE, "the event has no user frame %u", index);
	*frame = session->view.user_frames[index];
	return 0;
}
