// SPDX-License-Identifier: GPL-2.0-or-later
/* reader.c - prints DO_TRACE events of debugfs ktrace/, one a line: cc -I.../include reader.c */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <uapi/kcatch.h>
#define KTRACE "/sys/kernel/debug/ktrace/"
static struct { char name[64], format[1024]; } events[4097];	/* by number, from info;
									 * the last: further ones */
static char data[1 << 17] __attribute__((aligned(8)));

/* A text may hold what a terminal obeys. Returns what is behind its null byte. */
static const char *show_text(const char *at, const char *end)
{
	for (; at < end && *at; at++)
		printf(*at >= ' ' && *at <= '~' && *at != '\\' ? "%c" : "\\x%02x",
		       (unsigned char)*at);
	return at + 1;
}

/* The arguments follow one another, each in the size of its conversion. */
static void show(const char *at, const char *argument, const char *end)
{
	for (; *at; at++) {
		unsigned long long value = 0;
		int bits = 32;
		if (*at != '%' || at[1] == '%') {
			at += *at == '%';
			putchar(*at);
			continue;
		}
		while (*++at && !strchr("diouxXcps", *at))	/* flags, width, then the size */
			bits = *at == 'h' ? bits / 2 : strchr("lqLzZjt", *at) ? 64 : bits;
		bits = *at == 'c' ? 8 : *at == 'p' ? 64 : bits;
		if (!*at || argument >= end || (*at != 's' && end - argument < bits / 8))
			break;
		if (*at == 's') {
			argument = show_text(argument, end);
			continue;
		}
		memcpy(&value, argument, bits / 8);
		argument += bits / 8;
		if (*at == 'd' || *at == 'i')			/* with its sign */
			value = (long long)(value << (64 - bits)) >> (64 - bits);
		char conversion[] = { '%', 'l', 'l',
				      *at == 'p' ? 'x' :
				      *at == 'c' ? 'd' :
						   *at,
				      '\0' };
		printf(conversion, value);
	}
	putchar('\n');
}

int main(void)
{
	FILE *info = fopen(KTRACE "info", "r");
	int id, cpu, size, file;
	char *at, *end, *name;
	while (info && fgets(data, sizeof(data), info))
		if ((at = strstr(data, "' id ")) && sscanf(at, "' id %d", &id) == 1 && id >= 0 &&
		    id < 4096)
			sscanf(data, "name '%63[^']' format '%1023[^']'", events[id].name,
			       events[id].format);
	for (cpu = 0;
	     sprintf(data, KTRACE "buffers/cpu%d", cpu), (file = open(data, O_RDONLY)) >= 0; cpu++)
		while ((size = read(file, data, sizeof(data))) > 0)
			for (at = data; at < data + size; ) {	/* packets, and their records */
				end = at + ((struct kcatch_packet *)at)->content_size / 8;
				for (at += sizeof(struct kcatch_packet); at < end; ) {
					const struct kcatch_event_record *record = (void *)at;
					id = KCATCH_RECORD_PROBE(record->head.id);
					id = id < 4096 ? id : 4096;
					name = *events[id].name ? events[id].name : "?";
					printf("%llu cpu %d tid %u %s ", record->head.time, cpu,
					       record->tid, name);
					at += record->head.size;
					show(events[id].format, (const char *)record->data, at);
				}
			}
	return !info || !cpu;
}
