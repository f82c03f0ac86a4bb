/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * libkdumpfile.h - reads memory dumps of all formats, by libkdumpfile
 *
 * The library is loaded at run time, at the first use.
 */
#ifndef LIB_RECORDING_LIBKDUMPFILE_H
#define LIB_RECORDING_LIBKDUMPFILE_H

#include <libkdumpfile/kdumpfile.h>

/* Functions used: name of the struct member, name of the function. */
#define KCATCH_LIBKDUMPFILE_FUNCTIONS(f)	\
	f(create, kdump_new)			\
	f(destroy, kdump_free)			\
	f(open, kdump_open_fdset)		\
	f(read, kdump_read)			\
	f(get_attr, kdump_get_attr)		\
	f(find_set, kdump_bmp_find_set)		\
	f(get_error, kdump_get_err)

#define KCATCH_MEMBER(member, name) __typeof__(&name) member;

struct kcatch_libkdumpfile {
	void *library;
	KCATCH_LIBKDUMPFILE_FUNCTIONS(KCATCH_MEMBER)
};

#undef KCATCH_MEMBER

/** kcatch_libkdumpfile_open - load the library; 0, or -EOPNOTSUPP with an error text */
int kcatch_libkdumpfile_open(struct kcatch_libkdumpfile *kdumpfile);
void kcatch_libkdumpfile_close(struct kcatch_libkdumpfile *kdumpfile);

#endif
