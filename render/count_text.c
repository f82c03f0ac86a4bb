/* SPDX-License-Identifier: GPL-2.0-or-later */
/* count_text.c - counts as a table, and as folded stacks */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include <kcatch_text.h>
#include "count_show.h"
#include "value_text.h"

#define BAR 20U		/* width of the longest bar */
#define TEXT 700U	/* bytes of a key as text */
#define RANKS 128	/* powers of two of 64-bit numbers, negative ones too */
#define EMPTY 4		/* that many empty buckets in a row are shown, more are "..." */

static const char bar[] = "####################";

static bool is_stack(const struct kcatch_count_key *key)
{
	return key->kind == KCATCH_KEY_STACK || key->kind == KCATCH_KEY_USER_STACK;
}

/* An error as functions return it: a pointer, or a negative number. */
static bool is_error(const struct kcatch_count_key *key, const char *expression)
{
	bool may_be = key->kind == KCATCH_KEY_ADDRESS ||
		      (key->kind == KCATCH_KEY_NUMBER && key->is_signed &&
		       !strcmp(expression, "ret"));

	return may_be && -key->number <= KCATCH_ERRNO_MAX &&
	       kcatch_errno_name((int)-key->number);
}

/* "symbol+0x1 (file)", "file+0x1", or an address. In folded stacks, symbols have no offset. */
static void user_frame_text(const struct kcatch_frame *frame, bool folded, char *text, size_t room)
{
	const char *slash = frame->module ? strrchr(frame->module, '/') : NULL;
	const char *file = slash ? slash + 1 : frame->module;

	if (frame->symbol && folded)
		snprintf(text, room, "%s", frame->symbol);
	else if (frame->symbol)
		snprintf(text, room, "%s+0x%" PRIx32 " (%s)", frame->symbol, frame->offset,
			 file ? file : "?");
	else if (file)
		snprintf(text, room, "%s+0x%" PRIx32, file, frame->offset);
	else
		snprintf(text, room, "0x%" PRIx64, frame->address);
}

/* "function", "function [module]", or an address. */
static int frame_text(struct kcatch_session *session, const struct kcatch_count_key *key,
		      uint32_t index, bool folded, char *text, size_t room)
{
	struct kcatch_frame frame;
	int ret;

	if (key->kind == KCATCH_KEY_USER_STACK) {
		user_frame_text(&key->user_frames[index], folded, text, room);
		return 0;
	}
	ret = kcatch_session_name(session, key->frames[index],
				  kcatch_count_key_is_return(key, index), &frame);
	if (ret)
		return ret;
	if (frame.self)
		snprintf(text, room, "[kcatch]");
	else if (!frame.symbol)
		value_text_address(frame.address, text, room);
	else if (frame.module)
		snprintf(text, room, "%s [%s]", frame.symbol, frame.module);
	else
		snprintf(text, room, "%s", frame.symbol);
	return 0;
}

int counts_key_text(struct kcatch_session *session, const struct kcatch_count_key *key,
		    const char *expression, char *text, size_t room)
{
	struct kcatch_frame frame;
	int ret = 0;

	if (key->unreadable) {
		snprintf(text, room, "(unreadable)");
	} else if (is_stack(key)) {
		snprintf(text, room, "%u frame%s", key->nr_frames, key->nr_frames == 1 ? "" : "s");
	} else if (key->kind == KCATCH_KEY_TEXT && value_hides_string(key->text, key->length)) {
		snprintf(text, room, "<hidden>");
	} else if (key->kind == KCATCH_KEY_TEXT) {
		kcatch_text_escape(key->text, key->length, text, room);
	} else if (is_error(key, expression)) {
		snprintf(text, room, "-%s", kcatch_errno_name((int)-key->number));
	} else if (key->kind == KCATCH_KEY_ADDRESS) {
		ret = kcatch_session_name(session, key->number, false, &frame);
		/* A recording's symbols may be any text. */
		if (!ret && frame.symbol && !frame.offset)
			kcatch_text_escape(frame.symbol, strlen(frame.symbol), text, room);
		else
			value_text_address(key->number, text, room);
	} else if (!key->is_narrow && value_hides_bits(key->number, key->is_signed)) {
		snprintf(text, room, "<hidden>");	/* as an argument: it may hold an address */
	} else if (key->is_signed) {
		snprintf(text, room, "%" PRId64, (int64_t)key->number);
	} else {
		snprintf(text, room, "%" PRIu64, key->number);
	}
	return ret;
}

/* A time in a unit that leaves few digits. */
static const char *time_text(double value, char *text, size_t room)
{
	if (value < 1e3)
		snprintf(text, room, "%.0f ns", value);
	else if (value < 1e6)
		snprintf(text, room, "%.4g us", value / 1e3);
	else if (value < 1e9)
		snprintf(text, room, "%.4g ms", value / 1e6);
	else if (value < 1e13)
		snprintf(text, room, "%.4g s", value / 1e9);
	else
		snprintf(text, room, "%.0f s", value / 1e9);
	return text;
}

