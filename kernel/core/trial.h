/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verdicts over what the kernel keeps privately (compat/). Each part that relies on such a thing
 * tries it when the module is loaded. Where the trial fails, the part goes the public way, or does
 * without; one line in the log says so, and user space sees it in the features of INFO. The
 * parameter `distrust` lets trials fail.
 */
#ifndef _KCATCH_TRIAL_H
#define _KCATCH_TRIAL_H

#include <linux/types.h>

enum kcatch_trial {
	KCATCH_TRIAL_NAMES,	/* names are matched by ftrace's filters */
	KCATCH_TRIAL_TABLE,	/* functions are looked up in the kernel's table of symbols */
	KCATCH_TRIAL_STACKS,	/* stacks are walked by the kernel's ORC tables */
	KCATCH_TRIAL_RETURNS,	/* returns are hooked by a kretprobe that is never armed */
	KCATCH_TRIAL_PATHS,	/* paths of files go on above a mount */
	KCATCH_TRIAL_NMI,	/* NMIs are sent to other CPUs */
	KCATCH_TRIAL_FETCH,	/* lists of steps are run in quick ways */
	KCATCH_TRIALS
};

/** kcatch_trial_init() - look whether `distrust` names trials. Context: any. Return: 0, -EINVAL */
int kcatch_trial_init(void);

/**
 * kcatch_trial_end() - note the verdict of a trial, and log it if it failed
 * @trial: which
 * @passed: what was found
 *
 * Context: may sleep; while the module is loaded, once for each trial.
 * Return: true: what was tried may be used
 */
bool kcatch_trial_end(enum kcatch_trial trial, bool passed);

/** kcatch_trial_features() - KCATCH_FEATURE_* of the trials that passed. Context: any */
u64 kcatch_trial_features(void);

#endif
