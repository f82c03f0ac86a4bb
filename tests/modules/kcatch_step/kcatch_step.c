// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_step: an instruction that faults while a kprobe steps over it. Writing a number to its
 * parameter "read" makes it read so often what is not there. The kprobe at the instruction has a
 * post-handler, so that the kernel steps over a copy. The copy faults, the tracepoint of page
 * faults calls kt_step_called(), and only then the kernel asks which kprobe it was, to go on at the
 * instruction itself, whose fault is expected. On other machines than x86 faults have no
 * tracepoint, and the module does not load.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#ifdef CONFIG_X86
#include <asm/asm.h>

/* In the kernel's part of the address space, where never anything is. */
#define NOTHING	0xffffffff00000000UL

int kt_step_called(int number);
int kt_step_read(const u64 *from);

static unsigned long stepped;
module_param(stepped, ulong, 0444);
MODULE_PARM_DESC(stepped, "to be read: faults of the copy");
static unsigned long read;
static struct tracepoint *faults;

noinline int kt_step_called(int number)
{
	barrier();
	return number + 1;
}

/* Return: 0; -EFAULT */
noinline int kt_step_read(const u64 *from)
{
	u64 value = 0;
	int error = -EFAULT;

	asm volatile(".globl kt_step_place\n"
		     "kt_step_place:\n"
		     "	movq (%2), %0\n"
		     "	xorl %1, %1\n"
		     "2:\n"
		     _ASM_EXTABLE(kt_step_place, 2b)
		     : "+r" (value), "+r" (error) : "r" (from));
	return error;
}

static int on_place(struct kprobe *kprobe, struct pt_regs *regs)
{
	return 0;
}

static void behind_place(struct kprobe *kprobe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe kprobe = {
	.symbol_name = "kcatch_step:kt_step_place", .pre_handler = on_place,
	.post_handler = behind_place,
};

/*
 * page_fault_kernel(unsigned long address, struct pt_regs *, unsigned long code)
 *
 * The kprobe knows the place: since 7.3 objtool warns of code that takes the address of an
 * instruction that is no target of indirect jumps.
 */
static void on_fault(void *data, unsigned long address, struct pt_regs *regs, unsigned long code)
{
	if (address != NOTHING || regs->ip == (unsigned long)kprobe.addr)
		return;
	stepped = kt_step_called(stepped);
}

static int set_read(const char *value, const struct kernel_param *param)
{
	unsigned long nr;
	int error = kstrtoul(value, 0, &nr);

	for (; !error && nr; nr--, read++)
		if (kt_step_read((const u64 *)NOTHING) != -EFAULT)
			error = -EINVAL;
	return error;
}

static const struct kernel_param_ops read_ops = { .set = set_read, .get = param_get_ulong };
module_param_cb(read, &read_ops, &read, 0600);
MODULE_PARM_DESC(read, "to be written: so many reads; to be read: those that faulted");

static void look_at(struct tracepoint *tracepoint, void *unused)
{
	if (!strcmp(tracepoint->name, "page_fault_kernel"))
		faults = tracepoint;
}

static int __init step_init(void)
{
	int error;

	for_each_kernel_tracepoint(look_at, NULL);
	error = faults ? tracepoint_probe_register(faults, on_fault, NULL) : -ENOENT;
	if (error)
		return error;
	error = register_kprobe(&kprobe);
	if (error) {
		tracepoint_probe_unregister(faults, on_fault, NULL);
		tracepoint_synchronize_unregister();
	}
	return error;
}

static void __exit step_exit(void)
{
	unregister_kprobe(&kprobe);
	tracepoint_probe_unregister(faults, on_fault, NULL);
	tracepoint_synchronize_unregister();
}

module_init(step_init);
module_exit(step_exit);

#else
static int __init step_init(void)
{
	return -EOPNOTSUPP;
}
module_init(step_init);
#endif
MODULE_DESCRIPTION("An instruction that faults while a kprobe steps over it");
MODULE_LICENSE("GPL");
