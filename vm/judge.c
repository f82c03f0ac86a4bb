// SPDX-License-Identifier: GPL-2.0-only
/*
 * judge.c - finds the reports of faults in a kernel's log
 *
 * Works on the records of /dev/kmsg, or on the text of a serial console when
 * the machine died and its console is all there is. Both become lines of the
 * kernel's own text, on which the patterns of vm/reports are tried.
 */
#include "judge.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	PATTERNS = 64,
	BEFORE = 3,		/* lines of context shown */
	AFTER = 60,
	REPORTS_SHOWN = 10,
};

struct judge {
	regex_t patterns[PATTERNS];
	int count;
};

void text_add(struct text *text, const void *data, size_t length)
{
	if (text->fill + length + 1 > text->size) {
		if (text->fill > TEXT_MAX) {
			size_t drop = text->fill / 2;

			memmove(text->data, text->data + drop, text->fill - drop);
			text->fill -= drop;
		}
		text->size = 2 * (text->fill + length) + 4096;
		text->data = realloc(text->data, text->size);
		if (!text->data)
			abort();
	}
	memcpy(text->data + text->fill, data, length);
	text->fill += length;
	text->data[text->fill] = '\0';
	text->total += length;
}

void text_free(struct text *text)
{
	free(text->data);
	memset(text, 0, sizeof(*text));
}

void text_show_tail(const struct text *text, int lines, FILE *to)
{
	size_t from = text->fill;

	if (!from)
		return;
	while (from > 0 && (lines || text->data[from - 1] != '\n'))
		if (text->data[--from] == '\n' && from + 1 < text->fill)
			lines--;
	for (size_t i = from; i < text->fill; i++)
		if (text->data[i] != '\r')
			fputc(text->data[i], to);
	if (text->data[text->fill - 1] != '\n')
		fputc('\n', to);
}

struct judge *judge_create(const char *patterns)
{
	struct judge *judge = calloc(1, sizeof(*judge));
	FILE *file = fopen(patterns, "re");
	char line[512];

	if (!judge || !file) {
		free(judge);
		return NULL;
	}
	while (fgets(line, sizeof(line), file) && judge->count < PATTERNS) {
		line[strcspn(line, "\n")] = '\0';
		if (!*line || *line == '#')
			continue;
		if (regcomp(&judge->patterns[judge->count], line, REG_EXTENDED | REG_NOSUB)) {
			fprintf(stderr, "vm/run: %s: not a pattern: %s\n", patterns, line);
			fclose(file);
			judge_destroy(judge);
			errno = EINVAL;
			return NULL;
		}
		judge->count++;
	}
	fclose(file);
	return judge;
}

void judge_destroy(struct judge *judge)
{
	if (!judge)
		return;
	for (int i = 0; i < judge->count; i++)
		regfree(&judge->patterns[i]);
	free(judge);
}

static bool is_report(const struct judge *judge, const char *line)
{
	for (int i = 0; i < judge->count; i++)
		if (!regexec(&judge->patterns[i], line, 0, NULL, 0))
			return true;
	return false;
}

/*
 * Shows the lines around those that match, each line once. Matches close to
 * each other are one report: an oops has several telling lines.
 */
static int lines_judge(const struct judge *judge, char **lines, size_t count, FILE *to)
{
	size_t shown = 0;	/* lines before this one have been shown */
	size_t last = 0;	/* the latest match */
	int reports = 0;

	for (size_t i = 0; i < count; i++) {
		size_t from = i < BEFORE ? 0 : i - BEFORE;

		if (!is_report(judge, lines[i]))
			continue;
		if (!reports || i - last > AFTER)
			reports++;
		last = i;
		if (reports > REPORTS_SHOWN)
			continue;
		for (size_t j = from < shown ? shown : from; j < count && j <= i + AFTER; j++) {
			fprintf(to, "%s\n", lines[j]);
			shown = j + 1;
			if (j >= i && strstr(lines[j], "---[ end "))
				break;
		}
	}
	return reports;
}

static void line_push(char ***lines, size_t *count, const char *text, size_t length)
{
	if (*count % 1024 == 0) {
		*lines = realloc(*lines, (*count + 1024) * sizeof(**lines));
		if (!*lines)
			abort();
	}
	(*lines)[*count] = strndup(text, length);
	if (!(*lines)[(*count)++])
		abort();
}

static void lines_free(char **lines, size_t count)
{
	while (count)
		free(lines[--count]);
	free(lines);
}

static bool sequence_of(const char *record, unsigned long long *sequence)
{
	char *at;

	strtoul(record, &at, 10);
	if (*at != ',')
		return false;
	*sequence = strtoull(at + 1, &at, 10);
	return *at == ',';
}

/*
 * "priority,sequence,time,flags;text": only what the kernel itself said. Numbers are missing where
 * the kernel's log went round before the guest had read it, and where text_add() dropped some.
 */
int judge_log(struct judge *judge, const struct text *kmsg, FILE *to)
{
	char **lines = NULL;
	size_t count = 0;
	unsigned long long next = 0, sequence, lost = 0;
	int reports;
	const char *at = kmsg->data, *end = at + kmsg->fill;

	/* What text_add() left begins somewhere in a record. */
	if (kmsg->total != kmsg->fill) {
		at = memchr(at, '\n', kmsg->fill);
		at = at ? at + 1 : end;
	}
	while (at < end) {
		const char *stop = memchr(at, '\n', end - at), *text;
		size_t length = (stop ? stop : end) - at;

		text = memchr(at, ';', length);
		if (isdigit((unsigned char)*at) && text && sequence_of(at, &sequence)) {
			lost += sequence > next ? sequence - next : 0;
			next = sequence + 1;
		}
		/* A facility above 0 is a program's; a space starts a continuation. */
		if (isdigit((unsigned char)*at) && text && strtoul(at, NULL, 10) < 8)
			line_push(&lines, &count, text + 1, length - (text + 1 - at));
		at += length + 1;
	}
	if (lost)
		fprintf(to, "vm/run: %llu records of the kernel's log were lost: what was reported "
			"there is not known\n", lost);
	reports = lines_judge(judge, lines, count, to);
	lines_free(lines, count);
	return reports;
}

/* "[   12.345678] text", "[   12.345678][  T123] text": the stamps go. */
int judge_console(struct judge *judge, const struct text *console, FILE *to)
{
	char **lines = NULL;
	size_t count = 0;
	int reports;
	const char *at = console->data, *end = at + console->fill;

	while (at < end) {
		const char *stop = memchr(at, '\n', end - at), *text = at, *close;
		size_t length = (stop ? stop : end) - at, left;

		while (text < at + length && *text == '[' &&
		       (close = memchr(text, ']', at + length - text)))
			text = close + 1;
		if (text > at && text < at + length && *text == ' ')
			text++;
		left = at + length - text;
		while (left && text[left - 1] == '\r')
			left--;
		line_push(&lines, &count, text, left);
		at += length + 1;
	}
	reports = lines_judge(judge, lines, count, to);
	lines_free(lines, count);
	return reports;
}
