/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * open_files.h - the files that processes have open, by the kernel's own tables
 *
 * Nothing here asks a file system, nor /proc, where an eventfd has no name of its own and a named
 * pipe has one that leads into a file system.
 */
#ifndef LIB_STUCK_OPEN_FILES_H
#define LIB_STUCK_OPEN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stuck/task_list.h"

struct kcatch_stuck_details;

/* kcatch_open_file.mode: FMODE_READ, FMODE_WRITE of the kernel */
#define KCATCH_FILE_READS 1U
#define KCATCH_FILE_WRITES 2U

/**
 * struct kcatch_open_file - an open file, by kernel addresses
 * @address: its struct file
 * @operations: its struct file_operations
 * @inode: its struct inode
 * @private: what it is for its kind of file: struct file.private_data
 * @number: number of its inode, once it was asked for; 0: not yet
 * @mode: KCATCH_FILE_*, and other bits
 * @thread: first thread that was found to have it open, a place in the list of threads
 * @fd: the descriptor there
 */
struct kcatch_open_file {
	uint64_t address, operations, inode, private, number;
	uint32_t mode;
	uint32_t thread;
	int fd;
};

/**
 * kcatch_stuck_descriptor - find the descriptor that a thread's system call reads or writes
 * @task: the thread
 * @to_write: of two descriptors the one that is written to
 *
 * Return: the descriptor; -1: it is in another system call.
 */
int kcatch_stuck_descriptor(const struct kcatch_task *task, bool to_write);

/**
 * kcatch_stuck_file_at - find the file at a descriptor
 * @details: inputs and caches
 * @task: whose descriptor it is
 * @fd: the descriptor
 *
 * Return: kernel address of its struct file; 0: there is none, or it cannot be read.
 */
uint64_t kcatch_stuck_file_at(struct kcatch_stuck_details *details, const struct kcatch_task *task,
			      int fd);

/**
 * kcatch_stuck_file_read - read an open file
 * @details: inputs and caches
 * @address: its struct file
 * @file: receives it, with neither thread nor descriptor
 *
 * Return: whether it could be read.
 */
bool kcatch_stuck_file_read(struct kcatch_stuck_details *details, uint64_t address,
			    struct kcatch_open_file *file);

/**
 * kcatch_stuck_files - all files that are open, those of each process together
 * @details: inputs and caches
 * @nr: receives their number
 *
 * The first call reads the tables of all processes, at one read for each file. A file that several
 * descriptors or processes have is there for each of them.
 *
 * Return: the files, for as long as @details; NULL: they cannot be read.
 */
struct kcatch_open_file *kcatch_stuck_files(struct kcatch_stuck_details *details, size_t *nr);

/** kcatch_stuck_file_number - number of a file's inode, read once; 0: it cannot be read */
uint64_t kcatch_stuck_file_number(struct kcatch_stuck_details *details,
				  struct kcatch_open_file *file);

struct kcatch_stuck_files;

/** kcatch_stuck_files_destroy - free the list of files; NULL is ignored */
void kcatch_stuck_files_destroy(struct kcatch_stuck_files *files);

#endif
