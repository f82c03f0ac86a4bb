// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - /proc/kcatch_test: takes orders, one at a time
 */
#include <linux/dcache.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kcatch_test.h"

#define NAME "kcatch_test"
#define ORDER_MAX 64

static DEFINE_MUTEX(order_lock);

int kt_initial(int number);

/* Gone after the load, as every function that is needed only for it. */
KT_FUNCTION int __init kt_initial(int number)
{
	barrier();
	return number;
}

struct numbered {
	const char *name;
	int (*run)(int number);
};

/* Orders that are a name and a number. */
static const struct numbered numbered[] = {
	{ "hammer", kt_hammer },
	{ "nest", kt_returns_nest },
	{ "late", kt_returns_late },
	{ "die", kt_returns_die },
	{ "warn", kt_fault_warn },
	{ "oops", kt_fault_oops },
	{ "panic", kt_fault_panic },
	{ "before", kt_fault_before },
	{ "after", kt_fault_after },
	{ "lock", kt_fault_lock },
	{ "hang", kt_fault_hang },
	{ "release", kt_fault_release },
};

static int order_run(char *order)
{
	const struct kt_context *context;
	struct kt_call call = {};
	char *words[3] = {};
	char *word;
	int count = 0, result, i;

	while ((word = strsep(&order, " \n"))) {
		if (!*word)
			continue;
		if (count == ARRAY_SIZE(words))
			return -EINVAL;
		words[count++] = word;
	}
	if (count < 2)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(numbered); i++) {
		if (strcmp(words[0], numbered[i].name))
			continue;
		if (kstrtoint(words[1], 0, &call.number) || call.number < 0)
			return -EINVAL;
		return numbered[i].run(call.number);
	}
	context = kt_context_find(words[0]);
	call.shape = kt_shape_find(words[1]);
	if (!context || !call.shape)
		return -EINVAL;
	if (words[2] && kstrtoint(words[2], 0, &call.number))
		return -EINVAL;
	result = context->run(&call);
	barrier();	/* no tail call */
	return result;
}

ssize_t kt_write(struct file *file, const char __user *from, size_t size, loff_t *at);

KT_FUNCTION ssize_t kt_write(struct file *file, const char __user *from, size_t size,
			     loff_t *at)
{
	char order[ORDER_MAX];
	int result;

	if (size >= sizeof(order))
		return -EINVAL;
	if (copy_from_user(order, from, size))
		return -EFAULT;
	order[size] = '\0';
	mutex_lock(&order_lock);
	result = order_run(order);
	mutex_unlock(&order_lock);
	return result ? result : size;
}

/* Takes no lock: it is read while a writer waits. */
static int show(struct seq_file *file, void *unused)
{
	kt_hammer_show(file);
	kt_returns_show(file);
	seq_printf(file, "dentry.parent %zu\n", offsetof(struct dentry, d_parent));
	return 0;
}

static int open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static const struct proc_ops operations = {
	.proc_open = open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = kt_write,
};

static int __init kcatch_test_init(void)
{
	int result = kt_contexts_init();

	if (result)
		return result;
	if (!proc_create(NAME, 0600, NULL, &operations)) {
		kt_contexts_exit();
		return -ENOMEM;
	}
	result = kt_property_init();
	if (result) {
		remove_proc_entry(NAME, NULL);
		kt_contexts_exit();
		return result;
	}
	return kt_initial(0);
}

static void __exit kcatch_test_exit(void)
{
	kt_property_exit();
	remove_proc_entry(NAME, NULL);
	kt_fault_release(0);
	kt_returns_exit();
	kt_contexts_exit();
}

module_init(kcatch_test_init);
module_exit(kcatch_test_exit);
MODULE_DESCRIPTION("kcatch test: known functions in known contexts");
MODULE_LICENSE("GPL");
