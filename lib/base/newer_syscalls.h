/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * newer_syscalls.h - numbers of system calls that an older <asm/unistd.h> lacks
 *
 * Those that Linux has from 6.2 to 7.3; a number never changes. lib/build.mk makes one table of
 * both: kcatch knows the system calls of newer kernels than that of the machine that built it.
 */
#ifndef LIB_BASE_NEWER_SYSCALLS_H
#define LIB_BASE_NEWER_SYSCALLS_H

#ifdef __x86_64__
#define __NR_uretprobe 335
#define __NR_uprobe 336
#endif
#define __NR_cachestat 451
#define __NR_fchmodat2 452
#define __NR_map_shadow_stack 453
#define __NR_futex_wake 454
#define __NR_futex_wait 455
#define __NR_futex_requeue 456
#define __NR_statmount 457
#define __NR_listmount 458
#define __NR_lsm_get_self_attr 459
#define __NR_lsm_set_self_attr 460
#define __NR_lsm_list_modules 461
#define __NR_mseal 462
#define __NR_setxattrat 463
#define __NR_getxattrat 464
#define __NR_listxattrat 465
#define __NR_removexattrat 466
#define __NR_open_tree_attr 467
#define __NR_file_getattr 468
#define __NR_file_setattr 469
#define __NR_listns 470
#define __NR_rseq_slice_yield 471
#define __NR_fchroot 472

#endif
