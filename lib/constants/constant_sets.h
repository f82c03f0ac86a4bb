/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * constant_sets.h - private declarations of the sets of names
 *
 * The headers of the kernel and of the C library cannot be included together, so that the sets are
 * in two files. This one includes no other header of a system.
 */
#ifndef LIB_CONSTANTS_CONSTANT_SETS_H
#define LIB_CONSTANTS_CONSTANT_SETS_H

#include <stdint.h>

#include "constants/constant_names.h"

/**
 * struct kcatch_constant - a name
 * @name: the name; NULL: the end of a list
 * @number: its number, as C extends it to 64 bits
 */
struct kcatch_constant {
	const char *name;
	int64_t number;
};

/**
 * struct kcatch_constants - the names of one kind of number
 * @field: the bits that are one number, which @values names; 0: all bits are flags
 * @values: names of that number; NULL: none
 * @flags: names of the other bits, those of several bits first; NULL: none
 * @zero: name of a number without any bit; NULL: it has none
 * @name_of: names all numbers, instead of @values; NULL: these do
 * @put_other: writes a number without a name, of 32 bits, in another way; NULL: there is none
 * @wide: the number has 64 bits; else 32, and of a wider one the upper half is ignored if it is the
 *	sign
 */
struct kcatch_constants {
	uint64_t field;
	const struct kcatch_constant *values;
	const struct kcatch_constant *flags;
	const char *zero;
	const char *(*name_of)(uint64_t number);
	void (*put_other)(uint32_t number, char *text, size_t room);
	bool wide;
};

#define KCATCH_CONSTANT_VALUES UINT64_MAX	/* @field of numbers that have no flags */

/* All sets: one declaration, and one line in the list of those that are searched by name. */
/* clang-format off */
#define KCATCH_CONSTANT_SETS(_) \
	_(access) _(advice) _(at) _(at_access) _(at_remove) _(clock) _(clone) _(clone3) \
	_(descriptor) _(descriptor_flags) _(epoll) _(epoll_control) _(epoll_create) _(fallocate) \
	_(family) _(fcntl) _(futex) _(ioctl) _(ip_protocol) _(lease) _(map) _(memfd) _(message) \
	_(mlock_all) _(mount) _(mremap) _(msync) _(netlink) _(open) _(pipe) _(policy) _(poll) \
	_(protection) _(random) _(rename) _(resolve) _(resource) _(seal) _(shut) _(signal) \
	_(signal_mask) _(socket_flags) _(socket_type) _(statx_mask) _(tcp_flags) _(tcp_state) \
	_(unshare) _(wait) _(watch) _(whence)
/* clang-format on */

#define DECLARE(name) extern const struct kcatch_constants kcatch_constants_##name;
KCATCH_CONSTANT_SETS(DECLARE)
#undef DECLARE

/* What is in a packet: protocols of IP, and types of frames. They are names only where such a
 * number is meant. */
extern const struct kcatch_constants kcatch_constants_packet;

#endif
