// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probes of tracepoints that do nothing but return: the least that any tracer of these
 * events can cost. Enabling system call tracepoints alone sends every system call the
 * kernel's slow way.
 *
 *	insmod empty_events.ko names=sys_enter,sys_exit
 */
#include <linux/module.h>
#include <linux/tracepoint.h>

#define MOST 32

static char *names[MOST];
static unsigned int nr_names;
module_param_array(names, charp, &nr_names, 0400);

static struct tracepoint *found[MOST];

static void probe(void *data, unsigned long a, unsigned long b, unsigned long c)
{
}

static void look_at(struct tracepoint *tracepoint, void *unused)
{
	unsigned int i;

	for (i = 0; i < nr_names; i++)
		if (!strcmp(tracepoint->name, names[i]))
			found[i] = tracepoint;
}

static void empty_events_exit(void)
{
	unsigned int i;

	for (i = 0; i < nr_names; i++)
		if (found[i])
			tracepoint_probe_unregister(found[i], probe, NULL);
	tracepoint_synchronize_unregister();
}

static int __init empty_events_init(void)
{
	unsigned int i;

	for_each_kernel_tracepoint(look_at, NULL);
	for (i = 0; i < nr_names; i++)
		if (!found[i])
			return -ENOENT;
	for (i = 0; i < nr_names; i++)
		if (tracepoint_probe_register(found[i], probe, NULL)) {
			found[i] = NULL;
			empty_events_exit();
			return -EINVAL;
		}
	return 0;
}

module_init(empty_events_init);
module_exit(empty_events_exit);
MODULE_DESCRIPTION("Probes of tracepoints that do nothing");
MODULE_LICENSE("GPL");
