// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows a condition from its first instruction, as long as one of two ways ends in a refusal.
 * Process context; no memory.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <uapi/kcatch.h>
#include "program/condition_demands.h"

/* Instructions that are looked at. */
#define STEPS_MAX	64

/* What is behind the end is not looked at. */
static void reach(u64 *reached, u32 pc)
{
	if (pc < KCATCH_BPF_MAX)
		reached[pc / 64] |= 1ULL << pc % 64;
}

/* Does no way from there accept? What is undecided is not accepted. All jumps go forward. */
static bool refuses(const struct sock_filter *code, unsigned int nr, unsigned int pc)
{
	u64 reached[KCATCH_BPF_MAX / 64] = { 0 };

	if (pc >= nr || nr > KCATCH_BPF_MAX)
		return false;
	for (reach(reached, pc); pc < nr; pc++) {
		const struct sock_filter *now = &code[pc];

		if (!(reached[pc / 64] >> pc % 64 & 1))
			continue;
		if (now->code == (BPF_JMP | BPF_JA)) {
			reach(reached, pc + 1 + now->k);
		} else if (BPF_CLASS(now->code) == BPF_JMP) {
			reach(reached, pc + 1 + now->jt);
			reach(reached, pc + 1 + now->jf);
		} else if (BPF_CLASS(now->code) != BPF_RET) {
			reach(reached, pc + 1);
		} else if (now->code != (BPF_RET | BPF_K) ||
			   (now->k && now->k != KCATCH_CONDITION_UNDECIDED)) {
			return false;
		}
	}
	return true;
}

static bool demand(struct kcatch_demands *demands, u32 at, u32 mask, u32 value)
{
	if (demands->nr == KCATCH_DEMANDS_MAX)
		return false;
	demands->of[demands->nr].at = at;
	demands->of[demands->nr].mask = mask;
	demands->of[demands->nr++].value = value;
	return true;
}

void kcatch_demands_of(const struct sock_filter *code, unsigned int nr,
		       struct kcatch_demands *demands)
{
	u32 steps, pc = 0, at = U32_MAX;

	demands->nr = 0;
	demands->all = false;
	for (steps = 0; steps < STEPS_MAX && pc < nr; steps++) {
		const struct sock_filter *now = &code[pc];
		u32 yes = pc + 1 + now->jt, no = pc + 1 + now->jf;

		switch (now->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			at = now->k;
			pc++;
			continue;
		case BPF_JMP | BPF_JA:
			pc += 1 + now->k;
			continue;
		case BPF_RET | BPF_K:
			demands->all = now->k && now->k != KCATCH_CONDITION_UNDECIDED &&
				       demands->nr;
			return;
		case BPF_JMP | BPF_JEQ | BPF_K:
			if (at == U32_MAX || !refuses(code, nr, no) ||
			    !demand(demands, at, U32_MAX, now->k))
				return;
			pc = yes;
			continue;
		case BPF_JMP | BPF_JSET | BPF_K:
			if (at == U32_MAX || !refuses(code, nr, yes) ||
			    !demand(demands, at, now->k, 0))
				return;
			pc = no;
			continue;
		}
		return;
	}
}
