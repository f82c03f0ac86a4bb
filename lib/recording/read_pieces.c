/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * read_pieces.c - the pieces of a recording, read as one
 *
 * The last piece describes all probes. Clocks and paths of cgroups are added up over the pieces,
 * and so are the counters. Symbols and modules of a piece contain those of the pieces before, back
 * to the one that began them anew: of these the last is read.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/json_object.h"
#include "base/printable.h"
#include "recording/recorder.h"
#include "recording/recording.h"
#include "session/session_notes.h"

#define NAMES_MAX   (256U << 20) /* bytes of symbols or modules of all pieces */
#define SESSION_MAX (1U << 20)   /* as read_files.c has it */

static const char *name_at(const struct kcatch_recording *recording, size_t index,
			   char hidden[KCATCH_PIECE_NAME])
{
	return kcatch_piece_name(recording->pieces.numbers[index], hidden);
}

static int open_side(const struct kcatch_recording *recording, size_t index)
{
	char path[KCATCH_PIECE_NAME + sizeof("/" KCATCH_RECORDING_SIDE)], hidden[KCATCH_PIECE_NAME];

	snprintf(path, sizeof(path), "%s/" KCATCH_RECORDING_SIDE,
		 name_at(recording, index, hidden));
	return openat(recording->directory, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int kcatch_recording_go_to(struct kcatch_recording *recording, size_t index)
{
	char hidden[KCATCH_PIECE_NAME];
	int side;

	if (!recording->pieces.nr || (recording->side >= 0 && recording->at == index))
		return 0;
	side = open_side(recording, index);
	if (side < 0)
		return kcatch_error_set(errno, "cannot read %s: %s",
					name_at(recording, index, hidden), strerror(errno));
	if (recording->side >= 0)
		close(recording->side);
	recording->side = side;
	recording->at = index;
	return 0;
}

int kcatch_recording_each_piece(struct kcatch_session *session,
				int (*read)(struct kcatch_session *session))
{
	struct kcatch_recording *recording = session->own;
	size_t nr = recording->pieces.nr ? recording->pieces.nr : 1, i;
	char hidden[KCATCH_PIECE_NAME];
	int ret = 0;

	for (i = 0; !ret && i < nr; i++) {
		if (kcatch_recording_go_to(recording, i))
			kcatch_recording_note(session,
					      "%s was removed while the recording was read",
					      name_at(recording, i, hidden));
		else
			ret = read(session);
	}
	return ret;
}

/* ---- which there are ------------------------------------------------------------------ */

/* After a loss of power files may be empty that were written last. */
static bool is_described(const struct kcatch_recording *recording, size_t index)
{
	int side = open_side(recording, index);
	struct stat status;
	bool described = side >= 0 &&
			 !fstatat(side, "session.json", &status, AT_SYMLINK_NOFOLLOW) &&
			 status.st_size &&
			 !fstatat(side, "probes.json", &status, AT_SYMLINK_NOFOLLOW) &&
			 status.st_size;

	if (side >= 0)
		close(side);
	return described;
}

static void look_for_gaps(struct kcatch_session *session)
{
	const struct kcatch_recording *recording = session->own;
	const struct kcatch_recording_pieces *pieces = &recording->pieces;
	char hidden[KCATCH_PIECE_NAME];
	size_t i;

	for (i = 1; i < pieces->nr; i++)
		if (pieces->numbers[i] != pieces->numbers[i - 1] + 1)
			kcatch_recording_note(
				session, "%s is missing",
				kcatch_piece_name(pieces->numbers[i - 1] + 1, hidden));
}

int kcatch_recording_find_pieces(struct kcatch_session *session, const char *path)
{
	struct kcatch_recording *recording = session->own;
	struct kcatch_recording_pieces *pieces = &recording->pieces;
	char hidden[KCATCH_PIECE_NAME];
	int ret = kcatch_pieces_list(recording->directory, pieces);

	if (ret)
		return ret;
	if (!pieces->nr)
		return -ENOENT;
	while (pieces->nr > 1 && !is_described(recording, pieces->nr - 1)) {
		kcatch_recording_note(session, "%s was not read: its description is not there",
				      name_at(recording, pieces->nr - 1, hidden));
		pieces->nr--;
	}
	/* The recorder may be removing one just now. */
	while ((ret = kcatch_recording_go_to(recording, 0)) == -ENOENT && pieces->nr > 1)
		memmove(pieces->numbers, pieces->numbers + 1,
			--pieces->nr * sizeof(*pieces->numbers));
	if (ret) {
		kcatch_error_append("\n  (in the recording %s)", SHOWN(path));
		return ret == -ENOENT ? -EINVAL : ret;
	}
	look_for_gaps(session);
	recording->info.pieces = pieces->nr;
	recording->info.removed = pieces->numbers[0] - 1;
	return 0;
}

/* ---- names ---------------------------------------------------------------------------- */

/* The piece with which the names of this one begin; 0: it does not say. */
static uint32_t names_since(const struct kcatch_recording *recording)
{
	struct json_object *object = NULL;
	uint64_t number = 0;
	size_t length;
	char *text;

	if (kcatch_recording_read_file(recording, "session.json", &text, &length))
		return 0;
	if (length <= SESSION_MAX)
		object = json_tokener_parse(text);
	if (json_object_is_type(object, json_type_object))
		kcatch_json_number(object, "names_since", KCATCH_PIECES_MAX, &number);
	json_object_put(object);
	free(text);
	return (uint32_t)number;
}

/* @length: of @text, which it is added to. */
static int add_names(const struct kcatch_recording *recording, const char *name, char **text,
		     size_t *length, bool *cut)
{
	size_t more_length;
	char *more, *longer;
	int ret = kcatch_recording_read_beginning(recording, name, &more, &more_length, cut);

	if (ret || !*text) {
		*text = ret ? *text : more;
		*length = ret ? *length : more_length;
		return ret == -ENOENT && *text ? 0 : ret;
	}
	if (*length + more_length > NAMES_MAX) {
		*cut = true;
		free(more);
		return 0;
	}
	longer = realloc(*text, *length + more_length + 1);
	if (!longer) {
		free(more);
		return kcatch_error_memory();
	}
	memcpy(longer + *length, more, more_length + 1);
	free(more);
	*text = longer;
	*length += more_length;
	return 0;
}

int kcatch_recording_read_names(struct kcatch_session *session, const char *name, char **text,
				size_t *length, bool *cut)
{
	struct kcatch_recording *recording = session->own;
	size_t nr = recording->pieces.nr, i = 0, last;
	int ret = 0;

	*text = NULL;
	*length = 0;
	if (!nr)
		return kcatch_recording_read_beginning(recording, name, text, length, cut);
	while (!ret && i < nr) {
		uint32_t since;

		last = i;
		ret = kcatch_recording_go_to(recording, i);
		since = ret ? 0 : names_since(recording);
		/* All that continue the same files. */
		while (!ret && since && ++i < nr) {
			ret = kcatch_recording_go_to(recording, i);
			if (ret || names_since(recording) != since)
				break;
			last = i;
		}
		i = last + 1;
		if (!ret)
			ret = kcatch_recording_go_to(recording, last);
		if (!ret)
			ret = add_names(recording, name, text, length, cut);
	}
	if (ret) {
		free(*text);
		*text = NULL;
	}
	kcatch_recording_go_to(recording, nr - 1);
	return ret;
}

/* ---- in words ------------------------------------------------------------------------- */

int kcatch_recording_say_pieces(struct kcatch_session *session)
{
	const struct kcatch_recording *recording = session->own;
	const struct kcatch_recording_info *info = &recording->info;
	char text[200];

	if (info->removed) {
		snprintf(text, sizeof(text),
			 "%" PRIu32 " earlier piece%s removed, with %" PRIu64 " recorded event%s",
			 info->removed, info->removed == 1 ? " was" : "s were",
			 info->removed_events, info->removed_events == 1 ? "" : "s");
		return kcatch_session_note_text(session, text);
	}
	if (!info->piece || (info->piece == 1 && !recording->continued))
		return 0;
	snprintf(text, sizeof(text),
		 "this is piece %" PRIu32 " of a recording: calls may %s%s%s in "
		 "another one",
		 info->piece, info->piece > 1 ? "begin" : "",
		 info->piece > 1 && recording->continued ? " or " : "",
		 recording->continued ? "end" : "");
	return kcatch_session_note_text(session, text);
}
