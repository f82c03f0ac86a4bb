/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * vmcore.h - rings in a memory dump
 *
 * The module marks pages that say where each ring's memory is (struct kcatch_dump_map of
 * the uapi). All pages of the dump are looked through for them; no symbol and no page
 * table of the dead kernel is needed. Nothing in a dump is believed.
 */
#ifndef LIB_VMCORE_H
#define LIB_VMCORE_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

/**
 * struct kcatch_vmcore_ring - a ring that was found
 * @map: its description: cpu, sizes, uuid
 * @pages: physical addresses of its data, by page; 0: not known
 * @nr_pages: how many there should be
 */
struct kcatch_vmcore_ring {
	struct kcatch_dump_map map;
	uint64_t *pages;
	size_t nr_pages;
};

struct kcatch_vmcore;

/**
 * kcatch_vmcore_open - open a dump and find the rings
 * @path: ELF, or any other format that libkdumpfile reads (makedumpfile's, QEMU's)
 * @vmcore: the dump
 *
 * Return: 0; -EOPNOTSUPP libkdumpfile is not installed; -EINVAL no memory dump;
 * another -errno.
 */
int kcatch_vmcore_open(const char *path, struct kcatch_vmcore **vmcore);

/** kcatch_vmcore_close - NULL is fine */
void kcatch_vmcore_close(struct kcatch_vmcore *vmcore);

/** kcatch_vmcore_rings - those that were found, by session and CPU */
const struct kcatch_vmcore_ring *kcatch_vmcore_rings(const struct kcatch_vmcore *vmcore,
						     size_t *nr);

/**
 * kcatch_vmcore_packets - what a ring held when the machine died
 * @vmcore: the dump
 * @ring: one of its rings
 * @visit: is called for each packet, oldest first
 * @arg: for @visit
 * @missing: pages of it that are not in the dump
 *
 * Return: 0, what @visit returned, or -errno.
 */
int kcatch_vmcore_packets(struct kcatch_vmcore *vmcore, const struct kcatch_vmcore_ring *ring,
			  int (*visit)(void *arg, uint32_t cpu, const void *packets, size_t size),
			  void *arg, size_t *missing);

#endif
