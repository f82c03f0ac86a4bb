/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel_words.h - names of this kernel's functions and events, for the shell's completion */
#ifndef CLI_COMMON_KERNEL_WORDS_H
#define CLI_COMMON_KERNEL_WORDS_H

/**
 * kernel_functions_print - print the functions that begin with a prefix
 * @prefix: the beginning; "MODULE:" restricts the functions to those of a module
 *
 * One name a line on standard output, each once, in the kernel's order: the functions of
 * /proc/kallsyms. kcatch may refuse some of them. What cannot be read is left out.
 */
void kernel_functions_print(const char *prefix);

/**
 * kernel_events_print - print the events that begin with a prefix
 * @prefix: the beginning of "system:event"
 *
 * One event a line on standard output: tracepoints, ktrace's events, and the set "core".
 */
void kernel_events_print(const char *prefix);

#endif
