/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the conversions of a format say of its arguments. Compiles in user space too.
 */
#ifndef _KCATCH_EVENT_FORMAT_H
#define _KCATCH_EVENT_FORMAT_H

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
 * kcatch_event_format_args() - the arguments of a format
 * @format: as printf()
 * @args: KCATCH_EVENT_ARG_* of each
 * @nr: out: how many
 *
 * Return: NULL, or what is wrong with it
 */
const char *kcatch_event_format_args(const char *format, u8 args[KCATCH_EVENT_ARGS_MAX],
				     u32 *nr);

#endif
