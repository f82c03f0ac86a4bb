/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * judge.h - does a kernel's log hold the report of a fault?
 */
#ifndef VM_JUDGE_H
#define VM_JUDGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Collected output; keeps the last TEXT_MAX bytes at least. */
struct text {
	char *data;
	size_t fill, size;
	uint64_t total;		/* bytes ever added */
};

#define TEXT_MAX (16u << 20)

void text_add(struct text *text, const void *data, size_t length);
void text_free(struct text *text);
void text_show_tail(const struct text *text, int lines, FILE *to);

struct judge;

/* PATTERNS is a file like vm/reports; NULL with errno when it cannot be read. */
struct judge *judge_create(const char *patterns);
void judge_destroy(struct judge *judge);

/* Both show each report on TO and return how many there are. */
int judge_log(struct judge *judge, const struct text *kmsg, FILE *to);
int judge_console(struct judge *judge, const struct text *console, FILE *to);

#endif
