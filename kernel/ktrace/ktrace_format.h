/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the conversions of a DO_TRACE format. Compiles in user space too.
 */
#ifndef _KCATCH_KTRACE_FORMAT_H
#define _KCATCH_KTRACE_FORMAT_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/string.h>
#else
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
typedef uint8_t u8;
typedef uint32_t u32;
#endif
#include <uapi/kcatch.h>

/**
 * kcatch_ktrace_format_args() - the arguments of a format
 * @format: as printf()
 * @args: out: KCATCH_EVENT_ARG_* of each argument
 * @nr: out: number of arguments
 *
 * Return: NULL, or a text that describes the error in @format
 */
const char *kcatch_ktrace_format_args(const char *format, u8 args[KCATCH_EVENT_ARGS_MAX],
				     u32 *nr);

#endif