/* A value: a number that is no time is shown with all its digits. */
static const char *value_text(enum kcatch_count_unit unit, int64_t value, char *text, size_t room)
{
	if (unit == KCATCH_UNIT_NANOSECONDS)
		return time_text((double)value, text, room);
	snprintf(text, room, "%" PRId64, value);
	return text;
}

/* A limit of a bucket: sizes as conditions take them, 64K and 64K-1. */
static const char *limit_text(enum kcatch_count_unit unit, int64_t value, char *text, size_t room)
{
	static const char letters[] = "KMGTPE";
	uint64_t size = (uint64_t)value + (value & 1);
	size_t i;

	if (unit != KCATCH_UNIT_BYTES || value < 1023 || size & 1023)
		return value_text(unit, value, text, room);
	for (i = 0; !(size >> 10 & 1023) && i + 2 < sizeof(letters); i++)
		size >>= 10;
	snprintf(text, room, "%" PRIu64 "%c%s", size >> 10, letters[i], value & 1 ? "-1" : "");
	return text;
}

bool counts_mean(const struct kcatch_count_row *row, double *mean)
{
	uint64_t spread = (uint64_t)row->max - (uint64_t)row->min, all;
	__int128 least = (__int128)row->nr_values * row->min;

	/* The sum is at least @least, and at most @all more. */
	if (!row->nr_values || row->nr_values > INT64_MAX ||
	    __builtin_mul_overflow(row->nr_values, spread, &all))
		return false;
	least += (uint64_t)row->sum - (uint64_t)least;
	*mean = (double)least / (double)row->nr_values;
	return true;
}

static const char *mean_text(enum kcatch_count_unit unit, const struct kcatch_count_row *row,
			     char *text, size_t room)
{
	double mean;

	if (!counts_mean(row, &mean))
		return "-";
	if (unit == KCATCH_UNIT_NANOSECONDS)
		return time_text(mean, text, room);
	snprintf(text, room, "%.10g", mean);
	return text;
}

/* The keys of a row with values begin at column 93, of one without at column 43. */
static bool is_narrow(const struct kcatch_counts *counts, const struct counts_view *view)
{
	return view->columns && view->columns < (counts->has_values ? 120 : 80);
}

/* On a narrow terminal mean and maximum. */
static void print_values(FILE *out, enum kcatch_count_unit unit, const struct kcatch_count_row *row,
			 bool narrow)
{
	const int64_t values[] = { row->min, row->max, row->sum };
	int width = narrow ? 10 : 12;
	char text[64];
	size_t i;

	fprintf(out, " %*s", width,
		row->nr_values ? mean_text(unit, row, text, sizeof(text)) : "-");
	for (i = narrow ? 1 : 0; i < (narrow ? 2 : 3); i++)
		fprintf(out, " %*s", width,
			row->nr_values ? value_text(unit, values[i], text, sizeof(text)) : "-");
}

/* What a row has a share of. */
static double weight_of(const struct kcatch_count_row *row, const struct counts_view *view)
{
	if (!view->by_sum)
		return (double)row->count;
	return row->sum > 0 ? (double)row->sum : 0;
}

static unsigned int bar_width(double count, double most)
{
	unsigned int width = most > 0 ? (unsigned int)(count * BAR / most + 0.5) : 0;

	return width < BAR ? width : BAR;
}

static void print_bucket(FILE *out, const struct counts_view *view, enum kcatch_count_unit unit,
			 const struct kcatch_count_bucket *bucket, uint64_t most)
{
	unsigned int width = bar_width((double)bucket->count, (double)most);
	char least_text[64], most_text[64];

	limit_text(unit, bucket->least, least_text, sizeof(least_text));
	limit_text(unit, bucket->most, most_text, sizeof(most_text));
	fprintf(out, "    %12s .. %-12s %10" PRIu64 " |%.*s%s", least_text, most_text,
		bucket->count, (int)width, bar, view->end);
}

/*
 * Ranks of the powers of two: 0 is [0], 1 is [1], 2 is [2, 3], 3 is [4, 7]; -1 is [-1], -2 is
 * [-2], -3 is [-4, -3]. A bucket of the kernel lies in one of them.
 */
static int rank_of(int64_t value)
{
	uint64_t size = (uint64_t)(value < 0 ? ~value : value);
	int bits = size ? 64 - __builtin_clzll(size) : 0;

	return value < 0 ? -1 - bits : bits;
}

static struct kcatch_count_bucket bucket_of(int rank)
{
	int bits = rank < 0 ? -1 - rank : rank;
	int64_t most = (int64_t)((1ULL << bits) - 1);
	int64_t least = bits ? (int64_t)(1ULL << (bits - 1)) : 0;

