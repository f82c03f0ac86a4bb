/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fake_kdumpfile.h - plays libkdumpfile, for a program that makes a machine's memory itself
 *
 * A header, because it takes the place of lib/recording/libkdumpfile.c in the program that
 * includes it and in no other. That program defines read_dump().
 */
#ifndef FAKE_KDUMPFILE_H
#define FAKE_KDUMPFILE_H

#include <string.h>

#include "recording/libkdumpfile.h"

static uint64_t dump_frames;	/* page frames that the dump claims to have */
static int dump_fd;		/* the file that was opened last */

/* Reads up to *@size bytes of the memory at @address; sets *@size to what was there. */
static kdump_status read_dump(kdump_addr_t address, void *to, size_t *size);

static kdump_ctx_t *create(void)
{
	return (kdump_ctx_t *)&dump_fd;
}

static void end(kdump_ctx_t *context)
{
	(void)context;
}

static kdump_status open_set(kdump_ctx_t *context, unsigned int nr, const int *fds)
{
	(void)context;
	(void)nr;
	dump_fd = *fds;
	return KDUMP_OK;
}

static kdump_status read_some(kdump_ctx_t *context, kdump_addrspace_t space, kdump_addr_t address,
			      void *to, size_t *size)
{
	(void)context;
	(void)space;
	return read_dump(address, to, size);
}

static kdump_status get_attr(kdump_ctx_t *context, const char *key, kdump_attr_t *attr)
{
	(void)context;
	(void)key;
	attr->type = KDUMP_BITMAP;
	attr->val.bitmap = NULL;
	return KDUMP_OK;
}

static kdump_status find_set(kdump_bmp_t *bitmap, kdump_addr_t *frame)
{
	(void)bitmap;
	return *frame < dump_frames ? KDUMP_OK : KDUMP_ERR_NODATA;
}

static const char *get_error(kdump_ctx_t *context)
{
	(void)context;
	return "made up";
}

int kcatch_libkdumpfile_open(struct kcatch_libkdumpfile *kdumpfile)
{
	memset(kdumpfile, 0, sizeof(*kdumpfile));
	kdumpfile->create = create;
	kdumpfile->destroy = end;
	kdumpfile->open = open_set;
	kdumpfile->read = read_some;
	kdumpfile->get_attr = get_attr;
	kdumpfile->find_set = find_set;
	kdumpfile->get_error = get_error;
	return 0;
}

void kcatch_libkdumpfile_close(struct kcatch_libkdumpfile *kdumpfile)
{
	(void)kdumpfile;
}

#endif
