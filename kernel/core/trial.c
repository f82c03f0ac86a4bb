// SPDX-License-Identifier: GPL-2.0-only
/*
 * Verdicts over private parts of the kernel; see trial.h. They are written while the module is
 * loaded, by one thread, and only read afterwards.
 */
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <uapi/kcatch.h>
#include "core/trial.h"

static const struct {
	const char *name;	/* for the parameter */
	u64 feature;
	const char *failed;
} trials[] = {
	[KCATCH_TRIAL_NAMES] = { "names", KCATCH_FEATURE_MATCH,
		"names cannot be matched in this kernel: user space does it" },
	[KCATCH_TRIAL_TABLE] = { "table", KCATCH_FEATURE_TABLE,
		"the kernel's table of symbols is not read: ftrace looks functions up, which takes longer" },
	[KCATCH_TRIAL_STACKS] = { "stacks", KCATCH_FEATURE_ORC,
		"own stack walker not used: the kernel's unwinder walks stacks" },
	[KCATCH_TRIAL_RETURNS] = { "returns", KCATCH_FEATURE_RETURN_SHARED,
		"returns are hooked by a kretprobe for each function" },
	[KCATCH_TRIAL_PATHS] = { "paths", KCATCH_FEATURE_PATH,
		"mounts cannot be read in this kernel: paths of files end at their mount" },
	[KCATCH_TRIAL_NMI] = { "nmi", KCATCH_FEATURE_NMI,
		"no NMI can be sent: stacks of running threads cannot be saved" },
	[KCATCH_TRIAL_FETCH] = { "fetch", 0,
		"the quick reader of arguments is not used" },
};

static u64 features;

static char *distrust[KCATCH_TRIALS];
static unsigned int nr_distrust;
module_param_array(distrust, charp, &nr_distrust, 0400);
MODULE_PARM_DESC(distrust, "do without these private parts of the kernel: names, table, stacks, returns, paths, nmi, fetch");

int kcatch_trial_init(void)
{
	unsigned int i, trial;

	for (i = 0; i < nr_distrust; i++) {
		for (trial = 0; trial < KCATCH_TRIALS; trial++)
			if (!strcmp(distrust[i], trials[trial].name))
				break;
		if (trial == KCATCH_TRIALS) {
			pr_err("kcatch: distrust: no private part of the kernel is called '%s'\n",
			       distrust[i]);
			return -EINVAL;
		}
	}
	return 0;
}

bool kcatch_trial_end(enum kcatch_trial trial, bool passed)
{
	unsigned int i;

	for (i = 0; i < nr_distrust; i++)
		passed = passed && strcmp(distrust[i], trials[trial].name);
	if (passed)
		features |= trials[trial].feature;
	else
		pr_notice("kcatch: %s\n", trials[trial].failed);
	return passed;
}

u64 kcatch_trial_features(void)
{
	return features;
}
