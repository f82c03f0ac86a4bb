/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counted.c - counts with stacks, drawn by a format of reports */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <kcatch.h>
#include "count_show.h"
#include "counted.h"
#include "stacks.h"
#include "value_text.h"

static bool is_stack(const struct kcatch_count_key *key)
{
	return key->kind == KCATCH_KEY_STACK || key->kind == KCATCH_KEY_USER_STACK;
}

static int add_user_frame(struct stacks *stacks, const struct kcatch_frame *frame)
{
	char text[32];

	if (frame->module)
		return stacks_path_user_frame(stacks, frame);
	snprintf(text, sizeof(text), "0x%" PRIx64, frame->address);
	return stacks_path_text(stacks, text, STACKS_USER);
}

static int add_frames(struct report *report, struct stacks *stacks,
		      const struct kcatch_count_key *key)
{
	struct kcatch_frame frame;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < key->nr_frames && !ret; i++) {
		if (key->kind == KCATCH_KEY_USER_STACK) {
			ret = add_user_frame(stacks, &key->user_frames[i]);
			continue;
		}
		ret = kcatch_session_name(report->session, key->frames[i],
					  kcatch_count_key_is_return(key, i), &frame);
		if (!ret)
			ret = stacks_path_frame(stacks, &frame);
	}
	if (!ret && value_text_stack_mark(key->end))
		ret = stacks_path_text(stacks, value_text_stack_mark(key->end), STACKS_MARK);
	return ret;
}

/* The keys that are (@comm) the command, or are not; the last one is innermost. */
static int add_texts(struct report *report, struct stacks *stacks,
		     const struct kcatch_counts *counts, const struct kcatch_count_row *row,
		     const char *const *names, bool comm)
{
	char text[STACKS_NAME + 1];
	size_t i;
	int ret = 0;

	for (i = counts->nr_keys; i-- && !ret;) {
		if (is_stack(&row->keys[i]) || !strcmp(names[i], "comm") != comm)
			continue;
		ret = counts_key_text(report->session, &row->keys[i], names[i], text,
				      sizeof(text));
		if (!ret)
			ret = stacks_path_text(stacks, text, comm ? STACKS_COMM : STACKS_MARK);
		if (comm)
			break;
	}
	return ret;
}

static int add_row(struct report *report, struct stacks *stacks,
		   const struct kcatch_counts *counts, const struct kcatch_count_row *row,
		   const char *const *names)
{
	size_t i;
	int ret = 0;

	stacks_path_begin(stacks);
	if (row->is_other)
		ret = stacks_path_text(stacks, "[other]", STACKS_MARK);
	for (i = 0; i < counts->nr_keys && !row->is_other && !ret; i++)
		if (row->keys[i].kind == KCATCH_KEY_STACK)
			ret = add_frames(report, stacks, &row->keys[i]);
	for (i = 0; i < counts->nr_keys && !row->is_other && !ret; i++)
		if (row->keys[i].kind == KCATCH_KEY_USER_STACK)
			ret = add_frames(report, stacks, &row->keys[i]);
	if (!ret && !row->is_other)
		ret = add_texts(report, stacks, counts, row, names, false);
	if (!ret && !row->is_other)
		ret = add_texts(report, stacks, counts, row, names, true);
	return ret ? ret : stacks_path_end(stacks, row->count, counts->has_values ? row->sum : 0);
}

int report_counts(struct report *report, const struct kcatch_counts *counts,
		  const char *const *names)
{
	const struct report_format *format = report->options->format;
	int ret = counts_check_sums(counts);
	size_t i;

	if (ret)
		return ret;
	ret = format->begin(report);
	for (i = 0; i < counts->nr_rows && !ret; i++)
		ret = add_row(report, format->stacks(report), counts, &counts->rows[i], names);
	report->events = report->reported = counts->total;
	if (!ret)
		ret = format->end(report);
	format->destroy(report);
	return ret;
}
