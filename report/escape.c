/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * escape.c - escape untrusted names for XML, HTML, JSON and the shell: a process may be called
 * </script>
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* Bytes handled at once, so that no memory is allocated; pieces end between characters. */
#define PIECE 256

static size_t piece_length(const char *text, size_t length)
{
	size_t take = length < PIECE ? length : PIECE, back;

	if (take == length)
		return take;
	for (back = 0; back < 4 && ((unsigned char)text[take - back] & 0xc0) == 0x80; back++)
		;
	return back < 4 ? take - back : take;
}

static void write_utf8(FILE *out, const char *text, size_t length,
		       void (*put)(FILE *out, unsigned char byte))
{
	char piece[3 * PIECE + 1];
	size_t take, i, count;

	for (; length; text += take, length -= take) {
		take = piece_length(text, length);
		count = kcatch_text_utf8(text, take, piece, sizeof(piece));
		for (i = 0; i < count; i++) {
			/* U+FFFE and U+FFFF are not allowed in XML: write U+FFFD. */
			if (count - i >= 3 && !memcmp(piece + i, "\xef\xbf", 2) &&
			    (unsigned char)piece[i + 2] >= 0xbe)
				piece[i + 2] = (char)0xbd;
			put(out, (unsigned char)piece[i]);
		}
	}
}

static void put_xml(FILE *out, unsigned char byte)
{
	switch (byte) {
	case '&':
		fputs("&amp;", out);
		break;
	case '<':
		fputs("&lt;", out);
		break;
	case '>':
		fputs("&gt;", out);
		break;
	case '"':
		fputs("&quot;", out);
		break;
	case '\'':
		fputs("&#39;", out);
		break;
	default:
		if (byte < ' ' || byte == 0x7f)
			fputs("\xef\xbf\xbd", out);	/* XML 1.0 cannot represent them */
		else
			putc(byte, out);
	}
}

static void put_json(FILE *out, unsigned char byte)
{
	/* < > & ' as well: the text may stand in a <script>, which it must not end. */
	if (byte < ' ' || byte == 0x7f || strchr("<>&'", byte))
		fprintf(out, "\\u%04x", byte);
	else if (byte == '"' || byte == '\\')
		fprintf(out, "\\%c", byte);
	else
		putc(byte, out);
}

void report_write_xml(FILE *out, const char *text, size_t length)
{
	write_utf8(out, text, length, put_xml);
}

void report_write_json(FILE *out, const char *text, size_t length)
{
	write_utf8(out, text, length, put_json);
}

/* Whoever copies the command must not write into a file '5'. */
void report_write_shell(FILE *out, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_-+./:,=@%";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}
