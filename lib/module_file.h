/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * Where a kernel module's file is, by the list that depmod makes.
 */
#ifndef KCATCH_MODULE_FILE_H
#define KCATCH_MODULE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * kcatch_module_file - the file of a module, as modules.dep names it
 * @release: of the kernel
 * @name: of the module, with underscores
 * @path: absolute, or (mostly) below /lib/modules/RELEASE; the file may have gone since
 * @room: bytes at @path
 *
 * Return: is it in the list.
 */
bool kcatch_module_file(const char *release, const char *name, char *path, size_t room);

#endif
