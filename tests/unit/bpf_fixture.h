/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classic BPF, checked and run as the kernel does it. */
#ifndef BPF_FIXTURE_H
#define BPF_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/filter.h>

#include <uapi/kcatch.h>

/** bpf_run - run @nr instructions;
the test fails when the kernel would refuse them. 0 of them: true */
bool bpf_run(const struct sock_filter *code, uint32_t nr, const struct kcatch_condition *data);
/** bpf_result - run instructions that compute a number; their result */
uint32_t bpf_result(const struct sock_filter *code, uint32_t nr,
		    const struct kcatch_condition *data);

#endif
