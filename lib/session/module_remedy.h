/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* module_remedy.h - what makes the module loadable on this machine, for messages */
#ifndef LIB_SESSION_MODULE_REMEDY_H
#define LIB_SESSION_MODULE_REMEDY_H

#include <stddef.h>

/**
 * kcatch_module_remedy - say how the module gets built and installed for this kernel
 * @text: set to one line: a command, or where to run it
 * @room: size of @text, bytes; 256 suffice
 *
 * With the package kcatch-dkms it is DKMS that builds: the line names the headers if they are
 * missing. With Debian's package of the command alone the line names kcatch-dkms, otherwise
 * `make install`.
 */
void kcatch_module_remedy(char *text, size_t room);

/**
 * kcatch_signing_remedy - say how a signed module gets accepted
 * @text: set to lines, separated by newlines: commands, in their order
 * @room: size of @text, bytes; 640 suffice
 * @indent: put before each line
 *
 * DKMS signs with a key of its own, which has to be enrolled. Without it a key has to be made.
 */
void kcatch_signing_remedy(char *text, size_t room, const char *indent);

#endif
