// SPDX-License-Identifier: GPL-2.0-only
/*
 * property.c - a function that is called with what a test writes, and returns it
 *
 * A write to /proc/kcatch_test_property is a row of struct property_call.
 */
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/uaccess.h>

#include "kcatch_test.h"

#define NAME "kcatch_test_property"

struct property_call {
	u64 args[6], ret;
};

static DEFINE_MUTEX(lock);
static u64 answer;

u64 kt_property(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 number);

/* The seventh argument tells the calls apart. */
KT_FUNCTION u64 kt_property(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 number)
{
	barrier();
	return answer;
}

static ssize_t write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	struct property_call call;
	size_t i;

	if (size % sizeof(call))
		return -EINVAL;
	mutex_lock(&lock);
	for (i = 0; i < size / sizeof(call); i++) {
		if (copy_from_user(&call, from + i * sizeof(call), sizeof(call))) {
			mutex_unlock(&lock);
			return -EFAULT;
		}
		answer = call.ret;
		kt_property(call.args[0], call.args[1], call.args[2], call.args[3], call.args[4],
			    call.args[5], i);
	}
	mutex_unlock(&lock);
	return size;
}

static const struct proc_ops operations = {
	.proc_write = write,
	.proc_lseek = noop_llseek,
};

int kt_property_init(void)
{
	return proc_create(NAME, 0600, NULL, &operations) ? 0 : -ENOMEM;
}

void kt_property_exit(void)
{
	remove_proc_entry(NAME, NULL);
}
