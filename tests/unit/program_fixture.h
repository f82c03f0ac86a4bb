/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small program, compiled in a directory of its own. */
#ifndef PROGRAM_FIXTURE_H
#define PROGRAM_FIXTURE_H

#include <stddef.h>

/** program_fixture_init - make a directory of @directory ("...XXXXXX"),
put @program in it as p.c */
int program_fixture_init(char *directory, const char *program);

/** program_fixture_build - compile it with @flags to file @out there; 0 when that went well */
int program_fixture_build(const char *directory, const char *flags, const char *out);

/** program_fixture_deinit - remove the directory */
int program_fixture_deinit(const char *directory);

#endif
