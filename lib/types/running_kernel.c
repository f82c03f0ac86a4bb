/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* running_kernel.c - the BTF of the running kernel, once for all sessions of a process */
#include <pthread.h>

#include "types/running_kernel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kcatch_btf *shared;	/* protected by @lock, as is @users */
static unsigned int users;

int kcatch_running_kernel_get(struct kcatch_btf **btf)
{
	int ret = 0;

	pthread_mutex_lock(&lock);
	if (!users)
		ret = kcatch_btf_open(&shared, KCATCH_BTF_DIRECTORY "/" KCATCH_BTF_KERNEL, -1,
				      NULL);
	if (!ret) {
		users++;
		*btf = shared;
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

void kcatch_running_kernel_put(void)
{
	pthread_mutex_lock(&lock);
	if (!--users) {
		kcatch_btf_close(shared);
		shared = NULL;
	}
	pthread_mutex_unlock(&lock);
}