	return (struct kcatch_count_bucket){ .least = rank < 0 ? ~most : least,
					     .most = rank < 0 ? ~least : most };
}

/* Powers of two. What lies between two of them is seen to be empty. */
static void print_powers(FILE *out, const struct counts_view *view, enum kcatch_count_unit unit,
			 const struct kcatch_count_row *row)
{
	int first = rank_of(row->buckets[0].least), rank, empty = 0;
	int last = rank_of(row->buckets[row->nr_buckets - 1].least);
	struct kcatch_count_bucket buckets[RANKS];
	uint64_t most = 0;
	size_t i;

	for (rank = first; rank <= last; rank++)
		buckets[rank - first] = bucket_of(rank);
	for (i = 0; i < row->nr_buckets; i++) {
		struct kcatch_count_bucket *bucket =
			&buckets[rank_of(row->buckets[i].least) - first];

		bucket->count += row->buckets[i].count;
		most = bucket->count > most ? bucket->count : most;
	}
	for (rank = first; rank <= last; rank++) {
		if (!buckets[rank - first].count) {
			empty++;
			continue;
		}
		if (empty > EMPTY)
			fprintf(out, "    %12s%s", "...", view->end);
		for (; empty && empty <= EMPTY; empty--)
			print_bucket(out, view, unit, &buckets[rank - first - empty], most);
		empty = 0;
		print_bucket(out, view, unit, &buckets[rank - first], most);
	}
}

/* The kernel's buckets: those without values are not told one by one. */
static void print_fine(FILE *out, const struct counts_view *view, enum kcatch_count_unit unit,
		       const struct kcatch_count_row *row)
{
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < row->nr_buckets; i++)
		most = row->buckets[i].count > most ? row->buckets[i].count : most;
	for (i = 0; i < row->nr_buckets; i++) {
		if (i && row->buckets[i - 1].most + 1 < row->buckets[i].least)
			fprintf(out, "    %12s%s", "...", view->end);
		print_bucket(out, view, unit, &row->buckets[i], most);
	}
}

static void print_histogram(FILE *out, const struct counts_view *view, enum kcatch_count_unit unit,
			    const struct kcatch_count_row *row)
{
	if (!row->nr_buckets)
		return;
	if (view->fine)
		print_fine(out, view, unit, row);
	else
		print_powers(out, view, unit, row);
}

static int print_stack(struct kcatch_session *session, FILE *out, const struct counts_view *view,
		       const struct kcatch_count_key *key)
{
	char text[TEXT], shown[2 * TEXT];
	uint32_t i;
	int ret = 0;

	for (i = 0; i < key->nr_frames && !ret; i++) {
		ret = frame_text(session, key, i, false, text, sizeof(text));
		if (ret)
			break;
		kcatch_text_escape(text, strlen(text), shown, sizeof(shown));
		fprintf(out, "        %s%s", shown, view->end);
	}
	if (key->end == KCATCH_STACK_CUT)
		fprintf(out, "        ... cut at --depth %" PRIu32 "%s", key->nr_frames, view->end);
	else if (key->end == KCATCH_STACK_LOST_TRACK)
		fprintf(out, "        ... the unwinder gave up here%s", view->end);
	return ret;
}

static void print_head(FILE *out, const struct kcatch_counts *counts,
		       const struct counts_view *view)
{
	bool narrow = is_narrow(counts, view);
	size_t i;

	fprintf(out, "%12s", "count");
	if (!narrow)
		fprintf(out, " %6s %-*s", "share", (int)BAR, "");
	if (counts->has_values && narrow)
		fprintf(out, " %10s %10s", "mean", "max");
	else if (counts->has_values)
		fprintf(out, " %12s %12s %12s %12s", "mean", "min", "max", "sum");
	for (i = 0; i < counts->nr_keys; i++)
		fprintf(out, "  %-24s", view->names[i]);
	fputs(view->end, out);
}

static int print_row(struct kcatch_session *session, FILE *out, const struct kcatch_counts *counts,
		     const struct counts_view *view, const struct kcatch_count_row *row,
		     double most, double all)
{
	const double weight = weight_of(row, view);
	unsigned int width = bar_width(weight, most);
	bool narrow = is_narrow(counts, view);
	char text[4 * TEXT];
	size_t i;
	int ret = 0;

	fprintf(out, "%12" PRIu64, row->count);
	if (!narrow)
		fprintf(out, " %5.1f%% %-*.*s", all > 0 ? 100.0 * weight / all : 0, (int)BAR,
			(int)width, bar);
	if (counts->has_values)
		print_values(out, counts->unit, row, narrow);
	if (row->is_other)
		fputs("  (other)", out);
	for (i = 0; i < counts->nr_keys && !row->is_other && !ret; i++) {
		ret = counts_key_text(session, &row->keys[i], view->names[i], text,
				      sizeof(text));
		fprintf(out, i + 1 < counts->nr_keys ? "  %-24s" : "  %s", ret ? "" : text);
	}
	fputs(view->end, out);
	for (i = 0; i < counts->nr_keys && !row->is_other && !ret; i++)
		if (is_stack(&row->keys[i]))
			ret = print_stack(session, out, view, &row->keys[i]);
	print_histogram(out, view, counts->bucket_unit, row);
	return ret;
}

