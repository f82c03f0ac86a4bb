/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * vmcore.h - finds the rings in a memory dump
 *
 * The module marks pages that locate each ring's memory (struct kcatch_dump_map of the uapi
 * header). All pages of the dump are searched for them; no symbols and no page tables of the
 * dead kernel are needed. Nothing in a dump is trusted.
 */
#ifndef LIB_RECORDING_VMCORE_H
#define LIB_RECORDING_VMCORE_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

/**
 * struct kcatch_vmcore_ring - a ring buffer found in a dump
 * @map: description of the ring buffer: CPU, sizes, UUID
 * @pages: physical addresses of the data pages, in order; 0: not known
 * @nr_pages: number of entries in @pages
 */
struct kcatch_vmcore_ring {
	struct kcatch_dump_map map;
	uint64_t *pages;
	size_t nr_pages;
};

/* In the side directory: streams are being copied from a dump and are still incomplete. */
#define KCATCH_RECORDING_PARTIAL "vmcore.partial"

struct kcatch_vmcore;

/**
 * kcatch_vmcore_open - open a dump and find its ring buffers
 * @path: ELF, or any other format that libkdumpfile reads (makedumpfile's, QEMU's)
 * @vmcore: the dump
 *
 * Return: 0; -EOPNOTSUPP libkdumpfile is not installed; -EINVAL the file is no memory dump;
 * another -errno.
 */
int kcatch_vmcore_open(const char *path, struct kcatch_vmcore **vmcore);

/** kcatch_vmcore_close - close a dump; NULL is ignored */
void kcatch_vmcore_close(struct kcatch_vmcore *vmcore);

/** kcatch_vmcore_rings - get the ring buffers found, sorted by session and CPU; @nr: number */
const struct kcatch_vmcore_ring *kcatch_vmcore_rings(const struct kcatch_vmcore *vmcore,
						     size_t *nr);

/** kcatch_vmcore_size - bytes of memory in the dump: an upper bound for its packets */
uint64_t kcatch_vmcore_size(const struct kcatch_vmcore *vmcore);

/**
 * kcatch_vmcore_packets - visit the packets that a ring buffer held when the machine crashed
 * @vmcore: the dump
 * @ring: a ring buffer of the dump
 * @visit: called for each packet, oldest first
 * @arg: passed to @visit
 * @missing: number of the ring buffer's pages that are not in the dump
 *
 * Return: 0; what @visit returned; -EBADMSG the ring buffer's header page is not in the dump;
 * another -errno.
 */
int kcatch_vmcore_packets(struct kcatch_vmcore *vmcore, const struct kcatch_vmcore_ring *ring,
			  int (*visit)(void *arg, uint32_t cpu, const void *packets, size_t size),
			  void *arg, size_t *missing);

#endif
