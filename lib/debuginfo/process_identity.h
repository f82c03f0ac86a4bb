/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* process_identity.h - which process has a number, and which program it runs */
#ifndef LIB_DEBUGINFO_PROCESS_IDENTITY_H
#define LIB_DEBUGINFO_PROCESS_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct kcatch_process_identity - the same as long as the process is, and runs the same program
 * @start_time: when the process began, clock ticks since the boot
 * @start_code: address of the program's code
 * @start_stack: address of its stack; 0: the process has ended
 */
struct kcatch_process_identity {
	unsigned long long start_time, start_code, start_stack;
};

/**
 * kcatch_process_identity_read - read it from /proc
 * @pid: process or thread
 * @identity: set; all 0 if false is returned
 *
 * Return: whether it lives. A zombie does not.
 */
bool kcatch_process_identity_read(uint32_t pid, struct kcatch_process_identity *identity);

/**
 * kcatch_process_identity_reader - the thread by which a process is read
 * @pid: the process
 * @identity: set; all 0 if the process has ended
 *
 * That is the first thread, whose number the process has; when that has ended and others go on, it
 * has no memory any more.
 *
 * Return: the thread's number; @pid if the process has ended.
 */
uint32_t kcatch_process_identity_reader(uint32_t pid, struct kcatch_process_identity *identity);

#endif