int counts_print(struct kcatch_session *session, const struct kcatch_counts *counts, FILE *out,
		 const struct counts_view *view)
{
	double most = 0, all = 0;
	size_t i, left;
	int ret = 0;

	for (i = 0; i < counts->nr_rows; i++) {
		double weight = weight_of(&counts->rows[i], view);

		most = !i ? weight : most;
		all += weight;
	}
	print_head(out, counts, view);
	for (i = 0; i < counts->nr_rows && !ret; i++) {
		const struct kcatch_count_row *row = &counts->rows[i];

		if (view->rows && i >= view->rows && !row->is_other)
			continue;
		ret = print_row(session, out, counts, view, row, most, all);
	}
	left = view->rows && counts->nr_rows > view->rows ? counts->nr_rows - view->rows : 0;
	if (left && counts->rows[counts->nr_rows - 1].is_other)
		left--;
	if (left)
		fprintf(out, "%12s %zu more keys%s", "...", left, view->end);
	return ret;
}

/*
 * ';' separates frames. The text of a key is escaped already; a frame of a program has the name
 * that somebody gave to its file.
 */
static void put_folded(FILE *out, const char *text, bool is_frame)
{
	for (;;) {
		size_t length = strcspn(text, ";");

		if (is_frame)
			value_text_escaped(out, text, length, false);
		else
			fwrite(text, 1, length, out);
		text += length;
		if (!*text++)
			return;
		fputc(':', out);
	}
}

int counts_check_sums(const struct kcatch_counts *counts)
{
	size_t i;

	for (i = 0; counts->has_values && i < counts->nr_rows; i++)
		if (counts->rows[i].sum < 0)
			return kcatch_error_set(ERANGE,
						"the sum of a row is negative, or too large: it "
						"cannot be the width of a stack; count without "
						"--format");
	return 0;
}

static int put_folded_stack(struct kcatch_session *session, const struct kcatch_count_key *key,
			    FILE *out, bool *any)
{
	char text[4 * TEXT];
	uint32_t frame;
	int ret = 0;

	if (value_text_stack_mark(key->end)) {
		fprintf(out, "%s%s", *any ? ";" : "", value_text_stack_mark(key->end));
		*any = true;
	}
	for (frame = key->nr_frames; frame-- && !ret;) {
		ret = frame_text(session, key, frame, true, text, sizeof(text));
		fputs(*any ? ";" : "", out);
		put_folded(out, text, true);
		*any = true;
	}
	return ret;
}

static int put_folded_row(struct kcatch_session *session, const struct kcatch_counts *counts,
			  const struct kcatch_count_row *row, FILE *out,
			  const struct counts_view *view)
{
	static const enum kcatch_key_kind stacks[] = { KCATCH_KEY_USER_STACK, KCATCH_KEY_STACK };
	char text[4 * TEXT];
	bool any = false;
	size_t i, key;
	int ret = 0;

	for (key = 0; key < counts->nr_keys && !ret; key++) {
		if (is_stack(&row->keys[key]))
			continue;
		ret = counts_key_text(session, &row->keys[key], view->names[key], text,
				      sizeof(text));
		fputs(any ? ";" : "", out);
		put_folded(out, text, false);
		any = true;
	}
	for (i = 0; i < sizeof(stacks) / sizeof(stacks[0]); i++)
		for (key = 0; key < counts->nr_keys && !ret; key++)
			if (row->keys[key].kind == stacks[i])
				ret = put_folded_stack(session, &row->keys[key], out, &any);
	return ret;
}

int counts_print_folded(struct kcatch_session *session, const struct kcatch_counts *counts,
			FILE *out, const struct counts_view *view)
{
	int ret = counts_check_sums(counts);
	size_t i;

	for (i = 0; i < counts->nr_rows && !ret; i++) {
		const struct kcatch_count_row *row = &counts->rows[i];
		uint64_t weight = counts->has_values ? (uint64_t)row->sum : row->count;

		if (!weight)
			continue;
		if (row->is_other)
			fputs("[other]", out);
		else
			ret = put_folded_row(session, counts, row, out, view);
		fprintf(out, " %" PRIu64 "%s", weight, view->end);
	}
	return ret;
}
