/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* process_identity.c - reads which process has a number, and which program it runs */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "debuginfo/process_identity.h"

bool kcatch_process_identity_read(uint32_t pid, struct kcatch_process_identity *identity)
{
	char path[32], text[1024], *at;

	memset(identity, 0, sizeof(*identity));
	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (kcatch_text_read_file(path, text, sizeof(text)) <= 0)
		return false;
	at = strrchr(text, ')'); /* a command can hold blanks and brackets */
	/* Fields 3 on: 22 is the time of its start, 26 and 28 are places. */
	return at &&
	       sscanf(at + 1,
		      " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
		      " %*s %*s %*s %llu %*s %*s %*s %llu %*s %llu",
		      &identity->start_time, &identity->start_code, &identity->start_stack) == 3 &&
	       identity->start_stack; /* 0: it has ended, and waits for its parent */
}

uint32_t kcatch_process_identity_reader(uint32_t pid, struct kcatch_process_identity *identity)
{
	char path[32];
	struct dirent *entry;
	uint32_t tid = 0;
	DIR *threads;

	if (kcatch_process_identity_read(pid, identity))
		return pid;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	threads = opendir(path);
	while (threads && !tid && (entry = readdir(threads))) {
		tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
		if (tid && !kcatch_process_identity_read(tid, identity))
			tid = 0;
	}
	if (threads)
		closedir(threads);
	return tid ? tid : pid;
}
