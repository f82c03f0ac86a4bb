/* SPDX-License-Identifier: GPL-2.0-only */
/* kcatch_trace.h - what the two files of the module kcatch_trace share */
#ifndef KCATCH_TRACE_H
#define KCATCH_TRACE_H

/* second.c: events that main.c has as well */
void kt_second_pair(int a, int b);
void kt_second_count(unsigned int who, unsigned long number);

#endif
