/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* running_kernel.c - the BTF of the running kernel, once for all sessions of a process */
#include <pthread.h>
#include <string.h>

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

bool kcatch_running_kernel_has(const struct kcatch_btf *btf)
{
	const struct kcatch_btf *kernel = kcatch_btf_kernel(btf);
	const void *bytes, *own_bytes;
	struct kcatch_btf *own;
	size_t size, own_size;
	bool has;

	if (!kernel || kcatch_running_kernel_get(&own))
		return false;
	bytes = kcatch_btf_bytes(kernel, &size);
	own_bytes = kcatch_btf_bytes(own, &own_size);
	has = kernel == own || (size == own_size && !memcmp(bytes, own_bytes, size));
	kcatch_running_kernel_put();
	return has;
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
