/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * put.h - writes pieces of text and numbers, without a lock and a format for each
 *
 * For what is written millions of times. The output belongs to one thread.
 */
#ifndef RENDER_PUT_H
#define RENDER_PUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PUT_DIGITS 20	/* of the largest number */

/** put_bytes - write @length bytes at @text */
static inline void put_bytes(FILE *out, const char *text, size_t length)
{
	fwrite_unlocked(text, 1, length, out);
}

/** put_text - write a string */
static inline void put_text(FILE *out, const char *text)
{
	fwrite_unlocked(text, 1, strlen(text), out);
}

/** put_char - write one byte */
static inline void put_char(FILE *out, char byte)
{
	putc_unlocked(byte, out);
}

/**
 * put_digits - make the decimal digits of a number, from the end backward
 * @end: behind the last digit; at least PUT_DIGITS bytes precede it
 * @number: the number
 *
 * Return: the first digit.
 */
static inline char *put_digits(char *end, uint64_t number)
{
	do {
		*--end = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	return end;
}

/** put_number - write a number, decimal */
static inline void put_number(FILE *out, uint64_t number)
{
	char digits[PUT_DIGITS], *end = digits + sizeof(digits),
	     *first = put_digits(end, number);

	put_bytes(out, first, (size_t)(end - first));
}

/** put_padded - write a number with at least @least digits, 1 to PUT_DIGITS */
static inline void put_padded(FILE *out, uint64_t number, unsigned int least)
{
	char digits[PUT_DIGITS], *end = digits + sizeof(digits),
	     *first = put_digits(end, number);

	while (first > end - least)
		*--first = '0';
	put_bytes(out, first, (size_t)(end - first));
}

/** put_signed - write a signed number, decimal */
static inline void put_signed(FILE *out, int64_t number)
{
	if (number < 0)
		put_char(out, '-');
	put_number(out, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

/** put_hex - write "0x" and a number, hexadecimal */
static inline void put_hex(FILE *out, uint64_t number)
{
	char digits[18], *end = digits + sizeof(digits), *at = end;

	do {
		*--at = "0123456789abcdef"[number & 15];
		number >>= 4;
	} while (number);
	*--at = 'x';
	*--at = '0';
	put_bytes(out, at, (size_t)(end - at));
}

/** put_seconds - write @ns nanoseconds as "123.456789012" */
static inline void put_seconds(FILE *out, uint64_t ns)
{
	put_number(out, ns / 1000000000);
	put_char(out, '.');
	put_padded(out, ns % 1000000000, 9);
}

#endif
