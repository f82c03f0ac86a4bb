/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack_texts.c - texts made of stacks, kept by the stacks' numbers */
#include <stdlib.h>
#include <string.h>

#include "stack_texts.h"

#define BYTES_MAX (16U << 20)

const struct stack_text *stack_texts_find(const struct stack_texts *texts, uint64_t number)
{
	const struct stack_text *kept;

	if (!number || !texts->texts)
		return NULL;
	kept = &texts->texts[number & (STACK_TEXTS - 1)];
	return kept->number == number ? kept : NULL;
}

void stack_texts_deinit(struct stack_texts *texts)
{
	size_t i;

	for (i = 0; texts->texts && i < STACK_TEXTS; i++)
		free(texts->texts[i].text);
	free(texts->texts);
	memset(texts, 0, sizeof(*texts));
}

void stack_texts_keep(struct stack_texts *texts, uint64_t number, char *text, size_t length)
{
	struct stack_text *kept;

	if (!texts->texts)
		texts->texts = calloc(STACK_TEXTS, sizeof(*texts->texts));
	if (!texts->texts) {
		free(text);
		return;
	}
	kept = &texts->texts[number & (STACK_TEXTS - 1)];
	texts->bytes -= kept->length;
	free(kept->text);
	*kept = (struct stack_text){ .number = number, .text = text, .length = length };
	texts->bytes += length;
	if (texts->bytes > BYTES_MAX)
		stack_texts_deinit(texts);
}
