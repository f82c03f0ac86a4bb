/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * printable.c - untrusted names, escaped and shortened for terminals and JSON
 *
 * The name of a process and the words of a command line may contain any byte. They must not
 * reach a terminal as control sequences or JSON as invalid UTF-8.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <kcatch.h>
#include "base/printable.h"

#define SHOWN_MAX 60	/* bytes of a name that a message shows */

/* Decode a UTF-8 character (RFC 3629). Return: its length, with @code set; 0: not valid. */
static size_t decode(const unsigned char *in, size_t length, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t need, i;

	*code = in[0];
	if (in[0] < 0x80)
		return 1;
	if (in[0] < 0xc2 || in[0] > 0xf4)
		return 0;
	need = in[0] < 0xe0 ? 2 : in[0] < 0xf0 ? 3 : 4;
	if (need > length)
		return 0;
	*code = in[0] & (0xff >> (need + 1));
	for (i = 1; i < need; i++) {
		if ((in[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (in[i] & 0x3f);
	}
	/* Overlong, surrogates, out of range. */
	if (*code < least[need] || (*code >= 0xd800 && *code < 0xe000) || *code > 0x10ffff)
		return 0;
	return need;
}

/* Length of the character if a terminal may get it unchanged; 0: it must be escaped. */
static size_t printable(const unsigned char *in, size_t length)
{
	uint32_t code;
	size_t used = decode(in, length, &code);

	if (code < 0x20 || code == '\\' || (code >= 0x7f && code < 0xa0))
		return 0;
	/* Line separators, invisible characters, and marks that change the text's direction. */
	if (code == 0x061c || code == 0x2028 || code == 0x2029 ||
	    (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) ||
	    (code >= 0x2060 && code <= 0x206f) || code == 0xfeff)
		return 0;
	return used;
}

size_t kcatch_text_utf8(const char *in, size_t length, char *out, size_t room)
{
	const unsigned char *byte = (const unsigned char *)in;
	size_t done = 0;
	uint32_t code;

	if (!room)
		return 0;
	while (length) {
		size_t take = decode(byte, length, &code), put = take ? take : 3;

		if (done + put >= room)
			break;
		memcpy(out + done, take ? (const char *)byte : "\xef\xbf\xbd", put);
		done += put;
		take += !take;
		byte += take;
		length -= take;
	}
	out[done] = '\0';
	return done;
}

size_t kcatch_text_escape(const char *in, size_t length, char *out, size_t room)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char *byte = (const unsigned char *)in;
	size_t done = 0, used;
	char piece[4];

	if (!room)
		return 0;
	while (length) {
		size_t take = 1;

		used = printable(byte, length);
		if (used) {
			take = used;
			memcpy(piece, byte, used);
		} else {
			piece[0] = '\\';
			used = 2;
			switch (*byte) {
			case '\n': piece[1] = 'n'; break;
			case '\t': piece[1] = 't'; break;
			case '\r': piece[1] = 'r'; break;
			case '\\': piece[1] = '\\'; break;
			default:
				piece[1] = 'x';
				piece[2] = hex[*byte >> 4];
				piece[3] = hex[*byte & 15];
				used = 4;
			}
		}
		if (done + used >= room)
			break;
		memcpy(out + done, piece, used);
		done += used;
		byte += take;
		length -= take;
	}
	out[done] = '\0';
	return done;
}

/* The value of a hexadecimal digit; 16: it is none. */
static unsigned int digit_of(char digit)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = digit ? strchr(digits, digit) : NULL;

	return found ? (unsigned int)(found - digits) : 16;
}

void kcatch_text_unescape(char *text)
{
	static const char letters[] = "nrt\\", bytes[] = "\n\r\t\\";
	char *to = text;

	while (*text) {
		const char *found = *text == '\\' && text[1] ? strchr(letters, text[1]) : NULL;

		if (found) {
			*to++ = bytes[found - letters];
			text += 2;
		} else if (*text == '\\' && text[1] == 'x' && digit_of(text[2]) < 16 &&
			   digit_of(text[3]) < 16 && (text[2] != '0' || text[3] != '0')) {
			*to++ = (char)(digit_of(text[2]) << 4 | digit_of(text[3]));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

const char *kcatch_text_show_n(struct kcatch_shown *shown, const char *name, size_t length)
{
	size_t take = length > SHOWN_MAX ? SHOWN_MAX : length, at;

	shown->text[0] = '\'';
	at = 1 + kcatch_text_escape(name, take, shown->text + 1, 4 * SHOWN_MAX + 1);
	if (take < length)
		snprintf(shown->text + at, sizeof(shown->text) - at, "...' (%zu characters)",
			 length);
	else
		snprintf(shown->text + at, sizeof(shown->text) - at, "'");
	return shown->text;
}

const char *kcatch_text_show(struct kcatch_shown *shown, const char *name)
{
	return kcatch_text_show_n(shown, name, strlen(name));
}

const char *kcatch_text_hex(const char *text, uint64_t *number)
{
	uint64_t value = 0;

	for (;; text++) {
		if (*text >= '0' && *text <= '9')
			value = value << 4 | (uint64_t)(*text - '0');
		else if ((*text | 32) >= 'a' && (*text | 32) <= 'f')
			value = value << 4 | (uint64_t)((*text | 32) - 'a' + 10);
		else
			break;
	}
	*number = value;
	return text;
}

bool kcatch_text_number(const char *text, size_t length, uint64_t *number)
{
	unsigned int base = 10;
	uint64_t value = 0;
	size_t i = 0;

	if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		i = 2;
	}
	if (i == length)
		return false;
	for (; i < length; i++) {
		unsigned int digit;

		if (text[i] >= '0' && text[i] <= '9')
			digit = text[i] - '0';
		else if (base == 16 && (text[i] | 32) >= 'a' && (text[i] | 32) <= 'f')
			digit = (text[i] | 32) - 'a' + 10;
		else
			return false;
		if (value > (UINT64_MAX - digit) / base)
			return false;
		value = value * base + digit;
	}
	*number = value;
	return true;
}

int kcatch_text_read_file(const char *path, char *text, size_t room)
{
	ssize_t length;
	int fd, error;

	text[0] = '\0';
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	length = read(fd, text, room - 1);
	error = errno;
	close(fd);
	if (length < 0)
		return -error;
	text[length] = '\0';
	if (length && text[length - 1] == '\n')
		text[--length] = '\0';
	return (int)length;
}

char kcatch_text_task_state(uint32_t pid, uint32_t tid)
{
	char path[64], text[512], *at;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/stat", pid, tid);
	if (kcatch_text_read_file(path, text, sizeof(text)) <= 0)
		return 0;
	at = strrchr(text, ')');	/* a command can hold blanks and brackets */
	return at && at[1] ? at[2] : 0;
}
