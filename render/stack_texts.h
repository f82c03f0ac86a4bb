/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack_texts.h - texts made of stacks, kept by the stacks' numbers */
#ifndef RENDER_STACK_TEXTS_H
#define RENDER_STACK_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#define STACK_TEXTS 8192	/* texts that are kept, a power of two */

/** struct stack_text - a text; @number 0: none */
struct stack_text {
	uint64_t number;
	char *text;
	size_t length;
};

/**
 * struct stack_texts - the texts of one form; zeroed: empty. At most 16 MB
 * @texts: STACK_TEXTS places, by the numbers' low bits; NULL: no text is kept
 * @bytes: of all texts
 */
struct stack_texts {
	struct stack_text *texts;
	size_t bytes;
};

/**
 * stack_texts_find - find the text of a stack
 * @texts: the texts
 * @number: of kcatch_session_stack_number(); 0: none
 *
 * Return: the text, valid until the next stack_texts_keep(); NULL: it is not kept.
 */
const struct stack_text *stack_texts_find(const struct stack_texts *texts, uint64_t number);

/**
 * stack_texts_keep - keep the text of a stack
 * @texts: the texts
 * @number: of kcatch_session_stack_number(), not 0
 * @text: allocated; owned by @texts from now on, and may be freed at once
 * @length: of @text, bytes
 */
void stack_texts_keep(struct stack_texts *texts, uint64_t number, char *text, size_t length);

/** stack_texts_deinit - free all texts */
void stack_texts_deinit(struct stack_texts *texts);

#endif
