/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classic BPF, checked and run as the kernel does it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "bpf_fixture.h"

static void check_program(const struct sock_filter *code, uint32_t nr)
{
	uint32_t valid = 0, masks[KCATCH_BPF_MAX], i;

	assert_true(nr > 0 && nr <= KCATCH_BPF_MAX);
	assert_int_equal(BPF_CLASS(code[nr - 1].code), BPF_RET);
	memset(masks, 0xff, sizeof(masks));
	for (i = 0; i < nr; i++) {
		const struct sock_filter *f = &code[i];

		valid &= masks[i];
		switch (f->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			assert_true(!(f->k % 4) && f->k + 4 <= sizeof(struct kcatch_condition));
			break;
		case BPF_ST:
		case BPF_STX:
			assert_true(f->k < 16);
			valid |= 1U << f->k;
			break;
		case BPF_LD | BPF_MEM:
		case BPF_LDX | BPF_MEM:
			assert_true(f->k < 16 && valid & 1U << f->k);
			break;
		case BPF_ALU | BPF_DIV | BPF_K:
		case BPF_ALU | BPF_MOD | BPF_K:
			assert_true(f->k != 0);
			break;
		case BPF_ALU | BPF_LSH | BPF_K:
		case BPF_ALU | BPF_RSH | BPF_K:
			assert_true(f->k < 32);
			break;
		case BPF_JMP | BPF_JA:
			assert_true(f->k < nr - i - 1);
			masks[i + 1 + f->k] &= valid;
			valid = ~0U;
			break;
		default:
			if (BPF_CLASS(f->code) == BPF_JMP) {
				assert_true(i + 1 + f->jt < nr && i + 1 + f->jf < nr);
				masks[i + 1 + f->jt] &= valid;
				masks[i + 1 + f->jf] &= valid;
				valid = ~0U;
			}
		}
	}
}

static uint32_t alu(uint16_t op, uint32_t a, uint32_t b, bool *zero)
{
	switch (op) {
	case BPF_ADD: return a + b;
	case BPF_SUB: return a - b;
	case BPF_MUL: return a * b;
	case BPF_DIV: *zero = !b; return b ? a / b : 0;
	case BPF_MOD: *zero = !b; return b ? a % b : 0;
	case BPF_AND: return a & b;
	case BPF_OR: return a | b;
	case BPF_XOR: return a ^ b;
	case BPF_LSH: assert_true(b < 32); return a << b;
	case BPF_RSH: assert_true(b < 32); return a >> b;
	case BPF_NEG: return -a;
	default: fail_msg("operation %x", op);
	}
	return 0;
}

bool bpf_run(const struct sock_filter *code, uint32_t nr, const struct kcatch_condition *data)
{
	uint32_t result = nr ? bpf_result(code, nr, data) : 1;

	return result && result != KCATCH_CONDITION_UNDECIDED;
}

uint32_t bpf_result(const struct sock_filter *code, uint32_t nr,
		    const struct kcatch_condition *data)
{
	uint32_t a = 0, x = 0, m[16] = { 0 }, pc;

	check_program(code, nr);
	for (pc = 0; pc < nr; pc++) {
		const struct sock_filter *f = &code[pc];
		uint32_t b = BPF_SRC(f->code) == BPF_X ? x : f->k;
		bool zero = false, yes;

		switch (f->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			memcpy(&a, (const char *)data + f->k, 4);
			continue;
		case BPF_LD | BPF_IMM: a = f->k; continue;
		case BPF_LDX | BPF_IMM: x = f->k; continue;
		case BPF_LD | BPF_MEM: a = m[f->k]; continue;
		case BPF_LDX | BPF_MEM: x = m[f->k]; continue;
		case BPF_ST: m[f->k] = a; continue;
		case BPF_STX: m[f->k] = x; continue;
		case BPF_MISC | BPF_TAX: x = a; continue;
		case BPF_MISC | BPF_TXA: a = x; continue;
		case BPF_RET | BPF_K: return f->k;
		case BPF_RET | BPF_A: return a;
		case BPF_JMP | BPF_JA: pc += f->k; continue;
		}
		if (BPF_CLASS(f->code) == BPF_ALU) {
			a = alu(BPF_OP(f->code), a, b, &zero);
			if (zero)
				return 0;
			continue;
		}
		assert_int_equal(BPF_CLASS(f->code), BPF_JMP);
		switch (BPF_OP(f->code)) {
		case BPF_JEQ: yes = a == b; break;
		case BPF_JGT: yes = a > b; break;
		case BPF_JGE: yes = a >= b; break;
		case BPF_JSET: yes = a & b; break;
		default: fail_msg("jump %x", f->code); return 0;
		}
		pc += yes ? f->jt : f->jf;
	}
	fail_msg("fell off the end");
	return 0;
}
