// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses formats. A conversion decides how its argument is recorded, so that whoever
 * knows the format can read the payload.
 */
#include "ktrace/ktrace_format.h"

/* Bytes of an integer by its length modifier; moves past it. */
static u32 take_length(const char **at)
{
	u32 size = sizeof(int);

	switch (**at) {
	case 'h':
		size = sizeof(short);
		if (*++*at == 'h') {
			++*at;
			size = 1;
		}
		break;
	case 'l':
	case 'q':
	case 'L':
		if (*++*at == 'l')
			++*at;
		size = sizeof(long long);
		break;
	case 'z':
	case 'Z':
	case 't':
	case 'j':
		++*at;
		size = sizeof(long);
		break;
	}
	return size;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

const char *kcatch_ktrace_format_args(const char *format, u8 args[KCATCH_EVENT_ARGS_MAX],
				     u32 *nr)
{
	const char *at = format;
	bool precision;
	u32 size, i;
	u8 arg;

	*nr = 0;
	while ((at = strchr(at, '%'))) {
		if (*++at == '%') {
			at++;
			continue;
		}
		while (*at && strchr("-+ #0'", *at))
			at++;
		while (is_digit(*at))
			at++;
		precision = *at == '.';
		if (precision)
			at++;
		while (precision && is_digit(*at))
			at++;
		if (*at == '*')
			return "a width or precision is given as an argument";
		size = take_length(&at);
		switch (*at) {
		case 'd':
		case 'i':
			arg = size | KCATCH_EVENT_ARG_SIGNED;
			break;
		case 'u':
		case 'x':
		case 'X':
		case 'o':
			arg = size;
			break;
		case 'c':
			arg = 1;
			break;
		case 'p':
			arg = sizeof(void *) | KCATCH_EVENT_ARG_POINTER;
			break;
		case 's':
			if (precision)
				return "%s has a precision";
			arg = KCATCH_EVENT_ARG_STRING;
			break;
		default:
			return "a conversion is not d i u x X o c p s";
		}
		at++;
		if (*nr == KCATCH_EVENT_ARGS_MAX)
			return "it has more than ten arguments";
		args[(*nr)++] = arg;
	}
	/* A control character would break the line of a listing. */
	for (i = 0; format[i]; i++)
		if ((unsigned char)format[i] < ' ' && format[i] != '\n' && format[i] != '\t')
			return "it holds control characters";
	return NULL;
}
